#![no_main]
//! See `overworld_fuzz::runtime::script::script`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::script::script(data);
});
