//! Every error can be logged with `defmt`: one without its derive would be found by nobody but who needs it.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_error_can_be_logged() {
    let mut files = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut files,
    );
    let mut errors = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for line in &lines {
            let Some((_, rest)) = line.split_once(" core::error::Error for ") else {
                continue;
            };
            let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap();
            let declared = lines.iter().position(|line| {
                let line = line
                    .strip_prefix("pub enum ")
                    .or(line.strip_prefix("pub struct "));
                line.is_some_and(|line| {
                    line.split(|c: char| !c.is_alphanumeric()).next() == Some(name)
                })
            });
            let declared =
                declared.unwrap_or_else(|| panic!("{name} is not in {}", file.display()));
            // The attributes of the type stand right above it.
            let attributes = lines[..declared].iter().rev();
            let attributes = attributes.take_while(|line| line.starts_with("#["));
            assert!(
                attributes
                    .into_iter()
                    .any(|line| line.contains("derive(defmt::Format)")),
                "{name} in {} lacks its derive of defmt::Format",
                file.display()
            );
            errors += 1;
        }
    }
    assert!(errors > 20, "{errors} errors found");
}
