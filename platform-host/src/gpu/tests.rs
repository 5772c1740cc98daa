//! Expected pictures are drawn by hand from the rules of the HAL sheet, section 5.3.

use super::*;
use embedded_graphics::Drawable;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::{Bgr555, RgbColor};
use embedded_graphics::primitives::{Primitive, PrimitiveStyle, Rectangle, Triangle};

/// A GPU with the whole memory as drawing area and no offset.
fn open() -> Gpu {
    let mut gpu = Gpu::default();
    gpu.gp0(&[
        0xE100_0000,
        0xE300_0000,
        0xE400_0000 | 1023 | 511 << 10,
        0xE500_0000,
    ])
    .unwrap();
    gpu
}

fn xy(x: i32, y: i32) -> u32 {
    (x as u32 & 0xFFFF) | (y as u32) << 16
}

/// `.` for 0, `#` for anything else.
fn look(gpu: &Gpu, x: usize, y: usize, w: usize, h: usize) -> Vec<String> {
    let mark = |cell: &u16| if *cell == 0 { '.' } else { '#' };
    (y..y + h)
        .map(|row| gpu.vram.row(x, row, w).unwrap().iter().map(mark).collect())
        .collect()
}

fn drawn(gpu: &Gpu) -> usize {
    gpu.vram.cells().iter().filter(|&&cell| cell != 0).count()
}

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

/// A 4-bit page at (64, 0) whose texel `u` of row 0 is `u & 15` for u in 0..16, row 1 reversed;
/// palette at (0, 480): entry `n` is `n`, entry 0 transparent, entry 15 with the top bit.
fn textured() -> Gpu {
    let mut gpu = open();
    let row0 = [0x3210_u16, 0x7654, 0xBA98, 0xFEDC];
    let row1 = [0xCDEF_u16, 0x89AB, 0x4567, 0x0123];
    let pixels: Vec<u8> = row0
        .iter()
        .chain(&row1)
        .flat_map(|half| half.to_le_bytes())
        .collect();
    gpu.upload(64, 0, 4, 2, &pixels).unwrap();
    let palette: Vec<u8> = (0..16_u16)
        .flat_map(|n| (if n == 15 { 0x8000 | n } else { n }).to_le_bytes())
        .collect();
    gpu.upload(0, 480, 16, 1, &palette).unwrap();
    gpu
}

const CLUT: u32 = (480 << 6) << 16;

#[test]
fn a_textured_rectangle_and_quad_show_the_same_texels() {
    let mut gpu = textured();
    gpu.gp0(&[0xE100_0001, 0x6580_8080, xy(200, 10), CLUT, 16 | 2 << 16])
        .unwrap();
    gpu.gp0(&[
        0x2C80_8080,
        xy(200, 20),
        CLUT,
        xy(216, 20),
        16 | 0x0001_0000,
        xy(200, 22),
        2 << 8,
        xy(216, 22),
        16 | 2 << 8,
    ])
    .unwrap();
    let first: Vec<u16> = (0..15).chain([0x800F]).collect();
    let second: Vec<u16> = first.iter().rev().copied().collect();
    for top in [10, 20] {
        assert_eq!(gpu.vram.row(200, top, 16).unwrap(), first);
        assert_eq!(gpu.vram.row(200, top + 1, 16).unwrap(), second);
    }
}

#[test]
fn eight_and_fifteen_bit_pages() {
    let mut gpu = open();
    gpu.upload(128, 0, 2, 1, &[1, 2, 0, 255]).unwrap();
    let palette: Vec<u8> = (0..256_u16).flat_map(|n| (n * 3).to_le_bytes()).collect();
    gpu.upload(256, 480, 256, 1, &palette).unwrap();
    let clut = ((480 << 6) | (256 / 16)) << 16;
    gpu.gp0(&[
        0xE100_0000 | 2 | 1 << 7,
        0x65FF_FFFF,
        xy(0, 0),
        clut,
        4 | 1 << 16,
    ])
    .unwrap();
    assert_eq!(gpu.vram.row(0, 0, 4).unwrap(), [3, 6, 0, 765]);
    gpu.gp0(&[
        0xE100_0000 | 2 | 2 << 7,
        0x65FF_FFFF,
        xy(0, 1),
        clut,
        2 | 1 << 16,
    ])
    .unwrap();
    assert_eq!(gpu.vram.row(0, 1, 2).unwrap(), [0x0201, 0xFF00]);
}

