//! The walk kernel: the instruction that an actor is parked on, carried on every frame (motion sheet,
//! section 2).

use super::context::{Context, Hold, Place, compass, seat};
use super::host::{ContextId, Host};
use super::vm::Vm;
use crate::field::Compat as Readings;
use crate::field::glide;
use crate::field::units::{COMPASS, Point};

/// Direction of a compass index as signs of X and Z; none for indices of no direction.
#[inline]
pub(super) const fn direction(index: u8) -> (i32, i32) {
    const SIGNS: [(i8, i8); 16] = {
        let mut signs = [(0, 0); 16];
        signs[0] = (0, -1);
        signs[1] = (-1, -1);
        signs[2] = (-1, 0);
        signs[3] = (-1, 1);
        signs[4] = (0, 1);
        signs[5] = (1, 1);
        signs[6] = (1, 0);
        signs[7] = (1, -1);
        signs
    };
    let (x, z) = SIGNS[(index & 15) as usize];
    (x as i32, z as i32)
}

/// Move a context by so many units in a direction.
#[inline]
pub(super) fn shift(context: &mut Context<'_>, (x, z): (i32, i32), step: i32) {
    // Signs: no multiplication.
    let along = |sign: i32| match sign {
        0 => 0,
        1.. => step as i16,
        _ => (step as i16).wrapping_neg(),
    };
    context.x = context.x.wrapping_add(along(x));
    context.z = context.z.wrapping_add(along(z));
}

/// How a turn gets to its target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Increasing,
    Decreasing,
    Shortest,
}

/// One frame of a turn over `budget` display frames (2.4); whether it is done. Out of line, as walks along an
/// axis are: most actors walk to a place.
#[inline(never)]
fn turn(context: &mut Context<'_>, target: u16, budget: u16, how: Turn, dt: u8) -> bool {
    let up = target.wrapping_sub(context.heading) & 0xFFF;
    let mut turn = glide::Turn {
        target,
        budget,
        cursor: context.wait_accum as u16,
        reversed: match how {
            Turn::Increasing => false,
            Turn::Decreasing => true,
            Turn::Shortest => up > 0x800,
        },
    };
    let done;
    (context.heading, done) = turn.tick(context.heading, dt);
    context.wait_accum = turn.cursor as i16;
    done
}

/// One frame of `37` or `41`; whether it is done (2.1). The progress counts display frames.
#[inline(never)]
fn axis(
    context: &mut Context<'_>,
    [b0, b1]: [u8; 2],
    numerator: i32,
    dt: u8,
    compat: &Readings,
) -> bool {
    let dt = compat.walker_frames(dt);
    let bits = (b0 >> 5) & 4 | b1 >> 6;
    // Display frames of a unit are `4 << bits` over the numerator.
    let wide = 2 + u32::from(bits);
    let duration = i32::from(b1 & 0x3F) << wide;
    let left = duration - i32::from(context.wait_accum as u16);
    let frames = i32::from(dt).min(left);
    if frames <= 0 {
        return true;
    }
    let mut step = glide::ladder(numerator, bits, frames as u8, compat);
    let mut passed = frames;
    if compat.step_floor {
        // A step that is at least 1 gets there sooner, but never farther: the progress is that of the
        // units walked.
        step = step.min((left * numerator) >> wide);
        passed = (step << wide) / numerator.max(1);
    }
    shift(context, direction(b0 & 7), step);
    context.wait_accum = context.wait_accum.wrapping_add(passed as i16);
    passed >= left || passed == 0
}

/// One frame of `47`; whether it is done (2.2). The progress holds the last direction, plus one.
fn walk_to(context: &mut Context<'_>, to: Point, bits: u8, dt: u8, compat: &Readings) -> bool {
    let dt = compat.walker_frames(dt);
    let visit = glide::walk_to(Point::new(context.x, context.z), to, bits, dt, compat);
    (context.x, context.z) = (visit.at.x, visit.at.z);
    if let Some(heading) = visit.heading {
        let mark = (heading / COMPASS) as i16 + 1;
        if context.wait_accum != mark {
            context.wait_accum = mark;
            context.heading = heading;
        }
    }
    visit.done
}

/// What a frame of the walk kernel comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stride {
    /// It goes on, or waits for its owner.
    On,
    /// The instruction is done.
    Done,
    /// It needs more than its context.
    Other,
}

