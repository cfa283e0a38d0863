//! A search that remembers what processes did finds what one finds that asks for every step: on the
//! models of the tests and the examples, and on random ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everypath_conformance::agree::machine;
use everypath_engine_explicit::{
    Control, Limits, Observer, Options, Order, Outcome, Progress, Sequence, Storage, search,
};
use everypath_engine_jit::Jit;
use everypath_machine::{Interpreter, Machine};
use everypath_model::{Describe, End, Fault, ModelError, Successors, TransitionSystem};
use everypath_testkit::generate;

/// A system that says nothing of its parts.
struct Whole(Interpreter);

impl TransitionSystem for Whole {
    type Worker = <Interpreter as TransitionSystem>::Worker;

    fn worker(&self) -> Self::Worker {
        self.0.worker()
    }

    fn initial(&self, worker: &mut Self::Worker, out: &mut Successors) -> Result<(), ModelError> {
        self.0.initial(worker, out)
    }

    fn successors(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.0.successors(worker, state, out)
    }

    fn end(&self, worker: &mut Self::Worker, state: &[u32]) -> End {
        self.0.end(worker, state)
    }

    fn invariant_count(&self) -> usize {
        self.0.invariant_count()
    }

    fn violated_invariant(
        &self,
        worker: &mut Self::Worker,
        state: &[u32],
        index: usize,
    ) -> Result<Option<Fault>, ModelError> {
        self.0.violated_invariant(worker, state, index)
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        self.0.components(state, ends);
    }

    fn carried(&self) -> usize {
        self.0.carried()
    }
}

struct Quiet;

impl Observer for Quiet {
    fn progress(&mut self, _: &Progress) -> Control {
        Control::Continue
    }
}

/// What must not depend on how the search is done.
fn facts(outcome: &Outcome, order: Order, carried: usize) -> String {
    let stats = &outcome.stats;
    let mut kinds: Vec<_> = outcome
        .violations
        .iter()
        .map(|v| (v.kind, v.occurrences, if order == Order::Breadth { v.depth } else { 0 }))
        .collect();
    kinds.sort();
    // What is carried along is that of one state of several.
    let mut states: Vec<&[u32]> = outcome.states.iter().map(|state| &state[carried..]).collect();
    states.sort();
    format!(
        "{:?} {} states {} transitions {} errors, left out {:?}, {kinds:?}, {:?}, depth {}\n{states:?}",
        outcome.stopped,
        stats.states,
        stats.transitions,
        outcome.errors,
        outcome.left_out.map(|left| left.states),
        outcome.coverage.iter().collect::<Vec<_>>(),
        if order == Order::Breadth { stats.depth } else { 0 },
    )
}

fn same(found: &str, expected: &str, what: &str) {
    if let Some(at) = found.bytes().zip(expected.bytes()).position(|(a, b)| a != b) {
        let from = at.saturating_sub(200);
        let part = |text: &str| text.get(from..(at + 200).min(text.len())).unwrap_or("").to_owned();
        panic!("{what}: at {at}:\n{}\n{}", part(found), part(expected));
    }
    assert_eq!(found.len(), expected.len(), "{what}");
}

fn replays<S: TransitionSystem>(
    name: &str,
    system: &S,
    reference: &Interpreter,
    outcome: &Outcome,
) -> usize {
    for violation in &outcome.violations {
        let path = outcome.path(system, violation).unwrap_or_else(|e| panic!("{name}: {}", e.0));
        assert_eq!(path.len() as u64, violation.depth, "{name}");
        let replayed = reference.replay(&path.initial, &path.actions);
        assert!(replayed.is_ok(), "{name}: {replayed:?}");
    }
    outcome.violations.len()
}

#[derive(Debug, Default)]
struct Sum {
    models: usize,
    divided: usize,
    replayed: usize,
}

/// Stores that omit nothing of so few states, or one in many billions.
const LOSSY: [Storage; 2] = [
    Storage::Bitstate { functions: 4, sequence: Sequence::Paired, bytes: 4 << 20, seed: 3 },
    Storage::Compact { bits: 64, bytes: 1 << 20, seed: 5 },
];

