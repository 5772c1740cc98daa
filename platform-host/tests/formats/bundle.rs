//! `bundle`.

use super::common::{json, text};
use super::{place, vectors};
use serde_json::json;

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
fn pairs_that_unpack_to_nothing_known_are_no_bundle() {
    let place = place();
    // Behind a mesh's first two words stand what could be sizes and offsets of streams of type 00.
    for name in ["owl.tmd", "test.MAP", "one.PCH"] {
        let error = place.bad(&["bundle", "info", name], 1);
        assert!(error.contains(&format!("{name}: Bad")), "{error}");
        place.bad(&["bundle", "extract", name, "--member", "0", "-o", "x"], 1);
        assert!(!place.path("x").exists());
    }
}
