//! The geometry engine (COP2): what the game asks of it, and the software model that says
//! to the bit what the answer is (GTE sheet).
//!
//! [`Geometry`], with [`Lighting`] in it, is what drawing code is generic over: on the console its
//! methods are COP2 instructions, elsewhere they run [`software::Gte`]. [`Registers`] is the register file and
//! the 22 commands, the face that the oracle tests compare.

pub mod division;
mod lighting;
mod run;
pub mod software;

pub use lighting::{Lighting, Shade};
pub use run::{Done, Run};

use crate::fixed::{Angle, Matrix, SVector, Vector};

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

/// A vertex as it lies in a mesh: y and x, then padding and z. What the chip loads as VXY and VZ.
pub type RawVertex = [u32; 2];

/// The vector that a raw vertex holds.
#[inline]
#[must_use]
pub const fn unpack([xy, z]: RawVertex) -> SVector {
    SVector {
        x: xy as i16,
        y: (xy >> 16) as i16,
        z: z as i16,
        pad: (z >> 16) as i16,
    }
}

/// The matrix with these columns, of which only the low halves count.
#[inline]
#[must_use]
pub const fn matrix_of([a, b, c]: [[u32; 3]; 3]) -> Matrix {
    Matrix {
        m: [
            [a[0] as i16, b[0] as i16, c[0] as i16],
            [a[1] as i16, b[1] as i16, c[1] as i16],
            [a[2] as i16, b[2] as i16, c[2] as i16],
        ],
    }
}

/// The matrix of a row of five registers: two cells in each, the first in the low half, and the ninth
/// in the low half of the last.
#[inline]
#[must_use]
pub const fn matrix_of_registers([a, b, c, d, e]: [u32; 5]) -> Matrix {
    const fn high(word: u32) -> i16 {
        (word >> 16) as i16
    }
    Matrix {
        m: [
            [a as i16, high(a), b as i16],
            [high(b), c as i16, high(c)],
            [d as i16, high(d), e as i16],
        ],
    }
}

/// A matrix of the engine, for [`Geometry::apply`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// RT, of [`Geometry::set_rotation`].
    Rotation,
    /// L, of [`Lighting::set_light`].
    Light,
    /// LC, of [`Lighting::set_light_colour`].
    LightColour,
}

/// What [`Geometry::apply`] adds to the product. The far colour is not among them: the chip does
/// something else with it (GTE sheet, 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addend {
    /// TR, of [`Geometry::set_translation`].
    Translation,
    /// BK, of [`Lighting::set_background`].
    Background,
    /// Nothing.
    Nothing,
}

impl Factor {
    /// All of them, in the order of the field mx of MVMVA.
    pub const ALL: [Self; 3] = [Self::Rotation, Self::Light, Self::LightColour];
}

impl Addend {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Translation, Self::Background, Self::Nothing];
}

/// The instruction word of MVMVA with this matrix and addend, V0, sf = 1 and lm = 0 (GTE sheet,
/// section 2).
#[must_use]
pub const fn mvmva(factor: Factor, addend: Addend) -> u32 {
    let mx = match factor {
        Factor::Rotation => 0,
        Factor::Light => 1,
        Factor::LightColour => 2,
    };
    let cv = match addend {
        Addend::Translation => 0,
        Addend::Background => 1,
        Addend::Nothing => 3,
    };
    0x4A48_0012 | mx << 17 | cv << 13
}

/// What the game asks of a geometry engine.
///
/// State set by one call stays until the next call that sets it, as in the chip: rotation,
/// translation and screen are the RT, TR, OFX, OFY and H registers; projected vertices stay in
/// the screen and depth FIFOs for [`Geometry::normal_clip`] and the averages.
///
/// # Drawing
/// A polygon is projected in steps between which the caller has other work, for the chip computes
/// while the CPU goes on: triangles by [`begin3`](Geometry::begin3),
/// [`begin_clip`](Geometry::begin_clip), [`clip3`](Geometry::clip3) and
/// [`finish3`](Geometry::finish3); quads by `begin3`, `begin_clip`,
/// [`clip4`](Geometry::clip4) and [`finish4`](Geometry::finish4). The steps of one polygon follow
/// each other in this order; it may be given up after any of them. A machine whose engine does not
/// run by itself computes in the steps that it likes.
pub trait Geometry: Lighting {
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
    /// SZ3: the depth of the last projected vertex, 0..65535.
    fn depth(&mut self) -> u16;
    /// MVMVA with RT, no translation, sf = 1, lm = 0: `RT * v >> 12`; each component saturated
    /// to 16 bits (IR).
    fn rotate(&mut self, v: &SVector) -> SVector;
    /// MVMVA with RT and TR, sf = 1, lm = 0: `TR + (RT * v >> 12)`, 32 bits (MAC, not saturated).
    fn transform(&mut self, v: &SVector) -> Vector;

    /// Set the depth cue: the far colour (8 bits a component; registers RFC, GFC, BFC hold it times
    /// 16), and DQA (Q8) and DQB (Q24), which give IR0 with every projection.
    fn set_cue(&mut self, far: [u8; 3], dqa: i16, dqb: i32);
    /// DPCS, sf = 1, lm = 0: a colour word moved towards the far colour by the IR0 of the last
    /// projected vertex; its highest byte stays.
    fn cue(&mut self, colour: u32) -> u32;
    /// DPCT, sf = 1, lm = 0: [`Geometry::cue`] for three colour words, each with the highest byte of
    /// the first.
    fn cue3(&mut self, colours: [u32; 3]) -> [u32; 3];
    /// MVMVA with a matrix and an addend of one's choice, sf = 1, lm = 0: `addend + (matrix * v >> 12)`,
    /// 32 bits (MAC, not saturated). Meant to be called with constants, which leave one instruction
    /// of the nine.
    fn apply(&mut self, factor: Factor, addend: Addend, v: &RawVertex) -> Vector;

