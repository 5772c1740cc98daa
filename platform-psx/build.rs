//! Gives each console binary its linker script.
//!
//! The scripts go in per binary, so that programs and boot ROM share one built `core`, and only
//! when the target is the console, so that the crate still checks and tests on a PC.

use std::env;
use std::path::Path;

/// Programs that a loader puts into RAM.
const PROGRAMS: [&str; 6] = ["demo", "town", "creatures", "battery", "devices", "faults"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("mips") {
        return;
    }
    let home = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let linker = Path::new(&home).join("../linker");
    let scripts = PROGRAMS
        .iter()
        .map(|bin| (*bin, "psexe.ld"))
        .chain([("bootrom", "bootrom.ld"), ("reordered", "reordered.ld")]);
    for (bin, script) in scripts {
        let script = linker.join(script);
        println!("cargo:rerun-if-changed={}", script.display());
        println!("cargo:rustc-link-arg-bin={bin}=-T{}", script.display());
        // Sections follow each other without gaps for pages, which this machine does not have.
        println!("cargo:rustc-link-arg-bin={bin}=--nmagic");
    }
}
