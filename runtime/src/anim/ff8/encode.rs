//! The canonical writer: the smallest form of every value (FF8 sheet, section 9).

use super::bits::{BitWriter, LOCATION_WIDTHS, ROTATION_WIDTHS};
use super::events::{Event, replay};
use super::{Error, MAX_ANIMATIONS, SCALE_ONE};
use crate::bytes::Writer;

/// Zero bytes behind the last animation, for readers that always fetch three.
const FILLER: usize = 2;

/// A frame to be written: absolute values.
#[derive(Clone, Copy, Debug)]
pub struct FrameSource<'a> {
    /// Position of the root.
    pub root: [i16; 3],
    /// Rotation of each bone, 4096 a turn; whole turns do not count.
    pub rotation: &'a [[i16; 3]],
    /// Scale of each bone, 1024 is 1.0; all of it 1.0 is the same as none.
    pub scale: Option<&'a [[i16; 3]]>,
}

/// The smallest type whose width holds a value.
fn smallest(widths: &[u8; 4], value: i16) -> u8 {
    let holds = |width: &u8| {
        let half = 1 << (width - 1);
        (-half..half).contains(&i32::from(value))
    };
    widths.iter().position(holds).unwrap_or(3) as u8
}

/// The way from one angle to another: the shorter one, half a turn backwards.
const fn turn(from: i16, to: i16) -> i16 {
    // Up to the top of 16 bits and back: 12 bits with their sign.
    to.wrapping_sub(from) << 4 >> 4
}

/// Write one animation of a skeleton with so many bones: frame count and stream; its bytes.
///
/// # Errors
/// [`Error::FrameCountRange`], [`Error::BoneCountMismatch`], [`Error::ValueRange`],
/// [`Error::OutputTooSmall`].
pub fn encode(frames: &[FrameSource<'_>], bones: u8, out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let count = match u8::try_from(frames.len()) {
        Ok(0) | Err(_) => {
            let frames = frames.len();
            return Err(Error::FrameCountRange { frames });
        }
        Ok(count) => count,
    };
    let Some((first, stream)) = out.split_first_mut() else {
        return Err(Error::OutputTooSmall { room });
    };
    *first = count;
    let mut out = BitWriter::new(stream);
    let mut last: Option<&FrameSource<'_>> = None;
    for (number, frame) in frames.iter().enumerate() {
        write(&mut out, number, frame, last, bones).map_err(|error| match error {
            Error::OutputTooSmall { .. } => Error::OutputTooSmall { room },
            other => other,
        })?;
        last = Some(frame);
    }
    Ok(1 + out.bytes())
}

fn write(
    out: &mut BitWriter<'_>,
    number: usize,
    frame: &FrameSource<'_>,
    last: Option<&FrameSource<'_>>,
    bones: u8,
) -> Result<(), Error> {
    let sizes = [Some(frame.rotation.len()), frame.scale.map(<[_]>::len)];
    if let Some(wrong) = sizes
        .into_iter()
        .flatten()
        .find(|it| *it != usize::from(bones))
    {
        return Err(Error::BoneCountMismatch {
            frame: number,
            bones: wrong,
            expected: bones,
        });
    }
    let mut put = |event| replay([event], out);
    let from = last.map_or([0; 3], |it| it.root);
    for (to, from) in frame.root.into_iter().zip(from) {
        let value = to.wrapping_sub(from);
        let ty = smallest(&LOCATION_WIDTHS, value);
        put(Event::Location { ty, value })?;
    }
    let one = [SCALE_ONE; 3];
    let scale = frame.scale.unwrap_or_default();
    let scaled = scale.iter().any(|it| *it != one);
    put(Event::Mode(scaled))?;
    let before = last.map(|it| it.rotation).unwrap_or_default();
    let before = before.iter().chain(core::iter::repeat(&[0; 3]));
    let scale = scale.iter().chain(core::iter::repeat(&one));
    // The number last: there may be 255 bones, and it goes no further.
    for (((to, from), scale), bone) in frame.rotation.iter().zip(before).zip(scale).zip(0..) {
        for (to, from) in to.iter().zip(from) {
            put(Event::Rotation(match turn(*from, *to) {
                0 => None,
                value => Some((smallest(&ROTATION_WIDTHS, value), value)),
            }))?;
        }
        for &scale in scale.iter().filter(|_| scaled) {
            put(Event::Scale(match scale.checked_sub(SCALE_ONE) {
                Some(0) => None,
                Some(value) => Some(value),
                None => {
                    let frame = number;
                    return Err(Error::ValueRange { frame, bone, scale });
                }
            }))?;
        }
    }
    Ok(())
}

/// Write section 3: the table, and the animations as `animation` writes them into the slice it is given, one
/// behind the other; the section's length.
///
/// # Errors
/// Those of `animation`; [`Error::AnimationTable`] for more than [`MAX_ANIMATIONS`]; [`Error::OutputTooSmall`].
pub fn emit(
    count: u32,
    out: &mut [u8],
    mut animation: impl FnMut(u32, &mut [u8]) -> Result<usize, Error>,
) -> Result<usize, Error> {
    let len = out.len();
    let full = |_| Error::OutputTooSmall { room: len };
    if count > MAX_ANIMATIONS {
        return Err(Error::AnimationTable { count, len });
    }
    let mut out = Writer::new(out);
    out.u32(count).map_err(full)?;
    out.zeros(4 * count as usize).map_err(full)?;
    for number in 0..count {
        let start = out.position() as u32;
        let written = animation(number, out.rest())?;
        out.claim(written).map_err(full)?;
        out.patch_u32(4 + 4 * number as usize, start)
            .map_err(full)?;
    }
    out.zeros(FILLER).map_err(full)?;
    out.align(4).map_err(full)?;
    Ok(out.finish())
}
