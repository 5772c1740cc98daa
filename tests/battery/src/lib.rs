//! The battery: named tests and benchmarks that run unchanged on the PC, on the PlayStation and
//! on microcontrollers.
//!
//! A machine offers its geometry engine, a terminal and a clock ([`Machine`]); [`run`] prints one
//! line a test and one line a benchmark. What a test expects comes from the format and hardware
//! sheets or from a console's log, never from the code under test.
//!
//! There is no allocator; the largest stack frame is a test's or a benchmark's working memory,
//! about 36 KiB.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod anim;
mod bench;
mod check;
mod containers;
mod disc;
mod display;
mod ff8;
mod field;
mod gte;
mod kinds;
mod llama;
mod lzs;
mod model;
mod numbers;
mod script;
mod textures;
mod volume;
mod world;

use core::fmt;

use overworld_runtime::gte::{Geometry, Registers};

use check::{Reason, Told, reason};

/// What a machine must offer to run the battery.
pub trait Machine {
    /// Its geometry engine.
    type Gte: Geometry + Registers + 'static;

    /// Its name, one word.
    const NAME: &'static str;

    /// What [`Machine::measure`] counts: "cycles", "instructions" or "ns".
    const UNIT: &'static str;

    /// The geometry engine.
    fn gte(&mut self) -> &mut Self::Gte;

    /// Memory of the machine that is faster than the rest, until it is given back; `None` if there is none.
    fn fast_memory(&mut self) -> Option<&'static mut [u32; 256]> {
        None
    }

    /// The memory of [`Machine::fast_memory`] again.
    fn keep_fast_memory(&mut self, _memory: &'static mut [u32; 256]) {}

    /// Print one line.
    fn line(&mut self, text: fmt::Arguments<'_>);

    /// Hear that a test is over, after its line was printed.
    fn tested(&mut self, _name: &'static str, _passed: bool) {}

    /// Hear that everything is over, before the end mark is printed: a machine with a screen may
    /// show something on it.
    fn finished(&mut self) {}

    /// Run `work` once and answer what it cost in [`Machine::UNIT`], interrupts off where there
    /// are any. `u32::MAX`: it took longer than the machine's clock can count.
    fn measure(&mut self, work: &mut dyn FnMut(&mut Self::Gte)) -> u32;
}

/// How many tests went well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tests that passed.
    pub passed: u32,
    /// Tests that failed.
    pub failed: u32,
}

impl Summary {
    /// At least one test ran, and none failed.
    #[must_use]
    pub const fn good(self) -> bool {
        self.failed == 0 && self.passed > 0
    }
}

/// Run all tests and benchmarks. Prints `@@BATTERY`, `@@TEST`, `@@BENCH` and `@@END` lines. Behind the
/// cost of a test that passed may stand what it saw: "0 of 400 differ".
pub fn run<M: Machine>(machine: &mut M) -> Summary {
    run_filtered(machine, "")
}

/// [`run`] for those whose name contains `filter`.
pub fn run_filtered<M: Machine>(machine: &mut M, filter: &str) -> Summary {
    machine.line(format_args!("@@BATTERY {} {}", M::NAME, M::UNIT));
    let mut summary = Summary::default();
    for test in tests::<M::Gte>().filter(|test| test.name.contains(filter)) {
        let (result, cost) = run_test(machine, &test);
        let (name, passed) = (test.name, result.is_ok());
        match result {
            Ok(told) => {
                summary.passed += 1;
                let space = if told.is_empty() { "" } else { " " };
                machine.line(format_args!("@@TEST {name} ok {}{space}{told}", Cost(cost)));
            }
            Err(why) => {
                summary.failed += 1;
                machine.line(format_args!("@@TEST {name} FAIL {why}"));
            }
        }
        machine.tested(name, passed);
    }
    for bench in bench::all::<M>().iter().filter(|b| b.name.contains(filter)) {
        let cost = Cost((bench.run)(machine));
        let (name, per) = (bench.name, bench.per);
        machine.line(format_args!("@@BENCH {name} {cost} {per}"));
    }
    machine.finished();
    let end = if summary.good() { "pass" } else { "fail" };
    machine.line(format_args!("@@END {end}"));
    summary
}

fn run_test<M: Machine>(machine: &mut M, test: &Test<M::Gte>) -> (Told, u32) {
    let mut result = None;
    let cost = machine.measure(&mut |gte| {
        let check = test.work.run(gte);
        // A machine may run the work more than once: every run must be good.
        if !matches!(result, Some(Err(_))) {
            result = Some(check);
        }
    });
    let result = result.unwrap_or_else(|| Err(reason(format_args!("the machine did not run it"))));
    (result, cost)
}

/// A cost as it is printed: `-` when it could not be counted.
struct Cost(u32);

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            u32::MAX => f.write_str("-"),
            cost => write!(f, "{cost}"),
        }
    }
}

