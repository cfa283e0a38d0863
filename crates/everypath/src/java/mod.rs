//! Java programs: sources are compiled with the user's javac, classes and jars are taken as they are.

mod compile;
pub mod guide;
pub mod javac;
mod projects;
mod spurious;
mod stateless;
pub mod temporal;
pub mod tests;
pub mod warnings;

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use everypath_engine_explicit::{
    Followed, Kind, Limits, Observer, Outcome, Stats, Stopped, Storage, Violation, search,
};
use everypath_lang_java::{
    Asked as Conditions, DEEPEST, JavaWorker, Jdk, Numbering, Options, Part, Program, Provoked,
    Reductions, TEST_DRIVER, class_name, has_main, jar_class_path, jar_main,
};
use everypath_model::files::{self, MOST_TEXT};
use everypath_model::{
    Action, ActionInfo, Brake, Diagnostic, Fault, Label, ModelError, Severity, Sources, Span,
    TransitionSystem, shown,
};
use everypath_property::Declared;
use everypath_verdict::{Coverage, Place, ProgramStats, Statements, TraceReading, Unreached};

use crate::checking::Checking;
use crate::choices::CheckpointArg;
use crate::choices::{ExecArg, FairArg, HeapArg, HeuristicArg, SearchArg};
use crate::input::{placeless, reason};
use crate::reading::Reading;
use crate::subject::{Aims, Directions, Manner, Subject, interleaving};
use compile::{Classes, beside, compile, library};
pub use compile::{compile_library, private_folder};

/// The code of remarks about runs without end.
const ENDLESS: &str = "EP0126";

/// Short name of the language.
pub const LANG: &str = "java";

/// Whether the name of a file is that of a Java program.
pub fn is_program(path: &Path) -> bool {
    matches!(extension(path).as_str(), "java" | "class" | "jar")
}

/// Whether a file is Java source with a `main`.
pub fn begins_in(path: &Path) -> bool {
    let main = |text: String| text.contains(" void main(");
    extension(path) == "java" && files::read_text(path, MOST_TEXT).is_ok_and(main)
}

/// Whether an input is a Java program: a file, or a directory of classes if `--main` says where to begin.
pub fn is_input(path: &Path, reading: &Reading) -> bool {
    is_program(path) || (reading.main.is_some() && path.is_dir())
}

