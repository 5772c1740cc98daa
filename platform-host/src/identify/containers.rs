//! Discs, archives, bundles and packs.

use std::path::Path;

use overworld_runtime::bytes::u32_at;
use overworld_runtime::disc::bundle::{self, AssetType, Bundle, Member, is_placeholder};
use overworld_runtime::disc::pack::Pack;
use overworld_runtime::disc::sector::{self, RAW};
use overworld_runtime::disc::{iso, prot};
use overworld_runtime::lzs;
use overworld_runtime::model::tim::{self, Tim};
use overworld_runtime::model::tmd::{self, Tmd};
use overworld_runtime::platform::{SECTOR, Sector};

use super::{Kind, Look, Verdict, count, plain};
use crate::bodies::{self, Body};
use crate::drive::{ImageDrive, fault_at};
use crate::fault;

/// A raw or bare image, by its head and the file's length.
pub fn disc(head: &[u8], length: u64) -> Look {
    let volume = |data: &Sector, size: usize| {
        let name = data.get(40..72).unwrap_or_default();
        let name = String::from_utf8_lossy(name).trim_end().to_owned();
        let blocks = iso::Primary::parse(data)?.blocks;
        let missing = missing(blocks, length / size as u64);
        let blocks = count(blocks as usize, "sector");
        Some(format!("\"{name}\" of {blocks}{missing}"))
    };
    if head.starts_with(&sector::SYNC) {
        if !length.is_multiple_of(RAW as u64) {
            return Look::Near(format!(
                "it begins like a raw disc image, but NotRawImage: {length} bytes are no multiple \
                 of {RAW}"
            ));
        }
        let mut sectors = 0;
        let mut damaged = Vec::new();
        for (lba, raw) in (0..).zip(head.chunks_exact(RAW)) {
            let raw: &sector::Raw = match raw.try_into() {
                Ok(raw) => raw,
                Err(_) => return Look::No,
            };
            match sector::inspect(raw) {
                Ok((found, _)) if found == lba => sectors += 1,
                Ok((found, _)) => {
                    return Look::Near(format!(
                        "it begins like a raw disc image, but sector {lba} has the address of \
                         {found}"
                    ));
                }
                // A damaged sector is a matter for `disc verify`; the shape is what counts.
                Err(
                    error @ (sector::Error::BadEdc { lba: found }
                    | sector::Error::BadEcc { lba: found }),
                ) if found == lba => {
                    sectors += 1;
                    let at = lba as usize * RAW + fault_at(error);
                    damaged.push(fault::Fault::new(&error, Some(at)).to_string());
                }
                Err(error) => {
                    return Look::Near(format!(
                        "it begins like a raw disc image, but {}",
                        fault::Fault::new(&error, Some(lba as usize * RAW))
                    ));
                }
            }
        }
        let descriptor = head
            .get(16 * RAW + sector::DATA_AT..)
            .and_then(<[u8]>::first_chunk);
        let volume = descriptor.and_then(|it| volume(it, RAW)).map_or_else(
            || "no ISO9660 volume".to_owned(),
            |it| format!("ISO9660 volume {it}"),
        );
        let damaged = match damaged.as_slice() {
            [] => String::new(),
            [only] => format!("; damaged: {only}"),
            [first, ..] => format!("; {} are damaged, first {first}", damaged.len()),
        };
        return Look::Is(format!(
            "raw Mode 2 sectors with ascending addresses ({sectors} looked at), {volume}{damaged}"
        ));
    }
    let descriptor = head.get(16 * SECTOR..).and_then(<[u8]>::first_chunk);
    match descriptor.and_then(|it| volume(it, SECTOR)) {
        Some(volume) if length.is_multiple_of(SECTOR as u64) => Look::Is(format!(
            "sectors of {SECTOR} bytes, ISO9660 volume {volume}"
        )),
        _ => Look::No,
    }
}

/// What a volume of `blocks` sectors lacks in an image of `sectors`.
fn missing(blocks: u32, sectors: u64) -> String {
    if u64::from(blocks) <= sectors {
        return String::new();
    }
    format!("; the image ends before the volume does, after {sectors} of {blocks} sectors")
}

