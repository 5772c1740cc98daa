//! `ff8`: what a document keeps of a model, and what making one of it tells.

use super::common::{Place, json, text};
use super::ff8::{place, refused};
use super::vectors;
use serde_json::json;

/// What the skeleton has beside parents and lengths is kept to the byte; without it a document gets what is usual.
#[test]
fn ff8_dump_keeps_what_nobody_reads() {
    let place = Place::new();
    let mut file = vectors::ff8_model();
    // The flag, bytes 4 to 15 of the header but the last two, and of the second bone all behind its length.
    file[0x14 + 1] = 1;
    (4..14_u8).for_each(|it| file[0x14 + usize::from(it)] = it);
    (4..48_u8).for_each(|it| file[0x54 + usize::from(it)] = 0x80 | it);
    place.write("odd.dat", &file);
    place.fine(&["ff8", "dump", "odd.dat", "-o", "odd.json"]);
    let dump = json(&std::fs::read_to_string(place.path("odd.json")).unwrap());
    assert_eq!(
        (&dump["flag"], &dump["header"]),
        (&json!(1), &json!("0405060708090A0B0C0D"))
    );
    assert_eq!(dump["bones"][0]["rest"], "");
    place.fine(&["ff8", "encode", "odd.json", "-o", "again.dat"]);
    assert_eq!(std::fs::read(place.path("again.dat")).unwrap(), file);
    // The sample has the usual ones.
    place.fine(&["ff8", "sample", "-o", "toad.dat"]);
    let toad = json(&place.fine(&["ff8", "dump", "toad.dat"]));
    for key in ["flag", "header"] {
        assert_eq!(toad.get(key), None, "{key}");
    }
    assert_eq!(toad["bones"][3].get("rest"), None);
    let refused = |key: &str, value: &str| {
        let text = format!(r#"{{"bones":[{{}}],"animations":[],"{key}":"{value}"}}"#);
        place.write("in.json", text.as_bytes());
        refused(&place, &["ff8", "encode", "in.json", "-o", "out.dat"])
    };
    let long = "00".repeat(13);
    assert_eq!(
        refused("header", &long),
        "overworld: in.json: header: expected at most 12 bytes, found 13\n"
    );
    let error = refused("header", "0");
    assert!(error.contains("header: expected an even number"), "{error}");
    let text = format!(
        r#"{{"bones":[{{"rest":"{}"}}],"animations":[]}}"#,
        "00".repeat(45)
    );
    place.write("in.json", text.as_bytes());
    let error = place.bad(&["ff8", "encode", "in.json", "-o", "out.dat"], 1);
    assert!(
        error.contains("bone 0: rest: expected at most 44 bytes, found 45"),
        "{error}"
    );
}

/// A model of the game has more sections than its document: that is told, and they are kept where it is put back.
#[test]
fn ff8_encode_puts_a_document_into_a_model() {
    let place = place();
    let whole = vectors::ff8_model();
    let dat = overworld_runtime::anim::ff8::Dat::parse(&whole).unwrap();
    let others: Vec<[u8; 8]> = (4..=11_u8).map(|it| [it; 8]).collect();
    let first = (1..=3).map(|it| dat.section(it).unwrap());
    let sections: Vec<&[u8]> = first.chain(others.iter().map(|it| &it[..])).collect();
    let mut monster = vec![0; 1000];
    let length = overworld_runtime::anim::ff8::emit(&sections, &mut monster).unwrap();
    monster.truncate(length);
    monster.extend(b"tail");
    place.write("monster.dat", &monster);
    let losses = [
        "sections 4 to 11 are not in the document; ff8 encode --into keeps them",
        "4 bytes behind the file's end are not in the document; ff8 encode --into keeps them",
    ];
    let output = place.overworld(["ff8", "dump", "monster.dat"]);
    let said = losses.map(|it| format!("overworld: monster.dat: note: {it}\n"));
    assert_eq!(text(&output.stderr), said.concat());
    place.write("monster.json", &output.stdout);
    let document = place.document(&["ff8", "dump", "monster.dat", "-o", "m.json"]);
    assert_eq!(document, json!({ "animations": 1, "notes": losses }));
    let told = place.fine(&["ff8", "dump", "monster.dat", "-o", "m.json"]);
    assert!(
        told.ends_with(&format!("note: {}\nnote: {}\n", losses[0], losses[1])),
        "{told}"
    );
    // Put back, it is the same file.
    let into = [
        "ff8",
        "encode",
        "monster.json",
        "--into",
        "monster.dat",
        "-o",
    ];
    place.document(&[&into[..], &["again.dat"]].concat());
    assert_eq!(std::fs::read(place.path("again.dat")).unwrap(), monster);
    // Another animation, and no geometry: the model's stays.
    let small = r#"{ "bones": [{}, { "parent": 0, "length": 7 }],
        "animations": [{ "frames": [{ "root": [1, -2, 3], "bones": [{ "rot": [0, 0, 0] }, { "rot": [0, 9, 0] }] }] }] }"#;
    place.write("small.json", small.as_bytes());
    place.document(&[
        "ff8",
        "encode",
        "small.json",
        "--into",
        "monster.dat",
        "-o",
        "small.dat",
    ]);
    let info = place.document(&["ff8", "info", "small.dat"]);
    assert_eq!(
        (&info["kind"], &info["objects"][0]["vertices"]),
        (&json!("monster"), &json!(3))
    );
    assert_eq!(info["skeleton"][1]["length"], 7);
    let made = std::fs::read(place.path("small.dat")).unwrap();
    assert!(made.ends_with(b"tail"));
    let made = overworld_runtime::anim::ff8::Dat::parse(&made).unwrap();
    for (at, section) in (4..).zip(&others) {
        assert_eq!(made.section(at), Some(&section[..]));
    }
    // What is no model, the model itself, and both at once.
    let two = [2_u32, 16, 16, 16].map(u32::to_le_bytes).concat();
    place.write("two.dat", &two);
    let error = refused(
        &place,
        &[
            "ff8",
            "encode",
            "small.json",
            "--into",
            "two.dat",
            "-o",
            "x.dat",
        ],
    );
    assert!(error.contains("two.dat: NoAnimation"), "{error}");
    let over = place.bad(&[&into[..], &["monster.dat"]].concat(), 2);
    assert!(over.contains("is the input"), "{over}");
    place.bad(&[&into[..], &["x.dat", "--section"]].concat(), 2);
    // A vertex of a bone that is no longer there.
    place.write("one.json", br#"{"bones":[{}],"animations":[]}"#);
    let error = refused(
        &place,
        &[
            "ff8",
            "encode",
            "one.json",
            "--into",
            "monster.dat",
            "-o",
            "x.dat",
        ],
    );
    assert!(
        error.contains("one.json: put into monster.dat: geometry: BadBoneRef"),
        "{error}"
    );
    // What is the document's alone is not said of the model.
    place.write("order.json", br#"{"bones":[{"parent":0}],"animations":[]}"#);
    let error = refused(
        &place,
        &[
            "ff8",
            "encode",
            "order.json",
            "--into",
            "monster.dat",
            "-o",
            "x.dat",
        ],
    );
    assert!(error.contains("order.json: "), "{error}");
    assert!(!error.contains("monster.dat"), "{error}");
    assert!(!place.path("x.dat").exists());
}

/// Above 128 frames an animation cannot be slowed: whoever makes one is told.
#[test]
fn ff8_encode_tells_what_check_would() {
    let place = Place::new();
    for (frames, slow) in [(128, true), (129, false)] {
        let frame = r#"{"root":[0,0,0],"bones":[{"rot":[0,0,0]}]}"#;
        let frames = vec![frame; frames].join(",");
        let document = format!(r#"{{"bones":[{{}}],"animations":[{{"frames":[{frames}]}}]}}"#);
        place.write("in.json", document.as_bytes());
        let note = "SlowLimit: animation 0 has 129 frames";
        for more in [&[][..], &["--section"]] {
            let call = [&["ff8", "encode", "in.json", "-o", "out.dat"], more].concat();
            let notes = place.document(&call)["notes"].clone();
            assert_eq!(
                notes.as_array().unwrap().len(),
                usize::from(!slow),
                "{notes}"
            );
            assert!(
                slow || notes[0].as_str().unwrap().starts_with(note),
                "{notes}"
            );
            let said = place.fine(&call);
            assert_eq!(said.contains(&format!("\nnote: {note}")), !slow, "{said}");
        }
        let output = place.overworld(["ff8", "encode", "in.json", "-o", "-"]);
        let said = text(&output.stderr);
        assert_eq!(
            said.starts_with(&format!("overworld: in.json: note: {note}")),
            !slow,
            "{said}"
        );
        // Nothing of it among the bytes.
        assert_eq!(
            overworld_runtime::anim::ff8::Dat::parse(&output.stdout)
                .unwrap()
                .after(),
            b""
        );
    }
}

/// A frame as `ff8 pose` prints it is one of a document.
#[test]
fn ff8_encode_reads_what_pose_prints() {
    let place = place();
    let pose = |file: &str, frame: &str| {
        place.document(&["ff8", "pose", file, "--animation", "0", "--frame", frame])
    };
    let (first, second) = (pose("a12.dat", "0"), pose("a12.dat", "1"));
    assert!(first["bones"][0]["matrix"].is_array() && first["bones"][0]["at"].is_array());
    let document = json!({
        "bones": [{ "length": 100 }, { "parent": 0, "length": 80 }],
        "animations": [{ "frames": [first, second] }],
    });
    place.write("posed.json", document.to_string().as_bytes());
    place.fine(&["ff8", "encode", "posed.json", "-o", "posed.dat"]);
    assert_eq!(
        [pose("posed.dat", "0"), pose("posed.dat", "1")],
        [first, second]
    );
    let slip = document.to_string().replace("\"matrix\"", "\"matrices\"");
    place.write("slip.json", slip.as_bytes());
    let error = refused(&place, &["ff8", "encode", "slip.json", "-o", "x.dat"]);
    assert!(error.contains("matrices"), "{error}");
}
