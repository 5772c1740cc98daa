//! Every script of up to three bytes and a million random ones of 4 to 16, under both readings: none panics,
//! none takes more steps than it may, and each stands inside of its record or ends with an error.
//!
//! Optimised it takes half a minute of one core, where a debug build would need many:
//! `cargo run --release -p overworld-tests --bin programs`

#[path = "../../../runtime/tests/script/survive.rs"]
mod survive;

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use overworld_tests::say;

/// Parts of the work: the first byte of the short ones, and so many parts of the random ones.
const FIRST: u32 = 256;
const RANDOM: u32 = 64;
const OF_EACH: u32 = 15_625;

fn main() {
    let third: Vec<u8> = (0..=255).collect();
    let (next, short) = (AtomicU32::new(0), AtomicU32::new(0));
    // A scope hands a panic of any of them on.
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    match next.fetch_add(1, Ordering::Relaxed) {
                        part @ 0..FIRST => {
                            let played = survive::short(part as u8, &third);
                            short.fetch_add(played, Ordering::Relaxed);
                        }
                        part @ FIRST.. if part < FIRST + RANDOM => {
                            survive::random(0x1234_5678 + part, OF_EACH);
                        }
                        _ => break,
                    }
                }
            });
        }
    });
    // The empty one is tried once for each first byte.
    let short = short.into_inner() - (FIRST - 1);
    assert_eq!(
        short,
        1 + 0x100 + 0x1_0000 + 0x100_0000,
        "programs are missing"
    );
    let random = RANDOM * OF_EACH;
    say!(
        "{short} scripts of up to three bytes and {random} random ones, under both readings: all survived"
    );
}
