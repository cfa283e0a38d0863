//! `everypath flow`: answers, names of constraints, and what is wrong with an input.

use everypath_testkit::needs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn flow(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.arg("flow").args(args).current_dir(root()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

const FORKS: &str = "examples/flow/philosophers.flow";
const TWICE: &str = "examples/flow/raised-twice.qre";

#[test]
fn constraints_decide() {
    let all = ["var:fork1.isUp", "task:p1", "task:p2", "monitor:fork1"];
    for count in 0..=all.len() {
        let mut args = vec![FORKS, "--property", TWICE];
        all[..count].iter().for_each(|one| args.extend(["--constraint", one]));
        for more in [&[][..], &["--whole"], &["--mode", "quick"], &["--mode", "proof"]] {
            let output = flow(&[&args, more].concat());
            let expected = if count == all.len() { 0 } else { 3 };
            assert_eq!(code(&output), expected, "{count} {more:?} {}", stdout(&output));
            let path = stdout(&output).contains("  path:\n");
            assert_eq!(path, expected == 3 && more != ["--mode", "proof"]);
        }
    }
}

/// A statement has an event for each rule, in the order of the rules.
#[test]
fn several_events_of_a_statement_keep_their_order() {
    let dir = std::env::temp_dir().join(format!("everypath-flow-events-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let model = dir.join("m.pml");
    std::fs::write(&model, "byte x; active proctype P() { x = 1; x = 2 }\n").unwrap();
    let property = dir.join("order.qre");
    std::fs::write(&property, "for events { a, b, c } show all executions satisfy a ; b ; c")
        .unwrap();
    let decided = |rules: [&str; 3]| {
        let mut args = vec![model.to_str().unwrap(), "--property", property.to_str().unwrap()];
        rules.iter().for_each(|rule| args.extend(["--event", rule]));
        let output = flow(&args);
        (code(&output), stdout(&output))
    };
    let (one, other, last) = ("assign x=1 => a", "assign x=1 => b", "assign x=2 => c");
    for rules in [[one, other, last], [one, last, other], [last, one, other]] {
        let (code, answer) = decided(rules);
        assert!(code == 0 && answer.contains("proved"), "{rules:?} {code}\n{answer}");
    }
    for rules in [[other, one, last], [last, other, one]] {
        let (code, answer) = decided(rules);
        assert!(code == 1 && answer.contains("a run violates it"), "{rules:?} {code}\n{answer}");
    }
    let (code, answer) = decided([one, "assign x=2 => b", last]);
    assert_eq!(code, 0, "{answer}");
    std::fs::remove_dir_all(&dir).unwrap();
}

/// A step of the thread that moved last has one arrow, a step of another thread the other one.
#[test]
fn arrows_tell_who_moves() {
    for more in
        [&[][..], &["--whole"], &["--whole", "--constraint", "task:p1", "--constraint", "task:p2"]]
    {
        let answer = stdout(&flow(&[&[FORKS, "--property", TWICE], more].concat()));
        let lines = answer.lines().skip_while(|line| *line != "  path:").skip(1);
        let steps: Vec<(&str, &str)> = lines
            .map_while(|line| {
                let mut words = line.split_whitespace();
                Some((words.next().filter(|word| word.contains('>'))?, words.next()?))
            })
            .collect();
        assert_eq!(steps.first().map(|step| step.0), Some("->"), "{answer}");
        let mut arrows = [0, 0];
        for pair in steps.windows(2) {
            let other = pair[0].1 != pair[1].1;
            assert_eq!(pair[1].0, if other { "=>" } else { "->" }, "{pair:?}\n{answer}");
            arrows[usize::from(other)] += 1;
        }
        assert!(arrows.iter().all(|&count| count > 0), "{arrows:?}\n{answer}");
    }
}

#[test]
fn the_document_lists_what_the_proof_relies_on() {
    let output = flow(&[FORKS, "--property", TWICE, "--refine", "auto", "--format", "json"]);
    assert_eq!(code(&output), 0);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "holds");
    assert_eq!(document["properties"][0]["id"], "events:raised-twice");
    let assumptions = document["scope"]["assumed"].as_array().unwrap();
    assert_eq!(assumptions.len(), 4, "{assumptions:?}");
    let output = flow(&[FORKS, "--property", TWICE, "--format", "json"]);
    assert_eq!(code(&output), 3);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "unknown");
    assert_eq!(document["reason"], "abstraction");
    assert_eq!(document["properties"][0]["span"]["start"][0], 15);
}

#[test]
fn assumptions_by_hand_are_named() {
    let dir = std::env::temp_dir().join(format!("everypath-flow-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let assumed = dir.join("once.qre");
    std::fs::write(&assumed, "for events { fork1.up } show all executions satisfy fork1.up?")
        .unwrap();
    let file = assumed.to_str().unwrap();
    let output = flow(&[FORKS, "--property", TWICE, "--assume", file]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("once.qre (not proved)"), "{}", stdout(&output));
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn programs_are_shown() {
    let program = stdout(&flow(&[FORKS, "--show", "program"]));
    assert!(program.contains("proc up(f) {\n  local success\n"), "{program}");
    let graph = stdout(&flow(&[FORKS, "--show", "graph"]));
    assert!(graph.contains("\nlocks: fork1, fork2\n"), "{graph}");
    assert!(graph.contains("success1_2"), "{graph}");
    assert!(stdout(&flow(&[FORKS, "--show", "dot"])).starts_with("digraph flow {"));
}

#[test]
fn what_is_wrong_is_told_with_its_code() {
    let qre = "for events { fork1.up } show all executions satisfy fork1.up?";
    for (args, part) in [
        (&[FORKS][..], "nothing to prove"),
        (&["nothing.flow", "--qre", qre], "EP1001"),
        (&["README.md", "--qre", qre], "EP1801"),
        (&[FORKS, "--qre", "for"], "EP1704"),
        (&[FORKS, "--qre", qre, "--constraint", "task:p9"], "no thread `p9`"),
        (&[FORKS, "--qre", qre, "--constraint", "var:x"], "EP1803"),
        (&[FORKS, "--qre", qre, "--constraint", "p1"], "none of task:NAME"),
    ] {
        let output = flow(args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(part), "{args:?}: {}", stderr(&output));
    }
    let qre = "for events { nobody, fork1.up } show all executions satisfy (nobody? ; fork1.up)*";
    let output = flow(&[FORKS, "--qre", qre]);
    assert_eq!(code(&output), 2, "an event that nothing is would make a proof about nothing");
    assert!(stderr(&output).contains("is the event `nobody`"), "{}", stderr(&output));
    let qre = "for events { nobody } show all executions satisfy nobody?";
    let output = flow(&[FORKS, "--qre", qre]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("EP1805"), "{}", stderr(&output));
}

const JAVA: &str = "examples/flow/Philosophers.java";
const RULES: &str = "examples/flow/philosophers.events";
const ALTERNATELY: &str = "for events { read, write } show all executions satisfy (read ; write)*";

#[test]
fn java_programs_are_proved() {
    if !needs::javac() {
        return;
    }
    let output = flow(&[JAVA, "--events", RULES, "--property", TWICE, "--refine", "auto"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("proved under task:p1, task:p2, var:fork1.isUp, monitor:fork1"),
        "{text}"
    );
    assert!(
        text.contains("assumed: exceptions that no handler around them names do not happen"),
        "{text}"
    );
    let formula = "[] (fork1.up -> (fork1.down R !fork2.down))";
    let args = ["check", JAVA, "--engine", "flow", "--ltl", formula];
    let rules = [
        "--event=fork1.up=assign Fork.isUp = true on fork1 in p1",
        "--event=fork1.down=exit Fork.down on fork1 in p1",
        "--event=fork2.down=exit Fork.down on fork2 in p1",
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    let output = command.args(args).args(rules).current_dir(root()).output().unwrap();
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn java_programs_are_run_to_confirm_a_path() {
    if !needs::javac() {
        return;
    }
    let args = ["examples/flow/Counter.java", "--qre", ALTERNATELY, "--refine", "auto"];
    let output = flow(&args);
    let text = stdout(&output);
    assert_eq!(code(&output), 1, "{text}{}", stderr(&output));
    assert!(text.contains("violated  qre     a run violates it\n"), "{text}");
    assert!(text.contains("\n  run:\n    one "), "{text}");
    let output = flow(&[&args[..], &["--format", "json"]].concat());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "violated");
    assert!(!document["properties"][0]["trace"]["steps"].as_array().unwrap().is_empty());
    let output = flow(&[&args[..], &["--format", "sarif"]].concat());
    assert_eq!(code(&output), 1);
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "EP0206");
    let output = flow(&[&args[..], &["--format", "junit"]].concat());
    assert!(stdout(&output).contains("<failure"), "{}", stdout(&output));
    // Without runs the path stays a path.
    assert_eq!(code(&flow(&[&args[..], &["--confirm", "0"]].concat())), 3);
}

#[test]
fn models_are_run_to_confirm_a_path() {
    // Its neighbour takes the fork, too.
    let pattern = "absence after; P = up.1; Q = Philosopher1.start";
    let args = ["examples/flow/forks.pml", "--pattern", pattern, "--refine", "auto"];
    for runs in ["all", "ending"] {
        let output = flow(&[&args[..], &["--runs", runs, "--format", "json"]].concat());
        assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["verdict"], "violated");
        assert!(!document["properties"][0]["trace"]["steps"].as_array().unwrap().is_empty());
    }
    assert_eq!(code(&flow(&[&args[..], &["--confirm", "0"]].concat())), 3);
}

#[test]
fn what_is_wrong_with_rules_is_named() {
    let output = flow(&[JAVA, "--event", "fly x => y", "--qre", ALTERNATELY]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("EP1804"), "{}", stderr(&output));
    let output = flow(&[FORKS, "--event", "call x => y", "--property", TWICE]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("a flow graph names its events itself"));
    if needs::javac() {
        let output = flow(&[JAVA, "--qre", ALTERNATELY]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains("EP1805"), "{}", stderr(&output));
    }
}

#[test]
fn check_refuses_what_the_analysis_would_ignore() {
    let check = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
        let args = ["check", "--engine", "flow", FORKS, "--fsa", TWICE];
        command.args(args).args(more).current_dir(root()).output().unwrap()
    };
    assert_eq!(code(&check(&["--color", "never"])), 0, "{}", stderr(&check(&[])));
    let output = check(&["--states", "100"]);
    assert_eq!(code(&output), 2);
    assert_eq!(stderr(&output), "error: --engine flow has no use for --states\n");
}

#[test]
fn promela_models_are_proved() {
    let model = "examples/flow/forks.pml";
    let output = flow(&[model, "--property", "examples/flow/forks.qre", "--refine", "auto"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    // Who raises a fork is not told apart, and it may be the second philosopher.
    let formula = "[] (up.1 -> <> Philosopher1.start)";
    let output = flow(&[model, "--ltl", formula, "--refine", "auto"]);
    assert_eq!(code(&output), 1, "{}{}", stdout(&output), stderr(&output));
    let output = flow(&[model, "--pattern", "existence; P = "]);
    assert_eq!(code(&output), 2, "{}{}", stdout(&output), stderr(&output));
}

/// A file with a text.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flow");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn document(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

const ENDLESS: &str = "task main { event req\n while * { event idle }\n loop { event idle } }";
const ANSWERED: &str = "task main { event req\n event ack }";

#[test]
fn what_endless_runs_miss_is_not_proved() {
    let endless = file("endless.flow", ENDLESS);
    let endless = endless.to_str().unwrap();
    let answer =
        file("answer.flow", "task main { event req\n while * { event idle }\n event ack }");
    let answer = answer.to_str().unwrap();
    let formula = "[] (req -> <> idle)";
    for path in [endless, answer] {
        let asked = ["--ltl", formula, "--runs", "all", "--refine", "auto", "--format", "json"];
        let output = flow(&[&[path][..], &asked].concat());
        assert_ne!(code(&output), 0, "{}", stdout(&output));
        let found = document(&output);
        assert_ne!(found["verdict"], "holds");
    }
    let asked = ["--ltl", formula, "--runs", "all", "--format", "json"];
    let found = document(&flow(&[&[endless][..], &asked].concat()));
    assert_eq!(found["verdict"], "unknown");
    assert!(found["scope"]["skipped"].to_string().contains("prefixes"), "{found}");
    let output = flow(&[endless, "--pattern", "absence; P = ack", "--runs", "all"]);
    assert_eq!(code(&output), 2, "nothing is `ack`");
    // What is never missing holds in endless runs, too.
    let output = flow(&[
        endless,
        "--qre",
        "for events { req } show all executions satisfy req?",
        "--runs",
        "all",
    ]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_proof_about_no_run_is_vacuous() {
    let endless = file("never.flow", ENDLESS);
    let blocked = file(
        "blocked.flow",
        "var go = false\ntask main { event req\n assume go == true\n event idle }",
    );
    let waiting = file("waiting.flow", "task main { event req\n lock l\n wait l\n event idle }");
    for path in [endless, blocked, waiting] {
        let formula = ["--ltl", "[] (req -> <> idle)", "--refine", "auto", "--format", "json"];
        let output = flow(&[&[path.to_str().unwrap()][..], &formula].concat());
        let found = document(&output);
        assert_eq!(found["verdict"], "unknown", "{found}");
        assert_eq!(found["properties"][0]["vacuous"], true, "{found}");
    }
    let answered = file("answered.flow", ANSWERED);
    let formula = ["--ltl", "[] (req -> <> ack)", "--format", "json"];
    let found = document(&flow(&[&[answered.to_str().unwrap()][..], &formula].concat()));
    assert_eq!(found["verdict"], "holds");
    assert_eq!(found["properties"][0]["vacuous"], false);
}

#[test]
fn time_and_memory_end_everything() {
    for (limit, reason) in [(["--time", "1ms"], "time limit"), (["--mem", "1"], "memory limit")] {
        let args = [FORKS, "--property", TWICE, "--refine", "auto", "--format", "json"];
        let output = flow(&[&args[..], &limit].concat());
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let found = document(&output);
        assert_eq!(found["verdict"], "unknown", "{found}");
        let message = found["properties"][0]["message"].as_str().unwrap();
        assert!(message.contains(reason), "{message}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    let args = ["check", "--engine", "flow", FORKS, "--fsa", TWICE, "--time", "1ms"];
    let output = command.args(args).current_dir(root()).output().unwrap();
    assert_eq!(code(&output), 3, "{}", stderr(&output));
}

#[test]
fn a_run_of_a_program_that_never_comes_to_rest_is_given_up() {
    if !needs::javac() {
        return;
    }
    let text = "public class Spinning {\n    static int n;\n    static void step() {}\n    public static void main(String[] args) {\n        \
                step();\n        while (n < 1000000000) n++;\n        step();\n    }\n}\n";
    let source = file("Spinning.java", text);
    let start = std::time::Instant::now();
    let qre = "for events { step } show all executions satisfy step?";
    let output = flow(&[source.to_str().unwrap(), "--qre", qre, "--time", "5s"]);
    assert_eq!(code(&output), 3, "{}{}", stdout(&output), stderr(&output));
    assert!(start.elapsed().as_secs() < 100, "{:?}", start.elapsed());
}

const JOINED: &str = "public class Joined {
    static class Worker extends Thread {
        public void run() {
            step();
            done();
        }
    }
    static void step() {}
    static void done() {}
    public static void main(String[] args) throws Exception {
        Worker a = new Worker();
        Worker b = new Worker();
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
";

#[test]
fn violations_of_programs_that_join_are_confirmed() {
    if !needs::javac() {
        return;
    }
    let source = file("Joined.java", JOINED);
    for property in [
        "for events { step } show all executions satisfy step",
        "for events { step, done } show all executions satisfy (step ; done)*",
        "for events { step, done } show all executions satisfy step ; step ; done ; done",
        "for events { done } show no executions satisfy done ; done",
    ] {
        let output = flow(&[source.to_str().unwrap(), "--qre", property, "--refine", "auto"]);
        assert_eq!(code(&output), 1, "{property}\n{}{}", stdout(&output), stderr(&output));
    }
    let done =
        "for events { a.run, b.run } show all executions satisfy (a.run ; b.run) | (b.run ; a.run)";
    let output = flow(&[source.to_str().unwrap(), "--qre", done, "--refine", "auto"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn names_of_operators_are_names_of_events_too() {
    let text = "task main { event F.up\n event G.down\n event U.x }";
    let path = file("operators.flow", text);
    let path = path.to_str().unwrap();
    for formula in ["[] (F.up -> <> G.down)", "F F.up", "F.up U G.down", "G.down U U.x"] {
        let output = flow(&[path, "--ltl", formula]);
        assert_eq!(code(&output), 0, "{formula} {}{}", stdout(&output), stderr(&output));
    }
    let pattern = "precedence; P = G.down; S = F.up";
    let output = flow(&[path, "--pattern", pattern]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
}

/// A program whose methods are each called on something that the library hands back, copies or runs.
const HANDED: &str = "import java.util.*;
import java.util.concurrent.*;
public class Handed {
    enum Mode {
        ON, OFF;
        void byValues() {}
        void byName() {}
        void bySet() {}
        void byRest() {}
        void byConstants() {}
    }
    static class Box implements Cloneable {
        void copied() {}
        void inArray() {}
        Box copy() throws CloneNotSupportedException {
            return (Box) clone();
        }
    }
    static class Worker extends Thread {
        public void run() { pooled(); }
    }
    static class Last extends Thread {
        public void run() { hooked(); }
    }
    static void pooled() {}
    static void hooked() {}
    static void told() {}
    static void denied() {}
    static int zero;
    static void choose(boolean yes) {
        if (!yes) denied();
    }
    public static void main(String[] args) throws Exception {
        for (Mode m : Mode.values()) m.byValues();
        Mode.valueOf(\"ON\").byName();
        for (Mode m : EnumSet.allOf(Mode.class)) m.bySet();
        for (Mode m : EnumSet.complementOf(EnumSet.of(Mode.ON))) m.byRest();
        for (Mode m : Mode.class.getEnumConstants()) m.byConstants();
        new Box().copy().copied();
        List<Box> all = new ArrayList<>();
        all.add(new Box());
        ((Box) all.toArray()[0]).inArray();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.submit(new Worker()).get();
        pool.shutdown();
        Runtime.getRuntime().addShutdownHook(new Last());
        Thread t = new Thread(() -> zero = 1 / zero);
        t.setUncaughtExceptionHandler((thread, e) -> told());
        t.start();
        choose(false);
    }
}
";

/// Compiles a program as people do, without the names of local variables.
fn compiled(name: &str, text: &str) -> PathBuf {
    let source = file(&format!("{name}.java"), text);
    let folder = source.parent().unwrap().join("classes");
    let javac = Command::new("javac").arg("-d").arg(&folder).arg(&source).output().unwrap();
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    folder.join(format!("{name}.class"))
}

#[test]
fn what_the_library_hands_back_copies_and_runs_is_followed() {
    if !needs::javac() {
        return;
    }
    let class = compiled("Handed", HANDED);
    for event in [
        "byValues",
        "byName",
        "bySet",
        "byRest",
        "byConstants",
        "copied",
        "inArray",
        "pooled",
        "hooked",
        "told",
        "denied",
    ] {
        let never =
            format!("for events {{ {event} }} show no executions satisfy .* ; {event} ; .*");
        let args =
            [class.to_str().unwrap(), "--qre", &never, "--refine", "auto", "--format", "json"];
        let output = flow(&[&args[..], &["--runs", "all", "--confirm", "0"]].concat());
        let found = document(&output);
        let message = found["properties"][0]["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("a path violates it"), "{event}: {message}");
    }
}

const INITIALISED: &str = "public class Initialised {
    static boolean flag;
    static void early() {}
    static void late() {}
    static void used() {}
    static class Late {
        static { late(); }
        static boolean was = flag;
        static void use() {
            if (was) used();
        }
    }
    static class Calm {
        static final Object kept = new Object();
        static boolean quiet = true;
        static void use() {
            if (!quiet) used();
        }
    }
    public static void main(String[] args) {
        flag = true;
        early();
        if (args.length < 9) Late.use(); else Calm.use();
    }
}
";

#[test]
fn what_initialisers_of_classes_do_in_the_middle_of_a_run_is_not_proved() {
    if !needs::javac() {
        return;
    }
    let source = file("Initialised.java", INITIALISED);
    for (property, part) in [
        (
            "for events { early, late } show no executions satisfy early ; late",
            "makes the event `late`",
        ),
        ("for events { used } show no executions satisfy .* ; used ; .*", "uses Initialised.flag"),
    ] {
        let args = [source.to_str().unwrap(), "--qre", property, "--refine", "auto"];
        let output = flow(&[&args[..], &["--confirm", "0"]].concat());
        let text = stdout(&output);
        assert_eq!(code(&output), 3, "{text}");
        assert!(text.contains(part) || text.contains("a path violates it"), "{text}");
    }
    // An initialiser that only makes what is its own is as good as one that runs first.
    let calm = INITIALISED.replace("Late.use(); else Calm.use();", "Calm.use();");
    let source = file("Calmed.java", &calm.replace("Initialised", "Calmed"));
    let property = "for events { used } show no executions satisfy .* ; used ; .*";
    let output = flow(&[source.to_str().unwrap(), "--qre", property, "--refine", "auto"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert!(!stdout(&output).contains("initialiser"), "{}", stdout(&output));
}

#[test]
fn what_is_not_true_may_be_something_else_than_false() {
    let text = "var x = true\ntask main { x = other\n if x { event a } else { event b } }";
    let path = file("other.flow", text);
    let args = [path.to_str().unwrap(), "--refine", "auto"];
    let never = "for events { b } show no executions satisfy .* ; b ; .*";
    let output = flow(&[&args[..], &["--qre", never]].concat());
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    let never = "for events { a } show no executions satisfy .* ; a ; .*";
    let output = flow(&[&args[..], &["--qre", never]].concat());
    assert_eq!(code(&output), 0, "{}", stdout(&output));
}
