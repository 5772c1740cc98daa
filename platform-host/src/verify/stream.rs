//! Streaming entries: chunks behind each other up to a terminator (disc sheet, section 7).

use overworld_runtime::anim::legaia::Bank;
use overworld_runtime::bytes::u32_at;
use overworld_runtime::disc::bundle::AssetType;
use overworld_runtime::disc::chunk::{Chunk, Chunks, Error};
use overworld_runtime::model::tim::Tim;
use overworld_runtime::model::tmd::{self, Tmd};
use overworld_runtime::scene::man::Man;

/// Bytes of an entry that is looked into: a chunk's size has 24 bits.
pub const LONGEST: u32 = 1 << 24;

/// What an entry is when it is read as a stream. Nothing marks one: what is no stream has chunks,
/// too, which are anything.
pub struct Stream<'a> {
    /// The first chunk of type MAN and its number.
    pub man: Option<(usize, &'a [u8])>,
    /// Whether it is surely a stream: a chunk holds what its type says.
    pub proven: bool,
    /// Whether it has chunks of known types up to the terminator.
    pub whole: bool,
    /// The end of the entry inside a chunk, or where a header should be.
    pub cut: Option<Error>,
}

impl<'a> Stream<'a> {
    /// Walk an entry from its first byte.
    pub fn new(data: &'a [u8]) -> Self {
        let stage = is_stage(data);
        let mut stream = Self {
            man: None,
            proven: stage,
            whole: true,
            cut: None,
        };
        let mut at = 0;
        for (index, chunk) in Chunks::new(data).enumerate() {
            // A stage's walker stops at a model pack, whatever size its header tells.
            if stage && index > 0 && type_at(data, at) == Some(AssetType::Tmd.byte()) {
                break;
            }
            let chunk = match chunk {
                Ok(chunk) => chunk,
                Err(error) => {
                    stream.proven |= index == 0 && begins_as_told(data);
                    stream.whole = false;
                    stream.cut = Some(error);
                    break;
                }
            };
            let Some(ty) = AssetType::from_byte(chunk.ty) else {
                stream.whole = false;
                break;
            };
            if ty == AssetType::Man && stream.man.is_none() {
                stream.man = Some((index, chunk.data));
            }
            stream.proven |= is_as_told(ty, &chunk);
            at += 4 + (chunk.data.len() & !3);
        }
        stream
    }
}

/// The type of the chunk whose header stands here.
fn type_at(data: &[u8], at: usize) -> Option<u8> {
    u32_at(data, at).map(|header| (header >> 24) as u8)
}

/// A battle stage: a first header of type 0 in front of a bare TMD.
fn is_stage(data: &[u8]) -> bool {
    type_at(data, 0) == Some(AssetType::Tim.byte()) && u32_at(data, 4) == Some(tmd::MAGIC)
}

/// Whether an entry that ends inside its first chunk begins with that type's magic.
fn begins_as_told(data: &[u8]) -> bool {
    let body = data.get(4..).unwrap_or_default();
    // The magic alone may be the count of a pack of sixteen, whose first offset follows.
    let is_tim = || Tim::is_tim(body) && u32_at(body, 4).is_some_and(|flags| flags < 16);
    match type_at(data, 0).and_then(AssetType::from_byte) {
        Some(AssetType::Tim | AssetType::TimList) => is_tim(),
        Some(AssetType::Tmd2) => u32_at(body, 0) == Some(tmd::MAGIC),
        _ => false,
    }
}

/// Whether a chunk reads as what its type says. Packs prove nothing: a file of textures has the
/// header of a chunk, and need not have a terminator (TMD/TIM sheet, section 4).
fn is_as_told(ty: AssetType, chunk: &Chunk<'_>) -> bool {
    let data = chunk.data;
    match ty {
        AssetType::Tim => Tim::parse(data).is_ok() || Tmd::parse_lenient(data).is_ok(),
        AssetType::TimList => Tim::parse(data).is_ok(),
        AssetType::Tmd2 => Tmd::parse_lenient(data).is_ok(),
        // Zeros are a script without records.
        AssetType::Man => Man::parse(data).is_ok_and(|man| !man.is_empty()),
        AssetType::Move | AssetType::Move2 => Bank::parse_lenient(data).is_ok(),
        _ => false,
    }
}
