//! The checks that wait for nothing and that nothing waits for: they run beside the tests, whose programs
//! leave a core idle now and then, and are reported when both are done.

use std::time::Instant;

use anyhow::{Result, anyhow};

use super::table::Row;
use super::{PC, optimised};
use crate::build::{CONSOLE_PACKAGE, FIRMWARE_PACKAGE};
use crate::cargo::{self, CORTEX_M3};
use crate::toolchain::{CONSOLE, Survey};
use crate::workspace::Workspace;

/// Further microcontrollers that the core must build for, and with which features: the smallest Arm, on
/// which errors are logged with `defmt`, and a RISC-V without floating point. Neither has a program of its
/// own yet.
const FURTHER: [(&str, &str); 2] = [
    ("thumbv6m-none-eabi", "defmt"),
    ("riscv32imc-unknown-none-elf", ""),
];

const FORMAT: [&str; 3] = ["fmt", "--all", "--check"];
const LINT: [&str; 8] = [
    "clippy",
    "--workspace",
    "--exclude",
    FIRMWARE_PACKAGE,
    "--all-targets",
    "--",
    "-D",
    "warnings",
];

/// What came of one check.
pub struct Done {
    /// Its line of the table.
    pub row: Row,
    /// What cargo said, as it came.
    pub messages: Vec<u8>,
}

/// Look all code over, play all short scripts and build the core for further microcontrollers. The PC's tests
/// must be built: cargo holds their folder while it compiles, not while they run.
pub fn run(workspace: &Workspace, survey: &Survey) -> Vec<Done> {
    let host = [
        ("cargo fmt", "source", &FORMAT[..]),
        ("clippy", PC, &LINT),
        // Optimised as the battery is: a debug build would need many times as long.
        ("short scripts, all", PC, &optimised("programs")),
    ];
    let host = host.map(|(what, machine, arguments)| {
        check(what, machine, |messages| {
            cargo::run_quietly(&mut cargo::host(workspace, arguments), messages)
        })
    });
    let builds = FURTHER.map(|(target, features)| {
        check("the core builds", target, |messages| {
            build(workspace, survey, target, features, messages)
        })
    });
    let lints = [(CONSOLE, CONSOLE_PACKAGE), (CORTEX_M3, FIRMWARE_PACKAGE)];
    let lints = lints.map(|(target, package)| {
        check("clippy", target, |messages| {
            lint(workspace, survey, target, package, messages)
        })
    });
    host.into_iter().chain(lints).chain(builds).collect()
}

fn check(what: &str, machine: &str, job: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Done {
    let began = Instant::now();
    let mut messages = Vec::new();
    let result = job(&mut messages);
    Done {
        row: Row::of(what, machine, began, &result),
        messages,
    }
}

fn build(
    workspace: &Workspace,
    survey: &Survey,
    target: &str,
    features: &str,
    messages: &mut Vec<u8>,
) -> Result<()> {
    // Not optimised: there is no program to run, and `core` is compiled for it as well.
    let arguments = [
        "build",
        "--package",
        "overworld-runtime",
        "--features",
        features,
    ];
    let mut command = cargo::cross(workspace, survey, target, &arguments)?;
    cargo::run_quietly(&mut command, messages)
}

fn lint(
    workspace: &Workspace,
    survey: &Survey,
    target: &str,
    package: &str,
    messages: &mut Vec<u8>,
) -> Result<()> {
    let arguments = ["--package", package, "--", "-D", "warnings"];
    let command = cargo::cross_clippy(workspace, survey, target, &arguments)?;
    let mut command = command.ok_or_else(|| anyhow!("the compiler has no clippy: not linted"))?;
    cargo::run_quietly(&mut command, messages)
}
