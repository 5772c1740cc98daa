//! The bit stream: least significant bit first, fields of 1 to 18 bits (FF8 sheet, sections 5 and 6).

use super::Error;

/// Bytes of the word that bits are taken from: the machine's own.
const BYTES: usize = size_of::<usize>();
const BITS: u32 = usize::BITS;

/// Lengths of a location field by its two type bits, a byte each: type and value together.
const LOCATION: u32 = u32::from_le_bytes([5, 8, 11, 18]);
/// Lengths of a rotation field by its presence bit and its two type bits, a nibble each.
const ROTATION: u32 = 0xF1B1_9161;
/// The same, a byte each: shifts by one need nothing cut off.
const ROTATIONS: u64 = u64::from_le_bytes([1, 6, 1, 9, 1, 11, 1, 15]);
/// How far the value of a rotation field at the top of 64 bits is from their bottom; an absent one leaves its bit,
/// which is zero.
const ROTATION_SHIFTS: u64 = u64::from_le_bytes([63, 61, 63, 58, 63, 56, 63, 52]);
/// Bits of a scale field that is there.
const SCALE: u32 = 17;
/// The longest field.
pub(super) const LONGEST: u32 = 18;

/// A value's number of bits by its type (section 6): of locations and of rotations.
pub const LOCATION_WIDTHS: [u8; 4] = [3, 6, 9, 16];
/// See [`LOCATION_WIDTHS`].
pub const ROTATION_WIDTHS: [u8; 4] = [3, 6, 8, 12];

/// Reads bits, whole words at a time; never touches a byte outside of its slice.
///
/// Exact at the end: the last bit can be read; where a field needs one bit more, the answer is `None` and nothing
/// is taken.
#[derive(Clone, Copy, Debug)]
pub struct BitReader<'a> {
    /// How many bytes there are in all.
    all: usize,
    /// Bytes that did not go into the word yet.
    rest: &'a [u8],
    /// The next bits, the next one lowest. Above the bits that count it holds what will be read there again.
    word: usize,
    /// How many of them count.
    have: u32,
}

impl<'a> BitReader<'a> {
    /// A reader of `data` that starts at a bit (0 to 7) of a byte. Past the end there is nothing to read.
    #[inline]
    #[must_use]
    pub fn new(data: &'a [u8], byte: usize, bit: u8) -> Self {
        let mut reader = Self {
            all: data.len(),
            rest: data.get(byte..).unwrap_or_default(),
            word: 0,
            have: 0,
        };
        reader.fill();
        let bit = u32::from(bit & 7).min(reader.have);
        _ = reader.take::<true>(bit);
        reader
    }

