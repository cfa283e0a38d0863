//! Compiling sources with the user's javac, into a directory that does not stay.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use everypath_lang_java::{Jdk, LIBRARY, Provider, is_on_class_path};
use everypath_model::files::{self, MOST_TEXT};
use everypath_model::{Diagnostic, Ended, Severity, Sources, shown, visible};

use super::javac::{self, Failed, plain_path};
use super::{Refused, error, extension};
use crate::input::{placeless, reason};
use crate::reading::Reading;

/// A directory that is removed when nobody needs it any more.
#[derive(Debug)]
pub struct Classes(PathBuf);

impl Classes {
    fn new() -> std::io::Result<Classes> {
        private_folder("everypath-java").map(Classes)
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

/// A new directory for files that do not stay, which nobody else can write to.
pub fn private_folder(name: &str) -> std::io::Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    /// Names that somebody else may have taken.
    const TRIES: u32 = 1_000;
    let mut last = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
    for _ in 0..TRIES {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("{name}-{}-{number}", std::process::id()));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// Compiles a source file, with those beside it that it needs.
pub fn compile(jdk: &Jdk, path: &Path, reading: &Reading) -> Result<Classes, Refused> {
    if !reading.trust
        && let Some(option) = javac::dangerous(&reading.javac)
    {
        let message = format!("--javac {} may run code or write files", visible(option));
        let help = "--trust on the command line allows it, where you trust the program".to_owned();
        return Err(Diagnostic { help: Some(help), ..*error("EP1012", message) }.into());
    }
    let classes = Classes::new()
        .map_err(|problem| error("EP1011", format!("cannot compile: {}", reason(&problem))))?;
    let mut command = Command::new(jdk.javac());
    command.args(["-g", "-nowarn", "-encoding", "UTF-8"]).args(&reading.javac);
    command.arg("-d").arg(&classes.0);
    if !reading.trust {
        let nothing = classes.0.join("no-processors");
        fs::create_dir(&nothing)
            .map_err(|problem| error("EP1011", format!("cannot compile: {}", reason(&problem))))?;
        javac::keep_out(&mut command, &nothing);
    }
    let text = files::read_text(path, MOST_TEXT).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut roots = vec![plain_path(&source_root(folder, &text))];
    roots.extend(reading.source_path.iter().map(|place| plain_path(place)));
    // The library is compiled together with what uses it.
    if LIBRARY.iter().any(|(name, _)| text.contains(&class_of_file(name))) || uses_junit(&text) {
        let has_junit = is_on_class_path(&reading.class_path, "org/junit/jupiter/api/Test")
            || is_on_class_path(&reading.class_path, "org/junit/Test");
        roots.push(write_library(&classes, |name| !(has_junit && name.starts_with("org/junit/")))?);
    }
    if let Ok(roots) = std::env::join_paths(roots) {
        command.arg("-sourcepath").arg(roots);
    }
    if let Ok(joined) =
        std::env::join_paths(reading.class_path.iter().map(|place| plain_path(place)))
        && !joined.is_empty()
    {
        command.arg("-cp").arg(joined);
    }
    match javac::run(command.arg(plain_path(path)), reading.until) {
        Ok(()) => Ok(classes),
        Err(Failed::Start(problem)) => {
            let message = format!("cannot run {}: {}", shown(&jdk.javac()), reason(&problem));
            Err(error("EP1011", message).into())
        }
        Err(Failed::Errors(said)) => {
            let mut sources = Sources::default();
            let diagnostics = javac::errors(&said, path, &mut sources);
            Err(Refused { sources, diagnostics })
        }
        Err(Failed::Ended(why)) => {
            let why = match why {
                Ended::Interrupt => "interrupted",
                _ => "the time limit was reached",
            };
            let message = format!("{} is not compiled: {why}", shown(path));
            Err(placeless(Severity::Unsupported, "EP1012", message).into())
        }
    }
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
    javac::keep_out(&mut command, &library);
    match javac::run(&mut command, None) {
        Ok(()) => Ok(classes),
        Err(Failed::Start(problem)) => Err(wrong(reason(&problem))),
        Err(Failed::Errors(said)) => Err(wrong(said.trim_end().to_owned())),
        Err(Failed::Ended(_)) => Err(wrong("interrupted".to_owned())),
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
        files::read(&classes.as_ref()?.path().join(&file), MOST_TEXT).ok()
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
        .filter(|other| other.is_file())
        .collect();
    found.sort();
    found
}
