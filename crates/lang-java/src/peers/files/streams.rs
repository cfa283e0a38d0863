//! Open files: streams, channels, and what they read and write.

use super::super::{Args, Done};
use super::overlay::{
    Entry, Kind, absolute, content, entry, kind, make, on_disk, on_disk_bytes, opened_before,
    parent,
};
use super::{IO, MISSING};
use crate::vm::{Outside, Run, Worker};

/// The first descriptor of files of the disk.
const DISK: u32 = 1000;
/// The descriptor of all files that are in the state.
const WRITTEN: u32 = 3;
/// The descriptor of a stream that was closed.
pub(super) const CLOSED: u32 = u32::MAX;

/// What an open stream reads or writes.
pub(super) enum Open {
    /// One of the three streams that every program has.
    Standard(u32),
    Disk(&'static [u8]),
    Written(u32),
}

/// How a file is opened.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    pub write: bool,
    pub create: bool,
    pub truncate: bool,
}

pub(super) fn open(worker: &mut Worker, args: &Args) -> Run<Done> {
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
pub(crate) fn open_as(
    worker: &mut Worker,
    path: &str,
    mode: Mode,
    descriptor: u32,
) -> Run<Result<(), &'static str>> {
    if !mode.create {
        super::look_at_disk(worker, path)?;
    }
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
pub(super) fn opened(worker: &mut Worker, stream: u32) -> Run<(u32, Open)> {
    let descriptor = worker.get(stream, worker.field_of(stream, "fd")?.slot);
    if descriptor == 0 {
        return Err(worker.throw(IO, Some("Stream Closed")));
    }
    Ok((descriptor, open_of(worker, descriptor)?))
}

/// What a descriptor leads to.
pub(super) fn open_of(worker: &mut Worker, descriptor: u32) -> Run<Open> {
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
pub(crate) fn position(worker: &Worker, descriptor: u32) -> Run<u64> {
    Ok(worker.get_long(descriptor, worker.field_of(descriptor, "handle")?.slot))
}

pub(crate) fn set_position(worker: &mut Worker, descriptor: u32, at: u64) -> Run<()> {
    let slot = worker.field_of(descriptor, "handle")?.slot;
    worker.set_long(descriptor, slot, at);
    Ok(())
}

pub(super) fn bytes(worker: &Worker, open: &Open) -> Run<Vec<u8>> {
    Ok(match open {
        Open::Standard(_) => Vec::new(),
        Open::Disk(bytes) => bytes.to_vec(),
        Open::Written(file) => {
            let array = worker.get(*file, worker.field_of(*file, "value")?.slot);
            worker.bytes_of(array)
        }
    })
}

pub(super) fn put_bytes(worker: &mut Worker, file: u32, content: &[u8]) -> Run<()> {
    let array = worker.new_bytes(content)?;
    let slot = worker.field_of(file, "value")?.slot;
    worker.set_reference(file, slot, array);
    Ok(())
}

/// A length that a file may have here.
pub(super) fn within(worker: &Worker, length: u64) -> Run<usize> {
    match usize::try_from(length) {
        Ok(length) if length <= 1 << 24 => Ok(length),
        _ => worker.unsupported("files of more than 16 MiB"),
    }
}

pub(super) fn length(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (descriptor, _) = opened(worker, args.word(0))?;
    size(worker, descriptor).map(Done::Long)
}

/// Takes up to so many bytes from a stream.
pub(super) fn read(worker: &mut Worker, args: &Args, most: usize) -> Run<Vec<u8>> {
    let (descriptor, _) = opened(worker, args.word(0))?;
    take(worker, descriptor, None, most)
}

/// Takes up to so many bytes from an open file: from a position, or from where it is and goes on.
pub(crate) fn take(
    worker: &mut Worker,
    descriptor: u32,
    from: Option<u64>,
    most: usize,
) -> Run<Vec<u8>> {
    let open = open_of(worker, descriptor)?;
    match open {
        Open::Standard(_) => {
            look_at_input(worker)?;
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

/// Somebody reads what the program is given, or asks whether there is something.
pub(super) fn look_at_input(worker: &mut Worker) -> Run<()> {
    worker.look_outside(Outside::Input, "its input")
}

/// The part of an array that a stream reads to or writes from.
pub(super) fn part(worker: &mut Worker, args: &Args) -> Run<(u32, u32, u32)> {
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

pub(super) fn read_bytes(worker: &mut Worker, args: &Args) -> Run<Done> {
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

pub(super) fn write_bytes(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (array, offset, count) = part(worker, args)?;
    let bytes = worker.bytes_of(array);
    write(worker, args, &bytes[offset as usize..(offset + count) as usize])
}

pub(super) fn write(worker: &mut Worker, args: &Args, written: &[u8]) -> Run<Done> {
    let (descriptor, _) = opened(worker, args.word(0))?;
    put(worker, descriptor, None, written)?;
    Ok(Done::Void)
}

/// Writes to an open file: at a position, or where it is and goes on.
pub(crate) fn put(
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
pub(crate) fn resize(worker: &mut Worker, descriptor: u32, length: u64) -> Run<()> {
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
pub(crate) fn size(worker: &mut Worker, descriptor: u32) -> Run<u64> {
    let open = open_of(worker, descriptor)?;
    worker.visible()?;
    Ok(match open {
        Open::Disk(bytes) => bytes.len() as u64,
        open => bytes(worker, &open)?.len() as u64,
    })
}
