//! What the instructions do, opcode `4C` apart (section 7).

use super::compat::prose;
use super::context::{compass, flag, seat};
use super::fault::{Counters, Outcome};
use super::host::{
    ActorEvent, AudioEvent, CameraEvent, FlowEvent, Host, ItemEvent, TextEvent, VideoEvent,
};
use super::simple::{Simple, simple};
use super::state::{Field, PURSE, Resume, SystemFlags};
use super::step::Step;
use super::vm::Vm;
use crate::bytes::i16_at;

/// A face slot that has turned the whole way: 1 in 20.12. (The sheet names the ramp, not its end.)
const FACE_WHOLE: i32 = 0x1000;

/// Mask of bit `bit & 1F`.
#[inline]
pub(super) const fn bit(bit: u8) -> u32 {
    1 << (bit & 0x1F)
}

/// A copy within VRAM: X and Y of the source, width, height, X and Y of the destination as words.
pub(super) fn vram_move(operands: &[u8]) -> VideoEvent<'static> {
    let [x, y, w, h, to_x, to_y] = [0, 2, 4, 6, 8, 10].map(|at| i16_at(operands, at).unwrap_or(0));
    VideoEvent::VramMove {
        from: [x, y],
        size: [w, h],
        to: [to_x, to_y],
    }
}

/// Labels of scenes: one to eight small letters, digits, underscores.
fn label(name: &[u8]) -> Option<&str> {
    let clean = |it: &u8| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_');
    let good = (1..=8).contains(&name.len()) && name.iter().all(clean);
    core::str::from_utf8(name).ok().filter(|_| good)
}

