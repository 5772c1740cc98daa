//! The ambient stream VM: what actors do by themselves (motion sheet, section 3).

use super::context::{Context, compass, flag, seat};
use super::decode::DecodeError;
use super::fault::{Counters, Fault, FaultKind};
use super::host::{ActorEvent, ContextId, Host};
use super::ops::{bit, vram_move};
use super::state::{Field, SystemFlags, Target};
use super::vm::Vm;
use super::walk::{direction, shift};
use crate::bytes::{u8_at, u16_at};
use crate::field::actor::flag::AMBIENT;
use crate::field::compat::AmbientEnable;
use crate::field::contact::AHEAD;
use crate::field::glide;
use crate::field::units::{Direction, Point};

/// Ops of an ambient stream in one tick.
const AMBIENT_OPS: u16 = 256;
/// Half the width of the player's box, whose edge is outside.
const PLAYER_HALF: i32 = 40;
/// Default-move record after a change of variant.
const DEFAULT_MOVE: u8 = 0x8C;

/// The variant of a stream whose flag is set, 12 bits, and its ops (3.1).
#[inline(never)]
fn variant<'c>(stream: &'c [u8], system: &SystemFlags) -> Option<(u16, &'c [u8])> {
    let mut at = 0_usize;
    // Each header lies further on.
    while let Some(selector) = u16_at(stream, at) {
        let code = stream.get(at + 4..)?;
        if selector == 0xFFFF || system.test(selector) {
            return Some((selector & 0xFFF, code));
        }
        let delta = u16_at(stream, at + 2)? as i16;
        at += usize::try_from(delta).ok().filter(|&delta| delta > 0)?;
    }
    None
}

/// Whether one of some points, as offsets from the context along X and Z, lies in the player's box (field
/// sheet, section 15.3).
#[inline]
fn player_at<const P: usize>(
    context: &Context<'_>,
    player: Option<Point>,
    points: [(i32, i32); P],
) -> bool {
    let Some(player) = player else {
        return false;
    };
    let near = |a: i16, step: i32, b: i16| (i32::from(a) + step - i32::from(b)).abs() < PLAYER_HALF;
    let mut points = points.into_iter();
    points.any(|(x, z)| near(context.x, x, player.x) && near(context.z, z, player.z))
}

/// What ambient streams look at beside their own context.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// Where the player stands, for others than itself.
    pub player: Option<Point>,
    /// Who was touched.
    pub mailbox: Option<ContextId>,
    /// Display frames of the tick.
    pub dt: u8,
    /// Steps are at least 1 ([`crate::field::Compat::step_floor`]).
    pub floor: bool,
}

/// `03`, `19`, `20` (3.3).
#[inline]
fn directional(context: &mut Context<'_>, op: u8, [b1, b2]: [u8; 2], around: &Around) {
    let (index, bits) = (b1 >> 4, counted(b1 & 0xF, around.floor));
    let mut budget = u32::from(b2 & 0x3F) << (2 + bits);
    if op == 0x20 {
        budget >>= 1;
    }
    if op == 0x03 {
        context.heading = compass(index).unwrap_or(context.heading);
    }
    let (x, z) = direction(index);
    if around.player.is_some() && player_at(context, around.player, [(64 * x, 64 * z)]) {
        return;
    }
    if let Some(log) = SLOWEST.checked_sub(bits.into()) {
        context.x = context.x.wrapping_add((x << log) as i16);
        context.z = context.z.wrapping_add((z << log) as i16);
    }
    let passed = u32::from(context.amb_cursor) + 1;
    if passed < budget.min(255) {
        context.amb_cursor = passed as u8;
    } else {
        context.amb_cursor = 0;
        context.stream_pc = context.stream_pc.wrapping_add(3);
    }
}

/// Bits of the pace of one unit a vertical blank; each less is twice as fast, and beyond them there is no step.
const SLOWEST: u32 = 5;

/// The bits of a pace. Where steps are at least 1, those of that pace stand for all slower ones, in the number of
/// steps, too: the way stays what the op says (decision 43), and nobody walks out of its box.
#[inline]
const fn counted(bits: u8, floor: bool) -> u8 {
    if floor && bits > SLOWEST as u8 {
        SLOWEST as u8
    } else {
        bits
    }
}

/// `04` (3.4): whether it is done. Out of line: steps are more frequent.
#[inline(never)]
fn facing(context: &mut Context<'_>, [b1, b2]: [u8; 2]) -> bool {
    let target = compass(b1 & 7).unwrap_or(0);
    let remaining = (b2 & 0x7F).saturating_sub(context.amb_cursor);
    context.amb_cursor = context.amb_cursor.wrapping_add(1);
    if remaining == 0 {
        context.heading = target;
        context.amb_cursor = 0;
        context.stream_pc = context.stream_pc.wrapping_add(3);
        return true;
    }
    let down = b1 & 0x80 != 0;
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
    false
}

/// How an ambient op ends.
enum Tick {
    /// The next one runs in the same tick.
    Next,
    /// The tick is over.
    Yield,
    /// It needs more than the context.
    Other,
}

