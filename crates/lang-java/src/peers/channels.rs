//! `java.nio.file` and file channels, on the same files as `java.io`.

use super::files::{self, Kind, Mode};
use super::{Args, Done, Peer, plain};
use crate::vm::{Run, Trap, Worker};

// What the system calls its errors.
const NO_ENTRY: u32 = 2;
const EXISTS: u32 = 17;
const NO_DIRECTORY: u32 = 20;
const IS_DIRECTORY: u32 = 21;
const NOT_EMPTY: u32 = 39;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("sun/nio/fs/UnixChannelFactory", "open") => plain(open),
        ("sun/nio/fs/UnixNativeDispatcher", "exists") => plain(|worker, args| {
            let path = path_of(worker, args.word(0))?;
            worker.visible()?;
            files::look_at_disk(worker, &path)?;
            Ok(Done::bool(files::kind(worker, &path)? != Kind::Missing))
        }),
        ("sun/nio/fs/UnixNativeDispatcher", "access") => plain(|worker, args| {
            let path = path_of(worker, args.word(0))?;
            worker.visible()?;
            files::look_at_disk(worker, &path)?;
            match files::kind(worker, &path)? {
                Kind::Missing => Err(failure(worker, NO_ENTRY)?),
                Kind::File if args.word(1) & 1 != 0 => Err(failure(worker, 13)?),
                _ => Ok(Done::Void),
            }
        }),
        ("sun/nio/fs/UnixNativeDispatcher", "stat") if descriptor.ends_with(")I") => {
            plain(|worker, args| {
                let path = path_of(worker, args.word(0))?;
                worker.visible()?;
                files::look_at_disk(worker, &path)?;
                let kind = files::kind(worker, &path)?;
                Ok(Done::Word(mode_of(kind)))
            })
        }
        ("sun/nio/fs/UnixNativeDispatcher", "stat" | "lstat") => plain(attributes),
        ("sun/nio/fs/UnixNativeDispatcher", "unlink" | "rmdir") => plain(remove),
        ("sun/nio/fs/UnixNativeDispatcher", "mkdir") => plain(|worker, args| {
            let path = path_of(worker, args.word(0))?;
            worker.visible()?;
            match files::make_directory(worker, &path)? {
                true => Ok(Done::Void),
                false if files::kind(worker, &path)? != Kind::Missing => {
                    Err(failure(worker, EXISTS)?)
                }
                false => Err(failure(worker, NO_ENTRY)?),
            }
        }),
        ("sun/nio/fs/UnixNativeDispatcher", "rename") => plain(|worker, args| {
            let (from, to) = (path_of(worker, args.word(0))?, path_of(worker, args.word(1))?);
            worker.visible()?;
            match files::rename(worker, &from, &to)? {
                true => Ok(Done::Void),
                false => Err(failure(worker, NO_ENTRY)?),
            }
        }),
        ("sun/nio/fs/UnixCopyFile", "copyFile") => plain(copy),
        ("sun/nio/fs/UnixNativeDispatcher", "realpath") => plain(|worker, args| {
            let path = path_of(worker, args.word(0))?;
            worker.visible()?;
            if files::kind(worker, &path)? == Kind::Missing {
                return Err(failure(worker, NO_ENTRY)?);
            }
            worker.new_bytes(path.as_bytes()).map(Done::Word)
        }),
        ("sun/nio/fs/UnixNativeDispatcher", "strerror") => plain(|worker, args| {
            let text = match args.word(0) {
                NO_ENTRY => "No such file or directory",
                EXISTS => "File exists",
                NO_DIRECTORY => "Not a directory",
                IS_DIRECTORY => "Is a directory",
                NOT_EMPTY => "Directory not empty",
                _ => "Permission denied",
            };
            worker.new_bytes(text.as_bytes()).map(Done::Word)
        }),
        ("sun/nio/ch/IOUtil", "read") if descriptor.contains("Ljava/nio/ByteBuffer;J") => {
            plain(read)
        }
        ("sun/nio/ch/IOUtil", "write") if descriptor.contains("Ljava/nio/ByteBuffer;J") => {
            plain(write)
        }
        ("sun/nio/ch/IOUtil", "iovMax") => plain(|_, _| Ok(Done::Word(1024))),
        ("sun/nio/ch/FileDispatcherImpl", "init") => plain(|_, _| Ok(Done::Void)),
        // There are no signals, whatever a release asks about them.
        ("sun/nio/ch/NativeThread", "init" | "signal" | "signal0") => plain(|_, _| Ok(Done::Void)),
        ("sun/nio/ch/NativeThread", "current" | "current0") => plain(|_, _| Ok(Done::Long(0))),
        ("sun/nio/ch/NativeThread", "supportPendingSignals0") => {
            plain(|_, _| Ok(Done::bool(false)))
        }
        ("sun/nio/ch/IOUtil", "fdLimit") => plain(|_, _| Ok(Done::Word(1024))),
        ("sun/nio/ch/FileChannelImpl", "maxDirectTransferSize0") => {
            plain(|_, _| Ok(Done::Word(i32::MAX as u32)))
        }
        ("sun/nio/ch/FileChannelImpl", "initIDs") => plain(|_, _| Ok(Done::Long(4096))),
        ("sun/nio/ch/FileDispatcherImpl", "seek0") => plain(|worker, args| {
            let (file, at) = (args.word(0), args.long(1));
            worker.touch(file)?;
            // Nothing is moved by asking.
            if (at as i64) >= 0 {
                files::set_position(worker, file, at)?;
            }
            Ok(Done::Long(files::position(worker, file)?))
        }),
        ("sun/nio/ch/FileDispatcherImpl", "size0") => {
            plain(|worker, args| files::size(worker, args.word(0)).map(Done::Long))
        }
        ("sun/nio/ch/FileDispatcherImpl", "truncate0") => plain(|worker, args| {
            files::resize(worker, args.word(0), args.long(1))?;
            Ok(Done::Word(0))
        }),
        ("sun/nio/ch/FileDispatcherImpl", "force0") => plain(|_, _| Ok(Done::Word(0))),
        // References are never cleared, so that its thread has nothing to do.
        ("jdk/internal/ref/CleanerImpl", "start") => plain(|worker, args| match args.word(2) {
            factory if factory != 0 && !worker.class_of(factory).library => Ok(Done::Bytecode),
            _ => Ok(Done::Void),
        }),
        _ => None,
    }
}

