//! `everypath check` on Java programs. Without a JDK it says so and checks nothing.

use everypath_testkit::needs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program in a directory of its own; `None` without a JDK.
fn program(name: &str, text: &str) -> Option<PathBuf> {
    if !needs::javac() {
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("java-{name}"));
    std::fs::create_dir_all(&folder).expect("a directory");
    let file = folder.join(format!("{name}.java"));
    std::fs::write(&file, text).expect("a file");
    Some(file)
}

/// What `check` prints on both streams, in one line, and its exit code.
fn check(file: &Path, more: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["check", "--no-save", "--no-config"])
        .arg(file)
        .args(more)
        .output()
        .expect("everypath runs");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = text.split_whitespace().collect();
    (words.join(" "), output.status.code())
}

#[test]
fn a_deadlock_is_found() {
    let text = "public class Crossed {
        static final Object A = new Object(), B = new Object();
        public static void main(String[] args) {
            new Thread(() -> { synchronized (A) { synchronized (B) { } } }, \"one\").start();
            new Thread(() -> { synchronized (B) { synchronized (A) { } } }, \"two\").start();
        }
    }";
    let Some(file) = program("Crossed", text) else { return };
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error[EP0102]: deadlock"), "{text}");
    assert!(text.contains("two holds Crossed.B since step"), "{text}");
    assert!(text.contains("one holds Crossed.A since step"), "{text}");
    let circle = "circle: one waits for two (Crossed.B), two waits for one (Crossed.A).";
    assert!(text.contains(circle), "{text}");
}

#[test]
fn an_unprotected_counter_loses_steps() {
    let body = |how: &str| {
        format!(
            "public class Count {{
                static int x;
                {how} static void step() {{ x++; }}
                public static void main(String[] args) throws Exception {{
                    Thread other = new Thread(() -> {{ step(); step(); }});
                    other.start();
                    step(); step();
                    other.join();
                    assert x == 4 : \"x is \" + x;
                }}
            }}"
        )
    };
    let Some(file) = program("Count", &body("")) else { return };
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error[EP0101]: assertion can fail: x == 4: x is"), "{text}");
    assert!(text.contains("wrote Count.x in between"), "{text}");
    assert!(text.contains("at Count.main(Count.java:9)"), "{text}");
    std::fs::write(&file, body("synchronized")).expect("a file");
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("holds assertions 1 assertion, reached"), "{text}");
    assert!(text.contains("holds no deadlock"), "{text}");
    assert!(text.contains("Every interleaving covered"), "{text}");
}

#[test]
fn an_exception_that_nobody_catches_is_told() {
    let text = "public class Thrown {
        static int[] a;
        public static void main(String[] args) {
            new Thread(() -> a = new int[1]).start();
            a[0] = 1;
        }
    }";
    let Some(file) = program("Thrown", text) else { return };
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(1), "{text}");
    let wanted = "error[EP0115]: thread main ends with java.lang.NullPointerException: Cannot store to \
                  int array because \"Thrown.a\" is null";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn errors_of_javac_are_shown() {
    let Some(file) = program("Wrong", "public class Wrong { int x = true; }") else { return };
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("error[EP1012]"), "{text}");
    assert!(text.contains("incompatible types"), "{text}");
}

#[test]
fn a_native_method_without_a_peer_is_unknown() {
    let text = "public class Calls {
        static native void outside();
        public static void main(String[] args) { outside(); }
    }";
    let Some(file) = program("Calls", text) else { return };
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("native method Calls.outside()V"), "{text}");
}

#[test]
fn a_damaged_class_file_is_refused() {
    let Some(file) = program("Whole", "public class Whole { }") else { return };
    let class = file.with_extension("class");
    std::fs::write(&class, b"\xca\xfe\xba\xbe\0\0\0\x3d\0\x05\x01").expect("a file");
    let (text, code) = check(&class, &[]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("the file ends too early"), "{text}");
}

/// What is not done for Java programs is refused, not left out.
#[test]
fn options_for_other_languages_are_refused() {
    let text = "public class Plain { public static void main(String[] args) { } }";
    let Some(file) = program("Plain", text) else { return };
    for options in [
        &["--reduce", "stubborn"][..],
        &["--fair", "strong"],
        &["--cycles", "progress"],
        &["--checkpoint=1s"],
    ] {
        let (text, code) = check(&file, options);
        assert_eq!(code, Some(3), "{options:?}: {text}");
        assert!(
            text.contains("EP1013")
                && text.contains(options[0].split('=').next().unwrap_or_default()),
            "{options:?}: {text}"
        );
    }
    for options in
        [&[][..], &["--reduce", "none"], &["-j", "2"], &["--disk"], &["--search", "random"]]
    {
        let wanted = if options.contains(&"random") { 3 } else { 0 };
        let (text, code) = check(&file, options);
        assert_eq!(code, Some(wanted), "{options:?}: {text}");
    }
}

