//! Scanner for instruction hazards in a linked console program.
//!
//! MIPS I leaves to software what later processors check in hardware: a loaded register arrives one
//! instruction late, HI/LO must rest after a read, the GTE wants its inputs two instructions ahead.
//! Compilers and hand-written assembly get this wrong in ways that emulators forgive and consoles do
//! not, so the build checks the linked image, word by word, on every path that it can prove.
//!
//! Rules: HAL sheet sections 1.2 and 1.6, GTE sheet section 4, pitfalls P1, P3 and P4.
//!
//! [`repair`] mends the one kind that the compiler cannot be talked out of. [`scan`] takes an ELF file and gives a [`Report`]: findings (the image must not ship), notes
//! (worth a look), and counts. What cannot be proven is said so rather than guessed:
//!
//! * a load in the delay slot of a return or of an unresolved jump is a finding if the register can
//!   be alive there;
//! * widths of I/O stores are judged only where the address is a known constant;
//! * words that nothing leads to count as code if they lie in a function, behind a label or in a
//!   section without function symbols: data there needs a symbol of type object. Elsewhere they
//!   count as data unless all of them decode; then they are code if their address is taken, and
//!   hazards in the rest are notes.

mod behind;
mod checks;
mod decode;
mod disasm;
mod files;
mod graph;
mod gte;
mod handler;
mod header;
mod image;
mod io;
mod repair;
#[cfg(test)]
mod tests;
mod values;

pub use files::scan_files;
pub use header::{check as check_header, check_any as check_any_header};
pub use repair::repair;

use std::collections::BTreeMap;
use std::fmt;

/// Notes of one kind that [`Report`]'s `Display` prints in full; the rest is counted.
const NOTES_SHOWN: usize = 5;

/// Why a file could not be scanned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The file does not begin as an ELF file does.
    NotElf {
        /// Its first bytes, eight at most.
        found: Vec<u8>,
    },
    /// The file is shorter than an ELF header.
    Short {
        /// Its length, in bytes.
        found: usize,
    },
    /// The file is not for a 32-bit machine.
    Class {
        /// `EI_CLASS`; 32-bit is 1.
        found: u8,
    },
    /// A part of the ELF file cannot be read.
    Elf {
        /// Which part.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The contents of a section do not lie in the file.
    Section {
        /// Its name.
        name: String,
        /// Its offset in the file, in bytes.
        offset: u32,
        /// Its size, in bytes.
        size: u32,
        /// Length of the file, in bytes.
        file: usize,
        /// The reader's own words.
        reason: String,
    },
    /// A section's address is not a multiple of four or runs past the end of the address space.
    Address {
        /// Its name.
        name: String,
        /// The address.
        address: u32,
    },
    /// Two code sections claim the same addresses.
    Overlap {
        /// The later one.
        name: String,
        /// Where it begins.
        address: u32,
    },
    /// The file is for another processor.
    Machine {
        /// `e_machine`; MIPS is 8.
        found: u16,
    },
    /// The file is big-endian.
    ByteOrder,
    /// The file is an object file whose addresses are not decided yet.
    NotLinked,
    /// No section is executable.
    NoCode,
    /// More code than any console image has.
    TooMuchCode {
        /// Size of all code sections, in bytes.
        bytes: usize,
        /// The most that is accepted.
        limit: usize,
    },
}

