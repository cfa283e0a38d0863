//! The formats for other programs: each is well formed, says the same, and has the same exit code.

#[path = "support/schema.rs"]
mod schema;
mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use clap::Parser;
use everypath_cli::analysis::InternalError;
use everypath_cli::answer::Answer;
use everypath_cli::args::{Cli, Command as Verb, FormatArg};
use everypath_cli::commands::check::check_all;
use everypath_cli::config::{Checking, Config, Environment};
use everypath_cli::render::full::{Detail, TraceDetail, Verbosity};
use everypath_cli::render::style::Style;
use everypath_cli::render::{Checked, Page, each, last};
use everypath_cli::settings::Job;
use everypath_verdict::{Exit, Policy};
use insta::assert_snapshot;
use schema::validate;
use serde_json::{Value, json};
use support::{Counter, check, try_check};

const FORMATS: [&str; 8] =
    ["full", "concise", "json", "jsonl", "sarif", "junit", "github", "gitlab"];

const HOLDS: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n";
const VIOLATED: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n";
const BROKEN: &str = "byte x;\nactive proctype P() {\n  do\n  :: x < 3 -> brake\n  od\n}\n";
const ENDLESS: &str = "int x, y;\nactive proctype P() { do :: x++ :: y++ od }\n";
const LTL: &str = "bool p;\nactive proctype P() { p = true }\nltl live { <> p }\n";
const STUCK: &str = "chan c = [0] of { byte };\nactive [2] proctype P() { c!1 }\n";
const FOREIGN: &str = "active proctype P() { c_code { int *p = malloc(1); } }\n";

/// A directory of its own with some models in it.
struct Project {
    path: PathBuf,
}

