//! Types of channels and values, inferred.
//!
//! Promela declares a channel as `chan`, and a field of a message that is a channel too: what the
//! messages of *that* channel are is nowhere said. [`infer`] finds it out from all uses in the
//! model, across processes, messages and parameters, recursive types included, and reports what
//! does not fit together. SPIN finds such errors when a run comes across them, or never.
//!
//! The walk over the model makes equations between channel types and demands on fields
//! (`infer.rs`, `expr.rs`, `message.rs`); equations are solved at once by union-find (`graph.rs`),
//! demands at the end (`fields.rs`). `show.rs` writes types in their smallest form.
//!
//! Embedded C is left out: nothing is claimed about what it touches.

mod base;
mod expr;
mod fields;
mod graph;
mod infer;
mod message;
mod show;
#[cfg(test)]
mod tests;

use everypath_model::{Brake, Diagnostic, Span};

use crate::ast::{Model, ProcId};

pub use base::TypeOptions;

/// The inferred type of a channel variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// The variable, with its fields: `q`, `node.inbox`.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The proctype it belongs to; `None` for a global variable.
    pub owner: Option<ProcId>,
    /// Its type in the smallest form, for example `mu X.chan{mtype,X}`; `?` is what no use tells.
    pub text: String,
}

/// What is known about the types of a model.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// All channel variables in order of declaration.
    pub channels: Vec<ChannelType>,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Infers the types of a model.
pub fn infer(model: &Model, options: TypeOptions) -> Types {
    infer_until(model, options, &Brake::default())
}

/// Infers the types of a model; what comes out is of no use if the brake is pulled meanwhile.
pub fn infer_until(model: &Model, options: TypeOptions, brake: &Brake) -> Types {
    infer::Inference::new(model, options, brake).run()
}
