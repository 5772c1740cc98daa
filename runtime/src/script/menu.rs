//! Opcode `4C` (menu-control sheet).

use super::compat::prose;
use super::context::{Context, compass, flag, seat};
use super::decode::pages_len;
use super::fault::Outcome;
use super::host::{
    ActorEvent, AudioEvent, CameraEvent, FlowEvent, Host, ItemEvent, Search, TextEvent, VideoEvent,
};
use super::ops::{bit, vram_move};
use super::state::{Field, PURSE, Paint, Target, TimedFlags, Word};
use super::step::Step;

/// Centre of a tile; 0 for 0 (7.1).
const fn tile_centre(byte: u8) -> i16 {
    if byte == 0 { 0 } else { seat(byte) }
}

impl<H: Host, const N: usize> Step<'_, '_, H, N> {
    /// Execute a `4C`.
    #[inline(never)]
    pub(super) fn menu_control(&mut self, sub: u8) -> Outcome {
        match sub >> 4 {
            0..=2 => self.party_and_colour(sub),
            3 => return self.field(sub),
            4 => return self.ramp(sub),
            5 => return self.seat_and_dialog(sub),
            6 => {
                let operands = self.from(1);
                if sub == 0x60 {
                    self.host.video(self.ctx, vram_move(operands));
                } else {
                    if !self.acquire(sub) {
                        return Outcome::Park;
                    }
                    self.host.video(self.ctx, VideoEvent::Clut(operands));
                }
            }
            7 => self.host.paint(Paint {
                kind: sub & 3,
                columns: (self.b(1), self.b(3)),
                rows: (self.b(2), self.b(4)),
                mask: self.b(5) & 0xF,
            }),
            8 => return self.actors(sub),
            9 => return self.fades(sub),
            0xA => {
                let mask = bit(self.b(1));
                let set = match sub {
                    0xA0 => self.c().flags & mask != 0,
                    0xA1 => u32::from(self.c().local_flags) & mask != 0,
                    0xA2 => self.vm.state.global & mask != 0,
                    _ => false,
                };
                return self.inferred_jump_if(set, 2);
            }
            0xC => return self.waits(sub),
            0xD => return self.presenters(sub),
            0xE => return self.texts(sub),
            _ => {}
        }
        self.advance()
    }

    fn flow_control(&mut self, sub: u8) {
        let operands = self.from(1);
        self.host
            .flow(self.ctx, FlowEvent::Control { sub, operands });
    }

    fn actor_control(&mut self, sub: u8) {
        let operands = self.from(1);
        self.host
            .actor(self.ctx, ActorEvent::Control { sub, operands });
    }

    fn text_control(&mut self, sub: u8) {
        let operands = self.from(1);
        self.host
            .text(self.ctx, TextEvent::Control { sub, operands });
    }

    fn set_word(&mut self, word: Word, value: i32) {
        self.vm.state.set_word(word, value);
    }

    #[inline(never)]
    fn party_and_colour(&mut self, sub: u8) {
        match sub {
            0x00..=0x0F => {
                self.vm.state.leader = sub & 7;
                self.host.item(self.ctx, ItemEvent::PartyChanged);
            }
            0x10 => self.set_word(Word::B7B0, self.m(1) as i32),
            0x12 | 0x13 => {
                let colour = [self.b(1), self.b(2), self.b(3)];
                let (second, ticks) = (sub == 0x13, self.w(4));
                if second {
                    self.ramp_word(Word::Tint2, self.m(1) as i32, ticks);
                }
                self.host.video(
                    self.ctx,
                    VideoEvent::Tint {
                        second,
                        colour,
                        ticks,
                    },
                );
            }
            0x14 => self.actor_control(sub),
            0x11 | 0x15..=0x1F => self.flow_control(sub),
            _ => {
                let views = [self.vm.state.view, sub & 7];
                self.vm.state.view = sub & 7;
                if let Some(player) = self.vm.player {
                    let (held, turns) = (self.host.pad(), prose::VIEW_TURNS_PLAYER);
                    let player = self.vm.at(player);
                    player.heading = prose::view_heading(player.heading, views, held, turns);
                }
                self.host.item(self.ctx, ItemEvent::PartyChanged);
            }
        }
    }