impl<H: Host, const N: usize> Step<'_, '_, H, N> {
    /// Execute it.
    pub fn execute(mut self) -> Outcome {
        let (a, opcode) = (self.b(0), self.instr.opcode);
        let ctx = self.ctx;
        match opcode {
            0x22 => {
                let player = self.is_player();
                let context = self.c();
                context.move_id = i16::from(a);
                context.f5e = 0xFFFE;
                if !player {
                    context.move_substate = if a == 0 { 5 } else { 1 };
                }
                self.host.actor(ctx, ActorEvent::ExecMove(a));
            }
            0x23 => {
                let (x, z, grid_z) = (seat(a), seat(self.b(1)), self.b(1));
                let context = self.c();
                (context.x, context.z) = (x, z);
                (context.grid_x, context.grid_z) = (a, grid_z);
                context.amb_cursor = 0;
                // A wander under way begins anew, with its box.
                context.wander = (0, 0);
                let flags = self.c().flags;
                if prose::seat_has_height(flags, prose::SEAT_HEIGHT_IS_GATED) {
                    self.settle(ctx);
                }
                self.host.actor(ctx, ActorEvent::MoveTo { x, z });
            }
            0x34 => {
                // The port waits at a capture that finds its actor.
                let captures = matches!(a, 0x20..=0x2F) && self.vm.compat.captures_wait();
                let waits = captures && self.host.effect_live(ctx);
                self.effect(a);
                if waits {
                    return Outcome::Yield(self.pc);
                }
            }
            0x35 => {
                let (id, sub) = (self.s(0), self.b(2));
                let waits = matches!(sub, 9 | 10) && !self.vm.compat.music_never_parks();
                if waits && !self.host.bgm_settled() {
                    return Outcome::Park;
                }
                self.host.audio(ctx, AudioEvent::Bgm { id, sub });
            }
            0x36 => {
                let (selector, argument) = (self.w(0), self.w(2));
                self.host
                    .audio(ctx, AudioEvent::Sound { selector, argument });
                let waits = matches!(selector, 0xFFFF | 0 | 0x8000 | 0x8002 | 0x8003);
                return self.park_unless(!waits || !self.host.sound_busy(selector, argument));
            }
            0x37 | 0x41 | 0x47 => {
                self.halt_walk();
                return Outcome::Yield(self.next());
            }
            0x38 => {
                if self.b(1) & 0x7F != 0 {
                    let own = self.parks_both();
                    return match self.acquire(0x38) {
                        true if own => Outcome::Yield(self.next()),
                        // Another one turns, and the slice goes on (3.2).
                        true => self.advance(),
                        false => Outcome::Park,
                    };
                }
                if let Some(heading) = compass(a & 0xF) {
                    self.c().heading = heading;
                }
            }
            0x39 => self.host.item(ctx, ItemEvent::Give(a)),
            0x3A => {
                let delta = self.signed24(0);
                let gold = self.vm.state.gold.saturating_add(delta);
                self.vm.state.gold = gold.clamp(0, PURSE);
                self.host.item(ctx, ItemEvent::Money(delta));
            }
            0x3B => self.host.item(
                ctx,
                ItemEvent::SetCount {
                    slot: a,
                    count: self.b(1),
                },
            ),
            0x3C => {
                self.vm.state.add_member(a);
                self.host.item(ctx, ItemEvent::PartyChanged);
            }
            0x3D => {
                self.vm.state.remove_member(a);
                self.host.item(ctx, ItemEvent::PartyChanged);
            }
            0x3E => self.interact(a),
            0x3F => return self.scene_change(),
            0x42 => {
                let taken = match a {
                    0 => self.host.region_mask() & bit(self.b(1)) != 0,
                    _ => self.pad_test(self.b(1)),
                };
                return self.jump_if(taken, 2);
            }
            0x43 => return self.actor(a),
            0x44 => {
                let known = self.vm.beats.as_ref();
                if known.is_none_or(|it| it.contains(&u32::from(a))) {
                    self.host.flow(ctx, FlowEvent::SpawnRecord(a));
                } else {
                    Counters::add(&mut self.vm.counters.no_beats);
                }
            }
            0x45 => return self.camera(a),
            0x46 => {
                let b = self.b(1);
                let event = if a == 0x24 {
                    VideoEvent::RenderLong([b, self.b(2), self.b(3), self.b(4)])
                } else {
                    VideoEvent::RenderShort([
                        !(a >> 1),
                        2u8.wrapping_sub(b >> 1),
                        (a >> 1).wrapping_sub(1),
                        (b >> 1).wrapping_add(2),
                    ])
                };
                self.host.video(ctx, event);
            }
            0x49 => {
                let outcome = self.vm.menu(self.host, ctx, self.code, self.pc, a);
                return outcome.unwrap_or_else(|| self.advance());
            }
            0x4B => {
                let context = self.c();
                context.flags |= flag::ANIMATING;
                context.local_flags = context.local_flags & 0xD3FF | 0x1000;
                context.anim_count = a;
                let (base, keyframes) = (self.b(1), self.from(2));
                self.host
                    .actor(ctx, ActorEvent::Animate { base, keyframes });
            }
            0x4C => return self.menu_control(a),
            0x4D => {
                let plain = self.vm.state.global & 0x2_0000 != 0;
                let context = self.c();
                let bias = if plain { 0 } else { 0x40 };
                let [x, z] = [context.x, context.z].map(|it| (i32::from(it) - bias) >> 7);
                let within = |low: u8, it, high: u8| i32::from(low) <= it && it <= i32::from(high);
                let inside = within(a, x, self.b(2)) && within(self.b(1), z, self.b(3));
                return self.jump_if(!inside, 4);
            }
            0x4E => {
                let taken = self.compare();
                return self.jump_if(taken, 4);
            }
            0x4F => self.vm.state.scene_reg = [0, 1, 2].map(|it| u16::from(self.b(it))),
            // 40: skipped. The others are simple.
            _ => {
                let first = self.first_operand();
                let operands = self.instr.operands;
                let dt = self.host.vsync_delta();
                let compat = self.vm.compat;
                let (state, context) = self.vm.state_and(ctx);
                let operand = |at| match at {
                    0 => first,
                    at => operands.get(at).copied(),
                };
                return match simple(state, context, opcode, operand, dt, compat) {
                    Simple::Next(_) | Simple::Frame | Simple::Other => self.advance(),
                    Simple::Park => Outcome::Park,
                    Simple::Jump(at, _) => self.jump(usize::from(at) - 1),
                };
            }
        }
        self.advance()
    }

    /// The first operand of a simple instruction. A system flag of the extended form is counted: no authored
    /// one is known, and which byte tells its number is not settled (section 2).
    fn first_operand(&mut self) -> Option<u8> {
        let first = self.instr.operands.first().copied();
        if self.instr.target.is_none() || self.instr.opcode < 0x50 {
            return first;
        }
        Counters::add(&mut self.vm.counters.extended_flags);
        if prose::FLAG_IN_ID {
            return self.instr.target;
        }
        first
    }

    /// `34` (7.6).
    #[inline(never)]
    fn effect(&mut self, sub: u8) {
        let ctx = self.ctx;
        if sub < 0x10 {
            let (mode, colour) = (sub, [self.b(1), self.b(2), self.b(3)]);
            let ticks = self.s(4);
            return self.host.video(
                ctx,
                VideoEvent::EffectColor {
                    mode,
                    colour,
                    ticks,
                },
            );
        }
        let payload = if sub < 0x30 { self.payload() } else { None };
        let operands = self.from(1);
        self.host.actor(
            ctx,
            ActorEvent::Effect {
                sub,
                operands,
                payload,
            },
        );
        self.instr.len = self.vm.whole_length(&self.instr, self.code, self.pc);
    }

