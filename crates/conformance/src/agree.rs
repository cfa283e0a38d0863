//! The compiled machine against the interpreter, step by step over all reachable states.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everypath_engine_jit::{Coverage, Jit, Plan};
use everypath_lang_promela::{LowerOptions, Options, lower, parse, parse_expression};
use everypath_machine::{Executor, Interpreter, Machine, ProcessSet};
use everypath_model::{Sources, Step, Successors, TransitionSystem};

use crate::Disk;

/// How two executors were found to agree.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreement {
    /// States in which they were compared.
    pub states: usize,
    /// Steps that were compared.
    pub steps: usize,
    /// How often an invariant was found false.
    pub violations: usize,
    /// How often one was found true.
    pub confirmations: usize,
    /// How much of the machine is native.
    pub coverage: Coverage,
}

/// The machine of a Promela model; `None` if there is none.
pub fn machine(source: &str, path: &Path) -> Option<Machine> {
    let mut sources = Sources::default();
    let main = sources.add(PathBuf::from(path), source.to_string());
    let model = parse(&mut sources, main, &Options::default(), &Disk).model?;
    lower(&model, &LowerOptions::default()).machine
}

/// The machine of a Promela model with conditions on every state, all of which have to be right.
pub fn machine_with(source: &str, path: &Path, invariants: &[&str]) -> Result<Machine, String> {
    let mut sources = Sources::default();
    let main = sources.add(PathBuf::from(path), source.to_string());
    let parsed = parse(&mut sources, main, &Options::default(), &Disk);
    let model = parsed.model.ok_or_else(|| format!("{:?}", parsed.diagnostics))?;
    let mut options = LowerOptions::default();
    for &text in invariants {
        let file = sources.add("<invariant>".into(), text.to_owned());
        let condition = parse_expression(text, file, &model);
        options.invariants.push(condition.map_err(|errors| format!("{text}: {errors:?}"))?);
    }
    let lowered = lower(&model, &options);
    lowered.machine.ok_or_else(|| format!("{:?}", lowered.diagnostics))
}

/// Compares the compiled machine with the interpreter on the states that can be reached, up to a
/// number of them; the first difference as an error.
pub fn agree(machine: Machine, max_states: usize) -> Result<Agreement, String> {
    let interpreter = Interpreter::new(Arc::new(machine));
    // First with the code for processes wherever they are, then with that for each at its place.
    let plan = Plan { after: 0, seats_after: None, beside: false };
    compare(&interpreter, &Jit::with(interpreter.clone(), plan), max_states)?;
    let jit = Jit::new(interpreter.clone()).map_err(|error| error.to_string())?;
    compare(&interpreter, &jit, max_states)
}

/// The same for a machine that is compiled only after some states.
pub fn agree_later(machine: Machine, after: u64, max_states: usize) -> Result<Agreement, String> {
    let interpreter = Interpreter::new(Arc::new(machine));
    let plan = Plan { after, seats_after: Some(after + 100), beside: false };
    compare(&interpreter, &Jit::with(interpreter.clone(), plan), max_states)
}

/// The same for a machine that is compiled beside the search, some time after some states.
pub fn agree_beside(machine: Machine, after: u64, max_states: usize) -> Result<Agreement, String> {
    let interpreter = Interpreter::new(Arc::new(machine));
    compare(&interpreter, &Jit::after(interpreter.clone(), after), max_states)
}

