//! Races, partial deadlocks and missed signals of Java programs, as `check`, `replay` and `races` tell them.
//! Without a JDK nothing is checked.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program in a directory of its own; `None` without a JDK.
fn program(name: &str, text: &str) -> Option<PathBuf> {
    if let Err(why) = everypath_lang_java::Jdk::find() {
        eprintln!("Java programs were not checked: {why}");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("races-{name}"));
    std::fs::create_dir_all(&folder).expect("a directory");
    std::fs::write(folder.join("everypath.toml"), "").expect("a file");
    let file = folder.join(format!("{name}.java"));
    std::fs::write(&file, text).expect("a file");
    Some(file)
}

/// An example, copied.
fn example(name: &str) -> Option<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java");
    let text = std::fs::read_to_string(examples.join(format!("{name}.java"))).expect("an example");
    program(name, &text)
}

/// What a command prints on both streams, in one line, and its exit code.
fn everypath(file: &Path, args: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(args)
        .current_dir(file.parent().expect("a folder"))
        .output()
        .expect("everypath runs");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = text.split_whitespace().collect();
    (words.join(" "), output.status.code())
}

const LOCKS: &str = "public class Locks {
    static class Box { int x; }
    static final Object A = new Object(), B = new Object();
    public static void main(String[] args) throws Exception {
        Box box = new Box();
        Thread other = new Thread(() -> { synchronized (A) { box.x = 1; } }, \"other\");
        other.start();
        synchronized (B) { box.x = 2; }
        other.join();
    }
}";

