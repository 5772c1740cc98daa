//! Colours and products, through the trait that drawing code uses.

use overworld_runtime::fixed::{Matrix, Vector};
use overworld_runtime::gte::{Addend, Factor, Geometry, RawVertex, Registers, Shade};

use super::zero;
use crate::check::{Check, same, same_hex};

/// Rows 57 to 60 and 49 of the sheet.
pub(super) fn light<G: Geometry + Registers>(gte: &mut G) -> Check {
    zero(gte);
    gte.set_light(&Matrix::IDENTITY);
    gte.set_light_colour(&Matrix::IDENTITY);
    gte.set_background([0x10, 0x20, 0x30]);
    let normal: RawVertex = [0x0800_0400, 0x0C00];
    let plain = gte.normal_colour(Shade::Plain, &normal, 0x1200_0000);
    same_hex!(plain, 0x12F0_A050, "normal_colour, plain");
    same_hex!(gte.colour(), 0x12F0_A050, "colour");

    gte.set_background([0; 3]);
    let colour = 0x1280_4020;
    let coloured = gte.normal_colour(Shade::Coloured, &normal, colour);
    same_hex!(coloured, 0x1260_2008, "normal_colour, coloured");

    gte.set_cue([0x80; 3], 0, 0);
    gte.set_fade(0x800);
    let cued = gte.normal_colour(Shade::Cued, &normal, colour);
    same_hex!(cued, 0x1270_5044, "normal_colour, cued");
    let three = gte.normal_colour3(Shade::Cued, [&normal; 3], colour);
    same_hex!(three, [0x1270_5044; 3], "normal_colour3, cued");
    let three = gte.normal_colour3(Shade::Coloured, [&normal; 3], colour);
    same_hex!(three, [0x1260_2008; 3], "normal_colour3, coloured");

    let normals: [RawVertex; 3] = [[0, 0x1000], [0x1000, 0], [0x1000_0000, 0]];
    let [a, b, c] = &normals;
    let three = gte.normal_colour3(Shade::Coloured, [a, b, c], 0x0080_8080);
    let expected = [0x0080_0000, 0x80, 0x8000];
    same_hex!(three, expected, "normal_colour3");
    same_hex!(gte.colours3(), expected, "colours3");
    let mut stored = [0; 3];
    let [p, q, r] = &mut stored;
    gte.store_colours3([p, q, r]);
    same_hex!(stored, expected, "store_colours3");
    let three = gte.normal_colour3(Shade::Plain, [a, b, c], 0x3400_0000);
    let expected = [0x34FF_0000, 0x3400_00FF, 0x3400_FF00];
    same_hex!(three, expected, "normal_colour3, plain");

    gte.set_cue([0xFF; 3], 0, 0);
    let cued = gte.cue3([0x5A11_2233, 0x0044_5566, 0x0077_8899]);
    same_hex!(cued, [0x5A88_9099, 0x5AA1_AAB2, 0x5ABB_C3CC], "cue3");
    Ok(())
}

/// Each of the nine products, with matrices that scale by 1, 2 and 3.
pub(super) fn products<G: Geometry + Registers>(gte: &mut G) -> Check {
    zero(gte);
    gte.set_rotation(&Matrix::scale(0x1000));
    gte.set_light(&Matrix::scale(0x2000));
    gte.set_light_colour(&Matrix::scale(0x3000));
    gte.set_translation(&Vector::new(100_000, -200_000, 300_000));
    gte.set_background([1, 2, 3]);
    // (1000, -2000, 30000), with junk above z.
    let v: RawVertex = [0xF830_03E8, 0xDEAD_7530];
    for (factor, scale) in Factor::ALL.into_iter().zip(1..) {
        for (addend, [x, y, z]) in
            Addend::ALL
                .into_iter()
                .zip([[100_000, -200_000, 300_000], [16, 32, 48], [0; 3]])
        {
            let expected = Vector::new(x + 1000 * scale, y - 2000 * scale, z + 30_000 * scale);
            let found = gte.apply(factor, addend, &v);
            same!(found, expected, "{factor:?} and {addend:?}");
        }
    }
    Ok(())
}