fn check(name: &str, machine: Machine, most: u64, sum: &mut Sum) {
    let interpreter = Interpreter::new(Arc::new(machine));
    let whole = Whole(interpreter.clone());
    let limits = Limits { states: Some(most), ..Limits::default() };
    let plain = Options {
        limits,
        store: Storage::Plain,
        collect: true,
        after_violation: everypath_engine_explicit::AfterViolation::Continue,
        ..Options::default()
    };
    let twin = search(&whole, &plain, &mut Quiet);
    if twin.stats.states >= most {
        return;
    }
    sum.models += 1;
    sum.divided += usize::from(interpreter.parts().is_some());
    let carried = interpreter.carried();
    let jit = Jit::new(interpreter.clone());
    for order in [Order::Breadth, Order::Depth] {
        let expected = facts(&twin, order, carried);
        for threads in [1, 2] {
            if threads > 1 && (order == Order::Depth || twin.stats.states < 500) {
                continue;
            }
            for store in [Storage::Collapse, Storage::Delta { every: 3 }] {
                let options = Options { order, threads, store, ..plain };
                let found = search(&interpreter, &options, &mut Quiet);
                let what = format!("{name}, {order:?}, {threads} threads, {store:?}");
                same(&facts(&found, order, carried), &expected, &what);
                sum.replayed += replays(&what, &interpreter, &interpreter, &found);
            }
            if let Ok(jit) = &jit {
                let options = Options { order, threads, store: Storage::Collapse, ..plain };
                let found = search(jit, &options, &mut Quiet);
                same(
                    &facts(&found, order, carried),
                    &expected,
                    &format!("{name}, native, {order:?}"),
                );
                sum.replayed += replays(name, jit, &interpreter, &found);
            }
            for store in LOSSY {
                let options = Options { order, threads, store, ..plain };
                let found = search(&interpreter, &options, &mut Quiet);
                let what = format!("{name}, {order:?}, {threads} threads, {store:?}");
                let counts = |o: &Outcome| (o.stats.states, o.stats.transitions, o.errors);
                assert_eq!(counts(&found), counts(&twin), "{what}");
                sum.replayed += replays(&what, &interpreter, &interpreter, &found);
            }
        }
    }
}

fn check_files(dir: &str, most: u64) -> Sum {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(dir);
    let mut files: Vec<PathBuf> =
        fs::read_dir(&dir).expect("readable").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "pml"));
    files.sort();
    let mut sum = Sum::default();
    for path in files {
        let source = String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
        if let Some(machine) = machine(&source, &path) {
            check(&path.display().to_string(), machine, most, &mut sum);
        }
    }
    sum
}

#[test]
fn on_annotated_models() {
    let sum = check_files("tests/models/promela", 3_000);
    assert!(sum.models > 150 && sum.divided > 100 && sum.replayed > 150, "{sum:?}");
}

#[test]
fn on_examples() {
    let sum = check_files("examples/promela", 10_000);
    assert!(sum.models > 12 && sum.divided > 10, "{sum:?}");
}

/// Every step changes all of an array, so that no part of it repeats.
#[test]
fn on_an_array_without_structure() {
    let source = "
        int cell[8]; byte round;
        inline mix(factor, distance) {
            d_step {
                for (i : 0 .. 7) {
                    cell[i] = (cell[i] * factor + cell[(i + distance) % 8] + round + i + 1) & 1048575
                };
                i = 0; round++
            }
        }
        active proctype Mixer() {
            byte i;
            do
            :: round < 9 -> mix(1597, 1)
            :: round < 9 -> mix(1021, 5)
            :: round == 9 -> break
            od;
            assert(cell[0] > 7)
        }
        active proctype Other() { bool on; do :: on = !on od }";
    let machine = machine(source, Path::new("m.pml")).expect("a machine");
    let mut sum = Sum::default();
    check("mixer", machine, 10_000, &mut sum);
    assert!(sum.models == 1 && sum.divided == 1, "{sum:?}");
}

/// What a process receives inside of the sequence of another, it uses in the same step.
#[test]
fn on_an_offer_that_comes_back() {
    let source = "
        chan ask = [0] of { byte }; chan answer = [0] of { byte };
        byte table[6], n, other[6];
        active proctype Asker() {
            byte i, r;
            do
            :: n < 3 -> ask!i;
               atomic { answer?r; i = r; table[i] = table[i] + other[r]; n++ }
            :: n >= 3 -> break
            od
        }
        active [2] proctype Oracle() {
            byte q;
            end: do :: atomic { ask?q; q = (q + 1 + _pid) % 6; answer!q } od
        }
        active proctype Other() { byte k; do :: k < 6 -> other[k] = 1; k++ :: else -> break od }";
    let machine = machine(source, Path::new("m.pml")).expect("a machine");
    let mut sum = Sum::default();
    check("an offer that comes back", machine, 10_000, &mut sum);
    assert!(sum.models == 1 && sum.divided == 1, "{sum:?}");
}

