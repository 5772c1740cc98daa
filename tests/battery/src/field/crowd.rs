//! The map of the long walk and the walk among a crowd, whose frames the benchmarks of all machines measure
//! (`field/frame`).
//!
//! `runtime/benches/field.rs` takes this file in as it is.

use overworld_runtime::field::actor::{Actor, ActorId, flag};
use overworld_runtime::field::map::trigger::{HEADER, Kind, Script};
use overworld_runtime::field::map::{COLLISION_SIZE, Cell, SIZE};
use overworld_runtime::field::{Events, Field, Ground, Input};

/// Heights of the map's tiers: three plateaus a ledge apart, then a slope's.
pub const HEIGHTS: [i16; 16] = [0, -300, 120, -16, -32, -48, -64, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Scattered walls, plateaus, ledges and slopes inside a ring of wall, slow ground here and there; doorways,
/// beats and floor overrides in the middle; and a place without walls for the crowd, where every tile slopes
/// and every other one has an override.
///
/// In memory that cannot be written, so that a microcontroller has it too.
pub static MAP: [u8; SIZE] = map();

const COLLISION_AT: usize = 0x4000;
const CELLS_AT: usize = 0x8000;
const TRIGGERS_AT: usize = 0x1_0000;
/// Columns and rows of the crowd's place.
const PLACE: [u8; 2] = [24, 40];
/// Floor overrides in the middle, and in the crowd's place.
const OVERRIDES: [usize; 2] = [16, 24];

/// The next word of a seed (xorshift).
pub const fn draw(mut word: u32) -> u32 {
    word ^= word << 13;
    word ^= word >> 17;
    word ^= word << 5;
    word
}

const fn map() -> [u8; SIZE] {
    let mut out = [0; SIZE];
    let mut word = 0x0F1E_1D05;
    let mut at = 0;
    while at < COLLISION_SIZE {
        word = draw(word);
        out[COLLISION_AT + at] = ground((at & 0x7F) as u8, (at >> 7) as u8, word);
        if word >> 16 & 15 == 0 {
            out[CELLS_AT + 2 * at + 1] = (Cell::SLOW >> 8) as u8;
        }
        at += 1;
    }
    let tables = [
        (Kind::Teleport, 128, Cell::TELEPORT),
        (Kind::Script, 200, Cell::SCRIPT),
        (
            Kind::Elevation,
            OVERRIDES[0] + OVERRIDES[1],
            Cell::ELEVATION,
        ),
        (Kind::Region, 0, 0),
    ];
    let (mut end, mut table) = (HEADER, 0);
    while table < tables.len() {
        let (kind, count, mark) = tables[table];
        let entry = TRIGGERS_AT + 2 + 4 * table;
        (out[entry], out[entry + 1]) = (end as u8, (end >> 8) as u8);
        out[entry + 2] = count as u8;
        let mut n = 0;
        while n < count {
            word = draw(word);
            let [col, row, a, b] = record(kind, n as u8, word);
            let at = TRIGGERS_AT + end + 4 * n;
            (out[at], out[at + 1], out[at + 2], out[at + 3]) = (col, row, a, b);
            let tile = (row as usize) << 7 | col as usize;
            out[CELLS_AT + 2 * tile + 1] |= (mark >> 8) as u8;
            n += 1;
        }
        end += 4 * count + 2;
        table += 1;
    }
    (out[TRIGGERS_AT], out[TRIGGERS_AT + 1]) = (end as u8, (end >> 8) as u8);
    out
}

/// Walls and tier of a tile.
const fn ground(col: u8, row: u8, word: u32) -> u8 {
    let slope = 3 + (3 * (col & 3) + 5 * (row & 3)) % 4;
    let place = col >= PLACE[0] && col < PLACE[1] && row >= PLACE[0] && row < PLACE[1];
    let ring = col < 2 || col >= 126 || row < 2 || row >= 126;
    let walls = match word >> 28 {
        _ if place => 0,
        _ if ring => 0xF0,
        0 => 0xF0,
        1 => (word >> 8) as u8 & 0xF0,
        _ => 0,
    };
    // Plateaus of four by four tiles, and slopes of as many.
    let tier = match ((col >> 2 & 3) * 3 + (row >> 2 & 3)) % 4 {
        _ if place => slope,
        3 => slope,
        tier => tier,
    };
    walls | tier
}

const fn record(kind: Kind, n: u8, word: u32) -> [u8; 4] {
    let tile = [48 + (word & 31) as u8, 48 + (word >> 5 & 31) as u8];
    let to = [48 + (word >> 10 & 31) as u8, 48 + (word >> 15 & 31) as u8];
    match kind {
        Kind::Teleport => [
            tile[0],
            tile[1],
            2 * to[0] + (to[0] & 1),
            2 * to[1] + (to[1] & 1),
        ],
        Kind::Script if n % 7 == 6 => [tile[0], tile[1], n, Script::BIND],
        Kind::Script => [tile[0], tile[1], n, Script::WALK_ON],
        _ if (n as usize) < OVERRIDES[0] => [tile[0], tile[1], (n % 3).wrapping_sub(1), 0x11 * n],
        _ => {
            let n = n - OVERRIDES[0] as u8;
            let row = 29 + n / 4;
            [28 + 2 * (n % 4) + (row & 1), row, 0, 0x1B << (n % 3)]
        }
    }
}

/// Frames of the walk.
pub const FRAMES: usize = 96;
/// People and things in it.
pub const PEOPLE: u8 = 24;
/// Where the walk begins.
const START: [i16; 2] = [3720, 4000];

/// A player who walks to and fro between two rows of people and things, some of whom come in the way.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// The field.
    pub field: Field,
    /// Frames that were played.
    frame: usize,
}

