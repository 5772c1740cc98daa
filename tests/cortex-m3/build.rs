//! Hands the board's linker script to the linker, for the microcontroller only.

use std::env;
use std::path::Path;

fn main() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../linker/mps2-an385.ld");
    println!("cargo::rerun-if-changed={}", script.display());
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("arm")
        && env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none")
    {
        println!("cargo::rustc-link-arg-bins=-T{}", script.display());
    }
}
