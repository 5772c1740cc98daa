//! The two interpreters of actors' motion: the walk kernel and the ambient stream VM (motion sheet).

use super::compat::Compat;
use super::context::{Context, compass, flag, seat};
use super::decode::{Instr, decode};
use super::host::{ActorEvent, ContextId, Host, VideoEvent};
use super::ops::bit;
use super::state::{Field, Target};
use super::vm::{Counters, Vm};
use crate::bytes::{u8_at, u16_at};
use crate::field::Compat as Readings;
use crate::field::contact::AHEAD;
use crate::field::glide;
use crate::field::units::{COMPASS, Direction, Point};

/// Ops of an ambient stream in one tick.
const AMBIENT_OPS: u16 = 256;
/// Half the width of the player's box, whose edge is outside.
const PLAYER_HALF: i32 = 40;
/// Default-move record after a change of variant.
const DEFAULT_MOVE: u8 = 0x8C;

/// Direction of a compass index as signs of X and Z; none for indices of no direction.
const fn direction(index: u8) -> (i32, i32) {
    match index {
        0 => (0, -1),
        1 => (-1, -1),
        2 => (-1, 0),
        3 => (-1, 1),
        4 => (0, 1),
        5 => (1, 1),
        6 => (1, 0),
        7 => (1, -1),
        _ => (0, 0),
    }
}

/// How a turn gets to its target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Increasing,
    Decreasing,
    Shortest,
}

