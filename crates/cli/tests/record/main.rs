//! The record: what the program answers about every example under a table of options.
//!
//! A change of how the program is built must not change what it says. For each example there is a file beside this one
//! with the exit code and both streams of each row of the table, without times and sizes. What is long, or a document,
//! is there as a digest. The whole texts are written below the target directory, to be compared with those of another
//! build:
//!
//! ```text
//! EVERYPATH_RECORD=write cargo test -p everypath-cli --test record      # write the record anew
//! diff -r OTHER/target/tmp/record target/tmp/record                     # what is different, in full
//! ```

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use everypath_testkit::needs;
use everypath_testkit::spin::parallel;
use everypath_verdict::sha256_hex;
use serde_json::Value;

/// What comes behind every command that searches: no answer depends on the machine.
const ALIKE: &[&str] = &["--no-save", "--mem", "4GiB", "-j", "1"];

/// Programs with too many runs for a search that takes one after the other.
const MANY_RUNS: &[&str] = &["FutureChain", "RemoteAgent", "RemoteAgentFixed"];

/// Lines of a stream that the record keeps; a longer one is kept as a digest.
const KEPT: usize = 80;

const PROMELA: &[&[&str]] = &[
    &["check"],
    &["check", "--all-errors", "--reduce", "none", "--exec", "interp", "-v"],
    &["check", "--search", "dfs", "-q"],
    &["check", "--shortest", "--format", "json"],
    &[
        "check",
        "--fair",
        "weak",
        "--reduce",
        "default,symmetry,transactions",
        "--format",
        "concise",
    ],
    &["check", "--trace", "full", "--format", "sarif"],
    &["lint"],
    &["sim", "--seed", "7", "--steps", "40"],
];

const JAVA: &[&[&str]] = &[
    &["check"],
    &["check", "--all-errors", "--format", "json"],
    &["check", "--search", "stateless", "--all-errors", "--format", "concise"],
    &["check", "--search", "dfs", "--coverage", "-v"],
    &["sim", "--seed", "7", "--steps", "60"],
];

/// Questions to flow graphs.
const FLOW: &[&[&str]] = &[
    &[
        "flow",
        "examples/flow/forks.pml",
        "--pattern",
        "absence after; P = up.1; Q = Philosopher1.start",
    ],
    &[
        "flow",
        "examples/flow/forks.pml",
        "--property",
        "examples/flow/forks.qre",
        "--refine",
        "auto",
    ],
    &["flow", "examples/flow/philosophers.flow", "--property", "examples/flow/raised-twice.qre"],
    &[
        "flow",
        "examples/flow/philosophers.flow",
        "--property",
        "examples/flow/raised-twice.qre",
        "--refine",
        "auto",
        "--format",
        "json",
    ],
    &[
        "flow",
        "examples/flow/lander.flow",
        "--property",
        "examples/flow/lander.qre",
        "--refine",
        "auto",
    ],
    &[
        "flow",
        "examples/flow/lander-fixed.flow",
        "--property",
        "examples/flow/lander.qre",
        "--refine",
        "auto",
    ],
    &["flow", "examples/flow/lander.flow", "--show", "objects"],
    &["flow", "examples/flow/forks.pml"],
];

/// The same, and others, to Java programs.
const JAVA_RUNS: &[&[&str]] = &[
    &["flow", "examples/flow/Philosophers.java", "--show", "objects"],
    &[
        "flow",
        "examples/flow/Philosophers.java",
        "--events",
        "examples/flow/philosophers.events",
        "--property",
        "examples/flow/raised-twice.qre",
        "--refine",
        "auto",
    ],
    &["races", "examples/java/Ledgers.java", "--seed", "3"],
    &["races", "examples/java/GatedLocks.java", "--seed", "3", "--format", "json"],
    &["check", "examples/java/counter.jpf", "--no-save", "-j", "1"],
    &["jpf", "examples/java/counter.jpf"],
    &[
        "check",
        "examples/java/tests/AccountTest.java",
        "--no-save",
        "-j",
        "1",
        "--format",
        "concise",
    ],
];

