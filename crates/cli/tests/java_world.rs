//! Where Java programs get their classes, stacks and values from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use everypath_lang_java::Jdk;
use everypath_testkit::needs;

/// An empty directory and the JDK; `None` without one.
fn ready(name: &str) -> Option<(PathBuf, Jdk)> {
    if !needs::javac() {
        return None;
    }
    let jdk = Jdk::find().expect("a JDK");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("world-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a directory");
    Some((folder, jdk))
}

/// Compiles classes, each a name and a text, into a directory.
fn compile(jdk: &Jdk, folder: &Path, to: &str, path: &str, classes: &[(&str, &str)]) {
    let sources = folder.join(format!("{to}-src"));
    let mut command = Command::new(jdk.javac());
    command.arg("-nowarn").arg("-d").arg(folder.join(to));
    if !path.is_empty() {
        command.arg("-cp").arg(folder.join(path));
    }
    for (name, text) in classes {
        let file = sources.join(format!("{name}.java"));
        fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
        fs::write(&file, text).expect("a source");
        command.arg(file);
    }
    assert!(command.status().expect("javac").success(), "{to} does not compile");
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

fn check(folder: &Path, words: &[&str]) -> (String, Option<i32>) {
    run(folder, &[&["check", "--no-save", "--no-config"], words].concat())
}

#[test]
fn the_class_path_has_the_order_that_java_gives_it() {
    let Some((folder, jdk)) = ready("order") else { return };
    let which = |number: u32| format!("class Which {{ static int who() {{ return {number}; }} }}");
    let main =
        "public class Main { public static void main(String[] a) { assert Which.who() == 1; } }";
    compile(&jdk, &folder, "a", "", &[("Which", &which(1))]);
    compile(&jdk, &folder, "b", "", &[("Which", &which(2)), ("Main", main)]);
    for (path, code) in [("a:b", 0), ("b:a", 1), ("a:./b", 0), ("a", 1)] {
        let (text, found) = check(&folder, &["b/Main.class", "-cp", path]);
        assert_eq!(found, Some(code), "{path}: {text}");
    }
    assert_eq!(check(&folder, &["b", "--main", "Main", "-cp", "a:b"]).1, Some(0));
}

#[test]
fn drivers_in_class_files_get_the_classes_that_they_call() {
    let Some((folder, jdk)) = ready("drivers") else { return };
    // What another checker has there runs its own code, which says nothing here.
    let verify = "package gov.nasa.jpf.vm; public class Verify {
        static int[] counters = new int[3];
        public static boolean getBoolean() { return false; }
        public static int getInt(int from, int to) { return from; }
        public static int incrementCounter(int id) { return ++counters[id]; }
        public static int getCounter(int id) { return counters[id]; } }";
    let verifier = "package org.sosy_lab.sv_benchmarks; public class Verifier {
        public static boolean nondetBoolean() { return false; } }";
    let classes =
        [("gov/nasa/jpf/vm/Verify", verify), ("org/sosy_lab/sv_benchmarks/Verifier", verifier)];
    compile(&jdk, &folder, "theirs", "", &classes);
    let chosen = "import gov.nasa.jpf.vm.Verify; public class Chosen {
        public static void main(String[] a) { assert Verify.getInt(0, 3) != 3; } }";
    let counted = "import gov.nasa.jpf.vm.Verify; public class Counted {
        public static void main(String[] a) {
            Verify.getBoolean(); Verify.incrementCounter(0); assert Verify.getCounter(0) < 2; } }";
    let any = "import org.sosy_lab.sv_benchmarks.Verifier; public class Any {
        public static void main(String[] a) { assert !Verifier.nondetBoolean(); } }";
    let programs = [("Chosen", chosen), ("Counted", counted), ("Any", any)];
    compile(&jdk, &folder, "own", "theirs", &programs);
    for path in ["own", "own:theirs", "theirs:own"] {
        for (program, code) in [("Chosen", 1), ("Counted", 3), ("Any", 1)] {
            let file = format!("own/{program}.class");
            let (text, found) = check(&folder, &[&file, "-cp", path]);
            assert_eq!(found, Some(code), "{program} with {path}: {text}");
            assert!(code != 3 || text.contains("Verify.getCounter"), "{text}");
        }
    }
}

