//! Battle models (FF8 sheet, sections 1 to 4): skeleton, geometry and animation table.

use overworld_runtime::bytes::{u8_at, u16_at, u32_at};

use super::{Look, count};

/// Numbers of sections of files whose first three are skeleton, geometry and animations.
const MODELS: [u32; 5] = [3, 7, 8, 10, 11];

pub fn look(data: &[u8]) -> Look {
    let sections = u32_at(data, 0).unwrap_or(0);
    if !MODELS.contains(&sections) {
        return Look::No;
    }
    let table = 8 + 4 * sections as usize;
    let start = |index: usize| u32_at(data, 4 + 4 * index).unwrap_or(0) as usize;
    let ascending = (0..sections as usize).all(|it| start(it) < start(it + 1));
    if !ascending || start(0) < table || start(sections as usize) != data.len() {
        return Look::No;
    }
    let section = |index: usize| data.get(start(index)..start(index + 1)).unwrap_or_default();
    let parts = skeleton(section(0))
        .zip(geometry(section(1)))
        .zip(animations(section(2)));
    match parts {
        Some(((bones, objects), animations)) => Look::Is(format!(
            "{sections} sections end at the file's end: {} in tree order, {} whose vertices add \
             up, {} in ascending order",
            count(bones, "bone"),
            count(objects, "object"),
            count(animations, "animation")
        )),
        None => Look::Near(
            "its section table is that of a battle model, but skeleton, geometry or animations \
             do not fit"
                .to_owned(),
        ),
    }
}

/// The number of bones: each below an earlier one, the first a root.
fn skeleton(data: &[u8]) -> Option<usize> {
    let bones = usize::from(u8_at(data, 0)?);
    let mut roots = 0;
    for bone in 0..bones {
        let parent = u16_at(data.get(..16 + 48 * bones)?, 16 + 48 * bone)?;
        match parent {
            0xFFFF => roots += 1,
            parent if usize::from(parent) < bone => {}
            _ => return None,
        }
    }
    (bones > 0 && roots > 0).then_some(bones)
}

/// The number of objects; the vertices of their groups must add up to the total at the end.
fn geometry(data: &[u8]) -> Option<usize> {
    let objects = u32_at(data, 0)? as usize;
    if objects == 0 || objects > data.len() / 4 {
        return None;
    }
    let mut total = 0;
    for object in 0..objects {
        let mut at = u32_at(data, 4 + 4 * object)? as usize;
        if at < 4 + 4 * objects {
            return None;
        }
        let groups = u16_at(data, at)?;
        at += 2;
        for _ in 0..groups {
            let vertices = usize::from(u16_at(data, at + 2)?);
            at += 4 + 6 * vertices;
            total += vertices;
            if at > data.len() {
                return None;
            }
        }
    }
    let last = data.len().checked_sub(4)?;
    (u32_at(data, last)? as usize == total && total > 0).then_some(objects)
}

/// The number of animations, each with a frame count and at least one byte of stream.
fn animations(data: &[u8]) -> Option<usize> {
    let animations = u32_at(data, 0)? as usize;
    if animations == 0 || animations > data.len() / 4 {
        return None;
    }
    let mut floor = 4 + 4 * animations;
    for animation in 0..animations {
        let start = u32_at(data, 4 + 4 * animation)? as usize;
        if start < floor || u8_at(data, start)? == 0 {
            return None;
        }
        floor = start + 2;
    }
    (floor <= data.len()).then_some(animations)
}
