//! Programs as transition systems: a step is one thread, from its stop to its next one.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use everypath_model::{
    Action, Brake, ComponentMask, End, Fault, ModelError, Successors, TransitionSystem,
};

use rustc_hash::FxHashMap;

use crate::link::Method;
use crate::peers::STRICT;
use crate::program::{Program, Totals, failed};
use crate::races::{Race, Standing};
use crate::stateless::Naming;
use crate::vm::spurious::UNREASONED;
use crate::vm::{
    Failure, PREFIX, Run, Status, THREAD, Touched, Trap, Vector, Worker, header, thread_ends,
};

/// Objects in one component of a vector.
const GROUP: usize = 4;

/// Contents of threads of which is remembered what they do, at most.
const MOST_ACTIONS: usize = 1 << 16;

/// Scratch memory of one thread of a search.
pub struct JavaWorker {
    pub(crate) inner: Worker,
    pub(crate) target: Vec<u32>,
    /// What threads of these contents do, by alternatives.
    actions: FxHashMap<(u32, u32), u32>,
    pub(crate) standing: Standing,
    totals: Arc<Totals>,
    /// The most threads and objects of a state.
    pub(crate) most: (usize, usize),
    /// Memory of searches that go run by run.
    pub(crate) touched: Box<Touched>,
    pub(crate) naming: Naming,
}

impl Drop for JavaWorker {
    fn drop(&mut self) {
        let Totals { instructions, executed, threads, objects, .. } = &*self.totals;
        instructions.fetch_add(self.instructions(), Ordering::Relaxed);
        executed.fetch_add(self.inner.executed, Ordering::Relaxed);
        threads.fetch_max(self.most.0 as u64, Ordering::Relaxed);
        objects.fetch_max(self.most.1 as u64, Ordering::Relaxed);
    }
}

impl JavaWorker {
    /// Instructions of all steps so far.
    pub fn instructions(&self) -> u64 {
        self.inner.executed + self.inner.spared
    }

    /// The number of what a thread of the state that was taken up is about to do.
    pub(crate) fn action(&mut self, program: &Program, step: &Move) -> Action {
        if self.actions.len() > MOST_ACTIONS {
            self.actions.clear();
        }
        known_action(&mut self.actions, program, &self.inner, step)
    }

    /// Those that were executed, and not known from another state.
    pub fn executed(&self) -> u64 {
        self.inner.executed
    }
}

/// What a thread does, of which its content tells everything.
fn known_action(
    actions: &mut FxHashMap<(u32, u32), u32>,
    program: &Program,
    worker: &Worker,
    step: &Move,
) -> Action {
    let content = worker.threads[step.thread].0;
    let transition = *actions
        .entry((content, step.alternative))
        .or_insert_with(|| program.action_of(worker, step).transition);
    Action { process: step.thread as u32, transition }
}

/// What a state can do next.
pub(crate) struct Move {
    pub thread: usize,
    pub alternative: u32,
}

/// The moves that happen if nothing else does; those without a reason come behind them.
fn usual(moves: &[Move]) -> &[Move] {
    let count = moves.iter().take_while(|step| step.alternative != UNREASONED).count();
    &moves[..count]
}

/// What is no fault of one step alone.
struct Found {
    races: Vec<Race>,
    circles: Vec<(Action, Fault)>,
}

impl Found {
    /// Adds it behind the steps so far, so that it does not change their numbers.
    fn push(&mut self, state: &[u32], out: &mut Successors) {
        for (action, fault) in self.circles.drain(..) {
            out.push_faulty(state, ComponentMask::default(), &[action], Some(fault), true);
        }
        for race in self.races.drain(..) {
            out.push_faulty(state, ComponentMask::default(), &race.actions, Some(race.fault), true);
        }
    }
}

impl Program {
    /// The moves of the state that a worker has taken up.
    pub(crate) fn moves(&self, worker: &Worker) -> Run<Vec<Move>> {
        let mut moves = Vec::new();
        if worker.exit.is_some() || worker.is_over() {
            return Ok(moves);
        }
        // What a new thread does before others can notice anything is done at once.
        for thread in 0..worker.threads.len() {
            if worker.is_alive(thread) && worker.status(thread) == Status::Start {
                return Ok(vec![Move { thread, alternative: 0 }]);
            }
        }
        // And so is a long stretch of which others notice nothing.
        for thread in 0..worker.threads.len() {
            if worker.is_alive(thread) && worker.goes_on_alone(thread) {
                return Ok(vec![Move { thread, alternative: 0 }]);
            }
        }
        // So is what a thread does in an atomic region, as long as it can.
        for thread in 0..worker.threads.len() {
            if worker.is_alive(thread) && worker.thread(thread, header::ATOMIC) > 0 {
                let count = worker.alternatives(thread)?;
                if count > 0 || worker.thread(thread, header::ATOMIC) >= STRICT {
                    return Ok((0..count)
                        .map(|alternative| Move { thread, alternative })
                        .collect());
                }
            }
        }
        for thread in 0..worker.threads.len() {
            for alternative in 0..worker.alternatives(thread)? {
                moves.push(Move { thread, alternative });
            }
        }
        if worker.vm.unreasoned.wakes() {
            let threads = (0..worker.threads.len()).filter(|&thread| worker.may_wake(thread));
            moves.extend(threads.map(|thread| Move { thread, alternative: UNREASONED }));
        }
        if self.has_window() {
            let inside = |step: &Move| self.in_window(worker, step.thread);
            if moves.iter().any(inside) {
                moves.retain(inside);
            }
        }
        Ok(moves)
    }

