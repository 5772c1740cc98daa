//! What a machine must offer, and nothing else.
//!
//! Each trait has one or two required methods; the rest have defaults that a machine
//! overrides where its hardware does better. The geometry engine is not here: its trait,
//! [`crate::gte::Geometry`], stands beside the software model that defines its results.

use core::fmt;

/// Bytes of user data in one Mode 2 Form 1 sector (disc sheet, section 1).
pub const SECTOR: usize = 2048;

/// The user data of one sector.
pub type Sector = [u8; SECTOR];

/// A drive that delivers the sectors of one run in order.
///
/// The shape is the retail transport's (disc sheet, section 5): set a location, then one
/// completion a sector. The drive goes on reading between the calls. At most one run is open; [`Drive::start`] ends the one before.
pub trait Drive {
    /// What can go wrong; printed as it is, so it should say where.
    type Error: fmt::Debug + fmt::Display;

    /// Begin to read `sectors` sectors from logical block `lba` on.
    ///
    /// # Errors
    /// The place is not on the disc, or the drive does not answer in time.
    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), Self::Error>;

    /// Deliver the next sector of the run into `out`.
    ///
    /// A machine with DMA reads straight into `out` if its address is a multiple of four.
    ///
    /// # Errors
    /// No run is open or it is used up, the sector is not Form 1 data, it cannot be read,
    /// or the drive does not answer in time.
    fn sector(&mut self, out: &mut Sector) -> Result<(), Self::Error>;

    /// Whether [`Drive::sector`] would answer without waiting for the disc.
    ///
    /// A drive that reads on by itself says `false` while the next sector is on its way: there
    /// is time for other work, but a ready sector is lost, and read again, when it is not taken
    /// before the one after it arrives. Drives for which that is all one keep the default.
    fn ready(&mut self) -> bool {
        true
    }

    /// End the run early. Does nothing when none is open.
    ///
    /// # Errors
    /// The drive does not answer in time.
    fn stop(&mut self) -> Result<(), Self::Error>;

    /// Read `out.len()` sectors from `lba` on; empty `out` reads nothing.
    ///
    /// # Errors
    /// As [`Drive::start`] and [`Drive::sector`].
    fn read(&mut self, lba: u32, out: &mut [Sector]) -> Result<(), Self::Error> {
        if out.is_empty() {
            return Ok(());
        }
        self.start(lba, u32::try_from(out.len()).unwrap_or(u32::MAX))?;
        for sector in out {
            self.sector(sector)?;
        }
        self.stop()
    }
}

/// A GPU that takes the PlayStation's packets.
pub trait Screen {
    /// What can go wrong.
    type Error: fmt::Debug + fmt::Display;

    /// The 24-bit address by which the GPU's DMA sees the first of these words.
    ///
    /// Machines without DMA answer 0: links are then offsets from the first word.
    fn bus_address(&self, words: &[u32]) -> u32;

    /// Copy 16-bit pixels (little-endian, row by row, `2 * w * h` bytes) to VRAM.
    ///
    /// `x` and `w` are in 16-bit units, 0..1024; `y` and `h` in lines, 0..512.
    ///
    /// # Errors
    /// The rectangle leaves VRAM, `pixels` has another length, or the GPU does not answer in time.
    fn upload(&mut self, x: u16, y: u16, w: u16, h: u16, pixels: &[u8]) -> Result<(), Self::Error>;

    /// Execute the linked list that begins at word `first` of `list` (HAL sheet, section 4)
    /// into the back buffer and wait until all is drawn.
    ///
    /// # Errors
    /// The list leaves `list` or never ends, or the GPU does not answer in time.
    fn draw(&mut self, list: &[u32], first: usize) -> Result<(), Self::Error>;

    /// Wait for the vertical blank, show the back buffer and make the other one the back buffer,
    /// cleared to the background colour.
    ///
    /// # Errors
    /// No vertical blank came in time.
    fn present(&mut self) -> Result<(), Self::Error>;

    /// Turn `table` into an empty ordering table: entry 0 is the end mark `00FF_FFFF`, entry
    /// `n` holds the bus address of entry `n - 1`; `base` is the bus address of entry 0.
    fn clear_table(&mut self, table: &mut [u32], base: u32) {
        clear_table(table, base);
    }
}

/// A screen that is none, to make display lists for: it lends empty tables, and shows nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoScreen;

impl Screen for NoScreen {
    type Error = &'static str;

    fn bus_address(&self, _: &[u32]) -> u32 {
        0
    }

    fn upload(&mut self, _: u16, _: u16, _: u16, _: u16, _: &[u8]) -> Result<(), Self::Error> {
        Err("there is no screen")
    }

    fn draw(&mut self, _: &[u32], _: usize) -> Result<(), Self::Error> {
        Err("there is no screen")
    }

    fn present(&mut self) -> Result<(), Self::Error> {
        Err("there is no screen")
    }
}

/// The end mark of a GPU linked list (HAL sheet, section 4).
pub const LIST_END: u32 = 0x00FF_FFFF;

/// What OTC DMA does, in software: see [`Screen::clear_table`].
pub fn clear_table(table: &mut [u32], base: u32) {
    let mut link = LIST_END;
    let mut address = base;
    for entry in table {
        *entry = link;
        link = address & 0x00FF_FFFF;
        address = address.wrapping_add(4);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_table_links_each_entry_to_the_one_before() {
        let mut table = [0; 4];
        clear_table(&mut table, 0x0010_0000);
        assert_eq!(table, [LIST_END, 0x0010_0000, 0x0010_0004, 0x0010_0008]);
    }
}
