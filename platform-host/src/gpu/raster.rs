//! Triangles, rectangles and lines into video memory, in integers.
//!
//! Coverage is exact: a row's span runs from the left edge, included, to the right edge,
//! excluded, and the bottom row is excluded, so neighbours share no pixel and leave no gap.
//! Colours and texture coordinates are linear over the triangle with 16 fraction bits.

use super::vram::{MASK, Mask, Vram};

/// What E1h to E6h set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Texture page, in cells.
    pub page: (usize, usize),
    /// Blend mode 0..4: B/2+F/2, B+F, B-F, B+F/4.
    pub blend: u8,
    /// Depth of the page: 0 four bits, 1 eight bits, 2 and 3 fifteen bits.
    pub depth: u8,
    /// Dither shaded pixels.
    pub dither: bool,
    /// Texture window: mask x, mask y, offset x, offset y in units of 8 texels.
    pub window: [u8; 4],
    /// Drawing area: left, top, right, bottom, all included.
    pub area: [i32; 4],
    /// Added to every vertex.
    pub offset: (i32, i32),
    /// Mask rules.
    pub mask: Mask,
}

impl State {
    /// The low nine bits of E1h, which textured polygons carry as their page attribute.
    pub fn set_page(&mut self, attribute: u32) {
        self.page = (
            (attribute & 15) as usize * 64,
            (attribute >> 4 & 1) as usize * 256,
        );
        self.blend = (attribute >> 5 & 3) as u8;
        self.depth = (attribute >> 7 & 3) as u8;
    }
}

/// A corner: place, colour (0..256 each) and texture coordinate (0..256).
#[derive(Clone, Copy, Debug, Default)]
pub struct Vertex {
    /// Column, drawing offset already added.
    pub x: i32,
    /// Row, drawing offset already added.
    pub y: i32,
    /// Red, green, blue, u, v.
    pub values: [i32; 5],
}

/// How the pixels of a primitive are made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// Colour varies over the primitive.
    pub gouraud: bool,
    /// Texture, with the palette's place in cells.
    pub texture: Option<(usize, usize)>,
    /// Texels are taken as they are, without the colour.
    pub raw: bool,
    /// Mix with what is there.
    pub semi: bool,
    /// Dithering may apply: polygons and lines, not rectangles.
    pub dither: bool,
}

/// Largest extent of a polygon or line; bigger ones are not drawn at all.
const LIMIT: (i32, i32) = (1023, 511);

/// The chip's 4 by 4 dither pattern, added to 8-bit components.
const DITHER: [[i32; 4]; 4] = [
    [-4, 0, -3, 1],
    [2, -2, 3, -1],
    [-3, 1, -4, 0],
    [3, -1, 2, -2],
];

/// Fraction bits of interpolated values.
const FRACTION: u32 = 16;

/// Draw one triangle.
pub fn triangle(vram: &mut Vram, state: &State, look: Look, corners: [Vertex; 3]) {
    let [a, b, c] = corners;
    for (p, q) in [(a, b), (b, c), (c, a)] {
        if (p.x - q.x).abs() > LIMIT.0 || (p.y - q.y).abs() > LIMIT.1 {
            return;
        }
    }
    let area = i64::from((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y));
    if area == 0 {
        return;
    }
    let mut step_x = [0_i64; 5];
    let mut step_y = [0_i64; 5];
    for channel in 0..5 {
        let first = i64::from(b.values[channel] - a.values[channel]) << FRACTION;
        let second = i64::from(c.values[channel] - a.values[channel]) << FRACTION;
        step_x[channel] = (first * i64::from(c.y - a.y) - second * i64::from(b.y - a.y)) / area;
        step_y[channel] = (second * i64::from(b.x - a.x) - first * i64::from(c.x - a.x)) / area;
    }
    let mut sorted = corners;
    sorted.sort_by_key(|corner| corner.y);
    let [top, middle, bottom] = sorted;
    let pixel = Pixel::new(state, look);
    let [left, upper, right, lower] = state.area;
    for y in top.y.max(upper)..bottom.y.min(lower + 1) {
        let long = edge(top, bottom, y);
        let short = if y < middle.y {
            edge(top, middle, y)
        } else {
            edge(middle, bottom, y)
        };
        let first = long.min(short).max(left);
        let end = long.max(short).min(right + 1);
        if first >= end {
            continue;
        }
        let mut values = [0_i64; 5];
        for channel in 0..5 {
            values[channel] = (i64::from(a.values[channel]) << FRACTION)
                + (1 << (FRACTION - 1))
                + step_x[channel] * i64::from(first - a.x)
                + step_y[channel] * i64::from(y - a.y);
        }
        let span = Span {
            first,
            end,
            y,
            values,
            steps: step_x,
        };
        match (look.gouraud, look.texture.is_some()) {
            (false, false) => pixel.span::<false, false>(vram, span),
            (false, true) => pixel.span::<false, true>(vram, span),
            (true, false) => pixel.span::<true, false>(vram, span),
            (true, true) => pixel.span::<true, true>(vram, span),
        }
    }
}

