//! Tests of the drivers on the machine itself, one `@@TEST` line each: what a fake device in a
//! test on a PC cannot show.

mod gte;
mod polygons;

use super::{Once, Psx};
use crate::cd;
use crate::gpu::{self, ListError, Phase};
use crate::interrupt;
use crate::println;
use crate::summary::Summary;
use core::hint::black_box;
use overworld_runtime::platform::{Drive, LIST_END, Screen, Sector};

/// What a test finds: a sentence if it fails.
type Outcome = Result<(), &'static str>;

const fn expect(good: bool, otherwise: &'static str) -> Outcome {
    if good { Ok(()) } else { Err(otherwise) }
}

const WORDS: usize = 2048;

#[repr(C, align(16))]
struct Memory {
    words: [u32; WORDS],
    sectors: [Sector; 8],
}

static MEMORY: Once<Memory> = Once::new(Memory {
    words: [0; WORDS],
    sectors: [[0; 2048]; 8],
});

/// Run all tests. Those of the drive need a disc of any content and say so when there is none.
///
/// `true` when none failed. Only the first call does anything; it leaves the sums on the screen, which
/// the driver would have to be made anew to draw on.
pub fn check(machine: &mut Psx) -> bool {
    let Some(memory) = MEMORY.take() else {
        return true;
    };
    let mut summary = Summary::new("OVERWORLD DEVICES");
    let mut report = |name: &'static str, outcome: Outcome| {
        summary.test(name, outcome.is_ok());
        match outcome {
            Ok(()) => println!("@@TEST {name} ok -"),
            Err(why) => println!("@@TEST {name} FAIL {why}"),
        }
    };
    let Memory { words, sectors } = memory;
    report("timer/wraps", timer_counts_on(machine));
    report("gte/live-values", gte::keeps_registers(&mut machine.gte));
    report("gte/interrupted", gte::stands_interrupts(&mut machine.gte));
    report(
        "gte/polygons",
        polygons::are_those_of_the_model(&mut machine.gte),
    );
    report("gpu/clear-table", tables_are_cleared(machine, words));
    report("gpu/upload", uploads_come_back(machine, words));
    report("gpu/list", lists_are_drawn(machine, words));
    report("gpu/endless-list", endless_lists_end(machine, words));
    for (port, name) in ["pad/first", "pad/second"].into_iter().enumerate() {
        // Held buttons are none of a test's business: whoever runs it may hold one.
        match machine.pads.held_on(port as u16) {
            Some(_) => report(name, Ok(())),
            None => println!("@@ no pad in port {}", port + 1),
        }
    }
    match machine.drive.disc_end() {
        Ok(_) => {
            report("cd/sector", the_same_sector_anywhere(machine, sectors));
            report("cd/late", late_programs_lose_nothing(machine, sectors));
        }
        Err(error @ (cd::Error::LidOpen | cd::Error::NoDisc)) => {
            println!("@@ no tests of the drive: {error}");
        }
        Err(error) => {
            println!("@@ {error}");
            report("cd/ready", Err("the drive does not come up"));
        }
    }
    summary.show();
    summary.good()
}

/// The count of equal loops grows evenly over the wraps of the counters below it.
fn timer_counts_on(machine: &mut Psx) -> Outcome {
    let mut cost = |loops: u32| {
        let mut work = || {
            machine.timer.measure(&mut (), &mut |()| {
                let mut left = loops;
                while left != 0 {
                    left = black_box(left - 1);
                }
            })
        };
        // The first run fills the instruction cache.
        work();
        work()
    };
    // About 12 cycles a loop: 12,000, then over one wrap of 16 bits, then of 19, then many.
    let (a, b, c, d) = (cost(1_000), cost(11_000), cost(111_000), cost(1_111_000));
    // A miscounted wrap would be an error of at least 65,536.
    let near = |x: u32, y: u32| x.abs_diff(y) < 1_000;
    expect(
        near((b - a) * 10, c - b) && near((c - b) * 10, d - c),
        "equal loops take unequal time",
    )
}

fn tables_are_cleared(machine: &mut Psx, words: &mut [u32; WORDS]) -> Outcome {
    words.fill(0x1234_5678);
    let base = machine.screen.bus_address(words);
    let (table, rest) = words.split_at_mut(1000);
    machine.screen.clear_table(table, base);
    let links = table
        .iter()
        .zip(core::iter::once(LIST_END).chain((base..).step_by(4)));
    expect(
        links.clone().count() == 1000 && links.into_iter().all(|(entry, link)| *entry == link),
        "a link is wrong",
    )?;
    expect(
        rest.iter().all(|&word| word == 0x1234_5678),
        "words behind the table were written",
    )
}

