mod scenes;
mod streams;

use scenes::{bundle, map, stager, with_entries};

use super::*;
use crate::image::{self, Tree};
use crate::world::World;
use crate::{sample, vectors};
use overworld_runtime::disc::sector::{self, RAW};

/// Sectors of the sample disc: root directory, CDNAME.TXT, PROT.DAT.
const ROOT: usize = 22;
const NAMES: usize = 23;
const PROT: usize = 24;

fn check(image: Vec<u8>) -> Report {
    let mut drive = ImageDrive::from_bytes(image).unwrap();
    let mut last = (0, 0);
    let report = verify(&mut drive, &mut |done, total| {
        assert!(done >= last.0 && done <= total);
        last = (done, total);
    });
    assert_eq!(last.0, last.1, "the progress reaches its end");
    report
}

fn names(report: &Report) -> Vec<&str> {
    report.problems.iter().map(|it| it.name.as_str()).collect()
}

/// The one problem of an image, printed.
fn only(image: Vec<u8>) -> String {
    let report = check(image);
    assert_eq!(report.problems.len(), 1, "{:#?}", report.problems);
    report.problems[0].to_string()
}

/// Replace a sector's user data and seal it again.
fn patch(image: &mut [u8], lba: usize, change: impl FnOnce(&mut [u8])) {
    let raw: &mut [u8; RAW] = (&mut image[lba * RAW..][..RAW]).try_into().unwrap();
    change(&mut raw[24..2072]);
    sector::seal(raw);
}

fn sample_image() -> Vec<u8> {
    sample::image(None).unwrap()
}

/// The sample disc with a program around another archive.
fn with_archive(archive: Vec<u8>) -> Vec<u8> {
    let header = crate::psexe::Header {
        pc: 0x8001_0000,
        load: 0x8001_0000,
        sp_base: 0x801F_FF00,
        ..Default::default()
    };
    let exe = crate::psexe::emit(&header, &[0; 100]).unwrap();
    let world = sample::world().unwrap();
    let tree = world.tree_of(archive, Some(&exe)).unwrap();
    image::build(&tree).unwrap()
}

/// The sample disc of a changed world; nothing is checked on the way.
fn with_world(change: impl FnOnce(&mut World)) -> Vec<u8> {
    let mut world = sample::world().unwrap();
    change(&mut world);
    with_archive(world.archive().unwrap())
}

#[test]
fn the_sample_disc_is_sound() {
    let report = check(sample_image());
    assert_eq!(report.problems, []);
    // It is built without a program.
    assert_eq!(
        report.notes,
        ["/SYSTEM.CNF names /SLUS_999.99, which is not on the disc: a console cannot boot it"]
    );
    let counts = report.counts;
    assert_eq!(counts.form1, counts.sectors);
    assert_eq!((counts.files, counts.directories), (3, 1));
    assert_eq!((counts.entries, counts.scenes, counts.members), (6, 1, 3));
}

#[test]
fn every_damaged_sector_is_reported() {
    let mut image = sample_image();
    image[100 * RAW + 1000] ^= 1; // data
    image[101 * RAW + 0x900] ^= 1; // ECC
    image[102 * RAW + 15] = 1; // mode
    image[103 * RAW + 5] = 0; // sync
    image[104 * RAW + 14] = 0x99; // address
    image[105 * RAW + 14] ^= 1; // another sector's
    let report = check(image);
    assert_eq!(
        names(&report),
        [
            "BadEdc",
            "BadEcc",
            "BadSectorMode",
            "NotRawImage",
            "BadAddress",
            "WrongAddress"
        ]
    );
    for (index, problem) in report.problems.iter().enumerate() {
        assert_eq!(problem.lba, Some(100 + index as u32));
        let start = (100 + index as u64) * RAW as u64;
        let offset = problem.offset.unwrap();
        assert!((start..start + RAW as u64).contains(&offset), "{problem}");
    }
    assert_eq!(report.counts.form1, report.counts.sectors - 6);
}

