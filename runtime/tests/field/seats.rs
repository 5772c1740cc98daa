//! Section K, seats: entries, arrivals, cold starts elsewhere.

use super::common::{actor, field, ground, heights, refreshed, tile, walled};
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::cold::Search;
use overworld_runtime::field::compat::Compat;
use overworld_runtime::field::ground::{NO_HEIGHTS, NoHeightTable};
use overworld_runtime::field::map::trigger::{Source, Teleport};
use overworld_runtime::field::map::{Cell, Map, MapMut, Triggers};
use overworld_runtime::field::spawn::{Arrival, Entry, Seat, seat};
use overworld_runtime::field::units::{Point, coordinate, table_heading, tick_scalar};
use overworld_runtime::field::wall::WallBit;

#[test]
fn k1_to_k4_seats_of_the_other_reading() {
    let at = Point::new;
    let vectors = include!("../../../tests/battery/tables/seats.rs");
    for (number, (entry, player, window, extra)) in (1..).zip(vectors) {
        let actor = extra.then_some(at(2624, 2624));
        let expected = Seat {
            player,
            window,
            actor,
        };
        assert_eq!(seat(entry, &Compat::OTHER), expected, "K{number}");
    }
    // The sheet's own: the player stands there, whatever the anchor says.
    let cold = seat(
        Entry::Cold {
            anchor: at(256, 512),
        },
        &Compat::SHEET,
    );
    assert_eq!(
        (cold.player, cold.window, cold.actor),
        (at(2624, 2624), [20, 20], None)
    );
    // No origin leaves the range of a coordinate.
    let far = Entry::Recentre {
        origin: [i16::MAX, i16::MIN],
    };
    assert_eq!(seat(far, &Compat::SHEET).player, at(i16::MAX, i16::MIN));
}

/// Section 10.5: `town0c` (25, 45) is (3264, 5824), whatever the map says there.
#[test]
fn an_arrival_is_taken_exactly() {
    let data = walled(0..128, 0..128);
    let heights = heights([(0, -70)]);
    let ground = ground(&data, &heights);
    let arrival = Arrival::of([25, 45], 6, &Compat::SHEET);
    assert_eq!(
        (arrival.at, arrival.heading),
        (Point::new(3264, 5824), 0xC00)
    );
    let mut field = field(1, 2);
    field.player.speed = 0x0800;
    field.player.rate = 3;
    field.player.flags = flag::SLOW_SETTLE;
    let seat = field.seat(&ground, arrival.entry());
    assert_eq!(
        (seat.player, seat.window, seat.actor),
        (arrival.at, [25, 45], None)
    );
    let player = field.player;
    assert_eq!((player.x, player.y, player.z), (3264, -70, 5824));
    // As the MAN's decoder leaves them (section 10.1, step 9).
    assert_eq!((player.speed, player.rate), (0x1000, 8));
    assert_eq!(player.flags, flag::SLOW_SETTLE, "the player is the same");
    // Far edges, and the other reading of row 26: half a turn.
    let far = Arrival::of([0x80, 0xFF], 0xF8, &Compat::OTHER);
    assert_eq!((far.at, far.heading), (Point::new(128, 16384), 0x800));
    assert_eq!(Arrival::of([0, 0], 9, &Compat::SHEET).heading, 0x200);
    assert_eq!([0, 0x7F, 0x80].map(coordinate), [64, 16320, 128]);
}

#[test]
fn a_cold_player_falls_to_the_floor() {
    let data = walled(0..0, 0..0);
    let heights = heights([(0, 30)]);
    let ground = ground(&data, &heights);
    let anchor = Point::new(256, 512);
    let mut field = field(9, 9);
    field.seat(&ground, Entry::Cold { anchor });
    assert_eq!(
        (field.player.x, field.player.y, field.player.z),
        (2624, 0, 2624)
    );
    assert!(field.actors.is_empty());
    field.settings.compat = Compat::OTHER;
    field.seat(&ground, Entry::Cold { anchor });
    assert_eq!(field.player.point(), anchor);
    let (_, extra) = field.actors.iter().next().unwrap();
    assert_eq!(*extra, actor(2624, 2624, 0));
    assert_eq!(extra.y, 0, "K1");
    field.seat(&ground, Entry::Recentre { origin: [16, 32] });
    assert_eq!(field.player.y, 30);
}

#[test]
fn only_eight_entries_of_the_table_are_headings() {
    for index in 0..=u8::MAX {
        let expected = (index & 15 < 8).then_some(u16::from(index & 15) * 0x200);
        assert_eq!(table_heading(index), expected);
    }
}

