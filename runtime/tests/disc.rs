//! The disc sheet's containers: sectors, the archive's table, the name list, bundles, packs and
//! chunks.

use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::bundle::{self, AssetType, Bundle, Packed, Table};
use overworld_runtime::disc::cdname;
use overworld_runtime::disc::chunk::{self, Chunk, Chunks};
use overworld_runtime::disc::pack::{self, Pack, standalone};
use overworld_runtime::disc::prot::{self, Entry, Toc};
use overworld_runtime::disc::sector::{self, Raw};
use overworld_runtime::lzs::{self, Scratch};
use proptest::prelude::*;

// Sectors.

fn built(lba: u32, submode: u8, data: impl Fn(usize) -> u8) -> Raw {
    let data: [u8; 2048] = std::array::from_fn(data);
    let mut raw = [0xEE; 2352];
    sector::build(lba, submode, &data, &mut raw).unwrap();
    assert_eq!(sector::check(&raw), Ok(&data));
    raw
}

/// Block, submode, factors of the user bytes, address, EDC, P, Q, last four, CRC-32.
type Vector = (
    u32,
    u8,
    [usize; 2],
    [u8; 3],
    [u8; 4],
    [u8; 4],
    [u8; 4],
    [u8; 4],
    u32,
);

#[test]
fn the_sheets_three_sectors() {
    let vectors: [Vector; 3] = include!("../../tests/battery/tables/sectors.rs");
    for (lba, submode, [a, b], address, edc, p, q, last, crc) in vectors {
        let raw = built(lba, submode, |i| (a * i + b * (i >> 8)) as u8);
        assert_eq!(raw[0x00C..0x00F], address, "{lba} address");
        assert_eq!(raw[0x00F], 2, "{lba} mode");
        assert_eq!(raw[0x818..0x81C], edc, "{lba} EDC");
        assert_eq!(raw[0x81C..0x820], p, "{lba} P");
        assert_eq!(raw[0x8C8..0x8CC], q, "{lba} Q");
        assert_eq!(raw[2348..], last, "{lba} last");
        assert_eq!(crc32(&raw), crc, "{lba} whole");
    }
}

/// The sheet's EDC, bit by bit: reflected polynomial D8018001h, start 0, no final XOR.
fn edc_bit_by_bit(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |state, &byte| {
        (0..8).fold(state ^ u32::from(byte), |state, _| {
            (state >> 1) ^ if state & 1 == 1 { 0xD801_8001 } else { 0 }
        })
    })
}

#[test]
fn form_2_sectors_have_an_edc_or_none() {
    let data: [u8; sector::FORM2] = std::array::from_fn(|i| (i * 5 + (i >> 8)) as u8);
    let mut raw = [0; sector::RAW];
    sector::build_form2(1234, 0x44, &data, &mut raw).unwrap();
    assert_eq!(raw[0x010..0x018], [0, 0, 0x64, 0, 0, 0, 0x64, 0]);
    assert_eq!(raw[0x018..0x92C], data);
    assert_eq!(
        raw[0x92C..],
        edc_bit_by_bit(&raw[0x010..0x92C]).to_le_bytes()
    );
    let form2 = Ok((1234, sector::Contents::Form2(&data)));
    assert_eq!(sector::inspect(&raw), form2);
    assert_eq!(
        sector::check(&raw),
        Err(sector::Error::UnexpectedForm2 { lba: 1234 })
    );
    for at in 0x010..0x930 {
        let mut bad = raw;
        bad[at] ^= 0x10;
        // The form bit itself is in the submode only: another bit of it stays Form 2.
        assert_eq!(
            sector::inspect(&bad),
            Err(sector::Error::BadEdc { lba: 1234 }),
            "{at}"
        );
    }
    raw[0x92C..].fill(0);
    assert_eq!(sector::inspect(&raw), form2);

    let good = built(1234, 0x89, |i| i as u8);
    let data: &[u8; 2048] = good[0x018..0x818].try_into().unwrap();
    assert_eq!(
        sector::inspect(&good),
        Ok((1234, sector::Contents::Form1(data)))
    );
    let mut bad = good;
    bad[0x900] ^= 1;
    assert_eq!(
        sector::inspect(&bad),
        Err(sector::Error::BadEcc { lba: 1234 })
    );
}

