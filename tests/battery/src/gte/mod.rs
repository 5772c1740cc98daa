//! The geometry engine against the GTE sheet, a console's log and the software model.

mod cases;
mod light;
mod registers;
mod rows;

use core::marker::PhantomData;

use overworld_runtime::bytes::Crc32;
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gte::software::Gte as Software;
use overworld_runtime::gte::{Geometry, Registers, unpack};

use crate::check::{Check, List, reason, same, same_hex};
pub(crate) use cases::{CONSOLE, VECTORS, console, division, gpl_limit, vectors};
use registers::{INPUTS, stored};
pub(crate) use rows::{ROWS, Row};

/// The commands, lowest six bits, in the order of the console's log.
const COMMANDS: [u32; 22] = [
    0x01, 0x06, 0x0C, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x1B, 0x1C, 0x1E, 0x20, 0x28, 0x29, 0x2A,
    0x2D, 0x2E, 0x30, 0x3D, 0x3E, 0x3F,
];

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: Geometry + Registers + 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("gte/registers", registers),
        ("gte/fifo-and-colour-ports", ports),
        ("gte/leading-bits", leading_bits),
        ("gte/random", random),
        ("gte/trait-project", project),
        ("gte/trait-project-all", project_all),
        ("gte/trait-rotate", rotate),
        ("gte/trait-steps", steps),
        ("gte/trait-light", light::light),
        ("gte/trait-products", light::products),
    ];
}

/// All 64 registers 0, as before every row of the sheet.
fn zero<G: Registers>(gte: &mut G) {
    for register in 0..64 {
        gte.write(register, 0);
    }
}

/// One row of the sheet.
pub(crate) fn row<G: Registers>(gte: &mut G, row: &Row) -> Check {
    zero(gte);
    for &(register, value) in row.inputs {
        gte.write(register, value);
    }
    gte.command(row.word);
    for &(register, value) in row.outputs {
        same_hex!(gte.read(register), value, "r{register}");
    }
    Ok(())
}

/// Each register keeps what the sheet says, and no other one changes.
fn registers<G: Registers>(gte: &mut G) -> Check {
    const VALUES: [u32; 6] = [
        0xFFFF_FFFF,
        0x8000_8000,
        0x7FFF_7FFF,
        0x1234_ABCD,
        0x0080_1000,
        0,
    ];
    for value in VALUES {
        for register in 0..64u8 {
            let Some(expected) = stored(register, value) else {
                continue;
            };
            zero(gte);
            gte.write(register, value);
            same_hex!(gte.read(register), expected, "r{register}");
            for other in 0..64u8 {
                // Ports that show another register, or follow from it.
                let derived = matches!(other, 15 | 28 | 29 | 31);
                if other != register && !derived {
                    same_hex!(gte.read(other), 0, "r{other} after a write to r{register}");
                }
            }
        }
    }
    // All at once, with values that differ.
    let value = |register: u8| 0x9E37_79B9_u32.wrapping_mul(u32::from(register) + 1);
    for register in (0..64).filter(|&register| stored(register, 0).is_some()) {
        gte.write(register, value(register));
    }
    for register in 0..64 {
        if let Some(expected) = stored(register, value(register)) {
            same_hex!(gte.read(register), expected, "r{register} of all");
        }
    }
    Ok(())
}

