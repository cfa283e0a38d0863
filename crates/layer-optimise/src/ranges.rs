//! Which values variables can have, where: an abstract execution of the whole machine.
//!
//! Local scalars that nobody else sees are followed from location to location, and comparisons narrow
//! them; all other variables, messages and arguments have one range each. What is reached at all is
//! found on the way.

use everypath_machine::code::{Binary, Op, Reg, Unary};
use everypath_machine::{Interpreter, Machine, TransitionKind};
use everypath_model::{Successors, TransitionSystem};
use rustc_hash::FxHashMap;

use crate::interval::Interval;
use crate::local::record;
use crate::program::{Program, Visible};
use crate::registers::{sets, uses};
use crate::routine::Routine;
use crate::variables::{Record, Var};

/// A range may grow so often before it counts as unbounded.
const PATIENCE: u32 = 20;
/// Instructions that are looked at before the analysis gives up.
const BUDGET: usize = 20_000_000;
/// Ranges that are kept at a time: of all locations, and of one piece of code.
const MOST_RANGES: usize = 4_000_000;

/// What a register is known to tell about a local scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tells {
    Nothing,
    /// It is its value.
    Value(usize),
    /// It is not zero if and only if this comparison with a value of the range is true.
    Test {
        cell: usize,
        op: Binary,
        with: Interval,
    },
}

/// What is known before an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Env {
    registers: Vec<(Interval, Tells)>,
    /// The local scalars that are followed.
    pub cells: Vec<Interval>,
}

impl Env {
    pub fn register(&self, r: Reg) -> Interval {
        self.registers.get(usize::from(r)).map_or(Interval::ANY, |(range, _)| *range)
    }

    fn tells(&self, r: Reg) -> Tells {
        self.registers.get(usize::from(r)).map_or(Tells::Nothing, |(_, tells)| *tells)
    }

    fn set(&mut self, r: Reg, range: Interval, tells: Tells) {
        if let Some(slot) = self.registers.get_mut(usize::from(r)) {
            *slot = (range, tells);
        }
    }

    /// Whether something new is possible; ranges that grow are given up if `widen` says so.
    fn join(&mut self, other: &Env, widen: bool) -> bool {
        let mut grown = false;
        for (mine, more) in self.registers.iter_mut().zip(&other.registers) {
            let mut range = mine.0.join(more.0);
            if widen && range != mine.0 {
                range = Interval::ANY;
            }
            let tells = if mine.1 == more.1 { mine.1 } else { Tells::Nothing };
            grown |= *mine != (range, tells);
            *mine = (range, tells);
        }
        for (mine, more) in self.cells.iter_mut().zip(&other.cells) {
            let mut range = mine.join(*more);
            if widen && range != *mine {
                range = Interval::ANY;
            }
            grown |= *mine != range;
            *mine = range;
        }
        grown
    }

    /// A scalar was written: what registers told about it is no longer true.
    fn forget(&mut self, cell: usize) {
        for (_, tells) in &mut self.registers {
            match *tells {
                Tells::Value(of) | Tells::Test { cell: of, .. } if of == cell => {
                    *tells = Tells::Nothing;
                }
                _ => {}
            }
        }
    }

    /// Takes into account that a register is zero, or is not; false if it cannot be so.
    pub fn assume(&mut self, r: Reg, zero: bool) -> bool {
        let op = if zero { Binary::Eq } else { Binary::Ne };
        let Some(range) = self.register(r).such_that(op, Interval::one(0)) else { return false };
        let tells = self.tells(r);
        self.set(r, range, tells);
        let (cell, op, with) = match tells {
            Tells::Nothing => return true,
            Tells::Value(cell) => (cell, op, Interval::one(0)),
            Tells::Test { cell, op, with } => (cell, if zero { negated(op) } else { op }, with),
        };
        match self.cells[cell].such_that(op, with) {
            Some(range) => {
                self.cells[cell] = range;
                true
            }
            None => false,
        }
    }
}

