//! What a disc, a sheet, a world or a file calls itself cannot steer the terminal it is printed on.

mod common;

use common::{Place, json, text};
use overworld_host::image::{self, Tree};
use overworld_host::sample;
use overworld_host::text::is_active;
use overworld_runtime::disc::sector::{self, RAW};
use serde_json::Value;

/// Clears a screen, names a window, begins a line, in C0 and C1.
const NASTY: &str = "\x1b[2J\u{9b}31m\r\n\x07\x7f\u{202e}x";

/// Run it and look at all it prints: no active character but the ends of lines, and no line that
/// begins with what a name smuggled in.
fn printed(place: &Place, arguments: &[&str]) -> String {
    let output = place.overworld(arguments);
    let all = text(&output.stdout) + &text(&output.stderr);
    assert!(!all.is_empty(), "{arguments:?}");
    for line in all.lines() {
        assert!(!line.contains(is_active), "{arguments:?}: {line:?}");
    }
    all
}

/// Replace a sector's user data and seal it again.
fn patch(image: &mut [u8], lba: usize, change: impl FnOnce(&mut [u8])) {
    let raw: &mut [u8; RAW] = (&mut image[lba * RAW..][..RAW]).try_into().unwrap();
    change(&mut raw[24..2072]);
    sector::seal(raw);
}

/// A disc with escapes in its label, in a scene's name, in the name of a file and of a folder.
fn disc() -> Vec<u8> {
    let mut tree = Tree::new();
    let world = sample::world().unwrap();
    tree.file("PROT.DAT", world.archive().unwrap()).unwrap();
    tree.file("CDNAME.TXT", b"#define de\x1b[2Jmo 2\n".to_vec())
        .unwrap();
    tree.file("NASTY.TXT", b"hello".to_vec()).unwrap();
    tree.file("FOLDER/A.TXT", b"hello".to_vec()).unwrap();
    let mut image = image::build(&tree).unwrap();
    patch(&mut image, 16, |data| {
        data[40..46].copy_from_slice(b"A\x1b[2J\n");
    });
    patch(&mut image, 22, |data| {
        let mut put = |old: &[u8], new: &[u8]| {
            let at = data.windows(old.len()).position(|it| it == old).unwrap();
            data[at..at + new.len()].copy_from_slice(new);
        };
        put(b"NASTY.TXT", b"\x1b[2J\nX.YZ");
        put(b"FOLDER", b"F\xC2\x9B1mR");
    });
    image
}

#[test]
fn names_on_a_disc() {
    let place = Place::new();
    place.write("disc.bin", &disc());
    for arguments in [
        &["disc", "ls", "disc.bin"][..],
        &["disc", "info", "disc.bin"],
        &["disc", "verify", "disc.bin"],
        &["disc", "extract", "disc.bin", "-o", "out"],
        &["disc", "extract", "disc.bin", "\x1b[2J", "-o", "out"],
        &["identify", "disc.bin"],
        &["run", "disc.bin", "--scene", "\x1b[2J", "--frames", "1"],
        &["run", "disc.bin", "--frames", "1"],
    ] {
        printed(&place, arguments);
        let arguments = [arguments, &["--json"]].concat();
        printed(&place, &arguments);
    }
    let list = printed(&place, &["disc", "ls", "disc.bin"]);
    assert_eq!(list.lines().count(), 4, "{list}");
    assert!(list.contains("/\\u{1b}[2J\\nX.YZ "), "{list}");
    // The document still says what stands on the disc.
    let document = json(&printed(&place, &["disc", "ls", "disc.bin", "--json"]));
    let paths: Vec<&str> = document["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["path"].as_str().unwrap())
        .collect();
    assert!(paths.contains(&"/\x1b[2J\nX.YZ"), "{paths:?}");
    assert!(paths.contains(&"/F\u{9b}1mR/A.TXT"), "{paths:?}");
}

#[test]
fn lines_of_a_sheet() {
    let place = Place::new();
    let name = NASTY.replace(['\r', '\n'], "");
    for (number, sheet) in [
        format!("FILE \"{name}\" BINARY\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n"),
        format!("FILE \"a.bin\" {name}\n"),
        format!("FILE a.bin BINARY\nTRACK 01 {name}\n"),
        format!("{name}\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = format!("{number}.cue");
        place.write(&file, sheet.as_bytes());
        let error = printed(&place, &["disc", "info", &file]);
        assert!(error.contains("\\u{1b}[2J"), "{error}");
        printed(&place, &["identify", &file]);
        printed(&place, &["identify", &file, "--json"]);
    }
}

#[test]
fn names_in_a_world() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let path = place.path("w/world.json");
    let good: Value = json(&std::fs::read_to_string(&path).unwrap());
    let nasty = format!("a{NASTY}");
    let mut harmed = Vec::new();
    for key in ["scene", "bank", "map"] {
        let mut world = good.clone();
        world[key] = nasty.clone().into();
        harmed.push(world);
    }
    let mut world = good.clone();
    world[&nasty] = 1.into();
    harmed.push(world);
    for world in harmed {
        std::fs::write(&path, world.to_string()).unwrap();
        for arguments in [
            &["world", "check", "w"][..],
            &["disc", "build", "w", "-o", "x.cue"],
        ] {
            let error = printed(&place, arguments);
            assert!(error.contains("\\u{1b}[2J"), "{error}");
        }
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_and_words_of_the_command_line() {
    let place = Place::new();
    place.write(NASTY, b"neither fish nor flesh");
    let found = printed(&place, &["identify", NASTY]);
    assert!(found.contains("unknown"), "{found}");
    let document = json(&printed(&place, &["identify", NASTY, "--json"]));
    assert_eq!(document["files"][0]["file"], NASTY);
    for arguments in [
        &[NASTY][..],
        &["disc", NASTY],
        &["disc", "ls", "a", NASTY],
        &["disc", "ls", NASTY],
        &["run", "--frames", NASTY],
        &["run", "--hashes", NASTY],
        &["disc", "build", "w", "-o", NASTY],
        &["world", "check", NASTY],
        &["lzs", "decode", NASTY, "--size", "9", "-o", NASTY],
        &["bundle", "info", NASTY],
    ] {
        let error = printed(&place, arguments);
        assert!(error.contains("\\u{1b}[2J"), "{error}");
    }
}

#[test]
fn several_failures_are_several_lines() {
    let place = Place::new();
    let world = sample::world().unwrap();
    let mut bundle = world.bundle().unwrap();
    // The sizes of all members are too large.
    for at in [10, 18, 26] {
        bundle[at] += 1;
    }
    place.write("bad.bundle", &bundle);
    let output = place.overworld(["bundle", "info", "bad.bundle"]);
    let error = text(&output.stderr);
    assert_eq!(error.lines().count(), 3, "{error}");
    for (index, line) in error.lines().enumerate() {
        let begin = format!("overworld: bad.bundle: member {index} (");
        assert!(line.starts_with(&begin), "{line}");
    }
}
