//! Search run by run, without a memory of states: for systems of threads whose states do not repeat.
//!
//! [`search`] follows one run at a time and keeps the states of that run only. Runs that differ in the order of
//! independent steps lead to the same states, so one of them is enough: this is dynamic partial-order reduction with
//! source sets and sleep sets (Abdulla, Aronis, Jonsson and Sagonas, *Optimal dynamic partial order reduction*, 2014).
//! Steps tell what they touched ([`Conflicts`](everypath_model::Conflicts)). Where a step could have come before an
//! earlier one that it conflicts with, another run is followed in which it does. Threads that wait are looked at, too
//! (Flanagan and Godefroid, *Dynamic partial-order reduction for model checking software*, 2005): the lock that one
//! waits for might have been taken by it before.
//!
//! A bound of preemptions or of switches and such a reduction do not go together: what a run stands for may be
//! within the bound where it is not. So with a bound every order within it is followed.
//!
//! The crate knows no language and reads neither clock nor file.

mod node;
mod options;
mod outcome;
mod past;
mod replay;
mod search;
mod share;

pub use options::{AfterViolation, DeadlockKey, Limits, Observer, Options, Progress};
pub use outcome::{Kind, LeftOut, Outcome, Stats, Stopped, Violation};
pub use replay::numbered_run;
pub use search::search;
