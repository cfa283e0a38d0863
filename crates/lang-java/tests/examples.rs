//! The examples: their verdicts, and that whatever the real virtual machine does is something that the
//! search found too.

mod support;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use everypath_lang_java::{Jdk, Options, Outcomes, Program, Reductions};
use support::{Tools, class_name, examples, once, parallel, scratch, sources, tests};

/// How often each example runs on the real virtual machine.
const RUNS: usize = 50;

/// The most states that are looked at.
const MOST: usize = 150_000;

/// Compiles the examples once.
fn classes(tools: &Tools) -> PathBuf {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED
        .get_or_init(|| {
            let classes = scratch("examples");
            let library = tests().join("../library").display().to_string();
            once(&classes, &examples(), || {
                tools.compile(&examples(), &classes, &["-sourcepath", &library]);
            });
            classes
        })
        .clone()
}

fn search(classes: &Path, name: &str) -> Result<Option<Outcomes>, String> {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let options = Options { output: true, reductions: Reductions::ALL, ..options };
    let program = Program::load(&Jdk::find()?, &options)?;
    program.outcomes(MOST).map_err(|error| error.0)
}

/// What the header of an example promises.
fn expected(source: &Path) -> String {
    let text = std::fs::read_to_string(source).expect("source");
    let line = text.lines().find_map(|line| line.strip_prefix(" * Expected: "));
    line.unwrap_or_else(|| panic!("{} has no expected verdict", source.display())).to_string()
}

/// The verdict that follows from the ways in which a program can end.
fn verdict(outcomes: &Outcomes) -> &'static str {
    let uncaught =
        |text: &str| outcomes.ends.iter().any(|end| end.uncaught.iter().any(|e| e.contains(text)));
    if uncaught("java.lang.AssertionError") {
        "violated (assertion)"
    } else if uncaught("") {
        "violated (exception)"
    } else if outcomes.ends.iter().any(|end| end.deadlock) {
        "violated (deadlock)"
    } else {
        "holds"
    }
}

/// How a run ended, in the words of the outcome runner.
fn ending(uncaught: &[String], deadlock: bool) -> Vec<String> {
    let mut words: Vec<String> = uncaught
        .iter()
        .map(|text| {
            let (thread, exception) = text.split_once(": ").unwrap_or(("", text));
            let class = exception.split(':').next().unwrap_or(exception);
            let who = if thread == "main" { "main" } else { "thread" };
            format!("{who} {class}")
        })
        .collect();
    if deadlock {
        words.push("deadlock".to_string());
    }
    words.sort();
    words
}

#[test]
fn the_examples_do_what_they_promise_and_java_shows_nothing_else() {
    let Some(tools) = Tools::find() else { return };
    let classes = classes(&tools);
    let found = parallel(&examples(), |source| {
        let name = class_name(source);
        search(&classes, &name).unwrap_or_else(|error| panic!("{name}: {error}"))
    });
    let mut wrong = Vec::new();
    let mut compared = Vec::new();
    for (source, outcomes) in examples().iter().zip(&found) {
        let name = class_name(source);
        match outcomes {
            None => wrong.push(format!("{name}: more than {MOST} states")),
            Some(outcomes) => {
                let (is, wanted) = (verdict(outcomes), expected(source));
                // Runs go on there; the races tell more (tests/races.rs).
                let wanted = wanted.replace("violated (partial deadlock)", "holds");
                if is != wanted {
                    wrong.push(format!("{name}: {is}, expected {wanted}"));
                }
                // A run that an assumption ends would end the outcome runner too.
                let text = std::fs::read_to_string(source).expect("source");
                if !text.contains("Verify.assume") {
                    compared.push(name);
                }
            }
        }
    }
    let seen = tools.outcomes(&classes, RUNS, &compared);
    assert!(!seen.is_empty());
    for (name, end, stdout) in seen {
        let position =
            examples().iter().position(|source| class_name(source) == name).expect("an example");
        let outcomes = found[position].as_ref().expect("searched");
        let mut words: Vec<String> = end.split(", ").map(str::to_string).collect();
        words.retain(|word| word != "end");
        words.sort();
        let known = if words == ["running"] {
            outcomes.endless
        } else {
            outcomes
                .ends
                .iter()
                .any(|end| end.stdout == stdout && ending(&end.uncaught, end.deadlock) == words)
        };
        if !known {
            wrong.push(format!(
                "{name}: java ended with {end} after {stdout:?}, the search found {:#?}",
                outcomes.ends
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_choice_library_is_java() {
    let Some(tools) = Tools::find() else { return };
    tools.compile(&sources(&tests().join("../library")), &scratch("library"), &[]);
}
