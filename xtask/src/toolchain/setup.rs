//! Installs what is missing, or says how.

use std::fmt::{self, Write as _};

use anyhow::{Result, bail};
use overworld_tests::{complain, mednafen, out, qemu};

use super::apt::{self, Family};
use super::probe::{Machine, Manager, Os, System};
use super::{Fault, OLDEST, Origin, Survey, Tool};

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

/// The commands for a person, where we do not install by ourselves. `family` is what Debian's archive
/// has of a compiler: with none it comes from rustup.
fn commands(lacks: &[Lack], os: &Os, survey: &Survey, family: Option<Family>) -> Vec<String> {
    let mut commands = Vec::new();
    let packages = if os.debian {
        apt::packages(lacks, family, survey)
    } else {
        Vec::new()
    };
    if !packages.is_empty() {
        let sudo = if os.root { "" } else { "sudo " };
        commands.push(format!("{sudo}apt-get update"));
        commands.push(format!(
            "{sudo}apt-get install --no-install-recommends {}",
            packages.join(" ")
        ));
    }
    let of_rustup = family.is_none() || !os.debian;
    for lack in lacks {
        match lack {
            Lack::Compiler if of_rustup => commands.push(
                "rustup toolchain install nightly --profile minimal --component rust-src --component clippy"
                    .to_owned(),
            ),
            Lack::Clippy => {
                commands.extend(survey.compiler().and_then(|compiler| rustup_clippy(&compiler.origin)));
            }
            Lack::Compiler => {}
            // With packages the rest is among them.
            _ if os.debian => {}
            // rustup's compiler brings rust-lld.
            Lack::Linker if lacks.contains(&Lack::Compiler) => {}
            Lack::Linker | Lack::Mednafen | Lack::Qemu => {
                let manager = os.manager.map(|it| (it.install, it.package(lack)));
                commands.push(match (manager, lack) {
                    (Some((install, Some(package))), _) => format!("{install} {package}"),
                    (_, Lack::Linker) => by_hand("LLVM's linker lld"),
                    (_, Lack::Mednafen) => by_hand("mednafen 1 (1.29 is what the tests know)"),
                    _ => by_hand("QEMU's qemu-system-arm"),
                });
            }
        }
    }
    commands
}

/// Where we do not know what the package is called.
fn by_hand(what: &str) -> String {
    format!("install {what} with the system's package manager")
}

impl Manager {
    /// What it calls what is lacking, if it has it.
    fn package(&self, lack: &Lack) -> Option<&'static str> {
        match lack {
            Lack::Linker => Some(self.lld),
            Lack::Mednafen => Some(self.mednafen),
            Lack::Qemu => Some(self.qemu),
            _ => None,
        }
    }
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
    ensure_on(&Machine, needs)
}

pub(super) fn ensure_on(system: &dyn System, needs: Needs) -> Result<Survey> {
    let survey = Survey::take(system);
    let missing = lacks(&survey, needs);
    if missing.is_empty() {
        return Ok(survey);
    }
    out::complaint(format_args!("{}", describe(&survey)));
    if let Some((lack, advice)) = unusable_choice(system, &survey, needs) {
        return Err(Missing {
            lacks: vec![lack],
            advice,
        }
        .into());
    }
    // Without these nothing can be tried, so nothing is known to be missing, and nothing could be
    // installed.
    if let Err(why) = system.scratch() {
        bail!("the folder for temporary files, which TMPDIR can name, is of no use: {why}");
    }
    complain!("Missing:");
    for lack in &missing {
        complain!("  - {}", lack.reason());
    }
    let os = system.os();
    let (survey, missing) = if os.debian && os.root {
        apt::install(system, &missing, &survey)?;
        let survey = Survey::take(system);
        let still = lacks(&survey, needs);
        if still.is_empty() {
            return Ok(survey);
        }
        // What there is now is news; the survey above has said the rest.
        if still != [Lack::Clippy] {
            out::complaint(format_args!("{}", describe(&survey)));
        }
        (survey, still)
    } else {
        (survey, missing)
    };
    // Clippy alone is worth a word, but no halt.
    if missing == [Lack::Clippy] {
        return Ok(unlinted(system, survey));
    }
    let advice = instructions(system, &missing, &survey);
    Err(Missing {
        lacks: missing,
        advice,
    }
    .into())
}

