//! The writer.

use super::bank::{BLEND, TRAILER};
use super::{Error, MARKER, MAX_CLIPS, MAX_FRAMES, Pose};
use crate::bytes::Writer;

/// A clip to be written.
#[derive(Clone, Copy, Debug)]
pub struct ClipSource<'a> {
    /// Poses per frame, 1..255.
    pub parts: u8,
    /// Number of frames, 1 to [`MAX_FRAMES`].
    pub frames: u16,
    /// Whether frames are interpolated.
    pub blend: bool,
    /// The sub-frame divisor: 1, 2 or 4 in retail, not 0 when blending.
    pub rate: u8,
    /// Header byte 7: 0 except in PROT 1203.
    pub extra: u8,
    /// `parts * frames` poses, frame by frame; each must be [exact](Pose::is_exact).
    pub poses: &'a [Pose],
}

/// Write a bank; the number of bytes. What is written, [`super::Bank::parse`] accepts.
///
/// # Errors
/// [`Error::BadCount`], [`Error::EmptyClip`], [`Error::ClipTooLong`], [`Error::BadRate`],
/// [`Error::PoseCount`], [`Error::InexactPose`], [`Error::OutputTooSmall`].
pub fn emit(clips: &[ClipSource<'_>], out: &mut [u8]) -> Result<usize, Error> {
    let count = u32::try_from(clips.len()).unwrap_or(u32::MAX);
    if count == 0 || count > MAX_CLIPS {
        return Err(Error::BadCount { count });
    }
    let room = out.len();
    let full = |_| Error::OutputTooSmall { room };
    let mut out = Writer::new(out);
    out.u32(count).map_err(full)?;
    out.zeros(4 * clips.len()).map_err(full)?;
    for (index, clip) in (0..).zip(clips) {
        check(clip, index)?;
        let offset = u32::try_from(out.position()).unwrap_or(u32::MAX);
        out.patch_u32(4 + 4 * usize::from(index), offset)
            .map_err(full)?;
        out.u8(clip.parts).map_err(full)?;
        out.u8(if clip.blend { BLEND } else { 0 }).map_err(full)?;
        out.u16(clip.frames).map_err(full)?;
        out.u16(MARKER).map_err(full)?;
        out.u8(clip.rate).map_err(full)?;
        out.u8(clip.extra).map_err(full)?;
        for (pose, source) in (0..).zip(clip.poses) {
            if !source.is_exact() {
                return Err(Error::InexactPose { index, pose });
            }
            out.bytes(&source.to_bytes()).map_err(full)?;
        }
        out.zeros(TRAILER).map_err(full)?;
    }
    Ok(out.finish())
}

fn check(clip: &ClipSource<'_>, index: u16) -> Result<(), Error> {
    if clip.parts == 0 || clip.frames == 0 {
        return Err(Error::EmptyClip { index });
    }
    if clip.frames > MAX_FRAMES {
        return Err(Error::ClipTooLong { index });
    }
    if clip.blend && clip.rate == 0 {
        return Err(Error::BadRate { index });
    }
    if clip.poses.len() != usize::from(clip.parts) * usize::from(clip.frames) {
        return Err(Error::PoseCount { index });
    }
    Ok(())
}
