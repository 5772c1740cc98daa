//! Checked little-endian readers and writers over slices, and the CRC-32 that the sheets' worked
//! vectors are given in.
//!
//! Readers answer `None` for anything that is not wholly inside the slice; no offset overflows.

use core::fmt;

/// The byte at `offset`.
#[inline]
#[must_use]
pub fn u8_at(data: &[u8], offset: usize) -> Option<u8> {
    data.get(offset).copied()
}

/// The little-endian `u16` that starts at `offset` (any alignment).
#[inline]
#[must_use]
pub fn u16_at(data: &[u8], offset: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*data.get(offset..)?.first_chunk()?))
}

/// The little-endian `i16` that starts at `offset` (any alignment).
#[inline]
#[must_use]
pub fn i16_at(data: &[u8], offset: usize) -> Option<i16> {
    Some(i16::from_le_bytes(*data.get(offset..)?.first_chunk()?))
}

/// The little-endian `u32` that starts at `offset` (any alignment).
#[inline]
#[must_use]
pub fn u32_at(data: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*data.get(offset..)?.first_chunk()?))
}

/// The little-endian `i32` that starts at `offset` (any alignment).
#[inline]
#[must_use]
pub fn i32_at(data: &[u8], offset: usize) -> Option<i32> {
    Some(i32::from_le_bytes(*data.get(offset..)?.first_chunk()?))
}

/// The `len` bytes that start at `offset`.
#[inline]
#[must_use]
pub fn slice_at(data: &[u8], offset: usize, len: usize) -> Option<&[u8]> {
    data.get(offset..)?.get(..len)
}

/// Data that is taken word by word does not lie on a word boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Misaligned {
    /// The address modulo 4: 1, 2 or 3.
    pub over: usize,
}

impl fmt::Display for Misaligned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the address modulo 4 is {}, expected 0; put the data at a multiple of four",
            self.over
        )
    }
}

impl core::error::Error for Misaligned {}

// The views below hand words out as they lie in memory.
#[cfg(not(target_endian = "little"))]
compile_error!("the formats are little-endian, and words of them are used without conversion");

/// `data` as groups of `N` words, without copying; bytes behind the last whole group are left out.
///
/// # Errors
/// [`Misaligned`] unless `data` is empty or begins at a multiple of four.
#[inline]
pub fn words<const N: usize>(data: &[u8]) -> Result<&[[u32; N]], Misaligned> {
    let whole = data.len() - data.len().checked_rem(4 * N).unwrap_or(0);
    match data.get(..whole) {
        None | Some([]) => Ok(&[]),
        Some(data) => bytemuck::try_cast_slice(data).map_err(|_| Misaligned {
            over: data.as_ptr().addr() % 4,
        }),
    }
}

/// A [`Writer`] had no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Full {
    /// Where the refused value would have started.
    pub at: usize,
    /// Length of the refused value in bytes.
    pub len: usize,
    /// Length of the whole slice in bytes.
    pub room: usize,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} bytes at offset {} do not fit into {} bytes",
            self.len, self.at, self.room
        )
    }
}

impl core::error::Error for Full {}

/// Writes little-endian values one after the other into a slice.
///
/// A value that does not fit is refused whole: nothing is written and the position stays.
#[derive(Debug)]
pub struct Writer<'a> {
    out: &'a mut [u8],
    at: usize,
}

impl<'a> Writer<'a> {
    /// A writer that starts at the first byte of `out`.
    #[must_use]
    pub fn new(out: &'a mut [u8]) -> Self {
        Self { out, at: 0 }
    }

    /// Write one byte.
    ///
    /// # Errors
    /// [`Full`] when it does not fit.
    #[inline]
    pub fn u8(&mut self, value: u8) -> Result<(), Full> {
        self.bytes(&[value])
    }

    /// Write a little-endian `u16`.
    ///
    /// # Errors
    /// [`Full`] when it does not fit.
    #[inline]
    pub fn u16(&mut self, value: u16) -> Result<(), Full> {
        self.bytes(&value.to_le_bytes())
    }

    /// Write a little-endian `i16`.
    ///
    /// # Errors
    /// [`Full`] when it does not fit.
    #[inline]
    pub fn i16(&mut self, value: i16) -> Result<(), Full> {
        self.bytes(&value.to_le_bytes())
    }

