//! Which tiles a camera sees: for each row of the map those between two columns.
//!
//! The edges of the picture are planes through the eye, and so is what is too far to be drawn. A place on the
//! ground lies on the inner side of all of them, whatever its height within what the scene has. Over the map
//! such a plane is a line, and along a row of tiles it is a column that moves by the same amount from row to row.

use crate::fixed::Vector;
use crate::gpu::layout;
use crate::model::pose::Transform;

/// Tiles of a side of the map.
pub(super) const SIDE: usize = 128;
/// World units of it.
const MAP: i32 = 128 * SIDE as i32;
/// Farthest depth that is drawn, in scaled units: a tile that begins here ends within the engine's 16 bits.
const FAR: i32 = 0xFA00;
/// Bits of a line's larger factor.
const FACTOR: u32 = 15;
/// A line's constant is cut to this: nowhere on the map is the rest as large.
const MOST: i64 = 1 << 30;

/// A line across the map: a place is on its inner side where `x * a + z * b + c` is not negative.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    a: i32,
    b: i32,
    c: i32,
}

impl Line {
    /// Of a plane, for places whose height lies between two.
    ///
    /// Rounded outwards, by some units.
    #[inline(never)]
    fn of([a, b, c]: [i32; 3], constant: i64, [top, bottom]: [i32; 2]) -> Self {
        let constant = constant + wide(b, if b < 0 { top } else { bottom });
        let most = a.unsigned_abs().max(c.unsigned_abs());
        let shift = (u32::BITS - most.leading_zeros()).saturating_sub(FACTOR);
        let (a, b) = (a >> shift, c >> shift);
        // Each factor lost less than one, and that times a coordinate; and what a border will lose.
        let constant = (constant >> shift) + 4 * i64::from(MAP);
        Self {
            a,
            b,
            c: constant.clamp(-MOST, MOST) as i32,
        }
    }

    /// How far inside a place is: negative is outside.
    fn inside(&self, x: i32, z: i32) -> i32 {
        self.c
            .saturating_add(self.a.wrapping_mul(x))
            .saturating_add(self.b.wrapping_mul(z))
    }

    /// How it moves from row to row of tiles.
    #[inline(never)]
    fn border(&self) -> Border {
        let Self { a, b, c } = *self;
        // Of a tile the corner counts that lies farthest inside.
        let c = c.saturating_add((128 * b).max(0));
        let most = b.abs() >> 7;
        if a.abs() <= most {
            // Less than a row from one end of the map to the other.
            let at = c.saturating_add((a * MAP).max(0));
            let rows = SIDE as i32;
            return match (128 * b).signum() {
                0 if at < 0 => Border::Rows(rows, 0),
                0 => Border::Rows(0, rows),
                1 => Border::Rows((-at).div_euclid(128 * b), rows),
                _ => Border::Rows(0, at.div_euclid(-128 * b) + 1),
            };
        }
        Border::Side(Side {
            ends: a < 0,
            at: -(c.saturating_mul(2).max(-i32::MAX) / a),
            slope: -((b << 16) / a),
        })
    }
}

/// A first or last column that moves from row to row.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// It is the last.
    ends: bool,
    /// Where it is in row 0, in 1/256 tile.
    at: i32,
    /// How far it moves from row to row, in 1/65536 tile.
    slope: i32,
}

/// What a line is to rows of tiles.
#[derive(Clone, Copy, Debug)]
enum Border {
    /// A column.
    Side(Side),
    /// From the first row to before the last.
    Rows(i32, i32),
}

/// The tiles that a camera sees, and what beside them.
#[derive(Debug)]
pub(super) struct Sight {
    /// Left, right, upper and lower edge, and the farthest depth.
    lines: [Line; 5],
    /// For each row its first column, and the one behind its last.
    spans: [[u8; 2]; SIDE],
    /// The first row, and the one behind the last.
    rows: [usize; 2],
}

impl Sight {
    /// What is seen by a view, at a projection distance, of ground between two heights, the higher (smaller) one
    /// first. At most so many tiles: of more those from some depth on are left out.
    pub fn of(view: &Transform, h: u16, heights: [i32; 2], most: usize) -> Self {
        let mut far = FAR.min(farthest(h));
        loop {
            let mut sight = Self {
                lines: lines(view, h, heights, far),
                spans: [[0; 2]; SIDE],
                rows: [0; 2],
            };
            if sight.find() <= most {
                return sight;
            }
            if far < 256 {
                // A view in which all places are one.
                sight.rows = [0; 2];
                return sight;
            }
            far -= far / 4;
        }
    }

