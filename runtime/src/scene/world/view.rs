//! The view of a world: it follows the player until a script says otherwise (field VM sheet, 7.18; TMD/TIM
//! sheet, section 7).

use super::zone::Zone;
use crate::fixed::{SVector, Vector};
use crate::scene::Camera;
use crate::script::host::CameraEvent;
use crate::script::mover::{Mover, SLOTS};

use crate::bytes::{Crc32, i16_at};

/// First slot of the focus.
const FOCUS: usize = 6;
/// Words of `45` load.
const LOADED: usize = 9;
/// Zones of a scene that are kept; more are dropped and counted.
const ZONES: usize = 8;
/// As far above and below 0 the player is held in the picture by a focus at 0.
const LEVEL: i16 = 128;

/// The ten live values, in the slots' order, and what moves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    live: [i16; SLOTS],
    /// What `45` save has put away.
    saved: [i16; SLOTS],
    mover: Option<Mover>,
    /// A script has the focus: it does not follow the player.
    pinned: bool,
    zones: [Option<Zone>; ZONES],
}

impl View {
    /// The view that a scene is entered with.
    pub const ENTRY: Self = Self::of(&Camera::SCENE_ENTRY);

    const fn of(camera: &Camera) -> Self {
        let Camera {
            pitch,
            yaw,
            roll,
            eye,
            h,
            ..
        } = *camera;
        let live = [
            pitch as i16,
            yaw as i16,
            roll as i16,
            eye.x as i16,
            eye.y as i16,
            eye.z as i16,
            0,
            0,
            0,
            h as i16,
        ];
        Self {
            live,
            saved: live,
            mover: None,
            pinned: false,
            zones: [None; ZONES],
        }
    }

    /// The view that an overworld is walked with.
    pub const OVERWORLD: Self = Self::of(&Camera::OVERWORLD);

    pub const fn is_moving(&self) -> bool {
        self.mover.is_some()
    }

    /// Whether it is the player that is looked at.
    pub const fn follows(&self) -> bool {
        !self.pinned
    }

    /// Follow the player again.
    pub const fn resync(&mut self) {
        self.pinned = false;
    }

    /// Hear of an event; whether there is room for what it asks.
    pub fn event(&mut self, event: CameraEvent<'_>) -> bool {
        match event {
            CameraEvent::Configure { mask, .. } => {
                // Slots 6, 7 and 8 of ten, the first in the highest bit.
                self.pinned |= mask & 0x00E != 0;
                self.mover = Mover::configure(event, &mut self.live);
            }
            CameraEvent::Load(words) => {
                for (slot, value) in self.live.iter_mut().take(LOADED).enumerate() {
                    *value = i16_at(words, 2 * slot).unwrap_or(*value);
                }
                (self.pinned, self.mover) = (true, None);
            }
            CameraEvent::Save => self.saved = self.live,
            CameraEvent::Apply => (self.live, self.mover) = (self.saved, None),
            CameraEvent::Resync => self.resync(),
            CameraEvent::Cancel => self.mover = None,
            CameraEvent::ZoneRamp {
                axis,
                tiles,
                start,
                end,
            } => {
                return match Zone::new(axis, tiles, [start, end]) {
                    Some(zone) => self.add_zone(zone),
                    None => true,
                };
            }
            // Shakes and colours are the game's: nothing but the picture depends on them.
            CameraEvent::Shake(_) | CameraEvent::Word { .. } => {}
        }
        true
    }

    /// In the place of the one that has its box and its value, or in a free one.
    fn add_zone(&mut self, zone: Zone) -> bool {
        let like = |it: &Option<Zone>| it.is_some_and(|it| it.is_like(&zone));
        let place = self.zones.iter().position(like);
        let place = place.or_else(|| self.zones.iter().position(Option::is_none));
        let Some(place) = place.and_then(|at| self.zones.get_mut(at)) else {
            return false;
        };
        *place = Some(zone);
        true
    }

    /// What the zones that hold the player make of the view (`43 03` to `06`), while it follows: a script's glide and a
    /// script's focus are the script's (docs/decisions.md).
    pub fn zones(&mut self, x: i16, z: i16) {
        if self.pinned || self.mover.is_some() {
            return;
        }
        for zone in self.zones.iter().flatten() {
            if let (Some(value), Some(live)) = (zone.value(x, z), self.live.get_mut(zone.slot())) {
                *live = value;
            }
        }
    }

    /// One frame: the mover, then the player's place for the focus.
    ///
    /// The focus stays at height 0 (TMD/TIM sheet, section 7) while that shows the player; on a high hill it goes up
    /// by what is too much, in a deep hollow down (docs/decisions.md, 74).
    pub fn tick(&mut self, scalar: u8, [x, y, z]: [i16; 3]) {
        if let Some(mover) = &mut self.mover
            && mover.tick(scalar.into(), &mut self.live)
        {
            self.mover = None;
        }
        if !self.pinned {
            let beyond = y.saturating_sub(y.clamp(-LEVEL, LEVEL));
            let focus = [x.wrapping_neg(), beyond, z.wrapping_neg()];
            for (slot, value) in self.live.iter_mut().skip(FOCUS).zip(focus) {
                *slot = value;
            }
        }
    }

    pub const fn yaw(&self) -> u16 {
        self.live[1] as u16
    }

    pub const fn camera(&self) -> Camera {
        let [pitch, yaw, roll, x, y, z, fx, fy, fz, h] = self.live;
        Camera {
            pitch: pitch as u16,
            yaw: yaw as u16,
            roll: roll as u16,
            focus: SVector::new(fx.wrapping_neg(), fy, fz.wrapping_neg()),
            eye: Vector::new(x as i32, y as i32, z as i32),
            scale: Camera::SCALE,
            h: h as u16,
        }
    }

    /// Feed all of it.
    pub fn feed(&self, crc: &mut Crc32) {
        let Self {
            live,
            saved,
            mover,
            pinned,
            zones,
        } = self;
        crc.words(*live);
        crc.words(*saved);
        crc.words([*pinned, mover.is_some()]);
        if let Some(mover) = mover {
            mover.feed(crc);
        }
        for zone in zones.iter().flatten() {
            zone.feed(crc);
        }
    }
}
