//! TIM reader and writer (TMD/TIM sheet, sections 4 and 6).

use overworld_runtime::model::tim::{Block, Error, Mode, Tim, UploadError};
use overworld_runtime::platform::Screen;
use proptest::prelude::*;

/// A 4-bit TIM of 8 by 2 texels at (640, 256) with a palette of 16 at (0, 500).
fn small() -> Vec<u8> {
    let mut tim = vec![0x10, 0, 0, 0, 0x08, 0, 0, 0];
    tim.extend([0x2C, 0, 0, 0, 0, 0, 0xF4, 0x01, 0x10, 0, 0x01, 0]);
    for n in 0..16u8 {
        tim.extend([n, 0x80]);
    }
    tim.extend([0x14, 0, 0, 0, 0x80, 0x02, 0x00, 0x01, 0x02, 0, 0x02, 0]);
    tim.extend([0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]);
    tim
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
    let with = |at: usize, value: u32| {
        let mut bytes = small();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        Tim::parse(&bytes).map(|_| ()).unwrap_err()
    };
    assert_eq!(
        with(0, 0x11),
        Error::BadTim {
            offset: 0,
            found: 0x11
        }
    );
    assert_eq!(
        with(4, 0x18),
        Error::BadTim {
            offset: 4,
            found: 0x18
        }
    );
    assert_eq!(
        with(4, 0x0C),
        Error::BadTim {
            offset: 4,
            found: 0x0C
        }
    );
    for size in [0, 11, 0x2B, 0x2D, 0x1000, u32::MAX] {
        assert_eq!(with(8, size), Error::BadTimBlock { offset: 8, size });
    }
    for size in [8, 0x13, 0x15, u32::MAX] {
        assert_eq!(with(52, size), Error::BadTimBlock { offset: 52, size });
    }
    // Beyond the right edge and the bottom of VRAM by one.
    let rect = |x, y, w, h| Error::BadTimRect {
        offset: 52,
        x,
        y,
        w,
        h,
    };
    assert_eq!(with(56, 256 << 16 | 1023), rect(1023, 256, 2, 2));
    assert_eq!(with(56, 511 << 16 | 640), rect(640, 511, 2, 2));
    assert_eq!(with(60, 2 << 16), rect(640, 256, 0, 2));
    assert_eq!(with(60, 2), rect(640, 256, 2, 0));
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
        mode in 0..3usize,
        clut in any::<bool>(),
        (x, w) in (1..=64u16).prop_flat_map(|w| (0..=1024 - w, Just(w))),
        (y, h) in (1..=32u16).prop_flat_map(|h| (0..=512 - h, Just(h))),
        seed in any::<u8>(),
    ) {
        let pixels: Vec<u8> =
            (0..2 * w as usize * h as usize).map(|n| (n as u8).wrapping_mul(31) ^ seed).collect();
        let palette = [seed; 512];
        let clut = clut.then_some(Block { x: 0, y: 511, w: 256, h: 1, data: &palette });
        let mode = [Mode::Four, Mode::Eight, Mode::Sixteen][mode];
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
