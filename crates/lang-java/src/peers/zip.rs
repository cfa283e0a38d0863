//! java.util.zip: checksums, and streams that are inflated and deflated. What a stream has taken so far is
//! kept in its object, and each call begins anew with it: so its state is a part of the program's.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::{Args, Done, Peer, plain};
use crate::vm::{Run, Worker};

/// The most bytes that come out of one stream.
const MOST: usize = 1 << 26;
/// Bytes that the decoder may have taken and not looked at.
const AHEAD: usize = 8;
/// `Deflater.FINISH` inside of the library.
const FINISH: i32 = 4;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/util/zip/CRC32", "update") if descriptor == "(II)I" => {
            plain(|_, args| Ok(Done::Word(!crc(!args.word(0), &[args.word(1) as u8]))))
        }
        ("java/util/zip/CRC32", "updateBytes0") => plain(|worker, args| {
            let part = part(worker, args.word(1), args.word(2), args.word(3));
            Ok(Done::Word(!crc(!args.word(0), &part)))
        }),
        ("java/util/zip/Adler32", "update") if descriptor == "(II)I" => {
            plain(|_, args| Ok(Done::Word(adler(args.word(0), &[args.word(1) as u8]))))
        }
        ("java/util/zip/Adler32", "updateBytes") => plain(|worker, args| {
            let part = part(worker, args.word(1), args.word(2), args.word(3));
            Ok(Done::Word(adler(args.word(0), &part)))
        }),
        // The address of a stream tells how it is written.
        ("java/util/zip/Inflater", "init") => {
            plain(|_, args| Ok(Done::Long(1 + u64::from(args.word(0)))))
        }
        ("java/util/zip/Deflater", "init") => plain(|_, args| {
            let level = (args.int(0) + 1).clamp(0, 10) as u64;
            Ok(Done::Long(1 + u64::from(args.word(2)) + 2 * level))
        }),
        ("java/util/zip/Inflater" | "java/util/zip/Deflater", "reset" | "end") => {
            // Both exist as methods of the object, too.
            plain(|_, args| match args.method.is_static() {
                true => Ok(Done::Void),
                false => Ok(Done::Bytecode),
            })
        }
        ("java/util/zip/Inflater", "inflateBytesBytes") => plain(inflate),
        ("java/util/zip/Deflater", "deflateBytesBytes") => plain(deflate),
        _ => None,
    }
}

fn part(worker: &Worker, array: u32, from: u32, count: u32) -> Vec<u8> {
    let bytes = worker.bytes_of(array);
    bytes.get(from as usize..from as usize + count as usize).unwrap_or(&[]).to_vec()
}

fn crc(sum: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(sum, |mut sum, &byte| {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
        sum
    })
}

fn adler(sum: u32, bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (sum & 0xffff, sum >> 16);
    for &byte in bytes {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    b << 16 | a
}

/// What a call took and gave, as the library packs it.
fn packed(taken: usize, given: usize, finished: bool) -> Done {
    Done::Long(taken as u64 | (given as u64) << 31 | u64::from(finished) << 62)
}

/// The hidden words of a stream: an array of what it has taken, and how much it has given.
fn hidden(worker: &mut Worker, stream: u32, class: &str) -> Run<(u32, Vec<u8>, usize)> {
    let class = worker.class(class)?;
    let slot = class.linked().words - 2;
    let read = worker.get_long(stream, worker.library_field(class, "bytesRead")?.slot);
    let written = worker.get_long(stream, worker.library_field(class, "bytesWritten")?.slot);
    let array = worker.get(stream, slot);
    if (read == 0 && written == 0) || array == 0 {
        return Ok((slot, Vec::new(), 0));
    }
    Ok((slot, worker.bytes_of(array), worker.get(stream, slot + 1) as usize))
}

fn keep(worker: &mut Worker, stream: u32, slot: u32, taken: &[u8], given: usize) -> Run<()> {
    let array = worker.new_bytes(taken)?;
    worker.set_reference(stream, slot, array);
    worker.set(stream, slot + 1, given as u32);
    Ok(())
}

fn write(worker: &mut Worker, array: u32, from: u32, bytes: &[u8]) {
    for (index, &byte) in bytes.iter().enumerate() {
        worker.store_byte(array, from + index as u32, byte);
    }
}

fn inflate(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (stream, address) = (args.word(0), args.long(1));
    worker.touch(stream)?;
    let (slot, mut input, before) = hidden(worker, stream, "java/util/zip/Inflater")?;
    let known = input.len();
    input.extend(part(worker, args.word(3), args.word(4), args.word(5)));
    let room = args.word(8) as usize;
    if before + room > MOST {
        return worker.unsupported("inflating so many bytes");
    }
    let mut output = vec![0; before + room];
    let mut flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        | inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
    if address == 1 {
        flags |= inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER;
    }
    let (status, taken, given) =
        decompress(&mut DecompressorOxide::new(), &input, &mut output, 0, flags);
    let finished = status == TINFLStatus::Done;
    let taken = match status {
        TINFLStatus::Done => taken,
        TINFLStatus::NeedsMoreInput => input.len(),
        TINFLStatus::HasMoreOutput => taken.saturating_sub(AHEAD),
        _ => {
            let text = if known == 0 { "incorrect header check" } else { "invalid data" };
            return Err(worker.throw("java/util/zip/DataFormatException", Some(text)));
        }
    };
    let taken = taken.max(known);
    keep(worker, stream, slot, &input[..taken], given)?;
    write(worker, args.word(6), args.word(7), &output[before.min(given)..given]);
    Ok(packed(taken - known, given.saturating_sub(before), finished))
}

fn deflate(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (stream, address) = (args.word(0), args.long(1) - 1);
    worker.touch(stream)?;
    let (slot, mut input, before) = hidden(worker, stream, "java/util/zip/Deflater")?;
    let taken = args.word(5) as usize;
    input.extend(part(worker, args.word(3), args.word(4), args.word(5)));
    if input.len() > MOST {
        return worker.unsupported("deflating so many bytes");
    }
    let mut params = args.int(10);
    if params & 1 == 0 {
        params = ((address / 2) as i32 - 1) << 3;
    }
    match args.int(9) {
        0 => {
            keep(worker, stream, slot, &input, before)?;
            return Ok(packed(taken, 0, false));
        }
        FINISH => {}
        _ => return worker.unsupported("a deflated stream that is flushed"),
    }
    let level = match params >> 3 {
        level @ 0..=9 => level as u8,
        _ => 6,
    };
    let output = match address % 2 {
        0 => miniz_oxide::deflate::compress_to_vec_zlib(&input, level),
        _ => miniz_oxide::deflate::compress_to_vec(&input, level),
    };
    let given = output.len().min(before + args.word(8) as usize);
    keep(worker, stream, slot, &input, given)?;
    write(worker, args.word(6), args.word(7), &output[before.min(given)..given]);
    Ok(packed(taken, given - before.min(given), given == output.len()))
}
