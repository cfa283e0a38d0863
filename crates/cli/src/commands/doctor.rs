//! `everypath doctor`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {}

/// Say what is installed and what is missing.
pub fn doctor(_args: &DoctorArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `doctor` is not there yet");
    Exit::Input
}
