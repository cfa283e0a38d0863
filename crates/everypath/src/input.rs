//! Reading inputs and telling their languages.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use everypath_model::files::{self, MOST_TEXT};
use everypath_model::{Diagnostic, FileId, Severity, Sources, Span, shown};
use everypath_preprocess::Loader;

use crate::interrupt;

/// Extensions of Promela models.
const PROMELA: [&str; 7] = ["pml", "pm", "prm", "promela", "prom", "spin", "pr"];

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Promela.
    Promela,
}

/// Reads included files from the disk.
pub struct Disk;

impl Loader for Disk {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        files::read(path, MOST_TEXT)
    }
}

/// A message without a place.
pub fn placeless(severity: Severity, code: &'static str, message: String) -> Diagnostic {
    Diagnostic { code, severity, message, primary: None, secondary: Vec::new(), help: None }
}

/// The endings that tell a model.
pub fn extensions() -> Vec<String> {
    PROMELA.iter().map(|extension| format!(".{extension}")).collect()
}

/// Whether the name of a file is that of a model.
pub fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    PROMELA.contains(&extension.as_str())
}

/// Adds the text of `path` to the sources, with a warning if it is not UTF-8.
pub fn read(
    sources: &mut Sources,
    path: &Path,
) -> Result<(FileId, Option<Diagnostic>), Box<Diagnostic>> {
    read_until(sources, path, None)
}

/// The same, given up when the time is over: whoever has the other end of the standard input may never write to it.
pub fn read_until(
    sources: &mut Sources,
    path: &Path,
    until: Option<Instant>,
) -> Result<(FileId, Option<Diagnostic>), Box<Diagnostic>> {
    let error = |why: String| {
        let message = format!("cannot read {}: {why}", shown(path));
        Box::new(placeless(Severity::Error, "EP1001", message))
    };
    let bytes;
    let name = if path.as_os_str() == "-" {
        bytes = stdin(MOST_TEXT, until).map_err(|e| {
            let mut error = error(reason(&e));
            if e.kind() == std::io::ErrorKind::TimedOut {
                error.severity = Severity::Unsupported;
            }
            error
        })?;
        Path::new("<stdin>")
    } else {
        if path.is_dir() {
            let why = "it is a directory without models";
            return Err(error(format!("{why} (files that end in {})", extensions().join(", "))));
        }
        bytes = files::read(path, MOST_TEXT).map_err(|e| error(reason(&e)))?;
        path
    };
    let valid = std::str::from_utf8(&bytes).err().map(|e| e.valid_up_to());
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let file = sources.add(name.to_owned(), text);
    let warning = valid.map(|at| {
        let span = Span::new(file, at, at + '\u{fffd}'.len_utf8());
        Diagnostic::warning("EP1003", span, "the text is not UTF-8")
            .label("the first byte that was replaced")
    });
    Ok((file, warning))
}

fn given_up(why: &str) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::TimedOut, why)
}

/// What comes from the standard input, up to so many bytes. Whoever waits for it can be interrupted.
pub fn stdin(most: u64, until: Option<Instant>) -> std::io::Result<Vec<u8>> {
    /// How often somebody looks whether there is an interrupt.
    const LOOK: Duration = Duration::from_millis(50);
    let (sender, receiver) = mpsc::channel();
    // If it is left behind, it ends with the process.
    std::thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let read = files::read_up_to(std::io::stdin().lock(), most, &mut bytes);
        let _ = sender.send(read.map(|()| bytes));
    })?;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(read) => return read,
            Err(_) if interrupt::requested() => return Err(given_up("interrupted")),
            Err(RecvTimeoutError::Timeout) => {
                if until.is_some_and(|until| Instant::now() >= until) {
                    return Err(given_up("the time limit was reached"));
                }
            }
            Err(_) => return Err(std::io::Error::other("it cannot be read")),
        }
    }
}

/// The reason without the number of the error.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

/// The language of a text: by the extension of its file, or else by what is in it.
pub fn language(path: &Path, text: &str) -> Option<(Language, Certainty)> {
    if is_model(path) {
        return Some((Language::Promela, Certainty::Extension));
    }
    let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let promela = words().any(|word| word == "proctype")
        || (words().any(|word| word == "init" || word == "active") && text.contains('{'));
    promela.then_some((Language::Promela, Certainty::Content))
}

/// How a language was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// By the extension.
    Extension,
    /// By the content.
    Content,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told() {
        let promela = |path: &str, text: &str| language(Path::new(path), text).map(|(_, how)| how);
        assert_eq!(promela("a.pml", ""), Some(Certainty::Extension));
        assert_eq!(promela("A.PROMELA", ""), Some(Certainty::Extension));
        assert_eq!(promela("a.txt", "active proctype P() { skip }"), Some(Certainty::Content));
        assert_eq!(promela("a", "init { skip }"), Some(Certainty::Content));
        assert_eq!(promela("a.txt", "initial proctypes"), None);
        assert_eq!(promela("", ""), None);
    }
}
