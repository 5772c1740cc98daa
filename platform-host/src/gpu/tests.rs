//! Expected pictures are drawn by hand from the rules of the HAL sheet, section 5.3.

mod canvas;
mod lists;
mod pictures;
mod shapes;
mod texels;

use super::*;

/// A GPU with the whole memory as drawing area and no offset.
fn open() -> Gpu {
    let mut gpu = Gpu::default();
    gpu.gp0(&[
        0xE100_0000,
        0xE300_0000,
        0xE400_0000 | 1023 | 511 << 10,
        0xE500_0000,
    ])
    .unwrap();
    gpu
}

fn xy(x: i32, y: i32) -> u32 {
    (x as u32 & 0xFFFF) | (y as u32) << 16
}

/// `.` for 0, `#` for anything else.
fn look(gpu: &Gpu, x: usize, y: usize, w: usize, h: usize) -> Vec<String> {
    let mark = |cell: &u16| if *cell == 0 { '.' } else { '#' };
    (y..y + h)
        .map(|row| gpu.vram.row(x, row, w).unwrap().iter().map(mark).collect())
        .collect()
}

fn drawn(gpu: &Gpu) -> usize {
    gpu.vram.cells().iter().filter(|&&cell| cell != 0).count()
}
