//! The loops over the records of a group: one for triangles and one for quads, compiled once for
//! each of the twelve kinds.
//!
//! On the console a loop has to fit the instruction cache several times over, and what takes time is
//! memory: so records and vertices are read as words where they lie, packets are written where they
//! stay, and the words of a record are copied while the geometry engine computes. Culled polygons
//! leave their packet half written; the next one takes the place.
//!
//! A loop calls nothing, so that all it needs stays in registers. It ends at a record that is out of
//! the ordinary, and [`super::slow`] draws that one from the beginning.

use super::{Options, Stats};
use crate::gpu::Tail;
use crate::gte::{Geometry, RawVertex, Shade};

/// The colour that leaves a texture as it is.
pub(super) const NEUTRAL: u32 = 0x0080_8080;

/// No bit of these in any corner: x lies in 0..=1023 and y in 0..=511, so nothing is too large.
const BEYOND: u32 = 0xFE00_FC00;

/// "There is none" among the constants of a shape.
pub(super) const NONE: usize = usize::MAX;

/// The colour bytes of a colour word.
pub(super) const RGB: u32 = 0x00FF_FFFF;

/// One object on its way.
pub(super) struct Pass<'p, 'l, G> {
    pub(super) gte: &'p mut G,
    pub(super) list: Tail<'l>,
    pub(super) vertices: &'p [RawVertex],
    /// Empty without light.
    pub(super) normals: &'p [RawVertex],
    pub(super) options: &'p Options,
    /// What became of the primitives, `drawn` left out.
    pub(super) stats: Stats,
    /// How many there were.
    pub(super) seen: u32,
}

/// The constants of a shape, from which the compiler makes its loop:
///
/// * `S`: words of a record; `P`: words of the packet, with the tag.
/// * `C`: colour words at the beginning of a record (0: neutral ones are made up).
/// * `T`: first word of the texture block, or [`NONE`].
/// * `V`: halfword at which the vertex indices begin; even for quads.
/// * `X`: words from one corner of the packet to the next. A corner is its colour (if the shape is
///   gouraud, and always for the first), position, and texture coordinate.
///
/// The numbers are those of the TMD sheet, section 2, and of the HAL sheet, 5.3. Each loop answers
/// how many words of records are left: none, or all from one on that it leaves to others.
impl<G: Geometry> Pass<'_, '_, G> {
    /// The triangles of a group.
    #[inline(never)]
    pub(super) fn triangles<
        const S: usize,
        const P: usize,
        const C: usize,
        const T: usize,
        const V: usize,
        const X: usize,
    >(
        &mut self,
        records: &[u32],
        command: u32,
    ) -> usize {
        let limit = self.limit();
        let near = u32::from(self.options.near);
        let threshold = self.threshold::<C>();
        let vertices = self.vertices;
        let mut list = self.list.take();
        let mut culled = 0;
        let mut rest = records;
        while let Some((record, after)) = rest.split_first_chunk::<S>() {
            let (Some(a), Some(b), Some(c)) = (
                vertex(vertices, record, V),
                vertex(vertices, record, V + 1),
                vertex(vertices, record, V + 2),
            ) else {
                break;
            };
            self.gte.begin3([a, b, c]);
            let Some(packet) = list.packet::<P>() else {
                break;
            };
            first_words::<S, P, C, T, X>(record, packet, command);
            self.gte.begin_clip();
            second_words::<S, P, C, T, X>(record, packet);
            if self.gte.clip3() <= limit {
                culled += 1;
                rest = after;
                continue;
            }
            third_words::<S, P, C, T, X>(record, packet);
            let ([p, q, r], depth) = self.gte.finish3();
            // With a depth cue or light every depth is below it, so that without them it costs nothing.
            if depth < threshold {
                if depth < near {
                    break;
                }
                if C != 0 {
                    self.cue::<P, T, X, 3>(packet);
                } else if !self.light::<S, P, T, V, X, 3>(record, packet) {
                    break;
                }
            }
            if is_wide([p, q, r]) {
                break;
            }
            positions::<P, X, 3>(packet, [p, q, r]);
            if !list.link::<P>(depth as usize) {
                break;
            }
            rest = after;
        }
        self.list = list;
        self.stats.culled += culled;
        rest.len()
    }

