//! How a terminal hands over keys.

#[cfg(unix)]
mod unix {
    use std::io;

    use rustix::termios::{
        InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
    };

    /// The terminal hands over each key at once and shows none, as long as this lives. Ctrl-C stays a signal; other
    /// keys with Ctrl neither stop the program nor the picture.
    pub struct Raw {
        before: Termios,
        now: Termios,
    }

    impl Raw {
        /// `None` where that cannot be had.
        pub fn enter() -> Option<Self> {
            let before = tcgetattr(io::stdin()).ok()?;
            let mut now = before.clone();
            now.local_modes
                .remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN);
            now.input_modes.remove(InputModes::IXON);
            for stops in [SpecialCodeIndex::VSUSP, SpecialCodeIndex::VQUIT] {
                now.special_codes[stops] = OFF;
            }
            // A read waits for one byte, whatever was set before.
            now.special_codes[SpecialCodeIndex::VMIN] = 1;
            now.special_codes[SpecialCodeIndex::VTIME] = 0;
            tcsetattr(io::stdin(), OptionalActions::Now, &now).ok()?;
            Some(Self { before, now })
        }

        /// Once more, where others may have changed the terminal meanwhile.
        pub fn again(&self) {
            // Nothing can be done about a terminal that is gone.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.now);
        }
    }

    /// No key (`_POSIX_VDISABLE`).
    const OFF: u8 = if cfg!(target_os = "linux") { 0 } else { 0xFF };

    impl Drop for Raw {
        fn drop(&mut self) {
            // Keys of the show are not for what comes behind it. Nothing can be done about a terminal that is gone.
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.before);
        }
    }
}

#[cfg(not(unix))]
mod other {
    /// Elsewhere nothing is known of terminals.
    pub struct Raw;

    impl Raw {
        pub fn enter() -> Option<Self> {
            None
        }

        pub fn again(&self) {}
    }
}

#[cfg(not(unix))]
pub use other::Raw;
#[cfg(unix)]
pub use unix::Raw;
