//! Where in a document the slip stands that keeps its map from being read.

use overworld_runtime::llama::map::{Block, Error};
use overworld_runtime::llama::trak::Trak;
use overworld_runtime::llama::{Flags, LevelError, Tag};

use super::document::Content;
use super::{Document, Parts};

/// That a map, of the chunk with this number, gives what the flags ask for and nothing else: it would be lost, or made
/// up.
///
/// # Errors
/// A sentence about the key.
pub fn gate(chunk: usize, parts: &Parts, flags: Flags) -> Result<(), String> {
    let expected = |key: &str, mask: u32, what: &str, found: &str| {
        let has = if flags.has(mask) { "has" } else { "lacks" };
        Err(format!(
            "Gate: chunks[{chunk}].map.{key}: expected {what}, for WFPC {has} {mask:#x}, found {found}"
        ))
    };
    for (key, mask, count) in [
        (
            "alternatives",
            Flags::ALTERNATIVES,
            parts.alternatives.len(),
        ),
        ("paths", Flags::PATHS, parts.paths.len()),
    ] {
        if count > 0 && !flags.has(mask) {
            return expected(key, mask, "none", &count.to_string());
        }
    }
    let mask = Flags::PARTICLES;
    match (parts.particles, flags.has(mask)) {
        (Some(count), false) => return expected("particles", mask, "none", &count.to_string()),
        (None, true) => return expected("particles", mask, "a number", "none"),
        (Some(_), true) | (None, false) => {}
    }
    let mask = Flags::POINT_Y;
    if flags.has(mask) {
        return Ok(());
    }
    for (at, path) in parts.paths.iter().enumerate() {
        for (part, (_, points)) in path.iter().enumerate() {
            if let Some(point) = points.iter().position(|it| it.y != 0) {
                let key = format!("paths[{at}][{part}].points[{point}].y");
                return expected(&key, mask, "0 or none", &points[point].y.to_string());
            }
        }
    }
    Ok(())
}

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
            normal,
            ..
        } => {
            let key = match block {
                Block::Alternatives if normal => format!("alternatives[{index}].normal"),
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
