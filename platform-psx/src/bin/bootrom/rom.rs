//! From reset to the program's first instruction.

use crate::{calls, kernel, log, picture};
use core::arch::global_asm;
use core::fmt::Write as _;
use core::panic::PanicInfo;
use overworld_psx::cd::{AlignedSector, CdDrive, Hardware};
use overworld_psx::rom::disc::{self, Memory, Start};
use overworld_psx::rom::exe;
use overworld_psx::timer::Clock;
use overworld_psx::{crash, dma, exception, println, start, tty};

// Code runs from BFCxxxxxh, uncached, until `rom_cached` goes over to the same bytes at 9FCxxxxxh,
// which the instruction cache covers: jumps and calls stay in their 256 MiB.
global_asm!(
    r#"
    .macro rom_cached function
    lui     $8, %hi(\function)
    addiu   $8, $8, %lo(\function)
    lui     $9, 0xDFFF
    ori     $9, $9, 0xFFFF
    and     $8, $8, $9
    .endm

    .section .rom.reset, "ax", @progbits
    .global _reset
    .type _reset, @function
    .set push
    .set noreorder
    .set noat
_reset:
    mtc0    $0, $12                 # SR: interrupts off, vectors in RAM
    nop
    nop
    mtc0    $0, $13                 # cause: no software interrupts
    mtc0    $0, $7                  # DCIC: no breakpoints
    lui     $8, 0xBF80

    # The buses (HAL sheet and emulator notes: the values of the original kernel).
    lui     $9, 0x0013
    ori     $9, $9, 0x243F
    sw      $9, 0x1010($8)          # ROM
    ori     $9, $0, 0x0B88
    sw      $9, 0x1060($8)          # RAM size
    lui     $9, 0x1F00
    sw      $9, 0x1000($8)          # expansion 1 base
    lui     $9, 0x1F80
    ori     $9, $9, 0x2000
    sw      $9, 0x1004($8)          # expansion 2 base
    lui     $9, 0x0013
    ori     $9, $9, 0x243F
    sw      $9, 0x1008($8)          # expansion 1
    ori     $9, $0, 0x3022
    sw      $9, 0x100C($8)          # expansion 3
    lui     $9, 0x2009
    ori     $9, $9, 0x31E1
    sw      $9, 0x1014($8)          # sound
    lui     $9, 0x0002
    ori     $9, $9, 0x0843
    sw      $9, 0x1018($8)          # CD-ROM
    lui     $9, 0x0007
    ori     $9, $9, 0x0777
    sw      $9, 0x101C($8)          # expansion 2
    lui     $9, 0x0003
    ori     $9, $9, 0x1125
    sw      $9, 0x1020($8)          # common delay
    sw      $0, 0x1074($8)          # I_MASK
    sw      $0, 0x1070($8)          # I_STAT
    sw      $0, 0x10F4($8)          # DICR
    lui     $9, 0x0765
    ori     $9, $9, 0x4321
    sw      $9, 0x10F0($8)          # DPCR: no channel enabled
    sh      $0, 0x1D80($8)          # main volume, left and right
    sh      $0, 0x1D82($8)
    lui     $9, 0x0001
    ori     $9, $9, 0xE988
    lui     $10, 0xFFFE
    sw      $9, 0x0130($10)         # BCC

    jal     overworld_flush_icache
    nop
    lui     $29, %hi(__stack_top)
    addiu   $29, $29, %lo(__stack_top)
    addiu   $29, $29, -16           # argument space of the first call
    lui     $28, %hi(_gp)
    addiu   $28, $28, %lo(_gp)

    # Variables are zero; the program's memory is anything but: no program may count on zeros.
    lui     $4, %hi(__bss_start)
    addiu   $4, $4, %lo(__bss_start)
    lui     $5, %hi(__bss_end)
    addiu   $5, $5, %lo(__bss_end)
    move    $6, $0
    rom_cached rom_fill
    jalr    $8
    nop
    lui     $4, 0x8001
    lui     $5, 0x8020
    lui     $6, 0xA5A5
    ori     $6, $6, 0xA5A5
    rom_cached rom_fill
    jalr    $8
    nop
    rom_cached rom_setup
    jalr    $8
    nop
    lui     $8, %hi(rom_hook)
    addiu   $8, $8, %lo(rom_hook)
    jr      $8
    nop
    .size _reset, . - _reset

    # Nothing is there yet that could report.
    .section .rom.early, "ax", @progbits
rom_early:
    b       rom_early
    nop

    # BFC06990h. An emulator that side-loads a program does so here.
    .section .rom.hook, "ax", @progbits
    .global rom_hook
rom_hook:
    nop
    nop
    nop
    nop
    lui     $29, %hi(__stack_top)
    addiu   $29, $29, %lo(__stack_top)
    addiu   $29, $29, -16
    rom_cached rom_boot
    jr      $8
    nop

    # Store $6 from $4 up to $5, whole groups of four words.
    .section .text.rom_fill, "ax", @progbits
    .global rom_fill
    .type rom_fill, @function
rom_fill:
    sw      $6, 0($4)
    sw      $6, 4($4)
    sw      $6, 8($4)
    addiu   $4, $4, 16
    bne     $4, $5, rom_fill
    sw      $6, -4($4)
    jr      $31
    nop
    .size rom_fill, . - rom_fill

    # rom_launch(pc, gp, sp): a0 = 1, a1 = 0, no way back but to the line that says so.
    .section .text.rom_launch, "ax", @progbits
    .global rom_launch
    .type rom_launch, @function
rom_launch:
    move    $8, $4
    move    $28, $5
    move    $29, $6
    move    $30, $6
    ori     $4, $0, 1
    move    $5, $0
    lui     $31, %hi(rom_back)
    addiu   $31, $31, %lo(rom_back)
    jr      $8
    nop
    .size rom_launch, . - rom_launch

    # Where a program comes back to, whatever it left in sp and gp.
    .section .text.rom_back, "ax", @progbits
    .type rom_back, @function
rom_back:
    lui     $29, %hi(__stack_top)
    addiu   $29, $29, %lo(__stack_top)
    addiu   $29, $29, -16
    lui     $28, %hi(_gp)
    j       rom_returned
    addiu   $28, $28, %lo(_gp)
    .size rom_back, . - rom_back
    .set pop
    "#
);

