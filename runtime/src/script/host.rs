//! What the machine asks and tells the rest of the runtime (section 12, groups B and C). Everything
//! has a default: queries answer "absent", events go nowhere.

use super::context::Hold;
use super::state::Paint;
use crate::field::bearing::bearing;
use crate::field::units::Point;

/// Place of a context in the pool.
pub type ContextId = u8;

/// Questions without side effect (group B).
pub trait Queries {
    /// Display frames of this tick, 1..4.
    fn vsync_delta(&self) -> u8 {
        1
    }
    /// Region bits at the player's tile.
    fn region_mask(&self) -> u32 {
        0
    }
    /// The held buttons.
    fn pad(&self) -> u16 {
        0
    }
    /// The eight directions of `42`, as values of `pad & 0xF000`.
    fn pad_direction(&self, _index: u8) -> u16 {
        0
    }
    /// A random number.
    fn rand(&mut self) -> u32 {
        0
    }
    /// Whether the scene keeps halted actors available.
    fn scene_busy(&self) -> bool {
        false
    }
    /// [`super::Compat::Port`] only: whether an actor can be acquired.
    fn acquire(&mut self, _context: ContextId, _opcode: u8) -> bool {
        true
    }
    /// Whether a camera mover lives.
    fn camera_moving(&self) -> bool {
        false
    }
    /// Whether a text crawl runs: `3F` and a further `4C 80` wait for its end.
    fn crawl_running(&self) -> bool {
        false
    }
    /// Whether the gate is up that makes `4C 46` and `4C 47` clear both their words.
    fn words_gated(&self) -> bool {
        false
    }
    /// Whether an actor's dialogue is busy; 1 asks for `4C 53`, 0 for `4C 54`.
    fn dialog_busy(&mut self, _argument: u8) -> bool {
        false
    }
    /// Whether the music asked for is resident.
    fn bgm_settled(&self) -> bool {
        true
    }
    /// Whether a sound selector of `36` has to wait.
    fn sound_busy(&self, _selector: u16, _argument: u16) -> bool {
        false
    }
    /// Whether an actor of a type lives.
    fn actor_type_live(&self, _kind: u8) -> bool {
        false
    }
    /// The sub-table of a character: nothing there, the marker is there, or something else.
    fn actor_search(&self, _character: u8, _marker: u8) -> Search {
        Search::Empty
    }
    /// Whether an item or record is found (`4C DC`, `DE`).
    fn record_search(&mut self, _what: u8, _write: bool) -> bool {
        false
    }
    /// Whether a context that stands at X, Z is inside the box of `4C E4`: x0, z0, x1, z1 in world
    /// units.
    fn in_box(&self, _context: ContextId, _place: [i16; 2], _corners: [i16; 4]) -> bool {
        true
    }
    /// The level of sound that `4C 4D` takes its share of, 4096 = full.
    fn audio_level(&self) -> u16 {
        4096
    }
    /// Floor height at a place, if there is a map.
    fn floor_height(&self, _x: i16, _z: i16) -> Option<i16> {
        None
    }
    /// Bearing from one point (X, Z) to another, 4096 a turn, 0 = Z+, 1024 = X+ (field sheet 11.3).
    fn bearing(&self, from: [i16; 2], to: [i16; 2]) -> u16 {
        let [from, to] = [from, to].map(|[x, z]| Point::new(x, z));
        bearing(from, to)
    }
    /// Whether an effect of `34 1n` lives that belongs to a context. Only [`super::Compat::Port`] asks.
    fn effect_live(&self, _context: ContextId) -> bool {
        false
    }
    /// Heading at which the player arrived in the scene.
    fn arrival_heading(&self) -> u16 {
        0
    }
    /// World X and Z of the tile in the placement header of a record, by its flat number, if it has one
    /// (`4C C3`).
    fn header_seat(&self, _script: u16) -> Option<[i16; 2]> {
        None
    }
}

/// Answer of [`Queries::actor_search`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The table is empty: go on.
    Empty,
    /// The marker is there: jump.
    Found,
    /// Something else is there: wait.
    Other,
}

