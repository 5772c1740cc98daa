//! E14 and E15: the container, a whole level, and the smaller chunks.

use overworld_runtime::bytes::crc32;
use overworld_runtime::llama::Note;
use overworld_runtime::llama::chunks::{self, Sound, Texts};
use overworld_runtime::llama::light::{self, Kind, Light, lights};
use overworld_runtime::llama::map::{self, Block};
use overworld_runtime::llama::wad::{self, Chunk, Error};
use overworld_runtime::llama::{Flags, Float, Level, LevelError, Map, Record, Tag, Wad};

use super::fixtures::*;

/// E14 with some chunks changed.
fn level(change: impl FnOnce(&mut Vec<(Tag, Vec<u8>)>)) -> Vec<u8> {
    let mut chunks = vec![
        (Tag::INFO, hex("01 00 00 00")),
        (Tag::VERS, hex("01 00 00 00")),
        (Tag::WFPC, FULL.0.to_le_bytes().to_vec()),
        (Tag::TRAK, trak()),
        (Tag::MAP, full()),
    ];
    change(&mut chunks);
    let chunks: Vec<(Tag, &[u8])> = chunks.iter().map(|(tag, data)| (*tag, &data[..])).collect();
    let mut out = vec![0xEE; 20_000];
    let len = wad::emit(&chunks, &mut out).unwrap();
    out.truncate(len);
    out
}

#[test]
fn e14_wad() {
    let data = level(|_| {});
    assert_eq!((data.len(), crc32(&data)), (1422, 0x8C26_323B));
    assert!(data.starts_with(&hex(
        "8A 05 00 00 4F 46 4E 49 04 00 00 00 01 00 00 00 53 52 45 56 04 00 00 00 01 00 00 00
         43 50 46 57 04 00 00 00 10 00 21 14 4B 41 52 54 C0 01 00 00"
    )));
    assert!(data.ends_with(&hex("20 44 4E 45 00 00 00 00")));
    let wad = Wad::parse(&data).unwrap();
    assert!(wad.is_stated_right() && wad.after().is_empty());
    let tags: Vec<_> = wad.chunks().map(|it| it.tag.to_string()).collect();
    assert_eq!(tags, ["INFO", "VERS", "WFPC", "TRAK", "MAP "]);
    assert_eq!(wad.find(Tag::MAP).unwrap().data, full());
    assert_eq!(wad.find(Tag::STPC), None);
    assert_eq!(wad.find(Tag::new(b"NONE")), None);
    let level = Level::parse(&data).unwrap();
    assert_eq!((level.flags, level.map.tiles().len()), (FULL, 3));
    assert_eq!(level.map.bytes(), full());
    assert_eq!(&data[level.map_start..][..910], full());
    let mut found = 0;
    level.check(&mut |_| found += 1, &mut |note| panic!("{note}"));
    // The carried frames of the example.
    assert_eq!(found, 1);
}

#[test]
fn a_chunk_is_replaced_and_all_else_kept() {
    let mut data = level(|_| {});
    data.extend(b"behind");
    // A wrong size word stays as long as no size changes.
    data[0] = 7;
    let wad = Wad::parse(&data).unwrap();
    assert_eq!(
        (wad.after(), wad.is_stated_right()),
        (&b"behind"[..], false)
    );
    let mut out = vec![0xEE; data.len() + 100];
    let len = wad.replace(Tag::MAP, &full(), &mut out).unwrap();
    assert_eq!(out[..len], data);
    let len = wad
        .replace(Tag::VERS, b"longer than it was", &mut out)
        .unwrap();
    let again = Wad::parse(&out[..len]).unwrap();
    assert!(again.is_stated_right());
    assert_eq!(again.find(Tag::VERS).unwrap().data, b"longer than it was");
    assert_eq!(again.find(Tag::MAP).unwrap().data, full());
    assert_eq!(again.after(), b"behind");
    let tag = Tag::LGHT;
    assert_eq!(
        wad.replace(tag, &[], &mut out),
        Err(Error::NoSuchChunk { tag })
    );
    for room in [0, 3, 30, data.len() - 1] {
        let error = wad.replace(Tag::MAP, &full(), &mut vec![0; room]);
        assert_eq!(error, Err(Error::OutputTooSmall { room }));
    }
}

