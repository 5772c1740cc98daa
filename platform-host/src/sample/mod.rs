//! The sample world: a clockwork owl of three parts, drawn, modelled and animated by the code of
//! this module, in the formats the runtime reads.
//!
//! Everything is computed from constants with integers and IEEE basic operations, so the bytes
//! are the same on every machine.

mod art;
pub mod font;
mod mesh;
mod motion;
pub mod toad;
pub mod town;

use crate::image;
use crate::world::{self, World};

pub use crate::image::cue_text;

/// Name of the sample's scene in CDNAME.TXT.
pub const SCENE: &str = "demo";

/// Name of the scene of [`creatures`].
pub const CREATURES: &str = "creature";

/// Where the texture lies in VRAM, in cells.
pub const TEXTURE_AT: (u16, u16) = (640, 0);

/// Where its palette lies.
pub const PALETTE_AT: (u16, u16) = (0, 480);

/// The clip of the bank that hovers on the spot.
pub const HOVER: i16 = 1;

/// The clip that sits with folded wings and looks around.
pub const LOOK: i16 = 2;

/// The clip of the town's bank in which the house's door opens.
pub const OPEN: u8 = 3;

pub use motion::OPEN_FRAMES;

/// The sources of the sample world.
///
/// # Errors
/// None in practice: the writers refuse only what the tests would have found.
pub fn world() -> Result<World, world::Error> {
    Ok(World {
        scene: SCENE.to_owned(),
        textures: vec![("owl.tim".to_owned(), art::tim()?)],
        models: vec![("owl.tmd".to_owned(), mesh::tmd(8)?)],
        bank: ("owl.bank".to_owned(), motion::bank(8)?),
        map: (format!("{SCENE}.MAP"), vec![0; world::MAP_BYTES]),
        man: None,
        patch: None,
        stager: None,
        others: Vec::new(),
        creature: None,
    })
}

/// Eighths of the sample world's size that an owl has who walks about.
const SIZE: i16 = 3;

/// The same owl, three eighths as large, for a place to walk about in; and the letters for what is said there.
///
/// # Errors
/// As [`world`].
pub fn walker() -> Result<World, world::Error> {
    let mut world = world()?;
    world.textures.push(("font.tim".to_owned(), font::tim()?));
    Ok(World {
        models: vec![("owl.tmd".to_owned(), mesh::tmd(SIZE)?)],
        bank: ("owl.bank".to_owned(), motion::bank(SIZE)?),
        ..world
    })
}

/// The sources of the sample town: a place to walk about in, whose people are owls of another colour.
///
/// # Errors
/// What is wrong with a script or a part; in practice none.
pub fn town() -> Result<World, String> {
    let housed = || {
        let mut world = walker()?;
        // The people's palette lies beside the player's.
        if let Some((_, owl)) = world.textures.first_mut() {
            *owl = art::tim_of_two()?;
        }
        world.models.extend([
            ("house.tmd".to_owned(), mesh::house()?),
            ("neighbour.tmd".to_owned(), mesh::other(SIZE)?),
        ]);
        world.bank = ("town.bank".to_owned(), motion::town_bank(SIZE)?);
        Ok::<_, world::Error>(world)
    };
    Ok(World {
        scene: town::SCENE.to_owned(),
        map: (format!("{}.MAP", town::SCENE), town::map()?),
        man: Some((format!("{}.man", town::SCENE), town::man()?)),
        ..housed().map_err(|error| error.to_string())?
    })
}

/// The sources of two worlds side by side: the sample world, and next to the owl a toad in the format of another game.
///
/// # Errors
/// None in practice.
pub fn creatures() -> Result<World, String> {
    let text = |error: world::Error| error.to_string();
    let mut world = world().map_err(text)?;
    let texture = toad::texture().map_err(|error| text(error.into()))?;
    world.textures.push(("toad.tim".to_owned(), texture));
    Ok(World {
        scene: CREATURES.to_owned(),
        map: (format!("{CREATURES}.MAP"), world.map.1.clone()),
        creature: Some(("toad.dat".to_owned(), toad::model()?)),
        ..world
    })
}

/// The bytes of the disc of [`creatures`], as [`image`].
///
/// # Errors
/// As [`creatures`]; and a bad `exe`.
pub fn creatures_image(exe: Option<&[u8]>) -> Result<Vec<u8>, String> {
    let tree = creatures()?.tree(exe).map_err(|error| error.to_string())?;
    image::build(&tree).map_err(|error| error.to_string())
}

/// The bytes of the town's disc, as [`image`].
///
/// # Errors
/// As [`town`]; and a bad `exe`.
pub fn town_image(exe: Option<&[u8]>) -> Result<Vec<u8>, String> {
    let tree = town()?.tree(exe).map_err(|error| error.to_string())?;
    image::build(&tree).map_err(|error| error.to_string())
}

/// The bytes of the sample disc's `.bin`, with `exe` (a PS-EXE) as its boot file if there is one.
///
/// # Errors
/// See [`world::Error`]; in practice only a bad `exe`.
pub fn image(exe: Option<&[u8]>) -> Result<Vec<u8>, world::Error> {
    Ok(image::build(&world()?.tree(exe)?)?)
}

#[cfg(test)]
mod tests;