/// What needs no model, or many.
const OTHERS: &[&[&str]] = &[
    &["check", "--config", "examples/models.toml", "--no-save", "-j", "1", "--format", "concise"],
    &["check", "examples/no-such-file.pml"],
    &["check", "examples/promela/counter.pml", "--only", "nothing"],
    &["check", "examples/promela/counter.pml", "--search", "stateless"],
    &["check", "examples/promela/peterson.pml", "--ltl", "[]<>(turn == 0)", "--no-save", "-j", "1"],
    &[
        "check",
        "examples/properties/elevator.pml",
        "--no-save",
        "--mem",
        "4GiB",
        "-j",
        "1",
        "--show-config",
    ],
    &["automaton", "[](p -> <>q)"],
    &["automaton", "--format", "hoa", "G F p & F G q"],
    &["prop", "list"],
    &["prop", "show", "[](p -> <>q)"],
    &["explain", "EP0101"],
    &["explain", "EP1405"],
    &["schema"],
    &["lint", "examples/promela/histogram.pml", "--format", "json"],
];

/// A directory of examples.
fn examples(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(root().join("examples").join(folder))
        .expect("the examples")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    all.sort();
    all
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// What a command said.
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(words: &[&str]) -> Said {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("record-home");
    fs::create_dir_all(&home).expect("a directory");
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(words)
        .current_dir(root())
        .env("XDG_STATE_HOME", &home)
        .env("COLUMNS", "100")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("GITHUB_STEP_SUMMARY")
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    Said {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Fields of documents that say how long something took, how large it was, or who said it.
const MEASURED: &[&str] = &[
    "wall_s",
    "peak_bytes",
    "bytes",
    "bytes_per_state",
    "memory_bytes",
    "argv",
    "tool",
    "startTimeUtc",
    "endTimeUtc",
    "commandLine",
    "version",
    "semanticVersion",
];

fn without_measures(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !MEASURED.contains(&name.as_str()));
            fields.values_mut().for_each(without_measures);
        }
        Value::Array(items) => items.iter_mut().for_each(without_measures),
        _ => {}
    }
}

/// A text without times and sizes: numbers before a unit become `_`.
fn unmeasured(text: &str) -> String {
    if let Ok(mut document) = serde_json::from_str::<Value>(text)
        && document.is_object()
    {
        without_measures(&mut document);
        return serde_json::to_string_pretty(&document).expect("a document") + "\n";
    }
    let mut out = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        for (at, word) in words.iter().enumerate() {
            let unit =
                words.get(at + 1).map_or("", |next| next.trim_end_matches([',', ';', ')', '.']));
            let word = word.trim_start_matches('(');
            let number = word.starts_with(|c: char| c.is_ascii_digit())
                && word.chars().all(|c| c.is_ascii_digit() || ".,".contains(c));
            let measure =
                ["s", "ms", "us", "B", "KiB", "MiB", "GiB", "states/s", "B/state"].contains(&unit);
            if at > 0 {
                out.push(' ');
            }
            out.push_str(if number && measure { "_" } else { words[at] });
        }
        out.push('\n');
    }
    out
}

/// A stream as the record keeps it.
fn kept(name: &str, text: &str) -> String {
    let lines = text.lines().count();
    let document = text.starts_with('{');
    match lines {
        0 => String::new(),
        _ if document || lines > KEPT => {
            let digest = sha256_hex(text.as_bytes());
            format!("{name}: {lines} lines, {}\n", &digest[..16])
        }
        _ => format!("{name}:\n{text}"),
    }
}