/// SXYP pushes, IRGB spreads, ORGB gathers and clamps; ORGB and LZCR ignore writes.
fn ports<G: Registers>(gte: &mut G) -> Check {
    zero(gte);
    for value in [0x0001_0002, 0x0003_0004, 0x0005_0006, 0x0007_0008] {
        gte.write(15, value);
    }
    same_hex!(gte.read(12), 0x0003_0004, "SXY0 after four pushes");
    same_hex!(gte.read(13), 0x0005_0006, "SXY1 after four pushes");
    same_hex!(gte.read(14), 0x0007_0008, "SXY2 after four pushes");
    same_hex!(gte.read(15), 0x0007_0008, "SXYP after four pushes");
    gte.write(14, 0x0009_000A);
    same_hex!(gte.read(13), 0x0005_0006, "SXY1 after a write to SXY2");
    same_hex!(gte.read(15), 0x0009_000A, "SXYP after a write to SXY2");

    gte.write(28, 0xFFFF_8000 | 0x1F << 10 | 0x01 << 5 | 0x10);
    same_hex!(gte.read(9), 0x10 * 0x80, "IR1 after IRGB");
    same_hex!(gte.read(10), 0x80, "IR2 after IRGB");
    same_hex!(gte.read(11), 0x1F * 0x80, "IR3 after IRGB");
    same_hex!(gte.read(28), 0x7C30, "IRGB");
    same_hex!(gte.read(29), 0x7C30, "ORGB");
    gte.write(9, 0xFFFF_FFFF);
    gte.write(10, 0x1000);
    gte.write(11, 0x007F);
    same_hex!(gte.read(29), 0x1F << 5, "ORGB of -1, 1000, 7F");
    gte.write(29, 0x7FFF);
    same_hex!(gte.read(10), 0x1000, "IR2 after a write to ORGB");
    gte.write(30, 0x00FF_FFFF);
    gte.write(31, 3);
    same_hex!(gte.read(31), 8, "LZCR after a write to it");
    Ok(())
}

/// LZCR for every count 0..32 of leading zeros, and for the complements.
fn leading_bits<G: Registers>(gte: &mut G) -> Check {
    for zeros in 0..=32u32 {
        let value = 0x8000_0000_u32.checked_shr(zeros).unwrap_or(0);
        // Bit 31 itself counts: a value that starts with a one has one leading one.
        let expected = if zeros == 0 { 1 } else { zeros };
        for value in [value, !value] {
            gte.write(30, value);
            same!(gte.read(31), expected, "LZCR of {value:08X}");
        }
        // With all lower bits set: the count is the same but for 0, all of whose bits are ones.
        let filled = u32::MAX.checked_shr(zeros).unwrap_or(0);
        let expected = if zeros == 0 { 32 } else { zeros };
        for value in [filled, !filled] {
            gte.write(30, value);
            same!(gte.read(31), expected, "LZCR of {value:08X}");
        }
    }
    Ok(())
}

/// A generator of 32-bit words (xorshift), the same on every machine.
pub(crate) struct Random(pub(crate) u32);

impl Random {
    pub(crate) fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// A register value: noise, small numbers of either sign, matrix-like halves, edges.
    pub(crate) fn value(&mut self) -> u32 {
        let noise = self.next();
        match self.next() >> 29 {
            0 | 1 => noise,
            2 => (noise as i32 >> 20) as u32,
            3 => (noise as i32 >> 12) as u32,
            4 => noise & 0x1FFF_1FFF,
            5 => noise & 0x0FFF,
            6 => [0, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x8000_0000][(noise >> 30) as usize],
            _ => [0x1000, 0x8000_7FFF, 0x7FFF_8000, 0x7FFF_7FFF][(noise >> 30) as usize],
        }
    }
}

/// Register files from a generator, all 22 commands with random options: the engine must do
/// what the software model does. On a machine whose engine *is* the software model the test
/// has teeth through its check sum, which an emulated PlayStation's chip gave.
fn random<G: Registers>(gte: &mut G) -> Check {
    let mut random = Random(0x0C0F_FEE5);
    let mut crc = Crc32::new();
    for round in 0..10 {
        for command in COMMANDS {
            let mut model = Software::new();
            for register in INPUTS {
                let value = random.value();
                gte.write(register, value);
                model.write(register, value);
            }
            // Options and the bits that the chip ignores; the command number stays.
            let word = 0x4A00_0000 | (random.next() & 0x01FF_FFC0) | command;
            gte.command(word);
            model.command(word);
            for register in 0..64 {
                let (found, expected) = (gte.read(register), model.read(register));
                same_hex!(found, expected, "round {round} {word:08X} r{register}");
                crc.update(&found.to_le_bytes());
            }
        }
    }
    same_hex!(crc.finish(), RANDOM_CRC, "crc32 of all results");
    Ok(())
}

/// What the 220 cases of [`random`] gave on mednafen's chip.
const RANDOM_CRC: u32 = 0x2BA5_F5BD;

