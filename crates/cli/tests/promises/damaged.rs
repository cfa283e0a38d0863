//! A file of each kind that somebody reads, damaged in many ways: an answer or an error, never a defect, a signal or a
//! hang.

use std::process::Stdio;
use std::time::Duration;

use everypath_model::Rng;
use everypath_testkit::needs;

use super::project::{Project, VIOLATED};
use super::{ended_within, javac};

/// How often each file is damaged.
const TIMES: usize = 24;
/// Longer than anything asked for takes, on a busy machine.
const SOON: Duration = Duration::from_secs(30);

/// A copy of a file with some bytes changed, removed, repeated or moved, or cut.
fn damaged(bytes: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        if copy.is_empty() {
            break;
        }
        let at = random.below(copy.len());
        let end = (at + 1 + random.below(12)).min(copy.len());
        match random.below(6) {
            0 => copy[at] ^= 1 << random.below(8),
            1 => copy[at] = random.below(256) as u8,
            2 => drop(copy.drain(at..end)),
            3 => {
                let piece = copy[at..end].to_vec();
                copy.splice(at..at, piece);
            }
            4 => {
                let numbers: [&[u8]; 5] = [b"-1", b"99999999999999999999", b"\"", b"{", b"\0"];
                let piece = numbers[random.below(5)];
                copy.splice(at..end, piece.iter().copied());
            }
            _ => copy.truncate(at),
        }
    }
    copy
}

/// Damages `name` again and again, and lets `args` read it.
fn damage(project: &Project, name: &str, args: &[&str], wrong: &mut String) {
    let whole = std::fs::read(project.path.join(name)).unwrap();
    let mut random = Rng::new(whole.len() as u64);
    for round in 0..TIMES {
        let bytes = damaged(&whole, &mut random);
        project.write(name, &bytes);
        let mut child =
            project.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let code = ended_within(&mut child, SOON).map(|status| status.code());
        if !matches!(code, Some(Some(0..=3))) {
            let kept = std::env::temp_dir().join(format!("everypath-damaged-{round}"));
            std::fs::write(&kept, &bytes).unwrap();
            let kept = kept.display();
            *wrong += &format!("{args:?} on {name}, round {round} ({kept}): {code:?}\n");
        }
    }
    project.write(name, &whole);
}

#[test]
fn damaged_files_of_every_kind_are_errors() {
    let program = "class Main { static int x; public static void main(String[] a) { \
                   new Thread(() -> x = 1).start(); assert x == 0; } }\n";
    let project = Project::new(&[
        (
            "m.pml",
            "#define N 3\nmtype = { a, b }\nchan c = [2] of { mtype, byte };\nltl p { [] (x < 2) }\n\
                   byte x;\nactive proctype P() { do :: x < N -> x++; c!a, x :: c?b, _ :: break od }\n",
        ),
        ("v.pml", VIOLATED),
        ("f.flow", "thread t { lock A event x unlock A }\ntask main { start t event y join t }\n"),
        ("q.fsa", "automaton p { start s; s: x -> t; accept s t }\n"),
        (
            "a.hoa",
            "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n\
                   State: 0\n[0] 1 {0}\n[!0] 0\nState: 1\n[t] 0\n--END--\n",
        ),
        (
            "everypath.toml",
            "[check]\ntime = \"5s\"\nsave = false\n[[target]]\npath = \"v.pml\"\n[[target.prop]]\n\
                            name = \"assertions\"\nexpect = \"violated\"\nreason = \"meant\"\n",
        ),
        (
            "p.jpf",
            "target = Main\nclasspath = .\nsearch.class = .search.heuristic.BFSHeuristic\nvm.max = 3\n",
        ),
        ("Main.java", program),
    ]);
    let mut wrong = String::new();
    let limits = ["--no-config", "--no-save", "--time", "3s"];
    let with = |words: &[&'static str]| [words, &limits].concat();
    damage(&project, "m.pml", &with(&["check", "m.pml"]), &mut wrong);
    damage(&project, "m.pml", &["lint", "m.pml"], &mut wrong);
    damage(&project, "f.flow", &["flow", "f.flow", "--ltl", "[] x", "--time", "3s"], &mut wrong);
    damage(&project, "q.fsa", &with(&["check", "m.pml", "--fsa", "q.fsa"]), &mut wrong);
    damage(&project, "a.hoa", &["automaton", "--file", "a.hoa"], &mut wrong);
    damage(&project, "everypath.toml", &["check", "--no-save"], &mut wrong);
    // What a run leaves behind.
    project.run(&["check", "v.pml", "--no-config", "-o", "json=r.json", "-o", "trail=v.pml.trail"]);
    damage(&project, "r.json", &["show", "r.json"], &mut wrong);
    damage(&project, "r.json", &["replay", "r.json"], &mut wrong);
    damage(&project, "r.json", &["diff", "r.json", "last"], &mut wrong);
    damage(&project, "v.pml.trail", &["spin", "-t", "-p", "v.pml"], &mut wrong);
    damage(&project, ".everypath/last", &["show", "last"], &mut wrong);
    let limited = ["check", "m.pml", "--no-config", "--checkpoint=1ms", "--states", "4"];
    project.run(&limited);
    let mut checkpoints = std::fs::read_dir(project.path.join(".everypath/checkpoints")).unwrap();
    let checkpoint = checkpoints.next().unwrap().unwrap().file_name();
    let checkpoint = format!(".everypath/checkpoints/{}", checkpoint.to_string_lossy());
    damage(&project, &checkpoint, &["check", "--resume", &checkpoint], &mut wrong);
    if needs::javac() {
        damage(&project, "p.jpf", &["jpf", "p.jpf"], &mut wrong);
        javac(&project.path, ".", &["Main.java"]);
        damage(&project, "Main.class", &with(&["check", "Main.class"]), &mut wrong);
        damage(&project, "Main.java", &with(&["check", "Main.java"]), &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
}
