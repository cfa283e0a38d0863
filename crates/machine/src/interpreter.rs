//! The reference interpreter: all steps of a state, by the meaning of single statements.
//!
//! A step of the system is what SPIN stores a state after: one statement, both halves of a
//! rendezvous, or a whole atomic sequence up to the point where it ends or cannot go on.

use std::sync::Arc;

use everypath_model::{
    Action, Brake, ComponentMask, End, Fault, ModelError, Parts, Successors, Touched,
    TransitionSystem,
};

use crate::code::SiteId;
use crate::exec::{Exec, Guard, fault};
use crate::executor::{Executor, ProcessSet};
use crate::machine::{FaultKind, Machine, TransitionKind};
use crate::sequence::{Sequences, Within};
use crate::shape::{GLOBALS, Shape};
use crate::touch::{TouchFacts, TouchWorker};

/// Runs a [`Machine`].
#[derive(Clone, Debug)]
pub struct Interpreter {
    machine: Arc<Machine>,
    pub(crate) touch: Arc<TouchFacts>,
    /// What ends long steps; all copies have the same one.
    brake: Arc<Brake>,
}

impl Interpreter {
    /// An interpreter of a machine.
    pub fn new(machine: Arc<Machine>) -> Interpreter {
        Interpreter { machine, touch: Arc::default(), brake: Arc::default() }
    }

    /// The same, whose steps end when those of `other` do.
    pub fn braked_as(self, other: &Interpreter) -> Interpreter {
        Interpreter { brake: other.brake.clone(), ..self }
    }

    /// The machine that it runs.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }
}

/// Scratch memory of one thread.
pub struct Worker {
    pub(crate) exec: Exec,
    pub(crate) moves: Moves,
    /// The state inside an atomic sequence that is being expanded.
    current: Vec<u32>,
    /// The atomic sequences out of the state under expansion.
    pub sequences: Sequences,
    touch: TouchWorker,
}

/// Where moves are looked for.
pub struct At<'s> {
    /// The state.
    pub state: &'s [u32],
    /// Where in an atomic sequence it lies.
    pub within: Within,
    /// Nothing else can move: `timeout` holds.
    pub timeout: bool,
}

/// A process to be made.
pub struct Made<'a> {
    /// Its kind.
    pub proctype: u16,
    /// Its arguments.
    pub arguments: &'a [i32],
    /// Its priority.
    pub priority: u8,
    /// The statement that makes it, for faults.
    pub site: SiteId,
}

/// The moves of single statements out of one state.
#[derive(Default)]
pub(crate) struct Moves {
    pub words: Vec<u32>,
    pub list: Vec<Move>,
    /// The state between the halves of a rendezvous.
    between: Vec<u32>,
}

/// One statement, or both halves of a rendezvous.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// First word of its target, in the memory that the executor writes to.
    pub start: u32,
    /// End of its target.
    pub end: u32,
    /// The statement, or the sending half.
    pub action: Action,
    /// The receiving half.
    pub receive: Option<Action>,
    /// The process that must move next, if the statement keeps others out.
    pub holder: Option<u32>,
    /// Components that it changed.
    pub changed: ComponentMask,
    /// A report that leads nowhere: the real move, if there is one, follows.
    pub fault: Option<Fault>,
}

impl Move {
    pub(crate) fn target<'a>(&self, moves: &'a Moves) -> &'a [u32] {
        &moves.words[self.start as usize..self.end as usize]
    }

    /// Its actions, and how many there are.
    pub fn actions(&self) -> ([Action; 2], usize) {
        match self.receive {
            Some(receive) => ([self.action, receive], 2),
            None => ([self.action, self.action], 1),
        }
    }
}

impl Moves {
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.list.clear();
    }
}

impl Worker {
    fn new(brake: Arc<Brake>) -> Worker {
        Worker {
            exec: Exec::new(),
            moves: Moves::default(),
            current: Vec::new(),
            sequences: Sequences::new(brake),
            touch: TouchWorker::default(),
        }
    }
}

