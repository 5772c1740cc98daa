//! Precise movement (field sheet, section 16) over the log's map: angles of cameras, pads and sticks.

use overworld_runtime::bytes::Crc32;
use overworld_runtime::field::actor::{Actor, flag};
use overworld_runtime::field::contact::{ACTOR, STATIC, WALL};
use overworld_runtime::field::map::{Map, Triggers};
use overworld_runtime::field::precise::stick;
use overworld_runtime::field::{Ground, Input, pad};

use super::crowd::{HEIGHTS, MAP, draw};
use super::player;
use crate::check::{Check, reason, same, same_hex};

/// Frames that are walked.
const FRAMES: u32 = 200;
/// The player's place, what is left over of each axis, and what was met, frame by frame, then the state: recorded on
/// the PC.
const HASH: u32 = 0x6701_3F11;

/// 200 frames by any angle, among people and things and against walls: the same everywhere.
#[inline(never)]
pub(super) fn walk<G>(_: &mut G) -> Check {
    let map = Map::parse(&MAP).map_err(|error| reason(format_args!("{error}")))?;
    let ground = Ground::new(map, Triggers::EMPTY, &HEIGHTS);
    let mut field = player(8000, 8000);
    field.settings.precise = true;
    field.control.slow_ground = true;
    let mut word = 0x0516_0919;
    for _ in 0..24 {
        word = draw(word);
        field.actors.spawn(Actor {
            x: 7600 + (word & 0x3FF) as i16,
            z: 7600 + (word >> 10 & 0x3FF) as i16,
            flags: if word >> 31 == 0 { flag::MOVING } else { 0 },
            ..Actor::NEW
        });
    }
    let (mut hash, mut met, mut moved) = (Crc32::new(), 0, [0_u32; 2]);
    let mut input = Input::default();
    for frame in 0..FRAMES {
        if frame % 8 == 0 {
            word = draw(word);
            let direction = pad::RING.get((word >> 29) as usize);
            let deflection = [word >> 13, word >> 21].map(|it| i16::from(it as u8 as i8));
            input = Input {
                held: direction.copied().unwrap_or(0) | (word & 0x40) as u16,
                azimuth: (word & 0xFFF) as u16,
                // Every third time the stick is held.
                stick: if frame % 3 == 0 {
                    stick(deflection[0], deflection[1])
                } else {
                    None
                },
                scalar: 1 + (word >> 12 & 3) as u8,
                ..Input::default()
            };
        }
        let events = field.frame(&ground, &input);
        met |= events.bits;
        for (count, delta) in moved.iter_mut().zip(field.delta()) {
            *count += u32::from(delta != 0);
        }
        for word in [field.player.x, field.player.y, field.player.z] {
            hash.update(&word.to_le_bytes());
        }
        for rest in field.remainder().get() {
            hash.update(&rest.to_le_bytes());
        }
        hash.update(&[events.bits]);
    }
    field.feed(&mut hash);
    same!(
        met,
        ACTOR | STATIC | WALL,
        "people, things and walls were met"
    );
    let far = moved.into_iter().all(|frames| frames >= FRAMES / 4);
    same!(far, true, "frames that lead along X and Z: {moved:?}");
    same_hex!(hash.finish(), HASH, "hash of the walk");
    Ok(())
}
