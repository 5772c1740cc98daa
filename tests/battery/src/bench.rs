//! The benchmarks. Their names are those of the benchmarks that run on the PC with criterion.

use core::hint::black_box;

use overworld_runtime::anim::legaia::{Bank, Clip, ClipEnd, ClipSource, Pose, emit};
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gte::{Geometry, Lighting, RawVertex, Shade};
use overworld_runtime::lzs::{
    self, Decoder, MIN_MATCH, RING, START, Scratch, decode, encode, encode_literal,
};
use overworld_runtime::model::pose::{Transform, load};

use crate::{Machine, ff8, field, llama, model, script, world};

/// A benchmark: its name, what is counted, and how.
pub(crate) struct Bench<M: Machine> {
    pub(crate) name: &'static str,
    pub(crate) per: &'static str,
    pub(crate) run: fn(&mut M) -> u32,
}

struct Table<M>(core::marker::PhantomData<M>);

impl<M: Machine> Table<M> {
    const ALL: [Bench<M>; 40] = [
        bench("lzs/decode/literals", "per 1024 bytes", lzs_literals::<M>),
        bench("lzs/decode/short", "per 1264 bytes", lzs_short::<M>),
        bench("lzs/decode/long", "per 1864 bytes", lzs_long::<M>),
        bench("lzs/decode/pose", "per bank of 744 bytes", lzs_decode::<M>),
        bench("lzs/stream/pose", "per bank of 744 bytes", lzs_stream::<M>),
        bench("anim/pose", "per pose", pose::<M>),
        bench("anim/pose_blend", "per pose", pose_blend::<M>),
        bench(
            "ff8/channel",
            "per rotation channel",
            ff8::bench_channel::<M>,
        ),
        bench("ff8/matrices", "per bone", ff8::bench_matrices::<M>),
        bench("gte/rtpt", "per three vertices", rtpt::<M>),
        bench("gte/mvmva", "per vector", mvmva::<M>),
        bench("gte/ncct", "per three normals", ncct::<M>),
        bench("gte/ncdt", "per three normals", ncdt::<M>),
        bench("pose/matrix", "per part", pose_matrix::<M>),
        bench("pose/part_blend", "per part", part_blend::<M>),
        bench(
            "field/probe_blocked",
            "per step",
            field::bench_probe::<M, true>,
        ),
        bench(
            "field/probe_free",
            "per step",
            field::bench_probe::<M, false>,
        ),
        bench("field/slide", "per resolve", field::bench_slide::<M>),
        bench("field/floor", "per sample", field::bench_floor::<M>),
        bench(
            "field/frame",
            "per frame with 24 actors, mean",
            field::bench_frame::<M>,
        ),
        bench(
            "field/frame_worst",
            "per frame with 24 actors, worst",
            field::bench_frame_worst::<M>,
        ),
        bench("model/draw", model::BENCH_PER, model::bench_draw::<M>),
        bench(
            "model/quad_cued",
            "per textured quad of 64",
            model::bench_cued::<M>,
        ),
        bench(
            "model/quad_lit",
            "per textured quad of 64",
            model::bench_lit::<M>,
        ),
        bench("gte/rtpt_ram", "per three vertices of 48", rtpt_ram::<M>),
        bench(
            "gte/rtpt_scratch",
            "per three vertices of 48",
            rtpt_scratch::<M>,
        ),
        bench(
            "model/quad",
            "per textured quad of 64",
            model::bench_quad::<M>,
        ),
        bench("script/simple", "per instruction", script::simple::<M>),
        bench(
            "script/test_jump",
            "per test and jump",
            script::test_jump::<M>,
        ),
        bench("script/test_parked", "per slice", script::test_parked::<M>),
        bench("script/wait_parked", "per slice", script::wait_parked::<M>),
        bench("script/paint", "per 3 x 3 tiles", script::paint::<M>),
        bench("script/town", "per frame of 40 contexts", script::town::<M>),
        bench("script/idle", "per frame of 40", script::idle::<M>),
        bench("script/wait", "per frame of 40", script::wait::<M>),
        bench("script/walker", "per frame of 40", script::walker::<M>),
        bench(
            "script/ambient",
            "per frame of 40",
            script::ambient_actor::<M>,
        ),
        bench("script/empty", "per frame of 40", script::empty::<M>),
        bench("scene/ground", "per picture", world::bench_ground::<M>),
        bench(
            "llama/example",
            "per map of 910 bytes",
            llama::bench_parse::<M>,
        ),
    ];
}

