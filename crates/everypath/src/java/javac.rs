//! The user's javac: how it is run on the sources of strangers, which options it may be given, and what it says.
//!
//! javac loads classes and runs them: annotation processors and plug-ins, which it finds on the class path by itself.
//! Unless the user trusts the program, neither is looked for, and no option may bring them back.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use everypath_model::files::{self, MOST_TEXT};
use everypath_model::{Diagnostic, Ended, FileId, Severity, Sources, Span, shown};

use crate::input::placeless;
use crate::interrupt;

/// Options that say no more than what the language is and what is complained about.
const PLAIN: [&str; 9] = [
    "-g",
    "-nowarn",
    "-deprecation",
    "-parameters",
    "-verbose",
    "-Werror",
    "-Xlint",
    "-proc:none",
    "--enable-preview",
];
/// The same with a value behind a colon.
const WITH_COLON: [&str; 5] = ["-g:", "-Xlint:", "-Xdiags:", "-Xpkginfo:", "-implicit:"];
/// The same with a value as the next word, or behind `=` if they begin with two dashes.
const WITH_VALUE: [&str; 12] = [
    "-source",
    "--source",
    "-target",
    "--target",
    "--release",
    "-encoding",
    "-Xmaxerrs",
    "-Xmaxwarns",
    "--add-modules",
    "--limit-modules",
    "--add-exports",
    "--add-reads",
];
/// Bytes of what javac says that are looked at.
const MOST_SAID: u64 = 1 << 20;
/// Errors that are told.
const MOST_ERRORS: usize = 20;
/// How often somebody looks whether it is done.
const LOOK: Duration = Duration::from_millis(5);

/// The first option that could run code which is not the JDK's, or write somewhere else; none of these needs trust.
pub fn dangerous(options: &[String]) -> Option<&str> {
    let mut options = options.iter().map(String::as_str);
    while let Some(option) = options.next() {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        if PLAIN.contains(&option) || WITH_COLON.iter().any(|start| option.starts_with(start)) {
            continue;
        }
        if !WITH_VALUE.contains(&name) {
            return Some(option);
        }
        if value.is_empty() {
            // javac reads the files behind `@`, and gives what is behind `-J` to the JVM, wherever they stand.
            match options.next() {
                Some(value) if value.starts_with(['@', '-']) => return Some(value),
                _ => {}
            }
        }
    }
    None
}

/// Options that keep javac from running what lies around. An empty place to look for processors is needed as well:
/// plug-ins are looked for there even if processors are not.
pub fn keep_out(command: &mut Command, empty: &Path) {
    command.arg("-proc:none").arg("-processorpath").arg(empty);
}

/// A path that javac takes for one, whatever it begins with.
pub fn plain_path(path: &Path) -> PathBuf {
    match path.to_string_lossy().starts_with(['@', '-']) {
        true => Path::new(".").join(path),
        false => path.to_owned(),
    }
}

/// How a run of javac ended without classes.
pub enum Failed {
    /// It cannot be started.
    Start(io::Error),
    /// It found errors.
    Errors(String),
    /// It was ended.
    Ended(Ended),
}

/// Runs javac. It is ended when the time is over, or when the user wants so: it may wait for a file for ever.
pub fn run(command: &mut Command, deadline: Option<Instant>) -> Result<(), Failed> {
    // The messages are read here, and everything else is in English.
    command.args(["-J-Duser.language=en", "-J-Duser.country=US"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(Failed::Start)?;
    let stderr = child.stderr.take();
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut stderr) = stderr {
            let _ = stderr.by_ref().take(MOST_SAID).read_to_end(&mut said);
            // It must not wait for somebody who reads the rest.
            let _ = io::copy(&mut stderr, &mut io::sink());
        }
        said
    });
    let status = loop {
        let ended = match interrupt::requested() {
            true => Some(Ended::Interrupt),
            false => deadline.filter(|end| Instant::now() >= *end).map(|_| Ended::Time),
        };
        if let Some(why) = ended {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failed::Ended(why));
        }
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => std::thread::sleep(LOOK),
            Err(error) => return Err(Failed::Start(error)),
        }
    };
    let said = reader.join().unwrap_or_default();
    match status.success() {
        true => Ok(()),
        false => Err(Failed::Errors(String::from_utf8_lossy(&said).into_owned())),
    }
}

/// What javac says, as errors of ours with their places.
pub fn errors(said: &str, input: &Path, sources: &mut Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut left_out = 0;
    let mut lines = said.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((severity, place, message)) = head(line) else { continue };
        let mut rest = Vec::new();
        while let Some(line) = lines.next_if(|line| head(line).is_none() && !is_sum(line)) {
            rest.push(line);
        }
        if found.len() >= MOST_ERRORS {
            left_out += 1;
            continue;
        }
        let mut one = diagnostic(place, message, &rest, sources);
        one.severity = severity;
        found.push(one);
    }
    if !found.iter().any(Diagnostic::is_error) {
        let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason given");
        let message = format!("{} does not compile: {}", shown(input), line.trim());
        found.push(placeless(Severity::Error, "EP1012", message));
    }
    if left_out > 0 {
        let message = format!("{left_out} more errors of javac");
        found.push(placeless(Severity::Error, "EP1012", message));
    }
    found
}

/// A file and a line of it, if they are told.
type At<'a> = Option<(&'a str, u32)>;

