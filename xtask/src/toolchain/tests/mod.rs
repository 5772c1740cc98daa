//! Machines as data, and what the finder makes of them.

mod compilers;
mod tools;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use overworld_tests::follow::AtSignal;

use super::probe::{Answer, Os, System};
use super::{LIBRARY, SOURCES};

/// A machine made of a list of files and of what programs print.
pub struct Fake {
    /// The operating system.
    pub os: Os,
    files: BTreeMap<PathBuf, String>,
    links: BTreeMap<PathBuf, PathBuf>,
    programs: BTreeMap<(PathBuf, String), Result<Answer, String>>,
    toolchains: BTreeSet<PathBuf>,
    variables: BTreeMap<String, String>,
    /// Files without the right to be run.
    unrunnable: BTreeSet<PathBuf>,
    /// Why there is no place for temporary files, if there is none.
    pub no_scratch: Option<String>,
    /// The programs that were started, each with its arguments.
    pub started: RefCell<Vec<String>>,
}

impl Fake {
    /// Debian, root, nothing installed.
    pub fn new() -> Self {
        Self {
            os: Os {
                name: "Debian GNU/Linux 12".to_owned(),
                debian: true,
                manager: None,
                root: true,
            },
            files: BTreeMap::new(),
            links: BTreeMap::new(),
            programs: BTreeMap::new(),
            toolchains: BTreeSet::new(),
            variables: BTreeMap::new(),
            unrunnable: BTreeSet::new(),
            no_scratch: None,
            started: RefCell::default(),
        }
    }

    /// An empty file.
    pub fn file(&mut self, path: impl AsRef<Path>) -> &mut Self {
        self.text(path, "")
    }

    fn text(&mut self, path: impl AsRef<Path>, text: &str) -> &mut Self {
        self.files.insert(path.as_ref().to_owned(), text.to_owned());
        self
    }

    /// A program that prints `stdout` when called with `arguments`.
    pub fn program(&mut self, path: impl AsRef<Path>, arguments: &str, stdout: &str) -> &mut Self {
        let answer = Answer {
            success: true,
            stdout: stdout.to_owned(),
            complaint: String::new(),
        };
        self.answer(path, arguments, Ok(answer))
    }

    /// A package that the archive has, in this version.
    pub fn offers(&mut self, package: &str, version: &str) -> &mut Self {
        let policy = format!("{package}:\n  Installed: (none)\n  Candidate: {version}\n");
        self.program("/usr/bin/apt-cache", &format!("policy {package}"), &policy)
    }

    fn answer(
        &mut self,
        path: impl AsRef<Path>,
        arguments: &str,
        answer: Result<Answer, String>,
    ) -> &mut Self {
        let path = path.as_ref().to_owned();
        self.programs
            .insert((path.clone(), arguments.to_owned()), answer);
        self.file(path)
    }

    fn compiler(&mut self, rustc: &str, release: &str, sysroot: &str) -> &mut Self {
        let about = format!(
            "rustc {release}\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: {release}\n"
        );
        self.program(rustc, "-vV", &about);
        self.program(
            rustc,
            "--print target-list",
            "i686-pc-windows-msvc\nmipsel-sony-psx\n",
        );
        self.program(rustc, "--print sysroot", &format!("{sysroot}\n"))
    }
}

impl System for Fake {
    fn os(&self) -> Os {
        self.os.clone()
    }
    fn toolchains(&self) -> Vec<PathBuf> {
        self.toolchains.iter().cloned().collect()
    }
    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
    fn path(&self) -> Vec<PathBuf> {
        vec!["/root/.cargo/bin".into(), "/usr/bin".into()]
    }
    fn is_file(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }
    fn is_program(&self, path: &Path) -> bool {
        self.is_file(path) && !self.unrunnable.contains(path)
    }
    fn read(&self, path: &Path) -> Option<String> {
        self.files.get(path).cloned()
    }
    fn real(&self, path: &Path) -> PathBuf {
        self.links
            .get(path)
            .cloned()
            .unwrap_or_else(|| path.to_owned())
    }
    fn scratch(&self) -> Result<(), String> {
        self.no_scratch.clone().map_or(Ok(()), Err)
    }
    fn apt_get(&self, arguments: &[&str], _: AtSignal) -> Result<Answer, String> {
        panic!(
            "apt-get {} on a machine that nobody changes",
            arguments.join(" ")
        )
    }
    fn run(&self, program: &Path, arguments: &[&str]) -> Result<Answer, String> {
        let key = (program.to_owned(), arguments.join(" "));
        let call = format!("{} {}", program.display(), key.1);
        self.started.borrow_mut().push(call);
        self.programs.get(&key).cloned().unwrap_or_else(|| {
            Err(format!(
                "the fake machine has no {} {}",
                program.display(),
                arguments.join(" ")
            ))
        })
    }
}

