//! Installs what is missing, or says how.

use std::fmt::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use overworld_tests::{complain, out};

use super::probe::{Machine, Os, System};
use super::{Fault, OLDEST, Origin, Survey, Tool, Version};

/// What a command is going to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The PlayStation's emulator.
    pub mednafen: bool,
    /// The microcontroller's emulator.
    pub qemu: bool,
    /// Clippy for the console's compiler.
    pub clippy: bool,
}

impl Needs {
    /// Compiler and linker, which everything needs.
    pub const BUILD: Self = Self {
        mednafen: false,
        qemu: false,
        clippy: false,
    };
    /// To show the demo.
    pub const BOOT: Self = Self {
        mednafen: true,
        qemu: false,
        clippy: false,
    };
    /// Everything.
    pub const ALL: Self = Self {
        mednafen: true,
        qemu: true,
        clippy: true,
    };
}

/// One thing that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// No compiler can be used.
    Compiler,
    /// No LLVM linker.
    Linker,
    /// The compiler has no clippy.
    Clippy,
    /// No PlayStation emulator.
    Mednafen,
    /// No Cortex-M3 emulator.
    Qemu,
}

impl Lack {
    /// Why the project wants it.
    fn reason(self) -> &'static str {
        match self {
            Self::Compiler => {
                "a Rust compiler with the sources of its library, to build `core` for the PlayStation and for microcontrollers"
            }
            Self::Linker => "LLVM's linker, which alone links all the targets",
            Self::Clippy => "clippy for that compiler, to lint the console's code",
            Self::Mednafen => "mednafen, the emulator that runs the PlayStation's programs",
            Self::Qemu => "QEMU for Arm, which runs the firmware on an emulated Cortex-M3",
        }
    }
}

/// What `needs` asks for and `survey` does not show.
pub fn lacks(survey: &Survey, needs: Needs) -> Vec<Lack> {
    let compiler = survey.compiler();
    let mut lacks = Vec::new();
    let mut lack = |absent: bool, what: Lack| {
        if absent {
            lacks.push(what);
        }
    };
    lack(compiler.is_none(), Lack::Compiler);
    lack(survey.linker.path().is_none(), Lack::Linker);
    // With no compiler at all the one that gets installed brings its own clippy along.
    lack(
        needs.clippy && compiler.is_none_or(|compiler| compiler.clippy.is_none()),
        Lack::Clippy,
    );
    lack(
        needs.mednafen && survey.mednafen.path().is_none(),
        Lack::Mednafen,
    );
    lack(needs.qemu && survey.qemu.path().is_none(), Lack::Qemu);
    lacks
}

/// The names Debian gives a compiler and its parts. `rustc-web` is the one that follows the
/// browsers and is updated within a release; `rustc` is the release's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    compiler: &'static str,
    sources: &'static str,
    clippy: &'static str,
}

const FAMILIES: [Family; 2] = [
    Family {
        compiler: "rustc-web",
        sources: "rust-web-src",
        clippy: "rust-web-clippy",
    },
    Family {
        compiler: "rustc",
        sources: "rust-src",
        clippy: "rust-clippy",
    },
];

impl Family {
    /// The first family whose compiler and sources the archive offers in one usable version.
    /// `candidate` answers the version that would be installed.
    pub fn choose(candidate: &dyn Fn(&str) -> Option<Version>) -> Option<Self> {
        FAMILIES.into_iter().find(|family| {
            let compiler = candidate(family.compiler);
            compiler.is_some_and(|found| found >= OLDEST) && compiler == candidate(family.sources)
        })
    }
}

/// The Debian packages that end the lacks.
pub fn packages(lacks: &[Lack], family: Family, survey: &Survey) -> Vec<&'static str> {
    let mut packages = Vec::new();
    for lack in lacks {
        match lack {
            Lack::Compiler => packages.extend([family.compiler, family.sources]),
            Lack::Linker => packages.push("lld"),
            // Clippy of a rustup toolchain is not Debian's to deliver: `for_debian` says so.
            Lack::Clippy => packages.push(family.clippy),
            Lack::Mednafen => packages.push("mednafen"),
            Lack::Qemu => packages.push("qemu-system-arm"),
        }
    }
    if packages.contains(&family.clippy) && !debian_can_lint(survey) {
        packages.retain(|package| *package != family.clippy);
    }
    packages
}

/// Whether the compiler in use is, or is going to be, the distribution's.
fn debian_can_lint(survey: &Survey) -> bool {
    survey
        .compiler()
        .is_none_or(|compiler| compiler.origin == Origin::System)
}

