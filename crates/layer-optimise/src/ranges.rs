//! Which values variables can have, where: an abstract execution of the whole machine.
//!
//! Local scalars that nobody else sees are followed from location to location, and comparisons narrow
//! them; all other variables, messages and arguments have one range each. What is reached at all is
//! found on the way.

use everypath_machine::code::Op;
use everypath_machine::{Interpreter, Machine, TransitionKind};
use everypath_model::{Successors, TransitionSystem};
use rustc_hash::FxHashMap;

use crate::env::{Env, Tells};
use crate::interval::Interval;
use crate::local::record;
use crate::program::{Program, Visible};
use crate::routine::Routine;
use crate::variables::{Record, Var};

/// A range may grow so often before it counts as unbounded.
pub(crate) const PATIENCE: u32 = 20;
/// Instructions that are looked at before the analysis gives up.
const BUDGET: usize = 20_000_000;
/// Ranges that are kept at a time: of all locations, and of one piece of code.
const MOST_RANGES: usize = 4_000_000;
/// What was found out about a machine.
pub(crate) struct Ranges {
    /// Of each variable that is not followed.
    pub values: Vec<Option<Interval>>,
    pub grown: Vec<u32>,
    /// Of the fields of each kind of channel; `None` if nothing is ever sent.
    pub messages: Vec<Option<Vec<Interval>>>,
    /// The number of each followed variable among those of its proctype.
    pub followed: FxHashMap<Var, usize>,
    /// The followed variables of each proctype.
    pub cells: Vec<Vec<Var>>,
    /// What is known in each location of each proctype; `None` if it is not reached.
    pub locations: Vec<Vec<Option<Vec<Interval>>>>,
    visits: Vec<Vec<u32>>,
    /// The arguments of each proctype; `None` if it is never started.
    pub arguments: Vec<Option<Vec<Interval>>>,
    /// How often arguments and messages of a kind grew.
    calls: Vec<u32>,
    pub sends: Vec<u32>,
    budget: usize,
    pub changed: bool,
}

impl Ranges {
    /// Executes a machine; `None` if it takes too long or has no initial state.
    pub fn of(program: &Program, machine: &Machine, visible: &Visible) -> Option<Ranges> {
        let variables = &program.variables;
        let count = machine.proctypes.len();
        let mut ranges = Ranges {
            values: vec![None; variables.all.len()],
            grown: vec![0; variables.all.len()],
            messages: vec![None; machine.channel_types.len()],
            followed: FxHashMap::default(),
            cells: vec![Vec::new(); count],
            locations: Vec::new(),
            visits: Vec::new(),
            arguments: vec![None; count],
            calls: vec![0; count],
            sends: vec![0; machine.channel_types.len()],
            budget: BUDGET,
            changed: false,
        };
        for (ty, proctype) in machine.proctypes.iter().enumerate() {
            ranges.locations.push(vec![None; proctype.locations.len()]);
            ranges.visits.push(vec![0; proctype.locations.len()]);
            for &var in variables.of(record(ty as u16)) {
                // Arrays are not followed: which element is meant is not always known.
                if !variables.is_element(var) && visible.is_private(variables, var) {
                    ranges.followed.insert(var, ranges.cells[ty].len());
                    ranges.cells[ty].push(var);
                } else {
                    // Records begin as zeros.
                    ranges.values[var] = Some(Interval::one(0));
                }
            }
        }
        let sizes = ranges.locations.iter().zip(&ranges.cells).map(|(l, c)| l.len() * c.len());
        if sizes.sum::<usize>() > MOST_RANGES {
            return None;
        }
        ranges.begin(program, machine)?;
        ranges.run(program)?;
        Some(ranges)
    }

    /// The values that global variables begin with, and the first processes.
    fn begin(&mut self, program: &Program, machine: &Machine) -> Option<()> {
        let interpreter = Interpreter::new(std::sync::Arc::new(machine.clone()));
        let mut out = Successors::new();
        interpreter.initial(&mut interpreter.worker(), &mut out).ok()?;
        let [step] = out.steps() else { return None };
        if step.fault.is_some() {
            return None;
        }
        let state = out.target(step);
        let globals = &state[machine.hidden_words as usize..];
        for (record, words) in [(Record::Global, globals), (Record::Hidden, state)] {
            for &var in program.variables.of(record) {
                let field = program.variables.all[var].field;
                self.values[var] = Some(Interval::one(field.get(words)));
            }
        }
        for &ty in &machine.initial {
            let zeros = vec![Interval::one(0); machine.proctypes[usize::from(ty)].params.len()];
            self.start(ty, &zeros);
        }
        Some(())
    }