#[test]
fn every_damaged_bit_of_a_sector_is_found() {
    let good = built(1234, 0x89, |i| (i * i) as u8);
    for at in 0..2352 {
        let mut raw = good;
        raw[at] ^= 1 << (at % 8);
        let found = sector::check(&raw);
        match at {
            0..0x00C => assert_eq!(found, Err(sector::Error::NotRawImage)),
            // Another address is as good as this one, or no address at all.
            0x00C..0x00F => {}
            0x00F => assert!(matches!(
                found,
                Err(sector::Error::BadSectorMode { lba: 1234, .. })
            )),
            0x010..0x81C => assert!(matches!(
                found,
                Err(sector::Error::BadEdc { lba: 1234 } | sector::Error::UnexpectedForm2 { .. })
            )),
            _ => assert_eq!(found, Err(sector::Error::BadEcc { lba: 1234 })),
        }
    }
    let mut form2 = good;
    form2[0x012] |= 0x20;
    assert_eq!(
        sector::data(&form2),
        Err(sector::Error::UnexpectedForm2 { lba: 1234 })
    );
    let mut audio = good;
    audio[0x00F] = 1;
    assert_eq!(
        sector::check(&audio),
        Err(sector::Error::BadSectorMode { lba: 1234, mode: 1 })
    );
    let mut lost = good;
    lost[0x00C..0x00F].copy_from_slice(&[0x00, 0x61, 0x00]);
    assert_eq!(
        sector::check(&lost),
        Err(sector::Error::BadAddress {
            found: [0x00, 0x61, 0x00]
        })
    );
}

#[test]
fn a_moved_sector_needs_only_another_address() {
    let mut moved = built(16, 0x08, |i| i as u8);
    moved[0x00C..0x00F].copy_from_slice(&sector::address(166).unwrap());
    assert_eq!(moved, built(166, 0x08, |i| i as u8));
}

#[test]
fn sealing_mends_changed_data() {
    let mut raw = built(7, 0x08, |_| 1);
    raw[0x100] = 99;
    assert!(sector::check(&raw).is_err());
    sector::seal(&mut raw);
    assert_eq!(sector::check(&raw).unwrap()[0x100 - 0x18], 99);
}

#[test]
fn addresses() {
    assert_eq!(sector::address(0), Some([0x00, 0x02, 0x00]));
    assert_eq!(sector::address(16), Some([0x00, 0x02, 0x16]));
    assert_eq!(sector::address(166), Some([0x00, 0x04, 0x16]));
    assert_eq!(sector::address(449_849), Some([0x99, 0x59, 0x74]));
    assert_eq!(sector::address(449_850), None);
    assert_eq!(sector::address(u32::MAX), None);
    assert_eq!(sector::block([0x00, 0x01, 0x74]), None);
    assert_eq!(sector::block([0x0A, 0x02, 0x00]), None);
    assert_eq!(sector::block([0x00, 0x60, 0x00]), None);
    assert_eq!(sector::block([0x00, 0x02, 0x75]), None);
    for lba in (0..449_850).step_by(37) {
        assert_eq!(sector::block(sector::address(lba).unwrap()), Some(lba));
    }
    let bcd = (0..=99).map(|n| sector::to_bcd(n).unwrap());
    assert!(
        bcd.clone()
            .zip(0..)
            .all(|(b, n)| sector::from_bcd(b) == Some(n))
    );
    assert_eq!(sector::to_bcd(59), Some(0x59));
    assert_eq!(sector::to_bcd(100), None);
    let mut raw = [0; 2352];
    assert!(sector::build(449_850, 8, &[0; 2048], &mut raw).is_err());
    assert!(sector::build(0, 0x28, &[0; 2048], &mut raw).is_err());
}

// PROT.DAT.

/// A table of these words, padded to three sectors.
fn table(words: &[u32]) -> Vec<u8> {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(6144, 0);
    bytes
}

const WORKED: [u32; 9] = [0, 6, 3, 4, 5, 41, 42, 43, 53];

#[test]
fn the_sheets_table_of_contents() {
    let bytes = table(&WORKED);
    let toc = Toc::parse(&bytes, 53).unwrap();
    assert_eq!(toc.len(), 6);
    assert_eq!(toc.archive_sectors(), 53);
    let entry = |first, sectors| Entry { first, sectors };
    assert_eq!(toc.entry(2), Ok(entry(5, 36)));
    assert_eq!(toc.entry(5), Ok(entry(43, 10)));
    assert_eq!(
        toc.entries().collect::<Vec<_>>(),
        [
            entry(3, 1),
            entry(4, 1),
            entry(5, 36),
            entry(41, 1),
            entry(42, 1),
            entry(43, 10)
        ]
    );
    assert_eq!(toc.entry(6), Err(prot::Error::NoSuchEntry { raw: 6 }));
    assert_eq!(
        toc.entry(u32::MAX),
        Err(prot::Error::NoSuchEntry { raw: u32::MAX })
    );
    assert_eq!(prot::extraction_from_raw(5), Some(3));
    assert_eq!(prot::extraction_from_raw(1), None);
    assert_eq!(prot::raw_from_extraction(0), 2);

    let mut out = vec![0xEE; 6150];
    assert_eq!(prot::emit(&[1, 1, 36, 1, 1, 10], &mut out), Ok(53));
    assert_eq!(out[..6144], bytes);
    assert_eq!(out[6144..], [0xEE; 6]);
}

