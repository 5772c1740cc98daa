//! Texts that are longer than their boxes are wide.

use overworld_runtime::scene::man::{Man, Record};
use overworld_runtime::script::dis::{Item, lines};
use overworld_runtime::script::font::Font;
use overworld_runtime::script::show::{LABEL_X, TEXT_AT};
use overworld_runtime::script::text::{BOX_WIDTH, Picker};

/// Characters of a text that a note repeats.
const REPEATED: usize = 40;

/// What runs out of its box in the scripts of a MAN, in our own font: a sentence each, with record and place. Names
/// of people and things count nothing, as they are a game's.
#[must_use]
pub fn wide_texts(man: &[u8]) -> Vec<String> {
    let Ok(man) = Man::parse(man) else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    for record in man.records().flatten() {
        let (part, index) = match record {
            Record::Object(it) => ("objects", it.index),
            Record::Actor(it) => ("actors", it.index),
            Record::Beat(it) => ("beats", it.index),
        };
        let script = record.script();
        let pc0 = usize::from(script.pc0);
        // Behind a picker stand its answers.
        let mut answers = 0;
        for line in lines(script.base, pc0) {
            let text = match line.item {
                Item::Text(text, _) => text,
                Item::Picker(open, _) => {
                    answers = Picker::options(open).unwrap_or(0);
                    continue;
                }
                _ => continue,
            };
            let layout = Font::OWN.lay_out(text, u16::MAX, 0, |_, _| &[]);
            let (what, margin, width) = match answers {
                0 => ("text", TEXT_AT.0, layout.width()),
                _ => ("answer", LABEL_X, layout.on_one_line().width()),
            };
            answers = answers.saturating_sub(1);
            let room = BOX_WIDTH - margin;
            if width > room {
                notes.push(format!(
                    "{part}[{index}], {:#06x} bytes behind its first opcode: the {what} {:?} is {width} pixels wide, and \
                     its box has room for {room}",
                    line.at - pc0.min(line.at),
                    beginning(text),
                ));
            }
        }
    }
    notes
}

/// The beginning of a text, for people.
fn beginning(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut short: String = text.chars().take(REPEATED).collect();
    if text.chars().count() > REPEATED {
        short.push_str("...");
    }
    short
}
