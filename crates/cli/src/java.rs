//! Java programs: sources are compiled with the user's javac, classes and jars are taken as they are.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use everypath_engine_explicit::{Observer, Outcome, Stopped, search};
use everypath_lang_java::{Jdk, Options, Program, Reductions, class_name, has_main, jar_main};
use everypath_model::{ActionInfo, Diagnostic, Fault, Severity, Span};

use crate::args::{ExecArg, FairArg};
use crate::config::{Checking, Reading};
use crate::input::{placeless, reason};
use crate::subject::{Manner, Subject};

/// Choices, assumptions and atomic regions, under our names and those of Java PathFinder.
const LIBRARY: [(&str, &str); 2] = [
    ("everypath/Verify.java", everypath_lang_java::VERIFY),
    ("gov/nasa/jpf/vm/Verify.java", everypath_lang_java::JPF_VERIFY),
];

/// Short name of the language.
pub const LANG: &str = "java";

/// Whether the name of a file is that of a Java program.
pub fn is_program(path: &Path) -> bool {
    matches!(extension(path).as_str(), "java" | "class" | "jar")
}

fn extension(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

/// A program with the directory in which it was compiled.
pub struct Opened {
    program: Program,
    _classes: Option<Classes>,
}

impl Deref for Opened {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

/// A directory that is removed when nobody needs it any more.
struct Classes(PathBuf);

impl Classes {
    fn new() -> std::io::Result<Classes> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everypath-java-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Classes(path))
    }
}

