//! Passes that make machines smaller keep every answer: on the models of the tests, the examples and
//! the benchmark, and on random ones; and known models really get smaller.

use std::fs;
use std::path::{Path, PathBuf};

use everypath_conformance::agree::{agree, machine, machine_with};
use everypath_conformance::smaller::{compare, explore};
use everypath_layer_optimise::{Observed, Pass, optimise};
use everypath_machine::Machine;
use everypath_testkit::generate;

/// Each pass alone, and all of them.
const CHOICES: [&[Pass]; 5] =
    [&[Pass::Constants], &[Pass::Slice], &[Pass::Merge], &[Pass::Dead], &Pass::ALL];

#[derive(Debug, Default)]
struct Sum {
    models: usize,
    before: usize,
    after: [usize; 5],
    smaller: [usize; 5],
    replayed: usize,
}

fn check(name: &str, machine: &Machine, max_states: usize, sum: &mut Sum) -> Result<(), String> {
    let Some(before) = explore(machine, max_states)? else { return Ok(()) };
    sum.models += 1;
    sum.before += before.states;
    for (i, passes) in CHOICES.iter().enumerate() {
        let gain = compare(machine, passes, &before, max_states)
            .map_err(|why| format!("{name}: {why}"))?
            .expect("not more states than before");
        sum.after[i] += gain.after;
        sum.smaller[i] += usize::from(gain.after < gain.before);
        sum.replayed += gain.replayed;
    }
    Ok(())
}

fn check_all(models: impl Iterator<Item = (String, Machine)>, max_states: usize) -> Sum {
    let mut sum = Sum::default();
    let mut wrong = Vec::new();
    for (name, machine) in models {
        wrong.extend(check(&name, &machine, max_states, &mut sum).err());
    }
    println!("{sum:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    sum
}

fn files(dir: &str) -> impl Iterator<Item = (String, Machine)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(dir);
    let mut files: Vec<PathBuf> =
        fs::read_dir(&dir).expect("readable").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "pml"));
    files.sort();
    assert!(!files.is_empty(), "no models in {}", dir.display());
    files.into_iter().filter_map(|path| {
        let source = String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
        Some((path.display().to_string(), machine(&source, &path)?))
    })
}

#[test]
fn on_annotated_models() {
    let sum = check_all(files("tests/models/promela"), 20_000);
    assert!(sum.models > 150 && sum.replayed > 300, "{sum:?}");
}

#[test]
fn on_examples() {
    let sum = check_all(files("examples/promela"), 50_000);
    assert!(sum.models > 15, "{sum:?}");
}

/// All random cases, or a tenth of them.
fn share(all: u64) -> u64 {
    if std::env::var_os("EVERYPATH_ALL").is_some() { all } else { all / 10 }
}

fn random(count: u64, text: impl Fn(u64) -> String) -> Sum {
    let models = (1..=count).filter_map(|seed| {
        Some((format!("seed {seed}"), machine(&text(seed), Path::new("m.pml"))?))
    });
    let sum = check_all(models, 3_000);
    assert!(sum.models as u64 > count / 2 && sum.replayed as u64 > count / 4, "{sum:?}");
    sum
}

#[test]
fn on_random_models() {
    random(share(2_000), |seed| generate::model(seed).text);
}

#[test]
fn on_random_models_with_much_of_their_own() {
    let sum = random(share(2_000), generate::private_model);
    // Constants alone save steps, not states.
    for (pass, &smaller) in CHOICES.iter().zip(&sum.smaller).skip(1) {
        assert!(smaller * 10 > sum.models, "{pass:?} does nothing for most: {sum:?}");
    }
}

/// Native code takes the steps of the smaller machines, too.
#[test]
fn executors_agree_on_smaller_machines() {
    let count = share(600);
    for seed in 1..=count {
        let texts = [generate::private_model(seed), generate::model(seed).text];
        for (kind, text) in texts.iter().enumerate() {
            let Some(machine) = machine(text, Path::new("m.pml")) else { continue };
            let smaller = optimise(&machine, &Pass::ALL, &Observed::default());
            agree(smaller, 300).unwrap_or_else(|why| panic!("seed {seed} of kind {kind}: {why}"));
        }
    }
}

/// Invariants over globals, locals of others, locations and channels.
#[test]
fn on_invariants() {
    let source = "
        byte turns, seen, idle; chan q = [2] of { byte };
        active [2] proctype P() {
            byte mine, last;
            do
            :: turns < 3 -> mine = turns; mine++; last = mine; turns = mine; idle++
               work: q!mine; last = 0
            :: q?mine -> seen = mine; mine = 0
            :: turns == 3 -> break
            od
        }";
    for text in [
        "turns < 4",
        "seen <= turns",
        "len(q) < 2",
        "P[0]:mine != 2",
        "P[0]:last == 0",
        "!(P[0]@work && P[1]@work)",
        "_nr_pr == 2",
        "idle < 4",
    ] {
        let machine = machine_with(source, Path::new("m.pml"), &[text]).expect("a model");
        let mut sum = Sum::default();
        check(text, &machine, 50_000, &mut sum).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(sum.models, 1, "{text}");
        assert!(sum.after[4] < sum.before, "{text}: {sum:?}");
    }
}

/// States before and after some passes.
fn states(source: &str, passes: &[Pass]) -> (usize, usize) {
    let machine = machine(source, Path::new("m.pml")).expect("a model");
    let before = explore(&machine, 100_000).expect("a search").expect("all states");
    let gain = compare(&machine, passes, &before, 100_000).expect("the same answers");
    let gain = gain.expect("all states");
    (gain.before, gain.after)
}

