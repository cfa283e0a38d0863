//! Spurious wake-ups and spurious failures of weak compare-and-set. Without a JDK nothing is checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use everypath_lang_java::Jdk;

/// A directory with a program; `None` without a JDK.
fn program(name: &str, body: &str) -> Option<PathBuf> {
    if let Err(why) = Jdk::find() {
        eprintln!("Java programs were not checked: {why}");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("spurious-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a directory");
    let text = format!(
        "import java.util.concurrent.*;\nimport java.util.concurrent.atomic.*;\n\
         import java.util.concurrent.locks.*;\npublic class {name} {{\n{body}\n}}\n"
    );
    fs::write(folder.join(format!("{name}.java")), text).expect("a source");
    Some(folder)
}

/// What a command prints on both streams, in one line, and its exit code.
fn run(folder: &Path, words: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(words)
        .current_dir(folder)
        .output()
        .expect("everypath runs");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let line: Vec<&str> = text.split_whitespace().collect();
    (line.join(" "), output.status.code())
}

/// Reductions that have to agree.
const WAYS: [&[&str]; 3] = [&[], &["--reduce", "none"], &["--search", "dfs"]];

/// Checks a program with and without the option; with it `event` is all that makes it wrong. Where there is something
/// `assumed` it is right without.
fn wrong_only_with(name: &str, body: &str, assumed: &str, event: &str) {
    let file = format!("{name}.java");
    let Some(folder) = program(name, body) else { return };
    for way in WAYS {
        let usual = [&["check", "--no-config", "--no-save", &file], way].concat();
        let (text, code) = run(&folder, &usual);
        assert_eq!(code, Some(if assumed.is_empty() { 1 } else { 0 }), "{text}");
        assert!(text.contains(assumed), "{text}");
        let words = [&usual[..], &["--spurious-wakeups"]].concat();
        let (text, code) = run(&folder, &words);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("error[EP0127]"), "{text}");
        assert!(text.contains(&format!("only with {event} at {file}:")), "{text}");
        assert!(assumed.is_empty() || !text.contains(assumed), "{text}");
    }
    // What was saved is followed again.
    for way in WAYS {
        let words = [&["check", "--no-config", &file, "--spurious-wakeups"], way].concat();
        assert_eq!(run(&folder, &words).1, Some(1));
        let (text, code) = run(&folder, &["show", "last"]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains(event), "{text}");
        let (text, code) = run(&folder, &["replay", "last"]);
        assert_eq!(code, Some(1), "{text}");
    }
}

/// Checks that a program is right with and without the option.
fn right(name: &str, body: &str) {
    let file = format!("{name}.java");
    let Some(folder) = program(name, body) else { return };
    for way in WAYS {
        let words = [&["check", "--no-config", "--no-save", &file, "--spurious-wakeups"], way];
        let (text, code) = run(&folder, &words.concat());
        assert_eq!(code, Some(0), "{text}");
        assert!(!text.contains("no spurious"), "{text}");
    }
}

const MONITOR: &str = "static final Object lock = new Object();\nstatic boolean ready;\n\
    static void open() { synchronized (lock) { ready = true; lock.notifyAll(); } }\n";

const CONDITION: &str = "static final ReentrantLock lock = new ReentrantLock();\n\
    static final Condition opened = lock.newCondition();\nstatic boolean ready;\n\
    static void open() { lock.lock(); ready = true; opened.signal(); lock.unlock(); }\n";

fn main(name: &str, body: &str) -> String {
    format!(
        "public static void main(String[] args) throws Exception {{\n\
         new Thread({name}::open).start();\n{body}\n}}"
    )
}

#[test]
fn a_wait_without_a_loop_is_wrong_only_with_a_spurious_wake_up() {
    let body = "synchronized (lock) { if (!ready) lock.wait(); assert ready; }";
    let text = format!("{MONITOR}{}", main("IfWait", body));
    wrong_only_with("IfWait", &text, "no spurious wake-ups", "a spurious wake-up of Object.wait");
}

#[test]
fn a_wait_in_a_loop_is_right() {
    let body = "synchronized (lock) { while (!ready) lock.wait(); assert ready; }";
    right("LoopWait", &format!("{MONITOR}{}", main("LoopWait", body)));
}

#[test]
fn a_condition_without_a_loop_is_wrong_only_with_a_spurious_wake_up() {
    let body =
        "lock.lock(); try { if (!ready) opened.await(); assert ready; } finally { lock.unlock(); }";
    let text = format!("{CONDITION}{}", main("IfAwait", body));
    let event = "a spurious wake-up of Condition.await";
    wrong_only_with("IfAwait", &text, "no spurious wake-ups", event);
}

#[test]
fn a_timed_condition_that_is_not_late_was_signalled() {
    let body = "lock.lock(); long left = opened.awaitNanos(1_000_000); \
        assert left <= 0 || ready; lock.unlock();";
    let text = format!("{CONDITION}{}", main("Nanos", body));
    let event = "a spurious wake-up of Condition.awaitNanos";
    wrong_only_with("Nanos", &text, "no spurious wake-ups", event);
}

