//! `anm`.

use super::common::{json, text};
use super::{place, vectors};
use serde_json::json;

#[test]
fn anm_shows_the_sheets_bank() {
    let place = place();
    assert_eq!(
        place.document(&["anm", "info", "two.bank"]),
        json!({ "clips": [
            { "number": 1, "parts": 1, "frames": 1, "rate": 1, "blend": false, "bytes": 24 },
            { "number": 2, "parts": 2, "frames": 2, "rate": 4, "blend": true, "bytes": 48 },
        ] })
    );
    // The sheet's table of clip 2, part 1.
    let wrapped = [
        (0, [0, -32, 0], [0x100, 0, 0]),
        (4, [0, -28, 2], [0x120, 0, 0xFFC]),
        (8, [0, -24, 4], [0x140, 0, 0xFF8]),
        (15, [0, -17, 7], [0x178, 0, 0xFF1]),
        (16, [0, -16, 8], [0x180, 0, 0xFF0]),
        (20, [0, -20, 6], [0x160, 0, 0xFF4]),
        (24, [0, -24, 4], [0x140, 0, 0xFF8]),
        (31, [0, -31, 0], [0x108, 0, 0xFFF]),
    ];
    for (cursor, t, r) in wrapped {
        let cursor_text = cursor.to_string();
        let base = [
            "anm", "pose", "two.bank", "--clip", "2", "--part", "1", "--cursor",
        ];
        let call = [&base[..], &[cursor_text.as_str()]].concat();
        assert_eq!(place.document(&call), json!({ "t": t, "r": r }), "{cursor}");
        let held = if cursor > 16 {
            json!({ "t": [0, -16, 8], "r": [0x180, 0, 0xFF0] })
        } else {
            json!({ "t": t, "r": r })
        };
        let call = [&call[..], &["--hold"]].concat();
        assert_eq!(place.document(&call), held, "{cursor} held");
    }
    let output = place.piped(&["anm", "info", "-", "--json"], &vectors::bank());
    assert_eq!(json(&text(&output.stdout))["clips"][1]["bytes"], 48);
}

#[test]
fn anm_plays_the_sheets_clock() {
    let place = place();
    // A clip of three frames without blending, and one of rate 4 with it.
    let clip = |blend: u8, rate: u8| {
        let mut bytes = vec![1, 0, 0, 0, 8, 0, 0, 0, 1, blend, 3, 0, 0x0C, 0x08, rate, 0];
        bytes.resize(8 + 8 + 3 * 8 + 8, 0);
        bytes
    };
    place.write("plain", &clip(0, 1));
    place.write("rate4", &clip(1, 4));
    let play = |bank: &str, start: &str, mode: &str, speed: &str, dt: &str, ticks: usize| {
        let ticks_text = ticks.to_string();
        let document = place.document(&[
            "anm",
            "play",
            bank,
            "--clip",
            "1",
            "--cursor",
            start,
            "--mode",
            mode,
            "--speed",
            speed,
            "--dt",
            dt,
            "--ticks",
            &ticks_text,
        ]);
        let rows = document["ticks"].as_array().unwrap().clone();
        assert_eq!(rows.len(), ticks);
        let cursors: Vec<i64> = rows
            .iter()
            .map(|it| it["cursor"].as_i64().unwrap())
            .collect();
        let ends: Vec<bool> = rows
            .iter()
            .map(|it| it["mode"].as_i64().unwrap() & 0x100 != 0)
            .collect();
        let last = rows.last().unwrap()["mode"].as_i64().unwrap();
        (cursors, ends.iter().position(|&it| it), last)
    };
    assert_eq!(
        play("plain", "0", "0x0015", "8", "1", 8),
        (vec![8, 16, 24, 32, 40, 0, 8, 16], Some(5), 0x15)
    );
    assert_eq!(
        play("plain", "0", "0x1D", "16", "1", 5),
        (vec![16, 32, 47, 47, 47], Some(2), 0x11D)
    );
    assert_eq!(
        play("plain", "47", "157", "16", "1", 5),
        (vec![31, 15, 0, 0, 0], Some(2), 0x19D)
    );
    assert_eq!(
        play("plain", "0", "0x95", "8", "1", 8),
        (vec![40, 32, 24, 16, 8, 0, 40, 32], Some(0), 0x95)
    );
    assert_eq!(
        play("plain", "20", "0x17", "8", "1", 2),
        (vec![20, 20], None, 0x17)
    );
    assert_eq!(
        play("plain", "5", "0x295", "8", "1", 5),
        (vec![24, 16, 8, 0, 40], Some(4), 0x195)
    );
    assert_eq!(
        play("plain", "0", "0x15", "8", "2", 5),
        (vec![16, 32, 0, 16, 32], Some(2), 0x15)
    );
    let (cursors, end, _) = play("rate4", "0", "0x15", "8", "1", 13);
    assert_eq!(
        (cursors[10], cursors[11], cursors[12], end),
        (44, 0, 4, Some(11))
    );
    assert_eq!(play("rate4", "0", "0x15", "7", "1", 3).0, [4, 8, 12]);
    assert_eq!(play("plain", "0", "0x15", "-8", "1", 1).0, [40]);
}

