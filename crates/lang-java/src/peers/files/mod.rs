//! Files. What is on the disk can be read and is never changed: what a program writes is a part of its state, laid over the
//! disk. A file that was written is an object whose value is an array of its bytes; the names of all such files lie
//! in one array, in order, so that it does not matter who made which first.

mod overlay;
mod streams;

pub(super) use self::overlay::{
    Kind, absolute, content, kind, list, make_directory, make_file, remove, rename,
    working_directory,
};
pub(super) use self::streams::{Mode, open_as, position, put, resize, set_position, size, take};

use self::overlay::{make, parent, path_of};
use self::streams::{
    CLOSED, Open, bytes, length, open, opened, read, read_bytes, write, write_bytes,
};
use super::{Done, Peer, plain};
use crate::vm::{Outside, Run, Worker};

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
                Open::Standard(_) => {
                    streams::look_at_input(worker)?;
                    worker.vm.input.len() as u64 - u64::from(worker.read)
                }
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
            look_at_disk(worker, &path)?;
            Ok(Done::Word(match kind(worker, &path)? {
                Kind::Missing => 0,
                Kind::File => 1 | 2,
                Kind::Directory => 1 | 4,
            }))
        }),
        "checkAccess" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            look_at_disk(worker, &path)?;
            let kind = kind(worker, &path)?;
            // Everything may be read and written; only directories can be entered.
            let executed = args.word(2) & 1 == 0 || kind == Kind::Directory;
            Ok(Done::bool(kind != Kind::Missing && executed))
        }),
        "getLength" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            look_at_disk(worker, &path)?;
            let content = content(worker, &path)?;
            Ok(Done::Long(content.map_or(0, |content| content.len() as u64)))
        }),
        "getLastModifiedTime" => plain(|worker, args| {
            let path = path_of(worker, args.word(1))?;
            worker.visible()?;
            look_at_disk(worker, &path)?;
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
            look_at_disk(worker, &path)?;
            let Some(found) = list(worker, &path)? else { return Ok(Done::Word(0)) };
            look_at_order(worker, found.len())?;
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

/// Somebody asks for a file, or reads it: what the program did not write may be otherwise.
pub(super) fn look_at_disk(worker: &mut Worker, path: &str) -> Run<()> {
    if !worker.for_base && overlay::entry(worker, path)?.is_none() {
        worker.look_outside(Outside::Disk, "a state of the disk")?;
    }
    Ok(())
}

/// Somebody gets the names in a directory, in an order of which nothing is known.
pub(super) fn look_at_order(worker: &mut Worker, names: usize) -> Run<()> {
    if names > 1 {
        worker.look_outside(Outside::Order, "the order of files")?;
    }
    Ok(())
}
