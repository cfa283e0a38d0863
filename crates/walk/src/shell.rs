//! A walk by hand: a shell that reads a command a line.

use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use everypath_model::{FileId, ModelError, Simulate, Taken, shown};
use everypath_render::json;
use everypath_render::style::{Paint, columns, pad};
use everypath_verdict::{TraceReading, Watch};

use crate::command::{Command, HELP, parse};
use crate::run::{self, Bounds, Goal, Halted, Problem, RunError, run};
use crate::show::{Named, View, steps};
use crate::walker::{Arrival, Walker};

/// Steps of a `run` that nobody limits.
const STEPS: u64 = 10_000;
/// Steps that `history` shows.
const HISTORY: u64 = 20;
/// Lines that `list` shows above and below a line.
const AROUND: u32 = 5;
/// A command is no longer than this.
const LONGEST: u64 = 64 << 10;

/// What the shell needs to know besides the walk.
pub struct Setting<'a> {
    /// Short name of the language.
    pub lang: &'a str,
    /// How the model was read.
    pub reading: TraceReading,
    /// What chance began with.
    pub seed: u64,
    /// Whether a person types: else the commands are printed too, so that the output reads well.
    pub person: bool,
    /// Set by Ctrl-C.
    pub interrupt: &'a AtomicBool,
    /// Keeps a trace in a file, or says why it cannot.
    pub keep: &'a dyn Fn(&Path, &str) -> Result<(), String>,
}

/// Reads commands and carries them out until there are no more.
pub fn shell<S: Simulate>(
    walker: &mut Walker<'_, S>,
    watches: Vec<Watch>,
    view: &View<'_>,
    setting: &Setting<'_>,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), ModelError> {
    let watches = watches.into_iter().map(|watch| (watch, String::new())).collect();
    let mut shell = Shell { walker, view, setting, watches, out, problem: None };
    shell.begin()?;
    loop {
        let prompt = format!("step {}> ", shell.walker.step());
        shell.say(&view.style.paint(Paint::Strong, &prompt));
        let Some(line) = read_line(input) else {
            shell.say("\n");
            return Ok(());
        };
        setting.interrupt.store(false, Ordering::Relaxed);
        if !setting.person {
            shell.say(&format!("{}\n", view.style.brief(line.trim_end())));
        }
        match parse(&line) {
            Ok(Command::Quit) => return Ok(()),
            Ok(command) => shell.execute(command)?,
            Err(hint) => shell.say(&format!("{}\n", hint)),
        }
    }
}

