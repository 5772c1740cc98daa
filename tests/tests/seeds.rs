//! Replays the committed seeds of the fuzz targets of the tool and the boot ROM with the entry
//! functions of the targets, on stable Rust. `fuzz/README.md` tells what they assert.

#[path = "../../fuzz/src/replay.rs"]
mod replay;
#[path = "../../fuzz/src/runtime/mod.rs"]
mod runtime;
#[path = "../../fuzz/src/tools/mod.rs"]
mod tools;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tools::TARGETS;

#[test]
fn seeds_hold() {
    replay::seeds_of(&TARGETS);
}

#[test]
fn samples_of_the_writers_hold() {
    replay::samples_of(&TARGETS, &tools::samples());
}

/// The targets, their programs, the manifest of the fuzz package, the folders of seeds and the two
/// pages name the same things.
#[test]
fn every_target_has_a_program_and_seeds() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(project.join(folder)).expect("a folder");
        entries
            .map(|entry| {
                let path = entry.expect("readable").path();
                path.file_stem().expect("a name").to_string_lossy().into()
            })
            .collect()
    };
    let targets = runtime::TARGETS.iter().chain(&TARGETS);
    let targets: BTreeSet<String> = targets.map(|it| it.0.to_owned()).collect();
    assert_eq!(names("fuzz/fuzz_targets"), targets);
    assert_eq!(names("tests/data/seeds"), targets);
    let manifest = fs::read_to_string(project.join("fuzz/Cargo.toml")).expect("the manifest");
    for target in &targets {
        let line = format!("path = \"fuzz_targets/{target}.rs\"");
        assert!(manifest.contains(&line), "{target} is not in the manifest");
    }
    for page in ["fuzz/README.md", "docs/fuzzing.md"] {
        let text = fs::read_to_string(project.join(page)).expect("a page");
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
        let rows: BTreeSet<String> = rows
            .filter_map(|row| Some(row.split_once("` |")?.0.to_owned()))
            .collect();
        assert_eq!(rows, targets, "{page}");
    }
}

/// `cargo test -p overworld-tests --test seeds -- --ignored` after a format has changed.
#[test]
#[ignore = "writes tests/data/seeds"]
fn write_seeds() {
    replay::write(&tools::samples());
}
