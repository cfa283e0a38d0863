//! `--checkpoint` and `--resume`: runs that are killed, interrupted or limited, and go on.

mod project;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use everypath_verdict::{RunResult, Stop};
use project::Project;

/// Ten philosophers: some 190,000 states on thirty levels, and a deadlock.
const MODEL: &str = "#define N 10
bool taken[N];
active [N] proctype Philosopher()
{
    byte left = _pid, right = (_pid + 1) % N;
    do
    :: atomic { !taken[left] -> taken[left] = true };
       atomic { !taken[right] -> taken[right] = true };
       taken[right] = false;
       taken[left] = false
    od
}
";

fn command(project: &Project, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.current_dir(&project.path).args(["check", "--format", "json"]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(project: &Project, args: &[&str]) -> RunResult {
    let output = command(project, args).output().expect("the program runs");
    parse(&output.stdout)
}

fn parse(text: &[u8]) -> RunResult {
    serde_json::from_slice(text)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(text)))
}

/// What must not depend on what happened on the way.
fn facts(result: &RunResult) -> String {
    let stats = result.stats.as_ref().expect("a search");
    let properties: Vec<String> = result
        .properties
        .iter()
        .map(|p| {
            let moves = p.trace.as_ref().map(|trace| trace.length.moves);
            format!("{} {:?} {} {moves:?}", p.id, p.verdict, p.occurrences)
        })
        .collect();
    let counts = (stats.states, stats.transitions, stats.depth, stats.unexpanded, stats.errors);
    format!("{:?} {counts:?} {properties:?} {:?}", result.verdict, result.coverage)
}

fn checkpoints(project: &Project) -> Vec<PathBuf> {
    let entries = fs::read_dir(project.path.join(".everypath/checkpoints"));
    entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

const BASE: [&str; 5] = ["m.pml", "--reduce", "none", "--exec", "interp"];

#[test]
fn killed_runs_go_on_to_the_same_end() {
    let project = Project::new(&[("m.pml", MODEL)]);
    let whole = run(&project, &BASE);
    assert!(checkpoints(&project).is_empty(), "a short run leaves none");
    let mut seed = 11u64;
    let mut random = |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % n
    };
    let (mut kills, mut resumes) = (0, 0);
    for round in 0.. {
        let resume =
            !checkpoints(&project).iter().all(|p| p.extension().is_some_and(|e| e == "draft"));
        let threads = ["-j1", "-j2", "-j3"][random(3) as usize];
        let mut args = vec!["--checkpoint=5ms", threads];
        if resume {
            args.extend(["--resume", "last"]);
            resumes += 1;
        } else {
            args.extend(BASE);
        }
        let mut child = command(&project, &args).spawn().expect("the program runs");
        let limit = Duration::from_millis(20 + random(100 + 40 * round));
        let start = Instant::now();
        // What it says fits the pipe, so it can be read at the end.
        while start.elapsed() < limit && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("it is ours");
            child.wait().expect("a child");
            kills += 1;
            continue;
        }
        let output = child.wait_with_output().expect("a child");
        let result = parse(&output.stdout);
        assert_eq!(facts(&result), facts(&whole), "after {kills} kills");
        if kills < 3 || resumes == 0 {
            continue;
        }
        break;
    }
    let left = checkpoints(&project);
    assert!(left.iter().all(|p| p.extension().is_some_and(|e| e == "draft")), "{left:?}");
}

#[test]
fn limits_and_interrupts_leave_a_checkpoint() {
    let project = Project::new(&[("m.pml", MODEL)]);
    let whole = run(&project, &BASE);
    for limit in [["--states", "50000"], ["--mem", "1MiB"], ["--time", "20ms"]] {
        let first = run(&project, &[&BASE[..], &limit, &["--checkpoint"]].concat());
        if limit[0] == "--time" && first.run.stop == Stop::Completed {
            // A fast machine is done by then.
            continue;
        }
        assert_ne!(first.run.stop, Stop::Completed, "{limit:?}");
        let kept = first.run.checkpoint.as_ref().unwrap_or_else(|| panic!("{limit:?}"));
        assert!(kept.states > 0 && PathBuf::from(&kept.path).file_name().is_some());
        let raised = ["--states", "100000000", "--mem", "1GiB", "--time", "1h"];
        let again = run(&project, &[&["--resume", "last"], &raised[..]].concat());
        assert_eq!(facts(&again), facts(&whole), "{limit:?}");
        assert_eq!(again.run.resumed, Some(kept.states));
        assert!(checkpoints(&project).is_empty(), "a search that is over needs none");
    }
    // A run that nobody asked to keep, and that is short, leaves nothing.
    let short = run(&project, &[&BASE[..], &["--states", "50000"]].concat());
    assert_eq!(short.run.checkpoint, None);
    assert!(checkpoints(&project).is_empty());
    // Ctrl-C.
    let args = [&BASE[..], &["--checkpoint"]].concat();
    let child = command(&project, &args).spawn().expect("the program runs");
    std::thread::sleep(Duration::from_millis(80));
    let pid = child.id().to_string();
    Command::new("kill").args(["-INT", &pid]).status().expect("kill");
    let first = parse(&child.wait_with_output().expect("a child").stdout);
    if first.run.stop == Stop::Interrupt {
        assert!(first.run.checkpoint.is_some());
        let again = run(&project, &["--resume", "last"]);
        assert_eq!(facts(&again), facts(&whole));
    }
}

