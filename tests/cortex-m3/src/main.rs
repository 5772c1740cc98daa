//! The battery as firmware for an emulated Cortex-M3 (QEMU machine `mps2-an385`).
//!
//! Lines go out, and the program ends, through semihosting. The first argument that the debugger
//! passes is a part of a test's name, or one of `!panic`, `!fault`, `!stack` and `!hang`, which
//! prove that the ways to fail are seen outside.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(all(target_arch = "arm", target_os = "none"))]
mod clock;
#[cfg(all(target_arch = "arm", target_os = "none"))]
mod firmware;
#[cfg(all(target_arch = "arm", target_os = "none"))]
mod semihosting;
#[cfg(all(target_arch = "arm", target_os = "none"))]
mod start;

/// On a PC this package is only checked to compile.
#[cfg(not(target_os = "none"))]
fn main() {
    eprintln!(
        "firmware for a Cortex-M3: `cargo xtask build` makes it, `cargo xtask test` runs it; on \
         this machine the same battery is `cargo run -p overworld-tests --bin battery-pc`"
    );
}
