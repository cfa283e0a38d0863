//! Partial-order reduction beside SPIN's: how many states are left.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use everypath_conformance::agree::machine;
use everypath_conformance::reduction::{Proviso, search};
use everypath_layer_reduce::{Method, Options, Reduced};
use everypath_machine::Interpreter;
use everypath_testkit::spin::{self, Config, Spin, parallel};

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

/// `reduction [--most N] [FILE...]`
pub fn main(args: &[String]) -> ExitCode {
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
