//! Native code for machines: a second executor that takes the same steps as the
//! [`Interpreter`](everypath_machine::Interpreter), only faster.
//!
//! Each proctype becomes one function (`compile`): it tries the statements of the location of a
//! process in order (`location`) and writes the steps of those that can be executed straight into
//! the caller's arena (`target`). What is rare stays with the interpreter, location by
//! location; so do the names, places and the replay of runs. Both executors must agree on every
//! step of every state, with its order and its changed components.
//!
//! It knows no language and no search.

mod calls;
mod channels;
mod compile;
mod context;
mod emit;
mod facts;
mod flow;
mod instruction;
mod location;
mod messages;
mod record;
mod runtime;
mod seats;
mod shape;
mod system;
mod target;

use std::fmt;

pub use compile::Coverage;
pub use system::{Jit, Plan, Worker};

/// Why a machine has no native code at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JitError(pub String);

impl JitError {
    fn new(error: impl fmt::Display) -> JitError {
        JitError(error.to_string())
    }
}

impl fmt::Display for JitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JitError {}

/// Something that native code does not do: the interpreter does it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unsupported(pub &'static str);
