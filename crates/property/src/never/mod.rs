//! Never claims: Büchi automata as SPIN writes and reads them.

mod read;
mod write;

pub use read::read;
pub use write::write;
