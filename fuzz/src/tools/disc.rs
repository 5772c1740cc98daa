//! A whole disc: verified, listed, played.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use overworld_host::drive::{self, ImageDrive};
use overworld_host::image::{self, Tree};
use overworld_host::listing;
use overworld_host::play::{self, Error};
use overworld_host::verify::verify;
use overworld_runtime::disc::bundle::{self, AssetType, Packed};
use overworld_runtime::disc::cdname::Builder;
use overworld_runtime::disc::iso::DIRECTORY_LIMIT;
use overworld_runtime::disc::{pack, prot, sector};
use overworld_runtime::field::map;
use overworld_runtime::lzs;
use overworld_runtime::platform::{Drive, SECTOR, Sector};
use overworld_runtime::scene::LoadError;

use crate::runtime::samples::all as all_samples;
use crate::runtime::{take_u8, take_u16};

/// The scene on the disc.
const SCENE: &str = "demo";

/// First byte: sectors of 2352 bytes instead of 2048.
const RAW: u8 = 1;
/// First byte: EDC and ECC of the changed sectors are left as they were.
const DAMAGED: u8 = 2;

/// Counts what is read.
struct Counted {
    drive: ImageDrive,
    reads: u32,
}

impl Drive for Counted {
    type Error = drive::Error;

    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), drive::Error> {
        self.drive.start(lba, sectors)
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), drive::Error> {
        self.reads += 1;
        // Each directory of the image once, each as long as it may be: more is a circle.
        let most = 1 + self.drive.sectors() * (DIRECTORY_LIMIT / SECTOR as u32);
        assert!(self.reads <= most, "a directory is read again and again");
        self.drive.sector(out)
    }

    fn stop(&mut self) -> Result<(), drive::Error> {
        self.drive.stop()
    }
}

/// A member whose stream holds literals only, so that a change of the disc is one of the member.
fn literal(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0; lzs::bound(data.len())];
    let length = lzs::encode_literal(data, &mut out).expect("the bound is enough");
    out.truncate(length);
    out
}

/// The sample of this target and name, without what steers the test: its first `skip` bytes.
fn body(target: &str, name: &str, skip: usize) -> Vec<u8> {
    let found = all_samples()
        .into_iter()
        .find(|it| (it.0, it.1) == (target, name));
    let (_, _, bytes) = found.expect("a sample");
    bytes[skip..].to_vec()
}

/// One body as a pack.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0; bytes.len() + 11];
    let length = pack::emit(&[bytes], &mut out).expect("fits");
    out.truncate(length);
    out
}

/// The disc that inputs change: a scene with every kind of file that is read.
fn image() -> Vec<u8> {
    let members = [
        (AssetType::TimList, packed(&body("tim", "ok-four-bit", 0))),
        (AssetType::Tmd, packed(&body("tmd", "ok-all-kinds", 1))),
        (AssetType::Man, body("man", "ok-town", 1)),
        (AssetType::Move, body("bank", "ok-two-clips", 1)),
    ];
    let streams: Vec<_> = members.iter().map(|it| literal(&it.1)).collect();
    let sources: Vec<_> = members
        .iter()
        .zip(&streams)
        .map(|((ty, data), stream)| Packed {
            ty: *ty,
            size: data.len() as u32,
            stream,
        })
        .collect();
    let mut bundle = vec![0; 8 * SECTOR];
    let length = bundle::emit(&sources, &mut bundle).expect("fits");
    bundle.truncate(length.next_multiple_of(SECTOR).max(2 * SECTOR));
    let mut field = vec![0; map::SIZE];
    map::emit(&map::Source::default(), &mut field).expect("fits");
    let mut patch = body("patch", "ok-one", 0);
    patch.resize(SECTOR, 0);
    let mut stager = body("stager", "ok-two", 0);
    stager.resize(SECTOR, 0);
    let system = vec![0; SECTOR];
    let entries = [system.clone(), system, field, patch, stager, bundle];
    let sectors = entries
        .each_ref()
        .map(|entry| entry.len().div_ceil(SECTOR) as u32);
    let mut archive = vec![0; prot::TOC_BYTES];
    prot::emit(&sectors, &mut archive).expect("fits");
    archive.extend(entries.concat());
    let mut names = [0; 64];
    let mut builder = Builder::new(&mut names);
    builder.define(SCENE, 2).expect("a good name");
    let length = builder.finish();

    let mut tree = Tree::new();
    let boot = b"BOOT = cdrom:\\SLUS_999.99;1\r\n".to_vec();
    for (path, data) in [
        ("SYSTEM.CNF", boot),
        ("CDNAME.TXT", names[..length].to_vec()),
        ("PROT.DAT", archive),
        ("DIR/EMPTY.BIN", Vec::new()),
    ] {
        tree.file(path, data).expect("a good name");
    }
    image::build(&tree).expect("a good tree")
}

