//! The runner against emulators that misbehave.
//!
//! The fake emulator runs its "PS-EXE" as a shell script, so each test says in shell what the
//! target does.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use overworld_tests::emulator::{Error, Report};
use overworld_tests::mednafen::Mednafen;
use overworld_tests::picture::Moment;
use overworld_tests::qemu::Qemu;
use overworld_tests::verdict::Outcome;

use common::fake::{Bench, fake, limits, run, soon_gone};

fn run_for(script: &str, time: Duration) -> Report {
    let bench = Bench::new(script);
    let began = Instant::now();
    let report = bench.machine().time_out(time).run(|_| {}).unwrap();
    let most = time + Duration::from_secs(3);
    assert!(began.elapsed() < most, "took {:?}", began.elapsed());
    report
}

const SHORT: Duration = Duration::from_millis(700);

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
    // Nor do those that steer a terminal reach one.
    let script = r"printf '@@\t\033[2J\007\302\233\342\200\256a\rb\r\n@@END pass\n'; sleep 1000";
    let report = run(script);
    let safe = "@@\t\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}a\u{FFFD}b";
    assert_eq!(report.lines[0], safe);
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
fn an_emulator_may_be_named_from_the_current_folder() {
    let bench = Bench::new("echo @@END pass; sleep 1000");
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let relative = Path::new("tests/fakes/emulator.sh");
    assert_eq!(std::env::current_dir().unwrap(), own);
    let report = bench.machine().program(relative).run(|_| {}).unwrap();
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
}

#[test]
fn an_emulator_whose_name_is_no_text_is_that_one() {
    use std::os::unix::ffi::OsStringExt as _;
    let bench = Bench::new("echo @@END pass; sleep 1000");
    let own = bench.path("emulator").into_os_string().into_vec();
    let own = PathBuf::from(std::ffi::OsString::from_vec([&own[..], b"\xFF"].concat()));
    let machine = bench.machine().program(&own);
    let report = machine.run(|_| {}).unwrap();
    assert_eq!(report.outcome, Outcome::EmulatorMissing, "{report}");
    fs::copy(fake(), own).unwrap();
    let report = machine.run(|_| {}).unwrap();
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
}

#[test]
fn a_program_that_lies_in_no_file_runs_in_the_home() {
    let bench = Bench::new("");
    let script = b"echo @@ home $HOME; ls $HOME | sed 's/^/@@ /'; echo @@END pass";
    let machine = bench.machine().image(script.to_vec());
    let report = machine.run(|_| {}).unwrap();
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
    assert!(
        report.lines.contains(&"@@ program.exe".to_owned()),
        "{report}"
    );
    let home = report.lines[0].strip_prefix("@@ home ").unwrap();
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

/// The last frame of it is not the last one of the run.
#[test]
fn a_recording_that_broke_off_gives_no_picture() {
    let bench = Bench::new(
        "echo \"Error writing to opened file \\\"$HOME/recording.mov\\\": No space left on device\"; \
        echo @@END pass; sleep 1000",
    );
    let report = bench.machine().picture(Moment::Last).run(|_| {}).unwrap();
    assert_eq!(report.outcome, Outcome::Crash, "{report}");
    let said = "the program passed, but the recording broke off: Error writing ";
    assert!(report.reason.starts_with(said), "{report}");
    assert!(
        report.reason.ends_with("No space left on device"),
        "{report}"
    );
    // Nobody asked for one.
    let report = bench.machine().run(|_| {}).unwrap();
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
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

/// Mednafen plays neither every format of audio nor sheets whose files are gone, and ends with 255.
#[test]
fn a_disc_that_the_emulator_does_not_take_is_no_crash_of_a_program() {
    let refusal = "echo 'Error opening CD: Unsupported track format: MP3'; exit 255";
    let disc = |script: &str| {
        let bench = Bench::new(script);
        bench.machine().disc(bench.path("rom")).run(|_| {})
    };
    let error = disc(refusal).unwrap_err();
    assert!(matches!(error, Error::Disc { .. }), "{error:?}");
    assert_eq!(error.exit_code(), 2);
    let said = error.to_string();
    assert!(
        said.contains("rom: Unsupported track format: MP3"),
        "{said}"
    );
    // Without a disc, or after the program has run, it is something else.
    assert_eq!(run(refusal).outcome, Outcome::Crash);
    let report = disc(&format!("echo @@ here; {refusal}")).unwrap();
    assert_eq!(report.outcome, Outcome::Crash);
}
