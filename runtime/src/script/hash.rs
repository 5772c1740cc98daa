//! What the check sum of a world takes of its scripts ([`crate::scene::world::World::state_hash`]). Structs are
//! taken apart whole: who adds a field decides here whether later frames depend on it.

use super::arc::Arc;
use super::context::{Context, Place};
use super::dialog::Conversation;
use super::mover::Mover;
use super::state::{Character, Ramp, Ramps, State, Target, TimedFlags};
use super::text::{Picker, TextBox};
use super::vm::Vm;
use crate::bytes::Crc32;

/// Bytes of a parked instruction that are fed: more than a walk reads of it.
const PARKED: usize = 8;

/// A number that may be missing.
fn optional(crc: &mut Crc32, number: Option<impl Into<i64>>) {
    crc.words([i64::from(number.is_some()), number.map_or(0, Into::into)]);
}

impl Context<'_> {
    /// Feed all of it. Of a record the length stands for what it says: its number is that of the context.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        let Self {
            live,
            flags,
            x,
            y,
            z,
            f24,
            heading,
            f28,
            touch_count,
            f42,
            script_id,
            wait_accum,
            move_substate,
            f58,
            saved_heading,
            move_id,
            f5e,
            local_flags,
            model,
            model_high,
            f68,
            f6a,
            anim_count,
            scale,
            tint_ctrl,
            tint_amt,
            face,
            face_lerp,
            enable,
            amb_cursor,
            grid_x,
            grid_z,
            y_mirror,
            task,
            saved,
            pc,
            sm_state,
            stream,
            stream_pc,
            stream_variant,
            default_move,
            tween_cursor,
            wander,
        } = *self;
        crc.words([
            flags,
            tint_ctrl,
            task.code().len() as u32,
            stream.len() as u32,
        ]);
        crc.words([x, y, z, f24, f28, wait_accum, move_id, f68, f6a]);
        crc.words([tint_amt, face_lerp, y_mirror]);
        crc.words([heading, touch_count, f42, script_id, move_substate, f58]);
        crc.words([saved_heading, f5e, local_flags, model, model_high, scale]);
        crc.words([pc, sm_state, stream_pc, tween_cursor]);
        crc.words([anim_count, face, enable, amb_cursor, grid_x, grid_z]);
        crc.words([default_move, wander.0, wander.1]);
        crc.words([live, task.stopped().is_some(), saved.is_some()]);
        optional(crc, task.awaits());
        optional(crc, stream_variant);
        if let Some(place) = saved {
            place.feed(crc);
        }
    }
}

impl Place<'_> {
    /// Where it is, and what stands there.
    fn feed(&self, crc: &mut Crc32) {
        let (code, pc) = (self.code(), self.pc());
        // An address has 16 bits; nobody's place is 0.
        let along = self.along().map_or(0, |with| u32::from(with.of) + 1);
        crc.words([code.len() as u32, u32::from(pc) | along << 16]);
        let there = code.get(usize::from(pc)..).unwrap_or_default();
        crc.run(there.get(..PARKED).unwrap_or(there));
    }
}

impl State {
    /// Feed all of it.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        let Self {
            global,
            system,
            slots,
            gold,
            coins,
            members,
            member_count,
            leader,
            view,
            characters,
            resume,
            input_lock,
            scene_reg,
            floor,
            words,
            ramps,
            timed,
            clock,
        } = self;
        crc.update(&system.0);
        crc.words([*global, *clock]);
        crc.words([*gold, *coins]);
        crc.words(*slots);
        crc.words(*floor);
        crc.words(*words);
        crc.words(*scene_reg);
        crc.words(*members);
        crc.words([*member_count, *leader, *view, *resume as u8]);
        crc.words([*input_lock, timed.is_some()]);
        for character in characters {
            let Character {
                hp,
                max_hp,
                mp,
                max_mp,
                level,
            } = *character;
            crc.words([hp, max_hp, mp, max_mp, level]);
        }
        if let Some(TimedFlags {
            expiry,
            below,
            remaining,
            threshold,
        }) = *timed
        {
            crc.words([expiry, below]);
            crc.words([remaining, threshold]);
        }
        ramps.feed(crc);
    }
}

