//! The LZS decoders and encoders in turn, round after round in one process: for ratios between
//! them. The least time of each counts, so that other load on the machine does not.
//!
//! `cargo bench -p overworld-runtime --bench lzs_paired [-- [--rounds=N] [--corpus=NAME]]`; other
//! arguments are criterion's and mean nothing here, but with `--test` there is only one round, and with
//! `--list` none.

mod corpora;

use corpora::{corpora, naive, pack, stream, window};
use overworld_runtime::lzs::{Parse, Scratch, Step, Window, bound, decode, encode_with};
use overworld_runtime::platform::SECTOR;
use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 400;

/// A name, and what is timed under it.
type Case<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// The least time of each case in so many rounds.
fn least(rounds: usize, cases: &mut [Case]) -> Vec<Duration> {
    let mut least = vec![Duration::MAX; cases.len()];
    for _ in 0..rounds {
        for ((_, run), least) in cases.iter_mut().zip(&mut least) {
            let start = Instant::now();
            run();
            *least = start.elapsed().min(*least);
        }
    }
    least
}

fn main() {
    let (mut rounds, mut only) = (ROUNDS, None);
    for argument in std::env::args().skip(1) {
        if argument == "--list" {
            // Nothing here has a name of criterion's.
            return;
        }
        if argument == "--test" {
            rounds = 1;
        } else if let Some(count) = argument.strip_prefix("--rounds=") {
            rounds = count.parse().expect("a number of rounds");
        } else if let Some(name) = argument.strip_prefix("--corpus=") {
            only = Some(name.to_owned());
        }
    }
    for (name, input) in corpora() {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let packed = pack(&input);
        let size = input.len();
        let [mut a, mut b, mut c] = [(); 3].map(|()| vec![0; size]);
        let (mut piece, mut cells) = ([0; SECTOR], Window::new());
        let mut decoders: [Case; 4] = [
            (
                "naive",
                Box::new(|| _ = black_box(naive(black_box(&packed), &mut a))),
            ),
            (
                "decode",
                Box::new(|| _ = black_box(decode(black_box(&packed), &mut b))),
            ),
            (
                "stream",
                Box::new(|| _ = black_box(stream(black_box(&packed), &mut c))),
            ),
            (
                "window",
                Box::new(|| {
                    _ = black_box(window(black_box(&packed), &mut piece, &mut cells, size))
                }),
            ),
        ];
        let times = least(rounds, &mut decoders);
        print(name, size, &decoders, &times);
        let [naive, decode, stream, _] = times[..] else {
            unreachable!("four cases")
        };
        println!(
            "{name}: decode {:.2} times naive, stream {:+.1} % time over decode",
            naive.as_secs_f64() / decode.as_secs_f64(),
            (stream.as_secs_f64() / decode.as_secs_f64() - 1.0) * 100.0
        );
        drop(decoders);
        assert!(a == input && b == input && c == input, "{name}");

        let mut steps = vec![Step::NEW; size];
        let mut outs = [(); 3].map(|()| vec![0; bound(size)]);
        let mut scratches = [(); 3].map(|()| Scratch::new());
        let mut sizes = [0; 3];
        let mut parses = [Parse::Greedy, Parse::Lazy, Parse::Optimal(&mut steps)].into_iter();
        let mut encoders: Vec<Case> = Vec::new();
        let places = outs.iter_mut().zip(&mut scratches).zip(&mut sizes);
        for (kind, ((out, scratch), len)) in ["greedy", "lazy", "optimal"].into_iter().zip(places) {
            let mut parse = parses.next().expect("three parses");
            let input = &input;
            let run = move || {
                let parse = match &mut parse {
                    Parse::Greedy => Parse::Greedy,
                    Parse::Lazy => Parse::Lazy,
                    Parse::Optimal(steps) => Parse::Optimal(steps),
                };
                let written = encode_with(parse, black_box(input), out, scratch);
                *len = written.expect("room for the bound");
            };
            encoders.push((kind, Box::new(run)));
        }
        let times = least(rounds.div_ceil(10), &mut encoders);
        print(name, size, &encoders, &times);
        drop(encoders);
        println!("{name}: {size} bytes, greedy, lazy, optimal: {sizes:?}");
    }
}

fn print(corpus: &str, size: usize, cases: &[Case], times: &[Duration]) {
    for ((name, _), time) in cases.iter().zip(times) {
        let rate = size as f64 / time.as_secs_f64() / 1e6;
        println!("{corpus:>8} {name:<8} {time:>10.1?} {rate:>8.1} MB/s");
    }
}
