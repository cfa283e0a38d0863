//! A1: javac runs nothing that lies around, unless the user trusts it.

use everypath_testkit::needs;

use super::javac;
use super::project::Project;

/// Does what an attacker would do, as a proof that it ran.
const DEED: &str = "try { new java.io.FileWriter(System.getenv(\"PWNED\")).close(); } \
                    catch (java.io.IOException e) { throw new Error(e); }";

const MAIN: &str =
    "public class Main { public static void main(String[] args) { int x = 1; assert x == 2; } }\n";

/// A folder with a program and with attackers, compiled: an annotation processor and a plug-in that starts by itself.
fn hostile() -> Project {
    let processor = format!(
        "import java.util.*; import javax.annotation.processing.*; import javax.lang.model.element.*;\n\
         @SupportedAnnotationTypes(\"*\") public class Evil extends AbstractProcessor {{\n static {{ {DEED} }}\n\
         public boolean process(Set<? extends TypeElement> a, RoundEnvironment r) {{ return false; }} }}\n"
    );
    let plugin = format!(
        "import com.sun.source.util.*;\npublic class Plug implements Plugin {{\n static {{ {DEED} }}\n\
         public String getName() {{ return \"plug\"; }}\n public boolean autoStart() {{ return true; }}\n\
         public void init(JavacTask task, String... args) {{ }} }}\n"
    );
    let project = Project::new(&[
        ("Main.java", MAIN),
        ("evil/Evil.java", &processor),
        ("evil/Plug.java", &plugin),
    ]);
    javac(&project.path, ".", &["evil/Evil.java", "evil/Plug.java"]);
    javac(&project.path, "evil", &["evil/Evil.java", "evil/Plug.java"]);
    for folder in ["", "evil/"] {
        let services = format!("{folder}META-INF/services");
        project.write(&format!("{services}/javax.annotation.processing.Processor"), "Evil\n");
        project.write(&format!("{services}/com.sun.source.util.Plugin"), "Plug\n");
    }
    project
}

/// Runs it, and tells whether an attacker ran, with the exit code and what was said.
fn attacked(project: &Project, args: &[&str]) -> (bool, i32, String) {
    let proof = project.path.join("pwned");
    let _ = std::fs::remove_file(&proof);
    let output = project.command(args).env("PWNED", &proof).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    (proof.exists(), output.status.code().unwrap_or(-1), said)
}

#[test]
fn processors_and_plugins_beside_a_program_do_not_run() {
    if !needs::javac() {
        return;
    }
    let project = hostile();
    for args in [
        &["check", "Main.java"][..],
        &["check", "Main.java", "-cp", "evil"],
        &["check", "Main.java", "--source-path", "evil"],
        &["check", "./Main.java", "--no-config", "--no-save"],
        &["check", "."],
        &["sim", "Main.java"],
        &["races", "Main.java"],
        &["flow", "Main.java", "--ltl", "[] p"],
        &["check", "--engine", "flow", "Main.java", "--ltl", "[] p"],
        &["replay", "last"],
        &["reproduce", "last", "--no-run", "-o", "made"],
        &["jpf", "+classpath=evil", "+sourcepath=.", "Main"],
    ] {
        let (ran, code, said) = attacked(&project, args);
        assert!(!ran, "{args:?}: {said}");
        assert_ne!(code, 101, "{args:?}: {said}");
    }
    // With trust they do: the attack is one.
    for args in [&["check", "Main.java", "--trust"], &["sim", "--trust", "Main.java"]] {
        let (ran, _, said) = attacked(&project, args);
        assert!(ran, "{args:?}: {said}");
    }
}

#[test]
fn a_configuration_brings_back_no_processor_and_cannot_trust_itself() {
    if !needs::javac() {
        return;
    }
    let project = hostile();
    for config in [
        "javac = [\"-processorpath\", \"evil\"]",
        "javac = [\"-processorpath\", \"evil\", \"-processor\", \"Evil\"]",
        "javac = [\"-proc:only\"]",
        "javac = [\"-Xplugin:plug\"]",
        "javac = [\"@evil/options\"]",
        "javac = [\"-encoding\", \"@evil/options\"]",
        "javac = [\"-J-Xlog:all:file=pwned\"]",
        "javac = [\"-encoding\", \"-J-Xlog:all:file=pwned\"]",
        "javac = [\"-d\", \"evil\"]",
        "trust = true",
    ] {
        project.write(
            "everypath.toml",
            format!("[check]\n{config}\n[[target]]\npath = \"Main.java\"\n"),
        );
        project.write("evil/options", "-processorpath evil -processor Evil\n");
        for args in [&["check", "Main.java"][..], &["check"]] {
            let (ran, code, said) = attacked(&project, args);
            assert!(!ran, "{config}: {said}");
            assert_eq!(code, 2, "{config}: {said}");
            let why =
                if config.starts_with("trust") { "has no key" } else { "may run code or write" };
            assert!(said.contains(why), "{config}: {said}");
        }
    }
    // A class path is fine, and runs nothing.
    project.write(
        "everypath.toml",
        "[check]\nclass-path = \"evil\"\njavac = [\"--release\", \"17\"]\n",
    );
    let (ran, code, said) = attacked(&project, &["check", "Main.java"]);
    assert_eq!((ran, code), (false, 1), "{said}");
}

