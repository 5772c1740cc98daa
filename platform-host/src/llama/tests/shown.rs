//! Pictures of levels.

use overworld_runtime::llama::Level;

use super::super::{picture, sample};
use super::{edited, renamed};
use crate::gpu::Picture;

/// A pixel of a cell, of eight on each side, counted as columns and rows are: rows go up.
fn pixel(picture: &Picture, [col, row]: [usize; 2], [x, y]: [usize; 2]) -> Option<[u8; 3]> {
    picture.pixel(8 * col + x, picture.height - 1 - (8 * row + y))
}

#[test]
fn a_picture_shows_tiles_and_objects() {
    let data = sample::wad();
    let level = Level::parse(&data).unwrap();
    let picture = picture::draw(&level, 8).unwrap();
    assert_eq!((picture.width, picture.height), (320, 320));
    let cell = |col: usize, row: usize| pixel(&picture, [col, row], [3, 3]).unwrap();
    assert_eq!(cell(8, 3), [16, 16, 24], "the ditch");
    assert_eq!(cell(3, 20), [80, 255, 80], "the player");
    assert_eq!(cell(35, 15), [255, 80, 255], "the door");
    assert_eq!(cell(12, 20), [255, 224, 64], "a coin");
    let (low, high) = (cell(15, 5), cell(21, 21));
    assert!(low[1] < high[1], "the hill is lighter: {low:?} {high:?}");
    // The next row lies above, as it does before whoever walks there: the player's own is the 21st from below.
    assert_eq!(
        picture.pixel(8 * 3 + 3, 319 - (8 * 20 + 3)),
        Some([80, 255, 80])
    );
    let error = |scale| picture::draw(&level, scale).err().unwrap();
    let expected = "TooMuch: expected a scale from 1 to 204 for 40 x 40 cells, found ";
    assert_eq!(error(0), format!("{expected}0"));
    assert_eq!(error(205), format!("{expected}205"));
    assert_eq!(picture::draw(&level, 204).unwrap().width, 204 * 40);
    assert_eq!(picture::draw(&level, 1).unwrap().width, 40);
}

#[test]
fn a_picture_shows_players_of_all_kinds() {
    for (old, new, colour) in [
        ("CutSceneTrigger", "LlamaChase", [80, 255, 80]),
        ("CutSceneTrigger", "RollerCoaster", [80, 255, 80]),
        ("CutSceneTrigger", "EndGameDoor", [255, 80, 255]),
        ("CutSceneTrigger", "VillageEndDoor", [255, 80, 255]),
        ("CutSceneTrigger", "LlamaChasm", [255, 224, 64]),
    ] {
        let data = renamed(sample::wad(), &[(old, new)]);
        let picture = picture::draw(&Level::parse(&data).unwrap(), 8).unwrap();
        assert_eq!(pixel(&picture, [30, 30], [3, 3]), Some(colour), "{new}");
    }
}

/// Where a level has no player or door but by a stub, that is shown as one, as a field begins there.
#[test]
fn a_picture_shows_players_that_a_stub_spawns() {
    const PLAYER: [u8; 3] = [80, 255, 80];
    const DOOR: [u8; 3] = [255, 80, 255];
    const STRAT: [u8; 3] = [255, 224, 64];
    // The stub at 22, 20 spawns a head; the player stands at 3, 20 and the door at 35, 15.
    for (names, [player, door, stub]) in [
        (
            &[("Llama", "Lama"), ("CheckPointHead", "Llama")][..],
            [STRAT, DOOR, PLAYER],
        ),
        (
            &[("LevelDoor", "Door"), ("CheckPointHead", "LevelDoor")],
            [PLAYER, STRAT, DOOR],
        ),
        // One of its own is enough.
        (&[("CheckPointHead", "Llama")], [PLAYER, DOOR, STRAT]),
        (&[("CheckPointHead", "EndGameDoor")], [PLAYER, DOOR, STRAT]),
    ] {
        let data = renamed(sample::wad(), names);
        let level = Level::parse(&data).unwrap();
        let picture = picture::draw(&level, 8).unwrap();
        for (cell, colour) in [([3, 20], player), ([35, 15], door), ([22, 20], stub)] {
            assert_eq!(
                pixel(&picture, cell, [3, 3]),
                Some(colour),
                "{names:?} {cell:?}"
            );
        }
        let count = |what: &str| {
            let legend = picture::legend(&level);
            legend.iter().find(|it| it.what == what).map(|it| it.count)
        };
        assert_eq!(count("players"), Some(1), "{names:?}");
        assert_eq!(count("doors out of the level"), Some(1), "{names:?}");
    }
}

#[test]
fn a_picture_shows_zones_and_waypoints() {
    const START: [u8; 3] = [255, 255, 255];
    const ZONE: [u8; 3] = [64, 224, 255];
    const WAYPOINT: [u8; 3] = [255, 96, 64];
    let draw = |data: &[u8]| picture::draw(&Level::parse(data).unwrap(), 8).unwrap();
    let picture = draw(&sample::wad());
    // Frames around whole cells, of the start and of the door.
    for (col, row, colour) in [(3, 20, START), (35, 15, ZONE)] {
        for (x, y) in [(0, 0), (7, 0), (0, 7), (7, 7), (4, 0), (7, 4)] {
            assert_eq!(pixel(&picture, [col, row], [x, y]), Some(colour));
        }
        for (x, y) in [(1, 1), (6, 6), (1, 6)] {
            assert_ne!(pixel(&picture, [col, row], [x, y]), Some(colour));
        }
    }
    let count = |picture: &Picture, colour: [u8; 3]| {
        let pixels = picture.rgb.chunks_exact(3);
        pixels.filter(|it| *it == colour).count()
    };
    assert_eq!(count(&picture, START), 28);
    assert_eq!(count(&picture, ZONE), 28);
    // From the middle of cell (30, 34) four cells to the right, then four down.
    let at = |picture: &Picture, col: usize, row: usize| pixel(picture, [col, row], [4, 4]);
    for (col, row) in [(31, 34), (33, 34), (34, 34), (34, 32), (34, 30)] {
        assert_eq!(at(&picture, col, row), Some(WAYPOINT), "{col} {row}");
    }
    for (col, row) in [(35, 34), (29, 34), (34, 29), (32, 32)] {
        assert_ne!(at(&picture, col, row), Some(WAYPOINT), "{col} {row}");
    }
    // A chain that ends leads to no other.
    let ended = draw(&edited(|parts| parts.waypoints[0].next = 0));
    assert_ne!(at(&ended, 32, 34), Some(WAYPOINT));
    assert_eq!(at(&ended, 34, 32), Some(WAYPOINT));
    // What starts no zone has the other colour.
    let none = draw(&edited(|parts| parts.zones[0].flags = 0x100));
    assert_eq!((count(&none, START), count(&none, ZONE)), (0, 56));
}
