//! `everypath flow`: properties of event sequences, proved by data-flow analysis.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use everypath_engine_dataflow::tfg::Step;
use everypath_engine_dataflow::{
    Answer, Constraint, Effort, Graph, Model, Options, Refined, Runs, inline, refine,
};
use everypath_flow::{Program, read, write, write_dot};
use everypath_model::{Diagnostic, Severity, Sources};
use everypath_property::PropertyKind;
use everypath_property::events::{EventProperty, Fsa, read_automaton, read_qre};
use everypath_verdict::{Exit, ModelInfo, Place, PropertyResult, Reason, RunResult, Stop, Verdict};

use crate::analysis::empty_result;
use crate::args::LayoutArgs;
use crate::commands::formula;
use crate::config::Environment;
use crate::input::{self, placeless};
use crate::render::full::plural;
use crate::render::json;
use crate::render::style::{Style, pad};
use crate::{complain, print};

const EXAMPLES: &str = "\
Examples:
  everypath flow forks.flow --property twice.qre                    is it proved without constraints?
  everypath flow forks.flow --property twice.qre --refine auto      find the constraints that prove it
  everypath flow forks.flow --property twice.qre --constraint task:p1 --constraint monitor:fork1
  everypath flow forks.flow --show graph                            the program with all calls in place

Exit codes: 0 proved, 2 bad input, 3 not proved.";

/// Arguments of `flow`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FlowArgs {
    /// The flow graph of a program (docs/flow.md has the textual form); `-` is the standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// A property: a file with a quantified regular expression or a finite automaton (text or DOT)
    #[arg(long, value_name = "FILE", conflicts_with = "qre")]
    pub property: Option<PathBuf>,

    /// The same as a text: for events { a, b } show all executions satisfy (a ; b)*
    #[arg(long, value_name = "TEXT")]
    pub qre: Option<String>,

    /// A constraint: task:THREAD, var:VARIABLE or monitor:LOCK; may be given several times
    #[arg(long, value_name = "WHAT", help_heading = "Constraints")]
    pub constraint: Vec<String>,

    /// A finite automaton that every run is taken to follow, in a file
    #[arg(long, value_name = "FILE", help_heading = "Constraints")]
    pub assume: Vec<PathBuf>,

    /// Whether constraints are looked for
    #[arg(long, value_name = "HOW", default_value = "none", help_heading = "Constraints")]
    pub refine: RefineArg,

    /// Which runs count
    #[arg(long, value_name = "RUNS", default_value = "ending", help_heading = "Analysis")]
    pub runs: RunsArg,

    /// How a violating path is looked for
    #[arg(long, value_name = "HOW", default_value = "shortest", help_heading = "Analysis")]
    pub mode: ModeArg,

    /// Those who wait may wake up without being notified
    #[arg(long, help_heading = "Analysis")]
    pub spurious: bool,

    /// Keep all nodes, also those that make no difference
    #[arg(long, help_heading = "Analysis")]
    pub whole: bool,

    /// Pairs of nodes and tuples of states, at most
    #[arg(long, value_name = "N", default_value_t = 50_000_000, help_heading = "Analysis")]
    pub limit: u64,

    /// Show the program instead
    #[arg(long, value_name = "WHAT", help_heading = "Output")]
    pub show: Option<ShowArg>,

    /// How the answer is written
    #[arg(long, value_name = "FMT", default_value = "full", help_heading = "Output")]
    pub format: FlowFormat,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// `--refine`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RefineArg {
    /// Only those that are named
    None,
    /// What rules out violating paths is added until the property is proved
    Auto,
}

/// `--runs`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunsArg {
    /// Those that come to an end
    Ending,
    /// Also beginnings after which the property cannot hold any more
    All,
}

/// `--mode`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// The shortest one
    Shortest,
    /// The first one
    Quick,
    /// None: only whether there is one
    Proof,
}

/// `--show`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShowArg {
    /// The procedures, node by node
    Program,
    /// The same for Graphviz
    Dot,
    /// The threads with all calls in place, and what constraints can be about
    Graph,
}

/// `--format`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FlowFormat {
    /// For people
    Full,
    /// One JSON document
    Json,
}

