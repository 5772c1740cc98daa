//! The software GTE against the oracle files of `tests/data/gte` (their README says what each
//! file holds and where it comes from). Zero differences are allowed.

use overworld_runtime::gte::division::divide;
use overworld_runtime::gte::{Registers, software::Gte};

/// Registers that `vectors.bin` writes, in its order.
const INPUTS: [std::ops::RangeInclusive<u8>; 4] = [0..=14, 16..=27, 30..=30, 32..=63];

/// Registers that `vectors.bin` lists as results, in its order.
const OUTPUTS: [u8; 20] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 24, 25, 26, 27, 63,
];

fn load(name: &str, magic: &[u8; 4]) -> Vec<u32> {
    let path = format!("{}/../tests/data/gte/{name}", env!("CARGO_MANIFEST_DIR"));
    let data = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(&data[..4], magic, "{path}");
    data.chunks_exact(4)
        .map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]))
        .collect()
}

fn inputs() -> impl Iterator<Item = u8> {
    INPUTS.into_iter().flatten()
}

#[test]
fn cases_recorded_on_a_console() {
    let words = load("hw1150.bin", b"HWG1");
    let records = words[4..].chunks_exact(129);
    assert_eq!((words[1], records.len()), (1150, 1150));
    for (number, record) in records.enumerate() {
        let mut gte = Gte::new();
        for (register, &value) in (0..).zip(&record[1..65]) {
            gte.write(register, value);
        }
        if record[0] != u32::MAX {
            gte.command(0x4A00_0000 | record[0]);
        }
        for (register, &value) in (0..).zip(&record[65..]) {
            let found = gte.read(register);
            assert_eq!(
                found, value,
                "case {number}, command {:08X}: r{register} is {found:08X}, not {value:08X}",
                record[0]
            );
        }
    }
}

#[test]
fn computed_cases_of_all_commands() {
    let words = load("vectors.bin", b"GEV1");
    let groups = words[4..].chunks_exact(144);
    assert_eq!((words[1], groups.len(), words[2]), (5000, 5000, 4));
    for (number, group) in groups.enumerate() {
        let mut start = Gte::new();
        for (register, &value) in inputs().zip(&group[..60]) {
            start.write(register, value);
        }
        for case in group[60..].chunks_exact(21) {
            let mut gte = start.clone();
            gte.command(case[0]);
            for (&register, &value) in OUTPUTS.iter().zip(&case[1..]) {
                let found = gte.read(register);
                assert_eq!(
                    found, value,
                    "group {number}, {:08X}: r{register} is {found:08X}, not {value:08X}",
                    case[0]
                );
            }
            // Everything else must be as it was, but for the mirrors 15, 28 and 29.
            for register in (0..64).filter(|r| !OUTPUTS.contains(r) && ![15, 28, 29].contains(r)) {
                assert_eq!(
                    gte.read(register),
                    start.read(register),
                    "group {number}: r{register}"
                );
            }
            assert_eq!(gte.read(15), gte.read(14));
        }
    }
}

#[test]
fn register_transfers() {
    let words = load("regio.bin", b"GER1");
    let records = words[4..].chunks_exact(80);
    assert_eq!((words[1], records.len(), words[2]), (1500, 1500, 8));
    for (number, record) in records.enumerate() {
        let mut gte = Gte::new();
        for register in 0..64 {
            gte.write(register, 0);
        }
        for write in record[..16].chunks_exact(2) {
            gte.write(write[0] as u8, write[1]);
        }
        for (register, &value) in (0..).zip(&record[16..]) {
            assert_eq!(gte.read(register), value, "record {number}: r{register}");
        }
    }
}

fn quotient_word(h: u16, z: u16) -> u32 {
    let (quotient, overflow) = divide(h, z);
    quotient | u32::from(overflow) << 31
}

#[test]
fn quotients_of_every_table_entry() {
    let words = load("division.bin", b"GED1");
    let records = words[4..].chunks_exact(3);
    assert_eq!((words[1], records.len()), (9309, 9309));
    for record in records {
        let (h, z) = (record[0] as u16, record[1] as u16);
        assert_eq!(quotient_word(h, z), record[2], "{h:X} / {z:X}");
    }
}

#[test]
fn exhaustive_check_sums_of_the_division() {
    // GTE sheet, 3.4.
    const SUMS: [(u16, u32); 20] = [
        (0, 0xd139_2684),
        (1, 0x6b02_7098),
        (2, 0xb680_fb83),
        (3, 0x2869_de78),
        (100, 0x6da5_ca03),
        (160, 0x3bce_fb57),
        (200, 0x8c9e_d496),
        (256, 0x4cb0_0ad9),
        (320, 0xa9e4_35cc),
        (341, 0x3483_0711),
        (512, 0x8d5c_0011),
        (640, 0xf56a_f7b5),
        (1000, 0x74ba_0666),
        (1024, 0x38e5_8092),
        (4096, 0xace6_7569),
        (0x7FFF, 0x1142_f129),
        (0x8000, 0x000c_eda5),
        (0xF015, 0xece7_c9bc),
        (0xFE3F, 0x5210_98ef),
        (0xFFFF, 0x4c56_0bc5),
    ];
    let table = crc_table();
    for (h, sum) in SUMS {
        let mut crc = !0u32;
        for z in 0..=u16::MAX {
            for byte in quotient_word(h, z).to_le_bytes() {
                crc = (crc >> 8) ^ table[usize::from(crc as u8 ^ byte)];
            }
        }
        assert_eq!(!crc, sum, "H = {h:X}");
    }
}

