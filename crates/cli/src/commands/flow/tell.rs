//! What is said about an analysis: for people, and in the document of results.

use std::fmt::Write;

use everypath_engine_dataflow::tfg::Step;
use everypath_engine_dataflow::{Answer, Constraint, Graph, Model, Refined};
use everypath_model::{Sources, shown};
use everypath_property::PropertyKind;
use everypath_verdict::{ModelInfo, Place, PropertyResult, Reason, RunResult, Stop, Verdict};

use super::confirm::Confirmed;
use super::limits::Limits;
use super::load::Subject;
use super::{FlowArgs, RunsArg};
use crate::analysis::empty_result;
use crate::render::style::{Style, pad};
use crate::render::units::plural;

/// The threads, node by node, and what constraints can be about.
pub fn listing(graph: &Graph, sources: &Sources) -> String {
    let mut out = String::new();
    for (index, thread) in graph.threads.iter().enumerate() {
        let many = if thread.many { ", of which there may be several" } else { "" };
        let _ = writeln!(out, "thread {}{many}", thread.name);
        for (number, node) in graph.nodes.iter().enumerate() {
            if graph.threads_of(number as u32).all(|own| own as usize != index) {
                continue;
            }
            let line = node.span.map(|span| format!("{}: ", sources.start(span).0));
            let next: Vec<String> =
                graph.next(index as u32, number as u32).iter().map(ToString::to_string).collect();
            let _ = writeln!(
                out,
                "  {number:4}  {}{} -> {}",
                line.unwrap_or_default(),
                graph.show(number as u32),
                next.join(", ")
            );
        }
    }
    let names = |list: Vec<&String>| list.into_iter().cloned().collect::<Vec<_>>().join(", ");
    let variables = names(graph.variables.iter().map(|variable| &variable.name).collect());
    let _ = writeln!(out, "events: {}", names(graph.events.iter().collect()));
    let _ = writeln!(out, "variables: {variables}");
    let _ = writeln!(out, "locks: {}", names(graph.locks.iter().collect()));
    out
}

/// The objects of which there is one, and the threads.
pub fn objects(subject: &Subject) -> String {
    let mut out = String::new();
    for (name, class) in &subject.objects {
        let _ = writeln!(out, "{name}: {class}");
    }
    let threads: Vec<&str> =
        subject.program.threads.iter().map(|thread| thread.name.as_str()).collect();
    let _ = writeln!(out, "threads: {}", threads.join(", "));
    let variables: Vec<&str> =
        subject.program.variables.iter().map(|variable| variable.name.as_str()).collect();
    let _ = writeln!(out, "variables: {}", variables.join(", "));
    out
}

/// What there is to tell.
pub struct Told<'a> {
    pub args: &'a FlowArgs,
    pub subject: &'a Subject,
    pub limits: &'a Limits,
    pub model: &'a Model,
    pub answer: &'a Answer,
    pub constraints: &'a [Constraint],
    pub refined: Option<&'a Refined>,
    pub name: &'a str,
    pub confirmed: Option<&'a Confirmed>,
    /// Why a proof is one about nothing.
    pub vacuous: Option<String>,
}

