//! Cycles of bad states are found by any number of threads, and only those.

use everypath_engine_explicit::{
    AfterViolation, Control, Cycles, Kind, Observer, Options, Order, Outcome, Progress, Stopped,
    Storage, search,
};
use everypath_model::{
    Action, ComponentMask, End, Fault, ModelError, Rng, Successors, TransitionSystem,
};

const CLOSED: Fault = Fault(17);

/// Two coordinates that only grow, behind a flag that is set once; and a few steps that lead back.
struct Grid {
    side: u32,
    /// From where to where, and with which flag.
    back: Vec<([u32; 2], [u32; 2], u32)>,
}

impl TransitionSystem for Grid {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
        out.push(&[0, 0, 0], ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        (): &mut (),
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let (flag, at) = (state[0], [state[1], state[2]]);
        let mut go = |target: [u32; 3]| {
            let actions = [Action { process: 0, transition: 0 }];
            out.push(&target, ComponentMask::ALL, &actions);
        };
        for way in 0..2 {
            let mut next = at;
            next[way] += 1;
            if next[way] < self.side {
                go([flag, next[0], next[1]]);
            }
        }
        if flag == 0 && (at[0] + at[1]).is_multiple_of(5) {
            go([1, at[0], at[1]]);
        }
        for &(_, to, _) in self.back.iter().filter(|back| back.0 == at && back.2 == flag) {
            go([flag, to[0], to[1]]);
        }
        Ok(())
    }

    fn end(&self, (): &mut (), _: &[u32]) -> End {
        End::Valid
    }

    fn components(&self, _: &[u32], ends: &mut Vec<u32>) {
        ends.extend([1, 2, 3]);
    }
}

/// Lets other threads go first now and then.
struct Slow;

impl Observer for Slow {
    fn progress(&mut self, _: &Progress) -> Control {
        std::thread::yield_now();
        Control::Continue
    }
}

fn look(grid: &Grid, threads: usize, store: Storage) -> Outcome {
    let bad = |front: &[u32]| front == [1];
    let options = Options {
        order: Order::Depth,
        cycles: Some(Cycles { component: 0, bad: &bad, fault: CLOSED }),
        check_deadlock: false,
        after_violation: AfterViolation::Stop,
        threads,
        store,
        poll_every: 50,
        ..Options::default()
    };
    search(grid, &options, &mut Slow)
}

#[test]
fn threads_find_the_cycles_of_bad_states_and_no_others() {
    let mut rng = Rng::new(20_261_116);
    let mut found = 0;
    for round in 0..60 {
        let side = 20 + rng.below(120) as u32;
        let mut back = Vec::new();
        for _ in 0..rng.below(3) {
            let from = [0; 2].map(|_: u32| rng.below(u64::from(side) as usize) as u32);
            let to = from.map(|end| rng.below(end as usize + 1) as u32);
            back.push((from, to, rng.below(2) as u32));
        }
        let cycle = back.iter().any(|back| back.2 == 1);
        let grid = Grid { side, back };
        for threads in 1..=4 {
            for store in [Storage::Collapse, Storage::Plain] {
                let outcome = look(&grid, threads, store);
                let what = format!("round {round}, {threads} threads, {store:?}");
                let Some(violation) = outcome.violations.first() else {
                    assert!(!cycle, "{what}");
                    assert_eq!(outcome.stopped, Stopped::Finished, "{what}");
                    assert_eq!(outcome.stats.states, u64::from(side * side) * 2, "{what}");
                    continue;
                };
                assert!(cycle && violation.kind == Kind::Fault(CLOSED), "{what}");
                found += 1;
                // The run ends where it has been.
                let path = outcome.path(&grid, violation).expect("a run");
                let mut states = vec![path.initial.clone()];
                for &ordinal in &path.ordinals[1..] {
                    let mut out = Successors::new();
                    let last = states.last().expect("a state");
                    grid.successors(&mut (), last, &mut out).expect("steps");
                    states.push(out.target(&out.steps()[ordinal as usize]).to_vec());
                }
                let (last, before) = states.split_last().expect("a state");
                assert!(before.contains(last), "{what}");
            }
        }
    }
    assert!(found > 50, "{found}");
}
