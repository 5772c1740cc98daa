#![no_main]
//! See `overworld_fuzz::runtime::iso::walk`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::iso::walk(data);
});
