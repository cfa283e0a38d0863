//! The output next to gcc's.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::Run;
use everypath_model::Sources;
use everypath_preprocess::{Loader, Options, preprocess};

/// A line with text and the source line it stands for.
type Line = (u32, String);

struct Disk;

impl Loader for Disk {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

fn have_gcc() -> bool {
    let found = Command::new("gcc")
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success());
    if !found {
        println!("skipped: gcc is not installed");
    }
    found
}

/// What `gcc -E` makes of a file, and whether it reported errors.
fn gcc(path: &Path) -> (Vec<Line>, bool) {
    let output = Command::new("gcc")
        .args(["-std=gnu99", "-E", "-x", "c"])
        .arg(path)
        .output()
        .expect("gcc runs");
    (
        gcc_lines(&String::from_utf8_lossy(&output.stdout)),
        output.status.success(),
    )
}

/// Interprets the line markers.
fn gcc_lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut number: u32 = 1;
    let mut inside = true;
    for line in text.split('\n') {
        if let Some(marker) = line.strip_prefix("# ")
            && marker.starts_with(|c: char| c.is_ascii_digit())
        {
            let digits = marker.split(' ').next().unwrap_or("");
            number = digits.parse().expect("a line marker");
            inside = !marker.contains("<built-in>") && !marker.contains("stdc-predef");
            continue;
        }
        if !line.trim_end().is_empty() && inside && !line.starts_with("#ident") {
            lines.push((number, line.trim_end().to_string()));
        }
        number += 1;
    }
    lines
}

/// The same of our output.
fn our_lines(run: &Run) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut offset = 0;
    for line in run.output.text.split_inclusive('\n') {
        let text = line.trim_end();
        if !text.is_empty() {
            let start = offset + text.len() - text.trim_start().len();
            let span = run.output.map.span(start, start + 1);
            lines.push((run.sources.start(span).0, text.to_string()));
        }
        offset += line.len();
    }
    lines
}

fn ours(path: &Path) -> Run {
    let bytes = std::fs::read(path).expect("a readable file");
    let mut sources = Sources::default();
    let main = sources.add(
        path.to_path_buf(),
        String::from_utf8_lossy(&bytes).into_owned(),
    );
    let output = preprocess(&mut sources, main, &Options::default(), &Disk);
    Run { sources, output }
}

fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("a directory for the test");
    path
}

/// Compares one file; the difference if there is one.
fn compare(path: &Path) -> Result<(), String> {
    let (theirs, fine) = gcc(path);
    let run = ours(path);
    if fine != (run.errors() == 0) {
        return Err(format!("gcc succeeds: {fine}; ours: {:?}", run.messages()));
    }
    if !fine {
        return Ok(());
    }
    let ours = our_lines(&run);
    for index in 0..theirs.len().max(ours.len()) {
        let (a, b) = (theirs.get(index), ours.get(index));
        if a != b {
            return Err(format!("line {index}\n  gcc:  {a:?}\n  ours: {b:?}"));
        }
    }
    Ok(())
}

#[test]
fn corpus() {
    if !have_gcc() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/promela");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root.join("beem"))
        .into_iter()
        .flatten()
        .flatten()
    {
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
