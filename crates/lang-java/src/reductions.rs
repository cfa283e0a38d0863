//! Which accesses of threads are steps that others may come before.

/// What the steps of a program leave out. Verdicts and outcomes are the same with and without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// What a thread does with objects that no other thread can reach needs no step.
    pub local: bool,
    /// Nor does reading fields that nobody writes once others can reach them.
    pub constant: bool,
    /// Nor do accesses to fields by threads that have the lock that all of them have.
    pub locks: bool,
    /// Calls of java.util.concurrent that are atomic by their documentation are one step.
    pub library: bool,
}

impl Reductions {
    /// All of them.
    pub const ALL: Reductions =
        Reductions { local: true, constant: true, locks: true, library: true };

    /// What one run needs: nothing is assumed that could turn out to be wrong.
    pub const LOCAL: Reductions =
        Reductions { local: true, constant: false, locks: false, library: false };

    /// Every access is a step.
    pub const NONE: Reductions =
        Reductions { local: false, constant: false, locks: false, library: false };
}

/// How the objects of a state are numbered. Verdicts and outcomes are the same with both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbering {
    /// In the order in which they are reached: states that differ only in the places of objects are one.
    #[default]
    Reached,
    /// By the instructions that made them: states that differ in the order in which objects were made are
    /// different ones.
    Sites,
}