/// One frame of an instruction that needs its context only: the walks and the own turn.
#[inline]
fn alone(context: &mut Context<'_>, head: [u8; 4], dt: u8, readings: &Readings) -> Stride {
    let [opcode, b0, b1, b2] = head;
    let done = match opcode {
        0x47 => {
            let to = Point::new(seat(b0), seat(b1));
            walk_to(context, to, b2 & 7, dt, readings)
        }
        0x37 => axis(context, [b0, b1], glide::FULL, dt, readings),
        0x41 => axis(context, [b0, b1], glide::HALF, dt, readings),
        0x38 => match compass(b0 & 0xF) {
            Some(target) => {
                let how = match (b0 & 0x80, b1 & 0x80) {
                    (0, 0) => Turn::Increasing,
                    (0, _) => Turn::Decreasing,
                    _ => Turn::Shortest,
                };
                turn(context, target, u16::from(b1 & 0x7F), how, dt)
            }
            None => true,
        },
        _ => return Stride::Other,
    };
    if done { Stride::Done } else { Stride::On }
}

/// One frame of the walk kernel on a halted context, as far as that needs nothing else; whether it does.
#[inline(never)]
pub(super) fn stride(context: &mut Context<'_>, dt: u8, readings: &Readings) -> bool {
    let Some(place) = &context.saved else {
        return false;
    };
    match alone(context, place.head(), dt, readings) {
        Stride::On => false,
        Stride::Done => {
            context.let_go();
            false
        }
        Stride::Other => true,
    }
}

impl<const N: usize> Vm<'_, N> {
    /// One frame of the walk kernel on the halted context in place `id`: the instruction it is parked on
    /// is carried on, and HALT cleared when it is done. A script that was parked along with the player
    /// ([`Place::along`]) stays where it is until that one is done. A context halted before its first walk waits
    /// for its owner.
    pub fn walk<H: Host>(&mut self, host: &mut H, id: ContextId) {
        let dt = host.vsync_delta();
        let Some(context) = self.contexts.get_mut(usize::from(id)) else {
            return;
        };
        if stride(context, dt, &self.field) {
            self.walk_on(host, id);
        }
    }

    /// [`Vm::walk`] for what does not walk by itself. Only what is read has to be there.
    #[inline(never)]
    pub(super) fn walk_on<H: Host>(&mut self, host: &H, id: ContextId) {
        let Some(place) = self.at(id).saved else {
            return;
        };
        if self.walks_on(host, id, place) {
            self.at(id).let_go();
        }
    }

    /// Whether the instruction in a place is done.
    fn walks_on<H: Host>(&mut self, host: &H, id: ContextId, place: Place<'_>) -> bool {
        let dt = host.vsync_delta();
        let rest = place
            .code()
            .get(usize::from(place.pc())..)
            .unwrap_or_default();
        let (opcode, operands) = match *rest {
            [opcode @ 0x80..=0xFF, _, ref operands @ ..] | [opcode, ref operands @ ..] => {
                (opcode & 0x7F, operands)
            }
            [] => return true,
        };
        if let Some(with) = place.along() {
            // What others end, they end for both.
            let ends = opcode != 0x43 && !matches!(operands, [0x61 | 0x80, ..] if opcode == 0x4C);
            return ends && !self.lasts(with);
        }
        match (opcode, operands) {
            (0x4C, &[sub @ (0x85 | 0x8E | 0x8F), low, high, other, ..]) => {
                self.turn_to(host, id, sub, u16::from_le_bytes([low, high]), other, dt)
            }
            // There is nobody to turn to.
            (0x4C, [0x85 | 0x8E | 0x8F, ..] | []) => true,
            // Whoever began the arc or the presentation ends it.
            (0x43 | 0x4C, _) => false,
            _ => true,
        }
    }

    /// Whether a parking has not ended.
    fn lasts(&mut self, hold: Hold) -> bool {
        let context = self.at(hold.of);
        context.live && context.halted() && context.parking() == hold.number
    }

    /// `4C 85`, `8E`, `8F`: a turn toward an actor (2.5).
    fn turn_to<H: Host>(
        &mut self,
        host: &H,
        id: ContextId,
        sub: u8,
        budget: u16,
        other: u8,
        dt: u8,
    ) -> bool {
        let Some(other) = self.resolve(other) else {
            return true;
        };
        let other = self.at(other);
        let to = [other.x, other.z];
        let context = self.at(id);
        let bearing = host.bearing([context.x, context.z], to);
        let target = bearing.wrapping_add(0x800) & 0xFFF;
        let how = if sub == 0x8F {
            Turn::Decreasing
        } else {
            Turn::Shortest
        };
        turn(context, target, budget, how, dt)
    }
}
