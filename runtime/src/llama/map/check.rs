//! All invariants of a level's MAP (llama sheet, sections 7 and 10).

use super::super::flags::Flags;
use super::super::stpc::{EXITS, PLAYERS, Stpc};
use super::seen::Seen;
use super::{
    Block, Error, Finding, Fixed, MOST_SLOTS, Map, PARTICLE, Place, QUARTER, REGIONS, STRAT_SLOT,
    Tile, Warning, Zone,
};

impl Map<'_> {
    /// Tell everything that is wrong, block by block. With the level's code, offsets into it, whether there is a name
    /// at them, and the number of players and exits are looked at, too. Constants and names are looked at for as many
    /// types as a table of 512 holds.
    pub fn check(&self, code: Option<&Stpc<'_>>, tell: &mut dyn FnMut(Finding)) {
        self.check_tiles(tell);
        self.check_zones(code, tell);
        self.check_regions(tell);
        self.check_models(tell);
        self.check_strats(code, tell);
        self.check_types(code, tell);
        if let Some(code) = code {
            self.check_roles(code, tell);
        }
    }

    /// The first error of [`Map::check`].
    ///
    /// # Errors
    /// It.
    pub fn verify(&self, code: Option<&Stpc<'_>>) -> Result<(), Error> {
        let mut first = None;
        self.check(code, &mut |finding| {
            if let Finding::Error(error) = finding {
                first = first.or(Some(error));
            }
        });
        first.map_or(Ok(()), Err)
    }

    fn check_tiles(&self, tell: &mut dyn FnMut(Finding)) {
        let fixed = self.fixed();
        let numbers = self.numbers();
        let derived = fixed.iter().zip(numbers.iter());
        for ((it, (fixed, number)), tile) in self.tiles().iter().zip(derived).zip(0..) {
            let [_, _, z] = it.at;
            let cell = it.cell();
            if let (Some([col, row]), Place::Wrong(_) | Place::Foreign) =
                (cell, it.place(self.width(), self.height()))
            {
                tell(Finding::Error(Error::TileOutsideGrid { tile, col, row }));
            }
            if Fixed::of(&it).is_none() || z.is_positive() {
                tell(Finding::Error(Error::TilePosition { tile }));
            } else if !fixed.matches(&it) {
                let block = Block::Fixed;
                tell(Finding::Error(Error::DerivedMismatch { block, tile }));
            }
            if number != it.model {
                let block = Block::Models;
                tell(Finding::Error(Error::DerivedMismatch { block, tile }));
            }
            let angle = it.angle;
            if angle % QUARTER != 0 || angle >= 4 * QUARTER {
                tell(Finding::Warning(Warning::Rotation { tile, angle }));
            }
        }
        for (colours, tile) in self.colours().zip(0..) {
            let Some(alternative) = colours.alternative else {
                continue;
            };
            let (base, own) = (colours.base.frames, alternative.own);
            if own < base {
                tell(Finding::Warning(Warning::FrameCarry { tile, base, own }));
            }
        }
    }

    fn check_zones(&self, code: Option<&Stpc<'_>>, tell: &mut dyn FnMut(Finding)) {
        let mut starts = 0;
        for (zone, index) in self.zones().iter().zip(0..) {
            starts += u32::from(zone.flags & Zone::START != 0);
            let size = code.map(|code| code.bytes().len());
            if size.is_some_and(|size| zone.background as usize >= size) && zone.background != 0 {
                tell(Finding::Error(Error::CodeOffset {
                    block: Block::Zones,
                    index,
                    code: zone.background,
                }));
            }
        }
        if starts != 1 {
            tell(Finding::Warning(Warning::StartZones { count: starts }));
        }
        let waypoints = self.waypoints();
        if let Some(last) = waypoints.len().checked_sub(1)
            && waypoints.get(last).is_some_and(|it| it.next != 0)
        {
            let waypoint = last as u32;
            tell(Finding::Error(Error::OpenChain { waypoint }));
        }
    }

    fn check_regions(&self, tell: &mut dyn FnMut(Finding)) {
        let grid = self.grid();
        // Quickly, as most are good.
        if grid.iter().fold(0, u32::max) < REGIONS {
            return;
        }
        for (region, cell) in grid.iter().zip(0..) {
            if region >= REGIONS {
                tell(Finding::Error(Error::RegionIndex { cell, region }));
            }
        }
    }

    /// The models that tiles name, and the normal ones of block 10; its others and those of block 9 were looked at as
    /// the blocks were found. Without the flag, block 10 is not there and no entry is looked at.
    fn check_models(&self, tell: &mut dyn FnMut(Finding)) {
        let models = self.models().len();
        for (tile, index) in self.tiles().iter().zip(0..) {
            let model = tile.model;
            if model >= models {
                let block = Block::Tiles;
                tell(Finding::Error(Error::ModelIndex {
                    block,
                    index,
                    model,
                    normal: false,
                    offset: None,
                }));
            }
        }
        let tiles = self.tiles();
        let mut owners = tiles.iter().zip(0..).filter(|it| it.0.alternative != 0);
        for (alternative, entry) in self.alternatives().iter().zip(0..) {
            let (normal, owner) = (alternative.normal, owners.next());
            if normal >= models {
                tell(Finding::Error(Error::ModelIndex {
                    block: Block::Alternatives,
                    index: entry,
                    model: normal,
                    normal: true,
                    offset: None,
                }));
            } else if let Some((Tile { model, .. }, tile)) = owner
                && model != normal
            {
                tell(Finding::Warning(Warning::AltNormal {
                    entry,
                    tile,
                    normal,
                    model,
                }));
            }
        }
        if !self.flags().has(Flags::ALTERNATIVES) {
            let tiles = tiles.iter().filter(|it| it.alternative != 0).count();
            if tiles != 0 {
                let tiles = tiles as u32;
                tell(Finding::Warning(Warning::AltCount { tiles }));
            }
        }
    }

    fn check_strats(&self, code: Option<&Stpc<'_>>, tell: &mut dyn FnMut(Finding)) {
        let (pool, waypoints) = (self.pool().len() as u64, self.waypoints().len());
        let mut created = 0_u32;
        for (it, strat) in self.strats().iter().zip(0..) {
            created += u32::from(it.is_created());
            let (index, count) = (it.pool, it.parameters);
            if count == 0 {
                if index != -1 {
                    tell(Finding::Warning(Warning::ParamRange { strat, index }));
                }
            } else {
                let end = u64::try_from(index).map(|index| index + u64::from(count));
                if !end.is_ok_and(|end| end <= pool) {
                    tell(Finding::Error(Error::ParamRange {
                        strat,
                        index,
                        count,
                    }));
                }
            }
            let waypoint = it.waypoint;
            let there = usize::try_from(waypoint).is_ok_and(|it| it < waypoints);
            if waypoint != -1 && !there {
                tell(Finding::Error(Error::WaypointIndex { strat, waypoint }));
            }
            if code.is_some_and(|code| !code.is_code(it.ty.code)) {
                tell(Finding::Error(Error::CodeOffset {
                    block: Block::Strats,
                    index: strat,
                    code: it.ty.code,
                }));
            }
            if it.ty.slots > u32::MAX / STRAT_SLOT {
                tell(Finding::Error(Error::CountOverflow {
                    block: Block::Strats,
                    index: Some(strat),
                    count: it.ty.slots,
                    offset: None,
                }));
            }
            if it.angles.iter().any(|&it| u32::from(it) >= 4 * QUARTER) {
                let angles = it.angles;
                tell(Finding::Warning(Warning::Angles { strat, angles }));
            }
            if it.tail != 0 || it.pad != 0 {
                tell(Finding::Warning(Warning::Pad { strat }));
            }
        }
        let slots = self.slots();
        if slots < u64::from(created) || slots > MOST_SLOTS {
            tell(Finding::Error(Error::PoolTooSmall { slots, created }));
        }
        if let Some(count) = self.particles().filter(|&it| it > u32::MAX / PARTICLE) {
            tell(Finding::Error(Error::CountOverflow {
                block: Block::Particles,
                index: None,
                count,
                offset: None,
            }));
        }
    }

    fn check_types(&self, code: Option<&Stpc<'_>>, tell: &mut dyn FnMut(Finding)) {
        let strats = self.strats();
        let known = |first: u32| strats.get(first as usize).unwrap_or_default().ty;
        let mut seen = Seen::new();
        for (it, strat) in strats.iter().zip(0_u32..) {
            let Some(first) = seen.first(strat, it.ty.code, |first| known(first).code) else {
                continue;
            };
            if known(first) != it.ty {
                tell(Finding::Warning(Warning::TypeMismatch { strat, first }));
            }
            // Once for each type: another offset is told as an error.
            let start = code.filter(|code| first == strat && code.is_code(it.ty.code));
            if start.is_some_and(|code| code.name(it.ty.code).text().is_none()) {
                let code = it.ty.code;
                tell(Finding::Warning(Warning::Unnamed { strat, code }));
            }
        }
    }

    fn check_roles(&self, code: &Stpc<'_>, tell: &mut dyn FnMut(Finding)) {
        let (mut players, mut exits) = (0_u32, 0_u32);
        for it in self.strats().iter() {
            let name = code.name(it.ty.code).text();
            let is = |names: &[&str]| name.is_some_and(|it| names.contains(&it));
            players += u32::from(is(&PLAYERS));
            exits += u32::from(is(&EXITS));
        }
        if players > 1 {
            tell(Finding::Warning(Warning::Players { count: players }));
        }
        if exits > 1 {
            tell(Finding::Warning(Warning::Exits { count: exits }));
        }
    }
}
