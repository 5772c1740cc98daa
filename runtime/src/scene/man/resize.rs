//! Resizing a record together with the jumps of its script (MAN sheet, section 4).

use super::{Error, Man, splice};
use crate::bytes::{u8_at, u16_at};
use crate::script::dis::{Item, Labels, Line, lines};
use core::fmt;
use core::ops::Range;

/// The largest script whose jumps can be followed, in bytes from the start of its record.
const LONGEST: usize = 0x1_0000;

/// Why a script was not resized. Addresses count from the start of the record, as the program counter
/// does, in the script as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ResizeError {
    /// The container cannot be edited this way.
    Edit(Error),
    /// The edit begins or ends within an instruction or a text.
    SplitsLine {
        /// Where that begins.
        at: usize,
    },
    /// The replacement ends within an instruction or a text, which would swallow what follows it.
    BadReplacement {
        /// Where that begins, in the script as it would be.
        at: usize,
    },
    /// The record is, or would be, longer than the 64 KiB that a jump can tell apart.
    TooLong {
        /// Its length in bytes.
        len: usize,
    },
    /// A jump crosses the edit that may be relative or absolute: `45 C0`, those of `4C`, and the subs 4
    /// to 8 of `4E`.
    AbsoluteJump {
        /// The instruction.
        pc: usize,
    },
    /// A jump leads into what is replaced, or crosses the edit to a place where nothing begins.
    LostTarget {
        /// The instruction, or the picker.
        pc: usize,
        /// Where it leads.
        target: u16,
    },
}

impl From<Error> for ResizeError {
    fn from(error: Error) -> Self {
        Self::Edit(error)
    }
}

impl fmt::Display for ResizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Edit(error) => error.fmt(f),
            Self::SplitsLine { at } => write!(
                f,
                "SplitsLine: the edit begins or ends within the instruction or text at {at:#06X}"
            ),
            Self::BadReplacement { at } => write!(
                f,
                "BadReplacement: the instruction or text at {at:#06X} passes the replacement's end"
            ),
            Self::TooLong { len } => write!(
                f,
                "TooLong: jumps reach {LONGEST} bytes, the record has {len}"
            ),
            Self::AbsoluteJump { pc } => write!(
                f,
                "AbsoluteJump: the jump at {pc:#06X} crosses the edit, and may be absolute"
            ),
            Self::LostTarget { pc, target } => write!(
                f,
                "LostTarget: the jump at {pc:#06X} leads to {target:#06X}, where nothing begins or \
                 something is replaced"
            ),
        }
    }
}

impl core::error::Error for ResizeError {}

/// What an edit does to addresses.
#[derive(Clone, Copy)]
struct Edit {
    start: usize,
    end: usize,
    length: usize,
}

impl Edit {
    /// Where what stood at `at` stands now; `None` inside of what is replaced. What stood at the start of
    /// the replaced bytes is now what replaces them.
    const fn moved(self, at: usize) -> Option<usize> {
        if at >= self.end {
            Some(at - self.end + self.start + self.length)
        } else if at <= self.start {
            Some(at)
        } else {
            None
        }
    }
}

/// As [`splice`], and the jumps of the edited script still lead to what they led to: displacements
/// that cross the edit are changed. `range` must begin and end where an instruction or a text does,
/// and the replacement consist of whole ones; its own jumps are taken as they are, so they count in
/// the script as it will be. A jump to the place of an insertion leads to what stood there, not to
/// what is inserted. `labels` is working memory.
///
/// The bundle's size word and a [strict](Man::parse) look at the result remain the caller's.
///
/// # Errors
/// [`ResizeError`]; the content of `out` is unspecified then.
pub fn resize(
    man: &Man<'_>,
    flat: u32,
    range: Range<usize>,
    replacement: &[u8],
    labels: &mut Labels,
    out: &mut [u8],
) -> Result<usize, ResizeError> {
    let size = splice(man, flat, range.clone(), replacement, out)?;
    let script = man.record(flat)?.script();
    let (code, pc0) = (script.base, usize::from(script.pc0));
    let edit = Edit {
        start: range.start,
        end: range.end,
        length: replacement.len(),
    };
    // The splice has checked the range.
    let new_len = code.len() - range.len() + replacement.len();
    let len = code.len().max(new_len);
    if len > LONGEST {
        return Err(ResizeError::TooLong { len });
    }
    let file = out.get_mut(script.offset..).unwrap_or_default();
    let new = file.get_mut(..new_len).unwrap_or_default();
    check_replacement(new, edit)?;
    labels.find(code, pc0);
    for line in lines(code, pc0) {
        let at = line.at;
        let inside = |place: usize| at < place && place < at + line.bytes.len();
        if inside(edit.start) || inside(edit.end) {
            return Err(ResizeError::SplitsLine { at });
        }
        if (edit.start..edit.end).contains(&at) {
            continue;
        }
        for (place, target) in line.jumps() {
            let old = u16_at(code, place).unwrap_or(0);
            let found = relocated(&line, place, target, edit, labels)?;
            // Kept lines move as a whole.
            let place = edit.moved(at).map(|moved| moved + place - at);
            let to = place.filter(|_| found != old);
            let to = to.and_then(|place| new.get_mut(place..)?.first_chunk_mut());
            if let Some(bytes) = to {
                *bytes = found.to_le_bytes();
            }
        }
    }
    Ok(size)
}

/// Whether the replacement ends where its last line does.
fn check_replacement(new: &[u8], edit: Edit) -> Result<(), ResizeError> {
    let end = edit.start + edit.length;
    let mut at = edit.start;
    while at < end {
        let length = Line::read(new, at).map_or(1, |line| line.bytes.len());
        if at + length > end {
            return Err(ResizeError::BadReplacement { at });
        }
        at += length;
    }
    Ok(())
}

/// The displacement at `place` of a kept line that leads to `target`, after the edit.
fn relocated(
    line: &Line<'_>,
    place: usize,
    target: u16,
    edit: Edit,
    labels: &Labels,
) -> Result<u16, ResizeError> {
    let pc = line.at;
    let lost = ResizeError::LostTarget { pc, target };
    let old = target.wrapping_sub(place as u16);
    let moved_line = edit.moved(pc).ok_or(lost)?;
    let moved_place = moved_line + place - pc;
    let moved_target = edit.moved(target.into()).ok_or(lost)?;
    let new = (moved_target as u16).wrapping_sub(moved_place as u16);
    if may_be_absolute(line) {
        // Read as an address of its own, the operand must not move either.
        let absolute = usize::from(old);
        let moves = labels.is_line(absolute) && edit.moved(absolute) != Some(absolute);
        if moves || new != old {
            return Err(ResizeError::AbsoluteJump { pc });
        }
    }
    if new != old && !labels.is_line(target.into()) {
        return Err(lost);
    }
    Ok(new)
}

/// Whether the sheets do not agree that this jump is relative: the MAN sheet has `45 C0` and a form of
/// `4E` refused, and the field VM sheet (section 1.2) infers the rule for `45 C0` and opcode `4C`.
fn may_be_absolute(line: &Line<'_>) -> bool {
    let Item::Instr(instr) = line.item else {
        return false;
    };
    match instr.opcode {
        0x45 | 0x4C => true,
        0x4E => u8_at(instr.operands, 1).is_some_and(|sub| (4..=8).contains(&(sub >> 4))),
        _ => false,
    }
}
