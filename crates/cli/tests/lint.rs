//! `everypath lint` and `check --deny` as their users meet them.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use everypath_lang_promela::lint::{ALL, Level, Lint};
use serde_json::Value;

/// Runs the program with a model on its standard input.
fn run(args: &[&str], model: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(args)
        .args(["--columns", "100"])
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(model.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn document(args: &[&str], model: &str) -> (Value, Option<i32>) {
    let mut all = vec!["lint", "-", "--format", "json"];
    all.extend(args);
    let output = run(&all, model);
    let stdout = text(&output.stdout);
    let document =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"));
    (document, output.status.code())
}

fn names(document: &Value) -> Vec<String> {
    let findings = document["files"][0]["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["name"].as_str().unwrap().to_owned()).collect()
}

fn strictness(lint: &Lint) -> &'static [&'static str] {
    match lint.default_level {
        Level::Off => &["--strict", "--strict-pid"],
        _ => &[],
    }
}

/// With the search as well: what an example shows is all that is found in it, but for statements
/// behind an error.
#[test]
fn the_examples_of_all_lints() {
    for lint in ALL {
        let (found, exit) = document(strictness(lint), lint.example);
        assert_eq!(found["schema"], "everypath.lint/1");
        let mut found = names(&found);
        assert!(found.contains(&lint.name.to_owned()), "{}: {found:?}", lint.name);
        found.retain(|name| name != lint.name && name != "unreached" && name != "vacuity");
        assert!(found.is_empty(), "{}: {found:?}", lint.name);
        let error = matches!(lint.default_level, Level::Error | Level::Off);
        assert_eq!(exit, Some(i32::from(error)), "{}", lint.name);
        let mut args = strictness(lint).to_vec();
        args.extend(["--deny", lint.name]);
        assert_eq!(document(&args, lint.example).1, Some(1), "{}", lint.name);
    }
}

#[test]
fn the_examples_of_a_search_need_it() {
    for name in ["unreached", "vacuity"] {
        let lint = everypath_lang_promela::lint::find(name).unwrap();
        // What keeps a run from an assertion is not executed either.
        let expected: &[&str] = if name == "vacuity" { &["unreached", name] } else { &[name] };
        assert_eq!(names(&document(&[], lint.example).0), expected);
        assert_eq!(names(&document(&[], lint.corrected).0), [""; 0]);
        assert_eq!(names(&document(&["--no-explore"], lint.example).0), [""; 0]);
        // A search that did not come to its end claims nothing.
        let (short, exit) = document(&["--explore", "1"], lint.example);
        assert_eq!(names(&short), [""; 0]);
        assert_eq!(
            (short["files"][0]["explored"]["complete"].as_bool(), exit),
            (Some(false), Some(0))
        );
    }
    let output = run(
        &["lint", "-", "--explore", "2"],
        everypath_lang_promela::lint::find("unreached").unwrap().example,
    );
    assert_eq!(
        text(&output.stderr),
        "note: -: unreached statements are not known: the model has more than 2 states (--explore)\n"
    );
}

#[test]
fn exit_codes() {
    let unsent = "chan q = [1] of { byte };\nactive proctype P() { q?_ }\n";
    let exit = |args: &[&str], model: &str| {
        let mut all = vec!["lint", "-"];
        all.extend(args);
        run(&all, model).status.code()
    };
    assert_eq!(exit(&[], unsent), Some(0));
    assert_eq!(exit(&["--deny", "unsent-channel"], unsent), Some(1));
    assert_eq!(exit(&["--deny", "EP1604"], unsent), Some(1));
    assert_eq!(exit(&["--deny", "unused-label,ep1604"], unsent), Some(1));
    assert_eq!(exit(&["--deny", "unused-label"], unsent), Some(0));
    assert_eq!(exit(&["--deny", "warnings"], unsent), Some(1));
    assert_eq!(exit(&["--deny", "all", "--allow", "unsent-channel,unreached"], unsent), Some(0));
    assert_eq!(exit(&["--deny", "no-such-thing"], unsent), Some(2));
    assert_eq!(exit(&[], "active proctype P( { }"), Some(2));
    let output = run(&["lint", "no-such-file.pml"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("EP1001"));
}

#[test]
fn formats_say_the_same() {
    let model = "chan q = [1] of { byte };\nactive proctype P() { q?_ }\n";
    let concise = run(&["lint", "-", "--format", "concise", "--types"], model);
    assert_eq!(
        text(&concise.stdout),
        "<stdin>:1:6: warning: nothing is ever sent to channel `q` [EP1604 unsent-channel]\n\
         <stdin>:2:23: warning: no run executes this statement [EP1602 unreached]\n\
         q : chan{byte}\n"
    );
    let full = run(&["lint", "-", "--no-explore"], model);
    assert_eq!(
        text(&full.stdout),
        "warning[EP1604]: nothing is ever sent to channel `q`\n \
         --> <stdin>:1:6\n\
         1 | chan q = [1] of { byte };\n  \
         |      ^\n\
         help: every receive from it blocks for ever\n\
         more: everypath explain unsent-channel\n\
         1 warning     (exit 0)\n"
    );
    let (json, _) = document(&["--no-explore"], model);
    assert_eq!(json["files"][0]["findings"][0]["span"]["start"], serde_json::json!([1, 6]));
    assert_eq!(
        json["files"][0]["channels"][0],
        serde_json::json!({"name": "q", "type": "chan{byte}"})
    );
    assert_eq!(json["files"][0]["explored"], Value::Null);
}

#[test]
fn check_warns_about_types_and_nothing_else() {
    let model = "mtype = { a, b };\nmtype m = a;\nbyte unused;\n\
                 active proctype P() { m = b; assert(m == 1) }\n";
    let output = run(&["check", "-", "--quiet"], model);
    assert_eq!(text(&output.stderr), "");
    let output = run(&["check", "-"], model);
    assert_eq!(output.status.code(), Some(0));
    let stderr = text(&output.stderr);
    assert!(stderr.contains("warning[EP1504]") && !stderr.contains("unused"), "{stderr}");
}

#[test]
fn check_can_deny_findings() {
    let idle = "byte x;\nactive proctype P() { x = 1; x == 2; assert(x == 2) }\n";
    let exit = |args: &[&str], model: &str| {
        let mut all = vec!["check", "-", "--only", "assertions"];
        all.extend(args);
        let output = run(&all, model);
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!(exit(&[], idle).0, Some(0));
    let (code, out) = exit(&["--deny", "vacuity"], idle);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("error[EP1625]: no run executes this assertion"), "{out}");
    assert!(out.ends_with("holds, but 1 finding is denied     (exit 1)\n"), "{out}");
    let (code, out) = exit(&["--deny", "unreached"], idle);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("error[EP1602]: no run executes `x == 2`"), "{out}");
    assert_eq!(exit(&["--deny", "unused-label"], idle).0, Some(0));
    // What is denied does not hide a violation, and --exit-zero is stronger.
    let wrong = "byte x, y;\nactive proctype P() { x = 1; assert(x == 2) }\n";
    let (code, out) = exit(&["--deny", "unused-variable"], wrong);
    assert_eq!(code, Some(1));
    assert!(out.contains("EP1609") && out.contains("EP0101"), "{out}");
    assert_eq!(exit(&["--deny", "unused-variable", "--exit-zero"], wrong).0, Some(0));
}

/// The table of docs/lint.md is that of the registry.
#[test]
fn the_page_lists_all_lints() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lint.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| EP")).collect();
    let expected: Vec<String> = ALL
        .iter()
        .map(|lint| {
            let level = match lint.default_level {
                Level::Off => "strict only",
                Level::Note => "note",
                Level::Warning => "warning",
                Level::Error => "error",
            };
            format!("| {} | `{}` | {level} | {} |", lint.code, lint.name, lint.title)
        })
        .collect();
    assert_eq!(rows, expected);
}