impl Told<'_> {
    fn names(&self, constraints: &[Constraint]) -> Vec<String> {
        constraints.iter().map(|one| one.name(&self.model.assumed)).collect()
    }

    fn verdict(&self) -> Verdict {
        if self.confirmed.is_some() {
            return Verdict::Violated;
        }
        if !self.answer.conclusive() {
            let cut = self.answer.propagated.cut;
            let reason = cut.map_or(Reason::Abstraction, |cut| self.limits.reason(cut));
            return Verdict::Unknown(reason);
        }
        // What the graph does not show may be what violates it, and what was not looked at.
        let partly = !self.subject.doubts.is_empty() || self.is_open() || self.vacuous.is_some();
        if partly { Verdict::Unknown(Reason::Unsupported) } else { Verdict::Holds }
    }

    /// Whether endless runs may miss for ever what the property asks for.
    fn is_open(&self) -> bool {
        self.args.runs == RunsArg::All && self.answer.waits()
    }

    fn message(&self) -> String {
        let used = self.names(self.constraints);
        let under = match used.len() {
            0 => "without constraints".to_owned(),
            _ => format!("under {}", used.join(", ")),
        };
        match self.verdict() {
            Verdict::Holds => format!("proved {under}"),
            Verdict::Violated => "a run violates it".to_owned(),
            Verdict::Unknown(Reason::Unsupported) if !self.subject.doubts.is_empty() => format!(
                "proved {under}, but the graph does not show everything: {}",
                self.subject.doubts.join("; ")
            ),
            Verdict::Unknown(Reason::Unsupported) => match &self.vacuous {
                Some(why) => format!("nothing is shown: {why} (--runs all looks at beginnings)"),
                None => format!(
                    "no beginning of a run violates it {under}; whether what it asks for comes in endless runs was \
                     not looked at"
                ),
            },
            Verdict::Unknown(Reason::Abstraction) => match self.refined {
                Some(refined) if refined.stuck => format!(
                    "a path violates it {under}, and no constraint that is known rules it out"
                ),
                _ => format!("a path violates it {under}; it may be no run"),
            },
            Verdict::Unknown(reason) => format!("the {} was reached {under}", reason.as_str()),
            _ => String::new(),
        }
    }

    pub fn result(&self) -> RunResult {
        let mut result = empty_result(&self.subject.sources, self.subject.lang);
        let verdict = self.verdict();
        result.verdict = verdict;
        result.run.engine = "flow".to_owned();
        let cut = self.answer.propagated.cut;
        result.run.stop = cut.map_or(Stop::Completed, |cut| self.limits.stopped(cut));
        result.model = Some(ModelInfo {
            language: self.subject.language().to_owned(),
            processes: self.model.graph.threads.len() as u64,
        });
        result.scope.complete = verdict == Verdict::Holds;
        result.scope.assumed = self.names(self.constraints);
        result.scope.assumed.extend(self.subject.assumed.iter().cloned());
        if self.args.runs == RunsArg::Ending {
            result.scope.skipped.push("runs without end".to_owned());
        } else if self.answer.waits() {
            let skipped = "endless runs, of which only prefixes were looked at";
            result.scope.skipped.push(skipped.to_owned());
        }
        let id = format!("events:{}", self.name);
        let mut property = PropertyResult::new(PropertyKind::Events, id, self.name, verdict);
        property.message = Some(self.message());
        property.vacuous = self.vacuous.is_some();
        let last = self.answer.propagated.path.iter().rev().find_map(|visit| {
            let node = self.answer.tfg.node(visit.node)?;
            self.model.graph.nodes[node as usize].span
        });
        if let Some(confirmed) = self.confirmed {
            property.code = Some("EP0206".to_owned());
            property.occurrences = 1;
            property.trace = confirmed.trace.clone().map(Box::new);
        }
        property.span = last.map(|span| Place::of(&self.subject.sources, span));
        result.properties.push(property);
        result
    }

    pub fn text(&self, style: &Style, result: &RunResult, front: f64) -> String {
        let graph = &self.model.graph;
        let path = shown(&self.args.file);
        let threads = plural(graph.threads.len() as u64, "thread", "threads");
        let language = self.subject.language();
        let mut out = format!("{path}  {language}, {threads}, 1 property\n");
        let word = result.verdict.word();
        let shown = style.verdict(word, &word.to_string());
        let _ = writeln!(out, "  {shown}  {}     {}", self.name, self.message());
        if let Some(refined) = self.refined {
            for (index, round) in refined.rounds.iter().enumerate() {
                let events = match round.events.is_empty() {
                    true => "a path without events".to_owned(),
                    false => round.events.join(", "),
                };
                let added = self.names(&round.added).join(", ");
                let _ = writeln!(out, "  round {}: {events} - ruled out by {added}", index + 1);
            }
            if !refined.dropped.is_empty() {
                let dropped = self.names(&refined.dropped).join(", ");
                let _ = writeln!(out, "  not needed in the end: {dropped}");
            }
        }
        match self.confirmed {
            Some(confirmed) => {
                let _ = writeln!(out, "  run:");
                confirmed.lines(&self.subject.sources, &mut out);
            }
            None => self.path(&mut out),
        }
        let Answer { propagated, phases, .. } = self.answer;
        let _ = writeln!(
            out,
            "  graph: {} nodes, {} parallel steps, {} pairs, {} tuples",
            self.answer.nodes(),
            self.answer.parallel_steps(),
            propagated.pairs,
            propagated.tuples
        );
        let _ = writeln!(
            out,
            "  time: reading {front:.2} s, parallel {:.2} s, model {:.2} s, propagation {:.2} s",
            phases.parallel.as_secs_f64(),
            phases.model.as_secs_f64(),
            phases.propagation.as_secs_f64()
        );
        let runs = match self.args.runs {
            RunsArg::Ending => "runs that end",
            RunsArg::All if self.answer.waits() => "prefixes of all runs",
            RunsArg::All => "all runs",
        };
        let hand: Vec<String> =
            self.model.assumed.iter().map(|(name, _)| format!("{name} (not proved)")).collect();
        let assumed = match hand.len() {
            0 => "nothing assumed by hand".to_owned(),
            _ => format!("assumed by hand: {}", hand.join(", ")),
        };
        let _ = writeln!(out, "  scope: {runs}, {assumed}");
        if result.verdict == Verdict::Holds {
            for assumption in &self.subject.assumed {
                let _ = writeln!(out, "  assumed: {assumption}");
            }
        }
        out
    }

    /// The violating path.
    fn path(&self, out: &mut String) {
        let graph = &self.model.graph;
        let propagated = &self.answer.propagated;
        if propagated.path.is_empty() {
            return;
        }
        let property = &self.answer.automata[0];
        let _ = writeln!(out, "  path:");
        let mut before = property.start;
        for visit in &propagated.path {
            let state = visit.tuple[0];
            if let Some(node) = self.answer.tfg.node(visit.node) {
                let of = &graph.nodes[node as usize];
                let arrow = match visit.step {
                    Step::Local => "->",
                    Step::Parallel => "=>",
                };
                let threads: Vec<&str> = graph
                    .threads_of(node)
                    .map(|thread| graph.threads[thread as usize].name.as_str())
                    .collect();
                let line = of.span.map(|span| format!("{}: ", &self.subject.sources.start(span).0));
                let text = format!("{}{}", line.unwrap_or_default(), graph.show(node));
                let change = match state == before {
                    true => String::new(),
                    false => format!(
                        "{} -> {}",
                        property.names[usize::from(before)],
                        property.names[usize::from(state)]
                    ),
                };
                let lane = pad(&threads.join("+"), 10);
                let text = format!("    {arrow} {lane} {} {change}", pad(&text, 30));
                let _ = writeln!(out, "{}", text.trim_end());
            }
            before = state;
        }
    }
}
