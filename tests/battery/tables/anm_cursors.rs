// Clip 2, part 1 of the ANM sheet's bank over the cursor: the pose with the end wrapped, and held where that differs.
[
    (0, (0, -32, 0, 0x100, 0, 0x000), None),
    (4, (0, -28, 2, 0x120, 0, 0xFFC), None),
    (8, (0, -24, 4, 0x140, 0, 0xFF8), None),
    (15, (0, -17, 7, 0x178, 0, 0xFF1), None),
    (16, (0, -16, 8, 0x180, 0, 0xFF0), None),
    (20, (0, -20, 6, 0x160, 0, 0xFF4), Some((0, -16, 8, 0x180, 0, 0xFF0))),
    (24, (0, -24, 4, 0x140, 0, 0xFF8), Some((0, -16, 8, 0x180, 0, 0xFF0))),
    (31, (0, -31, 0, 0x108, 0, 0xFFF), Some((0, -16, 8, 0x180, 0, 0xFF0))),
]
