//! Files. What is on the disk can be read and is never changed: what a program writes is a part of its state, laid over the
//! disk. A file that was written is an object whose value is an array of its bytes; the names of all such files lie
//! in one array, in order, so that it does not matter who made which first.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{Args, Done, Peer, plain};
use crate::load::Jdk;
use crate::vm::{Run, Worker};

/// The first descriptor of files of the disk.
const DISK: u32 = 1000;
/// The descriptor of all files that are in the state.
const WRITTEN: u32 = 3;
/// The descriptor of a stream that was closed.
const CLOSED: u32 = u32::MAX;

/// The class of what holds a value.
const HOLDER: &str = "java/util/concurrent/atomic/AtomicReference";

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Missing,
    Directory,
    File,
}

/// What a program has laid over a path.
#[derive(Clone, Copy)]
enum Entry {
    Removed,
    Directory,
    File(u32),
}

/// What an open stream reads or writes.
enum Open {
    /// One of the three streams that every program has.
    Standard(u32),
    Disk(&'static [u8]),
    Written(u32),
}

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match class {
        "java/io/UnixFileSystem" => return names(name),
        "java/io/FileInputStream" | "java/io/FileOutputStream" | "java/io/RandomAccessFile" => {}
        "java/io/FileDescriptor" | "java/io/FileCleanable" => {
            return match name {
                "getHandle" => plain(|_, _| Ok(Done::Long(u64::MAX))),
                "getAppend" => plain(|_, _| Ok(Done::bool(false))),
                // The place of what would close the file is where its content is held.
                "sync" | "cleanupClose0" | "register" | "unregister" | "registerCleanup"
                | "unregisterCleanup" => plain(|_, _| Ok(Done::Void)),
                "close0" => plain(|worker, args| {
                    let slot = worker.field_of(args.word(0), "fd")?.slot;
                    worker.touch(args.word(0))?;
                    worker.set(args.word(0), slot, CLOSED);
                    Ok(Done::Void)
                }),
                _ => None,
            };
        }
        // It would be gone only when nobody can see it.
        "java/io/File" if name == "deleteOnExit" => return plain(|_, _| Ok(Done::Void)),
        _ => return None,
    }
    match (name, descriptor) {
        ("open0", _) => plain(open),
        ("read0", _) => plain(|worker, args| {
            let read = read(worker, args, 1)?;
            Ok(Done::Word(read.first().map_or(u32::MAX, |&byte| u32::from(byte))))
        }),
        ("readBytes", _) => plain(read_bytes),
        ("write" | "write0", "(IZ)V" | "(I)V")
            if class != "java/io/FileOutputStream" || descriptor == "(IZ)V" =>
        {
            plain(|worker, args| write(worker, args, &[args.word(1) as u8]))
        }
        ("writeBytes", _) if descriptor.starts_with("([B") => plain(write_bytes),
        ("length0", _) => plain(length),
        ("length", "()J") if class == "java/io/RandomAccessFile" => plain(length),
        ("position0" | "getFilePointer", _) => plain(|worker, args| {
            let (descriptor, _) = opened(worker, args.word(0))?;
            worker.touch(descriptor)?;
            Ok(Done::Long(position(worker, descriptor)?))
        }),
        ("seek0", _) => plain(|worker, args| {
            let (descriptor, _) = opened(worker, args.word(0))?;
            worker.touch(descriptor)?;
            set_position(worker, descriptor, args.long(1))?;
            Ok(Done::Void)
        }),
        ("skip0", _) => plain(|worker, args| {
            let (descriptor, open) = opened(worker, args.word(0))?;
            if let Open::Standard(_) = open {
                return worker.unsupported("skipping standard input");
            }
            worker.touch(descriptor)?;
            let at = position(worker, descriptor)?;
            set_position(worker, descriptor, at.wrapping_add(args.long(1)))?;
            Ok(Done::Long(args.long(1)))
        }),
        ("available0", _) => plain(|worker, args| {
            let (descriptor, open) = opened(worker, args.word(0))?;
            let left = match open {
                Open::Standard(_) => worker.vm.input.len() as u64 - u64::from(worker.read),
                open => {
                    worker.visible()?;
                    let at = position(worker, descriptor)?;
                    (bytes(worker, &open)?.len() as u64).saturating_sub(at)
                }
            };
            Ok(Done::Word(left.min(i32::MAX as u64) as u32))
        }),
        ("setLength", "(J)V") => plain(|worker, args| {
            let (descriptor, _) = opened(worker, args.word(0))?;
            resize(worker, descriptor, args.long(1))?;
            Ok(Done::Void)
        }),
        _ => None,
    }
}

