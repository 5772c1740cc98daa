//! Names, sizes and streams at the edge of what the tool takes: nothing is lost or guessed there, and what is refused is
//! told.

mod common;
#[path = "common/vectors.rs"]
mod vectors;

use std::fs::{self, File};
use std::process::Command;

use common::{Place, json, text};
use overworld_host::sample;
use serde_json::Value;

const RAW: usize = 2352;

/// A call that fails with a status and a document; the document, and standard error.
fn told(place: &Place, arguments: &[&str], status: i32) -> (Value, String) {
    let output = place.overworld(arguments);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}");
    (json(&text(&output.stdout)), text(&output.stderr))
}

#[test]
fn a_level_is_not_replaced_by_its_world() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "m.wad"]);
    let level = fs::read(place.path("m.wad")).unwrap();
    fs::create_dir(place.path("d")).unwrap();
    for name in ["owl.tim", "world.json", "font.tim"] {
        let file = format!("d/{name}");
        place.write(&file, &level);
        for folder in ["d", "./x/../d", "link"] {
            if folder == "link" && !place.path("link").exists() {
                #[cfg(unix)]
                std::os::unix::fs::symlink("d", place.path("link")).unwrap();
            }
            if folder.starts_with("./x") {
                fs::create_dir_all(place.path("x")).unwrap();
            }
            let error = place.bad(&["llama", "world", &file, folder, "--force"], 2);
            let wanted = format!("{folder}/{name}: is the input; nothing is overwritten in place");
            assert!(error.contains(&wanted), "{error}");
            assert_eq!(fs::read(place.path(&file)).unwrap(), level);
            assert_eq!(fs::read_dir(place.path("d")).unwrap().count(), 1);
        }
        fs::remove_file(place.path(&file)).unwrap();
    }
}

#[test]
fn two_names_of_one_output_are_told_before_it_exists() {
    let place = Place::new();
    for gif in [
        "./p/../p/frame00000.png",
        "q/../p/frame00001.png",
        "p/./../p",
    ] {
        let call = ["run", "--town", "--frames", "2", "--png", "p", "--gif", gif];
        let error = place.bad(&[&call[..], &["--force"]].concat(), 2);
        assert!(
            error.contains("two outputs would be this one file"),
            "{error}"
        );
        assert!(!place.path("p").exists());
    }
}

#[test]
fn a_sheet_names_its_image_to_the_letter() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    place.write("game.bin", &sample::town_image(None).unwrap());
    place.fine(&["disc", "build", "w", "-o", " game.cue"]);
    let info = place.document(&["disc", "info", " game.cue"]);
    assert_eq!(info["scenes"][0]["name"], sample::SCENE);
}

#[cfg(unix)]
#[test]
fn results_that_cannot_be_written_are_a_failure() {
    let place = Place::new();
    place.write("in", b"some bytes of a file");
    fs::create_dir(place.path("folder")).unwrap();
    for call in [
        "lzs encode in",
        "identify in --json",
        "run --frames 1 --hashes -",
        "--help",
        "ff8 sample -o toad.dat",
    ] {
        for closed in ["/dev/null", "folder"] {
            let output = Command::new(env!("CARGO_BIN_EXE_overworld"))
                .args(call.split(' '))
                .current_dir(place.path(""))
                .stdout(File::open(place.path(closed)).unwrap())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(1), "{call}");
            let error = text(&output.stderr);
            let wanted = "overworld: standard output: is not open for writing\n";
            assert!(error.ends_with(wanted), "{call}: {error}");
        }
    }
    // A pipe's other end is never ready for what is written.
    let (reader, _writer) = std::io::pipe().unwrap();
    let mut call = Command::new(env!("CARGO_BIN_EXE_overworld"));
    call.args(["lzs", "encode", "in"])
        .current_dir(place.path(""));
    let status = call.stdout(reader).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn heights_are_those_of_a_man() {
    let place = Place::new();
    place.write("m.MAP", &[0; 73728]);
    let probe = |lut: &str| {
        place.overworld([
            "map", "probe", "m.MAP", "--x", "1", "--z", "1", "--lut", lut,
        ])
    };
    for (name, bytes) in [
        ("disc.bin", sample::image(None).unwrap()),
        ("zeros", vec![0; 70_000]),
        ("own.MAP", sample::world().unwrap().map.1),
    ] {
        place.write(name, &bytes);
        let output = probe(name);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let error = text(&output.stderr);
        assert!(
            error.contains(&format!("{name}: expected a MAN, an array")),
            "{error}"
        );
    }
    // 32 bytes are heights whatever they begin with.
    let mut table = [0; 32];
    table[0] = b'[';
    place.write("table", &table);
    assert!(text(&probe("table").stdout).contains("floor 91"));
    place.write("man", &vectors::man());
    assert_eq!(probe("man").status.code(), Some(0));
}

