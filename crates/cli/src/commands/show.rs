//! `everypath show`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {}

/// Show the trace of a run.
pub fn show(_args: &ShowArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `show` is not there yet");
    Exit::Input
}
