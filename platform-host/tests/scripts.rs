//! The calls about scripts and motion.

mod common;

use common::{Place, json, text};
use serde_json::json;

#[test]
fn a_record_becomes_text_and_comes_back() {
    let place = Place::new();
    let record = b"\x01ab\x02\x07\x25\x72\x25\x08\x00\x3A\xFF\xFF\xFF\x21\x1FHello\x00\x27\x04\x00\x02\x00\x26\xF2\xFF";
    place.write("record", record);
    let listing = place.fine(&["vm", "disasm", "record", "--pc0", "5"]);
    assert!(listing.contains("    stst 0x225, "), "{listing}");
    assert!(
        listing.contains("    .text \"Hello\"\n    .pick "),
        "{listing}"
    );
    place.write("record.s", listing.as_bytes());
    place.fine(&["vm", "asm", "record.s", "-o", "again"]);
    assert_eq!(std::fs::read(place.path("again")).unwrap(), record);
    // With offsets it is the same program.
    let listing = place.fine(&["vm", "disasm", "record", "--offsets"]);
    assert!(listing.contains("; 000A: 3A FF FF FF"), "{listing}");
    let output = place.piped(&["vm", "asm", "-", "-o", "-"], listing.as_bytes());
    assert_eq!(output.stdout, record);
    let lines = place.document(&["vm", "disasm", "record", "--pc0", "5"]);
    assert_eq!(
        lines["lines"][5],
        json!({ "at": 5, "bytes": "25", "text": "nop.25" })
    );
    let labels = place.document(&["vm", "asm", "record.s"]);
    assert_eq!(labels["bytes"], record.len());
    assert!(labels["labels"].as_object().unwrap().len() >= 2);
}

#[test]
fn errors_in_scripts_have_line_and_column() {
    let place = Place::new();
    place.write("bad.s", b"nop.f\n  sset 0x1000\n");
    let error = place.bad(&["vm", "asm", "bad.s", "-o", "out"], 1);
    assert!(
        error.contains("bad.s: line 2, column 8: 4096 is outside 0 to 4095"),
        "{error}"
    );
    assert!(!place.path("out").exists());
    place.write("bad.s", b"nop.f \xFF");
    let error = place.bad(&["vm", "asm", "bad.s", "-o", "out"], 1);
    assert!(
        error.contains("offset 0x6: expected text in UTF-8"),
        "{error}"
    );
    let error = place.bad(&["vm", "disasm", "bad.s", "--pc0", "0x10"], 1);
    assert!(error.contains("the file has 0x7 bytes"), "{error}");
}

