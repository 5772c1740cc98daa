//! Signals of a program that only links the library: they stay its own. The tool's are tested with
//! its outputs.
#![cfg(target_os = "linux")]

mod common;

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use overworld_host::{output, signals};

/// Names the folder in which the program that is stopped works.
const FOLDER: &str = "OVERWORLD_TEST_SIGNALS";

/// The signals that this process handles, signal 1 in bit 0.
fn handled() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    u64::from_str_radix(mask.unwrap().trim(), 16).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn the_library_handles_no_signal() {
    let folder = tempfile::tempdir().unwrap();
    let before = handled();
    output::replace(&folder.path().join("out"), b"x").unwrap();
    drop(output::Stage::new(folder.path()).unwrap());
    drop(signals::Guard::new());
    assert!(!signals::came());
    assert_eq!(handled(), before);
}

/// Neither a signal that has come nor one that comes meanwhile keeps from being written what nobody can make again.
#[test]
fn no_signal_stops_what_must_be_kept() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        signals::install();
        let guard = signals::Guard::new();
        let process = std::process::id();
        common::kill("-INT", process);
        let began = Instant::now();
        while !signals::came() {
            assert!(began.elapsed() < Duration::from_secs(60), "no signal");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(signals::count(), 1);
        assert!(signals::came());
        signals::despite(|| {
            assert_eq!(signals::count(), 0);
            common::kill("-TERM", process);
            common::kill("-QUIT", process);
            std::thread::sleep(Duration::from_millis(50));
            output::replace(&Path::new(&folder).join("kept"), b"x").unwrap();
        });
        // They are not forgotten, until they are dealt with.
        assert_eq!(signals::count(), 2);
        assert!(signals::check().is_err() && signals::take());
        assert!(!signals::came() && signals::count() == 0);
        drop(guard);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "no_signal_stops_what_must_be_kept"])
        .env(FOLDER, folder.path())
        .stdout(Stdio::null())
        .process_group(0)
        .status()
        .unwrap();
    assert!(status.success(), "{status}");
    assert_eq!(names(folder.path()), ["kept"]);
}

#[test]
fn what_a_program_without_handlers_left_is_removed_by_the_next() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let _guard = signals::Guard::new();
        let stage = output::Stage::new(folder.as_ref()).unwrap();
        std::fs::write(stage.path().join("0"), b"x").unwrap();
        std::thread::sleep(Duration::from_secs(10));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "what_a_program_without_handlers_left_is_removed_by_the_next",
        ])
        .env(FOLDER, folder.path())
        .stdout(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let began = Instant::now();
    let begun = || {
        let name = names(folder.path()).pop()?;
        folder.path().join(name).join("0").exists().then_some(())
    };
    while begun().is_none() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "it does not begin"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    common::kill("-TERM", process.id());
    assert_eq!(process.wait().unwrap().signal(), Some(15));
    assert_eq!(names(folder.path()).len(), 1, "nobody could tidy up");
    output::replace(&folder.path().join("out"), b"x").unwrap();
    assert_eq!(names(folder.path()), ["out"]);
}
