//! Running gcc, and comparing.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

use everypath_model::Sources;
use everypath_preprocess::{Limits, Loader, Options, preprocess};
use everypath_testkit::needs;

use crate::common::Run;

/// A line with text and the source line it stands for.
pub type Line = (u32, String);

struct Disk;

impl Loader for Disk {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

pub fn have_gcc() -> bool {
    needs::program("gcc")
}

/// What `gcc -E` makes of a file, and whether it reported errors.
pub fn gcc(path: &Path) -> (Vec<Line>, bool) {
    let output = Command::new("gcc")
        .args(["-std=gnu99", "-E", "-x", "c"])
        .arg(path)
        .output()
        .expect("gcc runs");
    (gcc_lines(&String::from_utf8_lossy(&output.stdout)), output.status.success())
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
    let main = sources.add(path.to_path_buf(), String::from_utf8_lossy(&bytes).into_owned());
    let limits = Limits { errors: usize::MAX, warnings: 0, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let output = preprocess(&mut sources, main, &options, &Disk);
    Run { sources, output }
}

pub fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("a directory for the test");
    path
}

/// Compares one file; the difference if there is one.
pub fn compare(path: &Path) -> Result<(), String> {
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

/// Compares many small sources in one file, of which `starts` has the offsets. Both
/// must report the same number of errors.
pub fn compare_batch(name: &str, text: &str, starts: &[usize]) {
    let path = directory("gcc").join(format!("{name}.c"));
    std::fs::write(&path, text).expect("a file for the test");
    let output = Command::new("gcc")
        .args(["-std=gnu99", "-E", "-x", "c"])
        .arg(&path)
        .output()
        .expect("gcc runs");
    let theirs = gcc_lines(&String::from_utf8_lossy(&output.stdout));
    let run = ours(&path);
    let line_starts: Vec<u32> =
        starts.iter().map(|&start| text[..start].matches('\n').count() as u32 + 1).collect();
    let case = |line: u32| line_starts.partition_point(|&start| start <= line).saturating_sub(1);
    let source = |case: usize| {
        let end = starts.get(case + 1).copied().unwrap_or(text.len());
        &text[starts[case]..end]
    };
    let ours = our_lines(&run);
    for index in 0..theirs.len().max(ours.len()) {
        let (a, b) = (theirs.get(index), ours.get(index));
        if a != b {
            let line = a.map_or(u32::MAX, |l| l.0).min(b.map_or(u32::MAX, |l| l.0));
            panic!("{}\n  gcc:  {a:?}\n  ours: {b:?}\n{}", path.display(), source(case(line)));
        }
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let is_error = |line: &&str| line.contains(": error: ") && !line.ends_with("began here");
    let their_errors = stderr.lines().filter(is_error).count();
    assert_eq!(their_errors, run.errors(), "{}: number of errors", path.display());
}
