//! A picture in a terminal: two pixels a character, in true colour.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use overworld_host::gpu::Picture;

/// Whether standard output can show coloured characters: it is a terminal, `NO_COLOR` is not set
/// and `TERM` is not `dumb`.
pub fn is_colourful() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal()
        && !set("NO_COLOR")
        && std::env::var_os("TERM").is_none_or(|it| it != "dumb")
}

/// Columns and rows; 80 by 24 where the system does not tell.
fn size() -> (usize, usize) {
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(io::stdout())
        && size.ws_col > 0
        && size.ws_row > 0
    {
        return (usize::from(size.ws_col), usize::from(size.ws_row));
    }
    (80, 24)
}

/// The alternate screen without a cursor, as long as this lives.
pub struct Stage;

impl Stage {
    pub fn enter() -> io::Result<Self> {
        let mut out = io::stdout();
        out.write_all(b"\x1b[?1049h\x1b[?25l\x1b[2J")?;
        out.flush()?;
        Ok(Self)
    }

    /// Show a picture as large as the terminal allows.
    pub fn show(&self, picture: &Picture, below: &str) -> io::Result<()> {
        let (columns, rows) = size();
        let mut text = String::from("\x1b[H");
        text.push_str(&half_blocks(picture, columns, rows.saturating_sub(1)));
        let below: String = below.chars().take(columns.saturating_sub(1)).collect();
        text.push_str(&below);
        // Below it nothing is left of a larger picture.
        text.push_str("\x1b[J");
        let mut out = io::stdout();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let mut out = io::stdout();
        // Nothing can be done about a terminal that is gone.
        let _ = out
            .write_all(b"\x1b[0m\x1b[?25h\x1b[?1049l")
            .and_then(|()| out.flush());
    }
}

/// Rows of `▀` that fit into `columns` by `rows` characters, each row ended by a new line.
fn half_blocks(picture: &Picture, columns: usize, rows: usize) -> String {
    let mut text = String::new();
    if picture.width == 0 || picture.height == 0 || columns == 0 || rows == 0 {
        return text;
    }
    // Half a character is about square, so both directions shrink alike.
    let (mut wide, mut high) = (columns, columns * picture.height / picture.width);
    if high > 2 * rows {
        high = 2 * rows;
        wide = (high * picture.width / picture.height).max(1);
    }
    let (wide, high) = (
        wide.min(picture.width),
        high.clamp(2, picture.height.max(2)),
    );
    let mut last = None;
    for row in 0..high / 2 {
        for column in 0..wide {
            let upper = average(picture, column, 2 * row, wide, high);
            let lower = average(picture, column, 2 * row + 1, wide, high);
            if last != Some((upper, lower)) {
                last = Some((upper, lower));
                let ([r, g, b], [s, h, c]) = (upper, lower);
                // Writing to a string does not fail.
                let _ = write!(text, "\x1b[38;2;{r};{g};{b};48;2;{s};{h};{c}m");
            }
            text.push('▀');
        }
        text.push_str("\x1b[0m\x1b[K\r\n");
        last = None;
    }
    text
}

/// The mean colour of the picture's part that falls on one of `wide` by `high` cells.
fn average(picture: &Picture, column: usize, row: usize, wide: usize, high: usize) -> [u8; 3] {
    let range = |index: usize, cells: usize, length: usize| {
        let first = index * length / cells;
        first..((index + 1) * length / cells).max(first + 1)
    };
    let mut sum = [0_usize; 3];
    let mut count = 0;
    for y in range(row, high, picture.height) {
        for x in range(column, wide, picture.width) {
            if let Some(pixel) = picture.pixel(x, y) {
                for (sum, component) in sum.iter_mut().zip(pixel) {
                    *sum += usize::from(component);
                }
                count += 1;
            }
        }
    }
    sum.map(|sum| (sum / count.max(1)) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        // Left half red above blue, right half black.
        let mut rgb = Vec::new();
        for y in 0..4 {
            for x in 0..4 {
                rgb.extend(match (x < 2, y < 2) {
                    (true, true) => [200, 0, 0],
                    (true, false) => [0, 0, 100],
                    _ => [0, 0, 0],
                });
            }
        }
        Picture {
            width: 4,
            height: 4,
            rgb,
        }
    }

    #[test]
    fn a_character_holds_two_pixels() {
        assert_eq!(
            half_blocks(&picture(), 2, 10),
            "\x1b[38;2;200;0;0;48;2;0;0;100m▀\x1b[38;2;0;0;0;48;2;0;0;0m▀\x1b[0m\x1b[K\r\n"
        );
    }

    #[test]
    fn the_picture_fits_any_terminal() {
        for columns in 0..9 {
            for rows in 0..9 {
                let text = half_blocks(&picture(), columns, rows);
                assert!(text.lines().count() <= rows);
                assert!(
                    text.lines()
                        .all(|line| line.matches('▀').count() <= columns)
                );
            }
        }
    }
}
