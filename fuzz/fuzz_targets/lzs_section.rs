#![no_main]
//! See `overworld_fuzz::runtime::lzs::section`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::lzs::section(data);
});
