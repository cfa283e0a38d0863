//! Our own documents and their schemas.

use serde_json::{Value, json};

use crate::project::{Project, Run};
use crate::validator::validate;
use crate::{RUNS, check, models};

fn schema(project: &Project, name: &str) -> Value {
    serde_json::from_str(&project.run(&["schema", name]).out).unwrap()
}

#[test]
fn documents_keep_to_the_printed_schemas() {
    let project = models();
    let [result, results, trace, event] =
        ["result", "results", "trace", "event"].map(|name| schema(&project, name));
    let mut traces = 0;
    for (args, _) in RUNS {
        let (_, out) = check(&project, args, "json");
        let document: Value = serde_json::from_str(&out).unwrap();
        let many = document["schema"] == "everypath.results/1";
        let (mine, other) = if many { (&results, &result) } else { (&result, &results) };
        validate(mine, &document).unwrap_or_else(|why| panic!("{args:?}: {why}"));
        assert!(validate(other, &document).is_err() && validate(&event, &document).is_err());
        let inner = if many { document["results"].clone() } else { json!([document]) };
        for one in inner.as_array().unwrap() {
            validate(&result, one).unwrap();
            for property in one["properties"].as_array().unwrap() {
                if !property["trace"].is_null() {
                    validate(&trace, &property["trace"]).unwrap();
                    traces += 1;
                }
            }
        }
        let (_, out) = check(&project, args, "jsonl");
        for line in out.lines() {
            let one: Value = serde_json::from_str(line).unwrap();
            validate(&event, &one).unwrap_or_else(|why| panic!("{args:?}: {why}\n{line}"));
        }
    }
    assert!(traces > 5, "only {traces} traces were seen");
}

#[test]
fn findings_and_comparisons_have_schemas_too() {
    let project = models();
    let findings = schema(&project, "lint");
    let run = project.run(&["lint", "violated.pml", "bad.pml", "none.pml", "--format", "json"]);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    validate(&findings, &document).unwrap();
    assert!(validate(&findings, &json!({"schema": "everypath.lint/1"})).is_err());
    let comparison = schema(&project, "diff");
    for file in ["violated.pml", "holds.pml"] {
        check(&project, &[file], "json");
    }
    let run = project.run(&["diff", "-2", "last", "--format", "json"]);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    validate(&comparison, &document).unwrap();
    assert!(validate(&comparison, &json!({"schema": "everypath.diff/1"})).is_err());
}

#[test]
fn what_lint_finds_is_told_to_tools() {
    let project = models();
    let text = "byte n; active proctype P() { n = 1; n = 1 }\n";
    std::fs::write(project.path.join("unread.pml"), text).unwrap();
    let lint = |format: &str, deny: &[&str]| {
        let args = [&["lint", "unread.pml", "--format", format][..], deny].concat();
        project.run(&args)
    };
    for (deny, exit, level) in [(&[][..], 0, "warning"), (&["--deny", "all"][..], 1, "error")] {
        let run = lint("sarif", deny);
        assert_eq!(run.code, exit);
        let log: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(log["runs"][0]["results"][0]["ruleId"], "EP1610");
        assert_eq!(log["runs"][0]["results"][0]["level"], level);
        let run = lint("github", deny);
        assert_eq!(run.code, exit);
        let wanted = format!("::{level} file=unread.pml,line=1,");
        assert!(run.out.starts_with(&wanted), "{}", run.out);
        let run = lint("gitlab", deny);
        assert_eq!(run.code, exit);
        let report: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(report[0]["check_name"], "EP1610");
    }
}

#[test]
fn broken_documents_are_refused() {
    let project = models();
    let mine = schema(&project, "everypath.result/1");
    let (_, out) = check(&project, &["violated.pml"], "json");
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&mine, &document).unwrap();
    // What a later version may add is no mistake.
    let mut more = document.clone();
    more["novelty"] = json!(1);
    validate(&mine, &more).unwrap();
    for (pointer, wrong, expected) in [
        ("/schema", json!("everypath.result/2"), "/schema"),
        ("/verdict", json!("fine"), "/verdict"),
        ("/verdict", json!("unknown"), "`reason` is missing"),
        ("/exit", json!(-1), "/exit"),
        ("/exit", json!(300), "/exit"),
        ("/run/stop", json!("later"), "/run/stop"),
        ("/inputs/0", json!({"path": "x"}), "/inputs/0"),
        ("/properties/0/kind", json!("luck"), "/properties/0/kind"),
        ("/properties/0/span/start", json!([1]), "/span"),
        ("/properties/0/trace/steps/0/lane", json!("P"), "/trace"),
        ("/stats/states", json!(1.5), "/stats"),
    ] {
        let mut broken = document.clone();
        *broken.pointer_mut(pointer).unwrap() = wrong;
        let why = validate(&mine, &broken).expect_err(pointer);
        assert!(why.contains(expected), "{pointer}: {why}");
    }
    for field in ["schema", "tool", "verdict", "exit", "properties", "diagnostics"] {
        let mut broken = document.clone();
        broken.as_object_mut().unwrap().remove(field);
        assert!(validate(&mine, &broken).is_err(), "{field}");
    }
    let event = schema(&project, "event");
    let start = json!({"schema": "everypath.event/1", "time_s": 0.0, "event": "end", "exit": 0});
    validate(&event, &start).unwrap();
    for wrong in [
        json!({"schema": "everypath.event/1", "time_s": 0.0, "event": "end"}),
        json!({"schema": "everypath.event/1", "time_s": 0.0, "event": "pause", "exit": 0}),
        json!({"schema": "everypath.event/1", "event": "end", "exit": 0}),
    ] {
        assert!(validate(&event, &wrong).is_err(), "{wrong}");
    }
}

#[test]
fn schemas_are_listed_and_found() {
    let project = models();
    let Run { code, out: list, .. } = project.run(&["schema"]);
    assert_eq!(code, 0);
    for line in list.lines() {
        let mut words = line.split_whitespace();
        let (name, id) = (words.next().unwrap(), words.next().unwrap());
        let mine = schema(&project, name);
        assert_eq!(mine["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(
            (&mine["title"], &mine["properties"]["schema"]["const"]),
            (&json!(id), &json!(id))
        );
        assert_eq!(schema(&project, id), mine);
        // Descriptions are for readers of JSON.
        let text = mine.to_string();
        assert!(!text.contains("[`") && !text.contains("`None`"), "{name}");
    }
    assert_eq!(list.lines().count(), 6);
}