fn extension(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

/// A program with the directory in which it was compiled.
pub struct Opened {
    program: Program,
    /// What was compiled for it.
    classes: Option<Classes>,
    driver: Option<Arc<Classes>>,
    class_path: Vec<PathBuf>,
    main: String,
    arguments: Vec<String>,
}

impl Opened {
    /// The directories and jars of its classes.
    pub fn class_path(&self) -> &[PathBuf] {
        &self.class_path
    }

    /// Whether a directory of these does not stay.
    pub fn is_made(&self, place: &Path) -> bool {
        let own = self.classes.as_ref().is_some_and(|classes| classes.path() == place);
        own || self.driver.as_ref().is_some_and(|driver| driver.path() == place)
    }

    /// The class with `main`.
    pub fn main(&self) -> &str {
        &self.main
    }

    /// The arguments of the program.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }
}

impl Deref for Opened {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

/// What is wrong with a program, with the texts that it is about.
#[derive(Debug)]
pub struct Refused {
    /// The texts.
    pub sources: Sources,
    /// One error at least, or something that is not supported.
    pub diagnostics: Vec<Diagnostic>,
}

impl From<Diagnostic> for Refused {
    fn from(diagnostic: Diagnostic) -> Refused {
        Refused { sources: Sources::default(), diagnostics: vec![diagnostic] }
    }
}

impl From<Box<Diagnostic>> for Refused {
    fn from(diagnostic: Box<Diagnostic>) -> Refused {
        Refused::from(*diagnostic)
    }
}

fn error(code: &'static str, message: String) -> Box<Diagnostic> {
    Box::new(placeless(Severity::Error, code, message))
}

/// What is asked for that Java programs cannot be asked yet.
pub fn unsupported(checking: &Checking, wakeups: bool) -> Option<Box<Diagnostic>> {
    let asked = [
        ("--cycles", checking.cycles.is_empty()),
        ("--fair strong", checking.fairness != FairArg::Strong),
    ];
    let own = [
        ("--invariant", checking.invariants.is_empty()),
        ("--heap-limit", checking.heap_limit.is_none()),
        ("--spurious-wakeups", !wakeups),
        ("--ltl", checking.formulas.is_empty()),
        ("--pattern", checking.patterns.is_empty()),
        ("--fsa", checking.automata.is_empty()),
        ("--qre", checking.expressions.is_empty()),
    ];
    if let (SearchArg::Stateless, Some((option, _))) =
        (checking.search, own.iter().find(|(_, absent)| !absent))
    {
        let message = format!("{option} needs a search that keeps states: not --search stateless");
        return Some(Box::new(placeless(Severity::Unsupported, "EP1013", message)));
    }
    let kept = [
        ("--resume", checking.resume.is_none()),
        ("--checkpoint", !matches!(checking.checkpoint, Some(CheckpointArg::Every(_)))),
    ];
    let absent = |list: &[(&'static str, bool)]| {
        list.iter().find(|(_, absent)| !absent).map(|(option, _)| (*option).to_owned())
    };
    let other = || checking.reductions.named_for(false).map(|name| format!("--reduce {name}"));
    let message = match (absent(&asked).or_else(other), absent(&kept)) {
        (Some(option), _) => format!("{option} cannot be used with Java programs yet"),
        (None, Some(option)) => format!(
            "{option} cannot be used with Java programs: their states are numbers in a dictionary that \
             only lives as long as the search"
        ),
        (None, None) => return None,
    };
    Some(Box::new(placeless(Severity::Unsupported, "EP1013", message)))
}

/// Why spurious wake-ups are not explored for properties of whole runs.
pub fn spurious_with_runs(reading: &Reading, declared: &[Declared]) -> Option<Box<Diagnostic>> {
    let message = "--spurious-wakeups is about states: not with --ltl, --pattern, --fsa, --qre";
    let error = || Box::new(placeless(Severity::Unsupported, "EP1013", message.to_owned()));
    (reading.spurious.wakeups && !declared.is_empty()).then(error)
}

/// The settings without what is made for other languages.
pub fn fitting(checking: &Checking) -> Checking {
    let mut checking = checking.clone();
    checking.reductions = checking.reductions.of_java();
    checking.exec = ExecArg::Interp;
    if checking.store == Storage::Collapse {
        // States of programs have too many components for one key each.
        checking.store = Storage::Tree;
    }
    checking
}

/// How objects are numbered.
pub fn numbering(asked: HeapArg) -> Numbering {
    match asked {
        HeapArg::Reached => Numbering::Reached,
        HeapArg::Sites => Numbering::Sites,
    }
}

/// What is asked of a program besides its class path.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What it prints tells states apart.
    pub output: bool,
    /// What it executes is noted.
    pub coverage: bool,
    /// Accesses of two threads that nothing orders are told.
    pub races: bool,
    /// What steps leave out.
    pub reductions: Reductions,
    /// How objects are numbered.
    pub numbering: Numbering,
    /// Conditions and events.
    pub conditions: Conditions,
}

impl Default for Asked {
    fn default() -> Asked {
        Asked {
            output: false,
            coverage: false,
            races: false,
            reductions: Reductions::LOCAL,
            numbering: Numbering::default(),
            conditions: Conditions::default(),
        }
    }
}

impl Asked {
    /// What has to be asked so that the steps of a program are those of a trace.
    pub fn of(recorded: &TraceReading) -> Asked {
        let has = |name: &str| recorded.reductions.iter().any(|known| known == name);
        let reductions = match recorded.reductions.is_empty() {
            true => Reductions::LOCAL,
            false => Reductions {
                local: has("local"),
                constant: has("constant"),
                locks: has("locks"),
                library: has("library"),
            },
        };
        let event = |text: &String| {
            let (name, what) = text.split_once('=').unwrap_or((text, ""));
            (name.to_owned(), what.to_owned())
        };
        let conditions = Conditions {
            invariants: recorded.invariants.clone(),
            propositions: recorded.propositions.clone(),
            events: recorded.events.iter().map(event).collect(),
            ..Conditions::default()
        };
        Asked { reductions, races: true, conditions, ..Asked::default() }
    }
}

/// States that are searched to find out again what a search had found out about fields.
const LEARNING: u64 = 200_000;

/// Finds out what a search of the program finds out about its fields: where its steps end.
pub fn learn(program: &Program) {
    let limits = Limits { states: Some(LEARNING), ..Limits::default() };
    let options = everypath_engine_explicit::Options { limits, ..Default::default() };
    search_all(program, &options, &mut ());
}

/// Searches a program until nothing was assumed of it that is wrong.
fn search_all(
    program: &Program,
    options: &everypath_engine_explicit::Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    // What cannot be executed ends the search as well, which says so.
    let _ = program.prepare_assumptions();
    loop {
        let outcome = search(program, options, observer);
        // A search that had assumed too much begins again, unless it has its answer.
        if !matches!(outcome.stopped, Stopped::ModelError(_)) || !program.assume_less() {
            return outcome;
        }
    }
}

/// Reads a program.
pub fn open(path: &Path, reading: &Reading, asked: Asked) -> Result<Opened, Refused> {
    let jdk = Jdk::find().map_err(|why| error("EP1011", why))?;
    let there = if path.is_dir() { Ok(()) } else { files::open(path).map(drop) };
    if let Err(problem) = there {
        let message = format!("cannot read {}: {}", shown(path), reason(&problem));
        return Err(error("EP1001", message).into());
    }
    let mut class_path = Vec::new();
    let mut sources = Vec::new();
    let mut classes = None;
    let main = match extension(path).as_str() {
        _ if path.is_dir() => {
            class_path.push(path.to_owned());
            None
        }
        "java" => {
            let made = compile(&jdk, path, reading)?;
            let main = main_class(made.path(), path);
            class_path.push(made.path().to_owned());
            classes = Some(made);
            sources.push(path.to_owned());
            sources.extend(beside(path));
            main
        }
        "class" => {
            let cannot = |why: String| error("EP1012", format!("{}: {why}", shown(path)));
            let bytes = files::read(path, MOST_TEXT).map_err(|problem| cannot(reason(&problem)))?;
            let name = class_name(bytes).map_err(cannot)?;
            class_path.push(root_of(path, &name));
            Some(name)
        }
        _ => {
            class_path.push(path.to_owned());
            class_path.extend(jar_class_path(path).map_err(|why| error("EP1012", why))?);
            jar_main(path).map_err(|why| error("EP1012", why))?
        }
    };
    join(&mut class_path, &reading.class_path);
    let Some(main) = reading.main.clone().or(main) else {
        let message = format!("{} does not say which class has `main`", shown(path));
        let help = Some("name it with --main".to_owned());
        return Err(Diagnostic { help, ..*error("EP1012", message) }.into());
    };
    let mut driver = None;
    if main == TEST_DRIVER {
        let made = tests::driver(&jdk)?;
        class_path.push(made.path().to_owned());
        driver = Some(made);
    }
    if !reading.source_path.is_empty() {
        let found = everypath_lang_java::sources_below(&reading.source_path);
        sources.extend(found);
    } else if sources.is_empty() {
        let places: Vec<PathBuf> = class_path.iter().map(|place| source_folder(place)).collect();
        sources.extend(everypath_lang_java::sources_below(&places));
    }
    // The input is called by the source of its main class, or of its test.
    let subject = match (&driver, reading.arguments.first()) {
        (Some(_), Some(test)) => test,
        _ => &main,
    };
    let simple = subject.rsplit(['.', '/']).next().unwrap_or_default();
    let simple = simple.split('$').next().unwrap_or_default().to_owned();
    if extension(path) != "java" {
        sources.sort_by_key(|source| source.file_stem().is_none_or(|stem| *stem != *simple));
    }
    let made = classes.iter().map(Classes::path).chain(driver.iter().map(|made| made.path()));
    let made = made.map(Path::to_owned).collect();
    let Asked { output, coverage, races, reductions, numbering, conditions } = asked;
    let arguments = reading.arguments.clone();
    let options = Options {
        sources,
        compiled: extension(path) == "java",
        arguments: arguments.clone(),
        output,
        coverage,
        races,
        reductions,
        numbering,
        provider: Some(library(&jdk, made)),
        spurious: reading.spurious,
        deepest: reading.stack_limit.map_or(DEEPEST, |frames| frames as usize),
        ..Options::new(class_path.clone(), main.clone())
    };
    let mut program = Program::load(&jdk, &options).map_err(|why| error("EP1012", why))?;
    program.ask(&conditions).map_err(|why| error("EP1708", why))?;
    Ok(Opened { program, classes, driver, class_path, main, arguments })
}

/// Where the sources of classes are likely to be: beside them, or beside their jar.
fn source_folder(place: &Path) -> PathBuf {
    match place.is_dir() {
        true => place.to_owned(),
        false => match place.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        },
    }
}

/// The class with `main`: the one that is called like the file, or else the first one that has it; tests for Java
/// PathFinder inherit it.
fn main_class(classes: &Path, source: &Path) -> Option<String> {
    let stem = source.file_stem()?.to_string_lossy().into_owned();
    let mut open = vec![classes.to_owned()];
    let (mut found, mut all) = (Vec::new(), Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).ok()?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if extension(&path) == "class"
                && let Ok(bytes) = files::read(&path, MOST_TEXT)
                && let Ok(name) = class_name(bytes.clone())
            {
                if has_main(bytes) && !compile::is_library(&name) {
                    found.push(name.clone());
                }
                all.push(name);
            }
        }
    }
    found.sort();
    let called = |names: &[String]| {
        names.iter().find(|name| name.rsplit('.').next() == Some(&stem)).cloned()
    };
    called(&found).or_else(|| found.first().cloned()).or_else(|| called(&all)).or(Some(stem))
}