    /// The quads of a group.
    #[inline(never)]
    pub(super) fn quads<
        const S: usize,
        const P: usize,
        const C: usize,
        const T: usize,
        const V: usize,
        const X: usize,
    >(
        &mut self,
        records: &[u32],
        command: u32,
    ) -> usize {
        let limit = self.limit();
        let near = u32::from(self.options.near);
        let threshold = self.threshold::<C>();
        let vertices = self.vertices;
        let mut list = self.list.take();
        let mut culled = 0;
        let mut rest = records;
        while let Some((record, after)) = rest.split_first_chunk::<S>() {
            // A word on its way holds nothing up until it is needed.
            let [ab, cd] = [record[V / 2], record[V / 2 + 1]];
            let Some(packet) = list.packet::<P>() else {
                break;
            };
            let (Some(a), Some(b), Some(c)) = (
                vertices.get(low_index(ab)),
                vertices.get(high_index(ab)),
                vertices.get(low_index(cd)),
            ) else {
                break;
            };
            self.gte.begin3([a, b, c]);
            let Some(d) = vertices.get(high_index(cd)) else {
                break;
            };
            first_words::<S, P, C, T, X>(record, packet, command);
            self.gte.begin_clip();
            second_words::<S, P, C, T, X>(record, packet);
            let (p, area) = self.gte.clip4(d);
            third_words::<S, P, C, T, X>(record, packet);
            fourth_words::<S, P, C, T, X>(record, packet);
            // Rejected only if both halves are turned away; the second half runs the other way.
            if area <= limit && self.gte.normal_clip() >= 0 {
                culled += 1;
                rest = after;
                continue;
            }
            let ([q, r, s], depth) = self.gte.finish4();
            // With a depth cue or light every depth is below it, so that without them it costs nothing.
            if depth < threshold {
                if depth < near {
                    break;
                }
                if C != 0 {
                    self.cue::<P, T, X, 4>(packet);
                } else if !self.light::<S, P, T, V, X, 4>(record, packet) {
                    break;
                }
            }
            if is_wide([p, q, r, s]) {
                break;
            }
            positions::<P, X, 4>(packet, [p, q, r, s]);
            if !list.link::<P>(depth as usize) {
                break;
            }
            rest = after;
        }
        self.list = list;
        self.stats.culled += culled;
        rest.len()
    }

    /// The colours of a packet, moved towards the far colour by the IR0 of its last corner.
    #[inline(always)]
    fn cue<const P: usize, const T: usize, const X: usize, const N: usize>(
        &mut self,
        packet: &mut [u32; P],
    ) {
        let colours = if is_gouraud::<T, X>() { N } else { 1 };
        for n in 0..colours {
            packet[1 + n * X] = self.gte.cue(packet[1 + n * X]);
        }
    }

    /// The colours of a packet of a lit kind: the neutral ones that are in it, times the light on the normals.
    /// `false` when there is no such normal. The command of the first stays.
    #[inline(always)]
    fn light<
        const S: usize,
        const P: usize,
        const T: usize,
        const V: usize,
        const X: usize,
        const N: usize,
    >(
        &mut self,
        record: &[u32; S],
        packet: &mut [u32; P],
    ) -> bool {
        let normals = self.normals;
        if !is_gouraud::<T, X>() {
            // The one normal stands behind the vertices of a quad, and before those of a triangle.
            let at = if N == 4 { V + 4 } else { V - 1 };
            let Some(normal) = vertex(normals, record, at) else {
                return false;
            };
            packet[1] = self.gte.normal_colour(Shade::Coloured, normal, packet[1]);
            return true;
        }
        let (Some(a), Some(b), Some(c)) = (
            vertex(normals, record, V + N),
            vertex(normals, record, V + N + 1),
            vertex(normals, record, V + N + 2),
        ) else {
            return false;
        };
        let gte = &mut *self.gte;
        let [p, q, r] = gte.normal_colour3(Shade::Coloured, [a, b, c], packet[1]);
        packet[1] = p;
        packet[1 + X] = q & RGB;
        packet[1 + 2 * X] = r & RGB;
        if N == 4 {
            let Some(d) = vertex(normals, record, V + N + 3) else {
                return false;
            };
            packet[1 + 3 * X] = gte.normal_colour(Shade::Coloured, d, NEUTRAL);
        }
        true
    }

