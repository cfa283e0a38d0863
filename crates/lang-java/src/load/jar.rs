//! Jars: the directory of a zip file, and files in it that are stored or deflated.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use everypath_model::files;

/// The largest file in a jar that is read.
const LARGEST: usize = 1 << 26;
/// The largest directory of a jar that is read.
const LARGEST_DIRECTORY: usize = 1 << 27;

/// An open jar.
pub(crate) struct Jar {
    file: File,
    entries: HashMap<String, Entry>,
}

struct Entry {
    method: u16,
    packed: u32,
    size: u32,
    /// Where its local header is.
    header: u32,
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn u16_at(bytes: &[u8], at: usize) -> io::Result<u16> {
    let bytes = bytes.get(at..at + 2).ok_or_else(|| invalid("its directory ends too early"))?;
    Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> io::Result<u32> {
    Ok(u32::from(u16_at(bytes, at)?) | u32::from(u16_at(bytes, at + 2)?) << 16)
}

impl Jar {
    /// Opens a jar and reads its directory.
    pub fn open(path: &Path) -> io::Result<Jar> {
        let file = files::open(path)?;
        let length = file.metadata()?.len();
        let tail_length = length.min(22 + 65_535) as usize;
        let mut tail = vec![0; tail_length];
        file.read_exact_at(&mut tail, length - tail_length as u64)?;
        let end = (0..tail_length.saturating_sub(21))
            .rev()
            .find(|&at| tail[at..at + 4] == *b"PK\x05\x06")
            .ok_or_else(|| invalid("it is not a zip file"))?;
        let count = u16_at(&tail, end + 10)?;
        let (size, start) = (u32_at(&tail, end + 12)?, u32_at(&tail, end + 16)?);
        if u64::from(start) + u64::from(size) > length {
            return Err(invalid("its directory lies behind its end"));
        }
        if size as usize > LARGEST_DIRECTORY {
            return Err(invalid("its directory is too large"));
        }
        let mut directory = vec![0; size as usize];
        file.read_exact_at(&mut directory, u64::from(start))?;
        let mut entries = HashMap::new();
        let mut at = 0;
        for _ in 0..count {
            if u32_at(&directory, at)? != 0x0201_4b50 {
                return Err(invalid("its directory is damaged"));
            }
            let (name, extra, comment) = (
                usize::from(u16_at(&directory, at + 28)?),
                usize::from(u16_at(&directory, at + 30)?),
                usize::from(u16_at(&directory, at + 32)?),
            );
            let entry = Entry {
                method: u16_at(&directory, at + 10)?,
                packed: u32_at(&directory, at + 20)?,
                size: u32_at(&directory, at + 24)?,
                header: u32_at(&directory, at + 42)?,
            };
            let bytes = directory.get(at + 46..at + 46 + name);
            let bytes = bytes.ok_or_else(|| invalid("its directory ends too early"))?;
            entries.insert(String::from_utf8_lossy(bytes).into_owned(), entry);
            at += 46 + name + extra + comment;
        }
        Ok(Jar { file, entries })
    }

    /// Whether there are files whose names begin so.
    pub fn has_below(&self, start: &str) -> bool {
        self.entries.keys().any(|name| name.starts_with(start))
    }

    /// The contents of a file in it.
    pub fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(entry) = self.entries.get(name) else { return Ok(None) };
        let (packed, size) = (entry.packed as usize, entry.size as usize);
        if packed > LARGEST || size > LARGEST {
            return Err(invalid("a file in it is too large"));
        }
        let mut header = [0; 30];
        self.file.read_exact_at(&mut header, u64::from(entry.header))?;
        let skipped = 30 + u64::from(u16_at(&header, 26)?) + u64::from(u16_at(&header, 28)?);
        let mut bytes = vec![0; packed];
        self.file.read_exact_at(&mut bytes, u64::from(entry.header) + skipped)?;
        match entry.method {
            0 => Ok(Some(bytes)),
            8 => miniz_oxide::inflate::decompress_to_vec_with_limit(&bytes, size)
                .map(Some)
                .map_err(|_| invalid("a file in it is damaged")),
            _ => Err(invalid("a file in it is packed in an unknown way")),
        }
    }
}

/// The contents of one file in a jar.
pub(crate) fn file_in(jar: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
    Jar::open(jar)?.read(name)
}
