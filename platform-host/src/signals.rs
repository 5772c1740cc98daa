//! SIGINT, SIGTERM, SIGHUP and SIGQUIT: they end the program at once, but for the moments in which something must be
//! put in order first. SIGTSTP stops it as ever, but for those in which the terminal must be put in order before.
//!
//! Only a program that calls [`install`] has it so. A library has no say in what the signals of a
//! process do: without that call they do what they did, and no guard holds them up. What such a
//! program leaves unfinished is removed by the next one that writes there (see [`crate::output`]).

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP};
use signal_hook::{flag, low_level};

/// What the handlers look at and set.
struct State {
    /// Guards that live.
    guards: Mutex<usize>,
    /// Whether no guard lives: a signal then does what it always does.
    idle: Arc<AtomicBool>,
    /// The signal that came while a guard lived, or 0.
    came: Arc<AtomicUsize>,
    /// The one before it, once [`count`] was asked, or 0.
    counted: AtomicUsize,
    /// Whether nobody hears of it for the moment.
    deaf: AtomicBool,
    /// Whether no [`Stops`] lives: SIGTSTP then does what it always does.
    stops: Arc<AtomicBool>,
    /// Whether SIGTSTP came while one lived.
    halt: Arc<AtomicBool>,
    /// Whether SIGCONT came.
    resumed: Arc<AtomicBool>,
}

static STATE: LazyLock<State> = LazyLock::new(|| State {
    guards: Mutex::new(0),
    idle: Arc::new(AtomicBool::new(true)),
    came: Arc::new(AtomicUsize::new(0)),
    counted: AtomicUsize::new(0),
    deaf: AtomicBool::new(false),
    stops: Arc::new(AtomicBool::new(true)),
    halt: Arc::new(AtomicBool::new(false)),
    resumed: Arc::new(AtomicBool::new(false)),
});

/// Let guards hold up the signals of this process; for the `main` of a program that has no handlers
/// of its own. A signal that the process was told to ignore (`nohup`, a job in the background) stays
/// ignored.
pub fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let ignored = ignored();
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
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
        if ignored >> (SIGTSTP - 1) & 1 == 0 {
            let _ = flag::register_conditional_default(SIGTSTP, Arc::clone(&STATE.stops))
                .and_then(|_| flag::register(SIGTSTP, Arc::clone(&STATE.halt)))
                .and_then(|_| flag::register(SIGCONT, Arc::clone(&STATE.resumed)));
        }
    });
}

/// As long as one lives, SIGTSTP is only noted, if the program called [`install`]: whoever has changed the terminal
/// puts it in order, and [stops](Stops::halt) then.
#[derive(Debug)]
pub struct Stops(());

impl Stops {
    /// Begin.
    #[must_use]
    pub fn new() -> Self {
        STATE.halt.store(false, Ordering::SeqCst);
        STATE.resumed.store(false, Ordering::SeqCst);
        STATE.stops.store(false, Ordering::SeqCst);
        Self(())
    }

    /// Whether the program is to be stopped; told once.
    #[must_use]
    pub fn asked(&self) -> bool {
        STATE.halt.swap(false, Ordering::SeqCst)
    }

    /// Whether it was stopped, by itself or (SIGSTOP) by others, and goes on; told once.
    #[must_use]
    pub fn resumed(&self) -> bool {
        STATE.resumed.swap(false, Ordering::SeqCst)
    }

    /// Stop, until somebody lets the program go on.
    pub fn halt(&self) {
        // If even that fails, it goes on at once.
        let _ = low_level::raise(SIGSTOP);
    }
}

impl Default for Stops {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Stops {
    fn drop(&mut self) {
        STATE.stops.store(true, Ordering::SeqCst);
        if self.asked() {
            self.halt();
        }
    }
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
            if let Ok(signal @ 1..) = i32::try_from(forget()) {
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
    let number = STATE.came.load(Ordering::SeqCst) | STATE.counted.load(Ordering::SeqCst);
    number != 0 && !STATE.deaf.load(Ordering::SeqCst)
}

/// How many came while a [`Guard`] lived, 2 for more: all that came before this was first asked are one. For one thread.
#[must_use]
pub fn count() -> u32 {
    if !came() {
        return 0;
    }
    if STATE.counted.load(Ordering::SeqCst) == 0 {
        // In this order: at no moment none has come.
        let number = STATE.came.load(Ordering::SeqCst);
        STATE.counted.store(number, Ordering::SeqCst);
        STATE.came.store(0, Ordering::SeqCst);
    }
    1 + u32::from(STATE.came.load(Ordering::SeqCst) != 0)
}

/// The number of the last signal that came, or 0; from now on none has come.
fn forget() -> usize {
    let counted = STATE.counted.swap(0, Ordering::SeqCst);
    match STATE.came.swap(0, Ordering::SeqCst) {
        0 => counted,
        last => last,
    }
}

/// As [`came`], and the signal is dealt with by that.
#[must_use]
pub fn take() -> bool {
    forget() != 0
}

/// Do what no signal is to stop, neither one that came already nor one that comes meanwhile; behind it the last one
/// stands. For short work of one thread.
pub fn despite<T>(work: impl FnOnce() -> T) -> T {
    STATE.deaf.store(true, Ordering::SeqCst);
    let result = work();
    STATE.deaf.store(false, Ordering::SeqCst);
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
