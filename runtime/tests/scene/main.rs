//! A scene from a disc in memory to a display list, and every way in which that can fail.

use overworld_runtime::anim::legaia::{self, ClipSource, Pose};
use overworld_runtime::bytes::{Crc32, crc32};
use overworld_runtime::disc::bundle::{self, AssetType, Packed};
use overworld_runtime::disc::{pack, prot};
use overworld_runtime::fixed::SVector;
use overworld_runtime::gpu::{DisplayList, Full, Style};
use overworld_runtime::gte::software::Gte;
use overworld_runtime::lzs;
use overworld_runtime::model::draw;
use overworld_runtime::model::tim::{self, Block, Mode, Tim};
use overworld_runtime::model::tmd::{self, GroupSource, Kind, ObjectSource, Primitive};
use overworld_runtime::platform::{Drive, SECTOR, Screen, Sector};
use overworld_runtime::scene::{DrawError, LoadError, Memory, Name, Scene, load};

/// LBA of each file of the disc.
const ROOT: u32 = 20;
const NAMES: u32 = 21;
const ARCHIVE: u32 = 23;

/// A drive over sectors in memory that follows the rules of the trait.
struct Disc {
    sectors: Vec<Sector>,
    /// Reading this sector fails.
    unreadable: Option<u32>,
    run: std::ops::Range<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiscError {
    Short { lba: u32 },
    Form2 { lba: u32 },
    NoRun,
}

impl std::fmt::Display for DiscError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Short { lba } => write!(f, "the image ends before sector {lba}"),
            Self::Form2 { lba } => write!(f, "sector {lba} is Form 2"),
            Self::NoRun => f.write_str("no run is open"),
        }
    }
}

impl Drive for Disc {
    type Error = DiscError;

    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), DiscError> {
        self.run = lba..lba + sectors;
        Ok(())
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), DiscError> {
        let lba = self.run.next().ok_or(DiscError::NoRun)?;
        if self.unreadable == Some(lba) {
            return Err(DiscError::Form2 { lba });
        }
        *out = *self
            .sectors
            .get(lba as usize)
            .ok_or(DiscError::Short { lba })?;
        Ok(())
    }

    fn stop(&mut self) -> Result<(), DiscError> {
        self.run = 0..0;
        Ok(())
    }
}

/// A screen that records what it is told.
#[derive(Default)]
struct Recorder {
    uploads: Vec<(u16, u16, u16, u16, u32)>,
    lists: Vec<Vec<Vec<u32>>>,
    refuse: bool,
}

const BASE: u32 = 0x0001_2340;

impl Screen for Recorder {
    type Error = &'static str;

    fn bus_address(&self, _: &[u32]) -> u32 {
        BASE
    }

    fn upload(
        &mut self,
        x: u16,
        y: u16,
        w: u16,
        h: u16,
        pixels: &[u8],
    ) -> Result<(), &'static str> {
        if self.refuse {
            return Err("the GPU is busy");
        }
        assert_eq!(pixels.len(), 2 * usize::from(w) * usize::from(h));
        self.uploads.push((x, y, w, h, crc32(pixels)));
        Ok(())
    }

    fn draw(&mut self, list: &[u32], first: usize) -> Result<(), &'static str> {
        if self.refuse {
            return Err("the GPU is busy");
        }
        let mut packets = vec![];
        let mut at = first;
        loop {
            let tag = list[at];
            let packet = &list[at + 1..][..(tag >> 24) as usize];
            if !packet.is_empty() {
                packets.push(packet.to_vec());
            }
            if tag & 0xFF_FFFF == 0xFF_FFFF {
                break;
            }
            at = ((tag & 0xFF_FFFF) - BASE) as usize / 4;
        }
        self.lists.push(packets);
        Ok(())
    }

    fn present(&mut self) -> Result<(), &'static str> {
        Ok(())
    }
}

/// What a disc is made of; the tests break one thing at a time.
struct Source {
    names: Vec<u8>,
    members: Vec<(AssetType, Vec<u8>)>,
    /// Leave this file out of the directory.
    missing: &'static str,
}

