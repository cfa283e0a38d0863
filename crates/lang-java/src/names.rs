//! Numbers for places and faults, in the order in which they are met.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use everypath_model::files::{self, MOST_TEXT};
use everypath_model::{ActionInfo, Fault, FaultInfo, FileId, Sources, Span};

use crate::describe::frame_text;
use crate::link::Method;
use crate::vm::{OWN_CLASS, Uncaught, Vm};

/// What is said about places and faults.
#[derive(Default)]
pub(crate) struct Names {
    known: Mutex<Known>,
    /// Source files by package and name: `app/Main.java`.
    files: HashMap<String, FileId>,
}

#[derive(Default)]
struct Known {
    actions: Vec<(u32, u32, u32)>,
    action_numbers: HashMap<(u32, u32, u32), u32>,
    faults: Vec<FaultInfo>,
    fault_numbers: HashMap<(String, Option<(u32, u32)>), u32>,
}

impl Names {
    /// Reads the source files of a program: those whose class is there (`app/Main` of `app/Main.java`), and the first
    /// one in any case if it was `compiled`. Of several that could be the source of a class it is that one, or the one
    /// that lies where its class does; else nobody knows which.
    pub fn new(
        paths: &[PathBuf],
        compiled: bool,
        class_path: &[PathBuf],
        has_class: impl Fn(&str) -> bool,
        sources: &mut Sources,
    ) -> Names {
        let mut read: Vec<(String, &PathBuf, String)> = Vec::new();
        for path in paths {
            let Ok(bytes) = files::read(path, MOST_TEXT) else { continue };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let package = package_of(&text);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let full =
                if package.is_empty() { name.into_owned() } else { format!("{package}/{name}") };
            if compiled && read.is_empty() || has_class(full.trim_end_matches(".java")) {
                read.push((full, path, text));
            }
        }
        let beside =
            |full: &str, path: &Path| class_path.iter().any(|place| place.join(full) == path);
        let first = read.first().filter(|_| compiled).map(|(full, ..)| full.clone());
        let chosen: Vec<bool> = read
            .iter()
            .enumerate()
            .map(|(index, (full, path, _))| {
                let same = read.iter().filter(|(other, ..)| other == full);
                match Some(full) == first.as_ref() {
                    true => index == 0,
                    false => same.count() == 1 || beside(full, path),
                }
            })
            .collect();
        let mut names = Names::default();
        for ((full, path, text), _) in read.into_iter().zip(chosen).filter(|(_, chosen)| *chosen) {
            let file = sources.add(path.clone(), text);
            names.files.entry(full).or_insert(file);
        }
        names
    }

    /// The line of an instruction, if its source is there.
    pub fn span(&self, sources: &Sources, method: &Method, pc: u32) -> Option<Span> {
        let file = method.class.file.as_ref()?.source_file()?;
        let package = method.class.name.rsplit_once('/').map(|(package, _)| package);
        let full = package.map_or_else(|| file.to_owned(), |package| format!("{package}/{file}"));
        let file = *self.files.get(&full)?;
        let line = method.code().ok()?.line(pc)?;
        line_span(sources, file, u32::from(line))
    }

    /// The number of what a thread does: method, instruction and alternative.
    pub fn action(&self, key: (u32, u32, u32)) -> u32 {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = known.action_numbers.get(&key) {
            return number;
        }
        let number = known.actions.len() as u32;
        known.actions.push(key);
        known.action_numbers.insert(key, number);
        number
    }

