//! Debian's packages: which ones end a lack, and how they are installed.

use std::path::Path;

use anyhow::{Result, bail};
use overworld_tests::follow::AtSignal;
use overworld_tests::{complain, out};

use super::probe::System;
use super::setup::Lack;
use super::{Compiler, Origin, Survey, Version};

const APT_CACHE: &str = "/usr/bin/apt-cache";

/// The names Debian gives a compiler and its parts. `rustc-web` is the one that follows the
/// browsers and is updated within a release; `rustc` is the release's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The compiler.
    pub compiler: &'static str,
    /// The sources of its library.
    pub sources: &'static str,
    /// Its clippy.
    pub clippy: &'static str,
}

/// In the order in which they are tried.
pub const FAMILIES: [Family; 2] = [
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
    /// The family to install from: the first whose compiler and sources the archive offers in one
    /// usable version; where the system's compiler is there already, the one whose clippy has its
    /// version. `candidate` answers the version that would be installed.
    pub fn choose(survey: &Survey, candidate: &dyn Fn(&str) -> Option<Version>) -> Option<Self> {
        let there = survey.compiler();
        FAMILIES.into_iter().find(|family| match there {
            Some(Compiler { version, .. }) => candidate(family.clippy) == Some(*version),
            None => {
                let compiler = candidate(family.compiler);
                compiler.is_some_and(|found| found >= super::OLDEST)
                    && compiler == candidate(family.sources)
            }
        })
    }
}

/// The Debian packages that end the lacks, those of the compiler from `family`.
pub fn packages(lacks: &[Lack], family: Option<Family>, survey: &Survey) -> Vec<&'static str> {
    let mut packages = Vec::new();
    for lack in lacks {
        match (lack, family) {
            (Lack::Compiler, Some(family)) => packages.extend([family.compiler, family.sources]),
            // Clippy of a rustup toolchain is not Debian's to deliver.
            (Lack::Clippy, Some(family)) if is_systems(survey) => packages.push(family.clippy),
            (Lack::Compiler | Lack::Clippy, _) => {}
            // rustup's compiler, which then has to come, brings its own.
            (Lack::Linker, None) if lacks.contains(&Lack::Compiler) => {}
            (Lack::Linker, _) => packages.push("lld"),
            (Lack::Mednafen, _) => packages.push("mednafen"),
            (Lack::Qemu, _) => packages.push("qemu-system-arm"),
        }
    }
    packages
}

/// Whether the compiler in use is, or is going to be, the distribution's.
fn is_systems(survey: &Survey) -> bool {
    survey
        .compiler()
        .is_none_or(|compiler| compiler.origin == Origin::System)
}

/// What installing these packages may do to others.
pub fn notes(packages: &[&str]) -> String {
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

/// What the archive offers of compilers, in words.
pub fn offers(system: &dyn System) -> String {
    let offers = FAMILIES.map(|family| match candidate(system, family.compiler) {
        Some(version) => format!("{} {version}", family.compiler),
        None => format!("no {}", family.compiler),
    });
    offers.join(" and ")
}

/// Install what ends the lacks, as far as the archive has it. With no usable compiler there nothing of
/// a compiler is installed.
///
/// # Errors
/// apt-get fails, or it would remove what somebody may be using.
pub fn install(system: &dyn System, missing: &[Lack], survey: &Survey) -> Result<()> {
    let choose = || Family::choose(survey, &|package| candidate(system, package));
    let wants_compiler =
        missing.contains(&Lack::Compiler) || missing.contains(&Lack::Clippy) && is_systems(survey);
    let mut family = choose();
    let mut updated = false;
    let unknown = packages(missing, family, survey)
        .iter()
        .any(|name| candidate(system, name).is_none());
    if unknown || (wants_compiler && family.is_none()) {
        update(system);
        updated = true;
        family = choose();
    }
    let names = packages(missing, family, survey);
    if names.is_empty() {
        return Ok(());
    }
    let mut simulated = get(system, &names, Step::Simulate);
    if simulated.is_err() && !updated {
        update(system);
        updated = true;
        simulated = get(system, &names, Step::Simulate);
    }
    let removals = removals(&simulated?);
    if let Some(guarded) = removals.iter().find(|name| guarded(name)) {
        bail!(
            "installing {} would remove {guarded}, which you may be using; if you agree, run\n    apt-get install --no-install-recommends {}\n{}",
            names.join(" "),
            names.join(" "),
            notes(&names).trim_end()
        );
    }
    complain!("Installing from {}: {}", system.os().name, names.join(" "));
    if !removals.is_empty() {
        complain!("This replaces: {}", removals.join(" "));
    }
    out::complaint(format_args!("{}", notes(&names)));
    if let Err(error) = get(system, &names, Step::Fetch) {
        // Old package lists name files that the archive has replaced since.
        if updated {
            return Err(error);
        }
        update(system);
        get(system, &names, Step::Fetch)?;
    }
    get(system, &names, Step::Install)?;
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

/// The version of a package that would be installed.
pub fn candidate(system: &dyn System, package: &str) -> Option<Version> {
    let policy = system.output(Path::new(APT_CACHE), &["policy", package]);
    candidate_in(&policy.ok()?)
}

fn update(system: &dyn System) {
    complain!("Refreshing the package lists (apt-get update)");
    let answer = system.apt_get(&["update", "-q"], AtSignal::EndIt);
    // A foreign archive that does not answer is common and does not matter here.
    if !answer.is_ok_and(|answer| answer.success) {
        complain!("apt-get update reported a fault; going on with the lists it got");
    }
}

/// How far `apt-get install` goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Only say what would happen.
    Simulate,
    /// Fetch the packages' files.
    Fetch,
    /// Unpack and configure what was fetched.
    Install,
}

/// Simulate, fetch or install packages.
fn get(system: &dyn System, packages: &[&str], step: Step) -> Result<String> {
    let mut arguments = vec!["install", "-q", "--no-install-recommends"];
    let (options, at_signal): (&[&str], _) = match step {
        Step::Simulate => (&["-s"], AtSignal::EndIt),
        // Apart from the rest, since it takes longest, and what is fetched by half does no harm.
        Step::Fetch => (&["-y", "--download-only"], AtSignal::EndIt),
        // Packages that are unpacked and not configured would be in everybody's way.
        Step::Install => (&["-y"], AtSignal::LetItFinish),
    };
    arguments.extend(options);
    arguments.extend(packages);
    let answer = match system.apt_get(&arguments, at_signal) {
        Ok(answer) => answer,
        Err(why) => bail!("apt-get does not start: {why}"),
    };
    if answer.success {
        return Ok(answer.stdout);
    }
    out::complaint(format_args!("{}", answer.stdout));
    bail!(
        "apt-get install {} failed ({})",
        packages.join(" "),
        answer.complaint
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::tests::Fake;

    #[test]
    fn the_archive_must_offer_a_usable_pair() {
        let offer = |web: Option<Version>, web_src: Option<Version>, own: Option<Version>| {
            let nothing = Survey::take(&Fake::new());
            Family::choose(&nothing, &move |package: &str| match package {
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