    #[inline(never)]
    fn field(&mut self, sub: u8) -> Outcome {
        let ctx = self.ctx;
        let soft = self.vm.compat.soft_yields();
        match sub {
            0x30 | 0x31 => {
                self.vm.state.input_lock = sub == 0x30;
                if soft {
                    return Outcome::Yield(self.next());
                }
            }
            // Of the 512 bytes that are cleared, the last 448 are the bank's first.
            0x32 => self
                .vm
                .state
                .system
                .0
                .iter_mut()
                .take(448)
                .for_each(|it| *it = 0),
            0x33 => self.host.item(ctx, ItemEvent::PartyChanged),
            0x35 => {
                let context = self.c();
                context.local_flags = context.local_flags & 0xFF7F | 0x020A;
            }
            0x36 => self.c().local_flags |= 0x028A,
            0x37 => {
                if let Some(player) = self.vm.player.filter(|&it| it != ctx) {
                    self.copy_place(player);
                }
                if soft {
                    return Outcome::Yield(self.next());
                }
            }
            0x38 | 0x3D => self.refresh_regions(),
            0x39 => {
                self.refresh_regions();
                if let Some(player) = self.vm.player {
                    self.settle(player);
                }
                self.host.camera(ctx, CameraEvent::Resync);
            }
            0x3A => {
                if let Some(player) = self.vm.player {
                    self.vm.at(player).heading = self.host.arrival_heading();
                }
            }
            0x3E => self.host.camera(ctx, CameraEvent::Resync),
            0x3F => self.actor_control(sub),
            _ => {}
        }
        self.advance()
    }

    /// Without a player there is no place to ask about.
    fn refresh_regions(&mut self) {
        if let Some(player) = self.vm.player {
            let Context { x, z, .. } = *self.vm.at(player);
            self.host.flow(self.ctx, FlowEvent::RegionRefresh([x, z]));
        }
    }

    /// Position and heading of another context onto this one.
    #[inline(never)]
    fn copy_place(&mut self, from: u8) {
        let other = *self.vm.at(from);
        let context = self.c();
        (context.x, context.y, context.z) = (other.x, other.y, other.z);
        context.heading = other.heading;
        if context.flags & flag::MIRROR != 0 {
            context.y_mirror = other.y.wrapping_neg();
        }
    }