/// The exception that tells an error of the system.
pub(super) fn failure(worker: &mut Worker, number: u32) -> Run<Trap> {
    let trap = worker.throw("sun/nio/fs/UnixException", None);
    if let Trap::Throw(exception) = trap {
        let slot = worker.field_of(exception, "errno")?.slot;
        worker.set(exception, slot, number);
    }
    Ok(trap)
}

pub(super) fn path_of(worker: &mut Worker, path: u32) -> Run<String> {
    if path == 0 {
        return Err(worker.null_pointer());
    }
    let bytes = worker.bytes_of(worker.get(path, worker.field_of(path, "path")?.slot));
    Ok(files::absolute(&String::from_utf8_lossy(&bytes)))
}

fn mode_of(kind: Kind) -> u32 {
    match kind {
        Kind::Missing => 0,
        Kind::File => 0o100_644,
        Kind::Directory => 0o040_755,
    }
}

fn open(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (path, flags) = (path_of(worker, args.word(1))?, args.word(3));
    worker.visible()?;
    let flag = |worker: &Worker, name: &str| -> Run<bool> {
        Ok(worker.get(flags, worker.field_of(flags, name)?.slot) != 0)
    };
    if flag(worker, "deleteOnClose")? {
        return worker.unsupported("files that are removed when they are closed");
    }
    let kind = files::kind(worker, &path)?;
    let create_new = flag(worker, "createNew")?;
    let write = flag(worker, "write")?;
    if write && create_new && kind != Kind::Missing {
        return Err(failure(worker, EXISTS)?);
    }
    let mode = Mode {
        write,
        create: write && (create_new || flag(worker, "create")?),
        truncate: write && flag(worker, "truncateExisting")?,
    };
    let class = worker.class("java/io/FileDescriptor")?;
    worker.initialise_library(class)?;
    let descriptor = worker.new_instance(class)?;
    let append = u32::from(flag(worker, "append")?);
    let slot = worker.library_field(class, "append")?.slot;
    worker.set(descriptor, slot, append);
    match files::open_as(worker, &path, mode, descriptor)? {
        Ok(()) => Ok(Done::Word(descriptor)),
        Err("Is a directory") => Err(failure(worker, IS_DIRECTORY)?),
        Err("Permission denied") => Err(failure(worker, 13)?),
        Err(_) => Err(failure(worker, NO_ENTRY)?),
    }
}