impl TransitionSystem for Interpreter {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Worker::new(self.brake.clone())
    }

    fn initial(&self, worker: &mut Worker, out: &mut Successors) -> Result<(), ModelError> {
        let machine = &*self.machine;
        let exec = &mut worker.exec;
        exec.shape.reset(machine);
        exec.faults.clear();
        let mut words = vec![0; exec.shape.end as usize];
        let mut result = exec.effect(machine, &mut words, 0, machine.global_init);
        for &proctype in &machine.initial {
            if result.is_ok() {
                let priority = machine.proctypes[usize::from(proctype)].priority;
                let made = exec.run(machine, &mut words, 0, proctype, 0, 0, priority, 0);
                result = made.map(|_| ());
            }
        }
        match result {
            Ok(()) => out.push(&words, ComponentMask::ALL, &[]),
            Err(fault) => out.push_faulty(&words, ComponentMask::ALL, &[], Some(fault), true),
        }
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut Worker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        worker.sequences.clear();
        self.moves(worker, state, None);
        self.complete(worker, out);
        worker.sequences.finish()
    }

    fn brake(&self) -> Option<&Brake> {
        Some(&self.brake)
    }

    fn end(&self, worker: &mut Worker, state: &[u32]) -> End {
        let valid = self
            .locations(worker, state)
            .all(|(ty, location)| self.machine.proctypes[ty].locations[location].valid_end);
        if valid { End::Valid } else { End::Deadlock }
    }

    fn invariant_count(&self) -> usize {
        self.machine.invariants.len()
    }

    fn violated_invariant(
        &self,
        worker: &mut Worker,
        state: &[u32],
        index: usize,
    ) -> Result<Option<Fault>, ModelError> {
        let machine = &*self.machine;
        let invariant = &machine.invariants[index];
        worker.exec.shape.walk(machine, state);
        worker.exec.observe();
        // A condition that cannot be evaluated is not satisfied.
        let holds = worker.exec.value(machine, state, invariant.code).unwrap_or(0) != 0;
        Ok((!holds).then(|| fault(FaultKind::Invariant, invariant.site)))
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        let machine = &*self.machine;
        let mut shape = Shape::default();
        shape.walk(machine, state);
        let first = ends.len();
        ends.push(machine.hidden_words);
        ends.push(machine.hidden_words + machine.global_words);
        // Each record starts where the one before it ends; some components have none.
        let mut starts: Vec<(u16, u32)> = shape
            .processes
            .iter()
            .map(|p| (p.component, p.offset))
            .chain(shape.channels.iter().map(|c| (c.component, c.offset)))
            .collect();
        starts.sort_unstable();
        for (component, offset) in starts {
            ends.resize((first + usize::from(component)).max(ends.len()), offset);
        }
        ends.resize(first + usize::from(shape.components), state.len() as u32);
    }

    fn carried(&self) -> usize {
        self.machine.hidden_words as usize
    }

    fn parts(&self) -> Option<Parts> {
        self.machine_parts()
    }

    fn touched(
        &self,
        worker: &mut Worker,
        state: &[u32],
        part: usize,
        known: usize,
        touched: &mut Vec<Touched>,
    ) -> bool {
        self.process_touches(&mut worker.touch, state, part, known, touched)
    }

    fn part_steps(
        &self,
        worker: &mut Worker,
        state: &[u32],
        part: usize,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.successors_of(worker, state, ProcessSet::of(part), out)
    }
}

impl Interpreter {
    /// Hands over the moves just made out of a state, and those of the sequences they begin.
    pub(crate) fn complete(&self, worker: &mut Worker, out: &mut Successors) {
        self.deliver(worker, Within::START, out);
        let mut current = std::mem::take(&mut worker.current);
        while let Some(within) = worker.sequences.next(&mut current, out) {
            self.moves(worker, &current, Some(within.holder as usize));
            if worker.moves.list.is_empty() {
                worker.sequences.stuck(&current, within, out);
            } else {
                self.deliver(worker, within, out);
            }
        }
        worker.current = current;
    }

