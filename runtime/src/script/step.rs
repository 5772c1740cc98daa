//! One instruction that is being executed: its operands, where it goes on, and how it parks contexts (sections 1.2, 7.9
//! and 7.16).

use super::context::{Context, Hold, Place, flag};
use super::decode::Instr;
use super::fault::Outcome;
use super::host::{ContextId, Host};
use super::vm::Vm;
use crate::bytes::{u8_at, u16_at};

/// The bytes of a `40` block at the start of `behind`. One that the record cuts is no block: it is left to the step,
/// which says that it is truncated (section 13).
pub(super) fn payload(behind: &[u8]) -> Option<&[u8]> {
    let [0x40, count, bytes @ ..] = behind else {
        return None;
    };
    bytes.get(..usize::from(*count))
}

/// One instruction being executed on a context.
pub(super) struct Step<'v, 'c, H, const N: usize> {
    pub vm: &'v mut Vm<'c, N>,
    pub host: &'v mut H,
    pub instr: Instr<'c>,
    /// Place of the context whose script it is.
    pub caller: ContextId,
    /// Place of the context it works on.
    pub ctx: ContextId,
    pub pc: u16,
    pub code: &'c [u8],
}

impl<'c, H: Host, const N: usize> Step<'_, 'c, H, N> {
    /// Operand byte.
    #[inline]
    pub fn b(&self, at: usize) -> u8 {
        u8_at(self.instr.operands, at).unwrap_or(0)
    }

    /// Operand halfword.
    #[inline]
    pub fn w(&self, at: usize) -> u16 {
        u16_at(self.instr.operands, at).unwrap_or(0)
    }

    /// Signed operand halfword.
    #[inline]
    pub fn s(&self, at: usize) -> i16 {
        self.w(at) as i16
    }

    /// 24-bit operand.
    pub fn m(&self, at: usize) -> u32 {
        u32::from(self.w(at)) | u32::from(self.b(at + 2)) << 16
    }

    /// Signed 24-bit operand.
    pub fn signed24(&self, at: usize) -> i32 {
        (self.m(at) << 8) as i32 >> 8
    }

    /// Operand bytes from `at` on.
    pub fn from(&self, at: usize) -> &'c [u8] {
        self.instr.operands.get(at..).unwrap_or_default()
    }

    /// The record behind the instruction.
    pub fn behind(&self) -> &'c [u8] {
        self.code
            .get(usize::from(self.pc) + self.instr.len..)
            .unwrap_or_default()
    }

    /// The data block behind the instruction.
    pub fn payload(&self) -> Option<&'c [u8]> {
        payload(self.behind())
    }

    /// The context it works on.
    #[inline]
    pub fn c(&mut self) -> &mut Context<'c> {
        self.vm.at(self.ctx)
    }

    /// Whether that is the player.
    #[inline]
    pub fn is_player(&self) -> bool {
        self.vm.is_player(self.ctx)
    }

    /// The address behind the instruction.
    #[inline]
    pub fn next(&self) -> u16 {
        self.pc.wrapping_add(self.instr.len as u16)
    }

    /// Go on behind the instruction.
    #[inline]
    pub fn advance(&self) -> Outcome {
        Outcome::Advance(self.next())
    }

    /// Jump by rule R: the displacement stands `at` bytes behind the first operand (1.2).
    #[inline]
    pub fn jump(&self, at: usize) -> Outcome {
        let address = self.pc.wrapping_add((self.instr.header() + at) as u16);
        Outcome::Advance(address.wrapping_add(self.w(at)))
    }

    /// A jump of those that the port reads as absolute.
    pub fn inferred_jump(&self, at: usize) -> Outcome {
        if self.vm.compat.absolute_jumps() {
            Outcome::Advance(self.w(at))
        } else {
            self.jump(at)
        }
    }

    /// Jump if `condition`, else go on.
    #[inline]
    pub fn jump_if(&self, condition: bool, at: usize) -> Outcome {
        if condition {
            self.jump(at)
        } else {
            self.advance()
        }
    }

    /// [`Step::jump_if`] for [`Step::inferred_jump`].
    pub fn inferred_jump_if(&self, condition: bool, at: usize) -> Outcome {
        if condition {
            self.inferred_jump(at)
        } else {
            self.advance()
        }
    }

    /// Go on if `condition`, else wait.
    #[inline]
    pub fn park_unless(&self, condition: bool) -> Outcome {
        if condition {
            self.advance()
        } else {
            Outcome::Park
        }
    }

    /// Park the context for the walk kernel, and a script that parks the player along with it (7.9).
    pub fn halt(&mut self) {
        let place = Place::new(self.code, self.pc);
        let (ctx, caller) = (self.ctx, self.caller);
        let both = self.parks_both() && ctx != caller;
        self.vm.at(ctx).park(place);
        if both {
            let hold = self.hold();
            self.vm.at(caller).park(place.along_with(hold));
        }
        if both || ctx == caller {
            self.vm.handed = !self.vm.compat.halted_runs();
        }
    }

    /// [`Step::halt`] for a walk: the script waits for the one that it walks (7.9).
    pub fn halt_walk(&mut self) {
        self.halt();
        if !self.parks_both() && !self.vm.compat.halted_runs() {
            let hold = self.hold();
            self.vm.at(self.caller).task.wait_for(hold);
        }
    }

    /// The last parking of the context it works on.
    pub fn hold(&mut self) -> Hold {
        Hold {
            of: self.ctx,
            number: self.c().parking(),
        }
    }

    /// Whether the running context is parked when the instruction's context is: it is the same, or that
    /// one is the player.
    pub fn parks_both(&self) -> bool {
        self.ctx == self.caller || self.is_player()
    }

    /// Halt-acquire (7.16); `name` tells a port's host which instruction asks.
    pub fn acquire(&mut self, name: u8) -> bool {
        let free = if self.vm.compat.host_acquires() {
            self.host.acquire(self.ctx, name)
        } else {
            let is_player = self.is_player();
            let context = self.vm.at(self.ctx);
            (context.saved.is_some() || is_player) && (!context.halted() || self.host.scene_busy())
        };
        if free {
            self.halt();
        }
        free
    }

    /// Floor height at the context into its Y, unless Y is mirrored.
    pub fn settle(&mut self, id: ContextId) {
        let context = self.vm.at(id);
        if context.flags & flag::MIRROR == 0
            && let Some(height) = self.host.floor_height(context.x, context.z)
        {
            context.y = height;
        }
    }
}
