//! The assembler. It needs no allocator: the caller lends the output and a table of names.

mod error;
mod names;
mod source;

pub use error::{Error, ErrorKind};

use super::compat::Compat;
use super::decode::{decode, text_len};
use super::table::{self, Form};
use names::{Pass, define};
use source::{Fault, Scope, Sink, Text};

/// A label or constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Name<'s> {
    /// As written.
    pub name: &'s str,
    /// Address or number.
    pub value: i64,
    /// Whether it is an address.
    pub is_label: bool,
    /// Its place in the source: while the source is read the table is sorted by name.
    order: u32,
}

/// Turn `source` into bytes; answers how many. `names` is working memory, one place for each label and
/// constant, and holds them afterwards, first come first. Time grows with the number of names as n log² n.
///
/// # Errors
/// An [`Error`] with its place: the first that needs no names to be seen, else the first of the others (a
/// name that is not there, a number that one stands for). `names` is in no order then.
pub fn assemble<'s>(
    source: &'s str,
    out: &mut [u8],
    names: &mut [Name<'s>],
) -> Result<usize, Error<'s>> {
    // Sizes do not depend on names, so that one pass finds every address.
    let mut used = 0;
    for pass in [Pass::Names, Pass::Bytes] {
        let mut sink = Sink {
            out: &mut *out,
            at: 0,
            open: false,
        };
        let mut seen = 0;
        for (number, line) in (1..).zip(source.lines()) {
            let mut text = Text { line, rest: line };
            let result = one_line(&mut text, &mut sink, names, &mut seen, used, pass);
            result.map_err(|fault| Error {
                line: number,
                column: 1 + line.get(..fault.at).map_or(0, |it| it.chars().count()) as u32,
                kind: fault.kind,
            })?;
        }
        used = seen;
        let known = names.get_mut(..used).unwrap_or_default();
        if pass == Pass::Bytes {
            known.sort_unstable_by_key(|it| it.order);
            return Ok(sink.at);
        }
        known.sort_unstable_by_key(|it| it.name);
    }
    Ok(0)
}

fn is_name(word: &str) -> bool {
    word.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_') && !word.contains('.')
}

fn one_line<'s>(
    text: &mut Text<'s>,
    sink: &mut Sink<'_>,
    names: &mut [Name<'s>],
    seen: &mut usize,
    used: usize,
    pass: Pass,
) -> Result<(), Fault<'s>> {
    loop {
        if text.done() {
            return Ok(());
        }
        let start = text.at();
        let word = text.word();
        if word.is_empty() {
            return Err(text.fault(ErrorKind::Expected(
                "an instruction, a directive or a label",
            )));
        }
        let fault = |kind| Fault { at: start, kind };
        if text.take(':') {
            if !is_name(word) || matches!(word, "player" | "system" | "none") {
                return Err(fault(ErrorKind::Expected(
                    "a name of letters, digits and underscores",
                )));
            }
            if sink.at > 0xFFFF {
                return Err(fault(ErrorKind::TooFar));
            }
            let name = Name {
                name: word,
                value: sink.at as i64,
                is_label: true,
                order: *seen as u32,
            };
            define(names, seen, pass, name).map_err(fault)?;
            continue;
        }
        let count = if pass == Pass::Names { *seen } else { used };
        if word == ".equ" {
            text.blank();
            let at = text.at();
            let name = text.word();
            if !is_name(name) || matches!(name, "player" | "system" | "none") {
                return Err(Fault {
                    at,
                    kind: ErrorKind::Expected("a name"),
                });
            }
            text.take(',');
            let scope = Scope {
                names: &[],
                pass: Pass::Bytes,
            };
            let value = scope.number(text, i64::from(i32::MIN), i64::from(u32::MAX))?;
            let name = Name {
                name,
                value,
                is_label: false,
                order: *seen as u32,
            };
            define(names, seen, pass, name).map_err(|kind| Fault { at, kind })?;
        } else {
            let scope = Scope {
                names: names.get(..count).unwrap_or_default(),
                pass,
            };
            match word {
                ".byte" => loop {
                    let byte = scope.byte(text)?;
                    sink.push(byte).map_err(fault)?;
                    if !text.take(',') {
                        break;
                    }
                },
                ".pick" | ".pick.clamp" => picker(word, &scope, text, sink, start)?,
                ".text" => {
                    sink.push(0x1F).map_err(fault)?;
                    packet(&scope, text, sink)?;
                }
                _ => {
                    let form = table::named(word).ok_or(fault(ErrorKind::UnknownMnemonic(word)))?;
                    instruction(form, &scope, text, sink, start)?;
                }
            }
        }
        return if text.done() {
            Ok(())
        } else {
            Err(text.fault(ErrorKind::Expected("the end of the line")))
        };
    }
}

