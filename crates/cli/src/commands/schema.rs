//! `everypath schema`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {}

/// Print the JSON schemas of the documents.
pub fn schema(_args: &SchemaArgs, _environment: &Environment) -> Exit {
    eprintln!("error: `schema` is not there yet");
    Exit::Input
}
