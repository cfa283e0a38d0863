//! The tests of the repository, found by reading their sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All tests by their names.
#[derive(Clone, Debug, Default)]
pub struct Tests(BTreeMap<String, Vec<bool>>);

impl Tests {
    /// The tests of all crates in a folder. A test is called `crate::file::function`: the name of the crate
    /// is that of its folder, `main.rs`, `mod.rs` and `lib.rs` count as their folder, and modules within a
    /// file do not count.
    pub fn below(crates: &Path) -> Tests {
        let mut tests = Tests::default();
        for folder in folder(crates) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for part in ["src", "tests"] {
                tests.add(&folder.join(part), &name);
            }
        }
        tests
    }

    fn add(&mut self, path: &Path, name: &str) {
        for path in folder(path) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let inner = match &*stem {
                "main" | "mod" | "lib" => name.to_owned(),
                stem => format!("{name}::{stem}"),
            };
            if path.is_dir() {
                self.add(&path, &inner);
            } else if path.extension().is_some_and(|e| e == "rs")
                && let Ok(text) = fs::read_to_string(&path)
            {
                for (function, ignored) in tests_in(&text) {
                    self.0.entry(format!("{inner}::{function}")).or_default().push(ignored);
                }
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// What is wrong with a name, if anything.
    pub fn complaint(&self, name: &str) -> Option<String> {
        match self.0.get(name).map(Vec::as_slice) {
            None => {
                let function = name.rsplit("::").next().unwrap_or(name);
                let same = |known: &&String| known.rsplit("::").next() == Some(function);
                let instead = self.0.keys().find(same);
                let hint = instead.map_or(String::new(), |known| format!("; there is {known}"));
                Some(format!("there is no test {name}{hint}"))
            }
            Some([false]) => None,
            Some([true]) => Some(format!("{name} is ignored")),
            Some(_) => Some(format!("there are several tests {name}")),
        }
    }
}

/// What is in a folder, in the order of names; nothing if it is not there.
fn folder(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// A source without its comments and without what is in its texts.
pub fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let raw = rest.strip_prefix('r').filter(|_| begins_text(&out));
        let raw = raw.filter(|raw| raw.trim_start_matches('#').starts_with('"'));
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block(rest)
        } else if let Some(raw) = raw {
            let marks = raw.len() - raw.trim_start_matches('#').len();
            let end = format!("\"{}", "#".repeat(marks));
            let start = marks + 2;
            rest[start..].find(&end).map_or(rest.len(), |length| start + length + end.len())
        } else if rest.starts_with('"') {
            quoted(rest, '"')
        } else if rest.starts_with('\'') {
            character(rest)
        } else {
            0
        };
        if skipped > 0 {
            out.push(' ');
            at += skipped;
        } else {
            let c = rest.chars().next().unwrap_or(' ');
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}

/// Whether an `r` behind this may begin a text, since it does not end a name.
fn begins_text(before: &str) -> bool {
    let name = |c: char| c.is_alphanumeric() || c == '_';
    let before = before.strip_suffix('b').unwrap_or(before);
    !before.ends_with(name)
}

/// The length of a comment, others inside of it included.
fn block(text: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The length of what is between two quotes, with them.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character in quotes; a quote alone begins a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => quoted(text, '\''),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

/// The tests of a source, and whether they are ignored. Those that a macro makes of a list of names
/// are found where the macro is used.
pub fn tests_in(text: &str) -> Vec<(String, bool)> {
    let code = code(text);
    let mut found = Vec::new();
    let mut makers: Vec<(String, bool)> = Vec::new();
    for (at, _) in code.match_indices("#[test]") {
        let mut rest = &code[at + "#[test]".len()..];
        let mut ignored = attributes_before(&code[..at]).any(is_ignore);
        while let Some(attribute) = rest.trim_start().strip_prefix("#[") {
            let end = closing(attribute, '[', ']');
            ignored |= is_ignore(&attribute[..end]);
            rest = attribute.get(end + 1..).unwrap_or("");
        }
        let Some((_, name)) = rest.split_once("fn ") else { continue };
        let name = name.trim_start();
        match name.strip_prefix('$') {
            None => found.push((word(name).to_owned(), ignored)),
            Some(_) => {
                let before = code[..at].rfind("macro_rules!");
                let maker = before.map(|from| word(code[from + 12..].trim_start()).to_owned());
                makers.extend(maker.map(|maker| (maker, ignored)));
            }
        }
    }
    for (maker, ignored) in makers {
        for (at, _) in code.match_indices(&format!("{maker}!")) {
            let Some(list) = code[at + maker.len() + 1..].trim_start().strip_prefix('{') else {
                continue;
            };
            let list = &list[..closing(list, '{', '}')];
            let names = list.split(|c: char| !c.is_alphanumeric() && c != '_');
            let names = names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
            found.extend(names.map(|name| (name.to_owned(), ignored)));
        }
    }
    found
}

/// The attributes that stand directly before the end of a text.
fn attributes_before(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let inside = rest.trim_end().strip_suffix(']')?;
        let start = inside.rfind("#[")?;
        let attribute = &inside[start + 2..];
        if attribute.contains(']') {
            return None;
        }
        rest = &inside[..start];
        Some(attribute)
    })
}

fn is_ignore(attribute: &str) -> bool {
    let name = attribute.trim_start();
    name.starts_with("ignore") || (name.starts_with("cfg_attr") && name.contains("ignore"))
}

/// Where the bracket is that closes what is open at the beginning.
fn closing(text: &str, open: char, close: char) -> usize {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    text.len()
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}
