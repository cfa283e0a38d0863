//! Reduced searches against full ones: the same deadlocks, the same faults, the same statements.

mod models;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everypath_conformance::agree::{machine, machine_with};
use everypath_conformance::reduction::{Found, Proviso, search};
use everypath_engine_jit::Jit;
use everypath_layer_optimise::{Observed, Pass, optimise};
use everypath_layer_reduce::{Method, Options, Reduced};
use everypath_machine::{Interpreter, Machine};
use everypath_model::{Extent, Step, Successors, TransitionSystem};
use everypath_testkit::generate;
use everypath_testkit::shrink::shrink;

const METHODS: [Method; 2] = [Method::Ample, Method::Stubborn];

fn reduced(machine: &Arc<Machine>, options: Options) -> Reduced<Interpreter> {
    Reduced::new(Interpreter::new(machine.clone()), options)
}

fn promela(source: &str) -> Arc<Machine> {
    let machine = machine(source, Path::new("m.pml"));
    Arc::new(machine.unwrap_or_else(|| panic!("refused:\n{source}")))
}

fn counts(found: &Found) -> (usize, u64, u64) {
    (found.states.len(), found.transitions, found.expanded)
}

/// The processes of a model, youngest first, since that is the order in which they are tried.
fn model(processes: &[&str]) -> Arc<Machine> {
    let mut text = String::from("byte unused;\n");
    for (i, body) in processes.iter().rev().enumerate() {
        text.push_str(&format!("active proctype p{i}() {{ byte x;\n{body}\nend: false }}\n"));
    }
    promela(&text)
}

const LINE_4: &str = "skip; skip; skip; skip;";
const LINE_2: &str = "skip; skip;";
const DIAMOND: &str = "if :: x = 0; x = 0 :: x = 0; x = 0 fi;";
const RING_3: &str = "do :: x = 0; x = 0; x = 0 od;";
const RING_2: &str = "do :: x = 0; x = 0 od;";

#[test]
fn provisos_on_independent_processes() {
    use Proviso::{Full, None, Queue, QueueLive, Stack, Visited};
    let diamonds = |n: usize| DIAMOND.repeat(n);
    let (two, three) = (diamonds(2), diamonds(3));
    type Expected = (Proviso, (usize, u64, u64));
    let cases: Vec<(Vec<&str>, Vec<Expected>)> = vec![
        (
            vec![LINE_4; 3],
            [None, Stack, Visited, Queue, QueueLive].map(|p| (p, (13, 12, 0))).to_vec(),
        ),
        (
            vec![DIAMOND; 3],
            vec![
                (Visited, (22, 55, 7)),
                (Queue, (10, 12, 0)),
                (QueueLive, (10, 12, 0)),
                (Stack, (10, 12, 0)),
            ],
        ),
        (
            vec![&two[..]; 3],
            vec![(Visited, (95, 274, 26)), (Queue, (19, 24, 0)), (Stack, (19, 24, 0))],
        ),
        (vec![&three[..]; 2], vec![(Visited, (55, 134, 15)), (Queue, (19, 24, 0))]),
        (
            vec![RING_3, LINE_2],
            vec![
                (Visited, (9, 12, 1)),
                (Queue, (9, 12, 1)),
                (QueueLive, (9, 12, 1)),
                (Stack, (9, 12, 1)),
                (None, (3, 3, 0)),
            ],
        ),
        (
            vec![RING_3; 3],
            vec![
                (Visited, (27, 42, 1)),
                (Queue, (27, 42, 1)),
                (QueueLive, (27, 42, 1)),
                (Stack, (27, 42, 1)),
                (None, (3, 3, 0)),
            ],
        ),
        (
            vec![RING_2, DIAMOND],
            vec![(Visited, (8, 15, 2)), (Queue, (8, 13, 1)), (Stack, (8, 13, 1))],
        ),
    ];
    let full = [(125, 300), (64, 192), (343, 1176), (100, 240), (9, 15), (27, 81), (8, 16)];
    for ((processes, expected), full) in cases.into_iter().zip(full) {
        let machine = model(&processes);
        let system = reduced(&machine, Options { method: Method::Ample, ..Options::default() });
        let all = search(&system, Full, 10_000);
        assert_eq!((all.states.len(), all.transitions), full, "{processes:?}");
        for (proviso, expected) in expected {
            let found = search(&system, proviso, 10_000);
            assert_eq!(counts(&found), expected, "{processes:?} with {proviso:?}");
        }
    }
}

