//! What is made of traces and results: `show`, `explain`, `diff`.

mod diff;
mod folder;
mod formats;
mod stories;
mod traces;