#[test]
fn bad_tables_of_contents() {
    use prot::Error;
    let refused: [(&[u32], u32, Error); 9] = include!("../../tests/battery/tables/bad_tocs.rs");
    for (words, sectors, error) in refused {
        let found = Toc::parse(&table(words), sectors).map(|toc| toc.len());
        assert_eq!(found, Err(error), "{words:?}");
    }
    let bytes = table(&WORKED);
    assert_eq!(
        Toc::parse(&bytes[..6143], 53).map(|toc| toc.len()),
        Err(Error::BadToc {
            offset: 0,
            found: 6143
        })
    );

    let mut out = vec![0; 6144];
    assert_eq!(
        prot::emit(&[], &mut out).unwrap_err(),
        prot::Error::BadToc {
            offset: 4,
            found: 0
        }
    );
    assert_eq!(
        prot::emit(&vec![1; 1534], &mut out).unwrap_err(),
        prot::Error::BadToc {
            offset: 4,
            found: 1534
        }
    );
    assert_eq!(
        prot::emit(&[1, 0], &mut out),
        Err(prot::Error::TocNotTiled { raw: 1 })
    );
    assert_eq!(
        prot::emit(&[1, u32::MAX], &mut out),
        Err(prot::Error::TocNotTiled { raw: 1 })
    );
    assert_eq!(
        prot::emit(&[1], &mut out[..6143]),
        Err(prot::Error::OutputTooSmall { room: 6143 })
    );
    // The fullest table.
    assert_eq!(prot::emit(&vec![1; 1533], &mut out), Ok(1536));
    assert_eq!(Toc::parse(&out, 1536).unwrap().len(), 1533);
}

// CDNAME.TXT.

#[test]
fn names_are_read_tolerantly() {
    let text = b"\r\n; comment\n#define boot 0\n  #define  town01   5 \r\n#define town0c 12\n\
        #define far 990\n#define farther 990\n#define bad x1\n#define minus -3\n#define none\n\
        #define twelve_bytes 40\n#define big 65536\n#define huge 99999999999999999999\n\
        #defines no 1\n#define last 1200";
    assert_eq!(cdname::lookup(text, "boot"), Some(0));
    assert_eq!(cdname::lookup(text, "town01"), Some(5));
    assert_eq!(cdname::lookup(text, "last"), Some(1200));
    for absent in [
        "bad",
        "minus",
        "none",
        "twelve_bytes",
        "big",
        "huge",
        "no",
        "",
        "town",
        "far ",
    ] {
        assert_eq!(cdname::lookup(text, absent), None, "{absent}");
    }
    let name = |raw| cdname::covering(text, raw).map(|d| std::str::from_utf8(d.name).unwrap());
    assert_eq!(name(0), Some("boot"));
    assert_eq!(name(4), Some("boot"));
    assert_eq!(name(11), Some("town01"));
    assert_eq!(name(989), Some("town0c"));
    // Declared twice: the later one counts.
    assert_eq!(name(990), Some("farther"));
    assert_eq!(name(u32::MAX), Some("last"));
    assert_eq!(cdname::covering(b"#define a 3\n", 2), None);
    assert_eq!(cdname::lookup(b"#define a 1\n#define a 2", "a"), Some(2));
}

#[test]
fn the_builder_writes_what_retail_reads() {
    let mut out = [0; 64];
    let mut builder = cdname::Builder::new(&mut out);
    builder.define("demo", 2).unwrap();
    builder.define("a_name_of11", 1533).unwrap();
    builder.define("z", 65_535).unwrap();
    let len = builder.finish();
    assert_eq!(
        out[..len],
        *b"#define demo 2\n#define a_name_of11 1533\n#define z 65535\n"
    );
    assert_eq!(cdname::lookup(&out[..len], "a_name_of11"), Some(1533));
}

#[test]
fn the_builder_refuses_what_retail_would_spoil() {
    let mut out = [0; 4096];
    let mut builder = cdname::Builder::new(&mut out);
    builder.define("one", 1).unwrap();
    for name in [
        "",
        "Upper",
        "twelve_bytes",
        "with blank",
        "dash-ed",
        "\u{e9}",
    ] {
        assert_eq!(
            builder.define(name, 9),
            Err(cdname::Error::BadName { line: 2 }),
            "{name}"
        );
    }
    assert_eq!(
        builder.define("one", 9),
        Err(cdname::Error::BadName { line: 2 })
    );
    assert_eq!(
        builder.define("two", 65_536),
        Err(cdname::Error::BadName { line: 2 })
    );
    assert_eq!(
        builder.define("two", 1),
        Err(cdname::Error::NotAscending { line: 2 })
    );
    builder.define("two", 2).unwrap();
    assert_eq!(builder.finish(), 28);

    // The file stays below 4096 bytes whatever the slice holds: 25 bytes a line here.
    let mut out = vec![0; 8192];
    let mut builder = cdname::Builder::new(&mut out);
    let mut line = 0;
    let refused = loop {
        line += 1;
        if let Err(error) = builder.define(&format!("scene_{line:05}"), 1000 + line) {
            break error;
        }
    };
    let len = builder.finish();
    assert_eq!(refused, cdname::Error::TooLarge { line });
    assert_eq!(len, 4095 / 25 * 25);
    let mut small = [0; 10];
    assert_eq!(
        cdname::Builder::new(&mut small).define("demo", 2),
        Err(cdname::Error::TooLarge { line: 1 })
    );
}

