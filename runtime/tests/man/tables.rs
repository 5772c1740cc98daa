//! Tables of records in no order.

use super::common::{EXAMPLE, tabled};
use overworld_runtime::scene::man::Man;

/// `len` starts in no order, some of them more than once.
fn mixed(len: u32, limit: u32) -> Vec<u32> {
    (0..len)
        .map(|n| n.wrapping_mul(0x9E37_79B1) % limit / 3 * 3)
        .collect()
}

#[test]
fn records_of_a_mixed_table_are_those_of_the_single_accesses() {
    for len in [1, 2, 1023, 1024, 1025, 2100] {
        for limit in [5000, 60_000_u32]
            .into_iter()
            .take(if len > 1000 { 1 } else { 2 })
        {
            let data = tabled(&mixed(len, limit + 100), &[(7, 3), (900, 255)], 0, limit);
            let man = Man::parse_lenient(&data).unwrap();
            let single = (0..len).map(|flat| man.record(flat));
            assert!(man.records().eq(single), "{len} {limit}");
            let data = tabled(&mixed(len, limit), &[], 1, limit);
            let man = Man::parse_lenient(&data).unwrap();
            let single = (1..len as u16).map(|index| man.actor(index));
            assert!(man.placements().eq(single), "{len} {limit}");
        }
    }
}

#[test]
fn records_of_a_long_mixed_table_do_not_cost_a_walk_each() {
    const LEN: u32 = 0x7FFF;
    let data = tabled(&mixed(LEN, 0x40_0000), &[], 0, 0x40_0000);
    let man = Man::parse_lenient(&data).unwrap();
    let before = std::time::Instant::now();
    let single = (0..LEN).step_by(LEN as usize / 64);
    let found = single.map(|flat| usize::from(man.record(flat).is_ok()));
    let (walks, _) = (found.len() as u32, found.sum::<usize>());
    let walk = before.elapsed() / walks;
    let before = std::time::Instant::now();
    assert_eq!(man.records().count(), LEN as usize);
    let all = before.elapsed();
    // A 1,000th to be expected; the tenth allows for a machine that is busy with other things.
    assert!(all < walk * (LEN / 10), "{all:?}, a walk takes {walk:?}");
}

#[test]
fn a_table_with_the_most_records_in_falling_order_is_read() {
    // Looking for each end in the whole table would take many minutes in a debug build.
    let count = 3 * 0x7FFF_u32;
    let region = 0x2B + 3 * count as usize;
    let limit = 1_u32 << 20;
    let mut data = vec![0; 0x22];
    for _ in 0..3 {
        data.extend_from_slice(&[0xFF, 0x7F]);
    }
    data.extend_from_slice(&limit.to_le_bytes()[..3]);
    let step = limit / count;
    for index in (0..count).rev() {
        data.extend_from_slice(&(index * step).to_le_bytes()[..3]);
    }
    data.resize(region + limit as usize, 0);
    data.extend_from_slice(&EXAMPLE[0x58..]);
    let man = Man::parse(&data).expect("order does not matter");
    assert_eq!(man.records().count(), count as usize);
}
