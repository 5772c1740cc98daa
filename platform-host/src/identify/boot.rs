//! What a console reads first: SYSTEM.CNF, the program that it names, and the names of the archive.

use overworld_runtime::disc::cdname::FILE_LIMIT;

use super::{Look, count};
use crate::psexe;
use crate::text::printable;
use crate::verify::boot_path;

/// A PS-EXE: the magic, every field of the header, and exactly the bytes that it says.
pub fn exe(data: &[u8]) -> Look {
    match psexe::parse(data) {
        Ok((header, body)) => {
            let region = match header.region.as_str() {
                "" => String::new(),
                text => format!(", \"{text}\""),
            };
            Look::Is(format!(
                "\"PS-X EXE\": {:#x} bytes go to {:08X} and start at {:08X}, the stack at {:08X}{region}",
                body.len(),
                header.load,
                header.pc,
                header.sp_base.wrapping_add(header.sp_offset)
            ))
        }
        Err(psexe::Error::BadMagic { .. }) => Look::No,
        Err(psexe::Error::ShortHeader { .. }) if !data.starts_with(psexe::MAGIC) => Look::No,
        Err(error) => Look::Near(format!("it begins like a PS-EXE, but {error}")),
    }
}

/// Lines of short text that are not blank; `None` if there are none, or something else.
fn lines(data: &[u8]) -> Option<Vec<&str>> {
    let text = str::from_utf8(data)
        .ok()
        .filter(|it| it.len() < FILE_LIMIT)?;
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect();
    (!lines.is_empty()).then_some(lines)
}

/// SYSTEM.CNF: one line for the program, on a disc, and at most one for each number of the kernel's.
pub fn system_cnf(data: &[u8]) -> Look {
    let Some(lines) = lines(data) else {
        return Look::No;
    };
    let mut seen = Vec::new();
    let mut program = None;
    for line in lines {
        let Some((key, value)) = line.split_once('=') else {
            return Look::No;
        };
        let (key, value) = (key.trim().to_ascii_uppercase(), value.trim());
        if seen.contains(&key) {
            return Look::No;
        }
        match key.as_str() {
            "BOOT" if value.to_ascii_lowercase().starts_with("cdrom:") => program = boot_path(line),
            "TCB" | "EVENT" | "STACK" if is_hexadecimal(value) => {}
            _ => return Look::No,
        }
        seen.push(key);
    }
    match program {
        Some(path) => Look::Is(format!(
            "SYSTEM.CNF: it boots /{} from a disc; nothing but {}",
            printable(&path),
            seen.join(", ")
        )),
        None => Look::No,
    }
}

fn is_hexadecimal(value: &str) -> bool {
    (1..=8).contains(&value.len()) && value.bytes().all(|it| it.is_ascii_hexdigit())
}

/// CDNAME.TXT: each line defines a name in small letters, with numbers that do not descend (disc sheet,
/// section 4). Of a name it is not asked that the game keeps it whole: some of the original's are longer.
pub fn names(data: &[u8]) -> Look {
    let Some(lines) = lines(data) else {
        return Look::No;
    };
    let mut last = 0;
    let mut first = None;
    for line in &lines {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let &["#define", name, digits] = words.as_slice() else {
            return Look::No;
        };
        let small = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_';
        let decimal = digits.bytes().all(|it| it.is_ascii_digit());
        let number = digits.parse::<u16>().ok().filter(|_| decimal);
        let Some(number) = number.filter(|_| name.bytes().all(small)) else {
            return Look::No;
        };
        if number < last {
            return Look::No;
        }
        last = number;
        first.get_or_insert((name, number));
    }
    let (name, number) = first.unwrap_or_default();
    Look::Is(format!(
        "CDNAME.TXT: {} of a name and a raw index that does not descend, from \"{name}\" at {number} to {last}",
        count(lines.len(), "line")
    ))
}
