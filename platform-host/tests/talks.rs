//! `vm run` with a conversation: what is held on the pad, and what is seen.

mod common;

use common::Place;
use serde_json::{Value, json};

const ASKS: &str = "
        seat 8, 8, 0, 2
talk:   .text \"Tea?\"
        .pick yes, no
        .text \"Yes\"
        .text \"No\"
yes:    sset 0x225
        .text \"Here.\"
        nop.f
no:     sset 0x226
        nop.f
";

/// Played on a pad: what was seen, and the flags at the end.
fn talked(place: &Place, pads: &str) -> (Vec<Value>, Value) {
    let scenario = format!(r#"{{"source":"asks.s","pc":"talk","frames":60,"pads":{pads}}}"#);
    place.write("talk.json", scenario.as_bytes());
    let document = place.document(&["vm", "run", "talk.json"]);
    let talk = document["talk"].as_array().unwrap().clone();
    (talk, document["final"]["flags"]["system"].clone())
}

#[test]
fn a_question_is_answered_by_the_pad() {
    let place = Place::new();
    place.write("asks.s", ASKS.as_bytes());
    // The four letters come by themselves, then the button, and again for the answer under the hand.
    let (seen, flags) = talked(
        &place,
        r#"[["none", 8], ["confirm", 1], ["none", 2], ["confirm", 1], [0, 9], ["0x20", 1]]"#,
    );
    let rows = json!(["Tea?"]);
    assert_eq!(
        seen,
        [
            json!({"frame": 0, "phase": "shows", "rows": rows, "full": false}),
            json!({"frame": 4, "phase": "shows", "rows": rows, "full": true}),
            json!({"frame": 8, "phase": "picks", "rows": rows, "full": true, "answers": ["Yes", "No"], "cursor": 0}),
            json!({"frame": 11, "phase": "runs"}),
            json!({"frame": 12, "phase": "shows", "rows": ["Here."], "full": false}),
            json!({"frame": 17, "phase": "shows", "rows": ["Here."], "full": true}),
            json!({"frame": 21, "phase": "runs"}),
            json!({"frame": 22, "phase": "over"}),
        ]
    );
    assert_eq!(flags, json!([0x225]));
    // Held, the button brings all letters at once; down chooses the other answer.
    let (seen, flags) = talked(
        &place,
        r#"[["confirm", 3], ["none", 1], ["confirm", 1], ["down", 1], ["confirm", 1]]"#,
    );
    assert_eq!(seen[1]["frame"], 1);
    let picks: Vec<_> = seen.iter().filter(|it| it["phase"] == "picks").collect();
    assert_eq!(
        (&picks[0]["cursor"], &picks[1]["cursor"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(seen.last().unwrap()["phase"], "over");
    assert_eq!(flags, json!([0x226]));
    // Steps have the frame in which they were made.
    let document = place.document(&["vm", "run", "talk.json"]);
    let last = document["steps"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["op"], &last["frame"]), (&json!("nop.f"), &json!(7)));
    let table = place.fine(&["vm", "run", "talk.json"]);
    assert!(table.contains("    5  picks  Tea?   Yes > No\n"), "{table}");
    // Nobody is at the pad: it waits.
    let (seen, flags) = talked(&place, "[]");
    assert_eq!(seen.last().unwrap()["full"], true);
    assert_eq!(flags, json!([]));
}

/// Contact does not run a record's last instruction; text that nobody asked for is read as well, behind a walk.
/// Frames in which nothing is said anew cost nothing, however long the text is: this would take many minutes.
#[test]
fn a_long_text_does_not_cost_its_length_every_frame() {
    let place = Place::new();
    let text = format!(".text \"{}\"\nnop.f\n", "a".repeat(60_000));
    place.write("long.s", text.as_bytes());
    place.write("long.json", br#"{"source":"long.s","frames":1000000}"#);
    let document = place.document(&["vm", "run", "long.json"]);
    let talk = document["talk"].as_array().unwrap();
    let frames: Vec<_> = talk
        .iter()
        .map(|it| it["frame"].as_u64().unwrap())
        .collect();
    assert_eq!(frames, [0, 60_000]);
    assert_eq!(talk[1]["full"], true);
}

/// A script that walks itself walks in frames; steps and slices do instructions alone, and people are told.
#[test]
fn walks_are_carried_on_by_frames() {
    let place = Place::new();
    place.write("walk.s", b"glide 65, 130\nnop.f\nend: nop.f\njmp end\n");
    let told = place.fine(&["vm", "run", "walk.s"]);
    assert!(
        told.contains("note: the script is parked for a walk"),
        "{told}"
    );
    for compat in ["retail", "port"] {
        let scenario =
            format!(r#"{{"source":"walk.s","frames":40,"talk":"itself","compat":"{compat}"}}"#);
        place.write("walk.json", scenario.as_bytes());
        let told = place.fine(&["vm", "run", "walk.json"]);
        assert!(
            !told.contains("note:") && told.contains("final context.x: -256"),
            "{told}"
        );
        let at = &place.document(&["vm", "run", "walk.json"])["final"]["context"];
        assert_eq!(
            (&at["x"], &at["z"]),
            (&json!(-256), &json!(-256)),
            "{compat}"
        );
    }
}

#[test]
fn contact_and_beats_talk() {
    let place = Place::new();
    let run = |source: &str, rest: &str| {
        place.write("it.s", source.as_bytes());
        let scenario = format!(r#"{{"source":"it.s",{rest}}}"#);
        place.write("it.json", scenario.as_bytes());
        place.document(&["vm", "run", "it.json"])
    };
    for (talk, flags) in [("contact", json!([1])), ("button", json!([1, 2]))] {
        let document = run("sset 1\nsset 2", &format!(r#""frames":5,"talk":"{talk}""#));
        assert_eq!(document["final"]["flags"]["system"], flags, "{talk}");
    }
    let document = run(
        "walk_to 1, 0, 3\n.text \"Oh\"\nsset 3\nidle: nop.f\njmp idle",
        r#""frames":80,"talk":"itself","pads":[["none",60],["confirm",1]],"context":{"x":64,"z":64}"#,
    );
    let phases: Vec<_> = document["talk"].as_array().unwrap().iter().collect();
    let phases: Vec<_> = phases
        .iter()
        .map(|it| it["phase"].as_str().unwrap())
        .collect();
    assert_eq!(phases, ["runs", "shows", "shows", "over", "runs"]);
    assert_eq!(document["final"]["flags"]["system"], json!([3]));
    assert_eq!(document["final"]["context"]["x"], json!(192));
    // What is wrong with the script is seen, too.
    let document = run(".byte 0x26", r#""frames":5"#);
    let last = document["talk"][0].clone();
    assert_eq!(last["phase"], "over");
    assert!(
        last["fault"].as_str().unwrap().contains("Truncated"),
        "{last}"
    );
}

/// A script needs no scenario, and one in digits comes from the assembler.
#[test]
fn a_script_runs_as_it_is() {
    let place = Place::new();
    place.write("asks.s", ASKS.as_bytes());
    let digits = place.fine(&["vm", "asm", "asks.s", "--hex"]);
    assert!(
        digits.starts_with("4C 51 08 08 00 02 1F 54 65 61 3F 00 27 "),
        "{digits}"
    );
    place.fine(&["vm", "asm", "asks.s", "-o", "asks"]);
    place.fine(&["vm", "asm", "asks.s", "--hex", "-o", "asks.hex"]);
    assert_eq!(
        std::fs::read(place.path("asks.hex")).unwrap(),
        digits.as_bytes()
    );
    let from_text = place.document(&["vm", "run", "asks.s"]);
    assert_eq!(from_text["slices"], json!(["text"]));
    assert_eq!(from_text["final"]["pc"], 6);
    assert_eq!(place.document(&["vm", "run", "asks"]), from_text);
    let scenario = format!(r#"{{"code":"{}","slices":1}}"#, digits.trim_end());
    place.write("asks.json", scenario.as_bytes());
    assert_eq!(place.document(&["vm", "run", "asks.json"]), from_text);
    // Bytes that are all printable, and begin as no line of source and no object: 22 `exec_move`, 5B and 7B flags.
    for (record, end) in [(&b"\"c!"[..], 2), (b"\"!!", 2), (b"[C!", 2), (b"{C !", 4)] {
        place.write("record", record);
        let output = place.overworld(["--json", "vm", "run", "record"]);
        let ran: Value = serde_json::from_slice(&output.stdout).unwrap();
        let note = String::from_utf8_lossy(&output.stderr);
        let first = &ran["steps"][0];
        assert_eq!(
            (&first["pc"], &first["next"]),
            (&json!(0), &json!(end)),
            "{record:?}"
        );
        assert!(
            note.contains("record: note: it is taken for the bytes of a record"),
            "{note}"
        );
    }
    place.write("scenario.json", br#"{"source":"record","steps":1}"#);
    assert_eq!(
        place.document(&["vm", "run", "scenario.json"])["final"]["pc"],
        4
    );
    // Or it is said.
    place.write("record", b"\"\"!");
    place.write("json", b"\"\"");
    assert!(
        place
            .bad(&["vm", "run", "json"], 1)
            .contains("expected an object")
    );
    for name in ["record", "json"] {
        let ran = place.document(&["vm", "run", "--record", name]);
        assert_eq!(ran["steps"][0]["next"], 2, "{name}");
    }
    // What is neither is told as both.
    place.write("bad.s", b"sset 1\nsit down\n");
    let error = place.bad(&["vm", "run", "bad.s"], 1);
    assert_eq!(
        error,
        "overworld: bad.s: line 2, column 1: no instruction is called sit (read as a script, since a scenario in \
         JSON begins with {)\n"
    );
    let error = place.bad(&["motion", "run", "asks.s"], 1);
    assert!(
        error.starts_with("overworld: asks.s: expected a scenario, a JSON object such as {"),
        "{error}"
    );
}

/// The conversation of the page: what it prints is what is printed.
#[test]
fn the_documented_conversation_is_held() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/scripts.md");
    let page = std::fs::read_to_string(docs).unwrap();
    let behind = |text: &str, mark: &str| text.split_once(mark).unwrap().1.to_owned();
    let block = |text: &str, mark: &str| {
        let block = behind(text, mark);
        block.split_once("```").unwrap().0.to_owned()
    };
    let place = Place::new();
    let example = behind(&page, "## An example\n");
    place.write("gate.s", block(&example, "```\n").as_bytes());
    let section = behind(&page, "### Conversations\n");
    place.write("no.json", block(&section, "```json\n").as_bytes());
    let printed = place.fine(&["vm", "run", "no.json"]);
    let shown = behind(
        &block(&section, "```\n$ overworld vm run no.json\n"),
        "...\n",
    );
    assert!(printed.contains(&shown), "{printed}");
}

/// What people read of a run: where it went wrong, what it changed, and why nothing was said.
#[test]
fn people_read_what_a_run_changed() {
    let place = Place::new();
    place.write("talk.s", b"nop.f\ntalk: sset 5\n.text \"Hi\"\nend: nop.f");
    place.write(
        "a.json",
        br#"{"source": "talk.s", "pc": "tolk", "steps": 1}"#,
    );
    assert_eq!(
        place.bad(&["vm", "run", "a.json"], 1),
        "overworld: a.json: \"pc\": no label is called \"tolk\"; there are end, talk\n"
    );
    place.write(
        "b.json",
        br#"{"source": "talk.s", "pc": "talk", "steps": 1}"#,
    );
    let text = place.fine(&["vm", "run", "b.json"]);
    assert!(
        text.ends_with("final pc: 0003\nfinal flags.system: [5], was []\n"),
        "{text}"
    );
    place.write("c.json", br#"{"source": "talk.s", "frames": 9}"#);
    let text = place.fine(&["vm", "run", "c.json"]);
    assert!(
        text.contains(
            "note: the script ended before it said anything; the conversation began at 0x0"
        ),
        "{text}"
    );
    place.write(
        "d.json",
        br#"{"source": "talk.s", "pc": "talk", "frames": 9}"#,
    );
    assert!(!place.fine(&["vm", "run", "d.json"]).contains("note: "));
    // Digits are no script, and what they are is said.
    place.write("a.hex", b"24 21 26\nFE FF\n");
    let error = place.bad(&["vm", "run", "a.hex"], 1);
    assert!(
        error.contains("in a scenario they stand as \"code\""),
        "{error}"
    );
    let output = place.overworld(["vm", "disasm", "a.hex"]);
    assert_eq!(output.status.code(), Some(0));
    let note = common::text(&output.stderr);
    assert!(
        note.contains("a.hex: note: its bytes are hexadecimal digits"),
        "{note}"
    );
}
