//! `everypath diff`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {}

/// Compare two runs.
pub fn diff(_args: &DiffArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `diff` is not there yet");
    Exit::Input
}
