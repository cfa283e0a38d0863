//! Directed searches find what a breadth-first search finds, in another order.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use everypath_engine_explicit::{
    AfterViolation, Heuristic, History, Kind, Limits, Options as SearchOptions, Order, Outcome,
    Stopped, Storage, search,
};
use everypath_lang_java::{Jdk, Options, Program, Reductions};
use everypath_model::{Action, TransitionSystem};
use support::{Tools, class_name, once, parallel, scratch, sources, tests};

/// Larger programs are left out.
const MOST: u64 = 15_000;

fn searched(
    program: &Program,
    heuristics: &[Heuristic<'_>],
    history: Option<History<'_>>,
) -> Outcome {
    let directed = !heuristics.is_empty() || history.is_some();
    let key = |state: &[u32]| u64::from(program.blocked_count(&mut program.worker(), state) > 0);
    let options = SearchOptions {
        order: if directed { Order::Directed } else { Order::Breadth },
        heuristics,
        history,
        store: Storage::Tree,
        limits: Limits { states: Some(MOST), ..Limits::default() },
        after_violation: AfterViolation::Continue,
        deadlock_key: Some(&key),
        ..SearchOptions::default()
    };
    loop {
        let outcome = search(program, &options, &mut ());
        if !matches!(outcome.stopped, Stopped::ModelError(_)) || !program.assume_less() {
            return outcome;
        }
    }
}

fn kinds(outcome: &Outcome) -> BTreeSet<Kind> {
    outcome.violations.iter().map(|violation| violation.kind).collect()
}

#[test]
fn the_verdicts_of_the_examples_are_the_same() {
    let Some(tools) = Tools::find() else { return };
    let all = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java"));
    // Tests have no `main`.
    let has_main = |path: &PathBuf| {
        std::fs::read_to_string(path).is_ok_and(|text| text.contains(" void main("))
    };
    let examples: Vec<PathBuf> = all.into_iter().filter(has_main).collect();
    let classes = scratch("directed");
    let library = tests().join("../library").display().to_string();
    once(&classes, &examples, || {
        tools.compile(&examples, &classes, &["-sourcepath", &library]);
    });
    let compared: Vec<bool> = parallel(&examples, |source| {
        let name = class_name(source);
        let options = Options::new(vec![classes.clone()], name.clone());
        let options = Options { reductions: Reductions::ALL, races: true, ..options };
        let program = Program::load(&Jdk::find().expect("a JDK"), &options)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let whole = searched(&program, &[], None);
        if !whole.complete() {
            return false;
        }
        let worker = Mutex::new(program.worker());
        let blocked = |state: &[u32]| {
            255 - program.blocked_count(&mut worker.lock().expect("a worker"), state)
        };
        let place = format!("{name}.main({name}.java:12)");
        program.set_aims(vec![vec![place.clone(), place]]);
        let near =
            |state: &[u32]| program.distance_to_aims(&mut worker.lock().expect("a worker"), state);
        let chosen = |known: u64, before: &[u32], actions: &[Action]| {
            let mut worker = worker.lock().expect("a worker");
            let known = known + u64::from(program.is_choice(&mut worker, before, actions));
            (known, known as u32)
        };
        let ways: [(&str, &[Heuristic<'_>], Option<History<'_>>); 4] = [
            ("most-blocked", &[&blocked], None),
            ("warning", &[&near], None),
            ("choose-free", &[], Some(&chosen)),
            ("all", &[&blocked, &near], Some(&chosen)),
        ];
        for (what, heuristics, history) in ways {
            let outcome = searched(&program, heuristics, history);
            assert!(outcome.complete(), "{name}, {what}");
            assert_eq!(outcome.stats.states, whole.stats.states, "{name}, {what}");
            assert_eq!(outcome.stats.transitions, whole.stats.transitions, "{name}, {what}");
            assert_eq!(kinds(&outcome), kinds(&whole), "{name}, {what}");
        }
        true
    });
    let count = compared.iter().filter(|&&compared| compared).count();
    assert!(count >= 30, "only {count} examples were compared");
}