#[test]
fn form_2_is_sound_where_it_belongs() {
    let mut tree = Tree::new();
    tree.file("A.XA", vec![1; 6000]).unwrap();
    let mut image = image::build(&tree).unwrap();
    let mut form2 = [0; RAW];
    for lba in 23..26 {
        sector::build_form2(lba, 0x64, &[9; sector::FORM2], &mut form2).unwrap();
        image[lba as usize * RAW..][..RAW].copy_from_slice(&form2);
    }
    let report = check(image.clone());
    assert_eq!((report.is_good(), report.counts.form2), (true, 3));
    image[24 * RAW + 500] ^= 1;
    assert!(only(image).starts_with("BadEdc at offset 0x"));
    // In the archive it has no place.
    let mut image = sample_image();
    sector::build_form2(PROT as u32 + 1, 0x64, &[9; sector::FORM2], &mut form2).unwrap();
    image[(PROT + 1) * RAW..][..RAW].copy_from_slice(&form2);
    assert!(only(image).starts_with("/PROT.DAT: UnexpectedForm2"));
    // In a directory neither.
    let mut image = sample_image();
    sector::build_form2(ROOT as u32, 0x64, &[9; sector::FORM2], &mut form2).unwrap();
    image[ROOT * RAW..][..RAW].copy_from_slice(&form2);
    assert!(names(&check(image)).contains(&"UnexpectedForm2"));
}

#[test]
fn faults_of_the_volume() {
    let mut image = sample_image();
    patch(&mut image, 16, |data| data[1] = b'X');
    assert!(only(image).starts_with("NoVolume"));

    let mut image = sample_image();
    patch(&mut image, 16, |data| data[84] ^= 1);
    assert!(only(image).contains("BadVolume: offset 80: the volume size"));

    let mut image = sample_image();
    patch(&mut image, 17, |data| data[0] = 0);
    assert!(only(image).contains("no descriptor ends the list"));

    let image = sample_image();
    let text = only(image[..image.len() - RAW].to_vec());
    assert!(
        text.contains("ExtentOutOfRange: the volume has 223 sectors, the image 222"),
        "{text}"
    );

    // The record of CDNAME.TXT is the third in the root, at 96.
    let mut image = sample_image();
    patch(&mut image, ROOT, |data| data[96 + 2] = 250);
    let report = check(image);
    assert_eq!(names(&report), ["ExtentOutOfRange"]);
    assert_eq!(report.problems[0].place, "/CDNAME.TXT");

    let mut image = sample_image();
    patch(&mut image, ROOT, |data| data[96] = 20);
    assert!(names(&check(image)).contains(&"BadDirRecord"));

    let mut image = sample_image();
    patch(&mut image, ROOT, |data| data[2] = 99);
    assert!(only(image).contains("BadDirRecord: expected the records of the directory itself"));

    // Directories that share a sector.
    let mut tree = crate::image::Tree::new();
    for number in 0..60 {
        tree.file(&format!("A/F{number:07}.DAT"), vec![]).unwrap();
    }
    tree.directory("B").unwrap();
    let mut image = crate::image::build(&tree).unwrap();
    patch(&mut image, ROOT, |data| {
        let record = &mut data[96 + 48..];
        assert_eq!((record[2], record[33]), (25, b'B'));
        record[2] = 24;
    });
    let report = check(image);
    let text = report.problems[0].to_string();
    assert_eq!(
        text,
        "/B: DirTooLarge: it shares sectors with the directory at sector 23"
    );
    assert_eq!(report.counts.directories, 2);

    // Either path table.
    for (lba, at) in [(18, 2), (20, 5)] {
        let mut image = sample_image();
        patch(&mut image, lba, |data| data[at] ^= 1);
        let text = only(image);
        assert!(
            text.contains("BadPathTable: the directory / at sector 22"),
            "{text}"
        );
    }
}

#[test]
fn faults_of_the_archive() {
    let word = |archive: &mut [u8], index: usize, value: u32| {
        archive[4 * index..4 * index + 4].copy_from_slice(&value.to_le_bytes());
    };
    let good = sample::world().unwrap().archive().unwrap();
    for (index, value, wanted) in [
        (1, 0, "BadToc at offset 0x4"),
        (1, 5000, "BadToc at offset 0x4"),
        (2, 4, "BadToc at offset 0x8"),
        (4, 4, "TocNotTiled at offset 0xc"),
        (8, 4000, "TocNotTiled at offset 0x1c"),
    ] {
        let mut archive = good.clone();
        word(&mut archive, index, value);
        let text = only(with_archive(archive));
        assert!(
            text.starts_with("/PROT.DAT: ") && text.contains(wanted),
            "{text}"
        );
    }
    // Nothing wrong, but worth a word: unused words, and sectors behind the last entry.
    let mut archive = good.clone();
    word(&mut archive, 1000, 1);
    archive.resize(archive.len() + 4096, 0);
    let report = check(with_archive(archive));
    assert!(report.is_good());
    assert_eq!(report.notes.len(), 2, "{:?}", report.notes);
}

