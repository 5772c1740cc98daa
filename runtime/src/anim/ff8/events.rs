//! A stream as what stands in it: the lossless list, and the writer that gives the same bytes back (FF8 sheet,
//! section 9, the last paragraph).

use super::bits::{BitReader, BitWriter, LOCATION_WIDTHS, ROTATION_WIDTHS};
use super::{Animation, Error};

/// One field of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A location field: its type, 0 to 3, and its change.
    Location {
        /// Type, which says how wide the value is.
        ty: u8,
        /// The change.
        value: i16,
    },
    /// The mode bit of a frame.
    Mode(bool),
    /// A rotation field: type and change, unless it is absent.
    Rotation(Option<(u8, i16)>),
    /// A scale channel, unless it is absent: the number that stands there, to which 1024 is added.
    Scale(Option<i16>),
}

/// The fields of one animation, in their order, each with its place.
#[derive(Clone, Debug)]
pub struct Events<'a> {
    reader: BitReader<'a>,
    bones: u8,
    /// Frames to come, with the current one.
    frames: u8,
    frame: u8,
    /// Field of the frame: 0 to 2 location, 3 the mode bit, then those of the bones.
    field: u16,
    scaled: bool,
}

impl<'a> Events<'a> {
    /// The fields of `animation`, of a skeleton with so many bones.
    #[must_use]
    pub fn new(animation: &Animation<'a>, bones: u8) -> Self {
        Self {
            reader: BitReader::new(animation.section, animation.start + 1, 0),
            bones,
            frames: animation.frames,
            frame: 0,
            field: 0,
            scaled: false,
        }
    }

    /// Byte in the section and bit in the byte of the next field.
    #[must_use]
    pub const fn position(&self) -> (usize, u8) {
        self.reader.position()
    }

    /// Frame of the next field.
    #[must_use]
    pub const fn frame(&self) -> u8 {
        self.frame
    }

    /// Bone and place in the bone of the next field: 0 to 2 rotation, 3 to 5 scale.
    fn place(&self) -> Option<(u8, u16)> {
        let each = if self.scaled { 6 } else { 3 };
        let field = self.field.checked_sub(4)?;
        Some(((field / each) as u8, field % each))
    }

    fn read(&mut self) -> Option<Event> {
        let place = self.place();
        let reader = &mut self.reader;
        match place {
            None if self.field == 3 => Some(Event::Mode(reader.bits(1)? != 0)),
            None => {
                let ty = reader.bits(2)? as u8;
                let value = reader.signed(width(&LOCATION_WIDTHS, ty))? as i16;
                Some(Event::Location { ty, value })
            }
            Some((_, 0..=2)) => {
                if reader.bits(1)? == 0 {
                    return Some(Event::Rotation(None));
                }
                let ty = reader.bits(2)? as u8;
                let value = reader.signed(width(&ROTATION_WIDTHS, ty))? as i16;
                Some(Event::Rotation(Some((ty, value))))
            }
            Some(_) => {
                if reader.bits(1)? == 0 {
                    return Some(Event::Scale(None));
                }
                Some(Event::Scale(Some(reader.signed(16)? as i16)))
            }
        }
    }
}

impl Iterator for Events<'_> {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.frame >= self.frames {
            return None;
        }
        let bone = self.place().map(|(bone, _)| bone);
        let Some(event) = self.read() else {
            let frame = self.frame;
            self.frames = self.frame;
            return Some(Err(Error::EndOfStream { frame, bone }));
        };
        if let Event::Mode(scaled) = event {
            self.scaled = scaled;
        }
        self.field += 1;
        let each = if self.scaled { 6 } else { 3 };
        if self.field >= 4 && self.field - 4 >= each * u16::from(self.bones) {
            (self.field, self.scaled) = (0, false);
            self.frame += 1;
        }
        Some(Ok(event))
    }
}

fn width(widths: &[u8; 4], ty: u8) -> u32 {
    widths.get(usize::from(ty & 3)).copied().unwrap_or(0).into()
}

/// Write fields as they are, whether or not there is a shorter form.
///
/// # Errors
/// [`Error::OutputTooSmall`].
pub fn replay(
    events: impl IntoIterator<Item = Event>,
    out: &mut BitWriter<'_>,
) -> Result<(), Error> {
    for event in events {
        match event {
            Event::Location { ty, value } => {
                out.bits(ty.into(), 2)?;
                out.bits(value as u32, width(&LOCATION_WIDTHS, ty))?;
            }
            Event::Mode(scaled) => out.bits(scaled.into(), 1)?,
            Event::Rotation(None) | Event::Scale(None) => out.bits(0, 1)?,
            Event::Rotation(Some((ty, value))) => {
                out.bits(1 | u32::from(ty) << 1, 3)?;
                out.bits(value as u32, width(&ROTATION_WIDTHS, ty))?;
            }
            Event::Scale(Some(value)) => {
                out.bits(1 | u32::from(value as u16) << 1, 17)?;
            }
        }
    }
    Ok(())
}
