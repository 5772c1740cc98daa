//! The log: 10,000 frames of pads over a generated map, in which everything happens that a field's life
//! has.

use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::bytes::Crc32;
use overworld_runtime::field::actor::{Actor, ActorId, Pool, flag};
use overworld_runtime::field::compat::Compat;
use overworld_runtime::field::crossing::Crossing;
use overworld_runtime::field::encounter::{Encounter, Modifiers, Random, Rate};
use overworld_runtime::field::glide::{FULL, glide, ladder};
use overworld_runtime::field::map::trigger::{self, Elevation, Script, Source, Teleport};
use overworld_runtime::field::map::{COLLISION_SIZE, Paint, Triggers};
use overworld_runtime::field::spawn::Arrival;
use overworld_runtime::field::units::Point;
use overworld_runtime::field::{Events, Field, Ground, Input, pad};

use super::{Grid, player};
use crate::check::{Check, reason, same, same_hex};

/// Numbers from a seed (xorshift).
pub(super) struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

/// A map with scattered walls, hills and ledges, and a ring of wall around it.
pub(super) fn generated(grid: &mut Grid) {
    let mut numbers = Numbers(0x0F1E_1D05);
    for (byte, at) in grid.iter_mut().zip(0_u32..) {
        let (col, row) = (at & 0x7F, at >> 7);
        let word = numbers.next();
        let ring = !(2..126).contains(&col) || !(2..126).contains(&row);
        let walls = match word >> 28 {
            0 => 0xF0,
            1 => word >> 8 & 0xF0,
            _ => 0,
        };
        // Plateaus of four by four tiles, three heights.
        let tier = ((col >> 2) * 7 + (row >> 2) * 5) % 3;
        *byte = (if ring { 0xF0 } else { walls } | tier) as u8;
    }
}

