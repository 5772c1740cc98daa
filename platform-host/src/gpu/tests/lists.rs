//! Display lists and uploads.

use super::{open, xy};
use crate::gpu::{Error, Gpu};
use overworld_runtime::platform::Screen;

#[test]
fn pixels_in_a_list_fill_their_rectangle() {
    let mut gpu = open();
    // 3 x 1 pixels: two words, the last half unused; the next packet follows at once.
    gpu.gp0(&[
        0xA000_0000,
        xy(10, 20),
        3 | 1 << 16,
        0x0002_0001,
        0x9999_0003,
    ])
    .unwrap();
    gpu.gp0(&[0x68FF_FFFF, xy(0, 0)]).unwrap();
    assert_eq!(gpu.vram.row(10, 20, 4).unwrap(), [1, 2, 3, 0]);
    assert_eq!(gpu.vram.get(0, 0), 0x7FFF);
    gpu.gp0(&[0x8000_0000, xy(10, 20), xy(12, 21), 2 | 1 << 16])
        .unwrap();
    assert_eq!(gpu.vram.row(12, 21, 2).unwrap(), [1, 2]);
}

#[test]
fn lists_are_walked_by_their_links() {
    let mut gpu = Gpu::default();
    // The table is words 0..3; a packet at word 4 is linked from entry 2 to entry 1.
    let mut list = [0; 8];
    overworld_runtime::platform::clear_table(&mut list[..3], 0);
    list[4] = 2 << 24 | list[2];
    list[5] = 0x68FF_FFFF;
    list[6] = xy(7, 9);
    list[2] = 16;
    gpu.draw(&list, 2).unwrap();
    assert_eq!(gpu.drawn().pixel(7, 9), Some([255; 3]));
    gpu.present().unwrap();
    assert_eq!(gpu.displayed().pixel(7, 9), Some([255; 3]));
    assert_eq!(gpu.drawn().pixel(7, 9), Some([0; 3]));
    gpu.present().unwrap();
    assert_eq!(
        gpu.drawn().pixel(7, 9),
        Some([0; 3]),
        "cleared when it became the back buffer"
    );
    assert_eq!(gpu.frames(), 2);
}

/// TMD/TIM sheet, section 7: draw areas of 320 by 224 at lines 4 and 244, 228 lines shown from lines 0
/// and 240.
#[test]
fn the_pictures_of_a_field_lie_where_the_sheet_has_them() {
    let mut gpu = Gpu::field([8, 16, 24]);
    assert_eq!(gpu.size(), (320, 228));
    let background = 1 | 2 << 5 | 3 << 10;
    for line in [244, 4, 244] {
        // A rectangle over all positions fills the draw area and nothing else.
        gpu.gp0(&[0x60FF_FFFF, xy(-512, -256), 1023 | 511 << 16])
            .unwrap();
        let column = |x| -> Vec<usize> {
            let white = |y: &usize| gpu.vram().get(x, *y) == 0x7FFF;
            (line - 4..line + 236).filter(white).collect()
        };
        assert_eq!(column(319), (line..line + 224).collect::<Vec<_>>());
        assert_eq!(column(320), [0; 0]);
        gpu.gp0(&[0x6800_00FF, xy(0, 0)]).unwrap();
        gpu.present().unwrap();
        let shown = gpu.displayed();
        assert_eq!((shown.width, shown.height), (320, 228));
        let found = [0, 3, 4, 5, 227].map(|y| shown.pixel(0, y).unwrap());
        assert_eq!(found, [[0; 3], [0; 3], [255, 0, 0], [255; 3], [255; 3]]);
        let back = if line == 4 { 244 } else { 4 };
        let found = [back - 1, back, back + 223, back + 224].map(|y| gpu.vram().get(7, y));
        assert_eq!(found, [0, background, background, 0]);
    }
}

#[test]
fn a_packet_may_lie_in_two_nodes() {
    let mut gpu = Gpu::default();
    let list = [0x0100_0008, 0x68FF_FFFF, 0x01FF_FFFF, xy(1, 1)];
    gpu.draw(&list, 0).unwrap();
    assert_eq!(gpu.drawn().pixel(1, 1), Some([255; 3]));
}

#[test]
fn bad_lists_are_errors() {
    let end = 0x00FF_FFFF;
    for (list, first, error) in [
        (vec![0x0000_0000], 0, Error::EndlessList { node: 0 }),
        (
            vec![0x0000_0004, 0x0000_0000],
            0,
            Error::EndlessList { node: 0 },
        ),
        (
            vec![0x0000_0002, end],
            0,
            Error::BadLink { node: 0, link: 2 },
        ),
        (
            vec![0x0000_0008, end],
            0,
            Error::BadLink { node: 0, link: 8 },
        ),
        (vec![end], 1, Error::BadLink { node: 1, link: 4 }),
        (
            vec![0x02FF_FFFF, 0],
            0,
            Error::NodeTooLong { node: 0, words: 2 },
        ),
        (
            vec![0x01FF_FFFF, 0x6800_0000],
            0,
            Error::TruncatedPacket { command: 0x68 },
        ),
        (
            vec![0x03FF_FFFF, 0xC000_0000, 0, 0x0001_0001],
            0,
            Error::ReadInList { node: 0 },
        ),
    ] {
        let mut gpu = Gpu::default();
        assert_eq!(gpu.draw(&list, first), Err(error));
        // The next list is not disturbed by what was left over.
        gpu.draw(&[0x02FF_FFFF, 0x68FF_FFFF, 0], 0).unwrap();
        assert_eq!(gpu.drawn().pixel(0, 0), Some([255; 3]));
    }
}

#[test]
fn uploads_are_checked() {
    let mut gpu = Gpu::default();
    assert_eq!(
        gpu.upload(1020, 0, 5, 1, &[0; 10]),
        Err(Error::BadRectangle {
            x: 1020,
            y: 0,
            w: 5,
            h: 1
        })
    );
    assert_eq!(
        gpu.upload(0, 511, 1, 2, &[0; 4]),
        Err(Error::BadRectangle {
            x: 0,
            y: 511,
            w: 1,
            h: 2
        })
    );
    assert_eq!(
        gpu.upload(0, 0, 0, 1, &[]),
        Err(Error::BadRectangle {
            x: 0,
            y: 0,
            w: 0,
            h: 1
        })
    );
    assert_eq!(
        gpu.upload(0, 0, 2, 2, &[0; 7]),
        Err(Error::BadLength {
            expected: 8,
            found: 7
        })
    );
}

proptest::proptest! {
    /// Whatever words come, nothing panics and nothing loops for ever.
    #[test]
    fn any_list_ends(list in proptest::collection::vec(proptest::prelude::any::<u32>(), 0..64), first in 0_usize..64) {
        let _ = Gpu::default().draw(&list, first);
    }

    /// Any command byte with any operands.
    #[test]
    fn any_packet_is_harmless(command in 0_u32..0xC0, words in proptest::collection::vec(proptest::prelude::any::<u32>(), 12)) {
        let mut gpu = Gpu::default();
        for word in [command << 24 | words[0] & 0x00FF_FFFF].iter().chain(&words[1..]) {
            // A later word may happen to be a read; nothing else can be wrong.
            let taken = gpu.gp0(&[*word]);
            let fine = taken.is_ok() || taken == Err(Error::ReadInList { node: 0 });
            proptest::prop_assert!(fine);
        }
    }
}
