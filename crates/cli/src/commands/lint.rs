//! `everypath lint`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `lint`.
#[derive(Debug, Args)]
pub struct LintArgs {}

/// Look for mistakes without a full search.
pub fn lint(_args: &LintArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `lint` is not there yet");
    Exit::Input
}
