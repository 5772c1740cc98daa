//! The records of MAP (llama sheet, sections 3.2 to 3.10). Each keeps all bits of its bytes.

use super::super::fields::{Fields, Record};
use super::super::flags::named;
use super::super::number::Float;
use crate::bytes::{Full, Writer};

/// Quarter of a turn.
pub const QUARTER: u32 = 1024;

/// A placed model (section 3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// X, y (up) and z; z is 0 or negative.
    pub at: [Float; 3],
    /// About y, 4096 a turn: 0, 1024, 2048 or 3072.
    pub angle: u32,
    /// Model of TRAK.
    pub model: u32,
    /// Other than 0: it owns an entry of block 10.
    pub alternative: u32,
}

impl Tile {
    /// Column and row by the loader's truncation; far away they are the ends of 32 bits. `None` for
    /// coordinates that are no numbers.
    #[must_use]
    pub const fn cell(&self) -> Option<[i32; 2]> {
        let [x, _, z] = self.at;
        match (x.column(), z.row()) {
            (Some(col), Some(row)) => Some([col, row]),
            _ => None,
        }
    }

    /// Where the loader puts it on a grid of this size.
    #[must_use]
    pub fn place(&self, width: u32, height: u32) -> Place {
        let Some([col, row]) = self.cell() else {
            return Place::Foreign;
        };
        let index = i64::from(col) + i64::from(row) * i64::from(width);
        let cells = u64::from(width) * u64::from(height);
        let inside = |at: i32, size: u32| u32::try_from(at).is_ok_and(|at| at < size);
        let known = u64::try_from(index).is_ok_and(|index| index < cells);
        match usize::try_from(index) {
            Ok(index) if known => {
                if inside(col, width) && inside(row, height) {
                    Place::Cell(index)
                } else {
                    Place::Wrong(index)
                }
            }
            _ => Place::Foreign,
        }
    }
}

/// Where a tile falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Into its cell, by its index.
    Cell(usize),
    /// Its column is not in the grid, and it silently lands in this cell of another row.
    Wrong(usize),
    /// Into memory that is not the grid's.
    Foreign,
}

impl Record for Tile {
    const BYTES: usize = 24;

    fn read(bytes: &[u8]) -> Self {
        let mut fields = Fields(bytes);
        Self {
            at: fields.u32s().map(Float),
            angle: fields.u32(),
            model: fields.u32(),
            alternative: fields.u32(),
        }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        self.at.iter().try_for_each(|it| out.u32(it.0))?;
        out.u32(self.angle)?;
        out.u32(self.model)?;
        out.u32(self.alternative)
    }
}

/// A tile in fixed point, as the engine renders it (section 3.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// About x, y and z; x and z are 0.
    pub angles: [u32; 3],
    /// X, y and z in 1/4096; z is positive.
    pub at: [i32; 3],
}

impl Fixed {
    /// Of a tile; `None` when a coordinate has no fixed point.
    #[must_use]
    pub fn of(tile: &Tile) -> Option<Self> {
        let [x, y, z] = tile.at;
        let nearest = |it: Float| it.fixed().map(|it| it.nearest);
        Some(Self {
            angles: [0, tile.angle, 0],
            at: [nearest(x)?, nearest(y)?, nearest(z.negated())?],
        })
    }

    /// Whether it can be that of a tile, whatever the rounding.
    #[must_use]
    pub fn matches(&self, tile: &Tile) -> bool {
        let [x, y, z] = tile.at;
        let exact = [x, y, z.negated()];
        let same = |(it, stored): (Float, i32)| it.fixed().is_some_and(|it| it.matches(stored));
        self.angles == [0, tile.angle, 0] && exact.into_iter().zip(self.at).all(same)
    }
}

impl Record for Fixed {
    const BYTES: usize = 24;

    fn read(bytes: &[u8]) -> Self {
        let mut fields = Fields(bytes);
        Self {
            angles: fields.u32s(),
            at: fields.i32s(),
        }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        self.angles.iter().try_for_each(|&it| out.u32(it))?;
        self.at.iter().try_for_each(|&it| out.i32(it))
    }
}

