//! Making failing models small.
