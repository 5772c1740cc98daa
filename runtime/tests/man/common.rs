//! The worked example, changed as a test needs it.

use overworld_runtime::scene::man::{Error, Man, Source, emit};

/// The sheet's synthetic example, section 5.
pub const EXAMPLE: [u8; 167] = include!("../../../tests/battery/tables/man.rs");

/// Where its sections' bodies start.
pub const ENCOUNTERS: usize = 0x5B;

/// The example with some bytes changed.
pub fn with(changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut data = EXAMPLE.to_vec();
    for (at, bytes) in changes {
        data[*at..at + bytes.len()].copy_from_slice(bytes);
    }
    data
}

pub fn error(data: &[u8]) -> Error {
    Man::parse(data).expect_err("this must not parse")
}

pub fn written(source: &Source<'_>) -> Vec<u8> {
    let mut out = vec![0xEE; 1 << 16];
    let length = emit(source, &mut out).unwrap();
    out.truncate(length);
    out
}

/// A MAN with this table of one partition; the data region holds zeros, and `counts` at their places.
pub fn tabled(starts: &[u32], counts: &[(u16, u8)], partition: usize, limit: u32) -> Vec<u8> {
    let mut data = EXAMPLE[..0x22].to_vec();
    let mut numbers = [0; 3];
    numbers[partition] = starts.len() as u16;
    data.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
    data.extend_from_slice(&limit.to_le_bytes()[..3]);
    for start in starts {
        data.extend_from_slice(&start.to_le_bytes()[..3]);
    }
    let region = data.len();
    data.resize(region + limit as usize, 0);
    for &(at, value) in counts {
        if let Some(byte) = data[region..].get_mut(usize::from(at)) {
            *byte = value;
        }
    }
    data.extend_from_slice(&EXAMPLE[0x58..]);
    data
}
