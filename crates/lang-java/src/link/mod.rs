//! Classes ready for execution. They never change once they are linked, whatever a schedule does, and
//! live as long as the process.

mod class;
mod layout;
mod registry;
mod resolve;
mod spaces;

pub(crate) use class::{Class, Field, Kind, Method, Resolved};
pub(crate) use registry::{LoadError, NewMethod, Registry, STATIC_HEADER};
pub(crate) use resolve::{LinkError, takes_any};
