//! The battery on the console: every test and benchmark, costs in CPU cycles. The screen shows the
//! sums when all is over.
#![cfg_attr(target_arch = "mips", no_std, no_main)]

overworld_psx::program!(run);

#[cfg(target_arch = "mips")]
mod console {
    use core::fmt;
    use overworld_battery::Machine;
    use overworld_psx::gte::Cop2;
    use overworld_psx::machine::Psx;
    use overworld_psx::summary::Summary;
    use overworld_psx::tty;

    /// The machine as the battery sees it.
    pub struct Console {
        machine: Psx,
        summary: Summary,
    }

    impl Console {
        /// Before the first test.
        pub fn new(machine: Psx) -> Self {
            Self {
                machine,
                summary: Summary::new("OVERWORLD BATTERY"),
            }
        }
    }

    impl Machine for Console {
        type Gte = Cop2;

        const NAME: &'static str = "PlayStation";
        const UNIT: &'static str = "cycles";

        fn gte(&mut self) -> &mut Cop2 {
            &mut self.machine.gte
        }

        fn fast_memory(&mut self) -> Option<&'static mut [u32; 256]> {
            self.machine.gte.lend_scratchpad()
        }

        fn keep_fast_memory(&mut self, memory: &'static mut [u32; 256]) {
            self.machine.gte.give_scratchpad(memory);
        }

        fn line(&mut self, text: fmt::Arguments<'_>) {
            tty::line(text);
        }

        fn tested(&mut self, name: &'static str, passed: bool) {
            self.summary.test(name, passed);
        }

        fn finished(&mut self) {
            self.summary.show();
        }

        fn measure(&mut self, work: &mut dyn FnMut(&mut Cop2)) -> u32 {
            let Psx { timer, gte, .. } = &mut self.machine;
            timer.measure(gte, work)
        }
    }
}

#[cfg(target_arch = "mips")]
fn run() {
    use overworld_psx::machine::Psx;
    use overworld_psx::tty::{self, Verdict};

    match Psx::take() {
        // Prints the end mark itself.
        Some(Ok(machine)) => _ = overworld_battery::run(&mut console::Console::new(machine)),
        Some(Err(error)) => {
            overworld_psx::println!("@@ {error}");
            tty::end(Verdict::Fail);
        }
        None => tty::end(Verdict::Fail),
    }
}
