//! `everypath doctor`: what there is, what is missing, and what it matters for.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use everypath_model::shown;
use everypath_render::units;
use everypath_verdict::Exit;
use serde::Serialize;

use crate::args::LayoutArgs;
use crate::config::Environment;
use crate::render::json;
use crate::render::style::{Paint, Style, pad};
use crate::{memory, print, settings};

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// What to print
    #[arg(long, value_name = "FMT", default_value = "full")]
    pub format: DoctorFormat,

    /// How the output looks.
    #[command(flatten)]
    pub layout: LayoutArgs,
}

/// `--format`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DoctorFormat {
    /// For people
    Full,
    /// For programs
    Json,
}

/// The document `everypath.doctor/1`.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    version: &'static str,
    build: String,
    cpus: Option<usize>,
    memory_bytes: Option<u64>,
    memory_limit_bytes: Option<u64>,
    default_limit_bytes: Option<u64>,
    stdout_terminal: bool,
    color: bool,
    columns: usize,
    config: Option<String>,
    runs: String,
    runs_writable: bool,
    programs: Vec<Program>,
}

/// A program that everypath can work with.
#[derive(Debug, Serialize)]
struct Program {
    name: &'static str,
    found: Option<PathBuf>,
    version: Option<String>,
    needed_for: &'static str,
    install: &'static str,
}

/// Name, programs that will do, how to ask for the version, what for, how to get it.
const PROGRAMS: [(&str, &[&str], &str, &str, &str); 3] = [
    (
        "SPIN",
        &["spin"],
        "-V",
        "comparing with SPIN (cargo xtask); no check needs it",
        "apt install spin, brew install spin",
    ),
    (
        "C compiler",
        &["cc", "gcc", "clang"],
        "--version",
        "building everypath, comparing with SPIN; no check needs it",
        "apt install gcc, xcode-select --install",
    ),
    (
        "JDK",
        &["javac"],
        "-version",
        "checking Java programs",
        "apt install openjdk-17-jdk-headless",
    ),
];

/// Says what is installed and what is missing.
pub fn doctor(args: &DoctorArgs, environment: &Environment) -> Exit {
    let (style, _) = environment.styles(&args.layout);
    let report = examine(environment, &style);
    let text = match args.format {
        DoctorFormat::Full => full(&report, &style),
        DoctorFormat::Json => json::line(&report),
    };
    print(&text);
    // A machine whose memory nobody knows works, without a default limit. Nothing is essential
    // but the program itself.
    Exit::Ok
}

fn examine(environment: &Environment, style: &Style) -> Report {
    let folder = settings::project();
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    Report {
        schema: "everypath.doctor/1",
        version: env!("CARGO_PKG_VERSION"),
        build: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        cpus: std::thread::available_parallelism().ok().map(Into::into),
        memory_bytes: memory::machine(),
        memory_limit_bytes: memory::group(),
        default_limit_bytes: memory::default_limit(),
        stdout_terminal: environment.stdout_tty,
        color: style.color,
        columns: style.width,
        config: settings::file::find().map(|path| shown(&path)),
        runs: shown(&folder.join(".everypath")),
        runs_writable: writable(here),
        programs: PROGRAMS.iter().map(program).collect(),
    }
}

/// Whether a file can be made in a directory.
fn writable(directory: &Path) -> bool {
    let probe = directory.join(format!(".everypath-probe-{}", std::process::id()));
    let made = std::fs::File::create_new(&probe).is_ok();
    if made {
        let _ = std::fs::remove_file(probe);
    }
    made
}

fn program(
    &(name, names, flag, needed_for, install): &(
        &'static str,
        &'static [&'static str],
        &'static str,
        &'static str,
        &'static str,
    ),
) -> Program {
    let found = names.iter().find_map(|name| on_path(name));
    let version = found.as_ref().filter(|_| !flag.is_empty()).and_then(|path| version(path, flag));
    Program { name, found, version, needed_for, install }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(&name)).find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// The first line that a program says about itself, if it says it in time.
fn version(path: &Path, flag: &str) -> Option<String> {
    let mut child = Command::new(path)
        .arg(flag)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let start = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().ok()?;
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    let text = String::from_utf8_lossy(&text).into_owned();
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

fn full(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    let mut line = |name: &str, text: &str| {
        let text = style.clip(&style.clean(text), style.width.saturating_sub(15));
        let _ = writeln!(out, "{}  {text}", style.paint(Paint::Strong, &pad(name, 13)));
    };
    let size = |bytes: Option<u64>| bytes.map_or("not known".to_owned(), units::bytes);
    line("everypath", &format!("{} ({})", report.version, report.build));
    line("processors", &report.cpus.map_or("not known".to_owned(), |n| n.to_string()));
    let group = report
        .memory_limit_bytes
        .map(|limit| format!(", of which this process group may use {}", units::bytes(limit)));
    line("memory", &(size(report.memory_bytes) + &group.unwrap_or_default()));
    line("default --mem", &size(report.default_limit_bytes));
    let terminal = if report.stdout_terminal { "yes" } else { "no" };
    let color = if report.color { "with colours" } else { "without colours" };
    line("terminal", &format!("{terminal}, {color}, {} columns", report.columns));
    line(
        "config",
        report.config.as_deref().unwrap_or("no everypath.toml; `everypath init` makes one"),
    );
    let writable =
        if report.runs_writable { "" } else { " (cannot be written: runs are not kept)" };
    line("runs", &format!("{}{writable}", report.runs));
    out.push('\n');
    for program in &report.programs {
        let (mark, text) = match (&program.found, &program.version) {
            (Some(path), Some(version)) => ("found", format!("{version} ({})", shown(path))),
            (Some(path), None) => ("found", shown(path)),
            (None, _) => ("missing", format!("to install: {}", program.install)),
        };
        let paint = if mark == "found" { Paint::Good } else { Paint::Warn };
        let room = style.width.saturating_sub(24);
        let text = style.clip(&style.clean(&text), room);
        let mark = style.paint(paint, &pad(mark, 7));
        let _ = writeln!(out, "{}  {mark}  {text}", pad(program.name, 13));
        let needed = style.clip(&format!("for {}", program.needed_for), room);
        let _ = writeln!(out, "{}{needed}", " ".repeat(24));
    }
    out
}
