#![no_main]
//! See `overworld_fuzz::runtime::archive::prot`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::archive::prot(data);
});