#[test]
fn a_race_has_two_accesses_with_stacks_locks_and_origin() {
    let Some(file) = program("Locks", LOCKS) else { return };
    let (text, code) = everypath(&file, &["check", "Locks.java"]);
    assert_eq!(code, Some(1), "{text}");
    for wanted in [
        "error[EP0116]: data race on Box#1.x: ",
        "other writes it at line 6",
        "main writes it at line 8",
        "nothing orders the two",
        "holding Locks.A at Locks.lambda$main$0(Locks.java:6)",
        "holding Locks.B at Locks.main(Locks.java:8)",
        "Box#1 was made by main at Locks.main(Locks.java:5)",
        "why: different locks guard Box#1.x",
        "violated: 1 of 2 properties",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let (text, code) = everypath(&file, &["replay", "last"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("the violation is still there"), "{text}");
    let (text, code) =
        everypath(&file, &["check", "--no-save", "Locks.java", "--only", "deadlock"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("not checked: ") && text.contains("races"), "{text}");
    let (text, code) = everypath(&file, &["check", "--no-save", "Locks.java", "--only", "race"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("there are: assertions, deadlock, invariant, races"), "{text}");
    for search in ["dfs", "random", "swarm"] {
        let (text, code) =
            everypath(&file, &["check", "--no-save", "Locks.java", "--search", search]);
        assert_eq!(code, Some(1), "{search}: {text}");
        assert!(text.contains("EP0116"), "{search}: {text}");
    }
}

#[test]
fn races_do_not_hide_what_goes_wrong() {
    let Some(file) = example("Counter") else { return };
    let (text, code) = everypath(&file, &["check", "--no-save", "Counter.java"]);
    assert_eq!(code, Some(1), "{text}");
    let (failed, race) = (text.find("error[EP0101]"), text.find("error[EP0116]"));
    assert!(failed.is_some() && failed < race, "the assertion comes first: {text}");
    let Some(file) = example("SharedMap") else { return };
    let (text, code) = everypath(&file, &["check", "--no-save", "SharedMap.java", "--all-errors"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("data race on SharedMap.STOCK (java.util.HashMap)"), "{text}");
    assert!(text.contains("at SharedMap.main(SharedMap.java:"), "{text}");
}

#[test]
fn mistakes_are_named() {
    for (name, wanted) in [
        ("DoubleCheckedBroken", "why: double-checked locking: "),
        ("EarlyPublication", "why: early publication: "),
        ("LazyInit", "why: lazy initialisation without a lock: "),
        ("TwoLocks", "why: different locks guard TwoLocks.balance"),
        ("BoundedBufferNotify", "why: notify instead of notifyAll: "),
        ("LostWakeUp", "why: a missed signal: "),
    ] {
        let Some(file) = example(name) else { return };
        let source = format!("{name}.java");
        let (text, code) = everypath(&file, &["check", "--no-save", &source, "--all-errors"]);
        assert_eq!(code, Some(1), "{name}: {text}");
        assert!(text.contains(wanted), "{name}: {text}");
    }
}

#[test]
fn fixed_programs_hold() {
    for name in [
        "PartialDeadlockFixed",
        "LostWakeUpFixed",
        "SharedMapFixed",
        "DoubleChecked",
        "EarlyPublicationFixed",
        "TwoLocksFixed",
        "CounterAtomic",
        "GatedLocks",
    ] {
        let Some(file) = example(name) else { return };
        let (text, code) = everypath(&file, &["check", "--no-save", &format!("{name}.java")]);
        assert_eq!(code, Some(0), "{name}: {text}");
        assert!(text.contains("holds no data race"), "{name}: {text}");
    }
}

#[test]
fn a_circle_of_some_threads_is_found() {
    let Some(file) = example("PartialDeadlock") else { return };
    let (text, code) = everypath(&file, &["check", "PartialDeadlock.java"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error[EP0117]: partial deadlock: "), "{text}");
    assert!(text.contains("while main can go on"), "{text}");
    assert!(text.contains("circle: "), "{text}");
    let (text, code) = everypath(&file, &["replay", "last"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("the violation is still there"), "{text}");
    // Where all threads end up waiting, the deadlock says it all.
    let Some(file) = example("DiningPhilosophers") else { return };
    let (text, code) = everypath(&file, &["check", "--no-save", "DiningPhilosophers.java"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("EP0102") && !text.contains("EP0117"), "{text}");
}

#[test]
fn a_missed_signal_is_a_finding_of_its_own() {
    let Some(file) = example("LostWakeUp") else { return };
    let (text, code) = everypath(&file, &["check", "--no-save", "LostWakeUp.java"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error[EP0102]: deadlock"), "{text}");
    assert!(
        text.contains("error[EP0118]: a missed signal: Thread-0 notified LostWakeUp.LOCK"),
        "{text}"
    );
    let Some(file) = example("RemoteAgent") else { return };
    let (text, _) = everypath(&file, &["check", "--no-save", "RemoteAgent.java"]);
    assert!(text.contains("error[EP0118]: a missed signal: "), "{text}");
    // There somebody else was woken: whoever waits had looked after the notification.
    for name in ["DiningPhilosophers", "BoundedBufferNotify"] {
        let Some(file) = example(name) else { return };
        let (text, _) = everypath(&file, &["check", "--no-save", &format!("{name}.java")]);
        assert!(text.contains("EP0102") && !text.contains("EP0118"), "{text}");
    }
}

#[test]
fn warnings_guide_the_search_to_their_threads() {
    // The agent among threads that have nothing to do with it, in more orders than can be searched.
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java");
    let text = std::fs::read_to_string(examples.join("RemoteAgent.java")).expect("an example");
    let busy = "static final int[] DONE = new int[8];
    static synchronized void note(int me) {
        DONE[me]++;
    }
    static void work(int me) {
        for (int i = 0; i < 60; i++) {
            note(me);
        }
    }
    public static void main(String[] args) {
        for (int i = 0; i < 8; i++) {
            int me = i;
            new Thread(() -> work(me), \"busy-\" + me).start();
        }";
    let text = text.replace("public static void main(String[] args) {", busy);
    let Some(file) = program("Large", &text.replace("RemoteAgent", "Large")) else { return };
    let args = ["check", "Large.java", "--guide", "races", "--states", "300k"];
    let (text, code) = everypath(&file, &args);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("EP0102") || text.contains("EP0116"), "{text}");
    let (json, _) = everypath(&file, &[&args[..], &["--format", "json"]].concat());
    let json = &json[json.find('{').expect("a document")..=json.rfind('}').expect("its end")];
    let found: serde_json::Value = serde_json::from_str(json).expect("a document");
    let notes: Vec<&str> = found["diagnostics"]
        .as_array()
        .expect("notes")
        .iter()
        .filter(|note| note["code"] == "EP0121")
        .map(|note| note["message"].as_str().expect("a message"))
        .collect();
    let confirmed = |note: &&str| note.contains("Event.count: confirmed (");
    assert!(notes.iter().any(confirmed), "{notes:?}");
    let (text, code) = everypath(&file, &["replay", "last"]);
    assert_eq!(code, Some(1), "{text}");
    // Gate locks: the warning that is left is confirmed, and nothing is where there is none.
    let Some(file) = example("FourLocks") else { return };
    let (text, code) =
        everypath(&file, &["check", "--no-save", "FourLocks.java", "--guide", "races"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("EP0102"), "{text}");
    let Some(file) = example("GatedLocks") else { return };
    let (text, code) =
        everypath(&file, &["check", "--no-save", "GatedLocks.java", "--guide", "races"]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn single_runs_show_races_and_orders_of_locks() {
    let Some(file) = program("Locks2", &LOCKS.replace("Locks", "Locks2")) else { return };
    let (text, code) = everypath(&file, &["races", "Locks2.java", "--runs", "3"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error[EP0116]: data race on Box.x"), "{text}");
    assert!(text.contains("holding Locks2.A") && text.contains("holding Locks2.B"), "{text}");
    let Some(file) = example("FourLocks") else { return };
    let args = ["races", "FourLocks.java", "--runs", "20", "--format", "json"];
    let (text, code) = everypath(&file, &args);
    assert_eq!(code, Some(3), "{text}");
    let json = &text[text.find('{').expect("a document")..=text.rfind('}').expect("its end")];
    let found: serde_json::Value = serde_json::from_str(json).expect("a document");
    let about: Vec<&str> = found["warnings"]
        .as_array()
        .expect("warnings")
        .iter()
        .filter(|warning| warning["kind"] == "lock-order")
        .map(|warning| warning["about"].as_str().expect("locks"))
        .collect();
    assert_eq!(about, ["FourLocks.L3, FourLocks.L4"], "{text}");
    let Some(file) = example("GatedLocks") else { return };
    let (text, code) = everypath(&file, &["races", "GatedLocks.java", "--runs", "20"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(!text.contains("circle"), "a gate lock: {text}");
    let (_, code) = everypath(&file, &["races", "missing.pml"]);
    assert_eq!(code, Some(2));
}

#[test]
fn the_remote_agent_shows_its_race_in_every_run() {
    // Whoever goes first: the planner reads the counter of the event without its lock.
    let Some(file) = example("RemoteAgent") else { return };
    for seed in 1..=10 {
        let seed = seed.to_string();
        let args = ["races", "RemoteAgent.java", "--seed", &seed, "--steps", "400"];
        let (text, code) = everypath(&file, &args);
        assert!(matches!(code, Some(1 | 3)), "{text}");
        assert!(text.contains("Event.count"), "seed {seed}: {text}");
        assert!(!text.contains("warning[EP0119]: no lock protects Planner"), "{text}");
    }
}

#[test]
fn a_warned_circle_of_wrapped_collections_is_confirmed() {
    let text = "import java.util.*;
    public class Wrapped extends Thread {
        final List<Object> a, b;
        final int what;
        Wrapped(List<Object> a, List<Object> b, int what) {
            this.a = a;
            this.b = b;
            this.what = what;
        }
        @Override public void run() {
            switch (what) {
                case 0: a.add(\"o\"); break;
                case 1: a.addAll(b); break;
                case 2: a.clear(); break;
                case 3: a.contains(\"o\"); break;
                case 4: a.containsAll(b); break;
                default: a.remove(\"o\"); break;
            }
        }
        public static void main(String[] args) {
            List<Object> a = Collections.synchronizedList(new LinkedList<>());
            List<Object> b = Collections.synchronizedList(new LinkedList<>());
            for (int i = 0; i < 3; i++) {
                a.add(\"a\" + i);
                b.add(\"b\" + i);
            }
            for (int i = 0; i < 6; i++) {
                new Wrapped(a, b, i).start();
                new Wrapped(b, a, i).start();
            }
        }
    }";
    let Some(file) = program("Wrapped", text) else { return };
    let (text, code) = everypath(&file, &["check", "Wrapped.java", "--guide", "races"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("locks in a circle: "), "{text}");
    assert!(
        text.contains("confirmed (deadlock)") || text.contains("confirmed (partial deadlock"),
        "{text}"
    );
}
