//! From a path to a model: what every command that takes a model begins with.

use std::path::Path;

use everypath_lang_promela::ast::Model;
use everypath_machine::Interpreter;
use everypath_model::{Diagnostic, FileId, Severity, Sources, shown};
use everypath_preprocess::Loader;

use crate::input::{self, Certainty, Disk, Language, placeless};
use crate::java;
use crate::promela;
use crate::reading::Reading;
use crate::temporal::{self, Asked, Questions};

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
    /// The file itself, among those that it includes.
    pub main: FileId,
    /// Reads the files that it includes.
    pub loader: Box<dyn Loader>,
}

/// Reads a file and parses it.
pub fn open(path: &Path, reading: &Reading) -> Opened {
    let mut opened = Opened::new(Box::new(Disk));
    match input::read_until(&mut opened.sources, path, reading.until) {
        Ok((main, warning)) => {
            opened.main = main;
            opened.diagnostics.extend(warning);
        }
        Err(error) => {
            opened.diagnostics.push(*error);
            return opened;
        }
    }
    opened.parse(path, reading);
    opened
}

/// Parses a text that is not in a file; what it includes comes from the loader.
pub fn open_text(path: &Path, text: &str, loader: Box<dyn Loader>, reading: &Reading) -> Opened {
    let mut opened = Opened::new(loader);
    opened.main = opened.sources.add(path.to_owned(), text.to_owned());
    opened.parse(path, reading);
    opened
}

impl Opened {
    fn new(loader: Box<dyn Loader>) -> Opened {
        Opened {
            sources: Sources::default(),
            lang: "",
            guessed: false,
            model: None,
            diagnostics: Vec::new(),
            main: FileId(0),
            loader,
        }
    }

    fn parse(&mut self, path: &Path, reading: &Reading) {
        match input::language(path, &self.sources.file(self.main).text) {
            Some((Language::Promela, certainty)) => {
                self.lang = "promela";
                self.guessed = certainty == Certainty::Content;
                let read = promela::read(&mut self.sources, self.main, reading, &*self.loader);
                self.diagnostics.extend(read.diagnostics);
                self.model = read.model;
            }
            None => {
                let message = format!("cannot tell the language of {}", shown(path));
                self.diagnostics.push(Diagnostic {
                    help: Some(match java::is_program(path) {
                        true => "Java programs are for `check`, `sim` and `replay`".to_owned(),
                        false => "give a Promela model the extension .pml".to_owned(),
                    }),
                    ..placeless(Severity::Error, "EP1002", message)
                });
            }
        }
    }

    /// The temporal properties of the model and of the command line. What is wrong with one of the
    /// latter is an error of the model.
    pub fn questions(&mut self, reading: &Reading, asked: Asked<'_>) -> Questions {
        let Some(model) = &self.model else { return Questions::default() };
        let reading = (reading, &*self.loader);
        match temporal::read(model, &mut self.sources, self.main, reading, asked) {
            Ok(questions) => questions,
            Err(errors) => {
                self.diagnostics.extend(errors);
                self.model = None;
                Questions::default()
            }
        }
    }

    /// Makes a system of the model, with conditions that every state has to satisfy.
    pub fn lower(&mut self, reading: &Reading, invariants: &[String]) -> Option<Interpreter> {
        let model = self.model.as_ref()?;
        let lowered = promela::lower(
            model,
            &mut self.sources,
            self.main,
            (reading, &*self.loader),
            invariants,
        );
        self.diagnostics.extend(lowered.diagnostics);
        lowered.system
    }

    /// Whether an error was found.
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
