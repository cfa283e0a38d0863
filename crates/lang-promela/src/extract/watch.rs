//! Runs of the machine of which the events are noted, to see whether a path of the graph is a run.
//!
//! Every event that the rules ask for has to be seen, or a run might seem to lack one: where that cannot be
//! told, there is no answer.

use std::collections::HashMap;

use everypath_flow::{Binding, Happened, Site, Watched, What};
use everypath_machine::Interpreter;
use everypath_model::{
    Choice, Describe, End, Message, MicroStep, ModelError, Rng, Simulate, Sources, Span, Taken,
    TransitionSystem, Value,
};

use super::Extracted;
use super::cells::Known;
use crate::ast::*;
use crate::parser::for_each_part;

/// Statements of a run, at most.
const MOST_STEPS: usize = 20_000;

/// A process that another one starts.
#[derive(Clone, Debug)]
pub(super) struct Birth {
    /// Who starts it, and where.
    pub by: String,
    pub span: Option<Span>,
    /// What it is called, and what is known of its arguments.
    pub name: String,
    pub arguments: Vec<Option<Argument>>,
}

/// What is known of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Number(i32),
    /// A channel by its name.
    Channel(String),
}

/// The processes of a graph and how they come to be.
#[derive(Clone, Debug, Default)]
pub(super) struct Births {
    /// Those that run from the beginning, in order.
    pub first: Vec<String>,
    pub started: Vec<Birth>,
}

impl super::Extraction<'_> {
    /// How the processes come to be.
    pub(super) fn births(&self) -> Births {
        let running = self.instances.iter().filter(|instance| instance.runs);
        let mut births =
            Births { first: running.map(|one| one.name.clone()).collect(), started: Vec::new() };
        for (parent, made) in self.instances.iter().zip(&self.made) {
            for &(node, started) in &made.starts {
                let child = &self.instances[started];
                let known = |argument: &Option<Known>| match argument.as_ref()? {
                    Known::Int(number) => Some(Argument::Number(*number)),
                    Known::Chan(channel) => {
                        Some(Argument::Channel(self.channels.name(*channel).to_owned()))
                    }
                };
                births.started.push(Birth {
                    by: parent.name.clone(),
                    span: made.nodes[node].span,
                    name: child.name.clone(),
                    arguments: child.arguments.iter().map(known).collect(),
                });
            }
        }
        births
    }
}

/// A thread, its event, and where.
type Noted = (String, String, Span);

/// Notes the events of runs.
pub struct Watcher<'a> {
    model: &'a Model,
    sources: &'a Sources,
    binding: &'a Binding,
    births: &'a Births,
    system: &'a Interpreter,
    /// The labels of each transition.
    labels: Vec<Vec<&'a str>>,
    /// Statements in which several things happen whose order is not told.
    blurred: Vec<Span>,
}

