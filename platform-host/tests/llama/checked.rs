//! What is wrong with a level, by its name and its place.

use serde_json::{Value, json};

use crate::common::{self, Place};
use crate::{example, place};

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
    // Whoever has read the list is told of it once.
    let counted = common::text(&output.stderr);
    assert_eq!(counted, "overworld: bad.wad: 1 broken invariant\n");
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

/// A million findings are no million lines: of each name some are listed, and the others counted.
#[test]
fn of_many_findings_some_are_listed() {
    let place = Place::new();
    let side = 300;
    let mut document = example();
    let map = &mut document["chunks"][4]["map"];
    (map["width"], map["height"]) = (json!(side), json!(side));
    map["grid"] = json!(vec![32; side * side]);
    map["strats"][0]["pool"] = json!(7);
    let strat = map["strats"][0].clone();
    map["strats"] = json!(vec![strat; 150]);
    map["pool_extra"] = json!(200);
    place.write("many.json", document.to_string().as_bytes());
    let call = [
        "llama",
        "build",
        "many.json",
        "-o",
        "many.wad",
        "--unchecked",
    ];
    let built = place.fine(&call);
    let count = |text: &str, start: &str| text.lines().filter(|it| it.starts_with(start)).count();
    assert_eq!(count(&built, "note: RegionIndex"), 101);
    let output = place.overworld(["llama", "check", "many.wad"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        common::text(&output.stderr),
        "overworld: many.wad: 90000 broken invariants\n"
    );
    let listed = common::text(&output.stdout);
    let begin = "RegionIndex at offset 0x420: cell 0: expected a region below 32, found 32\n";
    assert!(listed.starts_with(begin), "{}", &listed[..200]);
    assert!(
        listed.contains("\nRegionIndex: 89900 more\nwarning: "),
        "{listed}"
    );
    assert!(
        listed.ends_with("\nwarning: ParamRange: 50 more\n"),
        "{listed}"
    );
    assert_eq!(count(&listed, "RegionIndex"), 101);
    assert_eq!(count(&listed, "warning: ParamRange at offset"), 100);
    for call in ["check", "roundtrip"] {
        let output = place.overworld(["llama", call, "many.wad", "--json"]);
        let document = common::json(&common::text(&output.stdout));
        let size = |key: &str| document[key].as_array().unwrap().len();
        assert_eq!((size("errors"), size("warnings")), (100, 101), "{document}");
        assert_eq!(
            document["more"],
            json!([
                { "name": "RegionIndex", "count": 89_900, "error": true },
                { "name": "ParamRange", "count": 50, "error": false },
            ])
        );
        let error = common::text(&output.stderr);
        assert!(
            error.contains("90000 broken invariants, the first: RegionIndex"),
            "{error}"
        );
    }
    // As many as are listed.
    let map = &mut document["chunks"][4]["map"];
    for cell in 100..side * side {
        map["grid"][cell] = json!(0);
    }
    place.write("few.json", document.to_string().as_bytes());
    let call = ["llama", "build", "few.json", "-o", "few.wad", "--unchecked"];
    assert_eq!(count(&place.fine(&call), "note: RegionIndex"), 100);
}

/// An alternative's normal model is one of the level, and its tile's.
#[test]
fn normal_models_are_checked() {
    let place = Place::new();
    let mut document = example();
    let mut built = |normal: u32, more: &[&str]| {
        document["chunks"][4]["map"]["alternatives"][0]["normal"] = json!(normal);
        place.write("in.json", document.to_string().as_bytes());
        let call = [&["llama", "build", "in.json", "-o", "out.wad"], more].concat();
        place.overworld(&call)
    };
    let output = built(99, &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = "ModelIndex at offset 0x494: block 10 (alternatives), record 0: expected a normal model below 2, found 99";
    let error = common::text(&output.stderr);
    assert!(error.contains(said), "{error}");
    assert!(!place.path("out.wad").exists());
    built(99, &["--unchecked"]);
    let output = place.overworld(["llama", "check", "out.wad"]);
    assert_eq!(output.status.code(), Some(1));
    let listed = common::text(&output.stdout);
    assert!(listed.lines().any(|it| it == said), "{listed}");
    built(0, &[]);
    let warnings = place.document(&["llama", "check", "out.wad"])["warnings"].clone();
    let normal = json!({
        "name": "AltNormal", "offset": 0x494,
        "text": "alternative 0: expected the normal model 1, which its tile 1 has, found 0",
    });
    assert!(warnings.as_array().unwrap().contains(&normal), "{warnings}");
}

/// Chunks that others need stand in front of them.
#[test]
fn the_order_of_chunks_is_checked() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let good = common::json(&place.fine(&["llama", "dump", "meadow.wad"]));
    let moved = |tag: &str, to: usize| {
        let mut document = good.clone();
        let chunks = document["chunks"].as_array_mut().unwrap();
        let at = chunks.iter().position(|it| it["tag"] == tag).unwrap();
        let chunk = chunks.remove(at);
        chunks.insert(to.min(chunks.len()), chunk);
        place.write("in.json", document.to_string().as_bytes());
        place.overworld(["llama", "build", "in.json", "-o", "out.wad", "--json"])
    };
    let names = |output: &std::process::Output| {
        let document = common::json(&common::text(&output.stdout));
        let errors = document["errors"].as_array().unwrap().clone();
        let names: Vec<_> = errors.iter().map(|it| it["name"].clone()).collect();
        let text = errors.first().map(|it| it["text"].to_string());
        (names, text.unwrap_or_default())
    };
    // INFO VERS WFPC TEXT NAME TRAK STPC MAP LGHT LNFO.
    assert_eq!(names(&moved("TEXT", 4)), (vec![], String::new()));
    assert!(place.path("out.wad").exists());
    std::fs::remove_file(place.path("out.wad")).unwrap();
    for (tag, to, count, said) in [
        ("WFPC", 6, 1, "expected it before STPC"),
        ("TEXT", 5, 1, "expected it before TRAK"),
        ("TEXT", 99, 2, "expected it before TRAK"),
    ] {
        let output = moved(tag, to);
        assert_eq!(output.status.code(), Some(1), "{tag}");
        let (names, text) = names(&output);
        assert_eq!(names, vec!["MissingDependency"; count], "{tag}");
        assert!(text.contains(tag) && text.contains(said), "{text}");
        assert!(!place.path("out.wad").exists());
    }
}

/// What a document gives and the flags exclude, and what it lacks and they ask for, is told by its key.
#[test]
fn a_document_gives_what_the_flags_ask_for() {
    let place = Place::new();
    let refused = |flags: u32, change: &dyn Fn(&mut Value)| {
        let mut document = example();
        let hex: String = flags
            .to_le_bytes()
            .iter()
            .map(|it| format!("{it:02x}"))
            .collect();
        document["chunks"][2]["data"] = json!(hex);
        change(&mut document["chunks"][4]["map"]);
        place.write("in.json", document.to_string().as_bytes());
        // Nothing of it can be written.
        let call = ["llama", "build", "in.json", "-o", "out.wad", "--unchecked"];
        let output = place.overworld(call);
        assert_eq!(
            output.status.code() == Some(0),
            place.path("out.wad").exists()
        );
        common::text(&output.stderr)
    };
    let full = 0x1421_0010;
    let key = "overworld: in.json: Gate: chunks[4].map.";
    assert_eq!(
        refused(full & !0x10, &|_| {}),
        format!("{key}particles: expected none, for WFPC lacks 0x10, found 300\n")
    );
    for missing in [Value::Null, json!({})] {
        let without = |map: &mut Value| match missing {
            Value::Null => map["particles"] = Value::Null,
            _ => drop(map.as_object_mut().unwrap().remove("particles")),
        };
        assert_eq!(
            refused(full, &without),
            format!("{key}particles: expected a number, for WFPC has 0x10, found none\n")
        );
    }
    assert_eq!(
        refused(full & !0x400_0000, &|_| {}),
        format!(
            "{key}paths[0][0].points[0].y: expected 0 or none, for WFPC lacks 0x4000000, found 12288\n"
        )
    );
    assert_eq!(
        refused(full & !0x20_0000, &|_| {}),
        format!("{key}paths: expected none, for WFPC lacks 0x200000, found 2\n")
    );
    assert_eq!(
        refused(full & !0x1_0000, &|_| {}),
        format!("{key}alternatives: expected none, for WFPC lacks 0x10000, found 1\n")
    );
    let flat = |map: &mut Value| {
        map["particles"] = Value::Null;
        for point in map["paths"][0][0]["points"].as_array_mut().unwrap() {
            point["y"] = json!(0);
        }
    };
    assert_eq!(refused(full & !0x400_0010, &flat), "");
    let again = common::json(&place.fine(&["llama", "dump", "out.wad"]));
    assert_eq!(again["chunks"][4]["map"]["particles"], Value::Null);
}

/// A coordinate that is no number keeps a level from being written, but not from being written unchecked.
#[test]
fn a_coordinate_that_is_no_number_is_written_unchecked() {
    let place = Place::new();
    let mut document = example();
    document["chunks"][4]["map"]["tiles"][2]["at"][1] = json!("0x7FC00001");
    place.write("in.json", document.to_string().as_bytes());
    let call = ["llama", "build", "in.json", "-o", "out.wad"];
    let error = place.bad(&call, 1);
    assert!(
        error.contains("TilePosition at offset 0x234: tile 2: "),
        "{error}"
    );
    let said = place.fine(&[&call[..], &["--unchecked"]].concat());
    assert!(said.contains("note: TilePosition"), "{said}");
    let again = common::json(&place.fine(&["llama", "dump", "out.wad"]));
    let map = &again["chunks"][4]["map"];
    assert_eq!(map["tiles"][2]["at"][1], "0x7fc00001");
    // What is derived from it is nothing.
    let nothing = json!({ "angles": [0, 0, 0], "at": [0, 0, 0] });
    assert_eq!(map["fixed"][2], nothing);
    assert_eq!(map["fixed"][0]["at"], json!([2048, 0, 2048]));
}
