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
    /// Less than this, as an unsigned number.
    Below(u32),
    /// Four times a number that is less than this.
    Scaled(u32),
    /// This plus something unknown: the address of an element of a table. The number of elements,
    /// if the code checks the index.
    Indexed(u32, Option<u32>),
    /// A word loaded from a table that begins here; the number of its elements as above.
    Element(u32, Option<u32>),
    /// One or zero, the outcome of a comparison.
    Test {
        /// The register that was compared. It was not written since.
        register: u32,
        /// What it was compared with, unsigned.
        bound: u32,
        /// Is it one when the register is below the bound? Otherwise it is zero then.
        below: bool,
    },
}

impl Value {
    /// What is left when control can come from two places.
    fn meet(self, other: Value) -> Value {
        use Value::{Below, Element, Indexed, Known, Scaled, Unknown};
        match (self, other) {
            _ if self == other => self,
            (Known(value), Below(bound)) | (Below(bound), Known(value)) if value < bound => {
                Below(bound)
            }
            (Below(a), Below(b)) => Below(a.max(b)),
            (Scaled(a), Scaled(b)) => Scaled(a.max(b)),
            (Indexed(a, _), Indexed(b, _)) if a == b => Indexed(a, None),
            (Element(a, _), Element(b, _)) if a == b => Element(a, None),
            _ => Unknown,
        }
    }
}

/// What is known about all general registers at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    values: [Value; 32],
    /// Registers that may hold a [`Value::Test`].
    tests: u32,
}

/// Up to here nothing lies that a program may read: the kernel's memory.
const SMALL: u32 = 0x1_0000;

/// Registers that a call may change (o32): all but `$s0`..`$s7`, `$gp`, `$sp`, `$fp`.
const CALL_CLOBBERS: u32 = !(0x00FF_0000 | 0x7000_0000);

impl State {
    /// Nothing known but register zero.
    pub fn unknown() -> Self {
        let mut values = [Value::Unknown; 32];
        values[0] = Value::Known(0);
        State { values, tests: 0 }
    }

    /// Contents of a register.
    pub fn get(&self, register: u32) -> Value {
        self.values[register as usize & 31]
    }

    fn set(&mut self, register: u32, value: Value) {
        let register = register & 31;
        if register == 0 {
            return;
        }
        self.values[register as usize] = value;
        let test = matches!(value, Value::Test { .. });
        self.tests = self.tests & !(1 << register) | u32::from(test) << register;
        if self.tests == 0 {
            return;
        }
        // A comparison says nothing about the register's next value.
        for value in &mut self.values {
            if matches!(*value, Value::Test { register: compared, .. } if compared == register) {
                *value = Value::Unknown;
            }
        }
    }

