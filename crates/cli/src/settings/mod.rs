//! Where the settings of a run come from: the command line, the environment, everypath.toml, and
//! the defaults, in this order of precedence.
//!
//! A value from a file or a variable becomes the word of a command line that says the same, so every
//! option has one meaning and one check of its value, wherever it was written.

mod confine;
pub mod file;
pub mod options;
pub mod show;
pub mod targets;
pub mod useless;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{ArgMatches, CommandFactory, Parser};
use everypath_model::{Diagnostic, Severity, Sources, shown};
use everypath_verdict::{Exit, Note};

use crate::args::{CheckArgs, Cli, Command};
use crate::checkpoints;
use crate::choices::EngineArg;
use crate::config::{Config, Environment};
use crate::expect::Expectations;
use crate::input::placeless;
use crate::java;
use crate::java::tests::{Test, tests_of};
use crate::reading::Reading;
use crate::render::full::Verbosity;
use crate::render::snippet;
use crate::render::style::Style;
use file::File;
use options::{Problem, Settings};
use targets::Unlisted;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    CommandLine,
    /// A variable of the environment.
    Variable(String),
    /// A line of the configuration file.
    File(PathBuf, u32),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::CommandLine => f.write_str("command line"),
            Origin::Variable(name) => f.write_str(name),
            Origin::File(path, line) => write!(f, "{}:{line}", shown(path)),
        }
    }
}

/// A value as text, with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The text; `true` or `false` for a flag.
    pub text: OsString,
    /// Where it comes from.
    pub origin: Origin,
}

/// What one origin says: values by key.
pub type Layer = BTreeMap<String, Vec<Item>>;

/// Options that mean something to Java programs alone, and to models alone.
const OF_JAVA: [&str; 7] =
    ["class-path", "source-path", "javac", "arg", "stack-limit", "coverage", "heap"];
const OF_MODELS: [&str; 3] = ["define", "undefine", "include"];

/// Messages that are shown.
const MOST_MESSAGES: usize = 20;

/// What is wrong with the settings, with the text of the file.
#[derive(Debug, Default)]
pub struct Wrong {
    /// The configuration file.
    pub sources: Sources,
    /// The messages.
    pub diagnostics: Vec<Diagnostic>,
}

impl Wrong {
    /// The exit that they deserve.
    pub fn exit(&self) -> Exit {
        match self.diagnostics.iter().any(Diagnostic::is_error) {
            true => Exit::Input,
            false => Exit::Inconclusive,
        }
    }

    /// The time was over, or the user had enough, before it was known what there is to check.
    fn ended(place: &Path) -> Wrong {
        let message =
            format!("stopped while looking for models in {}: nothing was checked", shown(place));
        let diagnostics = vec![placeless(Severity::Unsupported, "EP0301", message)];
        Wrong { sources: Sources::default(), diagnostics }
    }
}

impl Wrong {
    fn of(problems: Vec<Problem>) -> Wrong {
        let diagnostics = problems.into_iter().map(|problem| Diagnostic {
            help: problem.help,
            ..placeless(Severity::Error, "EP1007", problem.message)
        });
        Wrong { sources: Sources::default(), diagnostics: diagnostics.collect() }
    }

    /// The messages as text.
    pub fn text(&self, style: &Style) -> String {
        let mut out = String::new();
        for (index, one) in self.diagnostics.iter().take(MOST_MESSAGES).enumerate() {
            snippet::note(
                &mut out,
                style,
                &self.sources,
                &Note::of(&self.sources, one),
                index == 0,
            );
        }
        if self.diagnostics.len() > MOST_MESSAGES {
            out += &format!("and {} more errors\n", self.diagnostics.len() - MOST_MESSAGES);
        }
        out
    }
}

/// One model with everything that counts for it.
#[derive(Clone, Debug)]
pub struct Job {
    /// The file.
    pub path: PathBuf,
    /// Its settings.
    pub config: Arc<Config>,
    /// What is expected of its properties.
    pub expected: Arc<Expectations>,
    /// The settings with their origins.
    pub merged: Arc<Layer>,
    /// The test method that it is.
    pub test: Option<Arc<Test>>,
}

