//! Walking through a model: by chance, along a trace, by hand.
//!
//! Any system with [`Simulate`](everypath_model::Simulate) can be walked through. [`walker`] goes and goes back, [`run`] goes on until something happens, [`chance`] is a walk for
//! scripts, [`shell`] one for people, who say what they want in [`command`]s, and [`show`] has what
//! they see.
//!
//! The crate knows no language, no terminal and no file: what is said goes to a writer, and a door keeps the traces.

pub mod chance;
pub mod command;
pub mod run;
pub mod shell;
pub mod show;
pub mod walker;