    /// Family 4: write now, or over ticks (menu-control sheet, section 2).
    #[inline(never)]
    fn ramp(&mut self, sub: u8) -> Outcome {
        let (value, ticks) = (self.s(1), self.w(3));
        let wide = i32::from(value);
        let compat = self.vm.compat;
        match sub {
            0x40 => self.ramp_field(Field::Scale, wide, ticks),
            0x41 => {
                let half = if compat.pace_clamps() {
                    value.max(0) >> 1
                } else {
                    value >> 1
                };
                let pace = if half == 0 { 1 } else { half };
                self.ramp_field(Field::Pace, i32::from(pace), ticks);
            }
            0x42 => {
                self.ramp_field(Field::YMirror, wide, ticks);
            }
            0x43 if ticks == 0 && compat.ramps_jump() => return Outcome::Advance(self.w(1)),
            0x44 if ticks != 0 && compat.ramps_jump() => return Outcome::Advance(self.w(1)),
            0x43 => self.ramp_field(Field::F24, wide, ticks),
            0x44 => self.ramp_field(Field::F28, wide, ticks),
            0x45 => {
                let operands = self.from(1);
                self.host.video(self.ctx, VideoEvent::RenderBlock(operands));
                if compat.soft_yields() && self.w(8) != 0 {
                    return Outcome::Yield(self.next());
                }
            }
            0x46 | 0x47 if self.host.words_gated() => {
                self.set_word(Word::B92C, 0);
                self.set_word(Word::B930, 0);
            }
            0x46 => self.ramp_word(Word::B92C, wide, ticks),
            0x47 => self.ramp_word(Word::B930, wide, ticks),
            0x48 => self.ramp_field(Field::Heading, wide, ticks),
            0x49 => {
                let player_y = self.vm.player.map_or(0, |id| i32::from(self.vm.at(id).y));
                let global = self.vm.state.global;
                let target = if global & 0x0200_0000 != 0 {
                    self.set_word(Word::Bcac, wide - player_y);
                    wide
                } else if global & 0x0100_0000 != 0 {
                    wide + player_y
                } else {
                    wide
                };
                self.ramp_word(Word::SceneY, target, ticks);
                if compat.soft_yields() && ticks != 0 {
                    return Outcome::Yield(self.pc);
                }
            }
            0x4A => self.ramp_word(Word::Bcd0, wide, ticks),
            0x4B => self.ramp_word(Word::Bcd4, wide, ticks),
            0x4C => self.ramp_word(Word::Bcd8, wide, ticks),
            // The duck of the sound, a share of the level that the player has chosen.
            _ => {
                let level = i32::from(self.host.audio_level());
                self.ramp_word(Word::B910, (wide * level) >> 12, ticks);
            }
        }
        self.advance()
    }

    pub(super) fn ramp_field(&mut self, field: Field, end: i32, ticks: u16) {
        let ctx = self.ctx;
        let context = self.c();
        let start = context.field(field);
        if ticks == 0 {
            context.set_field(field, end);
        } else {
            self.vm
                .state
                .ramps
                .install(Target::Context(ctx, field), start, end, ticks);
        }
    }

    fn ramp_word(&mut self, word: Word, end: i32, ticks: u16) {
        if ticks == 0 {
            self.set_word(word, end);
        } else {
            let start = self.vm.state.word(word);
            self.vm
                .state
                .ramps
                .install(Target::Word(word), start, end, ticks);
        }
    }

    #[inline(never)]
    fn seat_and_dialog(&mut self, sub: u8) -> Outcome {
        let ctx = self.ctx;
        match sub {
            0x50 => {
                let model = self.s(1);
                let context = self.c();
                context.model = model as u16;
                context.flags &= !flag::ANIMATING;
                context.set_flag(flag::SPECIAL_MODEL, model >= 0xF0);
                self.host.actor(ctx, ActorEvent::SetModel(model));
            }
            0x51 => {
                let (x, z) = (seat(self.b(1)), seat(self.b(2)));
                let (facing, clip) = (self.b(3), self.b(4));
                if !self.vm.compat.host_seats() {
                    let context = self.c();
                    (context.x, context.z) = (x, z);
                    if let Some(heading) = compass(facing & 0xF) {
                        context.heading = heading;
                    }
                    context.set_flag(flag::SPECIAL_MODEL, facing & 0x80 != 0);
                    context.move_id = i16::from(clip);
                    self.settle(ctx);
                }
                self.host
                    .actor(ctx, ActorEvent::Seat { x, z, facing, clip });
            }
            0x52 => self.host.item(ctx, ItemEvent::Take(self.b(1))),
            0x53 => {
                let busy = self.host.dialog_busy(1);
                return if busy && !self.vm.compat.polls_blindly() {
                    Outcome::Park
                } else if prose::DIALOG_GOES_ON {
                    self.advance()
                } else {
                    Outcome::ParkAt(self.next())
                };
            }
            _ => {
                let busy = self.host.dialog_busy(0);
                return self.park_unless(!busy);
            }
        }
        self.advance()
    }

