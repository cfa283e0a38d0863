//! Searches by transactions find the same faults, and execute the same statements, as searches of all
//! orders; which variables are locks, and what they protect, is seen, and what is none is not.

mod laws;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use everypath_conformance::agree::machine;
use everypath_engine_explicit::{
    AfterViolation, Completion, Kind, Limits, Options, Outcome, search, search_transactions,
};
use everypath_layer_optimise::{Observed, Pass, optimise};
use everypath_layer_reduce::Transactional;
use everypath_machine::Interpreter;
use everypath_model::{Describe, Rng};
use everypath_testkit::generate;

fn interpreter(source: &str) -> Interpreter {
    let machine = machine(source, Path::new("m.pml"));
    Interpreter::new(Arc::new(machine.unwrap_or_else(|| panic!("no machine:\n{source}"))))
}

fn options(most: u64) -> Options<'static> {
    Options {
        after_violation: AfterViolation::Continue,
        check_deadlock: false,
        check_invariants: false,
        limits: Limits { states: Some(most), ..Limits::default() },
        max_violations: usize::MAX,
        ..Options::default()
    }
}

/// The faults that were found, and the statements that were executed.
fn answer(outcome: &Outcome) -> (BTreeSet<Kind>, Vec<u32>) {
    let faults = outcome.violations.iter().map(|violation| violation.kind).collect();
    (faults, outcome.coverage.iter().collect())
}

/// What a comparison has to show.
#[derive(Debug, Default)]
struct Sum {
    models: usize,
    failing: usize,
    locking: usize,
    smaller: usize,
    before: u64,
    after: u64,
    forced: u64,
}

/// Compares searches of a model.
fn compare(name: &str, source: &str, most: u64, sum: &mut Sum) {
    let Some(machine) = machine(source, Path::new("m.pml")) else { return };
    let whole = Interpreter::new(Arc::new(machine));
    let Ok(system) = Transactional::new(whole.clone()) else { return };
    let full = search(&whole, &options(most), &mut ());
    if !full.complete() {
        return;
    }
    sum.models += 1;
    sum.failing += usize::from(!full.violations.is_empty());
    sum.locking += usize::from(!system.locks().is_empty());
    for completion in [Completion::CommitPoints, Completion::EveryState] {
        let found = search_transactions(&system, completion, &options(most * 4), &mut ());
        assert!(found.complete(), "{name}: {:?}\n{source}", found.stopped);
        assert_eq!(answer(&full), answer(&found), "{name}: {completion:?}\n{source}");
        for violation in &found.violations {
            let path = found.path(&whole, violation).unwrap_or_else(|e| panic!("{name}: {e}"));
            let run = whole.replay(&path.initial, &path.actions);
            let run = run.unwrap_or_else(|e| panic!("{name}: {e:?}\n{source}"));
            let Kind::Fault(fault) = violation.kind else { panic!("{name}: {violation:?}") };
            let place = whole.fault(fault).span;
            let fails = run.iter().flat_map(|step| &step.faults).any(|fault| fault.span == place);
            assert!(fails, "{name}: {violation:?}\n{source}");
        }
        if completion == Completion::default() {
            sum.smaller += usize::from(found.stats.states < full.stats.states);
            sum.before += full.stats.states;
            sum.after += found.stats.states;
            sum.forced += found.forced.as_ref().map_or(0, |forced| forced.count);
        }
    }
    // What makes machines smaller, and with that steps longer, goes together with it.
    let smaller = optimise(whole.machine(), &Pass::ALL, &Observed::default());
    let smaller = Interpreter::new(Arc::new(smaller));
    if let Ok(system) = Transactional::new(smaller) {
        let found =
            search_transactions(&system, Completion::default(), &options(most * 4), &mut ());
        assert_eq!(answer(&full).0, answer(&found).0, "{name}: optimised\n{source}");
    }
}

/// A random program of processes with locks.
struct Writer {
    rng: Rng,
    text: String,
    /// Which locks the process has.
    held: [bool; 2],
    /// Whether locks are given back by others than those who have them.
    careless: bool,
    indent: usize,
}

const LOCKS: [&str; 2] = ["m0", "m1"];

