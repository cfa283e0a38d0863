//! The syntax tree of a Promela model, with names resolved.
//!
//! Inlines are expanded and variables, labels, proctypes and fields are indices: what is left is
//! what the control-flow translation needs. Source places are kept on every node.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::{Diagnostic, Span};

/// Declares index types for the arenas of [`Model`] and [`Proctype`].
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// The position in the arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
ids!(
    /// Index into [`Model::vars`].
    VarId,
    /// Index into [`Model::typedefs`].
    TypeId,
    /// Index into [`Model::mtypes`].
    MtypeId,
    /// Index into [`Model::proctypes`].
    ProcId,
    /// Index into [`Proctype::labels`] of the proctype (or claim) it occurs in.
    LabelId
);

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// All variables, global, local, parameters and hidden loop counters.
    pub vars: Vec<Var>,
    /// The global variables in order of declaration.
    pub globals: Vec<VarId>,
    /// Structure types in order of declaration.
    pub typedefs: Vec<TypeDef>,
    /// Sets of symbolic names: index 0 is the plain `mtype` (possibly empty), then one a subtype.
    pub mtypes: Vec<MtypeSet>,
    /// Proctypes and init processes in textual order.
    pub proctypes: Vec<Proctype>,
    /// `never` claims, in textual order.
    pub never: Vec<Proctype>,
    /// `ltl` blocks, in textual order.
    pub ltl: Vec<Ltl>,
    /// `ltl` blocks that are no formulas; a warning says so.
    pub refused_ltl: Vec<RefusedLtl>,
    /// `trace` and `notrace` assertions.
    pub traces: Vec<TraceAssertion>,
    /// Embedded C outside of proctypes.
    pub c_units: Vec<CUnit>,
    /// The inlines, in textual order; their calls are expanded.
    pub inlines: Vec<Inline>,
    /// Names in the bodies of macros. Formulas that are kept outside of the model use macros to
    /// talk about it, so these names may be used although nothing in the model does.
    pub mentioned: BTreeSet<String>,
    /// How constants are written that are no numbers, `NONE` or `true`, by their place and value. A place in an
    /// inline stands for several calls; `None` if they differ.
    pub spellings: BTreeMap<(Span, i32), Option<String>>,
}

/// An inline.
#[derive(Clone, Debug)]
pub struct Inline {
    /// Its name.
    pub name: String,
    /// Where.
    pub span: Span,
    /// Whether it is called anywhere.
    pub called: bool,
}

/// The type of a scalar, an array element or a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned x : w`
    Unsigned(u8),
    /// `mtype` or `mtype:name`
    Mtype(MtypeId),
    /// `chan`
    Chan,
    /// A typedef.
    Struct(TypeId),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// Where it is declared (the name).
    pub span: Span,
    /// Its element type.
    pub ty: Type,
    /// Number of elements; `None` for a scalar. `byte a[1]` is an array.
    pub array: Option<u32>,
    /// Initial value.
    pub init: Init,
    /// `None` for a global variable.
    pub owner: Owner,
    /// A word before the declaration.
    pub prefix: Prefix,
    /// Made by the parser (the counter of `for (m in q)`), never shown.
    pub synthetic: bool,
}

/// To whom a variable belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Global.
    Model,
    /// A proctype: parameter or local.
    Proctype(ProcId),
    /// A never claim or trace assertion.
    Claim,
}

/// `hidden`, `local`, `show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Prefix {
    /// No prefix.
    #[default]
    None,
    /// Not part of the state.
    Hidden,
    /// Promised to be used by one process only.
    Local,
    /// Shown in charts; no meaning for the search.
    Show,
}

/// How a variable starts.
#[derive(Clone, Debug, Default)]
pub enum Init {
    /// Zero, or no channel.
    #[default]
    None,
    /// The value of an expression; all elements of an array get it.
    Expr(Expr),
    /// A list; a short one repeats its last value.
    List(Vec<i32>),
    /// A new channel; one an element for an array.
    Channel(ChannelInit),
}

