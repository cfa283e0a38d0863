//! Limits end a search with an honest partial result.

mod toy;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use everypath_engine_explicit::{
    AfterViolation, Control, Kind, Limits, Observer, Options, Order, Progress, Stopped, search,
};
use everypath_model::{Action, Fault};
use toy::{Edge, Naive, Node, Random, Toy};

const ORDERS: [Order; 3] = [Order::Breadth, Order::Depth, Order::Directed];

fn all<'a>(order: Order) -> Options<'a> {
    Options { order, after_violation: AfterViolation::Continue, ..Options::default() }
}

fn edge(target: usize) -> Edge {
    let actions = vec![Action { process: 0, transition: 0 }];
    Edge { target, actions, fault: None, fatal: false }
}

/// Node `i` of `size` goes to each of `targets(i)`.
fn graph(size: usize, targets: impl Fn(usize) -> Vec<usize>) -> Toy {
    let nodes = (0..size)
        .map(|i| Node {
            words: vec![i as u32, 1, 2, 3],
            edges: targets(i).into_iter().map(edge).collect(),
            valid_end: true,
            invariant: None,
            incomplete: false,
            broken: false,
        })
        .collect();
    Toy::new(nodes, vec![edge(0)], 1)
}

/// A binary tree whose leaves go back to the root.
fn tree(size: usize) -> Toy {
    graph(size, |i| if 2 * i + 2 < size { vec![2 * i + 1, 2 * i + 2] } else { vec![0] })
}

/// A line with a way back and a way to skip one.
fn line(size: usize) -> Toy {
    graph(size, |i| vec![i / 2, (i + 1).min(size - 1), (i + 2).min(size - 1)])
}

#[test]
fn state_limit() {
    for order in ORDERS {
        for seed in 0..800 {
            let toy = Toy::random(seed);
            let total = Naive::search(&toy, &|_| 0).distance.len() as u64;
            for limit in [0, 1, 2, total / 2, total.saturating_sub(1), total, total + 1] {
                let limits = Limits { states: Some(limit), ..Limits::default() };
                let outcome = search(&toy, &Options { limits, ..all(order) }, &mut ());
                if limit < total {
                    assert_eq!(outcome.stopped, Stopped::StateLimit);
                    assert_eq!(outcome.stats.states, limit);
                    assert!(!outcome.complete());
                } else {
                    assert_eq!(outcome.stopped, Stopped::Finished, "seed {seed}");
                    assert_eq!(outcome.stats.states, total);
                }
                for violation in &outcome.violations {
                    assert!(outcome.path(&toy, violation).is_ok());
                }
            }
        }
    }
}

#[test]
fn depth_limit() {
    let mut cut = 0;
    for seed in 0..2000 {
        let toy = Toy::random(seed);
        let naive = Naive::search(&toy, &|_| 0);
        for limit in [0, 1, 2, 3, 5, 8, naive.depth(), naive.depth() + 1, 2000] {
            let limits = Limits { depth: Some(limit), ..Limits::default() };
            for order in ORDERS {
                let outcome = search(&toy, &Options { limits, ..all(order) }, &mut ());
                let context = format!("seed {seed}, limit {limit}, {order:?}");
                assert_eq!(outcome.stopped, Stopped::Finished, "{context}");
                assert!(outcome.stats.depth <= limit, "{context}");
                assert!(outcome.violations.iter().all(|v| v.depth <= limit), "{context}");
                // What is said to be complete is complete.
                if outcome.complete() {
                    assert_eq!(outcome.stats.states, naive.distance.len() as u64, "{context}");
                    assert_eq!(outcome.stats.transitions, naive.transitions, "{context}");
                    assert_eq!(outcome.errors, naive.errors(), "{context}");
                    assert_eq!(outcome.stats.frontier, 0);
                } else {
                    assert!(outcome.stats.frontier > 0);
                    cut += 1;
                }
                if order == Order::Breadth {
                    let near = naive.distance.values().filter(|&&d| d <= limit).count() as u64;
                    assert_eq!(outcome.stats.states, near, "{context}");
                    let beyond = near < naive.distance.len() as u64
                        || naive.distance.iter().any(|(&node, &d)| {
                            d == limit && toy.nodes[node].edges.iter().any(|e| e.fault.is_some())
                        });
                    assert_eq!(outcome.depth_limit_hit, beyond, "{context}");
                }
            }
        }
    }
    assert!(cut > 5000, "{cut}");
}