fn compare(interpreter: &Interpreter, jit: &Jit, max_states: usize) -> Result<Agreement, String> {
    let (mut ours, mut theirs) = (interpreter.worker(), jit.worker());
    let (mut want, mut got) = (Successors::new(), Successors::new());
    interpreter.initial(&mut ours, &mut want).map_err(|e| e.to_string())?;
    jit.initial(&mut theirs, &mut got).map_err(|e| e.to_string())?;
    let mut agreement = Agreement::default();
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut queue: VecDeque<Vec<u32>> = VecDeque::new();
    same(&want, &got).map_err(|why| format!("initial states: {why}"))?;
    enqueue(&want, &mut seen, &mut queue, max_states);
    while let Some(state) = queue.pop_front() {
        want.clear();
        got.clear();
        interpreter.successors(&mut ours, &state, &mut want).map_err(|e| e.to_string())?;
        jit.successors(&mut theirs, &state, &mut got).map_err(|e| e.to_string())?;
        let number = agreement.states;
        let there = |why: String| format!("state {number} {state:x?}: {why}");
        same(&want, &got).map_err(&there)?;
        some_processes(interpreter, jit, (&mut ours, &mut theirs), &state, number, &want)
            .map_err(&there)?;
        let (mine, other) = (interpreter.end(&mut ours, &state), jit.end(&mut theirs, &state));
        if mine != other {
            return Err(there(format!("end {mine:?} and {other:?}")));
        }
        for index in 0..interpreter.invariant_count() {
            let mine = interpreter.violated_invariant(&mut ours, &state, index);
            let other = jit.violated_invariant(&mut theirs, &state, index);
            if mine != other {
                return Err(there(format!("invariant {index}: {mine:?} and {other:?}")));
            }
            match mine {
                Ok(None) => agreement.confirmations += 1,
                _ => agreement.violations += 1,
            }
        }
        agreement.states += 1;
        agreement.steps += want.len();
        enqueue(&want, &mut seen, &mut queue, max_states);
    }
    agreement.coverage = jit.coverage().map_err(|e| e.to_string())?;
    Ok(agreement)
}

/// The steps of some processes must be those of all, the others left out.
fn some_processes(
    interpreter: &Interpreter,
    jit: &Jit,
    (ours, theirs): (
        &mut <Interpreter as TransitionSystem>::Worker,
        &mut <Jit as TransitionSystem>::Worker,
    ),
    state: &[u32],
    number: usize,
    all: &Successors,
) -> Result<(), String> {
    let processes = interpreter.locations(ours, state).count();
    let mut set = ProcessSet::default();
    // Another choice in each state.
    let chosen = (0..processes).filter(|p| number.wrapping_mul(0x9e37_79b9) >> (p % 32) & 1 == 1);
    chosen.for_each(|process| set.insert(process));
    let (mut want, mut got) = (Successors::new(), Successors::new());
    interpreter.successors_of(ours, state, set, &mut want).map_err(|e| e.to_string())?;
    jit.successors_of(theirs, state, set, &mut got).map_err(|e| e.to_string())?;
    same(&want, &got).map_err(|why| format!("of processes {set:?}: {why}"))?;
    let mut left = all.steps().iter();
    for step in want.steps() {
        let one = (want.actions(step), want.target(step), step.fault);
        left.find(|s| (all.actions(s), all.target(s), s.fault) == one)
            .ok_or_else(|| format!("step {one:x?} of {set:?} is not among all, or out of order"))?;
    }
    let of_set =
        |s: &&Step| all.actions(s).first().is_some_and(|a| set.contains(a.process as usize));
    let count = all.steps().iter().filter(of_set).count();
    // With `timeout` there are steps that those of some processes do not know of.
    if want.len() != count && !(interpreter.machine().uses_timeout && want.is_empty()) {
        return Err(format!("{} steps of {set:?}, {count} among all", want.len()));
    }
    Ok(())
}

fn enqueue(
    steps: &Successors,
    seen: &mut HashSet<Vec<u32>>,
    queue: &mut VecDeque<Vec<u32>>,
    max_states: usize,
) {
    for step in steps.steps() {
        let target = steps.target(step);
        if !step.fatal && seen.len() < max_states && !seen.contains(target) {
            seen.insert(target.to_vec());
            queue.push_back(target.to_vec());
        }
    }
}

fn same(want: &Successors, got: &Successors) -> Result<(), String> {
    for (i, (a, b)) in want.steps().iter().zip(got.steps()).enumerate() {
        let left = (want.actions(a), a.fault, a.fatal, a.changed, want.target(a));
        let right = (got.actions(b), b.fault, b.fatal, b.changed, got.target(b));
        if left != right {
            return Err(format!("step {i} is {left:x?}, compiled {right:x?}"));
        }
    }
    if want.len() != got.len() {
        let actions = |s: &Successors| {
            s.steps().iter().map(|step| format!("{:?}", s.actions(step))).collect::<Vec<_>>()
        };
        return Err(format!("steps {:?}, compiled {:?}", actions(want), actions(got)));
    }
    if want.incomplete != got.incomplete {
        return Err(format!("incomplete {:?}, compiled {:?}", want.incomplete, got.incomplete));
    }
    Ok(())
}
