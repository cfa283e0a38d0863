//! `everypath replay`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {}

/// Run a trace again on its model.
pub fn replay(_args: &ReplayArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `replay` is not there yet");
    Exit::Input
}