#[test]
fn options_of_the_command_line_that_run_code_need_trust() {
    if !needs::javac() {
        return;
    }
    let project = hostile();
    let log = "--javac=-J-Xlog:gc:file=pwned";
    for (args, expected) in [
        (&["check", "Main.java", log][..], (false, 2)),
        (&["sim", "Main.java", log], (false, 2)),
        (&["races", "Main.java", log], (false, 2)),
        (&["flow", "Main.java", "--ltl", "[] p", log], (false, 2)),
        (&["check", "Main.java", "--trust", log], (true, 1)),
    ] {
        let (ran, code, said) = attacked(&project, args);
        assert_eq!((ran, code), expected, "{args:?}: {said}");
        assert!(expected.0 || said.contains("--trust"), "{args:?}: {said}");
    }
    let mut command = project.command(&["check", "Main.java"]);
    let output = command.env("EVERYPATH_JAVAC", "-J-Xlog:gc:file=pwned").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn names_of_files_are_no_options_of_javac() {
    if !needs::javac() {
        return;
    }
    let project = hostile();
    // javac would read options from the file behind `@`.
    project.write("options.java", "-processorpath evil -processor Evil Main.java\n");
    project.write("@options.java", MAIN);
    project.write("@options/Main.java", MAIN);
    project.write("options", "-processorpath evil -processor Evil Main.java\n");
    project.write("-J-Xlog:gc:file=pwned.java", MAIN);
    for args in [
        &["check", "@options.java"][..],
        &["check", "@options/Main.java"],
        &["check", "Main.java", "-cp", "@options"],
        &["check", "Main.java", "--source-path", "@options"],
        &["check", "--", "-J-Xlog:gc:file=pwned.java"],
    ] {
        let (ran, code, said) = attacked(&project, args);
        assert!(!ran, "{args:?}: {said}");
        assert_ne!(code, 101, "{args:?}: {said}");
    }
    assert!(!project.path.join("pwned.java").exists());
}

#[test]
fn what_javac_says_has_lines_and_places() {
    if !needs::javac() {
        return;
    }
    // D17: the errors of javac are errors of ours, each with its line.
    let project = Project::new(&[(
        "Wrong.java",
        "class Wrong {\n  void a() { int x = y; }\n  void b() { int z = \"\"; }\n}\n",
    )]);
    let run = project.run(&["check", "Wrong.java"]);
    assert_eq!(run.code, 2);
    let expected = "error[EP1012]: cannot find symbol\n --> Wrong.java:2:22\n2 |   void a() { int x = y; }\n  \
                    |                      ^\nhelp: symbol: variable y; location: class Wrong";
    assert!(run.out.starts_with(expected), "{}", run.out);
    assert!(run.out.contains(" --> Wrong.java:3:22\n"), "{}", run.out);
    assert!(!run.out.contains("\\n"), "{}", run.out);
    for (args, place) in [
        (
            &["check", "Wrong.java", "--format", "concise"][..],
            "Wrong.java:2:22: error: cannot find symbol",
        ),
        (&["check", "Wrong.java", "--format", "github"], "::error file=Wrong.java,line=2"),
        (&["sim", "Wrong.java"], " --> Wrong.java:2:22\n"),
        (&["races", "Wrong.java"], " --> Wrong.java:3:22\n"),
    ] {
        let run = project.run(args);
        assert!((run.out.clone() + &run.err).contains(place), "{args:?}: {} {}", run.out, run.err);
        assert_eq!(run.code, 2, "{args:?}");
    }
}

#[test]
fn running_a_program_on_the_jvm_is_said_before() {
    if !needs::javac() {
        return;
    }
    let text = "public class Main extends Thread {\n static int n;\n public void run() { n = 1; }\n public \
                static void main(String[] args) {\n  new Main().start();\n  assert n == 0;\n }\n}\n";
    let project = Project::new(&[("Main.java", text)]);
    assert_eq!(project.run(&["check", "Main.java", "--only", "assertions"]).code, 1);
    let run = project.run(&["reproduce", "last"]);
    assert!(
        run.err.contains("Main of Main.java runs on the JVM of this machine now"),
        "{}",
        run.err
    );
    let run = project.run(&["reproduce", "last", "--trust"]);
    assert!(!run.err.contains("runs on the JVM of this machine now"), "{}", run.err);
}
