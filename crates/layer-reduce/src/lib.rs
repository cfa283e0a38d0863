//! Partial-order reduction of machines.
//!
//! Where steps of different processes do not disturb each other, one order of them is enough.
//! [`Reduced`] is an executor again; its [`reduced`](everypath_model::TransitionSystem::reduced)
//! gives the steps of a few processes such that
//!
//! - whatever the others do first, the steps given can still be taken, with the same result: they
//!   are a strong stubborn set, so that every deadlock is found, and a search that does not postpone
//!   steps for ever finds every fault as well;
//! - if one of them changes what an invariant or another property reads, no step that does so is
//!   left out.
//!
//! All that needs no state is found before the search: what each statement reads and changes, for
//! each process by itself where its number and the variables that it is made with say more
//! (`touch.rs`, `statement.rs`), which conditions a guard consists of (`guard.rs`), and what may
//! still happen from each location (`instance.rs`). In a state (`scene.rs`, `choose.rs`) the statements of one process are chosen; one that
//! can be executed brings in the statements of others that lead to something that disturbs it, one
//! that cannot those that lead to something that helps. Whoever can never again touch what it is
//! about stays out.
//!
//! [`Transactional`] is another way to leave out orders of steps: it says of each step of a process
//! whether it moves past those of others, which locks and what they protect tell (`steps.rs`,
//! `movers.rs`).
//!
//! [`Chosen`] is for properties of endless runs, whatever searches for these.
//!
//! The crate does not search: which steps were postponed too often is for the search to see.

mod bits;
mod choose;
mod chosen;
mod facts;
mod guard;
mod instance;
mod memo;
mod movers;
mod options;
mod scene;
mod statement;
mod steps;
mod symbols;
mod symmetric;
mod symmetry;
mod system;
mod tables;
mod touch;
mod transactional;
mod walk;

pub use chosen::{Chosen, ChosenWorker};
pub use options::{Method, Options, Visible};
pub use symmetric::Symmetric;
pub use symmetry::Symmetry;
pub use system::{Reduced, Worker, obstacle};
pub use transactional::Transactional;
