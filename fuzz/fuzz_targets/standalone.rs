#![no_main]
//! See `overworld_fuzz::runtime::archive::standalone`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::archive::standalone(data);
});
