//! Where the built images lie, and whether they are there.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Environment variable with the folder of the built images; a relative one counts from the
/// workspace's root, wherever a program runs.
pub const FOLDER_VARIABLE: &str = "OVERWORLD_ARTEFACTS";

/// Environment variable that turns "not built" and "not installed" into failures when it is `1`.
pub const REQUIRE_VARIABLE: &str = "OVERWORLD_REQUIRE";

/// The boot ROM, 512 KiB.
pub const BOOT_ROM: &str = "bootrom.bin";
/// PS-EXE: reads the disc and draws the demo world.
pub const DEMO: &str = "demo.exe";
/// PS-EXE: reads the disc and walks about in the sample town.
pub const TOWN: &str = "town.exe";
/// PS-EXE: reads the disc and draws two creatures, each in a game's own format.
pub const CREATURES: &str = "creatures.exe";
/// PS-EXE: the battery.
pub const BATTERY: &str = "battery.exe";
/// PS-EXE: tests of the drivers on the machine.
pub const DEVICES: &str = "devices.exe";
/// PS-EXE: its sections lie in another order.
pub const REORDERED: &str = "reordered.exe";
/// PS-EXE: faults on purpose.
pub const FAULTS: &str = "faults.exe";
/// The sample disc: sheet of its tracks.
pub const DISC_CUE: &str = "sample.cue";
/// The sample disc: its sectors.
pub const DISC_BIN: &str = "sample.bin";
/// The sample town's disc: sheet of its tracks.
pub const TOWN_CUE: &str = "town.cue";
/// The sample creatures' disc: sheet of its tracks.
pub const CREATURES_CUE: &str = "creatures.cue";
/// The battery as firmware of a Cortex-M3 board.
pub const CORTEX_M3: &str = "cortex-m3.elf";

/// The folder of the built images: from the environment, else `target/overworld` of the workspace.
///
/// `CARGO_TARGET_DIR` does not move it: two workspaces that share a target folder have images of
/// their own, and every path in the documentation holds.
#[must_use]
pub fn folder() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chosen = std::env::var_os(FOLDER_VARIABLE);
    folder_of(own.parent().unwrap_or(own), chosen.as_deref())
}

/// [`folder`] of the workspace with this root and this value of [`FOLDER_VARIABLE`].
#[must_use]
pub fn folder_of(root: &Path, chosen: Option<&OsStr>) -> PathBuf {
    match chosen.filter(|folder| !folder.is_empty()) {
        Some(folder) => root.join(folder),
        None => root.join("target/overworld"),
    }
}

/// Whether a missing image or emulator is a failure. Tests ask [`skip`], which also says what is skipped.
fn required() -> bool {
    std::env::var_os(REQUIRE_VARIABLE).is_some_and(|value| value == "1")
}

/// The path of a built image, or why there is none.
///
/// # Errors
/// The image is not built.
pub fn find(name: &str) -> Result<PathBuf, String> {
    let path = folder().join(name);
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!(
            "{} is not built: run `cargo xtask build`",
            path.display()
        ))
    }
}

/// Paths of built images, or `None` after a line that says why the test is skipped.
///
/// # Panics
/// As [`skip`].
#[must_use]
pub fn images<const N: usize>(names: [&str; N]) -> Option<[PathBuf; N]> {
    let mut paths = Vec::new();
    for name in names {
        match find(name) {
            Ok(path) => paths.push(path),
            Err(why) => return skip(&why),
        }
    }
    paths.try_into().ok()
}

/// Say why a test is skipped; `None`.
///
/// # Panics
/// With `OVERWORLD_REQUIRE=1` nothing is skipped: what is missing is a failure.
#[must_use]
pub fn skip<T>(why: &str) -> Option<T> {
    // Not `eprintln!`, which a test that passes does not show.
    skip_where(why, required(), &mut io::stderr())
}

fn skip_where<T>(why: &str, required: bool, told: &mut impl Write) -> Option<T> {
    assert!(!required, "{why}");
    let _ = writeln!(told, "skipped: {why}");
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_workspaces_unless_it_is_chosen() {
        let of = |chosen: Option<&str>| folder_of(Path::new("/w"), chosen.map(OsStr::new));
        assert_eq!(of(None), Path::new("/w/target/overworld"));
        assert_eq!(of(Some("")), Path::new("/w/target/overworld"));
        assert_eq!(of(Some("out")), Path::new("/w/out"));
        assert_eq!(of(Some("/elsewhere")), Path::new("/elsewhere"));
    }

    /// Neither in silence nor where everything must be there.
    #[test]
    fn a_test_that_is_skipped_says_so() {
        let mut told = Vec::new();
        assert_eq!(skip_where::<()>("no image", false, &mut told), None);
        assert_eq!(told, b"skipped: no image\n");
        let mut none = Vec::new();
        let required = || skip_where::<()>("no image", true, &mut none);
        let failure = std::panic::catch_unwind(std::panic::AssertUnwindSafe(required));
        let failure = failure.unwrap_err();
        assert_eq!(
            failure.downcast_ref::<String>().map(String::as_str),
            Some("no image")
        );
    }
}
