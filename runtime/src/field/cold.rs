//! A seat in a scene that is not made for a cold start (field sheet, section 10.7; the rule is the
//! reference engine's).
//!
//! The main region of a map is the largest patch of open sub-cells, side by side, that touches fewer
//! than three edges of the map: what touches more is the outside.

use super::compat::Compat;
use super::ground::Ground;
use super::map::trigger::Teleport;
use super::map::{Cell, Tile};
use super::spawn::COLD;
use super::units::{Point, SUB_CELL, dispatch_tile, saturate};

/// Sub-cells along each axis.
const SIDE: usize = 256;
/// Words of a row.
const WORDS: usize = SIDE / 32;
/// From so many edges on a patch is the outside.
const OUTSIDE: usize = 3;

/// A bit for each sub-cell of a row.
type Row = [u32; WORDS];
/// A bit for each sub-cell of the map, rows along Z.
type Bits = [Row; SIDE];

/// Working memory of the search: 24 KiB.
#[derive(Clone, Debug)]
pub struct Search {
    /// Open sub-cells of patches that are yet to be found.
    open: Bits,
    /// The patch that is being found.
    patch: Bits,
    /// The main region.
    main: Bits,
}

/// A patch that was found.
#[derive(Clone, Copy, Debug, Default)]
struct Patch {
    size: u32,
    /// Sums of its columns and rows.
    sums: [u32; 2],
    /// Its first and last row.
    rows: [usize; 2],
    /// The map's edges that it touches.
    edges: usize,
}

impl Search {
    /// Memory for a search.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            open: [[0; WORDS]; SIDE],
            patch: [[0; WORDS]; SIDE],
            main: [[0; WORDS]; SIDE],
        }
    }

    /// Where a player may stand who comes from nowhere: on the cold seat of a new game, if it is good
    /// here, else where the first good teleport within the scene leads, else on the sub-cell of the main
    /// region nearest its middle. `None` on a map without a main region.
    ///
    /// Good is what is walkable ground, no wall, in the main region, and nowhere from where the dispatch takes
    /// a teleport at once: which tile it asks, a reading says.
    #[must_use]
    pub fn seat(&mut self, ground: &Ground<'_>, compat: &Compat) -> Option<Point> {
        let main = self.find_main(ground)?;
        let cold = Point::new(COLD, COLD);
        if self.is_good(ground, cold, compat) {
            return Some(cold);
        }
        let landing = |teleport: Teleport| {
            let [x, z] = teleport.landing().map(saturate);
            Point::new(x, z)
        };
        let triggers = ground.triggers();
        let doors = triggers.map.teleports().chain(triggers.patch.teleports());
        let good = doors
            .map(landing)
            .find(|&at| self.is_good(ground, at, compat));
        good.or_else(|| self.middle(&main))
    }

    fn is_good(&self, ground: &Ground<'_>, at: Point, compat: &Compat) -> bool {
        let (x, z) = (i32::from(at.x), i32::from(at.z));
        let Some(tile) = Tile::containing(x, z) else {
            return false;
        };
        let [col, row] = dispatch_tile(x, z, compat.trigger_bias);
        let teleport = Tile::at(col, row).and_then(|tile| ground.triggers().teleport(tile));
        ground.cell(tile).has(Cell::GROUND)
            && !ground.walls().at(x, z)
            && self.holds(x, z)
            && teleport.is_none()
    }

    /// Whether a position lies in the main region. Sub-cells are open at their lower X edge and closed
    /// there along Z, as walls are.
    fn holds(&self, x: i32, z: i32) -> bool {
        let (Ok(col), Ok(row)) = (usize::try_from((x - 1) >> 6), usize::try_from(z >> 6)) else {
            return false;
        };
        let word = self.main.get(row).and_then(|row| row.get(col / 32));
        word.is_some_and(|word| word >> (col % 32) & 1 != 0)
    }

    /// The sub-cell of the main region nearest its mean column and row, the first of several in row
    /// order.
    fn middle(&self, main: &Patch) -> Option<Point> {
        let [mean_col, mean_row] = main.sums.map(|sum| sum.checked_div(main.size).unwrap_or(0));
        let mut best: Option<(u32, u32, u32)> = None;
        for (row, cells) in (0_u32..).zip(&self.main) {
            for col in columns(cells) {
                let far = col.abs_diff(mean_col).pow(2) + row.abs_diff(mean_row).pow(2);
                if best.is_none_or(|(least, ..)| far < least) {
                    best = Some((far, col, row));
                }
            }
        }
        let centre = |cell: u32| saturate(cell as i32 * SUB_CELL + SUB_CELL / 2);
        best.map(|(_, col, row)| Point::new(centre(col), centre(row)))
    }

    /// Find the main region, patch by patch.
    fn find_main(&mut self, ground: &Ground<'_>) -> Option<Patch> {
        self.read(ground);
        self.patch = [[0; WORDS]; SIDE];
        self.main = [[0; WORDS]; SIDE];
        let mut main: Option<Patch> = None;
        for row in 0..SIDE {
            while let Some(col) = self.open.get(row).and_then(|cells| columns(cells).next()) {
                let patch = self.take(col, row);
                if patch.edges < OUTSIDE && main.is_none_or(|main| patch.size > main.size) {
                    main = Some(patch);
                    self.main = self.patch;
                }
                let [first, last] = patch.rows;
                if let Some(rows) = self.patch.get_mut(first..=last) {
                    rows.fill([0; WORDS]);
                }
            }
        }
        main
    }

    /// Which sub-cells are open.
    fn read(&mut self, ground: &Ground<'_>) {
        let walls = ground.walls();
        let mut z = SUB_CELL / 2;
        for row in &mut self.open {
            let mut x = SUB_CELL / 2;
            for word in row {
                *word = 0;
                for bit in 0..32 {
                    *word |= u32::from(!walls.at(x, z)) << bit;
                    x += SUB_CELL;
                }
            }
            z += SUB_CELL;
        }
    }

    /// Move the patch around an open sub-cell from `open` to `patch`, which is empty.
    fn take(&mut self, col: u32, row: usize) -> Patch {
        if let Some(word) = cell_word(&mut self.patch, col, row) {
            *word = 1 << (col % 32);
        }
        let [mut first, mut last] = [row; 2];
        loop {
            let mut grew = false;
            // Down with everything, then up, a row further at each end as long as something gets there.
            let mut at = first;
            while at <= last || at == last + 1 && self.touches(at) {
                grew |= self.grow(at);
                last = last.max(at);
                at += 1;
            }
            let mut at = last;
            loop {
                grew |= self.grow(at);
                first = first.min(at);
                if at == 0 || at <= first && !self.touches(at - 1) {
                    break;
                }
                at -= 1;
            }
            if !grew {
                break;
            }
        }
        self.measure(first, last)
    }

    /// Whether the patch reaches over to a row from one of its neighbours.
    fn touches(&self, row: usize) -> bool {
        let Some(open) = self.open.get(row) else {
            return false;
        };
        let beside = [row.checked_sub(1), row.checked_add(1)];
        let mut beside = beside.into_iter().flatten();
        beside.any(|row| {
            let cells = self.patch.get(row);
            cells.is_some_and(|cells| cells.iter().zip(open).any(|(a, b)| a & b != 0))
        })
    }

    /// Let the patch grow in a row: over from its neighbours, then to both sides. Whether it did.
    fn grow(&mut self, row: usize) -> bool {
        let (Some(open), Some(&before)) = (self.open.get(row), self.patch.get(row)) else {
            return false;
        };
        let mut cells = before;
        for beside in [row.checked_sub(1), row.checked_add(1)] {
            if let Some(beside) = beside.and_then(|row| self.patch.get(row)) {
                for ((to, from), open) in cells.iter_mut().zip(beside).zip(open) {
                    *to |= from & open;
                }
            }
        }
        spread(&mut cells, open);
        if let Some(place) = self.patch.get_mut(row) {
            *place = cells;
        }
        cells != before
    }

    /// What the patch in these rows is like; its sub-cells are no longer open ones.
    fn measure(&mut self, first: usize, last: usize) -> Patch {
        let mut found = Patch {
            rows: [first, last],
            edges: usize::from(first == 0) + usize::from(last == SIDE - 1),
            ..Patch::default()
        };
        let mut sides = [false; 2];
        for row in first..=last {
            let (Some(cells), Some(open)) = (self.patch.get(row), self.open.get_mut(row)) else {
                continue;
            };
            for (open, cells) in open.iter_mut().zip(cells) {
                *open &= !cells;
            }
            for col in columns(cells) {
                found.size += 1;
                found.sums[0] += col;
                found.sums[1] += row as u32;
            }
            sides[0] |= cells.first().is_some_and(|word| word & 1 != 0);
            sides[1] |= cells.last().is_some_and(|word| word >> 31 != 0);
        }
        found.edges += sides.into_iter().filter(|&side| side).count();
        found
    }
}

