#![no_main]
//! See `overworld_fuzz::runtime::field::stager`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::field::stager(data);
});