#[test]
fn malformed_containers() {
    let data = level(|_| {});
    let headers = [4, 16, 28, 40, 496];
    let boundaries = [4, 16, 28, 40, 496, 1414];
    for len in 0..data.len() - 8 {
        let error = Wad::parse(&data[..len]).unwrap_err();
        if boundaries.contains(&len) {
            assert_eq!(error, Error::MissingEnd { offset: len });
        } else {
            let header = headers.iter().rev().find(|&&it| it < len);
            let offset = if len < 4 { 0 } else { *header.unwrap() };
            let tag = data.get(offset..len).filter(|it| it.len() >= 4 && len >= 4);
            let tag = tag.map(|it| Tag(u32::from_le_bytes([it[0], it[1], it[2], it[3]])));
            assert_eq!(error, Error::WadTruncated { offset, tag }, "{len}");
        }
    }
    // Of the last chunk only the tag is missing, or its size.
    for len in data.len() - 8 + 1..data.len() {
        assert!(matches!(
            Wad::parse(&data[..len]),
            Err(Error::WadTruncated { offset: 1414, .. })
        ));
    }
    let mut first = data.clone();
    first[4] = b'X';
    assert!(matches!(Wad::parse(&first), Err(Error::NotAWad { .. })));
    let mut long = data.clone();
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    let tag = Some(Tag::INFO);
    assert_eq!(
        Wad::parse(&long).unwrap_err(),
        Error::WadTruncated { offset: 4, tag }
    );
    let mut twice = data.clone();
    twice[16..20].copy_from_slice(b"OFNI");
    let tag = Tag::INFO;
    assert_eq!(
        Wad::parse(&twice).unwrap_err(),
        Error::DuplicateChunk { offset: 16, tag }
    );
    // Unknown chunks are skipped, also several.
    let unknown = level(|chunks| chunks.extend([(Tag(1), vec![9; 5]), (Tag(1), vec![])]));
    assert_eq!(Wad::parse(&unknown).unwrap().chunks().count(), 7);
    let mut out = [0; 100];
    assert!(matches!(
        wad::emit(&[], &mut out),
        Err(Error::NotAWad { .. })
    ));
    let twice: [(Tag, &[u8]); 2] = [(Tag::INFO, &[]), (Tag::INFO, &[])];
    assert!(matches!(
        wad::emit(&twice, &mut out),
        Err(Error::DuplicateChunk { offset: 12, .. })
    ));
    let once: [(Tag, &[u8]); 1] = [(Tag::INFO, &[1, 2])];
    for room in 0..22 {
        assert_eq!(
            wad::emit(&once, &mut vec![0; room]),
            Err(Error::OutputTooSmall { room })
        );
    }
    assert_eq!(wad::emit(&once, &mut out), Ok(22));
}

#[test]
fn what_a_level_needs() {
    let refused = |change: fn(&mut Vec<(Tag, Vec<u8>)>)| Level::parse(&level(change)).unwrap_err();
    let missing = |tag, offset| LevelError::MissingDependency { tag, offset };
    assert_eq!(refused(|it| drop(it.remove(4))), missing(Tag::MAP, None));
    assert_eq!(refused(|it| drop(it.remove(3))), missing(Tag::TRAK, None));
    assert_eq!(refused(|it| drop(it.remove(2))), missing(Tag::WFPC, None));
    assert_eq!(refused(|it| it[2].1.push(0)), missing(Tag::WFPC, Some(28)));
    assert_eq!(refused(|it| it.swap(2, 4)), missing(Tag::WFPC, Some(1402)));
    let late = refused(|it| it.push((Tag::STPC, vec![])));
    assert_eq!(late, missing(Tag::STPC, Some(1414)));
    assert!(matches!(
        refused(|it| it[3].1.push(0)),
        LevelError::Models(_, 48)
    ));
    let flags = refused(|it| it[2].1[0] = 0);
    let LevelError::Map {
        error,
        start,
        suggested,
        ..
    } = flags
    else {
        panic!("{flags}");
    };
    assert_eq!((start, suggested), (504, Some(0x10)));
    assert!(matches!(error, map::Error::TrailingBytes { bytes: 4, .. }));
    assert!(
        flags.to_string().contains("with 0x10 it can be read"),
        "{flags}"
    );
}

