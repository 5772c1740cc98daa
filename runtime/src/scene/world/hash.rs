//! The check sum of a world's state: equal on every machine after the same frames.

use super::body::Body;
use super::game::{Change, Fight, Passage};
use super::stage::{Soil, Stage, Wish};
use super::{Settings, Talk, World};
use crate::bytes::Crc32;
use crate::field::ActorId;
use crate::script::Context;

/// Nobody of the field.
const NOBODY: u8 = u8::MAX;

fn actor(id: Option<ActorId>) -> u8 {
    id.map_or(NOBODY, |it| it.slot() as u8)
}

impl Stage<'_> {
    /// Feed what frames change of it.
    fn feed(&self, crc: &mut Crc32, reads: bool) {
        let Self {
            map,
            heights,
            area,
            held,
            scalar,
            arrival,
            view,
            random,
            fight,
            change,
            wishes,
            stranded,
            // What the files bring stays as it is; what could not be read of it is told once, by an entry.
            patch: _,
            man: _,
            banks: _,
            encounters: _,
            overworld: _,
            no_heights: _,
            relief: _,
            index: _,
            // Empty between two frames.
            seated: _,
            // Nobody reads it.
            dropped: _,
        } = self;
        crc.update(map.grid());
        if let Soil::Map(map) = map {
            // Scripts bind tiles to other records.
            for script in map.map().triggers().scripts() {
                crc.words([script.record, script.gate]);
            }
        }
        crc.words(*heights);
        area.feed(crc);
        crc.words([*held, *arrival, (*scalar).into()]);
        view.feed(crc);
        crc.words([random.0]);
        crc.words([reads, fight.is_some()]);
        if let Some(Fight {
            formation,
            scripted,
            stage,
        }) = *fight
        {
            crc.words([formation, scripted.into(), stage.into()]);
        }
        feed_change(crc, change.as_ref());
        crc.words(stranded.0);
        crc.words([wishes.len() as u32]);
        for wish in wishes {
            feed_wish(crc, wish);
        }
    }
}

fn feed_change(crc: &mut Crc32, change: Option<&Change>) {
    let (kind, which) = match change {
        None => (0, 0),
        Some(Change::Scene(passage)) => {
            let Passage {
                index,
                name,
                entry,
                direction,
            } = passage;
            crc.run(name.as_str().as_bytes());
            crc.words(*entry);
            crc.words([*direction]);
            (1, *index)
        }
        Some(Change::Minigame(which)) => (2, i16::from(*which)),
        Some(Change::Movie(which)) => (3, *which),
        Some(Change::GameOver) => (4, 0),
    };
    crc.words([kind, which]);
}

fn feed_wish(crc: &mut Crc32, wish: &Wish) {
    match *wish {
        Wish::Spawn(flat) => crc.words([0, flat]),
        Wish::Restore(flat) => crc.words([1, flat]),
        Wish::Hop(hold, operands) => {
            crc.words([2, hold.of]);
            crc.words(operands);
        }
        Wish::Tween(place, to, ticks) => {
            crc.words([3, place]);
            crc.words(to);
            crc.words([ticks]);
        }
    }
}

impl Talk<'_> {
    fn feed(&self, crc: &mut Crc32) {
        let Self {
            conversation,
            place,
            actor: with,
        } = self;
        conversation.feed(crc);
        crc.words([*place, actor(*with)]);
    }
}

impl Settings {
    fn feed(&self, crc: &mut Crc32) {
        let Self {
            scalar,
            budget,
            encounters,
            // The picture's alone.
            distance: _,
        } = *self;
        crc.words([scalar.into(), budget]);
        encounters.feed(crc);
    }
}

impl<const N: usize> World<'_, N> {
    /// A check sum of all that later frames depend on beside the files of the scene, the game that answers and
    /// the pad: CRC-32 (EDB88320h), numbers as little-endian words. Two worlds of one scene that have the same one
    /// go on in the same way.
    ///
    /// Frames; the field ([`crate::field::Field::feed`], then settings, locks and the mailbox's table); what
    /// scripts share; each script behind its place and its actor; map, heights, regions, view, random numbers,
    /// what scripts have asked for; the talk, the last tile, the fight counter, what flies, the window, the held
    /// buttons.
    #[must_use]
    pub fn state_hash(&self) -> u32 {
        let Self {
            field,
            vm,
            settings,
            stage,
            bodies,
            talk,
            crossing,
            encounter,
            flights,
            window,
            held,
            ticks,
        } = self;
        let mut crc = Crc32::new();
        crc.words([*ticks]);
        field.feed(&mut crc);
        field.feed_rest(&mut crc);
        vm.feed_shared(&mut crc);
        for ((place, context), body) in (0_u8..).zip(&vm.contexts).zip(bodies) {
            if context.live {
                let [kind, slot] = match *body {
                    Body::None => [0, NOBODY],
                    Body::Beat => [1, NOBODY],
                    Body::Player => [2, NOBODY],
                    Body::Actor(id) => [3, actor(Some(id))],
                };
                crc.words([place, kind, slot]);
                context.feed(&mut crc);
            }
        }
        stage.feed(&mut crc, self.reads());
        settings.feed(&mut crc);
        crc.words([talk.is_some()]);
        if let Some(talk) = talk {
            talk.feed(&mut crc);
        }
        crossing.feed(&mut crc);
        encounter.feed(&mut crc);
        crc.words([flights.len() as u32]);
        for flight in flights {
            let of = usize::from(flight.context);
            let parking = vm.contexts.get(of).map_or(0, Context::parking);
            flight.feed(&mut crc, parking);
        }
        crc.words(*window);
        crc.words([*held]);
        crc.finish()
    }
}
