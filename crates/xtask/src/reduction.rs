//! Partial-order reduction beside SPIN's: how many states are left.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use everypath_conformance::agree::machine;
use everypath_conformance::reduction::{Proviso, search};
use everypath_engine_jit::Jit;
use everypath_layer_reduce::{Method, Options, Reduced};
use everypath_machine::{Executor, Interpreter, ProcessSet};
use everypath_model::{ComponentMask, End, Extent, ModelError, Successors, TransitionSystem};
use everypath_testkit::spin::{self, Config, Spin, parallel};

use crate::clock::seconds;
use crate::executors::reachable;

/// Larger models are left out.
const MOST: usize = 400_000;

/// The states that are left of a model.
struct Row {
    name: String,
    full: usize,
    /// Ample sets, depth first and breadth first.
    ample: [usize; 2],
    /// Stubborn sets, depth first and breadth first.
    stubborn: [usize; 2],
    /// SPIN, depth first and breadth first; if its full search has as many states as ours.
    spin: [Option<u64>; 2],
}

/// `reduction [--most N] [FILE...]`, `reduction --speed [FILE...]`
pub fn main(args: &[String]) -> ExitCode {
    if let [flag, files @ ..] = args
        && flag == "--speed"
    {
        return speed(files);
    }
    let (most, files) = match args {
        [flag, most, files @ ..] if flag == "--most" => (most.parse().unwrap_or(MOST), files),
        files => (MOST, files),
    };
    let mut files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    if files.is_empty() {
        files = default_files();
    }
    let spin = if std::env::var_os("NOSPIN").is_some() { None } else { spin::find() };
    let rows = parallel(files.len(), 2, |i| row(&files[i], spin.as_ref(), most));
    println!(
        "{:<34} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "states", "full", "ample", "stubborn", "SPIN", "ample", "stubborn", "SPIN"
    );
    println!("{:<34} {:>8} {:^26} {:^26}", "", "", "depth first", "breadth first");
    let shown = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
    // Of each order: the sum of the logarithms of the ratios, and how many there are.
    let mut ratios = [[(0.0, 0); 2]; 3];
    for row in rows.into_iter().flatten() {
        println!(
            "{:<34} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
            row.name,
            row.full,
            row.ample[0],
            row.stubborn[0],
            shown(row.spin[0]),
            row.ample[1],
            row.stubborn[1],
            shown(row.spin[1])
        );
        for order in 0..2 {
            let ours = [row.ample[order], row.stubborn[order], row.full];
            for (ratio, states) in ratios.iter_mut().zip(ours) {
                if let Some(spin) = row.spin[order].filter(|&s| s > 0) {
                    ratio[order].0 += (states as f64 / spin as f64).ln();
                    ratio[order].1 += 1;
                }
            }
        }
    }
    for (name, ratio) in ["ample", "stubborn", "full"].iter().zip(ratios) {
        for (order, (sum, count)) in ["depth first", "breadth first"].iter().zip(ratio) {
            let mean = (sum / f64::from(count.max(1))).exp();
            println!("{name} / SPIN, {order}: geometric mean {mean:.3} of {count} models");
        }
    }
    ExitCode::SUCCESS
}

fn default_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let dirs = [
        root.join("examples/promela"),
        root.join("tests/models/promela"),
        root.join("crates/xtask/bench"),
        root.join("../shared/corpus/promela/beem"),
    ];
    let mut files = Vec::new();
    for dir in dirs {
        let mut some: Vec<PathBuf> =
            fs::read_dir(dir).map(|e| e.flatten().map(|e| e.path()).collect()).unwrap_or_default();
        some.retain(|f| f.extension().is_some_and(|e| e == "pml" || e == "pm"));
        some.sort();
        files.append(&mut some);
    }
    files
}

fn row(file: &Path, spin: Option<&Spin>, most: usize) -> Option<Row> {
    let source = String::from_utf8_lossy(&fs::read(file).ok()?).into_owned();
    let interpreter = Interpreter::new(Arc::new(machine(&source, file)?));
    let full = search(&interpreter, Proviso::Full, most);
    if full.incomplete {
        return None;
    }
    let states = |method: Method| {
        let options = Options { method, ..Options::default() };
        let system = Reduced::new(interpreter.clone(), options);
        [Proviso::Stack, Proviso::Queue].map(|p| search(&system, p, most).states.len())
    };
    let run = |more: &[&str]| {
        let mut config = Config { time: Duration::from_secs(60), ..Config::default() };
        config.compiler_args = more.iter().map(|&arg| arg.to_owned()).collect();
        let result = spin?.run_file(file, &config);
        let run = result.run()?;
        run.complete().then_some(run.counts.stored)
    };
    let comparable = run(&[]) == Some(full.states.len() as u64);
    let reduced = |more: &[&str]| if comparable { run(more) } else { None };
    Some(Row {
        name: file.file_stem()?.to_string_lossy().into_owned(),
        full: full.states.len(),
        ample: states(Method::Ample),
        stubborn: states(Method::Stubborn),
        spin: [reduced(&["-UNOREDUCE"]), reduced(&["-UNOREDUCE", "-DBFS"])],
    })
}

