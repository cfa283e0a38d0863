//! The Hanoi omega-automata format, version 1 (Babiak et al.), for Büchi and generalized Büchi
//! acceptance.

mod lex;
mod read;
mod write;

pub use read::read;
pub use write::write;
