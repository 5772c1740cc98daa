//! Which scene of a disc is played.

use overworld_host::drive::ImageDrive;
use overworld_host::{listing, sample};

use super::super::{Failure, list};

/// Names that a message lists at the most.
const LISTED: usize = 20;

/// The scene of a disc that has one.
pub fn only_scene(drive: &mut ImageDrive, place: &str) -> Result<String, Failure> {
    // What keeps the names from being read keeps the scene from being loaded, which tells more.
    let mut names: Vec<String> = match listing::names(drive) {
        Ok(names) if !names.is_empty() => names.into_iter().map(|(name, _)| name).collect(),
        _ => return Ok(sample::SCENE.to_owned()),
    };
    names.dedup();
    match names.as_slice() {
        [only] => Ok(only.clone()),
        _ => {
            let text = listed(names.iter());
            Err(Failure::usage(format!(
                "{place}: has several scenes, name one with --scene: {text}"
            )))
        }
    }
}

/// What a message says of the scenes that a disc has, where another one was asked for.
pub fn known_scenes(drive: &mut ImageDrive) -> String {
    match listing::names(drive) {
        Ok(names) if !names.is_empty() => {
            format!("; there are {}", listed(names.iter().map(|(name, _)| name)))
        }
        _ => String::new(),
    }
}

/// Names for a message, not too many of them.
fn listed<'a>(names: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let mut text = list(names.take(LISTED)).replace(',', ", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more (see disc info)"));
    }
    text
}
