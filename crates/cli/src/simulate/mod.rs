//! Walking through a model: by chance, along a trace, by hand.
//!
//! [`walker`] goes and goes back, [`run`] goes on until something happens, [`chance`] is a walk for
//! scripts, [`shell`] one for people, who say what they want in [`command`]s, and [`show`] has what
//! they see.

pub mod chance;
pub mod command;
pub mod run;
pub mod shell;
pub mod show;
pub mod walker;
