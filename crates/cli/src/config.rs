//! From the command line and the environment to decisions.

use std::io::IsTerminal;
use std::path::PathBuf;

use everypath_lang_java::Spurious;
use everypath_render::Format;
use everypath_verdict::{Expectation, Policy};

use crate::args::{AcceptArg, CheckArgs, ExpectArg, LayoutArgs, ReadingArgs, TraceArg, WhenArg};
use crate::checking::{Checking, processors};
use crate::choices::{EngineArg, FairArg, ProvisoArg, SearchArg};
use crate::levels::Levels;
use crate::memory;
use crate::reading::Reading;
use crate::reduce::Reductions;
use crate::render::full::{Detail, TraceDetail, Verbosity};
use crate::render::style::{MIN_WIDTH, Style};
use crate::runs;
use crate::settings;

/// Width of output that goes to a file or a pipe.
const FILE_WIDTH: usize = 120;

/// Everything that `check` needs to know.
#[derive(Clone, Debug)]
pub struct Config {
    /// The inputs.
    pub files: Vec<PathBuf>,
    /// How they are read.
    pub reading: Reading,
    /// What is checked, and how.
    pub checking: Checking,
    /// What is printed on the standard output.
    pub format: Format,
    /// What is written to files.
    pub outputs: Vec<(Format, PathBuf)>,
    /// Layout of the standard output.
    pub style: Style,
    /// Layout of the standard error.
    pub notes: Style,
    /// How much is said.
    pub detail: Detail,
    /// Whether to show progress.
    pub progress: bool,
    /// The file that GitHub shows as the summary of a job; with `--format github` only.
    pub job_summary: Option<PathBuf>,
    /// Whether to keep the results in the folder of runs.
    pub save: bool,
    /// How properties of events are decided.
    pub engine: EngineArg,
}

impl From<ReadingArgs> for Reading {
    fn from(args: ReadingArgs) -> Reading {
        Reading {
            defines: args.define,
            undefines: args.undefine,
            includes: args.include,
            class_path: args.class_path.iter().flat_map(std::env::split_paths).collect(),
            main: args.main,
            source_path: args.source_path.iter().flat_map(std::env::split_paths).collect(),
            javac: args.javac,
            arguments: args.arg,
            stack_limit: args.stack_limit,
            spurious: Spurious::default(),
            trust: args.trust,
            until: None,
            brake: None,
        }
    }
}

/// What the environment says.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `NO_COLOR` is set and not empty.
    pub no_color: bool,
    /// `CLICOLOR_FORCE` is set and not 0.
    pub force_color: bool,
    /// `TERM` is `dumb`.
    pub dumb: bool,
    /// `COLUMNS`
    pub columns: Option<usize>,
    /// Width of the terminal behind the standard output.
    pub terminal: Option<usize>,
    /// Whether the standard output is a terminal.
    pub stdout_tty: bool,
    /// Whether the standard error is a terminal.
    pub stderr_tty: bool,
    /// `GITHUB_STEP_SUMMARY`
    pub job_summary: Option<PathBuf>,
}

impl Environment {
    /// The real one.
    pub fn read() -> Environment {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        Environment {
            no_color: set("NO_COLOR").is_some(),
            force_color: set("CLICOLOR_FORCE").is_some_and(|value| value != "0"),
            dumb: set("TERM").is_some_and(|value| value == "dumb"),
            columns: std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()),
            terminal: terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)),
            stdout_tty: std::io::stdout().is_terminal(),
            stderr_tty: std::io::stderr().is_terminal(),
            job_summary: set("GITHUB_STEP_SUMMARY").map(PathBuf::from),
        }
    }

    /// The layouts of the standard output and of the standard error.
    pub fn styles(&self, args: &LayoutArgs) -> (Style, Style) {
        let width = args
            .columns
            .or(self.columns)
            .or(self.terminal.filter(|_| self.stdout_tty))
            .unwrap_or(FILE_WIDTH)
            .max(MIN_WIDTH);
        let color = self.color(args.color, self.stdout_tty);
        let style = Style { color, ascii: args.ascii, width };
        (style, Style { color: self.color(args.color, self.stderr_tty), ..style })
    }

    fn color(&self, when: WhenArg, tty: bool) -> bool {
        match when {
            WhenArg::Always => true,
            WhenArg::Never => false,
            WhenArg::Auto if self.no_color => false,
            WhenArg::Auto => self.force_color || (tty && !self.dumb),
        }
    }
}

