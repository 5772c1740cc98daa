//! WAD levels (llama sheet, section 1): a length, then chunks with a tag and a size each.

use overworld_runtime::bytes::u32_at;

use super::{Look, count};

/// Tags that the game's levels use, as they read from most to least significant byte.
const TAGS: [&[u8; 4]; 16] = [
    b"INFO", b"VERS", b"WFPC", b"TEXT", b"FONT", b"SPRT", b"NAME", b"SMPC", b"AMPC", b"SRPC",
    b"TRAK", b"STPC", b"MAP ", b"LGHT", b"LNFO", b"LGPC",
];
const END: &[u8; 4] = b"END ";

pub fn look(data: &[u8]) -> Look {
    let mut at = 4;
    let mut tags = Vec::new();
    let mut known = 0;
    let (end, after) = loop {
        let (Some(tag), Some(size)) = (u32_at(data, at), u32_at(data, at + 4)) else {
            return near(&tags, "the chunks end without END");
        };
        let tag = tag.to_be_bytes();
        if tags.is_empty() && &tag != b"INFO" {
            return Look::No;
        }
        if !tag
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || *byte == b' ')
        {
            return near(&tags, &format!("offset {at:#x}: expected a chunk's tag"));
        }
        let next = at + 8;
        if &tag == END {
            break (size, data.len() - next);
        }
        known += usize::from(TAGS.contains(&&tag));
        tags.push(String::from_utf8_lossy(&tag).trim_end().to_owned());
        at = match next.checked_add(size as usize) {
            Some(next) if next <= data.len() => next,
            _ => return near(&tags, "its last chunk passes the end"),
        };
    };
    if known < 2 {
        return Look::No;
    }
    let length = u32_at(data, 0).unwrap_or(0);
    let right = u64::from(length) + 4 == data.len() as u64;
    let mut evidence = format!("chunks {} lead", tags.join(" "));
    evidence += match after {
        0 => " exactly to END",
        _ => " to END",
    };
    // What `llama check` warns of, and the game plays.
    if after != 0 {
        evidence += &format!("; {} behind it", count(after, "byte"));
    }
    if end != 0 {
        evidence += &format!("; END says that it has {end} bytes, which the game ignores");
    }
    if !right {
        evidence += "; the length in front is wrong, which the game ignores";
    }
    Look::Is(evidence)
}

fn near(tags: &[String], what: &str) -> Look {
    if tags.len() < 2 {
        return Look::No;
    }
    Look::Near(format!(
        "it begins like a WAD ({}), but {what}",
        tags.join(" ")
    ))
}
