//! The command line as it is written. [`crate::config`] makes sense of it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use everypath_model::Named;
use everypath_render::Format;
use everypath_render::units::{parse_bytes, parse_count, parse_duration, parse_frames};

use crate::choices::{
    CheckpointArg, CyclesArg, EngineArg, ExecArg, FairArg, GuideArg, HashingArg, HeapArg,
    HeuristicArg, ProvisoArg, ReduceArg, SearchArg, parse_checkpoint,
};
use crate::commands::automaton::AutomatonArgs;
use crate::commands::completions::CompletionsArgs;
use crate::commands::diff::DiffArgs;
use crate::commands::doctor::DoctorArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::flow::FlowArgs;
use crate::commands::init::InitArgs;
use crate::commands::jpf::JpfArgs;
use crate::commands::lint::LintArgs;
use crate::commands::man::ManArgs;
use crate::commands::prop::PropArgs;
use crate::commands::races::RacesArgs;
use crate::commands::replay::ReplayArgs;
use crate::commands::reproduce::ReproduceArgs;
use crate::commands::schema::SchemaArgs;
use crate::commands::show::ShowArgs;
use crate::commands::sim::SimArgs;
use crate::commands::spin::SpinArgs;
use crate::levels::{Rule, parse_rule};
use crate::stores::{StoreArg, parse_store};
use crate::temporal::emptiness::EmptinessArg;

const ABOUT: &str = "Checks every path that a concurrent program or model can take.";

const TOP_EXAMPLES: &str = "\
Examples:
  everypath check model.pml                 check assertions and deadlocks
  everypath check model.pml --format json   the same for a program to read
  everypath show --format chart             the last counterexample as a chart
  everypath lint model.pml                  look for mistakes
  everypath prop show '[](p -> <>q)'        what a temporal formula means
  everypath explain EP0101                  what a code means

Exit codes:
  0    everything holds, and the search was complete
  1    a violation, or an unmet expectation
  2    wrong usage, unreadable or ill-formed input
  3    inconclusive: a limit, an interrupt, something that cannot be checked
  101  an internal error of everypath";

const CHECK_EXITS: &str = "\
Exit codes: 0 holds, 1 violated, 2 bad input, 3 inconclusive, 101 internal error.";