/// One frame of a turn over `budget` display frames (2.4); whether it is done.
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
fn axis(
    context: &mut Context<'_>,
    [b0, b1]: [u8; 2],
    numerator: i32,
    dt: u8,
    compat: &Readings,
) -> bool {
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

fn shift(context: &mut Context<'_>, (x, z): (i32, i32), step: i32) {
    context.x = context.x.wrapping_add((x * step) as i16);
    context.z = context.z.wrapping_add((z * step) as i16);
}

/// One frame of `47`; whether it is done (2.2). The progress holds the last direction, plus one.
fn walk_to(context: &mut Context<'_>, to: Point, bits: u8, dt: u8, compat: &Readings) -> bool {
    let step = i32::from(dt) * glide::ladder(glide::FULL, bits, 1, compat);
    let visit = glide::glide(Point::new(context.x, context.z), to, step);
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

impl<'c, const N: usize> Vm<'c, N> {
    /// One frame of the walk kernel on the halted context in place `id`: the instruction it is parked on
    /// is carried on, and HALT cleared when it is done. A context halted before its first walk waits
    /// for its owner.
    pub fn walk<H: Host>(&mut self, host: &mut H, id: ContextId) {
        let dt = host.vsync_delta();
        let Some(place) = self.at(id).saved else {
            return;
        };
        let done = match decode(place.code, usize::from(place.pc), Compat::Retail) {
            Ok(instr) => self.walk_op(host, id, &instr, dt),
            Err(_) => true,
        };
        if done {
            let context = self.at(id);
            context.flags &= !flag::HALT;
            context.wait_accum = 0;
        }
    }

    fn walk_op<H: Host>(&mut self, host: &H, id: ContextId, instr: &Instr<'_>, dt: u8) -> bool {
        let readings = self.field;
        let b = |at: usize| u8_at(instr.operands, at).unwrap_or(0);
        match instr.opcode {
            0x37 => axis(self.at(id), [b(0), b(1)], glide::FULL, dt, &readings),
            0x41 => axis(self.at(id), [b(0), b(1)], glide::HALF, dt, &readings),
            0x47 => {
                let to = Point::new(seat(b(0)), seat(b(1)));
                walk_to(self.at(id), to, b(2) & 7, dt, &readings)
            }
            0x38 => {
                let Some(target) = compass(b(0) & 0xF) else {
                    return true;
                };
                let how = match (b(0) & 0x80, b(1) & 0x80) {
                    (0, 0) => Turn::Increasing,
                    (0, _) => Turn::Decreasing,
                    _ => Turn::Shortest,
                };
                turn(self.at(id), target, u16::from(b(1) & 0x7F), how, dt)
            }
            // Whoever began the arc ends it.
            0x43 => false,
            0x4C => match b(0) {
                sub @ (0x85 | 0x8E | 0x8F) => {
                    let Some(other) = self.resolve(b(3)) else {
                        return true;
                    };
                    let to = *self.at(other);
                    let context = self.at(id);
                    let bearing = host.bearing([context.x, context.z], [to.x, to.z]);
                    let target = bearing.wrapping_add(0x800) & 0xFFF;
                    let how = if sub == 0x8F {
                        Turn::Decreasing
                    } else {
                        Turn::Shortest
                    };
                    turn(
                        context,
                        target,
                        u16_at(instr.operands, 1).unwrap_or(0),
                        how,
                        dt,
                    )
                }
                // Whoever began the presentation ends it.
                _ => false,
            },
            _ => true,
        }
    }

    /// One tick of the ambient stream of the context in place `id`, if it has one and is enabled.
    pub fn ambient<H: Host>(&mut self, host: &mut H, id: ContextId) {
        let context = self.at(id);
        if context.stream.is_empty() || context.enable & 1 == 0 || context.flags & flag::DYING != 0
        {
            return;
        }
        let Some((selector, code)) = self.variant(id) else {
            return;
        };
        let context = self.at(id);
        if context.stream_variant != Some(selector) {
            context.stream_variant = Some(selector);
            context.amb_cursor = 0;
            context.tween_cursor = 0;
            context.stream_pc = 0;
            context.wander = (0, 0);
            context.default_move = DEFAULT_MOVE;
        }
        for _ in 0..AMBIENT_OPS {
            match self.ambient_op(host, id, code) {
                Tick::Next => {}
                Tick::Yield => return,
                Tick::Stop => {
                    Counters::add(&mut self.counters.streams);
                    self.at(id).stream = &[];
                    return;
                }
            }
        }
    }

    /// The variant of a stream whose flag is set, and its ops (3.1).
    fn variant(&mut self, id: ContextId) -> Option<(u16, &'c [u8])> {
        let stream = self.at(id).stream;
        let mut at = 0_usize;
        // Each header lies further on.
        while let Some(selector) = u16_at(stream, at) {
            let code = stream.get(at + 4..)?;
            if selector == 0xFFFF {
                return Some((selector & 0xFFF, code));
            }
            if self.state.system.test(selector) {
                return Some((selector & 0xFFF, code));
            }
            let delta = u16_at(stream, at + 2)? as i16;
            at += usize::try_from(delta).ok().filter(|&delta| delta > 0)?;
        }
        None
    }

    fn ambient_op<H: Host>(&mut self, host: &mut H, id: ContextId, code: &'c [u8]) -> Tick {
        let dt = host.vsync_delta();
        let pc = self.at(id).stream_pc;
        let rest = code.get(usize::from(pc)..).unwrap_or_default();
        let Some(&op) = rest.first() else {
            return Tick::Stop;
        };
        let len: u16 = match op {
            0x01 => 1,
            0x05 | 0x10..=0x12 => 2,
            0x02..=0x04 | 0x07..=0x0B | 0x0E | 0x0F | 0x17 | 0x19 | 0x20 => 3,
            0x0D => 4,
            0x06 | 0x14..=0x16 | 0x18 => 5,
            0x0C => 8,
            0x13 => 13,
            _ => return Tick::Stop,
        };
        let Some(operands) = rest.get(1..usize::from(len)) else {
            return Tick::Stop;
        };
        let b = |at: usize| u8_at(operands, at).unwrap_or(0);
        let w = |at: usize| u16_at(operands, at).unwrap_or(0);
        let next = pc.wrapping_add(len);
        match op {
            0x01 => {
                let context = self.at(id);
                context.amb_cursor = 0;
                context.stream_pc = 0;
                return Tick::Next;
            }
            0x03 | 0x19 | 0x20 => return self.ambient_step(id, op, b(0), b(1), next),
            0x04 => {
                let context = self.at(id);
                let target = compass(b(0) & 7).unwrap_or(0);
                let remaining = (b(1) & 0x7F).saturating_sub(context.amb_cursor);
                context.amb_cursor = context.amb_cursor.wrapping_add(1);
                if remaining != 0 {
                    let down = b(0) & 0x80 != 0;
                    let (from, to) = (context.heading, target);
                    let arc = if down {
                        from.wrapping_sub(to)
                    } else {
                        to.wrapping_sub(from)
                    };
                    let part = (arc & 0xFFF).checked_div(u16::from(remaining)).unwrap_or(0);
                    context.heading = if down {
                        from.wrapping_sub(part)
                    } else {
                        from.wrapping_add(part)
                    };
                    return Tick::Yield;
                }
                context.heading = target;
                context.amb_cursor = 0;
            }
            0x05 => {
                let touched = self.mailbox == Some(id) && self.at(id).default_move != DEFAULT_MOVE;
                if touched {
                    self.mailbox = None;
                }
                let context = self.at(id);
                context.amb_cursor = context.amb_cursor.saturating_add(dt);
                if context.amb_cursor >= b(0) || touched {
                    context.amb_cursor = 0;
                    context.stream_pc = next;
                }
                return Tick::Yield;
            }
            // Not decoded: stepped over.
            0x06 => Counters::add(&mut self.counters.unknown),
            0x07 => self.state.system.set(w(0)),
            0x08 => self.state.system.clear(w(0)),
            0x0A | 0x0B => {
                self.at(id).set_flag(flag::SPECIAL_MODEL, op == 0x0A);
                host.actor(id, ActorEvent::Ambient { op, operands });
            }
            0x0D => {
                let context = self.at(id);
                let heading = compass(b(0) & 7).unwrap_or(0);
                // Signed: a tween of no frames, or fewer, is over at once, with its end.
                let duration = (w(1) as i16).max(0) as u16;
                if duration == 0 {
                    context.heading = heading;
                }
                if context.tween_cursor < duration {
                    if context.tween_cursor == 0 {
                        let target = i32::from(heading);
                        let from = i32::from(context.heading);
                        let start = match (b(0) & 0x80 != 0, from < target) {
                            (true, true) => from + 0x1000,
                            (false, false) if from != target => from - 0x1000,
                            _ => from,
                        };
                        let place = Target::Context(id, Field::Heading);
                        self.state.ramps.install(place, start, target, duration);
                    }
                    let context = self.at(id);
                    context.tween_cursor = context.tween_cursor.saturating_add(u16::from(dt));
                    return Tick::Yield;
                }
                context.tween_cursor = 0;
            }
            0x0E => {
                let context = self.at(id);
                context.model = w(0);
                context.flags &= !flag::ANIMATING;
                host.actor(id, ActorEvent::SetModel(w(0) as i16));
            }
            0x0F => {
                let (x, z) = (seat(b(0)), seat(b(1)));
                let context = self.at(id);
                (context.x, context.z) = (x, z);
                host.actor(id, ActorEvent::MoveTo { x, z });
            }
            0x10 | 0x11 => self.ambient_bit(id, b(0), Some(op == 0x10)),
            0x12 => {
                if !self.ambient_bit_set(id, b(0)) {
                    return Tick::Yield;
                }
            }
            0x13 => host.video(id, VideoEvent::VramMove(operands)),
            0x14..=0x16 => {
                let field = match op {
                    0x14 => Field::Scale,
                    0x15 => Field::F24,
                    _ => Field::F28,
                };
                let (end, ticks) = (i32::from(w(0) as i16), w(2));
                let context = self.at(id);
                let start = context.field(field);
                if ticks == 0 {
                    context.set_field(field, end);
                } else {
                    let place = Target::Context(id, field);
                    self.state.ramps.install(place, start, end, ticks);
                }
            }
            0x17 => {
                self.at(id).default_move = b(0);
                host.actor(id, ActorEvent::Ambient { op, operands });
            }
            0x18 => return self.wander(host, id, operands, next),
            // 02, 09, 0C
            _ => host.actor(id, ActorEvent::Ambient { op, operands }),
        }
        self.at(id).stream_pc = next;
        Tick::Next
    }

    /// Banks of `10`, `11`, `12`: bits 4 and 5 choose a halfword, the low four the bit. (The sheet names
    /// the banks, not the encoding.)
    fn ambient_bit(&mut self, id: ContextId, which: u8, value: Option<bool>) {
        let on = value.unwrap_or(false);
        let mask = bit(which & 0xF);
        let context = self.at(id);
        match which >> 4 & 3 {
            0 => context.set_flag(mask, on),
            1 => context.set_flag(mask << 16, on),
            2 if on => context.local_flags |= mask as u16,
            2 => context.local_flags &= !mask as u16,
            _ if on => self.state.global |= mask,
            _ => self.state.global &= !mask,
        }
    }

    fn ambient_bit_set(&mut self, id: ContextId, which: u8) -> bool {
        let mask = bit(which & 0xF);
        let context = self.at(id);
        match which >> 4 & 3 {
            0 => context.flags & mask != 0,
            1 => context.flags >> 16 & mask != 0,
            2 => u32::from(context.local_flags) & mask != 0,
            _ => self.state.global & mask != 0,
        }
    }

    /// Whether one of some points, as offsets from the context along X and Z, lies in the player's box
    /// (field sheet, section 15.3).
    fn player_at<const P: usize>(&mut self, id: ContextId, points: [(i32, i32); P]) -> bool {
        let Some(player) = self.player.filter(|&it| it != id) else {
            return false;
        };
        let from = *self.at(id);
        let player = self.at(player);
        let near =
            |a: i16, step: i32, b: i16| (i32::from(a) + step - i32::from(b)).abs() < PLAYER_HALF;
        points
            .into_iter()
            .any(|(x, z)| near(from.x, x, player.x) && near(from.z, z, player.z))
    }

    /// `03`, `19`, `20` (3.3).
    fn ambient_step(&mut self, id: ContextId, op: u8, b1: u8, b2: u8, next: u16) -> Tick {
        let index = b1 >> 4;
        let bits = b1 & 0xF;
        let wide = u32::from(bits) + 2;
        let step = glide::ladder(glide::FULL, bits, 1, &self.field);
        let mut budget = u32::from(b2 & 0x3F) << wide;
        if op == 0x20 {
            budget >>= 1;
        }
        if op == 0x03 {
            let context = self.at(id);
            context.heading = compass(index).unwrap_or(context.heading);
        }
        let (x, z) = direction(index);
        if self.player_at(id, [(64 * x, 64 * z)]) {
            return Tick::Yield;
        }
        let context = self.at(id);
        shift(context, (x, z), step);
        context.amb_cursor = context.amb_cursor.saturating_add(1);
        if u32::from(context.amb_cursor) >= budget.min(255) {
            context.amb_cursor = 0;
            context.stream_pc = next;
        }
        Tick::Yield
    }

    /// `18` (3.5). The context's wander is the direction and the phase: 0 pick, 1 turn, 2 walk.
    fn wander<H: Host>(&mut self, host: &mut H, id: ContextId, box_: &[u8], next: u16) -> Tick {
        let byte = |at: usize| u8_at(box_, at).unwrap_or(0);
        let bound = |at: usize| i32::from(byte(at) & 0x7F) * 0x80 + 0x40;
        let bits = (0..4).fold(0, |bits, at| bits << 1 | byte(at) >> 7);
        let wide = u32::from(bits) + 2;
        let step = glide::ladder(glide::FULL, bits, 1, &self.field);
        let inside = |x: i32, z: i32| {
            (bound(0)..=bound(2)).contains(&x) && (bound(1)..=bound(3)).contains(&z)
        };
        let context = *self.at(id);
        let (x, z) = (i32::from(context.x), i32::from(context.z));
        let (mut index, mut phase) = context.wander;
        let first = context.amb_cursor == 0 && phase == 0;
        let retired = 'retired: {
            if first && !inside(x, z) {
                break 'retired true;
            }
            if phase == 0 {
                index = (host.rand() & 6) as u8;
                let (dx, dz) = direction(index);
                if !inside(x + 0x40 * dx, z + 0x40 * dz) {
                    break 'retired true;
                }
                phase = 1;
            }
            let target = compass(index).unwrap_or(0);
            if phase == 1 {
                let context = self.at(id);
                let heading = context.heading & 0xFFF;
                let rate = 0x1000_u16 >> wide.min(12);
                let up = target.wrapping_sub(heading) & 0xFFF;
                if up != 0 {
                    let step = rate.min(if up > 0x800 { 0x1000 - up } else { up });
                    let turned = if up > 0x800 {
                        heading.wrapping_sub(step)
                    } else {
                        heading + step
                    };
                    context.heading = turned & 0xFFF;
                    break 'retired false;
                }
                phase = 2;
                context.amb_cursor = 0;
            }
            let ahead = Direction::ALL.get(usize::from(index / 2));
            let ahead = AHEAD[*ahead.unwrap_or(&Direction::ZMinus) as usize];
            if self.player_at(id, ahead) {
                phase = 0;
                // Not the first tick: the box is not asked again.
                self.at(id).amb_cursor = 1;
                break 'retired false;
            }
            let context = self.at(id);
            context.heading = target;
            shift(context, direction(index), step);
            context.amb_cursor = context.amb_cursor.saturating_add(1);
            if u32::from(context.amb_cursor) < (2_u32 << bits).min(255) {
                break 'retired false;
            }
            phase = 0;
            host.rand() & 0xF < 8
        };
        let context = self.at(id);
        context.wander = (index, phase);
        if retired {
            context.wander = (0, 0);
            context.amb_cursor = 0;
            context.stream_pc = next;
        }
        Tick::Yield
    }
}

/// How an ambient op ends.
enum Tick {
    /// The next one runs in the same tick.
    Next,
    /// The tick is over.
    Yield,
    /// There is no op here.
    Stop,
}
