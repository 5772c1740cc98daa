//! Images are read back by a reader written here, which shares nothing with the builder but the
//! sheet (pitfall P12). `tests/readers.rs` has others read them.

use super::*;
use crate::drive::ImageDrive;
use overworld_runtime::disc::sector::{RAW, check};
use std::collections::BTreeSet;

/// A minimal reader of ISO9660 in raw images.
struct Reader<'a> {
    image: &'a [u8],
}

#[derive(Debug, PartialEq, Eq)]
struct Found {
    path: String,
    lba: u32,
    data: Vec<u8>,
}

impl Reader<'_> {
    fn user(&self, lba: u32) -> &[u8] {
        let at = lba as usize * RAW;
        &self.image[at + 24..at + 24 + 2048]
    }

    fn submode(&self, lba: u32) -> u8 {
        self.image[lba as usize * RAW + 18]
    }

    fn extent(&self, lba: u32, size: u32) -> Vec<u8> {
        let mut data = Vec::new();
        for sector in 0..size.div_ceil(2048) {
            data.extend(self.user(lba + sector));
        }
        data.truncate(size as usize);
        data
    }

    /// All files and directories below the directory at `lba`.
    fn walk(
        &self,
        lba: u32,
        size: u32,
        parent: (u32, u32),
        prefix: &str,
        out: &mut Vec<Found>,
        folders: &mut Vec<(String, u32)>,
    ) {
        assert_eq!(size % 2048, 0);
        folders.push((prefix.to_owned(), lba));
        let body = self.extent(lba, size);
        let mut names = Vec::new();
        let mut at = 0;
        while at < body.len() {
            let length = usize::from(body[at]);
            if length == 0 {
                at = at.next_multiple_of(2048).max(at + 1).next_multiple_of(2048);
                continue;
            }
            assert_eq!(
                at / 2048,
                (at + length - 1) / 2048,
                "a record crosses a sector's end"
            );
            assert_eq!(length % 2, 0);
            let record = &body[at..at + length];
            let le = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().unwrap());
            let be = |at: usize| u32::from_be_bytes(record[at..at + 4].try_into().unwrap());
            assert_eq!((le(2), le(10)), (be(6), be(14)), "both byte orders agree");
            assert_eq!(record[28..32], [1, 0, 0, 1]);
            assert_eq!(record[18..25], [100, 1, 1, 0, 0, 0, 0]);
            let name_length = usize::from(record[32]);
            let name = &record[33..33 + name_length];
            let xa = &record[length - 14..];
            assert_eq!(
                33 + name_length + usize::from(name_length % 2 == 0) + 14,
                length
            );
            assert_eq!(&xa[6..8], b"XA");
            let folder = record[25] & 2 != 0;
            assert_eq!(xa[4..6], if folder { [0x8D, 0x55] } else { [0x0D, 0x55] });
            match name {
                [0] => assert_eq!((at, le(2), le(10)), (0, lba, size)),
                [1] => assert_eq!((at, le(2), le(10)), (48, parent.0, parent.1)),
                _ => {
                    let text = String::from_utf8(name.to_vec()).unwrap();
                    if folder {
                        self.walk(
                            le(2),
                            le(10),
                            (lba, size),
                            &format!("{prefix}{text}/"),
                            out,
                            folders,
                        );
                    } else {
                        let plain = text.strip_suffix(";1").expect("files have a version");
                        let data = self.extent(le(2), le(10));
                        out.push(Found {
                            path: format!("{prefix}{plain}"),
                            lba: le(2),
                            data,
                        });
                    }
                    names.push(text);
                }
            }
            at += length;
        }
        assert!(names.is_sorted(), "records are in name order");
    }

    fn read(&self) -> (Vec<Found>, Vec<(String, u32)>) {
        let descriptor = self.user(16);
        assert_eq!(&descriptor[..8], b"\x01CD001\x01\0");
        assert_eq!(&descriptor[8..20], b"PLAYSTATION ");
        assert_eq!(&descriptor[40..52], b"PLAYSTATION ");
        assert_eq!(&descriptor[1024..1032], b"CD-XA001");
        assert_eq!(&self.user(17)[..7], b"\xFFCD001\x01");
        let le = |at: usize| u32::from_le_bytes(descriptor[at..at + 4].try_into().unwrap());
        let be = |at: usize| u32::from_be_bytes(descriptor[at..at + 4].try_into().unwrap());
        assert_eq!(le(80) as usize * RAW, self.image.len());
        assert_eq!((le(80), le(132)), (be(84), be(136)));
        let root = (le(158), le(166));
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        self.walk(root.0, root.1, root, "", &mut files, &mut folders);
        let little = self.path_table(le(140), le(132), u32::from_le_bytes, u16::from_le_bytes);
        let big = self.path_table(be(148), le(132), u32::from_be_bytes, u16::from_be_bytes);
        assert_eq!(little, big);
        for (at, copy) in [(le(140), le(144)), (be(148), be(152))] {
            assert_eq!(self.extent(at, le(132)), self.extent(copy, le(132)));
        }
        // The path table names the same directories at the same places as the tree.
        let from_table: BTreeSet<_> = little.into_iter().collect();
        let from_tree: BTreeSet<_> = folders.iter().cloned().collect();
        assert_eq!(from_table, from_tree);
        (files, folders)
    }

    /// Path and place of each directory.
    fn path_table(
        &self,
        lba: u32,
        size: u32,
        long: fn([u8; 4]) -> u32,
        short: fn([u8; 2]) -> u16,
    ) -> Vec<(String, u32)> {
        let table = self.extent(lba, size);
        let mut out: Vec<(String, u32)> = Vec::new();
        let mut at = 0;
        let mut last_parent = 1;
        while at < table.len() {
            let length = usize::from(table[at]);
            let place = long(table[at + 2..at + 6].try_into().unwrap());
            let parent = usize::from(short(table[at + 6..at + 8].try_into().unwrap()));
            let name = &table[at + 8..at + 8 + length];
            assert!(parent >= last_parent, "parents come in order");
            last_parent = parent;
            if name == [0] {
                assert_eq!(parent, 1);
                out.push((String::new(), place));
            } else {
                let prefix = out[parent - 1].0.clone();
                out.push((format!("{prefix}{}/", str::from_utf8(name).unwrap()), place));
            }
            at += 8 + length + length % 2;
        }
        out
    }
}