#[test]
fn notes_about_the_rest() {
    let notes = |data: &[u8]| {
        let mut notes = Vec::new();
        let level = Level::parse(data).unwrap();
        level.check(&mut |_| {}, &mut |note| notes.push(note));
        notes
    };
    let mut data = level(|_| {});
    data[0] ^= 1;
    data.push(0);
    let after = Note::After { bytes: 1 };
    let size = Note::Size {
        found: 1419,
        expected: 1419,
    };
    assert_eq!(notes(&data), [after]);
    data.push(0);
    let size = match size {
        Note::Size { found, .. } => Note::Size {
            found,
            expected: 1420,
        },
        note => note,
    };
    assert_eq!(notes(&data), [size, Note::After { bytes: 2 }]);
    let data = level(|it| {
        it.insert(3, (Tag::STPC, vec![1; 0x3000]));
        it.push((Tag::LNFO, vec![0; 9]));
        it.push((Tag::NAME, b"\0\0\0\0Town\0".to_vec()));
    });
    let found = notes(&data);
    assert!(
        matches!(found[..], [Note::Code(_), Note::Chunk(_)]),
        "{found:?}"
    );
    assert_eq!(Level::parse(&data).unwrap().name(), Some(&b"Town"[..]));
}

/// Chunks that others take something from as they are loaded stand in front of those (section 1).
#[test]
fn chunks_stand_in_front_of_their_users() {
    let notes = |place: usize, tags: &[Tag]| {
        let data = level(|it| {
            for tag in tags.iter().rev() {
                it.insert(place, (*tag, vec![0; 12]));
            }
        });
        let mut found = Vec::new();
        let level = Level::parse(&data).unwrap();
        level.check(&mut |_| {}, &mut |note| {
            if let Note::Order {
                tag,
                offset,
                user,
                needed,
            } = note
            {
                assert!(needed < offset);
                assert_eq!(level.wad.find(tag).map(|it| it.offset), Some(offset));
                assert_eq!(level.wad.find(user).map(|it| it.offset), Some(needed));
                let text = note.to_string();
                let begin = format!(
                    "MissingDependency: offset {offset:#x}: chunk \"{tag}\": expected it before"
                );
                assert!(text.starts_with(&begin), "{text}");
                found.push([tag, user]);
            }
        });
        found
    };
    // In front of WFPC and behind it; in front of TRAK and behind it.
    assert_eq!(notes(2, &[Tag::STPC]), [[Tag::WFPC, Tag::STPC]]);
    assert_eq!(notes(3, &[Tag::STPC]), [[Tag::STPC; 2]; 0]);
    assert_eq!(notes(2, &[Tag::SPRT]), [[Tag::WFPC, Tag::SPRT]]);
    assert_eq!(notes(3, &[Tag::SPRT, Tag::TEXT]), [[Tag::STPC; 2]; 0]);
    assert_eq!(notes(4, &[Tag::TEXT]), [[Tag::TEXT, Tag::TRAK]]);
    assert_eq!(
        notes(4, &[Tag::STPC, Tag::TEXT]),
        [[Tag::TEXT, Tag::TRAK], [Tag::TEXT, Tag::STPC]]
    );
}

