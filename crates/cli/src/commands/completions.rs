//! `everypath completions`: what a shell needs to complete the command line.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use everypath_verdict::Exit;

use crate::args::Cli;
use crate::print;

const EXAMPLES: &str = "\
Examples:
  everypath completions bash > ~/.local/share/bash-completion/completions/everypath
  everypath completions zsh > ~/.zfunc/_everypath
  everypath completions fish > ~/.config/fish/completions/everypath.fish";

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Prints the completions for a shell.
pub fn completions(args: &CompletionsArgs) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "everypath", &mut text);
    print(&String::from_utf8_lossy(&text));
    Exit::Ok
}