/// The commands for a person, where we do not install by ourselves.
pub fn commands(lacks: &[Lack], os: &Os, survey: &Survey) -> Vec<String> {
    let mut commands = Vec::new();
    if os.debian {
        let names = packages(lacks, FAMILIES[0], survey);
        if !names.is_empty() {
            let sudo = if os.root { "" } else { "sudo " };
            commands.push(format!("{sudo}apt-get update"));
            commands.push(format!(
                "{sudo}apt-get install --no-install-recommends {}",
                names.join(" ")
            ));
        }
        if lacks.contains(&Lack::Clippy) && !debian_can_lint(survey) {
            commands.extend(
                survey
                    .compiler()
                    .and_then(|compiler| rustup_clippy(&compiler.origin)),
            );
        }
        return commands;
    }
    for lack in lacks {
        match lack {
            Lack::Compiler => commands.push(
                "rustup toolchain install nightly --profile minimal --component rust-src --component clippy"
                    .to_owned(),
            ),
            // rustup's compiler brings rust-lld.
            Lack::Linker if lacks.contains(&Lack::Compiler) => {}
            Lack::Linker => commands.push("install LLVM's linker lld with the system's package manager".to_owned()),
            Lack::Clippy => {
                commands.extend(survey.compiler().and_then(|compiler| rustup_clippy(&compiler.origin)));
            }
            Lack::Mednafen => commands.push(
                "install mednafen 1.29 or later with the system's package manager".to_owned(),
            ),
            Lack::Qemu => commands.push(
                "install QEMU's qemu-system-arm with the system's package manager".to_owned(),
            ),
        }
    }
    commands
}

fn rustup_clippy(origin: &Origin) -> Option<String> {
    match origin {
        Origin::Rustup(name) => Some(format!("rustup component add clippy --toolchain {name}")),
        Origin::Chosen | Origin::System => None,
    }
}

/// The survey in words; every faulty installation is named.
pub fn describe(survey: &Survey) -> String {
    let mut text = String::new();
    let chosen = survey.compiler();
    for candidate in &survey.compilers {
        let (origin, place) = (&candidate.origin, candidate.rustc.display());
        let _ = match &candidate.verdict {
            Ok(compiler) if chosen == Some(compiler) => writeln!(
                text,
                "  compiler   {} {place} ({origin}), library sources in {}",
                compiler.release,
                compiler.sysroot.join("lib/rustlib/src").display()
            ),
            Ok(compiler) => writeln!(text, "    usable   {} {place} ({origin})", compiler.release),
            // A distribution without its own compiler is no fault.
            Err(Fault::Missing) if candidate.origin == Origin::System => Ok(()),
            Err(fault) => writeln!(text, "    unusable {place} ({origin}): {fault}"),
        };
    }
    if chosen.is_none() {
        let _ = writeln!(text, "  compiler   none that can be used");
    }
    if let Some(compiler) = chosen {
        let _ = match &compiler.clippy {
            Some(clippy) => writeln!(text, "  clippy     {}", clippy.display()),
            None => writeln!(text, "  clippy     none for this compiler"),
        };
    }
    for (name, tool) in [
        ("linker", &survey.linker),
        ("mednafen", &survey.mednafen),
        ("qemu", &survey.qemu),
    ] {
        let _ = match tool {
            Tool::Found(path, version) => {
                writeln!(text, "  {name:<10} {} ({version})", path.display())
            }
            Tool::Broken(path, why) => writeln!(
                text,
                "  {name:<10} {}: does not work: {why}",
                path.display()
            ),
            Tool::Missing => writeln!(text, "  {name:<10} not found"),
        };
    }
    text
}

/// What is to be said when everything was looked for.
pub fn closing(survey: &Survey) -> &'static str {
    match &lacks(survey, Needs::ALL)[..] {
        [] => "everything is there",
        [Lack::Clippy] => "everything is there but clippy for the console's code",
        _ => "something is missing",
    }
}

/// Something is missing and could not be installed.
#[derive(Debug)]
pub struct Missing {
    /// What.
    pub lacks: Vec<Lack>,
    /// What to do.
    advice: String,
}

impl Missing {
    /// Whether nothing but emulators is missing.
    pub fn only_emulators(&self) -> bool {
        self.lacks
            .iter()
            .all(|lack| matches!(lack, Lack::Mednafen | Lack::Qemu))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.advice)
    }
}

impl std::error::Error for Missing {}

