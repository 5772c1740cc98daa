//! Runs the committed seeds without libFuzzer: part of the tests of the packages, see the crate.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Name and entry function of a target.
type Target = (&'static str, fn(&[u8]) -> bool);

/// A sample: target, name, content.
type Sample = (&'static str, &'static str, Vec<u8>);

/// Where the seeds lie, from a package of the workspace.
fn seeds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/seeds")
}

/// Run one input; whether the reader took it.
fn run((target, entry): Target, what: &str, data: &[u8]) -> bool {
    match catch_unwind(AssertUnwindSafe(|| entry(data))) {
        Ok(taken) => taken,
        Err(cause) => {
            let text = cause.downcast_ref::<String>().map(String::as_str);
            let text = text.or(cause.downcast_ref::<&str>().copied());
            panic!("{target}: {what}: {}", text.unwrap_or("a panic"));
        }
    }
}

/// What the name of a seed promises.
fn hold_to_name(target: &str, name: &str, taken: bool) {
    if name.starts_with("ok") {
        assert!(taken, "{target}: {name} is valid and was refused");
    }
    if name.starts_with("bad") {
        assert!(!taken, "{target}: {name} is not valid and was taken");
    }
}

/// Replay the seeds of these targets: as they are, and cut short at some lengths.
pub fn seeds_of(targets: &[Target]) {
    for &target in targets {
        let folder = seeds().join(target.0);
        let entries = fs::read_dir(&folder);
        let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<_> = entries.map(|it| it.expect("readable").path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{} has no seed", folder.display());
        for path in paths {
            let name = path.file_name().expect("a file").to_string_lossy();
            let data = fs::read(&path).expect("readable");
            hold_to_name(target.0, &name, run(target, &name, &data));
            let lengths: BTreeSet<usize> = (0..12).map(|n| data.len() * n / 12).collect();
            for length in lengths {
                let what = format!("the first {length} bytes of {name}");
                run(target, &what, &data[..length]);
            }
        }
    }
}

/// What the writers make now is valid, and a seed of each target is among it.
pub fn samples_of(targets: &[Target], samples: &[Sample]) {
    for &target in targets {
        let mut own = samples.iter().filter(|it| it.0 == target.0).peekable();
        assert!(own.peek().is_some(), "{} has no sample", target.0);
        for (_, name, data) in own {
            hold_to_name(target.0, name, run(target, name, data));
        }
    }
}

/// Write the samples to the folder of the seeds.
pub fn write(samples: &[Sample]) {
    for (target, name, data) in samples {
        let folder = seeds().join(target);
        fs::create_dir_all(&folder).expect("a folder for the seeds");
        fs::write(folder.join(name), data).expect("room for a seed");
    }
}
