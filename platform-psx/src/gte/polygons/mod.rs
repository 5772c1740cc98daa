//! Objects from a table of their projected vertices.
//!
//! Every vertex is projected once, into a table in the scratchpad or, for objects of many vertices, at the end of
//! the words that the display list has left: position, depth and, with a depth cue, IR0, two words each. An index
//! in a record is a byte offset in a pool of eight-byte vertices (TMD sheet, section 2), and so it is in the table.

mod loops;

use core::arch::asm;

use overworld_runtime::gte::{Done, RawVertex, Run};
use overworld_runtime::model::tmd::Kind;

use super::blocks::{load_and_run, read};
use super::geometry::RTPS;
use crate::scratchpad::{ADDRESS, WORDS};

/// Words behind the table, for registers that have to be kept.
const SAVED_WORDS: usize = 4;

/// Where these words lie, from the beginning of the scratchpad.
const SAVED: usize = 4 * (WORDS - SAVED_WORDS);

/// There is no table; no memory has so many words.
const NONE: usize = usize::MAX;

/// Vertices for which the scratchpad has room.
const FEW: usize = (WORDS - SAVED_WORDS) / 2;

/// No bit of these in any position: x lies in 0..=1023 and y in 0..=511, so nothing is too large.
const BEYOND: u32 = 0xFE00_FC00;

unsafe extern "C" {
    /// Projects three vertices at a time.
    fn overworld_tabulate_three(from: *const RawVertex, to: *mut u32, count: usize) -> u32;
    /// Projects one vertex at a time, for the IR0 of each.
    fn overworld_tabulate_cued(from: *const RawVertex, to: *mut u32, count: usize) -> u32;
}

/// A loop over the records of a kind.
struct Loop {
    run: unsafe extern "C" fn(),
    /// Words of a record.
    record: u16,
    /// Words of a packet, with its tag.
    packet: u16,
    /// What stands beside the command where a record has no colour.
    neutral: u32,
}

/// Declares the loops, in the order of [`Kind::ALL`].
macro_rules! loops {
    ($($name:ident $kind:ident $neutral:literal)+) => {
        unsafe extern "C" {
            $(fn $name();)+
        }
        static LOOPS: [Loop; 12] = [$(Loop {
            run: $name,
            record: Kind::$kind.layout().stride as u16 / 4,
            packet: Kind::$kind.layout().packet as u16 + 1,
            neutral: $neutral,
        }),+];
    };
}

loops! {
    overworld_polygons_ft3lit Ft3Lit 0x80_8080
    overworld_polygons_ft4lit Ft4Lit 0x80_8080
    overworld_polygons_gt3lit Gt3Lit 0x80_8080
    overworld_polygons_gt4lit Gt4Lit 0x80_8080
    overworld_polygons_f3 F3 0
    overworld_polygons_f4 F4 0
    overworld_polygons_g3 G3 0
    overworld_polygons_g4 G4 0
    overworld_polygons_ft3 Ft3 0
    overworld_polygons_ft4 Ft4 0
    overworld_polygons_gt3 Gt3 0
    overworld_polygons_gt4 Gt4 0
}

/// Project vertices into memory of somebody else: position and depth of each.
pub(super) fn project_all(vertices: &[RawVertex], to: &mut [[u32; 2]]) {
    let count = vertices.len().min(to.len());
    if count >= 3 {
        let (from, to) = (vertices.as_ptr(), to.as_mut_ptr().cast());
        // SAFETY: the loop reads `count` vertices, of which there are enough for it, and writes two words each. It uses
        // registers that any function may change, and those of the engine that projection changes.
        unsafe { overworld_tabulate_three(from, to, count) };
        return;
    }
    for (vertex, [position, depth]) in vertices.iter().zip(to) {
        load_and_run::<RTPS, _>(vertex);
        (*position, *depth) = (read::<14>(), read::<19>());
    }
}

/// The scratchpad, and what is known about the object whose vertices are in the table.
#[derive(Debug)]
pub(super) struct Tables {
    /// `None` while somebody else has it.
    scratchpad: Option<&'static mut [u32; WORDS]>,
    /// How many words of spare memory are the table, a power of two; 0: it is in the scratchpad. [`NONE`] while that
    /// is not here.
    kept: usize,
    /// A position lies outside of 0..=1023 or 0..=511.
    wide: bool,
}

impl Tables {
    pub(super) const fn new() -> Self {
        Self {
            scratchpad: None,
            kept: NONE,
            wide: true,
        }
    }

    /// Take the scratchpad; other memory is not kept.
    pub(super) fn give(&mut self, memory: &'static mut [u32; WORDS]) {
        if memory.as_ptr().addr() == ADDRESS {
            self.scratchpad = Some(memory);
        }
    }