fn texture() -> Vec<u8> {
    let palette: Vec<u8> = (0..32).collect();
    let pixels: Vec<u8> = (0..2 * 8 * 16).map(|n| n as u8).collect();
    let tim = Tim {
        mode: Mode::Four,
        clut: Some(Block {
            x: 0,
            y: 500,
            w: 16,
            h: 1,
            data: &palette,
        }),
        image: Block {
            x: 640,
            y: 0,
            w: 8,
            h: 16,
            data: &pixels,
        },
    };
    let mut out = vec![0; tim.size()];
    tim.emit(&mut out).unwrap();
    out
}

/// A cube of quads around `(0, y, 0)`, 100 wide.
fn cube(y: i16) -> ([SVector; 8], [Primitive; 6]) {
    let vertices = std::array::from_fn(|n| {
        let side = |bit: usize| if n & bit == 0 { -50 } else { 50 };
        SVector::new(side(1), y + side(2), side(4))
    });
    let faces = [
        [0, 1, 2, 3],
        [5, 4, 7, 6],
        [4, 0, 6, 2],
        [1, 5, 3, 7],
        [4, 5, 0, 1],
        [2, 3, 6, 7],
    ];
    let quads = faces.map(|vertices| Primitive {
        colours: [0x80_8080; 4],
        uv: [0x0000, 0x001F, 0x0F00, 0x0F1F],
        clut: 0x7D00,
        page: 0x000A,
        vertices,
        ..Primitive::default()
    });
    (vertices, quads)
}

fn mesh(objects: usize) -> Vec<u8> {
    let cubes: Vec<_> = (0..objects as i16).map(|n| cube(-60 * n)).collect();
    let groups: Vec<_> = cubes
        .iter()
        .map(|(_, quads)| {
            [GroupSource {
                kind: Kind::Ft4,
                style: Style::OPAQUE,
                primitives: quads,
            }]
        })
        .collect();
    let sources: Vec<_> = cubes
        .iter()
        .zip(&groups)
        .map(|((vertices, _), groups)| ObjectSource {
            vertices,
            normals: &[],
            groups,
        })
        .collect();
    let mut out = vec![0; 8192];
    let len = tmd::emit(&sources, &mut out).unwrap();
    out.truncate(len);
    out
}

fn clips(parts: u8) -> Vec<u8> {
    let poses: Vec<Pose> = (0..4 * i16::from(parts))
        .map(|n| Pose {
            t: [4 * n, -n, 0],
            r: [0, 0, 16 * n as u16],
        })
        .collect();
    let clip = ClipSource {
        parts,
        frames: 4,
        blend: true,
        rate: 2,
        extra: 0,
        poses: &poses,
    };
    let other = ClipSource {
        frames: 2,
        rate: 1,
        poses: &poses[..2 * usize::from(parts)],
        ..clip
    };
    let mut out = vec![0; 4096];
    let len = legaia::emit(&[clip, other], &mut out).unwrap();
    out.truncate(len);
    out
}

fn pack(bodies: &[&[u8]]) -> Vec<u8> {
    let mut out = vec![0; 32_768];
    let len = pack::emit(bodies, &mut out).unwrap();
    out.truncate(len);
    out
}

impl Source {
    fn new() -> Self {
        Self {
            names: b"#define init 0\n#define demo 2\n".to_vec(),
            members: vec![
                // A member that is no TIM stands between: it is to be passed over.
                (
                    AssetType::TimList,
                    pack(&[&texture(), &[1, 2, 3, 4], &texture()]),
                ),
                (AssetType::Tmd, pack(&[&mesh(3)])),
                (AssetType::Move, clips(3)),
            ],
            missing: "",
        }
    }

    fn bundle(&self) -> Vec<u8> {
        let streams: Vec<Vec<u8>> = self
            .members
            .iter()
            .map(|(_, data)| {
                let mut out = vec![0; lzs::bound(data.len())];
                let len = lzs::encode_literal(data, &mut out).unwrap();
                out.truncate(len);
                out
            })
            .collect();
        let packed: Vec<_> = self
            .members
            .iter()
            .zip(&streams)
            .map(|((ty, data), stream)| Packed {
                ty: *ty,
                size: data.len() as u32,
                stream,
            })
            .collect();
        let mut out = vec![0; 200_000];
        let len = bundle::emit(&packed, &mut out).unwrap();
        out.truncate(len);
        out
    }

