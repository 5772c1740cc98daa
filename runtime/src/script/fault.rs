//! What steps and slices come to: outcomes, ends, faults, and what is counted (sections 1.1, 3.2 and 13).

use core::fmt;

use super::decode::DecodeError;
use super::host::ContextId;

/// What is wrong with a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FaultKind {
    /// There is no whole instruction at the PC.
    Decode(DecodeError),
    /// A slice used up its steps.
    Budget(u16),
    /// No context has this place in the pool.
    NoContext(ContextId),
}

impl FaultKind {
    /// The sheet's name of it (section 13).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Decode(error) => error.name(),
            Self::Budget(_) => "Budget",
            Self::NoContext(_) => "NoContext",
        }
    }
}

/// A fault and where the script stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Id of the context.
    pub script_id: u16,
    /// Its program counter, which has not moved.
    pub pc: u16,
    /// It is the ambient stream's: the counter is from the first op of the variant.
    pub in_stream: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} in {}script {:02X} at offset {:#06x}: ",
            self.kind.name(),
            if self.in_stream { "the stream of " } else { "" },
            self.script_id,
            self.pc
        )?;
        match self.kind {
            FaultKind::Decode(error) => write!(f, "{error}"),
            FaultKind::Budget(ops) if self.in_stream => {
                write!(f, "{ops} ops did not end the tick")
            }
            FaultKind::Budget(steps) => write!(f, "{steps} steps did not end the slice"),
            FaultKind::NoContext(id) => write!(f, "the pool has no place {id}"),
        }
    }
}

impl core::error::Error for Fault {}

/// Result of one step (1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The PC is there now.
    Advance(u16),
    /// Wait; the same instruction runs again.
    Park,
    /// The PC is there now, and the frame is over.
    ParkAt(u16),
    /// The PC is there now, and a context was handed to the walk kernel.
    Yield(u16),
    /// Text stands at the PC.
    Text,
    /// Nothing was done.
    Fault(Fault),
}

/// Why a slice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceEnd {
    /// End of the frame.
    FrameEnd,
    /// An instruction waits.
    Parked,
    /// A context was handed over.
    Yielded,
    /// Text is next: the dialogue's turn.
    Text,
    /// The scene or the mode is about to change.
    Left,
    /// The context is halted, or the one that it has sent walking is: it got no slice.
    Halted,
    /// A fault; after one out of the record's range the context has stopped.
    Fault(Fault),
}

/// Diagnostics; none of them changes what scripts do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Extended instructions whose target is not there.
    pub unresolved: u32,
    /// Places without an instruction that were met, each time.
    pub unknown: u32,
    /// Truncated instructions that were met, each time.
    pub truncated: u32,
    /// Contexts that left their record.
    pub out_of_range: u32,
    /// Slices that used up their steps.
    pub overruns: u32,
    /// Contexts dropped because the pool was full.
    pub dropped: u32,
    /// Scene changes to what is no label.
    pub bad_names: u32,
    /// Ambient streams that were stopped.
    pub streams: u32,
    /// Op `44` with a number of no beat.
    pub no_beats: u32,
    /// System flags of the extended form, whose number is not settled (section 2).
    pub extended_flags: u32,
}

impl Counters {
    pub(super) fn add(counter: &mut u32) {
        *counter = counter.saturating_add(1);
    }
}
