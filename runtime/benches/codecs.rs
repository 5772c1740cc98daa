//! Hot paths of the codecs on a PC. The on-target battery prints the same names.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use overworld_runtime::anim::legaia::{Bank, ClipEnd, ClipSource, Pose, emit};
use overworld_runtime::lzs::{Scratch, bound, decode, encode};
use std::hint::black_box;

const PARTS: u8 = 12;
const FRAMES: u16 = 30;

/// A clip in which every part swings: parts x frames poses.
fn swing() -> Vec<Pose> {
    let mut poses = Vec::new();
    for frame in 0..i32::from(FRAMES) {
        for part in 0..i32::from(PARTS) {
            // A triangle wave that returns to its start.
            let wave = (frame - i32::from(FRAMES) / 2).abs();
            poses.push(Pose {
                t: [part * 11 - 60, -part * 30, wave * (part % 3)].map(|t| t as i16),
                r: [wave * 16, part * 256, wave * 32 * (part & 1)].map(|r| (r & 0xFF0) as u16),
            });
        }
    }
    poses
}

fn bank() -> Vec<u8> {
    let poses = swing();
    let clip = ClipSource {
        parts: PARTS,
        frames: FRAMES,
        blend: true,
        rate: 4,
        extra: 0,
        poses: &poses,
    };
    let mut out = vec![0; 64 + 8 * poses.len()];
    let len = emit(&[clip], &mut out).expect("a good clip");
    out.truncate(len);
    out
}

/// Readable text of the bank's length: many short matches at middle distances.
fn text(len: usize) -> Vec<u8> {
    let words = [
        "the ", "door ", "opens ", "once ", "a ", "key ", "turns ", "in ", "its ", "lock, ",
        "and ", "nobody ", "knows ", "who ", "made ", "it.\n",
    ];
    let mut state = 1u32;
    let mut out = String::new();
    while out.len() < len {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        out.push_str(words[(state >> 28) as usize]);
    }
    out.truncate(len);
    out.into_bytes()
}

fn packed(input: &[u8]) -> Vec<u8> {
    let mut out = vec![0; bound(input.len())];
    let len = encode(input, &mut out, &mut Scratch::new()).expect("room for the bound");
    out.truncate(len);
    out
}

fn lzs(c: &mut Criterion) {
    let bank = bank();
    let inputs = [("pose", bank.clone()), ("text", text(bank.len()))];
    let mut group = c.benchmark_group("lzs/decode");
    for (name, input) in inputs {
        let stream = packed(&input);
        let mut out = vec![0; input.len()];
        group.throughput(Throughput::Bytes(input.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| decode(black_box(&stream), black_box(&mut out)));
        });
        assert_eq!(out, input);
    }
    group.finish();
}

fn anim(c: &mut Criterion) {
    let data = bank();
    let bank = Bank::parse(&data).expect("a good bank");
    let clip = bank.clip(1).expect("clip 1");
    let mut group = c.benchmark_group("anim");
    group.throughput(Throughput::Elements(u64::from(PARTS)));
    // Cursor 160 lies on a frame, 167 between two.
    for (name, cursor) in [("pose", 160), ("pose_blend", 167)] {
        group.bench_function(name, |b| {
            let mut poses = [Pose::default(); PARTS as usize];
            b.iter(|| {
                let sample = black_box(&clip).sample(black_box(cursor), ClipEnd::Wrap);
                for (out, pose) in poses.iter_mut().zip(sample.poses()) {
                    *out = pose;
                }
                black_box(&mut poses);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, lzs, anim);
criterion_main!(benches);
