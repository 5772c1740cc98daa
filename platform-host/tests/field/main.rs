//! `map probe` and `field run`, with vectors of the field sheet (section 21).

#[path = "../common/mod.rs"]
mod common;
mod probe;
#[path = "../common/vectors.rs"]
mod vectors;

use common::{Place, text};
use serde_json::{Value, json};

fn run(place: &Place, scenario: &Value) -> Value {
    place.write("s.json", scenario.to_string().as_bytes());
    place.document(&["field", "run", "s.json"])["frames"].take()
}

/// X, Z and mask of the last frame.
fn last(place: &Place, scenario: &Value) -> (i64, i64, i64) {
    let frames = run(place, scenario);
    let frame = frames.as_array().unwrap().last().unwrap();
    let number = |key| frame[key].as_i64().unwrap();
    (number("x"), number("z"), number("mask"))
}

#[test]
fn o_whole_frames() {
    let place = Place::new();
    let skid: Vec<Value> = (27..40).map(|col| json!([col, 20, 0xF0])).collect();
    let column: Vec<Value> = (0..128).map(|row| json!([13, row, "0xF0"])).collect();
    let run = |cells: &[Value], pad, frames, camera, scalar, run, start: [i32; 2]| {
        last(
            &place,
            &json!({
                "cells": cells, "camera": camera, "scalar": scalar, "run": run,
                "player": { "x": start[0], "z": start[1] }, "pads": [[pad, frames]],
            }),
        )
    };
    let here = [2624, 2624];
    // O1, O3, O4, O6.
    assert_eq!(
        run(&[], "0x1000", 1, 0, 2, false, here),
        (2624, 2640, 0x1000)
    );
    assert_eq!(
        run(&[], "0x1000", 1, 1, 2, false, here),
        (2636, 2636, 0x3000)
    );
    assert_eq!(
        run(&[], "0x3000", 1, 6, 2, true, here),
        (2606, 2642, 0x9000)
    );
    assert_eq!(
        run(&[], "0x2000", 60, 0, 1, false, here),
        (3104, 2624, 0x2000)
    );
    // O9 to O11, O13, O14.
    for (frames, expected) in [
        (1, (3520, 2684, 0x4000)),
        (6, (3508, 2608, 0xC000)),
        (12, (3436, 2602, 0xC000)),
    ] {
        let found = run(&skid, "0x4000", frames, 0, 2, false, [3520, 2700]);
        assert_eq!(found, expected);
    }
    let found = run(&column, "0x8000", 10, 0, 2, true, [1900, 2526]);
    assert_eq!(found, (1838, 2526, 0x8000));
    let found = run(&column, "0xC000", 10, 0, 2, false, [1900, 2526]);
    assert_eq!(found, (1838, 2406, 0xC000));
}

#[test]
fn defaults_switches_and_every_frame() {
    let place = Place::new();
    // Nothing said: the cold seat, walking, one vertical blank a frame, on flat ground.
    let frames = run(
        &place,
        &json!({ "pads": [["0x2000", 2], [0, 1], ["0x1000", 1]] }),
    );
    let expected = [
        json!({ "x": 2632, "y": 0, "z": 2624, "heading": 0xC00, "mask": 0x2000, "bits": 0 }),
        json!({ "x": 2640, "y": 0, "z": 2624, "heading": 0xC00, "mask": 0x2000, "bits": 0 }),
        json!({ "x": 2640, "y": 0, "z": 2624, "heading": 0xC00, "mask": 0, "bits": 0 }),
        json!({ "x": 2640, "y": 0, "z": 2632, "heading": 0x800, "mask": 0x1000, "bits": 0 }),
    ];
    assert_eq!(frames, json!(expected));
    // Forced slow: an odd budget.
    let slow = json!({ "slow_walk": true, "run": true, "pads": [[0x2000, 1]] });
    assert_eq!(last(&place, &slow).0, 2630);
    // Slide off.
    let skid: Vec<Value> = (27..40).map(|col| json!([col, 20, 0xF0])).collect();
    let plain = json!({
        "cells": skid, "slide": false, "scalar": 2,
        "player": { "x": 3520, "z": 2700 }, "pads": [["0x4000", 12]],
    });
    assert_eq!(last(&place, &plain), (3520, 2606, 0x4000));
    // Multiplier and flags: a locked player stays.
    let player = json!({ "x": 500, "z": 600, "speed": "0x0C00", "heading": 5 });
    let half = json!({ "player": player, "scalar": 2, "pads": [["0x1000", 1]] });
    assert_eq!(last(&place, &half), (500, 612, 0x1000));
    let locked = json!({
        "player": { "x": 500, "z": 600, "flags": "0x80000", "heading": 5 },
        "pads": [["0x1000", 1]],
    });
    let frames = run(&place, &locked);
    assert_eq!(
        frames[0],
        json!({ "x": 500, "y": 0, "z": 600, "heading": 5, "mask": 0, "bits": 0 })
    );
    // No pads, no frames.
    assert_eq!(run(&place, &json!({})), json!([]));
}