#[test]
fn bad_banks_have_the_sheets_names_and_offsets() {
    let place = place();
    let good = vectors::bank();
    let mut cases: Vec<(Vec<u8>, &str)> = Vec::new();
    let mut add = |change: &dyn Fn(&mut Vec<u8>), wanted: &'static str| {
        let mut bank = good.clone();
        change(&mut bank);
        cases.push((bank, wanted));
    };
    add(&|it| it.truncate(3), "Truncated at offset 0x3: ");
    add(
        &|it| it[0] = 0,
        "BadCount at offset 0x0: expected 1 to 256 clips, found 0",
    );
    add(&|it| it[8] = 12, "BadClipOffset at offset 0x8: clip 2");
    add(
        &|it| it[40] = 0xEE,
        "BadMarker at offset 0x28: clip 2: expected marker 080C, found 08EE",
    );
    add(&|it| it[14] = 0, "EmptyClip at offset 0xc: clip 1");
    add(&|it| it[39] = 8, "ClipTooLong at offset 0x26: clip 2");
    add(&|it| it[36] = 3, "ClipTruncated at offset 0x24: clip 2");
    add(&|it| it.push(0), "ClipOversized at offset 0x24: clip 2");
    add(&|it| it[42] = 0, "BadRate at offset 0x2a: clip 2");
    add(&|it| it[83] = 1, "BadTrailer at offset 0x4c: clip 2");
    for (bank, wanted) in &cases {
        place.write("bad", bank);
        let error = place.bad(&["anm", "info", "bad"], 1);
        assert!(
            error.starts_with(&format!("overworld: bad: {wanted}")),
            "{wanted}: {error}"
        );
    }
    place.write("long", &[&good[..], &[1, 2]].concat());
    place.fine(&["anm", "info", "long", "--lenient"]);
    let base = ["anm", "pose", "two.bank"];
    for (rest, wanted) in [
        (
            ["--clip", "0", "--part", "0", "--cursor", "0"],
            "NoSuchClip: ",
        ),
        (
            ["--clip", "3", "--part", "0", "--cursor", "0"],
            "NoSuchClip: ",
        ),
        (
            ["--clip", "-1", "--part", "0", "--cursor", "0"],
            "NoSuchClip: ",
        ),
        (
            ["--clip", "2", "--part", "2", "--cursor", "0"],
            "NoSuchPart: expected a part from 0 to 1",
        ),
        (
            ["--clip", "2", "--part", "0", "--cursor", "32"],
            "BadCursor: ",
        ),
        (
            ["--clip", "2", "--part", "0", "--cursor", "-1"],
            "BadCursor: ",
        ),
    ] {
        let error = place.bad(&[&base[..], &rest].concat(), 1);
        assert!(error.contains(wanted), "{wanted}: {error}");
    }
    for rest in [
        ["--clip", "x", "--part", "0"],
        ["--clip", "1", "--part", "300"],
    ] {
        place.bad(&[&base[..], &rest, &["--cursor", "0"]].concat(), 2);
    }
}
