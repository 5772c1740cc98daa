//! The BIOS functions that this ROM offers (HAL sheet, section 11), numbered as in the original.
//!
//! Text output, the C library's string and memory functions, the cache flush, and the two switches
//! that tell the kernel to leave interrupts to the program. A call of anything else is reported
//! once, with its number, and answers 0.

use crate::kernel::{self, Table};
use crate::log;
use core::arch::global_asm;
use core::cell::Cell;
use core::ptr;
use overworld_psx::rom::format::{self, Source};
use overworld_psx::{println, start, tty};

/// A variable of the ROM.
struct Variable<T>(Cell<T>);

// SAFETY: there is one CPU, and the ROM's exception handler does not call BIOS functions while one
// runs, except to report a fault that ends everything.
unsafe impl<T> Sync for Variable<T> {}

/// The state of `rand`.
static RANDOM: Variable<u32> = Variable(Cell::new(0));
/// Unknown calls that have been reported, a bit a number, a row a table.
static REPORTED: [Variable<[u32; 8]>; 3] = [const { Variable(Cell::new([0; 8])) }; 3];

global_asm!(
    r#"
    .set push
    .set noreorder
    .set noat

    # printf: the four arguments in registers go to the places that the caller keeps for them, so that
    # all lie in a row.
    .section .text.rom_printf, "ax", @progbits
    .global rom_printf
    .type rom_printf, @function
rom_printf:
    sw      $4, 0($29)
    sw      $5, 4($29)
    sw      $6, 8($29)
    sw      $7, 12($29)
    move    $4, $29
    addiu   $29, $29, -24
    sw      $31, 16($29)
    jal     rom_print
    nop
    lw      $31, 16($29)
    addiu   $29, $29, 24
    jr      $31
    nop
    .size rom_printf, . - rom_printf

    # setjmp(buffer): ra, sp, fp, s0..s7, gp.
    .section .text.rom_setjmp, "ax", @progbits
    .global rom_setjmp
    .type rom_setjmp, @function
rom_setjmp:
    sw      $31, 0($4)
    sw      $29, 4($4)
    sw      $30, 8($4)
    sw      $16, 12($4)
    sw      $17, 16($4)
    sw      $18, 20($4)
    sw      $19, 24($4)
    sw      $20, 28($4)
    sw      $21, 32($4)
    sw      $22, 36($4)
    sw      $23, 40($4)
    sw      $28, 44($4)
    jr      $31
    move    $2, $0
    .size rom_setjmp, . - rom_setjmp

    # longjmp(buffer, value)
    .section .text.rom_longjmp, "ax", @progbits
    .global rom_longjmp
    .type rom_longjmp, @function
rom_longjmp:
    lw      $31, 0($4)
    lw      $29, 4($4)
    lw      $30, 8($4)
    lw      $16, 12($4)
    lw      $17, 16($4)
    lw      $18, 20($4)
    lw      $19, 24($4)
    lw      $20, 28($4)
    lw      $21, 32($4)
    lw      $22, 36($4)
    lw      $23, 40($4)
    lw      $28, 44($4)
    jr      $31
    move    $2, $5
    .size rom_longjmp, . - rom_longjmp
    .set pop
    "#
);

unsafe extern "C" {
    fn rom_printf();
    fn rom_setjmp();
    fn rom_longjmp();
}

/// Put functions into a table by their numbers.
macro_rules! fill {
    ($table:expr, $($number:literal $function:ident,)*) => {
        $(kernel::set($table, $number, $function as *const () as usize);)*
    };
}

/// Fill the tables.
#[rustfmt::skip]
pub fn install() {
    fill!(Table::A,
        0x06 exit,
        0x0E abs,
        0x0F abs,
        0x10 atoi,
        0x11 atoi,
        0x13 rom_setjmp,
        0x14 rom_longjmp,
        0x15 strcat,
        0x16 strncat,
        0x17 strcmp,
        0x18 strncmp,
        0x19 strcpy,
        0x1A strncpy,
        0x1B strlen,
        0x1C strchr,
        0x1D strrchr,
        0x1E strchr,
        0x1F strrchr,
        0x25 toupper,
        0x26 tolower,
        0x27 bcopy,
        0x28 bzero,
        0x29 memcmp,
        0x2A memcpy,
        0x2B memset,
        0x2C memmove,
        0x2D memcmp,
        0x2E memchr,
        0x2F rand,
        0x30 srand,
        0x3A exit,
        0x3C putchar,
        0x3E puts,
        0x3F rom_printf,
        0x44 flush_cache,
    );
    fill!(Table::B,
        0x38 exit,
        0x3D tty_byte,
        0x3F puts,
        0x56 c_table,
        0x57 b_table,
        0x5B nothing, // ChangeClearPAD
    );
    fill!(Table::C,
        0x0A nothing, // ChangeClearRCnt
    );
}

