use super::*;
use crate::image::{self, Tree};
use overworld_runtime::disc::sector::{EDC_AT, MODE_AT, RAW, SUBHEADER_AT};

fn image() -> Vec<u8> {
    let mut tree = Tree::new();
    tree.file(
        "A.DAT",
        (0..5000_u32).map(|n| (n * 7 + (n >> 8)) as u8).collect(),
    )
    .unwrap();
    image::build(&tree).unwrap()
}

/// Read sector `lba` of the image after `harm` was done to it.
fn read(lba: u32, harm: impl FnOnce(&mut Vec<u8>)) -> Result<Sector, Error> {
    let mut image = image();
    harm(&mut image);
    let mut drive = ImageDrive::from_bytes(image).unwrap();
    let mut out = [[0; SECTOR]];
    drive.read(lba, &mut out)?;
    Ok(out[0])
}

const LBA: u32 = 20;
const AT: usize = LBA as usize * RAW;

#[test]
fn sectors_come_in_order() {
    let mut drive = ImageDrive::from_bytes(image()).unwrap();
    assert_eq!(drive.layout(), Layout::Raw);
    let mut out = [[0; SECTOR]; 3];
    // Volume descriptor, terminator, four path tables, root: the file is at 23.
    drive.read(23, &mut out).unwrap();
    for (n, byte) in out.as_flattened().iter().enumerate() {
        let expected = if n < 5000 {
            (n * 7 + (n >> 8)) as u8
        } else {
            0
        };
        assert_eq!(*byte, expected, "byte {n}");
    }
    assert_eq!(
        drive.sector(&mut out[0]),
        Err(Error::NoRun),
        "the run was closed"
    );
}

#[test]
fn a_run_ends_after_its_sectors() {
    let mut drive = ImageDrive::from_bytes(image()).unwrap();
    let mut out = [0; SECTOR];
    drive.start(16, 1).unwrap();
    drive.sector(&mut out).unwrap();
    assert_eq!(&out[1..6], b"CD001");
    assert_eq!(drive.sector(&mut out), Err(Error::NoRun));
    drive.start(16, 2).unwrap();
    drive.stop().unwrap();
    assert_eq!(drive.sector(&mut out), Err(Error::NoRun));
}

#[test]
fn each_fault_has_its_error() {
    assert!(read(LBA, |_| ()).is_ok());
    assert_eq!(
        read(LBA, |image| image[AT + MODE_AT] = 1),
        Err(Error::Sector {
            lba: LBA,
            error: sector::Error::BadSectorMode { lba: LBA, mode: 1 }
        })
    );
    assert_eq!(
        read(LBA, |image| image[AT + SUBHEADER_AT + 2] |= 0x20),
        Err(Error::Sector {
            lba: LBA,
            error: sector::Error::UnexpectedForm2 { lba: LBA }
        })
    );
    for at in [SUBHEADER_AT, 0x18, 0x817, EDC_AT] {
        assert_eq!(
            read(LBA, |image| image[AT + at] ^= 1),
            Err(Error::Sector {
                lba: LBA,
                error: sector::Error::BadEdc { lba: LBA }
            }),
            "byte {at:#x}"
        );
    }
    for at in [0x81C, RAW - 1] {
        assert_eq!(
            read(LBA, |image| image[AT + at] ^= 1),
            Err(Error::Sector {
                lba: LBA,
                error: sector::Error::BadEcc { lba: LBA }
            })
        );
    }
    assert_eq!(
        read(LBA, |image| image[AT + 5] = 0),
        Err(Error::Sector {
            lba: LBA,
            error: sector::Error::NotRawImage
        })
    );
    assert_eq!(
        read(LBA, |image| image.copy_within(21 * RAW..22 * RAW, AT)),
        Err(Error::WrongAddress {
            lba: LBA,
            found: 21
        })
    );
    assert_eq!(
        read(LBA, |image| image.truncate(AT)),
        Err(Error::ShortImage {
            lba: LBA,
            sectors: LBA,
            end: AT as u64
        })
    );
    let mut drive = ImageDrive::from_bytes(image()).unwrap();
    let sectors = drive.sectors();
    let end = image().len() as u64;
    assert!(drive.start(sectors - 1, 1).is_ok());
    assert_eq!(
        drive.start(sectors - 1, 2),
        Err(Error::ShortImage {
            lba: sectors,
            sectors,
            end
        })
    );
    assert_eq!(
        drive.start(u32::MAX, u32::MAX),
        Err(Error::ShortImage {
            lba: u32::MAX,
            sectors,
            end
        })
    );
}

#[test]
fn the_messages_name_offset_and_finding() {
    let text = read(LBA, |image| image[AT + MODE_AT] = 1)
        .unwrap_err()
        .to_string();
    assert!(
        text.starts_with("BadSectorMode at offset 0xb7cf of the image: "),
        "{text}"
    );
    assert!(text.contains("expected mode 2, found 1"), "{text}");
}

