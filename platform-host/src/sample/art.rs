//! The owl's texture: 128 by 128 texels of 16 colours, drawn by rules.
//!
//! Rows 0..96 wrap around the body (the front is column 64), rows 96..128 hold the wing on the
//! left and a tail feather on the right.

use overworld_runtime::model::tim::{self, Block, Mode, Tim, texel};

use super::{PALETTE_AT, TEXTURE_AT};

/// Texels in a row, and rows.
pub const SIZE: i32 = 128;

/// Rows of the body's part.
pub const BODY_ROWS: i32 = 96;

/// Columns of the wing; the tail feather begins there.
pub const WING_COLUMNS: i32 = 96;

/// Colours by index; index 0 is transparent.
const PALETTE: [[u8; 3]; 16] = [
    [0, 0, 0],
    [28, 24, 44],
    [44, 48, 100],
    [62, 86, 158],
    [98, 138, 204],
    [168, 204, 236],
    [206, 166, 118],
    [242, 214, 162],
    [255, 248, 228],
    [186, 90, 40],
    [240, 146, 52],
    [255, 214, 84],
    [70, 168, 156],
    [236, 132, 128],
    [102, 62, 52],
    [10, 8, 18],
];

const CLEAR: u8 = 0;
const OUTLINE: u8 = 1;
const DEEP: u8 = 2;
const BLUE: u8 = 3;
const LIGHT: u8 = 4;
const PALE: u8 = 5;
const SAND: u8 = 6;
const CREAM: u8 = 7;
const WHITE: u8 = 8;
const RUST: u8 = 9;
const ORANGE: u8 = 10;
const YELLOW: u8 = 11;
const TEAL: u8 = 12;
const PINK: u8 = 13;
const BLACK: u8 = 15;

/// What somebody else wears: a colour with more blue than red has the one for the other.
pub fn other([r, g, b]: [u8; 3]) -> [u8; 3] {
    if b > r { [b, g, r] } else { [r, g, b] }
}

/// The TIM file, with its palette alone.
pub fn tim() -> Result<Vec<u8>, tim::Error> {
    with_palettes(&[PALETTE])
}

/// The TIM file with the palette of others beside its own.
pub fn tim_of_two() -> Result<Vec<u8>, tim::Error> {
    with_palettes(&[PALETTE, PALETTE.map(other)])
}

/// The TIM file with these palettes in one row, as the game lays them.
fn with_palettes(palettes: &[[[u8; 3]; 16]]) -> Result<Vec<u8>, tim::Error> {
    let pixels: Vec<u8> = (0..SIZE)
        .flat_map(|v| {
            (0..SIZE / 2).map(move |half| pixel(2 * half, v) | pixel(2 * half + 1, v) << 4)
        })
        .collect();
    let texels = palettes
        .iter()
        .flat_map(|palette| palette.iter().enumerate());
    let texels = texels.flat_map(|(index, &[r, g, b])| {
        texel(r, g, b, if index == 0 { 0 } else { 255 }).to_le_bytes()
    });
    let texels: Vec<u8> = texels.collect();
    let tim = Tim {
        mode: Mode::Four,
        clut: Some(Block {
            x: PALETTE_AT.0,
            y: PALETTE_AT.1,
            w: 16 * palettes.len() as u16,
            h: 1,
            data: &texels,
        }),
        image: Block {
            x: TEXTURE_AT.0,
            y: TEXTURE_AT.1,
            w: SIZE as u16 / 4,
            h: SIZE as u16,
            data: &pixels,
        },
    };
    let mut file = vec![0; tim.size()];
    tim.emit(&mut file)?;
    Ok(file)
}

/// Colour index of a texel.
fn pixel(u: i32, v: i32) -> u8 {
    if v < BODY_ROWS {
        body(u, v)
    } else if u < WING_COLUMNS {
        wing(u, v - BODY_ROWS)
    } else {
        tail(u - WING_COLUMNS, v - BODY_ROWS)
    }
}

/// Twice the distance of two points, so that half texels count.
fn distance(u: i32, v: i32, centre: (i32, i32)) -> i32 {
    let (x, y) = (2 * u + 1 - 2 * centre.0, 2 * v + 1 - 2 * centre.1);
    (x * x + y * y).isqrt()
}

/// Rows of feathers like roof tiles, each half an ellipse that hangs down over the row below.
/// Answers how deep the texel lies in its feather, 0 at the rim to 1000 at the root, and the
/// feather's number.
fn tiles(u: i32, v: i32, width: i32, height: i32) -> (i32, i32) {
    let row = v.div_euclid(height);
    // The upper row covers the lower one: look at it first.
    for row in [row - 1, row] {
        let shift = if row % 2 == 0 { 0 } else { width / 2 };
        let column = (u + shift).div_euclid(width);
        let x = 2 * (u + shift).rem_euclid(width) + 1 - width;
        let y = 2 * (v - row * height) + 1;
        let reach = 4 * height;
        let depth = 1000 - 1000 * x * x / (width * width) - 1000 * y * y / (reach * reach);
        if depth > 0 {
            return (depth, row * 31 + column * 17);
        }
    }
    (0, 0)
}