    /// Write a little-endian `u32`.
    ///
    /// # Errors
    /// [`Full`] when it does not fit.
    #[inline]
    pub fn u32(&mut self, value: u32) -> Result<(), Full> {
        self.bytes(&value.to_le_bytes())
    }

    /// Write a little-endian `i32`.
    ///
    /// # Errors
    /// [`Full`] when it does not fit.
    #[inline]
    pub fn i32(&mut self, value: i32) -> Result<(), Full> {
        self.bytes(&value.to_le_bytes())
    }

    /// Write `bytes` as they are.
    ///
    /// # Errors
    /// [`Full`] when they do not fit.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Full> {
        self.claim(bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    /// Write `len` zero bytes.
    ///
    /// # Errors
    /// [`Full`] when they do not fit.
    #[inline]
    pub fn zeros(&mut self, len: usize) -> Result<(), Full> {
        self.claim(len)?.fill(0);
        Ok(())
    }

    /// Write zero bytes until the position is a multiple of `n`; `n` of 0 or 1 writes none.
    ///
    /// # Errors
    /// [`Full`] when they do not fit.
    pub fn align(&mut self, n: usize) -> Result<(), Full> {
        match self.at.checked_rem(n) {
            None | Some(0) => Ok(()),
            Some(over) => self.zeros(n - over),
        }
    }

    /// Overwrite four bytes that are already written, at `offset`, with a `u32`.
    ///
    /// For tables whose values are known only after what follows them.
    ///
    /// # Errors
    /// [`Full`] when `offset + 4` is past the position.
    pub fn patch_u32(&mut self, offset: usize, value: u32) -> Result<(), Full> {
        let full = Full {
            at: offset,
            len: 4,
            room: self.at,
        };
        let written = self.out.get_mut(..self.at).ok_or(full)?;
        let place = written.get_mut(offset..).ok_or(full)?;
        *place.first_chunk_mut().ok_or(full)? = value.to_le_bytes();
        Ok(())
    }

    /// The next `len` bytes, for the caller to fill; the position moves past them.
    ///
    /// They hold whatever the slice held before.
    ///
    /// # Errors
    /// [`Full`] when they do not fit.
    #[inline]
    pub fn claim(&mut self, len: usize) -> Result<&mut [u8], Full> {
        let room = self.out.len();
        let at = self.at;
        match self.out.get_mut(at..).and_then(|rest| rest.get_mut(..len)) {
            Some(place) => {
                self.at += len;
                Ok(place)
            }
            None => Err(Full { at, len, room }),
        }
    }

    /// All that is not written yet; use with [`Writer::claim`] to advance.
    #[inline]
    pub fn rest(&mut self) -> &mut [u8] {
        self.out.get_mut(self.at..).unwrap_or_default()
    }

    /// What is written so far.
    #[inline]
    #[must_use]
    pub fn written(&self) -> &[u8] {
        self.out.get(..self.at).unwrap_or_default()
    }

    /// What is written so far, to be changed in place.
    #[inline]
    pub fn written_mut(&mut self) -> &mut [u8] {
        self.out.get_mut(..self.at).unwrap_or_default()
    }

    /// Number of bytes written, which is the offset of the next value.
    #[inline]
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// End writing: the number of bytes written.
    #[inline]
    #[must_use]
    pub fn finish(self) -> usize {
        self.at
    }
}

/// Entry `n` is byte `n` pushed through eight steps of the reflected CRC with `polynomial`.
pub(crate) const fn crc_table(polynomial: u32) -> [u32; 256] {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut value = n as u32;
        let mut bit = 0;
        while bit < 8 {
            value = (value >> 1) ^ (polynomial & (value & 1).wrapping_neg());
            bit += 1;
        }
        table[n] = value;
        n += 1;
    }
    table
}

/// One byte through a reflected table CRC.
#[inline]
pub(crate) fn crc_step(table: &[u32; 256], state: u32, byte: u8) -> u32 {
    // Masked to the table's length, so the bounds check disappears.
    table[((state ^ u32::from(byte)) & 0xFF) as usize] ^ (state >> 8)
}

static CRC32: [u32; 256] = crc_table(0xEDB8_8320);

/// The common CRC-32 (reflected `EDB88320`, start and final XOR all ones), fed in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crc32 {
    state: u32,
}

