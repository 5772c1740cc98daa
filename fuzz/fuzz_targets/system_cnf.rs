#![no_main]
//! See `overworld_fuzz::tools::system_cnf`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    overworld_fuzz::tools::system_cnf(data);
});
