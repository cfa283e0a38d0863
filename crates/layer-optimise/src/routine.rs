//! One piece of code with jump targets of its own, so that instructions can be taken out and put in.

use everypath_machine::code::Op;

/// Code from its entry on. Targets of jumps are indices into `ops`; every instruction can be reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Routine {
    pub ops: Vec<Op>,
}

/// Where control may go after an instruction: on, and elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Next {
    pub on: bool,
    pub to: Option<usize>,
}

/// What an instruction becomes.
pub(crate) enum Edit {
    Keep,
    Remove,
    Replace(Op),
    /// These come first; whoever jumped to the instruction jumps to them. They do not jump.
    Before(Vec<Op>),
}

pub(crate) fn next(op: Op) -> Next {
    let target = target(op);
    let on = !matches!(op, Op::Jump { .. } | Op::Done | Op::Blocked { .. });
    Next { on, to: target.map(|to| to as usize) }
}

fn target(op: Op) -> Option<u32> {
    match op {
        Op::Jump { to }
        | Op::JumpIfZero { to, .. }
        | Op::JumpIfNotZero { to, .. }
        | Op::SendGuard { or: to, .. }
        | Op::ReceiveGuard { or: to, .. } => Some(to),
        _ => None,
    }
}

fn retarget(mut op: Op, with: impl Fn(u32) -> u32) -> Op {
    match &mut op {
        Op::Jump { to }
        | Op::JumpIfZero { to, .. }
        | Op::JumpIfNotZero { to, .. }
        | Op::SendGuard { or: to, .. }
        | Op::ReceiveGuard { or: to, .. } => *to = with(*to),
        _ => {}
    }
    op
}

impl Routine {
    /// Cuts the code that starts at an instruction out of a machine's.
    pub fn read(code: &[Op], entry: u32) -> Routine {
        let mut seen = vec![entry];
        let mut open = vec![entry];
        let mut known: rustc_hash::FxHashSet<u32> = seen.iter().copied().collect();
        while let Some(at) = open.pop() {
            let next = next(code[at as usize]);
            let on = next.on.then_some(at + 1);
            for to in on.into_iter().chain(next.to.map(|to| to as u32)) {
                if known.insert(to) {
                    seen.push(to);
                    open.push(to);
                }
            }
        }
        seen.sort_unstable();
        let place = |at: u32| seen.partition_point(|&pc| pc < at) as u32;
        let shift = u32::from(seen[0] != entry);
        let mut ops = Vec::with_capacity(seen.len() + 1);
        if shift == 1 {
            ops.push(Op::Jump { to: place(entry) + shift });
        }
        ops.extend(seen.iter().map(|&pc| retarget(code[pc as usize], |to| place(to) + shift)));
        Routine { ops }
    }

    /// Appends the code to a machine's; its first instruction there.
    pub fn write(&self, code: &mut Vec<Op>) -> u32 {
        let start = code.len() as u32;
        code.extend(self.ops.iter().map(|&op| retarget(op, |to| to + start)));
        start
    }

    /// The instructions that may come after one.
    pub fn after(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let next = next(self.ops[at]);
        next.on.then_some(at + 1).into_iter().chain(next.to)
    }

    /// Whether control can go back: a loop inside an indivisible sequence.
    pub fn loops(&self) -> bool {
        self.ops.iter().enumerate().any(|(at, &op)| next(op).to.is_some_and(|to| to <= at))
    }

    /// Changes instructions, and takes out what cannot be reached any more and jumps to the next
    /// instruction.
    pub fn edit(&mut self, mut change: impl FnMut(usize, Op) -> Edit) {
        let mut places = Vec::with_capacity(self.ops.len() + 1);
        let mut ops: Vec<Op> = Vec::with_capacity(self.ops.len());
        for (at, &op) in self.ops.iter().enumerate() {
            places.push(ops.len() as u32);
            match change(at, op) {
                Edit::Keep => ops.push(op),
                Edit::Remove => {}
                Edit::Replace(other) => ops.push(other),
                Edit::Before(more) => {
                    ops.extend(more);
                    ops.push(op);
                }
            }
        }
        places.push(ops.len() as u32);
        // Targets still name the old instructions; those put in do not jump.
        let ops: Vec<Op> = ops.iter().map(|&op| retarget(op, |to| places[to as usize])).collect();
        *self = Routine { ops };
        self.tidy();
    }

    fn tidy(&mut self) {
        loop {
            *self = Routine::read(&self.ops, 0);
            let useless = |at: usize, op: Op| {
                matches!(op, Op::Jump { .. } | Op::JumpIfZero { .. } | Op::JumpIfNotZero { .. })
                    && next(op).to == Some(at + 1)
            };
            if !self.ops.iter().enumerate().any(|(at, &op)| useless(at, op)) {
                return;
            }
            let mut places = Vec::with_capacity(self.ops.len());
            let mut count = 0;
            for (at, &op) in self.ops.iter().enumerate() {
                places.push(count);
                count += u32::from(!useless(at, op));
            }
            let kept = self.ops.iter().enumerate().filter(|&(at, &op)| !useless(at, op));
            let ops = kept.map(|(_, &op)| retarget(op, |to| places[to as usize])).collect();
            *self = Routine { ops };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_cut_out_changed_and_put_back() {
        let code = [
            Op::Done,
            Op::Const { d: 0, value: 1 },
            Op::JumpIfZero { a: 0, to: 5 },
            Op::Commit,
            Op::Done,
            Op::Blocked { site: 0 },
        ];
        let mut routine = Routine::read(&code, 1);
        assert_eq!(routine.ops.len(), 5);
        assert_eq!(routine.ops[1], Op::JumpIfZero { a: 0, to: 4 });
        let mut out = vec![Op::Done];
        assert_eq!(routine.write(&mut out), 1);
        assert_eq!(out, code);
        // Without the jump, nothing blocks.
        routine.edit(|at, _| if at <= 1 { Edit::Remove } else { Edit::Keep });
        assert_eq!(routine.ops, [Op::Commit, Op::Done]);
        routine.edit(|_, op| match op {
            Op::Done => Edit::Before(vec![Op::Const { d: 0, value: 0 }]),
            _ => Edit::Keep,
        });
        assert_eq!(routine.ops, [Op::Commit, Op::Const { d: 0, value: 0 }, Op::Done]);
    }

    #[test]
    fn jumps_to_the_next_instruction_vanish() {
        let code = [
            Op::Const { d: 0, value: 7 },
            Op::JumpIfZero { a: 0, to: 4 },
            Op::Const { d: 1, value: 1 },
            Op::Jump { to: 5 },
            Op::Const { d: 1, value: 2 },
            Op::Done,
        ];
        let mut routine = Routine::read(&code, 0);
        routine.edit(|_, op| match op {
            Op::Const { d: 1, .. } => Edit::Remove,
            _ => Edit::Keep,
        });
        assert_eq!(routine.ops, [Op::Const { d: 0, value: 7 }, Op::Done]);
    }
}
