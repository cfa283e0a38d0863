//! Names of files and what they lead to: the disk, and what is laid over it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use everypath_model::files::MOST_TEXT;

use super::streams::{Open, bytes, put_bytes};
use crate::load::Jdk;
use crate::vm::{Run, Worker};

/// The class of what holds a value.
pub(super) const HOLDER: &str = "java/util/concurrent/atomic/AtomicReference";

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Missing,
    Directory,
    File,
}

/// What a program has laid over a path.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    Removed,
    Directory,
    File(u32),
}

/// The directory that programs begin in.
pub(crate) fn working_directory() -> &'static str {
    static DIRECTORY: OnceLock<String> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let found = std::env::current_dir().ok();
        found.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or("/".to_owned())
    })
}

/// A path from the root on, without detours.
pub(crate) fn absolute(path: &str) -> String {
    let base = if path.starts_with('/') { "" } else { working_directory() };
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

pub(super) fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((parent, _)) => parent,
    }
}

pub(super) fn path_of(worker: &mut Worker, file: u32) -> Run<String> {
    if file == 0 {
        return Err(worker.null_pointer());
    }
    let path = worker.get(file, worker.field_of(file, "path")?.slot);
    Ok(absolute(&worker.text_of(path)?))
}

/// Where a path is on the disk: programs see the files of the JDK below `/`. There are no devices.
pub(super) fn on_disk(path: &str) -> Option<PathBuf> {
    let inside = path.trim_start_matches('/');
    if inside.starts_with("lib/") || inside.starts_with("conf/") {
        let file = Jdk::find().ok()?.home.join(inside);
        if file.exists() {
            return Some(file);
        }
    }
    let real = !["/dev", "/proc", "/sys"].iter().any(|root| {
        path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    real.then(|| PathBuf::from(path)).filter(|path| path.exists())
}

/// Files of the disk that were opened, as they were then.
static FILES: Mutex<Vec<(PathBuf, &'static [u8])>> = Mutex::new(Vec::new());

/// The number of a file's content.
pub(super) fn opened_before(path: &Path) -> Option<usize> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = files.iter().position(|(known, _)| known == path) {
        return Some(known);
    }
    let bytes = everypath_model::files::read(path, MOST_TEXT).ok()?;
    files.push((path.to_owned(), Box::leak(bytes.into_boxed_slice())));
    Some(files.len() - 1)
}

pub(super) fn on_disk_bytes(number: usize) -> &'static [u8] {
    let files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    files.get(number).map_or(&[], |(_, bytes)| bytes)
}

// What is laid over the disk: names and what they stand for, in turn.

pub(super) fn table(worker: &mut Worker) -> Run<(u32, Vec<u32>)> {
    let root = worker.fixed(HOLDER, "files")?;
    let array = worker.get(root, worker.field_of(root, "value")?.slot);
    if array == 0 {
        return Ok((root, Vec::new()));
    }
    let place = worker.heap.place(&worker.vm.base, array);
    let words = (0..worker.array_length(array)).map(|index| worker.load_word(place, index));
    Ok((root, words.collect()))
}

pub(super) fn entry(worker: &mut Worker, path: &str) -> Run<Option<Entry>> {
    let (_, table) = table(worker)?;
    for pair in table.chunks_exact(2) {
        if worker.text_of(pair[0])? == path {
            return Ok(Some(match pair[1] {
                0 => Entry::Removed,
                object if &*worker.class_of(object).name == HOLDER => Entry::File(object),
                _ => Entry::Directory,
            }));
        }
    }
    Ok(None)
}

/// Lays something over a path.
pub(super) fn lay(worker: &mut Worker, path: &str, laid: Entry) -> Run<()> {
    let (root, table) = table(worker)?;
    let mut entries = Vec::new();
    for pair in table.chunks_exact(2) {
        entries.push((worker.text_of(pair[0])?, pair[0], pair[1]));
    }
    let at = entries.partition_point(|(name, ..)| name.as_str() < path);
    if entries.get(at).is_some_and(|(name, ..)| name == path) {
        entries.remove(at);
    }
    let value = match laid {
        Entry::Removed => 0,
        Entry::Directory => worker.literal("a directory")?,
        Entry::File(object) => object,
    };
    if value != 0 || on_disk(path).is_some() {
        let name = worker.new_text(path)?;
        entries.insert(at, (path.to_owned(), name, value));
    }
    let class = worker.class("[Ljava/lang/Object;")?;
    let words: Vec<u32> = entries.iter().flat_map(|&(_, name, value)| [name, value]).collect();
    let array = if words.is_empty() { 0 } else { worker.new_references(class, &words)? };
    let slot = worker.field_of(root, "value")?.slot;
    worker.set_reference(root, slot, array);
    Ok(())
}

pub(crate) fn kind(worker: &mut Worker, path: &str) -> Run<Kind> {
    Ok(match entry(worker, path)? {
        Some(Entry::Removed) => Kind::Missing,
        Some(Entry::Directory) => Kind::Directory,
        Some(Entry::File(_)) => Kind::File,
        None => match on_disk(path) {
            Some(real) if real.is_dir() => Kind::Directory,
            Some(_) => Kind::File,
            None => Kind::Missing,
        },
    })
}

/// The bytes of a file, if there is one.
pub(crate) fn content(worker: &mut Worker, path: &str) -> Run<Option<Vec<u8>>> {
    if kind(worker, path)? != Kind::File {
        return Ok(None);
    }
    if let Some(Entry::File(file)) = entry(worker, path)? {
        return bytes(worker, &Open::Written(file)).map(Some);
    }
    let number = on_disk(path).and_then(|real| opened_before(&real));
    Ok(number.map(|number| on_disk_bytes(number).to_vec()))
}

/// Makes a file with this content.
pub(super) fn make(worker: &mut Worker, path: &str, content: &[u8]) -> Run<u32> {
    let class = worker.class(HOLDER)?;
    let file = worker.new_instance(class)?;
    put_bytes(worker, file, content)?;
    lay(worker, path, Entry::File(file))?;
    Ok(file)
}

/// Makes a file with this content, if there is a directory for it.
pub(crate) fn make_file(worker: &mut Worker, path: &str, content: &[u8]) -> Run<bool> {
    let possible = kind(worker, parent(path))? == Kind::Directory;
    if possible {
        make(worker, path, content)?;
    }
    Ok(possible)
}

pub(crate) fn make_directory(worker: &mut Worker, path: &str) -> Run<bool> {
    let possible =
        kind(worker, path)? == Kind::Missing && kind(worker, parent(path))? == Kind::Directory;
    if possible {
        lay(worker, path, Entry::Directory)?;
    }
    Ok(possible)
}

pub(crate) fn remove(worker: &mut Worker, path: &str) -> Run<bool> {
    let possible = match kind(worker, path)? {
        Kind::Missing => false,
        Kind::File => true,
        Kind::Directory => list(worker, path)?.is_some_and(|found| found.is_empty()),
    };
    if possible {
        lay(worker, path, Entry::Removed)?;
    }
    Ok(possible)
}

pub(crate) fn rename(worker: &mut Worker, from: &str, to: &str) -> Run<bool> {
    let there = kind(worker, parent(to))? == Kind::Directory;
    match (kind(worker, from)?, kind(worker, to)?) {
        (Kind::Missing, _) | (Kind::File, Kind::Directory) => return Ok(false),
        (Kind::Directory, _) => {
            if list(worker, from)?.is_some_and(|found| !found.is_empty()) {
                return worker.unsupported(format!("renaming the directory {from}"));
            }
            if !there || kind(worker, to)? != Kind::Missing {
                return Ok(false);
            }
            lay(worker, to, Entry::Directory)?;
        }
        (Kind::File, _) => {
            if !there {
                return Ok(false);
            }
            match entry(worker, from)? {
                Some(Entry::File(file)) => lay(worker, to, Entry::File(file))?,
                _ => {
                    let bytes = content(worker, from)?.unwrap_or_default();
                    make(worker, to, &bytes)?;
                }
            }
        }
    }
    if from != to {
        lay(worker, from, Entry::Removed)?;
    }
    Ok(true)
}

/// What is in a directory, in order.
pub(crate) fn list(worker: &mut Worker, path: &str) -> Run<Option<Vec<String>>> {
    if kind(worker, path)? != Kind::Directory {
        return Ok(None);
    }
    let mut found: Vec<String> = Vec::new();
    if let Some(real) = on_disk(path) {
        let entries = std::fs::read_dir(real).into_iter().flatten().flatten();
        found.extend(entries.filter_map(|entry| entry.file_name().into_string().ok()));
    }
    let (_, table) = table(worker)?;
    for pair in table.chunks_exact(2) {
        let name = worker.text_of(pair[0])?;
        if parent(&name) == path && name != path {
            let last = name.rsplit('/').next().unwrap_or_default().to_owned();
            found.retain(|known| *known != last);
            if pair[1] != 0 {
                found.push(last);
            }
        }
    }
    found.sort_unstable();
    Ok(Some(found))
}
