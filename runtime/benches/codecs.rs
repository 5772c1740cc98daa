//! Hot paths of the codecs on a PC. The on-target battery prints the same names.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use overworld_runtime::anim::legaia::{Bank, ClipEnd, ClipSource, Pose, emit};
use overworld_runtime::lzs::{
    self, Decoder, Parse, Scratch, Step, Window, WindowDecoder, bound, decode, encode_with,
};
use overworld_runtime::platform::SECTOR;
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

/// Corpora are at least this long.
const CORPUS: usize = 64 * 1024;

/// Numbers that look random and are the same on every machine.
struct Noise(u32);

impl Noise {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 8) % limit
    }
}

/// Prose: a few dozen small words that come often, some hundreds of longer ones that do not.
fn text() -> Vec<u8> {
    const SMALL: &str = "the a of and to in that it was he for on with as his they at be this from \
        have or by one had not but what all were when we there can an your which their said if";
    const SYLLABLES: &str = "ka rel min tor ash ven do lis mar eth wen sto ri gal nu per or ith";
    let syllables: Vec<&str> = SYLLABLES.split_whitespace().collect();
    let mut noise = Noise(1);
    let mut words: Vec<String> = SMALL.split_whitespace().map(String::from).collect();
    let small = words.len();
    for _ in 0..360 {
        let length = 2 + noise.below(3);
        let pick = |_| syllables[noise.below(syllables.len() as u32) as usize];
        words.push((0..length).map(pick).collect());
    }
    let mut out = String::new();
    while out.len() < CORPUS {
        let limit = if noise.below(2) == 0 {
            small
        } else {
            words.len()
        };
        out.push_str(&words[noise.below(limit as u32) as usize]);
        let ends = ["\n", ", ", ". ", " "];
        out.push_str(ends[(noise.below(16) as usize).min(3)]);
    }
    out.truncate(CORPUS);
    out.into_bytes()
}

/// Animation: clips of [`PARTS`] parts in which every part swings its own way, in the bank's
/// packed poses.
fn poses() -> Vec<u8> {
    let mut noise = Noise(2);
    let mut out = Vec::new();
    while out.len() < CORPUS {
        let parts: Vec<[i32; 6]> = (0..PARTS)
            .map(|_| std::array::from_fn(|_| noise.below(120) as i32 - 60))
            .collect();
        for frame in 0..i32::from(FRAMES) {
            for [x, y, z, pitch, yaw, roll] in &parts {
                // A triangle wave that returns to its start.
                let wave = (frame - i32::from(FRAMES) / 2).abs();
                // Half of the parts only turn, about one axis or two; few parts move.
                let moves = i32::from(*x > 30);
                let turns = i32::from(*z > 0);
                let pose = Pose {
                    t: [*x, *y + moves * wave, *z].map(|t| t as i16),
                    r: [pitch * wave, *yaw * 16, roll * wave * turns].map(|r| (r & 0xFF0) as u16),
                };
                out.extend(pose.to_bytes());
            }
        }
    }
    out.truncate(CORPUS);
    out
}

fn random() -> Vec<u8> {
    let mut noise = Noise(3);
    (0..CORPUS).map(|_| noise.below(256) as u8).collect()
}

fn corpora() -> [(&'static str, Vec<u8>); 3] {
    [("text", text()), ("pose", poses()), ("random", random())]
}

/// The sheet's normative decoder, byte by byte through its ring: the floor.
fn naive(source: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut ring = [0u8; 4096];
    let (mut w, mut at, mut written) = (0xFEE, 0, 0);
    let (mut control, mut left) = (0, 0);
    while written < out.len() {
        if left == 0 {
            control = *source.get(at)?;
            at += 1;
            left = 8;
        }
        let flag = control & 1;
        control >>= 1;
        left -= 1;
        if flag == 1 {
            let value = *source.get(at)?;
            at += 1;
            out[written] = value;
            written += 1;
            ring[w] = value;
            w = (w + 1) & 0xFFF;
        } else {
            let (b0, b1) = (*source.get(at)?, *source.get(at + 1)?);
            at += 2;
            let base = usize::from(b0) | usize::from(b1 & 0xF0) << 4;
            for k in 0..usize::from(b1 & 0x0F) + 3 {
                let value = ring[(base + k) & 0xFFF];
                out[written] = value;
                written += 1;
                ring[w] = value;
                w = (w + 1) & 0xFFF;
                if written == out.len() {
                    break;
                }
            }
        }
    }
    Some(at)
}

/// As a sector reader calls it: 2048 bytes of input at a time.
fn stream(source: &[u8], out: &mut [u8]) -> Result<(), lzs::Error> {
    let mut decoder = Decoder::new(out.len());
    for sector in source.chunks(SECTOR) {
        decoder.push(sector, out)?;
    }
    decoder.finish()
}

/// The same, with the output taken away in pieces of a sector's size.
fn window(source: &[u8], piece: &mut [u8; SECTOR], window: &mut Window, want: usize) -> usize {
    let mut decoder = WindowDecoder::new(want, window);
    for mut sector in source.chunks(SECTOR) {
        loop {
            let progress = decoder.push(sector, piece);
            black_box(&mut *piece);
            sector = &sector[progress.consumed..];
            if progress.done || progress.produced < piece.len() {
                break;
            }
        }
    }
    decoder.written()
}

fn lzs_decode(c: &mut Criterion) {
    for (name, input) in corpora() {
        let mut steps = vec![Step::NEW; input.len()];
        let mut packed = vec![0; bound(input.len())];
        let len = encode_with(
            Parse::Optimal(&mut steps),
            &input,
            &mut packed,
            &mut Scratch::new(),
        )
        .expect("room for the bound");
        packed.truncate(len);
        let mut out = vec![0; input.len()];
        let mut group = c.benchmark_group("lzs");
        group.throughput(Throughput::Bytes(input.len() as u64));
        group.bench_function(format!("memcpy/{name}"), |b| {
            b.iter(|| black_box(&mut out).copy_from_slice(black_box(&input)));
        });
        let check = |out: &mut Vec<u8>| {
            assert!(*out == input, "{name}");
            out.fill(0xA5);
        };
        check(&mut out);
        group.bench_function(format!("naive/{name}"), |b| {
            b.iter(|| naive(black_box(&packed), black_box(&mut out)));
        });
        check(&mut out);
        group.bench_function(format!("decode/{name}"), |b| {
            b.iter(|| decode(black_box(&packed), black_box(&mut out)));
        });
        check(&mut out);
        group.bench_function(format!("stream/{name}"), |b| {
            b.iter(|| stream(black_box(&packed), black_box(&mut out)));
        });
        check(&mut out);
        group.bench_function(format!("window/{name}"), |b| {
            let (mut piece, mut cells) = ([0; SECTOR], Window::new());
            b.iter(|| window(black_box(&packed), &mut piece, &mut cells, input.len()));
        });
        group.finish();
    }
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

criterion_group!(benches, lzs_decode, lzs_encode, anim);
criterion_main!(benches);