#[test]
fn a_park_without_a_loop_is_wrong_only_with_a_spurious_wake_up() {
    let body = "static volatile boolean ready;\nstatic Thread waiter = Thread.currentThread();\n\
        static void open() { ready = true; LockSupport.unpark(waiter); }\n";
    let text = format!("{body}{}", main("IfPark", "LockSupport.park(); assert ready;"));
    let event = "a spurious wake-up of LockSupport.park";
    wrong_only_with("IfPark", &text, "no spurious wake-ups", event);
}

#[test]
fn weak_compare_and_set_may_fail() {
    let failure = "a spurious failure of weakCompareAndSet";
    for (name, fields, call) in [
        (
            "WeakPlain",
            "AtomicInteger n = new AtomicInteger();",
            "n.weakCompareAndSetVolatile(0, 1)",
        ),
        (
            "WeakStamp",
            "AtomicStampedReference<String> n = new AtomicStampedReference<>(\"a\", 0);",
            "n.weakCompareAndSet(\"a\", \"b\", 0, 1)",
        ),
    ] {
        let text = format!(
            "static final {fields}\npublic static void main(String[] args) {{ assert {call}; }}"
        );
        wrong_only_with(name, &text, "", failure);
    }
    let body = "static final AtomicInteger n = new AtomicInteger();\n\
        static void open() { int o; do { o = n.get(); } while (!n.weakCompareAndSetVolatile(o, o + 1)); }\n";
    let adds = "Thread t = new Thread(WeakLoop::open); t.start(); t.join(); assert n.get() >= 1;";
    right("WeakLoop", &format!("{body}{}", main("WeakLoop", adds)));
}

#[test]
fn the_library_is_not_woken() {
    let body = "static final BlockingQueue<Integer> jobs = new ArrayBlockingQueue<>(1);\n\
        static final CountDownLatch done = new CountDownLatch(1);\n\
        static void open() { jobs.add(3); done.countDown(); }\n";
    let takes = "assert jobs.take() == 3; done.await();";
    let text = format!("{body}{}", main("Takes", takes));
    let Some(folder) = program("Takes", &text) else { return };
    let words = ["check", "--no-config", "--no-save", "Takes.java", "--spurious-wakeups"];
    let (text, code) = run(&folder, &words);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn who_could_only_wake_up_without_a_reason_is_deadlocked() {
    let body = "static final Object lock = new Object();\nstatic boolean ready;\n\
        public static void main(String[] args) throws Exception {\n\
        synchronized (lock) { while (!ready) lock.wait(); }\n}";
    let Some(folder) = program("Stuck", body) else { return };
    for way in WAYS {
        let words = [&["check", "--no-config", "--no-save", "Stuck.java"], way].concat();
        for more in [&[][..], &["--spurious-wakeups"]] {
            let (text, code) = run(&folder, &[&words[..], more].concat());
            assert_eq!(code, Some(1), "{text}");
            assert!(text.contains("error[EP0102]") && !text.contains("EP0127"), "{text}");
        }
    }
}

#[test]
fn what_is_wrong_without_and_what_is_wrong_with_are_told_apart() {
    let body = "static int count;\n\
        static void more() { synchronized (lock) { count++; }\nassert count == 0;\n}\n";
    let waits = "new Thread(Two::more).start();\n\
        synchronized (lock) { if (!ready) lock.wait(); \nassert ready;\n}";
    let text = format!("{MONITOR}{body}{}", main("Two", waits));
    let Some(folder) = program("Two", &text) else { return };
    let words = ["check", "--no-config", "--no-save", "Two.java", "--spurious-wakeups"];
    let (text, code) = run(&folder, &words);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("assertion can fail: count == 0"), "{text}");
    assert!(text.contains("error[EP0127]: assertion can fail: ready"), "{text}");
    assert_eq!(text.matches("error[EP0127]").count(), 1, "{text}");
}

#[test]
fn the_option_is_refused_where_it_has_no_meaning() {
    let Some(folder) = program("Plain", "public static void main(String[] args) { }") else {
        return;
    };
    for more in [&["--search", "stateless"][..], &["--ltl", "[] true"]] {
        let words = ["check", "--no-config", "--no-save", "Plain.java", "--spurious-wakeups"];
        let (text, code) = run(&folder, &[&words[..], more].concat());
        assert!(code == Some(2) || code == Some(3), "{text}");
        assert!(text.contains("--spurious-wakeups"), "{text}");
    }
    // As a setting of a file and as a variable.
    fs::write(folder.join("everypath.toml"), "[check]\nspurious-wakeups = true\n").expect("a file");
    let (text, code) = run(&folder, &["check", "--no-save", "Plain.java", "--search", "stateless"]);
    assert!(code != Some(0) && text.contains("--spurious-wakeups"), "{text}");
}