/// Ops that need nothing but their context and what is around it: steps, turns and waits. `touched`
/// waits are others, and so is one at the very end of a stream.
#[inline(always)]
fn alone(context: &mut Context<'_>, code: &[u8], id: ContextId, around: &Around) -> Tick {
    let rest = code.get(usize::from(context.stream_pc)..);
    let Some(&[op, b1, b2]) = rest.and_then(<[u8]>::first_chunk) else {
        return Tick::Other;
    };
    if op == 0x03 || op == 0x19 || op == 0x20 {
        directional(context, op, [b1, b2], around);
        return Tick::Yield;
    }
    if op == 0x05 {
        return wait(context, b1, id, around);
    }
    if op != 0x04 {
        Tick::Other
    } else if facing(context, [b1, b2]) {
        Tick::Next
    } else {
        Tick::Yield
    }
}

/// [`alone`] for the ops behind the first.
#[inline(never)]
fn again(context: &mut Context<'_>, code: &[u8], id: ContextId, around: &Around) -> Tick {
    alone(context, code, id, around)
}

/// `05` of so many frames (3.3): the touch that it waits for, too, is another's.
#[inline]
fn wait(context: &mut Context<'_>, frames: u8, id: ContextId, around: &Around) -> Tick {
    if around.mailbox == Some(id) && context.default_move != DEFAULT_MOVE {
        return Tick::Other;
    }
    context.amb_cursor = context.amb_cursor.saturating_add(around.dt);
    if context.amb_cursor >= frames {
        context.amb_cursor = 0;
        context.stream_pc = context.stream_pc.wrapping_add(2);
    }
    Tick::Yield
}

/// The first op of a tick of the context in place `id`, if it has a stream and that is enabled. Whether more
/// ops follow, and how many there may be.
#[inline(never)]
pub(super) fn first(
    context: &mut Context<'_>,
    id: ContextId,
    system: &SystemFlags,
    around: &Around,
) -> Option<u16> {
    if context.enable & 1 == 0 {
        return None;
    }
    let (selector, code) = match *context.stream {
        [low, high, _, _, ref code @ ..] => {
            let selector = u16::from_le_bytes([low, high]);
            if selector == 0xFFFF || system.test(selector) {
                (selector & 0xFFF, code)
            } else {
                variant(context.stream, system)?
            }
        }
        _ => return None,
    };
    if context.stream_variant != Some(selector) {
        restart(context, selector);
    }
    match alone(context, code, id, around) {
        Tick::Yield => None,
        Tick::Next => Some(AMBIENT_OPS - 1),
        Tick::Other => Some(AMBIENT_OPS),
    }
}

/// Length of an op; `None`: there is no such op.
const fn length(op: u8) -> Option<u16> {
    Some(match op {
        0x01 => 1,
        0x05 | 0x10..=0x12 => 2,
        0x02..=0x04 | 0x07..=0x0B | 0x0E | 0x0F | 0x17 | 0x19 | 0x20 => 3,
        0x0D => 4,
        0x06 | 0x14..=0x16 | 0x18 => 5,
        0x0C => 8,
        0x13 => 13,
        _ => return None,
    })
}

/// The operands of the op at `pc` of a variant's ops, and where the next one is.
fn operands(code: &[u8], pc: u16) -> Result<(u8, &[u8], u16), DecodeError> {
    let rest = code.get(usize::from(pc)..).unwrap_or_default();
    let Some(&op) = rest.first() else {
        return Err(DecodeError::PcRange { len: code.len() });
    };
    let len = length(op).ok_or(DecodeError::Unknown {
        opcode: op,
        sub: None,
    })?;
    let operands = rest.get(1..usize::from(len));
    let operands = operands.ok_or(DecodeError::Truncated {
        need: len.into(),
        found: rest.len(),
    })?;
    Ok((op, operands, pc.wrapping_add(len)))
}

impl<'c, const N: usize> Vm<'c, N> {
    /// Where the player stands, for others than itself.
    #[inline]
    fn player_for(&self, id: ContextId) -> Option<Point> {
        let player = self.player.filter(|&it| it != id)?;
        let player = self.contexts.get(usize::from(player))?;
        Some(Point::new(player.x, player.z))
    }

    /// What the ambient stream of the context in place `id` looks at beside it.
    #[inline(never)]
    pub(super) fn around(&self, id: ContextId, dt: u8) -> Around {
        Around {
            player: self.player_for(id),
            mailbox: self.mailbox,
            dt,
            floor: self.field.step_floor,
        }
    }

    /// One tick of the ambient stream of the context in place `id`, if it has one and is enabled.
    ///
    /// Answers what is wrong with it: a stream stops for good where there is no op, and one that did
    /// not end its tick goes on in the next.
    pub fn ambient<H: Host>(&mut self, host: &mut H, id: ContextId) -> Option<Fault> {
        let around = self.around(id, host.vsync_delta());
        let flags_only = self.field.ambient == AmbientEnable::Flag;
        let context = self.contexts.get_mut(usize::from(id))?;
        if context.flags & flag::DYING != 0 || flags_only && context.flags & AMBIENT == 0 {
            return None;
        }
        match first(context, id, &self.state.system, &around) {
            Some(ops) => self.ambient_on(host, id, ops),
            None => None,
        }
    }

