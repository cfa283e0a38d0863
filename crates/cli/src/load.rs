//! From a path to a model: what every command that takes a model begins with.

use std::path::Path;

use everypath_lang_promela::ast::Model;
use everypath_machine::Interpreter;
use everypath_model::{Diagnostic, FileId, Severity, Sources};

use crate::config::Reading;
use crate::input::{self, Certainty, Language, placeless};
use crate::promela;

/// A file, what is in it, and what there is to say about it.
pub struct Opened {
    /// The text and what it includes; empty if it could not be read.
    pub sources: Sources,
    /// Short name of its language; empty if that is not known.
    pub lang: &'static str,
    /// Whether the language was told by the content.
    pub guessed: bool,
    /// The model; `None` after errors.
    pub model: Option<Model>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    main: FileId,
}

/// Reads a file and parses it.
pub fn open(path: &Path, reading: &Reading) -> Opened {
    let mut opened = Opened {
        sources: Sources::default(),
        lang: "",
        guessed: false,
        model: None,
        diagnostics: Vec::new(),
        main: FileId(0),
    };
    match input::read(&mut opened.sources, path) {
        Ok((main, warning)) => {
            opened.main = main;
            opened.diagnostics.extend(warning);
        }
        Err(error) => {
            opened.diagnostics.push(*error);
            return opened;
        }
    }
    match input::language(path, &opened.sources.file(opened.main).text) {
        Some((Language::Promela, certainty)) => {
            opened.lang = "promela";
            opened.guessed = certainty == Certainty::Content;
            let read = promela::read(&mut opened.sources, opened.main, reading);
            opened.diagnostics.extend(read.diagnostics);
            opened.model = read.model;
        }
        None => {
            let message = format!("cannot tell the language of {}", path.display());
            opened.diagnostics.push(Diagnostic {
                help: Some("give a Promela model the extension .pml".to_owned()),
                ..placeless(Severity::Error, "EP1002", message)
            });
        }
    }
    opened
}

impl Opened {
    /// Makes a system of the model, with conditions that every state has to satisfy.
    pub fn lower(&mut self, reading: &Reading, invariants: &[String]) -> Option<Interpreter> {
        let model = self.model.as_ref()?;
        let lowered = promela::lower(model, &mut self.sources, self.main, reading, invariants);
        self.diagnostics.extend(lowered.diagnostics);
        lowered.system
    }

    /// Whether an error was found.
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
