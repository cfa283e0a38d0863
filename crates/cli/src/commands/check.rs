//! `everypath check`: from files to results to text.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use everypath::check::{Ask, Door, Kept, Weight, checked, internal};
use everypath_engine_explicit::{Disk, Observer};
use everypath_machine::Interpreter;
use everypath_model::{Diagnostic, Severity, Sources, shown};
use everypath_render::Format;
use everypath_verdict::{Exit, RunResult};

use crate::analysis::InternalError;
use crate::answer::Answer;
use crate::checking::Checking;
use crate::checkpoints::{self, Keeper, Resumed};
use crate::choices::EngineArg;
use crate::commands::flow;
use crate::config::Config;
use crate::disk::Files;
use crate::input::{placeless, reason};
use crate::render::Checked;
use crate::render::full::{Detail, Verbosity};
use crate::settings::{self, Job, Plan, Request};
use crate::{complain, expect, interrupt, outlet, print, runs, tell, trail, watch};

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
            .unwrap_or_else(|error| internal(&job.config.checking, &job.path, error));
        let result = &mut checked.result;
        if result.run.expect.is_some() {
            result.run.expect_because.clone_from(&job.expected.reason);
        }
        expect::apply(result, &job.expected.properties, &checked.policy);
        answer.add(checked);
    }
}

/// Checks one input, and tells about it.
pub fn check_file(
    job: &Job,
    interrupted: &AtomicBool,
    answer: &mut Answer<'_>,
) -> Result<Checked, InternalError> {
    let ask = Ask {
        path: &job.path,
        reading: &job.config.reading,
        checking: &job.config.checking,
        start: Instant::now(),
        test: job.test.as_ref().map(|test| test.name.as_str()),
    };
    checked(&ask, interrupted, &mut Command { job, answer })
}

/// The command as what a check takes things from.
struct Command<'j, 'w, 'a> {
    job: &'j Job,
    answer: &'w mut Answer<'a>,
}

impl Door for Command<'_, '_, '_> {
    fn note(&mut self, weight: Weight, text: &str) {
        let least = match weight {
            Weight::Usual => Verbosity::Normal,
            Weight::Detail => Verbosity::Verbose,
        };
        if self.job.config.detail.verbosity >= least {
            tell("note", text);
        }
    }

    fn observer(&mut self, start: Instant) -> Box<dyn Observer + '_> {
        Box::new(self.answer.watch(start, self.job.config.checking.memory))
    }

    fn disk(&mut self, checking: &Checking) -> Result<Option<Arc<dyn Disk>>, Box<Diagnostic>> {
        let Some(directory) = checking.disk.as_deref() else { return Ok(None) };
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

    fn kept(
        &mut self,
        checking: &Checking,
        sources: &Sources,
        machine: &str,
        start: Instant,
    ) -> Result<Kept, Box<Diagnostic>> {
        let Job { path, config, .. } = self.job;
        let same = checkpoints::identity(checking, sources, machine);
        let resumed = config.checking.resume.as_deref().map(|word| Resumed::open(word, &same));
        let resumed = resumed.transpose()?;
        let disk = self.disk(checking)?;
        let keeper = Keeper::new(config, path, same, start);
        Ok(Kept {
            resumed: resumed.map(|resumed| Box::new(resumed) as _),
            keeper: keeper.map(|keeper| Box::new(keeper) as _),
            disk,
        })
    }

    fn trail(&mut self, system: &Interpreter, result: &RunResult) -> Option<String> {
        let config = &self.job.config;
        let wanted = config.format == Format::Trail
            || config.outputs.iter().any(|(format, _)| *format == Format::Trail);
        if wanted { trail::of_result(system, result) } else { None }
    }
}
