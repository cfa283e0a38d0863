//! A place to run the program in.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

pub const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/promela");

/// A directory that goes away.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everypath-show-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Exit code, standard output, standard error.
    pub fn run(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM"] {
            command.env_remove(name);
        }
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// The standard output of a run that goes well.
    pub fn ok(&self, args: &[&str]) -> String {
        let (exit, out, err) = self.run(args);
        assert_eq!(exit, 0, "{args:?}: {err}");
        out
    }

    pub fn fails(&self, args: &[&str]) -> String {
        let (exit, out, err) = self.run(args);
        assert_eq!((exit, out.as_str()), (2, ""), "{args:?}: {err}");
        err
    }

    pub fn copy(&self, example: &str) {
        std::fs::copy(Path::new(EXAMPLES).join(example), self.0.join(example)).unwrap();
    }

    pub fn check(&self, example: &str) {
        self.copy(example);
        assert_eq!(self.run(&["check", example]).0, 1, "{example}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
