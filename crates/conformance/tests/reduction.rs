//! Reduced searches against full ones: the same deadlocks, the same faults, the same statements.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everypath_conformance::agree::machine;
use everypath_conformance::reduction::{Found, Proviso, search};
use everypath_layer_reduce::{Method, Options, Reduced};
use everypath_machine::{Interpreter, Machine};
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
fn random(seeds: impl Iterator<Item = u64>, text: impl Fn(u64) -> String, most: usize) -> Sums {
    let mut sums = Sums::default();
    for seed in seeds {
        let text = text(seed);
        let wrong = |text: &str, sums: &mut Sums| {
            let machine = machine(text, Path::new("m.pml"));
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
    let sums = random(seeds(4_500), |seed| generate::model(seed).text, 3_000);
    assert!(sums.smaller[0] * 4 > sums.models, "ample sets reduce something: {sums:?}");
    assert!(sums.smaller[1] * 2 > sums.models, "stubborn sets reduce more: {sums:?}");
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