impl Crc32 {
    /// Nothing fed yet; [`Crc32::finish`] would answer 0.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: !0 }
    }

    /// Feed more bytes.
    #[inline]
    pub fn update(&mut self, bytes: &[u8]) {
        self.state = bytes
            .iter()
            .fold(self.state, |state, &byte| crc_step(&CRC32, state, byte));
    }

    /// Feed numbers, each as a little-endian word of 32 bits.
    pub(crate) fn words<T: Into<i64>>(&mut self, words: impl IntoIterator<Item = T>) {
        for word in words {
            // Nothing that is fed is wider.
            self.update(&(word.into() as u32).to_le_bytes());
        }
    }

    /// Feed bytes behind their number.
    pub(crate) fn run(&mut self, bytes: &[u8]) {
        self.words([bytes.len() as u32]);
        self.update(bytes);
    }

    /// The checksum of all that was fed; feeding may go on.
    #[must_use]
    pub const fn finish(&self) -> u32 {
        !self.state
    }
}

impl Default for Crc32 {
    fn default() -> Self {
        Self::new()
    }
}

/// The common CRC-32 of `bytes`: `crc32(b"123456789")` is `CBF43926`.
#[must_use]
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc32::new();
    crc.update(bytes);
    crc.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_are_little_endian_at_any_offset() {
        let data = [0x01, 0x80, 0xFF, 0x7F, 0xFE];
        assert_eq!(u8_at(&data, 4), Some(0xFE));
        assert_eq!(u16_at(&data, 1), Some(0xFF80));
        assert_eq!(i16_at(&data, 1), Some(-128));
        assert_eq!(u32_at(&data, 1), Some(0xFE7F_FF80));
        assert_eq!(i32_at(&data, 1), Some(-25_165_952));
        assert_eq!(slice_at(&data, 1, 2), Some(&[0x80, 0xFF][..]));
    }

    #[test]
    fn nothing_is_read_past_the_end() {
        let data = [0; 4];
        assert_eq!(u8_at(&data, 4), None);
        assert_eq!(u16_at(&data, 3), None);
        assert_eq!(u32_at(&data, 1), None);
        assert_eq!(u32_at(&data, usize::MAX), None);
        assert_eq!(slice_at(&data, 4, 0), Some(&[][..]));
        assert_eq!(slice_at(&data, 5, 0), None);
        assert_eq!(slice_at(&data, 1, usize::MAX), None);
    }

    #[test]
    fn words_are_seen_in_place_and_only_on_a_boundary() {
        #[repr(align(4))]
        struct Aligned([u8; 16]);
        let data = Aligned(core::array::from_fn(|n| n as u8));
        let data = &data.0;
        let first = [0x0302_0100, 0x0706_0504];
        assert_eq!(
            words::<2>(data),
            Ok(&[first, [0x0B0A_0908, 0x0F0E_0D0C]][..])
        );
        assert_eq!(words::<2>(&data[..15]), Ok(&[first][..]));
        assert_eq!(words::<1>(&data[4..8]), Ok(&[[0x0706_0504]][..]));
        for over in 1..4 {
            assert_eq!(words::<2>(&data[over..]), Err(Misaligned { over }));
            assert_eq!(words::<2>(&data[over..over]), Ok(&[][..]));
            assert_eq!(words::<2>(&data[over..over + 7]), Ok(&[][..]));
        }
    }

    #[test]
    fn the_writer_refuses_whole_values() {
        let mut room = [0xAA; 9];
        let mut out = Writer::new(&mut room);
        out.u8(1).unwrap();
        out.align(4).unwrap();
        out.u16(0x0302).unwrap();
        out.patch_u32(0, 0x0706_0504).unwrap();
        assert_eq!(out.patch_u32(3, 0).unwrap_err().room, 6);
        assert_eq!(
            out.u32(0),
            Err(Full {
                at: 6,
                len: 4,
                room: 9
            })
        );
        assert_eq!(out.rest().len(), 3);
        assert_eq!(out.position(), 6);
        assert_eq!(out.finish(), 6);
        assert_eq!(room, [4, 5, 6, 7, 2, 3, 0xAA, 0xAA, 0xAA]);
    }

    #[test]
    fn crc_of_the_check_string() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
        let mut pieces = Crc32::default();
        pieces.update(b"1234");
        pieces.update(b"56789");
        assert_eq!(pieces.finish(), 0xCBF4_3926);
    }
}
