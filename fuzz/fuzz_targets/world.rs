#![no_main]
//! See `overworld_fuzz::runtime::world::world`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::runtime::world::world(data);
});
