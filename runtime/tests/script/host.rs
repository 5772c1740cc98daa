//! A host that answers what a test says and keeps what it hears, in the words of the sheet's vectors.

use std::fmt::{Arguments, Debug};

use overworld_runtime::script::host::*;
use overworld_runtime::script::state::Paint;

#[path = "../../../tests/battery/src/script/heard.rs"]
mod heard;

use heard::Told;

/// Answers and what was heard.
pub struct Recorder {
    pub heard: Vec<String>,
    /// Everything is heard, with all that it tells: also what the sheet's vectors leave out.
    pub all: bool,
    pub dt: u8,
    pub region: u32,
    pub pad: u16,
    pub rand: u32,
    pub acquires: bool,
    pub busy: bool,
    pub scene_busy: bool,
    pub dialog: bool,
    pub camera: bool,
    pub type_live: bool,
    pub inside: bool,
    pub floor: Option<i16>,
    /// Where the context has to stand that `in_box` is asked about.
    pub place: [i16; 2],
    /// And the box.
    pub corners: [i16; 4],
    pub level: u16,
    pub settled: bool,
    pub search: Search,
    pub found: bool,
    pub player: Option<ContextId>,
    /// The only context that anything is to be about.
    pub on: Option<ContextId>,
    /// Id shown with balloons.
    pub id: u16,
    pub grid: Vec<u8>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self {
            heard: Vec::new(),
            all: false,
            dt: 1,
            region: 0,
            pad: 0,
            rand: 0,
            acquires: true,
            busy: false,
            scene_busy: false,
            dialog: false,
            camera: false,
            type_live: false,
            inside: true,
            floor: None,
            place: [0, 0],
            corners: [2112, 2112, 4160, 4160],
            level: 4096,
            settled: true,
            search: Search::Empty,
            found: false,
            player: None,
            on: None,
            id: 0,
            grid: vec![0x5A; 0x4000],
        }
    }
}

impl Recorder {
    fn hear(&mut self, text: impl Into<String>) {
        self.heard.push(text.into());
    }

    fn hear_of(&mut self, context: ContextId, text: String) {
        assert_eq!(context, self.on.unwrap_or(context), "{text}");
        self.hear(text);
    }

    /// Hear of an event, by the sheet's words; by its own, where there are none, or all of it is to be heard.
    fn hear_event<E: Debug>(
        &mut self,
        context: ContextId,
        event: &E,
        words: impl FnOnce(&E, heard::Say<'_>) -> Told,
    ) {
        let mut text = String::new();
        let told = words(event, &mut |words: Arguments<'_>| text = words.to_string());
        match told {
            Told::Nothing if !self.all => return,
            Told::Part if !self.all => {}
            Told::All => {}
            Told::Nothing | Told::Part | Told::Unknown => text = format!("{event:?}"),
        }
        self.hear_of(context, text);
    }
}

impl Queries for Recorder {
    fn vsync_delta(&self) -> u8 {
        self.dt
    }
    fn region_mask(&self) -> u32 {
        self.region
    }
    fn pad(&self) -> u16 {
        self.pad
    }
    fn pad_direction(&self, index: u8) -> u16 {
        0x1000 << (index & 3)
    }
    fn rand(&mut self) -> u32 {
        self.rand
    }
    fn scene_busy(&self) -> bool {
        self.scene_busy
    }
    fn acquire(&mut self, context: ContextId, opcode: u8) -> bool {
        let mut text = String::new();
        heard::acquire(opcode, &mut |words| text = words.to_string());
        self.hear_of(context, text);
        self.acquires
    }
    fn camera_moving(&self) -> bool {
        self.camera
    }
    fn dialog_busy(&mut self, argument: u8) -> bool {
        heard::dialog_busy(argument, &mut |words| self.heard.push(words.to_string()));
        self.dialog
    }
    fn bgm_settled(&self) -> bool {
        self.settled
    }
    fn sound_busy(&self, _: u16, _: u16) -> bool {
        self.busy
    }
    fn actor_type_live(&self, _: u8) -> bool {
        self.type_live
    }
    fn actor_search(&self, _: u8, _: u8) -> Search {
        self.search
    }
    fn record_search(&mut self, _: u8, _: bool) -> bool {
        self.found
    }
    fn in_box(&self, context: ContextId, place: [i16; 2], corners: [i16; 4]) -> bool {
        assert_eq!(context, self.on.unwrap_or(context));
        assert_eq!(corners, self.corners);
        assert_eq!(place, self.place);
        self.inside
    }
    fn floor_height(&self, _: i16, _: i16) -> Option<i16> {
        self.floor
    }
    fn arrival_heading(&self) -> u16 {
        0x300
    }
    fn audio_level(&self) -> u16 {
        self.level
    }
}

impl Actors for Recorder {
    fn actor(&mut self, context: ContextId, event: ActorEvent<'_>) {
        assert!(!matches!(event, ActorEvent::Control { sub: 0x80, .. }));
        let player = self.player == Some(context);
        match event {
            // The hold is the context's; the rest is heard.
            ActorEvent::Hop {
                sub,
                operands,
                hold,
            } if self.all => {
                assert_eq!(hold.of, context);
                self.hear_of(
                    context,
                    format!("Hop {{ sub: {sub}, operands: {operands:?} }}"),
                );
            }
            event => self.hear_event(context, &event, |event, say| {
                heard::actor(event, player, say)
            }),
        }
    }
}

impl Camera for Recorder {
    fn camera(&mut self, context: ContextId, event: CameraEvent<'_>) {
        self.hear_event(context, &event, heard::camera);
    }
}

impl Video for Recorder {
    fn video(&mut self, context: ContextId, event: VideoEvent<'_>) {
        self.hear_event(context, &event, heard::video);
    }
}

impl Audio for Recorder {
    fn audio(&mut self, context: ContextId, event: AudioEvent) {
        self.hear_event(context, &event, heard::audio);
    }
}

impl Texts for Recorder {
    fn text(&mut self, context: ContextId, event: TextEvent<'_>) {
        let id = self.id;
        self.hear_event(context, &event, |event, say| heard::text(event, id, say));
    }
}

impl Flow for Recorder {
    fn flow(&mut self, context: ContextId, event: FlowEvent<'_>) {
        self.hear_event(context, &event, heard::flow);
    }
}

impl Items for Recorder {
    fn item(&mut self, context: ContextId, event: ItemEvent) {
        self.hear_event(context, &event, heard::item);
    }
}

impl Walls for Recorder {
    fn paint(&mut self, paint: Paint) {
        let before = self.grid.clone();
        paint.apply(&mut self.grid);
        // What was painted, told from the cells.
        let changed: Vec<usize> = (0..before.len())
            .filter(|&at| before[at] != self.grid[at])
            .collect();
        let (columns, rows): (Vec<_>, Vec<_>) =
            changed.iter().map(|it| (it % 128, it / 128)).unzip();
        let ends = |it: &[usize]| {
            let low = it.iter().min().expect("something was painted");
            (*low, it.iter().max().expect("as before") + 1)
        };
        let (col, row) = (ends(&columns), ends(&rows));
        assert_eq!(changed.len(), (col.1 - col.0) * (row.1 - row.0));
        let Paint { kind, mask, .. } = paint;
        self.hear(format!(
            "paint(sub={kind},col={col:?},row={row:?},mask=0x{mask:X})"
        ));
    }
}