#[test]
fn the_texture_window_repeats_texels() {
    let mut gpu = textured();
    // Mask 1 (8 texels), offset 1: u = u & ~8 | 8.
    gpu.gp0(&[
        0xE100_0001,
        0xE200_0000 | 1 | 1 << 10,
        0x6580_8080,
        xy(200, 0),
        CLUT,
        16 | 1 << 16,
    ])
    .unwrap();
    assert_eq!(
        gpu.vram.row(200, 0, 16).unwrap(),
        [
            8, 9, 10, 11, 12, 13, 14, 0x800F, 8, 9, 10, 11, 12, 13, 14, 0x800F
        ]
    );
}

#[test]
fn modulation_is_neutral_at_80h() {
    for (texel, colour, expected) in [
        (31_u16, 0x80, 31),
        (31, 0x40, 15),
        (31, 0xFF, 31),
        (10, 0xFF, 19),
        (10, 0x80, 10),
        (10, 0x0C, 0),
        (10, 0x0D, 1),
    ] {
        let mut gpu = open();
        gpu.upload(64, 0, 1, 1, &texel.to_le_bytes()).unwrap();
        gpu.gp0(&[0xE100_0101, 0x6400_0000 | colour, xy(0, 0), 0, 1 | 1 << 16])
            .unwrap();
        assert_eq!(gpu.vram.get(0, 0), expected, "{texel} by {colour:#x}");
    }
}

#[test]
fn the_four_blend_modes() {
    for (back, front, expected) in [
        (20_u16, 10_u16, [15, 30, 10, 22]),
        (25, 10, [17, 31, 15, 27]),
        (5, 10, [7, 15, 0, 7]),
        (31, 31, [31, 31, 0, 31]),
        (0, 31, [15, 31, 0, 7]),
    ] {
        for (mode, &expected) in expected.iter().enumerate() {
            let mut gpu = open();
            *gpu.vram_mut().cell(0, 0) = back << 5;
            gpu.gp0(&[
                0xE100_0000 | (mode as u32) << 5,
                0x6A00_0000 | u32::from(front) << 11,
                xy(0, 0),
            ])
            .unwrap();
            assert_eq!(
                gpu.vram.get(0, 0),
                expected << 5,
                "mode {mode}: {back} and {front}"
            );
        }
    }
}

#[test]
fn only_texels_with_the_top_bit_blend() {
    let mut gpu = textured();
    gpu.vram_mut().row_mut(200, 0, 16).unwrap().fill(0x001F);
    // Raw, semi-transparent, B - F: texel 15 has the top bit, 14 has not, 0 is transparent.
    gpu.gp0(&[0xE100_0041, 0x6780_8080, xy(200, 0), CLUT, 16 | 1 << 16])
        .unwrap();
    let row = gpu.vram.row(200, 0, 16).unwrap();
    assert_eq!(row[0], 0x001F);
    assert_eq!(row[14], 14);
    assert_eq!(row[15], 0x8000 | (31 - 15));
}

