//! Frames as an animated GIF: the same bytes for the same frames on every machine.

use std::collections::BTreeSet;
use std::io;

use gif::{Encoder, Repeat};

use crate::gpu::Picture;

/// Frames from one picture to the next. The console shows 59.826 frames a second (HAL sheet, section
/// 5.1) and a GIF counts in hundredths: three frames are 50.1 ms, and viewers show that.
pub const STEP: u32 = 3;

/// Hundredths of a second that a picture stays.
const DELAY: u16 = 5;

/// Bytes of a file at the most.
pub const LIMIT: usize = 64 << 20;

/// Colours of a palette.
const COLOURS: usize = 256;

/// Bits of red, green and blue that are kept, from all on; the last ones fit any palette. Green is
/// what eyes tell best, blue what they tell worst.
const BITS: [[u8; 3]; 8] = [
    [8, 8, 8],
    [5, 5, 4],
    [4, 5, 4],
    [4, 4, 4],
    [4, 4, 3],
    [3, 4, 3],
    [3, 3, 3],
    [3, 3, 2],
];

/// A GIF that grows picture by picture.
pub struct Movie {
    encoder: Encoder<Vec<u8>>,
    limit: usize,
}

impl Movie {
    /// One without pictures, of this size; it plays over and over.
    ///
    /// # Errors
    /// A side has more pixels than a GIF can have, 65535.
    pub fn new(width: usize, height: usize) -> io::Result<Self> {
        Self::with_limit(width, height, LIMIT)
    }

    fn with_limit(width: usize, height: usize, limit: usize) -> io::Result<Self> {
        let side = |length: usize| u16::try_from(length).map_err(io::Error::other);
        let encoder = Encoder::new(Vec::new(), side(width)?, side(height)?, &[]);
        let mut encoder = encoder.map_err(io::Error::other)?;
        encoder
            .set_repeat(Repeat::Infinite)
            .map_err(io::Error::other)?;
        Ok(Self { encoder, limit })
    }

    /// Add a picture, with a palette of its own. Its colours are exact if it has at most 256 of them.
    ///
    /// # Errors
    /// The file would be longer than [`LIMIT`], or the picture has not the movie's size.
    pub fn add(&mut self, picture: &Picture) -> io::Result<()> {
        let (palette, pixels) = indexed(&picture.rgb);
        let side = |length: usize| u16::try_from(length).map_err(io::Error::other);
        let mut frame = gif::Frame::from_palette_pixels(
            side(picture.width)?,
            side(picture.height)?,
            pixels,
            palette,
            None,
        );
        frame.delay = DELAY;
        self.encoder.write_frame(&frame).map_err(io::Error::other)?;
        if self.bytes().len() > self.limit {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!(
                    "the GIF would be longer than {} bytes; play fewer frames",
                    self.limit
                ),
            ));
        }
        Ok(())
    }

    /// What is written so far; more only comes behind it.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.encoder.get_ref()
    }

    /// The whole file.
    ///
    /// # Errors
    /// None that a file in memory has.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        self.encoder.into_inner().map_err(io::Error::other)
    }
}

/// Palette and indices of pixels: as many bits as give no more colours than a palette holds.
fn indexed(rgb: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let pixels = || rgb.chunks_exact(3).map(|it| [it[0], it[1], it[2]]);
    let mut colours = BTreeSet::new();
    let mut kept = BITS[BITS.len() - 1];
    for bits in BITS {
        colours.clear();
        // More than fit need not be counted.
        let fits = pixels().all(|pixel| {
            colours.insert(reduce(pixel, bits));
            colours.len() <= COLOURS
        });
        if fits {
            kept = bits;
            break;
        }
    }
    let colours: Vec<[u8; 3]> = colours.into_iter().collect();
    let indices = pixels().map(|pixel| {
        let found = colours.binary_search(&reduce(pixel, kept));
        found.unwrap_or(0) as u8
    });
    let indices = indices.collect();
    (colours.concat(), indices)
}

/// A colour of which so many bits of each component are kept, spread over the whole range.
fn reduce(pixel: [u8; 3], bits: [u8; 3]) -> [u8; 3] {
    let mut out = pixel;
    for (component, bits) in out.iter_mut().zip(bits) {
        let most = (1_u16 << bits) - 1;
        let level = u16::from(*component) >> (8 - bits);
        *component = (level * 255 / most) as u8;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: usize, height: usize, colour: impl Fn(usize) -> [u8; 3]) -> Picture {
        Picture {
            width,
            height,
            rgb: (0..width * height).flat_map(colour).collect(),
        }
    }

    /// The pictures of a file and their delays.
    fn read(file: &[u8]) -> Vec<(u16, Vec<u8>)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(file).unwrap();
        let mut out = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let rgb = frame.buffer.chunks(4).flat_map(|it| &it[..3]);
            out.push((frame.delay, rgb.copied().collect()));
        }
        out
    }

    #[test]
    fn pictures_with_few_colours_come_back_as_they_were() {
        let one = picture(20, 13, |at| [at as u8, 7, 255 - at as u8]);
        let two = picture(20, 13, |_| [1, 2, 3]);
        let make = || {
            let mut movie = Movie::new(20, 13).unwrap();
            for picture in [&one, &two, &one] {
                let before = movie.bytes().to_vec();
                movie.add(picture).unwrap();
                assert!(movie.bytes().starts_with(&before));
            }
            movie.finish().unwrap()
        };
        let file = make();
        assert_eq!(make(), file);
        let expected = [one.rgb.clone(), two.rgb.clone(), one.rgb.clone()].map(|it| (DELAY, it));
        // 256 of the first picture's 260 pixels differ, so its colours just fit.
        assert_eq!(read(&file), expected);
    }

    #[test]
    fn many_colours_are_brought_down_to_a_palette() {
        let many = picture(64, 64, |at| {
            [(at % 64 * 4) as u8, (at / 64 * 4) as u8, (at * 37) as u8]
        });
        let mut movie = Movie::new(64, 64).unwrap();
        movie.add(&many).unwrap();
        let pictures = read(&movie.finish().unwrap());
        let colours: BTreeSet<_> = pictures[0].1.chunks(3).collect();
        assert!((64..=256).contains(&colours.len()), "{}", colours.len());
        for (found, wanted) in pictures[0].1.chunks(3).zip(many.rgb.chunks(3)) {
            for (component, most) in [(0, 37), (1, 37), (2, 86)] {
                assert!(found[component].abs_diff(wanted[component]) < most);
            }
        }
    }

    #[test]
    fn black_and_white_stay_what_they_are() {
        for bits in BITS {
            assert_eq!(reduce([0; 3], bits), [0; 3]);
            assert_eq!(reduce([255; 3], bits), [255; 3]);
        }
    }

    #[test]
    fn a_file_has_its_limits() {
        assert!(Movie::new(65_536, 1).is_err());
        let mut movie = Movie::with_limit(8, 8, 300).unwrap();
        let plain = picture(8, 8, |_| [9; 3]);
        movie.add(&plain).unwrap();
        let noise = picture(8, 8, |at| [at as u8, (at * 11) as u8, 3]);
        let error = movie.add(&noise).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("300 bytes"), "{error}");
    }
}
