//! Q12 numbers (4096 is 1.0), angles (4096 a turn), vectors, matrices and the sine table.
//!
//! Two ways to build a rotation exist and they differ in the last unit: the single-axis
//! builders that a pose is composed with ([`Matrix::turned`], which is [`Matrix::rotation_x`] and its
//! siblings together with [`Matrix::multiply`]; or the geometry engine), and the Euler builder of
//! actors and views ([`Matrix::euler`]).

mod matrix;
mod sine;

pub use matrix::Matrix;
pub use sine::{cos, cos_rounded, cos_sin, sin, sin_rounded};

/// An angle in 4096ths of a turn; only the low 12 bits count.
pub type Angle = u16;

/// 1.0 as a Q12 number.
pub const ONE: i16 = 4096;

/// A vertex, normal or offset: three signed 16-bit components and padding, 8 bytes.
///
/// The layout is that of two GTE registers (VXY, VZ), so a machine may load it in two words.
///
/// Two are equal if their components are; the padding does not count.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(4))]
pub struct SVector {
    /// X component.
    pub x: i16,
    /// Y component.
    pub y: i16,
    /// Z component.
    pub z: i16,
    /// Unused; keeps the size at 8 bytes.
    pub pad: i16,
}

impl PartialEq for SVector {
    fn eq(&self, other: &Self) -> bool {
        (self.x, self.y, self.z) == (other.x, other.y, other.z)
    }
}

impl Eq for SVector {}

impl SVector {
    /// A vector of these components, padding zero.
    #[must_use]
    pub const fn new(x: i16, y: i16, z: i16) -> Self {
        Self { x, y, z, pad: 0 }
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for SVector {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "({}, {}, {})", self.x, self.y, self.z);
    }
}

/// Three signed 32-bit components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct Vector {
    /// X component.
    pub x: i32,
    /// Y component.
    pub y: i32,
    /// Z component.
    pub z: i32,
}

impl Vector {
    /// A vector of these components.
    #[must_use]
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }

    /// The sum, each component wrapping at 32 bits.
    #[must_use]
    pub const fn wrapping_add(self, other: Self) -> Self {
        Self {
            x: self.x.wrapping_add(other.x),
            y: self.y.wrapping_add(other.y),
            z: self.z.wrapping_add(other.z),
        }
    }
}
