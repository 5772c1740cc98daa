// The ANM sheet's table of cursor sequences: name; cursor, mode and speed to begin with; frames of the clip; its rate,
// where it is blended; display frames a tick; the cursor after each tick, plus 0x4000 where an end was reached; the
// mode at last.
[
    ("loop", (0, 0x15, 8), 3, None, 1, &[8, 16, 24, 32, 40, 0x4000, 8, 16], 0x15),
    ("clamp", (0, 0x1D, 16), 3, None, 1, &[16, 32, 0x402F, 0x402F, 0x402F], 0x11D),
    ("reverse clamp", (47, 0x9D, 16), 3, None, 1, &[31, 15, 0x4000, 0x4000, 0x4000], 0x19D),
    ("reverse loop", (0, 0x95, 8), 3, None, 1, &[0x4028, 32, 24, 16, 8, 0, 0x4028, 32], 0x95),
    ("hold", (20, 0x17, 8), 3, None, 1, &[20, 20], 0x17),
    ("reset and hold", (20, 0x21F, 8), 3, None, 1, &[0, 0], 0x1F),
    ("end and hold", (5, 0x29F, 8), 3, None, 1, &[32, 32], 0x9F),
    ("blend, rate 4", (0, 0x15, 8), 3, Some(4), 1, &[4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 0x4000, 4], 0x15),
    ("blend, rate 4, speed 7", (0, 0x15, 7), 3, Some(4), 1, &[4, 8, 12], 0x15),
    ("blend, rate 2", (0, 0x15, 8), 3, Some(2), 1, &[8, 16, 24], 0x15),
    ("blend, rate 1", (0, 0x15, 8), 3, Some(1), 1, &[16, 32, 0x4000, 16], 0x15),
    ("dt 2", (0, 0x15, 8), 3, None, 2, &[16, 32, 0x4000, 16, 32], 0x15),
    ("restart in reverse", (7, 0x295, 8), 3, None, 1, &[24, 16, 8, 0, 0x4028], 0x195),
    ("one frame", (0, 0x15, 8), 1, None, 1, &[8, 0x4000, 8, 0x4000], 0x115),
    // A reverse loop that lands on -1 restarts at 0.
    ("reverse onto -1", (7, 0x95, 8), 3, None, 1, &[0x4000, 0x4028], 0x195),
]
