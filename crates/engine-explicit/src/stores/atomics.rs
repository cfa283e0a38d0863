//! The atomics of the table by a name of their own: tests/interleavings.rs puts others in their place.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
