//! `everypath reproduce`: a failing run of a Java program on the real virtual machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use everypath_lang_java::{Jdk, Program, Reproduction};
use everypath_model::{Action, shown};
use everypath_verdict::{Ending, Exit, Strictness, Trace};

use crate::args::LayoutArgs;
use crate::config::Environment;
use crate::input::reason;
use crate::java::{self, Asked, Opened};
use crate::reading::Reading;
use crate::render::style::Style;
use crate::render::units::plural;
use crate::{evidence, print, tell};

const EXAMPLES: &str = "\
Examples:
  everypath reproduce last                 the failing run of the last check, on the JVM
  everypath reproduce last -o repro        the same, and keep what runs it: repro/run.sh
  everypath reproduce result.json --no-run -o repro

Exit codes: 1 the run fails on the JVM as well, 2 bad input, 3 it does not, or it cannot be forced.";

/// How long a run may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Arguments of `reproduce`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReproduceArgs {
    /// The trace: last, last:2, trace.json, result.json
    #[arg(value_name = "TRACE", default_value = "last")]
    pub trace: String,

    /// Write the classes, the schedule and a script that runs them to a directory
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// The program is trusted: its code may run without a warning, and when it is compiled, as with `check --trust`
    #[arg(long)]
    pub trust: bool,

    /// Write the files and do not run the program
    #[arg(long, requires = "output")]
    pub no_run: bool,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// Makes a program fail on the real virtual machine as it does in a trace.
pub fn reproduce(args: &ReproduceArgs, environment: &Environment) -> Exit {
    let (_, notes) = environment.styles(&args.layout);
    match run(args, &notes) {
        Ok(exit) | Err(Failure::Told(exit)) => exit,
        Err(Failure::Input(message)) => {
            tell("error", &message);
            Exit::Input
        }
        Err(Failure::Impossible(message)) => {
            tell("note", &message);
            Exit::Inconclusive
        }
    }
}

/// Why there is no run.
enum Failure {
    /// It was said already.
    Told(Exit),
    Input(String),
    /// The run cannot be forced.
    Impossible(String),
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Input(format!("cannot write {}: {}", shown(path), reason(error)))
}

fn run(args: &ReproduceArgs, notes: &Style) -> Result<Exit, Failure> {
    let trace = evidence::trace(&args.trace).map_err(Failure::Input)?;
    if trace.model.lang != java::LANG {
        let message =
            "only runs of Java programs can be reproduced on a JVM: `everypath replay` runs others";
        return Err(Failure::Input(message.to_owned()));
    }
    if trace.result.property.starts_with("race@") {
        let message =
            "a data race shows in no single run: both orders of the accesses are possible";
        return Err(Failure::Impossible(message.to_owned()));
    }
    let jdk = Jdk::find().map_err(Failure::Input)?;
    let recorded = trace.model.reading.clone().unwrap_or_default();
    let reading = Reading { trust: args.trust, ..Reading::from(&recorded) };
    let main = trace.model.sources.first().map_or("", |source| &source.path);
    let path = PathBuf::from(recorded.input.as_deref().unwrap_or(main));
    let program = crate::run_java::ready(&path, &reading, Asked::of(&recorded), notes);
    let program = program.map_err(Failure::Told)?;
    let actions = actions_of(&program, &trace)?;
    let made = program.reproduction(&actions).map_err(|error| Failure::Impossible(error.0))?;
    for doubt in &made.doubts {
        tell("note", &format!("{doubt}, which is not forced"));
    }
    if made.forced == 0 {
        let message = "no step of the run begins in the program's own code";
        return Err(Failure::Impossible(message.to_owned()));
    }
    let folder = Folder::new(args.output.as_deref())?;
    let words = write(&folder.path, &jdk, &program, &made)?;
    let steps = plural(made.steps as u64, "step", "steps");
    print(&format!(
        "{} of {steps} begin at places where the threads wait for their turns\n",
        made.forced
    ));
    if args.output.is_some() {
        print(&format!("wrote {}\n", shown(&folder.path.join("run.sh"))));
    }
    if args.no_run {
        return Ok(Exit::Ok);
    }
    if !args.trust {
        tell(
            "warning",
            &format!(
                "{} of {} runs on the JVM of this machine now, with all your rights; --trust leaves this out",
                program.main(),
                shown(&path)
            ),
        );
    }
    execute(&jdk, &words, &folder.path)
}

