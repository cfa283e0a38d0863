//! `everypath spin`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `spin`.
#[derive(Debug, Args)]
pub struct SpinArgs {}

/// Take SPIN's command lines.
pub fn spin(_args: &SpinArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `spin` is not there yet");
    Exit::Input
}
