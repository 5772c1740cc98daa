//! The picture of a world: its ground and walls as plain polygons, its actors as meshes, its boxes as text.

use super::World;
use super::sight::Sight;
use super::tiles::{Pen, eye};
use super::walls::WALL;
use crate::field::Actor;
use crate::field::actor::Draw;
use crate::fixed::{Matrix, SVector};
use crate::gpu::{DisplayList, Full, layout};
use crate::gte::Geometry;
use crate::model::draw::{self, Motion, Options, Stats};
use crate::model::pose::Transform;
use crate::model::tmd::Tmd;
use crate::scene::Scene;
use crate::scene::camera::place;
use crate::script::font::Font;
use crate::script::show::{push_box, push_page_hand, push_picker_at, push_rows};
use crate::script::text::{BOX_X, BOX_Y, TextBox};

/// The nearest bucket, for boxes.
const FRONT: usize = 0;
/// What is shown of a fight.
const FIGHT: [&[u8]; 2] = [b"A fight! It ends by itself;", b"nobody moves until then."];
/// Lines between a question's box and the picker below it.
const BETWEEN: i16 = 3;
/// The last line for boxes.
const LOWEST: i16 = layout::DRAWN as i16 - 8;
/// How far a clip may move the parts of a mesh.
const MOVED: i32 = 128;
/// Most tiles of a picture.
const TILES: usize = 1024;
/// Words of the list that a tile is counted with, walls and all; a short list has fewer tiles.
const TILE_WORDS: usize = 12;
/// Slots of meshes that are kept.
const MESHES: usize = 16;
/// Slots of the mesh pool in front of the scene's.
const RESIDENT: u16 = crate::field::spawn::MESH_PREFIX;

/// The meshes of a scene, looked at once; by default there are none, and no actor is drawn.
#[derive(Clone, Debug, Default)]
pub struct Meshes<'a> {
    slots: [Option<Shape<'a>>; MESHES],
}

/// A mesh, and how far it reaches from its actor's place.
#[derive(Clone, Debug)]
struct Shape<'a> {
    mesh: Tmd<'a>,
    reach: i32,
}

impl<'a> Shape<'a> {
    fn of(mesh: Tmd<'a>) -> Self {
        let vertices = mesh.objects().flat_map(|it| it.vertices());
        let most = vertices.fold(0, |most, SVector { x, y, z, .. }| {
            [x, y, z]
                .map(i16::unsigned_abs)
                .into_iter()
                .fold(most, u16::max)
        });
        Self {
            mesh,
            reach: i32::from(most) + MOVED,
        }
    }
}

impl<'a> Meshes<'a> {
    /// The first 16 of a scene's slots; an actor with another mesh is not drawn.
    #[must_use]
    pub fn of(scene: &Scene<'a>) -> Self {
        let slots = core::array::from_fn(|slot| scene.mesh(slot).map(Shape::of));
        Self { slots }
    }

    /// The mesh of an actor: that of its slot, and for a resident one, which no disc of ours has, the first.
    fn of_actor(&self, actor: &Actor) -> Option<&Shape<'a>> {
        let slot = usize::from(actor.mesh.saturating_sub(RESIDENT));
        self.slots.get(slot)?.as_ref()
    }
}

/// As many tiles as a list is asked to hold.
fn room(list: &DisplayList<'_>) -> usize {
    (list.free() / TILE_WORDS).min(TILES)
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
        let sight = Sight::of(&view, camera.h, self.relief(), room(list));
        let mut stats = Stats::default();
        let player = core::iter::once(&self.field.player);
        for actor in player.chain(self.field.actors.iter().map(|(_, it)| it)) {
            let shape = meshes.of_actor(actor).filter(|shape| {
                let (x, z) = (actor.x.into(), actor.z.into());
                actor.speed != 0 && sight.reaches(x, z, shape.reach)
            });
            if let Some(Shape { mesh, .. }) = shape {
                stats = stats.plus(self.actor(gte, list, mesh, actor, &view, &options)?);
            }
        }
        view.load(gte);
        let eye = eye(&view, camera.scale);
        let mut pen = Pen {
            gte,
            list: list.tail(),
            shift: options.shift,
        };
        let walls = self.walls(&mut pen, &sight, &eye);
        let drawn = walls.and_then(|()| self.floor(&mut pen, &sight, &view));
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
        mesh: &Tmd<'_>,
        actor: &Actor,
        view: &Transform,
        options: &Options,
    ) -> Result<Stats, draw::Error> {
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

    /// The highest and the lowest that something of the map is drawn.
    fn relief(&self) -> [i32; 2] {
        let [mut top, mut bottom] = [0; 2];
        let heights = self.stage.heights.iter();
        for &height in heights {
            top = top.min(height.into());
            bottom = bottom.max(height.into());
        }
        let [up, down] = self.stage.relief;
        [top + up - WALL, bottom + down]
    }

    /// What is open of a conversation; or a word that a fight is on.
    fn boxes(&self, list: &mut DisplayList<'_>) -> Result<(), Full> {
        // The names of things are a game's.
        let (font, names) = (Font::OWN, |_, _| &[][..]);
        if self.fight().is_some() {
            return push_rows(list, FRONT, &font, &FIGHT, (BOX_X, BOX_Y), names);
        }
        let Some(talk) = self.talk() else {
            return Ok(());
        };
        let (text, picker) = (talk.text(), talk.picker());
        // The box of a question stays where it is if the picker has room below it.
        let height = text.map_or(0, TextBox::height);
        let below = picker.map_or(0, |picker| BETWEEN + picker.area().1);
        let y = BOX_Y.min(LOWEST - below - height);
        if let Some(picker) = picker {
            push_picker_at(list, FRONT, &font, picker, y + height + BETWEEN, names)?;
        }
        if let Some(text) = text {
            if picker.is_none() {
                push_page_hand(list, FRONT, text, (BOX_X, y))?;
            }
            push_box(list, FRONT, &font, text, (BOX_X, y), names)?;
        }
        Ok(())
    }
}