fn crc_table() -> [u32; 256] {
    std::array::from_fn(|i| {
        (0..8).fold(i as u32, |c, _| {
            if c & 1 == 0 {
                c >> 1
            } else {
                (c >> 1) ^ 0xEDB8_8320
            }
        })
    })
}

#[test]
fn the_trait_for_drawing_agrees_with_the_commands() {
    use overworld_runtime::fixed::{Matrix, SVector, Vector};
    use overworld_runtime::gte::Geometry;

    // Register files of the oracle, so that every clamp and overflow occurs.
    let words = load("vectors.bin", b"GEV1");
    for group in words[4..].chunks_exact(144).take(1000) {
        let mut gte = Gte::new();
        for (register, &value) in inputs().zip(&group[..60]) {
            gte.write(register, value);
        }
        let vertex = |gte: &mut Gte, n: u8| {
            let xy = gte.read(2 * n);
            SVector::new(xy as i16, (xy >> 16) as i16, gte.read(2 * n + 1) as i16)
        };
        let v = [0, 1, 2].map(|n| vertex(&mut gte, n));
        let run = |word: u32| {
            let mut other = gte.clone();
            other.command(word);
            other
        };

        let mut one = gte.clone();
        let triangle = one.project3([&v[0], &v[1], &v[2]]);
        let mut other = run(0x4A28_0030);
        assert_eq!(one, other);
        assert_eq!(triangle.sxy, [12, 13, 14].map(|r| other.read(r)));
        assert_eq!(triangle.flag, other.read(63));

        let mut one = gte.clone();
        let point = one.project(&v[0]);
        let mut other = run(0x4A18_0001);
        assert_eq!(one, other);
        assert_eq!((point.sxy, point.flag), (other.read(14), other.read(63)));

        let mut one = gte.clone();
        let area = one.normal_clip();
        let mut other = run(0x4B40_0006);
        assert_eq!(one, other);
        assert_eq!(area as u32, other.read(24));

        let mut one = gte.clone();
        let otz = one.average3();
        let mut other = run(0x4B58_002D);
        assert_eq!(one, other);
        assert_eq!(u32::from(otz), other.read(7));

        let mut one = gte.clone();
        let otz = one.average4();
        let mut other = run(0x4B68_002E);
        assert_eq!(one, other);
        assert_eq!(u32::from(otz), other.read(7));

        let mut one = gte.clone();
        let rotated = one.rotate(&v[0]);
        let mut other = run(0x4A48_6012);
        assert_eq!(one, other);
        assert_eq!(
            [rotated.x, rotated.y, rotated.z].map(|c| c as u32),
            [9, 10, 11].map(|r| other.read(r))
        );

        let mut one = gte.clone();
        let moved = one.transform(&v[0]);
        let mut other = run(0x4A48_0012);
        assert_eq!(one, other);
        assert_eq!(
            [moved.x, moved.y, moved.z].map(|c| c as u32),
            [25, 26, 27].map(|r| other.read(r))
        );

        // RT * M by the engine and by plain arithmetic.
        let m = Matrix::from_columns(v);
        let mut rotation = Matrix::default();
        for (n, cell) in rotation.m.iter_mut().flatten().enumerate() {
            let word = gte.read(32 + (n / 2) as u8);
            *cell = (word >> (16 * (n & 1))) as i16;
        }
        assert_eq!(gte.multiply(&m), rotation.multiply(&m));

        // Setting through the trait is writing the registers.
        let mut one = Gte::new();
        one.set_rotation(&rotation);
        one.set_translation(&Vector::new(1, -2, 3));
        one.set_screen(-5, 6, 0xFFFF);
        one.set_average(-7, 8);
        let mut other = Gte::new();
        for register in 32..=36 {
            other.write(register, gte.read(register));
        }
        for (register, value) in [
            (37, 1),
            (38, -2),
            (39, 3),
            (56, -5),
            (57, 6),
            (58, -1),
            (61, -7),
            (62, 8),
        ] {
            other.write(register, value as u32);
        }
        assert_eq!(one, other);
    }
}