/// Effects on actors. Operands are those of the sheet, without the sub-op byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorEvent<'c> {
    /// `22`: play a clip.
    ExecMove(u8),
    /// `23`: seated at world units.
    MoveTo {
        /// World X.
        x: i16,
        /// World Z.
        z: i16,
    },
    /// `4C 51`: seated, turned, clip started.
    Seat {
        /// World X.
        x: i16,
        /// World Z.
        z: i16,
        /// Facing byte.
        facing: u8,
        /// Clip.
        clip: u8,
    },
    /// `4B`: keyframes of four bytes from clip `base` on.
    Animate {
        /// First clip.
        base: u8,
        /// Four bytes each.
        keyframes: &'c [u8],
    },
    /// `4C 50`.
    SetModel(i16),
    /// `43 00/01/0A/0B`: an arc begins ([`super::arc::Arc`]); the host calls [`end_arc`](super::Vm::end_arc) when
    /// it ends.
    Hop {
        /// Sub-op.
        sub: u8,
        /// Tile and parameters.
        operands: &'c [u8],
        /// What ends with the arc.
        hold: Hold,
    },
    /// `43 09` with time: tween to a place; 0xFFFF leaves a coordinate.
    Tween {
        /// Coordinates.
        to: [u16; 3],
        /// Display frames.
        ticks: u16,
    },
    /// Every other form of `43` about actors, by its sub-op.
    Actor {
        /// Sub-op.
        sub: u8,
        /// Operands.
        operands: &'c [u8],
    },
    /// `34`: an effect, by its sub-op, with the payload of a following `40`.
    Effect {
        /// Sub-op.
        sub: u8,
        /// Operands.
        operands: &'c [u8],
        /// Payload.
        payload: Option<&'c [u8]>,
    },
    /// `4C C0`: the context has no clip any more.
    CancelClip,
    /// An ambient stream's op about clips (02, 0A, 0B, whose first operand is the context's clip by now, and 17),
    /// glides (0C) and sound (09), by its first byte.
    Ambient {
        /// Op.
        op: u8,
        /// Operands.
        operands: &'c [u8],
    },
    /// Forms of `4C` about actors that the machine does not know more about.
    Control {
        /// Sub-op.
        sub: u8,
        /// Operands.
        operands: &'c [u8],
    },
}

/// Effects on the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraEvent<'c> {
    /// `45` configure: slot `i` is given where bit `9 - i` of the mask is set.
    Configure {
        /// Slots given.
        mask: u16,
        /// Little-endian words in slot order.
        values: &'c [u8],
        /// Display frames; 0 = now.
        apply: u16,
        /// Curve.
        curve: u8,
    },
    /// `45` load: nine words.
    Load(&'c [u8]),
    /// `45` save.
    Save,
    /// `45` apply.
    Apply,
    /// `43 03..06`: 3 projection, 4 depth, 5 pitch, 6 yaw.
    ZoneRamp {
        /// Axis.
        axis: u8,
        /// Tiles x0 z0 x1 z1.
        tiles: [u8; 4],
        /// Value at the near edge.
        start: i16,
        /// Value at the far edge.
        end: i16,
    },
    /// `4C 84`.
    Shake(u8),
    /// `4C 3E`, `4C 39`.
    Resync,
    /// `4C D7`.
    Cancel,
    /// `4C E7`.
    Word {
        /// 24 bits.
        value: u32,
        /// Display frames.
        ticks: u16,
    },
}

/// Effects on the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoEvent<'c> {
    /// `4C 12` and `13`: colour (0x80 neutral) over display frames.
    Tint {
        /// Which of the two.
        second: bool,
        /// Red, green, blue.
        colour: [u8; 3],
        /// Display frames.
        ticks: u16,
    },
    /// `34 0n`: effect-layer colour.
    EffectColor {
        /// Mode bits.
        mode: u8,
        /// Red, green, blue.
        colour: [u8; 3],
        /// Display frames.
        ticks: i16,
    },
    /// `4C 90..92`.
    Fade {
        /// Sub-op.
        sub: u8,
        /// Operands.
        operands: &'c [u8],
    },
    /// `4C 9F`.
    CancelFades,
    /// `4C 60`, `43 12` and the ambient stream's 13: a rectangle is copied within VRAM.
    VramMove {
        /// X, Y of its source.
        from: [i16; 2],
        /// Width and height.
        size: [i16; 2],
        /// X, Y of its destination.
        to: [i16; 2],
    },
    /// `4C 61`: seven words; the host calls [`release`](super::Vm::release) when it ends.
    Clut(&'c [u8]),
    /// `4C D4` and `D5`.
    Stp {
        /// Set or clear.
        set: bool,
        /// VRAM X.
        x: u16,
        /// VRAM Y.
        y: u16,
    },
    /// `43 10`, `11`, `13..15`.
    Screen {
        /// Sub-op.
        sub: u8,
        /// Operands.
        operands: &'c [u8],
    },
    /// `46 24`.
    RenderLong([u8; 4]),
    /// `46`, the four derived bytes.
    RenderShort([u8; 4]),
    /// `4C 45`: render block of an actor, over display frames.
    RenderBlock(&'c [u8]),
}

/// Effects on the sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioEvent {
    /// `35`.
    Bgm {
        /// Track or argument.
        id: i16,
        /// What to do.
        sub: u8,
    },
    /// `36`.
    Sound {
        /// Arm.
        selector: u16,
        /// Argument.
        argument: u16,
    },
    /// `4C C7`.
    Sfx {
        /// Bank, without the offset 0xB.
        bank: u8,
        /// Number.
        id: u8,
    },
    /// `4C CF`: where effects are heard.
    Anchor {
        /// World X.
        x: i16,
        /// World Z.
        z: i16,
    },
}

