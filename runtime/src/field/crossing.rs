//! Trigger dispatch, doorways within the scene, and regions (field sheet, sections 10.2 to 10.6).

use super::actor::flag;
use super::ground::Ground;
use super::map::Tile;
use super::map::trigger::{Combined, Script, Teleport};
use super::state::Field;
use super::units::{Point, dispatch_tile, saturate};

/// The last tile that was dispatched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossing {
    pub(super) last: Option<[i16; 2]>,
}

/// What stepping onto a tile starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossed {
    /// Beats of MAN partition 2: of the tile, and of the tile that a doorway leads to. Whether one
    /// may start, its own story flags say.
    pub beats: [Option<u8>; 2],
    /// The doorway that was taken.
    pub doorway: Option<Teleport>,
}

impl Crossing {
    /// As after an entry, a warp or a doorway: the tile of arrival fires on the first frame.
    pub const STALE: Self = Self { last: None };
}

/// What the region refresh subtracts before it takes a tile, under both readings of the dispatch.
const REGION_BIAS: i16 = 0x40;

/// [`dispatch_tile`] of a coordinate's range, which stays within it.
fn quantise(x: i16, z: i16, bias: i16) -> [i16; 2] {
    dispatch_tile(x.into(), z.into(), bias).map(|it| it as i16)
}

/// The beat that walking on a tile starts.
fn beat(triggers: &Combined<'_>, tile: Tile) -> Option<u8> {
    let script = triggers.script(tile)?;
    (script.gate == Script::WALK_ON).then_some(script.record)
}

impl Field {
    /// Look whether the player has come to another tile, and what that starts; a doorway is taken at
    /// once. Call it after the world has stepped, and not while a dialog or a timeline has the frame.
    ///
    /// On the overworld there are beats only, no doorways (sections 10.2 and 10.10), and of the beats
    /// those that change the scene are the portals', not the host's to start.
    pub fn cross(
        &mut self,
        ground: &Ground<'_>,
        crossing: &mut Crossing,
        overworld: bool,
    ) -> Crossed {
        let bias = self.settings.compat.trigger_bias;
        let at = quantise(self.player.x, self.player.z, bias);
        let mut crossed = Crossed::default();
        let Some(tile) = Tile::at(at[0].into(), at[1].into()) else {
            return crossed;
        };
        if crossing.last == Some(at) {
            return crossed;
        }
        crossing.last = Some(at);
        if !ground.cell(tile).may_trigger() {
            return crossed;
        }
        let triggers = ground.triggers();
        crossed.beats[0] = beat(triggers, tile);
        if overworld || self.player.has(flag::LOCKED) {
            return crossed;
        }
        if let Some(doorway) = triggers.teleport(tile) {
            let [x, y, z] = ground.landing(doorway).map(saturate);
            (self.player.x, self.player.y, self.player.z) = (x, y, z);
            self.player.seen = None;
            *crossing = Crossing::STALE;
            crossed.doorway = Some(doorway);
            crossed.beats[1] = doorway.query_tile().and_then(|tile| beat(triggers, tile));
        }
        crossed
    }
}

/// The regions around the player, looked up again on each tile (section 10.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub(super) tile: Option<[i16; 2]>,
    /// Those at the last tile.
    pub regions: Regions,
}

impl Area {
    /// As before an entry.
    pub const STALE: Self = Self {
        tile: None,
        regions: Regions::WHOLE,
    };

    /// Look the regions up, if the player has come to another tile or the area is stale. Whether the
    /// latched box is another than before, or the first: then the window is to be rebuilt
    /// ([`Field::rebuild_window`]).
    pub fn refresh(&mut self, ground: &Ground<'_>, player: Point, overworld: bool) -> bool {
        let tile = quantise(player.x, player.z, REGION_BIAS);
        if self.tile == Some(tile) {
            return false;
        }
        let entering = self.tile.is_none();
        let before = self.regions.bounds;
        self.tile = Some(tile);
        self.regions = Regions::at(ground, player.x, player.z, overworld);
        entering || self.regions.bounds != before
    }
}

/// The regions that hold the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regions {
    /// A bit for each type of region.
    pub mask: u32,
    /// The latched box `x0, z0, x1, z1`; [`super::spawn::window_sweep`] takes the larger edges as
    /// outside.
    pub bounds: [u8; 4],
    /// Its type, 0 or 1.
    pub ty: u8,
}

impl Regions {
    /// The whole map.
    pub const WHOLE: Self = Self {
        mask: 0,
        bounds: [0, 0, 0x7F, 0x7F],
        ty: 1,
    };

    /// The regions at a position: always by the biased mapping. The overworld has the whole map for
    /// its box.
    #[must_use]
    pub fn at(ground: &Ground<'_>, x: i16, z: i16, overworld: bool) -> Self {
        let mut regions = Self::WHOLE;
        let [col, row] = quantise(x, z, REGION_BIAS);
        let Some(tile) = Tile::at(col.into(), row.into()) else {
            return regions;
        };
        for region in ground.triggers().map.regions() {
            if !region.contains(tile) {
                continue;
            }
            regions.mask |= region.mask();
            if region.ty <= 1 && !overworld {
                let [x0, z0, x1, z1] = region.corners;
                // The game stores the box with its Z corners the other way round.
                regions.bounds = [x0, z1, x1, z0];
                regions.ty = region.ty;
            }
        }
        regions
    }
}
