#![no_main]
//! See `overworld_fuzz::runtime::sector::check`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::sector::check(data);
});
