//! What must not stand in the sources of the console's code, since no compiler says so, and what must in others.

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

/// Each page with an example in Rust is among those whose examples are tests of the library's documentation.
#[test]
fn examples_of_the_pages_are_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let library = include_str!("../src/lib.rs");
    let mut pages = vec!["README.md".to_owned(), "fuzz/README.md".to_owned()];
    for entry in fs::read_dir(root.join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") {
            pages.push(format!("docs/{name}"));
        }
    }
    let mut examples = 0;
    for page in pages {
        let text = fs::read_to_string(root.join(&page)).unwrap();
        let count = text
            .lines()
            .filter(|line| line.starts_with("```rust"))
            .count();
        let compiled = library.contains(&format!("include_str!(\"../../{page}\")"));
        assert_eq!(count > 0, compiled, "{page}");
        // None that is only looked at.
        assert!(!text.contains("```rust,"), "{page}");
        examples += count;
    }
    assert!(examples >= 3, "{examples}");
}
