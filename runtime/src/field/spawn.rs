//! Where the player stands on entry, and the two sweeps that place objects (field sheet, sections 10.5,
//! 10.7 and 12).

use super::actor::{ACTORS, Actor, ActorId, Draw, Pool, flag as actor_flag};
use super::compat::{ColdSeat, Compat};
use super::ground::Ground;
use super::map::{Cell, Map, Placed, Tile, flag};
use super::state::Field;
use super::units::{Point, coordinate, saturate};
use crate::fixed::Angle;

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

/// Where a scene change leads (script op 3Fh, section 10.5): taken exactly, a door's tile is often a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The place.
    pub at: Point,
    /// Where the player looks.
    pub heading: Angle,
}

impl Arrival {
    /// From the op's two tile bytes and its direction, of which three bits count.
    ///
    /// ```
    /// use overworld_runtime::field::{Compat, spawn::Arrival, units::Point};
    /// let arrival = Arrival::of([25, 45], 2, &Compat::SHEET);
    /// assert_eq!((arrival.at, arrival.heading), (Point::new(3264, 5824), 0x400));
    /// ```
    #[must_use]
    pub const fn of(entry: [u8; 2], direction: u8, compat: &Compat) -> Self {
        let [x, z] = entry;
        Self {
            at: Point::new(coordinate(x), coordinate(z)),
            heading: compat.arrival_heading(direction),
        }
    }

    /// The entry that leads there.
    #[must_use]
    pub const fn entry(&self) -> Entry {
        Entry::Warp { saved: self.at }
    }
}

impl Field {
    /// Seat the player as a scene's entry does (section 10.1, step 11): at the entry's place, on the floor
    /// there, or at height 0 after a cold start; with speed and animation rate as the MAN's decoder sets
    /// them. The actors stay; the other reading of the cold seat adds one, if there is room.
    pub fn seat(&mut self, ground: &Ground<'_>, entry: Entry) -> Seat {
        let seat = seat(entry, &self.settings.compat);
        let Point { x, z } = seat.player;
        let y = match entry {
            Entry::Cold { .. } => 0,
            Entry::Warp { .. } | Entry::Recentre { .. } => {
                saturate(ground.floor(x.into(), z.into()))
            }
        };
        let player = &mut self.player;
        (player.x, player.y, player.z) = (x, y, z);
        player.speed = Actor::NEW.speed;
        player.rate = Actor::NEW.rate;
        player.seen = None;
        if let Some(at) = seat.actor {
            let extra = Actor {
                x: at.x,
                z: at.z,
                ..Actor::NEW
            };
            _ = self.actors.spawn(extra);
        }
        seat
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
    /// Objects of the former window that have left.
    pub left: u16,
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
        // The template of the window's sweep; a script's animation changes it.
        draw: if object.flags & flag::DRAWN != 0 {
            Draw::Rigid
        } else {
            Draw::None
        },
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
                actor.set_animation(animation.into());
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
///
/// This only places; [`Field::rebuild_window`] is the whole of it.
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
            let placed = Tile::new(col, row).and_then(|tile| map.placed_on(tile));
            let Some(placed) = placed else {
                continue;
            };
            if !map.cell(placed.anchor).has(Cell::SCRIPT) {
                let actor = Actor {
                    of_window: true,
                    ..object(map, ground, &placed)
                };
                swept.spawn(actors, actor);
            }
        }
    }
    swept
}

/// What keeps the window as it is (section 12.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowGates {
    /// Bit 1 of the debug word.
    pub debug: bool,
    /// The word that says how the scene was entered is not 0: it still says "by a warp". The host clears
    /// it when the entry is over.
    pub entering: bool,
}

impl WindowGates {
    /// Both open.
    pub const OPEN: Self = Self {
        debug: false,
        entering: false,
    };
}

impl Field {
    /// Rebuild the window: whom the former one placed leaves, as [`Field::free`] does it, then
    /// [`window_sweep`] places whom the new one holds. `gone` hears of each that leaves, so that its mesh
    /// buffer can be freed ([`super::actor::flag::OWNS_MESH`]). With a gate closed nothing happens.
    ///
    /// It is due on entry and whenever [`super::crossing::Area::refresh`] says so.
    pub fn rebuild_window(
        &mut self,
        map: &Map<'_>,
        ground: &Ground<'_>,
        bounds: [u8; 4],
        gates: WindowGates,
        mut gone: impl FnMut(ActorId, &Actor),
    ) -> Swept {
        if gates != WindowGates::OPEN {
            return Swept::default();
        }
        let mut left = 0;
        for id in (0..ACTORS).filter_map(ActorId::new) {
            if self.actors.get(id).is_some_and(|actor| actor.of_window)
                && let Some(actor) = self.free(id)
            {
                gone(id, &actor);
                left += 1;
            }
        }
        Swept {
            left,
            ..window_sweep(map, ground, bounds, &mut self.actors)
        }
    }
}
