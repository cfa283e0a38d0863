//! Traces in all their forms: what people see, and what other programs read.

use everypath_cli::render::chart::{Chart, Drawing, mermaid, plantuml, shiviz, svg, terminal};
use everypath_cli::render::full::evidence;
use everypath_cli::render::style::{Style, columns};
use everypath_cli::render::table::View;
use everypath_cli::render::{itf, steps};
use everypath_verdict::{Trace, Verdict};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::folder::{EXAMPLES, Folder};
use crate::traces::{message, requests, trace};

fn chart(trace: &Trace, local: bool, most: usize) -> Chart {
    Chart::new(trace, &Drawing { keep: &|_| true, local, most })
}

fn drawn(trace: &Trace, width: usize, ascii: bool, local: bool) -> String {
    let style = Style { color: false, ascii, width };
    let mut out = String::new();
    terminal::render(&mut out, &style, &chart(trace, local, 60), "--full");
    for line in out.lines() {
        assert!(columns(line) <= width, "{width} columns are not enough for: {line}");
        assert_eq!(line, line.trim_end());
        assert!(!ascii || line.is_ascii(), "{line}");
    }
    out
}

#[test]
fn charts_in_the_terminal() {
    let plain = requests(None);
    assert_snapshot!("chart_120", drawn(&plain, 120, false, false));
    assert_snapshot!("chart_80", drawn(&plain, 80, false, true));
    assert_snapshot!("chart_60_ascii", drawn(&plain, 60, true, true));
    assert_snapshot!("chart_loop_80_ascii", drawn(&requests(Some(3)), 80, true, false));
    for width in 60..=130 {
        for local in [false, true] {
            drawn(&plain, width, false, local);
            drawn(&plain, width, true, local);
        }
    }
}

#[test]
fn charts_for_other_programs() {
    let plain = requests(None);
    let all = chart(&plain, true, 1000);
    assert_snapshot!("mermaid", mermaid::render(&chart(&requests(Some(3)), false, 1000)));
    assert_snapshot!("plantuml", plantuml::render(&all));
    assert_snapshot!("shiviz", shiviz::render(&plain, &|_| true));
    assert_snapshot!("svg", svg::render(&all, "a <title> & more"));
}

#[test]
fn one_end_of_a_message_is_enough_to_draw_it() {
    let plain = requests(None);
    let keep = |step: &everypath_verdict::TraceStep| step.lane == 2;
    let chart = Chart::new(&plain, &Drawing { keep: &keep, local: false, most: 100 });
    assert_eq!(chart.lanes, ["Server", "Log"]);
    assert_eq!(chart.events.len(), 1);
}

#[test]
fn itf_has_every_value_in_every_state() {
    let plain = requests(Some(3));
    let text = itf::render(&plain, 1, 11).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["vars"], json!(["ep_process", "ep_statement", "req", "rsp", "waiting"]));
    assert_eq!(document["loop"], 3);
    let states = document["states"].as_array().unwrap();
    assert_eq!(states.len(), 12);
    for (i, (state, values)) in states.iter().zip(plain.states()).enumerate() {
        assert_eq!(state["#meta"]["index"], i);
        for (name, value) in values {
            assert_eq!(state[&name], value, "state {i}, {name}");
        }
    }
    assert_eq!(states[2]["ep_statement"], "req!REQ");
    let part: Value = serde_json::from_str(&itf::render(&plain, 5, 6).unwrap()).unwrap();
    assert_eq!(part["states"].as_array().unwrap().len(), 3);
    assert_eq!(part["states"][0]["req"], json!(["CANCEL"]));
    assert_eq!(part.get("loop"), None);

    let odd = trace(
        &["A"],
        json!({ "a[0]": 9007199254740993_i64, "a.0": -1, "q": [["M", 1], ["N", 2]], "9": true }),
        &[(0, "x", json!({ "a.0": null, "new": [1, [2]] }), Value::Null)],
        None,
    );
    let text = itf::render(&odd, 1, 1).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let (first, second) = (&document["states"][0], &document["states"][1]);
    assert_eq!(first["a_0_2"], json!({ "#bigint": "9007199254740993" }));
    assert_eq!((&first["a_0"], &first["v_9"]), (&json!(-1), &json!(true)));
    assert_eq!(first["q"], json!([{ "#tup": ["M", 1] }, { "#tup": ["N", 2] }]));
    assert_eq!(second["a_0"], json!({ "#unserializable": "not there" }));
    assert_eq!(second["new"], json!({ "#tup": [1, [2]] }));
    assert_eq!(document["#meta"]["variables"]["a_0_2"], "a[0]");
    read_itf(&text, 2);
}