impl Drop for Classes {
    fn drop(&mut self) {
        // What cannot be removed stays: it is in the directory for such files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn error(code: &'static str, message: String) -> Box<Diagnostic> {
    Box::new(placeless(Severity::Error, code, message))
}

/// What is asked for that Java programs cannot be asked yet.
pub fn unsupported(checking: &Checking) -> Option<Box<Diagnostic>> {
    let asked = [
        ("--invariant", checking.invariants.is_empty()),
        ("--ltl", checking.formulas.is_empty()),
        ("--pattern", checking.patterns.is_empty()),
        ("--fsa", checking.automata.is_empty()),
        ("--qre", checking.expressions.is_empty()),
        ("--cycles", checking.cycles.is_empty()),
        ("--resume", checking.resume.is_none()),
        ("--disk", checking.disk.is_none()),
        ("--fair", checking.fairness == FairArg::None),
    ];
    let option = asked.iter().find(|(_, absent)| !absent).map(|(option, _)| (*option).to_owned());
    let other = || checking.reductions.named_for(false).map(|name| format!("--reduce {name}"));
    let message = format!("{} cannot be used with Java programs yet", option.or_else(other)?);
    Some(Box::new(placeless(Severity::Unsupported, "EP1013", message)))
}

/// The settings without what is made for other languages.
pub fn fitting(checking: &Checking) -> Checking {
    let mut checking = checking.clone();
    checking.reductions = checking.reductions.of_java();
    checking.exec = ExecArg::Interp;
    checking
}

/// Reads a program.
pub fn open(
    path: &Path,
    reading: &Reading,
    reductions: Reductions,
) -> Result<Opened, Box<Diagnostic>> {
    let jdk = Jdk::find().map_err(|why| error("EP1011", why))?;
    if let Err(problem) = fs::metadata(path) {
        let message = format!("cannot read {}: {}", path.display(), reason(&problem));
        return Err(error("EP1001", message));
    }
    let mut class_path = Vec::new();
    let mut sources = Vec::new();
    let mut classes = None;
    let main = match extension(path).as_str() {
        "java" => {
            let made = compile(&jdk, path, reading)?;
            let main = main_class(&made.0, path);
            class_path.push(made.0.clone());
            classes = Some(made);
            sources.push(path.to_owned());
            sources.extend(beside(path));
            main
        }
        "class" => {
            let cannot = |why: String| error("EP1012", format!("{}: {why}", path.display()));
            let bytes = fs::read(path).map_err(|problem| cannot(reason(&problem)))?;
            let name = class_name(bytes).map_err(cannot)?;
            class_path.push(root_of(path, &name));
            Some(name)
        }
        _ => {
            class_path.push(path.to_owned());
            jar_main(path).map_err(|why| error("EP1012", why))?
        }
    };
    class_path.extend(reading.class_path.iter().cloned());
    let Some(main) = reading.main.clone().or(main) else {
        let message = format!("{} does not say which class has `main`", path.display());
        let help = Some("name it with --main".to_owned());
        return Err(Box::new(Diagnostic { help, ..*error("EP1012", message) }));
    };
    let options = Options { sources, reductions, ..Options::new(class_path, main) };
    let program = Program::load(&jdk, &options).map_err(|why| error("EP1012", why))?;
    Ok(Opened { program, _classes: classes })
}

/// Compiles a source file, with those beside it that it needs.
fn compile(jdk: &Jdk, path: &Path, reading: &Reading) -> Result<Classes, Box<Diagnostic>> {
    let classes = Classes::new()
        .map_err(|problem| error("EP1011", format!("cannot compile: {}", reason(&problem))))?;
    let mut command = Command::new(jdk.javac());
    command.args(["-g", "-nowarn", "-encoding", "UTF-8", "-d"]).arg(&classes.0);
    let text = fs::read_to_string(path).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut roots = vec![source_root(folder, &text)];
    // The library of choices is compiled together with what uses it.
    if LIBRARY.iter().any(|(name, _)| text.contains(&class_of_file(name))) {
        let library = classes.0.join("library");
        let written = LIBRARY.iter().try_for_each(|(name, text)| {
            let file = library.join(name);
            fs::create_dir_all(file.parent().unwrap_or(&library))?;
            fs::write(file, text)
        });
        written
            .map_err(|problem| error("EP1011", format!("cannot compile: {}", reason(&problem))))?;
        roots.push(library);
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
fn beside(path: &Path) -> Vec<PathBuf> {
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

/// The class with `main`: the one that is called like the file, or else the first one that has it.
fn main_class(classes: &Path, source: &Path) -> Option<String> {
    let stem = source.file_stem()?.to_string_lossy().into_owned();
    let mut open = vec![classes.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).ok()?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if extension(&path) == "class"
                && let Ok(bytes) = fs::read(&path)
                && has_main(bytes.clone())
                && let Ok(name) = class_name(bytes)
            {
                found.push(name);
            }
        }
    }
    found.sort();
    let named = found.iter().find(|name| name.rsplit('.').next() == Some(&stem)).cloned();
    named.or_else(|| found.into_iter().next()).or(Some(stem))
}

/// The folder of a class file in which its package begins.
fn root_of(path: &Path, class: &str) -> PathBuf {
    let depth = class.split('.').count();
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real.ancestors().nth(depth).unwrap_or(Path::new(".")).to_owned()
}

impl Subject for Program {
    fn search(
        &self,
        _: Manner,
        options: &everypath_engine_explicit::Options<'_>,
        observer: &mut dyn Observer,
    ) -> Outcome {
        // What cannot be executed ends the search as well, which says so.
        let _ = self.prepare_assumptions();
        loop {
            let outcome = search(self, options, observer);
            // A search that had assumed too much begins again, unless it has its answer.
            if !matches!(outcome.stopped, Stopped::ModelError(_)) || !self.assume_less() {
                return outcome;
            }
        }
    }

    fn assertions(&self, _: &dyn Fn(u32) -> bool) -> Vec<(Span, bool)> {
        Vec::new()
    }

    fn unreached(&self, _: &dyn Fn(u32) -> bool) -> Vec<ActionInfo> {
        Vec::new()
    }

    fn invariants(&self) -> Vec<String> {
        Vec::new()
    }

    fn invariant_of(&self, _: Fault) -> Option<usize> {
        None
    }
}
