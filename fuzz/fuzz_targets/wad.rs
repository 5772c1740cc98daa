#![no_main]
//! See `overworld_fuzz::runtime::llama::wad`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::llama::wad(data);
});
