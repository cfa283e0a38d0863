//! Reading files that somebody else made: nothing but regular files, up to a size that is stated, and never a wait.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// The largest text of a model or a program, and the largest class file.
pub const MOST_TEXT: u64 = 64 << 20;

/// Opens a regular file. A pipe, a socket or a device is an error, and nobody waits for the other end of it.
pub fn open(path: &Path) -> io::Result<File> {
    // What opening alone would do to a device is not done.
    regular(&path.metadata()?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // O_NONBLOCK: the file may have been replaced by a pipe since.
        options.custom_flags(if cfg!(target_os = "linux") { 0o4000 } else { 4 });
    }
    let file = options.open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// The contents of a regular file of at most so many bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_large(most));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    read_up_to(file, most, &mut bytes)?;
    Ok(bytes)
}

/// The same as text; what is not UTF-8 is an error.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Reads to the end, which is to come before so many bytes.
pub fn read_up_to(from: impl Read, most: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    from.take(most + 1).read_to_end(bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(()) }
}

fn too_large(most: u64) -> io::Error {
    let size = match most >> 20 {
        0 => format!("{most} bytes"),
        mebibytes if mebibytes % 1024 == 0 => format!("{} GiB", mebibytes / 1024),
        mebibytes => format!("{mebibytes} MiB"),
    };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {size}"))
}

fn regular(data: &Metadata) -> io::Result<()> {
    let kind = data.file_type();
    if kind.is_file() {
        return Ok(());
    }
    let what = if kind.is_dir() { "a directory" } else { special(kind) };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a regular file")))
}

#[cfg(unix)]
fn special(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn special(_: std::fs::FileType) -> &'static str {
    "something else"
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_regular_files_up_to_a_size_is_read() {
        let folder = std::env::temp_dir().join(format!("everypath-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (plain, pipe, link) = (folder.join("plain"), folder.join("pipe"), folder.join("link"));
        std::fs::write(&plain, "four").unwrap();
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let why = |path: &Path| read(path, 4).unwrap_err().to_string();
        assert_eq!(read(&plain, 4).unwrap(), b"four");
        assert_eq!(read(&plain, 3).unwrap_err().to_string(), "it is larger than 3 bytes");
        assert_eq!(why(&pipe), "it is a pipe, not a regular file");
        assert_eq!(why(&link), "it is a device, not a regular file");
        assert_eq!(why(&folder), "it is a directory, not a regular file");
        assert_eq!(open(&folder.join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
