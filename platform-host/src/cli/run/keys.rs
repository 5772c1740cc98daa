//! A keyboard for a pad. A terminal tells of keys that go down, not of keys that come up: each counts as held
//! for a while, and key repeat keeps it so.

use std::io::{self, Read as _};
use std::sync::mpsc::{Receiver, channel};

use overworld_runtime::field::Settings;
use overworld_runtime::field::pad::{X_MINUS, X_PLUS, Z_MINUS, Z_PLUS};
use overworld_runtime::scene::walk::tour;

/// What ends the show, which is to be read in the narrowest terminal, and what else the keys do in a scene that they
/// walk about in.
pub const fn help(walks: bool, keys: bool) -> [&'static str; 2] {
    match (keys, walks) {
        (true, true) => ["q ends", ", arrows or WASD walk, Shift runs, Enter talks"],
        (true, false) => ["q ends", ""],
        (false, _) => ["Ctrl-C ends", ""],
    }
}

/// The arrow keys in the order of their letters: up, down, right, left.
const DIRECTIONS: [u16; 4] = [Z_PLUS, Z_MINUS, X_PLUS, X_MINUS];

/// Frames for which a direction counts as held: more than key repeat takes to come again.
const WALK: u8 = 8;
/// The same before key repeat begins.
const FIRST: u8 = 24;
/// Frames of a button.
const BUTTON: u8 = 2;
/// Frames in which the rest of an escape sequence comes, if there is one: a tenth of a second. An escape behind
/// which nothing comes is the key of that name.
const REST: u8 = 6;
/// The same of a paste or of a terminal's answer, which may be long: a second.
const LONG: u8 = 60;

/// What ends a paste.
const PASTED: &[u8] = b"\x1b[201~";
/// The number of the key that begins one.
const PASTE: u8 = 200;

/// How far an escape sequence has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    /// There is none.
    None,
    /// `ESC`.
    Began,
    /// `ESC [` or `ESC O`, and the last of its numbers so far.
    Numbers(u8),
    /// `ESC [ [`: a function key of the console, one more byte.
    Function,
    /// `ESC ]`, `ESC P`, `ESC X`, `ESC ^` or `ESC _`: what a terminal answers, up to a bell or `ESC \`.
    Answer,
    /// `ESC` in an answer.
    Ending,
    /// What somebody pastes, between brackets of the terminal's, and so many bytes of the one that ends it.
    Paste(u8),
}

impl Escape {
    /// Frames in which more of it must come.
    const fn patience(self) -> u8 {
        match self {
            Self::Answer | Self::Ending | Self::Paste(_) => LONG,
            _ => REST,
        }
    }
}

/// The keys that are down.
pub struct Keys {
    typed: Option<Receiver<u8>>,
    /// Whether a key has ever come: until then the tour is played.
    taken: bool,
    /// Whether the one that ends the show has.
    ended: bool,
    escape: Escape,
    /// Frames since its last byte.
    waited: u8,
    held: u16,
    left: u8,
}

impl Keys {
    /// No keyboard: the tour.
    pub fn none() -> Self {
        Self {
            typed: None,
            taken: false,
            ended: false,
            escape: Escape::None,
            waited: 0,
            held: 0,
            left: 0,
        }
    }

    /// The keyboard of the terminal that is standard input.
    pub fn watch() -> Self {
        let (send, typed) = channel();
        // Waits for a key as long as the program lives; there is nothing to be cleaned up behind it.
        std::thread::spawn(move || {
            for byte in io::stdin().lock().bytes() {
                if !byte.is_ok_and(|byte| send.send(byte).is_ok()) {
                    break;
                }
            }
        });
        Self {
            typed: Some(typed),
            ..Self::none()
        }
    }

    /// Whether the show is to end.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// What is held in this frame.
    pub fn held(&mut self, frame: u32) -> u16 {
        self.waited = self.waited.saturating_add(1);
        while let Some(byte) = self.typed.as_ref().and_then(|it| it.try_recv().ok()) {
            self.take(byte);
        }
        if self.waited > self.escape.patience() {
            self.escape = Escape::None;
        }
        if !self.taken {
            return tour(frame);
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.held = 0;
        }
        self.held
    }