/// The image with the input's changes.
fn changed(shape: u8, mut changes: &[u8]) -> Vec<u8> {
    static IMAGE: OnceLock<Vec<u8>> = OnceLock::new();
    let mut image = IMAGE.get_or_init(image).clone();
    let (sectors, _) = image.as_chunks_mut::<{ sector::RAW }>();
    while changes.len() > 5 {
        let (number, rest) = take_u16(changes);
        let (offset, rest) = take_u16(rest);
        let (n, rest) = take_u8(rest);
        let (bytes, rest) = rest.split_at(rest.len().min(n.into()));
        changes = rest;
        let count = sectors.len();
        let sector = &mut sectors[usize::from(number) % count];
        let at = sector::DATA_AT + usize::from(offset) % SECTOR;
        let room = bytes.len().min(sector::EDC_AT - at);
        sector[at..at + room].copy_from_slice(&bytes[..room]);
        if shape & DAMAGED == 0 && shape & RAW != 0 {
            sector::seal(sector);
        }
    }
    if shape & RAW != 0 {
        return image;
    }
    let data = sector::DATA_AT..sector::EDC_AT;
    sectors
        .iter()
        .flat_map(|sector| &sector[data.clone()])
        .copied()
        .collect()
}

/// `[u8 shape]`, then changes `[u16 sector][u16 offset][u8 n][n bytes]` to a small good disc.
///
/// Bit 0 of the shape: an image of raw sectors; bit 1: their checksums are left as they were. A disc
/// that `verify` finds good can be listed and its scene be looked for without a fault of volume,
/// archive table or drive; listing reads no directory again and again; the disc as it was is good and
/// plays.
pub fn disc(data: &[u8]) -> bool {
    let (shape, changes) = take_u8(data);
    let Some(mut drive) = ImageDrive::from_bytes(changed(shape, changes)) else {
        return false;
    };
    let sectors = drive.sectors();
    let report = verify(&mut drive, &mut |done, all| assert!(done <= all));
    assert!(report.counts.sectors <= sectors);
    let mut counted = Counted { drive, reads: 0 };
    let listed = listing::files(&mut counted);
    let Counted { mut drive, .. } = counted;
    let played = play::play(
        &mut drive,
        SCENE,
        |_| (),
        |frame| match frame.number {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        },
    );
    if changes.is_empty() {
        assert!(report.is_good(), "{:?}", report.problems);
        assert!(played.is_ok(), "{played:?}");
    }
    if report.is_good() {
        let files = listed.expect("a good disc has a listing");
        assert_eq!(files.len(), report.counts.files);
        assert!(
            !matches!(
                played,
                Err(Error::Load(
                    LoadError::Drive { .. }
                        | LoadError::Volume { .. }
                        | LoadError::Toc(
                            prot::Error::BadToc { .. } | prot::Error::TocNotTiled { .. }
                        )
                ))
            ),
            "a good disc, but {played:?}"
        );
    }
    report.is_good() && played.is_ok()
}

/// Samples of this target: see [`super::samples`].
pub fn samples() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    // Sector 16 is the volume descriptor; 156 + 2 is where the root lies.
    let lost = [0, 16, 0, 158, 0, 2, 0xFF, 0xFF];
    vec![
        ("disc", "ok-plain", vec![0]),
        ("disc", "ok-raw", vec![RAW]),
        ("disc", "bad-root", lost.to_vec()),
    ]
}
