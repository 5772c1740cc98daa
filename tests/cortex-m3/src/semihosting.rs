//! Semihosting: lines to the debugger, its arguments, and the end of the program.

use core::arch::asm;
use core::fmt;

const SYS_WRITE0: u32 = 0x04;
const SYS_GET_CMDLINE: u32 = 0x15;
const SYS_EXIT: u32 = 0x18;
const APPLICATION_EXIT: usize = 0x2_0026;
const RUN_TIME_ERROR: usize = 0x2_0023;

/// # Safety
/// `argument` must be what the operation asks for: a value, or the address of a valid block.
unsafe fn call(operation: u32, argument: usize) -> usize {
    let result: u32;
    // SAFETY: the debugger takes the break as a call; it changes r0 and the memory that the
    // argument names, as the caller promises.
    unsafe {
        asm!(
            "bkpt 0xAB",
            inout("r0") operation => result,
            in("r1") argument,
            options(nostack),
        );
    }
    result as usize
}

/// One line of text on its way out, in pieces that end with a zero byte.
struct Out {
    buffer: [u8; 129],
    len: usize,
}

impl Out {
    const fn new() -> Self {
        Self {
            buffer: [0; 129],
            len: 0,
        }
    }

    fn flush(&mut self) {
        if let Some(end) = self.buffer.get_mut(self.len) {
            *end = 0;
        }
        // SAFETY: SYS_WRITE0 reads bytes up to the zero that has just been written.
        unsafe { call(SYS_WRITE0, self.buffer.as_ptr() as usize) };
        self.len = 0;
    }
}

impl fmt::Write for Out {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            if self.len + 1 >= self.buffer.len() {
                self.flush();
            }
            if let Some(place) = self.buffer.get_mut(self.len) {
                // A zero byte would end the text.
                *place = if byte == 0 { b'?' } else { byte };
                self.len += 1;
            }
        }
        Ok(())
    }
}

/// Print one line.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    let mut out = Out::new();
    // `Out` takes everything.
    let _ = fmt::Write::write_fmt(&mut out, text);
    let _ = fmt::Write::write_str(&mut out, "\n");
    out.flush();
}

/// The debugger's command line, without the program's name; empty when there is none.
pub(crate) fn argument(room: &mut [u8; 128]) -> &str {
    #[repr(C)]
    struct Block {
        text: *mut u8,
        len: usize,
    }
    let mut block = Block {
        text: room.as_mut_ptr(),
        len: room.len() - 1,
    };
    // SAFETY: the block names the whole of `room`; the debugger writes at most that many
    // bytes, and the length into the block.
    let failed = unsafe { call(SYS_GET_CMDLINE, &raw mut block as usize) } != 0;
    if failed {
        return "";
    }
    let text = room.get(..block.len).unwrap_or_default();
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let text = core::str::from_utf8(text).unwrap_or_default();
    text.split_once(' ').map_or("", |(_, rest)| rest.trim())
}

/// End the program.
pub(crate) fn exit(good: bool) -> ! {
    let reason = if good {
        APPLICATION_EXIT
    } else {
        RUN_TIME_ERROR
    };
    loop {
        // SAFETY: SYS_EXIT takes a reason code.
        unsafe { call(SYS_EXIT, reason) };
    }
}