/// Who names a compiler or an emulator that cannot be used gets no other one instead.
fn unusable_choice(system: &dyn System, survey: &Survey, needs: Needs) -> Option<(Lack, String)> {
    let mut compilers = survey.compilers.iter();
    let chosen = compilers.find(|candidate| candidate.origin == Origin::Chosen);
    if let Some(Err(fault)) = chosen.map(|chosen| &chosen.verdict) {
        let rustc = chosen?.rustc.display();
        let why = format!("OVERWORLD_RUSTC names {rustc}: {fault}");
        return Some((Lack::Compiler, why));
    }
    let emulators = [
        (
            needs.mednafen.then_some(Lack::Mednafen),
            mednafen::PROGRAM_VARIABLE,
            &survey.mednafen,
        ),
        (
            needs.qemu.then_some(Lack::Qemu),
            qemu::PROGRAM_VARIABLE,
            &survey.qemu,
        ),
    ];
    emulators
        .into_iter()
        .find_map(|(lack, variable, tool)| match tool {
            Tool::Broken(path, why) if system.variable(variable).is_some() => {
                Some((lack?, format!("{variable} names {}: {why}", path.display())))
            }
            _ => None,
        })
}

/// What Debian's archive has of a compiler; nothing elsewhere.
fn family(system: &dyn System, survey: &Survey) -> Option<Family> {
    let candidate = |package: &str| apt::candidate(system, package);
    Family::choose(survey, &candidate).filter(|_| system.os().debian)
}

/// Lints are no reason to refuse a build: say that there will be none and how to change it.
fn unlinted(system: &dyn System, survey: Survey) -> Survey {
    let family = family(system, &survey);
    let commands = commands(&[Lack::Clippy], &system.os(), &survey, family);
    if commands.is_empty() {
        complain!("The console's code will not be linted: there is no clippy for this compiler.");
    } else {
        complain!("The console's code will not be linted. To change that:");
    }
    for command in commands {
        complain!("    {command}");
    }
    survey
}

