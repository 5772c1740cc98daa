//! Finds what the console and firmware builds need: a compiler with the sources of its own
//! library, a linker, the emulators.
//!
//! The PlayStation and the microcontrollers have no ready-made `core`; cargo builds it from the
//! compiler's library sources (`-Zbuild-std=core`). Any compiler does that has them: one of
//! rustup's with the `rust-src` component, or the distribution's at `/usr/bin/rustc`. No
//! version is pinned; the oldest that works is [`OLDEST`].

mod apt;
pub mod probe;
pub mod setup;

use std::fmt;
use std::path::{Path, PathBuf};

use overworld_tests::{mednafen, qemu};
use probe::System;

/// The oldest usable compiler. Older ones carry an LLVM whose MIPS back end loses more load
/// delays than the build flags can prevent.
pub const OLDEST: Version = Version {
    major: 1,
    minor: 96,
    patch: 0,
};

/// The console's target.
pub const CONSOLE: &str = "mipsel-sony-psx";

/// Where the library sources must stand below the sysroot.
const SOURCES: &str = "lib/rustlib/src/rust";
/// What must be there of them: files, since a folder without content may stay behind when a component is
/// removed. Cargo takes a missing lock file for a missing component, and says so.
const LIBRARY: [&str; 3] = [
    "library/core/src/lib.rs",
    "library/Cargo.toml",
    "library/Cargo.lock",
];

/// A compiler's version, without `-nightly` and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// 1 up to now.
    pub major: u32,
    /// The release.
    pub minor: u32,
    /// The correction of the release.
    pub patch: u32,
}

impl Version {
    /// The first version number in a text: `1.96.0`, `1.97.0-nightly (…)`, `rustc-1.96.0`.
    pub fn find(text: &str) -> Option<Self> {
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let text = &text[start..];
        let end = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        let mut parts = text[..end].split('.').map(str::parse);
        let mut next = || parts.next()?.ok();
        Some(Self {
            major: next()?,
            minor: next()?,
            patch: next().unwrap_or(0),
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Who installed a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `OVERWORLD_RUSTC` names it.
    Chosen,
    /// rustup, under this name.
    Rustup(String),
    /// The distribution's packages.
    System,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chosen => write!(f, "OVERWORLD_RUSTC"),
            Self::Rustup(name) => write!(f, "rustup toolchain {name}"),
            Self::System => write!(f, "system compiler"),
        }
    }
}

/// A compiler that can build the console's programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// Who installed it.
    pub origin: Origin,
    /// The compiler; absolute.
    pub rustc: PathBuf,
    /// The cargo that belongs to it, if there is one; else the one that runs us will do.
    pub cargo: Option<PathBuf>,
    /// The `cargo-clippy` that belongs to it, if there is one.
    pub clippy: Option<PathBuf>,
    /// Its version.
    pub version: Version,
    /// `1.97.0-nightly` and the like.
    pub release: String,
    /// The machine it runs on, such as `x86_64-unknown-linux-gnu`.
    pub host: String,
    /// Its folder of libraries.
    pub sysroot: PathBuf,
}

/// Why a compiler cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file is not there.
    Missing,
    /// It does not run, or what it prints makes no sense.
    Broken(String),
    /// It is older than [`OLDEST`].
    TooOld(Version),
    /// It does not know the console's target.
    NoTarget(Version),
    /// This file of the library's sources is not there.
    NoSources(Version, PathBuf),
    /// The sources are of another version than the compiler.
    OtherSources(Version, Version),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "not installed"),
            Self::Broken(why) => write!(f, "does not run ({why})"),
            Self::TooOld(found) => {
                write!(f, "version {found} is too old, {OLDEST} or later is needed")
            }
            Self::NoTarget(found) => {
                write!(f, "version {found} does not know the target {CONSOLE}")
            }
            Self::NoSources(found, file) => write!(
                f,
                "version {found} has no library sources: {} is missing",
                file.display()
            ),
            Self::OtherSources(compiler, sources) => write!(
                f,
                "the library sources are of version {sources}, the compiler is {compiler}: half an update"
            ),
        }
    }
}

/// A place where a compiler may be, and what is there.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Who would have installed it.
    pub origin: Origin,
    /// Where.
    pub rustc: PathBuf,
    /// What was found.
    pub verdict: Result<Compiler, Fault>,
}

/// A program that is there or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// It runs; where it is and what it calls itself.
    Found(PathBuf, String),
    /// It is there but does not run.
    Broken(PathBuf, String),
    /// It is nowhere.
    Missing,
}

