//! The compiled machine as a transition system.

use std::sync::OnceLock;

use everypath_machine::{Executor, Interpreter, Machine, ProcessSet, Within};
use everypath_model::{
    Action, ActionInfo, Blocked, ComponentMask, Describe, End, Fault, FaultInfo, MicroStep,
    ModelError, ReplayError, Successors, TransitionSystem, Value,
};

use crate::JitError;
use crate::compile::{Code, Coverage};
use crate::context::{ChannelEntry, ProcessEntry};
use crate::facts::Facts;
use crate::runtime::{MAX_ROOM, Runtime, Who};

/// A machine that runs as native code.
pub struct Jit {
    interpreter: Interpreter,
    /// States that each worker expands with the interpreter before the machine is compiled.
    patience: u64,
    code: OnceLock<Result<Compiled, JitError>>,
    /// Index of the first location of each proctype among all locations.
    first_location: Vec<u32>,
}

/// A machine with its native code.
pub(crate) struct Compiled {
    pub facts: Facts,
    pub code: Code,
}

impl Compiled {
    fn new(interpreter: &Interpreter, visits: &[u32]) -> Result<Compiled, JitError> {
        let facts = Facts::new(interpreter);
        let code = Code::new(interpreter, &facts, visits)?;
        Ok(Compiled { facts, code })
    }
}

fn first_locations(machine: &Machine) -> Vec<u32> {
    let counts = machine.proctypes.iter().map(|proctype| proctype.locations.len() as u32);
    counts
        .scan(0, |next, count| {
            let first = *next;
            *next += count;
            Some(first)
        })
        .collect()
}

impl Jit {
    /// Compiles a machine.
    pub fn new(interpreter: Interpreter) -> Result<Jit, JitError> {
        let first_location = first_locations(interpreter.machine());
        let compiled = Compiled::new(&interpreter, &[])?;
        let code = OnceLock::from(Ok(compiled));
        Ok(Jit { interpreter, patience: 0, code, first_location })
    }

    /// A machine that is interpreted until a worker has expanded so many states, and compiled then:
    /// small models do not pay for it. If it cannot be compiled, it stays interpreted.
    pub fn after(interpreter: Interpreter, states: u64) -> Jit {
        let first_location = first_locations(interpreter.machine());
        Jit { interpreter, patience: states, code: OnceLock::new(), first_location }
    }

    /// The interpreter of the same machine.
    pub fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    /// How much has native code by now; the error if the machine cannot be compiled.
    pub fn coverage(&self) -> Result<Coverage, JitError> {
        match self.code.get() {
            None => Ok(Coverage::default()),
            Some(Ok(compiled)) => Ok(compiled.code.coverage),
            Some(Err(error)) => Err(error.clone()),
        }
    }

    /// What keeps some locations with the interpreter.
    pub fn reasons(&self) -> Vec<&'static str> {
        match self.code.get() {
            Some(Ok(compiled)) => compiled.code.reasons.iter().copied().collect(),
            _ => Vec::new(),
        }
    }

    /// The native code, if it is time for it.
    fn compiled(&self, worker: &mut Worker, state: &[u32]) -> Option<&Compiled> {
        if worker.expanded < self.patience {
            worker.expanded += 1;
            self.count_visits(worker, state);
            return None;
        }
        let compile = || Compiled::new(&self.interpreter, &worker.visits);
        self.code.get_or_init(compile).as_ref().ok()
    }

    /// Hands over steps with native code.
    fn expand(
        &self,
        compiled: &Compiled,
        worker: &mut Worker,
        state: &[u32],
        who: Who,
        out: &mut Successors,
    ) {
        let Worker { interpreter, current, runtime, .. } = worker;
        interpreter.sequences.clear();
        let reference = &self.interpreter;
        runtime.expand(reference, compiled, interpreter, state, Within::START, who, out);
        while let Some(within) = interpreter.sequences.next(current, out) {
            let only = Who::One(within.holder as usize);
            if !runtime.expand(reference, compiled, interpreter, current, within, only, out) {
                interpreter.sequences.stuck(current, within, out);
            }
        }
    }

    /// Notes where the processes of a state are.
    fn count_visits(&self, worker: &mut Worker, state: &[u32]) {
        let Worker { interpreter, visits, .. } = worker;
        for (ty, location) in self.interpreter.locations(interpreter, state) {
            let place = self.first_location[ty] as usize + location;
            if visits.len() <= place {
                visits.resize(place + 1, 0);
            }
            visits[place] += 1;
        }
    }
}

/// Scratch memory of one thread.
pub struct Worker {
    interpreter: everypath_machine::Worker,
    expanded: u64,
    /// How often processes were at each location while the machine was interpreted.
    visits: Vec<u32>,
    /// The state inside an atomic sequence that is being expanded.
    current: Vec<u32>,
    runtime: Runtime,
}

/// The processes and channels of the last state: most states have the same ones.
#[derive(Default)]
pub(crate) struct Shape {
    pub processes: Vec<ProcessEntry>,
    pub channels: Vec<ChannelEntry>,
    /// How many steps a state may have, rendezvous excepted.
    pub steps: usize,
    /// Targets of all steps might need too much memory at once.
    pub careful: bool,
    words: usize,
    valid: bool,
}

