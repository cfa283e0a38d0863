//! Event sequences of Java programs: what the FLAVERS paper says of its philosophers, and that nothing is proved
//! that a run contradicts.

mod agree;
mod library;
mod programs;
mod shapes;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use everypath_engine_dataflow::{Constraint, Graph, Model, Options, inline, refine};
use everypath_flow::Binding;
use everypath_lang_java::{Extracted, Jdk, Program, Reductions};
use everypath_model::Rng;
use everypath_property::events::{Fsa, read_qre};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The JDK, or a reason why the test did not run.
fn jdk() -> Option<Jdk> {
    match Jdk::find() {
        Ok(jdk) => Some(jdk),
        Err(why) => {
            eprintln!("not run: {why}");
            None
        }
    }
}

/// Compiles a file; the program begins with the class of its name.
fn program(jdk: &Jdk, source: &Path) -> Program {
    let stem = source.file_stem().unwrap().to_str().unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flow").join(stem);
    std::fs::create_dir_all(&target).unwrap();
    let library = target.join("library");
    for (name, text) in everypath_lang_java::LIBRARY {
        let path = library.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let compiled = Command::new(jdk.javac())
        .args(["-g", "-nowarn", "-Xlint:none", "-d"])
        .arg(&target)
        .arg("-sourcepath")
        .arg(&library)
        .arg(source)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut options = everypath_lang_java::Options::new(vec![target], stem);
    options.reductions = Reductions::NONE;
    Program::load(jdk, &options).unwrap()
}

fn extract(program: &Program, rules: &str) -> (Extracted, Arc<Binding>, Graph) {
    let binding = Arc::new(Binding::read(rules).unwrap());
    let extracted = program.flow_graph(&binding).unwrap();
    let graph = inline(&extracted.program).unwrap();
    (extracted, binding, graph)
}

fn required(text: &str) -> Fsa {
    read_qre(text).unwrap().property().unwrap().required()
}

fn is_proved(graph: &Graph, property: &Fsa, constraints: &[&str]) -> bool {
    let constraints: Vec<Constraint> =
        constraints.iter().map(|text| Constraint::parse(text).unwrap()).collect();
    let given = Some(&constraints[..]);
    let model = Model::new(graph, property.clone(), Vec::new(), given, Options::default());
    model.decide(&constraints).unwrap().conclusive()
}

fn is_found(graph: &Graph, property: &Fsa) -> Option<Vec<String>> {
    let model = Model::new(graph, property.clone(), Vec::new(), None, Options::default());
    let refined = refine(&model, &[], 5_000_000).unwrap();
    let names = refined.constraints.iter().map(|one| one.name(&model.assumed)).collect();
    refined.answer.conclusive().then_some(names)
}

const TWO_FORKS: &str = "for events { fork1.up, fork2.up, fork1.down, fork2.down, p1.startEating } \
    show all executions satisfy (fork1.up ; fork2.up ; p1.startEating ; fork1.down ; fork2.down)*";
const TWICE: &str = "for events { fork1.up, fork1.down } \
    show no executions satisfy (. *) ; fork1.up ; fork1.up ; (. *)";
const SAME_TIME: &str = "for events { p1.startEating, p1.stopEating, p2.startEating, p2.stopEating } \
    show all executions satisfy ((p1.startEating ; p1.stopEating) | (p2.startEating ; p2.stopEating))*";

/// Each constraint is needed, and all together are enough.
fn each_is_needed(graph: &Graph, property: &Fsa, constraints: &[&str]) {
    assert!(is_proved(graph, property, constraints), "{constraints:?}");
    for left_out in constraints {
        let rest: Vec<&str> = constraints.iter().copied().filter(|one| one != left_out).collect();
        assert!(!is_proved(graph, property, &rest), "without {left_out}");
    }
}

#[test]
fn f2_f8_f18_philosophers() {
    let Some(jdk) = jdk() else { return };
    let program = program(&jdk, &examples().join("flow/Philosophers.java"));
    let rules = std::fs::read_to_string(examples().join("flow/philosophers.events")).unwrap();
    let calls = ["p1.startEating", "p1.stopEating", "p2.startEating", "p2.stopEating"];
    let calls: String = calls
        .iter()
        .map(|event| event.split_once('.').unwrap())
        .map(|(object, method)| format!("call {method} on {object} => {object}.{method}\n"))
        .collect();
    let rules = rules + &calls;
    let (extracted, _, graph) = extract(&program, &rules);
    assert!(extracted.doubts.is_empty(), "{:?}", extracted.doubts);
    let names: Vec<&str> = extracted.objects.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["fork1", "fork2", "p1", "p2"]);
    let threads: Vec<&str> = graph.threads.iter().map(|thread| thread.name.as_str()).collect();
    assert_eq!(threads, ["main", "p1", "p2"]);
    // no-fork-raised-twice, step by step.
    let twice = required(TWICE);
    let all = ["var:fork1.isUp", "task:p1", "task:p2", "monitor:fork1"];
    for count in 0..all.len() {
        assert!(!is_proved(&graph, &twice, &all[..count]), "{count}");
    }
    each_is_needed(&graph, &twice, &all);
    // no-eat-at-same-time.
    let same = required(SAME_TIME);
    let six = [
        "var:fork2.isUp",
        "var:success1_2",
        "var:success2_2",
        "task:p1",
        "task:p2",
        "monitor:fork2",
    ];
    assert!(is_proved(&graph, &same, &six));
    // Found without hints.
    assert!(is_found(&graph, &twice).is_some());
    assert!(is_found(&graph, &same).is_some());
    // has-two-forks-to-eat is about one philosopher.
    let only =
        rules.replace("on fork1 ", "on fork1 in p1 ").replace("on fork2 ", "on fork2 in p1 ");
    let (_, _, alone) = extract(&program, &only);
    let forks = required(TWO_FORKS);
    assert!(!is_proved(&alone, &forks, &["task:p1"]));
    assert!(is_found(&alone, &forks).is_some());
}