    /// Byte and bit of the next bit.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> (usize, u8) {
        // No more bits are held than came from the bytes before.
        let back = self.have.div_ceil(8) as usize;
        (
            self.all
                .saturating_sub(self.rest.len())
                .saturating_sub(back),
            (self.have.wrapping_neg() & 7) as u8,
        )
    }

    /// How many bits there are from here to the end, at most 2^32 - 1.
    #[inline]
    #[must_use]
    pub const fn left(&self) -> usize {
        self.rest
            .len()
            .saturating_mul(8)
            .saturating_add(self.have as usize)
    }

    /// Make so many bits available, if there are as many. Fields ask for no more than they can have: where a word
    /// has 32 bits, that saves every other filling.
    #[inline(always)]
    fn need(&mut self, bits: u32) {
        if self.have < bits {
            self.fill();
        }
    }

    /// As many whole bytes into the word as it has room for.
    #[inline(always)]
    fn fill(&mut self) {
        let Some(bytes) = self.rest.first_chunk::<BYTES>() else {
            (self.word, self.have, self.rest) = filled_slowly(self.rest, self.word, self.have);
            return;
        };
        self.word |= usize::from_le_bytes(*bytes).wrapping_shl(self.have);
        // The remainder is no other number, but says that the bytes are there.
        let bytes = (!self.have / 8) as usize % BYTES;
        self.rest = self.rest.get(bytes..).unwrap_or_default();
        // All but the seven highest bits count then, at least.
        self.have |= BITS - 8;
    }

    /// The next `length` bits as they stand at the top of 32, and the reader behind them. Unless it is `CHECKED` they
    /// must be there.
    #[inline(always)]
    fn take<const CHECKED: bool>(&mut self, length: u32) -> Option<u32> {
        if CHECKED && length > self.have {
            return None;
        }
        let top = (self.word as u32).wrapping_shl(length.wrapping_neg());
        self.word = self.word.wrapping_shr(length);
        self.have = self.have.wrapping_sub(length);
        Some(top)
    }

    /// The location field that starts with the next bit, which is available as far as it is there.
    #[inline(always)]
    fn taken_location<const CHECKED: bool>(&mut self) -> Option<i16> {
        let length = LOCATION.wrapping_shr((self.word as u32 & 3) << 3) & 0x1F;
        let top = self.take::<CHECKED>(length)?;
        // The value's bits are all but the two lowest of the field.
        Some((top as i32).wrapping_shr(34_u32.wrapping_sub(length)) as i16)
    }

    /// As [`BitReader::taken_location`], of a rotation.
    #[inline(always)]
    fn taken_rotation<const CHECKED: bool>(&mut self) -> Option<i16> {
        let length = ROTATION.wrapping_shr((self.word as u32 & 7) << 2) & 0xF;
        let top = self.take::<CHECKED>(length)?;
        // All but the three lowest; of an absent one there is only a zero.
        Some((top as i32).wrapping_shr(35_u32.wrapping_sub(length)) as i16)
    }

    /// As [`BitReader::taken_location`], of a scale.
    #[inline(always)]
    fn taken_scale<const CHECKED: bool>(&mut self) -> Option<i16> {
        let length = match self.word & 1 {
            0 => 1,
            _ => SCALE,
        };
        let top = self.take::<CHECKED>(length)?;
        // All but the lowest; of an absent one there is only a zero.
        Some(((top as i32 >> 16) as i16).wrapping_add(1024))
    }

    /// One location field: its change.
    #[inline(always)]
    pub fn location(&mut self) -> Option<i16> {
        self.need(LONGEST);
        self.taken_location::<true>()
    }

    /// One rotation field: its change, 0 if it is absent.
    #[inline(always)]
    pub fn rotation(&mut self) -> Option<i16> {
        self.need(15);
        self.taken_rotation::<true>()
    }

    /// One scale channel, 1024 if it is absent. A value above the range of 16 bits wraps.
    #[inline(always)]
    pub fn scale(&mut self) -> Option<i16> {
        self.need(SCALE);
        self.taken_scale::<true>()
    }

    /// Three fields in a row, each of at most `longest` bits. Where all three are there and fit the word, it is
    /// filled once for them.
    #[inline(always)]
    fn three<const CHECKED: bool>(
        &mut self,
        longest: u32,
        field: impl Fn(&mut Self) -> Option<i16>,
    ) -> Option<[i16; 3]> {
        // After filling, all but the seven highest bits count.
        let at_once = !CHECKED && 3 * longest <= BITS - 7;
        if at_once {
            self.need(3 * longest);
        }
        let mut out = [0; 3];
        for value in &mut out {
            if !at_once {
                self.need(longest);
            }
            *value = field(self)?;
        }
        Some(out)
    }

    /// [`BitReader::location`] thrice. Unless it is `CHECKED`, as many bits must be left as the fields may have: no
    /// test is made then, and where they are missing the numbers mean nothing.
    #[inline(always)]
    pub(super) fn locations<const CHECKED: bool>(&mut self) -> Option<[i16; 3]> {
        self.three::<CHECKED>(LONGEST, Self::taken_location::<CHECKED>)
    }

    /// As [`BitReader::locations`], of a bone's rotations.
    #[inline(always)]
    pub(super) fn rotations<const CHECKED: bool>(&mut self) -> Option<[i16; 3]> {
        self.three::<CHECKED>(15, Self::taken_rotation::<CHECKED>)
    }

    /// [`BitReader::rotations`] of all bones, unchecked, added to the sums; for machines whose words have 64 bits,
    /// where three fields and the rest of a byte go into one.
    ///
    /// What a field costs is what the next one waits for: its length, and one rotation of the word. The field stands
    /// at the word's top then, and is cut out beside. Counts of bits are right modulo 64 only, as shifts take them.
    #[inline(always)]
    pub(super) fn add_rotations(&mut self, sums: &mut [[i16; 3]], part: impl Fn(i16) -> i16) {
        // A compiler that knows the numbers cuts each length off before it shifts by it.
        let (lengths, shifts) = core::hint::black_box((ROTATIONS, ROTATION_SHIFTS));
        let length = |word: usize| lengths.wrapping_shr((word as u32) << 3) as u32;
        let shift = |word: usize| shifts.wrapping_shr((word as u32) << 3) as u32;
        let mut it = *self;
        // At every bone's start there are 41 bits: for two fields, and what tells the third one's length.
        it.need(41);
        for [x, y, z] in sums {
            let a = length(it.word);
            let one = it.word.rotate_right(a);
            *x = x.wrapping_add(part((one as isize).wrapping_shr(shift(it.word)) as i16));
            let b = length(one);
            let two = one.rotate_right(b);
            *y = y.wrapping_add(part((two as isize).wrapping_shr(shift(one)) as i16));
            let c = length(two);
            let ab = a.wrapping_add(b);
            it.word = it.word.wrapping_shr(ab);
            it.have = it.have.wrapping_sub(ab);
            // Now, not at the bone's end: nothing here waits for the third length, which is being looked up.
            it.fill();
            let three = it.word.wrapping_shl(c.wrapping_neg()) as isize;
            *z = z.wrapping_add(part(three.wrapping_shr(3_u32.wrapping_sub(c)) as i16));
            it.word = it.word.wrapping_shr(c);
            it.have = it.have.wrapping_sub(c);
        }
        it.have %= BITS;
        *self = it;
    }

    /// As [`BitReader::locations`], of a bone's scales.
    #[inline(always)]
    pub(super) fn scales<const CHECKED: bool>(&mut self) -> Option<[i16; 3]> {
        self.three::<CHECKED>(SCALE, Self::taken_scale::<CHECKED>)
    }

    /// The next `count` bits (1 to 18), unsigned.
    #[inline]
    #[must_use]
    pub fn bits(&mut self, count: u32) -> Option<u32> {
        let count = count.clamp(1, LONGEST);
        self.need(count);
        Some(self.take::<true>(count)?.wrapping_shr(count.wrapping_neg()))
    }

    /// The next `count` bits (1 to 18), signed.
    #[inline]
    pub fn signed(&mut self, count: u32) -> Option<i32> {
        let count = count.clamp(1, LONGEST);
        self.need(count);
        Some((self.take::<true>(count)? as i32).wrapping_shr(count.wrapping_neg()))
    }
}

