//! Where the sources disagree, or leave a choice: one set of readings, in one constant (field sheet,
//! section 20).
//!
//! Of the 38 rows of the sheet's table these have two readings that a program can tell apart, and so a
//! field of [`Compat`]: 1, 3, 10, 11, 12, 13, 15, 26, 28, 29, 34, 35, 38. The others have none:
//!
//! | Rows | Why |
//! |---|---|
//! | 2, 4, 6, 9, 20, 32, 37 | both say the same in the end: the seat, the wall's row, the height's sign, the disabled gate, the map's bytes |
//! | 5, 7, 8, 14, 17, 18, 22, 31 | slips of the pen beside a formula, a table or a vector that settles it |
//! | 16 | two arms of the loader, not two readings: [`super::map::Map::parse_read`], [`super::map::Map::parse_staged`] |
//! | 19, 21, 23, 24, 30, 33 | both hold at once: counters, odd budgets, halfwords and flags with two readers, three kinds of box |
//! | 25 | the host's: [`super::precise::angle`] states its sense; [`super::pad::camera_eighths`] and [`super::pad::camera_azimuth`] convert a yaw |
//! | 27, 36 | the other page gives no rule to follow |

use crate::fixed::Angle;

/// How a direction that is held diagonally is slowed down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagonalCut {
    /// Always (row 13, the seed).
    Always,
    /// Only in camera mode 4 (the repository).
    CameraMode4,
}

/// Which points a step asks for walls (section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footprint {
    /// Three points 47 or 48 units ahead: the game's.
    Three,
    /// Only the place that the step leads to: the reference engine's default.
    Centre,
}

/// Who stands where after a cold start (row 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColdSeat {
    /// The player on (2624, 2624).
    Player,
    /// The player on the MAN's anchor, and one more actor on (2624, 2624).
    AnchorAndActor,
}

/// What body contact does with the script of the touched object (row 10, section 11.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactEffect {
    /// The script is resumed and decides, but its last instruction is not executed, and a warp of
    /// game mode 24 does nothing (the repository).
    Resume,
    /// The event's effect is applied whole, warps included (the seed).
    Apply,
}

impl ContactEffect {
    /// Opcode of the warp of game mode 24.
    const WARP: u8 = 0x3E;
    /// Its ids.
    const WARPS: core::ops::RangeInclusive<u8> = 100..=106;

    /// Whether a script that contact, not the button, has resumed may execute an instruction: its opcode
    /// of seven bits, its first operand, and whether it is the last of the record.
    ///
    /// ```
    /// use overworld_runtime::field::compat::ContactEffect;
    /// // A cabinet that ends in a minigame does nothing on contact.
    /// assert!(!ContactEffect::Resume.may_run(0x3E, 100, false));
    /// assert!(ContactEffect::Apply.may_run(0x3E, 100, false));
    /// ```
    #[must_use]
    pub fn may_run(self, opcode: u8, operand: u8, last: bool) -> bool {
        match self {
            Self::Apply => true,
            Self::Resume => {
                let warp = opcode == Self::WARP && Self::WARPS.contains(&operand);
                !(last || warp)
            }
        }
    }
}

/// Which records of the fallback block mark their cells for the dispatch (row 15, section 3.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FallbackMarks {
    /// All script triggers, whatever their gate.
    All,
    /// Those of gate 0, as the sources name them; no known block has any.
    GateZero,
}

/// Where the player looks who comes from another scene (row 26).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrivalHeading {
    /// The entry of the heading table, in the retail space.
    Table,
    /// The same number in the engine's space: half a turn further.
    Engine,
}

/// What the ambient machine of an actor waits for (row 29).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmbientEnable {
    /// A stream, and no flag [`super::actor::flag::TEAR_DOWN`].
    Stream,
    /// Besides, [`super::actor::flag::AMBIENT`].
    Flag,
}