/// Heights of the generated map's tiers: a ledge apart.
pub(super) const HEIGHTS: [i16; 16] = [0, -300, 120, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// People and things around the middle of the map; every other one has a script.
fn crowd(actors: &mut Pool, numbers: &mut Numbers, count: u16) {
    for script in 0..count {
        let word = numbers.next();
        let (x, z) = ((word & 0x7FF) as i16, (word >> 11 & 0x7FF) as i16);
        let flags = match word >> 30 {
            0 => 0,
            1 => flag::INTERACT,
            _ => flag::MOVING,
        };
        let script = if script & 1 == 0 {
            script
        } else {
            Actor::NO_SCRIPT
        };
        actors.spawn(Actor {
            flags,
            script,
            x: 7000 + x,
            z: 7000 + z,
            ..Actor::NEW
        });
    }
}

/// Doorways, beats and ramps of the generated map, in its middle.
fn triggers(numbers: &mut Numbers, out: &mut [u8; 1536]) -> Result<(), crate::Reason> {
    let mut tile = || {
        let word = numbers.next();
        [48 + (word & 31) as u8, 48 + (word >> 5 & 31) as u8]
    };
    let teleports: [Teleport; 128] = core::array::from_fn(|_| Teleport {
        tile: tile(),
        destination: tile().map(|half| 2 * half + (half & 1)),
    });
    let scripts: [Script; 200] = core::array::from_fn(|n| Script {
        tile: tile(),
        record: n as u8,
        gate: if n % 7 == 6 {
            Script::BIND
        } else {
            Script::WALK_ON
        },
    });
    let elevations: [Elevation; 16] = core::array::from_fn(|n| Elevation {
        tile: tile(),
        coarse: (n % 3) as i8 - 1,
        quads: 0x11 * n as u8,
    });
    let source = Source {
        teleports: &teleports,
        scripts: &scripts,
        elevations: &elevations,
        ..Source::default()
    };
    trigger::emit(&source, out).map_err(|error| reason(format_args!("{error}")))?;
    Ok(())
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    hops: u32,
    contacts: u32,
    talks: u32,
    doors: u32,
    beats: u32,
    paints: u32,
    warps: u32,
    fights: u32,
    menus: u32,
}

/// What the log's machines must agree on: the hash of the last state, and of all places on the way. A
/// program that was written from the sheet alone computes the same hash of the places.
const LOG: (u32, u32) = (0x78E3_FC28, 0x90A4_90DB);

/// 10,000 frames of a pad log over a map with people and things in the way, doors, beats that paint walls,
/// change the scene and call for fights: the same state everywhere.
pub(super) fn log<G>(_: &mut G) -> Check {
    let (states, places, counts) = play(10_000)?;
    let Counts {
        hops,
        contacts,
        talks,
        doors,
        beats,
        paints,
        warps,
        fights,
        menus,
    } = counts;
    let least = [
        hops, contacts, talks, doors, beats, paints, warps, fights, menus,
    ];
    same!(
        least.into_iter().all(|it| it >= 20),
        true,
        "twenty of each: {least:?}"
    );
    same_hex!(places, LOG.1, "hash of the places");
    same_hex!(states, LOG.0, "hash of the state");
    Ok(())
}

/// What goes on in the log beside the field.
struct World {
    numbers: Numbers,
    random: Random,
    encounter: Encounter,
    crossing: Crossing,
    /// Who is talking, and for how many frames yet.
    talk: Option<(ActorId, u32)>,
    /// Frames that are left of a fight.
    fight: u32,
    counts: Counts,
}

/// Hash of the last state, hash of the places of all frames, and what happened.
#[inline(never)]
fn play(frames: u32) -> Result<(u32, u32, Counts), crate::Reason> {
    let mut grid = [0; COLLISION_SIZE];
    generated(&mut grid);
    let mut field = player(8000, 8000);
    let mut world = World {
        numbers: Numbers(0xBEEF_0001),
        random: Random(7),
        encounter: Encounter::NEW,
        crossing: Crossing::STALE,
        talk: None,
        fight: 0,
        counts: Counts::default(),
    };
    crowd(&mut field.actors, &mut world.numbers, 64);
    let mut block = [0; 1536];
    triggers(&mut world.numbers, &mut block)?;
    let triggers = Triggers::lenient(&block);
    let mut places = Crc32::new();
    let (mut input, mut left) = (Input::default(), 0);
    for frame in 0..frames {
        if left == 0 {
            let word = world.numbers.next();
            left = 1 + (word & 31);
            input = world.pad(word, &input);
        }
        left -= 1;
        // The button that talks, every fourth frame.
        if left & 3 == 0 {
            input.pressed |= 0x20;
        }
        let ground = Ground::bare(&grid, &HEIGHTS).with_triggers(triggers, Triggers::EMPTY);
        let events = field.frame(&ground, &input);
        input.pressed = 0;
        world.hear(&mut field, &events);
        let paint = world.tell(&mut field, &ground, frame);
        if let Some(paint) = paint {
            paint.apply(&mut grid);
        }
        world.walk(&mut field, frame, input.scalar);
        // Without a bank of clips: gaits alone.
        field.animate(&Banks::default(), input.scalar, |_, _| None);
        for word in [field.player.x, field.player.y, field.player.z] {
            places.update(&word.to_le_bytes());
        }
        places.update(&field.mask().to_le_bytes());
        places.update(&field.player.heading().to_le_bytes());
    }
    let mut state = Crc32::new();
    field.feed(&mut state);
    Ok((state.finish(), places.finish(), world.counts))
}

impl World {
    /// A new pad: one of the eight directions, the buttons now and then.
    fn pad(&self, word: u32, before: &Input) -> Input {
        let mut held = pad::RING
            .get((word >> 5 & 7) as usize)
            .copied()
            .unwrap_or(0);
        held |= (word >> 8 & 0x40) as u16;
        if word >> 25 & 15 == 0 {
            held |= 0x10;
        }
        Input {
            held,
            pressed: held & !before.held,
            eighths: (word >> 16 & 6) as u8,
            scalar: 1 + (word >> 20 & 1) as u8,
            ..Input::default()
        }
    }

    /// Talks begin with a touch or the button, and end some frames later.
    fn hear(&mut self, field: &mut Field, events: &Events) {
        self.counts.hops += u32::from(events.hop.is_some());
        self.counts.menus += u32::from(events.menu);
        self.counts.contacts += u32::from(events.contact.is_some());
        self.counts.talks += u32::from(events.interact.is_some());
        if let Some(id) = events.interact {
            field.face_player(id);
        }
        if let Some(id) = events.contact.or(events.interact) {
            self.talk = Some((id, 1 + (self.numbers.next() & 7)));
        }
        if let Some((id, left)) = &mut self.talk {
            *left -= 1;
            if *left == 0 {
                field.dismiss(*id);
                self.talk = None;
            }
        }
        if self.fight > 0 {
            self.fight -= 1;
            if self.fight == 0 {
                field.end_fight();
            }
        }
    }

    /// Doorways, beats and fights; a paint that a beat asks for.
    fn tell(&mut self, field: &mut Field, ground: &Ground<'_>, frame: u32) -> Option<Paint> {
        let crossed = field.cross(ground, &mut self.crossing, false);
        self.counts.doors += u32::from(crossed.doorway.is_some());
        let mut paint = None;
        for beat in crossed.beats.into_iter().flatten() {
            self.counts.beats += 1;
            match beat % 4 {
                0 => self.warp(field, ground, beat.into()),
                1 if self.fight == 0 => self.begin(field, beat.into()),
                _ => paint = self.paint(field, beat),
            }
        }
        // Whoever has been walled in, or is lost, gets out in the end.
        if frame % 256 == 255 {
            let word = self.numbers.next();
            self.warp(field, ground, word);
        }
        let rate = |tile: overworld_runtime::field::map::Tile| {
            let rate = Rate {
                rate: 20,
                first: 3,
                count: 4,
            };
            (tile.col() & 1 == 0).then_some(rate)
        };
        let modifiers = Modifiers {
            setting: 1,
            ..Modifiers::default()
        };
        let random = &mut self.random;
        let rolled = field.encounter(&mut self.encounter, rate, &modifiers, || random.draw());
        if rolled.is_some() {
            self.counts.fights += 1;
            self.fight = 12;
        }
        paint
    }

    fn begin(&mut self, field: &mut Field, formation: u16) {
        self.counts.fights += 1;
        self.fight = 9;
        field.begin_fight(formation);
    }

    /// To a tile in the middle, as from another scene.
    fn warp(&mut self, field: &mut Field, ground: &Ground<'_>, word: u32) {
        if field.is_hopping() {
            return;
        }
        self.counts.warps += 1;
        let word = word & 0xFF;
        let entry = [
            50 + ((word * 7) & 15) as u8,
            (50 + ((word * 5) & 15) as u8) | 0x80,
        ];
        let arrival = Arrival::of(entry, word as u8, &Compat::SHEET);
        field.seat(ground, arrival.entry());
        field.player.set_heading(arrival.heading);
        self.crossing = Crossing::STALE;
    }

    /// Walls two tiles ahead of the player come or go.
    fn paint(&mut self, field: &Field, beat: u8) -> Option<Paint> {
        let [col, row] = [field.player.x, field.player.z].map(|it| (it >> 7) as u8);
        let (col, row) = (col.saturating_add(2), row.saturating_add(1));
        let code = [
            0x4C,
            0x70 | beat >> 2 & 3,
            col,
            row,
            col + 1,
            row + 1,
            beat & 15,
        ];
        self.counts.paints += 1;
        Paint::decode(&code).map(|(paint, _)| paint).ok()
    }

    /// One of the people walks a step to somewhere.
    fn walk(&mut self, field: &mut Field, frame: u32, scalar: u8) {
        let slot = frame as usize % 64;
        let Some(actor) = ActorId::new(slot).and_then(|id| field.actors.get_mut(id)) else {
            return;
        };
        if !actor.has(flag::MOVING) || actor.has(flag::ENGAGED) {
            return;
        }
        let place = |by: u32| 7000 + (((frame >> 9) * by + slot as u32 * 97) & 0x7FF) as i16;
        let to = Point::new(place(331), place(577));
        let step = ladder(FULL, 1, scalar, &Compat::SHEET);
        let visit = glide(actor.point(), to, step);
        (actor.x, actor.z) = (visit.at.x, visit.at.z);
        if let Some(heading) = visit.heading {
            actor.set_heading(heading);
        }
    }
}