/// `[capacity] of { fields }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelInit {
    /// Number of messages; 0 is a rendezvous channel.
    pub capacity: u32,
    /// Field types as written; a typedef stands for its fields in order.
    pub fields: Vec<Type>,
}

/// `typedef name { fields }`
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Its name.
    pub name: String,
    /// Where.
    pub span: Span,
    /// Its fields.
    pub fields: Vec<FieldDef>,
}

/// A field of a typedef.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// Its name.
    pub name: String,
    /// Where.
    pub span: Span,
    /// Its element type.
    pub ty: Type,
    /// Number of elements; `None` for a scalar.
    pub array: Option<u32>,
    /// Initial value in every variable of the type.
    pub init: Init,
}

/// The names of `mtype` or of one subtype.
#[derive(Clone, Debug, Default)]
pub struct MtypeSet {
    /// Empty for plain `mtype`.
    pub name: String,
    /// `names[i]` has the value `i + 1`.
    pub names: Vec<String>,
    /// Where each name is declared.
    pub spans: Vec<Span>,
}

/// A proctype, an `init`, or the body of a claim.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name; `init` for an init process.
    pub name: String,
    /// The place of the name.
    pub span: Span,
    /// Number of instances at the start: 1 for `init`, 0 without `active`.
    pub active: u32,
    /// Whether it is an `init` process.
    pub is_init: bool,
    /// `D_proctype`
    pub deterministic: bool,
    /// Parameters in order (scalars or typedefs).
    pub params: Vec<VarId>,
    /// All other local variables in order of declaration, at any depth.
    pub locals: Vec<VarId>,
    /// How many of `locals` stand before the first statement of the body: they get their initial
    /// value when the process is made. The others have a [`StmtKind::Decl`].
    pub startup: usize,
    /// `priority n`
    pub priority: Option<u32>,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// Its labels; a name may occur several times (blocks, inlines).
    pub labels: Vec<LabelDef>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// The place of the closing brace: where the process ends.
    pub end: Span,
    /// How many proctypes and claims stand before it in the text.
    pub position: usize,
}

/// A label.
#[derive(Clone, Debug)]
pub struct LabelDef {
    /// Its name.
    pub name: String,
    /// Where.
    pub span: Span,
}

/// `ltl name { formula }`
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Its name; `ltl_0`, `ltl_1`, ... if it has none.
    pub name: String,
    /// Where.
    pub span: Span,
    /// The formula: [`ExprKind::Temporal`] nodes over state expressions.
    pub formula: Expr,
}

/// An `ltl` block that is no formula.
#[derive(Clone, Debug)]
pub struct RefusedLtl {
    /// Its name, as for others.
    pub name: String,
    /// Where.
    pub span: Span,
    /// What is wrong; at least one error.
    pub errors: Vec<Diagnostic>,
}

/// `trace { }` or `notrace { }`
#[derive(Clone, Debug)]
pub struct TraceAssertion {
    /// Whether it is a `notrace`.
    pub negated: bool,
    /// Its automaton.
    pub body: Proctype,
}

/// Embedded C outside of proctypes.
#[derive(Clone, Debug)]
pub struct CUnit {
    /// Which.
    pub kind: CUnitKind,
    /// Where.
    pub span: Span,
}

