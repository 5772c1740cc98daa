//! Scene bundles.

use super::common::hex;
use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::bundle::{self, AssetType, Bundle, Packed, Table};
use overworld_runtime::lzs::{self, Scratch};

/// The MAN sheet's worked example.
const MAN: [u8; 167] = include!("../../../tests/battery/tables/man.rs");

/// The ANM sheet's synthetic bank.
const BANK: [u8; 84] = include!("../../../tests/battery/tables/anm.rs");

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
        include!("../../../tests/battery/tables/bad_bundles.rs");
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
