//! SPIN as an oracle: generate the verifier, compile it, run it, read its report.
//!
//! The run is the comparable one: no dataflow optimisation, no statement merging, no partial-order
//! reduction, claims ignored, all errors counted. The counts of such a run do not depend on the
//! search order as long as it is [complete](Run::complete).

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// An installed SPIN with the C compilers it needs.
#[derive(Clone, Debug)]
pub struct Spin {
    pub(crate) spin: PathBuf,
    pub(crate) gcc: PathBuf,
    pub(crate) tcc: Option<PathBuf>,
}

/// Which C compiler builds the verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// `tcc` where it is installed (twenty times faster than gcc on a verifier), else `gcc -O0`.
    Fast,
    /// `gcc -O1`: for large state spaces, and to confirm what `tcc` said.
    Reference,
}

/// How a model is run.
#[derive(Clone, Debug)]
pub struct Config {
    /// The C compiler.
    pub compiler: Compiler,
    /// Time limit for each of the three programs.
    pub time: Duration,
    /// Search depth; a search that reaches it is repeated once with [`Config::max_depth`].
    pub depth: u64,
    /// Search depth of the repetition.
    pub max_depth: u64,
    /// Memory limit of the verifier in megabytes.
    pub memory: u64,
    /// Largest state vector in bytes; on excess the run is repeated with a larger one.
    pub vector: u64,
    /// How many bytes of output are kept from the beginning (and as many from the end).
    pub output: usize,
    /// Whether invalid end states are errors (`false` is `pan -E`).
    pub end_states: bool,
    /// Ignore the claims of the model (`-DNOCLAIM`).
    pub no_claim: bool,
    /// Whether the verifier can look for cycles (without `-DSAFETY`); it then stops at the first error.
    pub cycles: bool,
    /// Further arguments for `spin`.
    pub spin_args: Vec<String>,
    /// Further arguments for the C compiler.
    pub compiler_args: Vec<String>,
    /// Further arguments for the verifier.
    pub pan_args: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            compiler: Compiler::Fast,
            time: Duration::from_secs(10),
            depth: 100_000,
            max_depth: 1_000_000,
            memory: 1024,
            vector: 1024,
            output: 1 << 18,
            end_states: true,
            no_claim: true,
            cycles: false,
            spin_args: Vec::new(),
            compiler_args: Vec::new(),
            pan_args: Vec::new(),
        }
    }
}

/// What SPIN made of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpinResult {
    /// A verifier was built and printed a report.
    Accepted(Run),
    /// The model was refused: by `spin`, by the C compiler or by the verifier at start-up.
    Rejected {
        /// Who refused it.
        by: Stage,
        /// The exit status.
        exit: i32,
        /// What was printed.
        text: String,
    },
    /// No report for another reason: a crash, such as a division by zero, or a missing program.
    Failed {
        /// The reason.
        why: String,
    },
    /// A time limit was reached.
    Timeout,
}

impl SpinResult {
    /// The report, if there is one.
    pub fn run(&self) -> Option<&Run> {
        match self {
            SpinResult::Accepted(run) => Some(run),
            _ => None,
        }
    }
}

/// The program that refused a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// `spin -a`
    Spin,
    /// The C compiler.
    Compiler,
    /// The verifier, before the search.
    Verifier,
}

/// The report of a verifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// States, matches, transitions and atomic steps.
    pub counts: Counts,
    /// Number of errors.
    pub errors: u64,
    /// The errors as printed. A repetition of the error just printed is counted, not printed.
    pub reports: Vec<Report>,
    /// Whether the depth limit was reached: the search is incomplete.
    pub depth_limit: bool,
    /// Whether the verifier stopped early: a fatal error, a memory limit or an interrupt.
    pub stopped: bool,
    /// Size of the state vector in bytes.
    pub vector: u64,
    /// Longest path.
    pub depth: u64,
    /// Exit status of `spin -a`: not 0 for a model with errors that SPIN recovers from.
    pub spin_exit: i32,
    /// What `spin -a` printed: warnings and recovered errors.
    pub spin_text: String,
    /// What the verifier printed, cut as configured.
    pub text: String,
}

impl Run {
    /// Whether the search saw the whole state space, so that the counts can be compared.
    pub fn complete(&self) -> bool {
        !self.depth_limit && !self.stopped
    }

    /// The kinds of the reported errors, sorted, each once.
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> = self.reports.iter().map(Report::kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }

