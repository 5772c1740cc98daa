//! What the registers keep, and which of them the computed cases write and read. The build script,
//! which packs those cases, reads this file as well.

/// Registers that a computed case writes, in this order.
#[rustfmt::skip]
pub(crate) const INPUTS: [u8; 60] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    27, 30, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53,
    54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
];

/// Registers that show another one, or follow from it: SXYP, IRGB, ORGB, LZCR.
pub(crate) const DERIVED: [u8; 4] = [15, 28, 29, 31];

/// What a register reads after `value` was written to it and nothing else (GTE sheet, 1.1 to 1.3);
/// `None` for the [`DERIVED`] ones, which are no storage.
pub(crate) fn stored(register: u8, value: u32) -> Option<u32> {
    let low = value & 0xFFFF;
    let signed = low as u16 as i16 as i32 as u32;
    match register {
        15 | 28 | 29 | 31 => None,
        7 | 16..=19 => Some(low),
        // 58 is H: unsigned for the division, yet sign-extended when it is read.
        1 | 3 | 5 | 8..=11 | 36 | 44 | 52 | 58 | 59 | 61 | 62 => Some(signed),
        63 => {
            let flag = value & 0x7FFF_F000;
            let error = flag & 0x7F87_E000 != 0;
            Some(flag | u32::from(error) << 31)
        }
        _ => Some(value),
    }
}