impl Tool {
    /// Where it is, if it runs.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Found(path, _) => Some(path),
            Self::Broken(..) | Self::Missing => None,
        }
    }
}

/// All that was found on a machine.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Every compiler, the preferred one first.
    pub compilers: Vec<Candidate>,
    /// LLVM's linker.
    pub linker: Tool,
    /// The emulated PlayStation.
    pub mednafen: Tool,
    /// The emulated Cortex-M3.
    pub qemu: Tool,
}

impl Survey {
    /// Look everywhere.
    pub fn take(system: &dyn System) -> Self {
        let compilers = compilers(system);
        let linker = linker(system, &compilers);
        let mednafen = tool(
            system,
            mednafen::PROGRAM_VARIABLE,
            ("mednafen", &mednafen::FOLDERS),
            &["-help"],
            ("Mednafen 1", "its name: not version 1"),
        );
        // A QEMU without this board is of no use, whatever its version.
        let qemu = tool(
            system,
            qemu::PROGRAM_VARIABLE,
            ("qemu-system-arm", &qemu::FOLDERS),
            &["-machine", "help"],
            ("mps2-an385", "the board mps2-an385"),
        );
        Self {
            compilers,
            linker,
            mednafen,
            qemu,
        }
    }

    /// The compiler to use.
    pub fn compiler(&self) -> Option<&Compiler> {
        self.compilers
            .iter()
            .find_map(|candidate| candidate.verdict.as_ref().ok())
    }
}

/// All places where a compiler may be. `OVERWORLD_RUSTC` first, then rustup's (released
/// versions before nightlies, newer before older), then the system's.
fn compilers(system: &dyn System) -> Vec<Candidate> {
    let judge = |origin: Origin, rustc: PathBuf| {
        let verdict = judge(system, &origin, &rustc);
        Candidate {
            origin,
            rustc,
            verdict,
        }
    };
    if let Some(chosen) = system.variable("OVERWORLD_RUSTC") {
        // Who names a compiler means this one: no silent second choice.
        let rustc = match chosen.contains('/') {
            true => Some(probe::absolute(chosen.clone().into())),
            false => system.find(&chosen, &[]),
        };
        return vec![judge(Origin::Chosen, rustc.unwrap_or(chosen.into()))];
    }
    let mut found: Vec<Candidate> = system
        .toolchains()
        .into_iter()
        .map(|dir| {
            let name = dir
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            judge(Origin::Rustup(name), dir.join("bin/rustc"))
        })
        .collect();
    found.sort_by_key(|candidate| {
        let rank = candidate.verdict.as_ref().ok().map(|compiler| {
            let released = !compiler.release.contains('-');
            (released, compiler.version)
        });
        (std::cmp::Reverse(rank), candidate.rustc.clone())
    });
    found.push(judge(Origin::System, PathBuf::from("/usr/bin/rustc")));
    found
}

/// Look at one compiler.
fn judge(system: &dyn System, origin: &Origin, rustc: &Path) -> Result<Compiler, Fault> {
    if !system.is_file(rustc) {
        return Err(Fault::Missing);
    }
    let about = system.output(rustc, &["-vV"]).map_err(Fault::Broken)?;
    let field = |key: &str| {
        about
            .lines()
            .find_map(|line| line.strip_prefix(key))
            .map(str::trim)
    };
    let (Some(release), Some(host)) = (field("release:"), field("host:")) else {
        return Err(Fault::Broken(
            "its -vV names neither release nor host".to_owned(),
        ));
    };
    let version = Version::find(release)
        .ok_or_else(|| Fault::Broken(format!("its release \"{release}\" is no version")))?;
    if version < OLDEST {
        return Err(Fault::TooOld(version));
    }
    let known = system
        .output(rustc, &["--print", "target-list"])
        .map_err(Fault::Broken)?;
    if !known.lines().any(|line| line.trim() == CONSOLE) {
        return Err(Fault::NoTarget(version));
    }
    let sysroot = system
        .output(rustc, &["--print", "sysroot"])
        .map_err(Fault::Broken)?;
    let sysroot = PathBuf::from(sysroot.trim());
    let sources = sysroot.join(SOURCES);
    let mut library = LIBRARY.map(|file| sources.join(file)).into_iter();
    if let Some(missing) = library.find(|file| !system.is_file(file)) {
        return Err(Fault::NoSources(version, missing));
    }
    if let Some(found) = source_version(system, &sources)
        && found != version
    {
        return Err(Fault::OtherSources(version, found));
    }
    let beside = |name: &str| {
        let file = rustc.with_file_name(name);
        system.is_file(&file).then_some(file)
    };
    Ok(Compiler {
        origin: origin.clone(),
        rustc: rustc.to_owned(),
        cargo: beside("cargo"),
        clippy: beside("cargo-clippy").filter(|_| beside("clippy-driver").is_some()),
        version,
        release: release.to_owned(),
        host: host.to_owned(),
        sysroot,
    })
}

