//! The compiled machine as a transition system.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use everypath_machine::{Executor, Interpreter, Machine, ProcessSet};
use everypath_model::{
    Action, ActionInfo, Blocked, Brake, Describe, End, Fault, FaultInfo, MicroStep, ModelError,
    Parts, ReplayError, Successors, Touched, TransitionSystem, Value,
};

use crate::JitError;
use crate::compile::{Code, Coverage};
use crate::context::Seat;
use crate::facts::Facts;
use crate::runtime::{Runtime, Who};
use crate::seats::{Seats, compiler_thread};

/// When a machine is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// States that each worker expands with the interpreter before the machine is compiled.
    pub after: u64,
    /// States that it expands before there is code for each process at its place in the state,
    /// which is faster and takes longer to make; never if there is no number.
    pub seats_after: Option<u64>,
    /// The search goes on while code is made.
    pub beside: bool,
}

/// A machine that runs as native code.
pub struct Jit {
    interpreter: Interpreter,
    plan: Plan,
    code: Arc<Slot>,
    /// Index of the first location of each proctype among all locations.
    first_location: Vec<u32>,
}

/// Where the native code will be.
#[derive(Default)]
struct Slot {
    made: OnceLock<Result<Arc<Compiled>, JitError>>,
    /// Somebody is at it.
    begun: AtomicBool,
    /// Nobody needs it any more.
    over: AtomicBool,
}

/// A machine with its native code.
pub(crate) struct Compiled {
    pub facts: Facts,
    pub code: Code,
    pub seats: Seats,
    /// How often processes were at each location before it was compiled.
    pub visits: Vec<u32>,
}

impl Compiled {
    fn new(
        interpreter: &Interpreter,
        visits: &[u32],
        over: &AtomicBool,
    ) -> Result<Compiled, JitError> {
        let facts = Facts::new(interpreter);
        let code = Code::new(interpreter, &facts, visits, over)?;
        Ok(Compiled { facts, code, seats: Seats::default(), visits: visits.to_vec() })
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
    /// Compiles a machine at once, with code for each process at its place.
    pub fn new(interpreter: Interpreter) -> Result<Jit, JitError> {
        let plan = Plan { after: 0, seats_after: Some(0), beside: false };
        let jit = Jit::with(interpreter, plan);
        match jit.compile(&[]) {
            Err(error) => Err(error.clone()),
            Ok(_) => Ok(jit),
        }
    }

    /// A machine that is interpreted until a worker has expanded so many states, and compiled then:
    /// small models do not pay for it. If it cannot be compiled, it stays interpreted.
    pub fn after(interpreter: Interpreter, states: u64) -> Jit {
        // Native code does not note passed labels.
        if interpreter.machine().passed.is_some() {
            return Jit::interpreted(interpreter);
        }
        let seats_after = Some(states.saturating_mul(10));
        Jit::with(interpreter, Plan { after: states, seats_after, beside: true })
    }

    /// A machine that stays interpreted: whatever searches machines needs to be compiled for one kind of them only.
    pub fn interpreted(interpreter: Interpreter) -> Jit {
        Jit::with(interpreter, Plan { after: u64::MAX, seats_after: None, beside: false })
    }

    /// A machine that is compiled as planned; it is interpreted if it cannot be.
    pub fn with(interpreter: Interpreter, plan: Plan) -> Jit {
        let first_location = first_locations(interpreter.machine());
        Jit { interpreter, plan, code: Arc::default(), first_location }
    }

    /// The interpreter of the same machine.
    pub fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    /// How much has native code by now; the error if the machine cannot be compiled.
    pub fn coverage(&self) -> Result<Coverage, JitError> {
        match self.code.made.get() {
            None => Ok(Coverage::default()),
            Some(Ok(compiled)) => Ok(compiled.code.coverage),
            Some(Err(error)) => Err(error.clone()),
        }
    }

    /// What keeps some locations with the interpreter.
    pub fn reasons(&self) -> Vec<&'static str> {
        match self.code.made.get() {
            Some(Ok(compiled)) => compiled.code.reasons.iter().copied().collect(),
            _ => Vec::new(),
        }
    }