impl Error {
    /// What the reader says of a file whose header is sound.
    pub fn tables(error: object::read::Error) -> Self {
        Error::Elf {
            what: "the section, segment or symbol table".into(),
            reason: error.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotElf { found } if found == b"PS-X EXE" => write!(
                f,
                "this is a PS-EXE; expected the ELF file that it was made from"
            ),
            Error::NotElf { found } if found.is_empty() => {
                write!(f, "expected an ELF file, found an empty file")
            }
            Error::NotElf { found } => {
                write!(f, "expected an ELF file (7F 45 4C 46 at offset 0), found")?;
                found.iter().try_for_each(|byte| write!(f, " {byte:02X}"))
            }
            Error::Short { found } => write!(
                f,
                "expected an ELF header of 52 bytes, found a file of {found} bytes"
            ),
            Error::Class { found } => write!(
                f,
                "class of the ELF file: expected 32-bit (1), found {}",
                match found {
                    2 => "64-bit (2)".to_string(),
                    other => other.to_string(),
                }
            ),
            Error::Elf { what, reason } => write!(f, "{what} of the ELF file: {reason}"),
            Error::Section {
                name,
                offset,
                size,
                file,
                reason,
            } => write!(
                f,
                "section {name}: {size} bytes at offset {offset:#X} are not in the file of {file} \
                 bytes ({reason})"
            ),
            Error::Address { name, address } => write!(
                f,
                "section {name}: address {address:08X} is not a multiple of 4, or the section runs \
                 past the end of the address space"
            ),
            Error::Overlap { name, address } => write!(
                f,
                "section {name}: at {address:08X} another code section already lies"
            ),
            Error::Machine { found } => write!(
                f,
                "machine of the ELF file: expected MIPS (8), found {} ({found}); give the linked \
                 console program",
                header::machine_name(*found)
            ),
            Error::ByteOrder => write!(
                f,
                "byte order of the ELF file: expected little-endian, found big-endian"
            ),
            Error::NotLinked => write!(
                f,
                "the ELF file is an object file: hazards show only after linking"
            ),
            Error::NoCode => write!(f, "the ELF file has no executable section with contents"),
            Error::TooMuchCode { bytes, limit } => write!(
                f,
                "the ELF file has {bytes} bytes of code, more than the {limit} that are scanned"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// What kind of hazard a finding or note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A load (or `mfc0`) and a reader right behind it.
    LoadDelay,
    /// A load in a delay slot whose value is, or may be, read right at the target.
    LoadInSlot,
    /// `mfc2`/`cfc2` and a reader right behind it, on any path.
    GteReadDelay,
    /// A transfer to the GTE fewer than two instructions before a command that uses it.
    GteWriteCommand,
    /// A transfer to the GTE too shortly before a read of the same register or its mirror.
    GteWriteRead,
    /// A GTE command in a delay slot.
    GteCommandInSlot,
    /// A branch or jump in a delay slot, or one without a delay slot.
    BranchInSlot,
    /// A store of a width that the device does not know.
    IoWidth,
    /// An access at a constant address that is not a multiple of its width.
    Misaligned,
    /// The scratchpad through KSEG1.
    ScratchpadUncached,
    /// HI/LO written fewer than two instructions after a read.
    HiLo,
    /// An instruction that the CPU does not have.
    NotMips1,
    /// A GTE instruction fewer than two instructions after a write of SR, which may switch it on.
    StatusBeforeGte,
    /// A jump or call into a part of the image that is not executable.
    IntoData,
    /// A GTE instruction that the exception handler reaches.
    GteInHandler,
    /// Note: a load whose result is overwritten before anybody could read it.
    LoadLost,
    /// Note: as `GteWriteCommand`, but the command does not use the register.
    GteWriteUnused,
    /// Note: a transfer that overwrites an input of a command that may still be running.
    GteInputOverwritten,
    /// Note: a GTE command with an undefined number.
    UndefinedGteCommand,
    /// Note: I/O outside of KSEG1, through the write queue.
    IoCached,
    /// Note: an I/O store that works but looks like a mistake.
    IoDoubt,
    /// Note: execution can reach the end of the code.
    RunsOff,
    /// Note: a jump whose targets could not be found out.
    UnresolvedJump,
    /// Note: HI/LO, a GTE register or SR used right before a way into unknown code.
    Unproven,
    /// Note: words among the code that were taken for data.
    DataInCode,
    /// Note: something about the file itself.
    File,
}

impl Kind {
    /// Is it only ever a note?
    pub fn is_note(self) -> bool {
        self >= Kind::LoadLost
    }

    /// Short name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::LoadDelay => "load delay",
            Kind::LoadInSlot => "load in delay slot",
            Kind::GteReadDelay => "GTE read delay",
            Kind::GteWriteCommand => "GTE write before command",
            Kind::GteWriteRead => "GTE write before read",
            Kind::GteCommandInSlot => "GTE command in delay slot",
            Kind::BranchInSlot => "branch in delay slot",
            Kind::IoWidth => "I/O width",
            Kind::Misaligned => "misaligned address",
            Kind::ScratchpadUncached => "scratchpad in KSEG1",
            Kind::HiLo => "HI/LO reuse",
            Kind::NotMips1 => "not MIPS I",
            Kind::LoadLost => "lost load",
            Kind::GteWriteUnused => "unused GTE write before command",
            Kind::GteInputOverwritten => "GTE input overwritten",
            Kind::UndefinedGteCommand => "undefined GTE command",
            Kind::StatusBeforeGte => "SR write before GTE",
            Kind::IntoData => "jump into data",
            Kind::GteInHandler => "GTE in the exception handler",
            Kind::IoCached => "I/O outside of KSEG1",
            Kind::IoDoubt => "doubtful I/O store",
            Kind::RunsOff => "end of code",
            Kind::UnresolvedJump => "unresolved jump",
            Kind::Unproven => "unproven distance",
            Kind::DataInCode => "data among code",
            Kind::File => "file",
        }
    }
}

/// One word of the image, disassembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it stands.
    pub address: u32,
    /// The word.
    pub word: u32,
    /// Its assembly text.
    pub text: String,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08X}: {:08X}  {}", self.address, self.word, self.text)
    }
}

