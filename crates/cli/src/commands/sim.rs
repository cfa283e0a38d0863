//! `everypath sim`: from a file to a walk.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use everypath_model::{Simulate, Sources, shown};
use everypath_render::units::parse_count;
use everypath_verdict::{Exit, Strictness, Trace, TraceReading, Watch, rerun};
use everypath_walk::chance::{Plan, Shown, Tally, walk};
use everypath_walk::run::{self, Goal, Halted};
use everypath_walk::shell::{Setting, shell};
use everypath_walk::show::{View, steps};
use everypath_walk::walker::Walker;

use crate::args::{LayoutArgs, ReadingArgs};
use crate::config::Environment;
use crate::input::reason;
use crate::java;
use crate::outlet::{Stdout, folder_of};
use crate::reading::Reading;
use crate::ready;
use crate::render::style::Style;
use crate::render::{json, table};
use crate::{complain, evidence, interrupt, print, tell, tell_lines};

const EXAMPLES: &str = "\
Examples:
  everypath sim model.pml                          by hand, on a terminal
  everypath sim model.pml --steps 100 --seed 7     by chance; what the model prints
  everypath sim model.pml --seed 7 --show steps --watch 'len(q)'
  everypath sim model.pml --until 'n == 3 && !done' -o trace.json
  everypath sim model.pml --runs 1000              how often does it go wrong?
  everypath sim model.pml --trace last -i          along a counterexample, then by hand
  everypath sim Main.java -- one two               what a Java program prints, with its exit status
  everypath sim Main.java --seed 7                 the same on another schedule

Exit codes: 0 the walk ended or was stopped, 1 it came to a deadlock or a fault, 2 bad input.";

/// Steps of a walk that nobody limits.
const STEPS: u64 = 10_000;

/// Arguments of `sim`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SimArgs {
    /// The model, `-` for the standard input, or a Java program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// How the model is read.
    #[command(flatten)]
    pub reading: ReadingArgs,

    /// A condition that every state must satisfy, in the language of the model
    #[arg(long, value_name = "EXPR", help_heading = "Walk")]
    pub invariant: Vec<String>,

    /// Choose each step by hand; the default on a terminal, unless another option says how to walk
    #[arg(short, long, conflicts_with_all = ["steps", "until", "show", "verbose", "format", "output"], help_heading = "Walk")]
    pub interactive: bool,

    /// Stop after this many steps [default: 10000]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Walk")]
    pub steps: Option<u64>,

    /// Random seed: the same seed gives the same walk
    #[arg(long, value_name = "N", help_heading = "Walk")]
    pub seed: Option<u64>,

    /// Stop when this is true, such as `n > 2` or `len(q) == 3`
    #[arg(long, value_name = "EXPR", help_heading = "Walk")]
    pub until: Option<String>,

    /// Follow a trace first: last, 17:2, trace.json
    #[arg(long, value_name = "TRACE", help_heading = "Walk")]
    pub trace: Option<String>,

    /// Make this many walks, with the seeds N, N+1, .., and count how they end
    #[arg(long, value_name = "K", value_parser = parse_count, conflicts_with_all = ["interactive", "format", "trace"], help_heading = "Walk")]
    pub runs: Option<u64>,

    /// Print the value of an expression whenever it changes (repeatable)
    #[arg(long, value_name = "EXPR", help_heading = "Output")]
    pub watch: Vec<String>,

    /// What to print [default: steps on a terminal, else output]
    #[arg(long, value_name = "WHAT", help_heading = "Output")]
    pub show: Option<ShowArg>,

    /// Format of the output
    #[arg(long, value_name = "FMT", default_value = "full", help_heading = "Output")]
    pub format: SimFormat,

    /// Write the trace of the walk to a file; of several walks, the first that fails
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Print every step: the same as --show steps
    #[arg(short, long, conflicts_with = "show", help_heading = "Output")]
    pub verbose: bool,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// `--show`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShowArg {
    /// What the model prints
    Output,
    /// Each step with what it changes
    Steps,
    /// A column for each process, at the end
    Table,
    /// Nothing but the end
    None,
}

