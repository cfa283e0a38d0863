//! A model with what SPIN says about its statements.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use everypath_lang_promela::spin_text::D_STEP;
use everypath_lang_promela::{LowerOptions, ast};
use everypath_machine::{Interpreter, Machine};
use everypath_model::{Severity, Sources, Span, Value, shown};
use everypath_property::{Declared, PropertyKind};
use everypath_verdict::{Exit, Note};

use super::options::{Formula, Reading};
use crate::args::{LayoutArgs, WhenArg};
use crate::choices::CyclesArg;
use crate::config::Environment;
use crate::input::Disk;
use crate::render::snippet;
use crate::temporal::{Asked, Temporal};
use crate::{complain, input, load, reading, tell};

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
    /// Its claims and cycles, in the order of `claims`.
    pub temporal: Temporal,
    /// The names of those.
    pub claims: Vec<Declared>,
    /// What kind of claim the command line gives; the last one of its kind.
    pub of_command_line: Option<PropertyKind>,
    texts: Vec<String>,
}

impl Model {
    /// Reads a model; what is wrong with it is printed.
    pub fn open(reading: &Reading, environment: &Environment) -> Result<Model, Exit> {
        let config = reading::Reading {
            defines: reading.defines.clone(),
            undefines: reading.undefines.clone(),
            includes: reading.includes.clone(),
            ..reading::Reading::default()
        };
        let formula = reading.formula.as_ref().map(text_of).transpose()?;
        let mut opened = match &reading.claim {
            Some(claim) => open_with(&reading.file, claim, &config)?,
            None => load::open(&reading.file, &config),
        };
        // A claim is what must not be.
        let formulas: Vec<String> =
            formula.iter().map(|text| format!("{FORMULA} := !({text})")).collect();
        let cycles = [CyclesArg::Progress, CyclesArg::Accept];
        let asked = Asked { formulas: &formulas, cycles: &cycles, ..Asked::default() };
        let questions = opened.questions(&config, asked);
        let claims = questions.declared();
        let temporal = opened.model.as_ref().map(|model| questions.of(model, reading.lossy, None));
        let temporal = match temporal {
            Some(Err(diagnostics)) => {
                opened.diagnostics.extend(diagnostics);
                None
            }
            Some(Ok(temporal)) => Some(temporal),
            None => None,
        };
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
        match (machine, opened.model, temporal) {
            (Some(machine), Some(tree), Some(temporal)) => Ok(Model {
                path: reading.file.clone(),
                sources: opened.sources,
                system: Interpreter::new(Arc::new(machine)),
                tree,
                temporal,
                claims,
                of_command_line: match (&reading.claim, &reading.formula) {
                    (Some(_), _) => Some(PropertyKind::Never),
                    (None, Some(_)) => Some(PropertyKind::Ltl),
                    (None, None) => None,
                },
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
        format!("{}:{}", shown(path), self.sources.start(span).0)
    }

    /// The name of a proctype in SPIN's output.
    pub fn proctype(&self, index: usize) -> &str {
        match self.machine().proctypes[index].name.as_str() {
            "init" => ":init:",
            name => name,
        }
    }

    /// Whether a process has a label that begins so.
    pub fn has_label(&self, prefix: &str) -> bool {
        let mut labels = self.tree.proctypes.iter().flat_map(|proctype| &proctype.labels);
        labels.any(|label| label.name.starts_with(prefix))
    }

    /// A trail with this name for the model.
    pub fn trail_name(&self, number: Option<u64>, suffix: &str) -> PathBuf {
        let number = number.map(|n| n.to_string()).unwrap_or_default();
        Path::new(&format!("{}{number}.{suffix}", self.name())).to_owned()
    }
}

/// The name of a formula of the command line.
pub const FORMULA: &str = "formula";

/// A formula of the command line.
pub fn text_of(formula: &Formula) -> Result<String, Exit> {
    match formula {
        Formula::Text(text) => Ok(text.clone()),
        Formula::File(file) => Ok(read(file)?.trim().to_owned()),
    }
}

/// A model with a claim from another file behind it.
fn open_with(file: &Path, claim: &Path, config: &reading::Reading) -> Result<load::Opened, Exit> {
    let text = format!("{}\n{}", read(file)?, read(claim)?);
    Ok(load::open_text(file, &text, Box::new(Disk), config))
}

fn read(file: &Path) -> Result<String, Exit> {
    let mut sources = Sources::default();
    match input::read(&mut sources, file) {
        Ok((id, _)) => Ok(sources.file(id).text.to_string()),
        Err(error) => {
            tell("error", &error.message.to_string());
            Err(Exit::Input)
        }
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
