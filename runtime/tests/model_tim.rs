//! TIM reader and writer (TMD/TIM sheet, sections 4 and 6).

use overworld_runtime::model::tim::{Block, Error, Mode, Tim, UploadError, texel};
use overworld_runtime::platform::Screen;
use proptest::prelude::*;

/// A 4-bit TIM of 8 by 2 texels at (640, 256) with a palette of 16 at (0, 500).
fn small() -> Vec<u8> {
    let bytes: [u8; 72] = include!("../../tests/battery/tables/tim.rs");
    bytes.to_vec()
}

#[test]
fn reads_and_writes_the_fields() {
    let bytes = small();
    let tim = Tim::parse(&bytes).unwrap();
    assert_eq!(tim.mode, Mode::Four);
    assert_eq!(tim.width(), 8);
    let clut = tim.clut.unwrap();
    assert_eq!(
        (clut.x, clut.y, clut.w, clut.h, clut.data.len()),
        (0, 500, 16, 1, 32)
    );
    let image = tim.image;
    assert_eq!((image.x, image.y, image.w, image.h), (640, 256, 2, 2));
    assert_eq!(image.data, [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]);
    assert_eq!(tim.size(), bytes.len());
    let mut out = [0; 100];
    let len = tim.emit(&mut out).unwrap();
    assert_eq!(out[..len], bytes);
    // An indexed image without a palette is accepted, and so are bytes after the end.
    let mut bare = bytes[..4].to_vec();
    bare.extend([0, 0, 0, 0]);
    bare.extend(&bytes[52..]);
    bare.extend([9; 3]);
    assert_eq!(Tim::parse(&bare).unwrap().clut, None);
}

#[test]
fn every_error_of_the_sheet() {
    let refused: [(usize, u32, Error); 20] = include!("../../tests/battery/tables/bad_tims.rs");
    for (at, word, error) in refused {
        let mut bytes = small();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        assert_eq!(Tim::parse(&bytes), Err(error), "{word:#X} at {at}");
    }
    let bytes = small();
    for len in 0..bytes.len() {
        let error = Tim::parse(&bytes[..len]).unwrap_err();
        assert!(
            matches!(error, Error::BadTim { .. } | Error::BadTimBlock { .. }),
            "{len}"
        );
    }
}

#[test]
fn texels_of_a_line() {
    let bytes = small();
    let tim = Tim::parse(&bytes).unwrap();
    let width = |mode, w| {
        let image = Block { w, ..tim.image };
        Tim { mode, image, ..tim }.width()
    };
    for (mode, widths) in [
        (Mode::Four, [4, 8, 12, 256]),
        (Mode::Eight, [2, 4, 6, 128]),
        (Mode::Sixteen, [1, 2, 3, 64]),
        // Two texels in three units: what is left of a line is none.
        (Mode::TwentyFour, [0, 1, 2, 42]),
    ] {
        assert_eq!([1, 2, 3, 64].map(|w| width(mode, w)), widths, "{mode:?}");
    }
}

/// The alpha rules of section 4: none, full, full black, partial.
#[test]
fn texels_from_colours() {
    assert_eq!(texel(0xFF, 0xFF, 0xFF, 0), 0);
    assert_eq!(texel(8, 16, 24, 255), 1 | 2 << 5 | 3 << 10);
    assert_eq!(texel(7, 7, 7, 255), 0x8000);
    for alpha in [1, 0x80, 254] {
        let cell = texel(8, 16, 24, alpha);
        assert_eq!(cell, 0x8000 | 1 | 2 << 5 | 3 << 10, "{alpha}");
        assert_eq!(texel(0, 0, 0, alpha), 0x8000, "{alpha}");
    }
}

#[test]
fn the_writer_refuses_what_the_reader_would() {
    let bytes = small();
    let tim = Tim::parse(&bytes).unwrap();
    let mut out = [0; 100];
    let mut bad = tim;
    bad.image.w = 3;
    assert_eq!(
        bad.emit(&mut out),
        Err(Error::BadTimBlock {
            offset: 52,
            size: 20
        })
    );
    let mut bad = tim;
    bad.image.y = 511;
    assert!(matches!(
        bad.emit(&mut out),
        Err(Error::BadTimRect { offset: 52, .. })
    ));
    assert!(matches!(tim.emit(&mut out[..71]), Err(Error::Full(_))));
}

