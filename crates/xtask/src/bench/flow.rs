//! Dining philosophers by data-flow analysis: how time and memory grow with their number.
//!
//! Each measurement is a process of its own (`xtask flow`), from the text of the flow graph to the answer, so that its
//! memory is known.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use everypath_engine_dataflow::{Constraint, Effort, Model, Options as Wanted, inline};
use everypath_model::FileId;
use everypath_property::events::read_qre;
use everypath_testkit::philosophers;
use serde::{Deserialize, Serialize};

use super::Options;
use super::child::{self, Cost, Scratch};
use super::result::{Figure, Row, Section};
use super::tables;

/// Numbers of philosophers.
const SIZES: [usize; 16] =
    [2, 5, 10, 20, 50, 100, 150, 200, 300, 400, 500, 600, 700, 800, 900, 1000];
/// Those of a quick run.
const QUICK: [usize; 4] = [2, 10, 50, 200];
/// The sizes from here on are fitted.
const FITTED: usize = 50;

/// Programs and properties by name.
const VERSIONS: [(&str, bool); 2] = [("monitors", false), ("tasks", true)];
const PROPERTIES: [(&str, &str); 2] = [
    ("no-fork-raised-twice", philosophers::RAISED_TWICE),
    ("no-eat-at-same-time", philosophers::EAT_AT_SAME_TIME),
];

/// What the paper fitted for its tasks, on a machine of 1999: seconds by philosophers, and the squared correlation.
const PAPER: [(&str, &str); 2] = [
    ("no-fork-raised-twice", "2.3187 + 0.0702 n + 8.660e-4 n^2 (r^2 0.999823)"),
    ("no-eat-at-same-time", "2.3601 + 0.0540 n + 0.0052 n^2 (r^2 0.999883)"),
];

/// One analysis in figures; times in seconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Measured {
    read: f64,
    inline: f64,
    parallel: f64,
    model: f64,
    propagation: f64,
    /// Nodes with all calls in place, and those of the trace flow graph.
    inlined: usize,
    nodes: usize,
    edges: usize,
    pairs: u64,
    proved: bool,
}

impl Measured {
    fn total(&self) -> f64 {
        self.read + self.inline + self.parallel + self.model + self.propagation
    }
}

