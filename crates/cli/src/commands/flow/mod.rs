//! `everypath flow`: properties of event sequences, proved by data-flow analysis.

mod confirm;
mod limits;
mod load;
mod tell;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, ValueEnum};
use everypath_engine_dataflow::{
    Answer, Constraint, Effort, Graph, Model, Options, Runs, endless_thread, inline, refine,
};
use everypath_flow::{write, write_dot, write_svg};
use everypath_model::{Diagnostic, Severity, Sources, most_similar, shown};
use everypath_property::events::{
    EventProperty, Fsa, of_ltl_over, of_pattern_over, read_automaton, read_qre,
};
use everypath_property::ltl::SyntaxError;
use everypath_render::Format;
use everypath_render::units::{parse_bytes, parse_duration};
use everypath_verdict::{Exit, Policy};

use self::limits::Limits;
use self::load::{Runner, Subject};
use self::tell::Told;

use crate::args::{CheckArgs, Cli, Command, LayoutArgs, ReadingArgs};
use crate::commands::formula;
use crate::config::Environment;
use crate::input::{self, placeless};
use crate::render::full::{Detail, TraceDetail, Verbosity};
use crate::render::style::Style;
use crate::render::{Checked, Page, json, last};
use crate::settings::{Job, Request};
use crate::{complain, print, tell};

const EXAMPLES: &str = "\
Examples:
  everypath flow forks.flow --property twice.qre                    is it proved without constraints?
  everypath flow forks.flow --property twice.qre --refine auto      find the constraints that prove it
  everypath flow forks.flow --property twice.qre --constraint task:p1 --constraint monitor:fork1
  everypath flow forks.flow --show graph                            the program with all calls in place
  everypath flow Forks.java --events forks.events --property twice.qre --refine auto
  everypath flow forks.pml --qre '..' --refine auto                 a Promela model: events are labels and channels
  everypath flow Forks.java --show objects                          the names that rules can speak of

Exit codes: 0 proved, 1 a run violates it, 2 bad input, 3 not proved.";

/// Pairs of nodes and tuples, if nothing else is said.
const LIMIT: u64 = 50_000_000;
/// Runs that are tried, if nothing else is said.
const CONFIRM: u64 = 200;

/// Arguments of `flow`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FlowArgs {
    /// A Java program (source, class or jar), a Promela model, or a flow graph (docs/flow.md has the textual form); `-` is a flow
    /// graph from the standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// How the program is read.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Rules that make places of the program events, one a line: call Fork.up on fork1 => f1Up
    #[arg(long, value_name = "FILE", help_heading = "Events")]
    pub events: Option<PathBuf>,

    /// One such rule (repeatable). An event that no rule makes is a call: fork1.up, Fork.up or up
    #[arg(long, value_name = "RULE", help_heading = "Events")]
    pub event: Vec<String>,

    /// A property: a file with a quantified regular expression or a finite automaton (text or DOT)
    #[arg(long, value_name = "FILE", conflicts_with = "qre")]
    pub property: Option<PathBuf>,

    /// The same as a text: for events { a, b } show all executions satisfy (a ; b)*
    #[arg(long, value_name = "TEXT")]
    pub qre: Option<String>,

    /// A temporal formula over events, meant for runs that end: [] (open -> <> close)
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["qre", "property"])]
    pub ltl: Option<String>,

    /// A pattern over events: `response; P = open; S = close` (`prop list` has them all)
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["qre", "property", "ltl"])]
    pub pattern: Option<String>,

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
    #[arg(long, value_name = "N", default_value_t = LIMIT, help_heading = "Analysis")]
    pub limit: u64,

    /// Stop after this time: 30s, 10m, 1h30m
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Analysis")]
    pub time: Option<Duration>,

    /// Stop at this memory: 512M, 8GiB [default: 75 % of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Analysis")]
    pub mem: Option<u64>,

    /// Runs or states that are looked at to find out whether a violating path is a run; 0 for none
    #[arg(long, value_name = "N", default_value_t = CONFIRM, help_heading = "Analysis")]
    pub confirm: u64,

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
    /// The same as a picture
    Svg,
    /// The threads with all calls in place, and what constraints can be about
    Graph,
    /// The objects of which there is one, and the threads
    Objects,
}

