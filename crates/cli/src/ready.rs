//! Models that can be walked through, with what there is to say about them on the standard error.

use std::path::Path;

use everypath_machine::Interpreter;
use everypath_model::Sources;
use everypath_verdict::{Exit, Note};

use crate::complain;
use crate::load::{self, Opened};
use crate::reading::Reading;
use crate::render::snippet;
use crate::render::style::Style;

/// A model that can be walked through.
pub struct Ready {
    /// The system.
    pub system: Interpreter,
    /// The files it was read from.
    pub sources: Sources,
    /// Short name of its language.
    pub lang: &'static str,
}

/// Makes a system of a model and says what there is to say about it. Without a system there is the exit code that the
/// input deserves.
pub fn lowered(
    mut opened: Opened,
    reading: &Reading,
    invariants: &[String],
    notes: &Style,
) -> Result<Ready, Exit> {
    let system = opened.lower(reading, invariants);
    let mut out = String::new();
    for diagnostic in &opened.diagnostics {
        let note = Note::of(&opened.sources, diagnostic);
        snippet::note(&mut out, notes, &opened.sources, &note, diagnostic.is_error());
    }
    complain(&out);
    match system {
        Some(system) => Ok(Ready { system, sources: opened.sources, lang: opened.lang }),
        None if opened.failed() => Err(Exit::Input),
        None => Err(Exit::Inconclusive),
    }
}

/// Reads a file and makes a system of it.
pub fn read(
    path: &Path,
    reading: &Reading,
    invariants: &[String],
    notes: &Style,
) -> Result<Ready, Exit> {
    lowered(load::open(path, reading), reading, invariants, notes)
}
