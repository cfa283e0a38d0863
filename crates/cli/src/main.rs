//! The everypath command.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: everypath_cli::Allocator = everypath_cli::Allocator;

fn main() -> ExitCode {
    ExitCode::from(everypath_cli::run(std::env::args_os().collect()).code())
}
