//! Messages and notes: what is told, and that it names the right thing.

mod common;
#[path = "common/vectors.rs"]
mod vectors;

use common::{Place, json, text};
use overworld_host::sample;
use serde_json::Value;

const RAW: usize = 2352;

/// A file of one wrong or right quotient.
fn quotients(wrong: u32) -> Vec<u8> {
    let words = [1, 3, 0, 0, 0, 1 << 31 | 0x1_FFFF ^ wrong];
    let mut data = b"GED1".to_vec();
    data.extend(words.into_iter().flat_map(u32::to_le_bytes));
    data
}

#[test]
fn one_bad_file_does_not_cost_the_results_of_the_others() {
    let place = Place::new();
    place.write("good", &quotients(0));
    place.write("wrong", &quotients(1));
    place.write("bad", b"RIFF....");
    let output = place.overworld(["gte", "check", "bad", "good", "none"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "good: 1 case, 0 differ\n");
    let error = text(&output.stderr);
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 3, "{error}");
    assert!(lines[0].starts_with("overworld: bad: BadMagic"), "{error}");
    assert!(lines[1].starts_with("overworld: none: No such"), "{error}");
    assert_eq!(lines[2], "overworld: 2 of 3 files could not be read");
    let output = place.overworld(["gte", "check", "bad", "wrong", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let document = json(&text(&output.stdout));
    assert_eq!(
        document["files"],
        serde_json::json!([{ "file": "wrong", "cases": 1, "differ": 1 }])
    );
    assert_eq!(document["unread"][0]["file"], "bad");
    let said = document["unread"][0]["error"].as_str().unwrap();
    assert!(said.starts_with("bad: BadMagic"), "{said}");
    assert!(
        text(&output.stderr)
            .ends_with("overworld: 1 case differs; 1 of 2 files could not be read\n")
    );
    let output = place.overworld(["identify", "--json", "none", "good"]);
    assert_eq!(output.status.code(), Some(1));
    let document = json(&text(&output.stdout));
    assert_eq!(document["files"][0]["file"], "good");
    assert_eq!(document["unread"][0]["file"], "none");
    let said = document["unread"][0]["error"].as_str().unwrap();
    assert!(said.starts_with("No such file"), "{said}");
    // One of one.
    for command in [&["gte", "check", "none"][..], &["identify", "none"]] {
        let error = place.bad(command, 1);
        assert!(
            error.ends_with("1 of 1 file could not be read\n"),
            "{error}"
        );
    }
}

/// A document's faults are told by path, in words that are no program's, with what was given and what may be.
#[test]
fn a_value_of_a_document_is_told_as_it_stands() {
    let place = Place::new();
    let frame = |rot: &str| {
        format!(
            r#"{{"bones": [{{}}], "animations": [{{"frames": [{{"root": [0, 0, 0], "bones": [{{"rot": {rot}}}]}}]}}]}}"#
        )
    };
    for (call, document, message) in [
        (
            "ff8 encode a.json -o out",
            r#"{"bones": [{"length": "x"}], "animations": []}"#.to_owned(),
            "bones[0].length: expected a whole number from -32768 to 32767, found the text \"x\" at line 1",
        ),
        (
            "ff8 encode a.json -o out",
            r#"{"bones": [3], "animations": []}"#.to_owned(),
            "bones[0]: expected an object, found the number 3 at line 1",
        ),
        (
            "ff8 encode a.json -o out",
            frame("[1, 2]"),
            "animations[0].frames[0].bones[0].rot: expected a list of 3 values, found 2 of them at line 1",
        ),
        (
            "ff8 encode a.json -o out",
            frame("[1, 2, 99999999999999999999]"),
            "animations[0].frames[0].bones[0].rot[2]: expected a whole number of 64 bits, found the number \
             99999999999999999999 at line 1",
        ),
        (
            "field run a.json",
            r#"{"camera": 18446744073709551615}"#.to_owned(),
            "camera: the number 18446744073709551615, expected 0 to 255 at line 1",
        ),
        (
            "field run a.json",
            r#"{"pads": [[0, 99999999999999999999]]}"#.to_owned(),
            "pads[0][1]: expected a whole number from 0 to 4294967295, or a text such as \"0x1000\", found the number \
             99999999999999999999 at line 1",
        ),
    ] {
        place.write("a.json", document.as_bytes());
        let words: Vec<&str> = call.split(' ').collect();
        let error = place.bad(&words, 1);
        let expected = format!("overworld: a.json: {message}");
        assert!(error.starts_with(&expected), "expected {expected}: {error}");
        assert!(!place.path("out").exists());
    }
    // Of the command line, too.
    for given in ["4294967296", "9223372036854775808", "99999999999999999999"] {
        let error = place.bad(&["run", "--frames", given], 2);
        let expected =
            format!("invalid value '{given}' for '--frames <N>': expected 1 to 4294967295");
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn the_speed_of_a_clip_is_explained() {
    let help = Place::new().fine(&["anm", "play", "--help"]);
    let help: Vec<&str> = help.split_whitespace().collect();
    let help = help.join(" ");
    assert!(help.contains("ceil(2 * S / rate)"), "{help}");
}

#[test]
fn a_disc_without_a_program_is_told() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let out = place.fine(&["disc", "build", "w", "-o", "a.cue"]);
    let note = "note: a console cannot boot this disc: SYSTEM.CNF names SLUS_999.99, which only \
                --exe puts on it";
    assert_eq!(out.lines().nth(1), Some(note), "{out}");
    let document = place.document(&["disc", "build", "w", "-o", "a.cue"]);
    assert_eq!(document["bootable"], false);
    let report = place.fine(&["disc", "verify", "a.cue"]);
    assert!(
        report.starts_with("note: /SYSTEM.CNF names /SLUS_999.99"),
        "{report}"
    );
    let header = overworld_host::psexe::Header {
        pc: 0x8001_0000,
        load: 0x8001_0000,
        sp_base: 0x801F_FF00,
        ..Default::default()
    };
    let exe = overworld_host::psexe::emit(&header, &[0; 100]).unwrap();
    place.write("game.exe", &exe);
    let call = ["disc", "build", "w", "-o", "b.cue", "--exe", "game.exe"];
    assert_eq!(place.fine(&call).lines().count(), 1);
    assert_eq!(place.document(&call)["bootable"], true);
    let report = place.document(&["disc", "verify", "b.cue"]);
    assert_eq!(report["notes"], Value::from(vec![0; 0]));
}

#[test]
fn what_a_builder_should_not_write_is_a_note_everywhere() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    // A trigger whose tile is not marked.
    place.write("w/demo.MAP", &vectors::map());
    place.fine(&["disc", "build", "w", "-o", "a.cue"]);
    for call in [
        &["map", "info", "w/demo.MAP"][..],
        &["world", "check", "w"],
        &["disc", "verify", "a.cue"],
    ] {
        let out = place.fine(call);
        let note = out
            .lines()
            .find(|it| it.contains("a builder should not write this: "));
        assert!(note.is_some_and(|it| it.starts_with("note: ")), "{out}");
    }
    // A note for each kind of finding.
    let notes = place.document(&["world", "check", "w"])["notes"].clone();
    let notes: Vec<&str> = notes
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    let kinds = [
        "the tile of trigger 0 of kind 0 is not marked in the attribute grid (2 more of the kind)",
        "the floor tier of tile (3, 4) is that of no neighbour",
        "no wall ring: the player can walk to tile (0, 0) at the edge of the grid",
    ];
    assert_eq!(
        notes,
        kinds.map(|it| format!("demo.MAP: a builder should not write this: {it}"))
    );
}

#[test]
fn an_empty_fallback_block_is_called_empty() {
    let place = Place::new();
    let mut map = sample::world().unwrap().map.1;
    map.resize(81_920, 0);
    place.write("read", &map);
    let out = place.fine(&["map", "info", "read"]);
    assert!(
        out.ends_with("fallback block behind the map: empty\n"),
        "{out}"
    );
}

#[test]
fn a_member_outside_of_the_folder_is_a_note() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    assert_eq!(
        place.document(&["world", "check", "w"])["notes"],
        Value::from(vec![0; 0])
    );
    std::fs::rename(place.path("w/owl.tim"), place.path("owl.tim")).unwrap();
    let manifest = std::fs::read_to_string(place.path("w/world.json")).unwrap();
    place.write(
        "w/world.json",
        manifest.replace("owl.tim", "../owl.tim").as_bytes(),
    );
    let out = place.fine(&["world", "check", "w"]);
    assert!(
        out.contains("\nnote: ../owl.tim: lies outside of the world's folder\n"),
        "{out}"
    );
}

#[test]
fn what_an_image_lacks_is_told() {
    let place = Place::new();
    let image = sample::image(None).unwrap();
    let cue = |bin: &str| overworld_host::image::cue_text(bin).into_bytes();
    let identify = |name: &str| {
        let document = place.document(&["identify", name]);
        let file = &document["files"][0];
        assert_eq!(file["kind"], "disc");
        file["evidence"].as_str().unwrap().to_owned()
    };
    place.write("a.bin", &image);
    place.write("a.cue", &cue("a.bin"));
    for name in ["a.bin", "a.cue"] {
        assert!(!identify(name).contains(';'), "{}", identify(name));
    }
    place.write("none.cue", &cue("none.bin"));
    let evidence = identify("none.cue");
    assert!(
        evidence.contains("; MissingBin: the sheet names none.bin, which does not exist"),
        "{evidence}"
    );
    // A sheet is one by what it says, whatever it is called.
    place.write("none.txt", &cue("none.bin"));
    assert!(identify("none.txt").contains("; MissingBin"));
    place.write("cut.bin", &image[..179 * RAW]);
    place.write("cut.cue", &cue("cut.bin"));
    let bare: Vec<u8> = image[..100 * RAW]
        .chunks(RAW)
        .flat_map(|raw| raw[24..2072].to_vec())
        .collect();
    place.write("cut.iso", &bare);
    for (name, sectors) in [("cut.bin", 179), ("cut.cue", 179), ("cut.iso", 100)] {
        let evidence = identify(name);
        let lacks =
            format!("; the image ends before the volume does, after {sectors} of 223 sectors");
        assert!(evidence.ends_with(&lacks), "{evidence}");
    }
    let mut damaged = image;
    damaged[16 * RAW + 1000] ^= 1;
    place.write("edc.bin", &damaged);
    place.write("edc.cue", &cue("edc.bin"));
    let offset = 16 * RAW + 0x818;
    for name in ["edc.bin", "edc.cue"] {
        let evidence = identify(name);
        let fault = format!("BadEdc at offset {offset:#x}");
        assert!(
            evidence.contains(&fault) && evidence.contains("sector 16 is damaged"),
            "{evidence}"
        );
    }
    damaged[3 * RAW + 1000] ^= 1;
    place.write("edc.bin", &damaged);
    let evidence = identify("edc.bin");
    assert!(
        evidence.contains("; 2 are damaged, first BadEdc at offset 0x"),
        "{evidence}"
    );
}

#[test]
fn messages_name_what_is_wrong() {
    let place = Place::new();
    place.write("text", b"hello");
    assert_eq!(
        place.bad(&["lzs", "encode", "text", "-o", "nodir/x"], 1),
        "overworld: nodir/x: the folder nodir does not exist\n"
    );
    place.write("a.png", b"\x89PNG\r\n\x1A\n");
    assert_eq!(
        place.bad(&["tim", "info", "a.png"], 1),
        "overworld: a.png: BadTim at offset 0x0: expected the magic word 00000010, found 474E5089\n"
    );
    place.write("flags", &[0x10, 0, 0, 0, 0x14, 0, 0, 0]);
    assert_eq!(
        place.bad(&["tim", "info", "flags"], 1),
        "overworld: flags: BadTim at offset 0x4: expected flags of mode 0 to 3, plus 8 with a \
         palette, found 00000014\n"
    );
    let mut block = sample::world().unwrap().textures[0].1.clone();
    block[8] ^= 1;
    place.write("block", &block);
    let error = place.bad(&["tim", "info", "block"], 1);
    assert_eq!(error.matches("offset").count(), 1, "{error}");
    place.fine(&["world", "new", "w"]);
    let manifest = std::fs::read_to_string(place.path("w/world.json")).unwrap();
    place.write(
        "w/world.json",
        manifest.replace("\"demo\"", "\"Demo\"").as_bytes(),
    );
    let error = place.bad(&["disc", "build", "w", "-o", "x.cue"], 1);
    assert!(
        error.starts_with("overworld: w/world.json: BadName: "),
        "{error}"
    );
}

/// Of a key that stands twice one value would be lost, and nobody would hear of it: every reader refuses it.
#[test]
fn keys_stand_once() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let manifest = std::fs::read_to_string(place.path("w/world.json")).unwrap();
    place.write("test.MAP", &vectors::map());
    let actors = r#"{"actors":[{"tile":[1,2],"code":"21","tile":[3,4]}]}"#;
    let context = r#"{"code":"21","context":{"x":1,"y":0,"x":2}}"#;
    for (call, document, message) in [
        (
            "vm run a.json",
            r#"{"code":"21","code":"24"}"#,
            r#"the key "code" stands twice"#,
        ),
        (
            "vm run a.json",
            context,
            r#"context: the key "x" stands twice"#,
        ),
        (
            "motion run a.json",
            context,
            r#"context: the key "x" stands twice"#,
        ),
        (
            "field run a.json",
            r#"{"pads":[],"pads":[]}"#,
            r#"the key "pads" stands twice"#,
        ),
        // Keys that mean nothing are no exception.
        (
            "field run a.json",
            r#"{"no":{"a":1,"a":1}}"#,
            r#"no: the key "a" stands twice"#,
        ),
        (
            "man build a.json -o out",
            actors,
            r#"actors[0]: the key "tile" stands twice"#,
        ),
        (
            "map build a.json -o out",
            r#"{"kind":"map","kind":"patch"}"#,
            r#"the key "kind" stands twice"#,
        ),
        (
            "stager build a.json -o out",
            r#"{"records":[],"records":[]}"#,
            r#"the key "records" stands twice"#,
        ),
        (
            "llama build a.json -o out --unchecked",
            r#"{"chunks":[{"tag":"INFO","data":"00","tag":"MAP "}]}"#,
            r#"chunks[0]: the key "tag" stands twice"#,
        ),
        (
            "ff8 encode a.json -o out",
            r#"{"bones":[{"parent":null,"parent":0}],"animations":[]}"#,
            r#"bones[0]: the key "parent" stands twice"#,
        ),
        (
            "map probe test.MAP --x 0 --z 0 --lut a.json",
            r#"[{"a":1,"a":2}]"#,
            r#"[0]: the key "a" stands twice"#,
        ),
    ] {
        place.write("a.json", document.as_bytes());
        let words: Vec<&str> = call.split(' ').collect();
        let error = place.bad(&words, 1);
        assert!(error.starts_with("overworld: a.json: "), "{error}");
        let at = format!("{message} at line 1 column ");
        assert!(error.contains(&at), "{call}: {error}");
        assert!(!place.path("out").exists(), "{call}");
    }
    // Also in the remark of a world, which may be anything.
    for (good, twice, message) in [
        (
            "\"scene\": \"demo\"",
            "\"scene\": \"other\", \"scene\": \"demo\"",
            "the key \"scene\" stands twice",
        ),
        (
            "\"about\":",
            "\"about\": 1, \"about\":",
            "//: the key \"about\" stands twice",
        ),
    ] {
        assert_eq!(manifest.matches(good).count(), 1, "{good}");
        place.write("w/world.json", manifest.replace(good, twice).as_bytes());
        for call in ["world check w", "disc build w -o x.cue", "run w --frames 1"] {
            let words: Vec<&str> = call.split(' ').collect();
            let error = place.bad(&words, 1);
            assert!(error.starts_with("overworld: w/world.json: "), "{error}");
            assert!(error.contains(message), "{call}: {error}");
        }
    }
}

