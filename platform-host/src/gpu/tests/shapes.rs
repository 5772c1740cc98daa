//! Polygons, rectangles and lines without texture.

use super::{drawn, look, open, xy};

#[test]
fn a_triangle_leaves_out_its_right_and_bottom_edges() {
    for order in [[0, 1, 2], [1, 2, 0], [2, 1, 0], [0, 2, 1]] {
        let mut gpu = open();
        let corners = [xy(1, 1), xy(5, 1), xy(1, 5)];
        gpu.gp0(&[
            0x20FF_FFFF,
            corners[order[0]],
            corners[order[1]],
            corners[order[2]],
        ])
        .unwrap();
        assert_eq!(
            look(&gpu, 0, 0, 7, 7),
            [
                ".......", ".####..", ".###...", ".##....", ".#.....", ".......", "......."
            ],
            "{order:?}"
        );
        assert_eq!(gpu.vram.get(1, 1), 0x7FFF);
    }
}

#[test]
fn a_thin_triangle_covers_the_columns_between_its_edges() {
    // Edges: x = 0 + 3y/4 on the left, x = 8 - 5y/4 ... to the tip (3, 4).
    let mut gpu = open();
    gpu.gp0(&[0x2000_00FF, xy(0, 0), xy(8, 0), xy(3, 4)])
        .unwrap();
    assert_eq!(
        look(&gpu, 0, 0, 8, 5),
        ["########", ".######.", "..####..", "...##...", "........"]
    );
    assert_eq!(gpu.vram.get(0, 0), 31);
}

#[test]
fn a_quad_covers_each_pixel_once() {
    // Added onto black: a pixel drawn twice would show 2.
    let mut gpu = open();
    let colour = 0x2A08_0808;
    gpu.gp0(&[
        0xE100_0020,
        colour,
        xy(2, 1),
        xy(9, 3),
        xy(0, 8),
        xy(11, 10),
    ])
    .unwrap();
    let values: Vec<u16> = gpu
        .vram
        .cells()
        .iter()
        .copied()
        .filter(|&cell| cell != 0)
        .collect();
    assert!(values.len() > 50);
    assert!(values.iter().all(|&value| value == 1 | 1 << 5 | 1 << 10));

    let mut gpu = open();
    gpu.gp0(&[0xE100_0020, colour, xy(0, 0), xy(4, 0), xy(0, 4), xy(4, 4)])
        .unwrap();
    assert_eq!(
        look(&gpu, 0, 0, 5, 5),
        ["####.", "####.", "####.", "####.", "....."]
    );
}

#[test]
fn a_fan_of_triangles_has_no_gap_and_no_overlap() {
    let mut gpu = open();
    gpu.gp0(&[0xE100_0020]).unwrap();
    let ring = [
        (40, 3),
        (70, 20),
        (77, 44),
        (60, 71),
        (33, 75),
        (9, 58),
        (2, 31),
        (15, 11),
    ];
    for corner in 0..ring.len() {
        let (a, b) = (ring[corner], ring[(corner + 1) % ring.len()]);
        gpu.gp0(&[0x2208_0808, xy(37, 40), xy(a.0, a.1), xy(b.0, b.1)])
            .unwrap();
    }
    let mut inside = 0;
    for y in 0..80 {
        let row = gpu.vram.row(0, y, 80).unwrap();
        assert!(
            row.iter().all(|&cell| cell == 0 || cell == 0x0421),
            "row {y}"
        );
        // A convex shape: no hole between the first and the last pixel of a row.
        let first = row.iter().position(|&cell| cell != 0);
        let last = row.iter().rposition(|&cell| cell != 0);
        if let (Some(first), Some(last)) = (first, last) {
            assert!(row[first..=last].iter().all(|&cell| cell != 0), "row {y}");
            inside += last + 1 - first;
        }
    }
    // Twice the area by the shoelace rule, give or take half the outline.
    let twice: i32 = (0..ring.len())
        .map(|corner| {
            let (a, b) = (ring[corner], ring[(corner + 1) % ring.len()]);
            a.0 * b.1 - b.0 * a.1
        })
        .sum();
    assert!(
        (twice / 2 - inside as i32).abs() < 100,
        "{twice} / 2, {inside}"
    );
}

#[test]
fn gouraud_colours_run_linearly_between_corners() {
    let mut gpu = open();
    // Red 0 at the left, 256 at x = 32 would be 8 a pixel: one 5-bit step each.
    gpu.gp0(&[
        0x3800_0000,
        xy(0, 0),
        0x00F8,
        xy(31, 0),
        0,
        xy(0, 2),
        0x00F8,
        xy(31, 2),
    ])
    .unwrap();
    let row = gpu.vram.row(0, 0, 32).unwrap();
    let expected: Vec<u16> = (0..31).chain([0]).collect();
    assert_eq!(row, expected);
    assert_eq!(gpu.vram.row(0, 1, 32).unwrap(), expected);
}

