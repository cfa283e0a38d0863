//! Mistakes of our own.

/// A defect of the tool that was noticed in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError(pub String);
