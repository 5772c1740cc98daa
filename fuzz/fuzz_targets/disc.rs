#![no_main]
//! See `overworld_fuzz::tools::disc`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::tools::disc(data);
});
