//! Program flow graphs: what data-flow analyses see of a program.
//!
//! A program has threads, each of which runs a procedure; a procedure is a graph of nodes, each with one
//! operation. Names (of locks, variables, threads, channels, events) are texts of parts with dots between
//! them; a part that is a parameter of the procedure stands for what a call puts in its place, so
//! `f.isUp` in a procedure with the parameter `f` is `fork1.isUp` after `call up(fork1)`.
//!
//! Languages make such graphs from programs; [`read`] makes them from a small textual form, and
//! [`write()`] writes that form.

mod binding;
mod dot;
mod graph;
mod read;
mod runs;
mod svg;
mod tidy;
mod tokens;
mod write;

pub use binding::{Binding, Rule, Site, What, WrongRule};
pub use dot::write_dot;
pub use graph::{Node, NodeId, Op, Procedure, Program, Thread, Variable};
pub use read::read;
pub use runs::{Happened, Watched};
pub use svg::write_svg;
pub use tidy::tidy;
pub use write::write;
