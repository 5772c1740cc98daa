// Rows K1 to K4 of the field sheet: the entry, where the player stands, the window's tile, whether there is an
// extra actor.
[
    (
        Entry::Cold {
            anchor: Point::new(256, 512),
        },
        Point::new(256, 512),
        [2, 4],
        true,
    ),
    (
        Entry::Warp {
            saved: Point::new(2628, 3008),
        },
        Point::new(2628, 3008),
        [20, 23],
        false,
    ),
    (
        Entry::Recentre { origin: [16, 32] },
        Point::new(2880, 5184),
        [22, 40],
        false,
    ),
    (
        Entry::Cold {
            anchor: Point::new(-1, -129),
        },
        Point::new(-1, -129),
        [0, -1],
        true,
    ),
]