    #[inline(never)]
    fn actors(&mut self, sub: u8) -> Outcome {
        let ctx = self.ctx;
        match sub {
            0x80 => {
                if self.host.crawl_running() || !self.acquire(sub) {
                    return Outcome::Park;
                }
                let (count, pages) = (self.b(1), self.behind());
                let pages = pages_len(pages, count)
                    .and_then(|len| pages.get(..len))
                    .unwrap_or(pages);
                self.host.text(ctx, TextEvent::Crawl { count, pages });
                self.instr.len = self.vm.whole_length(&self.instr, self.code, self.pc);
            }
            0x81 => {
                let (value, amount, ticks) = (self.m(1), self.w(4), self.w(6));
                self.c().tint_amt = amount as i16;
                self.ramp_field(Field::Tint, value as i32, ticks);
            }
            0x82 => {
                let slot = self.b(1);
                let state = &mut self.vm.state;
                let member = state.party().get(usize::from(slot)).copied();
                let place = member.and_then(|it| state.characters.get_mut(usize::from(it)));
                if let Some(character) = place {
                    character.hp = character.max_hp;
                    character.mp = character.max_mp;
                }
                self.host.item(ctx, ItemEvent::Healed(slot));
            }
            0x84 => self.host.camera(ctx, CameraEvent::Shake(self.b(1))),
            0x85 | 0x8E | 0x8F => {
                let acquired = self.acquire(sub);
                return self.park_unless(acquired);
            }
            0x86 => {
                let values = [1, 3, 5, 7, 9, 11].map(|at| self.s(at));
                if let Some(id) = self.vm.resolve(self.b(13)) {
                    let context = self.vm.at(id);
                    [context.x, context.y, context.z] = [values[0], values[1], values[2]];
                    [context.f24, context.f28] = [values[3], values[5]];
                    context.heading = values[4] as u16;
                    self.actor_control(sub);
                }
            }
            0x87 => {
                self.actor_control(sub);
                if self.vm.compat.one_shots_park() {
                    return Outcome::Park;
                }
            }
            0x89 => {
                self.set_word(Word::CardY, i32::from(self.s(1)));
                self.text_control(sub);
            }
            0x8B => return self.inferred_jump_if(self.host.actor_type_live(self.b(1)), 2),
            0x8C => {
                let clear = self.c().f68 == 0;
                return self.inferred_jump_if(clear, 1);
            }
            0x8D => {
                return match self.host.actor_search(self.b(1), self.b(2)) {
                    Search::Empty => self.advance(),
                    Search::Found => self.inferred_jump(3),
                    Search::Other => Outcome::Park,
                };
            }
            0x88 => {
                let values = [i32::from(self.s(1)), self.b(3).into(), self.b(4).into()];
                let words = [Word::A88, Word::B88, Word::C88];
                words
                    .into_iter()
                    .zip(values)
                    .for_each(|(word, it)| self.set_word(word, it));
                self.flow_control(sub);
            }
            0x8A => {
                let values = [1, 3, 5].map(|at| i32::from(self.s(at)));
                let words = [Word::A8a, Word::B8a, Word::C8a];
                words
                    .into_iter()
                    .zip(values)
                    .for_each(|(word, it)| self.set_word(word, it));
                self.set_word(Word::D8a, self.m(7) as i32);
                self.flow_control(sub);
            }
            // 83
            _ => self.flow_control(sub),
        }
        self.advance()
    }

    #[inline(never)]
    fn fades(&mut self, sub: u8) -> Outcome {
        match sub {
            0x9E => {
                // Plain in the asset, negated at run time.
                let heights: [i16; 16] = core::array::from_fn(|tier| self.s(1 + 2 * tier));
                self.vm.state.floor = heights.map(i16::wrapping_neg);
                self.flow_control(sub);
            }
            0x9F => {
                self.host.video(self.ctx, VideoEvent::CancelFades);
                if self.vm.compat.one_shots_park() {
                    return Outcome::Park;
                }
            }
            _ => {
                let operands = self.from(1);
                self.host
                    .video(self.ctx, VideoEvent::Fade { sub, operands });
            }
        }
        self.advance()
    }

