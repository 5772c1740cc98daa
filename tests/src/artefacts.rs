//! Where the built images lie, and whether they are there.

use std::path::{Path, PathBuf};

/// Environment variable with the folder of the built images.
pub const FOLDER_VARIABLE: &str = "OVERWORLD_ARTEFACTS";

/// Environment variable that turns "not built" and "not installed" into failures when it is `1`.
pub const REQUIRE_VARIABLE: &str = "OVERWORLD_REQUIRE";

/// The boot ROM, 512 KiB.
pub const BOOT_ROM: &str = "bootrom.bin";
/// PS-EXE: reads the disc and draws the demo world.
pub const DEMO: &str = "demo.exe";
/// PS-EXE: the battery.
pub const BATTERY: &str = "battery.exe";
/// PS-EXE: tests of the drivers on the machine.
pub const DEVICES: &str = "devices.exe";
/// PS-EXE: faults on purpose.
pub const FAULTS: &str = "faults.exe";
/// The sample disc: sheet of its tracks.
pub const DISC_CUE: &str = "sample.cue";
/// The sample disc: its sectors.
pub const DISC_BIN: &str = "sample.bin";
/// The battery as firmware of a Cortex-M3 board.
pub const CORTEX_M3: &str = "cortex-m3.elf";

/// The folder of the built images: from the environment, else `target/overworld` of the workspace.
#[must_use]
pub fn folder() -> PathBuf {
    match std::env::var_os(FOLDER_VARIABLE) {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join("target/overworld"),
    }
}

/// Whether a missing image or emulator is a failure.
#[must_use]
pub fn required() -> bool {
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