/// Ground with attribute 4000h slows down where the scene's scripts have switched that on (field sheet, 7.3).
#[test]
fn slow_ground_is_switched_on() {
    let place = Place::new();
    let ground: Vec<Value> = (20..23).map(|col| json!([col, 20, "0x4000"])).collect();
    let walk = |on: Value| {
        last(
            &place,
            &json!({
                "objects": ground, "slow_ground": on, "scalar": 2,
                "player": { "x": 2624, "z": 2624 }, "pads": [["0x2000", 10]],
            }),
        )
        .0
    };
    // 16 units a frame, or 8.
    assert_eq!((walk(json!(false)), walk(json!(true))), (2784, 2704));
}

/// `run` is a button of the game's, and a key here: who holds it is told.
#[test]
fn buttons_that_do_nothing_are_told() {
    let place = Place::new();
    let told = |pads: Value| {
        place.write("s.json", json!({ "pads": pads }).to_string().as_bytes());
        let output = place.overworld(["field", "run", "s.json", "--json"]);
        assert_eq!(output.status.code(), Some(0));
        text(&output.stderr)
    };
    let note = told(json!([["run+right", 3], ["confirm", 1], ["up", 2]]));
    assert_eq!(
        note,
        "overworld: s.json: \"pads\" hold buttons that do nothing here, 0x0060 in all: whether the player runs the key \
         \"run\" says, and nobody answers to confirm\n"
    );
    assert_eq!(told(json!([["right", 3], ["0xF004", 1], ["none", 2]])), "");
}

/// What the page says of a wall byte's place, and of a walk-on's.
#[test]
fn the_page_says_where_a_wall_bars() {
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tool.md"));
    let docs = docs.unwrap();
    assert!(
        docs.contains("so `[13, 21, \"0xF0\"]` stands in the way at Z 2624, the middle of row 20")
    );
    let place = Place::new();
    let walk = |row: u8| {
        let cells = [json!([13, row, "0xF0"])];
        last(
            &place,
            &json!({
                "cells": cells, "slide": false, "player": { "x": 1900, "z": 2624 },
                "pads": [["0x8000", 40]],
            }),
        )
        .0
    };
    // 47 units before the wall, whose far edge along X is its own.
    assert_eq!((walk(21), walk(20)), (1838, 1900 - 40 * 8));
    // A player in the middle of row 20 reaches 16 units to either side.
    let sources =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/sources.md"));
    let sources = sources.unwrap();
    assert!(sources.contains("half a tile later"), "walk-ons and doors");
    assert!(sources.contains("(x * 64 + 64, (z + 1) * 64)"), "landings");
}

/// The buttons that run and open the menu are none here: a pad word walks.
#[test]
fn buttons_neither_run_nor_open_a_menu() {
    let place = Place::new();
    let walk = |pad| {
        let scenario = json!({ "scalar": 2, "pads": [[pad, 1]] });
        place.write("s.json", scenario.to_string().as_bytes());
        let output = place.overworld(["field", "run", "s.json", "--json"]);
        assert_eq!(output.status.code(), Some(0));
        let frame = common::json(&text(&output.stdout))["frames"][0].take();
        ["x", "z", "mask"].map(|key| frame[key].as_i64().unwrap())
    };
    assert_eq!(walk("0x1000"), [2624, 2640, 0x1000]);
    assert_eq!(walk("0x1050"), walk("0x1000"));
}

#[test]
fn actors_block_by_kind() {
    let place = Place::new();
    let walk = |kind: &str, flags: u32| {
        let frames = run(
            &place,
            &json!({
                "player": { "x": 1800, "z": 2526 }, "pads": [["0x2000", 100]],
                "actors": [{ "kind": kind, "x": 2000, "z": 2526, "flags": flags }],
            }),
        );
        let last = frames.as_array().unwrap().last().unwrap().clone();
        (last["x"].as_i64().unwrap(), last["bits"].as_i64().unwrap())
    };
    // C18, C24, C25, C27.
    assert_eq!(walk("moving", 0), (1898, 1));
    assert_eq!(walk("static", 0), (1858, 4));
    assert_eq!(walk("interact", 0), (1858, 1));
    assert_eq!(walk("static", 1), (2600, 0));
}