/// [`BitReader::fill`] where less than a word is left: the word, how many of its bits count, at most all but one, and
/// the bytes behind it.
///
/// By value: what a call could reach would not stay in registers.
#[cold]
#[inline(never)]
fn filled_slowly(mut rest: &[u8], mut word: usize, have: u32) -> (usize, u32, &[u8]) {
    let mut have = have % BITS;
    // The bits above those that count came from bytes that are taken now.
    word &= usize::MAX.checked_shr(BITS - have).unwrap_or(0);
    while have + 8 < BITS
        && let Some((&byte, behind)) = rest.split_first()
    {
        word |= usize::from(byte).wrapping_shl(have);
        have += 8;
        rest = behind;
    }
    (word, have, rest)
}

/// Writes bits, the first one lowest; the last byte is filled up with zeros.
#[derive(Debug)]
pub struct BitWriter<'a> {
    out: &'a mut [u8],
    /// Bits written.
    at: usize,
}

impl<'a> BitWriter<'a> {
    /// A writer that starts at bit 0 of `out`.
    #[must_use]
    pub const fn new(out: &'a mut [u8]) -> Self {
        Self { out, at: 0 }
    }

    /// Bits written so far.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Write the low `count` bits (up to 18) of `value`.
    ///
    /// # Errors
    /// [`Error::OutputTooSmall`]; what is written so far stays.
    pub fn bits(&mut self, value: u32, count: u32) -> Result<(), Error> {
        let count = count.min(LONGEST);
        let (byte, bit) = (self.at / 8, (self.at % 8) as u32);
        let room = self.out.len();
        let bytes = (bit + count).div_ceil(8) as usize;
        let full = Error::OutputTooSmall { room };
        let place = self.out.get_mut(byte..).ok_or(full)?;
        let place = place.get_mut(..bytes).ok_or(full)?;
        let value = (value & ((1 << count) - 1)) << bit;
        for (index, (place, new)) in place.iter_mut().zip(value.to_le_bytes()).enumerate() {
            // What is before the first bit stays.
            let kept = if index == 0 {
                *place & ((1 << bit) - 1)
            } else {
                0
            };
            *place = kept | new;
        }
        self.at += count as usize;
        Ok(())
    }

    /// The bytes that bits were written to.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.at.div_ceil(8)
    }
}
