//! The context of one running script (section 4).

use super::fault::Fault;
use super::host::ContextId;
use super::state::Field;
use super::task::Task;
use crate::bytes::u8_at;

/// Bits of [`Context::flags`] with a role (section 4).
pub mod flag {
    /// Collision and touch exempt (either of two).
    pub const EXEMPT: u32 = 0x3;
    /// Dying: freed by the next walk, invisible to finders.
    pub const DYING: u32 = 0x8;
    /// Gets a slice each frame; also the mark of a touched actor.
    pub const RUN: u32 = 0x100;
    /// Parked: the walk kernel or a presenter has it.
    pub const HALT: u32 = 0x400;
    /// Animation active.
    pub const ANIMATING: u32 = 0x1000;
    /// Moving class.
    pub const MOVING: u32 = 0x2_0000;
    /// Movement locked.
    pub const LOCKED: u32 = 0x8_0000;
    /// Player-style actor.
    pub const SPECIAL_MODEL: u32 = 0x100_0000;
    /// World Y is driven from [`super::Context::y_mirror`].
    pub const MIRROR: u32 = 0x2000_0000;
}

/// A parking of a context: which one, and the how manieth of its own it is. Who waits for its end does not wait
/// for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// The context.
    pub of: ContextId,
    /// From 1 on, and round.
    pub number: u16,
}

/// An instruction in the record it came from.
#[derive(Clone, Copy, Debug)]
pub struct Place<'c> {
    code: &'c [u8],
    pc: u16,
    /// Opcode without bit 7, two operand bytes and the third of `47`, lowest first; all 0 where one of
    /// them is not there, and where another context does what it says.
    head: u32,
    /// How many times its context has been parked with this one, 1 for the first.
    number: u16,
    /// That of the other context, which was parked by the same instruction: this one goes on when that one is done.
    along: Option<Hold>,
}

/// Numbers of parkings only tell one from another.
impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        let with = |it: &Self| it.along.map(|it| it.of);
        self.is_at(other) && with(self) == with(other)
    }
}

impl Eq for Place<'_> {}

impl<'c> Place<'c> {
    /// The instruction at `pc` of the whole record `code`. A walk reads it each frame: so its bytes are taken
    /// out here.
    #[must_use]
    pub fn new(code: &'c [u8], pc: u16) -> Self {
        let at = usize::from(pc);
        let byte = |at: usize| code.get(at).copied();
        let read = || {
            let opcode = byte(at)?;
            // The id of the extended form stands in front of the operands.
            let first = at + 1 + usize::from(opcode >> 7);
            let (b0, b1, b2) = (byte(first)?, byte(first + 1)?, byte(first + 2));
            let b2 = if opcode & 0x7F == 0x47 { b2? } else { 0 };
            Some([opcode & 0x7F, b0, b1, b2])
        };
        let head = read().unwrap_or_default();
        Self {
            code,
            pc,
            head: u32::from_le_bytes(head),
            number: 1,
            along: None,
        }
    }

    /// The same instruction for the script that is parked along with whom it is about: with the player, whose
    /// parking it is (7.9, 7.16). The kernel reads the target in front of the operands (field sheet, 15.1), so it does not
    /// move who is parked along.
    #[must_use]
    pub const fn along_with(mut self, with: Hold) -> Self {
        (self.head, self.along) = (0, Some(with));
        self
    }

    /// The context that does what the instruction says, where that is not the one that is parked here.
    #[inline]
    #[must_use]
    pub const fn along(&self) -> Option<Hold> {
        self.along
    }

    /// Whether the other one is the same instruction, whoever does it.
    fn is_at(&self, other: &Self) -> bool {
        self.pc == other.pc && (core::ptr::eq(self.code, other.code) || self.code == other.code)
    }

    /// The opcode, without bit 7.
    pub(super) fn opcode(&self) -> Option<u8> {
        u8_at(self.code, usize::from(self.pc)).map(|it| it & 0x7F)
    }

    /// The whole record.
    #[inline]
    #[must_use]
    pub const fn code(&self) -> &'c [u8] {
        self.code
    }

    /// Address of the opcode byte.
    #[inline]
    #[must_use]
    pub const fn pc(&self) -> u16 {
        self.pc
    }

    /// Opcode without bit 7, two operand bytes and the third of `47`; all 0 where the record ends before.
    #[inline]
    pub(super) const fn head(&self) -> [u8; 4] {
        self.head.to_le_bytes()
    }
}

