//! Files that the tool writes: where, with which mode, and what is left when it is stopped.

mod common;

use common::{Place, text};
use overworld_host::psexe;
use overworld_host::sample;

/// Names in the test's folder.
fn names(place: &Place) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(place.path(""))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What cannot be written is told before it is played, and whatever can be is not begun.
#[test]
fn outputs_of_a_play_are_tried_before_it() {
    let place = Place::new();
    std::fs::create_dir(place.path("dir")).unwrap();
    place.write("file", b"mine");
    let mut targets = vec![
        ("none/x", "none/x: the folder none does not exist"),
        ("file/x", "file/x: file is no folder"),
        ("dir", "dir: is a folder; a file is to be written"),
    ];
    if cfg!(target_os = "linux") {
        targets.push(("/proc/none", "/proc/none: "));
    }
    let before = names(&place);
    for (target, message) in targets {
        for option in ["--gif", "--record", "--hashes"] {
            // Each line of hashes is printed as its frame is played, and each picture appears with it.
            let shown = match option {
                "--hashes" => ["--png", "png"],
                _ => ["--hashes", "-"],
            };
            for force in [&[][..], &["--force"]] {
                let call = ["run", "--frames", "3", option, target, shown[0], shown[1]];
                let error = place.bad(&[&call[..], force].concat(), 1);
                let expected = format!("overworld: {message}");
                assert!(error.starts_with(&expected), "{option}: {error}");
                assert_eq!(names(&place), before, "{option} {target}");
            }
        }
    }
    // A folder of pictures that takes none.
    if cfg!(target_os = "linux") {
        let call = ["run", "--frames", "3", "--png", "/proc", "--hashes", "-"];
        let error = place.bad(&call, 1);
        assert!(
            error.starts_with("overworld: /proc/frame00000.png: "),
            "{error}"
        );
    }
    assert_eq!(std::fs::read(place.path("file")).unwrap(), b"mine");
}

#[test]
fn a_disc_is_built_whole_or_not_at_all() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    std::fs::create_dir(place.path("dir")).unwrap();
    std::fs::create_dir(place.path("dir.cue")).unwrap();
    std::fs::create_dir(place.path("image.bin")).unwrap();
    place.write("dir.bin", b"mine");
    place.write("x.bin", b"mine");
    place.write("file", b"mine");
    let before = names(&place);
    for (target, status, message) in [
        (
            "x",
            2,
            "x: expected the name of a cue sheet, such as game.cue",
        ),
        ("x.iso", 2, "x.iso: expected the name of a cue sheet"),
        ("x.bin", 2, "x.bin: expected the name of a cue sheet"),
        ("dir", 2, "dir: expected the name of a cue sheet"),
        ("dir/", 2, "dir/: expected the name of a cue sheet"),
        ("", 2, ""),
        (".", 2, ".: expected the name of a cue sheet"),
        (
            "dir.cue",
            1,
            "dir.cue: is a folder; a file is to be written",
        ),
        ("dir.cue/", 1, "dir.cue/: is the name of a folder"),
        ("x.cue/", 1, "x.cue/: is the name of a folder"),
        ("image.cue", 1, "image.bin: is a folder"),
        (
            "none/x.cue",
            1,
            "none/x.bin: the folder none does not exist",
        ),
        ("file/x.cue", 1, "file/x.bin: file is no folder"),
    ] {
        for force in [&[][..], &["--force"]] {
            let call = [&["disc", "build", "w", "-o", target][..], force].concat();
            let error = place.bad(&call, status);
            assert!(error.contains(message), "{target}: {error}");
            assert_eq!(names(&place), before, "{target}");
            for file in ["dir.bin", "x.bin", "file"] {
                assert_eq!(
                    std::fs::read(place.path(file)).unwrap(),
                    b"mine",
                    "{target}"
                );
            }
        }
    }
    place.fine(&["disc", "build", "w", "-o", "dir/OUT.CUE"]);
    assert_eq!(
        std::fs::read(place.path("dir/OUT.bin")).unwrap(),
        sample::image(None).unwrap()
    );
}