impl Default for Search {
    fn default() -> Self {
        Self::new()
    }
}

fn cell_word(bits: &mut Bits, col: u32, row: usize) -> Option<&mut u32> {
    bits.get_mut(row)?.get_mut(col as usize / 32)
}

/// The columns of a row's set bits.
fn columns(row: &Row) -> impl Iterator<Item = u32> + '_ {
    (0_u32..).zip(row).flat_map(|(word, &bits)| {
        let mut rest = bits;
        core::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (bit < 32).then_some(32 * word + bit)
        })
    })
}

/// Let each set bit of a row run along the open ones to both sides.
fn spread(row: &mut Row, open: &Row) {
    let mut carry = 0;
    for (bits, &open) in row.iter_mut().zip(open) {
        *bits = upward(*bits | carry & open, open);
        carry = *bits >> 31;
    }
    carry = 0;
    for (bits, &open) in row.iter_mut().zip(open).rev() {
        *bits = upward((*bits | carry & open).reverse_bits(), open.reverse_bits()).reverse_bits();
        carry = *bits << 31;
    }
}

/// Let each set bit run up along the open ones, of which it is one: added to them, it carries through to
/// the end of its run and clears what it passes.
const fn upward(bits: u32, open: u32) -> u32 {
    open & !open.wrapping_add(bits) | bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_run_to_the_ends_of_their_runs() {
        assert_eq!(upward(0b0010_0100, 0b0111_1110), 0b0111_1100);
        assert_eq!(upward(0, u32::MAX), 0);
        assert_eq!(upward(1, u32::MAX), u32::MAX);
        let open = [0x8000_0000, u32::MAX, 1, 0, 6, 0, 0, 0];
        let mut row = [0, 0x10, 0, 0, 4, 0, 0, 0];
        spread(&mut row, &open);
        assert_eq!(row, open);
        assert_eq!(columns(&row).count(), 1 + 32 + 1 + 2);
        assert_eq!(
            columns(&row).take(2).collect::<heapless::Vec<u32, 2>>(),
            [31, 32]
        );
    }
}