    /// Rows, the first and the one behind the last.
    pub const fn rows(&self) -> [usize; 2] {
        self.rows
    }

    /// The columns that are seen of a row, the first and the one behind the last.
    pub fn columns(&self, row: usize) -> [usize; 2] {
        let [first, end] = self.spans.get(row).copied().unwrap_or_default();
        [first.into(), end.into()]
    }

    /// The corners, the first and the one behind the last, that the rows of tiles on both sides of a row of
    /// corners need.
    pub fn corners(&self, row: usize) -> [usize; 2] {
        let [first, end] = self.columns(row);
        let [other, last] = self.columns(row.wrapping_sub(1));
        match (first < end, other < last) {
            (true, true) => [first.min(other), end.max(last) + 1],
            (true, false) => [first, end + 1],
            (false, true) => [other, last + 1],
            (false, false) => [0, 0],
        }
    }

    /// Whether one of the tiles is seen that a rectangle of places touches: X and Z, each from and to.
    pub fn has(&self, x: [i32; 2], z: [i32; 2]) -> bool {
        let tile = |at: i32| at >> 7;
        let [left, right] = x.map(tile);
        (tile(z[0])..=tile(z[1])).any(|row| {
            let row = usize::try_from(row).unwrap_or(SIDE);
            let [first, end] = self.columns(row).map(|col| col as i32);
            left < end && right >= first && first < end
        })
    }

    /// Whether something here may be seen that reaches this far in each direction.
    pub fn reaches(&self, x: i32, z: i32, radius: i32) -> bool {
        self.lines.iter().all(|line| {
            let more = (line.a.abs() + line.b.abs()) * radius;
            line.inside(x, z).saturating_add(more) >= 0
        })
    }

    /// Find all spans; how many tiles they have.
    #[inline(never)]
    fn find(&mut self) -> usize {
        let (mut low, mut high) = (0, SIDE as i32);
        let mut sides = heapless::Vec::<Side, 5>::new();
        for line in &self.lines {
            match line.border() {
                // There is room for all.
                Border::Side(side) => _ = sides.push(side),
                Border::Rows(from, to) => (low, high) = (low.max(from), high.min(to)),
            }
        }
        // The rows with something in them are one stretch; look for one of them.
        let (mut least, mut most) = (low, high);
        let start = loop {
            if least >= most {
                return 0;
            }
            let middle = (least + most) / 2;
            match span(&sides, middle) {
                Ok(_) => break middle,
                Err(0) => return 0,
                Err(1..) => least = middle + 1,
                Err(_) => most = middle,
            }
        };
        let (mut tiles, mut rows) = (0, [start, start]);
        for (step, end) in [(1, high), (-1, low - 1)] {
            let mut row = if step > 0 { start } else { start - 1 };
            while row != end
                && let Ok([first, last]) = span(&sides, row)
                && let Some(place) = self.spans.get_mut(row as usize)
            {
                *place = [first, last];
                tiles += usize::from(last - first);
                row += step;
            }
            if step > 0 {
                rows[1] = row;
            } else {
                rows[0] = row + 1;
            }
        }
        self.rows = rows.map(|row| row as usize);
        tiles
    }
}

/// Farthest depth at which the last position beside the axis that the engine's 16 bits have is outside the picture.
fn farthest(h: u16) -> i32 {
    0x7FFF / i32::from(layout::CENTRE_X) * i32::from(h)
}

/// The planes of the picture's edges and of a depth, as lines.
fn lines(view: &Transform, h: u16, heights: [i32; 2], far: i32) -> [Line; 5] {
    let [across, down, ahead] = view.rotation.m;
    let Vector { x, y, z } = view.translation;
    // A position on the screen is `centre + h * x / z`: inside where its distance from an edge, times z, is not
    // negative. A pixel more, for the engine's rounding; numbers of a quarter where they would be too large.
    let less = if h > 0x3FFF { 2 } else { 0 };
    let h = i32::from(h >> less);
    let pixels = |edge: u16| (i32::from(edge) >> less) + 1;
    let (left, above) = (layout::CENTRE_X, layout::CENTRE_Y);
    let edges = [
        (h, across, x, pixels(left)),
        (-h, across, x, pixels(layout::WIDTH - left)),
        (h, down, y, pixels(above)),
        (-h, down, y, pixels(layout::DRAWN - above)),
        (0, ahead, 0, -1),
    ];
    let mut lines = [Line::default(); 5];
    for (line, &(factor, row, along, depth)) in lines.iter_mut().zip(&edges[..]) {
        let normal = |axis: usize| {
            let part = |row: [i16; 3]| i32::from(row.get(axis).copied().unwrap_or(0));
            factor * part(row) + depth * part(ahead)
        };
        let constant =
            wide(factor, along) + wide(depth, z) + i64::from(if depth < 0 { far } else { 0 });
        *line = Line::of([normal(0), normal(1), normal(2)], constant << 12, heights);
    }
    lines
}

