//! Reduced searches of systems of independent processes, whose counts are known.

use everypath_engine_explicit::{Options, Order, Outcome, Proviso, Sequence, Storage, search};
use everypath_model::{
    Action, ComponentMask, End, Extent, ModelError, Successors, TransitionSystem,
};

/// Processes that move independently: for each, the targets of each of its locations.
struct Independent(Vec<Vec<Vec<u32>>>);

impl Independent {
    fn moves(&self, state: &[u32], process: usize, out: &mut Successors) {
        for &target in &self.0[process][state[process] as usize] {
            let mut next = state.to_vec();
            next[process] = target;
            let action = Action { process: process as u32, transition: target };
            out.push(&next, ComponentMask(1 << process), &[action]);
        }
    }
}

impl TransitionSystem for Independent {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
        out.push(&vec![0; self.0.len()], ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        (): &mut (),
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        for process in 0..self.0.len() {
            self.moves(state, process, out);
        }
        Ok(())
    }

    fn reduced(
        &self,
        worker: &mut (),
        state: &[u32],
        attempt: u32,
        out: &mut Successors,
    ) -> Result<Extent, ModelError> {
        let able: Vec<usize> = (0..self.0.len())
            .filter(|&process| !self.0[process][state[process] as usize].is_empty())
            .collect();
        if let Some(&process) = able.get(attempt as usize) {
            self.moves(state, process, out);
            return Ok(Extent::Part);
        }
        self.successors(worker, state, out)?;
        Ok(Extent::All)
    }

    fn end(&self, (): &mut (), _: &[u32]) -> End {
        End::Deadlock
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.extend(1..=state.len() as u32);
    }
}

/// A row of `steps` steps.
fn line(steps: u32) -> Vec<Vec<u32>> {
    (0..=steps).map(|at| if at < steps { vec![at + 1] } else { vec![] }).collect()
}

/// A cycle of `steps` steps.
fn ring(steps: u32) -> Vec<Vec<u32>> {
    (0..steps).map(|at| vec![(at + 1) % steps]).collect()
}

/// `count` times a choice of two ways that meet again.
fn diamonds(count: u32) -> Vec<Vec<u32>> {
    let mut locations = Vec::new();
    for i in 0..count {
        let next = 3 * (i + 1);
        locations.extend([vec![3 * i + 1, 3 * i + 2], vec![next], vec![next]]);
    }
    locations.push(vec![]);
    locations
}

fn run(system: &Independent, order: Order, reduction: Option<Proviso>, threads: usize) -> Outcome {
    let options = Options { order, reduction, threads, collect: true, ..Options::default() };
    search(system, &options, &mut ())
}

/// States and transitions; the initial state counts as a transition.
fn counts(outcome: &Outcome) -> (u64, u64) {
    assert!(outcome.complete());
    (outcome.stats.states, outcome.stats.transitions - 1)
}

struct Oracle {
    name: &'static str,
    system: Vec<Vec<Vec<u32>>>,
    full: (u64, u64),
    new: (u64, u64),
    open: (u64, u64),
    stack: Option<(u64, u64)>,
    nothing: Option<(u64, u64)>,
}

fn oracles() -> Vec<Oracle> {
    vec![
        Oracle {
            name: "a",
            system: vec![line(4); 3],
            full: (125, 300),
            new: (13, 12),
            open: (13, 12),
            stack: Some((13, 12)),
            nothing: Some((13, 12)),
        },
        Oracle {
            name: "b",
            system: vec![diamonds(1); 3],
            full: (64, 192),
            new: (22, 55),
            open: (10, 12),
            stack: Some((10, 12)),
            nothing: None,
        },
        Oracle {
            name: "c",
            system: vec![diamonds(2); 3],
            full: (343, 1176),
            new: (95, 274),
            open: (19, 24),
            stack: Some((19, 24)),
            nothing: None,
        },
        Oracle {
            name: "d",
            system: vec![diamonds(3); 2],
            full: (100, 240),
            new: (55, 134),
            open: (19, 24),
            stack: None,
            nothing: None,
        },
        Oracle {
            name: "e",
            system: vec![ring(3), line(2)],
            full: (9, 15),
            new: (9, 12),
            open: (9, 12),
            stack: Some((9, 12)),
            nothing: Some((3, 3)),
        },
        Oracle {
            name: "f",
            system: vec![ring(3); 3],
            full: (27, 81),
            new: (27, 42),
            open: (27, 42),
            stack: Some((27, 42)),
            nothing: Some((3, 3)),
        },
        Oracle {
            name: "g",
            system: vec![ring(2), diamonds(1)],
            full: (8, 16),
            new: (8, 15),
            open: (8, 13),
            stack: Some((8, 13)),
            nothing: None,
        },
    ]
}

