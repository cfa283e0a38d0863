//! A search as a result.

use std::time::Duration;

use everypath_engine_explicit::{Options, Outcome, Stopped};
use everypath_model::{Diagnostic, Label, Severity, Successors};
use everypath_property::{PropertyKind, Selection};
use everypath_verdict::{
    Assurance, ModelInfo, Note, Reason, RunResult, RunStats, Sample, Scope, Stats, Stop, Verdict,
};

use super::document::{empty_result, run_info};
use super::{Loaded, RACES};
use crate::brake::Bounds;
use crate::checking::Checking;
use crate::defect::InternalError;
use crate::input::placeless;
use crate::memory;
use crate::portfolio::Probed;
use crate::stores;
use crate::subject::Subject;
use crate::temporal::Judged;

pub(super) struct Judge<'a, S> {
    pub(super) loaded: &'a Loaded<'a, S>,
    pub(super) checking: &'a Checking,
    pub(super) selection: Selection<'a>,
    pub(super) options: &'a Options<'a>,
    /// What ends attempts to find a better run.
    pub(super) bounds: &'a Bounds<'a>,
    pub(super) outcome: &'a Outcome,
    /// What searches in other orders found beside it.
    pub(super) probed: &'a [Probed],
    /// Whether the counts are those of the temporal properties, and only they were looked at.
    pub(super) products_alone: bool,
    /// What is known about each temporal property.
    pub(super) judged: Vec<Option<Judged>>,
    /// How long the search took.
    pub(super) searching: Duration,
}