/// The actions of a trace on a program.
fn actions_of(program: &Opened, trace: &Trace) -> Result<Vec<Action>, Failure> {
    let _ = program.prepare_assumptions();
    let system: &Program = program;
    let again =
        || everypath_verdict::rerun(system, trace, program.sources(), Strictness::Strict).ok();
    let rerun = again().or_else(|| {
        java::learn(system);
        again()
    });
    match rerun {
        Some(rerun) if !matches!(rerun.ending, Ending::Nothing(_)) => Ok(rerun.actions),
        _ => Err(Failure::Input(
            "the trace is not a failing run of the program any more (see `everypath replay`)"
                .to_owned(),
        )),
    }
}

/// A directory that stays if it was asked for.
struct Folder {
    path: PathBuf,
    stays: bool,
}

impl Folder {
    fn new(named: Option<&Path>) -> Result<Folder, Failure> {
        let stays = named.is_some();
        let path = match named {
            Some(path) => path.to_owned(),
            None => java::private_folder("everypath-reproduce")
                .map_err(|error| cannot_write(&std::env::temp_dir(), &error))?,
        };
        fs::create_dir_all(path.join("classes")).map_err(|error| cannot_write(&path, &error))?;
        Ok(Folder { path, stays })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.stays {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Writes everything, and gives the words of the command that runs it in the directory.
fn write(
    folder: &Path,
    jdk: &Jdk,
    program: &Opened,
    made: &Reproduction,
) -> Result<Vec<String>, Failure> {
    let classes = folder.join("classes");
    let put = |name: &str, bytes: &[u8]| {
        // A class file says itself what its class is called.
        if name.split('/').any(|part| matches!(part, "" | "." | "..")) {
            let message = format!("`{name}` is no name for a file");
            return Err(Failure::Impossible(message));
        }
        let path = classes.join(name);
        let parent = path.parent().unwrap_or(&classes).to_owned();
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, bytes));
        written.map_err(|error| cannot_write(&path, &error))
    };
    let mut class_path = vec!["classes".to_owned()];
    for place in program.class_path() {
        if program.is_made(place) {
            copy_classes(place, &classes).map_err(|error| cannot_write(&classes, &error))?;
        } else {
            let real = fs::canonicalize(place).unwrap_or_else(|_| place.clone());
            class_path.push(real.to_string_lossy().into_owned());
        }
    }
    for (name, bytes) in &made.classes {
        put(name, bytes)?;
    }
    put("everypath-schedule.txt", made.schedule.as_bytes())?;
    let harness = java::compile_library(jdk, "everypath/Replay.java")
        .map_err(|error| Failure::Input(error.message))?;
    copy_classes(harness.path(), &classes).map_err(|error| cannot_write(&classes, &error))?;
    let separator = if cfg!(windows) { ";" } else { ":" };
    let mut words: Vec<String> = ["-ea", "-cp"].map(str::to_owned).to_vec();
    words.push(class_path.join(separator));
    words.push("everypath.Replay".to_owned());
    words.push(program.main().to_owned());
    words.extend(program.arguments().iter().cloned());
    let quoted: Vec<String> =
        words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let script = format!(
        "#!/bin/sh\n# Runs the program with the schedule in classes/everypath-schedule.txt.\n\
         # Exit code 1: it failed as it should.\ncd \"$(dirname \"$0\")\" || exit 2\nexec \"${{JAVA:-java}}\" {}\n",
        quoted.join(" ")
    );
    let path = folder.join("run.sh");
    fs::write(&path, script).map_err(|error| cannot_write(&path, &error))?;
    Ok(words)
}

/// Copies class files with their folders.
fn copy_classes(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy_classes(&path, &target)?;
        } else if path.extension().is_some_and(|extension| extension == "class") {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// Runs it and says what came of it.
fn execute(jdk: &Jdk, words: &[String], folder: &Path) -> Result<Exit, Failure> {
    let java = jdk.java();
    let started =
        Command::new(&java).args(words).current_dir(folder).stdin(Stdio::null()).spawn().map_err(
            |error| Failure::Input(format!("cannot run {}: {}", shown(&java), reason(&error))),
        );
    let mut child = started?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.code(),
            Ok(None) if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(20)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                let message = "the program did not end on the JVM within a minute";
                return Err(Failure::Impossible(message.to_owned()));
            }
        }
    };
    match status {
        Some(0) => {
            print("the run does not fail on the JVM: not all of its steps can be forced\n");
            Ok(Exit::Inconclusive)
        }
        Some(_) => {
            print("the run fails on the JVM\n");
            Ok(Exit::Violation)
        }
        None => Err(Failure::Impossible("the JVM was ended by a signal".to_owned())),
    }
}
