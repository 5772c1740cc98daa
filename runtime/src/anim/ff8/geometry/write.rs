//! The writer of the geometry (FF8 sheet, section 3).

use super::{Face, HIDDEN, INDEX};
use crate::anim::ff8::{Error, Misfit};
use crate::bytes::Writer;

/// The bit that is written for a hidden face: the lowest of those that hide one.
const HIDE: u16 = HIDDEN & HIDDEN.wrapping_neg();

/// Vertices of one bone, to be written.
#[derive(Clone, Copy, Debug)]
pub struct GroupSource<'a> {
    /// The bone.
    pub bone: u8,
    /// The vertices, in the bone's space.
    pub vertices: &'a [[i16; 3]],
}

/// An object to be written.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSource<'a> {
    /// Its vertices by bone. Faces count them through all groups.
    pub groups: &'a [GroupSource<'a>],
    /// Its faces. They are stored by kind (triangles, quads, coloured triangles, coloured quads), those of one kind
    /// in this order.
    pub faces: &'a [Face],
}

/// Write section 2 of a model whose skeleton has so many bones; its length, a multiple of four.
///
/// # Errors
/// [`Error::BadObject`] for more groups, vertices of a group or faces of a kind than 16 bits count;
/// [`Error::BadBoneRef`]; [`Error::BadVertexRef`] for a vertex that is not there or that 12 bits do not reach;
/// [`Error::FaceRange`]; [`Error::OutputTooSmall`].
pub fn emit(objects: &[ObjectSource<'_>], bones: u8, out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let full = |_| Error::OutputTooSmall { room };
    let count = u32::try_from(objects.len()).map_err(|_| Error::BadObject {
        object: u32::MAX,
        at: 0,
        misfit: Misfit::Table,
        need: 4 * objects.len() as u64,
        left: room,
    })?;
    let mut out = Writer::new(out);
    out.u32(count).map_err(full)?;
    out.zeros(4 * objects.len()).map_err(full)?;
    let mut total = 0_u32;
    for (number, object) in (0..).zip(objects) {
        let start = out.position();
        out.patch_u32(4 + 4 * number as usize, start as u32)
            .map_err(full)?;
        total = total.wrapping_add(object.emit(number, bones, &mut out, room)?);
    }
    out.u32(total).map_err(full)?;
    Ok(out.finish())
}

impl ObjectSource<'_> {
    /// Write it; its vertices.
    fn emit(
        &self,
        object: u32,
        bones: u8,
        out: &mut Writer<'_>,
        room: usize,
    ) -> Result<u32, Error> {
        let full = |_| Error::OutputTooSmall { room };
        let start = out.position();
        let count = |it: usize| {
            u16::try_from(it).map_err(|_| Error::BadObject {
                object,
                at: start,
                misfit: Misfit::Count,
                need: it as u64,
                left: u16::MAX.into(),
            })
        };
        out.u16(count(self.groups.len())?).map_err(full)?;
        let mut vertices = 0_u32;
        for group in self.groups {
            if group.bone >= bones {
                return Err(Error::BadBoneRef {
                    object,
                    at: out.position(),
                    bone: group.bone.into(),
                    bones,
                });
            }
            let length = count(group.vertices.len())?;
            vertices += u32::from(length);
            out.u16(group.bone.into()).map_err(full)?;
            out.u16(length).map_err(full)?;
            for number in group.vertices.as_flattened() {
                out.i16(*number).map_err(full)?;
            }
        }
        out.align(4).map_err(full)?;
        for (number, face) in (0..).zip(self.faces) {
            face.check(object, number, vertices, out.position())?;
        }
        let of = |kind| self.faces.iter().filter(move |it| it.kind() == kind);
        for kind in 0..4 {
            out.u16(count(of(kind).count())?).map_err(full)?;
        }
        out.zeros(4).map_err(full)?;
        for face in (0..4).flat_map(of) {
            face.emit(out).map_err(full)?;
        }
        Ok(vertices)
    }
}

impl Face {
    /// Its place among the four kinds.
    const fn kind(&self) -> u8 {
        (self.corners == 4) as u8 + 2 * self.colour.is_some() as u8
    }

    /// Whether it can be written.
    fn check(&self, object: u32, face: u32, vertices: u32, at: usize) -> Result<(), Error> {
        if !matches!(self.corners, 3 | 4) || !(-8..8).contains(&self.bias) {
            return Err(Error::FaceRange { object, face });
        }
        let mut used = self.vertices.iter().take(self.corners.into()).copied();
        match used.find(|it| u32::from(*it) >= vertices || *it > INDEX) {
            None => Ok(()),
            Some(vertex) => Err(Error::BadVertexRef {
                object,
                face,
                at,
                vertex,
                vertices,
            }),
        }
    }

    fn emit(&self, out: &mut Writer<'_>) -> Result<(), crate::bytes::Full> {
        let [a, b, c, d] = self.vertices;
        // Between 0 and 15, as was checked.
        let bias = (self.bias + 8) as u16;
        let page = self.texture.page & !HIDDEN | if self.hidden { HIDE } else { 0 };
        let clut = self.texture.clut;
        let [t, u, v, w] = self.texture.uv;
        let words = if self.corners == 3 {
            [a | bias << 12, b, c, v, t, clut, u, page, 0, 0]
        } else {
            [a | bias << 12, b, c, d, t, clut, u, page, v, w]
        };
        let used = if self.corners == 3 { 8 } else { 10 };
        for word in words.into_iter().take(used) {
            out.u16(word)?;
        }
        match self.colour {
            Some(colour) => out.u32(colour.0),
            None => Ok(()),
        }
    }
}