// Bundles.

/// The MAN sheet's worked example.
const MAN: [u8; 167] = include!("../../tests/battery/tables/man.rs");
/// The ANM sheet's synthetic bank.
const BANK: [u8; 84] = include!("../../tests/battery/tables/anm.rs");

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

fn literal(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0; lzs::bound(data.len())];
    assert_eq!(lzs::encode_literal(data, &mut out), Ok(out.len()));
    out
}

fn worked_bundle() -> Vec<u8> {
    assert_eq!(crc32(&MAN), 0xD415_F2C7);
    assert_eq!(crc32(&BANK), 0x68C9_A8A7);
    let (man_stream, bank_stream) = (literal(&MAN), literal(&BANK));
    let members = [
        Packed {
            ty: AssetType::Man,
            size: 167,
            stream: &man_stream,
        },
        Packed {
            ty: AssetType::Move,
            size: 84,
            stream: &bank_stream,
        },
    ];
    let mut out = vec![0xEE; 400];
    let len = bundle::emit(&members, &mut out).unwrap();
    out.truncate(len);
    out
}

#[test]
fn the_sheets_bundle() {
    let bytes = worked_bundle();
    assert_eq!(bytes.len(), 307);
    assert_eq!(
        bytes[..24],
        hex("02 00 00 00 00 00 00 00 A7 00 00 03 18 00 00 00 54 00 00 05 D4 00 00 00")
    );
    assert_eq!(crc32(&bytes), 0x3CC1_E13E);

    let bundle = Bundle::parse(&bytes).unwrap();
    assert_eq!(bundle.len(), 2);
    let man = bundle.find(AssetType::Man).unwrap();
    assert_eq!((man.index, man.size), (0, 167));
    let bank = bundle.find(AssetType::Move).unwrap();
    assert_eq!((bank.index, bank.size, bank.data.len()), (1, 84, 95));
    let mut out = [0; 200];
    assert_eq!(man.decode(&mut out), Ok(167));
    assert_eq!(out[..167], MAN);
    assert_eq!(bank.decode(&mut out), Ok(84));
    assert_eq!(out[..84], BANK);
    assert_eq!(
        bank.decode(&mut out[..83]),
        Err(lzs::Error::OutputTooSmall { want: 84, room: 83 })
    );
    assert_eq!(bundle.find(AssetType::Tmd), None);
    assert_eq!(bundle.member(2), None);
    assert_eq!(bundle.members().count(), 2);
}

#[test]
fn bundles_of_every_type_round_trip_packed() {
    let members: Vec<(AssetType, Vec<u8>)> = AssetType::ALL
        .iter()
        .map(|&ty| (ty, vec![ty.byte(); 40 + usize::from(ty.byte())]))
        .collect();
    let sources: Vec<(AssetType, &[u8])> = members.iter().map(|m| (m.0, &m.1[..])).collect();
    let mut out = vec![0xEE; 4096];
    let len = bundle::emit_decoded(&sources, &mut out, &mut Scratch::new()).unwrap();
    // Padded to a sector, as in the archive.
    out[len..].fill(0);
    let bundle = Bundle::parse(&out).unwrap();
    assert_eq!(bundle.len(), 14);
    for (member, (ty, data)) in bundle.members().zip(&members) {
        assert_eq!(member.ty, *ty);
        let mut decoded = vec![0; data.len()];
        member.decode(&mut decoded).unwrap();
        assert_eq!(decoded, *data);
    }
    for index in 0..14 {
        let at = 12 + 8 * index;
        let offset = u32::from_le_bytes(out[at..at + 4].try_into().unwrap());
        assert_eq!(offset % 4, 0);
    }
}

#[test]
fn members_need_not_lie_in_order() {
    // Member 0 must be first; member 1 lies behind member 2.
    let bytes = hex(
        "03 00 00 00 00 00 00 00  01 00 00 01 20 00 00 00  01 00 00 02 28 00 00 00 \
         01 00 00 03 24 00 00 00  01 11 00 00  01 33 00 00  01 22 00 00",
    );
    let bundle = Bundle::parse(&bytes).unwrap();
    let found: Vec<_> = bundle
        .members()
        .map(|member| {
            let mut out = [0];
            member.decode(&mut out).unwrap();
            (member.data.len(), out[0])
        })
        .collect();
    assert_eq!(found, [(4, 0x11), (4, 0x22), (4, 0x33)]);
}