    /// Depths below this want a closer look: near ones, with a depth cue all of those that have colours,
    /// and with light all of those that have normals.
    #[inline(always)]
    fn threshold<const C: usize>(&self) -> u32 {
        let options = self.options;
        let moved = if C == 0 {
            options.light.is_some()
        } else {
            options.bank.cue().is_some()
        };
        if moved { u32::MAX } else { options.near.into() }
    }

    /// Polygons of this area or less are turned away. The positions have 11 bits, so no area gets
    /// near the least number.
    pub(super) fn limit(&self) -> i32 {
        if self.options.two_sided { i32::MIN } else { 0 }
    }
}

/// Whether a polygon with these corners may be larger than the GPU draws.
#[inline(always)]
pub(crate) fn is_wide<const N: usize>(xy: [u32; N]) -> bool {
    if xy.iter().fold(0, |all, xy| all | xy) & BEYOND == 0 {
        return false;
    }
    // A number of ten signed bits has its seven highest of 16 alike, so no two neighbours differ:
    // x lies in -512..=511 and, with nine bits, y in -256..=255.
    xy.iter().fold(0, |all, xy| all | (xy ^ xy << 1)) & BEYOND != 0
}

/// Number of the vertex that the low half of a word names.
#[inline(always)]
fn low_index(word: u32) -> usize {
    usize::from(word as u16) >> 3
}

/// Number of the vertex that the high half of a word names.
#[inline(always)]
fn high_index(word: u32) -> usize {
    (word >> 19) as usize
}

/// The vertex that halfword `at` of the record names.
#[inline(always)]
fn vertex<'a, const S: usize>(
    vertices: &'a [RawVertex],
    record: &[u32; S],
    at: usize,
) -> Option<&'a RawVertex> {
    let word = record[at / 2];
    vertices.get(if at.is_multiple_of(2) {
        low_index(word)
    } else {
        high_index(word)
    })
}

/// Whether every corner has a colour: position, texture coordinate, and only then is there room.
#[inline(always)]
const fn is_gouraud<const T: usize, const X: usize>() -> bool {
    X == if T == NONE { 2 } else { 3 }
}

/// Colour `n` of a corner after the first, if the shape is gouraud.
#[inline(always)]
fn colour<const S: usize, const P: usize, const C: usize, const T: usize, const X: usize>(
    record: &[u32; S],
    packet: &mut [u32; P],
    n: usize,
) {
    if is_gouraud::<T, X>() {
        packet[1 + n * X] = if C == 0 { NEUTRAL } else { record[n] & RGB };
    }
}

/// First corner: command and colour, texture coordinate with the CLUT.
#[inline(always)]
fn first_words<const S: usize, const P: usize, const C: usize, const T: usize, const X: usize>(
    record: &[u32; S],
    packet: &mut [u32; P],
    command: u32,
) {
    let colour = if C == 0 { NEUTRAL } else { record[0] & RGB };
    let coordinate = if T == NONE { 0 } else { record[T] };
    packet[1] = command | colour;
    if T != NONE {
        packet[3] = coordinate;
    }
}

/// Second corner: colour, texture coordinate with the page.
#[inline(always)]
fn second_words<const S: usize, const P: usize, const C: usize, const T: usize, const X: usize>(
    record: &[u32; S],
    packet: &mut [u32; P],
) {
    colour::<S, P, C, T, X>(record, packet, 1);
    if T != NONE {
        packet[3 + X] = record[T + 1];
    }
}

/// Third corner.
#[inline(always)]
fn third_words<const S: usize, const P: usize, const C: usize, const T: usize, const X: usize>(
    record: &[u32; S],
    packet: &mut [u32; P],
) {
    colour::<S, P, C, T, X>(record, packet, 2);
    if T != NONE {
        packet[3 + 2 * X] = record[T + 2] & 0xFFFF;
    }
}

/// Fourth corner.
#[inline(always)]
fn fourth_words<const S: usize, const P: usize, const C: usize, const T: usize, const X: usize>(
    record: &[u32; S],
    packet: &mut [u32; P],
) {
    colour::<S, P, C, T, X>(record, packet, 3);
    if T != NONE {
        packet[3 + 3 * X] = record[T + 2] >> 16;
    }
}

/// The screen positions.
#[inline(always)]
fn positions<const P: usize, const X: usize, const N: usize>(packet: &mut [u32; P], xy: [u32; N]) {
    for (n, xy) in xy.into_iter().enumerate() {
        packet[2 + n * X] = xy;
    }
}
