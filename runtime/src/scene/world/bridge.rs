//! What the world answers to scripts, and what becomes of what they say (field VM sheet, section 12).
//!
//! Questions about map, pad, camera and chance are the world's; the others, and every event, are the game's as
//! well.

use core::cell::Cell;

use super::super::Name;
use super::game::{Change, Fight, Game, Passage};
use super::stage::{HOP, Soil, Stage, Wish};
use crate::bytes::i16_at;
use crate::field::pad::RING;
use crate::scene::man::Record;
use crate::script::host::*;
use crate::script::state::Paint;

/// Number with which `3E` asks for a fight.
const FIGHT: u8 = 0xFF;

/// The world's half of a script's host, and the game's.
pub(super) struct Bridge<'w, 'm, G> {
    pub stage: &'w mut Stage<'m>,
    pub game: &'w mut G,
    /// A box or a picker is open, or text has been come to that opens one.
    pub reads: &'w Cell<bool>,
}

impl<G: Game> Queries for Bridge<'_, '_, G> {
    fn vsync_delta(&self) -> u8 {
        self.stage.scalar
    }
    fn region_mask(&self) -> u32 {
        self.stage.area.regions.mask
    }
    fn pad(&self) -> u16 {
        self.stage.held
    }
    fn pad_direction(&self, index: u8) -> u16 {
        // The sheet names the table, not its order: that of the camera's ring.
        RING.get(usize::from(index)).copied().unwrap_or(0)
    }
    fn rand(&mut self) -> u32 {
        self.stage.random.draw()
    }
    fn scene_busy(&self) -> bool {
        self.game.scene_busy()
    }
    fn acquire(&mut self, context: ContextId, opcode: u8) -> bool {
        self.game.acquire(context, opcode)
    }
    fn camera_moving(&self) -> bool {
        self.stage.view.is_moving() || self.game.camera_moving()
    }
    fn crawl_running(&self) -> bool {
        self.game.crawl_running()
    }
    fn words_gated(&self) -> bool {
        self.game.words_gated()
    }
    fn dialog_busy(&mut self, argument: u8) -> bool {
        self.reads.get() || self.game.dialog_busy(argument)
    }
    fn bgm_settled(&self) -> bool {
        self.game.bgm_settled()
    }
    fn sound_busy(&self, selector: u16, argument: u16) -> bool {
        self.game.sound_busy(selector, argument)
    }
    fn actor_type_live(&self, kind: u8) -> bool {
        self.game.actor_type_live(kind)
    }
    fn actor_search(&self, character: u8, marker: u8) -> Search {
        self.game.actor_search(character, marker)
    }
    fn record_search(&mut self, what: u8, write: bool) -> bool {
        self.game.record_search(what, write)
    }
    fn in_box(&self, _: ContextId, [x, z]: [i16; 2], [x0, z0, x1, z1]: [i16; 4]) -> bool {
        (x0..=x1).contains(&x) && (z0..=z1).contains(&z)
    }
    fn audio_level(&self) -> u16 {
        self.game.audio_level()
    }
    fn floor_height(&self, x: i16, z: i16) -> Option<i16> {
        Some(self.stage.floor(x, z))
    }
    fn effect_live(&self, context: ContextId) -> bool {
        self.game.effect_live(context)
    }
    fn arrival_heading(&self) -> u16 {
        self.stage.arrival
    }
    fn header_seat(&self, script: u16) -> Option<[i16; 2]> {
        match self.stage.man?.record(script.into()) {
            Ok(Record::Actor(record)) => Some(record.position()),
            _ => None,
        }
    }
}

impl<G: Game> Actors for Bridge<'_, '_, G> {
    fn actor(&mut self, context: ContextId, event: ActorEvent<'_>) {
        match event {
            ActorEvent::Hop { operands, hold, .. } => {
                let mut kept = [0; HOP];
                for (to, from) in kept.iter_mut().zip(operands) {
                    *to = *from;
                }
                self.stage.wish(Wish::Hop(hold, kept));
            }
            ActorEvent::Tween { to, ticks } => self.stage.wish(Wish::Tween(context, to, ticks)),
            ActorEvent::MoveTo { .. } | ActorEvent::Seat { .. } => {
                self.stage.seated.set(context, true);
            }
            _ => {}
        }
        self.game.actor(context, event);
    }
}

impl<G: Game> Camera for Bridge<'_, '_, G> {
    fn camera(&mut self, context: ContextId, event: CameraEvent<'_>) {
        if !self.stage.view.event(event) {
            self.stage.dropped = self.stage.dropped.saturating_add(1);
        }
        self.game.camera(context, event);
    }
}

impl<G: Game> Video for Bridge<'_, '_, G> {
    fn video(&mut self, context: ContextId, event: VideoEvent<'_>) {
        self.game.video(context, event);
    }
}

impl<G: Game> Audio for Bridge<'_, '_, G> {
    fn audio(&mut self, context: ContextId, event: AudioEvent) {
        self.game.audio(context, event);
    }
}

impl<G: Game> Texts for Bridge<'_, '_, G> {
    fn text(&mut self, context: ContextId, event: TextEvent<'_>) {
        self.game.text(context, event);
    }
}

impl<G: Game> Flow for Bridge<'_, '_, G> {
    fn flow(&mut self, context: ContextId, event: FlowEvent<'_>) {
        let stage = &mut *self.stage;
        match event {
            FlowEvent::SpawnRecord(flat) => stage.wish(Wish::Spawn(flat)),
            FlowEvent::Restore(flat) => stage.wish(Wish::Restore(flat)),
            FlowEvent::SceneChange {
                index,
                name,
                entry,
                direction,
            } => stage.leave(Change::Scene(Passage {
                index,
                name: Name::new(name),
                entry,
                direction,
            })),
            FlowEvent::MinigameWarp(which) => stage.leave(Change::Minigame(which)),
            FlowEvent::Interact(FIGHT, formation) => stage.begin_fight(Fight {
                formation: formation.into(),
                scripted: true,
                stage: 0,
            }),
            FlowEvent::Fmv(which) => stage.leave(Change::Movie(which)),
            FlowEvent::GameOver => stage.leave(Change::GameOver),
            FlowEvent::RegionRefresh([x, z]) => stage.refresh_regions(x, z),
            FlowEvent::Control {
                sub: 0x83,
                operands: &[x0, z0, x1, z1, record, ..],
            } => {
                if let Soil::Map(map) = &mut stage.map {
                    map.bind_tiles([x0, z0, x1, z1], record);
                }
            }
            FlowEvent::Control {
                sub: 0x9E,
                operands,
            } => {
                for (tier, height) in stage.heights.iter_mut().enumerate() {
                    *height = i16_at(operands, 2 * tier).map_or(*height, i16::wrapping_neg);
                }
            }
            FlowEvent::Interact(..) | FlowEvent::Control { .. } => {}
        }
        self.game.flow(context, event);
    }
}

impl<G: Game> Items for Bridge<'_, '_, G> {
    fn item(&mut self, context: ContextId, event: ItemEvent) {
        self.game.item(context, event);
    }
}

impl<G: Game> Walls for Bridge<'_, '_, G> {
    fn paint(&mut self, paint: Paint) {
        paint.apply(self.stage.map.grid_mut());
        self.game.paint(paint);
    }
}
