//! The colours that a terminal has.

use std::fmt::{self, Write as _};

use supports_color::Stream;

/// Red, green, blue.
pub type Colour = [u8; 3];

/// Colours of the oldest terminals, in their order: those of text, darker than the bright ones behind them.
const NAMED: [Colour; 16] = [
    [0, 0, 0],
    [170, 0, 0],
    [0, 170, 0],
    [170, 85, 0],
    [0, 0, 170],
    [170, 0, 170],
    [0, 170, 170],
    [170, 170, 170],
    [85, 85, 85],
    [255, 85, 85],
    [85, 255, 85],
    [255, 255, 85],
    [85, 85, 255],
    [255, 85, 255],
    [85, 255, 255],
    [255, 255, 255],
];

/// Steps of a component in the cube of 216 colours.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// A pattern that makes of few colours more, seen from afar: thresholds of a square of four by four cells.
const PATTERN: [[i16; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Any colour.
    All,
    /// 256: a cube of 216 and 24 shades of grey.
    Many,
    /// 16, in front and behind.
    Sixteen,
    /// 16 in front, the first 8 of them behind: the console of Linux.
    Linux,
    /// 8.
    Eight,
}

impl Colours {
    /// Those of the terminal behind standard output, by what the environment says of it: `COLORTERM` and `TERM`.
    pub fn of_terminal() -> Self {
        let term = std::env::var("TERM").unwrap_or_default();
        match supports_color::on(Stream::Stdout) {
            Some(level) if level.has_16m => Self::All,
            Some(level) if level.has_256 => Self::Many,
            _ => Self::named(&term),
        }
    }

    /// Those of a terminal of few colours.
    fn named(term: &str) -> Self {
        match term {
            "linux" => Self::Linux,
            "xterm" => Self::Sixteen,
            _ if term.contains("16color") => Self::Sixteen,
            _ => Self::Eight,
        }
    }

    /// Write a character of two pixels, one above the other, and what colours it has if they are others than `last`,
    /// those of the character before.
    pub fn cell(
        self,
        out: &mut String,
        [upper, lower]: [Colour; 2],
        (column, row): (usize, usize),
        last: &mut Option<Pair>,
    ) {
        let pair = match self {
            Self::All => Pair {
                front: Code::Exact(upper),
                behind: Code::Exact(lower),
                lower: false,
            },
            _ => {
                let threshold = |row: usize| PATTERN[row % 4][column % 4];
                let [upper, lower] = [(upper, 2 * row), (lower, 2 * row + 1)]
                    .map(|(colour, row)| self.shifted(colour, threshold(row)));
                match self {
                    Self::Many => Pair {
                        front: Code::Number(of_many(upper)),
                        behind: Code::Number(of_many(lower)),
                        lower: false,
                    },
                    _ => self.of_named(upper, lower),
                }
            }
        };
        if *last != Some(pair) {
            let Pair { front, behind, .. } = pair;
            // Writing to a string does not fail.
            let _ = write!(out, "\x1b[{};{}m", Front(front), Behind(behind));
            *last = Some(pair);
        }
        out.push(if pair.lower { '▄' } else { '▀' });
    }

    /// A colour moved towards the next one by a threshold of 0 to 15; where colours are few, what there is of a hue
    /// counts twice, or all that is pale would be grey.
    fn shifted(self, colour: Colour, threshold: i16) -> Colour {
        let (spread, vivid) = match self {
            Self::Many => (2, 1),
            Self::Eight => (8, 2),
            _ => (6, 2),
        };
        let mean = colour.iter().map(|&it| i16::from(it)).sum::<i16>() / 3;
        colour.map(|it| {
            let it = mean + vivid * (i16::from(it) - mean);
            (it + (threshold - 7) * spread).clamp(0, 255) as u8
        })
    }

    /// Colours of few for two pixels; the one that needs a bright colour is in front where only that has them.
    fn of_named(self, upper: Colour, lower: Colour) -> Pair {
        let (front, behind) = match self {
            Self::Sixteen => (16, 16),
            Self::Linux => (16, 8),
            _ => (8, 8),
        };
        let pair = |front_pixel, behind_pixel, lower| {
            let (front, far) = nearest(front_pixel, &NAMED[..front]);
            let (behind, further) = nearest(behind_pixel, &NAMED[..behind]);
            let pair = Pair {
                front: Code::Named(front),
                behind: Code::Named(behind),
                lower,
            };
            (pair, far + further)
        };
        let (one, other) = (pair(upper, lower, false), pair(lower, upper, true));
        if other.1 < one.1 { other.0 } else { one.0 }
    }
}

/// The colours of a character, and whether the lower pixel is the one in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    front: Code,
    behind: Code,
    lower: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Exact(Colour),
    Number(u8),
    Named(u8),
}