/// Analyses a flow graph.
pub fn flow(args: &FlowArgs, environment: &Environment) -> Exit {
    let (style, notes) = environment.styles(&args.layout);
    match run(args, &style, &notes) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn run(args: &FlowArgs, style: &Style, notes: &Style) -> Result<Exit, Exit> {
    let start = Instant::now();
    let mut sources = Sources::default();
    let program = load(args, &mut sources, notes)?;
    match args.show {
        Some(ShowArg::Program) => {
            print(&write(&program));
            return Ok(Exit::Ok);
        }
        Some(ShowArg::Dot) => {
            print(&write_dot(&program));
            return Ok(Exit::Ok);
        }
        _ => {}
    }
    let graph = inline(&program).map_err(|refused| {
        let error = match refused.span {
            Some(span) => Diagnostic::error("EP1802", span, refused.message),
            None => placeless(Severity::Error, "EP1802", refused.message),
        };
        formula::tell(notes, &sources, &error);
        Exit::Input
    })?;
    if args.show == Some(ShowArg::Graph) {
        print(&listing(&graph, &sources));
        return Ok(Exit::Ok);
    }
    let wrong = |message: String| {
        formula::tell(notes, &sources, &placeless(Severity::Error, "EP1803", message));
        Exit::Input
    };
    let (name, property) = property(args, notes)?;
    let constraints: Vec<Constraint> = args
        .constraint
        .iter()
        .map(|text| Constraint::parse(text))
        .collect::<Result<_, _>>()
        .map_err(wrong)?;
    let mut assumed: Vec<(String, Fsa)> = Vec::new();
    for path in &args.assume {
        let property = automaton(path, notes)?;
        assumed.push((path.display().to_string(), property.required()));
    }
    let front = start.elapsed();
    let given: Vec<Constraint> =
        constraints.into_iter().chain((0..assumed.len()).map(Constraint::Assumed)).collect();
    let options = Options {
        runs: match args.runs {
            RunsArg::Ending => Runs::Ending,
            RunsArg::All => Runs::All,
        },
        effort: match args.mode {
            ModeArg::Shortest => Effort::Shortest,
            ModeArg::Quick => Effort::Quick,
            ModeArg::Proof => Effort::Proof,
        },
        limit: args.limit,
        spurious: args.spurious,
        whole: args.whole,
    };
    let known = match args.refine {
        RefineArg::None => Some(&given[..]),
        RefineArg::Auto => None,
    };
    for event in unknown_events(&property, &graph) {
        complain(&format!("warning: the program has no event `{event}`\n"));
    }
    let model = Model::new(&graph, property.required(), assumed, known, options);
    let (answer, used, refined) = match args.refine {
        RefineArg::None => (model.decide(&given).map_err(wrong)?, given, None),
        RefineArg::Auto => {
            let refined = refine(&model, &given, args.limit).map_err(wrong)?;
            (refined.answer.clone(), refined.constraints.clone(), Some(refined))
        }
    };
    let told = Told {
        args,
        sources: &sources,
        model: &model,
        answer: &answer,
        constraints: &used,
        refined: refined.as_ref(),
        name: &name,
    };
    let mut result = told.result();
    result.run.wall_s = start.elapsed().as_secs_f64();
    let exit = match result.verdict {
        Verdict::Holds => Exit::Ok,
        _ => Exit::Inconclusive,
    };
    result.exit = exit.code();
    match args.format {
        FlowFormat::Json => print(&json::line(&result)),
        FlowFormat::Full => {
            let text = told.text(style, &result, front.as_secs_f64());
            formula::print_lines(style, &text);
        }
    }
    Ok(exit)
}

/// Reads the program.
fn load(args: &FlowArgs, sources: &mut Sources, notes: &Style) -> Result<Program, Exit> {
    let (id, warning) = input::read(sources, &args.file).map_err(|error| {
        formula::tell(notes, &Sources::default(), &error);
        Exit::Input
    })?;
    if let Some(warning) = warning {
        formula::tell(notes, sources, &warning);
    }
    let text = sources.file(id).text.clone();
    read(&text, id).map_err(|error| {
        formula::tell(notes, sources, &error);
        Exit::Input
    })
}

/// The property and its name.
fn property(args: &FlowArgs, notes: &Style) -> Result<(String, EventProperty), Exit> {
    if let Some(text) = &args.qre {
        return Ok(("qre".to_owned(), expression("<qre>".into(), text, notes)?));
    }
    let Some(path) = &args.property else {
        complain("error: there is nothing to prove: use --property FILE or --qre TEXT\n");
        return Err(Exit::Input);
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok((stem, automaton(path, notes)?))
}

fn expression(name: PathBuf, text: &str, notes: &Style) -> Result<EventProperty, Exit> {
    let qre =
        read_qre(text).map_err(|error| formula::refuse(notes, name, text, "EP1704", &error))?;
    qre.property().ok_or_else(|| {
        complain("error: the automaton of the expression has too many states\n");
        Exit::Inconclusive
    })
}

/// A property in a file: an expression, an automaton as text or DOT.
fn automaton(path: &Path, notes: &Style) -> Result<EventProperty, Exit> {
    let mut sources = Sources::default();
    let (id, _) = input::read(&mut sources, path).map_err(|error| {
        formula::tell(notes, &Sources::default(), &error);
        Exit::Input
    })?;
    let file = sources.file(id);
    let text = &file.text;
    if text.trim_start().starts_with("for ") {
        return expression(file.path.clone(), text, notes);
    }
    read_automaton(text, path)
        .map_err(|error| formula::refuse(notes, file.path.clone(), text, "EP1704", &error))
}

/// Events of a property that no node has.
fn unknown_events<'a>(property: &'a EventProperty, graph: &Graph) -> Vec<&'a String> {
    property.fsa.events.iter().filter(|event| !graph.events.contains(event)).collect()
}

