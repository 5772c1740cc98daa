//! Where the player stands on entry, and the two sweeps that place objects (field sheet, sections 10.7
//! and 12).

use super::actor::{Actor, Pool, flag as actor_flag};
use super::compat::{ColdSeat, Compat};
use super::ground::Ground;
use super::map::{Cell, Map, Placed, flag};
use super::units::{Point, saturate};

/// Both coordinates of the cold seat, the centre of tile (20, 20).
pub const COLD: i16 = 0xA40;
/// Tiles of the camera window.
pub const WINDOW: [i16; 2] = [0x0E, 0x10];
/// Meshes of the pool before those of the scene's pack.
pub const MESH_PREFIX: u16 = 5;
/// Animation control word of a placed object.
const SPAWN_MODE: u16 = 0x0015;
/// [`Actor::bound`] that asks for a new binding.
const REBIND: i16 = -2;

/// How a scene is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A new game.
    Cold {
        /// The MAN's camera anchor.
        anchor: Point,
    },
    /// From another scene, with the coordinates that the transition saved.
    Warp {
        /// Where to stand, exactly.
        saved: Point,
    },
    /// The player comes to stand in the middle of the window.
    Recentre {
        /// Column and row of the window's first tile.
        origin: [i16; 2],
    },
}

/// Where the player and the camera window come to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The player's place.
    pub player: Point,
    /// The tile that the camera window is installed on, rounded toward zero.
    pub window: [i16; 2],
    /// One more actor, in the other reading of the cold seat.
    pub actor: Option<Point>,
}

/// The seat of an entry. The height is the floor there; a cold player starts at 0 and settles.
#[must_use]
pub fn seat(entry: Entry, compat: &Compat) -> Seat {
    let cold = Point::new(COLD, COLD);
    let (player, actor) = match entry {
        Entry::Cold { anchor } => match compat.cold_seat {
            ColdSeat::Player => (cold, None),
            ColdSeat::AnchorAndActor => (anchor, Some(cold)),
        },
        Entry::Warp { saved } => (saved, None),
        Entry::Recentre { origin: [col, row] } => {
            let centre =
                |tile: i16, offset: i16| saturate((i32::from(tile) + i32::from(offset)) * 128 + 64);
            let [width, depth] = WINDOW;
            let player = Point::new(centre(col, width / 2 - 1), centre(row, depth / 2));
            (player, None)
        }
    };
    Seat {
        player,
        window: [player.x / 128, player.z / 128],
        actor,
    }
}

/// What a script record gives an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bind {
    /// Its animation, one-based; 0 for none.
    pub animation: u8,
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Objects that were spawned.
    pub spawned: u16,
    /// Of them, those whose record is missing or malformed: they stand there unbound.
    pub unbound: u16,
    /// Objects for which the pool had no room.
    pub refused: u16,
}

impl Swept {
    fn spawn(&mut self, actors: &mut Pool, actor: Actor) {
        match actors.spawn(actor) {
            Some(_) => self.spawned += 1,
            None => self.refused += 1,
        }
    }
}

/// The actor of a placed object, without a script. Its height is the tier of its own tile, not
/// interpolated, and its offset.
#[must_use]
pub fn object(map: &Map<'_>, ground: &Ground<'_>, placed: &Placed) -> Actor {
    let Placed {
        tile,
        index,
        ref object,
        ..
    } = *placed;
    let [x, z] = object.position(tile);
    let tier = map.collision(tile).tier();
    let bit = |from: u16, to: u32| if object.flags & from != 0 { to } else { 0 };
    let render = bit(flag::RENDER, 0x1000_0000) | u32::from(object.cull != 0) << 30;
    Actor {
        flags: bit(flag::ACTOR, actor_flag::RECORD),
        x: saturate(x),
        y: ground.height(tier).saturating_add(object.offset[1]),
        z: saturate(z),
        rotation: object.rotation,
        corrected: object.flags & flag::CORRECTED != 0,
        cull: object.cull,
        object: index,
        mesh: object.mesh.wrapping_add(MESH_PREFIX),
        mode: SPAWN_MODE,
        bound: REBIND,
        render,
        footprint: object.footprint(),
        ..Actor::NEW
    }
}

/// The sweep of the scene's start: every placed object whose anchor has a script trigger, bound to the
/// flat record that it names, whatever the gate. `bind` answers what the record says; `None` when
/// there is none.
pub fn init_sweep(
    map: &Map<'_>,
    ground: &Ground<'_>,
    actors: &mut Pool,
    mut bind: impl FnMut(u8) -> Option<Bind>,
) -> Swept {
    let mut swept = Swept::default();
    for placed in map.placed() {
        let Some(trigger) = ground.triggers().script(placed.anchor) else {
            continue;
        };
        let mut actor = object(map, ground, &placed);
        match bind(trigger.record) {
            Some(Bind { animation }) => {
                actor.animation = animation.into();
                actor.script = trigger.record.into();
            }
            None => swept.unbound += 1,
        }
        swept.spawn(actors, actor);
    }
    swept
}

/// The sweep of a new window: every placed object in the box `x0, z0, x1, z1` (the larger edges are
/// outside) whose anchor does not belong to the first sweep, column by column. They have no script.
pub fn window_sweep(
    map: &Map<'_>,
    ground: &Ground<'_>,
    bounds: [u8; 4],
    actors: &mut Pool,
) -> Swept {
    let mut swept = Swept::default();
    let [x0, z0, x1, z1] = bounds;
    for col in x0..x1 {
        for row in z0..z1 {
            let placed = super::map::Tile::new(col, row).and_then(|tile| map.placed_on(tile));
            let Some(placed) = placed else {
                continue;
            };
            if !map.cell(placed.anchor).has(Cell::SCRIPT) {
                swept.spawn(actors, object(map, ground, &placed));
            }
        }
    }
    swept
}
