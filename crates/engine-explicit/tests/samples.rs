//! Random runs and swarms: what they find is real, and follows from their seeds alone.

mod toy;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use everypath_engine_explicit::{
    AfterViolation, Kind, Limits, Options, Order, Outcome, Sample, Sequence, Stopped, Storage,
    search,
};
use toy::{Naive, Toy};

fn options<'a>(order: Order, threads: usize, after_violation: AfterViolation) -> Options<'a> {
    Options {
        order,
        threads,
        after_violation,
        limits: Limits { depth: Some(200), ..Limits::default() },
        store: Storage::Bitstate {
            functions: 3,
            sequence: Sequence::Paired,
            bytes: 1 << 12,
            seed: 0,
        },
        ..Options::default()
    }
}

/// Everything that must repeat itself.
fn facts(toy: &Toy, outcome: &Outcome) -> impl PartialEq + std::fmt::Debug {
    let violations: Vec<_> = outcome
        .violations
        .iter()
        .map(|v| (v.kind, v.depth, v.occurrences, v.seed, outcome.path(toy, v).unwrap().ordinals))
        .collect();
    let covered: Vec<u32> = outcome.coverage.iter().collect();
    let stats = &outcome.stats;
    let counts = (stats.states, stats.transitions, stats.depth, outcome.errors, outcome.runs);
    (format!("{:?}", outcome.stopped), violations, covered, counts)
}

#[test]
fn what_is_found_is_real_and_nothing_is_proved() {
    let (mut found, mut missed) = (0, 0);
    for seed in 0..1500 {
        let toy = Toy::random(seed);
        let naive = Naive::search(&toy, &|_| 0);
        let sample = Sample { seed, runs: Some(20) };
        for order in [Order::Random(sample), Order::Swarm(sample)] {
            let options = options(order, 1, AfterViolation::Continue);
            let outcome = search(&toy, &options, &mut ());
            let context = format!("seed {seed}, {order:?}");
            assert_eq!(outcome.stopped, Stopped::Finished, "{context}");
            assert!(!outcome.complete(), "{context}");
            assert_eq!(outcome.runs, Some(20), "{context}");
            let covered: BTreeSet<u32> = outcome.coverage.iter().collect();
            assert!(covered.is_subset(&naive.covered), "{context}");
            let kinds: BTreeMap<Kind, u64> =
                outcome.violations.iter().map(|v| (v.kind, v.depth)).collect();
            for violation in &outcome.violations {
                let shortest = naive.violations[&violation.kind].0;
                assert!(violation.depth >= shortest, "{context}");
                let path = outcome.path(&toy, violation).unwrap();
                assert_eq!(path.len() as u64, violation.depth, "{context}");
                let fewest = outcome.fewest_switches(&toy, &options, violation).unwrap();
                assert!(fewest.exact, "{context}");
                assert_eq!(fewest.path.len() as u64, shortest, "{context}");
            }
            found += kinds.len();
            missed += naive.violations.len() - kinds.len();
        }
    }
    assert!(found > 20 * missed, "{found} found, {missed} missed");
}

#[test]
fn the_outcome_follows_from_the_seed_alone() {
    for seed in 0..400 {
        let toy = Toy::random(seed);
        for after in [AfterViolation::Stop, AfterViolation::Continue] {
            for order in [Order::Random, Order::Swarm] {
                let order = order(Sample { seed: seed * 100, runs: Some(7) });
                let one = search(&toy, &options(order, 1, after), &mut ());
                for threads in [1, 2, 4] {
                    let other = search(&toy, &options(order, threads, after), &mut ());
                    assert_eq!(facts(&toy, &other), facts(&toy, &one), "seed {seed}, {order:?}");
                }
            }
        }
    }
}

#[test]
fn one_of_many_can_be_repeated_alone() {
    let mut repeated = 0;
    for seed in 0..400 {
        let toy = Toy::random(seed);
        for order in [Order::Random, Order::Swarm] {
            let all = order(Sample { seed, runs: Some(30) });
            let all = search(&toy, &options(all, 2, AfterViolation::Stop), &mut ());
            let Some(first) = all.violations.first() else { continue };
            let alone = order(Sample { seed: first.seed.unwrap(), runs: Some(1) });
            let alone = search(&toy, &options(alone, 1, AfterViolation::Stop), &mut ());
            let again = &alone.violations[0];
            assert_eq!((again.kind, again.depth), (first.kind, first.depth));
            let run = |o: &Outcome, v| o.path(&toy, v).unwrap().ordinals;
            assert_eq!(run(&alone, again), run(&all, first));
            repeated += 1;
        }
    }
    assert!(repeated > 300, "{repeated}");
}

#[test]
fn runs_end_at_the_depth_limit_and_all_at_the_time_limit() {
    let toy = Toy::random(3);
    let forever = Sample { seed: 1, runs: None };
    for order in [Order::Random(forever), Order::Swarm(forever)] {
        let calls = AtomicU64::new(0);
        let expired = || calls.fetch_add(1, Ordering::Relaxed) > 500;
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let options = Options {
            limits,
            expired: Some(&expired),
            poll_every: 1,
            ..options(order, 2, AfterViolation::Continue)
        };
        let outcome = search(&toy, &options, &mut ());
        assert_eq!(outcome.stopped, Stopped::Time, "{order:?}");
        assert!(outcome.stats.depth <= 4, "{order:?}");
        assert!(outcome.runs.unwrap() > 10, "{order:?}: {:?}", outcome.runs);
    }
}
