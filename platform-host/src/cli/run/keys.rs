//! A keyboard for a pad. A terminal tells of keys that go down, not of keys that come up: each counts as held
//! for a while, and key repeat keeps it so.

use std::io::{self, IsTerminal as _, Read as _};
use std::sync::mpsc::{Receiver, channel};

use overworld_runtime::field::Settings;
use overworld_runtime::field::pad::{X_MINUS, X_PLUS, Z_MINUS, Z_PLUS};
use overworld_runtime::scene::walk::tour;

/// What the keys do in a scene that is walked about in, or in one that is only shown.
pub const fn help(walked: bool) -> &'static str {
    match walked {
        true => "arrows or WASD walk, Shift runs, Enter talks, Ctrl-C ends",
        false => "Ctrl-C ends",
    }
}

/// Frames for which a direction counts as held: more than key repeat takes to come again.
const WALK: u8 = 8;
/// The same before key repeat begins.
const FIRST: u8 = 24;
/// Frames of a button.
const BUTTON: u8 = 2;

/// The keys that are down.
pub struct Keys {
    typed: Option<Receiver<u8>>,
    /// Whether a key has ever come: until then the tour is played.
    taken: bool,
    /// Bytes of an escape sequence that has begun.
    escape: Vec<u8>,
    held: u16,
    left: u8,
    _mode: Option<mode::Raw>,
}

impl Keys {
    /// No keyboard: the tour.
    pub fn none() -> Self {
        Self {
            typed: None,
            taken: false,
            escape: Vec::new(),
            held: 0,
            left: 0,
            _mode: None,
        }
    }

    /// The keyboard of the terminal, if standard input is one.
    pub fn watch() -> Self {
        if !io::stdin().is_terminal() {
            return Self::none();
        }
        let Some(mode) = mode::Raw::enter() else {
            return Self::none();
        };
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
            _mode: Some(mode),
            ..Self::none()
        }
    }

    /// What is held in this frame.
    pub fn held(&mut self, frame: u32) -> u16 {
        while let Some(byte) = self.typed.as_ref().and_then(|it| it.try_recv().ok()) {
            self.take(byte);
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
        if byte == 0x1B {
            self.escape = vec![byte];
            return;
        }
        if !self.escape.is_empty() {
            self.escape.push(byte);
            // `ESC [ A`, or with modifiers `ESC [ 1 ; 2 A`.
            if byte == b'[' || byte == b'O' || byte == b';' || byte.is_ascii_digit() {
                return;
            }
            let runs = self.escape.contains(&b'2');
            self.escape.clear();
            let direction = match byte {
                b'A' => Z_PLUS,
                b'B' => Z_MINUS,
                b'C' => X_PLUS,
                b'D' => X_MINUS,
                _ => return,
            };
            return self.walk(direction, runs);
        }
        match byte {
            b'w' | b'W' => self.walk(Z_PLUS, byte == b'W'),
            b's' | b'S' => self.walk(Z_MINUS, byte == b'S'),
            b'd' | b'D' => self.walk(X_PLUS, byte == b'D'),
            b'a' | b'A' => self.walk(X_MINUS, byte == b'A'),
            b'\r' | b'\n' | b' ' => {
                (self.held, self.left) = (Settings::NEW.interact_button, BUTTON);
            }
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

#[cfg(unix)]
mod mode {
    use std::io;

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    /// The terminal hands over each key at once and shows none, as long as this lives. Ctrl-C stays a signal.
    pub struct Raw(Termios);

    impl Raw {
        pub fn enter() -> Option<Self> {
            let before = tcgetattr(io::stdin()).ok()?;
            let mut now = before.clone();
            now.local_modes
                .remove(LocalModes::ICANON | LocalModes::ECHO);
            tcsetattr(io::stdin(), OptionalActions::Now, &now).ok()?;
            Some(Self(before))
        }
    }

    impl Drop for Raw {
        fn drop(&mut self) {
            // Nothing can be done about a terminal that is gone.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
        }
    }
}

#[cfg(not(unix))]
mod mode {
    /// Elsewhere nothing is known of terminals.
    pub struct Raw;

    impl Raw {
        pub fn enter() -> Option<Self> {
            None
        }
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
        keys.take(b'q');
        assert_eq!(keys.held(0), X_MINUS);
    }
}
