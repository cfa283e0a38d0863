//! The documents say what the program does: every example in them is run.
//!
//! In a block marked `console`, a line `$ everypath ...` is run from the top of the repository and
//! the lines below it, up to the next `$` or the end of the block, are its standard output. In them
//! `[..]` stands for anything within a line, a line `...` for any number of lines, and a line
//! `# exit N` for the exit code. `< FILE` gives a command its input.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Parser;
use everypath_cli::args::Cli;

/// One command of a document with what is said about it.
#[derive(Debug, Default)]
struct Example {
    line: usize,
    command: String,
    output: Vec<String>,
    exit: Option<i32>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// README.md and everything in docs.
fn documents() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    all.sort();
    all.extend(Some(root().join("README.md")).filter(|path| path.exists()));
    all
}

/// The lines of the blocks with this mark, each with its number; blocks end with `None`.
fn blocks<'a>(text: &'a str, mark: &str) -> Vec<Option<(usize, &'a str)>> {
    let mut found = Vec::new();
    let mut inside: Option<bool> = None;
    for (index, line) in text.lines().enumerate() {
        match (inside, line.strip_prefix("```")) {
            (None, Some(info)) => inside = Some(info.trim() == mark),
            (Some(wanted), Some(_)) => {
                inside = None;
                if wanted {
                    found.push(None);
                }
            }
            (Some(true), None) => found.push(Some((index + 1, line))),
            _ => {}
        }
    }
    found
}

fn examples(text: &str) -> Vec<Example> {
    let mut all = Vec::new();
    let mut current: Option<Example> = None;
    for entry in blocks(text, "console") {
        let Some((line, text)) = entry else {
            all.extend(current.take());
            continue;
        };
        if let Some(command) = text.strip_prefix("$ ") {
            all.extend(current.take());
            current = Some(Example { line, command: command.to_owned(), ..Example::default() });
        } else if let Some(example) = &mut current {
            match text.strip_prefix("# exit ") {
                Some(code) => example.exit = Some(code.trim().parse().unwrap()),
                None => example.output.push(text.to_owned()),
            }
        } else {
            panic!("line {line} of a console block comes before a command");
        }
    }
    all
}