    /// Forgets what the two disagree about. True if anything was forgotten.
    pub fn meet(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.values.iter_mut().zip(&other.values) {
            let both = mine.meet(*theirs);
            changed |= *mine != both;
            *mine = both;
        }
        self.tests &= other.tests;
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

    /// Adds what a conditional branch says on one of its two ways: `beq`/`bne` of a comparison's
    /// outcome with zero bounds the register that was compared.
    pub fn branch(&mut self, inst: Inst, taken: bool) {
        let zero_way = match inst.op {
            Op::Beq => taken,
            Op::Bne => !taken,
            _ => return,
        };
        let outcome = match (self.get(inst.rs()), self.get(inst.rt())) {
            (outcome, Value::Known(0)) | (Value::Known(0), outcome) => outcome,
            _ => return,
        };
        let Value::Test {
            register,
            bound,
            below,
        } = outcome
        else {
            return;
        };
        if below == zero_way || bound == 0 {
            return;
        }
        // Not `set`: the register keeps its value, only more is known about it.
        let value = &mut self.values[register as usize & 31];
        match *value {
            Value::Unknown => *value = Value::Below(bound),
            // A small number is no place in a table, but perhaps an index with something added.
            Value::Indexed(..) if bound <= SMALL => *value = Value::Below(bound),
            Value::Below(known) => *value = Value::Below(known.min(bound)),
            _ => {}
        }
    }

    /// The outcome of an unsigned comparison `first < second`.
    fn compare(&self, first: u32, left: Value, second: Option<u32>, right: Value) -> Value {
        match (left, right, second) {
            (Value::Known(a), Value::Known(b), _) => Value::Known(u32::from(a < b)),
            (_, Value::Known(bound), _) => Value::Test {
                register: first,
                bound,
                below: true,
            },
            (Value::Known(a), _, Some(register)) if a < u32::MAX => Value::Test {
                register,
                bound: a + 1,
                below: false,
            },
            _ => Value::Unknown,
        }
    }

    /// Carries the state over one instruction.
    pub fn step(&mut self, inst: Inst, image: &Image) {
        use Value::{Below, Element, Indexed, Known, Scaled, Test, Unknown};
        let (rs, rt) = (self.get(inst.rs()), self.get(inst.rt()));
        let immediate = inst.immediate();
        let (register, value) = match inst.op {
            Op::Lui => (inst.rt(), Known(immediate << 16)),
            Op::Addi | Op::Addiu => (inst.rt(), add(rs, Known(inst.offset()))),
            Op::Add | Op::Addu => (inst.rd(), add(rs, rt)),
            Op::Or => (inst.rd(), or(rs, rt)),
            Op::Ori => (inst.rt(), or(rs, Known(immediate))),
            Op::Sltiu => {
                let outcome = self.compare(inst.rs(), rs, None, Known(inst.offset()));
                (inst.rt(), outcome)
            }
            Op::Sltu => {
                let outcome = self.compare(inst.rs(), rs, Some(inst.rt()), rt);
                (inst.rd(), outcome)
            }
            Op::Xori if immediate == 1 && matches!(rs, Test { .. }) => {
                let Test {
                    register,
                    bound,
                    below,
                } = rs
                else {
                    return;
                };
                let below = !below;
                let outcome = Test {
                    register,
                    bound,
                    below,
                };
                (inst.rt(), outcome)
            }
            Op::Xori => (inst.rt(), both(rs, Known(immediate), |a, b| a ^ b)),
            Op::Andi => (inst.rt(), and(rs, Known(immediate))),
            Op::And => (inst.rd(), and(rs, rt)),
            Op::Xor => (inst.rd(), both(rs, rt, |a, b| a ^ b)),
            Op::Nor => (inst.rd(), both(rs, rt, |a, b| !(a | b))),
            Op::Sub | Op::Subu => match rt {
                Known(0) => (inst.rd(), rs),
                _ => (inst.rd(), both(rs, rt, u32::wrapping_sub)),
            },
            Op::Sll if inst.sa() == 2 && matches!(rt, Below(_)) => {
                let Below(bound) = rt else { return };
                (inst.rd(), Scaled(bound))
            }
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
                    Indexed(base, bound) => {
                        let table = base.wrapping_add(inst.offset());
                        if image.word(table, false).is_some() {
                            Element(table, bound)
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
    use Value::{Below, Indexed, Known, Scaled};
    match (a, b) {
        (Known(0), other) | (other, Known(0)) => other,
        (Known(a), Known(b)) => Known(a.wrapping_add(b)),
        (Known(a), Indexed(b, bound)) | (Indexed(b, bound), Known(a)) => {
            Indexed(a.wrapping_add(b), bound)
        }
        (Known(base), Scaled(bound)) | (Scaled(bound), Known(base)) => Indexed(base, Some(bound)),
        // Words are loaded from every fourth address only.
        (Known(base), Below(bound)) | (Below(bound), Known(base)) => {
            Indexed(base, Some(bound.div_ceil(4)))
        }
        (Known(base), _) | (_, Known(base)) => Indexed(base, None),
        _ => Value::Unknown,
    }
}

fn and(a: Value, b: Value) -> Value {
    use Value::{Below, Known, Scaled, Unknown};
    match (a, b) {
        (Known(a), Known(b)) => Known(a & b),
        (Known(0), _) | (_, Known(0)) => Known(0),
        (Known(mask), Below(bound)) | (Below(bound), Known(mask)) => {
            Below(bound.min(mask.saturating_add(1)))
        }
        (Known(mask), Scaled(bound)) | (Scaled(bound), Known(mask)) => {
            Scaled(bound.min(mask / 4 + 1))
        }
        (Known(mask), _) | (_, Known(mask)) => mask.checked_add(1).map_or(Unknown, Below),
        _ => Unknown,
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
        use Value::{Below, Element, Indexed, Known, Scaled, Unknown};
        assert_eq!(add(Known(0x8001_0000), Known(4)), Known(0x8001_0004));
        assert_eq!(add(Known(0x8001_0000), Unknown), Indexed(0x8001_0000, None));
        assert_eq!(
            add(Indexed(0x8001_0000, Some(5)), Known(u32::MAX)),
            Indexed(0x8000_FFFF, Some(5))
        );
        assert_eq!(add(Scaled(5), Known(8)), Indexed(8, Some(5)));
        // 0, 4, 8 and 12.
        assert_eq!(add(Below(13), Known(8)), Indexed(8, Some(4)));
        assert_eq!(add(Unknown, Known(0)), Unknown);
        let element = Element(4, None);
        assert_eq!(add(element, Known(0)), element);
        assert_eq!(or(Known(0), element), element);
        assert_eq!(or(Unknown, Known(1)), Unknown);
    }

    #[test]
    fn a_mask_bounds() {
        use Value::{Below, Indexed, Known, Scaled, Unknown};
        for (value, mask, masked) in [
            (Unknown, 1, Below(2)),
            (Indexed(0x8001_0000, None), 0xFF, Below(0x100)),
            (Below(3), 7, Below(3)),
            (Below(9), 7, Below(8)),
            (Scaled(5), 0xC, Scaled(4)),
            (Scaled(2), 0xC, Scaled(2)),
            (Known(6), 3, Known(2)),
            (Unknown, 0, Known(0)),
            (Unknown, u32::MAX, Unknown),
            (Below(3), u32::MAX, Below(3)),
        ] {
            assert_eq!(and(value, Known(mask)), masked);
            assert_eq!(and(Known(mask), value), masked);
        }
        assert_eq!(and(Unknown, Below(3)), Unknown);
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

    #[test]
    fn a_comparison_is_forgotten_with_its_register() {
        let test = Value::Test {
            register: 4,
            bound: 5,
            below: true,
        };
        let beq = Inst::decode(0x1020_0001); // beq $at, $zero, 1
        let compared = |written: Option<u32>| {
            let mut state = State::unknown();
            state.set(1, test);
            if let Some(register) = written {
                state.set(register, Value::Unknown);
            }
            state.branch(beq, false);
            state.get(4)
        };
        assert_eq!(compared(None), Value::Below(5));
        assert_eq!(compared(Some(2)), Value::Below(5));
        assert_eq!(compared(Some(4)), Value::Unknown);
        // On the other way it is not below.
        let mut other = State::unknown();
        other.set(1, test);
        other.branch(beq, true);
        assert_eq!(other.get(4), Value::Unknown);
    }
}
