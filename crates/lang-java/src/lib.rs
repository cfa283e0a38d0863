//! Java: class files and the library of the user's JDK, executed by a virtual machine whose states are
//! short vectors of words.
//!
//! [`Program`] is a program that can be run. [`run_once`] executes one path, the first thread that can
//! run at each moment, and gives what it printed.

#![forbid(unsafe_code)]

mod classfile;
mod code;
mod dynamic;
mod heap;
mod link;
mod load;
mod peers;
mod program;
mod vm;

pub use load::Jdk;
pub use program::{Options, Program, RunResult, run_once};
