//! Depth-first searches by several threads: the same states and steps as by one, and runs that are runs.

mod scattered;

use std::collections::{BTreeMap, BTreeSet};

use everypath_engine_explicit::{
    AfterViolation, Kind, Limits, Options, Order, Outcome, Proviso, Stopped, Storage, search,
};
use scattered::Scattered;

fn all<'a>(store: Storage, threads: usize) -> Options<'a> {
    Options {
        order: Order::Depth,
        store,
        threads,
        after_violation: AfterViolation::Continue,
        collect: true,
        ..Options::default()
    }
}

/// What does not depend on the order of a complete search.
fn facts(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug {
    let violations: BTreeMap<Kind, u64> =
        outcome.violations.iter().map(|v| (v.kind, v.occurrences)).collect();
    let states: BTreeSet<Vec<u32>> = outcome.states.iter().cloned().collect();
    let stats = &outcome.stats;
    assert_eq!(stats.states, states.len() as u64, "a state is stored twice");
    let counts = (stats.states, stats.transitions, stats.frontier, outcome.errors);
    (counts, violations, states, outcome.coverage.clone(), outcome.stopped.clone())
}

#[test]
fn threads_find_the_same() {
    let system = Scattered { states: 60_000, components: 5 };
    for store in [Storage::Collapse, Storage::Plain, Storage::Tree, Storage::Delta { every: 4 }] {
        let one = search(&system, &all(store, 1), &mut ());
        assert!(one.complete() && one.errors > 100);
        for threads in [2, 3, 5] {
            let many = search(&system, &all(store, threads), &mut ());
            assert_eq!(facts(&many), facts(&one), "{store:?}, {threads} threads");
            for violation in &many.violations {
                let path = many.path(&system, violation).unwrap();
                assert_eq!(path.len() as u64, violation.depth);
            }
        }
    }
}

#[test]
fn limits_end_all_threads() {
    let system = Scattered { states: 60_000, components: 5 };
    let limits = |memory, states| Limits { memory, states, depth: None };
    for (limits, stopped) in [
        (limits(None, Some(5000)), Stopped::StateLimit),
        (limits(Some(300_000), None), Stopped::MemoryLimit),
    ] {
        for _ in 0..20 {
            let options = Options { limits, ..all(Storage::Collapse, 3) };
            let outcome = search(&system, &options, &mut ());
            assert_eq!(outcome.stopped, stopped);
            assert!(!outcome.complete() && outcome.stats.frontier > 0);
        }
    }
    for _ in 0..20 {
        let after_violation = AfterViolation::Stop;
        let options = Options { after_violation, ..all(Storage::Collapse, 3) };
        let outcome = search(&system, &options, &mut ());
        assert_eq!(outcome.stopped, Stopped::Violation);
        let path = outcome.path(&system, &outcome.violations[0]).unwrap();
        assert_eq!(path.len() as u64, outcome.violations[0].depth);
    }
    // Both need to know the order of one stack.
    let reduced = Options { reduction: Some(Proviso::Open), ..all(Storage::Collapse, 3) };
    let alone = Options { threads: 1, ..reduced };
    let (many, one) = (search(&system, &reduced, &mut ()), search(&system, &alone, &mut ()));
    assert_eq!((many.stats.states, many.stats.depth), (one.stats.states, one.stats.depth));
}
