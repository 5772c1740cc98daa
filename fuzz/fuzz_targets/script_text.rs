#![no_main]
//! See `overworld_fuzz::runtime::script::script_text`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::script::script_text(data);
});