#[test]
fn memory_limit() {
    let toy = tree(60_000);
    for order in ORDERS {
        let whole = search(&toy, &all(order), &mut ());
        assert!(whole.complete());
        let bytes = whole.stats.bytes;
        // What waits in queues may be most before everything else is.
        let stack = if order == Order::Depth { bytes.stack } else { 0 };
        assert!(bytes.table + bytes.arena + bytes.parents + stack <= bytes.peak, "{bytes:?}");
        let mut last = 0;
        for limit in [0, 1000, 20_000, 50_000, 100_000, 300_000, 700_000, 1_000_000, 1_500_000] {
            let limits = Limits { memory: Some(limit), ..Limits::default() };
            let part = search(&toy, &Options { limits, ..all(order) }, &mut ());
            assert_eq!(part.stopped, Stopped::MemoryLimit, "limit {limit}");
            assert!(part.stats.bytes.peak <= limit, "limit {limit}");
            assert!(part.stats.states >= last, "limit {limit}");
            assert!(
                limit < 50_000 || part.stats.states >= limit / 160,
                "limit {limit}: {}",
                part.stats.states
            );
            assert!(!part.complete() && part.stats.frontier > 0 || limit <= 20_000);
            last = part.stats.states;
        }
        let limits = Limits { memory: Some(bytes.peak), ..Limits::default() };
        let again = search(&toy, &Options { limits, ..all(order) }, &mut ());
        assert!(again.complete(), "the peak is enough");
    }
}

struct StopAt(u64, Vec<Progress>);

impl Observer for StopAt {
    fn progress(&mut self, progress: &Progress) -> Control {
        self.1.push(*progress);
        if progress.states >= self.0 { Control::Stop } else { Control::Continue }
    }
}

#[test]
fn someone_stops_it() {
    let toy = tree(10_000);
    for order in ORDERS {
        let options = Options { poll_every: 10, ..all(order) };
        let mut observer = StopAt(5000, Vec::new());
        let outcome = search(&toy, &options, &mut observer);
        assert_eq!(outcome.stopped, Stopped::Interrupted);
        assert!((5000..5100).contains(&outcome.stats.states));
        assert!(observer.1.is_sorted_by_key(|p| (p.states, p.transitions)));
        assert!(observer.1.iter().all(|p| p.bytes > 0 && p.frontier <= p.states));

        let flag = AtomicBool::new(true);
        let outcome = search(&toy, &Options { interrupt: Some(&flag), ..options }, &mut ());
        assert_eq!(outcome.stopped, Stopped::Interrupted);
        flag.store(false, Ordering::Relaxed);
        let outcome = search(&toy, &Options { interrupt: Some(&flag), ..options }, &mut ());
        assert!(outcome.complete());

        let polls = AtomicU64::new(0);
        let expired = || polls.fetch_add(1, Ordering::Relaxed) == 20;
        let outcome = search(&toy, &Options { expired: Some(&expired), ..options }, &mut ());
        assert_eq!(outcome.stopped, Stopped::Time);
        assert_eq!(polls.load(Ordering::Relaxed), 21);
        assert!(outcome.stats.states > 100);
    }
}

#[test]
fn errors_of_the_model_keep_the_partial_result() {
    for order in ORDERS {
        let mut toy = tree(1000);
        toy.nodes[700].broken = true;
        toy.nodes[3].edges[0].fault = Some(Fault(4));
        let outcome = search(&toy, &all(order), &mut ());
        assert!(matches!(&outcome.stopped, Stopped::ModelError(e) if e.0 == "broken"));
        assert!(!outcome.complete());
        assert_eq!(outcome.violations[0].kind, Kind::Fault(Fault(4)));
        assert!(outcome.path(&toy, &outcome.violations[0]).is_ok());
        if order == Order::Breadth {
            assert_eq!(outcome.stats.states - outcome.stats.frontier, 700);
        }
    }
}

#[test]
fn what_the_system_left_out_is_remembered() {
    for order in ORDERS {
        let mut toy = tree(1000);
        for node in [7, 700, 701] {
            toy.nodes[node].incomplete = true;
        }
        // No step and something left out: that is no deadlock.
        toy.nodes[701].edges.clear();
        toy.nodes[701].valid_end = false;
        let outcome = search(&toy, &all(order), &mut ());
        assert_eq!(outcome.stopped, Stopped::Finished);
        assert_eq!(outcome.left_out.map(|l| (l.first, l.states)), Some((Fault(77), 3)));
        assert!(!outcome.complete());
        assert_eq!(outcome.errors, 0);
    }
}

