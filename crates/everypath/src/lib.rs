//! Everypath for programs: languages and engines, and what brings them together.
//!
//! [`load`] and [`java`] open what is to be checked, [`checking`] says what is checked and how, [`analysis`] searches,
//! judges and replays; [`temporal`] puts questions about whole runs. The results are documents of `everypath_verdict`;
//! `everypath_render` makes text of them.
//!
//! ```
//! use std::path::Path;
//!
//! let model = Path::new("../../examples/promela/counter.pml");
//! let result = everypath::check(model, &everypath::Options::default());
//! let violated: Vec<&str> =
//!     result.properties.iter().filter(|one| one.trace.is_some()).map(|one| one.id.as_str()).collect();
//! assert_eq!((result.exit, violated.len()), (1, 1));
//! ```
//!
//! The crate prints nothing and knows no command line. It is the only one, beside doors, that knows languages and
//! engines at once.

pub mod analysis;
mod beside;
pub mod brake;
pub mod check;
pub mod checking;
pub mod choices;
pub mod codes;
pub mod defect;
pub mod expect;
pub mod explore;
pub mod fitting;
pub mod fix;
pub mod input;
pub mod interrupt;
pub mod java;
pub mod levels;
pub mod load;
pub mod memory;
pub mod portfolio;
pub mod promela;
pub mod reading;
pub mod reduce;
pub mod searches;
pub mod stores;
pub mod subject;
pub mod temporal;

pub use check::{Options, check};