    /// Adds the moves of some processes of the state that was opened.
    pub(crate) fn moves_of(
        &self,
        worker: &mut Worker,
        state: &[u32],
        processes: impl Iterator<Item = usize>,
    ) {
        let Worker { exec, moves, .. } = worker;
        for process in processes {
            process_moves(&self.machine, exec, moves, state, process, None);
        }
    }

    /// Hands the moves just made to the caller, or keeps them if nobody else may move after them.
    fn deliver(&self, worker: &mut Worker, within: Within, out: &mut Successors) {
        for one in &worker.moves.list {
            let target = one.target(&worker.moves);
            worker.sequences.deliver(target, one, within, out);
        }
    }

    /// The moves of one process, for an executor that has no better way to find them; `timeout`
    /// tells whether nothing else can move. Whether there are any.
    pub fn process(
        &self,
        worker: &mut Worker,
        at: &At<'_>,
        process: usize,
        out: &mut Successors,
    ) -> bool {
        self.open(worker, at);
        let Worker { exec, moves, .. } = worker;
        process_moves(&self.machine, exec, moves, at.state, process, None);
        self.deliver(worker, at.within, out);
        !worker.moves.list.is_empty()
    }

    /// The moves in which a process takes the message that a statement offers on a rendezvous
    /// channel (by its index): `send` is the statement and what it changed, and the state is that
    /// behind it. Whether there are any.
    pub fn receive(
        &self,
        worker: &mut Worker,
        at: &At<'_>,
        process: usize,
        send: (Action, ComponentMask),
        (channel, message): (usize, &[i32]),
        out: &mut Successors,
    ) -> bool {
        self.open(worker, at);
        let Worker { exec, moves, .. } = worker;
        exec.message.clear();
        exec.message.extend_from_slice(message);
        exec.handshake = Some(channel);
        exec.faults.clear();
        process_moves(&self.machine, exec, moves, at.state, process, Some(send));
        exec.handshake = None;
        self.deliver(worker, at.within, out);
        !worker.moves.list.is_empty()
    }

    /// Makes a process behind those of a vector; its number.
    pub fn run(
        &self,
        worker: &mut Worker,
        vector: &mut Vec<u32>,
        made: Made<'_>,
    ) -> Result<i32, Fault> {
        let exec = &mut worker.exec;
        exec.shape.walk(&self.machine, vector);
        exec.regs[..made.arguments.len()].copy_from_slice(made.arguments);
        let Made { proctype, arguments, priority, site } = made;
        let count = arguments.len() as u8;
        exec.run(&self.machine, vector, 0, proctype, 0, count, priority, site)
    }

    /// The proctype and the location of each process of a state, oldest first.
    pub fn locations<'w>(
        &'w self,
        worker: &'w mut Worker,
        state: &'w [u32],
    ) -> impl Iterator<Item = (usize, usize)> + 'w {
        let shape = &mut worker.exec.shape;
        shape.walk(&self.machine, state);
        shape.processes.iter().map(|slot| {
            let location = self.machine.head.location.get(&state[slot.offset as usize..]);
            (usize::from(slot.ty), location as usize)
        })
    }

    /// Whether the step into a state passed an accept label that the state does not show.
    pub fn passed_accept(&self, state: &[u32]) -> bool {
        let globals = &state[self.machine.hidden_words as usize..];
        self.machine.passed.is_some_and(|passed| passed.get(globals) != 0)
    }

    fn open(&self, worker: &mut Worker, at: &At<'_>) {
        worker.moves.clear();
        worker.exec.shape.walk(&self.machine, at.state);
        worker.exec.handshake = None;
        worker.exec.timeout = at.timeout;
    }

    /// Collects the moves of single statements; of one process only if `only` says so.
    pub(crate) fn moves(&self, worker: &mut Worker, state: &[u32], only: Option<usize>) {
        let machine = &*self.machine;
        let exec = &mut worker.exec;
        let moves = &mut worker.moves;
        moves.clear();
        exec.shape.walk(machine, state);
        exec.handshake = None;
        exec.timeout = false;
        match only {
            Some(process) => {
                process_moves(machine, exec, moves, state, process, None);
            }
            None => {
                for process in (0..exec.shape.processes.len()).rev() {
                    process_moves(machine, exec, moves, state, process, None);
                }
                if moves.list.is_empty() && machine.uses_timeout {
                    exec.timeout = true;
                    for process in (0..exec.shape.processes.len()).rev() {
                        process_moves(machine, exec, moves, state, process, None);
                    }
                    exec.timeout = false;
                }
            }
        }
    }
}

