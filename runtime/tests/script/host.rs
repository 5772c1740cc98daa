//! A host that answers what a test says and keeps what it hears, in the words of the sheet's vectors.

use overworld_runtime::script::host::*;
use overworld_runtime::script::state::Paint;

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
}

/// `[11, 22]` in hexadecimal.
fn list(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|it| format!("{it:02X}")).collect();
    format!("[{}]", bytes.join(", "))
}

fn words(bytes: &[u8]) -> Vec<i16> {
    bytes
        .chunks(2)
        .map(|it| i16::from_le_bytes([it[0], it[1]]))
        .collect()
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
        self.hear_of(context, format!("acquire?(0x{opcode:X})"));
        self.acquires
    }
    fn camera_moving(&self) -> bool {
        self.camera
    }
    fn dialog_busy(&mut self, argument: u8) -> bool {
        self.hear(if argument == 1 {
            "dialog_wait"
        } else {
            "dialog_poll"
        });
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
        let player = self.player == Some(context);
        let text = match event {
            ActorEvent::ExecMove(id) => format!("exec_move({id})"),
            ActorEvent::MoveTo { x, z } => format!("move_to({x},{z},player={player})"),
            ActorEvent::Seat { x, z, facing, clip } => {
                format!("npc_run({x},{z},b3=0x{facing:X},move={clip},player={player})")
            }
            ActorEvent::Animate { base, keyframes } => {
                format!(
                    "animate(n={},base={base},{})",
                    keyframes.len() / 4,
                    list(keyframes)
                )
            }
            ActorEvent::Tween { to, ticks } => {
                format!("tween({},{},{},t={ticks})", to[0], to[1], to[2])
            }
            ActorEvent::Control { sub: 0x80, .. } => unreachable!(),
            // Effects that the port reports only when its pools say so, or not at all.
            ActorEvent::SetModel(_) | ActorEvent::Effect { .. } | ActorEvent::Hop { .. }
                if !self.all =>
            {
                return;
            }
            ActorEvent::Hop {
                sub,
                operands,
                hold,
            } => {
                assert_eq!(hold.of, context);
                format!("Hop {{ sub: {sub}, operands: {operands:?} }}")
            }
            other => format!("{other:?}"),
        };
        self.hear_of(context, text);
    }
}

impl Camera for Recorder {
    fn camera(&mut self, context: ContextId, event: CameraEvent<'_>) {
        let text = match event {
            CameraEvent::Configure {
                mask,
                values,
                apply,
                curve,
            } => {
                let slots = (0..10).filter(|slot| mask >> (9 - slot) & 1 != 0);
                let pairs = slots.zip(words(values)).collect::<Vec<_>>();
                format!("cam_configure({pairs:?},apply={apply},mode={curve})")
            }
            CameraEvent::Load(_) if !self.all => "cam_load".into(),
            CameraEvent::Save => "cam_save".into(),
            CameraEvent::Apply => "cam_apply".into(),
            CameraEvent::ZoneRamp {
                axis,
                tiles,
                start,
                end,
            } => {
                format!("zone_ramp(sub={axis},{tiles:?},{start},{end})")
            }
            CameraEvent::Shake(it) => format!("shake({it})"),
            other => format!("{other:?}"),
        };
        self.hear_of(context, text);
    }
}

impl Video for Recorder {
    fn video(&mut self, context: ContextId, event: VideoEvent<'_>) {
        let text = match event {
            VideoEvent::Tint {
                second,
                colour: [r, g, b],
                ticks,
            } => {
                let [low, high] = ticks.to_le_bytes();
                format!(
                    "menu1(0x{:02X},{})",
                    0x12 + u8::from(second),
                    list(&[r, g, b, low, high])
                )
            }
            VideoEvent::RenderLong([a, b, c, d]) => format!("render_long({a},{b},{c},{d})"),
            VideoEvent::RenderShort([a, b, c, d]) => {
                format!("render_short(0x{a:X},0x{b:X},0x{c:X},0x{d:X})")
            }
            VideoEvent::CancelFades => "fade_cancel".into(),
            VideoEvent::EffectColor { .. } | VideoEvent::RenderBlock(_) if !self.all => return,
            other => format!("{other:?}"),
        };
        self.hear_of(context, text);
    }
}

impl Audio for Recorder {
    fn audio(&mut self, context: ContextId, event: AudioEvent) {
        let text = match event {
            AudioEvent::Bgm { id, sub } => format!("bgm({id},{sub})"),
            AudioEvent::Sound { selector, argument } => {
                format!("sound_cue(0x{selector:04X},0x{argument:04X})")
            }
            AudioEvent::Anchor { x, z } => format!("pos_bcast({x},{z})"),
            other => format!("{other:?}"),
        };
        self.hear_of(context, text);
    }
}

impl Texts for Recorder {
    fn text(&mut self, context: ContextId, event: TextEvent<'_>) {
        let id = self.id;
        let text = match event {
            TextEvent::MenuOpen { sub, .. } if !self.all => {
                format!("op49_arm(sub={sub},pc=0,f90=0)")
            }
            TextEvent::Balloon(packet) => format!("balloon({},id=0x{id:X})", list(packet)),
            TextEvent::Crawl { count, pages } if !self.all => {
                format!("roller({count} pages, tail {} bytes)", pages.len() + 1)
            }
            other => format!("{other:?}"),
        };
        self.hear_of(context, text);
    }
}

impl Flow for Recorder {
    fn flow(&mut self, context: ContextId, event: FlowEvent<'_>) {
        let text = match event {
            FlowEvent::SpawnRecord(id) => format!("spawn_record(0x{id:X})"),
            FlowEvent::SceneChange {
                name,
                entry: [x, z],
                direction,
                ..
            } if !self.all => {
                format!("scene_change({name},0x{x:X},0x{z:X},{direction})")
            }
            FlowEvent::MinigameWarp(id) => format!("minigame_door_warp({id})"),
            FlowEvent::Interact(a, b) => format!("field_interact(0x{a:X},0x{b:X})"),
            FlowEvent::Fmv(id) => format!("fmv({id})"),
            other => format!("{other:?}"),
        };
        self.hear_of(context, text);
    }
}

impl Items for Recorder {
    fn item(&mut self, context: ContextId, event: ItemEvent) {
        let text = match event {
            ItemEvent::Give(id) => format!("give_item(0x{id:X})"),
            ItemEvent::SetCount { slot, count } => format!("set_item_count(0x{slot:X},{count})"),
            ItemEvent::Money(it) => format!("add_money({it})"),
            ItemEvent::Coins(it) => format!("add_coins({it})"),
            ItemEvent::Healed(slot) => format!("heal({slot})"),
            other => format!("{other:?}"),
        };
        self.hear_of(context, text);
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
