//! The rows of section 10 that the check of a level tells.

use overworld_runtime::llama::map::{
    Block, Error, Finding, Map, Source, Strat, Tile, Warning, Waypoint, Zone,
};
use overworld_runtime::llama::{Flags, Models, Stpc};

use super::fixtures::*;

/// What the check finds of E9 with a change.
fn findings(
    change: impl FnOnce(&mut Source<'_>, &mut Parts),
    code: Option<&Stpc<'_>>,
) -> Vec<Finding> {
    let data = with_full(|source| {
        let mut source = *source;
        let mut parts = Parts {
            tiles: source.tiles.to_vec(),
            zones: source.zones.to_vec(),
            waypoints: source.waypoints.to_vec(),
            strats: source.strats.to_vec(),
            grid: source.grid.to_vec(),
            colours: source.colours.to_vec(),
        };
        change(&mut source, &mut parts);
        let fixed: Vec<_> = parts
            .tiles
            .iter()
            .map(|it| overworld_runtime::llama::map::Fixed::of(it).unwrap_or_default())
            .collect();
        let models: Vec<_> = parts.tiles.iter().map(|it| it.model).collect();
        let derived = source.derived.or(Some((&fixed, &models)));
        bytes(&Source {
            tiles: &parts.tiles,
            zones: &parts.zones,
            waypoints: &parts.waypoints,
            strats: &parts.strats,
            grid: &parts.grid,
            colours: &parts.colours,
            derived,
            ..source
        })
    });
    let map = read(&data, FULL);
    let mut found = Vec::new();
    map.check(code, &mut |finding| found.push(finding));
    // A refusal of the strict reader is the first error.
    let first = found.iter().find_map(|it| match it {
        Finding::Error(Error::DerivedMismatch { .. }) | Finding::Warning(_) => None,
        Finding::Error(error) => Some(*error),
    });
    if code.is_none() {
        let strict = Map::parse(&data, FULL, Models::Table(&NV));
        assert_eq!(strict.err(), first);
    }
    // Whatever is wrong, it can be written again.
    assert_eq!(rebuild(&map), data);
    found
}

struct Parts {
    tiles: Vec<Tile>,
    zones: Vec<Zone>,
    waypoints: Vec<Waypoint>,
    strats: Vec<Strat>,
    grid: Vec<u32>,
    colours: Vec<u8>,
}

/// That E9 has, the alternative of its tile 1 having fewer frames.
const CARRY: Finding = Finding::Warning(Warning::FrameCarry {
    tile: 1,
    base: 2,
    own: 1,
});

fn check(change: impl FnOnce(&mut Source<'_>, &mut Parts)) -> Vec<Finding> {
    let mut found = findings(change, None);
    let carry = found.iter().position(|it| *it == CARRY);
    found.remove(carry.expect("that of E9"));
    found
}

#[test]
fn nothing_is_wrong_with_the_example() {
    assert_eq!(check(|_, _| {}), []);
    // With as many frames as its tile, the alternative has nothing to be told of.
    let even = findings(|_, parts| parts.colours[35] = 2, None);
    assert_eq!(even, []);
}

#[test]
fn tiles() {
    let outside = |col, row| Finding::Error(Error::TileOutsideGrid { tile: 2, col, row });
    let position = Finding::Error(Error::TilePosition { tile: 2 });
    for (x, y, z, expected) in [
        (-0.5, 0.0, -0.5, vec![outside(-1, 0)]),
        (0.5, 0.0, 0.5, vec![outside(0, -1), position]),
        (-0.4, 0.0, 0.4, vec![position]),
        (2.5, 0.0, -0.5, vec![outside(2, 0)]),
        (0.5, 0.0, -2.5, vec![outside(0, 2)]),
        (1.0e30, 0.0, -0.5, vec![outside(i32::MAX, 0), position]),
        (f32::NAN, 0.0, -0.5, vec![position]),
        (0.5, f32::INFINITY, -0.5, vec![position]),
        (0.5, 600_000.0, -0.5, vec![position]),
        (0.5, 0.0, f32::NEG_INFINITY, vec![position]),
        (0.5, 0.0, -0.0, vec![]),
        (0.5, 0.0, 0.0, vec![]),
    ] {
        let found = check(|_, parts| parts.tiles[2] = tile(x, y, z, 0, 0, 0));
        assert_eq!(found, expected, "{x} {y} {z}");
    }
    let rotation = |angle| Finding::Warning(Warning::Rotation { tile: 0, angle });
    for angle in [1, 1023, 4096, u32::MAX] {
        assert_eq!(
            check(|_, parts| parts.tiles[0].angle = angle),
            [rotation(angle)]
        );
    }
}

#[test]
fn derived_blocks() {
    let error = |block, tile| Finding::Error(Error::DerivedMismatch { block, tile });
    let fixed: Vec<_> = full()[0x238..0x280].to_vec();
    let fixed: overworld_runtime::llama::Table<'_, overworld_runtime::llama::map::Fixed> =
        overworld_runtime::llama::Table::new(&fixed);
    let good: Vec<_> = fixed.iter().collect();
    for field in 0..6 {
        let mut wrong = good.clone();
        match field {
            0..3 => wrong[1].angles[field] ^= 1,
            _ => wrong[1].at[field - 3] += 1,
        }
        let data = with_full(|source| {
            bytes(&Source {
                derived: Some((&wrong, &[0, 1, 1])),
                colours: &[source.colours, &[0; 4]].concat(),
                ..*source
            })
        });
        let map = read(&data, FULL);
        let mut found = Vec::new();
        map.check(None, &mut |finding| found.push(finding));
        assert_eq!(
            found,
            [error(Block::Fixed, 1), error(Block::Models, 2), CARRY]
        );
        // The reader does not mind.
        assert!(Map::parse(&data, FULL, Models::Table(&NV)).is_ok());
    }
}

#[test]
fn zones_and_waypoints() {
    let starts = |count| Finding::Warning(Warning::StartZones { count });
    assert_eq!(check(|_, parts| parts.zones.clear()), [starts(0)]);
    assert_eq!(check(|_, parts| parts.zones[0].flags = 0x100), [starts(0)]);
    assert_eq!(check(|_, parts| parts.zones.push(zone())), [starts(2)]);
    let open = Finding::Error(Error::OpenChain { waypoint: 2 });
    assert_eq!(check(|_, parts| parts.waypoints[2].next = 5), [open]);
    let region = |cell, region| Finding::Error(Error::RegionIndex { cell, region });
    let found = check(|_, parts| parts.grid = vec![31, 32, 0, u32::MAX]);
    assert_eq!(found, [region(1, 32), region(3, u32::MAX)]);
}

#[test]
fn strats_and_their_pool() {
    let error = |error| [Finding::Error(error)];
    for waypoint in [3, -2, i32::MAX, i32::MIN] {
        let found = check(|_, parts| parts.strats[1].waypoint = waypoint);
        assert_eq!(found, error(Error::WaypointIndex { strat: 1, waypoint }));
    }
    for (index, count) in [
        (-1, 1),
        (0, 3),
        (1, 2),
        (2, 1),
        (i32::MAX, 1),
        (0, u32::MAX),
    ] {
        let found = check(|_, parts| {
            parts.strats[1].pool = index;
            parts.strats[1].parameters = count;
        });
        let strat = 1;
        assert_eq!(
            found,
            error(Error::ParamRange {
                strat,
                index,
                count
            })
        );
    }
    let found = check(|_, parts| parts.strats[0].pool = 0);
    let warning = Warning::ParamRange { strat: 0, index: 0 };
    assert_eq!(found, [Finding::Warning(warning)]);
    assert_eq!(
        check(|_, parts| (parts.strats[1].pool, parts.strats[1].parameters) = (2, 0)).len(),
        1
    );
    let pad = [Finding::Warning(Warning::Pad { strat: 1 })];
    assert_eq!(check(|_, parts| parts.strats[1].tail = 1), pad);
    assert_eq!(check(|_, parts| parts.strats[1].pad = 1), pad);
}

#[test]
fn slots_are_enough_for_those_created() {
    let with = |extra: u32, created: usize| {
        check(|source, parts| {
            source.pool_extra = extra;
            let one = parts.strats[0];
            parts.strats.extend(vec![one; created - 1]);
        })
    };
    assert_eq!(with(0, 30), []);
    let error = Error::PoolTooSmall {
        slots: 30,
        created: 31,
    };
    assert_eq!(with(0, 31), [Finding::Error(error)]);
    assert_eq!(with(1, 31), []);
    // A sum of more than 32 bits is none at all for the engine (-30), or the size of all slots wraps.
    let most = 0xFFFF_FFFF / 0x154 - 30;
    assert_eq!(with(most, 31), []);
    for extra in [most + 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFE2, u32::MAX] {
        let slots = u64::from(extra) + 30;
        for created in [1, 31] {
            let error = Error::PoolTooSmall {
                slots,
                created: created as u32,
            };
            assert_eq!(with(extra, created), [Finding::Error(error)], "{extra:#X}");
        }
    }
    let none = Error::PoolTooSmall {
        slots: 1 << 32,
        created: 2,
    };
    assert_eq!(
        none.to_string(),
        "PoolTooSmall: 2 strats are created at the start, expected at most 12632256 slots of 340 bytes, which 32 \
         bits count, found 4294967296"
    );
}

/// Memory that the loader's 32 bits do not count.
#[test]
fn sizes_near_the_end_of_32_bits() {
    let particles = |count| check(|source, _| source.particles = Some(count));
    assert_eq!(particles(0xFFFF_FFFF / 0x48), []);
    for count in [0xFFFF_FFFF / 0x48 + 1, u32::MAX] {
        let error = Error::CountOverflow {
            block: Block::Particles,
            index: None,
            count,
            offset: None,
        };
        assert_eq!(particles(count), [Finding::Error(error)]);
    }
    let slots = |count| check(|_, parts| parts.strats[1].ty.slots = count);
    assert_eq!(slots(0x0FFF_FFFF), []);
    for count in [0x1000_0000, u32::MAX] {
        let error = Error::CountOverflow {
            block: Block::Strats,
            index: Some(1),
            count,
            offset: None,
        };
        assert_eq!(slots(count), [Finding::Error(error)]);
    }
}

#[test]
fn angles_of_strats() {
    let with = |angles| check(|_, parts| parts.strats[1].angles = angles);
    assert_eq!(with([4095; 3]), []);
    for angles in [[4096, 0, 0], [0, 4096, 0], [0, 0, u16::MAX]] {
        let warning = Warning::Angles { strat: 1, angles };
        assert_eq!(with(angles), [Finding::Warning(warning)]);
    }
}

#[test]
fn constants_of_a_type() {
    let found = check(|_, parts| {
        let mut other = parts.strats[0];
        other.ty.extra = 2;
        let same = parts.strats[0];
        parts.strats.extend([same, other]);
    });
    let warning = Warning::TypeMismatch { strat: 3, first: 0 };
    assert_eq!(found, [Finding::Warning(warning)]);
    // More types than are compared.
    let found = check(|source, parts| {
        source.pool_extra = 5000;
        let one = parts.strats[0];
        parts.strats.extend((0..2000).map(|code| {
            let mut it = one;
            it.ty.code = code;
            it
        }));
    });
    assert_eq!(found, []);
}

#[test]
fn offsets_into_the_code() {
    let code = vec![0; 0x2000];
    let stpc = Stpc::parse(&code, FULL).unwrap();
    assert_eq!(stpc.code(), (8, true));
    let found = findings(
        |_, parts| {
            parts.zones[0].background = 0x2000;
            parts.strats[0].ty.code = 4;
        },
        Some(&stpc),
    );
    let error = |block, index, code| Finding::Error(Error::CodeOffset { block, index, code });
    assert_eq!(
        found,
        [
            CARRY,
            error(Block::Zones, 0, 0x2000),
            error(Block::Strats, 0, 4),
            error(Block::Strats, 1, 0x2000)
        ]
    );
    // Two bytes further, and not a multiple of four; an odd one is none.
    let found = findings(
        |_, parts| {
            parts.zones[0].background = 0x1FFF;
            parts.strats[0].ty.code = 10;
            parts.strats[1].ty.code = 0x1FFD;
        },
        Some(&stpc),
    );
    // There are no names.
    let unnamed = |strat, code| Finding::Warning(Warning::Unnamed { strat, code });
    let odd = error(Block::Strats, 1, 0x1FFD);
    assert_eq!(found, [CARRY, odd, unnamed(0, 10)]);
    let found = findings(
        |_, parts| {
            let strat = parts.strats[0];
            parts.strats.extend([strat; 3]);
            parts.strats[1].ty.code = 0x1FFE;
        },
        Some(&stpc),
    );
    // Once for each type.
    assert_eq!(found, [CARRY, unnamed(0, 0x1234), unnamed(1, 0x1FFE)]);
}

/// Code of types with these names, and where each begins.
fn named(names: &[&str]) -> (Vec<u8>, Vec<u32>) {
    let mut data = vec![0; 8];
    let starts = names.iter().map(|name| {
        let start = data.len() as u32;
        data.extend(hex("D4 00 00 00 EA 00 00 00 00 00 00 00"));
        data.extend(name.as_bytes());
        data.resize(data.len().next_multiple_of(4) + 4, 0);
        start
    });
    let starts = starts.collect();
    (data, starts)
}

#[test]
fn players_and_exits() {
    let players = |count| Finding::Warning(Warning::Players { count });
    let exits = |count| Finding::Warning(Warning::Exits { count });
    for (names, expected) in [
        (["Llama", "LevelDoor", "Coin"], vec![]),
        (["Llama", "Llama", "Coin"], vec![players(2)]),
        (["Llama", "LlamaChase", "RollerCoaster"], vec![players(3)]),
        (
            ["Llama", "KuscoAndPachaTogetherOnATree", "Coin"],
            vec![players(2)],
        ),
        (["EndGameDoor", "VillageEndDoor", "Coin"], vec![exits(2)]),
        (["LevelDoor", "LevelDoor", "LevelDoor"], vec![exits(3)]),
        (["Llamas", "Llama", "EndGameDoors"], vec![]),
    ] {
        let (code, starts) = named(&names);
        let stpc = Stpc::parse(&code, FULL).unwrap();
        let found = findings(
            |_, parts| {
                let strat = parts.strats[0];
                parts.strats.push(strat);
                for (strat, code) in parts.strats.iter_mut().zip(&starts) {
                    strat.ty.code = *code;
                }
            },
            Some(&stpc),
        );
        assert_eq!(found[0], CARRY);
        assert_eq!(found[1..], expected, "{names:?}");
    }
}

#[test]
fn models_and_alternatives_of_tiles() {
    // The model of a tile, where block 9 has another.
    let mut data = full();
    data[0xC + 2 * 24 + 16] = 9;
    let mut found = Vec::new();
    read(&data, FULL).check(None, &mut |finding| found.push(finding));
    let model = Error::ModelIndex {
        block: Block::Tiles,
        index: 2,
        model: 9,
        normal: false,
        offset: None,
    };
    let derived = Error::DerivedMismatch {
        block: Block::Models,
        tile: 2,
    };
    assert_eq!(
        found,
        [Finding::Error(derived), CARRY, Finding::Error(model)]
    );
    assert_eq!(
        Map::parse(&data, FULL, Models::Table(&NV)).unwrap_err(),
        model
    );
    // Tiles with an alternative, where the flags exclude it.
    let data = bytes(&Source {
        width: 2,
        height: 1,
        tiles: &[
            tile(0.5, 0.0, -0.5, 0, 0, 1),
            tile(1.5, 0.0, -0.5, 0, 0, 0),
            tile(1.5, 1.0, -0.5, 0, 0, 7),
        ],
        zones: &[zone()],
        grid: &[0; 2],
        colours: &[1; 3 * 8],
        ..Source::default()
    });
    let mut found = Vec::new();
    read(&data, Flags(0)).check(None, &mut |finding| found.push(finding));
    assert_eq!(found, [Finding::Warning(Warning::AltCount { tiles: 2 })]);
}

/// The normal model of an alternative is one of the level, as the other is, and its tile's.
#[test]
fn normal_models_of_alternatives() {
    // Behind the count and the position of the only entry, whose normal model is 1 of 2.
    let with = |normal: u32| {
        let mut data = full();
        data[0x28C + 4 + 12..][..4].copy_from_slice(&normal.to_le_bytes());
        let mut found = Vec::new();
        read(&data, FULL).check(None, &mut |finding| found.push(finding));
        let read = Map::parse(&data, FULL, Models::Table(&NV)).map(|_| ());
        (found, read)
    };
    assert_eq!(with(1), (vec![CARRY], Ok(())));
    for normal in [2, 99, u32::MAX] {
        let error = Error::ModelIndex {
            block: Block::Alternatives,
            index: 0,
            model: normal,
            normal: true,
            offset: None,
        };
        let found = vec![CARRY, Finding::Error(error)];
        assert_eq!(with(normal), (found, Err(error)), "{normal}");
        assert_eq!(
            error.to_string(),
            format!(
                "ModelIndex: block 10 (alternatives), record 0, its normal model: there is no model {normal}"
            )
        );
    }
    let other = Warning::AltNormal {
        entry: 0,
        tile: 1,
        normal: 0,
        model: 1,
    };
    assert_eq!(with(0), (vec![CARRY, Finding::Warning(other)], Ok(())));
    assert_eq!(
        other.to_string(),
        "AltNormal: alternative 0: expected the normal model 1, which its tile 1 has, found 0"
    );
}
