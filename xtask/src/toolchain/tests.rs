//! Machines as data.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use super::probe::{Answer, Os, System};
use super::*;

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
}

impl Fake {
    /// Debian, root, nothing installed.
    pub fn new() -> Self {
        Self {
            os: Os {
                name: "Debian GNU/Linux 12".to_owned(),
                debian: true,
                root: true,
            },
            files: BTreeMap::new(),
            links: BTreeMap::new(),
            programs: BTreeMap::new(),
            toolchains: BTreeSet::new(),
            variables: BTreeMap::new(),
            unrunnable: BTreeSet::new(),
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
    fn apt_get(&self, arguments: &[&str]) -> Result<Answer, String> {
        panic!(
            "apt-get {} on a machine that nobody changes",
            arguments.join(" ")
        )
    }
    fn run(&self, program: &Path, arguments: &[&str]) -> Result<Answer, String> {
        let key = (program.to_owned(), arguments.join(" "));
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
    fn apt_get(&self, arguments: &[&str]) -> Result<Answer, String> {
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

fn faults(fake: &Fake) -> Vec<String> {
    let survey = Survey::take(fake);
    assert_eq!(survey.compiler(), None);
    survey
        .compilers
        .iter()
        .map(|found| found.verdict.clone().unwrap_err().to_string())
        .collect()
}

#[test]
fn versions_are_found_in_what_compilers_print() {
    let v = |major, minor, patch| {
        Some(Version {
            major,
            minor,
            patch,
        })
    };
    assert_eq!(Version::find("1.96.0"), v(1, 96, 0));
    assert_eq!(
        Version::find("1.97.0-nightly (e50aa6fba 2026-05-19)"),
        v(1, 97, 0)
    );
    assert_eq!(Version::find("rustc-1.100.2+dfsg"), v(1, 100, 2));
    assert_eq!(Version::find("7.2+dfsg"), v(7, 2, 0));
    assert_eq!(Version::find("none"), None);
    assert_eq!(Version::find("12"), None);
    assert!(v(1, 100, 0) > v(1, 96, 9));
}

#[test]
fn debians_compiler_is_found_by_its_full_path() {
    let mut fake = Fake::new();
    debian(&mut fake, "1.96.0", "1.96.0");
    fake.file("/usr/bin/cargo-clippy")
        .file("/usr/bin/clippy-driver");
    let survey = Survey::take(&fake);
    let compiler = survey.compiler().expect("a compiler");
    assert_eq!(compiler.rustc, Path::new("/usr/bin/rustc"));
    assert_eq!(compiler.origin, Origin::System);
    assert_eq!(compiler.cargo, None);
    assert_eq!(
        compiler.clippy.as_deref(),
        Some(Path::new("/usr/bin/cargo-clippy"))
    );
    assert_eq!(compiler.sysroot, Path::new("/usr"));
}

#[test]
fn later_versions_are_taken_and_earlier_ones_named() {
    for good in ["1.96.0", "1.96.1", "1.104.0", "2.0.0"] {
        let mut fake = Fake::new();
        debian(&mut fake, good, good);
        assert!(Survey::take(&fake).compiler().is_some(), "{good}");
    }
    let mut fake = Fake::new();
    debian(&mut fake, "1.85.0", "1.85.0");
    assert_eq!(
        faults(&fake),
        ["version 1.85.0 is too old, 1.96.0 or later is needed"]
    );
}

#[test]
fn a_nightly_without_sources_is_passed_over_and_named() {
    let mut fake = Fake::new();
    nightly(&mut fake, "1.97.0-nightly", false);
    assert_eq!(
        faults(&fake),
        [
            "version 1.97.0 has no library sources: /root/.rustup/toolchains/nightly-x86_64-unknown-linux-gnu/lib/rustlib/src/rust/library/core/src/lib.rs is missing",
            "not installed"
        ]
    );
    debian(&mut fake, "1.96.0", "1.96.0");
    let survey = Survey::take(&fake);
    assert_eq!(
        survey.compiler().map(|found| found.origin.clone()),
        Some(Origin::System)
    );
    assert!(setup::describe(&survey).contains("has no library sources"));
}

#[test]
fn half_an_update_is_named() {
    let mut fake = Fake::new();
    debian(&mut fake, "1.97.1", "1.96.0");
    assert_eq!(
        faults(&fake),
        ["the library sources are of version 1.96.0, the compiler is 1.97.1: half an update"]
    );
    // The file in a full source tree says it more exactly than the folder's name.
    fake.text("/usr/lib/rustlib/src/rust/src/version", "1.97.1\n");
    assert!(Survey::take(&fake).compiler().is_some());
}

#[test]
fn a_broken_binary_is_named() {
    let mut fake = Fake::new();
    let complaint = "exit status: 127: rustc: error while loading shared libraries".to_owned();
    let answer = Answer {
        success: false,
        stdout: String::new(),
        complaint,
    };
    fake.answer("/usr/bin/rustc", "-vV", Ok(answer));
    let said = faults(&fake);
    assert!(
        said[0].starts_with("does not run (exit status: 127: rustc: error while"),
        "{said:?}"
    );
    fake.program("/usr/bin/rustc", "-vV", "hello\n");
    assert_eq!(
        faults(&fake),
        ["does not run (its -vV names neither release nor host)"]
    );
    fake.answer(
        "/usr/bin/rustc",
        "-vV",
        Err("Exec format error (os error 8)".to_owned()),
    );
    assert_eq!(
        faults(&fake),
        ["does not run (Exec format error (os error 8))"]
    );
}

#[test]
fn a_compiler_without_the_target_is_named() {
    let mut fake = Fake::new();
    debian(&mut fake, "1.96.0", "1.96.0");
    fake.program(
        "/usr/bin/rustc",
        "--print target-list",
        "mipsel-unknown-none\n",
    );
    assert_eq!(
        faults(&fake),
        ["version 1.96.0 does not know the target mipsel-sony-psx"]
    );
}

#[test]
fn released_compilers_come_before_nightlies_and_newer_before_older() {
    let mut fake = Fake::new();
    nightly(&mut fake, "1.99.0-nightly", true);
    toolchain(&mut fake, "1.96.0-x86_64-unknown-linux-gnu", "1.96.0", true);
    toolchain(&mut fake, "stable-x86_64-unknown-linux-gnu", "1.98.0", true);
    toolchain(&mut fake, "1.95.0-x86_64-unknown-linux-gnu", "1.95.0", true);
    let survey = Survey::take(&fake);
    let order: Vec<Option<String>> = survey
        .compilers
        .iter()
        .map(|found| {
            found
                .verdict
                .as_ref()
                .ok()
                .map(|compiler| compiler.release.clone())
        })
        .collect();
    let order: Vec<Option<&str>> = order.iter().map(Option::as_deref).collect();
    assert_eq!(
        order,
        [
            Some("1.98.0"),
            Some("1.96.0"),
            Some("1.99.0-nightly"),
            None,
            None
        ]
    );
}

#[test]
fn a_compiler_named_by_the_user_is_the_only_one() {
    let mut fake = Fake::new();
    debian(&mut fake, "1.96.0", "1.96.0");
    fake.variables.insert(
        "OVERWORLD_RUSTC".to_owned(),
        "/opt/rust/bin/rustc".to_owned(),
    );
    assert_eq!(faults(&fake), ["not installed"]);
    fake.compiler("/opt/rust/bin/rustc", "1.97.0", "/opt/rust");
    sources_below(&mut fake, "/opt/rust");
    fake.file("/opt/rust/bin/cargo");
    let survey = Survey::take(&fake);
    let compiler = survey.compiler().expect("a compiler");
    assert_eq!(compiler.origin, Origin::Chosen);
    assert_eq!(
        compiler.cargo.as_deref(),
        Some(Path::new("/opt/rust/bin/cargo"))
    );
}

#[test]
fn the_linker_comes_from_rustup_or_the_distribution() {
    let mut fake = Fake::new();
    debian(&mut fake, "1.96.0", "1.96.0");
    assert_eq!(Survey::take(&fake).linker, Tool::Missing);
    fake.program(
        "/usr/bin/ld.lld",
        "--version",
        "Debian LLD 14.0.6 (compatible with GNU linkers)\n",
    );
    assert_eq!(
        Survey::take(&fake).linker.path(),
        Some(Path::new("/usr/bin/ld.lld"))
    );
    toolchain(
        &mut fake,
        "stable-x86_64-unknown-linux-gnu",
        "1.95.0",
        false,
    );
    let bundled = "/root/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld";
    assert_eq!(Survey::take(&fake).linker.path(), Some(Path::new(bundled)));
    fake.answer(
        bundled,
        "-flavor gnu --version",
        Err("Exec format error".to_owned()),
    );
    assert_eq!(
        Survey::take(&fake).linker.path(),
        Some(Path::new("/usr/bin/ld.lld"))
    );
}

#[test]
fn emulators_are_tried_not_only_found() {
    let mut fake = Fake::new();
    assert_eq!(Survey::take(&fake).mednafen, Tool::Missing);
    // Mednafen prints its name and ends with 255.
    let banner = "Starting Mednafen 1.29.0\n Build information:\n".to_owned();
    let answer = Answer {
        success: false,
        stdout: banner,
        complaint: "exit status: 255".to_owned(),
    };
    fake.answer("/usr/games/mednafen", "-help", Ok(answer));
    fake.program(
        "/usr/bin/qemu-system-arm",
        "-machine help",
        "none  empty machine\n",
    );
    let survey = Survey::take(&fake);
    assert_eq!(
        survey.mednafen.path(),
        Some(Path::new("/usr/games/mednafen"))
    );
    assert_eq!(
        survey.qemu,
        Tool::Broken(
            "/usr/bin/qemu-system-arm".into(),
            "it lacks the board mps2-an385".to_owned()
        )
    );
    let complaint = "exit status: 127: libSDL2 is missing".to_owned();
    let answer = Answer {
        success: false,
        stdout: String::new(),
        complaint,
    };
    fake.answer("/usr/games/mednafen", "-help", Ok(answer));
    let Tool::Broken(_, why) = Survey::take(&fake).mednafen else {
        panic!("it does not run")
    };
    assert!(why.contains("libSDL2"), "{why}");
}

#[test]
fn an_emulator_named_by_the_user_is_the_only_one() {
    let mut fake = Fake::new();
    let banner = "Starting Mednafen 1.29.0\n";
    fake.program("/usr/games/mednafen", "-help", banner);
    fake.program("/opt/mednafen", "-help", "Starting Mednafen 1.32.1\n");
    let found = |fake: &Fake| Survey::take(fake).mednafen;
    assert_eq!(found(&fake).path(), Some(Path::new("/usr/games/mednafen")));
    let name = |fake: &mut Fake, program: &str| {
        let variable = "OVERWORLD_MEDNAFEN".to_owned();
        fake.variables.insert(variable, program.to_owned());
    };
    name(&mut fake, "/opt/mednafen");
    assert_eq!(found(&fake).path(), Some(Path::new("/opt/mednafen")));
    // A plain name is looked for as always.
    name(&mut fake, "mednafen");
    assert_eq!(found(&fake).path(), Some(Path::new("/usr/games/mednafen")));
    name(&mut fake, "/opt/other");
    assert_eq!(
        found(&fake),
        Tool::Broken("/opt/other".into(), "there is no such program".to_owned())
    );
    let error = setup::ensure_on(&fake, setup::Needs::BOOT).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("OVERWORLD_MEDNAFEN names /opt/other"),
        "{error}"
    );
    // QEMU has its own.
    fake.program(
        "/opt/qemu",
        "-machine help",
        "mps2-an385           ARM MPS2\n",
    );
    let variable = "OVERWORLD_QEMU_ARM".to_owned();
    fake.variables.insert(variable, "/opt/qemu".to_owned());
    assert_eq!(
        Survey::take(&fake).qemu.path(),
        Some(Path::new("/opt/qemu"))
    );
}

#[test]
fn sources_without_their_lock_file_are_named() {
    for file in LIBRARY {
        let mut fake = Fake::new();
        debian(&mut fake, "1.96.0", "1.96.0");
        let file = Path::new("/usr").join(SOURCES).join(file);
        fake.files.remove(&file);
        let said = format!(
            "version 1.96.0 has no library sources: {} is missing",
            file.display()
        );
        assert_eq!(faults(&fake), [said]);
    }
}

/// As a shell does it.
#[test]
fn a_file_that_cannot_be_run_does_not_hide_a_program() {
    let mut fake = Fake::new();
    let banner = "Starting Mednafen 1.29.0\n";
    fake.program("/usr/games/mednafen", "-help", banner);
    fake.file("/root/.cargo/bin/mednafen");
    fake.unrunnable.insert("/root/.cargo/bin/mednafen".into());
    let found = Survey::take(&fake).mednafen;
    assert_eq!(found.path(), Some(Path::new("/usr/games/mednafen")));
}

#[test]
fn a_compiler_may_be_named_from_the_current_folder_or_by_its_plain_name() {
    let here = std::env::current_dir().unwrap();
    let rustc = here.join("rust/bin/rustc");
    for (chosen, place) in [
        ("rust/bin/rustc", rustc.to_str().unwrap()),
        ("rustc", "/usr/bin/rustc"),
    ] {
        let mut fake = Fake::new();
        fake.compiler(place, "1.97.0", "/opt/rust");
        sources_below(&mut fake, "/opt/rust");
        let variable = "OVERWORLD_RUSTC".to_owned();
        fake.variables.insert(variable, chosen.to_owned());
        let survey = Survey::take(&fake);
        let found = survey.compiler().map(|found| &*found.rustc);
        assert_eq!(found, Some(Path::new(place)), "{chosen}");
    }
}
