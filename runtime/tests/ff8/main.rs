//! Final Fantasy VIII battle models: the worked vectors and malformed cases of the sheet, and round trips.

mod geometry;
mod malformed;
mod model;
mod properties;
mod reference;
mod single;
mod streams;

use overworld_runtime::anim::ff8::{Animation, Animations};

/// Bytes from text in hexadecimal; blanks and bars do not count.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let pairs = digits.chunks_exact(2);
    pairs
        .map(|it| u8::from_str_radix(std::str::from_utf8(it).unwrap(), 16).unwrap())
        .collect()
}

/// A section of one animation, whose stream is all that follows.
pub fn section(animation: &[u8]) -> Vec<u8> {
    [&[1, 0, 0, 0, 8, 0, 0, 0], animation].concat()
}

/// The animation of such a section.
pub fn first(section: &[u8]) -> Animation<'_> {
    Animations::parse(section).unwrap().get(0).unwrap()
}

/// The complete file of row A12.
pub fn a12() -> Vec<u8> {
    let mut file = hex("03 00 00 00 14 00 00 00 84 00 00 00 C8 00 00 00
         E0 00 00 00 02 00 00 10 00 00 00 00 00 00 00 00
         00 00 00 00 FF FF 64 00 00 00 00 00 00 00 00 00");
    file.resize(0x50, 0);
    file.extend(hex("00 00 00 00 00 00 50 00 00 00 00 00 00 00 00 00"));
    file.resize(0x80, 0);
    file.extend(hex("00 00 00 00 01 00 00 00 08 00 00 00 02 00 00 00
         02 00 00 00 00 00 00 00 28 00 00 00 00 00 01 00
         01 00 00 00 D8 FF 00 00 01 00 00 00 00 00 00 00
         00 00 00 00 00 80 01 00 02 00 00 1F 00 00 00 00
         1F 00 00 00 03 00 00 00 01 00 00 00 08 00 00 00
         02 00 00 0E 40 00 38 0A 02 08 1C 40 00 00 00 00"));
    file
}