    fn run(&mut self, program: &Program) -> Option<()> {
        loop {
            self.changed = false;
            for ty in 0..self.arguments.len() {
                if self.arguments[ty].is_some() {
                    self.enter(program, ty)?;
                }
            }
            for ty in 0..self.locations.len() {
                // Along the flow as far as it goes; then again, until nothing is new anywhere.
                let mut open: Vec<usize> = (0..self.locations[ty].len()).rev().collect();
                while let Some(at) = open.pop() {
                    self.expand(program, ty, at, &mut open)?;
                }
            }
            if !self.changed {
                return Some(());
            }
        }
    }

    /// A process is made.
    pub fn start(&mut self, ty: u16, arguments: &[Interval]) {
        let known = &mut self.arguments[usize::from(ty)];
        match known {
            None => {
                *known = Some(arguments.to_vec());
                self.changed = true;
            }
            Some(known) => {
                let calls = &mut self.calls[usize::from(ty)];
                for (mine, more) in known.iter_mut().zip(arguments) {
                    let joined = mine.join(*more);
                    if joined != *mine {
                        *calls += 1;
                        *mine = if *calls > PATIENCE { Interval::ANY } else { joined };
                        self.changed = true;
                    }
                }
            }
        }
    }

    /// What is known when a process of a proctype begins.
    fn enter(&mut self, program: &Program, ty: usize) -> Option<()> {
        let mut cells = vec![Interval::one(0); self.cells[ty].len()];
        let arguments = self.arguments[ty].clone().unwrap_or_default();
        for (i, &range) in arguments.iter().enumerate() {
            // A parameter whose place is not known is one of all.
            let field = program.machine.proctypes[ty].params[i];
            let places = program.variables.at(record(ty as u16), field);
            for &var in places {
                let stored = range.stored(field);
                match self.followed.get(&var) {
                    Some(&cell) if places.len() == 1 => cells[cell] = stored,
                    Some(&cell) => cells[cell] = Interval::of(program.variables.all[var].field),
                    None if places.len() == 1 => self.assign(program, var, stored),
                    None => {
                        let field = program.variables.all[var].field;
                        self.assign(program, var, Interval::of(field));
                    }
                }
            }
        }
        let after = self.execute(program, &program.init[ty], ty as u16, &cells)?;
        let start = usize::from(program.machine.proctypes[ty].start);
        if let Some(cells) = after {
            self.reach(program, ty, start, &cells);
        }
        Some(())
    }

    /// Whether something new is known of a location.
    fn reach(&mut self, program: &Program, ty: usize, at: usize, cells: &[Interval]) -> bool {
        let known = &mut self.locations[ty][at];
        let Some(known) = known else {
            *known = Some(cells.to_vec());
            self.changed = true;
            return true;
        };
        let mut grown = false;
        self.visits[ty][at] += 1;
        let widen = self.visits[ty][at] > PATIENCE;
        for (i, (mine, more)) in known.iter_mut().zip(cells).enumerate() {
            let joined = mine.join(*more);
            if joined == *mine {
                continue;
            }
            grown = true;
            *mine = if widen {
                let all = Interval::of(program.variables.all[self.cells[ty][i]].field);
                Interval {
                    lo: if joined.lo < mine.lo { all.lo } else { mine.lo },
                    hi: if joined.hi > mine.hi { all.hi } else { mine.hi },
                }
            } else {
                joined
            };
        }
        self.changed |= grown;
        grown
    }

    fn expand(
        &mut self,
        program: &Program,
        ty: usize,
        at: usize,
        open: &mut Vec<usize>,
    ) -> Option<()> {
        let Some(cells) = self.locations[ty][at].clone() else { return Some(()) };
        for edge in &program.machine.proctypes[ty].locations[at].edges {
            let index = edge.transition as usize;
            let transition = &program.machine.transitions[index];
            let after = match (transition.kind, &program.statements[index]) {
                (TransitionKind::Else, _) => Some(cells.clone()),
                (TransitionKind::End, _) | (_, None) => None,
                (TransitionKind::Code, Some(routine)) => {
                    self.execute(program, routine, ty as u16, &cells)?
                }
            };
            let to = usize::from(transition.target);
            if let Some(after) = after
                && self.reach(program, ty, to, &after)
            {
                open.push(to);
            }
        }
        Some(())
    }

