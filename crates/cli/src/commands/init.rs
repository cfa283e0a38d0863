//! `everypath init`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {}

/// Write an everypath.toml.
pub fn init(_args: &InitArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `init` is not there yet");
    Exit::Input
}
