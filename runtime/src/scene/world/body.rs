//! Each actor has one owner at a time (docs/decisions.md): the field while it walks, the script machine
//! while it runs. Between the two the actor's words are handed over.

use super::World;
use crate::field::actor::ACTORS;
use crate::field::touch::NO_MOVE;
use crate::field::{Actor, ActorId};
use crate::script::Context;
use crate::script::context::flag;
use crate::script::host::ContextId;

/// Whose script a context is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Body {
    /// Nobody's: the entry script.
    #[default]
    None,
    /// Nobody's: a beat, which is removed when it has come to its end.
    Beat,
    /// The player's.
    Player,
    /// An actor's.
    Actor(ActorId),
}

/// From the field to the script. The counters of touches are the field's, and are not handed over.
fn lend(actor: &Actor, context: &mut Context<'_>) {
    context.flags = actor.flags;
    (context.x, context.y, context.z) = (actor.x, actor.y, actor.z);
    let [pitch, heading, roll] = actor.rotation;
    (context.f24, context.heading, context.f28) = (pitch as i16, heading, roll as i16);
    (context.move_id, context.f5e) = (actor.animation, actor.bound as u16);
    (context.local_flags, context.model) = (actor.mode, actor.mesh);
    (context.f68, context.f6a) = (actor.cursor, actor.rate);
    (context.scale, context.tint_ctrl) = (actor.speed, actor.render);
    context.y_mirror = actor.lift;
}

/// And back.
fn take_back(actor: &mut Actor, context: &Context<'_>) {
    actor.flags = context.flags;
    (actor.x, actor.y, actor.z) = (context.x, context.y, context.z);
    actor.rotation = [context.f24 as u16, context.heading, context.f28 as u16];
    (actor.animation, actor.bound) = (context.move_id, context.f5e as i16);
    (actor.mode, actor.mesh) = (context.local_flags, context.model);
    (actor.cursor, actor.rate) = (context.f68, context.f6a);
    (actor.speed, actor.render) = (context.scale, context.tint_ctrl);
    actor.lift = context.y_mirror;
}

impl<const N: usize> World<'_, N> {
    /// The context of an actor.
    pub(super) fn context_of(&self, id: ActorId) -> Option<ContextId> {
        let place = self.bodies.iter().position(|it| *it == Body::Actor(id))?;
        u8::try_from(place).ok()
    }

    /// Let the context in a place go which a script has parked for a presentation that the game shows: a crawl
    /// (`4C 80`) or a cross-fade of palettes (`4C 61`) is over. Of the place the game has heard with the
    /// event. Between two frames it is not enough to ask the machine: the actor is the field's then.
    pub fn release(&mut self, place: ContextId) {
        self.lend();
        self.vm.release(place);
        self.take_back(false);
    }

    /// Say whose script the context in a place is. What moved who had the place before is over, and
    /// so is what was asked for it.
    pub(super) fn tie(&mut self, place: ContextId, body: Body) {
        self.flights.retain(|it| it.context != place);
        self.stage.forget(place);
        if let Some(it) = self.bodies.get_mut(usize::from(place)) {
            *it = body;
        }
    }

    /// The script machine has the actor of a place from here on.
    pub(super) fn lend_to(&mut self, place: ContextId) {
        let context = self.vm.contexts.get_mut(usize::from(place));
        let (Some(context), Some(body)) = (context, self.bodies.get(usize::from(place))) else {
            return;
        };
        match *body {
            Body::Player => lend(&self.field.player, context),
            Body::Actor(id) => {
                if let Some(actor) = self.field.actors.get(id) {
                    lend(actor, context);
                }
            }
            Body::None | Body::Beat => {}
        }
    }

    /// The script machine has the actors from here on.
    pub(super) fn lend(&mut self) {
        for place in Self::places() {
            self.lend_to(place);
        }
        let mail = self.field.mailbox.read();
        self.vm.mailbox = mail.and_then(|script| {
            let places = self.vm.contexts.iter().zip(&self.bodies);
            let place = places
                .enumerate()
                .find(|(_, (it, body))| {
                    it.live && it.script_id == script && matches!(body, Body::Actor(_))
                })?
                .0;
            u8::try_from(place).ok()
        });
        self.keep_player();
    }

    /// The player is not torn down, whatever a script says.
    pub(super) fn keep_player(&mut self) {
        let player = self.vm.player.map(usize::from);
        if let Some(player) = player.and_then(|it| self.vm.contexts.get_mut(it)) {
            player.flags &= !flag::DYING;
        }
    }

    /// Who has left the field has no script any more: the field tears down whom the scripts of the frame before
    /// have marked (field sheet, flag 8).
    pub(super) fn bury(&mut self) {
        for place in Self::places() {
            let Some(body) = self.bodies.get_mut(usize::from(place)) else {
                break;
            };
            if let Body::Actor(id) = *body
                && self.field.actors.get(id).is_none()
            {
                *body = Body::None;
                self.vm.remove(place);
            }
        }
    }

    /// Note whose context was torn down (field sheet, flag 8), before places are taken anew. With it goes the
    /// conversation that it held. A bit for each actor.
    pub(super) fn reap(&mut self) -> u64 {
        let mut gone = 0;
        for (context, body) in self.vm.contexts.iter().zip(&mut self.bodies) {
            if context.live {
                continue;
            }
            if let Body::Actor(id) = core::mem::take(body) {
                gone |= 1 << id.slot();
            }
        }
        if self
            .talk
            .as_ref()
            .is_some_and(|it| !self.vm.is_engaged(it.place))
        {
            self.talk = None;
        }
        gone
    }

    /// Let actors leave the field, their touches dismissed: when the field has everybody again, since that may
    /// set the player free.
    pub(super) fn free(&mut self, gone: u64) {
        for slot in 0..ACTORS {
            if gone >> slot & 1 != 0
                && let Some(id) = ActorId::new(slot)
            {
                self.field.free(id);
            }
        }
    }

    /// The field has them again; `mailed`: there was a touch for scripts to take.
    pub(super) fn take_back(&mut self, mailed: bool) {
        let seated = core::mem::take(&mut self.stage.seated);
        let contexts = self.vm.contexts.iter().zip(Self::places());
        for ((context, place), body) in contexts.zip(&self.bodies) {
            let back = |actor: &mut Actor| {
                take_back(actor, context);
                if seated.has(place) {
                    actor.seen = None;
                }
            };
            match *body {
                Body::None | Body::Beat => {}
                Body::Player => back(&mut self.field.player),
                Body::Actor(id) => {
                    if let Some(actor) = self.field.actors.get_mut(id) {
                        back(actor);
                    }
                    // A stream that begins writes the record of its actor, and so does its op 17h; of an
                    // actor without one the record is what it was (motion sheet, 3.1).
                    if context.stream_variant.is_some() || context.default_move != NO_MOVE {
                        let (script, standing) = (context.script_id, context.default_move);
                        self.field.mailbox.set_move(script, standing);
                    }
                }
            }
        }
        if mailed && self.vm.mailbox.is_none() {
            self.field.mailbox.take();
        }
    }
}
