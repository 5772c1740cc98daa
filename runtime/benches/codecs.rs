//! Hot paths of the codecs on a PC. The on-target battery prints the same names.

mod corpora;

use corpora::{FRAMES, PARTS, corpora, naive, pack, stream, window};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use overworld_runtime::anim::ff8;
use overworld_runtime::anim::legaia::{Bank, ClipEnd, ClipSource, Pose, emit};
use overworld_runtime::gte::software::Gte;
use overworld_runtime::lzs::{
    MAX_MATCH, MIN_MATCH, Parse, RING, START, Scratch, Step, Window, bound, decode, encode_literal,
    encode_with,
};
use overworld_runtime::platform::SECTOR;
use std::hint::black_box;

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

fn lzs_decode(c: &mut Criterion) {
    for (name, input) in corpora() {
        let packed = pack(&input);
        let mut out = vec![0; input.len()];
        let mut group = c.benchmark_group("lzs");
        group.throughput(Throughput::Bytes(input.len() as u64));
        // Each has run once before: a filter may leave any of them out.
        let check = |out: &mut Vec<u8>| {
            assert!(*out == input, "{name}");
            out.fill(0xA5);
        };
        out.copy_from_slice(&input);
        check(&mut out);
        group.bench_function(format!("memcpy/{name}"), |b| {
            b.iter(|| black_box(&mut out).copy_from_slice(black_box(&input)));
        });
        naive(&packed, &mut out).expect("a whole stream");
        check(&mut out);
        group.bench_function(format!("naive/{name}"), |b| {
            b.iter(|| naive(black_box(&packed), black_box(&mut out)));
        });
        decode(&packed, &mut out).expect("a whole stream");
        check(&mut out);
        group.bench_function(format!("decode/{name}"), |b| {
            b.iter(|| decode(black_box(&packed), black_box(&mut out)));
        });
        stream(&packed, &mut out).expect("a whole stream");
        check(&mut out);
        group.bench_function(format!("stream/{name}"), |b| {
            b.iter(|| stream(black_box(&packed), black_box(&mut out)));
        });
        group.bench_function(format!("window/{name}"), |b| {
            let (mut piece, mut cells) = ([0; SECTOR], Window::new());
            b.iter(|| window(black_box(&packed), &mut piece, &mut cells, input.len()));
        });
        group.finish();
    }
}

/// 64 literals, then matches of one length at changing distances.
fn matches(want: usize, len: usize) -> (Vec<u8>, Vec<u8>) {
    let mut plain: Vec<u8> = (0..64_u8).map(|n| n.wrapping_mul(37)).collect();
    let mut packed = vec![0; bound(plain.len())];
    let end = encode_literal(&plain, &mut packed).expect("room for the bound");
    packed.truncate(end);
    let distances = [61, 40, 48, 35].into_iter().cycle();
    for (token, distance) in distances.take((want - plain.len()) / len).enumerate() {
        // All flags of a control byte are zero: eight matches.
        if token % 8 == 0 {
            packed.push(0);
        }
        let base = (START + plain.len() - distance) % RING;
        packed.push(base as u8);
        packed.push((base >> 4 & 0xF0) as u8 | (len - MIN_MATCH) as u8);
        (0..len).for_each(|_| plain.push(plain[plain.len() - distance]));
    }
    (plain, packed)
}

/// Streams of one kind of token each, as the battery decodes them.
fn lzs_tokens(c: &mut Criterion) {
    let noise = |n: u32| (n.wrapping_mul(0x9E37_79B1) >> 13) as u8;
    let plain: Vec<u8> = (0..1024).map(noise).collect();
    let mut packed = vec![0; bound(plain.len())];
    let len = encode_literal(&plain, &mut packed).expect("room for the bound");
    packed.truncate(len);
    let mut group = c.benchmark_group("lzs/decode");
    for (name, (plain, packed)) in [
        ("literals", (plain, packed)),
        ("short", matches(1264, MIN_MATCH)),
        ("long", matches(1864, MAX_MATCH)),
    ] {
        let mut out = vec![0; plain.len()];
        decode(&packed, &mut out).expect("a whole stream");
        assert_eq!(out, plain, "{name}");
        group.throughput(Throughput::Bytes(plain.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| decode(black_box(&packed), black_box(&mut out)));
        });
    }
    group.finish();
}

