//! The output next to gcc's.

mod common;
mod gcc_common;

use std::path::Path;

use gcc_common::{compare, have_gcc};

#[test]
fn corpus() {
    if !have_gcc() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/promela");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root.join("beem")).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "pm" || e == "pml") {
            files.push(path);
        }
    }
    if files.is_empty() {
        println!("skipped: no corpus at {}", root.display());
    }
    files.sort();
    let mut failures = Vec::new();
    for path in &files {
        if let Err(difference) = compare(path) {
            failures.push(format!("{}: {difference}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{} files agree", files.len());
}
