//! Equal processes that stand for each other: the same answers as a full search, with runs of the
//! model as it is; and what makes processes differ is seen.

use std::path::Path;
use std::sync::Arc;

use everypath_conformance::agree::{machine, machine_with};
use everypath_conformance::reduction::{Found, Proviso, search};
use everypath_engine_explicit::{Kind, Options as SearchOptions, search as explore};
use everypath_layer_optimise::{Observed, Pass, optimise};
use everypath_layer_reduce::{Options, Reduced, Symmetric, Symmetry};
use everypath_machine::{Interpreter, TransitionKind};
use everypath_model::{Describe, FaultInfo, Rng, Successors, TransitionSystem};

fn interpreter(source: &str, invariants: &[&str]) -> Interpreter {
    let machine = machine_with(source, Path::new("m.pml"), invariants);
    Interpreter::new(Arc::new(machine.unwrap_or_else(|e| panic!("{e:?}\n{source}"))))
}

fn symmetric(interpreter: &Interpreter) -> Option<Symmetric<Interpreter>> {
    let (symmetry, _) = Symmetry::find(interpreter);
    let found = !symmetry.is_empty();
    found.then(|| Symmetric::new(interpreter.clone(), interpreter.clone(), symmetry))
}

/// What must not depend on symmetry. When a process ends, nobody notices.
fn answer(interpreter: &Interpreter, found: &Found) -> String {
    let transitions = &interpreter.machine().transitions;
    let executed: Vec<u32> = found
        .executed
        .iter()
        .copied()
        .filter(|&t| transitions[t as usize].kind != TransitionKind::End)
        .collect();
    let stuck = !found.deadlocks.is_empty();
    format!("{:?} {:?} {executed:?} deadlock {stuck}", found.faults, found.invariants)
}

/// Compares searches of a model; how many states there are with and without symmetry, if there is
/// some.
fn compare(source: &str, invariants: &[&str], most: usize) -> Option<(usize, usize)> {
    let whole = interpreter(source, invariants);
    let system = symmetric(&whole)?;
    let full = search(&whole, Proviso::Full, most);
    if full.incomplete {
        return None;
    }
    let found = search(&system, Proviso::Full, most);
    assert_eq!(answer(&whole, &full), answer(&whole, &found), "{source}");
    // With everything else that reduces.
    let smaller = optimise(whole.machine(), &Pass::ALL, &Observed::default());
    let smaller = Interpreter::new(Arc::new(smaller));
    let (symmetry, _) = Symmetry::find(&smaller);
    let partial = Reduced::new(smaller.clone(), Options::default());
    let both = Symmetric::new(partial, smaller, symmetry);
    for proviso in [Proviso::Queue, Proviso::Stack] {
        let reduced = search(&both, proviso, most);
        assert_eq!(answer(&whole, &full), answer(&whole, &reduced), "{proviso:?}\n{source}");
    }
    runs_are_runs_of_the_model(source, &whole, &system);
    Some((full.states.len(), found.states.len()))
}

/// Every run that is found is one of the model as it is, and it ends with what was found.
fn runs_are_runs_of_the_model(source: &str, whole: &Interpreter, system: &Symmetric<Interpreter>) {
    let options = SearchOptions { max_violations: 20, ..SearchOptions::default() };
    let outcome = explore(system, &options, &mut ());
    let mut out = Successors::new();
    whole.initial(&mut whole.worker(), &mut out).expect("initial");
    let initial = out.target(&out.steps()[0]).to_vec();
    for violation in &outcome.violations {
        let path = outcome.path(system, violation).expect("a run");
        let settle = matches!(violation.kind, Kind::Deadlock(_));
        let actions = system.unfold(&initial, path.steps(), settle);
        let actions = actions.unwrap_or_else(|error| panic!("{error}\n{source}"));
        let steps = whole.replay(&initial, &actions);
        let steps = steps.unwrap_or_else(|error| panic!("{error:?}\n{source}"));
        let last = steps.last().map_or(&initial, |step| &step.state);
        match violation.kind {
            Kind::Deadlock(_) => {
                out.clear();
                whole.successors(&mut whole.worker(), last, &mut out).expect("steps");
                assert!(out.is_empty(), "somebody can move\n{source}");
            }
            Kind::Invariant(fault) => {
                let found = (0..whole.invariant_count()).any(|index| {
                    let mut worker = whole.worker();
                    whole.violated_invariant(&mut worker, last, index) == Ok(Some(fault))
                });
                assert!(found, "the invariant holds\n{source}");
            }
            Kind::Fault(fault) => {
                let wanted = whole.fault(fault);
                let same =
                    |found: &FaultInfo| (found.code, found.span) == (wanted.code, wanted.span);
                let met = steps.iter().any(|step| step.faults.iter().any(same));
                assert!(met, "no fault\n{source}");
            }
        }
    }
}