    /// Raw 0 and 1, map, patch, stager, bundle: disc sheet, section 8.
    fn archive(bundle: &[u8]) -> Vec<u8> {
        let sectors = (bundle.len().div_ceil(SECTOR) as u32).max(2);
        let sizes = [1, 1, 36, 1, 1, sectors];
        let mut archive = vec![0; (3 + 40 + sectors as usize) * SECTOR];
        prot::emit(&sizes, &mut archive).unwrap();
        let start = (3 + 40) * SECTOR;
        archive[start..][..bundle.len()].copy_from_slice(bundle);
        archive
    }

    fn disc(&self) -> Disc {
        self.disc_with(&Self::archive(&self.bundle()))
    }

    /// ISO9660 by hand: descriptor at 16, root directory at 20.
    fn disc_with(&self, archive: &[u8]) -> Disc {
        let end = ARCHIVE as usize + archive.len().div_ceil(SECTOR);
        let mut image = vec![0; end * SECTOR];
        let mut put = |lba: u32, at: usize, bytes: &[u8]| {
            image[lba as usize * SECTOR + at..][..bytes.len()].copy_from_slice(bytes);
        };
        let record = |name: &[u8], lba: u32, size: usize, flags: u8| {
            let mut record = vec![0; (33 + name.len()).next_multiple_of(2)];
            record[0] = record.len() as u8;
            record[2..6].copy_from_slice(&lba.to_le_bytes());
            record[6..10].copy_from_slice(&lba.to_be_bytes());
            record[10..14].copy_from_slice(&(size as u32).to_le_bytes());
            record[14..18].copy_from_slice(&(size as u32).to_be_bytes());
            record[25] = flags;
            record[32] = name.len() as u8;
            record[33..][..name.len()].copy_from_slice(name);
            record
        };
        let root = record(&[0], ROOT, SECTOR, 2);
        put(16, 0, b"\x01CD001");
        put(16, 80, &(end as u32).to_le_bytes());
        put(16, 156, &root);
        let mut directory = [root, record(&[1], ROOT, SECTOR, 2)].concat();
        for (name, lba, size) in [
            ("CDNAME.TXT", NAMES, self.names.len()),
            ("PROT.DAT", ARCHIVE, archive.len()),
        ] {
            if name != self.missing {
                directory.extend(record(format!("{name};1").as_bytes(), lba, size, 0));
            }
        }
        put(ROOT, 0, &directory);
        put(NAMES, 0, &self.names[..self.names.len().min(2 * SECTOR)]);
        put(ARCHIVE, 0, archive);
        let sectors = image
            .chunks_exact(SECTOR)
            .map(|s| s.try_into().unwrap())
            .collect();
        Disc {
            sectors,
            unreadable: None,
            run: 0..0,
        }
    }
}

type Failure = LoadError<DiscError, &'static str>;

fn load_from<'a>(
    disc: &mut Disc,
    screen: &mut Recorder,
    assets: &'a mut [u8],
) -> Result<Scene<'a>, Failure> {
    let mut sectors = vec![[0; SECTOR]; 64];
    load(
        disc,
        screen,
        "demo",
        Memory {
            sectors: &mut sectors,
            assets,
        },
    )
}

fn failure(disc: &mut Disc) -> Failure {
    let mut assets = vec![0; 65_536];
    load_from(disc, &mut Recorder::default(), &mut assets)
        .map(|_| ())
        .unwrap_err()
}

#[test]
fn a_scene_is_loaded() {
    let source = Source::new();
    let mut screen = Recorder::default();
    let mut assets = vec![0; 65_536];
    let scene = load_from(&mut source.disc(), &mut screen, &mut assets).unwrap();

    let lines: Vec<String> = scene.assets().iter().map(ToString::to_string).collect();
    let expected: Vec<String> = source
        .members
        .iter()
        .zip(["01", "02", "05"])
        .enumerate()
        .map(|(n, ((_, data), ty))| {
            format!(
                "asset {n} type {ty} size {} crc {:08X}",
                data.len(),
                crc32(data)
            )
        })
        .collect();
    assert_eq!(lines, expected);

    let palette = crc32(&(0..32).collect::<Vec<u8>>());
    let pixels = crc32(&(0..=255).collect::<Vec<u8>>());
    let one = [(0, 500, 16, 1, palette), (640, 0, 8, 16, pixels)];
    assert_eq!(screen.uploads, [one, one].concat());
    assert_eq!((scene.model().len(), scene.bank().len()), (3, 2));

    // The members lie one after the other at multiples of four.
    let mut at = 0;
    for (_, data) in &source.members {
        assert_eq!(assets[at..][..data.len()], data[..]);
        at += data.len().next_multiple_of(4);
    }
}