#[test]
fn scripts_run_step_by_step_and_by_slices() {
    let place = Place::new();
    place.write(
        "v91.json",
        br#"{"code":"78 25 10 00","flags":{"system":[2085]},"steps":1}"#,
    );
    let document = place.document(&["vm", "run", "v91.json"]);
    let step = &document["steps"][0];
    assert_eq!((&step["pc"], &step["next"]), (&json!(0), &json!(18)));
    assert_eq!(
        (&step["op"], &step["result"]),
        (&json!("stst"), &json!("advance"))
    );
    assert_eq!(document["final"]["pc"], 18);
    place.write("port.json", br#"{"code":"78251000","compat":"port"}"#);
    let document = place.document(&["vm", "run", "port.json"]);
    assert_eq!(document["steps"][0]["result"], "fault:Unknown");
    place.write(
        "s2.json",
        br#"{"code":"2452254A02002126FEFF","context":{"script_id":251,"x":-5},"slices":3}"#,
    );
    let document = place.document(&["vm", "run", "s2.json"]);
    let steps = document["steps"].as_array().unwrap();
    let seen: Vec<_> = steps
        .iter()
        .map(|it| (it["slice"].as_u64(), it["pc"].as_u64()))
        .collect();
    let expected = [(0, 0), (0, 1), (0, 3), (1, 3), (1, 6), (2, 7), (2, 6)];
    assert_eq!(seen, expected.map(|(slice, pc)| (Some(slice), Some(pc))));
    assert_eq!(
        document["slices"],
        json!(["parked", "frameend", "frameend"])
    );
    let last = &document["final"];
    assert_eq!(
        (&last["context"]["x"], &last["flags"]["system"]),
        (&json!(-5), &json!([549]))
    );
    let table = place.fine(&["vm", "run", "s2.json"]);
    assert!(
        table.contains("0003  0003  park               wait 2"),
        "{table}"
    );
}

#[test]
fn motions_run_tick_by_tick() {
    let place = Place::new();
    // D1 of the motion sheet.
    place.write("d1.json", br#"{"code":"374182","steps":100}"#);
    let document = place.document(&["motion", "run", "d1.json"]);
    let steps = document["steps"].as_array().unwrap();
    assert_eq!(
        (steps.len(), &steps[30]["result"], &steps[31]["result"]),
        (32, &json!("yield"), &json!("advance"))
    );
    let last = &document["final"]["context"];
    assert_eq!(
        (&last["x"], &last["z"], &last["flags"]),
        (&json!(-256), &json!(-256), &json!(0))
    );
    // A3 of the motion sheet.
    place.write("a3.json", br#"{"code":"050301","steps":3,"delta":2}"#);
    let document = place.document(&["motion", "run", "a3.json"]);
    let next: Vec<_> = (0..3)
        .map(|it| document["steps"][it]["next"].as_u64())
        .collect();
    assert_eq!(next, [Some(0), Some(2), Some(0)]);
    for (code, results) in [
        ("FF", &["fault:Unknown"][..]),
        ("0401", &["fault:Truncated"]),
        ("0500", &["yield", "fault:PcRange"]),
        // It never ends its tick, and goes on.
        ("01", &["fault:Budget"; 3]),
    ] {
        let scenario = format!(r#"{{"code":"{code}","steps":3,"interpreter":"ambient"}}"#);
        place.write("stop.json", scenario.as_bytes());
        let document = place.document(&["motion", "run", "stop.json"]);
        let steps = document["steps"].as_array().unwrap();
        let seen: Vec<_> = steps
            .iter()
            .map(|it| it["result"].as_str().unwrap())
            .collect();
        assert_eq!(seen, results, "{code}");
    }
}

/// M3 of the motion sheet: an arc is its host's, and a walk stays at it. A stream goes on where the scenario
/// says that it stands.
#[test]
fn motions_start_where_they_stand() {
    let place = Place::new();
    place.write("m3.json", br#"{"code":"43","steps":2}"#);
    let document = place.document(&["motion", "run", "m3.json"]);
    let steps = document["steps"].as_array().unwrap();
    let results: Vec<_> = steps.iter().map(|it| &it["result"]).collect();
    assert_eq!(results, ["yield", "yield"]);
    let context = r#""context":{"cursor":3,"amb_cursor":2}"#;
    let scenario = format!(r#"{{"code":"0F0101050401","steps":3,{context}}}"#);
    place.write("half.json", scenario.as_bytes());
    let document = place.document(&["motion", "run", "half.json"]);
    let steps = document["steps"].as_array().unwrap();
    let seen: Vec<_> = steps
        .iter()
        .map(|it| [&it["pc"], &it["next"], &it["x"]])
        .collect();
    // Two frames of the wait's four are over; behind it stands the restart, and the teleport first.
    assert_eq!(seen, [[3, 3, 0], [3, 5, 0], [5, 3, 192]]);
    let last = &document["final"]["context"];
    assert_eq!(
        (&last["cursor"], &last["amb_cursor"]),
        (&json!(3), &json!(1))
    );
}

/// V06 on the only context there is: the player's number says who it is (section 2).
#[test]
fn the_players_number_is_the_player() {
    let place = Place::new();
    for (more, x, result) in [
        ("", 16320, "park"),
        (r#","player":false"#, 0, "fault:PcRange"),
    ] {
        let scenario =
            format!(r#"{{"code":"A3F87F7FB3F805","steps":3,"context":{{"script_id":248}}{more}}}"#);
        place.write("v06.json", scenario.as_bytes());
        let document = place.document(&["vm", "run", "v06.json"]);
        assert_eq!(document["steps"][0]["next"], 4);
        assert_eq!(document["final"]["context"]["x"], x);
        let steps = document["steps"].as_array().unwrap();
        assert_eq!(steps.last().unwrap()["result"], result);
    }
}

/// M4 of the motion sheet: done at once; people are told why.
#[test]
fn what_is_no_walk_is_done_with_a_word() {
    let place = Place::new();
    for (code, told) in [
        ("21", true),
        ("A405", true),
        ("374182", false),
        ("0503", false),
    ] {
        place.write("m.json", format!(r#"{{"code":"{code}"}}"#).as_bytes());
        let output = place.overworld(["motion", "run", "m.json"]);
        assert_eq!(output.status.code(), Some(0), "{code}");
        let error = text(&output.stderr);
        assert_eq!(
            error.contains("is no op of a walk"),
            told,
            "{code}: {error}"
        );
    }
}

/// A walk whose operands the record lacks is a fault, and people hear what ended where.
#[test]
fn a_cut_walk_is_no_end_of_one() {
    let place = Place::new();
    let truncated = |need: usize, found: usize| {
        let said = format!(
            "overworld: m.json: Truncated in script 2A at offset 0x0002: the instruction needs {need} \
             bytes, the record has {found} more\n"
        );
        ("fault:Truncated", said)
    };
    let whole = |result| (result, String::new());
    for (code, (result, said)) in [
        ("37 41", truncated(3, 2)),
        ("38", truncated(3, 1)),
        ("41", truncated(3, 1)),
        ("47 01 01", truncated(4, 3)),
        ("C7 46 01 01", truncated(5, 4)),
        ("B7", truncated(4, 1)),
        ("4C", truncated(2, 1)),
        ("4C 8F 01 00", truncated(5, 4)),
        ("CC 46 85", truncated(6, 3)),
        ("C3", truncated(2, 1)),
        // Whole, or ended by others, whatever their operands.
        ("37 41 00", whole("advance")),
        ("C7 46 00 00 00", whole("yield")),
        ("4C 8F 01 00 46", whole("advance")),
        ("43", whole("yield")),
        ("4C 61", whole("yield")),
    ] {
        let scenario = format!(
            r#"{{"code":"0001{code}","pc":2,"steps":1,"context":{{"script_id":42,"x":9}}}}"#
        );
        place.write("m.json", scenario.as_bytes());
        let output = place.overworld(["motion", "run", "m.json", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{code}");
        assert_eq!(text(&output.stderr), said, "{code}");
        let document = json(&text(&output.stdout));
        let step = &document["steps"][0];
        assert_eq!(step["result"], result, "{code}");
        assert_eq!((&step["pc"], &step["next"]), (&json!(2), &json!(2)));
        if !said.is_empty() {
            let last = &document["final"];
            let context = (&last["context"]["flags"], &last["context"]["x"]);
            assert_eq!((&last["pc"], context), (&json!(2), (&json!(0), &json!(9))));
        }
    }
    // Nothing at all, of a walk that is said to be one.
    place.write("m.json", br#"{"code":"37","pc":1,"interpreter":"walk"}"#);
    let output = place.overworld(["motion", "run", "m.json"]);
    let said = text(&output.stderr);
    assert!(said.ends_with("PcRange in script 00 at offset 0x0001: the record has only 1 bytes\n"));
    assert!(text(&output.stdout).contains("fault:PcRange"));
    // A walk stays where it is, whatever the cursor of a stream.
    let scenario = br#"{"code":"374181","steps":2,"context":{"cursor":7}}"#;
    place.write("m.json", scenario);
    let document = place.document(&["motion", "run", "m.json"]);
    assert_eq!(
        (&document["steps"][1]["pc"], &document["final"]["pc"]),
        (&json!(0), &json!(0))
    );
}

/// The page that authors of scripts read.
fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/scripts.md");
    std::fs::read_to_string(path).unwrap()
}

/// The first block of a kind in a section of the page.
fn block(section: &str, kind: &str) -> String {
    let page = page();
    let (_, section) = page.split_once(&format!("## {section}\n")).unwrap();
    let (_, block) = section.split_once(&format!("```{kind}\n")).unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

/// The page's example is a script, and does what its comments say.
#[test]
fn the_documented_example_plays() {
    let place = Place::new();
    place.write("gate.s", block("An example", "").as_bytes());
    place.fine(&["vm", "asm", "gate.s", "-o", "gate"]);
    let record = std::fs::read(place.path("gate")).unwrap();
    let listing = place.fine(&["vm", "disasm", "gate"]);
    place.write("again.s", listing.as_bytes());
    place.fine(&["vm", "asm", "again.s", "-o", "again"]);
    assert_eq!(std::fs::read(place.path("again")).unwrap(), record);
    let labels = place.document(&["vm", "asm", "gate.s"])["labels"].clone();
    let code: String = record.iter().map(|it| format!("{it:02X}")).collect();
    let run = |state: &str, pc: &serde_json::Value, slices: u32| {
        let scenario = format!(r#"{{"code":"{code}","pc":{pc},"slices":{slices}{state}}}"#);
        place.write("gate.json", scenario.as_bytes());
        place.document(&["vm", "run", "gate.json"])
    };
    // The prologue seats the villager on tile (8, 8), and the text is next.
    let first = run("", &json!(0), 1);
    let context = &first["final"]["context"];
    assert_eq!((&context["x"], &context["z"]), (&json!(1088), &json!(1088)));
    assert_eq!(first["final"]["pc"], labels["talk"]);
    // Each slice ends in front of a text: which.
    let said = |document: &serde_json::Value, text: &str| {
        let pc = document["final"]["pc"].as_u64().unwrap() as usize;
        let told = document["slices"] == json!(["text"]);
        told && record[pc..].starts_with(&[b"\x1F", text.as_bytes(), b"\0"].concat())
    };
    let asked = run("", &labels["talk"], 1);
    assert!(said(&asked, "Shall I open it?"), "{asked}");
    // Who says yes opens the gate; who comes again is thanked.
    let opened = run("", &labels["yes"], 1);
    assert_eq!(opened["final"]["flags"]["system"], json!([0x225]));
    assert!(said(&opened, "There you are."), "{opened}");
    let thanked = run(r#","flags":{"system":[549]}"#, &labels["talk"], 1);
    assert!(said(&thanked, "Mind the owl."), "{thanked}");
}

/// The scenario of a field script in the page: row S2 of the sheet.
#[test]
fn the_documented_scenario_runs() {
    let place = Place::new();
    place.write("s.json", block("Scenarios", "json").as_bytes());
    let document = place.document(&["vm", "run", "s.json"]);
    assert_eq!(document["slices"].as_array().unwrap().len(), 3);
    let last = &document["final"];
    assert_eq!(
        (&last["pc"], &last["context"]["x"]),
        (&json!(7), &json!(-5))
    );
    assert_eq!(last["flags"]["system"], json!([549]));
}

/// The scenarios of motions in the page.
#[test]
fn documented_motions_run() {
    let docs = page();
    let (_, section) = docs.split_once("## Motions").unwrap();
    let place = Place::new();
    let ends = [(32, "advance", -256), (32, "yield", 128)];
    let scenarios: Vec<_> = section
        .lines()
        .filter(|line| line.starts_with('{'))
        .collect();
    assert_eq!(scenarios.len(), ends.len());
    for (scenario, (count, result, x)) in scenarios.into_iter().zip(ends) {
        place.write("m.json", scenario.as_bytes());
        let document = place.document(&["motion", "run", "m.json"]);
        let steps = document["steps"].as_array().unwrap();
        assert_eq!(steps.len(), count, "{scenario}");
        assert_eq!(steps[count - 1]["result"], json!(result), "{scenario}");
        assert_eq!(document["final"]["context"]["x"], json!(x), "{scenario}");
    }
}

/// Every field of the sheet's table can be given, and is shown.
#[test]
fn all_fields_are_known() {
    let place = Place::new();
    place.write(
        "fields.json",
        br#"{"code":"21","context":{"face":5,"model_high":77,"face_lerp":-3}}"#,
    );
    let document = place.document(&["vm", "run", "fields.json"]);
    let last = &document["final"]["context"];
    assert_eq!(
        (&last["face"], &last["model_high"], &last["face_lerp"]),
        (&json!(5), &json!(77), &json!(-3))
    );
}

#[test]
fn scenarios_say_what_is_wrong() {
    let place = Place::new();
    for (scenario, message) in [
        ("{", "EOF while parsing"),
        ("[]", "\"scenario\": expected an object"),
        ("{}", "\"code\" is missing"),
        (r#"{"code":"2"}"#, "an odd number"),
        (r#"{"code":"2g"}"#, "'g' at character 1"),
        (
            r#"{"code":"21","pc":65536}"#,
            "\"pc\": expected a whole number of 0 to 65535",
        ),
        (r#"{"code":"21","compat":"both"}"#, "\"retail\" or \"port\""),
        (
            r#"{"code":"21","steps":-1}"#,
            "\"steps\": expected a whole number of 0 to 1000000",
        ),
        (
            r#"{"code":"21","context":{"nose":1}}"#,
            "\"nose\": no context has this field",
        ),
        (
            r#"{"code":"21","context":{"x":40000}}"#,
            "\"x\": 40000 does not fit",
        ),
        (
            r#"{"code":"21","flags":{"system":[4096]}}"#,
            "\"system\": expected a whole number",
        ),
        (
            r#"{"code":"21","flags":{"global":"0x1G"}}"#,
            "\"global\": expected a whole number of 0 to 4294967295",
        ),
        (
            r#"{"code":"21","flags":{"global":"-0x1"}}"#,
            "\"global\": expected a whole number",
        ),
        (
            r#"{"code":"21","steps":2,"slices":2}"#,
            "\"steps\" and \"slices\": expected one of them",
        ),
        (
            r#"{"code":"21","ticks":1}"#,
            "\"ticks\": no scenario has this key",
        ),
        (
            r#"{"code":"21","frames":2,"slices":2}"#,
            "\"slices\" and \"frames\": expected one of them",
        ),
        (
            r#"{"code":"21","steps":2,"pads":[]}"#,
            "\"pads\": expected \"frames\" beside it",
        ),
        (
            r#"{"code":"21","talk":"button"}"#,
            "\"talk\": expected \"frames\" beside it",
        ),
        (
            r#"{"code":"21","frames":1,"talk":"phone"}"#,
            "\"talk\": expected \"button\" or \"contact\" or \"itself\", found \"phone\"",
        ),
        (
            r#"{"code":"21","pads":[["jump",1]]}"#,
            "\"pads\": invalid value: string \"jump\", expected held buttons",
        ),
        (
            r#"{"code":"21","source":"a.s"}"#,
            "\"code\" and \"source\": expected one of them",
        ),
        (r#"{"source":"none.s"}"#, "\"source\": none.s: No such file"),
        (
            r#"{"source":"it.json"}"#,
            "\"source\": it.json: line 1, column 1: ",
        ),
    ] {
        place.write("it.json", scenario.as_bytes());
        let error = place.bad(&["vm", "run", "it.json"], 1);
        assert!(
            error.starts_with("overworld: it.json: ") && error.contains(message),
            "{error}"
        );
    }
    let output = place.piped(&["vm", "run", "-", "--json"], br#"{"code":"21"}"#);
    assert_eq!(json(&text(&output.stdout))["steps"][0]["result"], "advance");
    place.write("it.json", br#"{"code":""}"#);
    let error = place.bad(&["motion", "run", "it.json"], 1);
    assert!(
        error.contains("expected an instruction of a walk"),
        "{error}"
    );
}

/// Masks may be hexadecimal, as they may in scenarios of the field.
#[test]
fn masks_may_be_hexadecimal() {
    let place = Place::new();
    place.write(
        "it.json",
        br#"{"code":"30 0A 33 11 70 22 00 00 21","flags":{"global":"0x400","system":["0x021"]},
            "context":{"flags":"0x20000","x":"-5"},"steps":4}"#,
    );
    let report = place.document(&["vm", "run", "it.json"]);
    let steps = report["steps"].as_array().unwrap();
    assert!(steps.iter().all(|it| it["result"] == "advance"));
    assert_eq!(report["final"]["pc"], 9);
    assert_eq!(report["final"]["flags"]["system"][0], 0x21);
    assert_eq!(report["final"]["context"]["x"], -5);
}

/// Editors put a byte order mark in front of a text; columns are those that they show.
#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let place = Place::new();
    place.write("it.json", b"\xEF\xBB\xBF{\"code\":\"21\"}");
    let report = place.document(&["vm", "run", "it.json"]);
    assert_eq!(report["final"]["pc"], 1);
    place.write("walk.json", b"\xEF\xBB\xBF{\"pads\":[[4096,1]]}");
    let report = place.document(&["field", "run", "walk.json"]);
    assert_eq!(report["frames"][0]["z"], 2632);
    place.write("it.s", b"\xEF\xBB\xBFidle: nop.f\r\n\tjmp idle\r\n");
    place.fine(&["vm", "asm", "it.s", "-o", "out"]);
    assert_eq!(
        std::fs::read(place.path("out")).unwrap(),
        [0x21, 0x26, 0xFE, 0xFF]
    );
    place.write("it.s", b"\xEF\xBB\xBFnop.f x");
    let error = place.bad(&["vm", "asm", "it.s", "-o", "out2"], 1);
    assert!(error.contains("it.s: line 1, column 7: "), "{error}");
    place.write("it.s", b"\xEF\xBB\xBFnop.f \xFF");
    let error = place.bad(&["vm", "asm", "it.s", "-o", "out2"], 1);
    assert!(error.contains("offset 0x9: "), "{error}");
}