#[test]
fn the_read_of_forty_sectors_must_stay_inside() {
    // The sheet's table: fine with 53 sectors, one too few with 44.
    let mut archive = vectors::archive();
    archive[43 * 2048..][..307].copy_from_slice(&vectors::bundle());
    archive[5 * 2048..41 * 2048].copy_from_slice(&vectors::map());
    archive[41 * 2048..42 * 2048].copy_from_slice(&vectors::patch());
    let report = check(with_archive(archive.clone()));
    assert_eq!(report.problems, []);
    assert_eq!((report.counts.scenes, report.counts.members), (1, 2));
    archive.truncate(44 * 2048);
    archive[32..36].copy_from_slice(&44_u32.to_le_bytes());
    let text = only(with_archive(archive));
    assert!(
        text.contains("raw 2 (demo, map): ExtentOutOfRange: the console reads 40"),
        "{text}"
    );
}

#[test]
fn faults_of_a_scene() {
    let base = |change: fn(&mut Vec<u8>)| {
        let mut archive = vectors::archive();
        archive[43 * 2048..][..307].copy_from_slice(&vectors::bundle());
        archive[5 * 2048..41 * 2048].copy_from_slice(&vectors::map());
        archive[41 * 2048..42 * 2048].copy_from_slice(&vectors::patch());
        change(&mut archive);
        with_archive(archive)
    };
    for (change, wanted) in [
        (
            (|it| it[5 * 2048 + 0x10006] ^= 1) as fn(&mut Vec<u8>),
            "raw 2 (demo, map): TriggerChain at offset 0x10006",
        ),
        (
            |it| it[5 * 2048 + 0x10000..][..18].fill(0),
            "raw 2 (demo, map): ZeroHeaderOnField at offset 0xa0",
        ),
        (
            |it| it[41 * 2048 + 6] = 0x15,
            "raw 3 (demo, .PCH): BadTriggerBlock at offset 0x6",
        ),
        (
            |it| it[43 * 2048 + 16 + 3] = 0x13,
            "raw 5 (demo, bundle): UnknownType at offset 0x13",
        ),
        (
            |it| it[43 * 2048 + 4 + 8] = 0x19,
            "raw 5 (demo, bundle): BadDescriptorOffset at offset 0xc",
        ),
        // Literal number 4 of the MAN: control byte, literals 0 to 7.
        (
            |it| it[43 * 2048 + 24 + 9 * 4 + 1 + 3] = 0xFF,
            "member 0 (MAN): NegativeCount at offset 0x22",
        ),
        // Of the bank: byte 16, the marker of clip 1, lies in the third group.
        (
            |it| it[43 * 2048 + 0xD4 + 9 * 2 + 1] ^= 1,
            "member 1 (MOVE): BadMarker at offset 0x10: clip 1: expected marker 080C, found 080D",
        ),
    ] {
        let text = only(base(change));
        assert!(text.contains(wanted), "expected {wanted}: {text}");
    }
    // A map of 35 sectors: the stager's sector goes to the patch.
    let text = only(base(|it| {
        it[20..24].copy_from_slice(&40_u32.to_le_bytes());
    }));
    assert!(
        text.contains("raw 2 (demo, map): Size at offset 0x11800"),
        "{text}"
    );
}

