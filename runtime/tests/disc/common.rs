//! What is built for several subjects.

use overworld_runtime::disc::sector::{self, Raw};

pub fn built(lba: u32, submode: u8, data: impl Fn(usize) -> u8) -> Raw {
    let data: [u8; 2048] = std::array::from_fn(data);
    let mut raw = [0xEE; 2352];
    sector::build(lba, submode, &data, &mut raw).unwrap();
    assert_eq!(sector::check(&raw), Ok(&data));
    raw
}

pub fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}
