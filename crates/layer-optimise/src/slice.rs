//! Variables on which nothing depends: their assignments vanish.
//!
//! What a variable is used for is followed through the registers. Wanted are guards, indices,
//! divisors, assertions, messages, arguments of processes, conditions on states, and what is
//! observed; a text that is printed is not. An assignment that can fail still does.

use everypath_machine::RegSet;
use everypath_machine::code::Op;

use crate::Observed;
use crate::program::{Piece, Program};

use crate::registers::{needed, pure};
use crate::routine::{Edit, Routine};
use crate::variables::{Record, Variables};

/// Takes out the assignments to variables on which nothing depends; whether there were any.
pub(crate) fn slice(program: &mut Program, observed: &Observed) -> bool {
    let relevant = relevant(program, observed);
    let variables = &program.variables;
    let mut changed = false;
    let mut clean = |routine: &mut Routine, proctype: u16| {
        let unwanted = |op: Op| stores_nothing(variables, &relevant, op, proctype);
        if routine.ops.iter().any(|&op| unwanted(op)) {
            changed = true;
            routine.edit(|_, op| if unwanted(op) { Edit::Remove } else { Edit::Keep });
        }
    };
    clean(&mut program.global_init, crate::program::NOBODY);
    for (ty, routine) in program.init.iter_mut().enumerate() {
        clean(routine, ty as u16);
    }
    for (index, routine) in program.statements.iter_mut().enumerate() {
        if let Some(routine) = routine {
            clean(routine, program.machine.transitions[index].proctype);
        }
    }
    let unwanted: Vec<Vec<bool>> = (0..program.machine.proctypes.len())
        .map(|ty| {
            let count = program.machine.proctypes[ty].params.len();
            let wanted = |i| program.parameter(ty as u16, i).is_none_or(|var| relevant[var]);
            (0..count).map(|i| !wanted(i)).collect()
        })
        .collect();
    program.zero_arguments(|ty, i| unwanted[usize::from(ty)].get(i) == Some(&true));
    program.drop_unread();
    changed
}

/// Whether an instruction writes, and only what is not relevant.
fn stores_nothing(variables: &Variables, relevant: &[bool], op: Op, proctype: u16) -> bool {
    let written = variables.written(op, proctype);
    !written.is_empty() && written.iter().all(|&var| !relevant[var])
}

/// The variables on which something depends.
fn relevant(program: &Program, observed: &Observed) -> Vec<bool> {
    let variables = &program.variables;
    let mut relevant = program.visible(observed).variables;
    // What is not compared is not worth the trouble.
    for &var in variables.of(Record::Hidden) {
        relevant[var] = true;
    }
    let pieces = program.pieces();
    loop {
        let mut more = false;
        for &piece in &pieces {
            more |= add(program, piece, &mut relevant);
        }
        if !more {
            return relevant;
        }
    }
}

/// Adds what a piece of code reads to some end.
fn add(program: &Program, piece: Piece<'_>, relevant: &mut [bool]) -> bool {
    let (routine, proctype, result) = piece;
    let variables = &program.variables;
    let needs = |_: usize, op: Op| match op {
        _ if stores_nothing(variables, relevant, op, proctype) => RegSet::default(),
        Op::Run { proctype, first, count, .. } => {
            let mut set = RegSet::default();
            for i in 0..count {
                let wanted =
                    program.parameter(proctype, usize::from(i)).is_none_or(|var| relevant[var]);
                if wanted {
                    set.row(first.saturating_add(i), 1);
                }
            }
            set
        }
        _ => op.sources(&program.machine.patterns),
    };
    let after = needed(routine, result, needs);
    let mut more = false;
    for (at, &op) in routine.ops.iter().enumerate() {
        // What is written in some statements only would have more values than before.
        let written = variables.written(op, proctype);
        if written.iter().any(|&var| relevant[var]) {
            for &var in written {
                more |= !std::mem::replace(&mut relevant[var], true);
            }
        }
        if pure(op) && !op.destination().is_some_and(|d| after[at].contains(d)) {
            continue;
        }
        for &var in variables.read(op, proctype) {
            more |= !std::mem::replace(&mut relevant[var], true);
        }
    }
    more
}
