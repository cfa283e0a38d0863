//! Classes that programs may use and that are compiled with those that do.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

/// Gives class files of this library, by names with slashes, to programs that were compiled elsewhere.
#[derive(Clone)]
pub struct Provider(Arc<Give>);

type Give = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync + UnwindSafe + RefUnwindSafe;

impl Provider {
    /// What is asked for each class of the library.
    pub fn new<F>(give: F) -> Provider
    where
        F: Fn(&str) -> Option<Vec<u8>> + Send + Sync + UnwindSafe + RefUnwindSafe + 'static,
    {
        Provider(Arc::new(give))
    }

    /// The class file of a class that is in the library.
    pub(crate) fn class(&self, name: &str) -> Option<Vec<u8>> {
        is_in_library(name).then(|| (self.0)(name)).flatten()
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Provider")
    }
}

/// Whether a class, by its name with slashes, is in a file of the library.
fn is_in_library(class: &str) -> bool {
    let outer = class.split('$').next().unwrap_or(class);
    LIBRARY.iter().any(|(file, _)| file.strip_suffix(".java") == Some(outer))
}

/// Whether a class of the library is taken before one of this name on the class path, whose native code could not
/// be run.
pub(crate) fn comes_first(class: &str) -> bool {
    !class.starts_with("org/junit/")
}

/// Whether a class is one of ours that programs call, or one inside of it.
pub(crate) fn is_supplied(class: &str) -> bool {
    let outer = class.split('$').next().unwrap_or(class);
    LIBRARY.iter().any(|(file, _)| file.strip_suffix(".java") == Some(outer))
}

/// A file of the library: its name below the folder of packages, and its source.
macro_rules! files {
    ($($name:literal,)*) => {
        [$(($name, include_str!(concat!("../library/", $name)))),*]
    };
}

/// Choices, assumptions and atomic regions under our names and those of others; tests that were written for Java
/// PathFinder or JUnit, with the annotations and assertions that they have. Each file with its source.
pub const LIBRARY: [(&str, &str); 26] = files![
    "everypath/Verify.java",
    "everypath/Explore.java",
    "everypath/Tests.java",
    "everypath/Replay.java",
    "gov/nasa/jpf/vm/Verify.java",
    "gov/nasa/jpf/util/test/TestJPF.java",
    "org/sosy_lab/sv_benchmarks/Verifier.java",
    "org/junit/After.java",
    "org/junit/AfterClass.java",
    "org/junit/Assert.java",
    "org/junit/Before.java",
    "org/junit/BeforeClass.java",
    "org/junit/Ignore.java",
    "org/junit/Test.java",
    "org/junit/jupiter/api/AfterAll.java",
    "org/junit/jupiter/api/AfterEach.java",
    "org/junit/jupiter/api/Assertions.java",
    "org/junit/jupiter/api/BeforeAll.java",
    "org/junit/jupiter/api/BeforeEach.java",
    "org/junit/jupiter/api/Disabled.java",
    "org/junit/jupiter/api/DisplayName.java",
    "org/junit/jupiter/api/Nested.java",
    "org/junit/jupiter/api/RepeatedTest.java",
    "org/junit/jupiter/api/Tag.java",
    "org/junit/jupiter/api/Test.java",
    "org/junit/jupiter/api/Timeout.java",
];