/// `--format` of `sim`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SimFormat {
    /// For people
    Full,
    /// The trace for programs
    Json,
}

/// Walk through a model, by chance, by a trace or by hand.
pub fn sim(args: &SimArgs, environment: &Environment) -> Exit {
    let interrupt = interrupt::install();
    let (style, notes) = environment.styles(&args.layout);
    if let Some(path) = &args.output
        && let Err(why) = folder_of(path)
    {
        return refuse(&format!("cannot write {}: {why}", shown(path)));
    }
    let parsed: Result<Vec<Watch>, String> =
        args.watch.iter().map(|text| expression("--watch", text)).collect();
    let goal = args.until.as_ref().map(|text| expression("--until", text)).transpose();
    let (watches, goal) = match (parsed, goal) {
        (Ok(watches), Ok(goal)) => (watches, goal.map(Goal::True)),
        (Err(error), _) | (_, Err(error)) => {
            tell_lines("error", &error);
            return Exit::Input;
        }
    };
    let reading = Reading::from(args.reading.clone());
    let terminal = environment.stdout_tty;
    let recorded = reading.recorded(&args.invariant);
    let asked = Asked { goal, watches, interrupt };
    let of_java = java::is_input(&args.file, &reading);
    if let Some(why) = args.reading.of_other_language(of_java) {
        return refuse(&why);
    }
    if of_java {
        if !args.invariant.is_empty() {
            return refuse("--invariant cannot be used with Java programs yet");
        }
        let plain = args.is_plain();
        // The steps of a trace are those of the search that found it.
        let followed = args.trace.as_deref().and_then(|word| evidence::trace(word).ok());
        let followed = followed.and_then(|trace| trace.model.reading);
        let wanted = followed.as_ref().map_or_else(java::Asked::default, java::Asked::of);
        let wanted = java::Asked { output: plain, ..wanted };
        let program = match crate::run_java::ready(&args.file, &reading, wanted, &notes) {
            Ok(program) => program,
            Err(exit) => return exit,
        };
        if plain {
            return crate::run_java::run(&program, args.seed, interrupt, &notes);
        }
        if followed.is_some() {
            java::learn(&program);
        }
        let model = Model { system: &*program, sources: program.sources(), lang: java::LANG };
        return Simulation { args, model, reading: recorded, terminal }.run(asked, &style);
    }
    let ready = match ready::read(&args.file, &reading, &args.invariant, &notes) {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    let model = Model { system: &ready.system, sources: &ready.sources, lang: ready.lang };
    Simulation { args, model, reading: recorded, terminal }.run(asked, &style)
}

/// What the options ask for, parsed.
struct Asked<'a> {
    goal: Option<Goal>,
    watches: Vec<Watch>,
    interrupt: &'a AtomicBool,
}

impl SimArgs {
    /// Whether nothing is asked of a program but to run, perhaps by chance.
    fn is_plain(&self) -> bool {
        !self.interactive
            && self.steps.is_none()
            && self.until.is_none()
            && self.trace.is_none()
            && self.runs.is_none()
            && self.watch.is_empty()
            && self.show.is_none()
            && self.format == SimFormat::Full
            && self.output.is_none()
            && !self.verbose
    }
}

fn refuse(error: &str) -> Exit {
    tell("error", error);
    Exit::Input
}

fn expression(option: &str, text: &str) -> Result<Watch, String> {
    Watch::parse(text).map_err(|error| format!("{option}: {}", error.located(text)))
}

/// A system that can be walked through, with its files.
struct Model<'a, S> {
    system: &'a S,
    sources: &'a Sources,
    lang: &'static str,
}

struct Simulation<'a, S> {
    args: &'a SimArgs,
    model: Model<'a, S>,
    reading: TraceReading,
    terminal: bool,
}

