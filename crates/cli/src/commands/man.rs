//! `everypath man`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {}

/// Print the manual page.
pub fn man(_args: &ManArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `man` is not there yet");
    Exit::Input
}
