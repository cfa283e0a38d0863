//! Whether a violating path is a run: the program is executed, threads in the order of the path.

use std::fmt::Write;
use std::time::Duration;

use everypath_engine_dataflow::execute::violating_run;
use everypath_engine_dataflow::{Answer, Graph, Kind, Model};
use everypath_flow::Watched;
use everypath_lang_promela::Watcher;
use everypath_model::{Describe, ModelError, Sources, Span};
use everypath_property::events::{EventProperty, Fsa};
use everypath_verdict::{Claim, Context, Evidence, Trace, replay};

use super::limits::Limits;
use super::load::{Java, Promela, Runner, Subject};
use super::{FlowArgs, RunsArg};
use crate::render::style::pad;

/// States of a flow graph that are looked at for each run that may be tried.
const STATES: usize = 1_000;
/// How long runs are tried.
const PATIENCE: Duration = Duration::from_secs(20);

/// A run that violates the property.
pub struct Confirmed {
    /// Its events, each with its thread and place.
    events: Vec<(String, String, Option<Span>)>,
    /// The run step by step, if the program can be replayed.
    pub trace: Option<Trace>,
}

impl Confirmed {
    /// The events, one a line.
    pub fn lines(&self, sources: &Sources, out: &mut String) {
        for (thread, event, span) in &self.events {
            let line = span.map(|span| format!("{}: ", sources.start(span).0));
            let text = format!("{}{event}", line.unwrap_or_default());
            let _ = writeln!(out, "    {} {text}", pad(thread, 10));
        }
    }
}

/// Looks for a run that does what the path does.
pub fn confirm(
    args: &FlowArgs,
    subject: &Subject,
    limits: &Limits,
    graph: &Graph,
    model: &Model,
    answer: &Answer,
    property: &EventProperty,
) -> Option<Confirmed> {
    if args.confirm == 0 {
        return None;
    }
    let required = property.required();
    let stop = limits.stop_after(Some(PATIENCE));
    let path = wanted(model, answer);
    match &subject.runner {
        Runner::Java(java) => {
            let Java { opened, extracted, binding } = &**java;
            let system: &everypath_lang_java::Program = opened;
            try_runs(args, subject, &required, system, &*stop, &mut |seed| {
                opened.watch(extracted, binding, &path, seed, &stop)
            })
        }
        Runner::Promela(promela) => {
            let Promela { model, extracted, binding, system } = &**promela;
            let watcher = Watcher::new(model, &subject.sources, extracted, binding, system)?;
            try_runs(args, subject, &required, system, &*stop, &mut |seed| {
                watcher.run(&path, seed, &*stop)
            })
        }
        Runner::Graph => in_graph(args, graph, &required, &*stop),
        Runner::Nobody => None,
    }
}

/// A hand-written graph is the program: its runs are looked at one by one.
fn in_graph(
    args: &FlowArgs,
    graph: &Graph,
    required: &Fsa,
    stop: &dyn Fn() -> bool,
) -> Option<Confirmed> {
    let most = STATES * usize::try_from(args.confirm).unwrap_or(usize::MAX).min(10_000);
    let run = violating_run(graph, required, args.runs.runs(), most, stop)?;
    let mut events = Vec::new();
    for node in run {
        let of = &graph.nodes[node as usize];
        if let Kind::Event(event) | Kind::Meet(event) = of.kind {
            let threads: Vec<&str> = graph
                .threads_of(node)
                .map(|thread| graph.threads[thread as usize].name.as_str())
                .collect();
            let event = graph.events[event as usize].clone();
            if required.events.contains(&event) {
                events.push((threads.join("+"), event, of.span));
            }
        }
    }
    Some(Confirmed { events, trace: None })
}

/// How many events of a run it takes to violate the property, if the run does.
fn violates(required: &Fsa, runs: RunsArg, run: &Watched) -> Option<usize> {
    let mut state = required.start;
    for (index, one) in run.events.iter().enumerate() {
        state = required.step(state, &one.event);
        if runs == RunsArg::All && required.is_trap(state) {
            return Some(index + 1);
        }
    }
    (run.ended && !required.accepting[state]).then_some(run.events.len())
}

/// The events of a path, each with its thread.
fn wanted(model: &Model, answer: &Answer) -> Vec<(String, String)> {
    let events = answer.propagated.path.iter().filter_map(|visit| {
        let node = answer.tfg.node(visit.node)?;
        let (Kind::Event(event) | Kind::Meet(event)) = model.graph.nodes[node as usize].kind else {
            return None;
        };
        let threads = model.graph.threads_of(node);
        let threads: Vec<&str> =
            threads.map(|thread| model.graph.threads[thread as usize].name.as_str()).collect();
        Some((threads.join("+"), model.graph.events[event as usize].clone()))
    });
    events.collect()
}

/// Runs the program with different seeds, until a run violates the property.
fn try_runs<S: Describe>(
    args: &FlowArgs,
    subject: &Subject,
    required: &Fsa,
    system: &S,
    stop: &dyn Fn() -> bool,
    watch: &mut dyn FnMut(u64) -> Result<Option<Watched>, ModelError>,
) -> Option<Confirmed> {
    for seed in 0..args.confirm {
        if stop() {
            return None;
        }
        let Some(mut run) = watch(seed).ok()? else { continue };
        let Some(count) = violates(required, args.runs, &run) else { continue };
        if count < run.events.len() || !run.ended {
            // What comes behind does not matter.
            run.actions.truncate(run.events[count - 1].steps);
            run.events.truncate(count);
            run.ended = false;
        }
        let evidence = Evidence {
            initial: &run.initial,
            actions: &run.actions,
            claim: Claim::Events { ends: run.ended },
            moves: None,
            shortest: false,
            fewest_switches: false,
        };
        let context = Context { property: "events", lang: subject.lang, sources: &subject.sources };
        // A run that cannot be done again shows nothing.
        let Ok((trace, _)) = replay(system, &evidence, &context) else { continue };
        let asked = run.events.into_iter().filter(|one| required.events.contains(&one.event));
        let events = asked.map(|one| (one.thread, one.event, one.span)).collect();
        return Some(Confirmed { events, trace: Some(trace) });
    }
    None
}
