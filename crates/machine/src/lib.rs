//! Guarded-command machines: processes with control locations, typed variables packed into words,
//! channels, and statements as register bytecode; and the reference interpreter of them.
//!
//! A front end builds a [`Machine`]; an executor turns it into a
//! [`TransitionSystem`](everypath_model::TransitionSystem). The [`Interpreter`] here is the
//! reference: small, obvious, and what every counterexample is replayed by.
//!
//! The crate knows no input language and no search.

mod channel;
pub mod code;
mod describe;
mod distance;
mod exec;
mod executor;
mod footprint;
mod format;
mod interpreter;
mod layout;
mod machine;
mod needs;
mod outlook;
mod registers;
mod sequence;
mod shape;
mod simulate;
mod touch;
mod view;

pub use distance::Distances;
pub use executor::{Executor, ProcessSet, Readiness};
pub use interpreter::{At, Interpreter, Made, Move, Worker};
pub use layout::{Field, LayoutBuilder, stride};
pub use machine::{
    Cell, Channel, ChannelType, Conversion, Edge, FaultKind, Format, Head, Invariant, Kind,
    Location, Machine, Operand, Proctype, Site, Transition, TransitionKind,
};
pub use registers::RegSet;
pub use sequence::{Sequences, Within};
pub use shape::{ChannelSlot, ProcessSlot, Shape};
pub use view::{ChannelView, ProcessView, Variable, View};
