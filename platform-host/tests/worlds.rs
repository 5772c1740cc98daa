//! Worlds that bring more than the sample: from a folder to a disc and back.

mod common;
#[path = "common/vectors.rs"]
mod vectors;

use common::Place;
use overworld_host::sample::town;
use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::prot::Toc;
use serde_json::{Value, json};

/// A table of two records.
const STAGER: [u8; 16] = [2, 0, 6, 0, 12, 0, 0xFF, 0xFF, 0, 0, 1, 0, 2, 0, 1, 0];

/// The sample's folder `w`, with more files and keys.
fn folder(place: &Place) -> Vec<(&'static str, u64, Vec<u8>)> {
    place.fine(&["world", "new", "w"]);
    let texture = std::fs::read(place.path("w/owl.tim")).unwrap();
    let man = town::man().unwrap();
    for (name, data) in [
        ("w/town.man", &man[..]),
        ("w/town.PCH", &vectors::patch()),
        ("w/town.stager", &STAGER),
        ("w/town.mes", b"Good morning."),
        ("w/more.bank", &vectors::bank()),
    ] {
        place.write(name, data);
    }
    let mut manifest = manifest(place);
    manifest["man"] = "town.man".into();
    manifest["patch"] = "town.PCH".into();
    manifest["stager"] = "town.stager".into();
    manifest["members"] = json!([
        { "type": "MOVE2", "file": "more.bank" },
        { "type": "0x04", "file": "town.mes" },
        { "type": 0, "file": "owl.tim" },
    ]);
    place.write("w/world.json", manifest.to_string().as_bytes());
    vec![
        ("tim", 0, texture),
        ("man", 3, man),
        ("unknown", 4, b"Good morning.".to_vec()),
        ("bank", 11, vectors::bank()),
    ]
}

