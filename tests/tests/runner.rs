//! The runner against emulators that misbehave.
//!
//! The fake emulator runs its "PS-EXE" as a shell script, so each test says in shell what the
//! target does.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use overworld_tests::emulator::{Error, Limits, Report};
use overworld_tests::mednafen::Mednafen;
use overworld_tests::picture::Moment;
use overworld_tests::qemu::Qemu;
use overworld_tests::verdict::Outcome;

fn fake() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fakes/emulator.sh")
}

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("rom"), vec![0; 512 << 10]).unwrap();
        fs::write(folder.path().join("exe"), script).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn machine(&self) -> Mednafen {
        Mednafen::new(self.path("rom"))
            .exe(self.path("exe"))
            .program(fake())
            .limits(limits())
    }
}

fn limits() -> Limits {
    Limits {
        time_out: Duration::from_secs(10),
        grace: Duration::from_millis(300),
        after_crash: Duration::from_millis(300),
        ..Limits::default()
    }
}

fn run(script: &str) -> Report {
    Bench::new(script).machine().run(|_| {}).unwrap()
}

fn run_for(script: &str, time: Duration) -> Report {
    let bench = Bench::new(script);
    let began = Instant::now();
    let report = bench.machine().time_out(time).run(|_| {}).unwrap();
    let most = time + Duration::from_secs(3);
    assert!(began.elapsed() < most, "took {:?}", began.elapsed());
    report
}

const SHORT: Duration = Duration::from_millis(700);

/// Whether a process is still there (a zombie is not).
fn alive(pid: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    !matches!(state, Some('Z' | 'X') | None)
}

