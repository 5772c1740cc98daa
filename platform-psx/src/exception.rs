//! The exception vector: interrupts go to [`crate::interrupt`], system calls are answered,
//! all the rest is a fault and ends the program with a report.
//!
//! On entry every register is saved in a [`Frame`] on a stack of the handler's own, so that a
//! program whose stack pointer has gone wrong still gets its report. There are two such stacks:
//! a fault inside the handler (while it reports, say) uses the second; a fault in there stops the
//! machine.
//!
//! The handler leaves COP2 alone, so that its 60 registers need not be saved: the build searches the
//! handler's code for its instructions, and what the build cannot follow is caught by the machine, for
//! SR has COP2 switched off until the registers are put back (`docs/decisions.md`).

use core::fmt;

/// The registers at the time of an exception. The assembly below knows this layout.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Frame {
    /// General registers by number. Number 0 is zero; 26 and 27 (`k0`, `k1`) are not saved and zero.
    pub r: [u32; 32],
    /// Upper half of the multiplier's result.
    pub hi: u32,
    /// Lower half of the multiplier's result.
    pub lo: u32,
    /// COP0 status as the exception left it: the state before is in bits 2 and 3.
    pub sr: u32,
    /// COP0 cause.
    pub cause: u32,
    /// Address of the instruction, or of the branch before it if `cause` bit 31 is set.
    pub epc: u32,
    /// The address at fault; only address errors set it.
    pub badvaddr: u32,
}

/// Bytes that the assembly below reserves for a [`Frame`].
const FRAME: usize = 160;
/// Bytes of one stack of the handler, frame included; a power of two for the assembly's sake.
const STACK: usize = 4096;
const _: () = assert!(size_of::<Frame>() <= FRAME && STACK == 1 << 12);

/// The SR bits that make interrupts possible after `rfe`: previous enable and the hardware line.
pub const SR_INTERRUPTS_BEFORE: u32 = 0x0404;

/// What raised an exception (HAL sheet, section 1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The interrupt line or a software interrupt.
    Interrupt,
    /// Misaligned or forbidden address in a load or an instruction fetch.
    AddressErrorLoad,
    /// Misaligned or forbidden address in a store.
    AddressErrorStore,
    /// Nothing answers at the address of an instruction.
    BusErrorFetch,
    /// Nothing answers at the address of a load or store.
    BusErrorData,
    /// `syscall`
    SystemCall,
    /// `break`
    Breakpoint,
    /// No such instruction.
    ReservedInstruction,
    /// A coprocessor that SR does not enable.
    CoprocessorUnusable,
    /// `add`, `addi` or `sub` left the range.
    Overflow,
    /// A code that this CPU does not define.
    Unknown(u8),
}

impl Cause {
    /// The exception code in bits 2..6 of the cause register.
    #[must_use]
    pub const fn of(register: u32) -> Self {
        match (register >> 2 & 0x1F) as u8 {
            0x00 => Self::Interrupt,
            0x04 => Self::AddressErrorLoad,
            0x05 => Self::AddressErrorStore,
            0x06 => Self::BusErrorFetch,
            0x07 => Self::BusErrorData,
            0x08 => Self::SystemCall,
            0x09 => Self::Breakpoint,
            0x0A => Self::ReservedInstruction,
            0x0B => Self::CoprocessorUnusable,
            0x0C => Self::Overflow,
            code => Self::Unknown(code),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interrupt => "interrupt",
            Self::AddressErrorLoad => "address-error-load",
            Self::AddressErrorStore => "address-error-store",
            Self::BusErrorFetch => "bus-error-fetch",
            Self::BusErrorData => "bus-error-data",
            Self::SystemCall => "syscall",
            Self::Breakpoint => "break",
            Self::ReservedInstruction => "reserved-instruction",
            Self::CoprocessorUnusable => "coprocessor-unusable",
            Self::Overflow => "overflow",
            Self::Unknown(code) => return write!(f, "unknown-{code:02X}"),
        })
    }
}

impl Frame {
    /// Whether the exception hit a branch delay slot: `epc` is then the branch.
    #[must_use]
    pub const fn in_delay_slot(&self) -> bool {
        self.cause >> 31 != 0
    }

    /// Answer `syscall` with `a0` 0, 1 or 2: nothing, enter or leave a critical section (HAL sheet,
    /// section 11). Returns false, and changes nothing, if it is something else.
    ///
    /// Entering answers in `v0` whether interrupts were possible before.
    pub fn system_call(&mut self) -> bool {
        if self.in_delay_slot() {
            return false;
        }
        match self.r[4] {
            0 => {}
            1 => {
                self.r[2] = u32::from(self.sr & SR_INTERRUPTS_BEFORE == SR_INTERRUPTS_BEFORE);
                self.sr &= !SR_INTERRUPTS_BEFORE;
            }
            2 => self.sr |= SR_INTERRUPTS_BEFORE,
            _ => return false,
        }
        self.epc = self.epc.wrapping_add(4);
        true
    }