/// Rows 30 and 31 of the sheet, and the averages, through the trait that drawing code uses.
fn project<G: Geometry + Registers>(gte: &mut G) -> Check {
    zero(gte);
    gte.set_rotation(&Matrix::IDENTITY);
    gte.set_translation(&Vector::new(0, 0, 0x400));
    gte.set_screen(0xA0_0000, 0x78_0000, 0x140);
    gte.set_average(0x555, 0x400);
    let corners = [
        SVector::new(0x10, 0x10, 0),
        SVector::new(0x10, -0x10, 0x40),
        SVector::new(-0x10, 0x10, -0x40),
    ];
    let [a, b, c] = &corners;
    let triangle = gte.project3([a, b, c]);
    same_hex!(
        triangle.sxy,
        [0x7D_00A5, 0x73_00A4, 0x7D_009A],
        "project3: screen positions"
    );
    same_hex!(triangle.flag, 0, "project3: flag");
    same_hex!(gte.depth(), 0x3C0, "depth of the third vertex");
    // (A5, 7D), (A4, 73), (9A, 7D): twice the signed area, by hand.
    let area = 165 * 115 + 164 * 125 + 154 * 125 - 165 * 125 - 164 * 125 - 154 * 115;
    same!(gte.normal_clip(), area, "normal_clip");
    // 555h * (400h + 440h + 3C0h) >> 12
    same_hex!(gte.average3(), 0x3FF, "average3: 555h * C00h >> 12");

    // A fourth corner moves the FIFOs on: depths 400h, 440h, 3C0h, 400h.
    let point = gte.project(&SVector::new(0x10, -0x10, 0));
    same_hex!(point.sxy, 0x73_00A5, "project: screen position");
    same_hex!(point.flag, 0, "project: flag");
    same_hex!(gte.depth(), 0x400, "depth of the one vertex");
    same_hex!(gte.average4(), 0x400, "average4: the mean of four depths");
    // (A4, 73), (9A, 7D), (A5, 73)
    let area = 164 * 125 + 154 * 115 + 165 * 115 - 164 * 115 - 154 * 115 - 165 * 125;
    same!(gte.normal_clip(), area, "normal_clip after project");

    // Behind the eye: flags 31, 18 and 17 (row 21 of the sheet).
    gte.set_translation(&Vector::new(0, 0, -1000));
    let point = gte.project(&SVector::new(100, 0, 0));
    same_hex!(point.flag, 0x8006_0000, "project: flag behind");
    // One of three is enough, and not only the last one.
    let [front, behind] = [SVector::new(0, 0, 2000), SVector::new(100, 0, 0)];
    for v in [
        [&behind, &front, &front],
        [&front, &behind, &front],
        [&front, &front, &behind],
    ] {
        same_hex!(gte.project3(v).flag, 0x8006_0000, "project3: flag behind");
    }
    same_hex!(gte.project3([&front; 3]).flag, 0, "project3: flag in front");

    // Row 45 with a projection: TRX << 12 + 7FFFh * 7FFFh passes 2^43 (flag 30), MAC1 wraps to
    // 8003FFEFh, IR1 is -8000h (24), H / SZ3 is 5000h, and SX is far to the left (14).
    let mut wide = Matrix::IDENTITY;
    wide.m[0][0] = 0x7FFF;
    gte.set_rotation(&wide);
    gte.set_translation(&Vector::new(0x7FFF_FFFF, 0, 0x400));
    let [over, inside] = [SVector::new(0x7FFF, 0, 0), SVector::new(0, 0, 0)];
    let triangle = gte.project3([&inside, &over, &inside]);
    same_hex!(triangle.flag, 0xC100_4000, "project3: flag of an overflow");
    // Where it does not overflow it is as far to the right.
    let (left, right) = (0x0078_FC00, 0x0078_03FF);
    same_hex!(triangle.sxy, [right, left, right], "project3: positions");
    Ok(())
}

