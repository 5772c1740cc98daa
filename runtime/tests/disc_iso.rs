//! The ISO9660 walk over images made here byte by byte, and the records that the library writes.

use core::fmt;
use core::ops::ControlFlow;
use overworld_runtime::bytes::Writer;
use overworld_runtime::disc::iso::{
    self, Error, Extent, PathRecord, Primary, Volume, find, path_record, terminator, walk,
};
use overworld_runtime::platform::{Drive, Sector};
use proptest::prelude::*;

/// A drive over sectors in memory that counts what it is asked for.
#[derive(Default)]
struct Image {
    sectors: Vec<Sector>,
    /// Next block and blocks left of the open run.
    run: Option<(u32, u32)>,
    delivered: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    OffDisc(u32),
    NoRun,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Drive for Image {
    type Error = Fault;

    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), Fault> {
        self.run = Some((lba, sectors));
        Ok(())
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), Fault> {
        let Some((lba, left @ 1..)) = self.run else {
            return Err(Fault::NoRun);
        };
        *out = *self.sectors.get(lba as usize).ok_or(Fault::OffDisc(lba))?;
        self.run = Some((lba + 1, left - 1));
        self.delivered += 1;
        Ok(())
    }

    fn stop(&mut self) -> Result<(), Fault> {
        self.run = None;
        Ok(())
    }
}

/// A directory record, written without the library.
fn record(name: &[u8], lba: u32, size: u32, directory: bool) -> Vec<u8> {
    let mut bytes = vec![0; 33];
    bytes[2..6].copy_from_slice(&lba.to_le_bytes());
    bytes[6..10].copy_from_slice(&lba.to_be_bytes());
    bytes[10..14].copy_from_slice(&size.to_le_bytes());
    bytes[14..18].copy_from_slice(&size.to_be_bytes());
    bytes[25] = if directory { 2 } else { 0 };
    bytes[32] = name.len() as u8;
    bytes.extend(name);
    if bytes.len() % 2 == 1 {
        bytes.push(0);
    }
    bytes[0] = bytes.len() as u8;
    bytes
}

/// Records packed into sectors; none crosses the end of one.
fn directory(records: &[Vec<u8>]) -> Vec<Sector> {
    let mut sectors = vec![[0; 2048]];
    let mut at = 0;
    for record in records {
        if at + record.len() > 2048 {
            sectors.push([0; 2048]);
            at = 0;
        }
        sectors.last_mut().unwrap()[at..at + record.len()].copy_from_slice(record);
        at += record.len();
    }
    sectors
}

const ROOT: u32 = 18;

/// A volume of `blocks` blocks whose root directory holds these records, besides self and parent.
fn image(blocks: u32, records: &[Vec<u8>]) -> Image {
    let mut all = vec![record(&[0], ROOT, 0, true), record(&[1], ROOT, 0, true)];
    all.extend_from_slice(records);
    let root = directory(&all);
    let mut sectors = vec![[0; 2048]; blocks as usize];
    let volume = &mut sectors[16];
    volume[..7].copy_from_slice(b"\x01CD001\x01");
    volume[80..84].copy_from_slice(&blocks.to_le_bytes());
    volume[156..190].copy_from_slice(&record(&[0], ROOT, root.len() as u32 * 2048, true));
    sectors[ROOT as usize..][..root.len()].copy_from_slice(&root);
    Image {
        sectors,
        ..Image::default()
    }
}

fn look(image: &mut Image, path: &str) -> Result<Extent, Error<Fault>> {
    let found = find(image, path, &mut [0; 2048]);
    assert_eq!(image.run, None, "a run was left open");
    found
}

fn extent(lba: u32, size: u32) -> Extent {
    Extent { lba, size }
}

