use super::*;
use crate::{sample, vectors};
use overworld_runtime::scene::man as runtime_man;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A file's document, which builds the same file.
fn same(kind: Kind, data: &[u8]) -> Value {
    let dumped = dump(kind, data).unwrap();
    assert_eq!(dumped.differs, None);
    let built = build(kind, dumped.text.as_bytes()).unwrap();
    assert_eq!(built.bytes, data);
    assert_eq!(built.what, dumped.what);
    // Scripts as text say the same bytes.
    let text = dump_with(kind, data, Scripts::Text).unwrap();
    assert_eq!(text.differs, None);
    assert_eq!(build(kind, text.text.as_bytes()).unwrap().bytes, data);
    serde_json::from_str(&dumped.text).unwrap()
}

fn refused(kind: Kind, document: &Value) -> String {
    build(kind, document.to_string().as_bytes())
        .unwrap_err()
        .to_string()
}

#[test]
fn the_sheets_man_is_a_document_and_back() {
    let document = same(Kind::Man, &vectors::man());
    assert_eq!(document["name"], "Testville");
    assert_eq!(document["floor"][15], 480);
    assert_eq!(
        document["objects"],
        json!([{ "label": "8260", "animation": 2, "code": "21" }])
    );
    assert_eq!(
        document["actors"][1],
        json!({ "label": "0000", "model": 3, "animation": 1, "tile": [0x9D, 0x16], "code": "2521" })
    );
    assert_eq!(
        document["beats"],
        json!([{ "label": "82608261", "c0": "", "c1": [0x225], "c2": [0x226], "code": "21" }])
    );
    let encounters = &document["encounters"];
    assert_eq!(encounters["strides"], json!([8, 4, 9]));
    assert_eq!(encounters["formations"][1]["monsters"], json!([6, 7]));
    assert_eq!(
        encounters["conditions"][0],
        json!({ "flag": 0x142, "regions": 1 })
    );
    assert_eq!(document["motion"], json!([]));
    assert_eq!(document["cameras"], json!([]));
    assert_eq!(document["open"], "00");
    assert_eq!(document.get("locations"), None);
}

#[test]
fn the_samples_files_are_documents_and_back() {
    let world = sample::town().unwrap();
    same(Kind::Man, &world.man.as_ref().unwrap().1);
    same(Kind::Map, &world.map.1);
    if let Some((_, patch)) = &world.patch {
        same(Kind::Map, patch);
    }
    same(Kind::Map, &sample::world().unwrap().map.1);
    same(Kind::Map, &vectors::map());
}

#[test]
fn a_short_document_is_a_whole_man() {
    let text = br#"{ "name": "Home", "actors": [{ "tile": ["0x7F", 127], "code": "21 00" }] }"#;
    let built = build(Kind::Man, text).unwrap();
    assert_eq!(built.what, "1 record");
    let man = runtime_man::Man::parse(&built.bytes).unwrap();
    assert_eq!(man.name().unwrap(), b"Home");
    assert_eq!(man.entry_script().unwrap().code(), [0x21, 0]);
    assert_eq!(man.encounters().unwrap().counts(), [0; 3]);
    assert_eq!(man.motion().unwrap().records().count(), 0);
    assert_eq!(man.cameras().unwrap().iter().count(), 0);
    // Six sections: encounters without rows, an end mark, the name, no camera, a zero, nothing.
    let lengths = [6, 1, 5, 1, 1, 0];
    assert_eq!(
        std::array::from_fn(|index| man.section(index).len()),
        lengths
    );
    same(Kind::Man, &built.bytes);
}

