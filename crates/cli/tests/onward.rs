//! What people are told to do next, and what is true of what they are told.

mod project;

use project::{ENDLESS, HOLDS, Project, Run, VIOLATED};
use serde_json::Value;

fn check(model: &str, args: &[&str]) -> Run {
    let project = Project::new(&[("m.pml", model)]);
    project.run(&[&["check", "--no-save", "m.pml"], args].concat())
}

/// The same in one line, whatever the width.
fn words(run: &Run) -> String {
    run.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn named_never_claims_have_ids_of_their_own_in_every_format() {
    let model = "byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> break od }
never one { do :: x > 2 -> break :: else od }
never two { do :: x > 5 -> break :: else od }
";
    let run = check(model, &["--format", "json"]);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    let properties = result["properties"].as_array().unwrap();
    let told: Vec<(&str, &str)> = properties
        .iter()
        .map(|one| (one["id"].as_str().unwrap(), one["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("deadlock", "holds"), ("never:one", "violated"), ("never:two", "holds")]);
    assert_eq!(properties[1]["trace"]["result"]["property"], "never:one");
    // A reader that looks properties up by their ids finds the verdict of each.
    let junit = check(model, &["--format", "junit"]).out;
    assert!(junit.contains("failures=\"1\""), "{junit}");
    assert!(junit.contains("name=\"never:two\" time=\"0.000\"/>"), "{junit}");
    let sarif = check(model, &["--format", "sarif"]).out;
    assert!(sarif.contains(r#""never:one":"violated","never:two":"holds""#), "{sarif}");
    let concise = check(model, &["--format", "concise"]).out;
    assert!(concise.contains("violated: the never claim one can be followed"), "{concise}");
    for (only, code) in [("one", 1), ("two", 0), ("never", 1)] {
        let run = check(model, &["--only", only]);
        assert_eq!(run.code, code, "{only}: {}", run.out);
    }
    // Two without a name are told apart as well.
    let model = "byte x;
active proctype P() { x = 1 }
never { do :: x == 1 -> break :: else od }
never { do :: x == 2 -> break :: else od }
";
    let run = check(model, &["--format", "json"]);
    if let Ok(result) = serde_json::from_str::<Value>(&run.out) {
        let properties = result["properties"].as_array().unwrap();
        let mut ids: Vec<&str> = properties.iter().map(|one| one["id"].as_str().unwrap()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), properties.len(), "{}", run.out);
    }
}

#[test]
fn a_cut_search_in_a_lossy_store_does_not_say_how_much_of_all_it_has_seen() {
    let args = ["--states", "1000", "--store"];
    for store in ["bitstate", "compact"] {
        let run = check(ENDLESS, &[&args[..], &[store]].concat());
        let text = words(&run);
        assert_eq!(run.code, 3, "{text}");
        assert!(text.contains("how many there are besides is not known"), "{text}");
        assert!(!text.contains("all states seen") && !text.contains("% of the states"), "{text}");
        let run = check(ENDLESS, &[&args[..], &[store, "--format", "json"]].concat());
        let result: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(result["scope"]["loss"]["coverage"], Value::Null, "{}", run.out);
        assert!(result["scope"]["loss"]["omitted"].is_number(), "{}", run.out);
    }
    // One that came to its end knows it.
    let run = check(HOLDS, &["--store", "bitstate", "--format", "json"]);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert!(result["scope"]["loss"]["coverage"].as_f64().unwrap() > 0.99, "{}", run.out);
    assert!(words(&check(HOLDS, &["--store", "bitstate"])).contains("estimate: all states seen"));
}

#[test]
fn what_is_not_decided_says_what_to_try_next_with_the_numbers() {
    for (args, said) in [
        (&["--states", "1000"][..], "more: --states 4000 ("),
        (&["--search", "dfs", "--depth", "100"], "more: --depth 400"),
        (&["--time", "600ms"], "more: --time 3s"),
        (&["--time", "600ms"], "sample: --search swarm --time 1s"),
        (&["--search", "random", "--runs", "3", "--depth", "50"], "more: --runs 30 --seed 3"),
        (&["--mem", "60M", "--store", "plain"], "lossy: --store compact --table"),
        (
            &["--store", "compact", "--table", "64KiB"],
            "more: --table 128KiB (the one of 64 KiB is full)",
        ),
    ] {
        let run = check(ENDLESS, args);
        let text = words(&run);
        assert_eq!(run.code, 3, "{args:?}: {text}");
        assert!(text.contains(said), "{args:?}: {text}");
    }
    let lossy = check(HOLDS, &["--store", "bitstate"]);
    assert!(words(&lossy).contains("proof: without --store (about"), "{}", lossy.out);
    // Where the answer was accepted, nobody is told to do more.
    let accepted = check(ENDLESS, &["--states", "1000", "--accept", "bounded"]);
    assert_eq!(accepted.code, 0);
    assert!(!accepted.out.contains("more: "), "{}", accepted.out);
    // Other formats say it, too.
    for format in ["junit", "sarif", "github"] {
        let run = check(ENDLESS, &["--states", "1000", "--format", format]);
        assert!(run.out.contains("more: --states 4000"), "{format}: {}", run.out);
    }
}

const EXPECTING: &str = "[[target]]
path = \"m.pml\"
  [[target.prop]]
  name = \"assertions\"
  expect = \"violated\"
  reason = \"updates get lost\"
";

#[test]
fn a_violation_that_was_expected_is_a_line_with_its_reason() {
    let project = Project::new(&[("m.pml", VIOLATED), ("everypath.toml", EXPECTING)]);
    let run = project.run(&["check", "--no-save"]);
    assert_eq!(run.code, 0, "{}", run.out);
    let line = "violated  assert@2:30      as expected (updates get lost): assertion can fail";
    assert!(run.out.contains(line), "{}", run.out);
    assert!(!run.out.contains("error[") && !run.out.contains("step |"), "{}", run.out);
    assert_eq!(run.last(), "violated as expected: 1 of 2 properties     (exit 0)");
    // Whoever wants to see it does.
    for more in [&["-v"][..], &["--trace", "full"], &["--all-errors"]] {
        let run = project.run(&[&["check", "--no-save"], more].concat());
        assert!(run.out.contains("error[EP0101]"), "{more:?}: {}", run.out);
    }
    // In colour, the line is green: it is as it should be.
    let run = project.run(&["check", "--no-save", "--color", "always"]);
    assert!(run.out.contains("\u{1b}[1;32mviolated as expected"), "{}", run.out);
}

#[test]
fn reasons_of_expectations_reach_every_format() {
    let project = Project::new(&[("m.pml", VIOLATED), ("everypath.toml", EXPECTING)]);
    for format in ["full", "concise", "json", "jsonl", "junit", "sarif", "github", "gitlab"] {
        let run = project.run(&["check", "--no-save", "--format", format]);
        assert_eq!(run.code, 0, "{format}: {}", run.out);
        assert!(run.out.contains("updates get lost"), "{format}: {}", run.out);
        // Also where it holds in the meantime.
        project.write("m.pml", HOLDS);
        let run = project.run(&["check", "--no-save", "--format", format]);
        assert_eq!(run.code, 1, "{format}: {}", run.out);
        assert!(run.out.contains("updates get lost"), "{format}: {}", run.out);
        project.write("m.pml", VIOLATED);
    }
}

#[test]
fn the_reason_of_a_target_reaches_every_format() {
    let config =
        "[[target]]\npath = \"m.pml\"\nexpect = \"violated\"\nreason = \"a teaching example\"\n";
    let project = Project::new(&[("m.pml", VIOLATED), ("everypath.toml", config)]);
    for format in ["full", "concise", "json", "jsonl", "junit", "sarif", "github", "gitlab"] {
        for (model, code) in [(VIOLATED, 0), (HOLDS, 1)] {
            project.write("m.pml", model);
            let run = project.run(&["check", "--no-save", "--format", format]);
            assert_eq!(run.code, code, "{format}: {}", run.out);
            assert!(run.out.contains("a teaching example"), "{format} {code}: {}", run.out);
        }
    }
    project.write("everypath.toml", "[[target]]\npath = \"m.pml\"\nreason = \"of nothing\"\n");
    let run = project.run(&["check", "--no-save"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("`expect` is missing"), "{}", run.err);
}

#[test]
fn the_last_line_says_which_target_failed_and_why() {
    let config = EXPECTING.to_owned() + "\n[[target]]\npath = \"other.pml\"\n";
    let files = [("m.pml", VIOLATED), ("other.pml", HOLDS), ("everypath.toml", config.as_str())];
    let project = Project::new(&files);
    let run = project.run(&["check", "--no-save"]);
    assert_eq!(run.last(), "2 files: 1 violated as expected, 1 holds     (exit 0)");
    project.write("other.pml", VIOLATED);
    let run = project.run(&["check", "--no-save"]);
    assert_eq!(
        run.last(),
        "2 files: 2 violated (1 as expected); failed: other.pml (assertion can fail: x == 2, but x is 1)     \
         (exit 1)"
    );
    project.write("m.pml", HOLDS);
    project.write("other.pml", HOLDS);
    let run = project.run(&["check", "--no-save"]);
    assert_eq!(
        run.last(),
        "2 files: 2 holds; failed: m.pml (assert@2:30 is expected to be violated (updates get lost), but it \
         holds)     (exit 1)"
    );
    project.write("other.pml", "active proctype P( {");
    let run = project.run(&["check", "--no-save", "--format", "github"]);
    assert!(run.last().contains("failed: m.pml (") && run.last().contains("other.pml (expected"));
}

#[test]
fn after_a_violation_the_verdicts_of_the_other_properties_are_shown() {
    let run = check(VIOLATED, &[]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("\n  holds  no deadlock\n"), "{}", run.out);
}

#[test]
fn statements_of_traces_are_as_the_source_has_them() {
    let model = "#define NONE 255
#define LAST (N - 1)
#define N 3
byte owner = NONE, i;
bool flag;
chan c = [2] of { byte, bool };
inline set(v) { owner = v }
active proctype P() {
  true;
  owner == NONE;
  flag = true;
  set(NONE);
  set(N);
  i = LAST;
  owner = 255;
  c!NONE,false;
  c?NONE,false;
  (1);
  assert(owner != NONE)
}
";
    let run = check(model, &["--trace", "full"]);
    let cells: Vec<&str> = run
        .out
        .lines()
        .filter_map(|line| Some(line.split(" | ").nth(1)?.split_once(": ")?.1))
        .map(|cell| cell.trim_end_matches([' ', '|']))
        .collect();
    assert_eq!(
        cells,
        [
            "true",
            "owner == NONE",
            "flag = true",
            "owner = NONE",
            "owner = N",
            "i = 3 - 1",
            "owner = 255",
            "c!NONE,false",
            "c?NONE,false",
            "skip",
            "assert  FAILED",
        ],
        "{}",
        run.out
    );
    assert!(run.out.contains("assertion can fail: owner != NONE, but owner is 255"), "{}", run.out);
    // A formula tells values apart that are written alike.
    let model = "#define LIMIT 1
byte x;
active proctype P() { x = 1; x = 2 }
ltl one { [] (x <= LIMIT) }
#undef LIMIT
#define LIMIT 2
ltl two { [] (x <= LIMIT) }
";
    let run = check(model, &["--format", "json", "--only", "one,two"]);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    let properties = result["properties"].as_array().unwrap();
    let verdicts: Vec<&str> =
        properties.iter().map(|one| one["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["violated", "holds"], "{}", run.out);
}

const RETRY: &str = "mtype = { REQ, ACK, NAK };
chan req = [3] of { mtype, byte, byte };
chan rsp = [3] of { mtype };
bool waiting;
byte n;
active proctype Client() {
  do
  :: waiting = true; req!REQ,1,2;
     do :: rsp?ACK -> waiting = false; break
        :: rsp?NAK -> req!REQ,3,4
     od
  od
}
active proctype Server() {
  byte a, b;
  do
  :: req?REQ,a,b -> if :: rsp!ACK :: rsp!NAK fi
  od
}
active proctype Noise() { do :: n = (n + 1) % 3 od }
ltl answered { [] (waiting -> <> !waiting) }
";

#[test]
fn runs_that_go_on_for_ever_are_short_and_say_what_keeps_them() {
    for more in [&[][..], &["--shortest"]] {
        let run = check(RETRY, more);
        let text = words(&run);
        assert_eq!(run.code, 1, "{text}");
        // One step into the trouble, and around the shortest cycle.
        assert!(text.contains("trace: 4 steps"), "{text}");
        assert!(text.contains("repeats for ever: steps 2-4"), "{text}");
        let why = "Client never moves in the cycle although it could all the time (8: req!REQ,1,2): weak fairness \
                   rules that out";
        assert!(text.contains(why), "{text}");
    }
    let run = check(RETRY, &["--fair", "weak"]);
    let text = words(&run);
    assert!(
        text.contains("Server never chooses 17: rsp!ACK in the cycle, although it could"),
        "{text}"
    );
    // It asks for something that is there.
    let run = check(RETRY, &["--shortest", "--fair", "strong"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("--shortest has no use here"), "{}", run.err);
}

#[test]
fn contents_of_channels_are_told_in_full_on_request() {
    let model = "chan q = [12] of { int, int };
byte i;
active proctype P() {
  do :: i < 12 -> q!100000 + i,200000 + i; i++ :: else -> break od;
  assert(false)
}
";
    let short = check(model, &[]);
    let full = check(model, &["--trace", "full"]);
    let last = "[100011, 200011]";
    let table = |run: &Run| -> String {
        let rows = run.out.lines().filter(|line| line.contains(" | "));
        rows.filter_map(|line| line.rsplit(" | ").next())
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert!(!table(&short).contains(last), "{}", short.out);
    assert!(table(&full).contains(last), "{}", full.out);
    // Every message that was in the channel when the last one came.
    let all: Vec<String> = (0..12).map(|n| format!("[{}, {}]", 100_000 + n, 200_000 + n)).collect();
    assert!(table(&full).contains(&all.join(", ")), "{}", full.out);
}
