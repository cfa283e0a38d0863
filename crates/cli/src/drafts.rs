//! Files that appear whole or not at all.
//!
//! A draft is written beside its place, and locked as long as somebody writes it. Whoever is killed leaves an
//! unlocked one behind, which the next writer in that folder removes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The end of the names of drafts.
const EXTENSION: &str = "draft";

/// A file that is being written.
pub struct Draft {
    path: PathBuf,
    place: PathBuf,
    file: File,
    published: bool,
}

impl Draft {
    /// Begins the draft of a file.
    pub fn of(place: &Path) -> io::Result<Draft> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if let Some(folder) = place.parent() {
            sweep(folder);
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = place.with_extension(format!("{}-{number}.{EXTENSION}", std::process::id()));
        // What is there may be a link to something else.
        let _ = fs::remove_file(&path);
        let file = File::create_new(&path)?;
        // Some file systems have no locks; then nobody can take the draft for a forgotten one either.
        let _ = file.try_lock();
        Ok(Draft { path, place: place.to_owned(), file, published: false })
    }

    /// What is written to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Puts it in its place.
    pub fn publish(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.place)?;
        self.published = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.published {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the drafts in a folder that nobody writes any more.
pub fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_draft = path.extension().is_some_and(|extension| extension == EXTENSION)
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_draft && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn forgotten_drafts_go_and_others_stay() {
        let folder = std::env::temp_dir().join(format!("everypath-drafts-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let forgotten = folder.join("a.1-0.draft");
        fs::write(&forgotten, "x").unwrap();
        let writing = Draft::of(&folder.join("b.json")).unwrap();
        assert!(!forgotten.exists());
        let other = Draft::of(&folder.join("c.json")).unwrap();
        writing.file().write_all(b"whole").unwrap();
        writing.publish().unwrap();
        drop(other);
        let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["b.json"]);
        assert_eq!(fs::read_to_string(folder.join("b.json")).unwrap(), "whole");
        fs::remove_dir_all(&folder).unwrap();
    }
}
