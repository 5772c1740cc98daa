//! From a scene's MAN to its scripts: contexts of the entry script, the people and the objects, their
//! prologues and their ambient streams (field VM sheet, sections 3.3, 9 and 10; motion sheet, 3.1).

use super::man::motion::{PLAYER as STREAM_PLAYER, WORLD};
use super::man::{ActorRecord, Man, Model, Motion, Partition, Record, Script};
use crate::script::context::flag;
use crate::script::host::ContextId;
use crate::script::{Beat, Context, Host, SliceEnd, Spawn, Vm};

/// Render scale of what enters a scene: 1 in 20.12.
const WHOLE: u16 = 0x1000;

/// An object of the map that a gate-0 trigger binds to its record (field sheet, 12.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Flat number of the record, which becomes the context's id.
    pub record: u8,
    /// World X, Y, Z of the object.
    pub place: [i16; 3],
}

/// What [`install`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Installed {
    /// Contexts that have entered the pool.
    pub contexts: u16,
    /// Records that are missing or malformed: left out.
    pub malformed: u16,
    /// Contexts for which the pool had no room.
    pub refused: u16,
    /// Contexts that have got an ambient stream.
    pub streams: u16,
}

fn context<'m>(script: &Script<'m>) -> Context<'m> {
    Context {
        scale: WHOLE,
        // Flat records fit: each of the three counts is at most 32767, and ids are words.
        ..Context::new(script.flat as u16, script.base, script.pc0)
    }
}

/// A person at its header's tile; its prologue may take it elsewhere.
pub(super) fn person<'m>(record: &ActorRecord<'m>, host: &impl Host) -> Context<'m> {
    let [x, z] = record.position();
    let party = matches!(record.look(), Model::Resident(_));
    Context {
        flags: flag::MOVING | if party { flag::SPECIAL_MODEL } else { 0 },
        x,
        y: host.floor_height(x, z).unwrap_or(0),
        z,
        model: record.look().pool_slot(),
        move_id: record.animation.into(),
        ..context(&record.script)
    }
}

/// What a context was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The entry script.
    Entry,
    /// The next person of the scene whose record is good.
    Person,
    /// The next of the objects whose record is good.
    Object,
}

/// The contexts that [`populate`] has put into the pool: their prologues are still to be run.
#[derive(Clone, Copy, Debug)]
pub struct New {
    entered: [bool; 256],
}

/// Install a scene's scripts: floor heights, the people, the bound objects, the entry script as the
/// system script; then the streams; then the prologues, the entry script's first, with everybody there. The
/// player's context, if there is one, is the caller's and has entered before, so that its stream finds it. No
/// prologue takes more than `budget` steps; `report` hears how they end.
pub fn install<'m, H: Host, const N: usize>(
    vm: &mut Vm<'m, N>,
    host: &mut H,
    man: &Man<'m>,
    objects: impl IntoIterator<Item = Bound>,
    budget: u16,
    report: impl FnMut(ContextId, SliceEnd),
) -> Installed {
    let (done, new) = populate(vm, host, man, objects, |_, _| {});
    prologues(vm, host, &new, budget, report);
    done
}

/// The first half of [`install`]: contexts enter the pool, and nothing runs. `each` hears of every good
/// record in order, with the place that it got, if there was one.
pub fn populate<'m, const N: usize>(
    vm: &mut Vm<'m, N>,
    host: &impl Host,
    man: &Man<'m>,
    objects: impl IntoIterator<Item = Bound>,
    mut each: impl FnMut(Role, Option<ContextId>),
) -> (Installed, New) {
    let mut done = Installed::default();
    vm.state.floor = man.heights();
    let total = man.len();
    vm.beats = Some(total.saturating_sub(man.count(Partition::Beat).into())..total);
    let mut entered = [false; 256];
    let mut enter = |vm: &mut Vm<'m, N>, done: &mut Installed, role, context| {
        let id = vm.insert(context);
        match id {
            Some(id) => {
                done.contexts += 1;
                if let Some(place) = entered.get_mut(usize::from(id)) {
                    *place = true;
                }
            }
            None => done.refused += 1,
        }
        each(role, id);
        id
    };
    match man.entry_script() {
        Ok(script) => vm.system = enter(vm, &mut done, Role::Entry, context(&script)),
        // A scene without people has none.
        Err(_) => done.malformed += 1,
    }
    for record in man.placements() {
        match record {
            Ok(record) => _ = enter(vm, &mut done, Role::Person, person(&record, host)),
            Err(_) => done.malformed += 1,
        }
    }
    for Bound { record, place } in objects {
        let Ok(record) = man.record(record.into()) else {
            done.malformed += 1;
            continue;
        };
        let animation = match record {
            Record::Object(object) => object.animation,
            Record::Actor(actor) => actor.animation,
            Record::Beat(_) => 0,
        };
        let [x, y, z] = place;
        let object = Context {
            x,
            y,
            z,
            move_id: animation.into(),
            ..context(&record.script())
        };
        enter(vm, &mut done, Role::Object, object);
    }
    done.streams = bind_streams(vm, &Motion::lenient(man.section(1)));
    (done, New { entered })
}

/// The second half of [`install`].
pub fn prologues<H: Host, const N: usize>(
    vm: &mut Vm<'_, N>,
    host: &mut H,
    new: &New,
    budget: u16,
    mut report: impl FnMut(ContextId, SliceEnd),
) {
    let is_new = |&id: &u8| new.entered.get(usize::from(id)).is_some_and(|it| *it);
    for id in (0..=u8::MAX).filter(is_new) {
        if let Some(end) = vm.prologue(host, id, budget) {
            report(id, end);
        }
    }
}

/// Give contexts the streams of a MAN's section 1 (motion sheet, 3.1); of several for one actor the first
/// counts. Answers how many have got one.
pub fn bind_streams<'m, const N: usize>(vm: &mut Vm<'m, N>, motion: &Motion<'m>) -> u16 {
    let mut bound = 0;
    for record in motion.records() {
        for (actor, enable) in record.pairs() {
            let id = match actor {
                STREAM_PLAYER => vm.player,
                WORLD => vm.system,
                _ => vm.resolve(actor),
            };
            let context = id.and_then(|id| vm.contexts.get_mut(usize::from(id)));
            if let Some(context) = context.filter(|it| it.stream.is_empty()) {
                (context.stream, context.enable) = (record.stream, enable);
                bound += 1;
            }
        }
    }
    bound
}

/// Give the context in a place the stream of the person with a flat number, if section 1 has one.
pub(super) fn bind_stream<'m, const N: usize>(
    vm: &mut Vm<'m, N>,
    man: &Man<'m>,
    place: ContextId,
    flat: u8,
) {
    let found = Motion::lenient(man.section(1)).find(flat);
    let context = vm.contexts.get_mut(usize::from(place));
    if let (Some((record, enable)), Some(context)) = (found, context) {
        (context.stream, context.enable) = (record.stream, enable);
    }
}

/// Run the beat with a flat number, as op `44` and walk-on triggers do, if its conditions hold (9.4); `None`
/// if it is no beat, or malformed.
pub fn spawn<'m, const N: usize>(vm: &mut Vm<'m, N>, man: &Man<'m>, flat: u32) -> Option<Spawn> {
    let beat = man.spawned_beat(flat).ok()?;
    Some(vm.spawn_beat(Beat {
        script_id: flat as u16,
        code: beat.script.base,
        pc0: beat.script.pc0,
        blocked_by: beat.c1.iter(),
        needs: beat.c2.iter(),
    }))
}
