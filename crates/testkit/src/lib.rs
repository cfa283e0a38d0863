//! What the tests of the other crates share: oracles, random models and the annotated files under
//! `tests/models`.
//!
//! - [`spin`] runs the model checker SPIN on a Promela text and parses its report.
//! - [`trail`] lets SPIN write and follow trails.
//! - [`needs`] tells which programs a test needs, and notes tests that are left out for want of one.
//! - [`models`] lists the annotated models and reads the expectations in their header comments.
//! - [`generate`] writes random Promela models from a seed.
//! - [`philosophers`] writes dining philosophers as flow graphs.
//! - [`shrink`] makes a failing model small.
//!
//! Of the checker under test it knows the random numbers of `model`, and nothing else.

pub mod generate;
pub mod models;
pub mod needs;
pub mod philosophers;
pub mod shrink;
pub mod spin;
pub mod trail;
