//! `everypath jpf`: the files and options of Java PathFinder, with the answer of `everypath check`.

mod options;
mod properties;

use std::path::{Path, PathBuf};

use clap::{CommandFactory, FromArgMatches};
use everypath_model::visible;
use everypath_verdict::Exit;

use crate::args::{Cli, Command};
use crate::commands::check::check;
use crate::config::Environment;
use crate::settings::Request;
use crate::{complain, print, tell};
use options::{Translated, translate};
use properties::{Properties, list};

const HELP: &str = "\
Take the files and options of Java PathFinder

Usage: everypath jpf [+KEY=VALUE]... FILE.jpf
       everypath jpf [+KEY=VALUE]... CLASS [ARG]...

  +KEY=VALUE   set a key; +KEY+=VALUE appends to it, ++KEY=VALUE puts it in front
  -show        print all keys with where they come from, and check nothing
  -- OPTION..  options of `everypath check`, such as --format json

The program is `target` on `classpath`; a class that is not compiled is, if its source is there. The
command that does the same is printed, with the keys that were honoured, those that have no effect and
why, and what was asked and is not looked at: then the exit code is 3 at best.

Exit codes: 0 holds, 1 violated, 2 bad input, 3 inconclusive, 101 internal error.
";

/// Options of Java PathFinder that change nothing here.
const SWITCHES: [&str; 5] = ["-log", "-features", "-addproject", "-debug", "-v"];

/// Does what Java PathFinder would do with these arguments.
pub fn run(args: &[String], environment: &Environment) -> Exit {
    match start(args, environment) {
        Ok(exit) => exit,
        Err(message) => {
            tell("error", &message);
            complain("help: everypath jpf --help\n");
            Exit::Input
        }
    }
}

fn start(args: &[String], environment: &Environment) -> Result<Exit, String> {
    let end = args.iter().position(|word| word == "--").unwrap_or(args.len());
    let (args, own) = (&args[..end], args.get(end + 1..).unwrap_or_default());
    if args.iter().any(|word| matches!(word.as_str(), "-help" | "--help" | "-h")) || args.is_empty()
    {
        print(HELP);
        return Ok(if args.is_empty() { Exit::Input } else { Exit::Ok });
    }
    let mut properties = Properties::default();
    let mut words = args.iter().filter(|word| !word.starts_with('+') && !word.starts_with('-'));
    let mut rest = Vec::new();
    // The command line comes last, so that it counts more.
    if let Some(first) = words.next() {
        if first.ends_with(".jpf") {
            properties.read(Path::new(first))?;
        } else {
            properties.put("target", first, "command line");
        }
        rest.extend(words.cloned());
    }
    for option in args.iter().filter_map(|word| word.strip_prefix('+')) {
        properties.option(option)?;
    }
    let mut switches = args.iter().filter(|word| word.starts_with('-') && *word != "-show");
    if let Some(switch) = switches.find(|word| !SWITCHES.contains(&word.as_str())) {
        return Err(format!("unknown option {switch}"));
    }
    if !rest.is_empty() {
        properties.put("target.args", &rest.join(","), "command line");
    }
    if args.iter().any(|word| word == "-show") {
        for (key, value, place) in properties.all() {
            let line = format!("{key} = {value}   ({place})");
            print(&format!("{}\n", visible(&line)));
        }
        return Ok(Exit::Ok);
    }
    let translated = translate(&properties)?;
    let mut command = vec!["everypath".to_owned(), "check".to_owned()];
    command.extend(program(&properties)?);
    command.extend(translated.words.iter().cloned());
    command.extend(own.iter().cloned());
    report(&command, &translated);
    let matches = Cli::command().try_get_matches_from(&command).map_err(|error| {
        let text = error.to_string();
        text.lines().next().unwrap_or("").trim_start_matches("error: ").to_owned()
    })?;
    let parsed = Cli::from_arg_matches(&matches).map_err(|error| error.to_string())?;
    let (Command::Check(args), Some(matches)) =
        (parsed.command, matches.subcommand_matches("check"))
    else {
        return Ok(Exit::Internal);
    };
    let request = Request { args: &args, matches, argv: command, environment, recorded: false };
    let exit = check(&request);
    Ok(match translated.unchecked.is_empty() {
        true => exit,
        false => exit.and(Exit::Inconclusive),
    })
}

/// The words that say which program is checked.
fn program(properties: &Properties) -> Result<Vec<String>, String> {
    let target = properties.get("target").filter(|target| !target.is_empty());
    let target = target.ok_or("no target: name a class, or set `target`")?;
    let folder = PathBuf::from(properties.get("config_path").unwrap_or("."));
    let here = |path: &str| match Path::new(path).is_absolute() || Path::new(path).exists() {
        true => PathBuf::from(path),
        // What does not exist from here may do so from the file.
        false => folder.join(path),
    };
    let paths = |key: &str| -> Vec<PathBuf> {
        let value = properties.get(key).unwrap_or_default();
        list(value).flat_map(|part| part.split(':')).map(here).collect()
    };
    let (classes, sources) = (paths("classpath"), paths("sourcepath"));
    let file = target.replace('.', "/");
    let class = PathBuf::from(format!("{file}.class"));
    let source = PathBuf::from(format!("{file}.java"));
    let around = [folder.clone(), PathBuf::from(".")];
    let jar = |place: &&PathBuf| place.extension().is_some_and(|e| e == "jar") && place.is_file();
    let compiled = classes.iter().chain(&around).find(|place| place.join(&class).is_file());
    let text = || {
        let places = sources.iter().chain(&classes).chain(&around);
        places.map(|place| place.join(&source)).find(|path| path.is_file())
    };
    let input = match (compiled, classes.iter().find(jar)) {
        (Some(place), _) => place.clone(),
        (None, first) => match (text(), first) {
            (Some(path), _) => path,
            (None, Some(jar)) => jar.clone(),
            (None, None) => {
                return Err(format!("there is no class {target} on the class path, and no source"));
            }
        },
    };
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut words = vec![text(&input), format!("--main={target}")];
    for (option, places) in [("class-path", &classes), ("source-path", &sources)] {
        let places: Vec<&PathBuf> = places.iter().filter(|place| **place != input).collect();
        if !places.is_empty() {
            let joined = std::env::join_paths(places).map_err(|error| error.to_string())?;
            words.push(format!("--{option}={}", joined.to_string_lossy()));
        }
    }
    let arguments = properties.get("target.args").or_else(|| properties.get("target_args"));
    words.extend(list(arguments.unwrap_or_default()).map(|argument| format!("--arg={argument}")));
    Ok(words)
}

/// Says which command does the same, and what became of the keys.
fn report(command: &[String], translated: &Translated) {
    let quoted = |word: &String| match word.contains([' ', '*', '$', ';']) {
        true => format!("'{word}'"),
        false => word.clone(),
    };
    let line: Vec<String> = command.iter().map(quoted).collect();
    tell("note", &format!("the same: {}", line.join(" ")));
    let Translated { honoured, ignored, unchecked, .. } = translated;
    for (what, list) in [("honoured", honoured), ("ignored", ignored), ("not checked", unchecked)] {
        list.iter().for_each(|one| tell("note", &format!("{what}: {one}")));
    }
}