/// More components than the store tells apart, and than its keys have bits for: the arrangement
/// changes while the steps of one state are stored.
#[test]
fn on_many_processes() {
    let source = "
        byte n;
        active [100] proctype P() { int x; atomic { n < 2 -> n++; x = _pid * 7 + n }; false }";
    let machine = machine(source, Path::new("m.pml")).expect("a machine");
    let mut sum = Sum::default();
    check("many processes", machine, 50_000, &mut sum);
    assert!(sum.models == 1 && sum.divided == 0, "{sum:?}");
}

/// Of more and more processes the last ones have no part of their own.
#[test]
fn on_more_and_more_processes() {
    let source = "
        byte n, k;
        proctype P() { int x; atomic { k < 1 -> k++; x = _pid * 7 }; false }
        init { do :: n < 90 -> n++; run P() :: break od }";
    let machine = machine(source, Path::new("m.pml")).expect("a machine");
    let mut sum = Sum::default();
    check("more and more processes", machine, 50_000, &mut sum);
    assert!(sum.models == 1 && sum.divided == 1, "{sum:?}");
}

/// States that have hardly anything in common: the search begins anew in another way, and again.
#[test]
fn on_states_without_anything_in_common() {
    let source = "
        int a[40]; short n;
        active proctype P() {
            byte i;
            do
            :: n < 3000 -> d_step {
                   n++;
                   for (i : 0 .. 39) { a[i] = a[i] * 1664525 + n * 40503 + i * i + 7 };
                   i = 0
               }
            :: n >= 3000 -> break
            od
        }
        active proctype Q() { byte k; do :: k < 2 -> k++ :: else -> break od }";
    let machine = machine(source, Path::new("m.pml")).expect("a machine");
    let mut sum = Sum::default();
    check("nothing in common", machine, 200_000, &mut sum);
    assert!(sum.models == 1 && sum.divided == 1, "{sum:?}");
}

/// Stacks between which everybody moves what lies on top: everybody looks at all of them, but each of
/// them has few contents. Cut between them, they need little memory.
#[test]
fn on_stacks() {
    let source = "
        #define N 11
        typedef Stack { byte item[N]; byte high };
        Stack stack[3];
        init {
            byte i;
            atomic {
                for (i : 0 .. N - 1) { stack[0].item[i] = N - i };
                stack[0].high = N;
                run Crane(0, 1); run Crane(1, 2); run Crane(2, 0);
                run Crane(1, 0); run Crane(2, 1); run Crane(0, 2)
            }
        }
        proctype Crane(byte from, to) {
            do
            :: d_step {
                   stack[from].high > 0 && (stack[to].high == 0 ||
                       stack[from].item[stack[from].high - 1] < stack[to].item[stack[to].high - 1]) ->
                   stack[from].high--;
                   stack[to].item[stack[to].high] = stack[from].item[stack[from].high];
                   stack[from].item[stack[from].high] = 0;
                   stack[to].high++
               }
            od
        }";
    let machine = machine(source, Path::new("m.pml")).expect("a machine");
    let interpreter = Interpreter::new(Arc::new(machine));
    let plain = Options { store: Storage::Plain, ..Options::default() };
    let twin = search(&Whole(interpreter.clone()), &plain, &mut Quiet);
    for threads in [1, 2] {
        let options = Options { threads, ..Options::default() };
        let found = search(&interpreter, &options, &mut Quiet);
        let (states, bytes) = (found.stats.states, found.stats.bytes);
        same(&facts(&found, Order::Breadth, 0), &facts(&twin, Order::Breadth, 0), "stacks");
        assert!(bytes.table + bytes.arena < 14 * states, "{states} states: {bytes:?}");
    }
}

/// All random cases, or a tenth of them.
fn share(all: u64) -> u64 {
    if std::env::var_os("EVERYPATH_ALL").is_some() { all } else { all / 10 }
}

#[test]
fn on_random_models() {
    let count = share(4_000);
    let mut sum = Sum::default();
    for seed in 1..=count {
        for (kind, text) in
            [generate::model(seed).text, generate::private_model(seed)].iter().enumerate()
        {
            if let Some(machine) = machine(text, Path::new("m.pml")) {
                check(&format!("seed {seed} of kind {kind}"), machine, 2_000, &mut sum);
            }
        }
    }
    assert!(sum.models as u64 > count && sum.divided as u64 > count / 2, "{sum:?}");
}