/// What a command prints on its standard output and on its standard error, and its exit code.
fn everypath(folder: &Path, args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("everypath runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

const GREETING: &str = "public class Greeting {
    public static void main(String[] args) {
        for (String arg : args) {
            System.out.println(\"hello \" + arg);
        }
        if (args.length > 2) {
            System.err.println(\"too many\");
            System.exit(7);
        }
    }
}";

#[test]
fn sim_prints_what_the_program_prints() {
    let Some(file) = program("Greeting", GREETING) else { return };
    let folder = file.parent().expect("a folder");
    let (out, err, code) = everypath(folder, &["sim", "Greeting.java", "--", "ann", "-x"]);
    assert_eq!((out.as_str(), err.as_str(), code), ("hello ann\nhello -x\n", "", Some(0)));
    let (out, err, code) =
        everypath(folder, &["sim", "Greeting.java", "--seed", "3", "--", "a", "b", "c"]);
    assert_eq!((out.as_str(), err.as_str()), ("hello a\nhello b\nhello c\n", "too many\n"));
    assert_eq!(code, Some(7));
    let (out, _, code) =
        everypath(folder, &["check", "Greeting.java", "--format=json", "--", "ann"]);
    assert_eq!(code, Some(0), "{out}");
    let result: serde_json::Value = serde_json::from_str(&out).expect("a document");
    assert_eq!(result["output"], "hello ann\n");
}

#[test]
fn sim_stops_where_nobody_can_move() {
    let text = "public class Stuck {
        public static void main(String[] args) throws Exception { Thread.currentThread().join(); }
    }";
    let Some(file) = program("Stuck", text) else { return };
    let (_, err, code) = everypath(file.parent().expect("a folder"), &["sim", "Stuck.java"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("deadlock: no thread can move"), "{err}");
    assert!(err.contains("main has not"), "{err}");
}

#[test]
fn classes_and_jars_with_their_paths() {
    let text = "package app; public class Start {
        public static void main(String[] args) { System.out.println(lib.Word.get()); }
    }";
    let Some(file) = program("Start", text) else { return };
    let folder = file.parent().expect("a folder").to_owned();
    std::fs::create_dir_all(folder.join("src/lib")).expect("a folder");
    std::fs::create_dir_all(folder.join("src/app")).expect("a folder");
    std::fs::rename(&file, folder.join("src/app/Start.java")).expect("a file");
    let word = "package lib; public class Word { public static String get() { return \"word\"; } }";
    std::fs::write(folder.join("src/lib/Word.java"), word).expect("a file");
    let jdk = everypath_lang_java::Jdk::find().expect("a JDK");
    let run = |tool: &str, args: &[&str]| {
        let tool = jdk.home.join("bin").join(tool);
        let status = Command::new(tool).args(args).current_dir(&folder).status();
        assert!(status.expect("it runs").success());
    };
    // The source, with the other one beside its package.
    let (out, err, _) = everypath(&folder, &["sim", "src/app/Start.java"]);
    assert_eq!((out.as_str(), err.as_str()), ("word\n", ""));
    run("javac", &["-d", "app", "-cp", "src", "-sourcepath", "src", "src/app/Start.java"]);
    run("javac", &["-d", "lib", "src/lib/Word.java"]);
    std::fs::remove_dir_all(folder.join("app/lib")).expect("a folder");
    for args in [
        &["sim", "app/app/Start.class", "-cp", "lib"][..],
        &["sim", "app", "--main", "app.Start", "-cp", "lib"],
    ] {
        let (out, err, _) = everypath(&folder, args);
        assert_eq!((out.as_str(), err.as_str()), ("word\n", ""), "{args:?}");
    }
    let (_, err, code) = everypath(&folder, &["sim", "app/app/Start.class"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("NoClassDefFoundError: lib/Word"), "{err}");
    // A jar that names another one.
    std::fs::write(folder.join("manifest"), "Main-Class: app.Start\nClass-Path: word.jar\n")
        .expect("a file");
    run("jar", &["cfm", "app.jar", "manifest", "-C", "app", "."]);
    run("jar", &["cf", "word.jar", "-C", "lib", "."]);
    let (out, err, _) = everypath(&folder, &["sim", "app.jar"]);
    assert_eq!((out.as_str(), err.as_str()), ("word\n", ""));
    // Its traces are replayed on it.
    let (out, err, code) =
        everypath(&folder, &["sim", "app.jar", "--show=none", "-o", "walk.json"]);
    assert_eq!(code, Some(0), "{out} {err}");
    let (out, err, code) = everypath(&folder, &["replay", "walk.json", "app.jar"]);
    assert_eq!(code, Some(0), "{out} {err}");
    // What cannot be.
    for (args, wanted) in [
        (&["check", "word.jar", "--no-save"][..], "does not say which class has `main`"),
        (
            &["check", "word.jar", "--main", "lib.Word", "--no-save"],
            "has no `public static void main",
        ),
        (&["check", "word.jar", "--main", "lib.Wrod", "--no-save"], "there is no class lib.Wrod"),
        (&["check", "manifest.jar", "--no-save"], "cannot read manifest.jar"),
    ] {
        let (out, err, code) = everypath(&folder, args);
        assert_eq!(code, Some(2), "{args:?} {out} {err}");
        assert!((out.clone() + &err).contains(wanted), "{args:?} {out} {err}");
    }
    std::fs::write(folder.join("broken.jar"), b"PK no").expect("a file");
    let (out, _, code) = everypath(&folder, &["check", "broken.jar", "--no-save"]);
    assert_eq!(code, Some(2), "{out}");
    assert!(out.contains("broken.jar"), "{out}");
}

#[test]
fn coverage_names_what_was_not_executed() {
    let text = "public class Half {
        static int x;
        static void never() {
            x = 9;
        }
        public static void main(String[] args) {
            if (args.length > 0) {
                never();
            }
            x++;
        }
    }";
    let Some(file) = program("Half", text) else { return };
    let (text, code) = check(&file, &["--coverage"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("Half.java:4 x = 9;"), "{text}");
    assert!(text.contains("Half.java:8 never();"), "{text}");
    assert!(text.contains("1 of 2 methods, 1 of 2 branches"), "{text}");
    let (text, _) = check(&file, &["--coverage", "--arg=1"]);
    assert!(text.contains("2 of 2 methods, 1 of 2 branches"), "{text}");
    assert!(!text.contains("unreached"), "{text}");
    let (text, _) = check(&file, &[]);
    assert!(!text.contains("coverage"), "{text}");
}

#[test]
fn a_trace_is_replayed_on_its_program() {
    let text = "public class Again {
        static final Object A = new Object(), B = new Object();
        public static void main(String[] args) {
            new Thread(() -> { synchronized (A) { synchronized (B) { } } }).start();
            synchronized (B) { synchronized (A) { } }
        }
    }";
    let Some(file) = program("Again", text) else { return };
    let folder = file.parent().expect("a folder");
    std::fs::write(folder.join("everypath.toml"), "").expect("a file");
    let (_, err, code) = everypath(folder, &["check", "Again.java"]);
    assert_eq!(code, Some(1), "{err}");
    let (out, err, code) = everypath(folder, &["replay", "last"]);
    assert_eq!(code, Some(1), "{out} {err}");
    assert!(out.contains("the violation is still there"), "{out} {err}");
    let (out, err, code) =
        everypath(folder, &["sim", "Again.java", "--trace", "last", "--show=steps"]);
    assert_eq!(code, Some(1), "{out} {err}");
    assert!(out.contains("deadlock after"), "{out} {err}");
    assert!(out.contains("main  the thread begins  "), "{out} {err}");
    assert!(out.contains("takes Again.A") && out.contains("starts Thread-0"), "{out} {err}");
}

#[test]
fn the_files_of_java_pathfinder_are_read() {
    let Some(file) = program("Greeting2", &GREETING.replace("Greeting", "Greeting2")) else {
        return;
    };
    let folder = file.parent().expect("a folder");
    std::fs::write(folder.join("common.jpf"), "search.depth_limit = 50\n").expect("a file");
    let text = "# a comment\n@import = common.jpf\ntarget = Greeting2\ntarget.args = a,\\\n  b\n\
                classpath = ${config_path}\nlistener = gov.nasa.jpf.listener.SearchMonitor\n\
                report.console.finished = result\n";
    std::fs::write(folder.join("Greeting2.jpf"), text).expect("a file");
    let run = |more: &[&str]| {
        let mut args = vec!["jpf"];
        args.extend(more);
        everypath(folder, &args)
    };
    let (out, err, code) = run(&["+search.multiple_errors=true", "Greeting2.jpf"]);
    assert_eq!(code, Some(0), "{out} {err}");
    assert!(out.contains("no deadlock"), "{out}");
    for wanted in [
        "--depth=50",
        "--all-errors",
        "--arg=a --arg=b",
        "honoured: search.depth_limit",
        "ignored: listener SearchMonitor",
        "ignored: report.console.finished",
    ] {
        assert!(err.contains(wanted), "{wanted}: {err}");
    }
    // What is asked and not looked at is no success.
    let loops = "+listener=gov.nasa.jpf.listener.EndlessLoopDetector";
    let (_, err, code) = run(&[loops, "Greeting2.jpf"]);
    assert_eq!(code, Some(3), "{err}");
    assert!(err.contains("not checked: listener EndlessLoopDetector"), "{err}");
    let races = "+listener=gov.nasa.jpf.listener.PreciseRaceDetector";
    let (_, err, code) = run(&[races, "Greeting2.jpf"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("honoured: listener PreciseRaceDetector"), "{err}");
    // Without a file.
    let (_, err, code) = run(&["+classpath=.", "Greeting2", "a", "b", "c"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("--arg=c"), "{err}");
    for (args, wanted) in [
        (&["+search.depth_limt=3", "Greeting2.jpf"][..], "did you mean `search.depth_limit`"),
        (&["Nowhere"], "there is no class Nowhere"),
        (&["missing.jpf"], "cannot read missing.jpf"),
        (&["+a=${b", "Greeting2.jpf"], "without `}`"),
        (&["-what", "Greeting2.jpf"], "unknown option -what"),
    ] {
        let (_, err, code) = run(args);
        assert_eq!(code, Some(2), "{args:?} {err}");
        assert!(err.contains(wanted), "{args:?} {err}");
    }
}

#[test]
fn assumptions_that_turn_out_wrong_are_given_up() {
    // The second thread writes what the first one reads, with another lock, and only in some schedules.
    let text = "public class Late {
        static final Object A = new Object(), B = new Object();
        static boolean open;
        static volatile int seen;
        static int x;
        public static void main(String[] args) throws Exception {
            Thread other = new Thread(() -> {
                synchronized (A) { x = 1; x = 2; }
                if (seen == 7) synchronized (B) { x = 3; }
            });
            other.start();
            for (int i = 1; i <= 7; i++) seen = i;
            synchronized (A) { assert x != 1; }
            synchronized (B) { if (seen == 7) assert x != 1; }
        }
    }";
    let Some(file) = program("Late", text) else { return };
    for reduce in ["default", "none", "local", "local,constant", "local,library"] {
        let (text, code) = check(&file, &["--reduce", reduce]);
        assert_eq!(code, Some(1), "{reduce}: {text}");
    }
}

#[test]
fn reductions_belong_to_their_language() {
    let text = "public class Nothing { public static void main(String[] args) { } }";
    let Some(file) = program("Nothing", text) else { return };
    let (text, code) = check(&file, &["--reduce", "stubborn"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("--reduce stubborn cannot be used with Java programs"), "{text}");
    let model = file.with_extension("pml");
    std::fs::write(&model, "active proctype P() { skip }").expect("a file");
    let (text, code) = check(&model, &["--reduce", "locks"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("--reduce locks is for Java programs"), "{text}");
}

/// Directories have the programs in them; a target of everypath.toml may be a directory of classes.
#[test]
fn directories_and_targets() {
    let Some(file) = program("Folder", "class Folder { }") else { return };
    let folder = file.parent().expect("a folder");
    for (name, text) in [
        ("src/First.java", "class First { public static void main(String[] a) { Other.go(); } }"),
        ("src/Other.java", "class Other { static void go() { } }"),
    ] {
        std::fs::create_dir_all(folder.join("src")).expect("a folder");
        std::fs::write(folder.join(name), text).expect("a file");
    }
    let (out, err, code) = everypath(folder, &["check", "src", "--no-save", "--no-config"]);
    assert_eq!(code, Some(0), "{out} {err}");
    assert!(out.contains("src/First.java") && !out.contains("Other.java"), "{out}");
    let jdk = everypath_lang_java::Jdk::find().expect("a JDK");
    let javac = Command::new(jdk.javac())
        .args(["-d", "classes", "-sourcepath", "src", "src/First.java"])
        .current_dir(folder)
        .status();
    assert!(javac.expect("javac runs").success());
    let toml = "[[target]]\npath = \"classes\"\nmain = \"First\"\nclass-path = \"lib\"\n";
    std::fs::write(folder.join("everypath.toml"), toml).expect("a file");
    let (out, err, code) = everypath(folder, &["check", "--no-save"]);
    assert_eq!(code, Some(0), "{out} {err}");
    assert!(out.contains("Java, 1 thread"), "{out} {err}");
}

/// Three threads that count without a lock: `rounds` makes the number of states.
fn counters(name: &str, rounds: u32) -> String {
    format!(
        "public class {name} {{
            static volatile int a, b, c;
            static void count() {{
                for (int i = 0; i < {rounds}; i++) {{
                    a = a + 1;
                    b = b + a;
                    c = c + b;
                }}
            }}
            public static void main(String[] args) {{
                for (int i = 0; i < 2; i++) {{
                    new Thread({name}::count).start();
                }}
            }}
        }}"
    )
}

/// The result of `check` as a document, and its exit code.
fn result_of(file: &Path, more: &[&str]) -> (serde_json::Value, Option<i32>) {
    let folder = file.parent().expect("a folder");
    let mut args = vec!["check", "--no-save", "--no-config", "--format=json"];
    args.push(file.to_str().expect("a name"));
    args.extend(more);
    let (out, err, code) = everypath(folder, &args);
    let result = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    (result, code)
}

#[test]
fn limits_are_honoured_and_say_what_was_found() {
    let Some(file) = program("Limited", &counters("Limited", 30)) else { return };
    for (limit, said) in [("--states=20000", "states"), ("--mem=16M", "memory")] {
        let (result, code) = result_of(&file, &["-j1", limit]);
        assert_eq!(code, Some(3), "{limit}: {result}");
        assert_eq!(result["verdict"], "no violation found", "{limit}: {result}");
        let states = result["stats"]["states"].as_u64().expect("states");
        assert!(states > 1_000, "{limit}: {states} states");
        assert_eq!(result["run"]["stop"], said, "{limit}: {result}");
        let bytes = result["stats"]["bytes"].as_u64().expect("bytes");
        assert!(bytes < 64 << 20, "{limit}: {bytes} bytes");
    }
}

#[test]
fn a_million_states_need_little_memory() {
    // Without optimisation this takes minutes.
    if std::env::var_os("EVERYPATH_ALL").is_none() {
        return;
    }
    let Some(file) = program("Million", &counters("Million", 60)) else { return };
    let (result, code) = result_of(&file, &["-j1", "--mem=4GiB", "--states=1200000"]);
    assert_eq!(code, Some(3), "{result}");
    let number = |name: &str| result["stats"][name].as_u64().expect("a number");
    assert!(number("states") >= 1_000_000, "{result}");
    assert!(number("bytes") < 1 << 30, "{result}");
    let peak = result["run"]["peak_bytes"].as_u64().expect("a number");
    assert!(peak < 4 << 30, "{peak} bytes of memory");
}

/// The verdicts of all properties, by their numbers.
fn verdicts(result: &serde_json::Value) -> Vec<(String, String)> {
    let all = result["properties"].as_array().expect("properties");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let mut verdicts: Vec<_> =
        all.iter().map(|one| (text(&one["id"]), text(&one["verdict"]))).collect();
    verdicts.sort();
    verdicts
}

#[test]
fn run_by_run_the_verdicts_are_the_same() {
    if !needs::javac() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java");
    for name in ["Counter", "CounterAtomic", "PartialDeadlock", "LostWakeUp", "Ledgers", "TwoLocks"]
    {
        let file = folder.join(format!("{name}.java"));
        let (states, code) = result_of(&file, &["--all-errors"]);
        for more in [&["-j", "1"], &["-j", "2"]] {
            let args = [&["--search", "stateless", "--all-errors"], &more[..]].concat();
            let (runs, other) = result_of(&file, &args);
            assert_eq!(code, other, "{name}");
            assert_eq!(verdicts(&states), verdicts(&runs), "{name}");
            let executions = runs["stats"]["runs"]["executions"].as_u64();
            assert!(executions.is_some_and(|count| count > 0), "{name}: {}", runs["stats"]);
            assert_eq!(runs["run"]["engine"], "stateless");
        }
    }
    let ledgers = folder.join("Ledgers.java");
    let (bounded, code) = result_of(&ledgers, &["--search", "stateless", "--preemptions", "0"]);
    assert_eq!(code, Some(3), "{bounded}");
    assert_eq!(bounded["scope"]["bounds"]["preemptions"], 0);
    assert_eq!(bounded["scope"]["complete"], false);
    let (text, code) = check(&ledgers, &["--preemptions", "1"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("--preemptions has no use here"), "{text}");
}

#[test]
fn places_are_the_same_in_every_format() {
    let text = "public class Placed {
        static int total;
        public static void main(String[] args) throws Exception {
            Thread other = new Thread(() -> total++);
            other.start();
            other.join();
            assert total == 2 : \"total \" + total;
        }
    }";
    let Some(file) = program("Placed", text) else { return };
    let folder = file.parent().expect("a folder");
    let (sarif, junit) = (folder.join("out.sarif"), folder.join("out.xml"));
    let (outputs, code) = (
        [format!("-o=sarif={}", sarif.display()), format!("-o=junit={}", junit.display())],
        Some(1),
    );
    let (printed, exit) = check(&file, &[&outputs[0], &outputs[1]]);
    assert_eq!(exit, code, "{printed}");
    assert!(printed.contains("Placed.java:7:13"), "{printed}");
    let sarif = std::fs::read_to_string(sarif).expect("a file");
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "EP0101");
    let place = &result["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().expect("a text");
    assert!(uri.ends_with("Placed.java"), "{uri}");
    assert_eq!(place["region"]["startLine"], 7);
    assert_eq!(place["region"]["startColumn"], 13);
    let junit = std::fs::read_to_string(junit).expect("a file");
    assert!(junit.contains("name=\"assert@7:13\""), "{junit}");
    assert!(junit.contains("failures=\"1\"") && junit.contains("Placed.java:7:13"), "{junit}");
}

#[test]
fn a_walk_speaks_of_threads() {
    let text = "public class Walked {
        public static void main(String[] args) throws Exception {
            Object lock = new Object();
            synchronized (lock) { lock.wait(); }
        }
    }";
    let Some(file) = program("Walked", text) else { return };
    let mut walk = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["sim", "-i"])
        .arg(&file)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("everypath runs");
    let mut commands = walk.stdin.take().expect("its input");
    std::io::Write::write_all(&mut commands, b"run\nquit\n").expect("commands");
    drop(commands);
    let output = walk.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("1 thread; ") && text.contains("no thread can move"), "{text}");
}