/// A test: a name and what to do.
struct Test<G> {
    name: &'static str,
    work: Work<G>,
}

enum Work<G> {
    /// A function of its own.
    Plain(fn(&mut G) -> check::Check),
    /// One stream of the LZS sheet.
    Lzs(&'static lzs::Vector),
    /// One row of the GTE sheet.
    Row(&'static gte::Row),
    /// A function that takes a number and says what it saw.
    Telling(fn(&mut G, usize) -> Told, usize),
}

impl<G: Geometry + Registers> Work<G> {
    fn run(&self, gte: &mut G) -> Told {
        match self {
            Self::Plain(run) => run(gte),
            Self::Lzs(vector) => vector.check(),
            Self::Row(row) => gte::row(gte, row),
            Self::Telling(run, number) => return run(gte, *number),
        }
        .map(|()| Reason::new())
    }
}

/// The registry: every test, in the order in which they run.
fn tests<G: Geometry + Registers + 'static>() -> impl Iterator<Item = Test<G>> {
    let plain = |list: check::List<G>| {
        list.iter().map(|&(name, run)| Test {
            name,
            work: Work::Plain(run),
        })
    };
    let streams = lzs::VECTORS.iter().map(|vector| Test {
        name: vector.name,
        work: Work::Lzs(vector),
    });
    let rows = gte::ROWS.iter().map(|row| Test {
        name: row.name,
        work: Work::Row(row),
    });
    let pieces = |names: &'static [&'static str], run: fn(&mut G, usize) -> Told| {
        names.iter().enumerate().map(move |(number, name)| Test {
            name,
            work: Work::Telling(run, number),
        })
    };
    plain(numbers::Tests::<G>::ALL)
        .chain(streams)
        .chain(plain(lzs::Tests::<G>::ALL))
        .chain(plain(anim::Tests::<G>::ALL))
        .chain(plain(ff8::Tests::<G>::ALL))
        .chain(plain(disc::Tests::<G>::ALL))
        .chain(plain(volume::Tests::<G>::ALL))
        .chain(plain(textures::Tests::<G>::ALL))
        .chain(plain(containers::Tests::<G>::ALL))
        .chain(plain(field::Tests::<G>::ALL))
        .chain(rows)
        .chain(plain(gte::Tests::<G>::ALL))
        .chain(pieces(&gte::CONSOLE, gte::console))
        .chain(pieces(&gte::VECTORS, gte::vectors))
        .chain(pieces(&["gte/division"], gte::division))
        .chain(pieces(&["gte/gpl-limit"], gte::gpl_limit))
        .chain(plain(display::Tests::<G>::ALL))
        .chain(plain(model::Tests::<G>::ALL))
        .chain(pieces(&["model/kinds"], kinds::kinds))
        .chain(plain(script::Tests::<G>::ALL))
        .chain(plain(world::Tests::<G>::ALL))
        .chain(plain(llama::Tests::<G>::ALL))
}
