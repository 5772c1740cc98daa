//! A host that answers what a row says and keeps what it hears.

use core::fmt;

use heapless::Vec;
use overworld_runtime::bytes::Crc32;
use overworld_runtime::script::host::*;
use overworld_runtime::script::state::Paint;

use super::heard::{self, Told};

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
        heard::acquire(opcode, &mut |words| self.heard.add(words));
        self.acquires
    }
    fn dialog_busy(&mut self, argument: u8) -> bool {
        heard::dialog_busy(argument, &mut |words| self.heard.add(words));
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

impl Recorder<'_> {
    /// What there are no words for is heard as such.
    fn told(&mut self, told: Told) {
        if told == Told::Unknown {
            self.heard.add(STRANGE);
        }
    }
}

impl Actors for Recorder<'_> {
    fn actor(&mut self, context: ContextId, event: ActorEvent<'_>) {
        let player = self.player == Some(context);
        let told = heard::actor(&event, player, &mut |words| self.heard.add(words));
        self.told(told);
    }
}

impl Camera for Recorder<'_> {
    fn camera(&mut self, _: ContextId, event: CameraEvent<'_>) {
        let told = heard::camera(&event, &mut |words| self.heard.add(words));
        self.told(told);
    }
}

impl Video for Recorder<'_> {
    fn video(&mut self, _: ContextId, event: VideoEvent<'_>) {
        let told = heard::video(&event, &mut |words| self.heard.add(words));
        self.told(told);
    }
}

impl Audio for Recorder<'_> {
    fn audio(&mut self, _: ContextId, event: AudioEvent) {
        let told = heard::audio(&event, &mut |words| self.heard.add(words));
        self.told(told);
    }
}

impl Texts for Recorder<'_> {
    fn text(&mut self, _: ContextId, event: TextEvent<'_>) {
        let told = heard::text(&event, 0x2A, &mut |words| self.heard.add(words));
        self.told(told);
    }
}

impl Flow for Recorder<'_> {
    fn flow(&mut self, _: ContextId, event: FlowEvent<'_>) {
        let told = heard::flow(&event, &mut |words| self.heard.add(words));
        self.told(told);
    }
}

impl Items for Recorder<'_> {
    fn item(&mut self, _: ContextId, event: ItemEvent) {
        let told = heard::item(&event, &mut |words| self.heard.add(words));
        self.told(told);
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
