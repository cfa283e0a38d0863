//! Searches that are guided by what single runs show.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use everypath_engine_runtime::{lock_cycles, locksets, races, window};
use everypath_lang_java::{Program, Recorded};
use everypath_model::Severity;
use everypath_property::PropertyKind;
use everypath_verdict::{Note, PropertyResult, RunResult, Verdict};

use super::warnings::{Warning, warnings};
use crate::input::placeless;

/// Runs that are looked at.
const RUNS: u64 = 8;
/// Steps of each.
const STEPS: usize = 20_000;

/// What runs showed, and the threads that it is about.
#[derive(Default)]
pub struct Guide {
    warnings: Vec<Warning>,
    threads: Vec<String>,
}

impl Guide {
    /// Runs the program, and lets a search keep to the threads that matter, if it is told to; a directed one knows
    /// where to go.
    pub fn of(program: &Program, seed: u64, interrupt: &AtomicBool, keep: bool) -> Guide {
        let mut guide = Guide::default();
        let mut threads = BTreeSet::new();
        for seed in (seed..).take(RUNS as usize) {
            let stop = || interrupt.load(Ordering::Relaxed);
            // What cannot be executed is told by the search.
            let Ok(run) = program.record(seed, STEPS, &stop) else { break };
            for warning in warnings(&run, seed) {
                let same =
                    |other: &Warning| (other.kind, &other.about) == (warning.kind, &warning.about);
                if !guide.warnings.iter().any(same) {
                    guide.warnings.push(warning);
                }
            }
            threads.extend(threads_of(&run));
        }
        guide.threads = threads.into_iter().collect();
        if keep {
            program.set_window(guide.threads.clone());
        }
        let places = |warning: &Warning| warning.deeds.iter().map(|deed| deed.at.clone()).collect();
        program.set_lock_aims(guide.warnings.iter().any(|warning| warning.kind == "lock-order"));
        program.set_aims(guide.warnings.iter().map(places).collect());
        guide
    }

    /// What became of the warnings.
    pub fn notes(&self, program: &Program, result: &RunResult) -> Vec<Note> {
        let scope = match (program.has_window(), result.scope.complete) {
            (true, _) => format!("among the threads {}", self.threads.join(", ")),
            (false, true) => "in any schedule".to_owned(),
            (false, false) => "within the limits of the search".to_owned(),
        };
        let note = |warning: &Warning| {
            let what = match warning.kind {
                "race" => format!("data race on {}", warning.about),
                "unprotected" => format!("no lock protects {}", warning.about),
                _ => format!("locks in a circle: {}", warning.about),
            };
            let fate = match result.properties.iter().find(|p| confirms(warning, p)) {
                Some(property) => format!("confirmed ({})", property.id),
                None if warning.certain => format!("happened in a run (seed {})", warning.seed),
                None => format!("not confirmed {scope}"),
            };
            let message = format!("{what}: {fate}");
            Note::of(program.sources(), &placeless(Severity::Note, "EP0121", message))
        };
        self.warnings.iter().map(note).collect()
    }
}

/// Whether a finding shows what a warning is about.
fn confirms(warning: &Warning, property: &PropertyResult) -> bool {
    if property.verdict != Verdict::Violated {
        return false;
    }
    match warning.kind {
        "lock-order" => property.kind == PropertyKind::Deadlock,
        _ => {
            // Elements of an array are called by their class there.
            let about = warning.about.split('[').next().unwrap_or_default();
            let name = property.name.split(['$', ' ', '.']).collect::<Vec<_>>();
            let about: Vec<&str> = about.split('.').collect();
            let ends = name.windows(about.len()).any(|part| part == about);
            property.kind == PropertyKind::Race && ends
        }
    }
}

/// The threads that the warnings of a run depend on.
fn threads_of(run: &Recorded) -> Vec<String> {
    let events = &run.events;
    let mut warned = BTreeSet::new();
    for race in races(events) {
        warned.extend([events[race.first].thread, events[race.second].thread]);
    }
    warned.extend(locksets(events).into_iter().flat_map(|one| one.threads));
    for cycle in lock_cycles(events) {
        warned.extend(cycle.edges.iter().map(|edge| edge.thread));
    }
    if warned.is_empty() {
        return Vec::new();
    }
    let warned: Vec<u32> = warned.into_iter().collect();
    let inside = window(events, &warned);
    inside.into_iter().map(|thread| run.threads[thread as usize].clone()).collect()
}