#[test]
fn what_rows_cannot_say_stands_as_bytes() {
    // A row of conditions with a fifth byte that is not zero.
    let mut man = vectors::man();
    let start = 0x58 + 3;
    let body = [8, 5, 9, 0, 1, 0xFF, 0xFF, 0, 0, 7, 0];
    drop(man.splice(start..start + 48, body));
    man[0x58] = body.len() as u8;
    let document = same(Kind::Man, &man);
    assert_eq!(document["encounters"], "0805090001FFFF00000700");
    // A display name in another script.
    let at = man.windows(9).position(|it| it == b"Testville").unwrap();
    man[at] = 0x82;
    let document = same(Kind::Man, &man);
    assert_eq!(document["name_bytes"], "8265737476696C6C65");
    // A table of places, and padding that is none.
    let mut places = man.clone();
    places.extend([1, 2, 3, 4, 5, 0, 0, 0, 0]);
    places.extend([b'A'; 24]);
    let document = same(Kind::Man, &places);
    assert_eq!(document["locations"][0]["at"], json!([3, 4]));
    places.push(1);
    assert!(same(Kind::Man, &places)["locations"].is_string());
}

#[test]
fn ambient_motion_has_its_variants() {
    let motion = json!([
        { "actors": [[0xF8, 1], [3, 0]], "variants": [
            { "selector": "0x142", "code": "0102" },
            { "selector": "0xFFFF", "code": "030405" },
        ] },
        // A stream of an odd form.
        { "actors": [[1, 1]], "variants": "AABB" },
    ]);
    let actors = json!([{ "tile": [1, 2], "code": "21" }]);
    let document = json!({ "actors": actors, "motion": motion });
    let built = build(Kind::Man, document.to_string().as_bytes()).unwrap();
    let man = runtime_man::Man::parse(&built.bytes).unwrap();
    let table = man.motion().unwrap();
    let (record, _) = table.find(0xF8).unwrap();
    assert_eq!(
        record.select(|flag| flag == 0x142).unwrap().code[..2],
        [1, 2]
    );
    assert_eq!(record.select(|_| false).unwrap().code, [3, 4, 5]);
    let again = same(Kind::Man, &built.bytes);
    assert_eq!(again["motion"][0]["variants"][1]["code"], "030405");
    assert_eq!(again["motion"][1]["variants"], "AABB");
}

