//! Documents of what was not searched, and how a run was made.

use std::time::Duration;

use everypath_model::{Named, Sources};
use everypath_verdict::{
    Input, RESULT_SCHEMA, RunInfo, RunResult, Scope, Stop, Tool, Verdict, sha256_hex,
};

use crate::checking::Checking;
use crate::choices::{ExecArg, SearchArg};
use crate::memory;
use crate::searches;
use crate::stores;

/// A result of a model that was not searched.
pub fn empty_result(sources: &Sources, lang: &str) -> RunResult {
    RunResult {
        schema: RESULT_SCHEMA.to_owned(),
        tool: Tool {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        },
        verdict: Verdict::Error,
        exit: 2,
        run: run_info(&Checking::plain(), Duration::ZERO, Stop::NotStarted),
        inputs: sources
            .iter()
            .map(|(_, file)| Input {
                path: file.path.to_string_lossy().into_owned(),
                lang: lang.to_owned(),
                sha256: sha256_hex(file.text.as_bytes()),
            })
            .collect(),
        model: None,
        scope: Scope { fairness: "none".to_owned(), ..Scope::default() },
        stats: None,
        properties: Vec::new(),
        coverage: None,
        diagnostics: Vec::new(),
        output: None,
        test: None,
    }
}

/// How a run was made.
pub fn run_info(checking: &Checking, elapsed: Duration, stop: Stop) -> RunInfo {
    RunInfo {
        argv: checking.argv.clone(),
        seed: match checking.search.samples() {
            true => Some(checking.seed),
            false => stores::seed(checking.store),
        },
        engine: match checking.search {
            SearchArg::Stateless => "stateless".to_owned(),
            _ => "explicit".to_owned(),
        },
        search: checking.search.name().to_owned(),
        store: match checking.search {
            SearchArg::Random | SearchArg::Stateless => "none".to_owned(),
            _ => stores::name(checking.store),
        },
        exec: match checking.exec {
            ExecArg::Jit => "jit",
            ExecArg::Interp => "interp",
        }
        .to_owned(),
        threads: searches::threads(checking) as u64,
        wall_s: (elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        peak_bytes: memory::peak(),
        resumed: None,
        checkpoint: None,
        stop,
        expect: checking.policy.expect,
        expect_because: None,
    }
}
