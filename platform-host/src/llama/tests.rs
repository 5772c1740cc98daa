use overworld_runtime::field::Ground;
use overworld_runtime::field::map::{Map, Triggers};
use overworld_runtime::llama::map::{Place, Strat};
use overworld_runtime::llama::{Level, Tag, Wad};

use super::document::{Content, Document};
use super::testlevel::{self, Options};
use super::{bridge, picture, report, sample, types};
use crate::scenario::Scenario;

#[test]
fn the_sample_has_no_fault() {
    let data = sample::wad();
    let report = report::check(&data);
    assert_eq!((report.errors, report.warnings), (vec![], vec![]));
    let level = Level::parse(&data).unwrap();
    assert_eq!(level.name(), Some(&b"Meadow"[..]));
    assert_eq!(level.stpc.unwrap().code(), (8, true));
}

#[test]
fn documents_lose_nothing() {
    let mut data = sample::wad();
    for change in 0..4 {
        match change {
            1 => data[1] ^= 1,
            2 => data.extend(b"behind"),
            3 => {
                // A coordinate that is no number, and what is derived from it.
                let start = Level::parse(&data).unwrap().map_start;
                data[start + 12..start + 16].copy_from_slice(&0xFFC0_1234_u32.to_le_bytes());
                data[start + 20..start + 24].copy_from_slice(&0x8000_0000_u32.to_le_bytes());
            }
            _ => {}
        }
        let document = Document::of(&Wad::parse(&data).unwrap());
        assert!(
            document
                .chunks
                .iter()
                .any(|it| matches!(it.1, Content::Map(_)))
        );
        assert_eq!(document.bytes().unwrap(), data, "{change}");
        let text = document.to_json().to_string();
        let again = Document::from_json(&serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(again.bytes().unwrap(), data, "{change}");
    }
    // Whatever byte of the map is changed.
    let data = sample::wad();
    let level = Level::parse(&data).unwrap();
    let span = level.map_start..level.map_start + level.map.bytes().len();
    for at in span.step_by(1009) {
        let mut changed = data.clone();
        changed[at] ^= 0x81;
        let document = Document::of(&Wad::parse(&changed).unwrap());
        let text = document.to_json().to_string();
        let again = Document::from_json(&serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(again.bytes().unwrap(), changed, "{at:#x}");
    }
}

#[test]
fn documents_that_are_none_say_where() {
    for (text, expected) in [
        ("[]", "the document: expected an object, found []"),
        ("{}", "chunks: expected an array, found null"),
        (
            r#"{"chunks":[{"tag":"INFO"}]}"#,
            "chunks[0]: expected one of the keys data and map",
        ),
        (
            r#"{"chunks":[{"tag":"INFO","data":"0"}]}"#,
            "chunks[0].data: expected hexadecimal digits",
        ),
        (
            r#"{"chunks":[{"tag":"INF","data":""}]}"#,
            "chunks[0].tag: expected a tag of four",
        ),
        (r#"{"chunks":[],"size":5}"#, "no key \"size\""),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":-1,"height":1,"tiles":[]}}]}"#,
            "chunks[0].map.width: expected a whole number in range, found -1",
        ),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":1,"height":1,"tiles":[{"at":[1,2],"model":0,"colours":""}]}}]}"#,
            "chunks[0].map.tiles[0]: expected three coordinates",
        ),
        (
            r#"{"chunks":[{"tag":"INFO","data":""},{"tag":"END ","data":""}]}"#,
            "chunks[1].tag: expected another tag, for the end is written anyway, found \"END \"",
        ),
        (
            r#"{"chunks":[],"chunks":[{"tag":"INFO","data":""}]}"#,
            "the key \"chunks\" stands twice at line 1 column 21",
        ),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":1,"height":1,"tiles":[],"pool_extra":0,
                "fixed":[{"angles":[0,0,0],"at":[0,0,0],"att":1}]}}]}"#,
            "chunks[0].map.fixed[0]: expected no key \"att\"",
        ),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":1,"height":1,"tiles":[],"pool_extra":0,
                "paths":[[{"flags":0,"points":[],"point":1}]]}}]}"#,
            "chunks[0].map.paths[0][0]: expected no key \"point\"",
        ),
        (
            r#"{"chunks":[{"tag":"MAP ","map":{"width":1,"height":1,"tiles":[],"pool_extra":0,
                "paths":[[{"flags":0,"points":[{"at":[0,0],"type":0,"angle":0,"z":1}]}]]}}]}"#,
            "chunks[0].map.paths[0][0].points[0]: expected no key \"z\"",
        ),
    ] {
        let error = Document::parse(text.as_bytes()).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn differences_are_named() {
    let data = sample::wad();
    let level = Level::parse(&data).unwrap();
    let strats = level
        .map
        .span(overworld_runtime::llama::map::Block::Strats)
        .start;
    let mut changed = data.clone();
    let at = level.map_start + strats + 8 + 58 + 19;
    changed[at] ^= 1;
    let difference = report::difference(&data, &changed);
    assert_eq!(
        difference,
        Some((at, "block 12 (strats), record 1, code".to_owned()))
    );
    assert_eq!(report::difference(&data, &data), None);
    assert_eq!(report::difference(&data, &data[..100]).unwrap().0, 100);
}

#[test]
fn types_are_counted_and_named() {
    let data = sample::wad();
    let level = Level::parse(&data).unwrap();
    let rows = types::of(&level);
    let labels: Vec<_> = rows
        .iter()
        .map(|it| (it.label.as_str(), it.count))
        .collect();
    assert_eq!(
        labels,
        [
            ("CameraSide", 1),
            ("CheckPointHead(spawn)", 1),
            ("CheckPointPost", 1),
            ("Coin", 3),
            ("CutSceneTrigger", 1),
            ("Grapes", 1),
            ("LevelDoor", 1),
            ("Llama", 1),
            ("RubyIdol", 1),
        ]
    );
    assert!(rows[1].spawn && rows[1].name.as_deref() == Some("CheckPointHead"));
    assert_eq!(rows[7].ty.variables, 78);
    let table = types::table(&[rows.clone(), rows]);
    assert_eq!(table["Coin"], [3, 3]);
    // The head itself is never placed, but its name is in the code.
    let names: Vec<_> = level.stpc.unwrap().names().map(|it| it.1).collect();
    assert_eq!(names.len(), 9);
    assert!(names.contains(&"CheckPointHead"));
}

/// A test level, which must be good.
fn made(options: &Options) -> testlevel::Made {
    let source = sample::wad();
    let made = testlevel::make(&source, options).unwrap();
    let report = report::check(&made.data);
    assert_eq!((report.errors, report.warnings), (vec![], vec![]));
    let (old, new) = (
        Wad::parse(&source).unwrap(),
        Wad::parse(&made.data).unwrap(),
    );
    for (one, other) in old.chunks().zip(new.chunks()) {
        let changed = one.tag == Tag::MAP || one.tag == Tag::NAME && options.name.is_some();
        assert_eq!(one.tag, other.tag);
        assert!(changed || one.data == other.data, "{}", one.tag);
    }
    made
}

#[test]
fn a_test_level_shows_each_type_once() {
    let made = made(&Options {
        name: Some("Test".to_owned()),
        ..Options::default()
    });
    let level = Level::parse(&made.data).unwrap();
    assert_eq!(level.name(), Some(&b"Test"[..]));
    assert_eq!(made.skipped, ["CameraSide", "CutSceneTrigger"]);
    assert_eq!(made.placed.len(), 7);
    assert_eq!((made.missing.len(), made.floor), (0, sample::FLOOR));
    let rows = types::of(&level);
    let count = |label: &str| rows.iter().find(|it| it.label == label).map(|it| it.count);
    assert_eq!(count("Coin"), Some(7), "one and those of the parkour");
    for label in ["Llama", "LevelDoor", "Grapes", "CheckPointHead(spawn)"] {
        assert_eq!(count(label), Some(1), "{label}");
    }
    assert_eq!(made.strats, 13);
    assert_eq!(level.map.pool_extra(), 20 + 13);
    // Parameters are those of the source.
    let grapes = rows.iter().find(|it| it.label == "Grapes").unwrap();
    let strat = level.map.strats().get(grapes.first).unwrap();
    let pool: Vec<u32> = level.map.pool().iter().collect();
    assert_eq!(pool[strat.pool as usize..][..2], [2, 3]);
    assert_eq!(strat.waypoint, 0);
    standing(&level);
    // The parkour: six plates, each half a unit higher, and a goal of nine cells.
    let [col, row, columns, rows] = made.area;
    let heights: std::collections::BTreeMap<i32, usize> =
        level
            .map
            .fixed()
            .iter()
            .fold(Default::default(), |mut map, it| {
                *map.entry(it.at[1]).or_default() += 1;
                map
            });
    let base = *heights.keys().next().unwrap();
    let steps: Vec<_> = heights
        .iter()
        .map(|(y, count)| ((y - base) / 2048, *count))
        .collect();
    assert_eq!(
        steps[1..],
        [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 9)]
    );
    assert!(col + columns <= sample::SIDE && row + rows <= sample::SIDE);
}

