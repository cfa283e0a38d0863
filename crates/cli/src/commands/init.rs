//! `everypath init`: a first everypath.toml for the models that are there.

use std::fmt::Write;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use everypath_lang_java::LIBRARY;
use everypath_model::shown;
use everypath_verdict::Exit;

use crate::input::reason;
use crate::settings::file::NAME;
use crate::settings::show::quoted;
use crate::settings::targets::{self, Unlisted};
use crate::{print, tell};

/// Models that get an entry of their own; more of them get a pattern.
const LISTED: usize = 20;

const HEAD: &str = "\
# Settings of Everypath. `everypath check` without a file checks all targets below;
# `everypath check --show-config` prints every setting with where it comes from.
# The command line is stronger than EVERYPATH_.. variables, and those than this file.

[check]
# Every option of `everypath check` can stand here, by its long name.
# time = \"10m\"          # stop each model after this time
# mem = \"4GiB\"          # and at this memory
# all-errors = true     # search to the end after a violation
# format = \"full\"

# A target is a file, a directory, or a pattern such as \"models/**/*.pml\", with its own settings:
#   define = { N = 3 }          macros, as with -D
#   invariant = [\"n <= N\"]      conditions on every state
#   only = [\"assertions\"]       the properties to check
#   expect = \"violated\"         the verdict that is wanted
# and with what is expected of single properties:
#   [[target.prop]]
#   name = \"deadlock\"
#   expect = \"violated\"
#   reason = \"philosophers who are all hungry starve\"
";

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Where the models are, and where the file is written
    #[arg(value_name = "DIR", default_value = ".")]
    pub directory: PathBuf,

    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,

    /// Print the file instead of writing it
    #[arg(long, conflicts_with = "force")]
    pub stdout: bool,

    /// Write the Java classes everypath.Verify and everypath.Explore below DIR instead (src/test/java)
    #[arg(long, conflicts_with = "stdout")]
    pub java: bool,
}

/// The files of the Java library that programs and tests are written with.
const JAVA: [&str; 2] = ["everypath/Verify.java", "everypath/Explore.java"];

/// Writes the Java library.
fn java(args: &InitArgs) -> Exit {
    for name in JAVA {
        let path = args.directory.join(name);
        let Some((_, text)) = LIBRARY.iter().find(|(known, _)| *known == name) else { continue };
        if path.exists() && !args.force {
            tell("error", &format!("{} is there already (--force replaces it)", shown(&path)));
            return Exit::Input;
        }
        let folder = path.parent().unwrap_or(&args.directory);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        if let Err(error) = written {
            tell("error", &format!("cannot write {}: {}", shown(&path), reason(&error)));
            return Exit::Input;
        }
        print(&format!("wrote {}\n", shown(&path)));
    }
    Exit::Ok
}

/// Writes an everypath.toml.
pub fn init(args: &InitArgs) -> Exit {
    if args.java {
        return java(args);
    }
    match write(args) {
        Ok(()) => Exit::Ok,
        Err(message) => {
            tell("error", &message);
            Exit::Input
        }
    }
}

fn write(args: &InitArgs) -> Result<(), String> {
    let directory = &args.directory;
    let models = targets::models(directory, None).map_err(|unlisted| match unlisted {
        Unlisted::Wrong(why) => format!("cannot look through {}: {why}", shown(directory)),
        Unlisted::Ended => "interrupted".to_owned(),
    })?;
    let text = content(directory, &models);
    if args.stdout {
        print(&text);
        return Ok(());
    }
    let path = directory.strip_prefix(".").unwrap_or(directory).join(NAME);
    let mut options = OpenOptions::new();
    match args.force {
        true => options.write(true).create(true).truncate(true),
        false => options.write(true).create_new(true),
    };
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => {
            format!("{} is there already; --force replaces it", shown(&path))
        }
        _ => format!("cannot write {}: {}", shown(&path), reason(&error)),
    };
    let mut file = options.open(&path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    let count = match models.len() {
        1 => "1 model".to_owned(),
        n => format!("{n} models"),
    };
    print(&format!("wrote {} with {count}; next: everypath check\n", shown(&path)));
    Ok(())
}

fn content(directory: &Path, models: &[PathBuf]) -> String {
    let mut out = HEAD.to_owned();
    let names: Vec<String> = models
        .iter()
        .map(|path| path.strip_prefix(directory).unwrap_or(path))
        .map(|path| path.to_string_lossy().replace('\\', "/"))
        .collect();
    if names.is_empty() {
        out += "\n# [[target]]\n# path = \"models\"\n";
    } else if names.len() <= LISTED {
        for name in &names {
            let _ = write!(out, "\n[[target]]\npath = {}\n", quoted(name));
        }
    } else {
        let _ = write!(out, "\n# All {} models below this directory.\n", names.len());
        out += "[[target]]\npath = \".\"\n";
    }
    out
}
