//! A3: every text from outside is shown with its control characters made visible, in every stream and format. All
//! commands are walked.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::CommandFactory;
use everypath_cli::args::Cli;
use everypath_testkit::needs;
use serde_json::Value;

use super::project::{HOLDS, Project, VIOLATED};

/// What would change a terminal, reorder text, or look like a line of an answer.
const HOSTILE: &str =
    "x\x1b]0;t\x07\x1b[31m\u{9b}2J\x7f\u{202e}\u{200b}\x08\r\nPWNED\x1b[1;32mholds\x1b[0m";

/// The colours that the program uses itself.
const OURS: [&str; 6] = ["\x1b[1;31m", "\x1b[1;33m", "\x1b[1;32m", "\x1b[1m", "\x1b[2m", "\x1b[0m"];

/// What is wrong with an answer, if anything.
fn leak(text: &str, colours: bool) -> Option<String> {
    let mut rest = text.to_owned();
    if colours {
        if rest.contains("PWNED\x1b") {
            return Some("a colour of the text".to_owned());
        }
        OURS.iter().for_each(|colour| rest = rest.replace(colour, ""));
    }
    let hidden = |c: &char| {
        let harmless = matches!(c, '\n' | '\t');
        !harmless && (c.is_control() || matches!(c, '\u{200b}' | '\u{202e}'))
    };
    if let Some(found) = rest.chars().find(hidden) {
        return Some(format!("{found:?}"));
    }
    rest.lines().any(|line| line.starts_with("PWNED")).then(|| "a line of its own".to_owned())
}

/// Runs a command in a folder and looks at everything that it prints.
fn walk(project: &Project, args: &[&str]) {
    walk_with(project, args, &["never", "always"]);
}

/// The same without colours.
fn walk_plainly(project: &Project, args: &[&str]) {
    walk_with(project, args, &["never"]);
}

fn walk_with(project: &Project, args: &[&str], colours: &[&str]) {
    for colour in colours {
        let mut all = args.to_vec();
        // The commands of others take no options of ours.
        let own = !matches!(args[0], "spin" | "jpf" | "completions" | "man" | "init" | "schema");
        let value = format!("--color={colour}");
        if own {
            all.insert(1, &value);
        } else if *colour == "always" {
            continue;
        }
        let output = project.command(&all).output().unwrap();
        let code = output.status.code();
        assert!(code.is_some_and(|code| code != 101), "{all:?}: {code:?}");
        for (stream, bytes) in [("out", &output.stdout), ("err", &output.stderr)] {
            let text = String::from_utf8(bytes.clone()).unwrap();
            if let Some(what) = leak(&text, *colour == "always") {
                panic!("{all:?}, {stream}: {what}\n{}", text.escape_debug());
            }
        }
    }
}

/// Does something with each of many things, on two threads.
fn each<T: Sync>(all: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(one);
                }
            });
        }
    });
}

const FORMATS: [&str; 9] =
    ["full", "concise", "json", "jsonl", "sarif", "junit", "github", "gitlab", "trail"];
const SHOWN: [&str; 9] =
    ["table", "chart", "steps", "mermaid", "plantuml", "svg", "itf", "json", "shiviz"];

/// Files with hostile names, and what may be in them.
fn files() -> Project {
    let project = Project::new(&[("m.pml", VIOLATED), ("holds.pml", HOLDS)]);
    for ending in
        ["pml", "txt", "jpf", "java", "class", "jar", "flow", "fsa", "json", "trail", "toml"]
    {
        let name = format!("{HOSTILE}.{ending}");
        let text = match ending {
            "pml" => VIOLATED.to_owned(),
            _ => format!("a {HOSTILE} = {HOSTILE}\n{{ \"{HOSTILE}\"\n"),
        };
        project.write(&name, text);
        symlink("/dev/zero", project.path.join(format!("device{name}"))).unwrap();
    }
    project
}

