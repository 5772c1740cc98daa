//! A process that is ended while a program works for it: the program goes first, with all that it
//! started, unless it does what must not break off.
#![cfg(target_os = "linux")]

mod common;

use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use common::fake::{alive, soon_gone};
use overworld_tests::follow::{AtSignal, Line, follow};

/// The script that the helper's program runs.
const SCRIPT: &str = "OVERWORLD_TEST_SCRIPT";
/// Set where the program is let finish.
const CARE: &str = "OVERWORLD_TEST_CARE";

/// Not a test of its own: the next ones start it in a process of its own.
#[test]
#[ignore = "helper of the tests that end this process"]
fn helper_that_follows_until_it_is_ended() {
    let Ok(script) = std::env::var(SCRIPT) else {
        return;
    };
    let at_signal = match std::env::var_os(CARE) {
        Some(_) => AtSignal::LetItFinish,
        None => AtSignal::EndIt,
    };
    let mut command = Command::new("sh");
    command.args(["-c", &script]).stdin(Stdio::null());
    command.stdout(Stdio::piped());
    let status = follow(&mut command, at_signal, &mut |line| {
        if let Line::Out(line) = line {
            eprint!("@@ {}", String::from_utf8_lossy(&line));
        }
        ControlFlow::Continue(())
    });
    eprintln!("@@ not ended: {status:?}");
}

/// The helper, and the first line of its program.
fn helper(script: &str, care: bool) -> (Child, String) {
    use signal_hook::{consts, flag};
    // What this process ignores its children ignore, too; what it has a handler for they do not.
    for signal in [consts::SIGINT, consts::SIGHUP, consts::SIGQUIT] {
        let always = std::sync::Arc::new(true.into());
        flag::register_conditional_default(signal, always).unwrap();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--ignored", "--exact", "--nocapture"])
        .arg("helper_that_follows_until_it_is_ended")
        .env(SCRIPT, script)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if care {
        command.env(CARE, "1");
    }
    let mut process = command.spawn().unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let first = loop {
        let line = lines.next().unwrap().unwrap();
        if let Some(rest) = line.strip_prefix("@@ ") {
            break rest.to_owned();
        }
    };
    // Nobody reads on, but the pipe stays open.
    std::mem::forget(lines);
    (process, first)
}

/// Send the process alone a signal and wait for its end.
fn end(process: &mut Child, signal: &str) -> ExitStatus {
    let id = process.id().to_string();
    common::kill(signal, &id);
    process.wait().unwrap()
}

#[test]
fn a_signal_ends_the_program_and_all_that_it_started() {
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let script = "sleep 1000 & a=$!; (sleep 1000; :) & echo $a $! $$; wait";
        let (mut process, line) = helper(script, false);
        let all: Vec<&str> = line.split_whitespace().collect();
        assert!(all.len() == 3 && all.iter().all(|pid| alive(pid)), "{line}");
        let began = Instant::now();
        let status = end(&mut process, signal);
        assert_eq!(status.signal(), Some(number), "{signal}");
        assert!(began.elapsed() < Duration::from_secs(20));
        for pid in all {
            assert!(soon_gone(pid), "{signal}: process {pid} was left behind");
        }
    }
}

/// A test program that has an emulator to end is not killed because cargo is gone.
#[test]
fn whoever_is_ended_has_time_to_put_things_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("in-order");
    let script = format!(
        "(trap 'sleep 1; touch {}; exit' TERM; echo ready; while :; do sleep 0.1; done) & wait",
        mark.display()
    );
    let (mut process, _) = helper(&script, false);
    assert_eq!(end(&mut process, "-TERM").signal(), Some(15));
    assert!(mark.exists());
}

#[test]
fn who_does_not_want_to_end_is_killed() {
    let script = "trap '' TERM; echo $$; while :; do sleep 1; done";
    let (mut process, pid) = helper(script, false);
    let began = Instant::now();
    assert_eq!(end(&mut process, "-TERM").signal(), Some(15));
    assert!(soon_gone(&pid));
    assert!(began.elapsed() < Duration::from_secs(30));
}

/// As packages that are being unpacked.
#[test]
fn what_must_not_break_off_is_let_finish() {
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("finished");
        let (began, finished) = ("echo ready; sleep 1.5; ", mark.display());
        let script = format!("{began} sh -c 'sleep 0.5; touch {finished}'");
        let (mut process, _) = helper(&script, true);
        assert!(!mark.exists());
        assert_eq!(end(&mut process, signal).signal(), Some(number));
        assert!(Path::new(&mark).exists(), "{signal}");
    }
}
