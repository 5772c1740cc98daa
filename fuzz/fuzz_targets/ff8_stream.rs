#![no_main]
//! See `overworld_fuzz::runtime::ff8::stream`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::ff8::stream(data);
});
