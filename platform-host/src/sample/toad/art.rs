//! The toad's texture: 128 by 128 texels of 256 colours, sixteen shades each of up to sixteen, drawn by rules.
//!
//! Rows 0..80 wrap around the body (the front is column 64); below them lie the eye and the throat, both unrolled
//! from their foremost point, the skin of the limbs and that of the toes.

use overworld_runtime::fixed::{cos, sin};
use overworld_runtime::model::tim::{self, Block, Mode, Tim, texel};

use super::super::mesh::{Point, dot, q12};
use super::{PALETTE_AT, TEXTURE_AT};

/// Texels in a row, and rows.
pub const SIZE: u8 = 128;
/// Rows of the body.
pub const BODY_ROWS: u8 = 80;
/// Left upper corner of the eye's and of the throat's part, 64 columns and 32 rows each.
pub const EYE: (u8, u8) = (0, 80);
pub const SAC: (u8, u8) = (64, 80);
/// Left upper corner of the skin of limbs and of toes, 64 columns and 16 rows each.
pub const LIMB: (u8, u8) = (0, 112);
pub const TOE: (u8, u8) = (64, 112);

/// Base colours: what the middle shade looks like.
const COLOURS: [[i32; 3]; 12] = [
    [0, 0, 0],
    [96, 158, 66],
    [58, 118, 62],
    [146, 196, 84],
    [236, 222, 158],
    [214, 170, 96],
    [250, 196, 58],
    [30, 24, 30],
    [255, 255, 255],
    [240, 150, 150],
    [120, 60, 58],
    [232, 150, 62],
];

const SKIN: u8 = 1;
const DARK: u8 = 2;
const LIGHT: u8 = 3;
const BELLY: u8 = 4;
const FOLD: u8 = 5;
const GOLD: u8 = 6;
const BLACK: u8 = 7;
const WHITE: u8 = 8;
const PINK: u8 = 9;
const MOUTH: u8 = 10;
const ORANGE: u8 = 11;

/// Shades of a colour, and the one that is the colour itself.
const SHADES: i32 = 16;
const MIDDLE: i32 = 11;

/// Where the light comes from, in the space of the bones (Z upwards, Y backwards); its length is near 1.0.
const SUN: Point = [-0.44, -0.6, 0.66];

/// The TIM file.
pub fn tim() -> Result<Vec<u8>, tim::Error> {
    let texels = (0..SIZE).flat_map(|v| (0..SIZE).map(move |u| pixel(u.into(), v.into())));
    let pixels: Vec<u8> = texels.collect();
    let mut palette = Vec::new();
    for colour in 0..256 / SHADES {
        for shade in 0..SHADES {
            let alpha = match (colour as u8, shade) {
                // Nothing, and what is seen through.
                (0, 0) => 0,
                (PINK, _) => 128,
                _ => 255,
            };
            let base = COLOURS.get(colour as usize).copied().unwrap_or_default();
            let [r, g, b] = base.map(|it| shaded(it, shade));
            palette.extend(texel(r, g, b, alpha).to_le_bytes());
        }
    }
    let tim = Tim {
        mode: Mode::Eight,
        clut: Some(Block {
            x: PALETTE_AT.0,
            y: PALETTE_AT.1,
            w: 256,
            h: 1,
            data: &palette,
        }),
        image: Block {
            x: TEXTURE_AT.0,
            y: TEXTURE_AT.1,
            w: u16::from(SIZE) / 2,
            h: SIZE.into(),
            data: &pixels,
        },
    };
    let mut file = vec![0; tim.size()];
    tim.emit(&mut file)?;
    Ok(file)
}

/// A component in a shade: from two fifths of it up to itself, then towards white.
fn shaded(base: i32, shade: i32) -> u8 {
    let value = if shade <= MIDDLE {
        base * (4 * MIDDLE + 6 * shade) / (10 * MIDDLE)
    } else {
        base + (255 - base) * (shade - MIDDLE) / (2 * (SHADES - 1 - MIDDLE))
    };
    value.clamp(0, 255) as u8
}

/// Palette index of a colour that the light meets so, -1.0 to 1.0.
fn lit(colour: u8, light: f64) -> u8 {
    let shade = (6.2 + 7.6 * light).clamp(0.0, f64::from(SHADES - 1));
    colour << 4 | shade as u8
}

/// Palette index of a colour as it is.
const fn plain(colour: u8) -> u8 {
    colour << 4 | MIDDLE as u8
}

fn pixel(u: i32, v: i32) -> u8 {
    match (u, v) {
        (_, 0..80) => body(u, v),
        (0..64, 80..112) => eye(u, v - 80),
        (_, 80..112) => sac(u - 64, v - 80),
        (0..64, _) => limb(u, v - 112),
        _ => toe(u - 64, v - 112),
    }
}

/// A number between 0 and 15 that looks like none in particular.
const fn speckle(u: i32, v: i32) -> i32 {
    let mixed = (u * 374_761 + v * 668_265).wrapping_mul(1_274_126_177);
    (mixed >> 20) & 15
}

