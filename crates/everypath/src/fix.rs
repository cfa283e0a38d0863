//! Simple changes of a model that might repair it: tried on a copy, offered only if they do.

use std::time::{Duration, Instant};

use everypath_engine_explicit::{
    AfterViolation, Kind, Limits, Options, Order, Outcome, Storage, search,
};
use everypath_verdict::{Fix, Insertion, Place, Trace};

use crate::subject::Subject;

/// How long all trials of a run may take together.
const TIME: Duration = Duration::from_secs(1);
/// States of a changed copy.
const STATES: u64 = 200_000;
/// Memory of a search for a fix.
const MEMORY: u64 = 256 << 20;
/// Statements behind an outdated check that are made part of it at most.
const REACH: usize = 3;

/// Statements that are to be indivisible, from one to another.
pub type Span = (Place, Place);

/// Makes a copy of a model in which the statements from one place to another are indivisible, with
/// the place of all of them; `None` where that cannot be written down.
pub type Variant<'a, S> = &'a dyn Fn(Span) -> Option<(S, Place)>;

/// The changes that the remarks on a run suggest, the smallest first.
fn suggestions(trace: &Trace) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for why in &trace.explain {
        let [first, .., last] = why.steps[..] else { continue };
        let (first, last) = (first as usize - 1, last as usize - 1);
        let reach = match why.kind.as_str() {
            "lost-update" => 1,
            "check-then-act" => REACH,
            _ => continue,
        };
        let own =
            (last..trace.steps.len()).filter(|&at| trace.steps[at].lane == trace.steps[first].lane);
        for last in own.take(reach) {
            let span = (trace.steps[first].span, trace.steps[last].span);
            if span.0.file == span.1.file && !found.contains(&span) {
                found.push(span);
            }
        }
    }
    found
}

/// Looks for a change after which everything that is checked holds. `counts` tells whether a
/// violation is one of a property that is checked.
pub fn find<S: Subject>(
    trace: &Trace,
    variant: Variant<'_, S>,
    options: &Options<'_>,
    spent: &mut Duration,
    counts: &dyn Fn(&S, Kind) -> bool,
) -> Option<Fix> {
    let start = Instant::now();
    let before = *spent;
    let interrupted = || options.expired.is_some_and(|expired| expired());
    let expired = || before + start.elapsed() >= TIME || interrupted();
    let options = Options {
        limits: Limits { states: Some(STATES), memory: Some(MEMORY), depth: None },
        after_violation: AfterViolation::Stop,
        // What is said to hold has to be looked at exactly.
        store: Storage::default(),
        order: Order::Breadth,
        expired: Some(&expired),
        ..*options
    };
    let mut found = None;
    for span in suggestions(trace) {
        if expired() {
            break;
        }
        let Some((system, place)) = variant(span) else { continue };
        let outcome = search(&system, &options, &mut ());
        if holds(&system, &outcome, counts) {
            found = Some(fix(place, outcome.stats.states));
            break;
        }
    }
    *spent += start.elapsed();
    found
}

fn holds<S: Subject>(system: &S, outcome: &Outcome, counts: &dyn Fn(&S, Kind) -> bool) -> bool {
    outcome.complete() && !outcome.violations.iter().any(|v| counts(system, v.kind))
}

fn fix(place: Place, states: u64) -> Fix {
    let (from, to) = (place.start.0, place.end.0);
    let lines = if from == to { format!("line {from}") } else { format!("lines {from}-{to}") };
    let insertion = |at, text: &str| Insertion { file: place.file, at, text: text.to_owned() };
    Fix {
        text: format!("make {lines} atomic"),
        states,
        edits: vec![insertion(place.start, "atomic { "), insertion(place.end, " }")],
    }
}
