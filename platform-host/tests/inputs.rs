//! No output takes the place of what is read, nor of another output; and what is no input says what it is.

mod common;
#[path = "common/vectors.rs"]
mod vectors;

use common::Place;
use overworld_host::image::{self, Tree};
use overworld_host::sample;

/// The calls have status 2, name the file that is the input, and leave `kept` as it was.
fn refused(place: &Place, calls: &[(&str, &str)], kept: &[&str]) {
    let read = |name: &&str| std::fs::read(place.path(name)).unwrap();
    let before: Vec<Vec<u8>> = kept.iter().map(read).collect();
    for (call, named) in calls {
        for force in [&[][..], &["--force"]] {
            let words: Vec<&str> = call.split(' ').chain(force.iter().copied()).collect();
            let error = place.bad(&words, 2);
            let wanted =
                format!("overworld: {named}: is the input; nothing is overwritten in place\n");
            assert_eq!(error, wanted, "{call}");
            assert!(kept.iter().map(read).eq(before.iter().cloned()), "{call}");
        }
    }
}

#[test]
fn a_play_does_not_replace_the_image_or_its_sheet() {
    let place = Place::new();
    std::fs::create_dir(place.path("p")).unwrap();
    let image = sample::image(None).unwrap();
    place.write("a.bin", &image);
    place.write("a.cue", image::cue_text("a.bin").as_bytes());
    place.write("p/frame00001.png", &image);
    refused(
        &place,
        &[
            ("run a.cue --frames 2 --hashes a.bin", "a.bin"),
            ("run a.cue --frames 2 --hashes a.cue", "a.cue"),
            ("run a.cue --frames 2 --gif a.cue", "a.cue"),
            ("run a.cue --frames 2 --gif p/../a.bin", "p/../a.bin"),
            ("run a.bin --frames 2 --hashes ./a.bin", "./a.bin"),
            (
                "run p/frame00001.png --frames 2 --png p",
                "p/frame00001.png",
            ),
        ],
        &["a.bin", "a.cue", "p/frame00001.png"],
    );
    // A picture that is not reached is none.
    place.fine(&["run", "p/frame00001.png", "--frames", "1", "--png", "p"]);
    // The picture that nobody asked for.
    place.write("overworld.png", &image);
    let call = ["run", "overworld.png", "--frames", "2", "--force"];
    let error = place.bad(&call, 2);
    assert!(error.contains("overworld.png: is the input"), "{error}");
    let left = place.fine(&call[..4]);
    assert!(left.contains("is left alone"), "{left}");
    assert_eq!(std::fs::read(place.path("overworld.png")).unwrap(), image);
}

#[test]
fn a_play_does_not_replace_the_files_of_its_world() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    refused(
        &place,
        &[
            ("run w --frames 2 --hashes w/world.json", "w/world.json"),
            ("run w --frames 2 --gif w/owl.bank", "w/owl.bank"),
        ],
        &["w/world.json", "w/owl.bank"],
    );
}

#[test]
fn a_disc_is_not_extracted_over_its_image() {
    let place = Place::new();
    let mut tree = Tree::new();
    tree.file("A.DAT", b"a".to_vec()).unwrap();
    tree.file("D.BIN", b"d".to_vec()).unwrap();
    tree.file("D.CUE", b"c".to_vec()).unwrap();
    place.write("D.BIN", &image::build(&tree).unwrap());
    place.write("D.CUE", image::cue_text("D.BIN").as_bytes());
    refused(
        &place,
        &[
            ("disc extract D.BIN -o .", "./D.BIN"),
            ("disc extract D.CUE /D.CUE -o .", "./D.CUE"),
        ],
        &["D.BIN", "D.CUE"],
    );
    assert!(!place.path("A.DAT").exists());
    place.fine(&["disc", "extract", "D.CUE", "/A.DAT", "-o", "."]);
}

#[test]
fn two_outputs_are_two_files() {
    let place = Place::new();
    for (call, named) in [
        ("--hashes same.y --gif same.y", "same.y"),
        ("--hashes same.y --gif ./same.y", "./same.y"),
        ("--png p --hashes p/frame00001.png", "p/frame00001.png"),
        ("--png p --gif p", "p"),
    ] {
        let words: Vec<&str> = "run --frames 2".split(' ').chain(call.split(' ')).collect();
        assert_eq!(
            place.bad(&words, 2),
            format!("overworld: {named}: two outputs would be this one file\n")
        );
        assert_eq!(
            std::fs::read_dir(place.path("")).unwrap().count(),
            0,
            "{call}"
        );
    }
    place.fine(&[
        "run",
        "--frames",
        "2",
        "--png",
        "p",
        "--hashes",
        "p/frame00002.png",
    ]);
}

/// Where a document is wanted and something else is given, it is said what that is and where it belongs.
#[test]
fn what_is_in_the_wrong_place_is_named() {
    let place = Place::new();
    place.fine(&["world", "new", "w"]);
    place.fine(&["llama", "sample", "-o", "meadow.wad"]);
    place.fine(&["llama", "dump", "meadow.wad", "-o", "meadow.json"]);
    place.fine(&["ff8", "sample", "-o", "toad.dat"]);
    place.write("test.MAP", &vectors::map());
    place.write("pads.json", br#"{"pads": [["up", 2]]}"#);
    place.write("empty", b" \n");
    place.write("a.gif", b"GIF89a and more");
    for (call, said) in [
        (
            "ff8 encode toad.dat -o out",
            "toad.dat: expected a document in JSON, found a file of kind ff8 (",
        ),
        (
            "llama build meadow.wad -o out",
            "meadow.wad: expected a document in JSON, found a file of kind wad (",
        ),
        (
            "field run test.MAP",
            "test.MAP: expected a document in JSON, found a file of kind map (",
        ),
        (
            "man build test.MAP -o out",
            "test.MAP: expected a document in JSON, found a file of kind map (",
        ),
        (
            "run --town --replay test.MAP",
            "test.MAP: expected a document in JSON, found a file of kind map (",
        ),
        (
            "field run empty",
            "empty: expected a document in JSON, found nothing",
        ),
        (
            "vm run empty",
            "empty: it is empty: expected a script, or a scenario in JSON",
        ),
        (
            "motion run empty",
            "empty: it is empty: expected a scenario in JSON",
        ),
        ("llama check meadow.json", "llama build makes a WAD of one"),
        (
            "llama roundtrip meadow.json",
            "llama build makes a WAD of one",
        ),
        ("llama info meadow.json", "llama build makes a WAD of one"),
        (
            "run w/world.json",
            "w/world.json: NotRawImage: expected a disc image or a world's folder, found a world's list of files; name its folder, w\n",
        ),
        (
            "run pads.json",
            "found a pad log; --replay plays what it holds\n",
        ),
        (
            "run a.gif",
            "found a picture, which run writes and does not play\n",
        ),
        (
            "world check w/world.json",
            "w/world.json: expected a world's folder, found a file; name the folder in which",
        ),
        (
            "disc build w/world.json -o x.cue",
            "expected a world's folder, found a file",
        ),
        (
            "run --town --frames 1 --png a.gif",
            "a.gif: expected a folder, found a file\n",
        ),
    ] {
        let words: Vec<&str> = call.split(' ').collect();
        let error = place.bad(&words, 1);
        assert!(error.contains(said), "{call}: {error}");
    }
}