/// Whether one of the round spots of a field of them covers a texel; how far it is from its middle, 0 to 100.
fn spot(u: i32, v: i32, cell: i32, size: i32) -> Option<i32> {
    let (column, row) = (u.div_euclid(cell), v.div_euclid(cell));
    let near = |column: i32, row: i32| {
        // The columns meet again behind the back.
        let column = column.rem_euclid(128 / cell);
        let number = speckle(column * 7 + 3, row * 13 + 5);
        (number < 11).then(|| {
            let x = column * cell + cell / 2 + number % 5 - 2;
            let y = row * cell + cell / 2 + number / 4 - 1;
            let radius = size + number % 3;
            let dx = (u - x + 64).rem_euclid(128) - 64;
            let far = dx * dx + (v - y) * (v - y);
            100 * far / (radius * radius)
        })
    };
    let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (column + x, row + y)));
    let nearest = around.filter_map(|(column, row)| near(column, row)).min();
    nearest.filter(|it| *it < 100)
}

/// The body, whose front is column 64 and whose crown is row 0.
fn body(u: i32, v: i32) -> u8 {
    let angle = ((2 * u + 1) * 4096 / 256) as u16;
    // Column 64 looks to -Y, column 96 to +X, as the mesh has it.
    let (x, y) = (-q12(sin(angle)), q12(cos(angle)));
    // The crown looks up, the seat down.
    let lean = match v {
        0..10 => 1.4 - 0.05 * f64::from(v),
        10..40 => 0.9 - 0.02 * f64::from(v - 10),
        40..62 => 0.3 - 0.02 * f64::from(v - 40),
        _ => -0.14 - 0.06 * f64::from(v - 62),
    };
    let normal = [x, y, lean];
    let light = dot(normal, SUN) / dot(normal, normal).sqrt();
    let side = (2 * u + 1 - 128).abs() / 2;
    // The mouth: wide, its corners higher than its middle.
    let mouth = 25 - side * side / 170;
    if side < 40 && (v == mouth || v == mouth + 1) {
        return lit(MOUTH, light);
    }
    if side < 40 && (v == mouth - 1 || v == mouth + 2) {
        return lit(if v < mouth { LIGHT } else { FOLD }, light);
    }
    if (5..=7).contains(&side) && (15..=16).contains(&v) {
        return lit(BLACK, light);
    }
    // Throat and belly, narrower at the chest.
    let pale = match v {
        _ if v <= mouth => 0,
        0..38 => 40 - (v - 25).max(0) / 2,
        _ => 26 + (v - 38) / 4,
    };
    if side < pale {
        let fold = (v - side * side / 300).rem_euclid(9) == 0 && v > 40;
        return lit(if fold { FOLD } else { BELLY }, light);
    }
    if side < pale + 2 && v > mouth {
        return lit(LIGHT, light);
    }
    match (spot(u, v, 16, 5), spot(u + 8, v + 5, 8, 1)) {
        (_, Some(_)) if v < 70 && side > 20 => lit(LIGHT, light),
        (Some(80..), _) => lit(DARK, light + 0.12),
        (Some(_), _) => lit(DARK, light),
        _ => lit(SKIN, light),
    }
}

/// The eye: column around the foremost point, row from there to the back.
fn eye(u: i32, v: i32) -> u8 {
    let around = (u * 64) as u16;
    let (right, up) = (q12(cos(around)), q12(sin(around)));
    let reach = f64::from(v) + 0.5;
    // Degrees from the front, as a flat picture.
    let (x, y) = (right * reach, up * reach);
    let away = ((2 * v + 1) * 32) as u16;
    let normal = [right * q12(sin(away)), -q12(cos(away)), up * q12(sin(away))];
    let light = dot(normal, SUN);
    let slit = x * x / 36.0 + y * y / 7.0;
    let glint = (x + 4.0) * (x + 4.0) + (y - 4.2) * (y - 4.2);
    // The lid covers more above than below.
    let lid = 14.6 - 1.0 * up;
    match () {
        () if glint < 3.0 => plain(WHITE),
        () if reach > lid + 1.2 => lit(SKIN, light + 0.1),
        () if reach > lid => lit(DARK, light - 0.2),
        () if slit < 1.0 => plain(BLACK),
        () if reach > lid - 1.4 => lit(ORANGE, light + 0.2),
        () => lit(GOLD, light + 0.35),
    }
}

/// The throat, unrolled as the eye.
fn sac(u: i32, v: i32) -> u8 {
    let around = (u * 64) as u16;
    let away = ((2 * v + 1) * 32) as u16;
    let (right, up) = (q12(cos(around)), q12(sin(around)));
    // Its foremost point looks down a little.
    let normal = [
        right * q12(sin(away)),
        -q12(cos(away)),
        up * q12(sin(away)) - 0.2,
    ];
    let light = dot(normal, SUN);
    // Veins that run to the back.
    let vein = (u + (v / 5) % 2).rem_euclid(8) == 0 && v > 6;
    lit(PINK, light + if vein { -0.3 } else { 0.25 })
}

fn limb(u: i32, v: i32) -> u8 {
    match speckle(u / 2, v / 2) {
        0 | 1 => plain(DARK),
        2 => plain(LIGHT),
        _ if u % 16 == 0 => plain(DARK),
        _ => plain(SKIN),
    }
}

fn toe(u: i32, v: i32) -> u8 {
    match speckle(u / 3, v / 3) {
        0 => plain(SKIN),
        1 | 2 => plain(FOLD),
        _ => plain(LIGHT),
    }
}
