//! Standard output without a reader or without room, and standard input that is wanted twice.

mod common;

use common::Place;
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
