//! What a blob is, told by its own structure.
//!
//! Names, sizes and magic words alone prove nothing here: every kind is read to its end with the
//! reader that the runtime uses, and what does not fit is `unknown`. An LZS stream has no magic and
//! nearly any bytes unpack to something, so it is named only when the unpacked bytes are themselves
//! of a known kind and the stream ends where they do.

mod boot;
mod containers;
mod ff8;
mod man;
mod packed;
mod wad;

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use overworld_runtime::anim::legaia::{Bank, MARKER};
use overworld_runtime::bytes::u16_at;
use overworld_runtime::field::map::{self, Map, Patch, Triggers, patch};
use overworld_runtime::model::tim::{self, Tim};
use overworld_runtime::model::tmd::{self, Tmd};

use crate::drive::Cue;
use crate::{fault, input};

pub use containers::{Members, Unpacked, expected, members, unpack};

/// What is read to tell a disc or an archive.
const HEAD: usize = 64 << 10;

/// The largest file that is read whole: larger than any file of a kind but disc and archive.
const LARGEST: u64 = 64 << 20;

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Animation bank.
    Bank,
    /// Field map.
    Map,
    /// Scene bundle.
    Bundle,
    /// Scene script asset.
    Man,
    /// Mesh, or a pack of meshes.
    Tmd,
    /// Texture.
    Tim,
    /// Pack of textures.
    TimPack,
    /// LZS stream of one of the others.
    Lzs,
    /// The archive `PROT.DAT`.
    Prot,
    /// Names of the archive's entries, `CDNAME.TXT`.
    CdName,
    /// Disc image or cue sheet.
    Disc,
    /// A program, PS-EXE.
    Exe,
    /// What a console boots, `SYSTEM.CNF`.
    SystemCnf,
    /// Level of "The Emperor's New Groove".
    Wad,
    /// Battle model of "Final Fantasy VIII".
    Ff8,
    /// Nothing of these.
    Unknown,
}

impl Kind {
    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bank => "bank",
            Self::Map => "map",
            Self::Bundle => "bundle",
            Self::Man => "man",
            Self::Tmd => "tmd",
            Self::Tim => "tim",
            Self::TimPack => "timpack",
            Self::Lzs => "lzs",
            Self::Prot => "prot",
            Self::CdName => "cdname",
            Self::Disc => "disc",
            Self::Exe => "exe",
            Self::SystemCnf => "cnf",
            Self::Wad => "wad",
            Self::Ff8 => "ff8",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A kind and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it is.
    pub kind: Kind,
    /// What proves it, or for [`Kind::Unknown`] what came near.
    pub evidence: String,
}

/// What one check found.
enum Look {
    /// All of it fits.
    Is(String),
    /// It begins like one, but does not fit.
    Near(String),
    /// Nothing like it.
    No,
}

/// Tell what a file is, of which `-` is standard input.
///
/// # Errors
/// The file cannot be read.
pub fn file(path: &Path) -> io::Result<Verdict> {
    if path == Path::new("-") {
        return stream(io::stdin().lock(), LARGEST, input::FILE);
    }
    let mut file = input::open(path)?;
    let metadata = file.metadata()?;
    let mut data = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut data)?;
    let length = metadata.len().max(data.len() as u64);
    if let Some(verdict) = large(&data, length) {
        return Ok(verdict);
    }
    if let Look::Is(evidence) = cue(&data) {
        return Ok(Verdict {
            kind: Kind::Disc,
            evidence: evidence + &containers::of_sheet(path),
        });
    }
    if length > LARGEST {
        return Ok(too_large(length));
    }
    file.read_to_end(&mut data)?;
    Ok(bytes(&data))
}

/// Tell what a stream is, of which at most `largest` bytes are kept and `limit` are read.
fn stream(mut from: impl Read, largest: u64, limit: u64) -> io::Result<Verdict> {
    let mut data = Vec::new();
    from.by_ref().take(largest + 1).read_to_end(&mut data)?;
    let kept = data.len() as u64;
    if kept <= largest {
        return Ok(bytes(&data));
    }
    // The head and the length tell the kinds that can be so large: the rest is only counted.
    let rest = limit.saturating_add(1).saturating_sub(kept);
    let length = kept + io::copy(&mut from.take(rest), &mut io::sink())?;
    if length > limit {
        return Err(input::too_long(limit));
    }
    Ok(large(&data, length).unwrap_or_else(|| too_large(length)))
}

/// More bytes than are kept, and neither of the kinds that can be so large.
fn too_large(length: u64) -> Verdict {
    Verdict {
        kind: Kind::Unknown,
        evidence: format!("{length} bytes, neither a disc image nor an archive"),
    }
}

