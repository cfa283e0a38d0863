//! Walks by chance, for scripts.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use everypath_model::{MicroStep, Simulate, Taken};
use everypath_render::style::{Paint, columns};
use everypath_verdict::{EvalError, Exit, Watch};

use crate::run::{Bounds, Goal, Halted, RunError, run};
use crate::show::{Named, View, steps};
use crate::walker::Walker;

/// What is printed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// What the model prints, and nothing else.
    Output,
    /// Every step.
    Steps,
    /// Nothing.
    Nothing,
}

/// What is to be done.
pub struct Plan<'a> {
    /// Steps at most.
    pub steps: u64,
    /// Where it stops before.
    pub goal: Option<Goal>,
    /// What is printed whenever it changes.
    pub watches: Vec<Watch>,
    /// What is printed.
    pub shown: Shown,
    /// Whether the output of the model goes to a terminal.
    pub terminal: bool,
    /// Set to stop.
    pub interrupt: &'a AtomicBool,
}

/// Walks, and tells on the way.
pub fn walk<S: Simulate>(
    walker: &mut Walker<'_, S>,
    plan: &Plan<'_>,
    view: &View<'_>,
    out: &mut dyn Write,
) -> Result<Halted, RunError> {
    let mut out = std::io::BufWriter::new(out);
    let mut watched = Watched::new(&plan.watches);
    let mut lane = 0;
    let mut before = Named::new();
    if plan.shown == Shown::Steps || !plan.watches.is_empty() {
        let names = walker.system().processes(walker.state());
        lane = names.iter().map(|name| columns(name)).max().unwrap_or(0);
        before = walker.system().values(walker.state());
        let _ = out.write_all(watched.changes(0, &before).as_bytes());
    }
    let mut closed = false;
    let mut saw = |walker: &Walker<'_, S>, taken: &Taken| {
        let mut text = String::new();
        let first = walker.step() + 1 - taken.steps.len() as u64;
        for (number, step) in (first..).zip(&taken.steps) {
            if plan.shown == Shown::Output {
                model_output(&mut text, view, plan.terminal, step);
            }
            if plan.shown == Shown::Steps || !plan.watches.is_empty() {
                let after = walker.system().values(&step.state);
                if plan.shown == Shown::Steps {
                    lane = lane.max(columns(&step.process));
                    text += view.step(number, lane, step, &before, &after).trim_end();
                    text.push('\n');
                    text += &view.output(&step.output);
                }
                text += &watched.changes(number, &after);
                before = after;
            }
        }
        closed |= out.write_all(text.as_bytes()).is_err();
    };
    let bounds = Bounds {
        steps: plan.steps,
        goal: plan.goal.as_ref(),
        sources: view.sources,
        interrupt: plan.interrupt,
    };
    let halted = run(walker, &bounds, &mut saw);
    // A reader that went away is no reason to change the answer.
    let _ = out.flush();
    drop(out);
    if let (Ok(_), Some((watch, error))) = (&halted, watched.never()) {
        return Err(RunError::Expression(format!("watch {}", watch.text()), error.clone()));
    }
    halted
}

fn model_output(text: &mut String, view: &View<'_>, terminal: bool, step: &MicroStep) {
    for c in step.output.chars() {
        match c == '\n' || (c == '\t' && !terminal) {
            true => text.push(c),
            false => view.style.clean_char(c, text),
        }
    }
}

/// The last value of each watched expression.
struct Watched<'a> {
    all: Vec<(&'a Watch, Option<String>, Option<EvalError>)>,
}

impl<'a> Watched<'a> {
    fn new(watches: &'a [Watch]) -> Watched<'a> {
        Watched { all: watches.iter().map(|watch| (watch, None, None)).collect() }
    }

    /// A line for each value that is not what it was.
    fn changes(&mut self, step: u64, values: &Named) -> String {
        let mut text = String::new();
        for (watch, last, error) in &mut self.all {
            let now = match watch.value(&values[..]) {
                Ok(value) => value.to_string(),
                Err(why) => {
                    error.get_or_insert(why);
                    continue;
                }
            };
            if last.as_ref() != Some(&now) {
                text += &format!("{step:>4}  {} = {now}\n", watch.text());
                *last = Some(now);
            }
        }
        text
    }

    /// An expression that had no value at all.
    fn never(&self) -> Option<(&'a Watch, &EvalError)> {
        let none = self.all.iter().find(|(_, last, _)| last.is_none());
        none.and_then(|(watch, _, error)| Some((*watch, error.as_ref()?)))
    }
}

/// What many walks found.
#[derive(Default)]
pub struct Tally {
    /// What a walk came to, how often, the seed and the length of the first that did.
    kinds: Vec<(String, u64, u64, u64, bool)>,
    runs: u64,
}

impl Tally {
    /// Counts a walk.
    pub fn add(&mut self, halted: &Halted, seed: u64, length: u64) {
        let what = match halted {
            Halted::Steps => "stopped by --steps".to_owned(),
            Halted::Goal => "reached the goal".to_owned(),
            Halted::Interrupted => "interrupted".to_owned(),
            Halted::End => "ended".to_owned(),
            Halted::Deadlock(_) => "deadlock".to_owned(),
            Halted::Fault(problem) => match problem.message.split_once(", but ") {
                Some((what, _)) => what.to_owned(),
                None => problem.message.clone(),
            },
        };
        self.runs += 1;
        match self.kinds.iter_mut().find(|(known, ..)| *known == what) {
            Some((_, count, ..)) => *count += 1,
            None => self.kinds.push((what, 1, seed, length, halted.is_violation())),
        }
    }

    /// `3 of 100 runs went wrong`, and what each kind of run was.
    pub fn text(&self, view: &View<'_>) -> String {
        let wrong: u64 = self.kinds.iter().filter(|kind| kind.4).map(|kind| kind.1).sum();
        let runs = format!("{} run{}", self.runs, if self.runs == 1 { "" } else { "s" });
        let mut text = match wrong {
            0 => format!("nothing went wrong in {runs}; that is no proof\n"),
            _ => format!("{} in {wrong} of {runs}\n", view.style.paint(Paint::Bad, "violated")),
        };
        let mut kinds: Vec<_> = self.kinds.iter().collect();
        kinds.sort_by_key(|kind| (!kind.4, std::cmp::Reverse(kind.1)));
        for (what, count, seed, length, _) in kinds {
            let what = view.style.brief(what);
            text += &format!("{count:>6}  {what}   (first: --seed {seed}, {})\n", steps(*length));
        }
        text
    }

    /// The exit code that the walks deserve.
    pub fn exit(&self) -> Exit {
        if self.kinds.iter().any(|kind| kind.4) { Exit::Violation } else { Exit::Ok }
    }
}
