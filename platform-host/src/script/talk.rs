//! A conversation, frame by frame, with the buttons of a pad log.

use overworld_runtime::field::Settings;
use overworld_runtime::field::pad::{Z_MINUS, Z_PLUS};
use overworld_runtime::script::context::flag;
use overworld_runtime::script::dialog::{Buttons, Conversation, Phase};
use overworld_runtime::script::{Fault, SliceEnd, Vm};

use super::report::{Of, Seen, Step, step};
use super::scenario::Begin;
use super::{Absent, BUDGET, Error, MOST, Scenario, bad};

/// Bytes of the texts that are told at most.
const MOST_TOLD: usize = 64 << 20;

/// Play frames in the order of a world's: the conversation, then the context's own slice, walk and stream.
pub(super) fn play<'c>(
    scenario: &Scenario,
    vm: &mut Vm<'c, 1>,
    host: &mut Absent,
    count: u64,
    steps: &mut Vec<Step>,
) -> Result<Vec<Seen>, Error> {
    let mut talk = match scenario.begin {
        Begin::Button => Some(Conversation::begin(vm, 0)),
        Begin::Contact => Some(Conversation::begin_by_contact(vm, 0)),
        Begin::Itself => {
            vm.contexts[0].flags |= flag::RUN;
            None
        }
    };
    let mut seen: Vec<Seen> = Vec::new();
    let (mut last, mut told) = (None, 0);
    let mut pads = scenario.pads.frames();
    let mut before = 0;
    for frame in 0..count as u32 {
        let held = pads.next().unwrap_or(0);
        let buttons = buttons(held, held & !before);
        before = held;
        let of = Of::Frame(frame);
        if let Some(talk) = &mut talk {
            talk.tick_with(vm, host, buttons, BUDGET, |pc, outcome| {
                steps.push(step(pc, outcome, of));
            });
        }
        let mut fault = talk.as_ref().and_then(Conversation::fault);
        // A frame tells how a slice ended, not its steps; those are had from a copy.
        let copy = vm.clone();
        let mut ended = None;
        vm.frame(host, BUDGET, |_, end| match end {
            SliceEnd::Fault(it) if it.in_stream => fault = Some(it),
            end => ended = Some(end),
        });
        if let Some(end) = ended {
            let mut copy = copy;
            copy.slice_with(host, 0, BUDGET, |pc, outcome| {
                steps.push(step(pc, outcome, of));
            });
            match end {
                SliceEnd::Text => talk = Some(Conversation::overhear(vm, host, 0)),
                SliceEnd::Fault(it) => fault = Some(it),
                _ => {}
            }
        }
        if steps.len() as u64 > MOST {
            return bad(format!("\"frames\": they have more than {MOST} steps"));
        }
        let now = Sight::of(talk.as_ref(), fault);
        if last.as_ref() != Some(&now) {
            let written = now.written(frame);
            if seen.last().is_none_or(|last| !last.is_like(&written)) {
                told += written.len();
                seen.push(written);
            }
            last = Some(now);
        }
        if told > MOST_TOLD {
            return bad(format!(
                "\"frames\": what is seen in them has more than {MOST_TOLD} bytes of text"
            ));
        }
        if talk.as_ref().is_some_and(|it| it.phase() == Phase::Over) {
            talk = None;
            if scenario.begin != Begin::Itself {
                break;
            }
        }
    }
    Ok(seen)
}

/// The buttons that a conversation knows, of a pad's.
fn buttons(held: u16, pressed: u16) -> Buttons {
    let confirm = Settings::NEW.interact_button;
    Buttons {
        confirm: pressed & confirm != 0,
        held: held & confirm != 0,
        up: pressed & Z_PLUS != 0,
        down: pressed & Z_MINUS != 0,
    }
}

/// What is seen of a conversation; of none, that the script runs. Texts are those of the record, and told apart by
/// where they stand: a frame in which nothing changes does not read them.
#[derive(Clone, Debug)]
struct Sight<'c> {
    phase: &'static str,
    rows: Vec<&'c [u8]>,
    full: bool,
    picker: Option<(Vec<&'c [u8]>, u8)>,
    fault: Option<Fault>,
}

impl<'c> Sight<'c> {
    fn of(talk: Option<&Conversation<'c>>, fault: Option<Fault>) -> Self {
        let text = talk.and_then(Conversation::text);
        let rows = text.map(|it| it.rows().map(|(row, _)| row).collect());
        let picker = talk.and_then(Conversation::picker);
        Self {
            phase: match talk.map(Conversation::phase) {
                None | Some(Phase::Runs) => "runs",
                Some(Phase::Shows) => "shows",
                Some(Phase::Picks) => "picks",
                Some(Phase::Over) => "over",
            },
            rows: rows.unwrap_or_default(),
            full: text.is_some_and(|it| it.is_full()),
            picker: picker.map(|it| (it.labels().to_vec(), it.cursor)),
            fault,
        }
    }

    fn written(&self, frame: u32) -> Seen {
        let all = |texts: &[&[u8]]| texts.iter().map(|it| written(it)).collect();
        let picker = self.picker.as_ref();
        Seen {
            frame,
            phase: self.phase,
            rows: all(&self.rows),
            full: self.full,
            picker: picker.map(|(labels, cursor)| (all(labels), *cursor)),
            fault: self.fault.map(|it| it.to_string()),
        }
    }
}

impl PartialEq for Sight<'_> {
    fn eq(&self, other: &Self) -> bool {
        let same = |one: &[&[u8]], other: &[&[u8]]| {
            let pairs = one.iter().zip(other);
            one.len() == other.len() && { pairs }.all(|(a, b)| std::ptr::eq(*a, *b))
        };
        let answers = match (&self.picker, &other.picker) {
            (Some((one, cursor)), Some((other, at))) => cursor == at && same(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let rest = (self.phase, self.full, self.fault) == (other.phase, other.full, other.fault);
        rest && answers && same(&self.rows, &other.rows)
    }
}

/// A text as an assembler's source has it between its quotes.
fn written(text: &[u8]) -> String {
    let mut out = String::new();
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\x{byte:02X}")),
        }
    }
    out
}
