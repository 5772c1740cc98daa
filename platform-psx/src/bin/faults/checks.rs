//! Tests of what lies below every program: start-up code, exceptions, memory functions.

use crate::bios;
use core::arch::global_asm;
use core::cell::UnsafeCell;
use core::hint::black_box;
use overworld_psx::interrupt::{self, Source};
use overworld_psx::io;
use overworld_psx::println;
use overworld_psx::summary::Summary;
use overworld_psx::tty::Verdict;

/// What a test finds: a sentence if it fails.
pub type Outcome = Result<(), &'static str>;

/// A test and its name.
type Test = (&'static str, fn() -> Outcome);

/// Run them all, one `@@TEST` line each.
pub fn run() -> Verdict {
    let tests: [Test; 9] = [
        ("start/bss", bss_is_zero),
        ("memory/copy", copies),
        ("memory/set", sets),
        ("memory/compare", compares),
        ("bios/memory", bios::memory),
        ("bios/strings", bios::strings),
        ("interrupt/vblank", vblanks_are_counted),
        ("interrupt/registers", registers_survive),
        ("interrupt/gte", gte_commands_run_once),
    ];
    bios::print();
    let mut summary = Summary::new("OVERWORLD FOUNDATIONS");
    for (name, test) in tests {
        let outcome = test();
        summary.test(name, outcome.is_ok());
        match outcome {
            Ok(()) => println!("@@TEST {name} ok -"),
            Err(why) => println!("@@TEST {name} FAIL {why}"),
        }
    }
    summary.show();
    if summary.good() {
        Verdict::Pass
    } else {
        Verdict::Fail
    }
}

/// Larger than the padding of the file, so that its end comes from no loader.
struct Cleared(UnsafeCell<[u32; 1024]>);

// SAFETY: only `bss_is_zero` uses it, once, and only to read.
unsafe impl Sync for Cleared {}

static CLEARED: Cleared = Cleared(UnsafeCell::new([0; 1024]));

fn bss_is_zero() -> Outcome {
    let words: *const u32 = CLEARED.0.get().cast();
    // SAFETY: inside the array.
    let zero = (0..1024).all(|index| unsafe { words.add(index).read_volatile() } == 0);
    if zero {
        Ok(())
    } else {
        Err("a zeroed variable is not zero")
    }
}

const BUFFER: usize = 160;

/// Bytes that differ from their neighbours near and far.
fn pattern() -> [u8; BUFFER] {
    let mut bytes = [0; BUFFER];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = (index as u8).wrapping_mul(37) ^ 0x5A;
    }
    bytes
}

/// Sizes around every step of the implementation.
const SIZES: [usize; 18] = [
    0, 1, 2, 3, 4, 5, 15, 16, 17, 18, 19, 31, 32, 33, 48, 63, 64, 79,
];

/// Every alignment of both ends, every distance of an overlap, against a copy byte by byte.
fn copies() -> Outcome {
    let original = pattern();
    for size in SIZES {
        for from in 0..8 {
            for to in (0..8).chain(36..40) {
                let mut expected = original;
                for offset in 0..size {
                    // One byte at a time, so not a call of the function under test.
                    let byte = black_box(original[from + offset]);
                    expected[to + offset] = byte;
                }
                let mut found = original;
                found.copy_within(black_box(from..from + size), black_box(to));
                if !same(&found, &expected) {
                    return Err("memmove differs from a copy byte by byte");
                }
                let mut found = original;
                found[to..to + size].copy_from_slice(black_box(&original[from..from + size]));
                if !same(&found, &expected) {
                    return Err("memcpy differs from a copy byte by byte");
                }
            }
        }
    }
    Ok(())
}

fn same(left: &[u8; BUFFER], right: &[u8; BUFFER]) -> bool {
    left.iter()
        .zip(right)
        .all(|(left, right)| black_box(*left) == *right)
}

fn sets() -> Outcome {
    for size in SIZES {
        for to in 0..8 {
            let mut found = pattern();
            found[to..to + size].fill(black_box(0xC3));
            let original = pattern();
            let right = found.iter().enumerate().all(|(index, byte)| {
                let inside = (to..to + size).contains(&index);
                *byte == if inside { 0xC3 } else { original[index] }
            });
            if !right {
                return Err("memset wrote too much or too little");
            }
        }
    }
    Ok(())
}

fn compares() -> Outcome {
    use core::cmp::Ordering;
    let original = pattern();
    for size in SIZES {
        for at in 0..4 {
            let range = at..at + size;
            let left = black_box(&original[range.clone()]);
            let mut other = original;
            if left.cmp(black_box(&other[range.clone()])) != Ordering::Equal {
                return Err("equal bytes compare as different");
            }
            for place in range.clone() {
                other = original;
                other[place] = original[place] ^ 0x80;
                let expected = original[place].cmp(&other[place]);
                if left.cmp(black_box(&other[range.clone()])) != expected {
                    return Err("memcmp orders wrongly");
                }
            }
        }
    }
    Ok(())
}

/// Wait for `count` vertical blanks, but not for ever.
fn wait_vblanks(count: u32) -> Outcome {
    let start = interrupt::vblanks();
    for _ in 0..3_000_000 {
        if interrupt::vblanks().wrapping_sub(start) >= count {
            return Ok(());
        }
    }
    Err("no vertical blank came")
}

