//! What the screen shows while the ROM works: a small map, and what is going on.

use core::fmt::Write as _;
use overworld_psx::console::{Colour, Console};

const TEXT: Colour = Colour::new(29, 28, 24);
const DIM: Colour = Colour::new(17, 18, 22);
const NIGHT: Colour = Colour::new(2, 3, 8);

/// The map, a tile a letter: sea, shallows, beach, grass, wood, hills, snow.
const MAP: [&[u8]; 6] = [
    b"~~~~~~~~~~~~",
    b"~~--..-~~~~~",
    b"~-..##.--~-~",
    b"~-.#&&#..--~",
    b"~~-.#&^##.-~",
    b"~~~--..#..-~",
];

/// Side of a tile in pixels: what a fill needs.
const TILE: u16 = 16;
const LEFT: u16 = 64;
const TOP: u16 = 40;

fn colour(tile: u8) -> Colour {
    match tile {
        b'~' => Colour::new(3, 8, 18),
        b'-' => Colour::new(6, 14, 23),
        b'.' => Colour::new(26, 23, 14),
        b'#' => Colour::new(9, 19, 6),
        b'&' => Colour::new(4, 12, 4),
        _ => Colour::new(15, 12, 9),
    }
}

/// Show the map and the name.
pub fn show() {
    let mut screen = Console::take(TEXT, NIGHT);
    for (row, tiles) in (0..).zip(MAP) {
        for (column, tile) in (0..).zip(tiles) {
            let (x, y) = (LEFT + column * TILE, TOP + row * TILE);
            screen.rectangle(x, y, TILE, TILE, colour(*tile));
            if *tile == b'^' {
                // Snow on the mountain.
                screen.rectangle(x, y, TILE, TILE / 3, Colour::new(30, 30, 31));
            }
        }
    }
    screen.set_line(15);
    let _ = screen.write_str("                O V E R W O R L D\n");
    screen.set_colour(DIM);
    let _ = writeln!(
        screen,
        "                 boot ROM {}",
        env!("CARGO_PKG_VERSION")
    );
}

/// Where the ROM writes what it does.
pub fn status() -> Console {
    let mut screen = Console::resume(DIM, NIGHT);
    screen.set_line(18);
    screen
}
