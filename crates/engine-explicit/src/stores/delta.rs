//! Taking steps again, for a store that keeps most states as differences.
//!
//! A step is known by its number among those of its state, which law 1 of [`TransitionSystem`]
//! makes the same whenever it is asked for. That is all that is asked of a system: nothing has to
//! be undone.

use everypath_model::{Parts, Successors, TransitionSystem};

use crate::searches::divided;
use crate::stores::plain::Again;

/// Takes the steps of a system again.
pub(crate) struct Steps<'a, S> {
    pub system: &'a S,
    /// Whether the search takes only some steps of a state, so that their numbers have to be found.
    pub reduced: bool,
    /// How the steps of states are divided when they are counted.
    pub parts: Option<Parts>,
}

/// What one thread needs for it.
pub(crate) struct StepsWorker<W> {
    worker: W,
    /// The steps of the state that was made last.
    made: Successors,
    /// The steps of the open state.
    open: Successors,
}

impl<S: TransitionSystem> Again for Steps<'_, S> {
    type Worker = StepsWorker<S::Worker>;

    fn worker(&self) -> StepsWorker<S::Worker> {
        StepsWorker {
            worker: self.system.worker(),
            made: Successors::new(),
            open: Successors::new(),
        }
    }

    fn step(
        &self,
        worker: &mut StepsWorker<S::Worker>,
        state: &[u32],
        ordinal: u32,
        target: &mut Vec<u32>,
    ) {
        let StepsWorker { worker, made, .. } = worker;
        made.clear();
        target.clear();
        // What could be evaluated when the state was stored can be evaluated now.
        if divided::steps(self.system, worker, self.parts.as_ref(), state, made).is_ok() {
            let mut steps = made.steps().iter().filter(|step| !step.fatal);
            if let Some(step) = steps.nth(ordinal as usize) {
                target.extend_from_slice(made.target(step));
            }
        }
    }

    fn ordinal(
        &self,
        worker: &mut StepsWorker<S::Worker>,
        state: &[u32],
        named: u32,
        target: &[u32],
    ) -> Option<u32> {
        if !self.reduced {
            return Some(named);
        }
        let StepsWorker { worker, open, .. } = worker;
        if named == 0 {
            open.clear();
            divided::steps(self.system, worker, self.parts.as_ref(), state, open).ok()?;
        }
        let mut steps = open.steps().iter().filter(|step| !step.fatal);
        steps.position(|step| open.target(step) == target).map(|ordinal| ordinal as u32)
    }
}

#[cfg(test)]
mod tests {
    use everypath_model::{Action, ComponentMask, End, ModelError};

    use super::*;
    use crate::Outcome;
    use crate::ledger::Ledger;
    use crate::options::{Options, Order};
    use crate::searches::breadth;
    use crate::searches::depth;
    use crate::searches::record::Shared;
    use crate::stores::plain::Plain;
    use crate::stores::store::Store;

    /// The distributed database: managers that are inactive (0), waiting (1) or performing (2), then
    /// for each manager its message: none (0), sent (1), received (2), acknowledged (3).
    struct Database(usize);

    impl TransitionSystem for Database {
        type Worker = ();

        fn worker(&self) {}

        fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
            out.push(&vec![0; 2 * self.0], ComponentMask::ALL, &[]);
            Ok(())
        }

        fn successors(
            &self,
            (): &mut (),
            state: &[u32],
            out: &mut Successors,
        ) -> Result<(), ModelError> {
            let n = self.0;
            let mut push = |process: usize, target: Vec<u32>| {
                let action = Action { process: process as u32, transition: 0 };
                out.push(&target, ComponentMask::ALL, &[action]);
            };
            match (0..n).find(|&s| state[s] == 1) {
                None => {
                    for s in 0..n {
                        let mut target = vec![0; 2 * n];
                        target[s] = 1;
                        for r in (0..n).filter(|&r| r != s) {
                            target[n + r] = 1;
                        }
                        push(s, target);
                    }
                }
                Some(s) => {
                    for r in (0..n).filter(|&r| r != s) {
                        let mut target = state.to_vec();
                        match state[n + r] {
                            1 => (target[r], target[n + r]) = (2, 2),
                            2 => (target[r], target[n + r]) = (0, 3),
                            _ => continue,
                        }
                        push(r, target);
                    }
                    if (0..n).all(|r| r == s || state[n + r] == 3) {
                        push(s, vec![0; 2 * n]);
                    }
                }
            }
            Ok(())
        }

        fn end(&self, (): &mut (), _: &[u32]) -> End {
            End::Deadlock
        }

        fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
            ends.extend(1..=state.len() as u32);
        }
    }

    /// A run of `length` steps, and a shorter way to its middle that is found later.
    struct Shortcut(u32);

    impl TransitionSystem for Shortcut {
        type Worker = ();

        fn worker(&self) {}

        fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
            out.push(&[0], ComponentMask::ALL, &[]);
            Ok(())
        }

        fn successors(
            &self,
            (): &mut (),
            state: &[u32],
            out: &mut Successors,
        ) -> Result<(), ModelError> {
            for target in [state[0] + 1, state[0] + self.0] {
                if target <= 3 * self.0 {
                    out.push(&[target], ComponentMask::ALL, &[]);
                }
            }
            Ok(())
        }

        fn end(&self, (): &mut (), _: &[u32]) -> End {
            End::Valid
        }

        fn components(&self, _: &[u32], ends: &mut Vec<u32>) {
            ends.push(1);
        }
    }

    /// Searches with a vector in `every` states; the outcome and the number of vectors.
    fn run<S: TransitionSystem>(system: &S, every: u32, order: Order) -> (Outcome, u64) {
        let ledger = Ledger::new(None);
        let options = Options { order, collect: true, ..Options::default() };
        let shared = Shared::new(&options, &ledger, None);
        let steps = Steps { system, reduced: false, parts: None };
        let store = Plain::with_differences(steps, every, 0, false, 1, &ledger).unwrap();
        let outcome = match order {
            Order::Breadth => breadth::search(system, &store, &shared, &mut ()),
            _ => depth::search(system, &store, &shared, &mut ()),
        };
        (outcome, store.explicit())
    }

    #[test]
    fn o4_1_a_chain_of_two() {
        // Three states in a row, a vector in three: the others are one and two steps from it.
        let system = Shortcut(1000);
        let ledger = Ledger::new(None);
        let options = Options { order: Order::Depth, collect: true, ..Options::default() };
        let shared = Shared::new(&options, &ledger, None);
        let steps = Steps { system: &system, reduced: false, parts: None };
        let store = Plain::with_differences(steps, 3, 0, false, 1, &ledger).unwrap();
        store.limit_states(3);
        let outcome = depth::search(&system, &store, &shared, &mut ());
        assert_eq!(store.explicit(), 1);
        assert_eq!(outcome.states, [[0], [1], [2]]);
    }

    #[test]
    fn o4_2_a_shorter_way_changes_no_count() {
        for every in [1, 2, 5, 20, 64] {
            for order in [Order::Breadth, Order::Depth] {
                let (outcome, explicit) = run(&Shortcut(10), every, order);
                assert!(outcome.complete());
                let mut states: Vec<u32> = outcome.states.iter().map(|state| state[0]).collect();
                states.sort_unstable();
                assert_eq!(states, (0..=30).collect::<Vec<_>>(), "{every}, {order:?}");
                assert!(explicit >= 1 && (every > 1 || explicit == 31));
            }
        }
    }

    #[test]
    fn o4_3_the_distributed_database() {
        let counts = [(2, 7, 8), (3, 28, 42), (4, 109, 224), (5, 406, 1090), (6, 1459, 4872)];
        for (n, states, edges) in counts {
            for every in [1, 2, 3, 5, 10, 20, 50] {
                for order in [Order::Breadth, Order::Depth] {
                    let (outcome, _) = run(&Database(n), every, order);
                    assert!(outcome.complete());
                    assert_eq!(outcome.stats.states, states, "{n}, {every}");
                    assert_eq!(outcome.stats.transitions, 1 + edges, "{n}, {every}");
                    assert_eq!(outcome.states.len() as u64, states);
                    assert!(order == Order::Breadth || outcome.stats.depth + 1 == 2 * n as u64);
                }
            }
        }
        // All ways to a state are equally long, so the number of vectors does not depend on order.
        let explicit = [
            (3, [(2, 13), (3, 10), (5, 4)]),
            (4, [(2, 53), (3, 37), (5, 25)]),
            (5, [(2, 201), (3, 136), (5, 96)]),
            (6, [(2, 727), (3, 487), (5, 301)]),
        ];
        for (n, counts) in explicit {
            for (every, vectors) in counts {
                for order in [Order::Breadth, Order::Depth] {
                    let (_, explicit) = run(&Database(n), every, order);
                    assert_eq!(explicit, vectors, "{n} managers, 1 in {every}, {order:?}");
                }
            }
        }
        assert_eq!(run(&Database(5), 20, Order::Depth).1, 1);
    }
}