/// `"..."`; answers where its bytes begin in the output.
fn string<'s>(text: &mut Text<'s>, sink: &mut Sink<'_>) -> Result<usize, Fault<'s>> {
    text.expect('"', "a text in quotes")?;
    let start = sink.at;
    loop {
        let at = text.at();
        let fault = |kind| Fault { at, kind };
        let mut chars = text.rest.chars();
        let byte = match chars.next() {
            Some('"') => {
                text.rest = chars.as_str();
                return Ok(start);
            }
            Some('\\') => match chars.next() {
                Some(it @ ('"' | '\\')) => it as u8,
                Some('x') => {
                    let mut digit = || chars.next().and_then(|it| it.to_digit(16));
                    match (digit(), digit()) {
                        (Some(high), Some(low)) => (high << 4 | low) as u8,
                        _ => return Err(fault(ErrorKind::Expected("two digits behind \\x"))),
                    }
                }
                _ => return Err(fault(ErrorKind::Expected("\\\", \\\\ or \\xNN"))),
            },
            Some(it @ ' '..='~') => it as u8,
            Some(_) => return Err(fault(ErrorKind::Expected("ASCII or \\xNN"))),
            None => return Err(fault(ErrorKind::Expected("a closing quote"))),
        };
        sink.push(byte).map_err(fault)?;
        text.rest = chars.as_str();
    }
}

/// A text and the byte that ends it.
fn packet<'s>(
    scope: &Scope<'_, 's>,
    text: &mut Text<'s>,
    sink: &mut Sink<'_>,
) -> Result<(), Fault<'s>> {
    text.blank();
    let at = text.at();
    let fault = |kind| Fault { at, kind };
    let start = string(text, sink)?;
    let open = if text.take(',') {
        text.blank();
        let before = text.rest;
        if text.word() == "none" {
            true
        } else {
            text.rest = before;
            let end = scope.number(text, 0, 0x1E)?;
            sink.push(end as u8).map_err(fault)?;
            false
        }
    } else {
        sink.push(0).map_err(fault)?;
        false
    };
    let bytes = sink.out.get(start..sink.at).unwrap_or_default();
    sink.open = open;
    let len = text_len(bytes);
    if len + usize::from(!open) == bytes.len() {
        return Ok(());
    }
    // It ends within, or its last byte has taken the end.
    let (index, kind) = match bytes.get(len) {
        Some(&byte) => (len, ErrorKind::EndsText(byte)),
        None => {
            let last = bytes.len().saturating_sub(2);
            let byte = bytes.get(last).copied().unwrap_or(0);
            (last, ErrorKind::OpenEscape(byte))
        }
    };
    let at = at + byte_in_quotes(text.line.get(at..).unwrap_or_default(), index);
    Err(Fault { at, kind })
}

/// Where the byte of number `index` stands in a text that begins with its quote.
fn byte_in_quotes(quoted: &str, index: usize) -> usize {
    let mut at = 1;
    for _ in 0..index {
        let rest = quoted.get(at..).unwrap_or_default();
        at += match rest.as_bytes() {
            [b'\\', b'x', ..] => 4,
            [b'\\', ..] => 2,
            _ => 1,
        };
    }
    at
}