#[test]
fn a_disc_does_not_replace_what_it_is_built_from() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let header = psexe::Header {
        pc: 0x8001_0000,
        load: 0x8001_0000,
        sp_base: 0x801F_FF00,
        ..psexe::Header::default()
    };
    let exe = psexe::emit(&header, &[0; 100]).unwrap();
    place.write("game.bin", &exe);
    let call = [
        "disc", "build", "w", "--exe", "game.bin", "-o", "game.cue", "--force",
    ];
    let error = place.bad(&call, 2);
    assert!(error.contains("game.bin: is the input"), "{error}");
    assert_eq!(std::fs::read(place.path("game.bin")).unwrap(), exe);
    std::fs::rename(place.path("w/owl.bank"), place.path("w/owl.bin")).unwrap();
    let manifest = std::fs::read_to_string(place.path("w/world.json")).unwrap();
    place.write(
        "w/world.json",
        manifest.replace("owl.bank", "owl.bin").as_bytes(),
    );
    let error = place.bad(&["disc", "build", "w", "-o", "w/owl.cue", "--force"], 2);
    assert!(error.contains("w/owl.bin: is the input"), "{error}");
}

#[test]
fn an_empty_list_of_a_world_is_named() {
    let place = Place::new();
    for (key, what) in [("textures", "TIM"), ("models", "TMD")] {
        place.fine(&["world", "new", key]);
        let path = format!("{key}/world.json");
        let manifest = std::fs::read_to_string(place.path(&path)).unwrap();
        let mut world = common::json(&manifest);
        world[key] = serde_json::json!([]);
        place.write(&path, world.to_string().as_bytes());
        let wanted = format!(
            "overworld: {key}/world.json: NoMembers: expected at least one {what} file in \
             \"{key}\", found an empty list\n"
        );
        assert_eq!(place.bad(&["disc", "build", key, "-o", "x.cue"], 1), wanted);
        let output = place.overworld(["world", "check", key]);
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(1), wanted)
        );
    }
}