const fn bench<M: Machine>(
    name: &'static str,
    per: &'static str,
    run: fn(&mut M) -> u32,
) -> Bench<M> {
    Bench { name, per, run }
}

/// All benchmarks.
pub(crate) fn all<M: Machine>() -> [Bench<M>; 40] {
    Table::<M>::ALL
}

/// How often a measurement is repeated; the least counts, as nothing makes code faster by chance.
pub(crate) const REPEATS: u32 = 8;

/// The cost of one call: that of `calls` in a row less that of an empty loop, rounded to
/// nearest. `work` gets the number of the call.
pub(crate) fn per_call<M: Machine>(
    machine: &mut M,
    calls: u32,
    mut work: impl FnMut(&mut M::Gte, u32),
) -> u32 {
    let mut least = (u32::MAX, u32::MAX);
    for _ in 0..REPEATS {
        let empty = machine.measure(&mut |_| {
            for call in 0..calls {
                black_box(call);
            }
        });
        let full = machine.measure(&mut |gte| {
            for call in 0..calls {
                work(gte, black_box(call));
            }
        });
        least = (least.0.min(empty), least.1.min(full));
    }
    match least {
        (_, u32::MAX) => u32::MAX,
        (empty, full) => (full.saturating_sub(empty) + calls / 2) / calls.max(1),
    }
}

const PARTS: u8 = 3;
const FRAMES: u16 = 30;
/// Table, header, poses, trailer.
pub(crate) const BANK: usize = 8 + 8 + 8 * PARTS as usize * FRAMES as usize + 8;
const POSES: usize = PARTS as usize * FRAMES as usize;

/// A clip of three parts that move smoothly, as a walk does.
pub(crate) fn bank(out: &mut [u8; BANK]) -> Option<Bank<'_>> {
    let mut poses = [Pose::default(); POSES];
    for (pose, n) in poses.iter_mut().zip(0_i16..) {
        let (frame, part) = (n / i16::from(PARTS), n % i16::from(PARTS));
        let sway = frame.min(30 - frame);
        *pose = Pose {
            t: [20 * part - sway, -40 * part, 2 * sway],
            r: [
                (16 * sway * (part + 1)) as u16 & 0xFF0,
                (0x1000 - 32 * sway) as u16 & 0xFF0,
                (16 * frame) as u16 & 0xFF0,
            ],
        };
    }
    let clip = ClipSource {
        parts: PARTS,
        frames: FRAMES,
        blend: true,
        rate: 4,
        extra: 0,
        poses: &poses,
    };
    let len = emit(&[clip], out).ok()?;
    Bank::parse(out.get(..len)?).ok()
}

/// Nothing but literals.
fn lzs_literals<M: Machine>(machine: &mut M) -> u32 {
    let (mut plain, mut packed) = ([0; 1024], [0; lzs::bound(1024)]);
    for (byte, n) in plain.iter_mut().zip(0_u32..) {
        *byte = (n.wrapping_mul(0x9E37_79B1) >> 13) as u8;
    }
    match encode_literal(&plain, &mut packed) {
        Ok(len) => lzs_measure(machine, packed.get(..len).unwrap_or_default(), &plain),
        Err(_) => u32::MAX,
    }
}

/// Matches of the shortest kind.
fn lzs_short<M: Machine>(machine: &mut M) -> u32 {
    lzs_matches::<M, 1264>(machine, MIN_MATCH)
}

/// Matches of the longest kind.
fn lzs_long<M: Machine>(machine: &mut M) -> u32 {
    lzs_matches::<M, 1864>(machine, lzs::MAX_MATCH)
}

