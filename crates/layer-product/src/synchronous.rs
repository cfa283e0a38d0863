//! A system in step with an automaton that reads its states: the product as a system again, so that every
//! search and every store serves it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use everypath_model::{
    ComponentMask, End, Fault, ModelError, Parts, Step, Successors, Touched, TransitionSystem,
};
use everypath_property::tgba::{self, Automaton, Strength};
use rustc_hash::FxHashMap;

use crate::Acceptor;

/// The letter that a state is for properties, a bit for each proposition.
pub type SharedLetter<'a, W> = &'a (dyn Fn(&mut W, &[u32]) -> Result<u64, ModelError> + Sync);

/// The fault of a step after which every run is accepted.
pub const ACCEPTED: Fault = Fault(0);

/// Bits of the first word for the state of the automaton, and for the letter.
const INNER_BITS: u32 = 16;
const LETTER_BITS: usize = 16;

/// Words in front of those of the system.
const FRONT: usize = 1;

/// What automaton and system are together. A state of it is one of the system behind a word with the
/// state of the automaton and the letter that it reads next: the letter is part of the state so that a
/// step which changes none of its propositions need not look at them.
///
/// States in which the automaton cannot go on are left out. A state in which the system stands still
/// goes on as it is.
pub struct Synchronous<'a, S: TransitionSystem> {
    system: &'a S,
    letter: SharedLetter<'a, S::Worker>,
    acceptor: Acceptor,
    /// The atoms that labels look at: these bits of a letter.
    atoms: Vec<u32>,
    accepting: Vec<bool>,
    terminal: bool,
    /// Which words of the system's the propositions read.
    reads: Option<Vec<Touched>>,
    /// The components in which these are.
    read: ComponentMask,
    left_out: AtomicBool,
}

/// Scratch memory of one thread.
pub struct Worker<W> {
    inner: W,
    out: Successors,
    moves: Moves,
    vector: Vec<u32>,
    touched: Vec<Touched>,
}

/// Where the automaton goes from each first word.
struct Moves {
    acceptor: Acceptor,
    known: FxHashMap<u32, (u32, u32)>,
    targets: Vec<u32>,
}

impl<'a, S: TransitionSystem> Synchronous<'a, S> {
    /// The product, if the automaton is weak and small enough. `reads` are the words of the system that
    /// the propositions of the automaton read, if that is known.
    pub fn new(
        system: &'a S,
        letter: SharedLetter<'a, S::Worker>,
        automaton: &Automaton,
        reads: Option<Vec<Touched>>,
    ) -> Option<Synchronous<'a, S>> {
        let strength = tgba::strength(automaton);
        let automaton = tgba::clean_marks(automaton);
        let atoms = automaton.support();
        let fits = automaton.len() < 1 << INNER_BITS && atoms.len() <= LETTER_BITS;
        if strength == Strength::Strong || !fits || system.carried() > 0 {
            return None;
        }
        let read = match &reads {
            Some(reads) => {
                let mut read = ComponentMask::default();
                reads.iter().for_each(|touched| read.insert(touched.component as usize));
                read
            }
            None => ComponentMask::ALL,
        };
        Some(Synchronous {
            system,
            letter,
            accepting: tgba::accepting_states(&automaton),
            acceptor: Acceptor::new(automaton),
            atoms,
            terminal: strength == Strength::Terminal,
            reads,
            read,
            left_out: AtomicBool::new(false),
        })
    }

    /// The system.
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// Whether a run is accepted as soon as it reaches an accepting state: the step to it has the fault
    /// [`ACCEPTED`].
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether the automaton is in an accepting component, by the first component of a state.
    pub fn is_accepting(&self, front: &[u32]) -> bool {
        front.first().is_some_and(|&front| self.accepting[inner_of(front) as usize])
    }

    /// The state of the system in one of these states.
    pub fn inner(state: &[u32]) -> &[u32] {
        &state[FRONT..]
    }

    /// Whether the system said that it left something out.
    pub fn left_out(&self) -> bool {
        self.left_out.load(Ordering::Relaxed)
    }

    /// The bits of a letter that labels look at.
    fn dense(&self, letter: u64) -> u32 {
        let bits = self.atoms.iter().enumerate();
        bits.fold(0, |dense, (bit, &atom)| dense | (((letter >> atom) & 1) as u32) << bit)
    }

    fn sparse(&self, dense: u32) -> u64 {
        let bits = self.atoms.iter().enumerate();
        bits.fold(0, |letter, (bit, &atom)| letter | u64::from(dense >> bit & 1) << atom)
    }

    /// Which of the targets of moves are those from a first word.
    #[inline]
    fn moves(&self, moves: &mut Moves, front: u32) -> Range<usize> {
        let (start, end) = match moves.known.get(&front) {
            Some(&known) => known,
            None => self.find_moves(moves, front),
        };
        start as usize..end as usize
    }

    #[cold]
    fn find_moves(&self, moves: &mut Moves, front: u32) -> (u32, u32) {
        let Moves { acceptor, known, targets } = moves;
        let letter = acceptor.letter(self.sparse(front >> INNER_BITS));
        let range = acceptor.moves(inner_of(front), letter);
        let mut found: Vec<u32> = range.map(|at| acceptor.at(at).target).collect();
        found.sort_unstable();
        found.dedup();
        let start = targets.len() as u32;
        targets.extend(found);
        let range = (start, targets.len() as u32);
        known.insert(front, range);
        range
    }

    /// Writes the steps of the product for those that the system has made.
    fn join(
        &self,
        worker: &mut Worker<S::Worker>,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let Worker { inner, out: own, moves, vector, .. } = worker;
        if own.incomplete.is_some() {
            out.incomplete = own.incomplete;
            self.left_out.store(true, Ordering::Relaxed);
        }
        let front = state[0];
        let goes = self.moves(moves, front);
        for step in own.steps().iter().filter(|step| !step.fatal) {
            let target = own.target(step);
            let letter = match step.changed.0 & self.read.0 {
                0 => front >> INNER_BITS,
                _ => self.dense((self.letter)(inner, target)?),
            };
            for index in goes.clone() {
                let next = moves.targets[index] | letter << INNER_BITS;
                if self.moves(moves, next).is_empty() {
                    continue;
                }
                vector.clear();
                vector.push(next);
                vector.extend_from_slice(target);
                self.push(out, vector, shifted(step, next != front), own.actions(step));
            }
        }
        out.late |= own.late;
        Ok(())
    }

    fn push(
        &self,
        out: &mut Successors,
        vector: &[u32],
        changed: ComponentMask,
        actions: &[everypath_model::Action],
    ) {
        let accepted = self.terminal && self.is_accepting(vector);
        out.push_faulty(vector, changed, actions, accepted.then_some(ACCEPTED), accepted);
    }
}

