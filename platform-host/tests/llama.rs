//! `overworld llama ...`

mod common;

use std::collections::BTreeSet;

use common::Place;
use overworld_host::llama::sample;
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

/// All keys of a document.
fn keys(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                into.insert(key.clone());
                keys(value, into);
            }
        }
        Value::Array(list) => list.iter().for_each(|it| keys(it, into)),
        _ => {}
    }
}

/// docs/levels.md explains every key that a dump has, and its example is one but for the models.
#[test]
fn the_page_explains_every_key() {
    const PAGE: &str = include_str!("../../docs/levels.md");
    let place = place();
    // A size, an end and derived blocks that are wrong, and bytes behind the end.
    let mut data = std::fs::read(place.path("level.wad")).unwrap();
    let length = data.len();
    for (at, value) in [
        (0, 1),
        (length - 4, 2),
        (504 + 0x238, 3),
        (504 + 12 + 16, 1),
    ] {
        data[at] = value;
    }
    data.push(0);
    place.write("odd.wad", &data);
    let document = common::json(&place.fine(&["llama", "dump", "odd.wad"]));
    let mut all = BTreeSet::new();
    keys(&document, &mut all);
    for key in [
        "stated", "end", "after", "fixed", "models", "paths", "reverb",
    ] {
        assert!(all.contains(key), "{key}");
    }
    for key in all {
        assert!(PAGE.contains(&format!("`{key}`")), "{key}");
    }
    let example = PAGE.split("```json\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let whole = self::example();
    let text = example.replace("\"...\"", &whole["chunks"][3]["data"].to_string());
    place.write("page.json", text.as_bytes());
    place.fine(&["llama", "build", "page.json", "-o", "page.wad"]);
    let again = place.document(&["llama", "roundtrip", "page.wad"]);
    assert_eq!(
        (&again["same"], &again["errors"]),
        (&json!(true), &json!([]))
    );
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
    // Every bit that is set, known or not.
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let text = place.fine(&["llama", "info", "meadow.wad"]);
    let flags: Vec<&str> = text.lines().filter(|it| it.starts_with("flag ")).collect();
    assert_eq!(
        flags,
        [
            "flag 0x10: MAP has a particle count",
            "flag 0x80: not known",
            "flag 0x200: not known",
            "flag 0x400: not known",
            "flag 0x10000: MAP has alternative models",
            "flag 0x8000000: not known",
            "flag 0x10000000: changes the game's memory only",
        ]
    );
    let info = place.document(&["llama", "info", "meadow.wad"]);
    assert_eq!(
        (&info["flag_meanings"][0], &info["flag_meanings"][1]),
        (
            &json!({ "mask": 0x10, "meaning": "MAP has a particle count" }),
            &json!({ "mask": 0x80, "meaning": null })
        )
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
    // Why it is no level, with the place in the file.
    for (at, bytes, expected) in [
        (
            map + 4,
            &[0][..],
            "GridSize at offset 0x1fc: expected a column, a row and fewer than 2^32 cells, found 0 columns and 2 rows",
        ),
        (28 + 4, &[3, 0, 0, 0], "WadTruncated at offset 0x27: chunk"),
        (
            48,
            &[4],
            "ModelsTruncated at offset 0x34: expected 528 bytes of models",
        ),
        (
            28 + 8,
            &[0],
            "TrailingBytes at offset 0x582: expected the end of the chunk, found 4 more bytes (MAP, from offset 0x1f8 on; flags 0x14210000; with 0x10 it can be read)",
        ),
        (
            map + 12 + 20,
            &[1],
            "AltCount at offset 0x484: expected an alternative for each of 2 tiles, found 1 (MAP, from offset 0x1f8 on; \
             flags 0x14210010)",
        ),
        (
            map + 0x28C + 4 + 16,
            &[2],
            "ModelIndex at offset 0x498: block 10 (alternatives), record 0: there is no model 2",
        ),
        (
            map + 0x2DC + 3,
            &[0x10],
            "CountOverflow at offset 0x4d4: block 12 (strats): no chunk holds 268435458 records",
        ),
    ] {
        let mut wrong = data.clone();
        wrong[at..at + bytes.len()].copy_from_slice(bytes);
        place.write("wrong.wad", &wrong);
        let error = place.bad(&["llama", "info", "wrong.wad"], 1);
        assert!(
            error.starts_with(&format!("overworld: wrong.wad: {expected}")),
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
    // The same bytes, and yet a broken level.
    let output = place.overworld(["llama", "roundtrip", "bad.wad", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let document = common::json(&common::text(&output.stdout));
    assert_eq!(document["same"], true);
    assert_eq!(document["errors"][0]["name"], "RegionIndex");
    let output = place.overworld(["llama", "roundtrip", "bad.wad"]);
    assert_eq!(output.status.code(), Some(1));
    let listed = common::text(&output.stdout);
    assert!(
        listed.starts_with(
            "RegionIndex at offset 0x42c: cell 3: expected a region below 32, found 77\n"
        ),
        "{listed}"
    );
    assert!(listed.ends_with("the same, 1422 bytes\n"), "{listed}");
    // The builder tells it to programs, too.
    let output = place.overworld(["llama", "build", "bad.json", "-o", "no.wad", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let document = common::json(&common::text(&output.stdout));
    assert_eq!(document["bytes"], Value::Null);
    assert_eq!(document["errors"][0]["name"], "RegionIndex");
    assert!(!place.path("no.wad").exists());
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

/// What is no WAD is not written, and a WAD without a map is told as that.
#[test]
fn a_document_without_a_map() {
    let place = place();
    place.write("none.json", br#"{"chunks":[]}"#);
    let error = place.bad(&["llama", "build", "none.json", "-o", "x.wad"], 1);
    assert_eq!(
        error,
        "overworld: none.json: NotAWad at offset 0x4: expected the tag \"INFO\", found \"END \"; nothing was written\n"
    );
    let twice = br#"{"chunks":[{"tag":"INFO","data":"01000000"},{"tag":"INFO","data":""}]}"#;
    place.write("twice.json", twice);
    let error = place.bad(&["llama", "build", "twice.json", "-o", "x.wad"], 1);
    assert!(error.contains("DuplicateChunk at offset 0x10: "), "{error}");
    assert!(!place.path("x.wad").exists());
    let one = br#"{"chunks":[{"tag":"INFO","data":"01000000"}]}"#;
    place.write("one.json", one);
    let said = place.fine(&["llama", "build", "one.json", "-o", "one.wad"]);
    assert!(
        said.contains("note: MissingDependency: there is no chunk \"MAP \""),
        "{said}"
    );
    let made = place.document(&["llama", "build", "one.json", "-o", "one.wad"]);
    assert_eq!(made["errors"], json!([]));
    assert_eq!(made["warnings"][0]["name"], "MissingDependency");
    // What dump takes apart is put together again.
    place.fine(&["llama", "dump", "one.wad", "-o", "again.json"]);
    place.fine(&["llama", "build", "again.json", "-o", "again.wad"]);
    let bytes = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert_eq!(bytes("one.wad"), bytes("again.wad"));
    // Checks that end before there is a level have a document as others have.
    place.write("cut.wad", &bytes("one.wad")[..14]);
    for command in ["check", "roundtrip"] {
        let output = place.overworld(["llama", command, "cut.wad", "--json"]);
        assert_eq!(output.status.code(), Some(1));
        let document = common::json(&common::text(&output.stdout));
        let error = json!({
            "name": "WadTruncated", "offset": 4,
            "text": "chunk \"INFO\": expected 4 bytes, found 2 up to the file's end",
        });
        assert_eq!(document["errors"], json!([error]), "{command}");
    }
}

/// Each fault says where in the file it is, and what the level would have taken.
#[test]
fn broken_invariants_have_a_place() {
    let place = place();
    let data = std::fs::read(place.path("level.wad")).unwrap();
    let map = 504;
    let strats = map + 0x2DC;
    for (at, value, expected) in [
        (
            strats + 4,
            0xFFFF_FFE2_u32,
            "PoolTooSmall at offset 0x4d8: 1 strats are created at the start, expected at most 12632256 slots of 340 bytes, which 32 bits count, found 4294967296",
        ),
        (
            strats + 8 + 58 + 46,
            3,
            "WaypointIndex at offset 0x544: strat 1: expected -1 or a waypoint below 3, found 3",
        ),
        (
            strats + 8 + 58 + 26,
            1,
            "ParamRange at offset 0x52c: strat 1: expected its 2 parameters in a pool of 2, found the first at 1",
        ),
        (
            strats + 8 + 34,
            0x1000_0000,
            "CountOverflow at offset 0x4fe: block 12 (strats), record 0: 268435456 slots of 16 bytes leave 32 bits",
        ),
        (
            map + 0x388,
            u32::MAX,
            "CountOverflow at offset 0x580: block 14 (particles): 4294967295 particles of 72 bytes leave 32 bits",
        ),
        (
            map + 0x228 + 4,
            32,
            "RegionIndex at offset 0x424: cell 1: expected a region below 32, found 32",
        ),
        (
            map + 0xC + 16,
            2,
            "ModelIndex at offset 0x214: block 2 (tiles), record 0: expected a model below 2, found 2",
        ),
        (
            map + 0x238 + 16,
            7,
            "DerivedMismatch at offset 0x430: block 8 (tiles, fixed), record 0: expected angles [0, 0, 0] at [2048, 0, 2048], by block 2, found angles [0, 0, 0] at [2048, 7, 2048]",
        ),
        (
            map + 0xC + 8,
            0x3F00_0000,
            "TilePosition at offset 0x204: tile 0: expected x, y and z below 524288 and z of 0 or less, found 0.5, 0, 0.5",
        ),
        (
            map + 0xC,
            0x4040_0000,
            "TileOutsideGrid at offset 0x204: tile 0: expected a column from 0 to 1 and a row from 0 to 1, found column 2, row 0",
        ),
    ] {
        let mut wrong = data.clone();
        wrong[at..at + 4].copy_from_slice(&value.to_le_bytes());
        place.write("wrong.wad", &wrong);
        let output = place.overworld(["llama", "check", "wrong.wad"]);
        assert_eq!(output.status.code(), Some(1), "{expected}");
        let listed = common::text(&output.stdout);
        assert!(
            listed.lines().any(|line| line == expected),
            "{expected}\n{listed}"
        );
    }
    let mut turned = data;
    turned[strats + 8 + 1] = 0x10;
    place.write("turned.wad", &turned);
    let warnings = place.document(&["llama", "check", "turned.wad"])["warnings"].clone();
    let angles = json!({
        "name": "Angles", "offset": strats + 8,
        "text": "strat 0: expected 0 to 4095 about each axis, found 4096, 1024, 0",
    });
    assert!(warnings.as_array().unwrap().contains(&angles), "{warnings}");
    let carried = &warnings[0];
    assert_eq!(
        (&carried["name"], &carried["offset"]),
        (&json!("FrameCarry"), &json!(map + 0x2A4 + 32))
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
    assert_eq!(list[7]["flag_names"], json!(["floor", "wall", "0x200000"]));
    let text = place.fine(&["llama", "types", "meadow.wad"]);
    assert!(text.contains("  Llama: floor, wall, 0x200000\n"), "{text}");
    // A document for people: a tile, a zone and a row of numbers have lines.
    let dumped = place.fine(&["llama", "dump", "meadow.wad"]);
    // All but long texts of digits.
    let lines = dumped.lines().filter(|it| !it.contains("\": \""));
    assert!(lines.map(str::len).max().unwrap() <= 120);
    assert!(dumped.contains("\n    {\"data\": \"01000000\", \"tag\": \"INFO\"},\n"));
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
    let coin = coin.unwrap();
    assert_eq!(coin["counts"], json!([3, 7]));
    let types = both["levels"][0]["types"].as_array().unwrap();
    let code = &types.iter().find(|it| it["label"] == "Coin").unwrap()["code"];
    assert_eq!(coin["codes"], json!([[code], [code]]));
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
    // A poolExtra that cannot be raised.
    let document = place.fine(&["llama", "dump", "meadow.wad"]);
    let mut document = common::json(&document);
    for chunk in document["chunks"].as_array_mut().unwrap() {
        if let Some(map) = chunk.get_mut("map") {
            map["pool_extra"] = json!(u32::MAX - 12);
        }
    }
    place.write("full.json", document.to_string().as_bytes());
    place.fine(&[
        "llama",
        "build",
        "full.json",
        "-o",
        "full.wad",
        "--unchecked",
    ]);
    let error = place.bad(&["llama", "testlevel", "full.wad", "-o", "x.wad"], 1);
    let said = "CountOverflow: block 12 (strats): the level's poolExtra of 4294967283 cannot be raised by the 13 \
                placed strats: expected at most 4294967282";
    assert!(error.contains(said), "{error}");
    assert!(!place.path("x.wad").exists());
}

/// The walk through the chunk of code: models with bones, animations, and where the code begins.
#[test]
fn the_chunk_of_code_is_walked() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let walk = |file: &str| place.document(&["llama", "info", file])["stpc"].clone();
    let start = 4 + 0x8C + 2 * 2 + 8 * 24 + 10 * 28 + 4;
    let model = json!({
        "offset": 4, "bones": 2, "vertices": 8, "faces": 10, "collision": [0, 0, 0],
    });
    let expected = json!({
        "models": [model], "animations": 0, "groups": false, "start": start, "exact": true,
        "fault": null,
    });
    assert_eq!(walk("meadow.wad"), expected);
    let text = place.fine(&["llama", "info", "meadow.wad"]);
    for line in [
        "code model  0       0x4 2 bones, 8 vertices, 10 faces, 0 floor, 0 ceiling and 0 wall entries\n",
        "code 0 animations, without extra model groups, from 0x270 on exactly\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    // With extra groups, and with animations, it begins somewhere behind; without its models it is not known.
    let data = std::fs::read(place.path("meadow.wad")).unwrap();
    let find = |tag: &[u8]| data.windows(4).position(|it| it == tag).unwrap() + 8;
    let (flags, code) = (find(b"CPFW"), find(b"CPTS"));
    for (at, value, groups, animations, start) in [
        (flags + 1, data[flags + 1] | 1, true, 0, start),
        (code + start - 4, 2, false, 2, start + 0x40),
    ] {
        let mut changed = data.clone();
        changed[at] = value;
        place.write("changed.wad", &changed);
        let found = walk("changed.wad");
        assert_eq!(found["models"], expected["models"]);
        assert_eq!(found["animations"], animations);
        assert_eq!(
            (&found["groups"], &found["exact"]),
            (&json!(groups), &json!(false))
        );
        assert_eq!(found["start"], start);
    }
    let mut changed = data.clone();
    changed[code + 3] = 1;
    place.write("changed.wad", &changed);
    let found = walk("changed.wad");
    assert_eq!((&found["models"], &found["start"]), (&json!([]), &json!(0)));
    let fault = found["fault"].as_str().unwrap();
    assert!(fault.starts_with("ModelsTruncated: offset 0x"), "{fault}");
    // A level without code.
    place.write("in.json", example().to_string().as_bytes());
    place.fine(&["llama", "build", "in.json", "-o", "none.wad"]);
    assert_eq!(walk("none.wad"), Value::Null);
}

/// Code at odd offsets and without a name.
#[test]
fn code_is_known_or_told() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let document = common::json(&place.fine(&["llama", "dump", "meadow.wad"]));
    let check = |code: u32| {
        let mut document = document.clone();
        for chunk in document["chunks"].as_array_mut().unwrap() {
            if let Some(map) = chunk.get_mut("map") {
                map["strats"][10]["code"] = json!(code);
            }
        }
        place.write("in.json", document.to_string().as_bytes());
        let call = ["llama", "build", "in.json", "-o", "out.wad", "--unchecked"];
        let built = place.document(&call);
        let text = |key: &str| built[key][0]["text"].as_str().map(str::to_owned);
        (text("errors"), text("warnings"))
    };
    let end = place.document(&["llama", "info", "meadow.wad"])["chunks"][6]["bytes"].clone();
    let end = end.as_u64().unwrap() as u32;
    let (error, warning) = check(0x271);
    let said = format!(
        "block 12 (strats), record 10: expected an even offset from 0x270 to below {end:#x} in STPC, found 0x271"
    );
    assert_eq!((error, warning), (Some(said), None));
    let last = (end - 1) & !1;
    let said = format!(
        "strat 10: expected a name or a spawn stub in the code from {last:#x} on, found none"
    );
    assert_eq!(check(last), (None, Some(said)));
}

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
        "overworld: test.wad: note: 7 one-cell gaps with a floor, since nobody jumps in a field\n"
    );
    let error = place.bad(
        &["llama", "field", "meadow.wad", "-o", "a", "--scenario", "a"],
        2,
    );
    assert!(error.contains("file of its own"), "{error}");
}
