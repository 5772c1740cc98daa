//! What a game adds to the world, and what the world tells it.

use super::super::Name;
use crate::field::Compat;
use crate::field::spawn::Arrival;
use crate::script::host::{Absent, Host};

/// A fight that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fight {
    /// Row of the MAN's formations ([`super::super::man::Encounters::formation`]).
    pub formation: u16,
    /// A script asked for it (op `3E FF`); otherwise it was rolled on a step.
    pub scripted: bool,
    /// Battle stage of the region, 0..31; 0 of a scripted one.
    pub stage: u8,
}

/// How a fight ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The party has won.
    Won,
    /// The party has got away.
    Fled,
    /// The party has fallen: the world is left with [`Change::GameOver`].
    Lost,
}

/// What a game answers and hears: the script machine's host, and fights. What the world knows by itself
/// (walls, floor, regions, pad, random numbers, camera) it answers by itself; of events the game hears all.
pub trait Game: Host {
    /// A fight is on: how it ended, or `None` while it lasts. It is asked once a frame, and the world stands
    /// still meanwhile. By default the party wins at once.
    fn fight(&mut self, _fight: &Fight) -> Option<Outcome> {
        Some(Outcome::Won)
    }
}

impl Game for Absent {}

/// A way into another scene (op `3F`; field sheet, section 10.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Number of the scene.
    pub index: i16,
    /// Its name.
    pub name: Name,
    /// Coordinate bytes of the arrival, X and Z.
    pub entry: [u8; 2],
    /// Facing byte, of which three bits count.
    pub direction: u8,
}

impl Passage {
    /// Where it leads, exactly: a door's tile is often a wall.
    #[must_use]
    pub const fn arrival(&self, compat: &Compat) -> Arrival {
        Arrival::of(self.entry, self.direction, compat)
    }
}

/// Why a world is left. Nothing moves in it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Another scene: load it, and enter it by [`super::Arrival::through`].
    Scene(Passage),
    /// A minigame, 0..6 (op `3E`).
    Minigame(u8),
    /// A film (`4C E2`).
    Movie(i16),
    /// The game is over (`4C EA`, or a fight that was lost).
    GameOver,
}
