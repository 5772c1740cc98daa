//! The program that goes wrong on purpose, in each of its ways.
//!
//! `faults.exe` holds `OVERWORLD-FAULT=` and sixteen bytes that say what goes wrong; as built they
//! say `none`, and the program tests what lies below every other program.

use crate::emulator::Report;
use crate::verdict::Outcome;

/// What stands before the sixteen bytes.
const TAG: &[u8] = b"OVERWORLD-FAULT=";

/// The bytes of a choice.
const LENGTH: usize = 16;

/// A way to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The word that chooses it.
    pub word: &'static str,
    /// How the run must end.
    pub outcome: Outcome,
    /// What the program must say, besides the lines of a report.
    pub lines: &'static [&'static str],
    /// The report that must follow.
    pub reported: Reported,
}

/// The report of a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// None.
    Nothing,
    /// Of a panic with this message, in a function that a known place calls.
    Panic(&'static str),
    /// Of a fault while a panic with this message is reported.
    Nested(&'static str, &'static str),
    /// Of a fault, with the registers that were planted before.
    Fault(Planted),
}

/// What the program has put into the registers before it faults: 13570000h plus its number into each,
/// hi and lo as numbers 32 and 33, but for what the instruction needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planted {
    /// The word for the cause.
    pub cause: &'static str,
    /// The CPU's number for it: bits 2 to 6 of the cause register.
    pub code: u32,
    /// Register 2.
    pub v0: u32,
    /// Register 29.
    pub sp: u32,
    /// Whether the address at fault is that in register 2; else nothing sets it.
    pub address: bool,
    /// Whether it happens in a delay slot.
    pub in_slot: bool,
    /// The status register as the exception left it.
    pub sr: u32,
}

/// The general registers by number, as reports name them.
#[rustfmt::skip]
pub const NAMES: [&str; 32] = [
    "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7",
    "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra",
];

/// The value of register `number` when nothing else is needed there.
const fn planted(number: u32) -> u32 {
    0x1357_0000 + number
}

const PLANTED: Planted = Planted {
    cause: "",
    code: 0,
    v0: planted(2),
    sp: planted(29),
    address: false,
    in_slot: false,
    sr: STATUS,
};

/// Enabled: the GTE, and before the exception interrupts and their line (HAL sheet, section 1.4).
const STATUS: u32 = 0x4000_0404;

const fn fault(word: &'static str, planted: Planted) -> Fault {
    Fault {
        word,
        outcome: Outcome::Crash,
        lines: &[],
        reported: Reported::Fault(planted),
    }
}

/// All of them.
pub const FAULTS: [Fault; 14] = [
    Fault {
        word: "none",
        outcome: Outcome::Pass,
        lines: &[
            "@@ printf -42 0001BEEF sector [   7] !",
            "@@TEST start/bss ok -",
            "@@TEST bios/memory ok -",
            "@@TEST bios/strings ok -",
        ],
        reported: Reported::Nothing,
    },
    // Each number once, though the first is called twice.
    Fault {
        word: "unknown-call",
        outcome: Outcome::Pass,
        lines: &[
            "@@ROM unknown call B0:5F",
            "@@ROM unknown call A0:1234",
            "@@ after unknown calls",
        ],
        reported: Reported::Nothing,
    },
    Fault {
        word: "exit",
        outcome: Outcome::Fail,
        lines: &["@@ROM exit(3)"],
        reported: Reported::Nothing,
    },
    Fault {
        word: "panic",
        outcome: Outcome::Crash,
        lines: &[],
        reported: Reported::Panic("on purpose, over two lines"),
    },
    fault(
        "misaligned",
        Planted {
            cause: "address-error-load",
            code: 4,
            v0: 0x8001_0001,
            address: true,
            ..PLANTED
        },
    ),
    fault(
        "store",
        Planted {
            cause: "address-error-store",
            code: 5,
            v0: 0x8001_0001,
            address: true,
            ..PLANTED
        },
    ),
    fault(
        "break",
        Planted {
            cause: "break",
            code: 9,
            ..PLANTED
        },
    ),
    fault(
        "reserved",
        Planted {
            cause: "reserved-instruction",
            code: 10,
            v0: 0x801F_0000,
            ..PLANTED
        },
    ),
    fault(
        "overflow",
        Planted {
            cause: "overflow",
            code: 12,
            v0: 0x7FFF_FFFF,
            ..PLANTED
        },
    ),
    fault(
        "delay-slot",
        Planted {
            cause: "address-error-load",
            code: 4,
            v0: 0x8001_0002,
            address: true,
            in_slot: true,
            ..PLANTED
        },
    ),
    fault(
        "stack",
        Planted {
            cause: "break",
            code: 9,
            sp: 0,
            ..PLANTED
        },
    ),
    Fault {
        word: "nested",
        outcome: Outcome::Crash,
        lines: &[],
        reported: Reported::Nested("a message that faults: ", "address-error-load"),
    },
    // The engine is off, and interrupts were on two exceptions before.
    fault(
        "gte-in-handler",
        Planted {
            cause: "coprocessor-unusable",
            code: 11,
            sr: 0x0000_0410,
            ..PLANTED
        },
    ),
    Fault {
        word: "hang",
        outcome: Outcome::TimeOut,
        lines: &["@@ fault: hang"],
        reported: Reported::Nothing,
    },
];

