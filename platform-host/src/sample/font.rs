//! The font of dialogues, drawn here as it appears: a page of cells and its sixteen palettes (field VM sheet,
//! 11.1). The sample disc does not hold it, since its scene has nobody to talk to.

use overworld_runtime::model::tim::{self, Block, Mode, Tim, texel};
use overworld_runtime::script::font::{HAND, PAGE, PALETTES, cell};

/// Texels in a row of the page, and rows.
const SIZE: (usize, usize) = (256, 224);
/// Rows of a cell above the highest letters.
const ABOVE: usize = 2;
/// Texels of the letters, of their shadow to the lower right, and of what is neither.
const INK: u8 = 1;
const SHADOW: u8 = 2;

/// What stands for a code that has no glyph.
const UNKNOWN: &str = "##### #...# #...# #...# #...# #...# #...# #...# #####";

/// Code, rows above its glyph, and the glyph's rows.
#[rustfmt::skip]
const GLYPHS: [(u8, usize, &str); 93] = [
    (b'!', 0, "# # # # # # . # #"),
    (b'"', 0, "#.# #.# #.#"),
    (b'#', 1, ".#.#. .#.#. ##### .#.#. ##### .#.#. .#.#."),
    (b'$', 0, "..#.. .#### #.#.. #.#.. .###. ..#.# ..#.# ####. ..#.."),
    (b'%', 0, "##...# ##...# ....#. ...#.. ..##.. ..#... .#.... #...## #...##"),
    (b'&', 0, ".##... #..#.. #..#.. .##... .##... #..#.# #...#. #..##. .##..#"),
    (b'\'', 0, "# # #"),
    (b'(', 0, "..# .#. #.. #.. #.. #.. #.. .#. ..#"),
    (b')', 0, "#.. .#. ..# ..# ..# ..# ..# .#. #.."),
    (b'*', 1, "..#.. #.#.# .###. #.#.# ..#.."),
    (b'+', 3, "..#.. ..#.. ##### ..#.. ..#.."),
    (b',', 7, ".# .# #."),
    (b'-', 5, "####"),
    (b'.', 7, "## ##"),
    (b'/', 0, "....# ....# ...#. ...#. ..#.. .#... .#... #.... #...."),
    (b'0', 0, ".###. #...# #...# #..## #.#.# ##..# #...# #...# .###."),
    (b'1', 0, "..#.. .##.. #.#.. ..#.. ..#.. ..#.. ..#.. ..#.. #####"),
    (b'2', 0, ".###. #...# ....# ....# ...#. ..#.. .#... #.... #####"),
    (b'3', 0, ".###. #...# ....# ....# ..##. ....# ....# #...# .###."),
    (b'4', 0, "...#. ..##. ..##. .#.#. .#.#. #..#. ##### ...#. ...#."),
    (b'5', 0, "##### #.... #.... ####. ....# ....# ....# #...# .###."),
    (b'6', 0, ".###. #...# #.... #.... ####. #...# #...# #...# .###."),
    (b'7', 0, "##### ....# ...#. ...#. ..#.. ..#.. ..#.. .#... .#..."),
    (b'8', 0, ".###. #...# #...# #...# .###. #...# #...# #...# .###."),
    (b'9', 0, ".###. #...# #...# #...# .#### ....# ....# #...# .###."),
    (b':', 4, "## ## .. ## ##"),
    (b';', 4, "## ## .. ## .# #."),
    (b'<', 1, "...# ..#. .#.. #... .#.. ..#. ...#"),
    (b'=', 4, "##### ..... #####"),
    (b'>', 1, "#... .#.. ..#. ...# ..#. .#.. #..."),
    (b'?', 0, ".###. #...# ....# ....# ...#. ..#.. ..... ..#.. ..#.."),
    (b'@', 0, ".#####. #.....# #..##.# #.#.#.# #.#.#.# #..###. #...... #.....# .#####."),
    (b'A', 0, "...#... ...#... ..#.#.. ..#.#.. .#...#. .#...#. .#####. #.....# #.....#"),
    (b'B', 0, "#####. #....# #....# #....# #####. #....# #....# #....# #####."),
    (b'C', 0, ".####. #....# #..... #..... #..... #..... #..... #....# .####."),
    (b'D', 0, "#####. #....# #....# #....# #....# #....# #....# #....# #####."),
    (b'E', 0, "##### #.... #.... #.... ####. #.... #.... #.... #####"),
    (b'F', 0, "##### #.... #.... #.... ####. #.... #.... #.... #...."),
    (b'G', 0, ".####. #....# #..... #..... #..### #....# #....# #....# .####."),
    (b'H', 0, "#....# #....# #....# #....# ###### #....# #....# #....# #....#"),
    (b'I', 0, "### .#. .#. .#. .#. .#. .#. .#. ###"),
    (b'J', 0, "....# ....# ....# ....# ....# ....# #...# #...# .###."),
    (b'K', 0, "#....# #...#. #..#.. #.#... ##.... #.#... #..#.. #...#. #....#"),
    (b'L', 0, "#.... #.... #.... #.... #.... #.... #.... #.... #####"),
    (b'M', 0, "#......# ##....## ##....## #.#..#.# #.#..#.# #..##..# #..##..# #......# #......#"),
    (b'N', 0, "#....# ##...# ##...# #.#..# #.#..# #..#.# #...## #...## #....#"),
    (b'O', 0, ".####. #....# #....# #....# #....# #....# #....# #....# .####."),
    (b'P', 0, "#####. #....# #....# #....# #####. #..... #..... #..... #....."),
    (b'Q', 0, ".####. #....# #....# #....# #....# #....# #..#.# #...#. .###.#"),
    (b'R', 0, "#####. #....# #....# #....# #####. #.#... #..#.. #...#. #....#"),
    (b'S', 0, ".####. #....# #..... #..... .####. .....# .....# #....# .####."),
    (b'T', 0, "####### ...#... ...#... ...#... ...#... ...#... ...#... ...#... ...#..."),
    (b'U', 0, "#....# #....# #....# #....# #....# #....# #....# #....# .####."),
    (b'V', 0, "#.....# #.....# #.....# .#...#. .#...#. ..#.#.. ..#.#.. ...#... ...#..."),
    (b'W', 0, "#.......# #.......# #...#...# #...#...# .#.#.#.#. .#.#.#.#. .#.#.#.#. ..#...#.. ..#...#.."),
    (b'X', 0, "#.....# .#...#. .#...#. ..#.#.. ...#... ..#.#.. .#...#. .#...#. #.....#"),
    (b'Y', 0, "#.....# .#...#. .#...#. ..#.#.. ..#.#.. ...#... ...#... ...#... ...#..."),
    (b'Z', 0, "###### .....# ....#. ...#.. ..#... ..#... .#.... #..... ######"),
    (b'[', 0, "### #.. #.. #.. #.. #.. #.. #.. ###"),
    (b'\\', 0, "#.... #.... .#... .#... ..#.. ...#. ...#. ....# ....#"),
    (b']', 0, "### ..# ..# ..# ..# ..# ..# ..# ###"),
    (b'_', 9, "######"),
    (b'`', 0, "#. .#"),
    (b'a', 3, ".###. ....# .#### #...# #...# .####"),
    (b'b', 0, "#.... #.... #.... ####. #...# #...# #...# #...# ####."),
    (b'c', 3, ".###. #...# #.... #.... #...# .###."),
    (b'd', 0, "....# ....# ....# .#### #...# #...# #...# #...# .####"),
    (b'e', 3, ".###. #...# ##### #.... #...# .###."),
    (b'f', 0, "..## .#.. .#.. #### .#.. .#.. .#.. .#.. .#.."),
    (b'g', 3, ".#### #...# #...# #...# .#### ....# ....# .###."),
    (b'h', 0, "#.... #.... #.... ####. #...# #...# #...# #...# #...#"),
    (b'i', 1, ".#. ... ##. .#. .#. .#. .#. ###"),
    (b'j', 1, "..# ... ..# ..# ..# ..# ..# ..# ..# ##."),
    (b'k', 0, "#.... #.... #.... #...# #..#. ##... #.#.. #..#. #...#"),
    (b'l', 0, "##. .#. .#. .#. .#. .#. .#. .#. ###"),
    (b'm', 3, "#.##.##. ##..#..# #...#..# #...#..# #...#..# #...#..#"),
    (b'n', 3, "#.##. ##..# #...# #...# #...# #...#"),
    (b'o', 3, ".###. #...# #...# #...# #...# .###."),
    (b'p', 3, "####. #...# #...# #...# #...# ####. #.... #...."),
    (b'q', 3, ".#### #...# #...# #...# #...# .#### ....# ....#"),
    (b'r', 3, "#.## ##.. #... #... #... #..."),
    (b's', 3, ".#### #.... .###. ....# ....# ####."),
    (b't', 1, ".#.. .#.. #### .#.. .#.. .#.. .#.. ..##"),
    (b'u', 3, "#...# #...# #...# #...# #..## .##.#"),
    (b'v', 3, "#...# #...# #...# .#.#. .#.#. ..#.."),
    (b'w', 3, "#.....# #..#..# #..#..# #..#..# .#.#.#. .#...#."),
    (b'x', 3, "#...# .#.#. ..#.. ..#.. .#.#. #...#"),
    (b'y', 3, "#...# #...# #...# #...# .#### ....# ....# .###."),
    (b'z', 3, "##### ...#. ..#.. .#... #.... #####"),
    (b'{', 0, "..# .#. .#. .#. #.. .#. .#. .#. ..#"),
    (b'}', 0, "#.. .#. .#. .#. ..# .#. .#. .#. #.."),
    (b'~', 4, ".##..# #..##."),
    (HAND, 1, "..###...... .#####..... ########### ##########. #######.... #######.... .######.... ..####....."),
];

