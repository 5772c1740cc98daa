//! The half of a world that scripts reach while they run: map, floor, regions, camera, and the list of what
//! they ask for that needs the other half.

use super::game::{Change, Fight};
use super::view::View;
use crate::anim::legaia::Banks;
use crate::field::Ground;
use crate::field::crossing::{Area, Regions};
use crate::field::encounter::Random;
use crate::field::ground::{self, NoHeightTable};
use crate::field::map::trigger::{Combined, Index, Triggers};
use crate::field::map::{COLLISION_SIZE, Map, MapMut};
use crate::fixed::Angle;
use crate::scene::man::{Encounters, Man};
use crate::script::context::Hold;
use crate::script::host::ContextId;

/// Wishes of one frame that are kept; more are dropped and counted.
const WISHES: usize = 32;
/// Operands of a hop that are kept.
pub(super) const HOP: usize = 4;

/// What a scene stands on.
#[derive(Debug)]
pub enum Soil<'m> {
    /// A whole map.
    Map(MapMut<'m>),
    /// Walls and tiers alone, for machines that have no room for a map: no objects, nothing that a tile
    /// starts.
    Bare(&'m mut [u8; COLLISION_SIZE]),
}

impl Soil<'_> {
    /// The map, if there is one.
    pub(super) const fn map(&self) -> Option<Map<'_>> {
        match self {
            Self::Map(map) => Some(map.map()),
            Self::Bare(_) => None,
        }
    }

    /// Walls and tiers.
    pub(super) fn grid(&self) -> &[u8] {
        match self {
            Self::Map(map) => map.map().collision_grid(),
            Self::Bare(grid) => &grid[..],
        }
    }

    /// Walls and tiers, to be painted.
    pub(super) fn grid_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Map(map) => map.collision_grid().map_or(&mut [], |grid| &mut grid[..]),
            Self::Bare(grid) => &mut grid[..],
        }
    }
}

/// What the files of a scene bring.
#[derive(Debug)]
pub struct Scenery<'m> {
    /// A copy of the map as it lies on the disc. Scripts paint it: whoever enters a scene anew reads it
    /// anew (field sheet, section 3.6).
    pub map: Soil<'m>,
    /// The trigger block behind the map; [`Triggers::EMPTY`] for none.
    pub patch: Triggers<'m>,
    /// The scene's program. Without one all heights are 0, and nobody is there.
    pub man: Option<Man<'m>>,
    /// The clips. The player's are the party's: a scene without a party bank lends its own, or the player is
    /// not animated.
    pub banks: Banks<'m>,
    /// One of the kingdoms' overworlds (section 10.10).
    pub overworld: bool,
}

/// What a script asked for that is done when its frame is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Run the beat with this flat number (`44`).
    Spawn(u8),
    /// Make the actor of this flat record again (`4C D2`).
    Restore(u8),
    /// Begin an arc (`43 00`, `01`, `0A`, `0B`).
    Hop(Hold, [u8; HOP]),
    /// Begin a tween (`43 09`).
    Tween(ContextId, [u16; 3], u16),
}

impl Wish {
    /// The context that it moves or changes, if it is one that is there.
    pub const fn whose(self) -> Option<ContextId> {
        match self {
            Self::Hop(hold, _) => Some(hold.of),
            Self::Tween(place, ..) => Some(place),
            Self::Spawn(_) | Self::Restore(_) => None,
        }
    }
}

/// Map, program and everything else of the scene that a script's frame may read or change.
#[derive(Debug)]
pub(super) struct Stage<'m> {
    pub map: Soil<'m>,
    pub patch: Triggers<'m>,
    pub man: Option<Man<'m>>,
    pub banks: Banks<'m>,
    pub encounters: Option<Encounters<'m>>,
    pub overworld: bool,
    /// Heights of the tiers; scripts rewrite them (`4C 9E`).
    pub heights: [i16; 16],
    /// That nothing gives them, until it has been told.
    pub no_heights: Option<NoHeightTable>,
    /// The most that the map's elevation records raise and lower a floor.
    pub relief: [i32; 2],
    /// Those records, by their tiles.
    pub index: Index,
    /// The regions at the player, and the tile for which they were looked up.
    pub area: Area,
    /// Held buttons.
    pub held: u16,
    /// Vertical blanks of this frame.
    pub scalar: u8,
    pub arrival: Angle,
    pub view: View,
    pub random: Random,
    pub fight: Option<Fight>,
    pub change: Option<Change>,
    pub wishes: heapless::Vec<Wish, WISHES>,
    /// Wishes and zones for which there was no room.
    pub dropped: u32,
    /// Of them, those who were to hop: they are let go where they are.
    pub stranded: Places,
    /// Whom a script has put somewhere at once, until the field has them again: to be put is no step.
    pub seated: Places,
}

