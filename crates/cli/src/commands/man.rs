//! `everypath man`: manual pages from the definition of the command line.

use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use everypath_model::{most_similar, shown};
use everypath_verdict::Exit;

use crate::args::Cli;
use crate::input::reason;
use crate::{print, tell};

const EXAMPLES: &str = "\
Examples:
  everypath man | man -l -
  everypath man check | man -l -
  everypath man --dir ~/.local/share/man/man1";

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// The command that the page is about
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    pub command: Option<String>,

    /// Write all pages to this directory
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Prints a manual page, or writes all of them.
pub fn man(args: &ManArgs) -> Exit {
    let mut command = Cli::command();
    // Gives the subcommands their full names.
    command.build();
    let done = match (&args.dir, &args.command) {
        (Some(dir), _) => write_all(&command, dir),
        (None, None) => page(command).map(|page| print(&page)),
        (None, Some(name)) => find(&command, name).and_then(page).map(|page| print(&page)),
    };
    match done {
        Ok(()) => Exit::Ok,
        Err(message) => {
            tell("error", &message);
            Exit::Input
        }
    }
}

/// The command of this name.
fn find(command: &Command, name: &str) -> Result<Command, String> {
    let all = || command.get_subcommands().map(Command::get_name);
    let Some(found) = command.find_subcommand(name) else {
        let help = match most_similar(name, all()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", all().collect::<Vec<_>>().join(", ")),
        };
        return Err(format!("there is no command `{name}`; {help}"));
    };
    Ok(found.clone())
}

fn page(command: Command) -> Result<String, String> {
    let mut text = Vec::new();
    let man = Man::new(command).source(concat!("everypath ", env!("CARGO_PKG_VERSION")));
    man.manual("Everypath").render(&mut text).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn write_all(command: &Command, dir: &Path) -> Result<(), String> {
    let failed = |path: &Path, error: &std::io::Error| {
        format!("cannot write {}: {}", shown(path), reason(error))
    };
    std::fs::create_dir_all(dir).map_err(|error| failed(dir, &error))?;
    let write = |name: &str, page: String| {
        let path = dir.join(format!("{name}.1"));
        std::fs::write(&path, page).map_err(|error| failed(&path, &error))
    };
    write("everypath", page(command.clone())?)?;
    for sub in command.get_subcommands() {
        let name = sub.get_name();
        write(&format!("everypath-{name}"), page(find(command, name)?)?)?;
    }
    Ok(())
}