#[test]
fn faults_of_members_are_named() {
    for (change, wanted) in [
        (
            (|it| it.models[0].1[8] = 9) as fn(&mut World),
            "member 1 (TMD), 0: PoolOutOfRange",
        ),
        (
            |it| it.models[0].1[12] -= 1,
            "member 1 (TMD), 0: Misaligned at offset 0xc: object 0: ",
        ),
        (
            |it| it.textures[0].1[8] ^= 1,
            "member 0 (TIM_LIST), 0: BadTimBlock at offset 0x8",
        ),
        (
            |it| it.textures[0].1[59] = 2,
            "member 0 (TIM_LIST), 0: BadTimRect",
        ),
        (
            |it| it.bank.1[0] = 0,
            "member 2 (MOVE): BadCount at offset 0x0",
        ),
    ] {
        let text = only(with_world(change));
        assert!(text.contains(wanted), "expected {wanted}: {text}");
    }
    // A stream that ends early: the size of member 0 is 64 KiB too much.
    let world = sample::world().unwrap();
    let mut short = world.bundle().unwrap();
    short[10] += 1;
    let text = only(with_archive(world.archive_of(&short).unwrap()));
    assert!(text.contains("member 0 (TIM_LIST): Truncated"), "{text}");
    // Packs, whose writer would refuse this: no count, a table past the end, offsets inside the
    // table, not ascending, past the end.
    let (map, patch, stager) = (map(), vectors::patch(), stager());
    for (ty, name) in [(1, "TIM_LIST"), (2, "TMD")] {
        for (words, offset) in [
            (&[0, 0, 0][..], 0),
            (&[9, 10, 11], 0),
            (&[2, 3, 2, 7, 7], 8),
            (&[2, 2, 3, 7, 7], 4),
            (&[2, 4, 4, 7, 7], 8),
            (&[2, 3, 5, 7, 7], 8),
        ] {
            let data: Vec<u8> = words.iter().flat_map(|it: &u32| it.to_le_bytes()).collect();
            let with_pack = bundle(&[(3, &vectors::man()), (ty, &data)]);
            let report = with_entries(&[&map, &patch, &stager, &with_pack]);
            assert_eq!(names(&report), ["BadPack"], "{name} {words:?}");
            let text = report.problems[0].to_string();
            let wanted = format!(
                "/PROT.DAT: raw 5 (demo, bundle): member 1 ({name}): BadPack at offset {offset:#x}: "
            );
            assert!(text.starts_with(&wanted), "{words:?}: {text}");
            assert_eq!(report.counts.members, 1);
        }
    }
}

#[test]
fn a_name_that_stands_twice_is_a_note() {
    let mut tree = Tree::new();
    for name in ["A.DAT", "B.DAT", "C.DAT"] {
        tree.file(name, vec![1; 3000]).unwrap();
    }
    let good = image::build(&tree).unwrap();
    let before = check(good.clone());
    let mut image = good;
    patch(&mut image, ROOT, |data| {
        for name in [b"B.DAT;1", b"C.DAT;1"] {
            let at = data.windows(7).position(|it| it == name).unwrap();
            data[at] = b'A';
        }
    });
    let report = check(image);
    assert_eq!(report.problems, []);
    let more: Vec<_> = report
        .notes
        .iter()
        .filter(|it| !before.notes.contains(it))
        .collect();
    assert_eq!(
        more,
        ["/A.DAT stands more than once in its directory: the first one is found"]
    );
}

#[test]
fn files_in_pieces_are_problems() {
    let mut tree = Tree::new();
    for name in ["A.DAT", "B.DAT", "C.DAT", "D.DAT"] {
        tree.file(name, vec![1; 3000]).unwrap();
    }
    let mut image = image::build(&tree).unwrap();
    let before = check(image.clone());
    patch(&mut image, ROOT, |data| {
        let record = |name: &[u8]| data.windows(7).position(|it| it == name).unwrap() - 33;
        let [a, b, c, d] = [b"A.DAT;1", b"B.DAT;1", b"C.DAT;1", b"D.DAT;1"].map(|it| record(it));
        // A in three sections, the last of which is no name that stands twice.
        (data[a + 25], data[b + 25]) = (0x80, 0x80);
        (data[b + 33], data[c + 33]) = (b'A', b'A');
        (data[d + 26], data[d + 27]) = (4, 1);
    });
    let report = check(image);
    let problems: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "/A.DAT: MultiExtent: expected one section, found more of them behind the 3000 bytes \
             at sector 23",
            "/D.DAT: Interleaved: expected the sectors behind 29 in one piece, found units of 4 \
             with gaps of 1"
        ]
    );
    assert_eq!(report.notes, before.notes);
}

