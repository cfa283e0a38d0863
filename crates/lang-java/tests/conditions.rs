//! What conditions see of a program is the same with every reduction and with every instruction as a step: each run
//! of the one has a run of the other on which the conditions become true and false in the same order.

mod support;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use everypath_lang_java::{Asked, Jdk, Options, Program, Reductions};
use everypath_model::{Rng, Successors, TransitionSystem};
use support::{Tools, parallel, scratch};

/// Random programs of each test; with `EVERYPATH_ALL` all tests are run, else the first one.
const RANDOM_PROGRAMS: u64 = 16;

/// The most states that are looked at.
const MOST: usize = 60_000;
/// The most pairs of sets of states that are compared.
const MOST_PAIRS: usize = 3_000;

const WAYS: [(&str, Reductions); 3] = [
    ("local", Reductions::LOCAL),
    ("local, constant, locks", Reductions { library: false, ..Reductions::ALL }),
    ("all", Reductions::ALL),
];

/// The states of a program with their letters.
#[derive(Default)]
struct Graph {
    letters: Vec<u64>,
    next: Vec<Vec<usize>>,
}

fn load(
    classes: &Path,
    name: &str,
    reductions: Reductions,
    propositions: &[String],
    every_instruction: bool,
) -> Program {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let jdk = Jdk::find().expect("a JDK");
    let mut program = Program::load(&jdk, &Options { reductions, ..options })
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let propositions = propositions.to_vec();
    let asked = Asked { propositions, every_instruction, ..Asked::default() };
    program.ask(&asked).unwrap_or_else(|error| panic!("{name}: {error}"));
    program
}

/// All states; `None` if there are too many, or some runs are not followed.
fn graph(program: &Program) -> Option<Graph> {
    'again: loop {
        let (mut worker, mut out) = (program.worker(), Successors::new());
        program.initial(&mut worker, &mut out).expect("a first state");
        let mut states: Vec<Vec<u32>> =
            out.steps().iter().map(|step| out.target(step).to_vec()).collect();
        let mut known: HashMap<Vec<u32>, usize> =
            states.iter().cloned().enumerate().map(|(number, state)| (state, number)).collect();
        let mut graph = Graph::default();
        let mut done = 0;
        while done < states.len() {
            let state = states[done].clone();
            done += 1;
            out.clear();
            let found = program.letter(&mut worker, &state).and_then(|letter| {
                program.successors(&mut worker, &state, &mut out)?;
                Ok(letter)
            });
            match found {
                Ok(letter) => graph.letters.push(letter),
                Err(error) => {
                    assert!(program.assume_less(), "{}", error.0);
                    continue 'again;
                }
            }
            if out.incomplete.is_some() {
                return None;
            }
            let mut next = Vec::new();
            for step in out.steps().iter().filter(|step| !step.fatal) {
                let target = out.target(step).to_vec();
                let number = *known.entry(target.clone()).or_insert_with(|| {
                    states.push(target);
                    states.len() - 1
                });
                next.push(number);
            }
            if states.len() > MOST {
                return None;
            }
            graph.next.push(next);
        }
        return Some(graph);
    }
}

impl Graph {
    /// The states that are reached without a change of the letter.
    fn closure(&self, states: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut open: Vec<usize> = states.into_iter().collect();
        let mut known: BTreeSet<usize> = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            for &next in &self.next[state] {
                if self.letters[next] == self.letters[state] && known.insert(next) {
                    open.push(next);
                }
            }
        }
        known.into_iter().collect()
    }

    /// The states from which a run may stay for ever without a change: it ends, or goes around in circles.
    fn staying(&self) -> Vec<bool> {
        // What is left when states without a step to one that is left are taken away again and again has cycles.
        let count = self.letters.len();
        let same = |state: usize| {
            let letter = self.letters[state];
            self.next[state].iter().copied().filter(move |&next| self.letters[next] == letter)
        };
        let mut degree: Vec<usize> = (0..count).map(|state| same(state).count()).collect();
        let mut before = vec![Vec::new(); count];
        for state in 0..count {
            same(state).for_each(|next| before[next].push(state));
        }
        let ends: Vec<bool> = (0..count).map(|state| self.next[state].is_empty()).collect();
        let mut open: Vec<usize> =
            (0..count).filter(|&state| degree[state] == 0 && !ends[state]).collect();
        let mut stays = vec![true; count];
        while let Some(state) = open.pop() {
            stays[state] = false;
            for &earlier in &before[state] {
                degree[earlier] -= 1;
                if degree[earlier] == 0 {
                    open.push(earlier);
                }
            }
        }
        stays
    }

    /// The sets of states behind the next change, by the letter that follows.
    fn changes(&self, states: &[usize]) -> BTreeMap<u64, Vec<usize>> {
        let mut found: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
        for &state in states {
            for &next in &self.next[state] {
                if self.letters[next] != self.letters[state] {
                    found.entry(self.letters[next]).or_default().insert(next);
                }
            }
        }
        found.into_iter().map(|(letter, states)| (letter, self.closure(states))).collect()
    }
}