/// The next line; `None` at the end of the input.
fn read_line(input: &mut dyn BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    match input.take(LONGEST).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

struct Shell<'s, 'a, S> {
    walker: &'s mut Walker<'a, S>,
    view: &'s View<'s>,
    setting: &'s Setting<'s>,
    /// What is watched, with the text that was shown last.
    watches: Vec<(Watch, String)>,
    out: &'s mut dyn Write,
    /// What went wrong in the last move.
    problem: Option<Problem>,
}

impl<S: Simulate> Shell<'_, '_, S> {
    /// A reader that went away is noticed at the next command, when there is none.
    fn say(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }

    fn values(&self) -> Named {
        self.walker.system().values(self.walker.state())
    }

    fn begin(&mut self) -> Result<(), ModelError> {
        let processes = self.walker.system().processes(self.walker.state()).len();
        let ahead = match self.walker.last_step() {
            0 => String::new(),
            n => format!(", {} of a trace ahead", steps(n)),
        };
        let (one, several) = self.view.movers();
        let movers = if processes == 1 { one } else { several };
        self.say(&format!("{processes} {movers}{ahead}; `help` lists the commands\n"));
        self.print_all();
        self.problem = run::violated_invariant(self.walker)?;
        self.present()
    }

    fn execute(&mut self, command: Command) -> Result<(), ModelError> {
        match command {
            Command::Choose(pick) => match self.walker.choices().len() {
                0 => self.present()?,
                1 if pick >= 1 => self.say("there is one choice\n"),
                n if pick >= n => self.say(&format!("there are {n} choices\n")),
                _ => {
                    self.take(pick)?;
                    self.present()?;
                }
            },
            Command::Step(count) => {
                for _ in 0..count {
                    let stopped = self.setting.interrupt.load(Ordering::Relaxed);
                    let Some(pick) = self.walker.ahead().or_else(|| self.walker.random()) else {
                        break;
                    };
                    self.take(pick)?;
                    if self.problem.is_some() || stopped {
                        break;
                    }
                }
                self.present()?;
            }
            Command::Back(moves) => {
                let last = self.walker.back(moves)?;
                self.arrived(last)?;
            }
            Command::Jump(step) => {
                if step > self.walker.last_step() {
                    let last = steps(self.walker.last_step());
                    self.say(&format!("only {last} were visited; `run` goes on\n"));
                } else {
                    let last = self.walker.go_to(step)?;
                    self.arrived(last)?;
                }
            }
            Command::Run(most, goal) => self.run(most, goal.as_ref())?,
            Command::Print(None) => self.print_all(),
            Command::Print(Some(watch)) => {
                let text = match watch.value(&self.values()[..]) {
                    Ok(value) => format!("  {} = {value}", watch.text()),
                    Err(error) => error.to_string(),
                };
                self.say(&format!("{}\n", self.view.style.brief(&text)));
            }
            Command::Watch(watch) => {
                self.watches.push((watch, String::new()));
                self.show_watches();
            }
            Command::Unwatch(None) => self.watches.clear(),
            Command::Unwatch(Some(which)) if which < self.watches.len() => {
                self.watches.remove(which);
            }
            Command::Unwatch(Some(_)) => {
                let count = self.watches.len();
                self.say(&format!("there are {count} watches\n"));
            }
            Command::Where => self.show_places(),
            Command::List(line) => self.list(line),
            Command::History(count) => self.history(count.unwrap_or(HISTORY))?,
            Command::Save(path) => self.save(&path),
            Command::Seed(seed) => self.walker.reseed(seed),
            Command::Restart => {
                self.walker.go_to(0)?;
                self.walker.reseed(self.setting.seed);
                self.arrived(None)?;
            }
            Command::Help => self.say(HELP),
            Command::Quit => {}
        }
        Ok(())
    }

    /// Makes a move and shows its steps.
    fn take(&mut self, pick: usize) -> Result<(), ModelError> {
        let before = self.values();
        let taken = self.walker.take(pick)?;
        self.show_move(&taken, before);
        self.judge(&taken)
    }

    fn judge(&mut self, taken: &Taken) -> Result<(), ModelError> {
        self.problem = match run::problem(self.walker.faults(), taken) {
            Some(problem) => Some(problem),
            None => run::violated_invariant(self.walker)?,
        };
        Ok(())
    }

    fn show_move(&mut self, taken: &Taken, mut before: Named) {
        let system = self.walker.system();
        let first = self.walker.step() + 1 - taken.steps.len() as u64;
        let mut text = String::new();
        let names = system.processes(self.walker.state());
        let lane = names.iter().map(|name| columns(name)).max().unwrap_or(0);
        for (number, step) in (first..).zip(&taken.steps) {
            let after = system.values(&step.state);
            let line = self.view.step(number, lane, step, &before, &after);
            text += line.trim_end();
            text.push('\n');
            text += &self.view.output(&step.output);
            before = after;
        }
        self.say(&text);
    }

    /// Shows where a jump led.
    fn arrived(&mut self, last: Option<Arrival>) -> Result<(), ModelError> {
        match last {
            Some(Arrival { before, taken }) => {
                let before = self.walker.system().values(&before);
                self.show_move(&taken, before);
                self.judge(&taken)?;
            }
            None => self.problem = run::violated_invariant(self.walker)?,
        }
        self.present()
    }

    /// Shows what there is to say about the moment: watches, what went wrong, the choices.
    fn present(&mut self) -> Result<(), ModelError> {
        self.show_watches();
        let step = self.walker.step();
        if let Some(problem) = &self.problem {
            let text = self.view.problem(problem, step);
            self.say(&text);
        }
        let text = match run::halt(self.walker)? {
            Some(_) if self.walker.is_over() => {
                "the run is over; `back` takes it back\n".to_owned()
            }
            Some(halted) => self.view.halted(&halted, step),
            None => self.view.choices(self.walker),
        };
        self.say(&text);
        Ok(())
    }

    fn run(&mut self, most: Option<u64>, goal: Option<&Goal>) -> Result<(), ModelError> {
        if let Some(Goal::At(process, _)) = goal
            && !self.walker.system().processes(self.walker.state()).contains(process)
        {
            let mover = self.view.movers().0;
            self.say(&format!("note: there is no {mover} `{process}` yet\n"));
        }
        let first = self.walker.step();
        let before = self.values();
        let mut last: Option<Taken> = None;
        let mut printed = String::new();
        let bounds = Bounds {
            steps: most.unwrap_or(STEPS),
            goal,
            sources: self.view.sources,
            interrupt: self.setting.interrupt,
        };
        let view = *self.view;
        let mut saw = |_: &Walker<'_, S>, taken: &Taken| {
            for step in &taken.steps {
                printed += &view.output(&step.output);
            }
            last = Some(taken.clone());
        };
        let halted = run(self.walker, &bounds, &mut saw);
        let made = self.walker.step() - first;
        let mut text = printed;
        let parts = super::show::changes(&before, &self.values(), str::to_owned);
        let changed =
            if parts.is_empty() { "nothing changed".to_owned() } else { parts.join("; ") };
        text += &format!("  {}: {}\n", steps(made), self.view.style.brief(&changed));
        match &halted {
            Ok(Halted::Goal) => {}
            Ok(Halted::Interrupted) => text += "  interrupted\n",
            Ok(_) if goal.is_some() && !matches!(goal, Some(Goal::Deadlock)) => {
                text += "  it did not become true\n";
            }
            Ok(_) => {}
            Err(RunError::Model(error)) => return Err(error.clone()),
            Err(error) => text += &format!("{error}\n"),
        }
        self.say(&text);
        match last {
            Some(taken) => self.judge(&taken)?,
            None => self.problem = None,
        }
        self.present()
    }

    fn print_all(&mut self) {
        let text: String = self
            .values()
            .iter()
            .map(|(name, value)| {
                format!("  {}\n", self.view.style.brief(&format!("{name} = {value}")))
            })
            .collect();
        self.say(&text);
    }

    fn show_watches(&mut self) {
        let values = self.values();
        let mut text = String::new();
        for (number, (watch, last)) in self.watches.iter_mut().enumerate() {
            let now = match watch.value(&values[..]) {
                Ok(value) => format!("{} = {value}", watch.text()),
                Err(error) => format!("{}: {error}", watch.text()),
            };
            if *last != now {
                text += &format!("  watch {}: {}\n", number + 1, self.view.style.brief(&now));
                *last = now;
            }
        }
        self.say(&text);
    }

    fn show_places(&mut self) {
        let system = self.walker.system();
        let all = system.blocked(self.walker.state());
        let lane = all.iter().map(|one| columns(&one.process)).max().unwrap_or(0);
        let mut text = String::new();
        for one in &all {
            let at: Vec<String> = one.at.iter().map(|at| self.view.statement(at)).collect();
            let at = if at.is_empty() { "at its end".to_owned() } else { at.join(" | ") };
            let line = format!("  {}  {at}", pad(&self.view.style.brief(&one.process), lane));
            text += &self.view.style.clip(&line, self.view.style.width);
            text.push('\n');
        }
        self.say(&text);
    }

    fn list(&mut self, line: Option<u32>) {
        let system = self.walker.system();
        let choices = self.walker.choices().iter().flat_map(|choice| &choice.actions);
        let spans = choices.map(|action| system.action(action.transition).span);
        let next: Vec<u32> = spans
            .filter(|span| span.file == FileId(0))
            .map(|span| self.view.sources.start(span).0)
            .collect();
        let middle = line.or(next.first().copied()).unwrap_or(1);
        let file = self.view.sources.file(FileId(0));
        let last = (file.line_count() as u32).min(middle.saturating_add(AROUND));
        let mut text = String::new();
        for number in middle.saturating_sub(AROUND).max(1)..=last {
            let mark = if next.contains(&number) { ">" } else { " " };
            let line = format!("{mark}{number:>4} {}", self.view.style.brief(file.line(number)));
            text += self.view.style.clip(&line, self.view.style.width).trim_end();
            text.push('\n');
        }
        self.say(if text.is_empty() { "there is no such line\n" } else { &text });
    }

    fn history(&mut self, count: u64) -> Result<(), ModelError> {
        let step = self.walker.step();
        let mut text = String::new();
        let first = (step + 1).saturating_sub(count).max(1);
        let view = self.view;
        self.walker.retrace(
            first,
            self.walker.last_step().min(step.saturating_add(count)),
            |number, one| {
                let mark = if number == step { ">" } else { " " };
                let line = format!(
                    "{mark}{number:>4}  {}  {}",
                    view.style.brief(&one.process),
                    view.statement(&one.info)
                );
                text += view.style.clip(&line, view.style.width).trim_end();
                text.push('\n');
            },
        )?;
        self.say(if text.is_empty() { "no step was made yet\n" } else { &text });
        Ok(())
    }

    fn save(&mut self, path: &Path) {
        let halted = match (&self.problem, run::halt(self.walker)) {
            (Some(problem), _) => Halted::Fault(problem.clone()),
            (None, Ok(Some(halted))) => halted,
            (None, _) => Halted::Steps,
        };
        let Setting { lang, reading, keep, .. } = self.setting;
        let written = run::trace(self.walker, &halted, lang, self.view.sources, reading.clone())
            .and_then(|trace| keep(path, &json::line(&trace)));
        let text = match written {
            Ok(()) => format!("saved {} to {}\n", steps(self.walker.step()), shown(path)),
            Err(error) => format!("cannot save to {}: {error}\n", shown(path)),
        };
        self.say(&text);
    }
}
