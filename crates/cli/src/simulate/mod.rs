//! Walking through a model: by chance, along a trace, by hand.
//!
//! [`walker`] goes and goes back, [`run`] goes on until something happens, [`chance`] is a walk for
//! scripts, [`shell`] one for people, [`show`] says what they see.

pub mod chance;
pub mod run;
pub mod show;
pub mod walker;