const IO: &str = "java/io/IOException";
const MISSING: &str = "java/io/FileNotFoundException";

/// Questions and changes that concern names.
fn names(name: &str) -> Option<Peer> {
    match name {
        "canonicalize0" | "canonicalize" => plain(|worker, args| {
            let path = absolute(&worker.text_of(args.word(1))?);
            worker.new_text(&path).map(Done::Word)
        }),
        "getBooleanAttributes0" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            Ok(Done::Word(match kind(worker, &path)? {
                Kind::Missing => 0,
                Kind::File => 1 | 2,
                Kind::Directory => 1 | 4,
            }))
        }),
        "checkAccess" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            let kind = kind(worker, &path)?;
            // Everything may be read and written; only directories can be entered.
            let executed = args.word(2) & 1 == 0 || kind == Kind::Directory;
            Ok(Done::bool(kind != Kind::Missing && executed))
        }),
        "getLength" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            let content = content(worker, &path)?;
            Ok(Done::Long(content.map_or(0, |content| content.len() as u64)))
        }),
        "getLastModifiedTime" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            let known = kind(worker, &path)? != Kind::Missing;
            Ok(Done::Long(if known { super::system::MILLISECONDS } else { 0 }))
        }),
        "createFileExclusively" => plain(|worker, args| {
            let path = absolute(&worker.text_of(args.word(1))?);
            worker.visible()?;
            if kind(worker, &path)? != Kind::Missing {
                return Ok(Done::bool(false));
            }
            if kind(worker, parent(&path))? != Kind::Directory {
                return Err(worker.throw(IO, Some("No such file or directory")));
            }
            make(worker, &path, &[])?;
            Ok(Done::bool(true))
        }),
        "delete0" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            remove(worker, &path).map(Done::bool)
        }),
        "list" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            let Some(found) = list(worker, &path)? else { return Ok(Done::Word(0)) };
            let texts: Vec<u32> =
                found.iter().map(|name| worker.new_text(name)).collect::<Run<_>>()?;
            let class = worker.class("[Ljava/lang/String;")?;
            worker.new_references(class, &texts).map(Done::Word)
        }),
        "createDirectory" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            make_directory(worker, &path).map(Done::bool)
        }),
        "rename0" => plain(|worker, args| {
            let (from, to) = (path_of(worker, args.word(1))?, path_of(worker, args.word(2))?);
            worker.visible()?;
            rename(worker, &from, &to).map(Done::bool)
        }),
        "setLastModifiedTime" | "setPermission" | "setReadOnly" => {
            plain(|worker, args| worker.unsupported(format!("File.{}", args.method.name)))
        }
        "getNameMax0" => plain(|_, _| Ok(Done::Long(255))),
        _ => None,
    }
}

/// The directory that programs begin in.
pub(super) fn working_directory() -> &'static str {
    static DIRECTORY: OnceLock<String> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let found = std::env::current_dir().ok();
        found.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or("/".to_owned())
    })
}

/// A path from the root on, without detours.
pub(super) fn absolute(path: &str) -> String {
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

fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((parent, _)) => parent,
    }
}

fn path_of(worker: &mut Worker, file: u32) -> Run<String> {
    if file == 0 {
        return Err(worker.null_pointer());
    }
    let path = worker.get(file, worker.field_of(file, "path")?.slot);
    Ok(absolute(&worker.text_of(path)?))
}

/// Where a path is on the disk: programs see the files of the JDK below `/`. There are no devices.
fn on_disk(path: &str) -> Option<PathBuf> {
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
fn opened_before(path: &Path) -> Option<usize> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = files.iter().position(|(known, _)| known == path) {
        return Some(known);
    }
    let bytes = std::fs::read(path).ok()?;
    files.push((path.to_owned(), Box::leak(bytes.into_boxed_slice())));
    Some(files.len() - 1)
}

fn on_disk_bytes(number: usize) -> &'static [u8] {
    let files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    files.get(number).map_or(&[], |(_, bytes)| bytes)
}

