//! The writer of meshes.

use super::{Error, HEADER, Kind, MAGIC, MAX_OBJECTS, MAX_VECTORS, Primitive, RECORD, SCALE};
use crate::bytes::Writer;
use crate::fixed::SVector;
use crate::gpu::Style;

/// An object to be written.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSource<'a> {
    /// Vertices, at most [`MAX_VECTORS`].
    pub vertices: &'a [SVector],
    /// Normals, at most [`MAX_VECTORS`]; only lit kinds name them.
    pub normals: &'a [SVector],
    /// Primitives, grouped by kind.
    pub groups: &'a [GroupSource<'a>],
}

/// A group to be written.
#[derive(Clone, Copy, Debug)]
pub struct GroupSource<'a> {
    /// What the primitives are.
    pub kind: Kind,
    /// Semi-transparency and raw texture.
    pub style: Style,
    /// The primitives, 1..=65535.
    pub primitives: &'a [Primitive],
}

/// Write a mesh; returns its length, a multiple of four.
///
/// For each object the vertices, normals and primitive section follow each other. A group
/// without primitives is left out.
///
/// # Errors
/// `BadObjectCount`, `PoolOutOfRange` (too many vectors), `GroupOverrun` (more than 65535
/// primitives), `BadIndex` (a number beyond its pool) and `Full`; all as the reader means them.
pub fn emit(objects: &[ObjectSource<'_>], out: &mut [u8]) -> Result<usize, Error> {
    let count = u32::try_from(objects.len()).unwrap_or(u32::MAX);
    if count == 0 || count > MAX_OBJECTS {
        return Err(Error::BadObjectCount { count });
    }
    let mut writer = Writer::new(out);
    writer.u32(MAGIC)?;
    writer.u32(0)?;
    writer.u32(count)?;
    writer.zeros(RECORD * objects.len())?;
    for (index, object) in (0..).zip(objects) {
        let tops = [
            pool(&mut writer, object.vertices, index)?,
            pool(&mut writer, object.normals, index)?,
            top(&writer),
        ];
        let mut total = 0;
        let groups = object
            .groups
            .iter()
            .filter(|group| !group.primitives.is_empty());
        for (number, group) in (0..).zip(groups) {
            total += section(&mut writer, object, group, index, number)?;
        }
        writer.u32(0)?;
        let record = HEADER + RECORD * index as usize;
        let fields = [
            tops[0],
            object.vertices.len() as u32,
            tops[1],
            object.normals.len() as u32,
            tops[2],
            total,
            SCALE,
        ];
        for (n, field) in fields.into_iter().enumerate() {
            writer.patch_u32(record + 4 * n, field)?;
        }
    }
    Ok(writer.finish())
}

/// The current position as the object table counts.
fn top(writer: &Writer<'_>) -> u32 {
    u32::try_from(writer.position() - HEADER).unwrap_or(u32::MAX)
}

fn pool(writer: &mut Writer<'_>, vectors: &[SVector], object: u32) -> Result<u32, Error> {
    if vectors.len() > MAX_VECTORS as usize {
        let at = writer.position();
        return Err(Error::PoolOutOfRange { object, at });
    }
    let top = top(writer);
    for v in vectors {
        for component in [v.x, v.y, v.z, v.pad] {
            writer.i16(component)?;
        }
    }
    Ok(top)
}

/// One group: header, records, footer slot. Returns its count.
fn section(
    writer: &mut Writer<'_>,
    object: &ObjectSource<'_>,
    group: &GroupSource<'_>,
    index: u32,
    number: u32,
) -> Result<u32, Error> {
    let layout = group.kind.layout();
    let at = writer.position();
    let count = u16::try_from(group.primitives.len()).map_err(|_| Error::GroupOverrun {
        object: index,
        group: number,
        at,
    })?;
    writer.u16(count)?;
    writer.u16(group.kind.flags())?;
    writer.u8(layout.packet)?;
    writer.u8((layout.stride / 4) as u8)?;
    // The SDK's flag byte: bit 0 says that no light is to be applied.
    writer.u8(u8::from(!group.kind.is_lit()))?;
    writer.u8(group.style.command_byte(layout.command))?;
    for (prim, primitive) in (0..).zip(group.primitives) {
        let outside = |numbers: &[u16; 4], used: usize, pool: &[SVector]| {
            let mut used = numbers.iter().take(used);
            used.position(|&n| usize::from(n) >= pool.len())
        };
        let vertex = outside(&primitive.vertices, layout.corners, object.vertices);
        let normal = outside(&primitive.normals, layout.normal_count, object.normals);
        let bad = vertex.map(|n| layout.vertices + 2 * n);
        if let Some(offset) = bad.or(normal.map(|n| layout.normals + 2 * n)) {
            return Err(Error::BadIndex {
                object: index,
                group: number,
                prim,
                at: writer.position() + offset,
            });
        }
        let record = writer.claim(layout.stride)?;
        record.fill(0);
        layout.write(primitive, record);
    }
    writer.zeros(layout.stride)?;
    Ok(u32::from(count))
}