/// One actor's script and the state that scripts and motion read and write. Fields carry the names of
/// the sheet's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context<'c> {
    /// Whether the place in the pool is taken.
    pub live: bool,
    /// Actor word; bits in [`flag`].
    pub flags: u32,
    /// World X, a tile is 128 units.
    pub x: i16,
    /// World Y, growing downwards.
    pub y: i16,
    /// World Z.
    pub z: i16,
    /// Scalar (rotation X or ramp slot).
    pub f24: i16,
    /// Heading, 4096 a turn, 0 = Z-; raw during a turn.
    pub heading: u16,
    /// Scalar (ramp slot).
    pub f28: i16,
    /// Interactions held open.
    pub touch_count: u16,
    /// Scalar of `4C C2`.
    pub f42: u16,
    /// Cross-context id.
    pub script_id: u16,
    /// Progress of `4A` and of the walk kernel, display frames.
    pub wait_accum: i16,
    /// Sub-state of the move.
    pub move_substate: u16,
    /// Scalar of `4C DD`.
    pub f58: u16,
    /// Copy of the heading taken on touch.
    pub saved_heading: u16,
    /// Clip, one-based; 0 none.
    pub move_id: i16,
    /// Set by `22`.
    pub f5e: u16,
    /// The local bank.
    pub local_flags: u16,
    /// Mesh index.
    pub model: u16,
    /// Mirror of the mesh on the overworlds; the machine does not write it.
    pub model_high: u16,
    /// Guard of `4C 8C`.
    pub f68: i16,
    /// Pace scalar.
    pub f6a: i16,
    /// Keyframes of `4B`.
    pub anim_count: u8,
    /// Render scale, 4096 = 1.
    pub scale: u16,
    /// Composite control word.
    pub tint_ctrl: u32,
    /// Second operand of `4C 81`.
    pub tint_amt: i16,
    /// Face slot of `43 07`; cleared by `43 08`.
    pub face: u8,
    /// Ramped by `43 07`, cleared by `43 08`.
    pub face_lerp: i16,
    /// Bit 0 gates the ambient stream.
    pub enable: u8,
    /// Progress of the ambient stream.
    pub amb_cursor: u8,
    /// Raw operands of the last `23`.
    pub grid_x: u8,
    /// Raw operands of the last `23`.
    pub grid_z: u8,
    /// Minus Y while [`flag::MIRROR`].
    pub y_mirror: i16,
    /// The record that it runs, and what holds it up.
    pub task: Task<'c>,
    /// The parked instruction the walk kernel reads; `None` before the first.
    pub saved: Option<Place<'c>>,
    /// Program counter from the record's start.
    pub pc: u16,
    /// Dialogue state 0 runs, 1 shows text, 2 reads what follows it.
    pub sm_state: u16,
    /// Ambient stream, with its variant headers.
    pub stream: &'c [u8],
    /// Place in the ambient stream's variant.
    pub stream_pc: u16,
    /// Selector of the variant, 12 bits; `None` before the first tick.
    pub stream_variant: Option<u16>,
    /// Default-move record of the ambient stream.
    pub default_move: u8,
    /// Display frames of the ambient tween done.
    pub tween_cursor: u16,
    /// Direction of the ambient wander, and whether it walks.
    pub wander: (u8, u8),
}

impl<'c> Context<'c> {
    /// A free place: everything zero.
    pub const EMPTY: Self = Self {
        live: false,
        flags: 0,
        x: 0,
        y: 0,
        z: 0,
        f24: 0,
        heading: 0,
        f28: 0,
        touch_count: 0,
        f42: 0,
        script_id: 0,
        wait_accum: 0,
        move_substate: 0,
        f58: 0,
        saved_heading: 0,
        move_id: 0,
        f5e: 0,
        local_flags: 0,
        model: 0,
        model_high: 0,
        f68: 0,
        f6a: 0,
        anim_count: 0,
        scale: 0,
        tint_ctrl: 0,
        tint_amt: 0,
        face: 0,
        face_lerp: 0,
        enable: 0,
        amb_cursor: 0,
        grid_x: 0,
        grid_z: 0,
        y_mirror: 0,
        task: Task::NONE,
        saved: None,
        pc: 0,
        sm_state: 0,
        stream: &[],
        stream_pc: 0,
        stream_variant: None,
        default_move: 0x8C,
        tween_cursor: 0,
        wander: (0, 0),
    };

