//! Statements that concern nobody but the process itself.

use everypath_machine::code::{Op, Space};

use crate::program::{Program, Visible};
use crate::routine::Routine;
use crate::variables::Record;

/// What is known about a statement that touches nothing but variables of its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    /// It can be executed in every state.
    pub always: bool,
}

/// Which global variables some statement writes, by number.
pub(crate) fn written_globals(program: &Program) -> Vec<bool> {
    let mut written = vec![false; program.variables.all.len()];
    let offered = program.offered();
    for (index, statement) in program.statements.iter().enumerate() {
        let Some(routine) = statement.as_ref().filter(|_| offered[index]) else { continue };
        let proctype = program.machine.transitions[index].proctype;
        for &op in &routine.ops {
            for &var in program.variables.written(op, proctype) {
                written[var] = true;
            }
        }
    }
    written
}

/// Whether a statement touches nothing but variables that its process alone can see, and cannot
/// stop the run with a fault. An assertion may fail: that is reported wherever it happens.
pub(crate) fn local(
    program: &Program,
    visible: &Visible,
    written: &[bool],
    routine: &Routine,
    proctype: u16,
) -> Option<Local> {
    let variables = &program.variables;
    let own = |op: Op| {
        let cells = match op {
            Op::Store { .. } | Op::StoreAt { .. } => variables.written(op, proctype),
            _ => variables.read(op, proctype),
        };
        cells.iter().all(|&var| visible.is_private(variables, var))
    };
    for &op in &routine.ops {
        let fine = match op {
            Op::Const { .. }
            | Op::Move { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Scale { .. }
            | Op::Jump { .. }
            | Op::JumpIfZero { .. }
            | Op::JumpIfNotZero { .. }
            | Op::Pid { .. }
            | Op::OwnChannel { .. }
            | Op::Commit
            | Op::Done
            | Op::Blocked { .. }
            | Op::Assert { .. }
            | Op::Print { .. } => true,
            Op::Load { space: Space::Local, .. }
            | Op::LoadAt { space: Space::Local, .. }
            | Op::Store { space: Space::Local, .. }
            | Op::StoreAt { space: Space::Local, .. } => own(op),
            Op::Load { space: Space::Global, .. } | Op::LoadAt { space: Space::Global, .. } => {
                let read = variables.read(op, proctype);
                let last = |field| program.machine.last == Some(field);
                let volatile = matches!(op, Op::Load { field, .. } if last(field));
                !volatile && read.iter().all(|&var| !written[var])
            }
            _ => false,
        };
        if !fine {
            return None;
        }
    }
    if routine.loops() {
        return None;
    }
    let Ways { blocks, stops } = ways(routine);
    (!stops).then_some(Local { always: !blocks })
}

/// Whether every state allows a statement, whatever it does.
pub(crate) fn always_executable(routine: &Routine) -> bool {
    let fails = |op: &Op| matches!(op, Op::SendGuard { .. } | Op::ReceiveGuard { .. });
    !ways(routine).blocks && !routine.ops.iter().any(fails)
}

/// How a statement can end badly.
pub(crate) struct Ways {
    /// It may be impossible to start.
    pub blocks: bool,
    /// It may get stuck in the middle.
    pub stops: bool,
}

/// Follows a statement before and after its commit.
pub(crate) fn ways(routine: &Routine) -> Ways {
    let count = routine.ops.len();
    let mut seen = vec![[false; 2]; count];
    let mut open = vec![(0, 0)];
    seen[0][0] = true;
    let mut ways = Ways { blocks: false, stops: false };
    while let Some((at, phase)) = open.pop() {
        let op = routine.ops[at];
        match op {
            Op::Blocked { .. } if phase == 0 => ways.blocks = true,
            Op::Blocked { .. } => ways.stops = true,
            _ => {}
        }
        let phase = if op == Op::Commit { 1 } else { phase };
        for to in routine.after(at) {
            if !std::mem::replace(&mut seen[to][phase], true) {
                open.push((to, phase));
            }
        }
    }
    ways
}

/// Whether control can come to the end of a statement without a commit.
pub(crate) fn ends_uncommitted(routine: &Routine) -> bool {
    let mut seen = vec![false; routine.ops.len()];
    let mut open = vec![0];
    seen[0] = true;
    while let Some(at) = open.pop() {
        match routine.ops[at] {
            Op::Done => return true,
            Op::Commit => continue,
            _ => {}
        }
        for to in routine.after(at) {
            if !std::mem::replace(&mut seen[to], true) {
                open.push(to);
            }
        }
    }
    false
}

/// The local record of a proctype.
pub(crate) fn record(proctype: u16) -> Record {
    Record::Local(proctype)
}