/// `flow VERSION PROPERTY N`: one analysis.
pub fn main(args: &[String]) -> ExitCode {
    let done = match args {
        [version, property, n] => measure(version, property, n),
        _ => Err("usage: flow VERSION PROPERTY N".to_owned()),
    };
    match done {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(version: &str, property: &str, n: &str) -> Result<String, String> {
    let n: usize = n.parse().ok().filter(|n| *n >= 2).ok_or("N is 2 or more")?;
    let &(_, tasks) =
        VERSIONS.iter().find(|(name, _)| *name == version).ok_or("no such version")?;
    let &(_, qre) =
        PROPERTIES.iter().find(|(name, _)| *name == property).ok_or("no such property")?;
    let text = if tasks { philosophers::tasks(n) } else { philosophers::ring(n) };
    let required = read_qre(qre).map_err(|error| error.to_string())?;
    let required = required.property().ok_or("too many states")?.required();
    let names = philosophers::constraints(n, tasks, qre);
    let constraints: Result<Vec<Constraint>, String> =
        names.iter().map(|name| Constraint::parse(name)).collect();
    let constraints = constraints?;
    let start = Instant::now();
    let program = everypath_flow::read(&text, FileId(0)).map_err(|error| error.message.clone())?;
    let read = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let graph = inline(&program).map_err(|refused| refused.message)?;
    let inlined = start.elapsed().as_secs_f64();
    let options = Wanted { effort: Effort::Proof, ..Wanted::default() };
    let model = Model::new(&graph, required, Vec::new(), Some(&constraints), options);
    let answer = model.decide(&constraints)?;
    let seconds = |time: Duration| time.as_secs_f64();
    let measured = Measured {
        read,
        inline: inlined,
        parallel: seconds(answer.phases.parallel),
        model: seconds(answer.phases.model),
        propagation: seconds(answer.phases.propagation),
        inlined: graph.nodes.len(),
        nodes: answer.nodes(),
        edges: answer.parallel_steps(),
        pairs: answer.propagated.pairs,
        proved: answer.conclusive(),
    };
    serde_json::to_string(&measured).map_err(|error| error.to_string())
}

/// The best of several runs of one analysis.
fn best(
    version: &str,
    property: &str,
    n: usize,
    options: &Options,
) -> Result<(Measured, Cost), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let scratch = Scratch::new("flow")?;
    let words = ["flow", version, property, &n.to_string()].map(str::to_owned);
    let mut best: Option<(Measured, Cost)> = None;
    for _ in 0..options.runs {
        let ran = child::run(&program, &words, scratch.path(), Duration::from_secs(600))?;
        let measured: Measured =
            serde_json::from_str(&ran.text).map_err(|_| format!("ended early: {}", ran.errors))?;
        if best.as_ref().is_none_or(|(known, _)| measured.total() < known.total()) {
            best = Some((measured, ran.cost));
        }
    }
    best.ok_or_else(|| "no run".to_owned())
}

/// The table, the fits and the aims.
pub fn section(options: &Options) -> Section {
    let columns = [
        "philosophers",
        "nodes",
        "of the graph",
        "MIP edges",
        "pairs",
        "read",
        "inline",
        "parallel",
        "model",
        "propagation",
        "s",
        "MiB",
    ];
    let mut section = tables::section("flow", &columns, Vec::new(), |_| Vec::new());
    let sizes: &[usize] = if options.quick { &QUICK } else { &SIZES };
    let mut remark = String::from(
        "From the text of the flow graph to the answer, each as a process of its own, with the constraints of the \
         FLAVERS paper. Nodes are those with all calls in place; of these, the trace flow graph has the nodes that some \
         automaton reads. Threads that neither the property nor a constraint is about are left out first, so the rest does \
         not grow with their number.",
    );
    if cfg!(debug_assertions) {
        remark += " This was a build with debug assertions; `cargo xtask` makes faster ones.";
    }
    for (version, tasks) in VERSIONS {
        for (property, _) in PROPERTIES {
            let name = format!("{version}, {property}");
            if !options.only.is_empty() && !options.only.iter().any(|part| name.contains(part)) {
                continue;
            }
            let mut row = Row { model: name.clone(), runs: Vec::new(), problems: Vec::new() };
            let mut points = Vec::new();
            section.cells.push(vec![format!("*{name}*"); 1]);
            for &n in sizes {
                match best(version, property, n, options) {
                    Ok((measured, cost)) => {
                        if !measured.proved {
                            row.problems.push(format!("{n}: not proved"));
                        }
                        if n >= FITTED {
                            points.push((n as f64, measured.total()));
                        }
                        aims(&mut section, &name, n, &measured);
                        section.cells.push(cells(n, &measured, cost));
                    }
                    Err(error) => row.problems.push(format!("{n}: {error}")),
                }
            }
            remark += &fits(&name, &points);
            if tasks && let Some((_, paper)) = PAPER.iter().find(|(of, _)| *of == property) {
                let _ = write!(remark, " The paper, on a machine of its time: {paper}.");
            }
            if let [.., (_, half), _, _, _, _, (_, whole)] = points[..]
                && !options.quick
            {
                let value = (whole / half).log2();
                let what = format!("{name}: exponent of growth from 500 to 1000");
                let reached = value <= 2.2;
                section.figures.push(Figure { what, value, aim: "at most 2 (and noise)", reached });
            }
            section.rows.push(row);
        }
    }
    section.remark = Some(remark);
    section
}

fn cells(n: usize, measured: &Measured, cost: Cost) -> Vec<String> {
    let time = |seconds: f64| format!("{seconds:.4}");
    vec![
        n.to_string(),
        measured.inlined.to_string(),
        measured.nodes.to_string(),
        measured.edges.to_string(),
        measured.pairs.to_string(),
        time(measured.read),
        time(measured.inline),
        time(measured.parallel),
        time(measured.model),
        time(measured.propagation),
        time(measured.total()),
        tables::mib(cost.peak),
    ]
}

fn aims(section: &mut Section, name: &str, n: usize, measured: &Measured) {
    let (aim, most) = match n {
        200 => ("under 2", 2.0),
        1000 => ("ends", f64::INFINITY),
        _ => return,
    };
    let what = format!("{name}: seconds for {n} philosophers");
    let value = measured.total();
    section.figures.push(Figure { what, value, aim, reached: measured.proved && value < most });
}

/// Polynomials of degree 1, 2 and 3 through the points, in words.
fn fits(name: &str, points: &[(f64, f64)]) -> String {
    let mut text = format!("\n\nSeconds for *{name}*, fitted from {FITTED} philosophers on:");
    for degree in 1..=3 {
        let Some((coefficients, r2)) = fit(points, degree) else { continue };
        let terms: Vec<String> = coefficients
            .iter()
            .enumerate()
            .map(|(power, c)| match power {
                0 => format!("{c:.3e}"),
                1 => format!("{c:+.3e} n"),
                _ => format!("{c:+.3e} n^{power}"),
            })
            .collect();
        let _ = write!(text, " {} (r^2 {r2:.6});", terms.join(" "));
    }
    text.pop();
    text.push('.');
    text
}

/// Least squares: the coefficients, from the constant on, and r^2.
fn fit(points: &[(f64, f64)], degree: usize) -> Option<(Vec<f64>, f64)> {
    if points.len() <= degree + 1 {
        return None;
    }
    // The powers of n / 1000 are of the same size.
    let size = degree + 1;
    let mut rows = vec![vec![0.0; size + 1]; size];
    for &(x, y) in points {
        let x = x / 1000.0;
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate().take(size) {
                *cell += x.powi((i + j) as i32);
            }
            row[size] += y * x.powi(i as i32);
        }
    }
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        if rows[column][column].abs() < 1e-12 {
            return None;
        }
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(cell, of)| *cell -= factor * of);
        }
    }
    let scaled: Vec<f64> = (0..size).map(|i| rows[i][size] / rows[i][i]).collect();
    let value = |x: f64| -> f64 {
        scaled.iter().enumerate().map(|(i, c)| c * (x / 1000.0).powi(i as i32)).sum()
    };
    let mean = points.iter().map(|(_, y)| y).sum::<f64>() / points.len() as f64;
    let rest: f64 = points.iter().map(|&(x, y)| (y - value(x)).powi(2)).sum();
    let all: f64 = points.iter().map(|&(_, y)| (y - mean).powi(2)).sum();
    let coefficients = scaled.iter().enumerate().map(|(i, c)| c / 1000f64.powi(i as i32));
    Some((coefficients.collect(), 1.0 - rest / all.max(1e-30)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_found_again() {
        let of = |n: f64| 0.5 + 0.002 * n + 3e-6 * n * n;
        let points: Vec<(f64, f64)> =
            (1..=20).map(|i| 50.0 * f64::from(i)).map(|n| (n, of(n))).collect();
        let (c, r2) = fit(&points, 2).unwrap();
        assert!(
            (c[0] - 0.5).abs() < 1e-6 && (c[1] - 0.002).abs() < 1e-8 && (c[2] - 3e-6).abs() < 1e-11
        );
        assert!(r2 > 0.999_999);
        assert!(fit(&points, 1).unwrap().1 < 0.999);
        assert!(fit(&points[..2], 1).is_none());
    }

    #[test]
    fn small_rings_are_measured() {
        for (version, _) in VERSIONS {
            for (property, _) in PROPERTIES {
                let text = measure(version, property, "3").unwrap();
                let measured: Measured = serde_json::from_str(&text).unwrap();
                assert!(measured.proved && measured.pairs > 10, "{version} {property} {text}");
            }
        }
        assert!(measure("monitors", "nothing", "3").is_err());
    }
}
