//! Standard output without a reader or without room, and standard input that is wanted twice.

mod common;

use std::process::Command;

use common::{Place, text};
use overworld_host::sample;

#[test]
fn a_check_fails_although_nobody_reads_it() {
    let place = Place::new();
    let mut image = sample::image(None).unwrap();
    place.write("good.bin", &image);
    image[30 * 2352 + 100] ^= 1;
    place.write("bad.bin", &image);
    for json in [&[][..], &["--json"]] {
        let call = |name| [&["disc", "verify", name][..], json].concat();
        assert_eq!(place.unread(&call("good.bin")), (Some(0), String::new()));
        let (status, error) = place.unread(&call("bad.bin"));
        assert_eq!(status, Some(1));
        assert!(error.starts_with("overworld: bad.bin: "), "{error}");
    }
    let call = ["identify", "good.bin", "none"];
    assert_eq!(place.unread(&call).0, Some(1));
}

#[test]
fn files_are_written_although_nobody_reads_the_hashes() {
    let place = Place::new();
    let call = "run --frames 4 --hashes - --gif pipe.gif --png p";
    let words: Vec<&str> = call.split(' ').collect();
    assert_eq!(place.unread(&words), (Some(0), String::new()));
    place.fine(&["run", "--frames", "4", "--gif", "read.gif"]);
    let read = |name| std::fs::read(place.path(name)).unwrap();
    assert_eq!(read("pipe.gif"), read("read.gif"));
    assert!(place.path("p/frame00003.png").exists());
    // With nothing else to make, there is no reason to go on: this many frames take for ever.
    let call = ["run", "--frames", "4000000000", "--hashes", "-"];
    assert_eq!(place.unread(&call), (Some(0), String::new()));
}

#[test]
fn standard_input_is_read_once() {
    let place = Place::new();
    place.write("m.MAP", &[0; 73728]);
    for call in [
        "identify - -",
        "identify - m.MAP -",
        "map probe - --x 0 --z 0 --lut -",
        "gte check - -",
    ] {
        let words: Vec<&str> = call.split(' ').collect();
        let output = place.piped(&words, &[0; 73728]);
        assert_eq!(output.status.code(), Some(2), "{call}");
        assert_eq!(text(&output.stdout), "", "{call}");
        assert_eq!(
            text(&output.stderr),
            "overworld: standard input can be read once: only one input may be -\n",
            "{call}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_printed_is_a_failure() {
    let place = Place::new();
    for call in ["--help", "--version", "disc --help"] {
        let words: Vec<&str> = call.split(' ').collect();
        let output = Command::new(env!("CARGO_BIN_EXE_overworld"))
            .args(&words)
            .stdout(std::fs::File::create("/dev/full").unwrap())
            .output()
            .unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{call}");
        assert!(error.starts_with("overworld: standard output: "), "{error}");
        // Nobody to read it is no failure.
        assert_eq!(place.unread(&words), (Some(0), String::new()), "{call}");
    }
}
