//! Runs Overworld's programs on emulated machines and judges what they print.
//!
//! * [`verdict`]: the tagged lines of a program's terminal and the five outcomes of a run.
//! * [`emulator`]: starts any emulator, follows its output, ends it in time, leaves nothing behind.
//! * [`mednafen`]: an emulated PlayStation with a boot ROM, a PS-EXE, a disc, and a picture.
//! * [`qemu`]: an emulated Cortex-M3 board.
//! * [`pc`]: this machine, with the software geometry engine.
//! * [`picture`]: cuts frames out of a recording and writes PNG files.
//! * [`summary`]: the results of several machines side by side.
//! * [`faults`]: the program that goes wrong on purpose.
//! * [`artefacts`]: where the built images lie.
//! * [`ask`]: one question to a program, bounded in time and length.
//! * [`follow`]: a program that works for this process and does not outlive it.
//! * [`out`]: printing that survives a reader who is gone.
//!
//! ```no_run
//! use std::time::Duration;
//! use overworld_tests::mednafen::Mednafen;
//!
//! let report = Mednafen::new("target/overworld/bootrom.bin")
//!     .exe("target/overworld/battery.exe")
//!     .time_out(Duration::from_secs(30))
//!     .run(|line| println!("{line}"))?;
//! std::process::exit(report.outcome.exit_code().into());
//! # Ok::<(), overworld_tests::emulator::Error>(())
//! ```

/// The examples of the pages are compiled as they stand there.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/models.md")]
mod models {}

pub mod artefacts;
pub mod ask;
pub mod emulator;
pub mod faults;
pub mod follow;
mod home;
pub mod mednafen;
pub mod out;
pub mod pc;
pub mod picture;
mod process;
pub mod qemu;
pub mod summary;
pub mod verdict;