fn instruction<'s>(
    form: &'static Form,
    scope: &Scope<'_, 's>,
    text: &mut Text<'s>,
    sink: &mut Sink<'_>,
    name_at: usize,
) -> Result<(), Fault<'s>> {
    let here = |kind| Fault { at: name_at, kind };
    let start = sink.at;
    let target = if text.rest.starts_with('@') {
        text.take('@');
        Some(scope.id(text)?)
    } else {
        None
    };
    sink.push(form.opcode | if target.is_some() { 0x80 } else { 0 })
        .map_err(here)?;
    if let Some(id) = target {
        sink.push(id).map_err(here)?;
    }
    let operands = sink.at;
    let mut first = true;
    for letter in form.layout.bytes() {
        if letter == b'*' && !form.sub_is_operand() {
            sink.push(form.low).map_err(here)?;
            continue;
        }
        if !first && !matches!(letter, b'K' | b'C') {
            text.expect(',', "a comma and one more operand")?;
        }
        first = false;
        match letter {
            b'*' => {
                let range = i64::from(form.high - form.low);
                let value = scope.number(text, 0, range)? as u8;
                sink.push(form.low + value)
            }
            b'b' => sink.push(scope.byte(text)?),
            b'i' => sink.push(scope.id(text)?),
            b's' | b'w' => {
                let value = scope.number(text, -0x8000, 0xFFFF)? as u16;
                sink.push_all(&value.to_le_bytes())
            }
            b'm' | b'M' => {
                let value = scope.number(text, -0x80_0000, 0xFF_FFFF)? as u32;
                let [low, middle, high, _] = value.to_le_bytes();
                sink.push_all(&[low, middle, high])
            }
            b'd' => {
                let value = scope.number(text, i64::from(i32::MIN), i64::from(u32::MAX))? as u32;
                sink.push_all(&value.to_le_bytes())
            }
            b'F' => {
                let flag = scope.number(text, 0, 0xFFF)? as u16;
                let [low, high] = flag.to_le_bytes();
                if let Some(opcode) = sink.out.get_mut(start) {
                    *opcode |= high;
                }
                sink.push(low)
            }
            b'j' => {
                displacement(scope, text, sink)?;
                Ok(())
            }
            b'D' => list(scope, text, sink)?,
            b'N' => {
                text.blank();
                let at = text.at();
                let count = sink.at;
                sink.push(0).map_err(here)?;
                let begin = string(text, sink)?;
                set_count(sink, count, sink.at - begin).map_err(|kind| Fault { at, kind })?;
                Ok(())
            }
            b'K' => keyframes(scope, text, sink)?,
            b'C' => {
                let bytes = sink.out.get(operands..operands + 2).unwrap_or_default();
                let mask = bytes.iter().fold(0, |mask, &it| mask << 8 | u16::from(it)) & 0x3FF;
                let expected = mask.count_ones() as usize;
                let mut found = 0;
                let at = text.at();
                while text.take(',') {
                    let value = scope.number(text, -0x8000, 0xFFFF)? as u16;
                    sink.push_all(&value.to_le_bytes()).map_err(here)?;
                    found += 1;
                }
                // A mask may have a name that is yet to come.
                if scope.pass == Pass::Bytes && found != expected {
                    return Err(Fault {
                        at,
                        kind: ErrorKind::Count { expected, found },
                    });
                }
                Ok(())
            }
            _ => {
                packet(scope, text, sink)?;
                Ok(())
            }
        }
        .map_err(here)?;
    }
    if scope.pass == Pass::Names {
        return Ok(());
    }
    // What was written must be what it was called.
    let written = sink.out.get(..sink.at).unwrap_or_default();
    match decode(written, start, Compat::Retail) {
        Ok(instr) if core::ptr::eq(instr.form, form) => Ok(()),
        Ok(instr) => Err(here(ErrorKind::OtherForm(instr.form.name))),
        Err(_) => Err(here(ErrorKind::NoInstruction)),
    }
}

