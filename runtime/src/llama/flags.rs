//! The feature flags of a level, chunk `WFPC` (llama sheet, section 4).

use core::fmt;

/// Feature flags. Those of an existing file never change: other chunks depend on them, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Flags(pub u32);

impl Flags {
    /// Block 14 of MAP is present.
    pub const PARTICLES: u32 = 0x10;
    /// STPC has extra model groups between animations and code.
    pub const GROUPS: u32 = 0x100;
    /// Block 10 of MAP and the colours of alternatives are present.
    pub const ALTERNATIVES: u32 = 0x1_0000;
    /// SPRT has a count and a list.
    pub const SPRITES: u32 = 0x10_0000;
    /// Block 13 of MAP is present.
    pub const PATHS: u32 = 0x20_0000;
    /// Points of paths have a third coordinate.
    pub const POINT_Y: u32 = 0x400_0000;
    /// Changes the layout in the game's memory only.
    pub const MEMORY: u32 = 0x1000_0000;

    /// The flags that decide what MAP consists of.
    pub const GATES: [u32; 4] = [
        Self::PARTICLES,
        Self::ALTERNATIVES,
        Self::PATHS,
        Self::POINT_Y,
    ];

    /// Masks whose effect is known, with a sentence.
    pub const MEANINGS: [(u32, &'static str); 7] = [
        (Self::PARTICLES, "MAP has a particle count"),
        (Self::GROUPS, "STPC has extra model groups"),
        (Self::ALTERNATIVES, "MAP has alternative models"),
        (Self::SPRITES, "SPRT has a list"),
        (Self::PATHS, "MAP has paths"),
        (Self::POINT_Y, "points of paths have a height"),
        (Self::MEMORY, "changes the game's memory only"),
    ];

    /// The flags that are set, the lowest first, each with its sentence of [`Flags::MEANINGS`] if its effect is known.
    pub fn meanings(self) -> impl Iterator<Item = (u32, Option<&'static str>)> {
        named(self.0, &Self::MEANINGS)
    }

    /// Whether all bits of `mask` are set.
    #[must_use]
    pub const fn has(self, mask: u32) -> bool {
        self.0 & mask == mask
    }
}

/// The bits of a word, the lowest first, each with what a table calls it.
pub(super) fn named(
    word: u32,
    names: &'static [(u32, &'static str)],
) -> impl Iterator<Item = (u32, Option<&'static str>)> {
    let masks = (0..u32::BITS).map(|bit| 1 << bit);
    masks.filter(move |mask| word & mask != 0).map(move |mask| {
        let known = names.iter().find(|it| it.0 == mask);
        (mask, known.map(|it| it.1))
    })
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}