#[test]
fn several_files_are_found_in_one_walk() {
    let many = (0..60).map(|it| record(format!("F{it:02}.DAT;1").as_bytes(), 90, 5, false));
    let mut records: Vec<_> = many.collect();
    records.push(record(b"ONE.DAT;1", 50, 2048, false));
    records.push(record(b"DIR", 51, 2048, true));
    records.push(record(b"FAR.DAT;1", 99, 4096, false));
    records.push(record(b"ONE.DAT;1", 60, 1, false));
    let names = ["FAR.DAT", "DIR", "ONE.DAT;1", "ONE", "F59.DAT", "F00.DAT"];
    let mut disc = image(100, &records);
    let found = iso::find_in_root(&mut disc, names, &mut [0; 2048]).unwrap();
    assert_eq!(disc.run, None);
    // The descriptor, and each of the directory's sectors once.
    let sectors = disc.delivered;
    assert_eq!(sectors, 1 + 2);
    // Each answer is that of a walk of its own.
    let alone = names.map(|name| look(&mut disc, name));
    assert_eq!(found, alone);
    assert_eq!(
        found[0],
        Err(Error::ExtentOutOfRange {
            lba: 99,
            size: 4096
        })
    );
    assert_eq!(
        (found[1], found[3]),
        (
            Err(Error::NotFound { part: 0 }),
            Err(Error::NotFound { part: 0 })
        )
    );
    assert_eq!(found[2], Ok(extent(50, 2048)));
    // It ends where the last of them is found.
    disc.delivered = 0;
    let found = iso::find_in_root(&mut disc, ["F00.DAT", "F05.DAT"], &mut [0; 2048]).unwrap();
    assert_eq!((found, disc.delivered), ([Ok(extent(90, 5)); 2], 2));
    // Faults of the directory are those of the walk.
    disc.sectors[ROOT as usize + 1][0] = 33;
    let error = Error::BadDirRecord {
        lba: ROOT + 1,
        offset: 0,
    };
    assert_eq!(
        iso::find_in_root(&mut disc, names, &mut [0; 2048]),
        Err(error)
    );
    assert_eq!(disc.run, None);
    disc.sectors[16][1] = 0;
    let nothing = iso::find_in_root(&mut disc, names, &mut [0; 2048]);
    assert_eq!(nothing, Err(Error::NoVolume));
}

#[test]
fn files_are_found_by_name() {
    let mut image = image(
        100,
        &[
            record(b"PROT.DAT;1", 30, 5000, false),
            record(b"NOVERSION", 40, 0, false),
            record(b"XA", 50, 2048, true),
        ],
    );
    for path in ["PROT.DAT", "PROT.DAT;1", "/PROT.DAT", "\\PROT.DAT;1"] {
        assert_eq!(look(&mut image, path), Ok(extent(30, 5000)), "{path}");
    }
    assert_eq!(extent(30, 5000).sectors(), 3);
    assert_eq!(look(&mut image, "NOVERSION"), Ok(extent(40, 0)));
    for path in [
        "PROT",
        "PROT.DAT2",
        "prot.dat",
        "",
        "/",
        "XA",
        "\0",
        "PROT.DAT/X",
    ] {
        assert_eq!(
            look(&mut image, path),
            Err(Error::NotFound { part: 0 }),
            "{path}"
        );
    }
}

#[test]
fn directories_nest() {
    let mut image = image(
        100,
        &[record(b"A", 40, 4096, true), record(b"F", 99, 1, false)],
    );
    let inner = directory(&[
        record(&[0], 40, 4096, true),
        record(&[1], ROOT, 2048, true),
        record(b"B", 42, 2048, true),
    ]);
    image.sectors[40] = inner[0];
    // The second sector of A is empty but for one file.
    image.sectors[41] = directory(&[record(b"F;1", 60, 7, false)])[0];
    image.sectors[42] = directory(&[record(b"F;1", 61, 8, false)])[0];
    assert_eq!(look(&mut image, "F"), Ok(extent(99, 1)));
    assert_eq!(look(&mut image, "A/F"), Ok(extent(60, 7)));
    assert_eq!(look(&mut image, "A\\B/F"), Ok(extent(61, 8)));
    assert_eq!(look(&mut image, "A/B/G"), Err(Error::NotFound { part: 2 }));
    assert_eq!(look(&mut image, "B/F"), Err(Error::NotFound { part: 0 }));
    assert_eq!(look(&mut image, "F/F"), Err(Error::NotFound { part: 0 }));
}

