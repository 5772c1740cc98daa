//! Where in a document the slip stands that keeps its map from being read.

use overworld_runtime::llama::map::{Block, Error};
use overworld_runtime::llama::trak::Trak;
use overworld_runtime::llama::{LevelError, Tag};

use super::Document;
use super::document::Content;

/// A sentence about the key of a document whose bytes are no level, for its makers know no offsets; `None` where no one
/// key is to blame.
#[must_use]
pub fn find(document: &Document, error: &LevelError) -> Option<String> {
    let LevelError::Map { error, .. } = error else {
        return None;
    };
    let chunks = document.chunks.iter();
    let maps = chunks
        .zip(0..)
        .filter_map(|((_, content), at)| match content {
            Content::Map(parts) => Some((at, parts)),
            Content::Bytes(_) => None,
        });
    let (chunk, parts) = maps.into_iter().next()?;
    let trak = Trak::parse(document.data(Tag::TRAK)?).ok()?;
    let map = format!("chunks[{chunk}].map");
    match *error {
        Error::ModelIndex {
            block,
            index,
            model,
            ..
        } => {
            let key = match block {
                Block::Alternatives => format!("alternatives[{index}].model"),
                _ if parts.models.is_some() => format!("models[{index}]"),
                _ => format!("tiles[{index}].model"),
            };
            let models = trak.models().count();
            Some(format!(
                "ModelIndex: {map}.{key}: expected a model below {models}, found {model}"
            ))
        }
        // Whatever is short by a few bytes takes them from what follows: the first that is, is to blame.
        Error::Truncated { .. } | Error::TrailingBytes { .. } => {
            let tiles = parts.tiles.iter().zip(&parts.colours).zip(0_usize..);
            tiles.into_iter().find_map(|((tile, colours), index)| {
                let frame = 4 * trak.vertices(tile.model)? as usize;
                let first = colours.get(..frame).unwrap_or_default();
                let counts = first.chunks_exact(4).map(|it| usize::from(it[3]));
                let need = frame * counts.max().unwrap_or(0).max(1);
                // An alternative has colours of its own behind those of the model.
                let is_wrong = match tile.alternative {
                    0 => colours.len() != need,
                    _ => colours.len() < need,
                };
                is_wrong.then(|| {
                    format!(
                        "ColourLength: {map}.tiles[{index}].colours: expected {need} bytes for model {}, found {}",
                        tile.model,
                        colours.len()
                    )
                })
            })
        }
        _ => None,
    }
}