/// The file and the line, if they are told, and the message of a line that begins an error or a warning.
fn head(line: &str) -> Option<(Severity, At<'_>, &str)> {
    for (word, severity) in [("error: ", Severity::Error), ("warning: ", Severity::Warning)] {
        if let Some(message) = line.strip_prefix(word) {
            return Some((severity, None, message));
        }
        let found = line.match_indices(word).find_map(|(at, _)| {
            let (file, number) = line[..at].strip_suffix(": ")?.rsplit_once(':')?;
            Some((severity, Some((file, number.parse().ok()?)), &line[at + word.len()..]))
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `2 errors`
fn is_sum(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    matches!(words[..], [count, "error" | "errors" | "warning" | "warnings"] if count.parse::<u32>().is_ok())
}

/// One error or warning. Below its head there is more of the message, then the line with a mark below it, and then details.
fn diagnostic(place: At<'_>, message: &str, rest: &[&str], sources: &mut Sources) -> Diagnostic {
    let mark = rest.iter().position(|line| line.trim() == "^");
    let (above, below) = match mark {
        Some(mark) => (&rest[..mark.saturating_sub(1)], &rest[mark + 1..]),
        None => (rest, &[][..]),
    };
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = std::iter::once(message).chain(above.iter().copied()).map(words);
    let message = message.collect::<Vec<_>>().join(" ");
    let help = below.iter().map(|line| words(line));
    let help: Vec<String> =
        help.filter(|line| !line.is_empty() && !line.starts_with("Note: ")).collect();
    let column = mark.map_or(0, |mark| rest[mark].chars().take_while(|c| *c != '^').count());
    let span = place.and_then(|(file, line)| span_of(sources, Path::new(file), line, column));
    let mut made = match span {
        Some(span) => Diagnostic::error("EP1012", span, message),
        None => {
            let place = place.map(|(file, line)| format!("{file}:{line}: ")).unwrap_or_default();
            placeless(Severity::Error, "EP1012", format!("{place}{message}"))
        }
    };
    made.help = (!help.is_empty()).then(|| help.join("; "));
    made
}

/// A place in a source file; `None` if the file cannot be read or is not what javac saw.
fn span_of(sources: &mut Sources, path: &Path, line: u32, column: usize) -> Option<Span> {
    let known = sources.iter().find(|(_, file)| file.path == path).map(|(file, _)| file);
    let file: FileId = match known {
        Some(file) => file,
        None => {
            let bytes = files::read(path, MOST_TEXT).ok()?;
            sources.add(path.to_owned(), String::from_utf8_lossy(&bytes).into_owned())
        }
    };
    let text = &sources.file(file).text;
    let line = text.split_inclusive('\n').nth(line.checked_sub(1)? as usize)?;
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let within: usize = line.chars().take(column).map(char::len_utf8).sum();
    let width = line[within..].chars().next().filter(|c| !c.is_control()).map_or(0, char::len_utf8);
    Some(Span::new(file, start + within, start + within + width))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(options: &[&str]) -> Option<String> {
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        dangerous(&options).map(str::to_owned)
    }

    #[test]
    fn options_that_run_code_or_write_need_trust() {
        for option in [
            "-J-Xlog:all:file=x",
            "-processor",
            "-processorpath",
            "--processor-path=x",
            "--processor-module-path",
            "-proc:only",
            "-proc:full",
            "-Xplugin:p",
            "@options",
            "-d",
            "-s",
            "-h",
            "-XD-Xplugin",
            "-Akey=value",
            "-cp",
            "Other.java",
            "",
        ] {
            assert_eq!(refused(&["-g", option]).as_deref(), Some(option));
        }
        assert_eq!(refused(&["--release", "@x"]).as_deref(), Some("@x"));
        assert_eq!(refused(&["-encoding", "-J-Dx"]).as_deref(), Some("-J-Dx"));
        let plain =
            ["--enable-preview", "--release", "17", "-Xlint:all", "--release=17", "-parameters"];
        assert_eq!(refused(&plain), None);
    }

    #[test]
    fn what_javac_says_has_lines_and_places() {
        let folder = std::env::temp_dir().join(format!("everypath-javac-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("A.java");
        std::fs::write(&file, "class A {\n\tint é = y; int z\n}\n").unwrap();
        let path = file.display();
        let said = format!(
            "{path}:2: error: cannot find symbol\n\tint é = y; int z\n\t        ^\n  symbol:   variable y\n  \
             location: class A\nNote: something\n{path}:2: error: ';' expected\n\tint é = y; int z\n\t               ^\n\
             error: warnings found and -Werror specified\n3 errors\n"
        );
        let mut sources = Sources::default();
        let found = errors(&said, &file, &mut sources);
        let messages: Vec<&str> = found.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(
            messages,
            ["cannot find symbol", "';' expected", "warnings found and -Werror specified"]
        );
        let span = found[0].primary.as_ref().unwrap().span;
        assert_eq!(sources.start(span), (2, 10));
        assert_eq!(found[0].help.as_deref(), Some("symbol: variable y; location: class A"));
        assert_eq!(sources.start(found[1].primary.as_ref().unwrap().span), (2, 17));
        let other = errors("\nsomething else\n", Path::new("a\nb"), &mut sources);
        assert_eq!(other[0].message, "a\\nb does not compile: something else");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
