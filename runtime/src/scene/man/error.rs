use super::MAX_SIZE;
use core::fmt;

/// An array of the encounter section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Array {
    /// Groups of monsters.
    Formations = 0,
    /// Which regions are live.
    Conditions = 1,
    /// Boxes of tiles.
    Regions = 2,
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Formations => "formations",
            Self::Conditions => "conditions",
            Self::Regions => "regions",
        })
    }
}

/// What is wrong with a MAN, with what was asked of it, or with one to be written (MAN sheet,
/// section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// Shorter than the header.
    Truncated {
        /// Bytes there are.
        len: usize,
    },
    /// A record count is negative.
    NegativeCount {
        /// The partition.
        partition: u8,
    },
    /// The record table passes the end.
    RecordTableOutOfRange {
        /// Bytes needed.
        need: usize,
        /// Bytes there are.
        len: usize,
    },
    /// There is no record in partition 1, so the scene has no entry script.
    NoEntryScript,
    /// A record starts at or past section 0.
    RecordOutOfRange {
        /// The record.
        flat: u32,
    },
    /// A count in the header of a record passes the record's end.
    RecordHeaderOverrun {
        /// The record.
        flat: u32,
    },
    /// A record ends with its header.
    EmptyScript {
        /// The record.
        flat: u32,
    },
    /// A section passes the end.
    SectionOutOfRange {
        /// The section.
        index: u8,
    },
    /// The last section is not empty.
    MissingTerminator {
        /// Its length.
        len: usize,
    },
    /// An array of the encounter section passes its end.
    EncounterOverrun {
        /// The array.
        array: Array,
    },
    /// A formation has more than four monsters, or more than its row has room for.
    BadFormation {
        /// The row.
        row: u8,
    },
    /// The rows of conditions (4) or regions (8) are too short.
    BadStride {
        /// The array.
        array: Array,
    },
    /// A condition owns a negative number of regions, or regions that do not exist.
    BadConditions {
        /// The condition.
        index: u8,
    },
    /// A region names formations that do not exist.
    BadRegion {
        /// The region.
        index: u8,
    },
    /// The display name has no end; for the writer: it has a zero byte inside.
    BadName,
    /// A motion record does not lead to another one or to the end of the table.
    BadMotionTable {
        /// Offset of the record in the section.
        offset: usize,
    },
    /// The camera regions pass the end of their section.
    BadCameraTable {
        /// Their number.
        count: u8,
        /// Bytes of the section.
        len: usize,
    },
    /// No record has this flat number, or not in the partition asked.
    NoSuchRecord {
        /// The number.
        flat: u32,
    },
    /// Larger than offsets of 24 bits allow.
    TooLarge {
        /// What it would take, as far as it was counted.
        size: usize,
    },
    /// The writer got more records than a partition's count can say.
    TooManyRecords {
        /// The partition.
        partition: u8,
    },
    /// The writer got a label or list that the record's header cannot hold: not of whole
    /// characters, or more than 255.
    BadHeader {
        /// The record.
        flat: u32,
    },
    /// The writer got more rows than a table's count can say, or a row that its stride or offset
    /// cannot.
    BadRow {
        /// The row.
        index: usize,
    },
    /// An edit touches a record's header or passes its end.
    EditOutOfRange {
        /// The record.
        flat: u32,
    },
    /// The writer's slice is full.
    OutputTooSmall {
        /// Its length in bytes.
        room: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MAN: ")?;
        match *self {
            Self::Truncated { len } => write!(f, "{len} bytes, shorter than its header"),
            Self::NegativeCount { partition } => {
                write!(f, "negative record count of partition {partition}")
            }
            Self::RecordTableOutOfRange { need, len } => {
                write!(f, "the record table takes {need} bytes, there are {len}")
            }
            Self::NoEntryScript => f.write_str("no entry script"),
            Self::RecordOutOfRange { flat } => {
                write!(f, "record {flat} starts at or past section 0")
            }
            Self::RecordHeaderOverrun { flat } => {
                write!(f, "the header of record {flat} passes its end")
            }
            Self::EmptyScript { flat } => write!(f, "record {flat} has no script"),
            Self::SectionOutOfRange { index } => write!(f, "section {index} passes the end"),
            Self::MissingTerminator { len } => {
                write!(f, "the last section has {len} bytes, it must be empty")
            }
            Self::EncounterOverrun { array } => {
                write!(f, "the {array} pass the end of the encounter section")
            }
            Self::BadFormation { row } => {
                write!(f, "formation {row} has more monsters than 4 or its row")
            }
            Self::BadStride { array } => write!(f, "the rows of the {array} are too short"),
            Self::BadConditions { index } => {
                write!(
                    f,
                    "encounter condition {index} owns regions that do not exist"
                )
            }
            Self::BadRegion { index } => write!(
                f,
                "encounter region {index} names formations that do not exist"
            ),
            Self::BadName => f.write_str("the display name has no end, or an end inside"),
            Self::BadMotionTable { offset } => {
                write!(f, "motion record at offset {offset:#X} leads nowhere")
            }
            Self::BadCameraTable { count, len } => {
                write!(f, "{count} camera regions do not fit {len} bytes")
            }
            Self::NoSuchRecord { flat } => write!(f, "no such record: {flat}"),
            Self::TooLarge { size } => {
                write!(f, "{size} bytes or more, at most {MAX_SIZE} are possible")
            }
            Self::TooManyRecords { partition } => {
                write!(f, "too many records in partition {partition}")
            }
            Self::BadHeader { flat } => {
                write!(f, "record {flat}: a label or list does not fit its header")
            }
            Self::BadRow { index } => write!(f, "row {index} does not fit its table"),
            Self::EditOutOfRange { flat } => {
                write!(f, "the edit leaves the script of record {flat}")
            }
            Self::OutputTooSmall { room } => write!(f, "{room} bytes of room are too few"),
        }
    }
}

impl core::error::Error for Error {}
