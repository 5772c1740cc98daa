//! `overworld llama ...`

mod common;

use common::Place;
use overworld_runtime::bytes::crc32;
use serde_json::{Value, json};

/// The whole level of the sheet's example E14, as a person would write it.
fn example() -> Value {
    let mut trak = vec![0_u8; 448];
    trak[0] = 2;
    trak[4 + 0x6C] = 2;
    let second = 4 + 0x84;
    for (at, value) in [(0x6C, 3), (0x6E, 1), (0x78, 1)] {
        trak[second + at] = value;
    }
    let trak: String = trak.iter().map(|byte| format!("{byte:02x}")).collect();
    let waypoint = |next: u32, ry: u32, x: u32, value: u32| json!({ "next": next, "angles": [0, ry, 0], "at": [x, 2048, 8192], "values": [value, 0] });
    json!({ "chunks": [
        { "tag": "INFO", "data": "01000000" },
        { "tag": "VERS", "data": "01000000" },
        { "tag": "WFPC", "data": "10002114" },
        { "tag": "TRAK", "data": trak },
        { "tag": "MAP ", "map": {
            "width": 2, "height": 2,
            "tiles": [
                { "at": [0.5, 0, -0.5], "model": 0, "colours": "0A141E010A141E01" },
                { "at": [1.5, 0, -0.5], "angle": 1024, "model": 1, "alternative": 1,
                  "colours": concat!("010203020405060107080900", "090909000909090009090900",
                      "3232320132323201", "3C3C3C003C3C3C00") },
                { "at": [0.5, 0.25, -1.5], "angle": 3072, "model": 0, "colours": "80C8FF0080C8FF00" },
            ],
            "pool": [4096, "0xFFFFF000"],
            "zones": [{ "cell": [4, 0, 7], "target": [18432, 6144, 30720], "flags": 8,
                "fog": [81920, 163840], "object_fog": [0, 0], "ambient": "0x404040",
                "backdrop": "0x804020", "music": 5 }],
            "waypoints": [waypoint(1, 0, 4096, 0), waypoint(1, 1024, 8192, 0), waypoint(0, 2048, 12288, 7)],
            "regions": [[1, 0], [2, "0xFFFF0000"]],
            "grid": [0, 1, 0, 1],
            "alternatives": [{ "at": [1, 0, 0], "normal": 1, "model": 0 }],
            "strats": [
                { "angles": [0, 1024, 0], "at": [2048, 1024, 2048], "code": "0x1234", "variables": 78,
                  "slots": 4, "type_flags": "0x248000", "extra": 1 },
                { "angles": [0, 0, 0], "at": [6144, 1024, 2048], "code": "0x2000", "parameters": 2,
                  "pool": 0, "variables": 5, "slots": 1, "type_flags": "0x8000", "extra": 0,
                  "waypoint": 0, "flags": 2 },
            ],
            "pool_extra": 10,
            "paths": [
                [{ "flags": 0, "points": [
                    { "at": [4096, 8192], "y": 12288, "type": 1, "angle": 0 },
                    { "at": [16384, 20480], "y": 24576, "type": 10, "angle": 512 },
                ]}],
                [],
            ],
            "particles": 300,
            "tail": 258,
        } },
    ] })
}

/// A place with that level as `level.wad`.
fn place() -> Place {
    let place = Place::new();
    place.write("in.json", example().to_string().as_bytes());
    place.fine(&["llama", "build", "in.json", "-o", "level.wad"]);
    place
}

#[test]
fn the_example_is_built_from_its_document() {
    let place = place();
    let data = std::fs::read(place.path("level.wad")).unwrap();
    assert_eq!((data.len(), crc32(&data)), (1422, 0x8C26_323B));
    let dump = place.fine(&["llama", "dump", "level.wad"]);
    place.write("again.json", dump.as_bytes());
    place.fine(&["llama", "build", "again.json", "-o", "again.wad"]);
    assert_eq!(std::fs::read(place.path("again.wad")).unwrap(), data);
    let stored = place.document(&["llama", "dump", "level.wad", "-o", "third.json"]);
    assert_eq!(stored, json!({ "chunks": 5 }));
    assert_eq!(
        std::fs::read(place.path("third.json")).unwrap(),
        dump.as_bytes()
    );
    let same = place.document(&["llama", "roundtrip", "level.wad"]);
    assert_eq!(
        (&same["same"], &same["bytes"]),
        (&json!(true), &json!(1422))
    );
}

#[test]
fn a_level_is_listed() {
    let place = place();
    let info = place.document(&["llama", "info", "level.wad"]);
    for (key, value) in [
        ("width", 2),
        ("height", 2),
        ("tiles", 3),
        ("pool", 2),
        ("zones", 1),
        ("waypoints", 3),
        ("strats", 2),
        ("pool_extra", 10),
        ("alternatives", 1),
        ("paths", 2),
        ("particles", 300),
        ("tail", 258),
        ("flags", 0x1421_0010),
        ("models", 2),
        ("slots", 40),
    ] {
        assert_eq!(info[key], json!(value), "{key}");
    }
    assert_eq!(info["blocks"][11]["start"], 0x2DC);
    assert_eq!(info["chunks"][4]["crc32"], 0x9CD5_0D3E_u32);
    let text = place.fine(&["llama", "info", "level.wad"]);
    assert!(
        text.contains("block 12 strats") && text.contains("flag 0x10000:"),
        "{text}"
    );
}

