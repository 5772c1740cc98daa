//! TIM textures (TMD/TIM sheet, section 4).

use core::fmt;

use crate::bytes::{Full, Writer, slice_at, u16_at, u32_at};
use crate::gpu::{VRAM_HEIGHT, VRAM_WIDTH};
use crate::platform::Screen;

/// First word of every TIM.
pub const MAGIC: u32 = 0x0000_0010;

/// Header of a block: size, x, y, w, h.
const BLOCK_HEADER: usize = 12;

/// What a texel of the image is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Index into 16 colours; a 16-bit unit holds four.
    Four = 0,
    /// Index into 256 colours; a unit holds two.
    Eight = 1,
    /// A 15-bit colour and the semi-transparency bit.
    Sixteen = 2,
    /// 24-bit colour; two texels in three units.
    TwentyFour = 3,
}

/// Why bytes are no TIM, or a TIM cannot be written or uploaded. Offsets are from the first
/// byte of the TIM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// Magic, reserved flag bits or pixel mode are wrong, or the header is cut.
    BadTim {
        /// Where.
        offset: usize,
        /// The word found there; 0 when the data ends before it.
        found: u32,
    },
    /// A block's size is below 12, beyond the data, or not `12 + 2 w h`.
    BadTimBlock {
        /// Where the block begins.
        offset: usize,
        /// Its size field; 0 when the data ends before it.
        size: u32,
    },
    /// A rectangle is empty or leaves VRAM.
    BadTimRect {
        /// Where the block begins.
        offset: usize,
        /// Left edge in 16-bit units.
        x: u16,
        /// Top line.
        y: u16,
        /// Width in 16-bit units.
        w: u16,
        /// Height in lines.
        h: u16,
    },
    /// The output slice of the writer is too short.
    Full(Full),
}

impl From<Full> for Error {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadTim { offset, found } => {
                write!(f, "BadTim at offset {offset:#x}: expected ")?;
                match offset {
                    0 => write!(f, "the magic word {MAGIC:08X}")?,
                    _ => f.write_str("flags of mode 0 to 3, plus 8 with a palette")?,
                }
                match found {
                    // Flags of 0 are good, and so is no magic word of 0.
                    0 => f.write_str(", found the end of the data, or zeros"),
                    _ => write!(f, ", found {found:08X}"),
                }
            }
            Self::BadTimBlock { offset, size } => write!(
                f,
                "BadTimBlock at offset {offset:#x}: size {size} of the block does not fit its \
                 rectangle or the data"
            ),
            Self::BadTimRect { offset, x, y, w, h } => write!(
                f,
                "BadTimRect at offset {offset:#x}: {w} x {h} at ({x}, {y}) is empty or leaves VRAM"
            ),
            Self::Full(full) => write!(f, "Full: {full}"),
        }
    }
}

impl core::error::Error for Error {}

/// A rectangle of VRAM and its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// Left edge in 16-bit units.
    pub x: u16,
    /// Top line.
    pub y: u16,
    /// Width in 16-bit units.
    pub w: u16,
    /// Height in lines.
    pub h: u16,
    /// `2 * w * h` bytes, row by row.
    pub data: &'a [u8],
}

impl<'a> Block<'a> {
    fn parse(tim: &'a [u8], offset: usize) -> Result<Self, Error> {
        let size = u32_at(tim, offset).ok_or(Error::BadTimBlock { offset, size: 0 })?;
        let bad = Error::BadTimBlock { offset, size };
        let len = usize::try_from(size).map_err(|_| bad)?;
        let block = slice_at(tim, offset, len).ok_or(bad)?;
        let field = |at| u16_at(block, at).ok_or(bad);
        let (x, y, w, h) = (field(4)?, field(6)?, field(8)?, field(10)?);
        let data = block.get(BLOCK_HEADER..).ok_or(bad)?;
        let block = Self { x, y, w, h, data };
        block.check(offset)?;
        Ok(block)
    }

    /// The rules that reader and writer share.
    fn check(&self, offset: usize) -> Result<(), Error> {
        if self.w == 0 || self.h == 0 {
            return Err(self.bad_rect(offset));
        }
        let size = u64::from(self.w) * u64::from(self.h) * 2;
        if self.data.len() as u64 != size {
            let size = u32::try_from(self.data.len() + BLOCK_HEADER).unwrap_or(u32::MAX);
            return Err(Error::BadTimBlock { offset, size });
        }
        Ok(())
    }

    fn is_inside_vram(&self) -> bool {
        u32::from(self.x) + u32::from(self.w) <= u32::from(VRAM_WIDTH)
            && u32::from(self.y) + u32::from(self.h) <= u32::from(VRAM_HEIGHT)
    }

    const fn bad_rect(&self, offset: usize) -> Error {
        Error::BadTimRect {
            offset,
            x: self.x,
            y: self.y,
            w: self.w,
            h: self.h,
        }
    }

    fn size(&self) -> usize {
        BLOCK_HEADER + self.data.len()
    }

    fn emit(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        self.check(writer.position())?;
        writer.u32(u32::try_from(self.size()).unwrap_or(u32::MAX))?;
        for field in [self.x, self.y, self.w, self.h] {
            writer.u16(field)?;
        }
        writer.bytes(self.data)?;
        Ok(())
    }
}

