//! What must not stand in the sources of the console's code, since no compiler says so.

use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}

/// Pitfall P2: a fence aborts compilers of MIPS-I, and only those that get so far as to make code of it. One on
/// another machine would not be seen before the console's build.
#[test]
fn no_fences_reach_the_console() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["runtime/src", "platform-psx/src", "tests/battery/src"] {
        rust_files(&root.join(folder), &mut files);
    }
    assert!(files.len() > 200, "{} files", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let line = text.lines().find(|line| line.contains("fence("));
        assert_eq!(line, None, "{}", file.display());
    }
}