fn soon_gone(pid: &str) -> bool {
    let until = Instant::now() + Duration::from_secs(3);
    while alive(pid) {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

fn pids(report: &Report) -> Vec<String> {
    let lines = report.lines.iter();
    let pids: Vec<String> = lines
        .filter_map(|line| line.strip_prefix("@@ pid "))
        .map(str::to_owned)
        .collect();
    assert!(!pids.is_empty(), "{report}");
    pids
}

#[test]
fn a_pass_ends_at_once_and_is_seen_line_by_line() {
    let bench = Bench::new("echo noise; echo @@ hello; echo @@END pass; sleep 1000");
    let mut seen = Vec::new();
    let began = Instant::now();
    let report = bench
        .machine()
        .run(|line| seen.push(line.to_owned()))
        .unwrap();
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
    assert_eq!(seen, ["noise", "@@ hello", "@@END pass"]);
    assert_eq!(report.lines, ["@@ hello", "@@END pass"]);
    assert_eq!(report.noise, ["noise"]);
    assert!(began.elapsed() < Duration::from_secs(3));
}

#[test]
fn lines_come_while_the_program_runs() {
    let bench = Bench::new("echo @@ one; sleep 1; echo @@END pass; sleep 1000");
    let mut times = Vec::new();
    bench.machine().run(|_| times.push(Instant::now())).unwrap();
    assert!(times[1] - times[0] > Duration::from_millis(700));
}

#[test]
fn a_fail_keeps_its_reason() {
    let report = run("echo @@ no such file: PROT.DAT; echo @@END fail; sleep 1000");
    assert_eq!(report.outcome, Outcome::Fail);
    assert_eq!(report.reason, "no such file: PROT.DAT");
}

#[test]
fn a_failed_test_beats_a_pass() {
    let report = run("echo @@TEST a FAIL expected 1, found 2; echo @@END pass; sleep 1000");
    assert_eq!(report.outcome, Outcome::Fail);
    assert_eq!(report.reason, "a: expected 1, found 2");
}

#[test]
fn a_panic_and_a_fault_are_crashes_with_their_register_lines() {
    let report = run("echo @@PANIC demo.rs:3; echo @@END crash; sleep 1000");
    assert_eq!(report.outcome, Outcome::Crash);
    assert_eq!(report.reason, "panic: demo.rs:3");
    let fault = "echo @@FAULT cause=AdEL epc=80010000; echo @@ r1 0; echo @@END crash; sleep 1000";
    let report = run(fault);
    assert_eq!(report.outcome, Outcome::Crash);
    assert_eq!(report.reason, "fault: cause=AdEL epc=80010000");
    assert!(report.lines.contains(&"@@ r1 0".to_owned()));
}

#[test]
fn the_emulators_own_lines_are_shown_only_when_the_program_told_nothing() {
    let report = run("echo loading; echo @@PANIC demo.rs:3; echo @@END crash; sleep 1000");
    assert_eq!(report.noise, ["loading"]);
    assert!(report.told && report.emulator_lines().is_empty());
    let shown = report.to_string();
    assert!(
        !shown.contains("loading") && shown.contains("@@END crash"),
        "{shown}"
    );
    let report = run_for("echo loading; echo @@ hello; sleep 1000", SHORT);
    assert!(!report.told, "{report}");
    assert_eq!(report.emulator_lines(), ["loading"]);
    assert!(report.to_string().contains("loading"), "{report}");
}

#[test]
fn a_fault_without_an_end_mark_does_not_wait_for_the_time_out() {
    let began = Instant::now();
    let report = run("echo @@FAULT cause=RI; sleep 1000");
    assert_eq!(report.outcome, Outcome::Crash);
    assert!(began.elapsed() < Duration::from_secs(4));
}

#[test]
fn an_emulator_that_dies_is_a_crash_with_its_last_lines() {
    let report = run("echo no module psx; echo cannot go on >&2; exit 255");
    assert_eq!(report.outcome, Outcome::Crash);
    assert!(report.reason.contains("255"), "{report}");
    assert!(report.noise.contains(&"no module psx".to_owned()));
    assert!(report.noise.contains(&"cannot go on".to_owned()));
    assert!(report.to_string().contains("cannot go on"));
    // Status 0 is no verdict either.
    assert_eq!(run("exit 0").outcome, Outcome::Crash);
    let report = run("kill -SEGV $$");
    assert_eq!(report.outcome, Outcome::Crash);
    assert!(report.reason.contains("signal"), "{report}");
}

#[test]
fn a_verdict_counts_although_the_emulator_dies_after_it() {
    assert_eq!(run("echo @@END pass; exit 3").outcome, Outcome::Pass);
}

#[test]
fn silence_times_out() {
    let report = run_for("sleep 1000", SHORT);
    assert_eq!(report.outcome, Outcome::TimeOut);
    assert!(report.reason.contains("no line"), "{report}");
}

#[test]
fn closed_pipes_with_a_living_emulator_end_the_run() {
    let report = run_for("echo @@ pid $$; exec >&- 2>&-; exec sleep 1000", SHORT);
    assert_eq!(report.outcome, Outcome::Crash, "{report}");
    assert!(soon_gone(&pids(&report)[0]));
}

#[test]
fn a_flood_times_out_with_bounded_memory() {
    for script in [
        "yes @@ flood",
        "yes noise",
        "yes '@@ flood' >&2",
        "tr '\\0' x < /dev/zero",
        "cat /dev/zero",
    ] {
        let bench = Bench::new(script);
        let mut limits = limits();
        limits.time_out = SHORT;
        limits.lines = 100;
        let began = Instant::now();
        let report = bench.machine().limits(limits).run(|_| {}).unwrap();
        assert_eq!(report.outcome, Outcome::TimeOut, "{script}: {report}");
        assert!(report.lines.len() <= 100 && report.noise.len() <= limits.noise);
        let kept = report.lines.iter().chain(&report.noise);
        assert!(kept.map(String::len).all(|len| len <= 3 * limits.line));
        assert!(began.elapsed() < Duration::from_secs(4), "{script}");
    }
}

#[test]
fn a_target_that_restarts_for_ever_times_out_and_says_so() {
    let script = "while :; do echo @@BATTERY x cycles; echo @@TEST a ok 1; sleep 0.05; done";
    let report = run_for(script, SHORT);
    assert_eq!(report.outcome, Outcome::TimeOut);
    assert!(report.restarts > 2, "{report}");
    assert!(report.reason.contains("began anew"), "{report}");
}

#[test]
fn partial_lines_are_put_together_and_the_last_one_is_kept() {
    let script = "printf '@@EN'; sleep 0.2; printf 'D pa'; sleep 0.2; echo ss; sleep 1000";
    assert_eq!(run(script).outcome, Outcome::Pass);
    // A line without an end is no verdict while the program lives, but it is in the report.
    let report = run_for("printf '@@ half'; sleep 1000", SHORT);
    assert_eq!(report.outcome, Outcome::TimeOut);
    assert_eq!(report.lines, ["@@ half"]);
    assert_eq!(run("printf '@@END pass'").outcome, Outcome::Pass);
}

#[test]
fn bytes_that_are_no_text_do_not_stop_a_run() {
    let script = r"printf '\377\376\200\n@@ \303\n\r\n@@END pass\r\n'; sleep 1000";
    let report = run(script);
    assert_eq!(report.outcome, Outcome::Pass);
    assert_eq!(report.lines[0], "@@ \u{FFFD}");
}

#[test]
fn a_missing_emulator_is_an_outcome_and_a_missing_file_an_error() {
    let bench = Bench::new("echo @@END pass");
    let machine = bench.machine().program("/nowhere/emulator");
    let report = machine.run(|_| {}).unwrap();
    assert_eq!(report.outcome, Outcome::EmulatorMissing);
    assert_eq!(report.outcome.exit_code(), 5);
    assert!(report.reason.contains("apt-get install mednafen"));
    // A file that is not executable is no emulator.
    let report = bench.machine().program(bench.path("exe")).run(|_| {});
    assert_eq!(report.unwrap().outcome, Outcome::EmulatorMissing);

    fs::remove_file(bench.path("exe")).unwrap();
    let error = bench.machine().run(|_| {}).unwrap_err();
    assert!(matches!(error, Error::Missing { what: "PS-EXE", .. }));
    assert_eq!(error.exit_code(), 2);
    fs::write(bench.path("exe"), "echo @@END pass").unwrap();
    fs::write(bench.path("rom"), "short").unwrap();
    let error = bench.machine().run(|_| {}).unwrap_err();
    assert!(error.to_string().contains("512 KiB"), "{error}");
    let rom_only = Mednafen::new(bench.path("rom")).program(fake());
    assert!(rom_only.run(|_| {}).is_err());
}

#[test]
fn each_run_has_its_own_home_with_the_rom_under_three_names() {
    let script = "for n in 0 1 2; do \
        wc -c < $HOME/.mednafen/firmware/scph550$n.bin | sed 's/^/@@ rom /'; done; \
        echo @@ home $HOME; echo @@ video $SDL_VIDEODRIVER; echo @@END pass; sleep 1000";
    let (first, second) = (run(script), run(script));
    let roms = first.lines.iter().filter(|line| *line == "@@ rom 524288");
    assert_eq!(roms.count(), 3, "{:?}", first.lines);
    assert!(first.lines.contains(&"@@ video dummy".to_owned()));
    assert_ne!(first.lines[3], second.lines[3]);
    let home = first.lines[3].strip_prefix("@@ home ").unwrap();
    assert!(!Path::new(home).exists(), "{home} was left behind");
}

#[test]
fn a_run_that_should_record_and_does_not_is_no_pass() {
    let bench = Bench::new("echo @@END pass; sleep 1000");
    let report = bench.machine().picture(Moment::Last).run(|_| {}).unwrap();
    assert_eq!(report.outcome, Outcome::Crash);
    assert!(report.reason.contains("recording"), "{report}");
    let bench = Bench::new("echo @@END fail; sleep 1000");
    let report = bench.machine().picture(Moment::Last).run(|_| {}).unwrap();
    assert_eq!(report.outcome, Outcome::Fail);
    assert!(report.pictures.is_empty());
}

#[test]
fn a_frame_beyond_the_end_is_asked_for_in_vain_and_no_crash() {
    // Two PNG files are a recording; nobody decodes what is not asked for.
    let chunk = r"\000\000\000\000IEND\256\102\140\202";
    let png = format!(r"\211PNG\r\n\032\n{chunk}");
    let script = format!("printf '{png}between{png}' > $HOME/recording.mov; echo @@END pass");
    let bench = Bench::new(&script);
    let run = |frame| {
        let machine = bench.machine().picture(Moment::Frame(frame));
        machine.run(|_| {}).unwrap()
    };
    let report = run(2);
    assert_eq!(report.outcome, Outcome::Fail, "{report}");
    assert_eq!(
        report.reason,
        "the program passed, but it ended before frame 2: the last one is frame 1"
    );
    // A frame that is there and damaged is the recorder's fault.
    let report = run(1);
    assert_eq!(report.outcome, Outcome::Crash, "{report}");
    assert!(report.reason.contains("PNG"), "{report}");
}

#[test]
fn an_emulator_that_ignores_the_request_to_end_is_killed_with_its_children() {
    let script = "trap '' TERM; sleep 1000 & echo @@ pid $!; echo @@ pid $$; \
        echo @@END pass; while :; do sleep 1; done";
    let report = run(script);
    assert_eq!(report.outcome, Outcome::Pass);
    for pid in pids(&report) {
        assert!(soon_gone(&pid), "process {pid} was left behind");
    }
}

#[test]
fn a_child_that_outlives_the_emulator_is_killed_and_does_not_hold_the_run() {
    let report = run_for(
        "sleep 1000 & echo @@ pid $!; exit 7",
        Duration::from_secs(10),
    );
    assert_eq!(report.outcome, Outcome::Crash);
    assert!(report.elapsed < Duration::from_secs(4), "{report}");
    assert!(soon_gone(&pids(&report)[0]));
}

#[test]
fn the_microcontroller_runner_gives_the_same_outcomes() {
    let run = |script: &str| {
        let bench = Bench::new(script);
        Qemu::new(bench.path("exe"))
            .program(fake())
            .limits(limits())
            .time_out(SHORT)
            .run(|_| {})
            .unwrap()
    };
    assert_eq!(run("echo @@END pass >&2").outcome, Outcome::Pass);
    assert_eq!(run("echo @@END fail").outcome, Outcome::Fail);
    assert_eq!(run("echo @@PANIC x; exit 1").outcome, Outcome::Crash);
    assert_eq!(run("exit 1").outcome, Outcome::Crash);
    assert_eq!(run("sleep 1000").outcome, Outcome::TimeOut);
    let nowhere = Qemu::new(fake()).program("/nowhere/qemu").run(|_| {});
    assert_eq!(nowhere.unwrap().outcome, Outcome::EmulatorMissing);
}

const HELPER: &str = "OVERWORLD_TEST_HELPER";

/// Not a test of its own: the next ones start it in a process of its own.
#[test]
#[ignore = "helper of the tests that end the runner itself"]
fn helper_that_runs_until_it_is_ended() {
    let Some(how) = std::env::var_os(HELPER) else {
        return;
    };
    let print = how == "print";
    let rest = match print {
        true => "while :; do sleep 0.1; echo @@ more; done",
        false => "exec sleep 1000",
    };
    let bench = Bench::new(&format!(
        "trap '' TERM; echo @@ pid $$; echo @@ home $HOME; {rest}"
    ));
    // `cargo xtask boot` writes a disc before it runs it. Writers have something to do with signals,
    // too, and whose handler comes first must not matter.
    overworld_host::output::replace(&bench.path("disc"), b"disc").unwrap();
    let machine = bench.machine().time_out(Duration::from_secs(60));
    let _ = machine.run(|line| {
        eprintln!("{line}");
        if print {
            overworld_tests::say!("{line}");
        }
    });
}

/// A runner in a process of its own, its emulator and the emulator's home.
struct Runner {
    process: std::process::Child,
    emulator: String,
    home: String,
}

/// Start the helper, behind these words if there are any.
fn runner(before: &[&str], how: &str, stdout: Stdio) -> Runner {
    use signal_hook::{consts, flag};
    // What this process ignores its children ignore, too; what it has a handler for they do not.
    // Here the handler does what is done without one.
    for signal in [consts::SIGINT, consts::SIGHUP, consts::SIGQUIT] {
        let always = std::sync::Arc::new(true.into());
        flag::register_conditional_default(signal, always).unwrap();
    }
    let own = std::env::current_exe().unwrap();
    let mut words = before.to_vec();
    words.push(own.to_str().unwrap());
    let mut process = Command::new(words[0])
        .args(&words[1..])
        .args(["--ignored", "--exact", "--nocapture"])
        .arg("helper_that_runs_until_it_is_ended")
        .env(HELPER, how)
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let mut next = |start: &str| loop {
        let line = lines.next().unwrap().unwrap();
        if let Some(rest) = line.strip_prefix(start) {
            break rest.to_owned();
        }
    };
    let (emulator, home) = (next("@@ pid "), next("@@ home "));
    // Nobody reads on, but the pipe stays open.
    std::mem::forget(lines);
    Runner {
        process,
        emulator,
        home,
    }
}

impl Runner {
    fn send(&self, signal: &str) {
        let id = self.process.id().to_string();
        Command::new("kill").args([signal, &id]).status().unwrap();
    }

    /// Send it a signal; answer its status, its child and the child's home.
    fn end(mut self, signal: &str) -> (std::process::ExitStatus, String, String) {
        assert!(alive(&self.emulator));
        self.send(signal);
        (self.process.wait().unwrap(), self.emulator, self.home)
    }
}

fn end_the_runner(signal: &str) -> (std::process::ExitStatus, String, String) {
    runner(&[], "quiet", Stdio::null()).end(signal)
}

#[test]
fn a_signal_that_ends_the_runner_ends_the_emulator_and_removes_its_home() {
    use std::os::unix::process::ExitStatusExt as _;
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1), ("-QUIT", 3)] {
        let (status, pid, home) = end_the_runner(signal);
        assert_eq!(status.signal(), Some(number), "{signal}");
        assert!(soon_gone(&pid), "{signal}: process {pid} was left behind");
        assert!(!Path::new(&home).exists(), "{signal}: {home} was left");
    }
}