    /// Whether the verifier gave up without a verdict: a limit of SPIN was exceeded.
    pub fn no_verdict(&self) -> bool {
        self.kinds().contains(&Kind::Limit) || (!self.complete() && self.errors == 0)
    }
}

/// The numbers of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Distinct states.
    pub stored: u64,
    /// Arrivals at a stored state.
    pub matched: u64,
    /// The sum of both.
    pub transitions: u64,
    /// Steps inside atomic sequences.
    pub atomic: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { stored, matched, transitions, atomic } = self;
        write!(f, "{stored}/{matched}/{transitions}/{atomic}")
    }
}

/// One error as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The message.
    pub text: String,
    /// The depth it was found at; -1 for an end state that is the initial state.
    pub depth: i64,
}

impl Report {
    /// The kind of the error.
    pub fn kind(&self) -> Kind {
        Kind::of_text(&self.text)
    }
}

/// Kinds of errors, one word each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A false `assert`.
    Assertion,
    /// An invalid end state.
    Deadlock,
    /// An array index out of range.
    Index,
    /// A statement that blocks inside a `d_step`.
    DStep,
    /// Use of no channel, of a dead channel, or with the wrong number of fields.
    Channel,
    /// Two executable options in a `D_proctype`.
    DProctype,
    /// A violated `trace` or `notrace`.
    Trace,
    /// A never claim ran to its end.
    Claim,
    /// An acceptance or non-progress cycle.
    Cycle,
    /// `enabled(_pid)`.
    Enabled,
    /// A priority out of range.
    Priority,
    /// A broken `xr` or `xs` promise.
    Exclusive,
    /// A false precondition of embedded C.
    Precondition,
    /// Too many processes or channels, a state vector or a depth that is too large: no verdict.
    Limit,
    /// Anything else.
    Other,
}

impl Kind {
    const WORDS: [(Kind, &'static str); 15] = [
        (Kind::Assertion, "assertion"),
        (Kind::Deadlock, "deadlock"),
        (Kind::Index, "index"),
        (Kind::DStep, "d_step"),
        (Kind::Channel, "channel"),
        (Kind::DProctype, "d_proctype"),
        (Kind::Trace, "trace"),
        (Kind::Claim, "claim"),
        (Kind::Cycle, "cycle"),
        (Kind::Enabled, "enabled"),
        (Kind::Priority, "priority"),
        (Kind::Exclusive, "exclusive"),
        (Kind::Precondition, "precondition"),
        (Kind::Limit, "limit"),
        (Kind::Other, "other"),
    ];

    /// The kind of an error message of the verifier.
    pub fn of_text(text: &str) -> Kind {
        let has = |part: &str| text.contains(part);
        if has("invalid array index") || has("index out of bounds") {
            Kind::Index
        } else if has("assertion violated") {
            Kind::Assertion
        } else if has("invalid end state") {
            Kind::Deadlock
        } else if has("in d_step") {
            Kind::DStep
        } else if has("D_proctype") {
            Kind::DProctype
        } else if has("event_trace") || has("event-trace") {
            Kind::Trace
        } else if has("end state in claim") {
            Kind::Claim
        } else if has("cycle") || has("accept stutter") {
            Kind::Cycle
        } else if has("used: enabled") {
            Kind::Enabled
        } else if has("priority is out of range") {
            Kind::Priority
        } else if has("precondition false") {
            Kind::Precondition
        } else if has("partial order reduction invalid")
            || has("x[rs] claim")
            || has("chans cannot be used for rv")
        {
            Kind::Exclusive
        } else if has("VECTORSZ")
            || has("aborting")
            || has("too many processes")
            || has("too many queues")
            || has("depth limit reached")
        {
            Kind::Limit
        } else if has("chan") || has("queue") || has("pars in receive") || has("parameters in send")
        {
            Kind::Channel
        } else {
            Kind::Other
        }
    }

    /// The word used in the headers of test models.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(kind, _)| *kind == self).map_or("other", |(_, word)| word)
    }

