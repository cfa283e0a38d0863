//! Which registers an instruction reads and writes, and which code nobody needs.

use everypath_machine::code::{Op, Pattern, REGISTERS, Reg};

use crate::routine::{Edit, Routine};

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RegSet([u64; REGISTERS / 64]);

impl RegSet {
    pub fn insert(&mut self, r: Reg) {
        self.0[usize::from(r) / 64] |= 1 << (r % 64);
    }

    pub fn remove(&mut self, r: Reg) {
        self.0[usize::from(r) / 64] &= !(1 << (r % 64));
    }

    pub fn contains(self, r: Reg) -> bool {
        self.0[usize::from(r) / 64] >> (r % 64) & 1 == 1
    }

    pub fn row(&mut self, first: Reg, count: u8) {
        for i in 0..count {
            if let Some(r) = first.checked_add(i) {
                self.insert(r);
            }
        }
    }

    /// The greatest member.
    pub fn highest(self) -> Option<Reg> {
        let (i, word) = self.0.iter().enumerate().rev().find(|(_, word)| **word != 0)?;
        Some((i * 64) as Reg + (63 - word.leading_zeros()) as Reg)
    }

    fn join(&mut self, other: RegSet) -> bool {
        let before = *self;
        for (mine, more) in self.0.iter_mut().zip(other.0) {
            *mine |= more;
        }
        *self != before
    }
}

/// The registers that an instruction reads.
pub(crate) fn uses(op: Op, patterns: &[Pattern]) -> RegSet {
    let mut set = RegSet::default();
    match op {
        Op::Move { a, .. }
        | Op::Unary { a, .. }
        | Op::Bound { a, .. }
        | Op::NonZero { a, .. }
        | Op::JumpIfZero { a, .. }
        | Op::JumpIfNotZero { a, .. }
        | Op::PcValue { a, .. }
        | Op::Enabled { a, .. }
        | Op::GetPriority { a, .. }
        | Op::Assert { a, .. } => set.insert(a),
        Op::Binary { a, b, .. } => {
            set.insert(a);
            set.insert(b);
        }
        Op::Scale { d, a, .. } => {
            set.insert(d);
            set.insert(a);
        }
        Op::LoadAt { at, .. } => set.insert(at),
        Op::Store { s, .. } => set.insert(s),
        Op::StoreAt { s, at, .. } => {
            set.insert(s);
            set.insert(at);
        }
        Op::LoadRemote { pid, at, .. } => {
            set.insert(pid);
            set.insert(at);
        }
        Op::AtState { pid, .. } => set.insert(pid),
        Op::SetPriority { a, value } => {
            set.insert(a);
            set.insert(value);
        }
        Op::Run { first, count, .. } | Op::Print { first, count, .. } => set.row(first, count),
        Op::Probe { c, .. } | Op::ReceiveField { c, .. } | Op::ReceiveTake { c } => set.insert(c),
        Op::Poll { c, first, pattern, .. } | Op::ReceiveGuard { c, first, pattern, .. } => {
            set.insert(c);
            set.row(first, patterns[usize::from(pattern)].places);
        }
        Op::SendGuard { c, first, count, .. } | Op::Send { c, first, count, .. } => {
            set.insert(c);
            set.row(first, count);
        }
        Op::Const { .. }
        | Op::Load { .. }
        | Op::FirstOf { .. }
        | Op::Jump { .. }
        | Op::Pid { .. }
        | Op::ProcessCount { .. }
        | Op::Timeout { .. }
        | Op::OwnChannel { .. }
        | Op::Commit
        | Op::Done
        | Op::Blocked { .. } => {}
    }
    set
}

/// The register that an instruction sets.
pub(crate) fn sets(op: Op) -> Option<Reg> {
    match op {
        Op::Const { d, .. }
        | Op::Move { d, .. }
        | Op::Unary { d, .. }
        | Op::Binary { d, .. }
        | Op::Scale { d, .. }
        | Op::Load { d, .. }
        | Op::LoadAt { d, .. }
        | Op::LoadRemote { d, .. }
        | Op::AtState { d, .. }
        | Op::FirstOf { d, .. }
        | Op::Pid { d }
        | Op::ProcessCount { d }
        | Op::Timeout { d }
        | Op::PcValue { d, .. }
        | Op::Enabled { d, .. }
        | Op::GetPriority { d, .. }
        | Op::Run { d, .. }
        | Op::OwnChannel { d, .. }
        | Op::Probe { d, .. }
        | Op::Poll { d, .. }
        | Op::ReceiveField { d, .. } => Some(d),
        _ => None,
    }
}

/// Whether an instruction does nothing but set a register: it cannot fail.
pub(crate) fn pure(op: Op) -> bool {
    sets(op).is_some()
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
            let wanted = !pure(op) || sets(op).is_some_and(|d| live.contains(d));
            if let Some(d) = sets(op) {
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
        let after = needed(routine, result, |_, op| uses(op, patterns));
        let unread =
            |at: usize, op: Op| pure(op) && sets(op).is_some_and(|d| !after[at].contains(d));
        if !routine.ops.iter().enumerate().any(|(at, &op)| unread(at, op)) {
            return;
        }
        routine.edit(|at, op| if unread(at, op) { Edit::Remove } else { Edit::Keep });
    }
}