/// First column at or right of the edge on row `y` (the edge is not horizontal there).
fn edge(from: Vertex, to: Vertex, y: i32) -> i32 {
    let height = to.y - from.y;
    let run = (to.x - from.x) * (y - from.y);
    from.x + run.div_euclid(height) + i32::from(run.rem_euclid(height) != 0)
}

/// Draw a rectangle of `w` by `h` pixels whose first texel is the corner's.
pub fn rectangle(vram: &mut Vram, state: &State, look: Look, corner: Vertex, w: i32, h: i32) {
    let pixel = Pixel::new(
        state,
        Look {
            gouraud: false,
            dither: false,
            ..look
        },
    );
    let [left, upper, right, lower] = state.area;
    let first = corner.x.max(left);
    let end = (corner.x + w).min(right + 1);
    if first >= end {
        return;
    }
    for y in corner.y.max(upper)..(corner.y + h).min(lower + 1) {
        let mut values = corner.values.map(|value| i64::from(value) << FRACTION);
        values[3] += i64::from(first - corner.x) << FRACTION;
        values[4] += i64::from(y - corner.y) << FRACTION;
        let span = Span {
            first,
            end,
            y,
            values,
            steps: [0, 0, 0, 1 << FRACTION, 0],
        };
        if look.texture.is_some() {
            pixel.span::<false, true>(vram, span);
        } else {
            pixel.span::<false, false>(vram, span);
        }
    }
}

/// Draw a line; both ends are drawn.
pub fn line(vram: &mut Vram, state: &State, look: Look, from: Vertex, to: Vertex) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    if dx.abs() > LIMIT.0 || dy.abs() > LIMIT.1 {
        return;
    }
    let steps = i64::from(dx.abs().max(dy.abs()));
    let pixel = Pixel::new(
        state,
        Look {
            texture: None,
            ..look
        },
    );
    let [left, upper, right, lower] = state.area;
    let half = 1_i64 << (FRACTION - 1);
    for step in 0..=steps {
        let along = |start: i32, delta: i32| {
            let moved = (i64::from(delta) << FRACTION) * step / steps.max(1);
            (i64::from(start) << FRACTION) + moved + half
        };
        let x = (along(from.x, dx) >> FRACTION) as i32;
        let y = (along(from.y, dy) >> FRACTION) as i32;
        if x < left || x > right || y < upper || y > lower {
            continue;
        }
        let mut values = [0; 5];
        for (channel, value) in values.iter_mut().enumerate().take(3) {
            *value = along(
                from.values[channel],
                to.values[channel] - from.values[channel],
            );
        }
        let span = Span {
            first: x,
            end: x + 1,
            y,
            values,
            steps: [0; 5],
        };
        pixel.span::<false, false>(vram, span);
    }
}

/// A run of pixels on one row.
#[derive(Clone, Copy)]
struct Span {
    first: i32,
    end: i32,
    y: i32,
    values: [i64; 5],
    steps: [i64; 5],
}

/// All that is the same for the pixels of one primitive.
struct Pixel {
    blend: u8,
    semi: bool,
    raw: bool,
    dither: bool,
    mask: Mask,
    sampler: Sampler,
}

impl Pixel {
    fn new(state: &State, look: Look) -> Self {
        Self {
            blend: state.blend,
            semi: look.semi,
            raw: look.raw,
            dither: look.dither
                && state.dither
                && (look.gouraud || (look.texture.is_some() && !look.raw)),
            mask: state.mask,
            sampler: Sampler::new(state, look.texture.unwrap_or_default()),
        }
    }

