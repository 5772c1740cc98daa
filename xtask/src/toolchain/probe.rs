//! What the finder asks of a machine, and the real machine's answers.
//!
//! The decisions of [`super`] go through [`System`], so that their tests describe machines
//! as data: which files are there, what which program prints.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, io};

use overworld_tests::ask;
use overworld_tests::follow::{self, AtSignal, Line};

/// The operating system, as far as installing packages is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Os {
    /// `PRETTY_NAME` of `/etc/os-release`, or what the compiler calls the system.
    pub name: String,
    /// Packages come from Debian's archive through `apt-get`.
    pub debian: bool,
    /// Where else packages come from.
    pub manager: Option<&'static Manager>,
    /// We may install packages.
    pub root: bool,
}

/// A manager of packages which we do not start, but of which we know what is called how.
#[derive(Debug, PartialEq, Eq)]
pub struct Manager {
    /// Its program.
    program: &'static str,
    /// What is typed in front of the packages.
    pub install: &'static str,
    /// LLVM's linker.
    pub lld: &'static str,
    /// The emulated PlayStation.
    pub mednafen: &'static str,
    /// The emulated microcontroller.
    pub qemu: &'static str,
}

/// Arch Linux and its kin, macOS.
pub const MANAGERS: [Manager; 2] = [
    Manager {
        program: "pacman",
        install: "sudo pacman -S --needed",
        lld: "lld",
        mednafen: "mednafen",
        qemu: "qemu-system-arm",
    },
    Manager {
        program: "brew",
        install: "brew install",
        lld: "lld",
        mednafen: "mednafen",
        qemu: "qemu",
    },
];

/// How a program ended.
#[derive(Clone, Debug)]
pub struct Answer {
    /// With status 0.
    pub success: bool,
    /// What it printed on standard output.
    pub stdout: String,
    /// Its status and the first line it printed on standard error.
    pub complaint: String,
}

/// The questions.
pub trait System {
    /// The operating system.
    fn os(&self) -> Os;
    /// The folders of rustup's toolchains, in any order.
    fn toolchains(&self) -> Vec<PathBuf>;
    /// The value of an environment variable.
    fn variable(&self, name: &str) -> Option<String>;
    /// The folders in which programs are searched.
    fn path(&self) -> Vec<PathBuf>;
    /// Whether a file (or a link to one) stands there.
    fn is_file(&self, path: &Path) -> bool;
    /// Whether it is one that can be run.
    fn is_program(&self, path: &Path) -> bool;
    /// The text of a file.
    fn read(&self, path: &Path) -> Option<String>;
    /// The same place with all links followed.
    fn real(&self, path: &Path) -> PathBuf;
    /// Run a program to its end.
    ///
    /// # Errors
    /// It cannot be started: what the system says.
    fn run(&self, program: &Path, arguments: &[&str]) -> Result<Answer, String>;

    /// Run `apt-get`, which asks nothing; what it says on standard error is for the person.
    ///
    /// # Errors
    /// It cannot be started: what the system says.
    fn apt_get(&self, arguments: &[&str], at_signal: AtSignal) -> Result<Answer, String>;

    /// Whether files can be made among the temporary ones, as all that is run here wants.
    ///
    /// # Errors
    /// They cannot: where, and what the system says.
    fn scratch(&self) -> Result<(), String>;

    /// What a program prints on standard output.
    ///
    /// # Errors
    /// It cannot be started, or ends with an error: what the system or the program says.
    fn output(&self, program: &Path, arguments: &[&str]) -> Result<String, String> {
        let answer = self.run(program, arguments)?;
        if answer.success {
            Ok(answer.stdout)
        } else {
            Err(answer.complaint)
        }
    }

    /// The first program of this name on the search path or in `more`; a file that cannot be run does not
    /// hide the next one.
    fn find(&self, name: &str, more: &[&str]) -> Option<PathBuf> {
        let more = more.iter().map(PathBuf::from);
        self.path()
            .into_iter()
            .chain(more)
            .map(|dir| dir.join(name))
            .find(|file| self.is_program(file))
    }
}

/// The machine we run on.
pub struct Machine;

impl System for Machine {
    fn os(&self) -> Os {
        let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        let debian = is_debian(&release) && is_executable(Path::new("/usr/bin/apt-get"));
        let mut managers = MANAGERS.iter().filter(|_| !debian);
        Os {
            debian,
            manager: managers.find(|it| self.find(it.program, &[]).is_some()),
            name: name(&release),
            root: root(),
        }
    }

    fn toolchains(&self) -> Vec<PathBuf> {
        let home = env::var_os("RUSTUP_HOME")
            .filter(|home| !home.is_empty())
            .map(PathBuf::from)
            .or_else(|| env::home_dir().map(|home| home.join(".rustup")));
        let folder = home.map(|home| absolute(home.join("toolchains")));
        let Some(entries) = folder.and_then(|folder| fs::read_dir(folder).ok()) else {
            return Vec::new();
        };
        entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect()
    }

    fn variable(&self, name: &str) -> Option<String> {
        // What is no text is no path that is there, which is better than no wish at all.
        let value = env::var_os(name)?.to_string_lossy().into_owned();
        Some(value).filter(|value| !value.is_empty())
    }

