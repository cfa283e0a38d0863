//! C13: what is asked for is done, or it is an error; nothing is accepted and ignored.

use everypath_testkit::needs;

use super::project::{HOLDS, Project, VIOLATED};

#[test]
fn options_that_mean_nothing_to_an_input_are_errors() {
    let program = "public class Main { public static void main(String[] args) { } }\n";
    let project = Project::new(&[("m.pml", HOLDS), ("v.pml", VIOLATED), ("Main.java", program)]);
    for (args, why) in [
        (&["check", "m.pml", "--class-path", "x"][..], "--class-path is for Java programs"),
        (&["check", "m.pml", "--source-path", "x"], "--source-path is for Java programs"),
        (&["check", "m.pml", "--javac=-g"], "--javac is for Java programs"),
        (&["check", "m.pml", "--arg", "x"], "--arg is for Java programs"),
        (&["check", "m.pml", "--stack-limit", "100"], "--stack-limit is for Java programs"),
        (&["check", "m.pml", "--coverage"], "--coverage is for Java programs"),
        (&["check", "m.pml", "--heap", "sites"], "--heap is for Java programs"),
        (&["check", "Main.java", "-D", "N=1"], "--define is for models"),
        (&["check", "Main.java", "-I", "x"], "--include is for models"),
        (&["lint", "m.pml", "--class-path", "x"], "--class-path is for Java programs"),
        (&["sim", "m.pml", "--main", "x"], "--main is for Java programs"),
        (&["sim", "Main.java", "-D", "N=1"], "--define is for models"),
        (&["races", "Main.java", "-D", "N=1"], "--define is for models"),
        (&["flow", "m.pml", "--show", "program", "--cp", "x"], "--class-path is for Java programs"),
        (&["check", "m.pml", "--invariant", "x < 9", "--only", "deadlock"], "--only leaves it out"),
        (
            &["check", "v.pml", "--invariant", "x < 1", "--only", "assertions"],
            "--only leaves it out",
        ),
        (
            &["check", "m.pml", "--reduce", "transactions"],
            "whether there are deadlocks cannot be checked",
        ),
    ] {
        let run = project.run(args);
        assert_eq!(run.code, 2, "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(why), "{args:?}: {}", run.err);
    }
    // Beside a program they mean something, and in a file they may be for other inputs.
    if needs::javac() {
        let run = project.run(&["check", "m.pml", "Main.java", "--class-path", ".", "-D", "N=1"]);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    }
    project.write("everypath.toml", "[check]\nclass-path = \".\"\ninvariant = [\"x < 9\"]\n");
    let run = project.run(&["check", "m.pml", "--only", "deadlock"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = project.run(&["check", "m.pml", "--reduce", "transactions", "--only", "assertions"]);
    assert_eq!(run.code, 2, "{}", run.err);
}

#[test]
fn a_deadlock_is_never_passed_over_by_transactions() {
    let text = "chan q = [0] of { byte };\nactive proctype P() { byte x; q?x; assert(x == 0) }\n";
    let project = Project::new(&[("m.pml", text)]);
    assert_eq!(project.run(&["check", "m.pml"]).code, 1);
    assert_eq!(project.run(&["check", "m.pml", "--reduce", "transactions"]).code, 2);
    let run = project.run(&["check", "m.pml", "--reduce", "transactions", "--only", "assertions"]);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("not checked: deadlock"), "{}", run.out);
}

#[test]
fn the_engine_counts_wherever_it_is_named() {
    let text = "active proctype P() { a: skip; b: skip }\n";
    let project = Project::new(&[("m.pml", text)]);
    let ask = ["check", "m.pml", "--ltl", "[] (b -> false)", "--format", "json"];
    let engine = |out: &str| {
        let document: serde_json::Value = serde_json::from_str(out).unwrap();
        document["run"]["engine"].as_str().unwrap().to_owned()
    };
    let by_line = project.run(&[&ask[..], &["--engine", "flow"]].concat());
    assert_eq!(engine(&by_line.out), "flow", "{}", by_line.err);
    let output = project.command(&ask).env("EVERYPATH_ENGINE", "flow").output().unwrap();
    assert_eq!(engine(&String::from_utf8(output.stdout).unwrap()), "flow");
    project.write("everypath.toml", "[check]\nengine = \"flow\"\n");
    let by_file = project.run(&ask);
    assert_eq!((engine(&by_file.out), by_file.code), ("flow".to_owned(), by_line.code));
    // What the analysis has no use for is an error, wherever it is.
    project.write("everypath.toml", "[check]\nengine = \"flow\"\nstates = 5\n");
    let run = project.run(&ask);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("--engine flow has no use for --states"), "{}", run.err);
}

#[test]
fn random_numbers_that_java_pathfinder_would_try_are_not_passed_over() {
    if !needs::javac() {
        return;
    }
    let program = "public class Main { public static void main(String[] args) {\n \
                   int n = new java.util.Random(42).nextInt(4); assert n < 4; } }\n";
    let project = Project::new(&[("Main.java", program)]);
    let run = project.run(&["jpf", "+classpath=.", "Main"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = project.run(&["jpf", "+classpath=.", "+cg.enumerate_random=true", "Main"]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(run.err.contains("not checked: cg.enumerate_random"), "{}", run.err);
    let run = project.run(&["jpf", "+classpath=.", "+cg.enumerate_random=false", "Main"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}