    /// `3E` (7.12).
    #[inline(never)]
    fn interact(&mut self, what: u8) {
        let ctx = self.ctx;
        self.vm.state.system.set(SystemFlags::INTERACT);
        if what < 100 || what == 0xFF {
            self.vm.leaving = what == 0xFF;
            return self.host.flow(ctx, FlowEvent::Interact(what, self.b(1)));
        }
        // A scene without a player: the script's own context stands for it.
        let player = self
            .vm
            .player
            .filter(|_| !self.vm.compat.warp_unlocks_self());
        self.vm.at(player.unwrap_or(ctx)).flags &= !flag::LOCKED;
        self.vm.leaving = true;
        self.host.flow(ctx, FlowEvent::MinigameWarp(what - 100));
    }

    /// `3F` (7.13).
    #[inline(never)]
    fn scene_change(&mut self) -> Outcome {
        let len = usize::from(self.b(2));
        let name = self.from(3).get(..len).unwrap_or_default();
        let Some(name) = label(name) else {
            Counters::add(&mut self.vm.counters.bad_names);
            return self.advance();
        };
        if self.host.crawl_running() {
            return Outcome::Park;
        }
        let entry = [self.b(3 + len), self.b(4 + len)];
        let (index, direction) = (self.s(0), self.b(5 + len));
        self.vm.leaving = true;
        let event = FlowEvent::SceneChange {
            index,
            name,
            entry,
            direction,
        };
        self.host.flow(self.ctx, event);
        self.advance()
    }

    /// `42` mode 1 (7.14).
    fn pad_test(&self, what: u8) -> bool {
        let pad = self.host.pad();
        match what {
            0..=7 => pad & 0xF000 == self.host.pad_direction(what),
            8 => pad & 0x20 != 0,
            9 => pad & 0x40 != 0,
            10 => pad & 0x80 != 0,
            11 => pad & 0x10 != 0,
            _ => true,
        }
    }

    /// `43` (7.15).
    #[inline(never)]
    fn actor(&mut self, sub: u8) -> Outcome {
        let ctx = self.ctx;
        let operands = self.from(1);
        let event = match sub {
            0 | 1 | 0xA | 0xB => return self.hop(sub),
            2 => {
                let ids = [self.b(1), self.b(2), self.b(3)];
                if ids.iter().any(|&id| self.vm.resolve(id).is_none()) {
                    return self.advance();
                }
                ActorEvent::Actor { sub, operands }
            }
            3..=6 => {
                let tiles = [self.b(1), self.b(2), self.b(3), self.b(4)];
                let (start, end) = (self.s(5), self.s(7));
                self.host.camera(
                    ctx,
                    CameraEvent::ZoneRamp {
                        axis: sub,
                        tiles,
                        start,
                        end,
                    },
                );
                return self.advance();
            }
            7 => {
                let (face, ticks) = (self.b(1), self.s(14));
                self.c().face = face;
                // Negative ones are over at once.
                self.ramp_field(Field::FaceLerp, FACE_WHOLE, ticks.max(0) as u16);
                ActorEvent::Actor { sub, operands }
            }
            8 => {
                let context = self.c();
                (context.face, context.face_lerp) = (0, 0);
                ActorEvent::Actor { sub, operands }
            }
            9 => {
                let (to, ticks) = ([self.w(1), self.w(3), self.w(5)], self.w(7));
                if ticks == 0 {
                    let context = self.c();
                    let places = [&mut context.x, &mut context.y, &mut context.z];
                    for (place, value) in places.into_iter().zip(to) {
                        if value != 0xFFFF {
                            *place = value as i16;
                        }
                    }
                    return self.advance();
                }
                ActorEvent::Tween { to, ticks }
            }
            0x12 => {
                self.copy_rectangle(operands);
                return self.advance();
            }
            0x10..=0x15 => {
                self.host.video(ctx, VideoEvent::Screen { sub, operands });
                return self.advance();
            }
            _ => ActorEvent::Actor { sub, operands },
        };
        self.host.actor(ctx, event);
        self.advance()
    }

    /// `43` 12: one copy within VRAM, or two where the rectangle is wider than a byte tells, the right
    /// part first.
    #[inline(never)]
    fn copy_rectangle(&mut self, operands: &[u8]) {
        let ctx = self.ctx;
        let mut whole = vram_move(operands);
        if let VideoEvent::VramMove { from, size, to } = &mut whole {
            let ([x, y], [width, height], [to_x, to_y]) = (*from, *size, *to);
            if width > 0xFF {
                let right = VideoEvent::VramMove {
                    from: [x.wrapping_add(0xF0), y],
                    size: [width - 0xE0, height],
                    to: [to_x.wrapping_add(0x100), to_y],
                };
                self.host.video(ctx, right);
                *size = [0x100, height];
            }
        }
        self.host.video(ctx, whole);
    }

