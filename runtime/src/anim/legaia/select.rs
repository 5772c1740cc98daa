//! Which bank a clip number means (ANM sheet, "Selecting a clip").

use super::{Bank, Clip, Error};

/// Actor flag: the party bank is used.
pub const PARTY: u32 = 0x0100_0000;
/// From this number on a scene actor's clip comes from the second bank.
const MOVE2: i16 = 0x400;
/// What of a number counts inside a bank.
const NUMBER: i16 = 0x3FF;

/// The three banks that can be resident.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Party locomotion, and other special models.
    Party,
    /// The second bank, asset type `0B`.
    Move2,
    /// The scene's bank, asset type `05`.
    Scene,
}

/// The bank and the one-based number inside it that `number` means for an actor with `flags`.
///
/// The party comes first, so a party actor never reaches the second bank. `None` for no clip: a
/// number below 1, or one whose low ten bits are 0, which would hit the count word.
#[must_use]
pub const fn select(flags: u32, number: i16) -> Option<(Source, i16)> {
    let inside = number & NUMBER;
    if number <= 0 || inside == 0 {
        return None;
    }
    let source = if flags & PARTY != 0 {
        Source::Party
    } else if number >= MOVE2 {
        Source::Move2
    } else {
        Source::Scene
    };
    Some((source, inside))
}

/// The resident banks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Banks<'a> {
    /// Party locomotion.
    pub party: Option<Bank<'a>>,
    /// The second bank.
    pub move2: Option<Bank<'a>>,
    /// The scene's bank.
    pub scene: Option<Bank<'a>>,
}

impl<'a> Banks<'a> {
    /// The clip that `number` means for an actor with `flags`.
    ///
    /// # Errors
    /// [`Error::NoSuchClip`], also when the bank is not resident.
    pub fn clip(&self, flags: u32, number: i16) -> Result<Clip<'a>, Error> {
        let none = Error::NoSuchClip { number };
        let (source, inside) = select(flags, number).ok_or(none)?;
        let bank = match source {
            Source::Party => self.party,
            Source::Move2 => self.move2,
            Source::Scene => self.scene,
        };
        bank.ok_or(none)?.clip(inside).map_err(|_| none)
    }
}
