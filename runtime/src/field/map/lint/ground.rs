//! Walls and floor: rules 6, 7 and 10.

use super::Finding;
use crate::field::map::{Cell, Map, TILES, Tile};
use core::ops::{ControlFlow, RangeInclusive};

/// Sub-cells along each axis: squares of 64 units, one wall bit each.
const CELLS: usize = 2 * TILES as usize;

/// Sub-cells along either axis of which the blocked squares of a wall ring may be: from 64 units to
/// 16192.
const RING: RangeInclusive<usize> = 1..=CELLS - 4;

/// A bit for each sub-cell of a row, from column 0 on.
type Row = [u64; CELLS / 64];

/// A bit for each sub-cell; 8 KiB.
struct Bits([Row; CELLS]);

impl Bits {
    const fn none() -> Self {
        Self([[0; CELLS / 64]; CELLS])
    }

    fn row(&self, z: usize) -> Row {
        self.0.get(z).copied().unwrap_or_default()
    }

    fn has(&self, x: usize, z: usize) -> bool {
        let word = self.row(z).get(x / 64).copied();
        word.is_some_and(|word| word >> (x % 64) & 1 != 0)
    }

    fn set(&mut self, x: usize, z: usize) {
        if let Some(word) = self.0.get_mut(z).and_then(|row| row.get_mut(x / 64)) {
            *word |= 1 << (x % 64);
        }
    }
}

/// `seed`, which is open, and all that is open behind it up to the next wall: where a seed is added to a
/// run of open bits, the carry turns over those from the seed to the end of the run.
fn fill(open: Row, seed: Row) -> Row {
    let mut filled = seed;
    let mut carry = false;
    for ((filled, open), seed) in filled.iter_mut().zip(open).zip(seed) {
        let (sum, first) = open.overflowing_add(seed);
        let (sum, second) = sum.overflowing_add(carry.into());
        carry = first || second;
        *filled |= (sum ^ open) & open;
    }
    filled
}

/// The row from its other end.
fn turned(row: Row) -> Row {
    let mut turned = row.map(u64::reverse_bits);
    turned.reverse();
    turned
}

impl Map<'_> {
    /// Rules 6, 7 and 10.
    pub(super) fn check_ground<B>(
        &self,
        visit: &mut dyn FnMut(Finding) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if let Some(col) = self.row_zero() {
            visit(Finding::RowZero { col })?;
        }
        for tile in Tile::all() {
            if self.is_lone(tile) && !self.cell(tile).has(Cell::ELEVATION) {
                visit(Finding::LoneTier { tile })?;
            }
        }
        match self.open_edge() {
            Some(tile) => visit(Finding::OpenEdge { tile }),
            None => ControlFlow::Continue(()),
        }
    }

    /// The first column of row 0 that is neither clear nor solid like column 0.
    fn row_zero(&self) -> Option<u8> {
        let walls = |col| Tile::new(col, 0).map(|tile| self.collision(tile).walls());
        let first = walls(0)?;
        if first != 0 && first != 0xF {
            return Some(0);
        }
        (1..TILES).find(|&col| walls(col) != Some(first))
    }

    /// Whether no neighbour has the tile's tier.
    fn is_lone(&self, tile: Tile) -> bool {
        let tier = self.collision(tile).tier();
        let near = [-1, 0, 1];
        let offsets = near.into_iter().flat_map(|z| near.map(|x| (x, z)));
        let mut neighbours = offsets
            .filter(|&it| it != (0, 0))
            .filter_map(|(x, z)| Tile::at(i32::from(tile.col()) + x, i32::from(tile.row()) + z));
        neighbours.all(|it| self.collision(it).tier() != tier)
    }

    /// Whether the walls leave this sub-cell open. The bits of its row stand a tile further on (section
    /// 4.1).
    fn is_open(&self, x: usize, z: usize) -> bool {
        let (col, row) = (x as i32 / 2, (z as i32 / 2 + 1) % i32::from(TILES));
        let bit = z % 2 * 2 + x % 2;
        Tile::at(col, row).is_some_and(|tile| self.collision(tile).walls() >> bit & 1 == 0)
    }

    /// A tile at which the ground that the triggers use reaches where a wall ring must be, or beyond.
    fn open_edge(&self) -> Option<Tile> {
        let mut reached = Bits::none();
        let mut any = false;
        let mut start = |x: usize, z: usize| {
            if x < CELLS && z < CELLS && self.is_open(x, z) {
                reached.set(x, z);
                any = true;
            }
        };
        let triggers = self.triggers();
        let walked = triggers.scripts().filter(|it| it.gate == 1);
        let used = triggers.teleports().map(|it| it.tile);
        for [col, row] in used.chain(walked.map(|it| it.tile)) {
            // Where the dispatch finds who walks on it: half a tile, a sub-cell, further on.
            let (x, z) = (2 * usize::from(col) + 1, 2 * usize::from(row) + 1);
            for (x, z) in [(x, z), (x + 1, z), (x, z + 1), (x + 1, z + 1)] {
                start(x, z);
            }
        }
        for teleport in triggers.teleports() {
            // A sub-cell has its far X edge and its near Z edge.
            let [x, z] = teleport.landing();
            start((x - 1) as usize / 64, z as usize / 64);
        }
        if any {
            self.spread(&mut reached);
        }
        // What lies inside of a ring lies inside of its outermost place.
        let edge = |n: usize| n <= *RING.start() || n >= *RING.end();
        let all = (0..CELLS).flat_map(|z| (0..CELLS).map(move |x| (x, z)));
        let found = all
            .filter(|&(x, z)| edge(x) || edge(z))
            .find(|&(x, z)| reached.has(x, z));
        found.and_then(|(x, z)| Tile::at(x as i32 / 2, z as i32 / 2))
    }

    /// Reach all that is open beside what is reached: forth and back over the rows until nothing
    /// changes. A maze takes as many turns as it has.
    fn spread(&self, reached: &mut Bits) {
        let mut open = Bits::none();
        for z in 0..CELLS {
            for x in (0..CELLS).filter(|&x| self.is_open(x, z)) {
                open.set(x, z);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for z in (0..CELLS).chain((0..CELLS).rev()) {
                let open = open.row(z);
                let (before, after) = (z.checked_sub(1), z + 1);
                let beside = [before, Some(z), Some(after)].map(|z| z.map(|z| reached.row(z)));
                let mut seed = Row::default();
                for row in beside.into_iter().flatten() {
                    for ((seed, reached), open) in seed.iter_mut().zip(row).zip(open) {
                        *seed |= reached & open;
                    }
                }
                let right = fill(open, seed);
                let both = turned(fill(turned(open), turned(right)));
                if let Some(row) = reached.0.get_mut(z).filter(|row| **row != both) {
                    *row = both;
                    changed = true;
                }
            }
        }
    }
}
