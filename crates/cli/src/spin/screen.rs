//! What SPIN prints about a run.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write;

use everypath_machine::{ProcessView, Variable, View};
use everypath_model::MicroStep;

use super::machine::{Model, show};
use super::options::Walk;
use super::walk::is_end;
use crate::outlet::{Stdout, plain};

/// The output of a run.
pub struct Screen<'a> {
    model: &'a Model,
    options: &'a Walk,
    /// The state before the next step.
    view: View,
    /// Channels that a message was in, by id.
    used: BTreeSet<usize>,
    /// Processes made so far.
    created: usize,
    /// The number of the last step.
    number: u64,
    out: std::io::BufWriter<Stdout>,
    closed: bool,
}

impl<'a> Screen<'a> {
    /// The output of a run from a state.
    pub fn new(model: &'a Model, options: &'a Walk, initial: &[u32]) -> Screen<'a> {
        let view = model.system.view(initial);
        let mut screen = Screen {
            model,
            options,
            created: view.processes.len(),
            view,
            used: BTreeSet::new(),
            number: 0,
            out: std::io::BufWriter::new(Stdout),
            closed: false,
        };
        if options.columns {
            screen.column_titles();
        }
        screen
    }

    /// Whether nobody reads any more.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Hands over what was written.
    pub fn flush(&mut self) {
        self.closed |= self.out.flush().is_err();
    }

    /// Writes text.
    pub fn line(&mut self, text: &str) {
        self.closed |= self.out.write_all(plain(text).as_bytes()).is_err();
    }

    fn column_titles(&mut self) {
        let mut text = String::new();
        for (pid, process) in self.view.processes.iter().enumerate() {
            let _ = writeln!(text, "proc {pid} = {}", self.model.proctype(process.proctype));
        }
        text.push_str("q\\p");
        for pid in 0..self.view.processes.len() {
            let _ = write!(text, " {pid:3}");
        }
        self.line(&(text + "\n"));
    }

    /// The processes of the initial state.
    pub fn created_at_start(&mut self) {
        if !self.options.statements {
            return;
        }
        let mut text = String::new();
        for (pid, process) in self.view.processes.iter().enumerate() {
            let name = self.model.proctype(process.proctype);
            let _ = writeln!(text, "  0:\tproc  - (:root:) creates proc {pid:2} ({name})");
        }
        self.line(&text);
    }

    /// `  3:\tproc  0 (P:1) m.pml:4 `
    fn head(&self, number: u64, pid: u32, place: &str) -> String {
        let process = self.view.processes.get(pid as usize);
        let (name, priority) = match process {
            Some(process) => (self.model.proctype(process.proctype), process.priority),
            None => ("?", 1),
        };
        format!("{number:3}:\tproc {pid:2} ({name}:{priority}) {place}")
    }

    /// The space before what a process prints.
    fn indent(&self, pid: u32) -> String {
        if self.options.flush { String::new() } else { " ".repeat(6 + 4 * pid as usize) }
    }

    /// Shows the statements of one move. `along` a trail the end of a process is shown otherwise.
    pub fn step(&mut self, number: u64, steps: &[MicroStep], along: bool) {
        self.number = number;
        let shown = number >= self.options.skip;
        for step in steps {
            let after = self.model.system.view(&step.state);
            for (index, channel) in after.channels.iter().enumerate() {
                if !channel.messages.is_empty() {
                    self.used.insert(index + 1);
                }
            }
            self.used.retain(|&id| id <= after.channels.len());
            if is_end(self.model, step) {
                if shown && self.options.statements {
                    self.ended(number, step, along);
                }
            } else {
                self.statement(number, step, &after, shown);
            }
            self.created += after.processes.len().saturating_sub(self.view.processes.len());
            if shown && !step.faults.is_empty() {
                self.faults(step);
            }
            if shown && self.options.globals {
                self.globals(&after, false);
            }
            if shown && self.options.locals {
                self.locals(&after, step.action.process as usize, false);
            }
            self.view = after;
        }
    }

    fn ended(&mut self, number: u64, step: &MicroStep, along: bool) {
        let pid = step.action.process;
        let text = if along {
            format!("{number:3}: proc {pid} terminates\n")
        } else {
            format!("{}{}terminates\n", self.head(number, pid, ""), self.indent(pid))
        };
        self.line(&text);
    }

    fn statement(&mut self, number: u64, step: &MicroStep, after: &View, shown: bool) {
        let pid = step.action.process;
        let mut text = String::new();
        if !self.options.silent {
            for line in step.output.split_inclusive('\n') {
                text += &self.indent(pid);
                text += line;
            }
        }
        let transition = &self.model.machine().transitions[step.action.transition as usize];
        let place = self.model.place(transition.span);
        if shown && self.options.statements {
            for (new, process) in after.processes.iter().enumerate().skip(self.view.processes.len())
            {
                let name = self.model.proctype(process.proctype);
                let _ = writeln!(text, "Starting {name} with pid {new}");
                let head = self.head(number, pid, "");
                let _ = writeln!(text, "{head}creates proc {new:2} ({name})");
            }
        }
        if let Some(message) = step.message.as_ref().filter(|_| shown) {
            let ids = || self.view.channels.iter().chain(&after.channels);
            let id = ids().position(|channel| channel.name == message.channel).map_or(0, |i| i + 1);
            let name = message.channel.rsplit('.').next().unwrap_or_default();
            let fields: Vec<String> = message.fields.iter().map(show).collect();
            let fields = fields.join(",");
            let wanted = if message.send { self.options.sends } else { self.options.receives };
            if wanted && !self.options.columns {
                let (word, arrow) = match (message.send, message.rendezvous) {
                    (true, true) => ("Sent", "->"),
                    (true, false) => ("Send", "->"),
                    (false, _) => ("Recv", "<-"),
                };
                let head = self.head(number, pid, &place);
                let _ = writeln!(text, "{head} {word} {fields}\t{arrow} queue {id} ({name})");
            }
            if self.options.columns {
                let op = if message.send { '!' } else { '?' };
                let dots = ".   ".repeat(pid as usize);
                let _ = writeln!(text, "{id:3}   {dots}{name}{op}{fields}");
            }
        }
        if shown && self.options.statements {
            let own = self.model.text(step.action.transition).replace('\\', "\\\\");
            let state = transition.number;
            let head = self.head(number, pid, &place);
            let _ = writeln!(text, "{head} (state {state})\t[{own}]");
        }
        self.line(&text);
    }

    fn faults(&mut self, step: &MicroStep) {
        let mut text = String::new();
        for fault in &step.faults {
            let place = fault.span.map(|span| self.model.place(span)).unwrap_or_default();
            if fault.kind == "assertion" {
                let _ = writeln!(text, "spin: {place}, Error: assertion violated");
                let own = self.model.text(step.action.transition);
                let _ = writeln!(text, "spin: text of failed assertion: {own}");
            } else {
                let _ = writeln!(text, "spin: {place}, Error: {}", fault.message);
            }
        }
        self.line(&text);
    }

    /// The global variables that changed, or all.
    fn globals(&mut self, after: &View, all: bool) {
        let mut text = String::new();
        for (variable, before) in after.globals.iter().zip(&self.view.globals) {
            self.variable(&mut text, after, variable, Some(before), "", all);
        }
        self.line(&text);
    }

    /// The variables of a process that changed, or all, the last one first.
    fn locals(&mut self, after: &View, pid: usize, all: bool) {
        let Some(process) = after.processes.get(pid) else { return };
        let before = self.view.processes.get(pid).filter(|p| p.proctype == process.proctype);
        let mut text = String::new();
        let prefix = format!("{}({pid}):", self.model.proctype(process.proctype));
        for (index, variable) in process.variables.iter().enumerate().rev() {
            let before = before.and_then(|process: &ProcessView| process.variables.get(index));
            self.variable(&mut text, after, variable, before, &prefix, all);
        }
        self.line(&text);
    }

    fn variable(
        &self,
        text: &mut String,
        after: &View,
        variable: &Variable,
        before: Option<&Variable>,
        prefix: &str,
        all: bool,
    ) {
        let name = &variable.name;
        match variable.channel {
            Some(id) => {
                let Some(channel) = id.checked_sub(1).and_then(|id| after.channels.get(id)) else {
                    return;
                };
                if channel.buffered && (all || self.used.contains(&id)) {
                    let messages: Vec<String> = channel
                        .messages
                        .iter()
                        .map(|fields| {
                            let fields: Vec<String> = fields.iter().map(show).collect();
                            format!("[{}]", fields.join(","))
                        })
                        .collect();
                    let _ =
                        writeln!(text, "\t\tqueue {id} ({prefix}{name}): {}", messages.concat());
                }
            }
            None if all || before != Some(variable) => {
                let _ = writeln!(text, "\t\t{prefix}{name} = {}", show(&variable.value));
            }
            None => {}
        }
    }

    /// Nothing but a timeout is possible, or nothing at all.
    pub fn timeout(&mut self, number: u64) {
        if number >= self.options.skip {
            let text = format!("{}timeout\n", self.indent(0));
            self.line(&text);
        }
    }

    /// The run is longer than was asked for.
    pub fn cut(&mut self, number: u64) {
        self.line(&format!("-------------\ndepth-limit (-u{number} steps) reached\n"));
    }

    /// The trail has no more lines.
    pub fn trail_ends(&mut self, count: u64) {
        self.number = count;
        self.line(&format!("spin: trail ends after {count} steps\n"));
    }

    /// The final state.
    pub fn finish(&mut self) {
        if !self.options.no_final && !self.view.processes.is_empty() {
            if self.options.columns {
                self.line("-------------\nfinal state:\n-------------\n");
            }
            self.line(&format!("#processes: {}\n", self.view.processes.len()));
            let view = self.view.clone();
            self.globals(&view, true);
            for (pid, process) in view.processes.iter().enumerate().rev() {
                self.position(pid, process);
                if self.options.locals {
                    self.locals(&view, pid, true);
                }
            }
        }
        let s = if self.created == 1 { "" } else { "es" };
        self.line(&format!("{} process{s} created\n", self.created));
        self.flush();
    }

    /// Where a process is.
    fn position(&mut self, pid: usize, process: &ProcessView) {
        let machine = self.model.machine();
        let location = &machine.proctypes[process.proctype].locations[process.location];
        let own = location.edges.iter().find(|edge| edge.escape == 0);
        let place = own.map(|edge| machine.transitions[edge.transition as usize].span);
        let place = place.map(|span| self.model.place(span)).unwrap_or_default();
        let head = self.head(self.number, pid as u32, &place);
        let valid = if location.valid_end { " <valid end state>" } else { "" };
        self.line(&format!("{head} (state {}){valid}\n", location.number));
    }
}
