//! Whether a violating path is a run: the program is executed, threads in the order of the path.

use std::fmt::Write;
use std::time::{Duration, Instant};

use everypath_engine_dataflow::execute::violating_run;
use everypath_engine_dataflow::{Answer, Graph, Kind, Model};
use everypath_model::{Sources, Span};
use everypath_property::events::{EventProperty, Fsa};
use everypath_verdict::{Claim, Context, Evidence, Trace, replay};

use super::load::{Java, Subject};
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
    graph: &Graph,
    model: &Model,
    answer: &Answer,
    property: &EventProperty,
) -> Option<Confirmed> {
    if args.confirm == 0 {
        return None;
    }
    let required = property.required();
    match &subject.java {
        Some(java) => in_java(args, subject, java, model, answer, &required),
        None if subject.lang == "flow" => in_graph(args, graph, &required),
        // A run of the graph of a model is not always one of the model.
        None => None,
    }
}

/// A hand-written graph is the program: its runs are looked at one by one.
fn in_graph(args: &FlowArgs, graph: &Graph, required: &Fsa) -> Option<Confirmed> {
    let most = STATES * usize::try_from(args.confirm).unwrap_or(usize::MAX).min(10_000);
    let run = violating_run(graph, required, args.runs.runs(), most)?;
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

/// Whether a sequence of events violates the property.
fn violates(required: &Fsa, runs: RunsArg, ended: bool, events: &[&str]) -> bool {
    let mut state = required.start;
    for event in events {
        state = required.step(state, event);
        if runs == RunsArg::All && required.is_trap(state) {
            return true;
        }
    }
    ended && !required.accepting[state]
}

fn in_java(
    args: &FlowArgs,
    subject: &Subject,
    java: &Java,
    model: &Model,
    answer: &Answer,
    required: &Fsa,
) -> Option<Confirmed> {
    let wanted: Vec<(String, String)> = answer
        .propagated
        .path
        .iter()
        .filter_map(|visit| {
            let node = answer.tfg.node(visit.node)?;
            let of = &model.graph.nodes[node as usize];
            let Kind::Event(event) = of.kind else { return None };
            let thread = model.graph.threads[of.thread as usize].name.clone();
            Some((thread, model.graph.events[event as usize].clone()))
        })
        .collect();
    let start = Instant::now();
    let stop = || start.elapsed() > PATIENCE;
    for seed in 0..args.confirm {
        if stop() {
            return None;
        }
        let Java { opened, extracted, binding } = java;
        let run = opened.watch(extracted, binding, &wanted, seed, &stop).ok()?;
        let names: Vec<&str> = run.events.iter().map(|one| one.event.as_str()).collect();
        if !violates(required, args.runs, run.ended, &names) {
            continue;
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
        let program: &everypath_lang_java::Program = opened;
        // A run that cannot be done again shows nothing.
        let Ok((trace, _)) = replay(program, &evidence, &context) else { continue };
        let events = run.events.into_iter().map(|one| (one.thread, one.event, one.span)).collect();
        return Some(Confirmed { events, trace: Some(trace) });
    }
    None
}