/// What keeps the image of a cue sheet from being read, or what the image lacks; empty if all is
/// well as far as the volume's descriptor tells.
pub fn of_sheet(sheet: &Path) -> String {
    let mut drive = match ImageDrive::open_sheet(sheet) {
        Ok(drive) => drive,
        Err(error) => {
            let text = error.to_string();
            let place = format!("{}: ", sheet.display());
            return format!("; {}", text.strip_prefix(&place).unwrap_or(&text));
        }
    };
    let mut scratch = [0; SECTOR];
    match iso::primary(&mut drive, &mut scratch) {
        Ok(volume) => missing(volume.blocks, drive.sectors().into()),
        Err(error) => format!("; {error}"),
    }
}

/// The archive, by its table and the file's length.
pub fn prot(head: &[u8], length: u64) -> Look {
    let sectors = u32::try_from(length / SECTOR as u64).unwrap_or(u32::MAX);
    let Ok(toc) = prot::Toc::parse(head, sectors) else {
        return Look::No;
    };
    let used = 4 * (toc.len() as usize + 3);
    let rest = head.get(used..prot::TOC_BYTES).unwrap_or_default();
    if !length.is_multiple_of(SECTOR as u64) || rest.iter().any(|&byte| byte != 0) {
        return Look::No;
    }
    Look::Is(format!(
        "a table of {} that tile {} of {}",
        count(toc.len() as usize, "raw entry"),
        toc.archive_sectors(),
        count(sectors as usize, "sector")
    ))
}

/// The members of a bundle, or of the uncounted form of one.
pub struct Members<'a> {
    /// In the order of the table.
    pub list: Vec<Member<'a>>,
    /// Whether the table begins with their number. Files of sections that are read by other parts
    /// of the game (PROT 0874) need not have it (LZS sheet, "Container forms").
    pub counted: bool,
}

/// The members of a bundle: by its counted table, else by the pairs of size and offset as far as
/// they make sense, if every one of these is a stream of a known type, and one at least unpacks to
/// what its type says: nearly any words are such pairs, and nearly any bytes unpack.
///
/// # Errors
/// What is wrong with the counted table.
pub fn members(data: &[u8]) -> Result<Members<'_>, bundle::Error> {
    let error = match Bundle::parse(data) {
        Ok(bundle) => {
            return Ok(Members {
                list: bundle.members().collect(),
                counted: true,
            });
        }
        Err(error) => error,
    };
    let sections = lzs::uncounted(data).take(bundle::MAX_MEMBERS as usize + 1);
    let member = |(index, section): (u8, lzs::Section)| {
        let stream = data.get(section.offset as usize..section.end as usize)?;
        let fits = section.size <= bundle::MEMBER_LIMIT
            && lzs::measure(stream, section.size as usize).is_ok();
        fits.then_some(Member {
            index,
            ty: AssetType::from_byte(section.ty)?,
            size: section.size,
            data: stream,
        })
    };
    match (0..).zip(sections).map(member).collect::<Option<Vec<_>>>() {
        Some(list) if list.len() <= bundle::MAX_MEMBERS as usize && list.iter().any(is_proven) => {
            Ok(Members {
                list,
                counted: false,
            })
        }
        _ => Err(error),
    }
}

/// Whether a member unpacks to what its type says.
fn is_proven(member: &Member<'_>) -> bool {
    let verdict = unpack(member).verdict;
    expected(member.ty).is_some_and(|kind| verdict.is_ok_and(|it| it.kind == kind))
}

/// What a member of a bundle turned out to be.
pub struct Unpacked {
    /// Its bytes; empty when it does not unpack.
    pub data: Vec<u8>,
    /// Bytes of the stream.
    pub stored: usize,
    /// What the bytes are, or what is wrong with the stream.
    pub verdict: Result<Verdict, fault::Fault>,
}

/// Unpack a member and tell what it is. A size that the stream cannot have costs no memory.
#[must_use]
pub fn unpack(member: &Member<'_>) -> Unpacked {
    let size = member.size as usize;
    let decoded = lzs::measure(member.data, size).and_then(|_| {
        let mut data = vec![0; size];
        lzs::decode(member.data, &mut data).map(|stored| (data, stored))
    });
    match decoded {
        Ok((data, stored)) => Unpacked {
            stored,
            verdict: Ok(asset(member.ty, &data)),
            data,
        },
        Err(error) => Unpacked {
            data: Vec::new(),
            stored: 0,
            verdict: Err(fault::lzs(member.data.len(), &error)),
        },
    }
}

