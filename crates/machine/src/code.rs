//! The register bytecode of guards and effects.
//!
//! Instructions have a fixed size and lie in one array; a transition names its first one. The code
//! of a transition starts on the source state, which it only reads. [`Op::Commit`] is the point of
//! no return: from there on reads and writes go to the target. A transition that reaches
//! [`Op::Blocked`] before the commit is not executable.

use crate::layout::Field;

/// A register; each holds a 32-bit signed integer.
pub type Reg = u8;

/// Number of registers.
pub const REGISTERS: usize = 256;

/// Which record a field belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The global variables.
    Global,
    /// The variables of the executing process.
    Local,
    /// The hidden variables, carried along but not part of the state.
    Hidden,
}

/// A place in the source that can raise a fault: index into [`Machine::sites`](crate::Machine).
pub type SiteId = u32;

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-a`, wrapping.
    Neg,
    /// 1 if zero, else 0.
    Not,
    /// All bits flipped.
    Complement,
    /// 0 if zero, else 1.
    Truth,
}

/// Infix operators on 32-bit integers; arithmetic wraps, comparisons give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Mul,
    /// The divisor was tested by [`Op::NonZero`].
    Div,
    /// The divisor was tested by [`Op::NonZero`].
    Rem,
    Add,
    Sub,
    /// Shift counts are taken modulo 32.
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
}

impl Binary {
    /// The value of `a op b`.
    #[inline]
    pub fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            Binary::Mul => a.wrapping_mul(b),
            Binary::Div => a.wrapping_div(b),
            Binary::Rem => a.wrapping_rem(b),
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Shl => a.wrapping_shl(b as u32),
            Binary::Shr => a.wrapping_shr(b as u32),
            Binary::Lt => i32::from(a < b),
            Binary::Le => i32::from(a <= b),
            Binary::Gt => i32::from(a > b),
            Binary::Ge => i32::from(a >= b),
            Binary::Eq => i32::from(a == b),
            Binary::Ne => i32::from(a != b),
            Binary::And => a & b,
            Binary::Xor => a ^ b,
            Binary::Or => a | b,
        }
    }
}

impl Unary {
    /// The value of `op a`.
    #[inline]
    pub fn apply(self, a: i32) -> i32 {
        match self {
            Unary::Neg => a.wrapping_neg(),
            Unary::Not => i32::from(a == 0),
            Unary::Complement => !a,
            Unary::Truth => i32::from(a != 0),
        }
    }
}

/// What a channel probe asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Number of messages.
    Len,
    /// No room; false for a rendezvous channel.
    Full,
    /// No message.
    Empty,
    /// Room for a message; true for a rendezvous channel.
    NotFull,
    /// At least one message.
    NotEmpty,
}

/// How a receive looks for its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Number of places of the pattern.
    pub places: u8,
    /// Take the oldest message that matches instead of the first one only.
    pub random: bool,
    /// Bit `i`: place `i` must equal its register. Places from 64 on are never compared.
    pub compared: u64,
}

/// One instruction. Jump targets are absolute positions in the code array.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Op {
    Const {
        d: Reg,
        value: i32,
    },
    Move {
        d: Reg,
        a: Reg,
    },
    Unary {
        op: Unary,
        d: Reg,
        a: Reg,
    },
    Binary {
        op: Binary,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// `d += a * by`, to make the bit offset of an element.
    Scale {
        d: Reg,
        a: Reg,
        by: u32,
    },
    /// Raises a fault unless `0 <= a < count`.
    Bound {
        a: Reg,
        count: u32,
        site: SiteId,
    },
    /// Raises a fault if `a` is zero.
    NonZero {
        a: Reg,
        site: SiteId,
    },

    Load {
        d: Reg,
        space: Space,
        field: Field,
    },
    /// The field `at` bits further on.
    LoadAt {
        d: Reg,
        at: Reg,
        space: Space,
        field: Field,
    },
    Store {
        s: Reg,
        space: Space,
        field: Field,
    },
    StoreAt {
        s: Reg,
        at: Reg,
        space: Space,
        field: Field,
    },
    /// The field of process number `pid`, `at` bits further on; 0 if there is no such process of
    /// this proctype.
    LoadRemote {
        d: Reg,
        pid: Reg,
        at: Reg,
        proctype: u16,
        field: Field,
    },
    /// Whether process number `pid` is at the control state of this number; the proctype is not
    /// compared.
    AtState {
        d: Reg,
        pid: Reg,
        number: u32,
    },
    /// The lowest process of a proctype, or -1.
    FirstOf {
        d: Reg,
        proctype: u16,
    },

    Jump {
        to: u32,
    },
    JumpIfZero {
        a: Reg,
        to: u32,
    },
    JumpIfNotZero {
        a: Reg,
        to: u32,
    },

    Pid {
        d: Reg,
    },
    ProcessCount {
        d: Reg,
    },
    /// Whether nothing else in the system can move.
    Timeout {
        d: Reg,
    },
    /// Whether a statement that comes earlier in the location of the process can be executed.
    Moved {
        d: Reg,
    },
    /// The number of the control state of process `a`.
    PcValue {
        d: Reg,
        a: Reg,
    },
    Enabled {
        d: Reg,
        a: Reg,
        site: SiteId,
    },
    GetPriority {
        d: Reg,
        a: Reg,
    },
    SetPriority {
        a: Reg,
        value: Reg,
    },
    /// Makes a process; its arguments are in the registers from `first`.
    Run {
        d: Reg,
        proctype: u16,
        first: Reg,
        count: u8,
        priority: u8,
        site: SiteId,
    },
    /// The id of the `k`-th channel that the executing process owns.
    OwnChannel {
        d: Reg,
        k: u16,
    },

    Probe {
        d: Reg,
        c: Reg,
        probe: Probe,
        site: SiteId,
    },
    /// Whether a receive with this pattern would find a message; see [`Pattern`]. Only a place that is
    /// compared needs a field.
    Poll {
        d: Reg,
        c: Reg,
        first: Reg,
        pattern: u16,
        site: SiteId,
    },
    /// Goes to `or` unless the channel takes a message. On a rendezvous channel the sender offers
    /// the message in the registers from `first` and execution goes on with a receiver.
    SendGuard {
        c: Reg,
        first: Reg,
        count: u8,
        or: u32,
        site: SiteId,
    },
    /// Puts the message in.
    Send {
        c: Reg,
        first: Reg,
        count: u8,
        sorted: bool,
        site: SiteId,
    },
    /// Goes to `or` unless a message matches; remembers which one. The number of places is compared
    /// with that of the fields only then. A rendezvous channel has nothing to `copy`.
    ReceiveGuard {
        c: Reg,
        first: Reg,
        pattern: u16,
        copy: bool,
        or: u32,
        site: SiteId,
    },
    /// A field of the message that the guard found.
    ReceiveField {
        d: Reg,
        c: Reg,
        field: u8,
    },
    /// Takes the message out.
    ReceiveTake {
        c: Reg,
    },

    Commit,
    Done,
    /// Before the commit: the statement is not executable. After it: an indivisible sequence is
    /// stuck in the middle, a fault that stops the run.
    Blocked {
        site: SiteId,
    },
    /// A fault that does not stop the run.
    Assert {
        a: Reg,
        site: SiteId,
    },
    /// Text of a `printf`: index into [`Machine::formats`](crate::Machine).
    Print {
        format: u32,
        first: Reg,
        count: u8,
    },
}