/// The threads, node by node, and what constraints can be about.
fn listing(graph: &Graph, sources: &Sources) -> String {
    let mut out = String::new();
    for (index, thread) in graph.threads.iter().enumerate() {
        let many = if thread.many { ", of which there may be several" } else { "" };
        let _ = writeln!(out, "thread {}{many}", thread.name);
        for (number, node) in graph.nodes.iter().enumerate() {
            if graph.threads_of(number as u32).all(|own| own as usize != index) {
                continue;
            }
            let line = node.span.map(|span| format!("{}: ", sources.start(span).0));
            let next: Vec<String> =
                graph.next(index as u32, number as u32).iter().map(ToString::to_string).collect();
            let _ = writeln!(
                out,
                "  {number:4}  {}{} -> {}",
                line.unwrap_or_default(),
                graph.show(number as u32),
                next.join(", ")
            );
        }
    }
    let names = |list: Vec<&String>| list.into_iter().cloned().collect::<Vec<_>>().join(", ");
    let variables = names(graph.variables.iter().map(|variable| &variable.name).collect());
    let _ = writeln!(out, "events: {}", names(graph.events.iter().collect()));
    let _ = writeln!(out, "variables: {variables}");
    let _ = writeln!(out, "locks: {}", names(graph.locks.iter().collect()));
    out
}

/// What there is to tell.
struct Told<'a> {
    args: &'a FlowArgs,
    sources: &'a Sources,
    model: &'a Model,
    answer: &'a Answer,
    constraints: &'a [Constraint],
    refined: Option<&'a Refined>,
    name: &'a str,
}

