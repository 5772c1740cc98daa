//! Test levels.

use overworld_runtime::llama::map::{Place, Strat, Tile};
use overworld_runtime::llama::trak::{self, COLLISION, FACE, ModelSource, VERTEX};
use overworld_runtime::llama::{Level, Tag, Wad};

use super::super::document::Document;
use super::super::testlevel::{self, Options};
use super::super::{report, sample, types};
use super::{edited, renamed};

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
        spacing: Some(1),
        ..Options::default()
    };
    // The meadow has no free cells but those of its ditch: the grid gets rows behind its own.
    let meadow = sample::wad();
    for (spacing, found, rows) in [(Some(1), 1, 6), (None, 3, 18), (Some(3), 3, 18)] {
        let options = Options {
            spacing,
            ..options.clone()
        };
        let made = testlevel::make(&meadow, &options).unwrap();
        assert_eq!((made.spacing, made.added_rows), (found, rows));
        assert_eq!(made.area[..2], [0, 40]);
        assert_eq!(report::check(&made.data).errors, []);
        let new = Level::parse(&made.data).unwrap();
        assert_eq!((new.map.width(), new.map.height()), (40, 40 + rows));
        let old = Level::parse(&meadow).unwrap();
        let mut both = old.map.tiles().iter().zip(new.map.tiles().iter());
        assert!(both.all(|(old, new)| old == new));
        assert!(old.map.grid().iter().eq(new.map.grid().iter().take(1600)));
        standing(&new);
    }
    // Unless the parkour is longer than a row.
    let options_of = |spacing| Options {
        spacing: Some(spacing),
        ..options.clone()
    };
    let error = testlevel::make(&meadow, &options_of(u32::MAX)).unwrap_err();
    let expected = "no room for 5 objects at a spacing of 4294967295 in the 38 free cells of 40 x 40; none fits: with \
                    --spacing 1 they and the parkour take 18 x 10 cells in one piece, or fewer rows and more columns";
    assert_eq!(error, expected);
    // Half of it has.
    let half = edited(|parts| {
        let keep: Vec<bool> = parts
            .tiles
            .iter()
            .map(|it| matches!(it.place(40, 40), Place::Cell(cell) if cell / 40 >= 20))
            .collect();
        let mut keeps = keep.iter();
        parts.tiles.retain(|_| *keeps.next().unwrap());
        let mut keeps = keep.iter();
        parts.colours.retain(|_| *keeps.next().unwrap());
    });
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