/// Every strat stands on a tile, 0.25 above it.
fn standing(level: &Level<'_>) {
    let tiles: Vec<_> = level.map.fixed().iter().collect();
    for strat in level.map.strats().iter() {
        let [x, y, z] = strat.at;
        assert!(
            tiles.iter().any(|it| it.at == [x, y - 1024, z]),
            "{strat:?}"
        );
    }
}

#[test]
fn the_original_can_stay() {
    let options = Options {
        keep: true,
        spacing: 1,
        ..Options::default()
    };
    // The meadow has no free cells.
    let error = testlevel::make(&sample::wad(), &options).unwrap_err();
    assert!(error.contains("no room"), "{error}");
    // Half of it has.
    let data = sample::wad();
    let mut document = Document::of(&Wad::parse(&data).unwrap());
    for (_, content) in &mut document.chunks {
        if let Content::Map(parts) = content {
            let keep: Vec<bool> = parts
                .tiles
                .iter()
                .map(|it| matches!(it.place(40, 40), Place::Cell(cell) if cell / 40 >= 20))
                .collect();
            let mut keeps = keep.iter();
            parts.tiles.retain(|_| *keeps.next().unwrap());
            let mut keeps = keep.iter();
            parts.colours.retain(|_| *keeps.next().unwrap());
        }
    }
    let half = document.bytes().unwrap();
    let made = testlevel::make(&half, &options).unwrap();
    assert_eq!(report::check(&made.data).errors, []);
    let (old, new) = (
        Level::parse(&half).unwrap(),
        Level::parse(&made.data).unwrap(),
    );
    // Tiles keep their indices, strats too; player and door have moved to their new places.
    assert!(
        new.map
            .tiles()
            .iter()
            .zip(old.map.tiles().iter())
            .all(|(new, old)| new == old)
    );
    let moved = old.map.strats().iter().zip(new.map.strats().iter());
    let moved: Vec<usize> = moved
        .enumerate()
        .filter(|(_, (old, new))| old != new)
        .map(|it| it.0)
        .collect();
    assert_eq!(moved, [0, 1]);
    assert_eq!(new.map.strats().len() - old.map.strats().len(), 5 + 6);
    assert_eq!(new.map.pool_extra() - old.map.pool_extra(), 11);
}