#[test]
fn merge_joins_what_concerns_one_process() {
    let source =
        "active [2] proctype P() { byte a, b; a = 1; b = a + 1; a = b; skip; assert(a == 2) }";
    // The start, one step with everything in it, and the end of the process.
    assert_eq!(states(source, &[Pass::Merge]), (43, 7));
    // A branch on own variables, with all its ways.
    let source = "byte g; active [2] proctype P() { byte a;
        if :: a = 1 :: a = 2 fi;
        if :: a == 1 -> a = 5 :: else -> a = 6 fi;
        g = a }";
    let (before, after) = states(source, &[Pass::Merge]);
    assert!(after * 2 < before, "{before} {after}");
    // A loop keeps a state.
    let source = "active proctype P() { byte a; do :: a = 1 - a od }";
    assert_eq!(states(source, &[Pass::Merge]), (2, 2));
    // The first statement of an atomic sequence brings the others with it.
    let source = "byte g; active proctype P() { byte a; g = 2; atomic { a = 0; assert(g < 3) } }
        active proctype Q() { g = 3 }";
    let (before, after) = states(source, &[Pass::Merge]);
    assert_eq!(before, after);
    // Also if most of it is an atomic sequence.
    let source = "byte g; active proctype P() { byte a;
        do :: atomic { g = 1 - g; a = 1 - a } od }";
    assert_eq!(states(source, &[Pass::Merge]), (2, 2));
    // What others see stays.
    let source = "active proctype P() { byte a; a = 1; a = 2; a = 3 }
        active proctype Q() { P:a == 2 }";
    let (before, after) = states(source, &[Pass::Merge]);
    assert_eq!(before, after);
}

/// While a process is busy with itself it does not receive, and somebody may take that for a reason.
#[test]
fn merge_minds_who_waits_for_nobody() {
    for beside in ["if :: c!1 :: else -> assert(false) fi", "{ assert(false) } unless { c!1 }"] {
        let source = format!(
            "chan c = [0] of {{ byte }}; byte g;
            active proctype P() {{ byte a; g = 1; a = 1; c?a }}
            active proctype Q() {{ g == 1; {beside} }}"
        );
        let (before, after) = states(&source, &[Pass::Merge]);
        assert_eq!(before, after, "{beside}");
    }
}

#[test]
fn dead_forgets_what_is_not_read() {
    let source = "byte g; active proctype P() { byte a; bool b; select(a : 1 .. 9); g = a;
        if :: b = true :: b = false fi; (b || !b) -> g = 0 }";
    let (before, after) = states(source, &[Pass::Dead]);
    assert!(after * 3 < before * 2, "{before} {after}");
    // Also if it had a value from the start, or came as an argument.
    let source = "byte g; init { run P(3) } proctype P(byte a) { byte j = a + 1;
        do :: j = g; a = j; g = (g + 1) % 2; (j + a >= 0); skip od }";
    let (before, after) = states(source, &[Pass::Dead]);
    assert!(after < before, "{before} {after}");
    // An array, whole; and an `else`.
    let source = "byte g; active proctype P() { byte a[3]; byte i;
        select(i : 0 .. 2); a[i] = i + 1; if :: a[1] > 0 -> g = 1 :: else -> g = 1 fi; i = 0; g = 2 }";
    let (before, after) = states(source, &[Pass::Dead]);
    assert!(after + 4 < before, "{before} {after}");
}

#[test]
fn slice_forgets_what_nothing_depends_on() {
    let source = "byte count, other, g; active [2] proctype P() {
        do :: g < 3 -> g++; count = count + g; other = count; printf(\"%d\", other)
           :: g == 3 -> break od }";
    let (before, after) = states(source, &[Pass::Slice]);
    assert!(after * 2 < before, "{before} {after}");
    // What can fail stays, with what it needs.
    let source = "byte z = 2, y, useless; active proctype P() {
        do :: z-- ; useless = y / z od }";
    let (before, after) = states(source, &[Pass::Slice]);
    assert_eq!(before, after);
}

#[test]
fn constants_take_out_what_never_happens() {
    let source = "bool debug; byte mode = 2, g; active proctype P() {
        do :: g < 2 -> if :: debug -> g = 0; g = 1 :: else fi; mode = 2;
           if :: mode == 3 -> assert(false) :: mode == 2 -> g++ fi
           :: g == 2 -> break od }";
    let machine = machine(source, Path::new("m.pml")).expect("a model");
    let smaller = optimise(&machine, &[Pass::Constants], &Observed::default());
    let edges = |machine: &Machine| -> usize {
        machine.proctypes.iter().flat_map(|p| &p.locations).map(|l| l.edges.len()).sum()
    };
    assert!(edges(&smaller) + 3 < edges(&machine), "{} {}", edges(&smaller), edges(&machine));
    assert!(smaller.code.len() < machine.code.len());
    let (before, after) = states(source, &[Pass::Constants, Pass::Merge]);
    assert!(after < before, "{before} {after}");
    // The index is known to be in range, and so the assignment concerns nobody else.
    let source = "byte g; active [2] proctype P() { byte i = g; byte a[4];
        if :: i < 4 -> a[i] = i :: else fi; g = a[2] }";
    let (_, merged) = states(source, &[Pass::Merge]);
    let (_, both) = states(source, &[Pass::Constants, Pass::Merge]);
    assert!(both < merged, "{both} {merged}");
}
