// Rows J5 to J10 of the field sheet: corners, type, tile, whether it is inside.
[
    ([4, 2, 10, 8], 3, (4, 2), true),
    ([4, 2, 10, 8], 3, (10, 7), false),
    ([4, 2, 10, 8], 3, (9, 7), true),
    ([10, 8, 4, 2], 3, (5, 5), true),
    ([6, 4, 6, 4], 0, (7, 2), true),
    ([6, 4, 6, 4], 0, (6, 4), false),
]
