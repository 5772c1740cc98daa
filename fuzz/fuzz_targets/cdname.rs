#![no_main]
//! See `overworld_fuzz::runtime::archive::cdname`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::archive::cdname(data);
});
