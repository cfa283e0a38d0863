//! `--disk`: files for what a search need not have in memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use everypath_engine_explicit::{Disk, Shelf};

/// The files of a search. They have no names any more where a file can do without, so that nothing is
/// left of them whatever happens.
#[derive(Debug)]
pub struct Files {
    paths: Vec<PathBuf>,
    files: Vec<Mutex<Growing>>,
}

#[derive(Debug)]
struct Growing {
    file: File,
    length: u64,
}

impl Files {
    /// Makes them in a directory.
    pub fn new(directory: &Path) -> io::Result<Files> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        fs::create_dir_all(directory)?;
        let mut made = Files { paths: Vec::new(), files: Vec::new() };
        while made.files.len() < Shelf::ALL.len() {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = directory.join(format!("everypath-{}-{number}.part", std::process::id()));
            let mut options = OpenOptions::new();
            // A file that is there may be a link to another one.
            let file = match options.read(true).write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                file => file?,
            };
            // Where a file in use cannot be removed that is done at the end.
            let _ = fs::remove_file(&path);
            made.paths.push(path);
            made.files.push(Mutex::new(Growing { file, length: 0 }));
        }
        Ok(made)
    }

    fn with<T>(&self, shelf: Shelf, work: impl FnOnce(&mut Growing) -> T) -> T {
        let index = Shelf::ALL.iter().position(|one| *one == shelf).unwrap_or(0);
        work(&mut self.files[index].lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        for path in &self.paths {
            // Most are gone.
            let _ = fs::remove_file(path);
        }
    }
}

impl Disk for Files {
    fn write(&self, shelf: Shelf, bytes: &[u8]) -> io::Result<u64> {
        self.with(shelf, |growing| {
            let at = growing.length;
            growing.file.seek(SeekFrom::Start(at))?;
            growing.file.write_all(bytes)?;
            growing.length += bytes.len() as u64;
            Ok(at)
        })
    }

    fn read(&self, shelf: Shelf, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.with(shelf, |growing| {
            growing.file.seek(SeekFrom::Start(at))?;
            growing.file.read_exact(bytes)
        })
    }

    fn clear(&self, shelf: Shelf) {
        self.with(shelf, |growing| {
            // What is not cut off is written over.
            let _ = growing.file.set_len(0);
            growing.length = 0;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_is_left() {
        let directory = std::env::temp_dir().join(format!("everypath-disk-{}", std::process::id()));
        let files = Files::new(&directory).unwrap();
        assert_eq!(files.write(Shelf::Even, b"abc").unwrap(), 0);
        assert_eq!(files.write(Shelf::Log, b"xy").unwrap(), 0);
        assert_eq!(files.write(Shelf::Even, b"defg").unwrap(), 3);
        let mut bytes = [0; 4];
        files.read(Shelf::Even, 2, &mut bytes).unwrap();
        assert_eq!(&bytes, b"cdef");
        files.clear(Shelf::Even);
        assert!(files.read(Shelf::Even, 0, &mut bytes).is_err());
        assert_eq!(files.write(Shelf::Even, b"new").unwrap(), 0);
        drop(files);
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        fs::remove_dir(directory).unwrap();
    }
}
