//! The orders of search against a slow, obvious one, on thousands of random graphs.

mod toy;

use std::collections::{BTreeMap, BTreeSet};

use everypath_engine_explicit::{
    AfterViolation, Heuristic, Kind, Options, Order, Outcome, Path, Stopped, Violation, search,
};
use everypath_model::Action;
use toy::{Naive, Toy, brute_switches};

const GRAPHS: u64 = 6000;

fn all<'a>(order: Order) -> Options<'a> {
    Options {
        order,
        after_violation: AfterViolation::Continue,
        collect: true,
        ..Options::default()
    }
}

fn reached(toy: &Toy, outcome: &Outcome) -> BTreeSet<usize> {
    let nodes: Vec<usize> = outcome.states.iter().map(|state| toy.node(state)).collect();
    let set: BTreeSet<usize> = nodes.iter().copied().collect();
    assert_eq!(set.len(), nodes.len(), "a state is stored twice");
    set
}

/// Follows a path in the graph itself and checks that it ends in its violation.
fn check_path(toy: &Toy, violation: &Violation, path: &Path, key: &dyn Fn(usize) -> u64) {
    assert_eq!(path.len() as u64, violation.depth);
    assert_eq!(path.ordinals.len(), path.len() + 1);
    let mut edge = &toy.initial[path.ordinals[0] as usize];
    assert_eq!(toy.node(&path.initial), edge.target);
    for (actions, &ordinal) in path.steps().zip(&path.ordinals[1..]) {
        assert!(!edge.fatal);
        edge = &toy.nodes[edge.target].edges[ordinal as usize];
        assert_eq!(actions, edge.actions);
    }
    assert_eq!(toy.node(&path.last), edge.target);
    let node = &toy.nodes[edge.target];
    match violation.kind {
        Kind::Fault(fault) => assert_eq!(edge.fault, Some(fault)),
        Kind::Invariant(fault) => assert_eq!(node.invariant, Some(fault)),
        Kind::Deadlock(k) => {
            assert!(node.edges.is_empty() && !node.valid_end && key(edge.target) == k)
        }
    }
}

#[test]
fn searches_agree_with_the_twin() {
    let mut violations = 0;
    for seed in 0..GRAPHS {
        let toy = Toy::random(seed);
        let key = |node: usize| node as u64 % (1 + seed % 3);
        let state_key = |state: &[u32]| key(toy.node(state));
        let naive = Naive::search(&toy, &key);
        // Heuristics may be anything.
        let far = |state: &[u32]| toy.node(state) as u32 * 7 % (1 + seed as u32 % 5);
        let near = |state: &[u32]| 1000 - toy.node(state) as u32;
        let heuristics: [Heuristic<'_>; 2] = [&far, &near];
        // So may what is made of runs.
        let run = |known: u64, before: &[u32], actions: &[Action]| {
            let mixed = known % 1000 * 31 + u64::from(before[0] % 100) + actions.len() as u64;
            (mixed, mixed as u32 % 11)
        };
        for (order, threads) in [
            (Order::Breadth, 1),
            (Order::Depth, 1),
            (Order::Directed, 1),
            (Order::Depth, 2 + seed as usize % 3),
            (Order::Breadth, 2 + seed as usize % 2),
        ] {
            if threads > 1 && seed % 10 != 0 {
                continue;
            }
            let options = Options {
                deadlock_key: Some(&state_key),
                threads,
                heuristics: &heuristics[..seed as usize % 3],
                prefer_blocked: seed % 2 == 0,
                history: (seed % 5 < 3).then_some(&run),
                ..all(order)
            };
            let outcome = search(&toy, &options, &mut ());
            let context = format!("seed {seed}, {order:?}, {threads} threads");
            assert_eq!(outcome.stopped, Stopped::Finished, "{context}");
            assert!(outcome.complete(), "{context}");
            assert_eq!(outcome.stats.states, naive.distance.len() as u64, "{context}");
            assert_eq!(outcome.stats.transitions, naive.transitions, "{context}");
            assert_eq!(outcome.stats.frontier, 0, "{context}");
            assert_eq!(outcome.errors, naive.errors(), "{context}");
            assert_eq!(outcome.unrecorded, 0);
            let nodes: BTreeSet<usize> = naive.distance.keys().copied().collect();
            assert_eq!(reached(&toy, &outcome), nodes, "{context}");
            let covered: BTreeSet<u32> = outcome.coverage.iter().collect();
            assert_eq!(covered, naive.covered, "{context}");
            let found: BTreeMap<Kind, (u64, u64)> =
                outcome.violations.iter().map(|v| (v.kind, (v.depth, v.occurrences))).collect();
            assert_eq!(found.len(), outcome.violations.len(), "a kind is recorded twice");
            if order == Order::Breadth {
                assert_eq!(outcome.stats.depth, naive.depth(), "{context}");
                assert_eq!(found, naive.violations, "{context}");
            } else {
                assert!(outcome.stats.depth >= naive.depth(), "{context}");
                let counts = |all: &BTreeMap<Kind, (u64, u64)>| -> Vec<(Kind, u64)> {
                    all.iter().map(|(&kind, v)| (kind, v.1)).collect()
                };
                assert_eq!(counts(&found), counts(&naive.violations), "{context}");
            }
            for violation in &outcome.violations {
                violations += 1;
                let path = outcome.path(&toy, violation).unwrap();
                check_path(&toy, violation, &path, &key);
                let switched = outcome.fewest_switches(&toy, &options, violation).unwrap();
                let mut shortened = violation.clone();
                if order == Order::Directed {
                    assert!(switched.exact, "{context}");
                    shortened.depth = naive.violations[&violation.kind].0;
                }
                check_path(&toy, &shortened, &switched.path, &key);
                assert_eq!(switched.switches, switched.path.switches());
            }
        }
    }
    assert!(violations > 10_000, "the graphs are too tame: {violations}");
}

#[test]
fn switches_are_the_fewest() {
    let (mut compared, mut improved) = (0, 0);
    for seed in 0..GRAPHS {
        let toy = Toy::random(seed);
        let key = |node: usize| node as u64 % (1 + seed % 3);
        let state_key = |state: &[u32]| key(toy.node(state));
        let options = Options { deadlock_key: Some(&state_key), ..all(Order::Breadth) };
        let outcome = search(&toy, &options, &mut ());
        for violation in &outcome.violations {
            let mut budget = 200_000;
            let brute = brute_switches(&toy, violation.kind, violation.depth, &key, &mut budget);
            if budget == 0 || violation.depth == 0 {
                continue;
            }
            let fewest = outcome.fewest_switches(&toy, &options, violation).unwrap();
            assert!(fewest.exact);
            assert_eq!(Some(fewest.switches), brute, "seed {seed}, {:?}", violation.kind);
            compared += 1;
            improved +=
                u32::from(outcome.path(&toy, violation).unwrap().switches() > fewest.switches);
        }
    }
    assert!(compared > 3000 && improved > 100, "{compared} compared, {improved} improved");
}

#[test]
fn too_many_pairs_give_the_plain_run() {
    let mut given_up = 0;
    for seed in 0..500 {
        let toy = Toy::random(seed);
        let options = Options { max_switch_pairs: 3, ..all(Order::Breadth) };
        let outcome = search(&toy, &options, &mut ());
        for violation in &outcome.violations {
            let fewest = outcome.fewest_switches(&toy, &options, violation).unwrap();
            if !fewest.exact {
                assert_eq!(fewest.path, outcome.path(&toy, violation).unwrap());
                given_up += 1;
            }
        }
    }
    assert!(given_up > 20);
}