#[test]
fn files_are_told_by_their_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let raw = image();
    let bare: Vec<u8> = raw
        .chunks(RAW)
        .flat_map(|sector| sector[0x18..0x818].to_vec())
        .collect();
    std::fs::write(at("a.bin"), &raw).unwrap();
    std::fs::write(at("a.cue"), image::cue_text("a.bin")).unwrap();
    std::fs::write(at("a.iso"), &bare).unwrap();
    std::fs::write(at("short.bin"), &raw[..raw.len() - 100]).unwrap();
    std::fs::write(at("zeros.iso"), vec![0; 300 * SECTOR]).unwrap();
    std::fs::write(at("long.iso"), [&bare[..], &[0]].concat()).unwrap();
    std::fs::write(at("cut.iso"), &bare[..bare.len() - 700]).unwrap();
    std::fs::write(at("text.bin"), vec![b'x'; RAW * 20]).unwrap();
    std::fs::write(at("empty.bin"), []).unwrap();
    std::fs::write(at("lost.cue"), image::cue_text("lost.bin")).unwrap();
    std::fs::write(at("bad.cue"), "nonsense").unwrap();
    for (name, layout) in [
        ("a.bin", Layout::Raw),
        ("a.cue", Layout::Raw),
        ("a.iso", Layout::Bare),
    ] {
        let mut drive = ImageDrive::open(&at(name)).unwrap();
        assert_eq!(drive.layout(), layout);
        let mut out = [[0; SECTOR]];
        drive.read(16, &mut out).unwrap();
        assert_eq!(&out[0][1..6], b"CD001");
    }
    for (name, expected) in [
        ("short.bin", "NotRawImage: expected a multiple of 2352"),
        (
            "zeros.iso",
            "or of 2048 with an ISO9660 volume at offset 0x8000",
        ),
        ("long.iso", "expected a multiple of 2048 bytes, found"),
        ("cut.iso", "expected a multiple of 2048 bytes, found"),
        (
            "text.bin",
            "NotRawImage: offset 0: expected the sync pattern",
        ),
        ("empty.bin", "NotRawImage: the file is empty"),
        ("lost.cue", "MissingBin: the sheet names"),
        ("bad.cue", "BadLine: line 1"),
        ("none.bin", "No such file"),
    ] {
        let text = ImageDrive::open(&at(name)).unwrap_err().to_string();
        assert!(
            text.contains(expected) && text.contains(name),
            "{name}: {text}"
        );
    }
}

#[test]
fn the_end_of_a_bare_image_is_told_by_its_own_sectors() {
    let bare: Vec<u8> = image()
        .chunks(RAW)
        .flat_map(|sector| sector[0x18..0x818].to_vec())
        .collect();
    let mut drive = ImageDrive::from_bytes(bare[..60 * SECTOR].to_vec()).unwrap();
    let error = drive.start(60, 1).unwrap_err().to_string();
    assert!(
        error.contains("after 60 sectors (offset 0x1e000)"),
        "{error}"
    );
}

#[test]
fn what_is_damaged_is_opened_for_who_looks_for_that() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bin");
    let raw = image();
    let bare: Vec<u8> = raw
        .chunks(RAW)
        .flat_map(|sector| sector[0x18..0x818].to_vec())
        .collect();
    let mut first = raw.clone();
    first[0] = 1;
    for (bytes, layout, rest) in [
        (&first, Layout::Raw, 0),
        (&[&raw[..], b"12345"].concat(), Layout::Raw, 5),
        (&raw[..raw.len() - 1].to_vec(), Layout::Raw, 2351),
        (&[&bare[..], b"1"].concat(), Layout::Bare, 1),
        (&raw, Layout::Raw, 0),
    ] {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(ImageDrive::open(&path).is_ok(), *bytes == raw);
        let drive = ImageDrive::open_damaged(&path).unwrap();
        assert_eq!((drive.layout(), drive.rest()), (layout, rest));
    }
    std::fs::write(&path, vec![0; 60 * RAW]).unwrap();
    let error = ImageDrive::open_damaged(&path).unwrap_err().fault();
    assert_eq!(error.name, "NotRawImage");
    assert!(
        error.text.starts_with("offset 0: expected the sync"),
        "{error}"
    );
}

#[test]
fn index_one_moves_the_first_sector() {
    let folder = tempfile::tempdir().unwrap();
    let raw = image();
    std::fs::write(
        folder.path().join("a.bin"),
        [vec![0; 3 * RAW], raw].concat(),
    )
    .unwrap();
    let sheet = image::cue_text("a.bin").replace("00:00:00", "00:00:03");
    std::fs::write(folder.path().join("a.cue"), sheet).unwrap();
    let mut drive = ImageDrive::open(&folder.path().join("a.cue")).unwrap();
    let mut out = [[0; SECTOR]];
    drive.read(16, &mut out).unwrap();
    assert_eq!(&out[0][1..6], b"CD001");
}
