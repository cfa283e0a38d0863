//! `everypath check`: from files to results to text.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use everypath_engine_explicit::Disk;
use everypath_lang_java::Asked as Conditions;
use everypath_lang_promela::ast::Model;
use everypath_lang_promela::lint;
use everypath_lang_promela::types::{self, TypeOptions};
use everypath_machine::Interpreter;
use everypath_model::files;
use everypath_model::{Brake, Diagnostic, Ended, Severity, Sources, TransitionSystem, shown};
use everypath_property::{Declared, Groups, PropertyKind, Selection, selectable};
use everypath_render::Format;
use everypath_render::units::count;
use everypath_verdict::{
    Exit, Input, Note, NoteSeverity, Reason, RunResult, Stop, Verdict, sha256_hex,
};

use crate::analysis::{InternalError, Loaded, Session, analyse, empty_result, run_info};
use crate::answer::Answer;
use crate::brake::{Bounds, within};
use crate::checking::Checking;
use crate::checkpoints::{self, Keeper, Resumed};
use crate::choices::{EngineArg, FairArg, HeuristicArg, SearchArg};
use crate::commands::flow;
use crate::config::Config;
use crate::disk::Files;
use crate::input::{placeless, reason};
use crate::java::guide::Guide;
use crate::java::temporal::Questions;
use crate::levels::Levels;
use crate::load::{self, Opened};
use crate::promela::Fitting;
use crate::reading::Reading;
use crate::render::full::{Detail, Verbosity};
use crate::render::{Checked, finding};
use crate::searches;
use crate::settings::{self, Job, Plan, Request};
use crate::subject::Subject;
use crate::temporal::Temporal;
use crate::{complain, expect, interrupt, java, outlet, print, promela, runs, tell, trail, watch};

/// Finds out what to check, and does it.
pub fn check(request: &Request<'_>) -> Exit {
    if request.args.watch {
        return watch::watch(request);
    }
    let plan = match settings::plan(request) {
        Ok(plan) => plan,
        Err(wrong) => {
            let (_, style) = request.environment.styles(&request.args.layout);
            complain(&wrong.text(&style));
            return wrong.exit();
        }
    };
    if request.args.show_config {
        print(&settings::show::text(&plan, &plan.config.style));
        return Exit::Ok;
    }
    let interrupted = interrupt::install();
    let (by_flow, by_search): (Vec<Job>, Vec<Job>) =
        plan.jobs.iter().cloned().partition(|job| job.config.engine == EngineArg::Flow);
    let alone = by_search.is_empty();
    if !by_flow.is_empty() && !alone && plan.config.format != Format::Full {
        complain(
            "error: targets with --engine flow and others have no document in common: --format full\n",
        );
        return Exit::Input;
    }
    let mut exit = Exit::Ok;
    for job in &by_flow {
        exit = exit.and(flow::check(job, request));
    }
    if alone && !by_flow.is_empty() {
        return exit;
    }
    let plan = Plan { jobs: by_search, ..plan };
    let stdout = &mut outlet::Stdout;
    exit.and(run(&plan, stdout, |job, answer| check_file(job, interrupted, answer)))
}

