//! The class path of the program: directories and jars.

use std::io;
use std::path::{Path, PathBuf};

use super::jar::Jar;

/// Directories and jars in order.
pub(crate) struct ClassPath {
    places: Vec<Place>,
}

enum Place {
    Directory(PathBuf),
    Jar(Jar),
}

impl ClassPath {
    /// Opens the jars; what does not exist is skipped, as `java` does.
    pub fn open(places: &[PathBuf]) -> io::Result<ClassPath> {
        let mut opened = Vec::new();
        for path in places {
            if path.is_dir() {
                opened.push(Place::Directory(path.clone()));
            } else if path.is_file() {
                let jar = Jar::open(path).map_err(|error| within(path, &error))?;
                opened.push(Place::Jar(jar));
            }
        }
        Ok(ClassPath { places: opened })
    }

    /// The class file of a class, by its name with slashes.
    pub fn class(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        if name.split('/').any(|part| part.is_empty() || part == "..") {
            return Ok(None);
        }
        let file = format!("{name}.class");
        for place in &self.places {
            match place {
                Place::Directory(directory) => match std::fs::read(directory.join(&file)) {
                    Ok(bytes) => return Ok(Some(bytes)),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(within(&directory.join(&file), &error)),
                },
                Place::Jar(jar) => {
                    if let Some(bytes) = jar.read(&file)? {
                        return Ok(Some(bytes));
                    }
                }
            }
        }
        Ok(None)
    }
}

fn within(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
