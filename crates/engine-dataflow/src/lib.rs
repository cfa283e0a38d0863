//! FLAVERS: properties of sequences of events, decided by data-flow analysis.
//!
//! [`inline`] puts all calls of a program in place. A [`Model`] has the threads, what may happen in
//! parallel, and the property. Its trace flow graph ([`tfg`]) has every run of the program among its paths,
//! and more; constraints rule out paths that no run can take. [`propagate`] finds out whether a path is left that
//! violates the property.

mod automata;
mod bits;
mod bounds;
mod ends;
pub mod execute;
mod graph;
mod inline;
mod locks;
mod meetings;
mod model;
mod monitors;
mod propagate;
mod refine;
mod simplify;
mod slice;
pub mod tfg;

pub use automata::{Automaton, Constraint, State};
pub use bounds::{Bounds, Cut};
pub use ends::endless_thread;
pub use graph::{Graph, Kind, Node, NodeId, Thread, ThreadId, Variable};
pub use inline::{Refused, inline};
pub use model::{Answer, Model, Options, Phases};
pub use propagate::{Effort, Propagated, Runs, Visit, propagate};
pub use refine::{Refined, Round, refine};