/// A model with processes of which several are equal.
fn model(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::from(
        "byte g, h; bool f; byte own[8];
        chan c = [1] of { byte }; chan d = [2] of { byte, byte }; chan r = [0] of { byte };\n",
    );
    let kinds = 1 + rng.below(2);
    let made = rng.below(3) == 0;
    for kind in 0..kinds {
        let count = 2 + rng.below(2);
        let head = if made { String::new() } else { format!("active [{count}] ") };
        text += &format!("{head}proctype P{kind}() {{ byte x, y;\n");
        for _ in 0..2 + rng.below(4) {
            statement(&mut rng, &mut text, 0, made);
        }
        if rng.below(3) == 0 {
            text += "do :: atomic { !f -> f = 1 }; g++; f = 0 :: g > 2 -> break od;\n";
        }
        text += "skip }\n";
    }
    if made {
        text += "init { atomic { run P0(); run P0() };";
        text += if kinds > 1 { " run P1(); run P1(); g = 1 }\n" } else { " run P0() }\n" };
    } else if rng.below(2) == 0 {
        text += "active proctype Q() { byte z; ";
        text += ["c!1; r!2", "r?z; assert(z != 2)", "d?z, _; g = z", "end: c?z; c?z; f = z"]
            [rng.below(4)];
        text += " }\n";
    }
    text
}

fn statement(rng: &mut Rng, text: &mut String, depth: usize, made: bool) {
    const SIMPLE: [&str; 20] = [
        "x = g",
        "g = x + 1",
        "h = g",
        "x++",
        "y = x",
        "f = !f",
        "f -> x = 2",
        "g < 3 -> g++",
        "c!x",
        "c?y",
        "d!x,y",
        "d?x,y",
        "d??x,1",
        "r!x",
        "r?y",
        "assert(g != 3)",
        "assert(x + y < 3)",
        "timeout -> h = 1",
        "!f",
        "empty(c)",
    ];
    const OWN: [&str; 4] =
        ["own[_pid] = g", "x = own[_pid]", "own[_pid]++", "own[_pid] > 1 -> h = 2"];
    let choice = rng.below(12);
    if choice == 0 && depth < 2 {
        text.push_str("if :: ");
        statement(rng, text, depth + 1, made);
        text.push_str(" :: ");
        statement(rng, text, depth + 1, made);
        text.push_str(if depth == 0 && rng.below(2) == 0 { " :: else fi;\n" } else { " fi;\n" });
    } else if choice == 1 && depth < 2 {
        text.push_str("atomic { ");
        statement(rng, text, depth + 1, made);
        statement(rng, text, depth + 1, made);
        text.push_str(" };\n");
    } else if choice < 4 && !made {
        text.push_str(OWN[rng.below(OWN.len())]);
        text.push_str(";\n");
    } else {
        text.push_str(SIMPLE[rng.below(SIMPLE.len())]);
        text.push_str(";\n");
    }
}

