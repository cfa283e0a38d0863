//! `--checkpoint` and `--resume`: searches on the disk.
//!
//! A checkpoint is one file: a line that says what it is, a header in JSON, what the engine wrote, and a
//! checksum of everything. It is written beside its place and moved there when it is complete and on the
//! disk, so whoever is killed leaves the one before it.

mod file;

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use everypath::check::{self, TakenUp};
use everypath_engine_explicit::Checkpoints;
use everypath_model::Named;
use everypath_model::{Diagnostic, Severity, Sources, shown};
use everypath_verdict::{Checkpoint, RunResult, Stop, sha256_hex};
use serde::{Deserialize, Serialize};

use crate::checking::Checking;
use crate::choices::{CheckpointArg, SearchArg};
use crate::config::Config;
use crate::drafts::{self, Draft};
use crate::input::placeless;
use crate::runs;
use crate::{complain, tell};
use file::{Body, Summed};

/// A run of this length has checkpoints if nothing is said.
const LONG: Duration = Duration::from_secs(60);
/// Of the time of a run, one part in so many may go into checkpoints that nobody asked for.
const PART: u32 = 20;
/// Checkpoints that are kept.
const KEPT: usize = 3;
/// The end of their names.
const EXTENSION: &str = "checkpoint";

/// What a checkpoint says about itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The model, as it was named.
    pub path: PathBuf,
    /// A command line that says the same as the settings of the run.
    pub words: Vec<String>,
    /// What has to be the same for the search to go on: names and values.
    same: Vec<(String, String)>,
    /// States.
    pub states: u64,
}

/// What a search has to have in common with one that it takes up.
pub fn identity(checking: &Checking, sources: &Sources, machine: &str) -> Vec<(String, String)> {
    let texts: String = sources.iter().map(|(_, file)| sha256_hex(file.text.as_bytes())).collect();
    let or_none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
    let list = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("--search", checking.search.name().to_owned()),
        ("--store", format!("{:?}", checking.store)),
        ("--reduce", or_none(checking.reductions.names().join(","))),
        ("--proviso", format!("{:?}", checking.proviso).to_lowercase()),
        ("--invariant", or_none(checking.invariants.join(" and "))),
        ("--only", or_none(checking.only.join(","))),
        ("--depth", or_none(checking.depth.map(|d| d.to_string()).unwrap_or_default())),
        ("--all-errors", checking.exhaust.to_string()),
        // Invariants are texts, too: what was said about them comes first.
        ("model", sha256_hex(texts.as_bytes())),
        ("translation", sha256_hex(machine.as_bytes())),
    ];
    list.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The file that a word names: `last`, or its path.
fn find(word: &Path) -> Result<PathBuf, String> {
    if word != Path::new("last") {
        return Ok(word.to_owned());
    }
    let newest = all().pop();
    newest.ok_or_else(|| {
        "there is no checkpoint; a search that runs for a minute makes one, or --checkpoint"
            .to_owned()
    })
}

/// All checkpoints of the project, the oldest first.
fn all() -> Vec<PathBuf> {
    let entries = fs::read_dir(runs::checkpoints()).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == EXTENSION))
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .collect();
    files.sort();
    files.into_iter().map(|(_, path)| path).collect()
}

fn refusal(message: String) -> Diagnostic {
    let help = "check without --resume begins anew".to_owned();
    Diagnostic { help: Some(help), ..placeless(Severity::Error, "EP1009", message) }
}

/// Reads what a checkpoint says about itself.
pub fn header(word: &Path) -> Result<Header, Box<Diagnostic>> {
    let path = find(word).map_err(|why| Box::new(refusal(why)))?;
    Body::open(&path).map(|(header, _)| header).map_err(|why| Box::new(refusal(why)))
}

/// A search that is taken up.
pub struct Resumed {
    /// States that it has.
    pub states: u64,
    body: Mutex<Body>,
}

impl Resumed {
    /// Opens a checkpoint, if it is one of this search and not damaged.
    pub fn open(word: &Path, same: &[(String, String)]) -> Result<Resumed, Box<Diagnostic>> {
        let wrong = |why: String| Box::new(refusal(why));
        let path = find(word).map_err(wrong)?;
        let shown = shown(&path);
        let (header, mut body) = Body::open(&path).map_err(wrong)?;
        for ((name, now), then) in same.iter().zip(header.same.iter().map(|(_, value)| value)) {
            if now == then {
                continue;
            }
            return Err(wrong(match name.as_str() {
                "version" => {
                    format!("{shown} was made by version {then} of everypath, this is {now}")
                }
                "model" => format!("{shown} is of another model, or the model has changed since"),
                "translation" => format!("{shown} was made by another build of everypath"),
                option => format!("{shown} was made with {option} {then}, this is {option} {now}"),
            }));
        }
        body.verify().map_err(|why| wrong(format!("{shown}: {why}")))?;
        Ok(Resumed { states: header.states, body: Mutex::new(body) })
    }
}

