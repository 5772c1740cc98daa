//! What is placed: rules 11, 12 and 14.

use super::Finding;
use crate::field::Compat;
use crate::field::map::{Map, Placed, TILES};
use crate::field::units::dispatch_tile;
use core::ops::ControlFlow;

/// How far the game looks for candidates along each axis, in units.
const NEAR: i32 = 384;
/// How many it holds.
const CANDIDATES: usize = 32;
/// Units between the spots that are looked at.
const STEP: i32 = 64;
/// Spots along each axis, from 0 on.
const SPOTS: usize = 257;
/// Half of the contact box of a placed object, in units.
const HALF: i32 = 80;

impl Map<'_> {
    /// Rules 11, 12 and 14.
    pub(super) fn check_placed<B>(
        &self,
        visit: &mut dyn FnMut(Finding) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let last = TILES - 1;
        for placed in self.placed() {
            let tile = placed.tile;
            if (tile.col() == last || tile.row() == last) && !self.is_bound(&placed) {
                let object = placed.index;
                visit(Finding::UnboundAtEdge { tile, object })?;
            }
        }
        let teleports = || (0..).zip(self.triggers().teleports());
        for (index, teleport) in teleports() {
            // Whom it has taken is taken again from where the dispatch finds it.
            let [x, z] = teleport.landing();
            let tile = dispatch_tile(x, z, Compat::SHEET.trigger_bias);
            let mut fires = teleports().filter(|(_, it)| it.tile.map(i32::from) == tile);
            if let Some((other, _)) = fires.next() {
                visit(Finding::LandingFires { index, other })?;
            }
        }
        for (index, teleport) in teleports() {
            let landing = teleport.landing();
            let touched = self.placed().find(|placed| {
                let centre = placed.object.position(placed.tile);
                let footprint = placed.object.footprint();
                let mut axes = landing.iter().zip(centre).zip(footprint);
                axes.all(|((at, centre), offset)| (at - centre - offset).abs() < HALF)
                    && self.is_bound(placed)
            });
            if let Some(Placed { index: object, .. }) = touched {
                visit(Finding::LandingTouches { index, object })?;
            }
        }
        match self.crowd() {
            Some((at, objects)) => visit(Finding::Crowd { at, objects }),
            None => ControlFlow::Continue(()),
        }
    }

    /// Whether a trigger binds the object to a script, so that the sweep of the scene's start places it: the
    /// first of its anchor's tile does, whatever its gate (section 12.2).
    fn is_bound(&self, placed: &Placed) -> bool {
        self.triggers().script(placed.anchor).is_some()
    }

    /// The spot with the most objects around it, and how many, if they are too many.
    fn crowd(&self) -> Option<([u16; 2], u16)> {
        if self.placed().count() <= CANDIDATES {
            return None;
        }
        let mut most = (CANDIDATES as u16, [0, 0]);
        for row in 0..SPOTS {
            let z = row as i32 * STEP;
            let mut counts = [0_u16; SPOTS];
            for placed in self.placed() {
                let [px, pz] = placed.object.position(placed.tile);
                if (pz - z).abs() > NEAR {
                    continue;
                }
                // The spots within reach along X, those off the grid left out.
                let from = (px - NEAR + STEP - 1).div_euclid(STEP).max(0);
                let to = (px + NEAR).div_euclid(STEP);
                for spot in from..=to {
                    if let Some(count) = counts.get_mut(spot as usize) {
                        *count = count.saturating_add(1);
                    }
                }
            }
            for (col, &count) in counts.iter().enumerate() {
                if count > most.0 {
                    let at = [col, row].map(|spot| (spot as i32 * STEP) as u16);
                    most = (count, at);
                }
            }
        }
        let (objects, at) = most;
        (usize::from(objects) > CANDIDATES).then_some((at, objects))
    }
}