impl Code {
    /// The parameters of a colour; `exact` and `named` are those of its side.
    fn write(self, f: &mut fmt::Formatter<'_>, exact: u8, named: u8, bright: u8) -> fmt::Result {
        match self {
            Self::Exact([r, g, b]) => write!(f, "{exact};2;{r};{g};{b}"),
            Self::Number(number) => write!(f, "{exact};5;{number}"),
            Self::Named(number @ 0..8) => write!(f, "{}", named + number),
            Self::Named(number) => write!(f, "{}", bright + number - 8),
        }
    }
}

struct Front(Code);

impl fmt::Display for Front {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, 38, 30, 90)
    }
}

struct Behind(Code);

impl fmt::Display for Behind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, 48, 40, 100)
    }
}

/// How different two colours are, green more so than red and blue.
fn distance(a: Colour, b: Colour) -> u32 {
    let square = |index: usize| u32::from(a[index].abs_diff(b[index])).pow(2);
    3 * square(0) + 4 * square(1) + 2 * square(2)
}

/// The number of the nearest colour, and its distance.
fn nearest(colour: Colour, palette: &[Colour]) -> (u8, u32) {
    let distances = (0..).zip(palette.iter().map(|&it| distance(colour, it)));
    distances.min_by_key(|it| it.1).unwrap_or((0, 0))
}

/// The nearest of 256 colours.
fn of_many(colour: Colour) -> u8 {
    let step = |component: u8| {
        let steps = (0_u8..).zip(STEPS);
        let near = steps.min_by_key(|it| it.1.abs_diff(component));
        near.unwrap_or((0, 0))
    };
    let [r, g, b] = colour.map(step);
    let cube = distance(colour, [r.1, g.1, b.1]);
    let mean = colour.iter().map(|&it| u16::from(it)).sum::<u16>() / 3;
    let grey = (mean.saturating_sub(3) / 10).min(23) as u8;
    let shade = [8 + 10 * grey; 3];
    if distance(colour, shade) < cube {
        232 + grey
    } else {
        16 + 36 * r.0 + 6 * g.0 + b.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(colours: Colours, pixels: [Colour; 2]) -> String {
        let mut out = String::new();
        colours.cell(&mut out, pixels, (1, 1), &mut None);
        out
    }

    #[test]
    fn terminals_are_told_by_their_names() {
        for (term, colours) in [
            ("linux", Colours::Linux),
            ("xterm", Colours::Sixteen),
            ("rxvt-16color", Colours::Sixteen),
            ("xterm-color", Colours::Eight),
            ("screen", Colours::Eight),
            ("", Colours::Eight),
        ] {
            assert_eq!(Colours::named(term), colours, "{term}");
        }
    }

    #[test]
    fn each_terminal_gets_its_own_codes() {
        let pixels = [[255, 255, 255], [0, 0, 0]];
        assert_eq!(
            cell(Colours::All, pixels),
            "\x1b[38;2;255;255;255;48;2;0;0;0m▀"
        );
        assert_eq!(cell(Colours::Many, pixels), "\x1b[38;5;231;48;5;16m▀");
        assert_eq!(cell(Colours::Sixteen, pixels), "\x1b[97;40m▀");
        assert_eq!(cell(Colours::Linux, pixels), "\x1b[97;40m▀");
        assert_eq!(cell(Colours::Eight, pixels), "\x1b[37;40m▀");
        let turned = [pixels[1], pixels[0]];
        assert_eq!(cell(Colours::Sixteen, turned), "\x1b[30;107m▀");
        // The bright one is in front.
        assert_eq!(cell(Colours::Linux, turned), "\x1b[97;40m▄");
        assert_eq!(cell(Colours::Eight, turned), "\x1b[30;47m▀");
    }

    #[test]
    fn colours_are_written_when_they_change() {
        let (mut out, mut last) = (String::new(), None);
        for column in 0..3 {
            Colours::All.cell(
                &mut out,
                [[90, 90, 90], [215, 0, 95]],
                (column, 0),
                &mut last,
            );
        }
        assert_eq!(out, "\x1b[38;2;90;90;90;48;2;215;0;95m▀▀▀");
    }

    /// What lies between two of few colours becomes a pattern of both; black stays black.
    #[test]
    fn a_pattern_stands_for_what_is_between() {
        let kinds = |colour| {
            let mut kinds = std::collections::HashSet::new();
            for (column, row) in (0..16).map(|it| (it % 4, it / 4)) {
                let mut out = String::new();
                Colours::Eight.cell(&mut out, [colour; 2], (column, row), &mut None);
                kinds.insert(out);
            }
            kinds.len()
        };
        assert!(kinds([85, 85, 85]) > 1);
        assert_eq!(kinds([0, 0, 0]), 1);
    }
}