impl<'a> Watcher<'a> {
    /// `None` if events cannot be told from the statements of the machine.
    pub fn new(
        model: &'a Model,
        sources: &'a Sources,
        extracted: &'a Extracted,
        binding: &'a Binding,
        system: &'a Interpreter,
    ) -> Option<Watcher<'a>> {
        // Which values a condition was found to have is a matter of how the graph was made.
        if binding.is_about(What::Test) || !extracted.doubts.is_empty() {
            return None;
        }
        let transitions = &system.machine().transitions;
        let mut labels: Vec<Vec<&str>> = vec![Vec::new(); transitions.len()];
        let mut blurred = Vec::new();
        let mut clear = true;
        for (proctype, made) in model.proctypes.iter().zip(&system.machine().proctypes) {
            for_each_stmt(&proctype.body, false, &mut |stmt, inside| {
                if matches!(stmt.kind, StmtKind::DStep(_)) {
                    blurred.push(stmt.span);
                }
                for label in &stmt.labels {
                    let name = &proctype.labels[label.index()].name;
                    if !is_asked(binding, &proctype.name, name) {
                        continue;
                    }
                    let (_, first) = &made.labels[label.index()];
                    // What is made of several statements has its labels somewhere inside.
                    clear &= !inside && is_plain(stmt) && !first.is_empty();
                    for &transition in first {
                        labels[transition as usize].push(name);
                    }
                }
            });
        }
        if !clear {
            return None;
        }
        let births = &extracted.births;
        Some(Watcher { model, sources, binding, births, system, labels, blurred })
    }

    /// Runs the model once, processes in the order of the events that are wanted where that is possible, and by
    /// chance otherwise. `None` if not all events of the run can be told.
    pub fn run(
        &self,
        wanted: &[(String, String)],
        seed: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Watched>, ModelError> {
        let mut chance = Rng::new(seed);
        let beginnings = self.system.beginnings()?;
        if beginnings.is_empty() {
            return Ok(None);
        }
        let mut moment = chance.pick(&beginnings).clone();
        let mut run = Watched { initial: moment.state.clone(), ..Watched::default() };
        let mut names = self.births.first.clone();
        let mut next = 0;
        while run.actions.len() < MOST_STEPS && !stop() {
            let mut choices = self.system.choices(&moment)?;
            choices.retain(|choice| !choice.fatal);
            if choices.is_empty() {
                let mut worker = self.system.worker();
                run.ended = moment.holder.is_none()
                    && self.system.end(&mut worker, &moment.state) == End::Valid;
                break;
            }
            let choice =
                self.choose(&choices, wanted.get(next..).unwrap_or(&[]), &names, seed, &mut chance);
            let taken = self.system.take(&moment, choice)?;
            let Some(starts) = self.started(&mut names, &taken) else { return Ok(None) };
            let Some(events) = self.events(&taken, starts, &names) else { return Ok(None) };
            run.actions.extend_from_slice(&choice.actions);
            for (thread, event, span) in events {
                if wanted.get(next).is_some_and(|(_, wanted)| *wanted == event) {
                    next += 1;
                }
                let steps = run.actions.len();
                run.events.push(Happened { thread, event, span: Some(span), steps });
            }
            let Some(after) = taken.next else { break };
            names.truncate(self.system.processes(&after.state).len());
            moment = after;
        }
        Ok(Some(run))
    }

    fn choose<'c>(
        &self,
        choices: &'c [Choice],
        wanted: &[(String, String)],
        names: &[String],
        seed: u64,
        chance: &mut Rng,
    ) -> &'c Choice {
        let moves = |choice: &Choice, threads: &str| {
            choice.actions.iter().any(|action| {
                let name = names.get(action.process as usize);
                name.is_some_and(|name| threads.split('+').any(|one| one == name))
            })
        };
        let is_next =
            |choice: &&Choice| wanted.first().is_some_and(|(threads, _)| moves(choice, threads));
        let mut preferred: Vec<&Choice> = choices.iter().filter(is_next).collect();
        // As long as the process whose turn it is cannot move, those that come later do not, if others can.
        if preferred.is_empty() {
            let waits = |choice: &&Choice| wanted.iter().any(|(threads, _)| moves(choice, threads));
            preferred = choices.iter().filter(|choice| !waits(choice)).collect();
        }
        // Now and then somebody else comes first.
        if !preferred.is_empty() && (seed == 0 || !chance.chance(12)) {
            return chance.pick::<&Choice>(&preferred);
        }
        chance.pick(choices)
    }

    /// Names the processes that were started, and gives the events of that. `None` if it cannot be told who one is.
    fn started(&self, names: &mut Vec<String>, taken: &Taken) -> Option<Vec<Noted>> {
        let mut events = Vec::new();
        let Some(after) = &taken.next else { return Some(events) };
        let alive = self.system.processes(&after.state);
        if names.len() >= alive.len() {
            return Some(events);
        }
        let values: HashMap<String, Value> = self.system.values(&after.state).into_iter().collect();
        let [step] = &taken.steps[..] else { return None };
        let parent = names.get(step.action.process as usize)?.clone();
        while names.len() < alive.len() {
            let called = &alive[names.len()];
            let plain = called.split('[').next().unwrap_or(called);
            let proctype = self.model.proctypes.iter().find(|one| one.name == plain)?;
            let fits = |birth: &&Birth| {
                birth.by == parent
                    && birth.span == Some(step.info.span)
                    && birth.arguments.len() == proctype.params.len()
                    && proctype.params.iter().zip(&birth.arguments).all(|(param, argument)| {
                        let name = &self.model.vars[param.index()].name;
                        let value = values.get(&format!("{called}.{name}"));
                        let known = argument.as_ref().zip(value);
                        known.is_none_or(|(argument, value)| self.is_argument(argument, value))
                    })
            };
            let mut found = self.births.started.iter().filter(fits).map(|birth| &birth.name);
            let name = found.next()?;
            if found.any(|other| other != name) {
                return None;
            }
            let of = self.of(What::Start, &[name, plain], None, &parent);
            events.extend(of.into_iter().map(|event| (parent.clone(), event, step.info.span)));
            names.push(name.clone());
        }
        Some(events)
    }

    /// Whether a value of a parameter may be an argument; what is not understood may be.
    fn is_argument(&self, argument: &Argument, value: &Value) -> bool {
        match (argument, value) {
            (Argument::Number(number), Value::Int(value)) => i64::from(*number) == *value,
            (Argument::Number(number), Value::Bool(value)) => (*number != 0) == *value,
            (Argument::Channel(name), Value::Name(value)) => {
                let number = value.strip_prefix("chan ").and_then(|n| n.parse::<usize>().ok());
                let channels = &self.system.machine().global_channels;
                let known = number.and_then(|number| channels.get(number.checked_sub(1)?));
                known.is_none_or(|channel| dotted(&channel.name) == *name)
            }
            _ => true,
        }
    }

    fn of(&self, what: What, names: &[&str], value: Option<&str>, thread: &str) -> Vec<String> {
        self.binding.events(&Site { what, names, object: Some(thread), value, thread })
    }

    /// The events of a step. `None` if their order is not known.
    fn events(&self, taken: &Taken, starts: Vec<Noted>, names: &[String]) -> Option<Vec<Noted>> {
        let mut events: Vec<Noted> = Vec::new();
        for step in &taken.steps {
            let span = step.info.span;
            if self.blurred.contains(&span) || !step.earlier.is_empty() {
                return None;
            }
            let thread = names.get(step.action.process as usize)?;
            let transition = step.action.transition as usize;
            let proctype = self.system.machine().transitions[transition].proctype;
            let proctype = &self.model.proctypes.get(usize::from(proctype))?.name;
            let mut found = Vec::new();
            for label in &self.labels[transition] {
                let full = format!("{proctype}.{label}");
                found.extend(self.of(What::Call, &[&full, label], None, thread));
            }
            if self.binding.is_about(What::At) {
                found.extend(self.line(span, thread));
            }
            events.extend(found.into_iter().map(|event| (thread.clone(), event, span)));
        }
        events.extend(starts);
        self.messages(taken, names, &mut events)?;
        for step in &taken.steps {
            let thread = names.get(step.action.process as usize)?;
            for (name, _, new) in &step.writes {
                let own = name.strip_prefix(&step.process).and_then(|rest| rest.strip_prefix('.'));
                let (full, plain) = match own {
                    Some(own) => (format!("{thread}.{}", dotted(own)), own),
                    None => (dotted(name), name.as_str()),
                };
                let plain = plain.split(['[', '.']).next().unwrap_or(plain);
                let value = new.to_string();
                for event in self.of(What::Assign, &[&full, plain], Some(&value), thread) {
                    events.push((thread.clone(), event, step.info.span));
                }
            }
        }
        Some(events)
    }

    fn line(&self, span: Span, thread: &str) -> Vec<String> {
        let names = super::emit::line_names(self.sources, span);
        self.of(What::At, &[&names[0], &names[1]], None, thread)
    }

    /// The events of messages: those of a meeting are of both who meet.
    fn messages(&self, taken: &Taken, names: &[String], events: &mut Vec<Noted>) -> Option<()> {
        let mut told: Vec<String> = Vec::new();
        let mut push = |thread: &str, found: Vec<String>, step: &MicroStep, once: bool| {
            for event in found {
                if !once || !told.contains(&event) {
                    told.push(event.clone());
                    events.push((thread.to_owned(), event, step.info.span));
                }
            }
        };
        let of = |thread: &str, message: &Message| -> Vec<String> {
            let what = if message.send { What::Send } else { What::Receive };
            let (channel, element) = match message.channel.split_once('.') {
                // The process that has it is called otherwise in the graph.
                Some((_, own)) => (dotted(own), own.contains('[')),
                None => (dotted(&message.channel), message.channel.contains('[')),
            };
            let plain = channel.split('.').next().unwrap_or(&channel).to_owned();
            let mut known = vec![channel.clone(), plain.clone()];
            if let Some(first) = message.fields.first() {
                known.push(format!("{channel}.{first}"));
                if !element {
                    known.push(format!("{plain}.{first}"));
                }
            }
            super::channels::named(self.binding, what, &known, thread)
        };
        let moved: Vec<(&MicroStep, &Message)> =
            taken.steps.iter().filter_map(|step| Some((step, step.message.as_ref()?))).collect();
        for (step, message) in &moved {
            let thread = names.get(step.action.process as usize)?;
            let all = of(super::channels::NOBODY, message);
            push(thread, all, step, message.rendezvous);
        }
        for (step, message) in &moved {
            let thread = names.get(step.action.process as usize)?;
            let all = of(super::channels::NOBODY, message);
            let own = of(thread, message).into_iter().filter(|event| !all.contains(event));
            push(thread, own.collect(), step, false);
        }
        Some(())
    }
}