impl Writer {
    fn chance(&mut self, one_in: usize) -> bool {
        self.rng.below(one_in) == 0
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * self.indent);
    }

    /// A variable that the process may touch by the rules, or, now and then, any.
    fn variable(&mut self) -> String {
        let careless = self.chance(12);
        let choices = ["a0", "b0", "a1", "f", "g", "own[_pid]"];
        loop {
            let choice = choices[self.rng.below(choices.len())];
            let lock = match choice {
                "a0" | "b0" => Some(0),
                "a1" => Some(1),
                _ => None,
            };
            if careless || lock.is_none_or(|lock| self.held[lock]) {
                return choice.to_owned();
            }
        }
    }

    fn acquire(&mut self, lock: usize) {
        let name = LOCKS[lock];
        let text = match self.rng.below(4) {
            0 => format!("d_step {{ {name} == 0 -> {name} = 1 }};"),
            1 => format!("atomic {{ !{name} -> {name} = 1 }};"),
            2 => format!("atomic {{ {name} == 0; {name} = 1; l = 0 }};"),
            _ => format!("atomic {{ {name} == 0 -> {name} = 1 }};"),
        };
        self.line(&text);
        self.held[lock] = true;
    }

    fn release(&mut self, lock: usize) {
        self.line(&format!("{} = 0;", LOCKS[lock]));
        self.held[lock] = false;
    }

    fn statement(&mut self, depth: usize) {
        let value = self.rng.below(3);
        match self.rng.below(if depth > 0 { 16 } else { 11 }) {
            0 | 1 => {
                let lock = self.rng.below(2);
                // Now and then somebody gives back what is not theirs.
                let careless = self.careless && self.chance(3);
                if self.held[lock] || careless { self.release(lock) } else { self.acquire(lock) }
            }
            2..=4 => {
                let variable = self.variable();
                let text = match self.rng.below(3) {
                    0 => format!("{variable} = {value};"),
                    1 => format!("l = {variable};"),
                    _ => format!("{variable} = ({variable} + 1) % 3;"),
                };
                self.line(&text);
            }
            5 | 6 => {
                let variable = self.variable();
                self.line(&format!("assert({variable} != {value});"));
            }
            7 => self.line("l = (l + 1) % 2;"),
            8 => {
                let variable = self.variable();
                self.line(&format!("({variable} != {value});"));
            }
            9 => {
                let text = ["c!1;", "c?l;", "r!1;", "r?l;", "nempty(c);"][self.rng.below(5)];
                if self.chance(2) {
                    self.line(text);
                }
            }
            10 if self.chance(6) => {
                // Against the rules.
                let text = ["m0 = 0;", "m0 = 1;", "assert(m0 == 1);", "m1 != 0;"];
                let text = text[self.rng.below(4)];
                self.line(text);
            }
            10 => self.line("skip;"),
            11 => self.choice(depth),
            12 => self.repeat(depth),
            13 => {
                let before = self.held;
                self.line("atomic {");
                self.block(depth - 1);
                self.settle(before);
                self.line("};");
            }
            _ => {
                // A critical section.
                let lock = self.rng.below(2);
                if !self.held[lock] {
                    self.acquire(lock);
                    self.block(depth - 1);
                    if self.held[lock] && !self.chance(12) {
                        self.release(lock);
                    }
                }
            }
        }
    }

    fn block(&mut self, depth: usize) {
        self.indent += 1;
        self.line("skip;");
        for _ in 0..1 + self.rng.below(3) {
            self.statement(depth);
        }
        self.indent -= 1;
    }

    /// Gives back and takes what makes the locks those of another place, mostly.
    fn settle(&mut self, held: [bool; 2]) {
        for (lock, &held) in held.iter().enumerate() {
            if self.held[lock] != held {
                if held { self.acquire(lock) } else { self.release(lock) }
            }
        }
    }

    fn guard(&mut self) -> String {
        let variable = self.variable();
        let value = self.rng.below(2);
        match self.rng.below(4) {
            0 => "skip;".to_owned(),
            1 => "(l == 0);".to_owned(),
            2 => format!("({variable} == {value});"),
            _ => "(l != 0);".to_owned(),
        }
    }

    fn choice(&mut self, depth: usize) {
        let before = self.held;
        self.line("if");
        for _ in 0..1 + self.rng.below(2) {
            let guard = self.guard();
            self.line(&format!(":: {guard}"));
            self.block(depth - 1);
            self.settle(before);
        }
        if self.chance(2) {
            self.line(":: else");
        }
        self.line("fi;");
    }

    fn repeat(&mut self, depth: usize) {
        let before = self.held;
        self.line("do");
        let guard = self.guard();
        self.line(&format!(":: {guard}"));
        self.block(depth - 1);
        self.settle(before);
        if !self.chance(4) {
            self.line(":: break");
        }
        self.line("od;");
    }

    fn process(&mut self) {
        self.held = [false; 2];
        self.indent = 1;
        self.line("byte l;");
        for _ in 0..1 + self.rng.below(4) {
            self.statement(2);
        }
        self.indent = 0;
    }
}

fn random(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let careless = rng.below(4) == 0;
    let mut writer = Writer { rng, text: String::new(), held: [false; 2], careless, indent: 0 };
    writer.line("bit m0, m1; byte a0, b0, a1, f, g; byte own[5];");
    writer.line("chan c = [1] of { byte }; chan r = [0] of { byte };");
    let started = writer.chance(3);
    let kinds = 1 + writer.rng.below(3);
    for kind in 0..kinds {
        let several = if kinds == 1 { 2 } else { 1 };
        let active = if started { String::new() } else { format!("active [{several}] ") };
        writer.line(&format!("{active}proctype P{kind}() {{"));
        writer.process();
        writer.line("}");
    }
    if started {
        let runs: Vec<String> = (0..2).map(|i| format!("run P{}()", i % kinds)).collect();
        writer.line(&format!("init {{ atomic {{ {} }} }}", runs.join("; ")));
    }
    writer.text
}

