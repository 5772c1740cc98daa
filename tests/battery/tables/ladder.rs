// Rows P7 to P13 of the field sheet: numerator, bits, units with scalar 1 and 2 where nothing is floored.
[
    (FULL, 0, [32, 64]),
    (FULL, 2, [8, 16]),
    (FULL, 5, [1, 2]),
    (FULL, 6, [0, 1]),
    (HALF, 0, [16, 32]),
    (HALF, 4, [1, 2]),
    (HALF, 5, [0, 1]),
]