/// Whether a process may move now, whatever its statements say.
fn may_move(machine: &Machine, exec: &mut Exec, state: &[u32], process: usize) -> bool {
    if !exec.provided(machine, state, process) {
        return false;
    }
    if machine.uses_priorities {
        let slot = exec.shape.processes[process];
        let mine = machine.head.priority.get(&state[slot.offset as usize..]);
        for other in 0..exec.shape.processes.len() {
            let offset = exec.shape.processes[other].offset as usize;
            if other != process
                && machine.head.priority.get(&state[offset..]) > mine
                && exec.provided(machine, state, other)
                && exec.process_enabled(machine, state, other)
            {
                return false;
            }
        }
    }
    true
}

/// Collects the moves of one process. With `send`, only as the receiver of this offer, of which the
/// message is in `exec`.
fn process_moves(
    machine: &Machine,
    exec: &mut Exec,
    moves: &mut Moves,
    state: &[u32],
    process: usize,
    send: Option<(Action, ComponentMask)>,
) {
    exec.moved = false;
    if !may_move(machine, exec, state, process) {
        return;
    }
    exec.me = process;
    let slot = exec.shape.processes[process];
    let proctype = &machine.proctypes[usize::from(slot.ty)];
    let location = machine.head.location.get(&state[slot.offset as usize..]) as usize;
    let mut executable = false;
    let mut escape = 0;
    for edge in &proctype.locations[location].edges {
        if escape != 0 && escape != edge.escape {
            break;
        }
        let transition = &machine.transitions[edge.transition as usize];
        let action = Action { process: process as u32, transition: edge.transition };
        let found = moves.list.len();
        match transition.kind {
            TransitionKind::Else => {
                if executable || send.is_some() {
                    continue;
                }
                exec.changed = ComponentMask::default();
                let start = moves.words.len();
                moves.words.extend_from_slice(state);
                finish(machine, exec, moves, start, process, action, send);
            }
            TransitionKind::End => {
                if send.is_some() || process + 1 != exec.shape.processes.len() {
                    continue;
                }
                let start = moves.words.len();
                moves.words.extend_from_slice(&state[..slot.offset as usize]);
                let globals = &mut moves.words[start + machine.hidden_words as usize..];
                if let Some(last) = machine.last {
                    last.set(globals, process as i32);
                }
                if let Some(passed) = machine.passed {
                    passed.set(globals, 0);
                }
                moves.list.push(Move {
                    start: start as u32,
                    end: moves.words.len() as u32,
                    action,
                    receive: None,
                    holder: None,
                    changed: ComponentMask::ALL,
                    fault: None,
                });
            }
            TransitionKind::Code => match exec.guard(machine, state, transition.code) {
                Guard::Disabled => continue,
                Guard::Fault(fault) => {
                    report(moves, state, action, send, fault);
                }
                Guard::Offer(channel) => {
                    offer(machine, exec, moves, state, process, action, channel);
                    exec.me = process;
                    if moves.list.len() == found {
                        continue;
                    }
                }
                Guard::Commit(effect) => {
                    exec.changed = ComponentMask::default();
                    exec.faults.clear();
                    let start = moves.words.len();
                    moves.words.extend_from_slice(state);
                    let processes = exec.shape.processes.len();
                    let result = exec.effect(machine, &mut moves.words, start, effect);
                    match result {
                        Ok(()) => finish(machine, exec, moves, start, process, action, send),
                        Err(fault) => {
                            exec.faults.clear();
                            moves.words.truncate(start);
                            report(moves, state, action, send, fault);
                        }
                    }
                    if exec.shape.processes.len() != processes {
                        exec.shape.walk(machine, state);
                    }
                }
            },
        }
        if proctype.deterministic && executable && machine.is_choice(transition) {
            let fault = fault(FaultKind::Nondeterminism, edge.transition);
            report(moves, state, action, send, fault);
        }
        executable = true;
        exec.moved = true;
        escape = edge.escape;
    }
}