/// Letters of each palette: white, the shades of a page, and pale yellow for the labels of pickers.
const INKS: [[u8; 3]; 16] = [
    [248, 248, 248],
    [248, 112, 96],
    [112, 216, 112],
    [120, 168, 248],
    [248, 216, 88],
    [232, 136, 232],
    [104, 224, 224],
    [248, 240, 184],
    [168, 168, 176],
    [248, 168, 96],
    [176, 232, 144],
    [176, 200, 248],
    [200, 160, 112],
    [248, 184, 208],
    [144, 144, 200],
    [96, 96, 104],
];

/// The glyph of a code and the rows above it; escapes and what is below 21h have none.
fn picture(code: u8) -> Option<(usize, &'static str)> {
    match code {
        0x80..=0xBF | 0xD0..=0xFE => Some((0, UNKNOWN)),
        _ => GLYPHS.iter().find(|it| it.0 == code).map(|it| (it.1, it.2)),
    }
}

/// Columns and rows of the ink of a code's cell.
fn ink(code: u8) -> impl Iterator<Item = (usize, usize)> {
    let (above, rows) = picture(code).unwrap_or_default();
    let rows = rows.split(' ').enumerate();
    rows.flat_map(move |(row, dots)| {
        let dots = dots.bytes().enumerate().filter(|dot| dot.1 == b'#');
        dots.map(move |(column, _)| (column, ABOVE + above + row))
    })
}

