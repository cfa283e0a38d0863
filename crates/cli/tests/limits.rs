//! Limits hold for the whole process, whatever takes the memory and the time, and for what comes out it does not
//! matter how many threads there are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use everypath_testkit::needs;
use everypath_verdict::{PropertyResult, RunResult};

const MB: u64 = 1 << 20;

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("everypath-limits-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        name.to_owned()
    }

    fn run(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_everypath"))
            .arg("check")
            .args(words)
            .args(["--no-save", "--no-config", "--format", "json"])
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    fn check(&self, words: &[&str]) -> RunResult {
        let output = self.run(words);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            let told = String::from_utf8_lossy(&output.stderr);
            panic!("{words:?}: {error}: {:?}\n{told}", output.status)
        })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Models of many states, of which each takes its memory elsewhere: many parts with few values, one part with
/// many, long vectors, channels, atomic steps.
fn models() -> Vec<(&'static str, String)> {
    let counters = |count: usize, most: u32| {
        let mut text = String::new();
        for i in 0..count {
            text += &format!("byte x{i};\n");
            text += &format!(
                "active proctype P{i}() {{ do :: x{i} < {most} -> x{i}++ :: x{i} > 0 -> x{i}-- od }}\n"
            );
        }
        text
    };
    let tokens = "byte place[24], moved;
        active [6] proctype Walker() {
            byte at = _pid;
            do
            :: atomic { place[(at + 1) % 24] < 2 -> place[(at + 1) % 24]++; at = (at + 1) % 24 }
            :: atomic { place[at] > 0 -> place[at]--; moved = (moved + at) % 17 }
            od
        }";
    let queues = "chan q[3] = [6] of { byte, byte };
        active [3] proctype Node() {
            byte a, b, n;
            do
            :: q[_pid] ? a, b
            :: atomic { len(q[(_pid + 1) % 3]) < 6 -> n = (n + 7) % 40; q[(_pid + 1) % 3] ! n, b }
            od
        }";
    let rows = "int row[200]; int at, sum;
        active [2] proctype Writer() {
            byte i;
            do :: atomic { i = (i + 3) % 200; row[i] = row[i] + i + 1; sum = sum + row[i] } od
        }";
    vec![
        ("counters.pml", counters(7, 20)),
        ("pair.pml", counters(2, 250) + &counters(9, 6).replace('x', "y").replace("P", "Q")),
        ("tokens.pml", tokens.to_owned()),
        ("queues.pml", queues.to_owned()),
        ("rows.pml", rows.to_owned()),
    ]
}

/// A program whose heap grows in one step, and one with many objects.
fn programs() -> Vec<(&'static str, String)> {
    let doubling = "public class Doubling { public static void main(String[] a) {
        String s = \"x\"; for (int i = 0; i < 40; i++) s += s; assert s.length() > 0; } }";
    let arrays = "public class Arrays { public static void main(String[] a) {
        Object[] all = new Object[100000];
        for (int i = 0; i < all.length; i++) all[i] = new long[4096];
        assert all[7] != null; } }";
    let threads = "public class Threads { static int[] x = new int[6];
        public static void main(String[] a) {
            for (int t = 0; t < 6; t++) { int me = t; new Thread(() -> {
                for (int i = 0; ; i++) { synchronized (Threads.class) { x[me] += me + i; } } }).start(); } } }";
    vec![
        ("Doubling.java", doubling.to_owned()),
        ("Arrays.java", arrays.to_owned()),
        ("Threads.java", threads.to_owned()),
    ]
}

/// What no process may exceed, whatever it counts itself.
fn most(limit: u64) -> u64 {
    limit + limit / 10 + 16 * MB
}