/// Any call that is not in the tables: `table` is where the table lies.
#[unsafe(no_mangle)]
extern "C" fn rom_unknown(table: u32, number: u32) -> u32 {
    let (name, reported) = match table {
        0x200 => ('A', &REPORTED[0]),
        0x600 => ('B', &REPORTED[1]),
        _ => ('C', &REPORTED[2]),
    };
    let mut bits = reported.0.get();
    // Numbers beyond the tables share the last bit.
    let index = number.min(255);
    let bit = 1 << (index & 31);
    if let Some(word) = bits.get_mut((index >> 5) as usize)
        && *word & bit == 0
    {
        *word |= bit;
        reported.0.set(bits);
        println!("@@ROM unknown call {name}0:{number:02X}");
    }
    0
}

/// B0:3D putchar. Emulators listen at the vector itself; here the log is written.
extern "C" fn tty_byte(byte: u32) -> u32 {
    log::append(byte as u8);
    byte
}

/// A0:3C putchar, through the vector, so that it is heard there.
extern "C" fn putchar(byte: u32) -> u32 {
    tty::Tty.byte(byte as u8);
    byte
}

/// A0:3E and B0:3F puts: as the original, without a line end of its own.
unsafe extern "C" fn puts(text: *const u8) {
    if text.is_null() {
        b"<NULL>".iter().for_each(|&byte| tty::Tty.byte(byte));
        return;
    }
    // SAFETY: the caller passes a string.
    let length = unsafe { strlen(text) };
    for offset in 0..length {
        // SAFETY: inside the string.
        tty::Tty.byte(unsafe { *text.add(offset) });
    }
}

/// Memory and arguments of a program that calls printf.
struct Caller {
    next: *const u32,
}

impl Source for Caller {
    fn word(&mut self) -> u32 {
        // SAFETY: the arguments lie in a row on the caller's stack, and a template that names
        // more than there are reads on there, as in C.
        let word = unsafe { self.next.read() };
        self.next = self.next.wrapping_add(1);
        word
    }

    fn byte(&mut self, address: u32) -> u8 {
        // SAFETY: the program passed this address as a string; a wrong one faults and is reported.
        unsafe { (address as *const u8).read_volatile() }
    }
}

/// printf with its arguments in a row.
#[unsafe(no_mangle)]
extern "C" fn rom_print(arguments: *const u32) -> u32 {
    let mut caller = Caller { next: arguments };
    let template = caller.word();
    format::format(&mut caller, template, &mut |byte| tty::Tty.byte(byte))
}

/// The program ends itself.
extern "C" fn exit(code: i32) -> ! {
    start::interrupts_off();
    println!("@@ROM exit({code})");
    tty::end(if code == 0 {
        tty::Verdict::Pass
    } else {
        tty::Verdict::Fail
    });
    start::stop()
}

extern "C" fn flush_cache() {
    start::flush_icache();
}

extern "C" fn b_table() -> u32 {
    Table::B.address()
}

extern "C" fn c_table() -> u32 {
    Table::C.address()
}

/// A switch of a kernel service that this ROM does not have: off it is.
extern "C" fn nothing() -> u32 {
    0
}

extern "C" fn abs(value: i32) -> i32 {
    value.wrapping_abs()
}

unsafe extern "C" fn atoi(text: *const u8) -> i32 {
    let mut at = text;
    // SAFETY: the caller passes a string; nothing beyond its end is read.
    unsafe {
        while (*at).is_ascii_whitespace() {
            at = at.add(1);
        }
        let negative = *at == b'-';
        if negative || *at == b'+' {
            at = at.add(1);
        }
        let mut value: i32 = 0;
        while (*at).is_ascii_digit() {
            value = value.wrapping_mul(10).wrapping_add(i32::from(*at - b'0'));
            at = at.add(1);
        }
        if negative {
            value.wrapping_neg()
        } else {
            value
        }
    }
}

extern "C" fn toupper(letter: u32) -> u32 {
    u32::from((letter as u8).to_ascii_uppercase())
}

extern "C" fn tolower(letter: u32) -> u32 {
    u32::from((letter as u8).to_ascii_lowercase())
}

extern "C" fn rand() -> u32 {
    let next = RANDOM
        .0
        .get()
        .wrapping_mul(0x41C6_4E6D)
        .wrapping_add(0x3039);
    RANDOM.0.set(next);
    next >> 16 & 0x7FFF
}

extern "C" fn srand(seed: u32) {
    RANDOM.0.set(seed);
}

