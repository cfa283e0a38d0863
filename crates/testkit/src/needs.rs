//! Programs that some tests need beside this repository.
//!
//! A test never passes for want of one: it fails, unless `EVERYPATH_WITHOUT` names the program. Then it is noted that
//! the test was left out, on the standard error and in the file that `EVERYPATH_LEFT_OUT` names.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use crate::spin::{self, Spin};

/// Whether the compiler of a JDK is there for a test.
pub fn javac() -> bool {
    needs("javac", find("javac").is_some()) && needs("java", find("java").is_some())
}

/// SPIN, and the C compiler that its checkers want, for a test.
pub fn spin() -> Option<Spin> {
    let found = spin::find();
    needs("spin", found.is_some());
    found
}

/// Whether a program is there for a test.
pub fn program(name: &str) -> bool {
    needs(name, find(name).is_some())
}

/// Where a program is: below `JAVA_HOME`, or on the path.
pub fn find(name: &str) -> Option<PathBuf> {
    let home = env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = home.into_iter().chain(env::split_paths(&path));
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Notes or refuses that a test does without a program.
fn needs(program: &str, there: bool) -> bool {
    if there {
        return true;
    }
    let without = env::var("EVERYPATH_WITHOUT").unwrap_or_default();
    assert!(
        without.split([' ', ',']).any(|name| name == program),
        "this test needs `{program}`: install it, or leave out such tests with EVERYPATH_WITHOUT={program}"
    );
    let note = format!("{}: left out, for want of {program}\n", test());
    eprint!("{note}");
    if let Some(file) = env::var_os("EVERYPATH_LEFT_OUT") {
        let file = OpenOptions::new().create(true).append(true).open(file);
        file.and_then(|mut file| file.write_all(note.as_bytes())).expect("the note is written");
    }
    false
}

/// The test that is running.
fn test() -> String {
    let binary = env::current_exe().unwrap_or_default();
    let binary =
        binary.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    // The compiler adds a hash to the name.
    let binary = binary.rsplit_once('-').map_or(binary.as_str(), |(name, _)| name);
    let thread = std::thread::current();
    format!("{binary} {}", thread.name().unwrap_or("a test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found() {
        assert!(needs("anything", true));
        assert!(find("sh").is_some());
        assert!(find("no-such-program").is_none());
        assert!(test().ends_with("what_is_there_is_found"), "{}", test());
    }
}
