//! A rectangle of video memory as a target of `embedded-graphics`.
//!
//! Colours are [`Bgr555`], whose bits are those of a cell. Drawing outside is dropped; the
//! clipping is done in 64 bits, so no rectangle a caller can name overflows (pitfall P18).

use core::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Size};
use embedded_graphics::pixelcolor::Bgr555;
use embedded_graphics::prelude::IntoStorage;
use embedded_graphics::primitives::Rectangle;

use super::vram::{HEIGHT, Vram, WIDTH};

/// Colours of an area that are looked at.
const LIMIT: u64 = 1 << 28;

/// A drawing surface over part of video memory.
pub struct Canvas<'a> {
    vram: &'a mut Vram,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl<'a> Canvas<'a> {
    /// The rectangle at `left`, `top`; what leaves video memory is cut off.
    pub fn new(vram: &'a mut Vram, left: usize, top: usize, width: usize, height: usize) -> Self {
        let (left, top) = (left.min(WIDTH), top.min(HEIGHT));
        Self {
            vram,
            left,
            top,
            width: width.min(WIDTH - left),
            height: height.min(HEIGHT - top),
        }
    }

    /// First and end of `length` pixels from `start` on, cut to `0..limit`.
    fn cut(start: i32, length: u32, limit: usize) -> (usize, usize) {
        let inside = |value: i64| usize::try_from(value.max(0)).unwrap_or(limit).min(limit);
        let end = i64::from(start) + i64::from(length);
        (inside(i64::from(start)), inside(end))
    }
}

impl OriginDimensions for Canvas<'_> {
    fn size(&self) -> Size {
        // Both are at most 1024.
        Size::new(self.width as u32, self.height as u32)
    }
}

impl DrawTarget for Canvas<'_> {
    type Color = Bgr555;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Bgr555>>,
    {
        for Pixel(point, colour) in pixels {
            let (Ok(x), Ok(y)) = (usize::try_from(point.x), usize::try_from(point.y)) else {
                continue;
            };
            if x < self.width && y < self.height {
                *self.vram.cell(self.left + x, self.top + y) = colour.into_storage();
            }
        }
        Ok(())
    }

    /// Of the colours only the first 2^28 are looked at, which is more than a picture of 16384 by
    /// 16384 has: so the work is bounded, however large the area and however long the list.
    fn fill_contiguous<I>(&mut self, area: &Rectangle, colours: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Bgr555>,
    {
        let (first, end) = Self::cut(area.top_left.x, area.size.width, self.width);
        let (upper, lower) = Self::cut(area.top_left.y, area.size.height, self.height);
        if first >= end || upper >= lower {
            return Ok(());
        }
        let mut colours = colours.into_iter();
        // Colours that were taken so far.
        let mut taken = 0_u64;
        // How far the canvas lies inside the area; both are below 2^32.
        let inside = |at: usize, start: i32| (at as i64 - i64::from(start)).unsigned_abs();
        for y in upper..lower {
            let row = inside(y, area.top_left.y) * u64::from(area.size.width);
            let wanted = row + inside(first, area.top_left.x);
            if wanted >= LIMIT {
                break;
            }
            // Only `nth` lets an iterator pass over what is not seen without making it.
            let skipped = (wanted - taken) as usize;
            if skipped > 0 && colours.nth(skipped - 1).is_none() {
                break;
            }
            taken = wanted;
            for x in first..end {
                let Some(colour) = colours.next() else {
                    return Ok(());
                };
                taken += 1;
                *self.vram.cell(self.left + x, self.top + y) = colour.into_storage();
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: Bgr555) -> Result<(), Infallible> {
        let (first, end) = Self::cut(area.top_left.x, area.size.width, self.width);
        let (upper, lower) = Self::cut(area.top_left.y, area.size.height, self.height);
        for y in upper..lower {
            if let Some(row) =
                self.vram
                    .row_mut(self.left + first, self.top + y, end.saturating_sub(first))
            {
                row.fill(colour.into_storage());
            }
        }
        Ok(())
    }

    fn clear(&mut self, colour: Bgr555) -> Result<(), Infallible> {
        let area = Rectangle::new(Default::default(), self.size());
        self.fill_solid(&area, colour)
    }
}