/// Completes the target that starts at `start`.
fn finish(
    machine: &Machine,
    exec: &mut Exec,
    moves: &mut Moves,
    start: usize,
    process: usize,
    action: Action,
    send: Option<(Action, ComponentMask)>,
) {
    let transition = &machine.transitions[action.transition as usize];
    let slot = exec.shape.processes[process];
    let target = &mut moves.words[start..];
    machine.head.location.set(&mut target[slot.offset as usize..], i32::from(transition.target));
    exec.changed.insert(usize::from(slot.component));
    if let Some(last) = machine.last {
        last.set(&mut target[machine.hidden_words as usize..], process as i32);
        exec.changed.insert(GLOBALS);
    }
    if let Some(passed) = machine.passed {
        let sender = send.map(|(send, _)| &machine.transitions[send.transition as usize]);
        let passes = transition.passes || sender.is_some_and(|sender| sender.passes);
        passed.set(&mut target[machine.hidden_words as usize..], i32::from(passes));
        exec.changed.insert(GLOBALS);
    }
    let mut changed = exec.changed;
    let (first, receive) = match send {
        Some((send, sender)) => {
            changed.0 |= sender.0;
            (send, Some(action))
        }
        None => (action, None),
    };
    let one = Move {
        start: start as u32,
        end: moves.words.len() as u32,
        action: first,
        receive,
        holder: transition.atomic.then_some(process as u32),
        changed,
        fault: None,
    };
    for &fault in &exec.faults {
        moves.list.push(Move { fault: Some(fault), holder: None, ..one });
    }
    exec.faults.clear();
    moves.list.push(one);
}

/// Reports a fault that stops the run in `state`.
fn report(
    moves: &mut Moves,
    state: &[u32],
    action: Action,
    send: Option<(Action, ComponentMask)>,
    fault: Fault,
) {
    let start = moves.words.len();
    moves.words.extend_from_slice(state);
    let (first, receive) = match send {
        Some((send, _)) => (send, Some(action)),
        None => (action, None),
    };
    moves.list.push(Move {
        start: start as u32,
        end: moves.words.len() as u32,
        action: first,
        receive,
        holder: None,
        changed: ComponentMask::default(),
        fault: Some(fault),
    });
}

/// Collects the ways in which other processes can receive the message that a process offers.
fn offer(
    machine: &Machine,
    exec: &mut Exec,
    moves: &mut Moves,
    state: &[u32],
    process: usize,
    action: Action,
    channel: usize,
) {
    let mut between = std::mem::take(&mut moves.between);
    between.clear();
    between.extend_from_slice(state);
    let slot = exec.shape.processes[process];
    let target = machine.transitions[action.transition as usize].target;
    machine.head.location.set(&mut between[slot.offset as usize..], i32::from(target));
    let mut sender = ComponentMask::default();
    sender.insert(usize::from(slot.component));
    if let Some(last) = machine.last {
        last.set(&mut between[machine.hidden_words as usize..], process as i32);
    }
    exec.handshake = Some(channel);
    exec.faults.clear();
    for other in (0..exec.shape.processes.len()).rev() {
        if other != process {
            process_moves(machine, exec, moves, &between, other, Some((action, sender)));
        }
    }
    exec.handshake = None;
    moves.between = between;
}
