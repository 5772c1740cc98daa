//! Every kind of polygon, in all that can become of it, into one list.

use overworld_runtime::bytes::Crc32;
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::gte::Geometry;
use overworld_runtime::model::draw::{self, Cue, Options, Stats};
use overworld_runtime::model::pose::Transform;
use overworld_runtime::model::tmd::{self, GroupSource, Kind, ObjectSource, Primitive, Tmd};

use crate::check::{Told, reason, same, same_hex};
use crate::display::{At, walk};
use crate::gte::broken;

/// Clockwise from the upper left as the GPU has it: 0, 1, 2, 3. With 4 in place of 0, which lies on
/// the other side of the line from 1 to 2, the first half of a quad is turned away, the second not.
const VERTICES: [SVector; 5] = [
    SVector::new(-40, -32, 4),
    SVector::new(40, -32, -8),
    SVector::new(-40, 32, 12),
    SVector::new(40, 32, -16),
    SVector::new(30, 24, 20),
];

const KINDS: [Kind; 12] = [
    Kind::Ft3Lit,
    Kind::Ft4Lit,
    Kind::Gt3Lit,
    Kind::Gt4Lit,
    Kind::F3,
    Kind::F4,
    Kind::G3,
    Kind::G4,
    Kind::Ft3,
    Kind::Ft4,
    Kind::Gt3,
    Kind::Gt4,
];

/// Buckets of the list, a quarter of those that the depths are made for.
const BUCKETS: usize = 256;
const OPTIONS: Options = Options::for_buckets(4 * BUCKETS);
/// Words of the list: the table, and the packets of the passes below.
const WORDS: usize = BUCKETS + 1300;

/// A mesh with three polygons of each kind: one that faces the viewer, one folded as above, and one
/// turned away.
fn mesh(style: Style, out: &mut [u8]) -> Option<Tmd<'_>> {
    let primitive = |vertices| Primitive {
        colours: [0x0010_2030, 0x0040_5060, 0x0070_8090, 0x00A0_B0C0],
        uv: [0x0100, 0x0302, 0x0504, 0x0706],
        clut: 0x7D00,
        page: 0x000C,
        vertices,
        normals: [0, 1, 2, 3],
    };
    let primitives = [[0, 1, 2, 3], [4, 1, 2, 3], [1, 0, 3, 2]].map(primitive);
    let groups = KINDS.map(|kind| GroupSource {
        kind,
        style,
        primitives: &primitives,
    });
    let object = ObjectSource {
        vertices: &VERTICES,
        normals: &VERTICES,
        groups: &groups,
    };
    let len = tmd::emit(&[object], out).ok()?;
    Tmd::parse(out.get(..len)?).ok()
}

/// Bytes on a word boundary.
#[repr(align(4))]
struct Room([u8; 2048]);

/// Of 36 polygons 18 are seen: one of each triangle, two of each quad.
const fn seen(drawn: u32, near: u32, oversize: u32) -> Stats {
    Stats {
        drawn,
        culled: 36 - drawn - near - oversize,
        near,
        oversize,
        left_out: 0,
    }
}

/// Draw the mesh near and far, with and without a cue, from both sides; the check sum of the list is
/// the same on every machine.
pub(crate) fn kinds<G: Geometry>(gte: &mut G, _: usize) -> Told {
    let (mut opaque, mut clear) = (Room([0; 2048]), Room([0; 2048]));
    let opaque = mesh(Style::OPAQUE, &mut opaque.0).ok_or_else(|| broken("mesh"))?;
    let clear = mesh(Style::SEMI_TRANSPARENT, &mut clear.0).ok_or_else(|| broken("mesh"))?;
    let mut room = [0; WORDS];
    let mut list = DisplayList::new(&mut room, BUCKETS);
    list.begin(&mut At(0x8010_0000));
    gte.set_screen(0xA0_0000, 0x78_0000, 0x140);
    let cue = Cue::between([0x20, 0x60, 0xA0], 0x200, 0x600, 0x140);
    let cued = Options {
        bank: draw::Bank::cued(cue),
        ..OPTIONS
    };
    let both = Options {
        two_sided: true,
        ..OPTIONS
    };
    same!(cue.is_some(), true, "the cue");
    for (what, tmd, scale, z, options, expected) in [
        ("opaque", &opaque, 0x1000, 0x400, &OPTIONS, seen(18, 0, 0)),
        (
            "semi-transparent",
            &clear,
            0x1000,
            0x380,
            &OPTIONS,
            seen(18, 0, 0),
        ),
        ("cued", &opaque, 0x1000, 0x400, &cued, seen(18, 0, 0)),
        (
            "cued and semi-transparent",
            &clear,
            0x1000,
            0x500,
            &cued,
            seen(18, 0, 0),
        ),
        (
            "beyond the last bucket",
            &opaque,
            0x7FFF,
            0x7000,
            &OPTIONS,
            seen(18, 0, 0),
        ),
        ("near", &opaque, 0x1000, 0xC0, &OPTIONS, seen(0, 18, 0)),
        ("oversize", &opaque, 0x7FFF, 0x114, &OPTIONS, seen(0, 0, 18)),
        (
            "from both sides",
            &opaque,
            0x1000,
            0x400,
            &both,
            seen(36, 0, 0),
        ),
    ] {
        let transform = Transform {
            rotation: Matrix::scale(scale),
            translation: Vector::new(0, 0, z),
        };
        let stats = draw::rigid(gte, &mut list, tmd, &transform, options);
        same!(stats, Ok(expected), "{what}");
    }
    let all = list.words();
    let used = all.get(..all.len() - list.free()).unwrap_or_default();
    // 126 polygons, some of them behind a node with a draw mode.
    let mut met = [0; WORDS];
    let (words, nodes) = walk(all, 0x8010_0000, list.head(), &mut met);
    same!(words + nodes, used.len(), "words that the GPU meets");
    let last = all.get(BUCKETS - 1).copied().unwrap_or(0) & 0xFF_FFFF;
    same!(
        last >= 0x10_0000 + 4 * BUCKETS as u32,
        true,
        "the last bucket has packets"
    );
    let mut crc = Crc32::new();
    for word in used {
        crc.update(&word.to_le_bytes());
    }
    same_hex!(crc.finish(), LIST_CRC, "crc32 of the list");
    Ok(reason(format_args!(
        "{nodes} nodes, crc32 {:08X}",
        crc.finish()
    )))
}

/// What mednafen's chip gave.
const LIST_CRC: u32 = 0x0004_BCC6;