#[test]
fn a_frame_is_drawn() {
    let mut screen = Recorder::default();
    let mut assets = vec![0; 65_536];
    let mut scene = load_from(&mut Source::new().disc(), &mut screen, &mut assets).unwrap();
    let mut words = vec![0; 2048];
    let mut list = DisplayList::new(&mut words, 512);
    let mut gte = Gte::new();
    let mut pictures = vec![];
    for _ in 0..40 {
        let stats = scene.draw(&mut gte, &mut screen, &mut list).unwrap();
        // Three cubes: of each at least one face and at most three look at the viewer.
        assert_eq!(stats.total(), 18);
        assert!((3..=9).contains(&stats.drawn), "{stats:?}");
        let packets = screen.lists.pop().unwrap();
        assert_eq!(packets.len() as u32, stats.drawn + 1);
        assert_eq!(packets[0], [0xE100_0200], "the draw mode comes first");
        for quad in &packets[1..] {
            assert_eq!((quad.len(), quad[0]), (9, 0x2C80_8080));
            assert_eq!((quad[2] >> 16, quad[4] >> 16), (0x7D00, 0x000A));
            for xy in [quad[1], quad[3], quad[5], quad[7]] {
                assert!((0..320).contains(&(xy as i16)) && (0..240).contains(&(xy >> 16)));
            }
        }
        pictures.push(packets);
        scene.tick();
    }
    // The model turns and moves: no two pictures are alike.
    pictures.sort();
    pictures.dedup();
    assert_eq!(pictures.len(), 40);
    // Drawing again gives the same picture, and the state does not notice.
    let hash = scene.state_hash();
    for _ in 0..2 {
        scene.draw(&mut gte, &mut screen, &mut list).unwrap();
    }
    assert_eq!(screen.lists[0], screen.lists[1]);
    assert_eq!(scene.state_hash(), hash);
}

#[test]
fn the_model_fills_the_picture_but_stays_inside() {
    let mut screen = Recorder::default();
    let mut assets = vec![0; 65_536];
    let mut scene = load_from(&mut Source::new().disc(), &mut screen, &mut assets).unwrap();
    let mut words = vec![0; 2048];
    let mut list = DisplayList::new(&mut words, 512);
    scene.draw(&mut Gte::new(), &mut screen, &mut list).unwrap();
    let heights: Vec<u32> = screen.lists[0][1..]
        .iter()
        .flat_map(|quad| [quad[1] >> 16, quad[3] >> 16, quad[5] >> 16, quad[7] >> 16])
        .collect();
    let (top, bottom) = (heights.iter().min().unwrap(), heights.iter().max().unwrap());
    assert!(
        (15..80).contains(top) && (160..225).contains(bottom),
        "{top}..{bottom}"
    );
}

#[test]
fn the_clock_and_the_hash() {
    let mut assets = vec![0; 65_536];
    let mut screen = Recorder::default();
    let mut scene = load_from(&mut Source::new().disc(), &mut screen, &mut assets).unwrap();
    let start = scene.state_hash();
    scene.tick();
    // Speed 8, rate 2: eight sixteenths of a frame a tick.
    assert_eq!((scene.playback().number, scene.playback().cursor), (1, 8));

    // The dump of the documentation, put together here.
    let mut dump = vec![];
    dump.extend(1u32.to_le_bytes());
    dump.extend(8u16.to_le_bytes());
    for word in [1i16, 1, 8, 8] {
        dump.extend(word.to_le_bytes());
    }
    dump.extend(0x0015u16.to_le_bytes());
    // Half-way from pose n to pose n + 3: x 4 n + 6, y -n - 1.5 rounded down, rz 16 n + 24.
    for n in 0..3i16 {
        for word in [4 * n + 6, -n - 2, 0, 0, 0, 16 * n + 24] {
            dump.extend(word.to_le_bytes());
        }
    }
    for (_, data) in Source::new().members {
        dump.extend(crc32(&data).to_le_bytes());
    }
    let mut crc = Crc32::new();
    crc.update(&dump);
    assert_eq!(scene.state_hash(), crc.finish());
    assert_ne!(scene.state_hash(), start);

    // Every 150 ticks the clip changes, and after the last the first one is back.
    let mut numbers = vec![];
    for _ in 1..600 {
        scene.tick();
        numbers.push(scene.playback().number);
    }
    assert_eq!(scene.ticks(), 600);
    let at = |tick: usize| numbers[tick - 2];
    assert_eq!([149, 150, 299, 300, 449, 450].map(at), [1, 2, 2, 1, 1, 2]);
}

