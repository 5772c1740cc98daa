//! The builder: derives blocks 8 and 9, and writes nothing that breaks an invariant.

use overworld_runtime::llama::map::{
    Block, Error, Fixed, Gate, PartSource, PathSource, Point, Source, build, emit, size,
};
use overworld_runtime::llama::{Flags, Models};

use super::fixtures::*;

fn built(source: &Source<'_>) -> Result<Vec<u8>, Error> {
    let mut out = vec![0xEE; size(source) as usize];
    let len = build(source, Models::Table(&NV), None, &mut out)?;
    assert_eq!(len, out.len());
    Ok(out)
}

#[test]
fn the_example_is_built() {
    with_full(|source| assert_eq!(built(source), Ok(full())));
}

#[test]
fn blocks_8_and_9_are_derived_whatever_is_given() {
    with_full(|source| {
        let source = Source {
            derived: Some((&[Fixed::default(); 3], &[1, 1, 1])),
            ..*source
        };
        assert_eq!(built(&source), Ok(full()));
        assert_ne!(bytes(&source), full());
    });
}

#[test]
fn broken_invariants_are_refused() {
    with_full(|source| {
        let mut tiles = source.tiles.to_vec();
        tiles[2] = tile(2.5, 0.0, -0.5, 0, 0, 0);
        let refused = |source: Source<'_>| built(&source).unwrap_err();
        let outside = Error::TileOutsideGrid {
            tile: 2,
            col: 2,
            row: 0,
        };
        assert_eq!(
            refused(Source {
                tiles: &tiles,
                ..*source
            }),
            outside
        );
        tiles[2] = tile(f32::NAN, 0.0, -0.5, 0, 0, 0);
        let position = Error::TilePosition { tile: 2 };
        assert_eq!(
            refused(Source {
                tiles: &tiles,
                ..*source
            }),
            position
        );
        tiles[2] = tile(0.5, 0.0, -0.5, 0, 7, 0);
        assert!(matches!(
            refused(Source {
                tiles: &tiles,
                ..*source
            }),
            Error::ModelIndex { .. }
        ));
        let grid = [0, 1, 2, 32];
        let region = Error::RegionIndex {
            cell: 3,
            region: 32,
        };
        assert_eq!(
            refused(Source {
                grid: &grid,
                ..*source
            }),
            region
        );
        let size = refused(Source {
            grid: &[0; 3],
            ..*source
        });
        assert!(matches!(size, Error::GridSize { cells: Some(3), .. }));
        let none = refused(Source {
            grid: &[],
            width: 0,
            ..*source
        });
        assert!(matches!(none, Error::GridSize { .. }));
        let count = Error::AltCount {
            count: 0,
            tiles: 1,
            offset: Some(0x28C),
        };
        assert_eq!(
            refused(Source {
                alternatives: &[],
                ..*source
            }),
            count
        );
        let colours = &source.colours[4..];
        assert!(built(&Source { colours, ..*source }).is_err());
        for (mask, block) in [
            (Flags::ALTERNATIVES, Block::Alternatives),
            (Flags::PATHS, Block::Paths),
            (Flags::PARTICLES, Block::Particles),
        ] {
            let flags = Flags(FULL.0 & !mask);
            let gate = Gate::Excluded;
            assert_eq!(
                refused(Source { flags, ..*source }),
                Error::Gate { block, gate }
            );
        }
        let strats = [source.strats[0]; 41];
        let pool = Error::PoolTooSmall {
            slots: 40,
            created: 41,
        };
        assert_eq!(
            refused(Source {
                strats: &strats,
                ..*source
            }),
            pool
        );
    });
}

#[test]
fn no_room_is_an_error_at_every_length() {
    with_full(|source| {
        for room in 0..full().len() {
            let mut out = vec![0; room];
            assert_eq!(emit(source, &mut out), Err(Error::OutputTooSmall { room }));
        }
        let wrong = Source {
            derived: Some((&[], &[])),
            ..*source
        };
        assert!(matches!(
            emit(&wrong, &mut [0; 910]),
            Err(Error::DerivedMismatch { .. })
        ));
    });
}

/// What the flags and the source do not say alike is refused, not lost or made up.
#[test]
fn nothing_is_lost_or_made_up() {
    with_full(|source| {
        let refused = |source: &Source<'_>| {
            let mut out = vec![0; 2000];
            emit(source, &mut out).unwrap_err()
        };
        let source = Source { ..*source };
        // No number where the flags ask for one.
        let error = refused(&Source {
            particles: None,
            ..source
        });
        let gate = Gate::Missing;
        let block = Block::Particles;
        assert_eq!(error, Error::Gate { block, gate });
        assert_eq!(
            error.to_string(),
            "Gate: the flags ask for block 14 (particles), which is not given"
        );
        // Heights of points where there is no place for them.
        let flat = Source {
            flags: Flags(FULL.0 & !Flags::POINT_Y),
            ..source
        };
        let error = refused(&flat);
        let (block, gate) = (Block::Paths, Gate::Height);
        assert_eq!(error, Error::Gate { block, gate });
        assert_eq!(
            error.to_string(),
            "Gate: block 13 (paths): the flags exclude heights of points, expected 0 or none"
        );
        let point = Point {
            at: [1, 2],
            ..Point::default()
        };
        let parts = [PartSource {
            flags: 0,
            points: &[point],
        }];
        let data = bytes(&Source {
            paths: &[PathSource { parts: &parts }],
            ..flat
        });
        let map = read(&data, flat.flags);
        let part = map.paths().next().unwrap().parts().next().unwrap();
        assert_eq!(part.points().next(), Some(point));
    });
}