/// Models that a reduction got wrong once.
const ONCE_WRONG: [&str; 4] = [
    // Who waits for a rendezvous is helped by somebody who comes to its other end.
    "byte b; bool ga[2];
    chan q0[2] = [2] of { int, int }; chan q1 = [0] of { bit };
    proctype P0(byte p00; byte p01) {
        q0[p01 % 2]!1 - (ga[1] != 0 -> len(q0[p01 % 2]) : _nr_pr) % 2, 1;
        q1!1
    }
    proctype P1() { ga[b % 2] / 4 -> }
    active proctype P2() provided (1) { q0[0]!1, ga[b % 2] }
    init { run P0(1, 1); run P1(); q1?_; ga[0] = 1 }",
    // A process with a provided clause ends after the younger ones only.
    "byte m; bool f;
    active D_proctype P0() { f = 1; assert(m == 0) }
    active proctype P1() provided (f == 0) { byte x; byte y = _pid }
    active proctype P2() { m = 0 }",
    // Whoever comes to where a rendezvous can be accepted takes an `else` away.
    "chan r = [0] of { byte };
    active proctype P0() { byte x; assert(1); r?0; x = 0 }
    active proctype P1() { byte x; if :: r!x :: else fi }",
    "chan r = [0] of { byte };
    active proctype P0() { byte x; assert(1); r?0; x = 0 }
    active proctype P1() { byte x; atomic { x = 0; if :: r!x :: else -> assert(0) fi } }",
];

#[test]
fn models_that_were_wrong_once() {
    check(ONCE_WRONG.iter().map(|text| (text.to_string(), (*promela(text)).clone())), 10_000);
}

/// Every attempt gives steps of the full list in its order, the same ones each time and with both
/// executors, and at last all of them.
fn attempts(machine: &Arc<Machine>, options: &Options) -> (usize, usize) {
    let system = reduced(machine, options.clone());
    let interpreter = Interpreter::new(machine.clone());
    let jit = Jit::new(interpreter.clone()).expect("compiles");
    let native = Reduced::new(jit, options.clone());
    let (mut ours, mut theirs) = (system.worker(), native.worker());
    let (mut all, mut out, mut again) = (Successors::new(), Successors::new(), Successors::new());
    let (mut parts, mut seen) = (0, HashSet::new());
    system.initial(&mut ours, &mut all).expect("initial");
    let target = |s: &Successors| {
        let targets = s.steps().iter().filter(|step| !step.fatal);
        targets.map(|step| s.target(step).to_vec()).collect::<Vec<_>>()
    };
    let steps = |s: &Successors| {
        let step = |step: &Step| (s.actions(step).to_vec(), s.target(step).to_vec(), step.fault);
        s.steps().iter().map(step).collect::<Vec<_>>()
    };
    let mut open = target(&all);
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        all.clear();
        system.successors(&mut ours, &state, &mut all).expect("steps");
        let full = steps(&all);
        for attempt in 0.. {
            out.clear();
            again.clear();
            let extent = system.reduced(&mut ours, &state, attempt, &mut out).expect("steps");
            let same = native.reduced(&mut theirs, &state, attempt, &mut again).expect("steps");
            let mut fresh = system.worker();
            let some = steps(&out);
            assert_eq!((extent, &some), (same, &steps(&again)), "native code");
            again.clear();
            let same = system.reduced(&mut fresh, &state, attempt, &mut again).expect("steps");
            assert_eq!((extent, &some), (same, &steps(&again)), "another worker");
            if extent == Extent::All {
                assert_eq!(some, full);
                break;
            }
            parts += 1;
            let mut rest = full.iter();
            assert!(some.iter().all(|step| rest.any(|other| other == step)), "in order");
            assert!(some.iter().any(|step| step.2.is_none()));
            assert!(attempt < 256);
        }
        open.extend(target(&all));
    }
    (seen.len(), parts)
}

