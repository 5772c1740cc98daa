//! Command line: what can be called, how results and failures are printed.

mod anm;
mod bundle;
mod disc;
mod ff8;
mod field;
mod files;
mod gte;
mod identify;
mod llama;
mod lzs;
mod man;
mod map;
mod patient;
mod progress;
mod run;
mod sources;
mod stager;
mod terminal;
mod tim;
mod tmd;
mod vm;
mod world;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::ErrorKind::BrokenPipe;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use overworld_host::text;

/// Field engine of PS1-era role-playing games: plays worlds, builds and reads their discs and files.
///
/// With no arguments the sample world is played.
#[derive(Parser)]
#[command(
    name = "overworld",
    version,
    after_help = "FILE may be - for standard input, OUT may be - for standard output.\n\
                  Exit status: 0 fine, 1 bad input or a failed check, 2 wrong command line."
)]
pub struct Cli {
    /// Print one JSON document and nothing else on standard output
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play a world on the PC
    Run(run::Run),
    /// Build, list, extract and verify disc images
    #[command(subcommand)]
    Disc(disc::Disc),
    /// Write and check the sources of worlds
    #[command(subcommand)]
    World(world::World),
    /// Tell what files are by their structure
    ///
    /// Kinds: bank (animations), map (field map or trigger patch), bundle (what a scene loads), man (scripts),
    /// tmd (mesh), tim (texture), timpack (textures in a pack), lzs (packed, of one of the others), prot
    /// (PROT.DAT), cdname (CDNAME.TXT), disc (image or cue sheet), exe (PS-EXE program), cnf (SYSTEM.CNF),
    /// wad (level of "The Emperor's New Groove"), ff8 (battle model of "Final Fantasy VIII") and unknown. A name or a magic word alone proves nothing: each kind is read to its
    /// end, and what does not fit is unknown.
    Identify(identify::Identify),
    /// Unpack and pack LZS streams
    #[command(subcommand)]
    Lzs(lzs::Lzs),
    /// Look into animation banks, pose and play their clips
    #[command(subcommand)]
    Anm(anm::Anm),
    /// Look into scene bundles
    #[command(subcommand)]
    Bundle(bundle::Bundle),
    /// Look into field maps and trigger patches, probe, dump and build them
    #[command(subcommand)]
    Map(map::Map),
    /// Walk on field maps
    #[command(subcommand)]
    Field(field::Field),
    /// Look into MAN scene scripts, dump and build them
    #[command(subcommand)]
    Man(man::Man),
    /// Look into stager tables, dump and build them
    #[command(subcommand)]
    Stager(stager::Stager),
    /// Look into TMD meshes
    #[command(subcommand)]
    Tmd(tmd::Tmd),
    /// Look into TIM textures, turn them into PNG
    #[command(subcommand)]
    Tim(tim::Tim),
    /// Look into FF8 battle models, pose, make and check them
    #[command(subcommand)]
    Ff8(ff8::Ff8),
    /// Disassemble, assemble and run field scripts
    #[command(subcommand)]
    Vm(vm::Vm),
    /// Run walks and ambient motion streams
    #[command(subcommand)]
    Motion(vm::Motion),
    /// Read, check, build and change levels of "The Emperor's New Groove"
    #[command(subcommand)]
    Llama(llama::Llama),
    /// Check the software GTE against recorded cases
    #[command(subcommand)]
    Gte(gte::Gte),
}

/// Why a command failed: one sentence for people, and the exit status.
#[derive(Debug)]
struct Failure {
    text: String,
    status: u8,
}

impl Failure {
    /// Bad input or a failed check.
    fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            status: 1,
        }
    }

    /// A failure about something with a name.
    fn of(name: impl Display, error: impl Display) -> Self {
        Self::new(format!("{name}: {error}"))
    }

    /// A wrong command line.
    fn usage(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            status: 2,
        }
    }
}

/// The elements of a JSON array, which are made as they are printed.
type Elements<'a> = &'a mut dyn Iterator<Item = serde_json::Value>;

/// Bytes of a long document that are printed at once.
const CHUNK: usize = 0x1_0000;

/// Standard output, whose reader may leave early.
struct Output {
    json: bool,
}

impl Output {
    /// One line for people; nothing in JSON mode.
    fn say(&self, text: impl Display) -> Result<(), Failure> {
        if self.json { Ok(()) } else { line(text) }
    }

    /// The JSON document; nothing otherwise.
    fn document(&self, value: &serde_json::Value) -> Result<(), Failure> {
        if self.json {
            bytes(format!("{}\n", text::json(&value.to_string())).as_bytes())
        } else {
            Ok(())
        }
    }

