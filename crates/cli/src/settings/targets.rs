//! Which files a target means: directories, patterns, and the way through them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

use crate::{input, interrupt, java};

/// Models in one place; more are surely a mistake.
const MOST_MODELS: usize = 100_000;
/// Entries that are looked at.
const MOST_ENTRIES: usize = 5_000_000;
/// The longest pattern.
const MOST_PATTERN: usize = 4096;

/// Why there is no list of models.
pub enum Unlisted {
    /// It cannot be made.
    Wrong(String),
    /// The time is over, or the user had enough.
    Ended,
}

impl From<String> for Unlisted {
    fn from(why: String) -> Unlisted {
        Unlisted::Wrong(why)
    }
}

/// The models below a directory, in order. Hidden files and folders are left out, and a folder that
/// links lead to again is not entered twice.
pub fn models(directory: &Path, until: Option<Instant>) -> Result<Vec<PathBuf>, Unlisted> {
    let ended = || interrupt::requested() || until.is_some_and(|until| Instant::now() >= until);
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    let mut entered = BTreeSet::new();
    let mut entries = 0;
    while let Some(folder) = open.pop() {
        if !fs::canonicalize(&folder).is_ok_and(|real| entered.insert(real)) {
            continue;
        }
        let list = match fs::read_dir(&folder) {
            Ok(list) => list,
            Err(error) if folder == directory => return Err(input::reason(&error).into()),
            // Not ours to read, and not asked for by name.
            Err(_) => continue,
        };
        for entry in list.flatten() {
            entries += 1;
            if entries > MOST_ENTRIES {
                return Err(format!("there are more than {MOST_ENTRIES} files").into());
            }
            if ended() {
                return Err(Unlisted::Ended);
            }
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            // `metadata` follows links; a broken one is no model.
            let Ok(kind) = fs::metadata(&path) else { continue };
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && is_input(&path) {
                found.push(path);
            }
        }
        if found.len() > MOST_MODELS {
            return Err(format!("there are more than {MOST_MODELS} models").into());
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a file is a model, or the source of a program that begins in it.
fn is_input(path: &Path) -> bool {
    input::is_model(path) || java::begins_in(path)
}

/// A path without links and dots, whether there is something or not.
pub fn absolute(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let mut clean = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or(path.to_owned()).components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

/// The folder of a pattern before the first name with a wildcard; a path without any is its own.
pub fn start_of(text: &str) -> PathBuf {
    let Some(wild) = text.find(['*', '?']) else { return text.into() };
    match text[..wild].rfind('/') {
        Some(end) => text[..=end].into(),
        None => PathBuf::new(),
    }
}

/// A path with `*` and `?` for what is in a name, and `**` for any number of folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The folder before the first name with a wildcard.
    start: PathBuf,
    /// The same without links and dots.
    real: PathBuf,
    rest: Vec<String>,
}

impl Pattern {
    /// The pattern in a text, seen from the directory `base`; `None` if there is no wildcard in it.
    pub fn parse(text: &str, base: &Path) -> Result<Option<Pattern>, String> {
        if !text.contains(['*', '?']) {
            return Ok(None);
        }
        if text.len() > MOST_PATTERN {
            return Err(format!("the pattern is longer than {MOST_PATTERN} characters"));
        }
        let names: Vec<&str> = text.split('/').collect();
        let wild = names.iter().position(|name| name.contains(['*', '?'])).unwrap_or(0);
        let prefix: PathBuf = match names[..wild].join("/") {
            prefix if prefix.is_empty() && text.starts_with('/') => "/".into(),
            prefix => prefix.into(),
        };
        let mut rest: Vec<String> = names[wild..]
            .iter()
            .filter(|name| !name.is_empty() && **name != ".")
            .map(|&name| name.to_owned())
            .collect();
        rest.dedup_by(|one, other| one == "**" && other == "**");
        if rest.iter().any(|name| name == "..") {
            return Err("`..` cannot come after a wildcard".to_owned());
        }
        let start = base.join(prefix);
        let real = absolute(here(&start));
        Ok(Some(Pattern { start, real, rest }))
    }

    /// The models that fit, in order.
    pub fn models(&self, until: Option<Instant>) -> Result<Vec<PathBuf>, Unlisted> {
        let folder = here(&self.start);
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let all = models(folder, until)?.into_iter();
        let clean = |path: PathBuf| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        Ok(all.map(clean).filter(|path| self.rest_fits(path.strip_prefix(&self.start))).collect())
    }

    /// Whether an absolute path fits.
    pub fn fits(&self, path: &Path) -> bool {
        is_input(path) && self.rest_fits(path.strip_prefix(&self.real))
    }

    fn rest_fits<E>(&self, path: Result<&Path, E>) -> bool {
        let Ok(path) = path else { return false };
        let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
        // fits[i]: whether the pattern so far describes the first i names.
        let mut fits: Vec<bool> = (0..=names.len()).map(|i| i == 0).collect();
        for part in &self.rest {
            let mut next = vec![false; names.len() + 1];
            for i in 0..=names.len() {
                next[i] = if part == "**" {
                    fits[i] || (i > 0 && next[i - 1])
                } else {
                    i > 0 && fits[i - 1] && name_fits(part, &names[i - 1])
                };
            }
            fits = next;
        }
        fits[names.len()]
    }
}

/// An empty path is this directory.
fn here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Whether a name is what `*` and `?` describe; takes at most the product of the lengths.
fn name_fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_patterns() {
        for (pattern, name, expected) in [
            ("*.pml", "a.pml", true),
            ("*.pml", ".pml", true),
            ("*.pml", "a.pm", false),
            ("a?c*", "abcd", true),
            ("a?c", "ac", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
        ] {
            assert_eq!(name_fits(pattern, name), expected, "{pattern} {name}");
        }
        // Neither stars nor letters make it slow.
        assert!(!name_fits(&"*a".repeat(1000), &"a".repeat(999)));
    }

    #[test]
    fn paths_fit_patterns() {
        for (pattern, path, expected) in [
            ("models/*.pml", "models/a.pml", true),
            ("models/*.pml", "models/b/a.pml", false),
            ("models/**/*.pml", "models/a.pml", true),
            ("models/**/*.pml", "models/b/c/a.pml", true),
            ("**/a.pml", "b/a.pml", true),
            ("**/**/**", "b/a.pml", true),
            ("*/x?.pml", "b/xy.pml", true),
            ("*/x?.pml", "xy.pml", false),
        ] {
            let pattern = Pattern::parse(pattern, Path::new("")).unwrap().unwrap();
            let rest = Path::new(path).strip_prefix(&pattern.start);
            assert_eq!(pattern.rest_fits(rest), expected, "{pattern:?} {path}");
        }
        assert_eq!(Pattern::parse("a/b.pml", Path::new("")), Ok(None));
        assert!(Pattern::parse("*/../b.pml", Path::new("")).is_err());
        assert!(Pattern::parse(&"*".repeat(5000), Path::new("")).is_err());
    }
}
