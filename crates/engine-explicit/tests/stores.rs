//! Every store under every order of search: exact ones against a slow, obvious search.

mod counters;
mod toy;

use std::collections::{BTreeMap, BTreeSet};

use counters::Counters;
use everypath_engine_explicit::{
    AfterViolation, Kind, Limits, Options, Order, Outcome, Sequence, Stopped, Storage, search,
};
use toy::{Naive, Toy};

const EXACT: [Storage; 6] = [
    Storage::Collapse,
    Storage::Plain,
    Storage::Tree,
    Storage::Delta { every: 1 },
    Storage::Delta { every: 3 },
    Storage::Delta { every: 9 },
];
/// Orders with numbers of threads.
const WAYS: [(Order, usize); 4] =
    [(Order::Breadth, 1), (Order::Depth, 1), (Order::Breadth, 2), (Order::Breadth, 3)];

fn all<'a>(store: Storage, (order, threads): (Order, usize)) -> Options<'a> {
    Options {
        store,
        order,
        threads,
        after_violation: AfterViolation::Continue,
        collect: true,
        ..Options::default()
    }
}

fn nodes(toy: &Toy, outcome: &Outcome) -> BTreeSet<usize> {
    let nodes: Vec<usize> = outcome.states.iter().map(|state| toy.node(state)).collect();
    let set: BTreeSet<usize> = nodes.iter().copied().collect();
    assert_eq!(set.len(), nodes.len(), "a state is stored twice");
    set
}

#[test]
fn exact_stores_agree_with_the_twin() {
    for seed in 0..800 {
        let toy = Toy::random(seed);
        let naive = Naive::search(&toy, &|_| 0);
        let reachable: BTreeSet<usize> = naive.distance.keys().copied().collect();
        for store in EXACT {
            for way in WAYS {
                if way.1 > 1 && seed % 10 != 0 {
                    continue;
                }
                let context = format!("seed {seed}, {store:?}, {way:?}");
                let outcome = search(&toy, &all(store, way), &mut ());
                assert!(outcome.complete(), "{context}");
                assert_eq!(outcome.stats.transitions, naive.transitions, "{context}");
                assert_eq!(nodes(&toy, &outcome), reachable, "{context}");
                assert_eq!(outcome.stats.states, reachable.len() as u64, "{context}");
                let found: BTreeMap<Kind, (u64, u64)> =
                    outcome.violations.iter().map(|v| (v.kind, (v.depth, v.occurrences))).collect();
                if way.0 == Order::Breadth {
                    assert_eq!(found, naive.violations, "{context}");
                }
                assert_eq!(outcome.errors, naive.errors(), "{context}");
                for violation in &outcome.violations {
                    assert_eq!(
                        outcome.path(&toy, violation).unwrap().len() as u64,
                        violation.depth
                    );
                }
            }
        }
    }
}

#[test]
fn exact_stores_end_at_the_state_limit() {
    for seed in 0..200 {
        let toy = Toy::random(seed);
        let total = Naive::search(&toy, &|_| 0).distance.len() as u64;
        for store in EXACT {
            for way in [(Order::Breadth, 1), (Order::Depth, 1)] {
                for limit in [0, 1, total / 2, total] {
                    let limits = Limits { states: Some(limit), ..Limits::default() };
                    let outcome = search(&toy, &Options { limits, ..all(store, way) }, &mut ());
                    let finished = limit >= total;
                    let stopped = if finished { Stopped::Finished } else { Stopped::StateLimit };
                    assert_eq!(outcome.stopped, stopped, "seed {seed}, {store:?}, limit {limit}");
                    assert_eq!(outcome.stats.states, limit.min(total));
                    assert_eq!(nodes(&toy, &outcome).len() as u64, limit.min(total));
                }
            }
        }
    }
}

#[test]
fn exact_stores_grow_while_threads_fill_them() {
    let system = Counters { bases: vec![9, 5, 13, 7, 6] };
    for store in EXACT {
        for way in WAYS {
            let outcome = search(&system, &Options { collect: false, ..all(store, way) }, &mut ());
            assert!(outcome.complete());
            assert_eq!(outcome.stats.states, system.states(), "{store:?}, {way:?}");
            assert_eq!(outcome.stats.transitions, 1 + 5 * system.states(), "{store:?}, {way:?}");
        }
    }
}

/// A refusal ends the search with what is there, and the peak of a whole search is enough for it.
#[test]
fn exact_stores_respect_the_memory_limit() {
    let system = Counters { bases: vec![9, 5, 13, 17] };
    for store in EXACT {
        for way in [(Order::Breadth, 1), (Order::Depth, 1)] {
            let options = all(store, way);
            let peak = search(&system, &options, &mut ()).stats.bytes.peak;
            let mut last = 0;
            for part in [0, 1, 2, 5, 10, 20, 40, 60, 80] {
                let limit = peak * part / 100;
                let limits = Limits { memory: Some(limit), ..Limits::default() };
                let outcome = search(&system, &Options { limits, ..options }, &mut ());
                let context = format!("{store:?}, {way:?}, {part} % of {peak}");
                assert!(outcome.stats.bytes.peak <= limit, "{context}");
                assert_eq!(outcome.states.len() as u64, outcome.stats.states, "{context}");
                let distinct: BTreeSet<&Vec<u32>> = outcome.states.iter().collect();
                assert_eq!(distinct.len(), outcome.states.len(), "{context}");
                // Without room to grow twice, what there is may be just enough.
                if !outcome.complete() {
                    assert_eq!(outcome.stopped, Stopped::MemoryLimit, "{context}");
                    assert!(part < 40 || outcome.stats.states > system.states() / 6, "{context}");
                }
                assert!(outcome.stats.states >= last, "{context}");
                last = outcome.stats.states;
            }
            let limits = Limits { memory: Some(peak), ..Limits::default() };
            let again = search(&system, &Options { limits, ..options }, &mut ());
            assert!(again.complete(), "{store:?}: the peak is enough");
        }
    }
}

