//! The check sum of a field's state: equal on every machine after the same frames.

use super::actor::{Actor, Partner};
use super::hop::{Arc, Hop};
use super::precise::Remainder;
use super::state::Field;
use crate::bytes::Crc32;

impl Field {
    /// Feed what frames change, little-endian: the player, each actor behind its slot, the delta, the
    /// mask, the open touches, the fight, the walk since the last regeneration, the mailbox's slot, the
    /// remainder of precise movement, the hop.
    ///
    /// Later frames depend on more, which the host sets and must compare by itself: the settings, what
    /// scripts and dialogs set ([`Field::control`], whose `talking` frames change too), and which ids
    /// the mailbox does not hear, with their standing moves.
    pub fn feed(&self, crc: &mut Crc32) {
        actor(crc, &self.player);
        for (id, it) in self.actors.iter() {
            crc.update(&[id.slot() as u8]);
            actor(crc, it);
        }
        words(crc, &self.delta);
        crc.update(&self.mask.to_le_bytes());
        words(crc, &[self.engaged]);
        crc.update(&self.fight.map_or(u32::MAX, u32::from).to_le_bytes());
        crc.update(&self.walked.to_le_bytes());
        let mail = self.mailbox.read().map_or(u32::MAX, u32::from);
        crc.update(&mail.to_le_bytes());
        // Only precise movement leaves a remainder.
        if self.remainder != Remainder::ZERO {
            for word in self.remainder.get() {
                crc.update(&word.to_le_bytes());
            }
        }
        if let Some(Hop { arc, cursor }) = self.hop {
            words(crc, &[cursor]);
            if let Some(arc) = arc {
                hash_arc(crc, &arc);
            }
        }
    }
}

fn words(crc: &mut Crc32, words: &[i16]) {
    for word in words {
        crc.update(&word.to_le_bytes());
    }
}

fn hash_arc(crc: &mut Crc32, arc: &Arc) {
    let (start, end, cursor) = arc.state();
    words(crc, &start);
    words(crc, &end);
    for word in arc.control() {
        crc.update(&word.to_le_bytes());
    }
    crc.update(&cursor.to_le_bytes());
}

fn actor(crc: &mut Crc32, it: &Actor) {
    crc.update(&it.flags.to_le_bytes());
    words(crc, &[it.x, it.y, it.z, it.touches]);
    for word in it.rotation {
        crc.update(&word.to_le_bytes());
    }
    crc.update(&it.script.to_le_bytes());
    crc.update(&it.saved_heading.to_le_bytes());
    words(crc, &[it.animation, it.bound, it.cursor, it.rate]);
    words(crc, &[it.standing, it.lift]);
    for word in [it.object, it.mode, it.mesh, it.speed] {
        crc.update(&word.to_le_bytes());
    }
    crc.update(&it.render.to_le_bytes());
    for word in it.footprint {
        crc.update(&word.to_le_bytes());
    }
    let partner = match it.partner {
        Partner::None => 0xFFFF,
        Partner::Player => 0xFFFE,
        Partner::Actor(id) => id.slot() as u16,
    };
    crc.update(&partner.to_le_bytes());
    crc.update(&[it.corrected.into(), it.cull, it.draw as u8, it.gait as u8]);
    crc.update(&[it.of_window.into()]);
    let seen = it.seen.map_or([0; 2], |at| [at.x, at.z]);
    crc.update(&[it.seen.is_some().into()]);
    words(crc, &seen);
}
