#![no_main]
//! See `overworld_fuzz::runtime::man::man`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::man::man(data);
});
