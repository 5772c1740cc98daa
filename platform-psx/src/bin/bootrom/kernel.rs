//! The vectors of BIOS calls at A0h, B0h and C0h, and the tables behind them.
//!
//! As in the original kernel a call goes through a table of addresses in RAM, so a program can
//! replace single functions (GetB0Table, GetC0Table).

use core::arch::global_asm;

/// A table of BIOS functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Called through A0h.
    A,
    /// Called through B0h.
    B,
    /// Called through C0h.
    C,
}

/// Functions in each table. The assembly below knows these numbers and the addresses.
const LENGTHS: [usize; 3] = [0xC0, 0x60, 0x20];

impl Table {
    const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// Where the table lies in kernel RAM.
    pub const fn address(self) -> u32 {
        match self {
            Self::A => 0x8000_0200,
            Self::B => 0x8000_0600,
            Self::C => 0x8000_0800,
        }
    }

    /// How many functions it has.
    pub const fn length(self) -> usize {
        LENGTHS[self as usize]
    }

    /// The address that programs call.
    const fn vector(self) -> u32 {
        match self {
            Self::A => 0x8000_00A0,
            Self::B => 0x8000_00B0,
            Self::C => 0x8000_00C0,
        }
    }
}

global_asm!(
    r#"
    .set push
    .set noreorder
    .set noat

    # Four instructions each, copied to the vectors.
    .section .rodata.rom_vectors, "a", @progbits
    .balign 4
    .global rom_vectors
rom_vectors:
    .irp table, a, b, c
    lui     $8, %hi(rom_call_\table)
    addiu   $8, $8, %lo(rom_call_\table)
    jr      $8
    nop
    .endr

    # t1 holds the number. t0 is the caller's to lose.
    .macro rom_call table, address, length
    .section .text.rom_call_\table, "ax", @progbits
    .global rom_call_\table
    .global rom_unknown_\table
    .type rom_call_\table, @function
rom_call_\table:
    sltiu   $8, $9, \length
    beq     $8, $0, rom_unknown_\table
    sll     $8, $9, 2
    lui     $10, 0x8000
    or      $8, $8, $10
    lw      $8, \address($8)
    nop
    jr      $8
    nop
rom_unknown_\table:
    ori     $4, $0, \address
    j       rom_unknown
    move    $5, $9
    .size rom_call_\table, . - rom_call_\table
    .endm

    rom_call a, 0x200, 0xC0
    rom_call b, 0x600, 0x60
    rom_call c, 0x800, 0x20
    .set pop
    "#
);

unsafe extern "C" {
    static rom_vectors: [[u32; 4]; 3];
    fn rom_unknown_a();
    fn rom_unknown_b();
    fn rom_unknown_c();
}

/// The same ROM address where the instruction cache works.
fn cached(function: usize) -> u32 {
    function as u32 & !0x2000_0000
}

/// Make `function` number `number` of `table`; numbers that the table lacks are passed over.
///
/// `function` is the address of a function with the C calling convention.
pub fn set(table: Table, number: usize, function: usize) {
    if number < table.length() {
        let place = table.address() as *mut u32;
        // SAFETY: the table's words in kernel RAM, which no Rust object occupies.
        unsafe { place.add(number).write_volatile(cached(function)) };
    }
}

/// What lies where a null pointer leads to, up to the words that the original kernel keeps below the
/// exception vector.
const NOWHERE: core::ops::Range<u32> = 0x8000_0000..0x8000_0060;
/// `break 0`
const BREAK: u32 = 0x0000_000D;

/// Write vectors and tables; every function is unknown at first, and a call of nothing is a fault. The
/// instruction cache must be flushed before the first call.
pub fn install() {
    // Zeros there would be a slide into the exception handler, and no report would follow.
    for address in NOWHERE.step_by(4) {
        // SAFETY: words of kernel RAM that no Rust object occupies.
        unsafe { (address as *mut u32).write_volatile(BREAK) };
    }
    // SAFETY: the linker places the words; nobody writes them.
    let vectors = unsafe { &rom_vectors };
    let unknown: [unsafe extern "C" fn(); 3] = [rom_unknown_a, rom_unknown_b, rom_unknown_c];
    for ((table, vector), unknown) in Table::ALL.into_iter().zip(vectors).zip(unknown) {
        for (offset, word) in vector.iter().enumerate() {
            let place = table.vector() as *mut u32;
            // SAFETY: four words of kernel RAM that belong to the vector.
            unsafe { place.add(offset).write_volatile(*word) };
        }
        for number in 0..table.length() {
            set(table, number, unknown as usize);
        }
    }
}
