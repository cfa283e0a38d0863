//! Two runs compared.

use everypath_cli::render::diff;
use everypath_cli::render::style::{Style, columns};
use everypath_verdict::comparison::{Change, compare};
use everypath_verdict::{PropertyResult, Reason, RunResult, Verdict};
use insta::assert_snapshot;
use serde_json::Value;

use crate::folder::Folder;

const OLD: &str = "\
byte n, done;
active [2] proctype Inc() { byte tmp; tmp = n; n = tmp + 1; done++ }
active proctype Check() { done == 2; assert(n == 2) }
";
const FIXED: &str = "\
byte n, done;
/* n is read and written at once */
active [2] proctype Inc() { n++; done++ }
active proctype Check() { done == 2; assert(n == 2) }
";
const STUCK: &str = "\
byte n, done;
active [2] proctype Inc() { n++; done++ }
active proctype Check() { done == 3; assert(n == 2) }
";

fn folder() -> Folder {
    let folder = Folder::new();
    for (name, text) in [("old.pml", OLD), ("fixed.pml", FIXED), ("stuck.pml", STUCK)] {
        std::fs::write(folder.0.join(name), text).unwrap();
        folder.run(&["check", name, "-o", &format!("json={name}.json")]);
    }
    folder
}

fn result(folder: &Folder, name: &str) -> RunResult {
    let text = std::fs::read_to_string(folder.0.join(format!("{name}.pml.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn verdicts_and_counts_are_compared() {
    let folder = folder();
    let (exit, better, _) = folder.run(&["diff", "1", "2", "--columns", "80"]);
    assert_eq!(exit, 0, "{better}");
    assert_snapshot!("diff_fixed", better);
    let (exit, worse, _) = folder.run(&["diff", "2", "3", "--all"]);
    assert_eq!(exit, 1, "{worse}");
    assert_snapshot!("diff_worse_120", worse);
    let (_, narrow, _) =
        folder.run(&["diff", "fixed.pml.json", "-1", "--columns", "60", "--ascii"]);
    assert_snapshot!("diff_worse_60_ascii", narrow);
    assert!(narrow.lines().all(|line| columns(line) <= 60 && line.is_ascii()));
    let (exit, same, _) = folder.run(&["diff", "1", "1"]);
    assert_eq!(exit, 0, "{same}");
    assert_snapshot!("diff_same", same);
}

#[test]
fn a_model_is_checked_as_the_run_did() {
    let folder = folder();
    let (exit, text, err) = folder.run(&["diff", "1", "fixed.pml"]);
    assert_eq!((exit, err.as_str()), (0, ""), "{text}");
    let trace = "  old trace of assert@3:38: not run, since the model has changed;";
    let without: Vec<&str> = text.lines().filter(|line| !line.starts_with(trace)).collect();
    assert_eq!(without.len() + 1, text.lines().count(), "{text}");
    assert_eq!(without.join("\n") + "\n", folder.ok(&["diff", "1", "2"]));
    folder.run(&["check", "fixed.pml", "--only", "deadlock", "--states", "5"]);
    let (exit, text, _) = folder.run(&["diff", "last", "fixed.pml"]);
    assert_eq!(exit, 3, "{text}");
    assert!(text.contains("the new search was incomplete"), "{text}");
    assert!(!text.contains("disappeared") && !text.contains("appeared"), "{text}");
    std::fs::write(folder.0.join("bad.pml"), "active proctype P() { x = }").unwrap();
    let (exit, text, _) = folder.run(&["diff", "1", "bad.pml"]);
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains("the new input has errors"), "{text}");
    for (args, says) in [
        (["1", "nowhere.json"], "cannot read nowhere.json"),
        ([".everypath/runs/1/t1.json", "1"], "is a trace; wanted a run or a result"),
        (["1", "99"], "there is no run 99"),
    ] {
        let error = folder.fails(&["diff", args[0], args[1]]);
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn the_document_says_the_same() {
    let folder = folder();
    let (exit, text, _) = folder.run(&["diff", "2", "3", "--format", "json"]);
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["schema"], "everypath.diff/1");
    assert_eq!((exit, &document["exit"], &document["regressions"]), (1, &1.into(), &1.into()));
    let input = &document["inputs"][0];
    assert_eq!(input["old"], "fixed.pml");
    assert_eq!(input["verdict"]["new"], "violated");
    assert_eq!(input["stats"][0]["name"], "states");
    assert_eq!(input["unreached"][1], "stuck.pml:3 assert(n == 2)");
}

/// What happens to a property, by its verdicts before and after.
#[test]
fn every_change_has_a_name_and_an_exit() {
    let folder = folder();
    let base = result(&folder, "fixed");
    let bounded = Verdict::NoViolationFound(Reason::StateLimit);
    let unknown = Verdict::Unknown(Reason::Unsupported);
    let with = |verdict: Option<Verdict>| {
        let mut result = base.clone();
        let property: &PropertyResult = &base.properties[0];
        result.properties = Vec::new();
        result
            .properties
            .extend(verdict.map(|verdict| PropertyResult { verdict, ..property.clone() }));
        result
    };
    use Verdict::{Holds, Violated};
    for (old, new, change, exit) in [
        (Some(Holds), Some(Holds), Change::Same, 0),
        (Some(Holds), Some(Violated), Change::NewViolation, 1),
        (Some(Holds), Some(bounded), Change::Weaker, 3),
        (Some(Holds), None, Change::Disappeared, 0),
        (Some(Violated), Some(Holds), Change::Fixed, 0),
        (Some(Violated), Some(Violated), Change::Same, 0),
        (Some(Violated), Some(bounded), Change::Open, 3),
        (Some(bounded), Some(Holds), Change::Proved, 0),
        (Some(bounded), Some(Violated), Change::NewViolation, 1),
        (Some(unknown), Some(bounded), Change::Same, 3),
        (None, Some(Holds), Change::Appeared, 0),
        (None, Some(Violated), Change::NewViolation, 1),
    ] {
        let comparison = compare(&[with(old)], &[with(new)]);
        let changes: Vec<Change> =
            comparison.inputs[0].properties.iter().map(|property| property.change).collect();
        assert_eq!((changes, comparison.exit), (vec![change], exit), "{old:?} -> {new:?}");
    }
}

#[test]
fn old_traces_are_run_again() {
    let folder = folder();
    let says = |args: &[&str]| {
        let text = folder.run(args).1;
        let line = text.lines().find(|line| line.starts_with("  old trace")).unwrap();
        line.trim_start_matches("  old trace of assert@3:38: ").to_owned()
    };
    assert_eq!(says(&["diff", "1", "old.pml"]), "still fails");
    let loose = says(&["diff", "1", "fixed.pml", "--loose"]);
    assert!(loose.contains("nothing fails") || loose == "no longer fails", "{loose}");
    std::fs::write(folder.0.join("old.pml"), OLD.replace("done++", "done++; n = 7")).unwrap();
    let other = says(&["diff", "1", "old.pml", "--loose"]);
    assert!(other.contains("fails"), "{other}");
}

/// A violation is the same one after its line has moved.
#[test]
fn properties_are_known_by_their_fingerprints() {
    let folder = folder();
    std::fs::write(folder.0.join("old.pml"), format!("/* more */\n\n{OLD}")).unwrap();
    let (exit, text, _) = folder.run(&["diff", "1", "old.pml"]);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("2 properties are the same"), "{text}");
}

#[test]
fn inputs_come_and_go() {
    let folder = folder();
    let (old, fixed, stuck) =
        (result(&folder, "old"), result(&folder, "fixed"), result(&folder, "stuck"));
    let comparison = compare(&[old.clone(), fixed.clone()], &[fixed, stuck]);
    let names: Vec<(bool, bool)> =
        comparison.inputs.iter().map(|i| (i.old.is_some(), i.new.is_some())).collect();
    assert_eq!(names, [(true, true), (false, true), (true, false)]);
    assert_eq!(comparison.exit, 1);
    let mut out = String::new();
    diff::render(&mut out, &Style { color: false, ascii: false, width: 80 }, &comparison, false);
    assert!(out.contains("old.pml: not in the new run"), "{out}");
    // A fault is listed only where it happens, so it is fixed when it is gone.
    let mut fault = old;
    fault.properties[0].kind = everypath_property::PropertyKind::Fault;
    let mut gone = fault.clone();
    gone.properties.remove(0);
    let change = |complete: bool| {
        let mut gone = gone.clone();
        gone.scope.complete = complete;
        compare(&[fault.clone()], &[gone]).inputs[0].properties.last().unwrap().change
    };
    assert_eq!((change(true), change(false)), (Change::Fixed, Change::Disappeared));
}
