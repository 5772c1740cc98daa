//! The picture of a world: its ground and walls as plain polygons, its actors as meshes, its boxes as text.

use super::World;
use super::tiles::{BEHIND, Pen};
use crate::field::Actor;
use crate::field::actor::Draw;
use crate::fixed::{Matrix, SVector};
use crate::gpu::{DisplayList, Full};
use crate::gte::Geometry;
use crate::model::draw::{self, Motion, Options, Stats};
use crate::model::pose::Transform;
use crate::model::tmd::Tmd;
use crate::scene::Scene;
use crate::scene::camera::place;
use crate::script::font::Font;
use crate::script::show::{push_box, push_picker, push_text};
use crate::script::text::{BOX_X, BOX_Y};

/// The nearest bucket, for boxes.
const FRONT: usize = 0;
/// Where the box is whose question a picker answers.
const HIGHER: i16 = BOX_Y - 54;
/// Slots of meshes that are kept.
const MESHES: usize = 16;
/// Slots of the mesh pool in front of the scene's.
const RESIDENT: u16 = crate::field::spawn::MESH_PREFIX;

/// The meshes of a scene, looked at once; by default there are none, and no actor is drawn.
#[derive(Clone, Debug, Default)]
pub struct Meshes<'a> {
    slots: [Option<Tmd<'a>>; MESHES],
}

impl<'a> Meshes<'a> {
    /// The first 16 of a scene's slots; an actor with another mesh is not drawn.
    #[must_use]
    pub fn of(scene: &Scene<'a>) -> Self {
        let slots = core::array::from_fn(|slot| scene.mesh(slot));
        Self { slots }
    }

    /// The mesh of an actor: that of its slot, and for a resident one, which no disc of ours has, the first.
    fn of_actor(&self, actor: &Actor) -> Option<&Tmd<'a>> {
        let slot = usize::from(actor.mesh.saturating_sub(RESIDENT));
        self.slots.get(slot)?.as_ref()
    }
}

impl<'m, const N: usize> World<'m, N> {
    /// Build this frame's picture in `list`, which has begun: boxes, then actors, walls, ground.
    ///
    /// # Errors
    /// [`draw::Error::Full`], [`draw::Error::Misaligned`]; an actor whose clip does not fit its mesh is left
    /// out.
    pub fn compose<G: Geometry>(
        &self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
        meshes: &Meshes<'_>,
    ) -> Result<Stats, draw::Error> {
        let options = Options::for_buckets(list.buckets());
        self.boxes(list)?;
        let camera = self.camera();
        camera.load_screen(gte);
        let view = camera.view();
        let mut stats = Stats::default();
        let player = core::iter::once(&self.field.player);
        for actor in player.chain(self.field.actors.iter().map(|(_, it)| it)) {
            stats = stats.plus(self.actor(gte, list, meshes, actor, &view, &options)?);
        }
        view.load(gte);
        let mut pen = Pen {
            gte,
            list: list.tail(),
            shift: options.shift,
        };
        let drawn = self.draw_map(&mut pen, &camera);
        let left = pen.list.left();
        list.set_left(left);
        drawn?;
        // Pushed last into the farthest bucket: the first thing the GPU sees.
        list.push(list.head(), &[options.draw_mode()])?;
        Ok(stats)
    }

    fn actor<G: Geometry>(
        &self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
        meshes: &Meshes<'_>,
        actor: &Actor,
        view: &Transform,
        options: &Options,
    ) -> Result<Stats, draw::Error> {
        let away = |a: i16, b: i16| (i32::from(a) - i32::from(b)).abs() >> 7;
        let player = &self.field.player;
        let near = away(actor.x, player.x) < BEHIND && away(actor.z, player.z) < BEHIND;
        let Some(mesh) = meshes.of_actor(actor).filter(|_| near && actor.speed != 0) else {
            return Ok(Stats::default());
        };
        let [pitch, yaw, roll] = actor.rotation;
        let turn = Matrix::euler(pitch, yaw, roll);
        let at = place(gte, view, &turn, &SVector::new(actor.x, actor.y, actor.z));
        let clip = self.banks().clip(actor.flags, actor.animation);
        let (Draw::Posed, Ok(clip)) = (actor.draw, clip) else {
            return draw::rigid(gte, list, mesh, &at, options);
        };
        let motion = Motion {
            clip,
            cursor: if actor.bound == actor.animation {
                actor.cursor
            } else {
                0
            },
            end: actor.playback().end(),
        };
        match draw::posed(gte, list, mesh, &motion, &at, options) {
            // A clip that belongs to another mesh.
            Err(draw::Error::PartMismatch { .. }) => Ok(Stats::default()),
            result => result,
        }
    }

    /// What is open of a conversation; or a word that a fight is on.
    fn boxes(&self, list: &mut DisplayList<'_>) -> Result<(), Full> {
        // The names of things are a game's.
        let (font, names) = (Font::OWN, |_, _| &[][..]);
        if self.fight().is_some() {
            let word = font.lay_out(b"A fight!", u16::MAX, 0, names);
            return push_text(list, FRONT, (BOX_X, BOX_Y), word);
        }
        let Some(talk) = self.talk() else {
            return Ok(());
        };
        if let Some(picker) = talk.picker() {
            push_picker(list, FRONT, &font, picker, names)?;
            if let Some(text) = talk.text() {
                push_box(list, FRONT, &font, text, (BOX_X, HIGHER), names)?;
            }
        } else if let Some(text) = talk.text() {
            push_box(list, FRONT, &font, text, (BOX_X, BOX_Y), names)?;
        }
        Ok(())
    }
}
