//! The geometry: vertices by bone, and faces (FF8 sheet, section 3).

mod write;

pub use self::write::{GroupSource, ObjectSource, emit};

use super::{Error, Misfit};
use crate::bytes::{slice_at, u16_at, u32_at};

/// Bytes of a vertex.
const VERTEX: usize = 6;
/// Bytes of a triangle and a quad; coloured ones have a word more.
const TRIANGLE: usize = 16;
const QUAD: usize = 20;
/// Of a face of each kind.
const SIZES: [usize; 4] = [TRIANGLE, QUAD, TRIANGLE + 4, QUAD + 4];
/// Bytes of the numbers of faces, and of what is not read behind them.
const COUNTS: usize = 12;
/// Bits of a vertex number.
pub(crate) const INDEX: u16 = 0x0FFF;
/// Any of these in the page attribute: a face that is not drawn.
pub(crate) const HIDDEN: u16 = 0xFE00;

/// Section 2 of a model; every object is known to be good.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<'a> {
    data: &'a [u8],
    objects: u32,
}

/// What the game plays and a model maker should not write (section 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The number at the end is not that of all vertices.
    VertexTotal {
        /// The number found; `None`: there is none.
        found: Option<u32>,
        /// All vertices.
        vertices: u32,
    },
    /// Another vertex number of a face than its first has bits at its top.
    TopNibble {
        /// The object.
        object: u32,
        /// The face in the object.
        face: u32,
    },
}

/// An object: vertices, each of some bone, and faces between them.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    groups: &'a [u8],
    faces: [&'a [u8]; 4],
    vertices: u32,
    group_count: u16,
}

/// Vertices of one bone, in its space.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// The bone.
    pub bone: u8,
    vertices: &'a [u8],
}

/// The texture of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// CLUT attribute.
    pub clut: u16,
    /// Page attribute, without the bits that hide the face.
    pub page: u16,
    /// Texture coordinates of the corners, u lowest; the fourth one of a triangle is 0.
    pub uv: [u16; 4],
}

/// Colour of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coloured(
    /// The GPU's word: red lowest, the command highest.
    pub u32,
);

/// A triangle or a quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Numbers of its vertices in the object: A, B, C, and D unless it is a triangle. Quads are the triangles A, B, C
    /// and B, D, C.
    pub vertices: [u16; 4],
    /// 3 or 4.
    pub corners: u8,
    /// Added to its place in the ordering table: below 0 nearer. -8 to 7.
    pub bias: i8,
    /// It is not drawn.
    pub hidden: bool,
    /// Its texture.
    pub texture: Texture,
    /// Its colour, if it has one.
    pub colour: Option<Coloured>,
}

impl Face {
    /// A face that is seen, where its depth puts it, without a colour; its texels are those at the start of page 0.
    #[must_use]
    pub const fn plain(vertices: [u16; 4], corners: u8) -> Self {
        Self {
            vertices,
            corners,
            bias: 0,
            hidden: false,
            texture: Texture {
                clut: 0,
                page: 0,
                uv: [0; 4],
            },
            colour: None,
        }
    }
}

impl<'a> Geometry<'a> {
    /// Read section 2 of a model whose skeleton has so many bones.
    ///
    /// All objects together may not be longer than the section: they would overlap.
    ///
    /// # Errors
    /// [`Error::BadObject`], [`Error::BadBoneRef`], [`Error::BadVertexRef`].
    pub fn parse(data: &'a [u8], bones: u8) -> Result<Self, Error> {
        let len = data.len();
        let bad = |object, at, misfit, need, left| Error::BadObject {
            object,
            at,
            misfit,
            need,
            left,
        };
        let objects = u32_at(data, 0).ok_or(bad(0, 0, Misfit::Table, 4, len))?;
        let table = 4 + 4 * u64::from(objects);
        if table > len as u64 {
            return Err(bad(objects, 0, Misfit::Table, table, len));
        }
        let geometry = Self { data, objects };
        let mut left = len;
        for object in 0..objects {
            let (view, length) = geometry
                .view(object)
                .map_err(|it| bad(object, it.at, it.misfit, it.need as u64, it.left))?;
            let pointer = 4 + 4 * object as usize;
            left = left.checked_sub(length).ok_or(bad(
                object,
                pointer,
                Misfit::Length,
                length as u64,
                left,
            ))?;
            let start = u32_at(data, pointer).unwrap_or(0);
            view.check(object, bones, start as usize)?;
        }
        Ok(geometry)
    }

