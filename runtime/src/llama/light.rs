//! Lights, chunk `LGHT` (llama sheet, section 9).

use super::fields::Fields;
use super::number::Float;
use crate::bytes::{Full, Writer, u8_at, u32_at};

/// What a light does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Type 1: from one direction everywhere.
    Direction([Float; 3]),
    /// Types 2 and 4: at a position, whose z is negative in the file, between two radii.
    Position {
        /// 2 or 4.
        ty: u8,
        /// X, y and z; the game negates z as it loads.
        at: [Float; 3],
        /// Full up to here.
        inner: Float,
        /// Nothing from here on.
        outer: Float,
        /// Meaning open.
        last: u8,
    },
    /// Any other type: no payload.
    Plain(u8),
}

/// One light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Light {
    /// Red, green and blue; the game doubles them.
    pub colour: [u8; 3],
    /// What it does.
    pub kind: Kind,
}

impl Light {
    /// The colour that the game shines with.
    #[must_use]
    pub fn doubled(&self) -> [u8; 3] {
        self.colour.map(|part| part.saturating_mul(2))
    }

    /// Bytes on disk.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        bytes(match self.kind {
            Kind::Direction(_) => 1,
            Kind::Position { .. } => 2,
            Kind::Plain(ty) => ty,
        })
    }
}

/// Bytes of a light of this type.
const fn bytes(ty: u8) -> usize {
    match ty {
        1 => 16,
        2 | 4 => 25,
        _ => 4,
    }
}

/// The lights of a chunk: how many it says there are, and each of them or the offset of the one that is cut
/// off. `None` without a count.
pub fn lights(data: &[u8]) -> Option<(u32, impl Iterator<Item = Result<Light, usize>> + '_)> {
    let count = u32_at(data, 0)?;
    let mut at = 4;
    let mut left = count;
    let lights = core::iter::from_fn(move || {
        left = left.checked_sub(1)?;
        let light = light(data, at);
        match light {
            Some((light, bytes)) => {
                at += bytes;
                Some(Ok(light))
            }
            None => {
                left = 0;
                Some(Err(at))
            }
        }
    });
    Some((count, lights))
}

impl Light {
    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        let ty = match self.kind {
            Kind::Direction(_) => 1,
            Kind::Position { ty, .. } | Kind::Plain(ty) => ty,
        };
        out.u8(ty)?;
        out.bytes(&self.colour)?;
        match self.kind {
            Kind::Direction(at) => at.iter().try_for_each(|it| out.u32(it.0)),
            Kind::Position {
                at,
                inner,
                outer,
                last,
                ..
            } => {
                let words = at.iter().chain([&inner, &outer]);
                words.map(|it| it.0).try_for_each(|it| out.u32(it))?;
                out.u8(last)
            }
            Kind::Plain(_) => Ok(()),
        }
    }

    /// Whether the type is one of those that have such a payload.
    const fn is_written_as_read(&self) -> bool {
        match self.kind {
            Kind::Direction(_) => true,
            Kind::Position { ty, .. } => matches!(ty, 2 | 4),
            Kind::Plain(ty) => !matches!(ty, 1 | 2 | 4),
        }
    }
}

/// Write a chunk; the number of bytes. `None` when they do not fit, for more than 32 bits count, and for a light whose
/// type has another payload.
#[must_use]
pub fn emit(lights: &[Light], out: &mut [u8]) -> Option<usize> {
    if !lights.iter().all(Light::is_written_as_read) {
        return None;
    }
    let mut out = Writer::new(out);
    out.u32(u32::try_from(lights.len()).ok()?).ok()?;
    lights.iter().try_for_each(|it| it.write(&mut out)).ok()?;
    Some(out.finish())
}

fn light(data: &[u8], at: usize) -> Option<(Light, usize)> {
    let ty = u8_at(data, at)?;
    let size = bytes(ty);
    let mut fields = Fields(data.get(at + 1..)?.get(..size - 1)?);
    let colour = core::array::from_fn(|_| fields.u8());
    let kind = match ty {
        1 => Kind::Direction(fields.u32s().map(Float)),
        2 | 4 => Kind::Position {
            ty,
            at: fields.u32s().map(Float),
            inner: Float(fields.u32()),
            outer: Float(fields.u32()),
            last: fields.u8(),
        },
        _ => Kind::Plain(ty),
    };
    Some((Light { colour, kind }, size))
}