fn count(all: u64) -> u64 {
    if std::env::var_os("EVERYPATH_ALL").is_some() { all } else { all / 10 }
}

#[test]
fn random_programs_with_locks_have_the_same_faults() {
    let mut sum = Sum::default();
    for seed in 0..count(4_000) {
        compare(&format!("seed {seed}"), &random(seed), 20_000, &mut sum);
    }
    println!("{sum:?}");
    assert!(sum.models as u64 > count(4_000) * 9 / 10, "{sum:?}");
    assert!(sum.failing > sum.models / 4 && sum.locking > sum.models / 4, "{sum:?}");
    assert!(sum.smaller > sum.models / 3 && sum.forced > 0, "{sum:?}");
}

#[test]
fn random_models_have_the_same_faults() {
    let mut sum = Sum::default();
    for seed in 0..count(2_000) {
        compare(&format!("seed {seed}"), &generate::model(seed).text, 20_000, &mut sum);
    }
    println!("{sum:?}");
    assert!(sum.models > 0 && sum.failing > 0, "{sum:?}");
}

/// The locks of a model, and what they protect.
fn locks(source: &str) -> (Vec<String>, Vec<String>) {
    let system = Transactional::new(interpreter(source)).expect("movers");
    (system.locks().to_vec(), system.protected().to_vec())
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn locks_are_recognised_by_how_they_are_used() {
    let program = |body: &str| {
        format!("bit lock; byte x; byte fork[2]; active [2] proctype P() {{ byte l; {body} }}")
    };
    let taken = "atomic { lock == 0 -> lock = 1 };";
    let simple = program(&format!("{taken} x++; lock = 0"));
    assert_eq!(locks(&simple), (strings(&["lock"]), strings(&["x"])));
    let mine = "d_step { lock == 0 -> lock = 1 }; assert(x == 0); lock = 0";
    assert_eq!(locks(&program(mine)), (strings(&["lock"]), strings(&[])));
    // Nobody writes x there: it is no variable at all.
    let elements = "atomic { !fork[_pid] -> fork[_pid] = 1 }; \
                    atomic { !fork[1 - _pid] -> fork[1 - _pid] = 1 }; x = 1; \
                    fork[_pid] = 0; fork[1 - _pid] = 0";
    assert_eq!(locks(&program(elements)), (strings(&["fork[0]", "fork[1]"]), strings(&["x"])));
    for none in [
        // Not in one step.
        "lock == 0 -> lock = 1; x++; lock = 0".to_owned(),
        // Given back by somebody who does not have it.
        format!("if :: {taken} x++ :: skip fi; lock = 0"),
        // Read by somebody who does not take it.
        format!("{taken} x++; assert(lock == 1); lock = 0"),
        format!("do :: {taken} x++; lock = 0 :: else od"),
        // The value written is the one waited for, or not known.
        "atomic { lock == 0 -> lock = 0 }; x++; lock = 0".to_owned(),
        "atomic { lock == 0 -> lock = l }; x++; lock = 0".to_owned(),
        // Never free.
        "atomic { lock == 1 -> lock = 0 }; x++; lock = 1".to_owned(),
    ] {
        assert_eq!(locks(&program(&none)).0, strings(&[]), "{none}");
    }
    // Touched once without it.
    let once = program(&format!("{taken} x++; lock = 0; l = x"));
    assert_eq!(locks(&once), (strings(&["lock"]), strings(&[])));
}

/// The programs that the search itself is tested with, as models: what the second process asserts
/// fails although the first one does not come to an end.
#[test]
fn committed_transactions_without_an_end_are_not_ignored() {
    let against_assertion = |first: &str| {
        format!(
            "byte g;
             active proctype T1() {{ g = 1; skip; {first} }}
             active proctype T2() {{ assert(g == 0) }}"
        )
    };
    let x3 = "bit m; byte x, y;
        active proctype T1() { atomic { m == 0 -> m = 1 }; y = 42; x = 1; m = 0; do :: skip od }
        active proctype T2() { atomic { m == 0 -> m = 1 }; assert(x == 0); m = 0 }
        active proctype T3() { y = 10 }
        active proctype T4() { y = 11 }";
    for (name, source, forced) in [
        ("X1", against_assertion("do :: skip; skip od"), true),
        ("X2", against_assertion("if :: do :: skip od :: skip fi"), false),
        ("X2a", against_assertion("false"), true),
        ("X8", against_assertion("if :: do :: skip od :: do :: skip; skip od fi"), true),
        ("X3", x3.to_owned(), true),
    ] {
        let mut sum = Sum::default();
        compare(name, &source, 1_000, &mut sum);
        assert_eq!((sum.models, sum.failing), (1, 1), "{name}");
        assert!(sum.after <= sum.before, "{name}: {sum:?}");
        assert_eq!(sum.forced > 0, forced, "{name}: {sum:?}");
    }
}