/// Money that goes from one field to the other, under a lock.
const MOVES: &str = "public class Moves {
        static int here = 100, there, asked;
        static boolean sound() { return here + there == 100; }
        static synchronized boolean soundUnderLock() { return here + there == 100; }
        static boolean counting() { asked++; return true; }
        static boolean fails() { int[] none = {}; return none[0] == 0; }
        static synchronized void move(int amount) { here -= amount; there += amount; }
        public static void main(String[] args) {
            new Thread(() -> move(10), \"one\").start();
            move(20);
        }
    }";

#[test]
fn invariants_are_fields_or_methods() {
    let Some(file) = program("Moves", MOVES) else { return };
    let ask = |text: &str| check(&file, &["--only", "invariant", "--invariant", text]);
    for (text, code) in [
        ("Moves.here >= 70", 0),
        ("here > 70 || there == 30", 1),
        ("Moves.soundUnderLock", 0),
        ("Moves.sound()", 1),
        ("Moves.fails", 1),
        ("here + there == 100", 1),
        ("held(Moves.class) || here + there == 100", 0),
        ("!in(Moves.move, one) || !in(Moves.move, main)", 0),
        ("objects() < 1000", 0),
    ] {
        let (output, exit) = ask(text);
        assert_eq!(exit, Some(code), "{text}: {output}");
        let told = format!("error[EP0114]: invariant can be false: {text}");
        assert_eq!(output.contains(&told), code == 1, "{text}: {output}");
    }
    let (output, exit) = ask("Moves.counting");
    assert_eq!(exit, Some(3), "{output}");
    assert!(output.contains("Moves.counting cannot be an invariant: it changes"), "{output}");
    for wrong in
        ["Moves.her > 0", "here >", "Moves.move", "here", "held(Moves.here", "Nobody.x == 1"]
    {
        let (output, exit) = ask(wrong);
        assert_eq!(exit, Some(2), "{wrong}: {output}");
        assert!(output.contains("error[EP1708]"), "{wrong}: {output}");
    }
    let (output, exit) = check(&file, &["--only", "invariant", "--heap-limit", "1"]);
    assert_eq!(exit, Some(1), "{output}");
    assert!(output.contains("the number of objects is"), "{output}");
}

