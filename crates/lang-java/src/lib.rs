//! Java: class files and the library of the user's JDK, executed by a virtual machine whose states are
//! short vectors of words.
//!
//! [`Program`] is a program that can be run, and a transition system: a step is one thread from one stop
//! to the next, where a stop is before anything that other threads can notice. [`run_once`] executes one path, the first thread that can
//! run at each moment, and gives what it printed.

mod assumptions;
mod classfile;
mod code;
mod conditions;
mod cover;
mod deadlocks;
mod describe;
mod directed;
mod dynamic;
mod extract;
mod heap;
mod library;
mod link;
mod load;
mod names;
mod natives;
mod outcomes;
mod peers;
mod program;
mod provoke;
mod races;
mod reductions;
mod reproduce;
mod spurious;
mod stateless;
mod system;
mod tests;
mod vm;

pub use conditions::Asked;
pub use cover::{Covered, Part};
pub use extract::Extracted;
pub use library::{LIBRARY, Provider};
pub use load::Jdk;
pub use names::sources_below;
pub use natives::unmodelled_natives;
pub use outcomes::{Outcome, Outcomes};
pub use program::{
    DEEPEST, Met, Options, Program, RunResult, Walked, class_name, has_main, is_on_class_path,
    jar_class_path, jar_main, run_once,
};
pub use provoke::Provoked;
pub use races::Recorded;
pub use reductions::{Numbering, Reductions};
pub use reproduce::Reproduction;
pub use system::JavaWorker;
pub use tests::{TEST_DRIVER, TestMethod, Tests, tests_in};
pub use vm::spurious::Spurious;