/// The kinds of embedded C outside of proctypes.
#[derive(Clone, Debug)]
pub enum CUnitKind {
    /// `c_decl { text }`
    Decl(String),
    /// `c_code { text }` at top level.
    Code(String),
    /// `c_state "decl" "scope" ["init"]`, strings without quotes.
    State {
        /// For example `int n`.
        decl: String,
        /// `Global`, `Hidden` or `Local P`.
        scope: String,
        /// Initial value.
        init: Option<String>,
    },
    /// `c_track "object" "size" ["mode"]`
    Track {
        /// For example `&g`.
        object: String,
        /// For example `sizeof(int)`.
        size: String,
        /// `Matched`, `UnMatched`, `StackOnly`.
        mode: Option<String>,
    },
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands, without its labels.
    pub span: Span,
    /// The labels before it, in order.
    pub labels: Vec<LabelId>,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A declaration that is executed: the variable gets its initial value (0 if it has none).
    Decl(VarId),
    /// `xr` (or `xs`) of channels: costs no step.
    Exclusive {
        /// `true` for `xs`.
        send: bool,
        /// The channels.
        channels: Vec<VarRef>,
    },
    /// `q!e,...` or `q!!e,...`
    Send {
        /// The channel.
        channel: VarRef,
        /// The message; a typedef variable stands for its fields in order.
        args: Vec<Expr>,
        /// `!!`
        sorted: bool,
    },
    /// `q?...`, `q??...`, `q?<...>`
    Receive {
        /// The channel.
        channel: VarRef,
        /// The pattern; a typedef variable stands for its fields in order.
        args: Vec<RecvArg>,
        /// `??`
        random: bool,
        /// `< >`: the message stays.
        copy: bool,
    },
    /// `x = e`
    Assign(Target, Expr),
    /// `x++`
    Increment(VarRef),
    /// `x--`
    Decrement(VarRef),
    /// `assert e`
    Assert(Expr),
    /// An expression as a condition; also `skip` (the constant 1) and `run`.
    Expr(Expr),
    /// `else`
    Else,
    /// `goto`
    Goto(LabelId),
    /// `break`
    Break,
    /// `if :: ... fi`
    If(Vec<Vec<Stmt>>),
    /// `do :: ... od`
    Do(Vec<Vec<Stmt>>),
    /// `{ ... }`, also the body of an expanded inline.
    Block {
        /// The statements.
        body: Vec<Stmt>,
        /// The name of the inline this is a call of.
        inline: Option<String>,
    },
    /// `atomic { ... }`
    Atomic(Vec<Stmt>),
    /// `d_step { ... }`
    DStep(Vec<Stmt>),
    /// `main unless escape`
    Unless(Box<Stmt>, Box<Stmt>),
    /// `for ( ... ) { ... }`
    For {
        /// The loop variable (for a channel: the message variable).
        var: VarRef,
        /// What it runs over.
        over: ForRange,
        /// The body.
        body: Vec<Stmt>,
    },
    /// `select (v : from .. to)`
    Select {
        /// The variable.
        var: VarRef,
        /// Lowest value.
        from: Expr,
        /// Highest value.
        to: Expr,
        /// `true`: a choice of assignments `if :: v = from ... fi`; `false`: the loop form.
        choice: bool,
    },
    /// `printf`; the format with its escapes still in it, without quotes.
    Printf(String, Vec<Expr>),
    /// `printm`
    Printm(Expr),
    /// `set_priority(p, n)`
    SetPriority(Expr, Expr),
    /// `c_code [precondition] { text }`
    CCode {
        /// Must hold, or it is an error.
        precondition: Option<String>,
        /// The C text.
        text: String,
    },
    /// A `c_code` that was understood: its meaning in Promela, as one step that is always possible.
    /// The parser never makes it.
    CStep {
        /// Must hold, or it is an error and the body is passed over.
        precondition: Option<Expr>,
        /// The C text.
        text: String,
        /// What it does.
        body: Vec<Stmt>,
    },
}

/// What a `for` runs over.
#[derive(Clone, Debug)]
pub enum ForRange {
    /// `v : from .. to`
    Values(Expr, Expr),
    /// `v in array`: 0 to size - 1.
    Array(u32),
    /// `m in q`: rotates the channel.
    Channel {
        /// The channel.
        channel: VarRef,
        /// The hidden counter.
        counter: VarId,
    },
}

/// Where a value goes.
#[derive(Clone, Debug)]
pub enum Target {
    /// A variable.
    Var(VarRef),
    /// `_`
    Discard(Span),
    /// `_priority`: the priority of the executing process.
    Priority(Span),
}

/// One place of a receive pattern.
#[derive(Clone, Debug)]
pub enum RecvArg {
    /// A variable to assign to.
    Var(VarRef),
    /// `_`
    Any(Span),
    /// A constant, possibly negated; also a symbolic name.
    Const(Expr),
    /// `eval(e)`
    Eval(Expr),
}

