//! Two worlds side by side: a scene's model, and next to it a battle model of FF8 that plays its animations.
//!
//! The battle model lies on the disc as an entry of its own, right behind the scene's bundle
//! ([`super::read_further`]): none of the bundle's types means it (docs/decisions.md, "Where a creature lies").

use core::fmt;

use super::camera::{Camera, place};
use super::run::{Scene, ball, sphere};
use super::walk::Play;
use crate::anim::ff8::{
    self, Animations, BoneMatrices, Dat, Decoder, Geometry as Mesh, Pose, Progress, Skeleton,
    Speed, matrices,
};
use crate::bytes::Crc32;
use crate::fixed::{Matrix, SVector};
use crate::gpu::DisplayList;
use crate::gte::Geometry;
use crate::model::draw::{self, Options, Stats};
use crate::model::ff8::{self as drawing, Point};
use crate::model::pose::Transform;

/// Bones that a creature may have: what a published frame-rate mod reserves (FF8 sheet, section 2).
pub const BONES: usize = 64;
/// Vertices that an object of it may have.
pub const VERTICES: usize = 512;
/// Sectors of the longest entry that is read for one.
pub const SECTORS: usize = 16;

/// Ticks that a frame of a battle model lasts: 15 frames a second (FF8 sheet, section 6.2).
pub const FRAME_TICKS: u8 = 4;

/// Memory for the picture of one creature; too much for a stack.
#[derive(Clone, Debug)]
pub struct Room {
    bones: [BoneMatrices; BONES],
    points: [Point; VERTICES],
}

impl Room {
    /// Memory that holds nothing yet.
    pub const NEW: Self = Self {
        bones: [BoneMatrices::NEW; BONES],
        points: [Point { sxy: 0, depth: 0 }; VERTICES],
    };
}

/// Why an entry is not shown as a creature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// It is no battle model, or has more bones than [`BONES`].
    Model(ff8::Error),
    /// An object of it has more vertices than [`VERTICES`].
    TooManyVertices {
        /// Its vertices.
        vertices: usize,
    },
}

impl From<ff8::Error> for Error {
    fn from(error: ff8::Error) -> Self {
        Self::Model(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => error.fmt(f),
            Self::TooManyVertices { vertices } => write!(
                f,
                "TooManyVertices: expected objects of at most {VERTICES} vertices, found {vertices}"
            ),
        }
    }
}

impl core::error::Error for Error {}

/// What a creature was read from: for comparing machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Bytes up to the end that the file's own table gives.
    pub size: u32,
    /// CRC-32 (EDB88320h) of them.
    pub crc32: u32,
    /// Its bones.
    pub bones: u8,
    /// Its animations.
    pub animations: u32,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            size,
            crc32,
            bones,
            animations,
        } = self;
        write!(
            f,
            "creature bones {bones} animations {animations} size {size} crc {crc32:08X}"
        )
    }
}

/// A battle model that plays its animations one after the other.
#[derive(Clone, Debug)]
pub struct Creature<'m> {
    summary: Summary,
    skeleton: Skeleton<'m>,
    mesh: Mesh<'m>,
    animations: Animations<'m>,
    number: u32,
    decoder: Decoder<'m>,
    pose: Pose<BONES>,
    /// Ticks that the frame has been shown.
    shown: u8,
}

impl<'m> Creature<'m> {
    /// Read a battle model, at the first frame of its first animation. Bytes behind its end do not count.
    ///
    /// # Errors
    /// See [`Error`]; [`ff8::Error::NoSuchAnimation`] if it has none.
    pub fn new(file: &'m [u8]) -> Result<Self, Error> {
        let dat = Dat::parse(file)?;
        let end = match dat.end() {
            ff8::End::Exact => file.len(),
            ff8::End::Longer(more) => file.len().saturating_sub(more),
        };
        let mut crc = Crc32::new();
        crc.update(file.get(..end).unwrap_or(file));
        let skeleton = dat.skeleton()?;
        let bones = skeleton.len();
        if usize::from(bones) > BONES {
            return Err(Error::Model(ff8::Error::TooManyBones {
                bones: bones.into(),
                room: BONES,
            }));
        }
        let mesh = dat.geometry(bones)?;
        let vertices = mesh.most_vertices();
        if vertices > VERTICES {
            return Err(Error::TooManyVertices { vertices });
        }
        let animations = dat.animations()?;
        let mut creature = Self {
            summary: Summary {
                size: end as u32,
                crc32: crc.finish(),
                bones,
                animations: animations.len(),
            },
            skeleton,
            mesh,
            animations,
            number: 0,
            decoder: Decoder::new(&animations.get(0)?, bones, Speed::Normal),
            pose: Pose::START,
            shown: 0,
        };
        // An animation that is cut short ends there, in a game too.
        _ = creature.decode();
        Ok(creature)
    }