#[test]
fn formulas_are_about_fields_methods_and_locks() {
    let text = "public class Turns {
        static volatile boolean ready, done;
        static int inside;
        static final Object lock = new Object();
        static void write() {
            while (!ready) Thread.yield();
            synchronized (lock) { inside = 1; inside = 0; }
            done = true;
        }
        public static void main(String[] args) {
            new Thread(Turns::write, \"writer\").start();
            ready = true;
        }
    }";
    let Some(file) = program("Turns", text) else { return };
    let cases: [(&str, &[&str], i32); 9] = [
        ("F Turns.done", &[], 1),
        ("F Turns.done", &["--fair", "weak"], 0),
        ("G ((inside == 1) -> F (inside == 0))", &["--fair", "weak"], 0),
        ("G (inside == 0)", &[], 1),
        ("G ((inside == 1) -> held(lock, writer))", &[], 0),
        ("F in(Turns.write, writer)", &["--fair", "weak"], 0),
        ("G (done -> !held(lock))", &[], 0),
        ("F G !alive(writer)", &["--fair", "weak"], 0),
        ("G (ready -> F G done)", &[], 0),
    ];
    for (formula, more, code) in cases {
        let options = [&["--only", "formula", "--ltl", formula][..], more].concat();
        let (output, exit) = check(&file, &options);
        assert_eq!(exit, Some(code), "{formula}: {output}");
    }
    let (output, exit) = check(&file, &["--only", "formula", "--ltl", "X done"]);
    assert_eq!(exit, Some(3), "{output}");
    let pattern = "precedence global; S = ready; P = done";
    let (output, exit) = check(&file, &["--only", "pattern", "--pattern", pattern]);
    assert_eq!(exit, Some(0), "{output}");
}

