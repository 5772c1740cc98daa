//! A scene's block: map, trigger patch, stager table and bundle (disc sheet, sections 5 to 7).

use overworld_runtime::anim::legaia::Bank;
use overworld_runtime::bytes::u16_at;
use overworld_runtime::disc::block::{MAP_SECTORS, Part, READ_SECTORS};
use overworld_runtime::disc::bundle::{AssetType, Bundle, ENTRY_LIMIT, Member, is_placeholder};
use overworld_runtime::disc::pack::Pack;
use overworld_runtime::field::map::{self, Map, Patch};
use overworld_runtime::field::stager::Stager;
use overworld_runtime::lzs;
use overworld_runtime::model::tim::Tim;
use overworld_runtime::model::tmd::{self, Tmd};
use overworld_runtime::scene::man::Man;

use super::archive::{Entry, looks_like_bundle};
use super::stream::{self, Stream};
use super::{Report, States, read};
use crate::drive::ImageDrive;
use crate::fault::{self, Fault};

/// Where the first body of any trigger block begins, which stands in its second word.
const FIRST_BODY: u16 = 0x12;

/// Descriptors of a bundle of the v12 family.
const V12_MEMBERS: usize = 4;

/// The entries that a name covers.
pub struct Block<'a> {
    pub name: &'a str,
    /// Where they lie, those of the archive alone.
    pub entries: &'a [Entry],
    /// First sector behind the archive.
    pub archive_end: u32,
}

impl<'a> Block<'a> {
    /// The entry of this part, and those behind it.
    fn part(&self, part: Part) -> Option<(&'a Entry, &'a [Entry])> {
        let entries = self.entries.get(part.position() as usize..)?;
        entries.split_first()
    }

    fn place(&self, entry: &Entry, what: &str) -> String {
        format!("/PROT.DAT: raw {} ({}, {what})", entry.raw, self.name)
    }
}

/// Where the parts of a scene lie in its block.
struct Parts<'a> {
    map: &'a Entry,
    /// `None` in a block that has no entry for it.
    patch: Option<&'a Entry>,
    stager: &'a Entry,
    bundle: &'a Entry,
    bundle_data: Vec<u8>,
    later: &'a [Entry],
}

/// What a scene has instead of a MAN in its bundle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// It has one in its bundle, or there is no bundle to ask.
    Elsewhere,
    /// One is looked for behind the bundle.
    Wanted,
    /// One must be there: a bundle of the v12 family.
    Needed,
}

/// Check a block: the parts of a scene, if it is a scene's, and the streams that lie in the rest.
/// Nothing else (music, system data ...) has a law.
pub fn check(drive: &mut ImageDrive, block: &Block<'_>, states: &States, report: &mut Report) {
    let mut data = |entry: &Entry| {
        let whole = states.is_data(entry.extent);
        whole.then(|| read(drive, entry.extent)).flatten()
    };
    let scene = check_scene(block, &mut data, report);
    let (rest, script) = scene.unwrap_or((block.entries, Script::Elsewhere));
    check_streams(block, rest, script, &mut data, report);
}

/// Check the parts of a scene; the entries behind them, and whether its MAN is among those.
/// `None` if the block is no scene's, or cannot be looked into.
///
/// Position decides, not size: the first entry is the map, the fourth the bundle. A block is taken
/// for a scene's when either of them looks like it, or when map, stager table and bundle follow
/// each other: a few scenes have no trigger patch.
fn check_scene<'a>(
    block: &Block<'a>,
    data: &mut impl FnMut(&Entry) -> Option<Vec<u8>>,
    report: &mut Report,
) -> Option<(&'a [Entry], Script)> {
    let damaged = |report: &mut Report| {
        report.note(format!(
            "scene {}: not looked into, its sectors are damaged",
            block.name
        ));
        None
    };
    let parts = match Part::ALL.map(|part| block.part(part)) {
        [
            Some((map, _)),
            Some((patch, _)),
            Some((stager, _)),
            Some((bundle, later)),
        ] => {
            let Some(bundle_data) = data(bundle) else {
                return damaged(report);
            };
            Some(Parts {
                map,
                patch: Some(patch),
                stager,
                bundle,
                bundle_data,
                later,
            })
        }
        _ => None,
    };
    let parts = match parts {
        Some(parts) if looks_like_bundle(&parts.bundle_data) => parts,
        other => match (without_patch(block, data), other) {
            (Some(parts), _) => {
                report.note(format!("{}: no .PCH", block.place(parts.map, "map")));
                parts
            }
            (None, Some(parts)) => parts,
            (None, None) => return None,
        },
    };
    let map = parts.map;
    let Some(map_data) = data(map) else {
        return damaged(report);
    };
    let is_map = map.extent.sectors() == MAP_SECTORS;
    let parsed = Map::parse(&map_data);
    if !(looks_like_bundle(&parts.bundle_data) || is_map && parsed.is_ok()) {
        if is_map {
            report.note(format!(
                "{}: has the size of a scene's map, but neither map nor bundle of one",
                block.place(map, "first entry")
            ));
        }
        return None;
    }
    report.counts.scenes += 1;
    let place = block.place(map, "map");
    match parsed {
        Ok(map) => {
            if let Err(finding) = map.lint() {
                report.note(format!("{place}: {}", fault::finding(&finding)));
            }
        }
        Err(error) => report.problem(&place, Some(map.extent.lba), fault::map(&error)),
    }
    if block.archive_end < map.extent.lba.saturating_add(READ_SECTORS) {
        report.named(
            "ExtentOutOfRange",
            &place,
            Some(map.extent.lba),
            format!(
                "the console reads {READ_SECTORS} sectors from here, the archive ends after {}",
                block.archive_end - map.extent.lba
            ),
        );
    }
    if let Some(patch) = parts.patch {
        check_patch(block, patch, data(patch), report);
    }
    check_stager(block, parts.stager, data(parts.stager), report);
    let bundle = check_bundle(block, parts.bundle, &parts.bundle_data, report);
    let script = match bundle {
        Some(it) if it.find(AssetType::Man).is_some() => Script::Elsewhere,
        Some(it) if it.len() == V12_MEMBERS => Script::Needed,
        Some(_) => Script::Wanted,
        None => Script::Elsewhere,
    };
    Some((parts.later, script))
}

