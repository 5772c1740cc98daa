//! A slice that contact has begun, not the button (field sheet, section 11.2).

use super::decode::decode;
use super::fault::{FaultKind, Outcome, SliceEnd};
use super::host::{ContextId, Host};
use super::vm::Vm;
use crate::bytes::u8_at;

impl<'c, const N: usize> Vm<'c, N> {
    /// [`Vm::slice`] step by step, up to an instruction that a script may not execute which contact has
    /// resumed ([`crate::field::compat::ContactEffect::may_run`] of [`Vm::field`]): before it, `None`. `seen`
    /// hears of each step.
    pub(super) fn slice_by_contact<H: Host>(
        &mut self,
        host: &mut H,
        id: ContextId,
        budget: u16,
        seen: &mut impl FnMut(u16, Outcome),
    ) -> Option<SliceEnd> {
        if let Some(end) = self.refusal(id) {
            return Some(end);
        }
        let mut left = budget;
        while let Some(less) = left.checked_sub(1) {
            left = less;
            if !self.contact_may_run(id) {
                return None;
            }
            if let Some(end) = self.slice_step(host, id, &mut left, seen) {
                return Some(end);
            }
        }
        Some(SliceEnd::Fault(self.fault(id, FaultKind::Budget(budget))))
    }

    /// What is no instruction is left to the step, which says what it is.
    fn contact_may_run(&mut self, id: ContextId) -> bool {
        let (compat, contact) = (self.compat, self.field.contact);
        let context = self.at(id);
        let (code, pc) = (context.code(), context.pc);
        let Ok(instr) = decode(code, usize::from(pc), compat) else {
            return true;
        };
        let behind = usize::from(pc) + self.whole_length(&instr, code, pc);
        let operand = u8_at(instr.operands, 0).unwrap_or(0);
        contact.may_run(instr.opcode, operand, behind >= code.len())
    }
}