impl<S: Subject> Judge<'_, S> {
    pub(super) fn result(&self, elapsed: Duration) -> Result<RunResult, InternalError> {
        let Loaded { system, sources, .. } = *self.loaded;
        let outcome = self.outcome;
        let taken = |transition: u32| outcome.coverage.contains(transition);
        let mut properties = self.properties()?;
        let mut diagnostics: Vec<Note> =
            self.loaded.diagnostics.iter().map(|d| Note::of(sources, d)).collect();
        diagnostics.extend(self.remarks());
        let verdict = properties
            .iter()
            .map(|property| property.verdict)
            .fold(Verdict::Holds.under(self.assurance()), Verdict::and);
        if !self.checking.traces {
            for property in &mut properties {
                property.trace = None;
            }
        }
        let stats = &outcome.stats;
        let bytes = stats.bytes.table + stats.bytes.arena + stats.bytes.parents + stats.bytes.stack;
        let mut result = RunResult {
            verdict,
            run: run_info(self.checking, elapsed, self.stop()),
            model: Some(ModelInfo {
                language: self.loaded.language.to_owned(),
                processes: self.processes(),
            }),
            scope: self.scope(),
            stats: Some(Stats {
                states: stats.states,
                transitions: stats.transitions,
                matched: stats.matched(),
                depth: stats.depth,
                errors: match outcome.errors {
                    0 => self.probed.iter().map(|probed| probed.outcome.errors).sum(),
                    errors => errors,
                },
                unexpanded: stats.frontier,
                bytes,
                bytes_per_state: (bytes as f64 / stats.states.max(1) as f64 * 10.0).round() / 10.0,
                forced_ends: outcome.forced.as_ref().map(|forced| forced.count),
                program: system.program_stats(),
                runs: outcome.followed.map(|followed| RunStats {
                    executions: followed.executions,
                    given_up: followed.given_up,
                    cut: followed.cut,
                    executions_per_s: (followed.executions as f64
                        / self.searching.as_secs_f64().max(1e-6))
                    .round(),
                }),
            }),
            properties,
            coverage: (!self.products_alone).then(|| system.coverage(&taken, sources)),
            diagnostics,
            output: self.is_single_run().then(|| system.output()).flatten(),
            ..empty_result(sources, self.loaded.lang)
        };
        let policy = &self.checking.policy;
        result.exit = policy.apply(result.judge(policy)).code();
        Ok(result)
    }

    /// Whether there is one run only, and it ends.
    pub(super) fn is_single_run(&self) -> bool {
        let stats = &self.outcome.stats;
        let line = stats.depth + 1 == stats.states;
        self.outcome.complete() && line && stats.matched() == 0
    }

    pub(super) fn stop(&self) -> Stop {
        match &self.outcome.stopped {
            Stopped::Finished if self.outcome.depth_limit_hit => Stop::Depth,
            Stopped::Finished if self.outcome.followed.is_some_and(|f| f.bounded) => Stop::Bound,
            Stopped::Finished => {
                let stops = self.judged.iter().flatten().filter_map(|judged| judged.stop);
                stops.into_iter().next().unwrap_or(Stop::Completed)
            }
            Stopped::Violation | Stopped::ViolationBudget => Stop::Violation,
            Stopped::StateLimit => Stop::States,
            Stopped::MemoryLimit => Stop::Memory,
            Stopped::Time => Stop::Time,
            Stopped::Interrupted if memory::ended_it() => Stop::Memory,
            Stopped::Interrupted => Stop::Interrupt,
            Stopped::Disk(_) => Stop::Disk,
            Stopped::ModelError(_) | Stopped::NotResumed(_) => Stop::Model,
        }
    }

    /// Whether everything was looked at.
    pub(super) fn complete(&self) -> bool {
        self.outcome.complete() && self.judged.iter().flatten().all(|judged| judged.stop.is_none())
    }

    pub(super) fn assurance(&self) -> Assurance {
        let incomplete = if self.outcome.complete() {
            None
        } else {
            let otherwise = match (self.outcome.left_out, self.outcome.runs, self.outcome.loss) {
                (Some(_), _, _) | (None, None, None) => Reason::ModelIncomplete,
                (None, Some(_), _) => Reason::Sampled,
                (None, None, Some(_)) => Reason::LossyStore,
            };
            Some(self.stop().reason().unwrap_or(otherwise))
        };
        Assurance { incomplete, imprecise: None }
    }

    /// What the search itself has to say about the model.
    pub(super) fn remarks(&self) -> Vec<Note> {
        let mut remarks = Vec::new();
        if let Stopped::ModelError(error) = &self.outcome.stopped {
            remarks.push(Diagnostic {
                code: "EP0304",
                severity: Severity::Unsupported,
                message: format!("a state could not be evaluated: {error}"),
                primary: None,
                secondary: Vec::new(),
                help: None,
            });
        }
        if let Stopped::Disk(why) = &self.outcome.stopped {
            let message = format!("the disk (--disk) failed: {why}");
            remarks.push(placeless(Severity::Unsupported, "EP0305", message));
        }
        if let Some(left_out) = self.outcome.left_out {
            let info = self.loaded.system.fault(left_out.first);
            remarks.push(Diagnostic {
                code: info.code,
                severity: Severity::Warning,
                message: info.message,
                primary: info.span.map(|span| Label { span, text: String::new() }),
                secondary: Vec::new(),
                help: None,
            });
        }
        let clean = self.outcome.violations.is_empty() && !self.products_alone;
        remarks.extend(self.loaded.system.remarks(clean && self.outcome.complete()));
        remarks.iter().map(|remark| Note::of(self.loaded.sources, remark)).collect()
    }

    pub(super) fn scope(&self) -> Scope {
        let mut bounds = serde_json::Map::new();
        let mut bound = |name: &str, value: Option<serde_json::Value>| {
            if let Some(value) = value {
                bounds.insert(name.to_owned(), value);
            }
        };
        bound("time_s", self.checking.time.map(|time| time.as_secs_f64().into()));
        bound("memory_bytes", self.checking.memory.map(Into::into));
        bound("states", self.checking.states.map(Into::into));
        bound("depth", self.checking.depth.map(Into::into));
        bound("preemptions", self.checking.preemptions.map(Into::into));
        bound("switches", self.checking.switches.map(Into::into));
        let mut skipped = Vec::new();
        let system = self.loaded.system;
        for (kind, name, there) in [
            (PropertyKind::Assertion, "assertions", !system.assertions(&|_| false).is_empty()),
            (PropertyKind::Deadlock, "deadlock", true),
            (PropertyKind::Invariant, "invariant", !system.invariants().is_empty()),
            (PropertyKind::Race, RACES, system.has_threads()),
        ] {
            if there && !self.selection.has_group(kind) {
                skipped.push(name.to_owned());
            }
        }
        for property in &self.loaded.temporal {
            if !self.selection.has(property) {
                skipped.push(property.name.clone());
            }
        }
        skipped.extend(self.loaded.ignored.iter().cloned());
        Scope {
            complete: self.complete(),
            reductions: self.checking.reductions.names(),
            fairness: self.checking.fairness_name(),
            bounds,
            lossy: self.outcome.loss.map(|_| stores::describe(self.checking.store)),
            loss: self.outcome.loss.map(|loss| {
                let stats = &self.outcome.stats;
                let cut = stats.frontier > 0
                    || self.outcome.left_out.is_some()
                    || self.outcome.runs.is_some()
                    || self.stop() != Stop::Completed;
                stores::estimate(self.checking, loss, (stats.states, stats.transitions), cut)
            }),
            sample: self.outcome.runs.map(|runs| Sample { runs, seed: self.checking.seed }),
            skipped,
            assumed: system.assumptions(),
        }
    }

    pub(super) fn processes(&self) -> u64 {
        let system = self.loaded.system;
        if let Some(program) = system.program_stats() {
            return program.threads;
        }
        let mut out = Successors::new();
        match system.initial(&mut system.worker(), &mut out) {
            Ok(()) => out
                .steps()
                .first()
                .map_or(0, |step| system.processes(out.target(step)).len() as u64),
            Err(_) => 0,
        }
    }
}