/// One texture: an image and, for indexed modes, the palettes it brings along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tim<'a> {
    /// What a texel is.
    pub mode: Mode,
    /// Palettes, as declared; see [`Tim::palette`] for where they go.
    pub clut: Option<Block<'a>>,
    /// The image; inside VRAM.
    pub image: Block<'a>,
}

impl<'a> Tim<'a> {
    /// Whether `data` begins with the magic. Members of a pack that do not are to be skipped.
    #[must_use]
    pub fn is_tim(data: &[u8]) -> bool {
        u32_at(data, 0) == Some(MAGIC)
    }

    /// Read a TIM; bytes after it are left alone.
    ///
    /// # Errors
    /// All of [`Error`] but `Full`. The CLUT rectangle is not held against VRAM here.
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let word = |offset| u32_at(data, offset).ok_or(Error::BadTim { offset, found: 0 });
        let magic = word(0)?;
        if magic != MAGIC {
            return Err(Error::BadTim {
                offset: 0,
                found: magic,
            });
        }
        let flags = word(4)?;
        let mode = match flags & !8 {
            0 => Mode::Four,
            1 => Mode::Eight,
            2 => Mode::Sixteen,
            3 => Mode::TwentyFour,
            _ => {
                return Err(Error::BadTim {
                    offset: 4,
                    found: flags,
                });
            }
        };
        let mut offset = 8;
        let clut = if flags & 8 == 0 {
            None
        } else {
            let block = Block::parse(data, offset)?;
            offset += block.size();
            Some(block)
        };
        let image = Block::parse(data, offset)?;
        if !image.is_inside_vram() {
            return Err(image.bad_rect(offset));
        }
        Ok(Self { mode, clut, image })
    }

    /// Length in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        8 + self.clut.as_ref().map_or(0, Block::size) + self.image.size()
    }

    /// Width of the image in texels.
    #[must_use]
    pub fn width(&self) -> u32 {
        let w = u32::from(self.image.w);
        match self.mode {
            Mode::Four => w * 4,
            Mode::Eight => w * 2,
            Mode::Sixteen => w,
            Mode::TwentyFour => w * 2 / 3,
        }
    }

    /// The palettes as they go to VRAM: one flat strip `(x, y, w h, 1)`, or the declared
    /// rectangle when such a strip does not fit VRAM.
    ///
    /// A single row is the same under both rules (sheet, section 4).
    ///
    /// # Errors
    /// [`Error::BadTimRect`] when neither fits.
    pub fn palette(&self) -> Result<Option<Block<'a>>, Error> {
        let Some(block) = self.clut else {
            return Ok(None);
        };
        let strip = u16::try_from(u32::from(block.w) * u32::from(block.h))
            .map(|w| Block { w, h: 1, ..block })
            .ok()
            .filter(Block::is_inside_vram);
        match strip {
            Some(strip) => Ok(Some(strip)),
            None if block.is_inside_vram() => Ok(Some(block)),
            None => Err(block.bad_rect(8)),
        }
    }

    /// Copy palettes and image to VRAM.
    ///
    /// # Errors
    /// [`UploadError::Tim`] as [`Tim::palette`], otherwise the screen's.
    pub fn upload<S: Screen>(&self, screen: &mut S) -> Result<(), UploadError<S::Error>> {
        let palette = self.palette().map_err(UploadError::Tim)?;
        for block in palette.iter().chain([&self.image]) {
            screen
                .upload(block.x, block.y, block.w, block.h, block.data)
                .map_err(UploadError::Screen)?;
        }
        Ok(())
    }

    /// Write the TIM; returns its length.
    ///
    /// # Errors
    /// `BadTimBlock` when data and rectangle differ, `BadTimRect` for an empty rectangle or an
    /// image outside VRAM, `Full` when `out` is too short.
    pub fn emit(&self, out: &mut [u8]) -> Result<usize, Error> {
        let mut writer = Writer::new(out);
        writer.u32(MAGIC)?;
        writer.u32(self.mode as u32 | if self.clut.is_some() { 8 } else { 0 })?;
        if let Some(clut) = &self.clut {
            clut.emit(&mut writer)?;
        }
        if !self.image.is_inside_vram() {
            return Err(self.image.bad_rect(writer.position()));
        }
        self.image.emit(&mut writer)?;
        Ok(writer.finish())
    }
}

/// Why a TIM did not reach VRAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum UploadError<E> {
    /// The palette leaves VRAM.
    Tim(Error),
    /// The GPU refused.
    Screen(E),
}

impl<E: fmt::Display> fmt::Display for UploadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tim(error) => error.fmt(f),
            Self::Screen(error) => write!(f, "the upload failed: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for UploadError<E> {}

/// A 16-bit texel from 8-bit red, green, blue and alpha (sheet, section 4, writer).
///
/// Alpha 0 gives the transparent value 0, full alpha an opaque colour (black becomes
/// `8000h`), anything between sets the semi-transparency bit.
///
/// ```
/// use overworld_runtime::model::tim::texel;
/// assert_eq!(texel(255, 0, 8, 255), 0x041F);
/// assert_eq!(texel(0, 0, 0, 255), 0x8000);
/// assert_eq!(texel(9, 9, 9, 0), 0);
/// ```
#[must_use]
pub const fn texel(r: u8, g: u8, b: u8, alpha: u8) -> u16 {
    let colour = (r >> 3) as u16 | ((g >> 3) as u16) << 5 | ((b >> 3) as u16) << 10;
    match alpha {
        0 => 0,
        255 if colour != 0 => colour,
        _ => colour | 0x8000,
    }
}