impl Config {
    /// Decides everything that the command line leaves open.
    pub fn resolve(args: CheckArgs, environment: &Environment, argv: Vec<String>) -> Config {
        let (style, notes) = environment.styles(&args.layout);
        let (store, table) = settings::useless::store(&args);
        let reductions = reductions(&args);
        // Transactions have a search of their own.
        let search = if reductions.transactions() { SearchArg::Dfs } else { args.search.main() };
        let policy = Policy {
            expect: args.expect.map(|expect| match expect {
                ExpectArg::Holds => Expectation::Holds,
                ExpectArg::Violated => Expectation::Violated,
            }),
            accept_bounded: args.accept == Some(AcceptArg::Bounded),
            exit_zero: args.exit_zero,
        };
        let traces = usize::try_from(args.all_errors.unwrap_or(1)).unwrap_or(usize::MAX);
        let mut reading = Reading::from(args.reading);
        reading.spurious = Spurious { wakeups: args.spurious_wakeups, failures: true };
        let recorded = reading.recorded(&args.invariant);
        let args_save = !args.no_save;
        Config {
            files: args.files,
            checking: Checking {
                invariants: args.invariant,
                heap_limit: args.heap_limit,
                formulas: args.ltl,
                patterns: args.pattern,
                automata: args.fsa,
                expressions: args.qre,
                events: args.event,
                cycles: args.cycles,
                fairness: match args.fair {
                    FairArg::None if !args.fair_choice.is_empty() => FairArg::Strong,
                    fair => fair,
                },
                fair_choices: args.fair_choice,
                emptiness: args.emptiness.how(args.jobs.map(usize::from), processors()),
                shortest: args.shortest,
                guide: args.guide,
                heuristic: args.heuristic,
                only: args.only,
                search,
                portfolio: args.search == SearchArg::Auto && search == SearchArg::Bfs,
                seed: args.seed,
                runs: args.runs,
                preemptions: args.preemptions,
                switches: args.switches,
                store: store.resolve(table, args.mem, args.hashing, args.seed),
                exec: args.exec,
                jobs: match (args.jobs, search) {
                    (Some(jobs), _) => usize::from(jobs),
                    // Which run is found first is then always the same.
                    (None, SearchArg::Dfs | SearchArg::Stateless) => 1,
                    (None, _) => processors(),
                },
                reductions,
                proviso: args.proviso.unwrap_or(ProvisoArg::Open),
                time: args.time,
                memory: args.mem.or_else(memory::default_limit),
                states: args.states,
                depth: args.depth,
                checkpoint: args.checkpoint,
                disk: args.disk.map(|directory| match directory.is_empty() {
                    true => runs::disk(),
                    false => directory.into(),
                }),
                resume: args.resume,
                exhaust: args.all_errors.is_some(),
                polished: traces,
                traces: args.trace != TraceArg::None,
                policy,
                levels: Levels { deny: args.deny, allow: Vec::new() },
                coverage: args.coverage,
                heap: args.heap,
                argv,
                words: Vec::new(),
                reading: recorded,
            },
            reading,
            format: args.format,
            outputs: args.output,
            style,
            notes,
            detail: Detail {
                trace: match args.trace {
                    TraceArg::None => TraceDetail::None,
                    TraceArg::Delta => TraceDetail::Delta,
                    TraceArg::Full => TraceDetail::Full,
                },
                traces,
                verbosity: match (args.quiet, args.verbose) {
                    (true, _) => Verbosity::Quiet,
                    (_, true) => Verbosity::Verbose,
                    _ => Verbosity::Normal,
                },
                policy,
                kept: args_save,
                memory: memory::default_limit(),
            },
            job_summary: environment.job_summary.clone().filter(|_| args.format == Format::Github),
            progress: match args.progress {
                WhenArg::Always => true,
                WhenArg::Never => false,
                WhenArg::Auto => environment.stderr_tty && !environment.dumb && !args.quiet,
            },
            save: args_save,
            engine: args.engine,
        }
    }

    /// Layout of a file.
    pub fn file_style(&self) -> Style {
        Style { color: false, width: FILE_WIDTH, ..self.style }
    }
}

/// The reductions that fit the search.
fn reductions(args: &CheckArgs) -> Reductions {
    let mut reductions = Reductions::new(&args.reduce);
    if args.search.samples() {
        reductions = reductions.without_partial_order();
    }
    if args.search == SearchArg::Random {
        // No states are kept: there is nothing to save.
        reductions = reductions.only_named();
    }
    if args.depth.is_some() {
        // A limit is in steps of the model.
        reductions = reductions.as_long_as_named();
    }
    reductions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    fn resolve(args: &[&str], environment: &Environment) -> Config {
        let all = ["everypath", "check", "f.pml"].iter().chain(args);
        match Cli::try_parse_from(all).unwrap().command {
            Command::Check(check) => Config::resolve(*check, environment, Vec::new()),
            _ => unreachable!(),
        }
    }

    #[test]
    fn programs_check_as_the_command_does() {
        let command = resolve(&[], &Environment::default());
        let usual = everypath::Options::default();
        assert_eq!(format!("{:?}", command.checking), format!("{:?}", usual.checking));
        assert_eq!(format!("{:?}", command.reading), format!("{:?}", usual.reading));
    }

    #[test]
    fn colour_follows_the_flag_then_the_environment_then_the_terminal() {
        let pipe = Environment::default();
        let tty = Environment { stdout_tty: true, ..pipe.clone() };
        let no_color = Environment { no_color: true, force_color: true, ..tty.clone() };
        let forced = Environment { force_color: true, ..pipe.clone() };
        let dumb = Environment { dumb: true, ..tty.clone() };
        let color = |args: &[&str], environment| resolve(args, environment).style.color;
        assert!(!color(&[], &pipe));
        assert!(color(&[], &tty));
        assert!(!color(&[], &no_color));
        assert!(color(&[], &forced));
        assert!(!color(&[], &dumb));
        assert!(color(&["--color=always"], &no_color));
        assert!(!color(&["--color=never"], &forced));
    }

    #[test]
    fn the_width_has_a_floor_and_a_default() {
        let pipe = Environment { terminal: Some(200), ..Environment::default() };
        let tty = Environment { stdout_tty: true, ..pipe.clone() };
        let env = Environment { columns: Some(80), ..tty.clone() };
        let width = |args: &[&str], environment| resolve(args, environment).style.width;
        assert_eq!(width(&[], &pipe), 120);
        assert_eq!(width(&[], &tty), 200);
        assert_eq!(width(&[], &env), 80);
        assert_eq!(width(&["--columns=100"], &env), 100);
        assert_eq!(width(&["--columns=10"], &env), 60);
    }
}
