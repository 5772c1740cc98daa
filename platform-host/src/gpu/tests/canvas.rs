//! The canvas of `embedded-graphics` in the memory.

use crate::gpu::Canvas;
use crate::gpu::vram::Vram;
use embedded_graphics::Drawable;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::{Bgr555, RgbColor};
use embedded_graphics::primitives::{Primitive, PrimitiveStyle, Rectangle, Triangle};

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