/// What decoded bytes of this type are. The type does not decide, it only rules out the kinds that
/// are no assets.
fn asset(ty: AssetType, data: &[u8]) -> Verdict {
    if ty.is_flag() {
        return Verdict {
            kind: Kind::Unknown,
            evidence: "a flag: its bytes are ignored".to_owned(),
        };
    }
    plain(data)
}

/// The kind that a type's bytes must have; `None` for types without structure of their own.
#[must_use]
pub fn expected(ty: AssetType) -> Option<Kind> {
    match ty {
        AssetType::Tim => Some(Kind::Tim),
        AssetType::TimList => Some(Kind::TimPack),
        AssetType::Tmd | AssetType::Tmd2 => Some(Kind::Tmd),
        AssetType::Man => Some(Kind::Man),
        AssetType::Move => Some(Kind::Bank),
        _ => None,
    }
}

/// A scene bundle: the table's law, every stream, and at least one member of proven kind.
pub fn bundle(data: &[u8]) -> Look {
    let bundle = match self::members(data) {
        Ok(bundle) => bundle,
        Err(error) => {
            // A table that fails late began well.
            let first = u32_at(data, 0).zip(u32_at(data, 12));
            return match first {
                Some((count @ 1..=32, offset)) if offset == 8 + 8 * count => Look::Near(format!(
                    "it begins like a bundle, but {}",
                    fault::bundle(&error)
                )),
                _ => Look::No,
            };
        }
    };
    let mut proven = 0;
    let mut members = Vec::new();
    for member in &bundle.list {
        let (index, ty) = (member.index, member.ty);
        let unpacked = unpack(member);
        let verdict = match unpacked.verdict {
            Ok(verdict) => verdict,
            Err(fault) => {
                return Look::Near(format!(
                    "it begins like a bundle, but member {index} ({ty}) does not unpack: {fault}"
                ));
            }
        };
        let name = format!("{:02X} {ty}", ty.byte());
        members.push(match expected(ty) {
            Some(kind) if verdict.kind == kind => {
                proven += 1;
                format!("{name} ({kind})")
            }
            Some(kind) if !is_placeholder(&unpacked.data) => {
                format!("{name} (no {kind}: {})", verdict.evidence)
            }
            _ => name,
        });
    }
    if proven == 0 {
        return Look::No;
    }
    let members = members.join(", ");
    let number = bundle.list.len();
    Look::Is(if bundle.counted {
        format!(
            "{}, the first member right behind the table, every stream unpacks: {members}",
            count(number, "descriptor")
        )
    } else {
        format!(
            "{} of size and offset behind two words that do not count them, every stream unpacks: \
             {members}",
            count(number, "pair")
        )
    })
}

/// The evidence for a pack of meshes.
pub fn meshes(data: &[u8]) -> Option<String> {
    let pack = Pack::parse(data).ok()?;
    let good = pack.iter().filter(|it| Tmd::parse_lenient(it).is_ok());
    let good = good.count();
    (good > 0 && 2 * good > pack.len()).then(|| {
        format!(
            "a pack of {} in ascending order, {good} of them TMDs (magic {:08X}) that parse",
            count(pack.len(), "member"),
            tmd::MAGIC
        )
    })
}

/// A pack of textures, standalone or as a bundle holds it.
pub fn tim_pack(data: &[u8]) -> Look {
    let bodies = match bodies::read(data) {
        Some(Ok(bodies)) => bodies,
        Some(Err(fault)) => return Look::Near(format!("it begins like a pack, but {fault}")),
        None => return Look::No,
    };
    match (textures(&bodies.list), bodies.standalone) {
        (Some(text), None) => Look::Is(text),
        (Some(text), Some(size)) => {
            Look::Is(format!("standalone, {size} bytes of type 01: {text}"))
        }
        (None, _) => Look::No,
    }
}

fn textures(bodies: &[Body<'_>]) -> Option<String> {
    let good = bodies.iter().filter(|it| Tim::parse(it.data).is_ok());
    let good = good.count();
    // Kingdoms carry a few bare palettes among their textures; a broken TIM is no such thing.
    let bad = bodies.iter().filter(|it| Tim::is_tim(it.data)).count() - good;
    (good > 0 && bad == 0 && 2 * good > bodies.len()).then(|| {
        format!(
            "a pack of {} in ascending order, {good} of them TIMs (magic {:08X}) that parse",
            count(bodies.len(), "member"),
            tim::MAGIC
        )
    })
}
