//! `everypath check` on Java programs. Without a JDK it says so and checks nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program in a directory of its own; `None` without a JDK.
fn program(name: &str, text: &str) -> Option<PathBuf> {
    if let Err(why) = everypath_lang_java::Jdk::find() {
        eprintln!("Java programs were not checked: {why}");
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
    assert!(text.contains("needs the monitor of java.lang.Object#2, which two has"), "{text}");
    assert!(text.contains("needs the monitor of java.lang.Object#1, which one has"), "{text}");
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
    assert!(text.contains("error[EP0101]: thread main ends with java.lang.AssertionError: x is"));
    std::fs::write(&file, body("synchronized")).expect("a file");
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(0), "{text}");
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
        &["--ltl", "F done"][..],
        &["--reduce", "stubborn"],
        &["--fair", "weak"],
        &["--cycles", "progress"],
    ] {
        let (text, code) = check(&file, options);
        assert_eq!(code, Some(3), "{options:?}: {text}");
        assert!(text.contains("EP1013") && text.contains(options[0]), "{options:?}: {text}");
    }
    for options in [&[][..], &["--reduce", "none"], &["-j", "2"]] {
        let (text, code) = check(&file, options);
        assert_eq!(code, Some(0), "{options:?}: {text}");
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
