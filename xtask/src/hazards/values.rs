//! What is known about register contents: constants, and the shapes a jump table goes through.

use super::decode::{Inst, Op};
use super::image::Image;

/// What one register is known to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Anything.
    Unknown,
    /// Exactly this.
    Known(u32),
    /// This plus something unknown: the address of an element of a table.
    Indexed(u32),
    /// A word loaded from a table that begins here.
    Element(u32),
}

/// What is known about all general registers at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State([Value; 32]);

/// Registers that a call may change (o32): all but `$s0`..`$s7`, `$gp`, `$sp`, `$fp`.
const CALL_CLOBBERS: u32 = !(0x00FF_0000 | 0x7000_0000);

impl State {
    /// Nothing known but register zero.
    pub fn unknown() -> Self {
        let mut state = State([Value::Unknown; 32]);
        state.0[0] = Value::Known(0);
        state
    }

    /// Contents of a register.
    pub fn get(&self, register: u32) -> Value {
        self.0[register as usize & 31]
    }

    fn set(&mut self, register: u32, value: Value) {
        if register & 31 != 0 {
            self.0[register as usize & 31] = value;
        }
    }

    /// Forgets what the two disagree about. True if anything was forgotten.
    pub fn meet(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            if *mine != *theirs && *mine != Value::Unknown {
                *mine = Value::Unknown;
                changed = true;
            }
        }
        changed
    }

    /// Forgets what a called function may change.
    pub fn call(&mut self) {
        for register in 0..32 {
            if CALL_CLOBBERS >> register & 1 != 0 {
                self.set(register, Value::Unknown);
            }
        }
    }

    /// Address of a memory access, if it is known.
    pub fn address(&self, inst: Inst) -> Option<u32> {
        match self.get(inst.rs()) {
            Value::Known(base) => Some(base.wrapping_add(inst.offset())),
            _ => None,
        }
    }

    /// Carries the state over one instruction.
    pub fn step(&mut self, inst: Inst, image: &Image) {
        use Value::{Element, Indexed, Known, Unknown};
        let (rs, rt) = (self.get(inst.rs()), self.get(inst.rt()));
        let immediate = inst.immediate();
        let (register, value) = match inst.op {
            Op::Lui => (inst.rt(), Known(immediate << 16)),
            Op::Addi | Op::Addiu => (inst.rt(), add(rs, Known(inst.offset()))),
            Op::Add | Op::Addu => (inst.rd(), add(rs, rt)),
            Op::Or => (inst.rd(), or(rs, rt)),
            Op::Ori => (inst.rt(), or(rs, Known(immediate))),
            Op::Xori => (inst.rt(), both(rs, Known(immediate), |a, b| a ^ b)),
            Op::Andi => (inst.rt(), both(rs, Known(immediate), |a, b| a & b)),
            Op::And => (inst.rd(), both(rs, rt, |a, b| a & b)),
            Op::Xor => (inst.rd(), both(rs, rt, |a, b| a ^ b)),
            Op::Nor => (inst.rd(), both(rs, rt, |a, b| !(a | b))),
            Op::Sub | Op::Subu => match rt {
                Known(0) => (inst.rd(), rs),
                _ => (inst.rd(), both(rs, rt, u32::wrapping_sub)),
            },
            Op::Sll => (inst.rd(), both(rt, Known(inst.sa()), |a, b| a << b)),
            Op::Srl => (inst.rd(), both(rt, Known(inst.sa()), |a, b| a >> b)),
            Op::Sra => (
                inst.rd(),
                both(rt, Known(inst.sa()), |a, b| ((a as i32) >> b) as u32),
            ),
            Op::Lw => {
                let value = match rs {
                    Known(base) => image
                        .word(base.wrapping_add(inst.offset()), true)
                        .map_or(Unknown, Known),
                    Indexed(base) => {
                        let table = base.wrapping_add(inst.offset());
                        if image.word(table, false).is_some() {
                            Element(table)
                        } else {
                            Unknown
                        }
                    }
                    _ => Unknown,
                };
                (inst.rt(), value)
            }
            _ => {
                let written = inst.writes();
                for register in 1..32 {
                    if written >> register & 1 != 0 {
                        self.set(register, Unknown);
                    }
                }
                return;
            }
        };
        self.set(register, value);
    }
}

fn both(a: Value, b: Value, operation: impl FnOnce(u32, u32) -> u32) -> Value {
    match (a, b) {
        (Value::Known(a), Value::Known(b)) => Value::Known(operation(a, b)),
        _ => Value::Unknown,
    }
}

fn add(a: Value, b: Value) -> Value {
    use Value::{Indexed, Known};
    match (a, b) {
        (Known(0), other) | (other, Known(0)) => other,
        (Known(a), Known(b)) => Known(a.wrapping_add(b)),
        (Known(a), Indexed(b)) | (Indexed(a), Known(b)) => Indexed(a.wrapping_add(b)),
        (Known(base), _) | (_, Known(base)) => Indexed(base),
        _ => Value::Unknown,
    }
}

fn or(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Known(0), other) | (other, Value::Known(0)) => other,
        _ => both(a, b, |a, b| a | b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        use Value::{Element, Indexed, Known, Unknown};
        assert_eq!(add(Known(0x8001_0000), Known(4)), Known(0x8001_0004));
        assert_eq!(add(Known(0x8001_0000), Unknown), Indexed(0x8001_0000));
        assert_eq!(
            add(Indexed(0x8001_0000), Known(u32::MAX)),
            Indexed(0x8000_FFFF)
        );
        assert_eq!(add(Unknown, Known(0)), Unknown);
        assert_eq!(add(Element(4), Known(0)), Element(4));
        assert_eq!(or(Known(0), Element(4)), Element(4));
        assert_eq!(or(Unknown, Known(1)), Unknown);
    }

    #[test]
    fn meeting_forgets_differences_only() {
        let mut a = State::unknown();
        a.set(2, Value::Known(1));
        a.set(3, Value::Known(2));
        let mut b = a.clone();
        b.set(3, Value::Known(9));
        assert!(a.meet(&b));
        assert_eq!(a.get(2), Value::Known(1));
        assert_eq!(a.get(3), Value::Unknown);
        assert!(!a.meet(&b));
        a.call();
        assert_eq!(a.get(2), Value::Unknown);
    }
}
