//! What can be chosen for a check: the values of options, as data.

use std::time::Duration;

use everypath_model::Named;
use everypath_render::units::parse_duration;

/// Which cycles are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CyclesArg {
    /// Those without a progress label.
    Progress,
    /// Those with an accept label.
    Accept,
}

impl Named for CyclesArg {
    const ALL: &'static [(CyclesArg, &'static str, &'static str)] = &[
        (CyclesArg::Progress, "progress", "Cycles without a progress label"),
        (CyclesArg::Accept, "accept", "Cycles with an accept label"),
    ];
}

/// What is assumed of the choice between processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FairArg {
    /// Nothing.
    None,
    /// A process that can always move does so again and again.
    Weak,
    /// A statement that can be executed again and again is executed again and again.
    Strong,
}

impl Named for FairArg {
    const ALL: &'static [(FairArg, &'static str, &'static str)] = &[
        (FairArg::None, "none", "Nothing"),
        (FairArg::Weak, "weak", "No process that can always move is ignored for ever"),
        (
            FairArg::Strong,
            "strong",
            "No statement that can be executed infinitely often is ignored for ever",
        ),
    ];
}

/// `--search`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchArg {
    /// Breadth first; now and then others look around for a while: depth first, directed, for Java run by run.
    Auto,
    /// Breadth first alone.
    Bfs,
    /// Depth first.
    Dfs,
    /// Nearest to a violation first: by the control flow to assertions and to what invariants read, and by
    /// how many processes can still move.
    Directed,
    /// Random runs, each up to --depth (10,000) steps.
    Random,
    /// Depth-first searches with small tables, each with an order, a hash and a depth of its own.
    Swarm,
    /// One run at a time, of those that differ in the order of independent steps only one (dynamic partial-order
    /// reduction); each up to --depth (10,000) steps. For Java programs whose states do not repeat.
    Stateless,
}

impl Named for SearchArg {
    const ALL: &'static [(SearchArg, &'static str, &'static str)] = &[
        (
            SearchArg::Auto,
            "auto",
            "Breadth first, with short searches in other orders now and then: depth first, directed, and for Java stateless",
        ),
        (SearchArg::Bfs, "bfs", "Breadth first only"),
        (SearchArg::Dfs, "dfs", "Depth first"),
        (
            SearchArg::Directed,
            "directed",
            "States close to a violation first: by the distance to assertions and to what invariants read, and by the number of processes that can still move",
        ),
        (SearchArg::Random, "random", "Random runs of up to --depth (10,000) steps"),
        (
            SearchArg::Swarm,
            "swarm",
            "Many depth-first searches with small tables, each with its own order, hash and depth",
        ),
        (
            SearchArg::Stateless,
            "stateless",
            "One run at a time, up to --depth (10,000) steps; runs that differ only in the order of independent steps are followed once (dynamic partial-order reduction). For Java programs whose states do not repeat",
        ),
    ];
}

/// `--hashing`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashingArg {
    /// Three or four in one cache line, more of them two and two.
    Paired,
    /// At equal distances.
    Double,
    /// At distances that grow by 1, 2, 3 and so on.
    Enhanced,
    /// At distances that grow by a part of the hash.
    Triple,
}

impl Named for HashingArg {
    const ALL: &'static [(HashingArg, &'static str, &'static str)] = &[
        (
            HashingArg::Paired,
            "paired",
            "Three or four positions in one cache line; more of them in pairs",
        ),
        (HashingArg::Double, "double", "Positions at equal distances (double hashing)"),
        (
            HashingArg::Enhanced,
            "enhanced",
            "Distances that grow by 1, 2, 3 and so on (enhanced double hashing)",
        ),
        (
            HashingArg::Triple,
            "triple",
            "Distances that grow by a part of the hash (triple hashing)",
        ),
    ];
}

/// `--engine`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineArg {
    /// All states.
    Search,
    /// The flow graph.
    Flow,
}

impl Named for EngineArg {
    const ALL: &'static [(EngineArg, &'static str, &'static str)] = &[
        (EngineArg::Search, "search", "Explores all states"),
        (EngineArg::Flow, "flow", "Analyses the flow graph"),
    ];
}

/// `--exec`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecArg {
    /// Native code, once a model turns out to be large enough to be worth it.
    Jit,
    /// The reference interpreter.
    Interp,
}

impl Named for ExecArg {
    const ALL: &'static [(ExecArg, &'static str, &'static str)] = &[
        (
            ExecArg::Jit,
            "jit",
            "Compiles the model to native code, once it turns out to be large enough",
        ),
        (ExecArg::Interp, "interp", "Interprets the model"),
    ];
}

/// `--heap`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeapArg {
    /// In the order in which they are reached: where objects are does not tell states apart.
    #[default]
    Reached,
    /// By the instructions that made them, each with a count: what was made in another order is told apart.
    Sites,
}

impl Named for HeapArg {
    const ALL: &'static [(HeapArg, &'static str, &'static str)] = &[
        (
            HeapArg::Reached,
            "reached",
            "Numbers objects in the order in which they are reached, so that states do not depend on where objects lie",
        ),
        (
            HeapArg::Sites,
            "sites",
            "Numbers objects by the instruction that made them, with a count: states that differ in the order of creation are different",
        ),
    ];
}

