//! The character output's log in kernel RAM, for hosts that can read memory but hear no TTY.
//!
//! From 80001000h: the tag `@@TTYLOG`, the number of bytes (32 bits), the text. When it is full the
//! older half is thrown away.

use core::slice;

const TAG: [u8; 8] = *b"@@TTYLOG";
/// Bytes of the whole log; the linker script keeps them free.
const SIZE: usize = 0x7000;
const TEXT: usize = SIZE - 12;

/// The log as it lies in memory.
#[repr(C)]
struct Log {
    tag: [u8; 8],
    count: u32,
    text: [u8; TEXT],
}

const _: () = assert!(size_of::<Log>() == SIZE);

const LOG: *mut Log = 0x8000_1000 as *mut Log;

/// Begin an empty log.
pub fn clear() {
    // SAFETY: kernel RAM that the linker script reserves for the log; only this module touches it,
    // and only through volatile accesses and the move in `append`, one at a time.
    unsafe {
        (&raw mut (*LOG).count).write_volatile(0);
        (&raw mut (*LOG).tag).write_volatile(TAG);
    }
}

/// Append one byte.
pub fn append(byte: u8) {
    // SAFETY: as in `clear`; `count` is brought below TEXT before it is used as an index, since a
    // program may have written over it.
    unsafe {
        let mut count = (&raw const (*LOG).count).read_volatile() as usize;
        if count >= TEXT {
            let text = slice::from_raw_parts_mut((&raw mut (*LOG).text).cast::<u8>(), TEXT);
            text.copy_within(TEXT / 2.., 0);
            count = TEXT - TEXT / 2;
        }
        (&raw mut (*LOG).text)
            .cast::<u8>()
            .add(count)
            .write_volatile(byte);
        (&raw mut (*LOG).count).write_volatile(count as u32 + 1);
    }
}