#[test]
fn attempts_are_parts_of_all_steps() {
    let all = [Method::Ample, Method::Stubborn].into_iter().flat_map(|method| {
        [(false, false), (true, false), (false, true)].map(|(sticky, live)| Options {
            method,
            sticky,
            live,
            ..Options::default()
        })
    });
    for options in all {
        let mut sum = 0;
        for name in ["alternating-bit", "philosophers", "traffic-light", "interrupt"] {
            let path = format!("../../examples/promela/{name}.pml");
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
            let source = fs::read_to_string(&path).expect("readable");
            sum += attempts(&promela(&source), &options).1;
        }
        for seed in 0..10 {
            sum += attempts(&promela(&models::model(seed)), &options).1;
        }
        assert!(sum > 100, "{options:?}: {sum} parts");
    }
}

/// A system of the steps that the first attempt gives, for a look at them.
fn first_parts(source: &str, invariants: &[&str], options: Options) -> Vec<Vec<u32>> {
    let machine = machine_with(source, Path::new("m.pml"), invariants).expect("a model");
    let system = reduced(&Arc::new(machine), options);
    let mut worker = system.worker();
    let mut out = Successors::new();
    system.initial(&mut worker, &mut out).expect("initial");
    let state = out.target(&out.steps()[0]).to_vec();
    out.clear();
    let extent = system.reduced(&mut worker, &state, 0, &mut out).expect("steps");
    let processes = |step: &Step| out.actions(step).iter().map(|a| a.process).collect();
    let steps = out.steps().iter().map(processes).collect();
    if extent == Extent::All { Vec::new() } else { steps }
}

#[test]
fn visible_steps_are_not_left_out() {
    let source = "byte x, y;
        active proctype A() { x = 1; x = 2 }
        active proctype B() { y = 1; y = 2 }
        active proctype C() { byte z; z = 1 }";
    let part = |invariants: &[&str], options| first_parts(source, invariants, options);
    let usual = Options::default;
    assert_eq!(part(&[], usual()), [[2]], "the youngest alone");
    assert_eq!(part(&["x + y < 9"], usual()), [[2]], "what nobody sees comes first");
    let source = "byte x, y;
        active proctype C() { byte z; z == 1 }
        active proctype A() { x = 1; x = 2 }
        active proctype B() { y = 1; y = 2 }";
    let part = |invariants: &[&str], options| first_parts(source, invariants, options);
    assert_eq!(part(&[], usual()), [[2]]);
    assert_eq!(part(&["y < 9"], usual()), [[2]], "all that is seen is in B");
    let both: [[u32; 1]; 0] = [];
    assert_eq!(part(&["x + y < 9"], usual()), both, "all steps, so that the order is seen");
    let live = Options { live: true, ..Options::default() };
    assert_eq!(part(&["y < 9"], live), [[1]], "for endless runs no visible step is enough");
}

#[test]
fn sticky_steps_are_not_chosen() {
    let source = "active proctype A() { byte z; z = 1; z = 2 }
        active proctype B() { byte z; do :: z = 1 od }";
    assert_eq!(first_parts(source, &[], Options::default()), [[1]]);
    let sticky = Options { sticky: true, ..Options::default() };
    assert_eq!(first_parts(source, &[], sticky), [[0]]);
}