impl Fault {
    /// The image with this choice; `None` when `exe` has no place for one, or more than one.
    #[must_use]
    pub fn image(&self, exe: &[u8]) -> Option<Vec<u8>> {
        let mut places = exe.windows(TAG.len()).enumerate();
        let (at, _) = places.find(|(_, window)| *window == TAG)?;
        if self.word.len() > LENGTH || places.any(|(_, window)| window == TAG) {
            return None;
        }
        let mut image = exe.to_vec();
        let choice = image.get_mut(at + TAG.len()..at + TAG.len() + LENGTH)?;
        choice.fill(b' ');
        choice
            .get_mut(..self.word.len())?
            .copy_from_slice(self.word.as_bytes());
        Some(image)
    }

    /// Whether a run of the image ended as it must.
    ///
    /// # Errors
    /// What is different.
    pub fn check(&self, report: &Report) -> Result<(), String> {
        let Self { word, outcome, .. } = self;
        if report.outcome != *outcome {
            return Err(format!("{word}: expected {outcome}, found {report}"));
        }
        for wanted in self.expected(&report.lines)? {
            let found = report.lines.iter().filter(|line| **line == wanted).count();
            if found != 1 {
                return Err(format!(
                    "{word}: expected the line \"{wanted}\" once, found it {found} times: {report}"
                ));
            }
        }
        // What is said of every exception of another kind, or of calls that exist.
        for unwanted in ["@@ROM unknown call", "@@ in the delay slot"] {
            let of = |lines: &[String]| {
                let with = lines.iter().filter(|line| line.starts_with(unwanted));
                with.count()
            };
            let wanted = of(&self.expected(&report.lines)?);
            if of(&report.lines) != wanted {
                return Err(format!(
                    "{word}: expected {wanted} lines that start with \"{unwanted}\": {report}"
                ));
            }
        }
        Ok(())
    }