#[test]
fn what_was_read_before_an_event_is_old_behind_it() {
    let Some(jdk) = jdk() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flow-stale");
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("Stale.java");
    let text = "public class Stale {\n    static volatile boolean flag;\n    static void hit() {}\n    \
                public static void main(String[] args) {\n        flag = true;\n        \
                Thread a = new Thread(() -> { if (flag == (Math.abs(1) > 0 || true)) { hit(); } });\n        \
                Thread b = new Thread(() -> flag = false);\n        a.start();\n        b.start();\n    }\n}\n";
    std::fs::write(&source, text).unwrap();
    let program = program(&jdk, &source);
    let rules = "assign Stale.flag = false => lower\ncall Math.abs => ask\ncall hit => hit\n";
    let (_, _, graph) = extract(&program, rules);
    let property =
        required("for events { lower, ask, hit } show no executions satisfy lower ; ask ; hit");
    // The first may read, the second lower the flag, and the first go on.
    assert_eq!(is_found(&graph, &property), None);
}

/// Names of methods in a source, by the look of their declarations.
fn methods(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in source.lines() {
        let Some((before, rest)) = line.trim().split_once('(') else { continue };
        let mut words: Vec<&str> = before.split_whitespace().collect();
        let Some(name) = words.pop() else { continue };
        let known = ["void", "int", "boolean", "long", "String"];
        let declares = words.last().is_some_and(|kind| known.contains(kind));
        if declares && rest.contains('{') && name != "main" && !found.contains(&name.to_owned()) {
            found.push(name.to_owned());
        }
    }
    found
}

/// A random automaton over some events.
fn property(rng: &mut Rng, events: &[String]) -> Fsa {
    let count = 2 + rng.below(2);
    let delta = (0..count).map(|_| events.iter().map(|_| rng.below(count)).collect()).collect();
    let mut accepting: Vec<bool> = (0..count).map(|_| rng.below(2) == 0).collect();
    accepting[0] = true;
    let names = (0..count).map(|state| format!("s{state}")).collect();
    Fsa { events: events.to_vec(), names, start: 0, accepting, delta }
}

#[test]
fn nothing_is_proved_that_a_run_contradicts() {
    let Some(jdk) = jdk() else { return };
    let all = std::env::var_os("EVERYPATH_ALL").is_some();
    let (properties, runs) = if all { (30, 60) } else { (6, 12) };
    let mut sources: Vec<PathBuf> = std::fs::read_dir(examples().join("java"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "java"))
        .collect();
    sources.sort();
    let (mut compared, mut proved, mut words) = (0, 0, 0);
    for source in sources {
        let program = program(&jdk, &source);
        let names = methods(&std::fs::read_to_string(&source).unwrap());
        if names.is_empty() {
            continue;
        }
        let rules: String = names
            .iter()
            .flat_map(|name| {
                ["enter", "exit"].map(|what| format!("{what} {name} => {what}.{name}\n"))
            })
            .collect();
        let (extracted, binding, graph) = extract(&program, &rules);
        let events: Vec<Vec<String>> = (0..runs)
            .filter_map(|seed| {
                let stop: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
                let run = program.watch(&extracted, &binding, &[], seed + 1, &stop).ok()??;
                let events = run.events.into_iter().map(|one| one.event).collect();
                // That nothing fails is assumed.
                (run.ended && !run.failed).then_some(events)
            })
            .collect();
        words += events.len();
        let sure = extracted.doubts.is_empty() && extracted.cuts.is_empty();
        let mut rng = Rng::new(source.to_str().unwrap().len() as u64);
        for _ in 0..properties {
            let mut some: Vec<String> = Vec::new();
            for _ in 0..1 + rng.below(3) {
                let word = if rng.below(2) == 0 { "enter" } else { "exit" };
                let event = format!("{word}.{}", rng.pick(&names));
                if !some.contains(&event) {
                    some.push(event);
                }
            }
            let property = property(&mut rng, &some);
            let model = Model::new(&graph, property.clone(), Vec::new(), None, Options::default());
            let refined = refine(&model, &[], 300_000).unwrap();
            compared += 1;
            if refined.answer.conclusive() && sure {
                proved += 1;
                for word in &events {
                    let seen =
                        word.iter().map(String::as_str).filter(|e| some.iter().any(|s| s == e));
                    assert!(property.accepts(seen), "{}: {word:?}\n{property:?}", source.display());
                }
            }
        }
    }
    println!("{compared} compared, {proved} proved, {words} runs that ended");
    assert!(proved * 10 >= compared, "{proved} of {compared} proved");
    assert!(words > 100, "{words}");
}

