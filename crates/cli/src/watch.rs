//! `check --watch`: checks, waits until something changes, checks again what is affected.
//!
//! Files are looked at a few times a second: that needs nothing from the system and works on every
//! file system. A result is used again as long as every file that it was made from has the same
//! content and the settings of the model are the same.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use everypath_model::files::{self, MOST_TEXT};
use everypath_render::Format;
use everypath_verdict::{Exit, Verdict, sha256_hex};

use crate::commands::check;
use crate::outlet::Stdout;
use crate::render::Checked;
use crate::settings::{self, Job, Plan, Request};
use crate::{complain, interrupt};

/// Time between two looks.
const INTERVAL: Duration = Duration::from_millis(250);
/// Time in which a file that is being written is left alone.
const SETTLE: Duration = Duration::from_millis(50);
/// How often that is waited for.
const MOST_SETTLES: usize = 20;
/// Wipes the screen and goes to its top.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// What there is to see without reading a file: when it was changed, and its size.
type Stamp = (PathBuf, Option<(SystemTime, u64)>);

/// All that a round depends on. Another situation is a reason to look closer.
#[derive(Debug, PartialEq)]
struct Situation {
    stamps: Vec<Stamp>,
    jobs: Result<Vec<String>, String>,
}

/// Checks and waits, until it is interrupted or nobody reads the answer any more.
pub fn watch(request: &Request<'_>) -> Exit {
    if request.args.files.iter().any(|path| path.as_os_str() == "-") {
        complain("error: --watch cannot watch the standard input\n");
        return Exit::Input;
    }
    let interrupted = interrupt::install();
    let mut known: BTreeMap<String, Checked> = BTreeMap::new();
    let mut reader = Reader { gone: false };
    loop {
        let exit = match settings::plan(request) {
            Ok(plan) => round(request, &plan, interrupted, &mut known, &mut reader),
            Err(wrong) => {
                let (_, style) = request.environment.styles(&request.args.layout);
                complain(&wrong.text(&style));
                wrong.exit()
            }
        };
        if interrupted.load(Ordering::Relaxed) || reader.gone {
            return exit;
        }
        if !wait(request, &known, interrupted) {
            return exit;
        }
    }
}

/// Checks what is not known, and tells all.
fn round(
    request: &Request<'_>,
    plan: &Plan,
    interrupted: &AtomicBool,
    known: &mut BTreeMap<String, Checked>,
    reader: &mut Reader,
) -> Exit {
    let people = matches!(plan.config.format, Format::Full | Format::Concise);
    if people && request.environment.stdout_tty {
        let _ = io::stdout().write_all(CLEAR.as_bytes());
    }
    let mut next = BTreeMap::new();
    let exit = check::run(plan, reader, |job, answer| {
        let key = key(job);
        let checked = match known.remove(&key).filter(is_fresh) {
            Some(checked) => checked,
            None => check::check_file(job, interrupted, answer)?,
        };
        next.insert(key, checked.clone());
        Ok(checked)
    });
    *known = next;
    exit
}

/// The model and its settings; the command line is always the same.
fn key(job: &Job) -> String {
    format!("{}\n{:?}\n{:?}", job.path.display(), job.config.reading, job.config.checking)
}

/// Whether every file that a result was made from is as it was. What went wrong may be different
/// now without any of them changing: a file may be there that was missing.
fn is_fresh(checked: &Checked) -> bool {
    let result = &checked.result;
    let is_text = |path: &str| path.starts_with('<');
    result.verdict != Verdict::Error
        && result.inputs.iter().filter(|input| !is_text(&input.path)).all(|input| {
            files::read(Path::new(&input.path), MOST_TEXT).is_ok_and(|b| {
                let text = String::from_utf8_lossy(&b);
                [&b[..], text.as_bytes()].iter().any(|b| sha256_hex(b) == input.sha256)
            })
        })
}

/// Waits for a change; `false` if the user does not want to.
fn wait(
    request: &Request<'_>,
    known: &BTreeMap<String, Checked>,
    interrupted: &AtomicBool,
) -> bool {
    let mut before = situation(request, known);
    // An edit during the check came too late for it.
    let late = known.values().any(|c| c.result.verdict != Verdict::Error && !is_fresh(c));
    if late {
        return true;
    }
    let files = before.stamps.len();
    complain(&format!("watching {files} files and folders; Ctrl-C ends\n"));
    interrupt::set_waiting(true);
    let changed = loop {
        if interrupted.load(Ordering::Relaxed) {
            break false;
        }
        std::thread::sleep(INTERVAL);
        let mut now = situation(request, known);
        // An interrupt ends the look at folders, too.
        if now == before || interrupted.load(Ordering::Relaxed) {
            continue;
        }
        for _ in 0..MOST_SETTLES {
            std::thread::sleep(SETTLE);
            let later = situation(request, known);
            if later == now {
                break;
            }
            now = later;
        }
        if interrupted.load(Ordering::Relaxed) {
            break false;
        }
        let errors = known.values().any(|checked| checked.result.verdict == Verdict::Error);
        if now.jobs != before.jobs || errors || !known.values().all(is_fresh) {
            break true;
        }
        // It was touched, and not changed.
        before = now;
    };
    interrupt::set_waiting(false);
    changed
}

fn situation(request: &Request<'_>, known: &BTreeMap<String, Checked>) -> Situation {
    let plan = settings::plan(request);
    let mut paths: Vec<PathBuf> = Vec::new();
    for checked in known.values() {
        let inputs = checked.result.inputs.iter().map(|input| Path::new(&input.path));
        for path in inputs.filter(|path| !path.to_string_lossy().starts_with('<')) {
            paths.push(path.to_owned());
            if checked.result.verdict == Verdict::Error {
                // The folder changes when a file that was missing is made.
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                paths.push(folder.unwrap_or(Path::new(".")).to_owned());
            }
        }
    }
    if let Ok(plan) = &plan {
        paths.extend(plan.file.clone());
        let includes = plan.jobs.iter().flat_map(|job| &job.config.reading.includes);
        paths.extend(includes.cloned());
    }
    paths.sort();
    paths.dedup();
    let stamp = |path: PathBuf| {
        let data = path.metadata().ok();
        let stamp = data.and_then(|data| Some((data.modified().ok()?, data.len())));
        (path, stamp)
    };
    let jobs = match plan {
        Ok(plan) => {
            Ok(plan.jobs.iter().map(|job| format!("{}\n{:?}", key(job), job.expected)).collect())
        }
        Err(wrong) => Err(wrong.text(&request.environment.styles(&request.args.layout).1)),
    };
    Situation { stamps: paths.into_iter().map(stamp).collect(), jobs }
}

/// The standard output, with whether somebody still reads it.
struct Reader {
    gone: bool,
}

impl Write for Reader {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = Stdout.write(bytes);
        self.gone |= written.is_err();
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = Stdout.flush();
        self.gone |= flushed.is_err();
        flushed
    }
}
