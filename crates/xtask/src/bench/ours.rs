//! `everypath check` as a user runs it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::child::{self, Cost, Scratch};
use super::models::Model;
use super::result::Run;

/// The program, and which options it has.
pub struct Ours {
    program: PathBuf,
    dir: Scratch,
    /// `-j 1`, where threads can be chosen.
    single: Vec<String>,
    /// `--reduce none`, where there is something else.
    unreduced: Vec<String>,
}

impl Ours {
    /// Builds the program beside this one, or takes the one that is named.
    pub fn find(named: Option<&Path>) -> Result<Ours, String> {
        let program = match named {
            Some(path) => path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?,
            None => build()?,
        };
        let dir = Scratch::new("ours")?;
        let tiny = dir.path().join("tiny.pml");
        // Something that every reduction has something to do with.
        let text = "active [2] proctype P() { byte x; x = 1; x = x + 1; x = 0 }\n";
        std::fs::write(tiny, text).map_err(|e| e.to_string())?;
        let mut ours = Ours { program, dir, single: Vec::new(), unreduced: Vec::new() };
        let known = |words: &[&str]| {
            let words = strings(words);
            if ours.takes(&words) { words } else { Vec::new() }
        };
        let (single, unreduced) = (known(&["-j", "1"]), known(&["--reduce", "none"]));
        (ours.single, ours.unreduced) = (single, unreduced);
        Ok(ours)
    }

    /// Whether these options are known.
    pub fn takes(&self, words: &[String]) -> bool {
        self.tiny(words).is_some()
    }

    /// Whether something is reduced without being asked.
    pub fn reduces_by_default(&self) -> bool {
        let Some(result) = self.tiny(&[]) else { return false };
        result["scope"]["reductions"].as_array().is_some_and(|list| !list.is_empty())
    }

    fn tiny(&self, words: &[String]) -> Option<Value> {
        let mut args = strings(&["check", "tiny.pml", "--format", "json"]);
        args.extend_from_slice(words);
        let ran =
            child::run(&self.program, &args, self.dir.path(), Duration::from_secs(60)).ok()?;
        if ran.exit == Some(2) { None } else { serde_json::from_str(&ran.text).ok() }
    }

    /// One thread and every state, with `words` besides.
    pub fn exact(&self, model: &Model, words: &[String], limit: Duration) -> Result<Run, String> {
        let mut all = self.single.clone();
        all.extend_from_slice(&self.unreduced);
        all.extend_from_slice(words);
        self.check(model, &all, limit)
    }

    /// Every state, with `words` besides.
    pub fn unreduced(
        &self,
        model: &Model,
        words: &[String],
        limit: Duration,
    ) -> Result<Run, String> {
        self.check(model, &[&self.unreduced, words].concat(), limit)
    }

    /// One thread, with `words` besides.
    pub fn single(&self, model: &Model, words: &[String], limit: Duration) -> Result<Run, String> {
        self.check(model, &[&self.single, words].concat(), limit)
    }

    /// One temporal property, chosen by `words`.
    pub fn temporal(
        &self,
        model: &Model,
        words: &[String],
        limit: Duration,
    ) -> Result<Run, String> {
        let (result, cost) = self.result(model, words, limit)?;
        super::ltl::run_of(&result, cost)
    }

    /// As it comes, with `words` besides.
    pub fn check(&self, model: &Model, words: &[String], limit: Duration) -> Result<Run, String> {
        let (result, cost) = self.result(model, words, limit)?;
        let stats = &result["stats"];
        let number = |name: &str| {
            stats[name].as_u64().ok_or_else(|| format!("the result has no {name}: {stats}"))
        };
        let states = number("states")?;
        Ok(Run {
            states,
            transitions: number("transitions")?,
            depth: number("depth")?,
            vector: None,
            search: cost,
            before: Cost::default(),
            bytes_a_state: number("bytes")? as f64 / states.max(1) as f64,
            instructions: stats["program"]["instructions"].as_u64(),
            executions: stats["runs"]["executions"].as_u64(),
            verdict: result["verdict"].as_str().unwrap_or("?").to_owned(),
            complete: result["scope"]["complete"].as_bool().unwrap_or(false),
        })
    }

    /// The document of a check, and what it cost.
    fn result(
        &self,
        model: &Model,
        words: &[String],
        limit: Duration,
    ) -> Result<(Value, Cost), String> {
        // Nothing is kept: neither results nor checkpoints of long searches.
        let mut args = strings(&["check", "--format", "json", "--no-save"]);
        args.push(model.file.display().to_string());
        args.extend(model.defines.iter().map(|define| format!("-D{define}")));
        if !model.deadlocks {
            args.extend(strings(&["--only", "assertions"]));
        }
        args.extend_from_slice(words);
        let ran = child::run(&self.program, &args, self.dir.path(), limit)?;
        let Ok(result) = serde_json::from_str::<Value>(&ran.text) else {
            return Err(match ran.exit {
                None => "stopped at the time limit".into(),
                Some(code) => format!("exit {code}: {}", first_line(&ran.errors)),
            });
        };
        Ok((result, ran.cost))
    }
}

/// The program of the same build as this one.
fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--package", "everypath-cli"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err("everypath was not built".into());
    }
    let here = std::env::current_exe().map_err(|e| e.to_string())?;
    let program = here.with_file_name("everypath");
    if program.is_file() {
        Ok(program)
    } else {
        Err(format!("{} is not there: name the program with --binary", program.display()))
    }
}

/// Owned words.
pub fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message")
}
