//! `everypath jpf`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `jpf`: those of Java PathFinder, which are read by `crate::jpf`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct JpfArgs {
    /// A .jpf file or a class, and +KEY=VALUE options
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,
}

/// Takes the files and options of Java PathFinder.
pub fn jpf(args: &JpfArgs, environment: &Environment) -> Exit {
    crate::jpf::run(&args.args, environment)
}
