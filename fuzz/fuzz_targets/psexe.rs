#![no_main]
//! See `overworld_fuzz::tools::psexe`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::tools::psexe(data);
});