/// A program of many classes that call each other and the library, with workers that share one resource.
fn large(units: usize) -> String {
    let mut text = String::from(
        "import java.util.*;\nimport java.util.concurrent.atomic.*;\n\npublic class Large {\n",
    );
    text += "    static class Resource {\n        private boolean busy;\n\n        synchronized boolean open() {\n            \
             if (busy) {\n                return false;\n            }\n            busy = true;\n            return true;\n        }\n\n        \
             synchronized void close() {\n            busy = false;\n        }\n\n        void use() {}\n    }\n\n";
    for unit in 0..units {
        let below: String = [2 * unit + 1, 2 * unit + 2]
            .iter()
            .filter(|&&below| below < units)
            .map(|below| {
                format!(
                    "            if (total % {} == 0) {{\n                total += new Unit{below}(resource).work(total + {below});\n            }}\n",
                    below + 2
                )
            })
            .collect();
        text += &format!(
            "    static class Unit{unit} {{\n        private final Resource resource;\n        private final List<String> names = new \
             ArrayList<>();\n        private final Map<String, Integer> counts = new HashMap<>();\n        private int \
             state;\n\n        Unit{unit}(Resource resource) {{\n            this.resource = resource;\n        }}\n\n        \
             synchronized int work(int start) {{\n            int total = start;\n            for (int i = 0; i < 3; i++) {{\n                \
             names.add(\"item\" + i);\n                counts.merge(\"item\" + i, 1, Integer::sum);\n                total += \
             names.size() * {unit} + helper(i);\n            }}\n{below}            state = total % 7;\n            return \
             total;\n        }}\n\n        private int helper(int value) {{\n            try {{\n                switch (value % \
             3) {{\n                    case 0:\n                        return Integer.parseInt(\"\" + value);\n                    case 1:\n                        \
             return names.get(0).length();\n                    default:\n                        return state;\n                }}\n            }} catch \
             (NumberFormatException e) {{\n                return -1;\n            }}\n        }}\n\n        @Override\n        public String \
             toString() {{\n            StringBuilder text = new StringBuilder(\"Unit{unit}\");\n            for (Map.Entry<String, Integer> \
             entry : counts.entrySet()) {{\n                text.append(entry.getKey()).append('=').append(entry.getValue());\n            \
             }}\n            return text.toString();\n        }}\n    }}\n\n",
        );
    }
    text += "    static class Worker extends Thread {\n        private final Resource resource;\n\n        Worker(Resource resource) \
             {\n            this.resource = resource;\n        }\n\n        @Override\n        public void run() {\n            \
             for (int round = 0; round < 5; round++) {\n                int total = new Unit0(resource).work(round);\n                \
             if (resource.open()) {\n                    resource.use();\n                    resource.close();\n                \
             }\n                System.out.println(total);\n            }\n        }\n    }\n\n    public static void main(String[] \
             args) {\n        Resource resource = new Resource();\n";
    for worker in 1..=2 {
        text += &format!(
            "        Worker w{worker} = new Worker(resource);\n        w{worker}.start();\n"
        );
    }
    text + "    }\n}\n"
}

#[test]
fn five_thousand_lines() {
    let Some(jdk) = jdk() else { return };
    let text = large(110);
    let lines = text.lines().count();
    assert!(lines >= 5_000, "{lines}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flow-large");
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("Large.java");
    std::fs::write(&source, text).unwrap();
    let program = program(&jdk, &source);
    let start = std::time::Instant::now();
    let rules = "assign Resource.busy = true => open\nassign Resource.busy = false => close\ncall Resource.use => use\n";
    let (extracted, _, graph) = extract(&program, rules);
    let extracting = start.elapsed();
    let property = required(
        "for events { open, use, close } show all executions satisfy (open ; use ; close)*",
    );
    let names = is_found(&graph, &property);
    println!(
        "{lines} lines, {} procedures, {} nodes, extraction {extracting:.2?}, all {:.2?}, {names:?}",
        extracted.program.procedures.len(),
        graph.nodes.len(),
        start.elapsed()
    );
    assert!(names.is_some());
}
