//! E13: names of types, and the walk to the code.

use overworld_runtime::llama::trak::Error;
use overworld_runtime::llama::{Flags, Name, Stpc};

use super::fixtures::hex;

/// A chunk of zeros with these bytes at these places.
fn chunk(parts: &[(usize, &[u8])]) -> Vec<u8> {
    let mut data = vec![0; 0x2100];
    for (at, bytes) in parts {
        data[*at..at + bytes.len()].copy_from_slice(bytes);
    }
    data
}

#[test]
fn e13_names() {
    let forward = hex("D4 00 00 00 EA 00 00 00 24 00 00 00");
    let backward = hex("D4 00 00 00 EA 00 00 00 C4 FF FF FF");
    let stub = hex("44 00 05 00 B2 00 00 00 10 00 00 00 E0 00 00 00");
    let data = chunk(&[
        (0, b"Coin\0"),
        (0x10, &forward),
        (0x30, &backward),
        (0x40, b"Llama\0"),
        (0x100, &stub),
    ]);
    let stpc = Stpc::raw(&data);
    assert_eq!(stpc.name(0x10), Name::Own("Llama"));
    assert_eq!(stpc.name(0x30), Name::Own("Coin"));
    assert_eq!(stpc.name(0x100), Name::Spawn("Llama"));
    assert_eq!(stpc.name(0x100).to_string(), "Llama(spawn)");
    // The first hit wins, also from further away; both are hit from before them.
    assert_eq!(stpc.name(0x0C), Name::Own("Llama"));
    assert_eq!(stpc.name(0x14), Name::Own("Coin"));
    // 64 words are searched.
    let far = chunk(&[(0x40, b"Llama\0"), (0x10, &forward), (0x1000, &stub)]);
    let far = Stpc::raw(&far);
    assert_eq!(far.name(0x1004 - 4 * 63), Name::Spawn("Llama"));
    assert_eq!(far.name(0x1004 - 4 * 64), Name::Unknown(0x0F04));
    assert_eq!(stpc.name(0x1F04).to_string(), "?1F04");
    assert_eq!(stpc.name(u32::MAX), Name::Unknown(u32::MAX));
    let names: Vec<_> = stpc.names().collect();
    assert_eq!(names, [(0x10, "Llama"), (0x30, "Coin")]);
}

#[test]
fn the_stub_of_the_sheet() {
    let stub = hex("44 00 05 00 B2 00 00 00 00 20 00 00 E0 00 00 00");
    let name = hex("D4 00 00 00 EA 00 00 00 04 00 00 00 00 00 00 00");
    let data = chunk(&[(0x80, &stub), (0x2000, &name), (0x2010, b"SmashPot\0")]);
    assert_eq!(Stpc::raw(&data).name(0x80), Name::Spawn("SmashPot"));
    // A stub that leads to a stub is not followed, nor one that leads out.
    let twice = hex("B2 00 00 00 80 00 00 00 E0 00 00 00");
    let out = hex("B2 00 00 00 F0 FF FF FF E0 00 00 00");
    let data = chunk(&[
        (0x80, &stub),
        (0x100, &twice),
        (0x200, &out),
        (0x2000, &name),
    ]);
    assert_eq!(Stpc::raw(&data).name(0x100), Name::Unknown(0x100));
    assert_eq!(Stpc::raw(&data).name(0x200), Name::Unknown(0x200));
}

#[test]
fn texts_are_bounded_and_printable() {
    let name = hex("D4 00 00 00 EA 00 00 00 00 00 00 00");
    let with = |text: &[u8]| {
        let data = chunk(&[
            (0x20F4 - text.len() - 12, &name),
            (0x20F4 - text.len(), text),
        ]);
        let code = (0x20F4 - text.len() - 12) as u32;
        Stpc::raw(&data).name(code).text().map(str::to_owned)
    };
    assert_eq!(
        with(&[&[b'a'; 63][..], b"\0"].concat()),
        Some("a".repeat(63))
    );
    assert_eq!(with(&[&[b'a'; 64][..], b"\0"].concat()), None);
    assert_eq!(with(b"\0"), None);
    assert_eq!(with(b"a\x1b[m\0"), None);
    assert_eq!(with(b"Lama\xE4\0"), None);
    // Out of the chunk on both sides, and without an end.
    for relative in ["00 21 00 00", "FF FF FF 7F", "00 00 00 80", "F3 FF FF FF"] {
        let name = hex(&format!("D4 00 00 00 EA 00 00 00 {relative}"));
        let data = chunk(&[(0, &name)]);
        assert_eq!(Stpc::raw(&data).name(0), Name::Unknown(0), "{relative}");
    }
    let data = [&hex("D4 00 00 00 EA 00 00 00 00 00 00 00")[..], b"open"].concat();
    assert_eq!(Stpc::raw(&data).name(0), Name::Unknown(0));
    assert_eq!(Stpc::raw(&data).names().count(), 0);
}

#[test]
fn models_lead_to_the_code() {
    // One model: 2 bones, 1 vertex, 1 face, 1 wall entry; then two animations.
    let mut header = vec![0; 0x8C];
    header[0x6C] = 1;
    header[0x6E] = 1;
    header[0x7C] = 1;
    header[0x86] = 2;
    let body = vec![0; 4 + 24 + 28 + 32];
    let mut data = [&[1, 0, 0, 0][..], &header, &body].concat();
    let models = data.len();
    data.extend([0; 4]);
    data.extend([0; 100]);
    let stpc = Stpc::parse(&data, Flags(0)).unwrap();
    assert_eq!((stpc.code(), stpc.animations()), ((models + 4, true), 0));
    let model = stpc.models().next().unwrap();
    assert_eq!(
        (model.offset, model.bones, model.data.len()),
        (4, 2, body.len())
    );
    assert!(stpc.is_code(models as u32 + 4) && !stpc.is_code(models as u32 + 3));
    assert!(!stpc.is_code(data.len() as u32));
    assert_eq!(
        Stpc::parse(&data, Flags(Flags::GROUPS)).unwrap().code(),
        (models + 4, false)
    );
    data[models] = 2;
    let stpc = Stpc::parse(&data, Flags(0)).unwrap();
    assert_eq!(stpc.code(), (models + 4 + 0x40, false));
    for word in [4, u32::MAX] {
        data[models..models + 4].copy_from_slice(&word.to_le_bytes());
        let need = u64::from(word) * 32;
        let offset = models + 4;
        let error = Error::ModelsTruncated { offset, need };
        assert_eq!(Stpc::parse(&data, Flags(0)).unwrap_err(), error);
    }
    for len in 0..models + 4 {
        assert!(Stpc::parse(&data[..len], Flags(0)).is_err(), "{len}");
    }
    for word in [2, u32::MAX] {
        data[..4].copy_from_slice(&word.to_le_bytes());
        assert!(Stpc::parse(&data, Flags(0)).is_err());
    }
}