    /// `43` 0, 1, A, B: an arc to a tile.
    #[inline(never)]
    fn hop(&mut self, sub: u8) -> Outcome {
        let jumps = self.vm.compat.hops_jump();
        if !self.acquire(sub) {
            return if jumps { self.advance() } else { Outcome::Park };
        }
        let (operands, hold) = (self.from(1), self.hold());
        let event = ActorEvent::Hop {
            sub,
            operands,
            hold,
        };
        self.host.actor(self.ctx, event);
        if jumps {
            // The halfword begins with the last operand byte and ends in the next instruction.
            let low = self.instr.operands.last().copied().unwrap_or(0);
            let high = self.behind().first().copied().unwrap_or(0);
            return Outcome::Yield(u16::from_le_bytes([low, high]));
        }
        self.advance()
    }

    /// `45` (7.18).
    #[inline(never)]
    fn camera(&mut self, form: u8) -> Outcome {
        let ctx = self.ctx;
        let event = match form & 0xC0 {
            0x00 => CameraEvent::Configure {
                mask: u16::from_be_bytes([form, self.b(1)]) & 0x3FF,
                values: self.from(4),
                apply: self.w(2),
                curve: (form >> 2) & 0xF,
            },
            0x40 => CameraEvent::Load(self.from(1)),
            0x80 => CameraEvent::Save,
            _ => {
                self.host.camera(ctx, CameraEvent::Apply);
                return self.inferred_jump(1);
            }
        };
        self.host.camera(ctx, event);
        self.advance()
    }

    /// `4E`: whether it jumps (7.24).
    #[inline(never)]
    fn compare(&mut self) -> bool {
        let (page, mode) = (self.b(0), self.b(1));
        let (sub, low) = (mode >> 4, self.w(2));
        let state = &self.vm.state;
        let character = state
            .characters
            .get(usize::from(page))
            .copied()
            .unwrap_or_default();
        let share = |most: u16| (i64::from(most) * i64::from(low)) >> 8;
        let plain = i64::from(low);
        let wide = i64::from((u32::from(low) | u32::from(self.w(6)) << 16) as i32);
        let (value, argument) = match sub {
            0 => (i64::from(character.hp), share(character.max_hp)),
            1 => (i64::from(character.mp), share(character.max_mp)),
            2 => (i64::from(character.level), plain),
            3 => (i64::from(state.gold), plain),
            4 => (i64::from(self.host.rand() & 0xFF), plain),
            5..=8 => (i64::from(state.slot(sub - 5)), plain),
            9 => (i64::from(state.coins), plain),
            10 => (i64::from(state.gold), wide),
            11 => (i64::from(state.coins), wide),
            _ => return false,
        };
        match mode & 0xF {
            0 => value < argument,
            1 => argument < value,
            _ => false,
        }
    }
}

impl<const N: usize> Vm<'_, N> {
    /// `49`: park, or `None` when the menu has been left.
    fn menu<H: Host>(
        &mut self,
        host: &mut H,
        ctx: u8,
        code: &[u8],
        pc: u16,
        sub: u8,
    ) -> Option<Outcome> {
        match self.state.resume {
            Resume::Idle => {
                self.state.resume = Resume::Armed;
                let bytes = code.get(usize::from(pc)..).unwrap_or_default();
                host.text(ctx, TextEvent::MenuOpen { sub, bytes });
                Some(Outcome::Park)
            }
            Resume::Armed => Some(Outcome::Park),
            Resume::Done => {
                self.state.resume = Resume::Idle;
                None
            }
        }
    }

    /// `49` with a sub-op of no length: A and B open a menu, and a slot in use is honoured. `None`: a
    /// fault, the slot is idle.
    pub(super) fn menu_without_length<H: Host>(&mut self, host: &mut H, id: u8) -> Option<Outcome> {
        let context = self.at(id);
        let (code, pc) = (context.code(), context.pc);
        let (target, sub) = match *code.get(usize::from(pc)..)? {
            [0x80..=0xFF, name, sub, ..] => (self.target(id, name)?, sub),
            [0..=0x7F, sub, ..] => (id, sub),
            _ => return None,
        };
        let extended = *code.get(usize::from(pc))? & 0x80 != 0;
        if matches!(sub, 0..=9 | 0xC | 0xD) {
            // The sub-op has a length: the record is too short for it.
            return None;
        }
        if extended && self.at(target).halted() && !self.is_system(target) {
            return Some(Outcome::Park);
        }
        if self.state.resume == Resume::Idle && sub > 0xD {
            return None;
        }
        self.menu(host, target, code, pc, sub)
    }
}
