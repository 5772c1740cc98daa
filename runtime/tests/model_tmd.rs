//! TMD reader and writer (TMD/TIM sheet, sections 1, 2 and 6).

use overworld_runtime::fixed::SVector;
use overworld_runtime::gpu::Style;
use overworld_runtime::model::tmd::{
    self, Error, GroupSource, Kind, ObjectSource, Primitive, Tmd, emit,
};
use proptest::prelude::*;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// One object, four vertices, one normal, and the given primitive section.
fn mesh(section: &[u8], count: u32) -> Vec<u8> {
    let mut bytes = words(&[0x8000_0002, 0, 1]);
    bytes.extend(words(&[28, 4, 60, 1, 68, count, 0x0080_8080]));
    for n in 0..4i16 {
        for c in [n, -n, 100 * n, 0] {
            bytes.extend(c.to_le_bytes());
        }
    }
    bytes.extend(words(&[0x1000_0000, 0]));
    bytes.extend(section);
    bytes
}

/// A flat quad of the four vertices, kind 13, written out.
fn section() -> Vec<u8> {
    let mut bytes = words(&[0x001A_0001, 0x2801_0305]);
    bytes.extend([0x10, 0x20, 0x30, 0x28, 0, 0, 8, 0, 16, 0, 24, 0]);
    bytes.extend([0; 12]);
    bytes.extend([0; 4]);
    bytes
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn error(bytes: &[u8]) -> Error {
    Tmd::parse(bytes).map(|_| ()).unwrap_err()
}

#[test]
fn a_mesh_byte_by_byte() {
    let bytes = mesh(&section(), 1);
    let tmd = Tmd::parse(&bytes).unwrap();
    assert_eq!(tmd.len(), 1);
    let object = tmd.object(0).unwrap();
    assert!(tmd.object(1).is_none());
    let vertices: Vec<_> = object.vertices().collect();
    let expected: Vec<_> = (0..4).map(|n| SVector::new(n, -n, 100 * n)).collect();
    assert_eq!(vertices, expected);
    assert_eq!(
        object.normals().collect::<Vec<_>>(),
        [SVector::new(0, 4096, 0)]
    );
    let groups: Vec<_> = object.groups().collect();
    assert_eq!(groups.len(), 1);
    assert_eq!(
        (groups[0].kind, groups[0].flags, groups[0].mode),
        (Kind::F4, 0x1A, 0x28)
    );
    let quad = Primitive {
        colours: [0x2830_2010, 0, 0, 0],
        vertices: [0, 1, 2, 3],
        ..Primitive::default()
    };
    assert_eq!(groups[0].primitives().collect::<Vec<_>>(), [quad]);

    let mut out = vec![0xEE; 200];
    let group = GroupSource {
        kind: Kind::F4,
        style: Style::OPAQUE,
        primitives: &[quad],
    };
    let source = ObjectSource {
        vertices: &expected,
        normals: &[SVector::new(0, 4096, 0)],
        groups: &[group],
    };
    let len = emit(&[source], &mut out).unwrap();
    assert_eq!(out[..len], bytes);
}

/// Flags, stride, GP0 packet bytes with the tag, colours, texture, vertices, normals: the
/// sheet's table. Offsets of a normal stand with their number.
type Row = (
    u16,
    usize,
    usize,
    usize,
    Option<usize>,
    usize,
    (usize, usize),
);

const TABLE: [Row; 12] = [
    (0x10, 20, 32, 0, Some(0), 14, (12, 1)),
    (0x12, 24, 40, 0, Some(0), 12, (20, 1)),
    (0x14, 24, 40, 0, Some(0), 12, (18, 3)),
    (0x16, 28, 52, 0, Some(0), 12, (20, 4)),
    (0x18, 12, 20, 1, None, 4, (0, 0)),
    (0x1A, 12, 24, 1, None, 4, (0, 0)),
    (0x1C, 20, 28, 3, None, 12, (0, 0)),
    (0x1E, 24, 36, 4, None, 16, (0, 0)),
    (0x20, 20, 32, 1, Some(4), 14, (0, 0)),
    (0x22, 24, 40, 1, Some(4), 16, (0, 0)),
    (0x24, 28, 40, 3, Some(12), 22, (0, 0)),
    (0x26, 36, 52, 4, Some(16), 28, (0, 0)),
];

#[test]
fn the_records_of_all_kinds() {
    for (kind, (flags, stride, packet, colours, texture, vertices, (normals, normal_count))) in
        Kind::ALL.into_iter().zip(TABLE)
    {
        assert_eq!(kind.flags(), flags);
        assert_eq!(Kind::from_flags(flags), Some(kind));
        assert_eq!(Kind::from_flags(flags | 1), Some(kind));
        // "Even kind = triangle, odd = quad".
        let corners = if (flags >> 1) % 2 == 0 { 3 } else { 4 };
        assert_eq!(usize::from(kind.layout().packet) * 4 + 4, packet);

        let mut record: Vec<u8> = (0..stride as u8).map(|n| 0x80 + n).collect();
        for n in 0..corners {
            record[vertices + 2 * n..][..2].copy_from_slice(&[8 * n as u8, 0]);
        }
        for n in 0..normal_count {
            record[normals + 2 * n..][..2].copy_from_slice(&[8 * (3 - n as u8), 0]);
        }
        let half = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let mut expected = Primitive::default();
        for n in 0..colours {
            expected.colours[n] = u32::from(half(4 * n)) | u32::from(half(4 * n + 2)) << 16;
        }
        if let Some(at) = texture {
            expected.uv = [half(at), half(at + 4), half(at + 8), 0];
            if corners == 4 {
                expected.uv[3] = half(at + 10);
            }
            expected.clut = half(at + 2);
            expected.page = half(at + 6);
        }
        for n in 0..corners {
            expected.vertices[n] = n as u16;
        }
        for n in 0..normal_count {
            expected.normals[n] = 3 - n as u16;
        }

        let ilen = stride / 4;
        let mode = 0x20 | if corners == 4 { 8 } else { 0 };
        let mut section = words(&[
            u32::from(flags) << 16 | 1,
            u32::from_le_bytes([(packet / 4 - 1) as u8, ilen as u8, 0, mode]),
        ]);
        section.extend(&record);
        section.extend(vec![0xAA; stride]);
        section.extend([0; 4]);
        let mut bytes = mesh(&section, 1);
        // As many normals as vertices: the pool of four vertices serves for both.
        put(&mut bytes, 12 + 8, 28);
        put(&mut bytes, 12 + 12, 4);
        let tmd = Tmd::parse(&bytes).unwrap_or_else(|e| panic!("{kind:?}: {e}"));
        let object = tmd.object(0).unwrap();
        let found: Vec<_> = object.groups().flat_map(|g| g.primitives()).collect();
        assert_eq!(found, [expected], "{kind:?}");
    }
    for flags in [0, 0x0F, 0x28, 0xFFFF] {
        assert_eq!(Kind::from_flags(flags), None);
    }
}

#[test]
fn the_worked_section_lengths() {
    let vertices = [SVector::default(); 4];
    let triangle = |n| vec![Primitive::default(); n];
    let section = |groups: &[GroupSource<'_>]| {
        let source = ObjectSource {
            vertices: &vertices,
            normals: &[],
            groups,
        };
        let mut out = vec![0; 20_000];
        let len = emit(&[source], &mut out).unwrap();
        Tmd::parse(&out[..len]).unwrap();
        len - 12 - 28 - 32
    };
    let group = |kind, primitives| GroupSource {
        kind,
        style: Style::OPAQUE,
        primitives,
    };
    let (four, one, many) = (triangle(4), triangle(1), triangle(760));
    assert_eq!(
        section(&[group(Kind::Ft3, &four), group(Kind::Ft4, &one)]),
        168
    );
    assert_eq!(section(&[group(Kind::Ft3, &many)]), 15_232);
}

/// Where the mesh is changed, to what, the length that it is cut to, whether the lenient reader takes
/// it, and the strict one's error.
type Refused = (usize, &'static [u8], usize, bool, Error);

#[test]
fn every_error_of_the_sheet() {
    let good: [u8; 116] = include!("../../tests/battery/tables/tmd.rs");
    assert_eq!(mesh(&section(), 1), good);
    let refused: [Refused; 33] = include!("../../tests/battery/tables/bad_tmds.rs");
    for (at, change, len, lenient, expected) in refused {
        let mut bytes = good;
        bytes[at..at + change.len()].copy_from_slice(change);
        let bytes = &bytes[..len];
        assert_eq!(error(bytes), expected, "{change:02X?} at {at}");
        let found = Tmd::parse_lenient(bytes).is_ok();
        assert_eq!(found, lenient, "{change:02X?} at {at}, leniently");
    }
    for len in 0..12 {
        assert_eq!(error(&good[..len]), Error::Truncated { len });
    }
}

#[test]
fn a_bad_index_is_found_where_it_stands() {
    let vertices = [SVector::default(); 6];
    let normals = [SVector::default(); 3];
    let flat = [Primitive::default(); 3];
    let group = |kind| GroupSource {
        kind,
        style: Style::OPAQUE,
        primitives: &flat,
    };
    let groups = [group(Kind::F4), group(Kind::Gt3Lit)];
    let object = ObjectSource {
        vertices: &vertices,
        normals: &normals,
        groups: &groups,
    };
    let mut bytes = vec![0; 1000];
    let len = emit(&[object, object], &mut bytes).unwrap();
    bytes.truncate(len);
    // From the end: terminator, footer and two records of the lit group (24 bytes each), and the
    // first, whose three normals and vertices alternate at 12..24 or stand in two runs.
    let last = len - 4 - 24 * 3;
    let layout = Kind::Gt3Lit.layout();
    for (prim, record) in [(0, last - 24), (1, last), (2, last + 24)] {
        let vertex = |n: usize| record + layout.vertices + 2 * n;
        let normal = |n: usize| record + layout.normals + 2 * n;
        for (place, value) in [(vertex(0), 48), (vertex(2), 7), (normal(1), 24)] {
            let mut bytes = bytes.clone();
            bytes[place] = value;
            let bad = Error::BadIndex {
                object: 1,
                group: 1,
                prim,
                at: place,
            };
            assert_eq!(error(&bytes), bad);
            assert!(bad.to_string().contains(&format!("at offset {place:#x}: ")));
        }
    }
}

#[test]
fn lenient_accepts_longer_records_and_wrong_counts() {
    let mut section = section();
    section[5] = 4;
    section.extend([0; 8]);
    let bytes = mesh(&section, 7);
    assert!(matches!(error(&bytes), Error::BadStride { ilen: 4, .. }));
    let tmd = Tmd::parse_lenient(&bytes).unwrap();
    let object = tmd.object(0).unwrap();
    let quads: Vec<_> = object.groups().flat_map(|g| g.primitives()).collect();
    assert_eq!((quads.len(), quads[0].vertices), (1, [0, 1, 2, 3]));
    section[5] = 2;
    assert!(Tmd::parse_lenient(&mesh(&section, 1)).is_err());
}

#[test]
fn the_writer_refuses_what_the_reader_would() {
    let vertices = [SVector::default(); 4];
    let mut out = vec![0; 1000];
    assert_eq!(emit(&[], &mut out), Err(Error::BadObjectCount { count: 0 }));
    let far = Primitive {
        vertices: [0, 1, 4, 0],
        ..Primitive::default()
    };
    let groups = [GroupSource {
        kind: Kind::F3,
        style: Style::OPAQUE,
        primitives: &[far],
    }];
    let source = ObjectSource {
        vertices: &vertices,
        normals: &[],
        groups: &groups,
    };
    // Behind the table, four vertices and the group's header: the third vertex of an F3 record, the
    // normal of an FT3_LIT record.
    let bad = |record: usize| Error::BadIndex {
        object: 0,
        group: 0,
        prim: 0,
        at: 12 + 28 + 32 + 8 + record,
    };
    assert_eq!(emit(&[source], &mut out), Err(bad(8)));
    let groups = [GroupSource {
        kind: Kind::Ft3Lit,
        primitives: &[Primitive::default()],
        ..groups[0]
    }];
    assert_eq!(
        emit(
            &[ObjectSource {
                groups: &groups,
                ..source
            }],
            &mut out
        ),
        Err(bad(12))
    );
    let many = vec![SVector::default(); 4097];
    let source = ObjectSource {
        vertices: &many,
        normals: &[],
        groups: &[],
    };
    assert_eq!(
        emit(&[source], &mut out),
        Err(Error::PoolOutOfRange { object: 0, at: 40 })
    );
    let source = ObjectSource {
        vertices: &vertices,
        normals: &[],
        groups: &[],
    };
    assert!(matches!(
        emit(&[source], &mut out[..75]),
        Err(Error::Full(_))
    ));
    assert_eq!(emit(&[source], &mut out[..76]), Ok(76));
}

fn primitive(kind: Kind, vertices: u16, seed: u32) -> Primitive {
    let layout = kind.layout();
    let mut p = Primitive::default();
    for n in 0..4 {
        let salt = seed.wrapping_mul(0x9E37_79B9).rotate_left(7 * n as u32);
        if n < layout.colours {
            p.colours[n] = salt;
        }
        if layout.texture.is_some() && n < layout.corners {
            p.uv[n] = salt as u16;
            p.clut = (salt >> 3) as u16;
            p.page = (salt >> 9) as u16;
        }
        if n < layout.corners {
            p.vertices[n] = (salt >> 5) as u16 % vertices;
        }
        if n < layout.normal_count {
            p.normals[n] = (salt >> 11) as u16 % vertices;
        }
    }
    p
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        objects in prop::collection::vec(
            (1..50u16, prop::collection::vec((0..12usize, 0..4u8, prop::collection::vec(any::<u32>(), 1..5)), 0..4)),
            1..5,
        ),
    ) {
        let vectors: Vec<Vec<SVector>> = objects
            .iter()
            .map(|(n, _)| (0..*n as i16).map(|n| SVector::new(n * 7, -n, n * n)).collect())
            .collect();
        let primitives: Vec<Vec<(Kind, Style, Vec<Primitive>)>> = objects
            .iter()
            .map(|(n, groups)| {
                groups
                    .iter()
                    .map(|(kind, style, seeds)| {
                        let kind = Kind::ALL[*kind];
                        let list = seeds.iter().map(|&s| primitive(kind, *n, s)).collect();
                        (kind, Style::from_command(*style), list)
                    })
                    .collect()
            })
            .collect();
        let groups: Vec<Vec<GroupSource<'_>>> = primitives
            .iter()
            .map(|groups| {
                groups
                    .iter()
                    .map(|(kind, style, list)| GroupSource { kind: *kind, style: *style, primitives: list })
                    .collect()
            })
            .collect();
        let sources: Vec<ObjectSource<'_>> = vectors
            .iter()
            .zip(&groups)
            .map(|(v, groups)| ObjectSource { vertices: v, normals: v, groups })
            .collect();
        let mut out = vec![0; 100_000];
        let len = emit(&sources, &mut out).unwrap();
        let tmd = Tmd::parse(&out[..len]).unwrap();
        prop_assert_eq!(tmd.len(), sources.len());
        for ((object, vectors), groups) in tmd.objects().zip(&vectors).zip(&primitives) {
            prop_assert_eq!(&object.vertices().collect::<Vec<_>>(), vectors);
            prop_assert_eq!(&object.normals().collect::<Vec<_>>(), vectors);
            let found: Vec<_> = object
                .groups()
                .map(|g| (g.kind, Style::from_command(g.mode), g.primitives().collect::<Vec<_>>()))
                .collect();
            prop_assert_eq!(&found, groups);
        }
    }

    #[test]
    fn no_bytes_panic(changes in prop::collection::vec((0..116usize, any::<u8>()), 1..8), cut in 0..117usize) {
        let mut bytes = mesh(&section(), 1);
        for (at, value) in changes {
            bytes[at] = value;
        }
        bytes.truncate(cut);
        for tmd in [Tmd::parse(&bytes), Tmd::parse_lenient(&bytes)].into_iter().flatten() {
            for object in tmd.objects() {
                let pool = object.vertices().len();
                for p in object.groups().flat_map(|g| g.primitives()) {
                    prop_assert!(p.vertices.iter().all(|&v| usize::from(v) < pool));
                }
            }
        }
    }
}

#[test]
fn a_capped_mesh_has_its_first_objects_only() {
    let vertices: Vec<_> = (0..12).map(|n| [SVector::new(n, 0, 0)]).collect();
    let sources: Vec<_> = (vertices.iter())
        .map(|vertices| ObjectSource {
            vertices,
            normals: &[],
            groups: &[],
        })
        .collect();
    let mut out = vec![0; 1000];
    let len = emit(&sources, &mut out).unwrap();
    let tmd = Tmd::parse(&out[..len]).unwrap();
    let firsts = |tmd: Tmd<'_>| -> Vec<i16> {
        let first = |object: tmd::Object<'_>| object.vertices().next().unwrap().x;
        tmd.objects().map(first).collect()
    };
    for (most, left) in [(10, 10), (1, 1), (11, 11), (12, 12), (13, 12), (0, 1)] {
        let capped = tmd.capped(most);
        assert_eq!(capped.len(), left);
        assert_eq!(firsts(capped), (0..left as i16).collect::<Vec<_>>());
        assert!(capped.object(left).is_none() && !capped.is_empty());
    }
    // A cap is never taken back.
    assert_eq!(tmd.capped(10).capped(12).len(), 10);
}

/// Sections may not overlap: many objects with one long section would be work without end.
#[test]
fn objects_do_not_share_primitives() {
    const OBJECTS: u32 = 40;
    const TRIANGLES: u32 = 500;
    let table = 28 * OBJECTS;
    let mut bytes = words(&[0x8000_0002, 0, OBJECTS]);
    for _ in 0..OBJECTS {
        bytes.extend(words(&[
            table,
            1,
            table,
            0,
            table + 8,
            TRIANGLES,
            0x0080_8080,
        ]));
    }
    // The one vertex, then F3 triangles of that vertex, the unused slot, the end mark.
    bytes.extend(words(&[0, 0]));
    bytes.extend(words(&[0x0018_0000 | TRIANGLES, 0x2000_0304]));
    bytes.extend(words(&[0; 3]).repeat(TRIANGLES as usize + 1));
    bytes.extend(words(&[0]));
    assert_eq!(error(&bytes), Error::PrimSectionOutOfRange { object: 1 });
}
