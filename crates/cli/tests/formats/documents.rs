//! GitLab, JUnit, GitHub, and hostile names and texts in all of them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::sarif::sarif_schema;
use crate::validator::validate;
use crate::{FORMATS, RUNS, check, models};

#[test]
fn fingerprints_for_gitlab_are_unique() {
    let project = models();
    let text = "active [2] proctype P() { assert(0) }\ninit { assert(0); assert(0) }\n";
    std::fs::write(project.path.join("twins.pml"), text).unwrap();
    std::fs::create_dir(project.path.join("sub")).unwrap();
    std::fs::write(project.path.join("sub/twins.pml"), text).unwrap();
    let (_, out) = check(&project, &["twins.pml", "sub/twins.pml", "twins.pml"], "gitlab");
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
    let project = models();
    for (args, _) in RUNS {
        let (_, out) = check(&project, args, "junit");
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

#[test]
fn a_job_summary_is_added_for_github() {
    let project = models();
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

/// Names and texts of the user break no format and start no command.
#[cfg(unix)]
#[test]
fn hostile_names_and_texts_are_no_danger() {
    let project = models();
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
            let (code, out) = check(&project, &["--", name], format);
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