    /// Threads to which a search keeps as long as one of them can move; without names all of them move. What
    /// it finds is real, and what it does not find means nothing.
    pub fn set_window(&self, names: Vec<String>) {
        self.has_window.store(!names.is_empty(), Ordering::Relaxed);
        *self.window.write().unwrap_or_else(PoisonError::into_inner) = names;
    }

    /// Whether there is such a window.
    pub fn has_window(&self) -> bool {
        self.has_window.load(Ordering::Relaxed)
    }

    /// Whether a thread belongs to the window, or there is none.
    pub(crate) fn in_window(&self, worker: &Worker, thread: usize) -> bool {
        !self.has_window() || {
            let names = self.window.read().unwrap_or_else(PoisonError::into_inner);
            names.contains(&worker.thread_name(thread))
        }
    }

    /// The number of what a thread is about to do.
    pub(crate) fn action_of(&self, worker: &Worker, step: &Move) -> Action {
        let (method, pc) = worker.standing(step.thread);
        let transition = self.names.action((method, pc, step.alternative));
        Action { process: step.thread as u32, transition }
    }

    fn expand(&self, worker: &mut JavaWorker, state: &[u32], out: &mut Successors) -> Run<()> {
        let JavaWorker { inner, target, actions, standing, most, .. } = worker;
        if actions.len() > MOST_ACTIONS {
            actions.clear();
        }
        inner.load(state);
        most.0 = most.0.max(inner.threads.iter().filter(|place| !place.is_none()).count());
        most.1 = most.1.max(inner.heap.objects.len());
        let moves = self.moves(inner)?;
        if moves.is_empty() && (inner.exit.is_some() || inner.is_over()) {
            self.totals.ended.store(true, Ordering::Relaxed);
        }
        let usual = usual(&moves).len();
        out.stuck = usual == 0 && !moves.is_empty();
        let mut only_itself = usual > 0;
        let mut found = Found { races: self.races(inner, standing), circles: Vec::new() };
        for (index, step) in moves.iter().enumerate() {
            if index == usual {
                // Those steps have the same numbers as if nothing came behind them.
                found.push(state, out);
            }
            inner.poll()?;
            let executed = inner.executed;
            let repeated = self.repeat(inner, step, target);
            // Whether the second of a race can follow is seen by executing the first.
            let races_here = found.races.iter().any(|race| race.threads.0 == step.thread);
            if let Some((action, instructions)) = repeated
                && !races_here
                && !cfg!(debug_assertions)
            {
                inner.spared += instructions;
                only_itself &= target == state || index >= usual;
                out.push(target, self.changed(state, target), &[action]);
                continue;
            }
            let action = known_action(actions, self, inner, step);
            let expected = match cfg!(debug_assertions) {
                true => repeated.map(|(known, _)| (known, target.clone())),
                false => None,
            };
            match inner.transition(step.thread, step.alternative) {
                // Others may go on to where something is wrong.
                Err(Trap::Fail(Failure::Unsupported(what))) => {
                    let place = inner.place_in_program();
                    out.incomplete = Some(self.left_out(&format!("not modelled: {what}"), place));
                    inner.load(state);
                    continue;
                }
                Err(Trap::Fail(Failure::Limit(what))) => {
                    let place = inner.place_in_program();
                    out.incomplete = Some(self.left_out(&what, place));
                    inner.load(state);
                    continue;
                }
                done => done?,
            }
            found.races.retain(|race| race.threads.0 != step.thread || inner.can_follow(race));
            let left = inner.left_out.take();
            let complete = left.is_none();
            if let Some(left) = left {
                out.incomplete = Some(self.left_out(&left.what, left.place));
            }
            if inner.pruned {
                only_itself &= index >= usual;
                inner.load(state);
                continue;
            }
            inner.take_reads();
            // Whether one that waits has closed a circle depends on all threads.
            let waits = inner.may_close_circle(step.thread);
            let circle = self.partial_deadlock(inner, step.thread);
            found.circles.extend(circle.map(|fault| (action, fault)));
            let changes = match inner.save(target) {
                Err(Trap::Fail(Failure::Limit(what))) => {
                    let place = inner.place_in_program();
                    out.incomplete = Some(self.left_out(&what, place));
                    inner.load(state);
                    continue;
                }
                saved => saved?,
            };
            if let Some(expected) = expected {
                assert_eq!(expected, (action, target.clone()), "a transition that was known");
            }
            only_itself &= target == state || index >= usual;
            let changed = self.changed(state, target);
            let uncaught = inner.uncaught.first();
            let fault = uncaught.map(|one| self.names.uncaught(&self.vm, &self.sources, one));
            out.push_faulty(target, changed, &[action], fault, false);
            let instructions = inner.executed - executed;
            inner.load(state);
            inner.learn(
                changes && complete && !waits && fault.is_none(),
                action.transition,
                instructions,
            );
        }
        if only_itself && out.incomplete.is_none() {
            self.note_endless(inner, &moves[..usual]);
        }
        found.push(state, out);
        Ok(())
    }

