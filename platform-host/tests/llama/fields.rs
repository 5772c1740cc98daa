//! Pictures, fields and worlds of levels.

use overworld_host::llama::sample;
use serde_json::{Value, json};

use crate::common::{self, Place};

/// Heights that a field's 16 bits do not hold are told, and so is a scale that no picture has.
#[test]
fn what_a_field_and_a_picture_do_not_hold() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let bytes = std::fs::read(place.path("meadow.wad")).unwrap();
    let fine = place.document(&["llama", "field", "meadow.wad", "-o", "a.MAP"]);
    assert_eq!(fine["clamped"], 0);
    let document = place.fine(&["llama", "dump", "meadow.wad"]);
    let mut document = common::json(&document);
    let chunks = document["chunks"].as_array_mut().unwrap();
    let map = chunks.iter_mut().find_map(|it| it.get_mut("map")).unwrap();
    let tiles = map["tiles"].as_array_mut().unwrap();
    // A field has 32767 / 128 = 255.99 cells each way.
    let floors = tiles.iter_mut().filter(|it| it["model"] == sample::FLOOR);
    for (tile, y) in floors.zip([300.0, 1000.25, -400.0, 255.5]) {
        tile["at"][1] = json!(y);
    }
    place.write("high.json", document.to_string().as_bytes());
    place.fine(&["llama", "build", "high.json", "-o", "high.wad"]);
    let note = "overworld: high.wad: note: 4 of 1562 floors at the height of the nearest tier, for want of an \
                elevation record\n\
                overworld: high.wad: note: 3 tiles cut to the range of a field: expected heights from -32768 to \
                32767, found -128064 to 51168\n";
    for call in [
        &["llama", "field", "high.wad", "-o", "b.MAP"][..],
        &["llama", "world", "high.wad", "world"],
    ] {
        for json in [false, true] {
            let call = [call, if json { &["--json"] } else { &[] }].concat();
            let output = place.overworld(&call);
            assert_eq!(output.status.code(), Some(0));
            assert_eq!(common::text(&output.stderr), note);
            if json {
                let document = common::json(&common::text(&output.stdout));
                assert_eq!(document["clamped"], 3);
                assert_eq!(document["range"], json!([-128_064, 51_168]));
            }
        }
    }
    // A row of cells that is longer than a field, with a tower that no record reaches. Both begin at its first cell.
    let map = document["chunks"].as_array_mut().unwrap();
    let map = map.iter_mut().find_map(|it| it.get_mut("map")).unwrap();
    let colours = map["tiles"][0]["colours"].clone();
    let tiles = (0..160).map(|col| {
        let height = if col == 50 {
            200.0
        } else {
            f64::from(col % 16) / 4.0
        };
        let x = f64::from(col) + 0.5;
        json!({ "at": [x, height, -0.5], "model": sample::FLOOR, "colours": colours })
    });
    map["tiles"] = tiles.collect();
    map["alternatives"] = json!([]);
    (map["width"], map["height"]) = (json!(160), json!(1));
    map["grid"] = json!(vec![0; 160]);
    map["strats"][0]["at"] = json!([2048, 1024, 2048]);
    place.write("long.json", document.to_string().as_bytes());
    place.fine(&["llama", "build", "long.json", "-o", "long.wad"]);
    for (call, floors) in [
        (
            &["llama", "field", "long.wad", "-o", "b.MAP", "--json"][..],
            126,
        ),
        (&["llama", "world", "long.wad", "long", "--json"], 107),
    ] {
        let output = place.overworld(call);
        assert_eq!(output.status.code(), Some(0));
        let cropped = 160 - floors;
        let notes = format!(
            "overworld: long.wad: note: {cropped} of 160 floors left out, which lie off the field\n\
             overworld: long.wad: note: 1 of {floors} floors at the height of the nearest tier, for want of an \
             elevation record\n"
        );
        assert_eq!(common::text(&output.stderr), notes);
        let document = common::json(&common::text(&output.stdout));
        assert_eq!(document["floors"], floors);
        assert_eq!(document["cropped"], cropped);
        assert_eq!(document["rounded"], 1);
    }
    for scale in ["0", "8193", "4294967296", "-1"] {
        let scale = format!("--scale={scale}");
        let error = place.bad(
            &["llama", "picture", "meadow.wad", "-o", "m.png", &scale],
            2,
        );
        assert!(error.contains("expected 1 to 8192"), "{error}");
    }
    // What this level alone has no picture at.
    let error = place.bad(
        &[
            "llama",
            "picture",
            "meadow.wad",
            "-o",
            "m.png",
            "--scale",
            "205",
        ],
        1,
    );
    assert_eq!(
        error,
        "overworld: meadow.wad: TooMuch: expected a scale from 1 to 204 for 40 x 40 cells, found 205\n"
    );
    assert!(!place.path("m.png").exists());
    assert_eq!(std::fs::read(place.path("meadow.wad")).unwrap(), bytes);
}