/// The target of a jump as a displacement from the place where it is written (rule R).
fn displacement<'s>(
    scope: &Scope<'_, 's>,
    text: &mut Text<'s>,
    sink: &mut Sink<'_>,
) -> Result<(), Fault<'s>> {
    text.blank();
    let at = text.at();
    let fault = |kind| Fault { at, kind };
    let (value, is_label) = scope.value(text)?;
    let (low, high) = (0, 0xFFFF);
    if !(low..=high).contains(&value) {
        return Err(fault(ErrorKind::Range { value, low, high }));
    }
    if is_label && sink.at > 0xFFFF {
        return Err(fault(ErrorKind::TooFar));
    }
    let displacement = (value as u16).wrapping_sub(sink.at as u16);
    sink.push_all(&displacement.to_le_bytes()).map_err(fault)
}

/// A picker: open byte and one displacement for each option.
fn picker<'s>(
    word: &str,
    scope: &Scope<'_, 's>,
    text: &mut Text<'s>,
    sink: &mut Sink<'_>,
    start: usize,
) -> Result<(), Fault<'s>> {
    let fault = |kind| Fault { at: start, kind };
    let at = sink.at;
    sink.push(0).map_err(fault)?;
    let mut count = 0;
    loop {
        displacement(scope, text, sink)?;
        count += 1;
        if !text.take(',') {
            break;
        }
    }
    let open = match (word, count) {
        (".pick.clamp", 2) => 0x2A,
        (".pick", 2..=4) => 0x25 + count,
        _ => {
            return Err(fault(ErrorKind::Expected(
                "two to four options, two with .clamp",
            )));
        }
    };
    if let Some(place) = sink.out.get_mut(at) {
        *place = open;
    }
    Ok(())
}

/// Fill in a count byte.
fn set_count<'s>(sink: &mut Sink<'_>, at: usize, count: usize) -> Result<(), ErrorKind<'s>> {
    let (value, low, high) = (count as i64, 0, 0xFF);
    let byte = u8::try_from(count).map_err(|_| ErrorKind::Range { value, low, high })?;
    if let Some(place) = sink.out.get_mut(at) {
        *place = byte;
    }
    Ok(())
}

/// `[1, 2, 3]` behind its count.
fn list<'s>(
    scope: &Scope<'_, 's>,
    text: &mut Text<'s>,
    sink: &mut Sink<'_>,
) -> Result<Result<(), ErrorKind<'s>>, Fault<'s>> {
    text.blank();
    let start = text.at();
    let fault = |kind| Fault { at: start, kind };
    text.expect('[', "a list in brackets")?;
    let at = sink.at;
    sink.push(0).map_err(fault)?;
    if !text.take(']') {
        loop {
            let byte = scope.byte(text)?;
            sink.push(byte).map_err(fault)?;
            if text.take(']') {
                break;
            }
            text.expect(',', "a comma or a closing bracket")?;
        }
    }
    set_count(sink, at, sink.at - at - 1).map_err(fault)?;
    Ok(Ok(()))
}

/// First clip and the bytes of the keyframes, behind their count.
fn keyframes<'s>(
    scope: &Scope<'_, 's>,
    text: &mut Text<'s>,
    sink: &mut Sink<'_>,
) -> Result<Result<(), ErrorKind<'s>>, Fault<'s>> {
    text.blank();
    let start = text.at();
    let fault = |kind| Fault { at: start, kind };
    let at = sink.at;
    sink.push(0).map_err(fault)?;
    loop {
        let byte = scope.byte(text)?;
        sink.push(byte).map_err(fault)?;
        if !text.take(',') {
            break;
        }
    }
    let found = sink.at - at - 2;
    if !found.is_multiple_of(4) {
        let expected = found.next_multiple_of(4);
        return Err(fault(ErrorKind::Count { expected, found }));
    }
    set_count(sink, at, found / 4).map_err(fault)?;
    Ok(Ok(()))
}
