//! `map probe` and `field run`, with vectors of the field sheet (section 21).

mod common;
#[path = "common/vectors.rs"]
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

/// The buttons that run and open the menu are none here: a pad word walks.
#[test]
fn buttons_neither_run_nor_open_a_menu() {
    let place = Place::new();
    let walk = |pad| last(&place, &json!({ "scalar": 2, "pads": [[pad, 1]] }));
    assert_eq!(walk("0x1000"), (2624, 2640, 0x1000));
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
    // What the page promises: a slide along a wall, a bump of 11 units and a person, in this order.
    assert_eq!(frames.len(), 90);
    let first = |what: &dyn Fn(&Value) -> bool| frames.iter().position(what);
    let order = [
        first(&|it| it["mask"] == 0x3000),
        first(&|it| it["bits"] == 2),
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

#[test]
fn probe_tells_wall_floor_and_tier() {
    let place = Place::new();
    let mut map = vectors::map();
    // A11's byte, bit 2 alone; tier 5 on the plain tile (14, 19).
    map[0x4000 + 0x0A0E] = 0x40;
    map[0x4000 + 19 * 0x80 + 14] = 0x05;
    place.write("m.MAP", &map);
    let probe =
        |arguments: &[&str]| place.document(&[&["map", "probe", "m.MAP"], arguments].concat());
    let found = probe(&["--x", "1838", "--z", "2526"]);
    assert_eq!(found["wall"], true);
    assert_eq!(found["wall_bit"], json!({ "tile": [14, 20], "bit": 2 }));
    assert_eq!(
        (&found["tile"], &found["tier"]),
        (&json!([14, 19]), &json!(5))
    );
    assert_eq!(found["floor"], 0);
    assert_eq!(probe(&["--x", "1838", "--z", "0x9DF"])["wall"], true);
    assert_eq!(probe(&["--x", "1838", "--z", "2495"])["wall"], false);
    // With heights the tile is bilinear: 46 and 94 units inside, at (14, 19) alone there is tier 5.
    place.write(
        "lut.json",
        b"[0, 1, 2, 3, 4, -300, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]",
    );
    let found = probe(&["--x", "1838", "--z", "2526", "--lut", "lut.json"]);
    assert_eq!(found["floor"], -300 * (128 - 46) * (128 - 94) / 16384);
    // Two more forms of the table: bytes as the game holds them, and a MAN, which negates.
    let mut words = [0; 32];
    words[10..12].copy_from_slice(&(-300_i16).to_le_bytes());
    place.write("lut.bin", &words);
    let found = probe(&["--x", "1838", "--z", "2526", "--lut", "lut.bin"]);
    assert_eq!(found["floor"], -51);
    place.write("test.man", &vectors::man());
    let found = probe(&["--x", "1838", "--z", "2526", "--lut", "test.man"]);
    // The MAN's tier 5 is 160 units up.
    assert_eq!(found["floor"], -160 * (128 - 46) * (128 - 94) / 16384);
    // What triggers name the tile; the elevation's bit is set by the refresh.
    let found = probe(&["--x", "906", "--z", "1034"]);
    assert_eq!(found["floor"], 48);
    assert_eq!(found["elevation"], json!({ "coarse": -2, "quads": 0x39 }));
    assert_eq!(found["cell"], 0x0800);
    let found = probe(&["--x", "700", "--z", "800"]);
    assert_eq!(found["teleport"]["landing"], json!([20 * 64 + 64, 23 * 64]));
    let found = probe(&["--x", "3712", "--z", "11648"]);
    assert_eq!(found["script"], json!({ "record": 3, "gate": 1 }));
    // Off the grid.
    let found = probe(&["--x", "-1", "--z", "-32768"]);
    assert_eq!(found["wall"], true);
    assert_eq!(
        (&found["tile"], &found["tier"], &found["wall_bit"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    let table = place.fine(&["map", "probe", "m.MAP", "--x", "1838", "--z", "2526"]);
    assert!(
        table.starts_with("(1838, 2526): wall, floor 0, tier 5 on tile 14,19\n"),
        "{table}"
    );
    assert!(
        table.contains("wall bit 2 of tile 14,20, byte 40"),
        "{table}"
    );
    // The read of 40 sectors: its second block is asked, too.
    let mut long = map;
    long.resize(0x14000, 0);
    let words = [0x20_u16, 0x12, 0, 0x14, 1, 0x1A, 0, 0x1C, 0];
    for (index, word) in words.iter().enumerate() {
        long[0x12000 + 2 * index..][..2].copy_from_slice(&word.to_le_bytes());
    }
    long[0x12014..][..4].copy_from_slice(&[60, 61, 9, 1]);
    place.write("m.MAP", &long);
    let found = probe(&["--x", "7700", "--z", "7850"]);
    assert_eq!(
        (&found["script"]["record"], &found["cell"]),
        (&json!(9), &json!(0x0400))
    );
}

#[test]
fn probe_refuses_what_it_cannot_read() {
    let place = Place::new();
    place.write("m.MAP", &vectors::map());
    place.write("short.MAP", &[0; 100]);
    place.write("lut.json", b"[1, 2]");
    place.write("lut.bin", &[0; 31]);
    let at = ["--x", "1", "--z", "1"];
    let bad = |file, more: &[&str], status| {
        place.bad(&[&["map", "probe", file], &at[..], more].concat(), status)
    };
    assert!(bad("short.MAP", &[], 1).contains("Size"));
    assert!(bad("m.MAP", &["--lut", "none"], 1).contains("none"));
    assert!(bad("m.MAP", &["--lut", "lut.json"], 1).contains("16 heights"));
    assert!(bad("m.MAP", &["--lut", "lut.bin"], 1).contains("expected a MAN"));
    place.bad(&["map", "probe", "m.MAP", "--x", "1"], 2);
    place.bad(&["map", "probe", "m.MAP", "--x", "32768", "--z", "1"], 2);
}