/// How the sequences of letters of two graphs differ, if they do; `Err` if that is too much to find out.
fn difference(one: &Graph, two: &Graph) -> Result<Option<String>, ()> {
    let (stays_one, stays_two) = (one.staying(), two.staying());
    let start = (one.closure([0]), two.closure([0]), format!("{:b}", one.letters[0]));
    if one.letters[0] != two.letters[0] {
        return Ok(Some("they begin with different letters".to_owned()));
    }
    let mut known = HashSet::from([(start.0.clone(), start.1.clone())]);
    let mut open = vec![start];
    while let Some((left, right, word)) = open.pop() {
        let ends = [
            left.iter().any(|&state| stays_one[state]),
            right.iter().any(|&state| stays_two[state]),
        ];
        if ends[0] != ends[1] {
            return Ok(Some(format!("{word} can be the end: {ends:?}")));
        }
        let (of_left, of_right) = (one.changes(&left), two.changes(&right));
        let letters: [Vec<u64>; 2] =
            [of_left.keys().copied().collect(), of_right.keys().copied().collect()];
        if letters[0] != letters[1] {
            return Ok(Some(format!("{word} goes on with {letters:?}")));
        }
        for ((letter, left), right) in of_left.into_iter().zip(of_right.into_values()) {
            if known.insert((left.clone(), right.clone())) {
                if known.len() > MOST_PAIRS {
                    return Err(());
                }
                open.push((left, right, format!("{word} {letter:b}")));
            }
        }
    }
    Ok(None)
}

/// A program of two threads in which much changes for a moment only. The same seed gives the same program.
fn program(name: &str, seed: u64) -> String {
    let mut random = Rng::new(seed ^ 0xc0d1);
    let mut text = HEAD.replace("NAME", name);
    for thread in 0..2 {
        text += &format!("    static void work{thread}() {{\n");
        for _ in 0..random.range(1, 2) {
            statement(&mut random, &mut text, 1);
        }
        text += "    }\n";
    }
    text += "    public static void main(String[] args) {\n";
    if random.chance(40) {
        statement(&mut random, &mut text, 1);
    }
    text += &format!("        new Thread({name}::work0).start();\n        work1();\n    }}\n}}\n");
    text
}

const HEAD: &str = "import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

class NAME {
    static int p, q;
    static volatile int v;
    static final Object L = new Object();
    static final ReentrantLock Q = new ReentrantLock();
    static final AtomicInteger n = new AtomicInteger();
    static final int[] items = new int[2];
    static Box box = new Box(1);

