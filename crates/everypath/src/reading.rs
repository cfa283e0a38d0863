//! How inputs are read.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use everypath_lang_java::Spurious;
use everypath_model::Brake;
use everypath_verdict::TraceReading;

/// How an input is read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// `-D`, as written.
    pub defines: Vec<String>,
    /// `-U`
    pub undefines: Vec<String>,
    /// `-I`
    pub includes: Vec<PathBuf>,
    /// `--class-path`
    pub class_path: Vec<PathBuf>,
    /// `--main`
    pub main: Option<String>,
    /// `--source-path`
    pub source_path: Vec<PathBuf>,
    /// `--javac`
    pub javac: Vec<String>,
    /// `--arg`
    pub arguments: Vec<String>,
    /// `--stack-limit`
    pub stack_limit: Option<u64>,
    /// `--spurious-wakeups`, and failures of weak compare-and-set, which checks always look at.
    pub spurious: Spurious,
    /// `--trust`: what lies around the input may run when it is compiled, and the configuration may name any path.
    pub trust: bool,
    /// When reading it is given up.
    pub until: Option<Instant>,
    /// Ends reading it in the middle.
    pub brake: Option<Arc<Brake>>,
}

impl Reading {
    /// What a trace says about it, together with the conditions of its run.
    pub fn recorded(&self, invariants: &[String]) -> TraceReading {
        TraceReading {
            defines: self.defines.clone(),
            undefines: self.undefines.clone(),
            includes: paths(&self.includes),
            invariants: invariants.to_vec(),
            input: None,
            class_path: paths(&self.class_path),
            source_path: paths(&self.source_path),
            main: self.main.clone(),
            propositions: Vec::new(),
            events: Vec::new(),
            arguments: self.arguments.clone(),
            stack_limit: self.stack_limit,
            // Of the run of a trace is known later what it needs.
            spurious_wakeups: false,
            spurious_failures: false,
            reductions: Vec::new(),
        }
    }
}

fn paths(list: &[PathBuf]) -> Vec<String> {
    list.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

impl From<&TraceReading> for Reading {
    fn from(recorded: &TraceReading) -> Reading {
        Reading {
            defines: recorded.defines.clone(),
            undefines: recorded.undefines.clone(),
            includes: recorded.includes.iter().map(PathBuf::from).collect(),
            class_path: recorded.class_path.iter().map(PathBuf::from).collect(),
            source_path: recorded.source_path.iter().map(PathBuf::from).collect(),
            main: recorded.main.clone(),
            arguments: recorded.arguments.clone(),
            stack_limit: recorded.stack_limit,
            spurious: Spurious {
                wakeups: recorded.spurious_wakeups,
                failures: recorded.spurious_failures,
            },
            ..Reading::default()
        }
    }
}
