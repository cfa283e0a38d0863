//! What the tests against the real Java share: the JDK, compiling, running, comparing.

// Each test binary uses its own part.
#![allow(dead_code)]

pub mod assemble;
pub mod concurrent;
pub mod generate;
pub mod handover;
pub mod scenes;

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use everypath_lang_java::{Options, run_once};
use everypath_testkit::needs;

/// The longest that one program may take on either virtual machine.
const LONGEST: Duration = Duration::from_secs(20);

/// The programs `java` and `javac` of an installed JDK.
#[derive(Clone)]
pub struct Tools {
    bin: PathBuf,
}

impl Tools {
    /// Finds a JDK with a compiler; without one the test is left out.
    pub fn find() -> Option<Tools> {
        if !needs::javac() {
            return None;
        }
        let bin = needs::find("javac")?.parent()?.to_owned();
        Some(Tools { bin })
    }

    fn java(&self) -> Command {
        let mut command = Command::new(self.bin.join("java"));
        command
            .args(["-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"])
            .args(["-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC"])
            .env_remove("JAVA_TOOL_OPTIONS");
        command
    }

    /// Compiles the sources into a directory, all of them in one call.
    pub fn compile(&self, sources: &[PathBuf], classes: &Path, options: &[&str]) {
        empty(classes);
        let list = classes.with_extension("sources");
        let text: String = sources.iter().map(|source| format!("{}\n", source.display())).collect();
        std::fs::write(&list, text).expect("list of sources");
        let output = Command::new(self.bin.join("javac"))
            .args(["-encoding", "UTF-8", "-Xlint:none", "-nowarn", "-d"])
            .arg(classes)
            .args(options)
            .arg(format!("@{}", list.display()))
            .output()
            .expect("javac");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Writes a class with constants that javac does not write, by the JDK's own writer of class files.
    pub fn write_constants(&self, classes: &Path) {
        let mut command = Command::new(self.bin.join("java"));
        command
            .args(["--add-exports", "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED"])
            .arg(tests().join("tools/DynamicConstants.java"))
            .arg(classes);
        assert!(command.status().expect("java").success(), "writing constants failed");
    }

    /// Packs a directory into a jar.
    pub fn jar(&self, directory: &Path, jar: &Path) {
        let mut command = Command::new(self.bin.join("jar"));
        command.arg("cf").arg(jar).arg("-C").arg(directory).arg(".");
        assert!(command.status().expect("jar").success(), "jar failed");
    }

    /// Compiles jobs (a directory, sources and options) one by one in one virtual machine.
    pub fn compile_each(&self, jobs: &[(PathBuf, Vec<String>)]) {
        let list = scratch("jobs");
        let mut text = String::new();
        for (classes, words) in jobs {
            empty(classes);
            text.push_str(&format!("{}\t{}\n", classes.display(), words.join("\t")));
        }
        std::fs::write(&list, text).expect("list of jobs");
        let output = Command::new(self.bin.join("java"))
            .arg(tests().join("tools/Compile.java"))
            .arg(&list)
            .output()
            .expect("java");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// One run on the real virtual machine.
    pub fn run(&self, classes: &Path, main: &str) -> Run {
        let mut command = self.java();
        command.arg("-cp").arg(classes).arg(main).stdin(Stdio::null());
        run_command(command)
    }

    /// Runs of programs in one virtual machine, by name. Programs that end with an exception are not
    /// among them, nor is what comes behind one that ends the machine.
    pub fn run_together(&self, classes: &Path, programs: &[String]) -> BTreeMap<String, Run> {
        let list = classes.with_extension("programs");
        std::fs::write(&list, programs.join("\n")).expect("list of programs");
        let mut command = self.java();
        command.arg(tests().join("tools/Together.java")).arg(classes).arg(&list);
        let output = command.stdin(Stdio::null()).output().expect("java");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines()
            .filter_map(|line| {
                let mut words = line.split('\t');
                let name = words.next()?.to_owned();
                let mut stream = || String::from_utf8(base64(words.next()?)).ok();
                let (stdout, stderr) = (stream()?, stream()?);
                Some((name, Run { stdout, stderr, status: 0 }))
            })
            .collect()
    }

    /// The outcomes of many runs of each program in one virtual machine: program, end, printed text.
    pub fn outcomes(
        &self,
        classes: &Path,
        runs: usize,
        programs: &[String],
    ) -> Vec<(String, String, String)> {
        let mut command = self.java();
        command
            .arg(tests().join("tools/Outcomes.java"))
            .arg(classes)
            .arg(runs.to_string())
            .args(programs);
        let output = command.stderr(Stdio::inherit()).output().expect("java");
        assert!(output.status.success(), "the outcome runner failed");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines()
            .map(|line| {
                let mut words = line.splitn(4, '\t');
                let mut next = || words.next().expect("four words in a line").to_string();
                let (program, _count) = (next(), next());
                (
                    program,
                    next(),
                    next().replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\"),
                )
            })
            .collect()
    }
}

/// The bytes that a text in Base64 stands for.
fn base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|&c| c != b'=').map(digit).collect();
    digits
        .chunks(4)
        .flat_map(|chunk| {
            let bits = chunk.iter().fold(0u32, |bits, &digit| bits << 6 | u32::from(digit));
            let bits = bits << (6 * (4 - chunk.len()));
            bits.to_be_bytes()[1..chunk.len()].to_vec()
        })
        .collect()
}