    /// An object and its length.
    fn view(&self, object: u32) -> Result<(Object<'a>, usize), Stop> {
        let table = 4 + 4 * self.objects as usize;
        let pointer = 4 + 4 * object as usize;
        let start = u32_at(self.data, pointer).unwrap_or(0) as usize;
        let data = self.data.get(start..).filter(|_| start >= table);
        let data = data.ok_or(Stop {
            at: pointer,
            misfit: Misfit::Start,
            need: start,
            left: self.data.len(),
        })?;
        let short = |misfit, at: usize, need| Stop {
            at: start + at.min(data.len()),
            misfit,
            need,
            left: data.len().saturating_sub(at),
        };
        let group_count = u16_at(data, 0).ok_or(short(Misfit::Groups, 0, 2))?;
        let (mut at, mut vertices) = (2_usize, 0_u32);
        for _ in 0..group_count {
            let count = u16_at(data, at + 2).ok_or(short(Misfit::Groups, at, 4))?;
            let length = 4 + VERTEX * usize::from(count);
            if data.len() - at < length {
                return Err(short(Misfit::Groups, at, length));
            }
            at += length;
            vertices += u32::from(count);
        }
        let groups = data.get(2..at).unwrap_or_default();
        // From here on it is the section's multiples of four that count.
        at += (start + at).wrapping_neg() % 4;
        let counts = slice_at(data, at, COUNTS).ok_or(short(Misfit::Faces, at, COUNTS))?;
        at += COUNTS;
        let mut faces: [&[u8]; 4] = [&[]; 4];
        for (kind, (faces, size)) in faces.iter_mut().zip(SIZES).enumerate() {
            let length = size * usize::from(u16_at(counts, 2 * kind).unwrap_or(0));
            *faces = slice_at(data, at, length).ok_or(short(Misfit::Faces, at, length))?;
            at += length;
        }
        let object = Object {
            groups,
            faces,
            vertices,
            group_count,
        };
        Ok((object, at))
    }

    /// Number of objects.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.objects
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.objects == 0
    }

    /// One of them, from 0 on.
    #[must_use]
    pub fn object(&self, object: u32) -> Option<Object<'a>> {
        (object < self.objects)
            .then(|| self.view(object).ok())?
            .map(|it| it.0)
    }

    /// All of them.
    pub fn objects(&self) -> impl Iterator<Item = Object<'a>> + use<'a> {
        let geometry = *self;
        (0..self.objects).filter_map(move |object| geometry.object(object))
    }

    /// The most vertices that an object has: what drawing needs room for.
    #[must_use]
    pub fn most_vertices(&self) -> usize {
        self.objects().map(|it| it.len()).max().unwrap_or(0)
    }

    /// Show what a model maker should not write to `visit`.
    pub fn warnings(&self, mut visit: impl FnMut(Warning)) {
        let mut vertices = 0_u32;
        for (object, view) in (0..).zip(self.objects()) {
            vertices += view.vertices;
            for (face, record) in (0..).zip(view.records()) {
                let later = record.indices().skip(1).any(|it| it & !INDEX != 0);
                if later {
                    visit(Warning::TopNibble { object, face });
                }
            }
        }
        let last = self.data.len().checked_sub(4);
        let table = 4 + 4 * self.objects as usize;
        let found = last
            .filter(|it| *it >= table)
            .and_then(|it| u32_at(self.data, it));
        if found != Some(vertices) {
            visit(Warning::VertexTotal { found, vertices });
        }
    }
}

/// Why an object cannot be read, see [`Error::BadObject`].
struct Stop {
    at: usize,
    misfit: Misfit,
    need: usize,
    left: usize,
}

/// A face as it lies in the file.
struct Record<'a> {
    bytes: &'a [u8],
    corners: usize,
}

