//! Sections D, E and F: slide, remap, heading, budget.

use super::common::{empty, ground, wall_points};
use overworld_runtime::field::contact::sector;
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::pad::{camera_eighths, heading, remap};
use overworld_runtime::field::slide::resolve;
use overworld_runtime::field::units::{Point, engine_heading};
use overworld_runtime::field::walk::{base_step, budget};

/// Points along X at one Z, or along Z at one X.
enum Wall {
    None,
    AtZ(i32, std::ops::RangeInclusive<i32>),
    AtX(i32, std::ops::RangeInclusive<i32>),
}

#[test]
fn d1_to_d14_the_resolver() {
    use Wall::{AtX, AtZ, None};
    // A single sub-cell.
    let cell = || AtZ(1920, 1985..=2048);
    let vectors = [
        (None, 1985, 0x4000, 0x4000),
        (AtZ(1922, 1985..=2145), 1985, 0x4000, 0xC000),
        (AtZ(1922, 1985..=2145), 1985, 0x4002, 0x4002),
        (AtZ(1922, 1985..=2145), 1985, 0xC000, 0xC000),
        (AtZ(1922, 1825..=1985), 1985, 0x4000, 0x6000),
        (AtX(1923, 1984..=2144), 1985, 0x8000, 0xC000),
        (AtX(1923, 1824..=1984), 1985, 0x8000, 0x9000),
        (AtZ(2046, 1985..=2145), 1985, 0x1000, 0x9000),
        (AtZ(2046, 1985..=2145), 1985, 0x3000, 0x3000),
        (AtX(2047, 1984..=2144), 1985, 0x2000, 0x6000),
        (AtZ(1922, 1825..=2145), 1985, 0x4000, 0x4000),
        (cell(), 1975, 0x4000, 0xC000),
        (cell(), 1951, 0x4000, 0x4000),
        (cell(), 1950, 0x4000, 0x4000),
    ];
    for (number, (wall, x, mask, expected)) in (1..).zip(vectors) {
        let mut data = empty();
        match wall {
            None => {}
            AtZ(z, mut xs) => wall_points(&mut data, xs.by_ref().map(|x| (x, z))),
            AtX(x, mut zs) => wall_points(&mut data, zs.by_ref().map(|z| (x, z))),
        }
        let walls = ground(&data, &NO_HEIGHTS).walls();
        let found = resolve(mask, Point::new(x, 1984), walls);
        assert_eq!(found, expected, "D{number}");
    }
}

#[test]
fn e1_to_e11_remap() {
    let vectors = include!("../../../tests/battery/tables/remaps.rs");
    for (number, (mask, eighths, expected)) in (1..).zip(vectors) {
        assert_eq!(remap(mask, eighths), expected, "E{number}");
    }
    // No eighth is too large.
    assert_eq!(remap(0x9000, 255), 0x8000);
    assert_eq!(remap(0xFFFF, 255), 0x9FFF);
}

#[test]
fn e12_to_e19_headings() {
    let vectors = [
        (0x1000, 0x800, 0x000, 4),
        (0x3000, 0xA00, 0x200, 5),
        (0x2000, 0xC00, 0x400, 6),
        (0x6000, 0xE00, 0x600, 7),
        (0x4000, 0x000, 0x800, 0),
        (0xC000, 0x200, 0xA00, 1),
        (0x8000, 0x400, 0xC00, 2),
        (0x9000, 0x600, 0xE00, 3),
    ];
    for (number, (mask, retail, engine, eighth)) in (12..).zip(vectors) {
        assert_eq!(heading(mask), Some(retail), "E{number}");
        assert_eq!(heading(mask | 0x0FFF), Some(retail), "E{number}");
        assert_eq!(engine_heading(retail), engine, "E{number}");
        assert_eq!(engine_heading(engine), retail, "E{number}");
        assert_eq!(sector(retail), eighth, "E{number}");
    }
    for off_the_ring in [
        0x0000, 0x0FFF, 0x5000, 0xA000, 0x7000, 0xB000, 0xD000, 0xE000, 0xF000,
    ] {
        assert_eq!(heading(off_the_ring), None);
    }
}

#[test]
fn the_camera_turns_the_pad_by_eighths() {
    for (yaw, eighths) in [
        (0, 0),
        (0x64, 0),
        (0x400, 6),
        (0x800, 4),
        (0xC00, 2),
        (0xFFFF, 0),
    ] {
        assert_eq!(camera_eighths(yaw), eighths, "{yaw:#x}");
    }
}

#[test]
fn f1_to_f15_budgets() {
    let vectors = [
        (8, 0x1000, 1, false, false, 8),
        (8, 0x1000, 2, false, false, 16),
        (12, 0x1000, 1, false, false, 12),
        (12, 0x1000, 2, false, false, 24),
        (5, 0x1000, 1, false, false, 5),
        (5, 0x1000, 2, false, false, 10),
        (24, 0x1000, 2, false, false, 48),
        (8, 0x1000, 1, false, true, 6),
        (12, 0x1000, 1, false, true, 9),
        (8, 0x1000, 2, true, false, 8),
        (8, 0x1000, 2, true, true, 6),
        (12, 0x1000, 3, true, true, 14),
        (8, 0x0C00, 2, false, false, 12),
        (5, 0x0800, 1, false, false, 2),
        (8, 0x0000, 2, false, false, 0),
    ];
    let distances = [8, 16, 12, 24, 6, 10, 48, 6, 10, 8, 6, 14, 12, 2, 0];
    for (number, (vector, distance)) in (1..).zip(vectors.into_iter().zip(distances)) {
        let (base, multiplier, scalar, slow, diagonal, expected) = vector;
        let found = budget(base, multiplier, scalar, slow, diagonal);
        assert_eq!(found, expected, "F{number}");
        // The units of the step loop, two at a time.
        assert_eq!((found + 1) / 2 * 2, distance, "F{number}");
    }
    assert_eq!(budget(255, 0xFFFF, 255, false, false), 1_040_145);
}

#[test]
fn the_base_step_is_chosen_in_order() {
    assert_eq!(base_step(false, false, false, false), 8);
    assert_eq!(base_step(false, true, false, false), 12);
    assert_eq!(base_step(false, false, true, false), 12);
    assert_eq!(base_step(false, true, true, false), 8);
    assert_eq!(base_step(false, true, false, true), 24);
    for others in [(true, false, true), (false, true, false)] {
        let (button, option, turbo) = others;
        assert_eq!(base_step(true, button, option, turbo), 5);
    }
}