// What is laid over the disk: names and what they stand for, in turn.

fn table(worker: &mut Worker) -> Run<(u32, Vec<u32>)> {
    let root = worker.fixed(HOLDER, "files")?;
    let array = worker.get(root, worker.field_of(root, "value")?.slot);
    if array == 0 {
        return Ok((root, Vec::new()));
    }
    let place = worker.heap.place(&worker.vm.base, array);
    let words = (0..worker.array_length(array)).map(|index| worker.load_word(place, index));
    Ok((root, words.collect()))
}

fn entry(worker: &mut Worker, path: &str) -> Run<Option<Entry>> {
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
fn lay(worker: &mut Worker, path: &str, laid: Entry) -> Run<()> {
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

pub(super) fn kind(worker: &mut Worker, path: &str) -> Run<Kind> {
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
pub(super) fn content(worker: &mut Worker, path: &str) -> Run<Option<Vec<u8>>> {
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
fn make(worker: &mut Worker, path: &str, content: &[u8]) -> Run<u32> {
    let class = worker.class(HOLDER)?;
    let file = worker.new_instance(class)?;
    put_bytes(worker, file, content)?;
    lay(worker, path, Entry::File(file))?;
    Ok(file)
}

/// Makes a file with this content, if there is a directory for it.
pub(super) fn make_file(worker: &mut Worker, path: &str, content: &[u8]) -> Run<bool> {
    let possible = kind(worker, parent(path))? == Kind::Directory;
    if possible {
        make(worker, path, content)?;
    }
    Ok(possible)
}

pub(super) fn make_directory(worker: &mut Worker, path: &str) -> Run<bool> {
    let possible =
        kind(worker, path)? == Kind::Missing && kind(worker, parent(path))? == Kind::Directory;
    if possible {
        lay(worker, path, Entry::Directory)?;
    }
    Ok(possible)
}

pub(super) fn remove(worker: &mut Worker, path: &str) -> Run<bool> {
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

pub(super) fn rename(worker: &mut Worker, from: &str, to: &str) -> Run<bool> {
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
pub(super) fn list(worker: &mut Worker, path: &str) -> Run<Option<Vec<String>>> {
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

// Streams.

/// How a file is opened.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub write: bool,
    pub create: bool,
    pub truncate: bool,
}

fn open(worker: &mut Worker, args: &Args) -> Run<Done> {
    let text = worker.text_of(args.word(1))?;
    worker.visible()?;
    let (path, flag) = (absolute(&text), args.word(2));
    let mode = match &*args.method.class.name {
        "java/io/FileOutputStream" => Mode { write: true, create: true, truncate: flag == 0 },
        // The first bit is for reading only.
        "java/io/RandomAccessFile" if flag & 1 == 0 => {
            Mode { write: true, create: true, truncate: false }
        }
        _ => Mode { write: false, create: false, truncate: false },
    };
    let descriptor = worker.get(args.word(0), worker.field_of(args.word(0), "fd")?.slot);
    if let Err(why) = open_as(worker, &path, mode, descriptor)? {
        return Err(worker.throw(MISSING, Some(&format!("{text} ({why})"))));
    }
    if &*args.method.class.name == "java/io/FileOutputStream" {
        let append = worker.field_of(descriptor, "append")?.slot;
        worker.set(descriptor, append, flag);
    }
    Ok(Done::Void)
}

/// Opens a file with a descriptor, or tells why that cannot be.
pub(super) fn open_as(
    worker: &mut Worker,
    path: &str,
    mode: Mode,
    descriptor: u32,
) -> Run<Result<(), &'static str>> {
    let known = match kind(worker, path)? {
        Kind::Directory => return Ok(Err("Is a directory")),
        Kind::Missing if !mode.create || kind(worker, parent(path))? != Kind::Directory => {
            return Ok(Err("No such file or directory"));
        }
        known => known,
    };
    let laid = match entry(worker, path)? {
        Some(Entry::File(file)) => Some(file),
        _ if !mode.write => None,
        _ => {
            let before = match known {
                Kind::File if !mode.truncate => content(worker, path)?.unwrap_or_default(),
                _ => Vec::new(),
            };
            Some(make(worker, path, &before)?)
        }
    };
    let (number, held) = match laid {
        Some(file) => {
            if mode.write && mode.truncate {
                put_bytes(worker, file, &[])?;
            }
            (WRITTEN, file)
        }
        None => match on_disk(path).and_then(|real| opened_before(&real)) {
            Some(file) => (DISK + file as u32, 0),
            None => return Ok(Err("Permission denied")),
        },
    };
    let slot = |worker: &Worker, name| worker.field_of(descriptor, name).map(|field| field.slot);
    let (fd, cleanup) = (slot(worker, "fd")?, slot(worker, "cleanup")?);
    worker.set(descriptor, fd, number);
    worker.set_reference(descriptor, cleanup, held);
    set_position(worker, descriptor, 0)?;
    Ok(Ok(()))
}

/// The descriptor of a stream and what it leads to.
fn opened(worker: &mut Worker, stream: u32) -> Run<(u32, Open)> {
    let descriptor = worker.get(stream, worker.field_of(stream, "fd")?.slot);
    if descriptor == 0 {
        return Err(worker.throw(IO, Some("Stream Closed")));
    }
    Ok((descriptor, open_of(worker, descriptor)?))
}

/// What a descriptor leads to.
fn open_of(worker: &mut Worker, descriptor: u32) -> Run<Open> {
    let fd = worker.get(descriptor, worker.field_of(descriptor, "fd")?.slot);
    Ok(match fd {
        CLOSED => return Err(worker.throw(IO, Some("Stream Closed"))),
        0..WRITTEN => Open::Standard(fd),
        WRITTEN => {
            Open::Written(worker.get(descriptor, worker.field_of(descriptor, "cleanup")?.slot))
        }
        _ => Open::Disk(on_disk_bytes(fd.saturating_sub(DISK) as usize)),
    })
}

/// The handle of a descriptor counts what was read or written.
pub(super) fn position(worker: &Worker, descriptor: u32) -> Run<u64> {
    Ok(worker.get_long(descriptor, worker.field_of(descriptor, "handle")?.slot))
}

pub(super) fn set_position(worker: &mut Worker, descriptor: u32, at: u64) -> Run<()> {
    let slot = worker.field_of(descriptor, "handle")?.slot;
    worker.set_long(descriptor, slot, at);
    Ok(())
}

fn bytes(worker: &Worker, open: &Open) -> Run<Vec<u8>> {
    Ok(match open {
        Open::Standard(_) => Vec::new(),
        Open::Disk(bytes) => bytes.to_vec(),
        Open::Written(file) => {
            let array = worker.get(*file, worker.field_of(*file, "value")?.slot);
            worker.bytes_of(array)
        }
    })
}

fn put_bytes(worker: &mut Worker, file: u32, content: &[u8]) -> Run<()> {
    let array = worker.new_bytes(content)?;
    let slot = worker.field_of(file, "value")?.slot;
    worker.set_reference(file, slot, array);
    Ok(())
}

/// A length that a file may have here.
fn within(worker: &Worker, length: u64) -> Run<usize> {
    match usize::try_from(length) {
        Ok(length) if length <= 1 << 24 => Ok(length),
        _ => worker.unsupported("files of more than 16 MiB"),
    }
}

fn length(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (descriptor, _) = opened(worker, args.word(0))?;
    size(worker, descriptor).map(Done::Long)
}

/// Takes up to so many bytes from a stream.
fn read(worker: &mut Worker, args: &Args, most: usize) -> Run<Vec<u8>> {
    let (descriptor, _) = opened(worker, args.word(0))?;
    take(worker, descriptor, None, most)
}

/// Takes up to so many bytes from an open file: from a position, or from where it is and goes on.
pub(super) fn take(
    worker: &mut Worker,
    descriptor: u32,
    from: Option<u64>,
    most: usize,
) -> Run<Vec<u8>> {
    let open = open_of(worker, descriptor)?;
    match open {
        Open::Standard(_) => {
            let vm = std::sync::Arc::clone(&worker.vm);
            let rest = vm.input.get(worker.read as usize..).unwrap_or(&[]);
            if rest.is_empty() {
                return Ok(Vec::new());
            }
            worker.visible()?;
            let taken = rest.len().min(most);
            worker.read += taken as u32;
            return Ok(rest[..taken].to_vec());
        }
        // Nobody changes it.
        Open::Disk(_) => worker.touch(descriptor)?,
        Open::Written(_) => worker.visible()?,
    }
    let at = match from {
        Some(at) => at,
        None => position(worker, descriptor)?,
    };
    let content;
    let all: &[u8] = match open {
        Open::Disk(bytes) => bytes,
        open => {
            content = bytes(worker, &open)?;
            &content
        }
    };
    let rest = usize::try_from(at).ok().and_then(|at| all.get(at..)).unwrap_or(&[]);
    let taken = rest[..rest.len().min(most)].to_vec();
    if from.is_none() {
        set_position(worker, descriptor, at + taken.len() as u64)?;
    }
    Ok(taken)
}

/// The part of an array that a stream reads to or writes from.
fn part(worker: &mut Worker, args: &Args) -> Run<(u32, u32, u32)> {
    let (array, offset, count) = (args.word(1), args.int(2), args.int(3));
    if array == 0 {
        return Err(worker.null_pointer());
    }
    let length = worker.array_length(array) as i32;
    if offset < 0 || count < 0 || offset.checked_add(count).is_none_or(|end| end > length) {
        return Err(worker.throw("java/lang/IndexOutOfBoundsException", None));
    }
    Ok((array, offset as u32, count as u32))
}

fn read_bytes(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (array, offset, count) = part(worker, args)?;
    if count == 0 {
        return Ok(Done::Word(0));
    }
    let taken = read(worker, args, count as usize)?;
    for (index, &byte) in taken.iter().enumerate() {
        worker.store_byte(array, offset + index as u32, byte);
    }
    Ok(Done::Word(if taken.is_empty() { u32::MAX } else { taken.len() as u32 }))
}

fn write_bytes(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (array, offset, count) = part(worker, args)?;
    let bytes = worker.bytes_of(array);
    write(worker, args, &bytes[offset as usize..(offset + count) as usize])
}

fn write(worker: &mut Worker, args: &Args, written: &[u8]) -> Run<Done> {
    let (descriptor, _) = opened(worker, args.word(0))?;
    put(worker, descriptor, None, written)?;
    Ok(Done::Void)
}

/// Writes to an open file: at a position, or where it is and goes on.
pub(super) fn put(
    worker: &mut Worker,
    descriptor: u32,
    to: Option<u64>,
    written: &[u8],
) -> Run<()> {
    let open = open_of(worker, descriptor)?;
    let file = match open {
        Open::Standard(0) | Open::Disk(_) => {
            return Err(worker.throw(IO, Some("Bad file descriptor")));
        }
        Open::Standard(number) => return worker.print(number as u8, written.to_vec()),
        Open::Written(file) => file,
    };
    worker.visible()?;
    let mut content = bytes(worker, &open)?;
    let append = worker.get(descriptor, worker.field_of(descriptor, "append")?.slot) != 0;
    let at = match to {
        _ if append => content.len() as u64,
        Some(at) => at,
        None => position(worker, descriptor)?,
    };
    let end = within(worker, at.saturating_add(written.len() as u64))?;
    if content.len() < end {
        content.resize(end, 0);
    }
    content[end - written.len()..end].copy_from_slice(written);
    put_bytes(worker, file, &content)?;
    if to.is_none() {
        set_position(worker, descriptor, end as u64)?;
    }
    Ok(())
}

/// Gives an open file another length.
pub(super) fn resize(worker: &mut Worker, descriptor: u32, length: u64) -> Run<()> {
    let open = open_of(worker, descriptor)?;
    let Open::Written(file) = open else {
        return Err(worker.throw(IO, Some("Invalid argument")));
    };
    worker.visible()?;
    let mut content = bytes(worker, &open)?;
    let wanted = within(worker, length)?;
    content.resize(wanted, 0);
    put_bytes(worker, file, &content)?;
    let at = position(worker, descriptor)?;
    set_position(worker, descriptor, at.min(length))
}

/// The length of an open file.
pub(super) fn size(worker: &mut Worker, descriptor: u32) -> Run<u64> {
    let open = open_of(worker, descriptor)?;
    worker.visible()?;
    Ok(match open {
        Open::Disk(bytes) => bytes.len() as u64,
        open => bytes(worker, &open)?.len() as u64,
    })
}