#[test]
fn automata_read_calls_and_ends_of_methods() {
    let text = |how: &str| {
        format!(
            "public class Doors {{
                static {how} void visit() {{ enter(); leave(); }}
                static void enter() {{ }}
                static void leave() {{ if (Thread.currentThread().getName().isEmpty()) throw new Error(); }}
                public static void main(String[] args) {{
                    new Thread(Doors::visit).start();
                    visit();
                }}
            }}"
        )
    };
    let qre = "for events { enter, leave } show all executions satisfy (enter ; leave)*";
    let events = ["--event", "enter=call Doors.enter", "--event", "leave=exit Doors.leave"];
    let options = [&["--only", "qre", "--qre", qre][..], &events].concat();
    for (how, code) in [("", 1), ("synchronized", 0)] {
        let Some(file) = program("Doors", &text(how)) else { return };
        let (output, exit) = check(&file, &options);
        assert_eq!(exit, Some(code), "{how}: {output}");
        assert_eq!(output.contains("events: enter enter"), code == 1, "{output}");
    }
    let Some(file) = program("Doors", &text("")) else { return };
    let (output, exit) = check(&file, &["--qre", qre]);
    assert_eq!(exit, Some(2), "{output}");
    assert!(output.contains("nothing says what the event `enter` is"), "{output}");
}