    static class Box {
        int x;
        Box(int x) { this.x = x; }
        synchronized void add() { x++; }
    }
    static void step() { p = 1 - p; }
    static synchronized void lockedStep() { q = 1 - q; }
    static void risky(int k) { p = k; if (k > 1) throw new IllegalStateException(); }
";

fn statement(random: &mut Rng, text: &mut String, depth: u32) {
    let number = random.below(3);
    let body = |random: &mut Rng| {
        let mut text = String::new();
        for _ in 0..random.range(2, 3) {
            statement(random, &mut text, depth - 1);
        }
        text
    };
    *text += &match random.below(if depth > 0 { 15 } else { 11 }) {
        0 => format!("p = {number};\n"),
        1 => format!("q = {number};\n"),
        2 => format!("v = {number};\n"),
        3 => "step();\n".to_owned(),
        4 => "lockedStep();\n".to_owned(),
        5 => format!("box.x = {number};\n"),
        6 => format!("box = new Box({number});\n"),
        7 => format!("items[0] = {number};\n"),
        8 => format!("n.set({number});\n"),
        9 => format!("try {{ risky({number}); }} catch (IllegalStateException e) {{ q = 2; }}\n"),
        10 => "box.add();\n".to_owned(),
        11 | 12 => format!("synchronized (L) {{ {} }}\n", body(random)),
        13 => format!("Q.lock(); try {{ {} }} finally {{ Q.unlock(); }}\n", body(random)),
        _ => format!("if (v == {number}) {{ {} }}\n", body(random)),
    };
}

/// Conditions of all kinds on a random program.
fn propositions(name: &str, seed: u64) -> Vec<String> {
    let all = [
        "p > 0".to_owned(),
        "v == 1".to_owned(),
        "p + q >= 2".to_owned(),
        "held(L)".to_owned(),
        "held(Q)".to_owned(),
        "box.x > 1".to_owned(),
        "n == 2".to_owned(),
        "items[0] != 0".to_owned(),
        format!("in({name}.step)"),
        format!("in({name}.risky, Thread-0)"),
        "alive(Thread-0)".to_owned(),
        format!("q == 1 && !held({name}.class)"),
        format!("in({name}$Box.add)"),
    ];
    let first = seed as usize % all.len();
    let second = (first + 1 + seed as usize / all.len() % (all.len() - 1)) % all.len();
    vec![all[first].clone(), all[second].clone()]
}

fn compare_random(seeds: std::ops::Range<u64>) {
    if seeds.start > 0 && std::env::var_os("EVERYPATH_ALL").is_none() {
        return;
    }
    let Some(tools) = Tools::find() else { return };
    let folder = scratch(&format!("conditions{}", seeds.start));
    let classes = folder.join("classes");
    std::fs::create_dir_all(&folder).expect("a folder");
    let names: Vec<(String, u64)> =
        seeds.clone().map(|seed| (format!("Random{seed}"), seed)).collect();
    let sources: Vec<PathBuf> = names
        .iter()
        .map(|(name, seed)| {
            let source = folder.join(format!("{name}.java"));
            std::fs::write(&source, program(name, *seed)).expect("a source");
            source
        })
        .collect();
    tools.compile(&sources, &classes, &[]);
    let compared: Vec<usize> = parallel(&names, |(name, seed)| {
        let asked = propositions(name, *seed);
        let Some(whole) = graph(&load(&classes, name, Reductions::LOCAL, &asked, true)) else {
            return 0;
        };
        let mut compared = 0;
        for (what, reductions) in WAYS {
            let smaller = graph(&load(&classes, name, reductions, &asked, false));
            let smaller = smaller.unwrap_or_else(|| panic!("{name}, {what}: more than without"));
            match difference(&whole, &smaller) {
                Ok(None) => compared += 1,
                Ok(Some(what_differs)) => panic!("{name}, {what}, {asked:?}: {what_differs}"),
                Err(()) => {}
            }
        }
        compared
    });
    let all: usize = compared.iter().sum();
    let least = names.len();
    assert!(all >= least, "only {all} comparisons of {} programs", names.len());
}

#[test]
fn conditions_see_the_same_with_reductions_0() {
    compare_random(0..RANDOM_PROGRAMS);
}

#[test]
fn conditions_see_the_same_with_reductions_1() {
    compare_random(1000..1000 + 4 * RANDOM_PROGRAMS);
}

#[test]
fn conditions_see_the_same_with_reductions_2() {
    compare_random(2000..2000 + 4 * RANDOM_PROGRAMS);
}

/// How often `set` is called in the only run of a program, with and without reductions.
fn calls_of_set(name: &str, body: &str) -> Option<Vec<usize>> {
    let tools = Tools::find()?;
    let text =
        format!("import java.util.concurrent.atomic.*;\n\npublic class {name} {{\n{body}\n}}\n");
    let classes = scratch(name);
    let sources = scratch(&format!("{name}-sources"));
    std::fs::create_dir_all(&sources).expect("directory");
    let source = sources.join(format!("{name}.java"));
    std::fs::write(&source, text).expect("source");
    tools.compile(&[source], &classes, &[]);
    let count = |reductions| {
        let options = Options::new(vec![classes.clone()], name);
        let jdk = Jdk::find().expect("a JDK");
        let mut program =
            Program::load(&jdk, &Options { reductions, ..options }).expect("a program");
        let events = vec![("set".to_owned(), format!("call {name}.set"))];
        program.ask(&Asked { events, ..Asked::default() }).expect("an event");
        let (mut worker, mut out) = (program.worker(), Successors::new());
        program.initial(&mut worker, &mut out).expect("a first state");
        let mut state = out.target(&out.steps()[0]).to_vec();
        let mut seen = 0;
        loop {
            out.clear();
            program.successors(&mut worker, &state, &mut out).expect("steps");
            let Some(step) = out.steps().first() else { break };
            assert!(step.fault.is_none());
            let action = out.actions(step)[0];
            seen += program.events_of(&mut worker, &state, action).expect("events").len();
            state = out.target(step).to_vec();
        }
        seen
    };
    Some(WAYS.into_iter().map(|(_, reductions)| count(reductions)).collect())
}

#[test]
fn asking_for_events_leaves_calls_of_handles_as_they_are() {
    let body = "static final AtomicBoolean flag = new AtomicBoolean();
        static final AtomicReference<String> text = new AtomicReference<>();
        static void set() {}
        public static void main(String[] args) {
            if (flag.compareAndSet(false, true) && text.compareAndSet(null, \"x\")) set();
        }";
    let Some(seen) = calls_of_set("Handled", body) else { return };
    assert!(seen.iter().all(|&calls| calls == 1), "{seen:?}");
}

#[test]
fn what_is_called_on_nothing_is_not_called() {
    let body = "static OnNothing nothing;
        void set() {}
        public static void main(String[] args) {
            try { nothing.set(); } catch (NullPointerException e) { new OnNothing().set(); }
        }";
    let Some(seen) = calls_of_set("OnNothing", body) else { return };
    assert!(seen.iter().all(|&calls| calls == 1), "{seen:?}");
}
