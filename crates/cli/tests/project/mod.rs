//! A directory of its own, and the program in it.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

pub const HOLDS: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n";
pub const VIOLATED: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n";
pub const ENDLESS: &str = "int x, y;\nactive proctype P() { do :: x++ :: x - y != 1 -> y++ od }\n";

pub struct Project {
    pub path: PathBuf,
}

impl Project {
    pub fn new(files: &[(&str, &str)]) -> Project {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everypath-project-{}-{number}", std::process::id());
        let path = std::env::temp_dir().canonicalize().unwrap().join(name);
        std::fs::create_dir_all(&path).unwrap();
        let project = Project { path };
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    /// Writes a file, and the folders that it needs.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path.join(name)).unwrap()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
        command.args(args).current_dir(&self.path).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("EVERYPATH_") {
                command.env_remove(name);
            }
        }
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM", "GITHUB_STEP_SUMMARY"] {
            command.env_remove(name);
        }
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).output().unwrap())
    }

    /// The same, from a folder below.
    pub fn run_in(&self, folder: &str, args: &[&str]) -> Run {
        Run::of(self.command(args).current_dir(self.path.join(folder)).output().unwrap())
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    pub fn of(output: Output) -> Run {
        Run {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The last line of the answer.
    pub fn last(&self) -> &str {
        self.out.lines().last().unwrap_or("")
    }
}