/// Colours and products of the trait are the commands of the sheet, on the oracle's register files.
#[test]
fn light_and_products_agree_with_the_commands() {
    use overworld_runtime::fixed::Matrix;
    use overworld_runtime::gte::{Addend, Factor, Geometry, Lighting, Shade};

    let words = load("vectors.bin", b"GEV1");
    for group in words[4..].chunks_exact(144).take(1000) {
        let mut gte = Gte::new();
        for (register, &value) in inputs().zip(&group[..60]) {
            gte.write(register, value);
        }
        let v = [0, 2, 4].map(|n| [gte.read(n), gte.read(n + 1)]);
        let colour = gte.read(6);
        let old = [20, 21, 22].map(|register| gte.read(register));
        let run = |word: u32| {
            let mut other = gte.clone();
            other.command(word);
            other
        };
        for (shade, one, three) in [
            (Shade::Plain, 0x4AC8_041E, 0x4AD8_0420),
            (Shade::Coloured, 0x4B08_041B, 0x4B18_043F),
            (Shade::Cued, 0x4AE8_0413, 0x4AF8_0416),
        ] {
            let (mut found, mut expected) = (gte.clone(), run(one));
            let answer = found.normal_colour(shade, &v[0], colour);
            assert_eq!(
                (answer, &found),
                (expected.read(22), &expected),
                "{shade:?}"
            );

            let (mut found, mut expected) = (gte.clone(), run(three));
            let answer = found.normal_colour3(shade, [&v[0], &v[1], &v[2]], colour);
            let colours = [20, 21, 22].map(|register| expected.read(register));
            assert_eq!((answer, &found), (colours, &expected), "three, {shade:?}");
            let mut stored = [0; 3];
            let [a, b, c] = &mut stored;
            found.store_colours3([a, b, c]);
            assert_eq!(stored, colours);
        }

        // DPCT takes CODE from RGBC, the trait from the first colour.
        let mut expected = gte.clone();
        expected.write(6, old[0]);
        expected.command(0x4AF8_002A);
        let mut found = gte.clone();
        let answer = found.cue3(old);
        let colours = [20, 21, 22].map(|register| expected.read(register));
        assert_eq!((answer, &found), (colours, &expected));
        let code = |word: u32| old[0] & 0xFF00_0000 | word & 0x00FF_FFFF;
        let mut single = gte.clone();
        assert_eq!(old.map(|colour| single.cue(code(colour))), colours);

        for (mx, factor) in (0..).zip(Factor::ALL) {
            for (cv, addend) in [0, 1, 3].into_iter().zip(Addend::ALL) {
                let mut expected = run(0x4A48_0012 | mx << 17 | cv << 13);
                let mut found = gte.clone();
                let answer = found.apply(factor, addend, &v[0]);
                let mac = [25, 26, 27].map(|register| expected.read(register) as i32);
                assert_eq!([answer.x, answer.y, answer.z], mac, "{factor:?} {addend:?}");
                assert_eq!(found, expected, "{factor:?} {addend:?}");
            }
        }

        // Setting through the trait is writing the registers.
        let mut matrix = Matrix::default();
        for (n, cell) in matrix.m.iter_mut().flatten().enumerate() {
            let word = gte.read(40 + (n / 2) as u8);
            *cell = (word >> (16 * (n & 1))) as i16;
        }
        let mut found = Gte::new();
        found.set_light(&matrix);
        found.set_light_colour(&matrix);
        found.set_background([1, 128, 255]);
        found.set_fade(0x0FFF);
        let mut expected = Gte::new();
        for n in 0..5 {
            expected.write(40 + n, gte.read(40 + n));
            expected.write(48 + n, gte.read(40 + n));
        }
        for (register, value) in [(45, 16), (46, 2048), (47, 4080), (8, 0x0FFF)] {
            expected.write(register, value);
        }
        assert_eq!(found, expected);
    }
}

/// GTE sheet, 3.6: "larger than 43 bits", so a sum of exactly 2^43 - 1 is no overflow.
#[test]
fn gpl_at_the_positive_limit_sets_no_flag() {
    let gpl = |mac: u32, ir0: u32, ir1: u32| {
        let mut gte = Gte::new();
        for (register, value) in [(25, mac), (8, ir0), (9, ir1)] {
            gte.write(register, value);
        }
        gte.command(0x4BA8_003E);
        // MAC1, IR1, and the overflow flags of MAC1, both ways.
        (gte.read(25), gte.read(9), gte.read(63) >> 27 & 0b1001)
    };
    // 7FFFFFFFh << 12 plus 3 * 555h = FFFh is 2^43 - 1: MAC1 stays.
    assert_eq!(gpl(0x7FFF_FFFF, 3, 0x555), (0x7FFF_FFFF, 0x7FFF, 0));
    // One more: 4 * 400h = 1000h. The sum wraps.
    assert_eq!(
        gpl(0x7FFF_FFFF, 4, 0x400),
        (0x8000_0000, 0xFFFF_8000, 0b1000)
    );
    // -2^43 is inside, one less is not.
    assert_eq!(gpl(0x8000_0000, 0, 0), (0x8000_0000, 0xFFFF_8000, 0));
    assert_eq!(gpl(0x8000_0000, 1, 0xFFFF), (0x7FFF_FFFF, 0x7FFF, 0b0001));
}