#[test]
fn what_cannot_be_made() {
    let data = sample::wad();
    let error = |options: Options| testlevel::make(&data, &options).unwrap_err();
    let floor = Options {
        floor: Some(4),
        ..Options::default()
    };
    assert!(error(floor).starts_with("ModelIndex"));
    for spacing in [40, u32::MAX] {
        let options = Options {
            spacing,
            ..Options::default()
        };
        assert!(error(options).contains("no room"));
    }
    assert!(testlevel::make(&data[..200], &Options::default()).is_err());
    // Another floor, of a model that no tile of the sample shows as such.
    let made = made(&Options {
        floor: Some(sample::BLOCK),
        ..Options::default()
    });
    assert_eq!(made.floor, sample::BLOCK);
    let level = Level::parse(&made.data).unwrap();
    assert!(level.map.strats().iter().all(|it: Strat| it.is_created()));
}

#[test]
fn a_picture_shows_tiles_and_objects() {
    let data = sample::wad();
    let level = Level::parse(&data).unwrap();
    let picture = picture::draw(&level, 8).unwrap();
    assert_eq!((picture.width, picture.height), (320, 320));
    let cell = |col: usize, row: usize| picture.pixel(8 * col + 3, 8 * row + 3).unwrap();
    assert_eq!(cell(8, 3), [16, 16, 24], "the ditch");
    assert_eq!(cell(3, 20), [80, 255, 80], "the player");
    assert_eq!(cell(35, 15), [255, 80, 255], "the door");
    assert_eq!(cell(12, 20), [255, 224, 64], "a coin");
    let (low, high) = (cell(15, 5), cell(21, 21));
    assert!(low[1] < high[1], "the hill is lighter: {low:?} {high:?}");
    let error = |scale| picture::draw(&level, scale).err().unwrap();
    let expected = "TooMuch: expected a scale from 1 to 204 for 40 x 40 cells, found ";
    assert_eq!(error(0), format!("{expected}0"));
    assert_eq!(error(205), format!("{expected}205"));
    assert_eq!(picture::draw(&level, 204).unwrap().width, 204 * 40);
    assert_eq!(picture::draw(&level, 1).unwrap().width, 40);
}