/// The steps of drawing, the words of a pose and the depth cue answer what the software model's plain
/// methods do; on a machine whose engine is that model the check sum, an emulated chip's, has teeth.
fn steps<G: Geometry + Registers>(gte: &mut G) -> Check {
    let mut random = Random(0x0D0F_FEE5);
    let mut crc = Crc32::new();
    let mut model = Software::new();
    let mut flags = Flags::default();
    zero(gte);
    for round in 0..100 {
        // Matrix cells of 13 bits, and a depth that lets most vertices be seen.
        let mut columns = [[0; 3]; 3];
        for cell in columns.iter_mut().flatten() {
            *cell = (random.next() as i32 >> 19) as u32;
        }
        let place = Vector::new(0, random.next() as i32 >> 22, (random.next() >> 20) as i32);
        let far = random.next().to_le_bytes();
        let (dqa, dqb) = (random.next() as i16, random.next() as i32 >> 7);
        let matrix = Matrix {
            m: [0, 1, 2].map(|row| columns.map(|column| column[row] as i16)),
        };
        gte.set_columns(columns);
        model.set_rotation(&matrix);
        gte.set_translation(&place);
        model.set_translation(&place);
        gte.set_screen(0xA0_0000, 0x78_0000, 0x140);
        model.set_screen(0xA0_0000, 0x78_0000, 0x140);
        gte.set_average(0x555, 0x400);
        model.set_average(0x555, 0x400);
        let [r, g, b, _] = far;
        gte.set_cue([r, g, b], dqa, dqb);
        for (register, value) in (53..).zip([r, g, b]) {
            model.write(register, u32::from(value) << 4);
        }
        model.write(59, dqa as u32);
        model.write(60, dqb as u32);

        let v = [(); 4].map(|()| [random.value(), random.value()]);
        let [p, q, r, s] = v.map(unpack);
        // Between the steps the chip may be ahead: FLAG is compared where both have done the same.
        let triangle = model.project3([&p, &q, &r]);
        same_hex!(
            gte.project3([&p, &q, &r]),
            triangle,
            "round {round}: project3"
        );
        gte.begin3([&v[0], &v[1], &v[2]]);
        flags.compare(gte, &mut model, format_args!("round {round}: begin3"))?;
        let expected = triangle.sxy;
        let area = model.normal_clip();
        gte.begin_clip();
        same!(gte.clip3(), area, "round {round}: clip3");
        let depth = model.average3().into();
        same_hex!(gte.finish3(), (expected, depth), "round {round}: finish3");
        flags.compare(gte, &mut model, format_args!("round {round}: finish3"))?;
        same_hex!(gte.screen3(), expected, "round {round}: screen3");
        gte.begin3([&v[0], &v[1], &v[2]]);
        gte.begin_clip();
        model.project3([&p, &q, &r]);
        same_hex!(
            gte.clip4(&v[3]),
            (expected[0], area),
            "round {round}: clip4"
        );
        model.project(&s);
        flags.compare(gte, &mut model, format_args!("round {round}: clip4"))?;
        same!(
            gte.normal_clip(),
            model.normal_clip(),
            "round {round}: second half"
        );
        let screen = [12, 13, 14].map(|register| model.read(register));
        let depth = model.average4().into();
        same_hex!(gte.finish4(), (screen, depth), "round {round}: finish4");
        flags.compare(gte, &mut model, format_args!("round {round}: finish4"))?;
        let point = model.project(&s);
        same_hex!(gte.project(&s), point, "round {round}: project");
        let colour = random.next();
        model.write(6, colour);
        model.command(0x4A78_0010);
        let cued = model.read(22);
        same_hex!(gte.cue(colour), cued, "round {round}: cue");
        same_hex!(cued >> 24, colour >> 24, "round {round}: code");
        flags.compare(gte, &mut model, format_args!("round {round}: cue"))?;

        let SVector { x, y, z, .. } = model.rotate(&p);
        let turned = [x, y, z].map(|c| c as u32);
        same_hex!(gte.rotate_raw(v[0]), turned, "round {round}: rotate_raw");
        flags.compare(gte, &mut model, format_args!("round {round}: rotate_raw"))?;
        let moved = model.transform(&q);
        same!(
            gte.transform_raw(v[1]),
            moved,
            "round {round}: transform_raw"
        );
        flags.compare(
            gte,
            &mut model,
            format_args!("round {round}: transform_raw"),
        )?;
        for word in screen.into_iter().chain(turned).chain([
            cued,
            area as u32,
            moved.z as u32,
            triangle.flag,
            point.flag,
        ]) {
            crc.update(&word.to_le_bytes());
        }
    }
    same_hex!(crc.finish(), STEPS_CRC, "crc32 of all answers");
    same_hex!(flags.seen, STEPS_FLAGS, "bits of FLAG that were set");
    Ok(())
}

