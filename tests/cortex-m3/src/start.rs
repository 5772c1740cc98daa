//! Vector table, reset, and what happens when the processor faults or the program panics.

use core::arch::global_asm;
use core::panic::PanicInfo;

use crate::{clock, firmware, semihosting};

/// An entry of the vector table.
#[repr(C)]
union Vector {
    handler: unsafe extern "C" fn(),
    counter: extern "C" fn(),
    stack: *const u8,
    reserved: usize,
}

// SAFETY: the table is constant; its one data pointer is an address that is never read through.
unsafe impl Sync for Vector {}

unsafe extern "C" {
    fn reset();
    fn fault();
    static __stack_top: u8;
}

const FAULT: Vector = Vector { handler: fault };
const RESERVED: Vector = Vector { reserved: 0 };

#[used]
#[unsafe(link_section = ".vectors")]
static VECTORS: [Vector; 16] = [
    Vector {
        stack: &raw const __stack_top,
    },
    Vector { handler: reset },
    FAULT, // NMI
    FAULT, // HardFault, to which the next three rise as they are not enabled
    FAULT, // MemManage
    FAULT, // BusFault
    FAULT, // UsageFault
    RESERVED,
    RESERVED,
    RESERVED,
    RESERVED,
    FAULT, // SVCall
    FAULT, // DebugMonitor
    RESERVED,
    FAULT, // PendSV
    Vector {
        counter: clock::round,
    },
];

global_asm!(
    ".section .text.reset, \"ax\", %progbits",
    ".global reset",
    ".type reset, %function",
    ".thumb_func",
    "reset:",
    // Initial values from flash, then zeros.
    "ldr r0, =__data_start",
    "ldr r1, =__data_end",
    "ldr r2, =__data_load",
    "1: cmp r0, r1",
    "bhs 2f",
    "ldr r3, [r2], #4",
    "str r3, [r0], #4",
    "b 1b",
    "2: ldr r0, =__bss_start",
    "ldr r1, =__bss_end",
    "movs r2, #0",
    "3: cmp r0, r1",
    "bhs 4f",
    "str r2, [r0], #4",
    "b 3b",
    "4: bl {main}",
    "udf #0",
    ".size reset, . - reset",
    //
    // The processor has pushed r0-r3, r12, lr, pc and xpsr. If it could not, the stack pointer
    // is of no use: take a fresh stack, and hand over the old pointer.
    ".section .text.fault, \"ax\", %progbits",
    ".global fault",
    ".type fault, %function",
    ".thumb_func",
    "fault:",
    "mov r0, sp",
    "mov r1, lr",
    "ldr r2, =__stack_top",
    "mov sp, r2",
    "push {{r4-r11}}",
    "mov r2, sp",
    "bl {report}",
    "udf #0",
    ".size fault, . - fault",
    main = sym main,
    report = sym report,
);

extern "C" fn main() -> ! {
    clock::start();
    firmware::run()
}

const CFSR: *const u32 = 0xE000_ED28 as *const u32;
const HFSR: *const u32 = 0xE000_ED2C as *const u32;
const BFAR: *const u32 = 0xE000_ED38 as *const u32;
const RAM: core::ops::Range<usize> = 0x2000_0000..0x2001_0000;

/// `frame`: the eight words that the processor pushed; `saved`: r4 to r11.
extern "C" fn report(frame: *const [u32; 8], exc_return: u32, saved: &[u32; 8]) -> ! {
    let number: u32;
    // SAFETY: reads the number of the active exception.
    unsafe { core::arch::asm!("mrs {}, ipsr", out(reg) number, options(nomem, nostack)) };
    // SAFETY: three status registers of the system control block.
    let (cfsr, hfsr, bfar) = unsafe {
        (
            CFSR.read_volatile(),
            HFSR.read_volatile(),
            BFAR.read_volatile(),
        )
    };
    let cause = match (number & 0x1FF, cfsr) {
        (2, _) => "NMI",
        // The board answers there, so it is the consequences that fault.
        (3, _) if (frame as usize) < RAM.start => "StackOverflow",
        (3, cfsr) if cfsr & 0x0000_00FF != 0 => "MemManage",
        (3, cfsr) if cfsr & 0x0000_FF00 != 0 => "BusFault",
        (3, cfsr) if cfsr & 0xFFFF_0000 != 0 => "UsageFault",
        (3, _) => "HardFault",
        _ => "Unexpected",
    };
    let inside = RAM.contains(&(frame as usize)) && RAM.contains(&(frame as usize + 31));
    let pushed = if inside && frame.is_aligned() {
        // SAFETY: eight words in RAM, aligned.
        unsafe { frame.read() }
    } else {
        [0; 8]
    };
    let [r0, r1, r2, r3, r12, lr, pc, xpsr] = pushed;
    semihosting::line(format_args!(
        "@@FAULT cause={cause} epc={pc:08X} badvaddr={bfar:08X} ra={lr:08X} sr={xpsr:08X} \
         cause_reg={cfsr:08X}"
    ));
    for (n, value) in [(0, r0), (1, r1), (2, r2), (3, r3), (12, r12)] {
        semihosting::line(format_args!("@@ r{n} {value:08X}"));
    }
    for (n, value) in (4..).zip(saved) {
        semihosting::line(format_args!("@@ r{n} {value:08X}"));
    }
    semihosting::line(format_args!(
        "@@ sp {:08X} hfsr {hfsr:08X} exc_return {exc_return:08X}",
        frame as usize
    ));
    semihosting::line(format_args!("@@END crash"));
    semihosting::exit(false)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    match info.location() {
        Some(place) => semihosting::line(format_args!(
            "@@PANIC {}:{}: {}",
            place.file(),
            place.line(),
            info.message()
        )),
        None => semihosting::line(format_args!("@@PANIC {}", info.message())),
    }
    semihosting::line(format_args!("@@END crash"));
    semihosting::exit(false)
}
