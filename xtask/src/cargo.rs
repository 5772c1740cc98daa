//! Calls cargo: for the PC with the toolchain that runs us, for other machines with the compiler
//! that [`crate::toolchain`] found. The only place that composes a child's environment.

use std::env;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};
use overworld_tests::follow::{self, AtSignal, Line};
use overworld_tests::out;
use serde_json::Value;

use crate::toolchain::{CONSOLE, Survey};
use crate::workspace::Workspace;

/// The emulated microcontroller's target.
pub const CORTEX_M3: &str = "thumbv7m-none-eabi";

/// Why each flag is there.
///
/// * `-disable-mips-delay-filler` (console only): LLVM's delay slot filler can move a load into the
///   slot of a branch although the next executed instruction reads the loaded register, which MIPS I
///   does not protect (llvm/llvm-project#185427). Without the filler every slot is a nop, for about
///   nine per cent more code. The hazard scanner checks every linked image.
/// * `linker`: LLVM's, by its absolute path; a compiler of a distribution has none of its own and
///   looks for `rust-lld` in vain.
///
/// Linker scripts are not here: `build.rs` of each package passes them per
/// binary, so that all programs share one built `core`.
fn flags(target: &str, linker: &str) -> Vec<String> {
    let mut flags = vec![format!("-Clinker={linker}")];
    if target == CONSOLE {
        flags.push("-Cllvm-args=-disable-mips-delay-filler".to_owned());
    }
    flags
}

/// Whether a variable of our own environment must not reach a cargo that builds for another
/// machine. The cargo that runs us tells its children much about itself (toolchain, package,
/// library path), and flags that a person set for the PC would replace ours.
fn leaks(name: &str) -> bool {
    const KEPT: [&str; 9] = [
        "CARGO_HOME",
        "CARGO_NET_",
        "CARGO_HTTP_",
        "CARGO_REGISTRIES_",
        "CARGO_REGISTRY_",
        "CARGO_SOURCE_",
        "CARGO_TERM_",
        "CARGO_BUILD_JOBS",
        "CARGO_LOG",
    ];
    if name.starts_with("CARGO") {
        return !KEPT.iter().any(|kept| name.starts_with(kept));
    }
    name.starts_with("RUSTC")
        || name.starts_with("RUSTDOC")
        || matches!(
            name,
            "RUSTFLAGS" | "RUSTUP_TOOLCHAIN" | "LD_LIBRARY_PATH" | "OUT_DIR"
        )
}

/// Whether a variable describes the package `xtask` itself; of no use to a cargo for the PC.
fn own(name: &str) -> bool {
    name.starts_with("CARGO_PKG_")
        || name.starts_with("CARGO_MANIFEST_")
        || matches!(
            name,
            "CARGO_PRIMARY_PACKAGE" | "CARGO_BIN_NAME" | "CARGO_CRATE_NAME"
        )
}

fn without(command: &mut Command, unwanted: fn(&str) -> bool) {
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(unwanted) {
            command.env_remove(name);
        }
    }
}

/// The cargo that runs us.
fn ours() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// A cargo for programs of the PC.
pub fn host(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = Command::new(ours());
    without(&mut command, own);
    command
        .args(arguments)
        .current_dir(&workspace.root)
        .stdin(Stdio::null());
    command.env("CARGO_TARGET_DIR", &workspace.target);
    command
}

/// A cargo for programs of another machine, `core` included.
///
/// # Errors
/// Compiler or linker is missing.
pub fn cross(
    workspace: &Workspace,
    survey: &Survey,
    target: &str,
    arguments: &[&str],
) -> Result<Command> {
    let compiler = survey
        .compiler()
        .context("there is no compiler; run `cargo xtask setup`")?;
    let cargo = compiler
        .cargo
        .clone()
        .map_or_else(ours, PathBuf::into_os_string);
    prepared(workspace, survey, target, Command::new(cargo), arguments)
}

/// Clippy for another machine's code; `None` when the compiler has none.
///
/// # Errors
/// Compiler or linker is missing.
pub fn cross_clippy(
    workspace: &Workspace,
    survey: &Survey,
    target: &str,
    arguments: &[&str],
) -> Result<Option<Command>> {
    let compiler = survey
        .compiler()
        .context("there is no compiler; run `cargo xtask setup`")?;
    let Some(clippy) = &compiler.clippy else {
        return Ok(None);
    };
    // The PC's clippy would come first on the path, and it cannot read MIPS assembly.
    let command = Command::new(clippy);
    prepared(
        workspace,
        survey,
        target,
        command,
        &[&["clippy"], arguments].concat(),
    )
    .map(Some)
}

