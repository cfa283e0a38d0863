//! The commands, one module each: its arguments and what it does.

pub mod automaton;
pub mod check;
pub mod completions;
pub mod diff;
pub mod doctor;
pub mod explain;
pub mod flow;
pub mod formula;
pub mod init;
pub mod jpf;
pub mod lint;
pub mod man;
pub mod prop;
pub mod races;
pub mod replay;
pub mod reproduce;
pub mod schema;
pub mod show;
pub mod sim;
pub mod spin;