impl TakenUp for Resumed {
    fn states(&self) -> u64 {
        self.states
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        lock(&self.body).read(buffer)
    }
}

/// Keeps the checkpoints of a search.
pub struct Keeper {
    path: PathBuf,
    header: Header,
    every: Duration,
    /// Whether the user wants them.
    asked: bool,
    start: Instant,
    progress: Mutex<Written>,
}

/// What was written so far.
struct Written {
    next: Instant,
    last: Option<Checkpoint>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Keeper {
    /// One for the search of a model; `None` if it is to leave no checkpoints, or cannot.
    pub fn new(
        config: &Config,
        path: &Path,
        same: Vec<(String, String)>,
        start: Instant,
    ) -> Option<Keeper> {
        let checking = &config.checking;
        let able = checking.search == SearchArg::Bfs && checking.store.has_checkpoints();
        let (every, asked) = match checking.checkpoint {
            Some(CheckpointArg::Every(every)) => (every, true),
            None if config.save => (LONG, false),
            _ => return None,
        };
        if !able {
            return None;
        }
        drafts::sweep(&runs::checkpoints());
        let all: String = same.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        let stem = path.file_stem().map_or("model".into(), |stem| stem.to_string_lossy());
        let name = format!("{stem}-{}.{EXTENSION}", &sha256_hex(all.as_bytes())[..12]);
        Some(Keeper {
            path: runs::checkpoints().join(name),
            header: Header {
                path: path.to_owned(),
                words: checking.words.clone(),
                same,
                states: 0,
            },
            every,
            asked,
            start,
            progress: Mutex::new(Written { next: start + every, last: None }),
        })
    }

    /// What to go on from, after a search that ended like this; a search that is over needs nothing.
    fn end(&self, result: &mut RunResult) {
        let last = lock(&self.progress).last.take();
        match result.run.stop {
            Stop::Time | Stop::Memory | Stop::States | Stop::Interrupt => {
                result.run.checkpoint = last;
            }
            // There may be none; and what links lead to is not ours.
            _ if runs::owns_checkpoints() => {
                let _ = fs::remove_file(&self.path);
            }
            _ => {}
        }
    }

    fn write(
        &self,
        states: u64,
        body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<u64> {
        runs::make_checkpoints()?;
        let draft = Draft::of(&self.path)?;
        let header = Header { states, ..self.header.clone() };
        let mut out = Summed::begin(draft.file(), &header)?;
        body(&mut out)?;
        let bytes = out.finish()?;
        draft.publish()?;
        // The name is on the disk when its folder is.
        fs::File::open(runs::checkpoints())?.sync_all()?;
        Ok(bytes)
    }

    /// Removes the oldest ones of other searches.
    fn prune(&self) {
        let mut files = all();
        files.truncate(files.len().saturating_sub(KEPT));
        for file in files.into_iter().filter(|file| *file != self.path) {
            let _ = fs::remove_file(file);
        }
    }
}

impl check::Keeper for Keeper {
    fn checkpoints(&self) -> &dyn Checkpoints {
        self
    }

    fn finish(self: Box<Self>, result: &mut RunResult) {
        self.end(result);
    }
}

impl Checkpoints for Keeper {
    fn due(&self) -> bool {
        Instant::now() >= lock(&self.progress).next
    }

    fn keep_end(&self) -> bool {
        self.asked || self.start.elapsed() >= LONG
    }

    fn keep(&self, states: u64, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let begun = Instant::now();
        let written = self.write(states, write);
        let now = Instant::now();
        let mut progress = lock(&self.progress);
        let pause = match self.asked {
            true => self.every,
            false => self.every.max((now - begun) * PART),
        };
        progress.next = now + pause;
        match written {
            Ok(bytes) => {
                let path = self.path.to_string_lossy().into_owned();
                progress.last = Some(Checkpoint { path, states, bytes });
                self.prune();
            }
            Err(error) => {
                complain("\n");
                tell("warning", &format!("the checkpoint is not written: {error}"));
            }
        }
    }
}
