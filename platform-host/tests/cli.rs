//! The `overworld` binary from outside: what it prints, what it refuses, with which status.

mod common;

use std::path::Path;

use common::{Place, json, text};
use overworld_host::image::{self, Tree};
use overworld_host::psexe::{self, Header};
use overworld_host::sample;
use overworld_host::world::World;
use overworld_runtime::anim::legaia::{self, ClipSource, Pose};
use overworld_runtime::disc::sector::{self, MODE_AT, RAW};

/// The message with which `run` refuses this image; one line.
fn refused(place: &Place, image: &[u8]) -> String {
    place.write("bad.bin", image);
    refused_file(place, "bad.bin")
}

fn refused_file(place: &Place, name: &str) -> String {
    let error = place.bad(&["run", name, "--frames", "1"], 1);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("overworld: "), "{error}");
    assert!(error.contains(name), "{error}");
    assert!(!error.contains("panicked"), "{error}");
    error
}

/// An image around any PROT.DAT.
fn disc(world: &World, archive: Vec<u8>) -> Vec<u8> {
    image::build(&world.tree_of(archive, None).unwrap()).unwrap()
}

#[test]
fn without_arguments_the_sample_world_plays_and_leaves_a_picture() {
    let place = Place::new();
    let out = place.fine(&[]);
    let lines: Vec<&str> = out.lines().collect();
    for (index, ty) in ["01", "02", "05"].iter().enumerate() {
        assert!(
            lines[index].starts_with(&format!("asset {index} type {ty} size ")),
            "{out}"
        );
    }
    assert!(lines[3].contains("frames per second, state hash "), "{out}");
    let file = std::fs::File::open(place.path("overworld.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (320, 228));
    // The owl is neither absent nor does it fill the picture, which begins with four black lines.
    let (border, drawn) = pixels.split_at(3 * 320 * 4);
    assert!(border.iter().all(|&component| component == 0));
    let background = drawn[..3].to_vec();
    let owl = drawn.chunks(3).filter(|pixel| *pixel != background).count();
    assert!((4_000..40_000).contains(&owl), "{owl} pixels");
}

#[test]
fn world_to_disc_to_picture() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    place.fine(&["disc", "build", "w", "-o", "out.cue"]);
    // The image of the sources is the image that plays without arguments.
    assert_eq!(
        std::fs::read(place.path("out.bin")).unwrap(),
        sample::image(None).unwrap()
    );
    let listing = json(&place.fine(&["disc", "ls", "out.cue", "--json"]));
    let paths: Vec<&str> = listing["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["/CDNAME.TXT", "/PROT.DAT", "/SYSTEM.CNF"]);
    assert_eq!(listing["files"][0]["size"], 15);
    let info = json(&place.fine(&["--json", "disc", "info", "out.bin"]));
    assert_eq!(info["scenes"][0]["name"], "demo");
    assert_eq!(info["scenes"][0]["raw"], 2);
    assert_eq!(info["archive"]["entries"][2]["sectors"], 36);

    let from_cue = json(&place.fine(&["run", "out.cue", "--frames", "3", "--json"]));
    let from_memory = json(&place.fine(&["run", "--frames", "3", "--json"]));
    assert_eq!(from_cue["hash"], from_memory["hash"]);
    assert_eq!(from_cue["assets"], from_memory["assets"]);
    assert_eq!(from_cue["frames"], 3);
}

#[test]
fn pictures_and_hashes_are_the_same_each_time() {
    let place = Place::new();
    place.fine(&["run", "--frames", "5", "--png", "p", "--hashes", "a.txt"]);
    let printed = place.fine(&["run", "--frames", "5", "--hashes", "-"]);
    let told = place.fine(&["run", "--frames", "5", "--png", "p", "--hashes", "a.txt"]);
    assert!(
        told.ends_with("5 pictures in p\nthe hashes in a.txt\n"),
        "{told}"
    );
    let written = std::fs::read_to_string(place.path("a.txt")).unwrap();
    assert!(printed.starts_with(&written), "{printed}");
    let lines: Vec<Vec<&str>> = written
        .lines()
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(lines.len(), 5);
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(line[0], number.to_string());
        assert!(line.len() == 3 && line[1].len() == 8 && line[2].len() == 8);
    }
    assert_ne!(lines[0][1], lines[1][1], "the world moves");
    assert_ne!(lines[0][2], lines[4][2], "the picture moves");
    assert_eq!(std::fs::read_dir(place.path("p")).unwrap().count(), 5);
    assert!(!place.path("overworld.png").exists());
}

/// What the game does not have, where one walks: the distance changes pictures alone, precise movement the way.
#[test]
fn a_walk_is_seen_from_afar_and_precise() {
    let place = Place::new();
    let lines = |more: &[&str]| -> Vec<[String; 2]> {
        // Until the tour has walked for a while; without colours, and frame by frame.
        let usual = ["run", "--town", "--frames", "30", "--hashes", "-"];
        let text = place.fine(&[&usual[..], more].concat());
        let line = |it: &str| {
            let mut words = it.split(' ').skip(1).map(str::to_owned);
            [words.next().unwrap(), words.next().unwrap()]
        };
        text.lines().map(line).collect()
    };
    let usual = lines(&[]);
    assert_eq!(lines(&["--camera", "retail"]), usual);
    let [far, farther] = ["far", "farther"].map(|it| lines(&["--camera", it]));
    for (((usual, far), farther), number) in usual.iter().zip(&far).zip(&farther).zip(0..) {
        assert_eq!([&far[0], &farther[0]], [&usual[0]; 2], "frame {number}");
        assert!(far[1] != usual[1] && farther[1] != usual[1] && far[1] != farther[1]);
    }
    // The setting is a part of the state.
    assert_ne!(lines(&["--precise"])[29], usual[29]);

    // Only what was asked for is named.
    for (options, named) in [
        (&["--precise"][..], "--precise changes"),
        (&["--camera", "far"], "--camera changes"),
        (
            &["--camera", "far", "--precise"],
            "--precise and --camera change",
        ),
        (&["--camera", "retail"], ""),
    ] {
        let usual = ["run", "--frames", "1", "--hashes", "-"];
        let output = place.overworld([&usual[..], options].concat());
        assert_eq!(output.status.code(), Some(0));
        let expected = match named {
            "" => String::new(),
            named => format!("overworld: sample disc: {named} nothing where nobody walks\n"),
        };
        assert_eq!(text(&output.stderr), expected);
    }
    // Behind the end of a log nothing is held: whoever asks for more frames than it has is told.
    place.write("log.json", br#"{"pads": [["up", 2]]}"#);
    let town = ["run", "--town", "--replay", "log.json", "--json"];
    for (frames, told) in [
        (
            "5",
            "overworld: log.json: note: the log ends after 2 frames; in the 3 behind it nothing was held\n",
        ),
        ("2", ""),
        ("1", ""),
    ] {
        let output = place.overworld([&town[..], &["--frames", frames]].concat());
        assert_eq!(text(&output.stderr), told);
        let document = common::json(&text(&output.stdout));
        let played: u64 = frames.parse().unwrap();
        assert_eq!(document["frames"], played);
        assert_eq!(document["replayed"], played.min(2));
    }
    // Nor does a pad change anything there.
    place.write("r.json", br#"{"pads": [["up", 2]]}"#);
    for (options, told) in [
        (
            &["--replay", "r.json"][..],
            "--replay tells no more than how long is played",
        ),
        (
            &["--record", "a.json"],
            "what --record writes changes nothing when it is played",
        ),
        (
            &["--replay", "r.json", "--record", "b.json"],
            "--replay and --record tell no more than how long is played",
        ),
    ] {
        let usual = ["run", "--frames", "1", "--hashes", "-"];
        let output = place.overworld([&usual[..], options].concat());
        assert_eq!(output.status.code(), Some(0));
        let expected = format!("overworld: sample disc: {told}, since nobody walks\n");
        assert_eq!(text(&output.stderr), expected);
    }
    let error = place.bad(&["run", "--town", "--camera", "near"], 2);
    assert!(error.contains("retail, far, farther"), "{error}");
}

/// What is no disc and yet a file that the tool knows says what can be done with it.
#[test]
fn what_is_no_disc_has_another_way() {
    let place = Place::new();
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    place.fine(&["ff8", "sample", "-o", "toad.dat"]);
    place.fine(&["world", "new", "town", "--town"]);
    place.write("junk.bin", &[7; 100]);
    for (file, way) in [
        (
            "meadow.wad",
            "meadow.wad: NotRawImage: expected a disc image or a world's folder, found a level; make a world of it with overworld llama world, and play the folder\n",
        ),
        (
            "toad.dat",
            "toad.dat: NotRawImage: expected a disc image or a world's folder, found a battle model; look at it with overworld ff8 strip, or play it as the \"creature\" of a world\n",
        ),
        (
            "town/town.MAP",
            "found a part of a scene; a world's folder names such files, as overworld world new writes one\n",
        ),
        (
            "junk.bin",
            "junk.bin: NotRawImage: expected a multiple of 2352 bytes, or of 2048 with an ISO9660 volume at offset 0x8000, found 100: the file is cut short or not a disc image\n",
        ),
        ("none.bin", "No such file or directory (os error 2)\n"),
    ] {
        let error = place.bad(&["run", file, "--frames", "1"], 1);
        assert!(error.ends_with(way), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}

#[test]
fn a_program_goes_onto_the_disc() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    let header = Header {
        pc: 0x8001_0000,
        load: 0x8001_0000,
        sp_base: 0x801F_FF00,
        ..Header::default()
    };
    let exe = psexe::emit(&header, &[0; 100]).unwrap();
    place.write("a.exe", &exe);
    place.fine(&["disc", "build", "w", "-o", "a.cue", "--exe", "a.exe"]);
    assert_eq!(
        std::fs::read(place.path("a.bin")).unwrap(),
        sample::image(Some(&exe)).unwrap()
    );
    let listing = place.fine(&["disc", "ls", "a.cue"]);
    assert!(listing.contains("/SLUS_999.99"), "{listing}");
    place.write("b.exe", b"\x7fELF");
    let error = place.bad(&["disc", "build", "w", "-o", "b.cue", "--exe", "b.exe"], 1);
    assert!(error.contains("b.exe: boot file: ShortHeader"), "{error}");
    assert!(!place.path("b.cue").exists() && !place.path("b.bin").exists());
}

#[test]
fn files_are_not_overwritten() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    place.fine(&["world", "new", "w"]);
    place.write("w/owl.bank", b"mine");
    assert!(
        place
            .bad(&["world", "new", "w"], 1)
            .contains("owl.bank: exists already")
    );
    place.fine(&["world", "new", "w", "--force"]);
    place.write("out.bin", b"mine");
    let build = ["disc", "build", "w", "-o", "out.cue"];
    assert!(place.bad(&build, 1).contains("out.bin: exists already"));
    assert!(!place.path("out.cue").exists());
    assert_eq!(std::fs::read(place.path("out.bin")).unwrap(), b"mine");
    place.fine(&["disc", "build", "w", "-o", "out.cue", "--force"]);
    place.fine(&build);
}

#[test]
fn a_missing_image() {
    let place = Place::new();
    assert!(refused_file(&place, "none.cue").contains("No such file"));
    assert!(refused_file(&place, "none.bin").contains("No such file"));
    place.write("lost.cue", image::cue_text("gone.bin").as_bytes());
    let error = refused_file(&place, "lost.cue");
    assert!(
        error.contains("MissingBin") && error.contains("gone.bin"),
        "{error}"
    );
}

#[test]
fn a_short_image() {
    let place = Place::new();
    let image = sample::image(None).unwrap();
    // In the middle of a sector, in the system area, in the directory, in the bundle.
    let error = refused(&place, &image[..image.len() - 1000]);
    assert!(
        error.contains("NotRawImage") && error.contains("cut short"),
        "{error}"
    );
    // Read are the volume descriptor at 16, the root directory at 22, CDNAME.TXT at 23, PROT.DAT
    // from 24 on with its bundle at 43 of it.
    for (sectors, missing) in [
        (1, 16),
        (16, 16),
        (20, 22),
        (23, 23),
        (25, 25),
        (40, 67),
        (68, 68),
    ] {
        let error = refused(&place, &image[..sectors * RAW]);
        let wanted = format!("ShortImage: sector {missing} is wanted");
        assert!(error.contains(&wanted), "{error}");
        assert!(
            error.contains(&format!("ends after {sectors} sectors")),
            "{error}"
        );
    }
    assert!(refused(&place, &[]).contains("the file is empty"));
}

#[test]
fn a_wrong_sector_mode() {
    let place = Place::new();
    let mut image = sample::image(None).unwrap();
    image[16 * RAW + MODE_AT] = 1;
    let error = refused(&place, &image);
    assert!(error.contains("BadSectorMode at offset 0x930f"), "{error}");
    let mut image = sample::image(None).unwrap();
    image[16 * RAW + 18] |= 0x20;
    assert!(refused(&place, &image).contains("UnexpectedForm2"));
    let mut image = sample::image(None).unwrap();
    image[16 * RAW + 1000] ^= 1;
    assert!(refused(&place, &image).contains("BadEdc"));
}

#[test]
fn a_disc_without_the_archive() {
    let place = Place::new();
    let mut tree = Tree::new();
    tree.file("CDNAME.TXT", b"#define demo 2\n".to_vec())
        .unwrap();
    let error = refused(&place, &image::build(&tree).unwrap());
    assert!(error.contains("PROT.DAT is not on the disc"), "{error}");
    let mut tree = Tree::new();
    tree.file("PROT.DAT", sample::world().unwrap().archive().unwrap())
        .unwrap();
    let error = refused(&place, &image::build(&tree).unwrap());
    assert!(error.contains("CDNAME.TXT is not on the disc"), "{error}");
}

#[test]
fn a_disc_without_a_volume() {
    let place = Place::new();
    let mut image = sample::image(None).unwrap();
    let mut blank = [0; RAW];
    sector::build(16, 8, &[0; 2048], &mut blank).unwrap();
    image[16 * RAW..17 * RAW].copy_from_slice(&blank);
    assert!(refused(&place, &image).contains("no ISO9660 volume"));
}

#[test]
fn a_scene_that_is_not_there() {
    let place = Place::new();
    let error = place.bad(&["run", "--scene", "moon", "--frames", "1"], 1);
    assert!(
        error.ends_with("CDNAME.TXT defines no scene \"moon\"; there are demo\n"),
        "{error}"
    );
}

#[test]
fn a_stream_that_ends_early() {
    let place = Place::new();
    let world = sample::world().unwrap();
    let mut bundle = world.bundle().unwrap();
    // Member 0 claims 64 KiB more than its stream unpacks to.
    bundle[10] += 1;
    let error = refused(&place, &disc(&world, world.archive_of(&bundle).unwrap()));
    assert!(
        error.contains("bundle member 0") && error.contains("does not unpack"),
        "{error}"
    );
    assert!(
        error.contains("stream ends inside a back-reference"),
        "{error}"
    );
}

#[test]
fn a_bank_of_another_model() {
    let place = Place::new();
    let mut world = sample::world().unwrap();
    let poses = [Pose::default(); 2];
    let clip = ClipSource {
        parts: 2,
        frames: 1,
        blend: true,
        rate: 4,
        extra: 0,
        poses: &poses,
    };
    let mut bank = vec![0; 1000];
    let length = legaia::emit(&[clip], &mut bank).unwrap();
    world.bank.1 = bank[..length].to_vec();
    let error = refused(&place, &disc(&world, world.archive().unwrap()));
    assert!(
        error.contains("clip 1 moves 2 parts but the model has 3 objects"),
        "{error}"
    );
    // The builder refuses to make such a disc in the first place.
    world.save(&place.path("w"), false).unwrap();
    let error = place.bad(&["disc", "build", "w", "-o", "x.cue"], 1);
    assert!(error.contains("owl.bank"), "{error}");
}

#[test]
fn damaged_assets_have_their_own_messages() {
    let place = Place::new();
    let good = sample::world().unwrap();
    let harmed = |harm: fn(&mut World)| {
        let mut world = good.clone();
        harm(&mut world);
        refused(&place, &disc(&world, world.archive().unwrap()))
    };
    // Without its magic word it is no mesh, and the scene has none.
    assert!(
        harmed(|world| world.models[0].1[0] = 1).contains("the scene's bundle has no usable TMD")
    );
    assert!(
        harmed(|world| world.models[0].1[4] = 1)
            .contains("mesh 0 of bundle member 1: AlreadyRelocated")
    );
    // The upper byte of the image's y: outside VRAM.
    assert!(
        harmed(|world| world.textures[0].1[59] = 2)
            .contains("texture 0 of bundle member 0: BadTimRect")
    );
    assert!(harmed(|world| world.bank.1[0] = 0).contains("animation bank (bundle member 2)"));
    let mut archive = good.archive().unwrap();
    archive[16] = 1;
    assert!(refused(&place, &disc(&good, archive)).contains("PROT.DAT: "));
}

#[test]
fn wrong_command_lines_have_status_two() {
    let place = Place::new();
    for arguments in [
        &["fly"][..],
        &["run", "--frames", "0"],
        &["run", "--frames", "x"],
        &["disc"],
        &["disc", "build", "w"],
        &["world", "new"],
    ] {
        let error = place.bad(arguments, 2);
        assert!(error.contains("--help"), "{error}");
    }
    for arguments in [
        &["--help"][..],
        &["run", "--help"],
        &["disc", "build", "--help"],
        &["world", "--help"],
    ] {
        assert!(place.fine(arguments).contains("Usage"));
    }
}

#[test]
fn bad_worlds_name_their_file() {
    let place = Place::new();
    let build = |name: &str| place.bad(&["disc", "build", name, "-o", "x.cue"], 1);
    assert!(build("none").contains("none/world.json: No such file"));
    place.fine(&["world", "new", "w"]);
    place.write("w/world.json", b"{ \"scene\": 3 }");
    let error = build("w");
    assert!(
        error.contains("world.json: scene: expected a text, found the number 3 at line 1"),
        "{error}"
    );
    place.fine(&["world", "new", "v"]);
    std::fs::remove_file(place.path("v/owl.tmd")).unwrap();
    assert!(build("v").contains("v/world.json: \"models\": owl.tmd: No such file"));
    place.fine(&["world", "new", "u"]);
    place.write("u/demo.MAP", b"short");
    assert!(build("u").contains("demo.MAP: Size: expected a map of 73728 bytes, found 5"));
    assert!(!Path::new(&place.path("x.cue")).exists());
}

#[cfg(target_os = "linux")]
#[test]
fn standard_input_without_an_end_is_refused() {
    let place = Place::new();
    // What is kept of it must not grow with it.
    let call = format!(
        "ulimit -v 1000000; exec '{}' identify - < /dev/zero",
        env!("CARGO_BIN_EXE_overworld")
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &call])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let error = common::text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.starts_with("overworld: standard input: is longer than the 1073741824 bytes"),
        "{error}"
    );
}
