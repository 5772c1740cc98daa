//! Frames of a recording, and PNG files.
//!
//! mednafen records a QuickTime file whose frames are PNG files of 2800 by 480, in the unit of the
//! video clock. When the emulator is ended the file has no index, so frames are found by the PNG
//! signature. The frame of a 320-wide mode is cut out exactly: every eighth column from 144 on,
//! every second row (build notes, mednafen).

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Which frame of a run to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The frame with this number, counted from 0 at power-on.
    Frame(u64),
    /// The last one before the end.
    Last,
}

/// An RGB picture, 8 bits a component, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `3 * width * height` bytes.
    pub rgb: Vec<u8>,
}

/// Why there is no picture.
#[derive(Debug)]
pub enum Error {
    /// The file cannot be read.
    Io(io::Error),
    /// The recorder could not write on: its own words.
    Broken(String),
    /// A frame is not a PNG picture of the expected form.
    Png(String),
    /// The recording ends before the frame that was asked for.
    NoSuchFrame {
        /// Complete frames in the recording.
        found: u64,
    },
    /// A frame has another size than the recorder's.
    Size {
        /// Pixels of a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the recording cannot be read: {error}"),
            Self::Broken(why) => write!(f, "the recording broke off: {why}"),
            Self::Png(error) => write!(f, "a frame is not a PNG picture: {error}"),
            Self::NoSuchFrame { found } => {
                write!(f, "the recording has {found} complete frames, too few")
            }
            Self::Size { width, height } => {
                write!(f, "a frame is {width}x{height}, expected 2800x480")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The recorder's frame, and where a 320 by 240 picture lies in it.
const RECORDED: (usize, usize) = (2800, 480);
const FIRST_COLUMN: usize = 144;
const COLUMN_STEP: usize = 8;
const ROW_STEP: usize = 2;

/// Take frames of a recording and cut the 320 by 240 pictures out of them, in the order of `moments`.
///
/// # Errors
/// See [`Error`]; one frame that is missing is enough.
pub fn from_recording(path: &Path, moments: &[Moment]) -> Result<Vec<Picture>, Error> {
    let mut frames = Frames::new(BufReader::new(File::open(path)?));
    let mut kept: Vec<Option<Vec<u8>>> = vec![None; moments.len()];
    let mut found = 0;
    // The last one is known at the end only.
    let to_the_end = moments.contains(&Moment::Last);
    while to_the_end || kept.iter().any(Option::is_none) {
        let Some(frame) = frames.next_frame()? else {
            break;
        };
        for (kept, moment) in kept.iter_mut().zip(moments) {
            if matches!(moment, Moment::Last) || *moment == Moment::Frame(found) {
                *kept = Some(frame.clone());
            }
        }
        found += 1;
    }
    let picture = |frame: Option<Vec<u8>>| {
        let frame = frame.ok_or(Error::NoSuchFrame { found })?;
        reduce(&Picture::decode(&frame)?)
    };
    kept.into_iter().map(picture).collect()
}

/// Cut the 320 by 240 picture out of a recorded frame.
///
/// # Errors
/// The frame is not 2800 by 480.
pub fn reduce(frame: &Picture) -> Result<Picture, Error> {
    let (width, height) = RECORDED;
    let size = Error::Size {
        width: frame.width,
        height: frame.height,
    };
    if (frame.width as usize, frame.height as usize) != RECORDED {
        return Err(size);
    }
    let mut rgb = Vec::with_capacity(320 * 240 * 3);
    for y in (0..height).step_by(ROW_STEP) {
        for column in 0..320 {
            let at = (y * width + FIRST_COLUMN + column * COLUMN_STEP) * 3;
            let Some(pixel) = frame.rgb.get(at..at + 3) else {
                return Err(size);
            };
            rgb.extend_from_slice(pixel);
        }
    }
    Ok(Picture {
        width: 320,
        height: 240,
        rgb,
    })
}

impl Picture {
    /// Read a PNG picture of 8 bits a component.
    ///
    /// # Errors
    /// It is damaged or of another kind.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let fault = |error: png::DecodingError| Error::Png(error.to_string());
        let mut decoder = png::Decoder::new(io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(fault)?;
        let size = reader
            .output_buffer_size()
            .ok_or_else(|| Error::Png("too large".to_owned()))?;
        let mut pixels = vec![0; size];
        let info = reader.next_frame(&mut pixels).map_err(fault)?;
        pixels.truncate(info.buffer_size());
        let rgb = match info.color_type {
            png::ColorType::Rgb => pixels,
            png::ColorType::Rgba => pixels
                .chunks_exact(4)
                .flat_map(|p| p.iter().take(3).copied())
                .collect(),
            png::ColorType::Grayscale => pixels.iter().flat_map(|&v| [v; 3]).collect(),
            other => return Err(Error::Png(format!("colour type {other:?}"))),
        };
        Ok(Self {
            width: info.width,
            height: info.height,
            rgb,
        })
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// Its bytes are not those of its size.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let fault = |error: png::EncodingError| Error::Png(error.to_string());
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(fault)?;
        writer.write_image_data(&self.rgb).map_err(fault)?;
        writer.finish().map_err(fault)?;
        Ok(file)
    }

    /// Pixels of different colours: 1 means that nothing was drawn.
    #[must_use]
    pub fn colours(&self) -> usize {
        let all: std::collections::HashSet<&[u8]> = self.rgb.chunks_exact(3).collect();
        all.len()
    }

    /// The colour at a place; `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.width {
            return None;
        }
        let at = (y as usize * self.width as usize + x as usize) * 3;
        self.rgb.get(at..at + 3)?.try_into().ok()
    }
}

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A];

/// A frame is far smaller; a damaged length must not ask for gigabytes.
const FRAME_LIMIT: u64 = 16 << 20;