#[test]
fn a_gap_or_another_order_is_told() {
    // Two objects whose places are exchanged.
    let text = br#"{ "objects": [{ "code": "2101" }, { "code": "22" }] }"#;
    let mut man = build(Kind::Man, text).unwrap().bytes;
    let places: [u8; 6] = man[0x2B..0x31].try_into().unwrap();
    man[0x2B..0x2E].copy_from_slice(&places[3..]);
    man[0x2E..0x31].copy_from_slice(&places[..3]);
    let dumped = dump(Kind::Man, &man).unwrap();
    assert_eq!(dumped.differs, Some(0x2B));
    let document: Value = serde_json::from_str(&dumped.text).unwrap();
    assert_eq!(document["objects"][0]["code"], "22");
    // A thousand records of one start would be a thousand copies.
    let mut man = vec![0; 0x2B + 3 * 1000];
    man[0x22..0x24].copy_from_slice(&1000_u16.to_le_bytes());
    man[0x28] = 200;
    // A header of two zeros, code, and six sections.
    man.extend([0; 2]);
    man.extend([0x21; 198]);
    man.extend([
        6, 0, 0, 8, 4, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    let fault = dump(Kind::Man, &man).unwrap_err();
    assert_eq!(fault.name, "Overlap");
}

#[test]
fn documents_that_are_no_man_are_refused() {
    let actor = |code: &str| json!({ "tile": [1, 2], "code": code });
    for (document, wanted) in [
        (json!({ "colour": 1 }), "unknown field `colour`"),
        (json!([]), "expected an object"),
        (json!({ "actors": [[1]] }), "expected an object"),
        (
            json!({ "actors": [actor("2")] }),
            "actors[0].code: expected two hexadecimal digits a byte, found an odd number of them at line 1 column",
        ),
        (
            json!({ "actors": [actor("21"), actor("21 2g")] }),
            "actors[1].code: expected hexadecimal digits, found 'g' as character 5 of the text at line 1 column",
        ),
        (json!({ "actors": [actor("")] }), "EmptyScript: "),
        (
            json!({ "actors": [{ "tile": [256, 0], "code": "21" }] }),
            "expected 0 to 255",
        ),
        (
            json!({ "objects": [{ "label": "82", "code": "21" }] }),
            "BadHeader: ",
        ),
        (
            json!({ "floor": vec![0; 17] }),
            "\"floor\": expected 16 at most, found 17",
        ),
        (json!({ "name": "a", "name_bytes": "61" }), "BadName: "),
        (json!({ "name": "a\u{0}" }), "BadName: "),
        (json!({ "encounters": "080409" }), "EncounterOverrun: "),
        (json!({ "motion": "" }), "BadMotionTable: "),
        (
            json!({ "motion": [{ "actors": [], "variants": [] }] }),
            "BadRow: ",
        ),
        (json!({ "cameras": "01" }), "BadCameraTable: "),
        (
            json!({ "locations": [{ "region": 0, "at": [0, 0], "flag": 0, "name": "00".repeat(25) }] }),
            "expected 24 at most, found 25",
        ),
        (
            json!({ "encounters": { "formations": [{ "monsters": [1, 2, 3, 4, 5] }] } }),
            "BadFormation: ",
        ),
    ] {
        let error = refused(Kind::Man, &document);
        assert!(error.contains(wanted), "{document}: {error}");
    }
}

/// A script stands there as digits, as lines of text, or in a file, which holds text or bytes.
#[test]
fn scripts_are_digits_lines_or_files() {
    let with = |key: &str, script: Value| {
        let mut document =
            json!({ "objects": [{}], "beats": [{}], "actors": [{ "tile": [1, 2] }] });
        for list in ["objects", "beats", "actors"] {
            document[list][0][key] = script.clone();
        }
        document.to_string()
    };
    let lines = json!(["again: nop.f ; ends", "", "  jmp again"]);
    let read = |name: &str| match name {
        "a.s" => Ok(b"\xEF\xBB\xBFagain: nop.f\n jmp again".to_vec()),
        "a" => Ok(b"\x21\x26\xFE\xFF".to_vec()),
        "bad.s" => Ok(b"nop.f\n  nop.g".to_vec()),
        _ => Err(format!("{name}: not there")),
    };
    let made = |document: &str| build_with(Kind::Man, document.as_bytes(), &read);
    let digits = made(&with("code", json!("21 26 FE FF"))).unwrap().bytes;
    for (key, script) in [
        ("text", lines),
        ("source", json!("a.s")),
        ("source", json!("a")),
    ] {
        assert_eq!(made(&with(key, script)).unwrap().bytes, digits, "{key}");
    }
    let dumped = dump_with(Kind::Man, &digits, Scripts::Text).unwrap();
    let dumped: Value = serde_json::from_str(&dumped.text).unwrap();
    let text = json!(["L0000:", "    nop.f", "    jmp L0000"]);
    assert_eq!(dumped["actors"][0]["text"], text);
    assert_eq!(dumped["actors"][0].get("code"), None);

    // Errors say which script, and where in it.
    let actor = |script: Value| {
        let mut row = script;
        row["tile"] = json!([1, 2]);
        json!({ "actors": [{ "tile": [1, 2], "code": "21" }, row] }).to_string()
    };
    for (script, wanted) in [
        (
            json!({ "text": ["nop.f", "  jmp away"] }),
            "actors[1].text: line 2, column 7: no label or constant is called away",
        ),
        (
            json!({ "source": "bad.s" }),
            "actors[1].source: bad.s: line 2, column 3: no instruction is called nop.g",
        ),
        (
            json!({ "source": "c.s" }),
            "actors[1].source: c.s: not there",
        ),
        (json!({}), "actors[1]: expected a script: \"code\""),
        (
            json!({ "code": "21", "text": ["nop.f"] }),
            "actors[1]: expected one of \"code\", \"text\" and \"source\"",
        ),
        (json!({ "text": [] }), "EmptyScript"),
        (
            json!({ "text": "nop.f" }),
            "actors[1].text: expected a list, found the text \"nop.f\"",
        ),
    ] {
        let error = made(&actor(script)).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
    let error = refused(
        Kind::Man,
        &json!({ "actors": [{ "tile": [1, 2], "source": "a.s" }] }),
    );
    assert!(
        error.contains("actors[0].source: expected no file here, found \"a.s\""),
        "{error}"
    );
}

#[test]
fn the_sheets_patch_is_a_document_and_back() {
    let document = same(Kind::Map, &vectors::patch());
    assert_eq!(document["kind"], "patch");
    assert_eq!(
        document["triggers"]["scripts"],
        json!([{ "tile": [29, 91], "record": 3, "gate": 1 }])
    );
    assert_eq!(document.get("cells"), None);
    assert_eq!(same(Kind::Map, &[0; 2048])["triggers"]["absent"], true);
    // An empty one is chained.
    let built = build(Kind::Map, br#"{ "kind": "patch" }"#).unwrap();
    assert_eq!(built.bytes[..4], [0x1A, 0, 0x12, 0]);
    assert_eq!(built.bytes.len(), 2048);
}

#[test]
fn a_map_is_a_document_and_back() {
    let mut map = vectors::map();
    // Undocumented bytes, the last object, the last tile.
    map[0xB8..0xBE].copy_from_slice(&[1, 2, 3, 4, 5, 6]);
    map[0xBF] = 9;
    map[0x3FFE] = 8;
    map[0x7FFF] = 0xF3;
    map[0x1_0000 - 1] = 0x80;
    let document = same(Kind::Map, &map);
    assert_eq!(document["objects"][0]["unknown"], json!([1, 2, 3, 4, 5, 6]));
    assert_eq!(document["objects"][1]["index"], 511);
    assert!(
        document["collision"][127]
            .as_str()
            .unwrap()
            .ends_with("00F3")
    );
    assert!(document["cells"][127].as_str().unwrap().ends_with("8000"));
    assert_eq!(same(Kind::Map, &[0; 0x12000])["triggers"]["absent"], true);
    // Bytes behind the tables are nobody's.
    map[0x1_1000] = 1;
    assert_eq!(dump(Kind::Map, &map).unwrap().differs, Some(0x1_1000));
}

#[test]
fn documents_that_are_no_map_are_refused() {
    let script = json!({ "tile": [1, 2], "record": 3, "gate": 1 });
    for (document, wanted) in [
        (json!({}), "missing field `kind`"),
        (json!({ "kind": "town" }), "unknown variant `town`"),
        (
            json!({ "kind": "patch", "cells": [""] }),
            "expected triggers alone in a patch",
        ),
        (
            json!({ "kind": "map", "cells": ["00"] }),
            "expected four digits a word",
        ),
        (
            json!({ "kind": "map", "cells": ["0000"] }),
            "row 0: expected 128 tiles, found 1",
        ),
        (
            json!({ "kind": "map", "collision": vec![""; 129] }),
            "expected 128 at most, found 129",
        ),
        (
            json!({ "kind": "map", "objects": [{ "index": 512 }] }),
            "expected 0 to 511, found 512",
        ),
        (
            json!({ "kind": "map", "objects": [{}, {}] }),
            "expected one object 0, found two",
        ),
        (
            json!({ "kind": "map", "objects": [{ "anchor": [128, 0] }] }),
            "expected -128 to 127",
        ),
        (
            json!({ "kind": "map", "triggers": { "absent": true }, "objects": [{ "mesh": 1 }] }),
            "ZeroHeaderOnField: ",
        ),
        (
            json!({ "kind": "patch", "triggers": { "absent": true, "scripts": [script] } }),
            "TriggerChain: ",
        ),
        (
            json!({ "kind": "patch", "triggers": { "scripts": vec![&script; 506] } }),
            "OutputTooSmall: ",
        ),
        (
            json!({ "kind": "map", "triggers": { "scripts": vec![&script; 2042] } }),
            "TriggersTooLong: ",
        ),
    ] {
        let error = refused(Kind::Map, &document);
        assert!(error.contains(wanted), "{error}");
    }
    // As many as there is room for.
    for (kind, number) in [("patch", 505), ("map", 2041)] {
        let document = json!({ "kind": kind, "triggers": { "scripts": vec![&script; number] } });
        let built = build(Kind::Map, document.to_string().as_bytes()).unwrap();
        assert_eq!(built.what, format!("{number} triggers"));
        same(Kind::Map, &built.bytes);
    }
}

#[test]
fn stager_tables_are_documents_and_back() {
    let document = json!({
        "records": [
            { "model": -1, "flags": "0x8000", "words": [1, 0, 0] },
            { "model": 7, "words": [2] },
        ],
        "size": 2048,
    });
    let built = build(Kind::Stager, document.to_string().as_bytes()).unwrap();
    assert_eq!(built.what, "2 records");
    assert_eq!(
        built.bytes[..22],
        [
            2, 0, 6, 0, 16, 0, 0xFF, 0xFF, 0, 0x80, 1, 0, 0, 0, 0, 0, 7, 0, 0, 0, 2, 0
        ]
    );
    let again = same(Kind::Stager, &built.bytes);
    assert_eq!(again["records"][0]["words"], json!([1, 0, 0]));
    assert_eq!(again["records"][1]["words"], json!([2]));
    same(Kind::Stager, &[0; 2048]);
    assert_eq!(build(Kind::Stager, b"{}").unwrap().bytes, [0, 0]);
    for (document, wanted) in [
        (json!({ "records": [{}] }), "missing field `model`"),
        (
            json!({ "size": 1 }),
            "\"size\": expected at least 2, found 1",
        ),
        (
            json!({ "size": 0xFFFF_FFFF_u32 }),
            "\"size\": expected 4194304 at most",
        ),
        (
            json!({ "records": vec![json!({ "model": 1 }); 20_000] }),
            "TooLarge: ",
        ),
    ] {
        let error = refused(Kind::Stager, &document);
        assert!(error.contains(wanted), "{error}");
    }
}

proptest! {
    #[test]
    fn any_scene_survives(
        flags in any::<u16>(),
        floor in prop::collection::vec(any::<i16>(), 16),
        objects in prop::collection::vec((prop::collection::vec(any::<[u8; 2]>(), 0..4), any::<u8>(), code()), 0..4),
        beats in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..5),
            prop::collection::vec(any::<u16>(), 0..5), code()), 0..4),
        name in prop::collection::vec(1_u8.., 0..12),
        cameras in prop::collection::vec(any::<[u8; 18]>(), 0..4),
        open in prop::collection::vec(any::<u8>(), 0..9),
        after in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let text = crate::script::hex;
        let document = json!({
            "flags": flags,
            "floor": floor,
            "objects": objects.iter().map(|(label, animation, code)| json!({
                "label": text(label.as_flattened()), "animation": animation, "code": text(code),
            })).collect::<Vec<_>>(),
            "beats": beats.iter().map(|(c0, c1, code)| json!({
                "c0": text(c0), "c1": c1, "c2": c1, "code": text(code),
            })).collect::<Vec<_>>(),
            "name_bytes": text(&name),
            "cameras": text(&[&[cameras.len() as u8][..], cameras.as_flattened()].concat()),
            "open": text(&open),
            "locations": text(&after),
        });
        let built = build(Kind::Man, document.to_string().as_bytes()).unwrap();
        same(Kind::Man, &built.bytes);
    }

    #[test]
    fn damaged_files_make_documents_or_faults(
        which in 0_usize..3,
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let table = build(Kind::Stager, br#"{"records":[{"model":1,"words":[3,4]},{"model":2}],"size":64}"#);
        let (kind, mut data) = [
            (Kind::Man, vectors::man()),
            (Kind::Map, vectors::patch()),
            (Kind::Stager, table.unwrap().bytes),
        ][which].clone();
        for (place, byte) in places {
            let at = place.index(data.len());
            data[at] = byte;
        }
        // Whatever a document says, its file says, too.
        if let Ok(dumped) = dump(kind, &data) {
            let built = build(kind, dumped.text.as_bytes()).unwrap();
            prop_assert_eq!(dumped.differs.is_none(), built.bytes == data);
            let again = dump(kind, &built.bytes).unwrap();
            prop_assert_eq!(again.text, dumped.text);
        }
    }
}

fn code() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..20)
}
