//! A system together with an automaton that reads its states.

use everypath_layer_product::Acceptor;
use everypath_model::{Action, ModelError, Successors, TransitionSystem};
use rustc_hash::FxHashMap;

use super::numbered::{Numbered, room};
use super::short::{Budget, shorten};
use super::strong::{Deed, FairEdge, FairGraph};
use super::{Counts, Edge, Graph, Lasso, Leg, Method, Node, Tally, check};
use crate::ledger::Ledger;
use crate::options::{Control, Lassos, Observer, Options, Progress};
use crate::outcome::Stopped;

/// With at most this many states of an automaton a pair is numbered by arithmetic.
const FEW: u32 = 8;

/// What a search for an accepting run found.
#[derive(Debug)]
pub struct Sought {
    /// What it did.
    pub counts: Counts,
    /// The run, `None` if there is none; or why the search ended before that was known.
    pub answer: Result<Option<Run>, Stopped>,
}

/// A run of a system that goes on for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where it begins.
    pub initial: Vec<u32>,
    /// The steps before the cycle.
    pub stem: Vec<RunStep>,
    /// The steps that are repeated; without actions if nothing moves any more.
    pub cycle: Vec<RunStep>,
}

impl Run {
    /// The same run, its cycle once and not several times, and begun as early as possible.
    pub fn folded(mut self) -> Run {
        let whole = self.cycle.len();
        let repeats = |period: &usize| {
            whole.is_multiple_of(*period)
                && (*period..whole).all(|i| self.cycle[i] == self.cycle[i - period])
        };
        if let Some(period) = (1..whole).find(repeats) {
            self.cycle.truncate(period);
        }
        while let (Some(last), Some(step)) = (self.stem.last(), self.cycle.last()) {
            let end = &step.state;
            let before = self.stem.iter().rev().nth(1).map_or(&self.initial, |step| &step.state);
            let around = self.cycle.iter().rev().nth(1).map_or(end, |step| &step.state);
            if last != step || before != around {
                break;
            }
            self.stem.pop();
            self.cycle.rotate_right(1);
        }
        self
    }
}

/// A step of a run; one without actions is a rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// Its statements.
    pub actions: Vec<Action>,
    /// The state after it.
    pub state: Vec<u32>,
}

/// Looks for a run of a system that an automaton accepts; with weak fairness if the numbers have it.
pub fn seek<S: TransitionSystem>(
    states: &mut Numbered<'_, S>,
    acceptor: &mut Acceptor,
    method: Method,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Sought {
    let ledger = states.ledger();
    let mut pulse = watch(ledger, options, observer);
    let mut tally = Tally::new(&mut pulse);
    let mut product = Product::new(states, acceptor);
    let found = product.fits().and_then(|()| check(&mut product, method, &mut tally));
    let counts = tally.counts;
    let budget = match options.lassos {
        Lassos::Any => None,
        Lassos::Short => Some(Budget::SMALL),
        Lassos::Shortest => Some(Budget::NONE),
    };
    let answer = found.and_then(|lasso| {
        let Some(mut lasso) = lasso else { return Ok(None) };
        if let Some(budget) = budget {
            lasso = shorten(&mut product, lasso, budget, &mut || pulse(&counts));
        }
        product.run(&lasso).map(Some)
    });
    Sought { counts, answer }
}

/// Looks for a run of a system that an automaton accepts and in which everything is done again and again
/// that can be done again and again; `deeds` appends what the actions of a step do.
pub fn seek_strong<S: TransitionSystem>(
    states: &mut Numbered<'_, S>,
    acceptor: &mut Acceptor,
    deeds: &dyn Fn(&[Action], &mut Vec<Deed>),
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Sought {
    let ledger = states.ledger();
    let mut pulse = watch(ledger, options, observer);
    let mut tally = Tally::new(&mut pulse);
    let mut product = Product::new(states, acceptor);
    let made = product.fits().and_then(|()| product.whole(deeds, &mut tally));
    let counts = tally.counts;
    let answer = made.and_then(|(graph, names)| {
        let found = graph.component().map(|inside| graph.lasso(&inside, &names));
        found.map(|lasso| product.run(&lasso)).transpose()
    });
    Sought { counts, answer }
}

/// What ends a search: time, an interrupt, limits, the observer.
pub(super) fn watch<'w>(
    ledger: &'w Ledger,
    options: &'w Options<'_>,
    observer: &'w mut dyn Observer,
) -> impl FnMut(&Counts) -> Result<(), Stopped> + 'w {
    move |counts: &Counts| {
        if options.expired.is_some_and(|expired| expired()) {
            return Err(Stopped::Time);
        }
        if options.interrupt.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed)) {
            return Err(Stopped::Interrupted);
        }
        if options.limits.states.is_some_and(|limit| counts.nodes > limit) {
            return Err(Stopped::StateLimit);
        }
        let bytes = ledger.used() + counts.bytes;
        if bytes > ledger.limit() {
            return Err(Stopped::MemoryLimit);
        }
        let progress = Progress {
            states: counts.nodes,
            transitions: counts.edges,
            depth: counts.stack,
            frontier: 0,
            bytes,
            errors: 0,
        };
        match observer.progress(&progress) {
            Control::Continue => Ok(()),
            Control::Stop => Err(Stopped::Interrupted),
        }
    }
}

