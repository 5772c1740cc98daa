//! Beats: records of partition 2 that a tile or a script starts (field sheet, sections 10.2 and 10.3).

use super::World;
use super::body::Body;
use super::frame::Frame;
use crate::scene::man::{Partition, Script};
use crate::scene::scripts;
use crate::script::context::Context;
use crate::script::dis::{Item, lines};
use crate::script::{Compat, Spawn, decode::decode};

/// Steps of an idle loop that are followed.
const IDLE: usize = 8;
/// Op `3F`.
const SCENE_CHANGE: u8 = 0x3F;

/// Whether a script has a scene change anywhere: on the overworld it is a portal's.
fn is_portal(script: &Script<'_>) -> bool {
    lines(script.base, script.pc0.into())
        .any(|line| matches!(line.item, Item::Instr(instr) if instr.opcode == SCENE_CHANGE))
}

/// Whether a script spins where nothing but ends of frames and jumps lies: there is no end opcode, and so
/// scripts end (field VM sheet, 1.1).
pub(super) fn is_over(context: &Context<'_>) -> bool {
    if context.stopped().is_some() {
        return true;
    }
    if context.halted() || context.awaits().is_some() {
        return false;
    }
    let mut pc = context.pc;
    for _ in 0..IDLE {
        let Ok(instr) = decode(context.code(), pc.into(), Compat::Retail) else {
            return false;
        };
        if instr.target.is_some() {
            return false;
        }
        pc = match instr.opcode {
            0x21 | 0x24 | 0x25 | 0x48 => pc.wrapping_add(1),
            0x26 => instr.jump_target(pc.into()).unwrap_or(pc),
            _ => return false,
        };
        if pc == context.pc {
            return true;
        }
    }
    false
}

impl<const N: usize> World<'_, N> {
    /// The beats of this frame's crossing, where their story flags let them start. Those that the scene does not
    /// have are counted.
    pub(super) fn start_beats(&mut self, frame: &mut Frame) {
        for index in frame.crossed.beats.into_iter().flatten() {
            let Some(man) = self.stage.man else {
                continue;
            };
            let portal = |script| self.stage.overworld && is_portal(script);
            match (
                man.flat(Partition::Beat, index.into()),
                man.beat(index.into()),
            ) {
                (Ok(flat), Ok(beat)) if !portal(&beat.script) => self.start_beat(flat, frame),
                (Ok(_), Ok(_)) => {}
                _ => frame.missing = frame.missing.saturating_add(1),
            }
        }
    }

    /// Run the beat with a flat number, if its conditions hold.
    pub(super) fn start_beat(&mut self, flat: u32, frame: &mut Frame) {
        let Some(man) = self.stage.man else {
            return;
        };
        match scripts::spawn(&mut self.vm, &man, flat) {
            Some(Spawn::Started(place)) => {
                self.tie(place, Body::Beat);
                frame.started = frame.started.saturating_add(1);
            }
            Some(Spawn::Blocked) => frame.blocked = frame.blocked.saturating_add(1),
            Some(Spawn::Full) => frame.full = frame.full.saturating_add(1),
            None => frame.missing = frame.missing.saturating_add(1),
        }
    }

    /// Beats that have come to their end make room.
    pub(super) fn end_beats(&mut self) {
        for place in Self::places() {
            let beat = self.bodies.get(usize::from(place)) == Some(&Body::Beat);
            let context = self.vm.contexts.get(usize::from(place));
            if beat
                && context.is_some_and(|it| it.live && is_over(it))
                && !self.vm.is_engaged(place)
            {
                self.vm.remove(place);
            }
        }
    }
}
