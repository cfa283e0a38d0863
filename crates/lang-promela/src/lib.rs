//! Promela: text to syntax tree to machine.
//!
//! [`parse`] preprocesses and reads a model as SPIN 6.5.2 does, expands its inlines and resolves
//! its names. What SPIN refuses is an error here; what it complains about but goes on with is a
//! warning.

pub mod ast;
mod c_text;
mod claim;
mod codes;
mod edit;
mod extract;
mod flow;
mod labelled;
mod lexer;
pub mod lint;
mod lower;
mod parser;
mod pretty;
pub mod spin_text;
mod stream;
mod temporal;
pub mod trail;
pub mod types;
mod visit;

use std::collections::BTreeMap;

use everypath_model::{Diagnostic, FileId, Severity, Sources, Span, pulled};
use everypath_preprocess::Loader;

pub use claim::{Claim, EventTrace, MessageEvent, NotACondition, claim, event_trace};
pub use codes::CODES;
pub use edit::make_atomic;
pub use extract::{Extracted, Watcher, flow_graph};
pub use labelled::labels;
pub use lower::{LowerOptions, Lowered, lower};
pub use temporal::Propositions;

/// How to read a model.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Macros and include directories.
    pub preprocess: everypath_preprocess::Options,
}

/// What became of the text.
#[derive(Debug)]
pub struct Parsed {
    /// The model; `None` if there were errors.
    pub model: Option<ast::Model>,
    /// Errors and warnings, at most 20 errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the model in `main`. Included files are added to `sources`. There is no model once the brake is pulled.
pub fn parse(
    sources: &mut Sources,
    main: FileId,
    options: &Options,
    loader: &dyn Loader,
) -> Parsed {
    let output = everypath_preprocess::preprocess(sources, main, &options.preprocess, loader);
    let mut diagnostics = output.diagnostics;
    let brake = options.preprocess.brake.as_ref();
    if diagnostics.iter().any(|d| d.severity == Severity::Error) || pulled(brake) {
        return Parsed { model: None, diagnostics };
    }
    let places = |start: usize, end: usize| output.map.span(start, end);
    let parser::Whole { mut model, diagnostics: found, written } =
        parser::parse_model(&output.text, &places, brake);
    if pulled(brake) {
        return Parsed { model: None, diagnostics };
    }
    if let Some(model) = &mut model {
        model.mentioned = output.mentioned;
        model.spellings = spellings(sources, written);
    }
    diagnostics.extend(found);
    Parsed { model, diagnostics }
}

/// How constants are written, where that is a name.
fn spellings(
    sources: &Sources,
    written: Vec<(Span, i32, Span)>,
) -> BTreeMap<(Span, i32), Option<String>> {
    let mut all: BTreeMap<(Span, i32), Option<String>> = BTreeMap::new();
    for (span, value, at) in written {
        let text = sources.text(at);
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let name =
            text.starts_with(|c: char| word(c) && !c.is_ascii_digit()) && text.chars().all(word);
        let name = name.then(|| text.to_owned());
        let known = all.entry((span, value)).or_insert_with(|| name.clone());
        if *known != name {
            *known = None;
        }
    }
    all.retain(|_, name| name.is_some());
    all
}

/// Reads an expression over the global variables of a model; remote references reach the others.
///
/// `file` is the source that holds `text`, for the places in messages and in the tree.
pub fn parse_expression(
    text: &str,
    file: FileId,
    model: &ast::Model,
) -> Result<ast::Expr, Vec<Diagnostic>> {
    parser::parse_expression(text, file, model, false)
}

/// Reads a formula of linear temporal logic over a model, as it may stand in an `ltl` block.
pub fn parse_formula(
    text: &str,
    file: FileId,
    model: &ast::Model,
) -> Result<ast::Expr, Vec<Diagnostic>> {
    parser::parse_expression(text, file, model, true)
}
