//! What people see of a walk.

use std::fmt::Write;

use everypath_model::{
    Action, ActionInfo, Blocked, Choice, MicroStep, Simulate, Sources, Threading, Value,
};
use everypath_render::style::{Paint, Style, columns, pad};
use everypath_verdict::Place;

use crate::run::{Halted, Problem};
use crate::walker::Walker;

/// Columns for a statement before what it changes.
const STATEMENT: usize = 30;

/// Named values.
pub type Named = Vec<(String, Value)>;

/// Where and how things are shown.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The layout.
    pub style: &'a Style,
    /// The files of the model.
    pub sources: &'a Sources,
}

impl View<'_> {
    /// What moves, one and several: the processes of a model, the threads of a program.
    pub fn movers(&self) -> (&'static str, &'static str) {
        let of_java = |path: &std::path::Path| {
            path.extension().is_some_and(|ending| ending == "java" || ending == "class")
        };
        match self.sources.iter().any(|(_, file)| of_java(&file.path)) {
            true => ("thread", "threads"),
            false => ("process", "processes"),
        }
    }

    /// The line of a statement, with the name of the file if it is not the main one, and its text.
    pub fn statement(&self, info: &ActionInfo) -> String {
        let (line, _) = self.sources.start(info.span);
        let text = self.style.brief(&info.text).into_owned();
        if Place::of(self.sources, info.span).is_nowhere() {
            return text;
        }
        if info.span.file.0 == 0 {
            return format!("{line}: {text}");
        }
        let path = &self.sources.file(info.span.file).path;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        format!("{}:{line}: {text}", self.style.clean(&name))
    }

    /// `  3  Inc[1]  20: n = tmp + 1    n: 0 -> 1`
    pub fn step(
        &self,
        number: u64,
        lane: usize,
        step: &MicroStep,
        before: &Named,
        after: &Named,
    ) -> String {
        let process = pad(&self.style.brief(&step.process), lane);
        let statement = self.statement(&step.info);
        let effect = effect(step, before, after).join("; ");
        let mut line = format!("{number:>4}  {process}  ");
        if effect.is_empty() {
            line += &statement;
        } else {
            line += &pad(&statement, STATEMENT);
            line += "  ";
            line += &self.style.clean(&effect);
        }
        self.style.clip(&line, self.style.width)
    }

    /// What the model prints, line by line behind a bar.
    pub fn output(&self, output: &str) -> String {
        let bar = self.style.paint(Paint::Faint, "      |");
        output.lines().map(|line| format!("{bar} {}\n", self.style.brief(line))).collect()
    }

    /// The choices with their numbers; the one that the line takes next has a mark.
    pub fn choices<S: Simulate>(&self, walker: &Walker<'_, S>) -> String {
        let system = walker.system();
        let half = |action: &Action| {
            let process = system.process_of(walker.state(), *action);
            (
                self.style.brief(&process).into_owned(),
                self.statement(&system.action(action.transition)),
            )
        };
        let lane = |choice: &Choice| choice.actions.first().map_or(0, |a| columns(&half(a).0));
        let lane = walker.choices().iter().map(lane).max().unwrap_or(0);
        let mut out = String::new();
        for (index, choice) in walker.choices().iter().enumerate() {
            let halves: Vec<(String, String)> = choice.actions.iter().map(half).collect();
            let mark = if walker.ahead() == Some(index) { "*" } else { " " };
            let mut line = format!("{mark}{:>3}) ", index + 1);
            for (index, (process, statement)) in halves.iter().enumerate() {
                let process =
                    if index == 0 { pad(process, lane) } else { format!(", with {process}") };
                let _ = write!(line, "{process}  {statement}");
            }
            for fault in &choice.faults {
                let _ = write!(line, "   {}", self.style.clean(&system.fault(*fault).message));
            }
            let line = self.style.clip(&line, self.style.width);
            out += line.trim_end();
            out.push('\n');
        }
        out
    }

    /// Who waits for what.
    pub fn blocked(&self, blocked: &[Blocked]) -> String {
        let lane = blocked.iter().map(|one| columns(&self.style.brief(&one.process))).max();
        let mut out = String::new();
        for one in blocked {
            let process = pad(&self.style.brief(&one.process), lane.unwrap_or(0));
            let at: Vec<String> = one.at.iter().map(|at| self.statement(at)).collect();
            let mut line = format!("  {process}  ");
            match at.is_empty() {
                true => line += &self.style.clean(&one.why),
                false => {
                    line += &at.join(" | ");
                    if !one.why.is_empty() {
                        let _ = write!(line, "   {}", self.style.clean(&one.why));
                    }
                }
            }
            if one.valid_end {
                line += "   (may rest here)";
            }
            out += self.style.clip(&line, self.style.width).trim_end();
            out.push('\n');
        }
        out
    }

    /// Why a walk came to a halt, in one line or with who is blocked.
    pub fn halted(&self, halted: &Halted, step: u64) -> String {
        match halted {
            Halted::Steps => format!("stopped after {}\n", steps(step)),
            Halted::Goal => format!("reached after {}\n", steps(step)),
            Halted::Interrupted => format!("interrupted after {}\n", steps(step)),
            Halted::End => {
                let mover = self.movers().0;
                format!("the run ends after {}: every {mover} may rest\n", steps(step))
            }
            Halted::Deadlock(blocked) => {
                let head = self.style.paint(Paint::Bad, "deadlock");
                format!(
                    "{head} after {}: no {} can move\n{}",
                    steps(step),
                    self.movers().0,
                    self.blocked(blocked)
                )
            }
            Halted::Fault(problem) => self.problem(problem, step),
        }
    }

    /// What went wrong.
    pub fn problem(&self, problem: &Problem, step: u64) -> String {
        let head = self.style.paint(Paint::Bad, &format!("error[{}]", problem.code));
        // A message speaks of what can happen; here it did.
        let message = problem.message.replacen("can fail", "failed", 1).replacen(
            "can be false",
            "is false",
            1,
        );
        format!("{head} at step {step}: {}\n", self.style.brief(&message))
    }
}

