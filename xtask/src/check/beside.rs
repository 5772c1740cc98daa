//! The checks that wait for nothing and that nothing waits for: they run beside the tests, whose programs
//! leave a core idle now and then, and are reported when both are done.

use std::time::Instant;

use anyhow::{Result, anyhow};

use super::table::Row;
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

/// What came of one check.
pub struct Done {
    /// Its line of the table.
    pub row: Row,
    /// What cargo said, as it came.
    pub messages: Vec<u8>,
}

/// Build the core for further microcontrollers and look the other machines' code over. All of it is in
/// the folder of [`Workspace::cross`], which the PC's cargo does not touch.
pub fn run(workspace: &Workspace, survey: &Survey) -> Vec<Done> {
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
    builds.into_iter().chain(lints).collect()
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
    let arguments = [
        "build",
        "--package",
        "overworld-runtime",
        "--features",
        features,
        "--profile",
        "firmware",
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