    /// A JSON document of the keys of `head` and, behind them, those of `arrays`, which may be longer than
    /// memory holds at once; nothing otherwise. Keys are in alphabetical order, as in a document.
    fn arrays<'a>(
        &self,
        head: &serde_json::Value,
        arrays: impl IntoIterator<Item = (&'a str, Elements<'a>)>,
    ) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        let mut text = head.to_string();
        // Its closing brace.
        text.pop();
        for (key, elements) in arrays {
            let comma = if text == "{" { "" } else { "," };
            text.push_str(&format!("{comma}\"{key}\":["));
            let mut comma = "";
            for element in elements {
                text.push_str(&format!("{comma}{element}"));
                comma = ",";
                if text.len() >= CHUNK {
                    bytes(text::json(&text).as_bytes())?;
                    text.clear();
                }
            }
            text.push(']');
        }
        text.push('}');
        bytes(format!("{}\n", text::json(&text)).as_bytes())
    }
}

// All text leaves through `line`, `Output::document`, `Output::arrays` and `complain`, and each of them makes sure
// that what a disc or a sheet calls its files cannot steer a terminal or pass for another line.

/// Print a line.
fn line(text: impl Display) -> Result<(), Failure> {
    bytes(format!("{}\n", text::printable(&text.to_string())).as_bytes())
}

/// Whether the reader of standard output has gone away.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether there is nobody to print for: checks and files are still worth their while.
fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Print bytes as they are. When the reader has gone away, nothing more is printed; that is no
/// failure, and the rest of the command decides about the status.
fn bytes(data: &[u8]) -> Result<(), Failure> {
    if is_closed() {
        return Ok(());
    }
    match patient::write(data) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == BrokenPipe => {
            CLOSED.store(true, Ordering::Relaxed);
            Ok(())
        }
        Err(error) => Err(Failure::of("standard output", error)),
    }
}

/// A line on standard error, which may be closed, or a terminal that nobody reads any more; the exit status still
/// tells.
fn complain(text: impl Display) {
    if patient::is_stuck() {
        return;
    }
    let text = text.to_string();
    let text = shortened(&text, LONGEST);
    let _ = writeln!(io::stderr(), "overworld: {}", text::printable(&text));
}

/// Characters of a message at the most: it may quote what a file holds, of any length.
const LONGEST: usize = 4000;

/// A text of at most about `most` characters, of which most of what is too much is left out in front of its end.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= most {
        return text.into();
    }
    let tail = most / 4;
    let byte = |at: usize| text.char_indices().nth(at).map_or(text.len(), |it| it.0);
    let (head, rest) = text.split_at(byte(most - tail));
    let left_out = length - most;
    let (_, rest) = rest.split_at(byte(length - tail) - head.len());
    format!("{head} ... ({left_out} characters) ... {rest}").into()
}

/// A number as people write it: decimal, or hexadecimal behind `0x`.
fn number<T: Number>(text: &str) -> Result<T, String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let hexadecimal = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = match hexadecimal {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    if digits.is_empty() || !digits.chars().all(|it| it.is_digit(radix)) {
        return Err("expected a number such as 21 or 0x15".to_owned());
    }
    // More digits than any number has that is taken are digits all the same.
    let value = i64::from_str_radix(digits, radix).ok();
    let value = value.and_then(|it| T::try_from(sign * it).ok());
    value.ok_or_else(|| format!("expected {}", T::RANGE))
}

/// A [`number`] between two others.
fn within<T: Number + PartialOrd + Display + Copy>(
    least: T,
    most: T,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let value = number(text).map_err(|error| match error.starts_with("expected a") {
            true => error,
            // The type's range is not what counts.
            false => format!("expected {least} to {most}"),
        })?;
        match (least..=most).contains(&value) {
            true => Ok(value),
            false => Err(format!("expected {least} to {most}")),
        }
    }
}

/// A type of number that a command line can ask for.
trait Number: TryFrom<i64> {
    /// What it holds, for messages.
    const RANGE: &'static str;
}

impl Number for u8 {
    const RANGE: &'static str = "0 to 255";
}

impl Number for i16 {
    const RANGE: &'static str = "-32768 to 32767";
}

impl Number for u16 {
    const RANGE: &'static str = "0 to 65535";
}

impl Number for u32 {
    const RANGE: &'static str = "0 to 4294967295";
}

/// `[1, 2, 3]` without brackets and blanks, for tables.
fn list<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    let values: Vec<String> = values.into_iter().map(|it| it.to_string()).collect();
    values.join(",")
}

