//! `everypath sim`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `sim`.
#[derive(Debug, Args)]
pub struct SimArgs {}

/// Walk through a model, by chance, by a trace or by hand.
pub fn sim(_args: &SimArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `sim` is not there yet");
    Exit::Input
}