impl Shape {
    /// Whether it had to change to be that of a state.
    #[inline]
    pub fn walk(&mut self, machine: &Machine, compiled: &Compiled, state: &[u32]) -> bool {
        let fits = self.valid
            && self.words == state.len()
            && (compiled.facts.words.is_some() || self.fits(machine, state));
        if !fits {
            self.rebuild(machine, compiled, state);
        }
        !fits
    }

    fn fits(&self, machine: &Machine, state: &[u32]) -> bool {
        let kind = machine.head.proctype;
        self.processes.iter().all(|p| kind.get(&state[p.offset as usize / 4..]) == p.ty as i32)
    }

    #[cold]
    fn rebuild(&mut self, machine: &Machine, compiled: &Compiled, state: &[u32]) {
        let kind = machine.head.proctype;
        self.processes.clear();
        self.channels.clear();
        self.valid = true;
        self.words = state.len();
        let mut end = machine.hidden_words + machine.global_words;
        let mut component = 2;
        for channel in &machine.global_channels {
            self.push_channel(machine, compiled, channel.ty, &mut end, &mut component);
        }
        while (end as usize) < state.len() {
            let ty = kind.get(&state[end as usize..]) as usize;
            self.processes.push(ProcessEntry {
                offset: end * 4,
                ty: ty as u32,
                first_channel: self.channels.len() as u32,
                mask: component_mask(component),
            });
            end += machine.proctypes[ty].words;
            component += 1;
            for channel in &machine.proctypes[ty].channels {
                self.push_channel(machine, compiled, channel.ty, &mut end, &mut component);
            }
        }
        assert_eq!(end as usize, state.len(), "the records of a state tile it");
        let most = &compiled.facts.most_edges;
        self.steps = self.processes.iter().map(|process| most[process.ty as usize]).sum();
        self.careful = self.steps * self.words > MAX_ROOM;
    }

    fn push_channel(
        &mut self,
        machine: &Machine,
        compiled: &Compiled,
        ty: u16,
        end: &mut u32,
        component: &mut usize,
    ) {
        let class = compiled.facts.class_of[usize::from(ty)];
        self.channels.push(ChannelEntry {
            offset: *end * 4,
            class,
            mask: component_mask(*component),
        });
        *end += machine.channel_types[usize::from(ty)].words;
        *component += 1;
    }
}

fn component_mask(component: usize) -> u64 {
    let mut mask = ComponentMask::default();
    mask.insert(component);
    mask.0
}

impl TransitionSystem for Jit {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Worker {
            interpreter: self.interpreter.worker(),
            expanded: 0,
            visits: Vec::new(),
            current: Vec::new(),
            runtime: Runtime::new(),
        }
    }

    fn initial(&self, worker: &mut Worker, out: &mut Successors) -> Result<(), ModelError> {
        self.interpreter.initial(&mut worker.interpreter, out)
    }

    fn successors(
        &self,
        worker: &mut Worker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let Some(compiled) = self.compiled(worker, state) else {
            return self.interpreter.successors(&mut worker.interpreter, state, out);
        };
        self.expand(compiled, worker, state, Who::All, out);
        Ok(())
    }

    fn end(&self, worker: &mut Worker, state: &[u32]) -> End {
        self.interpreter.end(&mut worker.interpreter, state)
    }

    fn invariant_count(&self) -> usize {
        self.interpreter.invariant_count()
    }

    fn violated_invariant(
        &self,
        worker: &mut Worker,
        state: &[u32],
        index: usize,
    ) -> Result<Option<Fault>, ModelError> {
        if let Some(Ok(compiled)) = self.code.get()
            && worker.expanded >= self.patience
            && let Some(code) = compiled.code.invariants[index]
        {
            let runtime = &mut worker.runtime;
            if runtime.value(&self.interpreter, compiled, state, code) != 0 {
                return Ok(None);
            }
        }
        // The reference says what is wrong.
        self.interpreter.violated_invariant(&mut worker.interpreter, state, index)
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        self.interpreter.components(state, ends);
    }

    fn carried(&self) -> usize {
        self.interpreter.carried()
    }
}

impl Executor for Jit {
    fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    fn successors_of(
        &self,
        worker: &mut Worker,
        state: &[u32],
        processes: ProcessSet,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        match self.compiled(worker, state) {
            Some(compiled) => {
                self.expand(compiled, worker, state, Who::Some(processes), out);
                Ok(())
            }
            None => {
                let reference = &self.interpreter;
                reference.successors_of(&mut worker.interpreter, state, processes, out)
            }
        }
    }
}

impl Describe for Jit {
    fn values(&self, state: &[u32]) -> Vec<(String, Value)> {
        self.interpreter.values(state)
    }

    fn processes(&self, state: &[u32]) -> Vec<String> {
        self.interpreter.processes(state)
    }

    fn action(&self, transition: u32) -> ActionInfo {
        self.interpreter.action(transition)
    }

    fn fault(&self, fault: Fault) -> FaultInfo {
        self.interpreter.fault(fault)
    }

    fn replay(&self, state: &[u32], actions: &[Action]) -> Result<Vec<MicroStep>, ReplayError> {
        self.interpreter.replay(state, actions)
    }

    fn blocked(&self, state: &[u32]) -> Vec<Blocked> {
        self.interpreter.blocked(state)
    }

    fn invariant_fault(&self, state: &[u32], fault: Fault) -> FaultInfo {
        self.interpreter.invariant_fault(state, fault)
    }
}