/// `a[1].b` as the graph has it: `a.1.b`.
fn dotted(name: &str) -> String {
    name.replace('[', ".").replace(']', "")
}

/// Whether a label may be an event.
fn is_asked(binding: &Binding, proctype: &str, label: &str) -> bool {
    let full = format!("{proctype}.{label}");
    let ends = |call: &String| *call == label || call.ends_with(&format!(".{label}"));
    binding.calls.iter().any(ends)
        || binding
            .rules
            .iter()
            .any(|rule| rule.what == What::Call && rule.names_one_of(&[&full, label]))
}

/// Whether a label in front of a statement is passed by what is executed first of it.
fn is_plain(stmt: &Stmt) -> bool {
    let made =
        matches!(stmt.kind, StmtKind::For { .. } | StmtKind::Select { .. } | StmtKind::DStep(_));
    !made && !matches!(stmt.kind, StmtKind::Goto(_) | StmtKind::Break)
}

/// Visits all statements, each with whether it is inside of a d_step.
fn for_each_stmt(body: &[Stmt], inside: bool, visit: &mut dyn FnMut(&Stmt, bool)) {
    for stmt in body {
        visit(stmt, inside);
        let inside = inside || matches!(stmt.kind, StmtKind::DStep(_));
        for_each_part(&stmt.kind, &mut |part| for_each_stmt(part, inside, visit));
    }
}
