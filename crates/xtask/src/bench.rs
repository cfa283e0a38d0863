//! Our search beside SPIN's, on the same models, in the same run, as users run both.

mod bugs;
pub mod child;
pub mod flow;
mod java;
mod limit;
mod ltl;
pub mod markdown;
mod models;
mod ours;
mod peer;
mod result;
mod sections;
mod tables;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use ours::Ours;
use peer::Peer;
use result::Report;
use sections::Bench;

/// What `bench` is told.
pub const USAGE: &str = "bench [--suite safety|ltl|java|java-bugs|flow] [--quick] [--only MODEL]... [--section NAME]... [--runs N] [--collapse]\n                         \
     [--binary FILE] [--json FILE] [--markdown FILE]";

/// What is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Suite {
    /// States of models.
    #[default]
    Safety,
    /// Temporal properties.
    Ltl,
    /// Java programs.
    Java,
    /// Java programs with bugs.
    JavaBugs,
    /// Data-flow analysis.
    Flow,
}

impl Suite {
    /// The one of a section.
    fn of(section: &str) -> Suite {
        match section {
            "java" => Suite::Java,
            "java-bugs" => Suite::JavaBugs,
            "flow" => Suite::Flow,
            section if tables::LTL.contains(&section) => Suite::Ltl,
            _ => Suite::Safety,
        }
    }
}

/// The command line.
#[derive(Debug, Default)]
pub struct Options {
    /// Which models, and what of them.
    pub suite: Suite,
    /// Four models and smaller sizes: a minute or two.
    pub quick: bool,
    /// Models whose names contain one of these.
    pub only: Vec<String>,
    /// These parts, or all.
    pub sections: Vec<String>,
    /// Runs of each; the best counts.
    pub runs: usize,
    /// SPIN's compression too.
    pub collapse: bool,
    /// The program to measure instead of the one that is built.
    pub binary: Option<PathBuf>,
    /// Everything for programs.
    pub json: Option<PathBuf>,
    /// The document whose tables are replaced.
    pub markdown: Option<PathBuf>,
}

impl Options {
    /// Whether this part is asked for.
    fn wants(&self, section: &str) -> bool {
        match self.sections.as_slice() {
            [] => self.suite == Suite::of(section),
            names => names.iter().any(|name| name == section),
        }
    }
}

fn parse(args: &[String]) -> Result<Options, String> {
    let mut options = Options { runs: 2, ..Options::default() };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--suite" => {
                options.suite = match value()?.as_str() {
                    "ltl" => Suite::Ltl,
                    "safety" => Suite::Safety,
                    "java" => Suite::Java,
                    "java-bugs" => Suite::JavaBugs,
                    "flow" => Suite::Flow,
                    other => {
                        return Err(format!(
                            "no suite `{other}`: safety, ltl, java, java-bugs, flow"
                        ));
                    }
                }
            }
            "--quick" => options.quick = true,
            "--collapse" => options.collapse = true,
            "--only" => options.only.push(value()?),
            "--section" => {
                let name = value()?;
                let names = tables::SECTIONS.map(|(name, _)| name);
                if name != "limit" && !names.contains(&name.as_str()) {
                    return Err(format!("no section `{name}`: limit, {}", names.join(", ")));
                }
                options.sections.push(name);
            }
            "--runs" => {
                let text = value()?;
                options.runs =
                    text.parse().ok().filter(|n| *n > 0).ok_or("--runs needs 1 or more")?;
            }
            "--binary" => options.binary = Some(value()?.into()),
            "--json" => options.json = Some(value()?.into()),
            "--markdown" => options.markdown = Some(value()?.into()),
            _ => return Err(format!("unknown argument `{arg}`\nusage: cargo xtask {USAGE}")),
        }
    }
    Ok(options)
}

/// `bench`
pub fn main(args: &[String]) -> ExitCode {
    let done = parse(args).and_then(|options| run(&options));
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing went wrong. A missed aim is not wrong, different counts are.
fn run(options: &Options) -> Result<bool, String> {
    if options.suite == Suite::Flow {
        return run_flow(options);
    }
    let ours = Ours::find(options.binary.as_deref())?;
    let commit = commit();
    let peer = Peer::find();
    let before = load();
    let limit = if options.wants("limit") || options.wants("exact") {
        Some(limit::measure()?)
    } else {
        None
    };
    let bench =
        Bench { ours: &ours, peer: peer.as_ref(), options, limit: limit.map(|limit| limit.one) };
    let sections = bench.sections();
    let report = Report {
        processor: processor(),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        peer: peer.as_ref().map_or("no SPIN".into(), Peer::versions),
        commit: if options.binary.is_some() { "not known".into() } else { commit },
        runs: options.runs,
        load: [before, load()],
        limit,
        sections,
    };
    tell(options, &report)
}

/// Data-flow analysis: this program itself, and no peer.
fn run_flow(options: &Options) -> Result<bool, String> {
    let before = load();
    let sections = vec![flow::section(options)];
    let report = Report {
        processor: processor(),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        peer: "no peer".into(),
        commit: commit(),
        runs: options.runs,
        load: [before, load()],
        limit: None,
        sections,
    };
    tell(options, &report)
}

/// Prints a report and writes it where it is wanted.
fn tell(options: &Options, report: &Report) -> Result<bool, String> {
    for section in &report.sections {
        println!("{}", markdown::section(section));
    }
    println!("{}", markdown::conditions(report));
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(report).map_err(|e| e.to_string())?;
        fs::write(path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
    }
    if let Some(path) = &options.markdown {
        markdown::update(path, report)?;
    }
    let rows = report.sections.iter().flat_map(|section| &section.rows);
    Ok(rows.into_iter().all(|row| row.problems.is_empty()))
}

/// Load of the last 1, 5 and 15 minutes.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split(':').nth(1));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |name| name.trim().to_owned())
}

fn commit() -> String {
    let output = Command::new("git")
        .args(["rev-parse", "--short", "HEAD"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    text.ok().filter(|text| !text.is_empty()).unwrap_or_else(|| "not known".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let options = parse(&words("--quick --only a --only b --section dfs --runs 3")).unwrap();
        assert!(options.quick && options.only == ["a", "b"] && options.runs == 3);
        assert!(options.wants("dfs") && !options.wants("exact"));
        let options = parse(&words("--suite ltl")).unwrap();
        assert!(options.wants("emptiness") && !options.wants("exact") && !options.wants("limit"));
        let options = parse(&words("--runs 1")).unwrap();
        assert!(!options.wants("ltl") && options.wants("exact") && options.wants("limit"));
        for wrong in ["--suite nothing", "--section nothing", "--runs 0", "--only", "--more"] {
            assert!(parse(&words(wrong)).is_err(), "{wrong}");
        }
    }
}
