//! Packs, single packs and chunks.

use super::common::hex;
use overworld_runtime::disc::chunk::{self, Chunk, Chunks};
use overworld_runtime::disc::pack::{self, Pack, standalone};

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

    let refused: [(&[u32], u32); 10] = include!("../../../tests/battery/tables/bad_packs.rs");
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

    let refused: [(&[u8], usize); 5] = include!("../../../tests/battery/tables/bad_chunks.rs");
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
