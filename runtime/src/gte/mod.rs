//! The geometry engine (COP2): what the game asks of it, and the software model that says
//! to the bit what the answer is (GTE sheet).
//!
//! [`Geometry`] is what drawing code is generic over: on the console its methods are COP2
//! instructions, elsewhere they run [`software::Gte`]. [`Registers`] is the register file and
//! the 22 commands, the face that the oracle tests compare.

pub mod division;
pub mod software;

use crate::fixed::{Matrix, SVector, Vector};

/// Three projected vertices in the packed form the GPU takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Triangle {
    /// Screen position of each vertex: x in the low half, y in the high half, both signed.
    pub sxy: [u32; 3],
    /// FLAG after the command (GTE sheet, 1.3); bit 31 summarises the errors.
    pub flag: u32,
}

/// One projected vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// Screen position: x in the low half, y in the high half, both signed.
    pub sxy: u32,
    /// FLAG after the command.
    pub flag: u32,
}

/// What the game asks of a geometry engine.
///
/// State set by one call stays until the next call that sets it, as in the chip: rotation,
/// translation and screen are the RT, TR, OFX, OFY and H registers; projected vertices stay in
/// the screen and depth FIFOs for [`Geometry::normal_clip`] and the averages.
pub trait Geometry {
    /// Set the rotation matrix RT (Q12).
    fn set_rotation(&mut self, matrix: &Matrix);
    /// Set the translation TR (the unit of the vertices).
    fn set_translation(&mut self, translation: &Vector);
    /// Set the screen: centre in 16.16 pixels, projection distance H in pixels (0..65535).
    fn set_screen(&mut self, ofx: i32, ofy: i32, h: u16);
    /// Set the factors of [`Geometry::average3`] and [`Geometry::average4`] (Q12).
    fn set_average(&mut self, zsf3: i16, zsf4: i16);
    /// RTPT: rotate, translate and project three vertices.
    fn project3(&mut self, v: [&SVector; 3]) -> Triangle;
    /// RTPS: the same for one vertex; pushes the screen and depth FIFOs once.
    fn project(&mut self, v: &SVector) -> Point;
    /// NCLIP on the last three projected vertices: twice the signed area, positive when they
    /// run clockwise on the screen (y down).
    fn normal_clip(&mut self) -> i32;
    /// AVSZ3 over the last three depths: ordering-table depth 0..65535.
    fn average3(&mut self) -> u16;
    /// AVSZ4 over the last four depths.
    fn average4(&mut self) -> u16;
    /// MVMVA with RT, no translation, sf = 1, lm = 0: `RT * v >> 12`; each component saturated
    /// to 16 bits (IR).
    fn rotate(&mut self, v: &SVector) -> SVector;
    /// MVMVA with RT and TR, sf = 1, lm = 0: `TR + (RT * v >> 12)`, 32 bits (MAC, not saturated).
    fn transform(&mut self, v: &SVector) -> Vector;

    /// `RT * m`, column by column with [`Geometry::rotate`]: every cell is a three-term sum
    /// shifted right by 12 once and saturated to 16 bits. RT itself stays as it is.
    fn multiply(&mut self, m: &Matrix) -> Matrix {
        let columns = [
            self.rotate(&m.column(0)),
            self.rotate(&m.column(1)),
            self.rotate(&m.column(2)),
        ];
        Matrix::from_columns(columns)
    }
}

/// The register file, as `mtc2`, `ctc2`, `mfc2`, `cfc2` and a COP2 command reach it.
///
/// Registers are numbered 0..63: data 0..31, control 32..63 (GTE sheet, section 1). Numbers
/// above 63 are taken modulo 64.
pub trait Registers {
    /// Write a register with the side effects of the sheet's tables.
    fn write(&mut self, register: u8, value: u32);
    /// Read a register as the CPU would see it.
    fn read(&mut self, register: u8) -> u32;
    /// Run a command: the whole instruction word, or its low 25 bits.
    fn command(&mut self, word: u32);
}