/// Reads an ITF document as its definition has it.
fn read_itf(text: &str, states: usize) {
    let document: Value = serde_json::from_str(text).unwrap();
    let vars: Vec<&str> =
        document["vars"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    for name in &vars {
        assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
    }
    let list = document["states"].as_array().unwrap();
    assert_eq!(list.len(), states);
    for (i, state) in list.iter().enumerate() {
        let state = state.as_object().unwrap();
        assert_eq!(state["#meta"]["index"], i);
        let mut names: Vec<&str> = state.keys().map(String::as_str).collect();
        names.retain(|name| *name != "#meta");
        assert_eq!(names, vars);
        state.iter().filter(|(name, _)| *name != "#meta").for_each(|(_, v)| itf_value(v));
    }
}

fn itf_value(value: &Value) {
    match value {
        Value::Null => panic!("null is no value"),
        Value::Number(number) => assert!(number.as_i64().unwrap().abs() < 1 << 53, "{number}"),
        Value::Array(items) => items.iter().for_each(itf_value),
        Value::Object(fields) => match fields.iter().next() {
            Some((tag, inner)) if tag.starts_with('#') => {
                assert_eq!(fields.len(), 1);
                match tag.as_str() {
                    "#bigint" => assert!(inner.as_str().unwrap().parse::<i128>().is_ok()),
                    "#tup" => inner.as_array().unwrap().iter().for_each(itf_value),
                    "#unserializable" => assert!(inner.is_string()),
                    other => panic!("{other}"),
                }
            }
            _ => fields.values().for_each(itf_value),
        },
        Value::Bool(_) | Value::String(_) => {}
    }
}

/// Lines of a Mermaid sequence diagram that everybody agrees on.
fn mermaid_is_well_formed(text: &str) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("sequenceDiagram"));
    let mut open = 0;
    for line in lines {
        let line = line.strip_prefix("    ").unwrap_or_else(|| panic!("{line}"));
        let body = match line.split_once(": ") {
            Some((head, body)) if !head.starts_with("participant") && !head.starts_with("loop") => {
                let ends: Vec<&str> = match head.strip_prefix("Note over ") {
                    Some(lane) => vec![lane],
                    None => head.split(if head.contains("->>") { "->>" } else { "-)" }).collect(),
                };
                for end in ends {
                    assert!(end.strip_prefix('p').unwrap().parse::<usize>().is_ok(), "{line}");
                }
                body
            }
            _ if line == "end" => {
                open -= 1;
                ""
            }
            _ => match line.strip_prefix("loop ") {
                Some(title) => {
                    open += 1;
                    title
                }
                None => {
                    let rest =
                        line.strip_prefix("participant p").unwrap_or_else(|| panic!("{line}"));
                    rest.split_once(" as ").unwrap().1
                }
            },
        };
        // Entities are the only place for `#` and `;`.
        for (i, part) in body.split('#').enumerate() {
            let rest = if i == 0 { part } else { part.split_once(';').unwrap().1 };
            assert!(!rest.contains([';', '"', '<', '>', '%', '{', '}']), "{line}");
        }
    }
    assert_eq!(open, 0);
}

fn plantuml_is_well_formed(text: &str) {
    let body = text.strip_prefix("@startuml\n").unwrap().strip_suffix("@enduml\n").unwrap();
    for line in body.lines() {
        let known = line == "end"
            || line.starts_with("loop ")
            || line.starts_with("participant \"")
            || line.starts_with("note over p")
            || line.starts_with("... ")
            || line.starts_with('p');
        assert!(known && !line.contains("\"\""), "{line}");
        let text = match line.split_once(" : ") {
            Some((_, text)) => text.to_owned(),
            None => line.replace(['"'], ""),
        };
        for part in text.split("<U+").skip(1) {
            let (code, _) = part.split_once('>').unwrap();
            assert!(u32::from_str_radix(code, 16).is_ok(), "{line}");
        }
        let plain = text.replace("<U+", "");
        assert!(!plain.contains(['"', '\\', '#', '~', '%', '$', '@', '<']), "{line}");
    }
}

