//! The check sum of a world's state: equal on every machine after the same frames.

use super::World;
use crate::bytes::Crc32;
use crate::script::Context;

fn words<T: Into<i64>>(crc: &mut Crc32, words: impl IntoIterator<Item = T>) {
    for word in words {
        // Nothing here is wider.
        crc.update(&(word.into() as u32).to_le_bytes());
    }
}

fn context(crc: &mut Crc32, it: &Context<'_>) {
    words(crc, [it.flags]);
    words(crc, [it.x, it.y, it.z, it.f24, it.f28, it.wait_accum]);
    words(crc, [it.heading, it.script_id, it.pc, it.local_flags]);
    words(crc, [it.stream_pc, it.tween_cursor, it.touch_count]);
    words(crc, [it.enable, it.amb_cursor, it.wander.0, it.wander.1]);
    words(crc, [it.move_id, it.face_lerp, it.tint_amt]);
    words(crc, [it.awaits().map_or(0x100, u16::from), it.scale]);
    words(crc, [it.saved.map_or(u32::MAX, |it| it.pc().into())]);
}

impl<const N: usize> World<'_, N> {
    /// A check sum of all that later frames depend on and frames change: CRC-32 (EDB88320h), every number as a
    /// little-endian word. Frames; the field ([`crate::field::Field::feed`]); each script behind its place;
    /// story flags, global bank, purse, slots, clock; the collision grid; random numbers, fight counter, view;
    /// whether somebody speaks.
    #[must_use]
    pub fn state_hash(&self) -> u32 {
        let mut crc = Crc32::new();
        words(&mut crc, [self.ticks]);
        self.field.feed(&mut crc);
        for (place, it) in (0_u16..).zip(&self.vm.contexts) {
            if it.live {
                words(&mut crc, [place]);
                context(&mut crc, it);
            }
        }
        let state = &self.vm.state;
        crc.update(&state.system.0);
        words(&mut crc, [state.global, state.clock]);
        words(&mut crc, [state.gold, state.coins]);
        words(&mut crc, state.slots);
        crc.update(self.stage.map.grid());
        words(
            &mut crc,
            [self.stage.random.0, self.stage.area.regions.mask],
        );
        words(&mut crc, [self.encounter.counter]);
        words(&mut crc, self.stage.view.slots());
        let phase = self
            .talk
            .as_ref()
            .map_or(0, |it| 1 + it.conversation.phase() as u8);
        words(&mut crc, [phase]);
        crc.finish()
    }
}