/// `--reduce`
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReduceArg {
    /// Every state and every interleaving.
    None,
    /// Those that are in use if none is named: constants, slice, merge, dead and stubborn.
    Default,
    /// Variables that never change are replaced by their values.
    Constants,
    /// Variables on which nothing depends are not kept.
    Slice,
    /// What a process does with its own variables alone belongs to the step before.
    Merge,
    /// Local variables that will not be read any more are set to 0.
    Dead,
    /// Of steps that do not disturb each other one order is taken: those of a process that nobody else
    /// ever disturbs come first.
    Ample,
    /// The same, and stronger: steps that nobody can disturb any more from where the processes are.
    Stubborn,
    /// Of states that differ only in which of several equal processes is which, one is kept.
    Symmetry,
    /// Others are looked at only where a process has done what belongs together: locks and what they
    /// protect tell. Keeps assertions and other faults; deadlocks and invariants are not checked.
    Transactions,
    /// Java: what a thread does with objects that no other thread can reach belongs to the step before.
    Local,
    /// Java: so does reading fields that nobody writes once others can reach them.
    Constant,
    /// Java: so do accesses to fields by threads that have the lock that all of them have.
    Locks,
    /// Java: calls of java.util.concurrent that are atomic by their documentation are one step.
    Library,
}

impl Named for ReduceArg {
    const ALL: &'static [(ReduceArg, &'static str, &'static str)] = &[
        (ReduceArg::None, "none", "No reduction: every state and every interleaving"),
        (
            ReduceArg::Default,
            "default",
            "The reductions used by default: constants, slice, merge, dead and stubborn",
        ),
        (ReduceArg::Constants, "constants", "Replaces variables that never change by their values"),
        (ReduceArg::Slice, "slice", "Drops variables on which nothing depends"),
        (
            ReduceArg::Merge,
            "merge",
            "Joins steps that only touch variables of their process with the step before",
        ),
        (ReduceArg::Dead, "dead", "Sets local variables that will not be read again to 0"),
        (
            ReduceArg::Ample,
            "ample",
            "Takes independent steps in one order only: those of a process that no other process ever disturbs come first",
        ),
        (
            ReduceArg::Stubborn,
            "stubborn",
            "The same, but stronger: steps that no other process can disturb from its present location",
        ),
        (
            ReduceArg::Symmetry,
            "symmetry",
            "Keeps one of several states that differ only in the order of identical processes",
        ),
        (
            ReduceArg::Transactions,
            "transactions",
            "Interrupts processes only between transactions, which follow from locks and what they protect. Keeps assertions and other faults; deadlocks and invariants are not checked",
        ),
        (
            ReduceArg::Local,
            "local",
            "Java: joins steps that only touch objects no other thread can reach",
        ),
        (
            ReduceArg::Constant,
            "constant",
            "Java: joins reads of fields that are never written once they are shared",
        ),
        (ReduceArg::Locks, "locks", "Java: joins accesses to fields that one lock always protects"),
        (
            ReduceArg::Library,
            "library",
            "Java: executes calls of java.util.concurrent that are documented as atomic in one step",
        ),
    ];
    const SHORT: &'static [(&'static str, &'static str)] =
        &[("por", "stubborn"), ("sym", "symmetry")];
}

/// `--guide`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuideArg {
    /// Races, memory that no lock protects, and orders of locks.
    Races,
}

impl Named for GuideArg {
    const ALL: &'static [(GuideArg, &'static str, &'static str)] =
        &[(GuideArg::Races, "races", "Races, unprotected memory and lock orders")];
}

/// `--heuristic`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeuristicArg {
    /// States in which many threads are blocked.
    MostBlocked,
    /// Runs whose last steps switch between many threads.
    Interleaving,
    /// Java: runs with few choices of the program (Verify) and few waits that end because time passed.
    ChooseFree,
    /// Java: threads near the places of what `everypath races` warns about.
    Warning,
}

impl Named for HeuristicArg {
    const ALL: &'static [(HeuristicArg, &'static str, &'static str)] = &[
        (HeuristicArg::MostBlocked, "most-blocked", "States with many blocked threads first"),
        (
            HeuristicArg::Interleaving,
            "interleaving",
            "Runs that recently switched between many threads first",
        ),
        (
            HeuristicArg::ChooseFree,
            "choose-free",
            "Java: runs with few choices (Verify) and few timeouts first",
        ),
        (
            HeuristicArg::Warning,
            "warning",
            "Java: threads near the places that `everypath races` warns about first",
        ),
    ];
}

impl HeuristicArg {
    /// Whether only Java programs have it.
    pub fn of_java(self) -> bool {
        matches!(self, HeuristicArg::ChooseFree | HeuristicArg::Warning)
    }
}

/// `--proviso`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvisoArg {
    /// Some step taken leads to a state that is still in the queue, or that is not on the stack.
    Open,
    /// All steps taken do.
    AllOpen,
    /// Some step taken leads to a new state.
    New,
    /// No step taken closes a cycle of the control flow of its process.
    Sticky,
}

impl Named for ProvisoArg {
    const ALL: &'static [(ProvisoArg, &'static str, &'static str)] = &[
        (
            ProvisoArg::Open,
            "open",
            "Some step leads to a state that is still in the queue, or that is not on the stack",
        ),
        (ProvisoArg::AllOpen, "all-open", "All steps do"),
        (ProvisoArg::New, "new", "Some step leads to a new state"),
        (ProvisoArg::Sticky, "sticky", "No step closes a cycle in the control flow of its process"),
    ];
}

/// A value of `--checkpoint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointArg {
    /// None.
    Never,
    /// One each time.
    Every(Duration),
}

/// Reads a time or `never`.
pub fn parse_checkpoint(text: &str) -> Result<CheckpointArg, String> {
    match text {
        "never" => Ok(CheckpointArg::Never),
        _ => match parse_duration(text) {
            Ok(time) => Ok(CheckpointArg::Every(time)),
            Err(why) => Err(format!("{why}, or never")),
        },
    }
}
