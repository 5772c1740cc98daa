//! Scenes without a patch, and those whose script lies behind the bundle.

use super::{check, names, with_archive};
use crate::vectors;
use crate::verify::Report;

/// A disc whose scene "demo" has these entries, padded and with filler for the read of 40 sectors.
pub fn with_entries(entries: &[&[u8]]) -> Report {
    let filler = vec![0; 40 * 2048];
    let blank = [0; 2048];
    let mut all: Vec<&[u8]> = vec![&blank, &blank];
    all.extend(entries);
    all.push(&filler);
    let sizes: Vec<u32> = all
        .iter()
        .map(|it| it.len().div_ceil(2048) as u32)
        .collect();
    let mut archive = vec![0; 3 * 2048];
    overworld_runtime::disc::prot::emit(&sizes, &mut archive).unwrap();
    for entry in all {
        archive.extend(entry);
        archive.resize(archive.len().next_multiple_of(2048), 0);
    }
    check(with_archive(archive))
}

/// A bundle of these types and decoded members.
pub fn bundle(members: &[(u8, &[u8])]) -> Vec<u8> {
    let mut out = (members.len() as u32).to_le_bytes().to_vec();
    out.extend([0; 4]);
    let mut at = 8 + 8 * members.len();
    let mut streams = Vec::new();
    for (ty, data) in members {
        out.extend((u32::from(*ty) << 24 | data.len() as u32).to_le_bytes());
        out.extend((at as u32).to_le_bytes());
        let stream = vectors::literal(data);
        at += stream.len();
        streams.extend(stream);
    }
    out.extend(streams);
    out
}

/// The sheet's map, with the tiles of its triggers marked as a builder does it.
pub fn map() -> Vec<u8> {
    use overworld_runtime::field::map::Cell;
    let mut map = vectors::map();
    for (col, row, bit) in [
        (5, 6, Cell::TELEPORT),
        (29, 91, Cell::SCRIPT),
        (7, 8, Cell::ELEVATION),
    ] {
        let at = 0x8000 + row * 0x100 + col * 2;
        let word = u16::from_le_bytes([map[at], map[at + 1]]) | bit;
        map[at..at + 2].copy_from_slice(&word.to_le_bytes());
    }
    map
}

/// A stager table of one record, a sector long.
pub fn stager() -> Vec<u8> {
    let mut out = vec![1, 0, 4, 0, 0xFF, 0xFF, 0, 0, 1, 0];
    out.resize(2048, 0);
    out
}

#[test]
fn a_scene_need_not_have_a_patch() {
    let (map, stager, bundle) = (map(), stager(), vectors::bundle());
    let counts = |report: &Report| (report.counts.scenes, report.counts.members);
    // No entry for it: everything behind it moves up. Also in the middle of an archive.
    for later in [&[][..], &[0x55; 5000]] {
        let entries: &[&[u8]] = match later {
            [] => &[&map, &stager, &bundle],
            _ => &[&map, &stager, &bundle, later],
        };
        let report = with_entries(entries);
        assert_eq!(report.problems, []);
        assert_eq!(counts(&report), (1, 2));
        assert_eq!(report.notes, ["/PROT.DAT: raw 2 (demo, map): no .PCH"]);
    }
    // Faults of such a scene are found.
    let mut bad = bundle.clone();
    bad[0xD4 + 19] ^= 1;
    let report = with_entries(&[&map, &stager, &bad]);
    assert_eq!(names(&report), ["BadMarker"]);
    // An entry for it that holds something else.
    let long = vec![0x55; 5000];
    for other in [&stager, &bundle, &long] {
        let report = with_entries(&[&map, other, &stager, &bundle]);
        assert_eq!(report.problems, []);
        assert_eq!(counts(&report), (1, 2));
        assert_eq!(
            report.notes,
            ["/PROT.DAT: raw 3 (demo, .PCH): no .PCH, its place holds something else"]
        );
    }
    // Zeros, as the loader of files makes them.
    let report = with_entries(&[&map, &[0; 2048], &stager, &bundle]);
    assert_eq!((report.problems, report.notes.len()), (vec![], 0));
    // A broken one stays a fault, whatever its first word says.
    for (at, value) in [(0, 0x1F), (2, 0x13), (6, 0x15), (8, 9)] {
        let mut patch = vectors::patch();
        patch[at] = value;
        let report = with_entries(&[&map, &patch, &stager, &bundle]);
        assert_eq!(names(&report), ["BadTriggerBlock"], "{at}");
    }
    // So does one whose header is lost: a zero word in front makes no stager table of it.
    for lost in [2, 0x12, 0x14] {
        let mut patch = vectors::patch();
        patch[..lost].fill(0);
        let report = with_entries(&[&map, &patch, &stager, &bundle]);
        assert_eq!(
            (names(&report), report.notes.len()),
            (vec!["BadTriggerBlock"], 0)
        );
        let text = report.problems[0].to_string();
        let wanted = "/PROT.DAT: raw 3 (demo, .PCH): BadTriggerBlock at offset 0x";
        assert!(text.starts_with(wanted), "{text}");
    }
}

#[test]
fn a_dungeon_has_its_man_in_a_stream_behind_the_bundle() {
    use overworld_runtime::disc::chunk::{self, Chunk};
    let (map, patch, stager, man) = (map(), vectors::patch(), stager(), vectors::man());
    let bank = vectors::bank();
    let four = bundle(&[(4, b"text"), (5, &bank), (6, &[0; 4]), (7, b"vdf0")]);
    let stream = |man: &[u8]| {
        // Whole words only: the zero behind is none of the script.
        let man = [man, &[0]].concat();
        let chunks = [
            Chunk {
                ty: 0,
                data: b"mesh",
            },
            Chunk { ty: 3, data: &man },
        ];
        let mut out = vec![0; 2048];
        let length = chunk::emit(&chunks, &mut out).unwrap();
        out.truncate(length);
        out
    };
    assert_eq!((man.len() + 1) % 4, 0);
    let good = stream(&man);
    let later: [&[u8]; 3] = [&[0x55; 3000], &[0; 2048], &good];
    let report = with_entries(&[&map, &patch, &stager, &four, later[0], later[1], later[2]]);
    assert_eq!((&report.problems, &report.notes), (&vec![], &vec![]));
    assert_eq!((report.counts.scenes, report.counts.members), (1, 5));
    // A broken one is a fault.
    let mut bad = man.clone();
    bad[0x23] = 0xFF;
    let bad = stream(&bad);
    let report = with_entries(&[&map, &patch, &stager, &four, later[0], &bad]);
    assert_eq!(report.problems.len(), 1);
    let text = report.problems[0].to_string();
    assert_eq!(report.problems[0].name, "NegativeCount");
    assert!(
        text.starts_with(
            "/PROT.DAT: raw 7 (demo, stream): chunk 1 (MAN): NegativeCount at offset 0x22"
        ),
        "{text}"
    );
    // None at all is worth a word in this family. What only begins like a stream is none.
    let mut cut = bad.clone();
    cut.truncate(100);
    cut.resize(2048, 0x55);
    let report = with_entries(&[&map, &patch, &stager, &four, &cut]);
    assert_eq!(report.problems, []);
    assert_eq!(
        report.notes,
        ["scene demo: no MAN, neither in its bundle nor in a stream behind it"]
    );
    // Where the bundle has its own, what follows has no law.
    let report = with_entries(&[&map, &patch, &stager, &vectors::bundle(), &bad]);
    assert_eq!(report.problems, []);
}
