//! The encounter roll (field sheet, section 10.9): once for each tile that the player steps onto.

use super::actor::flag;
use super::compat::{Compat, FightDraws};
use super::map::Tile;
use super::state::Field;

/// What a fight's counter starts at.
pub const COUNTER: i32 = 0x3CE;
/// Each of the two draws that start it anew is below this.
const SPREAD: u32 = 0x1E7;

/// What the live region says (MAN sheet, section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// What a step takes off the counter.
    pub rate: u8,
    /// First formation.
    pub first: u8,
    /// Number of formations; 0 never fights.
    pub count: u8,
}

/// What shifts the rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// The setting byte: 0 never, 1 as it is, 2 four times, 3 a quarter.
    pub setting: u8,
    /// A passive that calls for fights: four times.
    pub high: bool,
    /// A passive against fights: half.
    pub low: bool,
    /// Story flag 1Dh: twice.
    pub twice: bool,
    /// Story flag 1Eh: half.
    pub half: bool,
}

/// The state between rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// What is left until a fight.
    pub counter: i32,
    /// The last formation; `None` before the first.
    pub last: Option<u16>,
    /// A formation that a script has called for: the next step fights it, whatever the roll.
    pub scripted: Option<u16>,
    pub(super) tile: Option<Tile>,
}

impl Encounter {
    /// Before the first fight.
    pub const NEW: Self = Self {
        counter: COUNTER,
        last: None,
        scripted: None,
        tile: None,
    };

    /// Whether the player's tile, by the plain mapping, is another than at the last call. The first
    /// one is where the player starts, not a step.
    pub fn stepped(&mut self, x: i32, z: i32) -> bool {
        let tile = Tile::containing(x, z);
        let before = self.tile;
        self.tile = tile;
        tile.is_some() && before.is_some() && before != tile
    }

    /// Roll for one step in a region; the formation to fight. Numbers are drawn only for a fight: one
    /// for the formation, two for the counter.
    pub fn roll(
        &mut self,
        rate: Rate,
        modifiers: &Modifiers,
        draw: impl FnMut() -> u32,
    ) -> Option<u16> {
        self.roll_by(rate, modifiers, &Compat::SHEET, draw)
    }

    /// [`Encounter::roll`] by other readings: [`Compat::draws`].
    pub fn roll_by(
        &mut self,
        rate: Rate,
        modifiers: &Modifiers,
        compat: &Compat,
        mut draw: impl FnMut() -> u32,
    ) -> Option<u16> {
        if modifiers.setting == 0 || rate.count == 0 {
            return None;
        }
        let mut step = i32::from(rate.rate);
        match modifiers.setting {
            2 => step <<= 2,
            3 => step >>= 2,
            _ => {}
        }
        if modifiers.high {
            step <<= 2;
        }
        if modifiers.low {
            step >>= 1;
        }
        if modifiers.twice {
            step <<= 1;
        }
        if modifiers.half {
            step >>= 1;
        }
        let left = self.counter.saturating_sub(step);
        if left > 0 {
            self.counter = left;
            return None;
        }
        let (first, count) = (u16::from(rate.first), u16::from(rate.count));
        let mut drawn = draw();
        if compat.draws == FightDraws::TwoAndTwo {
            drawn = drawn.wrapping_add(draw());
        }
        // Below 255, so the cast loses nothing.
        let mut formation = first + (drawn % u32::from(count)) as u16;
        if self.last == Some(formation) {
            formation += 1;
            if formation == first + count {
                formation = first;
            }
        }
        self.last = Some(formation);
        let (more, less) = (draw() % SPREAD, draw() % SPREAD);
        self.counter = COUNTER + more as i32 - less as i32;
        Some(formation)
    }
}

impl Default for Encounter {
    fn default() -> Self {
        Self::NEW
    }
}

impl Field {
    /// Look whether the player has stepped onto another tile, and roll if it has; call it once a frame. A
    /// formation that answers is a fight that has begun ([`Field::begin_fight`]). `rate` is asked for
    /// the live region of a tile: `None` where there is none.
    ///
    /// While a fight is on nothing is rolled; the steps are counted as taken.
    pub fn encounter(
        &mut self,
        state: &mut Encounter,
        rate: impl FnOnce(Tile) -> Option<Rate>,
        modifiers: &Modifiers,
        draw: impl FnMut() -> u32,
    ) -> Option<u16> {
        let (x, z) = (self.player.x.into(), self.player.z.into());
        if !state.stepped(x, z) || self.fight.is_some() {
            return None;
        }
        let formation = match state.scripted.take() {
            Some(formation) => formation,
            None => {
                let rate = rate(Tile::containing(x, z)?)?;
                state.roll_by(rate, modifiers, &self.settings.compat, draw)?
            }
        };
        self.begin_fight(formation);
        Some(formation)
    }

    /// A fight is due: the player is locked until [`Field::end_fight`]. A script's formation takes the
    /// place of one that was rolled.
    pub fn begin_fight(&mut self, formation: u16) {
        self.fight = Some(formation);
        self.player.flags |= flag::LOCKED;
    }

    /// The formation of the fight that is due or on.
    #[must_use]
    pub const fn fight(&self) -> Option<u16> {
        self.fight
    }

    /// The fight is over: the player is free, unless a touch or a hop holds it. What the formation was.
    pub fn end_fight(&mut self) -> Option<u16> {
        let fought = self.fight.take()?;
        self.release_player();
        Some(fought)
    }
}

/// Numbers from a seed: the generator of the console's own library, 15 bits a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random(pub u32);

impl Random {
    /// The next number, below 8000h.
    pub const fn draw(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
        self.0 >> 16 & 0x7FFF
    }
}