impl Crowd {
    /// Everybody in their place.
    #[must_use]
    pub fn new() -> Self {
        let mut field = Field::new(Actor::NEW);
        field.control.slow_ground = true;
        for n in 0..PEOPLE {
            field.actors.spawn(person(n));
            if n % 3 == 0 {
                field.mailbox.set_move(n.into(), n);
            }
        }
        Self { field, frame: 0 }
    }

    /// A frame of two vertical blanks. Every [`FRAMES`] of them the walk begins anew, at the same place.
    pub fn step(&mut self, ground: &Ground<'_>) -> Events {
        let n = self.frame % FRAMES;
        self.frame += 1;
        if n == 0 {
            [self.field.player.x, self.field.player.z] = START;
        }
        // Who moves, comes 8 units nearer and goes back.
        for slot in [0, 1, 8, 9, 16, 17] {
            let actor = ActorId::new(slot).and_then(|id| self.field.actors.get_mut(id));
            if let Some(actor) = actor {
                actor.z += if (n / 8 + slot) & 1 == 0 { 1 } else { -1 };
            }
        }
        let held = match n {
            0..40 => 0x2000,
            40..46 => 0x9000,
            46..52 => 0xC000,
            _ => 0x8000,
        };
        let input = Input {
            held,
            scalar: 2,
            ..Input::default()
        };
        let events = self.field.frame(ground, &input);
        // What was touched has said its word at once.
        if let Some(id) = events.contact {
            self.field.dismiss(id);
        }
        events
    }
}

impl Default for Crowd {
    fn default() -> Self {
        Self::new()
    }
}

/// Two rows of eleven, and one at either end.
fn person(n: u8) -> Actor {
    let (along, side) = (i16::from(n / 2), if n & 1 == 0 { -1 } else { 1 });
    let (flags, off) = match n / 2 % 4 {
        0 | 1 => (flag::MOVING, 78),
        2 => (flag::INTERACT, 116),
        _ => (0, 124),
    };
    let (flags, x, z) = match n {
        22 => (flag::MOVING, 4400, 0),
        23 => (0, 3560, 0),
        _ => (flags, 3700 + 60 * along, side * off),
    };
    Actor {
        flags,
        script: n.into(),
        x,
        z: START[1] + z,
        ..Actor::NEW
    }
}
