//! A posed mesh through the geometry engine into a display list (TMD/TIM sheet, section 7).

use core::fmt;

use super::pose::{self, Transform};
mod anchor;
mod light;
mod options;
mod shapes;
mod slow;
mod table;

pub use self::anchor::{Anchor, anchor};
pub use self::light::Light;
pub use self::options::{Bank, Cue, Options};
pub(crate) use self::shapes::is_wide;
use self::shapes::{NONE, Pass};
pub(crate) use self::slow::is_oversize;
use super::tmd::{Kind, Object, RawGroup, Tmd};
use crate::anim::legaia::{Clip, ClipEnd};
use crate::bytes::Misaligned;
use crate::gpu::packet::Style;
use crate::gpu::{DisplayList, Full};
use crate::gte::Geometry;

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
    /// Whole models for which the list had no room, of those who draw several; their primitives are not counted.
    pub left_out: u32,
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
            left_out: self.left_out + other.left_out,
        }
    }
}

/// Why a model was not, or not wholly, drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
    /// The mesh does not lie on a word boundary. Objects before the one in question are in the
    /// list; if it is the whole mesh that lies wrong, nothing is.
    Misaligned {
        /// Which pool of the object.
        pool: Pool,
        /// How it lies.
        place: Misaligned,
    },
}

/// A part of an object that drawing reads as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Pool {
    /// Its vertices.
    Vertices,
    /// Its normals.
    Normals,
    /// Its primitives.
    Primitives,
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vertices => "vertices",
            Self::Normals => "normals",
            Self::Primitives => "primitives",
        })
    }
}

impl Pool {
    fn misaligned(self) -> impl Fn(Misaligned) -> Error {
        move |place| Error::Misaligned { pool: self, place }
    }
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
            Self::Misaligned { pool, place } => write!(f, "Misaligned: {pool}: {place}"),
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
/// changed, and with a depth cue or light also the registers of that.
///
/// # Errors
/// [`Error::PartMismatch`] before anything is drawn; [`Error::Full`] when the list is full;
/// [`Error::Misaligned`] when the mesh lies wrong in memory.
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
    options.load(gte);
    let mut stats = Stats::default();
    let sample = motion.clip.sample(motion.cursor, motion.end);
    for (pose, object) in sample.poses().zip(tmd.objects()) {
        pose::load(gte, actor, &pose);
        if let Some(light) = &options.light {
            light.load_part(gte, &pose);
        }
        stats = stats.plus(object_loaded(gte, list, &object, options)?);
    }
    Ok(stats)
}

/// Draw a mesh all objects of which share one transform.
///
/// # Errors
/// [`Error::Full`] when the list is full; what fitted is in it. [`Error::Misaligned`] when the
/// mesh lies wrong in memory.
pub fn rigid<G: Geometry>(
    gte: &mut G,
    list: &mut DisplayList<'_>,
    tmd: &Tmd<'_>,
    transform: &Transform,
    options: &Options,
) -> Result<Stats, Error> {
    options.load(gte);
    transform.load(gte);
    let mut stats = Stats::default();
    for object in tmd.objects() {
        stats = stats.plus(object_loaded(gte, list, &object, options)?);
    }
    Ok(stats)
}

/// Draw one object with the rotation, translation, screen, average factors, depth cue and light that are
/// in the engine; whether it is cued or lit is up to `options`.
///
/// # Errors
/// [`Error::Full`] when the list is full; what fitted is in it. [`Error::Misaligned`] when the
/// mesh lies wrong in memory.
pub fn object_loaded<G: Geometry>(
    gte: &mut G,
    list: &mut DisplayList<'_>,
    object: &Object<'_>,
    options: &Options,
) -> Result<Stats, Error> {
    let vertices = object.raw_vertices().map_err(Pool::Vertices.misaligned())?;
    let normals = match options.light {
        Some(_) => object.raw_normals().map_err(Pool::Normals.misaligned())?,
        None => &[],
    };
    let groups = object.raw_groups().map_err(Pool::Primitives.misaligned())?;
    if G::TABLES {
        let parts = (vertices, normals, options);
        return table::object(gte, list, parts, object.count() as usize, groups);
    }
    let mut pass = Pass {
        gte,
        list: list.tail(),
        vertices,
        normals,
        options,
        stats: Stats::default(),
        seen: 0,
    };
    let mut result = Ok(());
    for group in groups {
        result = pass.group(&group);
        if result.is_err() {
            break;
        }
    }
    let (left, mut stats) = (pass.list.left(), pass.stats);
    stats.drawn = pass.seen - stats.total();
    list.set_left(left);
    result.map(|()| stats).map_err(Error::Full)
}

impl<G: Geometry> Pass<'_, '_, G> {
    fn group(&mut self, group: &RawGroup<'_>) -> Result<(), Full> {
        // Words of record and packet, colours, texture block, vertex indices, from corner to corner.
        match group.kind {
            Kind::Ft3Lit => self.each(group, Self::triangles::<5, 8, 0, 0, 7, 2>),
            Kind::Ft4Lit => self.each(group, Self::quads::<6, 10, 0, 0, 6, 2>),
            Kind::Gt3Lit => self.each(group, Self::triangles::<6, 10, 0, 0, 6, 3>),
            Kind::Gt4Lit => self.each(group, Self::quads::<7, 13, 0, 0, 6, 3>),
            Kind::F3 => self.each(group, Self::triangles::<3, 5, 1, NONE, 2, 1>),
            Kind::F4 => self.each(group, Self::quads::<3, 6, 1, NONE, 2, 1>),
            Kind::G3 => self.each(group, Self::triangles::<5, 7, 3, NONE, 6, 2>),
            Kind::G4 => self.each(group, Self::quads::<6, 9, 4, NONE, 8, 2>),
            Kind::Ft3 => self.each(group, Self::triangles::<5, 8, 1, 1, 7, 2>),
            Kind::Ft4 => self.each(group, Self::quads::<6, 10, 1, 1, 8, 2>),
            Kind::Gt3 => self.each(group, Self::triangles::<7, 10, 3, 3, 11, 3>),
            Kind::Gt4 => self.each(group, Self::quads::<9, 13, 4, 4, 14, 3>),
        }
    }

    /// Run the loop of a shape over the records of a group; what it leaves is drawn one by one.
    #[inline(never)]
    fn each(
        &mut self,
        group: &RawGroup<'_>,
        run: fn(&mut Self, &[u32], u32) -> usize,
    ) -> Result<(), Full> {
        let mut records = group.records;
        let style = Style::from_command(group.mode);
        let layout = group.kind.layout();
        let command = u32::from(style.command_byte(layout.command)) << 24;
        let needs_mode = layout.texture.is_none() && style.is_semi_transparent();
        let stride = group.stride.max(1);
        let one_by_one = 4 * stride != layout.stride || needs_mode;
        self.seen += group.count as u32;
        loop {
            if !one_by_one {
                let left = run(self, records, command);
                records = records.get(records.len() - left..).unwrap_or_default();
            }
            let Some((record, rest)) = records.split_at_checked(stride) else {
                return Ok(());
            };
            self.slow(record, layout, style)?;
            records = rest;
        }
    }
}
