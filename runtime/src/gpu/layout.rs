//! Where the two pictures of a field lie in VRAM, and what of them is drawn and shown (TMD/TIM sheet,
//! section 7, "Screen"). All in pixels.
//!
//! Each picture begins with a few lines that nothing is drawn to; the display shows these lines and
//! the drawing. What lies between the pictures and to the right of them belongs to textures.

/// Width of a picture.
pub const WIDTH: u16 = 320;

/// Lines of the draw area.
pub const DRAWN: u16 = 224;

/// Lines above the draw area, which stay black: draw offset and draw area begin below them.
pub const BORDER: u16 = 4;

/// Lines on the display: border and draw area.
pub const SHOWN: u16 = BORDER + DRAWN;

/// From the first line of a picture to that of the other.
pub const APART: u16 = 240;

/// Where the axis of the view meets the picture: OFX, in pixels from the draw offset.
pub const CENTRE_X: u16 = WIDTH / 2;

/// OFY: half of what is shown, not of what is drawn.
pub const CENTRE_Y: u16 = SHOWN / 2;

/// The line at which picture `n` (0 or 1) begins.
#[must_use]
pub const fn first_line(n: u16) -> u16 {
    (n & 1) * APART
}

/// The line of the draw offset of picture `n`, at which its draw area begins.
#[must_use]
pub const fn draw_line(n: u16) -> u16 {
    first_line(n) + BORDER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_screen_of_the_sheet() {
        assert_eq!((WIDTH, DRAWN, SHOWN), (320, 224, 228));
        assert_eq!((CENTRE_X, CENTRE_Y), (160, 114));
        assert_eq!([0, 1].map(first_line), [0, 240]);
        assert_eq!([0, 1].map(draw_line), [4, 244]);
        // The pictures do not overlap, and leave the last lines to palettes.
        assert!(first_line(0) + SHOWN <= first_line(1) && first_line(1) + SHOWN <= 480);
    }
}
