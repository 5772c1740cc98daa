//! The corpora of the LZS benchmarks, and the decoders that are compared on them.

use overworld_runtime::anim::legaia::Pose;
use overworld_runtime::lzs::{
    self, Decoder, Parse, Scratch, Step, Window, WindowDecoder, bound, encode_with,
};
use overworld_runtime::platform::SECTOR;
use std::hint::black_box;

/// Parts of an animated body, and frames of a clip.
pub const PARTS: u8 = 12;
pub const FRAMES: u16 = 30;

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

/// Name and bytes of each.
pub fn corpora() -> [(&'static str, Vec<u8>); 3] {
    [("text", text()), ("pose", poses()), ("random", random())]
}

/// The sheet's normative decoder, byte by byte through its ring: the floor.
pub fn naive(source: &[u8], out: &mut [u8]) -> Option<usize> {
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
pub fn stream(source: &[u8], out: &mut [u8]) -> Result<(), lzs::Error> {
    let mut decoder = Decoder::new(out.len());
    for sector in source.chunks(SECTOR) {
        decoder.push(sector, out)?;
    }
    decoder.finish()
}

/// The same, with the output taken away in pieces of a sector's size.
pub fn window(source: &[u8], piece: &mut [u8; SECTOR], window: &mut Window, want: usize) -> usize {
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

/// The stream of the optimal parse.
pub fn pack(input: &[u8]) -> Vec<u8> {
    let mut steps = vec![Step::NEW; input.len()];
    let mut packed = vec![0; bound(input.len())];
    let parse = Parse::Optimal(&mut steps);
    let len = encode_with(parse, input, &mut packed, &mut Scratch::new());
    packed.truncate(len.expect("room for the bound"));
    packed
}
