//! Paths, block 13 (llama sheet, section 3.11). No known level has any.

use super::super::fields::Fields;
use crate::bytes::{Full, Writer, u16_at, u32_at};

/// A point of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// X and z.
    pub at: [u32; 2],
    /// Y, where the flags say that points have it; 0 elsewhere.
    pub y: u32,
    /// What happens there.
    pub ty: u16,
    /// Angle.
    pub angle: u16,
}

impl Point {
    /// Bytes of a point with and without a height.
    #[must_use]
    pub const fn bytes(height: bool) -> usize {
        if height { 16 } else { 12 }
    }

    pub(super) fn read(bytes: &[u8], height: bool) -> Self {
        let mut fields = Fields(bytes);
        Self {
            at: fields.u32s(),
            y: if height { fields.u32() } else { 0 },
            ty: fields.u16(),
            angle: fields.u16(),
        }
    }

    pub(super) fn write(&self, height: bool, out: &mut Writer<'_>) -> Result<(), Full> {
        self.at.iter().try_for_each(|&it| out.u32(it))?;
        if height {
            out.u32(self.y)?;
        }
        out.u16(self.ty)?;
        out.u16(self.angle)
    }
}

/// A part of a path.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Flags as stored.
    pub flags: u16,
    points: &'a [u8],
    height: bool,
}

impl<'a> Part<'a> {
    /// Its points in order.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Point> + use<'a> {
        let height = self.height;
        let points = self.points.chunks_exact(Point::bytes(height));
        points.map(move |point| Point::read(point, height))
    }

    /// Flags as the game has them after loading: types of points set bits.
    #[must_use]
    pub fn loaded_flags(&self) -> u16 {
        self.points().fold(self.flags, |flags, point| {
            flags
                | match point.ty {
                    1 | 6 | 7 | 11 | 13 => 1 << point.ty,
                    10 => 0x440,
                    12 => 0x1040,
                    _ => 0,
                }
        })
    }
}

/// A path.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    data: &'a [u8],
    parts: u32,
    height: bool,
}

impl<'a> Path<'a> {
    /// Number of parts.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.parts
    }

    /// Whether it has no part.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.parts == 0
    }

    /// Its parts in order.
    pub fn parts(&self) -> impl Iterator<Item = Part<'a>> + use<'a> {
        let mut path = *self;
        core::iter::from_fn(move || {
            path.parts = path.parts.checked_sub(1)?;
            let (part, rest) = part(path.data, path.height).ok()?;
            path.data = rest;
            Some(part)
        })
    }
}

/// The part in front of `data`, and what follows it; otherwise the place in `data` of what does not fit, and the
/// bytes that are missing there.
fn part(data: &[u8], height: bool) -> Result<(Part<'_>, &[u8]), (usize, u64)> {
    let (Some(count), Some(flags)) = (u16_at(data, 0), u16_at(data, 2)) else {
        return Err((0, 4));
    };
    let size = Point::bytes(height);
    let points = data.get(4..).unwrap_or_default();
    match points.split_at_checked(size * usize::from(count)) {
        Some((points, rest)) => Ok((
            Part {
                flags,
                points,
                height,
            },
            rest,
        )),
        None => Err((4 + points.len() / size * size, size as u64)),
    }
}

/// Walks `count` paths in front of `data`, which may hold fewer.
#[derive(Clone, Debug)]
pub(super) struct Paths<'a> {
    pub(super) data: &'a [u8],
    pub(super) left: u32,
    pub(super) height: bool,
}

impl<'a> Paths<'a> {
    /// The next path; otherwise what does not fit, as [`part`].
    pub(super) fn step(&mut self) -> Result<Option<Path<'a>>, (usize, u64)> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        let parts = u32_at(self.data, 0).ok_or((0, 4_u64))?;
        let data = self.data.get(4..).unwrap_or_default();
        let mut rest = data;
        // Each turn takes at least the four bytes of a part's header.
        for _ in 0..parts {
            let place = 4 + data.len() - rest.len();
            let (_, behind) = part(rest, self.height).map_err(|(at, need)| (place + at, need))?;
            rest = behind;
        }
        self.left = left;
        let path = Path {
            data: data.get(..data.len() - rest.len()).unwrap_or_default(),
            parts,
            height: self.height,
        };
        self.data = rest;
        Ok(Some(path))
    }
}

impl<'a> Iterator for Paths<'a> {
    type Item = Path<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().ok().flatten()
    }
}
