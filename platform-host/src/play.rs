//! Plays a world's scene on the PC backend: drive, software geometry engine, software GPU.

use std::fmt;
use std::ops::ControlFlow;

use overworld_runtime::field::map;
use overworld_runtime::field::precise::Distance;
use overworld_runtime::gpu::{DisplayList, layout};
use overworld_runtime::gte::software::Gte;
use overworld_runtime::platform::{Drive, SECTOR, Screen};
use overworld_runtime::scene::creatures::{self, Creature, Creatures, Room};
use overworld_runtime::scene::walk::{Play, Troubles, Walk, tour};
use overworld_runtime::scene::{self, Asset, DrawError, LoadError, MapRead, Memory, Which};
use overworld_runtime::script::dialog::Conversation;

use crate::gpu::{self, Gpu};

/// Width of the picture, as on the console.
pub const WIDTH: u16 = layout::WIDTH;

/// Height of the picture: the lines that the console shows.
pub const HEIGHT: u16 = layout::SHOWN;

pub use overworld_runtime::scene::BACKGROUND;

/// Sectors of staging memory: a table of contents, and what is read of a bundle but not unpacked.
const STAGING: usize = 16;

/// Bytes for decoded members.
const ASSETS: usize = 4 << 20;

/// Words of the display list, ordering table included.
const LIST: usize = 64 << 10;

/// Entries of the ordering table.
const BUCKETS: usize = 1024;

/// What went wrong. Each prints one sentence.
#[derive(Debug)]
pub enum Error<E: fmt::Debug + fmt::Display> {
    /// The scene cannot be loaded.
    Load(LoadError<E, gpu::Error>),
    /// The scene has a program, but its map is none.
    Map(map::Error),
    /// The scene cannot be drawn.
    Draw(DrawError<gpu::Error>),
    /// The GPU refused to show the picture.
    Screen(gpu::Error),
}

impl<E: fmt::Debug + fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(error) => error.fmt(f),
            Self::Map(error) => write!(f, "the scene's map: {error}"),
            Self::Draw(error) => error.fmt(f),
            Self::Screen(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Error<E> {}

/// What the caller sees of a frame.
pub struct Frame<'a> {
    /// Counts from 0.
    pub number: u32,
    /// The GPU; [`Gpu::displayed`] is this frame's picture.
    pub gpu: &'a Gpu,
    /// State hash after the tick.
    pub hash: u32,
    /// Whether the scene is walked about in, so that buttons mean something.
    pub walked: bool,
    /// Models for which the picture's list had no room.
    pub left_out: u32,
    /// The conversation whose box the picture has.
    pub talk: Option<&'a Conversation<'a>>,
    /// What has gone wrong so far in a walk, for [`crate::troubles::notes`].
    pub troubles: Option<&'a Troubles>,
}

/// What was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded<'a> {
    /// The members of the bundle, unpacked.
    pub assets: &'a [Asset],
    /// The battle model that is shown beside the scene's, if there is one.
    pub creature: Option<creatures::Summary>,
    /// Whether the scene is walked about in.
    pub walked: bool,
}

/// What the game does not have: a choice of how one walks, and from how far off one is seen (field sheet, section
/// 16). The default is the game's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Precise movement.
    pub precise: bool,
    /// The camera's distance.
    pub distance: Distance,
}

