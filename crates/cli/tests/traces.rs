//! Trace assertions, alone and against SPIN.

mod project;

use everypath_model::Rng;
use everypath_testkit::needs;
use everypath_testkit::spin::{self, Spin, SpinResult, parallel};
use project::Project;

const BOTH: &str = "mtype = { a, b };
chan q = [2] of { mtype };
active proctype P() { if :: q!a; q!b :: q!b; q!a fi }
active proctype R() { q?_; q?_ }
";
/// The receiver is left at a place where it may rest.
const ALIVE: &str = "mtype = { a, b };
chan q = [2] of { mtype };
chan h = [0] of { byte };
active proctype P() { q!a; h!1; atomic { q!b; q!a } }
active proctype R() { h?1; end: do :: q?_ od }
";

fn check(model: &str, args: &[&str]) -> (i32, String) {
    let project = Project::new(&[("m.pml", model)]);
    let run = project.run(&[&["check", "--no-save", "m.pml"], args].concat());
    (run.code, run.out)
}

#[test]
fn trace_assertions_have_verdicts() {
    for (model, assertion, code, said) in [
        (BOTH, "notrace { q!a; q!b }", 1, "EP0205]: a run can match the notrace assertion"),
        (BOTH, "notrace { q!a; q!a }", 0, "holds  notrace assertion"),
        (BOTH, "trace { q!a; q!b }", 1, "the trace assertion has no `q!b` here"),
        (BOTH, "trace { if :: q!a; q!b :: q!b; q!a fi }", 0, "holds  trace assertion"),
        // Receives are not in its scope.
        (BOTH, "trace { q!_; q!_ }", 0, "holds"),
        (BOTH, "trace { q?a; q?b }", 1, "the trace assertion has no `q?b` here"),
        (BOTH, "trace { q!_ }", 1, "the trace assertion has no `q!b` here"),
        // Nobody is left at the end.
        (BOTH, "trace { q!_; q!_; q!_ }", 0, "holds"),
        (ALIVE, "trace { q!a; h!1; h?1; q!b; q!a }", 0, "holds"),
        (ALIVE, "trace { q!a; q!b; q!a; q!a }", 1, "before the trace assertion is complete"),
        (ALIVE, "trace { q!a; end: do :: q!b; q!a od }", 0, "holds"),
        (ALIVE, "trace { h?1; h!1 }", 1, "the trace assertion has no `h!1` here"),
        (ALIVE, "trace { if :: q!a; q!b :: q!_; q!a fi }", 3, "not deterministic at `q!a`"),
    ] {
        let (exit, out) = check(&format!("{model}{assertion}\n"), &[]);
        assert_eq!(exit, code, "{assertion}\n{out}");
        assert!(out.contains(said), "{assertion}\n{out}");
    }
}

