//! The everypath command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(everypath_cli::run(std::env::args_os().collect()).code())
}