fn uploads_come_back(machine: &mut Psx, words: &mut [u32; WORDS]) -> Outcome {
    for (n, word) in words.iter_mut().enumerate() {
        *word = (n as u32).wrapping_mul(0x9E37_79B1);
    }
    // SAFETY: a `u32` is four bytes, each of which may hold anything.
    let bytes = unsafe { words.align_to::<u8>().1 };
    // Whole blocks; a rest by the CPU; half a word over; an odd address.
    for (w, h, from) in [(64, 32, 0), (19, 5, 4), (5, 7, 0), (3, 3, 1)] {
        let count = usize::from(w) * usize::from(h);
        let pixels = &bytes[from..from + 2 * count];
        let sent = machine.screen.upload(640, 257, w, h, pixels);
        expect(sent.is_ok(), "an upload fails")?;
        let mut back = [0; 64 * 32];
        let back = &mut back[..count];
        let got = machine.screen.download(640, 257, w, h, back);
        expect(got.is_ok(), "a download fails")?;
        let equal = pixels
            .chunks_exact(2)
            .zip(back)
            .all(|(sent, got)| [sent[0], sent[1]] == got.to_le_bytes());
        expect(equal, "other pixels come back")?;
    }
    Ok(())
}

/// A table of 16 entries with a one-pixel-high white rectangle in bucket 9.
fn a_list(machine: &mut Psx, words: &mut [u32; WORDS]) {
    let base = machine.screen.bus_address(words);
    machine.screen.clear_table(&mut words[..16], base);
    words[20] = words[9] | 3 << 24;
    words[21] = 0x60FF_FFFF;
    words[22] = 100 << 16 | 40;
    words[23] = 1 << 16 | 8;
    words[9] = base + 4 * 20;
}

fn lists_are_drawn(machine: &mut Psx, words: &mut [u32; WORDS]) -> Outcome {
    for _ in 0..2 {
        a_list(machine, words);
        let shown = machine.screen.shown_origin().1;
        let drawn = machine.screen.draw(words, 15);
        expect(drawn.is_ok(), "a list cannot be drawn")?;
        let before = interrupt::vblanks();
        expect(machine.screen.present().is_ok(), "no vertical blank")?;
        expect(
            interrupt::vblanks().wrapping_sub(before) <= 2,
            "present takes more than two fields",
        )?;
        let (x, y) = machine.screen.shown_origin();
        expect(y != shown, "the pictures do not change places")?;
        let mut row = [0; 10];
        let got = machine.screen.download(x + 39, y + 100, 10, 1, &mut row);
        expect(got.is_ok(), "a download fails")?;
        let mut expected = [0x7FFF; 10];
        (expected[0], expected[9]) = (0, 0);
        expect(row == expected, "the rectangle is not where it should be")?;
    }
    Ok(())
}

/// Pitfall P6, with and without the look at the links before.
fn endless_lists_end(machine: &mut Psx, words: &mut [u32; WORDS]) -> Outcome {
    let base = machine.screen.bus_address(words);
    words[500] = base + 4 * 500;
    let before = interrupt::vblanks();
    let seen = machine.screen.draw(words, 500);
    expect(
        seen == Err(gpu::Error::List(ListError::Endless)),
        "an endless list is not noticed",
    )?;
    let cut = machine.screen.execute(words, 500, 30_000);
    expect(
        cut == Err(gpu::Error::Timeout(Phase::List)),
        "an endless list is not cut off",
    )?;
    expect(
        interrupt::vblanks().wrapping_sub(before) <= 3,
        "it takes more than two fields",
    )?;
    lists_are_drawn(machine, words)
}

/// The first sector of the file system: straight to its place, and over the bounce buffer.
fn the_same_sector_anywhere(machine: &mut Psx, sectors: &mut [Sector; 8]) -> Outcome {
    let drive = &mut machine.drive;
    let [first, rest @ ..] = sectors;
    let read = drive.read(16, core::slice::from_mut(first));
    expect(read.is_ok(), "sector 16 cannot be read")?;
    let odd: &mut Sector = rest
        .as_flattened_mut()
        .get_mut(1..)
        .and_then(|bytes| bytes.first_chunk_mut())
        .ok_or("no room")?;
    let read = drive.start(16, 1).and_then(|()| drive.sector(odd));
    expect(read.is_ok(), "sector 16 cannot be read to an odd address")?;
    expect(first == odd, "two readings of a sector differ")
}

/// Pitfall P9 on the machine: a program that comes late gets what one in time gets.
fn late_programs_lose_nothing(machine: &mut Psx, sectors: &mut [Sector; 8]) -> Outcome {
    let read = machine.drive.read(16, sectors);
    expect(read.is_ok(), "a run of eight sectors cannot be read")?;
    for milliseconds in [1, 2, 7, 20] {
        let start = machine.drive.start(16, 8);
        expect(start.is_ok(), "a run cannot be begun")?;
        for expected in &*sectors {
            let mut sector = [0; 2048];
            let read = machine.drive.sector(&mut sector);
            expect(read.is_ok(), "a late program gets an error")?;
            expect(sector == *expected, "a late program gets other data")?;
            machine.clock.delay(milliseconds * 1000);
        }
    }
    Ok(())
}
