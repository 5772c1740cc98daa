#![no_main]
//! See `overworld_fuzz::runtime::field::patch`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::field::patch(data);
});