const CHECK_EXAMPLES: &str = "\
Examples:
  everypath check counter.pml
  everypath check counter.pml -D N=4 --invariant 'n <= 4'
  everypath check big.pml --time 10m --mem 8GiB
  everypath check huge.pml --store bitstate --table 2GiB
  everypath check huge.pml --search swarm --time 10m
  everypath check --resume last --mem 32GiB
  everypath check broken.pml --expect violated
  everypath check model.pml --deny vacuity,unreached
  everypath check model.pml -o json=result.json --trace full
  everypath check models/*.pml --format github -o sarif=out.sarif -o junit=out.xml

Verdicts:
  holds               true, with complete evidence
  no violation found  the search was incomplete; the reason is given
  violated            false, with a run that shows it
  unknown             not checked, or given up; the reason is given
  error               a problem of the input or of the tool

Exit codes: 0 holds, 1 violated, 2 bad input, 3 inconclusive, 101 internal error.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "everypath",
    version,
    about = ABOUT,
    after_help = TOP_EXAMPLES,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check models and programs
    Check(Box<CheckArgs>),
    /// Find mistakes without a full search
    Lint(LintArgs),
    /// Simulate a model: at random, along a trace, or by hand
    Sim(SimArgs),
    /// Run a Java program and report races and lock problems
    Races(RacesArgs),
    /// Show a counterexample
    Show(ShowArgs),
    /// Replay a counterexample on its model
    Replay(ReplayArgs),
    /// Reproduce a counterexample of a Java program on the JVM
    Reproduce(ReproduceArgs),
    /// Explain a code such as EP0101, or a counterexample
    Explain(ExplainArgs),
    /// Compare two runs
    Diff(DiffArgs),
    /// List property patterns, explain a property, or build one
    Prop(Box<PropArgs>),
    /// Turn a temporal formula into an automaton
    Automaton(AutomatonArgs),
    /// Prove properties of event sequences by data-flow analysis
    Flow(FlowArgs),
    /// Run SPIN command lines
    Spin(SpinArgs),
    /// Run Java PathFinder files and options
    Jpf(JpfArgs),
    /// Print the JSON schemas of the documents
    Schema(SchemaArgs),
    /// Create an everypath.toml
    Init(InitArgs),
    /// Show what is installed and what is missing
    Doctor(DoctorArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// What `check -h` lists; `--help` has the rest.
const OFTEN_USED: [&str; 15] = [
    "files",
    "ltl",
    "invariant",
    "only",
    "expect",
    "search",
    "jobs",
    "time",
    "mem",
    "all_errors",
    "format",
    "output",
    "quiet",
    "verbose",
    "watch",
];

/// The command line, with its short help.
pub fn command() -> clap::Command {
    Cli::command().mut_subcommand("check", |check| {
        check.mut_args(|arg| {
            let often = OFTEN_USED.contains(&arg.get_id().as_str());
            arg.hide_short_help(!often)
        })
    })
}

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXITS, after_long_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// Models to check, or directories of models; `-` is the standard input; without any, the
    /// targets of everypath.toml
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How the models are read.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// A condition that has to hold in every state
    #[arg(long, value_name = "EXPR", help_heading = "Properties")]
    pub invariant: Vec<String>,

    /// A temporal formula that has to hold for every run, over conditions of the model; in the spelling of
    /// SPIN, Spot or NuSMV. `NAME := ` in front gives this and the next three a name
    #[arg(long, value_name = "FORMULA", help_heading = "Properties")]
    pub ltl: Vec<String>,

    /// A pattern that has to hold for every run: `response between; P = request; S = grant; Q = open; R = close`
    /// (`prop list` has them all)
    #[arg(long, value_name = "PATTERN", help_heading = "Properties")]
    pub pattern: Vec<String>,

    /// An automaton over events, as text or DOT, that all runs or no run have to follow
    #[arg(long, value_name = "FILE", help_heading = "Properties")]
    pub fsa: Vec<String>,

    /// The same as an expression: for events { a, b } show all executions satisfy (a ; b)*
    #[arg(long, value_name = "EXPR", help_heading = "Properties")]
    pub qre: Vec<String>,

    /// What an event is, if not the statement behind the label of its name: a label, Proctype@label, or the text
    /// of a statement; of Java programs `call Class.method` or `exit Class.method`
    #[arg(long, value_name = "NAME=WHAT", value_parser = parse_event, help_heading = "Properties")]
    pub event: Vec<String>,

    /// Look for infinite runs that never pass a progress label, or that pass an accept label infinitely often
    #[arg(long, value_name = "LABEL,..", value_delimiter = ',', help_heading = "Properties", value_parser = named::<CyclesArg>())]
    pub cycles: Vec<CyclesArg>,

    /// Fairness that temporal properties may assume: weak, no process is ignored for ever while it can always move;
    /// strong, no statement is ignored for ever while it can be executed infinitely often
    #[arg(long, value_name = "FAIRNESS", default_value = "none", help_heading = "Properties", value_parser = named::<FairArg>())]
    pub fair: FairArg,

    /// Assume strong fairness only for the choices (if, do) at these lines
    #[arg(long, value_name = "LINE,..", value_delimiter = ',', help_heading = "Properties")]
    pub fair_choice: Vec<u32>,

    /// Find the counterexample to a temporal property with the shortest stem and cycle, however long that takes (not
    /// with strong fairness)
    #[arg(long, help_heading = "Search")]
    pub shortest: bool,

    /// Algorithm that looks for violations of temporal properties; the verdict is the same with each
    #[arg(long, value_name = "METHOD", default_value = "auto", help_heading = "Search", value_parser = named::<EmptinessArg>())]
    pub emptiness: EmptinessArg,

    /// Java: report states with more than N objects; the same as --invariant 'objects() <= N'
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Properties")]
    pub heap_limit: Option<u64>,

    /// Java: explore spurious wake-ups of waiting and parked threads too, and say which violations need one
    #[arg(long, help_heading = "Search")]
    pub spurious_wakeups: bool,

    /// Java: run the program first, then start the search with the threads that the warnings of these runs name
    #[arg(long, value_name = "BY", help_heading = "Search", value_parser = named::<GuideArg>())]
    pub guide: Option<GuideArg>,

    /// Where --search directed looks first [default: chosen by the properties; most-blocked for Java]
    #[arg(long, value_name = "NAME", help_heading = "Search", value_parser = named::<HeuristicArg>())]
    pub heuristic: Option<HeuristicArg>,

    /// Check only these properties: assertions, deadlock, invariant, races (Java), never, trace, notrace, or the name of an
    /// ltl formula
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', help_heading = "Properties")]
    pub only: Vec<String>,

    /// The expected verdict: exit with 0 if it is reached, with 1 if the opposite is
    #[arg(long, value_name = "VERDICT", help_heading = "Properties")]
    pub expect: Option<ExpectArg>,

    /// Exit with 0 if no violation was found before a limit stopped the search
    #[arg(long, value_name = "WHAT", help_heading = "Properties")]
    pub accept: Option<AcceptArg>,

    /// Treat findings of `lint` as errors (exit code 1): a name, a code, `warnings` or `all`
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = parse_rule, help_heading = "Properties")]
    pub deny: Vec<Rule>,

    /// Exit with 0 even after a violation or an inconclusive search
    #[arg(long, help_heading = "Properties")]
    pub exit_zero: bool,

    /// Search order. Complete: auto (bfs, with short searches in other orders for deep violations), bfs (shortest
    /// counterexamples), dfs (may need less memory), directed (violations first), stateless (one run at a time, stores no
    /// states; Java). Incomplete: random (random runs), swarm (many small searches)
    #[arg(long, value_name = "ORDER", default_value = "auto", help_heading = "Search", value_parser = named::<SearchArg>())]
    pub search: SearchArg,

    /// State storage. Exact: collapse, plain, tree, delta[=K] (stores one state in K). Lossy, in a table of fixed size:
    /// compact[=BITS] (a hash of 4 to 64 bits per state), bitstate[=K] (K bits per state)
    #[arg(long, value_name = "NAME", default_value = "collapse", value_parser = parse_store, help_heading = "Search")]
    pub store: StoreArg,

    /// Size of the table of a lossy store [default: half of --mem, or 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Search")]
    pub table: Option<u64>,

    /// How the K bit positions of a state are derived from its hash
    #[arg(long, value_name = "HOW", default_value = "paired", help_heading = "Search", value_parser = named::<HashingArg>())]
    pub hashing: HashingArg,

    /// Random seed: the first random run or search of a swarm uses N, the next N+1, and so on; with another seed a lossy
    /// store omits other states
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub seed: u64,

    /// Follow only runs with at most N preemptions, that is, switches from a thread that could go on (--search stateless)
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub preemptions: Option<u32>,

    /// Follow only runs with at most N context switches (--search stateless)
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub switches: Option<u32>,

    /// Number of random runs, or of searches in a swarm [default: 1000 and 16; unlimited with --time]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Search")]
    pub runs: Option<u64>,

    /// How properties of event sequences are checked: by exploring all states, or by data-flow analysis of the flow graph,
    /// as `everypath flow --refine auto` does
    #[arg(long, value_name = "ENGINE", default_value = "search", help_heading = "Search", value_parser = named::<EngineArg>())]
    pub engine: EngineArg,

    /// How the search executes statements; traces always come from the interpreter
    #[arg(long, value_name = "HOW", default_value = "jit", help_heading = "Search", value_parser = named::<ExecArg>())]
    pub exec: ExecArg,

    /// Number of search threads [default: one per processor; one for dfs]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Search")]
    pub jobs: Option<u16>,

    /// Reductions of the state space, which keep all verdicts; `none` explores every state; with `transactions`,
    /// deadlocks and invariants are not checked
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', default_value = crate::reduce::DEFAULT, help_heading = "Search", value_parser = named::<ReduceArg>())]
    pub reduce: Vec<ReduceArg>,

    /// Cycle proviso of `--reduce ample` and `stubborn`: what keeps them from postponing a step for ever [default: open]
    #[arg(long, value_name = "NAME", help_heading = "Search", value_parser = named::<ProvisoArg>())]
    pub proviso: Option<ProvisoArg>,

    /// Stop after this time: 30s, 10m, 1h30m
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Search")]
    pub time: Option<Duration>,

    /// Stop when this much memory is in use: 512M, 8GiB [default: 75 % of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Search")]
    pub mem: Option<u64>,

    /// Stop after this many states
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Search")]
    pub states: Option<u64>,

    /// Do not follow runs beyond this many steps
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Search")]
    pub depth: Option<u64>,

    /// Save the search to disk at this interval, so that it can be resumed after a limit, an interrupt or a crash
    /// [default: after the first minute, where the search can be saved]
    #[arg(
        long,
        value_name = "TIME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "60s",
        value_parser = parse_checkpoint,
        help_heading = "Search"
    )]
    pub checkpoint: Option<CheckpointArg>,

    /// Keep the search queue and the data for traces on disk, which leaves the memory to the states; in DIR, or else in
    /// .everypath
    #[arg(
        long,
        value_name = "DIR",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        help_heading = "Search"
    )]
    pub disk: Option<OsString>,

    /// Resume a search from a checkpoint: `last` or a file; it keeps the options of that run
    #[arg(long, value_name = "FILE", conflicts_with = "watch", help_heading = "Search")]
    pub resume: Option<PathBuf>,

    /// Do not stop at the first violation; show the traces of all violations, or of N
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "18446744073709551615",
        value_parser = parse_count,
        help_heading = "Search"
    )]
    pub all_errors: Option<u64>,

    /// Java: how objects of a state are numbered
    #[arg(long, value_name = "HOW", default_value = "reached", help_heading = "Search", value_parser = named::<HeapArg>())]
    pub heap: HeapArg,

    /// Java: report which lines, methods and branches the search executed (slower)
    #[arg(long, help_heading = "Output")]
    pub coverage: bool,

    /// How much of each trace to show
    #[arg(long, value_name = "HOW", default_value = "delta", help_heading = "Output")]
    pub trace: TraceArg,

    /// Format of the standard output; the exit code does not depend on it
    #[arg(long, value_name = "FMT", default_value = "full", value_parser = named::<Format>(), help_heading = "Output")]
    pub format: Format,

    /// Also write the result to a file; `-` is the standard output (repeatable)
    #[arg(short = 'o', long = "output", value_name = "FMT=FILE", value_parser = parse_output, help_heading = "Output")]
    pub output: Vec<(Format, PathBuf)>,

    /// Say less
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,

    /// Say more
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,

    /// Show progress on the standard error
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub progress: WhenArg,

    /// Do not keep the result in .everypath
    #[arg(long, help_heading = "Output")]
    pub no_save: bool,

    /// Check again whenever a model, a file it includes or the configuration changes
    #[arg(long, conflicts_with = "show_config", help_heading = "Configuration")]
    pub watch: bool,

    /// Read this file instead of the nearest everypath.toml
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Configuration")]
    pub config: Option<PathBuf>,

    /// Read no everypath.toml
    #[arg(long, help_heading = "Configuration")]
    pub no_config: bool,

    /// Print every setting with where it comes from, and check nothing
    #[arg(long, help_heading = "Configuration")]
    pub show_config: bool,
}

/// `NAME=WHAT`
fn parse_event(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, what)) if !name.trim().is_empty() && !what.trim().is_empty() => {
            Ok(text.to_owned())
        }
        _ => Err("expected NAME=WHAT, such as take=lock!1".to_owned()),
    }
}

/// How a model is read.
#[derive(Clone, Debug, Default, Args)]
pub struct ReadingArgs {
    /// Define a macro before the model is read
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", help_heading = "Reading")]
    pub define: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', long = "undefine", value_name = "NAME", help_heading = "Reading")]
    pub undefine: Vec<String>,

    /// Also look for included files in this directory
    #[arg(short = 'I', long = "include", value_name = "DIR", help_heading = "Reading")]
    pub include: Vec<PathBuf>,

    /// Java: directories and jars with classes, as `java` takes them
    #[arg(
        long = "class-path",
        visible_alias = "cp",
        value_name = "PATH",
        help_heading = "Reading"
    )]
    pub class_path: Option<OsString>,

    /// Java: the main class
    #[arg(long, value_name = "CLASS", help_heading = "Reading")]
    pub main: Option<String>,

    /// Java: where to find the sources of classes and of other classes to compile [default: beside the input]
    #[arg(long, value_name = "PATH", help_heading = "Reading")]
    pub source_path: Option<OsString>,

    /// Java: an option for javac, such as --javac=--enable-preview (repeatable)
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, help_heading = "Reading")]
    pub javac: Vec<String>,

    /// Java: an argument for the program (repeatable); the same as `-- ARG..` at the end
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Reading")]
    pub arg: Vec<String>,

    /// Java: how many frames a thread may have before it gets a StackOverflowError [default: 16000]
    #[arg(long, value_name = "FRAMES", value_parser = parse_frames, help_heading = "Reading")]
    pub stack_limit: Option<u64>,

    /// The input is trusted: javac may run its annotation processors and take every option, and everypath.toml may name
    /// files outside its folder (docs/security.md)
    #[arg(long, help_heading = "Reading")]
    pub trust: bool,
}

impl ReadingArgs {
    /// An option that means nothing to an input: of Java to a model, or the other way round.
    pub fn of_other_language(&self, java: bool) -> Option<String> {
        let of_java = [
            ("--class-path", self.class_path.is_some()),
            ("--main", self.main.is_some()),
            ("--source-path", self.source_path.is_some()),
            ("--javac", !self.javac.is_empty()),
            ("--arg", !self.arg.is_empty()),
            ("--stack-limit", self.stack_limit.is_some()),
        ];
        let of_models = [
            ("--define", !self.define.is_empty()),
            ("--undefine", !self.undefine.is_empty()),
            ("--include", !self.include.is_empty()),
        ];
        let (options, whose) =
            if java { (&of_models[..], "models") } else { (&of_java[..], "Java programs") };
        let (option, _) = options.iter().find(|(_, given)| *given)?;
        Some(format!("{option} is for {whose}"))
    }
}

/// How text looks.
#[derive(Clone, Debug, Args)]
pub struct LayoutArgs {
    /// Use colours; NO_COLOR and CLICOLOR_FORCE are respected
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: WhenArg,

    /// Print nothing but ASCII
    #[arg(long, help_heading = "Output")]
    pub ascii: bool,

    /// Width of the output
    #[arg(long, value_name = "N", hide = true)]
    pub columns: Option<usize>,
}

/// `--expect`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExpectArg {
    /// Every property holds
    Holds,
    /// Some property is violated
    Violated,
}

/// `--accept`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AcceptArg {
    /// A search that reached a limit of time, memory, states or depth
    Bounded,
}

/// `--trace`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceArg {
    /// No traces
    None,
    /// What each step changes
    Delta,
    /// Every step of a long trace too, and all values at its end
    Full,
}

/// `--color` and `--progress`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhenArg {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Reads one of the values of an option; help lists all of them.
pub fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    let value = |(_, name, help): &(T, &'static str, &'static str)| {
        let short = T::SHORT.iter().filter(|(_, long)| long == name).map(|(short, _)| *short);
        PossibleValue::new(*name).help(*help).aliases(short)
    };
    PossibleValuesParser::new(T::ALL.iter().map(value))
        .try_map(|name| T::named(&name).ok_or("it is not in the list"))
}

fn parse_output(text: &str) -> Result<(Format, PathBuf), String> {
    let names: Vec<&str> = Format::names().collect();
    let Some((format, file)) = text.split_once('=') else {
        return Err(format!("expected FMT=FILE, where FMT is one of {}", names.join(", ")));
    };
    let format = Format::named(format)
        .ok_or_else(|| format!("unknown format `{format}`: there are {}", names.join(", ")))?;
    if file.is_empty() {
        return Err("the name of the file is missing".to_owned());
    }
    Ok((format, file.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn the_short_help_of_check_fits_a_screen() {
        let mut all = command();
        all.build();
        let check = all.find_subcommand_mut("check").unwrap();
        let known: Vec<String> =
            check.get_arguments().map(|arg| arg.get_id().to_string()).collect();
        assert!(OFTEN_USED.iter().all(|id| known.iter().any(|known| known == id)), "{known:?}");
        let lines = |text: clap::builder::StyledStr| text.to_string().lines().count();
        let (short, long) = (lines(check.render_help()), lines(check.render_long_help()));
        assert!(short <= 50 && long > 200, "{short} and {long} lines");
    }

    #[test]
    fn all_errors_takes_an_optional_number() {
        let parse = |args: &[&str]| {
            let all = ["everypath", "check", "f.pml"].iter().chain(args);
            match Cli::try_parse_from(all).unwrap().command {
                Command::Check(check) => check.all_errors,
                _ => unreachable!(),
            }
        };
        assert_eq!(parse(&[]), None);
        assert_eq!(parse(&["--all-errors"]), Some(u64::MAX));
        assert_eq!(parse(&["--all-errors=3"]), Some(3));
    }
}
