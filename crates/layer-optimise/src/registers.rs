//! Which registers are still read, and which code nobody needs.

use everypath_machine::RegSet;
use everypath_machine::code::{Op, Pattern};

use crate::routine::{Edit, Routine};

/// Whether an instruction does nothing but set a register: it cannot fail.
pub(crate) fn pure(op: Op) -> bool {
    op.destination().is_some()
        && !matches!(op, Op::Enabled { .. } | Op::Run { .. } | Op::Probe { .. } | Op::Poll { .. })
}

/// The registers that are still read after each instruction. `needs` tells which ones an instruction
/// reads; nothing if it is not wanted itself. A value is left in register 0 if `result` says so.
pub(crate) fn needed(
    routine: &Routine,
    result: bool,
    needs: impl Fn(usize, Op) -> RegSet,
) -> Vec<RegSet> {
    let count = routine.ops.len();
    let mut before = vec![RegSet::default(); count];
    let mut after = vec![RegSet::default(); count];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..count).rev() {
            let op = routine.ops[at];
            let mut live = RegSet::default();
            if op == Op::Done && result {
                live.insert(0);
            }
            for to in routine.after(at) {
                live.join(before[to]);
            }
            after[at] = live;
            let wanted = !pure(op) || op.destination().is_some_and(|d| live.contains(d));
            if let Some(d) = op.destination() {
                live.remove(d);
            }
            if wanted {
                live.join(needs(at, op));
            }
            changed |= before[at].join(live);
        }
    }
    after
}

/// Takes out what computes values that nobody reads.
pub(crate) fn drop_unread(routine: &mut Routine, result: bool, patterns: &[Pattern]) {
    loop {
        let after = needed(routine, result, |_, op| op.sources(patterns));
        let unread = |at: usize, op: Op| {
            pure(op) && op.destination().is_some_and(|d| !after[at].contains(d))
        };
        if !routine.ops.iter().enumerate().any(|(at, &op)| unread(at, op)) {
            return;
        }
        routine.edit(|at, op| if unread(at, op) { Edit::Remove } else { Edit::Keep });
    }
}
