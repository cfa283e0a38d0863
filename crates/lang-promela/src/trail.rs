//! SPIN's `.trail` files: a run as numbers of processes and statements.
//!
//! A line is `depth:process:statement`. Statements are numbered through the model in the order in
//! which SPIN completes them, so a trail means something only together with its model. Lines with
//! a negative depth say how it was made: `-2` that a claim was process 0, `-4` that statements were
//! merged (only the first of each chain has a line), `-1` that the cycle of an endless run begins.

use std::fmt::{self, Write};

use everypath_machine::{Interpreter, Machine};
use everypath_model::{Action, Choice, Fault, ModelError, Moment, Simulate};

/// Lines that are read at most.
const MOST_LINES: usize = 10_000_000;

/// Statements that may be passed over at most between two lines of a trail with merged statements.
const MOST_MERGED: usize = 10_000;

/// A trail as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trail {
    /// Whether a claim was process 0 of the run.
    pub claim: bool,
    /// Whether only the first statement of each merged chain has a line.
    pub merged: bool,
    /// The steps.
    pub steps: Vec<Line>,
    /// The step with which the cycle begins, in an endless run.
    pub cycle: Option<usize>,
}

/// One step of a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Number of the line in the file, from 1.
    pub line: usize,
    /// The process, the claim included.
    pub process: u32,
    /// The statement.
    pub statement: u32,
}

/// Why a trail cannot be read or followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailError {
    /// The line, from 1; 0 if it is about the whole.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for TrailError {}

/// A trail that was followed through its model.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The state in which it begins.
    pub initial: Vec<u32>,
    /// Its statements, merged ones included.
    pub actions: Vec<Action>,
    /// How many actions there are up to each line.
    pub ends: Vec<usize>,
    /// The faults in its last step.
    pub faults: Vec<Fault>,
    /// The state in which it ends.
    pub last: Vec<u32>,
}

/// The number of a statement in trails.
pub fn number(machine: &Machine, transition: u32) -> u32 {
    let transition = &machine.transitions[transition as usize];
    machine.proctypes[usize::from(transition.proctype)].first_number + transition.number - 1
}