    /// The kind of a word.
    pub fn from_word(word: &str) -> Option<Kind> {
        Self::WORDS.iter().find(|(_, w)| *w == word).map(|(kind, _)| *kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Looks for `spin` and `gcc` (needed: SPIN preprocesses with it) and `tcc` (optional) in `PATH`.
pub fn find() -> Option<Spin> {
    let path = std::env::var_os("PATH")?;
    let program = |name: &str| {
        std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
    };
    Some(Spin { spin: program("spin")?, gcc: program("gcc")?, tcc: program("tcc") })
}

impl Spin {
    /// Whether the fast C compiler is installed.
    pub fn has_tcc(&self) -> bool {
        self.tcc.is_some()
    }

    /// Runs the model in the file at `path`. Includes are looked up beside it.
    pub fn run_file(&self, path: &Path, config: &Config) -> SpinResult {
        let file = match fs::canonicalize(path) {
            Ok(file) => file,
            Err(e) => {
                return SpinResult::Failed { why: format!("{}: {e}", path.display()) };
            }
        };
        self.attempt(&file, config)
    }

    /// Runs the model `source`.
    pub fn run(&self, source: &str, config: &Config) -> SpinResult {
        let attempt = || -> io::Result<SpinResult> {
            let dir = TempDir::new()?;
            let file = dir.path.join("m.pml");
            fs::write(&file, source)?;
            Ok(self.attempt(&file, config))
        };
        attempt().unwrap_or_else(|e| SpinResult::Failed { why: e.to_string() })
    }

    /// Runs all `sources` on `threads` threads; the results are in the order of the sources.
    pub fn run_all<S: AsRef<str> + Sync>(
        &self,
        sources: &[S],
        config: &Config,
        threads: usize,
    ) -> Vec<SpinResult> {
        parallel(sources.len(), threads, |i| self.run(sources[i].as_ref(), config))
    }

    /// Repeats the run with larger limits where the verifier asks for them.
    fn attempt(&self, file: &Path, config: &Config) -> SpinResult {
        let mut config = config.clone();
        loop {
            let result = self
                .once(file, &config)
                .unwrap_or_else(|e| SpinResult::Failed { why: e.to_string() });
            let Some(run) = result.run() else {
                return result;
            };
            let short = run.text.contains("VECTORSZ") && run.text.contains("too small");
            if short && config.vector < 1 << 16 {
                config.vector *= 8;
            } else if run.depth_limit && config.depth < config.max_depth {
                config.depth = config.max_depth;
            } else {
                return result;
            }
        }
    }

    fn once(&self, file: &Path, config: &Config) -> io::Result<SpinResult> {
        let dir = TempDir::new()?;
        let mut spin = Command::new(&self.spin);
        spin.args(["-a", "-o1", "-o2", "-o3"]).args(&config.spin_args).arg(file);
        let Some(generated) = finish(spin, &dir.path, config)? else {
            return Ok(SpinResult::Timeout);
        };
        // The parser goes on after a syntax error and may even write a verifier.
        let written = dir.path.join("pan.c").is_file();
        if !written || generated.text.contains("Error: syntax error") {
            return Ok(match generated.status.code() {
                Some(exit) => SpinResult::Rejected { by: Stage::Spin, exit, text: generated.text },
                None => SpinResult::Failed { why: format!("spin: {}", generated.status) },
            });
        }

        let mut compile = match (config.compiler, &self.tcc) {
            (Compiler::Fast, Some(tcc)) => Command::new(tcc),
            (compiler, _) => {
                let mut gcc = Command::new(&self.gcc);
                gcc.arg(if compiler == Compiler::Fast { "-O0" } else { "-O1" });
                gcc
            }
        };
        compile.args(["-w", "-DNOREDUCE"]);
        if !config.cycles {
            compile.arg("-DSAFETY");
        }
        if config.no_claim {
            compile.arg("-DNOCLAIM");
        }
        compile.arg(format!("-DVECTORSZ={}", config.vector));
        compile.arg(format!("-DMEMLIM={}", config.memory));
        compile.args(&config.compiler_args).args(["-o", "pan", "pan.c"]);
        let Some(compiled) = finish(compile, &dir.path, config)? else {
            return Ok(SpinResult::Timeout);
        };
        if !compiled.status.success() {
            // An error that spin recovered from may end here; its text says more than the compiler's.
            return Ok(SpinResult::Rejected {
                by: Stage::Compiler,
                exit: compiled.status.code().unwrap_or(-1),
                text: generated.text + &compiled.text,
            });
        }

        let mut pan = Command::new(dir.path.join("pan"));
        // A small hash table: clearing the default one takes longer than most searches.
        let errors = if config.cycles { "-c1" } else { "-c0" };
        pan.args([&format!("-m{}", config.depth), errors, "-w18"]);
        if !config.end_states {
            pan.arg("-E");
        }
        pan.args(&config.pan_args);
        let Some(searched) = finish(pan, &dir.path, config)? else {
            return Ok(SpinResult::Timeout);
        };
        let Some(mut run) = parse_report(&searched.text) else {
            return Ok(match searched.status.code() {
                Some(exit) => {
                    SpinResult::Rejected { by: Stage::Verifier, exit, text: searched.text }
                }
                None => SpinResult::Failed { why: signal_name(searched.status) },
            });
        };
        run.spin_exit = generated.status.code().unwrap_or(-1);
        run.spin_text = generated.text;
        run.text = searched.text;
        Ok(SpinResult::Accepted(run))
    }
}

/// Calls `job` with 0 to `count - 1` on `threads` threads and returns the results in order.
pub fn parallel<T: Send>(count: usize, threads: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<T>>> = Mutex::new((0..count).map(|_| None).collect());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        return;
                    }
                    let result = job(i);
                    results.lock().expect("no job panics while it holds the lock")[i] =
                        Some(result);
                }
            });
        }
    });
    let results = results.into_inner().expect("no job panics while it holds the lock");
    results.into_iter().map(|r| r.expect("every job ran")).collect()
}

