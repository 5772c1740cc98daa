//! `map probe`, and what `map info` says of the same map.

use crate::common::Place;
use crate::vectors;
use overworld_runtime::field::map::trigger::{Script, Source, Teleport};
use overworld_runtime::field::map::{MapMut, SIZE};
use serde_json::{Value, json};

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

/// A landing of odd half tiles: what it fires lies half a tile behind, and the probe says both.
#[test]
fn probe_tells_what_a_walker_fires() {
    let place = Place::new();
    let mut data = vec![0; SIZE];
    let source = Source {
        teleports: &[
            Teleport::from_bytes([10, 42, 61, 61]),
            Teleport::from_bytes([30, 30, 20, 20]),
        ],
        scripts: &[
            Script::from_bytes([30, 30, 7, 1]),
            Script::from_bytes([31, 31, 8, 0]),
        ],
        ..Source::default()
    };
    MapMut::create(&mut data, &source).unwrap();
    place.write("l.MAP", &data);
    let call = ["map", "probe", "l.MAP", "--x", "3968", "--z", "3968"];
    let found = place.document(&call);
    assert_eq!(
        (&found["tile"], &found["teleport"], &found["script"]),
        (
            &json!([31, 31]),
            &Value::Null,
            &json!({ "record": 8, "gate": 0 })
        )
    );
    let teleport = json!({ "destination": [20, 20], "landing": [1344, 1344] });
    assert_eq!(
        found["crossing"],
        json!({ "tile": [30, 30], "teleport": teleport, "script": { "record": 7, "gate": 1 } })
    );
    let table = place.fine(&call);
    let line = "who walks here comes to tile 30,30, and starts beat 7 and is taken to 1344,1344\n";
    assert!(table.contains(line), "{table}");
    // Half a tile further on it is the other tile, which only binds an object.
    let call = ["map", "probe", "l.MAP", "--x", "4032", "--z", "4032"];
    let found = place.document(&call);
    assert_eq!(
        found["crossing"],
        json!({ "tile": [31, 31], "teleport": null, "script": { "record": 8, "gate": 0 } })
    );
    assert!(!place.fine(&call).contains("who walks here"));
    let off = place.document(&["map", "probe", "l.MAP", "--x", "63", "--z", "64"]);
    assert_eq!(off["crossing"], Value::Null);
    // And `map info` says of the landing what is wrong with it, to people and machines.
    let info = place.document(&["map", "info", "l.MAP"]);
    let notes = info["notes"].as_array().unwrap();
    let fires = "a builder should not write this: teleport 0 lands on the tile of teleport 1";
    assert!(notes.contains(&json!(fires)), "{notes:?}");
    let table = place.fine(&["map", "info", "l.MAP"]);
    for note in notes {
        let note = format!("note: {}\n", note.as_str().unwrap());
        assert!(table.contains(&note), "{note}: {table}");
    }
    assert_eq!(table.matches("note: ").count(), notes.len());
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