/// Where three cells find no room, two or one are taken unless three were asked for.
#[test]
fn the_spacing_is_what_fits() {
    // Five objects and the parkour: at a spacing of 3 they take 34 x 12 cells at the flattest, of 2 36 x 4, of 1 26 x 3.
    for (rows, spacing) in [(12, 3), (11, 2), (4, 2), (3, 1)] {
        let free = edited(|parts| {
            let taken = |tile: &Tile| match tile.place(40, 40) {
                Place::Cell(cell) => cell / 40 >= rows,
                _ => false,
            };
            let keep: Vec<bool> = parts.tiles.iter().map(taken).collect();
            let mut keeps = keep.iter();
            parts.tiles.retain(|_| *keeps.next().unwrap());
            let mut keeps = keep.iter();
            parts.colours.retain(|_| *keeps.next().unwrap());
        });
        let options = Options {
            keep: true,
            ..Options::default()
        };
        let made = testlevel::make(&free, &options).unwrap();
        assert_eq!(made.spacing, spacing, "{rows}");
        let asked = Options {
            spacing: Some(3),
            ..options
        };
        let error = format!("--spacing {spacing} is the largest that fits");
        match testlevel::make(&free, &asked) {
            Ok(made) => assert_eq!((made.spacing, rows), (3, 12)),
            Err(said) => assert!(said.ends_with(&error), "{rows}: {said}"),
        }
    }
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
            spacing: Some(spacing),
            ..Options::default()
        };
        let expected = format!(
            "no room for 5 objects at a spacing of {spacing} in the 1600 free cells of 40 x 40; --spacing 6 is the \
             largest that fits"
        );
        assert_eq!(error(options), expected);
    }
    // The largest fits, and no larger one.
    let largest = |spacing| {
        let options = Options {
            spacing: Some(spacing),
            ..Options::default()
        };
        testlevel::make(&data, &options).map(|it| it.spacing)
    };
    assert_eq!(largest(6), Ok(6));
    assert!(largest(7).is_err());
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
fn of_players_and_doors_one_each_is_placed() {
    let names = [
        ("CheckPointPost", "EndGameDoor"),
        ("CutSceneTrigger", "LlamaChase"),
    ];
    let mut cases = vec![(renamed(sample::wad(), &names), ["LevelDoor", "Llama"])];
    // In the order of the list, not in that of the names.
    let names = [
        ("CheckPointPost", "RollerCoaster"),
        ("CutSceneTrigger", "LlamaChase"),
        ("Llama", "Lamas"),
        ("LevelDoor", "LevelDoo"),
    ];
    cases.push((
        renamed(sample::wad(), &names[..3]),
        ["LevelDoor", "RollerCoaster"],
    ));
    for (data, [door, player]) in cases {
        let made = testlevel::make(&data, &Options::default()).unwrap();
        let report = report::check(&made.data);
        assert_eq!((report.errors, report.warnings), (vec![], vec![]));
        assert_eq!(made.missing.len(), 0);
        let (old, new) = (
            Level::parse(&data).unwrap(),
            Level::parse(&made.data).unwrap(),
        );
        // What is said to be placed is there, and nothing else.
        let labels = |level| types::of(level).into_iter().map(|it| it.label);
        assert!(
            labels(&new).eq(made.placed.iter().cloned()),
            "{:?}",
            made.placed
        );
        let mut all = [&made.placed[..], &made.skipped].concat();
        all.sort_unstable();
        assert!(labels(&old).eq(all));
        for it in [door, player] {
            assert!(
                made.placed.iter().any(|label| label == it),
                "{it}: {:?}",
                made.placed
            );
        }
    }
    // A level without a door says so.
    let made = testlevel::make(&renamed(sample::wad(), &names[3..]), &Options::default());
    assert_eq!(made.unwrap().missing, ["door"]);
}

#[test]
fn a_role_is_the_first_name_s() {
    let row = |name: &str, spawn, first| types::Row {
        name: Some(name.to_owned()),
        spawn,
        label: String::new(),
        count: 1,
        ty: overworld_runtime::llama::map::Type::default(),
        constant: true,
        first,
    };
    let rows = [
        row("B", false, 5),
        row("A", true, 0),
        row("B", false, 2),
        row("C", false, 1),
    ];
    let first = |names: &[&str]| types::role(&rows, names).map(|it| it.first);
    assert_eq!(
        first(&["A", "B", "C"]),
        Some(2),
        "no stub, the first instance"
    );
    assert_eq!(first(&["C", "B"]), Some(1));
    assert_eq!(
        first(&["A", "D"]),
        Some(0),
        "a stub where there is nothing else"
    );
    assert_eq!(first(&["D"]), None);
}

/// Cells of a level's strats of a type, and those with a tile.
fn cells(level: &Level<'_>, label: &str) -> Vec<[i32; 2]> {
    let row = types::of(level).into_iter().find(|it| it.label == label);
    let code = row.unwrap().ty.code;
    let strats = level.map.strats();
    let strats = strats.iter().filter(|it| it.ty.code == code);
    strats.map(|it| [it.at[0] >> 12, it.at[2] >> 12]).collect()
}

