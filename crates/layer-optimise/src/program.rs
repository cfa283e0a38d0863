//! A machine taken apart into pieces of code that can be changed, and put together again.

use everypath_machine::code::Op;
use everypath_machine::{Machine, Transition, TransitionKind};
use rustc_hash::FxHashSet;

use crate::Observed;
use crate::registers::drop_unread;
use crate::routine::{Edit, Routine};
use crate::variables::{Record, Var, Variables};

/// A machine whose code is cut into pieces.
pub(crate) struct Program {
    /// Everything but the code.
    pub machine: Machine,
    pub variables: Variables,
    pub global_init: Routine,
    /// Of each proctype.
    pub init: Vec<Routine>,
    /// Of each proctype.
    pub provided: Vec<Option<Routine>>,
    /// Of each transition of kind [`TransitionKind::Code`].
    pub statements: Vec<Option<Routine>>,
    pub invariants: Vec<Routine>,
    /// The transitions that are no choice of a deterministic process.
    silent: Vec<bool>,
}

/// A piece of code with its proctype, if it has one, and whether it leaves a value in register 0.
pub(crate) type Piece<'a> = (&'a Routine, u16, bool);

impl Program {
    pub fn new(machine: &Machine) -> Program {
        let read = |at: u32| Routine::read(&machine.code, at);
        let statement = |t: &Transition| {
            let mut routine = (t.kind == TransitionKind::Code).then(|| read(t.code))?;
            // What is printed is told by the machine as it was, too.
            routine.edit(|_, op| match op {
                Op::Print { .. } => Edit::Remove,
                _ => Edit::Keep,
            });
            drop_unread(&mut routine, false, &machine.patterns);
            Some(routine)
        };
        let mut shell = machine.clone();
        shell.code.clear();
        // Names and values are told by the machine as it was.
        shell.sites.iter_mut().for_each(|site| site.operands.clear());
        let statements: Vec<Option<Routine>> = machine.transitions.iter().map(statement).collect();
        Program {
            variables: Variables::new(machine),
            global_init: read(machine.global_init),
            init: machine.proctypes.iter().map(|p| read(p.init)).collect(),
            provided: machine.proctypes.iter().map(|p| p.provided.map(read)).collect(),
            invariants: machine.invariants.iter().map(|i| read(i.code)).collect(),
            silent: machine.transitions.iter().map(|t| !machine.is_choice(t)).collect(),
            statements,
            machine: shell,
        }
    }

    pub fn into_machine(mut self) -> Machine {
        let code = &mut self.machine.code;
        self.machine.global_init = self.global_init.write(code);
        for (proctype, init) in self.machine.proctypes.iter_mut().zip(&self.init) {
            proctype.init = init.write(code);
        }
        for (proctype, provided) in self.machine.proctypes.iter_mut().zip(&self.provided) {
            proctype.provided = provided.as_ref().map(|provided| provided.write(code));
        }
        for (index, transition) in self.machine.transitions.iter_mut().enumerate() {
            let Some(statement) = &self.statements[index] else { continue };
            let proctype = &self.machine.proctypes[usize::from(transition.proctype)];
            if proctype.deterministic && is_silent(&self.statements[index]) && !self.silent[index] {
                // A choice of a deterministic process stays one.
                let mut busy = statement.clone();
                busy.ops.insert(1, Op::Const { d: 0, value: 0 });
                transition.code = busy.write(code);
            } else {
                transition.code = statement.write(code);
            }
        }
        for (invariant, routine) in self.machine.invariants.iter_mut().zip(&self.invariants) {
            invariant.code = routine.write(code);
        }
        self.machine
    }

    /// The transitions that some location offers.
    pub fn offered(&self) -> Vec<bool> {
        let mut offered = vec![false; self.machine.transitions.len()];
        for proctype in &self.machine.proctypes {
            for edge in proctype.locations.iter().flat_map(|location| &location.edges) {
                offered[edge.transition as usize] = true;
            }
        }
        offered
    }