    /// One byte of what a terminal sends.
    fn take(&mut self, byte: u8) {
        self.taken = true;
        self.waited = 0;
        let escape = core::mem::replace(&mut self.escape, Escape::None);
        match (escape, byte) {
            (Escape::Paste(known), _) => self.escape = pasted(known, byte),
            (Escape::Answer, 0x1B) => self.escape = Escape::Ending,
            (Escape::Answer, 0x07) | (Escape::Ending, b'\\') => {}
            (Escape::Answer, _) => self.escape = Escape::Answer,
            (_, 0x1B) => self.escape = Escape::Began,
            (Escape::Began | Escape::Ending, b'[' | b'O') => self.escape = Escape::Numbers(0),
            (Escape::Began | Escape::Ending, b']' | b'P' | b'X' | b'^' | b'_') => {
                self.escape = Escape::Answer;
            }
            (Escape::Numbers(PASTE), b'~') => self.escape = Escape::Paste(0),
            (Escape::Numbers(0), b'[') => self.escape = Escape::Function,
            (Escape::Numbers(number), b'0'..=b'9') => {
                let number = number.saturating_mul(10).saturating_add(byte - b'0');
                self.escape = Escape::Numbers(number);
            }
            // The next number, and what stands between.
            (Escape::Numbers(_), b' '..=b'?') => self.escape = Escape::Numbers(0),
            (Escape::Numbers(number), b'A'..=b'D' | b'a'..=b'd') => {
                // Modifiers count from 1, and Shift is the first; some terminals have small letters for it.
                let runs = byte.is_ascii_lowercase() || number.saturating_sub(1) & 1 != 0;
                self.walk(DIRECTIONS[usize::from(byte & 7) - 1], runs);
            }
            // Another key.
            (Escape::Function, _) | (Escape::Numbers(_), b'@'..=b'~') => {}
            // No sequence, or one that has broken off.
            _ => self.key(byte),
        }
    }

    /// A key that is one byte.
    fn key(&mut self, byte: u8) {
        match byte {
            b'w' | b'W' => self.walk(Z_PLUS, byte == b'W'),
            b's' | b'S' => self.walk(Z_MINUS, byte == b'S'),
            b'd' | b'D' => self.walk(X_PLUS, byte == b'D'),
            b'a' | b'A' => self.walk(X_MINUS, byte == b'A'),
            b'\r' | b'\n' | b' ' => {
                (self.held, self.left) = (Settings::NEW.interact_button, BUTTON);
            }
            b'q' | b'Q' => self.ended = true,
            _ => {}
        }
    }

    fn walk(&mut self, direction: u16, runs: bool) {
        let held = direction | if runs { Settings::NEW.run_button } else { 0 };
        // The first of a row has to last until the terminal repeats it.
        self.left = if self.held == held { WALK } else { FIRST };
        self.held = held;
    }
}