#[test]
fn the_whole_process_keeps_to_its_memory() {
    let folder = Folder::new("memory");
    let mut inputs = models();
    let searches: &[&[&str]] = &[
        &[],
        &["--search", "dfs"],
        &["--store", "plain"],
        &["--reduce", "none", "--cycles", "progress"],
    ];
    let of_programs: &[&[&str]] = &[&[], &["--search", "stateless"]];
    let models = inputs.len();
    if needs::javac() {
        inputs.extend(programs());
    }
    let mut shares = Vec::new();
    let mut wrong = String::new();
    for (index, (name, text)) in inputs.iter().enumerate() {
        let file = folder.file(name, text);
        for search in if index < models { searches } else { of_programs } {
            let limit = 80 * MB;
            let mut words = vec![file.as_str(), "--mem", "80MiB", "--time", "3s"];
            words.extend(*search);
            let result = folder.check(&words);
            let Some(peak) = result.run.peak_bytes else {
                wrong += &format!("{name} {search:?}: nothing was searched\n");
                continue;
            };
            shares.push((peak * 100 / limit, format!("{name} {search:?}")));
            if peak > most(limit) {
                wrong += &format!("{name} {search:?}: {} MiB\n", peak / MB);
            }
        }
    }
    // Those of the examples are small; the limit is no reason to take more.
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    for entry in fs::read_dir(examples).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "pml") {
            continue;
        }
        let file = path.to_string_lossy();
        let result = folder.check(&[&file, "--mem", "48MiB", "--time", "2s"]);
        let peak = result.run.peak_bytes.unwrap_or(0);
        shares.push((peak * 100 / (48 * MB), entry.file_name().to_string_lossy().into_owned()));
        if peak > most(48 * MB) {
            wrong += &format!("{file}: {} MiB\n", peak / MB);
        }
    }
    shares.sort();
    eprintln!("per cent of the limit: {shares:?}");
    assert!(wrong.is_empty(), "more than {} MiB:\n{wrong}", most(80 * MB) / MB);
    // A limit that is never reached would prove nothing.
    let near = shares.iter().filter(|(share, _)| *share > 75).count();
    assert!(near >= 8, "{shares:?}");
}