#[test]
fn no_file_is_longer_than_its_kind_can_be() {
    let place = Place::new();
    let long = |name: &str, length| {
        File::create(place.path(name))
            .unwrap()
            .set_len(length)
            .unwrap();
    };
    long("record", 0x1_0001);
    long("part", (16 << 20) + 1);
    for call in [
        "vm disasm record",
        "vm disasm record --json",
        "lzs encode part -o out",
        "man info part",
        "man dump part",
        "map info part",
        "map probe part --x 0 --z 0",
        "tim info part",
        "tmd info part",
        "anm info part",
        "bundle info part",
        "stager info part",
    ] {
        let words: Vec<&str> = call.split(' ').collect();
        let error = place.bad(&words, 1);
        assert!(error.contains("is longer than the "), "{call}: {error}");
    }
    long("record", 0x1_0000);
    let document = place.document(&["vm", "disasm", "record"]);
    assert!(!document["lines"].as_array().unwrap().is_empty());
}

#[test]
fn a_record_is_as_long_as_its_counter_reaches() {
    let place = Place::new();
    place.write("fits", &b"nop.f\n".repeat(0x1_0000));
    place.fine(&["vm", "asm", "fits", "-o", "out"]);
    assert_eq!(fs::metadata(place.path("out")).unwrap().len(), 0x1_0000);
    place.write("long", &b"nop.f\n".repeat(70_000));
    let error = place.bad(&["vm", "asm", "long", "-o", "out"], 1);
    let wanted = "long: line 65537, column 1: this is behind the 65536 bytes of a record";
    assert!(error.contains(wanted), "{error}");
    let code = "21".repeat(70_000);
    let man = format!(r#"{{"objects": [{{"code": "{code}"}}]}}"#);
    place.write("man.json", man.as_bytes());
    let output = place.overworld(["man", "build", "man.json", "-o", "man"]);
    assert_eq!(output.status.code(), Some(0));
    let note = text(&output.stderr);
    assert!(note.contains("note: objects[0]: 7000"), "{note}");
}

#[test]
fn what_cannot_be_drawn_is_told_before_it_is_played() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    place.fine(&["disc", "build", "w", "-o", "good.cue"]);
    let mut model = fs::read(place.path("w/owl.tmd")).unwrap();
    // The first object's vertices, one byte further to the front.
    model[12] -= 1;
    place.write("w/owl.tmd", &model);
    let wanted = "world.json: \"models\": owl.tmd: Misaligned at offset 0xc: object 0: expected vertices at a multiple of 4";
    for call in [
        &["world", "check", "w"][..],
        &["disc", "build", "w", "-o", "o.cue"],
        &["run", "w", "--frames", "1"],
    ] {
        let output = place.overworld(call);
        assert_eq!(output.status.code(), Some(1), "{call:?}");
        let error = text(&output.stderr);
        assert!(error.contains(wanted), "{call:?}: {error}");
    }
}