#[test]
fn the_mask_protects_and_marks() {
    let mut gpu = open();
    *gpu.vram_mut().cell(1, 0) = 0x8001;
    gpu.gp0(&[0xE600_0003, 0x60FF_FFFF, xy(0, 0), 3 | 1 << 16])
        .unwrap();
    assert_eq!(gpu.vram.row(0, 0, 4).unwrap(), [0xFFFF, 0x8001, 0xFFFF, 0]);
    gpu.upload(0, 0, 4, 1, &[2, 0, 2, 0, 2, 0, 2, 0]).unwrap();
    assert_eq!(
        gpu.vram.row(0, 0, 4).unwrap(),
        [0xFFFF, 0x8001, 0xFFFF, 0x8002]
    );
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

#[test]
fn pixels_in_a_list_fill_their_rectangle() {
    let mut gpu = open();
    // 3 x 1 pixels: two words, the last half unused; the next packet follows at once.
    gpu.gp0(&[
        0xA000_0000,
        xy(10, 20),
        3 | 1 << 16,
        0x0002_0001,
        0x9999_0003,
    ])
    .unwrap();
    gpu.gp0(&[0x68FF_FFFF, xy(0, 0)]).unwrap();
    assert_eq!(gpu.vram.row(10, 20, 4).unwrap(), [1, 2, 3, 0]);
    assert_eq!(gpu.vram.get(0, 0), 0x7FFF);
    gpu.gp0(&[0x8000_0000, xy(10, 20), xy(12, 21), 2 | 1 << 16])
        .unwrap();
    assert_eq!(gpu.vram.row(12, 21, 2).unwrap(), [1, 2]);
}

#[test]
fn lists_are_walked_by_their_links() {
    let mut gpu = Gpu::default();
    // The table is words 0..3; a packet at word 4 is linked from entry 2 to entry 1.
    let mut list = [0; 8];
    overworld_runtime::platform::clear_table(&mut list[..3], 0);
    list[4] = 2 << 24 | list[2];
    list[5] = 0x68FF_FFFF;
    list[6] = xy(7, 9);
    list[2] = 16;
    gpu.draw(&list, 2).unwrap();
    assert_eq!(gpu.drawn().pixel(7, 9), Some([255; 3]));
    gpu.present().unwrap();
    assert_eq!(gpu.displayed().pixel(7, 9), Some([255; 3]));
    assert_eq!(gpu.drawn().pixel(7, 9), Some([0; 3]));
    gpu.present().unwrap();
    assert_eq!(
        gpu.drawn().pixel(7, 9),
        Some([0; 3]),
        "cleared when it became the back buffer"
    );
    assert_eq!(gpu.frames(), 2);
}

#[test]
fn a_packet_may_lie_in_two_nodes() {
    let mut gpu = Gpu::default();
    let list = [0x0100_0008, 0x68FF_FFFF, 0x01FF_FFFF, xy(1, 1)];
    gpu.draw(&list, 0).unwrap();
    assert_eq!(gpu.drawn().pixel(1, 1), Some([255; 3]));
}

#[test]
fn bad_lists_are_errors() {
    let end = 0x00FF_FFFF;
    for (list, first, error) in [
        (vec![0x0000_0000], 0, Error::EndlessList { node: 0 }),
        (
            vec![0x0000_0004, 0x0000_0000],
            0,
            Error::EndlessList { node: 0 },
        ),
        (
            vec![0x0000_0002, end],
            0,
            Error::BadLink { node: 0, link: 2 },
        ),
        (
            vec![0x0000_0008, end],
            0,
            Error::BadLink { node: 0, link: 8 },
        ),
        (vec![end], 1, Error::BadLink { node: 1, link: 4 }),
        (
            vec![0x02FF_FFFF, 0],
            0,
            Error::NodeTooLong { node: 0, words: 2 },
        ),
        (
            vec![0x01FF_FFFF, 0x6800_0000],
            0,
            Error::TruncatedPacket { command: 0x68 },
        ),
        (
            vec![0x03FF_FFFF, 0xC000_0000, 0, 0x0001_0001],
            0,
            Error::ReadInList { node: 0 },
        ),
    ] {
        let mut gpu = Gpu::default();
        assert_eq!(gpu.draw(&list, first), Err(error));
        // The next list is not disturbed by what was left over.
        gpu.draw(&[0x02FF_FFFF, 0x68FF_FFFF, 0], 0).unwrap();
        assert_eq!(gpu.drawn().pixel(0, 0), Some([255; 3]));
    }
}

#[test]
fn uploads_are_checked() {
    let mut gpu = Gpu::default();
    assert_eq!(
        gpu.upload(1020, 0, 5, 1, &[0; 10]),
        Err(Error::BadRectangle {
            x: 1020,
            y: 0,
            w: 5,
            h: 1
        })
    );
    assert_eq!(
        gpu.upload(0, 511, 1, 2, &[0; 4]),
        Err(Error::BadRectangle {
            x: 0,
            y: 511,
            w: 1,
            h: 2
        })
    );
    assert_eq!(
        gpu.upload(0, 0, 0, 1, &[]),
        Err(Error::BadRectangle {
            x: 0,
            y: 0,
            w: 0,
            h: 1
        })
    );
    assert_eq!(
        gpu.upload(0, 0, 2, 2, &[0; 7]),
        Err(Error::BadLength {
            expected: 8,
            found: 7
        })
    );
}

#[test]
fn five_bits_become_eight() {
    let mut vram = Vram::new();
    *vram.cell(0, 0) = 31 | 16 << 5 | 1 << 10;
    let picture = Picture::from_vram(&vram, 0, 0, 1, 1);
    assert_eq!(picture.rgb, [255, 132, 8]);
}

#[test]
fn the_png_holds_the_pixels() {
    let picture = Picture {
        width: 2,
        height: 2,
        rgb: (0..12).map(|n| n * 20).collect(),
    };
    let file = picture.png().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (2, 2));
    assert_eq!(pixels, picture.rgb);
}

