//! PlayStation backend of Overworld: start-up code, exceptions, drivers.
//!
//! The only crate of the project with memory-mapped I/O and inline assembly. The machine is taken
//! over whole: own exception vector, own interrupt dispatch, own drivers; of the BIOS (or of
//! our boot ROM) only the character output B0:3D stays in use.
//!
//! A console program is a binary with [`program!`]:
//!
//! ```ignore
//! #![cfg_attr(target_arch = "mips", no_std, no_main)]
//! overworld_psx::program!(run);
//!
//! #[cfg(target_arch = "mips")]
//! fn run() {
//!     overworld_psx::println!("@@ hello, world");
//!     overworld_psx::tty::end(overworld_psx::tty::Verdict::Pass);
//! }
//! ```
//!
//! The crate also compiles for a PC, without what needs MIPS instructions, so that logic that
//! does not touch the hardware is tested there.
#![no_std]
#![cfg_attr(target_arch = "mips", feature(asm_experimental_arch))]

#[cfg(test)]
extern crate std;

pub mod budget;
pub mod cd;
pub mod console;
pub mod dma;
pub mod exception;
pub mod gpu;
pub mod gte;
pub mod interrupt;
pub mod io;
pub mod machine;
pub mod pad;
pub mod rom;
#[cfg(target_arch = "mips")]
pub mod scratchpad;
#[cfg(target_arch = "mips")]
pub mod stage;
pub mod summary;
pub mod timer;
pub mod tty;

#[cfg(target_arch = "mips")]
pub mod crash;
#[cfg(target_arch = "mips")]
mod memory;
#[cfg(target_arch = "mips")]
pub mod start;

/// Make a function the program: `program!(run);` with `fn run()`.
///
/// On the console this gives the entry that the start-up code calls and the panic handler; on a PC
/// it gives a `main` that says what the binary is for.
#[macro_export]
macro_rules! program {
    ($main:path) => {
        #[cfg(target_arch = "mips")]
        #[unsafe(no_mangle)]
        extern "C" fn overworld_main() {
            let main: fn() = $main;
            main();
        }

        #[cfg(target_arch = "mips")]
        #[panic_handler]
        fn panic(info: &::core::panic::PanicInfo<'_>) -> ! {
            $crate::crash::panicked(info)
        }

        #[cfg(not(target_arch = "mips"))]
        fn main() {
            ::std::println!(
                "This is a console program: `cargo xtask build` builds it for the PlayStation."
            );
        }
    };
}
