//! Where the sources disagree, or leave a choice: one set of readings, in one constant (field sheet,
//! section 20).

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

/// A set of readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compat {
    /// What is subtracted before the tile of the trigger dispatch is taken (row 1).
    pub trigger_bias: i16,
    /// Row 3.
    pub cold_seat: ColdSeat,
    /// Row 11: a blocked direction slides along the wall; otherwise it stops.
    pub slide: bool,
    /// Row 12.
    pub footprint: Footprint,
    /// Row 12: actors of the moving class block.
    pub solid_actors: bool,
    /// Row 13.
    pub diagonal_cut: DiagonalCut,
    /// Row 38: a walker's step is at least 1; otherwise the bare formula.
    pub step_floor: bool,
}

impl Compat {
    /// What the sheet recommends.
    pub const SHEET: Self = Self {
        trigger_bias: 0x40,
        cold_seat: ColdSeat::Player,
        slide: true,
        footprint: Footprint::Three,
        solid_actors: true,
        diagonal_cut: DiagonalCut::Always,
        step_floor: true,
    };

    /// The other reading wherever there is one: what the public repository reads out of the
    /// executable, and the defaults of its engine.
    pub const OTHER: Self = Self {
        trigger_bias: 0,
        cold_seat: ColdSeat::AnchorAndActor,
        slide: false,
        footprint: Footprint::Centre,
        solid_actors: false,
        diagonal_cut: DiagonalCut::CameraMode4,
        step_floor: false,
    };
}

impl Default for Compat {
    fn default() -> Self {
        Self::SHEET
    }
}
