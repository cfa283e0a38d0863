//! What people see, at several widths, from a system by hand.

mod support;

use everypath::checking::Checking;
use everypath_cli::render::full::{Detail, TraceDetail, Verbosity, render};
use everypath_cli::render::style::{Style, columns};
use everypath_cli::render::{concise, json};
use everypath_model::{FileId, Span};
use everypath_property::{Declared, PropertyKind};
use everypath_verdict::{Policy, PropertyResult, Reason, RunResult, Stop, Tool, Trace, Verdict};
use insta::assert_snapshot;
use support::{Counter, check, try_check};

fn detail() -> Detail {
    Detail {
        trace: TraceDetail::Delta,
        traces: 1,
        verbosity: Verbosity::Normal,
        policy: Policy::default(),
        kept: true,
        memory: None,
    }
}

fn show(counter: &Counter, result: &RunResult, width: usize, ascii: bool) -> String {
    let style = Style { color: false, ascii, width };
    let mut out = String::new();
    render(&mut out, &style, &detail(), result, &counter.sources);
    for line in out.lines() {
        assert!(columns(line) <= width, "{width} columns are not enough for: {line}");
        assert_eq!(line, line.trim_end(), "blanks at the end");
        assert!(!ascii || line.is_ascii());
    }
    // Which commands come next is told elsewhere.
    out.lines().filter(|l| !l.starts_with("  next: ")).map(|l| l.to_owned() + "\n").collect()
}

#[test]
fn the_counter_has_the_known_size() {
    let counter = Counter::new(false);
    let result = check(&counter, &Checking { exhaust: true, ..Checking::plain() }, vec![]);
    let stats = result.stats.unwrap();
    assert_eq!((stats.states, stats.transitions, stats.depth), (42, 54, 11));
    let trace = result.properties[0].trace.as_ref().unwrap();
    assert_eq!((trace.steps.len(), trace.length.switches), (8, 3));
    let fixed = check(&Counter::new(true), &Checking::plain(), vec![]);
    assert_eq!(fixed.stats.unwrap().states, 22);
}

#[test]
fn passing_run() {
    let counter = Counter::new(true);
    let result = check(&counter, &Checking::plain(), vec![]);
    assert_eq!(result.exit, 0);
    let text = show(&counter, &result, 80, false);
    assert_snapshot!("passing", text);
    assert_eq!(show(&counter, &result, 120, false), text);
    assert_eq!(show(&counter, &result, 120, true), text);
}

#[test]
fn assertion_violation() {
    let counter = Counter::new(false);
    let result = check(&counter, &Checking::plain(), vec![]);
    assert_eq!(result.exit, 1);
    assert_snapshot!("violation_120", show(&counter, &result, 120, false));
    assert_eq!(show(&counter, &result, 120, true), show(&counter, &result, 120, false));
    assert_snapshot!("violation_80", show(&counter, &result, 80, false));
    assert_snapshot!("violation_80_ascii", show(&counter, &result, 80, true));
    assert_snapshot!("violation_70_ascii", show(&counter, &result, 70, true));
    assert_snapshot!("violation_60", show(&counter, &result, 60, false));
    for width in 60..=130 {
        show(&counter, &result, width, false);
        show(&counter, &result, width, true);
    }
}

#[test]
fn violated_invariant_and_indivisible_steps() {
    let counter = Counter { bound: Some(1), ..Counter::new(true) };
    let result = check(&counter, &Checking::plain(), vec![]);
    assert_eq!(result.exit, 1);
    assert_snapshot!("invariant", show(&counter, &result, 80, false));
    assert_snapshot!("invariant_ascii", show(&counter, &result, 80, true));
}

#[test]
fn state_limit() {
    let counter = Counter::new(true);
    let result = check(&counter, &Checking { states: Some(10), ..Checking::plain() }, vec![]);
    assert_eq!(result.exit, 3);
    assert_eq!(result.verdict, Verdict::NoViolationFound(Reason::StateLimit));
    assert_snapshot!("state_limit", show(&counter, &result, 80, false));
}