impl Record<'_> {
    fn indices(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.corners).filter_map(|corner| u16_at(self.bytes, 2 * corner))
    }

    fn face(&self) -> Face {
        let at = |offset| u16_at(self.bytes, offset).unwrap_or(0);
        let mut vertices = [0; 4];
        for (to, index) in vertices.iter_mut().zip(self.indices()) {
            *to = index & INDEX;
        }
        let (page, clut, uv, size) = if self.corners == 3 {
            (at(14), at(10), [at(8), at(12), at(6), 0], TRIANGLE)
        } else {
            (at(14), at(10), [at(8), at(12), at(16), at(18)], QUAD)
        };
        Face {
            vertices,
            corners: self.corners as u8,
            bias: (at(0) >> 12) as i8 - 8,
            hidden: page & HIDDEN != 0,
            texture: Texture {
                clut,
                page: page & !HIDDEN,
                uv,
            },
            colour: u32_at(self.bytes, size).map(Coloured),
        }
    }
}

impl<'a> Object<'a> {
    /// That its bones and vertices are there; it starts at this offset of its section.
    fn check(&self, object: u32, bones: u8, start: usize) -> Result<(), Error> {
        let mut at = start + 2;
        for (bone, vertices) in self.raw_groups() {
            if bone >= u16::from(bones) {
                return Err(Error::BadBoneRef {
                    object,
                    at,
                    bone,
                    bones,
                });
            }
            at += 4 + vertices.len();
        }
        at += at.wrapping_neg() % 4 + COUNTS;
        for (face, record) in (0..).zip(self.records()) {
            for (index, corner) in record.indices().zip(0..) {
                let vertex = index & INDEX;
                if u32::from(vertex) >= self.vertices {
                    return Err(Error::BadVertexRef {
                        object,
                        face,
                        at: at + 2 * corner,
                        vertex,
                        vertices: self.vertices,
                    });
                }
            }
            at += record.bytes.len();
        }
        Ok(())
    }

    fn raw_groups(&self) -> impl Iterator<Item = (u16, &'a [u8])> + use<'a> {
        let mut rest = self.groups;
        (0..self.group_count).map_while(move |_| {
            let bone = u16_at(rest, 0)?;
            let length = VERTEX * usize::from(u16_at(rest, 2)?);
            let vertices = slice_at(rest, 4, length)?;
            rest = rest.get(4 + length..)?;
            Some((bone, vertices))
        })
    }

    /// The records of its faces as they lie in the file: triangles of 16 bytes, quads of 20, coloured triangles of 20,
    /// coloured quads of 24.
    pub(crate) const fn records_by_kind(&self) -> [&'a [u8]; 4] {
        self.faces
    }

    fn records(&self) -> impl Iterator<Item = Record<'a>> + use<'a> {
        let [triangles, quads, coloured_triangles, coloured_quads] = self.faces;
        let of = |bytes: &'a [u8], corners, size| {
            let records = bytes.chunks_exact(size);
            records.map(move |bytes| Record { bytes, corners })
        };
        of(triangles, 3, TRIANGLE)
            .chain(of(quads, 4, QUAD))
            .chain(of(coloured_triangles, 3, TRIANGLE + 4))
            .chain(of(coloured_quads, 4, QUAD + 4))
    }

    /// Number of vertices.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.vertices as usize
    }

    /// Whether it has no vertices.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.vertices == 0
    }

    /// Its vertices by bone; faces count them through all groups.
    pub fn groups(&self) -> impl Iterator<Item = Group<'a>> + use<'a> {
        let groups = self.raw_groups();
        groups.map(|(bone, vertices)| Group {
            bone: bone as u8,
            vertices,
        })
    }

    /// Its faces: triangles, quads, coloured triangles, coloured quads.
    pub fn faces(&self) -> impl Iterator<Item = Face> + use<'a> {
        self.records().map(|it| it.face())
    }
}

impl<'a> Group<'a> {
    /// The vertices.
    pub fn vertices(&self) -> impl Iterator<Item = [i16; 3]> + use<'a> {
        let vertices = self.vertices.chunks_exact(VERTEX);
        vertices.map(|it| match *it {
            [a, b, c, d, e, f] => [[a, b], [c, d], [e, f]].map(i16::from_le_bytes),
            _ => [0; 3],
        })
    }
}