fn svg_is_well_formed(text: &str) {
    let document = roxmltree::Document::parse(text).unwrap();
    assert_eq!(document.root_element().tag_name().name(), "svg");
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        assert_ne!(node.tag_name().name(), "script");
        assert!(node.attributes().all(|a| !a.name().starts_with("on") && a.name() != "href"));
    }
    assert!(document.descendants().any(|node| node.has_tag_name("title")));
}

fn shiviz_is_well_formed(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.chunks(2) {
        let (host, clock) = pair[0].split_once(' ').unwrap();
        let clock: Value = serde_json::from_str(clock).unwrap();
        assert!(clock[host].as_u64().is_some(), "{}", pair[0]);
        assert_eq!(pair.len(), 2);
    }
}

/// Runs all renderers and asks whether their output is well formed, and how long it is.
fn every_renderer(trace: &Trace) -> usize {
    let all = chart(trace, true, 1000);
    let mermaid = mermaid::render(&all);
    mermaid_is_well_formed(&mermaid);
    let plantuml = plantuml::render(&all);
    plantuml_is_well_formed(&plantuml);
    let svg = svg::render(&all, &trace.result.property);
    svg_is_well_formed(&svg);
    let shiviz = shiviz::render(trace, &|_| true);
    shiviz_is_well_formed(&shiviz);
    let mut longest = [mermaid.len(), plantuml.len(), svg.len()].into_iter().max().unwrap();
    for (width, ascii) in [(60, false), (80, true), (120, false)] {
        let style = Style { color: false, ascii, width };
        let mut out = drawn(trace, width, ascii, true);
        let view = View { all: false, keep: None, watches: &[], more: "--full" };
        evidence(&mut out, &style, trace, &view);
        steps::render(&mut out, &style, trace, &|_| true, &[], false);
        longest = longest.max(out.len());
        assert!(!out.contains(['\u{1b}', '\u{202e}', '\r', '\u{7}']), "{out}");
        assert!(!ascii || out.is_ascii());
    }
    longest
}

#[test]
fn every_violated_example_is_rendered_by_every_renderer() {
    let mut count = 0;
    let mut names: Vec<String> = std::fs::read_dir(EXAMPLES)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".pml"))
        .collect();
    names.sort();
    let folder = Folder::new();
    for name in names {
        folder.copy(&name);
        let (exit, out, _) =
            folder.run(&["check", &name, "--format", "json", "--states", "100000"]);
        if exit != 1 {
            continue;
        }
        let result: everypath_verdict::RunResult = serde_json::from_str(&out).unwrap();
        for property in &result.properties {
            let (Verdict::Violated, Some(trace)) = (property.verdict, &property.trace) else {
                continue;
            };
            count += 1;
            every_renderer(trace);
            let steps = trace.steps.len();
            let text = itf::render(trace, 1, steps as u64).unwrap();
            read_itf(&text, steps + 1);
        }
    }
    assert!(count >= 6, "only {count} traces");
}

#[test]
fn hostile_traces_are_drawn_in_bounds() {
    let evil = "\u{1b}[2J\u{7}\r\n\"'`;#%%{<script>&}\\~**//__--[[x]]@enduml $x \u{202e}עברית\u{0}";
    let long = "x".repeat(1 << 20);
    let payload: Vec<&str> = vec![evil, &long];
    let mut bad = trace(
        &[evil, "end", ""],
        json!({ evil: evil, "q": [] }),
        &[
            (
                0,
                evil,
                json!({ evil: long }),
                message(evil, &payload, "send", false, (Some(1), Some(3))),
            ),
            (1, "end", json!({}), Value::Null),
            (2, evil, json!({}), message(evil, &payload, "receive", false, (Some(1), Some(3)))),
            (1, &long, json!({ "q": [evil] }), message("q", &[], "send", true, (Some(4), Some(5)))),
            (2, &long, json!({}), message("q", &[], "receive", true, (Some(4), Some(5)))),
            (0, evil, json!({}), Value::Null),
        ],
        None,
    );
    bad.result.property = evil.to_owned();
    assert!(every_renderer(&bad) < 64 << 10);
    read_itf(&itf::render(&bad, 1, 6).unwrap(), 7);
}