/// What a run printed and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    pub status: i32,
}

fn run_command(mut command: Command) -> Run {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("java");
    let (out, err) = (child.stdout.take().expect("stdout"), child.stderr.take().expect("stderr"));
    let read = |stream: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || std::io::read_to_string(stream).expect("UTF-8 from java"))
    };
    let (out, err) = (read(Box::new(out)), read(Box::new(err)));
    let begin = Instant::now();
    let status = loop {
        match child.try_wait().expect("java") {
            Some(status) => break status.code().unwrap_or(-1),
            None if begin.elapsed() > LONGEST => {
                child.kill().expect("kill java");
                child.wait().expect("java");
                break -1;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    Run { stdout: out.join().expect("stdout"), stderr: err.join().expect("stderr"), status }
}

/// The same run on our virtual machine; the error says why there is none.
pub fn run_ours(classes: &Path, main: &str) -> Result<Run, String> {
    let options = Options::new(vec![classes.to_path_buf()], main);
    let (sender, receiver) = std::sync::mpsc::channel();
    // A thread of its own: a program that never ends is left behind.
    std::thread::spawn(move || {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run_once(&options)));
        let _ = sender.send(result.map_err(|panic| format!("panic: {}", panic_text(&*panic))));
    });
    let result =
        receiver.recv_timeout(LONGEST).map_err(|_| format!("no end within {LONGEST:?}"))??;
    let result = result?;
    Ok(Run { stdout: result.stdout, stderr: result.stderr, status: result.exit_status })
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("unknown").to_string()
}

/// The first place where two runs differ.
pub fn difference(real: &Run, ours: &Result<Run, String>) -> Option<String> {
    let ours = match ours {
        Ok(run) if run == real => return None,
        Ok(run) => run,
        Err(error) => return Some(error.clone()),
    };
    for (name, left, right) in
        [("stdout", &real.stdout, &ours.stdout), ("stderr", &real.stderr, &ours.stderr)]
    {
        let (mut left, mut right) = (left.lines(), right.lines());
        for line in 1.. {
            match (left.next(), right.next()) {
                (None, None) => break,
                (a, b) if a == b => {}
                (a, b) => {
                    let error = if name == "stdout" { run_error(ours) } else { String::new() };
                    return Some(format!(
                        "{name} line {line}\n    java {a:?}\n    ours {b:?}{error}"
                    ));
                }
            }
        }
    }
    Some(format!("the exit status is {} in java, {} here", real.status, ours.status))
}

/// What our run says about its end, for a report.
fn run_error(run: &Run) -> String {
    run.stderr.lines().take(2).map(|line| format!("\n    {line}")).collect()
}

/// Works on all items with every processor; the results are in the order of the items.
pub fn parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    results.lock().expect("results").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("results");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Programs that do not give the right answer yet, with the reason.
pub struct NotYet(BTreeMap<String, String>);

impl NotYet {
    pub fn read() -> NotYet {
        let text = std::fs::read_to_string(tests().join("not-yet.txt")).expect("not-yet.txt");
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        NotYet(
            lines
                .map(|line| line.split_once(' ').expect("a name and a reason"))
                .map(|(name, reason)| (name.to_string(), reason.trim().to_string()))
                .collect(),
        )
    }

    /// Why the result of a program is not as expected: it fails and is not in the list, or the reverse.
    pub fn complaint(&self, name: &str, difference: Option<&str>) -> Option<String> {
        match (self.0.get(name), difference) {
            (None, Some(text)) => Some(format!("{name}: {text}")),
            (Some(_), None) => Some(format!("{name} passes now: take it out of not-yet.txt")),
            _ => None,
        }
    }

    /// Names in the list that are no program.
    pub fn strangers(&self, known: impl Fn(&str) -> bool) -> Vec<&str> {
        self.0.keys().map(String::as_str).filter(|name| !known(name)).collect()
    }
}

pub fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// A place for files that the tests make.
pub fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Makes a directory from sources unless that was done before: tests may be processes of their own, and
/// several of them may need it at the same time.
pub fn once(directory: &Path, sources: &[PathBuf], make: impl FnOnce()) {
    let lock = File::create(directory.with_extension("lock")).expect("lock");
    lock.lock().expect("lock");
    let mut hash = DefaultHasher::new();
    for source in sources {
        (source, std::fs::read(source).expect("source")).hash(&mut hash);
    }
    let (done, key) = (directory.with_extension("done"), hash.finish().to_string());
    if std::fs::read_to_string(&done).is_ok_and(|text| text == key) {
        return;
    }
    make();
    std::fs::write(done, key).expect("done");
}

fn empty(directory: &Path) {
    let _ = std::fs::remove_dir_all(directory);
    std::fs::create_dir_all(directory).expect("directory");
}

/// The examples that are programs.
pub fn examples() -> Vec<PathBuf> {
    let mut found = sources(&tests().join("../../../examples/java"));
    let text = |source: &PathBuf| std::fs::read_to_string(source).expect("source");
    found.retain(|source| text(source).contains("void main("));
    found
}

/// The Java sources of a directory and the directories in it, sorted.
pub fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).expect("directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "java") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The name of the class that a source is called after.
pub fn class_name(source: &Path) -> String {
    source.file_stem().expect("file name").to_string_lossy().into_owned()
}