    /// The native code with the state opened, if it is time for it.
    #[inline]
    fn compiled(&self, worker: &mut Worker, state: &[u32]) -> Option<&Compiled> {
        worker.expanded += 1;
        if worker.expanded <= self.plan.after {
            if self.plan.after != u64::MAX {
                self.count_visits(worker, state);
            }
            return None;
        }
        let compiled = match self.code.made.get() {
            Some(compiled) => compiled,
            None if self.plan.beside => {
                self.compile_beside(&worker.visits);
                return None;
            }
            None => self.compile(&worker.visits),
        };
        let compiled = compiled.as_ref().ok()?;
        worker.runtime.open(&self.interpreter, compiled, state);
        if self.plan.seats_after.is_some_and(|after| worker.expanded > after) {
            let wanted = worker.runtime.wanted_seats(&compiled.seats);
            if !wanted.is_empty() {
                self.make_seats(compiled, wanted);
            }
        }
        Some(compiled)
    }

    #[cold]
    fn compile(&self, visits: &[u32]) -> &Result<Arc<Compiled>, JitError> {
        self.code
            .made
            .get_or_init(|| Compiled::new(&self.interpreter, visits, &self.code.over).map(Arc::new))
    }

    /// Has the machine compiled by another thread, if nobody has begun with it.
    fn compile_beside(&self, visits: &[u32]) {
        if self.code.begun.swap(true, Ordering::Relaxed) {
            return;
        }
        let (interpreter, code) = (self.interpreter.clone(), Arc::clone(&self.code));
        let visits = visits.to_vec();
        let work = move || {
            let made = Compiled::new(&interpreter, &visits, &code.over).map(Arc::new);
            _ = code.made.set(made);
        };
        // If there cannot be another thread, it stays interpreted.
        _ = compiler_thread(work);
    }

    #[cold]
    fn make_seats(&self, compiled: &Arc<Compiled>, wanted: Vec<Seat>) {
        if self.plan.beside {
            Seats::make_beside(&self.interpreter, compiled, wanted);
        } else {
            compiled.seats.make(&self.interpreter, compiled, &wanted);
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

impl Drop for Jit {
    fn drop(&mut self) {
        self.code.over.store(true, Ordering::Relaxed);
        if let Some(Ok(compiled)) = self.code.made.get() {
            compiled.seats.stop();
        }
    }
}

/// Scratch memory of one thread.
pub struct Worker {
    interpreter: everypath_machine::Worker,
    expanded: u64,
    /// How often processes were at each location while the machine was interpreted.
    visits: Vec<u32>,
    runtime: Runtime,
}

impl TransitionSystem for Jit {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Worker {
            interpreter: self.interpreter.worker(),
            expanded: 0,
            visits: Vec::new(),
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
        let Worker { interpreter, runtime, .. } = worker;
        runtime.expand(&self.interpreter, compiled, interpreter, state, Who::All, out);
        interpreter.sequences.finish()
    }

    fn brake(&self) -> Option<&Brake> {
        self.interpreter.brake()
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
        if let Some(Ok(compiled)) = self.code.made.get()
            && worker.expanded > self.plan.after
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

    fn parts(&self) -> Option<Parts> {
        self.interpreter.parts()
    }

    fn touched(
        &self,
        worker: &mut Worker,
        state: &[u32],
        part: usize,
        known: usize,
        touched: &mut Vec<Touched>,
    ) -> bool {
        self.interpreter.touched(&mut worker.interpreter, state, part, known, touched)
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
                let Worker { interpreter, runtime, .. } = worker;
                let who = Who::Some(processes);
                runtime.expand(&self.interpreter, compiled, interpreter, state, who, out);
                interpreter.sequences.finish()
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
