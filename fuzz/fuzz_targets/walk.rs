#![no_main]
//! See `overworld_fuzz::runtime::walk::walk`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::walk::walk(data);
});