    /// Writes the state behind a step that is known from another state; gives the instructions that it took there.
    fn repeat(
        &self,
        worker: &mut Worker,
        step: &Move,
        target: &mut Vec<u32>,
    ) -> Option<(Action, u64)> {
        let thread = step.thread;
        let found = worker.known_transition(thread, step.alternative)?;
        let known = worker.known(found)?;
        let (transition, instructions) = (known.action, known.instructions);
        if !worker.apply(&known.effect, target) {
            return None;
        }
        Some((Action { process: thread as u32, transition }, instructions))
    }

    /// What is told about a path that is not followed, or not with all alternatives.
    pub(crate) fn left_out(&self, what: &str, place: Option<(&'static Method, u32)>) -> Fault {
        let place = place.and_then(|(method, pc)| self.names.span(&self.sources, method, pc));
        self.names.left_out(what, place)
    }

    /// The components in which two states differ.
    fn changed(&self, from: &[u32], to: &[u32]) -> ComponentMask {
        if from.len() != to.len() || from[PREFIX - 1] != to[PREFIX - 1] {
            return ComponentMask::ALL;
        }
        let parts = Vector::of(from);
        let singles = parts.statics + 2 * parts.deviations;
        let (mut component, mut marks, mut behind) = (0, 0, 0);
        let mut changed = ComponentMask::default();
        for (index, (a, b)) in from.iter().zip(to).enumerate().skip(PREFIX) {
            if marks <= parts.threads {
                if (a ^ b) & THREAD != 0 {
                    return ComponentMask::ALL;
                }
                if a & THREAD != 0 {
                    (component, marks, behind) = (component + 1, marks + 1, index + 1);
                }
            } else if index < behind + singles || (index - behind - singles).is_multiple_of(GROUP) {
                component += 1;
            }
            if a != b {
                changed.insert(component);
            }
        }
        if from[..PREFIX] != to[..PREFIX] {
            changed.insert(0);
        }
        changed
    }
}

impl TransitionSystem for Program {
    type Worker = JavaWorker;

    fn worker(&self) -> JavaWorker {
        // The code that threads begin with was made when the program was loaded.
        let inner = self.new_worker().unwrap_or_else(|_| unreachable!("a loaded program"));
        JavaWorker {
            inner,
            target: Vec::new(),
            actions: FxHashMap::default(),
            standing: Standing::default(),
            totals: Arc::clone(&self.totals),
            most: (0, 0),
            touched: Box::default(),
            naming: Naming::default(),
        }
    }

    fn initial(&self, worker: &mut JavaWorker, out: &mut Successors) -> Result<(), ModelError> {
        let JavaWorker { inner, target, .. } = worker;
        self.first_state(inner, target).map_err(failed)?;
        out.push(target, ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut JavaWorker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.expand(worker, state, out).map_err(failed)
    }

    fn brake(&self) -> Option<&Brake> {
        Some(&self.vm.brake)
    }

    fn end(&self, worker: &mut JavaWorker, state: &[u32]) -> End {
        worker.inner.load(state);
        // A thread whose every alternative was ruled out by an assumption does not wait.
        let can_move = self.moves(&worker.inner).is_ok_and(|moves| !usual(&moves).is_empty());
        match worker.inner.exit.is_some() || worker.inner.is_over() || can_move {
            true => End::Valid,
            false => End::Deadlock,
        }
    }

    fn invariant_count(&self) -> usize {
        self.conditions.count()
    }

    fn violated_invariant(
        &self,
        worker: &mut JavaWorker,
        state: &[u32],
        index: usize,
    ) -> Result<Option<Fault>, ModelError> {
        self.violated(worker, state, index)
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.push(PREFIX as u32);
        ends.extend(thread_ends(state).map(|end| end as u32));
        let parts = Vector::of(state);
        // The mark behind the threads is a component by itself.
        let mark = ends.last().map_or(PREFIX, |&end| end as usize);
        let mut at = mark + 1 + parts.statics + 2 * parts.deviations;
        ends.extend(mark as u32 + 1..=at as u32);
        while at < state.len() {
            at = (at + GROUP).min(state.len());
            ends.push(at as u32);
        }
    }
}