fn body(u: i32, v: i32) -> u8 {
    face(u, v)
        .or_else(|| collar(u, v))
        .or_else(|| belly(u, v))
        .unwrap_or_else(|| plumage(u, v))
}

/// Eyes and the discs around them.
fn face(u: i32, v: i32) -> Option<u8> {
    for side in [-1, 1] {
        let eye = (64 + side * 12, 31);
        let far = distance(u, v, eye);
        let glint = distance(u, v, (eye.0 - 3, eye.1 - 3));
        let colour = match far {
            _ if glint < 4 && far < 16 => WHITE,
            0..9 => BLACK,
            9..15 => YELLOW,
            15..17 => ORANGE,
            17..19 => OUTLINE,
            19..25 => WHITE,
            25..30 => {
                // Rays of short feathers.
                let ray = (u - eye.0) * (u - eye.0) * 3 + (v - eye.1) * (v - eye.1) * 5;
                if ray % 7 < 3 { SAND } else { CREAM }
            }
            30..32 => SAND,
            _ => continue,
        };
        // The discs meet in the middle.
        if (u - 64) * side >= 0 {
            return Some(colour);
        }
    }
    // Brows, rising outwards.
    let (x, y) = ((2 * u + 1 - 128).abs() / 2, v);
    let brow = 16 - x * 2 / 5;
    if (2..22).contains(&x) && (brow..brow + 4).contains(&y) {
        return Some(if y < brow + 3 { PALE } else { OUTLINE });
    }
    let cheek = distance(u, v, (64 - 21, 44)).min(distance(u, v, (64 + 21, 44)));
    (cheek < 7).then_some(PINK)
}

/// A band with studs between head and body.
fn collar(u: i32, v: i32) -> Option<u8> {
    let stud = distance(u.rem_euclid(16), v, (8, 52));
    match v {
        48 | 49 | 55 | 56 => Some(OUTLINE),
        50..55 if stud < 4 => Some(WHITE),
        50 => Some(YELLOW),
        51..54 => Some(ORANGE),
        54 => Some(RUST),
        _ => None,
    }
}

fn belly(u: i32, v: i32) -> Option<u8> {
    let (x, y) = (2 * u + 1 - 128, 2 * v + 1 - 2 * 71);
    let round = x * x * 49 + y * y * 44 * 44 / 49;
    match round {
        0..78_000 => {
            let (depth, number) = tiles(u, v + 3, 8, 6);
            Some(match depth {
                0..200 => SAND,
                500.. if number % 5 == 1 => WHITE,
                _ => CREAM,
            })
        }
        78_000..92_000 => Some(OUTLINE),
        _ => None,
    }
}

fn plumage(u: i32, v: i32) -> u8 {
    let (depth, number) = tiles(u, v, 16, 8);
    // Shaft of the feather.
    let shift = if (v.div_euclid(8) - 1) % 2 == 0 { 0 } else { 8 };
    let shaft = (u + shift).rem_euclid(16) == 8;
    match depth {
        0..150 => OUTLINE,
        150..260 => DEEP,
        _ if number % 11 == 3 && !(50..78).contains(&u) => TEAL,
        _ if shaft => LIGHT,
        800.. => DEEP,
        260..420 => LIGHT,
        _ => BLUE,
    }
}

/// The wing: root at the left, leading edge above, feathers with clear gaps at the lower rim.
fn wing(u: i32, v: i32) -> u8 {
    // Flight feathers are 8 columns wide and end in points; the longest reach row 31.
    let (x, tip) = (2 * u.rem_euclid(8) + 1 - 8, 31 - (u.div_euclid(8) % 2));
    let end = tip - x * x / 9;
    if v > end {
        return CLEAR;
    }
    if v == end || v == end - 1 && x.abs() > 4 {
        return OUTLINE;
    }
    match v {
        0..2 => OUTLINE,
        2..5 => {
            if (u / 4) % 2 == 0 {
                ORANGE
            } else {
                YELLOW
            }
        }
        5 => OUTLINE,
        6..16 => {
            let (depth, number) = tiles(u, v, 8, 5);
            match depth {
                0..250 => DEEP,
                _ if number % 5 == 2 && v > 10 => TEAL,
                250..500 => LIGHT,
                _ => BLUE,
            }
        }
        _ => match x {
            7 => OUTLINE,
            -7 => DEEP,
            -1 | 1 => PALE,
            _ if v > end - 6 => WHITE,
            _ if (v / 3) % 3 == 2 => DEEP,
            _ if x < 0 => LIGHT,
            _ => BLUE,
        },
    }
}

/// One tail feather: 32 columns, 32 rows, round end below.
fn tail(u: i32, v: i32) -> u8 {
    let x = 2 * u + 1 - 32;
    let half = if v < 20 {
        30
    } else {
        (30 * 30 - (v - 20) * (v - 20) * 7).max(0).isqrt()
    };
    match half - x.abs() {
        i32::MIN..=0 => CLEAR,
        1..=4 => OUTLINE,
        _ if x.abs() < 3 => PALE,
        _ if v > 26 => WHITE,
        _ if (v + x.abs() / 4) % 8 < 2 => DEEP,
        _ if x < 0 => LIGHT,
        _ => BLUE,
    }
}