/// A run that violates a property of the user is run again with the same stops.
#[test]
fn runs_of_own_properties_replay() {
    let Some(file) = program("MovesBack", &MOVES.replace("Moves", "MovesBack")) else { return };
    let folder = file.parent().expect("a folder").to_owned();
    for (option, text) in
        [("--invariant", "MovesBack.sound"), ("--invariant", "here + there == 100")]
    {
        let (output, errors, code) = everypath(&folder, &["check", "MovesBack.java", option, text]);
        assert_eq!(code, Some(1), "{output}{errors}");
        let (output, errors, code) = everypath(&folder, &["replay", "last"]);
        assert_eq!(code, Some(1), "{text}: {output}{errors}");
        assert!(output.contains("is still there"), "{text}: {output}{errors}");
    }
}

#[test]
fn directed_searches_have_heuristics() {
    let Some(file) = program("MovesFar", &MOVES.replace("Moves", "MovesFar")) else { return };
    for heuristic in ["most-blocked", "interleaving", "choose-free", "warning"] {
        let (output, exit) = check(&file, &["--search", "directed", "--heuristic", heuristic]);
        assert_eq!(exit, Some(0), "{heuristic}: {output}");
    }
    let (output, exit) = check(&file, &["--heuristic", "warning"]);
    assert_eq!(exit, Some(2), "{output}");
    let model = file.with_extension("pml");
    std::fs::write(&model, "active proctype P() { skip }").expect("a file");
    let (output, exit) = check(&model, &["--search", "directed", "--heuristic", "interleaving"]);
    assert_eq!(exit, Some(0), "{output}");
    let (output, exit) = check(&model, &["--search", "directed", "--heuristic", "warning"]);
    assert_eq!(exit, Some(3), "{output}");
}