/// A machine that `apt-get` changes: what it must be asked next, what it answers, and what the machine
/// is then.
pub struct Acted {
    now: RefCell<Fake>,
    steps: RefCell<VecDeque<Step>>,
}

struct Step {
    arguments: &'static str,
    answer: Answer,
    then: Option<Fake>,
}

impl Acted {
    pub fn new(now: Fake) -> Self {
        Self {
            now: RefCell::new(now),
            steps: RefCell::default(),
        }
    }

    /// A call that prints something, or fails.
    pub fn step(self, arguments: &'static str, said: Result<&str, &str>) -> Self {
        self.add(arguments, said, None)
    }

    /// A call after which the machine is another.
    pub fn change(self, arguments: &'static str, then: Fake) -> Self {
        self.add(arguments, Ok(""), Some(then))
    }

    fn add(self, arguments: &'static str, said: Result<&str, &str>, then: Option<Fake>) -> Self {
        let answer = Answer {
            success: said.is_ok(),
            stdout: said.unwrap_or_default().to_owned(),
            complaint: said.err().unwrap_or_default().to_owned(),
        };
        self.steps.borrow_mut().push_back(Step {
            arguments,
            answer,
            then,
        });
        self
    }

    /// All that had to be asked was asked.
    pub fn done(&self) {
        let left: Vec<_> = self.steps.borrow().iter().map(|s| s.arguments).collect();
        assert_eq!(left, [""; 0]);
    }
}

impl System for Acted {
    fn os(&self) -> Os {
        self.now.borrow().os()
    }
    fn toolchains(&self) -> Vec<PathBuf> {
        self.now.borrow().toolchains()
    }
    fn variable(&self, name: &str) -> Option<String> {
        self.now.borrow().variable(name)
    }
    fn path(&self) -> Vec<PathBuf> {
        self.now.borrow().path()
    }
    fn is_file(&self, path: &Path) -> bool {
        self.now.borrow().is_file(path)
    }
    fn is_program(&self, path: &Path) -> bool {
        self.now.borrow().is_program(path)
    }
    fn read(&self, path: &Path) -> Option<String> {
        self.now.borrow().read(path)
    }
    fn real(&self, path: &Path) -> PathBuf {
        self.now.borrow().real(path)
    }
    fn run(&self, program: &Path, arguments: &[&str]) -> Result<Answer, String> {
        self.now.borrow().run(program, arguments)
    }
    fn scratch(&self) -> Result<(), String> {
        self.now.borrow().scratch()
    }
    fn apt_get(&self, arguments: &[&str], at_signal: AtSignal) -> Result<Answer, String> {
        // Only what changes packages must not break off.
        let changes = arguments.contains(&"-y") && !arguments.contains(&"--download-only");
        assert_eq!(at_signal == AtSignal::LetItFinish, changes, "{arguments:?}");
        let step = self.steps.borrow_mut().pop_front();
        let step = step.unwrap_or_else(|| panic!("apt-get {}: unasked", arguments.join(" ")));
        assert_eq!(arguments.join(" "), step.arguments);
        if let Some(then) = step.then {
            self.now.replace(then);
        }
        Ok(step.answer)
    }
}

/// Debian's compiler of one version with sources of another.
pub fn debian(fake: &mut Fake, compiler: &str, sources: &str) {
    fake.compiler("/usr/bin/rustc", compiler, "/usr");
    sources_below(fake, "/usr");
    fake.links.insert(
        "/usr/lib/rustlib/src/rust".into(),
        format!("/usr/src/rustc-{sources}").into(),
    );
}

/// The library's sources of the compiler with this sysroot.
fn sources_below(fake: &mut Fake, sysroot: &str) {
    for file in LIBRARY {
        fake.file(format!("{sysroot}/{SOURCES}/{file}"));
    }
}

/// A rustup nightly, with or without the component `rust-src`.
pub fn nightly(fake: &mut Fake, release: &str, sources: bool) {
    toolchain(fake, "nightly-x86_64-unknown-linux-gnu", release, sources);
}

fn toolchain(fake: &mut Fake, name: &str, release: &str, sources: bool) {
    let dir = format!("/root/.rustup/toolchains/{name}");
    fake.toolchains.insert(dir.clone().into());
    fake.compiler(&format!("{dir}/bin/rustc"), release, &dir);
    let lld = format!("{dir}/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
    fake.program(lld, "-flavor gnu --version", "LLD 22.1.4 (rust-lang)\n");
    if sources {
        sources_below(fake, &dir);
    }
}
