//! Check sums and the sine table.

use core::marker::PhantomData;

use overworld_runtime::bytes::{Crc32, crc32};
use overworld_runtime::fixed::{Matrix, cos, sin};

use crate::check::{Check, List, same, same_hex};

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("bytes/crc32", crc_check),
        ("fixed/sine-table", sine_table),
        ("fixed/sine-entries", sine_entries),
        ("fixed/euler", euler),
        ("fixed/wide", wide),
    ];
}

/// The check value of the usual CRC-32, and the same in pieces.
fn crc_check<G>(_: &mut G) -> Check {
    same_hex!(crc32(b"123456789"), 0xCBF4_3926, "crc32 of 123456789");
    same_hex!(crc32(b""), 0, "crc32 of nothing");
    let mut pieces = Crc32::new();
    pieces.update(b"1234");
    pieces.update(b"");
    pieces.update(b"56789");
    same_hex!(pieces.finish(), 0xCBF4_3926, "crc32 in pieces");
    Ok(())
}

/// CRC-32 of the 10 240 bytes of the table (ANM sheet, Composition).
fn sine_table<G>(_: &mut G) -> Check {
    let mut crc = Crc32::new();
    for entry in 0..5120u16 {
        crc.update(&sin(entry & 0xFFF).to_le_bytes());
    }
    same_hex!(crc.finish(), 0x445E_5AEA, "crc32 of the sine table");
    Ok(())
}

/// The entries that the ANM sheet names, and the symmetries.
fn sine_entries<G>(_: &mut G) -> Check {
    for (angle, value) in [
        (0, 0),
        (1, 6),
        (2, 12),
        (3, 18),
        (6, 37),
        (100, 625),
        (1023, 4095),
        (1024, 4096),
        (3072, -4096),
    ] {
        same!(sin(angle), value, "sin({angle})");
    }
    same!(cos(1), 4095, "cos(1)");
    for angle in 0..2048u16 {
        same!(sin(2048 - angle), sin(angle), "sin({})", 2048 - angle);
        same!(sin(angle + 2048), -sin(angle), "sin({})", angle + 2048);
    }
    Ok(())
}

/// The worked matrices of the TMD sheet, section 7.
fn euler<G>(_: &mut G) -> Check {
    same!(
        Matrix::euler(0x1B8, 0x64, 0).m,
        [[4047, 0, 625], [391, 3197, -2529], [-488, 2559, 3158]],
        "euler(1B8, 64, 0)"
    );
    same!(
        Matrix::euler(0x100, 0x200, 0x300).m,
        [[1107, -2676, 2896], [3919, 423, -1108], [423, 3072, 2675]],
        "euler(100, 200, 300)"
    );
    Ok(())
}

/// 64-bit arithmetic, which a 32-bit machine does with calls into its support library.
fn wide<G>(_: &mut G) -> Check {
    // Kept from the optimiser, or the compiler would do the arithmetic.
    let big = core::hint::black_box(0x0123_4567_89AB_CDEF_u64);
    let small = core::hint::black_box(0x1_0001_u64);
    same_hex!(big / small, 0x0123_4444_4567, "quotient");
    same_hex!(big % small, 0x8888, "remainder");
    same_hex!(big.wrapping_mul(small), 0x468A_CF13_579A_CDEF, "product");
    let negative = core::hint::black_box(-0x0123_4567_89AB_CDEF_i64);
    same!(negative >> 44, -0x1235, "arithmetic shift");
    same!(negative / 1_000_003, -81_985_283_260, "signed quotient");
    Ok(())
}
