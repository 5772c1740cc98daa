//! A progress bar on standard error, if that is a terminal.

use std::cell::Cell;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar; it disappears when it is dropped.
pub struct Progress {
    bar: ProgressBar,
    shown: Cell<bool>,
}

impl Progress {
    /// A bar without length yet. `what` is a verb: "verifying"; `done` the part of the template that
    /// tells how far it got.
    pub fn new(what: &'static str, done: &str) -> Self {
        let bar = ProgressBar::hidden().with_message(what);
        let template = format!("{{msg}} [{{bar:40}}] {done}, {{eta}} left");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Self {
            bar,
            shown: Cell::new(false),
        }
    }

    /// So many of all steps are done.
    pub fn set(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
        if !self.shown.replace(true) {
            // This target draws on terminals only.
            let target = ProgressDrawTarget::stderr_with_hz(10);
            self.bar.set_draw_target(target);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
