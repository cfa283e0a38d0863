//! The folder `.everypath`: what each run found, for the commands that come after it.
//!
//! `.everypath/runs/7/result.json` is the document of run 7, `t1.json`, `t2.json`, .. are the traces
//! in it, and `.everypath/last` has the number of the last run. The folder ignores itself in git.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use everypath_verdict::{RunResult, Trace, Verdict};

use crate::render::json;

/// The folder, in the current directory.
const FOLDER: &str = ".everypath";
/// Runs that are kept.
const KEPT: u64 = 50;

/// Writes down the results of a run; a directory that cannot be written to has none.
pub fn record(results: &[&RunResult]) -> Option<PathBuf> {
    record_in(Path::new(FOLDER), results).ok()
}

fn record_in(folder: &Path, results: &[&RunResult]) -> io::Result<PathBuf> {
    let runs = folder.join("runs");
    fs::create_dir_all(&runs)?;
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    let mut number = numbers(&runs).last().copied().unwrap_or(0) + 1;
    let run = loop {
        let run = runs.join(number.to_string());
        match fs::create_dir(&run) {
            Ok(()) => break run,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    };
    fs::write(run.join("result.json"), json::render(results.iter().copied()))?;
    for (index, trace) in traces(results.iter().copied()).enumerate() {
        let text = serde_json::to_string(trace).map_err(io::Error::other)?;
        fs::write(run.join(format!("t{}.json", index + 1)), text + "\n")?;
    }
    fs::write(folder.join("last"), format!("{number}\n"))?;
    for old in numbers(&runs).into_iter().take_while(|old| old + KEPT <= number) {
        fs::remove_dir_all(runs.join(old.to_string()))?;
    }
    Ok(run)
}

/// The traces of results, in the order of their files.
pub fn traces<'a>(
    results: impl IntoIterator<Item = &'a RunResult>,
) -> impl Iterator<Item = &'a Trace> {
    results
        .into_iter()
        .flat_map(|result| &result.properties)
        .filter(|property| property.verdict == Verdict::Violated)
        .filter_map(|property| property.trace.as_deref())
}

/// The numbers of the runs in a folder, in order.
fn numbers(runs: &Path) -> Vec<u64> {
    let entries = fs::read_dir(runs).into_iter().flatten().flatten();
    let mut numbers: Vec<u64> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// A run in the folder.
pub struct Run {
    /// Its number.
    pub number: u64,
    /// How long ago it was.
    pub age: Option<Duration>,
}

/// All runs, the first one first.
pub fn all() -> Vec<Run> {
    let runs = Path::new(FOLDER).join("runs");
    let age = |number: u64| {
        let file = runs.join(number.to_string()).join("result.json");
        file.metadata().ok()?.modified().ok()?.elapsed().ok()
    };
    numbers(&runs).into_iter().map(|number| Run { number, age: age(number) }).collect()
}

/// The folder of the run that a word names: `last`, the number of a run, `-2` for the last but one.
pub fn find(word: &str) -> Result<PathBuf, String> {
    find_in(Path::new(FOLDER), word)
}

fn find_in(folder: &Path, word: &str) -> Result<PathBuf, String> {
    let runs = folder.join("runs");
    let numbers = numbers(&runs);
    let Some(&newest) = numbers.last() else {
        return Err("there is no run yet; `everypath check FILE` makes one".to_owned());
    };
    let number = if word == "last" {
        let text = fs::read_to_string(folder.join("last")).unwrap_or_default();
        text.trim().parse().unwrap_or(newest)
    } else if let Some(back) = word.strip_prefix('-').and_then(|n| n.parse::<usize>().ok()) {
        *numbers.iter().rev().nth(back.saturating_sub(1)).ok_or_else(|| missing(word))?
    } else {
        word.parse().map_err(|_| format!("`{word}` is neither `last` nor the number of a run"))?
    };
    let run = runs.join(number.to_string());
    if run.is_dir() { Ok(run) } else { Err(missing(word)) }
}

fn missing(word: &str) -> String {
    format!("there is no run {word} any more, or not yet; {KEPT} are kept")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::empty_result;
    use everypath_model::Sources;

    #[test]
    fn runs_are_numbered_found_and_forgotten() {
        let folder = std::env::temp_dir().join(format!("everypath-runs-{}", std::process::id()));
        let result = empty_result(&Sources::default(), "promela");
        assert!(find_in(&folder, "last").is_err());
        for number in 1..=KEPT + 2 {
            let run = record_in(&folder, &[&result]).unwrap();
            assert_eq!(run, folder.join("runs").join(number.to_string()));
        }
        assert_eq!(find_in(&folder, "last").unwrap(), folder.join("runs/52"));
        assert_eq!(find_in(&folder, "-2").unwrap(), folder.join("runs/51"));
        assert_eq!(find_in(&folder, "3").unwrap(), folder.join("runs/3"));
        assert!(find_in(&folder, "2").unwrap_err().contains("no run 2"));
        assert!(find_in(&folder, "x/../..").is_err());
        assert_eq!(fs::read_to_string(folder.join(".gitignore")).unwrap(), "*\n");
        fs::remove_dir_all(folder).unwrap();
    }
}