#[test]
fn types_of_the_sheets_table() {
    let known: Vec<u8> = (0..=255)
        .filter(|&byte| AssetType::from_byte(byte).is_some())
        .collect();
    assert_eq!(
        known,
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0A, 0x0B, 0x0F, 0x14]
    );
    for ty in AssetType::ALL {
        assert_eq!(AssetType::from_byte(ty.byte()), Some(ty));
    }
    let bits = AssetType::ALL.map(AssetType::return_bits);
    assert_eq!(
        bits,
        [
            1, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0, 0xA00, 0x10, 0xF00, 0x1400
        ]
    );
    assert_eq!(AssetType::TimList.to_string(), "TIM_LIST");
    assert!(AssetType::Flag14.is_flag() && !AssetType::Move2.is_flag());
}

#[test]
fn bad_bundles() {
    use bundle::Error;
    let good = worked_bundle();
    let with = |at: usize, change: &[u8]| {
        let mut data = good.clone();
        data[at..at + change.len()].copy_from_slice(change);
        data
    };
    let refused: [(usize, &[u8], Error); 15] =
        include!("../../tests/battery/tables/bad_bundles.rs");
    for (at, change, error) in refused {
        let found = Bundle::parse(&with(at, change)).map(|bundle| bundle.len());
        assert_eq!(found.unwrap_err(), error, "{change:02X?} at {at}");
    }
    let count = |count| Error::BadDescriptorCount { count };
    assert_eq!(
        Bundle::parse(&good[..23]).unwrap_err(),
        count(2),
        "table past the end"
    );
    assert_eq!(Bundle::parse(&[]).unwrap_err(), count(0));
    // Pointer-shaped: 16 MiB and more, though the entry is long enough for it.
    let table = |offset: u32| {
        let data = with(20, &offset.to_le_bytes());
        Table::parse(&data, 1 << 25).map(|table| table.places().count())
    };
    assert_eq!(table(0x00FF_FFFF), Ok(2));
    for offset in [0x0100_0000, 0x01FF_FFFF] {
        assert_eq!(table(offset), Err(Error::BadDescriptorOffset { index: 1 }));
    }
    // A member that needs more than its room. The stream of the MAN ends in a group of seven
    // literals, whose unused eighth flag would be a reference.
    let mut long = good.clone();
    long[8] = 0xC8;
    let bundle = Bundle::parse(&long).unwrap();
    assert_eq!(
        bundle.find(AssetType::Man).unwrap().decode(&mut [0; 256]),
        Err(lzs::Error::TruncatedBackref {
            out: 167,
            want: 200
        })
    );
}

#[test]
fn the_bundle_writer_refuses() {
    let mut out = vec![0; 0x63000];
    let mut scratch = Scratch::new();
    assert_eq!(
        bundle::emit(&[], &mut out),
        Err(bundle::Error::BadDescriptorCount { count: 0 })
    );
    let one = (AssetType::Sin, &[1u8][..]);
    assert_eq!(
        bundle::emit_decoded(&[one; 33], &mut out, &mut scratch),
        Err(bundle::Error::BadDescriptorCount { count: 33 })
    );
    assert_eq!(
        bundle::emit_decoded(&[one, (AssetType::Sin, &[])], &mut out, &mut scratch),
        Err(bundle::Error::BadDescriptorOffset { index: 1 })
    );
    assert_eq!(
        bundle::emit_decoded(&[one, one], &mut out[..29], &mut scratch),
        Err(bundle::Error::OutputTooSmall { index: 1 })
    );
    let stream = vec![0; 0x62C00];
    let packed = Packed {
        ty: AssetType::Sin,
        size: 4 << 20,
        stream: &stream,
    };
    assert_eq!(
        bundle::emit(&[packed], &mut out),
        Err(bundle::Error::EntryTooLarge { size: 0x62C10 })
    );
    let packed = Packed {
        size: (4 << 20) + 1,
        stream: &stream[..8],
        ..packed
    };
    assert_eq!(
        bundle::emit(&[packed], &mut out),
        Err(bundle::Error::SizeLimit { index: 0 })
    );
}

// Packs.

#[test]
fn packs() {
    let bytes = hex("02 00 00 00 03 00 00 00 05 00 00 00 41 42 43 44 45 00 00 00 51 52");
    let pack = Pack::parse(&bytes).unwrap();
    assert_eq!(pack.len(), 2);
    assert_eq!(pack.get(0), Some(&b"ABCDE\0\0\0"[..]));
    assert_eq!(pack.get(1), Some(&b"QR"[..]));
    assert_eq!(pack.get(2), None);
    assert_eq!(pack.get(usize::MAX), None);
    assert_eq!(pack.iter().count(), 2);

    let mut out = [0xEE; 30];
    assert_eq!(pack::emit(&[b"ABCDE", b"QR"], &mut out), Ok(24));
    assert_eq!(out[..22], bytes);
    assert_eq!(out[22..24], [0, 0]);

    let refused: [(&[u32], u32); 10] = include!("../../tests/battery/tables/bad_packs.rs");
    for (words, index) in refused {
        let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let error = pack::Error::BadPack { index };
        assert_eq!(Pack::parse(&data).unwrap_err(), error, "{words:?}");
    }

    assert_eq!(
        pack::emit(&[], &mut out),
        Err(pack::Error::BadPack { index: 0 })
    );
    assert_eq!(
        pack::emit(&[b"A", b""], &mut out),
        Err(pack::Error::BadPack { index: 1 })
    );
    assert_eq!(
        pack::emit(&[b"ABCDE", b"QR"], &mut out[..23]),
        Err(pack::Error::OutputTooSmall { index: 1 })
    );
}

