//! What is proved is true: random programs, compared with all their runs, one step at a time.

use std::collections::{BTreeSet, HashSet, VecDeque};

use everypath_engine_dataflow::execute::{State, beginnings, successors, violating_run};
use everypath_engine_dataflow::{Constraint, Graph, Model, Options, Runs, inline, refine};
use everypath_flow::read;
use everypath_model::{FileId, Rng};
use everypath_property::events::Fsa;

/// What all runs show.
#[derive(Default)]
struct Truth {
    /// Pairs of nodes that threads are at together.
    parallel: BTreeSet<(u32, u32)>,
    /// Whether a run that ends violates the property.
    violated: bool,
    /// Whether a run comes to where no continuation has the property.
    hopeless: bool,
    /// Whether there were too many states.
    cut: bool,
}

const MOST_STATES: usize = 60_000;

fn explore(graph: &Graph, property: &Fsa) -> Truth {
    let mut truth = Truth::default();
    let mut queue: VecDeque<State> = VecDeque::new();
    let mut seen: HashSet<State> = HashSet::new();
    for state in beginnings(graph, property) {
        if seen.insert(state.clone()) {
            queue.push_back(state);
        }
    }
    while let Some(state) = queue.pop_front() {
        let running: Vec<u32> = state.at.iter().flatten().copied().collect();
        for (i, &a) in running.iter().enumerate() {
            for &b in &running[i + 1..] {
                truth.parallel.insert((a, b));
                truth.parallel.insert((b, a));
            }
        }
        truth.hopeless |= property.is_trap(state.property);
        let over = running.is_empty();
        truth.violated |= over && !property.accepting[state.property];
        for (_, next) in successors(graph, property, &state) {
            if seen.len() >= MOST_STATES {
                truth.cut = true;
                return truth;
            }
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    truth
}

/// Random programs.
struct Writer<'a> {
    rng: &'a mut Rng,
    out: String,
    meets: bool,
    /// Whether locks are taken and given back anywhere.
    wild: bool,
    /// Whether there are procedures, exceptions, and threads that others start, maybe several times.
    rich: bool,
    /// Threads that may be started here, and whether control is in a loop.
    starts: usize,
    looped: bool,
}

impl Writer<'_> {
    fn chance(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    fn pick(&mut self, from: &[&str]) -> String {
        (*self.rng.pick(from)).to_owned()
    }

    fn statements(&mut self, depth: usize, held: &[String]) {
        for _ in 0..1 + self.rng.below(2) {
            self.statement(depth, held);
            self.out.push('\n');
        }
    }

    fn statement(&mut self, depth: usize, held: &[String]) {
        let event = self.pick(&["a", "b", "c"]);
        let variable = self.pick(&["x", "y"]);
        let truth = self.pick(&["true", "false"]);
        let lock = self.pick(&["l", "m"]);
        let channel = self.pick(&["s", "t"]);
        if self.rich && self.chance(35) {
            return self.rich(depth, held);
        }
        match self.rng.below(if depth == 0 { 7 } else { 12 }) {
            0..=2 => self.out += &format!("event {event}"),
            3 => self.out += &format!("{variable} = {truth}"),
            4 if self.meets => {
                let word = self.pick(&["send", "accept"]);
                self.out += &format!("{word} {channel}");
            }
            4 if self.chance(30) => self.out += &format!("{variable} = ?"),
            4 => self.out += &format!("assume {variable} == {truth}"),
            5 if !held.is_empty() => {
                let held = held[self.rng.below(held.len())].clone();
                let word = self.pick(&["wait", "notify", "notifyall", "pause"]);
                self.out += &format!("{word} {held}");
            }
            5 | 6 if self.wild => {
                let words =
                    ["lock", "lock", "lock", "unlock", "unlock", "unlock", "pause", "notify"];
                let word = self.pick(&words);
                self.out += &format!("{word} {lock}");
            }
            5 | 6 => self.out += "skip",
            7 => {
                let looped = std::mem::replace(&mut self.looped, true);
                self.out += "while * {\n";
                self.statements(depth - 1, held);
                self.out += "}";
                self.looped = looped;
            }
            8 => {
                self.out += &format!("if {variable} == {truth} {{\n");
                self.statements(depth - 1, held);
                self.out += "} else {\n";
                self.statements(depth - 1, held);
                self.out += "}";
            }
            9 => {
                self.out += "either {\n";
                self.statements(depth - 1, held);
                self.out += "} or {\n";
                self.statements(depth - 1, held);
                self.out += "}";
            }
            _ if self.meets => self.out += &format!("event {event}"),
            _ => {
                self.out += &format!("synchronized {lock} {{\n");
                let inside: Vec<String> = held.iter().cloned().chain([lock]).collect();
                self.statements(depth - 1, &inside);
                self.out += "}";
            }
        }
    }
}

impl Writer<'_> {
    fn rich(&mut self, depth: usize, held: &[String]) {
        let lock = self.pick(&["l", "m"]);
        let value = self.pick(&["0", "1", "2"]);
        match self.rng.below(if depth == 0 { 7 } else { 11 }) {
            0 => self.out += &format!("z = {value}"),
            1 => self.out += &format!("assume z != {value}"),
            2 => self.out += &format!("call q({lock})"),
            3 => self.out += "call r()",
            4 => self.out += "throw",
            5 if self.looped => {
                let word = self.pick(&["break", "continue"]);
                self.out += &word;
            }
            5 => self.out += "either { return } or { skip }",
            6 if self.starts > 0 && !self.meets => {
                let thread = self.rng.below(self.starts);
                let word = self.pick(&["start", "start", "join"]);
                self.out += &format!("{word} p{thread}");
            }
            6 => self.out += "event c",
            7 => {
                self.out += "try {\n";
                self.statements(depth - 1, held);
                self.out += "} catch {\n";
                self.statements(depth - 1, held);
                self.out += "}";
            }
            8 => {
                self.out += &format!("if z == {value} {{\n");
                self.statements(depth - 1, held);
                self.out += "} else {\n";
                self.statements(depth - 1, held);
                self.out += "}";
            }
            9 => {
                let looped = std::mem::replace(&mut self.looped, true);
                self.out += "loop {\neither {\n";
                self.statements(depth - 1, held);
                self.out += "} or { break }\n}";
                self.looped = looped;
            }
            _ => {
                let was = self.pick(&["true", "false"]);
                self.out += &format!("local v\nv = {was}\n");
                self.statements(depth - 1, held);
                self.out += "\nif v {\n";
                self.statements(depth - 1, held);
                self.out += "}";
            }
        }
    }
}

