//! Classes that programs may use and that are compiled with those that do.

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
