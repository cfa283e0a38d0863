//! Runs told in words, and the steps that matter.

use everypath_cli::render::story;
use everypath_cli::render::style::{Style, columns};
use everypath_verdict::{Trace, slice};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::folder::{EXAMPLES, Folder};
use crate::traces::{message, requests, trace};

fn told(trace: &Trace, width: usize, ascii: bool) -> String {
    let style = Style { color: false, ascii, width };
    let mut out = String::new();
    story::render(&mut out, &style, trace, &slice(trace));
    for line in out.lines() {
        assert!(!ascii || line.is_ascii(), "{line}");
    }
    out
}

#[test]
fn stories_of_examples() {
    let folder = Folder::new();
    folder.check("counter.pml");
    assert_snapshot!("story_counter_80", folder.ok(&["explain", "last", "--columns", "80"]));
    assert_snapshot!("story_counter_all", folder.ok(&["explain", "last", "--all"]));
    folder.check("two-phase-commit-blocking.pml");
    assert_snapshot!("story_commit_120", folder.ok(&["explain", "last"]));
    folder.check("flag-mutex.pml");
    assert_snapshot!(
        "story_mutex_80_ascii",
        folder.ok(&["explain", "last", "--ascii", "--columns", "80"])
    );
}

#[test]
fn stories_of_messages() {
    assert_snapshot!("story_requests", told(&requests(None), 80, false));
    assert_snapshot!("story_loop", told(&requests(Some(3)), 80, true));
}

#[test]
fn codes_and_traces_are_told_apart() {
    let folder = Folder::new();
    for word in ["EP0102", "ep0102", "0102"] {
        assert!(folder.ok(&["explain", word]).starts_with("EP0102: a deadlock\n"), "{word}");
    }
    assert!(folder.fails(&["explain", "EP9999"]).contains("there is no code"));
    assert!(folder.fails(&["explain", "last"]).contains("there is no run yet"));
    assert!(folder.fails(&["explain", "nowhere.json"]).contains("cannot read nowhere.json"));
}

/// Who wrote what was read, who sent what was received, and who let a process pass; nobody else.
#[test]
fn the_slice_has_what_the_failure_depends_on() {
    let none = Value::Null;
    let send = message("q", &["M"], "send", false, (Some(3), Some(5)));
    let take = message("q", &["M"], "receive", false, (Some(3), Some(5)));
    let mut run = trace(
        &["A", "B", "Noise"],
        json!({ "x": 0, "y": 0, "z": 0, "q": [], "A.t": 0, "B.u": 0 }),
        &[
            (0, "t = 4", json!({ "A.t": 4 }), none.clone()),
            (2, "z = 1", json!({ "z": 1 }), none.clone()),
            (0, "q!M", json!({ "q": ["M"] }), send),
            (2, "y = 3", json!({ "y": 3 }), none.clone()),
            (1, "q?M", json!({ "q": [] }), take),
            (0, "x = t", json!({ "x": 4 }), none.clone()),
            (2, "y = 5", json!({ "y": 5 }), none.clone()),
            (1, "assert(x == 0)", json!({}), none),
        ],
        None,
    );
    run.steps[5].uses = vec!["A.t".to_owned()];
    assert_eq!(slice(&run), [3, 5, 8]);
    run.steps[7].reads.insert("x".to_owned(), json!(4));
    assert_eq!(slice(&run), [1, 3, 5, 6, 8]);
    run.steps[7].reads.insert("y".to_owned(), json!(5));
    assert_eq!(slice(&run), [1, 3, 5, 6, 7, 8]);
}

#[test]
fn slices_of_examples_end_with_the_failure() {
    let folder = Folder::new();
    let mut shorter = 0;
    for name in ["counter", "interrupt", "readers-writers-wrong", "philosophers", "flag-mutex"] {
        let file = format!("{name}.pml");
        assert!(std::path::Path::new(EXAMPLES).join(&file).exists());
        folder.check(&file);
        let run: Trace = serde_json::from_str(&folder.ok(&["show", "--format", "json"])).unwrap();
        let steps = slice(&run);
        assert!(steps.is_sorted() && steps.iter().all(|&n| n <= run.steps.len() as u64));
        if run.end.reason != "deadlock" {
            assert_eq!(steps.last(), Some(&(run.steps.len() as u64)), "{name}");
        }
        shorter += usize::from(steps.len() < run.steps.len());
        for why in &run.explain {
            assert!(why.steps.iter().all(|step| steps.contains(step)), "{name}");
        }
        for width in [60, 80, 120] {
            assert!(told(&run, width, true).lines().all(|line| columns(line) <= width));
        }
    }
    assert!(shorter >= 1);
}

#[test]
fn long_stories_are_cut() {
    let all: Vec<_> =
        (0..100_000).map(|i| (i % 200, "x = x + 1", json!({ "x": i }), Value::Null)).collect();
    let lanes: Vec<String> = (0..200).map(|i| format!("P{i}")).collect();
    let lanes: Vec<&str> = lanes.iter().map(String::as_str).collect();
    let mut run = trace(&lanes, json!({ "x": 0 }), &all, None);
    for step in &mut run.steps {
        step.reads.insert("x".to_owned(), json!(1));
    }
    let start = std::time::Instant::now();
    assert_eq!(slice(&run).len(), 100_000);
    let text = told(&run, 80, false);
    assert!(text.contains("steps are left out"), "{text}");
    assert!(text.lines().count() < 100, "{text}");
    assert!(start.elapsed().as_secs() < 20);
}
