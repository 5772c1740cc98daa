//! The log: 10,000 frames of pads over a generated map, in which everything happens that a field's life
//! has.

use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::bytes::Crc32;
use overworld_runtime::field::actor::{Actor, ActorId, Pool, flag};
use overworld_runtime::field::compat::Compat;
use overworld_runtime::field::crossing::Crossing;
use overworld_runtime::field::encounter::{Encounter, Modifiers, Random, Rate};
use overworld_runtime::field::glide::{FULL, glide, ladder};
use overworld_runtime::field::map::{COLLISION_SIZE, Cell, Map, Paint, Tile, Triggers};
use overworld_runtime::field::spawn::Arrival;
use overworld_runtime::field::units::Point;
use overworld_runtime::field::{Events, Field, Ground, Input, pad};

use super::crowd::{HEIGHTS, MAP, draw};
use super::player;
use crate::check::{Check, reason, same, same_hex};

/// Numbers from a seed (xorshift).
pub(super) struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = draw(self.0);
        self.0
    }
}

/// Seed of the pad log.
const PADS: u32 = 0xBEEF_0001;

/// The pad log: what is held, and for how long, from a seed and nothing else, so that anything that plays it
/// plays the same.
struct Pads {
    numbers: Numbers,
    input: Input,
    /// Frames that the pad is still held.
    left: u32,
}

impl Pads {
    fn new() -> Self {
        Self {
            numbers: Numbers(PADS),
            input: Input::default(),
            left: 0,
        }
    }

    /// The pad of the next frame.
    fn next(&mut self) -> Input {
        self.input.pressed = 0;
        if self.left == 0 {
            let word = self.numbers.next();
            self.left = 1 + (word & 31);
            self.turn(word);
        }
        self.left -= 1;
        // The button that talks, every fourth frame.
        if self.left & 3 == 0 {
            self.input.pressed |= 0x20;
        }
        self.input
    }

    /// A new pad: one of the eight directions, the buttons now and then, a camera, and frames of one to four
    /// vertical blanks.
    fn turn(&mut self, word: u32) {
        let direction = pad::RING.get((word >> 5 & 7) as usize);
        let mut held = direction.copied().unwrap_or(0) | (word >> 8 & 0x40) as u16;
        if word >> 25 & 15 == 0 {
            held |= 0x10;
        }
        self.input = Input {
            held,
            pressed: held & !self.input.held,
            eighths: (word >> 16 & 6) as u8,
            scalar: 1 + (word >> 20 & 3) as u8,
            ..Input::default()
        };
    }
}

/// One pad into a hash of pads.
fn feed(hash: &mut Crc32, input: &Input) {
    hash.update(&input.held.to_le_bytes());
    hash.update(&input.pressed.to_le_bytes());
    hash.update(&[input.eighths, input.scalar]);
}

/// The pads by themselves, with no field behind them, are those that the log is played with.
pub(super) fn pads<G>(_: &mut G) -> Check {
    let (mut pads, mut hash, mut scalars) = (Pads::new(), Crc32::new(), 0_u32);
    for _ in 0..FRAMES {
        let input = pads.next();
        scalars |= 1 << (input.scalar & 31);
        feed(&mut hash, &input);
    }
    same_hex!(
        scalars,
        0b1_1110_u32,
        "frames of one to four vertical blanks"
    );
    same_hex!(hash.finish(), LOG.pads, "hash of the pads");
    Ok(())
}

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
    /// Frames in which the player stands on a tile that slopes, whose floor is overridden, that slows down.
    slopes: u32,
    overrides: u32,
    slow: u32,
}

/// Frames of the log.
const FRAMES: u32 = 10_000;

/// Hashes of a log that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hashes {
    /// Of all pads.
    pads: u32,
    /// Of the player's places in all frames.
    places: u32,
    /// Of the last state.
    state: u32,
}

/// What all machines must agree on; recorded on the PC.
const LOG: Hashes = Hashes {
    pads: 0xF7ED_530D,
    places: 0xCA0E_538C,
    state: 0x3730_299A,
};