impl Job {
    /// The inputs of a configuration, without targets.
    pub fn plain(config: &Config) -> Vec<Job> {
        let shared = Arc::new(config.clone());
        let job = |path: &PathBuf| Job {
            path: path.clone(),
            config: shared.clone(),
            expected: Arc::default(),
            merged: Arc::default(),
            test: None,
        };
        config.files.iter().map(job).collect()
    }
}

/// What a run of `check` is to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What counts for the whole run.
    pub config: Config,
    /// The same with origins.
    pub merged: Layer,
    /// The models in order.
    pub jobs: Vec<Job>,
    /// The configuration file.
    pub file: Option<PathBuf>,
}

/// What a plan is made from; made again whenever a file changes.
pub struct Request<'a> {
    /// The command line.
    pub args: &'a CheckArgs,
    /// The same as clap sees it.
    pub matches: &'a ArgMatches,
    /// The same as it was written.
    pub argv: Vec<String>,
    /// The terminal.
    pub environment: &'a Environment,
    /// Whether a document has the command line, and nobody wrote it now.
    pub recorded: bool,
}

/// Finds the configuration and applies it.
pub fn plan(request: &Request<'_>) -> Result<Plan, Box<Wrong>> {
    let start = Instant::now();
    let mut settings = Settings::of_check();
    settings.trusted = request.args.reading.trust;
    let line = settings.of_matches(request.matches);
    let (variables, problems) = settings.of_variables(std::env::vars_os());
    if !problems.is_empty() {
        return Err(Box::new(Wrong::of(problems)));
    }
    let args = request.args;
    let resumed = match &args.resume {
        Some(word) => Some(resumed(&settings, word)?),
        None => None,
    };
    let recorded = match &resumed {
        Some((layer, _)) => Some((layer, "the checkpoint")),
        None => request.recorded.then_some((&line, "the old run")),
    };
    if !settings.trusted
        && let Some(problem) = recorded.and_then(|(layer, what)| writes_elsewhere(layer, what))
    {
        return Err(Box::new(Wrong::of(vec![problem])));
    }
    let (before, files) = match resumed {
        Some((layer, path)) if args.files.is_empty() => (layer, vec![path]),
        Some((layer, _)) => (layer, args.files.clone()),
        None => (Layer::new(), args.files.clone()),
    };
    let path = match (&args.config, args.no_config) {
        (Some(path), _) => Some(path.clone()),
        (None, true) => None,
        (None, false) => file::find(),
    };
    let file = path.map(|path| File::read(&path, &mut settings)).transpose()?;
    let check = file.as_ref().map(|file| file.check.clone()).unwrap_or_default();
    let make = |target: Option<&Layer>| {
        let layers: Vec<&Layer> =
            std::iter::once(&check).chain(target).chain([&variables, &before, &line]).collect();
        let merged = merge(&settings, &layers);
        resolve(request, &settings, &merged).map(|config| (config, merged))
    };
    let (config, merged) = make(None)?;
    let until = config.checking.time.and_then(|time| start.checked_add(time));

    let none: Arc<Expectations> = Arc::default();
    let plain = (Arc::new(config.clone()), none, Arc::new(merged.clone()));
    let mut made = vec![None; file.as_ref().map_or(0, |file| file.targets.len())];
    let mut jobs = Vec::new();
    let classes = merged.contains_key("main");
    for (path, target) in select(&files, file.as_ref(), classes, until)? {
        let (config, expected, merged) = match (target, &file) {
            (Some(index), Some(file)) => {
                let target = &file.targets[index];
                let slot: &mut Option<_> = &mut made[index];
                if slot.is_none() {
                    let (config, merged) = make(Some(&target.settings))?;
                    *slot = Some((Arc::new(config), target.expected.clone(), Arc::new(merged)));
                }
                slot.clone().unwrap_or_else(|| plain.clone())
            }
            _ => plain.clone(),
        };
        let quiet = config.detail.verbosity == Verbosity::Quiet;
        let reading = Reading { until, ..config.reading.clone() };
        // The analysis of a flow graph takes a file as it is.
        let whole = config.engine == EngineArg::Flow;
        let mut note = |text: String| {
            if !quiet {
                crate::tell("note", &text);
            }
        };
        match tests_of(&path, &reading, &mut note).filter(|_| !whole) {
            None => jobs.push(Job { path, config, expected, merged, test: None }),
            Some(tests) => {
                for test in tests {
                    let mut config = (*config).clone();
                    config.checking.reading = test.reading.recorded(&config.checking.invariants);
                    config.reading = Reading { until: None, ..test.reading.clone() };
                    jobs.push(Job {
                        path: test.path.clone(),
                        config: Arc::new(config),
                        expected: expected.clone(),
                        merged: merged.clone(),
                        test: Some(Arc::new(test)),
                    });
                }
            }
        }
    }
    if let Some(problem) = of_other_language(&settings, &line, &jobs) {
        return Err(Box::new(Wrong::of(vec![problem])));
    }
    let config = Config { files: jobs.iter().map(|job| job.path.clone()).collect(), ..config };
    Ok(Plan { config, merged, jobs, file: file.map(|file| file.path) })
}

