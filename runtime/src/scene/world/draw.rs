//! The picture of a world: its ground and walls as plain polygons, its actors as meshes, its boxes as text.

use super::World;
use super::order::{Drawn, between, depth};
use super::sight::Sight;
use super::tiles::{Pen, eye};
use super::walls::WALL;
use crate::field::Actor;
use crate::field::actor::{ACTORS, Draw, flag};
use crate::fixed::{Matrix, SVector, Vector};
use crate::gpu::{DisplayList, Full, layout};
use crate::gte::Geometry;
use crate::model::draw::{self, Motion, Options, Stats};
use crate::model::pose::Transform;
use crate::model::tmd::{Object, RawGroup, Tmd};
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

/// A mesh, and what of it is asked for each picture.
#[derive(Clone, Debug)]
struct Shape<'a> {
    mesh: Tmd<'a>,
    /// How far it reaches from its actor's place.
    reach: i32,
    /// As many words its packets have at most.
    words: usize,
}

/// Somebody in the picture.
struct Model<'a, 's> {
    depth: i32,
    actor: &'a Actor,
    shape: &'a Shape<'s>,
    /// It goes about, and does not stand on walls as a house does.
    walks: bool,
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
        let words = |object: Object<'a>| {
            object
                .raw_groups()
                .map_or(0, |groups| groups.map(words).sum())
        };
        let words = mesh.objects().map(words).sum();
        Self {
            mesh,
            reach: i32::from(most) + MOVED,
            words,
        }
    }
}

/// As many words the packets of a group have at most, tags included; those without a texture may have a draw mode each.
fn words(group: RawGroup<'_>) -> usize {
    let layout = group.kind.layout();
    let mode = if layout.texture.is_none() { 2 } else { 0 };
    group.count * (usize::from(layout.packet) + 1 + mode)
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

/// Everybody in the picture.
type Models<'a, 's> = heapless::Vec<Model<'a, 's>, { ACTORS + 1 }>;

/// From where models are looked at, and how they are drawn.
struct View {
    view: Transform,
    eye: Vector,
    /// That of the view, Q12.
    scale: i32,
    options: Options,
}

/// As many tiles as a list is asked to hold.
fn room(list: &DisplayList<'_>) -> usize {
    (list.free() / TILE_WORDS).min(TILES)
}

impl<'m, const N: usize> World<'m, N> {
    /// Build this frame's picture in `list`, which has begun: boxes, then ground, walls, actors.
    ///
    /// Of actors for whom the list has no room the nearest are drawn, and [`Stats::left_out`] tells of how many others
    /// there are; an actor whose clip does not fit its mesh is left out as well. Walls get half of what boxes and ground
    /// leave, the nearest first.
    ///
    /// # Errors
    /// [`draw::Error::Misaligned`]; [`draw::Error::Full`] when not even boxes and ground have room, which need about
    /// 16,000 words at most.
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
        view.load(gte);
        let eye = eye(&view, camera.scale);
        let scene = View {
            view,
            eye,
            scale: camera.scale.into(),
            options,
        };
        self.draw_on(gte, list, |pen| self.floor(pen, &sight, &view))?;
        // Nothing more goes into the farthest bucket: it is the first thing that the GPU sees.
        list.push(list.head(), &[options.draw_mode()])?;
        list.confine(list.head());
        let mut walls = Drawn::new();
        self.draw_on(gte, list, |pen| {
            self.walls(pen, &sight, &view, &eye, &mut walls);
        });
        let models = self.in_view(meshes, &sight, &view);
        let stats = self.models(gte, list, &models, &walls, &scene);
        list.confine(list.buckets());
        stats
    }

    /// Have polygons drawn that need no list of their own.
    fn draw_on<G: Geometry, T>(
        &self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
        draw: impl FnOnce(&mut Pen<'_, '_, G>) -> T,
    ) -> T {
        let shift = Options::for_buckets(list.buckets()).shift;
        let mut pen = Pen {
            gte,
            list: list.tail(),
            shift,
        };
        let result = draw(&mut pen);
        let left = pen.list.left();
        list.set_left(left);
        result
    }

    /// Everybody who may be seen, the nearest first.
    fn in_view<'w, 's>(
        &'w self,
        meshes: &'w Meshes<'s>,
        sight: &Sight,
        view: &Transform,
    ) -> Models<'w, 's> {
        let mut models = heapless::Vec::new();
        let actors = self.field.actors.iter().map(|(_, it)| it);
        let actors = actors.map(|it| (it, it.has(flag::MOVING)));
        for (actor, walks) in core::iter::once((&self.field.player, true)).chain(actors) {
            let Some(shape) = meshes.of_actor(actor) else {
                continue;
            };
            let [x, y, z] = [actor.x, actor.y, actor.z].map(i32::from);
            if actor.speed == 0 || !sight.reaches(x, z, shape.reach) {
                continue;
            }
            let depth = depth(view, [x, y, z]);
            let nearer = models
                .iter()
                .take_while(|it: &&Model<'_, '_>| it.depth <= depth);
            let place = nearer.count();
            let model = Model {
                depth,
                actor,
                shape,
                walks,
            };
            // There is room for all.
            let _: Result<(), _> = models.insert(place, model);
        }
        models
    }

    /// The actors that are seen, as far as there is room.
    fn models<G: Geometry>(
        &self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
        models: &Models<'_, '_>,
        walls: &Drawn,
        scene: &View,
    ) -> Result<Stats, draw::Error> {
        let shift = scene.options.shift;
        let mut stats = Stats::default();
        for (
            drawn,
            Model {
                depth,
                actor,
                shape,
                walks,
            },
        ) in models.iter().enumerate()
        {
            let bucket = |depth: i32| depth.max(0) as usize >> shift;
            let (at, reach) = (
                bucket(*depth),
                bucket((shape.reach * scene.scale) >> 12) + 1,
            );
            let [first, last] = if *walks {
                let place = [actor.x.into(), actor.z.into()];
                between(walls, place, shape.reach, &scene.eye)
            } else {
                [0, usize::MAX]
            };
            let before = at.saturating_sub(reach);
            // All of them at one depth; where two walls want it both ways, at their own.
            let mut nested = None;
            if before < first || at + reach > last || list.free() < shape.words {
                let at = if first <= last {
                    at.clamp(first, last)
                } else {
                    at
                };
                nested = list.nest(at, before, 2 * reach + 1);
                if nested.is_none() {
                    stats.left_out = (models.len() - drawn) as u32;
                    break;
                }
            }
            let result = self.actor(gte, list, &shape.mesh, actor, &scene.view, &scene.options);
            match (result, nested) {
                (Err(draw::Error::Full(_)), Some(nested)) => {
                    list.undo(&nested);
                    stats.left_out = (models.len() - drawn) as u32;
                    break;
                }
                (result, nested) => {
                    stats = stats.plus(result?);
                    if let Some(nested) = nested {
                        list.leave(&nested);
                    }
                }
            }
        }
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