fn prepared(
    workspace: &Workspace,
    survey: &Survey,
    target: &str,
    mut command: Command,
    arguments: &[&str],
) -> Result<Command> {
    let compiler = survey
        .compiler()
        .context("there is no compiler; run `cargo xtask setup`")?;
    let linker = survey
        .linker
        .path()
        .context("there is no linker; run `cargo xtask setup`")?;
    let linker = linker.to_str().context("the linker's path is not UTF-8")?;
    // Arguments may end with those of a tool behind cargo, after `--`.
    let (first, rest) = arguments.split_first().context("cargo needs a command")?;
    without(&mut command, leaks);
    command
        .args([first, "--target", target, "-Zbuild-std=core"])
        .args(rest)
        .env(
            "CARGO",
            compiler
                .cargo
                .clone()
                .map_or_else(ours, PathBuf::into_os_string),
        )
        .current_dir(&workspace.root)
        .stdin(Stdio::null())
        .env("CARGO_TARGET_DIR", workspace.cross())
        // Absolute, or even the distribution's cargo would take rustup's compiler from the path.
        .env("RUSTC", &compiler.rustc)
        // A released compiler takes `-Z` only with this.
        .env("RUSTC_BOOTSTRAP", "1")
        // Encoded, so that a path may contain spaces.
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            flags(target, linker).join("\u{1f}"),
        );
    Ok(command)
}

/// A program that cargo built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name of the binary target.
    pub name: String,
    /// The linked ELF (`NAME.exe` for the console: not a PS-EXE).
    pub elf: PathBuf,
}

/// Build with `command` (a `cargo build` from [`cross`] or [`host`]) and answer the programs, and
/// whether all went well. One that does not compile does not keep the others from it; cargo has said
/// why by then.
///
/// # Errors
/// Cargo does not start or cannot be followed.
pub fn build(mut command: Command) -> Result<(Vec<Program>, Result<()>)> {
    command.args([
        "--keep-going",
        "--message-format",
        "json-render-diagnostics",
    ]);
    let mut programs = Vec::new();
    command.stdout(Stdio::piped());
    let mut on_line = |line: &[u8]| {
        if let Ok(message) = serde_json::from_slice::<Value>(line) {
            programs.extend(program(&message));
        }
        true
    };
    let status = followed(&mut command, &mut on_line, &mut print_message)?;
    Ok((programs, success(status, &command)))
}

/// The program in one of cargo's JSON messages.
fn program(message: &Value) -> Option<Program> {
    if message["reason"] != "compiler-artifact" {
        return None;
    }
    Some(Program {
        name: message["target"]["name"].as_str()?.to_owned(),
        elf: PathBuf::from(message["executable"].as_str()?),
    })
}

/// Run a cargo whose output is for people, later: its messages, and behind them what a program that it starts
/// prints, are put behind `messages`; only the noise is taken out.
///
/// # Errors
/// Cargo does not start, or fails; why stands in `messages`.
pub fn run_quietly(command: &mut Command, messages: &mut Vec<u8>) -> Result<()> {
    command.stdout(Stdio::piped());
    let mut printed = Vec::new();
    let mut print = |line: &[u8]| {
        printed.extend_from_slice(line);
        true
    };
    let mut keep = |line: &[u8]| messages.extend_from_slice(line);
    let status = followed(command, &mut print, &mut keep);
    messages.append(&mut printed);
    success(status?, command)
}

/// Hand a line of cargo's messages on to standard error.
fn print_message(line: &[u8]) {
    let _ = std::io::stderr().lock().write_all(line);
}

/// Run a cargo and hand every line of its output to `on_line`, which answers whether to print
/// it; answers whether cargo succeeded.
///
/// # Errors
/// Cargo does not start.
pub fn follow(command: &mut Command, mut on_line: impl FnMut(&str) -> bool) -> Result<ExitStatus> {
    command.stdout(Stdio::piped());
    let mut on_line = |line: &[u8]| {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        // Where nobody listens cargo would work on for nobody.
        !on_line(text) || out::try_text(format_args!("{text}\n"))
    };
    followed(command, &mut on_line, &mut print_message)
}

