//! Entry functions for the readers of the tool and of the boot ROM.
//!
//! Each answers whether the reader took the input, and panics when a property does not hold.

mod disc;

pub use disc::disc;

use overworld_host::drive::Cue;
use overworld_host::identify::{self, Kind};
use overworld_host::psexe::{self, HEADER, RAM_END, RAM_FIRST};
use overworld_psx::rom::config::{Config, PATH};
use overworld_psx::rom::exe;

/// Name and entry function of a target.
pub type Target = (&'static str, fn(&[u8]) -> bool);

/// All targets of this module.
pub const TARGETS: [Target; 5] = [
    ("disc", disc),
    ("psexe", psexe),
    ("cue", cue),
    ("identify", identify),
    ("system_cnf", system_cnf),
];

/// A program. An input shorter than a header is filled up with zeros to header and body.
///
/// A program that the tool takes is one that the boot ROM takes and reads alike; it can be written
/// again to the same bytes.
pub fn psexe(data: &[u8]) -> bool {
    let mut file = data.to_vec();
    if file.len() < HEADER {
        assert!(psexe::parse(&file).is_err());
        let size = file.get(0x1C..0x20).map_or(0, |it| {
            u32::from_le_bytes([it[0], it[1], it[2], it[3]]) as usize
        });
        file.resize(HEADER + size.min(RAM_END as usize), 0);
    }
    let rom = exe::Header::parse(&file[..HEADER], file.len() as u32);
    if let Ok(rom) = rom {
        let physical = rom.load & 0x1FFF_FFFF;
        assert!(physical >= RAM_FIRST && physical + rom.size <= RAM_END);
        assert!(HEADER + rom.size as usize <= file.len());
        let (start, size) = rom.bss;
        let start = start & 0x1FFF_FFFF;
        assert!(size == 0 || (start >= RAM_FIRST && start + size <= RAM_END));
        assert!(size == 0 || start + size <= physical || start >= physical + rom.size);
    }
    let Ok((header, body)) = psexe::parse(&file) else {
        return false;
    };
    let rom = rom.expect("the boot ROM is no stricter");
    assert_eq!(
        (header.pc, header.gp, header.size),
        (rom.pc, rom.gp, rom.size)
    );
    assert_eq!(header.load & 0x1FFF_FFFF, rom.load & 0x1FFF_FFFF);
    assert_eq!(
        rom.stack,
        Some(header.sp_base.wrapping_add(header.sp_offset))
    );
    assert_eq!(body.len(), header.size as usize);
    assert!(header.region.is_ascii());
    let again = psexe::emit(&header, body).expect("it was read");
    assert!(again == file, "the same bytes");
    true
}

/// A cue sheet.
///
/// Times are those of a disc, only a sheet of several tracks ends one, and a sheet written from what
/// was read says the same.
pub fn cue(data: &[u8]) -> bool {
    let Ok(cue) = Cue::parse(&String::from_utf8_lossy(data)) else {
        return false;
    };
    const FRAMES: u32 = 100 * 60 * 75;
    assert!(cue.start < FRAMES && cue.tracks > 0);
    assert!(cue.end.is_none_or(|end| end < FRAMES));
    assert_eq!(cue.end.is_some(), cue.second.is_some());
    assert!(cue.tracks > 1 || cue.end.is_none());
    assert!(!cue.file.is_empty() && !cue.file.contains('\n'));
    if cue.file.contains('"') {
        return true;
    }
    let time = |at: u32| format!("{:02}:{:02}:{:02}", at / 4500, at / 75 % 60, at % 75);
    let mut sheet = format!("FILE \"{}\" BINARY\r\n  TRACK 01 MODE2/2352\r\n", cue.file);
    sheet += &format!("    INDEX 01 {}\r\n", time(cue.start));
    for track in 2..=cue.tracks.min(99) {
        sheet += &format!("  TRACK {track:02} AUDIO\r\n");
        if let (2, Some(end), Some((index, at))) = (track, cue.end, cue.second) {
            // The number of an index before the last one is not kept.
            if at != end {
                sheet += &format!("    INDEX 00 {}\r\n", time(end));
            }
            sheet += &format!("    INDEX {index:02} {}\r\n", time(at));
        }
    }
    let again = Cue::parse(&sheet).expect("just written");
    let expected = Cue {
        tracks: cue.tracks.min(99),
        ..cue
    };
    assert_eq!(again, expected);
    true
}

/// Any file.
///
/// There is always a verdict with its evidence, and always the same one.
pub fn identify(data: &[u8]) -> bool {
    let verdict = identify::bytes(data);
    assert!(!verdict.evidence.is_empty(), "{}", verdict.kind);
    assert!(!verdict.evidence.contains('\n'));
    assert_eq!(identify::bytes(data), verdict);
    verdict.kind != Kind::Unknown
}

/// The file that names the program to boot.
///
/// The path is one that a disc can have; the file can be written again and says the same.
pub fn system_cnf(data: &[u8]) -> bool {
    let Ok(config) = Config::parse(data) else {
        return false;
    };
    let boot = config.boot.as_str();
    assert!((1..=PATH).contains(&boot.len()));
    assert!(boot.bytes().all(|byte| byte.is_ascii_graphic()));
    assert!(!boot.starts_with(['\\', '/']));
    let mut text = format!("BOOT = cdrom:\\{boot}\r\nTCB = 4\r\nEVENT = 10\r\n");
    if let Some(stack) = config.stack {
        text += &format!("STACK = {stack:X}\r\n");
    }
    assert_eq!(Config::parse(text.as_bytes()), Ok(config));
    true
}

/// The small valid inputs that the seeds of these targets begin with: target, name, content. Those
/// whose names begin with `ok` are taken by the reader.
#[must_use]
pub fn samples() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let header = psexe::Header {
        pc: 0x8001_0010,
        load: 0x8001_0000,
        bss_start: 0x8001_0800,
        bss_size: 0x40,
        sp_base: 0x801F_FF00,
        region: "Overworld".to_owned(),
        ..psexe::Header::default()
    };
    let program = psexe::emit(&header, &[0; 16]).expect("a good header");
    let one = b"FILE \"game.bin\" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n";
    let two =
        b"REM x\nfile a.bin binary\ntrack 1 mode2/2352\nINDEX 00 00:00:00\nINDEX 01 00:02:00\n\
                TRACK 02 AUDIO\nINDEX 00 00:10:00\nINDEX 01 00:12:00\n";
    let usual = b"BOOT = cdrom:\\SLUS_999.99;1\r\nTCB = 4\r\nEVENT = 10\r\nSTACK = 801FFF00\r\n";
    let mut samples = vec![
        ("psexe", "ok-header", program[..0x60].to_vec()),
        ("cue", "ok-one-track", one.to_vec()),
        ("cue", "ok-two-tracks", two.to_vec()),
        ("system_cnf", "ok-usual", usual.to_vec()),
        (
            "system_cnf",
            "ok-loose",
            b"boot=CDROM:DIR\\MAIN.EXE;1 arg\n\0".to_vec(),
        ),
        ("identify", "ok-cue", one.to_vec()),
        ("identify", "bad-text", b"to be or not to be".to_vec()),
    ];
    samples.extend(disc::samples());
    // What the tool recognises is what the writers of the core make.
    for (target, name, bytes) in crate::runtime::samples::all() {
        let (name, skip) = match (target, name) {
            ("bank", "ok-two-clips") => ("ok-bank", 1),
            ("tmd", "ok-all-kinds") => ("ok-mesh", 1),
            ("tim", "ok-four-bit") => ("ok-texture", 0),
            ("man", "ok-town") => ("ok-man", 1),
            ("bundle", "ok-three") => ("ok-bundle", 0),
            ("pack", "ok-two") => ("any-pack", 0),
            ("lzs_decode", "ok-text") => ("any-stream", 3),
            _ => continue,
        };
        samples.push(("identify", name, bytes[skip..].to_vec()));
    }
    samples
}
