#![no_main]
//! See `overworld_fuzz::runtime::model::tim`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::model::tim(data);
});