#[test]
fn a_signal_that_the_runner_was_told_to_ignore_is_ignored() {
    let nohup = ["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""];
    let runner = runner(&nohup, "quiet", Stdio::null());
    runner.send("-HUP");
    std::thread::sleep(Duration::from_millis(500));
    assert!(alive(&runner.emulator) && Path::new(&runner.home).exists());
    let (_, pid, home) = runner.end("-TERM");
    assert!(soon_gone(&pid) && !Path::new(&home).exists());
}

/// `… | head -1`
#[test]
fn a_reader_that_goes_ends_the_run_without_a_word() {
    use std::os::unix::process::ExitStatusExt as _;
    let (reader, writer) = std::io::pipe().unwrap();
    let mut runner = runner(&[], "print", writer.into());
    drop(reader);
    let status = runner.process.wait().unwrap();
    assert_eq!(status.signal(), Some(13), "{status}");
    assert!(soon_gone(&runner.emulator));
    assert!(!Path::new(&runner.home).exists());
}

#[test]
fn what_a_killed_runner_left_is_removed_by_the_next_run() {
    let (_, pid, home) = end_the_runner("-KILL");
    if !soon_gone(&pid) {
        // Without `setpriv` the emulator lives on, and its home with it.
        run("echo @@END pass");
        assert!(Path::new(&home).exists(), "removed under a living emulator");
        Command::new("kill").args(["-KILL", &pid]).status().unwrap();
        assert!(soon_gone(&pid));
    }
    run("echo @@END pass");
    assert!(!Path::new(&home).exists(), "{home} was left behind");
}

#[test]
fn the_emulator_does_not_outlive_a_killed_runner() {
    if !Path::new("/usr/bin/setpriv").exists() {
        eprintln!("skipped: no setpriv on this machine");
        return;
    }
    let (_, pid, home) = end_the_runner("-KILL");
    assert!(soon_gone(&pid), "process {pid} was left behind");
    let _ = fs::remove_dir_all(home);
}
