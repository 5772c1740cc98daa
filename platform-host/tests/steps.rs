//! From a script's text to a world in which it is spoken: the way of docs/scripts.md, and what is told on it.

mod common;

use common::{Place, json, text};
use serde_json::{Value, json};

/// The section of the page, from its heading on.
fn section() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/scripts.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (_, section) = page.split_once("## From a script to a world\n").unwrap();
    section.split_once("\n## ").unwrap().0.to_owned()
}

/// Put a script's digits into a record of a document.
fn put(place: &Place, document: &str, actor: usize, digits: &str) {
    let path = place.path(document);
    let mut value: Value = json(&std::fs::read_to_string(&path).unwrap());
    value["actors"][actor]["code"] = json!(digits.trim_end());
    std::fs::write(path, value.to_string()).unwrap();
}

#[test]
fn the_documented_way_leads_into_a_world() {
    let section = section();
    let mut blocks = section.split("```\n").skip(1).step_by(2);
    let place = Place::new();
    place.write("greet.s", blocks.next().unwrap().as_bytes());
    let commands = blocks.next().unwrap();
    let mut said = Vec::new();
    for line in commands.lines() {
        let call = line.strip_prefix("$ overworld ").unwrap();
        let call = call.split(" #").next().unwrap();
        if call.starts_with("man build") {
            // As the sentence above them says.
            let path = place.path("town.json");
            let mut value: Value = json(&std::fs::read_to_string(&path).unwrap());
            let actor = value["actors"][2].as_object_mut().unwrap();
            actor.remove("code").unwrap();
            actor.insert("source".to_owned(), json!("greet.s"));
            std::fs::write(path, value.to_string()).unwrap();
        }
        let words: Vec<_> = call.split_whitespace().collect();
        said.push(place.fine(&words));
    }
    assert_eq!(said.len(), 6);
    assert!(said[0].contains("nop.f"), "{}", said[0]);
    assert!(said[4].contains("scene \"town\": fine"), "{}", said[4]);
    // The same walk as in the sample town up to the word with the villager, and another one from there on.
    let pictures = |world: &str| {
        let lines = place.fine(&["run", world, "--frames", "75", "--hashes", "-"]);
        let picture = |line: &str| line.split(' ').nth(2).unwrap().to_owned();
        lines.lines().map(picture).collect::<Vec<_>>()
    };
    place.fine(&["world", "new", "--town", "sample"]);
    let (own, sample) = (pictures("village"), pictures("sample"));
    let same = own.iter().zip(&sample).take_while(|(a, b)| a == b);
    let same = same.count();
    assert!((50..70).contains(&same), "{same}");
    assert!(place.path("frames/frame00070.png").is_file());
}

/// A script that a document names is an input: it is not lost, whatever its name, and a dash names a file.
#[test]
fn a_named_script_is_not_overwritten() {
    let place = Place::new();
    place.write("greet.s", b"nop.f");
    place.write("-", b"nop.25");
    for (document, named, output) in [
        ("a.json", "greet.s", "greet.s"),
        ("a.json", "./greet.s", "x/../greet.s"),
    ] {
        let text = json!({ "actors": [{ "tile": [1, 2], "source": named }] });
        place.write(document, text.to_string().as_bytes());
        std::fs::create_dir_all(place.path("x")).unwrap();
        let error = place.bad(&["man", "build", document, "-o", output], 2);
        assert!(error.contains("is the input"), "{error}");
        assert_eq!(std::fs::read(place.path("greet.s")).unwrap(), b"nop.f");
    }
    let text = json!({ "actors": [{ "tile": [1, 2], "source": "-" }] });
    place.write("dash.json", text.to_string().as_bytes());
    place.fine(&["man", "build", "dash.json", "-o", "a.man"]);
    place.fine(&["man", "build", "./dash.json", "-o", "b.man"]);
    let made = ["a.man", "b.man"].map(|it| std::fs::read(place.path(it)).unwrap());
    assert_eq!(made[0], made[1]);
}

/// The scripts of the sample town as text, and back.
#[test]
fn scripts_of_a_town_are_text() {
    let place = Place::new();
    place.fine(&["world", "new", "--town", "village"]);
    place.fine(&[
        "man",
        "dump",
        "village/town.man",
        "--text",
        "-o",
        "town.json",
    ]);
    let document: Value = json(&std::fs::read_to_string(place.path("town.json")).unwrap());
    let lines = document["actors"][2]["text"].as_array().unwrap();
    let is_text = |it: &Value| it.as_str().unwrap().trim_start().starts_with(".text ");
    assert!(lines.iter().any(is_text), "{lines:?}");
    place.fine(&["man", "build", "town.json", "-o", "town.man"]);
    let read = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert_eq!(read("town.man"), read("village/town.man"));
}

/// A text that no box holds is noted where it is built and where it is checked, with its record and its place.
#[test]
fn a_text_too_wide_is_noted() {
    let place = Place::new();
    place.fine(&["world", "new", "--town", "village"]);
    place.fine(&["man", "dump", "village/town.man", "-o", "town.json"]);
    let wide = "No box is wide enough for all of this, whoever reads it";
    let source = format!(
        "nop.25\nnop.f\ntalk: .text \"{wide}\"\n.text \"{}\"\n.pick a, b\n.text \"{}\"\n.text \"No\"\na: .text \"{}|{}\"\nb: nop.f\njmp talk",
        "i".repeat(59),
        "i".repeat(58),
        "n".repeat(20),
        "n".repeat(20),
    );
    place.write("wide.s", source.as_bytes());
    let digits = place.fine(&["vm", "asm", "wide.s", "--hex"]);
    put(&place, "town.json", 2, &digits);
    let output = place.overworld(["man", "build", "town.json", "-o", "village/town.man"]);
    assert_eq!(output.status.code(), Some(0));
    let notes = text(&output.stderr);
    let notes: Vec<_> = notes.lines().collect();
    let repeated = &wide[..40];
    assert_eq!(notes.len(), 2, "{notes:?}");
    let first = format!(
        "overworld: town.json: note: actors[2], 0x0002 bytes behind its first opcode: the text \"{repeated}...\" is "
    );
    assert!(notes[0].starts_with(&first), "{}", notes[0]);
    assert!(
        notes[0].ends_with(" pixels wide, and its box has room for 236"),
        "{}",
        notes[0]
    );
    // What fits exactly is fine, and an answer has less room.
    assert!(
        notes[1].contains("the answer \"iiii")
            && notes[1].ends_with("is 232 pixels wide, and its box has room for 228"),
        "{}",
        notes[1]
    );
    let document = place.document(&["man", "build", "town.json", "-o", "village/town.man"]);
    assert_eq!(document["notes"].as_array().unwrap().len(), 2);
    let checked = place.fine(&["world", "check", "village"]);
    let notes = checked
        .lines()
        .filter(|it| it.starts_with("note: town.man: actors[2], "));
    assert_eq!(notes.count(), 2, "{checked}");
    assert!(checked.contains("scene \"town\": fine"));
}