#[test]
fn all_commands_show_names_and_arguments_visibly() {
    let project = files();
    let name = |ending: &str| format!("{HOSTILE}.{ending}");
    let h = HOSTILE;
    let (pml, txt, jpf, java) = (name("pml"), name("txt"), name("jpf"), name("java"));
    let (class, jar, flow, fsa) = (name("class"), name("jar"), name("flow"), name("fsa"));
    let (json, trail, toml, none) = (name("json"), name("trail"), name("toml"), name("none"));
    let device = format!("device{pml}");
    let (define, output, key) = (format!("-D{h}"), format!("-ojson={h}/x"), format!("+{h}={h}"));
    let mut all: Vec<Vec<&str>> = vec![
        vec!["check", &none],
        vec!["check", &txt],
        vec!["check", &java],
        vec!["check", &class],
        vec!["check", &jar],
        vec!["check", &device],
        vec!["check", "m.pml", h],
        vec!["check", "m.pml", &define],
        vec!["check", "m.pml", &output],
        vec!["check", "m.pml", "--only", h],
        vec!["check", "m.pml", "--invariant", h],
        vec!["check", "m.pml", "--ltl", h],
        vec!["check", "m.pml", "--pattern", h],
        vec!["check", "m.pml", "--fsa", &fsa],
        vec!["check", "m.pml", "--fsa", &none],
        vec!["check", "m.pml", "--qre", h],
        vec!["check", "m.pml", "--event", h],
        vec!["check", "m.pml", "--time", h],
        vec!["check", "m.pml", "--resume", &json],
        vec!["check", "m.pml", "--resume", &none],
        vec!["check", "m.pml", "--config", &toml],
        vec!["check", "m.pml", "--config", &none],
        vec!["check", "m.pml", "--disk", h],
        vec!["check", &pml, "--show-config"],
        vec!["check", "--javac", h, &java],
        vec!["check", "."],
        vec!["lint", &pml],
        vec!["lint", &none, "--format", "json"],
        vec!["lint", &txt],
        vec!["sim", &pml, "--steps", "9", "--seed", "1"],
        vec!["sim", &pml, "--steps", "9", "--seed", "1", "--show", "table"],
        vec!["sim", "m.pml", "--until", h],
        vec!["sim", "m.pml", "--watch", h],
        vec!["sim", "m.pml", "--trace", h],
        vec!["sim", &none],
        vec!["sim", "m.pml", "--seed", "1", "-o", &output],
        vec!["races", &java],
        vec!["races", &none],
        vec!["show", h],
        vec!["show", &json],
        vec!["show", &trail],
        vec!["show", "m.pml", "--state", h],
        vec!["replay", h],
        vec!["replay", &json],
        vec!["replay", &trail, &pml],
        vec!["reproduce", &json],
        vec!["reproduce", h],
        vec!["explain", h],
        vec!["explain", &json],
        vec!["diff", h, h],
        vec!["diff", &json, &pml],
        vec!["prop", "show", h],
        vec!["prop", "show", "--fsa", &fsa],
        vec!["prop", "show", "--qre", h],
        vec!["prop", "show", "p", "--model", &pml],
        vec!["prop", "list", h],
        vec!["prop", "new", "--name", h],
        vec!["automaton", h],
        vec!["automaton", "--file", &none],
        vec!["flow", &flow, "--qre", h],
        vec!["flow", &pml, "--ltl", h],
        vec!["flow", &java, "--ltl", "p", "--event", h],
        vec!["flow", "m.pml", "--events", &none],
        vec!["spin", "-p", &pml],
        vec!["spin", "-run", &pml],
        vec!["spin", "-a", &pml],
        vec!["spin", "-t", &pml],
        vec!["spin", "-k", &trail, "m.pml"],
        vec!["spin", h],
        vec!["spin", "-f", h],
        vec!["spin", "-run", "-ltl", h, "m.pml"],
        vec!["jpf", &jpf],
        vec!["jpf", &none],
        vec!["jpf", &key, h],
        vec!["jpf", "-show", &key, h],
        vec!["jpf", h],
        vec!["schema", h],
        vec!["init", h],
        vec!["init", ".", "--stdout"],
        vec!["doctor", h],
        vec!["completions", h],
        vec!["man", h],
    ];
    all.extend(FORMATS.map(|format| vec!["check", &pml, "--no-save", "--format", format]));
    // A command that is new has to be walked, too.
    let walked: BTreeSet<&str> = all.iter().map(|args| args[0]).collect();
    let command = Cli::command();
    let known: BTreeSet<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    assert_eq!(walked, known);
    each(&all, |args| walk(&project, args));
    // What lies in a project is shown as well.
    assert_eq!(project.run(&["check", &pml, "--quiet"]).code, 1);
    for args in
        [&["show", "--list"][..], &["show", "last"], &["explain", "last"], &["replay", "last"]]
    {
        walk(&project, args);
    }
    project.write("everypath.toml", format!("[check]\nonly = [{0}]\n{0} = 1\n", quoted(HOSTILE)));
    walk(&project, &["check", "m.pml"]);
    walk(&project, &["doctor"]);
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// The texts of a document by their places, `steps.[].text`.
fn places(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::String(_) => drop(found.insert(at.to_owned())),
        Value::Array(all) => all.iter().for_each(|one| places(one, &format!("{at}.[]"), found)),
        Value::Object(all) => {
            // The keys are names of users in some places.
            found.insert(format!("{at}.{{}}"));
            all.iter().for_each(|(key, one)| places(one, &format!("{at}.{key}"), found));
        }
        _ => {}
    }
}

/// Puts the hostile text into all texts at a place.
fn poison(value: &mut Value, at: &str, wanted: &str) {
    match value {
        Value::String(text) if at == wanted => text.push_str(HOSTILE),
        Value::Array(all) => {
            all.iter_mut().for_each(|one| poison(one, &format!("{at}.[]"), wanted));
        }
        Value::Object(all) => {
            if format!("{at}.{{}}") == wanted {
                let renamed = std::mem::take(all).into_iter();
                all.extend(renamed.map(|(key, one)| (format!("{key}{HOSTILE}"), one)));
                return;
            }
            all.iter_mut().for_each(|(key, one)| poison(one, &format!("{at}.{key}"), wanted));
        }
        _ => {}
    }
}

