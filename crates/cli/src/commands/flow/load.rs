//! Programs whose events are analysed: Java programs, Promela models and flow graphs.

use std::path::Path;
use std::sync::Arc;

use everypath_flow::{Binding, Program, Rule, read};
use everypath_lang_java::{Extracted, Reductions};
use everypath_lang_promela::ast::Model;
use everypath_lang_promela::{LowerOptions, flow_graph, lower};
use everypath_machine::Interpreter;
use everypath_model::files::{self, MOST_TEXT};
use everypath_model::{Diagnostic, Severity, Sources, shown};
use everypath_property::events::EventProperty;
use everypath_verdict::Exit;

use super::limits::Limits;
use super::{FlowArgs, RunsArg};
use crate::commands::formula;
use crate::complain;
use crate::input::{self, placeless};
use crate::java::{self, Asked, Opened};
use crate::load;
use crate::reading::Reading;
use crate::render::style::Style;

/// A program whose events are analysed.
pub struct Subject {
    pub program: Program,
    pub sources: Sources,
    /// Short name of the language.
    pub lang: &'static str,
    /// Why a proof on the graph would be none of the program.
    pub doubts: Vec<String>,
    /// What a proof on the graph assumes of the program.
    pub assumed: Vec<String>,
    /// Objects of which there is one, with their classes.
    pub objects: Vec<(String, String)>,
    /// Events of rules about places that exist, though nothing comes there.
    pub idle: Vec<String>,
    /// What executes the program.
    pub runner: Runner,
}

/// What executes a program, to see whether a path of its graph is a run.
pub enum Runner {
    /// The virtual machine.
    Java(Box<Java>),
    /// The interpreter of machines.
    Promela(Box<Promela>),
    /// A hand-written graph is the program itself.
    Graph,
    /// Nothing does.
    Nobody,
}

/// A model with its graph.
pub struct Promela {
    pub model: Model,
    pub extracted: everypath_lang_promela::Extracted,
    pub binding: Binding,
    pub system: Interpreter,
}

/// A Java program with its graph.
pub struct Java {
    pub opened: Opened,
    pub extracted: Extracted,
    pub binding: Arc<Binding>,
}

impl Subject {
    /// What the input is called.
    pub fn language(&self) -> &'static str {
        match self.lang {
            java::LANG => "Java",
            "promela" => "Promela",
            _ => "flow graph",
        }
    }
}

/// Reads the program.
pub fn load(
    args: &FlowArgs,
    property: Option<&EventProperty>,
    limits: &Limits,
    notes: &Style,
) -> Result<Subject, Exit> {
    let reading = Reading::from(args.reading.clone());
    if let Some(why) = args.reading.of_other_language(java::is_input(&args.file, &reading)) {
        let error = placeless(Severity::Error, "EP1804", why);
        formula::tell(notes, &Sources::default(), &error);
        return Err(Exit::Input);
    }
    if java::is_input(&args.file, &reading) {
        return load_java(args, &reading, property, limits, notes);
    }
    if is_promela(&args.file) {
        return load_promela(args, &reading, property, notes);
    }
    if args.events.is_some() || !args.event.is_empty() {
        let message = "--events and --event are for programs: a flow graph names its events itself";
        let error = placeless(Severity::Error, "EP1804", message.to_owned());
        formula::tell(notes, &Sources::default(), &error);
        return Err(Exit::Input);
    }
    let mut sources = Sources::default();
    let (id, warning) = input::read(&mut sources, &args.file).map_err(|error| {
        formula::tell(notes, &Sources::default(), &error);
        Exit::Input
    })?;
    if let Some(warning) = warning {
        formula::tell(notes, &sources, &warning);
    }
    let text = sources.file(id).text.clone();
    let program = read(&text, id).map_err(|error| {
        formula::tell(notes, &sources, &error);
        Exit::Input
    })?;
    Ok(Subject {
        program,
        sources,
        lang: "flow",
        doubts: Vec::new(),
        assumed: Vec::new(),
        objects: Vec::new(),
        idle: Vec::new(),
        runner: Runner::Graph,
    })
}

/// Whether the name of a file is that of a Promela model.
fn is_promela(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    ["pml", "prom", "promela", "spin"].contains(&extension.to_ascii_lowercase().as_str())
}

