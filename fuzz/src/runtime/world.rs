//! A scene that is played: any program on any map, by any pad log.

use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::field::map::{MapMut, SIZE, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::scene::man::Man;
use overworld_runtime::scene::world::{Arrival, Change, Scenery, Soil, World};
use overworld_runtime::script::host::Absent;

use super::field::file;
use super::{take_u8, take_u16};

/// Frames that are played at most.
const FRAMES: u32 = 300;
/// Places for scripts: few, so that they run out.
const PLACES: usize = 12;
/// Fewer still: the player's, the entry script's and one more.
const SMALL: usize = 3;

/// `[u8 switches][i16 x][i16 z]`, `[u8 n]` and n pads `[u16 held][u8 frames]`, `[u16 length]` and a decoded MAN,
/// then a map as the target `map` has it. A scalar above 4, which counts as 4, asks for a small pool; bits 6 and 7
/// for another entry after half of the pads: into the same world, or into one that takes it over.
///
/// Frames end; nobody is held by a talk that is over, and nothing moves in a world that was left; twins stay equal.
pub fn world(data: &[u8]) -> bool {
    let (switches, data) = take_u8(data);
    let (x, data) = take_u16(data);
    let (z, data) = take_u16(data);
    let (count, data) = take_u8(data);
    let (pads, data) = data.split_at(data.len().min(3 * usize::from(count)));
    let (length, data) = take_u16(data);
    let (man, data) = data.split_at(data.len().min(length.into()));
    let Ok(man) = Man::parse_lenient(man) else {
        return false;
    };
    let mut map = file(data);
    let play = if switches >> 1 & 7 > 4 {
        play::<SMALL>
    } else {
        play::<PLACES>
    };
    let fallback = map.split_off(SIZE);
    let at = Point::new(x as i16, z as i16);
    let first = play(&man, &map, &fallback, at, switches, pads);
    let second = play(&man, &map, &fallback, at, switches, pads);
    assert_eq!(first, second, "the same inputs give the same state");
    first.is_some()
}

/// The state at the end; `None` where the map is none.
fn play<const N: usize>(
    man: &Man<'_>,
    map: &[u8],
    fallback: &[u8],
    at: Point,
    switches: u8,
    pads: &[u8],
) -> Option<u32> {
    // Scripts write to it: each world has its own.
    let mut maps = [map.to_vec(), map.to_vec()];
    let [first, second] = &mut maps;
    let (patch, overworld) = (Triggers::lenient(fallback), switches & 1 != 0);
    let mut world = Box::new(World::<N>::new(scenery(man, first, patch, overworld)?));
    world.settings.scalar = switches >> 1 & 7;
    world.settings.budget = 256;
    world.field.settings.precise = switches & 16 != 0;
    let arrival = if switches & 32 != 0 {
        Arrival::New { anchor: at }
    } else {
        Arrival::Warp { at, heading: 0 }
    };
    world.enter(arrival, &mut Absent);
    let mut left = FRAMES;
    let half = pads.len() / 6 * 3;
    let (pads, more) = pads.split_at(half);
    walk(&mut world, pads, &mut left);
    if switches & 128 != 0 {
        let next = World::new(scenery(man, second, patch, overworld)?);
        *world = next.with(&world.leave());
    }
    if switches & 192 != 0 {
        world.enter(arrival, &mut Absent);
        assert!(world.talk().is_none() && !world.field.is_hopping());
    }
    walk(&mut world, more, &mut left);
    Some(world.state_hash())
}

fn scenery<'m>(
    man: &Man<'m>,
    map: &'m mut [u8],
    patch: Triggers<'m>,
    overworld: bool,
) -> Option<Scenery<'m>> {
    Some(Scenery {
        map: Soil::Map(MapMut::parse(map).ok()?),
        patch,
        man: Some(*man),
        banks: Banks::default(),
        overworld,
    })
}

fn walk<const N: usize>(world: &mut World<'_, N>, pads: &[u8], left: &mut u32) {
    let mut last: Option<Change> = None;
    for pad in pads.chunks_exact(3) {
        let (held, frames) = take_u16(pad);
        let (frames, _) = take_u8(frames);
        for frame in 0..u32::from(frames).min(*left) {
            *left -= 1;
            // Buttons come and go, directions stay.
            let held = if frame % 2 == 0 { held } else { held & 0xF000 };
            let told = world.frame(held, &mut Absent);
            if world.talk().is_none() {
                assert_eq!(world.field.engaged(), 0, "held by nobody");
            }
            if let Some(change) = told.change {
                assert!(last.is_none_or(|last| last == change), "left anew");
                last = Some(change);
                // Only what is held is heard.
                let hash = world.state_hash();
                let told = world.frame(held, &mut Absent);
                assert_eq!(
                    (told.change, world.state_hash()),
                    (last, hash),
                    "moved after it was left"
                );
            }
        }
    }
}