/// A reference to a variable, an element, a field.
#[derive(Clone, Debug)]
pub struct VarRef {
    /// The variable.
    pub var: VarId,
    /// The index behind the variable's name.
    pub index: Option<Box<Expr>>,
    /// `.field[index]`, outermost first.
    pub fields: Vec<FieldRef>,
    /// Where.
    pub span: Span,
}

/// One `.field[index]`.
#[derive(Clone, Debug)]
pub struct FieldRef {
    /// Position in [`TypeDef::fields`].
    pub field: u32,
    /// The index.
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, character, `true`, `false`, `skip`.
    Const(i32),
    /// A symbolic name.
    Mtype(MtypeId, i32),
    /// A variable.
    Var(VarRef),
    /// `-e`, `!e`, `~e`
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(args) priority n`
    Run {
        /// Which.
        proctype: ProcId,
        /// The arguments; a typedef variable stands for its fields.
        args: Vec<Expr>,
        /// Its priority.
        priority: Option<u32>,
    },
    /// `len(q)`
    Len(VarRef),
    /// `full(q)` and so on.
    Probe(Probe, VarRef),
    /// `q?[...]`, `q??[...]`
    Poll {
        /// The channel.
        channel: VarRef,
        /// The pattern.
        args: Vec<RecvArg>,
        /// `??`
        random: bool,
    },
    /// `enabled(p)`
    Enabled(Box<Expr>),
    /// `pc_value(p)`
    PcValue(Box<Expr>),
    /// `get_priority(p)`
    GetPriority(Box<Expr>),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `_` in an event of a trace assertion: any value.
    Any,
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
    /// `P[e]@label`; the label as a name, since it may stand in several blocks.
    RemoteLabel {
        /// Which proctype.
        proctype: ProcId,
        /// Which instance; `None`: the lowest.
        index: Option<Box<Expr>>,
        /// The label.
        label: LabelId,
    },
    /// `P[e]:v[i]`
    RemoteVar {
        /// Which proctype.
        proctype: ProcId,
        /// Which instance; `None`: the lowest.
        index: Option<Box<Expr>>,
        /// The variable.
        var: VarId,
        /// The element.
        element: Option<Box<Expr>>,
    },
    /// `c_expr { text }`
    C {
        /// `c_expr [precondition]`
        precondition: Option<String>,
        /// The C text.
        text: String,
    },
    /// A temporal operator, only in `ltl` blocks.
    Temporal(TemporalOp, Vec<Expr>),
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Infix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl UnaryOp {
    /// The value for a constant.
    pub fn apply(self, a: i32) -> i32 {
        match self {
            UnaryOp::Neg => a.wrapping_neg(),
            UnaryOp::Not => i32::from(a == 0),
            UnaryOp::Complement => !a,
        }
    }
}

impl BinaryOp {
    /// The value for two constants; `None` where there is none, or C does not say.
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        let shift = u32::try_from(b).ok();
        Some(match self {
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div => a.checked_div(b)?,
            BinaryOp::Rem => a.checked_rem(b)?,
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Shl => a.checked_shl(shift?)?,
            BinaryOp::Shr => a.checked_shr(shift?)?,
            BinaryOp::Lt => i32::from(a < b),
            BinaryOp::Le => i32::from(a <= b),
            BinaryOp::Gt => i32::from(a > b),
            BinaryOp::Ge => i32::from(a >= b),
            BinaryOp::Eq => i32::from(a == b),
            BinaryOp::Ne => i32::from(a != b),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitOr => a | b,
            BinaryOp::And => i32::from(a != 0 && b != 0),
            BinaryOp::Or => i32::from(a != 0 || b != 0),
        })
    }
}

/// Channel probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    /// `full`
    Full,
    /// `empty`
    Empty,
    /// `nfull`
    NotFull,
    /// `nempty`
    NotEmpty,
}

/// Operators of linear temporal logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TemporalOp {
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `X`
    Next,
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `V`
    Release,
    /// `!`, of a formula with temporal operators
    Not,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Equivalent,
}