/// Reads the output of a verifier; nothing if it has no final block.
pub fn parse_report(text: &str) -> Option<Run> {
    let mut run = Run { stopped: text.contains("Search not completed"), ..Run::default() };
    let mut found = false;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = || words.first().and_then(|word| count(word));
        if let Some(report) = parse_error(line) {
            run.reports.push(report);
        } else if line.starts_with("State-vector ") {
            run.errors = line.rsplit("errors: ").next()?.trim().parse().ok()?;
            run.vector = words.get(1)?.parse().ok()?;
            run.depth =
                line.split("depth reached ").nth(1)?.split(',').next()?.trim().parse().ok()?;
            found = true;
        } else if line.contains(" states, stored") {
            run.counts.stored = number()?;
        } else if line.contains(" states, matched") {
            run.counts.matched = number()?;
        } else if line.contains(" transitions (= stored+matched)") {
            run.counts.transitions = number()?;
        } else if line.ends_with(" atomic steps") {
            run.counts.atomic = number()?;
        } else if line.contains("max search depth too small") {
            run.depth_limit = true;
        }
    }
    found.then_some(run)
}

/// A count as `pan` prints it: from a hundred millions on with eight digits and an
/// exponent.
fn count(word: &str) -> Option<u64> {
    word.parse().ok().or_else(|| {
        let rounded: f64 = word.parse().ok()?;
        (rounded >= 0.0 && rounded < u64::MAX as f64).then_some(rounded as u64)
    })
}

/// `pan:3: text (at depth 7)`
fn parse_error(line: &str) -> Option<Report> {
    let (number, rest) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    let (text, depth) = rest.rsplit_once(" (at depth ")?;
    let depth = depth.strip_suffix(')')?.parse().ok()?;
    Some(Report { text: text.trim().to_string(), depth })
}

fn signal_name(status: ExitStatus) -> String {
    match status.signal() {
        Some(8) => "the verifier died: division by zero".to_string(),
        Some(11) => "the verifier died: segmentation fault".to_string(),
        _ => format!("the verifier died: {status}"),
    }
}

/// A finished program.
pub(crate) struct Finished {
    pub status: ExitStatus,
    pub text: String,
}

/// Runs a program in `dir` to its end, with both output streams joined. `None`: time-out.
pub(crate) fn finish(
    mut command: Command,
    dir: &Path,
    config: &Config,
) -> io::Result<Option<Finished>> {
    let (mut reader, writer) = io::pipe()?;
    command
        .current_dir(dir)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .process_group(0);
    let mut child = command.spawn()?;
    // The command holds the writing ends; without them the reader sees the end of the output.
    drop(command);
    let cap = config.output;
    let output = thread::spawn(move || read_capped(&mut reader, cap));
    let status = wait(&mut child, config.time)?;
    let text = output.join().expect("the reader does not panic")?;
    Ok(status.map(|status| Finished { status, text }))
}

/// Waits for the end of a process, and kills its whole group when the time is up.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            let group = format!("-{}", child.id());
            Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status()?;
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_millis(10));
    }
}

/// Reads to the end and keeps the first and the last `cap` bytes.
fn read_capped(reader: &mut impl Read, cap: usize) -> io::Result<String> {
    let mut head = Vec::new();
    let mut tail: Vec<u8> = Vec::new();
    let mut cut = false;
    let mut buffer = [0; 1 << 14];
    loop {
        let n = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let first = n.min(cap.saturating_sub(head.len()));
        head.extend_from_slice(&buffer[..first]);
        tail.extend_from_slice(&buffer[first..n]);
        if tail.len() > 2 * cap + buffer.len() {
            tail.drain(..tail.len() - cap);
            cut = true;
        }
    }
    let mut text = String::from_utf8_lossy(&head).into_owned();
    if cut {
        text.push_str("\n[output cut]\n");
    }
    text.push_str(&String::from_utf8_lossy(&tail));
    Ok(text)
}

