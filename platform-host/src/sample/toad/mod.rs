//! The sample creature: a toad that squashes, stretches, croaks and hops, in the format of FF8's battle models.
//!
//! Eighteen bones. The squash of the body is a scale of one bone, which all that hang on it inherit (FF8 sheet,
//! section 8.3); the legs hang on the root and keep their length. Drawn, modelled and animated by code, as the owl.

mod art;
mod motion;
mod shape;

use overworld_runtime::model::tim;

use crate::ff8::{Source, SourceBone};

/// The animation that breathes and croaks.
pub const IDLE: u32 = 0;
/// The animation that hops on the spot.
pub const HOP: u32 = 1;

/// Where the texture lies in VRAM, in cells: beside the owl's.
const TEXTURE_AT: (u16, u16) = (704, 0);
/// Where its palette of 256 colours lies: below the owl's.
const PALETTE_AT: (u16, u16) = (0, 481);

/// Scale of the whole model: two vertex units are a unit of the field. A view multiplies matrices by up to 6.0, and
/// their cells have 16 bits, so that a model of 1.0 could not be stretched.
const SCALE: i16 = 2048;

/// What the numbers of the drawing are multiplied with to become vertex units: numerator and denominator.
const SIZE: [i16; 2] = [3, 2];

/// The bones.
mod bone {
    pub const ROOT: u8 = 0;
    pub const BODY: u8 = 1;
    pub const CHEST: u8 = 2;
    pub const HEAD: u8 = 3;
    pub const EYES: [u8; 2] = [4, 5];
    pub const JAW: u8 = 6;
    pub const SAC: u8 = 7;
    /// Left and right, as the viewer sees them whom the toad looks at; each followed by its hand.
    pub const ARMS: [u8; 2] = [8, 10];
    /// Each followed by its shank and its foot.
    pub const THIGHS: [u8; 2] = [12, 15];
    pub const COUNT: usize = 18;
}

/// Parent and length of each bone, in the units of the drawing. Children lie along their parent's Z.
const BONES: [(Option<u8>, i16); bone::COUNT] = [
    (None, 0),
    (Some(bone::ROOT), 210),
    (Some(bone::BODY), 170),
    (Some(bone::CHEST), 130),
    (Some(bone::HEAD), 0),
    (Some(bone::HEAD), 0),
    (Some(bone::CHEST), 190),
    (Some(bone::JAW), 0),
    (Some(bone::BODY), 353),
    (Some(bone::ARMS[0]), 0),
    (Some(bone::BODY), 353),
    (Some(bone::ARMS[1]), 0),
    (Some(bone::ROOT), 298),
    (Some(bone::THIGHS[0]), 225),
    (Some(bone::THIGHS[0] + 1), 0),
    (Some(bone::ROOT), 298),
    (Some(bone::THIGHS[1]), 225),
    (Some(bone::THIGHS[1] + 1), 0),
];

/// The model without faces.
fn skeleton() -> Source {
    let [up, down] = SIZE;
    let bones = BONES.map(|(parent, length)| SourceBone {
        parent,
        length: length * up / down,
        ..SourceBone::default()
    });
    Source {
        scale: SCALE,
        bones: bones.to_vec(),
        animations: motion::animations(),
        geometry: None,
        flag: 0,
        header: None,
    }
}

/// The model: sections 1 to 3.
///
/// # Errors
/// What the writers refuse; in practice nothing.
pub fn model() -> Result<Vec<u8>, String> {
    let skeleton = skeleton();
    let faces = shape::geometry(&skeleton)?;
    let geometry = faces.iter().map(|byte| format!("{byte:02X}")).collect();
    Source {
        geometry: Some(geometry),
        ..skeleton
    }
    .model()
}

/// The texture: a TIM file. The format has a place for textures, section 11, which the project does not read.
///
/// # Errors
/// As [`model`].
pub fn texture() -> Result<Vec<u8>, tim::Error> {
    art::tim()
}

#[cfg(test)]
mod tests;