    /// Method, instruction and alternative behind a number.
    pub fn action_key(&self, number: u32) -> Option<(u32, u32, u32)> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.actions.get(number as usize).copied()
    }

    /// What a person reads about an instruction.
    pub fn info(&self, vm: &Vm, sources: &Sources, (method, pc): (u32, u32)) -> ActionInfo {
        let method = vm.registry.method_of(method);
        match self.span(sources, method, pc) {
            Some(span) => ActionInfo { text: sources.text(span).to_owned(), span },
            None => {
                let text = match (&*method.class.name == OWN_CLASS, pc) {
                    (true, 0) => "the thread begins".to_owned(),
                    (true, _) => "the thread ends".to_owned(),
                    (false, _) => frame_text(method, pc),
                };
                // Nowhere in the sources that are known.
                ActionInfo { text, span: Span::new(FileId(0), 0, 0) }
            }
        }
    }

    /// The fault of an exception that nobody caught.
    pub fn uncaught(&self, vm: &Vm, sources: &Sources, uncaught: &Uncaught) -> Fault {
        self.number((uncaught.class.clone(), uncaught.place), || {
            self.exception(vm, sources, uncaught)
        })
    }

    /// The fault of this name; what it is is asked when it is new.
    pub fn fault_of(&self, name: String, info: impl FnOnce() -> FaultInfo) -> Fault {
        self.number((name, None), info)
    }

    fn number(&self, key: (String, Option<(u32, u32)>), info: impl FnOnce() -> FaultInfo) -> Fault {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = known.fault_numbers.get(&key) {
            return Fault(number);
        }
        known.faults.push(info());
        let number = known.faults.len() as u32 - 1;
        known.fault_numbers.insert(key, number);
        Fault(number)
    }

    /// What a person reads about an exception that nobody caught.
    pub fn exception(&self, vm: &Vm, sources: &Sources, uncaught: &Uncaught) -> FaultInfo {
        let Uncaught { text, class, assertion, place, thread, trace } = uncaught;
        let span =
            place.and_then(|(method, pc)| self.span(sources, vm.registry.method_of(method), pc));
        let (code, kind) = match assertion {
            true => ("EP0101", "assertion"),
            false => ("EP0115", "exception"),
        };
        let condition = span.and_then(|span| asserted(sources.text(span)));
        let detail = text.split_once(": ").map(|(_, detail)| detail);
        let message = match (condition, detail) {
            (Some(condition), Some(detail)) if *assertion => {
                format!("assertion can fail: {condition}: {detail}")
            }
            (Some(condition), None) if *assertion => format!("assertion can fail: {condition}"),
            _ => format!("thread {thread} ends with {text}"),
        };
        let frame = |&(method, pc): &(u32, u32)| frame_text(vm.registry.method_of(method), pc);
        let stack = std::iter::once(format!("Exception in thread \"{thread}\" {text}"))
            .chain(trace.iter().map(|at| format!("at {}", frame(at))))
            .collect();
        let exception = Some(class.clone());
        FaultInfo { code, kind, message, span, parts: Vec::new(), stack, exception }
    }

    /// The number of something that is not looked at.
    pub fn left_out(&self, what: &str, span: Option<Span>) -> Fault {
        let key = (what.to_owned(), None);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = known.fault_numbers.get(&key) {
            return Fault(number);
        }
        known.faults.push(FaultInfo {
            code: "EP0304",
            kind: "incomplete",
            message: format!("some runs were not followed to their end: {what}"),
            span,
            parts: Vec::new(),
            stack: Vec::new(),
            exception: None,
        });
        let number = known.faults.len() as u32 - 1;
        known.fault_numbers.insert(key, number);
        Fault(number)
    }

    pub fn fault(&self, fault: Fault) -> FaultInfo {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.faults.get(fault.0 as usize).cloned().unwrap_or_else(|| FaultInfo {
            code: "EP0115",
            kind: "exception",
            message: "an exception".to_owned(),
            span: None,
            parts: Vec::new(),
            stack: Vec::new(),
            exception: None,
        })
    }
}

/// The condition of an `assert` that stands on one line.
pub(crate) fn asserted(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("assert")?;
    let rest = rest.strip_prefix([' ', '(']).map(|_| rest)?;
    let condition = rest.split(';').next().unwrap_or(rest);
    let condition = condition.split(" : ").next().unwrap_or(condition).trim();
    (!condition.is_empty()).then_some(condition)
}

/// The text of a line without its indentation.
fn line_span(sources: &Sources, file: FileId, line: u32) -> Option<Span> {
    let text = &sources.file(file).text;
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let line = &text[start..end];
    let trimmed = line.trim();
    let indent = line.len() - line.trim_start().len();
    Some(Span::new(file, start + indent, start + indent + trimmed.len()))
}

/// The package that a source file declares, with slashes.
fn package_of(text: &str) -> String {
    let declared = text.lines().find_map(|line| {
        line.trim().strip_prefix("package ").and_then(|rest| rest.split(';').next())
    });
    declared.map(|name| name.trim().replace('.', "/")).unwrap_or_default()
}

/// Source files below directories.
pub fn sources_below(places: &[PathBuf]) -> Vec<PathBuf> {
    /// More files are not looked at.
    const MOST: usize = 1_000;
    let mut found = Vec::new();
    let mut open: Vec<(PathBuf, usize)> =
        places.iter().filter(|path| path.is_dir()).map(|path| (path.clone(), 0)).collect();
    let mut looked = 0;
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for path in entries {
            looked += 1;
            if looked > MOST {
                return found;
            }
            if path.is_dir() && depth < 8 {
                open.push((path, depth + 1));
            } else if path.extension() == Some(Path::new("java").as_os_str()) {
                found.push(path);
            }
        }
    }
    found
}