    /// A context that runs `code` from `pc0`.
    #[must_use]
    pub const fn new(script_id: u16, code: &'c [u8], pc0: u16) -> Self {
        Self {
            live: true,
            script_id,
            task: Task::new(code),
            pc: pc0,
            ..Self::EMPTY
        }
    }

    /// The record that it runs, header included.
    #[inline]
    #[must_use]
    pub const fn code(&self) -> &'c [u8] {
        self.task.code()
    }

    /// The context that its last instruction of a walk has parked: it does not go on before that one does
    /// (7.9). A script that parks the player is parked as well ([`Place::along`]).
    #[inline]
    #[must_use]
    pub const fn awaits(&self) -> Option<ContextId> {
        self.task.awaits()
    }

    /// What stopped the script, until it is reset.
    #[inline]
    #[must_use]
    pub const fn stopped(&self) -> Option<Fault> {
        self.task.stopped()
    }

    /// Whether it is parked.
    #[inline]
    #[must_use]
    pub const fn halted(&self) -> bool {
        self.flags & flag::HALT != 0
    }

    /// Park it on an instruction, for the walk kernel or whoever ends it.
    pub(super) fn park(&mut self, place: Place<'c>) {
        let number = self.parking().wrapping_add(1).max(1);
        self.saved = Some(Place { number, ..place });
        self.wait_accum = 0;
        self.flags |= flag::HALT;
    }

    /// The number of its last parking; 0 before the first.
    #[inline]
    pub(crate) fn parking(&self) -> u16 {
        self.saved.map_or(0, |it| it.number)
    }

    /// The instruction that it was parked on is done.
    pub(super) fn let_go(&mut self) {
        self.flags &= !flag::HALT;
        self.wait_accum = 0;
    }

    /// Set or clear bits of the actor word.
    pub(super) fn set_flag(&mut self, bits: u32, on: bool) {
        if on {
            self.flags |= bits;
        } else {
            self.flags &= !bits;
        }
    }

    /// World Y follows its mirror while [`flag::MIRROR`] says so.
    #[inline]
    pub(super) fn mirror(&mut self) {
        if self.flags & flag::MIRROR != 0 {
            self.y = self.y_mirror.wrapping_neg();
        }
    }

    /// A field that ramps write.
    pub(super) fn field(&self, field: Field) -> i32 {
        match field {
            Field::Scale => i32::from(self.scale),
            Field::Pace => i32::from(self.f6a),
            Field::YMirror => i32::from(self.y_mirror),
            Field::F24 => i32::from(self.f24),
            Field::F28 => i32::from(self.f28),
            Field::Heading => i32::from(self.heading),
            Field::Tint => (self.tint_ctrl & 0xFF_FFFF) as i32,
            Field::FaceLerp => i32::from(self.face_lerp),
        }
    }

    /// Write a field that ramps write; it keeps the low bits that it has room for.
    pub(super) fn set_field(&mut self, field: Field, value: i32) {
        match field {
            Field::Scale => self.scale = value as u16,
            Field::Pace => self.f6a = value as i16,
            Field::YMirror => {
                self.y_mirror = value as i16;
                self.mirror();
            }
            Field::F24 => self.f24 = value as i16,
            Field::F28 => self.f28 = value as i16,
            Field::Heading => self.heading = value as u16,
            Field::Tint => self.tint_ctrl = self.tint_ctrl & 0xFF00_0000 | value as u32 & 0xFF_FFFF,
            Field::FaceLerp => self.face_lerp = value as i16,
        }
    }
}

impl Default for Context<'_> {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// World coordinate of a coordinate byte: the tile's centre, or its far edge with bit 7 (7.1).
#[inline]
#[must_use]
pub const fn seat(byte: u8) -> i16 {
    (byte & 0x7F) as i16 * 0x80 + if byte & 0x80 != 0 { 0x80 } else { 0x40 }
}

/// Heading of a compass index; indices of no direction have none.
#[inline]
#[must_use]
pub const fn compass(index: u8) -> Option<u16> {
    if index < 8 {
        Some(index as u16 * 0x200)
    } else {
        None
    }
}