#[test]
fn the_run_is_told_with_its_events_and_runs_again() {
    let model = format!("{ALIVE}trace {{ q!a; q!a }}\n");
    let project = Project::new(&[("m.pml", &model)]);
    let run = project.run(&["check", "m.pml"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("q!b  FAILED"), "{}", run.out);
    assert!(run.out.contains("events: q!a q!b"), "{}", run.out);
    let again = project.run(&["replay", "last", "-o", "again.json"]);
    assert_eq!(again.code, 1, "{}", again.out);
    assert!(again.out.contains("the trace assertion has no `q!b` here"), "{}", again.out);
    assert_eq!(project.run(&["show", "again.json"]).code, 0);
}

/// Two or three processes that send and receive through two channels, none of which can be stuck outside
/// of its `end` label, and a trace assertion.
fn model(seed: u64) -> (String, bool) {
    let mut rng = Rng::new(seed);
    let mut text =
        String::from("byte x;\nchan q = [2] of { byte };\nchan r = [1] of { byte, bit };\n");
    for process in 0..2 + rng.below(2) {
        text += &format!("active proctype P{process}() {{\n  byte v;\nend: do\n");
        for _ in 0..1 + rng.below(2) {
            text += &format!("  :: {}\n", option(&mut rng, process));
        }
        text += "  od\n}\n";
    }
    let negated = rng.chance(40);
    let word = if negated { "notrace" } else { "trace" };
    (format!("{text}{word} {{ {} }}\n", assertion(&mut rng)), negated)
}

fn option(rng: &mut Rng, process: usize) -> String {
    let first = statement(rng, process);
    match rng.below(5) {
        0 => format!("atomic {{ {first}; x = (x + 1) % 2 }}"),
        1 if process == 0 => "d_step { nfull(q) -> q!x; x = 1 - x }".to_owned(),
        2 => format!("x == {} -> {first}", rng.below(2)),
        3 => format!("{first}; break"),
        _ => first,
    }
}

fn statement(rng: &mut Rng, process: usize) -> String {
    // Senders and receivers are apart, so that the order matters.
    match (process % 2, rng.below(3)) {
        (0, 0) => "q!x".to_owned(),
        (0, 1) => format!("q!{}", rng.below(2)),
        (0, _) => format!("r!{},{}", rng.below(2), rng.below(2)),
        (_, 0) => "q?v".to_owned(),
        (_, 1) => format!("q?{}", rng.below(2)),
        (_, _) => "r?v,_".to_owned(),
    }
}

fn event(rng: &mut Rng, number: usize) -> String {
    match rng.below(6) {
        0 | 1 => format!("q!{number}"),
        2 => "q!_".to_owned(),
        3 => format!("q?{number}"),
        4 => format!("r!{number},_"),
        _ => format!("r?_,{}", rng.below(2)),
    }
}

fn assertion(rng: &mut Rng) -> String {
    let sequence = |rng: &mut Rng| {
        let events: Vec<String> = (0..1 + rng.below(2)).map(|i| event(rng, i)).collect();
        events.join("; ")
    };
    match rng.below(4) {
        0 => sequence(rng),
        1 => format!("end: do :: {} :: {} od", sequence(rng), sequence(rng)),
        2 => format!("if :: {} :: {} fi; {}", sequence(rng), sequence(rng), sequence(rng)),
        _ => format!("{}; do :: {} :: {} od", sequence(rng), sequence(rng), sequence(rng)),
    }
}

/// Whether SPIN finds something wrong, with the number of states if not; `None` if it has no answer.
fn spins(spin: &Spin, text: &str, end_states: bool) -> Option<(bool, u64)> {
    match spin.run(text, &spin::Config { end_states, ..spin::Config::default() }) {
        SpinResult::Accepted(run) if run.text.contains("non-determinism") => None,
        SpinResult::Accepted(run) if run.no_verdict() => None,
        SpinResult::Accepted(run) => Some((run.errors > 0, run.counts.stored)),
        _ => None,
    }
}

#[test]
fn random_trace_assertions_get_spins_verdict() {
    let Some(spin) = needs::spin() else { return };
    let count = if std::env::var_os("EVERYPATH_ALL").is_some() { 1_000 } else { 100 };
    let results = parallel(count, 2, |index| {
        let (text, negated) = model(71 + index as u64);
        // SPIN takes a notrace assertion that is not complete at the end for an error, too.
        let theirs = spins(&spin, &text, !negated);
        let only = if negated { "notrace" } else { "trace,deadlock" };
        (check(&text, &["--only", only, "--format", "concise"]), text, theirs)
    });
    let (mut compared, mut violations, mut counts) = (0, 0, 0);
    for (index, ((code, out), text, theirs)) in results.into_iter().enumerate() {
        let Some((wrong, states)) = theirs else {
            continue;
        };
        compared += 1;
        violations += usize::from(wrong);
        assert_eq!(code, i32::from(wrong), "number {index}\n{text}\n{out}");
        if !wrong {
            let said = format!(": {states} product state");
            assert!(out.contains(&said), "number {index}: {states}\n{text}\n{out}");
            counts += 1;
        }
    }
    assert!(compared * 10 >= count * 7, "only {compared} of {count} could be compared");
    assert!(violations * 5 > compared && counts * 8 > compared, "{violations} {counts} {compared}");
}