    /// All code that may be executed in a run.
    pub fn pieces(&self) -> Vec<Piece<'_>> {
        let offered = self.offered();
        let mut pieces: Vec<Piece<'_>> = vec![(&self.global_init, NOBODY, false)];
        pieces.extend(self.init.iter().enumerate().map(|(ty, r)| (r, ty as u16, false)));
        let provided = self.provided.iter().enumerate();
        pieces.extend(provided.filter_map(|(ty, r)| Some((r.as_ref()?, ty as u16, true))));
        pieces.extend(self.invariants.iter().map(|r| (r, NOBODY, true)));
        for (index, statement) in self.statements.iter().enumerate() {
            if let Some(routine) = statement
                && offered[index]
            {
                pieces.push((routine, self.machine.transitions[index].proctype, false));
            }
        }
        pieces
    }

    /// What others than a process itself see of it.
    pub fn visible(&self, observed: &Observed) -> Visible {
        let mut visible = Visible {
            variables: vec![false; self.variables.all.len()],
            locations: observed.locations.iter().map(|&(_, number)| number).collect(),
            everywhere: self.machine.uses_priorities || self.machine.last.is_some(),
        };
        for &(record, bit) in &observed.variables {
            let record = match record {
                crate::Owner::Globals => Record::Global,
                crate::Owner::Processes(ty) => Record::Local(ty),
            };
            for &var in self.variables.of(record) {
                if self.variables.all[var].field.bit == bit {
                    visible.variables[var] = true;
                }
            }
        }
        for (routine, proctype, _) in self.pieces() {
            for &op in &routine.ops {
                match op {
                    Op::LoadRemote { .. } => {
                        for &var in self.variables.read(op, proctype) {
                            visible.variables[var] = true;
                        }
                    }
                    Op::AtState { number, .. } => {
                        visible.locations.insert(number);
                    }
                    Op::PcValue { .. } | Op::Enabled { .. } => visible.everywhere = true,
                    _ => {}
                }
            }
        }
        visible
    }

    /// Takes out of all code what computes values that nobody reads.
    pub fn drop_unread(&mut self) {
        let patterns = &self.machine.patterns;
        drop_unread(&mut self.global_init, false, patterns);
        for routine in self.init.iter_mut().chain(self.statements.iter_mut().flatten()) {
            drop_unread(routine, false, patterns);
        }
        for routine in self.invariants.iter_mut().chain(self.provided.iter_mut().flatten()) {
            drop_unread(routine, true, patterns);
        }
    }

    /// Sets the arguments of every `run` to zero that `unwanted` names, by proctype and parameter.
    pub fn zero_arguments(&mut self, unwanted: impl Fn(u16, usize) -> bool) {
        let patterns = &self.machine.patterns;
        for routine in self.statements.iter_mut().flatten().chain([&mut self.global_init]) {
            let live = crate::registers::needed(routine, false, |_, op| op.sources(patterns));
            routine.edit(|at, op| {
                let Op::Run { d, proctype, first, count, .. } = op else { return Edit::Keep };
                let zero = (0..count)
                    .filter(|&i| unwanted(proctype, usize::from(i)))
                    .filter_map(|i| first.checked_add(i))
                    .filter(|&r| r == d || !live[at].contains(r))
                    .map(|d| Op::Const { d, value: 0 })
                    .collect();
                Edit::Before(zero)
            });
        }
    }

    /// The scalar that a parameter is.
    pub fn parameter(&self, proctype: u16, index: usize) -> Option<Var> {
        let field = *self.machine.proctypes[usize::from(proctype)].params.get(index)?;
        match self.variables.at(Record::Local(proctype), field) {
            [one] => Some(*one),
            _ => None,
        }
    }
}

/// Code that belongs to no proctype.
pub(crate) const NOBODY: u16 = u16::MAX;

fn is_silent(statement: &Option<Routine>) -> bool {
    statement.as_ref().is_some_and(|s| s.ops.starts_with(&[Op::Commit, Op::Done]))
}

/// What others than a process itself see of it.
pub(crate) struct Visible {
    /// Local variables that others read, by number.
    pub variables: Vec<bool>,
    /// Numbers of control states that somebody asks for.
    pub locations: FxHashSet<u32>,
    /// Every step of every process may matter to others.
    pub everywhere: bool,
}

impl Visible {
    /// Whether only the process itself reads and writes a variable.
    pub fn is_private(&self, variables: &Variables, var: Var) -> bool {
        matches!(variables.all[var].record, Record::Local(_)) && !self.variables[var]
    }
}