fn noise(length: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn any_number_of_files_is_read_back() {
    for count in [0_usize, 1, 31, 32, 33, 200] {
        let mut tree = Tree::new();
        let mut expected = Vec::new();
        for number in 0..count {
            // Twelve characters, the longest name; sizes around the sector's length.
            let name = format!("FILE{number:04}.D{:02}", number % 100);
            assert_eq!(name.len(), 12);
            let size = [0, 1, 2047, 2048, 2049, 5000][number % 6];
            let data = noise(size, number as u32 + 1);
            tree.file(&name, data.clone()).unwrap();
            expected.push((name, data));
        }
        let image = build(&tree).unwrap();
        let reader = Reader { image: &image };
        let (files, folders) = reader.read();
        assert_eq!(folders.len(), 1);
        let found: Vec<_> = files
            .iter()
            .map(|it| (it.path.clone(), it.data.clone()))
            .collect();
        assert_eq!(found, expected, "{count} files");
        // No two extents overlap, and the last one ends 150 sectors before the image does.
        let mut next = files.first().map_or(0, |it| it.lba);
        for file in &files {
            assert_eq!(file.lba, next);
            next += (file.data.len() as u32).div_ceil(2048);
        }
        if count > 0 {
            assert_eq!(next + 150, (image.len() / RAW) as u32);
            assert_eq!(
                reader.submode(next - 1),
                0x89,
                "last sector of the last file"
            );
        }
    }
}

#[test]
fn directories_hold_files_too() {
    let mut tree = Tree::new();
    let paths = [
        "MOV/A.STR",
        "MOV/B.STR",
        "XA/DEEP/C.XA",
        "ROOT.TXT",
        "A1.B",
        "A.B",
    ];
    for (seed, path) in paths.iter().enumerate() {
        tree.file(path, noise(3000 + seed, seed as u32 + 9))
            .unwrap();
    }
    for number in 0..60 {
        tree.directory(&format!("EMPTY/D{number:03}")).unwrap();
    }
    let image = build(&tree).unwrap();
    let (files, folders) = Reader { image: &image }.read();
    let found: BTreeSet<_> = files.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(found, paths.into_iter().collect());
    for file in &files {
        let seed = paths.iter().position(|&path| path == file.path).unwrap();
        assert_eq!(file.data, noise(3000 + seed, seed as u32 + 9));
    }
    assert_eq!(
        folders.len(),
        5 + 60,
        "root, MOV, XA, XA/DEEP, EMPTY and its sixty"
    );
}

#[test]
fn every_sector_is_sealed_and_in_its_place() {
    let mut tree = Tree::new();
    tree.file("A.DAT", noise(5000, 3)).unwrap();
    let image = build(&tree).unwrap();
    assert_eq!(image.len() % RAW, 0);
    for (lba, raw) in image.chunks(RAW).enumerate() {
        let raw: &[u8; RAW] = raw.try_into().unwrap();
        check(raw).unwrap_or_else(|error| panic!("sector {lba}: {error}"));
        let frames = lba as u8 as usize + 150;
        if lba < 75 {
            let bcd = |value: usize| (value / 10 * 16 + value % 10) as u8;
            assert_eq!(raw[12..15], [0, bcd(frames / 75), bcd(frames % 75)]);
        }
        assert_eq!(raw[15], 2);
        assert_eq!(raw[16..20], raw[20..24]);
    }
    let reader = Reader { image: &image };
    assert!(
        (0..16).all(|lba| reader.user(lba).iter().all(|&byte| byte == 0)),
        "no licence data"
    );
    // Descriptor, terminator, tables and root, then three sectors of the file.
    let submodes: Vec<u8> = (15..27).map(|lba| reader.submode(lba)).collect();
    assert_eq!(
        submodes,
        [
            0x08, 0x09, 0x89, 0x89, 0x89, 0x89, 0x89, 0x89, 0x08, 0x08, 0x89, 0x08
        ]
    );
    assert_eq!(image.len() / RAW, 26 + 150);
}

#[test]
fn the_same_tree_gives_the_same_bytes() {
    let make = |order: [&str; 3]| {
        let mut tree = Tree::new();
        for path in order {
            tree.file(path, path.as_bytes().to_vec()).unwrap();
        }
        build(&tree).unwrap()
    };
    assert_eq!(make(["A", "B/C", "D"]), make(["D", "B/C", "A"]));
}

#[test]
fn bad_paths_are_refused() {
    let mut tree = Tree::new();
    tree.file("A.DAT", vec![]).unwrap();
    tree.file("D/B.DAT", vec![]).unwrap();
    for path in [
        "",
        "a.dat",
        "TOOLONGNAME.X",
        "A.LONG",
        "A B",
        ".X",
        "A.",
        "D.X/A",
        "A/",
        "/A",
        "A;1",
        "A.B.C",
        "\u{c4}",
    ] {
        assert_eq!(
            tree.file(path, vec![]),
            Err(Error::BadName {
                path: path.to_owned()
            }),
            "{path}"
        );
    }
    for path in ["A.DAT", "D", "D/B.DAT"] {
        assert_eq!(
            tree.file(path, vec![]),
            Err(Error::Exists {
                path: path.to_owned()
            })
        );
    }
    tree.file("F", vec![]).unwrap();
    assert_eq!(
        tree.file("F/X", vec![]),
        Err(Error::Exists {
            path: "F/X".to_owned()
        })
    );
    assert!(tree.file("1/2/3/4/5/6/7/X", vec![]).is_ok());
    let deep = "1/2/3/4/5/6/7/8/X";
    assert_eq!(
        tree.file(deep, vec![]),
        Err(Error::TooDeep {
            path: deep.to_owned()
        })
    );
}

#[test]
fn the_cue_sheet_names_the_file() {
    assert_eq!(
        cue_text("a b.bin"),
        "FILE \"a b.bin\" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n"
    );
}

#[test]
fn a_directory_that_no_reader_would_read_is_refused() {
    // So many records fit a sector; the first one holds the directory's own and its parent's too.
    let record = iso::record_len("F0000000.DAT;1".len());
    let (first, each) = ((SECTOR - 2 * iso::record_len(1)) / record, SECTOR / record);
    let with = |files: usize| {
        let mut tree = Tree::new();
        for number in 0..files {
            let path = format!("A/B/F{number:07}.DAT");
            tree.file(&path, vec![]).unwrap();
        }
        build(&tree)
    };
    let most = first + 31 * each;
    let mut drive = ImageDrive::from_bytes(with(most).unwrap()).unwrap();
    assert_eq!(crate::listing::files(&mut drive).unwrap().len(), most);
    let error = with(most + 1).unwrap_err();
    assert_eq!(
        error,
        Error::DirTooLarge {
            path: "A/B".to_owned(),
            size: 33 * 2048
        }
    );
    let text = error.to_string();
    assert!(
        text.contains("\"/A/B\" take 67584 bytes, at most 65536"),
        "{text}"
    );
}