/// How many random numbers a fight takes (row 34).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightDraws {
    /// One picks the formation, two start the counter anew (the port).
    OneAndTwo,
    /// Two pick the formation, two start the counter anew (the text). How two pick is not said: here
    /// their sum does.
    TwoAndTwo,
}

/// A set of readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compat {
    /// What is subtracted before the tile of the trigger dispatch is taken (row 1).
    pub trigger_bias: i16,
    /// Row 3.
    pub cold_seat: ColdSeat,
    /// Row 10; whoever runs the touched object's script asks it.
    pub contact: ContactEffect,
    /// Row 11: a blocked direction slides along the wall; otherwise it stops.
    pub slide: bool,
    /// Row 12.
    pub footprint: Footprint,
    /// Row 12: actors of the moving class block.
    pub solid_actors: bool,
    /// Row 12: placed objects block.
    pub solid_props: bool,
    /// Row 13.
    pub diagonal_cut: DiagonalCut,
    /// Row 15; [`super::map::MapMut::mark_fallback_by`] asks it.
    pub fallback_marks: FallbackMarks,
    /// Row 26; [`super::spawn::Arrival`] asks it.
    pub arrival: ArrivalHeading,
    /// Row 28: the apexes of hops the other way round, as one comment has them: 18h for a drop, 10h
    /// for a step up.
    pub hop_words_swapped: bool,
    /// Row 29; the script machine asks it.
    pub ambient: AmbientEnable,
    /// Row 34.
    pub draws: FightDraws,
    /// Row 35: walkers take the true number of vertical blanks; otherwise always 1. The script
    /// machine asks it.
    pub glide_frames: bool,
    /// Row 38: a walker's step is at least 1; otherwise the bare formula.
    pub step_floor: bool,
    /// No row, but two sheets: in a visit of several vertical blanks op 47h takes the step of one as often
    /// (field sheet, section 15.1); otherwise a single one as long as all of them (motion sheet, section
    /// 2.2).
    pub walk_repeats: bool,
}

impl Compat {
    /// What the sheet recommends.
    pub const SHEET: Self = Self {
        trigger_bias: 0x40,
        cold_seat: ColdSeat::Player,
        contact: ContactEffect::Resume,
        slide: true,
        footprint: Footprint::Three,
        solid_actors: true,
        solid_props: true,
        diagonal_cut: DiagonalCut::Always,
        fallback_marks: FallbackMarks::All,
        arrival: ArrivalHeading::Table,
        hop_words_swapped: false,
        ambient: AmbientEnable::Stream,
        draws: FightDraws::OneAndTwo,
        glide_frames: true,
        step_floor: true,
        walk_repeats: false,
    };

    /// The other reading of every row that has one, wherever it comes from.
    pub const OTHER: Self = Self {
        trigger_bias: 0,
        cold_seat: ColdSeat::AnchorAndActor,
        contact: ContactEffect::Apply,
        slide: false,
        footprint: Footprint::Centre,
        solid_actors: false,
        solid_props: false,
        diagonal_cut: DiagonalCut::CameraMode4,
        fallback_marks: FallbackMarks::GateZero,
        arrival: ArrivalHeading::Engine,
        hop_words_swapped: true,
        ambient: AmbientEnable::Flag,
        draws: FightDraws::TwoAndTwo,
        glide_frames: false,
        step_floor: false,
        walk_repeats: true,
    };

    /// The vertical blanks that a walker's visit counts (row 35).
    #[inline]
    #[must_use]
    pub const fn walker_frames(&self, scalar: u8) -> u8 {
        if self.glide_frames { scalar } else { 1 }
    }

    /// The heading on arrival by this entry of the heading table, of which three bits count (row 26).
    #[must_use]
    pub const fn arrival_heading(&self, direction: u8) -> Angle {
        let heading = (direction & 7) as Angle * super::units::COMPASS;
        match self.arrival {
            ArrivalHeading::Table => heading,
            ArrivalHeading::Engine => super::units::engine_heading(heading),
        }
    }
}

impl Default for Compat {
    fn default() -> Self {
        Self::SHEET
    }
}
