//! A child process that cannot outlive its owner.
//!
//! The child leads a process group of its own, so that it and what it starts end together:
//! when the value is dropped, when this process gets SIGINT, SIGTERM, SIGHUP or SIGQUIT (first the
//! child and its files go, then the signal takes its usual course), and, where `setpriv` is
//! installed, also when this process is killed outright.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The program that was `given`, else the one the environment `variable` names, else the one called
/// `name`; looked for as [`find`] does.
pub(crate) fn chosen(
    given: Option<&Path>,
    variable: &str,
    name: &str,
    folders: &[&str],
) -> Option<PathBuf> {
    let chosen = given.map(Path::to_path_buf).or_else(|| {
        let value = std::env::var_os(variable)?;
        (!value.is_empty()).then(|| PathBuf::from(value))
    });
    find(chosen.as_deref().unwrap_or(Path::new(name)), folders)
}

/// Find a program: a path with a slash as it is, a plain name in `PATH` and then in `more`. What is
/// found is absolute, since emulators run in folders of their own.
pub(crate) fn find(name: &Path, more: &[&str]) -> Option<PathBuf> {
    let found = if name.as_os_str().as_encoded_bytes().contains(&b'/') {
        Some(name.to_path_buf()).filter(|file| executable(file))
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .chain(more.iter().map(PathBuf::from))
            .map(|folder| folder.join(name))
            .find(|file| executable(file))
    };
    std::path::absolute(found?).ok()
}

#[cfg(unix)]
fn executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn executable(file: &Path) -> bool {
    file.is_file()
}

/// A helper that starts another program, and what makes it do so.
struct Helper {
    words: &'static [&'static str],
    found: OnceLock<Option<PathBuf>>,
}

impl Helper {
    const fn new(words: &'static [&'static str]) -> Self {
        Self {
            words,
            found: OnceLock::new(),
        }
    }

    /// The helper and its options; nothing where it is not installed or does not know them (that of
    /// busybox, for one): an emulator must not die of what was to look after it.
    fn words(&self) -> Vec<PathBuf> {
        let [name, options @ ..] = self.words else {
            return Vec::new();
        };
        let found = self.found.get_or_init(|| {
            find(Path::new(name), &[]).filter(|program| {
                let mut command = Command::new(program);
                command.args(options).arg("true");
                command.stdin(Stdio::null()).stdout(Stdio::null());
                let status = command.stderr(Stdio::null()).status();
                status.is_ok_and(|status| status.success())
            })
        });
        let options = options.iter().map(PathBuf::from);
        found
            .iter()
            .cloned()
            .chain(options.filter(|_| found.is_some()))
            .collect()
    }
}

/// Ends a program with the one that starts it.
static END_WITH_US: Helper = Helper::new(&["setpriv", "--pdeathsig", "KILL", "--"]);
/// Makes a program write each line at once.
static FLUSH_LINES: Helper = Helper::new(&["stdbuf", "-oL"]);

/// A command for `program`; where possible under helpers that flush its output line by line and
/// end it with this process.
pub(crate) fn command(program: &Path, flush_lines: bool) -> Command {
    let mut words = END_WITH_US.words();
    if flush_lines {
        words.extend(FLUSH_LINES.words());
    }
    words.push(program.to_path_buf());
    let mut words = words.into_iter();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

/// The running child.
#[derive(Debug)]
pub(crate) struct Guarded {
    child: Child,
    status: Option<ExitStatus>,
    left: bool,
    _watch: Watch,
}

impl Guarded {
    /// Start `command` in a process group of its own.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            command.process_group(0);
        }
        let watch = Watch::begin()?;
        Ok(Self {
            child: command.spawn()?,
            status: None,
            left: false,
            _watch: watch,
        })
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The status, if the child has ended.
    pub(crate) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = self.child.try_wait()?;
        }
        Ok(self.status)
    }

    /// Ask the group to end, and kill what is left of it after `grace`.
    pub(crate) fn end(&mut self, grace: Duration) -> io::Result<ExitStatus> {
        if self.status()?.is_none() {
            self.signal(false);
            let until = Instant::now() + grace;
            while self.status()?.is_none() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        // The leader may be gone while others of its group are not.
        self.kill()
    }

    /// As [`end`](Self::end), but each of the group has that time to put its things in order, also when
    /// their leader is gone at once.
    pub(crate) fn end_all(&mut self, grace: Duration) -> io::Result<ExitStatus> {
        self.signal(false);
        let until = Instant::now() + grace;
        while (self.status()?.is_none() || self.has_group()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.kill()
    }

    /// The child has ended by itself; what it left behind is not ours to end.
    pub(crate) fn leave(mut self) {
        self.left = self.status.is_some();
    }

    fn kill(&mut self) -> io::Result<ExitStatus> {
        self.signal(true);
        match self.status {
            Some(status) => Ok(status),
            None => {
                let status = self.child.wait()?;
                self.status = Some(status);
                Ok(status)
            }
        }
    }

    /// Whether anybody of the group is there.
    #[cfg(unix)]
    fn has_group(&self) -> bool {
        use rustix::process::test_kill_process_group;
        self.group()
            .is_some_and(|group| test_kill_process_group(group).is_ok())
    }

    #[cfg(not(unix))]
    fn has_group(&self) -> bool {
        false
    }

    #[cfg(unix)]
    fn group(&self) -> Option<rustix::process::Pid> {
        let pid = i32::try_from(self.child.id()).ok();
        pid.and_then(rustix::process::Pid::from_raw)
    }

    #[cfg(unix)]
    fn signal(&mut self, kill: bool) {
        use rustix::process::{Signal, kill_process_group};
        let signal = if kill { Signal::KILL } else { Signal::TERM };
        if let Some(group) = self.group() {
            // No such group any more: that is what is wanted.
            let _ = kill_process_group(group, signal);
        }
    }

    #[cfg(not(unix))]
    fn signal(&mut self, _kill: bool) {
        let _ = self.child.kill();
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if !self.left {
            let _ = self.end(Duration::ZERO);
        }
    }
}

pub(crate) use interrupt::{Watch, note_end, pending as interrupted, take as take_interrupt};

/// Why a process ends that cannot print any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mute {
    /// Nobody reads: as by SIGPIPE.
    ReaderGone,
    /// The output cannot be written: status 1.
    Refused,
}