/// The words of a command; quotes keep blanks together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote, mut open) = (String::new(), None, false);
    for c in command.chars() {
        match (quote, c) {
            (None, '\'' | '"') => (quote, open) = (Some(c), true),
            (Some(q), c) if q == c => quote = None,
            (None, ' ') => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (_, c) => word.push(c),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}

/// Whether a line is what a pattern with `[..]` describes.
fn line_matches(pattern: &str, line: &str) -> bool {
    let parts: Vec<&str> = pattern.split("[..]").collect();
    let Some((first, others)) = parts.split_first() else { return line.is_empty() };
    let Some((last, middle)) = others.split_last() else { return pattern == line };
    let Some(mut rest) = line.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

/// Whether the lines are what patterns with `...` describe.
fn lines_match(patterns: &[String], lines: &[&str]) -> bool {
    match (patterns.split_first(), lines.split_first()) {
        (None, lines) => lines.is_none(),
        (Some((dots, rest)), _) if dots == "..." => {
            (0..=lines.len()).any(|skip| lines_match(rest, &lines[skip..]))
        }
        (Some((pattern, rest)), Some((line, others))) => {
            line_matches(pattern, line) && lines_match(rest, others)
        }
        (Some(_), None) => false,
    }
}

/// Runs an example; what is wrong with it, if anything.
fn run(example: &Example) -> Result<(), String> {
    let mut words = words(&example.command);
    let input = match words.iter().position(|word| word == "<") {
        Some(at) => {
            let file = words.split_off(at).pop().unwrap_or_default();
            Stdio::from(std::fs::File::open(root().join(file)).map_err(|e| e.to_string())?)
        }
        None => Stdio::null(),
    };
    if words.first().is_none_or(|word| word != "everypath") {
        return Err(format!("`{}` does not run everypath", example.command));
    }
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(&words[1..])
        .current_dir(root())
        .env_remove("CLICOLOR_FORCE")
        .env_remove("COLUMNS")
        .stdin(input)
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = stdout.lines().map(str::trim_end).collect();
    if !lines_match(&example.output, &lines) {
        let expected = example.output.join("\n");
        return Err(format!("expected:\n{expected}\n\nbut it prints:\n{stdout}"));
    }
    match (example.exit, output.status.code()) {
        (Some(expected), Some(exit)) if expected != exit => {
            Err(format!("expected exit {expected}, but it is {exit}"))
        }
        (_, None) => Err(format!("it ended with {}", output.status)),
        _ => Ok(()),
    }
}

#[test]
fn the_examples_do_what_they_say() {
    let mut wrong = String::new();
    let mut count = 0;
    // Where examples write what they are told to.
    std::fs::create_dir_all(root().join("target")).unwrap();
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for example in examples(&text) {
            count += 1;
            if let Err(why) = run(&example) {
                wrong += &format!("{name}:{}: {}\n{why}\n\n", example.line, example.command);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(count >= 10, "only {count} examples");
}

/// Other commands are not run; the models that they name are there.
#[test]
fn the_files_of_other_commands_exist() {
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        for (line, command) in blocks(&text, "sh").into_iter().flatten() {
            for word in words(command).iter().filter(|word| word.ends_with(".pml")) {
                assert!(root().join(word).exists(), "{}:{line}: {word}", path.display());
            }
        }
    }
}

/// The command lines of the jobs under examples/ci, and those of the documents that are not run.
#[test]
fn the_commands_of_the_jobs_are_understood() {
    let folder = root().join("examples/ci");
    let mut texts: Vec<(PathBuf, String)> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        texts.push((path, text));
    }
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = blocks(&text, "sh").into_iter().flatten().map(|(_, line)| format!("{line}\n"));
        texts.push((path, lines.collect()));
    }
    let mut count = 0;
    for (path, text) in &texts {
        for line in text.lines() {
            let line = line.trim().trim_start_matches("- ").trim_start_matches("run: ");
            if !line.starts_with("everypath ") {
                continue;
            }
            count += 1;
            let command = line.split([';', '|', '>']).next().unwrap_or(line);
            let parsed = Cli::try_parse_from(words(command));
            assert!(parsed.is_ok(), "{}: {line}: {}", path.display(), parsed.unwrap_err());
        }
    }
    assert!(count >= 4, "only {count} commands");
}

/// A text without what is code in it, where `](` is no link.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        } else if !inside {
            // Every other piece between backquotes is code.
            let words = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
            out += &words;
            out.push('\n');
        }
    }
    out
}

/// Links between documents lead somewhere.
#[test]
fn the_links_of_the_documents_lead_to_files() {
    for path in documents() {
        let text = prose(&std::fs::read_to_string(&path).unwrap());
        for part in text.split("](").skip(1) {
            let Some((link, _)) = part.split_once(')') else { continue };
            if link.contains("://") || link.starts_with('#') {
                continue;
            }
            let file = link.split('#').next().unwrap_or(link);
            let target = path.parent().unwrap().join(file);
            assert!(target.exists(), "{}: {link}", path.display());
        }
    }
}

#[test]
fn patterns_match_lines() {
    assert!(line_matches("a [..] b", "a x y b"));
    assert!(line_matches("[..]", ""));
    assert!(line_matches("a[..]b[..]c", "a1b2c"));
    assert!(!line_matches("a[..]b[..]c", "a1c"));
    assert!(!line_matches("a[..]a", "a"));
    assert!(!line_matches("a", "ab"));
    let patterns = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(lines_match(&patterns("a\n...\nd"), &["a", "b", "c", "d"]));
    assert!(lines_match(&patterns("a\n...\nd"), &["a", "d"]));
    assert!(!lines_match(&patterns("a\n...\nd"), &["a", "d", "e"]));
    assert!(!lines_match(&patterns("a"), &[]));
}

#[test]
fn code_is_no_prose() {
    let text = "a [b](c) `[](d)` e\n```\n[](f)\n```\ng";
    assert_eq!(prose(text), "a [b](c)   e\ng\n");
}

#[test]
fn commands_are_split_as_a_shell_does() {
    assert_eq!(words("a --b 'c  d' e=\"f g\" ''"), ["a", "--b", "c  d", "e=f g", ""]);
    let text = "x\n```console\n$ one\nout\n# exit 1\n$ two\n```\n```sh\n$ three\n```\n";
    let found = examples(text);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].line, &found[0].command[..], found[0].exit), (3, "one", Some(1)));
    assert_eq!((&found[0].output[..], found[1].output.len()), (&["out".to_owned()][..], 0));
}