#[test]
fn a_failed_check_has_a_document() {
    let place = Place::new();
    let image = sample::image(None).unwrap();
    let mut first = image.clone();
    first[0] = 1;
    first[40 * RAW + 100] ^= 1;
    place.write("first.bin", &first);
    place.write("long.bin", &[&image[..], b"12345"].concat());
    place.write("text.bin", b"no disc");
    let verify = |name: &str| told(&place, &["disc", "verify", name, "--json"], 1);
    let (report, error) = verify("first.bin");
    let problems = report["problems"].as_array().unwrap();
    let names: Vec<&Value> = problems.iter().map(|it| &it["name"]).collect();
    assert_eq!(&names[..2], ["NotRawImage", "BadEdc"], "{report}");
    assert!(report["files"].as_u64() > Some(0));
    assert!(
        error.contains("problems, the first: NotRawImage"),
        "{error}"
    );
    let (report, _) = verify("long.bin");
    assert_eq!(report["problems"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["problems"][0]["name"], "NotRawImage");
    assert_eq!(report["problems"][0]["offset"], image.len());
    assert!(report["members"].as_u64() > Some(0));
    for (name, fault) in [("text.bin", "NotRawImage"), ("none.bin", "Io")] {
        let (report, error) = verify(name);
        assert_eq!(report["ok"], false);
        assert_eq!(report["problems"][0]["name"], fault, "{report}");
        assert!(
            error.starts_with(&format!("overworld: {name}: ")),
            "{error}"
        );
    }
    place.fine(&["world", "new", "w"]);
    let manifest = fs::read_to_string(place.path("w/world.json")).unwrap();
    for (text, said) in [
        (
            manifest.replace("owl.bank", "gone"),
            "world.json: \"bank\": gone: No such file",
        ),
        (
            manifest.replace("\"owl.bank\"", "\"\""),
            "\"bank\": expected the name of a file, found an empty text",
        ),
        (manifest.replace("\"bank\"", "\"bink\""), "unknown field"),
        ("{".to_owned(), "EOF"),
    ] {
        place.write("w/world.json", text.as_bytes());
        let (report, error) = told(&place, &["world", "check", "w", "--json"], 1);
        assert_eq!(report["ok"], false);
        assert!(report["error"].as_str().unwrap().contains(said), "{report}");
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_type_that_is_none_is_told() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let manifest = fs::read_to_string(place.path("w/world.json")).unwrap();
    let mut manifest = json(&manifest);
    for (ty, said) in [
        (serde_json::json!(-1), "or its number, found \"-1\""),
        (
            serde_json::json!([4]),
            "expected the type's name or number, found a list",
        ),
        (
            Value::Null,
            "expected the type's name or number, found null",
        ),
    ] {
        manifest["members"] = serde_json::json!([{ "type": ty, "file": "owl.tim" }]);
        place.write("w/world.json", manifest.to_string().as_bytes());
        let error = place.bad(&["world", "check", "w"], 1);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn one_bad_level_does_not_cost_the_types_of_the_others() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "m.wad"]);
    place.write("bad.wad", b"no level");
    let (types, error) = told(
        &place,
        &["llama", "types", "bad.wad", "m.wad", "none", "--json"],
        1,
    );
    assert_eq!(types["levels"].as_array().unwrap().len(), 1);
    assert_eq!(types["levels"][0]["file"], "m.wad");
    assert_eq!(types["unread"][0]["file"], "none");
    assert_eq!(types["unread"][1]["file"], "bad.wad");
    assert!(
        error.ends_with("overworld: 2 of 3 files could not be read\n"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn what_stands_in_the_way_is_called_what_it_is() {
    let place = Place::new();
    place.write("a.bin", &sample::image(None).unwrap());
    fs::create_dir(place.path("q")).unwrap();
    place.write("x", b"");
    for link in ["q/PROT.DAT", "link"] {
        std::os::unix::fs::symlink("x", place.path(link)).unwrap();
    }
    let link = "is a symbolic link, in whose place no file is put";
    let devices = [&["run", "--frames", "1", "--record", "/dev/full"][..]];
    for (calls, said) in [
        (
            &[
                &["disc", "extract", "a.bin", "-o", "q"][..],
                &["disc", "extract", "a.bin", "-o", "q", "--force"],
                &["tim", "font", "-o", "link"],
                &["run", "--frames", "1", "--record", "link"],
            ][..],
            link,
        ),
        (&devices, "exists and is no regular file"),
    ] {
        for call in calls {
            let error = place.bad(call, 1);
            assert!(error.contains(said), "{call:?}: {error}");
        }
    }
    if cfg!(target_os = "linux") {
        let error = place.bad(&["tim", "font", "-o", "/proc/x"], 1);
        assert!(
            error.contains("nothing can be made in the folder /proc"),
            "{error}"
        );
    }
}

#[test]
fn an_output_that_cannot_be_is_told_before_the_work() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    for (output, said) in [
        ("folder", "is a folder; a file is to be written"),
        ("none/out", "the folder none does not exist"),
    ] {
        // The input is not even looked at.
        let error = place.bad(&["lzs", "encode", "nothing", "-o", output], 1);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn wrong_words_are_told_as_what_they_are() {
    let place = Place::new();
    place.write("a.bin", &sample::image(None).unwrap());
    place.write("in", b"1234");
    for (call, said) in [
        ("disc ls -", "an image cannot be standard input"),
        ("disc verify -", "an image cannot be standard input"),
        ("run -", "an image cannot be standard input"),
        ("run --frames 4294967296", "expected 1 to 4294967295"),
        ("run --frames 0", "expected 1 to 4294967295"),
        ("lzs decode in --size -1", "expected 0 to 4294967295"),
    ] {
        let words: Vec<&str> = call.split(' ').collect();
        let error = place.bad(&words, 2);
        assert!(error.contains(said), "{call}: {error}");
        assert!(!error.contains("-- -1"), "{call}: {error}");
    }
    let error = place.bad(&["disc", "extract", "a.bin", "-o", "d", ""], 2);
    assert!(
        error.contains("expected a path on the disc, found an empty text"),
        "{error}"
    );
    assert!(!place.path("d").exists());
}

#[test]
fn messages_have_an_end() {
    let place = Place::new();
    let key = "k".repeat(1_000_000);
    place.write("man.json", format!("{{\"{key}\": 1}}").as_bytes());
    let error = place.bad(&["man", "build", "man.json", "-o", "out"], 1);
    assert!(
        error.len() < 5000 && error.contains("unknown field"),
        "{}",
        error.len()
    );
    assert!(error.ends_with("line 1 column 1000003\n"), "{error}");
    let keys: Vec<String> = (0..500).map(|it| format!("\"k{it}\": 1")).collect();
    let actor = format!(
        r#"{{"kind": "moving", "x": 0, "z": 0, {}}}"#,
        keys.join(", ")
    );
    place.write(
        "walk.json",
        format!(r#"{{"actors": [{actor}]}}"#).as_bytes(),
    );
    let output = place.overworld(["field", "run", "walk.json"]);
    let error = text(&output.stderr);
    assert_eq!(error.lines().count(), 21, "{error}");
    assert!(
        error.ends_with("480 more keys are not known, and passed over\n"),
        "{error}"
    );
}

#[test]
fn pictures_of_a_longer_play_are_told() {
    let place = Place::new();
    let said = place.fine(&["run", "--frames", "3", "--png", "p"]);
    assert!(!said.contains("note: "), "{said}");
    let said = place.fine(&["run", "--frames", "1", "--png", "p"]);
    assert!(
        said.contains("note: 2 pictures of later frames in there"),
        "{said}"
    );
}
