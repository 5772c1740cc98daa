//! The encounter roll (field sheet, section 10.9): once for each tile that the player steps onto.

use super::map::Tile;

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
    tile: Option<Tile>,
}

impl Encounter {
    /// Before the first fight.
    pub const NEW: Self = Self {
        counter: COUNTER,
        last: None,
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
        // Below 255, so the cast loses nothing.
        let mut formation = first + (draw() % u32::from(count)) as u16;
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