    /// Go on with a tick that may have so many ops.
    #[inline(never)]
    pub(super) fn ambient_on<H: Host>(
        &mut self,
        host: &mut H,
        id: ContextId,
        ops: u16,
    ) -> Option<Fault> {
        let dt = host.vsync_delta();
        let context = self.contexts.get_mut(usize::from(id))?;
        let (_, code) = variant(context.stream, &self.state.system)?;
        for _ in 0..ops {
            let around = self.around(id, dt);
            let context = self.contexts.get_mut(usize::from(id))?;
            let pc = context.stream_pc;
            let mut tick = again(context, code, id, &around);
            if let Tick::Other = tick {
                tick = match operands(code, pc) {
                    Ok((op, operands, next)) => self.ambient_op(host, id, op, operands, next),
                    Err(error) => {
                        Counters::add(&mut self.counters.streams);
                        self.at(id).stream = &[];
                        return Some(self.stream_fault(id, FaultKind::Decode(error)));
                    }
                };
            }
            if let Tick::Yield = tick {
                return None;
            }
        }
        Counters::add(&mut self.counters.overruns);
        Some(self.stream_fault(id, FaultKind::Budget(AMBIENT_OPS)))
    }

    #[cold]
    fn stream_fault(&mut self, id: ContextId, kind: FaultKind) -> Fault {
        let context = self.at(id);
        Fault {
            kind,
            script_id: context.script_id,
            pc: context.stream_pc,
            in_stream: true,
        }
    }

    /// An op that needs more than its context.
    fn ambient_op<H: Host>(
        &mut self,
        host: &mut H,
        id: ContextId,
        op: u8,
        operands: &[u8],
        next: u16,
    ) -> Tick {
        let dt = host.vsync_delta();
        let b = |at: usize| u8_at(operands, at).unwrap_or(0);
        let w = |at: usize| u16_at(operands, at).unwrap_or(0);
        match op {
            0x01 => {
                let context = self.at(id);
                (context.amb_cursor, context.stream_pc) = (0, 0);
                return Tick::Next;
            }
            0x05 => {
                let around = self.around(id, dt);
                let context = self.at(id);
                if let Tick::Yield = wait(context, b(0), id, &around) {
                    return Tick::Yield;
                }
                // Touched.
                self.mailbox = None;
                let context = self.at(id);
                context.amb_cursor = 0;
                context.stream_pc = next;
                return Tick::Yield;
            }
            // Not decoded: stepped over.
            0x06 => Counters::add(&mut self.counters.unknown),
            0x07 => self.state.system.set(w(0)),
            0x08 => self.state.system.clear(w(0)),
            // The clip; which one begins, and from where, is that of whoever plays it (docs/decisions.md).
            0x02 | 0x0A | 0x0B => {
                let context = self.at(id);
                if op != 0x02 {
                    context.set_flag(flag::SPECIAL_MODEL, op == 0x0A);
                }
                context.move_id = b(0).into();
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
            0x13 => host.video(id, vram_move(operands)),
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
            // 09, 0C
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

    /// `18` (3.5). The context's wander is the direction and the phase: 0 pick, 1 turn, 2 walk.
    fn wander<H: Host>(&mut self, host: &mut H, id: ContextId, box_: &[u8], next: u16) -> Tick {
        let byte = |at: usize| u8_at(box_, at).unwrap_or(0);
        let bound = |at: usize| i32::from(byte(at) & 0x7F) * 0x80 + 0x40;
        let bits = (0..4).fold(0, |bits, at| bits << 1 | byte(at) >> 7);
        let wide = u32::from(bits) + 2;
        let step = glide::ladder(glide::FULL, bits, 1, &self.field);
        let steps = counted(bits, self.field.step_floor);
        let inside = |x: i32, z: i32| {
            (bound(0)..=bound(2)).contains(&x) && (bound(1)..=bound(3)).contains(&z)
        };
        let player = self.player_for(id);
        let context = self.at(id);
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
            if player_at(self.at(id), player, ahead) {
                phase = 0;
                // Not the first tick: the box is not asked again.
                self.at(id).amb_cursor = 1;
                break 'retired false;
            }
            let context = self.at(id);
            context.heading = target;
            shift(context, direction(index), step);
            context.amb_cursor = context.amb_cursor.saturating_add(1);
            if u32::from(context.amb_cursor) < (2_u32 << steps).min(255) {
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

/// A variant begins: from its first op.
#[cold]
fn restart(context: &mut Context<'_>, selector: u16) {
    context.stream_variant = Some(selector);
    context.amb_cursor = 0;
    context.tween_cursor = 0;
    context.stream_pc = 0;
    context.wander = (0, 0);
    context.default_move = DEFAULT_MOVE;
}
