//! The script machines on a PC. The on-target battery prints the same names.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use overworld_runtime::script::asm::{Name, assemble};
use overworld_runtime::script::context::{Context, flag};
use overworld_runtime::script::dis::{Labels, Style, disassemble};
use overworld_runtime::script::host::Absent;
use overworld_runtime::script::state::Paint;
use overworld_runtime::script::{Compat, SliceEnd, Vm};
use std::hint::black_box;

/// Instructions of one slice.
const RUN: usize = 64;

fn asm(source: &str) -> Vec<u8> {
    let mut out = vec![0; source.len() + 16];
    let mut names = [Name::default(); 64];
    let len = assemble(source, &mut out, &mut names).expect("a good script");
    out.truncate(len);
    out
}

/// Slices of a script, each from its start.
fn slices(c: &mut Criterion) {
    let simple = asm(&("lset 3\nlclr 3\n".repeat(RUN / 2) + "nop.f"));
    let tests: Vec<u8> = [0x72, 0x25, 2, 0]
        .repeat(RUN)
        .into_iter()
        .chain([0x21])
        .collect();
    let [test, wait] = ["ltst 8\nnop.f", "wait 0x7FFF\nnop.f"].map(asm);
    let mut group = c.benchmark_group("script");
    for (name, code, count) in [
        ("simple", &simple, RUN),
        ("test_jump", &tests, RUN),
        ("test_parked", &test, 1),
        ("wait_parked", &wait, 1),
    ] {
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.contexts[0] = Context::new(5, code, 0);
        vm.state.system.set(0x225);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                // A wait never ends here.
                (vm.contexts[0].pc, vm.contexts[0].wait_accum) = (0, 0);
                matches!(vm.slice(&mut Absent, 0, 256), SliceEnd::Parked)
            });
        });
    }
    group.finish();
}

fn paint(c: &mut Criterion) {
    let mut grid = vec![0; 0x4000];
    c.bench_function("script/paint", |b| {
        b.iter(|| {
            let paint = Paint {
                kind: 3,
                columns: (10, 12),
                rows: (2, 4),
                mask: 5,
            };
            black_box(paint).apply(black_box(&mut grid));
        });
    });
}

/// Whether the context with a number has a stream, and its code.
type Chooser<'c> = &'c dyn Fn(u16) -> (bool, &'c [u8]);

/// Frames of forty contexts.
fn frames(c: &mut Criterion) {
    let idle = asm("idle: nop.f\njmp idle");
    let test = asm("ltst 8\nnop.f");
    let wait = asm("again: wait 0x7FFF\njmp again");
    let walk = asm("walk: walk_to 10, 10, 3\nwalk_to 20, 10, 3\njmp walk");
    let ambient = [0xFF, 0xFF, 0, 0, 3, 0x63, 8, 3, 0x23, 8, 1];
    let [idle, test, wait, walk]: [&[u8]; 4] = [&idle, &test, &wait, &walk];
    let kinds: [(&str, Chooser<'_>); 6] = [
        ("town", &|n| match n {
            0 | 31.. => (false, idle),
            1..=10 => (false, walk),
            11..=20 => (true, &[][..]),
            _ => (false, test),
        }),
        ("idle", &|_| (false, idle)),
        ("wait", &|_| (false, wait)),
        ("walker", &|_| (false, walk)),
        ("ambient", &|_| (true, &[])),
        ("empty", &|_| (false, &[])),
    ];
    let mut group = c.benchmark_group("script");
    // So that contexts a second are told: of `wait` that is polls, of the others slices or steps.
    group.throughput(Throughput::Elements(40));
    for (name, kind) in kinds {
        let mut vm = Vm::<40>::new(Compat::Retail);
        for (place, n) in vm.contexts.iter_mut().zip(0_u16..) {
            let (stream, code) = kind(n);
            *place = Context {
                flags: flag::RUN,
                ..Context::new(n, code, 0)
            };
            if stream {
                (place.stream, place.enable) = (&ambient, 1);
            }
        }
        vm.system = Some(0);
        group.bench_function(name, |b| {
            b.iter(|| {
                vm.frame(&mut Absent, 256, |id, end| {
                    if let SliceEnd::Fault(_) = end {
                        black_box(id);
                    }
                })
            });
        });
    }
    group.finish();
}

fn texts(c: &mut Criterion) {
    let code: Vec<u8> = (0..4096_u32)
        .map(|n| (n.wrapping_mul(0x9E37_79B1) >> 13) as u8)
        .collect();
    let mut labels = Box::new(Labels::none());
    let mut group = c.benchmark_group("script");
    group.throughput(Throughput::Bytes(code.len() as u64));
    group.bench_function("disasm", |b| {
        b.iter(|| {
            let mut text = String::new();
            disassemble(&code, 0, Style::default(), &mut labels, &mut text).expect("a string");
            text
        });
    });
    group.finish();
}

criterion_group!(benches, slices, paint, frames, texts);
criterion_main!(benches);
