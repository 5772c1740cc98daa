//! A MAP chunk as vectors.

use overworld_runtime::llama::map::{
    Alternative, Error, Fixed, Map, PartSource, PathSource, Point, Region, Source, Strat, Tile,
    Waypoint, Zone, emit, size,
};
use overworld_runtime::llama::{Flags, Models, Stpc};

/// A part of a path: flags and points.
pub type PathPart = (u16, Vec<Point>);

/// All that a MAP chunk holds, bit by bit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Columns of the grid.
    pub width: u32,
    /// Rows of the grid.
    pub height: u32,
    /// Block 2.
    pub tiles: Vec<Tile>,
    /// Block 11: the bytes of each tile.
    pub colours: Vec<Vec<u8>>,
    /// Block 3.
    pub pool: Vec<u32>,
    /// Block 4.
    pub zones: Vec<Zone>,
    /// Block 5.
    pub waypoints: Vec<Waypoint>,
    /// Block 6.
    pub regions: [Region; 32],
    /// Block 7.
    pub grid: Vec<u32>,
    /// Block 8, where it is not what the tiles say.
    pub fixed: Option<Vec<Fixed>>,
    /// Block 9, where it is not what the tiles say.
    pub models: Option<Vec<u32>>,
    /// Block 10.
    pub alternatives: Vec<Alternative>,
    /// Block 12.
    pub strats: Vec<Strat>,
    /// Slots for strats beyond 30.
    pub pool_extra: u32,
    /// Block 13.
    pub paths: Vec<Vec<PathPart>>,
    /// Block 14.
    pub particles: Option<u32>,
    /// Block 15.
    pub tail: u16,
}

impl Parts {
    /// The parts of a chunk.
    #[must_use]
    pub fn of(map: &Map<'_>) -> Self {
        let tiles: Vec<Tile> = map.tiles().iter().collect();
        let fixed: Vec<Fixed> = map.fixed().iter().collect();
        let models: Vec<u32> = map.numbers().iter().collect();
        let derived = |(tile, fixed): (&Tile, &Fixed)| Fixed::of(tile).as_ref() == Some(fixed);
        let fixed_is_derived = tiles.iter().zip(&fixed).all(derived);
        let models_are_derived = tiles.iter().map(|it| it.model).eq(models.iter().copied());
        let mut regions = [Region::default(); 32];
        for (place, region) in regions.iter_mut().zip(map.regions().iter()) {
            *place = region;
        }
        let colours = map.colours().map(|it| {
            let other = it.alternative.map_or(&[][..], |it| it.data);
            [it.base.data, other].concat()
        });
        let paths = map.paths().map(|path| {
            let parts = path.parts();
            parts.map(|it| (it.flags, it.points().collect())).collect()
        });
        Self {
            width: map.width(),
            height: map.height(),
            colours: colours.collect(),
            tiles,
            pool: map.pool().iter().collect(),
            zones: map.zones().iter().collect(),
            waypoints: map.waypoints().iter().collect(),
            regions,
            grid: map.grid().iter().collect(),
            fixed: (!fixed_is_derived).then_some(fixed),
            models: (!models_are_derived).then_some(models),
            alternatives: map.alternatives().iter().collect(),
            strats: map.strats().iter().collect(),
            pool_extra: map.pool_extra(),
            paths: paths.collect(),
            particles: map.particles(),
            tail: map.tail(),
        }
    }

    /// The same in pieces, each with so many values of each list and all that is no list: at least one.
    pub(super) fn pieces(self, count: usize) -> impl Iterator<Item = Self> {
        let take = count.max(1);
        let mut tiles = self.tiles.into_iter();
        let mut colours = self.colours.into_iter();
        let mut pool = self.pool.into_iter();
        let mut zones = self.zones.into_iter();
        let mut waypoints = self.waypoints.into_iter();
        let mut grid = self.grid.into_iter();
        let mut fixed = self.fixed.map(Vec::into_iter);
        let mut models = self.models.map(Vec::into_iter);
        let mut alternatives = self.alternatives.into_iter();
        let mut strats = self.strats.into_iter();
        let mut paths = self.paths.into_iter();
        let mut first = true;
        std::iter::from_fn(move || {
            let piece = Self {
                width: self.width,
                height: self.height,
                tiles: tiles.by_ref().take(take).collect(),
                colours: colours.by_ref().take(take).collect(),
                pool: pool.by_ref().take(take).collect(),
                zones: zones.by_ref().take(take).collect(),
                waypoints: waypoints.by_ref().take(take).collect(),
                regions: self.regions,
                grid: grid.by_ref().take(take).collect(),
                fixed: fixed.as_mut().map(|it| it.by_ref().take(take).collect()),
                models: models.as_mut().map(|it| it.by_ref().take(take).collect()),
                alternatives: alternatives.by_ref().take(take).collect(),
                strats: strats.by_ref().take(take).collect(),
                pool_extra: self.pool_extra,
                paths: paths.by_ref().take(take).collect(),
                particles: self.particles,
                tail: self.tail,
            };
            let is_there = std::mem::take(&mut first) || piece.longest() > 0;
            is_there.then_some(piece)
        })
    }