#[test]
fn e15_lights() {
    let data = hex(
        "03 00 00 00  01 40 80 FF 00 00 00 00 00 00 80 BF 00 00 00 3F
         02 FF FF FF 00 00 C0 3F 00 00 00 40 00 00 40 C0 00 00 80 3F 00 00 80 40 00
         04 0A 00 00 00 00 C0 3F 00 00 00 40 00 00 40 C0 00 00 80 3F 00 00 80 40 01",
    );
    assert_eq!(data.len(), 70);
    let (count, all) = lights(&data).unwrap();
    let all: Vec<_> = all.map(Result::unwrap).collect();
    assert_eq!((count, all.len()), (3, 3));
    assert_eq!(all.iter().map(|it| it.bytes()).sum::<usize>(), 66);
    let float = |it: f32| Float(it.to_bits());
    assert_eq!(all[0].kind, Kind::Direction([0.0, -1.0, 0.5].map(float)));
    assert_eq!(
        (all[0].colour, all[0].doubled()),
        ([0x40, 0x80, 0xFF], [0x80, 0xFF, 0xFF])
    );
    let Kind::Position {
        ty,
        at,
        inner,
        outer,
        last,
    } = all[2].kind
    else {
        panic!("{:?}", all[2]);
    };
    assert_eq!((ty, at, last), (4, [1.5, 2.0, -3.0].map(float), 1));
    assert_eq!([inner, outer], [1.0, 4.0].map(float));
    let second = Kind::Position {
        ty: 2,
        at,
        inner,
        outer,
        last: 0,
    };
    assert_eq!((all[1].colour, all[1].kind), ([0xFF; 3], second));
    assert_eq!(all[2].colour, [10, 0, 0]);
    // The same bytes again.
    let mut out = [0xEE; 70];
    assert_eq!(light::emit(&all, &mut out), Some(70));
    assert_eq!(out[..], data);
    for room in 0..70 {
        assert_eq!(light::emit(&all, &mut out[..room]), None);
    }
    let check = |data: &[u8]| {
        let chunk = Chunk {
            tag: Tag::LGHT,
            offset: 4,
            data,
        };
        chunks::check(&chunk, Flags(0))
    };
    assert_eq!(check(&data), Ok(()));
    for len in 0..70 {
        assert!(check(&data[..len]).is_err(), "{len}");
    }
    let cut: Vec<_> = lights(&data[..69]).unwrap().1.collect();
    assert_eq!((cut.len(), cut[2]), (3, Err(45)));
    // A count that nothing stands behind ends at once.
    assert_eq!(lights(&[0xFF; 4]).unwrap().1.collect::<Vec<_>>(), [Err(4)]);
    // Other types have no payload.
    let plain = hex("01 00 00 00 09 01 02 03");
    let light = lights(&plain).unwrap().1.next().unwrap().unwrap();
    assert_eq!(light.kind, Kind::Plain(9));
    assert_eq!(light::emit(&[light], &mut out), Some(8));
    assert_eq!(out[..8], plain);
    for kind in [
        Kind::Plain(4),
        Kind::Position {
            ty: 9,
            at,
            inner,
            outer,
            last,
        },
    ] {
        assert_eq!(light::emit(&[Light { kind, ..light }], &mut out), None);
    }
}

