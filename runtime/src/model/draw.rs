//! A posed mesh through the geometry engine into a display list (TMD/TIM sheet, section 7).

use core::fmt;

use super::pose::{self, Transform};
use super::tmd::{Group, Kind, Object, Tmd, vector_at};
use crate::anim::legaia::{Clip, ClipEnd};
use crate::fixed::SVector;
use crate::gpu::packet::{self, Style, Texture};
use crate::gpu::{DisplayList, Full};
use crate::gte::Geometry;

/// The colour that leaves a texture as it is.
const NEUTRAL: u32 = 0x0080_8080;

/// Wider polygons are not drawn by the GPU (HAL sheet, 5.3).
const MAX_WIDTH: i32 = 1023;

/// Taller ones neither.
const MAX_HEIGHT: i32 = 511;

/// What holds for all that one call draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Factor of the depth of triangles, Q12: `555h >> k`.
    pub zsf3: i16,
    /// Factor of the depth of quads, Q12: `400h >> k`.
    pub zsf4: i16,
    /// Depths (in buckets) below this are not drawn.
    pub near: u16,
    /// Draw both sides of every polygon.
    pub two_sided: bool,
    /// Draw-mode word (E1h) for untextured semi-transparent polygons, which name no blend.
    pub draw_mode: u32,
}

impl Options {
    /// Options for an ordering table of so many buckets: `k` is chosen so that the depths
    /// 0..=65535 fill it. 4096 buckets give `k` = 4.
    #[must_use]
    pub const fn for_buckets(buckets: usize) -> Self {
        let [draw_mode] = packet::draw_mode(0, true);
        let log2 = buckets.saturating_add(1).ilog2();
        let k = 16_u32.saturating_sub(log2);
        // Beyond 2^10 a factor would have no bits left.
        let k = if k > 10 { 10 } else { k };
        Self {
            zsf3: 0x555 >> k,
            zsf4: 0x400 >> k,
            near: 0x100 >> k,
            two_sided: false,
            draw_mode,
        }
    }
}

/// What became of the primitives of one or more calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Packets in the list.
    pub drawn: u32,
    /// Turned away from the viewer.
    pub culled: u32,
    /// Nearer than the near limit.
    pub near: u32,
    /// Larger than the GPU draws.
    pub oversize: u32,
}

impl Stats {
    /// All primitives that were looked at.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.drawn + self.culled + self.near + self.oversize
    }

    /// The sum of two counts.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            drawn: self.drawn + other.drawn,
            culled: self.culled + other.culled,
            near: self.near + other.near,
            oversize: self.oversize + other.oversize,
        }
    }
}

/// Why a model was not, or not wholly, drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// Clip and mesh do not belong together; nothing was drawn.
    PartMismatch {
        /// Parts of the clip.
        parts: u8,
        /// Objects of the mesh.
        objects: usize,
    },
    /// The display list has no room left; what fitted is in it.
    Full(Full),
}

impl From<Full> for Error {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PartMismatch { parts, objects } => write!(
                f,
                "PartMismatch: the clip has {parts} parts, the model {objects} objects"
            ),
            Self::Full(full) => full.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

/// A moment of a clip.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// The clip.
    pub clip: Clip<'a>,
    /// Position in sixteenths of a frame.
    pub cursor: i16,
    /// What follows its last frame.
    pub end: ClipEnd,
}

/// Draw a mesh, each object posed by its part of the clip, into `list`.
///
/// `actor` is the model's rotation and position, already combined with the view. The screen
/// (`set_screen`) must be set. Rotation, translation and average factors of the engine are
/// changed.
///
/// # Errors
/// [`Error::PartMismatch`] before anything is drawn; [`Error::Full`] when the list is full.
pub fn posed<G: Geometry>(
    gte: &mut G,
    list: &mut DisplayList<'_>,
    tmd: &Tmd<'_>,
    motion: &Motion<'_>,
    actor: &Transform,
    options: &Options,
) -> Result<Stats, Error> {
    let (parts, objects) = (motion.clip.parts(), tmd.len());
    if usize::from(parts) != objects {
        return Err(Error::PartMismatch { parts, objects });
    }
    gte.set_average(options.zsf3, options.zsf4);
    let mut stats = Stats::default();
    let sample = motion.clip.sample(motion.cursor, motion.end);
    for (pose, object) in sample.poses().zip(tmd.objects()) {
        pose::load(gte, actor, &pose);
        stats = stats.plus(object_loaded(gte, list, &object, options)?);
    }
    Ok(stats)
}