    /// What is known at the end of some code, if it comes to an end.
    fn execute(
        &mut self,
        program: &Program,
        routine: &Routine,
        ty: u16,
        cells: &[Interval],
    ) -> Option<Option<Vec<Interval>>> {
        self.budget = self.budget.checked_sub(routine.ops.len())?;
        let envs = self.envs(program, routine, ty, cells)?;
        let mut end: Option<Vec<Interval>> = None;
        for (at, &op) in routine.ops.iter().enumerate() {
            let Some(env) = &envs[at] else { continue };
            self.effect(program, op, ty, env);
            // An offer of a rendezvous ends a statement.
            if matches!(op, Op::Done | Op::SendGuard { .. }) {
                match &mut end {
                    None => end = Some(env.cells.clone()),
                    Some(end) => {
                        for (mine, more) in end.iter_mut().zip(&env.cells) {
                            *mine = mine.join(*more);
                        }
                    }
                }
            }
        }
        Some(end)
    }

    /// What is known before each instruction; `None` where control does not come.
    pub fn envs(
        &mut self,
        program: &Program,
        routine: &Routine,
        ty: u16,
        cells: &[Interval],
    ) -> Option<Vec<Option<Env>>> {
        let patterns = &program.machine.patterns;
        let highest = |op: Op| {
            let used = op.sources(patterns);
            used.highest().into_iter().chain(op.destination()).max()
        };
        let count = routine.ops.iter().filter_map(|&op| highest(op)).max();
        let registers = count.map_or(0, |r| usize::from(r) + 1);
        if routine.ops.len() * (registers + cells.len()) > MOST_RANGES {
            return None;
        }
        let mut envs: Vec<Option<Env>> = vec![None; routine.ops.len()];
        let mut joins = vec![0u32; routine.ops.len()];
        envs[0] = Some(Env {
            registers: vec![(Interval::ANY, Tells::Nothing); registers],
            cells: cells.to_vec(),
        });
        let mut open: std::collections::BTreeSet<usize> = [0].into();
        while let Some(at) = open.pop_first() {
            let Some(mut env) = envs[at].clone() else { continue };
            self.budget = self.budget.checked_sub(1)?;
            let op = routine.ops[at];
            let mut ways: Vec<(usize, Env)> = Vec::new();
            match op {
                Op::JumpIfZero { a, to } | Op::JumpIfNotZero { a, to } => {
                    let zero = matches!(op, Op::JumpIfZero { .. });
                    let mut jumped = env.clone();
                    if jumped.assume(a, zero) {
                        ways.push((to as usize, jumped));
                    }
                    if env.assume(a, !zero) {
                        ways.push((at + 1, env));
                    }
                }
                Op::ReceiveGuard { or, c, pattern, copy, .. } => {
                    ways.push((or as usize, env.clone()));
                    let pattern = patterns[usize::from(pattern)];
                    if self.message(&program.machine, env.register(c), pattern, copy) {
                        ways.push((at + 1, env));
                    }
                }
                _ => {
                    self.advance(program, op, ty, &mut env);
                    let mut next = routine.after(at).peekable();
                    while let Some(to) = next.next() {
                        if next.peek().is_none() {
                            ways.push((to, env));
                            break;
                        }
                        ways.push((to, env.clone()));
                    }
                }
            }
            for (to, env) in ways {
                match &mut envs[to] {
                    None => {
                        envs[to] = Some(env);
                        open.insert(to);
                    }
                    Some(known) => {
                        joins[to] += 1;
                        if known.join(&env, joins[to] > PATIENCE) {
                            open.insert(to);
                        }
                    }
                }
            }
        }
        Some(envs)
    }

    /// The value of a variable that is not followed, if it never has another.
    pub fn constant(&self, var: Var) -> Option<i32> {
        self.values[var]?.known()
    }

    /// The number of a followed variable among those of its proctype.
    pub fn followed(&self, var: Var) -> Option<usize> {
        self.followed.get(&var).copied()
    }

    /// Allows some more work.
    pub fn refill(&mut self) {
        self.budget = BUDGET;
    }

    /// Whether a process of a proctype can exist.
    pub fn exists(&self, ty: usize) -> bool {
        self.arguments[ty].is_some()
    }
}
