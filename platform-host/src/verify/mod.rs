//! Everything the disc sheet calls malformed, looked for in a whole image.
//!
//! [`verify`] goes on after a fault as far as it makes sense and answers all it found. A
//! [`Problem`] is what the sheet calls malformed, or what a console could not read; a note is
//! something that is worth a look and no fault.

mod archive;
mod boot;
mod scene;
mod sectors;
mod stream;
mod volume;

pub(crate) use boot::boot as boot_path;

use std::fmt;

use overworld_runtime::disc::iso::Extent;
use overworld_runtime::disc::sector::RAW;
use overworld_runtime::platform::{Drive, SECTOR};

use crate::drive::{ImageDrive, Layout};
use crate::fault::Fault;
use crate::identify::count;

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The sheet's name: `BadEdc`, `TocNotTiled` ...
    pub name: String,
    /// The sector it is in, if it is in one.
    pub lba: Option<u32>,
    /// What it is in: a file, an entry of the archive, a member of a bundle; empty for the image.
    pub place: String,
    /// Byte of that place.
    pub offset: Option<u64>,
    /// The sentence.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.name)?;
        if let Some(offset) = self.offset {
            write!(f, " at offset {offset:#x}")?;
        }
        write!(f, ": {}", self.text)
    }
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sectors of the image.
    pub sectors: u32,
    /// Form 1 sectors whose EDC and ECC are right.
    pub form1: u32,
    /// Form 2 sectors whose EDC is right or absent.
    pub form2: u32,
    /// Files.
    pub files: usize,
    /// Directories, the root included.
    pub directories: usize,
    /// Entries of the archive.
    pub entries: u32,
    /// Scene blocks.
    pub scenes: usize,
    /// Members of bundles that unpack and are what their type says, and scene scripts that lie in a
    /// stream behind the bundle.
    pub members: usize,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Faults, in the order in which they were found.
    pub problems: Vec<Problem>,
    /// Remarks.
    pub notes: Vec<String>,
    /// How much was looked at.
    pub counts: Counts,
}

impl Report {
    /// Whether the image is as the sheet wants it.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.problems.is_empty()
    }

    /// That of an image that cannot be looked at.
    #[must_use]
    pub fn refused(fault: Fault) -> Self {
        let mut report = Self::default();
        report.problem("", None, fault);
        report
    }

    fn problem(&mut self, place: &str, lba: Option<u32>, fault: Fault) {
        self.problems.push(Problem {
            name: fault.name,
            lba,
            place: place.to_owned(),
            offset: fault.offset,
            text: fault.text,
        });
    }

    fn named(&mut self, name: &str, place: &str, lba: Option<u32>, text: String) {
        self.problems.push(Problem {
            name: name.to_owned(),
            lba,
            place: place.to_owned(),
            offset: None,
            text,
        });
    }

    fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}

/// Look at all of an image. `progress` is told how many of all sectors are done.
pub fn verify(drive: &mut ImageDrive, progress: &mut dyn FnMut(u32, u32)) -> Report {
    let mut report = Report::default();
    let map = sectors::check(drive, &mut report, progress);
    if drive.rest() > 0 {
        let (rest, sectors) = (drive.rest(), drive.sectors());
        let size = match drive.layout() {
            Layout::Raw => RAW,
            Layout::Bare => SECTOR,
        };
        let bytes = count(rest as usize, "byte");
        let fault = Fault {
            name: "NotRawImage".to_owned(),
            offset: Some(u64::from(sectors) * size as u64),
            text: format!(
                "expected whole sectors of {size} bytes, found {bytes} behind the last one"
            ),
        };
        report.problem("", None, fault);
    }
    let Some(volume) = volume::check(drive, &map, &mut report) else {
        return report;
    };
    archive::check(drive, &volume, &map, &mut report);
    report
}

/// What a sector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// User data can be read.
    Form1,
    /// Audio or video.
    Form2,
    /// Reported, and not readable.
    Bad,
    /// No sector of a data track: what follows the volume.
    Foreign,
}

/// What each sector of the image is.
struct States(Vec<State>);

impl States {
    fn of(&self, lba: u32) -> State {
        self.0.get(lba as usize).copied().unwrap_or(State::Foreign)
    }

    /// Whether all sectors of an extent are user data.
    fn is_data(&self, extent: Extent) -> bool {
        (0..extent.sectors()).all(|it| self.of(extent.lba.saturating_add(it)) == State::Form1)
    }
}

/// The bytes of an extent whose sectors are known to be readable.
fn read(drive: &mut ImageDrive, extent: Extent) -> Option<Vec<u8>> {
    let mut data = vec![[0; SECTOR]; extent.sectors() as usize];
    drive.read(extent.lba, &mut data).ok()?;
    let mut data = data.into_flattened();
    data.truncate(extent.size as usize);
    Some(data)
}

#[cfg(test)]
mod tests;