    /// The lines that a program which printed `lines` must have printed.
    fn expected(&self, lines: &[String]) -> Result<Vec<String>, String> {
        let mut expected: Vec<String> = self.lines.iter().map(|line| (*line).into()).collect();
        let place = place(lines);
        let place =
            || place.ok_or_else(|| format!("{}: expected a line \"@@ fault at ...\"", self.word));
        match self.reported {
            Reported::Nothing => {}
            Reported::Panic(message) => {
                expected.push(located(lines, message)?);
                let callers = lines.iter().find(|line| line.starts_with("@@ sp=801F"));
                let callers = callers.ok_or("expected a line \"@@ sp=801F...\"")?;
                let caller = format!("{:08X}", place()?);
                if !callers.split(' ').any(|word| word == caller) {
                    return Err(format!("expected the caller {caller} in \"{callers}\""));
                }
            }
            Reported::Nested(message, cause) => {
                // The emulator writes on in the line that breaks off.
                let begin = located(lines, message)?;
                let line = lines.iter().find(|line| line.starts_with(&begin));
                expected.push(line.cloned().unwrap_or(begin));
                expected.push(format!(
                    "@@ while that was reported: fault {cause} at {:08X}",
                    place()?
                ));
            }
            Reported::Fault(planted) => {
                let found = lines.iter().find(|line| line.starts_with("@@FAULT "));
                expected.extend(planted.lines(place()?, found.map_or("", String::as_str)));
            }
        }
        Ok(expected)
    }
}

/// The address in the line `@@ fault at ...`, which the program prints before it faults.
#[must_use]
pub fn place(lines: &[String]) -> Option<u32> {
    let mut digits = lines.iter().filter_map(|l| l.strip_prefix("@@ fault at "));
    u32::from_str_radix(digits.next()?, 16).ok()
}

/// The line of a panic with this message, whose line number is read from what the program printed.
fn located(lines: &[String], message: &str) -> Result<String, String> {
    const FILE: &str = "@@PANIC platform-psx/src/bin/faults/wrong.rs:";
    let mut numbers = lines.iter().filter_map(|line| {
        let number = line.strip_prefix(FILE)?.split(':').next()?;
        number.parse::<u32>().ok()
    });
    let number = numbers
        .next_back()
        .ok_or(format!("expected a line \"{FILE}\""))?;
    Ok(format!("{FILE}{number}: {message}"))
}

/// The value of a `key=value` word in hexadecimal.
fn value(line: &str, key: &str) -> Option<u32> {
    let mut words = line.split(' ');
    let digits = words.find_map(|word| word.strip_prefix(key)?.strip_prefix('='))?;
    u32::from_str_radix(digits, 16).ok()
}

impl Planted {
    /// The value of a general register in the report. The handler works with 26 and 27 and reports 0.
    #[must_use]
    pub const fn register(&self, number: u32) -> u32 {
        match number {
            0 | 26 | 27 => 0,
            2 => self.v0,
            29 => self.sp,
            _ => planted(number),
        }
    }

    /// The cause register: of the bits that the exception does not define, those that the report's
    /// first line shows.
    #[must_use]
    pub fn cause_register(&self, found: &str) -> u32 {
        const DEFINED: u32 = 1 << 31 | 0x7C;
        let found = value(found, "cause_reg").unwrap_or(0);
        found & !DEFINED | (self.in_slot as u32) << 31 | self.code << 2
    }