#[test]
fn the_sample_is_walked() {
    let data = sample::wad();
    let field = bridge::field(&Level::parse(&data).unwrap()).unwrap();
    assert_eq!(
        (field.player, field.shift, field.rounded),
        ([576, 2752], [1, 1], 0)
    );
    // 19 heights, of which 16 are tiers.
    assert!(field.records > 0, "{field:?}");
    assert_eq!(field.floors, 40 * 40 - 38);
    let map = Map::parse(&field.map).unwrap();
    let ground = Ground::new(map, Triggers::EMPTY, &field.heights);
    let (mut exact, mut others) = (0, 0);
    for row in 0..sample::SIDE {
        for col in 0..sample::SIDE {
            let Some(quarters) = sample::quarters(col, row) else {
                continue;
            };
            let (x, z) = (col as i32 * 128 + 192, row as i32 * 128 + 192);
            let floor = ground.floor(x, z);
            let height = -32 * (quarters + 1);
            exact += usize::from(floor == height);
            if !field.heights.iter().any(|&it| i32::from(it) == height) {
                assert!((floor - height).abs() <= 8, "{col} {row}: {floor} {height}");
                others += 1;
            }
            // Between the tiers of four corners, of which none is further than a step of the stairs.
            assert!(
                (floor - height).abs() <= 64,
                "{col} {row}: {floor} {height}"
            );
        }
    }
    assert!(exact > 1000, "{exact}");
    assert!(others > 0, "some heights are no tier");
    let walk = |pads: &str| {
        let text = format!(
            r#"{{"floor_lut":{:?},"player":{{"x":{},"z":{},"speed":4096}},"terrain":true,"pads":[{pads}]}}"#,
            field.heights, field.player[0], field.player[1]
        );
        let scenario = Scenario::parse(text.as_bytes()).unwrap();
        let mut last = None;
        let mut top = 0;
        scenario
            .play(Some(&field.map), |frame| {
                top = top.min(frame.player.y);
                last = Some(frame.player);
            })
            .unwrap();
        let last = last.unwrap();
        ([last.x, last.y, last.z], top)
    };
    // East over the bridge and the hill, to the level's end, whose wall holds.
    let ([x, y, z], top) = walk(r#"["0x2000", 2000]"#);
    assert_eq!(z, 2752);
    assert!((40 * 128..41 * 128 + 64).contains(&i32::from(x)), "{x}");
    assert_eq!(
        y, -32,
        "a floor's surface is a quarter of a cell above its tile"
    );
    // Two and a half cells high at its top, which the player's height follows with a delay.
    assert!((-352..=-320).contains(&top), "{top}");
    // Beside the bridge the ditch stops.
    let ([x, ..], _) = walk(r#"["0x1000", 200], ["0x2000", 2000]"#);
    assert!(i32::from(x) < 9 * 128 + 64, "{x}");
}

#[test]
fn a_level_is_a_world() {
    let data = sample::wad();
    let (world, _) = bridge::world(&Level::parse(&data).unwrap()).unwrap();
    let image = crate::image::build(&world.tree(None).unwrap()).unwrap();
    // Three seconds to the east are other ones than three seconds on the spot, and the same each time.
    let play = |held: u16| {
        let mut drive = crate::drive::ImageDrive::from_bytes(image.clone()).unwrap();
        let each = |frame: crate::play::Frame<'_>| {
            if frame.number < 180 {
                std::ops::ControlFlow::Continue(())
            } else {
                std::ops::ControlFlow::Break(())
            }
        };
        crate::play::play_with(&mut drive, &world.scene, |_| held, |_| {}, each)
            .unwrap()
            .1
    };
    let east = play(0x2000);
    assert_ne!(east, play(0));
    assert_eq!(east, play(0x2000));
}
