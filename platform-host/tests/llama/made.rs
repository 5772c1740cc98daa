//! Test levels.

use serde_json::json;

use crate::common::{self, Place};

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
    // The meadow is full: its grid gets rows for what is added.
    let made = place.document(&[
        "llama",
        "testlevel",
        "meadow.wad",
        "-o",
        "kept.wad",
        "--keep-original",
    ]);
    assert_eq!(
        (&made["added_rows"], &made["area"][1]),
        (&json!(18), &json!(40))
    );
    place.fine(&["llama", "check", "kept.wad"]);
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