/// Adds what was given as class path behind what belongs to the input. Where the input itself is given there, it has
/// the place that it has there, as for `java`.
fn join(class_path: &mut Vec<PathBuf>, given: &[PathBuf]) {
    let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let Some(input) = class_path.first().map(real) else { return };
    match given.iter().position(|place| real(place) == input) {
        Some(at) => {
            let own = std::mem::take(class_path);
            class_path.extend(given[..at].iter().cloned());
            class_path.extend(own);
            class_path.extend(given[at + 1..].iter().cloned());
        }
        None => class_path.extend(given.iter().cloned()),
    }
}

/// The folder of a class file in which its package begins.
fn root_of(path: &Path, class: &str) -> PathBuf {
    let depth = class.split('.').count();
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real.ancestors().nth(depth).unwrap_or(Path::new(".")).to_owned()
}

/// Runs that are made to confirm warnings about locks, and their steps.
const PROVOKED_RUNS: u64 = 50;
const PROVOKED_STEPS: usize = 5_000;

/// States that are looked at when they have found something.
const BEHIND: u64 = 100_000;

/// Searches, first among the threads of the window if there is one.
fn search_guided(
    program: &Program,
    options: &everypath_engine_explicit::Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    if program.has_window() {
        let mut outcome = search_all(program, options, observer);
        if !outcome.violations.is_empty() || outcome.stopped != Stopped::Finished {
            // Not everybody moved whenever he could.
            if outcome.stopped == Stopped::Finished {
                outcome.stopped = Stopped::Violation;
            }
            return outcome;
        }
        program.set_window(Vec::new());
    }
    search_all(program, options, observer)
}