#[test]
fn memory_and_threads_that_the_system_refuses_end_in_an_answer() {
    let folder = Folder::new("refused");
    let models = models();
    let file = folder.file(models[0].0, &models[0].1);
    let mut wrong = String::new();
    for limits in ["-v 300000", "-v 420000", "-v 700000", "-v 1200000", "-u 1"] {
        for search in
            [vec![], vec!["-j", "2"], vec!["--search", "dfs", "-j", "2", "--reduce", "none"]]
        {
            let words: Vec<&str> = [file.as_str(), "--time", "5s", "--mem", "8GiB"]
                .into_iter()
                .chain(search)
                .collect();
            let output = Command::new("sh")
                .args(["-c", &format!("ulimit {limits}; exec \"$@\""), "sh"])
                .arg(env!("CARGO_BIN_EXE_everypath"))
                .args(["check", "--no-save", "--no-config"])
                .args(&words)
                .current_dir(&folder.0)
                .output()
                .unwrap();
            if output.status.code() != Some(3) {
                let told = String::from_utf8_lossy(&output.stderr);
                wrong += &format!("{limits} {words:?}: {:?}\n{told}\n", output.status);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A result without what a clock says.
fn timeless(result: &RunResult) -> String {
    let stats = result.stats.as_ref().unwrap();
    let mut text =
        format!("{} {} {} {}\n", stats.states, stats.transitions, stats.errors, stats.unexpanded);
    for property in &result.properties {
        // Which run is shown is settled where it has the fewest switches.
        let length = property.trace.as_ref().map(|trace| {
            let length = &trace.length;
            (length.moves, length.fewest_switches.then_some(length.switches))
        });
        let PropertyResult { id, verdict, occurrences, .. } = property;
        text += &format!("{id} {verdict:?} {occurrences} {length:?}\n");
    }
    text
}

#[test]
fn a_search_that_ends_after_a_violation_counts_the_same_with_any_number_of_threads() {
    let folder = Folder::new("threads");
    // Many violations of one kind early, and far more states than a search looks at after one.
    let mut text = String::from("byte done;\n");
    for i in 0..8 {
        text += &format!(
            "byte x{i};\nactive proctype P{i}() {{ do :: x{i} < 12 -> x{i}++; assert(x{i} != {} || done < 2) \
             :: x{i} > 0 -> x{i}--; done = (done + 1) % 5 od }}\n",
            3 + i
        );
    }
    let file = folder.file("late.pml", &text);
    for options in [&[][..], &["--reduce", "none"]] {
        let all: Vec<String> = ["1", "2", "2"]
            .iter()
            .map(|threads| {
                let mut words = vec![file.as_str(), "-j", threads, "--mem", "3GiB"];
                words.extend(options);
                timeless(&folder.check(&words))
            })
            .collect();
        assert!(all.iter().all(|one| *one == all[0]), "{options:?}: {all:#?}");
        assert!(all[0].contains("Violated"), "{}", all[0]);
    }
}

#[test]
fn the_time_is_that_of_the_whole_command() {
    let folder = Folder::new("time");
    // Reading it takes long: loops in atomic sequences of a hundred processes.
    let mut text = String::from("byte a[40];\n");
    for i in 0..100 {
        text += &format!(
            "active proctype P{i}() {{ byte i, j, k; atomic {{ for (i : 0 .. 9) {{ for (j : 0 .. 9) {{ \
             for (k : 0 .. 9) {{ a[(i + j + k + {i}) % 40] = i }} }} }} }} }}\n"
        );
    }
    let nested = folder.file("nested.pml", &text);
    // Many violations, each of which wants a run.
    let mut text = String::from("byte x[8];\nactive [4] proctype P() {\n");
    for i in 0..33 {
        text += &format!(
            "do :: x[{0}] < 3 -> x[{0}]++ :: break od; assert(x[{0}] != {1} || x[{2}] != 1);\n",
            i % 8,
            i % 3,
            (i + 3) % 8
        );
    }
    let many = folder.file("many.pml", &(text + "}\n"));
    // A text that macros make long.
    let mut text = String::from("#define A(x) x+x+x+x+x+x\nint x;\nactive proctype P() {\n");
    text += &"x = A(A(1));\n".repeat(300_000);
    let macros = folder.file("macros.pml", &(text + "}\n"));
    let mut wrong = String::new();
    for (file, options) in [
        (&macros, &[][..]),
        (&nested, &[][..]),
        (&nested, &["--reduce", "none"]),
        (&many, &[]),
        (&many, &["--search", "dfs"]),
    ] {
        let mut words = vec![file.as_str(), "--time", "1s", "--mem", "4GiB"];
        words.extend(options);
        let start = Instant::now();
        let output = folder.run(&words);
        let took = start.elapsed();
        // A busy machine gets a second more.
        if took > Duration::from_millis(1000 + 100 + 2000 + 1000) {
            wrong += &format!("{words:?}: {took:.1?}, {:?}\n", output.status);
        }
        let text = String::from_utf8_lossy(&output.stdout);
        if file == &macros
            && (output.status.code() != Some(3) || !text.contains("\"reason\":\"time-limit\""))
        {
            wrong += &format!("{words:?}: {:?}: {text}\n", output.status);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn forgotten_drafts_of_checkpoints_go() {
    let folder = Folder::new("drafts");
    let models = models();
    let file = folder.file(models[0].0, &models[0].1);
    let checkpoints = folder.0.join(".everypath/checkpoints");
    let check = |words: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_everypath"))
            .arg("check")
            .args(words)
            .current_dir(&folder.0)
            .output()
            .unwrap()
    };
    let first = check(&[&file, "--checkpoint=1ms", "--states", "30000"]);
    assert_eq!(first.status.code(), Some(3));
    let forgotten = checkpoints.join("counters-0.77-0.draft");
    fs::write(&forgotten, vec![7; 100_000]).unwrap();
    assert_eq!(check(&["--resume", "last", "--states", "60000"]).status.code(), Some(3));
    assert!(!forgotten.exists());
    let drafts = fs::read_dir(&checkpoints).unwrap().flatten();
    let drafts: Vec<PathBuf> =
        drafts.map(|entry| entry.path()).filter(|path| is_draft(path)).collect();
    assert_eq!(drafts, Vec::<PathBuf>::new());
}

fn is_draft(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "draft")
}
