//! Memory outside of the heap: an address is the number of an array in a table of the state, and a byte in it.
//! Directories that are being read are in the same table.

use super::{Args, Done, Peer, files, plain};
use crate::heap::ELEMENTS;
use crate::vm::{Run, Worker};

/// The class of what holds the table.
const HOLDER: &str = "java/util/concurrent/atomic/AtomicReference";

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("jdk/internal/misc/Unsafe", "allocateMemory0") => plain(|worker, args| {
            let bytes = args.long(1);
            if bytes > i32::MAX as u64 {
                return Err(worker.throw("java/lang/OutOfMemoryError", None));
            }
            worker.visible()?;
            let class = worker.class("[B")?;
            let array = worker.new_array(class, bytes as i32)?;
            put(worker, array).map(Done::Long)
        }),
        ("jdk/internal/misc/Unsafe", "freeMemory0") => plain(|worker, args| {
            worker.visible()?;
            replace(worker, args.long(1), 0)?;
            Ok(Done::Void)
        }),
        ("jdk/internal/misc/Unsafe", "setMemory0") => plain(fill),
        // What is in use is counted nowhere.
        ("java/nio/Bits", "reserveMemory" | "unreserveMemory") => plain(|_, _| Ok(Done::Void)),
        ("sun/nio/fs/UnixNativeDispatcher", "opendir") => plain(open_directory),
        ("sun/nio/fs/UnixNativeDispatcher", "readdir") => plain(next_name),
        ("sun/nio/fs/UnixNativeDispatcher", "closedir") if descriptor == "(J)V" => {
            plain(|worker, args| {
                worker.visible()?;
                replace(worker, args.long(0), 0)?;
                Ok(Done::Void)
            })
        }
        _ => None,
    }
}

fn table(worker: &mut Worker) -> Run<(u32, Vec<u32>)> {
    let root = worker.fixed(HOLDER, "memory")?;
    let array = worker.get(root, worker.field_of(root, "value")?.slot);
    if array == 0 {
        return Ok((root, Vec::new()));
    }
    let place = worker.heap.place(&worker.vm.base, array);
    let words = (0..worker.array_length(array)).map(|index| worker.load_word(place, index));
    Ok((root, words.collect()))
}

fn set_table(worker: &mut Worker, root: u32, mut words: Vec<u32>) -> Run<()> {
    while words.last() == Some(&0) {
        words.pop();
    }
    let class = worker.class("[Ljava/lang/Object;")?;
    let array = if words.is_empty() { 0 } else { worker.new_references(class, &words)? };
    let slot = worker.field_of(root, "value")?.slot;
    worker.set_reference(root, slot, array);
    Ok(())
}

/// Puts an array into the first free place of the table; its address.
fn put(worker: &mut Worker, array: u32) -> Run<u64> {
    let (root, mut words) = table(worker)?;
    let free = words.iter().position(|&word| word == 0).unwrap_or(words.len());
    words.resize(words.len().max(free + 1), 0);
    words[free] = array;
    set_table(worker, root, words)?;
    Ok((free as u64 + 1) << 32)
}

/// Puts something else where an address leads.
fn replace(worker: &mut Worker, address: u64, with: u32) -> Run<()> {
    let (root, mut words) = table(worker)?;
    match words.get_mut((address >> 32).wrapping_sub(1) as usize) {
        Some(word) => *word = with,
        None if address == 0 => {}
        None => return worker.unsupported("an address that nobody was given"),
    }
    set_table(worker, root, words)
}

impl Worker {
    /// The array that an address leads into, and the byte in it.
    pub(super) fn at_address(&mut self, address: u64) -> Run<(u32, u32)> {
        let (_, words) = table(self)?;
        match words.get((address >> 32).wrapping_sub(1) as usize) {
            Some(&array) if array != 0 => Ok((array, address as u32)),
            _ => {
                let text =
                    format!("memory outside of the heap that nobody was given: {address:#x}");
                self.unsupported(text)
            }
        }
    }
}

/// Writes one value to all bytes of a range.
fn fill(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (mut array, mut from, count) = (args.word(1), args.long(2), args.long(4));
    match array {
        0 => {
            let (found, byte) = worker.at_address(from)?;
            (array, from) = (found, u64::from(byte));
        }
        _ => from = from.wrapping_sub(super::unsafe_::ARRAY_BASE),
    }
    let primitive = worker.class_of(array).element().is_some()
        && !worker.class_of(array).has_reference_elements();
    let bytes = if primitive { u64::from(worker.array_bytes(array)) } else { 0 };
    if from.checked_add(count).is_none_or(|end| end > bytes) {
        return worker.unsupported("memory outside of arrays");
    }
    worker.touch(array)?;
    for byte in from..from + count {
        worker.store_byte(array, byte as u32, args.word(6) as u8);
    }
    Ok(Done::Void)
}

fn open_directory(worker: &mut Worker, args: &Args) -> Run<Done> {
    let path = super::channels::path_of(worker, args.word(0))?;
    worker.visible()?;
    let names = match files::kind(worker, &path)? {
        files::Kind::Directory => files::list(worker, &path)?.unwrap_or_default(),
        files::Kind::File => return Err(super::channels::failure(worker, 20)?),
        files::Kind::Missing => return Err(super::channels::failure(worker, 2)?),
    };
    files::look_at_order(worker, names.len())?;
    let names = names.iter().map(|name| worker.new_bytes(name.as_bytes()));
    let names = names.collect::<Run<Vec<u32>>>()?;
    let class = worker.class("[Ljava/lang/Object;")?;
    let array = worker.new_references(class, &names)?;
    put(worker, array).map(Done::Long)
}

/// The next name of a directory, or null.
fn next_name(worker: &mut Worker, args: &Args) -> Run<Done> {
    worker.visible()?;
    let (array, _) = worker.at_address(args.long(0))?;
    let names: Vec<u32> =
        (0..worker.array_length(array)).map(|index| worker.get(array, ELEMENTS + index)).collect();
    let Some((&first, rest)) = names.split_first() else { return Ok(Done::Word(0)) };
    let class = worker.class("[Ljava/lang/Object;")?;
    let rest = worker.new_references(class, rest)?;
    replace(worker, args.long(0), rest)?;
    Ok(Done::Word(first))
}
