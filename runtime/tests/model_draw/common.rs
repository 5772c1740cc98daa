//! A square, a screen that is none, and what stands in a list.

use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::gte::{Geometry, software::Gte};
use overworld_runtime::model::draw::{self, Error, Options, Stats};
use overworld_runtime::model::pose::Transform;
use overworld_runtime::model::tmd::{GroupSource, Kind, ObjectSource, Primitive, Tmd, emit};
pub use overworld_runtime::platform::NoScreen;

/// Bucket and words of packets.
pub type Packets = Vec<(usize, Vec<u32>)>;

/// Every packet, in the order in which the GPU meets them.
pub fn packets(list: &DisplayList<'_>) -> Packets {
    let mut found = vec![];
    let (mut at, mut bucket) = (list.head(), list.head());
    loop {
        let tag = list.words()[at];
        if at < list.buckets() {
            bucket = at;
        } else {
            found.push((
                bucket,
                list.words()[at + 1..][..(tag >> 24) as usize].to_vec(),
            ));
        }
        if tag & 0xFF_FFFF == 0xFF_FFFF {
            return found;
        }
        at = (tag & 0xFF_FFFF) as usize / 4;
    }
}

pub fn tmd(vertices: &[SVector], normals: &[SVector], groups: &[GroupSource<'_>]) -> Vec<u8> {
    let mut out = vec![0; 4096];
    let len = emit(
        &[ObjectSource {
            vertices,
            normals,
            groups,
        }],
        &mut out,
    )
    .unwrap();
    out.truncate(len);
    out
}

/// H = 512 and a depth of 1024 halve x and y exactly.
pub fn gte() -> Gte {
    let mut gte = Gte::new();
    gte.set_screen(160 << 16, 120 << 16, 512);
    gte
}

pub fn at(z: i32) -> Transform {
    Transform {
        rotation: Matrix::IDENTITY,
        translation: Vector::new(0, 0, z),
    }
}

pub fn draw_at(bytes: &[u8], z: i32, options: &Options) -> (Stats, Packets) {
    let tmd = Tmd::parse(bytes).unwrap();
    let mut words = vec![0; 8192];
    let mut list = DisplayList::new(&mut words, 4096);
    list.begin(&mut NoScreen);
    let stats = draw::rigid(&mut gte(), &mut list, &tmd, &at(z), options).unwrap();
    (stats, packets(&list))
}

pub const SQUARE: [SVector; 4] = [
    SVector::new(-100, -80, 0),
    SVector::new(100, -80, 0),
    SVector::new(-100, 80, 0),
    SVector::new(100, 80, 0),
];

/// (110, 80), (210, 80), (110, 160), (210, 160).
pub const XY: [u32; 4] = [0x0050_006E, 0x0050_00D2, 0x00A0_006E, 0x00A0_00D2];

pub const PRIMITIVE: Primitive = Primitive {
    colours: [0x0011_2233, 0x0044_5566, 0x0077_8899, 0x00AA_BBCC],
    uv: [0x0100, 0x0302, 0x0504, 0x0706],
    clut: 0x7D00,
    page: 0x000C,
    vertices: [0, 1, 2, 3],
    normals: [0, 1, 2, 3],
};

pub fn one(kind: Kind, style: Style, primitive: Primitive) -> Vec<u8> {
    let groups = [GroupSource {
        kind,
        style,
        primitives: &[primitive],
    }];
    tmd(&SQUARE, &SQUARE, &groups)
}

/// The same mesh with a word more in every record, which the loops leave to the way for records
/// out of the ordinary.
pub fn with_longer_records(bytes: &[u8], kind: Kind) -> Vec<u8> {
    let top = u32::from_le_bytes(bytes[12 + 16..][..4].try_into().unwrap());
    let at = 12 + top as usize;
    let stride = kind.layout().stride;
    let mut longer = bytes[..at + 8].to_vec();
    longer[at + 5] += 1;
    for record in bytes[at + 8..bytes.len() - 4].chunks_exact(stride) {
        longer.extend(record);
        longer.extend([0xEE; 4]);
    }
    longer.extend([0; 4]);
    longer
}

/// Draw into `room` words behind 16 buckets.
pub fn draw_into(
    bytes: &[u8],
    room: usize,
    actor: &Transform,
    options: &Options,
) -> (Result<Stats, Error>, Packets, usize) {
    let mesh = Tmd::parse_lenient(bytes).unwrap();
    let mut words = vec![0; 16 + room];
    let mut list = DisplayList::new(&mut words, 16);
    list.begin(&mut NoScreen);
    let result = draw::rigid(&mut gte(), &mut list, &mesh, actor, options);
    (result, packets(&list), list.free())
}
