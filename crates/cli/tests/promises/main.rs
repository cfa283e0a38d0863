//! Promises that hold against hostile folders as well: whoever checks what a stranger wrote runs no code of his, writes
//! nothing that he names, waits for nothing, and sees everything that is printed (docs/security.md); and what is asked
//! for is done, or it is an error.

#![cfg(unix)]

mod compile;
mod damaged;
mod escapes;
mod files;
mod inputs;
mod options;
mod output;
mod paths;
#[path = "../project/mod.rs"]
mod project;

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Waits for the end of a program, which is to come soon.
fn ended_within(child: &mut Child, most: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < most {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Compiles attackers, without running one of them.
fn javac(folder: &Path, out: &str, files: &[&str]) {
    let status = Command::new("javac")
        .args(["-proc:none", "-processorpath", "none", "-d", out])
        .args(files)
        .current_dir(folder)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{files:?}");
}