/// Tell what these bytes are.
#[must_use]
pub fn bytes(data: &[u8]) -> Verdict {
    if let Some(verdict) = large(data, data.len() as u64) {
        return verdict;
    }
    let plain = plain(data);
    if plain.kind != Kind::Unknown {
        return plain;
    }
    match packed::lzs(data) {
        Some(evidence) => Verdict {
            kind: Kind::Lzs,
            evidence,
        },
        None => plain,
    }
}

/// The kinds that are told by their head and length.
fn large(head: &[u8], length: u64) -> Option<Verdict> {
    let checks = [
        (Kind::Disc, containers::disc(head, length)),
        (Kind::Prot, containers::prot(head, length)),
    ];
    checks.into_iter().find_map(|(kind, look)| match look {
        Look::Is(evidence) => Some(Verdict { kind, evidence }),
        _ => None,
    })
}

/// A check of whole bytes.
type Check = fn(&[u8]) -> Look;

/// The kinds that are not packed.
fn plain(data: &[u8]) -> Verdict {
    let checks: [(Kind, Check); 13] = [
        (Kind::Disc, cue),
        (Kind::Exe, boot::exe),
        (Kind::SystemCnf, boot::system_cnf),
        (Kind::CdName, boot::names),
        (Kind::Wad, wad::look),
        (Kind::Ff8, ff8::look),
        (Kind::Tim, tim),
        (Kind::Tmd, tmd),
        (Kind::TimPack, containers::tim_pack),
        (Kind::Map, map),
        (Kind::Bundle, containers::bundle),
        (Kind::Bank, bank),
        (Kind::Man, man::look),
    ];
    let mut near = Vec::new();
    if let Look::Near(why) = containers::disc(data, data.len() as u64) {
        near.push(why);
    }
    let mut found = Vec::new();
    for (kind, check) in checks {
        match check(data) {
            Look::Is(evidence) => found.push(Verdict { kind, evidence }),
            Look::Near(why) => near.push(why),
            Look::No => {}
        }
    }
    match (found.len(), found.pop()) {
        (1, Some(verdict)) => verdict,
        (0, _) | (_, None) => Verdict {
            kind: Kind::Unknown,
            evidence: if near.is_empty() {
                "no structure of a known kind".to_owned()
            } else {
                near.join("; ")
            },
        },
        (_, Some(last)) => {
            let mut kinds: Vec<&str> = found.iter().map(|it| it.kind.name()).collect();
            kinds.push(last.kind.name());
            Verdict {
                kind: Kind::Unknown,
                evidence: format!("it reads as {}: it could be either", kinds.join(" and as ")),
            }
        }
    }
}

/// `1 clip`, `2 clips`, `3 entries`.
#[must_use]
pub fn count(number: usize, what: &str) -> String {
    if number == 1 {
        return format!("1 {what}");
    }
    match (what.strip_suffix('y'), what.strip_suffix('h')) {
        (Some(stem), _) => format!("{number} {stem}ies"),
        (_, Some(_)) => format!("{number} {what}es"),
        _ => format!("{number} {what}s"),
    }
}

fn cue(data: &[u8]) -> Look {
    // A sheet is short text.
    let Some(text) = str::from_utf8(data).ok().filter(|it| it.len() < HEAD) else {
        return Look::No;
    };
    match Cue::parse(text) {
        Ok(cue) => Look::Is(format!(
            "cue sheet: {}, the first MODE2/2352 in \"{}\"",
            count(cue.tracks, "track"),
            cue.file
        )),
        Err(_) => Look::No,
    }
}

fn bank(data: &[u8]) -> Look {
    let error = match Bank::parse(data) {
        Ok(bank) => {
            return Look::Is(format!(
                "{}: offsets ascend from the table's end, each clip has marker {MARKER:04X} and \
                 exactly the bytes of its parts and frames",
                count(bank.len().into(), "clip")
            ));
        }
        Err(error) => error,
    };
    if let Ok(bank) = Bank::parse_lenient(data) {
        return Look::Is(format!(
            "{} with marker {MARKER:04X}, in lenient mode: {}",
            count(bank.len().into(), "clip"),
            fault::bank(data, &error)
        ));
    }
    // The marker of the first clip where the first offset says.
    let first = overworld_runtime::bytes::u32_at(data, 4).map_or(0, |it| it as usize);
    let marked = first.checked_add(4).and_then(|at| u16_at(data, at)) == Some(MARKER);
    if first >= 8 && marked {
        return Look::Near(format!(
            "it begins like a bank, but {}",
            fault::bank(data, &error)
        ));
    }
    Look::No
}

