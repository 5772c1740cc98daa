//! E13: names of types, and the walk to the code.

use overworld_runtime::llama::stpc::{
    HEADER, Model, ModelSource, emit, name_words, size, spawn_words,
};
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

/// The words that a spawn reads are no code, nor is a target that nothing spawns.
#[test]
fn inline_words_are_no_code() {
    let name = hex("D4 00 00 00 EA 00 00 00 04 00 00 00 00 00 00 00");
    let named = |text: &'static [u8]| [&name[..], text].concat();
    let (inner, outer) = (named(b"Inner\0"), named(b"Outer\0"));
    // A word before the name, six or one of which are another instruction's.
    for (op, inline) in [("E0 00 00 00", 6), ("94 00 07 00", 6), ("B2 00 00 00", 1)] {
        for within in 0..inline {
            let mut code = hex(op);
            let mut words = vec![0_u8; 4 * inline];
            // D4, EA and what is behind it, as far as they fit in.
            let text = [0xD4, 0xEA, 0x1000_u32].map(u32::to_le_bytes).concat();
            let room = (4 * inline - 4 * within).min(12);
            words[4 * within..][..room].copy_from_slice(&text[..room]);
            code.extend(words);
            let own = code.len();
            code.extend(&outer);
            let data = chunk(&[(0x80, &code), (0x1000, &inner)]);
            let found = Stpc::raw(&data).name(0x80);
            assert_eq!(found, Name::Own("Outer"), "{op}, {within}, {own}");
        }
    }
    // As far as the search goes they count.
    let code = [&hex("E0 00 00 00")[..], &[0; 24]].concat().repeat(9);
    let data = chunk(&[(0x80, &code), (0x80 + 9 * 28, &outer)]);
    assert_eq!(Stpc::raw(&data).name(0x80), Name::Own("Outer"));
    let data = chunk(&[(0x80, &code), (0x80 + 9 * 28 + 4, &outer)]);
    assert_eq!(Stpc::raw(&data).name(0x80), Name::Unknown(0x80));
    // A name whose text is none ends the search: the first hit wins.
    let bad = hex("D4 00 00 00 EA 00 00 00 00 00 00 70");
    let data = chunk(&[(0x80, &bad), (0x90, &outer)]);
    assert_eq!(Stpc::raw(&data).name(0x80), Name::Unknown(0x80));
}

/// E13 by the writers: words of a name, forward and backward, and of a stub.
#[test]
fn names_and_stubs_are_written() {
    let bytes =
        |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|it| it.to_le_bytes()).collect() };
    assert_eq!(
        bytes(&name_words(0x10, 0x40)),
        hex("D4 00 00 00 EA 00 00 00 24 00 00 00")
    );
    assert_eq!(
        bytes(&name_words(0x30, 0)),
        hex("D4 00 00 00 EA 00 00 00 C4 FF FF FF")
    );
    let stub = spawn_words(0x2000, [1, 2, 3, 4, 5, 6]);
    assert_eq!(
        bytes(&stub[..3]),
        hex("B2 00 00 00 00 20 00 00 E0 00 00 00")
    );
    let name = bytes(&name_words(0x2000, 0x2010));
    let data = chunk(&[
        (0x80, &bytes(&stub)),
        (0x2000, &name),
        (0x2010, b"SmashPot\0"),
    ]);
    assert_eq!(Stpc::raw(&data).name(0x80), Name::Spawn("SmashPot"));
}

/// A chunk of two models, two animations and code, there and back.
#[test]
fn chunks_of_code_are_written() {
    let mut header = [7; HEADER];
    header[0x70..0x78].fill(9);
    let other = ModelSource {
        header,
        bones: &[1, 0, 2, 0],
        vertices: &[3; 2 * 24],
        faces: &[4; 28],
        collision: [&[5; 32], &[], &[6; 64]],
    };
    let plain = ModelSource {
        bones: &[],
        vertices: &[],
        faces: &[],
        collision: [&[]; 3],
        ..other
    };
    let models = [other, plain];
    let rest = [&[8; 2 * 0x20][..], b"code of it all"].concat();
    let mut out = [0xEE; 800];
    let len = emit(&models, 2, &rest, &mut out).unwrap();
    assert_eq!(len, size(&models) + rest.len());
    let data = &out[..len];
    let stpc = Stpc::parse(data, Flags(0)).unwrap();
    assert_eq!(stpc.animations(), 2);
    assert_eq!(stpc.code(), (size(&models) + 0x40, false));
    assert!(data.ends_with(&rest));
    let read: Vec<_> = stpc.models().collect();
    assert_eq!((read.len(), read[0].bones, read[1].bones), (2, 2, 0));
    let counts = read[0].counts;
    assert_eq!(
        (counts.vertices, counts.faces, counts.collision),
        (2, 1, [1, 0, 2])
    );
    // Again from what was read.
    let parts = |model: &Model<'_>| {
        let mut at = 0;
        let mut next = |len: usize| {
            at += len;
            model.data[at - len..at].to_vec()
        };
        let counts = model.counts;
        let [floor, ceiling, wall] = counts.collision;
        [
            2 * usize::from(model.bones),
            24 * usize::from(counts.vertices),
            28 * usize::from(counts.faces),
            32 * usize::from(floor),
            32 * usize::from(ceiling),
            32 * usize::from(wall),
        ]
        .map(&mut next)
    };
    let parts: Vec<_> = read.iter().map(parts).collect();
    let again: Vec<_> = read
        .iter()
        .zip(&parts)
        .map(
            |(model, [bones, vertices, faces, floor, ceiling, wall])| ModelSource {
                header: model.header.try_into().unwrap(),
                bones,
                vertices,
                faces,
                collision: [floor, ceiling, wall],
            },
        )
        .collect();
    let mut second = vec![0; len];
    assert_eq!(emit(&again, 2, &rest, &mut second), Ok(len));
    assert_eq!(second, data);
    for room in 0..len {
        let full = Error::OutputTooSmall { room };
        assert_eq!(emit(&models, 2, &rest, &mut second[..room]), Err(full));
    }
    let half = Error::ModelsSize {
        expected: 2,
        len: 3,
    };
    let odd = ModelSource {
        bones: &[0; 3],
        ..plain
    };
    assert_eq!(emit(&[odd], 0, &[], &mut out), Err(half));
    let headers = Error::ModelsSize {
        expected: 96,
        len: 78,
    };
    assert_eq!(emit(&models, 3, &rest, &mut out), Err(headers));
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
