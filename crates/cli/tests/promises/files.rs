//! B6: input that is no regular file, or a far too large one, is refused at once, and walks through folders keep to
//! the limits.

use everypath_testkit::needs;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::ended_within;
use super::project::{HOLDS, Project, Run};

/// No answer takes longer on a busy machine, and nothing here has a reason to take half of it.
const SOON: Duration = Duration::from_secs(20);
/// Address space of a run, as the shell wants it, in KiB.
const MEMORY_KIB: u32 = 4 << 20;

fn pipe(project: &Project, name: &str) {
    let path = project.path.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A file of 8 GiB that takes no room.
fn huge(project: &Project, name: &str) {
    let file = std::fs::File::create(project.path.join(name)).unwrap();
    file.set_len(8 << 30).unwrap();
}

/// Runs it in little memory; nobody writes to the pipes.
fn soon(project: &Project, args: &[&str]) -> Run {
    let limit = format!("ulimit -v {MEMORY_KIB}; exec \"$@\"");
    let program = project.command(args);
    let mut command = Command::new("sh");
    command.arg("-c").arg(limit).arg("sh").arg(program.get_program()).args(args);
    command.current_dir(&project.path).stdin(Stdio::null());
    let out = project.path.join("stdout.log");
    command.stdout(std::fs::File::create(&out).unwrap());
    command.stderr(std::fs::File::create(project.path.join("stderr.log")).unwrap());
    let mut child = command.spawn().unwrap();
    let status = ended_within(&mut child, SOON);
    let status = status.unwrap_or_else(|| panic!("{args:?}: no answer within {SOON:?}"));
    assert_eq!(status.signal(), None, "{args:?}");
    let (out, err) = (project.read("stdout.log"), project.read("stderr.log"));
    Run { code: status.code().unwrap(), out, err }
}

/// One file of each kind, by ending.
fn odd(ending: &str) -> (Project, [String; 3]) {
    let project = Project::new(&[("m.pml", HOLDS)]);
    let names = ["pipe", "device", "huge"].map(|name| format!("{name}.{ending}"));
    pipe(&project, &names[0]);
    symlink("/dev/zero", project.path.join(&names[1])).unwrap();
    huge(&project, &names[2]);
    (project, names)
}

#[test]
fn pipes_devices_and_huge_files_are_no_input() {
    let commands: [(&str, &[&str]); 24] = [
        ("pml", &["check", "@"]),
        ("pml", &["check", "@", "--time", "1s"]),
        ("txt", &["check", "@"]),
        ("pml", &["lint", "@"]),
        ("pml", &["sim", "@", "--steps", "5"]),
        ("pml", &["spin", "-run", "@"]),
        ("pml", &["flow", "@", "--ltl", "[] p"]),
        ("flow", &["flow", "@", "--ltl", "[] p"]),
        ("rules", &["flow", "m.pml", "--ltl", "[] p", "--events", "@"]),
        ("fsa", &["check", "m.pml", "--fsa", "@"]),
        ("fsa", &["prop", "show", "--fsa", "@"]),
        ("toml", &["check", "m.pml", "--config", "@"]),
        ("checkpoint", &["check", "m.pml", "--resume", "@"]),
        ("json", &["show", "@"]),
        ("json", &["explain", "@"]),
        ("json", &["replay", "@"]),
        ("json", &["reproduce", "@"]),
        ("json", &["diff", "@", "m.pml"]),
        ("json", &["sim", "m.pml", "--trace", "@", "--steps", "5"]),
        ("trail", &["spin", "-k", "@", "m.pml"]),
        ("trail", &["show", "@"]),
        ("jpf", &["jpf", "@"]),
        ("hoa", &["automaton", "--file", "@"]),
        ("pml", &["prop", "show", "p", "--model", "@"]),
    ];
    for (ending, args) in commands {
        let (project, names) = odd(ending);
        for name in &names {
            let args: Vec<&str> =
                args.iter().map(|arg| if *arg == "@" { name.as_str() } else { arg }).collect();
            let run = soon(&project, &args);
            let said = run.out + &run.err;
            assert_eq!(run.code, 2, "{args:?}: {said}");
            let why =
                if name.starts_with("huge") { "it is larger than" } else { "not a regular file" };
            assert!(said.contains(why) || ending == "checkpoint", "{args:?}: {said}");
        }
    }
}

#[test]
fn what_is_included_or_lies_around_is_no_pipe_either() {
    let (project, names) = odd("h");
    for name in &names {
        project.write("m.pml", format!("#include \"{name}\"\n{HOLDS}"));
        let run = soon(&project, &["check", "m.pml"]);
        assert_eq!(run.code, 2, "{name}: {}", run.err);
    }
    // A configuration, and what the folder of runs has.
    for file in ["everypath.toml", ".everypath/last", ".everypath/runs/1/result.json"] {
        let project = Project::new(&[("m.pml", HOLDS)]);
        pipe(&project, file);
        let run = soon(&project, &["check", "m.pml"]);
        assert_eq!(run.code, if file == "everypath.toml" { 2 } else { 0 }, "{file}: {}", run.err);
        soon(&project, &["show", "last"]);
        soon(&project, &["show", "--list"]);
    }
    // A folder of models in which one is none.
    let (project, _) = odd("pml");
    let run = soon(&project, &["check", ".", "--no-save"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.out.contains("holds"), "{}", run.out);
}

#[test]
fn programs_with_pipes_around_them_are_checked() {
    if !needs::javac() {
        return;
    }
    let text = "public class Counter { public static void main(String[] a) { int x = 1; assert x == 1; } }\n";
    let project = Project::new(&[("Counter.java", text), ("bin/x.txt", "")]);
    for name in ["Other.java", "bin/Other.class", "pom.xml"] {
        pipe(&project, name);
    }
    symlink("/dev/zero", project.path.join("Third.java")).unwrap();
    let java = |args: &[&str]| {
        // The JDK takes more address space than anything of ours.
        let mut command = project.command(args);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let status = ended_within(&mut command.spawn().unwrap(), SOON);
        status.unwrap_or_else(|| panic!("{args:?}: no answer within {SOON:?}")).code()
    };
    assert_eq!(java(&["check", "Counter.java", "--no-save"]), Some(0));
    assert_eq!(java(&["check", "Counter.java", "-cp", "bin", "--no-save"]), Some(0));
    assert_eq!(java(&["check", ".", "--no-save"]), Some(0));
    for command in ["check", "sim", "races"] {
        assert_eq!(java(&[command, "Other.java"]), Some(2), "{command}");
    }
    assert_eq!(java(&["check", "bin/Other.class"]), Some(2));
    // javac itself waits for a class that is a pipe: the limit holds for it, too.
    let needs = text.replace("int x = 1;", "int x = Other.X;").replace("Counter", "Needs");
    project.write("Needs.java", needs);
    let start = Instant::now();
    assert_eq!(java(&["check", "Needs.java", "--time", "2s", "--no-save"]), Some(3));
    assert!(start.elapsed() < SOON / 2, "{:?}", start.elapsed());
}

#[test]
fn who_waits_for_input_can_be_interrupted() {
    let project = Project::new(&[("m.pml", HOLDS)]);
    pipe(&project, "pipe.pml");
    for (args, signal) in [
        (&["check", "-"][..], "INT"),
        (&["check", "-"], "TERM"),
        (&["check", "pipe.pml", "--watch"], "INT"),
        (&["check", "m.pml", "--watch"], "TERM"),
        (&["show", "-"], "TERM"),
    ] {
        let mut command = project.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        let ended = ended_within(&mut child, SOON / 2);
        assert!(ended.is_some(), "{args:?}: SIG{signal} is not heard");
    }
    // Nor for longer than there is time.
    let mut command = project.command(&["check", "-", "--time", "500ms"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    assert_eq!(ended_within(&mut child, SOON / 2).and_then(|status| status.code()), Some(3));
}

#[test]
fn folders_are_walked_within_the_limits() {
    let project = Project::new(&[("everypath.toml", "[[target]]\npath = \".\"\n")]);
    for folder in 0..200 {
        std::fs::create_dir_all(project.path.join(format!("{folder}/a/b/c/d"))).unwrap();
    }
    for args in [
        &["check", "/", "--time", "1ms", "--no-config"][..],
        &["check", "/", "--time", "1s", "--no-config"],
        &["check", "--time", "1ms"],
    ] {
        let start = Instant::now();
        let run = soon(&project, args);
        assert_eq!(run.code, 3, "{args:?}: {}", run.err);
        assert!(run.err.contains("stopped while looking for models in"), "{}", run.err);
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}