/// A zone (section 3.4): surroundings, music, and where a door leads. The names are those of related games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// Cell x, y and z: where the door is.
    pub cell: [u32; 3],
    /// Where it leads to, in 1/4096; with [`Zone::LEVEL`] the numbers of tribe, level and map.
    pub target: [i32; 3],
    /// 0 level, 1 boss, 2 secret, 3 interface.
    pub level_type: u32,
    /// Rotation or flags of the target.
    pub target_rotation: u32,
    /// [`Zone::DOWN`] and the others.
    pub flags: u32,
    /// Fade.
    pub fade: u32,
    /// STPC offset of a background model, 0 for none.
    pub background: u32,
    /// Further rotation of the background about y.
    pub background_rotation: u32,
    /// Height of the background.
    pub background_height: u32,
    /// Draw mode.
    pub draw_mode: u32,
    /// Move forward.
    pub forward: i16,
    /// Where fog begins and ends, in 1/4096.
    pub fog: [u32; 2],
    /// The same for objects, as stored; see [`Zone::object_fog`].
    pub stored_object_fog: [u32; 2],
    /// Ambient colour, such as 404040h.
    pub ambient: u32,
    /// Background colour.
    pub backdrop: u32,
    /// Effect flags.
    pub effects: u16,
    /// Reverb.
    pub reverb: u16,
    /// Music.
    pub music: u32,
}

impl Zone {
    /// Flag: the door leads down.
    pub const DOWN: u32 = 1;
    /// Flag: the door leads up.
    pub const UP: u32 = 2;
    /// Flag: the door leads to another level.
    pub const LEVEL: u32 = 4;
    /// Flag: the level starts here; of several zones in the last one.
    pub const START: u32 = 8;

    /// Fog of objects as the game uses it: where it does not begin behind the other fog, both are one and a half
    /// times the other (in 32 bits).
    #[must_use]
    pub fn object_fog(&self) -> [u32; 2] {
        let signed = |word: u32| i32::from_le_bytes(word.to_le_bytes());
        let ([near, far], [object, _]) = (self.fog, self.stored_object_fog);
        if signed(object) > signed(near) {
            return self.stored_object_fog;
        }
        [near.wrapping_add(near >> 1), far.wrapping_add(far >> 1)]
    }
}

impl Record for Zone {
    const BYTES: usize = 90;

    fn read(bytes: &[u8]) -> Self {
        let mut fields = Fields(bytes);
        Self {
            cell: fields.u32s(),
            target: fields.i32s(),
            level_type: fields.u32(),
            target_rotation: fields.u32(),
            flags: fields.u32(),
            fade: fields.u32(),
            background: fields.u32(),
            background_rotation: fields.u32(),
            background_height: fields.u32(),
            draw_mode: fields.u32(),
            forward: fields.i16(),
            fog: fields.u32s(),
            stored_object_fog: fields.u32s(),
            ambient: fields.u32(),
            backdrop: fields.u32(),
            effects: fields.u16(),
            reverb: fields.u16(),
            music: fields.u32(),
        }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        self.cell.iter().try_for_each(|&it| out.u32(it))?;
        self.target.iter().try_for_each(|&it| out.i32(it))?;
        for word in [
            self.level_type,
            self.target_rotation,
            self.flags,
            self.fade,
            self.background,
            self.background_rotation,
            self.background_height,
            self.draw_mode,
        ] {
            out.u32(word)?;
        }
        out.i16(self.forward)?;
        let fogs = [self.fog, self.stored_object_fog];
        fogs.iter().flatten().try_for_each(|&it| out.u32(it))?;
        out.u32(self.ambient)?;
        out.u32(self.backdrop)?;
        out.u16(self.effects)?;
        out.u16(self.reverb)?;
        out.u32(self.music)
    }
}

/// A waypoint (section 3.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waypoint {
    /// Other than 0: the following record continues the chain.
    pub next: u32,
    /// 0 in files; the game writes the previous one here.
    pub previous: u32,
    /// About x, y and z, 4096 a turn.
    pub angles: [u16; 3],
    /// X, y and z in 1/4096; z is positive.
    pub at: [i32; 3],
    /// Meaning open.
    pub values: [u32; 2],
}

impl Record for Waypoint {
    const BYTES: usize = 34;

    fn read(bytes: &[u8]) -> Self {
        let mut fields = Fields(bytes);
        Self {
            next: fields.u32(),
            previous: fields.u32(),
            angles: fields.u16s(),
            at: fields.i32s(),
            values: fields.u32s(),
        }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        out.u32(self.next)?;
        out.u32(self.previous)?;
        self.angles.iter().try_for_each(|&it| out.u16(it))?;
        self.at.iter().try_for_each(|&it| out.i32(it))?;
        self.values.iter().try_for_each(|&it| out.u32(it))
    }
}