/// The state of the automaton in a first word.
fn inner_of(front: u32) -> u32 {
    front & ((1 << INNER_BITS) - 1)
}

/// What a step changes, with the first word before the components of the system.
fn shifted(step: &Step, front: bool) -> ComponentMask {
    if step.changed == ComponentMask::ALL {
        return ComponentMask::ALL;
    }
    let last = step.changed.0 & 1 << 63;
    ComponentMask(step.changed.0 << 1 | last | u64::from(front))
}

impl<S: TransitionSystem> TransitionSystem for Synchronous<'_, S> {
    type Worker = Worker<S::Worker>;

    fn worker(&self) -> Self::Worker {
        Worker {
            inner: self.system.worker(),
            out: Successors::new(),
            moves: Moves {
                acceptor: self.acceptor.clone(),
                known: FxHashMap::default(),
                targets: Vec::new(),
            },
            vector: Vec::new(),
            touched: Vec::new(),
        }
    }

    fn initial(&self, worker: &mut Self::Worker, out: &mut Successors) -> Result<(), ModelError> {
        let Worker { inner, out: own, moves, vector, .. } = worker;
        own.clear();
        self.system.initial(inner, own)?;
        for step in own.steps().iter().filter(|step| !step.fatal) {
            let target = own.target(step);
            let letter = self.dense((self.letter)(inner, target)?);
            let front = self.acceptor.initial() | letter << INNER_BITS;
            if self.moves(moves, front).is_empty() {
                continue;
            }
            vector.clear();
            vector.push(front);
            vector.extend_from_slice(target);
            self.push(out, vector, ComponentMask::ALL, own.actions(step));
        }
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let Worker { inner, out: own, .. } = worker;
        own.clear();
        self.system.successors(inner, Self::inner(state), own)?;
        if own.is_empty() {
            own.push(Self::inner(state), ComponentMask::default(), &[]);
        }
        self.join(worker, state, out)
    }

    fn end(&self, _: &mut Self::Worker, _: &[u32]) -> End {
        End::Valid
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.push(FRONT as u32);
        let first = ends.len();
        self.system.components(Self::inner(state), ends);
        ends[first..].iter_mut().for_each(|end| *end += FRONT as u32);
    }

    fn parts(&self) -> Option<Parts> {
        self.reads.as_ref()?;
        let Parts { mut components, in_order, mut shared } = self.system.parts()?;
        components.iter_mut().for_each(|component| *component += 1);
        shared.component += 1;
        // A rest is a step that is there only if there are no others.
        Some(Parts { components, in_order, shared })
    }

    fn touched(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        part: usize,
        known: usize,
        touched: &mut Vec<Touched>,
    ) -> bool {
        let Some(reads) = &self.reads else { return false };
        let Worker { inner, touched: own, .. } = worker;
        own.clear();
        if !self.system.touched(inner, Self::inner(state), part, known, own) {
            return false;
        }
        let meets = |read: &Touched| {
            own.iter().any(|touched| {
                touched.component == read.component
                    && touched.words.start < read.words.end
                    && read.words.start < touched.words.end
            })
        };
        // What changes no proposition need not look at any.
        let looked_at = if reads.iter().any(meets) { &reads[..] } else { &[] };
        touched.push(Touched { component: 0, words: 0..FRONT as u32 });
        touched.extend(
            own.iter()
                .chain(looked_at)
                .map(|one| Touched { component: one.component + 1, words: one.words.clone() }),
        );
        true
    }

    fn part_steps(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        part: usize,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let Worker { inner, out: own, .. } = worker;
        own.clear();
        self.system.part_steps(inner, Self::inner(state), part, own)?;
        self.join(worker, state, out)
    }
}
