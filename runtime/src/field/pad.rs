//! From the pad to a direction mask, and from there to a heading (field sheet, section 6).

use super::units::COMPASS;
use crate::fixed::Angle;

/// Held pad bits and direction mask: up is Z+.
pub const Z_PLUS: u16 = 0x1000;
/// Right is X+.
pub const X_PLUS: u16 = 0x2000;
/// Down is Z-.
pub const Z_MINUS: u16 = 0x4000;
/// Left is X-.
pub const X_MINUS: u16 = 0x8000;
/// All four directions.
pub const DIRECTIONS: u16 = 0xF000;
/// The action button, among the pressed buttons.
pub const ACTION: u16 = 0x0004;
/// With it held a direction is not resolved against walls, and debug steps are never refused.
pub const NO_CLIP: u16 = 0x0002;
/// Held, the debug turbo.
pub const TURBO: u16 = 0x0080;

/// The compass ring: a mask for each eighth of a turn from Z+ over X+.
pub const RING: [u16; 8] = [
    0x1000, 0x3000, 0x2000, 0x6000, 0x4000, 0xC000, 0x8000, 0x9000,
];

/// Place in [`RING`] by the four direction bits; 8 for none, opposed or triple ones.
const PLACES: [u8; 16] = {
    let mut places = [8; 16];
    let mut i = 0;
    while i < 8 {
        places[(RING[i] >> 12) as usize] = i as u8;
        i += 1;
    }
    places
};

/// Place of a mask's directions in the [`RING`]: 0..7, 8 where they are not on it.
#[inline]
#[must_use]
pub const fn ring_place(mask: u16) -> u8 {
    PLACES[(mask >> 12) as usize]
}

/// Turn the directions of a pad word by the camera's eighths; the other bits stay. Directions off
/// the ring turn as if they were up.
#[inline]
#[must_use]
pub const fn remap(held: u16, eighths: u8) -> u16 {
    if eighths == 0 || held & DIRECTIONS == 0 {
        return held;
    }
    let place = ring_place(held).wrapping_add(eighths) & 7;
    held & !DIRECTIONS | RING[place as usize]
}

/// The eighths by which a camera of this yaw turns the pad.
#[must_use]
pub const fn camera_eighths(yaw: Angle) -> u8 {
    (256_u16.wrapping_sub(yaw) >> 9 & 7) as u8
}

/// The azimuth of a camera of this yaw, as [`super::precise::angle`] takes it: where up on the screen leads, 0 for
/// Z+ and 400h for X+. On the ground that is (-sin yaw, cos yaw), so the azimuth runs against the yaw.
#[must_use]
pub const fn camera_azimuth(yaw: Angle) -> Angle {
    yaw.wrapping_neg() & 0xFFF
}

/// The heading of a direction mask; `None` off the ring.
#[inline]
#[must_use]
pub const fn heading(mask: u16) -> Option<Angle> {
    match ring_place(mask) {
        8 => None,
        place => Some(((place as u16 + 4) & 7) * COMPASS),
    }
}

/// Whether a mask names both axes.
#[inline]
#[must_use]
pub const fn is_diagonal(mask: u16) -> bool {
    mask & (Z_PLUS | Z_MINUS) != 0 && mask & (X_PLUS | X_MINUS) != 0
}