fn negated(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Ge,
        Binary::Le => Binary::Gt,
        Binary::Gt => Binary::Le,
        Binary::Ge => Binary::Lt,
        Binary::Eq => Binary::Ne,
        Binary::Ne => Binary::Eq,
        other => other,
    }
}

fn flipped(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Gt,
        Binary::Le => Binary::Ge,
        Binary::Gt => Binary::Lt,
        Binary::Ge => Binary::Le,
        other => other,
    }
}

fn compares(op: Binary) -> bool {
    use Binary::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ge | Gt | Le | Lt | Ne)
}

/// What was found out about a machine.
pub(crate) struct Ranges {
    /// Of each variable that is not followed.
    values: Vec<Option<Interval>>,
    grown: Vec<u32>,
    /// Of the fields of each kind of channel; `None` if nothing is ever sent.
    messages: Vec<Option<Vec<Interval>>>,
    /// The number of each followed variable among those of its proctype.
    followed: FxHashMap<Var, usize>,
    /// The followed variables of each proctype.
    cells: Vec<Vec<Var>>,
    /// What is known in each location of each proctype; `None` if it is not reached.
    pub locations: Vec<Vec<Option<Vec<Interval>>>>,
    visits: Vec<Vec<u32>>,
    /// The arguments of each proctype; `None` if it is never started.
    arguments: Vec<Option<Vec<Interval>>>,
    /// How often arguments and messages of a kind grew.
    calls: Vec<u32>,
    sends: Vec<u32>,
    budget: usize,
    changed: bool,
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
    fn start(&mut self, ty: u16, arguments: &[Interval]) {
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
            let used = uses(op, patterns);
            used.highest().into_iter().chain(sets(op)).max()
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
                Op::ReceiveGuard { or, c, pattern, .. } => {
                    ways.push((or as usize, env.clone()));
                    let places = usize::from(patterns[usize::from(pattern)].places);
                    if self.message(&program.machine, env.register(c), places).is_some() {
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

    /// What an instruction does to what is known.
    pub fn advance(&self, program: &Program, op: Op, ty: u16, env: &mut Env) {
        let nothing = Tells::Nothing;
        let upto = |hi: i32| Interval { lo: 0, hi };
        match op {
            Op::Const { d, value } => env.set(d, Interval::one(value), nothing),
            Op::Move { d, a } => env.set(d, env.register(a), env.tells(a)),
            Op::Unary { op, d, a } => {
                let range = Interval::unary(op, env.register(a));
                let test = match env.tells(a) {
                    Tells::Nothing => nothing,
                    Tells::Value(cell) => {
                        Tells::Test { cell, op: Binary::Ne, with: Interval::one(0) }
                    }
                    test => test,
                };
                let tells = match (op, test) {
                    (Unary::Truth, test) => test,
                    (Unary::Not, Tells::Test { cell, op, with }) => {
                        Tells::Test { cell, op: negated(op), with }
                    }
                    _ => nothing,
                };
                env.set(d, range, tells);
            }
            Op::Binary { op, d, a, b } => {
                let (x, y) = (env.register(a), env.register(b));
                let tells = match (env.tells(a), env.tells(b)) {
                    (Tells::Value(cell), _) if compares(op) => Tells::Test { cell, op, with: y },
                    (_, Tells::Value(cell)) if compares(op) => {
                        Tells::Test { cell, op: flipped(op), with: x }
                    }
                    _ => nothing,
                };
                env.set(d, Interval::binary(op, x, y), tells);
            }
            Op::Scale { d, a, by } => {
                let by = i32::try_from(by).map_or(Interval::ANY, Interval::one);
                let bits = Interval::binary(Binary::Mul, env.register(a), by);
                env.set(d, Interval::binary(Binary::Add, env.register(d), bits), nothing);
            }
            Op::Bound { a, count, .. } => {
                let most = i32::try_from(count).unwrap_or(i32::MAX).saturating_sub(1);
                let range = env.register(a).meet(upto(most)).unwrap_or(upto(most));
                let tells = env.tells(a);
                env.set(a, range, tells);
                if let Tells::Value(cell) = tells
                    && let Some(range) = env.cells[cell].meet(upto(most))
                {
                    env.cells[cell] = range;
                }
            }
            Op::Load { d, .. } => match *program.variables.read(op, ty) {
                [var] => match self.followed.get(&var) {
                    Some(&cell) => env.set(d, env.cells[cell], Tells::Value(cell)),
                    None => {
                        let all = Interval::of(program.variables.all[var].field);
                        env.set(d, self.values[var].unwrap_or(all), nothing);
                    }
                },
                _ => env.set(d, loaded(op), nothing),
            },
            Op::LoadAt { d, at, space, field } => {
                let record = Record::of(space, ty);
                let at = env.register(at).known();
                let ranges = program.variables.around(record, field, at).iter().map(|&var| {
                    match self.followed.get(&var) {
                        Some(_) => None,
                        None => self.values[var],
                    }
                });
                let range = ranges.reduce(|a, b| Some(a?.join(b?))).flatten();
                let all = Interval::of(field);
                env.set(d, range.and_then(|r| r.meet(all)).unwrap_or(all), nothing);
            }
            Op::LoadRemote { d, field, .. } => {
                env.set(d, Interval::of(field).join(Interval::one(0)), nothing);
            }
            Op::Pid { d } | Op::ProcessCount { d } | Op::Run { d, .. } => {
                env.set(d, upto(255), nothing);
            }
            Op::AtState { d, .. }
            | Op::Timeout { d }
            | Op::Enabled { d, .. }
            | Op::Poll { d, .. } => env.set(d, Interval::TRUTH, nothing),
            Op::FirstOf { d, .. } => env.set(d, Interval { lo: -1, hi: 255 }, nothing),
            Op::Probe { d, .. }
            | Op::PcValue { d, .. }
            | Op::GetPriority { d, .. }
            | Op::OwnChannel { d, .. } => env.set(d, Interval::ANY, nothing),
            Op::ReceiveField { d, c, field } => {
                let range = self.field(&program.machine, env.register(c), usize::from(field));
                env.set(d, range, nothing);
            }
            Op::Store { s, field, .. } => {
                let stored = env.register(s).stored(field);
                for &var in program.variables.written(op, ty) {
                    if let Some(&cell) = self.followed.get(&var) {
                        env.forget(cell);
                        let exact = program.variables.set(op, ty).is_some();
                        let all = Interval::of(program.variables.all[var].field);
                        env.cells[cell] = if exact { stored } else { all };
                    }
                }
            }
            Op::StoreAt { .. } => {
                for &var in program.variables.written(op, ty) {
                    if let Some(&cell) = self.followed.get(&var) {
                        env.forget(cell);
                        env.cells[cell] = Interval::of(program.variables.all[var].field);
                    }
                }
            }
            Op::NonZero { .. }
            | Op::SetPriority { .. }
            | Op::Jump { .. }
            | Op::JumpIfZero { .. }
            | Op::JumpIfNotZero { .. }
            | Op::SendGuard { .. }
            | Op::Send { .. }
            | Op::ReceiveGuard { .. }
            | Op::ReceiveTake { .. }
            | Op::Commit
            | Op::Done
            | Op::Blocked { .. }
            | Op::Assert { .. }
            | Op::Print { .. } => {}
        }
    }

    /// What an instruction does to others.
    fn effect(&mut self, program: &Program, op: Op, ty: u16, env: &Env) {
        match op {
            Op::Store { s, field, .. } => {
                let exact = program.variables.set(op, ty).is_some();
                for &var in program.variables.written(op, ty) {
                    let all = Interval::of(program.variables.all[var].field);
                    let range = if exact { env.register(s).stored(field) } else { all };
                    self.assign(program, var, range);
                }
            }
            Op::StoreAt { s, at, space, field } => {
                let record = Record::of(space, ty);
                let at = env.register(at).known();
                for &var in program.variables.around(record, field, at) {
                    let like = program.variables.all[var].field.width == field.width;
                    let all = Interval::of(program.variables.all[var].field);
                    let range = if like { env.register(s).stored(field) } else { all };
                    self.assign(program, var, range);
                }
            }
            Op::SendGuard { c, first, count, .. } | Op::Send { c, first, count, .. } => {
                let sent: Vec<Interval> =
                    (0..count).map(|i| env.register(first.saturating_add(i))).collect();
                self.send(&program.machine, env.register(c), &sent);
            }
            Op::Run { proctype, first, count, .. } => {
                let wanted = program.machine.proctypes[usize::from(proctype)].params.len();
                let mut arguments: Vec<Interval> =
                    (0..count).map(|i| env.register(first.saturating_add(i))).collect();
                arguments.resize(wanted, Interval::one(0));
                self.start(proctype, &arguments);
            }
            _ => {}
        }
    }

    fn assign(&mut self, program: &Program, var: Var, range: Interval) {
        if self.followed.contains_key(&var) {
            return;
        }
        let known = &mut self.values[var];
        let before = *known;
        let all = Interval::of(program.variables.all[var].field);
        let mut joined = before.map_or(range, |known| known.join(range));
        if before != Some(joined) {
            self.grown[var] += 1;
            if self.grown[var] > PATIENCE {
                joined = all;
            }
            *known = Some(joined);
            self.changed |= before != Some(joined);
        }
    }

    /// The kinds of channels that a value may be, with so many fields.
    fn kinds(machine: &Machine, channel: Interval, fields: usize) -> Vec<usize> {
        let global = channel
            .known()
            .and_then(|id| usize::try_from(id - 1).ok())
            .and_then(|index| machine.global_channels.get(index));
        let fits = |ty: &usize| machine.channel_types[*ty].fields.len() == fields;
        match global {
            Some(channel) => [usize::from(channel.ty)].into_iter().filter(fits).collect(),
            None => (0..machine.channel_types.len()).filter(fits).collect(),
        }
    }

    fn send(&mut self, machine: &Machine, channel: Interval, sent: &[Interval]) {
        for ty in Ranges::kinds(machine, channel, sent.len()) {
            let fields = machine.channel_types[ty].fields.iter();
            let sent = fields.zip(sent).map(|(&field, range)| (field, range.stored(field)));
            match &mut self.messages[ty] {
                known @ None => {
                    *known = Some(sent.map(|(_, range)| range).collect());
                    self.changed = true;
                }
                Some(known) => {
                    for (mine, (field, range)) in known.iter_mut().zip(sent) {
                        let joined = mine.join(range);
                        if joined != *mine {
                            self.sends[ty] += 1;
                            let much = self.sends[ty] > PATIENCE;
                            *mine = if much { Interval::of(field) } else { joined };
                            self.changed = true;
                        }
                    }
                }
            }
        }
    }

    /// Whether there may be a message with so many fields.
    fn message(&self, machine: &Machine, channel: Interval, places: usize) -> Option<()> {
        let kinds = Ranges::kinds(machine, channel, places);
        kinds.iter().any(|&ty| self.messages[ty].is_some()).then_some(())
    }

    /// What a field of a message may be.
    fn field(&self, machine: &Machine, channel: Interval, field: usize) -> Interval {
        let global = channel
            .known()
            .and_then(|id| usize::try_from(id - 1).ok())
            .and_then(|index| machine.global_channels.get(index));
        let of = |ty: usize| self.messages[ty].as_ref().and_then(|m| m.get(field)).copied();
        match global {
            Some(channel) => of(usize::from(channel.ty)).unwrap_or(Interval::ANY),
            None => {
                let all = (0..machine.channel_types.len()).filter_map(of);
                all.reduce(Interval::join).unwrap_or(Interval::ANY)
            }
        }
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

/// What a load can give whose place is not known.
fn loaded(op: Op) -> Interval {
    match op {
        Op::Load { field, .. } | Op::LoadAt { field, .. } => Interval::of(field),
        _ => Interval::ANY,
    }
}
