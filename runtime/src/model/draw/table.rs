//! Objects for engines that draw them from a table of their vertices: see [`Geometry::tabulate`].
//!
//! Groups go to the engine as they are, and what it leaves is drawn one by one. What is done once an object, and once a
//! group, is one function and no longer than it has to be: for a small object it costs as much as the loops do.

use super::options::Options;
use super::shapes::Pass;
use super::slow::LONGEST;
use super::{Error, Stats};
use crate::gpu::packet::Style;
use crate::gpu::{DisplayList, Full};
use crate::gte::{Geometry, RawVertex, Run};
use crate::model::tmd::{Kind, RawGroup};

/// Vertices for which a primitive may pay: where a few primitives use a small part of a large pool, they are drawn one
/// by one.
const PAID: usize = 32;

/// There is no table.
const NO_TABLE: usize = usize::MAX;

/// An object on its way.
pub(super) struct Parts<'p> {
    vertices: &'p [RawVertex],
    /// Empty without light.
    normals: &'p [RawVertex],
    options: &'p Options,
    /// How many of the last free words of the list are the table, or [`NO_TABLE`].
    kept: usize,
    /// Polygons that were turned away.
    culled: usize,
}

/// Draw the groups of an object that announces `count` primitives.
#[inline(always)]
pub(super) fn object<'p, G: Geometry>(
    gte: &mut G,
    list: &mut DisplayList<'_>,
    (vertices, normals, options): (&'p [RawVertex], &'p [RawVertex], &'p Options),
    count: usize,
    groups: impl Iterator<Item = RawGroup<'p>>,
) -> Result<Stats, Error> {
    let mut kept = None;
    if vertices.len() / PAID <= count {
        let cued = options.bank.cue().is_some();
        kept = gte.tabulate(vertices, cued, list.spare());
    }
    let mut parts = Parts {
        vertices,
        normals,
        options,
        kept: kept.unwrap_or(NO_TABLE),
        culled: 0,
    };
    let (mut seen, mut others) = (0, Stats::default());
    for group in groups {
        seen += group.count as u32;
        let done = batch(gte, list, &mut parts, &group);
        if done != group.records.len() {
            others = others.plus(rest(gte, list, &mut parts, &group, done)?);
        }
    }
    others.culled += parts.culled as u32;
    others.drawn = seen - others.total();
    Ok(others)
}

/// Have the engine draw records of a group. Answers how many words of them are done.
///
/// A function of its own: the compiler would make several loops over the groups of it.
#[inline(never)]
fn batch<G: Geometry>(
    gte: &mut G,
    list: &mut DisplayList<'_>,
    parts: &mut Parts<'_>,
    group: &RawGroup<'_>,
) -> usize {
    let options = parts.options;
    let layout = group.kind.layout();
    let style = Style::from_command(group.mode);
    let needs_mode = layout.texture.is_none() && style.is_semi_transparent();
    if 4 * group.stride != layout.stride || needs_mode {
        return 0;
    }
    let Some(room) = list.parts(parts.kept) else {
        return 0;
    };
    let done = gte.polygons(Run {
        kind: group.kind,
        command: u32::from(style.command_byte(layout.command)) << 24,
        records: group.records,
        // It is one of a group's header, or less.
        count: group.count as u16,
        kept: room.kept,
        normals: parts.normals,
        buckets: room.buckets,
        first: room.first as u32,
        free: room.free,
        address: room.address,
        near: options.near,
        two_sided: options.two_sided,
        moved: if is_lit(group.kind) {
            options.light.is_some()
        } else {
            options.bank.cue().is_some()
        },
    });
    list.advance(done.packets);
    parts.culled += done.culled;
    done.words
}

/// Whether it has normals, and no colours.
#[inline(always)]
fn is_lit(kind: Kind) -> bool {
    // They come first.
    kind as usize <= Kind::Gt4Lit as usize
}

/// Draw the records of a group from word `done` on, the first of which the engine leaves to others.
#[cold]
#[inline(never)]
fn rest<G: Geometry>(
    gte: &mut G,
    list: &mut DisplayList<'_>,
    parts: &mut Parts<'_>,
    group: &RawGroup<'_>,
    done: usize,
) -> Result<Stats, Full> {
    let (mut group, mut done) = (*group, done);
    let (layout, style) = (group.kind.layout(), Style::from_command(group.mode));
    let stride = group.stride.max(1);
    let mut stats = Stats::default();
    loop {
        let left = group.records.get(done..).unwrap_or_default();
        let Some((record, others)) = left.split_at_checked(stride) else {
            return Ok(stats);
        };
        // A packet with its tag, and a draw mode with one: when they would reach the table, there is none any more.
        let next = LONGEST + 3;
        if parts.kept != 0 && list.free() < parts.kept.saturating_add(next) {
            parts.kept = NO_TABLE;
        }
        let mut pass = Pass {
            gte,
            list: list.tail(),
            vertices: parts.vertices,
            normals: parts.normals,
            options: parts.options,
            stats,
            seen: 0,
        };
        let result = pass.slow(record, layout, style);
        stats = pass.stats;
        let left = pass.list.left();
        list.set_left(left);
        result?;
        (group.records, group.count) = (others, others.len() / stride);
        done = batch(gte, list, parts, &group);
    }
}