    /// As [`Geometry::rotate`], for a vector that has just been worked out; each component
    /// sign-extended to 32 bits.
    #[inline]
    fn rotate_raw(&mut self, v: RawVertex) -> [u32; 3] {
        let SVector { x, y, z, .. } = self.rotate(&unpack(v));
        [x, y, z].map(|c| c as u32)
    }

    /// As [`Geometry::transform`], for a vector that has just been worked out.
    #[inline]
    fn transform_raw(&mut self, v: RawVertex) -> Vector {
        self.transform(&unpack(v))
    }

    /// As [`Geometry::set_rotation`], from the columns of the matrix; only the low halves count.
    #[inline]
    fn set_columns(&mut self, columns: [[u32; 3]; 3]) {
        self.set_rotation(&matrix_of(columns));
    }

    /// Rotation and place of one piece of an actor, whose own are `rotation` and `place`:
    /// `rotation * Rz * Ry * Rx` and `rotation * t + place`, with `angles` about X, Y and Z (ANM sheet,
    /// section Composition). Each product is shifted right by 12 and its cells saturated to 16 bits, as
    /// MVMVA does it with sf = 1 and lm = 0; the place has 32 bits.
    ///
    /// Both are left in RT and TR. What is in V0..V2, IR1..IR3, MAC1..MAC3 and FLAG then depends on the
    /// machine.
    #[inline]
    fn compose(
        &mut self,
        rotation: &Matrix,
        place: &Vector,
        t: [i16; 3],
        angles: [Angle; 3],
    ) -> (Matrix, Vector) {
        let [x, y, z] = t;
        let turned = rotation.turned(angles);
        let place = rotation
            .transform(&SVector::new(x, y, z))
            .wrapping_add(*place);
        self.set_rotation(&turned);
        self.set_translation(&place);
        (turned, place)
    }

    /// SXY0, SXY1, SXY2: the last three projected vertices, the oldest first.
    fn screen3(&mut self) -> [u32; 3];

    /// As [`Geometry::screen3`], into memory: from the chip without a way through the CPU.
    #[inline]
    fn store_screen3(&mut self, to: [&mut u32; 3]) {
        for (to, xy) in to.into_iter().zip(self.screen3()) {
            *to = xy;
        }
    }

    /// First step of a polygon: start RTPT on its first three vertices.
    #[inline]
    fn begin3(&mut self, v: [&RawVertex; 3]) {
        let [a, b, c] = v.map(|v| unpack(*v));
        self.project3([&a, &b, &c]);
    }

    /// Second step: start NCLIP on the three.
    #[inline]
    fn begin_clip(&mut self) {}

    /// Third step of a triangle: the answer of NCLIP.
    #[inline]
    fn clip3(&mut self) -> i32 {
        self.normal_clip()
    }

    /// Last step of a triangle: the three screen positions, and the depth as of
    /// [`Geometry::average3`].
    #[inline]
    fn finish3(&mut self) -> ([u32; 3], u32) {
        (self.screen3(), self.average3().into())
    }

    /// Third step of a quad: the screen position of the first vertex, the answer of NCLIP, and
    /// RTPS of the fourth vertex is started. [`Geometry::normal_clip`] after it takes the
    /// vertices 1, 2 and 3.
    #[inline]
    fn clip4(&mut self, v: &RawVertex) -> (u32, i32) {
        let [first, _, _] = self.screen3();
        let area = self.normal_clip();
        self.project(&unpack(*v));
        (first, area)
    }

    /// Last step of a quad: the screen positions of vertices 1, 2 and 3, and the depth as of
    /// [`Geometry::average4`].
    #[inline]
    fn finish4(&mut self) -> ([u32; 3], u32) {
        (self.screen3(), self.average4().into())
    }

    /// Project many vertices: position and depth of each, as [`Geometry::project`] and [`Geometry::depth`] have
    /// them, as far as both slices reach. What is in the FIFOs afterwards depends on the machine.
    #[inline]
    fn project_all(&mut self, vertices: &[RawVertex], to: &mut [[u32; 2]]) {
        for (vertex, to) in vertices.iter().zip(to) {
            let point = self.project(&unpack(*vertex));
            *to = [point.sxy, self.depth().into()];
        }
    }

    /// Whether this engine draws objects from a table of their vertices: [`Geometry::tabulate`] and
    /// [`Geometry::polygons`] are its own. Without, it is asked for neither.
    const TABLES: bool = false;

    /// Project all vertices of an object, for [`Geometry::polygons`]; with `cued`, the IR0 of each is wanted as
    /// well. What is in the engine's FIFOs afterwards depends on the machine.
    ///
    /// `spare` is memory that nobody needs until the object is drawn. Answers how many words from its
    /// *end* on are kept for the table, which lies elsewhere if they are none; `None` when the object cannot be
    /// drawn this way.
    #[inline]
    fn tabulate(
        &mut self,
        _vertices: &[RawVertex],
        _cued: bool,
        _spare: &mut [u32],
    ) -> Option<usize> {
        None
    }

    /// Draw records of the object that was tabulated last, up to the first that is out of the ordinary: one
    /// nearer than the limit or beyond the last bucket, one that may be larger than the GPU draws or
    /// does not fit the free words any more.
    ///
    /// Every packet goes behind the one before it and to the front of its bucket; words of packets that were not
    /// drawn may be left in the free words behind them. Vertices beyond the object's do no harm.
    #[inline]
    fn polygons(&mut self, _run: Run<'_>) -> Done {
        Done::default()
    }

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