/// What a person has to do. Where packages could be installed, that has been tried before.
fn instructions(system: &dyn System, missing: &[Lack], survey: &Survey) -> String {
    let os = system.os();
    let family = family(system, survey);
    let no_compiler = os.debian && missing.contains(&Lack::Compiler) && family.is_none();
    if os.debian && os.root && !no_compiler {
        return format!("the packages are installed, yet this is still missing: {missing:?}");
    }
    let mut text = String::new();
    if no_compiler {
        let _ = writeln!(
            text,
            "Rust {OLDEST} or later is needed, with matching sources, but this machine's package sources offer {}; Debian's security archive has a newer rustc-web, rustup has nightlies",
            apt::offers(system)
        );
    }
    if !(os.debian && os.root) {
        let _ = write!(
            text,
            "on {} this command installs nothing by itself",
            os.name
        );
        if os.debian {
            text.push_str(" unless it runs as root");
        }
        text.push_str("; ");
    }
    text.push_str("please run:\n");
    for command in commands(missing, &os, survey, family) {
        let _ = writeln!(text, "    {command}");
    }
    if os.debian {
        text.push_str(&apt::notes(&apt::packages(missing, family, survey)));
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::apt::FAMILIES;
    use crate::toolchain::probe::MANAGERS;
    use crate::toolchain::tests::{Acted, Fake, debian, nightly};

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
            apt::packages(&missing, Some(FAMILIES[0]), &survey),
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

    /// What a set-up costs where all is there: a second one, too, starts each program once, and neither a manager of
    /// packages nor a question to the archive. These few answer in much less than the two seconds that it may take.
    #[test]
    fn a_set_up_that_has_nothing_to_do_starts_few_programs() {
        let mut fake = complete();
        fake.program("/usr/games/mednafen", "-help", "Starting Mednafen 1.29.0\n");
        fake.program("/usr/bin/qemu-system-arm", "-machine help", "mps2-an385\n");
        fake.file("/usr/bin/cargo-clippy")
            .file("/usr/bin/clippy-driver");
        for _ in 0..2 {
            let survey = ensure_on(&fake, Needs::ALL).unwrap();
            assert_eq!(closing(&survey), "everything is there");
            // `Fake` lets no `apt-get` run.
            assert_eq!(
                fake.started.take(),
                [
                    "/usr/bin/rustc -vV",
                    "/usr/bin/rustc --print target-list",
                    "/usr/bin/rustc --print sysroot",
                    "/usr/bin/ld.lld --version",
                    "/usr/games/mednafen -help",
                    "/usr/bin/qemu-system-arm -machine help",
                ]
            );
        }
        // Of rustup's compilers each is asked the same three questions.
        nightly(&mut fake, "1.98.0-nightly (0123456 2026-07-01)", true);
        assert!(ensure_on(&fake, Needs::BOOT).is_ok());
        assert_eq!(fake.started.take().len(), 9);
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
        assert!(apt::packages(&[Lack::Clippy], Some(FAMILIES[0]), &survey).is_empty());
        assert_eq!(
            commands(&[Lack::Clippy], &fake.os(), &survey, None),
            ["rustup component add clippy --toolchain nightly-x86_64-unknown-linux-gnu"]
        );
    }

    /// What a person is told.
    fn told(fake: &Fake, needs: Needs) -> String {
        ensure_on(fake, needs).unwrap_err().to_string()
    }

    #[test]
    fn people_get_the_exact_commands() {
        let mut fake = Fake::new();
        fake.os.root = false;
        fake.offers("rustc-web", "1.96.0+dfsg1-1~deb12u2")
            .offers("rust-web-src", "1.96.0+dfsg1-1~deb12u2");
        assert_eq!(
            told(&fake, Needs::BOOT).lines().collect::<Vec<_>>(),
            [
                "on Debian GNU/Linux 12 this command installs nothing by itself unless it runs as root; please run:",
                "    sudo apt-get update",
                "    sudo apt-get install --no-install-recommends rustc-web rust-web-src lld mednafen",
                "Note: rustc-web conflicts with Debian's own packages rustc and rustup; a rustup from its own installer is not touched.",
            ]
        );
        fake.os = Os {
            name: "Fedora Linux 42".to_owned(),
            debian: false,
            manager: None,
            root: true,
        };
        let told = told(&fake, Needs::BOOT);
        let listed: Vec<&str> = told.lines().skip(1).collect();
        assert!(
            listed[0].starts_with("    rustup toolchain install nightly "),
            "{listed:?}"
        );
        assert!(listed[0].contains("--component rust-src"), "{listed:?}");
        assert_eq!(
            listed.len(),
            2,
            "rustup's compiler brings its linker: {listed:?}"
        );
        assert_eq!(
            listed[1],
            "    install mednafen 1 (1.29 is what the tests know) with the system's package manager"
        );
        fake.os.manager = MANAGERS.iter().find(|it| it.install == "brew install");
        let survey = Survey::take(&fake);
        let all = [Lack::Linker, Lack::Mednafen, Lack::Qemu];
        assert_eq!(
            commands(&all, &fake.os, &survey, None),
            [
                "brew install lld",
                "brew install mednafen",
                "brew install qemu"
            ]
        );
    }

    /// Ubuntu is Debian by its ID_LIKE, and has no rustc-web.
    #[test]
    fn where_the_archive_has_no_usable_compiler_rustup_is_named() {
        let mut ubuntu = Fake::new();
        ubuntu.os.name = "Ubuntu 24.04 LTS".to_owned();
        ubuntu.os.root = false;
        ubuntu
            .offers("rustc", "1.75.0+dfsg0ubuntu1-0ubuntu7")
            .offers("rust-src", "1.75.0+dfsg0ubuntu1-0ubuntu7");
        let told = told(&ubuntu, Needs::ALL);
        let lines: Vec<&str> = told.lines().collect();
        assert!(
            lines[0].contains("offer no rustc-web and rustc 1.75.0;"),
            "{told}"
        );
        assert_eq!(
            lines[2..],
            [
                "    sudo apt-get update",
                "    sudo apt-get install --no-install-recommends mednafen qemu-system-arm",
                "    rustup toolchain install nightly --profile minimal --component rust-src --component clippy",
                "Note: qemu-system-arm may replace another version of qemu-utils and its companions.",
            ]
        );
        // A release whose own compiler is new enough needs no rustup.
        ubuntu
            .offers("rustc", "1.97.0")
            .offers("rust-src", "1.97.0");
        let told = self::told(&ubuntu, Needs::BUILD);
        assert!(
            told.contains("install --no-install-recommends rustc rust-src lld"),
            "{told}"
        );
        assert!(!told.contains("rustup toolchain"), "{told}");
    }

    /// As root on bookworm without the security archive: the emulators are installed, the compiler
    /// is named with its command.
    #[test]
    fn root_without_a_usable_archive_gets_the_command_too() {
        let mut before = Fake::new();
        before
            .offers("rustc-web", "1.85.0+dfsg3-1~deb12u3")
            .offers("rust-web-src", "1.85.0+dfsg3-1~deb12u3")
            .offers("mednafen", "1.29.0+dfsg-2");
        let mut after = Fake::new();
        after.offers("rustc-web", "1.85.0+dfsg3-1~deb12u3").program(
            "/usr/games/mednafen",
            "-help",
            "Starting Mednafen 1.29.0\n",
        );
        let acted = Acted::new(before)
            .step("update -q", Ok(""))
            .step("install -q --no-install-recommends -s mednafen", Ok(""))
            .step(
                "install -q --no-install-recommends -y --download-only mednafen",
                Ok(""),
            )
            .change("install -q --no-install-recommends -y mednafen", after);
        let error = ensure_on(&acted, Needs::BOOT).unwrap_err();
        let missing = error.downcast_ref::<Missing>().unwrap();
        assert_eq!(missing.lacks, [Lack::Compiler, Lack::Linker]);
        let told = error.to_string();
        assert!(
            told.contains("offer rustc-web 1.85.0 and no rustc;"),
            "{told}"
        );
        assert!(
            told.ends_with("please run:\n    rustup toolchain install nightly --profile minimal --component rust-src --component clippy"),
            "{told}"
        );
        acted.done();
    }

    /// Debian with all that is wanted.
    fn complete() -> Fake {
        let mut fake = Fake::new();
        debian(&mut fake, "1.96.0", "1.96.0");
        fake.program("/usr/bin/ld.lld", "--version", "LLD 19.1.7");
        fake
    }

    /// An archive with a usable compiler, and its linker.
    fn archive() -> Fake {
        let mut fake = Fake::new();
        fake.offers("rustc-web", "1.96.0")
            .offers("rust-web-src", "1.96.0")
            .offers("lld", "1:14.0-55.7");
        fake
    }

    const SIMULATE: &str = "install -q --no-install-recommends -s rustc-web rust-web-src lld";
    const FETCH: &str =
        "install -q --no-install-recommends -y --download-only rustc-web rust-web-src lld";
    const INSTALL: &str = "install -q --no-install-recommends -y rustc-web rust-web-src lld";

    #[test]
    fn root_gets_what_is_missing() {
        let acted = Acted::new(archive())
            .step(
                SIMULATE,
                Ok("Inst rustc-web (1.96)\nRemv qemu-utils [1:7.2]\n"),
            )
            .step(FETCH, Ok(""))
            .change(INSTALL, complete());
        assert!(ensure_on(&acted, Needs::BUILD).is_ok());
        acted.done();
        // What is there is not installed again: no step is asked for.
        assert!(ensure_on(&acted, Needs::BUILD).is_ok());
    }

    #[test]
    fn lists_are_refreshed_when_they_know_too_little_or_too_old_files() {
        // No list yet.
        let acted = Acted::new(Fake::new())
            .change("update -q", archive())
            .step(SIMULATE, Ok(""))
            .step(FETCH, Ok(""))
            .change(INSTALL, complete());
        assert!(ensure_on(&acted, Needs::BUILD).is_ok());
        acted.done();
        // Files that the archive has replaced since; a fault of another archive does not matter.
        let acted = Acted::new(archive())
            .step(SIMULATE, Ok(""))
            .step(FETCH, Err("404 Not Found"))
            .step("update -q", Err("a foreign archive does not answer"))
            .step(FETCH, Ok(""))
            .change(INSTALL, complete());
        assert!(ensure_on(&acted, Needs::BUILD).is_ok());
        acted.done();
        // Dependencies that are not there: once more after an update, then no more.
        let acted = Acted::new(archive())
            .step(SIMULATE, Err("unmet dependencies"))
            .step("update -q", Ok(""))
            .step(SIMULATE, Err("unmet dependencies"));
        let error = ensure_on(&acted, Needs::BUILD).unwrap_err().to_string();
        assert!(
            error.contains("rustc-web rust-web-src lld failed (unmet dependencies)"),
            "{error}"
        );
        acted.done();
        let acted = Acted::new(Fake::new())
            .change("update -q", archive())
            .step(SIMULATE, Ok(""))
            .step(FETCH, Ok(""))
            .step(INSTALL, Err("the disk is full"));
        let error = ensure_on(&acted, Needs::BUILD).unwrap_err().to_string();
        assert!(error.contains("the disk is full"), "{error}");
        acted.done();
    }

    #[test]
    fn a_compiler_that_somebody_may_use_is_not_removed() {
        let acted = Acted::new(archive()).step(
            SIMULATE,
            Ok("Remv libstd-rust-dev [1.63]\nRemv rustc [1.63.0+dfsg1-2]\n"),
        );
        let error = ensure_on(&acted, Needs::BUILD).unwrap_err().to_string();
        assert!(
            error.contains("would remove rustc, which you may be using"),
            "{error}"
        );
        assert!(
            error
                .contains("    apt-get install --no-install-recommends rustc-web rust-web-src lld"),
            "{error}"
        );
        acted.done();
    }

    /// Neither is an emulator missing that could not be tried, nor could it be installed.
    #[test]
    fn a_folder_for_temporary_files_that_is_of_no_use_is_refused_before_anything_is_installed() {
        let mut machine = complete();
        machine.no_scratch = Some("no folder can be made in /nowhere: entity not found".to_owned());
        let acted = Acted::new(machine);
        let error = ensure_on(&acted, Needs::BOOT).unwrap_err().to_string();
        assert!(
            error.contains("TMPDIR") && error.contains("/nowhere"),
            "{error}"
        );
        acted.done();
        // What needs nothing more is not held up.
        assert!(ensure_on(&acted, Needs::BUILD).is_ok());
    }

    #[test]
    fn packages_that_do_not_help_are_named() {
        let mut broken = archive();
        debian(&mut broken, "1.96.0", "1.85.0");
        let acted = Acted::new(archive())
            .step(SIMULATE, Ok(""))
            .step(FETCH, Ok(""))
            .change(INSTALL, broken);
        let error = ensure_on(&acted, Needs::BUILD).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("still missing: [Compiler, Linker]"),
            "{error}"
        );
    }

    #[test]
    fn clippy_alone_holds_nothing_up_and_is_that_of_the_compiler() {
        let needs = Needs {
            clippy: true,
            ..Needs::BUILD
        };
        let mut fake = complete();
        fake.os.root = false;
        assert!(ensure_on(&fake, needs).is_ok());
        // Debian's other compiler is the one that is there.
        fake.offers("rust-web-clippy", "1.85.0")
            .offers("rust-clippy", "1.96.0");
        let survey = Survey::take(&fake);
        let family = family(&fake, &survey);
        let listed = commands(&[Lack::Clippy], &fake.os, &survey, family);
        assert!(listed[1].ends_with(" rust-clippy"), "{listed:?}");
    }
}
