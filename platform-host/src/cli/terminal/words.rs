//! What is said in a picture, as lines of characters.

use overworld_runtime::script::dialog::Conversation;
use overworld_runtime::script::text::{Token, Tokens};

/// The rows of the box, as far as they are shown, then the answers of the picker, of which a hand points at one.
pub fn of(talk: &Conversation<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(text) = talk.text() {
        for (row, shown) in text.rows() {
            lines.extend(words(row, shown.into()));
        }
    }
    if let Some(picker) = talk.picker() {
        for (answer, number) in picker.labels().iter().zip(0_u8..) {
            let hand = if number == picker.cursor { '>' } else { ' ' };
            for line in words(answer, usize::MAX) {
                lines.push(format!("{hand} {line}"));
            }
        }
    }
    lines
}

/// The first tokens of a text, a line of it each. Names are a game's, and what is no letter is a star.
fn words(text: &[u8], tokens: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for token in Tokens::new(text).take(tokens) {
        let letter = match token {
            Token::Glyph(byte @ 0x21..=0x7E) => char::from(byte),
            Token::Glyph(_) | Token::Icon(_) => '*',
            Token::Space => ' ',
            Token::NewLine => {
                lines.push(String::new());
                continue;
            }
            Token::Name(..) | Token::Colour(_) | Token::Pair(..) => continue,
        };
        if let Some(line) = lines.last_mut() {
            line.push(letter);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use overworld_host::script::assembled;
    use overworld_runtime::script::context::Context;
    use overworld_runtime::script::dialog::Buttons;
    use overworld_runtime::script::host::Absent;
    use overworld_runtime::script::{Compat, Vm};

    use super::*;

    #[test]
    fn letters_come_one_by_one_and_a_hand_points() {
        let source =
            ".text \"\\xCF\\x04Oh|no^\\x30!\"\n.pick a, a\n.text \"Yes\"\n.text \"No\"\na: nop.f";
        let (code, _) = assembled(source).unwrap();
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.contexts[0] = Context::new(7, &code, 0);
        let mut talk = Conversation::begin(&mut vm, 0);
        let mut seen = Vec::new();
        for tick in 0..10 {
            let buttons = Buttons {
                confirm: tick == 8,
                down: tick == 9,
                ..Buttons::default()
            };
            talk.tick(&mut vm, &mut Absent, buttons, 64);
            seen.push(of(&talk).join("/"));
        }
        let text = "Oh/no*!";
        let expected = ["/", "O/", "Oh/", "Oh/n", "Oh/no", "Oh/no*", text, text];
        assert_eq!(seen[..8], expected);
        assert_eq!(seen[8], format!("{text}/> Yes/  No"));
        assert_eq!(seen[9], format!("{text}/  Yes/> No"));
    }
}
