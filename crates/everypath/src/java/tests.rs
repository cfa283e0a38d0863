//! Tests of JUnit: each test method is a program of its own, whose every schedule is explored.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use everypath_lang_java::{Jdk, TEST_DRIVER, Tests, is_on_class_path, tests_in};
use everypath_model::Diagnostic;
use everypath_model::files::{self, MOST_TEXT};

use super::compile::{Classes, compile, compile_library};
use super::projects::{COMPILED, Project, project_of};
use super::{begins_in, extension};
use crate::interrupt;
use crate::reading::Reading;

/// One test method.
#[derive(Clone, Debug)]
pub struct Test {
    /// `AccountTest.transfer`
    pub name: String,
    /// The directory of classes, or the source file.
    pub path: PathBuf,
    /// How it is read.
    pub reading: Reading,
    /// What runs it; kept so that it is compiled once for all tests.
    pub driver: Option<Arc<Classes>>,
}

/// Class files that are looked at, at most.
const MOST_CLASSES: usize = 100_000;

/// The tests of an input, if it consists of tests: a directory of classes, a project, or a source file without
/// `main`. What is left out is told as notes.
pub fn tests_of(path: &Path, reading: &Reading, note: &mut dyn FnMut(String)) -> Option<Vec<Test>> {
    if reading.main.is_some() {
        return None;
    }
    let (tests, place, project) = if path.is_dir() {
        let inside = COMPILED.map(|place| path.join(place)).into_iter().find(|p| p.is_dir());
        let place = inside.unwrap_or_else(|| path.to_owned());
        let project = project_of(&place);
        (tests_in(class_files(&place, reading.until)), place, project)
    } else if is_test_source(path) {
        let jdk = Jdk::find().ok()?;
        let classes = compile(&jdk, path, reading).ok()?;
        (tests_in(class_files(classes.path(), None)), path.to_owned(), Project::default())
    } else {
        return None;
    };
    let Tests { found, with_arguments, .. } = tests;
    if found.is_empty() && with_arguments.is_empty() {
        return None;
    }
    for test in &with_arguments {
        note(format!("{} takes arguments and is not explored", test.name()));
    }
    let mut reading = reading.clone();
    if !is_on_class_path(&reading.class_path, "org/junit/jupiter/api/Test") {
        for missing in &project.missing {
            note(format!(
                "{missing} is named by the build file, but in no cache of Maven or Gradle"
            ));
        }
    }
    reading.class_path.extend(project.class_path);
    if reading.source_path.is_empty() {
        reading.source_path = project.source_path;
    }
    reading.main = Some(TEST_DRIVER.to_owned());
    let driver = Jdk::find().ok().and_then(|jdk| driver(&jdk).ok());
    let tests = found.into_iter().map(|test| Test {
        name: test.name(),
        path: place.clone(),
        reading: Reading { arguments: vec![test.class, test.method], ..reading.clone() },
        driver: driver.clone(),
    });
    Some(tests.collect())
}

/// Whether a source file has tests and no `main`. Tests for Java PathFinder run themselves.
fn is_test_source(path: &Path) -> bool {
    extension(path) == "java"
        && !begins_in(path)
        && files::read_text(path, MOST_TEXT).is_ok_and(|text| {
            (text.contains("@Test") || text.contains("@Explore") || text.contains("@RepeatedTest"))
                && !text.contains("TestJPF")
        })
}

/// The class files below a directory.
fn class_files(place: &Path, until: Option<Instant>) -> Vec<Vec<u8>> {
    let ended = || interrupt::requested() || until.is_some_and(|until| Instant::now() >= until);
    let mut open = vec![place.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten().take_while(|_| !ended()) {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else if extension(&path) == "class"
                && found.len() < MOST_CLASSES
                && let Ok(bytes) = files::read(&path, MOST_TEXT)
            {
                found.push(bytes);
            }
        }
    }
    found
}

/// The class that runs tests; compiled once as long as somebody has it.
pub fn driver(jdk: &Jdk) -> Result<Arc<Classes>, Box<Diagnostic>> {
    static DRIVER: Mutex<Weak<Classes>> = Mutex::new(Weak::new());
    let mut known = DRIVER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(driver) = known.upgrade() {
        return Ok(driver);
    }
    let driver = Arc::new(compile_library(jdk, "everypath/Tests.java")?);
    *known = Arc::downgrade(&driver);
    Ok(driver)
}
