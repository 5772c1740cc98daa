//! A TIM as a picture with transparency.

use std::io;

use overworld_runtime::bytes::u16_at;
use overworld_runtime::model::tim::{Mode, Tim};

use crate::gpu::expand;

/// Red, green, blue and alpha of a texture, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `4 * width * height` bytes.
    pub rgba: Vec<u8>,
}

/// Number of palettes that a TIM brings along.
#[must_use]
pub fn palettes(tim: &Tim<'_>) -> usize {
    let entries = match tim.mode {
        Mode::Four => 16,
        Mode::Eight => 256,
        Mode::Sixteen | Mode::TwentyFour => return 0,
    };
    let cells = tim
        .clut
        .map_or(0, |clut| usize::from(clut.w) * usize::from(clut.h));
    // A short palette is one all the same.
    if cells == 0 {
        0
    } else {
        cells.div_ceil(entries)
    }
}

/// A VRAM cell as red, green, blue and alpha, the other way round than the TIM writer's rule
/// (TMD/TIM sheet, section 4): 0 is transparent, 8000h opaque black, the rest is half transparent
/// when its top bit is set.
fn colour(cell: u16) -> [u8; 4] {
    let [r, g, b] = expand(cell);
    let alpha = match cell {
        0 => 0,
        0x8001..=0xFFFF => 128,
        _ => 255,
    };
    [r, g, b, alpha]
}

impl Texture {
    /// The texels in the colours of palette `palette` (from 0). An indexed TIM without palettes is
    /// shown in steps of grey.
    ///
    /// `None` if the TIM has palettes, but not this one.
    #[must_use]
    pub fn new(tim: &Tim<'_>, palette: usize) -> Option<Self> {
        let count = palettes(tim);
        if palette > 0 && palette >= count {
            return None;
        }
        let rows = usize::from(tim.image.w) * 2;
        let width = tim.width() as usize;
        let mut rgba = Vec::with_capacity(4 * width * usize::from(tim.image.h));
        let lookup = |index: usize, entries: usize| match tim.clut {
            None => {
                let grey = (index * 255 / (entries - 1)) as u8;
                [grey, grey, grey, 255]
            }
            Some(clut) => colour(u16_at(clut.data, 2 * (palette * entries + index)).unwrap_or(0)),
        };
        for row in tim.image.data.chunks_exact(rows.max(1)) {
            match tim.mode {
                Mode::Four => {
                    for byte in row {
                        rgba.extend(lookup(usize::from(byte & 15), 16));
                        rgba.extend(lookup(usize::from(byte >> 4), 16));
                    }
                }
                Mode::Eight => {
                    for byte in row {
                        rgba.extend(lookup(usize::from(*byte), 256));
                    }
                }
                Mode::Sixteen => {
                    for cell in row.chunks_exact(2) {
                        rgba.extend(colour(u16::from_le_bytes([cell[0], cell[1]])));
                    }
                }
                Mode::TwentyFour => {
                    for texel in row.chunks_exact(3).take(width) {
                        rgba.extend([texel[0], texel[1], texel[2], 255]);
                    }
                }
            }
        }
        Some(Self {
            width: tim.width(),
            height: tim.image.h.into(),
            rgba,
        })
    }

    /// The PNG file.
    ///
    /// # Errors
    /// The picture has no texels.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(io::Error::other)?;
        writer
            .write_image_data(&self.rgba)
            .map_err(io::Error::other)?;
        writer.finish().map_err(io::Error::other)?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overworld_runtime::model::tim::Block;

    fn block(w: u16, h: u16, data: &[u8]) -> Block<'_> {
        Block {
            x: 0,
            y: 0,
            w,
            h,
            data,
        }
    }

    #[test]
    fn each_depth_gives_its_texels() {
        // Two palettes of 16: entry 1 is red, then half transparent blue; entry 2 opaque black.
        let mut clut = [0; 64];
        clut[2..6].copy_from_slice(&[0x1F, 0x00, 0x00, 0x80]);
        clut[34..36].copy_from_slice(&[0x00, 0xFC]);
        let tim = Tim {
            mode: Mode::Four,
            clut: Some(block(16, 2, &clut)),
            image: block(1, 1, &[0x10, 0x02]),
        };
        assert_eq!(palettes(&tim), 2);
        let first = Texture::new(&tim, 0).unwrap();
        assert_eq!((first.width, first.height), (4, 1));
        assert_eq!(
            first.rgba,
            [0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0]
        );
        assert_eq!(Texture::new(&tim, 1).unwrap().rgba[4..8], [0, 0, 255, 128]);
        assert_eq!(Texture::new(&tim, 2), None);

        let direct = Tim {
            mode: Mode::Sixteen,
            clut: None,
            image: block(2, 1, &[0xE0, 0x03, 0x00, 0x00]),
        };
        let texture = Texture::new(&direct, 0).unwrap();
        assert_eq!(texture.rgba, [0, 255, 0, 255, 0, 0, 0, 0]);

        let grey = Tim {
            mode: Mode::Eight,
            clut: None,
            image: block(1, 1, &[0, 255]),
        };
        let texture = Texture::new(&grey, 0).unwrap();
        assert_eq!(texture.rgba, [0, 0, 0, 255, 255, 255, 255, 255]);

        // Three units hold two texels of 24 bits.
        let deep = Tim {
            mode: Mode::TwentyFour,
            clut: None,
            image: block(3, 1, &[1, 2, 3, 4, 5, 6]),
        };
        let texture = Texture::new(&deep, 0).unwrap();
        assert_eq!(texture.rgba, [1, 2, 3, 255, 4, 5, 6, 255]);
    }
}
