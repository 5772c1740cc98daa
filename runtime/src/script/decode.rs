//! The decoder: the one place that knows how long an instruction is.

use core::fmt;

use super::compat::Compat;
use super::table::{self, Form};
use crate::bytes::{u8_at, u16_at};

/// The target id of the player.
pub const PLAYER: u8 = 0xF8;
/// The target id of the system context.
pub const SYSTEM: u8 = 0xFB;

/// Why there is no instruction at a place (section 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DecodeError {
    /// A byte of the text classes (`byte & 7F` below `20`): the dialogue's, not the machine's.
    Text,
    /// The place is past the end of the record.
    PcRange {
        /// Length of the record in bytes.
        len: usize,
    },
    /// The record ends within the instruction.
    Truncated {
        /// Bytes the instruction needs, as far as they are known.
        need: usize,
        /// Bytes from the opcode to the end.
        found: usize,
    },
    /// No such opcode, or no such sub-op.
    Unknown {
        /// Opcode byte, bit 7 included.
        opcode: u8,
        /// The sub-op, where the opcode has some.
        sub: Option<u8>,
    },
}

impl DecodeError {
    /// The sheet's name of it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Text => "Text",
            Self::PcRange { .. } => "PcRange",
            Self::Truncated { .. } => "Truncated",
            Self::Unknown { .. } => "Unknown",
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Text => f.write_str("text stands where an instruction is expected"),
            Self::PcRange { len } => write!(f, "the record has only {len} bytes"),
            Self::Truncated { need, found } => {
                write!(
                    f,
                    "the instruction needs {need} bytes, the record has {found} more"
                )
            }
            Self::Unknown { opcode, sub: None } => write!(f, "no opcode {opcode:02X}"),
            Self::Unknown {
                opcode,
                sub: Some(sub),
            } => {
                write!(f, "opcode {opcode:02X} has no sub-op {sub:02X}")
            }
        }
    }
}

impl core::error::Error for DecodeError {}

/// A decoded instruction; the operands borrow the record.
#[derive(Clone, Copy, Debug)]
pub struct Instr<'c> {
    /// Opcode, bits 0..6.
    pub opcode: u8,
    /// Target id of the extended form.
    pub target: Option<u8>,
    /// Its form.
    pub form: &'static Form,
    /// The operand bytes, sub-op included: all that the record has of them. Only a packet without
    /// its end ([`Instr::len`]) is shorter than its length says.
    pub operands: &'c [u8],
    /// Length in bytes, opcode to the last operand. One more than the record has where a packet
    /// ends with the record: the end counts as its last byte (section 13).
    pub len: usize,
}

impl Instr<'_> {
    /// Bytes in front of the operands.
    #[inline]
    #[must_use]
    pub const fn header(&self) -> usize {
        if self.target.is_some() { 2 } else { 1 }
    }

    /// Offset from the opcode of a jump's displacement, when the form has one.
    #[must_use]
    pub fn jump_at(&self) -> Option<usize> {
        if !self.form.layout.contains('j') {
            return None;
        }
        // Only fixed operands stand in front of a displacement.
        let front = self.form.layout.bytes().take_while(|&it| it != b'j');
        let front: usize = front
            .map(|letter| if matches!(letter, b's' | b'w') { 2 } else { 1 })
            .sum();
        Some(self.header() + front)
    }

    /// Where the jump goes by rule R, for an instruction at `pc`: the address of the displacement's
    /// low byte plus the displacement, in 16 bits.
    #[must_use]
    pub fn jump_target(&self, pc: usize) -> Option<u16> {
        let at = self.jump_at()?;
        let displacement = u16_at(self.operands, at - self.header())?;
        Some(((pc + at) as u16).wrapping_add(displacement))
    }
}

/// Bytes of the text at the start of `bytes` in front of its end, a byte of at most `1E`; the escapes
/// `C0..CF` take any byte with them. Text without an end reaches to the end of `bytes`.
#[must_use]
pub fn text_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            0..=0x1E => return at,
            0xC0..=0xCF => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Length of `count` pages `1F text end` at the start of `bytes`, if that is what stands there; the
/// last one may end with the record.
#[must_use]
pub fn pages_len(bytes: &[u8], count: u8) -> Option<usize> {
    let mut at = 0;
    for _ in 0..count {
        let page = bytes.get(at..)?;
        let (&0x1F, text) = page.split_first()? else {
            return None;
        };
        at += 2 + text_len(text);
    }
    Some(at)
}

/// Decode the instruction at `pc` of `code`.
///
/// # Errors
/// [`DecodeError`]: what stands there is no whole instruction.
#[inline]
pub fn decode(code: &[u8], pc: usize, compat: Compat) -> Result<Instr<'_>, DecodeError> {
    let rest = code.get(pc..).unwrap_or_default();
    let Some(&byte) = rest.first() else {
        return Err(DecodeError::PcRange { len: code.len() });
    };
    let opcode = byte & 0x7F;
    if opcode < 0x20 {
        return Err(DecodeError::Text);
    }
    let unknown = |sub| DecodeError::Unknown { opcode: byte, sub };
    let mut form = table::first(opcode).ok_or(unknown(None))?;
    let found = rest.len();
    let truncated = |need| DecodeError::Truncated { need, found };
    let (target, header) = if byte & 0x80 == 0 {
        (None, 1)
    } else {
        (Some(u8_at(rest, 1).ok_or(truncated(2))?), 2)
    };
    let operands = rest.get(header..).unwrap_or_default();
    if let Some(at) = form.sub_at() {
        let value = u8_at(operands, at).ok_or(truncated(header + at + 1))?;
        form = table::with_sub(opcode, value).ok_or(unknown(Some(value)))?;
    } else if opcode >= 0x78 && compat.high_tests_unknown() {
        return Err(unknown(None));
    }
    let size = match form.fixed() {
        Some(size) => size,
        None => variable(form, operands, compat).map_err(|need| truncated(header + need))?,
    };
    let operands = match operands.get(..size) {
        Some(operands) => operands,
        // The end of the record ends a packet.
        None if form.layout.ends_with('P') && operands.len() + 1 == size => operands,
        None if opcode == 0x40 && compat.data_may_leave() => operands,
        None => return Err(truncated(header + size)),
    };
    Ok(Instr {
        opcode,
        target,
        form,
        operands,
        len: header + size,
    })
}

/// Size of the operands of a form in which it varies.
///
/// # Errors
/// The number of operand bytes needed to know it.
fn variable(form: &Form, operands: &[u8], compat: Compat) -> Result<usize, usize> {
    let byte = |at: usize| operands.get(at).copied().ok_or(at + 1);
    let packet = |at: usize| {
        let text = operands.get(at..).ok_or(at + 1)?;
        Ok(at + text_len(text) + 1)
    };
    match form.opcode {
        // scene_change: number, count, name, three bytes
        0x3F => Ok(6 + usize::from(byte(2)?)),
        0x40 => Ok(1 + usize::from(byte(0)?)),
        0x45 => {
            let mask = u16::from_be_bytes([byte(0)?, byte(1)?]) & 0x3FF;
            Ok(4 + 2 * mask.count_ones() as usize)
        }
        0x49 => {
            let at = compat.shop_count_at();
            // Both readings add the same five bytes to items and packet.
            Ok(packet(at + 1 + usize::from(byte(at)?))? + 2 - at)
        }
        0x4B => Ok(2 + 4 * usize::from(byte(0)?)),
        _ => packet(1),
    }
}
