//! Levels as documents, and what `info` lists.

use std::collections::BTreeSet;

use overworld_runtime::bytes::crc32;
use serde_json::{Value, json};

use crate::common::{self, Place};
use crate::{example, place};

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
    const PAGE: &str = include_str!("../../../docs/levels.md");
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
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    let meadow = common::json(&place.fine(&["llama", "dump", "meadow.wad"]));
    let chunks = meadow["chunks"].as_array().unwrap();
    let models = chunks.iter().find(|it| it["tag"] == "TRAK").unwrap();
    let text = example.replace("\"...\"", &models["data"].to_string());
    place.write("page.json", text.as_bytes());
    place.fine(&["llama", "build", "page.json", "-o", "page.wad"]);
    let again = place.document(&["llama", "roundtrip", "page.wad"]);
    assert_eq!(
        (&again["same"], &again["errors"]),
        (&json!(true), &json!([]))
    );
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
