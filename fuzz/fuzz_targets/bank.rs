#![no_main]
//! See `overworld_fuzz::runtime::anim::bank`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::anim::bank(data);
});