#[test]
fn directories_of_every_length() {
    for files in [0, 1, 31, 32, 33, 200] {
        let name = |n: u32| format!("FILE{n:04}.DAT");
        let records: Vec<_> = (0..files)
            .map(|n| {
                record(
                    format!("{};1", name(n)).as_bytes(),
                    60 + n,
                    n * 3 + 1,
                    false,
                )
            })
            .collect();
        assert!(name(0).len() == 12);
        let mut image = image(300, &records);
        for n in 0..files {
            assert_eq!(
                look(&mut image, &name(n)),
                Ok(extent(60 + n, n * 3 + 1)),
                "{n}"
            );
        }
        assert_eq!(
            look(&mut image, &name(files)),
            Err(Error::NotFound { part: 0 })
        );
    }
}

#[test]
fn a_walk_shows_every_record() {
    let records: Vec<_> = (0..100u32)
        .map(|n| record(format!("F{n}").as_bytes(), 30, 1, false))
        .collect();
    let mut image = image(100, &records);
    let mut scratch = [0; 2048];
    let volume = iso::primary(&mut image, &mut scratch).unwrap();
    let mut names = Vec::new();
    let end = walk(&mut image, &volume, volume.root, &mut scratch, |record| {
        names.push(record.plain_name().to_vec());
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(end, Ok(None));
    assert_eq!(names.len(), 102);
    assert_eq!(names[0], [0]);
    assert_eq!(names[101], b"F99");
}

#[test]
fn no_volume() {
    let mut image = image(40, &[]);
    image.sectors[16][0] = 2;
    assert_eq!(look(&mut image, "A"), Err(Error::NoVolume));
    image.sectors[16][0] = 1;
    image.sectors[16][5] = b'2';
    assert_eq!(look(&mut image, "A"), Err(Error::NoVolume));
    image.sectors.truncate(16);
    let found = find(&mut image, "A", &mut [0; 2048]);
    assert_eq!(found, Err(Error::Drive(Fault::OffDisc(16))));
}

#[test]
fn bad_records() {
    let bad = |change: &dyn Fn(&mut Sector)| {
        let mut image = image(60, &[record(b"LAST", 30, 1, false)]);
        change(&mut image.sectors[ROOT as usize]);
        look(&mut image, "LAST")
    };
    assert_eq!(bad(&|_| ()), Ok(extent(30, 1)));
    let error = |offset| Err(Error::BadDirRecord { lba: ROOT, offset });
    // Shorter than a record can be.
    assert_eq!(bad(&|s| s[34] = 33), error(34));
    assert_eq!(bad(&|s| s[34] = 1), error(34));
    // The name passes the end of its record, or is empty.
    assert_eq!(bad(&|s| s[68 + 32] = 6), error(68));
    assert_eq!(bad(&|s| s[68 + 32] = 0), error(68));
    // A record that would cross into the next sector.
    let mut full = image(
        60,
        &(0..47)
            .map(|_| record(b"FILENAME", 30, 1, false))
            .collect::<Vec<_>>(),
    );
    let last = 2 * 34 + 47 * 42;
    full.sectors[ROOT as usize][last] = 34;
    assert_eq!(last + 34, 2076);
    assert_eq!(look(&mut full, "X"), error(last as u32));
}

#[test]
fn a_directory_ends_where_its_size_says() {
    let mut image = image(60, &[record(b"LAST", 30, 1, false)]);
    // Self and parent only: the third record is not part of the directory.
    image.sectors[16][166..170].copy_from_slice(&68u32.to_le_bytes());
    assert_eq!(look(&mut image, "LAST"), Err(Error::NotFound { part: 0 }));
    image.sectors[16][166..170].copy_from_slice(&0u32.to_le_bytes());
    assert_eq!(look(&mut image, "LAST"), Err(Error::NotFound { part: 0 }));
}

#[test]
fn extents_outside_the_volume() {
    let cases = [
        (59, 2048, true),
        (59, 2049, false),
        (60, 0, true),
        (61, 0, false),
        (0xFFFF_FFFF, 4096, false),
        (30, u32::MAX, false),
    ];
    for (lba, size, good) in cases {
        let mut image = image(60, &[record(b"F", lba, size, false)]);
        let expected = if good {
            Ok(extent(lba, size))
        } else {
            Err(Error::ExtentOutOfRange { lba, size })
        };
        assert_eq!(look(&mut image, "F"), expected);
    }
}

/// `record` with these bytes at these places.
fn with(mut record: Vec<u8>, bytes: &[(usize, u8)]) -> Vec<u8> {
    for &(at, byte) in bytes {
        record[at] = byte;
    }
    record
}

#[test]
fn data_lies_behind_extended_attributes() {
    let file = with(record(b"F;1", 30, 5000, false), &[(1, 2)]);
    let folder = with(record(b"D", 40, 2048, true), &[(1, 1)]);
    let last = with(record(b"LAST", 98, 2048, false), &[(1, 2)]);
    let far = with(record(b"FAR", u32::MAX, 1, false), &[(1, 255)]);
    let mut image = image(100, &[file, folder, last, far]);
    image.sectors[41] = directory(&[record(b"G;1", 60, 7, false)])[0];
    assert_eq!(look(&mut image, "F"), Ok(extent(32, 5000)));
    assert_eq!(look(&mut image, "D/G"), Ok(extent(60, 7)));
    // The attributes are inside the volume, the data is not.
    let outside = |lba, size| Err(Error::ExtentOutOfRange { lba, size });
    assert_eq!(look(&mut image, "LAST"), outside(100, 2048));
    assert_eq!(look(&mut image, "FAR"), outside(u32::MAX, 1));
}

#[test]
fn files_in_pieces_are_refused() {
    let mut image = image(
        100,
        &[
            with(record(b"MIXED;1", 30, 5000, false), &[(26, 2), (27, 3)]),
            with(record(b"GAP", 30, 5000, false), &[(1, 1), (27, 1)]),
            with(record(b"D", 40, 2048, true), &[(26, 1), (27, 1)]),
            with(record(b"LONG;1", 50, 4096, false), &[(25, 0x80)]),
            record(b"LONG;1", 60, 7, false),
            record(b"WHOLE", 70, 7, false),
        ],
    );
    let interleaved = |lba, unit, gap| Err(Error::Interleaved { lba, unit, gap });
    let section: Error<Fault> = Error::MultiExtent {
        lba: 50,
        size: 4096,
    };
    assert_eq!(look(&mut image, "MIXED"), interleaved(30, 2, 3));
    assert_eq!(look(&mut image, "GAP"), interleaved(31, 0, 1));
    assert_eq!(look(&mut image, "D/F"), interleaved(40, 1, 1));
    assert_eq!(look(&mut image, "LONG"), Err(section));
    let names = ["LONG", "WHOLE", "MIXED", "NONE"];
    assert_eq!(
        iso::find_in_root(&mut image, names, &mut [0; 2048]).unwrap(),
        [
            Err(section),
            Ok(extent(70, 7)),
            interleaved(30, 2, 3),
            Err(Error::NotFound { part: 0 })
        ]
    );
    // The root itself, whose record the descriptor holds: byte 26 of it, and its flags.
    let root = image.sectors[16];
    image.sectors[16][156 + 26] = 2;
    assert!(matches!(
        look(&mut image, "WHOLE"),
        Err(Error::Interleaved {
            unit: 2,
            gap: 0,
            ..
        })
    ));
    image.sectors[16] = root;
    image.sectors[16][156 + 25] |= 0x80;
    let refused = iso::primary(&mut image, &mut [0; 2048]);
    assert!(matches!(refused, Err(Error::MultiExtent { .. })));
    image.sectors[16] = root;
    assert_eq!(look(&mut image, "WHOLE"), Ok(extent(70, 7)));
    assert_eq!(
        interleaved(30, 2, 3).unwrap_err().to_string(),
        "Interleaved: expected the sectors behind 30 in one piece, found units of 2 with gaps of 3"
    );
    assert_eq!(
        section.to_string(),
        "MultiExtent: expected one section, found more of them behind the 4096 bytes at sector 50"
    );
}

#[test]
fn large_directories_are_refused() {
    let mut image = image(
        100,
        &[
            record(b"D", 40, 65_537, true),
            record(b"E", 40, 65_536, true),
        ],
    );
    assert_eq!(
        look(&mut image, "D/F"),
        Err(Error::DirTooLarge {
            lba: 40,
            size: 65_537
        })
    );
    assert_eq!(look(&mut image, "E/F"), Err(Error::NotFound { part: 1 }));
}

/// A directory that contains itself: the path bounds the work.
#[test]
fn a_directory_in_itself() {
    let mut image = image(60, &[record(b"D", ROOT, 2048, true)]);
    let path = "D/".repeat(50) + "F";
    assert_eq!(look(&mut image, &path), Err(Error::NotFound { part: 50 }));
    assert_eq!(image.delivered, 52);
}

#[test]
fn written_volumes_are_read() {
    let volume = Volume {
        system: "PLAYSTATION",
        name: "A NAME THAT IS LONGER THAN THIRTY-TWO",
        blocks: 0x0102_0304,
        path_table_le: 18,
        path_table_be: 20,
        path_table_size: 10,
        root: extent(22, 2048),
    };
    let mut sector = [0xEE; 2048];
    volume.emit(&mut sector).unwrap();
    assert_eq!(sector[..8], *b"\x01CD001\x01\0");
    assert_eq!(sector[8..40], *b"PLAYSTATION                     ");
    assert_eq!(sector[40..72], *b"A NAME THAT IS LONGER THAN THIRT");
    assert_eq!(sector[80..88], [4, 3, 2, 1, 1, 2, 3, 4]);
    assert_eq!(sector[120..132], [1, 0, 0, 1, 1, 0, 0, 1, 0, 8, 8, 0]);
    assert_eq!(sector[132..140], [10, 0, 0, 0, 0, 0, 0, 10]);
    // Each table twice, the copy behind it.
    assert_eq!(sector[140..148], [18, 0, 0, 0, 19, 0, 0, 0]);
    assert_eq!(sector[148..156], [0, 0, 0, 20, 0, 0, 0, 21]);
    assert_eq!(sector[156..166], [34, 0, 22, 0, 0, 0, 0, 0, 0, 22]);
    assert_eq!(sector[190..574], [b' '; 384]);
    assert_eq!(sector[574..586], *b"PLAYSTATION ");
    assert_eq!(sector[586..813], [b' '; 227]);
    assert_eq!(sector[813..830], *b"2000010100000000\0");
    assert_eq!(sector[847..864], *b"0000000000000000\0");
    assert_eq!(sector[881], 1);
    assert_eq!(sector[1024..1032], *b"CD-XA001");
    assert_eq!(
        Primary::parse(&sector),
        Some(Primary {
            root: extent(22, 2048),
            blocks: 0x0102_0304
        })
    );
    terminator(&mut sector).unwrap();
    assert_eq!(sector[..7], *b"\xFFCD001\x01");
    assert_eq!(sector[7..], [0; 2041]);
    assert_eq!(Primary::parse(&sector), None);
}

#[test]
fn written_records_are_the_sheets() {
    let mut out = [0xEE; 512];
    let mut writer = Writer::new(&mut out);
    iso::record(&mut writer, b"PROT.DAT;1", extent(24, 0x1_2000), false).unwrap();
    iso::record(&mut writer, b"XA1", extent(7, 2048), true).unwrap();
    assert!(iso::record(&mut writer, b"", extent(7, 2048), true).is_err());
    assert!(iso::record(&mut writer, &[b'A'; 208], extent(7, 0), false).is_err());
    assert_eq!(writer.finish(), 58 + 50);
    assert_eq!((iso::record_len(10), iso::record_len(3)), (58, 50));
    let expected = record(b"PROT.DAT;1", 24, 0x1_2000, false);
    assert_eq!(out[0], 58);
    assert_eq!(out[1..18], expected[1..18]);
    assert_eq!(out[18..25], [100, 1, 1, 0, 0, 0, 0]);
    assert_eq!(out[25..28], expected[25..28]);
    assert_eq!(out[28..32], [1, 0, 0, 1]);
    assert_eq!(out[32..44], expected[32..44]);
    assert_eq!(out[44..58], *b"\0\0\0\0\x0D\x55XA\0\0\0\0\0\0");
    assert_eq!((out[58], out[58 + 25], out[58 + 32]), (50, 2, 3));
    assert_eq!(out[94..108], *b"\0\0\0\0\x8D\x55XA\0\0\0\0\0\0");

    let entry = PathRecord {
        name: b"XA1",
        lba: 0x0102,
        parent: 1,
    };
    let mut out = [0xEE; 32];
    let mut writer = Writer::new(&mut out);
    path_record(&mut writer, entry, false).unwrap();
    path_record(&mut writer, entry, true).unwrap();
    assert_eq!(writer.finish(), 24);
    assert_eq!(out[..12], *b"\x03\0\x02\x01\0\0\x01\0XA1\0");
    assert_eq!(out[12..24], *b"\x03\0\0\0\x01\x02\0\x01XA1\0");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Directories that the library writes, sector by sector, are read back record by record.
    #[test]
    fn written_directories_are_read(
        records in prop::collection::vec(
            ("[A-Z0-9_.;]{1,60}", 0u32..40, 0u32..9999, any::<bool>()),
            0..120,
        ),
    ) {
        let mut sectors = vec![[0; 2048]];
        let mut at = 0;
        let all = [("\0", ROOT, 2048, true), ("\u{1}", ROOT, 2048, true)];
        let own = records.iter().map(|(name, lba, size, dir)| (name.as_str(), *lba, *size, *dir));
        let expected: Vec<_> = all.into_iter().chain(own).collect();
        for &(name, lba, size, dir) in &expected {
            let length = iso::record_len(name.len());
            if at + length > 2048 {
                sectors.push([0; 2048]);
                at = 0;
            }
            let mut out = Writer::new(&mut sectors.last_mut().unwrap()[at..]);
            iso::record(&mut out, name.as_bytes(), extent(lba, size), dir).unwrap();
            prop_assert_eq!(out.finish(), length);
            at += length;
        }
        let mut image = image(60, &[]);
        let mut disc = image.sectors.split_off(16);
        let root = extent(ROOT, sectors.len() as u32 * 2048);
        let volume = Volume {
            system: "PLAYSTATION",
            name: "",
            blocks: 60,
            path_table_le: 0,
            path_table_be: 0,
            path_table_size: 0,
            root,
        };
        volume.emit(&mut disc[0]).unwrap();
        disc[2..][..sectors.len()].copy_from_slice(&sectors);
        image.sectors.append(&mut disc);
        let mut scratch = [0; 2048];
        let volume = iso::primary(&mut image, &mut scratch).unwrap();
        prop_assert_eq!(volume.root, root);
        let mut found = Vec::new();
        let end = walk(&mut image, &volume, root, &mut scratch, |record| {
            let name = String::from_utf8(record.name.to_vec()).unwrap();
            found.push((name, record.extent.lba, record.extent.size, record.directory));
            ControlFlow::<()>::Continue(())
        });
        prop_assert_eq!(end, Ok(None));
        let found = found.iter().map(|(name, lba, size, dir)| (name.as_str(), *lba, *size, *dir));
        prop_assert!(found.eq(expected));
    }

    /// Path tables, read back by hand in both byte orders.
    #[test]
    fn written_path_tables_are_read(
        records in prop::collection::vec(
            (prop::collection::vec(any::<u8>(), 1..40), any::<u32>(), any::<u16>()),
            0..12,
        ),
        big_endian in any::<bool>(),
    ) {
        let mut table = vec![0xEE; 1024];
        let mut out = Writer::new(&mut table);
        for (name, lba, parent) in &records {
            let record = PathRecord { name, lba: *lba, parent: *parent };
            let before = out.position();
            path_record(&mut out, record, big_endian).unwrap();
            prop_assert_eq!(out.position() - before, record.len());
        }
        let length = out.finish();
        let mut rest = &table[..length];
        let mut found = Vec::new();
        while let [length, attributes, l0, l1, l2, l3, p0, p1, behind @ ..] = rest {
            prop_assert_eq!(*attributes, 0);
            let (lba, parent) = ([*l0, *l1, *l2, *l3], [*p0, *p1]);
            let (lba, parent) = if big_endian {
                (u32::from_be_bytes(lba), u16::from_be_bytes(parent))
            } else {
                (u32::from_le_bytes(lba), u16::from_le_bytes(parent))
            };
            let length = usize::from(*length);
            found.push((behind[..length].to_vec(), lba, parent));
            rest = &behind[length.next_multiple_of(2)..];
        }
        prop_assert!(rest.is_empty());
        prop_assert_eq!(found, records);
    }

    #[test]
    fn written_volumes_are_read_back(
        system in "[A-Z0-9_]{0,40}",
        name in "[A-Z0-9_]{0,40}",
        words in any::<[u32; 6]>(),
    ) {
        let [blocks, le, be, size, lba, bytes] = words;
        let root = extent(lba, bytes);
        let volume = Volume {
            system: &system,
            name: &name,
            blocks,
            path_table_le: le,
            path_table_be: be,
            path_table_size: size,
            root,
        };
        let mut sector = [0xEE; 2048];
        volume.emit(&mut sector).unwrap();
        prop_assert_eq!(Primary::parse(&sector), Some(Primary { root, blocks }));
        let text = |at: usize, text: &str| {
            let cut = &text[..text.len().min(32)];
            sector[at..at + 32] == *format!("{cut:32}").as_bytes()
        };
        prop_assert!(text(8, &system) && text(40, &name));
        let word = |at: usize| u32::from_le_bytes(sector[at..at + 4].try_into().unwrap());
        let swapped = |at: usize| word(at).swap_bytes();
        prop_assert_eq!([word(80), swapped(84)], [blocks; 2]);
        prop_assert_eq!([word(132), swapped(136)], [size; 2]);
        let sectors = size.div_ceil(2048);
        prop_assert_eq!([word(140), word(144)], [le, le.wrapping_add(sectors)]);
        prop_assert_eq!([swapped(148), swapped(152)], [be, be.wrapping_add(sectors)]);
    }

    /// Whatever the disc holds, the walk ends after a bounded number of sectors, and the drive
    /// is left without an open run unless the drive itself failed.
    #[test]
    fn hostile_volumes(
        changes in prop::collection::vec((0usize..4 * 2048, any::<u8>()), 0..40),
        lba in 0u32..64,
    ) {
        let mut image = image(
            60,
            &[record(b"D", ROOT, 4096, true), record(b"F", lba, 9999, false)],
        );
        for (at, value) in changes {
            image.sectors[16 + at / 2048][at % 2048] = value;
        }
        for path in ["D/D/D/F", "F", "X"] {
            image.delivered = 0;
            let found = find(&mut image, path, &mut [0; 2048]);
            prop_assert!(image.delivered <= 1 + 4 * 32);
            match found {
                Err(Error::Drive(_)) => {}
                Ok(_) | Err(_) => prop_assert_eq!(image.run, None),
            }
            image.run = None;
        }
    }
}
