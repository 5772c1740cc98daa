//! Pictures made of the memory, and the memory's ends.

use crate::gpu::Picture;
use crate::gpu::vram::{Mask, Vram};

#[test]
fn five_bits_become_eight() {
    let mut vram = Vram::new();
    *vram.cell(0, 0) = 31 | 16 << 5 | 1 << 10;
    let picture = Picture::from_vram(&vram, 0, 0, 1, 1);
    assert_eq!(picture.rgb, [255, 132, 8]);
}

#[test]
fn the_png_holds_the_pixels() {
    let picture = Picture {
        width: 2,
        height: 2,
        rgb: (0..12).map(|n| n * 20).collect(),
    };
    let file = picture.png().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (2, 2));
    assert_eq!(pixels, picture.rgb);
}

#[test]
fn coordinates_at_the_end_of_the_number_range_wrap() {
    let mut vram = Vram::new();
    let most = usize::MAX;
    vram.fill(most, most, 16, 2, 0x7FFF);
    for (x, y, expected) in [
        (1023, 511, 0x7FFF),
        (1008, 0, 0x7FFF),
        (1007, 511, 0),
        (1008, 1, 0),
    ] {
        assert_eq!(vram.get(x, y), expected, "{x},{y}");
    }
    vram.copy(
        (most, most),
        (most - 99, most - 99),
        (2, 2),
        Mask::default(),
    );
    assert_eq!(vram.get(1023 - 99, 511 - 99), 0x7FFF);
    assert_eq!(vram.get(1024 - 99, 511 - 99), 0, "it comes from column 0");
    let picture = Picture::from_vram(&vram, most, most, 2, 2);
    assert_eq!(picture.rgb[..6], [255, 255, 255, 0, 0, 0]);
    let whole = Picture::from_vram(&vram, 0, 0, most, most);
    assert_eq!((whole.width, whole.height), (1024, 512));
    assert_eq!(whole.pixel(1023, 511), Some([255; 3]));
    assert_eq!((whole.pixel(1024, 0), whole.pixel(0, most)), (None, None));
    // Fields are open to anybody.
    let odd = Picture {
        width: most,
        height: most,
        rgb: vec![1, 2, 3],
    };
    assert_eq!(odd.pixel(0, 0), Some([1, 2, 3]));
    assert_eq!(
        (odd.pixel(most - 1, most - 1), odd.pixel(1, 0)),
        (None, None)
    );
    assert!(odd.png().is_err());
}