unsafe extern "C" {
    fn rom_launch(pc: u32, gp: u32, sp: u32) -> !;
}

/// Where emulators and debuggers that know a retail ROM's start of the shell take over.
const SHELL: u32 = 0x8003_0000;

/// All that a program may expect: it runs before the hook, because a side-loaded program gets no
/// more than this.
#[unsafe(no_mangle)]
extern "C" fn rom_setup() {
    log::clear();
    kernel::install();
    calls::install();
    exception::install();
    println!("@@ROM Overworld boot ROM {}", env!("CARGO_PKG_VERSION"));
    picture::show();
}

/// Nobody took over at the hook: try the shell's address, then the disc.
#[unsafe(no_mangle)]
extern "C" fn rom_boot() -> ! {
    call_shell();
    let mut screen = picture::status();
    let mut report = |text: core::fmt::Arguments<'_>| {
        println!("@@ROM {text}");
        let _ = writeln!(screen, "{text}");
    };
    report(format_args!("no program side-loaded, trying the disc"));
    match from_disc(&mut report) {
        Ok(Start { pc, gp, sp }) => {
            start::flush_icache();
            // SAFETY: the header was checked: `pc` is inside the body that now lies there, and
            // the caches know of it. This ROM's own stack is given up.
            unsafe { rom_launch(pc, gp, sp) }
        }
        Err(error) => {
            report(format_args!("{error}"));
            screen.hold();
            tty::end(tty::Verdict::Crash);
            start::stop()
        }
    }
}

/// A program came back: nothing is left to do.
#[unsafe(no_mangle)]
extern "C" fn rom_returned() -> ! {
    start::interrupts_off();
    println!("@@ROM the program returned");
    tty::end(tty::Verdict::Crash);
    start::stop()
}

/// Put a function that only returns at the shell's address and call it.
fn call_shell() {
    let place = SHELL as *mut u32;
    // SAFETY: memory of programs, of which none is loaded yet.
    unsafe {
        place.write_volatile(0x03E0_0008); // jr ra
        place.add(1).write_volatile(0); // nop
    }
    start::flush_icache();
    // SAFETY: a function without arguments was just put there; whoever sends this call elsewhere
    // does so knowingly.
    let shell: extern "C" fn() = unsafe { core::mem::transmute(SHELL) };
    shell();
}

/// The memory that belongs to programs.
struct Ram;

impl Memory for Ram {
    fn area(&mut self, address: u32, size: u32) -> Option<&mut [u8]> {
        let first = 0x8000_0000 + exe::RAM_FIRST;
        let end = 0x8000_0000 + exe::RAM_END;
        if address < first || address.checked_add(size)? > end {
            return None;
        }
        // SAFETY: inside main memory and above the kernel's 64 KiB, where everything of this ROM
        // lies; the loan ends with `self`'s, so there is one such slice at a time.
        Some(unsafe { core::slice::from_raw_parts_mut(address as *mut u8, size as usize) })
    }
}

fn from_disc(
    note: &mut dyn FnMut(core::fmt::Arguments<'_>),
) -> Result<Start, disc::Error<overworld_psx::cd::Error>> {
    dma::init();
    // SAFETY: DMA is set up, and until a program runs nothing else uses the drive.
    let mut drive = CdDrive::new(unsafe { Hardware::new(Clock::start()) });
    let mut scratch = AlignedSector([0; 2048]);
    let start = disc::load(&mut drive, &mut Ram, &mut scratch.0, note)?;
    Ok(start)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    crash::panicked(info)
}
