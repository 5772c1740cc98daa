// The ANM sheet's table of two blended poses: the fraction in sixteenths, then translation and rotation.
[
    (0, (100, -100, 56, 0x400, 0xC00, 0x000)),
    (1, (101, -99, 55, 0x408, 0xBF8, 0xFFF)),
    (4, (104, -96, 52, 0x420, 0xBE0, 0xFFC)),
    (8, (108, -92, 48, 0x440, 0xBC0, 0xFF8)),
    (15, (115, -85, 41, 0x478, 0xB88, 0xFF1)),
]
