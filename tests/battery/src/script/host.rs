//! A host that answers what a row says and keeps what it hears.

use core::fmt;

use heapless::Vec;
use overworld_runtime::bytes::Crc32;
use overworld_runtime::script::host::*;
use overworld_runtime::script::state::Paint;

/// Texts in any order, as their CRC-32s.
#[derive(Default)]
pub(super) struct Heard {
    sums: Vec<u32, 24>,
    /// More than there is room for: a mistake of the machine, as no row has so many.
    lost: bool,
}

/// The CRC-32 of what is written into it.
struct Sum(Crc32);

impl fmt::Write for Sum {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// The CRC-32 of a text.
fn sum(text: fmt::Arguments<'_>) -> u32 {
    let mut sum = Sum(Crc32::new());
    // Writing into it cannot fail.
    let _ = fmt::Write::write_fmt(&mut sum, text);
    sum.0.finish()
}

impl Heard {
    pub(super) fn add(&mut self, text: fmt::Arguments<'_>) {
        self.lost |= self.sums.push(sum(text)).is_err();
    }

    /// Whether `text` was among them; it is taken out.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let wanted = sum(format_args!("{text}"));
        match self.sums.iter().position(|&it| it == wanted) {
            Some(at) => {
                self.sums.swap_remove(at);
                true
            }
            None => false,
        }
    }

    /// How many were not taken out.
    pub(super) fn left(&self) -> usize {
        self.sums.len() + usize::from(self.lost)
    }
}

/// Answers and what was heard.
pub(super) struct Recorder<'g> {
    pub(super) heard: Heard,
    pub(super) dt: u8,
    pub(super) region: u32,
    pub(super) pad: u16,
    pub(super) rand: u32,
    pub(super) acquires: bool,
    pub(super) busy: bool,
    pub(super) dialog: bool,
    pub(super) type_live: bool,
    pub(super) inside: bool,
    pub(super) player: Option<ContextId>,
    /// Cells that are painted.
    pub(super) grid: Option<&'g mut [u8]>,
    /// What all cells hold before each painting; none: the paintings stay.
    pub(super) fill: Option<u8>,
}

impl<'g> Recorder<'g> {
    pub(super) fn new(grid: Option<&'g mut [u8]>) -> Self {
        Self {
            heard: Heard::default(),
            dt: 1,
            region: 0,
            pad: 0,
            rand: 0,
            acquires: true,
            busy: false,
            dialog: false,
            type_live: false,
            inside: true,
            player: None,
            grid,
            fill: Some(0x5A),
        }
    }
}

/// `[11, 22]` in hexadecimal.
struct Bytes<'a>(&'a [u8]);

impl fmt::Display for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (n, byte) in self.0.iter().enumerate() {
            write!(f, "{}{byte:02X}", if n == 0 { "" } else { ", " })?;
        }
        f.write_str("]")
    }
}

/// Pairs of the slots that a mask gives and their words.
struct Slots<'a>(u16, &'a [u8]);

impl fmt::Display for Slots<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = (0..10).filter(|slot| self.0 >> (9 - slot) & 1 != 0);
        f.write_str("[")?;
        for (n, (slot, word)) in slots.zip(self.1.as_chunks().0).enumerate() {
            let comma = if n == 0 { "" } else { ", " };
            write!(f, "{comma}({slot}, {})", i16::from_le_bytes(*word))?;
        }
        f.write_str("]")
    }
}

impl Queries for Recorder<'_> {
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
    fn acquire(&mut self, _: ContextId, opcode: u8) -> bool {
        self.heard.add(format_args!("acquire?(0x{opcode:X})"));
        self.acquires
    }
    fn dialog_busy(&mut self, argument: u8) -> bool {
        let kind = if argument == 1 { "wait" } else { "poll" };
        self.heard.add(format_args!("dialog_{kind}"));
        self.dialog
    }
    fn sound_busy(&self, _: u16, _: u16) -> bool {
        self.busy
    }
    fn actor_type_live(&self, _: u8) -> bool {
        self.type_live
    }
    fn in_box(&self, _: ContextId, _: [i16; 2], corners: [i16; 4]) -> bool {
        self.inside && corners == [2112, 2112, 4160, 4160]
    }
}

/// A message that no row tells of.
const STRANGE: fmt::Arguments<'static> = format_args!("something else");

impl Actors for Recorder<'_> {
    fn actor(&mut self, context: ContextId, event: ActorEvent<'_>) {
        let player = self.player == Some(context);
        match event {
            ActorEvent::ExecMove(id) => self.heard.add(format_args!("exec_move({id})")),
            ActorEvent::MoveTo { x, z } => {
                self.heard
                    .add(format_args!("move_to({x},{z},player={player})"));
            }
            ActorEvent::Seat { x, z, facing, clip } => self.heard.add(format_args!(
                "npc_run({x},{z},b3=0x{facing:X},move={clip},player={player})"
            )),
            ActorEvent::Animate { base, keyframes } => {
                let (n, list) = (keyframes.len() / 4, Bytes(keyframes));
                self.heard
                    .add(format_args!("animate(n={n},base={base},{list})"));
            }
            ActorEvent::Tween {
                to: [x, y, z],
                ticks,
            } => self.heard.add(format_args!("tween({x},{y},{z},t={ticks})")),
            // The rows tell nothing of these: the port reports them only when its pools say so, or not at all.
            ActorEvent::SetModel(_) | ActorEvent::Effect { .. } | ActorEvent::Hop { .. } => {}
            _ => self.heard.add(STRANGE),
        }
    }
}