#[test]
fn random_models_have_the_same_answers() {
    let (mut models, mut before, mut after) = (0, 0, 0);
    let count = if std::env::var_os("EVERYPATH_ALL").is_some() { 3_000 } else { 300 };
    for seed in 0..count {
        if let Some((full, found)) = compare(&model(seed), &["g + h < 9"], 4_000) {
            models += 1;
            before += full;
            after += found;
        }
    }
    println!("{models} models, {before} states, {after} left");
    assert!(models > 10 && after * 10 < before * 7, "{models} models, {after} of {before}");
}

#[test]
fn equal_processes_stand_for_each_other() {
    // One of three steps each: as many states as ways to have three processes at four places.
    let three = "byte g; active [3] proctype P() { g++; g++; g++; end: false }";
    assert_eq!(compare(three, &[], 1000), Some((64, 20)));
    let own = "byte a[3]; active [3] proctype P() { a[_pid] = 1; a[_pid] = 2; end: false }";
    assert_eq!(compare(own, &["1"], 1000), Some((27, 10)));
    let made = "byte g; proctype P() { g++; g = 0; end: false }
        init { run P(); run P() }";
    let (full, found) = compare(made, &[], 1000).expect("symmetry");
    assert!(found < full, "{found} of {full}");
    // Those who end do so in an order that depends on who is who.
    let ending = "byte g; active [2] proctype P() { g < 2; g++; assert(g != 2) }
        active proctype Q() { g = 1; end: false } active [2] proctype R() { g > 0 }";
    let (full, found) = compare(ending, &[], 1000).expect("symmetry");
    assert!(found < full, "{found} of {full}");
}

#[test]
fn what_tells_processes_apart_is_seen() {
    let why = |source: &str, invariants: &[&str]| {
        let whole = interpreter(source, invariants);
        let (symmetry, why) = Symmetry::find(&whole);
        assert!(symmetry.is_empty(), "{source}");
        why.join("; ")
    };
    let two = "active [2] proctype P()";
    for (source, reason) in [
        (format!("byte g; {two} {{ g = _pid }}"), "use their numbers"),
        (format!("byte g; {two} {{ byte x = _pid; g = x }}"), "use their numbers"),
        (format!("byte g; {two} {{ _pid == 0 -> g = 1 }}"), "use their numbers"),
        (format!("byte a[4]; {two} {{ a[1 - _pid] = 1 }}"), "use their numbers"),
        (format!("byte a[4]; {two} {{ a[_pid] = 1; a[0] = 2 }}"), "others use"),
        (
            format!("byte a[4]; {two} {{ a[_pid] = 1 }} active proctype Q() {{ a[1] = 2 }}"),
            "others use",
        ),
        (format!("byte a[1]; {two} {{ a[_pid] = 1 }}"), "no element"),
        (format!("chan c = [1] of {{ byte }}; {two} {{ c!_pid }}"), "use their numbers"),
        (format!("chan c = [1] of {{ byte }}; {two} {{ c?eval(_pid) }}"), "use their numbers"),
        (format!("byte g; {two} {{ g = _nr_pr }}"), "_nr_pr"),
        (format!("byte g; {two} {{ g = _last }}"), "_last"),
        (format!("byte g; {two} {{ chan c = [1] of {{ byte }}; c!1; g = 1 }}"), "own channels"),
        (
            format!("byte g; {two} {{ l: g = 1 }} active proctype Q() {{ P[0]@l -> g = 2 }}"),
            "asks another",
        ),
        (
            "byte g; proctype P() { g++ } init { do :: g < 3 -> run P() :: else -> break od }"
                .into(),
            "in a loop",
        ),
        ("byte g; proctype P() { g++ } init { run P(); g = run P() }".into(), "value of a `run`"),
        ("byte g; proctype P() { g = _pid } init { run P(); run P() }".into(), "uses its number"),
        ("byte g; active proctype P() { g++ } active proctype Q() { g++ }".into(), "one of each"),
    ] {
        let said = why(&source, &[]);
        assert!(said.contains(reason), "{source}: {said}");
    }
    let read = "byte a[2]; active [2] proctype P() { a[_pid] = 1 }";
    assert!(why(read, &["a[0] == 0"]).contains("others use"));
    assert!(machine(read, Path::new("m.pml")).is_some());
}
