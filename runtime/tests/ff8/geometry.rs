//! Malformed geometry: the rows of section 12 about section 2, and what its writer refuses.

use super::malformed::changed;
use overworld_runtime::anim::ff8::{
    Dat, Error, Face, Geometry, GroupSource, Misfit, ObjectSource, Warning, emit_geometry,
};

#[test]
fn objects() {
    // In the file section 2 begins at 84h, its object at 8Ch, its face at B4h.
    let read = |at: usize, bytes: &[u8]| {
        let file = changed(&[(at, bytes)]);
        Dat::parse(&file).unwrap().geometry(2).err()
    };
    let bad = |object, at, misfit, need, left| {
        Some(Error::BadObject {
            object,
            at,
            misfit,
            need,
            left,
        })
    };
    let table = |count: u32| bad(count, 0, Misfit::Table, 4 + 4 * u64::from(count), 68);
    assert_eq!(read(0x84, &[0xFF; 4]), table(u32::MAX));
    assert_eq!(read(0x84, &[17, 0, 0, 0]), table(17));
    for start in [0_u32, 7, 0x45, u32::MAX] {
        let error = bad(0, 4, Misfit::Start, start.into(), 68);
        assert_eq!(read(0x88, &start.to_le_bytes()), error, "{start:#X}");
    }
    // More groups, vertices and faces of each kind than there are bytes.
    let cut = |at, misfit, need, left| bad(0, at, misfit, need, left);
    assert_eq!(read(0x88, &[0x44]), cut(68, Misfit::Groups, 2, 0));
    assert_eq!(read(0x88, &[0x41]), cut(68, Misfit::Faces, 12, 0));
    // The faces read as groups, the last one from the midst of a triangle.
    assert_eq!(read(0x8C, &[9, 0]), cut(58, Misfit::Groups, 190, 10));
    assert_eq!(read(0x90, &[99, 0]), cut(10, Misfit::Groups, 598, 58));
    for (kind, need) in [144, 180, 180, 216].into_iter().enumerate() {
        // Behind the one triangle that there is.
        let (at, left) = if kind == 0 { (48, 20) } else { (64, 4) };
        let error = cut(at, Misfit::Faces, need, left);
        assert_eq!(read(0xA8 + 2 * kind, &[9, 0]), error);
    }
    let bone = Error::BadBoneRef {
        object: 0,
        at: 0x8E - 0x84,
        bone: 2,
        bones: 2,
    };
    assert_eq!(read(0x8E, &[2, 0]), Some(bone));
    for corner in 0..3 {
        let at = 0xB4 + 2 * corner;
        let error = Error::BadVertexRef {
            object: 0,
            face: 0,
            at: at - 0x84,
            vertex: 3,
            vertices: 3,
        };
        assert_eq!(read(at, &[3, 0x80]), Some(error));
    }
    assert_eq!(
        Geometry::parse(&[], 1).err(),
        bad(0, 0, Misfit::Table, 4, 0)
    );
}

/// Places of bones and vertices behind the first ones: in the second group, in the second face of another kind.
#[test]
fn places_in_the_geometry() {
    let vertices = [[0; 3]; 3];
    let groups = [0, 1].map(|bone| GroupSource {
        bone,
        vertices: &vertices,
    });
    let face = |corners| Face::plain([0, 1, 2, 3], corners);
    let faces = [face(3), face(4), face(4)];
    let object = ObjectSource {
        groups: &groups,
        faces: &faces,
    };
    let mut data = [0; 256];
    let length = emit_geometry(&[object; 2], 2, &mut data).unwrap();
    // Two objects behind a table of 12 bytes, each of 2 + 2 * 22 bytes, two of filling, 12 and 16 + 2 * 20.
    assert_eq!(length, 12 + 2 * 116 + 4);
    let read = |at: usize, value: u8| {
        let mut data = data;
        data[at] = value;
        Geometry::parse(&data[..length], 2).unwrap_err()
    };
    let second = 12 + 116;
    let bone = Error::BadBoneRef {
        object: 1,
        at: second + 24,
        bone: 7,
        bones: 2,
    };
    assert_eq!(read(second + 24, 7), bone);
    let vertex = Error::BadVertexRef {
        object: 1,
        face: 2,
        at: second + 60 + 16 + 20 + 6,
        vertex: 6,
        vertices: 6,
    };
    assert_eq!(read(second + 60 + 16 + 20 + 6, 6), vertex);
}

