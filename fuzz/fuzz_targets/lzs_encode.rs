#![no_main]
//! See `overworld_fuzz::runtime::lzs::encode`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::lzs::encode(data);
});