#[test]
fn terrain_settles_and_hops() {
    let place = Place::new();
    let raised: Vec<Value> = [(2, 2), (3, 2), (2, 3), (3, 3)]
        .map(|(col, row)| json!([col, row, 1]))
        .into();
    let scenario = |terrain: bool| {
        json!({
            "cells": raised, "floor_lut": [0, -200], "terrain": terrain,
            "player": { "x": 320, "z": 200 }, "pads": [["0x1000", 20]],
        })
    };
    let frames = run(&place, &scenario(false));
    let heights = |frames: &Value| -> Vec<i64> {
        let frames = frames.as_array().unwrap();
        frames.iter().map(|it| it["y"].as_i64().unwrap()).collect()
    };
    // The height of the seat: half way up the ramp in front of the raised tiles.
    let seat = -200 * 72 / 128;
    assert_eq!(heights(&frames), [seat; 20]);
    assert_eq!(frames[19]["z"], 200 + 20 * 8);
    let frames = run(&place, &scenario(true));
    let heights = heights(&frames);
    assert_eq!(heights[0], seat - 12);
    // A ramp of 200 in 128 units is steeper than the settling, not than a ledge.
    assert_eq!(heights[19], -200);
    assert_eq!(frames[19]["z"], 200 + 20 * 8);
}

