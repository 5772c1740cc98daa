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
    /// How one of the program's lines must begin.
    pub mark: &'static str,
}

const fn crash(word: &'static str, mark: &'static str) -> Fault {
    Fault {
        word,
        outcome: Outcome::Crash,
        mark,
    }
}

/// All of them.
pub const FAULTS: [Fault; 12] = [
    Fault {
        word: "none",
        outcome: Outcome::Pass,
        mark: "@@TEST start/bss ok",
    },
    crash("panic", "@@PANIC "),
    crash("misaligned", "@@FAULT cause=address-error-load "),
    crash("store", "@@FAULT cause=address-error-store "),
    crash("break", "@@FAULT cause=break "),
    crash("reserved", "@@FAULT cause=reserved-instruction "),
    crash("overflow", "@@FAULT cause=overflow "),
    crash("delay-slot", "@@FAULT cause=address-error-load "),
    crash("stack", "@@FAULT cause=break "),
    crash("nested", "@@PANIC "),
    crash("gte-in-handler", "@@FAULT cause=coprocessor-unusable "),
    Fault {
        word: "hang",
        outcome: Outcome::TimeOut,
        mark: "@@ fault: hang",
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
        let Self {
            word,
            outcome,
            mark,
        } = self;
        if report.outcome != *outcome {
            return Err(format!("{word}: expected {outcome}, found {report}"));
        }
        if report.lines.iter().any(|line| line.starts_with(mark)) {
            return Ok(());
        }
        Err(format!(
            "{word}: expected a line that starts with \"{mark}\": {report}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_written_over() {
        let exe = b"..OVERWORLD-FAULT=none            ..".to_vec();
        let image = FAULTS[1].image(&exe).unwrap();
        assert_eq!(image, b"..OVERWORLD-FAULT=panic           ..");
        assert_eq!(FAULTS[0].image(&exe).unwrap(), exe);
        assert_eq!(FAULTS[0].image(&exe[..20]), None);
        assert_eq!(FAULTS[0].image(&[exe.clone(), exe].concat()), None);
        assert_eq!(FAULTS[0].image(b""), None);
    }
}