/// The signals that end a process: taken as usual while nothing runs; else noted, so that every run
/// can end its child and remove its files, and taken after the last run is over. One that this
/// process was told to ignore (`nohup`, a job in the background) stays ignored.
#[cfg(unix)]
mod interrupt {
    use std::io;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, OnceLock};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM};
    use signal_hook::low_level::emulate_default_handler;
    use signal_hook::{flag, low_level};

    use super::Mute;

    #[derive(Debug)]
    struct State {
        idle: Arc<AtomicBool>,
        seen: Arc<AtomicUsize>,
        runs: Mutex<usize>,
    }

    static STATE: OnceLock<State> = OnceLock::new();
    /// Whether all handlers are there. Nothing may run before that, in no thread.
    static REGISTERED: Mutex<bool> = Mutex::new(false);

    fn state() -> io::Result<&'static State> {
        let state = STATE.get_or_init(|| State {
            idle: Arc::new(AtomicBool::new(true)),
            seen: Arc::new(AtomicUsize::new(0)),
            runs: Mutex::new(0),
        });
        let mut registered = REGISTERED.lock().unwrap_or_else(|e| e.into_inner());
        if !*registered {
            let ignored = ignored();
            for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
                if ignored >> (signal - 1) & 1 != 0 {
                    continue;
                }
                flag::register_conditional_default(signal, Arc::clone(&state.idle))?;
                let number = usize::try_from(signal).unwrap_or(0);
                flag::register_usize(signal, Arc::clone(&state.seen), number)?;
            }
            *registered = true;
        }
        Ok(state)
    }

    /// The signals that this process ignores, signal 1 in bit 0; none where the system does not say.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .unwrap_or(0)
    }

    /// What stands in place of a signal's number when the output was refused: no signal has it.
    const REFUSED: usize = 1 << 16;

    /// Let this process end by [`take`], after the runs if there are any. `false` if something else
    /// ends it already.
    pub(crate) fn note_end(why: Mute) -> bool {
        let number = match why {
            Mute::ReaderGone => usize::try_from(SIGPIPE).unwrap_or(0),
            Mute::Refused => REFUSED,
        };
        let Ok(state) = state() else { return true };
        let (from, to) = (Ordering::SeqCst, Ordering::SeqCst);
        state.seen.compare_exchange(0, number, from, to).is_ok()
    }

    /// A signal waits until the last run is over.
    pub(crate) fn pending() -> bool {
        STATE
            .get()
            .is_some_and(|state| state.seen.load(Ordering::SeqCst) != 0)
    }

    /// Lives as long as a run and its files.
    #[derive(Debug)]
    pub(crate) struct Watch(());

    impl Watch {
        pub(crate) fn begin() -> io::Result<Self> {
            let state = state()?;
            let mut runs = state.runs.lock().unwrap_or_else(|e| e.into_inner());
            *runs += 1;
            state.idle.store(false, Ordering::SeqCst);
            Ok(Self(()))
        }
    }

    impl Drop for Watch {
        fn drop(&mut self) {
            let Some(state) = STATE.get() else { return };
            let mut runs = state.runs.lock().unwrap_or_else(|e| e.into_inner());
            *runs -= 1;
            if *runs == 0 {
                state.idle.store(true, Ordering::SeqCst);
            }
        }
    }

    /// Take a signal that was noted, unless another run is still to be ended. The caller has
    /// removed its files.
    pub(crate) fn take() {
        let Some(state) = STATE.get() else { return };
        let runs = *state.runs.lock().unwrap_or_else(|e| e.into_inner());
        let signal = state.seen.load(Ordering::SeqCst);
        if runs == 0 && signal == REFUSED {
            std::process::exit(1);
        }
        if runs == 0 && signal != 0 {
            let signal = i32::try_from(signal).unwrap_or(SIGTERM);
            if emulate_default_handler(signal).is_err() {
                low_level::exit(128 + signal);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::sync::mpsc::channel;
        use std::time::Duration;

        #[test]
        fn no_run_begins_while_another_thread_still_registers_the_handlers() {
            drop(Watch::begin().unwrap());
            let registering = REGISTERED.lock().unwrap();
            let (begun, has_begun) = channel();
            let run = std::thread::spawn(move || {
                let watch = Watch::begin();
                begun.send(()).unwrap();
                watch.map(drop)
            });
            let early = has_begun.recv_timeout(Duration::from_millis(200));
            drop(registering);
            run.join().unwrap().unwrap();
            assert!(early.is_err());
        }
    }
}

#[cfg(not(unix))]
mod interrupt {
    /// Ctrl-C ends the child with this process.
    pub(crate) fn pending() -> bool {
        false
    }

    #[derive(Debug)]
    pub(crate) struct Watch(());

    impl Watch {
        pub(crate) fn begin() -> std::io::Result<Self> {
            Ok(Self(()))
        }
    }

    pub(crate) fn take() {}

    pub(crate) fn note_end(_: super::Mute) -> bool {
        std::process::exit(1);
    }
}