/// Directory records and path tables count the extended attributes in the same way.
#[test]
fn extended_attributes_of_a_directory_are_no_fault() {
    let mut tree = Tree::new();
    tree.file("A/B.DAT", vec![1; 3000]).unwrap();
    let mut image = image::build(&tree).unwrap();
    let before = check(image.clone());
    // The folder of the same place, one block of which is said to be attributes in front of it.
    patch(&mut image, ROOT, |data| {
        assert_eq!((data[96 + 2], data[96 + 33]), (23, b'A'));
        (data[96 + 1], data[96 + 2]) = (1, 22);
    });
    patch(&mut image, 23, |data| (data[1], data[2]) = (1, 22));
    for (table, at) in [(18, 2), (19, 2), (20, 5), (21, 5)] {
        patch(&mut image, table, |data| {
            assert_eq!((data[10], data[10 + at], data[18]), (1, 23, b'A'));
            (data[10 + 1], data[10 + at]) = (1, 22);
        });
    }
    let report = check(image);
    assert_eq!(report.problems, before.problems);
    assert_eq!(report.counts.files, 1);
}

#[test]
fn names_must_have_entries() {
    let named = |text: &[u8]| {
        let mut tree = Tree::new();
        let archive = sample::world().unwrap().archive().unwrap();
        tree.file("PROT.DAT", archive).unwrap();
        tree.file("CDNAME.TXT", text.to_vec()).unwrap();
        tree.file("SYSTEM.CNF", b"BOOT = cdrom:\\CDNAME.TXT;1\n".to_vec())
            .unwrap();
        check(image::build(&tree).unwrap())
    };
    // The sample's archive has six entries.
    let report = named(b"#define demo 2\n#define far 7\n");
    assert_eq!(
        report.problems[0].to_string(),
        "/CDNAME.TXT: NoSuchEntry: far is raw 7, the archive has 6"
    );
    assert_eq!(report.problems.len(), 1);
    let report = named(b"#define demo 2\n#define end 6\n");
    assert_eq!((report.problems.len(), report.notes.len()), (0, 1));
    assert_eq!(report.counts.scenes, 1);
}

#[test]
fn what_keeps_a_console_from_booting_is_a_note() {
    let notes = |boot: Option<&[u8]>| {
        let mut tree = Tree::new();
        let archive = sample::world().unwrap().archive().unwrap();
        tree.file("PROT.DAT", archive).unwrap();
        tree.file("CDNAME.TXT", b"#define demo 2\n".to_vec())
            .unwrap();
        tree.file("BIN/GAME.EXE", vec![1]).unwrap();
        if let Some(boot) = boot {
            tree.file("SYSTEM.CNF", boot.to_vec()).unwrap();
        }
        let report = check(image::build(&tree).unwrap());
        assert!(report.is_good());
        report.notes
    };
    let none = Vec::<String>::new();
    assert_eq!(
        notes(Some(b"TCB = 4\r\nBOOT = cdrom:\\BIN\\GAME.EXE;1\r\n")),
        none
    );
    assert_eq!(
        notes(Some(b"BOOT = cdrom:\\GAME.EXE;1\r\n")),
        ["/SYSTEM.CNF names /GAME.EXE, which is not on the disc: a console cannot boot it"]
    );
    let no_line = notes(Some(b"TCB = 4\r\n"));
    assert_eq!(no_line.len(), 1);
    assert!(
        no_line[0].starts_with("/SYSTEM.CNF: no line"),
        "{no_line:?}"
    );
    assert!(notes(None)[0].starts_with("no /SYSTEM.CNF"));
}

#[test]
fn what_a_maps_builder_should_not_write_is_a_note() {
    let report = check(with_world(|it| it.map.1 = map()));
    assert_eq!((report.problems, report.notes.len()), (vec![], 0));
    // A trigger whose tile is not marked.
    let report = check(with_world(|it| it.map.1 = vectors::map()));
    assert_eq!(report.problems, []);
    assert_eq!(
        report.notes,
        [
            "/PROT.DAT: raw 2 (demo, map): a builder should not write this: the tile of trigger 0 of \
             kind 0 is not marked in the attribute grid"
        ]
    );
}

#[test]
fn a_disc_of_something_else_is_no_fault() {
    let mut tree = Tree::new();
    tree.file("README.TXT", b"hello".to_vec()).unwrap();
    let report = check(image::build(&tree).unwrap());
    assert!(report.is_good());
    assert!(report.notes.iter().any(|it| it.contains("no /PROT.DAT")));
    let mut image = sample_image();
    patch(&mut image, NAMES, |data| data[0] = b' ');
    assert!(check(image).is_good(), "blanks in front are tolerated");
}