/// Load the scene `name`, tell `loaded` of it, then play frame by frame until `each` breaks off. A scene with a
/// program is walked by the [tour], one without is shown, and beside it the battle model that lies behind its bundle,
/// if one does. Answers the number of frames and the last state hash.
///
/// # Errors
/// See [`Error`].
pub fn play<D: Drive>(
    drive: &mut D,
    name: &str,
    loaded: impl FnOnce(&Loaded<'_>),
    each: impl FnMut(Frame<'_>) -> ControlFlow<()>,
) -> Result<(u32, u32), Error<D::Error>> {
    play_with(drive, name, Options::default(), tour, loaded, each)
}

/// [`play`] with the buttons that `pad` holds in each frame, from 0 on. The options are for those who walk.
///
/// # Errors
/// See [`Error`].
pub fn play_with<D: Drive>(
    drive: &mut D,
    name: &str,
    options: Options,
    pad: impl FnMut(u32) -> u16,
    loaded: impl FnOnce(&Loaded<'_>),
    each: impl FnMut(Frame<'_>) -> ControlFlow<()>,
) -> Result<(u32, u32), Error<D::Error>> {
    let mut gpu = Gpu::field(BACKGROUND);
    let mut sectors = vec![[0; SECTOR]; STAGING];
    let mut assets = vec![0; ASSETS];
    let memory = Memory {
        sectors: &mut sectors,
        assets: &mut assets,
    };
    let scene = scene::load(drive, &mut gpu, Which::Named(name), memory).map_err(Error::Load)?;
    let assets = scene.assets();
    if scene.man().is_none() {
        let mut entry = vec![[0; SECTOR]; creatures::SECTORS];
        let mut room = Box::new(Room::NEW);
        let file = scene::read_further::<_, Gpu>(drive, name, &mut sectors, &mut entry);
        // Whatever else lies there is not for this program.
        let file = file.map_err(Error::Load)?;
        if let Some(creature) = file.and_then(|file| Creature::new(file).ok()) {
            loaded(&Loaded {
                assets,
                creature: Some(creature.summary()),
                walked: false,
            });
            let pair = Creatures::new(scene, creature, &mut room, &mut Gte::new());
            return show(pair, false, gpu, pad, each);
        }
    }
    loaded(&Loaded {
        assets,
        creature: None,
        walked: scene.man().is_some(),
    });
    let mut read: Box<MapRead> = Box::new([[0; SECTOR]; _]);
    let mut copy = Box::new([0; map::SIZE]);
    if scene.man().is_some() {
        scene::read_map::<_, Gpu>(drive, name, &mut sectors, &mut read).map_err(Error::Load)?;
        if let Some(mut walk) = Walk::new(&scene, &read, &mut copy).map_err(Error::Map)? {
            let world = walk.world_mut();
            world.field.settings.precise = options.precise;
            world.settings.distance = options.distance;
            return show(walk, true, gpu, pad, each);
        }
    }
    show(scene, false, gpu, pad, each)
}

/// Frame by frame.
fn show<E: fmt::Debug + fmt::Display>(
    mut scene: impl Play,
    walked: bool,
    mut gpu: Gpu,
    mut pad: impl FnMut(u32) -> u16,
    mut each: impl FnMut(Frame<'_>) -> ControlFlow<()>,
) -> Result<(u32, u32), Error<E>> {
    let mut gte = Gte::new();
    let mut words = vec![0; LIST];
    let mut list = DisplayList::new(&mut words, BUCKETS);
    let mut number = 0;
    loop {
        scene.tick(pad(number));
        list.begin(&mut gpu);
        let composed = scene.compose(&mut gte, &mut list).map_err(DrawError::Model);
        let left_out = composed.map_err(Error::Draw)?.left_out;
        let drawn = list.draw(&mut gpu).map_err(DrawError::Screen);
        drawn.map_err(Error::Draw)?;
        gpu.present().map_err(Error::Screen)?;
        let hash = scene.state_hash();
        let frame = Frame {
            number,
            gpu: &gpu,
            hash,
            walked,
            left_out,
            talk: scene.talk(),
            troubles: scene.troubles(),
        };
        number += 1;
        if each(frame).is_break() {
            return Ok((number, hash));
        }
    }
}

/// The assets of the scene `name`, loaded and decoded as [`play`] does.
///
/// # Errors
/// As [`play`].
pub fn assets<D: Drive>(drive: &mut D, name: &str) -> Result<Vec<Asset>, Error<D::Error>> {
    let mut found = Vec::new();
    play(
        drive,
        name,
        |loaded| found = loaded.assets.to_vec(),
        |_| ControlFlow::Break(()),
    )?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::ImageDrive;
    use crate::sample;

    #[test]
    fn a_scene_with_a_program_is_walked_and_another_one_is_shown() {
        let walked = |image: Vec<u8>, name| {
            let mut drive = ImageDrive::from_bytes(image).unwrap();
            let mut walked = None;
            let each = |frame: Frame<'_>| {
                walked = Some(frame.walked);
                ControlFlow::Break(())
            };
            play(&mut drive, name, |_| {}, each).unwrap();
            walked
        };
        let town = sample::town_image(None).unwrap();
        assert_eq!(walked(town, sample::town::SCENE), Some(true));
        let shown = sample::image(None).unwrap();
        assert_eq!(walked(shown, sample::SCENE), Some(false));
    }
}