/// Section 2: 1 to 4 vertical blanks, raised to the floor of the mode.
#[test]
fn a_tick_counts_what_it_took() {
    assert_eq!(
        [0, 1, 2, 3, 4, 9].map(|taken| tick_scalar(taken, false)),
        [2, 2, 2, 3, 4, 4]
    );
    assert_eq!(
        [0, 1, 2, 3, 4, 9].map(|taken| tick_scalar(taken, true)),
        [3, 3, 3, 3, 4, 4]
    );
}

#[test]
fn a_missing_height_table_is_told() {
    let (heights, told) = overworld_runtime::field::ground::heights(None);
    assert_eq!((heights, told), (NO_HEIGHTS, Some(NoHeightTable)));
    assert_eq!(
        NoHeightTable.to_string(),
        "no height table: every floor is at 0"
    );
    let (heights, told) = overworld_runtime::field::ground::heights(Some([7; 16]));
    assert_eq!((heights, told), ([7; 16], None));
}

/// A map that is all wall but for these rectangles of sub-cells, `col, row, width, depth` from the
/// map's corner, all of it walkable ground.
fn carved(open: &[[usize; 4]], doors: &[Teleport]) -> Vec<u8> {
    let mut data = refreshed(&Source {
        teleports: doors,
        ..Source::default()
    });
    let mut map = MapMut::parse(&mut data).unwrap();
    for (tile, cell) in map.map().cells().collect::<Vec<_>>() {
        map.set_cell(tile, Cell(cell.0 | Cell::GROUND));
    }
    let grid = map.collision_grid().unwrap();
    grid.fill(0xF0);
    for &[col, row, width, depth] in open {
        for (col, row) in (col..col + width).flat_map(|c| (row..row + depth).map(move |r| (c, r))) {
            let bit = WallBit::of(64 * col as i32 + 32, 64 * row as i32 + 32).unwrap();
            let [c, r] = bit.tile.to_bytes().map(usize::from);
            grid[r * 128 + c] &= !(0x10 << bit.bit);
        }
    }
    data
}

fn cold(data: &[u8]) -> Option<Point> {
    cold_by(data, &Compat::SHEET)
}

fn cold_by(data: &[u8], compat: &Compat) -> Option<Point> {
    let mut search = Box::new(Search::new());
    let found = search.seat(&ground(data, &NO_HEIGHTS), compat);
    // The memory may be used again.
    assert_eq!(search.seat(&ground(data, &NO_HEIGHTS), compat), found);
    found
}

/// Section 10.7: the cold seat where it is good.
#[test]
fn a_good_cold_seat_is_kept() {
    // (2624, 2624) is sub-cell (40, 41); the larger room touches three edges and is the outside.
    let rooms = [[30, 30, 20, 20], [0, 100, 256, 156]];
    assert_eq!(cold(&carved(&rooms, &[])), Some(Point::new(2624, 2624)));
    // Not where it is a wall, no ground, or a door; then the middle of the main region.
    let middle = Some(Point::new(39 * 64 + 32, 39 * 64 + 32));
    let door = Teleport {
        tile: [20, 20],
        destination: [1, 1],
    };
    assert_eq!(cold(&carved(&rooms, &[door])), middle);
    let mut data = carved(&rooms, &[]);
    let mut map = MapMut::parse(&mut data).unwrap();
    map.set_cell(tile(20, 20), Cell(0));
    assert_eq!(cold(&data), middle);
    let ring = [
        [30, 30, 20, 8],
        [30, 44, 20, 6],
        [30, 30, 8, 20],
        [44, 30, 6, 20],
    ];
    // The ring's mean column and row lie in its hole, two sub-cells from either side of it.
    let nearest = Point::new(39 * 64 + 32, 37 * 64 + 32);
    assert_eq!(cold(&carved(&ring, &[])), Some(nearest));
}

/// Otherwise where the first good door leads.
#[test]
fn a_good_landing_comes_next() {
    let door = |tile, destination| Teleport { tile, destination };
    let rooms = [[60, 60, 20, 20], [100, 100, 4, 4]];
    let doors = [
        // To a wall, to the smaller room, to a door, to good ground.
        door([1, 1], [20, 20]),
        door([1, 2], [100, 100]),
        door([35, 35], [70, 70]),
        door([1, 4], [65, 62]),
        door([1, 5], [63, 63]),
    ];
    let landing = Point::new(65 * 64 + 64, 63 * 64);
    assert_eq!(cold(&carved(&rooms, &doors)), Some(landing));
}

