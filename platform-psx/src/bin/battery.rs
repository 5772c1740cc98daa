//! The battery on the console: every test and benchmark, costs in CPU cycles.
#![cfg_attr(target_arch = "mips", no_std, no_main)]

overworld_psx::program!(run);

#[cfg(target_arch = "mips")]
mod console {
    use core::fmt;
    use overworld_battery::Machine;
    use overworld_psx::gte::Cop2;
    use overworld_psx::machine::Psx;
    use overworld_psx::tty;

    /// The machine as the battery sees it.
    pub struct Console(pub Psx);

    impl Machine for Console {
        type Gte = Cop2;

        const NAME: &'static str = "PlayStation";
        const UNIT: &'static str = "cycles";

        fn gte(&mut self) -> &mut Cop2 {
            &mut self.0.gte
        }

        fn line(&mut self, text: fmt::Arguments<'_>) {
            tty::line(text);
        }

        fn measure(&mut self, work: &mut dyn FnMut(&mut Cop2)) -> u32 {
            self.0.timer.measure(&mut self.0.gte, work)
        }
    }
}

#[cfg(target_arch = "mips")]
fn run() {
    use overworld_psx::machine::Psx;
    use overworld_psx::tty::{self, Verdict};

    match Psx::take() {
        // Prints the end mark itself.
        Some(Ok(machine)) => _ = overworld_battery::run(&mut console::Console(machine)),
        Some(Err(error)) => {
            overworld_psx::println!("@@ {error}");
            tty::end(Verdict::Fail);
        }
        None => tty::end(Verdict::Fail),
    }
}