/// 64 literals, then matches of one length at changing distances.
fn lzs_matches<M: Machine, const WANT: usize>(machine: &mut M, len: usize) -> u32 {
    const LITERALS: usize = 64;
    const DISTANCES: [usize; 4] = [61, 40, 48, 35];
    let (mut plain, mut packed) = ([0; WANT], [0; 1024]);
    for (byte, n) in plain.iter_mut().zip(0_u8..64) {
        *byte = n.wrapping_mul(37);
    }
    let literals = plain.get(..LITERALS).unwrap_or_default();
    let Ok(mut end) = encode_literal(literals, &mut packed) else {
        return u32::MAX;
    };
    let mut distances = DISTANCES.iter().cycle();
    let mut i = LITERALS;
    while i < WANT {
        // All flags of a control byte are zero: eight matches.
        end += 1;
        for _ in 0..8 {
            let (Some(distance), Some(token)) = (distances.next(), packed.get_mut(end..end + 2))
            else {
                return u32::MAX;
            };
            if i >= WANT {
                break;
            }
            let base = (START + i - distance) % RING;
            token.copy_from_slice(&[
                base as u8,
                (base >> 4 & 0xF0) as u8 | (len - MIN_MATCH) as u8,
            ]);
            for at in i..i + len {
                let value = plain.get(at - distance).copied().unwrap_or(0);
                if let Some(place) = plain.get_mut(at) {
                    *place = value;
                }
            }
            i += len;
            end += 2;
        }
    }
    lzs_measure(machine, packed.get(..end).unwrap_or_default(), &plain)
}

/// What it costs to decode `packed`, which must give `plain`.
fn lzs_measure<M: Machine, const N: usize>(machine: &mut M, packed: &[u8], plain: &[u8; N]) -> u32 {
    let mut back = [0; N];
    let cost = per_call(machine, 4, |_, _| {
        _ = black_box(decode(black_box(packed), &mut back));
    });
    if back == *plain { cost } else { u32::MAX }
}

/// The bank, packed; how many bytes it became.
fn packed_bank(plain: &mut [u8; BANK], packed: &mut [u8; lzs::bound(BANK)]) -> Option<usize> {
    bank(plain)?;
    encode(plain, packed, &mut Scratch::new()).ok()
}

fn lzs_decode<M: Machine>(machine: &mut M) -> u32 {
    let (mut plain, mut packed) = ([0; BANK], [0; lzs::bound(BANK)]);
    match packed_bank(&mut plain, &mut packed) {
        Some(len) => lzs_measure(machine, packed.get(..len).unwrap_or_default(), &plain),
        None => u32::MAX,
    }
}

/// The same in two pieces, as where a sector ends inside the bank.
fn lzs_stream<M: Machine>(machine: &mut M) -> u32 {
    let (mut plain, mut packed, mut back) = ([0; BANK], [0; lzs::bound(BANK)], [0; BANK]);
    let Some(len) = packed_bank(&mut plain, &mut packed) else {
        return u32::MAX;
    };
    let packed = packed.get(..len).unwrap_or_default();
    let cost = per_call(machine, 4, |_, _| {
        let mut decoder = Decoder::new(BANK);
        for piece in black_box(packed).chunks(len.div_ceil(2)) {
            _ = black_box(decoder.push(piece, &mut back));
        }
    });
    if back == plain { cost } else { u32::MAX }
}