/// TMD/TIM sheet, section 5: offsets count from byte 4, behind a chunk header of type 01.
#[test]
fn standalone_packs() {
    let bytes =
        hex("18 00 00 01 02 00 00 00 03 00 00 00 05 00 00 00 41 42 43 44 45 00 00 00 51 52 00 00");
    let mut out = [0xEE; 40];
    assert_eq!(standalone::emit(&[b"ABCDE", b"QR"], &mut out), Ok(28));
    assert_eq!(out[..28], bytes);
    assert_eq!(out[28..], [0xEE; 12]);
    let read = |data: &[u8]| {
        let pack = standalone::parse(data).unwrap();
        let offsets = [0, 1].map(|index| pack.offset(index).unwrap());
        assert_eq!(offsets, [12, 20]);
        assert_eq!(pack.offset(2), None);
        assert_eq!(pack.len(), 2);
        assert_eq!(pack.get(0), Some(&b"ABCDE\0\0\0"[..]));
        pack.get(1).unwrap().to_vec()
    };
    assert_eq!(read(&bytes), b"QR\0\0");
    assert_eq!(bytes[standalone::HEADER + 20..][..2], *b"QR");
    // The rest of its last sector is no part of the pack, by the size in the header.
    let mut entry = bytes.clone();
    entry.resize(2048, 0);
    assert_eq!(read(&entry), b"QR\0\0");
    // Sizes that tell nothing: the last member ends with the entry.
    for size in [[0, 0, 0], [0xFF, 0xFF, 0x0F]] {
        entry[..3].copy_from_slice(&size);
        assert_eq!(read(&entry).len(), 2048 - 24);
    }
    assert!(standalone::is_standalone(&bytes));
    // A larger size and another type, the magic words of TIM and TMD, a bundle's pack, no word.
    for (header, found) in [
        (&[0, 0, 0x10, 1][..], 0x0110_0000),
        (&[0x18, 0, 0, 2], 0x0200_0018),
        (&[0x10, 0, 0, 0], 0x10),
        (&[2, 0, 0, 0x80], 0x8000_0002),
        (&[2, 0, 0, 0], 2),
        (&[0x18, 0, 0], 0),
    ] {
        assert!(!standalone::is_standalone(header));
        let refused = Err(pack::Error::BadHeader { found });
        assert_eq!(standalone::parse(header).map(|_| ()), refused);
    }
    for (at, value, index) in [(4, 0, 0), (8, 2, 0), (12, 3, 1), (12, 6, 1), (0, 0x14, 1)] {
        let mut bad = bytes.clone();
        bad[at] = value;
        let refused = Err(pack::Error::BadPack { index });
        assert_eq!(standalone::parse(&bad).map(|_| ()), refused, "{at}");
    }
    assert_eq!(
        standalone::emit(&[], &mut out),
        Err(pack::Error::BadPack { index: 0 })
    );
    for room in 0..28 {
        let refused = standalone::emit(&[b"ABCDE", b"QR"], &mut out[..room]);
        assert!(
            matches!(refused, Err(pack::Error::OutputTooSmall { .. })),
            "{room}"
        );
    }
    // The largest: a size below 1 MiB.
    let body = vec![1; (1 << 20) - 8];
    let mut out = vec![0; 1 << 21];
    let largest = &body[..body.len() - 4];
    assert_eq!(standalone::emit(&[largest], &mut out), Ok(1 << 20));
    assert_eq!(standalone::parse(&out).unwrap().get(0), Some(largest));
    assert_eq!(
        standalone::emit(&[&body], &mut out),
        Err(pack::Error::TooLarge { size: 1 << 20 })
    );
}

// Chunks.