/// The queue proviso of a search by levels counts only the states of the next level as queued, and a
/// breadth-first search without levels also those of the same level that are still to come: the
/// counts are those of the latter, since no step of these systems stays in a level.
#[test]
fn every_proviso_has_its_counts() {
    for Oracle { name, system, full, new, open, stack, nothing } in oracles() {
        let system = Independent(system);
        let count = |order, reduction| counts(&run(&system, order, reduction, 1));
        assert_eq!(count(Order::Breadth, None), full, "{name}: full");
        assert_eq!(count(Order::Depth, None), full, "{name}: full, depth first");
        assert_eq!(count(Order::Breadth, Some(Proviso::New)), new, "{name}: C2v");
        assert_eq!(count(Order::Breadth, Some(Proviso::Open)), open, "{name}: C2q");
        if !matches!(name, "g") {
            assert_eq!(count(Order::Breadth, Some(Proviso::AllOpen)), open, "{name}: C2ql");
        }
        if let Some(stack) = stack {
            assert_eq!(count(Order::Depth, Some(Proviso::Open)), stack, "{name}: C2s");
        }
        if let Some(nothing) = nothing {
            let count = count(Order::Breadth, Some(Proviso::Nothing));
            assert_eq!(count, nothing, "{name}: no proviso");
        }
    }
}

#[test]
fn every_exact_store_has_marks() {
    for Oracle { name, system, .. } in oracles() {
        let system = Independent(system);
        for order in [Order::Breadth, Order::Depth] {
            for reduction in [Proviso::New, Proviso::Open, Proviso::AllOpen].map(Some) {
                let usual = counts(&run(&system, order, reduction, 1));
                let delta = Storage::Delta { every: 4 };
                for store in [Storage::Plain, Storage::Tree, delta] {
                    let options = Options { store, order, reduction, ..Options::default() };
                    let counts = counts(&search(&system, &options, &mut ()));
                    assert_eq!(counts, usual, "{name}: {store:?}, {order:?}, {reduction:?}");
                }
            }
        }
    }
}

#[test]
fn threads_reduce_alike() {
    let system = Independent(vec![diamonds(4), ring(5), line(60), diamonds(9), ring(7)]);
    for proviso in [Proviso::New, Proviso::Open, Proviso::AllOpen] {
        let mut one = run(&system, Order::Breadth, Some(proviso), 1);
        one.states.sort();
        for threads in [2, 3] {
            let mut more = run(&system, Order::Breadth, Some(proviso), threads);
            more.states.sort();
            assert_eq!(counts(&one), counts(&more), "{proviso:?} with {threads} threads");
            assert_eq!(one.states, more.states);
        }
    }
}

/// Deadlocks are found, at the end of runs that the system can take.
#[test]
fn runs_of_reduced_searches_are_runs() {
    let system = Independent(vec![diamonds(2), line(3), diamonds(3)]);
    for order in [Order::Breadth, Order::Depth] {
        for proviso in [Proviso::New, Proviso::Open, Proviso::AllOpen] {
            let outcome = run(&system, order, Some(proviso), 1);
            let [violation] = &outcome.violations[..] else { panic!("one deadlock") };
            let path = outcome.path(&system, violation).unwrap();
            assert_eq!(path.last, [6, 3, 9]);
            assert_eq!(path.len(), 4 + 3 + 6);
            let options = Options { order, reduction: Some(proviso), ..Options::default() };
            let fewest = outcome.fewest_switches(&system, &options, violation).unwrap();
            assert_eq!(fewest.exact, order == Order::Breadth);
            assert!(order == Order::Depth || fewest.switches == 2);
        }
    }
}

/// A store that cannot say what is open must not let a step be postponed for ever: in each of these
/// systems the ring would go round alone.
#[test]
fn stores_without_marks_postpone_nothing_for_ever() {
    let bytes = 1 << 20;
    let stores = [
        Storage::Collapse,
        Storage::Plain,
        Storage::Tree,
        Storage::Delta { every: 3 },
        Storage::Compact { bits: 40, bytes, seed: 1 },
        Storage::Bitstate { functions: 4, sequence: Sequence::Paired, bytes, seed: 1 },
    ];
    for system in [vec![ring(3), line(2)], vec![ring(3); 3], vec![ring(2), diamonds(1)]] {
        let system = Independent(system);
        let all = run(&system, Order::Breadth, None, 1).stats.states;
        for store in stores {
            for order in [Order::Breadth, Order::Depth] {
                for proviso in [Proviso::New, Proviso::Open, Proviso::AllOpen] {
                    let options =
                        Options { order, store, reduction: Some(proviso), ..Options::default() };
                    let outcome = search(&system, &options, &mut ());
                    assert_eq!(outcome.stats.states, all, "{store:?} {order:?} {proviso:?}");
                }
            }
        }
    }
}
