//! Single values (10.1) and the reader by itself.

use overworld_runtime::anim::ff8::{BitReader, BitWriter, Event, replay};

#[derive(Clone, Copy)]
enum Kind {
    Location(u8),
    Rotation(u8),
    Absent,
    Scale,
}
use Kind::{Absent, Location, Rotation, Scale};

/// A kind (location, rotation, scale), its value, its bytes, its bits.
const FIELDS: [(u8, i16, [u8; 3], u8); 38] =
    include!("../../../tests/battery/tables/ff8_fields.rs");

/// The rows of 10.1: what is written, its bits and its bytes. Which form a value has, its bits tell.
fn rows() -> impl Iterator<Item = (Kind, i16, u32, Vec<u8>)> {
    FIELDS.into_iter().map(|(kind, value, bytes, bits)| {
        let form = match (kind, bits) {
            (0, 5) => Location(0),
            (0, 8) => Location(1),
            (0, 11) => Location(2),
            (0, 18) => Location(3),
            (1, 1) => Absent,
            (1, 6) => Rotation(0),
            (1, 9) => Rotation(1),
            (1, 11) => Rotation(2),
            (1, 15) => Rotation(3),
            (2, 1 | 17) => Scale,
            _ => panic!("no kind {kind} has {bits} bits"),
        };
        let bytes = bytes[..usize::from(bits).div_ceil(8)].to_vec();
        (form, value, bits.into(), bytes)
    })
}

fn event(kind: Kind, value: i16) -> Event {
    match kind {
        Location(ty) => Event::Location { ty, value },
        Rotation(ty) => Event::Rotation(Some((ty, value))),
        Absent => Event::Rotation(None),
        Scale if value == 1024 => Event::Scale(None),
        Scale => Event::Scale(Some(value - 1024)),
    }
}

fn read(kind: Kind, reader: &mut BitReader<'_>) -> Option<i16> {
    match kind {
        Location(_) => reader.location(),
        Rotation(_) | Absent => reader.rotation(),
        Scale => reader.scale(),
    }
}

#[test]
fn rows_1_to_38_read_and_written_at_every_bit() {
    for (row, (kind, value, bits, bytes)) in (1..).zip(rows()) {
        let mut out = [0xFF; 4];
        let mut writer = BitWriter::new(&mut out);
        replay([event(kind, value)], &mut writer).unwrap();
        assert_eq!(writer.position(), bits as usize, "row {row}");
        let used = writer.bytes();
        assert_eq!(out[..used], bytes[..], "row {row}");
        assert_eq!(out[used..], [0xFF; 4][used..], "row {row}");

        for lead in 0..70 {
            // What stands around the field does not matter.
            for around in [0, u32::MAX] {
                let mut data = [0xAA; 16];
                let mut writer = BitWriter::new(&mut data);
                for _ in 0..lead {
                    writer.bits(around, 1).unwrap();
                }
                replay([event(kind, value)], &mut writer).unwrap();
                let end = writer.position();
                writer.bits(around, 8).unwrap();
                let mut reader = BitReader::new(&data, lead / 8, (lead % 8) as u8);
                assert_eq!(reader.position(), (lead / 8, (lead % 8) as u8));
                assert_eq!(read(kind, &mut reader), Some(value), "row {row} at {lead}");
                assert_eq!(reader.position(), (end / 8, (end % 8) as u8), "row {row}");
            }
        }
    }
}

#[test]
fn the_last_bit_can_be_read_and_one_more_cannot() {
    for (row, (kind, value, bits, bytes)) in (1..).zip(rows()) {
        for lead in 0..24_usize {
            let length = lead + bits as usize;
            let mut data = vec![0; length.div_ceil(8)];
            let mut writer = BitWriter::new(&mut data);
            for _ in 0..lead {
                writer.bits(1, 1).unwrap();
            }
            replay([event(kind, value)], &mut writer).unwrap();
            let mut reader = BitReader::new(&data, lead / 8, (lead % 8) as u8);
            assert_eq!(read(kind, &mut reader), Some(value), "row {row} at {lead}");
            let spare = reader.left();
            assert_eq!(spare, data.len() * 8 - length);
            for _ in 0..spare {
                assert_eq!(reader.bits(1), Some(0));
            }
            assert_eq!(reader.bits(1), None);
            assert_eq!(reader.left(), 0);

            // A byte less: as much as there is stays where it is.
            let short = &data[..data.len() - 1];
            let mut reader = BitReader::new(short, lead / 8, (lead % 8) as u8);
            let (at, left) = (reader.position(), reader.left());
            if left < bits as usize {
                assert_eq!(read(kind, &mut reader), None, "row {row} at {lead}");
                assert_eq!((reader.position(), reader.left()), (at, left));
            }
        }
        assert!(!bytes.is_empty());
    }
}

/// Bit by bit, as the sheet has it (section 5).
fn reference(data: &[u8], at: usize, count: u32) -> Option<u32> {
    (0..count as usize).try_fold(0, |sum, n| {
        let byte = data.get((at + n) / 8)?;
        Some(sum | u32::from(byte >> ((at + n) % 8) & 1) << n)
    })
}

#[test]
fn raw_reads_are_those_of_the_reference() {
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    for _ in 0..2_000 {
        let length = random() as usize % 24;
        let data: Vec<u8> = (0..length).map(|_| random() as u8).collect();
        let mut at = random() as usize % (8 * length + 1);
        let mut reader = BitReader::new(&data, at / 8, (at % 8) as u8);
        loop {
            let count = 1 + random() % 18;
            let expected = reference(&data, at, count);
            let read = match random() % 2 {
                0 => reader.bits(count),
                _ => reader
                    .signed(count)
                    .map(|it| it as u32 & (u32::MAX >> (32 - count))),
            };
            assert_eq!(read, expected);
            if expected.is_none() {
                break;
            }
            at += count as usize;
            assert_eq!(reader.position(), (at / 8, (at % 8) as u8));
        }
        assert_eq!(reader.left(), 8 * length - at);
    }
    // Past the end there is nothing, wherever that is.
    for (byte, bit) in [(3, 0), (3, 7), (4, 1), (usize::MAX, 7)] {
        let mut reader = BitReader::new(&[1, 2, 3], byte, bit);
        assert_eq!((reader.left(), reader.bits(1)), (0, None));
    }
}