impl Project {
    fn new() -> Project {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everypath-formats-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        for (name, text) in [
            ("holds.pml", HOLDS),
            ("violated.pml", VIOLATED),
            ("broken.pml", BROKEN),
            ("endless.pml", ENDLESS),
            ("ltl.pml", LTL),
            ("stuck.pml", STUCK),
            ("foreign.pml", FOREIGN),
            // Everything that has a meaning in a URI, in XML or in a command.
            ("a b%,<:>&\"#?\u{f6}.pml", VIOLATED),
        ] {
            std::fs::write(path.join(name), text).unwrap();
        }
        Project { path }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
        command.args(args).current_dir(&self.path).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM", "GITHUB_STEP_SUMMARY"] {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.command(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    fn check(&self, args: &[&str], format: &str) -> (i32, String) {
        let all: Vec<&str> = ["check", "--format", format].iter().chain(args).copied().collect();
        let (code, out, _) = self.run(&all);
        (code, out)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path.join(name)).unwrap()
    }

    fn schema(&self, name: &str) -> Value {
        serde_json::from_str(&self.run(&["schema", name]).1).unwrap()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
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

/// Errors and open questions of a document, however its format names them.
fn findings(format: &str, text: &str) -> Option<(usize, usize)> {
    let count = |part: &str| text.matches(part).count();
    let json = || serde_json::from_str::<Value>(text).unwrap();
    Some(match format {
        "sarif" => {
            let run = &json()["runs"][0];
            let lists = [&run["results"], &run["invocations"][0]["toolExecutionNotifications"]];
            let all = || lists.iter().flat_map(|list| list.as_array().unwrap());
            let errors = all().filter(|one| one["level"] == "error").count();
            (errors, all().filter(|o| o["kind"] == "open" || o["level"] == "warning").count())
        }
        "gitlab" => {
            let all = json();
            let with = |severities: &[&str]| {
                let all = all.as_array().unwrap().iter();
                all.filter(|one| severities.contains(&one["severity"].as_str().unwrap())).count()
            };
            (with(&["blocker", "critical"]), with(&["major", "minor"]))
        }
        "github" => {
            let lines = |word: &str| text.lines().filter(|line| line.starts_with(word)).count();
            (lines("::error "), lines("::warning "))
        }
        // An input error is an error here too.
        "junit" => (count("<failure ") + count("<error "), count("<error ")),
        _ => return None,
    })
}

#[test]
fn exit_codes_and_findings_are_the_same_in_every_format() {
    let project = Project::new();
    for (args, code) in RUNS {
        for format in FORMATS {
            let (exit, out) = project.check(args, format);
            assert_eq!(exit, *code, "{args:?} {format}\n{out}");
            let Some((errors, open)) = findings(format, &out) else { continue };
            match code {
                0 if args.contains(&"--exit-zero") => assert!(errors + open > 0, "{out}"),
                // A bound that was accepted is still told.
                0 if format != "sarif" => assert_eq!((errors, open), (0, 0), "{args:?}\n{out}"),
                0 => assert_eq!(errors, 0, "{args:?}\n{out}"),
                3 => assert!(open > 0, "{args:?} {format}\n{out}"),
                _ => assert!(errors > 0, "{args:?} {format}\n{out}"),
            }
        }
    }
}

/// The code 101 cannot be had from the outside, so the way from a defect to the exit is taken here.
#[test]
fn defects_of_the_tool_appear_in_every_format() {
    let project = Project::new();
    for policy in [&[][..], &["--exit-zero"], &["--expect", "violated"], &["--accept", "bounded"]] {
        for format in FORMATS {
            let file = project.path.join("defect").to_string_lossy().into_owned();
            let output = format!("{format}={file}");
            let args = ["everypath", "check", "f.pml", "g.pml", "--format", format, "-o", &output];
            let cli = Cli::try_parse_from(args.iter().chain(policy)).unwrap();
            let Verb::Check(args) = cli.command else { unreachable!() };
            let config = Config::resolve(*args, &Environment::default(), Vec::new());
            let broken = Counter { broken: true, ..Counter::new(false) };
            let mut stdout = Vec::new();
            let mut answer = Answer::begin(&config, &mut stdout);
            check_all(&Job::plain(&config), &mut answer, |job, _| {
                assert!(job.path != Path::new("g.pml"), "this panic is part of the test");
                let result = try_check(&broken, &config.checking, vec![]).map_err(InternalError)?;
                let policy = config.detail.policy;
                Ok(Checked { result, sources: broken.sources.clone(), policy })
            });
            assert_eq!(answer.finish(), Exit::Internal, "{format} {policy:?}");
            let text = String::from_utf8(stdout).unwrap();
            assert!(text.contains("does not replay"), "{format}: {text}");
            assert!(text.contains("a part of the program gave up"), "{format}: {text}");
            assert!(text.contains("EP0001"), "{format}: {text}");
            if format != "jsonl" {
                assert_eq!(project.read("defect"), text, "{format}");
            }
            assert!(findings(format, &text).is_none_or(|(errors, _)| errors >= 2), "{text}");
            if format == "sarif" {
                validate(&sarif_schema(), &serde_json::from_str(&text).unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn documents_keep_to_the_printed_schemas() {
    let project = Project::new();
    let [result, results, trace, event] =
        ["result", "results", "trace", "event"].map(|name| project.schema(name));
    let mut traces = 0;
    for (args, _) in RUNS {
        let (_, out) = project.check(args, "json");
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
        let (_, out) = project.check(args, "jsonl");
        for line in out.lines() {
            let one: Value = serde_json::from_str(line).unwrap();
            validate(&event, &one).unwrap_or_else(|why| panic!("{args:?}: {why}\n{line}"));
        }
    }
    assert!(traces > 5, "only {traces} traces were seen");
}

#[test]
fn broken_documents_are_refused() {
    let project = Project::new();
    let schema = project.schema("everypath.result/1");
    let (_, out) = project.check(&["violated.pml"], "json");
    let document: Value = serde_json::from_str(&out).unwrap();
    validate(&schema, &document).unwrap();
    // What a later version may add is no mistake.
    let mut more = document.clone();
    more["novelty"] = json!(1);
    validate(&schema, &more).unwrap();
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
        let why = validate(&schema, &broken).expect_err(pointer);
        assert!(why.contains(expected), "{pointer}: {why}");
    }
    for field in ["schema", "tool", "verdict", "exit", "properties", "diagnostics"] {
        let mut broken = document.clone();
        broken.as_object_mut().unwrap().remove(field);
        assert!(validate(&schema, &broken).is_err(), "{field}");
    }
    let event = project.schema("event");
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
    let project = Project::new();
    let (code, list, _) = project.run(&["schema"]);
    assert_eq!(code, 0);
    for line in list.lines() {
        let mut words = line.split_whitespace();
        let (name, id) = (words.next().unwrap(), words.next().unwrap());
        let schema = project.schema(name);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(
            (&schema["title"], &schema["properties"]["schema"]["const"]),
            (&json!(id), &json!(id))
        );
        assert_eq!(project.schema(id), schema);
        // Descriptions are for readers of JSON.
        let text = schema.to_string();
        assert!(!text.contains("[`") && !text.contains("`None`"), "{name}");
    }
    assert_eq!(list.lines().count(), 4);
}

/// The official schema of SARIF 2.1.0: a package that is never compiled has it.
fn sarif_schema() -> Value {
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
    let project = Project::new();
    let schema = sarif_schema();
    for (args, code) in RUNS {
        let (_, out) = project.check(args, "sarif");
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
    let (_, out) = project.check(&["violated.pml"], "sarif");
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
    let project = Project::new();
    let (_, out) = project.check(&["./a b%,<:>&\"#?\u{f6}.pml"], "sarif");
    let log: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        log["runs"][0]["artifacts"][0]["location"]["uri"],
        "a%20b%25%2C%3C%3A%3E%26%22%23%3F%C3%B6.pml"
    );
    let (_, out) = project.check(&["a b%,<:>&\"#?\u{f6}.pml"], "github");
    assert!(
        out.starts_with("::error file=a b%25%2C<%3A>&\"#?\u{f6}.pml,line=2,endLine=2,col=30,"),
        "{out}"
    );
}

#[test]
fn long_runs_are_cut_in_sarif() {
    let project = Project::new();
    let text = "int x;\nactive [2] proctype P() { do :: x < 2000 -> x++ :: else -> break od; assert(0) }\n";
    std::fs::write(project.path.join("long.pml"), text).unwrap();
    let (code, out) = project.check(&["long.pml", "--search", "dfs"], "sarif");
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

#[test]
fn fingerprints_for_gitlab_are_unique() {
    let project = Project::new();
    let text = "active [2] proctype P() { assert(0) }\ninit { assert(0); assert(0) }\n";
    std::fs::write(project.path.join("twins.pml"), text).unwrap();
    std::fs::create_dir(project.path.join("sub")).unwrap();
    std::fs::write(project.path.join("sub/twins.pml"), text).unwrap();
    let (_, out) = project.check(&["twins.pml", "sub/twins.pml", "twins.pml"], "gitlab");
    let issues: Vec<Value> = serde_json::from_str(&out).unwrap();
    let prints: BTreeSet<&str> =
        issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
    assert!(issues.len() >= 9 && prints.len() == issues.len(), "{out}");
    for issue in &issues {
        assert!(issue["location"]["lines"]["begin"].as_u64().unwrap() > 0);
        assert!(!issue["description"].as_str().unwrap().is_empty());
    }
}

/// The tags of a document, with an error for what XML does not allow.
fn xml_tags(text: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut tags = Vec::new();
    let mut rest = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    assert!(text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()));
    while let Some(start) = rest.find('<') {
        let content = &rest[..start];
        assert!(!content.contains('>'), "{content}");
        for part in content.split('&').skip(1) {
            let name = part.split(';').next().unwrap();
            assert!(["amp", "lt", "gt", "quot", "apos"].contains(&name), "{content}");
        }
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        tags.push(tag.trim_end_matches('/').to_owned());
        if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap().to_owned());
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    tags
}

#[test]
fn junit_is_well_formed_and_its_counts_are_right() {
    let project = Project::new();
    for (args, _) in RUNS {
        let (_, out) = project.check(args, "junit");
        let tags = xml_tags(&out);
        let number = |tag: &str, name: &str| {
            let at = tag.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
            tag[at..].split('"').next().unwrap().parse::<usize>().unwrap()
        };
        let count = |name: &str| tags.iter().filter(|tag| tag.starts_with(name)).count();
        let found = [count("testcase "), count("failure "), count("error ")];
        let counts = |tag: &str| ["tests", "failures", "errors"].map(|n| number(tag, n));
        assert_eq!(counts(&tags[0]), found, "{out}");
        let suites = tags.iter().filter(|tag| tag.starts_with("testsuite "));
        let sums = suites
            .clone()
            .map(|tag| counts(tag))
            .fold([0; 3], |sum, one| [sum[0] + one[0], sum[1] + one[1], sum[2] + one[2]]);
        assert_eq!(sums, found, "{out}");
        assert!(suites.clone().all(|tag| number(tag, "tests") > 0), "{out}");
        assert!(!out.contains("name=\"\"") && count("skipped") == 0, "{out}");
    }
}

/// Names and texts of the user break no format and start no command.
#[cfg(unix)]
#[test]
fn hostile_names_and_texts_are_no_danger() {
    let project = Project::new();
    let schema = sarif_schema();
    let names =
        ["a\n::error::x.pml", "\x1b[2J\u{202e}.pml", "]]>--&amp;\t\r.pml", "::stop-commands::x"];
    for (number, text) in [
        &b"/* gr\xf6\xdfe */ active proctype P() { skip }\n"[..],
        b"active proctype P() { \x1b[2J \x01\x0b\x7f }\n",
        b"\0\0\0\0",
        b"",
        b"active proctype P() {",
        b"active proctype P() { x\xef\xbf\xbe = ]]> }\n",
        b"#error \r\n#define X ::error::x\nactive proctype P() { ::error::x }\n",
        b"active proctype P() { printf(\"\x1b]\x07&lt;\"); assert(0) }\n",
    ]
    .into_iter()
    .enumerate()
    {
        let name = names[number % names.len()];
        std::fs::write(project.path.join(name), text).unwrap();
        for format in FORMATS {
            let (code, out) = project.check(&["--", name], format);
            assert!([0, 1, 2].contains(&code), "{name:?} {format}: {out}");
            assert!(!out.contains(['\x1b', '\x07', '\0', '\r']), "{format}: {out:?}");
            match format {
                "sarif" => validate(&schema, &serde_json::from_str(&out).unwrap()).unwrap(),
                "json" | "gitlab" => drop(serde_json::from_str::<Value>(&out).unwrap()),
                "jsonl" => {
                    out.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap()))
                }
                "junit" => drop(xml_tags(&out)),
                "github" => {
                    let told = |line: &str| {
                        [
                            "::error file=",
                            "::warning file=",
                            "::notice file=",
                            "everypath: 1 file: ",
                        ]
                        .iter()
                        .any(|start| line.starts_with(start))
                    };
                    assert!(out.lines().all(told), "{out}");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn events_come_in_order_and_while_the_search_goes() {
    let project = Project::new();
    let args = ["check", "endless.pml", "broken.pml", "--time", "1600ms", "--mem", "4G"];
    let args = [&args[..], &["--format", "jsonl", "--progress", "always"]].concat();
    let (code, out, err) = project.run(&args);
    assert_eq!(code, 2);
    // The line for people is where it always is.
    assert!(err.contains(" states | "), "{err}");
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], *names.last().unwrap()), ("start", "end"));
    assert_eq!(events[0]["inputs"], json!(["endless.pml", "broken.pml"]));
    assert_eq!(events.last().unwrap()["exit"], 2);
    let progress: Vec<&Value> = events.iter().filter(|e| e["event"] == "progress").collect();
    assert!((1..=4).contains(&progress.len()), "{names:?}");
    assert!(
        progress[0]["states"].as_u64().unwrap() > 0 && progress[0]["rate"].as_f64().unwrap() > 0.0
    );
    let times: Vec<f64> = events.iter().map(|event| event["time_s"].as_f64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let results: Vec<&Value> = events.iter().filter(|e| e["event"] == "result").collect();
    assert_eq!(results.len(), 2);
    assert_eq!(results[1]["result"]["diagnostics"][0]["code"], "EP1203");
    let diagnostic = events.iter().find(|event| !event["diagnostic"].is_null()).unwrap();
    assert_eq!((&diagnostic["path"], &diagnostic["input"]), (&json!("broken.pml"), &json!(1)));
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_told_in_every_format() {
    use std::io::{BufRead, BufReader};
    let project = Project::new();
    let files: Vec<String> =
        FORMATS.iter().map(|format| format!("{format}=out.{format}")).collect();
    let mut args =
        vec!["check", "endless.pml", "--format", "jsonl", "--time", "60s", "--mem", "4G"];
    for file in &files {
        args.extend(["-o", file]);
    }
    let mut child =
        project.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    // Progress is there before the end.
    let events: Vec<String> = lines.by_ref().take(2).collect();
    assert!(events[1].contains("\"event\":\"progress\""), "{events:?}");
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(rest.last().unwrap().contains("\"event\":\"end\",\"exit\":3"), "{rest:?}");
    for format in FORMATS {
        let text = project.read(&format!("out.{format}"));
        assert!(text.contains("interrupt"), "{format}: {text}");
    }
    assert_eq!(project.read("out.jsonl").lines().count(), events.len() + rest.len());
}

#[test]
fn one_run_writes_all_formats() {
    let project = Project::new();
    let files: Vec<String> = FORMATS.iter().map(|format| format!("{format}=r.{format}")).collect();
    // Longer than what comes, to see that nothing of it stays.
    for format in FORMATS {
        std::fs::write(project.path.join(format!("r.{format}")), "x".repeat(100_000)).unwrap();
    }
    let mut args = vec!["check", "violated.pml", "broken.pml"];
    for file in &files {
        args.extend(["-o", file]);
    }
    let (code, out, err) = project.run(&args);
    assert_eq!(code, 1, "{err}");
    assert!(out.starts_with("error[EP0101]"), "{out}");
    for format in FORMATS {
        let text = project.read(&format!("r.{format}"));
        assert!(
            !text.contains("xxx") && text.contains("EP0101") && text.contains("EP1203"),
            "{text}"
        );
        let (_, alone) = project.check(&["violated.pml", "broken.pml"], format);
        if ["concise", "junit", "github", "gitlab"].contains(&format) {
            let timeless = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
            assert_eq!(timeless(&text), timeless(&alone), "{format}");
        }
    }
    let (_, out, _) = project.run(&["check", "holds.pml", "-q", "-o", "gitlab=-"]);
    assert_eq!(out.trim(), "[]");
    let (code, out, err) =
        project.run(&["check", "holds.pml", "-o", "sarif=no/such.sarif", "-o", "json=kept.json"]);
    assert_eq!(code, 2);
    assert_eq!(err, "error: cannot write no/such.sarif: there is no directory no\n");
    assert!(out.contains("holds  no deadlock"), "{out}");
    assert!(project.read("kept.json").contains("\"verdict\":\"holds\""));
    for (output, why) in [
        ("json=./holds.pml", "./holds.pml: it is an input"),
        ("json=kept.json", "kept.json: it is named twice"),
        ("json=.", ".: is a directory"),
    ] {
        let (code, _, err) =
            project.run(&["check", "holds.pml", "-q", "-o", "full=kept.json", "-o", output]);
        assert_eq!((code, err), (2, format!("error: cannot write {why}\n")));
    }
    assert_eq!(project.read("holds.pml"), HOLDS);
}

#[test]
fn what_no_property_says_is_said_of_the_run() {
    let project = Project::new();
    let concise = |args: &[&str]| project.check(args, "concise").1;
    assert_eq!(
        concise(&["endless.pml", "--only", "assertions", "--states", "10"]),
        "endless.pml: no violation found: the search was incomplete (state limit) [EP0301]\n"
    );
    assert!(concise(&["holds.pml", "--expect", "violated"]).ends_with(
        "holds.pml: holds: every property holds, but a violation was expected [EP0311]\n"
    ));
}

#[test]
fn a_job_summary_is_added_for_github() {
    let project = Project::new();
    let summary = project.path.join("summary.md");
    std::fs::write(&summary, "before\n").unwrap();
    let run = |format: &str| {
        let args = ["check", "violated.pml", "broken.pml", "--format", format];
        let output = project.command(&args).env("GITHUB_STEP_SUMMARY", &summary).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
    };
    run("json");
    assert_eq!(project.read("summary.md"), "before\n");
    run("github");
    let text = project.read("summary.md");
    assert!(text.starts_with("before\n### everypath: 2 files: 1 violated, 1 error\n"), "{text}");
    assert!(text.contains("| violated.pml | assert&#64;2:30: assertion can fail"), "{text}");
    assert!(text.contains("| violated.pml | no deadlock | holds |  |"), "{text}");
    assert!(text.contains("| error EP1203 | 4:15 |"), "{text}");
}

#[test]
fn help_names_every_format() {
    let project = Project::new();
    let (_, out, _) = project.run(&["check", "--help"]);
    for format in FORMATS {
        let line = out.lines().find(|line| line.trim().starts_with(&format!("- {format}:")));
        assert!(line.is_some(), "{format}\n{out}");
    }
}

/// Version and memory differ from machine to machine.
fn golden(format: FormatArg, atomic: bool) -> String {
    let counter = Counter::new(atomic);
    let mut result = check(&counter, &Checking::plain(), vec![]);
    let stats = result.stats.as_mut().unwrap();
    (stats.bytes, stats.bytes_per_state) = (2100, 50.0);
    let policy = Policy::default();
    let all = [Checked { result, sources: counter.sources.clone(), policy }];
    let detail =
        Detail { trace: TraceDetail::Delta, traces: 1, verbosity: Verbosity::Normal, policy };
    let style = Style { color: false, ascii: false, width: 120 };
    let page = Page { style, detail: &detail, base: Path::new("/nowhere") };
    let exit = if atomic { Exit::Ok } else { Exit::Violation };
    let text = each(format, &page, true, &all[0]) + &last(format, &page, &all, exit);
    match format {
        FormatArg::Sarif | FormatArg::Gitlab => {
            let value: Value = serde_json::from_str(&text).unwrap();
            let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
            format!("{value:#}\n").replace(&version, "\"VERSION\"")
        }
        _ => text,
    }
}

#[test]
fn golden_documents() {
    for (format, name) in [
        (FormatArg::Sarif, "sarif"),
        (FormatArg::Junit, "junit"),
        (FormatArg::Github, "github"),
        (FormatArg::Gitlab, "gitlab"),
    ] {
        assert_snapshot!(format!("{name}_violation"), golden(format, false));
        assert_snapshot!(format!("{name}_passing"), golden(format, true));
    }
}

#[test]
fn golden_events() {
    let project = Project::new();
    for (name, file) in [("jsonl_violation", "violated.pml"), ("jsonl_passing", "holds.pml")] {
        let (_, out) = project.check(&[file], "jsonl");
        let mut text = String::new();
        for line in out.lines() {
            let mut event: Value = serde_json::from_str(line).unwrap();
            event["time_s"] = json!("TIME");
            for part in ["tool", "argv", "result"] {
                if let Some(value) = event.get_mut(part) {
                    *value = json!(part.to_uppercase());
                }
            }
            text += &format!("{event}\n");
        }
        assert_snapshot!(name, text);
    }
}