/// A command whose options that want a number take `-1` for one, to say which they want; it is no option.
fn with_negatives(command: clap::Command) -> clap::Command {
    use std::any::TypeId;
    let numbers = [
        TypeId::of::<u8>(),
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<i16>(),
    ];
    let is_number = |it: &clap::Arg| {
        let kind = it.get_value_parser().type_id();
        it.get_action().takes_values() && numbers.iter().any(|number| kind == *number)
    };
    let command = command.mut_args(|it| {
        let number = is_number(&it);
        it.allow_negative_numbers(number)
    });
    command.mut_subcommands(with_negatives)
}

impl Cli {
    fn from_words(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut command = with_negatives(Self::command());
        let mut matches = command.try_get_matches_from_mut(words)?;
        Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
    }

    /// Read the command line; says what is wrong with it, or what help was asked for, and the exit
    /// status of that.
    pub fn read() -> Result<Self, ExitCode> {
        Self::from_words(std::env::args_os()).map_err(|error| {
            // The words of a command line can be names of files that nobody typed: the message is
            // about the harmless form of them.
            let words = std::env::args_os().map(|word| {
                let word = word.to_string_lossy();
                let word = shortened(&word, LONGEST);
                OsString::from(text::printable(&word).into_owned())
            });
            let error = Self::from_words(words).err().unwrap_or(error);
            if !error.use_stderr() && !patient::is_writable() {
                complain("standard output: is not open for writing");
                return ExitCode::FAILURE;
            }
            match error.print().and_then(|()| io::stdout().flush()) {
                Err(failure) if !error.use_stderr() && failure.kind() != BrokenPipe => {
                    complain(format_args!("standard output: {failure}"));
                    ExitCode::FAILURE
                }
                // Nothing can be done about a closed stream.
                _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
            }
        })
    }

    /// Do it.
    pub fn execute(self) -> ExitCode {
        let output = Output { json: self.json };
        let command = self
            .command
            .unwrap_or_else(|| Command::Run(run::Run::default()));
        let result = match command {
            Command::Run(command) => command.execute(&output),
            Command::Disc(command) => command.execute(&output),
            Command::World(command) => command.execute(&output),
            Command::Identify(command) => command.execute(&output),
            Command::Lzs(command) => command.execute(&output),
            Command::Anm(command) => command.execute(&output),
            Command::Bundle(command) => command.execute(&output),
            Command::Map(command) => command.execute(&output),
            Command::Field(command) => command.execute(&output),
            Command::Man(command) => command.execute(&output),
            Command::Stager(command) => command.execute(&output),
            Command::Tmd(command) => command.execute(&output),
            Command::Tim(command) => command.execute(&output),
            Command::Ff8(command) => command.execute(&output),
            Command::Vm(command) => command.execute(&output),
            Command::Motion(command) => command.execute(&output),
            Command::Llama(command) => command.execute(&output),
            Command::Gte(command) => command.execute(&output),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(Failure { text, status }) => {
                complain(text);
                ExitCode::from(status)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_is_too_long_loses_its_middle() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(
            shortened("ääääbcdefgh", 8),
            "ääääbc ... (3 characters) ... gh"
        );
    }

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        assert_eq!(number::<u16>("21"), Ok(21));
        assert_eq!(number::<u16>("0x15"), Ok(21));
        assert_eq!(number::<i16>("-8"), Ok(-8));
        assert_eq!(number::<i16>("-0x8"), Ok(-8));
        for text in ["", "-", "0x", "x", "1.5", "+1", "0x-1", "--1", "70000"] {
            assert!(number::<u16>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_number_between_two_others() {
        let within = within::<u8>(1, 9);
        assert_eq!((within("1"), within("0x9")), (Ok(1), Ok(9)));
        for text in [
            "0",
            "10",
            "256",
            "-1",
            "99999",
            "18446744073709551616",
            "-0xFFFFFFFFFFFFFFFFF",
        ] {
            assert_eq!(within(text), Err("expected 1 to 9".to_owned()), "{text}");
        }
        assert_eq!(within("x"), number::<u8>("x"));
    }

    #[test]
    fn a_number_out_of_range_is_told_the_range() {
        fn holds<T: Number + std::fmt::Debug>(least: i64, most: i64) {
            let told = format!("{least} to {most}");
            assert_eq!(T::RANGE, told);
            for value in [least, most] {
                assert!(number::<T>(&value.to_string()).is_ok(), "{value}");
            }
            let given = [least - 1, most + 1].map(|it| it.to_string());
            let huge = [
                "9223372036854775808",
                "-99999999999999999999",
                "0x10000000000000000",
            ];
            for value in given.iter().map(String::as_str).chain(huge) {
                let error = number::<T>(value).unwrap_err();
                assert_eq!(error, format!("expected {told}"), "{value}");
            }
        }
        holds::<u8>(0, 255);
        holds::<i16>(-32768, 32767);
        holds::<u16>(0, 65535);
        holds::<u32>(0, 4_294_967_295);
    }
}