impl Trail {
    /// Reads the text of a trail.
    pub fn parse(text: &str) -> Result<Trail, TrailError> {
        let mut trail = Trail::default();
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            if text.trim().is_empty() {
                continue;
            }
            if index >= MOST_LINES {
                let message = format!("more than {MOST_LINES} lines");
                return Err(TrailError { line, message });
            }
            trail.line(line, text).map_err(|message| TrailError { line, message })?;
        }
        if trail.cycle == Some(trail.steps.len()) {
            trail.cycle = None;
        }
        Ok(trail)
    }

    fn line(&mut self, line: usize, text: &str) -> Result<(), String> {
        let shown: String = text.chars().take(40).collect();
        let malformed = || format!("`{shown}` is not `depth:process:statement`, three numbers");
        let parts: Vec<&str> = text.trim().split(':').collect();
        let [depth, process, statement] = parts[..] else { return Err(malformed()) };
        let number = |text: &str| text.parse::<i64>().map_err(|_| malformed());
        let (depth, process, statement) = (number(depth)?, number(process)?, number(statement)?);
        match depth {
            -1 => self.cycle = Some(self.steps.len()),
            -2 => self.claim = true,
            -4 => self.merged = true,
            // The order of a permuted search: it says nothing about the run.
            -8..=-5 => {}
            0.. => {
                let wrong = |what: &str, value: i64| format!("{value} is no number of a {what}");
                let known = u32::try_from(process).ok().filter(|&process| process <= 256);
                self.steps.push(Line {
                    line,
                    process: known.ok_or_else(|| wrong("process", process))?,
                    statement: u32::try_from(statement)
                        .map_err(|_| wrong("statement", statement))?,
                });
            }
            _ => return Err(format!("{depth} is no depth and no known mark")),
        }
        Ok(())
    }

    /// The trail of a run.
    pub fn of(machine: &Machine, actions: &[Action]) -> Trail {
        let step = |(index, action): (usize, &Action)| Line {
            line: index + 1,
            process: action.process,
            statement: number(machine, action.transition),
        };
        Trail { steps: actions.iter().enumerate().map(step).collect(), ..Trail::default() }
    }

    /// The text of the file.
    pub fn render(&self) -> String {
        let mut text = String::new();
        if self.claim {
            text.push_str("-2:0:-2\n");
        }
        if self.merged {
            text.push_str("-4:-4:-4\n");
        }
        for (index, step) in self.steps.iter().enumerate() {
            if self.cycle == Some(index) {
                text.push_str("-1:-1:-1\n");
            }
            let _ = writeln!(text, "{}:{}:{}", index + 1, step.process, step.statement);
        }
        text
    }

    /// Runs the model along the trail. The moves of a claim are passed over.
    pub fn follow(&self, system: &Interpreter) -> Result<Followed, TrailError> {
        let whole = |error: ModelError| TrailError { line: 0, message: error.to_string() };
        let at = system.beginnings().map_err(whole)?.into_iter().next();
        let at = at.ok_or_else(|| whole(ModelError("the model has no initial state".into())))?;
        let shift = u32::from(self.claim);
        let mine = |line: &&Line| line.process >= shift;
        let lines: Vec<Line> = self
            .steps
            .iter()
            .filter(mine)
            .map(|line| Line { process: line.process - shift, ..*line })
            .collect();
        let mut guide = Guide {
            system,
            followed: Followed {
                initial: at.state.clone(),
                actions: Vec::new(),
                ends: Vec::new(),
                faults: Vec::new(),
                last: at.state.clone(),
            },
            at: Some(at),
        };
        let mut rest = &lines[..];
        while let Some(first) = rest.first() {
            let used = guide.step(rest, self.merged)?;
            rest = &rest[used..];
            if guide.at.is_none() && !rest.is_empty() {
                let message = "the run ended with a fault before this".to_owned();
                return Err(TrailError { line: rest[0].line.max(first.line), message });
            }
        }
        if self.merged && self.cycle.is_none() {
            guide.complete(lines.last().map(|line| line.process));
        }
        Ok(guide.followed)
    }
}

/// A run that is led by a trail.
struct Guide<'a> {
    system: &'a Interpreter,
    followed: Followed,
    /// Where it is; `None` after a fatal fault.
    at: Option<Moment>,
}