#[test]
fn results_come_before_a_picture_that_cannot_be_written() {
    let place = Place::new();
    // Something else of the name, as good as a folder that cannot be written.
    std::fs::create_dir(place.path("overworld.png")).unwrap();
    let output = place.overworld(["run", "--frames", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    assert!(
        out.contains("2 frames in ") && out.contains("state hash"),
        "{out}"
    );
    let error = text(&output.stderr);
    assert!(
        error.starts_with("overworld: overworld.png: is a folder"),
        "{error}"
    );
}

#[test]
fn a_picture_of_the_same_name_is_left_alone() {
    let place = Place::new();
    let first = place.fine(&["run", "--frames", "2"]);
    assert!(first.contains("a picture is in overworld.png"), "{first}");
    let picture = std::fs::read(place.path("overworld.png")).unwrap();
    // Again, without a word.
    let again = place.fine(&["run", "--frames", "2"]);
    assert!(again.contains("a picture is in overworld.png"), "{again}");
    place.write("overworld.png", b"mine");
    let kept = place.fine(&["run", "--frames", "2"]);
    assert!(
        kept.contains("overworld.png exists with other content and is left alone; --force"),
        "{kept}"
    );
    assert_eq!(std::fs::read(place.path("overworld.png")).unwrap(), b"mine");
    place.fine(&["run", "--frames", "2", "--force"]);
    assert_eq!(std::fs::read(place.path("overworld.png")).unwrap(), picture);
}

#[test]
fn hashes_and_pictures_of_the_same_content_are_left_alone() {
    let place = Place::new();
    let call = ["run", "--frames", "2", "--png", "p", "--hashes", "h.txt"];
    place.fine(&call);
    let modified = |name: &str| {
        let found = std::fs::metadata(place.path(name)).unwrap();
        found.modified().unwrap()
    };
    let files = ["h.txt", "p/frame00000.png", "p/frame00001.png"];
    let before = files.map(modified);
    place.fine(&call);
    assert_eq!(files.map(modified), before, "nothing was written again");
    // Other content is told: something else, a longer file, a shorter one.
    let hashes = std::fs::read(place.path("h.txt")).unwrap();
    for other in [
        b"mine".to_vec(),
        [&hashes, &b"2"[..]].concat(),
        hashes[..20].to_vec(),
    ] {
        place.write("h.txt", &other);
        let output = place.overworld(["run", "--frames", "2", "--hashes", "h.txt"]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            text(&output.stderr),
            "overworld: h.txt: exists with other content; --force replaces it\n"
        );
        assert_eq!(std::fs::read(place.path("h.txt")).unwrap(), other);
    }
    place.fine(&["run", "--frames", "2", "--hashes", "h.txt", "--force"]);
    assert_eq!(std::fs::read(place.path("h.txt")).unwrap(), hashes);
    place.write("p/frame00001.png", b"mine");
    let error = place.bad(&["run", "--frames", "2", "--png", "p"], 1);
    assert!(
        error.contains("frame00001.png: exists with other content; --force"),
        "{error}"
    );
    assert_eq!(std::fs::read(place.path(files[2])).unwrap(), b"mine");
    place.fine(&["run", "--frames", "2", "--png", "p", "--force"]);
    assert_ne!(std::fs::read(place.path(files[2])).unwrap(), b"mine");
}

#[test]
fn a_worlds_folder_is_played() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let before = names(&place);
    let played = place.document(&["run", "w", "--frames", "2"]);
    let sample = place.document(&["run", "--frames", "2"]);
    assert_eq!(played["world"], "w");
    assert_eq!(
        (&played["hash"], &played["assets"]),
        (&sample["hash"], &sample["assets"])
    );
    assert_eq!(names(&place), before, "nothing is left");
    // The scene's name is the world's.
    let manifest = std::fs::read_to_string(place.path("w/world.json")).unwrap();
    place.write(
        "w/world.json",
        manifest.replace("\"demo\"", "\"town\"").as_bytes(),
    );
    assert_eq!(
        place.document(&["run", "w", "--frames", "1"])["scene"],
        "town"
    );
    place.write("w/owl.tim", b"PNG?");
    let error = place.bad(&["run", "w", "--frames", "1"], 1);
    assert!(
        error.starts_with("overworld: w/world.json: \"textures\": owl.tim: BadTim"),
        "{error}"
    );
    std::fs::create_dir(place.path("empty")).unwrap();
    assert_eq!(
        place.bad(&["run", "empty", "--frames", "1"], 1),
        "overworld: empty: expected a disc image or a world's folder, found a folder without \
         world.json\n"
    );
}

#[test]
fn the_kept_picture_is_that_of_the_frame_that_is_told() {
    let place = Place::new();
    for (frames, told) in [
        (41, "overworld.png: frame 40\n"),
        (
            3,
            "overworld.png: frame 2, the last, since frame 40 was not played\n",
        ),
        (1, "overworld.png: frame 0, the last"),
    ] {
        let count = frames.to_string();
        let out = place.fine(&["run", "--frames", &count, "--force"]);
        assert!(out.contains(told), "{out}");
        let last = format!("p/frame{:05}.png", frames - 1);
        place.fine(&["run", "--frames", &count, "--png", "p"]);
        assert_eq!(
            std::fs::read(place.path("overworld.png")).unwrap(),
            std::fs::read(place.path(&last)).unwrap()
        );
    }
    let out = place.fine(&["run", "--frames", "1", "--force"]);
    assert!(out.contains("\n1 frame in "), "{out}");
}

#[test]
fn hashes_on_standard_output_stand_alone() {
    let place = Place::new();
    let out = place.fine(&["run", "--frames", "3", "--hashes", "-"]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    for (number, line) in lines.iter().enumerate() {
        assert!(line.starts_with(&format!("{number} ")), "{line}");
    }
    let error = place.bad(&["run", "--frames", "3", "--hashes", "-", "--json"], 2);
    assert!(
        error.contains("--json and --hashes - both want standard output"),
        "{error}"
    );
}

#[test]
fn frames_are_a_number_as_all_are() {
    let place = Place::new();
    let document = place.document(&["run", "--frames", "0x3"]);
    assert_eq!(document["frames"], 3);
}

#[test]
fn the_only_scene_of_a_disc_is_played() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let manifest = std::fs::read_to_string(place.path("w/world.json")).unwrap();
    place.write(
        "w/world.json",
        manifest.replace("\"demo\"", "\"town\"").as_bytes(),
    );
    place.fine(&["disc", "build", "w", "-o", "town.cue"]);
    let document = place.document(&["run", "town.cue", "--frames", "2"]);
    assert_eq!(document["scene"], "town");
    assert_eq!(
        document["hash"],
        place.document(&["run", "--frames", "2"])["hash"]
    );
    // Of several one must be named.
    let mut world = sample::world().unwrap();
    world.scene = "one".to_owned();
    let build = |names: &[u8]| {
        let mut tree = overworld_host::image::Tree::new();
        tree.file("PROT.DAT", world.archive().unwrap()).unwrap();
        tree.file("CDNAME.TXT", names.to_vec()).unwrap();
        overworld_host::image::build(&tree).unwrap()
    };
    place.write("two.bin", &build(b"#define one 2\n#define two 6\n"));
    let error = place.bad(&["run", "two.bin", "--frames", "1"], 2);
    assert!(
        error.contains("two.bin: has several scenes, name one with --scene: one, two\n"),
        "{error}"
    );
    place.fine(&["run", "two.bin", "--frames", "1", "--scene", "one"]);
    let many: String = (0..50)
        .map(|it| format!("#define s{it} {}\n", it + 2))
        .collect();
    place.write("many.bin", &build(many.as_bytes()));
    let error = place.bad(&["run", "many.bin", "--frames", "1"], 2);
    assert!(
        error.contains("s0, s1, ") && error.contains("s19 and 30 more"),
        "{error}"
    );
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use overworld_host::image::{self, Tree};
    use overworld_runtime::disc::sector::{self, RAW};

    fn mode(place: &Place, name: &str) -> u32 {
        let found = std::fs::metadata(place.path(name)).unwrap();
        found.permissions().mode() & 0o777
    }

    #[test]
    fn files_have_the_mode_that_the_umask_leaves() {
        let place = Place::new();
        place.fine(&["world", "new", "w"]);
        for (umask, expected) in [
            ("022", 0o644),
            ("077", 0o600),
            ("002", 0o664),
            ("000", 0o666),
        ] {
            let call = format!(
                "umask {umask} && exec_() {{ '{tool}' \"$@\"; }} && \
                 exec_ disc build w -o {umask}.cue && exec_ world new new{umask} && \
                 exec_ lzs encode w/world.json -o {umask}.lzs && \
                 exec_ run --frames 1 --hashes {umask}.txt && \
                 exec_ disc extract {umask}.cue -o out{umask}",
                tool = env!("CARGO_BIN_EXE_overworld")
            );
            let done = Command::new("sh")
                .args(["-c", &call])
                .current_dir(place.path(""))
                .output()
                .unwrap();
            assert_eq!(text(&done.stderr), "");
            for name in [
                format!("{umask}.cue"),
                format!("{umask}.bin"),
                format!("{umask}.lzs"),
                format!("{umask}.txt"),
                format!("new{umask}/world.json"),
                format!("out{umask}/PROT.DAT"),
            ] {
                assert_eq!(mode(&place, &name), expected, "{name}");
            }
        }
        // A file that is replaced keeps its own.
        for name in ["022.bin", "022.cue", "out022/PROT.DAT"] {
            let path = place.path(name);
            std::fs::write(&path, b"other").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        }
        place.fine(&["disc", "build", "w", "-o", "022.cue", "--force"]);
        place.fine(&["disc", "extract", "022.cue", "-o", "out022", "--force"]);
        for name in ["022.bin", "022.cue", "out022/PROT.DAT"] {
            assert_eq!(mode(&place, name), 0o640, "{name}");
        }
    }

    /// A disc with one file of so many blank sectors. Their checks do not cover the address, so they
    /// are made once.
    fn large(sectors: u32) -> Vec<u8> {
        let mut tree = Tree::new();
        tree.file("A.DAT", vec![0; 2048]).unwrap();
        let mut image = image::build(&tree).unwrap();
        image.truncate(24 * RAW);
        let mut patch = |lba: usize, at: usize, value: u32| {
            let raw: &mut [u8; RAW] = (&mut image[lba * RAW..][..RAW]).try_into().unwrap();
            raw[24 + at..][..4].copy_from_slice(&value.to_le_bytes());
            raw[24 + at + 4..][..4].copy_from_slice(&value.to_be_bytes());
            sector::seal(raw);
        };
        patch(16, 80, 23 + sectors);
        // The third record of the root directory.
        patch(22, 96 + 10, sectors * 2048);
        let mut blank = [0; RAW];
        sector::build(23, 8, &[0; 2048], &mut blank).unwrap();
        image.truncate(23 * RAW);
        for lba in 23..23 + sectors {
            let at = lba + 150;
            let bcd = |value: u32| (value / 10 * 16 + value % 10) as u8;
            blank[12..15].copy_from_slice(&[bcd(at / 4500), bcd(at / 75 % 60), bcd(at % 75)]);
            image.extend(blank);
        }
        image
    }

    fn signal(name: &str, process: &std::process::Child) {
        crate::common::kill(name, process.id());
    }

    fn start(place: &Place, arguments: &[&str]) -> std::process::Child {
        Command::new(env!("CARGO_BIN_EXE_overworld"))
            .args(arguments)
            .current_dir(place.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    #[test]
    fn a_program_that_is_stopped_leaves_nothing_behind() {
        let place = Place::new();
        place.write("large.bin", &large(4_000));
        std::fs::create_dir(place.path("out")).unwrap();
        let inside = || {
            std::fs::read_dir(place.path("out"))
                .unwrap()
                .map(|it| it.unwrap().file_name().into_string().unwrap())
                .collect::<Vec<_>>()
        };
        let call = ["disc", "extract", "large.bin", "-o", "out"];
        for (name, number, left) in [("-INT", 2, 0), ("-TERM", 15, 0), ("-KILL", 9, 1)] {
            let mut process = start(&place, &call);
            let began = Instant::now();
            while inside().is_empty() {
                let ended = process.try_wait().unwrap();
                assert!(ended.is_none(), "it ends by itself: {ended:?}");
                assert!(
                    began.elapsed() < Duration::from_secs(60),
                    "it does not begin"
                );
                std::thread::sleep(Duration::from_millis(1));
            }
            signal(name, &process);
            let status = process.wait().unwrap();
            assert_eq!(status.signal(), Some(number), "{status}");
            assert_eq!(inside().len(), left, "{name}: {:?}", inside());
        }
        // What no program could clean up, the next one does.
        place.fine(&["world", "new", "out"]);
        assert_eq!(inside().len(), 5, "{:?}", inside());
    }

    #[test]
    fn a_signal_ends_what_waits_for_input() {
        let place = Place::new();
        let mut process = start(&place, &["lzs", "encode", "-", "-o", "out"]);
        std::thread::sleep(Duration::from_millis(100));
        signal("-TERM", &process);
        assert_eq!(process.wait().unwrap().signal(), Some(15));
        assert_eq!(names(&place), Vec::<String>::new());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_system_without_room_keeps_no_empty_folder() {
        let place = Place::new();
        place.fine(&["world", "new", "old"]);
        place.fine(&["disc", "build", "old", "-o", "x.cue"]);
        let before = names(&place);
        for call in [
            "world new w",
            "world new a/b/w",
            "run --frames 2 --png p",
            "run --frames 2 --png a/p",
            "disc extract x.cue -o e",
            "disc extract x.cue -o a/e",
        ] {
            // As good as a full disk: no file may have a byte.
            let script = format!(
                "trap '' XFSZ; ulimit -f 0; exec '{}' {call}",
                env!("CARGO_BIN_EXE_overworld")
            );
            let output = Command::new("sh")
                .args(["-c", &script])
                .current_dir(place.path(""))
                .output()
                .unwrap();
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{call}: {error}");
            assert!(error.contains("File too large"), "{call}: {error}");
            // Nobody knows the names of unfinished files.
            assert!(!error.contains(".overworld-"), "{call}: {error}");
            assert_eq!(names(&place), before, "{call}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_signal_that_is_ignored_stays_ignored() {
        let place = Place::new();
        let call = format!(
            "trap '' INT; exec '{}' lzs encode - -o out",
            env!("CARGO_BIN_EXE_overworld")
        );
        let mut process = Command::new("sh")
            .args(["-c", &call])
            .current_dir(place.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // The handler of the other signal shows that the tool has begun.
        let status = format!("/proc/{}/status", process.id());
        let handles_term = || {
            let status = std::fs::read_to_string(&status).unwrap();
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            u64::from_str_radix(mask.unwrap().trim(), 16).unwrap() >> 14 & 1 != 0
        };
        let began = Instant::now();
        while !handles_term() {
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "it does not begin"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        signal("-INT", &process);
        drop(process.stdin.take());
        assert_eq!(process.wait().unwrap().code(), Some(0));
        assert_eq!(names(&place), ["out"]);
    }

    #[test]
    fn a_play_that_a_signal_cuts_short_says_so() {
        let place = Place::new();
        let process = start(
            &place,
            &[
                "run", "--frames", "100000", "--png", "p", "--hashes", "h.txt", "--gif", "g.gif",
            ],
        );
        let began = Instant::now();
        while !place.path("p/frame00001.png").exists() {
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "it does not begin"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        signal("-INT", &process);
        let output = process.wait_with_output().unwrap();
        let error = text(&output.stderr);
        // As any program does: a shell calls it 130.
        assert_eq!(output.status.signal(), Some(2), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(
            error.starts_with("overworld: stopped by a signal after ")
                && error.ends_with(
                    " frames; their pictures are in p; no hashes are written; no GIF is written\n"
                ),
            "{error}"
        );
        assert_eq!(names(&place), ["p"]);
        let odd = std::fs::read_dir(place.path("p")).unwrap().find(|it| {
            let name = it.as_ref().unwrap().file_name();
            !name.to_str().unwrap().starts_with("frame")
        });
        assert!(odd.is_none(), "{odd:?}");
    }

    #[test]
    fn hashes_that_were_printed_before_a_signal_are_told() {
        use std::io::{BufRead, BufReader, Read};
        let place = Place::new();
        let mut process = start(&place, &["run", "--frames", "100000", "--hashes", "-"]);
        let mut out = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert!(line.starts_with("0 "), "{line}");
        signal("-TERM", &process);
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        let output = process.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(15), "{}", output.status);
        assert_eq!(
            text(&output.stderr),
            format!(
                "overworld: stopped by a signal after {} frame{}; their hashes were printed\n",
                rest.lines().count() + 1,
                if rest.is_empty() { "" } else { "s" }
            )
        );
    }
}
