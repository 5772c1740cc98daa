#![no_main]
//! See `overworld_fuzz::runtime::llama::map`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::llama::map(data);
});