#[test]
fn memory_limit_of_a_large_model() {
    let counter = Counter::new(true);
    let mut result = check(&counter, &Checking { states: Some(10), ..Checking::plain() }, vec![]);
    for property in &mut result.properties {
        property.verdict = Verdict::NoViolationFound(Reason::MemoryLimit);
    }
    let unknown = Verdict::Unknown(Reason::Unsupported);
    let mut ltl = PropertyResult::new(PropertyKind::Ltl, "ltl:elected", "ltl elected", unknown);
    ltl.message = Some("cycle search had not started".to_owned());
    result.properties.push(ltl);
    result.run.stop = Stop::Memory;
    result.run.wall_s = 372.4;
    result.run.peak_bytes = Some(8_482_560_410);
    let stats = result.stats.as_mut().unwrap();
    stats.states = 412_600_000;
    stats.unexpanded = 58_000_000;
    stats.depth = 212;
    assert_snapshot!("memory_limit_80", show(&counter, &result, 80, false));
    assert_snapshot!("memory_limit_120", show(&counter, &result, 120, false));
    assert_snapshot!("memory_limit_ascii", show(&counter, &result, 80, true));
}

#[test]
fn temporal_properties_are_unknown_and_never_green() {
    let counter = Counter::new(true);
    let span = Span::new(FileId(0), 0, 4);
    let ltl = Declared {
        kind: PropertyKind::Ltl,
        name: "served".to_owned(),
        span: Some(span),
        always: false,
    };
    let result = check(&counter, &Checking::plain(), vec![ltl]);
    assert_eq!(result.exit, 3);
    assert_snapshot!("temporal", show(&counter, &result, 80, false));
}

#[test]
fn only_some_properties() {
    let counter = Counter::new(false);
    let checking = Checking { only: vec!["deadlock".to_owned()], ..Checking::plain() };
    let result = check(&counter, &checking, vec![]);
    assert_eq!(result.exit, 0);
    assert_snapshot!("only_deadlock", show(&counter, &result, 80, false));
}

#[test]
fn concise_lines() {
    let mut out = String::new();
    let style = Style { color: false, ascii: false, width: 80 };
    for atomic in [false, true] {
        let counter = Counter::new(atomic);
        for states in [None, Some(10)] {
            let result = check(&counter, &Checking { states, ..Checking::plain() }, vec![]);
            concise::render(&mut out, &style, &result, &counter.sources);
        }
    }
    assert_snapshot!("concise", out);
}

#[test]
fn documents_are_read_as_they_were_written() {
    let counter = Counter::new(false);
    let result = check(&counter, &Checking::plain(), vec![]);
    let text = json::render(std::slice::from_ref(&result));
    let again: RunResult = serde_json::from_str(&text).unwrap();
    assert_eq!(again, result);
    assert_eq!(json::render(&[again]), text);
    let mut fixed = result.clone();
    fixed.tool = Tool { version: "0.0.0".to_owned(), build: "test".to_owned() };
    let stats = fixed.stats.as_mut().unwrap();
    (stats.bytes, stats.bytes_per_state) = (2100, 50.0);
    assert_snapshot!("json", serde_json::to_string_pretty(&fixed).unwrap());

    let trace = result.properties[0].trace.as_deref().unwrap();
    let text = serde_json::to_string(trace).unwrap();
    assert_eq!(&Trace::from_json(&text).unwrap(), trace);
    assert!(Trace::from_json(&text.replace("everypath.trace/1", "everypath.trace/9")).is_err());
    assert!(Trace::from_json(&text.replace("\"lane\":2", "\"lane\":7")).is_err());
    assert!(Trace::from_json("{}").is_err());
    let states = trace.states();
    assert_eq!(states.len(), 9);
    assert_eq!(states[8]["n"], 1);
}

