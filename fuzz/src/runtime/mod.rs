//! Entry functions for the readers of the core.
//!
//! Each answers whether the reader took the input, and panics when a property does not hold.

pub mod anim;
pub mod archive;
pub mod ff8;
pub mod field;
pub mod iso;
pub mod llama;
pub mod lzs;
pub mod man;
pub mod model;
pub mod samples;
pub mod script;
pub mod sector;
pub mod walk;
pub mod world;

/// Name and entry function of a target.
pub type Target = (&'static str, fn(&[u8]) -> bool);

/// All targets of this module.
pub const TARGETS: [Target; 27] = [
    ("lzs_decode", lzs::decode),
    ("lzs_encode", lzs::encode),
    ("lzs_section", lzs::section),
    ("sector", sector::check),
    ("iso", iso::walk),
    ("prot", archive::prot),
    ("cdname", archive::cdname),
    ("bundle", archive::bundle),
    ("pack", archive::pack),
    ("standalone", archive::standalone),
    ("chunk", archive::chunk),
    ("bank", anim::bank),
    ("ff8_stream", ff8::stream),
    ("ff8_model", ff8::model),
    ("tmd", model::tmd),
    ("tim", model::tim),
    ("map", field::map),
    ("triggers", field::triggers),
    ("patch", field::patch),
    ("stager", field::stager),
    ("walk", walk::walk),
    ("world", world::world),
    ("man", man::man),
    ("script", script::script),
    ("script_text", script::script_text),
    ("wad", llama::wad),
    ("llama_map", llama::map),
];

/// A small generator of numbers (xorshift), for choices that the input need not steer one by one.
#[derive(Clone, Debug)]
pub struct Choices(u32);

impl Choices {
    /// The choices of a seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9) | 1)
    }

    /// The next choice, below `end` (0 when `end` is 0).
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 as usize).checked_rem(end).unwrap_or(0)
    }
}

/// The first byte and the rest; 0 and nothing when there is none.
#[must_use]
pub fn take_u8(data: &[u8]) -> (u8, &[u8]) {
    data.split_first()
        .map_or((0, data), |(&first, rest)| (first, rest))
}

/// The first little-endian `u16` and the rest; 0 and nothing when there is none.
#[must_use]
pub fn take_u16(data: &[u8]) -> (u16, &[u8]) {
    data.split_first_chunk()
        .map_or((0, &[]), |(&first, rest)| (u16::from_le_bytes(first), rest))
}

/// Whether `part` lies inside `whole`, by address: what a borrowing reader answers must.
#[must_use]
pub fn is_inside(part: &[u8], whole: &[u8]) -> bool {
    let (part, whole) = (part.as_ptr_range(), whole.as_ptr_range());
    whole.start <= part.start && part.end <= whole.end
}