#[test]
fn a_test_level_s_plan() {
    for spacing in [2, 3] {
        let made = made(&Options {
            spacing: Some(spacing),
            ..Options::default()
        });
        assert_eq!(made.spacing, spacing);
        // Five objects in two columns and three rows.
        let pitch = 2 * spacing as i32;
        let (width, height) = (2 * pitch, 3 * pitch);
        assert_eq!(made.area.map(|it| it as i32), [0, 0, width + 16, height]);
        let level = Level::parse(&made.data).unwrap();
        let at = |col, row| [col * pitch + spacing as i32, row * pitch + spacing as i32];
        for (label, cell) in [
            ("CheckPointHead(spawn)", at(0, 0)),
            ("CheckPointPost", at(1, 0)),
            ("Grapes", at(1, 1)),
            ("RubyIdol", at(0, 2)),
        ] {
            assert_eq!(cells(&level, label), [cell], "{label}");
        }
        // The player at the edge, the door in the middle of the goal, a coin on each step.
        let middle = height / 2;
        assert_eq!(cells(&level, "Llama"), [[0, middle]]);
        assert_eq!(cells(&level, "LevelDoor"), [[width + 14, middle]]);
        let steps = (0..6).map(|step| [width + 1 + 2 * step, middle]);
        let coins: Vec<_> = [at(0, 1)].into_iter().chain(steps.clone()).collect();
        assert_eq!(cells(&level, "Coin"), coins);
        // The plate is whole, and before each step and the goal is a gap.
        let mut expected: Vec<[i32; 2]> = steps.collect();
        expected.extend((0..height).flat_map(|row| (0..width).map(move |col| [col, row])));
        let goal = (0..9).map(|it| [width + 13 + it % 3, middle - 1 + it / 3]);
        expected.extend(goal);
        let fixed = level.map.fixed();
        let mut tiles: Vec<_> = fixed
            .iter()
            .map(|it| [it.at[0] >> 12, it.at[2] >> 12])
            .collect();
        expected.sort_unstable();
        tiles.sort_unstable();
        assert_eq!(tiles, expected);
    }
}

/// The sample with a second flat floor, model 4, of which a vertex may lie elsewhere, and which the tiles that are
/// chosen have instead of the first.
fn two_floors(bent: bool, second: impl Fn(usize) -> bool) -> Vec<u8> {
    let data = edited(|parts| {
        let floors = parts
            .tiles
            .iter_mut()
            .filter(|it| it.model == sample::FLOOR);
        for (index, tile) in floors.enumerate() {
            tile.model = if second(index) { 4 } else { sample::FLOOR };
        }
    });
    let wad = Wad::parse(&data).unwrap();
    let source = sample::wad();
    let trak = Wad::parse(&source).unwrap().find(Tag::TRAK).unwrap().data;
    let trak = trak::Trak::parse(trak).unwrap();
    let mut models: Vec<_> = trak.models().collect();
    models.push(models[sample::FLOOR as usize]);
    let mut vertices = models[4].data[..4 * VERTEX].to_vec();
    if bent {
        vertices[4..8].copy_from_slice(&0.5_f32.to_le_bytes());
    }
    let sources = models.iter().zip(0..).map(|(model, index)| {
        let counts = model.counts;
        let (own, rest) = model.data.split_at(VERTEX * usize::from(counts.vertices));
        let (faces, rest) = rest.split_at(FACE * usize::from(counts.faces));
        let [floor, ceiling, _] = counts.collision.map(|it| COLLISION * usize::from(it));
        let (floor, rest) = rest.split_at(floor);
        let (ceiling, wall) = rest.split_at(ceiling);
        ModelSource {
            header: model.header.try_into().unwrap(),
            vertices: if index == 4 { &vertices } else { own },
            faces,
            collision: [floor, ceiling, wall],
        }
    });
    let mut out = vec![0; 0x4000];
    let len = trak::emit(&sources.collect::<Vec<_>>(), &mut out).unwrap();
    let mut document = Document::of(&wad);
    *document.data_mut(Tag::TRAK).unwrap() = out[..len].to_vec();
    document.bytes().unwrap()
}

#[test]
fn the_floor_is_the_most_common_flat_one() {
    let floor = |data: &[u8]| testlevel::make(data, &Options::default()).map(|it| it.floor);
    assert_eq!(floor(&two_floors(false, |index| index < 100)), Ok(1));
    assert_eq!(floor(&two_floors(false, |index| index >= 100)), Ok(4));
    // Of equally common ones the first: there are 1562.
    assert_eq!(floor(&two_floors(false, |index| index < 781)), Ok(1));
    assert_eq!(floor(&two_floors(false, |index| index < 782)), Ok(4));
    // One whose vertices are not all at the height of floors is none.
    assert_eq!(floor(&two_floors(true, |index| index >= 100)), Ok(1));
}

