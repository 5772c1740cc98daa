//! The picture of a world: its ground and walls as plain polygons, its actors as meshes, its boxes as text.
//!
//! The game's own ground is meshes and an atlas of textures; this is what can be seen of any map: tiles in
//! squares, walls as blocks.

use super::World;
use crate::field::Actor;
use crate::field::actor::Draw;
use crate::field::map::Tile;
use crate::fixed::{Matrix, SVector, cos};
use crate::gpu::packet::{Style, f4, rgb};
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

/// Tiles that are drawn about the player: the game's camera window, and what lies behind it on the screen.
const COLUMNS: i32 = 16;
/// The same along Z, behind and before it.
const BEFORE: i32 = 5;
const BEHIND: i32 = 11;
/// Corners of a row of tiles.
const CORNERS: usize = COLUMNS as usize + 1;
/// The nearest bucket, for boxes.
const FRONT: usize = 0;
/// Where the box is whose question a picker answers.
const HIGHER: i16 = BOX_Y - 54;
/// How high a wall is drawn.
const WALL: i32 = 96;
/// Slots of meshes that are kept.
const MESHES: usize = 16;
/// Slots of the mesh pool in front of the scene's.
const RESIDENT: u16 = crate::field::spawn::MESH_PREFIX;

/// The meshes of a scene, looked at once.
#[derive(Clone, Debug)]
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

/// A corner on the screen.
#[derive(Clone, Copy, Default)]
struct Corner {
    sxy: u32,
    /// Depth; 0 where it cannot be drawn.
    depth: u16,
}

/// What projects corners and takes polygons.
struct Pen<'g, 'l, 'w, G> {
    gte: &'g mut G,
    list: &'l mut DisplayList<'w>,
    options: Options,
}

impl<G: Geometry> Pen<'_, '_, '_, G> {
    fn corner(&mut self, x: i32, y: i32, z: i32) -> Corner {
        let word = |value: i32| value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let point = self.gte.project(&SVector::new(word(x), word(y), word(z)));
        Corner {
            sxy: point.sxy,
            depth: self.gte.depth(),
        }
    }

    /// A polygon of four corners, 0 1 / 2 3; `far`: behind everything. Those too near are left out.
    fn quad(&mut self, corners: [Corner; 4], colour: u32, far: bool) -> Result<(), Full> {
        if corners.iter().any(|it| it.depth < NEAR) {
            return Ok(());
        }
        let sum: u32 = corners.iter().map(|it| u32::from(it.depth)).sum();
        let bucket = if far {
            self.list.head()
        } else {
            (sum / 4) as usize >> self.options.shift
        };
        let packet = f4(Style::OPAQUE, colour, corners.map(|it| it.sxy));
        self.list.push(bucket, &packet)
    }
}

/// Depths below this are not drawn: the engine's quotient ends at H / 2.
const NEAR: u16 = 0x400;

/// A colour, lightened or darkened by the floor's slope.
fn shade([r, g, b]: [u8; 3], by: i32) -> u32 {
    let part = |value: u8| (i32::from(value) + by).clamp(0, 255) as u8;
    rgb(part(r), part(g), part(b))
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
        let mut pen = Pen { gte, list, options };
        self.walls(&mut pen)?;
        self.floor(&mut pen, camera.yaw)?;
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

    /// The first tile of the window.
    fn corner(&self) -> [i32; 2] {
        let player = &self.field.player;
        [
            (i32::from(player.x) >> 7) - COLUMNS / 2,
            (i32::from(player.z) >> 7) - BEFORE,
        ]
    }

    /// The walls of the window, each sub-cell where it bars the way: half a tile beside its byte's tile
    /// (field sheet, section 4.1).
    fn walls<G: Geometry>(&self, pen: &mut Pen<'_, '_, '_, G>) -> Result<(), Full> {
        let ground = self.ground();
        let [col, row] = self.corner();
        for row in row..=row + BEFORE + BEHIND {
            for col in col..col + COLUMNS {
                let Some(tile) = Tile::at(col, row) else {
                    continue;
                };
                let at = usize::from(tile.row()) * 128 + usize::from(tile.col());
                let walls = self.stage.map.grid().get(at).map_or(0, |byte| byte >> 4);
                let (x, z) = (128 * col, 128 * row - 128);
                if walls == 0xF {
                    block(pen, &ground, [x, z], 128)?;
                    continue;
                }
                for bit in 0..4 {
                    if walls >> bit & 1 != 0 {
                        block(pen, &ground, [x + 64 * (bit & 1), z + 64 * (bit >> 1)], 64)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The floor of the window: squares, lighter where it is higher.
    fn floor<G: Geometry>(&self, pen: &mut Pen<'_, '_, '_, G>, yaw: u16) -> Result<(), Full> {
        let ground = self.ground();
        let [first, row] = self.corner();
        // The later one is drawn first, so what is near comes first.
        let ahead = cos(yaw) >= 0;
        let height = |col: i32, row: i32| ground.floor(128 * col, 128 * row);
        let mut edge = [Corner::default(); CORNERS];
        for step in 0..=BEFORE + BEHIND {
            let row = if ahead {
                row + step
            } else {
                row + BEFORE + BEHIND - step
            };
            let before = edge;
            for (corner, col) in edge.iter_mut().zip(first..) {
                *corner = pen.corner(128 * col, height(col, row), 128 * row);
            }
            if step == 0 {
                continue;
            }
            // The tile between the two edges.
            let tiles = if ahead { row - 1 } else { row };
            let corners = before.windows(2).zip(edge.windows(2)).zip(first..);
            for ((near, far), col) in corners {
                let (&[a, b], &[c, d]) = (near, far) else {
                    continue;
                };
                if Tile::at(col, tiles).is_none() {
                    continue;
                }
                let light = (-height(col, tiles) / 8).clamp(-40, 40);
                let odd = if (col ^ tiles) & 1 == 0 { 0 } else { 10 };
                pen.quad([c, d, a, b], shade([74, 112, 62], light + odd), true)?;
            }
        }
        Ok(())
    }
}

/// A wall: its top, and the three sides that a view towards Z+ sees.
fn block<G: Geometry>(
    pen: &mut Pen<'_, '_, '_, G>,
    ground: &crate::field::Ground<'_>,
    [x, z]: [i32; 2],
    size: i32,
) -> Result<(), Full> {
    let floor = ground.floor(x + size / 2, z + size / 2);
    let top = floor - WALL;
    let places = [[x, z], [x + size, z], [x, z + size], [x + size, z + size]];
    let [a, b, c, d] = places.map(|[x, z]| pen.corner(x, top, z));
    pen.quad([c, d, a, b], rgb(168, 150, 122), false)?;
    let [e, f, g, h] = places.map(|[x, z]| pen.corner(x, floor, z));
    pen.quad([a, b, e, f], rgb(128, 110, 88), false)?;
    pen.quad([c, a, g, e], rgb(104, 90, 74), false)?;
    pen.quad([b, d, f, h], rgb(104, 90, 74), false)
}
