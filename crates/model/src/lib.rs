//! What languages and engines meet in: a [`TransitionSystem`] over packed state vectors, the places
//! of the source text it came from, and the [`Diagnostic`]s a front end reports.
//!
//! The crate knows no language, no engine and no output format. Hot code sees words
//! ([`TransitionSystem::successors`]); everything a person reads comes from the cold trait
//! [`Describe`].

mod blocked;
mod brake;
mod conflicts;
mod describe;
mod diagnostic;
mod events;
pub mod files;
mod named;
mod rng;
mod similar;
mod simulate;
mod source;
mod spawn;
mod system;
mod threads;
mod visible;

pub use blocked::{Blocked, Deed, Need, Obstacle, Provider, Standing, Stranded};
pub use brake::{Brake, Ended, Held, pulled};
pub use conflicts::{Access, Conflicts, Executed, Touch, Turn};
pub use describe::{
    ActionInfo, Describe, FaultInfo, Message, MicroStep, ReplayError, Threading, Value,
};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use events::{Event, Operation};
pub use named::Named;
pub use rng::Rng;
pub use similar::most_similar;
pub use simulate::{Choice, Moment, Simulate, Taken};
pub use source::{FileId, SourceFile, Sources, Span};
pub use spawn::{in_parallel, spawn};
pub use system::{
    Action, ComponentMask, End, Extent, Fault, ModelError, Parts, Room, Step, Successors, Touched,
    TransitionSystem,
};
pub use threads::{Ahead, Mover, Threads};
pub use visible::{is_hidden, shown, visible};
