//! A bounded search for statements that no run executes.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use everypath_engine_explicit::{AfterViolation, Limits, Options, Stopped, search};
use everypath_lang_promela::lint;
use everypath_model::{Diagnostic, Severity, Span};
use serde::Serialize;

use everypath_render::units::count;

use crate::choices::ExecArg;
use crate::load::Opened;
use crate::promela::executed;
use crate::reading::Reading;
use crate::subject::Subject;

/// However few states: a model may take long for each.
const MOST_TIME: Duration = Duration::from_secs(20);
/// However few states: a state may be large.
const MOST_MEMORY: u64 = 1 << 30;

/// How far a search came.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Explored {
    /// Whether every reachable state was looked at.
    pub complete: bool,
    /// How many states were looked at.
    pub states: u64,
    #[serde(skip)]
    why: String,
}

impl Explored {
    /// Why it is not complete.
    pub fn why_incomplete(&self) -> Option<&str> {
        (!self.complete).then_some(self.why.as_str())
    }

    fn not_started(why: &str) -> Explored {
        Explored { complete: false, states: 0, why: why.to_owned() }
    }
}

/// The statements of a model that no run executes, unless a finding tells about them already.
pub fn unreached(
    opened: &mut Opened,
    reading: &Reading,
    states: u64,
    known: &[Diagnostic],
) -> (Explored, Vec<Diagnostic>) {
    let said = opened.diagnostics.len();
    let system = opened.lower(reading, &[]);
    let unsupported = opened.diagnostics.split_off(said);
    let Some(system) = system else {
        let why = match unsupported.first() {
            Some(first) => format!("the model cannot be searched: {}", first.message),
            None => "the model cannot be searched".to_owned(),
        };
        return (Explored::not_started(&why), Vec::new());
    };
    let deadline = Instant::now() + MOST_TIME;
    let expired = || Instant::now() >= deadline;
    let options = Options {
        limits: Limits { depth: None, memory: Some(MOST_MEMORY), states: Some(states) },
        check_deadlock: false,
        check_invariants: false,
        after_violation: AfterViolation::Continue,
        max_violations: 1,
        expired: Some(&expired),
        poll_every: 64,
        ..Options::default()
    };
    let outcome = search(&executed(&system, ExecArg::Jit), &options, &mut ());
    let explored = Explored {
        complete: outcome.complete(),
        states: outcome.stats.states,
        why: match outcome.stopped {
            Stopped::StateLimit => {
                format!("the model has more than {} states (--explore)", count(states))
            }
            Stopped::Time => "the search took too long".to_owned(),
            Stopped::MemoryLimit => "the search took too much memory".to_owned(),
            _ => "the search left something out".to_owned(),
        },
    };
    if !explored.complete {
        return (explored, Vec::new());
    }
    let taken = |transition: u32| outcome.coverage.contains(transition);
    let assertions: BTreeSet<Span> =
        system.assertions(&taken).into_iter().filter(|&(_, done)| !done).map(|(s, _)| s).collect();
    let missing: BTreeSet<(Span, String)> =
        system.unreached(&taken).into_iter().map(|one| (one.span, one.text)).collect();
    // A loop is several actions at one place: it counts as executed if one of them is.
    let executed: BTreeSet<Span> = system
        .unreached(&|_| false)
        .into_iter()
        .map(|one| (one.span, one.text))
        .filter(|one| !missing.contains(one))
        .map(|(span, _)| span)
        .collect();
    let spans: BTreeSet<Span> =
        missing.iter().map(|one| one.0).filter(|span| !executed.contains(span)).collect();
    let known: Vec<Span> = known.iter().filter_map(|d| silencing(d, opened)).collect();
    let mut findings = Vec::new();
    let mut previous: Option<Span> = None;
    for &span in &spans {
        // One finding for statements in a row: those behind the first follow from it.
        let follows = previous.is_some_and(|previous| {
            previous.file == span.file && executed.range(previous..span).next().is_none()
        });
        previous = Some(span);
        if known.iter().any(|k| k.file == span.file && k.start <= span.start && span.end <= k.end) {
            continue;
        }
        if assertions.contains(&span) {
            findings.push(finding("vacuity", span, "no run executes this assertion"));
        } else if !follows {
            findings.push(finding("unreached", span, "no run executes this statement"));
        }
    }
    (explored, findings)
}

/// The part of the text that a finding says enough about.
fn silencing(known: &Diagnostic, opened: &Opened) -> Option<Span> {
    let span = known.primary.as_ref()?.span;
    let name = lint::find(known.code)?.name;
    match name {
        "never-run" => {
            let model = opened.model.as_ref()?;
            let proctype = model.proctypes.iter().find(|p| p.span == span)?;
            Some(span.to(proctype.end))
        }
        "unreachable-code" | "unmatched-receive" => Some(span),
        _ => None,
    }
}

fn finding(name: &str, span: Span, message: &str) -> Diagnostic {
    let code = lint::find(name).map_or("", |lint| lint.code);
    Diagnostic::new(Severity::Warning, code, span, message)
}