/// Editors put a byte order mark in front of a text.
#[test]
fn a_byte_order_mark_is_no_part_of_a_document() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let marked = |name: &str, text: &[u8]| place.write(name, &[b"\xEF\xBB\xBF", text].concat());
    marked(
        "w/world.json",
        &std::fs::read(place.path("w/world.json")).unwrap(),
    );
    place.fine(&["world", "check", "w"]);
    marked("a.json", br#"{"kind":"patch","triggers":{"scripts":[]}}"#);
    place.fine(&["map", "build", "a.json", "-o", "a.PCH"]);
    place.write("test.MAP", &vectors::map());
    marked("heights", b"[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]");
    place.fine(&[
        "map", "probe", "test.MAP", "--x", "0", "--z", "0", "--lut", "heights",
    ]);
}

#[test]
fn the_manifest_is_documented() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let manifest = std::fs::read_to_string(place.path("w/world.json")).unwrap();
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tool.md"));
    let docs = docs.unwrap();
    let help = place.fine(&["world", "new", "--help"]);
    let told = |key: &str| {
        assert!(docs.contains(&format!("| `{key}` |")), "{key}");
        assert!(help.contains(&format!("\"{key}\"")), "{key}: {help}");
    };
    let mut good = json(&manifest);
    // The optional keys stand in the remark.
    let remark = good.as_object_mut().unwrap().remove("//").unwrap();
    for key in remark.as_object().unwrap().keys() {
        if key != "about" {
            told(key);
        }
    }
    for key in good.as_object().unwrap().keys() {
        told(key);
        // Each is required.
        let mut world = good.clone();
        world.as_object_mut().unwrap().remove(key);
        place.write("w/world.json", world.to_string().as_bytes());
        let error = place.bad(&["world", "check", "w"], 1);
        assert!(error.contains(&format!("missing field `{key}`")), "{error}");
    }
}

