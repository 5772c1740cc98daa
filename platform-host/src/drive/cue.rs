//! Cue sheets: the first track, which holds the data; others may follow.

use std::fmt;

/// The first track of a cue sheet, of Mode 2 data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue {
    /// The file it names, as written.
    pub file: String,
    /// Sector of the file where the track's index 01 lies.
    pub start: u32,
    /// Sector of the file where the next track begins; `None` when the file holds no other.
    pub end: Option<u32>,
    /// The last index of the second track, if it lies in the same file: its number, and its sector
    /// of the file.
    pub second: Option<(u8, u32)>,
    /// Number of tracks in the sheet.
    pub tracks: usize,
}

/// What is wrong with a cue sheet; lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CueError {
    /// A line is not understood.
    BadLine {
        /// The line's number.
        line: usize,
        /// The line.
        text: String,
    },
    /// The file's type is not `BINARY`.
    NotBinary {
        /// The line's number.
        line: usize,
        /// The type found.
        found: String,
    },
    /// The first track is not `MODE2/2352`.
    BadTrackMode {
        /// The line's number.
        line: usize,
        /// The mode found.
        found: String,
    },
    /// A line stands where it means nothing.
    Misplaced {
        /// The line's number.
        line: usize,
        /// What is wrong with its place.
        what: &'static str,
    },
    /// The second track does not begin behind the first one.
    BadOrder {
        /// The line's number.
        line: usize,
        /// Sector of the file where the first track begins.
        start: u32,
        /// Sector of the file where the second one begins.
        end: u32,
    },
    /// The sheet ends without `FILE`, `TRACK` or `INDEX 01`.
    Missing {
        /// What is missing.
        what: &'static str,
    },
}

impl fmt::Display for CueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadLine { line, text } => {
                write!(
                    f,
                    "BadLine: line {line} is not understood: \"{}\"",
                    text.escape_debug()
                )
            }
            Self::NotBinary { line, found } => {
                write!(
                    f,
                    "NotBinary: line {line}: expected a file of type BINARY, found {found}"
                )
            }
            Self::BadTrackMode { line, found } => write!(
                f,
                "BadTrackMode: line {line}: expected a track of type MODE2/2352, found {found}"
            ),
            Self::Misplaced { line, what } => write!(f, "Misplaced: line {line}: {what}"),
            Self::BadOrder { line, start, end } => write!(
                f,
                "BadOrder: line {line}: the second track begins at {}, expected a place behind the \
                 beginning of the first at {}",
                time(*end),
                time(*start)
            ),
            Self::Missing { what } => write!(f, "Missing: the sheet has no {what}"),
        }
    }
}

impl std::error::Error for CueError {}

impl Cue {
    /// Read a sheet.
    ///
    /// # Errors
    /// See [`CueError`].
    pub fn parse(text: &str) -> Result<Self, CueError> {
        let mut file: Option<String> = None;
        let mut files = 0;
        let mut tracks = 0;
        let mut start = None;
        let mut end = None;
        let mut second = None;
        // The last index of the track.
        let mut last = None;
        let text = text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n");
        // Old programs for the Mac end lines with CR alone.
        for (number, line) in text.split(['\n', '\r']).enumerate() {
            let (number, line) = (number + 1, line.trim());
            let bad = || CueError::BadLine {
                line: number,
                text: line.to_owned(),
            };
            let misplaced = |what| CueError::Misplaced { line: number, what };
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            match word.to_ascii_uppercase().as_str() {
                "FILE" => {
                    let (name, kind) = file_name(rest).ok_or_else(bad)?;
                    files += 1;
                    if file.is_none() {
                        if !kind.eq_ignore_ascii_case("BINARY") {
                            return Err(CueError::NotBinary {
                                line: number,
                                found: kind.to_owned(),
                            });
                        }
                        file = Some(name.to_owned());
                    }
                }
                "TRACK" => {
                    let (_, mode) = rest.split_once(char::is_whitespace).ok_or_else(bad)?;
                    let mode = mode.trim();
                    if files == 0 {
                        return Err(misplaced("a TRACK stands before the first FILE"));
                    }
                    if tracks == 0 && !mode.eq_ignore_ascii_case("MODE2/2352") {
                        return Err(CueError::BadTrackMode {
                            line: number,
                            found: mode.to_owned(),
                        });
                    }
                    tracks += 1;
                    last = None;
                }
                "INDEX" => {
                    let (index, time) = rest.split_once(char::is_whitespace).ok_or_else(bad)?;
                    let frames = frames(time.trim()).ok_or_else(bad)?;
                    let index = digits(index).ok_or_else(bad)?;
                    let index = u8::try_from(index).map_err(|_| bad())?;
                    if tracks == 0 {
                        return Err(misplaced("an INDEX stands before the first TRACK"));
                    }
                    if last.is_some_and(|last| index <= last) {
                        return Err(misplaced("the indexes of a track do not ascend"));
                    }
                    last = Some(index);
                    if tracks == 1 && index == 1 {
                        start = Some(frames);
                    }
                    if tracks == 2 && files == 1 {
                        second = Some((index, frames));
                    }
                    // The first index of the second track, pregap included, ends the first one.
                    if tracks == 2 && files == 1 && end.is_none() {
                        if let Some(start) = start.filter(|&start| frames <= start) {
                            return Err(CueError::BadOrder {
                                line: number,
                                start,
                                end: frames,
                            });
                        }
                        end = Some(frames);
                    }
                }
                "" | "REM" | "CATALOG" | "CDTEXTFILE" | "FLAGS" | "ISRC" | "PERFORMER"
                | "POSTGAP" | "PREGAP" | "SONGWRITER" | "TITLE" => {}
                _ => return Err(bad()),
            }
        }
        let file = file.ok_or(CueError::Missing { what: "FILE line" })?;
        if tracks == 0 {
            return Err(CueError::Missing { what: "TRACK line" });
        }
        let start = start.ok_or(CueError::Missing {
            what: "INDEX 01 line",
        })?;
        Ok(Self {
            file,
            start,
            end,
            second,
            tracks,
        })
    }
}