fn with_clip<M: Machine>(machine: &mut M, work: impl FnOnce(&mut M, Clip<'_>) -> u32) -> u32 {
    let mut room = [0; BANK];
    match bank(&mut room).and_then(|bank| bank.clip(1).ok()) {
        Some(clip) => work(machine, clip),
        None => u32::MAX,
    }
}

fn pose<M: Machine>(machine: &mut M) -> u32 {
    with_clip(machine, |machine, clip| {
        per_call(machine, 64, |_, call| {
            let frame = (call & 15) as u16;
            black_box(clip.pose(frame, (call & 1) as u8));
        })
    })
}

fn pose_blend<M: Machine>(machine: &mut M) -> u32 {
    with_clip(machine, |machine, clip| {
        per_call(machine, 64, |_, call| {
            let cursor = (5 * call + 1) as i16;
            black_box(clip.pose_at(cursor, (call & 1) as u8, ClipEnd::Wrap));
        })
    })
}

/// A view that keeps vertices of the model on the screen.
pub(crate) const VIEW: Transform = Transform {
    rotation: Matrix::euler(0x1B8, 0x64, 0),
    translation: Vector::new(0, 0, 0x400),
};

fn set_up<G: Geometry>(gte: &mut G) {
    VIEW.load(gte);
    gte.set_screen(160 << 16, 114 << 16, 512);
    gte.set_average(0x555 >> 4, 0x400 >> 4);
}

fn rtpt<M: Machine>(machine: &mut M) -> u32 {
    set_up(machine.gte());
    let corners = [
        SVector::new(-40, -30, 10),
        SVector::new(40, -30, -10),
        SVector::new(0, 35, 20),
    ];
    per_call(machine, 64, |gte, _| {
        let [a, b, c] = black_box(&corners);
        black_box(gte.project3([a, b, c]));
    })
}

/// Words of a vertex and of its screen position, for 48 vertices.
const RTPT_WORDS: usize = 48 * 3;

/// Vertices from memory, screen positions to memory, all of it in `words`.
fn rtpt_at<M: Machine>(machine: &mut M, words: &mut [u32]) -> u32 {
    set_up(machine.gte());
    let Some((vertices, screen)) = words.split_at_mut_checked(48 * 2) else {
        return u32::MAX;
    };
    let (vertices, _) = vertices.as_chunks_mut::<2>();
    for (vertex, n) in vertices.iter_mut().zip(0_i16..) {
        let (x, y) = (7 * n % 90 - 45, 11 * n % 70 - 35);
        *vertex = [u32::from(x as u16) | (y as u32) << 16, n as u32];
    }
    let (places, _) = screen.as_chunks_mut::<3>();
    let cost = per_call(machine, 4, |gte, _| {
        let (triangles, _) = black_box(&*vertices).as_chunks::<3>();
        for ([a, b, c], [p, q, r]) in triangles.iter().zip(&mut *places) {
            gte.begin3([a, b, c]);
            gte.store_screen3([p, q, r]);
        }
        black_box(&mut *places);
    });
    if cost == u32::MAX { cost } else { cost / 16 }
}

fn rtpt_ram<M: Machine>(machine: &mut M) -> u32 {
    rtpt_at(machine, &mut [0; RTPT_WORDS])
}

/// In the machine's fast memory, if it has any.
fn rtpt_scratch<M: Machine>(machine: &mut M) -> u32 {
    match machine.fast_memory() {
        Some(words) => {
            let cost = rtpt_at(machine, words);
            machine.keep_fast_memory(words);
            cost
        }
        None => rtpt_ram(machine),
    }
}

/// Three normals in memory to three colours.
fn ncct<M: Machine>(machine: &mut M) -> u32 {
    three_colours::<M, false>(machine)
}

/// The same with a depth cue, half way to the far colour.
fn ncdt<M: Machine>(machine: &mut M) -> u32 {
    let gte = machine.gte();
    gte.set_cue([40, 48, 72], 0, 0);
    gte.set_fade(0x800);
    three_colours::<M, true>(machine)
}

fn three_colours<M: Machine, const CUED: bool>(machine: &mut M) -> u32 {
    let gte = machine.gte();
    gte.set_light(&Matrix {
        m: [[0x900, -0xA00, -0x800], [-0xC00, 0x200, 0x700], [0, 0, 0]],
    });
    gte.set_light_colour(&Matrix {
        m: [[0xC00, 0x300, 0], [0xB00, 0x400, 0], [0x900, 0x700, 0]],
    });
    gte.set_background([40, 40, 56]);
    let normals: [RawVertex; 3] = [
        [0x0400_0C00, 0x0800],
        [0xF800_0600, 0xF400],
        [0x0C00_FA00, 0x0600],
    ];
    per_call(machine, 64, |gte, _| {
        let [a, b, c] = black_box(&normals);
        let shade = if CUED { Shade::Cued } else { Shade::Coloured };
        black_box(gte.normal_colour3(shade, [a, b, c], black_box(0x3080_6040)));
    })
}

fn mvmva<M: Machine>(machine: &mut M) -> u32 {
    set_up(machine.gte());
    let v = SVector::new(-40, -30, 10);
    per_call(machine, 64, |gte, _| {
        black_box(gte.rotate(black_box(&v)));
    })
}

fn pose_matrix<M: Machine>(machine: &mut M) -> u32 {
    with_clip(machine, |machine, clip| {
        per_call(machine, 32, |gte, call| {
            let pose = clip.pose((call & 15) as u16, 1).unwrap_or_default();
            black_box(load(gte, black_box(&VIEW), &pose));
        })
    })
}

/// All that a part of a blended pose needs: two frames unpacked and blended, matrix and translation
/// worked out and loaded.
fn part_blend<M: Machine>(machine: &mut M) -> u32 {
    with_clip(machine, |machine, clip| {
        per_call(machine, 32, |gte, call| {
            let cursor = (5 * call + 1) as i16;
            let pose = clip.pose_at(cursor, 1, ClipEnd::Wrap).unwrap_or_default();
            black_box(load(gte, black_box(&VIEW), &pose));
        })
    })
}