fn walk_document(project: &Project, text: &str) {
    let document: Value = serde_json::from_str(text).unwrap();
    let mut all = BTreeSet::new();
    places(&document, "", &mut all);
    assert!(all.len() > 20, "{all:?}");
    let all: Vec<(usize, String)> = all.into_iter().enumerate().collect();
    each(&all, |(number, place)| {
        let mut poisoned = document.clone();
        poison(&mut poisoned, "", place);
        let file = format!("d{number}.json");
        project.write(&file, poisoned.to_string());
        for format in SHOWN {
            walk(project, &["show", &file, "--format", format]);
        }
        walk(project, &["show", &file, "--state", "end", "--full"]);
        walk(project, &["explain", &file, "--all"]);
        walk(project, &["replay", &file]);
        walk(project, &["replay", &file, "m.pml", "--loose"]);
        walk(project, &["diff", &file, "old.json", "--all"]);
        walk(project, &["diff", "old.json", &file, "--format", "json"]);
        walk(project, &["sim", "m.pml", "--trace", &file, "--seed", "1", "--steps", "5"]);
        walk(project, &["reproduce", &file, "--no-run", "-o", "made"]);
    });
}

#[test]
fn documents_of_strangers_are_shown_visibly() {
    let text = "mtype = { a, b }; chan q = [1] of { mtype, byte }; byte n;\n\
                active [2] proctype P() { byte t; t = n; n = t + 1; q!a,n }\n\
                active proctype Q() { byte x; q?a,x; q?a,x; printf(\"%d\\n\", x); assert(n == 2) }\n";
    let project = Project::new(&[("m.pml", text)]);
    let run = project.run(&["check", "m.pml", "--format", "json"]);
    assert_eq!(run.code, 1);
    project.write("old.json", &run.out);
    walk_document(&project, &run.out);
    let trace = std::fs::read_to_string(project.path.join(".everypath/runs/1/t1.json")).unwrap();
    walk_document(&project, &trace);
}

#[test]
fn models_of_strangers_are_shown_visibly() {
    let texts = [
        format!("byte n;\nactive proctype P() {{ printf(\"{HOSTILE}\"); assert(n == 1) }}\n"),
        format!(
            "/* {HOSTILE} */ byte n; active proctype P() {{ /* {HOSTILE} */ assert(n == 1 /* {HOSTILE} */) }}\n"
        ),
        format!("#include \"{}\"\n", HOSTILE.replace('\n', "")),
        format!("#define A(x) {}\nbyte {}; active proctype P() {{ n = 1 }}\n", "x", HOSTILE),
        format!("#error {HOSTILE}\n{HOSTILE}"),
        format!(
            "#line 3 \"{}\"\nbyte n; active proctype P() {{ assert(n == 1) }}\n",
            HOSTILE.replace('\n', "")
        ),
        format!("ltl p {{ [] ({HOSTILE}) }}\nactive proctype P() {{ skip }}\n"),
        format!("c_code {{ {HOSTILE} }}\nactive proctype P() {{ skip }}\n"),
    ];
    let project = Project::new(&[]);
    let all: Vec<(usize, &String)> = texts.iter().enumerate().collect();
    each(&all, |(number, text)| {
        let file = format!("m{number}.pml");
        project.write(&file, text.as_str());
        for format in FORMATS {
            walk(&project, &["check", &file, "--no-save", "--format", format]);
        }
        for args in [
            &["lint", &file][..],
            &["sim", &file, "--seed", "1", "--steps", "9"],
            &["sim", &file, "--seed", "1", "--steps", "9", "--show", "steps"],
            &["spin", "-p", &file],
            &["spin", "-run", &file],
            &["prop", "show", "p", "--model", &file],
            &["flow", &file, "--ltl", "[] p"],
        ] {
            walk(&project, args);
        }
    });
}

#[test]
fn programs_of_strangers_are_shown_visibly() {
    if !needs::javac() {
        return;
    }
    let name = "x\\033[31m\\r\\nPWNED\\u202e";
    let text = format!(
        "public class Main {{\n static int n;\n public static void main(String[] a) throws Exception {{\n  \
         Thread t = new Thread(() -> n++, \"{name}\");\n  t.start(); n++;\n  t.join();\n  \
         throw new RuntimeException(\"{name}\" + n);\n }}\n}}\n"
    );
    let project =
        Project::new(&[("Main.java", &text), ("Wrong.java", "class Wrong { \x1b[31m\u{202e} }\n")]);
    for format in FORMATS {
        walk_plainly(&project, &["check", "Main.java", "--format", format]);
        walk_plainly(&project, &["check", "Wrong.java", "--no-save", "--format", format]);
    }
    walk(&project, &["check", "Main.java", "--no-save"]);
    for args in [
        &["show", "last"][..],
        &["explain", "last", "--all"],
        &["replay", "last"],
        &["sim", "Main.java", "--show", "steps", "--seed", "1"],
        &["races", "Main.java"],
        &["races", "Main.java", "--format", "json"],
        &["sim", "Wrong.java"],
    ] {
        walk(&project, args);
    }
}
