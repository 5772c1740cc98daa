//! The disassembler: text that [`super::asm::assemble`] turns back into the same bytes.

use core::fmt::{self, Write};

use super::compat::Compat;
use super::decode::{DecodeError, Instr, PLAYER, SYSTEM, decode, text_len};
use super::text::Picker;
use crate::bytes::{u8_at, u16_at, u32_at};

/// Addresses a jump can reach.
const ADDRESSES: usize = 0x1_0000;

/// A set of addresses.
#[derive(Clone, Debug)]
struct Bits([u32; ADDRESSES / 32]);

impl Bits {
    fn set(&mut self, at: usize) {
        if let Some(word) = self.0.get_mut(at / 32) {
            *word |= 1 << (at % 32);
        }
    }

    fn has(&self, at: usize) -> bool {
        self.0
            .get(at / 32)
            .is_some_and(|word| word >> (at % 32) & 1 != 0)
    }
}

/// Which addresses of a record get a label: targets of jumps at which a line begins. 16 KiB.
#[derive(Clone, Debug)]
pub struct Labels {
    lines: Bits,
    targets: Bits,
}

impl Labels {
    /// No labels: jumps are written as addresses.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            lines: Bits([0; ADDRESSES / 32]),
            targets: Bits([0; ADDRESSES / 32]),
        }
    }

    /// Forget the labels and find those of `code`, whose first instruction stands at `pc0`.
    pub fn find(&mut self, code: &[u8], pc0: usize) {
        self.lines.0.fill(0);
        self.targets.0.fill(0);
        for line in lines(code, pc0) {
            self.lines.set(line.at);
            // Behind the first 64 KiB an address does not tell the distance.
            if line.at + line.bytes.len() > ADDRESSES {
                continue;
            }
            for (_, target) in line.jumps() {
                self.targets.set(usize::from(target));
            }
        }
    }

    /// Whether a line of the code that was looked through last begins at `at`; not behind its first
    /// 64 KiB.
    #[must_use]
    pub fn is_line(&self, at: usize) -> bool {
        self.lines.has(at)
    }

    fn at(&self, at: usize) -> bool {
        self.lines.has(at) && self.targets.has(at)
    }
}

impl Default for Labels {
    fn default() -> Self {
        Self::none()
    }
}

/// What one line of a listing is about.
#[derive(Clone, Copy, Debug)]
pub enum Item<'c> {
    /// An instruction.
    Instr(Instr<'c>),
    /// `1F`, the text, and the byte that ends it, unless the record does.
    Text(&'c [u8], Option<u8>),
    /// The open byte of a picker and the displacements of its options (section 11).
    Picker(u8, &'c [u8]),
    /// A byte that begins none of these.
    Byte(u8),
}

/// One line of a listing.
#[derive(Clone, Copy, Debug)]
pub struct Line<'c> {
    /// Its address.
    pub at: usize,
    /// What stands there.
    pub item: Item<'c>,
    /// Its bytes.
    pub bytes: &'c [u8],
}

impl<'c> Line<'c> {
    /// The line at `at`; `None` behind the end of `code`.
    #[must_use]
    pub fn read(code: &'c [u8], at: usize) -> Option<Self> {
        let rest = code.get(at..)?;
        let &first = rest.first()?;
        let (item, len) = match decode(code, at, Compat::Retail) {
            Ok(instr) => (Item::Instr(instr), instr.len),
            Err(DecodeError::Text) if first == 0x1F => {
                let text = rest.get(1..).unwrap_or_default();
                let len = text_len(text);
                let end = text.get(len).copied();
                (
                    Item::Text(text.get(..len).unwrap_or_default(), end),
                    len + 2,
                )
            }
            Err(_) => match picker(rest) {
                Some(entries) => (Item::Picker(first, entries), 1 + entries.len()),
                None => (Item::Byte(first), 1),
            },
        };
        let bytes = rest.get(..len).unwrap_or(rest);
        Some(Self { at, item, bytes })
    }
}

impl Line<'_> {
    /// Where its jumps have their displacements, and where they go by rule R: one of an instruction that
    /// jumps, one of each option of a picker.
    pub fn jumps(&self) -> impl Iterator<Item = (usize, u16)> {
        let (instr, entries) = match self.item {
            Item::Instr(instr) => (Some(instr), &[][..]),
            Item::Picker(_, entries) => (None, entries),
            Item::Text(..) | Item::Byte(_) => (None, &[][..]),
        };
        let at = self.at;
        let jump = instr.and_then(|it| Some((at + it.jump_at()?, it.jump_target(at)?)));
        jump.into_iter().chain(options(at, entries))
    }
}

