// Words put into that TIM, and the errors that they make (TMD/TIM sheet, section 6).
[
    (0, 0x11, Error::BadTim { offset: 0, found: 0x11 }),
    (4, 0x18, Error::BadTim { offset: 4, found: 0x18 }),
    (4, 0x0C, Error::BadTim { offset: 4, found: 0x0C }),
    (4, 0x04, Error::BadTim { offset: 4, found: 0x04 }),
    (8, 0, Error::BadTimBlock { offset: 8, size: 0 }),
    (8, 11, Error::BadTimBlock { offset: 8, size: 11 }),
    (8, 0x2B, Error::BadTimBlock { offset: 8, size: 0x2B }),
    (8, 0x2D, Error::BadTimBlock { offset: 8, size: 0x2D }),
    (8, 0x1000, Error::BadTimBlock { offset: 8, size: 0x1000 }),
    (8, u32::MAX, Error::BadTimBlock { offset: 8, size: u32::MAX }),
    (52, 8, Error::BadTimBlock { offset: 52, size: 8 }),
    (52, 0x13, Error::BadTimBlock { offset: 52, size: 0x13 }),
    (52, 0x15, Error::BadTimBlock { offset: 52, size: 0x15 }),
    (52, u32::MAX, Error::BadTimBlock { offset: 52, size: u32::MAX }),
    // Empty palettes; beyond the right edge and the bottom of VRAM by one; empty images.
    (16, 1 << 16, Error::BadTimRect { offset: 8, x: 0, y: 500, w: 0, h: 1 }),
    (16, 16, Error::BadTimRect { offset: 8, x: 0, y: 500, w: 16, h: 0 }),
    (56, 256 << 16 | 1023, Error::BadTimRect { offset: 52, x: 1023, y: 256, w: 2, h: 2 }),
    (56, 511 << 16 | 640, Error::BadTimRect { offset: 52, x: 640, y: 511, w: 2, h: 2 }),
    (60, 2 << 16, Error::BadTimRect { offset: 52, x: 640, y: 256, w: 0, h: 2 }),
    (60, 2, Error::BadTimRect { offset: 52, x: 640, y: 256, w: 2, h: 0 }),
]
