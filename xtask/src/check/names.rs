//! Whether every benchmark of the battery has one of the same name on the PC, and the other way round.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use crate::build::FIRMWARE_PACKAGE;
use crate::cargo;
use crate::workspace::Workspace;

/// Benchmarks of the battery that mean nothing on a PC: it has no scratchpad.
const MACHINES_ONLY: [&str; 1] = ["gte/rtpt_scratch"];

/// Benchmarks of the PC that the battery has not, by the beginning of their names.
const PC_ONLY: [&str; 8] = [
    // Corpora and levels that the battery's machines have no memory for; it has small ones.
    "lzs/decode/",
    "lzs/stream/",
    "lzs/window/",
    "llama/parse",
    // Packing is a matter of the PC, and so is the listing of whole scripts.
    "lzs/encode/",
    "script/disasm",
    // What the decoders are compared with.
    "lzs/memcpy/",
    "lzs/naive/",
];

/// Ask criterion's benchmarks for their names, running none; compare with the battery's.
///
/// # Errors
/// Cargo fails, or names of the battery are missing: which.
pub fn compare(workspace: &Workspace, battery: &[&str]) -> Result<()> {
    // All packages, so that what the tests have built serves: fewer would have other features.
    let arguments = [
        "test",
        "--workspace",
        "--exclude",
        FIRMWARE_PACKAGE,
        "--benches",
        "--",
        "--list",
    ];
    let mut names = BTreeSet::new();
    let status = cargo::follow(&mut cargo::host(workspace, &arguments), |line| {
        names.extend(name(&cargo::uncoloured(line)).map(str::to_owned));
        false
    })?;
    if !status.success() {
        bail!("cargo test --benches ended with {status}");
    }
    let missing = missing(battery, &names);
    if !missing.is_empty() {
        bail!("no benchmark on the PC is called {}", missing.join(", "));
    }
    let alone = alone(battery, &names);
    if !alone.is_empty() {
        bail!("no benchmark of the battery is called {}", alone.join(", "));
    }
    Ok(())
}

/// The name in a line of the list.
fn name(line: &str) -> Option<&str> {
    line.strip_suffix(": benchmark")
}

fn missing<'a>(battery: &[&'a str], criterion: &BTreeSet<String>) -> Vec<&'a str> {
    let known = |name: &&str| criterion.contains(*name) || MACHINES_ONLY.contains(name);
    let missing = battery.iter().copied().filter(|name| !known(name));
    // An empty list is no agreement: it was not read.
    if battery.is_empty() {
        return vec!["anything: the battery names none"];
    }
    missing.collect()
}

/// Those of the PC that the battery lacks. `a/b/c` is a variant of `a/b`, which it is compared with.
fn alone<'a>(battery: &[&str], criterion: &'a BTreeSet<String>) -> Vec<&'a str> {
    let excused = |name: &&str| PC_ONLY.iter().any(|start| name.starts_with(start));
    let known = |name: &&str| {
        let parent = name.rsplit_once('/').map_or("", |it| it.0);
        battery.contains(name) || battery.contains(&parent)
    };
    let names = criterion.iter().map(String::as_str);
    names
        .filter(|name| !known(name) && !excused(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_one_list_lacks_is_told() {
        let lines = [
            "lzs/decode/pose: benchmark",
            "gte/rtpt: benchmark",
            "some::test: test",
            "150 tests, 0 benchmarks",
        ];
        let criterion = lines.iter().filter_map(|line| name(line));
        let criterion: BTreeSet<String> = criterion.map(str::to_owned).collect();
        assert_eq!(criterion.len(), 2);
        assert_eq!(missing(&["gte/rtpt"], &criterion), [""; 0]);
        assert_eq!(
            missing(&["gte/rtpt", "gte/rtpt_ram", MACHINES_ONLY[0]], &criterion),
            ["gte/rtpt_ram"]
        );
        assert_eq!(missing(&[], &criterion).len(), 1);
        // The other way round, too, but for what has a reason.
        assert_eq!(alone(&["gte/rtpt"], &criterion), [""; 0]);
        assert_eq!(alone(&["gte/mvmva"], &criterion), ["gte/rtpt"]);
        assert_eq!(alone(&["gte"], &criterion), [""; 0]);
    }
}