/// An option of the command line that means nothing to any input. In a file it may be there for other inputs.
fn of_other_language(settings: &Settings, line: &Layer, jobs: &[Job]) -> Option<Problem> {
    let java = |job: &Job| job.test.is_some() || java::is_input(&job.path, &job.config.reading);
    let (none, all) = (!jobs.iter().any(java), jobs.iter().all(java));
    let keys = OF_JAVA.iter().filter(|_| none).chain(OF_MODELS.iter().filter(|_| all));
    let key = keys.copied().find(|key| line.contains_key(*key) && settings.get(key).is_some())?;
    let whose = if none { "Java programs" } else { "models" };
    let message = format!("--{key} is for {whose}");
    Some(Problem { message, help: Some("leave it out".to_owned()) })
}

/// What a document says about where a run writes counts as little as what a configuration file says: it may be a
/// stranger's as well.
fn writes_elsewhere(layer: &Layer, document: &str) -> Option<Problem> {
    let written = ["output", "disk"].into_iter().filter_map(|key| Some((key, layer.get(key)?)));
    for (key, item) in written.flat_map(|(key, items)| items.iter().map(move |item| (key, item))) {
        let text = item.text.to_string_lossy();
        for path in confine::paths(key, &text) {
            if let Some(why) = confine::refused(key, &text, Path::new(""), &path) {
                let message = format!("{document} has --{key}, but {why}");
                return Some(Problem { message, help: Some(file::TRUST.to_owned()) });
            }
        }
    }
    None
}

/// What the command line said of the run that left a checkpoint, and the model of that.
fn resumed(settings: &Settings, word: &Path) -> Result<(Layer, PathBuf), Box<Wrong>> {
    let wrong = |diagnostic| Wrong { sources: Sources::default(), diagnostics: vec![diagnostic] };
    let header = checkpoints::header(word).map_err(|error| Box::new(wrong(*error)))?;
    let matches = Cli::command().try_get_matches_from(&header.words);
    let layer = matches
        .ok()
        .and_then(|matches| Some(settings.of_matches(matches.subcommand_matches("check")?)));
    Ok((layer.unwrap_or_default(), header.path))
}

/// The files of a run, each with the target whose settings it gets. A directory is one of models, or of
/// the classes of a program.
fn select(
    named: &[PathBuf],
    file: Option<&File>,
    classes: bool,
    until: Option<Instant>,
) -> Result<Vec<(PathBuf, Option<usize>)>, Box<Wrong>> {
    if named.is_empty() {
        let Some(file) = file.filter(|file| !file.targets.is_empty()) else {
            let message = match file {
                Some(file) => {
                    format!("no FILE is given, and {} has no [[target]]", shown(&file.path))
                }
                None => "no FILE is given, and there is no everypath.toml with targets".to_owned(),
            };
            let help = Some("name a model, or let `everypath init` list them".to_owned());
            return Err(Box::new(Wrong::of(vec![Problem { message, help }])));
        };
        return file.jobs(until);
    }
    let mut all = Vec::new();
    for path in named {
        let found = match path.is_dir() && !classes {
            true => targets::models(path, until),
            false => Ok(vec![path.clone()]),
        };
        let mut found = found.map_err(|unlisted| {
            Box::new(match unlisted {
                Unlisted::Ended => Wrong::ended(path),
                Unlisted::Wrong(why) => {
                    let message = format!("cannot look through {}: {why}", shown(path));
                    Wrong::of(vec![Problem { message, help: None }])
                }
            })
        })?;
        if found.is_empty() {
            // Reading it will say what is wrong.
            found.push(path.clone());
        }
        for path in found {
            let targets = file.map(|file| file.targets_of(&path)).unwrap_or_default();
            if targets.is_empty() {
                all.push((path, None));
            } else {
                all.extend(targets.into_iter().map(|target| (path.clone(), Some(target))));
            }
        }
    }
    Ok(all)
}

