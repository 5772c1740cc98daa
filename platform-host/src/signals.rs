//! SIGINT, SIGTERM and SIGHUP: they end the program at once, but for the moments in which something must be
//! put in order first.
//!
//! Only a program that calls [`install`] has it so. A library has no say in what the signals of a
//! process do: without that call they do what they did, and no guard holds them up. What such a
//! program leaves unfinished is removed by the next one that writes there (see [`crate::output`]).

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// What the handlers look at and set.
struct State {
    /// Guards that live.
    guards: Mutex<usize>,
    /// Whether no guard lives: a signal then does what it always does.
    idle: Arc<AtomicBool>,
    /// The signal that came while a guard lived, or 0.
    came: Arc<AtomicUsize>,
}

static STATE: LazyLock<State> = LazyLock::new(|| State {
    guards: Mutex::new(0),
    idle: Arc::new(AtomicBool::new(true)),
    came: Arc::new(AtomicUsize::new(0)),
});

/// Let guards hold up the signals of this process; for the `main` of a program that has no handlers
/// of its own. A signal that the process was told to ignore (`nohup`, a job in the background) stays
/// ignored.
pub fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let ignored = ignored();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if ignored >> (signal - 1) & 1 != 0 {
                continue;
            }
            // In this order: the first ends the program, so the second only sees what the first let
            // pass. Where neither can be had, signals stay what they are, and less is put in order.
            let idle = Arc::clone(&STATE.idle);
            let _ = flag::register_conditional_default(signal, idle).and_then(|_| {
                let number = usize::try_from(signal).unwrap_or(0);
                flag::register_usize(signal, Arc::clone(&STATE.came), number)
            });
        }
    });
}

/// The signals that this process ignores, signal 1 in bit 0; none where the system does not say.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// As long as one lives, a signal is only noted, if the program called [`install`]. When the last one is dropped, a signal that was
/// noted and not [taken](take) ends the program as it would have done.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Begin.
    #[must_use]
    pub fn new() -> Self {
        let mut guards = lock();
        *guards += 1;
        STATE.idle.store(false, Ordering::SeqCst);
        Self(())
    }
}

impl Default for Guard {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut guards = lock();
        *guards = guards.saturating_sub(1);
        if *guards == 0 {
            STATE.idle.store(true, Ordering::SeqCst);
            if let Ok(signal @ 1..) = i32::try_from(STATE.came.swap(0, Ordering::SeqCst)) {
                // If even that fails, the program goes on and ends by itself.
                let _ = low_level::emulate_default_handler(signal);
            }
        }
    }
}

fn lock() -> std::sync::MutexGuard<'static, usize> {
    STATE.guards.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a signal came while a [`Guard`] lived.
#[must_use]
pub fn came() -> bool {
    STATE.came.load(Ordering::SeqCst) != 0
}

/// As [`came`], and the signal is dealt with by that.
#[must_use]
pub fn take() -> bool {
    STATE.came.swap(0, Ordering::SeqCst) != 0
}

/// Do what a signal that came already is not to stop; behind it the signal stands as before. One that comes meanwhile
/// stops it as ever.
pub fn despite<T>(work: impl FnOnce() -> T) -> T {
    let came = STATE.came.swap(0, Ordering::SeqCst);
    let result = work();
    // The later one counts.
    let _ = STATE
        .came
        .compare_exchange(0, came, Ordering::SeqCst, Ordering::SeqCst);
    result
}

/// An error if a signal came.
///
/// # Errors
/// It did.
pub fn check() -> io::Result<()> {
    if came() {
        // Not `Interrupted`: loops take that as a reason to try again.
        return Err(io::Error::other("stopped by a signal"));
    }
    Ok(())
}
