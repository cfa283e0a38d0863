//! The formats for other programs: each is well formed, says the same, and has the same exit code.

mod documents;
mod events;
mod exits;
mod files;
mod golden;
#[path = "../project/mod.rs"]
mod project;
mod sarif;
mod schemas;
#[path = "../support/mod.rs"]
mod support;
mod validator;

use project::{ENDLESS, HOLDS, Project, VIOLATED};

const FORMATS: [&str; 8] =
    ["full", "concise", "json", "jsonl", "sarif", "junit", "github", "gitlab"];

const BROKEN: &str = "byte x;\nactive proctype P() {\n  do\n  :: x < 3 -> brake\n  od\n}\n";
const LTL: &str = "bool p;\nchan q = [1] of { byte };\nactive proctype P() { p = true }\nltl live { <> p }\nnever { p = true }\n";
const STUCK: &str = "chan c = [0] of { byte };\nactive [2] proctype P() { c!1 }\n";
const FOREIGN: &str = "active proctype P() { c_code { int *p = malloc(1); } }\n";

/// A directory with models of every kind.
fn models() -> Project {
    Project::new(&[
        ("holds.pml", HOLDS),
        ("violated.pml", VIOLATED),
        ("broken.pml", BROKEN),
        ("endless.pml", ENDLESS),
        ("ltl.pml", LTL),
        ("stuck.pml", STUCK),
        ("foreign.pml", FOREIGN),
        // Everything that has a meaning in a URI, in XML or in a command.
        ("a b%,<:>&\"#?\u{f6}.pml", VIOLATED),
    ])
}

/// Exit code and standard output of a check in a format.
fn check(project: &Project, args: &[&str], format: &str) -> (i32, String) {
    let all: Vec<&str> = ["check", "--format", format].iter().chain(args).copied().collect();
    let run = project.run(&all);
    (run.code, run.out)
}

/// Runs of every kind, each with its exit code.
const RUNS: &[(&[&str], i32)] = &[
    (&["holds.pml"], 0),
    (&["violated.pml"], 1),
    (&["stuck.pml"], 1),
    (&["violated.pml", "--trace", "none"], 1),
    (&["broken.pml"], 2),
    (&["missing.pml"], 2),
    (&["holds.pml", "--only", "fnord"], 2),
    (&["holds.pml", "-D", "=1"], 2),
    (&["ltl.pml"], 3),
    (&["foreign.pml"], 3),
    (&["endless.pml", "--states", "1000"], 3),
    (&["endless.pml", "--depth", "10", "--search", "dfs"], 3),
    (&["endless.pml", "--mem", "10M"], 3),
    (&["endless.pml", "--time", "100ms"], 3),
    (&["endless.pml", "--only", "assertions", "--states", "10"], 3),
    (&["holds.pml", "--invariant", "x == 0"], 1),
    (&["holds.pml", "--invariant", "y == 0"], 2),
    (&["holds.pml", "--expect", "holds"], 0),
    (&["holds.pml", "--expect", "violated"], 1),
    (&["violated.pml", "--expect", "violated"], 0),
    (&["violated.pml", "--expect", "holds"], 1),
    (&["broken.pml", "--expect", "violated"], 2),
    (&["endless.pml", "--states", "1000", "--expect", "violated"], 3),
    (&["endless.pml", "--states", "1000", "--accept", "bounded"], 0),
    (&["endless.pml", "--only", "assertions", "--states", "10", "--accept", "bounded"], 0),
    (&["ltl.pml", "--accept", "bounded"], 3),
    (&["violated.pml", "--accept", "bounded"], 1),
    (&["violated.pml", "--exit-zero"], 0),
    (&["ltl.pml", "--exit-zero"], 0),
    (&["broken.pml", "--exit-zero"], 2),
    (&["holds.pml", "ltl.pml"], 3),
    (&["ltl.pml", "broken.pml"], 2),
    (&["missing.pml", "violated.pml", "ltl.pml", "holds.pml", "foreign.pml"], 1),
    (&["a b%,<:>&\"#?\u{f6}.pml"], 1),
];