/// Checks all inputs in some way, prints, writes and keeps the results.
pub fn run(
    plan: &Plan,
    stdout: &mut dyn Write,
    one: impl FnMut(&Job, &mut Answer<'_>) -> Result<Checked, InternalError>,
) -> Exit {
    let kept = plan.config.save && runs::can_keep();
    let detail = Detail { kept, ..plan.config.detail };
    let config = &Config { detail, ..plan.config.clone() };
    let mut answer = Answer::begin(config, stdout);
    check_all(&plan.jobs, &mut answer, one);
    if config.save
        && let Err(error) = runs::record(&answer.results())
        && config.detail.verbosity == Verbosity::Verbose
    {
        tell("note", &format!("the run is not kept: {error}"));
    }
    answer.finish()
}

/// Checks all inputs, and neither prints nor keeps anything.
pub fn check_quietly(plan: &Plan) -> Vec<RunResult> {
    let quiet = |config: &Config| Config {
        outputs: Vec::new(),
        format: Format::Json,
        detail: Detail { verbosity: Verbosity::Quiet, ..config.detail },
        ..config.clone()
    };
    let jobs: Vec<Job> = plan
        .jobs
        .iter()
        .map(|job| Job { config: quiet(&job.config).into(), ..job.clone() })
        .collect();
    let interrupted = interrupt::install();
    let config = quiet(&plan.config);
    let mut nowhere = std::io::sink();
    let mut answer = Answer::begin(&config, &mut nowhere);
    check_all(&jobs, &mut answer, |job, answer| check_file(job, interrupted, answer));
    answer.results().into_iter().cloned().collect()
}

/// Checks all inputs in some way, and makes results of defects too.
pub fn check_all(
    jobs: &[Job],
    answer: &mut Answer<'_>,
    mut one: impl FnMut(&Job, &mut Answer<'_>) -> Result<Checked, InternalError>,
) {
    for job in jobs {
        // The hook has told about a panic already.
        let mut checked = catch_unwind(AssertUnwindSafe(|| one(job, answer)))
            .unwrap_or_else(|_| Err(InternalError("a part of the program gave up".to_owned())))
            .unwrap_or_else(|error| internal(&job.config, &job.path, error));
        let result = &mut checked.result;
        if result.run.expect.is_some() {
            result.run.expect_because.clone_from(&job.expected.reason);
        }
        expect::apply(result, &job.expected.properties, &checked.policy);
        answer.add(checked);
    }
}

/// Checks one model, or says why not.
pub fn check_file(
    job: &Job,
    interrupted: &AtomicBool,
    answer: &mut Answer<'_>,
) -> Result<Checked, InternalError> {
    let Job { path, config, .. } = job;
    let policy = config.detail.policy;
    let start = Instant::now();
    if java::is_input(path, &config.reading) {
        return check_java(job, interrupted, answer);
    }
    let bounds = Bounds {
        interrupt: interrupted,
        deadline: config.checking.time.and_then(|limit| start.checked_add(limit)),
        memory: config.checking.memory,
        bytes: &|| 0,
    };
    let brake = Arc::new(Brake::default());
    let reading = Reading {
        until: bounds.deadline,
        brake: Some(Arc::clone(&brake)),
        ..config.reading.clone()
    };
    let read = || (Whole::read(config, &reading, path), brake.pulled());
    let (whole, ended) = within(Some(&brake), &bounds, read);
    // A short text is read before anybody looks.
    let ended = ended.or_else(|| interrupted.load(Ordering::Relaxed).then_some(Ended::Interrupt));
    let Whole { opened, temporal, found, system, cycles } = whole;
    let levels = &config.checking.levels;
    let Opened { sources, lang, mut diagnostics, model, main, loader, .. } = opened;
    if let Some(ended) = ended {
        // What was said about half of a text is not true of the whole.
        let mut result = refused(config, &sources, lang, Vec::new(), start);
        let (reason, stop) = match ended {
            Ended::Time => (Reason::TimeLimit, Stop::Time),
            Ended::Memory => (Reason::MemoryLimit, Stop::Memory),
            Ended::Interrupt => (Reason::Interrupted, Stop::Interrupt),
        };
        result.verdict = Verdict::Unknown(reason);
        result.exit = policy.apply(result.judge(&policy)).code();
        result.run.stop = stop;
        if result.inputs.is_empty() {
            result.inputs = vec![unread(path)];
        }
        return Ok(Checked { result, sources, policy, trail: None });
    }
    let (Some(system), Some(model)) = (system, model) else {
        let mut result = refused(config, &sources, lang, diagnostics, start);
        result.diagnostics.extend(found.iter().map(|d| Note::of(&sources, d)));
        deny(levels, &mut result);
        result.exit = policy.apply(result.judge(&policy)).code();
        if result.inputs.is_empty() {
            result.inputs = vec![unread(path)];
        }
        return Ok(Checked { result, sources, policy, trail: None });
    };
    diagnostics.extend(found);
    let invariants = &config.checking.invariants;
    let reading = (&config.reading, &*loader);
    let variant = |span| promela::made_atomic(&model, &sources, main, reading, invariants, span);
    let cycles = match cycles {
        Ok(cycles) => cycles.braked_as(&system),
        Err(errors) => {
            let result = refused(config, &sources, lang, errors, start);
            return Ok(Checked { result, sources, policy, trail: None });
        }
    };
    if let Some(error) = wrong_choice(&config.checking, &cycles, &sources) {
        let result = refused(config, &sources, lang, vec![error], start);
        return Ok(Checked { result, sources, policy, trail: None });
    }
    let heuristic = config.checking.heuristic.filter(|one| one.of_java());
    let of_java = [
        ("--search stateless", config.checking.search == SearchArg::Stateless),
        ("--guide", config.checking.guide.is_some()),
        ("this --heuristic", heuristic.is_some()),
        ("--heap-limit", config.checking.heap_limit.is_some()),
        ("--spurious-wakeups", config.reading.spurious.wakeups),
    ];
    if let Some((option, _)) = of_java.into_iter().find(|(_, given)| *given) {
        let message = format!("{option} is for Java programs");
        let error = placeless(Severity::Unsupported, "EP1014", message);
        let result = refused(config, &sources, lang, vec![error], start);
        return Ok(Checked { result, sources, policy, trail: None });
    }
    if let Some(name) = config.checking.reductions.named_for(true) {
        let message = format!("--reduce {name} is for Java programs");
        let error = placeless(Severity::Unsupported, "EP1014", message);
        let result = refused(config, &sources, lang, vec![error], start);
        return Ok(Checked { result, sources, policy, trail: None });
    }
    let fitting = || promela::fitting(&config.checking, &system);
    let Fitting { checking, smaller, remarks } = within(system.brake(), &bounds, fitting);
    if config.detail.verbosity == Verbosity::Verbose {
        remarks.iter().for_each(|remark| tell("note", remark));
    }
    let loaded = Loaded {
        system: &system,
        searched: smaller.as_ref().unwrap_or(&system),
        sources: &sources,
        lang,
        language: "Promela",
        temporal,
        cycles: Some(&cycles),
        ignored: promela::ignored(&model, &checking.cycles),
        diagnostics,
        variant: Some(&variant),
    };
    let same = checkpoints::identity(&checking, &sources, &loaded.searched.fingerprint());
    let resumed = config.checking.resume.as_deref().map(|word| Resumed::open(word, &same));
    let resumed = match resumed.transpose() {
        Ok(resumed) => resumed,
        Err(error) => {
            let result = refused(config, &sources, lang, vec![*error], start);
            return Ok(Checked { result, sources, policy, trail: None });
        }
    };
    if let Some(resumed) = &resumed
        && config.detail.verbosity > Verbosity::Quiet
    {
        tell("note", &format!("the search goes on from {} states", count(resumed.states)));
    }
    let disk = match disk_of(config) {
        Ok(disk) => disk,
        Err(error) => {
            let result = refused(config, &sources, lang, vec![*error], start);
            return Ok(Checked { result, sources, policy, trail: None });
        }
    };
    if config.checking.search == SearchArg::Dfs
        && config.checking.jobs > searches::threads(&config.checking)
        && config.detail.verbosity > Verbosity::Quiet
    {
        complain(
            "note: one thread only: a depth-first search that leaves out orders of steps, or has a \
             --depth, works alone (--reduce none and --proviso sticky let it share)\n",
        );
    }
    let keeper = Keeper::new(config, path, same, start);
    let read = |buffer: &mut [u8]| resumed.as_ref().map_or(Ok(0), |resumed| resumed.read(buffer));
    let mut watch = answer.watch(start, config.checking.memory);
    let mut session = Session {
        start,
        interrupt: interrupted,
        observer: &mut watch,
        checkpoints: keeper.as_ref().map(|keeper| keeper as _),
        disk,
        resume: resumed.is_some().then_some(&read),
    };
    let result = analyse(&loaded, &checking, &mut session);
    drop(watch);
    let mut result = result?;
    result.run.resumed = resumed.map(|resumed| resumed.states);
    if let Some(keeper) = keeper {
        keeper.finish(&mut result);
    }
    deny(levels, &mut result);
    result.exit = policy.apply(result.judge(&policy)).code();
    let wanted = config.format == Format::Trail
        || config.outputs.iter().any(|(format, _)| *format == Format::Trail);
    let trail = if wanted { trail::of_result(&system, &result) } else { None };
    Ok(Checked { result, sources, policy, trail })
}

/// The files of `--disk`.
fn disk_of(config: &Config) -> Result<Option<Arc<dyn Disk>>, Box<Diagnostic>> {
    let Some(directory) = config.checking.disk.as_deref() else { return Ok(None) };
    let made = if *directory == *runs::disk() { runs::make_disk() } else { Ok(()) };
    match made.and_then(|()| Files::new(directory)) {
        Ok(files) => Ok(Some(Arc::new(files))),
        Err(error) => {
            let message =
                format!("--disk: cannot write to {}: {}", shown(directory), reason(&error));
            Err(Box::new(placeless(Severity::Error, "EP1010", message)))
        }
    }
}

/// Checks a Java program, or says why not.
fn check_java(
    job: &Job,
    interrupted: &AtomicBool,
    answer: &mut Answer<'_>,
) -> Result<Checked, InternalError> {
    let Job { path, config, .. } = job;
    let policy = config.detail.policy;
    let start = Instant::now();
    let mut checking = java::fitting(&config.checking);
    checking.reading.reductions = checking.reductions.names();
    if checking.reading.reductions.is_empty() {
        // Traces that say nothing are those of single runs.
        checking.reading.reductions.push("none".to_owned());
    }
    checking.reading.input = Some(path.to_string_lossy().into_owned());
    let limit = checking.heap_limit.map(|most| format!("objects() <= {most}"));
    checking.invariants.extend(limit);
    let mut sources = Sources::default();
    let questions = match Questions::read(checking.asked(), &mut sources) {
        Ok(questions) => questions,
        Err(errors) => {
            let result = refused(config, &sources, java::LANG, errors, start);
            return Ok(Checked { result, sources, policy, trail: None });
        }
    };
    checking.reading.invariants.clone_from(&checking.invariants);
    checking.reading.propositions = questions.propositions();
    let events = questions.events().into_iter();
    checking.reading.events = events.map(|(name, what)| format!("{name}={what}")).collect();
    let conditions = Conditions {
        invariants: checking.invariants.clone(),
        propositions: questions.propositions(),
        events: questions.events(),
        ..Conditions::default()
    };
    let reductions = checking.reductions.java();
    let selection = Selection::new(&config.checking.only);
    let asked = java::Asked {
        coverage: config.checking.coverage,
        races: selection.has_group(PropertyKind::Race),
        reductions,
        numbering: java::numbering(config.checking.heap),
        conditions,
        ..Default::default()
    };
    let declared = questions.declared();
    let mut reading = config.reading.clone();
    // Whole runs are not looked at with it.
    reading.spurious.failures &= declared.is_empty();
    reading.until = config.checking.time.and_then(|limit| start.checked_add(limit));
    let unknown = || unknown_names(config, &declared, Groups::Threaded).map(Box::new);
    let opened = java::unsupported(&config.checking, reading.spurious.wakeups)
        .or_else(unknown)
        .or_else(|| java::spurious_with_runs(&reading, &declared))
        .map_or_else(|| java::open(path, &reading, asked), |error| Err(error.into()));
    let program = match opened {
        Ok(program) => program,
        Err(java::Refused { sources, diagnostics }) => {
            let mut result = refused(config, &sources, java::LANG, diagnostics, start);
            if result.inputs.is_empty() {
                result.inputs = vec![unread(path)];
            }
            result.test = job.test.as_ref().map(|test| test.name.clone());
            return Ok(Checked { result, sources, policy, trail: None });
        }
    };
    program.explore_spurious(false);
    let sources = program.sources().clone();
    let asks_runs = !declared.is_empty();
    let bytes = || program.bytes();
    let bounds = Bounds {
        interrupt: interrupted,
        deadline: checking.time.map(|limit| start + limit),
        memory: checking.memory,
        bytes: &bytes,
    };
    let temporal = java::temporal::Temporal { questions: &questions, program: &program };
    if asks_runs && !checking.search.samples() {
        // Whoever learns about fields later must not replay what was found before.
        within(program.brake(), &bounds, || java::learn(&program));
    }
    let loaded = Loaded {
        system: &*program,
        searched: &*program,
        sources: &sources,
        lang: java::LANG,
        language: "Java",
        temporal: declared,
        cycles: asks_runs.then_some(&temporal as _),
        ignored: Vec::new(),
        diagnostics: Vec::new(),
        variant: None,
    };
    let disk = match disk_of(config) {
        Ok(disk) => disk,
        Err(error) => {
            let result = refused(config, &sources, java::LANG, vec![*error], start);
            return Ok(Checked { result, sources, policy, trail: None });
        }
    };
    let guided = checking.guide.is_some();
    let aimed = checking.heuristic == Some(HeuristicArg::Warning);
    let guide = (guided || aimed).then(|| {
        let guide = || Guide::of(&program, checking.seed, interrupted, guided);
        within(program.brake(), &bounds, guide)
    });
    let mut watch = answer.watch(start, config.checking.memory);
    let mut session = Session {
        start,
        interrupt: interrupted,
        observer: &mut watch,
        checkpoints: None,
        disk,
        resume: None,
    };
    let result = analyse(&loaded, &checking, &mut session);
    drop(watch);
    let mut result = result?;
    if let Some(guide) = guide {
        result.diagnostics.extend(guide.notes(&program, &result));
    }
    result.test = job.test.as_ref().map(|test| test.name.clone());
    if let [input] = &mut result.inputs[..]
        && sources.iter().all(|(_, file)| file.text.is_empty())
    {
        // There is no source: the input is what was given, or the class in it that the program begins with.
        let main = format!("{}.class", program.main().replace('.', "/"));
        let given = if path.is_dir() { path.join(main) } else { path.clone() };
        let bytes = files::read(&given, JAR).ok().or_else(|| program.main_class());
        input.path = given.to_string_lossy().into_owned();
        input.sha256 = sha256_hex(&bytes.unwrap_or_default());
    }
    result.exit = policy.apply(result.judge(&policy)).code();
    Ok(Checked { result, sources, policy, trail: None })
}

/// A model with all that was made of it before the search.
struct Whole {
    opened: Opened,
    /// Its temporal properties and those of the command line.
    temporal: Vec<Declared>,
    /// What there is to say about its text.
    found: Vec<Diagnostic>,
    /// The machine; `None` if there can be none.
    system: Option<Interpreter>,
    /// The temporal properties, put to the model.
    cycles: Result<Temporal, Vec<Diagnostic>>,
}

impl Whole {
    /// Reads a model as far as the brake lets.
    fn read(config: &Config, reading: &Reading, path: &Path) -> Whole {
        let brake = reading.brake.as_ref();
        let mut opened = load::open(path, reading);
        if opened.guessed && config.detail.verbosity > Verbosity::Quiet {
            tell("note", &format!("{} looks like Promela and is read as such", shown(path)));
        }
        let questions = opened.questions(reading, config.checking.asked());
        let temporal = questions.declared();
        if opened.model.is_some()
            && let Some(error) = unknown_names(config, &temporal, Groups::Common)
        {
            opened.diagnostics.push(error);
            opened.model = None;
        }
        refuse_named(&config.checking.only, &mut opened);
        let levels = &config.checking.levels;
        let found = |model| findings(levels, model, brake);
        let found = opened.model.as_ref().map(found).unwrap_or_default();
        let system = opened.lower(reading, &config.checking.invariants);
        let cycles = match (&opened.model, &system) {
            (Some(model), Some(_)) => questions.of(model, false, brake),
            _ => Err(Vec::new()),
        };
        Whole { opened, temporal, found, system, cycles }
    }
}

/// Errors in the types, as warnings, and what is denied of all that can be told from the text.
fn findings(levels: &Levels, model: &Model, brake: Option<&Arc<Brake>>) -> Vec<Diagnostic> {
    let options = TypeOptions::default();
    let never = Brake::default();
    let brake = brake.map_or(&never, |brake| brake);
    let all = if levels.deny.is_empty() {
        types::infer_until(model, options, brake).diagnostics
    } else {
        lint::check_until(model, options, brake).findings
    };
    all.into_iter()
        .filter_map(|mut finding| match (levels.denies(&finding), finding.severity) {
            (true, _) => levels.apply(finding),
            (false, Severity::Error) => {
                finding.severity = Severity::Warning;
                Some(finding)
            }
            (false, _) => None,
        })
        .collect()
}

/// Marks the findings that are denied, and adds what a complete search never executed.
fn deny(levels: &Levels, result: &mut RunResult) {
    for note in &mut result.diagnostics {
        note.denied = note.severity == NoteSeverity::Error && lint::find(&note.code).is_some();
    }
    if !result.scope.complete {
        return;
    }
    let vacuous = result.properties.iter().filter(|property| property.vacuous);
    let assertions: Vec<_> = vacuous
        .clone()
        .filter(|property| property.kind == PropertyKind::Assertion)
        .filter_map(|property| property.span)
        .collect();
    let mut found = Vec::new();
    if levels.concerns("unreached") {
        for one in result.coverage.iter().flat_map(|coverage| &coverage.unreached) {
            if !assertions.contains(&one.span) {
                let message = format!("no run executes `{}`", one.text);
                found.push(("unreached", Some(one.span), message));
            }
        }
    }
    if levels.concerns("vacuity") {
        let message = "no run executes this assertion";
        found.extend(assertions.iter().map(|&span| ("vacuity", Some(span), message.to_owned())));
        let formulas = vacuous.filter(|property| !property.vacuity.is_empty());
        found.extend(formulas.map(|one| ("vacuity", one.span, finding::vacuity(one))));
    }
    for (name, span, message) in found {
        result.diagnostics.push(Note {
            code: lint::find(name).map_or("", |lint| lint.code).to_owned(),
            severity: NoteSeverity::Error,
            message,
            span,
            label: None,
            related: Vec::new(),
            help: None,
            denied: true,
        });
    }
}

/// The result for an input with which the tool itself came to grief.
fn internal(config: &Config, path: &Path, error: InternalError) -> Checked {
    let sources = Sources::default();
    let mut result = empty_result(&sources, "");
    result.exit = Exit::Internal.code();
    result.run = run_info(&config.checking, std::time::Duration::ZERO, Stop::NotStarted);
    result.inputs = vec![unread(path)];
    let message = format!("internal error: {}", error.0);
    let diagnostic = Diagnostic {
        help: Some("please report it, with the input and the command line".to_owned()),
        ..placeless(Severity::Error, "EP0001", message)
    };
    result.diagnostics = vec![Note::of(&sources, &diagnostic)];
    Checked { result, sources, policy: config.detail.policy, trail: None }
}

/// The largest jar whose hash is told.
const JAR: u64 = 1 << 30;

/// An input of which nothing is known but its name.
fn unread(path: &Path) -> Input {
    let path = path.to_string_lossy().into_owned();
    Input { path, lang: String::new(), sha256: String::new() }
}

/// The result for an input that was not searched: `error`, or `unknown` if it is well formed.
fn refused(
    config: &Config,
    sources: &Sources,
    lang: &str,
    diagnostics: Vec<Diagnostic>,
    start: Instant,
) -> RunResult {
    let mut result = empty_result(sources, lang);
    let error = diagnostics.iter().any(Diagnostic::is_error);
    result.verdict = if error { Verdict::Error } else { Verdict::Unknown(Reason::Unsupported) };
    let policy = &config.detail.policy;
    result.exit = policy.apply(result.judge(policy)).code();
    result.run = run_info(&config.checking, start.elapsed(), Stop::NotStarted);
    result.diagnostics = diagnostics.iter().map(|d| Note::of(sources, d)).collect();
    result
}

/// An error for the names of `--only` that the model does not have.
fn unknown_names(config: &Config, declared: &[Declared], groups: Groups) -> Option<Diagnostic> {
    let unknown = Selection::new(&config.checking.only).unknown(declared, groups);
    if unknown.is_empty() {
        return None;
    }
    let unknown: Vec<String> = unknown.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("--only names {}, which the model does not have", unknown.join(", "));
    let help = format!("there are: {}", selectable(declared, groups).join(", "));
    Some(Diagnostic { help: Some(help), ..placeless(Severity::Error, "EP1004", message) })
}

/// Refuses a model if `--only` names an `ltl` block in it that is no formula: there is nothing else to answer.
fn refuse_named(only: &[String], opened: &mut Opened) {
    let Some(model) = &opened.model else { return };
    let named = model.refused_ltl.iter().filter(|refused| only.contains(&refused.name));
    let errors: Vec<Diagnostic> = named.flat_map(|refused| refused.errors.clone()).collect();
    if errors.is_empty() {
        return;
    }
    for diagnostic in &mut opened.diagnostics {
        let is_same = |error: &Diagnostic| {
            Diagnostic { severity: diagnostic.severity, ..error.clone() } == *diagnostic
        };
        if errors.iter().any(is_same) {
            diagnostic.severity = Severity::Error;
        }
    }
    opened.model = None;
}

/// What is wrong with `--fair-choice`.
fn wrong_choice(checking: &Checking, temporal: &Temporal, sources: &Sources) -> Option<Diagnostic> {
    let lines = &checking.fair_choices;
    let message = match temporal.choices_at(sources, lines) {
        Ok(_) if lines.is_empty() || checking.fairness == FairArg::Strong => return None,
        Ok(_) => {
            "--fair-choice is about strong fairness; it does not go with --fair weak".to_owned()
        }
        Err(line) => format!("--fair-choice {line}: no choice begins at line {line}"),
    };
    Some(placeless(Severity::Error, "EP1707", message))
}