    fn path(&self) -> Vec<PathBuf> {
        env::var_os("PATH")
            .map(|path| env::split_paths(&path).map(absolute).collect())
            .unwrap_or_default()
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn is_program(&self, path: &Path) -> bool {
        is_executable(path)
    }

    fn read(&self, path: &Path) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    fn real(&self, path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    fn apt_get(&self, arguments: &[&str], at_signal: AtSignal) -> Result<Answer, String> {
        let mut stdout = Vec::new();
        let status = follow::follow(&mut apt_get(arguments), at_signal, &mut |line| {
            if let Line::Out(line) = line {
                stdout.extend(line);
            }
            ControlFlow::Continue(())
        });
        let status = status.map_err(|error| error.to_string())?;
        Ok(Answer {
            success: status.success(),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            complaint: status.to_string(),
        })
    }

    fn scratch(&self) -> Result<(), String> {
        scratch().map(|_| ()).map_err(|error| error.to_string())
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Result<Answer, String> {
        let answer = asked(program, arguments);
        // Nothing of the program is left, so a signal that came meanwhile may end us.
        ask::settle();
        let answer = answer.map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&answer.stderr);
        let line = said
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or_default();
        Ok(Answer {
            success: answer.status.success(),
            stdout: String::from_utf8_lossy(&answer.stdout).into_owned(),
            complaint: format!(
                "{}{}{line}",
                answer.status,
                if line.is_empty() { "" } else { ": " }
            ),
        })
    }
}

/// An `apt-get` that waits for another one: a second set-up, or the upgrades of a machine that has just
/// been started.
fn apt_get(arguments: &[&str]) -> Command {
    let mut command = Command::new("/usr/bin/apt-get");
    command
        .args(["-o", "DPkg::Lock::Timeout=600"])
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    command
}

/// More than any of these programs needs, on a machine with other work.
const LIMITS: ask::Limits = ask::Limits {
    time: Duration::from_secs(30),
    bytes: 1 << 20,
};

/// Run a program that is probed, with nothing of what cargo and rustup tell a child: it must answer for
/// itself.
fn asked(program: &Path, arguments: &[&str]) -> io::Result<ask::Answer> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("RUSTC")
        .env("LC_ALL", "C");
    // Mednafen, under whatever name, creates files in the user's home even when asked for help. The
    // others keep theirs: rustup's proxies find their compilers there.
    let home = match arguments {
        ["-help"] => Some(scratch()?),
        _ => None,
    };
    if let Some(home) = &home {
        command
            .env("HOME", home.path())
            .env_remove("MEDNAFEN_HOME")
            .env("SDL_VIDEODRIVER", "dummy")
            .env("MEDNAFEN_NOPOPUPS", "1");
    }
    ask::ask(&mut command, LIMITS)
}

/// A folder of our own among the temporary files.
fn scratch() -> io::Result<tempfile::TempDir> {
    tempfile::tempdir().map_err(|error| {
        let folder = env::temp_dir();
        let text = format!(
            "no folder can be made in {}: {}",
            folder.display(),
            error.kind()
        );
        io::Error::new(error.kind(), text)
    })
}

/// Whether `/etc/os-release` speaks of Debian or of a child of it.
fn is_debian(release: &str) -> bool {
    let value = |key: &str| field(release, key).unwrap_or_default();
    value("ID") == "debian"
        || value("ID_LIKE")
            .split_whitespace()
            .any(|like| like == "debian")
}

fn name(release: &str) -> String {
    field(release, "PRETTY_NAME")
        .unwrap_or(env::consts::OS)
        .to_owned()
}

fn field<'a>(release: &'a str, key: &str) -> Option<&'a str> {
    let line = release
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
    Some(line.trim().trim_matches('"'))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// A path that means the same in every folder: cargo and emulators run elsewhere.
pub fn absolute(path: PathBuf) -> PathBuf {
    if path.as_os_str().is_empty() {
        // In PATH an empty part is the current folder.
        return env::current_dir().unwrap_or(path);
    }
    std::path::absolute(&path).unwrap_or(path)
}

/// Whether the effective user is root: the standard library does not say, `id` does.
fn root() -> bool {
    let id = ask::ask(Command::new("id").arg("-u"), LIMITS);
    ask::settle();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_and_its_children_are_told_from_others() {
        let bookworm = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
        assert!(is_debian(bookworm));
        assert_eq!(name(bookworm), "Debian GNU/Linux 12 (bookworm)");
        assert!(is_debian("ID=ubuntu\nID_LIKE=debian\n"));
        assert!(is_debian("ID=\"mint\"\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!is_debian("ID=fedora\nID_LIKE=\"rhel\"\n"));
        assert!(!is_debian(""));
    }

    #[test]
    fn another_apt_get_is_waited_for() {
        let command = apt_get(&["update", "-q"]);
        let words: Vec<_> = command
            .get_args()
            .map(|word| word.to_str().unwrap())
            .collect();
        assert_eq!(words, ["-o", "DPkg::Lock::Timeout=600", "update", "-q"]);
    }

    #[cfg(unix)]
    #[test]
    fn an_emulator_that_is_probed_has_a_home_of_its_own_whatever_its_name() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("psx-emulator");
        fs::write(&program, "#!/bin/sh\ntouch \"$HOME/new\"; echo \"$HOME\"\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let home = |argument| {
            let answer = asked(&program, &[argument]).unwrap();
            PathBuf::from(String::from_utf8(answer.stdout).unwrap().trim())
        };
        let own = home("-help");
        assert_ne!(Some(own.as_os_str()), env::var_os("HOME").as_deref());
        assert!(own.is_absolute() && !own.exists(), "{}", own.display());
    }
}
