//! The locomotion half of a frame (field sheet, section 7.1).

use super::actor::{Gait, flag};
use super::compat::DiagonalCut;
use super::contact::STATIC;
use super::ground::Ground;
use super::input::{Events, Input, Settings, cue};
use super::pad::{self, ACTION, DIRECTIONS, NO_CLIP};
use super::precise::{self, Remainder};
use super::slide::resolve;
use super::state::Field;
use super::touch::Touching;
use super::units::engine_heading;
use super::walk::{Obstacles, RUN, base_step, budget};
use super::wall::Walls;
use crate::fixed::Angle;

/// The camera mode that the other reading of the diagonal cut asks for.
const CUT_MODE: u8 = 4;

impl Field {
    /// Locomotion (section 7.1).
    pub(super) fn walk(&mut self, ground: &Ground<'_>, input: &Input, events: &mut Events) {
        self.delta = [0; 2];
        self.mask = 0;
        self.pace = Gait::Idle;
        // Where it goes precisely. What was left over is forgotten in a frame without one, locked or not.
        let angle = if self.settings.precise {
            precise::angle(input.azimuth, input.stick, input.held)
        } else {
            None
        };
        if angle.is_none() {
            self.remainder = Remainder::ZERO;
        }
        if self.player.has(flag::LOCKED) {
            return;
        }
        if input.pressed & ACTION != 0 && !self.control.forced_slow {
            self.player.flags |= flag::ACTION;
            events.action = true;
            events.cue = Some(cue::ACTION);
            return;
        }
        if input.pressed & self.settings.menu_button != 0 {
            if !self.control.menu_off {
                events.menu = true;
                events.cue = Some(cue::ACTION);
                return;
            }
            // A refusal is heard, and the frame goes on.
            events.cue = Some(cue::REFUSED);
        }
        if let Some(angle) = angle {
            self.go_precisely(ground, input, events, angle);
        } else if !self.settings.precise {
            self.go_by_the_compass(ground, input, events);
        }
        if self.delta != [0; 2] {
            self.regenerate(input.scalar, events);
        }
        if input.pressed & self.settings.interact_button != 0 && events.bits & STATIC == 0 {
            self.interact(events);
        }
    }

    /// The game's own way: eight directions, resolved against walls.
    fn go_by_the_compass(&mut self, ground: &Ground<'_>, input: &Input, events: &mut Events) {
        let turned = pad::remap(input.held, input.eighths);
        if turned & DIRECTIONS == 0 {
            return;
        }
        self.mask = self.resolved(turned, ground.walls());
        if let Some(heading) = pad::heading(self.mask) {
            self.player.set_heading(heading);
        }
        let diagonal = self.cuts_diagonals() && pad::is_diagonal(self.mask);
        let budget = self.budget(ground, input, diagonal);
        self.go(ground, input, budget, events, None);
    }

    /// Any angle, with what is too short for a step kept for the next frame.
    fn go_precisely(
        &mut self,
        ground: &Ground<'_>,
        input: &Input,
        events: &mut Events,
        angle: Angle,
    ) {
        self.mask = input.held & DIRECTIONS;
        self.player.set_heading(engine_heading(angle));
        let budget = self.budget(ground, input, false);
        self.go(ground, input, budget, events, Some(angle));
    }

    fn cuts_diagonals(&self) -> bool {
        let Settings {
            compat,
            camera_mode,
            ..
        } = self.settings;
        compat.diagonal_cut == DiagonalCut::Always || camera_mode == CUT_MODE
    }

    fn resolved(&self, turned: u16, walls: Walls<'_>) -> u16 {
        let mask = if self.settings.compat.slide {
            resolve(turned, self.player.point(), walls)
        } else {
            turned
        };
        mask & DIRECTIONS
    }

    /// The travel budget of a frame in which a direction is held.
    fn budget(&mut self, ground: &Ground<'_>, input: &Input, diagonal: bool) -> i32 {
        let Settings {
            debug,
            run_button,
            run_option,
            ..
        } = self.settings;
        let button = input.held & run_button != 0;
        let turbo = debug && input.held & pad::TURBO != 0;
        let base = base_step(self.control.forced_slow, button, run_option, turbo);
        self.pace = if base < RUN { Gait::Walk } else { Gait::Run };
        let slow =
            self.control.slow_ground && ground.is_slow(self.player.x.into(), self.player.z.into());
        budget(base, self.player.speed, input.scalar, slow, diagonal)
    }

    /// Walk as far as the budget and the obstacles allow, touching who is in the way: along the mask, or
    /// along an angle.
    fn go(
        &mut self,
        ground: &Ground<'_>,
        input: &Input,
        budget: i32,
        events: &mut Events,
        angle: Option<Angle>,
    ) {
        let from = self.player.point();
        let compat = self.settings.compat;
        let exempt = if compat.solid_actors {
            flag::EXEMPT
        } else {
            flag::EXEMPT | flag::MOVING_BOX
        };
        // An angle goes to two sides, whatever the mask is.
        let sides = if angle.is_some() {
            DIRECTIONS
        } else {
            self.mask
        };
        self.contacts
            .gather_along(sides, from, budget, exempt, &self.actors);
        if !compat.solid_props {
            self.contacts.drop_props();
        }
        let allowed = self.may_touch();
        let obstacles = Obstacles {
            walls: ground.walls(),
            contacts: &self.contacts,
            footprint: compat.footprint,
            no_clip: self.settings.debug && input.held & NO_CLIP != 0,
        };
        let mut touching = Touching {
            player: &mut self.player,
            actors: &mut self.actors,
            mailbox: &mut self.mailbox,
            engaged: &mut self.engaged,
            allowed,
            posted: None,
        };
        let rest = &mut self.remainder;
        let mut touch = |touch| touching.touch(touch);
        let walk = match angle {
            None => obstacles.steps(from, self.mask, budget, &mut touch),
            Some(angle) => obstacles.precise(from, angle, budget, rest, &mut touch),
        };
        events.contact = touching.posted;
        events.bits = walk.bits;
        self.delta = walk.delta;
        self.player.x = walk.at.x;
        self.player.z = walk.at.z;
    }

    fn regenerate(&mut self, scalar: u8, events: &mut Events) {
        self.walked += u16::from(scalar);
        while self.walked > 0x20 {
            self.walked -= 0x20;
            events.regenerated += 1;
        }
    }
}