#[test]
fn a_loop_without_end_keeps_nothing_from_being_searched() {
    let body = |forever: &str| {
        format!(
            "public class Forever {{
                static volatile boolean seen;
                public static void main(String[] args) {{
                    new Thread(() -> {{ seen = true; assert !seen : \"found\"; }}).start();
                    {forever}
                }}
            }}"
        )
    };
    let loops = [
        "while (true) { }",
        "while (true) Thread.yield();",
        "while (true) Thread.onSpinWait();",
        "while (true) System.out.println(\"0\");",
        "int[] a = new int[10]; for (int i = 0; ; i = (i + 1) % 10) a[i] = 1 - a[i];",
    ];
    for (number, forever) in loops.into_iter().enumerate() {
        let Some(file) = program("Forever", &body(forever)) else { return };
        let (text, code) = check(&file, &[]);
        assert_eq!(code, Some(1), "{forever}: {text}");
        assert!(text.contains("error[EP0101]"), "{forever}: {text}");
        std::fs::write(&file, body(forever).replace("assert !seen", "assert seen"))
            .expect("a file");
        let (text, code) = check(&file, &[]);
        // The array comes back after some rounds, and no single step leads to itself.
        assert_eq!(code, Some(0), "{forever}: {text}");
        let warning = match number {
            0..=3 => "warning[EP0126]: a run does not end: main goes round for ever, and nobody",
            _ => "warning[EP0126]: ",
        };
        assert!(text.contains(warning), "{forever}: {text}");
    }
}

#[test]
fn a_loop_without_end_is_searched_run_by_run() {
    let text = "public class Around {
        static volatile boolean seen;
        public static void main(String[] args) {
            new Thread(() -> { seen = true; assert !seen : \"found\"; }).start();
            while (true) { }
        }
    }";
    let Some(file) = program("Around", text) else { return };
    let (text, code) = check(&file, &["--search", "stateless"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error[EP0101]"), "{text}");
}

#[test]
fn a_long_path_keeps_no_other_from_being_searched() {
    let text = "import everypath.Verify;
    public class Chosen {
        public static void main(String[] args) {
            int n = Verify.choose(new int[] {1, Integer.MAX_VALUE});
            int s = 0;
            for (int i = 0; i < n; i++) s += i;
            assert n != 1;
        }
    }";
    let Some(file) = program("Chosen", text) else { return };
    let (text, code) = check(&file, &["--time", "20s"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("assertion can fail: n != 1"), "{text}");
}

#[test]
fn what_needs_too_much_memory_ends_its_path_only() {
    let text = "import everypath.Verify;
    public class Hungry {
        public static void main(String[] args) {
            if (Verify.chooseBool()) {
                int[][] all = new int[100][];
                for (int i = 0; i < 100; i++) all[i] = new int[100_000_000];
            } else {
                assert args.length > 0;
            }
        }
    }";
    let Some(file) = program("Hungry", text) else { return };
    let (text, code) = check(&file, &["--time", "60s"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("assertion can fail: args.length > 0"), "{text}");
}

#[test]
fn time_is_heeded_inside_of_steps() {
    let programs = [
        (
            "Growing",
            "static class Node { Node next; Node(Node next) { this.next = next; } }
            static Node list;
            public static void main(String[] args) {
                Node list = null;
                for (int i = 0; i < 8_000_000; i++) list = new Node(list);
                Growing.list = list;
            }",
        ),
        (
            "Letters",
            "public static void main(String[] args) {
                char a = everypath.Verify.choose('\\0', '\\uffff') > 0 ? 'a' : 'b';
                int b = everypath.Verify.choose(0, 65535), c = everypath.Verify.choose(0, 65535);
                assert a + b + c >= 0;
            }",
        ),
        // A probe of the portfolio comes to the end of the time, and nobody else.
        (
            "Texts",
            "public static void main(String[] args) {
                int a = everypath.Verify.choose(0, 65535), b = everypath.Verify.choose(0, 65535);
                String text = \"\" + a + b;
                for (int i = 0; i < 2000; i++) text = text.hashCode() + text.substring(0, 2);
                assert !text.equals(\"zz\");
            }",
        ),
        (
            "Copies",
            "public static void main(String[] args) {
                int[] from = new int[50_000_000], to = new int[50_000_000];
                for (int i = 0; i < 100_000; i++) System.arraycopy(from, 0, to, 0, from.length);
                assert to[0] == 0;
            }",
        ),
    ];
    for (name, body) in programs {
        let Some(file) = program(name, &format!("public class {name} {{ {body} }}")) else {
            return;
        };
        let start = std::time::Instant::now();
        let (text, code) = check(&file, &["--time", "2s"]);
        // A machine may be busy; without looking at the clock it would take many minutes.
        assert!(start.elapsed().as_secs() < 60, "{name}: {:?} {text}", start.elapsed());
        assert!(code == Some(3) || code == Some(0), "{name}: {text}");
    }
}

#[test]
fn a_wait_whose_time_was_over_is_named_as_the_reason() {
    let timed = "public class Timed {
        static boolean ready;
        static final Object LOCK = new Object();
        public static void main(String[] args) throws Exception {
            Thread other = new Thread(() -> { synchronized (LOCK) { ready = true; LOCK.notifyAll(); } });
            other.start();
            synchronized (LOCK) {
                if (!ready) LOCK.wait(10000);
                assert ready;
            }
        }
    }";
    let Some(file) = program("Timed", timed) else { return };
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(1), "{text}");
    let why = "why: the 10 s wait of main at line 8 (Object.wait) ran out at step";
    assert!(text.contains(why), "{text}");
    assert!(text.contains("any timed wait may run out at any moment"), "{text}");

    let latch = "import java.util.concurrent.*;
    public class Latched {
        public static void main(String[] args) throws Exception {
            CountDownLatch open = new CountDownLatch(1);
            new Thread(open::countDown).start();
            if (!open.await(250, TimeUnit.MILLISECONDS)) throw new IllegalStateException(\"too late\");
        }
    }";
    let Some(file) = program("Latched", latch) else { return };
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(1), "{text}");
    let why = "why: the 250 ms wait of main at line 6 (CountDownLatch.await) ran out at step";
    assert!(text.contains(why), "{text}");

    let sleeper = "public class Slept {
        static volatile int x;
        public static void main(String[] args) throws Exception {
            new Thread(() -> x = 1).start();
            Thread.sleep(1000);
            assert x == 1;
        }
    }";
    let Some(file) = program("Slept", sleeper) else { return };
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(1), "{text}");
    let why = "why: main slept 1 s at line 5 (Thread.sleep), until step";
    assert!(text.contains(why), "{text}");
}

