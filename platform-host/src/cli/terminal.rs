//! A picture in a terminal: two pixels a character, in the colours that it has. Where it is smaller than it should be,
//! the words of a dialogue stand in front of it as the terminal's own.

mod colours;
mod mode;
mod words;

use std::fmt::Write as _;
use std::io::{self, IsTerminal};

use overworld_host::gpu::Picture;
use overworld_host::signals::Stops;
use overworld_runtime::script::dialog::Conversation;

use super::patient;
use colours::Colours;

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

/// The alternate screen without a cursor.
const SCREEN: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[2J";
const NO_SCREEN: &[u8] = b"\x1b[0m\x1b[?25h\x1b[?1049l";
/// What is pasted comes between brackets.
const PASTES: &[u8] = b"\x1b[?2004h";
const NO_PASTES: &[u8] = b"\x1b[?2004l";

/// The alternate screen without a cursor, and keys as they are pressed, as long as this lives.
pub struct Stage {
    colours: Colours,
    keys: Option<mode::Raw>,
    /// Whoever is to stop leaves the terminal first.
    stops: Stops,
}

impl Stage {
    /// `keys`: standard input is the terminal, and its keys are wanted.
    pub fn enter(keys: bool) -> io::Result<Self> {
        let mut new = Self {
            colours: Colours::of_terminal(),
            keys: None,
            stops: Stops::new(),
        };
        new.open(keys)?;
        Ok(new)
    }

    fn open(&mut self, keys: bool) -> io::Result<()> {
        patient::write(SCREEN)?;
        self.keys = keys.then(mode::Raw::enter).flatten();
        match self.keys {
            Some(_) => patient::write(PASTES),
            None => Ok(()),
        }
    }

    fn close(&mut self) {
        // Nothing can be done about a terminal that is gone.
        if self.keys.is_some() {
            let _ = patient::write(NO_PASTES);
        }
        let _ = patient::write(NO_SCREEN);
        self.keys = None;
    }

    /// Whether keys come as they are pressed.
    pub fn has_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Stop if that is asked for, with the terminal as it was before the show, and make it the show's again when the
    /// program goes on, also after it was stopped without a word.
    pub fn pause(&mut self) -> io::Result<()> {
        if self.stops.asked() {
            let keys = self.has_keys();
            self.close();
            self.stops.halt();
            // The terminal is new: nothing is left to be done about it.
            let _ = self.stops.resumed();
            return self.open(keys);
        }
        if self.stops.resumed() {
            if let Some(keys) = &self.keys {
                keys.again();
                patient::write(PASTES)?;
            }
            return patient::write(SCREEN);
        }
        Ok(())
    }

    /// Show a picture as large as the terminal allows, and a line below it. What is said in it stands there in letters
    /// of the terminal's own, where those of the picture are too small.
    pub fn show(
        &self,
        picture: &Picture,
        talk: Option<&Conversation<'_>>,
        below: &str,
    ) -> io::Result<()> {
        let said = talk.map(words::of);
        patient::write(drawn(picture, said, below, size(), self.colours).as_bytes())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.close();
    }
}

/// What makes a terminal of so many columns and rows show a picture, what is said in it, and a line below it.
fn drawn(
    picture: &Picture,
    said: Option<Vec<String>>,
    below: &str,
    (columns, rows): (usize, usize),
    colours: Colours,
) -> String {
    let shape = Shape::new(picture, columns, rows.saturating_sub(1));
    let mut text = String::from("\x1b[H");
    text.push_str(&half_blocks(picture, shape, colours));
    let below: String = below.chars().take(columns.saturating_sub(1)).collect();
    text.push_str(&below);
    // Below it nothing is left of a larger picture.
    text.push_str("\x1b[J");
    if let Some(said) = said.filter(|_| shape.wide < picture.width) {
        text.push_str(&in_front(&said, columns, shape.high / 2));
    }
    text
}

/// A line as lines of at most `width` characters, which is not 0; it breaks at blanks, where there are some.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut rest: Vec<char> = line.chars().collect();
    let mut lines = Vec::new();
    while rest.len() > width {
        // A blank behind a word, not one in front of the first.
        let words = rest.iter().position(|it| *it != ' ').unwrap_or(width);
        let blank = (words..=width).rev().find(|&at| rest[at] == ' ');
        let behind = rest.split_off(blank.unwrap_or(width));
        lines.push(rest.into_iter().collect());
        rest = behind;
        if blank.is_some() {
            rest.remove(0);
        }
    }
    lines.push(rest.into_iter().collect());
    lines
}