    fn span<const GOURAUD: bool, const TEXTURE: bool>(&self, vram: &mut Vram, span: Span) {
        let mut values = span.values;
        let mut colour = whole(&values);
        let y = span.y as usize;
        for x in span.first..span.end {
            if GOURAUD {
                colour = whole(&values);
            }
            let dither = if self.dither {
                DITHER[y & 3][x as usize & 3]
            } else {
                0
            };
            let made = if TEXTURE {
                let u = (values[3] >> FRACTION) as u8;
                let v = (values[4] >> FRACTION) as u8;
                let texel = self.sampler.texel(vram, u, v);
                if texel == 0 {
                    None
                } else if self.raw {
                    Some(texel)
                } else {
                    Some(modulate(texel, colour, dither))
                }
            } else {
                Some(pack(colour.map(|component| component + dither)))
            };
            if let Some(mut value) = made {
                let cell = vram.cell(x as usize, y);
                if self.semi && (!TEXTURE || value & MASK != 0) {
                    value = mix(self.blend, *cell, value) | value & MASK;
                }
                self.mask.store(cell, value);
            }
            if GOURAUD {
                for (value, step) in values.iter_mut().zip(span.steps).take(3) {
                    *value += step;
                }
            }
            if TEXTURE {
                values[3] += span.steps[3];
                values[4] += span.steps[4];
            }
        }
    }
}

/// The colour channels without their fraction, inside 0..256.
#[inline]
fn whole(values: &[i64; 5]) -> [i32; 3] {
    let cut = |value: i64| ((value >> FRACTION) as i32).clamp(0, 255);
    [cut(values[0]), cut(values[1]), cut(values[2])]
}

/// 8-bit components, possibly outside 0..256, to a cell value.
#[inline]
fn pack(colour: [i32; 3]) -> u16 {
    let [r, g, b] = colour.map(|component| (component.clamp(0, 255) >> 3) as u16);
    r | g << 5 | b << 10
}

/// Texel times colour with 80h neutral; keeps the texel's top bit.
#[inline]
fn modulate(texel: u16, colour: [i32; 3], dither: i32) -> u16 {
    let part = |shift: u32, by: i32| ((i32::from(texel >> shift & 31) * by) >> 4) + dither;
    pack([part(0, colour[0]), part(5, colour[1]), part(10, colour[2])]) | texel & MASK
}

/// The four blend modes on 5-bit components; the top bit of the result is clear.
#[inline]
fn mix(mode: u8, back: u16, front: u16) -> u16 {
    let mut out = 0;
    for shift in [0, 5, 10] {
        let b = i32::from(back >> shift & 31);
        let f = i32::from(front >> shift & 31);
        let sum = match mode {
            0 => (b + f) >> 1,
            1 => (b + f).min(31),
            2 => (b - f).max(0),
            _ => (b + (f >> 2)).min(31),
        };
        out |= (sum as u16) << shift;
    }
    out
}

/// Where texels come from.
struct Sampler {
    page: (usize, usize),
    clut: (usize, usize),
    depth: u8,
    keep: (u8, u8),
    set: (u8, u8),
}

impl Sampler {
    fn new(state: &State, clut: (usize, usize)) -> Self {
        let [mask_x, mask_y, offset_x, offset_y] = state.window.map(|part| (part & 31) << 3);
        Self {
            page: state.page,
            clut,
            depth: state.depth,
            keep: (!mask_x, !mask_y),
            set: (offset_x & mask_x, offset_y & mask_y),
        }
    }

    #[inline]
    fn texel(&self, vram: &Vram, u: u8, v: u8) -> u16 {
        let u = usize::from(u & self.keep.0 | self.set.0);
        let v = usize::from(v & self.keep.1 | self.set.1);
        let (x, y) = (self.page.0, self.page.1 + v);
        match self.depth {
            0 => {
                let index = vram.get(x + (u >> 2), y) >> ((u & 3) * 4) & 15;
                vram.get(self.clut.0 + usize::from(index), self.clut.1)
            }
            1 => {
                let index = vram.get(x + (u >> 1), y) >> ((u & 1) * 8) & 255;
                vram.get(self.clut.0 + usize::from(index), self.clut.1)
            }
            _ => vram.get(x + u, y),
        }
    }
}
