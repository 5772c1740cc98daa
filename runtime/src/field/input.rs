//! What a frame of the field hears, what stands over many frames, and what a frame tells.

use super::actor::ActorId;
use super::animate::Gaits;
use super::compat::Compat;
use crate::fixed::Angle;

/// Sounds that the field asks for, by their number.
pub mod cue {
    /// The action button was taken, or the menu opens.
    pub const ACTION: u8 = 0x20;
    /// The menu does not open now.
    pub const REFUSED: u8 = 0x23;
    /// A hop has landed.
    pub const LAND: u8 = 0x29;
    /// A hop begins.
    pub const HOP: u8 = 0x2A;
}

/// What a frame hears from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Pad bits that are held.
    pub held: u16,
    /// Pad bits that were not held the frame before.
    pub pressed: u16,
    /// How far the camera turns the pad, in eighths of a turn.
    pub eighths: u8,
    /// For precise movement only: the camera's azimuth, 0 looks to Z+, 400h to X+: [`super::pad::camera_azimuth`]
    /// of its yaw.
    pub azimuth: Angle,
    /// For precise movement only: the angle of the stick when it is held, 0 is up, 400h right:
    /// [`super::precise::stick`].
    pub stick: Option<Angle>,
    /// Vertical blanks that this frame spans: 1 where each frame is one, 2 as the game plays its
    /// fields. 0 counts as 1.
    pub scalar: u8,
}

/// What a player sets up, and the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Mask of the run button; which one the game takes is not known.
    pub run_button: u16,
    /// Running is the rule, and the button walks.
    pub run_option: bool,
    /// Mask of the interact button.
    pub interact_button: u16,
    /// Mask of the button that opens the menu; which one the game takes is not known.
    pub menu_button: u16,
    /// The height follows the ground, and ledges are hopped.
    pub terrain: bool,
    /// Precise movement, which the game does not have (section 16).
    pub precise: bool,
    /// Debug: [`super::pad::TURBO`] and [`super::pad::NO_CLIP`] do something.
    pub debug: bool,
    /// Mode of the camera, for [`super::compat::DiagonalCut::CameraMode4`].
    pub camera_mode: u8,
    /// The player's clips of standing, walking and running; without them the player's clip stays what
    /// it is.
    pub gaits: Option<Gaits>,
    /// Which readings hold.
    pub compat: Compat,
}

impl Settings {
    /// What a game starts with: circle interacts, cross runs, triangle opens the menu.
    pub const NEW: Self = Self {
        run_button: 0x0040,
        run_option: false,
        interact_button: 0x0020,
        menu_button: 0x0010,
        terrain: true,
        precise: false,
        debug: false,
        camera_mode: 0,
        gaits: None,
        compat: Compat::SHEET,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::NEW
    }
}

/// What scripts and dialogs set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// The scene is one in which one walks slowly: bit 0 of the MAN's second byte.
    pub forced_slow: bool,
    /// Slow ground slows down.
    pub slow_ground: bool,
    /// A dialog holds touches off.
    pub touch_off: bool,
    /// The actors stand still, and nobody is touched.
    pub paused: bool,
    /// The height stays as it is.
    pub height_off: bool,
    /// The menu's button is refused.
    pub menu_off: bool,
    /// A talk that the button began goes on.
    pub talking: bool,
}

impl Control {
    /// Nothing set.
    pub const NONE: Self = Self {
        forced_slow: false,
        slow_ground: false,
        touch_off: false,
        paused: false,
        height_off: false,
        menu_off: false,
        talking: false,
    };
}

/// What a frame has to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// OR of the results of all steps: [`super::contact::ACTOR`], [`super::contact::WALL`],
    /// [`super::contact::STATIC`].
    pub bits: u8,
    /// The action button was taken.
    pub action: bool,
    /// The menu is to be opened.
    pub menu: bool,
    /// A hop began, with this apex.
    pub hop: Option<i16>,
    /// The actor whose event was posted last, by contact.
    pub contact: Option<ActorId>,
    /// The actor whose event was posted by the button.
    pub interact: Option<ActorId>,
    /// How often walking regenerates: once for every 32 vertical blanks of it.
    pub regenerated: u8,
    /// A sound.
    pub cue: Option<u8>,
}