#[test]
fn polygons_above_the_size_limits_are_not_drawn() {
    for (x, y, drawn) in [
        (1023, 1, true),
        (1024, 1, false),
        (1, 511, true),
        (1, 512, false),
    ] {
        let mut gpu = open();
        // Half of it left of or above the memory, so that 11 bits hold the corners.
        let (left, top) = (-x / 2, -y / 2);
        gpu.gp0(&[
            0x20FF_FFFF,
            xy(left, top),
            xy(left + x, top + y),
            xy(left, top + y),
        ])
        .unwrap();
        let mut quad = open();
        quad.gp0(&[
            0x28FF_FFFF,
            xy(left, 0),
            xy(left + x, 0),
            xy(left, y),
            xy(left + x, y),
        ])
        .unwrap();
        assert_eq!(
            quad.vram.cells().iter().any(|&cell| cell != 0),
            drawn,
            "{x} {y}"
        );
    }
}

#[test]
fn the_drawing_area_is_inclusive_and_the_offset_is_signed() {
    let mut gpu = open();
    let offset = (-3_i32 as u32 & 0x7FF) | (5 << 11);
    gpu.gp0(&[
        0xE300_0000 | 2 | 6 << 10,
        0xE400_0000 | 4 | 7 << 10,
        0xE500_0000 | offset,
    ])
    .unwrap();
    gpu.gp0(&[0x60FF_FFFF, xy(0, 0), 10 | 10 << 16]).unwrap();
    assert_eq!(
        look(&gpu, 0, 4, 7, 5),
        [".......", ".......", "..###..", "..###..", "......."]
    );
    assert_eq!(drawn(&gpu), 6);
}

#[test]
fn rectangles_of_every_size() {
    for (packet, size) in [
        (vec![0x6012_3456, xy(3, 4), 5 | 6 << 16], (5, 6)),
        (vec![0x6812_3456, xy(3, 4)], (1, 1)),
        (vec![0x7012_3456, xy(3, 4)], (8, 8)),
        (vec![0x7812_3456, xy(3, 4)], (16, 16)),
    ] {
        let mut gpu = open();
        gpu.gp0(&packet).unwrap();
        assert_eq!(drawn(&gpu), size.0 * size.1);
        // 56h red, 34h green, 12h blue, cut to five bits.
        let expected = 0x56 >> 3 | (0x34 >> 3) << 5 | (0x12 >> 3) << 10;
        for (x, y) in [(3, 4), (2 + size.0, 3 + size.1)] {
            assert_eq!(gpu.vram.get(x, y), expected);
        }
    }
}

#[test]
fn lines_draw_both_ends() {
    let mut gpu = open();
    gpu.gp0(&[0x40FF_FFFF, xy(5, 3), xy(1, 1)]).unwrap();
    assert_eq!(
        look(&gpu, 0, 0, 7, 5),
        [".......", ".#.....", "..##...", "....##.", "......."]
    );
    assert_eq!(drawn(&gpu), 5);
    let mut point = open();
    point.gp0(&[0x40FF_FFFF, xy(2, 2), xy(2, 2)]).unwrap();
    assert_eq!(drawn(&point), 1);
}

#[test]
fn polylines_run_to_the_end_mark() {
    let mut gpu = open();
    let end = 0x5555_5555;
    gpu.gp0(&[
        0x48FF_FFFF,
        xy(0, 0),
        xy(3, 0),
        xy(3, 2),
        end,
        0x68FF_FFFF,
        xy(6, 0),
    ])
    .unwrap();
    assert_eq!(
        look(&gpu, 0, 0, 8, 4),
        ["####..#.", "...#....", "...#....", "........"]
    );
    let mut gouraud = open();
    gouraud
        .gp0(&[
            0x5800_0008,
            xy(0, 0),
            0x0010,
            xy(0, 2),
            0x0020,
            xy(2, 2),
            end,
            0x68FF_FFFF,
            xy(6, 0),
        ])
        .unwrap();
    assert_eq!(gouraud.vram.get(0, 0), 1);
    assert_eq!(gouraud.vram.get(0, 2), 2);
    assert_eq!(gouraud.vram.get(2, 2), 4);
    assert_eq!(gouraud.vram.get(6, 0), 0x7FFF);
}

#[test]
fn dithering_follows_its_bit_and_the_pattern() {
    // Grey 12 of 255 (5-bit 1, remainder 4) as gouraud quad: the pattern's -4 gives 8 >> 3 = 1,
    // and +3 gives 15 >> 3 = 1; grey 11 with -4 gives 7 >> 3 = 0.
    let quad = |grey: u32| {
        let colour = grey * 0x0001_0101;
        [
            0x3800_0000 | colour,
            xy(0, 0),
            colour,
            xy(4, 0),
            colour,
            xy(0, 4),
            colour,
            xy(4, 4),
        ]
    };
    let mut gpu = open();
    gpu.gp0(&[0xE100_0200]).unwrap();
    gpu.gp0(&quad(11)).unwrap();
    assert_eq!(look(&gpu, 0, 0, 4, 4), [".###", "####", "##.#", "####"]);
    let mut off = open();
    off.gp0(&quad(11)).unwrap();
    assert_eq!(drawn(&off), 16);
}