/// Make sure that everything in `needs` is there; installs it where that is possible.
///
/// # Errors
/// Something is missing and cannot be installed here; the message says what and the commands.
pub fn ensure(needs: Needs) -> Result<Survey> {
    let survey = Survey::take(&Machine);
    let missing = lacks(&survey, needs);
    if missing.is_empty() {
        return Ok(survey);
    }
    out::complaint(format_args!("{}", describe(&survey)));
    if let Some(chosen) = unusable_choice(&survey) {
        bail!("{chosen}");
    }
    complain!("Missing:");
    for lack in &missing {
        complain!("  - {}", lack.reason());
    }
    let os = Machine.os();
    if !(os.debian && os.root) {
        // The survey above has said what; clippy alone is worth a word, but no halt.
        if missing == [Lack::Clippy] {
            return Ok(unlinted(survey, &os));
        }
        let advice = instructions(&missing, &os, &survey);
        return Err(Missing {
            lacks: missing,
            advice,
        }
        .into());
    }
    install(&missing, &survey)?;
    let survey = Survey::take(&Machine);
    let still = lacks(&survey, needs);
    if still.is_empty() {
        return Ok(survey);
    }
    if still == [Lack::Clippy] {
        return Ok(unlinted(survey, &os));
    }
    out::complaint(format_args!("{}", describe(&survey)));
    let advice = format!("the packages are installed, yet this is still missing: {still:?}");
    Err(Missing {
        lacks: still,
        advice,
    }
    .into())
}

/// Who names a compiler that cannot be used gets no other one instead.
fn unusable_choice(survey: &Survey) -> Option<String> {
    let chosen = survey
        .compilers
        .iter()
        .find(|candidate| candidate.origin == Origin::Chosen)?;
    let fault = chosen.verdict.as_ref().err()?;
    Some(format!(
        "OVERWORLD_RUSTC names {}: {fault}",
        chosen.rustc.display()
    ))
}

/// Lints are no reason to refuse a build: say that there will be none and how to change it.
fn unlinted(survey: Survey, os: &Os) -> Survey {
    complain!("The console's code will not be linted. To change that:");
    for command in commands(&[Lack::Clippy], os, &survey) {
        complain!("    {command}");
    }
    survey
}

fn instructions(missing: &[Lack], os: &Os, survey: &Survey) -> String {
    let mut text = format!("on {} this command installs nothing by itself", os.name);
    if os.debian && !os.root {
        text.push_str(" unless it runs as root");
    }
    text.push_str("; please run:\n");
    for command in commands(missing, os, survey) {
        let _ = writeln!(text, "    {command}");
    }
    if os.debian {
        text.push_str(&notes(&packages(missing, FAMILIES[0], survey)));
    }
    text.truncate(text.trim_end().len());
    text
}

/// What installing these packages may do to others.
fn notes(packages: &[&str]) -> String {
    let mut text = String::new();
    if packages.contains(&FAMILIES[0].compiler) {
        text.push_str(
            "Note: rustc-web conflicts with Debian's own packages rustc and rustup; a rustup from its own installer is not touched.\n",
        );
    }
    if packages.contains(&"qemu-system-arm") {
        text.push_str(
            "Note: qemu-system-arm may replace another version of qemu-utils and its companions.\n",
        );
    }
    text
}

/// Install with apt-get.
fn install(missing: &[Lack], survey: &Survey) -> Result<()> {
    let candidate = |package: &str| apt_candidate(package);
    let wants_compiler = missing.contains(&Lack::Compiler) || missing.contains(&Lack::Clippy);
    let mut family = Family::choose(&candidate);
    let mut updated = false;
    let unknown = packages(missing, FAMILIES[0], survey)
        .iter()
        .any(|name| apt_candidate(name).is_none());
    if unknown || (wants_compiler && family.is_none()) {
        update();
        updated = true;
        family = Family::choose(&candidate);
    }
    if missing.contains(&Lack::Compiler) && family.is_none() {
        let offers: Vec<String> = FAMILIES
            .iter()
            .map(|family| match apt_candidate(family.compiler) {
                Some(version) => format!("{} {version}", family.compiler),
                None => format!("no {}", family.compiler),
            })
            .collect();
        bail!(
            "{OLDEST} or later is needed, but this machine's package sources offer {}; Debian's security archive has a newer rustc-web",
            offers.join(" and ")
        );
    }
    let names = packages(missing, family.unwrap_or(FAMILIES[0]), survey);
    if names.is_empty() {
        return Ok(());
    }
    let simulated = apt(&names, true);
    if simulated.is_err() && !updated {
        update();
        updated = true;
    }
    let simulated = if simulated.is_err() {
        apt(&names, true)
    } else {
        simulated
    };
    let removals = removals(&simulated.context("apt-get cannot install these packages")?);
    if let Some(guarded) = removals.iter().find(|name| guarded(name)) {
        bail!(
            "installing {} would remove {guarded}, which you may be using; if you agree, run\n    apt-get install --no-install-recommends {}\n{}",
            names.join(" "),
            names.join(" "),
            notes(&names).trim_end()
        );
    }
    complain!("Installing from {}: {}", Machine.os().name, names.join(" "));
    if !removals.is_empty() {
        complain!("This replaces: {}", removals.join(" "));
    }
    out::complaint(format_args!("{}", notes(&names)));
    if let Err(error) = apt(&names, false) {
        // Old package lists name files that the archive has replaced since.
        if updated {
            return Err(error);
        }
        update();
        apt(&names, false)?;
    }
    Ok(())
}