#[test]
fn the_class_of_an_exception_is_a_field_and_two_of_one_line_are_two_properties() {
    let text = "public class Kinds {
        static int which;
        static void fail() { throw which == 0 ? new IllegalStateException(\"a\") : new ArithmeticException(\"b\"); }
        public static void main(String[] args) {
            new Thread(() -> which = 1).start();
            fail();
        }
    }";
    let Some(file) = program("Kinds", text) else { return };
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["check", "--no-save", "--no-config", "--format", "json"])
        .arg(&file)
        .output()
        .expect("everypath runs");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let properties = result["properties"].as_array().expect("a list");
    let thrown: Vec<_> = properties.iter().filter(|one| one["kind"] == "exception").collect();
    let mut classes: Vec<&str> =
        thrown.iter().filter_map(|one| one["exception"].as_str()).collect();
    classes.sort_unstable();
    assert_eq!(
        classes,
        ["java.lang.ArithmeticException", "java.lang.IllegalStateException"],
        "{result:#}"
    );
    assert_ne!(thrown[0]["id"], thrown[1]["id"]);
    assert_ne!(thrown[0]["fingerprint"], thrown[1]["fingerprint"]);
    let steps = thrown[0]["trace"]["steps"].as_array().expect("a list");
    assert_eq!(steps.last().expect("a step")["fault"]["exception"], thrown[0]["exception"]);
    assert!(properties.iter().all(|one| one["kind"] != "fault"), "{result:#}");
}