#[test]
fn stacks_are_as_deep_as_those_of_java_and_full_ones_are_told() {
    let Some((folder, _)) = ready("stacks") else { return };
    let text = "public class Deep {
        static int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }
        public static void main(String[] a) {
            assert f(8000) == 8000;
            if (a.length > 0) try { f(1 << 30); } catch (StackOverflowError e) { }
        } }";
    fs::write(folder.join("Deep.java"), text).expect("a source");
    let (text, code) = check(&folder, &["Deep.java"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("frames"), "{text}");
    let (text, code) = check(&folder, &["Deep.java", "--", "more"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("stacks of 16000 frames, some full"), "{text}");
    let (text, code) = check(&folder, &["Deep.java", "--stack-limit", "500"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("java.lang.StackOverflowError"), "{text}");
    assert_eq!(check(&folder, &["Deep.java", "--stack-limit", "0"]).1, Some(2));
    // A trace knows its limit.
    let saved = ["check", "--no-config", "Deep.java", "--stack-limit", "500"];
    assert_eq!(run(&folder, &saved).1, Some(1));
    let (text, code) = run(&folder, &["replay", "last"]);
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn what_java_refuses_is_refused_and_what_it_throws_is_thrown_there() {
    let Some((folder, jdk)) = ready("linking") else { return };
    let hidden = "public class Hidden { static void main(String[] a) { } }";
    let missing = "public class Missing {
        static class Gone { static int v() { return 1; } }
        static void m(Gone gone) { }
        public static void main(String[] a) {
            int seen = 0;
            try { Gone.v(); } catch (NoClassDefFoundError e) { seen++; }
            try { Object o = new Gone[3]; } catch (NoClassDefFoundError e) { seen++; }
            try { Object o = Gone.class; } catch (NoClassDefFoundError e) { seen++; }
            try { Missing.class.getDeclaredMethods(); } catch (NoClassDefFoundError e) { seen++; }
            assert seen == 4 : seen;
            if (a.length > 0) Gone.v();
        } }";
    let damaged = "public class Damaged {
        static class Inner { static int f(int x) { return x + 12345; } static int g() { return 1; } }
        public static void main(String[] a) {
            boolean thrown = false;
            try { Inner.g(); } catch (VerifyError e) { thrown = true; }
            assert thrown;
        } }";
    let classes = [("Hidden", hidden), ("Missing", missing), ("Damaged", damaged)];
    compile(&jdk, &folder, "own", "", &classes);
    fs::remove_file(folder.join("own/Missing$Gone.class")).expect("the class is there");
    // An integer is loaded as if it were an object: iload_0 becomes aload_0.
    let inner = folder.join("own/Damaged$Inner.class");
    let mut bytes = fs::read(&inner).expect("the class is there");
    let code = [0x1a, 0x11, 0x30, 0x39, 0x60, 0xac];
    let at = bytes.windows(code.len()).position(|part| part == code).expect("the code is there");
    bytes[at] = 0x2a;
    fs::write(&inner, bytes).expect("a class file");
    let (text, code) = check(&folder, &["own/Hidden.class"]);
    assert_eq!(code, Some(2), "{text}");
    let (text, code) = check(&folder, &["own/Missing.class"]);
    assert_eq!(code, Some(0), "{text}");
    let (text, code) = check(&folder, &["own/Missing.class", "--", "more"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("java.lang.NoClassDefFoundError: Missing$Gone"), "{text}");
    let (text, code) = check(&folder, &["own/Damaged.class"]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn values_from_outside_are_those_of_all_classes_and_traces_tell_them() {
    let Some((folder, _)) = ready("values") else { return };
    let text = "import org.sosy_lab.sv_benchmarks.Verifier;
    public class Any {
        public static void main(String[] a) { Last.look(Help.pick(), Help.text()); } }
    class Help {
        static int pick() { return Verifier.nondetInt(); }
        static String text() { return Verifier.nondetString(); } }
    class Bounds { static final int[] TABLE = new int[777]; }
    class Last {
        static void look(int x, String s) {
            if (x == Bounds.TABLE.length - 1) assert !s.equals(\"a word\");
        } }";
    fs::write(folder.join("Any.java"), text).expect("a source");
    let (text, code) = check(&folder, &["Any.java"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("chooses 776"), "{text}");
    assert!(text.contains("chooses \"a word\""), "{text}");
}

#[test]
fn values_from_outside_are_made_of_constants_too() {
    let Some((folder, _)) = ready("made") else { return };
    let bodies = [
        ("Begins", "String s = Verifier.nondetString(); assert !(s.startsWith(\"mag\") && s.length() == 7);"),
        ("Inside", "assert Verifier.nondetString().indexOf(\"needle\") <= 0;"),
        ("Letters", "String s = Verifier.nondetString(); assert s.equals(\"Hi\") || !s.equalsIgnoreCase(\"Hi\");"),
        ("Letter", "String s = Verifier.nondetString(); assert s.length() < 4 || s.charAt(3) != 'z';"),
        ("Digits", "String s = Verifier.nondetString(); assert s.isEmpty() || Character.isLetter(s.charAt(0))
            || !s.equals(String.valueOf(4321));"),
        ("Between", "float f = Verifier.nondetFloat(); assert !(f > 3.5f && f < 3.75f);"),
        ("Cut", "long n = Verifier.nondetLong(); assert n <= Integer.MAX_VALUE || (int) n != 0;"),
    ];
    for (name, body) in bodies {
        let text = format!(
            "import org.sosy_lab.sv_benchmarks.Verifier;
            public class {name} {{ public static void main(String[] a) {{ {body} }} }}"
        );
        fs::write(folder.join(format!("{name}.java")), text).expect("a source");
        let (text, code) = check(&folder, &[&format!("{name}.java")]);
        assert_eq!(code, Some(1), "{name}: {text}");
    }
}

#[test]
fn bundles_that_are_classes_of_the_program_are_found() {
    let Some((folder, _)) = ready("bundles") else { return };
    let text = "import java.util.*;
    public class Bundles {
        public static class Words extends ListResourceBundle {
            protected Object[][] getContents() { return new Object[][] {{\"hi\", \"ho\"}}; } }
        public static void main(String[] a) throws Exception {
            assert ResourceBundle.getBundle(\"Bundles$Words\").getString(\"hi\").equals(\"ho\");
            assert Class.forName(Bundles.class.getModule(), \"Bundles$Words\") == Words.class;
        } }";
    fs::write(folder.join("Bundles.java"), text).expect("a source");
    let (text, code) = check(&folder, &["Bundles.java"]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn whether_there_is_room_for_a_large_array_is_up_to_the_machine() {
    let Some((folder, _)) = ready("room") else { return };
    for (name, length) in [("Half", "1 << 29"), ("Whole", "Integer.MAX_VALUE - 9")] {
        let text = format!(
            "public class {name} {{
                public static void main(String[] a) {{
                    try {{ long[] all = new long[{length}]; }} catch (OutOfMemoryError e) {{ }}
                }} }}"
        );
        fs::write(folder.join(format!("{name}.java")), text).expect("a source");
        let (text, code) = check(&folder, &[&format!("{name}.java")]);
        assert_eq!(code, Some(3), "{text}");
        assert!(text.contains("up to the machine"), "{text}");
    }
}

#[test]
fn reflection_on_the_library_sees_one_world() {
    let Some((folder, _)) = ready("reflection") else { return };
    let text = "public class Fields {
        public static void main(String[] a) {
            assert ClassLoader.class.getDeclaredFields().length == 0;
            for (var field : Class.class.getDeclaredFields()) {
                assert !field.getName().equals(\"classLoader\");
            }
        } }";
    fs::write(folder.join("Fields.java"), text).expect("a source");
    assert_eq!(check(&folder, &["Fields.java"]).1, Some(0));
    assert_eq!(check(&folder, &["Fields.java", "--reduce", "none"]).1, Some(0));
    assert_eq!(run(&folder, &["sim", "Fields.java"]).1, Some(0));
}

#[test]
fn what_the_outside_decides_is_never_called_right() {
    let Some((folder, _)) = ready("outside") else { return };
    let program = |name: &str, condition: &str| {
        let text = format!(
            "public class {name} {{
                public static void main(String[] a) {{
                    assert {condition};
                }} }}"
        );
        fs::write(folder.join(format!("{name}.java")), text).expect("a source");
        check(&folder, &[&format!("{name}.java")])
    };
    let (text, code) = program("Coin", "new java.util.Random().nextInt(2) == 0");
    assert_eq!(code, Some(1), "{text}");
    let (text, code) = program("Clock", "System.nanoTime() % 2 == 0");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("a clock") && text.contains("Clock.java:3"), "{text}");
    let (text, code) = program("Hash", "new Object().hashCode() != 5");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("an identity hash code"), "{text}");
    let (text, code) = program("Seeded", "new java.util.Random(3).nextInt(2) >= 0");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_loop_of_timed_waits_ends_behind_a_look_at_the_clock() {
    let Some((folder, _)) = ready("waits") else { return };
    let text = "public class Waits {\n    static boolean open;\n    static final Object lock = new Object();\n    \
        public static void main(String[] args) throws Exception {\n        \
        new Thread(() -> { synchronized (lock) { open = true; lock.notifyAll(); } }).start();\n        \
        long begin = System.nanoTime();\n        \
        synchronized (lock) { while (!open) lock.wait(50); }\n        \
        long opened = System.nanoTime();\n        Thread.sleep(1000);\n        \
        assert opened >= begin && System.nanoTime() - opened >= 1_000_000_000L;\n    }\n}\n";
    fs::write(folder.join("Waits.java"), text).expect("a source");
    for way in [&[][..], &["--reduce", "none"]] {
        let (text, code) = check(&folder, &[&["Waits.java", "--time", "60s"], way].concat());
        // Whoever looks at a clock sees one of many; but all states were looked at.
        assert_eq!(code, Some(3), "{text}");
        assert!(text.contains("looks at a clock") && !text.contains("time limit"), "{text}");
    }
}
