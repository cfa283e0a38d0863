//! A model with what SPIN says about its statements.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use everypath_lang_promela::spin_text::D_STEP;
use everypath_lang_promela::{LowerOptions, ast};
use everypath_machine::{Interpreter, Machine};
use everypath_model::{Severity, Sources, Span, Value};
use everypath_verdict::{Exit, Note};

use super::options::Reading;
use crate::args::{LayoutArgs, WhenArg};
use crate::config::Environment;
use crate::render::snippet;
use crate::{complain, config, load};

/// A model that is ready to run.
pub struct Model {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub sources: Sources,
    /// What it means.
    pub system: Interpreter,
    /// Its syntax tree.
    pub tree: ast::Model,
    texts: Vec<String>,
}

impl Model {
    /// Reads a model; what is wrong with it is printed.
    pub fn open(reading: &Reading, environment: &Environment) -> Result<Model, Exit> {
        let config = config::Reading {
            defines: reading.defines.clone(),
            undefines: reading.undefines.clone(),
            includes: reading.includes.clone(),
            ..config::Reading::default()
        };
        let mut opened = load::open(&reading.file, &config);
        let lowered = opened.model.as_ref().map(|model| {
            let lossy_channels = reading.lossy;
            let options = LowerOptions { lossy_channels, spin_texts: true, ..Default::default() };
            everypath_lang_promela::lower(model, &options)
        });
        let (machine, texts) = match lowered {
            Some(lowered) => {
                opened.diagnostics.extend(lowered.diagnostics);
                (lowered.machine, lowered.spin_texts)
            }
            None => (None, Vec::new()),
        };
        let layout = LayoutArgs { color: WhenArg::Auto, ascii: false, columns: None };
        let (_, style) = environment.styles(&layout);
        let mut out = String::new();
        for diagnostic in &opened.diagnostics {
            let note = Note::of(&opened.sources, diagnostic);
            let more = diagnostic.severity >= Severity::Unsupported;
            snippet::note(&mut out, &style, &opened.sources, &note, more);
        }
        complain(&out);
        match (machine, opened.model) {
            (Some(machine), Some(tree)) => Ok(Model {
                path: reading.file.clone(),
                sources: opened.sources,
                system: Interpreter::new(Arc::new(machine)),
                tree,
                texts,
            }),
            _ if opened.diagnostics.iter().any(|d| d.is_error()) => Err(Exit::Input),
            _ => Err(Exit::Inconclusive),
        }
    }

    /// What the model consists of.
    pub fn machine(&self) -> &Machine {
        self.system.machine()
    }

    /// The name of the file without its directory.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// A statement as SPIN prints it.
    pub fn text(&self, transition: u32) -> String {
        let text = &self.texts[transition as usize];
        if text == D_STEP {
            let span = self.machine().transitions[transition as usize].span;
            return format!("{text}{}", self.sources.start(span).0);
        }
        text.clone()
    }

    /// `file:line`
    pub fn place(&self, span: Span) -> String {
        let path = &self.sources.file(span.file).path;
        format!("{}:{}", path.display(), self.sources.start(span).0)
    }

    /// The name of a proctype in SPIN's output.
    pub fn proctype(&self, index: usize) -> &str {
        match self.machine().proctypes[index].name.as_str() {
            "init" => ":init:",
            name => name,
        }
    }

    /// Whether there are never claims or formulas, by which SPIN's verifier would be guided.
    pub fn has_claims(&self) -> bool {
        !self.tree.never.is_empty() || !self.tree.ltl.is_empty()
    }

    /// A trail with this name for the model.
    pub fn trail_name(&self, number: Option<u64>, suffix: &str) -> PathBuf {
        let number = number.map(|n| n.to_string()).unwrap_or_default();
        Path::new(&format!("{}{number}.{suffix}", self.name())).to_owned()
    }
}

/// A value in SPIN's output: truth values are numbers.
pub fn show(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Bool(truth) => u8::from(*truth).to_string(),
        Value::Name(name) => name.clone(),
        Value::List(items) => items.iter().map(show).collect::<Vec<_>>().join(","),
    }
}