#[test]
fn the_drive_fails() {
    let mut disc = Source::new().disc();
    disc.sectors.truncate(10);
    let what = "the directory of the disc";
    let error = DiscError::Short { lba: 16 };
    assert_eq!(
        failure(&mut disc),
        LoadError::Drive {
            what,
            lba: 16,
            error
        }
    );

    // Each run in turn: the root directory, the table of names, the table of contents, the bundle.
    let directory = what;
    let table = "the table of contents of PROT.DAT";
    for (what, lba, bad) in [
        (directory, ROOT, ROOT),
        ("CDNAME.TXT", NAMES, NAMES),
        (table, ARCHIVE, ARCHIVE + 2),
        ("the scene's bundle", ARCHIVE + 43, ARCHIVE + 44),
    ] {
        let mut disc = Source::new().disc();
        disc.unreadable = Some(bad);
        let error = DiscError::Form2 { lba: bad };
        assert_eq!(failure(&mut disc), LoadError::Drive { what, lba, error });
    }
    // An image that ends inside the bundle.
    let mut disc = Source::new().disc();
    disc.sectors.truncate(ARCHIVE as usize + 44);
    let text = failure(&mut disc).to_string();
    assert_eq!(
        text,
        "cannot read the scene's bundle at sector 66: the image ends before sector 67"
    );
}

#[test]
fn files_and_names_are_missing() {
    for name in ["PROT.DAT", "CDNAME.TXT"] {
        let mut disc = Source {
            missing: name,
            ..Source::new()
        }
        .disc();
        assert_eq!(failure(&mut disc), LoadError::FileMissing { name });
    }
    let mut disc = Source::new().disc();
    disc.sectors[16] = [0; SECTOR];
    assert!(matches!(
        failure(&mut disc),
        LoadError::Volume {
            name: "PROT.DAT",
            ..
        }
    ));

    let mut disc = Source {
        names: b"#define town 2\n".to_vec(),
        ..Source::new()
    }
    .disc();
    let error = failure(&mut disc);
    assert_eq!(
        error,
        LoadError::NoSuchScene {
            name: Name::new("demo")
        }
    );
    assert_eq!(error.to_string(), "CDNAME.TXT defines no scene \"demo\"");

    let mut names = b"#define demo 2\n".to_vec();
    names.resize(4096, b'\n');
    let mut disc = Source {
        names,
        ..Source::new()
    }
    .disc();
    assert_eq!(
        failure(&mut disc),
        LoadError::NameTableTooLong { size: 4096 }
    );

    // The bundle would be raw entry 6 of 6.
    let mut disc = Source {
        names: b"#define demo 3\n".to_vec(),
        ..Source::new()
    }
    .disc();
    assert_eq!(
        failure(&mut disc),
        LoadError::Toc(prot::Error::NoSuchEntry { raw: 6 })
    );
}

#[test]
fn the_table_of_contents_is_not_tiled() {
    let source = Source::new();
    let mut archive = Source::archive(&source.bundle());
    // Raw entry 3 starts where raw entry 2 does.
    archive.copy_within(4 * 4..4 * 5, 4 * 5);
    let error = failure(&mut source.disc_with(&archive));
    assert_eq!(error, LoadError::Toc(prot::Error::TocNotTiled { raw: 2 }));
    // The archive is shorter than its table says.
    let mut archive = Source::archive(&source.bundle());
    archive.truncate(archive.len() - SECTOR);
    let error = failure(&mut source.disc_with(&archive));
    assert_eq!(error, LoadError::Toc(prot::Error::TocNotTiled { raw: 5 }));
}