#[test]
fn chunks() {
    let bytes = hex("04 00 00 01 41 42 43 44 08 00 00 05 1 2 3 4 5 6 7 8 00 00 00 02 FF");
    let found: Vec<_> = Chunks::new(&bytes).collect();
    let first = Chunk {
        ty: 1,
        data: b"ABCD",
    };
    let second = Chunk {
        ty: 5,
        data: &[1, 2, 3, 4, 5, 6, 7, 8],
    };
    assert_eq!(found, [Ok(first), Ok(second)]);
    let mut out = [0xEE; 24];
    assert_eq!(chunk::emit(&[first, second], &mut out), Ok(24));
    assert_eq!(out[..20], bytes[..20]);
    assert_eq!(out[20..], [0; 4]);

    // An odd size: the next header lies at the size rounded down.
    let odd = hex("05 00 00 01 41 42 43 44 00 00 00 00");
    let found: Vec<_> = Chunks::new(&odd).collect();
    assert_eq!(
        found,
        [Ok(Chunk {
            ty: 1,
            data: b"ABCD\0"
        })]
    );

    let refused: [(&[u8], usize); 5] = include!("../../tests/battery/tables/bad_chunks.rs");
    for (data, offset) in refused {
        assert_eq!(
            Chunks::new(data).last(),
            Some(Err(chunk::Error::TruncatedChunk { offset })),
            "{data:02X?}"
        );
    }
    let uneven = Chunk {
        ty: 1,
        data: b"ABC",
    };
    assert_eq!(
        chunk::emit(&[first, uneven], &mut out),
        Err(chunk::Error::BadSize { offset: 8 })
    );
    assert_eq!(
        chunk::emit(&[first, second], &mut out[..23]),
        Err(chunk::Error::OutputTooSmall { offset: 20 })
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn tables_of_contents_round_trip(sizes in prop::collection::vec(1u32..500, 1..200)) {
        let mut out = vec![0xEE; 6144];
        let end = prot::emit(&sizes, &mut out).unwrap();
        prop_assert_eq!(end, 3 + sizes.iter().sum::<u32>());
        let toc = Toc::parse(&out, end).unwrap();
        prop_assert_eq!(toc.entries().map(|e| e.sectors).collect::<Vec<_>>(), sizes);
        prop_assert_eq!(toc.archive_sectors(), end);
    }

    #[test]
    fn packs_round_trip(
        bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..30), 1..20),
    ) {
        let slices: Vec<&[u8]> = bodies.iter().map(|body| &body[..]).collect();
        let mut out = vec![0xEE; 1024];
        let len = pack::emit(&slices, &mut out).unwrap();
        let pack = Pack::parse(&out[..len]).unwrap();
        prop_assert_eq!(pack.len(), bodies.len());
        for (found, body) in pack.iter().zip(&bodies) {
            prop_assert_eq!(&found[..body.len()], &body[..]);
            prop_assert!(found.len() - body.len() < 4);
            prop_assert!(found[body.len()..].iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn chunks_round_trip(
        chunks in prop::collection::vec(
            (any::<u8>(), prop::collection::vec(any::<[u8; 4]>(), 1..20)),
            0..12,
        ),
        behind in prop::collection::vec(any::<u8>(), 0..9),
    ) {
        let sources: Vec<Chunk<'_>> = chunks
            .iter()
            .map(|(ty, words)| Chunk { ty: *ty, data: words.as_flattened() })
            .collect();
        let mut out = vec![0xEE; 2048];
        let len = chunk::emit(&sources, &mut out).unwrap();
        let size: usize = sources.iter().map(|it| 4 + it.data.len()).sum();
        prop_assert_eq!(len, size + 4);
        out.truncate(len);
        // What follows the terminator does not count.
        out.extend(&behind);
        let found: Result<Vec<_>, _> = Chunks::new(&out).collect();
        prop_assert_eq!(found.unwrap(), sources);
        // Cut anywhere before it, the end is missed.
        for end in 0..len {
            prop_assert!(Chunks::new(&out[..end]).any(|it| it.is_err()), "{}", end);
        }
    }

    #[test]
    fn name_lists_round_trip(
        lines in prop::collection::btree_map(0u32..=0xFFFF, "[a-z0-9_]{1,11}", 0..40),
    ) {
        let mut out = [0xEE; 2048];
        let mut builder = cdname::Builder::new(&mut out);
        let mut kept: Vec<(&str, u32)> = Vec::new();
        for (&raw, name) in &lines {
            let twice = kept.iter().any(|it| it.0 == name);
            prop_assert_eq!(builder.define(name, raw).is_ok(), !twice, "{}", name);
            if !twice {
                kept.push((name, raw));
            }
        }
        let len = builder.finish();
        let text = &out[..len];
        let found: Vec<_> = cdname::defines(text)
            .map(|it| (std::str::from_utf8(it.name).unwrap(), it.raw))
            .collect();
        prop_assert_eq!(&found, &kept);
        for &(name, raw) in &kept {
            prop_assert_eq!(cdname::lookup(text, name), Some(raw));
            prop_assert_eq!(cdname::covering(text, raw).map(|it| it.raw), Some(raw));
        }
        // What the game's own reader needs: every line begins with '#', the last one is ended.
        let lines: Vec<_> = text.split_inclusive(|&byte| byte == b'\n').collect();
        prop_assert_eq!(lines.len(), kept.len());
        prop_assert!(lines.iter().all(|it| it[0] == b'#' && it.ends_with(b"\n")));
    }

    #[test]
    fn sectors_round_trip(
        lba in 0u32..449_850,
        submode in any::<u8>(),
        seed in any::<u64>(),
        damage in (0x010usize..sector::RAW, 0u8..8),
    ) {
        let mut state = seed | 1;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        let (at, bit) = damage;
        let mut raw = [0xEE; sector::RAW];
        let data: [u8; 2048] = std::array::from_fn(|_| noise());
        let form1 = submode & !sector::SUBMODE_FORM2;
        sector::build(lba, form1, &data, &mut raw).unwrap();
        prop_assert_eq!(sector::check(&raw), Ok(&data));
        prop_assert_eq!(sector::data(&raw), Ok((lba, &data)));
        prop_assert_eq!(sector::inspect(&raw), Ok((lba, sector::Contents::Form1(&data))));
        prop_assert_eq!(&raw[0x010..0x018], [0, 0, form1, 0, 0, 0, form1, 0]);
        let mut sealed = raw;
        sector::seal(&mut sealed);
        prop_assert_eq!(sealed, raw);
        raw[at] ^= 1 << bit;
        prop_assert!(sector::check(&raw).is_err(), "{:#x}", at);

        let data: [u8; sector::FORM2] = std::array::from_fn(|_| noise());
        let form2 = submode | sector::SUBMODE_FORM2;
        sector::build_form2(lba, submode, &data, &mut raw).unwrap();
        prop_assert_eq!(sector::inspect(&raw), Ok((lba, sector::Contents::Form2(&data))));
        prop_assert_eq!(sector::check(&raw), Err(sector::Error::UnexpectedForm2 { lba }));
        prop_assert_eq!(&raw[0x010..0x018], [0, 0, form2, 0, 0, 0, form2, 0]);
        raw[at] ^= 1 << bit;
        // The bit of the form itself makes another kind of sector of it.
        prop_assert!(!matches!(
            sector::inspect(&raw),
            Ok((_, sector::Contents::Form1(_)))
        ));
        prop_assert_ne!(
            sector::inspect(&raw),
            Ok((lba, sector::Contents::Form2(&data)))
        );
    }

    #[test]
    fn standalone_packs_round_trip(
        bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..30), 1..20),
        behind in 0usize..100,
    ) {
        let slices: Vec<&[u8]> = bodies.iter().map(|body| &body[..]).collect();
        let mut out = vec![0; 2048];
        let len = standalone::emit(&slices, &mut out).unwrap();
        let pack = standalone::parse(&out[..len + behind]).unwrap();
        prop_assert_eq!(pack.len(), bodies.len());
        for (index, body) in bodies.iter().enumerate() {
            let at = standalone::HEADER + pack.offset(index).unwrap();
            prop_assert_eq!(&out[at..at + body.len()], &body[..]);
            let found = pack.get(index).unwrap();
            prop_assert_eq!(found.len(), body.len().next_multiple_of(4));
            prop_assert!(found[body.len()..].iter().all(|&byte| byte == 0));
        }
    }

    #[test]
    fn bundles_round_trip(
        members in prop::collection::vec(
            (0usize..14, prop::collection::vec(0u8..4, 1..300)),
            1..33,
        ),
    ) {
        let sources: Vec<(AssetType, &[u8])> = members
            .iter()
            .map(|(ty, data)| (AssetType::ALL[*ty], &data[..]))
            .collect();
        let mut out = vec![0xEE; 0x4000];
        let len = bundle::emit_decoded(&sources, &mut out, &mut Scratch::new()).unwrap();
        let bundle = Bundle::parse(&out[..len]).unwrap();
        prop_assert_eq!(bundle.len(), members.len());
        for (member, (ty, data)) in bundle.members().zip(&sources) {
            prop_assert_eq!(member.ty, *ty);
            let mut decoded = vec![0; data.len()];
            prop_assert_eq!(member.decode(&mut decoded), Ok(data.len()));
            prop_assert_eq!(&decoded[..], *data);
        }
    }

    /// Any bytes are read or refused, never a panic.
    #[test]
    fn hostile_containers(mut data in prop::collection::vec(any::<u8>(), 0..400), count in 0u8..40) {
        for leading in [None, Some(count)] {
            if let (Some(count), true) = (leading, data.len() >= 4) {
                data[..4].copy_from_slice(&[count, 0, 0, 0]);
            }
            if let Ok(bundle) = Bundle::parse(&data) {
                prop_assert_eq!(bundle.members().count(), bundle.len());
            }
            if let Ok(pack) = Pack::parse(&data) {
                prop_assert_eq!(pack.iter().count(), pack.len());
            }
            if let Ok(pack) = standalone::parse(&data) {
                prop_assert_eq!(pack.iter().count(), pack.len());
            }
            prop_assert!(Chunks::new(&data).count() <= data.len() / 4 + 1);
            let _ = cdname::lookup(&data, "demo");
            let _ = cdname::covering(&data, 3);
            let _ = Toc::parse(&data, 99).is_ok();
        }
    }
}