#[test]
fn a_level_becomes_a_picture_and_a_field() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let picture = place.document(&[
        "llama",
        "picture",
        "meadow.wad",
        "-o",
        "m.png",
        "--scale",
        "4",
    ]);
    assert_eq!(
        (&picture["width"], &picture["height"]),
        (&json!(160), &json!(160))
    );
    let key = |colour, what, count| json!({ "colour": colour, "what": what, "count": count });
    assert_eq!(
        picture["legend"],
        json!([
            key("#101018", "cells without a tile", 38),
            key("#FFFFFF", "start zones, framed", 1),
            key("#40E0FF", "other zones, framed", 1),
            key("#FF6040", "waypoints, joined", 3),
            key("#50FF50", "players", 1),
            key("#FF50FF", "doors out of the level", 1),
            key("#FFE040", "other strats", 9),
        ])
    );
    let text = place.fine(&["llama", "picture", "meadow.wad", "-o", "m.png"]);
    assert!(text.contains("\n#50FF50      1 players\n"), "{text}");
    assert!(
        std::fs::read(place.path("m.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
    let field = [
        "llama",
        "field",
        "meadow.wad",
        "-o",
        "meadow.MAP",
        "--scenario",
        "walk.json",
    ];
    let field = place.document(&field);
    assert_eq!(
        (&field["player"], &field["rounded"]),
        (&json!([576, 2752]), &json!(0))
    );
    let probe = place.document(&["map", "probe", "meadow.MAP", "--x", "576", "--z", "2752"]);
    assert_eq!(
        (&probe["wall"], &probe["void"]),
        (&json!(false), &json!(false))
    );
    // The ditch, eight cells from the level's end, is at the height of the meadow.
    let ditch = ["map", "probe", "meadow.MAP", "--x", "1216", "--z", "640"];
    let probe = place.document(&ditch);
    assert_eq!(
        (&probe["wall"], &probe["void"]),
        (&json!(true), &json!(true))
    );
    let beside = ["map", "probe", "meadow.MAP", "--x", "1088", "--z", "640"];
    assert_eq!(place.document(&beside)["tier"], probe["tier"]);
    let text = place.fine(&ditch);
    assert!(text.contains("\nnothing is on the tile: "), "{text}");
    let text = std::fs::read(place.path("walk.json")).unwrap();
    let mut scenario: Value = serde_json::from_slice(&text).unwrap();
    scenario["pads"] = json!([["0x2000", 40]]);
    place.write("walk.json", scenario.to_string().as_bytes());
    let walk = place.document(&["field", "run", "walk.json"]);
    let frames = walk["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 40);
    assert!(frames[39]["x"].as_i64().unwrap() > 576, "{}", frames[39]);
    assert_eq!(frames[39]["y"], -32);
    place.fine(&["llama", "world", "meadow.wad", "level"]);
    let check = place.document(&["world", "check", "level"]);
    let members = check["members"].as_array().unwrap();
    assert!(
        members
            .iter()
            .any(|it| it["file"] == "meadow.MAP" && it["kind"] == "map")
    );
    assert!(
        members
            .iter()
            .any(|it| it["file"] == "meadow.man" && it["kind"] == "man")
    );
    // No warning for what the tool has made itself, and nothing of a house that is not there.
    assert_eq!(check["notes"], json!([]));
    assert_eq!(check["scene"], "meadow");
    assert!(!place.path("level/house.tmd").exists());
    // The scene's name is what is asked for, the level's, or the file's.
    place.fine(&["llama", "world", "meadow.wad", "named", "--scene", "hill_2"]);
    assert!(place.path("named/hill_2.MAP").exists());
    let mut document = common::json(&place.fine(&["llama", "dump", "meadow.wad"]));
    let chunks = document["chunks"].as_array_mut().unwrap();
    chunks.retain(|it| it["tag"] != "NAME");
    place.write("m.json", document.to_string().as_bytes());
    place.fine(&["llama", "build", "m.json", "-o", "My Level!.wad"]);
    let made = place.document(&["llama", "world", "My Level!.wad", "filed"]);
    assert_eq!(made["scene"], "mylevel");
    assert_eq!(
        (&made["planks"], &made["unreached"]),
        (&json!(0), &json!(0))
    );
    for name in ["", "Hill", "ninechars", "a b"] {
        let call = ["llama", "world", "meadow.wad", "other", "--scene", name];
        let error = place.bad(&call, 2);
        assert!(
            error.contains("expected 1 to 8 of a-z, 0-9 and _"),
            "{error}"
        );
    }
    // What is laid over gaps is told.
    place.fine(&["llama", "testlevel", "meadow.wad", "-o", "test.wad"]);
    let output = place.overworld(["llama", "field", "test.wad", "-o", "test.MAP"]);
    assert_eq!(
        common::text(&output.stderr),
        "overworld: test.wad: note: 7 cells with a floor that the level does not have: nobody jumps in a field\n"
    );
    // Both or none.
    place.bad(
        &[
            "llama",
            "field",
            "meadow.wad",
            "-o",
            "new.MAP",
            "--scenario",
            "nowhere/a",
        ],
        1,
    );
    assert!(!place.path("new.MAP").exists());
    place.write("toad.dat", b"old");
    place.bad(
        &["ff8", "sample", "-o", "toad.dat", "--texture", "nowhere/a"],
        1,
    );
    assert_eq!(std::fs::read(place.path("toad.dat")).unwrap(), b"old");
}

/// Of a level without a player the start zone tells where one begins, and without that it is said what does.
#[test]
fn a_level_without_a_player_begins_in_its_start_zone() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let mut document = common::json(&place.fine(&["llama", "dump", "meadow.wad"]));
    let usual = place.document(&["llama", "field", "meadow.wad", "-o", "a.MAP"])["player"].clone();
    for (empty, note, player) in [
        (
            "strats",
            "the level has no player: who walks begins in its start zone\n",
            usual,
        ),
        (
            "zones",
            "the level has neither a player nor a start zone nor a strat",
            json!([128, 128]),
        ),
    ] {
        let chunks = document["chunks"].as_array_mut().unwrap();
        let map = chunks.iter_mut().find_map(|it| it.get_mut("map")).unwrap();
        map[empty] = json!([]);
        place.write("a.json", document.to_string().as_bytes());
        place.fine(&["llama", "build", "a.json", "-o", "a.wad", "--unchecked"]);
        let output = place.overworld(["llama", "field", "a.wad", "-o", "a.MAP", "--json"]);
        assert_eq!(output.status.code(), Some(0));
        let said = common::text(&output.stderr);
        assert!(said.contains(note), "{said}");
        let found = common::json(&common::text(&output.stdout));
        assert_eq!(found["player"], player);
    }
}

/// Who writes a document knows its keys, and no offsets of the file that is made of it.
#[test]
fn a_slip_is_named_by_its_key() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let good = common::json(&place.fine(&["llama", "dump", "meadow.wad"]));
    for (key, value, said) in [
        (
            "colours",
            json!("40"),
            "ColourLength: chunks[7].map.tiles[3].colours: expected 16 bytes for model 1, found 1; nothing was",
        ),
        (
            "model",
            json!(999),
            "ModelIndex: chunks[7].map.tiles[3].model: expected a model below 4, found 999; nothing was",
        ),
    ] {
        let mut document = good.clone();
        document["chunks"][7]["map"]["tiles"][3][key] = value;
        place.write("a.json", document.to_string().as_bytes());
        let error = place.bad(&["llama", "build", "a.json", "-o", "a.wad"], 1);
        assert!(error.contains(said), "{error}");
    }
}

/// Map and scenario are two files, by whatever name.
#[test]
fn a_scenario_has_a_file_of_its_own() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    std::fs::create_dir(place.path("sub")).unwrap();
    let absolute = place.path("a.MAP").display().to_string();
    let refused = |map: &str, scenario: &str| {
        let call = [
            "llama",
            "field",
            "meadow.wad",
            "-o",
            map,
            "--scenario",
            scenario,
        ];
        let error = place.bad(&call, 2);
        assert!(error.contains("file of its own"), "{error}");
    };
    let ways = ["a.MAP", "./a.MAP", "sub/../a.MAP", &absolute];
    for scenario in ways {
        refused("a.MAP", scenario);
        refused(scenario, "a.MAP");
    }
    assert!(!place.path("a.MAP").exists());
    // The same of a map that is there, also by a link.
    place.write("a.MAP", b"old");
    for scenario in ways {
        refused("a.MAP", scenario);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.MAP", place.path("link")).unwrap();
        refused("a.MAP", "link");
    }
    assert_eq!(std::fs::read(place.path("a.MAP")).unwrap(), b"old");
    refused("a.MAP", "meadow.wad");
    // A map on standard output has no name.
    let call = [
        "llama",
        "field",
        "meadow.wad",
        "-o",
        "-",
        "--scenario",
        "walk.json",
    ];
    let error = place.bad(&call, 2);
    assert!(
        error.contains("the scenario names the map's file"),
        "{error}"
    );
    assert!(!place.path("walk.json").exists());
}

