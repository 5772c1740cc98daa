//! Records of a fixed size, read in place at any alignment.

use core::fmt;
use core::marker::PhantomData;

use crate::bytes::{Full, Writer};

/// A record of a fixed number of bytes that keeps every bit of them.
pub trait Record: Copy {
    /// Bytes on disk.
    const BYTES: usize;

    /// From the bytes on disk; what is missing at the end reads as zero.
    fn read(bytes: &[u8]) -> Self;

    /// The bytes on disk.
    ///
    /// # Errors
    /// [`Full`] when they do not fit.
    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full>;
}

impl Record for u32 {
    const BYTES: usize = 4;

    fn read(bytes: &[u8]) -> Self {
        Fields(bytes).u32()
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        out.u32(*self)
    }
}

/// Takes little-endian values one after the other; zero behind the end.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => {
                self.0 = &[];
                [0; N]
            }
        }
    }

    pub(super) fn u8(&mut self) -> u8 {
        let [byte] = self.take();
        byte
    }

    pub(super) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    pub(super) fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    pub(super) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub(super) fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    pub(super) fn u32s<const N: usize>(&mut self) -> [u32; N] {
        core::array::from_fn(|_| self.u32())
    }

    pub(super) fn i32s<const N: usize>(&mut self) -> [i32; N] {
        core::array::from_fn(|_| self.i32())
    }

    pub(super) fn u16s<const N: usize>(&mut self) -> [u16; N] {
        core::array::from_fn(|_| self.u16())
    }
}

/// A run of records where they lie.
pub struct Table<'a, R> {
    data: &'a [u8],
    records: PhantomData<R>,
}

impl<R> Clone for Table<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Table<'_, R> {}

impl<R: Record + fmt::Debug> fmt::Debug for Table<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, R: Record> Table<'a, R> {
    /// The whole records of `data`.
    #[must_use]
    pub const fn new(data: &'a [u8]) -> Self {
        Self {
            data,
            records: PhantomData,
        }
    }

    /// Number of records.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.data.len() / R::BYTES
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.data
    }

    /// One record.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<R> {
        let start = index.checked_mul(R::BYTES)?;
        Some(R::read(self.data.get(start..)?.get(..R::BYTES)?))
    }

    /// All records in order.
    pub fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = R> + DoubleEndedIterator + Clone + use<'a, R> {
        self.data.chunks_exact(R::BYTES).map(R::read)
    }
}
