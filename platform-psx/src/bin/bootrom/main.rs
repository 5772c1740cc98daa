//! Overworld's boot ROM: lets a PlayStation or an emulator run programs without Sony's BIOS.
//!
//! 512 KiB at BFC00000h. It sets the machine up, offers the BIOS calls that programs use for text
//! output and the like, then starts a program: one that an emulator side-loads, or the one that the
//! disc's SYSTEM.CNF names. What goes wrong is a line on the character output and on the screen.
//!
//! The order of things: `reset` (assembly) -> [`setup`] -> `hook` at BFC06990h, where emulators patch
//! in their loader -> [`boot`].
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod calls;
#[cfg(target_arch = "mips")]
mod kernel;
#[cfg(target_arch = "mips")]
mod log;
#[cfg(target_arch = "mips")]
mod picture;
#[cfg(target_arch = "mips")]
mod rom;

#[cfg(not(target_arch = "mips"))]
fn main() {
    println!("This is the boot ROM: `cargo xtask build` builds it for the PlayStation.");
}