    /// What it was read from.
    #[must_use]
    pub const fn summary(&self) -> Summary {
        self.summary
    }

    /// Number of the animation that plays.
    #[must_use]
    pub const fn animation(&self) -> u32 {
        self.number
    }

    /// The pose that is shown.
    #[must_use]
    pub const fn pose(&self) -> &Pose<BONES> {
        &self.pose
    }

    /// One tick: every [`FRAME_TICKS`] the next frame. The animation that is over, or ends early, gives way to the
    /// next one; the last one to the first.
    pub fn tick(&mut self) {
        self.shown += 1;
        if self.shown < FRAME_TICKS {
            return;
        }
        self.shown = 0;
        if let Ok(Progress::Frame(_)) = self.decode() {
            return;
        }
        self.number += 1;
        if self.number >= self.animations.len() {
            self.number = 0;
        }
        if let Ok(animation) = self.animations.get(self.number) {
            self.decoder = Decoder::new(&animation, self.skeleton.len(), Speed::Normal);
            self.pose = Pose::START;
            // One without frames is over at the next turn.
            _ = self.decode();
        }
    }

    /// The next frame. Once for all that ask: at each place the decoder would be some kilobytes.
    #[inline(never)]
    fn decode(&mut self) -> Result<Progress, ff8::Error> {
        self.decoder.call(&mut self.pose)
    }

    /// The matrices of its bones; leaves rotation and translation of the engine changed.
    fn matrices<'r, G: Geometry>(
        &self,
        gte: &mut G,
        room: &'r mut [BoneMatrices; BONES],
    ) -> &'r [BoneMatrices] {
        // There are no more bones than places: `new` has looked.
        matrices(gte, &self.skeleton, &self.pose, room).unwrap_or_default()
    }

    /// Draw it, as `actor` (rotation and place, combined with the view) says.
    ///
    /// # Errors
    /// [`draw::Error::Full`].
    pub fn compose<G: Geometry>(
        &self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
        actor: &Transform,
        room: &mut Room,
        options: &Options,
    ) -> Result<Stats, draw::Error> {
        let bones = self.matrices(gte, &mut room.bones);
        let points = &mut room.points;
        match drawing::draw(gte, list, &self.mesh, bones, actor, points, options) {
            Ok(stats) => Ok(stats),
            Err(drawing::Error::Full(full)) => Err(draw::Error::Full(full)),
            // Every bone has a matrix and every vertex a place: `new` has looked.
            Err(drawing::Error::TooFewBones { .. } | drawing::Error::TooManyVertices { .. }) => {
                Ok(Stats::default())
            }
        }
    }

    /// A ball about a point of the Y axis that holds the creature as it stands.
    fn ball<G: Geometry>(&self, gte: &mut G, room: &mut Room) -> (SVector, u32) {
        let bones = self.matrices(gte, &mut room.bones);
        sphere(|| {
            let groups = self.mesh.objects().flat_map(|object| object.groups());
            groups.flat_map(|group| {
                let skin = bones.get(usize::from(group.bone)).map(|it| it.skin);
                let Transform {
                    rotation,
                    translation: t,
                } = skin.unwrap_or_default();
                group.vertices().map(move |[x, y, z]| {
                    let v = rotation.transform(&SVector::new(x, y, z));
                    // Kept to a span whose squares can be added.
                    [
                        v.x.saturating_add(t.x),
                        v.y.saturating_add(t.y),
                        v.z.saturating_add(t.z),
                    ]
                    .map(|it| it.clamp(-FAR, FAR))
                })
            })
        })
    }

    /// Feed a check sum with its state.
    fn hash(&self, crc: &mut Crc32) {
        let (byte, bit) = self.decoder.position();
        crc.update(&self.number.to_le_bytes());
        crc.update(&byte.to_le_bytes());
        crc.update(&[bit, self.shown, self.pose.scaled.into()]);
        let bones = usize::from(self.skeleton.len());
        let turns = self.pose.rotation.iter().zip(&self.pose.scale).take(bones);
        let turns = turns.flat_map(|(rotation, scale)| rotation.iter().chain(scale));
        for number in self.pose.root.iter().chain(turns) {
            crc.update(&number.to_le_bytes());
        }
        crc.update(&self.summary.crc32.to_le_bytes());
    }
}

