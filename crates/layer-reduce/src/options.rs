//! What kind of reduction is wanted.

/// How steps are chosen.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which sets of steps are looked for.
    pub method: Method,
    /// What a property can tell apart, besides the invariants of the machine.
    pub visible: Vec<Visible>,
    /// The property is one of endless runs: steps that it can see are never chosen alone.
    pub live: bool,
    /// No chosen step closes a cycle of the control flow of a process, so that the search needs no
    /// proviso of its own.
    pub sticky: bool,
}

/// Which sets of steps are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// All steps of one process that nobody else ever interferes with.
    Ample,
    /// Steps that nobody else can interfere with any more from where the processes are.
    #[default]
    Stubborn,
}

/// Something that a property can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visible {
    /// The value of an expression: code of the machine, as of an invariant.
    Expression(u32),
    /// Whether a process is at an accept label.
    AcceptLabels,
    /// Whether a process is at a progress label.
    ProgressLabels,
}
