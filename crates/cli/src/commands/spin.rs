//! `everypath spin`.

use clap::Args;
use everypath_verdict::Exit;

use crate::config::Environment;

/// Arguments of `spin`: those of SPIN, which are read by `crate::spin`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct SpinArgs {
    /// SPIN's flags and the model
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,
}

/// Takes SPIN's command lines.
pub fn spin(args: &SpinArgs, environment: &Environment) -> Exit {
    crate::spin::run(&args.args, environment)
}