/// How long it takes to choose steps in a state, and to make them.
fn speed(files: &[String]) -> ExitCode {
    println!("one thread, nanoseconds of the processor a state; best of {RUNS} runs");
    println!(
        "{:<24} {:>8} {:>10} {:>8} {:>8} {:>8} {:>8}",
        "", "states", "processes", "all", "reduced", "choice", "part"
    );
    let mut files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    if files.is_empty() {
        files = default_files();
    }
    for file in &files {
        let source = String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
        let Some(machine) = machine(&source, file) else { continue };
        let interpreter = Interpreter::new(Arc::new(machine));
        let Ok(jit) = Jit::new(interpreter.clone()) else { continue };
        let reduced = Reduced::new(jit, Options::default());
        if reduced.obstacle().is_some() {
            continue;
        }
        let still = Reduced::new(Still(interpreter.clone()), Options::default());
        let states = reachable(&reduced);
        let mut best = [f64::MAX; 3];
        let mut parts = 0;
        for _ in 0..RUNS {
            best[0] = best[0].min(time(&reduced, &states, |s, w, state, out| {
                s.successors(w, state, out).is_ok()
            }));
            best[1] = best[1].min(time(&reduced, &states, |s, w, state, out| {
                s.reduced(w, state, 0, out).is_ok()
            }));
            parts = 0;
            best[2] = best[2].min(time(&still, &states, |s, w, state, out| {
                parts += usize::from(s.reduced(w, state, 0, out) == Ok(Extent::Part));
                true
            }));
        }
        let mut worker = interpreter.worker();
        let processes = states.last().map_or(0, |s| interpreter.locations(&mut worker, s).count());
        let per = |time: f64| time * 1e9 / states.len().max(1) as f64;
        println!(
            "{:<24} {:>8} {:>10} {:>8.0} {:>8.0} {:>8.0} {:>7.0}%",
            file.file_stem().unwrap_or_default().to_string_lossy(),
            states.len(),
            processes,
            per(best[0]),
            per(best[1]),
            per(best[2]),
            100.0 * parts as f64 / states.len().max(1) as f64
        );
    }
    ExitCode::SUCCESS
}

/// Runs of each; the fastest counts.
const RUNS: usize = 3;

fn time<S: TransitionSystem>(
    system: &S,
    states: &[Vec<u32>],
    mut expand: impl FnMut(&S, &mut S::Worker, &[u32], &mut Successors) -> bool,
) -> f64 {
    let mut worker = system.worker();
    let mut out = Successors::new();
    let start = seconds();
    for state in states {
        out.clear();
        assert!(expand(system, &mut worker, state, &mut out), "the model can be evaluated");
    }
    seconds() - start
}

/// An executor that makes no steps, to see what the choice alone takes.
struct Still(Interpreter);

impl TransitionSystem for Still {
    type Worker = <Interpreter as TransitionSystem>::Worker;

    fn worker(&self) -> Self::Worker {
        self.0.worker()
    }

    fn initial(&self, worker: &mut Self::Worker, out: &mut Successors) -> Result<(), ModelError> {
        self.0.initial(worker, out)
    }

    fn successors(
        &self,
        _: &mut Self::Worker,
        _: &[u32],
        _: &mut Successors,
    ) -> Result<(), ModelError> {
        Ok(())
    }

    fn end(&self, worker: &mut Self::Worker, state: &[u32]) -> End {
        self.0.end(worker, state)
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        self.0.components(state, ends);
    }
}

impl Executor for Still {
    fn interpreter(&self) -> &Interpreter {
        &self.0
    }

    fn successors_of(
        &self,
        _: &mut Self::Worker,
        _: &[u32],
        _: ProcessSet,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        out.push(&[], ComponentMask::default(), &[]);
        Ok(())
    }
}
