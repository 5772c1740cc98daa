//! A finished picture: 24-bit colour, PNG.

use std::io;
use std::path::Path;

use super::vram::{HEIGHT, Vram, WIDTH};

/// A picture of 8-bit red, green, blue, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `3 * width * height` bytes.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// Cut a rectangle out of video memory; it wraps at the edges, and is at most as large as the
    /// memory.
    #[must_use]
    pub fn from_vram(vram: &Vram, x: usize, y: usize, width: usize, height: usize) -> Self {
        let (width, height) = (width.min(WIDTH), height.min(HEIGHT));
        let mut rgb = Vec::with_capacity(3 * width * height);
        for row in 0..height {
            for column in 0..width {
                // The memory's sides are powers of two, so a sum that wraps is still right.
                rgb.extend(expand(
                    vram.get(x.wrapping_add(column), y.wrapping_add(row)),
                ));
            }
        }
        Self { width, height, rgb }
    }

    /// The pixel at `x`, `y`; `None` outside.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = y.checked_mul(self.width)?.checked_add(x)?.checked_mul(3)?;
        self.rgb.get(at..)?.first_chunk().copied()
    }

    /// CRC-32 of the bytes, for golden pictures and `--hashes`.
    #[must_use]
    pub fn crc32(&self) -> u32 {
        overworld_runtime::bytes::crc32(&self.rgb)
    }

    /// The PNG file.
    ///
    /// # Errors
    /// The picture has no pixels, or [`Picture::rgb`] another length than its size says.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        let pixels = self.width.checked_mul(self.height);
        if pixels.and_then(|pixels| pixels.checked_mul(3)) != Some(self.rgb.len()) {
            return Err(io::Error::other(format!(
                "expected 3 bytes for each of {} x {} pixels, found {}",
                self.width,
                self.height,
                self.rgb.len()
            )));
        }
        let mut file = Vec::new();
        let side = |length: usize| u32::try_from(length).map_err(io::Error::other);
        let mut encoder = png::Encoder::new(&mut file, side(self.width)?, side(self.height)?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header().map_err(io::Error::other)?;
        writer
            .write_image_data(&self.rgb)
            .map_err(io::Error::other)?;
        writer.finish().map_err(io::Error::other)?;
        Ok(file)
    }

    /// Write the PNG file whole or not at all.
    ///
    /// # Errors
    /// As [`Picture::png`], and those of the file system.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        crate::output::replace(path, &self.png()?)
    }
}

/// A cell's 5-bit components as 8 bits: 31 gives 255.
#[must_use]
pub fn expand(cell: u16) -> [u8; 3] {
    [0, 5, 10].map(|shift| {
        let component = (cell >> shift & 31) as u8;
        component << 3 | component >> 2
    })
}