/// Text shown beside the dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEvent<'c> {
    /// `49`: the menu of a sub-op opens; the host sets [`super::state::Resume::Done`] when it is left.
    MenuOpen {
        /// Sub-op.
        sub: u8,
        /// The record from the instruction on.
        bytes: &'c [u8],
    },
    /// `4C E1`.
    Balloon(&'c [u8]),
    /// `4C 80`: pages; the host calls [`release`](super::Vm::release) when they are over, and answers
    /// [`Queries::crawl_running`] until then.
    Crawl {
        /// Number of pages.
        count: u8,
        /// The pages, each `1F`, a text and its end; the rest of the record where there are not `count`
        /// framed pages.
        pages: &'c [u8],
    },
    /// `4C 89`, `E0`, `E8`, `D0`: geometry and control.
    Control {
        /// Sub-op.
        sub: u8,
        /// Operands.
        operands: &'c [u8],
    },
}

/// Effects on the course of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowEvent<'c> {
    /// `44`: run the beat with this flat number, if its conditions hold.
    SpawnRecord(u8),
    /// `4C D2`: the actor with this id is to be made from its placement record.
    Restore(u8),
    /// `3F`.
    SceneChange {
        /// Number.
        index: i16,
        /// Label.
        name: &'c str,
        /// Tile.
        entry: [u8; 2],
        /// Facing.
        direction: u8,
    },
    /// `3E` from 100 on: a minigame.
    MinigameWarp(u8),
    /// `3E` below 100: a scene entry; with 0xFF a battle.
    Interact(u8, u8),
    /// `4C E2`.
    Fmv(i16),
    /// `4C EA`.
    GameOver,
    /// The region mask at a place, X and Z: `4C 38`, `39`, `3D` where the player is now, wherever this slice has
    /// put it; `C4` in the middle of a tile.
    RegionRefresh([i16; 2]),
    /// Forms of `4C` about the scene that the machine does not know more about.
    Control {
        /// Sub-op.
        sub: u8,
        /// Operands.
        operands: &'c [u8],
    },
}

/// Effects on the bag and the party.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemEvent {
    /// `39`.
    Give(u8),
    /// `4C 52`.
    Take(u8),
    /// `3B`: a byte of a page.
    SetCount {
        /// Page and place.
        slot: u8,
        /// Byte.
        count: u8,
    },
    /// `3C`, `3D`, `4C 0n`, `2n`, `33`: the party has changed.
    PartyChanged,
    /// `4C 82`: HP and MP of a party slot are full again.
    Healed(u8),
    /// `3A`.
    Money(i32),
    /// `4C E5`.
    Coins(i32),
}

macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident $method:ident $event:ty;)*) => {
        $($(#[$doc])*
        pub trait $group {
            /// Hear of an effect of the script in place `context`; ignored by default.
            fn $method(&mut self, _context: ContextId, _event: $event) {}
        })*
    };
}

groups! {
    /// Hears of effects on actors.
    Actors actor ActorEvent<'_>;
    /// Hears of effects on the camera.
    Camera camera CameraEvent<'_>;
    /// Hears of effects on the picture.
    Video video VideoEvent<'_>;
    /// Hears of effects on the sound.
    Audio audio AudioEvent;
    /// Hears of texts.
    Texts text TextEvent<'_>;
    /// Hears of the course of the game.
    Flow flow FlowEvent<'_>;
    /// Hears of items and the party.
    Items item ItemEvent;
}

/// The wall grid of the scene's map.
pub trait Walls {
    /// Paint walls; a host with a map calls [`Paint::apply`] on its grid.
    fn paint(&mut self, _paint: Paint) {}
}

/// All groups together.
pub trait Host: Queries + Actors + Camera + Video + Audio + Texts + Flow + Items + Walls {}

impl<T: Queries + Actors + Camera + Video + Audio + Texts + Flow + Items + Walls> Host for T {}

/// A host that answers "absent" and ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Absent;

impl Queries for Absent {}
impl Actors for Absent {}
impl Camera for Absent {}
impl Video for Absent {}
impl Audio for Absent {}
impl Texts for Absent {}
impl Flow for Absent {}
impl Items for Absent {}
impl Walls for Absent {}