    /// The scratchpad for somebody else.
    pub(super) fn lend(&mut self) -> Option<&'static mut [u32; WORDS]> {
        self.kept = NONE;
        self.scratchpad.take()
    }

    /// Project the vertices of an object.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        vertices: &[RawVertex],
        cued: bool,
        spare: &mut [u32],
    ) -> Option<usize> {
        let scratchpad = self.scratchpad.as_deref_mut()?;
        let count = vertices.len();
        let (table, kept) = if count <= FEW {
            (scratchpad.as_mut_slice(), 0)
        } else {
            let mut kept = WORDS;
            while kept < 2 * count {
                kept *= 2;
            }
            (spare.get_mut(spare.len().checked_sub(kept)?..)?, kept)
        };
        let (from, to) = (vertices.as_ptr(), table.as_mut_ptr());
        // SAFETY: the loops read `count` vertices, of which there are enough for them, from where these are, and write
        // two words each, for which there is room. They use registers that any function may change, and those of the
        // engine that projection changes.
        let all = unsafe {
            match count {
                0 => return None,
                3.. if !cued => overworld_tabulate_three(from, to, count),
                _ => overworld_tabulate_cued(from, to, count),
            }
        };
        (self.kept, self.wide) = (kept, all & BEYOND != 0);
        Some(kept)
    }

    /// Draw records of that object.
    #[inline(always)]
    pub(super) fn draw(&mut self, run: Run<'_>) -> Done {
        let it = &LOOPS[run.kind as usize];
        let (record, packet) = (usize::from(it.record), usize::from(it.packet));
        let mut count = usize::from(run.count);
        if count * packet > run.free.len() {
            count = run.free.len() / packet;
        }
        let read = count * record;
        let end = run.address as usize + 4 * run.free.len();
        let ready = run.kept.len() == self.kept;
        if !ready || count == 0 || read > run.records.len() || end > 1 << 24 {
            return Done::default();
        }
        let first = run.records.as_ptr().expose_provenance() as u32;
        let place = run.free.as_mut_ptr().expose_provenance() as u32;
        // The table is a power of two long, so that no index that is cut leaves it.
        let (table, words) = match self.kept {
            0 => (ADDRESS, WORDS),
            kept => (run.kept.as_ptr().expose_provenance(), kept),
        };
        let mask = (4 * words as u32 - 8) & 0xFFF8;
        // Depths are counted from that of bucket 0, which the table may not have. What is before its first entry counts
        // as near, and is left to others.
        let (first_bucket, last) = (run.first, run.first + run.buckets.len() as u32);
        let near = u32::from(run.near).max(first_bucket);
        let closer = self.wide || run.moved || near > last;
        let limit = if closer { 0 } else { last - near };
        let table_zero = run.buckets.as_mut_ptr().wrapping_sub(first_bucket as usize);
        let flags = [run.two_sided, self.wide, run.moved].map(u32::from);
        let (next, packet, culled): (u32, u32, u32);
        // SAFETY: the loops, which the registers are for, read `count` records, of which there are so many; write as
        // many packets at most, for which there is room; write the ordering table at no depth before its beginning or beyond its end; and
        // read normals within the length that they are told, and the table where the mask lets them. Registers
        // that cannot be named here are kept behind the table, in the scratchpad, which `self` has if there is a
        // table: it is reached by its address, and nobody uses the reference, the only one, meanwhile. All else that
        // changes is said, or is the engine's.
        unsafe {
            asm!(
                ".set push", ".set noreorder", ".set noat",
                "lui $2, 0x1F80",
                "sw $1, {saved}+4($2)",
                "sw $30, {saved}+8($2)",
                "sw $31, {saved}+12($2)",
                "jalr $3",
                "nop",
                "lui $2, 0x1F80",
                "lw $1, {saved}+4($2)",
                "lw $30, {saved}+8($2)",
                "lw $31, {saved}+12($2)",
                "nop",
                ".set pop",
                saved = const SAVED,
                out("$2") _,
                inout("$3") it.run => _,
                inout("$4") first => next,
                inout("$5") place => packet,
                in("$6") first.wrapping_add(4 * read as u32),
                in("$7") table,
                in("$8") mask | mask << 16,
                in("$9") table_zero,
                in("$10") near,
                in("$11") limit,
                in("$12") run.command | it.neutral,
                in("$13") run.address.wrapping_sub(place),
                in("$14") 4 * last,
                in("$15") 0x00FF_FFFF,
                out("$16") _,
                out("$17") _,
                out("$18") _,
                out("$19") _,
                inout("$20") run.normals.as_ptr() => _,
                inout("$21") 8 * run.normals.len() => _,
                out("$22") _,
                out("$23") _,
                inout("$24") 0 => culled,
                in("$25") flags[0] | flags[1] << 1 | flags[2] << 2,
                options(nostack),
            );
        }
        Done {
            words: next.wrapping_sub(first) as usize / 4,
            packets: packet.wrapping_sub(place) as usize / 4,
            culled: culled as usize,
        }
    }
}