fn program(rng: &mut Rng) -> String {
    let meets = rng.below(3) == 0;
    let wild = !meets && rng.below(2) == 0;
    let rich = rng.below(2) == 0;
    let out = String::from("var x = false\nvar y\n");
    let (starts, looped) = (0, false);
    let mut writer = Writer { rng, out, meets, wild, rich, starts, looped };
    let count = 1 + writer.rng.below(if rich { 2 } else { 3 });
    if rich {
        writer.out += "var z = 0\nproc q(f) {\nsynchronized f {\n";
        writer.statements(1, &["f".to_owned()]);
        writer.out += "}\n}\nproc r() {\n";
        writer.statements(1, &[]);
        writer.out += "}\n";
    }
    if meets {
        for i in 0..=count {
            writer.out += &format!("task p{i} {{\n");
            writer.statements(2, &[]);
            writer.out += "}\n";
        }
        return writer.out;
    }
    for i in 0..count {
        // Who is started by a thread comes before it.
        writer.starts = i;
        writer.out += &format!("thread p{i} {{\n");
        writer.statements(2, &[]);
        writer.out += "}\n";
    }
    writer.out += "task main {\n";
    writer.starts = count;
    for i in 0..count {
        if writer.chance(30) {
            writer.statement(1, &[]);
            writer.out.push('\n');
        }
        writer.out += &format!("start p{i}\n");
        if writer.chance(30) {
            writer.out += &format!("join p{i}\n");
        }
    }
    writer.statement(1, &[]);
    writer.out + "\n}\n"
}