/// Vectors of very different lengths, some beyond a chunk.
#[test]
fn exact_stores_take_vectors_of_any_length() {
    let lengths = [0, 1, 2, 40, 1000, 300_000, 3, 262_143, 7];
    let system = counters::Lengths { lengths: lengths.to_vec() };
    for store in EXACT {
        for way in WAYS {
            let mut outcome = search(&system, &all(store, way), &mut ());
            assert!(outcome.complete(), "{store:?}");
            outcome.states.sort_by_key(Vec::len);
            let mut wanted = lengths.to_vec();
            wanted.sort_unstable();
            let found: Vec<usize> = outcome.states.iter().map(|state| state.len() - 1).collect();
            assert_eq!(found, wanted, "{store:?}, {way:?}");
        }
    }
}

fn lossy(bytes: u64, seed: u64) -> [Storage; 4] {
    let bitstate = |functions, sequence| Storage::Bitstate { functions, sequence, bytes, seed };
    [
        bitstate(4, Sequence::Paired),
        bitstate(5, Sequence::Double),
        bitstate(2, Sequence::Enhanced),
        Storage::Compact { bits: 12, bytes, seed },
    ]
}

/// With much memory nothing is lost, and yet nothing is called complete.
#[test]
fn lossy_stores_with_room_agree_with_the_twin() {
    for seed in 0..150 {
        let toy = Toy::random(seed);
        let naive = Naive::search(&toy, &|_| 0);
        let mut stores = lossy(1 << 20, 1);
        stores[3] = Storage::Compact { bits: 50, bytes: 1 << 18, seed: 1 };
        for store in stores {
            for way in WAYS {
                if way.1 > 1 && seed % 10 != 0 {
                    continue;
                }
                let context = format!("seed {seed}, {store:?}, {way:?}");
                let outcome = search(&toy, &all(store, way), &mut ());
                assert_eq!(outcome.stopped, Stopped::Finished, "{context}");
                assert!(!outcome.complete(), "{context}");
                assert!(outcome.loss.is_some_and(|loss| loss.omitted < 0.1), "{context}");
                assert_eq!(outcome.stats.states, naive.distance.len() as u64, "{context}");
                assert_eq!(outcome.stats.transitions, naive.transitions, "{context}");
                assert_eq!(outcome.errors, naive.errors(), "{context}");
                for violation in &outcome.violations {
                    assert_eq!(
                        outcome.path(&toy, violation).unwrap().len() as u64,
                        violation.depth
                    );
                }
            }
        }
    }
}

/// With little memory some states are lost, about as many as the store believes: each state of this
/// system has many predecessors, so nearly nothing is lost in consequence.
#[test]
fn lossy_stores_know_how_much_they_lose() {
    let system = Counters { bases: vec![6, 7, 5, 6, 7, 6] };
    let total = system.states();
    for (index, bytes) in [1 << 16, 1 << 15, 1 << 16, 6 << 14].into_iter().enumerate() {
        for way in [(Order::Breadth, 1), (Order::Depth, 1), (Order::Breadth, 3)] {
            let (mut lost, mut believed) = (0.0, 0.0);
            for seed in 0..3 {
                let store = lossy(bytes, seed)[index];
                let outcome = search(&system, &all(store, way), &mut ());
                assert_eq!(outcome.stopped, Stopped::Finished);
                assert!(outcome.stats.states <= total);
                lost += (total - outcome.stats.states) as f64;
                believed += outcome.loss.unwrap().omitted;
            }
            let far = 5.0 * f64::sqrt(lost) + 0.02 * lost;
            assert!(lost > 20.0, "{index}, {way:?}: too little is lost to compare: {lost}");
            assert!((lost - believed).abs() < far, "{index}, {way:?}: {lost} and not {believed}");
        }
    }
}

#[test]
fn a_full_table_of_hashes_ends_the_search() {
    let system = Counters { bases: vec![10, 10, 10, 10] };
    for bits in [13, 32, 64] {
        for way in WAYS {
            let store = Storage::Compact { bits, bytes: 1 << 13, seed: 0 };
            let outcome = search(&system, &all(store, way), &mut ());
            let cells = (1 << 13) / 64 * u64::from(512 / bits);
            assert_eq!(outcome.stopped, Stopped::MemoryLimit, "{bits}, {way:?}");
            assert!(outcome.stats.states <= cells && outcome.stats.states > cells / 2);
        }
    }
}

#[test]
fn the_memory_of_a_lossy_store_counts() {
    let system = Counters { bases: vec![10, 10, 10] };
    for store in lossy(1 << 16, 0) {
        let limits = Limits { memory: Some(1 << 15), ..Limits::default() };
        let options = Options { limits, ..all(store, (Order::Breadth, 1)) };
        let outcome = search(&system, &options, &mut ());
        assert_eq!((outcome.stopped, outcome.stats.states), (Stopped::MemoryLimit, 0));
        let options =
            Options { limits: Limits { memory: None, states: Some(77), depth: None }, ..options };
        let outcome = search(&system, &options, &mut ());
        assert_eq!((&outcome.stopped, outcome.stats.states), (&Stopped::StateLimit, 77));
        let table = outcome.stats.bytes.table;
        assert!(table <= 1 << 16 && table > (1 << 16) - 1024);
    }
}
