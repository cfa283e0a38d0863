//! Java: class files and the library of the user's JDK, executed by a virtual machine whose states are
//! short vectors of words.
//!
//! [`Program`] is a program that can be run, and a transition system: a step is one thread from one stop
//! to the next, where a stop is before anything that other threads can notice. [`run_once`] executes one path, the first thread that can
//! run at each moment, and gives what it printed.

#![forbid(unsafe_code)]

mod assumptions;
mod classfile;
mod code;
mod cover;
mod deadlocks;
mod describe;
mod dynamic;
mod extract;
mod heap;
mod link;
mod load;
mod names;
mod outcomes;
mod peers;
mod program;
mod races;
mod reductions;
mod system;
mod vm;

/// The source of `everypath.Verify`, the library of choices, assumptions and atomic regions.
pub const VERIFY: &str = include_str!("../library/everypath/Verify.java");
/// The source of `gov.nasa.jpf.vm.Verify`, the same under the names that drivers for Java PathFinder use.
pub const JPF_VERIFY: &str = include_str!("../library/gov/nasa/jpf/vm/Verify.java");
/// The source of `org.sosy_lab.sv_benchmarks.Verifier`, under whose names the programs of the software
/// verification competition choose.
pub const SV_VERIFIER: &str = include_str!("../library/org/sosy_lab/sv_benchmarks/Verifier.java");

pub use cover::{Covered, Part};
pub use extract::{Extracted, Happened, Watched};
pub use load::Jdk;
pub use names::sources_below;
pub use outcomes::{Outcome, Outcomes};
pub use program::{
    Met, Options, Program, RunResult, Walked, class_name, has_main, jar_class_path, jar_main,
    run_once,
};
pub use races::Recorded;
pub use reductions::Reductions;
pub use system::JavaWorker;