/// Lines of text that stand in front of the lowest of `rows` rows, light on dark; the last ones, where there is no
/// room for all. What is too long goes on in the next line.
fn in_front(lines: &[String], columns: usize, rows: usize) -> String {
    let mut text = String::new();
    let room = columns.saturating_sub(2).max(1);
    let lines: Vec<String> = lines.iter().flat_map(|it| wrapped(it, room)).collect();
    let lines = lines.get(lines.len().saturating_sub(rows)..);
    let lines = lines.unwrap_or_default();
    let longest = lines.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    let width = (longest + 2).min(columns);
    for (line, row) in lines.iter().zip(rows - lines.len() + 1..) {
        let line: String = format!(" {line:<longest$} ").chars().take(width).collect();
        // Writing to a string does not fail.
        let _ = write!(text, "\x1b[{row};1H\x1b[0;37;44m{line}\x1b[0m");
    }
    text
}

/// How many pixels of a terminal a picture takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    wide: usize,
    /// Twice the rows of characters.
    high: usize,
}

impl Shape {
    /// The largest that fits into `columns` by `rows` characters, but none larger than the picture.
    fn new(picture: &Picture, columns: usize, rows: usize) -> Self {
        if picture.width == 0 || picture.height == 0 || columns == 0 || rows == 0 {
            return Self { wide: 0, high: 0 };
        }
        // Half a character is about square, so both directions shrink alike.
        let (mut wide, mut high) = (columns, columns * picture.height / picture.width);
        if high > 2 * rows {
            high = 2 * rows;
            wide = (high * picture.width / picture.height).max(1);
        }
        Self {
            wide: wide.min(picture.width),
            high: high.clamp(2, picture.height.max(2)),
        }
    }
}

/// Rows of half blocks, each ended by a new line.
fn half_blocks(picture: &Picture, Shape { wide, high }: Shape, colours: Colours) -> String {
    let mut text = String::new();
    for row in 0..high / 2 {
        let mut last = None;
        for column in 0..wide {
            let [upper, lower] =
                [2 * row, 2 * row + 1].map(|row| average(picture, column, row, wide, high));
            colours.cell(&mut text, [upper, lower], (column, row), &mut last);
        }
        text.push_str("\x1b[0m\x1b[K\r\n");
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
            half_blocks(&picture(), Shape::new(&picture(), 2, 10), Colours::All),
            "\x1b[38;2;200;0;0;48;2;0;0;100m▀\x1b[38;2;0;0;0;48;2;0;0;0m▀\x1b[0m\x1b[K\r\n"
        );
    }

    #[test]
    fn the_picture_fits_any_terminal() {
        for columns in 0..9 {
            for rows in 0..9 {
                let shape = Shape::new(&picture(), columns, rows);
                let text = half_blocks(&picture(), shape, Colours::Many);
                assert!(text.lines().count() <= rows);
                assert!(
                    text.lines()
                        .all(|line| line.matches('▀').count() <= columns)
                );
            }
        }
    }

    #[test]
    fn what_is_too_long_goes_on_in_the_next_line() {
        let wrap = |line, width| wrapped(line, width).join("/");
        assert_eq!(wrap("A cup of tea?", 7), "A cup/of tea?");
        assert_eq!(wrap("A cup of tea?", 8), "A cup of/tea?");
        assert_eq!(wrap("A cup of tea?", 13), "A cup of tea?");
        assert_eq!(wrap("Marvellous", 4), "Marv/ello/us");
        assert_eq!(wrap("  No", 3), "  N/o");
        assert_eq!(wrap("", 1), "");
        assert_eq!(wrap("    ", 1), " / /");
    }

    /// Letters of a picture that is shown as large as it is are read as they are.
    #[test]
    fn words_stand_in_front_of_small_pictures() {
        let shown = |said: Option<&str>, size| {
            let said = said.map(|it| vec![it.to_owned()]);
            drawn(&picture(), said, "q ends", size, Colours::All)
        };
        for size in [(4, 4), (80, 24), (4, 3)] {
            assert_eq!(shown(Some("Tea?"), size), shown(None, size), "{size:?}");
        }
        for size in [(3, 24), (80, 2)] {
            assert!(shown(Some("T"), size).contains(" T"), "{size:?}");
            assert!(!shown(None, size).contains(" T"), "{size:?}");
        }
        assert!(shown(None, (4, 3)).contains("q e\x1b[J"));
    }

    #[test]
    fn words_stand_in_the_lowest_rows() {
        let lines = ["Tea?", "> Yes", "  No"].map(str::to_owned);
        let style = "\x1b[0;37;44m";
        assert_eq!(
            in_front(&lines, 80, 10),
            format!(
                "\x1b[8;1H{style} Tea?  \x1b[0m\x1b[9;1H{style} > Yes \x1b[0m\x1b[10;1H{style}   No  \x1b[0m"
            )
        );
        // Narrow and low: the last of the answers.
        assert_eq!(
            in_front(&lines, 6, 2),
            format!("\x1b[1;1H{style} Yes  \x1b[0m\x1b[2;1H{style}   No \x1b[0m")
        );
        for (columns, rows) in [(0, 0), (0, 3), (3, 0)] {
            assert_eq!(in_front(&lines, columns, rows).matches(style).count(), rows);
        }
    }
}
