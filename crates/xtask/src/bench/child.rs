//! A program as a child, with what it cost.
//!
//! What a child used is known only as the sum over all children, and their largest memory as the
//! largest of all. So every program runs as the only child of a small process of its own: this
//! program again, as `xtask measured`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeVal;
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

/// What a program cost.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds by the clock.
    pub wall: f64,
    /// Seconds of processors, in the program and in the system for it.
    pub cpu: f64,
    /// Largest resident memory in bytes.
    pub peak: u64,
}

impl Cost {
    /// One after the other.
    pub fn then(self, next: Cost) -> Cost {
        Cost {
            wall: self.wall + next.wall,
            cpu: self.cpu + next.cpu,
            peak: self.peak.max(next.peak),
        }
    }
}

/// What a program did.
pub struct Ran {
    /// Its standard output.
    pub text: String,
    /// Its standard error.
    pub errors: String,
    /// Its exit code; none if a signal ended it, as at the time limit.
    pub exit: Option<i32>,
    /// What it cost.
    pub cost: Cost,
}

/// What the small process hands back.
#[derive(Serialize, Deserialize)]
struct Note {
    exit: Option<i32>,
    cost: Cost,
}

/// Runs `program` in `dir` for `limit` at most.
pub fn run(program: &Path, args: &[String], dir: &Path, limit: Duration) -> Result<Ran, String> {
    let failed = |error: io::Error| format!("{}: {error}", program.display());
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let note = dir.join(format!("cost-{}.json", RUNS.fetch_add(1, Ordering::Relaxed)));
    let output = Command::new(std::env::current_exe().map_err(failed)?)
        .arg("measured")
        .arg(&note)
        .arg(limit.as_secs().to_string())
        .arg(program)
        .args(args)
        .current_dir(dir)
        .output()
        .map_err(failed)?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("{}: {}", program.display(), errors.trim()));
    }
    let text = fs::read_to_string(&note).map_err(failed)?;
    let _ = fs::remove_file(&note);
    let Note { exit, cost } = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    Ok(Ran { text: String::from_utf8_lossy(&output.stdout).into_owned(), errors, exit, cost })
}

/// `measured NOTE SECONDS PROGRAM ARGUMENT...`: the small process.
pub fn measured(args: &[String]) -> ExitCode {
    match measure(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(args: &[String]) -> Result<(), String> {
    let [note, seconds, program, args @ ..] = args else {
        return Err("usage: measured NOTE SECONDS PROGRAM ARGUMENT...".into());
    };
    let limit: u64 = seconds.parse().map_err(|_| format!("not a number of seconds: {seconds}"))?;
    let text = |error: io::Error| error.to_string();
    let start = Instant::now();
    let mut child = Command::new(program).args(args).stdin(Stdio::null()).spawn().map_err(text)?;
    let id = Pid::from_raw(child.id() as i32);
    let (done, ended) = mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if ended.recv_timeout(Duration::from_secs(limit)) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = kill(id, Signal::SIGKILL);
        }
    });
    let status = child.wait().map_err(text)?;
    let wall = start.elapsed().as_secs_f64();
    drop(done);
    let _ = watch.join();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|e| e.to_string())?;
    let cost = Cost {
        wall,
        cpu: seconds_of(usage.user_time()) + seconds_of(usage.system_time()),
        peak: u64::try_from(usage.max_rss()).unwrap_or(0) * 1024,
    };
    let note_text =
        serde_json::to_string(&Note { exit: status.code(), cost }).map_err(|e| e.to_string())?;
    fs::write(note, note_text).map_err(text)
}

fn seconds_of(time: TimeVal) -> f64 {
    time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
}

/// A directory that goes with its owner.
pub struct Scratch(PathBuf);

impl Scratch {
    /// An empty directory; `name` keeps those of one process apart.
    pub fn new(name: &str) -> Result<Scratch, String> {
        let dir =
            std::env::temp_dir().join(format!("everypath-bench-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        Ok(Scratch(dir))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