/// Each kind of knowledge makes a reduction that is not there without it.
#[test]
fn known_models_are_reduced() {
    // States left by ample and by stubborn sets; one more than there are steps in a row at best.
    let cases: [(&str, &str, [usize; 2]); 7] = [
        (
            "elements by number of the process",
            "byte a[3]; active [3] proctype P() { a[_pid] = 1; a[_pid] = 2; a[_pid] = 3 }",
            [13, 13],
        ),
        (
            "elements by parameter, once nobody can be made any more",
            "byte a[3]; proctype P(byte i) { a[i] = 1; a[i] = 2; a[i] = 3 }
            init { atomic { run P(0); run P(1); run P(2) } }",
            [87, 15],
        ),
        (
            "both ends of a channel",
            "chan c = [2] of { byte }; active proctype P() { c!1; c!2; c!3 }
            active proctype Q() { byte x; c?x; c?x; c?x }",
            [9, 9],
        ),
        (
            "what is never used again",
            "byte a, b; active proctype P() { b = 9; a = 1; a = 2; a = 3 }
            active proctype Q() { a = 9; b = 1; b = 2; b = 3 }",
            [60, 40],
        ),
        (
            "what lies behind a lock that is taken",
            "byte m = 1, a, k; active proctype P() { a = 1; a = 2; a = 3; m = 0 }
            active proctype Q() { k = 1; m == 0; a = 4 } active proctype R() { k = 2; k == 2 }",
            [66, 24],
        ),
        (
            "a rendezvous of two among four",
            "chan c = [0] of { byte }; chan d = [0] of { byte };
            active proctype P() { c!1; c!2 } active proctype Q() { byte x; c?x; c?x }
            active proctype R() { d!1; d!2 } active proctype S() { byte x; d?x; d?x }",
            [17, 9],
        ),
        (
            "a timeout of another",
            "byte g, h; active proctype P() { g = 1; g = 2; g = 3 }
            active proctype R() { h = 1; h = 2; h = 3 } active proctype Q() { timeout; g = h }",
            [21, 12],
        ),
    ];
    for (name, source, expected) in cases {
        let machine = promela(source);
        let counts = METHODS.map(|method| {
            let system = reduced(&machine, Options { method, ..Options::default() });
            search(&system, Proviso::Queue, 10_000).states.len()
        });
        assert_eq!(counts, expected, "{name}");
        check(std::iter::once((name.to_owned(), (*machine).clone())), 10_000);
    }
}

/// What a reduced search gets wrong about a model.
fn complaints(machine: Machine, most: usize, sums: &mut Sums) -> Vec<String> {
    let machine = Arc::new(machine);
    let interpreter = Interpreter::new(machine.clone());
    let full = search(&interpreter, Proviso::Full, most);
    if full.incomplete {
        return Vec::new();
    }
    // What is carried along but not compared depends on the order of the search.
    let carried = machine.hidden_words > 0;
    let mut wrong = Vec::new();
    for method in METHODS {
        for sticky in [false, true] {
            let options = Options { method, sticky, ..Options::default() };
            let system = reduced(&machine, options);
            let provisos: &[Proviso] = if sticky {
                &[Proviso::None]
            } else {
                use Proviso::{None, Queue, QueueLive, Stack, Visited};
                &[None, Stack, Queue, Visited, QueueLive]
            };
            for &proviso in provisos {
                let found = search(&system, proviso, most);
                let mut complain = |what: String| {
                    wrong.push(format!("{method:?} {proviso:?} sticky {sticky}: {what}"));
                };
                if carried {
                    continue;
                }
                if !found.states.is_subset(&full.states) {
                    complain("states that no full search has".to_owned());
                }
                if found.deadlocks != full.deadlocks {
                    let (a, b) = (found.deadlocks.len(), full.deadlocks.len());
                    complain(format!("{a} deadlocks of {b}"));
                }
                if proviso == Proviso::None && !sticky {
                    continue;
                }
                if found.faults != full.faults {
                    complain(format!("faults {:?} of {:?}", found.faults, full.faults));
                }
                if found.executed != full.executed {
                    let missing = full.executed.difference(&found.executed);
                    complain(format!("{:?} never executed", missing.collect::<Vec<_>>()));
                }
                if found.invariants != full.invariants {
                    complain(format!("invariants {:?} of {:?}", found.invariants, full.invariants));
                }
                if proviso == Proviso::Queue {
                    sums.add(method, full.states.len(), found.states.len());
                }
            }
        }
    }
    if !carried {
        wrong.extend(default_complaints(&machine, &full, most));
    }
    wrong
}

/// What a search gets wrong with all reductions that `check` uses without being asked.
fn default_complaints(machine: &Machine, full: &Found, most: usize) -> Vec<String> {
    let smaller = Arc::new(optimise(machine, &Pass::ALL, &Observed::default()));
    let system = reduced(&smaller, Options::default());
    let mut wrong = Vec::new();
    for proviso in [Proviso::Queue, Proviso::Stack] {
        let found = search(&system, proviso, most);
        let mut complain = |what: String| wrong.push(format!("all, {proviso:?}: {what}"));
        if found.deadlocks.is_empty() != full.deadlocks.is_empty() {
            complain(format!("{} deadlocks of {}", found.deadlocks.len(), full.deadlocks.len()));
        }
        if found.faults != full.faults {
            complain(format!("faults {:?} of {:?}", found.faults, full.faults));
        }
        if found.executed != full.executed {
            let missing = full.executed.difference(&found.executed);
            complain(format!("{:?} never executed", missing.collect::<Vec<_>>()));
        }
        if found.invariants != full.invariants {
            complain(format!("invariants {:?} of {:?}", found.invariants, full.invariants));
        }
    }
    wrong
}

