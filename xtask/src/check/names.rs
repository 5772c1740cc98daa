//! Whether every benchmark of the battery has one of the same name on the PC.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use crate::build::FIRMWARE_PACKAGE;
use crate::cargo;
use crate::workspace::Workspace;

/// Benchmarks of the battery that mean nothing on a PC: it has no scratchpad.
const MACHINES_ONLY: [&str; 1] = ["gte/rtpt_scratch"];

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
    if missing.is_empty() {
        return Ok(());
    }
    bail!("no benchmark on the PC is called {}", missing.join(", "))
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
    }
}
