//! Worked examples of the format sheets, as bytes.
#![allow(dead_code, reason = "each user needs a part of it")]

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

/// ANM sheet: two clips, 84 bytes, CRC-32 68C9A8A7.
pub fn bank() -> Vec<u8> {
    hex("02 00 00 00  0C 00 00 00  24 00 00 00
         01 00 01 00 0C 08 01 00   00 00 00 00 00 00 00 00   00 00 00 00 00 00 00 00
         02 01 02 00 0C 08 04 00
           00 00 00 00 00 00 00 00   00 E0 F0 00 00 10 00 00
           00 00 00 00 00 00 00 F0   00 F0 F0 08 00 18 00 FF
         00 00 00 00 00 00 00 00")
}

/// MAN sheet, section 5: 167 bytes, CRC-32 D415F2C7.
pub fn man() -> Vec<u8> {
    hex("00 00 00 00 20 00 40 00 60 00 80 00 A0 00 C0 00
         E0 00 00 01 20 01 40 01 60 01 80 01 A0 01 C0 01
         E0 01 01 00 02 00 01 00 21 00 00 00 00 00 05 00
         00 0B 00 00 14 00 00 01 82 60 02 21 00 00 00 7F
         7F 21 01 00 00 03 01 9D 16 25 21 02 82 60 82 61
         00 01 25 02 01 26 02 21 30 00 00 08 04 09 02 00
         00 00 01 05 00 00 00 01 00 00 02 06 07 00 00 02
         42 01 01 00 FF FF 01 00 02 00 00 7F 7F 00 00 00
         00 00 0A 0A 14 14 06 00 00 01 00 01 00 00 00 0A
         00 00 54 65 73 74 76 69 6C 6C 65 00 01 00 00 00
         01 00 00 00 00 00 00")
}

/// A stream of literals: a control byte with the low n bits set, then n literals.
pub fn literal(data: &[u8]) -> Vec<u8> {
    data.chunks(8)
        .flat_map(|chunk| {
            let control = ((1_u16 << chunk.len()) - 1) as u8;
            [&[control], chunk].concat()
        })
        .collect()
}

/// Disc sheet, section 8: the bundle of these two, 307 bytes, CRC-32 3CC1E13E.
pub fn bundle() -> Vec<u8> {
    let mut out = hex("02 00 00 00 00 00 00 00 A7 00 00 03 18 00 00 00 54 00 00 05 D4 00 00 00");
    out.extend(literal(&man()));
    out.resize(out.len().next_multiple_of(4), 0);
    out.extend(literal(&bank()));
    out
}

/// Disc sheet, section 8: a patch with one walk-on trigger, tile (29, 91), beat 3.
pub fn patch() -> Vec<u8> {
    let mut out = hex("1E 00 12 00 00 00 14 00 01 00 1A 00 00 00 1C 00 00 00 00 00 1D 5B 03 01");
    out.resize(2048, 0);
    out
}

/// Disc sheet, section 8: two one-sector system entries, then map 36, patch 1, stager 1 and bundle
/// 10 sectors; the sectors behind the table are zero.
pub fn archive() -> Vec<u8> {
    let words = [0_u32, 6, 3, 4, 5, 41, 42, 43, 53];
    let mut out: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    out.resize(53 * 2048, 0);
    out
}

/// Field sheet, section 3.5: a map whose trigger block holds one record of each kind.
pub fn map() -> Vec<u8> {
    let mut out = vec![0; 0x12000];
    // Chain 12h, 18h, 1Eh, 24h; each body of 4, 4, 4 and 8 bytes is followed by a gap of two.
    let words = [0x2E_u16, 0x12, 1, 0x18, 1, 0x1E, 1, 0x24, 1];
    for (index, word) in words.iter().enumerate() {
        out[0x10000 + 2 * index..][..2].copy_from_slice(&word.to_le_bytes());
    }
    out[0x10012..][..4].copy_from_slice(&[5, 6, 20, 22]);
    out[0x10018..][..4].copy_from_slice(&[29, 91, 3, 1]);
    out[0x1001E..][..4].copy_from_slice(&[7, 8, 0xFE, 0x39]);
    out[0x10024..][..8].copy_from_slice(&[1, 9, 4, 2, 1, 0, 0, 0]);
    // Object 5 with an offset and yaw, placed on tile (38, 25); a wall on tile (3, 4), tier 2.
    out[0xA0..][..6].copy_from_slice(&[0xC0, 0xFF, 0, 0, 56, 0]);
    out[0xAA..][..2].copy_from_slice(&[0, 4]);
    out[0xB0..][..4].copy_from_slice(&[9, 0, 0x16, 0]);
    out[0x8000 + 25 * 0x100 + 38 * 2] = 5;
    out[0x4000 + 4 * 0x80 + 3] = 0x52;
    out
}

/// Llama sheet, section 1: chunks of a level, with made-up content.
pub fn wad() -> Vec<u8> {
    let mut chunks = Vec::new();
    for (tag, size) in [(b"INFO", 4_u32), (b"VERS", 1), (b"MAP ", 30), (b"END ", 0)] {
        chunks.extend(tag.iter().rev());
        chunks.extend(size.to_le_bytes());
        chunks.extend(vec![0xAA; size as usize]);
    }
    [&(chunks.len() as u32).to_le_bytes()[..], &chunks].concat()
}

/// FF8 sheet, sections 1 to 4: a model of two bones, one object of a vertex a bone, one animation.
pub fn ff8() -> Vec<u8> {
    let mut skeleton = vec![0; 16 + 2 * 48];
    skeleton[0] = 2;
    skeleton[16..18].copy_from_slice(&[0xFF, 0xFF]);
    let mut geometry = vec![1, 0, 0, 0, 8, 0, 0, 0, 2, 0];
    for bone in 0..2 {
        geometry.extend([bone, 0, 1, 0, 1, 0, 2, 0, 3, 0]);
    }
    geometry.resize(geometry.len().next_multiple_of(4), 0);
    geometry.extend([0; 12]);
    geometry.extend([2, 0, 0, 0]);
    let animations = [1, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0];
    let sections: [&[u8]; 3] = [&skeleton, &geometry, &animations];
    let mut out = vec![3, 0, 0, 0];
    let mut at = 4 + 4 * 4;
    for section in sections {
        out.extend((at as u32).to_le_bytes());
        at += section.len();
    }
    out.extend((at as u32).to_le_bytes());
    [out, sections.concat()].concat()
}

/// The complete model of the FF8 sheet's row A12.
pub fn ff8_model() -> Vec<u8> {
    let mut file: Vec<u8> = [3_u32, 0x14, 0x84, 0xC8, 0xE0, 0x1000_0002]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect();
    file.resize(0x24, 0);
    file.extend([0xFF, 0xFF, 0x64]);
    file.resize(0x56, 0);
    file.push(0x50);
    file.resize(0x84, 0);
    file.extend([1, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 2, 0]);
    file.extend([0, 0, 0, 0, 0, 0, 0x28, 0, 0, 0, 0, 0]);
    file.extend([1, 0, 1, 0, 0, 0, 0xD8, 0xFF, 0, 0, 0, 0]);
    file.truncate(0xA6);
    file.resize(0xA8, 0);
    file.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.extend([0, 0x80, 1, 0, 2, 0, 0, 0x1F, 0, 0, 0, 0, 0x1F, 0, 0, 0]);
    file.extend([3, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0]);
    file.extend([
        2, 0, 0, 0x0E, 0x40, 0, 0x38, 0x0A, 2, 8, 0x1C, 0x40, 0, 0, 0, 0,
    ]);
    file
}