/// How much the reductions do.
#[derive(Debug, Default)]
struct Sums {
    models: usize,
    smaller: [usize; 2],
    full: [usize; 2],
    reduced: [usize; 2],
}

impl Sums {
    fn add(&mut self, method: Method, full: usize, reduced: usize) {
        let i = usize::from(method == Method::Stubborn);
        self.models += 1 - i;
        self.smaller[i] += usize::from(reduced < full);
        self.full[i] += full;
        self.reduced[i] += reduced;
    }
}

fn check(models: impl Iterator<Item = (String, Machine)>, most: usize) -> Sums {
    let mut sums = Sums::default();
    let mut wrong = Vec::new();
    for (name, machine) in models {
        for what in complaints(machine, most, &mut sums) {
            wrong.push(format!("{name}: {what}"));
        }
    }
    println!("{sums:?}");
    let shown = wrong.len().min(20);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..shown].join("\n"));
    sums
}

/// A tenth of the random models, unless all are wanted, or a single one.
fn seeds(all: u64) -> std::ops::Range<u64> {
    if let Some(seed) = std::env::var("EVERYPATH_SEED").ok().and_then(|seed| seed.parse().ok()) {
        return seed..seed + 1;
    }
    let count = if std::env::var_os("EVERYPATH_ALL").is_some() { all } else { all / 10 };
    0..count
}

/// Models from seeds; the first that differs is made as small as can be.
fn random(
    seeds: impl Iterator<Item = u64>,
    text: impl Fn(u64) -> String,
    invariants: &[&str],
    most: usize,
) -> Sums {
    let mut sums = Sums::default();
    for seed in seeds {
        let text = text(seed);
        let wrong = |text: &str, sums: &mut Sums| {
            let machine = machine_with(text, Path::new("m.pml"), invariants);
            machine.map_or(Vec::new(), |machine| complaints(machine, most, sums))
        };
        let first = wrong(&text, &mut sums);
        if !first.is_empty() {
            let mut unused = Sums::default();
            let small = shrink(&text, 2_000, |text| !wrong(text, &mut unused).is_empty());
            let now = wrong(&small, &mut unused);
            panic!("seed {seed}: {}\nas small as can be: {}\n{small}", first[0], now[0]);
        }
    }
    println!("{sums:?}");
    sums
}

#[test]
fn random_models() {
    let sums = random(seeds(4_500), |seed| generate::model(seed).text, &[], 3_000);
    assert!(sums.smaller[0] * 4 > sums.models, "ample sets reduce something: {sums:?}");
    assert!(sums.smaller[1] * 2 > sums.models, "stubborn sets reduce more: {sums:?}");
}

#[test]
fn random_models_with_much_independence() {
    let sums = random(seeds(10_000), models::model, &[], 3_000);
    assert!(sums.smaller[1] * 2 > sums.models, "{sums:?}");
}

#[test]
fn random_models_with_invariants() {
    let invariants = ["g + h < 2", "a[1] == 0 || m == 0", "len(d) < 2", "_nr_pr < 4", "!P0@L"];
    let sums = random(seeds(5_000), models::model, &invariants, 3_000);
    assert!(sums.smaller[1] * 4 > sums.models, "{sums:?}");
}

fn files(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(dir);
    let mut files: Vec<PathBuf> =
        fs::read_dir(&dir).expect("readable").flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "pml"));
    files.sort();
    assert!(!files.is_empty(), "no models in {}", dir.display());
    files
}

fn machines(dir: &str) -> impl Iterator<Item = (String, Machine)> {
    files(dir).into_iter().filter_map(|path| {
        let source = String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
        Some((path.display().to_string(), machine(&source, &path)?))
    })
}

#[test]
fn annotated_models_and_examples() {
    check(machines("tests/models/promela"), 20_000);
    let sums = check(machines("examples/promela"), 20_000);
    assert!(sums.reduced[1] * 2 < sums.full[1], "{sums:?}");
}
