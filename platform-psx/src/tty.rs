//! Text output: one line at a time, through the BIOS call B0:3D (putchar).
//!
//! Emulators, debug stubs and our own boot ROM all listen there (HAL sheet, section 11).

use core::fmt;
use core::fmt::Write as _;

/// The character output of the console. On a PC there is none, and what is written is dropped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tty;

#[cfg(target_arch = "mips")]
core::arch::global_asm!(
    r#"
    .section .text.overworld_putchar, "ax", @progbits
    .global overworld_putchar
    .type overworld_putchar, @function
overworld_putchar:
    .set push
    .set noreorder
    li      $10, 0xB0
    jr      $10
    li      $9, 0x3D
    .set pop
    .size overworld_putchar, . - overworld_putchar
    "#
);

#[cfg(target_arch = "mips")]
unsafe extern "C" {
    /// BIOS call B0:3D; the caller's frame holds the 16 bytes of argument space that it may use.
    safe fn overworld_putchar(byte: u32);
}

impl Tty {
    /// Write one byte. A line appears when `\n` has been written.
    #[inline]
    pub fn byte(self, byte: u8) {
        #[cfg(target_arch = "mips")]
        overworld_putchar(u32::from(byte));
        #[cfg(not(target_arch = "mips"))]
        let _ = byte;
    }
}

impl fmt::Write for Tty {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.byte(byte));
        Ok(())
    }
}

/// Write one line: the arguments, then `\n`.
pub fn line(text: fmt::Arguments<'_>) {
    // `Tty` itself never fails; a `Display` that reports an error loses its own text only.
    let _ = Tty.write_fmt(text);
    Tty.byte(b'\n');
}

/// Write one line to the console's character output.
#[macro_export]
macro_rules! println {
    () => { $crate::tty::line(::core::format_args!("")) };
    ($($part:tt)*) => { $crate::tty::line(::core::format_args!($($part)*)) };
}

/// How a program ended, as its last line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All went well.
    Pass,
    /// The program found something wrong.
    Fail,
    /// A panic or a fault ended the program.
    Crash,
}

/// Write the end mark, the last line of every program: `@@END pass`, `@@END fail` or
/// `@@END crash`.
pub fn end(verdict: Verdict) {
    line(format_args!(
        "@@END {}",
        match verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Crash => "crash",
        }
    ));
}