fn map(data: &[u8]) -> Look {
    let map = match data.len() {
        patch::SIZE => return patch(data),
        map::SIZE => Map::parse(data),
        map::READ_SIZE => Map::parse_read(data).map(|(map, _)| map),
        _ => return Look::No,
    };
    match map {
        Ok(map) => {
            let block = data.get(0x1_0000..).unwrap_or_default();
            let word = |at| u16_at(block, at).unwrap_or(0);
            if word(0) == 0 {
                // Zeros throughout are a map in the format, but the sector read has more to tell.
                if data.len() != map::SIZE {
                    return Look::No;
                }
                return Look::Is(format!(
                    "{} bytes: zero trigger header, and no object or wall",
                    data.len()
                ));
            }
            Look::Is(format!(
                "{} bytes: {}",
                data.len(),
                chained(block, &map.triggers())
            ))
        }
        Err(error) => Look::Near(format!(
            "it has the length of a map, but {}",
            fault::map(&error)
        )),
    }
}

/// How the header of this trigger block chains.
fn chained(block: &[u8], triggers: &Triggers<'_>) -> String {
    let word = |at| u16_at(block, at).unwrap_or(0);
    let total = triggers.teleports().count()
        + triggers.scripts().count()
        + triggers.elevations().count()
        + triggers.regions().count();
    format!(
        "the trigger header chains {:02X} {:02X} {:02X} {:02X} to {:02X} ({})",
        word(2),
        word(6),
        word(10),
        word(14),
        word(0),
        count(total, "record")
    )
}

/// A trigger patch: a chain, and zeros to the end of the sector. Zeros throughout are an absent patch, and
/// prove nothing.
fn patch(data: &[u8]) -> Look {
    let Ok(patch) = Patch::parse(data) else {
        return Look::No;
    };
    let end = usize::from(u16_at(data, 0).unwrap_or(0));
    let rest = data.get(end..).unwrap_or_default();
    if end == 0 || rest.iter().any(|&byte| byte != 0) {
        return Look::No;
    }
    Look::Is(format!(
        "a trigger patch of {} bytes: {}, zeros behind it",
        data.len(),
        chained(data, &patch.triggers())
    ))
}

fn tim(data: &[u8]) -> Look {
    if !Tim::is_tim(data) {
        return Look::No;
    }
    match Tim::parse(data) {
        Ok(tim) => {
            let mut text = format!(
                "magic {:08X}, {} x {} texels, {} bits each, ",
                tim::MAGIC,
                tim.width(),
                tim.image.h,
                bits(tim.mode)
            );
            text.push_str(match tim.clut {
                Some(_) => "palette and image blocks of exact size",
                None => "image block of exact size",
            });
            text.push_str(&behind(data, tim.size()));
            Look::Is(text)
        }
        Err(error) => Look::Near(format!("it begins like a TIM, but {}", fault::tim(&error))),
    }
}

/// A word on what lies behind a picture or mesh of `size` bytes, if anything does.
fn behind(data: &[u8], size: usize) -> String {
    match data.len().saturating_sub(size) {
        0 => String::new(),
        1 => "; 1 byte follows".to_owned(),
        more => format!("; {more} bytes follow"),
    }
}

/// Bits of a texel.
#[must_use]
pub const fn bits(mode: tim::Mode) -> u8 {
    match mode {
        tim::Mode::Four => 4,
        tim::Mode::Eight => 8,
        tim::Mode::Sixteen => 16,
        tim::Mode::TwentyFour => 24,
    }
}

fn tmd(data: &[u8]) -> Look {
    if let Some(meshes) = containers::meshes(data) {
        return Look::Is(meshes);
    }
    match Tmd::parse_lenient(data) {
        Ok(tmd) => {
            let primitives: usize = tmd.objects().map(|it| it.count() as usize).sum();
            let mut text = format!(
                "magic {:08X}, {}, {}, every pool and group inside the data",
                tmd::MAGIC,
                count(tmd.len(), "object"),
                count(primitives, "primitive")
            );
            text.push_str(&behind(data, tmd.size()));
            if let Err(error) = Tmd::parse(data) {
                text.push_str(&format!("; in lenient mode: {}", fault::tmd(&error)));
            }
            Look::Is(text)
        }
        Err(tmd::Error::BadMagic { .. } | tmd::Error::Truncated { .. }) => Look::No,
        Err(tmd::Error::AbsolutePointers) => Look::No,
        Err(error) => Look::Near(format!("it begins like a TMD, but {}", fault::tmd(&error))),
    }
}

#[cfg(test)]
mod tests;