/// A type whose instance has parameters outside the pool has no original ones: nothing is made up for it.
#[test]
fn a_strat_without_its_parameters_is_told() {
    let data = edited(|parts| parts.strats[9].parameters = 50);
    let error = testlevel::make(&data, &Options::default()).unwrap_err();
    assert_eq!(
        error,
        "ParamRange: strat 9, a Grapes: expected its 50 parameters in a pool of 3, found the first at 1"
    );
    let data = edited(|parts| parts.strats[1].pool = -1);
    let error = testlevel::make(&data, &Options::default()).unwrap_err();
    assert!(
        error.starts_with("ParamRange: strat 1, a LevelDoor: "),
        "{error}"
    );
    // One that is not placed does not matter.
    let data = edited(|parts| parts.strats[7].parameters = 50);
    testlevel::make(&data, &Options::default()).unwrap();
}

/// The start zone lies where the player stands, and no door of the source lies on the plate.
#[test]
fn zones_go_where_the_level_is() {
    let keep = Options {
        keep: true,
        spacing: Some(1),
        ..Options::default()
    };
    // The door at 2, 2 would lie on the plate, and so would a zone that is none.
    let source = edited(|parts| {
        parts.zones[1].cell = [2, 7, 2];
        let plain = overworld_runtime::llama::map::Zone {
            flags: 0,
            ..parts.zones[1]
        };
        parts.zones.push(plain);
        parts.zones[0].cell[1] = 5;
    });
    let made = testlevel::make(&source, &Options::default()).unwrap();
    let level = Level::parse(&made.data).unwrap();
    let cell = |strat: &Strat| [strat.at[0] >> 12, strat.at[2] >> 12].map(|it| it as u32);
    let rows = types::of(&level);
    let find = |name: &str| {
        let row = types::role(&rows, &[name]).unwrap();
        cell(&level.map.strats().get(row.first).unwrap())
    };
    let zones: Vec<_> = level.map.zones().iter().map(|it| it.cell).collect();
    let ([x, z], [col, row]) = (find("Llama"), find("LevelDoor"));
    assert_eq!(zones, [[x, 5, z], [col, 7, row], [2, 7, 2]]);
    // Something is there.
    let floors: Vec<_> = level
        .map
        .tiles()
        .iter()
        .map(|it| it.place(level.map.width(), level.map.height()))
        .collect();
    let index = |col: u32, row: u32| (row * level.map.width() + col) as usize;
    for at in [index(x, z), index(col, row)] {
        assert!(floors.contains(&Place::Cell(at)));
    }
    // A door elsewhere stays, and so do those of a level that is kept. The game begins at the player all the same.
    let usual = testlevel::make(&sample::wad(), &Options::default()).unwrap();
    let level = Level::parse(&usual.data).unwrap();
    assert_eq!(level.map.zones().get(1).unwrap().cell, [35, 0, 15]);
    let kept = testlevel::make(&source, &keep).unwrap();
    let level = Level::parse(&kept.data).unwrap();
    let rows = types::of(&level);
    let player = types::role(&rows, &["Llama"]).unwrap();
    let [x, z] = cell(&level.map.strats().get(player.first).unwrap());
    let zones: Vec<_> = level.map.zones().iter().map(|it| it.cell).collect();
    assert_eq!(zones, [[x, 5, z], [2, 7, 2], [2, 7, 2]]);
    // Without a player it begins where it did.
    let source = sample::wad();
    let source = Level::parse(&source).unwrap();
    let rows = types::of(&source);
    let player = types::role(&rows, &["Llama"]).unwrap();
    let code = source.map.strats().get(player.first).unwrap().ty.code;
    let alone = edited(|parts| parts.strats.retain(|it| it.ty.code != code));
    let before = Level::parse(&alone)
        .unwrap()
        .map
        .zones()
        .get(0)
        .unwrap()
        .cell;
    let kept = testlevel::make(&alone, &keep).unwrap();
    let level = Level::parse(&kept.data).unwrap();
    assert_eq!(level.map.zones().get(0).unwrap().cell, before);
}