impl Guide<'_> {
    /// Follows the first line, or the first two if they are a rendezvous; says how many.
    fn step(&mut self, rest: &[Line], merged: bool) -> Result<usize, TrailError> {
        let line = rest[0];
        let error = |message: String| TrailError { line: line.line, message };
        for _ in 0..MOST_MERGED {
            let choices = self.choices().map_err(|e| error(e.to_string()))?;
            if let Some(choice) = self.matching(&choices, rest) {
                let used = choice.actions.len().min(rest.len());
                let choice = choice.clone();
                self.take(&choice).map_err(|e| error(e.to_string()))?;
                let end = self.followed.actions.len();
                self.followed.ends.extend((0..used).rev().map(|back| end - back));
                return Ok(used);
            }
            if !merged {
                break;
            }
            // A statement that was merged with an earlier one of the process has no line. One
            // inside an indivisible sequence comes at once; one that concerns nobody else may wait
            // until the process is needed again.
            let holder = self.at.as_ref().and_then(|at| at.holder);
            let Some(choice) = only_choice(&choices, holder.unwrap_or(line.process)) else { break };
            self.take(&choice.clone()).map_err(|e| error(e.to_string()))?;
            if let Some(end) = self.followed.ends.last_mut() {
                *end = self.followed.actions.len();
            }
            if self.at.is_none() {
                return Err(error("the run ended with a fault before this".to_owned()));
            }
        }
        Err(error(self.refusal(line)))
    }

    fn choices(&self) -> Result<Vec<Choice>, ModelError> {
        self.at.as_ref().map_or(Ok(Vec::new()), |at| self.system.choices(at))
    }

    /// The choice that the lines ask for. At the end of the trail one that fails is meant.
    fn matching<'c>(&self, choices: &'c [Choice], rest: &[Line]) -> Option<&'c Choice> {
        let fits = |choice: &&Choice| {
            choice.actions.iter().zip(rest).all(|(action, line)| {
                action.process == line.process
                    && number(self.system.machine(), action.transition) == line.statement
            })
        };
        let last = |choice: &&Choice| choice.actions.len() >= rest.len() && choice.fatal;
        choices.iter().filter(fits).find(last).or_else(|| choices.iter().find(fits))
    }

    fn take(&mut self, choice: &Choice) -> Result<(), ModelError> {
        let Some(at) = &self.at else { return Ok(()) };
        let taken = self.system.take(at, choice)?;
        self.followed.actions.extend_from_slice(&choice.actions);
        self.followed.faults = choice.faults.clone();
        if let Some(step) = taken.steps.last() {
            self.followed.last.clone_from(&step.state);
        }
        self.at = taken.next;
        Ok(())
    }

    /// Takes the statements that were merged with the last line, if one of them fails or the run
    /// is stuck behind them.
    fn complete(&mut self, process: Option<u32>) {
        let Some(process) = process.filter(|_| self.followed.faults.is_empty()) else { return };
        let saved = (self.at.clone(), self.followed.clone());
        for _ in 0..MOST_MERGED {
            let Ok(choices) = self.choices() else { break };
            if choices.is_empty() {
                return;
            }
            let Some(choice) = only_choice(&choices, process) else { break };
            if self.take(&choice.clone()).is_err() {
                break;
            }
            if let Some(end) = self.followed.ends.last_mut() {
                *end = self.followed.actions.len();
            }
            if !self.followed.faults.is_empty() {
                return;
            }
        }
        (self.at, self.followed) = saved;
    }

    fn refusal(&self, line: Line) -> String {
        let machine = self.system.machine();
        let Line { process, statement, .. } = line;
        let known =
            (0..machine.transitions.len() as u32).find(|&t| number(machine, t) == statement);
        match known {
            Some(transition) => {
                let text = &machine.transitions[transition as usize].text;
                format!("process {process} cannot execute statement {statement}, `{text}`, here")
            }
            None => format!("the model has no statement {statement}"),
        }
    }
}

/// The only thing that a process can do, if there is no choice.
fn only_choice(choices: &[Choice], process: u32) -> Option<&Choice> {
    let mut own = choices.iter().filter(|choice| choice.actions[0].process == process);
    let first = own.next()?;
    let alone = own.all(|other| other.actions == first.actions) && first.actions.len() == 1;
    alone.then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_is_written_as_it_is_read() {
        let text = "-2:0:-2\n-4:-4:-4\n1:1:0\n-1:-1:-1\n2:0:12\n";
        let trail = Trail::parse(text).unwrap();
        assert!(trail.claim && trail.merged);
        assert_eq!(trail.cycle, Some(1));
        assert_eq!(trail.steps[1], Line { line: 5, process: 0, statement: 12 });
        assert_eq!(trail.render(), text);
    }

    #[test]
    fn what_is_no_trail_is_refused_with_its_line() {
        for (text, line, part) in [
            ("garbage", 1, "three numbers"),
            ("1:0:0\n\n2:0", 3, "three numbers"),
            ("1:0:0:0", 1, "three numbers"),
            ("1:0:99999999999999999999", 1, "three numbers"),
            ("1:-1:0", 1, "-1 is no number of a process"),
            ("1:257:0", 1, "257 is no number of a process"),
            ("1:0:-7", 1, "-7 is no number of a statement"),
            ("1:0:4294967296", 1, "4294967296 is no number of a statement"),
            ("-9:0:0", 1, "-9 is no depth and no known mark"),
        ] {
            let error = Trail::parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }
}
