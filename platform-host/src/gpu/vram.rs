//! Video memory: 1024 by 512 cells of 16 bits, and the transfers that need no rasteriser
//! (HAL sheet, section 5.3).

/// Cells in a row.
pub const WIDTH: usize = 1024;

/// Rows.
pub const HEIGHT: usize = 512;

/// The mask bit of a cell, in textures the semi-transparency bit.
pub const MASK: u16 = 0x8000;

/// Video memory. Coordinates wrap at its edges, as in the chip.
#[derive(Clone)]
pub struct Vram {
    cells: Box<[u16; WIDTH * HEIGHT]>,
}

impl Default for Vram {
    fn default() -> Self {
        Self::new()
    }
}

impl Vram {
    /// All cells 0.
    #[must_use]
    pub fn new() -> Self {
        let cells = vec![0; WIDTH * HEIGHT].into_boxed_slice();
        match cells.try_into() {
            Ok(cells) => Self { cells },
            Err(_) => unreachable!("the vector was made with this length"),
        }
    }

    /// The cell at `x`, `y`, both wrapping.
    #[must_use]
    #[inline]
    pub fn get(&self, x: usize, y: usize) -> u16 {
        self.cells[index(x, y)]
    }

    /// The cell at `x`, `y`, both wrapping, for writing.
    #[inline]
    pub fn cell(&mut self, x: usize, y: usize) -> &mut u16 {
        &mut self.cells[index(x, y)]
    }

    /// All cells, row by row.
    #[must_use]
    pub fn cells(&self) -> &[u16] {
        self.cells.as_slice()
    }

    /// `w` cells of row `y` from `x` on; `None` if they leave the row or `y` the memory.
    #[must_use]
    pub fn row(&self, x: usize, y: usize, w: usize) -> Option<&[u16]> {
        if y >= HEIGHT || x.checked_add(w)? > WIDTH {
            return None;
        }
        self.cells.get(y * WIDTH + x..y * WIDTH + x + w)
    }

    /// As [`Vram::row`], for writing.
    pub fn row_mut(&mut self, x: usize, y: usize, w: usize) -> Option<&mut [u16]> {
        if y >= HEIGHT || x.checked_add(w)? > WIDTH {
            return None;
        }
        self.cells.get_mut(y * WIDTH + x..y * WIDTH + x + w)
    }

    /// Command 02h: `colour` is a cell value. `x` is cut to a multiple of 16, `w` rounded up to
    /// one; wraps; ignores drawing area, offset and mask.
    pub fn fill(&mut self, x: usize, y: usize, w: usize, h: usize, colour: u16) {
        let x = x & 0x3F0;
        let w = ((w & 0x3FF) + 15) & !15;
        for row in 0..h & 0x1FF {
            for column in 0..w {
                // The sides are powers of two, so a sum that wraps is still right.
                *self.cell(x + column, y.wrapping_add(row)) = colour;
            }
        }
    }

    /// Command 80h: copy a rectangle, wrapping, with the mask rules of E6h.
    pub fn copy(
        &mut self,
        from: (usize, usize),
        to: (usize, usize),
        size: (usize, usize),
        mask: Mask,
    ) {
        let (w, h) = transfer_size(size);
        for row in 0..h {
            for column in 0..w {
                let at = |(x, y): (usize, usize)| (x.wrapping_add(column), y.wrapping_add(row));
                let ((x, y), (to_x, to_y)) = (at(from), at(to));
                let value = self.get(x, y);
                mask.store(self.cell(to_x, to_y), value);
            }
        }
    }
}

/// Width and height of a copy or transfer: 0 means the whole memory (HAL sheet, 5.3).
#[must_use]
pub fn transfer_size((w, h): (usize, usize)) -> (usize, usize) {
    (
        (w.wrapping_sub(1) & 0x3FF) + 1,
        (h.wrapping_sub(1) & 0x1FF) + 1,
    )
}

/// State of E6h.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    /// Bit 0: every cell written gets the mask bit.
    pub set: bool,
    /// Bit 1: cells that have the mask bit are left alone.
    pub check: bool,
}

impl Mask {
    /// Write `value` into `cell` under these rules.
    #[inline]
    pub fn store(self, cell: &mut u16, value: u16) {
        if !(self.check && *cell & MASK != 0) {
            *cell = value | if self.set { MASK } else { 0 };
        }
    }
}

#[inline]
fn index(x: usize, y: usize) -> usize {
    (y & (HEIGHT - 1)) * WIDTH + (x & (WIDTH - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_works_in_steps_of_sixteen_and_wraps() {
        let mut vram = Vram::new();
        vram.fill(1000, 511, 17, 2, 0x7C1F);
        // x is cut to 992; the width grows to 32, up to the right edge; the second row is row 0.
        for (x, y, expected) in [
            (991, 511, 0),
            (992, 511, 0x7C1F),
            (1023, 511, 0x7C1F),
            (0, 511, 0),
            (992, 0, 0x7C1F),
            (992, 1, 0),
        ] {
            assert_eq!(vram.get(x, y), expected, "{x},{y}");
        }
        let filled = vram.cells().iter().filter(|&&cell| cell != 0).count();
        assert_eq!(filled, 64);
    }

    #[test]
    fn copy_wraps_and_respects_the_mask() {
        let mut vram = Vram::new();
        *vram.cell(1023, 0) = 0x1111;
        *vram.cell(0, 0) = 0x2222;
        *vram.cell(5, 9) = MASK;
        let mask = Mask {
            set: true,
            check: true,
        };
        vram.copy((1023, 0), (4, 9), (2, 1), mask);
        assert_eq!(vram.row(4, 9, 2), Some([0x9111, MASK].as_slice()));
        assert_eq!(vram.get(6, 9), 0);
    }

    #[test]
    fn sizes_of_zero_are_the_whole_memory() {
        assert_eq!(transfer_size((0, 0)), (1024, 512));
        assert_eq!(transfer_size((1024, 512)), (1024, 512));
        assert_eq!(transfer_size((1025, 513)), (1, 1));
    }
}