fn lzs_encode(c: &mut Criterion) {
    let mut scratch = Scratch::new();
    for (name, input) in corpora() {
        let mut steps = vec![Step::NEW; input.len()];
        let mut out = vec![0; bound(input.len())];
        let mut group = c.benchmark_group("lzs/encode");
        group.throughput(Throughput::Bytes(input.len() as u64));
        let mut sizes = [0; 3];
        for (kind, size) in ["greedy", "lazy", "optimal"].into_iter().zip(&mut sizes) {
            let mut run = |input: &[u8]| {
                let parse = match kind {
                    "greedy" => Parse::Greedy,
                    "lazy" => Parse::Lazy,
                    _ => Parse::Optimal(&mut steps),
                };
                encode_with(parse, input, &mut out, &mut scratch).expect("room for the bound")
            };
            *size = run(&input);
            group.bench_function(format!("{kind}/{name}"), |b| {
                b.iter(|| run(black_box(&input)));
            });
        }
        group.finish();
        let [greedy, lazy, optimal] = sizes;
        println!(
            "{name}: {} bytes, greedy {greedy}, lazy {lazy}, optimal {optimal}",
            input.len()
        );
        assert!(optimal <= greedy && optimal <= lazy);
    }
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

/// A battle model's animation: most channels change by a little, some by more, a third not at all.
fn battle() -> Vec<u8> {
    let wave = |frame: i16, bone: i16| {
        let (wide, far) = (i32::from(frame), i32::from(bone % 7));
        [
            frame * 3 * (bone % 5 - 2),
            ((wide * wide * far * 9) & 0xFFF) as i16,
            if bone % 3 == 0 { frame * 211 } else { 40 },
        ]
    };
    let rotations: Vec<Vec<[i16; 3]>> = (0..FF8_FRAMES)
        .map(|frame| {
            (0..FF8_BONES as i16)
                .map(|bone| wave(frame, bone))
                .collect()
        })
        .collect();
    let frames: Vec<_> = rotations
        .iter()
        .zip(0..)
        .map(|(rotation, frame)| ff8::FrameSource {
            root: [3 * frame, -40, 7],
            rotation,
            scale: None,
        })
        .collect();
    let mut out = vec![0; 0x1_0000];
    let section = ff8::emit_animations(1, &mut out, |_, out| {
        ff8::encode(&frames, FF8_BONES as u8, out)
    });
    out.truncate(section.expect("fits"));
    out
}

const FF8_BONES: usize = 22;
const FF8_FRAMES: i16 = 60;

/// The sheet's reader, bit by bit.
struct Bitwise<'a> {
    data: &'a [u8],
    at: usize,
}

impl Bitwise<'_> {
    fn unsigned(&mut self, count: usize) -> i32 {
        let mut value = 0;
        for n in 0..count {
            let byte = self.data.get(self.at / 8).copied().unwrap_or(0);
            value |= i32::from(byte >> (self.at % 8) & 1) << n;
            self.at += 1;
        }
        value
    }

    fn signed(&mut self, count: usize) -> i16 {
        let value = self.unsigned(count);
        ((value << (32 - count)) >> (32 - count)) as i16
    }

    fn frame(&mut self, root: &mut [i16; 3], rotation: &mut [[i16; 3]]) {
        for sum in root {
            let width = [3, 6, 9, 16][self.unsigned(2) as usize];
            *sum = sum.wrapping_add(self.signed(width));
        }
        let scaled = self.unsigned(1) != 0;
        assert!(!scaled);
        for sum in rotation.as_flattened_mut() {
            if self.unsigned(1) != 0 {
                let width = [3, 6, 8, 12][self.unsigned(2) as usize];
                *sum = sum.wrapping_add(self.signed(width));
            }
        }
    }
}

/// The decoder, and a reader that takes bit by bit, on the same stream.
fn ff8_decode(c: &mut Criterion) {
    let section = battle();
    let animations = ff8::Animations::parse(&section).expect("a good section");
    let animation = animations.get(0).expect("animation 0");
    let channels = 3 * FF8_BONES * FF8_FRAMES as usize;
    let words = || {
        let mut pose = ff8::Pose::<FF8_BONES>::START;
        let mut decoder = ff8::Decoder::new(&animation, FF8_BONES as u8, ff8::Speed::Normal);
        while let Ok(ff8::Progress::Frame(_)) = decoder.step(&mut pose) {}
        (pose.root, pose.rotation)
    };
    let bits = || {
        let (mut root, mut rotation) = ([0; 3], [[0; 3]; FF8_BONES]);
        let mut reader = Bitwise {
            data: black_box(&section),
            at: 8 * (animation.start() + 1),
        };
        for _ in 0..FF8_FRAMES {
            reader.frame(&mut root, &mut rotation);
        }
        (root, rotation)
    };
    assert_eq!(words(), bits());
    let mut group = c.benchmark_group("ff8");
    group.throughput(Throughput::Elements(channels as u64));
    group.bench_function("channel", |b| b.iter(|| black_box(words())));
    group.bench_function("channel/bit_by_bit", |b| b.iter(|| black_box(bits())));
    group.finish();
}

/// The matrices of a model of 22 bones, without scales.
fn ff8_matrices(c: &mut Criterion) {
    let bones: Vec<(Option<u8>, i16)> = (0..FF8_BONES as u8)
        .map(|bone| (bone.checked_sub(1).map(|it| it - it % 3), 60))
        .collect();
    let source = ff8::SkeletonSource {
        scale: 200,
        bones: &bones,
    };
    let mut data = vec![0; 16 + 48 * FF8_BONES];
    ff8::emit_skeleton(&source, &mut data).expect("fits");
    let skeleton = ff8::Skeleton::parse(&data).expect("a good skeleton");
    let section = battle();
    let animations = ff8::Animations::parse(&section).expect("a good section");
    let animation = animations.get(0).expect("animation 0");
    let mut pose = ff8::Pose::<FF8_BONES>::START;
    let mut decoder = ff8::Decoder::new(&animation, FF8_BONES as u8, ff8::Speed::Normal);
    for _ in 0..3 {
        decoder.step(&mut pose).expect("a frame");
    }
    let mut gte = Gte::new();
    let mut out = [ff8::BoneMatrices::default(); FF8_BONES];
    let mut group = c.benchmark_group("ff8");
    group.throughput(Throughput::Elements(FF8_BONES as u64));
    group.bench_function("matrices", |b| {
        b.iter(|| {
            let made = ff8::matrices(&mut gte, black_box(&skeleton), black_box(&pose), &mut out);
            black_box(made.expect("room for all").len())
        });
    });
    group.finish();
}

criterion_group!(
    benches,
    lzs_decode,
    lzs_tokens,
    lzs_encode,
    anim,
    ff8_decode,
    ff8_matrices
);
criterion_main!(benches);