/// One hazard, or one thing worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind.
    pub kind: Kind,
    /// Address of the instruction that causes it.
    pub address: u32,
    /// Section it stands in.
    pub section: String,
    /// Nearest symbol (demangled) and the distance from it, in bytes.
    pub symbol: Option<(String, u32)>,
    /// The instruction that causes it.
    pub first: Line,
    /// The other instruction involved: the reader, the command, the branch before the slot.
    pub second: Option<Line>,
    /// What is wrong, in a sentence.
    pub sentence: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at {:08X} in {}",
            self.kind.name(),
            self.address,
            self.section
        )?;
        if let Some((name, offset)) = &self.symbol {
            write!(f, ", {name}+{offset:#X}")?;
        }
        write!(f, "\n    {}\n    {}", self.sentence, self.first)?;
        if let Some(second) = &self.second {
            write!(f, "\n    {second}")?;
        }
        Ok(())
    }
}

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Words that were scanned as instructions.
    pub instructions: usize,
    /// Words among the code that were left out as data.
    pub data_words: usize,
    /// Branches, jumps and calls.
    pub transfers: usize,
    /// Delay slots with a useful instruction.
    pub slots_filled: usize,
    /// Delay slots with a no-operation.
    pub slots_nop: usize,
    /// Loads from memory into CPU registers.
    pub loads: usize,
    /// GTE commands.
    pub gte_commands: usize,
    /// Instructions that the exception handler reaches, as far as that can be proven.
    pub handler: usize,
}

/// Result of a scan.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Hazards, by address. An image with any must not ship.
    pub findings: Vec<Finding>,
    /// Things worth a look, by address.
    pub notes: Vec<Finding>,
    /// Counts.
    pub statistics: Statistics,
}

impl Report {
    /// Is the image free of hazards?
    pub fn clean(&self) -> bool {
        self.findings.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{finding}")?;
        }
        let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
        for note in &self.notes {
            let count = kinds.entry(note.kind).or_default();
            *count += 1;
            if *count <= NOTES_SHOWN {
                writeln!(f, "note: {note}")?;
            }
        }
        for (kind, count) in kinds {
            if count > NOTES_SHOWN {
                writeln!(
                    f,
                    "note: {} more of the kind \"{}\"",
                    count - NOTES_SHOWN,
                    kind.name()
                )?;
            }
        }
        let s = &self.statistics;
        write!(
            f,
            "{} instructions, {} data words among them, {} branches and jumps ({} delay slots \
             filled, {} empty), {} loads, {} GTE commands: ",
            s.instructions,
            s.data_words,
            s.transfers,
            s.slots_filled,
            s.slots_nop,
            s.loads,
            s.gte_commands
        )?;
        match self.findings.len() {
            0 => write!(f, "no hazards")?,
            1 => write!(f, "1 hazard")?,
            more => write!(f, "{more} hazards")?,
        }
        match self
            .notes
            .iter()
            .filter(|note| !note.kind.is_note())
            .count()
        {
            0 => Ok(()),
            doubtful => write!(
                f,
                " in what is known to be code; {doubtful} in words that may be code"
            ),
        }
    }
}

/// Scans a linked console program (an ELF file, not the PS-EXE or ROM image made from it).
pub fn scan(elf: &[u8]) -> Result<Report, Error> {
    let image = image::Image::parse(elf)?;
    let graph = graph::Graph::build(&image);
    let mut report = Report::default();
    checks::run(&graph, &mut report);

    let note = |kind, id: Option<usize>, address, sentence| Finding {
        kind,
        address,
        section: id.map_or_else(|| "the file".into(), |id| image.region(id).name.clone()),
        symbol: id
            .and_then(|id| image.name_of(id))
            .map(|(name, offset)| (name.to_string(), offset)),
        first: Line {
            address,
            word: id.map_or(0, |id| image.insts[id].word),
            text: id.map_or_else(String::new, |id| {
                disasm::disassemble(image.insts[id], address)
            }),
        },
        second: None,
        sentence,
    };
    for (address, sentence) in &image.remarks {
        let id = image.id_of(*address);
        report
            .notes
            .push(note(Kind::File, id, *address, sentence.clone()));
    }
    for id in graph.unresolved() {
        report.notes.push(note(
            Kind::UnresolvedJump,
            Some(id),
            image.address_of(id),
            "the targets of this jump could not be proven; its delay slot was judged as if \
             anything could follow"
                .into(),
        ));
    }
    for (id, entry, index, word) in graph.odd_entries() {
        report.notes.push(note(
            Kind::UnresolvedJump,
            Some(id),
            image.address_of(id),
            format!(
                "entry {index} of this jump's table, at {entry:08X}, should be a code address but is \
                 {word:08X}"
            ),
        ));
    }
    for &id in &graph.executed_objects {
        report.notes.push(note(
            Kind::DataInCode,
            Some(id),
            image.address_of(id),
            "a symbol calls this word an object, but it is executed and was judged as code".into(),
        ));
    }
    for &(first, end) in &graph.data_runs {
        report.statistics.data_words += end - first;
        report.notes.push(note(
            Kind::DataInCode,
            Some(first),
            image.address_of(first),
            format!(
                "{} words that nothing leads to and that are not all instructions were taken for \
                 data",
                end - first
            ),
        ));
    }
    report.statistics.data_words += graph.data.iter().filter(|&&data| data).count();
    report.findings.sort_by_key(|finding| finding.address);
    report.notes.sort_by_key(|note| (note.kind, note.address));
    Ok(report)
}