    /// How many values the longest list has.
    fn longest(&self) -> usize {
        let optional = |length: Option<usize>| length.unwrap_or(0);
        let lengths = [
            self.tiles.len(),
            self.colours.len(),
            self.pool.len(),
            self.zones.len(),
            self.waypoints.len(),
            self.grid.len(),
            optional(self.fixed.as_ref().map(Vec::len)),
            optional(self.models.as_ref().map(Vec::len)),
            self.alternatives.len(),
            self.strats.len(),
            self.paths.len(),
        ];
        lengths.into_iter().fold(0, usize::max)
    }

    /// Put the lists of others behind these.
    pub(super) fn append(&mut self, other: Self) {
        fn join<T>(list: &mut Option<Vec<T>>, other: Option<Vec<T>>) {
            if let Some(other) = other {
                list.get_or_insert_default().extend(other);
            }
        }
        self.tiles.extend(other.tiles);
        self.colours.extend(other.colours);
        self.pool.extend(other.pool);
        self.zones.extend(other.zones);
        self.waypoints.extend(other.waypoints);
        self.grid.extend(other.grid);
        join(&mut self.fixed, other.fixed);
        join(&mut self.models, other.models);
        self.alternatives.extend(other.alternatives);
        self.strats.extend(other.strats);
        self.paths.extend(other.paths);
    }

    /// Call with these parts as something to be written. Blocks 8 and 9 are derived as far as they are not given;
    /// a tile without fixed point then has a zero one.
    pub fn with_source<T>(&self, flags: Flags, then: impl FnOnce(&Source<'_>) -> T) -> T {
        let colours = self.colours.concat();
        let parts: Vec<Vec<PartSource<'_>>> = self
            .paths
            .iter()
            .map(|path| path.iter().map(part_source).collect())
            .collect();
        let paths: Vec<_> = parts.iter().map(|parts| PathSource { parts }).collect();
        let fixed = || {
            self.tiles
                .iter()
                .map(|it| Fixed::of(it).unwrap_or_default())
        };
        let fixed: Vec<Fixed> = self.fixed.clone().unwrap_or_else(|| fixed().collect());
        let models = || self.tiles.iter().map(|it| it.model).collect();
        let models: Vec<u32> = self.models.clone().unwrap_or_else(models);
        then(&Source {
            flags,
            width: self.width,
            height: self.height,
            tiles: &self.tiles,
            pool: &self.pool,
            zones: &self.zones,
            waypoints: &self.waypoints,
            regions: self.regions,
            grid: &self.grid,
            derived: Some((&fixed, &models)),
            alternatives: &self.alternatives,
            colours: &colours,
            strats: &self.strats,
            pool_extra: self.pool_extra,
            paths: &paths,
            particles: self.particles,
            tail: self.tail,
        })
    }

    /// The chunk, as the parts say.
    ///
    /// # Errors
    /// Those of [`emit`].
    pub fn bytes(&self, flags: Flags) -> Result<Vec<u8>, Error> {
        self.with_source(flags, |source| {
            let mut out = vec![0; usize::try_from(size(source)).unwrap_or(0)];
            let len = emit(source, &mut out)?;
            out.truncate(len);
            Ok(out)
        })
    }

    /// The chunk, derived and checked.
    ///
    /// # Errors
    /// Those of [`overworld_runtime::llama::map::build`].
    pub fn build(
        &self,
        flags: Flags,
        models: Models<'_>,
        code: Option<&Stpc<'_>>,
    ) -> Result<Vec<u8>, Error> {
        self.with_source(flags, |source| {
            let mut out = vec![0; usize::try_from(size(source)).unwrap_or(0)];
            let len = overworld_runtime::llama::map::build(source, models, code, &mut out)?;
            out.truncate(len);
            Ok(out)
        })
    }
}

fn part_source((flags, points): &PathPart) -> PartSource<'_> {
    PartSource {
        flags: *flags,
        points,
    }
}