/// Not where the dispatch takes a door at once: which tile that is, the reading says.
#[test]
fn a_good_landing_is_no_door_of_the_dispatch() {
    let door = |tile, destination| Teleport { tile, destination };
    let landing = Point::new(65 * 64 + 64, 62 * 64);
    let middle = Some(Point::new(69 * 64 + 32, 69 * 64 + 32));
    // (4224, 3968): tile (32, 30) by the biased mapping, (33, 31) by the plain one.
    for (tile, sheet, other) in [
        ([32, 30], middle, Some(landing)),
        ([33, 31], Some(landing), middle),
    ] {
        // The second one leads into a wall.
        let doors = [door([1, 1], [65, 61]), door(tile, [1, 1])];
        let data = carved(&[[60, 60, 20, 20]], &doors);
        assert_eq!(cold_by(&data, &Compat::SHEET), sheet, "{tile:?}");
        assert_eq!(cold_by(&data, &Compat::OTHER), other, "{tile:?}");
    }
}

/// The largest patch counts, side by side, not corner to corner; ties go to the first.
#[test]
fn the_main_region_is_the_largest() {
    let middle = |col: i16, row: i16| Some(Point::new(col * 64 + 32, row * 64 + 32));
    assert_eq!(
        cold(&carved(&[[10, 10, 3, 3], [13, 13, 5, 3]], &[])),
        middle(15, 14)
    );
    assert_eq!(
        cold(&carved(&[[10, 10, 3, 3], [13, 12, 5, 3]], &[])),
        middle(13, 12)
    );
    assert_eq!(
        cold(&carved(&[[10, 10, 3, 3], [20, 10, 3, 3]], &[])),
        middle(11, 11)
    );
    // Two edges are allowed, three are not.
    assert_eq!(
        cold(&carved(&[[0, 0, 30, 30], [50, 50, 3, 3]], &[])),
        middle(14, 14)
    );
    assert_eq!(
        cold(&carved(
            &[[0, 200, 256, 3], [0, 200, 1, 56], [50, 50, 3, 3]],
            &[]
        )),
        middle(51, 51)
    );
    // A spiral: one patch, however long its way.
    let mut spiral = Vec::new();
    let (mut low, mut high) = (20, 60);
    while low + 4 < high {
        spiral.push([low, low, high - low, 1]);
        spiral.push([high, low, 1, high - low]);
        spiral.push([low + 2, high, high - low - 1, 1]);
        spiral.push([low + 2, low + 2, 1, high - low - 2]);
        (low, high) = (low + 2, high - 2);
    }
    spiral.push([100, 100, 12, 12]);
    let seat = cold(&carved(&spiral, &[])).unwrap();
    assert!(seat.x < 70 * 64, "the spiral has more sub-cells: {seat:?}");
    // Sub-cells that meet at their corners only: as many patches as there can be; then one that is longest.
    let chess: Vec<[usize; 4]> = (2..254)
        .flat_map(|row| {
            (2 + row % 2..254)
                .step_by(2)
                .map(move |col| [col, row, 1, 1])
        })
        .collect();
    assert_eq!(cold(&carved(&chess, &[])), middle(2, 2));
    let comb: Vec<[usize; 4]> = (2..254)
        .map(|row| match row % 4 {
            0 | 2 => [2, row, 252, 1],
            1 => [253, row, 1, 1],
            _ => [2, row, 1, 1],
        })
        .collect();
    assert!(cold(&carved(&comb, &[])).is_some());
    assert_eq!(cold(&carved(&[], &[])), None);
    // All open: the outside.
    assert_eq!(cold(&carved(&[[0, 0, 256, 256]], &[])), None);
}

/// The developer's arm of the loader: one sector of triggers, then effects, which are no triggers.
#[test]
fn a_staged_buffer_ends_its_triggers_after_a_sector() {
    let mut data = walled(0..0, 0..0);
    let teleports = [Teleport {
        tile: [3, 3],
        destination: [9, 9],
    }; 600];
    let source = Source {
        teleports: &teleports,
        ..Source::default()
    };
    let mut block = vec![0; 0x2000];
    overworld_runtime::field::map::trigger::emit(&source, &mut block).unwrap();
    data.extend(&block);
    let count = |(_, triggers): (Map<'_>, Triggers<'_>)| triggers.teleports().count();
    assert_eq!(count(Map::parse_read(&data).unwrap()), 600);
    assert_eq!(count(Map::parse_staged(&data).unwrap()), (0x800 - 0x12) / 4);
    assert_eq!(
        count(Map::parse_staged(&data[..0x12800]).unwrap()),
        (0x800 - 0x12) / 4
    );
    for len in [0, 0x12000, 0x127FF] {
        let error = Map::parse_staged(&data[..len]).unwrap_err();
        assert_eq!(error, overworld_runtime::field::map::Error::Size { len });
    }
}