/// The version of library sources, where they tell it: a file `src/version` in a full source
/// tree, or the name of the folder (Debian links to `/usr/src/rustc-1.96.0`). rustup's component
/// says nothing, but rustup replaces it together with the compiler.
fn source_version(system: &dyn System, sources: &Path) -> Option<Version> {
    if let Some(text) = system.read(&sources.join("src/version")) {
        return Version::find(&text);
    }
    let real = system.real(sources);
    Version::find(real.file_name()?.to_str()?.strip_prefix("rustc-")?)
}

/// LLVM's linker: the compiler's own, that of another rustup toolchain (it links what any LLVM
/// wrote), or the distribution's.
fn linker(system: &dyn System, compilers: &[Candidate]) -> Tool {
    let bundled =
        |sysroot: &Path, host: &str| sysroot.join("lib/rustlib").join(host).join("bin/rust-lld");
    let mut places = Vec::new();
    let usable = compilers
        .iter()
        .filter_map(|candidate| candidate.verdict.as_ref().ok());
    places.extend(usable.map(|compiler| bundled(&compiler.sysroot, &compiler.host)));
    let mut toolchains = system.toolchains();
    // Nightlies come and go; the one that runs us, usually stable, stays. Names sort that way
    // backwards: stable, nightly, 1.95.0.
    toolchains.sort_by(|a, b| b.cmp(a));
    for toolchain in toolchains {
        let name = toolchain
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // `stable-x86_64-unknown-linux-gnu` and `1.95.0-x86_64-…`: the host is in the name.
        if let Some((_, host)) = name.split_once('-') {
            places.push(bundled(&toolchain, host));
        }
    }
    places.extend(system.find("rust-lld", &[]));
    places.extend(system.find("ld.lld", &["/usr/bin"]));
    let mut broken = Tool::Missing;
    for place in places {
        if !system.is_file(&place) {
            continue;
        }
        // rust-lld is LLVM's driver for all formats and wants to be told which.
        let generic = place.file_name().is_some_and(|name| name == "rust-lld");
        let arguments: &[&str] = if generic {
            &["-flavor", "gnu", "--version"]
        } else {
            &["--version"]
        };
        match system.output(&place, arguments) {
            Ok(text) if text.contains("LLD") => return Tool::Found(place, first_line(&text)),
            Ok(text) => {
                broken = Tool::Broken(place, format!("it is no LLD: {}", first_line(&text)))
            }
            Err(why) => broken = Tool::Broken(place, why),
        }
    }
    broken
}

/// A program that must print `mark` when called with `arguments`; what it lacks otherwise. Its status
/// does not count: mednafen ends its help with 255. Where the environment `variable` names a program,
/// as it may to the runner of the tests, it is that one and no other.
fn tool(
    system: &dyn System,
    variable: &str,
    (name, more): (&str, &[&str]),
    arguments: &[&str],
    (mark, lack): (&str, &str),
) -> Tool {
    let path = match system.variable(variable) {
        Some(chosen) => {
            let found = if chosen.contains('/') {
                Some(probe::absolute(chosen.clone().into())).filter(|path| system.is_file(path))
            } else {
                system.find(&chosen, more)
            };
            match found {
                Some(path) => path,
                None => return Tool::Broken(chosen.into(), "there is no such program".to_owned()),
            }
        }
        None => match system.find(name, more) {
            Some(path) => path,
            None => return Tool::Missing,
        },
    };
    match system.run(&path, arguments) {
        Ok(answer) => match answer.stdout.lines().find(|line| line.contains(mark)) {
            Some(line) => Tool::Found(path, line.split_whitespace().collect::<Vec<_>>().join(" ")),
            None if answer.success => Tool::Broken(path, format!("it lacks {lack}")),
            None => Tool::Broken(path, answer.complaint),
        },
        Err(why) => Tool::Broken(path, why),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
pub mod tests;