impl Told<'_> {
    fn names(&self, constraints: &[Constraint]) -> Vec<String> {
        constraints.iter().map(|one| one.name(&self.model.assumed)).collect()
    }

    fn verdict(&self) -> Verdict {
        match self.answer.conclusive() {
            true => Verdict::Holds,
            false if self.answer.propagated.cut => Verdict::Unknown(Reason::StateLimit),
            false => Verdict::Unknown(Reason::Abstraction),
        }
    }

    fn message(&self) -> String {
        let used = self.names(self.constraints);
        let under = match used.len() {
            0 => "without constraints".to_owned(),
            _ => format!("under {}", used.join(", ")),
        };
        match self.verdict() {
            Verdict::Holds => format!("proved {under}"),
            Verdict::Unknown(Reason::StateLimit) => format!("the limit was reached {under}"),
            _ if self.refined.is_some_and(|refined| refined.stuck) => {
                format!("a path violates it {under}, and no constraint that is known rules it out")
            }
            _ => format!("a path violates it {under}; it may be no run"),
        }
    }

    fn result(&self) -> RunResult {
        let mut result = empty_result(self.sources, "flow");
        let verdict = self.verdict();
        result.verdict = verdict;
        result.run.engine = "flow".to_owned();
        result.run.stop = Stop::Completed;
        result.model = Some(ModelInfo {
            language: "flow graph".to_owned(),
            processes: self.model.graph.threads.len() as u64,
        });
        result.scope.complete = verdict == Verdict::Holds;
        result.scope.assumed = self.names(self.constraints);
        if self.args.runs == RunsArg::Ending {
            result.scope.skipped.push("runs without end".to_owned());
        }
        let id = format!("events:{}", self.name);
        let mut property = PropertyResult::new(PropertyKind::Events, id, self.name, verdict);
        property.message = Some(self.message());
        let last = self.answer.propagated.path.iter().rev().find_map(|visit| {
            let node = self.answer.tfg.node(visit.node)?;
            self.model.graph.nodes[node as usize].span
        });
        property.span = last.map(|span| Place::of(self.sources, span));
        result.properties.push(property);
        result
    }

    fn text(&self, style: &Style, result: &RunResult, front: f64) -> String {
        let graph = &self.model.graph;
        let path = self.args.file.display();
        let threads = plural(graph.threads.len() as u64, "thread", "threads");
        let mut out = format!("{path}  flow graph, {threads}, 1 property\n");
        let word = result.verdict.word();
        let shown = style.verdict(word, &word.to_string());
        let _ = writeln!(out, "  {shown}  {}     {}", self.name, self.message());
        if let Some(refined) = self.refined {
            for (index, round) in refined.rounds.iter().enumerate() {
                let events = match round.events.is_empty() {
                    true => "a path without events".to_owned(),
                    false => round.events.join(", "),
                };
                let added = self.names(&round.added).join(", ");
                let _ = writeln!(out, "  round {}: {events} - ruled out by {added}", index + 1);
            }
            if !refined.dropped.is_empty() {
                let dropped = self.names(&refined.dropped).join(", ");
                let _ = writeln!(out, "  not needed in the end: {dropped}");
            }
        }
        self.path(&mut out);
        let Answer { propagated, phases, .. } = self.answer;
        let _ = writeln!(
            out,
            "  graph: {} nodes, {} parallel steps, {} pairs, {} tuples",
            self.answer.nodes(),
            self.answer.parallel_steps(),
            propagated.pairs,
            propagated.tuples
        );
        let _ = writeln!(
            out,
            "  time: reading {front:.2} s, parallel {:.2} s, model {:.2} s, propagation {:.2} s",
            phases.parallel.as_secs_f64(),
            phases.model.as_secs_f64(),
            phases.propagation.as_secs_f64()
        );
        let runs = match self.args.runs {
            RunsArg::Ending => "runs that end",
            RunsArg::All => "all runs",
        };
        let hand: Vec<String> =
            self.model.assumed.iter().map(|(name, _)| format!("{name} (not proved)")).collect();
        let assumed = match hand.len() {
            0 => "nothing assumed by hand".to_owned(),
            _ => format!("assumed by hand: {}", hand.join(", ")),
        };
        let _ = writeln!(out, "  scope: {runs}, {assumed}");
        out
    }

    /// The violating path.
    fn path(&self, out: &mut String) {
        let graph = &self.model.graph;
        let propagated = &self.answer.propagated;
        if propagated.path.is_empty() {
            return;
        }
        let property = &self.answer.automata[0];
        let _ = writeln!(out, "  path:");
        let mut before = property.start;
        for visit in &propagated.path {
            let state = visit.tuple[0];
            if let Some(node) = self.answer.tfg.node(visit.node) {
                let of = &graph.nodes[node as usize];
                let arrow = match visit.step {
                    Step::Local => "->",
                    Step::Parallel => "=>",
                };
                let threads: Vec<&str> = graph
                    .threads_of(node)
                    .map(|thread| graph.threads[thread as usize].name.as_str())
                    .collect();
                let line = of.span.map(|span| format!("{}: ", self.sources.start(span).0));
                let text = format!("{}{}", line.unwrap_or_default(), graph.show(node));
                let change = match state == before {
                    true => String::new(),
                    false => format!(
                        "{} -> {}",
                        property.names[usize::from(before)],
                        property.names[usize::from(state)]
                    ),
                };
                let lane = pad(&threads.join("+"), 10);
                let text = format!("    {arrow} {lane} {} {change}", pad(&text, 30));
                let _ = writeln!(out, "{}", text.trim_end());
            }
            before = state;
        }
    }
}