    /// The lines of the report of a fault at `place`. `found` is its first line, from which comes what
    /// the exception leaves open.
    #[must_use]
    pub fn lines(&self, place: u32, found: &str) -> Vec<String> {
        let address = if self.address {
            self.v0
        } else {
            value(found, "badvaddr").unwrap_or(0)
        };
        let mut lines = vec![format!(
            "@@FAULT cause={} epc={place:08X} badvaddr={address:08X} ra={:08X} sr={:08X} cause_reg={:08X}",
            self.cause,
            self.register(31),
            self.sr,
            self.cause_register(found),
        )];
        if self.in_slot {
            lines.push("@@ in the delay slot of the branch at epc".to_owned());
        }
        for (names, first) in NAMES.chunks(4).zip((0..).step_by(4)) {
            let words = names.iter().zip(first..);
            let words =
                words.map(|(name, number)| format!(" {name}={:08X}", self.register(number)));
            lines.push(format!("@@{}", words.collect::<String>()));
        }
        lines.push(format!("@@ hi={:08X} lo={:08X}", planted(32), planted(33)));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(word: &str) -> Fault {
        let mut faults = FAULTS.into_iter();
        faults.find(|fault| fault.word == word).unwrap()
    }

    #[test]
    fn the_choice_is_written_over() {
        let exe = b"..OVERWORLD-FAULT=none            ..".to_vec();
        let image = of("panic").image(&exe).unwrap();
        assert_eq!(image, b"..OVERWORLD-FAULT=panic           ..");
        let none = of("none");
        assert_eq!(none.image(&exe).unwrap(), exe);
        assert_eq!(none.image(&exe[..20]), None);
        assert_eq!(none.image(&[exe.clone(), exe].concat()), None);
        assert_eq!(none.image(b""), None);
    }

    #[test]
    fn every_choice_fits_and_is_one() {
        let mut words = FAULTS.map(|fault| fault.word);
        assert!(words.iter().all(|word| word.len() <= LENGTH));
        words.sort_unstable();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]));
    }

    /// What a program that does all right prints.
    fn right(fault: &Fault) -> Report {
        let mut lines = vec!["@@ fault at 80011234".to_owned()];
        lines.extend(fault.lines.iter().map(|line| (*line).to_owned()));
        let file = "@@PANIC platform-psx/src/bin/faults/wrong.rs:123:";
        match fault.reported {
            Reported::Nothing => {}
            Reported::Panic(message) => lines.extend([
                format!("{file} {message}"),
                "@@ sp=801FFE80 called from 80015678 80011234".to_owned(),
            ]),
            Reported::Nested(message, cause) => lines.extend([
                format!("{file} {message}"),
                format!("@@ while that was reported: fault {cause} at 80011234"),
            ]),
            // Of a break in the second branch, say, some bits are the coprocessor's.
            Reported::Fault(planted) => {
                lines.extend(planted.lines(0x8001_1234, "@@FAULT badvaddr=1 cause_reg=30000200"));
            }
        }
        Report {
            outcome: fault.outcome,
            lines,
            ..Report::missing(String::new())
        }
    }

    /// Each line counts, and each word of it.
    #[test]
    fn a_report_with_a_line_less_or_another_word_is_refused() {
        for fault in FAULTS {
            let whole = right(&fault);
            fault.check(&whole).unwrap();
            // A fault that says where it happens is read; one that needs none is not.
            let first = usize::from(matches!(fault.reported, Reported::Nothing));
            for index in first..whole.lines.len() {
                let mut without = whole.clone();
                without.lines.remove(index);
                assert!(fault.check(&without).is_err(), "{}: {index}", fault.word);
                let mut twice = whole.clone();
                twice.lines.push(whole.lines[index].clone());
                let repeated = index > 0 && !whole.lines[index].starts_with("@@ sp=");
                assert_eq!(fault.check(&twice).is_err(), repeated, "{index}: {twice}");
            }
            let other = Report {
                outcome: Outcome::EmulatorMissing,
                ..whole.clone()
            };
            assert!(fault.check(&other).is_err());
        }
        let fault = of("misaligned");
        for wrong in [
            ("epc=80011234", "epc=80011238"),
            ("badvaddr=80010001", "badvaddr=80010002"),
            ("ra=1357001F sr", "ra=00000000 sr"),
            ("sr=40000404", "sr=40000400"),
            ("cause_reg=30000210", "cause_reg=B0000210"),
            ("t3=1357000B", "t3=1357000A"),
            ("lo=13570021", "lo=13570020"),
        ] {
            let mut report = right(&fault);
            let before = report.lines.clone();
            for line in &mut report.lines {
                *line = line.replace(wrong.0, wrong.1);
            }
            assert_ne!(report.lines, before, "{}", wrong.0);
            assert!(fault.check(&report).is_err(), "{}", wrong.1);
        }
        // A call that is reported twice, or one that exists and is reported.
        let mut report = right(&of("none"));
        report.lines.push("@@ROM unknown call A0:3F".to_owned());
        assert!(of("none").check(&report).is_err());
        let mut report = right(&of("panic"));
        report.lines[2] = "@@ sp=801FFE80 called from 80015678".to_owned();
        assert!(of("panic").check(&report).is_err());
    }
}