/// An entry of the region table (section 3.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// View-zone mask in related games.
    pub flags: u32,
    /// Water level in related games, in 1/4096.
    pub value: u32,
}

impl Record for Region {
    const BYTES: usize = 8;

    fn read(bytes: &[u8]) -> Self {
        let mut fields = Fields(bytes);
        Self {
            flags: fields.u32(),
            value: fields.u32(),
        }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        out.u32(self.flags)?;
        out.u32(self.value)
    }
}

/// The alternative of a tile (section 3.8), for the n-th tile that has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alternative {
    /// X, y and z as whole numbers; the loader does not look at them.
    pub at: [u32; 3],
    /// The model it stands for.
    pub normal: u32,
    /// The other model.
    pub model: u32,
}

impl Record for Alternative {
    const BYTES: usize = 20;

    fn read(bytes: &[u8]) -> Self {
        let mut fields = Fields(bytes);
        Self {
            at: fields.u32s(),
            normal: fields.u32(),
            model: fields.u32(),
        }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        self.at.iter().try_for_each(|&it| out.u32(it))?;
        out.u32(self.normal)?;
        out.u32(self.model)
    }
}

/// What is constant for a type of strat: the compiler put it there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Type {
    /// Offset of its code in STPC.
    pub code: u32,
    /// Number of variables.
    pub variables: u32,
    /// Number of 16-byte slots.
    pub slots: u32,
    /// Type flags, of which [`Type::FLAGS`] has those that are known.
    pub flags: u32,
    /// Extra memory, of which 30 bits count.
    pub extra: u32,
}

impl Type {
    /// Type flags with what the games before this one call them (section 3.10).
    pub const FLAGS: [(u32, &'static str); 7] = [
        (0x4000, "always collides"),
        (0x8000, "floor"),
        (0x1_0000, "player"),
        (0x2_0000, "object"),
        (0x4_0000, "wall"),
        (0x8_0000, "can be pushed"),
        (0x10_0000, "rebounds"),
    ];

    /// The type flags that are set, the lowest first, each with its name if it has one.
    pub fn flag_names(&self) -> impl Iterator<Item = (u32, Option<&'static str>)> + use<> {
        named(self.flags, &Self::FLAGS)
    }
}

/// An object with a script (section 3.10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strat {
    /// About x, y and z: 0 to 4095.
    pub angles: [u16; 3],
    /// X, y and z in 1/4096; z is positive.
    pub at: [i32; 3],
    /// What it is.
    pub ty: Type,
    /// Number of parameters.
    pub parameters: u32,
    /// Pool index of the first; -1 without.
    pub pool: i32,
    /// Waypoint, or -1.
    pub waypoint: i32,
    /// 0 in files; the game puts the end of the chain here.
    pub tail: u32,
    /// [`Strat::DORMANT`] and others.
    pub flags: u16,
    /// 0.
    pub pad: u16,
}

impl Strat {
    /// Flag: not created when the level starts.
    pub const DORMANT: u16 = 2;

    /// Whether the level starts with it.
    #[must_use]
    pub const fn is_created(&self) -> bool {
        self.flags & Self::DORMANT == 0
    }
}

impl Record for Strat {
    const BYTES: usize = 58;

    fn read(bytes: &[u8]) -> Self {
        let mut fields = Fields(bytes);
        let angles = fields.u16s();
        let at = fields.i32s();
        let code = fields.u32();
        let parameters = fields.u32();
        let pool = fields.i32();
        let [variables, slots, flags, extra] = fields.u32s();
        Self {
            angles,
            at,
            ty: Type {
                code,
                variables,
                slots,
                flags,
                extra,
            },
            parameters,
            pool,
            waypoint: fields.i32(),
            tail: fields.u32(),
            flags: fields.u16(),
            pad: fields.u16(),
        }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        self.angles.iter().try_for_each(|&it| out.u16(it))?;
        self.at.iter().try_for_each(|&it| out.i32(it))?;
        out.u32(self.ty.code)?;
        out.u32(self.parameters)?;
        out.i32(self.pool)?;
        for word in [
            self.ty.variables,
            self.ty.slots,
            self.ty.flags,
            self.ty.extra,
        ] {
            out.u32(word)?;
        }
        out.i32(self.waypoint)?;
        out.u32(self.tail)?;
        out.u16(self.flags)?;
        out.u16(self.pad)
    }
}