/// All marks of a product.
pub(super) fn marks(fair: bool, acceptor: &Acceptor) -> u64 {
    match acceptor.marks() {
        _ if fair => u64::MAX,
        64 => u64::MAX,
        marks => (1 << marks) - 1,
    }
}

/// The marks of processes come after those of the automaton; all have to fit.
pub(super) fn fits(fair: bool, processes: u32, acceptor: &Acceptor) -> Result<(), Stopped> {
    let left = 64 - acceptor.marks();
    if fair && processes >= left {
        let message = format!("fairness for more than {left} processes is not possible here");
        return Err(Stopped::ModelError(ModelError(message)));
    }
    Ok(())
}

/// The statements of a step of a state, by its number; none if nothing moves.
pub(super) fn taken<S: TransitionSystem>(
    system: &S,
    worker: &mut S::Worker,
    state: &[u32],
    index: u32,
) -> Result<Vec<Action>, Stopped> {
    let mut out = Successors::new();
    system.successors(worker, state, &mut out).map_err(Stopped::from)?;
    let taken = out.steps().iter().filter(|step| !step.fatal).nth(index as usize);
    Ok(taken.map(|step| out.actions(step).to_vec()).unwrap_or_default())
}

struct Product<'p, 'a, S: TransitionSystem> {
    states: &'p mut Numbered<'a, S>,
    acceptor: &'p mut Acceptor,
    /// The number of each letter of the states, by state.
    letters: Vec<u32>,
    pairs: Pairs,
    bytes: u64,
}

/// How pairs of a state and a state of the automaton are numbered.
enum Pairs {
    /// All of them, whether they are met or not.
    All(u32),
    /// Those that are met.
    Met(FxHashMap<u64, Node>, Vec<u64>),
}

/// A letter that has no number yet.
const UNREAD: u32 = u32::MAX;

impl<'p, 'a, S: TransitionSystem> Product<'p, 'a, S> {
    fn new(states: &'p mut Numbered<'a, S>, acceptor: &'p mut Acceptor) -> Product<'p, 'a, S> {
        let pairs = match acceptor.states() {
            few if few <= FEW => Pairs::All(few),
            _ => Pairs::Met(FxHashMap::default(), Vec::new()),
        };
        Product { states, acceptor, letters: Vec::new(), pairs, bytes: 0 }
    }

    fn number(&mut self, state: u32, inner: u32) -> Result<Node, Stopped> {
        match &mut self.pairs {
            Pairs::All(few) => {
                let number = u64::from(state) * u64::from(*few) + u64::from(inner);
                u32::try_from(number).map_err(|_| Stopped::StateLimit)
            }
            Pairs::Met(numbers, pairs) => {
                let pair = u64::from(state) << 32 | u64::from(inner);
                if let Some(&known) = numbers.get(&pair) {
                    return Ok(known);
                }
                let next = u32::try_from(pairs.len()).map_err(|_| Stopped::StateLimit)?;
                let ledger = self.states.ledger();
                room(ledger, pairs, 1, &mut self.bytes)?;
                if numbers.len() == numbers.capacity() {
                    // A table of pairs and numbers, with the bytes that tell what is where.
                    let more = numbers.capacity().max(16) as u64 * 20;
                    if !ledger.take(more) {
                        return Err(Stopped::MemoryLimit);
                    }
                    self.bytes += more;
                }
                pairs.push(pair);
                numbers.insert(pair, next);
                Ok(next)
            }
        }
    }

    #[inline]
    fn pair(&self, node: Node) -> (u32, u32) {
        match &self.pairs {
            Pairs::All(few) => (node / few, node % few),
            Pairs::Met(_, pairs) => {
                let pair = pairs[node as usize];
                ((pair >> 32) as u32, pair as u32)
            }
        }
    }

    #[inline]
    fn letter(&mut self, state: u32) -> Result<u32, Stopped> {
        if self.letters.len() <= state as usize {
            let more = self.states.len() - self.letters.len();
            room(self.states.ledger(), &mut self.letters, more, &mut self.bytes)?;
            self.letters.resize(self.states.len(), UNREAD);
        }
        if self.letters[state as usize] == UNREAD {
            let letter = self.states.letter(state)?;
            self.letters[state as usize] = self.acceptor.letter(letter);
        }
        Ok(self.letters[state as usize])
    }

    fn fits(&self) -> Result<(), Stopped> {
        fits(self.states.is_fair(), self.states.processes, self.acceptor)
    }