/// A product in 64 bits.
fn wide(a: i32, b: i32) -> i64 {
    i64::from(a) * i64::from(b)
}

/// The tiles of a row that are inside, from the first to before the last; without any, whether to look for some in
/// larger (1) or smaller rows (-1), or nowhere (0).
#[inline(never)]
fn span(sides: &[Side], row: i32) -> Result<[u8; 2], i32> {
    let (mut first, mut last) = (0, SIDE as i32 - 1);
    // How the tightest of either kind moves.
    let (mut first_slope, mut last_slope) = (0, 0);
    for side in sides {
        // A slope is at most 128 tiles.
        let tile = side.at.saturating_add((side.slope * row) >> 8) >> 8;
        if side.ends {
            if tile < last {
                (last, last_slope) = (tile, side.slope);
            }
        } else if tile > first {
            (first, first_slope) = (tile, side.slope);
        }
    }
    if first <= last {
        Ok([first as u8, last as u8 + 1])
    } else {
        Err((last_slope - first_slope).signum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::SVector;
    use crate::scene::Camera;

    fn tiles(sight: &Sight) -> usize {
        let [begin, end] = sight.rows();
        let width = |row| {
            let [first, end] = sight.columns(row);
            end - first
        };
        (begin..end).map(width).sum()
    }

    /// However flat and from wherever a view is, level with the ground, upward or upside down: so many tiles and no
    /// more, all of them on the map.
    #[test]
    fn no_view_has_more_tiles_than_it_may() {
        let mut fullest = 0;
        for pitch in (0..0x1000).step_by(0x60) {
            for yaw in (0..0x1000).step_by(0x1C0) {
                for (h, depth, focus) in [
                    (0x300, 16_420, SVector::new(8000, 0, 8000)),
                    (160, 500, SVector::new(0, -40, 16_384)),
                    (0, 0, SVector::new(-32_768, 0, 32_767)),
                    (0xFFFF, i32::MAX, SVector::new(16_384, 32_767, 0)),
                    (368, i32::MIN, SVector::new(100, -32_768, 100)),
                ] {
                    let mut camera = Camera {
                        pitch,
                        yaw,
                        roll: yaw / 3,
                        focus,
                        h,
                        ..Camera::FIELD
                    };
                    camera.eye.z = depth;
                    for most in [64, 1024] {
                        let sight = Sight::of(&camera.view(), h, [-400, 200], most);
                        let tiles = tiles(&sight);
                        assert!(tiles <= most, "{camera:?}: {tiles} of {most}");
                        let [begin, end] = sight.rows();
                        assert!(begin <= end && end <= SIDE);
                        fullest = fullest.max(tiles);
                    }
                }
            }
        }
        assert!(fullest > 900, "{fullest}");
    }

    /// Of what stands beside the picture that is seen which reaches into it.
    #[test]
    fn what_reaches_into_the_picture_is_seen() {
        let camera = Camera {
            focus: SVector::new(8000, 0, 8000),
            ..Camera::FIELD
        };
        let sight = Sight::of(&camera.view(), camera.h, [0, 0], 1024);
        // Half the picture's width at the focus: 160 pixels of 768 at 16384 / 6 units.
        let edge = 8000 + 160 * 16_384 / 6 / 768;
        assert!(sight.reaches(8000, 8000, 0) && sight.reaches(edge - 40, 8000, 0));
        assert!(!sight.reaches(edge + 200, 8000, 100));
        assert!(sight.reaches(edge + 200, 8000, 250));
        assert!(sight.has([8000, 8127], [8000, 8127]));
        assert!(!sight.has([edge + 400, edge + 500], [8000, 8127]));
    }
}
