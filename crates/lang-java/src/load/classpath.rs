//! The class path of the program: directories and jars.

use std::io;
use std::path::{Path, PathBuf};

use everypath_model::files::{self, MOST_TEXT};

use super::jar::Jar;

/// Directories and jars in order.
pub(crate) struct ClassPath {
    places: Vec<Place>,
    /// All of them, as `java` is given them.
    pub text: String,
}

enum Place {
    Directory(PathBuf),
    Jar(PathBuf, Jar),
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
                opened.push(Place::Jar(path.clone(), jar));
            }
        }
        let text: Vec<String> = places.iter().map(|path| path.display().to_string()).collect();
        Ok(ClassPath { places: opened, text: text.join(":") })
    }

    /// The class file of a class, by its name with slashes.
    pub fn class(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.resource(&format!("{name}.class"))
    }

    /// Where the files of a name are, as URLs.
    pub fn locate(&self, file: &str) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        for place in self.places.iter().filter(|_| is_plain(file)) {
            match place {
                Place::Directory(directory) => {
                    let path = std::path::absolute(directory.join(file))?;
                    if path.exists() {
                        found.push(format!("file:{}", path.display()));
                    }
                }
                Place::Jar(path, jar) => {
                    if jar.read(file)?.is_some() {
                        let path = std::path::absolute(path)?;
                        found.push(format!("jar:file:{}!/{file}", path.display()));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether something lies in a package.
    pub fn has_package(&self, package: &str) -> bool {
        is_plain(package)
            && self.places.iter().any(|place| match place {
                Place::Directory(directory) => directory.join(package).is_dir(),
                Place::Jar(_, jar) => jar.has_below(&format!("{package}/")),
            })
    }

    /// A file on the class path.
    pub fn resource(&self, file: &str) -> io::Result<Option<Vec<u8>>> {
        if !is_plain(file) {
            return Ok(None);
        }
        for place in &self.places {
            match place {
                Place::Directory(directory) => {
                    match files::read(&directory.join(file), MOST_TEXT) {
                        Ok(bytes) => return Ok(Some(bytes)),
                        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                        Err(error) => return Err(within(&directory.join(file), &error)),
                    }
                }
                Place::Jar(_, jar) => {
                    if let Some(bytes) = jar.read(file)? {
                        return Ok(Some(bytes));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Whether a path leads to something below the place that it is looked for in.
fn is_plain(path: &str) -> bool {
    path.split('/').all(|part| !part.is_empty() && part != "..")
}

fn within(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
