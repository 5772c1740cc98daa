//! Tests of the drivers against the machine itself: timers, DMA, GPU, and the drive if a disc is in.
#![cfg_attr(target_arch = "mips", no_std, no_main)]

overworld_psx::program!(run);

#[cfg(target_arch = "mips")]
fn run() {
    use overworld_psx::machine::{Psx, devices};
    use overworld_psx::tty::{self, Verdict};

    let verdict = match Psx::take() {
        Some(Ok(mut machine)) => {
            if devices::check(&mut machine) {
                Verdict::Pass
            } else {
                Verdict::Fail
            }
        }
        None => Verdict::Fail,
        Some(Err(error)) => {
            overworld_psx::println!("@@ {error}");
            Verdict::Fail
        }
    };
    tty::end(verdict);
}
