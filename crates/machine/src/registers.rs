//! Which registers an instruction reads and writes.

use crate::code::{Op, Pattern, REGISTERS, Reg};

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegSet([u64; REGISTERS / 64]);

impl RegSet {
    /// Adds one.
    pub fn insert(&mut self, r: Reg) {
        self.0[usize::from(r) / 64] |= 1 << (r % 64);
    }

    /// Takes one out.
    pub fn remove(&mut self, r: Reg) {
        self.0[usize::from(r) / 64] &= !(1 << (r % 64));
    }

    /// Whether one is in it.
    pub fn contains(self, r: Reg) -> bool {
        self.0[usize::from(r) / 64] >> (r % 64) & 1 == 1
    }

    /// Adds `count` of them from `first` on.
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

    /// Adds all of another set; whether that changed anything.
    pub fn join(&mut self, other: RegSet) -> bool {
        let before = *self;
        for (mine, more) in self.0.iter_mut().zip(other.0) {
            *mine |= more;
        }
        *self != before
    }
}

impl Op {
    /// The registers that an instruction reads.
    pub fn sources(self, patterns: &[Pattern]) -> RegSet {
        let mut set = RegSet::default();
        match self {
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
            Op::Probe { c, .. } | Op::ReceiveField { c, .. } | Op::ReceiveTake { c } => {
                set.insert(c)
            }
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
            | Op::Moved { .. }
            | Op::OwnChannel { .. }
            | Op::Commit
            | Op::Done
            | Op::Blocked { .. } => {}
        }
        set
    }

    /// The register that an instruction sets.
    pub fn destination(self) -> Option<Reg> {
        match self {
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
            | Op::Moved { d }
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
}