/// The layers as one, the weakest first.
fn merge(settings: &Settings, layers: &[&Layer]) -> Layer {
    let mut merged = Layer::new();
    for setting in &settings.all {
        let mut said = layers.iter().filter_map(|layer| layer.get(&setting.key));
        let items: Vec<Item> = if setting.adds() {
            // Stronger ones first: that is where included files are looked for first.
            said.rev().flatten().cloned().collect()
        } else {
            said.next_back().cloned().unwrap_or_default()
        };
        if !items.is_empty() {
            merged.insert(setting.key.clone(), items);
        }
    }
    if let Some(items) = merged.get_mut("define") {
        // The strongest definition of a macro counts.
        let mut seen = std::collections::BTreeSet::new();
        items.retain(|item| {
            let text = item.text.to_string_lossy().into_owned();
            seen.insert(text.split(['=', '(']).next().unwrap_or("").to_owned())
        });
    }
    // `-q` against `verbose = true`: the stronger origin counts.
    for (one, other) in [("quiet", "verbose"), ("verbose", "quiet")] {
        let strongest = layers.iter().rev().find(|l| l.contains_key(one) || l.contains_key(other));
        if strongest.is_some_and(|layer| layer.contains_key(one) && !layer.contains_key(other)) {
            merged.remove(other);
        }
    }
    merged
}

/// The decisions that merged settings lead to.
fn resolve(
    request: &Request<'_>,
    settings: &Settings,
    merged: &Layer,
) -> Result<Config, Box<Wrong>> {
    let mut words: Vec<OsString> = vec!["everypath".into(), "check".into()];
    for setting in &settings.all {
        words.extend(setting.words(merged.get(&setting.key).map_or(&[][..], Vec::as_slice)));
    }
    let said: Vec<String> = words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
    // These say where settings come from, and so are none.
    if let Some(word) = &request.args.resume {
        let mut text = OsString::from("--resume=");
        text.push(word);
        words.push(text);
    }
    if request.args.reading.trust {
        words.push("--trust".into());
    }
    // It is not shown to users, and so is no setting.
    words.extend(request.args.layout.columns.map(|n| format!("--columns={n}").into()));
    let args = match Cli::try_parse_from(words) {
        Ok(Cli { command: Command::Check(args) }) => *args,
        Ok(_) => unreachable!("the words begin with `check`"),
        Err(error) => {
            let text = error.to_string();
            let message = text.lines().next().unwrap_or("").trim_start_matches("error: ");
            let problem = Problem { message: message.to_owned(), help: None };
            return Err(Box::new(Wrong::of(vec![problem])));
        }
    };
    let on_line = |item: &Item| item.origin == Origin::CommandLine;
    let given = |key: &str| merged.get(key).is_some_and(|items| items.iter().any(on_line));
    if let Some(problem) = useless::useless(&args, given) {
        return Err(Box::new(Wrong::of(vec![problem])));
    }
    let mut config = Config::resolve(args, request.environment, request.argv.clone());
    config.checking.words = said;
    Ok(config)
}

/// The directory of the nearest everypath.toml, or else the current one: where runs are kept.
pub fn project() -> PathBuf {
    file::find().and_then(|path| path.parent().map(Path::to_owned)).unwrap_or_default()
}