impl<S: Simulate> Simulation<'_, S> {
    fn run(&self, asked: Asked<'_>, style: &Style) -> Exit {
        let view = View { style, sources: self.model.sources };
        let plan = Plan {
            steps: self.args.steps.unwrap_or(STEPS),
            goal: asked.goal,
            watches: asked.watches,
            shown: self.shown(),
            terminal: self.terminal,
            interrupt: asked.interrupt,
        };
        match self.start(&plan, &view) {
            Ok(exit) => exit,
            Err(error) => refuse(&error),
        }
    }

    fn shown(&self) -> Shown {
        match self.args.show {
            _ if self.args.format == SimFormat::Json => Shown::Nothing,
            _ if self.args.verbose => Shown::Steps,
            Some(ShowArg::Output) => Shown::Output,
            Some(ShowArg::Steps) => Shown::Steps,
            Some(ShowArg::Table | ShowArg::None) => Shown::Nothing,
            None if self.args.runs.is_some() => Shown::Nothing,
            None if self.terminal => Shown::Steps,
            None => Shown::Output,
        }
    }

    fn start(&self, plan: &Plan<'_>, view: &View<'_>) -> Result<Exit, String> {
        let args = self.args;
        let seed = args.seed.unwrap_or_else(any_seed);
        let mut walker = self.walker(seed)?;
        if let Some(runs) = args.runs {
            return self.many(runs, seed, plan, view);
        }
        if self.by_hand() {
            return self.by_hand_from(&mut walker, seed, plan, view);
        }
        if walker.last_step() > 0 {
            let length = steps(walker.last_step());
            tell("note", &format!("the trace has {length}; then chance takes over"));
        }
        if args.seed.is_none() {
            tell("note", &format!("seed {seed}; repeat with --seed {seed}"));
        }
        let limit = plan.steps.saturating_add(walker.last_step());
        let plan =
            Plan { steps: limit, goal: plan.goal.clone(), watches: plan.watches.clone(), ..*plan };
        let halted =
            walk(&mut walker, &plan, view, &mut Stdout).map_err(|error| error.to_string())?;
        self.finish(&walker, &halted, &plan, view)?;
        Ok(if halted.is_violation() { Exit::Violation } else { Exit::Ok })
    }

    /// Whether a person chooses.
    fn by_hand(&self) -> bool {
        let args = self.args;
        let says_how = args.steps.is_some()
            || args.seed.is_some()
            || args.until.is_some()
            || args.runs.is_some()
            || args.show.is_some()
            || args.output.is_some()
            || args.verbose
            || args.format == SimFormat::Json;
        let terminal = self.terminal && std::io::stdin().is_terminal();
        args.interactive || (terminal && !says_how && args.file.as_os_str() != "-")
    }

    fn by_hand_from(
        &self,
        walker: &mut Walker<'_, S>,
        seed: u64,
        plan: &Plan<'_>,
        view: &View<'_>,
    ) -> Result<Exit, String> {
        if self.args.file.as_os_str() == "-" {
            return Err("the model is the standard input, so that no commands can come".to_owned());
        }
        let setting = Setting {
            lang: self.model.lang,
            reading: self.reading.clone(),
            seed,
            person: std::io::stdin().is_terminal(),
            interrupt: plan.interrupt,
            keep: &|path, text| std::fs::write(path, text).map_err(|error| reason(&error)),
        };
        let mut input = std::io::stdin().lock();
        let mut out = Stdout;
        shell(walker, plan.watches.clone(), view, &setting, &mut input, &mut out)
            .map(|()| Exit::Ok)
            .map_err(|error| error.to_string())
    }

    /// A walk at its beginning, with the steps of `--trace` ahead of it.
    fn walker(&self, seed: u64) -> Result<Walker<'_, S>, String> {
        let system = self.model.system;
        let Some(word) = &self.args.trace else {
            return Walker::new(system, seed).map_err(|error| error.to_string());
        };
        let picks = self.schedule(word)?;
        let mut walker =
            Walker::starting_in(system, &picks.0, seed).map_err(|error| error.to_string())?;
        for pick in picks.1 {
            walker.take(pick).map_err(|error| error.to_string())?;
        }
        walker.go_to(0).map_err(|error| error.to_string())?;
        Ok(walker)
    }

    /// Where a schedule comes from: the state it begins in, and the choices.
    fn schedule(&self, word: &str) -> Result<(Vec<u32>, Vec<usize>), String> {
        let trace = evidence::trace(word)?;
        let again = rerun(self.model.system, &trace, self.model.sources, Strictness::Strict)
            .map_err(|why| match why.step {
                0 => format!("the trace is none of this model: {}", why.message),
                step => format!("the trace is none of this model: step {step}: {}", why.message),
            })?;
        Ok((again.initial, again.picks))
    }

    fn finish(
        &self,
        walker: &Walker<'_, S>,
        halted: &Halted,
        plan: &Plan<'_>,
        view: &View<'_>,
    ) -> Result<(), String> {
        let table = self.args.show == Some(ShowArg::Table);
        let json = self.args.format == SimFormat::Json;
        if table || json || self.args.output.is_some() {
            let trace = self.trace(walker, halted)?;
            if json {
                print(&json::line(&trace));
            } else if table {
                let mut out = String::new();
                let all = table::View { all: true, keep: None, watches: &[], more: "" };
                table::table_of(&mut out, view.style, &trace, &all);
                print(&out);
            }
            if let Some(path) = &self.args.output {
                write(path, &trace)?;
            }
        }
        let mut end = view.halted(halted, walker.step());
        if matches!(halted, Halted::Steps) && self.args.steps.is_none() {
            end = end.trim_end().to_owned() + "; --steps N for more\n";
        }
        if plan.goal.is_some() && !matches!(halted, Halted::Goal) {
            end += "--until was never true\n";
        }
        match plan.shown {
            // What the model prints is the answer then.
            Shown::Output => complain(&end),
            _ if json => complain(&end),
            _ => print(&end),
        }
        Ok(())
    }

    fn trace(&self, walker: &Walker<'_, S>, halted: &Halted) -> Result<Trace, String> {
        let Model { lang, sources, .. } = self.model;
        run::trace(walker, halted, lang, sources, self.reading.clone())
    }

    fn many(&self, runs: u64, seed: u64, plan: &Plan<'_>, view: &View<'_>) -> Result<Exit, String> {
        if self.args.seed.is_none() {
            tell("note", &format!("the first seed is {seed}; --seed N repeats a walk"));
        }
        let mut tally = Tally::default();
        let mut kept: Option<Trace> = None;
        for number in 0..runs {
            let seed = seed.wrapping_add(number);
            let mut walker = self.walker(seed)?;
            let halted =
                walk(&mut walker, plan, view, &mut Stdout).map_err(|error| error.to_string())?;
            if self.args.output.is_some() && kept.is_none() && halted.is_violation() {
                kept = Some(self.trace(&walker, &halted)?);
            }
            if matches!(halted, Halted::Interrupted) {
                break;
            }
            tally.add(&halted, seed, walker.step());
        }
        print(&tally.text(view));
        match (&self.args.output, kept) {
            (Some(path), Some(trace)) => write(path, &trace)?,
            (Some(path), None) => {
                tell("note", &format!("nothing went wrong, so {} is not written", shown(path)));
            }
            (None, _) => {}
        }
        Ok(tally.exit())
    }
}

fn write(path: &Path, trace: &Trace) -> Result<(), String> {
    std::fs::write(path, json::line(trace))
        .map_err(|error| format!("cannot write {}: {error}", shown(path)))
}

/// A seed that is easy to type.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_micros()) * 7919 % 100_000
}