fn manifest(place: &Place) -> Value {
    let text = std::fs::read(place.path("w/world.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// What the runtime does without, and goes on: it is told by `world check` as far as the files show it, and behind a
/// `run`.
#[test]
fn what_a_walk_does_without_is_told() {
    use overworld_runtime::field::map::trigger::{Script, Source};
    use overworld_runtime::field::map::{Collision, MapMut, SIZE, Tile};
    let place = Place::new();
    folder(&place);
    let mut data = vec![0; SIZE];
    let source = Source {
        scripts: &[Script::from_bytes([63, 62, 200, 1])],
        ..Source::default()
    };
    let mut map = MapMut::create(&mut data, &source).unwrap();
    map.refresh();
    // A ring, one tile thick, and the seat of a new game walled up: walls stand a row further on.
    for n in 1..127 {
        for (col, row) in [(n, 1), (n, 126), (1, n), (126, n), (20, 21)] {
            map.set_collision(Tile::new(col, row).unwrap(), Collision(0xF0));
        }
    }
    place.write("w/demo.MAP", &data);
    let check = place.document(&["world", "check", "w"]);
    let notes = check["notes"].as_array().unwrap();
    for note in [
        "demo.MAP: walking on tile (63, 62) starts beat 200, which the program does not have: it has ",
        "demo.MAP: the seat of a new game, (2624, 2624), is a wall: the player is seated elsewhere, unless a script opens it",
    ] {
        let told = notes
            .iter()
            .any(|it| it.as_str().unwrap().starts_with(note));
        assert!(told, "{note}: {notes:?}");
    }
    let run = |frames: &str| {
        let output = place.overworld(["run", "w", "--frames", frames, "--json"]);
        assert_eq!(output.status.code(), Some(0));
        common::text(&output.stderr)
    };
    let told = run("3");
    let lines: Vec<&str> = told.lines().collect();
    let seat = "the seat of a new game is a wall: the player begins at (8160, 8032)";
    let beat = "1 beat did not start: the program has no such record, or a malformed one";
    assert_eq!(
        lines,
        [seat, beat].map(|it| format!("overworld: w: note: {it}")),
        "{told}"
    );
}

/// Sectors of a raw entry of an archive.
fn entry(archive: &[u8], raw: u32) -> &[u8] {
    let toc = Toc::parse(archive, archive.len() as u32 / 2048).unwrap();
    let entry = toc.entry(raw).unwrap();
    &archive[entry.first as usize * 2048..][..entry.sectors as usize * 2048]
}

#[test]
fn what_goes_onto_a_disc_comes_back() {
    let place = Place::new();
    let members = folder(&place);
    let checked = place.document(&["world", "check", "w"]);
    assert_eq!(checked["ok"], true);
    let keys: Vec<_> = checked["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["key"].as_str().unwrap())
        .collect();
    assert_eq!(
        keys,
        [
            "textures", "models", "bank", "map", "man", "patch", "stager", "members", "members",
            "members"
        ]
    );
    place.fine(&["disc", "build", "w", "-o", "w.cue"]);
    let report = place.document(&["disc", "verify", "w.cue"]);
    assert_eq!(
        (&report["ok"], &report["problems"]),
        (&json!(true), &json!([]))
    );
    assert_eq!(
        (&report["scenes"], &report["members"]),
        (&json!(1), &json!(7))
    );
    place.fine(&["disc", "extract", "w.cue", "-o", "out"]);
    let archive = std::fs::read(place.path("out/PROT.DAT")).unwrap();
    let map = std::fs::read(place.path("w/demo.MAP")).unwrap();
    assert_eq!(entry(&archive, 2), map);
    assert_eq!(entry(&archive, 3), vectors::patch());
    // Zeros fill the sector.
    let stager = entry(&archive, 4);
    assert_eq!((stager.len(), &stager[..16]), (2048, &STAGER[..]));
    assert!(stager[16..].iter().all(|&byte| byte == 0));
    place.write("bundle", entry(&archive, 5));
    let info = place.document(&["bundle", "info", "bundle"]);
    let rows = info["members"].as_array().unwrap();
    let types: Vec<_> = rows.iter().map(|it| it["type"].as_u64().unwrap()).collect();
    assert_eq!(types, [0, 1, 2, 3, 4, 5, 11]);
    for (kind, ty, data) in &members {
        let index = types.iter().position(|it| it == ty).unwrap();
        assert_eq!(rows[index]["kind"], *kind);
        let member = index.to_string();
        let call = [
            "bundle", "extract", "bundle", "--member", &member, "-o", "back",
        ];
        place.fine(&call);
        assert_eq!(&std::fs::read(place.path("back")).unwrap(), data, "{ty}");
    }
    // The scene loads, with all of it; the sample's picture is not touched.
    let run = place.document(&["run", "w.cue", "--frames", "2"]);
    let assets = run["assets"].as_array().unwrap();
    assert_eq!(assets.len(), 7);
    for (_, ty, data) in &members {
        let asset = assets.iter().find(|it| it["type"] == *ty).unwrap();
        assert_eq!(asset["size"], data.len());
        assert_eq!(asset["crc"], format!("{:08X}", crc32(data)), "{ty}");
    }
    let from_folder = place.document(&["run", "w", "--frames", "2"]);
    assert_eq!(from_folder["hash"], run["hash"]);
    assert_eq!(from_folder["assets"], run["assets"]);
}

#[test]
fn a_bad_part_is_told_with_key_file_and_fault() {
    let place = Place::new();
    folder(&place);
    let good = manifest(&place);
    let mut man = town::man().unwrap();
    man[0x23] = 0x80;
    place.write("w/bad.man", &man);
    place.write("w/short.PCH", &vectors::patch()[..512]);
    place.write("w/none.mes", b"");
    for (key, value, wanted) in [
        (
            "man",
            json!("bad.man"),
            "w/world.json: \"man\": bad.man: NegativeCount at offset 0x22: ",
        ),
        (
            "patch",
            json!("short.PCH"),
            "w/world.json: \"patch\": short.PCH: Size at offset 0x200: ",
        ),
        (
            "stager",
            json!("owl.tmd"),
            "w/world.json: \"stager\": owl.tmd: SizeLimit at offset 0x1800: ",
        ),
        (
            "stager",
            json!("owl.bank"),
            "w/world.json: \"stager\": owl.bank: BadOffset: ",
        ),
        (
            "members",
            json!([{ "type": "MES", "file": "none.mes" }]),
            "w/world.json: \"members\": none.mes: BadDescriptorOffset at offset 0x0: ",
        ),
        (
            "members",
            json!([{ "type": "MAN", "file": "town.man" }]),
            "w/world.json: members[0]: a member of type MAN is named by the key \"man\"",
        ),
        (
            "members",
            json!(vec![json!({ "type": "MES", "file": "none.mes" }); 33]),
            "w/world.json: BadDescriptorCount: ",
        ),
        (
            "man",
            json!("gone.man"),
            "w/world.json: \"man\": gone.man: No such file",
        ),
        (
            "mann",
            json!("town.man"),
            "w/world.json: unknown field `mann`",
        ),
    ] {
        let mut manifest = good.clone();
        manifest[key] = value;
        place.write("w/world.json", manifest.to_string().as_bytes());
        let error = place.bad(&["disc", "build", "w", "-o", "w.cue"], 1);
        let wanted = format!("overworld: {wanted}");
        assert!(error.starts_with(&wanted), "expected {wanted}: {error}");
        assert!(!place.path("w.bin").exists() && !place.path("w.cue").exists());
    }
}

/// Build a world's disc as a shell on another machine might: from that folder, with this umask and
/// these variables.
#[cfg(unix)]
fn built(place: &Place, folder: &str, umask: &str, variables: &[(&str, &str)]) -> [Vec<u8>; 2] {
    let output = std::process::Command::new("sh")
        .args(["-c", "umask $1; shift; exec \"$@\"", "sh", umask])
        .arg(env!("CARGO_BIN_EXE_overworld"))
        .args(["disc", "build", ".", "-o", "../game.cue", "--force"])
        .envs(variables.iter().copied())
        .current_dir(place.path(folder))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", common::text(&output.stderr));
    ["../game.bin", "../game.cue"].map(|name| {
        let path = place.path(folder).join(name);
        std::fs::read(path).unwrap()
    })
}

#[cfg(unix)]
#[test]
fn the_same_sources_give_the_same_bytes_wherever_they_lie() {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, SystemTime};

    let place = Place::new();
    folder(&place);
    // The same files: written in another order, in a folder of another name and depth, with keys and
    // members in another order, with other times and modes.
    let mut names: Vec<_> = std::fs::read_dir(place.path("w"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.reverse();
    let there = "deep/er/Another World \u{e4}";
    std::fs::create_dir_all(place.path(there)).unwrap();
    for (age, name) in (1..).zip(&names) {
        let path = place.path(there).join(name);
        std::fs::copy(place.path("w").join(name), &path).unwrap();
        let file = std::fs::File::options().append(true).open(&path).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(86_400 * 1000 * age);
        file.set_modified(time).unwrap();
        let mode = std::fs::Permissions::from_mode(if age % 2 == 0 { 0o400 } else { 0o755 });
        std::fs::set_permissions(&path, mode).unwrap();
    }
    let mut sources = manifest(&place);
    sources["members"].as_array_mut().unwrap().reverse();
    let keys = sources.as_object().unwrap().iter().rev();
    let keys: Vec<_> = keys
        .map(|(key, value)| format!("{key:?}:{value}"))
        .collect();
    let text = format!("{{{}}}", keys.join(",\n"));
    assert_ne!(
        text.as_bytes(),
        std::fs::read(place.path("w/world.json")).unwrap()
    );
    let path = place.path(there).join("world.json");
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, text).unwrap();

    let here = built(&place, "w", "022", &[("LC_ALL", "C"), ("TZ", "UTC")]);
    for (umask, variables) in [
        (
            "077",
            &[("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati")][..],
        ),
        ("000", &[("LANG", "ja_JP.SJIS"), ("SOURCE_DATE_EPOCH", "1")]),
        (
            "027",
            &[("LC_ALL", "de_DE"), ("HOME", "/nowhere"), ("NO_COLOR", "1")],
        ),
    ] {
        for folder in ["w", there] {
            let built = built(&place, folder, umask, variables);
            assert!(built == here, "{folder}, umask {umask}, {variables:?}");
        }
    }
}

/// A battle model of another game is an entry of its own behind the bundle, and is shown beside the scene's model.
#[test]
fn a_creature_lies_behind_the_bundle() {
    let place = Place::new();
    place.fine(&["world", "new", "w", "--creatures"]);
    let checked = place.document(&["world", "check", "w"]);
    assert_eq!(checked["ok"], true);
    let members = checked["members"].as_array().unwrap();
    let last = members.last().unwrap();
    assert_eq!(
        (&last["key"], &last["file"], &last["kind"]),
        (&json!("creature"), &json!("toad.dat"), &json!("ff8"))
    );
    place.fine(&["disc", "build", "w", "-o", "w.cue"]);
    let report = place.document(&["disc", "verify", "w.cue"]);
    assert_eq!(
        (&report["ok"], &report["problems"]),
        (&json!(true), &json!([]))
    );
    place.fine(&["disc", "extract", "w.cue", "-o", "out"]);
    let archive = std::fs::read(place.path("out/PROT.DAT")).unwrap();
    let model = std::fs::read(place.path("w/toad.dat")).unwrap();
    assert_eq!(entry(&archive, 6)[..model.len()], model);

    let run = |arguments: &[&str]| place.document(&[&["run", "--frames", "9"], arguments].concat());
    let shown = run(&["w.cue"]);
    assert_eq!(shown["creature"]["crc"], format!("{:08X}", crc32(&model)));
    assert_eq!(shown["creature"]["size"], model.len());
    assert_eq!(shown["creature"]["bones"], 18);
    assert_eq!(shown["hash"], run(&["--creatures"])["hash"]);
    assert_eq!(shown["hash"], run(&["w"])["hash"]);

    // Without its texture nothing of it is seen, which is told.
    assert_eq!(checked["notes"], json!([]));
    let whole = manifest(&place);
    let mut blind = whole.clone();
    blind["textures"] = json!(["owl.tim"]);
    place.write("w/world.json", blind.to_string().as_bytes());
    let checked = place.document(&["world", "check", "w"]);
    let note = "toad.dat: 550 of 550 faces take texels or colours from where none of \"textures\" lies, the first from \
                704, 79 of VRAM";
    assert_eq!(
        (&checked["ok"], &checked["notes"]),
        (&json!(true), &json!([note]))
    );
    place.write("w/world.json", whole.to_string().as_bytes());

    // Without it the scene is shown alone.
    let mut manifest = manifest(&place);
    manifest.as_object_mut().unwrap().remove("creature");
    place.write("w/world.json", manifest.to_string().as_bytes());
    let alone = run(&["w"]);
    assert_eq!(alone["creature"], Value::Null);
    assert_ne!(alone["hash"], shown["hash"]);

    // What is none, is too long, or has a stream that ends early.
    let mut refused = |bytes: &[u8]| {
        place.write("w/bad.dat", bytes);
        manifest["creature"] = "bad.dat".into();
        place.write("w/world.json", manifest.to_string().as_bytes());
        place.bad(&["disc", "build", "w", "-o", "no.cue"], 1)
    };
    let start = "w/world.json: \"creature\": bad.dat: ";
    let error = refused(&[9, 9, 9, 9]);
    assert!(
        error.contains(&format!("{start}BadSectionCount at offset 0x0: ")),
        "{error}"
    );
    let error = refused(&[model.clone(), vec![0; 0x4000]].concat());
    assert!(
        error.contains(&format!("{start}SizeLimit at offset 0x8000: ")),
        "{error}"
    );
    let mut cut = model;
    let at = u32::from_le_bytes(cut[12..16].try_into().unwrap()) as usize;
    // The frame count of the last animation.
    let animation = u32::from_le_bytes(cut[at + 8..at + 12].try_into().unwrap()) as usize;
    cut[at + animation] = 255;
    let error = refused(&cut);
    assert!(
        error.contains(&format!("{start}EndOfStream at offset 0x")),
        "{error}"
    );
}

/// The PC has room for more than the console: 512 KiB of unpacked members.
#[test]
fn a_world_that_only_the_pc_has_room_for_is_told() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let mut said = Vec::new();
    for kib in [400, 600] {
        place.write("w/big.mes", &vec![0x20; kib * 1024]);
        let mut manifest = manifest(&place);
        manifest["members"] = json!([{ "type": "MES", "file": "big.mes" }]);
        place.write("w/world.json", manifest.to_string().as_bytes());
        said.push(place.fine(&["world", "check", "w"]));
        place.fine(&["run", "w", "--frames", "2"]);
    }
    assert!(!said[0].contains("note: "), "{}", said[0]);
    let note = said[1].lines().find(|line| line.starts_with("note: "));
    let note = note.unwrap_or_else(|| panic!("{}", said[1]));
    assert!(
        note.contains("expected at most 524288, which the console's programs have"),
        "{note}"
    );
    let bytes: usize = note
        .split(' ')
        .find_map(|word| word.parse().ok())
        .expect("a number");
    assert!((600 * 1024..700 * 1024).contains(&bytes), "{note}");
}