/// Run a cargo, which ends with us; `on_line` sees the lines of its standard output, if that is a pipe,
/// and answers whether cargo is to go on; `on_message` sees those of its messages that mean something.
fn followed(
    command: &mut Command,
    on_line: &mut dyn FnMut(&[u8]) -> bool,
    on_message: &mut dyn FnMut(&[u8]),
) -> Result<ExitStatus> {
    colour(command);
    command.stderr(Stdio::piped());
    let status = follow::follow(command, AtSignal::EndIt, &mut |line| {
        let go_on = match line {
            Line::Out(line) => on_line(&line),
            Line::Err(line) => {
                if !is_noise(&String::from_utf8_lossy(&line)) {
                    on_message(&line);
                }
                true
            }
        };
        match go_on {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    status.with_context(|| format!("cannot run {}", words(command)))
}

fn success(status: ExitStatus, command: &Command) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    bail!("{} failed ({status})", words(command))
}

fn words(command: &Command) -> String {
    let arguments = command
        .get_args()
        .map(|word| word.to_string_lossy().into_owned());
    let words = std::iter::once(command.get_program().to_string_lossy().into_owned());
    words.chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Whether a line means nothing: the compiler remarks once a crate that its MIPS-I support is
/// experimental, cargo repeats it from memory, and everything else would drown in it.
fn is_noise(line: &str) -> bool {
    uncoloured(line).trim() == "warning: MIPS-I support is experimental"
}

/// A line without the terminal's colour codes.
pub fn uncoloured(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after
            .split_once(|c: char| c.is_ascii_alphabetic())
            .map_or("", |(_, tail)| tail);
    }
    plain.push_str(rest);
    plain
}

/// Keep cargo's colours although its messages go through us.
fn colour(command: &mut Command) {
    let wanted = std::io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none();
    if wanted && env::var_os("CARGO_TERM_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "always");
    }
}

/// The binary targets of a package.
///
/// # Errors
/// Cargo fails or its answer cannot be read.
pub fn binaries(workspace: &Workspace, package: &str) -> Result<Vec<String>> {
    Ok(binaries_in(&metadata(workspace)?, package))
}

/// What cargo says of the workspace's own packages.
fn metadata(workspace: &Workspace) -> Result<Value> {
    let mut command = host(
        workspace,
        &["metadata", "--no-deps", "--format-version", "1"],
    );
    command.stdout(Stdio::piped());
    let mut answer = Vec::new();
    let mut on_line = |line: &[u8]| {
        answer.extend_from_slice(line);
        true
    };
    let status = followed(&mut command, &mut on_line, &mut print_message)?;
    success(status, &command)?;
    serde_json::from_slice(&answer).context("cargo metadata")
}

fn binaries_in(metadata: &Value, package: &str) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"])
        .into_iter()
        .filter(|found| found["name"] == package);
    let targets = packages.flat_map(|found| list(&found["targets"]));
    targets
        .filter(|target| list(&target["kind"]).iter().any(|kind| kind == "bin"))
        .filter_map(|target| target["name"].as_str().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain `cargo test` runs every test that needs no other machine's programs.
    #[test]
    fn the_firmware_alone_is_left_out_of_plain_commands() {
        let metadata = metadata(&Workspace::find().unwrap()).unwrap();
        let names = |key: &str| -> std::collections::BTreeSet<String> {
            let ids = metadata[key].as_array().unwrap().iter();
            let packages = metadata["packages"].as_array().unwrap();
            let name = |id: &Value| {
                let found = packages.iter().find(|package| package["id"] == *id);
                found.unwrap()["name"].as_str().unwrap().to_owned()
            };
            ids.map(name).collect()
        };
        let (all, plain) = (
            names("workspace_members"),
            names("workspace_default_members"),
        );
        assert_eq!(
            all.difference(&plain).collect::<Vec<_>>(),
            [crate::build::FIRMWARE_PACKAGE]
        );
    }

    #[test]
    fn a_childs_environment_is_clean() {
        for leak in [
            "CARGO",
            "CARGO_MANIFEST_DIR",
            "CARGO_PKG_NAME",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_TARGET_DIR",
            "CARGO_BUILD_TARGET",
            "CARGO_BUILD_RUSTFLAGS",
            "CARGO_PROFILE_RELEASE_LTO",
            "CARGO_INCREMENTAL",
            "RUSTC",
            "RUSTC_WRAPPER",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTFLAGS",
            "RUSTDOCFLAGS",
            "RUSTUP_TOOLCHAIN",
            "LD_LIBRARY_PATH",
        ] {
            assert!(leaks(leak), "{leak}");
        }
        for kept in [
            "CARGO_HOME",
            "CARGO_NET_OFFLINE",
            "CARGO_HTTP_PROXY",
            "CARGO_REGISTRIES_CRATES_IO_PROTOCOL",
            "CARGO_SOURCE_CRATES_IO_REPLACE_WITH",
            "CARGO_TERM_COLOR",
            "CARGO_BUILD_JOBS",
            "RUSTUP_HOME",
            "RUST_BACKTRACE",
            "PATH",
            "HOME",
        ] {
            assert!(!leaks(kept), "{kept}");
        }
        assert!(own("CARGO_PKG_VERSION") && own("CARGO_MANIFEST_DIR"));
        assert!(!own("RUSTUP_TOOLCHAIN") && !own("CARGO_TARGET_DIR"));
    }

    #[test]
    fn only_the_console_loses_its_delay_slot_filler() {
        let filler = "-Cllvm-args=-disable-mips-delay-filler".to_owned();
        assert!(flags(CONSOLE, "/lld").contains(&filler));
        assert!(!flags(CORTEX_M3, "/lld").contains(&filler));
        assert!(flags(CORTEX_M3, "/a b/lld").contains(&"-Clinker=/a b/lld".to_owned()));
    }

    #[test]
    fn the_remark_about_mips_goes_and_the_rest_stays() {
        assert!(is_noise("warning: MIPS-I support is experimental\n"));
        assert!(is_noise(
            "\u{1b}[33mwarning\u{1b}[0m: MIPS-I support is experimental\r\n"
        ));
        for said in [
            "   Compiling core v0.0.0\n",
            "\n",
            "warning: unused variable: `x`\n",
            "warning: `overworld-psx` (lib) generated 1 warning\n",
            "error: MIPS-I support is experimental\n",
        ] {
            assert!(!is_noise(said), "{said}");
        }
    }

    /// With a program that does not compile the others are built.
    #[test]
    fn one_bad_program_does_not_keep_back_a_good_one() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        std::fs::create_dir_all(folder.path().join("src/bin")).unwrap();
        write(
            "Cargo.toml",
            "[package]\nname = \"p\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n",
        );
        write("src/bin/bad.rs", "fn main() { nonsense }");
        write("src/bin/good.rs", "fn main() {}");
        let build = || {
            let mut command = Command::new(ours());
            without(&mut command, leaks);
            command.args(["build", "--offline"]);
            command.current_dir(folder.path());
            let (programs, status) = build(command).unwrap();
            let names: Vec<String> = programs.into_iter().map(|program| program.name).collect();
            (names, status)
        };
        let (names, status) = build();
        assert_eq!(names, ["good"]);
        let error = status.unwrap_err().to_string();
        assert!(error.contains("failed (exit status: 101)"), "{error}");
        write("src/bin/bad.rs", "fn main() {}");
        let (mut names, status) = build();
        names.sort();
        assert!(names == ["bad", "good"] && status.is_ok());
    }

    #[test]
    fn cargos_messages_are_read() {
        let message = serde_json::json!({
            "reason": "compiler-artifact",
            "target": {"name": "demo", "kind": ["bin"]},
            "executable": "/t/mipsel-sony-psx/console/demo.exe"
        });
        let found = program(&message).unwrap();
        assert_eq!(
            (found.name.as_str(), found.elf.to_str()),
            ("demo", Some("/t/mipsel-sony-psx/console/demo.exe"))
        );
        let library = serde_json::json!({"reason": "compiler-artifact", "target": {"name": "core"}, "executable": null});
        assert_eq!(program(&library), None);
        let metadata = serde_json::json!({"packages": [
            {"name": "other", "targets": [{"name": "no", "kind": ["bin"]}]},
            {"name": "p", "targets": [{"name": "p", "kind": ["lib"]}, {"name": "demo", "kind": ["bin"]}, {"name": "t", "kind": ["test"]}]}
        ]});
        assert_eq!(binaries_in(&metadata, "p"), ["demo"]);
    }
}