    #[inline(never)]
    fn waits(&mut self, sub: u8) -> Outcome {
        let ctx = self.ctx;
        let blind = self.vm.compat.polls_blindly();
        match sub {
            0xC0 => {
                if self.c().move_id > 0 {
                    self.c().move_id = 0;
                    self.host.actor(ctx, ActorEvent::CancelClip);
                }
            }
            0xC1 => self.flow_control(sub),
            0xC2 => self.c().f42 = u16::from(self.instr.operands.get(1).copied().unwrap_or(0)),
            0xC3 => {
                let script = self.c().script_id;
                if let Some([x, z]) = self.host.header_seat(script) {
                    (self.c().x, self.c().z) = (x, z);
                    self.settle(ctx);
                }
                self.actor_control(sub);
            }
            0xC4 => {
                let at = [self.b(1) & 0x7F, self.b(2) & 0x7F].map(seat);
                self.host.flow(ctx, FlowEvent::RegionRefresh(at));
            }
            0xC5 => return self.park_unless(blind || self.vm.state.system.test(self.w(1))),
            0xC6 => return self.park_unless(blind || !self.vm.state.system.test(self.w(1))),
            0xC7 => self.host.audio(
                ctx,
                AudioEvent::Sfx {
                    bank: self.b(1),
                    id: self.b(2),
                },
            ),
            0xC8 => self.c().tint_ctrl ^= 0x1000_0000,
            0xC9 => return self.park_unless(self.host.bgm_settled()),
            0xCA => self.vm.state.set_slot(self.b(1), self.s(2)),
            0xCB | 0xCC => {
                let amount = match self.w(2) {
                    0xFFFF => i16::from(self.host.vsync_delta()),
                    amount => amount as i16,
                };
                let slot = self.b(1);
                let value = self.vm.state.slot(slot);
                let value = if sub == 0xCB {
                    value.wrapping_add(amount)
                } else {
                    value.wrapping_sub(amount)
                };
                self.vm.state.set_slot(slot, value);
            }
            0xCD => return self.park_unless(!blind && !self.host.camera_moving()),
            0xCE => self.set_word(Word::B6ac, i32::from(self.b(1))),
            _ => {
                let (b1, b2) = (self.b(1), self.b(2));
                let context = self.c();
                let place = |byte, own| match byte {
                    0 => 0,
                    0xFF => own,
                    tile => i16::from(tile) << 7 | 0x40,
                };
                let (x, z) = (place(b1, context.x), place(b2, context.z));
                self.host.audio(ctx, AudioEvent::Anchor { x, z });
            }
        }
        self.advance()
    }

