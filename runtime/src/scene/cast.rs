//! From a scene's MAN to its field: people, what binds objects, encounter rates (field sheet, sections
//! 10.9, 12.2 and 14; MAN sheet, sections 2 and 3).

use super::man::encounter::Region;
use super::man::{ActorRecord, Encounters, Man, Model, Record};
use crate::field::Ground;
use crate::field::actor::{Actor, Draw, Pool, flag};
use crate::field::encounter::Rate;
use crate::field::map::Tile;
use crate::field::spawn::{Bind, Swept};
use crate::field::units::{saturate, table_heading};
use crate::fixed::Angle;
use crate::script::Compat;
use crate::script::decode::decode;

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
        draw: Draw::of(record.animation.into()),
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

/// Instructions of a prologue that [`facing`] follows.
const PROLOGUE: u16 = 256;

/// Where a person looks when the scene begins (field sheet, section 14), read off its prologue without
/// running it: the heading that the last op on its way writes which seats it (`4C 51`) or turns it at
/// once (`38`). Flag tests jump as `set` says; other conditions fall through. What is sent to
/// another context, or to the parked tile, is no facing. `None` without any: the person looks to Z-.
///
/// A scene that installs its scripts learns the same from running them; this is for those that show people
/// without.
#[must_use]
pub fn facing(record: &ActorRecord<'_>, mut set: impl FnMut(u16) -> bool) -> Option<Angle> {
    let script = &record.script;
    let mut found = None;
    if !script.has_prologue() {
        return found;
    }
    let mut pc = script.pc0;
    for _ in 0..PROLOGUE {
        let Ok(instr) = decode(script.base, pc.into(), Compat::Retail) else {
            break;
        };
        let mut next = pc.wrapping_add(instr.len as u16);
        let own = instr.target.is_none_or(|id| u32::from(id) == script.flat);
        match (instr.opcode, instr.operands) {
            (0x21, _) => break,
            (0x26, _) => next = instr.jump_target(pc.into()).unwrap_or(next),
            (0x70..=0x7F, &[low, ..]) => {
                let flag = u16::from(instr.opcode & 0xF) << 8 | u16::from(low);
                if set(flag) {
                    next = instr.jump_target(pc.into()).unwrap_or(next);
                }
            }
            (0x38, &[index, budget, ..]) if own && budget & 0x7F == 0 => {
                found = table_heading(index).or(found);
            }
            (0x4C, &[0x51, x, z, index, ..]) if own => {
                let parked = [x, z].into_iter().all(|it| it & 0x7F == 0x7F);
                if !parked {
                    found = table_heading(index).or(found);
                }
            }
            _ => {}
        }
        pc = next;
    }
    found
}

/// The live region of a tile, which [`Field::encounter`](crate::field::Field::encounter) asks for at each step;
/// `None` where there is none.
#[must_use]
pub fn region(
    encounters: &Encounters<'_>,
    tile: Tile,
    set: impl FnMut(u16) -> bool,
) -> Option<Region> {
    encounters
        .find(tile.to_bytes(), set)
        .map(|(_, region)| region)
}

/// What a region says about fights.
#[must_use]
pub const fn rate(region: &Region) -> Rate {
    Rate {
        rate: region.rate,
        first: region.first,
        count: region.count,
    }
}