/// Map, stager table and bundle right behind each other.
fn without_patch<'a>(
    block: &Block<'a>,
    data: &mut impl FnMut(&Entry) -> Option<Vec<u8>>,
) -> Option<Parts<'a>> {
    let [map, stager, bundle, later @ ..] = block.entries else {
        return None;
    };
    let bundle_data = data(bundle).filter(|it| looks_like_bundle(it))?;
    let is_stager = Stager::parse(&data(stager)?).is_ok();
    let is_map = map.extent.sectors() == MAP_SECTORS && Map::parse(&data(map)?).is_ok();
    (is_stager && is_map).then_some(Parts {
        map,
        patch: None,
        stager,
        bundle,
        bundle_data,
        later,
    })
}

fn check_patch(block: &Block<'_>, entry: &Entry, data: Option<Vec<u8>>, report: &mut Report) {
    let place = block.place(entry, ".PCH");
    let Some(data) = data else { return };
    // The console reads one sector, however long the entry is.
    let sector = data.get(..map::patch::SIZE).unwrap_or(&data);
    let parsed = Patch::parse(sector);
    if parsed.is_err() && is_something_else(&data) {
        report.note(format!("{place}: no .PCH, its place holds something else"));
        return;
    }
    if data.len() != map::patch::SIZE {
        report.note(format!("{place}: {} bytes, one sector is used", data.len()));
    }
    if let Err(error) = parsed {
        report.problem(&place, Some(entry.extent.lba), fault::patch(&error));
    }
}

/// Whether what stands in the place of a trigger patch is not meant to be one: it does not begin as
/// all of them do, and is longer than they are or a stager table or bundle.
///
/// A stager table without records proves nothing: any sector that begins with a zero word is one.
fn is_something_else(data: &[u8]) -> bool {
    let is_stager = || Stager::parse(data).is_ok_and(|it| !it.is_empty());
    u16_at(data, 2) != Some(FIRST_BODY)
        && (data.len() > map::patch::SIZE || is_stager() || looks_like_bundle(data))
}

/// Look into the entries that may be streams: none may end inside a chunk, and in the dungeons of
/// the v12 family the scene's MAN is a chunk of one (disc sheet, section 5).
fn check_streams(
    block: &Block<'_>,
    entries: &[Entry],
    script: Script,
    data: &mut impl FnMut(&Entry) -> Option<Vec<u8>>,
    report: &mut Report,
) {
    let mut wanted = script != Script::Elsewhere;
    for entry in entries
        .iter()
        .filter(|it| it.extent.size <= stream::LONGEST)
    {
        let Some(data) = data(entry) else { continue };
        let stream = Stream::new(&data);
        let place = block.place(entry, "stream");
        let lba = Some(entry.extent.lba);
        if let Some((index, man)) = stream.man.filter(|_| wanted) {
            match Man::parse(man) {
                Ok(_) => {
                    report.counts.members += 1;
                    wanted = false;
                }
                // What only begins like a stream may be anything.
                Err(error) if stream.whole || stream.proven => {
                    let place = format!("{place}: chunk {index} (MAN)");
                    report.problem(&place, lba, fault::man(man, &error));
                    wanted = false;
                }
                Err(_) => {}
            }
        }
        if let Some(error) = stream.cut.filter(|_| stream.proven) {
            report.problem(&place, lba, fault::chunk(&data, &error));
        }
    }
    if wanted && script == Script::Needed {
        report.note(format!(
            "scene {}: no MAN, neither in its bundle nor in a stream behind it",
            block.name
        ));
    }
}

