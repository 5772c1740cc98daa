//! Gaits and the animation clock of a field's actors (field sheet, sections 7.5, 12.2 and 13). The clock
//! itself is [`Playback`].

use super::actor::{Actor, ActorId, Draw, Gait};
use super::state::Field;
use crate::anim::legaia::{Banks, PARTY, Playback};

/// The clips of somebody who stands, walks and runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gaits {
    /// Standing.
    pub idle: i16,
    /// Walking.
    pub walk: i16,
    /// Running.
    pub run: i16,
}

impl Gaits {
    /// Those of a party member, 0 to 2, in the party's bank: of the seven clips of each the first is
    /// the walk, the second stands (ANM sheet, "Selecting a clip"). Which one runs is not known: the
    /// walk does.
    #[must_use]
    pub const fn party(member: u8) -> Self {
        let first = member as i16 * 7;
        Self {
            idle: first + 2,
            walk: first + 1,
            run: first + 1,
        }
    }

    /// The clip of a gait.
    #[must_use]
    pub const fn clip(&self, gait: Gait) -> i16 {
        match gait {
            Gait::Idle => self.idle,
            Gait::Walk => self.walk,
            Gait::Run => self.run,
        }
    }

    /// The clip to request by a gait from somebody who plays `now`. Who moves walks; who stands goes from
    /// walking to standing, and keeps any other clip: a script's.
    #[must_use]
    const fn next(&self, gait: Gait, now: i16) -> i16 {
        match gait {
            Gait::Idle if now != self.walk && now != self.run => now,
            gait => self.clip(gait),
        }
    }
}

/// What a tick of the animations did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Animated {
    /// Actors whose clip is there; the player is one.
    pub clips: u16,
    /// Actors that request a clip that is not there: they are not drawn.
    pub missing: u16,
}

impl Actor {
    /// The state of its animation clock.
    #[must_use]
    pub const fn playback(&self) -> Playback {
        Playback {
            number: self.animation,
            bound: self.bound,
            cursor: self.cursor,
            speed: self.rate,
            mode: self.mode,
        }
    }

    /// Set the state of its animation clock.
    pub const fn set_playback(&mut self, playback: &Playback) {
        self.animation = playback.number;
        self.bound = playback.bound;
        self.cursor = playback.cursor;
        self.rate = playback.speed;
        self.mode = playback.mode;
    }

    /// Request a clip from its start, as script op `22` does; 0 for none. The draw kind goes with it.
    pub const fn set_animation(&mut self, number: i16) {
        self.animation = number;
        self.bound = Playback::REBIND;
        self.draw = Draw::of(number);
    }

    /// Take the gait of a frame: what was asked of the legs, or a walk where the place has changed since
    /// it was seen last. To appear is no step.
    fn step(&mut self, asked: Gait) {
        let here = self.point();
        let moved = self.seen.is_some_and(|before| before != here);
        self.seen = Some(here);
        self.gait = match asked {
            Gait::Idle if moved => Gait::Walk,
            asked => asked,
        };
    }

    /// A tick of its clock.
    fn clock(&mut self, banks: &Banks<'_>, flags: u32, scalar: u8, done: &mut Animated) {
        let mut playback = self.playback();
        match playback.tick_with(|number| banks.clip(flags, number), scalar) {
            Ok(Some(_)) => {
                self.draw = Draw::Posed;
                done.clips += 1;
            }
            // What was posed has no clip any more.
            Ok(None) if self.animation == 0 && self.draw == Draw::Posed => self.draw = Draw::Rigid,
            Ok(None) => {}
            Err(_) => {
                self.draw = Draw::None;
                done.missing += 1;
            }
        }
        self.set_playback(&playback);
    }
}

impl Field {
    /// Animate everybody for a frame of so many vertical blanks (0 counts as 1); call it when scripts have
    /// moved whom they move. Gaits first: the player's clip follows its gait where
    /// [`super::Settings::gaits`] says which, an actor's where `gaits` does. Then the clocks: the player's
    /// clips are the party's, an actor's as its flags say.
    ///
    /// The walk clip is chosen by whether somebody moved, not by what moved it; a direction that is
    /// held counts as movement even against a wall. Nothing happens while the actors are paused.
    pub fn animate(
        &mut self,
        banks: &Banks<'_>,
        scalar: u8,
        mut gaits: impl FnMut(ActorId, &Actor) -> Option<Gaits>,
    ) -> Animated {
        let mut done = Animated::default();
        if self.control.paused {
            return done;
        }
        let scalar = scalar.max(1);
        let player = &mut self.player;
        player.step(self.pace);
        if let Some(gaits) = self.settings.gaits {
            player.animation = gaits.next(player.gait, player.animation);
        }
        player.clock(banks, player.flags | PARTY, scalar, &mut done);
        for (id, actor) in self.actors.iter_mut() {
            actor.step(Gait::Idle);
            if let Some(gaits) = gaits(id, actor) {
                actor.animation = gaits.next(actor.gait, actor.animation);
            }
            actor.clock(banks, actor.flags, scalar, &mut done);
        }
        done
    }
}