/// Records uploads; refuses those after the first `room`.
struct Vram {
    uploads: Vec<(u16, u16, u16, u16, usize)>,
    room: usize,
}

impl Screen for Vram {
    type Error = &'static str;

    fn bus_address(&self, _: &[u32]) -> u32 {
        0
    }

    fn upload(
        &mut self,
        x: u16,
        y: u16,
        w: u16,
        h: u16,
        pixels: &[u8],
    ) -> Result<(), &'static str> {
        if self.uploads.len() == self.room {
            return Err("no more");
        }
        self.uploads.push((x, y, w, h, pixels.len()));
        Ok(())
    }

    fn draw(&mut self, _: &[u32], _: usize) -> Result<(), &'static str> {
        Err("not here")
    }

    fn present(&mut self) -> Result<(), &'static str> {
        Err("not here")
    }
}

#[test]
fn palette_and_image_go_to_vram() {
    let bytes = small();
    let tim = Tim::parse(&bytes).unwrap();
    let mut vram = Vram {
        uploads: vec![],
        room: 2,
    };
    tim.upload(&mut vram).unwrap();
    assert_eq!(vram.uploads, [(0, 500, 16, 1, 32), (640, 256, 2, 2, 8)]);
    let mut vram = Vram {
        uploads: vec![],
        room: 1,
    };
    assert_eq!(tim.upload(&mut vram), Err(UploadError::Screen("no more")));
}

#[test]
fn palettes_of_several_rows_become_a_strip() {
    let bytes = small();
    let data = vec![0; 2 * 256 * 16];
    let mut tim = Tim::parse(&bytes).unwrap();
    let block = |x, y, w, h| Block {
        x,
        y,
        w,
        h,
        data: &data[..2 * w as usize * h as usize],
    };
    // Three rows at line 510: the flat strip of the sheet.
    tim.clut = Some(block(16, 510, 16, 3));
    assert_eq!(tim.palette().unwrap(), Some(block(16, 510, 48, 1)));
    // 4096 units in a row do not exist: as declared.
    tim.clut = Some(block(0, 480, 256, 16));
    assert_eq!(tim.palette().unwrap(), Some(block(0, 480, 256, 16)));
    tim.clut = Some(block(0, 500, 256, 16));
    let error = Error::BadTimRect {
        offset: 8,
        x: 0,
        y: 500,
        w: 256,
        h: 16,
    };
    assert_eq!(tim.palette(), Err(error));
    tim.clut = None;
    assert_eq!(tim.palette(), Ok(None));
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        mode in 0..4usize,
        clut in any::<bool>(),
        (x, w) in (1..=64u16).prop_flat_map(|w| (0..=1024 - w, Just(w))),
        (y, h) in (1..=32u16).prop_flat_map(|h| (0..=512 - h, Just(h))),
        seed in any::<u8>(),
    ) {
        let pixels: Vec<u8> =
            (0..2 * w as usize * h as usize).map(|n| (n as u8).wrapping_mul(31) ^ seed).collect();
        let palette = [seed; 512];
        let clut = clut.then_some(Block { x: 0, y: 511, w: 256, h: 1, data: &palette });
        let mode = [Mode::Four, Mode::Eight, Mode::Sixteen, Mode::TwentyFour][mode];
        let tim = Tim { mode, clut, image: Block { x, y, w, h, data: &pixels } };
        let mut out = vec![0; tim.size()];
        prop_assert_eq!(tim.emit(&mut out), Ok(out.len()));
        prop_assert_eq!(Tim::parse(&out), Ok(tim));
    }

    #[test]
    fn no_bytes_panic(mut at in prop::collection::vec((0..72usize, any::<u8>()), 1..6)) {
        let mut bytes = small();
        for (at, value) in at.drain(..) {
            bytes[at] = value;
        }
        if let Ok(tim) = Tim::parse(&bytes) {
            _ = tim.palette();
            prop_assert!(tim.size() <= bytes.len());
        }
    }
}