/// The displacements behind the open byte of a picker at the start of `rest`.
fn picker(rest: &[u8]) -> Option<&[u8]> {
    let (&open, entries) = rest.split_first()?;
    let options = Picker::options(open).filter(|_| open < 0x80)?;
    entries.get(..2 * usize::from(options))
}

/// Where the options of a picker at `at` go: address of each entry, and target.
fn options(at: usize, entries: &[u8]) -> impl Iterator<Item = (usize, u16)> + '_ {
    (0..entries.len()).step_by(2).map(move |offset| {
        let entry = at + 1 + offset;
        let displacement = u16_at(entries, offset).unwrap_or(0);
        (entry, (entry as u16).wrapping_add(displacement))
    })
}

/// The lines of `code`: single bytes up to `pc0`, then what a walk from there finds (section 8).
pub fn lines(code: &[u8], pc0: usize) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let line = if at < pc0 {
            let bytes = code.get(at..=at)?;
            let item = Item::Byte(*bytes.first()?);
            Line { at, item, bytes }
        } else {
            Line::read(code, at)?
        };
        at += line.bytes.len();
        Some(line)
    })
}

/// How a listing looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Address and bytes behind every line, as a comment.
    pub offsets: bool,
}

/// Write `code` as text, the bytes in front of `pc0` as they are. `labels` is working memory.
///
/// # Errors
/// Those of `out`.
pub fn disassemble(
    code: &[u8],
    pc0: usize,
    style: Style,
    labels: &mut Labels,
    out: &mut impl Write,
) -> fmt::Result {
    labels.find(code, pc0);
    for line in lines(code, pc0) {
        if labels.at(line.at) {
            writeln!(out, "L{:04X}:", line.at)?;
        }
        out.write_str("    ")?;
        write_line(&line, labels, out)?;
        if style.offsets {
            write!(out, "  ; {:04X}:", line.at)?;
            for byte in line.bytes.iter().take(16) {
                write!(out, " {byte:02X}")?;
            }
            if line.bytes.len() > 16 {
                out.write_str(" ...")?;
            }
        }
        out.write_char('\n')?;
    }
    Ok(())
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_to(&self.item, self.at, |_| false, f)
    }
}

fn write_line(line: &Line<'_>, labels: &Labels, out: &mut impl Write) -> fmt::Result {
    write_to(&line.item, line.at, |at| labels.at(at), out)
}

fn write_to(
    item: &Item<'_>,
    at: usize,
    label: impl Fn(usize) -> bool,
    out: &mut impl Write,
) -> fmt::Result {
    match *item {
        Item::Byte(byte) => write!(out, ".byte 0x{byte:02X}"),
        Item::Picker(open, entries) => {
            out.write_str(if open == 0x2A { ".pick.clamp" } else { ".pick" })?;
            let near = at + 1 + entries.len() <= ADDRESSES;
            for (index, (_, to)) in options(at, entries).enumerate() {
                out.write_str(if index == 0 { " " } else { ", " })?;
                target(to, near && label(usize::from(to)), out)?;
            }
            Ok(())
        }
        Item::Text(text, end) => {
            out.write_str(".text ")?;
            packet(text, end, out)
        }
        Item::Instr(instr) => instruction(&instr, at, label, out),
    }
}

/// The target of a jump, by name or by number.
fn target(to: u16, by_name: bool, out: &mut impl Write) -> fmt::Result {
    write!(out, "{}{to:04X}", if by_name { "L" } else { "0x" })
}

/// A text and what ends it: nothing more for a zero, else the byte or `none`.
fn packet(text: &[u8], end: Option<u8>, out: &mut impl Write) -> fmt::Result {
    string(text, out)?;
    match end {
        Some(0) => Ok(()),
        Some(end) => write!(out, ", 0x{end:02X}"),
        None => out.write_str(", none"),
    }
}