/// Runs the commands and compares what they say with the file of this name.
fn recorded(name: &str, commands: &[Vec<&str>]) -> Result<(), String> {
    let whole = Path::new(env!("CARGO_TARGET_TMPDIR")).join("record");
    fs::create_dir_all(&whole).expect("a directory");
    let mut text = String::new();
    for (row, words) in commands.iter().enumerate() {
        let said = run(words);
        let (out, err) = (unmeasured(&said.out), unmeasured(&said.err));
        let line = words.join(" ");
        let full = format!("$ everypath {line}\nexit {:?}\n{out}--- stderr\n{err}", said.code);
        fs::write(whole.join(format!("{name}.{row}.txt")), full).expect("written");
        let code = said.code.map_or("by a signal".to_owned(), |code| code.to_string());
        let _ = write!(
            text,
            "$ everypath {line}\nexit {code}\n{}{}\n",
            kept("out", &out),
            kept("err", &err)
        );
    }
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/record").join(format!("{name}.txt"));
    if std::env::var_os("EVERYPATH_RECORD").is_some_and(|how| how == "write") {
        fs::write(file, text).expect("written");
        return Ok(());
    }
    let known = fs::read_to_string(&file).unwrap_or_default();
    let (mut ours, mut theirs) = (text.lines(), known.lines());
    let mut command = "";
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return Ok(()),
            (new, old) if new == old => {
                command = new.filter(|line| line.starts_with("$ ")).unwrap_or(command);
            }
            (new, old) => {
                let [new, old] = [new, old].map(|line| line.unwrap_or("the end"));
                return Err(format!("{name}, {command}:\n  was: {old}\n  is:  {new}\n"));
            }
        }
    }
}

fn compare(examples: &[(String, Vec<Vec<&str>>)]) {
    let results = parallel(examples.len(), 2, |i| recorded(&examples[i].0, &examples[i].1));
    let wrong: String = results.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{wrong}whole texts: {}/record", env!("CARGO_TARGET_TMPDIR"));
}

/// Each example under each row of a table.
fn under<'a>(files: &'a [String], table: &[&[&'a str]]) -> Vec<(String, Vec<Vec<&'a str>>)> {
    let name = |file: &String| {
        let path = Path::new(file).with_extension("");
        let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
        parts.next();
        parts.collect::<Vec<_>>().join("-")
    };
    let command = |file: &'a String, row: &&[&'a str]| {
        let mut words = row.to_vec();
        words.push(file);
        if row[0] == "check" {
            words.extend(ALIKE);
            // Single runs are not states.
            if !row.contains(&"stateless") {
                words.extend(["--states", "20000"]);
            }
        }
        words
    };
    let takes_part = |file: &String, row: &&[&str]| {
        let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        !(row.contains(&"stateless") && MANY_RUNS.contains(&stem))
    };
    let rows = |file: &'a String| {
        table.iter().filter(|row| takes_part(file, row)).map(|row| command(file, row)).collect()
    };
    files.iter().map(|file| (name(file), rows(file))).collect()
}

fn files(folders: &[&str], extension: &str) -> Vec<String> {
    let root = root();
    let found = folders.iter().flat_map(|folder| examples(folder, extension));
    found
        .map(|path| path.strip_prefix(&root).expect("inside").to_string_lossy().into_owned())
        .collect()
}

#[test]
fn promela() {
    compare(&under(&files(&["promela", "tutorial", "properties"], "pml"), PROMELA));
}

#[test]
fn java() {
    if needs::javac() {
        compare(&under(&files(&["java"], "java"), JAVA));
    }
}

/// A table of whole commands.
fn of(name: &str, table: &'static [&[&'static str]]) -> Vec<(String, Vec<Vec<&'static str>>)> {
    vec![(name.to_owned(), table.iter().map(|words| words.to_vec()).collect())]
}

#[test]
fn flow() {
    compare(&of("flow", FLOW));
}

#[test]
fn java_runs() {
    if needs::javac() {
        compare(&of("java-runs", JAVA_RUNS));
    }
}

#[test]
fn others() {
    compare(&of("others", OTHERS));
}

#[test]
fn times_and_sizes_are_left_out() {
    let text = "3 states, depth 2, 0.71 s, 194 MiB (34.5 B a state)\n";
    assert_eq!(unmeasured(text), "3 states, depth 2, _ s, _ MiB _ B a state)\n");
    let document = r#"{"run":{"wall_s":0.5,"stop":"completed"},"stats":{"bytes":7,"states":3}}"#;
    let shown = unmeasured(document);
    assert!(!shown.contains("wall_s") && !shown.contains("bytes"), "{shown}");
    assert!(shown.contains("completed") && shown.contains("states"), "{shown}");
}