proptest::proptest! {
    /// Whatever words come, nothing panics and nothing loops for ever.
    #[test]
    fn any_list_ends(list in proptest::collection::vec(proptest::prelude::any::<u32>(), 0..64), first in 0_usize..64) {
        let _ = Gpu::default().draw(&list, first);
    }

    /// Any command byte with any operands.
    #[test]
    fn any_packet_is_harmless(command in 0_u32..0xC0, words in proptest::collection::vec(proptest::prelude::any::<u32>(), 12)) {
        let mut gpu = Gpu::default();
        for word in [command << 24 | words[0] & 0x00FF_FFFF].iter().chain(&words[1..]) {
            // A later word may happen to be a read; nothing else can be wrong.
            let taken = gpu.gp0(&[*word]);
            let fine = taken.is_ok() || taken == Err(Error::ReadInList { node: 0 });
            proptest::prop_assert!(fine);
        }
    }
}

/// A canvas of 20 by 10 in the middle of marked memory.
fn guarded(draw: impl FnOnce(&mut Canvas<'_>)) -> Vram {
    let mut vram = Vram::new();
    for y in 0..64 {
        vram.row_mut(0, y, 64).unwrap().fill(0x1234);
    }
    draw(&mut Canvas::new(&mut vram, 30, 30, 20, 10));
    for y in 0..64 {
        for x in 0..64 {
            let inside = (30..50).contains(&x) && (30..40).contains(&y);
            assert!(
                inside || vram.get(x, y) == 0x1234,
                "{x},{y} lies outside the canvas"
            );
        }
    }
    vram
}

fn filled(vram: &Vram) -> usize {
    vram.cells().iter().filter(|&&cell| cell == 0x7FFF).count()
}

#[test]
fn rectangles_at_the_ends_of_the_number_range_stay_inside() {
    let places = [
        i32::MIN,
        i32::MIN + 1,
        -21,
        -20,
        -1,
        0,
        9,
        19,
        20,
        i32::MAX - 1,
        i32::MAX,
    ];
    let sizes = [0, 1, 5, 20, 21, 0x7FFF_FFFF, 0x8000_0000, u32::MAX];
    for x in places {
        for width in sizes {
            let area = Rectangle::new(Point::new(x, 2), Size::new(width, 3));
            let first = i64::from(x).clamp(0, 20);
            let end = (i64::from(x) + i64::from(width)).clamp(0, 20);
            let expected = usize::try_from(3 * (end - first)).unwrap();
            let vram = guarded(|canvas| canvas.fill_solid(&area, Bgr555::WHITE).unwrap());
            assert_eq!(filled(&vram), expected, "x {x} width {width}");
            let area = Rectangle::new(Point::new(4, x), Size::new(3, width));
            let first = i64::from(x).clamp(0, 10);
            let end = (i64::from(x) + i64::from(width)).clamp(0, 10);
            let expected = usize::try_from(3 * (end - first)).unwrap();
            let vram = guarded(|canvas| canvas.fill_solid(&area, Bgr555::WHITE).unwrap());
            assert_eq!(filled(&vram), expected, "y {x} height {width}");
        }
    }
}

#[test]
fn pixels_outside_are_dropped() {
    let ends = [i32::MIN, -1, 20, 64, i32::MAX];
    let vram = guarded(|canvas| {
        let outside = ends
            .iter()
            .flat_map(|&x| [Point::new(x, 0), Point::new(0, x), Point::new(x, x)]);
        canvas
            .draw_iter(outside.map(|point| Pixel(point, Bgr555::WHITE)))
            .unwrap();
        canvas
            .draw_iter([Pixel(Point::new(19, 9), Bgr555::WHITE)])
            .unwrap();
    });
    assert_eq!(filled(&vram), 1);
    assert_eq!(vram.get(49, 39), 0x7FFF);
}

#[test]
fn contiguous_colours_are_cut_at_all_four_edges() {
    for (x, y, expected) in [
        (-2, 0, 12),
        (18, 0, 8),
        (0, -3, 4),
        (0, 9, 4),
        (3, 3, 16),
        (20, 0, 0),
        (i32::MAX, i32::MIN, 0),
    ] {
        let area = Rectangle::new(Point::new(x, y), Size::new(4, 4));
        let vram = guarded(|canvas| {
            canvas
                .fill_contiguous(&area, std::iter::repeat_n(Bgr555::WHITE, 16))
                .unwrap();
        });
        let expected = if x == -2 { 8 } else { expected };
        assert_eq!(filled(&vram), expected, "{x},{y}");
    }
    let huge = Rectangle::new(Point::new(0, 0), Size::new(u32::MAX, u32::MAX));
    let vram = guarded(|canvas| {
        canvas
            .fill_contiguous(&huge, std::iter::repeat_n(Bgr555::WHITE, 100))
            .unwrap();
    });
    assert_eq!(filled(&vram), 20);
}

#[test]
fn an_area_without_end_of_colours_without_end_ends() {
    // Each colour costs a call, so passing over 2^60 of them would not end.
    let endless = || std::iter::from_fn(|| Some(Bgr555::WHITE));
    let area = |x, y, side| Rectangle::new(Point::new(x, y), Size::new(side, side));
    let fill = |area: Rectangle| {
        let vram = guarded(|canvas| canvas.fill_contiguous(&area, endless()).unwrap());
        filled(&vram)
    };
    assert_eq!(fill(area(0, 0, 300)), 200);
    assert_eq!(fill(area(-280, -290, 300)), 200);
    assert_eq!(fill(area(-290, 0, 300)), 100);
    // The first row alone lies within the first 2^28 colours.
    assert_eq!(fill(area(0, 0, u32::MAX)), 20);
    assert_eq!(fill(area(i32::MIN, i32::MIN, u32::MAX)), 0);
    assert_eq!(fill(area(i32::MAX, i32::MAX, u32::MAX)), 0);
    assert_eq!(fill(area(20, 0, u32::MAX)), 0);
}

#[test]
fn coordinates_at_the_end_of_the_number_range_wrap() {
    let mut vram = Vram::new();
    let most = usize::MAX;
    vram.fill(most, most, 16, 2, 0x7FFF);
    for (x, y, expected) in [
        (1023, 511, 0x7FFF),
        (1008, 0, 0x7FFF),
        (1007, 511, 0),
        (1008, 1, 0),
    ] {
        assert_eq!(vram.get(x, y), expected, "{x},{y}");
    }
    vram.copy(
        (most, most),
        (most - 99, most - 99),
        (2, 2),
        super::vram::Mask::default(),
    );
    assert_eq!(vram.get(1023 - 99, 511 - 99), 0x7FFF);
    assert_eq!(vram.get(1024 - 99, 511 - 99), 0, "it comes from column 0");
    let picture = Picture::from_vram(&vram, most, most, 2, 2);
    assert_eq!(picture.rgb[..6], [255, 255, 255, 0, 0, 0]);
    let whole = Picture::from_vram(&vram, 0, 0, most, most);
    assert_eq!((whole.width, whole.height), (1024, 512));
    assert_eq!(whole.pixel(1023, 511), Some([255; 3]));
    assert_eq!((whole.pixel(1024, 0), whole.pixel(0, most)), (None, None));
    // Fields are open to anybody.
    let odd = Picture {
        width: most,
        height: most,
        rgb: vec![1, 2, 3],
    };
    assert_eq!(odd.pixel(0, 0), Some([1, 2, 3]));
    assert_eq!(
        (odd.pixel(most - 1, most - 1), odd.pixel(1, 0)),
        (None, None)
    );
    assert!(odd.png().is_err());
}

#[test]
fn shapes_that_cross_all_edges_stay_inside() {
    let vram = guarded(|canvas| {
        let style = PrimitiveStyle::with_fill(Bgr555::WHITE);
        // Not larger: the crate's own triangle arithmetic overflows from about 200 pixels on.
        Triangle::new(
            Point::new(-30, -20),
            Point::new(70, -10),
            Point::new(-30, 50),
        )
        .into_styled(style)
        .draw(canvas)
        .unwrap();
    });
    assert_eq!(filled(&vram), 200);
    let vram = guarded(|canvas| canvas.clear(Bgr555::WHITE).unwrap());
    assert_eq!(filled(&vram), 200);
    let vram = guarded(|canvas| {
        let style = PrimitiveStyle::with_stroke(Bgr555::WHITE, 1);
        Rectangle::new(Point::new(-1, -1), Size::new(22, 12))
            .into_styled(style)
            .draw(canvas)
            .unwrap();
    });
    assert_eq!(filled(&vram), 0);
}

#[test]
fn the_colour_is_the_cells() {
    let mut vram = Vram::new();
    let mut canvas = Canvas::new(&mut vram, 0, 0, 4, 4);
    canvas
        .draw_iter([Pixel(Point::new(0, 0), Bgr555::new(1, 2, 3))])
        .unwrap();
    assert_eq!(vram.get(0, 0), 1 | 2 << 5 | 3 << 10);
}
