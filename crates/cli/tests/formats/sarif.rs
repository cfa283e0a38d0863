//! SARIF against its standard.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::validator::validate;
use crate::{RUNS, check, models};

/// The official schema of SARIF 2.1.0: a package that is never compiled has it.
pub fn sarif_schema() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata (`cargo fetch` may help): {why}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    let text = std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert!(schema["title"].as_str().unwrap().contains("(SARIF) Version 2.1.0"));
    schema
}

#[test]
fn sarif_keeps_to_the_official_schema() {
    let project = models();
    let schema = sarif_schema();
    for (args, code) in RUNS {
        let (_, out) = check(&project, args, "sarif");
        let log: Value = serde_json::from_str(&out).unwrap();
        validate(&schema, &log).unwrap_or_else(|why| panic!("{args:?}: {why}"));
        let run = &log["runs"][0];
        let invocation = &run["invocations"][0];
        assert_eq!(invocation["exitCode"], *code);
        assert_eq!(invocation["executionSuccessful"], ![2, 101].contains(code), "{args:?}");
        for result in run["results"].as_array().unwrap() {
            // What the schema cannot say.
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
            assert_eq!(result["level"] == "none", result["kind"] != "fail");
            let text = result["locations"][0].to_string();
            let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            assert!(uri.as_str().is_some_and(|uri| !uri.is_empty()), "{text}");
        }
    }
    let (_, out) = check(&project, &["violated.pml"], "sarif");
    let log: Value = serde_json::from_str(&out).unwrap();
    for (pointer, wrong) in [
        ("/version", json!("2.0.0")),
        ("/runs/0/results/0/level", json!("bad")),
        ("/runs/0/results/0/fnord", json!(1)),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", json!(0)),
        ("/runs/0/columnKind", json!("bytes")),
        ("/runs/0/tool/driver/name", Value::Null),
    ] {
        let mut broken = log.clone();
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        broken.pointer_mut(parent).unwrap()[field] = wrong;
        assert!(validate(&schema, &broken).is_err(), "{pointer}");
    }
}

#[test]
fn uris_of_odd_names_are_encoded() {
    let project = models();
    let (_, out) = check(&project, &["./a b%,<:>&\"#?\u{f6}.pml"], "sarif");
    let log: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        log["runs"][0]["artifacts"][0]["location"]["uri"],
        "a%20b%25%2C%3C%3A%3E%26%22%23%3F%C3%B6.pml"
    );
    let (_, out) = check(&project, &["a b%,<:>&\"#?\u{f6}.pml"], "github");
    assert!(
        out.starts_with("::error file=a b%25%2C<%3A>&\"#?\u{f6}.pml,line=2,endLine=2,col=30,"),
        "{out}"
    );
}

#[test]
fn long_runs_are_cut_in_sarif() {
    let project = models();
    let text = "int x;\nactive [2] proctype P() { do :: x < 2000 -> x++ :: else -> break od; assert(0) }\n";
    std::fs::write(project.path.join("long.pml"), text).unwrap();
    let (code, out) = check(&project, &["long.pml", "--search", "dfs"], "sarif");
    assert_eq!(code, 1);
    let log: Value = serde_json::from_str(&out).unwrap();
    let flows = &log["runs"][0]["results"][0]["codeFlows"];
    let mut all = 0;
    for flow in flows.as_array().unwrap() {
        let threads = flow["threadFlows"].as_array().unwrap();
        let steps: Vec<u64> = threads
            .iter()
            .flat_map(|thread| thread["locations"].as_array().unwrap())
            .map(|step| step["executionOrder"].as_u64().unwrap())
            .collect();
        all += steps.len();
        assert!(steps.contains(&1) && steps.iter().any(|&step| step > 2000));
        assert!(flow["message"]["text"].as_str().unwrap().contains("are left out"), "{flow}");
    }
    assert!(all > 500 && all <= 1000, "{all} steps");
}
