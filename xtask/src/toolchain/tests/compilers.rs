//! Which compilers are found, which is taken, and what is wrong with the others.

use super::super::*;
use super::*;

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