fn vblanks_are_counted() -> Outcome {
    wait_vblanks(2)?;
    interrupt::disable();
    let before = interrupt::vblanks();
    black_box(burn(3_000_000));
    let held = interrupt::vblanks() == before;
    interrupt::enable();
    wait_vblanks(1)?;
    if !held {
        return Err("a vertical blank came with interrupts off");
    }
    // A critical section by system call holds them off, too, and says what was before.
    // SAFETY: plain system calls, which this crate's handler answers.
    let (first, second) = unsafe { (system_call(1), system_call(1)) };
    let before = interrupt::vblanks();
    black_box(burn(3_000_000));
    let held = interrupt::vblanks() == before;
    // SAFETY: as above.
    unsafe { system_call(2) };
    wait_vblanks(1)?;
    if !held || (first, second) != (1, 0) {
        return Err("a critical section does not hold");
    }
    Ok(())
}

/// Use up some time: at least `cycles` cycles.
fn burn(cycles: u32) -> u32 {
    (0..cycles / 2).fold(0, |sum, step| black_box(sum ^ step))
}

global_asm!(
    r#"
    .set push
    .set noreorder
    .set noat

    .section .text.system_call, "ax", @progbits
system_call:
    syscall
    jr      $31
    nop

    # Fill the registers, wait for some frames, add up how far they are from what they were:
    # any interrupt that loses one shows.
    .section .text.hold_registers, "ax", @progbits
hold_registers:
    addiu   $29, $29, -48
    sw      $16, 0($29)
    sw      $17, 4($29)
    sw      $18, 8($29)
    sw      $19, 12($29)
    sw      $20, 16($29)
    sw      $21, 20($29)
    sw      $22, 24($29)
    sw      $23, 28($29)
    sw      $30, 32($29)
    sw      $31, 36($29)
    sw      $28, 40($29)
    lui     $2, 0x1357
    mthi    $2
    mtlo    $4
    .irp    register, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 30, 31
    addiu   $\register, $2, \register
    .endr
1:
    addiu   $4, $4, -1
    bne     $4, $0, 1b
    nop
    move    $4, $0
    .irp    register, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 30, 31
    addiu   $\register, $\register, -\register
    xor     $\register, $\register, $2
    or      $4, $4, $\register
    .endr
    mfhi    $3
    mflo    $5
    xor     $3, $3, $2
    or      $4, $4, $3
    sltiu   $5, $5, 1
    or      $2, $4, $5
    lw      $16, 0($29)
    lw      $17, 4($29)
    lw      $18, 8($29)
    lw      $19, 12($29)
    lw      $20, 16($29)
    lw      $21, 20($29)
    lw      $22, 24($29)
    lw      $23, 28($29)
    lw      $30, 32($29)
    lw      $31, 36($29)
    lw      $28, 40($29)
    jr      $31
    addiu   $29, $29, 48

    # $4 times: mark the FIFO of screen points, run RTPS, which pushes one point; count how often
    # the FIFO has moved by another number than one.
    .section .text.push_points, "ax", @progbits
push_points:
    move    $2, $0
    ori     $8, $0, 0x0011
    ori     $9, $0, 0x0022
    ori     $10, $0, 0x0033
1:
    mtc2    $8, $12                 # SXY0
    mtc2    $9, $13                 # SXY1
    mtc2    $10, $14                # SXY2
    nop
    nop
    .word   0x4A180001              # RTPS
    nop
    mfc2    $11, $12
    mfc2    $12, $13
    nop
    xor     $11, $11, $9            # SXY0 is what SXY1 was
    xor     $12, $12, $10
    or      $11, $11, $12
    sltu    $11, $0, $11
    addu    $2, $2, $11
    addiu   $4, $4, -1
    bne     $4, $0, 1b
    nop
    jr      $31
    nop
    .set pop
    "#
);

unsafe extern "C" {
    fn system_call(number: u32) -> u32;
    safe fn hold_registers(turns: u32) -> u32;
    safe fn push_points(turns: u32) -> u32;
}

fn registers_survive() -> Outcome {
    let before = interrupt::vblanks();
    let lost = hold_registers(1_000_000);
    if interrupt::vblanks().wrapping_sub(before) < 2 {
        return Err("no interrupt came meanwhile");
    }
    if lost == 0 {
        Ok(())
    } else {
        Err("an interrupt changed a register")
    }
}

/// With an interrupt every 2,048 to 2,303 cycles, at irregular places, some hit a GTE command, which
/// must not run twice.
fn gte_commands_run_once() -> Outcome {
    interrupt::set_handler(Source::Timer2, Some(again));
    again();
    interrupt::mask(Source::Timer2, true);
    let twice = push_points(100_000);
    interrupt::mask(Source::Timer2, false);
    interrupt::set_handler(Source::Timer2, None);
    // Nobody else's in this program; this stops its interrupts.
    io::root_counter(2).mode.write(0);

    if FIRED.get() < 1_000 {
        return Err("the timer did not interrupt");
    }
    if twice == 0 {
        Ok(())
    } else {
        Err("a command ran twice, or not at all")
    }
}

/// A counter that the handler changes.
struct Count(UnsafeCell<u32>);

// SAFETY: one CPU; every access is one volatile word.
unsafe impl Sync for Count {}

impl Count {
    fn get(&self) -> u32 {
        // SAFETY: the cell is valid and no reference into it exists.
        unsafe { self.0.get().read_volatile() }
    }

    fn set(&self, value: u32) {
        // SAFETY: as in `get`.
        unsafe { self.0.get().write_volatile(value) };
    }
}

static FIRED: Count = Count(UnsafeCell::new(0));

/// Count, and let root counter 2 interrupt again after a while that differs from time to time.
fn again() {
    let fired = FIRED.get() + 1;
    FIRED.set(fired);
    let irregular = fired.wrapping_mul(0x9E37_79B1) >> 24;
    // Nobody else's in this program: interrupt once, at the target.
    let counter = io::root_counter(2);
    counter.target.write(2048 + irregular);
    counter.mode.write(0x0018);
}