#[test]
fn large_traces_are_cut() {
    let lanes: Vec<String> = (0..200).map(|i| format!("Worker{i}")).collect();
    let lanes: Vec<&str> = lanes.iter().map(String::as_str).collect();
    let count = 100_000;
    let all: Vec<_> = (0..count)
        .map(|i| {
            let number = i as u64 + 1;
            let ends = match i % 2 {
                0 => (Some(number), Some(number + 1)),
                _ => (Some(number - 1), Some(number)),
            };
            let motion = if i % 2 == 0 { "send" } else { "receive" };
            let msg = message("q", &["m"], motion, false, ends);
            ((i * 7 % 200) as u32, "q!m", json!({ "n": i }), msg)
        })
        .collect();
    let large = trace(&lanes, json!({ "n": 0 }), &all, Some(50_000));
    let start = std::time::Instant::now();
    let all = chart(&large, true, 1000);
    assert_eq!((all.events.len(), all.left_out), (1000, Some((333, 49_000))));
    let texts = [mermaid::render(&all), plantuml::render(&all), svg::render(&all, "large")];
    assert!(texts.iter().all(|text| text.len() < 1 << 20));
    svg_is_well_formed(&texts[2]);
    for width in [60, 80, 200] {
        let out = drawn(&large, width, false, true);
        assert!(out.contains("left out; --full shows all"), "{out}");
        assert!(out.lines().count() < 80);
    }
    assert!(itf::render(&large, 1, 100_000).is_ok());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn show_says_what_check_said() {
    let folder = Folder::new();
    for (example, columns) in
        [("counter.pml", "80"), ("flag-mutex.pml", "120"), ("two-phase-commit-blocking.pml", "80")]
    {
        folder.copy(example);
        let (_, checked, _) = folder.run(&["check", example, "--columns", columns]);
        let shown = folder.ok(&["show", "--columns", columns]);
        let (evidence, scope) = shown.split_once("\n  scope: ").unwrap();
        assert!(checked.starts_with(evidence), "{checked}\n{shown}");
        assert!(checked.contains(scope.lines().next().unwrap()), "{checked}\n{shown}");
    }
}

#[test]
fn a_trace_has_many_names() {
    let folder = Folder::new();
    let error = folder.fails(&["show"]);
    assert_eq!(error, "error: there is no run yet; `everypath check FILE` makes one\n");
    folder.check("readers-writers-wrong.pml");
    folder.check("counter.pml");
    let counter = folder.ok(&["show"]);
    for word in ["last", "2", "-1", "last:1", "2:assert@26:20", ".everypath/runs/2/result.json"] {
        assert_eq!(folder.ok(&["show", word]), counter, "{word}");
    }
    let alone = folder.ok(&["show", ".everypath/runs/2/t1.json"]);
    assert_eq!(counter.split("  scope:").next(), Some(alone.as_str()));
    let two = folder.ok(&["show", "-2"]);
    assert!(two.contains("  other: everypath show -2:2 (assert@34:8)\n"), "{two}");
    assert!(folder.ok(&["show", "1:2"]).contains("writing == 1 && reading == 0"));
    assert!(folder.fails(&["show", "last:9"]).contains("there is no trace `9`; there are 1 ("));
    assert!(folder.fails(&["show", "9"]).contains("there is no run 9"));
    assert!(folder.fails(&["show", "counter.pml"]).contains("this is no JSON document of ours"));
    let list = folder.ok(&["show", "--list"]);
    assert_eq!(list.lines().count(), 3, "{list}");
    assert!(list.contains("2  just now        violated                 1  counter.pml"), "{list}");
    folder.copy("bakery.pml");
    folder.run(&["check", "bakery.pml", "--only", "deadlock"]);
    assert!(folder.fails(&["show"]).contains("found no violation"));
}

#[test]
fn a_part_of_a_trace() {
    let folder = Folder::new();
    folder.check("counter.pml");
    let table = |args: &[&str]| {
        let out = folder.ok(&[&["show", "--columns", "100"], args].concat());
        let start = out.find("  step |").unwrap();
        let end = out.find("  why:").unwrap();
        out[start..end].to_owned()
    };
    assert_snapshot!("part_from_to", table(&["--from", "3", "--to", "5"]));
    assert_snapshot!("part_lane", table(&["--lane", "Check", "--lane", "Inc[1]"]));
    assert_snapshot!("part_watch", table(&["--watch", "n + done", "--watch", "Inc[0].tmp"]));
    assert_snapshot!("part_shared", table(&["--only-shared", "--lane", "Inc"]));
    assert_snapshot!("state", folder.ok(&["show", "--state", "5", "--watch", "n == 2"]));
    assert!(folder.ok(&["show", "--state", "0"]).starts_with("initial state\n"));
    let end: Value =
        serde_json::from_str(&folder.ok(&["show", "--state=end", "--format=json"])).unwrap();
    assert_eq!(end["n"], 1);
    assert_snapshot!("steps", folder.ok(&["show", "--format", "steps", "--columns", "80"]));
    for (args, says) in [
        (&["--from", "9"][..], "there is no step 9: the trace has 8"),
        (&["--from", "5", "--to", "4"], "no step lies between 5 and 4"),
        (&["--lane", "Inx"], "no process `Inx` moves in this trace"),
        (&["--state", "9"], "--state wants `end` or a number from 0 to 8"),
        (&["--watch", "m + 1"], "unknown name `m`"),
        (&["--watch", "n +"], "n +\n"),
        (&["--watch", "n", "--format", "svg"], "--watch needs"),
    ] {
        let error = folder.fails(&[&["show"], args].concat());
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn the_format_follows_the_file() {
    let folder = Folder::new();
    folder.check("counter.pml");
    let read = |name: &str| {
        assert_eq!(folder.ok(&["show", "-o", name]), "");
        std::fs::read_to_string(folder.0.join(name)).unwrap()
    };
    svg_is_well_formed(&read("a.svg"));
    mermaid_is_well_formed(&read("a.mmd"));
    plantuml_is_well_formed(&read("a.puml"));
    read_itf(&read("a.itf.json"), 9);
    assert!(Trace::from_json(&read("a.json")).is_ok());
    assert_eq!(read("a.txt"), folder.ok(&["show"]));
    assert_eq!(folder.ok(&["show", "a.json", "--format", "json"]), read("a.json"));
    assert!(folder.fails(&["show", "-o", "no/where.svg"]).contains("cannot write no/where.svg"));
}

#[test]
fn bad_documents_are_refused() {
    let folder = Folder::new();
    let good = serde_json::to_string(&requests(None)).unwrap();
    for (bad, says) in [
        (good.replace("everypath.trace/1", "everypath.trace/2"), "is not known"),
        (good.replace("\"lane\":2", "\"lane\":9"), "has no lane"),
        (good.replace("\"sender\":2", "\"sender\":0"), "a message names step 0"),
        (good.replace("\"receiver\":9", "\"receiver\":99"), "a message names step 99"),
        (good.replace("\"start\":[2,1]", "\"start\":[0,1]"), "lines and columns count from 1"),
        (good.replace("\"start\":[2,1]", "\"start\":[4000000000,4000000000]"), ""),
        (good.replace("\"i\":3", "\"i\":4"), "step 3 has the number 4"),
        ("[]".to_owned(), "this is no JSON document of ours"),
        (String::new(), "this is no JSON document of ours"),
        ("\u{0}".repeat(10), "this is no JSON document of ours"),
    ] {
        std::fs::write(folder.0.join("t.json"), &bad).unwrap();
        let (exit, _, err) = folder.run(&["show", "t.json"]);
        assert_eq!(exit, if says.is_empty() { 0 } else { 2 }, "{says}: {err}");
        assert!(err.contains(says), "{err}");
    }
}

#[test]
fn a_full_channel_may_lose_messages() {
    let mut lost = message("q", &["M"], "send", false, (Some(1), None));
    lost["lost"] = true.into();
    let none = Value::Null;
    let run =
        trace(&["A"], json!({}), &[(0, "q!M", json!({}), lost), (0, "x", json!({}), none)], None);
    let text = drawn(&run, 80, true, false);
    assert!(text.contains("|. q: M (lost: the channel is full) X"), "{text}");
    assert!(mermaid::render(&chart(&run, false, 10)).contains("(lost: the channel is full)"));
}
