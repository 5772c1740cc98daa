//! Mends one kind of hazard in the linked image: HI/LO written too soon after a read.
//!
//! The compiler (LLVM 22) keeps `mult` and `div` away from an `mflo`/`mfhi` right before, but forgets
//! `multu`, `mthi` and `mtlo`, and now and then a distance of one; no option changes that. The result is wrong only when an interrupt
//! falls between the two, so it would show as a rare wrong product on a console and never in an
//! emulator. The words are moved into spare room at the end of the code, with the missing `nop`s:
//!
//! ```text
//!     mflo  $v0                j     room        room: mflo  $v0
//!     multu $a0, $a1     ->    nop                     nop
//!     ...                      ...                     nop
//!                                                      multu $a0, $a1
//!                                                      j     ...
//!                                                      nop
//! ```
//!
//! The room lies between the symbols `__repair_start` and `__repair_end`, in an executable section of
//! the same 256 MiB, and is filled with zeros by the linker.

use super::decode::{Flow, Inst};
use super::graph::Graph;
use super::image::{Id, Image};
use super::{Error, Kind, Report, checks};

/// Instructions that must lie between a read of HI/LO and the next write (HAL sheet, 1.6).
const DISTANCE: usize = 2;

/// What a repair did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The file, mended where that was possible.
    pub elf: Vec<u8>,
    /// Places that were moved.
    pub moved: usize,
    /// Places that could not be moved: in the way of a branch, or no room left.
    pub left: usize,
    /// Words of the room that are in use now.
    pub used: usize,
    /// Words that the room has; zero if the image has no room.
    pub room: usize,
}

/// Moves every sequence that reads HI/LO and writes it again too soon.
///
/// An image without such a sequence comes back as it is. Check the outcome with
/// [`scan`](super::scan): what could not be moved is still a finding there.
///
/// # Errors
/// The file cannot be read as a linked console program.
pub fn repair(elf: &[u8]) -> Result<Repair, Error> {
    let image = Image::parse(elf)?;
    let graph = Graph::build(&image);
    let mut report = Report::default();
    checks::run(&graph, &mut report);
    let room = room(&image);
    let mut outcome = Repair {
        elf: elf.to_vec(),
        moved: 0,
        left: 0,
        used: 0,
        room: room.map_or(0, |(first, end)| end - first),
    };
    let mut patches = Vec::new();
    for range in ranges(&image, &report) {
        let place = room.and_then(|(first, end)| {
            let at = first + outcome.used;
            let words = moved(&graph, range, at)?;
            (at + words.len() <= end).then_some((at, words))
        });
        let Some((at, words)) = place else {
            outcome.left += 1;
            continue;
        };
        outcome.moved += 1;
        outcome.used += words.len();
        patches.push((range.0, jump(image.address_of(at))));
        patches.extend((range.0 + 1..=range.1).map(|id| (id, 0)));
        patches.extend(
            words
                .into_iter()
                .enumerate()
                .map(|(i, word)| (at + i, word)),
        );
    }
    for (id, word) in patches {
        let region = image.region(id);
        let offset = region.offset + 4 * (id - region.first);
        if let Some(bytes) = outcome.elf.get_mut(offset..offset + 4) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }
    Ok(outcome)
}

fn room(image: &Image) -> Option<(Id, Id)> {
    let [start, end] = image.room;
    let first = image.id_of(start?)?;
    // The end may be the end of the section, where no word stands any more.
    let words = end?.checked_sub(image.address_of(first))? as usize / 4;
    let end = first + words;
    let empty = image
        .insts
        .get(first..end)?
        .iter()
        .all(|inst| inst.is_nop());
    (empty && end <= image.region_end(first)).then_some((first, end))
}

fn jump(target: u32) -> u32 {
    2 << 26 | target >> 2 & 0x03FF_FFFF
}

/// Runs of words from a read to the write that follows too soon, both inclusive, apart from each
/// other.
fn ranges(image: &Image, report: &Report) -> Vec<(Id, Id)> {
    let mut ranges: Vec<(Id, Id)> = report
        .findings
        .iter()
        .filter(|finding| finding.kind == Kind::HiLo)
        .filter_map(|finding| {
            let writer = finding.second.as_ref()?.address;
            Some((image.id_of(finding.address)?, image.id_of(writer)?))
        })
        .collect();
    ranges.sort_unstable();
    let mut apart: Vec<(Id, Id)> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            // Only ranges that run forward can be joined; the others are refused later.
            Some(last) if range.0 <= last.1 && last.0 <= last.1 => last.1 = last.1.max(range.1),
            _ => apart.push(range),
        }
    }
    apart
}

/// The words to put at `at` instead of `range`; none if it cannot be moved.
fn moved(graph: &Graph, (start, end): (Id, Id), at: Id) -> Option<Vec<u32>> {
    let image = graph.image;
    let back = image.next(end).filter(|_| start < end)?;
    let run = image.insts.get(start..=end)?;
    let straight = run.iter().all(|inst| inst.flow() == Flow::Next)
        && (start..=end).all(|id| graph.is_plain(id) && !graph.is_slot(id))
        && (start + 1..=end).all(|id| !graph.is_entered(id));
    let near = (image.address_of(start) ^ image.address_of(at)) >> 28 == 0;
    if !straight || !near || image.region(start).first != image.region(end).first {
        return None;
    }
    let mut words: Vec<u32> = Vec::new();
    let mut since_read = None;
    for &inst in run {
        if writes_hilo(inst) {
            while since_read.is_some_and(|count| count < DISTANCE) {
                words.push(0);
                since_read = since_read.map(|count| count + 1);
            }
        }
        words.push(inst.word);
        since_read = match inst.reads_hilo() {
            true => Some(0),
            false => since_read.map(|count| count + 1),
        };
    }
    words.extend([jump(image.address_of(back)), 0]);
    Some(words)
}

fn writes_hilo(inst: Inst) -> bool {
    inst.writes() & (super::decode::HI | super::decode::LO) != 0
}
