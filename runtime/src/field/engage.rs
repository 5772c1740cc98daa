//! Talking, and how a touch ends (field sheet, sections 11.3 and 11.4).

use super::actor::{Actor, ActorId, Partner, flag};
use super::bearing::bearing;
use super::contact;
use super::input::Events;
use super::state::Field;
use super::touch::Touching;

impl Field {
    /// The scene's half of the gates of touch (section 11.1).
    pub(super) const fn may_touch(&self) -> bool {
        !self.control.paused && !self.control.touch_off
    }

    /// The interaction probe of the button (section 11.3).
    pub(super) fn interact(&mut self, events: &mut Events) {
        if self.player.has(flag::LOCKED) || !self.may_touch() {
            return;
        }
        let point = contact::interact_point(self.player.point(), self.player.heading());
        let (bits, met) = contact::interact(point, &self.actors);
        let mut touching = Touching {
            player: &mut self.player,
            actors: &mut self.actors,
            mailbox: &mut self.mailbox,
            engaged: &mut self.engaged,
            allowed: true,
            posted: None,
        };
        for id in met {
            touching.link(id);
        }
        let Partner::Actor(partner) = touching.player.partner else {
            return;
        };
        if bits & contact::ACTOR == 0 || !touching.post(partner) {
            return;
        }
        events.interact = Some(partner);
        self.control.talking = true;
        if let Some(actor) = self.actors.get(partner)
            && actor.flags & (flag::MOVING | flag::FIXED) == flag::MOVING
        {
            let to = self.player.point();
            self.player.set_heading(bearing(actor.point(), to));
        }
    }

    /// An actor about to talk looks at the player, unless it has opted out (section 11.4).
    pub fn face_player(&mut self, id: ActorId) {
        let player = self.player.point();
        if let Some(actor) = self.actors.get_mut(id)
            && actor.flags & (flag::NO_TURN | flag::MOVING) == flag::MOVING
        {
            actor.set_heading(bearing(player, actor.point()));
        }
    }

    /// Dismiss all touches of an actor (section 11.4): one of the moving class looks where it looked
    /// before, and when no touch is open any more, the player is free. One that is not engaged has
    /// nothing to be dismissed; a hop and a fight go on holding the player.
    pub fn dismiss(&mut self, id: ActorId) {
        let Some(actor) = self.actors.get_mut(id) else {
            return;
        };
        if !actor.has(flag::ENGAGED) && actor.touches == 0 {
            return;
        }
        if actor.has(flag::MOVING) && actor.has(flag::ENGAGED) {
            actor.set_heading(actor.saved_heading);
        }
        actor.flags &= !flag::ENGAGED;
        self.engaged = self.engaged.saturating_sub(actor.touches).max(0);
        actor.touches = 0;
        if self.engaged == 0 {
            self.control.talking = false;
            self.release_player();
        }
    }

    /// Remove an actor with all that hangs on it: its touches are dismissed, and nobody is linked to
    /// it any more. What it was. Where nobody has touched it, a lock of the player is not its doing.
    pub fn free(&mut self, id: ActorId) -> Option<Actor> {
        if self.actors.get(id).is_some_and(|it| it.touches != 0) {
            self.dismiss(id);
        }
        let actor = self.actors.free(id)?;
        if self.player.partner == Partner::Actor(id) {
            self.player.partner = Partner::None;
        }
        Some(actor)
    }
}
