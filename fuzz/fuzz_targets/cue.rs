#![no_main]
//! See `overworld_fuzz::tools::cue`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::tools::cue(data);
});