fn check_stager(block: &Block<'_>, entry: &Entry, data: Option<Vec<u8>>, report: &mut Report) {
    let place = block.place(entry, "stager table");
    let Some(data) = data else { return };
    if entry.extent.sectors() > 3 {
        report.note(format!(
            "{place}: {} sectors, the console keeps three",
            entry.extent.sectors()
        ));
    }
    if let Err(error) = Stager::parse(&data) {
        report.note(format!("{place}: {}", Fault::new(&error, None)));
    }
}

/// Check a bundle and its members; the bundle, if its table can be read.
fn check_bundle<'a>(
    block: &Block<'_>,
    entry: &Entry,
    data: &'a [u8],
    report: &mut Report,
) -> Option<Bundle<'a>> {
    let place = block.place(entry, "bundle");
    let lba = Some(entry.extent.lba);
    let bundle = match Bundle::parse(data) {
        Ok(bundle) => bundle,
        Err(error) => {
            report.problem(&place, lba, fault::bundle(&error));
            return None;
        }
    };
    if data.len() > ENTRY_LIMIT {
        report.note(format!(
            "{place}: {} bytes, the retail buffer has {ENTRY_LIMIT}",
            data.len()
        ));
    }
    for member in bundle.members() {
        let place = format!("{place}: member {} ({})", member.index, member.ty);
        let before = report.problems.len();
        check_member(&place, lba, &member, report);
        if report.problems.len() == before {
            report.counts.members += 1;
        }
    }
    Some(bundle)
}

/// Unpack a member and read it with the reader of its type.
fn check_member(place: &str, lba: Option<u32>, member: &Member<'_>, report: &mut Report) {
    let size = member.size as usize;
    // No memory for a size that the stream cannot have.
    let unpacked = lzs::measure(member.data, size).and_then(|_| {
        let mut out = vec![0; size];
        lzs::decode(member.data, &mut out).map(|_| out)
    });
    let data = match unpacked {
        Ok(data) => data,
        Err(error) => {
            report.problem(place, lba, fault::lzs(member.data.len(), &error));
            return;
        }
    };
    if is_placeholder(&data) {
        return;
    }
    match member.ty {
        AssetType::Tim => check_tim(place, lba, &data, report),
        AssetType::TimList => check_pack(place, lba, &data, report, check_tim, Tim::is_tim),
        AssetType::Tmd => check_pack(place, lba, &data, report, check_tmd, |it| {
            it.starts_with(&tmd::MAGIC.to_le_bytes())
        }),
        AssetType::Tmd2 => check_tmd(place, lba, &data, report),
        AssetType::Man => {
            if let Err(error) = Man::parse(&data) {
                report.problem(place, lba, fault::man(&data, &error));
            }
        }
        AssetType::Move => {
            if let Err(error) = Bank::parse(&data) {
                let fault = fault::bank(&data, &error);
                match Bank::parse_lenient(&data) {
                    Ok(_) => report.note(format!("{place}: in lenient mode only: {fault}")),
                    Err(_) => report.problem(place, lba, fault),
                }
            }
        }
        // No structure is known, or none that could be checked.
        AssetType::Mes
        | AssetType::Anm
        | AssetType::Vdf
        | AssetType::Sin
        | AssetType::Flag0A
        | AssetType::Move2
        | AssetType::Flag0F
        | AssetType::Flag14 => {}
    }
}

fn check_pack(
    place: &str,
    lba: Option<u32>,
    data: &[u8],
    report: &mut Report,
    check: fn(&str, Option<u32>, &[u8], &mut Report),
    is_one: fn(&[u8]) -> bool,
) {
    let pack = match Pack::parse(data) {
        Ok(pack) => pack,
        Err(error) => {
            report.problem(place, lba, fault::pack(data, &error));
            return;
        }
    };
    let mut others = 0;
    for (index, body) in pack.iter().enumerate() {
        if is_one(body) {
            check(&format!("{place}, {index}"), lba, body, report);
        } else {
            others += 1;
        }
    }
    if others > 0 {
        report.note(format!(
            "{place}: {others} of {} are something else",
            pack.len()
        ));
    }
}

fn check_tim(place: &str, lba: Option<u32>, data: &[u8], report: &mut Report) {
    let result = Tim::parse(data).and_then(|tim| tim.palette());
    if let Err(error) = result {
        report.problem(place, lba, fault::tim(&error));
    }
}

fn check_tmd(place: &str, lba: Option<u32>, data: &[u8], report: &mut Report) {
    if let Err(error) = Tmd::parse(data) {
        let fault = fault::tmd(&error);
        match Tmd::parse_lenient(data) {
            Ok(_) => report.note(format!("{place}: in lenient mode only: {fault}")),
            Err(_) => report.problem(place, lba, fault),
        }
    }
    if let Some(fault) = fault::misaligned(data) {
        report.problem(place, lba, fault);
    }
}
