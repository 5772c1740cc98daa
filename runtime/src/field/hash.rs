//! The check sum of a field's state: equal on every machine after the same frames.

use super::actor::{Actor, Partner};
use super::animate::Gaits;
use super::compat::Compat;
use super::crossing::{Area, Crossing, Regions};
use super::encounter::{Encounter, Modifiers};
use super::hop::{Arc, Hop};
use super::input::{Control, Settings};
use super::precise::Remainder;
use super::state::Field;
use super::touch::Mailbox;
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

    /// Feed the rest of what later frames depend on: settings, what scripts and dialogs set, the mailbox's table,
    /// and how many actors [`Field::feed`] tells of and whether it tells of a hop.
    pub(crate) fn feed_rest(&self, crc: &mut Crc32) {
        let Self {
            settings,
            control,
            mailbox,
            actors,
            hop,
            // Fed already.
            player: _,
            delta: _,
            mask: _,
            engaged: _,
            fight: _,
            walked: _,
            remainder: _,
            // A frame writes these before it reads them.
            contacts: _,
            pace: _,
        } = self;
        let Control {
            forced_slow,
            slow_ground,
            touch_off,
            paused,
            height_off,
            menu_off,
            talking,
        } = *control;
        crc.words([forced_slow, slow_ground, touch_off, paused]);
        crc.words([height_off, menu_off, talking, hop.is_some()]);
        crc.words([actors.len() as u32]);
        let Mailbox {
            slot: _,
            muted,
            moves,
        } = mailbox;
        crc.words(*muted);
        crc.update(moves);
        settings.feed(crc);
    }
}

impl Settings {
    fn feed(&self, crc: &mut Crc32) {
        let Self {
            run_button,
            run_option,
            interact_button,
            menu_button,
            terrain,
            precise,
            debug,
            camera_mode,
            gaits,
            compat,
        } = *self;
        crc.words([run_button, interact_button, menu_button, camera_mode.into()]);
        crc.words([run_option, terrain, precise, debug, gaits.is_some()]);
        if let Some(Gaits { idle, walk, run }) = gaits {
            crc.words([idle, walk, run]);
        }
        compat.feed(crc);
    }
}

impl Compat {
    /// Feed all readings.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        let Self {
            trigger_bias,
            cold_seat,
            contact,
            slide,
            footprint,
            solid_actors,
            solid_props,
            diagonal_cut,
            fallback_marks,
            arrival,
            hop_words_swapped,
            ambient,
            draws,
            glide_frames,
            step_floor,
            walk_repeats,
        } = *self;
        crc.words([trigger_bias]);
        crc.words([cold_seat as u8, contact as u8, footprint as u8]);
        crc.words([diagonal_cut as u8, fallback_marks as u8, arrival as u8]);
        crc.words([ambient as u8, draws as u8]);
        crc.words([slide, solid_actors, solid_props, hop_words_swapped]);
        crc.words([
            glide_frames as u8,
            step_floor as u8 | (walk_repeats as u8) << 1,
        ]);
    }
}

impl Encounter {
    /// Feed what is between two rolls.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        let Self {
            counter,
            last,
            scripted,
            tile,
        } = *self;
        crc.words([counter]);
        // No formation is -1, and no tile has a column of 255.
        crc.words([last, scripted].map(|it| it.map_or(-1, i32::from)));
        crc.words(tile.map_or([u8::MAX; 2], |it| it.to_bytes()));
    }
}

impl Modifiers {
    /// Feed what shifts the rate.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        let Self {
            setting,
            high,
            low,
            twice,
            half,
        } = *self;
        crc.words([setting]);
        crc.words([high, low, twice, half]);
    }
}

impl Crossing {
    /// Feed the last tile.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        tile(crc, self.last);
    }
}

impl Area {
    /// Feed the last tile, and the regions there.
    pub(crate) fn feed(&self, crc: &mut Crc32) {
        let Self {
            tile: last,
            regions: Regions { mask, bounds, ty },
        } = *self;
        tile(crc, last);
        crc.words([mask]);
        crc.words(bounds);
        crc.words([ty]);
    }
}

/// A tile as the dispatch and the regions keep it.
fn tile(crc: &mut Crc32, tile: Option<[i16; 2]>) {
    crc.words([tile.is_some()]);
    crc.words(tile.unwrap_or_default());
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
