//! Machines made smaller: passes from [`Machine`] to [`Machine`] that keep every verdict.
//!
//! A pass changes code, flags and edges; transitions keep their numbers, so that a run of the smaller
//! machine is a run of the machine as it was: the same statements of the same processes, with nothing
//! left out. Names, places and values are told by the machine as it was.

mod bits;
mod constants;
mod dead;
mod env;
mod interval;
mod local;
mod merge;
mod otherwise;
mod program;
mod ranges;
mod registers;
mod routine;
mod slice;
mod transfer;
mod variables;

use everypath_machine::Machine;

use program::Program;

/// A way to make a machine smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pass {
    /// Values that never change take the place of variables; what they make impossible goes.
    Constants,
    /// Variables on which nothing depends are not assigned any more.
    Slice,
    /// Statements that concern the process alone belong to the step before them.
    Merge,
    /// Local variables whose value nobody will read are zero.
    Dead,
}

impl Pass {
    /// All passes, in the order in which they work best.
    pub const ALL: [Pass; 4] = [Pass::Constants, Pass::Slice, Pass::Merge, Pass::Dead];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Constants => "constants",
            Pass::Slice => "slice",
            Pass::Merge => "merge",
            Pass::Dead => "dead",
        }
    }

    /// Whether a shortest run of the smaller machine is a shortest run.
    pub fn keeps_lengths(self) -> bool {
        self != Pass::Merge
    }
}

/// Whose variable it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The global record.
    Globals,
    /// The processes of a proctype.
    Processes(u16),
}

/// What a property looks at besides assertions, faults, deadlocks and the invariants of the machine.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Variables, by their first bit.
    pub variables: Vec<(Owner, u32)>,
    /// Control states, by proctype and number.
    pub locations: Vec<(u16, u32)>,
}

/// Makes a machine smaller. Every assertion, fault, deadlock and invariant has the same verdict, and
/// so has every temporal property of what is observed that does not ask for the next state.
pub fn optimise(machine: &Machine, passes: &[Pass], observed: &Observed) -> Machine {
    let mut program = Program::new(machine);
    let wanted = |pass: Pass| passes.contains(&pass);
    if wanted(Pass::Constants) {
        constants::fold(&mut program, machine, observed);
    }
    if wanted(Pass::Slice) {
        while slice::slice(&mut program, observed) {}
    }
    if wanted(Pass::Merge) {
        merge::merge(&mut program, observed);
    }
    if wanted(Pass::Dead) {
        dead::reset(&mut program, observed);
    }
    program.into_machine()
}
