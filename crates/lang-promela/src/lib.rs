//! Promela.
pub mod ast;
