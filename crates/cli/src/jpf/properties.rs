//! The files and options of Java PathFinder as keys with values: properties that may be appended to, that
//! may name each other, and that may include further files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use everypath_model::{files, shown};

use crate::input::reason;

/// Files that include each other are followed so deep.
const DEEPEST: usize = 16;
/// The largest file that is read, and how many are.
const LONGEST_FILE: u64 = 1 << 20;
const MOST_FILES: usize = 1_000;
/// The longest value, so that values that name each other do not grow for ever.
const LONGEST: usize = 1 << 16;

/// Keys with their values, and where each was set last.
#[derive(Debug, Default)]
pub struct Properties {
    all: BTreeMap<String, (String, String)>,
    /// Files that were read.
    files: usize,
    /// What the files ask for that was not done: directive and reason.
    pub left_out: Vec<(String, String)>,
}

impl Properties {
    /// Reads a file.
    pub fn read(&mut self, path: &Path) -> Result<(), String> {
        self.read_file(path, 0)
    }

    fn read_file(&mut self, path: &Path, depth: usize) -> Result<(), String> {
        self.files += 1;
        if depth > DEEPEST || self.files > MOST_FILES {
            return Err(format!("{}: files include each other without end", shown(path)));
        }
        let text = files::read(path, LONGEST_FILE)
            .map_err(|error| format!("cannot read {}: {}", shown(path), reason(&error)))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let here = shown(path);
        self.put("config", &here, &here);
        self.put("config_path", &folder.to_string_lossy(), &here);
        for (number, line) in logical_lines(&text) {
            let place = format!("{}:{number}", shown(path));
            let Some((key, value)) = split(&line) else {
                return Err(format!("{place}: expected key = value, not `{line}`"));
            };
            let value = self.expanded(value, &place)?;
            match key {
                "@include" | "@import" => {
                    for file in list(&value) {
                        self.read_file(&folder.join(file), depth + 1)?;
                    }
                    self.put("config_path", &folder.to_string_lossy(), &here);
                }
                "@include_if" | "@include_unless" => {
                    // `?key?file`
                    let mut parts = value.trim_start_matches('?').splitn(2, '?');
                    if let (Some(wanted), Some(file)) = (parts.next(), parts.next())
                        && self.all.contains_key(wanted.trim()) == (key == "@include_if")
                    {
                        self.read_file(&folder.join(file.trim()), depth + 1)?;
                    }
                }
                "@using" | "@requires" => {
                    let why =
                        "projects of Java PathFinder are not looked for; classpath names classes";
                    self.left_out.push((format!("{key} = {value}"), why.to_owned()));
                }
                key if key.starts_with('@') => {
                    return Err(format!("{place}: unknown directive `{key}`"));
                }
                key => self.set(key, &value, &place),
            }
        }
        Ok(())
    }

    /// An option `key=value` of the command line, without its `+`.
    pub fn option(&mut self, text: &str) -> Result<(), String> {
        let Some((key, value)) = text.split_once('=') else {
            // A key alone is a truth.
            self.set(text, "true", "command line");
            return Ok(());
        };
        let value = self.expanded(value.trim(), "command line")?;
        self.set(key.trim(), &value, "command line");
        Ok(())
    }

    /// Sets a key: `key+` appends, `+key` puts in front.
    fn set(&mut self, key: &str, value: &str, place: &str) {
        let join = |first: &str, second: &str| {
            let apart = first.is_empty()
                || second.is_empty()
                || first.ends_with([',', ';', ':'])
                || second.starts_with([',', ';', ':']);
            format!("{first}{}{second}", if apart { "" } else { "," })
        };
        let old = |key: &str| self.get(key).unwrap_or_default().to_owned();
        if let Some(key) = key.strip_suffix('+') {
            let key = key.trim();
            self.put(key, &join(&old(key), value), place);
        } else if let Some(key) = key.strip_prefix('+') {
            self.put(key, &join(value, &old(key)), place);
        } else {
            self.put(key, value, place);
        }
    }

    /// Replaces the value of a key.
    pub fn put(&mut self, key: &str, value: &str, place: &str) {
        self.all.insert(key.to_owned(), (value.to_owned(), place.to_owned()));
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.all.get(key).map(|(value, _)| value.as_str())
    }

    /// All keys that users set, with values and places.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let own = |key: &str| matches!(key, "config" | "config_path");
        let all = self.all.iter().filter(move |(key, _)| !own(key));
        all.map(|(key, (value, place))| (key.as_str(), value.as_str(), place.as_str()))
    }

    /// A value with `${key}` replaced by the value of the key, or of a variable of the environment.
    fn expanded(&self, value: &str, place: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = value;
        while let Some(start) = rest.find("${") {
            out.push_str(&rest[..start]);
            let Some(end) = rest[start..].find('}') else {
                return Err(format!("{place}: `${{` without `}}` in `{value}`"));
            };
            let key = rest[start + 2..start + end].trim();
            match (self.get(key), key) {
                (Some(known), _) => out.push_str(known),
                (None, "user.home") => out.push_str(&std::env::var("HOME").unwrap_or_default()),
                (None, "user.dir") => out.push('.'),
                (None, _) => out.push_str(&std::env::var(key).unwrap_or_default()),
            }
            if out.len() > LONGEST {
                return Err(format!("{place}: a value is too long"));
            }
            rest = &rest[start + end + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }
}

/// The parts of a value that is a list.
pub fn list(value: &str) -> impl Iterator<Item = &str> {
    value.split([',', ';']).map(str::trim).filter(|part| !part.is_empty())
}

/// Lines without comments, those that end with a backslash joined with the next; each with its number.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let continued = line.ends_with('\\') && !line.ends_with("\\\\");
        let part = if continued { line[..line.len() - 1].trim_end() } else { line };
        match found.last_mut().filter(|_| open) {
            Some((_, whole)) => whole.push_str(part),
            None if line.is_empty() || line.starts_with(['#', '!']) => continue,
            None => found.push((index + 1, part.to_owned())),
        }
        open = continued;
    }
    found
}

/// `key = value`, `key: value` or `key += value`.
fn split(line: &str) -> Option<(&str, &str)> {
    let at = line.find(['=', ':'])?;
    let (key, value) = (line[..at].trim(), line[at + 1..].trim());
    (!key.is_empty()).then_some((key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_append_and_expand() {
        let mut properties = Properties::default();
        for option in ["a=1", "a+=2", "+a=0", "b=${a}/x", "c", "classpath+=;lib"] {
            properties.option(option).unwrap();
        }
        assert_eq!(properties.get("a"), Some("0,1,2"));
        assert_eq!(properties.get("b"), Some("0,1,2/x"));
        assert_eq!(properties.get("c"), Some("true"));
        assert_eq!(list(properties.get("classpath").unwrap()).collect::<Vec<_>>(), ["lib"]);
        assert!(properties.option("d=${a").is_err());
    }

    #[test]
    fn lines_go_on_behind_a_backslash() {
        let lines = logical_lines("# no\n a = 1,\\\n   2\n\n! no\nb=3\\");
        assert_eq!(lines, [(2, "a = 1,2".to_owned()), (6, "b=3".to_owned())]);
    }
}
