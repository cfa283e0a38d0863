//! The commands of the shell.

use std::path::PathBuf;

use everypath_model::most_similar;
use everypath_verdict::Watch;

use crate::run::Goal;

/// What `help` says.
pub const HELP: &str = "  3                    make choice 3
  Enter, step [N]      one step or N: the only one, the one ahead (*), or any by chance
  back [N]             take N moves back
  jump N               go to step N of those that were visited, back or forth
  run [N]              go on by chance, N steps at most
  run until EXPR       .. until it is true, such as: run until n == 2 && len(q) > 0
  run until deadlock
  run until process P at LINE (or thread P)
  print [EXPR|all]     a value, or all of them
  watch EXPR           show its value whenever it changes
  unwatch [N]          forget watch N, or all
  where                where each process or thread stands
  list [LINE]          the source around the next statement, or around a line
  history [N]          the last N steps
  save FILE            write the trace of the walk, for `replay` and `show`
  seed N               chance begins anew
  restart              back to the beginning
  quit
A command may be cut short as long as it is clear: `b 2`, `p n`, `j 5`.
";

/// The names, and how short each may be.
const NAMES: [(&str, usize); 14] = [
    ("step", 1),
    ("back", 1),
    ("jump", 1),
    ("run", 1),
    ("print", 1),
    ("watch", 1),
    ("unwatch", 1),
    ("where", 3),
    ("list", 1),
    ("history", 2),
    ("save", 2),
    ("seed", 2),
    ("restart", 3),
    ("help", 1),
];

/// A command.
#[derive(Clone, Debug)]
pub enum Command {
    /// Make the move with this number, from 0.
    Choose(usize),
    /// So many steps.
    Step(u64),
    /// So many moves back.
    Back(usize),
    /// To this step.
    Jump(u64),
    /// On, so many steps at most, until this is so.
    Run(Option<u64>, Option<Goal>),
    /// The value of an expression, or all values.
    Print(Option<Watch>),
    /// Watch an expression.
    Watch(Watch),
    /// Forget a watch, from 0, or all of them.
    Unwatch(Option<usize>),
    /// Where the processes stand.
    Where,
    /// The source around a line.
    List(Option<u32>),
    /// The last steps.
    History(Option<u64>),
    /// Write the trace.
    Save(PathBuf),
    /// Begin with chance anew.
    Seed(u64),
    /// Back to the beginning.
    Restart,
    /// What commands there are.
    Help,
    /// No more.
    Quit,
}

/// Reads a command, or says in a line or more what is wrong with it.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    if line.is_empty() {
        return Ok(Command::Step(1));
    }
    if line.bytes().all(|b| b.is_ascii_digit()) {
        let number: usize = line.parse().map_err(|_| "there is no such choice".to_owned())?;
        return number
            .checked_sub(1)
            .map(Command::Choose)
            .ok_or_else(|| "choices are numbered from 1".to_owned());
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if matches!(word, "quit" | "q" | "exit") {
        return Ok(Command::Quit);
    }
    let fits = |&&(name, least): &&(&str, usize)| word.len() >= least && name.starts_with(word);
    let name = match NAMES.iter().find(fits) {
        Some((name, _)) => *name,
        None if word == "?" => "help",
        None => return Err(unknown(word)),
    };
    match name {
        "step" => Ok(Command::Step(number(name, rest)?.unwrap_or(1))),
        "back" => Ok(Command::Back(number(name, rest)?.unwrap_or(1))),
        "jump" => {
            number(name, rest)?.map(Command::Jump).ok_or_else(|| "jump to which step?".to_owned())
        }
        "run" => parse_run(rest),
        "print" if rest.is_empty() || rest == "all" => Ok(Command::Print(None)),
        "print" => Ok(Command::Print(Some(expression(rest)?))),
        "watch" if rest.is_empty() => Err("watch what? `watch n + 1`".to_owned()),
        "watch" => Ok(Command::Watch(expression(rest)?)),
        "unwatch" => match number::<usize>(name, rest)? {
            Some(0) => Err("watches are numbered from 1".to_owned()),
            which => Ok(Command::Unwatch(which.map(|which| which - 1))),
        },
        "where" => Ok(Command::Where),
        "list" => Ok(Command::List(number(name, rest)?)),
        "history" => Ok(Command::History(number(name, rest)?)),
        "save" if rest.is_empty() => Err("save where? `save trace.json`".to_owned()),
        "save" => Ok(Command::Save(rest.into())),
        "seed" => number(name, rest)?.map(Command::Seed).ok_or_else(|| "which seed?".to_owned()),
        "restart" => Ok(Command::Restart),
        _ => Ok(Command::Help),
    }
}

fn unknown(word: &str) -> String {
    let names = NAMES.iter().map(|(name, _)| *name).chain(["quit"]);
    let shown: String = word.chars().take(40).filter(|c| !c.is_control()).collect();
    match most_similar(word, names) {
        Some(name) => format!("unknown command `{shown}`: did you mean `{name}`?"),
        None => format!("unknown command `{shown}`; `help` lists them, `print EXPR` shows a value"),
    }
}

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<Option<T>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| format!("`{name}` takes a number"))
}

fn expression(text: &str) -> Result<Watch, String> {
    Watch::parse(text).map_err(|error| error.located(text))
}

fn parse_run(rest: &str) -> Result<Command, String> {
    let Some(goal) = rest.strip_prefix("until") else {
        return Ok(Command::Run(number("run", rest)?, None));
    };
    let goal = goal.trim();
    if goal.is_empty() {
        return Err("until what? `run until n == 2`, `run until deadlock`".to_owned());
    }
    if goal == "deadlock" {
        return Ok(Command::Run(None, Some(Goal::Deadlock)));
    }
    let place = goal.strip_prefix("process ").or_else(|| goal.strip_prefix("thread "));
    if let Some(place) = place {
        let parsed = place.rsplit_once(" at ").and_then(|(process, line)| {
            let line = line.trim();
            Some((
                process.trim().to_owned(),
                line.strip_prefix("line ").unwrap_or(line).trim().parse().ok()?,
            ))
        });
        return match parsed {
            Some((process, line)) => Ok(Command::Run(None, Some(Goal::At(process, line)))),
            None => Err("write `run until process P at LINE`".to_owned()),
        };
    }
    Ok(Command::Run(None, Some(Goal::True(expression(goal)?))))
}