/// The example of the page, where the page says it lies; the table for people shows what JSON has.
#[test]
fn the_documented_scenario_is_played() {
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tool.md"));
    let docs = docs.unwrap();
    let (_, section) = docs.split_once("## Scenarios of `field run`").unwrap();
    let (_, example) = section.split_once("```json\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let place = Place::new();
    place.fine(&["world", "new", "my-world"]);
    place.write("my-world/walk.json", example.as_bytes());
    let arguments = ["field", "run", "my-world/walk.json"];
    let document = place.document(&arguments);
    let frames = document["frames"].as_array().unwrap();
    let table = place.fine(&arguments);
    let mut lines = table.lines();
    assert!(lines.next().unwrap().ends_with("mask  bits"), "{table}");
    let shown: Vec<i64> = lines
        .map(|line| line.split_whitespace().last().unwrap().parse().unwrap())
        .collect();
    let bits: Vec<i64> = frames
        .iter()
        .map(|it| it["bits"].as_i64().unwrap())
        .collect();
    assert_eq!(shown, bits);
    // What the page promises: a slide along a wall, a tile at half the pace, a bump of 11 units and a person, in this
    // order.
    assert_eq!(frames.len(), 105);
    let paces: Vec<i64> = frames
        .windows(2)
        .map(|pair| pair[1]["z"].as_i64().unwrap() - pair[0]["z"].as_i64().unwrap())
        .collect();
    let slow = |it: &Value| {
        let at = frames.iter().position(|other| other == it).unwrap();
        paces.get(at) == Some(&4)
    };
    let first = |what: &dyn Fn(&Value) -> bool| frames.iter().position(what);
    let order = [
        first(&|it| it["mask"] == 0x3000),
        first(&|it| it["bits"] == 2),
        first(&slow),
        first(&|it| it["y"] == -11),
        first(&|it| it["bits"] == 1),
    ];
    assert!(
        order.is_sorted() && order.iter().all(Option::is_some),
        "{order:?}: {table}"
    );
    assert_eq!(
        frames.iter().filter_map(|it| it["y"].as_i64()).min(),
        Some(-11)
    );
}

#[test]
fn a_map_lies_beside_the_scenario_and_is_refreshed() {
    let place = Place::new();
    std::fs::create_dir(place.path("d")).unwrap();
    place.write("d/test.MAP", &vectors::map());
    // Tile (7, 8) has an elevation record of -2 and quads 39h, but the file lacks its bit.
    let scenario = json!({
        "map": "test.MAP", "player": { "x": 7 * 128 + 10, "z": 8 * 128 + 10 },
        "pads": [[0, 1]], "floor_lut": [],
    });
    place.write("d/s.json", scenario.to_string().as_bytes());
    let frames = place.document(&["field", "run", "d/s.json"]);
    assert_eq!(frames["frames"][0]["y"], 64 - 16);
    let table = place.fine(&["field", "run", "d/s.json"]);
    assert_eq!(table.lines().count(), 2, "{table}");
    assert!(
        table
            .lines()
            .nth(1)
            .unwrap()
            .contains("    906     48   1034"),
        "{table}"
    );
    // From standard input the map is found from here.
    let output = place.piped(
        &["field", "run", "-", "--json"],
        scenario.to_string().as_bytes(),
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("standard input: \"map\": test.MAP: "));
}

/// More keys of actors may come; who reads a scenario today says so and goes on.
#[test]
fn further_keys_of_actors_are_noted() {
    let place = Place::new();
    let actor = json!({ "kind": "static", "x": 0, "z": 0, "colour": 3 });
    let known = json!({ "kind": "moving", "x": 0, "z": 0, "flags": 0 });
    let scenario = json!({ "actors": [known, actor], "pads": [[0, 1]] });
    place.write("s.json", scenario.to_string().as_bytes());
    let output = place.overworld(["field", "run", "s.json", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        text(&output.stderr),
        "overworld: s.json: the key actors[1].colour is not known, and passed over\n"
    );
}

#[test]
fn bad_scenarios_are_refused_with_the_place() {
    let place = Place::new();
    let refuse = |scenario: &str, words: &[&str]| {
        place.write("s.json", scenario.as_bytes());
        let error = place.bad(&["field", "run", "s.json", "--json"], 1);
        for word in ["s.json"].iter().chain(words) {
            assert!(error.contains(word), "{word}: {error}");
        }
        assert_eq!(error.lines().count(), 1, "{error}");
    };
    refuse("{", &["line 1"]);
    refuse("[1]", &["line 1", "an object"]);
    // Not even the values of an object in their order.
    refuse("[]", &["line 1", "an object"]);
    refuse(r#"{"player": [1, 2, 0, 4096, 0]}"#, &["an object"]);
    refuse(r#"{"actors": [["static", 1, 2, 0]]}"#, &["an object"]);
    refuse(r#"{"pads": [["0x1000"]]}"#, &["line 1"]);
    refuse(r#"{"pads": [["0x1ffff", 1]]}"#, &["131071", "0 to 65535"]);
    refuse(r#"{"pads": [["jump", 1]]}"#, &["\"jump\"", "0x1000"]);
    refuse(r#"{"pads": [["0x-1", 1]]}"#, &["0x-1"]);
    refuse(r#"{"pads": [[1.5, 1]]}"#, &["1.5"]);
    refuse(
        r#"{"pads": [[1, 1000001]]}"#,
        &["1000001 frames", "1000000"],
    );
    refuse(r#"{"pads": [[1, -1]]}"#, &["-1", "0 to 4294967295"]);
    refuse(r#"{"player": {"x": 32768}}"#, &["32768", "-32768 to 32767"]);
    refuse(
        r#"{"cells": [[128, 0, 0]]}"#,
        &["cells", "(128, 0)", "0 to 127"],
    );
    refuse(r#"{"cells": [[0, 0, 256]]}"#, &["256", "0 to 255"]);
    refuse(r#"{"objects": [[0, 200, 0]]}"#, &["objects", "(0, 200)"]);
    refuse(
        r#"{"actors": [{"kind": "owl", "x": 0, "z": 0}]}"#,
        &["owl", "moving"],
    );
    refuse(r#"{"actors": [{"kind": "static", "x": 0}]}"#, &["z"]);
    // A slip is not played without what it was meant for.
    refuse(r#"{"padz": []}"#, &["unknown field `padz`", "`pads`"]);
    refuse(
        r#"{"player": {"y": 5}}"#,
        &["player: unknown field `y`", "`heading`"],
    );
    let crowd = vec![json!({ "kind": "static", "x": 0, "z": 0 }); 65];
    refuse(&json!({ "actors": crowd }).to_string(), &["65", "64"]);
    refuse(
        &json!({ "floor_lut": vec![0; 17] }).to_string(),
        &["17 heights", "16"],
    );
    place.write("short.MAP", &[0; 100]);
    place.write("s.json", br#"{"map": "short.MAP"}"#);
    let error = place.bad(&["field", "run", "s.json"], 1);
    assert!(
        error.contains("short.MAP") && error.contains("Size"),
        "{error}"
    );
    place.write("s.json", br#"{"map": "none.MAP"}"#);
    assert!(
        place
            .bad(&["field", "run", "s.json"], 1)
            .contains("none.MAP")
    );
}
