//! Textures and meshes: what the TMD/TIM sheet refuses, row for row, and what it says of texels.

use core::marker::PhantomData;

use overworld_runtime::model::tim::{self, Block, Mode, Tim, texel};
use overworld_runtime::model::tmd::{self, Kind, Tmd};

use crate::check::{Check, List, bytes, same, same_hex};
use crate::containers::broken;
use crate::disc::put;

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("tim/fields", fields),
        ("tim/palette", palette),
        ("tim/refusals", tim_refusals),
        ("tmd/refusals", tmd_refusals),
        ("tmd/lenient", lenient),
    ];
}

static TIM: [u8; 72] = include!("../tables/tim.rs");
static MESH: [u8; 116] = include!("../tables/tmd.rs");

fn fields<G>(_: &mut G) -> Check {
    let tim = Tim::parse(&TIM).map_err(broken)?;
    same!((tim.mode, tim.width()), (Mode::Four, 8), "mode and width");
    let block = |it: &Block<'_>| (it.x, it.y, it.w, it.h, it.data.len());
    same!(block(&tim.image), (640, 256, 2, 2, 8), "the image");
    let clut = tim.clut.as_ref().map(block);
    same!(clut, Some((0, 500, 16, 1, 32)), "the palette");
    let mut out = [0xEE; 72];
    same!(tim.emit(&mut out), Ok(72), "length");
    bytes(format_args!("TIM"), &out, &TIM)?;
    // Texels of a line of six units.
    let wide = |mode| {
        let image = Block { w: 6, ..tim.image };
        Tim { mode, image, ..tim }.width()
    };
    let widths = [Mode::Four, Mode::Eight, Mode::Sixteen, Mode::TwentyFour].map(wide);
    same!(widths, [24, 12, 6, 4], "widths");
    // Red, green, blue, alpha.
    for ([r, g, b, alpha], cell) in [
        ([255, 0, 8, 255], 0x041F),
        ([0, 0, 0, 255], 0x8000),
        ([9, 9, 9, 0], 0x0000),
        ([255, 0, 8, 254], 0x841F),
        ([0, 0, 0, 1], 0x8000),
    ] {
        same_hex!(texel(r, g, b, alpha), cell, "{r}, {g}, {b}, {alpha}");
    }
    Ok(())
}

fn palette<G>(_: &mut G) -> Check {
    static DATA: [u8; 96] = [0; 96];
    let tim = Tim::parse(&TIM).map_err(broken)?;
    let rows = Block {
        x: 16,
        y: 510,
        w: 16,
        h: 3,
        data: &DATA,
    };
    let with = |clut| Tim { clut, ..tim }.palette();
    let strip = Block {
        w: 48,
        h: 1,
        ..rows
    };
    same!(with(Some(rows)), Ok(Some(strip)), "three rows at line 510");
    same!(with(None), Ok(None), "no palette");
    let outside = Block { x: 1000, ..rows };
    let refused = tim::Error::BadTimRect {
        offset: 8,
        x: 1000,
        y: 510,
        w: 16,
        h: 3,
    };
    same!(with(Some(outside)), Err(refused), "neither fits");
    // An indexed image whose palette comes from elsewhere.
    let mut bare = [0; 72];
    let (head, image) = TIM.split_at_checked(52).unwrap_or_default();
    put(&mut bare, 0, head.get(..4).unwrap_or_default())?;
    put(&mut bare, 8, image)?;
    same!(Tim::parse(&bare).map(|it| it.clut), Ok(None), "without");
    Ok(())
}

/// Where a word is put, the word, the error that it makes.
type BadTim = (usize, u32, tim::Error);

fn tim_refusals<G>(_: &mut G) -> Check {
    use tim::Error;
    static REFUSED: [BadTim; 20] = include!("../tables/bad_tims.rs");
    for (at, word, error) in &REFUSED {
        let mut data = TIM;
        put(&mut data, *at, &word.to_le_bytes())?;
        let found = Tim::parse(&data).err();
        same!(found, Some(*error), "{word:#X} at {at}");
    }
    for len in 0..TIM.len() {
        let found = Tim::parse(TIM.get(..len).unwrap_or_default());
        let named = matches!(found, Err(Error::BadTim { .. } | Error::BadTimBlock { .. }));
        same!(named, true, "cut to {len}");
    }
    Ok(())
}

/// Where the mesh is changed, to what, the length that it is cut to, whether the lenient reader takes
/// it, and the strict one's error.
type BadTmd = (usize, &'static [u8], usize, bool, tmd::Error);

fn tmd_refusals<G>(_: &mut G) -> Check {
    use tmd::Error;
    static REFUSED: [BadTmd; 33] = include!("../tables/bad_tmds.rs");
    same!(Tmd::parse(&MESH).is_ok(), true, "without a change");
    for (at, change, len, lenient, error) in &REFUSED {
        let mut data = MESH;
        put(&mut data, *at, change)?;
        let data = data.get(..*len).unwrap_or_default();
        let found = Tmd::parse(data).err();
        same!(found, Some(*error), "{change:02X?} at {at}, {len} bytes");
        let found = Tmd::parse_lenient(data).is_ok();
        same!(found, *lenient, "the same, leniently");
    }
    Ok(())
}

/// Records that are longer than their kind needs.
fn lenient<G>(_: &mut G) -> Check {
    let mut data = [0; 124];
    put(&mut data, 0, &MESH)?;
    put(&mut data, 85, &[4])?;
    let strict = Tmd::parse(&data).err();
    let refused = tmd::Error::BadStride {
        object: 0,
        group: 0,
        ilen: 4,
        at: 85,
    };
    same!(strict, Some(refused), "strictly");
    let mesh = Tmd::parse_lenient(&data).map_err(broken)?;
    let group = mesh.object(0).and_then(|it| it.groups().next());
    let found = group.map(|it| (it.kind, it.stride, it.records.len()));
    same!(found, Some((Kind::F4, 16, 16)), "leniently");
    let corners = group.and_then(|it| it.primitives().next());
    let corners = corners.map(|it| it.vertices);
    same!(corners, Some([0, 1, 2, 3]), "its corners");
    Ok(())
}