#[test]
fn smaller_chunks() {
    let check = |tag, data: &str, flags| {
        let data = hex(data);
        let chunk = Chunk {
            tag,
            offset: 4,
            data: &data,
        };
        chunks::check(&chunk, Flags(flags)).is_ok()
    };
    assert!(check(Tag::LNFO, "37 00 00 00 02 00 00 00", 0));
    assert_eq!(
        chunks::light_info(&hex("37 00 00 00 02 00 00 00")),
        Some([55, 2])
    );
    assert!(!check(Tag::LNFO, "37 00 00 00 02 00 00", 0));
    assert!(check(Tag::FONT, &"00".repeat(2048), 0) && !check(Tag::FONT, &"00".repeat(2047), 0));
    assert!(check(Tag::SPRT, "01 00 00 00", 0));
    assert!(!check(Tag::SPRT, "01 00 00 00", Flags::SPRITES));
    assert!(check(
        Tag::SPRT,
        "01 00 00 00 01 00 00 00 05 00 00 00",
        Flags::SPRITES
    ));
    assert!(!check(
        Tag::SPRT,
        "01 00 00 00 FF FF FF FF 05 00 00 00",
        Flags::SPRITES
    ));
    // A texture of three bytes, one material.
    let text = "00 00 00 00 01 00 00 00 00 00 00 00 40 00 00 00 40 00 00 00 03 00 00 00 AA BB CC
                01 00 00 00 00 00 01 02 00 3F 00 3F";
    let material = chunks::Material {
        texture: 1,
        extra: 2,
        area: [0, 0x3F, 0, 0x3F],
        ..Default::default()
    };
    let texture = chunks::Texture {
        size: [64, 64],
        data: &[0xAA, 0xBB, 0xCC],
        ..Default::default()
    };
    let mut out = [0; 100];
    let len = chunks::emit_materials(&[texture], &[material], &mut out).unwrap();
    assert_eq!(out[..len], hex(text));
    let list: (_, &[u32]) = (Flags(Flags::SPRITES), &[5]);
    let len = chunks::emit_sprites(1, Some(list.1), list.0, &mut out).unwrap();
    assert_eq!(out[..len], hex("01 00 00 00 01 00 00 00 05 00 00 00"));
    assert_eq!(chunks::emit_sprites(1, None, Flags(0), &mut out), Some(4));
    assert_eq!(chunks::emit_sprites(1, None, list.0, &mut out), None);
    assert_eq!(
        chunks::emit_sprites(1, Some(list.1), Flags(0), &mut out),
        None
    );
    let len = chunks::emit_name(3, b"Town", &mut out).unwrap();
    assert_eq!(out[..len], *b"\x03\0\0\0Town\0");
    assert_eq!(chunks::name(&out[..len]), Some(&b"Town"[..]));
    assert_eq!(chunks::emit_name(0, b"a\0b", &mut out), None);
    assert!(check(Tag::TEXT, text, 0) && !check(Tag::TEXT, &text[..text.len() - 2], 0));
    assert!(!check(Tag::TEXT, &format!("{text} 00"), 0));
    assert!(!check(Tag::TEXT, "00 00 00 00 FF FF FF FF", 0));
    // Two rows, one column; "a" and "bc".
    let texts = hex("01 00 00 00 01 00 00 00 00 00 00 00 01 00 00 00 02 00 00 00 61 62 63");
    let parsed = Texts::parse(&texts).unwrap();
    assert_eq!((parsed.rows, parsed.columns), (2, 1));
    assert_eq!(parsed.iter().collect::<Vec<_>>(), [&b"a"[..], b"bc"]);
    let mut out = [0; 100];
    let len = chunks::emit_texts(2, &[b"a", b"bc"], &mut out).unwrap();
    assert_eq!(out[..len], texts);
    let none = [0, 3].map(|rows| chunks::emit_texts(rows, &[b"a", b"bc"], &mut out));
    assert_eq!(none, [None, None]);
    assert_eq!(chunks::emit_texts(2, &[b"a", b"bc"], &mut out[..22]), None);
    for len in 0..texts.len() {
        assert!(Texts::parse(&texts[..len]).is_err(), "{len}");
    }
    for sizes in [
        "FF FF FF FF 01 00 00 00 00 00 00 00",
        "FF FF FF FF FF FF FF FF 00 00 00 00",
    ] {
        assert!(!check(Tag::LGPC, sizes, 0), "{sizes}");
    }
    let sound = Sound::read(&hex("00 00 00 00 00 08 00 00 10 00 00 00 20 00 00 00"));
    assert_eq!((sound.hertz(), sound.offset, sound.size), (22_050, 16, 32));
    assert!(check(
        Tag::SRPC,
        "01 00 00 00 00 00 00 00 00 08 00 00 10 00 00 00 20 00 00 00",
        0
    ));
    assert!(!check(
        Tag::SRPC,
        "02 00 00 00 00 00 00 00 00 08 00 00 10 00 00 00 20 00 00 00",
        0
    ));
}

#[test]
fn an_error_in_the_map_tells_the_block() {
    let data = level(|it| it[4].1.truncate(909));
    let error = Level::parse(&data).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("Truncated: offset 0x38c, block 15 (tail)"),
        "{text}"
    );
    let data = level(|_| {});
    let map: Map<'_> = Level::parse(&data).unwrap().map;
    assert_eq!(map.span(Block::Header), 0..12);
}