    /// Whether a word is a GTE command.
    #[must_use]
    pub const fn is_gte_command(instruction: u32) -> bool {
        instruction & 0xFE00_0000 == 0x4A00_0000
    }

    /// After an interrupt: step over `instruction`, the word at `epc`, if it is a GTE command. The
    /// GTE has executed it already and would do so twice (GTE sheet, table of hazards). In a delay
    /// slot that cannot be repaired, which is why no command may stand in one.
    pub const fn step_over_gte_command(&mut self, instruction: u32) {
        if !self.in_delay_slot() && Self::is_gte_command(instruction) {
            self.epc = self.epc.wrapping_add(4);
        }
    }
}

#[cfg(target_arch = "mips")]
mod vector {
    use super::{Cause, FRAME, Frame, STACK};
    use crate::{crash, interrupt, start};
    use core::arch::global_asm;

    global_asm!(
        r#"
    .section .bss.overworld_exception, "aw", @nobits
    .balign 8
overworld_exception_stacks:
    .space  2 * {STACK}
overworld_exception_depth:
    .space  4

    .section .text.exception, "ax", @progbits
    .global overworld_exception_vector
    .global overworld_exception
    .type overworld_exception, @function
    .set push
    .set noreorder
    .set noat

    # Four instructions that are copied to 80000080h.
overworld_exception_vector:
    lui     $26, %hi(overworld_exception)
    addiu   $26, $26, %lo(overworld_exception)
    jr      $26
    nop

overworld_exception:
    lui     $26, %hi(overworld_exception_depth)
    lw      $27, %lo(overworld_exception_depth)($26)
    nop
    addiu   $27, $27, 1
    sw      $27, %lo(overworld_exception_depth)($26)
    sltiu   $26, $27, 3
1:
    beq     $26, $0, 1b             # a fault while a fault in the handler was reported
    nop
    lui     $26, %hi(overworld_exception_stacks)
    addiu   $26, $26, %lo(overworld_exception_stacks)
    sll     $27, $27, 12            # the stack's end: base + (1 or 2) * STACK
    addu    $26, $26, $27
    addiu   $26, $26, -{FRAME}
    sw      $0, 0($26)
    sw      $1, 4($26)
    sw      $2, 8($26)
    sw      $3, 12($26)
    sw      $4, 16($26)
    sw      $5, 20($26)
    sw      $6, 24($26)
    sw      $7, 28($26)
    sw      $8, 32($26)
    sw      $9, 36($26)
    sw      $10, 40($26)
    sw      $11, 44($26)
    sw      $12, 48($26)
    sw      $13, 52($26)
    sw      $14, 56($26)
    sw      $15, 60($26)
    sw      $16, 64($26)
    sw      $17, 68($26)
    sw      $18, 72($26)
    sw      $19, 76($26)
    sw      $20, 80($26)
    sw      $21, 84($26)
    sw      $22, 88($26)
    sw      $23, 92($26)
    sw      $24, 96($26)
    sw      $25, 100($26)
    sw      $0, 104($26)
    sw      $0, 108($26)
    sw      $28, 112($26)
    sw      $29, 116($26)
    sw      $30, 120($26)
    sw      $31, 124($26)
    mfhi    $2
    mflo    $3
    sw      $2, 128($26)
    sw      $3, 132($26)
    mfc0    $2, $12
    mfc0    $3, $13
    sw      $2, 136($26)
    sw      $3, 140($26)
    lui     $4, 0xBFFF              # the geometry engine off, until SR is put back
    ori     $4, $4, 0xFFFF
    and     $4, $4, $2
    mfc0    $2, $14
    mfc0    $3, $8
    mtc0    $4, $12
    sw      $2, 144($26)
    sw      $3, 148($26)
    lui     $28, %hi(_gp)
    addiu   $28, $28, %lo(_gp)
    move    $4, $26
    move    $16, $26                # the callee keeps s0
    jal     overworld_exception_handler
    addiu   $29, $26, -16           # its argument space
    lui     $26, %hi(overworld_exception_depth)
    lw      $27, %lo(overworld_exception_depth)($26)
    lw      $2, 128($16)
    addiu   $27, $27, -1
    sw      $27, %lo(overworld_exception_depth)($26)
    lw      $3, 132($16)
    mthi    $2
    mtlo    $3
    lw      $2, 136($16)
    move    $26, $16
    mtc0    $2, $12                 # interrupts stay off until rfe
    lw      $1, 4($26)
    lw      $2, 8($26)
    lw      $3, 12($26)
    lw      $4, 16($26)
    lw      $5, 20($26)
    lw      $6, 24($26)
    lw      $7, 28($26)
    lw      $8, 32($26)
    lw      $9, 36($26)
    lw      $10, 40($26)
    lw      $11, 44($26)
    lw      $12, 48($26)
    lw      $13, 52($26)
    lw      $14, 56($26)
    lw      $15, 60($26)
    lw      $16, 64($26)
    lw      $17, 68($26)
    lw      $18, 72($26)
    lw      $19, 76($26)
    lw      $20, 80($26)
    lw      $21, 84($26)
    lw      $22, 88($26)
    lw      $23, 92($26)
    lw      $24, 96($26)
    lw      $25, 100($26)
    lw      $28, 112($26)
    lw      $29, 116($26)
    lw      $30, 120($26)
    lw      $31, 124($26)
    lw      $26, 144($26)
    nop
    jr      $26
    .word   0x42000010              # rfe: this assembler does not know it
    .set pop
    .size overworld_exception, . - overworld_exception
    "#,
        FRAME = const FRAME,
        STACK = const STACK,
    );

