//! What moves an actor beside its walks: arcs (`43 00`, `01`, `0A`, `0B`) and tweens (`43 09`).

use crate::bytes::Crc32;
use crate::script::arc::Arc;
use crate::script::context::Hold;
use crate::script::host::ContextId;

/// Movements at the same time.
pub(super) const FLIGHTS: usize = 16;
/// Display frames of a scripted hop: those of a ledge hop, since the sheet gives the operand no meaning in
/// time.
pub(super) const HOP_FRAMES: u16 = 16;

/// X, Y, Z; a coordinate that is not there stays what it is.
pub(super) type Spot = [Option<i16>; 3];

/// How it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    Arc(Arc),
    Line {
        from: [i16; 3],
        to: Spot,
        passed: u16,
        total: u16,
    },
}

/// A movement under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flight {
    pub context: ContextId,
    /// What ends with it; nothing does with a tween.
    pub hold: Option<Hold>,
    path: Path,
}

impl Flight {
    pub fn hop(hold: Hold, from: [i16; 3], to: [i16; 3], apex: u8) -> Self {
        Self {
            context: hold.of,
            hold: Some(hold),
            path: Path::Arc(Arc::new(from, to, apex.into(), HOP_FRAMES)),
        }
    }

    pub const fn tween(context: ContextId, from: [i16; 3], to: Spot, total: u16) -> Self {
        let path = Path::Line {
            from,
            to,
            passed: 0,
            total,
        };
        Self {
            context,
            hold: None,
            path,
        }
    }

    /// Some display frames: the place, and whether it is the last.
    pub fn tick(&mut self, frames: u8) -> (Spot, bool) {
        match &mut self.path {
            Path::Arc(arc) => {
                let (at, over) = arc.tick(frames);
                (at.map(Some), over)
            }
            Path::Line {
                from,
                to,
                passed,
                total,
            } => {
                *passed = passed.saturating_add(frames.into()).min(*total);
                let over = passed == total;
                let along = |a: i16, b: i16| {
                    let way = (i64::from(b) - i64::from(a)) * i64::from(*passed);
                    let way = way.checked_div(i64::from(*total)).unwrap_or(0);
                    (i64::from(a) + way) as i16
                };
                let mut at = *to;
                for (at, &from) in at.iter_mut().zip(&*from).filter(|_| !over) {
                    *at = at.map(|to| along(from, to));
                }
                (at, over)
            }
        }
    }

    /// Feed all of it; `parking` is the last one of its context.
    pub fn feed(&self, crc: &mut Crc32, parking: u16) {
        let Self {
            context,
            hold,
            path,
        } = self;
        crc.words([*context]);
        if hold.is_some_and(|it| it.number != parking) {
            // The context is parked for something else by now.
            crc.words([1]);
        }
        match *path {
            Path::Arc(arc) => {
                crc.words([0]);
                arc.feed(crc);
            }
            Path::Line {
                from,
                to,
                passed,
                total,
            } => {
                crc.words([1]);
                crc.words(from);
                // No coordinate is -32769.
                crc.words(to.map(|it| it.map_or(-0x8001, i32::from)));
                crc.words([passed, total]);
            }
        }
    }
}
