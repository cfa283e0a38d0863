//! `else` as a statement of its own: code that can be executed if none of the others can, so that it
//! can have an effect.

use everypath_machine::TransitionKind;
use everypath_machine::code::Op;

use crate::program::Program;
use crate::routine::Routine;

/// Longer conditions are not worth to be evaluated twice.
const MOST_INSTRUCTIONS: usize = 64;

/// The code of an `else`; `None` if what it depends on may fail, or is no matter of values.
pub(crate) fn negation(program: &Program, index: usize) -> Option<Routine> {
    let transition = &program.machine.transitions[index];
    let proctype = &program.machine.proctypes[usize::from(transition.proctype)];
    if transition.kind != TransitionKind::Else || proctype.deterministic {
        return None;
    }
    let mut before: Option<Vec<u32>> = None;
    for location in &proctype.locations {
        let Some(at) = location.edges.iter().position(|e| e.transition as usize == index) else {
            continue;
        };
        if location.edges.iter().any(|edge| edge.escape != 0) {
            return None;
        }
        let here: Vec<u32> = location.edges[..at].iter().map(|edge| edge.transition).collect();
        match &before {
            Some(there) if *there != here => return None,
            _ => before = Some(here),
        }
    }
    let mut ops: Vec<Op> = Vec::new();
    let mut site = 0;
    for guard in before? {
        let routine = program.statements[guard as usize].as_ref()?;
        append(routine, &mut ops, &mut site)?;
    }
    let stop = ops.len() as u32 + 2;
    for op in &mut ops {
        if let Op::Jump { to: to @ STOP } = op {
            *to = stop;
        }
    }
    ops.extend([Op::Commit, Op::Done, Op::Blocked { site }]);
    (ops.len() <= MOST_INSTRUCTIONS).then(|| Routine::read(&ops, 0))
}

/// The place where a statement is found to be executable.
const STOP: u32 = u32::MAX;

/// Appends the condition of a statement: it stops if the statement can be executed, and goes on behind
/// if it cannot. `None` if it may fail.
fn append(routine: &Routine, ops: &mut Vec<Op>, site: &mut u32) -> Option<()> {
    let mut guard = vec![false; routine.ops.len()];
    let mut open = vec![0];
    guard[0] = true;
    while let Some(at) = open.pop() {
        let op = routine.ops[at];
        match op {
            Op::Commit | Op::Done => continue,
            Op::Blocked { site: here } => *site = here,
            Op::Const { .. }
            | Op::Move { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Scale { .. }
            | Op::Load { .. }
            | Op::LoadAt { .. }
            | Op::LoadRemote { .. }
            | Op::AtState { .. }
            | Op::FirstOf { .. }
            | Op::Jump { .. }
            | Op::JumpIfZero { .. }
            | Op::JumpIfNotZero { .. }
            | Op::Pid { .. }
            | Op::ProcessCount { .. } => {}
            _ => return None,
        }
        for to in routine.after(at) {
            if !std::mem::replace(&mut guard[to], true) {
                open.push(to);
            }
        }
    }
    let base = ops.len();
    let place = |at: usize| (base + guard[..at].iter().filter(|here| **here).count()) as u32;
    let end = place(routine.ops.len());
    for (_, &op) in routine.ops.iter().enumerate().filter(|(at, _)| guard[*at]) {
        let jump = |to: u32| place(to as usize);
        ops.push(match op {
            Op::Commit | Op::Done => Op::Jump { to: STOP },
            Op::Blocked { .. } => Op::Jump { to: end },
            Op::Jump { to } => Op::Jump { to: jump(to) },
            Op::JumpIfZero { a, to } => Op::JumpIfZero { a, to: jump(to) },
            Op::JumpIfNotZero { a, to } => Op::JumpIfNotZero { a, to: jump(to) },
            other => other,
        });
    }
    Some(())
}
