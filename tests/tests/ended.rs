//! A runner that is ended itself, by a signal or because nobody takes what it prints: its emulator and
//! its files go with it.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::fake::{Bench, alive, run, soon_gone};

const HELPER: &str = "OVERWORLD_TEST_HELPER";

/// Not a test of its own: the next ones start it in a process of its own.
#[test]
#[ignore = "helper of the tests that end the runner itself"]
fn helper_that_runs_until_it_is_ended() {
    let Some(how) = std::env::var_os(HELPER) else {
        return;
    };
    let print = how == "print" || how == "print to a full disk";
    if how == "print to a full disk" {
        // Only now: the test harness has something to print, too.
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        rustix::stdio::dup2_stdout(full.unwrap()).unwrap();
    }
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
        common::kill(signal, &id);
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

/// `… > file` on a full disk.
#[test]
fn an_output_that_cannot_be_written_ends_the_run_with_status_1() {
    let mut runner = runner(&[], "print to a full disk", Stdio::null());
    let status = runner.process.wait().unwrap();
    assert_eq!(status.code(), Some(1), "{status}");
    assert!(soon_gone(&runner.emulator));
    let home = &runner.home;
    assert!(!Path::new(home).exists(), "{home} was left behind");
}

/// Busybox has a `setpriv`, which cannot end a program with its parent.
#[test]
fn helpers_that_do_not_know_their_options_are_left_out() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    for name in ["setpriv", "stdbuf"] {
        let helper = folder.path().join(name);
        fs::write(&helper, "#!/bin/sh\necho unrecognized option >&2; exit 1\n").unwrap();
        fs::set_permissions(helper, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = std::env::var("PATH").unwrap();
    let path = format!("PATH={}:{path}", folder.path().display());
    let (_, pid, home) = runner(&["env", &path], "quiet", Stdio::null()).end("-TERM");
    assert!(soon_gone(&pid) && !Path::new(&home).exists());
}

#[test]
fn a_folder_for_temporary_files_may_be_named_from_the_current_one() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("cd {} && exec \"$0\" \"$@\"", folder.path().display());
    let before = ["env", "TMPDIR=.", "sh", "-c", &script];
    let (_, pid, home) = runner(&before, "quiet", Stdio::null()).end("-TERM");
    assert!(Path::new(&home).starts_with(folder.path()), "{home}");
    assert!(soon_gone(&pid) && !Path::new(&home).exists());
}

#[test]
fn what_a_killed_runner_left_is_removed_by_the_next_run() {
    let (_, pid, home) = end_the_runner("-KILL");
    if !soon_gone(&pid) {
        // Without `setpriv` the emulator lives on, and its home with it.
        run("echo @@END pass");
        assert!(Path::new(&home).exists(), "removed under a living emulator");
        common::kill("-KILL", &pid);
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