impl Camera for Recorder<'_> {
    fn camera(&mut self, _: ContextId, event: CameraEvent<'_>) {
        match event {
            CameraEvent::Configure {
                mask,
                values,
                apply,
                curve,
            } => self.heard.add(format_args!(
                "cam_configure({},apply={apply},mode={curve})",
                Slots(mask, values)
            )),
            CameraEvent::Save => self.heard.add(format_args!("cam_save")),
            CameraEvent::Apply => self.heard.add(format_args!("cam_apply")),
            CameraEvent::ZoneRamp {
                axis,
                tiles: [a, b, c, d],
                start,
                end,
            } => self.heard.add(format_args!(
                "zone_ramp(sub={axis},[{a}, {b}, {c}, {d}],{start},{end})"
            )),
            CameraEvent::Shake(it) => self.heard.add(format_args!("shake({it})")),
            _ => self.heard.add(STRANGE),
        }
    }
}

impl Video for Recorder<'_> {
    fn video(&mut self, _: ContextId, event: VideoEvent<'_>) {
        match event {
            VideoEvent::Tint {
                second,
                colour: [r, g, b],
                ticks,
            } => {
                let [low, high] = ticks.to_le_bytes();
                self.heard.add(format_args!(
                    "menu1(0x{:02X},{})",
                    0x12 + u8::from(second),
                    Bytes(&[r, g, b, low, high])
                ));
            }
            VideoEvent::RenderLong([a, b, c, d]) => {
                self.heard.add(format_args!("render_long({a},{b},{c},{d})"));
            }
            VideoEvent::RenderShort([a, b, c, d]) => self.heard.add(format_args!(
                "render_short(0x{a:X},0x{b:X},0x{c:X},0x{d:X})"
            )),
            VideoEvent::CancelFades => self.heard.add(format_args!("fade_cancel")),
            VideoEvent::EffectColor { .. } | VideoEvent::RenderBlock(_) => {}
            _ => self.heard.add(STRANGE),
        }
    }
}

impl Audio for Recorder<'_> {
    fn audio(&mut self, _: ContextId, event: AudioEvent) {
        match event {
            AudioEvent::Bgm { id, sub } => self.heard.add(format_args!("bgm({id},{sub})")),
            AudioEvent::Sound { selector, argument } => self
                .heard
                .add(format_args!("sound_cue(0x{selector:04X},0x{argument:04X})")),
            AudioEvent::Anchor { x, z } => self.heard.add(format_args!("pos_bcast({x},{z})")),
            AudioEvent::Sfx { .. } => self.heard.add(STRANGE),
        }
    }
}

impl Texts for Recorder<'_> {
    fn text(&mut self, _: ContextId, event: TextEvent<'_>) {
        match event {
            TextEvent::MenuOpen { sub, .. } => self
                .heard
                .add(format_args!("op49_arm(sub={sub},pc=0,f90=0)")),
            TextEvent::Balloon(packet) => self
                .heard
                .add(format_args!("balloon({},id=0x2A)", Bytes(packet))),
            TextEvent::Crawl { count, pages } => self.heard.add(format_args!(
                "roller({count} pages, tail {} bytes)",
                pages.len() + 1
            )),
            TextEvent::Control { .. } => self.heard.add(STRANGE),
        }
    }
}

impl Flow for Recorder<'_> {
    fn flow(&mut self, _: ContextId, event: FlowEvent<'_>) {
        match event {
            FlowEvent::SpawnRecord(id) => self.heard.add(format_args!("spawn_record(0x{id:X})")),
            FlowEvent::SceneChange {
                name,
                entry: [x, z],
                direction,
                ..
            } => self.heard.add(format_args!(
                "scene_change({name},0x{x:X},0x{z:X},{direction})"
            )),
            FlowEvent::MinigameWarp(id) => {
                self.heard.add(format_args!("minigame_door_warp({id})"));
            }
            FlowEvent::Interact(a, b) => self
                .heard
                .add(format_args!("field_interact(0x{a:X},0x{b:X})")),
            FlowEvent::Fmv(id) => self.heard.add(format_args!("fmv({id})")),
            _ => self.heard.add(STRANGE),
        }
    }
}

impl Items for Recorder<'_> {
    fn item(&mut self, _: ContextId, event: ItemEvent) {
        match event {
            ItemEvent::Give(id) => self.heard.add(format_args!("give_item(0x{id:X})")),
            ItemEvent::SetCount { slot, count } => self
                .heard
                .add(format_args!("set_item_count(0x{slot:X},{count})")),
            ItemEvent::Money(it) => self.heard.add(format_args!("add_money({it})")),
            ItemEvent::Coins(it) => self.heard.add(format_args!("add_coins({it})")),
            ItemEvent::Healed(slot) => self.heard.add(format_args!("heal({slot})")),
            _ => self.heard.add(STRANGE),
        }
    }
}

impl Walls for Recorder<'_> {
    fn paint(&mut self, paint: Paint) {
        let Some(grid) = self.grid.as_deref_mut() else {
            return self.heard.add(STRANGE);
        };
        let Some(fill) = self.fill else {
            return paint.apply(grid);
        };
        grid.fill(fill);
        paint.apply(grid);
        // What was painted, told from the cells.
        let (mut count, mut columns, mut rows) = (0, (128, 0), (128, 0));
        for (at, _) in grid.iter().enumerate().filter(|(_, cell)| **cell != fill) {
            let (column, row) = (at % 128, at / 128);
            columns = (columns.0.min(column), columns.1.max(column + 1));
            rows = (rows.0.min(row), rows.1.max(row + 1));
            count += 1;
        }
        let whole = columns.1.saturating_sub(columns.0) * rows.1.saturating_sub(rows.0);
        let Paint { kind, mask, .. } = paint;
        if count != whole {
            self.heard.add(STRANGE);
        }
        self.heard.add(format_args!(
            "paint(sub={kind},col={columns:?},row={rows:?},mask=0x{mask:X})"
        ));
    }
}