/// Finds complete PNG files in a stream, one after the other.
struct Frames<R> {
    stream: R,
}

impl<R: BufRead> Frames<R> {
    fn new(stream: R) -> Self {
        Self { stream }
    }

    /// The next complete one; `None` when the stream ends before or inside it.
    fn next_frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if !self.find_signature()? {
                return Ok(None);
            }
            let mut frame = SIGNATURE.to_vec();
            loop {
                // A chunk: length, type, data, check sum.
                if !self.append(&mut frame, 8)? {
                    return Ok(None);
                }
                let head = frame.last_chunk::<8>().copied().unwrap_or_default();
                let [a, b, c, d, kind @ ..] = head;
                let length = u64::from(u32::from_be_bytes([a, b, c, d]));
                if length > FRAME_LIMIT || frame.len() as u64 + length > FRAME_LIMIT {
                    break; // not a PNG file after all: search on
                }
                if !self.append(&mut frame, length + 4)? {
                    return Ok(None);
                }
                if kind == *b"IEND" {
                    return Ok(Some(frame));
                }
            }
        }
    }

    fn append(&mut self, frame: &mut Vec<u8>, length: u64) -> io::Result<bool> {
        let got = self.stream.by_ref().take(length).read_to_end(frame)?;
        Ok(got as u64 == length)
    }

    fn find_signature(&mut self) -> io::Result<bool> {
        let mut matched = 0;
        loop {
            let piece = self.stream.fill_buf()?;
            if piece.is_empty() {
                return Ok(false);
            }
            let mut used = piece.len();
            for (at, &byte) in piece.iter().enumerate() {
                // The first byte occurs only once in the signature, so no longer prefix can be
                // lost by starting over.
                matched = match SIGNATURE.get(matched) {
                    Some(&wanted) if wanted == byte => matched + 1,
                    _ => usize::from(byte == SIGNATURE[0]),
                };
                if matched == SIGNATURE.len() {
                    used = at + 1;
                    break;
                }
            }
            self.stream.consume(used);
            if matched == SIGNATURE.len() {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recorded frame that shows `at(x, y)`, stretched as the recorder does it.
    fn recorded(at: impl Fn(usize, usize) -> [u8; 3]) -> Picture {
        let (width, height) = RECORDED;
        let mut rgb = Vec::with_capacity(width * height * 3);
        for y in 0..height {
            for x in 0..width {
                let inside = (FIRST_COLUMN..FIRST_COLUMN + 320 * COLUMN_STEP).contains(&x);
                let column = x.wrapping_sub(FIRST_COLUMN) / COLUMN_STEP;
                rgb.extend(if inside { at(column, y / 2) } else { [1, 2, 3] });
            }
        }
        Picture {
            width: width as u32,
            height: height as u32,
            rgb,
        }
    }

    fn pattern(seed: u8) -> impl Fn(usize, usize) -> [u8; 3] {
        move |x, y| [x as u8, (x >> 8) as u8 ^ seed, y as u8]
    }

    fn bytes(picture: &Picture) -> Vec<u8> {
        picture.encode().unwrap()
    }

    #[test]
    fn frames_are_found_between_other_bytes_and_cut_exactly() {
        let (first, second) = (recorded(pattern(0)), recorded(pattern(7)));
        let mut stream = b"\x89PNG\x89\x89PNG\r\n ftypqt".to_vec();
        stream.extend(bytes(&first));
        stream.extend(b"between");
        stream.extend(bytes(&second));
        let whole = stream.len();
        stream.extend(&bytes(&first)[..5000]);

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recording.mov");
        let write = |bytes: &[u8]| std::fs::write(&path, bytes).unwrap();
        write(&stream);
        let one = |moment| from_recording(&path, &[moment]).map(|mut one| one.remove(0));
        let last = one(Moment::Last).unwrap();
        assert_eq!((last.width, last.height), (320, 240));
        assert_eq!(last.pixel(0, 0), Some([0, 7, 0]));
        assert_eq!(last.pixel(319, 239), Some([63, 1 ^ 7, 239]));
        assert_eq!(last.pixel(320, 0), None);
        let zero = one(Moment::Frame(0)).unwrap();
        assert_eq!(zero.pixel(319, 1), Some([63, 1, 1]));
        // Several at once, in the order asked for.
        let moments = [Moment::Last, Moment::Frame(0), Moment::Frame(1)];
        let several = from_recording(&path, &moments).unwrap();
        assert_eq!(several, [last.clone(), zero.clone(), last]);
        assert!(matches!(
            from_recording(&path, &[Moment::Frame(2), Moment::Frame(0)]),
            Err(Error::NoSuchFrame { found: 2 })
        ));
        assert!(matches!(
            one(Moment::Frame(2)),
            Err(Error::NoSuchFrame { found: 2 })
        ));
        write(&stream[..whole - 1]);
        assert_eq!(one(Moment::Last).unwrap(), zero);
        write(b"nothing");
        assert!(matches!(
            one(Moment::Last),
            Err(Error::NoSuchFrame { found: 0 })
        ));
    }

    #[test]
    fn a_chunk_length_beyond_reason_is_skipped() {
        let mut stream = SIGNATURE.to_vec();
        stream.extend([0xFF; 8]);
        let small = Picture {
            width: 2,
            height: 1,
            rgb: vec![1, 2, 3, 4, 5, 6],
        };
        stream.extend(bytes(&small));
        let frame = Frames::new(&stream[..]).next_frame().unwrap().unwrap();
        assert_eq!(Picture::decode(&frame).unwrap(), small);
        assert!(matches!(
            reduce(&small),
            Err(Error::Size {
                width: 2,
                height: 1
            })
        ));
    }
}