#[test]
fn after_a_violation() {
    for order in ORDERS {
        let mut toy = tree(50_000);
        toy.nodes[7].invariant = Some(Fault(1));
        let mut options = all(order);
        let whole = search(&toy, &options, &mut ());
        assert!(whole.complete());
        assert_eq!(whole.stats.states, search(&tree(50_000), &options, &mut ()).stats.states);
        let seen = whole.violations[0].states;

        options.after_violation = AfterViolation::Stop;
        let outcome = search(&toy, &options, &mut ());
        assert_eq!(outcome.stopped, Stopped::Violation);
        // Level by level, what counts is how many states there were before the level.
        let by_levels = order == Order::Breadth;
        let found = outcome.stats.states;
        assert!(if by_levels { found > seen } else { found == seen }, "{found} and {seen}");

        for (states, factor) in [(3000, 2), (10, 2), (10, 7)] {
            options.after_violation = AfterViolation::Budget { states, factor };
            let outcome = search(&toy, &options, &mut ());
            assert_eq!(outcome.stopped, Stopped::ViolationBudget);
            let (budget, found) = (states.max(factor * seen), outcome.stats.states);
            // A level is expanded to its end.
            let most = if by_levels { 2 * budget } else { budget };
            assert!((budget..=most).contains(&found), "{found} of {budget}");
        }
        options.after_violation = AfterViolation::default();
        assert!(search(&toy, &options, &mut ()).complete());
    }
}

#[test]
fn more_kinds_than_are_kept() {
    for order in ORDERS {
        let mut toy = tree(1000);
        for i in 0..50 {
            toy.nodes[2 * i].invariant = Some(Fault(i as u32));
        }
        let outcome = search(&toy, &Options { max_violations: 20, ..all(order) }, &mut ());
        assert_eq!((outcome.violations.len(), outcome.unrecorded, outcome.errors), (20, 30, 50));
    }
}

#[test]
fn checks_can_be_switched_off() {
    for order in ORDERS {
        let mut toy = graph(3, |i| if i < 2 { vec![i + 1] } else { vec![] });
        toy.nodes[2].valid_end = false;
        toy.nodes[1].invariant = Some(Fault(1));
        let errors = |check_deadlock, check_invariants| {
            let options = Options { check_deadlock, check_invariants, ..all(order) };
            search(&toy, &options, &mut ()).errors
        };
        assert_eq!([errors(true, true), errors(true, false)], [2, 1]);
        assert_eq!([errors(false, true), errors(false, false)], [1, 0]);
    }
}

#[test]
fn deep_stacks_lose_no_step() {
    // Deeper than the window of kept steps, with steps left everywhere on the way back.
    let mut random = Random(99);
    for size in [200, 255, 256, 257, 258, 300, 1000, 20_000] {
        let far: Vec<usize> = (0..size).map(|_| random.below(size as u64) as usize).collect();
        let toy = graph(size, |i| vec![(i + 1) % size, far[i], i / 2]);
        let outcome = search(&toy, &all(Order::Depth), &mut ());
        assert!(outcome.complete());
        assert_eq!(outcome.stats.states, size as u64);
        assert_eq!(outcome.stats.transitions, 3 * size as u64 + 1);
        assert_eq!(outcome.stats.depth, size as u64 - 1);
        assert!(outcome.stats.bytes.stack >= 16 * size as u64);
    }
    let toy = line(5000);
    for order in ORDERS {
        assert_eq!(search(&toy, &all(order), &mut ()).stats.transitions, 15_001);
    }
}

#[test]
fn a_cut_that_hides_nothing_is_no_cut() {
    // Depth-first, state 2 is met at the limit before state 3 is known; 3 is then reached directly.
    let ways = [vec![1, 3], vec![2], vec![3], vec![]];
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let options = Options { limits, ..all(Order::Depth) };
    let outcome = search(&graph(4, |i| ways[i].clone()), &options, &mut ());
    assert!(outcome.complete());
    assert_eq!(
        (outcome.stats.states, outcome.stats.transitions, outcome.stats.frontier),
        (4, 5, 0)
    );

    let ways = [vec![1, 3], vec![2], vec![3, 4], vec![], vec![]];
    let outcome = search(&graph(5, |i| ways[i].clone()), &options, &mut ());
    assert!(outcome.depth_limit_hit && !outcome.complete());
    assert_eq!((outcome.stats.states, outcome.stats.frontier), (4, 1));
}

/// A system that panics is a defect; the threads of a search do not wait for the one that met it.
#[test]
fn a_panic_ends_all_threads() {
    // Node 10,000 is not there.
    let toy = graph(9_999, |i| vec![(2 * i + 1).min(10_000), (2 * i + 2).min(9_998)]);
    for order in [Order::Breadth, Order::Depth] {
        for threads in [1, 2, 3] {
            let options = Options { threads, ..all(order) };
            let states = || search(&toy, &options, &mut ()).stats.states;
            let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(states));
            assert!(end.is_err(), "{order:?}, {threads} threads: {end:?}");
        }
    }
}
