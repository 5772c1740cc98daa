//! Programs that go wrong on purpose, to test what the machine and the test runner make of it.
//!
//! The sixteen bytes after `OVERWORLD-FAULT=` in the image say what goes wrong; a test writes another
//! word there, padded with spaces. As built it is `none`: then the start-up code, the exception
//! handler, the memory functions and the BIOS calls are tested instead.
#![cfg_attr(target_arch = "mips", no_std, no_main)]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(target_arch = "mips")]
mod bios;
#[cfg(target_arch = "mips")]
mod checks;
#[cfg(target_arch = "mips")]
mod wrong;

overworld_psx::program!(run);

#[cfg(target_arch = "mips")]
const TAG: &[u8; 16] = b"OVERWORLD-FAULT=";

/// What this image does; read at run time, since it is written over after the link.
#[cfg(target_arch = "mips")]
static CHOICE: [u8; 32] = *b"OVERWORLD-FAULT=none            ";

#[cfg(target_arch = "mips")]
fn run() {
    use overworld_psx::{println, tty};

    let choice: &[u8; 32] = core::hint::black_box(&CHOICE);
    let word = choice.get(TAG.len()..).unwrap_or_default().trim_ascii();
    let word = core::str::from_utf8(word).unwrap_or_default();
    println!("@@ fault: {word}");
    match word {
        "none" => tty::end(checks::run()),
        "unknown-call" => bios::unknown(),
        "exit" => bios::exit(),
        "panic" => wrong::panic(),
        "misaligned" => wrong::misaligned_load(),
        "store" => wrong::misaligned_store(),
        "break" => wrong::breakpoint(),
        "reserved" => wrong::reserved_instruction(),
        "overflow" => wrong::overflow(),
        "delay-slot" => wrong::in_delay_slot(),
        "stack" => wrong::no_stack(),
        "nested" => wrong::nested(),
        "gte-in-handler" => wrong::gte_in_handler(),
        "hang" => wrong::hang(),
        _ => {
            println!("@@ no such fault");
            tty::end(tty::Verdict::Fail);
        }
    }
}
