//! The calls that look into single files, with the sheets' worked examples.

mod common;
#[path = "common/vectors.rs"]
mod vectors;

use common::{Place, json, text};
use overworld_host::sample;
use overworld_runtime::bytes::crc32;
use serde_json::json;

/// A folder with the sheets' examples and the sample world's files.
fn place() -> Place {
    let place = Place::new();
    place.write("two.bank", &vectors::bank());
    place.write("test.man", &vectors::man());
    place.write("two.bundle", &vectors::bundle());
    place.write("one.PCH", &vectors::patch());
    place.write("test.MAP", &vectors::map());
    let world = sample::world().unwrap();
    for (name, data) in world.members() {
        place.write(name, data);
    }
    place
}

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
    ];
    let kinds = ["bank", "man", "bundle", "map", "tim", "tmd", "unknown"];
    let document = place.document(&[&["identify"], &files[..]].concat());
    let rows = document["files"].as_array().unwrap();
    for ((row, file), kind) in rows.iter().zip(files).zip(kinds) {
        assert_eq!((&row["file"], &row["kind"]), (&json!(file), &json!(kind)));
        assert!(row["evidence"].as_str().unwrap().len() > 10);
    }
    assert_eq!(rows.len(), files.len());
    let table = place.fine(&["identify", "two.bank", "one.PCH"]);
    assert!(table.starts_with("two.bank  bank     2 clips"), "{table}");
    assert!(
        table
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("one.PCH   unknown  "),
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
fn lzs_streams_of_the_sheet() {
    let place = place();
    // V4: self-overlap at distance 3; V9: what follows is not consumed; V8: cut copy.
    let v4 = [0x07, 0x41, 0x42, 0x43, 0xEE, 0xF6];
    place.write("v4", &v4);
    let document = place.document(&["lzs", "decode", "v4", "--size", "12", "-o", "v4.out"]);
    assert_eq!(document, json!({ "produced": 12, "consumed": 6 }));
    assert_eq!(
        std::fs::read(place.path("v4.out")).unwrap(),
        b"ABCABCABCABC"
    );
    let v9 = b"\xFFABCDEFGH\xDE\xAD";
    let output = place.piped(&["lzs", "decode", "-", "--size", "8"], v9);
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(0), &b"ABCDEFGH"[..])
    );
    let output = place.piped(&["lzs", "decode", "-", "--size", "8", "--json"], v9);
    assert_eq!(
        json(&text(&output.stdout)),
        json!({ "produced": 8, "consumed": 9 })
    );
    let v8 = [0x01, 0x41, 0xEE, 0xFF];
    place.write("v8", &v8);
    let output = place.overworld(["lzs", "decode", "v8", "--size", "5", "-o", "-"]);
    assert_eq!(output.stdout, b"AAAAA");
    let strict = place.bad(
        &["lzs", "decode", "v8", "--size", "5", "--strict", "-o", "x"],
        1,
    );
    assert!(strict.contains("v8: SizeSplitsToken"), "{strict}");
    assert!(!place.path("x").exists());

    // E1 to E5.
    for (want, source, name) in [
        ("16", &[][..], "TruncatedControl"),
        ("8", &[0x00, 0xEE], "TruncatedBackref"),
        ("4", &[0x01], "TruncatedLiteral"),
        ("10", b"\xFFABCDEFGH", "TruncatedControl"),
        ("9", b"\xFFABCDEFGH\x00A", "TruncatedBackref"),
        ("0xFFFFFFFF", b"\xFFABCDEFGH", "TruncatedControl"),
    ] {
        place.write("e", source);
        let error = place.bad(&["lzs", "decode", "e", "--size", want, "-o", "x"], 1);
        let wanted = format!("overworld: e: {name} at offset {:#x}: ", source.len());
        assert!(error.starts_with(&wanted), "expected {wanted}: {error}");
        assert!(!place.path("x").exists(), "an output is whole or absent");
    }
}