fn string(bytes: &[u8], out: &mut impl Write) -> fmt::Result {
    out.write_char('"')?;
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => write!(out, "\\{}", char::from(byte))?,
            0x20..=0x7E => out.write_char(char::from(byte))?,
            _ => write!(out, "\\x{byte:02X}")?,
        }
    }
    out.write_char('"')
}

/// The name of a target id, or the number.
struct Id(u8);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            PLAYER => f.write_str("player"),
            SYSTEM => f.write_str("system"),
            id => write!(f, "0x{id:02X}"),
        }
    }
}

fn instruction(
    instr: &Instr<'_>,
    pc: usize,
    label: impl Fn(usize) -> bool,
    out: &mut impl Write,
) -> fmt::Result {
    let form = instr.form;
    out.write_str(form.name)?;
    if let Some(id) = instr.target {
        write!(out, "@{}", Id(id))?;
    }
    let bytes = instr.operands;
    let mut at = 0;
    let mut separator = " ";
    for letter in form.layout.bytes() {
        let byte = u8_at(bytes, at).unwrap_or(0);
        let word = u16_at(bytes, at).unwrap_or(0);
        if letter == b'*' && !form.sub_is_operand() {
            at += 1;
            continue;
        }
        // Lists that may be empty bring their own separators.
        if !matches!(letter, b'K' | b'C') {
            out.write_str(separator)?;
            separator = ", ";
        }
        match letter {
            b'*' => write!(out, "{}", byte.wrapping_sub(form.low))?,
            b'b' => write!(out, "{byte}")?,
            b'i' => write!(out, "{}", Id(byte))?,
            b's' => write!(out, "{}", word as i16)?,
            b'w' => write!(out, "{word}")?,
            b'm' | b'M' => {
                let value = u24(bytes, at);
                if letter == b'M' {
                    write!(out, "{}", ((value << 8) as i32) >> 8)?;
                } else {
                    write!(out, "0x{value:06X}")?;
                }
            }
            b'd' => write!(out, "{}", u32_at(bytes, at).unwrap_or(0))?,
            b'F' => {
                let flag = u16::from(instr.opcode & 0xF) << 8 | u16::from(byte);
                write!(out, "0x{flag:03X}")?;
            }
            b'j' => {
                let to = instr.jump_target(pc).unwrap_or(0);
                let near = pc + instr.len <= ADDRESSES;
                target(to, near && label(usize::from(to)), out)?;
            }
            b'D' => {
                let list = bytes.get(at + 1..).unwrap_or_default();
                let list = list.get(..usize::from(byte)).unwrap_or_default();
                out.write_char('[')?;
                for (index, item) in list.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(out, "{comma}0x{item:02X}")?;
                }
                out.write_char(']')?;
                at += list.len() + 1;
            }
            b'N' => {
                let name = bytes.get(at + 1..).unwrap_or_default();
                let name = name.get(..usize::from(byte)).unwrap_or_default();
                string(name, out)?;
                at += name.len() + 1;
            }
            b'K' => {
                // The count is that of the bytes that follow.
                let frames = bytes.get(1..).unwrap_or_default();
                for (index, byte) in frames.iter().enumerate() {
                    write!(out, "{}{byte}", if index == 0 { " " } else { ", " })?;
                }
                at = bytes.len();
            }
            b'C' => {
                while let Some(word) = u16_at(bytes, at) {
                    write!(out, ", {}", word as i16)?;
                    at += 2;
                }
            }
            _ => {
                let rest = bytes.get(at..).unwrap_or_default();
                let len = text_len(rest);
                packet(
                    rest.get(..len).unwrap_or_default(),
                    rest.get(len).copied(),
                    out,
                )?;
                at = bytes.len();
            }
        }
        at += match letter {
            b'*' | b'b' | b'i' | b'F' => 1,
            b's' | b'w' | b'j' => 2,
            b'm' | b'M' => 3,
            b'd' => 4,
            _ => 0,
        };
    }
    Ok(())
}

fn u24(bytes: &[u8], at: usize) -> u32 {
    let byte = |offset| u32::from(u8_at(bytes, at + offset).unwrap_or(0));
    byte(0) | byte(1) << 8 | byte(2) << 16
}