#[test]
fn objects_may_not_lie_over_each_other() {
    // Two pointers to one object of twelve bytes and the table: the second one is longer than what is left.
    let mut data = vec![2, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0];
    data.extend([0; 16]);
    let error = Error::BadObject {
        object: 1,
        at: 8,
        misfit: Misfit::Length,
        need: 16,
        left: 12,
    };
    assert_eq!(Geometry::parse(&data, 1).err(), Some(error));
    data[0] = 1;
    assert!(Geometry::parse(&data, 1).is_ok());
}

#[test]
fn warnings_on_geometry() {
    let warnings = |at: usize, bytes: &[u8]| {
        let file = changed(&[(at, bytes)]);
        let mut found = Vec::new();
        let mesh = Dat::parse(&file).unwrap().geometry(2).unwrap();
        mesh.warnings(|it| found.push(it));
        found
    };
    let total = Warning::VertexTotal {
        found: Some(4),
        vertices: 3,
    };
    assert_eq!(warnings(0xC4, &[4]), [total]);
    let nibble = Warning::TopNibble { object: 0, face: 0 };
    assert_eq!(warnings(0xB7, &[0x80]), [nibble]);
    assert_eq!(warnings(0xB5, &[0x70]), []);
    let mut found = Vec::new();
    Geometry::parse(&[0; 4], 1)
        .unwrap()
        .warnings(|it| found.push(it));
    let none = Warning::VertexTotal {
        found: None,
        vertices: 0,
    };
    assert_eq!(found, [none]);
}

/// The writer of geometry refuses what the reader would, and what has no form.
#[test]
fn geometry_writer() {
    let vertices = [[0; 3]; 3];
    let group = |bone| {
        [GroupSource {
            bone,
            vertices: &vertices,
        }]
    };
    let face = Face::plain([0, 1, 2, 9], 3);
    let mut out = [0; 256];
    let mut write = |bone, face: Face| {
        let (groups, faces) = (group(bone), [face; 2]);
        let object = ObjectSource {
            groups: &groups,
            faces: &faces,
        };
        emit_geometry(&[object], 2, &mut out)
    };
    // The fourth number of a triangle is nobody's.
    assert!(write(1, face).is_ok());
    let bone = Error::BadBoneRef {
        object: 0,
        at: 10,
        bone: 2,
        bones: 2,
    };
    assert_eq!(write(2, face), Err(bone));
    let quad = Face { corners: 4, ..face };
    let vertex = Error::BadVertexRef {
        object: 0,
        face: 0,
        at: 32,
        vertex: 9,
        vertices: 3,
    };
    assert_eq!(write(1, quad), Err(vertex));
    let range = Err(Error::FaceRange { object: 0, face: 0 });
    for bias in [-9, 8] {
        assert_eq!(write(1, Face { bias, ..face }), range);
    }
    for corners in [2, 5] {
        assert_eq!(write(1, Face { corners, ..face }), range);
    }

    // 12 bits number 4096 vertices; 16 bits count those of a group.
    let many = vec![[0; 3]; 0x1_0000];
    let mut out = vec![0; 1 << 20];
    let mut write = |count: usize, vertex| {
        let groups = [GroupSource {
            bone: 0,
            vertices: &many[..count],
        }];
        let faces = [Face {
            vertices: [vertex, 0, 0, 0],
            ..face
        }];
        let object = ObjectSource {
            groups: &groups,
            faces: &faces,
        };
        emit_geometry(&[object], 1, &mut out)
    };
    assert!(write(0xFFFF, 0xFFF).is_ok());
    let vertex = Error::BadVertexRef {
        object: 0,
        face: 0,
        at: 14 + 6 * 0xFFFF,
        vertex: 0x1000,
        vertices: 0xFFFF,
    };
    assert_eq!(write(0xFFFF, 0x1000), Err(vertex));
    assert!(
        vertex
            .to_string()
            .contains("expected a vertex below 4096, found 4096")
    );
    let many = Error::BadObject {
        object: 0,
        at: 8,
        misfit: Misfit::Count,
        need: 0x1_0000,
        left: 0xFFFF,
    };
    assert_eq!(write(0x1_0000, 0), Err(many));
}
