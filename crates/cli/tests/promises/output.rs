//! C12 and C14: output that cannot be written is an error in every format, and nobody is sent to what is not there.

use std::fs::File;
use std::time::{Duration, Instant};

use super::ended_within;
use super::project::{ENDLESS, HOLDS, Project, VIOLATED};

const FORMATS: [&str; 9] =
    ["full", "concise", "json", "jsonl", "sarif", "junit", "github", "gitlab", "trail"];

#[test]
fn a_full_disk_is_an_error_in_every_format() {
    let project = Project::new(&[("m.pml", HOLDS), ("v.pml", VIOLATED)]);
    assert_eq!(project.run(&["check", "v.pml"]).code, 1);
    let mut all: Vec<Vec<&str>> = FORMATS
        .iter()
        .map(|format| vec!["check", "m.pml", "--no-save", "--format", format])
        .collect();
    // Where nothing is violated there is no trail.
    all.retain(|args| !args.contains(&"trail"));
    for args in [
        &["check", "m.pml", "--show-config"][..],
        &["show", "last"],
        &["show", "last", "--format", "json"],
        &["show", "--list"],
        &["explain", "EP0101"],
        &["explain", "last"],
        &["diff", "last", "last"],
        &["lint", "m.pml"],
        &["lint", "m.pml", "--format", "sarif"],
        &["sim", "m.pml", "--seed", "1", "--show", "steps"],
        &["sim", "m.pml", "--seed", "1", "--format", "json"],
        &["prop", "list"],
        &["prop", "show", "[] p"],
        &["automaton", "[] p"],
        &["flow", "m.pml", "--show", "program"],
        &["spin", "-p", "m.pml"],
        &["spin", "-run", "m.pml"],
        &["schema"],
        &["doctor"],
        &["completions", "bash"],
        &["man"],
        &["init", "--stdout"],
        &["--help"],
        &["check", "--help"],
        &["--version"],
    ] {
        all.push(args.to_vec());
    }
    for args in all {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = project.command(&args).stdout(full).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        assert!(
            err.contains("cannot write to the standard output: no space left"),
            "{args:?}: {err}"
        );
    }
    // Somebody who has read enough is none.
    for format in FORMATS {
        let mut command = project.command(&["check", "v.pml", "--no-save", "--format", format]);
        command.stdout(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let status = ended_within(&mut child, Duration::from_secs(20)).unwrap();
        assert_eq!(status.code(), Some(1), "{format}");
    }
    let run = project.run(&["check", "m.pml", "--no-save", "-o", "json=/dev/full"]);
    assert_eq!(run.code, 2, "{}", run.err);
}

#[test]
fn a_missing_folder_for_output_is_told_before_the_search() {
    let project = Project::new(&[("m.pml", ENDLESS), ("v.pml", VIOLATED)]);
    assert_eq!(project.run(&["check", "v.pml"]).code, 1);
    // What can be answered is answered all the same.
    let run = project.run(&["check", "v.pml", "-o", "json=none/x.json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.starts_with("error: cannot write none/x.json: there is no directory none"));
    for args in [
        &["sim", "m.pml", "--seed", "1", "--steps", "1000000000", "-o", "none/x.json"][..],
        &["replay", "last", "-o", "none/x.json"],
    ] {
        let start = Instant::now();
        let run = project.run(args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(run.err.contains("there is no directory none"), "{args:?}: {}", run.err);
        assert_eq!(run.out, "", "{args:?}");
        assert!(start.elapsed() < Duration::from_secs(10), "{args:?}");
    }
}

#[test]
fn nobody_is_sent_to_a_run_that_is_not_kept() {
    let project = Project::new(&[("v.pml", VIOLATED)]);
    let next = |args: &[&str]| project.run(args).out.contains("next: everypath show last");
    assert!(next(&["check", "v.pml"]));
    assert!(!next(&["check", "v.pml", "--no-save"]));
    // Nor if the folder of runs is none.
    std::fs::remove_dir_all(project.path.join(".everypath")).unwrap();
    project.write(".everypath", "a file");
    assert!(!next(&["check", "v.pml"]));
    assert_eq!(project.read(".everypath"), "a file");
}