/// A run in which threads have closed in on locks of each other, as a search tells it, if it is one still.
fn as_outcome(
    program: &Program,
    options: &everypath_engine_explicit::Options<'_>,
    found: &Provoked,
) -> Option<Outcome> {
    let key = options.deadlock_key.map_or(0, |key| key(&found.state));
    let (kind, same) = match found.fault {
        Some(fault) => (Kind::Fault(fault), stateless::Kind::Fault(fault)),
        None => (Kind::Deadlock(key), stateless::Kind::Deadlock(key)),
    };
    let run = stateless::numbered_run(program, &found.actions, same).ok()??;
    let (stats, followed) = (Stats::default(), Followed::default());
    let violation = (kind, run, 1, found.steps);
    Some(Outcome::of_runs(Stopped::Violation, stats, followed, [violation]))
}

fn is_empty(span: Span) -> bool {
    span.start == span.end
}

/// Searches without what happens without a reason, each kind of violation once.
fn search_usual(
    program: &Program,
    manner: Manner,
    options: &everypath_engine_explicit::Options<'_>,
    observer: &mut dyn Observer,
) -> Outcome {
    if let Some(bounds) = manner.stateless {
        return stateless::search_runs(program, bounds, options, observer);
    }
    let asked = options.check_deadlock && program.has_lock_aims();
    let provoke = || program.provoke(1, PROVOKED_RUNS, PROVOKED_STEPS).ok().flatten();
    let Some(found) = asked.then(provoke).flatten() else {
        return search_guided(program, options, observer);
    };
    // There is more to look for, but not for ever.
    let states = options.limits.states.map_or(BEHIND, |most| most.min(BEHIND));
    let limits = Limits { states: Some(states), ..options.limits };
    let options = everypath_engine_explicit::Options { limits, ..*options };
    let mut outcome = search_guided(program, &options, observer);
    // Where the search assumes less than before, the run is another one.
    let late = matches!(outcome.stopped, Stopped::Time | Stopped::Interrupted);
    let again =
        || provoke().filter(|_| !late).and_then(|found| as_outcome(program, &options, &found));
    // What was found is shown by steps that nobody ends.
    let _held = program.brake().map(Brake::hold);
    let Some(found) = as_outcome(program, &options, &found).or_else(again) else { return outcome };
    let known = |one: &Violation| outcome.violations.iter().any(|other| other.kind == one.kind);
    let new: Vec<Violation> = found.violations.into_iter().filter(|one| !known(one)).collect();
    outcome.errors += new.len() as u64;
    outcome.violations.extend(new);
    if matches!(outcome.stopped, Stopped::Finished | Stopped::StateLimit) {
        outcome.stopped = Stopped::Violation;
    }
    outcome
}