#[test]
fn broken_invariants_are_named() {
    let place = place();
    let good = place.document(&["llama", "check", "level.wad"]);
    assert_eq!((&good["good"], &good["errors"]), (&json!(true), &json!([])));
    assert_eq!(good["warnings"][0]["name"], "FrameCarry");
    let data = std::fs::read(place.path("level.wad")).unwrap();
    let map = 504;
    for (at, value, name) in [
        (map + 0x280, 9, "ModelIndex"),
        (map + 0x28C, 2, "AltCount"),
        (map + 0x228, 32, "RegionIndex"),
        (map + 0x238 + 12, 1, "DerivedMismatch"),
        (map + 0x2DC + 8 + 46, 3, "WaypointIndex"),
        (map + 4, 0, "GridSize"),
        (28 + 8, 0, "TrailingBytes"),
        (4, 0, "NotAWad"),
    ] {
        let mut wrong = data.clone();
        wrong[at..at + 1].copy_from_slice(&[value]);
        if name == "WaypointIndex" {
            wrong[at + 1..at + 4].fill(0);
        }
        place.write("wrong.wad", &wrong);
        let output = place.overworld(["llama", "check", "wrong.wad", "--json"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let document = common::json(&common::text(&output.stdout));
        assert_eq!(document["errors"][0]["name"], name, "{document}");
        let error = common::text(&output.stderr);
        assert!(
            error.contains("wrong.wad: ") && error.contains(name),
            "{error}"
        );
    }
    // A gate that is wrong is suggested.
    let mut wrong = data.clone();
    wrong[36] = 0;
    place.write("wrong.wad", &wrong);
    let error = place.bad(&["llama", "info", "wrong.wad"], 1);
    assert!(error.contains("with 0x10 it can be read"), "{error}");
    // The same through the builder, which writes nothing.
    let mut document = example();
    document["chunks"][4]["map"]["grid"] = json!([0, 1, 0, 77]);
    place.write("bad.json", document.to_string().as_bytes());
    let error = place.bad(&["llama", "build", "bad.json", "-o", "bad.wad"], 1);
    assert!(error.contains("RegionIndex"), "{error}");
    assert!(!place.path("bad.wad").exists());
    place.fine(&["llama", "build", "bad.json", "-o", "bad.wad", "--unchecked"]);
    let same = place.document(&["llama", "roundtrip", "bad.wad"]);
    assert_eq!(same["same"], true);
    // A map that stands there as it is stored is checked, too.
    let raw = br#"{"chunks":[{"tag":"INFO","data":"01000000"},{"tag":"MAP ","data":"00"}]}"#;
    place.write("raw.json", raw);
    place.bad(&["llama", "build", "raw.json", "-o", "raw.wad"], 1);
    assert!(!place.path("raw.wad").exists());
    place.fine(&["llama", "build", "raw.json", "-o", "raw.wad", "--unchecked"]);
    place.write("slip.json", br#"{"chunks":[],"sise":1}"#);
    let error = place.bad(&["llama", "build", "slip.json", "-o", "x.wad"], 1);
    assert!(
        error.contains("slip.json: the document: expected no key \"sise\""),
        "{error}"
    );
    assert!(
        place
            .bad(&["llama", "build", "in.json", "-o", "in.json"], 2)
            .contains("is the input")
    );
}

#[test]
fn a_test_level_is_made_of_the_sample() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let check = place.document(&["llama", "check", "meadow.wad"]);
    assert_eq!(
        (&check["errors"], &check["warnings"]),
        (&json!([]), &json!([]))
    );
    let types = place.document(&["llama", "types", "meadow.wad"]);
    let list = types["levels"][0]["types"].as_array().unwrap();
    assert_eq!(list.len(), 9);
    assert_eq!(list[1]["label"], "CheckPointHead(spawn)");
    let made = place.document(&[
        "llama",
        "testlevel",
        "meadow.wad",
        "-o",
        "test.wad",
        "--name",
        "Test",
        "--spacing",
        "2",
    ]);
    assert_eq!(
        (&made["strats"], &made["missing"]),
        (&json!(13), &json!([]))
    );
    let check = place.document(&["llama", "check", "test.wad"]);
    assert_eq!(
        (&check["errors"], &check["warnings"]),
        (&json!([]), &json!([]))
    );
    assert_eq!(
        place.document(&["llama", "info", "test.wad"])["name"],
        "Test"
    );
    let both = place.document(&["llama", "types", "meadow.wad", "test.wad", "--all"]);
    let coin = both["table"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["type"] == "Coin");
    assert_eq!(coin.unwrap()["counts"], json!([3, 7]));
    assert_eq!(both["levels"][0]["names"].as_array().unwrap().len(), 9);
    let text = place.fine(&["llama", "types", "meadow.wad", "test.wad"]);
    assert!(text.contains("    3     7  Coin"), "{text}");
    let error = place.bad(
        &[
            "llama",
            "testlevel",
            "meadow.wad",
            "-o",
            "x.wad",
            "--keep-original",
        ],
        1,
    );
    assert!(error.contains("no room"), "{error}");
    place.bad(
        &[
            "llama",
            "testlevel",
            "meadow.wad",
            "-o",
            "x.wad",
            "--spacing",
            "0",
        ],
        2,
    );
    place.bad(&["llama", "testlevel", "meadow.wad", "-o", "meadow.wad"], 2);
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
    assert_eq!(picture, json!({ "width": 160, "height": 160 }));
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
    assert_eq!(probe["wall"], false);
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
            .any(|it| it["file"] == "level.MAP" && it["kind"] == "map")
    );
    assert!(
        members
            .iter()
            .any(|it| it["file"] == "level.man" && it["kind"] == "man")
    );
    let error = place.bad(
        &["llama", "field", "meadow.wad", "-o", "a", "--scenario", "a"],
        2,
    );
    assert!(error.contains("file of its own"), "{error}");
}
