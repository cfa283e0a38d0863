//! What is made of traces and results: `show`, `explain`, `diff`.

mod folder;
mod formats;
mod traces;