    /// The run of the system in a run of the product.
    fn run(&mut self, lasso: &Lasso) -> Result<Run, Stopped> {
        let first = lasso.stem.first().or(lasso.cycle.first()).map_or(0, |leg| leg.node);
        let (state, _) = self.pair(first);
        let initial = self.states.vector(state).to_vec();
        let mut worker = self.states.system().worker();
        let mut steps = |legs: &[Leg]| -> Result<Vec<RunStep>, Stopped> {
            legs.iter().map(|&leg| self.step(&mut worker, leg)).collect()
        };
        let (stem, cycle) = (steps(&lasso.stem)?, steps(&lasso.cycle)?);
        Ok(Run { initial, stem, cycle })
    }

    fn step(
        &mut self,
        worker: &mut S::Worker,
        Leg { node, edge }: Leg,
    ) -> Result<RunStep, Stopped> {
        let (state, _) = self.pair(node);
        let steps = self.states.steps(state)?;
        let index = edge % steps.count;
        let target = self.states.target(steps, index);
        let actions = taken(self.states.system(), worker, self.states.vector(state), index)?;
        Ok(RunStep { actions, state: self.states.vector(target).to_vec() })
    }
}

impl<S: TransitionSystem> Product<'_, '_, S> {
    /// All of it, with what is done on each edge, and the names of its nodes.
    fn whole(
        &mut self,
        deeds: &dyn Fn(&[Action], &mut Vec<Deed>),
        tally: &mut Tally<'_>,
    ) -> Result<(FairGraph, Vec<Node>), Stopped> {
        let mut worker = self.states.system().worker();
        let mut out = Successors::new();
        let mut graph = FairGraph { marks: self.marks(), ..FairGraph::default() };
        let mut names = self.initial()?;
        let mut numbers: FxHashMap<Node, u32> = FxHashMap::default();
        for (number, &node) in names.iter().enumerate() {
            numbers.insert(node, number as u32);
        }
        graph.initial = (0..names.len() as u32).collect();
        let mut sets: FxHashMap<Box<[Deed]>, u32> = FxHashMap::default();
        let mut done: Vec<u32> = Vec::new();
        let mut bytes = 0;
        while graph.edges.len() < names.len() {
            let node = names[graph.edges.len()];
            let degree = self.degree(node)?;
            done.clear();
            if degree > 0 {
                let (state, _) = self.pair(node);
                out.clear();
                let vector = self.states.vector(state);
                let system = self.states.system();
                system.successors(&mut worker, vector, &mut out).map_err(Stopped::from)?;
                for step in out.steps().iter().filter(|step| !step.fatal) {
                    let mut set = Vec::new();
                    deeds(out.actions(step), &mut set);
                    set.sort_unstable();
                    set.dedup();
                    let next = graph.deeds.len() as u32;
                    let number = *sets.entry(set.clone().into()).or_insert(next);
                    if number == next {
                        graph.deeds.push(set.into());
                    }
                    done.push(number);
                }
            }
            if done.is_empty() {
                // It rests.
                let next = graph.deeds.len() as u32;
                let number = *sets.entry(Box::default()).or_insert(next);
                if number == next {
                    graph.deeds.push(Box::default());
                }
                done.push(number);
            }
            let mut edges = Vec::with_capacity(degree as usize);
            for index in 0..degree {
                tally.edge()?;
                let Edge { marks, target } = self.edge(node, index)?;
                let next = names.len() as u32;
                let number = *numbers.entry(target).or_insert(next);
                if number == next {
                    names.push(target);
                }
                let deeds = done[index as usize % done.len()];
                edges.push(FairEdge { target: number, marks, deeds });
            }
            bytes += 64 + edges.len() as u64 * size_of::<FairEdge>() as u64;
            graph.edges.push(edges);
            tally.node(names.len() - graph.edges.len(), bytes);
        }
        Ok((graph, names))
    }
}

impl<S: TransitionSystem> Drop for Product<'_, '_, S> {
    fn drop(&mut self) {
        self.states.ledger().give(self.bytes);
    }
}

impl<S: TransitionSystem> Graph for Product<'_, '_, S> {
    fn marks(&self) -> u64 {
        marks(self.states.is_fair(), self.acceptor)
    }

    fn initial(&mut self) -> Result<Vec<Node>, Stopped> {
        let inner = self.acceptor.initial();
        let states = self.states.initial()?;
        states.into_iter().map(|state| self.number(state, inner)).collect()
    }

    #[inline]
    fn degree(&mut self, node: Node) -> Result<u32, Stopped> {
        let (state, inner) = self.pair(node);
        let letter = self.letter(state)?;
        let moves = self.acceptor.moves(inner, letter);
        if moves.is_empty() {
            return Ok(0);
        }
        let steps = self.states.steps(state)?;
        if self.states.is_fair() {
            self.fits()?;
        }
        Ok(moves.len() as u32 * steps.count)
    }

    #[inline]
    fn edge(&mut self, node: Node, index: u32) -> Result<Edge, Stopped> {
        let (state, inner) = self.pair(node);
        let letter = self.letter(state)?;
        let moves = self.acceptor.moves(inner, letter);
        let steps = self.states.steps(state)?;
        let taken = self.acceptor.at(moves.start + index / steps.count);
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