/// The bits of FLAG that were set in a test.
#[derive(Default)]
struct Flags {
    seen: u32,
}

impl Flags {
    /// FLAG must be the same in both engines.
    fn compare<G: Registers>(
        &mut self,
        gte: &mut G,
        model: &mut Software,
        what: core::fmt::Arguments<'_>,
    ) -> Check {
        let flag = model.read(63);
        same_hex!(gte.read(63), flag, "{what}: flag");
        self.seen |= flag;
        Ok(())
    }
}

/// What [`steps`] gave on mednafen's chip.
const STEPS_CRC: u32 = 0x77F3_5E63;
/// The bits of FLAG that [`steps`] sets: all but those of the 44-bit sums and of the colours.
const STEPS_FLAGS: u32 = 0x81C7_F000;

/// Rotation saturates to 16 bits, transformation does not.
/// Any number of vertices, into more or less room: what one after the other gives, and nothing behind it.
fn project_all<G: Geometry + Registers>(gte: &mut G) -> Check {
    const MOST: usize = 10;
    let mut random = Random(0x0A11_0DD5);
    zero(gte);
    gte.set_screen(0xA0_0000, 0x78_0000, 0x140);
    // It is nobody's business, and must not get into the depths.
    gte.set_cue([0; 3], 0, 0x100_0000);
    for count in 0..MOST {
        gte.set_rotation(&Matrix::euler(
            random.next() as u16,
            random.next() as u16,
            0,
        ));
        gte.set_translation(&Vector::new(0, 0, 0x8000));
        let vertices = [(); MOST].map(|()| [random.value(), random.value()]);
        let mut one = [[0x5A5A_5A5A; 2]; MOST];
        for (vertex, to) in vertices.iter().take(count).zip(&mut one) {
            let position = gte.project(&unpack(*vertex)).sxy;
            *to = [position, gte.depth().into()];
        }
        let mut few = [[0x5A5A_5A5A; 2]; MOST];
        gte.project_all(vertices.get(..count).unwrap_or_default(), &mut few);
        same_hex!(few, one, "{count} vertices");
        let mut room = [[0x5A5A_5A5A; 2]; MOST];
        gte.project_all(&vertices, room.get_mut(..count).unwrap_or_default());
        same_hex!(room, one, "room for {count}");
    }
    Ok(())
}

fn rotate<G: Geometry + Registers>(gte: &mut G) -> Check {
    zero(gte);
    // Row 17 of the sheet: a quarter turn about Z.
    gte.set_rotation(&Matrix {
        m: [[0, -0x1000, 0], [0x1000, 0, 0], [0, 0, 0x1000]],
    });
    gte.set_translation(&Vector::new(10, 20, 30));
    let v = SVector::new(100, 200, 300);
    same!(gte.rotate(&v), SVector::new(-200, 100, 300), "rotate");
    same!(gte.transform(&v), Vector::new(-190, 120, 330), "transform");

    gte.set_rotation(&Matrix::scale(0x6000));
    gte.set_translation(&Vector::new(1_000_000, -1, 0));
    let v = SVector::new(30_000, -30_000, 1);
    let saturated = SVector::new(0x7FFF, -0x8000, 6);
    same!(gte.rotate(&v), saturated, "rotate saturates");
    let wide = Vector::new(1_180_000, -180_001, 6);
    same!(gte.transform(&v), wide, "transform does not saturate");

    // Ra Rz Ry Rx of the ANM sheet, Composition.
    let mut m = Matrix::IDENTITY;
    for axis in [
        Matrix::rotation_z(0x300),
        Matrix::rotation_y(0x200),
        Matrix::rotation_x(0x100),
    ] {
        gte.set_rotation(&m);
        m = gte.multiply(&axis);
    }
    same!(
        m.m,
        [[1107, -3073, 2470], [2675, 2471, 1871], [-2896, 1107, 2675]],
        "multiply"
    );
    Ok(())
}

/// The reason of a failed set-up.
pub(crate) fn broken(what: &str) -> crate::check::Reason {
    reason(format_args!("set-up failed: {what}"))
}
