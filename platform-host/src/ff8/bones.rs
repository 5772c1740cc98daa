//! Bones as something that can be seen, for models without faces.

use overworld_runtime::anim::ff8::{
    Error, Face, Geometry, GroupSource, ObjectSource, Skeleton, emit_geometry,
};

use crate::strip::inwards;

/// Vertices of a bone: its root, four around it, its tip.
const VERTICES: usize = 6;
/// Its triangles.
const FACES: usize = 8;

/// Whether a geometry has a face that is not hidden.
#[must_use]
pub fn shows(geometry: &Geometry<'_>) -> bool {
    let mut objects = geometry.objects();
    objects.any(|it| it.faces().any(|face| !face.hidden))
}

/// Section 2 of a model whose faces are its bones: each a double pyramid from where it hangs to where its children do,
/// along its own Z. One without a length is a small octahedron.
///
/// # Errors
/// None in practice: 255 bones are within what a geometry holds.
pub fn geometry(skeleton: &Skeleton<'_>) -> Result<Vec<u8>, Error> {
    let lengths = || skeleton.bones().map(|it| i32::from(it.length));
    let longest = lengths().map(i32::abs).max().unwrap_or(0);
    let shapes: Vec<[[i16; 3]; VERTICES]> = lengths()
        .map(|it| shape(it, (longest / 12).max(1)))
        .collect();
    let groups: Vec<GroupSource<'_>> = (0..)
        .zip(&shapes)
        .map(|(bone, vertices)| GroupSource { bone, vertices })
        .collect();
    let faces: Vec<Face> = (0..)
        .zip(&shapes)
        .flat_map(|(bone, shape)| faces(bone, shape))
        .collect();
    let object = ObjectSource {
        groups: &groups,
        faces: &faces,
    };
    let mut out = vec![0; 64 + shapes.len() * (4 + 6 * VERTICES + 16 * FACES)];
    let length = emit_geometry(&[object], skeleton.len(), &mut out)?;
    out.truncate(length);
    Ok(out)
}

/// The vertices of a bone of this length; `least` is the girth of those without any.
fn shape(length: i32, least: i32) -> [[i16; 3]; VERTICES] {
    let (root, ring, tip, girth) = match length {
        0 => (-least, 0, least, least),
        _ => (0, length / 4, length, (length.abs() / 8).max(1)),
    };
    [
        [0, 0, root],
        [girth, 0, ring],
        [0, girth, ring],
        [-girth, 0, ring],
        [0, -girth, ring],
        [0, 0, tip],
    ]
    .map(|it| it.map(|at| at.clamp(i16::MIN.into(), i16::MAX.into()) as i16))
}

/// The faces of a bone, whose vertices follow those of the bones before it.
fn faces(bone: u16, shape: &[[i16; 3]; VERTICES]) -> [Face; FACES] {
    std::array::from_fn(|face| {
        let (side, end) = (face % 4, [0, 5][face / 4]);
        let mut corners = [end, 1 + side, 1 + (side + 1) % 4];
        // It is seen from outside: to be turned round if what is to lead inwards leads away from the bone.
        let [a, b, c] = corners.map(|it| shape[it].map(f64::from));
        let inwards = inwards([a, b, c]);
        if inwards[0] * (b[0] + c[0]) + inwards[1] * (b[1] + c[1]) > 0.0 {
            corners.swap(1, 2);
        }
        let [a, b, c] = corners.map(|it| bone * VERTICES as u16 + it as u16);
        Face::plain([a, b, c, 0], 3)
    })
}