/// Behind one byte more of a paste, of whose end so many have come.
fn pasted(known: u8, byte: u8) -> Escape {
    let known = usize::from(known);
    let known = match PASTED.get(known) {
        Some(&next) if next == byte => known + 1,
        // The end begins with the only escape in it.
        _ => usize::from(PASTED.first() == Some(&byte)),
    };
    match known < PASTED.len() {
        true => Escape::Paste(known as u8),
        false => Escape::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_held_for_a_while() {
        let mut keys = Keys::none();
        assert_eq!(keys.held(20), tour(20));
        for byte in *b"\x1b[C" {
            keys.take(byte);
        }
        let held: Vec<u16> = (0..FIRST + 2).map(|_| keys.held(20)).collect();
        let walked = held.iter().filter(|&&it| it == X_PLUS).count();
        assert_eq!((walked, held.last()), (usize::from(FIRST) - 1, Some(&0)));
        for byte in *b"\x1b[1;2A" {
            keys.take(byte);
        }
        assert_eq!(keys.held(0), Z_PLUS | Settings::NEW.run_button);
        keys.take(b'\r');
        assert_eq!(keys.held(0), Settings::NEW.interact_button);
        keys.take(b'a');
        assert_eq!(keys.held(0), X_MINUS);
        // What is no key of ours changes nothing.
        keys.take(b'x');
        assert_eq!((keys.held(0), keys.ended()), (X_MINUS, false));
        keys.take(b'q');
        assert!(keys.ended());
    }

    /// What is held in the frame after some bytes.
    fn typed(bytes: &[u8]) -> u16 {
        let mut keys = Keys::none();
        for &byte in bytes {
            keys.take(byte);
        }
        keys.held(0)
    }

    #[test]
    fn arrows_of_many_terminals() {
        let run = Settings::NEW.run_button;
        for (bytes, held) in [
            (&b"\x1b[A"[..], Z_PLUS),
            (b"\x1bOB", Z_MINUS),
            (b"\x1b[1;1C", X_PLUS),
            (b"\x1b[1;2D", X_MINUS | run),
            // Alt, Ctrl, Ctrl and Shift.
            (b"\x1b[1;3D", X_MINUS),
            (b"\x1b[1;5D", X_MINUS),
            (b"\x1b[1;6D", X_MINUS | run),
            (b"\x1bO2C", X_PLUS | run),
            (b"\x1b[a", Z_PLUS | run),
            // Twice the escape; a sequence that breaks off.
            (b"\x1b\x1b[C", X_PLUS),
            (b"\x1b[1;\x1b[C", X_PLUS),
        ] {
            assert_eq!(typed(bytes), held, "{bytes:X?}");
        }
    }

    #[test]
    fn other_sequences_are_no_keys() {
        for bytes in [
            // Insert, delete, home, F5, F1 of the console, a paste's brackets, a place of the mouse.
            &b"\x1b[2~"[..],
            b"\x1b[3~",
            b"\x1b[H",
            b"\x1b[15~",
            b"\x1b[[A",
            b"\x1b[200~\x1b[201~",
            b"\x1b[<0;2;2M",
            b"\x1b",
            b"\xC3\xA4\xFF\x00\x04\x1A",
        ] {
            assert_eq!(typed(bytes), 0, "{bytes:X?}");
        }
    }

    /// The escape key alone does not swallow the key that is pressed after it, whatever that is.
    #[test]
    fn an_escape_alone_ends() {
        // At once: as Alt with a key comes.
        assert_eq!(typed(b"\x1bd"), X_PLUS);
        assert_eq!(typed(b"\x1b\r"), Settings::NEW.interact_button);
        let mut keys = Keys::none();
        keys.take(0x1B);
        for _ in 0..=REST {
            assert_eq!(keys.held(0), 0);
        }
        for byte in *b"[A" {
            keys.take(byte);
        }
        // Two keys: the second one runs to the left.
        assert_eq!(keys.held(0), X_MINUS | Settings::NEW.run_button);
        // What a frame or two part is one key all the same.
        let mut keys = Keys::none();
        for byte in *b"\x1b[1;2B" {
            keys.take(byte);
            assert_eq!(keys.held(0) & Z_PLUS, 0);
            keys.held(0);
        }
        assert_eq!(keys.held(0), Z_MINUS | Settings::NEW.run_button);
    }

    /// Whether keys end the show.
    fn ends(bytes: &[u8]) -> bool {
        let mut keys = Keys::none();
        for &byte in bytes {
            keys.take(byte);
        }
        keys.ended()
    }

    /// Neither what is pasted nor what a terminal says of itself is typed.
    #[test]
    fn a_letter_within_something_else_is_no_key() {
        for bytes in [
            &b"\x1b[200~quick q\r\nd\x1b[201~"[..],
            b"\x1b[200~\x1b[q\x1b\x1b[20q\x1b[201~",
            // Colours, by both ends of an answer; a name and a version; a cursor's form.
            b"\x1b]11;rgb:qqqq/0000/dddd\x07",
            b"\x1b]52;c;qqddww==\x1b\\",
            b"\x1bP1$r2 q\x1b\\",
            b"\x1bP>|term(q)\x1b\\",
            b"\x1b_Gi=31;OKq\x1b\\",
            b"\x1b[2 q",
            b"\x1b[?1;2q",
            // The keypad's 1.
            b"\x1bOq",
        ] {
            assert!(!ends(bytes), "{bytes:X?}");
            assert_eq!(typed(bytes), 0, "{bytes:X?}");
            // What comes behind it is.
            assert!(ends(&[bytes, b"q"].concat()), "{bytes:X?}");
            assert_eq!(typed(&[bytes, b"\x1b[C"].concat()), X_PLUS, "{bytes:X?}");
        }
        // A key that breaks off an answer.
        assert_eq!(typed(b"\x1b]11;\x1b[C"), X_PLUS);
        // An end that never comes is not waited for.
        for begun in [&b"\x1b[200~x"[..], b"\x1b]11;"] {
            let mut keys = Keys::none();
            begun.iter().for_each(|&it| keys.take(it));
            for _ in 0..=LONG {
                keys.held(0);
            }
            keys.take(b'q');
            assert!(keys.ended(), "{begun:X?}");
        }
    }

    /// A paste of any length leaves nothing behind but its last key, where a terminal does not say that it is one.
    #[test]
    fn a_paste_is_keys() {
        let mut paste = b"0;0[\x1b[1;".repeat(2000);
        paste.extend(b"\x1b[99999999999999999999999999;2Cd");
        assert_eq!(typed(&paste), X_PLUS);
    }
}