/// The page, a byte a texel.
fn texels() -> Vec<u8> {
    let mut texels = vec![0; SIZE.0 * SIZE.1];
    for code in 0x21..=0xFF {
        let Some((u, v)) = cell(code) else { continue };
        let at = |column, row| (usize::from(v) + row) * SIZE.0 + usize::from(u) + column;
        for (column, row) in ink(code) {
            texels[at(column + 1, row + 1)] = SHADOW;
        }
        for (column, row) in ink(code) {
            texels[at(column, row)] = INK;
        }
    }
    texels
}

/// The TIM file.
///
/// # Errors
/// None in practice: the writer refuses only what the tests would have found.
pub fn tim() -> Result<Vec<u8>, tim::Error> {
    let texels = texels();
    let pixels: Vec<u8> = texels.chunks(2).map(|it| it[0] | it[1] << 4).collect();
    let mut palettes = Vec::new();
    for [r, g, b] in INKS {
        let shadow = texel(16, 16, 32, 255);
        let colours = [0, texel(r, g, b, 255), shadow].into_iter().chain([0; 13]);
        palettes.extend(colours.flat_map(u16::to_le_bytes));
    }
    let tim = Tim {
        mode: Mode::Four,
        clut: Some(Block {
            x: PALETTES.0,
            y: PALETTES.1,
            w: 256,
            h: 1,
            data: &palettes,
        }),
        image: Block {
            x: PAGE.0,
            y: PAGE.1,
            w: SIZE.0 as u16 / 4,
            h: SIZE.1 as u16,
            data: &pixels,
        },
    };
    let mut file = vec![0; tim.size()];
    tim.emit(&mut file)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use overworld_runtime::script::font::{DRAWN, Font};

    /// Every glyph is as wide as the table says, and stands with its shadow in what is drawn of its cell.
    #[test]
    fn glyphs_have_their_widths() {
        let mut drawn = 0;
        for code in 0x21..=0xFF {
            let width = usize::from(Font::OWN.widths[usize::from(code)]);
            let Some(right) = ink(code).map(|it| it.0).max() else {
                assert!(
                    matches!(code, 0x5E | 0x7C | 0xC0..=0xCF | 0xFF),
                    "{code:02X}"
                );
                continue;
            };
            assert_eq!(right + 1, width, "{code:02X}");
            assert_eq!(ink(code).map(|it| it.0).min(), Some(0), "{code:02X}");
            let bottom = ink(code).map(|it| it.1).max().expect("as before");
            assert!(
                width < DRAWN.0.into() && bottom + 1 < DRAWN.1.into(),
                "{code:02X}"
            );
            drawn += 1;
        }
        assert_eq!(drawn, 222 - 16 - 2);
    }

    /// All rows of a picture are equally long, no two glyphs are alike, and none is given twice.
    #[test]
    fn glyphs_are_rectangles_and_differ() {
        for (index, (code, above, rows)) in GLYPHS.into_iter().enumerate() {
            let mut lengths = rows.split(' ').map(str::len);
            let first = lengths.next();
            assert!(lengths.all(|it| Some(it) == first), "{code:02X}");
            assert!(rows.bytes().all(|it| b"#. ".contains(&it)), "{code:02X}");
            for other in &GLYPHS[..index] {
                assert_ne!(other.0, code);
                assert_ne!((other.1, other.2), (above, rows), "{code:02X}");
            }
        }
    }
}