/// A fresh directory, removed when dropped.
pub(crate) struct TempDir {
    pub path: PathBuf,
}

impl TempDir {
    pub fn new() -> io::Result<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        loop {
            let n = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("everypath-spin-{}-{n}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match fs::create_dir(&path) {
                Ok(()) => return Ok(TempDir { path }),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // A directory that cannot be removed is litter, not an error of the test.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "pan:1: assertion violated (x==1) (at depth 3)
pan:3: invalid end state (at depth -1)
Warning: Search not completed
State-vector 28 byte, depth reached 8, errors: 4
       21 states, stored
       12 states, matched
       33 transitions (= stored+matched)
        5 atomic steps
";

    #[test]
    fn a_report_is_read() {
        let run = parse_report(REPORT).unwrap();
        assert_eq!(run.counts.to_string(), "21/12/33/5");
        assert_eq!((run.errors, run.vector, run.depth), (4, 28, 8));
        assert_eq!(run.kinds(), [Kind::Assertion, Kind::Deadlock]);
        assert_eq!(run.reports[1].depth, -1);
        assert!(!run.complete());
        assert_eq!(parse_report("pan: unknown option"), None);
    }

    #[test]
    fn large_counts_are_read_as_far_as_they_are_printed() {
        let large = REPORT.replace("       12 states, matched", "1.1407798e+08 states, matched");
        let run = parse_report(&large).unwrap();
        assert_eq!((run.counts.stored, run.counts.matched), (21, 114_077_980));
    }

    #[test]
    fn long_output_keeps_both_ends() {
        let text = format!("begin{}end", "x".repeat(100_000));
        let kept = read_capped(&mut text.as_bytes(), 100).unwrap();
        assert!(kept.starts_with("beginx") && kept.ends_with("xend"));
        assert!(kept.len() < 20_000);
    }

    #[test]
    fn every_kind_has_its_own_word() {
        for (kind, word) in Kind::WORDS {
            assert_eq!(kind.word(), word);
            assert_eq!(Kind::from_word(word), Some(kind));
        }
    }

    /// The installed SPIN, or a printed reason to skip.
    fn spin() -> Option<Spin> {
        let spin = find();
        if spin.is_none() {
            println!("skipped: spin or gcc is not installed");
        }
        spin
    }

    #[test]
    fn outcomes_are_told_apart() {
        let Some(spin) = spin() else { return };
        let config = Config::default();
        let run = spin.run("init { skip }", &config);
        assert_eq!(run.run().unwrap().counts.to_string(), "3/0/3/0");
        let rejected = spin.run("init { x = 1 }", &config);
        assert!(matches!(rejected, SpinResult::Rejected { by: Stage::Spin, .. }), "{rejected:?}");
        let died = spin.run("byte x; init { x = 1 / x }", &config);
        assert!(matches!(died, SpinResult::Failed { .. }), "{died:?}");
        let quick = Config { time: Duration::from_millis(300), ..Config::default() };
        let endless = "byte x; init { d_step { x = 0; do :: x = 0 :: x == 1 -> break od } }";
        assert_eq!(spin.run(endless, &quick), SpinResult::Timeout);
    }

    #[test]
    fn limits_are_raised_when_needed() {
        let Some(spin) = spin() else { return };
        let run = spin.run("byte a[2000]; init { a[1999] = 1 }", &Config::default());
        assert_eq!(run.run().unwrap().counts.stored, 3);
        let config = Config { depth: 10, ..Config::default() };
        let run = spin.run("byte x; init { do :: x < 100 -> x++ :: else -> break od }", &config);
        assert!(run.run().unwrap().complete());
    }

    #[test]
    fn a_batch_keeps_its_order() {
        let Some(spin) = spin() else { return };
        let sources: Vec<String> = (1..5)
            .map(|n| format!("byte x; init {{ do :: x < {n} -> x++ :: else -> break od }}"))
            .collect();
        let runs = spin.run_all(&sources, &Config::default(), 2);
        let stored: Vec<u64> = runs.iter().map(|r| r.run().unwrap().counts.stored).collect();
        assert_eq!(stored, [5, 7, 9, 11]);
    }
}