fn load_promela(
    args: &FlowArgs,
    reading: &Reading,
    property: Option<&EventProperty>,
    notes: &Style,
) -> Result<Subject, Exit> {
    let binding = binding(args, property, notes)?;
    let opened = load::open(&args.file, reading);
    for diagnostic in &opened.diagnostics {
        formula::tell(notes, &opened.sources, diagnostic);
    }
    let failed = opened.failed();
    let Some(model) = opened.model.filter(|_| !failed) else { return Err(Exit::Input) };
    let extracted = flow_graph(&model, &opened.sources, &binding).map_err(|message| {
        let error = placeless(Severity::Error, "EP1802", message);
        formula::tell(notes, &opened.sources, &error);
        Exit::Input
    })?;
    let (doubts, assumed) = (extracted.doubts.clone(), extracted.assumed.clone());
    let program = extracted.program.clone();
    let idle = extracted.idle.clone();
    let runner = match lower(&model, &LowerOptions::default()).machine {
        Some(machine) => {
            let system = Interpreter::new(Arc::new(machine));
            Runner::Promela(Box::new(Promela { model, extracted, binding, system }))
        }
        None => Runner::Nobody,
    };
    Ok(Subject {
        program,
        sources: opened.sources,
        lang: opened.lang,
        doubts,
        assumed,
        objects: Vec::new(),
        idle,
        runner,
    })
}

/// The rules that make places of the program events.
pub fn rules(args: &FlowArgs, notes: &Style) -> Result<Vec<Rule>, Exit> {
    let wrong = |message: String| {
        formula::tell(notes, &Sources::default(), &placeless(Severity::Error, "EP1804", message));
        Exit::Input
    };
    let mut rules = Vec::new();
    if let Some(path) = &args.events {
        let text = files::read_text(path, MOST_TEXT).map_err(|error| {
            wrong(format!("cannot read {}: {}", shown(path), input::reason(&error)))
        })?;
        let read = Binding::read(&text);
        rules = read.map_err(|error| wrong(format!("{}, {error}", shown(path))))?.rules;
    }
    for text in &args.event {
        let rule =
            Rule::read(text).map_err(|message| wrong(format!("--event {text}: {message}")))?;
        rules.push(rule);
    }
    Ok(rules)
}

/// The same, and what is an event without a rule.
fn binding(
    args: &FlowArgs,
    property: Option<&EventProperty>,
    notes: &Style,
) -> Result<Binding, Exit> {
    let mut binding = Binding { rules: rules(args, notes)?, calls: Vec::new() };
    if let Some(property) = property {
        binding.complete(&property.fsa.events);
    }
    Ok(binding)
}

fn load_java(
    args: &FlowArgs,
    reading: &Reading,
    property: Option<&EventProperty>,
    limits: &Limits,
    notes: &Style,
) -> Result<Subject, Exit> {
    let binding = Arc::new(binding(args, property, notes)?);
    // A run that is to show something stops at every access.
    let asked = Asked { reductions: Reductions::NONE, ..Asked::default() };
    let reading = &Reading { until: limits.deadline(), ..reading.clone() };
    let opened = java::open(&args.file, reading, asked).map_err(|refused| {
        for one in &refused.diagnostics {
            formula::tell(notes, &refused.sources, one);
        }
        match refused.diagnostics.iter().any(Diagnostic::is_error) {
            true => Exit::Input,
            false => Exit::Inconclusive,
        }
    })?;
    let stop = limits.stop();
    let extracted = opened.flow_graph_until(&binding, &*stop).map_err(|message| {
        if stop() {
            complain("the limit was reached while the program was read: nothing is known\n");
            return Exit::Inconclusive;
        }
        let error = placeless(Severity::Error, "EP1802", message);
        formula::tell(notes, &Sources::default(), &error);
        Exit::Input
    })?;
    let mut doubts = extracted.doubts.clone();
    let mut assumed = extracted.assumed.clone();
    if args.spurious {
        assumed.retain(|one| !one.starts_with("nobody wakes up"));
    }
    if args.runs == RunsArg::Ending {
        doubts.extend(extracted.cuts.iter().map(|cut| format!("{cut} (--runs all does not mind)")));
    }
    Ok(Subject {
        program: extracted.program.clone(),
        sources: opened.sources().clone(),
        lang: java::LANG,
        doubts,
        assumed,
        objects: extracted.objects.clone(),
        idle: extracted.idle.clone(),
        runner: Runner::Java(Box::new(Java { opened, extracted, binding })),
    })
}