fn attributes(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (path, attributes) = (path_of(worker, args.word(0))?, args.word(1));
    worker.visible()?;
    files::look_at_disk(worker, &path)?;
    let kind = files::kind(worker, &path)?;
    if kind == Kind::Missing {
        return Err(failure(worker, NO_ENTRY)?);
    }
    let length = files::content(worker, &path)?.map_or(4096, |content| content.len() as u64);
    let slot = |worker: &Worker, name: &str| worker.field_of(attributes, name).map(|f| f.slot);
    let mode = slot(worker, "st_mode")?;
    worker.set(attributes, mode, mode_of(kind));
    let seconds = super::system::MILLISECONDS / 1000;
    // A file is known by its path.
    let number = path.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31) + u64::from(byte));
    for (name, value) in [
        ("st_size", length),
        ("st_ino", number >> 1),
        ("st_mtime_sec", seconds),
        ("st_atime_sec", seconds),
        ("st_ctime_sec", seconds),
    ] {
        let slot = slot(worker, name)?;
        worker.set_long(attributes, slot, value);
    }
    Ok(Done::Void)
}

/// `UnixCopyFile.copyFile`: what was there before is gone already.
fn copy(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (from, to) = (path_of(worker, args.word(0))?, path_of(worker, args.word(2))?);
    worker.visible()?;
    let made = match files::content(worker, &from)? {
        None => Err((NO_ENTRY, args.word(0))),
        Some(_) if files::kind(worker, &to)? != Kind::Missing => Err((EXISTS, args.word(2))),
        Some(content) => match files::make_file(worker, &to, &content)? {
            true => Ok(()),
            false => Err((NO_ENTRY, args.word(2))),
        },
    };
    let (number, path) = match made {
        Ok(()) => return Ok(Done::Void),
        Err(failed) => failed,
    };
    let trap = failure(worker, number)?;
    let Trap::Throw(exception) = trap else { return Err(trap) };
    let class = worker.class_of(exception);
    match class.declared("rethrowAsIOException", "(Lsun/nio/fs/UnixPath;)V") {
        Some(method) => Ok(Done::Call(method, vec![exception, path])),
        None => worker.unsupported("this JDK: UnixException without rethrowAsIOException"),
    }
}

fn remove(worker: &mut Worker, args: &Args) -> Run<Done> {
    let path = path_of(worker, args.word(0))?;
    worker.visible()?;
    let error = match (files::kind(worker, &path)?, &*args.method.name) {
        (Kind::Missing, _) => NO_ENTRY,
        (Kind::Directory, "unlink") => IS_DIRECTORY,
        (Kind::File, "rmdir") => NO_DIRECTORY,
        _ if files::remove(worker, &path)? => return Ok(Done::Void),
        _ => NOT_EMPTY,
    };
    Err(failure(worker, error)?)
}

/// The bytes between position and limit of a buffer: array, first index, count.
fn room(worker: &mut Worker, buffer: u32) -> Run<(u32, u32, u32)> {
    let field = |worker: &Worker, name: &str| -> Run<u32> {
        Ok(worker.get(buffer, worker.field_of(buffer, name)?.slot))
    };
    let array = field(worker, "hb")?;
    let (at, limit) = (field(worker, "position")?, field(worker, "limit")?);
    if array == 0 {
        let address = worker.get_long(buffer, worker.field_of(buffer, "address")?.slot);
        let (array, start) = worker.at_address(address)?;
        return Ok((array, start + at, limit.saturating_sub(at)));
    }
    Ok((array, field(worker, "offset")? + at, limit.saturating_sub(at)))
}

fn advance(worker: &mut Worker, buffer: u32, count: u32) -> Run<()> {
    let slot = worker.field_of(buffer, "position")?.slot;
    let at = worker.get(buffer, slot);
    worker.set(buffer, slot, at + count);
    Ok(())
}

/// A position, or -1 for where the file is.
fn at(args: &Args) -> Option<u64> {
    Some(args.long(2)).filter(|&at| at as i64 >= 0)
}

fn read(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (array, from, count) = room(worker, args.word(1))?;
    if count == 0 {
        return Ok(Done::Word(0));
    }
    let taken = files::take(worker, args.word(0), at(args), count as usize)?;
    for (index, &byte) in taken.iter().enumerate() {
        worker.store_byte(array, from + index as u32, byte);
    }
    advance(worker, args.word(1), taken.len() as u32)?;
    Ok(Done::Word(if taken.is_empty() { u32::MAX } else { taken.len() as u32 }))
}

fn write(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (array, from, count) = room(worker, args.word(1))?;
    let bytes = worker.bytes_of(array);
    let Some(bytes) = bytes.get(from as usize..(from + count) as usize) else {
        return worker.unsupported("a buffer that is larger than its array");
    };
    files::put(worker, args.word(0), at(args), bytes)?;
    advance(worker, args.word(1), count)?;
    Ok(Done::Word(count))
}
