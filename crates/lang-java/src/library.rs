//! Classes that programs may use and that are compiled with those that do.

/// Choices, assumptions and atomic regions under our names and those of others; tests that were written for Java
/// PathFinder, with the annotations that they have. Each file with its source.
pub const LIBRARY: [(&str, &str); 10] = [
    ("everypath/Verify.java", include_str!("../library/everypath/Verify.java")),
    ("gov/nasa/jpf/vm/Verify.java", include_str!("../library/gov/nasa/jpf/vm/Verify.java")),
    (
        "gov/nasa/jpf/util/test/TestJPF.java",
        include_str!("../library/gov/nasa/jpf/util/test/TestJPF.java"),
    ),
    (
        "org/sosy_lab/sv_benchmarks/Verifier.java",
        include_str!("../library/org/sosy_lab/sv_benchmarks/Verifier.java"),
    ),
    ("org/junit/Test.java", include_str!("../library/org/junit/Test.java")),
    ("org/junit/Before.java", include_str!("../library/org/junit/Before.java")),
    ("org/junit/After.java", include_str!("../library/org/junit/After.java")),
    ("org/junit/BeforeClass.java", include_str!("../library/org/junit/BeforeClass.java")),
    ("org/junit/AfterClass.java", include_str!("../library/org/junit/AfterClass.java")),
    ("org/junit/Ignore.java", include_str!("../library/org/junit/Ignore.java")),
];
