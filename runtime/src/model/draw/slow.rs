//! One record out of the ordinary: near, wide or far ones, those for which the list may have no room,
//! untextured semi-transparent ones, and records that are longer than their kind needs. One function
//! for all kinds, which reads the table of the sheet as it goes.

use super::shapes::{NEUTRAL, Pass, RGB};
use crate::gpu::Full;
use crate::gpu::packet::Style;
use crate::gte::{Geometry, Shade};
use crate::model::tmd::Layout;

/// Wider polygons are not drawn by the GPU (HAL sheet, 5.3).
const MAX_WIDTH: i32 = 1023;

/// Taller ones neither.
const MAX_HEIGHT: i32 = 511;

/// Words of the longest packet, without its tag.
pub(super) const LONGEST: usize = 12;

impl<G: Geometry> Pass<'_, '_, G> {
    /// Draw what `record` holds, or find out why not.
    #[cold]
    #[inline(never)]
    pub(super) fn slow(
        &mut self,
        record: &[u32],
        layout: &Layout,
        style: Style,
    ) -> Result<(), Full> {
        let word = |at: usize| record.get(at).copied().unwrap_or(0);
        let half = |at: usize| (word(at / 2) >> (16 * (at % 2))) as u16;
        let vertex = |n: usize| {
            let index = usize::from(half(layout.vertices / 2 + n)) >> 3;
            self.vertices.get(index)
        };
        let quad = layout.corners == 4;
        // The reader has checked all indices.
        let (Some(a), Some(b), Some(c), Some(d)) = (
            vertex(0),
            vertex(1),
            vertex(2),
            vertex(if quad { 3 } else { 2 }),
        ) else {
            self.stats.culled += 1;
            return Ok(());
        };
        let limit = self.limit();
        self.gte.begin3([a, b, c]);
        self.gte.begin_clip();
        let (xy, depth);
        if quad {
            let (p, area) = self.gte.clip4(d);
            if area <= limit && self.gte.normal_clip() >= 0 {
                self.stats.culled += 1;
                return Ok(());
            }
            let ([q, r, s], otz) = self.gte.finish4();
            (xy, depth) = ([p, q, r, s], otz);
        } else {
            if self.gte.clip3() <= limit {
                self.stats.culled += 1;
                return Ok(());
            }
            let ([p, q, r], otz) = self.gte.finish3();
            (xy, depth) = ([p, q, r, r], otz);
        }
        if depth < u32::from(self.options.near) {
            self.stats.near += 1;
            return Ok(());
        }
        if is_oversize(&xy) {
            self.stats.oversize += 1;
            return Ok(());
        }

        let lit = layout.colours == 0 && self.options.light.is_some();
        let normal = |n: usize| {
            let index = usize::from(half(layout.normals / 2 + n)) >> 3;
            self.normals.get(index).unwrap_or(&[0; 2])
        };
        let cued = layout.colours != 0 && self.options.bank.cue().is_some();
        let (mut packet, mut len) = ([0; LONGEST], 0);
        let mut put = |word: u32| {
            if let Some(place) = packet.get_mut(len) {
                *place = word;
                len += 1;
            }
        };
        // Bit 4 of the command: gouraud.
        let gouraud = layout.command & 0x10 != 0;
        // Not over the array: four copies of the body would not be faster here.
        let mut n = 0;
        while let Some(&xy) = xy.get(n).filter(|_| n < layout.corners) {
            if n == 0 || gouraud {
                let colour = if layout.colours == 0 {
                    NEUTRAL
                } else {
                    word(n) & RGB
                };
                let command = u32::from(style.command_byte(layout.command)) << 24;
                let colour = if n == 0 { colour | command } else { colour };
                // The engine still has the IR0 of the last corner, and keeps the command byte.
                put(if cued {
                    self.gte.cue(colour)
                } else if lit {
                    self.gte.normal_colour(Shade::Coloured, normal(n), colour)
                } else {
                    colour
                });
            }
            put(xy);
            if let Some(block) = layout.texture {
                // The third word holds two coordinates.
                put(match n {
                    0 | 1 => word(block / 4 + n),
                    2 => u32::from(half(block / 2 + 4)),
                    _ => u32::from(half(block / 2 + 5)),
                });
            }
            n += 1;
        }
        self.list
            .push(depth as usize, packet.get(..len).unwrap_or_default())?;
        if layout.texture.is_none() && style.is_semi_transparent() {
            // Linked later, so drawn earlier: it stands right in front of the polygon.
            self.list
                .push(depth as usize, &[self.options.draw_mode()])?;
        }
        Ok(())
    }
}

/// Whether the GPU would not draw a polygon with these corners.
pub(crate) fn is_oversize(xy: &[u32; 4]) -> bool {
    let extent = |shift: u32| {
        let [p, q, r, s] = xy.map(|word| i32::from((word >> shift) as i16));
        p.max(q).max(r).max(s) - p.min(q).min(r).min(s)
    };
    extent(0) > MAX_WIDTH || extent(16) > MAX_HEIGHT
}