#[test]
fn a_trace_that_does_not_replay_is_never_a_finding() {
    let counter = Counter { broken: true, ..Counter::new(false) };
    let error = try_check(&counter, &Checking::plain(), vec![]).unwrap_err();
    assert_eq!(error, "the trace of assert@12:18 does not replay: step 4: it is not enabled");
}

#[test]
fn long_traces_are_cut_in_the_middle() {
    let counter = Counter::new(false);
    let mut result = check(&counter, &Checking::plain(), vec![]);
    let trace = result.properties[0].trace.as_mut().unwrap();
    let middle = trace.steps[3].clone();
    let last = trace.steps.pop().unwrap();
    while trace.steps.len() < 119 {
        trace.steps.push(middle.clone());
    }
    trace.steps.push(last);
    trace.explain.clear();
    for (i, step) in trace.steps.iter_mut().enumerate() {
        step.i = i as u64 + 1;
        // No two rows are the same, or they would be folded.
        step.set.insert("done".to_owned(), (i % 7 * i).into());
    }
    trace.length.moves = 120;
    let text = show(&counter, &result, 80, false);
    assert!(text.contains("  ... | 70 steps left out; --trace full shows all of them\n"), "{text}");
    let is_row = |line: &&str| {
        let rest = line.trim_start_matches([' ', '>']);
        line.starts_with("  ") && rest.starts_with(|c: char| c.is_ascii_digit())
    };
    assert_eq!(text.lines().filter(is_row).count(), 50, "{text}");
    let mut full = String::new();
    let style = Style { color: false, ascii: false, width: 80 };
    let everything = Detail { trace: TraceDetail::Full, ..detail() };
    render(&mut full, &style, &everything, &result, &counter.sources);
    assert!(full.contains("\n     60 | "), "{full}");
    assert!(full.contains("at the end: n = 1, done = "), "{full}");
}

#[test]
fn rounds_that_repeat_themselves_are_shown_once() {
    let counter = Counter::new(false);
    let mut result = check(&counter, &Checking::plain(), vec![]);
    let trace = result.properties[0].trace.as_mut().unwrap();
    let mut look = trace.steps[6].clone();
    look.reads.insert("done".to_owned(), 0.into());
    let wait = everypath_verdict::TraceStep { text: "skip".to_owned(), ..look.clone() };
    // Check looks and waits five times while Inc[0] has made its first step.
    let rest = trace.steps.split_off(1);
    for _ in 0..5 {
        trace.steps.extend([look.clone(), wait.clone()]);
    }
    trace.steps.extend(rest);
    trace.explain.clear();
    for (i, step) in trace.steps.iter_mut().enumerate() {
        step.i = i as u64 + 1;
    }
    trace.length.moves = 18;
    trace.end.parts.clear();
    result.properties[0].fix = None;
    let text = show(&counter, &result, 80, false);
    assert_snapshot!("folded", text);
    for width in 60..=130 {
        show(&counter, &result, width, true);
    }
    let mut full = String::new();
    let style = Style { color: false, ascii: false, width: 80 };
    let everything = Detail { trace: TraceDetail::Full, ..detail() };
    render(&mut full, &style, &everything, &result, &counter.sources);
    assert!(!full.contains("more times") && full.contains("    11 | "), "{full}");
}

#[test]
fn many_lanes_share_one_column() {
    let counter = Counter::new(false);
    let mut result = check(&counter, &Checking::plain(), vec![]);
    let trace = result.properties[0].trace.as_mut().unwrap();
    for (i, step) in trace.steps.iter_mut().enumerate() {
        step.lane = i as u32;
    }
    trace.lanes = (0..8)
        .map(|id| {
            let name = format!("Worker{}", "Long".repeat(id as usize % 3));
            everypath_verdict::Lane { id, name, index: Some(id.into()) }
        })
        .collect();
    assert_snapshot!("many_lanes", show(&counter, &result, 80, true));
    for width in 60..=200 {
        show(&counter, &result, width, false);
    }
}
