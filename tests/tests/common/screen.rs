//! Reads the console's text out of a picture, dot by dot.

use overworld_psx::console::{self, font};
use overworld_tests::picture::Picture;

/// Where the first character stands, and from one to the next (see `overworld_psx::console`).
const MARGIN: u32 = 16;
const CELL: (u32, u32) = (6, 9);

/// The lines of text, without spaces at their ends and without empty lines at the end. What is no
/// character becomes U+FFFD.
pub fn text(picture: &Picture) -> Vec<String> {
    let mut lines: Vec<String> = (0..u32::from(console::LINES))
        .map(|line| {
            let columns = 0..u32::from(console::LINE);
            let text: String = columns
                .map(|column| character(picture, column, line))
                .collect();
            text.trim_end().to_owned()
        })
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn character(picture: &Picture, column: u32, line: u32) -> char {
    let ground = picture.pixel(2, 2);
    let (left, top) = (MARGIN + column * CELL.0, MARGIN + line * CELL.1);
    let mut rows: font::Glyph = [0; font::ROWS];
    for (row, y) in rows.iter_mut().zip(top..) {
        for x in (left..).take(font::COLUMNS) {
            *row = *row << 1 | u8::from(picture.pixel(x, y) != ground);
        }
    }
    let found = (font::FIRST..)
        .zip(&font::GLYPHS)
        .find(|(_, glyph)| **glyph == rows);
    found.map_or('\u{FFFD}', |(byte, _)| char::from(byte))
}
