//! Compiling sources with the user's javac, into a directory that does not stay.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use everypath_lang_java::{Jdk, LIBRARY, Provider, is_on_class_path};
use everypath_model::Diagnostic;

use super::{error, extension};
use crate::config::Reading;
use crate::input::reason;

/// A directory that is removed when nobody needs it any more.
#[derive(Debug)]
pub struct Classes(PathBuf);

impl Classes {
    fn new() -> std::io::Result<Classes> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everypath-java-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Classes(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Classes {
    fn drop(&mut self) {
        // What cannot be removed stays: it is in the directory for such files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compiles a source file, with those beside it that it needs.
pub fn compile(jdk: &Jdk, path: &Path, reading: &Reading) -> Result<Classes, Box<Diagnostic>> {
    let classes = Classes::new()
        .map_err(|problem| error("EP1011", format!("cannot compile: {}", reason(&problem))))?;
    let mut command = Command::new(jdk.javac());
    command.args(["-g", "-nowarn", "-encoding", "UTF-8"]).args(&reading.javac);
    command.arg("-d").arg(&classes.0);
    let text = fs::read_to_string(path).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut roots = vec![source_root(folder, &text)];
    roots.extend(reading.source_path.iter().cloned());
    // The library is compiled together with what uses it.
    if LIBRARY.iter().any(|(name, _)| text.contains(&class_of_file(name))) || uses_junit(&text) {
        let has_junit = is_on_class_path(&reading.class_path, "org/junit/jupiter/api/Test")
            || is_on_class_path(&reading.class_path, "org/junit/Test");
        roots.push(write_library(&classes, |name| !(has_junit && name.starts_with("org/junit/")))?);
    }
    if let Ok(roots) = std::env::join_paths(roots) {
        command.arg("-sourcepath").arg(roots);
    }
    if let Ok(joined) = std::env::join_paths(&reading.class_path)
        && !joined.is_empty()
    {
        command.arg("-cp").arg(joined);
    }
    let output = command.arg(path).output().map_err(|problem| {
        error("EP1011", format!("cannot run {}: {}", jdk.javac().display(), reason(&problem)))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let message = format!("{} does not compile:\n{}", path.display(), said.trim_end());
        return Err(error("EP1012", message));
    }
    Ok(classes)
}

/// Whether a text is that of tests.
fn uses_junit(text: &str) -> bool {
    text.contains("org.junit.")
}

/// Writes the files of the library that are wanted, and gives their folder.
fn write_library(
    classes: &Classes,
    wanted: impl Fn(&str) -> bool,
) -> Result<PathBuf, Box<Diagnostic>> {
    let library = classes.0.join("library");
    let mut files = LIBRARY.iter().filter(|(name, _)| wanted(name));
    let written = files.try_for_each(|(name, text)| {
        let file = library.join(name);
        fs::create_dir_all(file.parent().unwrap_or(&library))?;
        fs::write(file, text)
    });
    written.map_err(|problem| error("EP1011", format!("cannot compile: {}", reason(&problem))))?;
    Ok(library)
}

/// Compiles a file of the library, with those that it needs.
pub fn compile_library(jdk: &Jdk, name: &str) -> Result<Classes, Box<Diagnostic>> {
    let wrong = |why: String| error("EP1011", format!("cannot compile: {why}"));
    let classes = Classes::new().map_err(|problem| wrong(reason(&problem)))?;
    let library = write_library(&classes, |_| true)?;
    let mut command = Command::new(jdk.javac());
    command.args(["-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(&classes.0);
    command.arg("-sourcepath").arg(&library).arg(library.join(name));
    let output = command.output().map_err(|problem| wrong(reason(&problem)))?;
    match output.status.success() {
        true => Ok(classes),
        false => Err(wrong(String::from_utf8_lossy(&output.stderr).trim_end().to_owned())),
    }
}

/// Gives programs the classes of the library that are in none of the directories that were made for them. They are
/// compiled when the first one is needed.
pub fn library(jdk: &Jdk, made: Vec<PathBuf>) -> Provider {
    let jdk = jdk.clone();
    let compiled: Mutex<HashMap<String, Option<Classes>>> = Mutex::default();
    Provider::new(move |class| {
        let file = format!("{class}.class");
        if made.iter().any(|place| place.join(&file).is_file()) {
            return None;
        }
        let outer = class.split('$').next().unwrap_or(class);
        let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let classes = compiled
            .entry(outer.to_owned())
            .or_insert_with(|| compile_library(&jdk, &format!("{outer}.java")).ok());
        fs::read(classes.as_ref()?.path().join(&file)).ok()
    })
}

/// Whether a class belongs to the library that is compiled with programs.
pub fn is_library(class: &str) -> bool {
    LIBRARY.iter().any(|(name, _)| class_of_file(name) == class)
}

/// The name of the class in a file of the library.
fn class_of_file(name: &str) -> String {
    name.trim_end_matches(".java").replace('/', ".")
}

/// The folder in which packages begin.
fn source_root(folder: &Path, text: &str) -> PathBuf {
    let package = text.lines().find_map(|line| line.trim().strip_prefix("package "));
    let depth = package.map_or(0, |name| name.split('.').count());
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.ancestors().nth(depth).unwrap_or(folder).to_owned()
}

/// Other source files in the same folder, so that places in them can be shown.
pub fn beside(path: &Path) -> Vec<PathBuf> {
    /// More are not looked at.
    const MOST: usize = 200;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|other| extension(other) == "java" && other.file_name() != path.file_name())
        .take(MOST)
        .collect();
    found.sort();
    found
}
