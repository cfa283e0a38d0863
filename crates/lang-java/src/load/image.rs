//! The modules image of a JDK (`lib/modules`): a perfect hash table of resources. Only the table is
//! read at first; classes are read from the file one by one.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: u32 = 0xcafe_dada;
const HEADER: usize = 28;
const SEED: u32 = 0x0100_0193;

/// The longest table that is believed.
const LONGEST: u64 = 1 << 28;

/// An open image.
pub(crate) struct Image {
    file: File,
    redirect: Vec<i32>,
    offsets: Vec<u32>,
    locations: Vec<u8>,
    strings: Vec<u8>,
    /// Where contents begin.
    contents: u64,
}

/// Where a resource lies.
#[derive(Default)]
struct Location {
    module: u64,
    parent: u64,
    base: u64,
    extension: u64,
    offset: u64,
    compressed: u64,
    size: u64,
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl Image {
    /// Opens an image and reads its table.
    pub fn open(path: &Path) -> io::Result<Image> {
        let file = File::open(path)?;
        let mut header = [0; HEADER];
        file.read_exact_at(&mut header, 0)?;
        let word = |index: usize| {
            let bytes = [0, 1, 2, 3].map(|i| header[4 * index + i]);
            u32::from_le_bytes(bytes)
        };
        if word(0) != MAGIC {
            return Err(invalid("it is not a modules image"));
        }
        let (entries, locations, strings) =
            (u64::from(word(4)), u64::from(word(5)), u64::from(word(6)));
        let size = 8 * entries + locations + strings;
        if size > LONGEST || size > file.metadata()?.len() {
            return Err(invalid("its table is longer than the file"));
        }
        let mut table = vec![0; size as usize];
        file.read_exact_at(&mut table, HEADER as u64)?;
        let entries = entries as usize;
        let words = |bytes: &[u8]| -> Vec<u32> {
            bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
        };
        let redirect = words(&table[..4 * entries]).into_iter().map(|w| w as i32).collect();
        let offsets = words(&table[4 * entries..8 * entries]);
        let locations_end = 8 * entries + locations as usize;
        Ok(Image {
            file,
            redirect,
            offsets,
            locations: table[8 * entries..locations_end].to_vec(),
            strings: table[locations_end..].to_vec(),
            contents: HEADER as u64 + size,
        })
    }

    /// The class file of a class, by its name with slashes.
    pub fn class(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        let path = format!("/java.base/{name}.class");
        if let Some(bytes) = self.resource(&path)? {
            return Ok(Some(bytes));
        }
        match self.module_of(&package.replace('/', "."))? {
            Some(module) => self.resource(&format!("/{module}/{name}.class")),
            None => Ok(None),
        }
    }

    /// The module that has the classes of a package.
    pub fn module_of(&self, package: &str) -> io::Result<Option<String>> {
        let Some(bytes) = self.resource(&format!("/packages/{package}"))? else {
            return Ok(None);
        };
        for pair in bytes.chunks_exact(8) {
            let word = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| pair[i + k]));
            if word(0) == 0 {
                let name = self.string(u64::from(word(4)));
                return Ok(Some(String::from_utf8_lossy(name).into_owned()));
            }
        }
        Ok(None)
    }

    /// The classes of a module, by their names with slashes, sorted.
    pub fn classes(&self, module: &str) -> Vec<String> {
        let prefix = format!("/{module}/");
        let locations = self.offsets.iter().filter_map(|&offset| self.location(offset as usize));
        let mut names: Vec<String> = locations
            .filter_map(|location| String::from_utf8(self.full_name(&location)).ok())
            .filter_map(|name| {
                name.strip_prefix(&prefix)?.strip_suffix(".class").map(str::to_owned)
            })
            .collect();
        names.sort();
        names
    }

    /// Whether there is such a resource.
    pub fn has(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// The bytes of a resource.
    pub fn resource(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(location) = self.find(path) else { return Ok(None) };
        if location.compressed != 0 {
            return Err(invalid(
                "the modules image is compressed; a JDK with a plain one is needed",
            ));
        }
        if location.size > LONGEST {
            return Err(invalid("a class in the modules image is too long"));
        }
        let mut bytes = vec![0; location.size as usize];
        self.file.read_exact_at(&mut bytes, self.contents + location.offset)?;
        Ok(Some(bytes))
    }

    fn find(&self, path: &str) -> Option<Location> {
        let length = self.redirect.len();
        if length == 0 {
            return None;
        }
        let first = hash(path, SEED) as usize % length;
        let index = match self.redirect[first] {
            0 => return None,
            value if value > 0 => hash(path, value as u32) as usize % length,
            value => (-1 - i64::from(value)) as usize,
        };
        let location = self.location(*self.offsets.get(index)? as usize)?;
        (self.full_name(&location) == path.as_bytes()).then_some(location)
    }

    fn location(&self, mut at: usize) -> Option<Location> {
        let mut location = Location::default();
        loop {
            let head = *self.locations.get(at)?;
            let (kind, count) = (head >> 3, usize::from(head & 7) + 1);
            if kind == 0 {
                return Some(location);
            }
            let bytes = self.locations.get(at + 1..at + 1 + count)?;
            let value = bytes.iter().fold(0u64, |value, &b| value << 8 | u64::from(b));
            match kind {
                1 => location.module = value,
                2 => location.parent = value,
                3 => location.base = value,
                4 => location.extension = value,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                _ => return None,
            }
            at += 1 + count;
        }
    }

    fn string(&self, at: u64) -> &[u8] {
        let rest = self.strings.get(at as usize..).unwrap_or(&[]);
        rest.split(|&b| b == 0).next().unwrap_or(&[])
    }

    fn full_name(&self, location: &Location) -> Vec<u8> {
        let mut name = Vec::new();
        let parts = [(location.module, "/", "/"), (location.parent, "", "/")];
        for (part, before, after) in parts {
            let text = self.string(part);
            if !text.is_empty() {
                name.extend_from_slice(before.as_bytes());
                name.extend_from_slice(text);
                name.extend_from_slice(after.as_bytes());
            }
        }
        name.extend_from_slice(self.string(location.base));
        let extension = self.string(location.extension);
        if !extension.is_empty() {
            name.push(b'.');
            name.extend_from_slice(extension);
        }
        name
    }
}

fn hash(path: &str, seed: u32) -> u32 {
    path.bytes().fold(seed, |hash, b| hash.wrapping_mul(SEED) ^ u32::from(b)) & 0x7fff_ffff
}