/// 10,000 frames of a pad log over a map with walls, slopes, ledges and floor overrides, people and things in
/// the way, doors, beats that paint walls, change the scene and call for fights: the same state everywhere.
pub(super) fn log<G>(_: &mut G) -> Check {
    let (hashes, counts) = play(FRAMES)?;
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
        slopes,
        overrides,
        slow,
    } = counts;
    let least = [
        hops, contacts, talks, doors, beats, paints, warps, fights, menus, slopes, overrides, slow,
    ];
    same!(
        least.into_iter().all(|it| it >= 20),
        true,
        "twenty of each: {least:?}"
    );
    same_hex!(hashes.pads, LOG.pads, "hash of the pads");
    same_hex!(hashes.places, LOG.places, "hash of the places");
    same_hex!(hashes.state, LOG.state, "hash of the state");
    Ok(())
}

/// What goes on in the log beside the field.
struct World {
    random: Random,
    encounter: Encounter,
    crossing: Crossing,
    /// Who is talking, and for how many frames yet.
    talk: Option<(ActorId, u32)>,
    /// Frames that are left of a fight.
    fight: u32,
    counts: Counts,
}

/// The hashes, and what happened. What the world does beside the field comes from the number of the frame.
#[inline(never)]
fn play(frames: u32) -> Result<(Hashes, Counts), crate::Reason> {
    let map = Map::parse(&MAP).map_err(|error| reason(format_args!("{error}")))?;
    let mut grid = [0; COLLISION_SIZE];
    for (byte, from) in grid.iter_mut().zip(map.collision_grid()) {
        *byte = *from;
    }
    let mut field = player(8000, 8000);
    field.control.slow_ground = true;
    let mut world = World {
        random: Random(7),
        encounter: Encounter::NEW,
        crossing: Crossing::STALE,
        talk: None,
        fight: 0,
        counts: Counts::default(),
    };
    crowd(&mut field.actors, &mut Numbers(0x0C0D_0E0F), 64);
    let mut pads = Pads::new();
    let (mut held, mut places) = (Crc32::new(), Crc32::new());
    for frame in 0..frames {
        let input = pads.next();
        feed(&mut held, &input);
        let ground = Ground::new(map, Triggers::EMPTY, &HEIGHTS).with_walls(&grid);
        let events = field.frame(&ground, &input);
        world.hear(&mut field, &events, frame);
        world.stand(&field, &ground);
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
    let hashes = Hashes {
        pads: held.finish(),
        places: places.finish(),
        state: state.finish(),
    };
    Ok((hashes, world.counts))
}

impl World {
    /// What the player stands on.
    fn stand(&mut self, field: &Field, ground: &Ground<'_>) {
        let [x, z] = [field.player.x, field.player.z].map(i32::from);
        let Some(tile) = Tile::containing(x, z) else {
            return;
        };
        let cell = ground.cell(tile);
        let level = [(64, 0), (0, 64), (64, 64)]
            .into_iter()
            .all(|(dx, dz)| ground.floor(x ^ dx, z ^ dz) == ground.floor(x, z));
        self.counts.slopes += u32::from(!level && !cell.has(Cell::ELEVATION));
        self.counts.overrides += u32::from(cell.has(Cell::ELEVATION));
        self.counts.slow += u32::from(cell.has(Cell::SLOW));
    }

    /// Talks begin with a touch or the button, and end some frames later.
    fn hear(&mut self, field: &mut Field, events: &Events, frame: u32) {
        self.counts.hops += u32::from(events.hop.is_some());
        self.counts.menus += u32::from(events.menu);
        self.counts.contacts += u32::from(events.contact.is_some());
        self.counts.talks += u32::from(events.interact.is_some());
        if let Some(id) = events.interact {
            field.face_player(id);
        }
        if let Some(id) = events.contact.or(events.interact) {
            self.talk = Some((id, 1 + (draw(frame + 1) >> 8 & 7)));
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
            self.warp(field, ground, draw(frame) >> 8);
        }
        let rate = |tile: Tile| {
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
