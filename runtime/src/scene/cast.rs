//! From a scene's MAN to its field: people, what binds objects, encounter rates (field sheet, sections
//! 10.9, 12.2 and 14; MAN sheet, sections 2 and 3).

use super::man::{ActorRecord, Encounters, Man, Model, Record};
use crate::field::actor::{Actor, Pool, flag};
use crate::field::encounter::Rate;
use crate::field::map::Tile;
use crate::field::spawn::{Bind, Swept};
use crate::field::units::saturate;
use crate::field::{Field, Ground};

/// What the flat record of an object's trigger gives it; `None` if there is no such record, or a
/// malformed one.
#[must_use]
pub fn bind(man: &Man<'_>, record: u8) -> Option<Bind> {
    let animation = match man.record(record.into()).ok()? {
        Record::Object(object) => object.animation,
        Record::Actor(actor) => actor.animation,
        Record::Beat(_) => 0,
    };
    Some(Bind { animation })
}

/// The actor of a record of partition 1: on the middle of its tile, on the floor, looking to Z-, with the
/// script id of its flat record.
#[must_use]
pub fn person(record: &ActorRecord<'_>, ground: &Ground<'_>) -> Actor {
    let [x, z] = record.position();
    let party = matches!(record.look(), Model::Resident(_));
    Actor {
        flags: flag::MOVING | if party { flag::ACTION } else { 0 },
        x,
        y: saturate(ground.floor(x.into(), z.into())),
        z,
        animation: record.animation.into(),
        // Flat records fit: each of the three counts is at most 32767, and ids are words.
        script: record.script.flat as u16,
        mesh: record.look().pool_slot(),
        ..Actor::NEW
    }
}

/// Place the people of a scene: partition 1 without its first record, the entry script. What else a
/// prologue does is the script's. Malformed records are counted as unbound and left out.
pub fn place(man: &Man<'_>, ground: &Ground<'_>, actors: &mut Pool) -> Swept {
    let mut swept = Swept::default();
    for record in man.placements() {
        let Ok(record) = record else {
            swept.unbound += 1;
            continue;
        };
        match actors.spawn(person(&record, ground)) {
            Some(_) => swept.spawned += 1,
            None => swept.refused += 1,
        }
    }
    swept
}

/// What the live region at the player's tile says about fights; `None` where there is no region.
#[must_use]
pub fn rate(
    encounters: &Encounters<'_>,
    field: &Field,
    set: impl FnMut(u16) -> bool,
) -> Option<Rate> {
    let tile = Tile::containing(field.player.x.into(), field.player.z.into())?;
    let (_, region) = encounters.find(tile.to_bytes(), set)?;
    Some(Rate {
        rate: region.rate,
        first: region.first,
        count: region.count,
    })
}
