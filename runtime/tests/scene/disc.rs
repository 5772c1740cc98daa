//! A disc, a drive and a screen in memory.

use overworld_runtime::anim::legaia::{self, ClipSource, Pose};
use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::bundle::{self, AssetType, Packed};
use overworld_runtime::disc::{pack, prot};
use overworld_runtime::fixed::SVector;
use overworld_runtime::gpu::Style;
use overworld_runtime::lzs;
use overworld_runtime::model::tim::{Block, Mode, Tim};
use overworld_runtime::model::tmd::{self, GroupSource, Kind, ObjectSource, Primitive};
use overworld_runtime::platform::{Drive, SECTOR, Screen, Sector};
use overworld_runtime::scene::{LoadError, Memory, Scene, Which, load};

/// LBA of each file of the disc.
pub const ROOT: u32 = 20;
pub const NAMES: u32 = 21;
pub const ARCHIVE: u32 = 23;

/// A drive over sectors in memory that follows the rules of the trait.
pub struct Disc {
    pub sectors: Vec<Sector>,
    /// Reading this sector fails.
    pub unreadable: Option<u32>,
    pub run: std::ops::Range<u32>,
    /// First sector of every run so far.
    pub runs: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscError {
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
        self.runs.push(lba);
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
pub struct Recorder {
    pub uploads: Vec<(u16, u16, u16, u16, u32)>,
    pub lists: Vec<Vec<Vec<u32>>>,
    pub refuse: bool,
}

pub const BASE: u32 = 0x0001_2340;

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
pub struct Source {
    pub names: Vec<u8>,
    pub members: Vec<(AssetType, Vec<u8>)>,
    /// Leave this file out of the directory.
    pub missing: &'static str,
}

pub fn texture() -> Vec<u8> {
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
pub fn cube(y: i16) -> ([SVector; 8], [Primitive; 6]) {
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

pub fn mesh(objects: usize) -> Vec<u8> {
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

pub fn clips(parts: u8) -> Vec<u8> {
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

pub fn pack(bodies: &[&[u8]]) -> Vec<u8> {
    let mut out = vec![0; 32_768];
    let len = pack::emit(bodies, &mut out).unwrap();
    out.truncate(len);
    out
}

/// A stream of literals only, so that a change of the disc is one of the member.
pub fn literal(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0; lzs::bound(data.len())];
    let len = lzs::encode_literal(data, &mut out).unwrap();
    out.truncate(len);
    out
}

impl Source {
    pub fn new() -> Self {
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

    pub fn bundle(&self) -> Vec<u8> {
        let streams: Vec<Vec<u8>> = self.members.iter().map(|(_, data)| literal(data)).collect();
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
    pub fn archive(bundle: &[u8]) -> Vec<u8> {
        let sectors = (bundle.len().div_ceil(SECTOR) as u32).max(2);
        let sizes = [1, 1, 36, 1, 1, sectors];
        let mut archive = vec![0; (3 + 40 + sectors as usize) * SECTOR];
        prot::emit(&sizes, &mut archive).unwrap();
        let start = (3 + 40) * SECTOR;
        archive[start..][..bundle.len()].copy_from_slice(bundle);
        archive
    }

    pub fn disc(&self) -> Disc {
        self.disc_with(&Self::archive(&self.bundle()))
    }

    /// ISO9660 by hand: descriptor at 16, root directory at 20.
    pub fn disc_with(&self, archive: &[u8]) -> Disc {
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
            runs: Vec::new(),
        }
    }
}

pub type Failure = LoadError<DiscError, &'static str>;

pub fn load_from<'a>(
    disc: &mut Disc,
    screen: &mut Recorder,
    assets: &'a mut [u8],
) -> Result<Scene<'a>, Failure> {
    load_which(disc, screen, Which::Named("demo"), assets)
}

pub fn load_which<'a>(
    disc: &mut Disc,
    screen: &mut Recorder,
    which: Which<'_>,
    assets: &'a mut [u8],
) -> Result<Scene<'a>, Failure> {
    let mut sectors = vec![[0; SECTOR]; 64];
    load(
        disc,
        screen,
        which,
        Memory {
            sectors: &mut sectors,
            assets,
        },
    )
}

pub fn failure(disc: &mut Disc) -> Failure {
    let mut assets = vec![0; 65_536];
    load_from(disc, &mut Recorder::default(), &mut assets)
        .map(|_| ())
        .unwrap_err()
}