impl Subject for Program {
    fn search(
        &self,
        manner: Manner,
        options: &everypath_engine_explicit::Options<'_>,
        observer: &mut dyn Observer,
    ) -> Outcome {
        spurious::search(self, manner, options, observer)
    }

    fn probe(
        &self,
        manner: Manner,
        options: &everypath_engine_explicit::Options<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, ModelError> {
        let outcome = match manner.stateless {
            Some(bounds) => stateless::search_once(self, bounds, options, observer),
            None => search(self, options, observer),
        };
        match outcome.stopped {
            Stopped::ModelError(error) if self.assumed_too_much() => Err(error),
            _ => Ok(outcome),
        }
    }

    fn bytes(&self) -> u64 {
        Program::bytes(self)
    }

    fn assertions(&self, _: &dyn Fn(u32) -> bool) -> Vec<(Span, bool)> {
        Program::assertions(self)
    }

    fn unreached(&self, _: &dyn Fn(u32) -> bool) -> Vec<ActionInfo> {
        self.covered().map(|covered| covered.unreached).unwrap_or_default()
    }

    fn coverage(&self, _: &dyn Fn(u32) -> bool, sources: &Sources) -> Coverage {
        let of = |part: Part| Statements { reached: part.reached, total: part.total };
        let Some(covered) = self.covered() else {
            let statements = Statements { reached: 0, total: 0 };
            return Coverage { statements, unreached: Vec::new(), methods: None, branches: None };
        };
        Coverage {
            statements: of(covered.lines),
            unreached: covered
                .unreached
                .into_iter()
                .map(|info| Unreached { span: Place::of(sources, info.span), text: info.text })
                .collect(),
            methods: Some(of(covered.methods)),
            branches: Some(of(covered.branches)),
        }
    }

    fn program_stats(&self) -> Option<ProgramStats> {
        let met = self.met();
        Some(ProgramStats {
            instructions: met.instructions,
            threads: met.threads,
            objects: met.objects,
        })
    }

    fn output(&self) -> Option<String> {
        self.run().ok().map(|run| run.stdout)
    }

    fn assumptions(&self) -> Vec<String> {
        let (met, explored) = (self.met_spurious(), self.explored_spurious());
        let stack = self.stack_met().map(|most| format!("stacks of {most} frames, some full"));
        let assumed = [
            (true, "time orders nothing"),
            (true, "sequentially consistent memory"),
            (met.wakeups && !explored.wakeups, "no spurious wake-ups"),
            (met.failures && !explored.failures, "no spurious failures of weak compare-and-set"),
            (true, "a fixed world (docs/java.md)"),
        ];
        let assumed = assumed.iter().filter(|(made, _)| *made).map(|(_, text)| (*text).to_owned());
        assumed.chain(stack).collect()
    }

    fn with_spurious(&self, on: bool) {
        self.explore_spurious(on);
    }

    fn spurious(&self, initial: &[u32], actions: &[Action]) -> Option<(String, [bool; 2])> {
        let asked = self.asked_spurious();
        Some((spurious::events(self, initial, actions)?, [asked.wakeups, asked.failures]))
    }

    fn remarks(&self, all: bool) -> Vec<Diagnostic> {
        let endless = self.endless();
        let mut remarks: Vec<Diagnostic> = endless
            .iter()
            .map(|(thread, place)| {
                let message = format!(
                    "a run does not end: {thread} goes round for ever, and nobody is left who could stop it"
                );
                let text = place.text.trim();
                let message = match is_empty(place.span) {
                    true => format!("{message}: {text}"),
                    false => message,
                };
                let label = (!is_empty(place.span))
                    .then(|| Label { span: place.span, text: String::new() });
                Diagnostic { primary: label, ..placeless(Severity::Warning, ENDLESS, message) }
            })
            .collect();
        if remarks.is_empty() && all && !self.has_ended() {
            let message = "no run of the program comes to an end".to_owned();
            remarks.push(placeless(Severity::Warning, ENDLESS, message));
        }
        remarks
    }

    fn directions(&self, asked: Option<HeuristicArg>, _: Aims) -> Directions<'_> {
        let worker = Mutex::new(self.worker());
        let held = move |ask: &dyn Fn(&mut JavaWorker) -> u32| {
            ask(&mut worker.lock().unwrap_or_else(PoisonError::into_inner))
        };
        let none = Directions::default();
        match asked {
            Some(HeuristicArg::Interleaving) => {
                Directions { run: Some(Box::new(interleaving)), ..none }
            }
            Some(HeuristicArg::ChooseFree) => {
                let run = move |choices: u64, before: &[u32], actions: &[Action]| {
                    let chosen =
                        |worker: &mut JavaWorker| self.is_choice(worker, before, actions).into();
                    let choices = choices + u64::from(held(&chosen));
                    (choices, choices as u32)
                };
                Directions { run: Some(Box::new(run)), ..none }
            }
            Some(HeuristicArg::Warning) => {
                let far = move |state: &[u32]| held(&|worker| self.distance_to_aims(worker, state));
                Directions { distances: vec![Box::new(far)], ..none }
            }
            // No program has so many threads.
            Some(HeuristicArg::MostBlocked) | None => {
                let far =
                    move |state: &[u32]| 255 - held(&|worker| self.blocked_count(worker, state));
                Directions { distances: vec![Box::new(far)], ..none }
            }
        }
    }

    fn deadlock_kind(&self, state: &[u32]) -> u64 {
        u64::from(self.waits_for_notification(state))
    }

    fn has_threads(&self) -> bool {
        true
    }

    fn invariants(&self) -> Vec<String> {
        Program::invariants(self)
    }

    fn invariant_of(&self, fault: Fault) -> Option<usize> {
        Program::invariant_of(self, fault)
    }
}