    #[inline(never)]
    fn presenters(&mut self, sub: u8) -> Outcome {
        let ctx = self.ctx;
        let one_shots_park = self.vm.compat.one_shots_park();
        match sub {
            0xD0 => self.text_control(sub),
            0xD1 => return self.inferred_jump_if(self.host.camera_moving(), 1),
            0xD2 => {
                let id = self.b(1);
                if self.vm.resolve(id).is_none() {
                    self.host.flow(ctx, FlowEvent::Restore(id));
                }
                if one_shots_park {
                    return Outcome::Park;
                }
            }
            0xD3 => {
                let long = |at| u32::from(self.w(at)) | u32::from(self.w(at + 2)) << 16;
                self.vm.state.timed = Some(TimedFlags {
                    expiry: self.w(1),
                    below: self.w(3),
                    remaining: long(5),
                    threshold: long(9),
                });
            }
            0xD4 | 0xD5 => {
                let (set, x, y) = (sub == 0xD4, self.w(1), self.w(3));
                self.host.video(ctx, VideoEvent::Stp { set, x, y });
            }
            0xD6 => {
                let mode = self.b(1);
                let context = self.c();
                let word = context.tint_ctrl;
                context.tint_ctrl = if mode == 4 {
                    word & 0x7FFF_FFFF
                } else {
                    word & 0x7CFF_FFFF | 0x8000_0000 | u32::from(mode) << 24
                };
                if one_shots_park {
                    return Outcome::Park;
                }
            }
            0xD7 => {
                self.host.camera(ctx, CameraEvent::Cancel);
                if one_shots_park {
                    return Outcome::Park;
                }
            }
            0xD8 => self.actor_control(sub),
            0xD9 => {
                let operand = self.s(1);
                let context = self.c();
                context.flags |= flag::MIRROR;
                let value = if operand == 9999 {
                    context.y.wrapping_neg()
                } else {
                    operand
                };
                context.y_mirror = value;
                context.y = value.wrapping_neg();
            }
            0xDA => {
                self.c().flags &= !flag::MIRROR;
                self.settle(ctx);
            }
            0xDC | 0xDE => {
                let found = self.host.record_search(self.b(1), sub == 0xDC);
                return self.inferred_jump_if(found, 2);
            }
            0xDD => {
                let value = u16::from(self.b(1));
                self.c().f58 = value;
            }
            0xDF => self.set_word(Word::SceneCtrl, i32::from(self.b(1))),
            _ => self.flow_control(sub),
        }
        self.advance()
    }

    #[inline(never)]
    fn texts(&mut self, sub: u8) -> Outcome {
        let ctx = self.ctx;
        match sub {
            0xE0 => {
                match self.b(1) {
                    // The flag of the dialogue: the host hears of it.
                    0 => {}
                    lines @ 1..=99 => self.set_word(Word::Lines, i32::from(lines)),
                    picker => self.set_word(Word::Picker, i32::from(picker) - 100),
                }
                self.text_control(sub);
            }
            0xE1 => {
                let packet = self.from(1);
                let packet = packet
                    .get(..super::decode::text_len(packet))
                    .unwrap_or_default();
                if !packet.is_empty() {
                    self.host.text(ctx, TextEvent::Balloon(packet));
                }
            }
            0xE2 => {
                self.vm.leaving = true;
                self.host.flow(ctx, FlowEvent::Fmv(self.s(1)));
            }
            0xE3 => {
                if let Some(other) = self.vm.resolve(self.b(1)) {
                    self.copy_place(other);
                }
            }
            0xE4 => {
                let corners = [1, 2, 3, 4].map(|at| tile_centre(self.b(at)));
                let context = self.c();
                let place = [context.x, context.z];
                let inside = self.host.in_box(ctx, place, corners);
                if !inside && self.vm.compat.box_parks() {
                    return Outcome::Park;
                }
                return self.jump_if(!inside, 5);
            }
            0xE5 => {
                let delta = self.signed24(1);
                let coins = self.vm.state.coins.saturating_add(delta);
                self.vm.state.coins = coins.clamp(0, PURSE);
                self.vm.state.system.set(8);
                self.host.item(ctx, ItemEvent::Coins(delta));
            }
            0xE7 => {
                let (value, ticks) = (self.m(1), self.w(4));
                self.host.camera(ctx, CameraEvent::Word { value, ticks });
            }
            0xE8 => self.text_control(sub),
            0xEA => {
                self.host.flow(ctx, FlowEvent::GameOver);
                if self.vm.compat.one_shots_park() {
                    return Outcome::Park;
                }
                self.vm.leaving = true;
            }
            0xEB => {
                let absent = self.vm.resolve(self.b(1)).is_none();
                return self.inferred_jump_if(absent, 2);
            }
            0xED => self.set_word(Word::Ba66, i32::from(self.b(1))),
            0xEE => {
                self.set_word(Word::Clock, self.vm.state.clock as i32);
                self.flow_control(sub);
            }
            // E6, E9, EC
            _ => self.flow_control(sub),
        }
        self.advance()
    }
}
