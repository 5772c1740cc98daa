//! Entries that are streams of chunks, and others that only look like some.

use super::names;
use super::scenes::{bundle, map, stager, with_entries};
use crate::{sample, vectors};
use overworld_runtime::disc::chunk::{self, Chunk};

/// A stream of these chunks with its terminator.
fn stream(chunks: &[(u8, &[u8])]) -> Vec<u8> {
    let chunks: Vec<_> = chunks
        .iter()
        .map(|&(ty, data)| Chunk { ty, data })
        .collect();
    let mut out = vec![0; chunks.iter().map(|it| it.data.len() + 4).sum::<usize>() + 4];
    let length = chunk::emit(&chunks, &mut out).unwrap();
    out.truncate(length);
    out
}

/// The header of a chunk.
fn header(ty: u8, size: u32) -> [u8; 4] {
    (u32::from(ty) << 24 | size).to_le_bytes()
}

/// A battle stage: a bare mesh, then a texture, both of the sample; without terminator.
fn stage() -> Vec<u8> {
    let world = sample::world().unwrap();
    let mut out = stream(&[(0, &world.models[0].1), (1, &world.textures[0].1)]);
    out.truncate(out.len() - 4);
    out
}

/// What `verify` says of a scene with this entry behind its bundle, which has a MAN.
fn behind(entry: &[u8]) -> crate::verify::Report {
    let (map, patch, stager) = (map(), vectors::patch(), stager());
    with_entries(&[&map, &patch, &stager, &vectors::bundle(), entry])
}

#[test]
fn an_entry_that_ends_inside_a_chunk_is_a_fault() {
    let stage = stage();
    let at = stage.len();
    // With a terminator it is sound: its own, or the zeros that fill the sector.
    for good in [[&stage[..], &[0; 4]].concat(), stage.clone()] {
        let report = behind(&good);
        assert_eq!((&report.problems, &report.notes), (&vec![], &vec![]));
    }
    // A third chunk passes the end of the entry, by one byte and by far.
    let room = (at + 4).next_multiple_of(2048) - at - 4;
    for size in [room as u32 + 1, 0xFF_FFFF] {
        let report = behind(&[&stage[..], &header(1, size)].concat());
        assert_eq!(names(&report), ["TruncatedChunk"]);
        assert_eq!(
            report.problems[0].to_string(),
            format!(
                "/PROT.DAT: raw 6 (demo, stream): TruncatedChunk at offset {at:#x}: expected a chunk \
                 of {size} bytes, or a header of size 0 that ends the stream, found {room} bytes up \
                 to the entry's end"
            )
        );
    }
    // One that ends with the entry lacks the terminator.
    let full = [&stage[..], &header(1, room as u32 & !3), &vec![0x55; room]].concat();
    assert_eq!(full.len() % 2048, 0);
    let report = behind(&full);
    assert_eq!(names(&report), ["TruncatedChunk"]);
    assert!(
        report.problems[0].text.ends_with("found the entry's end"),
        "{}",
        report.problems[0]
    );
    // The only chunk, by the magic in front of its data.
    let world = sample::world().unwrap();
    for (ty, data) in [
        (0, &world.models[0].1),
        (9, &world.models[0].1),
        (0, &world.textures[0].1),
        (1, &world.textures[0].1),
    ] {
        let report = behind(&[&header(ty, 0x10_0000)[..], data].concat());
        assert_eq!(names(&report), ["TruncatedChunk"], "{ty}");
        assert_eq!(report.problems[0].offset, Some(0));
    }
    // A stage stops at a chunk of type 2, whatever its size.
    let report = behind(&[&stage[..], &header(2, 0xFF_FFFF)].concat());
    assert_eq!(report.problems, []);
}

#[test]
fn streams_are_looked_into_wherever_they_lie() {
    let cut = [&stage()[..], &header(1, 0xFF_FFFF)].concat();
    let report = with_entries(&[&cut]);
    assert_eq!(names(&report), ["TruncatedChunk"]);
    assert_eq!(report.counts.scenes, 0);
    // Behind a bundle whose MAN is in the stream; it is read all the same.
    let bank = vectors::bank();
    let four = bundle(&[(4, b"text"), (5, &bank), (6, &[0; 4]), (7, b"vdf0")]);
    let man = [&vectors::man()[..], &[0]].concat();
    let mut dungeon = stream(&[(0, b"mesh"), (3, &man)]);
    let end = dungeon.len() - 4;
    dungeon[end..].copy_from_slice(&header(4, 5000));
    let (map, patch, stager) = (map(), vectors::patch(), stager());
    let report = with_entries(&[&map, &patch, &stager, &four, &dungeon]);
    assert_eq!(names(&report), ["TruncatedChunk"]);
    assert_eq!(report.problems[0].offset, Some(end as u64));
    assert_eq!((report.counts.members, report.notes.len()), (5, 0));
}

#[test]
fn what_only_begins_like_a_stream_is_none() {
    let noise = vec![0x55; 4096];
    let world = sample::world().unwrap();
    // A pack of sixteen textures with its header has no terminator; its count is a TIM's magic.
    let mut pack = Vec::new();
    pack.extend(16_u32.to_le_bytes());
    for number in 0..16 {
        pack.extend((17 + 3 * number as u32).to_le_bytes());
    }
    pack.resize(2044, 1);
    let pack = [&header(1, 2044)[..], &pack].concat();
    for entry in [
        noise.clone(),
        // Chunks that fit, of known types, with anything in them.
        [&header(0, 64)[..], &noise[..64], &header(4, 5000)].concat(),
        // A script without records: zeros.
        [&header(3, 1024)[..], &[0; 1024], &header(4, 5000)].concat(),
        pack.clone(),
        [&header(1, 0x10_0000)[..], &pack[4..]].concat(),
        // Files without a header.
        world.models[0].1.clone(),
        world.textures[0].1.clone(),
        world.bank.1.clone(),
    ] {
        let report = behind(&entry);
        assert_eq!((&report.problems, &report.notes), (&vec![], &vec![]));
    }
}