#[test]
fn lzs_parses_get_shorter_and_decode_alike() {
    let place = place();
    let data = std::fs::read(place.path("owl.tmd")).unwrap();
    let size = data.len().to_string();
    let mut lengths = Vec::new();
    for parse in ["greedy", "lazy", "optimal"] {
        let document = place.document(&["lzs", "encode", "owl.tmd", "-o", parse, "--parse", parse]);
        assert_eq!(document["input"], data.len());
        let stream = std::fs::read(place.path(parse)).unwrap();
        assert_eq!(document["output"], stream.len());
        lengths.push(stream.len());
        let back = place.document(&["lzs", "decode", parse, "--size", &size, "-o", "back"]);
        assert_eq!(back["consumed"], stream.len());
        assert_eq!(std::fs::read(place.path("back")).unwrap(), data);
    }
    assert!(
        lengths[2] <= lengths[1] && lengths[2] <= lengths[0],
        "{lengths:?}"
    );
    // Optimal is the default; without -o nothing is written when the document is wanted.
    assert_eq!(
        place.document(&["lzs", "encode", "owl.tmd"])["output"],
        lengths[2]
    );
    let piped = place.piped(&["lzs", "encode", "-"], &data);
    assert_eq!(piped.stdout, std::fs::read(place.path("optimal")).unwrap());
    let empty = place.piped(&["lzs", "encode", "-", "--json"], b"");
    assert_eq!(
        json(&text(&empty.stdout)),
        json!({ "input": 0, "output": 0 })
    );
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

/// The sheet's bundle with other words where the count stands, as a file of sections has them.
fn uncounted(words: [u32; 2]) -> Vec<u8> {
    let mut out = vectors::bundle();
    out[..4].copy_from_slice(&words[0].to_le_bytes());
    out[4..8].copy_from_slice(&words[1].to_le_bytes());
    out
}

#[test]
fn sections_need_no_count() {
    let place = place();
    // Nothing, too few, too many, and what no count can be.
    for words in [[0, 0], [1, 0], [3, 7], [0x8000_0000, u32::MAX]] {
        place.write("sections", &uncounted(words));
        let document = place.document(&["identify", "sections"]);
        let found = &document["files"][0];
        assert_eq!(found["kind"], "bundle", "{found}");
        assert!(
            found["evidence"]
                .as_str()
                .unwrap()
                .starts_with("2 pairs of size and offset behind two words that do not count them"),
            "{found}"
        );
        let document = place.document(&["bundle", "info", "sections"]);
        assert_eq!(
            (&document["count"], &document["counted"]),
            (&json!(2), &json!(false))
        );
        let rows = document["members"].as_array().unwrap();
        let kinds: Vec<_> = rows.iter().map(|it| &it["kind"]).collect();
        assert_eq!(kinds, ["man", "bank"]);
        assert_eq!(
            (&rows[0]["offset"], &rows[1]["offset"]),
            (&json!(0x18), &json!(0xD4))
        );
        for (member, expected) in [("0", vectors::man()), ("1", vectors::bank())] {
            let call = [
                "bundle", "extract", "sections", "--member", member, "-o", "out",
            ];
            place.fine(&call);
            assert_eq!(std::fs::read(place.path("out")).unwrap(), expected);
        }
    }
    // Each end of the table that the sheet names: size 0, offset 0, past the end, not ascending.
    // Behind it lies what would be a third pair.
    for end in [
        [0, 0x130],
        [0x0500_0054, 0],
        [0x0500_0054, 0x4000_0000],
        [0x0500_0054, 0x20],
    ] {
        let old = uncounted([9, 9]);
        let mut data = old[..24].to_vec();
        data[12] += 16;
        data[20] += 16;
        for word in [end[0], end[1], 0x0500_0054, 0xE4] {
            data.extend(u32::to_le_bytes(word));
        }
        data.extend(&old[24..]);
        place.write("ended", &data);
        let document = place.document(&["bundle", "info", "ended"]);
        assert_eq!(document["count"], 2, "{end:x?}");
    }
    // A counted table is taken as such, and its faults are those of the counted form.
    let document = place.document(&["bundle", "info", "two.bundle"]);
    assert_eq!(document["counted"], true);
    for harm in [
        (|it: &mut Vec<u8>| it.truncate(250)) as fn(&mut Vec<u8>),
        |it| it[19] = 0x13,
        |it| it[11] = 0x15,
        |it| it[10] = 0x7F,
    ] {
        let mut data = uncounted([7, 0]);
        harm(&mut data);
        place.write("harmed", &data);
        let error = place.bad(&["bundle", "info", "harmed"], 1);
        assert!(error.contains("harmed: BadDescriptor"), "{error}");
        let document = place.document(&["identify", "harmed"]);
        assert_eq!(document["files"][0]["kind"], "unknown");
    }
}

#[test]
fn bundle_members_are_listed_and_unpacked() {
    let place = place();
    let document = place.document(&["bundle", "info", "two.bundle"]);
    assert_eq!(
        (&document["count"], &document["meta"]),
        (&json!(2), &json!(0))
    );
    let members = document["members"].as_array().unwrap();
    let row = |index: usize| {
        let it = &members[index];
        (
            it["type"].as_u64().unwrap(),
            it["size"].as_u64().unwrap(),
            it["offset"].as_u64().unwrap(),
            it["stored"].as_u64().unwrap(),
            it["kind"].as_str().unwrap(),
            it["crc"].as_str().unwrap(),
        )
    };
    assert_eq!(row(0), (3, 167, 0x18, 188, "man", "D415F2C7"));
    assert_eq!(row(1), (5, 84, 0xD4, 95, "bank", "68C9A8A7"));
    for (member, expected) in [("0", vectors::man()), ("1", vectors::bank())] {
        let call = [
            "bundle",
            "extract",
            "two.bundle",
            "--member",
            member,
            "-o",
            "out",
        ];
        place.fine(&call);
        assert_eq!(std::fs::read(place.path("out")).unwrap(), expected);
    }
    let error = place.bad(
        &[
            "bundle",
            "extract",
            "two.bundle",
            "--member",
            "2",
            "-o",
            "x",
        ],
        1,
    );
    assert!(
        error.contains("NoSuchMember: expected 0 to 1, found 2"),
        "{error}"
    );
    let mut bad = vectors::bundle();
    bad[8] += 1;
    bad[16] += 1;
    place.write("bad", &bad);
    let output = place.overworld(["bundle", "info", "bad", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let document = json(&text(&output.stdout));
    // The MAN's stream has its padding to eat; the bank's ends with the file, in a group of four
    // literals whose other flags are 0.
    let error = document["members"][1]["error"].as_str().unwrap();
    assert!(
        error.starts_with("TruncatedBackref at offset 0x133: "),
        "{error}"
    );
    assert!(text(&output.stderr).contains("bad: member 1 (MOVE): TruncatedBackref"));
    place.write("short", &vectors::bundle()[..20]);
    let error = place.bad(&["bundle", "info", "short"], 1);
    assert!(
        error.contains("short: BadDescriptorCount at offset 0x0: "),
        "{error}"
    );
}

#[test]
fn maps_and_patches_are_listed() {
    let place = place();
    let document = place.document(&["map", "info", "test.MAP"]);
    let regions = document["regions"].as_array().unwrap();
    let region = |index: usize| {
        let it = &regions[index];
        (
            it["name"].as_str().unwrap(),
            it["offset"].as_u64().unwrap(),
            it["length"].as_u64().unwrap(),
        )
    };
    assert_eq!(region(1), ("collision", 0x4000, 0x4000));
    assert_eq!(region(3), ("triggers", 0x10000, 0x2000));
    assert_eq!(document["objects"].as_array().unwrap().len(), 1);
    let object = &document["objects"][0];
    assert_eq!(object["index"], 5);
    assert_eq!(object["offset"], json!([-64, 0, 56]));
    assert_eq!(
        (&object["mesh"], &object["flags"]),
        (&json!(9), &json!(0x16))
    );
    assert_eq!(object["cells"], json!([[38, 25]]));
    // The sheet's live record stands at (4864, 3208).
    assert_eq!(document["placed"][0]["position"], json!([4864, 3208]));
    let triggers = &document["triggers"];
    assert_eq!(triggers["teleports"][0]["destination"], json!([20, 22]));
    assert_eq!(
        triggers["scripts"],
        json!([{ "tile": [29, 91], "record": 3, "gate": 1 }])
    );
    assert_eq!(triggers["regions"][0]["corners"], json!([1, 9, 4, 2]));
    assert_eq!(
        document["elevations"],
        json!([{ "tile": [7, 8], "coarse": -2, "quads": 0x39 }])
    );
    assert_eq!(
        (&document["wall_tiles"], &document["wall_cells"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(document["tiers"][2], 1);

    let patch = place.document(&["map", "info", "one.PCH"]);
    assert_eq!(patch["triggers"]["scripts"], triggers["scripts"]);
    assert_eq!(patch["retail_shaped"], true);
    let both = [vectors::map(), vectors::patch(), vec![0; 0x1800]].concat();
    place.write("read", &both);
    let document = place.document(&["map", "info", "read"]);
    assert_eq!(document["fallback"]["scripts"], triggers["scripts"]);
    assert_eq!(document["fallback"]["elevations"], json!([]));

    for (change, wanted) in [
        (
            (|it| it.truncate(100)) as fn(&mut Vec<u8>),
            "Size at offset 0x64: ",
        ),
        (|it| it[0x10000] = 0, "TriggerChain at offset 0x10000: "),
        (
            |it| it[0x10000..0x10012].fill(0),
            "ZeroHeaderOnField at offset 0xa0: ",
        ),
    ] {
        let mut map = vectors::map();
        change(&mut map);
        place.write("bad", &map);
        let error = place.bad(&["map", "info", "bad"], 1);
        assert!(
            error.contains(&format!("bad: {wanted}")),
            "{wanted}: {error}"
        );
    }
    let mut patch = vectors::patch();
    patch[6] = 0;
    place.write("bad", &patch);
    let error = place.bad(&["map", "info", "bad"], 1);
    assert!(
        error.contains("bad: BadTriggerBlock at offset 0x6: "),
        "{error}"
    );
}

#[test]
fn the_sheets_man_is_listed() {
    let place = place();
    let document = place.document(&["man", "info", "test.man"]);
    assert_eq!(document["counts"], json!([1, 2, 1]));
    assert_eq!(document["data"], 0x37);
    assert_eq!(document["name"], "Testville");
    assert_eq!(document["heights"][15], -480);
    let records = document["records"].as_array().unwrap();
    let row = |flat: usize| {
        let it = &records[flat];
        ["start", "pc0", "opcode"].map(|key| it[key].as_u64().unwrap())
    };
    assert_eq!(row(0), [0x37, 4, 0x21]);
    assert_eq!(row(1), [0x3C, 5, 0x21]);
    assert_eq!(row(2), [0x42, 7, 0x25]);
    assert_eq!(row(3), [0x4B, 12, 0x21]);
    assert_eq!(records[2]["position"], json!([3840, 2880]));
    assert_eq!(
        (&records[2]["model"], &records[2]["animation"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(
        (&records[3]["c1"], &records[3]["c2"]),
        (&json!([0x225]), &json!([0x226]))
    );
    let starts: Vec<_> = document["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["start"].as_u64().unwrap(),
                it["length"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        starts,
        [
            (0x58, 48),
            (0x8B, 1),
            (0x8F, 10),
            (0x9C, 1),
            (0xA0, 1),
            (0xA4, 0)
        ]
    );
    let encounters = &document["encounters"];
    assert_eq!(encounters["strides"], json!([8, 4, 9]));
    assert_eq!(encounters["formations"][1]["monsters"], json!([6, 7]));
    assert_eq!(
        encounters["conditions"][0],
        json!({ "flag": 0x142, "regions": 1 })
    );
    assert_eq!(encounters["regions"][1]["rate"], 6);
    let table = place.fine(&["man", "info", "test.man"]);
    assert!(
        table.contains("beat, clear [0x225], set [0x226]"),
        "{table}"
    );

    for (change, wanted) in [
        (
            (|it| it.truncate(0x2A)) as fn(&mut Vec<u8>),
            "Truncated at offset 0x2a: ",
        ),
        (|it| it[0x23] = 0x80, "NegativeCount at offset 0x22: "),
        (
            |it| it[0x23] = 0x7F,
            "RecordTableOutOfRange at offset 0x22: ",
        ),
        (|it| it[0x35] = 1, "RecordOutOfRange at offset 0x34: "),
        (|it| it[0x37] = 9, "RecordHeaderOverrun at offset 0x37: "),
        (|it| it[0xA4] = 1, "SectionOutOfRange at offset 0xa4: "),
        (|it| it[0x9B] = 1, "BadName at offset 0x8f: "),
        (|it| it[0x9F] = 1, "BadCameraTable at offset 0x9c: "),
    ] {
        let mut man = vectors::man();
        change(&mut man);
        place.write("bad", &man);
        let error = place.bad(&["man", "info", "bad"], 1);
        assert!(
            error.contains(&format!("bad: {wanted}")),
            "{wanted}: {error}"
        );
    }
}

#[test]
fn a_bad_record_does_not_hide_a_lenient_man() {
    let place = place();
    let call = ["man", "info", "bad", "--lenient"];
    let good = place.document(&["man", "info", "test.man"]);
    assert_eq!(good["faults"], json!([]));
    assert_eq!(
        place.document(&["man", "info", "test.man", "--lenient"]),
        good
    );
    // The header of the first actor's record, and where the last record starts.
    let mut man = vectors::man();
    man[0x3C] = 9;
    man[0x35] = 1;
    place.write("bad", &man);
    place.bad(&call[..3], 1);
    let document = place.document(&call);
    let fault = |index: usize| document["faults"][index].as_str().unwrap().to_owned();
    assert_eq!(document["faults"].as_array().unwrap().len(), 2);
    assert!(fault(0).starts_with("RecordHeaderOverrun at offset 0x3c: "));
    assert!(fault(1).starts_with("RecordOutOfRange at offset 0x34: "));
    for (flat, partition, index, number) in [(1, 1, 0, 0), (3, 2, 0, 1)] {
        let row = json!({
            "flat": flat, "partition": partition, "index": index, "error": fault(number),
        });
        assert_eq!(document["records"][flat], row);
    }
    assert_eq!(document["records"][0], good["records"][0]);
    for key in [
        "name",
        "encounters",
        "motion",
        "cameras",
        "sections",
        "heights",
    ] {
        assert_eq!(document[key], good[key], "{key}");
    }
    let table = place.fine(&call);
    assert!(
        table.contains(
            "\n   1          1        -    -       -  RecordHeaderOverrun at offset 0x3c: "
        ),
        "{table}"
    );
    assert!(table.contains("\nin lenient mode only: RecordOutOfRange at offset 0x34: "));
    // Sections: each bad one is null, the others are there.
    for (at, value, key, name) in [
        (0x9B, 1, "name", "BadName at offset 0x8f: "),
        (0x9F, 1, "cameras", "BadCameraTable at offset 0x9c: "),
        (0x5E, 9, "encounters", "EncounterOverrun at offset 0x58: "),
        (0x8E, 1, "motion", "BadMotionTable at offset 0x8e: "),
    ] {
        let mut man = vectors::man();
        man[at] = value;
        place.write("bad", &man);
        let error = place.bad(&call[..3], 1);
        assert!(
            error.starts_with(&format!("overworld: bad: {name}")),
            "{error}"
        );
        let document = place.document(&call);
        for other in ["name", "encounters", "motion", "cameras"] {
            let expected = if other == key {
                &json!(null)
            } else {
                &good[other]
            };
            assert_eq!(&document[other], expected, "{name}");
        }
        assert!(document["faults"][0].as_str().unwrap().starts_with(name));
    }
    // What comes behind a last section that is not empty.
    let mut man = vectors::man();
    man[0xA4] = 1;
    man.push(0x55);
    place.write("bad", &man);
    let error = place.bad(&call[..3], 1);
    assert!(
        error.contains("bad: MissingTerminator at offset 0xa4: "),
        "{error}"
    );
    let faults = place.document(&call)["faults"].clone();
    assert!(
        faults[0]
            .as_str()
            .unwrap()
            .starts_with("MissingTerminator at offset 0xa4: ")
    );
    // Header and chain must be good in any case.
    for (at, value, name) in [
        (0x23, 0x80, "NegativeCount"),
        (0xA0, 9, "SectionOutOfRange"),
    ] {
        let mut man = vectors::man();
        man[at] = value;
        place.write("bad", &man);
        let error = place.bad(&call, 1);
        assert!(
            error.contains(&format!("bad: {name} at offset ")),
            "{error}"
        );
    }
}

#[test]
fn meshes_and_textures_are_described() {
    let place = place();
    let mesh = place.document(&["tmd", "info", "owl.tmd"]);
    let objects = mesh["objects"].as_array().unwrap();
    assert_eq!(objects.len(), 3);
    for object in objects {
        let sum: u64 = object["groups"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["count"].as_u64().unwrap())
            .sum();
        assert_eq!(object["primitives"], sum);
    }
    let group = &objects[0]["groups"][0];
    assert_eq!(group["kind"], group["flags"].as_u64().unwrap() >> 1);
    place.write("bad", &[2, 0, 0, 0x80, 1, 0, 0, 0, 1, 0, 0, 0]);
    let error = place.bad(&["tmd", "info", "bad"], 1);
    assert!(
        error.contains("bad: AlreadyRelocated at offset 0x4: "),
        "{error}"
    );

    let texture = place.document(&["tim", "info", "owl.tim"]);
    assert_eq!(
        (&texture["bits"], &texture["palettes"]),
        (&json!(4), &json!(1))
    );
    let (width, height) = (
        texture["width"].as_u64().unwrap(),
        texture["height"].as_u64().unwrap(),
    );
    place.fine(&["tim", "png", "owl.tim", "-o", "owl.png"]);
    let file = std::fs::File::open(place.path("owl.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(
        (u64::from(info.width), u64::from(info.height)),
        (width, height)
    );
    assert_eq!(info.color_type, png::ColorType::Rgba);
    // The first texel, looked up by hand.
    let tim = std::fs::read(place.path("owl.tim")).unwrap();
    let index = usize::from(tim[20 + 32 + 12] & 15);
    let cell = u16::from_le_bytes([tim[20 + 2 * index], tim[21 + 2 * index]]);
    let eight = |shift: u16| {
        let five = (cell >> shift & 31) as u8;
        five << 3 | five >> 2
    };
    assert_eq!(pixels[..3], [eight(0), eight(5), eight(10)]);
    let error = place.bad(
        &["tim", "png", "owl.tim", "--palette", "1", "-o", "x.png"],
        1,
    );
    assert!(
        error.contains("NoSuchPalette: expected 0 to 0, found 1"),
        "{error}"
    );
    place.write("bad", &[0x10, 0, 0, 0, 9, 0, 0, 0, 11, 0, 0, 0]);
    let error = place.bad(&["tim", "info", "bad"], 1);
    assert!(
        error.contains("bad: BadTimBlock at offset 0x8: "),
        "{error}"
    );

    // A pack of two, standalone and bare.
    let words = tim.len().div_ceil(4);
    let mut pack = Vec::new();
    for word in [2, 3, 3 + words as u32] {
        pack.extend(word.to_le_bytes());
    }
    pack.extend(&tim);
    pack.extend(&tim);
    place.write("pack", &pack);
    let header = (1 << 24 | pack.len() as u32).to_le_bytes();
    place.write("standalone", &[&header[..], &pack].concat());
    for name in ["pack", "standalone"] {
        let document = place.document(&["tim", "info", name]);
        assert_eq!(document["members"], json!([texture, texture]), "{name}");
        place.fine(&["tim", "png", name, "--member", "1", "-o", "two.png"]);
        let one = std::fs::read(place.path("owl.png")).unwrap();
        assert_eq!(std::fs::read(place.path("two.png")).unwrap(), one);
        let kind = place.document(&["identify", name])["files"][0]["kind"].clone();
        assert_eq!(kind, "timpack");
    }
    assert_eq!(crc32(&vectors::bundle()), 0x3CC1_E13E);
}
