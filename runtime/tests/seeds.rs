//! Replays the committed seeds of the fuzz targets with the entry functions of the targets, on
//! stable Rust. `fuzz/README.md` tells what they assert.

#[path = "../../fuzz/src/runtime/mod.rs"]
mod entries;
#[path = "../../fuzz/src/replay.rs"]
mod replay;

use entries::{TARGETS, samples};

#[test]
fn seeds_hold() {
    replay::seeds_of(&TARGETS);
}

#[test]
fn samples_of_the_writers_hold() {
    replay::samples_of(&TARGETS, &samples::all());
}

/// `cargo test -p overworld-runtime --test seeds -- --ignored` after a format has changed.
#[test]
#[ignore = "writes tests/data/seeds"]
fn write_seeds() {
    replay::write(&samples::all());
}
