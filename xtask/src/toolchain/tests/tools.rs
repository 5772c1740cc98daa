//! Linkers and emulators: tried, and named by the user.

use super::super::*;
use super::*;

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
    // An emulator that is missing, for the exit status.
    let missing = error.downcast_ref::<setup::Missing>().unwrap();
    assert!(missing.only_emulators());
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