#[test]
fn the_bundle_is_damaged() {
    let source = Source::new();
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bundle = source.bundle();
        change(&mut bundle);
        failure(&mut source.disc_with(&Source::archive(&bundle)))
    };
    let raw = 5;
    let error = bundle::Error::BadDescriptorCount { count: 0 };
    assert_eq!(with(&|b| b[0] = 0), LoadError::Bundle { raw, error });
    let error = bundle::Error::UnknownType { index: 1, ty: 0x13 };
    assert_eq!(with(&|b| b[19] = 0x13), LoadError::Bundle { raw, error });

    // Member 1 announces more bytes than its stream has before member 2 begins.
    let error = with(&|b| b[17] += 1);
    assert!(
        matches!(
            error,
            LoadError::Member {
                index: 1,
                ty: AssetType::Tmd,
                ..
            }
        ),
        "{error:?}"
    );
    assert!(
        error
            .to_string()
            .starts_with("bundle member 1 (TMD) does not unpack: "),
        "{error}"
    );
}

#[test]
fn members_are_damaged_or_missing() {
    let with = |change: &dyn Fn(&mut Source)| {
        let mut source = Source::new();
        change(&mut source);
        failure(&mut source.disc())
    };
    let error = with(&|s| s.members[0].1[0] = 0);
    assert!(matches!(
        error,
        LoadError::Pack {
            index: 0,
            ty: AssetType::TimList,
            ..
        }
    ));

    let mut bad = texture();
    bad[4] = 0x1F;
    let error = with(&|s| s.members[0].1 = pack(&[&texture(), &bad]));
    let inner = tim::Error::BadTim {
        offset: 4,
        found: 0x1F,
    };
    assert_eq!(
        error,
        LoadError::Texture {
            index: 0,
            number: 1,
            error: inner
        }
    );

    let error = with(&|s| s.members[1].1 = pack(&[&mesh(3), &[0; 12]]));
    let inner = tmd::Error::BadMagic { found: 0 };
    assert_eq!(
        error,
        LoadError::Mesh {
            index: 1,
            number: 1,
            error: inner
        }
    );

    let error = with(&|s| s.members[2].1[0] = 0);
    let inner = legaia::Error::BadCount { count: 0 };
    assert_eq!(
        error,
        LoadError::Bank {
            index: 2,
            error: inner
        }
    );

    let error = with(&|s| _ = s.members.remove(1));
    assert_eq!(error, LoadError::AssetMissing { ty: AssetType::Tmd });
    let error = with(&|s| _ = s.members.pop());
    assert_eq!(
        error,
        LoadError::AssetMissing {
            ty: AssetType::Move
        }
    );

    let error = with(&|s| s.members[2].1 = clips(2));
    assert_eq!(
        error,
        LoadError::PartMismatch {
            clip: 1,
            parts: 2,
            objects: 3
        }
    );
}

#[test]
fn memory_is_too_small() {
    let mut source = Source::new();
    source.members.push((AssetType::Man, vec![7; 5001]));
    let needed = source
        .members
        .iter()
        .map(|(_, data)| data.len().next_multiple_of(4))
        .sum();
    let mut screen = Recorder::default();
    let mut assets = vec![0; needed];
    assert!(load_from(&mut source.disc(), &mut screen, &mut assets).is_ok());
    let available = needed - 1;
    let error = load_from(&mut source.disc(), &mut screen, &mut assets[1..]).map(|_| ());
    assert_eq!(error, Err(LoadError::AssetsTooSmall { needed, available }));

    let packed = source.bundle().len().div_ceil(SECTOR) as u32;
    assert!(packed > 3);
    for available in 0..packed as usize {
        let mut sectors = vec![[0; SECTOR]; available];
        let memory = Memory {
            sectors: &mut sectors,
            assets: &mut assets,
        };
        let error = load(&mut source.disc(), &mut screen, "demo", memory).map(|_| ());
        let (what, needed) = match available {
            0 => ("the directory", 3),
            1 | 2 => ("the table of contents of PROT.DAT", 3),
            _ => ("the scene's bundle", packed),
        };
        assert_eq!(
            error,
            Err(LoadError::StagingTooSmall {
                what,
                needed,
                available
            })
        );
    }
}

