//! The folder `.everypath`: what each run found, for the commands that come after it.
//!
//! `.everypath/runs/7/result.json` is the document of run 7, `t1.json`, `t2.json`, .. are the traces
//! in it, and `.everypath/last` has the number of the last run; `.everypath/checkpoints` holds searches
//! that can be taken up again. The folder stands beside the nearest
//! everypath.toml, or else in the current directory, and ignores itself in git.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use everypath_model::{files, shown};
use everypath_verdict::{RunResult, Trace, Verdict};

use crate::drafts::Draft;
use crate::render::json;
use crate::settings;

/// Name of the folder.
const FOLDER: &str = ".everypath";
/// Runs that are kept.
const KEPT: usize = 50;
/// The document that makes a folder a run of ours.
const RESULT: &str = "result.json";

/// The folder.
fn folder() -> PathBuf {
    settings::project().join(FOLDER)
}

/// Where searches are kept that can be taken up again.
pub fn checkpoints() -> PathBuf {
    folder().join("checkpoints")
}

/// Where searches put what they need not have in memory.
pub fn disk() -> PathBuf {
    folder().join("disk")
}

/// Makes the folder for them.
pub fn make_checkpoints() -> io::Result<()> {
    make(&checkpoints(), &folder())
}

/// Makes a folder inside the one that ignores itself.
fn make(inner: &Path, folder: &Path) -> io::Result<()> {
    own(folder)?;
    own(inner)?;
    fs::create_dir_all(inner)?;
    // What is there stays, a link included.
    match File::create_new(folder.join(".gitignore")) {
        Ok(mut file) => file.write_all(b"*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Refuses a folder that is a link: somebody else says then where we write, and what we remove.
fn own(folder: &Path) -> io::Result<()> {
    match folder.symlink_metadata() {
        Ok(data) if data.file_type().is_symlink() => {
            let message = format!("{} is a link", shown(folder));
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
        _ => Ok(()),
    }
}

/// Whether the folder of checkpoints is no link.
pub fn owns_checkpoints() -> bool {
    own(&folder()).and_then(|()| own(&checkpoints())).is_ok()
}

/// Makes the folder for what searches put on the disk, where nobody names another one.
pub fn make_disk() -> io::Result<()> {
    make(&disk(), &folder())
}

/// Whether runs can be kept.
pub fn can_keep() -> bool {
    let runs = folder().join("runs");
    let probe = runs.join(format!("probe-{}", std::process::id()));
    let made = make(&runs, &folder()).and_then(|()| File::create_new(&probe));
    // It is only ours if it was made.
    made.is_ok_and(|_| fs::remove_file(&probe).is_ok())
}

/// Writes down the results of a run.
pub fn record(results: &[&RunResult]) -> io::Result<PathBuf> {
    record_in(&folder(), results)
}

fn record_in(folder: &Path, results: &[&RunResult]) -> io::Result<PathBuf> {
    let runs = folder.join("runs");
    make(&runs, folder)?;
    let mut number = numbers(&runs).last().copied().unwrap_or(0).saturating_add(1);
    // Making a folder succeeds for one process only, so runs at the same time do not collide.
    let run = loop {
        let run = runs.join(number.to_string());
        match fs::create_dir(&run) {
            Ok(()) => break run,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                number = number.checked_add(1).ok_or(error)?;
            }
            Err(error) => return Err(error),
        }
    };
    for (index, trace) in traces(results.iter().copied()).enumerate() {
        fs::write(run.join(format!("t{}.json", index + 1)), json::line(trace))?;
    }
    replace(&run.join(RESULT), &json::render(results.iter().copied()))?;
    replace(&folder.join("last"), &format!("{number}\n"))?;
    prune(&runs)?;
    Ok(run)
}

/// Writes a file that readers see whole or not at all. Where there is a link, it is replaced, and not what it leads to.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let draft = Draft::of(path)?;
    draft.file().write_all(text.as_bytes())?;
    draft.publish()
}

/// Removes the oldest runs. What has no result in it is not ours, or not finished.
fn prune(runs: &Path) -> io::Result<()> {
    let mut ours: Vec<PathBuf> = numbers(runs)
        .into_iter()
        .map(|number| runs.join(number.to_string()))
        .filter(|run| run.join(RESULT).is_file())
        .collect();
    ours.truncate(ours.len().saturating_sub(KEPT));
    for run in ours {
        match fs::remove_dir_all(run) {
            // Another process was faster.
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
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
    let number = |name: &str| {
        let number: u64 = name.parse().ok()?;
        (number.to_string() == name).then_some(number)
    };
    let mut numbers: Vec<u64> =
        entries.filter_map(|entry| number(entry.file_name().to_str()?)).collect();
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
    let runs = folder().join("runs");
    let age = |number: u64| {
        let file = runs.join(number.to_string()).join(RESULT);
        file.metadata().ok()?.modified().ok()?.elapsed().ok()
    };
    numbers(&runs).into_iter().map(|number| Run { number, age: age(number) }).collect()
}

/// The folder of the run that a word names: `last`, the number of a run, `-2` for the last but one.
pub fn find(word: &str) -> Result<PathBuf, String> {
    find_in(&folder(), word)
}

fn find_in(folder: &Path, word: &str) -> Result<PathBuf, String> {
    let runs = folder.join("runs");
    let mut numbers = numbers(&runs);
    numbers.retain(|number| runs.join(number.to_string()).join(RESULT).is_file());
    let Some(&newest) = numbers.last() else {
        return Err("there is no run yet; `everypath check FILE` makes one".to_owned());
    };
    let number = if word == "last" {
        let text = files::read_text(&folder.join("last"), 100).unwrap_or_default();
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

    fn temporary(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("everypath-runs-{name}-{}", std::process::id()))
    }

    #[test]
    fn runs_are_numbered_found_and_forgotten() {
        let folder = temporary("numbered");
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

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_links() {
        use std::os::unix::fs::symlink;
        let root = temporary("links");
        let (away, project) = (root.join("away"), root.join("project"));
        let result = empty_result(&Sources::default(), "promela");
        for inner in [".everypath", ".everypath/runs"] {
            fs::create_dir_all(&away).unwrap();
            let link = project.join(inner);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(&away, &link).unwrap();
            let error = record_in(&project.join(".everypath"), &[&result]).unwrap_err();
            assert!(error.to_string().ends_with("is a link"), "{error}");
            assert_eq!(fs::read_dir(&away).unwrap().count(), 0);
            fs::remove_dir_all(&root).unwrap();
        }
        fs::create_dir_all(&project).unwrap();
        symlink(root.join("victim"), project.join(".gitignore")).unwrap();
        record_in(&project, &[&result]).unwrap();
        assert!(!root.join("victim").exists());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn nothing_of_others_is_removed() {
        let folder = temporary("others");
        let runs = folder.join("runs");
        for name in ["1", "007", "notes", "2"] {
            fs::create_dir_all(runs.join(name)).unwrap();
            fs::write(runs.join(name).join("mine.txt"), "keep").unwrap();
        }
        fs::write(runs.join("007").join(RESULT), "{}").unwrap();
        fs::write(runs.join("2").join(RESULT), "{}").unwrap();
        let result = empty_result(&Sources::default(), "promela");
        for _ in 0..=KEPT {
            record_in(&folder, &[&result]).unwrap();
        }
        assert!(!runs.join("2").exists(), "an old run is removed");
        for name in ["1", "007", "notes"] {
            assert!(runs.join(name).join("mine.txt").exists(), "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn runs_at_the_same_time_get_folders_of_their_own() {
        let folder = temporary("parallel");
        let result = empty_result(&Sources::default(), "promela");
        let mut all: Vec<PathBuf> = std::thread::scope(|scope| {
            let one = || (0..5).map(|_| record_in(&folder, &[&result]).unwrap()).collect();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
            threads.into_iter().flat_map(|t| -> Vec<PathBuf> { t.join().unwrap() }).collect()
        });
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 20);
        assert!(find_in(&folder, "last").is_ok());
        fs::remove_dir_all(folder).unwrap();
    }
}
