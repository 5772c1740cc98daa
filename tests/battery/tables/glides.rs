// Rows P1 to P6 of the field sheet: target, step, visits, place, engine heading, visit on which it is done.
[
    ((1000, 1064), 8, 20, (1000, 1064), 0x000, Some(8)),
    ((1100, 1040), 8, 1, (1008, 1000), 0x400, None),
    ((1100, 1040), 8, 8, (1060, 1000), 0x400, None),
    ((1100, 1040), 8, 20, (1100, 1040), 0x200, Some(13)),
    ((936, 936), 16, 20, (936, 936), 0xA00, Some(4)),
    ((1003, 1000), 8, 1, (1003, 1000), 0x400, Some(1)),
]
