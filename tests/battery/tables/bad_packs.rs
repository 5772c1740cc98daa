// Words of packs that are refused, and the member at fault (disc sheet, section 9).
[
    (&[], 0),
    (&[0], 0),
    (&[2, 3], 0),
    (&[u32::MAX, 3], 0),
    (&[1, 1, 9], 0),
    (&[1, 3, 9], 0),
    (&[1, u32::MAX, 9], 0),
    (&[2, 3, 3, 9], 1),
    (&[2, 3, 2, 9], 1),
    (&[2, 3, 4, 9], 1),
]