#[test]
fn the_screen_refuses() {
    let mut assets = vec![0; 65_536];
    let mut screen = Recorder {
        refuse: true,
        ..Recorder::default()
    };
    let error = load_from(&mut Source::new().disc(), &mut screen, &mut assets).map(|_| ());
    assert_eq!(
        error,
        Err(LoadError::Upload {
            index: 0,
            number: 0,
            error: "the GPU is busy"
        })
    );

    screen.refuse = false;
    let mut scene = load_from(&mut Source::new().disc(), &mut screen, &mut assets).unwrap();
    let mut words = [0; 64 + 9];
    let mut list = DisplayList::new(&mut words, 64);
    let error = scene.draw(&mut Gte::new(), &mut screen, &mut list);
    let full = Full {
        needed: 10,
        free: 9,
    };
    assert_eq!(error, Err(DrawError::Model(draw::Error::Full(full))));
    assert!(
        screen.lists.is_empty(),
        "a list that is not complete is not drawn"
    );

    screen.refuse = true;
    let mut words = [0; 1024];
    let mut list = DisplayList::new(&mut words, 64);
    let error = scene.draw(&mut Gte::new(), &mut screen, &mut list);
    assert_eq!(error, Err(DrawError::Screen("the GPU is busy")));
}

#[test]
fn every_failure_has_its_own_sentence() {
    let (what, index, ty) = ("the bundle", 3, AssetType::TimList);
    let errors: [Failure; 17] = [
        LoadError::Drive {
            what,
            lba: 5,
            error: DiscError::NoRun,
        },
        LoadError::FileMissing { name: "PROT.DAT" },
        LoadError::Volume {
            name: "PROT.DAT",
            error: overworld_runtime::disc::iso::Error::NoVolume,
        },
        LoadError::NameTableTooLong { size: 5000 },
        LoadError::NoSuchScene {
            name: Name::new("a name that is much too long"),
        },
        LoadError::Toc(prot::Error::NoSuchEntry { raw: 9 }),
        LoadError::StagingTooSmall {
            what,
            needed: 10,
            available: 3,
        },
        LoadError::Bundle {
            raw: 5,
            error: bundle::Error::BadDescriptorCount { count: 0 },
        },
        LoadError::AssetsTooSmall {
            needed: 100,
            available: 50,
        },
        LoadError::Member {
            index,
            ty,
            error: lzs::Error::TruncatedControl { out: 1, want: 2 },
        },
        LoadError::Pack {
            index,
            ty,
            error: pack::Error::BadPack { index: 1 },
        },
        LoadError::Texture {
            index,
            number: 0,
            error: tim::Error::BadTim {
                offset: 0,
                found: 1,
            },
        },
        LoadError::Upload {
            index,
            number: 0,
            error: "busy",
        },
        LoadError::Mesh {
            index,
            number: 0,
            error: tmd::Error::AbsolutePointers,
        },
        LoadError::Bank {
            index,
            error: legaia::Error::BadCount { count: 0 },
        },
        LoadError::AssetMissing { ty },
        LoadError::PartMismatch {
            clip: 1,
            parts: 2,
            objects: 3,
        },
    ];
    let mut sentences: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        sentences[4],
        "CDNAME.TXT defines no scene \"a name that is m\""
    );
    assert_eq!(
        sentences[8],
        "the asset memory is too small: 100 bytes needed, 50 available"
    );
    assert!(sentences.iter().all(|s| s.len() > 20 && !s.contains('\n')));
    sentences.sort();
    sentences.dedup();
    assert_eq!(sentences.len(), 17);
}

#[test]
fn names_are_cut_at_character_boundaries() {
    assert_eq!(Name::new("").as_str(), "");
    assert_eq!(Name::new("demo").as_str(), "demo");
    assert_eq!(Name::new("0123456789abcdefg").as_str(), "0123456789abcdef");
    assert_eq!(
        Name::new("0123456789abcde\u{e9}").as_str(),
        "0123456789abcde"
    );
}