/// `1 step`, `12 steps`
pub fn steps(count: u64) -> String {
    format!("{count} step{}", if count == 1 { "" } else { "s" })
}

/// What a step changed, the message it moved.
fn effect(step: &MicroStep, before: &Named, after: &Named) -> Vec<String> {
    let own = format!("{}.", step.process);
    let short = |name: &str| name.strip_prefix(&own).unwrap_or(name).to_owned();
    let mut parts = changes(before, after, short);
    if let Some(message) = step.message.as_ref().filter(|m| m.rendezvous || parts.is_empty()) {
        let fields: Vec<String> = message.fields.iter().map(Value::to_string).collect();
        parts.insert(0, format!("{}: {}", message.channel, fields.join(", ")));
    }
    let Threading { takes, releases, deeds, .. } = &step.threading;
    parts.extend(takes.iter().map(|lock| format!("takes {lock}")));
    parts.extend(releases.iter().map(|lock| format!("releases {lock}")));
    parts.extend(deeds.iter().filter(|deed| !deed.starts_with("in ")).cloned());
    if parts.is_empty() {
        parts.extend(step.threading.stack.last().and(reads(step)));
    }
    parts
}

/// What a step read, for languages in which that cannot be seen in the statement.
fn reads(step: &MicroStep) -> Option<String> {
    let list: Vec<String> = step.reads.iter().map(|(name, v)| format!("{name} = {v}")).collect();
    (!list.is_empty()).then(|| format!("reads {}", list.join(", ")))
}

/// What differs between two states; the variables of processes that went are not listed.
pub fn changes(before: &Named, after: &Named, short: impl Fn(&str) -> String) -> Vec<String> {
    let mut parts = Vec::new();
    for (index, (name, value)) in after.iter().enumerate() {
        // The order is fixed, so that most names stand where they stood.
        let old = match before.get(index) {
            Some((known, old)) if known == name => Some(old),
            _ => before.iter().find(|(known, _)| known == name).map(|(_, old)| old),
        };
        match old {
            Some(old) if old == value => {}
            Some(old) => parts.push(format!("{}: {old} -> {value}", short(name))),
            None => parts.push(format!("{} = {value}", short(name))),
        }
    }
    parts
}