/// Places of the pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Places(pub [u32; 8]);

impl Places {
    pub fn has(&self, place: ContextId) -> bool {
        let word = self.0.get(usize::from(place >> 5));
        word.is_some_and(|it| it >> (place & 31) & 1 != 0)
    }

    pub fn set(&mut self, place: ContextId, on: bool) {
        if let Some(word) = self.0.get_mut(usize::from(place >> 5)) {
            *word = *word & !(1 << (place & 31)) | u32::from(on) << (place & 31);
        }
    }
}

/// The records of both blocks.
fn records<'a>(map: &'a Soil<'_>, patch: Triggers<'a>) -> Combined<'a> {
    let map = map.map().map_or(Triggers::EMPTY, |map| map.triggers());
    Combined { map, patch }
}

/// The most that elevation records raise and lower a floor, which no script changes.
fn relief(records: &Combined<'_>) -> [i32; 2] {
    let [mut up, mut down] = [0; 2];
    for record in records.map.elevations().chain(records.patch.elevations()) {
        // The raised quarters, and those that are not.
        for (x, z) in [(0, 0), (64, 0), (0, 64), (64, 64)] {
            let by = record.offset(x, z);
            up = up.min(by);
            down = down.max(by);
        }
    }
    [up, down]
}

/// The heights as the MAN has them.
fn heights(man: Option<&Man<'_>>) -> ([i16; 16], Option<NoHeightTable>) {
    ground::heights(man.map(Man::heights))
}

impl<'m> Stage<'m> {
    pub fn new(scenery: Scenery<'m>) -> Self {
        let Scenery {
            map,
            patch,
            man,
            banks,
            overworld,
        } = scenery;
        let (heights, no_heights) = heights(man.as_ref());
        let (relief, index) = {
            let records = records(&map, patch);
            (relief(&records), Index::of(&records))
        };
        Self {
            map,
            patch,
            man,
            banks,
            encounters: man.and_then(|it| it.encounters().ok()),
            overworld,
            heights,
            no_heights,
            relief,
            index,
            area: Area::STALE,
            held: 0,
            scalar: 1,
            arrival: 0,
            view: View::ENTRY,
            random: Random(0),
            fight: None,
            change: None,
            wishes: heapless::Vec::new(),
            dropped: 0,
            stranded: Places::default(),
            seated: Places::default(),
        }
    }

    /// Take the heights from the MAN again, whatever scripts have made of them.
    pub fn restore_heights(&mut self) {
        self.heights = heights(self.man.as_ref()).0;
    }

    /// Take the map as it lies on the disc again.
    pub fn restore_map(&mut self, map: &Map<'_>) {
        match &mut self.map {
            Soil::Map(own) => {
                own.restore(map);
                let records = records(&self.map, self.patch);
                self.relief = relief(&records);
                self.index.fill(&records);
            }
            Soil::Bare(grid) => {
                for (to, from) in grid.iter_mut().zip(map.collision_grid()) {
                    *to = *from;
                }
            }
        }
    }

    /// What the scene stands on, as it is now.
    pub fn ground(&self) -> Ground<'_> {
        match &self.map {
            Soil::Map(map) => {
                Ground::new(map.map(), self.patch, &self.heights).with_index(&self.index)
            }
            Soil::Bare(grid) => Ground::bare(grid, &self.heights),
        }
    }

    pub fn floor(&self, x: i16, z: i16) -> i16 {
        let floor = self.ground().floor(x.into(), z.into());
        crate::field::units::saturate(floor)
    }

    pub fn wish(&mut self, wish: Wish) {
        if self.wishes.push(wish).is_err() {
            self.dropped = self.dropped.saturating_add(1);
            if let Wish::Hop(hold, _) = wish {
                self.stranded.set(hold.of, true);
            }
        }
    }

    /// Forget what was asked for a place: it is another's now.
    pub fn forget(&mut self, place: ContextId) {
        self.wishes.retain(|it| it.whose() != Some(place));
        self.stranded.set(place, false);
        self.seated.set(place, false);
    }

    /// Leave the scene; the first wish counts, since the game tears the scene down with it.
    pub fn leave(&mut self, change: Change) {
        self.change.get_or_insert(change);
    }

    /// A fight is due: the first of a frame, but a script's takes the place of one that was rolled (field sheet,
    /// section 10.9).
    pub fn begin_fight(&mut self, fight: Fight) {
        if self.fight.is_none_or(|on| fight.scripted && !on.scripted) {
            self.fight = Some(fight);
        }
    }

    /// The region bits at a position.
    pub fn refresh_regions(&mut self, x: i16, z: i16) {
        self.area.regions = Regions::at(&self.ground(), x, z, self.overworld);
    }
}