/// Draw a mesh all objects of which share one transform.
///
/// # Errors
/// [`Full`] when the list is full; what fitted is in it.
pub fn rigid<G: Geometry>(
    gte: &mut G,
    list: &mut DisplayList<'_>,
    tmd: &Tmd<'_>,
    transform: &Transform,
    options: &Options,
) -> Result<Stats, Full> {
    gte.set_average(options.zsf3, options.zsf4);
    transform.load(gte);
    let mut stats = Stats::default();
    for object in tmd.objects() {
        stats = stats.plus(object_loaded(gte, list, &object, options)?);
    }
    Ok(stats)
}

/// Draw one object with the rotation, translation, screen and average factors that are in the
/// engine.
///
/// # Errors
/// [`Full`] when the list is full; what fitted is in it.
pub fn object_loaded<G: Geometry>(
    gte: &mut G,
    list: &mut DisplayList<'_>,
    object: &Object<'_>,
    options: &Options,
) -> Result<Stats, Full> {
    let mut pass = Pass {
        gte,
        list,
        vertices: object.vertex_bytes(),
        options,
        stats: Stats::default(),
    };
    for group in object.groups() {
        pass.group(&group)?;
    }
    Ok(pass.stats)
}

/// One object on its way.
struct Pass<'p, 'l, G> {
    gte: &'p mut G,
    list: &'p mut DisplayList<'l>,
    vertices: &'p [u8],
    options: &'p Options,
    stats: Stats,
}

impl<G: Geometry> Pass<'_, '_, G> {
    fn group(&mut self, group: &Group<'_>) -> Result<(), Full> {
        let style = Style::from_command(group.mode);
        // The numbers are stride and vertex offset of the sheet's table, section 2.
        match group.kind {
            Kind::Ft3Lit => self.triangles::<20, 14, 7>(group, |r, xy| {
                packet::ft3(style, NEUTRAL, xy, &texture3(r, 0))
            }),
            Kind::Ft4Lit => self.quads::<24, 12, 9>(group, |r, xy| {
                packet::ft4(style, NEUTRAL, xy, &texture4(r, 0))
            }),
            Kind::Gt3Lit => self.triangles::<24, 12, 9>(group, |r, xy| {
                packet::gt3(style, [NEUTRAL; 3], xy, &texture3(r, 0))
            }),
            Kind::Gt4Lit => self.quads::<28, 12, 12>(group, |r, xy| {
                packet::gt4(style, [NEUTRAL; 4], xy, &texture4(r, 0))
            }),
            Kind::F3 => {
                self.triangles::<12, 4, 4>(group, |r, xy| packet::f3(style, word(r, 0), xy))
            }
            Kind::F4 => self.quads::<12, 4, 5>(group, |r, xy| packet::f4(style, word(r, 0), xy)),
            Kind::G3 => self.triangles::<20, 12, 6>(group, |r, xy| {
                packet::g3(style, [word(r, 0), word(r, 4), word(r, 8)], xy)
            }),
            Kind::G4 => self.quads::<24, 16, 8>(group, |r, xy| {
                packet::g4(style, [word(r, 0), word(r, 4), word(r, 8), word(r, 12)], xy)
            }),
            Kind::Ft3 => self.triangles::<20, 14, 7>(group, |r, xy| {
                packet::ft3(style, word(r, 0), xy, &texture3(r, 4))
            }),
            Kind::Ft4 => self.quads::<24, 16, 9>(group, |r, xy| {
                packet::ft4(style, word(r, 0), xy, &texture4(r, 4))
            }),
            Kind::Gt3 => self.triangles::<28, 22, 9>(group, |r, xy| {
                packet::gt3(
                    style,
                    [word(r, 0), word(r, 4), word(r, 8)],
                    xy,
                    &texture3(r, 12),
                )
            }),
            Kind::Gt4 => self.quads::<36, 28, 12>(group, |r, xy| {
                let colours = [word(r, 0), word(r, 4), word(r, 8), word(r, 12)];
                packet::gt4(style, colours, xy, &texture4(r, 16))
            }),
        }
    }

    /// Whether untextured polygons of the group need a draw mode in front of them.
    fn needs_mode(group: &Group<'_>) -> bool {
        Style::from_command(group.mode).is_semi_transparent()
            && group.kind.layout().texture.is_none()
    }

