//! Several files in a row, for the command line.

use anyhow::{Context, Result};
use std::io::Write;
use std::path::PathBuf;

use crate::workspace;

/// Scans every file, also those behind one that cannot be scanned. Reports go to `out`, complaints
/// about files to `complaints`. True if every file was scanned and none has a hazard.
///
/// # Errors
/// One of the outputs cannot be written.
pub fn scan_files(
    files: &[PathBuf],
    out: &mut dyn Write,
    complaints: &mut dyn Write,
) -> Result<bool> {
    let mut clean = true;
    let mut failed = 0;
    for file in files {
        let name = file.display();
        let scanned = workspace::read_elf(file)
            .and_then(|elf| super::scan(&elf).with_context(|| format!("{name} was not scanned")));
        match scanned {
            Ok(report) => {
                writeln!(out, "{name}\n{report}").context("cannot write the report")?;
                clean &= report.clean();
            }
            Err(error) => {
                writeln!(complaints, "xtask: {error:#}").context("cannot write a message")?;
                failed += 1;
            }
        }
    }
    if failed > 0 && files.len() > 1 {
        let total = files.len();
        writeln!(
            complaints,
            "xtask: {failed} of {total} files were not scanned"
        )
        .context("cannot write a message")?;
    }
    Ok(clean && failed == 0)
}
