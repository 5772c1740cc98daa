//! Groups of polygons for machines that draw from a table of vertices of their own.

use super::RawVertex;
use crate::model::tmd::Kind;

/// Records of one kind, on their way into a display list: see [`Geometry::polygons`](super::Geometry::polygons).
#[derive(Debug)]
pub struct Run<'a> {
    /// What the records are.
    pub kind: Kind,
    /// The GP0 command, in the highest byte.
    pub command: u32,
    /// The records, each as long as the kind needs.
    pub records: &'a [u32],
    /// How many there are.
    pub count: u16,
    /// What [`Geometry::tabulate`](super::Geometry::tabulate) has kept of the spare words.
    pub kept: &'a [u32],
    /// The normals of the object; read for lit kinds only, and only with `moved`.
    pub normals: &'a [RawVertex],
    /// The ordering table, or a part of it.
    pub buckets: &'a mut [u32],
    /// Which bucket the first of these is.
    pub first: u32,
    /// Words for packets.
    pub free: &'a mut [u32],
    /// Bus address of the first free word, 24 bits.
    pub address: u32,
    /// Depths (in buckets) below this are not drawn.
    pub near: u16,
    /// Draw both sides of every polygon.
    pub two_sided: bool,
    /// Move the colours: towards the far colour by the IR0 of the last corner, or, for lit kinds, by the light on
    /// the normals.
    pub moved: bool,
}

/// What became of a [`Run`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Words of the records from the first on that need nothing more: each is in the list, or turned away.
    pub words: usize,
    /// Words of the packets that are in the list, tags included.
    pub packets: usize,
    /// How many of the records were turned away.
    pub culled: usize,
}