/// `"name" TYPE` or `name TYPE`.
fn file_name(rest: &str) -> Option<(&str, &str)> {
    let (name, kind) = match rest.strip_prefix('"') {
        // Blanks within quotes are part of the name.
        Some(quoted) => quoted.split_once('"')?,
        None => {
            let (name, kind) = rest.rsplit_once(char::is_whitespace)?;
            (name.trim(), kind)
        }
    };
    let kind = kind.trim();
    (!name.is_empty() && !kind.is_empty()).then_some((name, kind))
}

/// Frames as `minute:second:frame`.
#[must_use]
pub fn time(frames: u32) -> String {
    let (seconds, frames) = (frames / 75, frames % 75);
    format!("{:02}:{:02}:{frames:02}", seconds / 60, seconds % 60)
}

/// A number of digits alone; the standard library takes a sign, too.
fn digits(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// `minute:second:frame` in frames.
fn frames(time: &str) -> Option<u32> {
    let mut parts = time.split(':').map(digits);
    let (minute, second, frame) = (parts.next()??, parts.next()??, parts.next()??);
    let fits = minute < 100 && second < 60 && frame < 75 && parts.next().is_none();
    fits.then(|| (minute * 60 + second) * 75 + frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_as_tools_write_them() {
        let plain = "FILE \"a b.bin\" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n";
        assert_eq!(
            Cue::parse(plain),
            Ok(Cue {
                file: "a b.bin".to_owned(),
                start: 0,
                end: None,
                second: None,
                tracks: 1
            })
        );
        let other = "\u{FEFF}REM made by hand\nfile game.bin binary\n\n track 1 mode2/2352\n INDEX 00 00:00:00\n INDEX 01 00:02:03";
        assert_eq!(
            Cue::parse(other),
            Ok(Cue {
                file: "game.bin".to_owned(),
                start: 153,
                end: None,
                second: None,
                tracks: 1
            })
        );
    }

    #[test]
    fn blanks_within_quotes_are_part_of_the_name() {
        let rest = "TRACK 01 MODE2/2352\nINDEX 01 00:00:00\n";
        let name = |file: &str| Cue::parse(&format!("FILE {file}\n{rest}")).map(|it| it.file);
        assert_eq!(name("\" game.bin\" BINARY").as_deref(), Ok(" game.bin"));
        assert_eq!(name("  \"a b \"  BINARY ").as_deref(), Ok("a b "));
        assert_eq!(name("  a b  BINARY ").as_deref(), Ok("a b"));
        assert!(name("\"\" BINARY").is_err());
    }

    #[test]
    fn times_are_within_their_ranges() {
        assert_eq!(frames("99:59:74"), Some(449_999));
        for time in [
            "100:00:00",
            "00:60:00",
            "00:00:75",
            "00:00",
            "00:00:00:00",
            "91000280:00:00",
            "4294967295:4294967295:4294967295",
            "4294967296:00:00",
            "+0:00:00",
            "00:+1:00",
            "00:00:-0",
        ] {
            assert_eq!(frames(time), None, "{time}");
        }
    }

    #[test]
    fn lines_may_end_as_on_any_system() {
        let lines = [
            "FILE \"a.bin\" BINARY",
            "TRACK 01 MODE2/2352",
            "INDEX 01 00:00:00",
            "",
        ];
        let expected = Cue::parse(&lines.join("\n")).unwrap();
        assert_eq!(expected.file, "a.bin");
        for end in ["\r", "\r\n"] {
            assert_eq!(
                Cue::parse(&lines.join(end)).as_ref(),
                Ok(&expected),
                "{end:?}"
            );
            // Lines are counted alike.
            let bad = [&lines[..3], &["", "huh"]].concat().join(end);
            assert!(matches!(
                Cue::parse(&bad),
                Err(CueError::BadLine { line: 5, .. })
            ));
        }
    }

    #[test]
    fn the_second_track_follows_the_first() {
        let sheet = |start: &str, second: &str| {
            Cue::parse(&format!(
                "FILE a.bin BINARY\nTRACK 01 MODE2/2352\nINDEX 01 {start}\nTRACK 02 AUDIO\n\
                 INDEX 01 {second}\n"
            ))
        };
        assert_eq!(sheet("00:02:00", "00:02:01").unwrap().end, Some(151));
        for second in ["00:00:10", "00:02:00"] {
            let error = sheet("00:02:00", second).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "BadOrder: line 5: the second track begins at {second}, expected a place \
                     behind the beginning of the first at 00:02:00"
                )
            );
        }
        // In a file of its own it may begin anywhere.
        let own = "FILE a.bin BINARY\nTRACK 01 MODE2/2352\nINDEX 01 00:02:00\nFILE b.bin BINARY\n\
                   TRACK 02 AUDIO\nINDEX 01 00:00:00\n";
        assert!(Cue::parse(own).is_ok());
    }

    #[test]
    fn audio_may_follow_the_data() {
        let one_file = "FILE \"a.bin\" BINARY\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n\
                        TRACK 02 AUDIO\nINDEX 00 00:10:00\nINDEX 01 00:12:00\n\
                        TRACK 03 AUDIO\nINDEX 01 01:00:00\n";
        let cue = Cue::parse(one_file).unwrap();
        assert_eq!((cue.start, cue.end, cue.tracks), (0, Some(750), 3));
        assert_eq!(cue.second, Some((1, 900)));
        let more_files = "FILE \"a.bin\" BINARY\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n\
                          FILE \"b.wav\" WAVE\nTRACK 02 AUDIO\nINDEX 00 00:00:00\n";
        let cue = Cue::parse(more_files).unwrap();
        assert_eq!((cue.file.as_str(), cue.end, cue.tracks), ("a.bin", None, 2));
    }

    #[test]
    fn each_fault_has_its_error() {
        let parse = |text: &str| Cue::parse(text).unwrap_err();
        let file = "FILE \"a.bin\" BINARY\n";
        assert_eq!(parse(""), CueError::Missing { what: "FILE line" });
        assert_eq!(parse(file), CueError::Missing { what: "TRACK line" });
        assert_eq!(
            parse(&format!("{file}TRACK 01 MODE2/2352")),
            CueError::Missing {
                what: "INDEX 01 line"
            }
        );
        assert_eq!(
            parse("FILE \"a.wav\" WAVE"),
            CueError::NotBinary {
                line: 1,
                found: "WAVE".to_owned()
            }
        );
        assert_eq!(
            parse(&format!("{file}TRACK 01 MODE1/2352")),
            CueError::BadTrackMode {
                line: 2,
                found: "MODE1/2352".to_owned()
            }
        );
        let track = "TRACK 01 MODE2/2352\n";
        let index = "INDEX 01 00:00:00\n";
        for (text, line, what) in [
            (
                format!("{track}{file}{index}"),
                1,
                "a TRACK stands before the first FILE",
            ),
            (
                format!("{file}{index}{track}"),
                2,
                "an INDEX stands before the first TRACK",
            ),
            (
                format!("{index}{track}{file}"),
                1,
                "an INDEX stands before the first TRACK",
            ),
            (
                format!("{file}{track}{index}INDEX 01 00:02:00"),
                4,
                "the indexes of a track do not ascend",
            ),
        ] {
            assert_eq!(parse(&text), CueError::Misplaced { line, what });
        }
        for line in [
            "INDEX 01 +0:00:00",
            "INDEX +1 00:00:00",
            "INDEX 01 00:00:75",
            "INDEX 01 0:0",
            "INDEX 01 a:b:c",
            "\u{0}\u{1}",
            "FILE x",
        ] {
            let error = parse(&format!("REM\n{line}"));
            assert_eq!(
                error,
                CueError::BadLine {
                    line: 2,
                    text: line.to_owned()
                }
            );
        }
    }
}