    unsafe extern "C" {
        static overworld_exception_vector: [u32; 4];
    }

    /// Make this image's handler the machine's: copy the vector to 80000080h and flush the
    /// instruction cache. Interrupts must be off.
    pub fn install() {
        let target = 0x8000_0080 as *mut u32;
        // SAFETY: the linker places the four words; nobody writes them.
        let code = unsafe { &overworld_exception_vector };
        for (offset, word) in code.iter().enumerate() {
            // SAFETY: 80000080h..80000090h is RAM that the hardware reserves for the vector and no
            // Rust object occupies.
            unsafe { target.add(offset).write_volatile(*word) };
        }
        start::flush_icache();
    }

    #[unsafe(no_mangle)]
    extern "C" fn overworld_exception_handler(frame: &mut Frame) {
        match Cause::of(frame.cause) {
            Cause::Interrupt => {
                interrupt::dispatch();
                if let Some(watch) = interrupt::watch() {
                    watch(frame);
                }
                // SAFETY: the CPU has just fetched this word as an instruction, so it is there and
                // aligned.
                let instruction = unsafe { (frame.epc as *const u32).read_volatile() };
                frame.step_over_gte_command(instruction);
            }
            Cause::SystemCall if frame.system_call() => {}
            cause => crash::fault(cause, frame),
        }
    }
}

#[cfg(target_arch = "mips")]
pub use vector::install;

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        Frame {
            r: [0; 32],
            hi: 0,
            lo: 0,
            sr: 0x4000_0404,
            cause: 0,
            epc: 0x8001_0000,
            badvaddr: 0,
        }
    }

    #[test]
    fn causes_are_the_codes_of_the_sheet() {
        assert_eq!(Cause::of(0), Cause::Interrupt);
        assert_eq!(Cause::of(0x10), Cause::AddressErrorLoad);
        assert_eq!(Cause::of(0x8000_0014), Cause::AddressErrorStore);
        assert_eq!(Cause::of(0x20), Cause::SystemCall);
        assert_eq!(Cause::of(0x24), Cause::Breakpoint);
        assert_eq!(Cause::of(0x30), Cause::Overflow);
        assert_eq!(Cause::of(0x7C), Cause::Unknown(0x1F));
    }

    #[test]
    fn critical_sections_nest_through_the_answer_of_enter() {
        let mut frame = frame();
        frame.r[4] = 1;
        assert!(frame.system_call());
        assert_eq!(
            (frame.r[2], frame.sr, frame.epc),
            (1, 0x4000_0000, 0x8001_0004)
        );
        assert!(frame.system_call());
        assert_eq!(frame.r[2], 0);
        frame.r[4] = 2;
        assert!(frame.system_call());
        assert_eq!((frame.sr, frame.epc), (0x4000_0404, 0x8001_000C));
    }

    #[test]
    fn other_system_calls_are_left_alone() {
        let mut changed = frame();
        changed.r[4] = 3;
        let before = changed.clone();
        assert!(!changed.system_call());
        assert_eq!(changed, before);
        changed.r[4] = 1;
        changed.cause = 0x8000_0020;
        assert!(!changed.system_call());
    }

    #[test]
    fn a_gte_command_is_stepped_over_and_nothing_else() {
        let mut frame = frame();
        frame.step_over_gte_command(0x4A18_0001); // RTPS
        assert_eq!(frame.epc, 0x8001_0004);
        frame.step_over_gte_command(0x4808_0000); // mfc2 $8, $0
        frame.step_over_gte_command(0x0000_0000);
        assert_eq!(frame.epc, 0x8001_0004);
        frame.cause = 0x8000_0000;
        frame.step_over_gte_command(0x4A18_0001);
        assert_eq!(frame.epc, 0x8001_0004);
    }
}