// The string functions below are C's: each is sound for pointers that C's would be sound for. Loads
// and stores are volatile, so that the compiler does not turn a loop into a call of the very function
// it implements.

unsafe extern "C" fn strlen(text: *const u8) -> usize {
    let mut length = 0;
    // SAFETY: the caller passes a string.
    while unsafe { text.add(length).read_volatile() } != 0 {
        length += 1;
    }
    length
}

unsafe extern "C" fn strcpy(to: *mut u8, from: *const u8) -> *mut u8 {
    // SAFETY: the caller passes a string and room for it.
    unsafe { memmove(to, from, strlen(from) + 1) }
}

unsafe extern "C" fn strncpy(to: *mut u8, from: *const u8, limit: usize) -> *mut u8 {
    let mut ended = false;
    for offset in 0..limit {
        // SAFETY: the caller passes a string and room for `limit` bytes; after the string's end
        // it is not read on.
        unsafe {
            let byte = if ended {
                0
            } else {
                from.add(offset).read_volatile()
            };
            ended |= byte == 0;
            to.add(offset).write_volatile(byte);
        }
    }
    to
}

unsafe extern "C" fn strcat(to: *mut u8, from: *const u8) -> *mut u8 {
    // SAFETY: the caller passes two strings and room for both behind the first.
    unsafe {
        strcpy(to.add(strlen(to)), from);
    }
    to
}

unsafe extern "C" fn strncat(to: *mut u8, from: *const u8, limit: usize) -> *mut u8 {
    // SAFETY: the caller passes two strings and room for both behind the first.
    unsafe {
        let end = to.add(strlen(to));
        let length = strlen(from).min(limit);
        memmove(end, from, length);
        end.add(length).write_volatile(0);
    }
    to
}

unsafe extern "C" fn strcmp(left: *const u8, right: *const u8) -> i32 {
    // SAFETY: the caller passes two strings; no comparison goes past an end.
    unsafe { strncmp(left, right, usize::MAX) }
}

unsafe extern "C" fn strncmp(left: *const u8, right: *const u8, limit: usize) -> i32 {
    for offset in 0..limit {
        // SAFETY: the caller passes two strings; the loop ends with the first that ends.
        let (a, b) = unsafe {
            (
                left.add(offset).read_volatile(),
                right.add(offset).read_volatile(),
            )
        };
        if a != b || a == 0 {
            return i32::from(a) - i32::from(b);
        }
    }
    0
}

unsafe extern "C" fn strchr(text: *const u8, letter: u32) -> *const u8 {
    // SAFETY: the caller passes a string; its end mark can be looked for, too.
    unsafe { memchr(text, letter, strlen(text) + 1) }
}

unsafe extern "C" fn strrchr(text: *const u8, letter: u32) -> *const u8 {
    // SAFETY: the caller passes a string.
    let length = unsafe { strlen(text) };
    for offset in (0..=length).rev() {
        // SAFETY: inside the string.
        if unsafe { text.add(offset).read_volatile() } == letter as u8 {
            return text.wrapping_add(offset);
        }
    }
    ptr::null()
}

unsafe extern "C" fn memchr(memory: *const u8, letter: u32, size: usize) -> *const u8 {
    for offset in 0..size {
        // SAFETY: the caller passes `size` bytes.
        if unsafe { memory.add(offset).read_volatile() } == letter as u8 {
            return memory.wrapping_add(offset);
        }
    }
    ptr::null()
}

unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, size: usize) -> i32 {
    for offset in 0..size {
        // SAFETY: the caller passes `size` bytes each.
        let (a, b) = unsafe {
            (
                left.add(offset).read_volatile(),
                right.add(offset).read_volatile(),
            )
        };
        if a != b {
            return i32::from(a) - i32::from(b);
        }
    }
    0
}

unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    // SAFETY: the caller passes `size` bytes each; they may overlap.
    unsafe { ptr::copy(from, to, size) };
    to
}

unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    // SAFETY: the caller passes `size` bytes each.
    unsafe { memmove(to, from, size) }
}

unsafe extern "C" fn bcopy(from: *const u8, to: *mut u8, size: usize) -> *const u8 {
    // SAFETY: the caller passes `size` bytes each.
    unsafe { memmove(to, from, size) };
    from
}

unsafe extern "C" fn memset(memory: *mut u8, value: u32, size: usize) -> *mut u8 {
    // SAFETY: the caller passes `size` bytes.
    unsafe { ptr::write_bytes(memory, value as u8, size) };
    memory
}

unsafe extern "C" fn bzero(memory: *mut u8, size: usize) -> *mut u8 {
    // SAFETY: the caller passes `size` bytes.
    unsafe { memset(memory, 0, size) }
}