/// Packages that we do not remove unasked: compilers somebody works with.
fn guarded(package: &str) -> bool {
    matches!(
        package,
        "rustc" | "cargo" | "rustup" | "rust-all" | "rust-src" | "rust-clippy"
    )
}

/// The packages that a simulated installation would remove (`Remv NAME [VERSION]`).
fn removals(simulation: &str) -> Vec<String> {
    let lines = simulation
        .lines()
        .filter_map(|line| line.strip_prefix("Remv "));
    lines
        .filter_map(|rest| rest.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

/// The version that `apt-cache policy` names as candidate.
fn candidate_in(policy: &str) -> Option<Version> {
    let line = policy
        .lines()
        .find_map(|line| line.trim().strip_prefix("Candidate:"))?;
    let value = line.trim();
    // An epoch (`1:7.2`) is no part of the version.
    Version::find(value.split_once(':').map_or(value, |(_, version)| version))
}

fn apt_candidate(package: &str) -> Option<Version> {
    let policy = Machine
        .output(Path::new("/usr/bin/apt-cache"), &["policy", package])
        .ok()?;
    candidate_in(&policy)
}

fn update() {
    complain!("Refreshing the package lists (apt-get update)");
    let status = Command::new("/usr/bin/apt-get")
        .args(["update", "-q"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    // A foreign archive that does not answer is common and does not matter here.
    if !status.is_ok_and(|status| status.success()) {
        complain!("apt-get update reported a fault; going on with the lists it got");
    }
}

fn apt(packages: &[&str], simulate: bool) -> Result<String> {
    let mut command = Command::new("/usr/bin/apt-get");
    command.args(["install", "-q", "--no-install-recommends"]);
    command
        .arg(if simulate { "-s" } else { "-y" })
        .args(packages);
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        .env("LC_ALL", "C")
        .stdin(Stdio::null());
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .context("apt-get does not start")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    out::complaint(format_args!("{text}"));
    bail!(
        "apt-get install {} failed ({})",
        packages.join(" "),
        output.status
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::tests::{Fake, debian, nightly};

    #[test]
    fn a_bare_debian_machine_needs_all_the_packages() {
        let fake = Fake::new();
        let survey = Survey::take(&fake);
        let missing = lacks(&survey, Needs::ALL);
        assert_eq!(
            missing,
            [
                Lack::Compiler,
                Lack::Linker,
                Lack::Clippy,
                Lack::Mednafen,
                Lack::Qemu
            ]
        );
        assert_eq!(
            packages(&missing, FAMILIES[0], &survey),
            [
                "rustc-web",
                "rust-web-src",
                "lld",
                "rust-web-clippy",
                "mednafen",
                "qemu-system-arm"
            ]
        );
        assert_eq!(lacks(&survey, Needs::BUILD), [Lack::Compiler, Lack::Linker]);
    }

    #[test]
    fn a_complete_machine_needs_nothing() {
        let mut fake = Fake::new();
        debian(&mut fake, "1.96.0", "1.96.0");
        fake.program(
            "/usr/bin/ld.lld",
            "--version",
            "LLD 19.1.7 (compatible with GNU linkers)",
        );
        assert_eq!(closing(&Survey::take(&fake)), "something is missing");
        fake.program("/usr/games/mednafen", "-help", "Starting Mednafen 1.29.0\n");
        fake.program(
            "/usr/bin/qemu-system-arm",
            "-machine help",
            "mps2-an385  ARM MPS2\n",
        );
        let unlinted = closing(&Survey::take(&fake));
        assert!(unlinted.ends_with("but clippy for the console's code"));
        fake.file("/usr/bin/cargo-clippy")
            .file("/usr/bin/clippy-driver");
        let survey = Survey::take(&fake);
        assert_eq!(lacks(&survey, Needs::ALL), []);
        assert_eq!(closing(&survey), "everything is there");
    }

    #[test]
    fn debians_clippy_does_not_help_a_rustup_compiler() {
        let mut fake = Fake::new();
        nightly(&mut fake, "1.98.0-nightly (0123456 2026-07-01)", true);
        let survey = Survey::take(&fake);
        assert_eq!(
            lacks(
                &survey,
                Needs {
                    clippy: true,
                    ..Needs::BUILD
                }
            ),
            [Lack::Clippy]
        );
        assert!(packages(&[Lack::Clippy], FAMILIES[0], &survey).is_empty());
        assert_eq!(
            commands(&[Lack::Clippy], &fake.os(), &survey),
            ["rustup component add clippy --toolchain nightly-x86_64-unknown-linux-gnu"]
        );
    }

    #[test]
    fn people_get_the_exact_commands() {
        let mut fake = Fake::new();
        fake.os.root = false;
        let survey = Survey::take(&fake);
        let missing = lacks(&survey, Needs::BOOT);
        assert_eq!(
            commands(&missing, &fake.os, &survey),
            [
                "sudo apt-get update",
                "sudo apt-get install --no-install-recommends rustc-web rust-web-src lld mednafen"
            ]
        );
        fake.os = Os {
            name: "Fedora Linux 42".to_owned(),
            debian: false,
            root: true,
        };
        let listed = commands(&missing, &fake.os, &survey);
        assert!(
            listed[0].starts_with("rustup toolchain install nightly "),
            "{listed:?}"
        );
        assert!(listed[0].contains("--component rust-src"), "{listed:?}");
        assert_eq!(
            listed.len(),
            2,
            "rustup's compiler brings its linker: {listed:?}"
        );
    }

    #[test]
    fn the_archive_must_offer_a_usable_pair() {
        let offer = |web: Option<Version>, web_src: Option<Version>, own: Option<Version>| {
            Family::choose(&move |package: &str| match package {
                "rustc-web" => web,
                "rust-web-src" => web_src,
                "rustc" | "rust-src" => own,
                _ => None,
            })
            .map(|family| family.compiler)
        };
        let v = |minor| {
            Some(Version {
                major: 1,
                minor,
                patch: 0,
            })
        };
        assert_eq!(offer(v(96), v(96), v(63)), Some("rustc-web"));
        assert_eq!(offer(v(104), v(104), None), Some("rustc-web"));
        assert_eq!(
            offer(v(85), v(85), v(63)),
            None,
            "the release's archive alone"
        );
        assert_eq!(offer(v(85), v(85), v(97)), Some("rustc"));
        assert_eq!(
            offer(v(96), v(85), None),
            None,
            "an archive between two updates"
        );
        assert_eq!(offer(None, None, None), None);
    }

    #[test]
    fn apt_is_understood() {
        let policy = "rustc-web:\n  Installed: (none)\n  Candidate: 1.96.0+dfsg1-1~deb12u2\n  Version table:\n     1.85.0+dfsg3-1~deb12u3 500\n";
        assert_eq!(
            candidate_in(policy),
            Some(Version {
                major: 1,
                minor: 96,
                patch: 0
            })
        );
        let epoch = "qemu-system-arm:\n  Candidate: 1:7.2+dfsg-7+deb12u18+b3\n";
        assert_eq!(
            candidate_in(epoch),
            Some(Version {
                major: 7,
                minor: 2,
                patch: 0
            })
        );
        assert_eq!(candidate_in("x:\n  Candidate: (none)\n"), None);
        assert_eq!(candidate_in(""), None);
        let simulation =
            "Inst rustc-web (1.96)\nRemv rustc [1.63.0+dfsg1-2]\nRemv qemu-utils [1:7.2]\n";
        assert_eq!(removals(simulation), ["rustc", "qemu-utils"]);
        assert!(notes(&["rustc-web"]).contains("conflicts"));
        assert!(notes(&["qemu-system-arm"]).contains("replace"));
        assert_eq!(notes(&["mednafen"]), "");
        assert!(guarded("rustc") && guarded("rustup") && !guarded("qemu-utils"));
    }
}
