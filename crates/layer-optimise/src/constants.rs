//! Values that never change take the place of what computes them; statements that can never be
//! executed and locations that are never reached go.
//!
//! Whatever would fail still does: a test goes only if it cannot fail.

use everypath_machine::Machine;
use everypath_machine::code::Op;

use crate::Observed;
use crate::env::Env;
use crate::interval::Interval;
use crate::program::{NOBODY, Program};
use crate::ranges::Ranges;
use crate::registers::pure;
use crate::routine::{Edit, Routine};

/// Puts constants in; `machine` is the program before it was taken apart.
pub(crate) fn fold(program: &mut Program, machine: &Machine, observed: &Observed) {
    let visible = program.visible(observed);
    let Some(mut ranges) = Ranges::of(program, machine, &visible) else { return };
    ranges.refill();
    let sources = sources(program);
    let mut impossible = vec![false; program.machine.transitions.len()];
    for (index, impossible) in impossible.iter_mut().enumerate() {
        let ty = program.machine.transitions[index].proctype;
        let Some(cells) = before(program, &ranges, index, &sources[index]) else {
            *impossible = true;
            continue;
        };
        let Some(routine) = &program.statements[index] else { continue };
        let Some(envs) = ranges.envs(program, routine, ty, &cells) else { continue };
        if never_starts(program, &ranges, routine, &envs) {
            *impossible = true;
            continue;
        }
        let folded = folded(program, &ranges, routine, ty, &envs);
        program.statements[index] = Some(folded);
    }
    for (ty, proctype) in program.machine.proctypes.iter_mut().enumerate() {
        for (at, location) in proctype.locations.iter_mut().enumerate() {
            if ranges.locations[ty][at].is_none() {
                location.edges.clear();
            }
            location.edges.retain(|edge| !impossible[edge.transition as usize]);
        }
    }
    fold_conditions(program, &mut ranges);
    program.drop_unread();
}

/// Invariants and conditions of proctypes read variables only.
fn fold_conditions(program: &mut Program, ranges: &mut Ranges) {
    for i in 0..program.invariants.len() {
        let routine = &program.invariants[i];
        if let Some(envs) = ranges.envs(program, routine, NOBODY, &[]) {
            program.invariants[i] = folded(program, ranges, routine, NOBODY, &envs);
        }
    }
}

/// The locations that offer each transition.
fn sources(program: &Program) -> Vec<Vec<usize>> {
    let mut sources = vec![Vec::new(); program.machine.transitions.len()];
    for proctype in &program.machine.proctypes {
        for (at, location) in proctype.locations.iter().enumerate() {
            for edge in &location.edges {
                sources[edge.transition as usize].push(at);
            }
        }
    }
    sources
}

/// What is known before a transition, wherever it starts; `None` if it never does.
fn before(
    program: &Program,
    ranges: &Ranges,
    index: usize,
    sources: &[usize],
) -> Option<Vec<Interval>> {
    let transition = &program.machine.transitions[index];
    let ty = usize::from(transition.proctype);
    if !ranges.exists(ty) {
        return None;
    }
    let mut all: Option<Vec<Interval>> = None;
    for &at in sources {
        let Some(cells) = &ranges.locations[ty][at] else { continue };
        match &mut all {
            None => all = Some(cells.clone()),
            Some(all) => {
                for (mine, more) in all.iter_mut().zip(cells) {
                    *mine = mine.join(*more);
                }
            }
        }
    }
    all
}

/// Whether a statement is not executable whatever happens, and tells no fault either.
fn never_starts(
    program: &Program,
    ranges: &Ranges,
    routine: &Routine,
    envs: &[Option<Env>],
) -> bool {
    routine.ops.iter().zip(envs).all(|(&op, env)| {
        let Some(env) = env else { return true };
        match op {
            Op::Commit
            | Op::Done
            | Op::SendGuard { .. }
            | Op::Probe { .. }
            | Op::Poll { .. }
            | Op::Enabled { .. } => false,
            Op::ReceiveGuard { c, pattern, copy, .. } => {
                let machine = &program.machine;
                let pattern = machine.patterns[usize::from(pattern)];
                !ranges.bad_receive(machine, env.register(c), pattern, copy)
            }
            Op::Bound { .. } | Op::NonZero { .. } => passes(op, env),
            _ => true,
        }
    })
}

/// Whether a test cannot fail.
fn passes(op: Op, env: &Env) -> bool {
    match op {
        Op::Bound { a, count, .. } => {
            let range = env.register(a);
            range.lo >= 0 && (range.hi as u32) < count
        }
        Op::NonZero { a, .. } => !env.register(a).contains(0),
        _ => false,
    }
}

fn folded(
    program: &Program,
    ranges: &Ranges,
    routine: &Routine,
    ty: u16,
    envs: &[Option<Env>],
) -> Routine {
    let mut routine = routine.clone();
    let after: Vec<Option<i32>> = (0..routine.ops.len())
        .map(|at| {
            let op = routine.ops[at];
            let d = op.destination().filter(|_| pure(op) && !matches!(op, Op::Const { .. }))?;
            let env = envs[at].as_ref()?;
            let mut env = env.clone();
            ranges.advance(program, op, ty, &mut env);
            env.register(d).known()
        })
        .collect();
    routine.edit(|at, op| {
        let Some(env) = &envs[at] else { return Edit::Keep };
        if let (Some(value), Some(d)) = (after[at], op.destination()) {
            return Edit::Replace(Op::Const { d, value });
        }
        match op {
            Op::JumpIfZero { a, to } | Op::JumpIfNotZero { a, to } => {
                let zero = matches!(op, Op::JumpIfZero { .. });
                let goes = |zero: bool| env.clone().assume(a, zero);
                match (goes(zero), goes(!zero)) {
                    (true, false) => Edit::Replace(Op::Jump { to }),
                    (false, true) => Edit::Remove,
                    _ => Edit::Keep,
                }
            }
            Op::Bound { .. } | Op::NonZero { .. } if passes(op, env) => Edit::Remove,
            Op::Store { s, field, .. } => {
                let Some(var) = program.variables.set(op, ty) else { return Edit::Keep };
                let there = match ranges.followed(var) {
                    Some(cell) => env.cells[cell].known(),
                    None => ranges.constant(var),
                };
                let stored = env.register(s).stored(field).known();
                if there.is_some() && there == stored { Edit::Remove } else { Edit::Keep }
            }
            _ => Edit::Keep,
        }
    });
    routine
}
