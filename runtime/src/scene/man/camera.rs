//! Section 3: camera regions (MAN sheet, section 3; field sheet, section 10.6).

use super::Error;
use crate::bytes::{Writer, u8_at};
use crate::field::crossing::Regions;

/// A camera region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CameraRegion {
    /// 0: the latched region box decides; 1: its own box; 2 and above: a bit of the region mask.
    pub kind: u8,
    /// Smallest column and row of the box.
    pub min: [u8; 2],
    /// Largest column and row of the box, inside.
    pub max: [u8; 2],
    /// What the camera is set to.
    pub preset: [u8; 13],
}

impl CameraRegion {
    /// Bytes of a record.
    pub const BYTES: usize = 18;

    /// From the bytes of a record.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let [kind, x0, z0, x1, z1, preset @ ..] = bytes;
        Self {
            kind,
            min: [x0, z0],
            max: [x1, z1],
            preset,
        }
    }

    /// The bytes of the record.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let ([x0, z0], [x1, z1]) = (self.min, self.max);
        let mut bytes = [0; Self::BYTES];
        let head = [self.kind, x0, z0, x1, z1];
        for (to, from) in bytes.iter_mut().zip(head.into_iter().chain(self.preset)) {
            *to = from;
        }
        bytes
    }

    /// Whether this column and row (see [`query_tile`]) lie in its own box, whose edges are all
    /// inside.
    #[must_use]
    pub fn contains(&self, tile: [i32; 2]) -> bool {
        let bounds = self.min.iter().zip(&self.max);
        tile.iter()
            .zip(bounds)
            .all(|(&at, (&min, &max))| i32::from(min) <= at && at <= i32::from(max))
    }
}

/// Column and row that the camera is asked for at a world position: half a tile back.
#[must_use]
pub const fn query_tile(x: i32, z: i32) -> [i32; 2] {
    [x.wrapping_sub(64) >> 7, z.wrapping_sub(64) >> 7]
}

/// The camera regions of a scene; the first that matches counts.
#[derive(Clone, Copy, Debug)]
pub struct Cameras<'a> {
    records: &'a [u8],
}

impl<'a> Cameras<'a> {
    /// Read a section's body; what follows the records is not looked at.
    ///
    /// # Errors
    /// [`Error::BadCameraTable`].
    pub fn parse(body: &'a [u8]) -> Result<Self, Error> {
        let count = u8_at(body, 0).unwrap_or(0);
        let records = body
            .get(1..)
            .and_then(|records| records.get(..CameraRegion::BYTES * usize::from(count)));
        records.map(|records| Self { records }).ok_or({
            let len = body.len();
            Error::BadCameraTable { count, len }
        })
    }

    /// Number of regions.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.records.len() / CameraRegion::BYTES
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The regions in order.
    pub fn iter(&self) -> impl Iterator<Item = CameraRegion> + use<'a> {
        let records = self.records.chunks_exact(CameraRegion::BYTES);
        records.filter_map(|bytes| Some(CameraRegion::from_bytes(*bytes.first_chunk()?)))
    }

    /// The region that the camera takes its preset from at a world position: the first that matches. Kind 0
    /// does while its anchor, the first corner of its box, and the tile asked for both lie in the
    /// latched box, edges inside; kind 1 by its own box; any other while the region mask has the bit of
    /// its kind (field sheet, section 10.6).
    #[must_use]
    pub fn zone(&self, regions: &Regions, x: i32, z: i32) -> Option<CameraRegion> {
        let tile = query_tile(x, z);
        let [x0, z0, x1, z1] = regions.bounds.map(i32::from);
        let latched = |[col, row]: [i32; 2]| (x0..=x1).contains(&col) && (z0..=z1).contains(&row);
        self.iter().find(|region| match region.kind {
            0 => latched(region.min.map(i32::from)) && latched(tile),
            1 => region.contains(tile),
            kind => regions.mask >> (kind & 31) & 1 != 0,
        })
    }

    /// The first region whose own box has this world position, whatever its kind.
    #[must_use]
    pub fn find(&self, x: i32, z: i32) -> Option<CameraRegion> {
        self.iter().find(|it| it.contains(query_tile(x, z)))
    }
}

/// Write the body of a camera section; the number of bytes.
///
/// # Errors
/// [`Error::BadRow`] for region 255, [`Error::OutputTooSmall`].
pub fn emit(regions: &[CameraRegion], out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let full = |_| Error::OutputTooSmall { room };
    let mut out = Writer::new(out);
    let count = u8::try_from(regions.len()).map_err(|_| Error::BadRow { index: 255 })?;
    out.u8(count).map_err(full)?;
    for region in regions {
        out.bytes(&region.to_bytes()).map_err(full)?;
    }
    Ok(out.finish())
}
