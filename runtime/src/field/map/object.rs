//! Object records.

use super::Tile;

/// Bits of [`Object::flags`].
pub mod flag {
    /// Ground cell; copied to [`super::super::Cell::GROUND`].
    pub const GROUND: u16 = 0x0001;
    /// Its mesh is drawn; copied to [`super::super::Cell::DRAWN`].
    pub const DRAWN: u16 = 0x0002;
    /// Spawns an actor.
    pub const PLACED: u16 = 0x0004;
    /// The footprint is corrected by the position's offset.
    pub const CORRECTED: u16 = 0x0008;
    /// Sets bit 28 of the actor's render flags.
    pub const RENDER: u16 = 0x0800;
    /// Sets bit 2 of the actor's flags.
    pub const ACTOR: u16 = 0x1000;
}

/// An object record, without loss (field sheet, section 3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// X, Y and Z offset in world units; Y is added to the floor, Z is subtracted.
    pub offset: [i16; 3],
    /// Columns and rows from the object's tile to its anchor tile.
    pub anchor: [i8; 2],
    /// Rotation about X, Y (yaw) and Z, 4096 a turn.
    pub rotation: [u16; 3],
    /// Fine X and Z offset of the footprint, 16 units each.
    pub fine: [i8; 2],
    /// Mesh in the scene's pack.
    pub mesh: u16,
    /// See [`flag`].
    pub flags: u16,
    /// Ground tile in the texture atlas, 0..63.
    pub atlas: u8,
    /// Ground texture page.
    pub page: u8,
    /// Ground palette word; the refresh after the load takes it for a countdown, and 0 ends the
    /// object's life as ground.
    pub palette: u16,
    /// Bytes 18h to 1Dh, whose meaning is not known.
    pub unknown: [u8; 6],
    /// Cull radius in 64 units; not 0 also sets bit 30 of the actor's render flags.
    pub cull: u8,
    /// Byte 1Fh, whose meaning is not known.
    pub last: u8,
}

impl Object {
    /// Bytes of a record.
    pub const BYTES: usize = 0x20;
    /// Where [`Object::flags`] lies in it.
    pub(super) const FLAGS_AT: usize = 0x12;

    /// Read a record; every bit pattern is one.
    #[must_use]
    pub const fn from_bytes(b: [u8; Self::BYTES]) -> Self {
        const fn word(low: u8, high: u8) -> u16 {
            u16::from_le_bytes([low, high])
        }
        Self {
            offset: [
                word(b[0], b[1]) as i16,
                word(b[2], b[3]) as i16,
                word(b[4], b[5]) as i16,
            ],
            anchor: [b[6] as i8, b[7] as i8],
            rotation: [word(b[8], b[9]), word(b[0xA], b[0xB]), word(b[0xC], b[0xD])],
            fine: [b[0xE] as i8, b[0xF] as i8],
            mesh: word(b[0x10], b[0x11]),
            flags: word(b[0x12], b[0x13]),
            atlas: b[0x14],
            page: b[0x15],
            palette: word(b[0x16], b[0x17]),
            unknown: [b[0x18], b[0x19], b[0x1A], b[0x1B], b[0x1C], b[0x1D]],
            cull: b[0x1E],
            last: b[0x1F],
        }
    }

    /// The record's bytes; the inverse of [`Object::from_bytes`].
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; Self::BYTES] {
        let [x, y, z] = self.offset;
        let ([x0, x1], [y0, y1], [z0, z1]) = (x.to_le_bytes(), y.to_le_bytes(), z.to_le_bytes());
        let [rx, ry, rz] = self.rotation;
        let ([a0, a1], [b0, b1], [c0, c1]) = (rx.to_le_bytes(), ry.to_le_bytes(), rz.to_le_bytes());
        let [m0, m1] = self.mesh.to_le_bytes();
        let [f0, f1] = self.flags.to_le_bytes();
        let [p0, p1] = self.palette.to_le_bytes();
        let [col, row] = self.anchor;
        let [fine_x, fine_z] = self.fine;
        let [u0, u1, u2, u3, u4, u5] = self.unknown;
        [
            x0,
            x1,
            y0,
            y1,
            z0,
            z1,
            col as u8,
            row as u8,
            a0,
            a1,
            b0,
            b1,
            c0,
            c1,
            fine_x as u8,
            fine_z as u8,
            m0,
            m1,
            f0,
            f1,
            self.atlas,
            self.page,
            p0,
            p1,
            u0,
            u1,
            u2,
            u3,
            u4,
            u5,
            self.cull,
            self.last,
        ]
    }

    /// World X and Z of the object on this tile.
    #[must_use]
    pub fn position(&self, tile: Tile) -> [i32; 2] {
        let [x, _, z] = self.offset.map(i32::from);
        [
            i32::from(tile.col()) * 128 + x + 64,
            i32::from(tile.row()) * 128 - (z - 64),
        ]
    }

    /// X and Z from the object's position to the centre of its contact box.
    #[must_use]
    pub fn footprint(&self) -> [i32; 2] {
        let [x_off, _, z_off] = self.offset.map(i32::from);
        let [col, row] = self.anchor.map(i32::from);
        let [fine_x, fine_z] = self.fine.map(i32::from);
        let (mut x, mut z) = (col * 128 + fine_x * 16, row * 128 + fine_z * 16);
        if self.flags & flag::CORRECTED != 0 {
            x -= x_off;
            z += z_off;
        }
        [x, z]
    }

    /// The tile that the trigger of the object on this tile must lie on. `None` off the grid: the
    /// object then does not exist.
    #[must_use]
    pub fn anchor_tile(&self, tile: Tile) -> Option<Tile> {
        let [col, row] = self.anchor.map(i32::from);
        Tile::at(i32::from(tile.col()) + col, i32::from(tile.row()) + row)
    }
}
