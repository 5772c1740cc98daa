#![no_main]
//! See `overworld_fuzz::runtime::archive::bundle`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::archive::bundle(data);
});
