//! `everypath completions`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {}

/// Print completions for a shell.
pub fn completions(_args: &CompletionsArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `completions` is not there yet");
    Exit::Input
}
