//! The vertical half of a frame: settling, hopping, the heights of the actors (field sheet, sections 9.3
//! and 9.4).

use super::actor::flag;
use super::ground::Ground;
use super::hop::{DROP, FRAMES, Hop, RECOVERY, STEP_UP, ledge};
use super::input::{Events, cue};
use super::state::Field;
use super::touch::Touching;
use super::units::saturate;

/// Bit of [`super::Actor::mode`] that a hop holds set.
pub(super) const HOP_MODE: u16 = 0x0008;
/// The most that the player's height settles in a vertical blank.
const SETTLE: i32 = 12;
/// The same of an actor of the slow class.
const ACTOR_SETTLE: i32 = 6;

impl Field {
    /// The height of the actors (section 9.3): forced; of the moving ones, settling, or that of the
    /// floor. Placed objects that are not lifted keep the height that they were placed at. Whether
    /// somebody asks to be torn down.
    pub(super) fn settle_actors(&mut self, ground: &Ground<'_>, scalar: u8) -> bool {
        let settles = self.settings.terrain && !self.control.paused;
        let rate = i32::from(scalar) * ACTOR_SETTLE;
        let mut all = 0;
        for (_, actor) in self.actors.iter_mut() {
            let flags = actor.flags;
            all |= flags;
            // Placed objects first: there are many, and nothing of them is read but this.
            if !settles || flags & (flag::MOVING | flag::LIFTED) == 0 {
                continue;
            }
            if flags & flag::NO_SETTLE != 0 || actor.animation < 0 {
                continue;
            }
            if flags & flag::LIFTED != 0 {
                actor.y = actor.lift.saturating_neg();
                continue;
            }
            let (x, z) = (actor.x.into(), actor.z.into());
            let floor = match ground.sample(x, z) {
                Some(floor) => floor,
                None => ground.search(x, z),
            };
            actor.y = if flags & flag::SLOW_SETTLE != 0 {
                let y = i32::from(actor.y);
                saturate(y + (floor - y).clamp(-rate, rate))
            } else {
                saturate(floor)
            };
        }
        all & flag::TEAR_DOWN != 0
    }

    /// The vertical controller (section 9.3): a hop in progress has the frame; otherwise the height
    /// settles, and a step off a ledge begins a hop.
    pub(super) fn follow(&mut self, ground: &Ground<'_>, scalar: u8, events: &mut Events) {
        if let Some(mut hop) = self.hop.take() {
            if self.hop_tick(&mut hop, scalar, events) {
                self.hop = Some(hop);
            } else {
                self.release_player();
            }
            return;
        }
        if self.player.has(flag::LOCKED) || self.control.height_off {
            return;
        }
        let player = &mut self.player;
        let mut rate = i32::from(scalar) * SETTLE;
        if player.has(flag::SLOW_SETTLE) {
            rate >>= 1;
        }
        let y = i32::from(player.y);
        let floor = ground.floor(player.x.into(), player.z.into());
        player.y = saturate(y + (floor - y).clamp(-rate, rate));
        if self.delta == [0; 2] {
            return;
        }
        let at = [player.x, player.y, player.z];
        let mut touching = Touching {
            player,
            actors: &mut self.actors,
            mailbox: &mut self.mailbox,
            engaged: &mut self.engaged,
            // The hop's probes link; they post nothing.
            allowed: false,
            posted: None,
        };
        let met = &mut |id| touching.link(id);
        if let Some(mut ledge) = ledge(at, self.delta, ground, &self.contacts, met) {
            if self.settings.compat.hop_words_swapped {
                ledge.apex = DROP + STEP_UP - ledge.apex;
            }
            self.player.flags |= flag::LOCKED;
            events.hop = Some(ledge.apex);
            self.hop = Some(Hop::new(at, &ledge));
        }
    }

    /// A frame of a hop: the curve, then the clock (section 9.4). Whether it goes on.
    fn hop_tick(&mut self, hop: &mut Hop, scalar: u8, events: &mut Events) -> bool {
        let player = &mut self.player;
        if let Some(arc) = &mut hop.arc {
            let ([x, y, z], over) = arc.tick(scalar);
            (player.x, player.y, player.z) = (x, y, z);
            if over {
                hop.arc = None;
            }
        }
        if hop.cursor == 0 {
            player.mode |= HOP_MODE;
            player.flags |= flag::AIRBORNE;
            events.cue = Some(cue::HOP);
        }
        let next = hop.cursor + i16::from(scalar);
        if hop.cursor < FRAMES && next >= FRAMES {
            player.flags &= !flag::AIRBORNE;
            player.mode |= HOP_MODE;
        }
        hop.cursor = next;
        if next < FRAMES + RECOVERY {
            return true;
        }
        player.mode &= !HOP_MODE;
        events.cue = Some(cue::LAND);
        false
    }
}