/// Whatever memory runs out of, and wherever its threads are then: nothing that is stored is forgotten.
#[test]
fn memory_runs_out_anywhere() {
    let project = Project::new(&[("m.pml", MODEL)]);
    let whole = run(&project, &BASE);
    for limit in (700..1300).step_by(60) {
        let limit = format!("--mem={limit}KiB");
        let first = run(&project, &[&BASE[..], &[&limit, "-j3", "--checkpoint"]].concat());
        if first.run.checkpoint.is_some() {
            let again = run(&project, &["--resume", "last", "--mem", "1GiB"]);
            assert_eq!(facts(&again), facts(&whole), "{limit}");
        }
    }
}

/// With what waits on the disk, less memory is enough.
#[test]
fn a_disk_leaves_the_memory_to_the_states() {
    let project = Project::new(&[("m.pml", MODEL)]);
    let whole = run(&project, &BASE);
    let directory = project.path.join("room");
    let disk = format!("--disk={}", directory.display());
    let limits = (10..200).map(|n| format!("--mem={}KiB", n * 64));
    let (limit, with) = limits
        .map(|limit| {
            let with = run(&project, &[&BASE[..], &[&disk, &limit, "-j1"]].concat());
            (limit, with)
        })
        .find(|(_, with)| with.run.stop == Stop::Completed)
        .expect("some memory is enough");
    assert_eq!(facts(&with), facts(&whole), "{limit}");
    let without = run(&project, &[&BASE[..], &[&limit, "-j1"]].concat());
    assert_eq!(without.run.stop, Stop::Memory, "{limit}");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "nothing is left on the disk");
    // In the folder of the project, with threads, killed and taken up.
    let threads = run(
        &project,
        &[&BASE[..], &["--disk", "-j3", "--states", "90000", "--checkpoint"]].concat(),
    );
    assert!(threads.run.checkpoint.is_some());
    let again = run(&project, &["--resume", "last", "--states", "1000000"]);
    assert_eq!(facts(&again), facts(&whole));
    // A place where nothing can be written.
    project.write("file", "");
    let mut command = command(&project, &[&BASE[..], &["--disk=file/room"]].concat());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("EP1010"));
}

#[test]
fn checkpoints_of_something_else_are_refused() {
    let project = Project::new(&[("m.pml", MODEL), ("other.pml", "init { skip }\n")]);
    let refused = |args: &[&str], why: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
        let output = command.current_dir(&project.path).arg("check").args(args).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("EP1009") && said.contains(why), "{args:?}: {said}");
    };
    refused(&["--resume", "last"], "there is no checkpoint");
    refused(&["--resume", "m.pml"], "not a checkpoint");
    refused(&["--resume", "nowhere"], "cannot read nowhere");
    let stopped = run(&project, &[&BASE[..], &["--states", "20000", "--checkpoint"]].concat());
    let path = PathBuf::from(stopped.run.checkpoint.expect("a checkpoint").path);
    let path = project.path.join(path);
    refused(&["--resume", "last", "--reduce", "merge"], "was made with --reduce none");
    refused(&["--resume", "last", "--depth", "7"], "was made with --depth none, this is --depth 7");
    refused(&["--resume", "last", "--store", "bitstate"], "was made with --store Collapse");
    refused(&["--resume", "last", "--invariant", "taken[0]"], "--invariant none");
    refused(&["--resume", "last", "other.pml"], "another model");
    let good = fs::read(&path).unwrap();
    for at in [good.len() / 2, good.len() - 3, 2000] {
        let mut bad = good.clone();
        bad[at] ^= 16;
        fs::write(&path, &bad).unwrap();
        refused(&["--resume", "last"], "damaged");
    }
    fs::write(&path, &good[..good.len() - 100]).unwrap();
    refused(&["--resume", "last"], "damaged");
    fs::write(&path, &good).unwrap();
    project.write("m.pml", MODEL.replace("byte left", "int left"));
    refused(&["--resume", "last"], "the model has changed");
    project.write("m.pml", MODEL);
    let elsewhere = project.path.join("mine.bin");
    fs::rename(&path, &elsewhere).unwrap();
    let again = run(&project, &["--resume", "mine.bin", "--states", "100000000"]);
    assert_eq!(again.run.stop, Stop::Completed);
    assert!(elsewhere.exists(), "what the user named is not removed");
}