/// `--format`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FlowFormat {
    /// For people
    Full,
    /// One JSON document
    Json,
    /// SARIF, for code scanning
    Sarif,
    /// JUnit, for CI
    Junit,
}

/// Options of `check` that mean the same here.
const OF_CHECK: [&str; 24] = [
    "trust",
    "files",
    "engine",
    "format",
    "fsa",
    "qre",
    "ltl",
    "pattern",
    "event",
    "define",
    "undefine",
    "include",
    "class_path",
    "main",
    "source_path",
    "javac",
    "arg",
    "time",
    "mem",
    "color",
    "ascii",
    "columns",
    "no_save",
    "no_config",
];

/// An option of the command line that would be ignored.
fn not_for_flow(matches: &ArgMatches) -> Option<&str> {
    let given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let ids = matches.ids().map(|id| id.as_str());
    // Groups of arguments are called by their types.
    ids.filter(|id| id.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter(given)
        .find(|id| !OF_CHECK.contains(id))
}

/// What `check --engine flow` does with one file, wherever its settings come from: one analysis for each property.
pub fn check(job: &Job, request: &Request<'_>) -> Exit {
    let mut words: Vec<OsString> = job.config.checking.words.iter().map(OsString::from).collect();
    words.extend(request.args.reading.trust.then(|| "--trust".into()));
    words.extend(request.args.layout.columns.map(|n| format!("--columns={n}").into()));
    words.extend(["--".into(), job.path.clone().into_os_string()]);
    let parsed = Cli::command().try_get_matches_from(words);
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    match &parsed {
        Ok((Cli { command: Command::Check(args) }, matches)) => {
            let matches = matches.subcommand_matches("check");
            matches.map_or(Exit::Internal, |matches| analyse(args, matches, request.environment))
        }
        _ => Exit::Internal,
    }
}

fn analyse(args: &CheckArgs, matches: &ArgMatches, environment: &Environment) -> Exit {
    if let Some(option) = not_for_flow(matches) {
        tell("error", &format!("--engine flow has no use for --{}", option.replace('_', "-")));
        return Exit::Input;
    }
    let format = match args.format {
        Format::Full => FlowFormat::Full,
        Format::Json => FlowFormat::Json,
        Format::Sarif => FlowFormat::Sarif,
        Format::Junit => FlowFormat::Junit,
        _ => {
            complain("error: --engine flow writes full, json, sarif or junit\n");
            return Exit::Input;
        }
    };
    // `NAME=PLACE` as rules have it; one word is a label.
    let rule = |text: &String| match text.split_once('=') {
        Some((name, place)) if place.trim().contains(char::is_whitespace) => {
            format!("{} => {}", place.trim(), name.trim())
        }
        Some((name, label)) => {
            format!("call {} => {}", label.trim().replace('@', "."), name.trim())
        }
        None => text.clone(),
    };
    let plain = FlowArgs {
        file: PathBuf::new(),
        reading: args.reading.clone(),
        events: None,
        event: args.event.iter().map(rule).collect(),
        property: None,
        qre: None,
        ltl: None,
        pattern: None,
        constraint: Vec::new(),
        assume: Vec::new(),
        refine: RefineArg::Auto,
        runs: RunsArg::Ending,
        mode: ModeArg::Shortest,
        spurious: false,
        whole: false,
        limit: LIMIT,
        time: args.time,
        mem: args.mem,
        confirm: CONFIRM,
        show: None,
        format,
        layout: args.layout.clone(),
    };
    let mut asked: Vec<FlowArgs> = Vec::new();
    asked.extend(
        args.fsa.iter().map(|path| FlowArgs { property: Some(path.into()), ..plain.clone() }),
    );
    asked.extend(args.qre.iter().map(|text| FlowArgs { qre: Some(text.clone()), ..plain.clone() }));
    asked.extend(args.ltl.iter().map(|text| FlowArgs { ltl: Some(text.clone()), ..plain.clone() }));
    asked.extend(
        args.pattern.iter().map(|text| FlowArgs { pattern: Some(text.clone()), ..plain.clone() }),
    );
    if asked.is_empty() || args.files.is_empty() {
        complain(
            "error: --engine flow needs a file and a property of events: --fsa, --qre, --ltl or --pattern\n",
        );
        return Exit::Input;
    }
    let mut worst = Exit::Ok;
    for file in &args.files {
        for one in &asked {
            let exit = flow(&FlowArgs { file: file.clone(), ..one.clone() }, environment);
            worst = worst.max(exit);
        }
    }
    worst
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
    let limits = Limits::new(args);
    let given = args.property.is_some()
        || args.qre.is_some()
        || args.ltl.is_some()
        || args.pattern.is_some();
    let property = match given || args.show.is_none() {
        true => Some(property(args, notes)?),
        false => None,
    };
    let required = property.as_ref().map(|(_, property)| property);
    let subject = load::load(args, required, &limits, notes)?;
    match args.show {
        Some(ShowArg::Program) => {
            print(&write(&subject.program));
            return Ok(Exit::Ok);
        }
        Some(ShowArg::Dot) => {
            print(&write_dot(&subject.program));
            return Ok(Exit::Ok);
        }
        Some(ShowArg::Svg) => {
            let Some(picture) = write_svg(&subject.program) else {
                complain(
                    "error: the graph is too large for a picture; --show dot writes it for Graphviz\n",
                );
                return Err(Exit::Inconclusive);
            };
            print(&picture);
            return Ok(Exit::Ok);
        }
        Some(ShowArg::Objects) => {
            print(&tell::objects(&subject));
            return Ok(Exit::Ok);
        }
        _ => {}
    }
    let graph = inline(&subject.program).map_err(|refused| {
        let error = match refused.span {
            Some(span) => Diagnostic::error("EP1802", span, refused.message),
            None => placeless(Severity::Error, "EP1802", refused.message),
        };
        formula::tell(notes, &subject.sources, &error);
        Exit::Input
    })?;
    if args.show == Some(ShowArg::Graph) {
        print(&tell::listing(&graph, &subject.sources));
        return Ok(Exit::Ok);
    }
    let Some((name, property)) = property else { return Err(Exit::Input) };
    let wrong = |message: String| {
        formula::tell(notes, &subject.sources, &placeless(Severity::Error, "EP1803", message));
        Exit::Input
    };
    let constraints: Vec<Constraint> = args
        .constraint
        .iter()
        .map(|text| Constraint::parse(text))
        .collect::<Result<_, _>>()
        .map_err(wrong)?;
    let mut assumed: Vec<(String, Fsa)> = Vec::new();
    for path in &args.assume {
        let property = automaton(path, notes)?;
        assumed.push((shown(path), property.required()));
    }
    let front = start.elapsed();
    let given: Vec<Constraint> =
        constraints.into_iter().chain((0..assumed.len()).map(Constraint::Assumed)).collect();
    let options = Options {
        runs: args.runs.runs(),
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
    if let Some(event) = unknown_event(&property, &graph, &subject) {
        formula::tell(notes, &subject.sources, &no_such_event(event, &graph, &subject));
        return Err(Exit::Input);
    }
    let bounds = limits.bounds();
    let model = Model::within(&graph, property.required(), assumed, known, options, bounds);
    let (answer, used, refined) = match args.refine {
        RefineArg::None => (model.decide(&given).map_err(wrong)?, given, None),
        RefineArg::Auto => {
            let refined = refine(&model, &given, args.limit).map_err(wrong)?;
            (refined.answer.clone(), refined.constraints.clone(), Some(refined))
        }
    };
    let confirmed = match answer.propagated.violated {
        true => confirm::confirm(args, &subject, &limits, &graph, &model, &answer, &property),
        false => None,
    };
    let told = Told {
        args,
        subject: &subject,
        limits: &limits,
        model: &model,
        answer: &answer,
        constraints: &used,
        refined: refined.as_ref(),
        name: &name,
        confirmed: confirmed.as_ref(),
        vacuous: vacuous(args, &graph, &model, &answer),
    };
    let mut result = told.result();
    result.run.wall_s = start.elapsed().as_secs_f64();
    let policy = Policy::default();
    let exit = policy.judge([result.verdict]);
    result.exit = exit.code();
    let format = match args.format {
        FlowFormat::Full => {
            let text = told.text(style, &result, front.as_secs_f64());
            formula::print_lines(style, &text);
            return Ok(exit);
        }
        FlowFormat::Json => {
            print(&json::line(&result));
            return Ok(exit);
        }
        FlowFormat::Sarif => Format::Sarif,
        FlowFormat::Junit => Format::Junit,
    };
    let detail = Detail {
        trace: TraceDetail::Delta,
        traces: 1,
        verbosity: Verbosity::Normal,
        policy,
        kept: false,
        memory: crate::memory::default_limit(),
    };
    let base = std::env::current_dir().unwrap_or_default();
    let page = Page { style: *style, detail: &detail, base: &base, codes: crate::codes::describe };
    let checked = Checked { result, sources: subject.sources.clone(), policy, trail: None };
    print(&last(format, &page, &[checked], exit));
    Ok(exit)
}

impl RunsArg {
    fn runs(self) -> Runs {
        match self {
            RunsArg::Ending => Runs::Ending,
            RunsArg::All => Runs::All,
        }
    }
}

/// The property and its name.
fn property(args: &FlowArgs, notes: &Style) -> Result<(String, EventProperty), Exit> {
    if let Some(text) = &args.qre {
        return Ok(("qre".to_owned(), expression("<qre>".into(), text, notes)?));
    }
    // What rules name is an event also if operators have that name.
    let known: Vec<String> = load::rules(args, notes)?.into_iter().map(|rule| rule.event).collect();
    let refuse = |name: &str, text: &str, error: &SyntaxError| {
        formula::refuse(notes, name.into(), text, "EP1704", error)
    };
    if let Some(text) = &args.ltl {
        let property = of_ltl_over(text, &known).map_err(|error| refuse("<ltl>", text, &error))?;
        return Ok(("ltl".to_owned(), property));
    }
    if let Some(text) = &args.pattern {
        let property =
            of_pattern_over(text, &known).map_err(|error| refuse("<pattern>", text, &error))?;
        return Ok(("pattern".to_owned(), property));
    }
    let Some(path) = &args.property else {
        complain(
            "error: there is nothing to prove: use --property FILE, --qre, --ltl or --pattern\n",
        );
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

/// Pairs that are looked at to see whether a run ends.
const PAIRS_TO_END: u64 = 100_000;

/// Why a proof is one about nothing.
fn vacuous(args: &FlowArgs, graph: &Graph, model: &Model, answer: &Answer) -> Option<String> {
    if args.runs == RunsArg::All || !answer.conclusive() {
        return None;
    }
    if let Some(thread) = endless_thread(graph) {
        return Some(format!("no run ends: `{thread}` never does"));
    }
    let none = !answer.propagated.ends || model.never_ends(PAIRS_TO_END);
    none.then(|| "no run ends".to_owned())
}

/// An event of a property that nothing in the program is.
fn unknown_event<'a>(
    property: &'a EventProperty,
    graph: &Graph,
    subject: &Subject,
) -> Option<&'a String> {
    let mut events = property.fsa.events.iter();
    events.find(|event| !graph.events.contains(event) && !subject.idle.contains(event))
}

/// The error about it.
fn no_such_event(event: &str, graph: &Graph, subject: &Subject) -> Diagnostic {
    let message = format!("nothing in the program is the event `{event}`");
    let near = most_similar(event, graph.events.iter().map(String::as_str));
    let help = match (near, &subject.runner) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, Runner::Graph) => "`--show graph` lists the events".to_owned(),
        (None, _) => format!("--event 'PLACE => {event}' says which places are the event"),
    };
    Diagnostic { help: Some(help), ..placeless(Severity::Error, "EP1805", message) }
}