/// Farther than any vertex of a model lies that can be seen whole.
const FAR: i32 = 1 << 18;

/// A scene that is shown, and a creature on its right.
#[derive(Debug)]
pub struct Creatures<'m> {
    scene: Scene<'m>,
    creature: Creature<'m>,
    room: &'m mut Room,
    /// How far right of the scene's model it stands, in world units.
    apart: i16,
}

/// Half of the picture's width that two models may fill, in pixels, where a framed radius has 104.
const HALF: u32 = 152;
const RADIUS: u32 = 104;

impl<'m> Creatures<'m> {
    /// Put a creature beside the model of a scene, and look at both.
    pub fn new<G: Geometry>(
        mut scene: Scene<'m>,
        creature: Creature<'m>,
        room: &'m mut Room,
        gte: &mut G,
    ) -> Self {
        let clip = scene.bank().clip(1).ok();
        let balls = [ball(scene.model(), clip.as_ref()), creature.ball(gte, room)];
        let [left, right] = balls.map(|(_, radius)| radius.min(FAR as u32));
        let number = |it: u32| it.min(i16::MAX as u32) as i16;
        let height = balls.map(|(middle, radius)| {
            let (middle, radius) = (i32::from(middle.y), radius.min(FAR as u32) as i32);
            [middle - radius, middle + radius]
        });
        let [[a, b], [c, d]] = height;
        let (top, bottom) = (a.min(c), b.max(d));
        let radius = (left + right).saturating_mul(RADIUS) / HALF;
        let radius = radius.max((bottom - top).unsigned_abs() / 2);
        let middle = ((top + bottom) / 2).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        scene.set_camera(Camera::framing(
            SVector::new(number(right), middle, 0),
            radius,
        ));
        // Battle models have no depth cue; side by side both are seen in the same air.
        scene.set_cue(None);
        Self {
            scene,
            creature,
            room,
            apart: number(left.saturating_add(right)),
        }
    }

    /// The scene.
    #[must_use]
    pub const fn scene(&self) -> &Scene<'m> {
        &self.scene
    }

    /// The creature.
    #[must_use]
    pub const fn creature(&self) -> &Creature<'m> {
        &self.creature
    }

    /// Poses and matrices of the creature's picture alone, for measuring.
    pub fn bones<G: Geometry>(&mut self, gte: &mut G) -> &[BoneMatrices] {
        self.creature.matrices(gte, &mut self.room.bones)
    }
}

impl Play for Creatures<'_> {
    /// Nobody walks here either.
    fn tick(&mut self, _: u16) {
        self.scene.tick();
        self.creature.tick();
    }

    fn compose<G: Geometry>(
        &mut self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
    ) -> Result<Stats, draw::Error> {
        let camera = *self.scene.camera();
        camera.load_screen(gte);
        let turn = Matrix::euler(0, self.scene.heading(), 0);
        let at = SVector::new(self.apart, 0, 0);
        let actor = place(gte, &camera.view(), &turn, &at);
        let options = Options::for_buckets(list.buckets());
        // The scene comes last: what it ends with is what the GPU sees first.
        let drawn = self
            .creature
            .compose(gte, list, &actor, self.room, &options)?;
        Ok(drawn.plus(self.scene.compose(gte, list)?))
    }

    fn state_hash(&self) -> u32 {
        let mut crc = Crc32::new();
        crc.update(&self.scene.state_hash().to_le_bytes());
        self.creature.hash(&mut crc);
        crc.finish()
    }
}