#[test]
fn the_root_of_a_disc_is_all_of_it() {
    let place = Place::new();
    place.write("a.bin", &sample::image(None).unwrap());
    let all = place.document(&["disc", "extract", "a.bin", "-o", "all"]);
    let mut root = place.document(&["disc", "extract", "a.bin", "-o", "all", "/"]);
    assert_eq!(root, all);
    root = place.document(&["disc", "extract", "a.bin", "-o", "all", "/PROT.DAT", "/"]);
    assert_eq!(root["files"].as_array().map(Vec::len), Some(3));
    let error = place.bad(&["disc", "extract", "a.bin", "-o", "none", "/X"], 1);
    assert!(error.contains("NotFound: /X is not on the disc"), "{error}");
}

/// A list of the wrong length is named and counted; text that is no document is told by its first word.
#[test]
fn documents_are_told_what_they_should_have() {
    let place = Place::new();
    for (text, message) in [
        (
            "{\"actors\": [{\"tile\": [1, 2, 3]}]}",
            "actors[0].tile: expected a list of 2 values, found 3 of them at line 1 column 30",
        ),
        (
            "\n nonsense of mine",
            "expected a document in JSON, found \"nonsense\" at its beginning",
        ),
        (
            "the-end-of-a-long-word-is-left-out",
            "expected a document in JSON, found \"the-end-of-a-long-wo...\" at its beginning",
        ),
    ] {
        place.write("town.json", text.as_bytes());
        let error = place.bad(&["man", "build", "town.json", "-o", "town.man"], 1);
        assert_eq!(error, format!("overworld: town.json: {message}\n"));
    }
    // A number is a document, and the reader's to tell.
    place.write("town.json", b"7");
    let error = place.bad(&["man", "build", "town.json", "-o", "town.man"], 1);
    assert!(!error.contains("expected a document in JSON"), "{error}");
}