    /// The triangles of a group: records of `S` bytes with vertices from `V` on.
    #[inline(always)]
    fn triangles<const S: usize, const V: usize, const W: usize>(
        &mut self,
        group: &Group<'_>,
        build: impl Fn(&[u8; S], [u32; 3]) -> [u32; W],
    ) -> Result<(), Full> {
        let with_mode = Self::needs_mode(group);
        for record in group.records.chunks_exact(group.stride.max(S)) {
            // The reader has checked records and indices, so neither `continue` is ever taken.
            let Some(record) = record.first_chunk::<S>() else {
                continue;
            };
            let (Some(a), Some(b), Some(c)) = (
                self.vertex(record, V),
                self.vertex(record, V + 2),
                self.vertex(record, V + 4),
            ) else {
                continue;
            };
            let triangle = self.gte.project3([&a, &b, &c]);
            if !self.options.two_sided && self.gte.normal_clip() <= 0 {
                self.stats.culled += 1;
                continue;
            }
            let otz = self.gte.average3();
            if self.is_drawable(otz, &triangle.sxy) {
                self.push(otz, &build(record, triangle.sxy), with_mode)?;
            }
        }
        Ok(())
    }

    /// The quads of a group.
    #[inline(always)]
    fn quads<const S: usize, const V: usize, const W: usize>(
        &mut self,
        group: &Group<'_>,
        build: impl Fn(&[u8; S], [u32; 4]) -> [u32; W],
    ) -> Result<(), Full> {
        let with_mode = Self::needs_mode(group);
        for record in group.records.chunks_exact(group.stride.max(S)) {
            let Some(record) = record.first_chunk::<S>() else {
                continue;
            };
            let (Some(a), Some(b), Some(c), Some(d)) = (
                self.vertex(record, V),
                self.vertex(record, V + 2),
                self.vertex(record, V + 4),
                self.vertex(record, V + 6),
            ) else {
                continue;
            };
            let triangle = self.gte.project3([&a, &b, &c]);
            let first = if self.options.two_sided {
                1
            } else {
                self.gte.normal_clip()
            };
            let fourth = self.gte.project(&d);
            // Rejected only if both halves are turned away; the second half runs the other way.
            if first <= 0 && self.gte.normal_clip() >= 0 {
                self.stats.culled += 1;
                continue;
            }
            let otz = self.gte.average4();
            let [p, q, r] = triangle.sxy;
            let xy = [p, q, r, fourth.sxy];
            if self.is_drawable(otz, &xy) {
                self.push(otz, &build(record, xy), with_mode)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn vertex<const S: usize>(&self, record: &[u8; S], at: usize) -> Option<SVector> {
        vector_at(self.vertices, half(record, at))
    }

    /// Near limit and the size limits of the GPU.
    #[inline(always)]
    fn is_drawable<const N: usize>(&mut self, otz: u16, xy: &[u32; N]) -> bool {
        if otz < self.options.near {
            self.stats.near += 1;
            return false;
        }
        let extent = |shift: u32| {
            let (mut low, mut high) = (i32::from(i16::MAX), i32::from(i16::MIN));
            for word in xy {
                let c = i32::from((word >> shift) as i16);
                low = low.min(c);
                high = high.max(c);
            }
            high - low
        };
        if extent(0) > MAX_WIDTH || extent(16) > MAX_HEIGHT {
            self.stats.oversize += 1;
            return false;
        }
        true
    }

    #[inline(always)]
    fn push<const W: usize>(
        &mut self,
        otz: u16,
        packet: &[u32; W],
        with_mode: bool,
    ) -> Result<(), Full> {
        self.list.push(usize::from(otz), packet)?;
        if with_mode {
            // Pushed later, so drawn earlier: it stands right in front of the polygon.
            self.list
                .push(usize::from(otz), &[self.options.draw_mode])?;
        }
        self.stats.drawn += 1;
        Ok(())
    }
}

/// The halfword at `at`; every caller passes a constant below `S`.
#[inline(always)]
fn half<const S: usize>(record: &[u8; S], at: usize) -> u16 {
    u16::from_le_bytes([record[at], record[at + 1]])
}

/// The word at `at`.
#[inline(always)]
fn word<const S: usize>(record: &[u8; S], at: usize) -> u32 {
    u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
}

/// The texture block at `at`: u0 v0, CLUT, u1 v1, page, u2 v2.
#[inline(always)]
fn texture3<const S: usize>(record: &[u8; S], at: usize) -> Texture<3> {
    Texture {
        clut: half(record, at + 2),
        page: half(record, at + 6),
        uv: [half(record, at), half(record, at + 4), half(record, at + 8)],
    }
}

/// The same with u3 v3.
#[inline(always)]
fn texture4<const S: usize>(record: &[u8; S], at: usize) -> Texture<4> {
    let Texture {
        clut,
        page,
        uv: [a, b, c],
    } = texture3(record, at);
    Texture {
        clut,
        page,
        uv: [a, b, c, half(record, at + 10)],
    }
}
