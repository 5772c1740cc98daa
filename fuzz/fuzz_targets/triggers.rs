#![no_main]
//! See `overworld_fuzz::runtime::field::triggers`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::field::triggers(data);
});
