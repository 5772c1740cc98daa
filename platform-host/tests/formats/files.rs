//! What a file is, and what never happens to one.

use super::common::{Place, json, text};
use super::{place, vectors};
use serde_json::json;

#[test]
fn identify_names_kinds_with_evidence() {
    let place = place();
    let files = [
        "two.bank",
        "test.man",
        "two.bundle",
        "test.MAP",
        "owl.tim",
        "owl.tmd",
        "one.PCH",
        "noise",
    ];
    place.write("noise", b"noise");
    let kinds = [
        "bank", "man", "bundle", "map", "tim", "tmd", "map", "unknown",
    ];
    let document = place.document(&[&["identify"], &files[..]].concat());
    let rows = document["files"].as_array().unwrap();
    for ((row, file), kind) in rows.iter().zip(files).zip(kinds) {
        assert_eq!((&row["file"], &row["kind"]), (&json!(file), &json!(kind)));
        assert!(row["evidence"].as_str().unwrap().len() > 10);
    }
    assert_eq!(rows.len(), files.len());
    let table = place.fine(&["identify", "two.bank", "noise"]);
    assert!(table.starts_with("two.bank  bank     2 clips"), "{table}");
    assert!(
        table
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("noise     unknown  "),
        "{table}"
    );
    let output = place.piped(&["identify", "-", "--json"], &vectors::man());
    assert_eq!(json(&text(&output.stdout))["files"][0]["kind"], "man");
    // The others are told all the same.
    let output = place.overworld(["identify", "none", "two.bank", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("none: No such file"));
    assert_eq!(json(&text(&output.stdout))["files"][0]["kind"], "bank");
    assert!(place.bad(&["identify"], 2).contains("--help"));
}

#[test]
fn nothing_is_overwritten_in_place() {
    let place = place();
    for arguments in [
        &["lzs", "encode", "two.bank", "-o", "two.bank"][..],
        &[
            "lzs",
            "decode",
            "two.bank",
            "--size",
            "1",
            "-o",
            "./two.bank",
        ],
        &["tim", "png", "owl.tim", "-o", "owl.tim"],
        &["lzs", "encode", "two.bank", "-o", "-", "--json"],
    ] {
        place.bad(arguments, 2);
    }
    assert_eq!(
        std::fs::read(place.path("two.bank")).unwrap(),
        vectors::bank()
    );
    // A folder that does not exist.
    let error = place.bad(&["lzs", "encode", "two.bank", "-o", "no/x"], 1);
    assert!(error.contains("no/x: "), "{error}");
    let error = place.bad(&["lzs", "encode", ".", "-o", "x"], 1);
    assert!(error.contains(".: "), "{error}");
}

#[test]
fn gte_cases_are_checked() {
    let place = Place::new();
    let file = |name: &str| format!("{}/../tests/data/gte/{name}", env!("CARGO_MANIFEST_DIR"));
    let names = ["hw1150.bin", "vectors.bin", "regio.bin", "division.bin"].map(file);
    let mut call = vec!["gte", "check"];
    call.extend(names.iter().map(String::as_str));
    let document = place.document(&call);
    let expected: Vec<_> = names
        .iter()
        .zip([1150, 20000, 1500, 9309])
        .map(|(file, cases)| json!({ "file": file, "cases": cases, "differ": 0 }))
        .collect();
    assert_eq!(document, json!({ "files": expected }));
    // One wrong quotient.
    let mut data = std::fs::read(&names[3]).unwrap();
    data[24] ^= 1;
    place.write("wrong", &data);
    let output = place.overworld(["gte", "check", "wrong", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&text(&output.stdout))["files"][0]["differ"], 1);
    let error = text(&output.stderr);
    assert!(
        error.contains("wrong: record 0 at offset 0x10: "),
        "{error}"
    );
    assert!(error.contains("overworld: 1 case differs\n"), "{error}");
    place.write("none", b"RIFF....");
    let error = place.bad(&["gte", "check", "none"], 1);
    assert!(
        error.contains("none: BadMagic at offset 0x0: expected HWG1"),
        "{error}"
    );
}
