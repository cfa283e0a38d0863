//! Reading inputs and telling their languages.

use std::io::Read;
use std::path::Path;

use everypath_model::{Diagnostic, FileId, Severity, Sources, Span};
use everypath_preprocess::Loader;

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
        std::fs::read(path)
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
    let error = |why: String| {
        let message = format!("cannot read {}: {why}", path.display());
        Box::new(placeless(Severity::Error, "EP1001", message))
    };
    let mut bytes = Vec::new();
    let name = if path.as_os_str() == "-" {
        std::io::stdin().read_to_end(&mut bytes).map_err(|e| error(e.to_string()))?;
        Path::new("<stdin>")
    } else {
        if path.is_dir() {
            let why = "it is a directory without models";
            return Err(error(format!("{why} (files that end in {})", extensions().join(", "))));
        }
        bytes = std::fs::read(path).map_err(|e| error(reason(&e)))?;
        path
    };
    if u32::try_from(bytes.len()).is_err() {
        return Err(error("it is larger than 4 GiB".to_owned()));
    }
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
