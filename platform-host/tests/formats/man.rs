//! `man info`.

use super::{place, vectors};
use serde_json::json;

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