/// A scenario names its map from its own folder on, wherever the two lie.
#[test]
fn a_scenario_finds_its_map() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    std::fs::create_dir_all(place.path("one/deep")).unwrap();
    std::fs::create_dir(place.path("two")).unwrap();
    let absolute = place.path("two/b.MAP").display().to_string();
    for (map, scenario, name) in [
        ("a.MAP", "a.json", "a.MAP"),
        ("one/deep/a.MAP", "a.json", "one/deep/a.MAP"),
        ("./one/a.MAP", "one/deep/../a.json", "a.MAP"),
        ("a.MAP", "one/deep/a.json", "../../a.MAP"),
        ("two/a.MAP", "one/deep/a.json", "../../two/a.MAP"),
        (&absolute, "one/b.json", "../two/b.MAP"),
    ] {
        place.fine(&[
            "llama",
            "field",
            "meadow.wad",
            "-o",
            map,
            "--scenario",
            scenario,
        ]);
        let text = std::fs::read_to_string(place.path(scenario)).unwrap();
        let mut document = common::json(&text);
        assert_eq!(document["map"], name, "{map}, {scenario}");
        document["pads"] = json!([["0x2000", 40]]);
        place.write(scenario, document.to_string().as_bytes());
        let walk = place.document(&["field", "run", scenario]);
        assert_eq!(walk["frames"].as_array().unwrap().len(), 40);
    }
}

/// Of several start zones the last counts, for `info`, a field and a world alike.
#[test]
fn a_field_begins_in_the_last_start_zone() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let mut document = common::json(&place.fine(&["llama", "dump", "meadow.wad"]));
    let map = &mut document["chunks"][7]["map"];
    map["strats"] = json!([]);
    // The level's door at 35, 15.
    for (flags, zone, player) in [
        ([8, 0], 0, [576, 2752]),
        ([8, 8], 1, [4672, 2112]),
        ([8, 12], 1, [4672, 2112]),
    ] {
        let map = &mut document["chunks"][7]["map"];
        for (at, flags) in flags.into_iter().enumerate() {
            map["zones"][at]["flags"] = json!(flags);
        }
        place.write("a.json", document.to_string().as_bytes());
        place.fine(&["llama", "build", "a.json", "-o", "a.wad"]);
        assert_eq!(
            place.document(&["llama", "info", "a.wad"])["start_zone"],
            zone
        );
        let output = place.overworld(["llama", "field", "a.wad", "-o", "a.MAP", "--json"]);
        let found = common::json(&common::text(&output.stdout));
        assert_eq!(found["player"], json!(player), "{flags:?}");
    }
}
