//! Raw sectors: the worked ones, damage, addresses.

use super::common::built;
use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::sector;

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
    let vectors: [Vector; 3] = include!("../../../tests/battery/tables/sectors.rs");
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