/// A random automaton over `a` and `b`.
fn property(rng: &mut Rng) -> Fsa {
    let states = 2 + rng.below(3);
    Fsa {
        events: vec!["a".to_owned(), "b".to_owned()],
        delta: (0..states).map(|_| (0..2).map(|_| rng.below(states)).collect()).collect(),
        start: 0,
        accepting: (0..states).map(|_| rng.below(3) > 0).collect(),
        names: (0..states).map(|state| state.to_string()).collect(),
    }
}

/// Every constraint about a program.
fn all_constraints(graph: &Graph) -> Vec<Constraint> {
    let tasks = graph.threads.iter().filter(|t| !t.many).map(|t| Constraint::Task(t.name.clone()));
    let variables = graph.variables.iter().map(|v| Constraint::Variable(v.name.clone()));
    let monitors = graph.locks.iter().map(|lock| Constraint::Monitor(lock.clone()));
    tasks.chain(variables).chain(monitors).collect()
}

#[test]
fn what_is_proved_is_true_of_all_runs() {
    let all = std::env::var_os("EVERYPATH_ALL").is_some();
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    let count = number("EVERYPATH_FLOW_RANDOM").unwrap_or(if all { 2_000 } else { 200 });
    let first: u64 = number("EVERYPATH_FLOW_FIRST").unwrap_or(0);
    let (mut compared, mut proved, mut true_ones, mut pairs, mut extra) = (0, 0, 0, 0u64, 0u64);
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let text = program(&mut rng);
        let graph = inline(&read(&text, FileId(0)).unwrap()).unwrap();
        let required = property(&mut rng);
        let truth = explore(&graph, &required);
        if truth.cut {
            continue;
        }
        compared += 1;
        let run = violating_run(&graph, &required, Runs::Ending, MOST_STATES, &|| false);
        assert_eq!(run.is_some(), truth.violated, "seed {seed}\n{text}");
        let everything = all_constraints(&graph);
        let some: Vec<Constraint> =
            everything.iter().filter(|_| rng.below(2) == 0).cloned().collect();
        for constraints in [&Vec::new(), &some, &everything] {
            for (whole, runs) in [(false, Runs::Ending), (true, Runs::Ending), (false, Runs::All)] {
                let options = Options { whole, runs, ..Options::default() };
                let given = Some(&constraints[..]);
                let model = Model::new(&graph, required.clone(), Vec::new(), given, options);
                let answer = model.decide(constraints).unwrap();
                let bad = truth.violated || (runs == Runs::All && truth.hopeless);
                assert!(
                    !(answer.conclusive() && bad),
                    "seed {seed} whole {whole} {runs:?}\n{text}\n{required:?}\n{constraints:?}"
                );
                if constraints.len() == everything.len() && runs == Runs::Ending && !whole {
                    true_ones += u32::from(!bad);
                    proved += u32::from(answer.conclusive());
                }
                if whole && runs == Runs::Ending && !graph.has_meetings() {
                    let count = model.graph.nodes.len() as u32;
                    for a in 0..count {
                        for b in 0..count {
                            let (found, real) =
                                (model.parallel(a, b), truth.parallel.contains(&(a, b)));
                            assert!(found || !real, "seed {seed}: {a} {b}\n{text}");
                            pairs += u64::from(real);
                            extra += u64::from(found && !real);
                        }
                    }
                }
            }
        }
        // What refinement adds is as sound.
        let model = Model::new(&graph, required.clone(), Vec::new(), None, Options::default());
        let refined = refine(&model, &[], 1_000_000).unwrap();
        assert!(!(refined.answer.conclusive() && truth.violated), "seed {seed}\n{text}");
    }
    println!("{compared} compared, {proved} of {true_ones} proved, {pairs} pairs, {extra} extra");
    assert!(compared * 10 >= count * 9, "only {compared} were compared");
    // It is worth something: most of what is true is proved with all constraints.
    assert!(proved * 10 >= true_ones * 8, "{proved} of {true_ones} proved");
}