impl Ramps {
    fn feed(&self, crc: &mut Crc32) {
        crc.words([self.len() as u32]);
        for (slot, ramp) in (0_u8..).zip(&self.slots) {
            let Some(Ramp {
                target,
                start,
                end,
                total,
                remaining,
            }) = *ramp
            else {
                continue;
            };
            let [kind, place, field] = match target {
                Target::Context(place, field) => [0, place, field as u8],
                Target::Word(word) => [1, 0, word as u8],
            };
            crc.words([slot, kind, place, field]);
            crc.words([start, end]);
            crc.words([total, remaining]);
        }
    }
}

impl<const N: usize> Vm<'_, N> {
    /// Feed who waits for a parking that has ended, while the other one is parked anew: of all others their contexts
    /// say it.
    fn feed_ended(&self, crc: &mut Crc32) {
        let now = |it| self.contexts.get(usize::from(it)).map(Context::parking);
        for (id, context) in (0_u32..).zip(&self.contexts) {
            let awaits = context.awaits().and_then(now);
            let along = context.saved.and_then(|it| it.along());
            let along = along.filter(|it| now(it.of) != Some(it.number));
            if awaits.is_some_and(|it| !context.task.awaits_parking(it)) || along.is_some() {
                crc.words([id]);
            }
        }
    }

    /// Feed what contexts share, and who is who; the contexts are the caller's.
    pub(crate) fn feed_shared(&self, crc: &mut Crc32) {
        let Self {
            state,
            compat,
            field,
            player,
            system,
            beats,
            engaged,
            // A frame writes these before it reads them, nobody reads those.
            contexts: _,
            mailbox: _,
            handed: _,
            leaving: _,
            spare: _,
            counters: _,
        } = self;
        state.feed(crc);
        field.feed(crc);
        crc.words([*compat as u8]);
        self.feed_ended(crc);
        optional(crc, *player);
        optional(crc, *system);
        crc.words(engaged.places);
        let beats = beats.as_ref();
        optional(crc, beats.map(|it| it.start));
        optional(crc, beats.map(|it| it.end));
    }
}

impl Conversation<'_> {
    /// Feed all of it.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        let Self {
            id,
            phase,
            text,
            picker,
            fault,
            why,
        } = self;
        crc.words([*id, *phase as u8, *why as u8]);
        crc.words([fault.is_some(), picker.is_some()]);
        optional(crc, fault.map(|it| it.pc));
        let TextBox {
            lines,
            count,
            kept,
            shown,
            // Where the writing stands follows from what is shown.
            writes: _,
            left: _,
            more,
            page,
        } = *text;
        crc.words([count, kept, page as u8]);
        crc.words([shown]);
        for line in lines.iter().take(count.into()) {
            crc.run(line.text);
        }
        if let Some(rest) = more.rest {
            crc.words([rest.len() as u32]);
        }
        if let Some(Picker {
            // What follows the options says what they are called.
            labels: _,
            targets,
            count,
            cursor,
            clamps,
        }) = *picker
        {
            crc.words(targets);
            crc.words([count, cursor, clamps.into()]);
        }
    }
}

impl Mover {
    /// Feed all of it.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        let Self {
            start,
            end,
            curve,
            t,
            d,
        } = *self;
        crc.words(start);
        crc.words(end);
        crc.words([curve as u16, t, d]);
    }
}

impl Arc {
    /// Feed all of it.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        let Self {
            from,
            to,
            control,
            step,
            cursor,
        } = *self;
        crc.words(from);
        crc.words(to);
        crc.words([control]);
        crc.words([step, cursor]);
    }
}
