//! A system together with an automaton that reads its states, for several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

use everypath_layer_product::Acceptor;
use everypath_model::TransitionSystem;
use rustc_hash::FxHashMap;

use super::product::{Run, RunStep, Sought, fits, marks, taken, watch};
use super::shared::{SharedStates, SharedWorker};
use super::{Edge, Lasso, Leg, Node, SharedGraph, Tally, check_shared};
use crate::options::{Observer, Options};
use crate::outcome::Stopped;

/// With at most this many states of an automaton a pair is numbered by arithmetic.
const FEW: u32 = 8;

/// Looks for a run of a system that an automaton accepts, with the threads of the options; with weak
/// fairness if the numbers have it. The answer is the same whatever the threads do; the run, if there
/// is one, may be another.
pub fn seek_shared<S: TransitionSystem>(
    states: &SharedStates<'_, S>,
    acceptor: &Acceptor,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Sought {
    let mut pulse = watch(states.ledger(), options, observer);
    let mut tally = Tally::new(&mut pulse);
    let pairs = match acceptor.states() {
        few if few <= FEW => Pairs::All(few),
        _ => Pairs::Met(Mutex::default()),
    };
    let product = Product { states, acceptor, pairs };
    let found = fits(states.is_fair(), states.processes(), acceptor)
        .and_then(|()| check_shared(&product, options.threads, &mut tally));
    let counts = tally.counts;
    let answer = found.and_then(|lasso| lasso.map(|lasso| product.run(&lasso)).transpose());
    Sought { counts, answer }
}

struct Product<'p, 'a, S: TransitionSystem> {
    states: &'p SharedStates<'a, S>,
    acceptor: &'p Acceptor,
    pairs: Pairs,
}

/// How pairs of a state and a state of the automaton are numbered.
enum Pairs {
    /// All of them, whether they are met or not.
    All(u32),
    /// Those that are met.
    Met(Mutex<Met>),
}

#[derive(Default)]
struct Met {
    numbers: FxHashMap<(u32, u32), Node>,
    pairs: Vec<(u32, u32)>,
}

fn lock(met: &Mutex<Met>) -> MutexGuard<'_, Met> {
    met.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: TransitionSystem> Product<'_, '_, S> {
    fn number(&self, state: u32, inner: u32) -> Result<Node, Stopped> {
        match &self.pairs {
            Pairs::All(few) => {
                let number = u64::from(state) * u64::from(*few) + u64::from(inner);
                u32::try_from(number).map_err(|_| Stopped::StateLimit)
            }
            Pairs::Met(met) => {
                let mut met = lock(met);
                if let Some(&known) = met.numbers.get(&(state, inner)) {
                    return Ok(known);
                }
                // A table of pairs and numbers, with the bytes that tell what is where, and the list.
                if met.numbers.len() == met.numbers.capacity() {
                    let more = met.numbers.capacity().max(16) as u64 * 24;
                    if !self.states.ledger().take(more) {
                        return Err(Stopped::MemoryLimit);
                    }
                }
                let next = u32::try_from(met.pairs.len()).map_err(|_| Stopped::StateLimit)?;
                met.pairs.push((state, inner));
                met.numbers.insert((state, inner), next);
                Ok(next)
            }
        }
    }

    #[inline]
    fn pair(&self, node: Node) -> (u32, u32) {
        match &self.pairs {
            Pairs::All(few) => (node / few, node % few),
            Pairs::Met(met) => lock(met).pairs[node as usize],
        }
    }

    fn vector(&self, state: u32) -> Vec<u32> {
        let mut vector = Vec::new();
        self.states.vector(state, &mut vector);
        vector
    }

    /// The run of the system in a run of the product.
    fn run(&self, lasso: &Lasso) -> Result<Run, Stopped> {
        let mut worker = self.worker();
        let first = lasso.stem.first().or(lasso.cycle.first()).map_or(0, |leg| leg.node);
        let initial = self.vector(self.pair(first).0);
        let mut steps = |legs: &[Leg]| -> Result<Vec<RunStep>, Stopped> {
            legs.iter().map(|&leg| self.step(&mut worker, leg)).collect()
        };
        Ok(Run { initial, stem: steps(&lasso.stem)?, cycle: steps(&lasso.cycle)? })
    }

    fn step(
        &self,
        worker: &mut SharedWorker<S::Worker>,
        Leg { node, edge }: Leg,
    ) -> Result<RunStep, Stopped> {
        let (state, _) = self.pair(node);
        let steps = self.states.steps(worker, state)?;
        let index = edge % steps.count;
        let target = self.states.target(steps, index);
        let actions = taken(self.states.system(), &mut worker.system, &self.vector(state), index)?;
        Ok(RunStep { actions, state: self.vector(target) })
    }
}

impl<S: TransitionSystem> SharedGraph for Product<'_, '_, S> {
    type Worker = SharedWorker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        self.states.worker(self.acceptor.clone())
    }

    fn marks(&self) -> u64 {
        marks(self.states.is_fair(), self.acceptor)
    }

    fn initial(&self, worker: &mut Self::Worker) -> Result<Vec<Node>, Stopped> {
        let inner = self.acceptor.initial();
        let states = self.states.initial(worker)?;
        states.into_iter().map(|state| self.number(state, inner)).collect()
    }

    fn degree(&self, worker: &mut Self::Worker, node: Node) -> Result<u32, Stopped> {
        let (state, inner) = self.pair(node);
        let letter = self.states.letter(worker, state)?;
        let moves = worker.acceptor.moves(inner, letter);
        if moves.is_empty() {
            return Ok(0);
        }
        let steps = self.states.steps(worker, state)?;
        fits(self.states.is_fair(), self.states.processes(), self.acceptor)?;
        Ok(moves.len() as u32 * steps.count)
    }

    fn edge(&self, worker: &mut Self::Worker, node: Node, index: u32) -> Result<Edge, Stopped> {
        let (state, inner) = self.pair(node);
        let letter = self.states.letter(worker, state)?;
        let moves = worker.acceptor.moves(inner, letter);
        let steps = self.states.steps(worker, state)?;
        let taken = worker.acceptor.at(moves.start + index / steps.count);
        let step = index % steps.count;
        let mut marks = taken.marks;
        if self.states.is_fair() {
            let shift = self.acceptor.marks();
            marks |= self.states.fairness(steps, step).checked_shl(shift).unwrap_or(0);
        }
        let target = self.number(self.states.target(steps, step), taken.target)?;
        Ok(Edge { marks, target })
    }
}
