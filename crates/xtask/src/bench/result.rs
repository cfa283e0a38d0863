//! What was measured, and what follows from it.

use serde::Serialize;

use super::child::Cost;
use super::limit::Limit;

/// What one tool did with one model.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// States stored.
    pub states: u64,
    /// Steps taken.
    pub transitions: u64,
    /// Longest way in a depth-first search, levels in a breadth-first one.
    pub depth: u64,
    /// SPIN's state vector in bytes.
    pub vector: Option<u64>,
    /// The process that searched.
    pub search: Cost,
    /// What had to be done before: SPIN's generation and compilation.
    pub before: Cost,
    /// As the tool accounts for it, tables with their empty slots included.
    pub bytes_a_state: f64,
    /// Instructions of the program that were executed, where that is told.
    pub instructions: Option<u64>,
    /// Runs of the program from its beginning, where that is what is searched.
    pub executions: Option<u64>,
    /// What it said.
    pub verdict: String,
    /// Whether the whole state space was searched, as far as the search can.
    pub complete: bool,
}

impl Run {
    /// Millions of states a second of processor time.
    pub fn rate(&self) -> f64 {
        self.states as f64 / self.search.cpu.max(1e-3) / 1e6
    }

    /// Millions of transitions a second of processor time.
    pub fn steps(&self) -> f64 {
        self.transitions as f64 / self.search.cpu.max(1e-3) / 1e6
    }

    /// Everything a user waits for.
    pub fn total(&self) -> Cost {
        self.before.then(self.search)
    }

    /// The better one of two runs of the same thing.
    pub fn or_better(self, other: Option<Run>) -> Run {
        match other {
            Some(other) if other.search.cpu <= self.search.cpu => Run {
                search: Cost { wall: other.search.wall.min(self.search.wall), ..other.search },
                ..other
            },
            Some(other) => Run {
                search: Cost { wall: other.search.wall.min(self.search.wall), ..self.search },
                ..self
            },
            None => self,
        }
    }
}

/// A model with all runs of it, by name.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The model.
    pub model: String,
    /// The runs.
    pub runs: Vec<(&'static str, Run)>,
    /// What went wrong.
    pub problems: Vec<String>,
}

impl Row {
    /// A run.
    pub fn get(&self, name: &str) -> Option<&Run> {
        self.runs.iter().find(|(of, _)| *of == name).map(|(_, run)| run)
    }
}

/// A figure with what is aimed at.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// What it is.
    pub what: String,
    /// How much.
    pub value: f64,
    /// What it should be, in words.
    pub aim: &'static str,
    /// Whether it is.
    pub reached: bool,
}

/// A part of the benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Heads of the columns.
    pub columns: Vec<&'static str>,
    /// The table.
    #[serde(skip)]
    pub cells: Vec<Vec<String>>,
    /// What was measured.
    pub rows: Vec<Row>,
    /// What follows.
    pub figures: Vec<Figure>,
    /// Why there is nothing.
    pub skipped: Option<String>,
    /// What else is to be known.
    pub remark: Option<String>,
}

/// Everything.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The processor.
    pub processor: String,
    /// Processors that the system has.
    pub processors: usize,
    /// Version of SPIN and gcc.
    pub peer: String,
    /// Version of Everypath, where it was built from sources under version control.
    pub commit: String,
    /// Runs of each, the best counts.
    pub runs: usize,
    /// Load of the machine before and after: minutes 1, 5 and 15.
    pub load: [String; 2],
    /// Random lines a second.
    pub limit: Option<Limit>,
    /// The parts.
    pub sections: Vec<Section>,
}

/// Geometric mean.
pub fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    Some((values.iter().map(|v| v.max(1e-9).ln()).sum::<f64>() / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_mean() {
        assert!((mean(&[2.0, 8.0]).unwrap() - 4.0).abs() < 1e-9);
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn the_better_run_counts_with_the_shorter_time_by_the_clock() {
        let run = |cpu, wall| Run {
            states: 1,
            transitions: 1,
            depth: 1,
            vector: None,
            search: Cost { wall, cpu, peak: 0 },
            before: Cost::default(),
            bytes_a_state: 1.0,
            instructions: None,
            executions: None,
            verdict: String::new(),
            complete: true,
        };
        let best = run(1.0, 5.0).or_better(Some(run(2.0, 3.0)));
        assert_eq!((best.search.cpu, best.search.wall), (1.0, 3.0));
        let best = run(2.0, 3.0).or_better(Some(run(1.0, 5.0)));
        assert_eq!((best.search.cpu, best.search.wall), (1.0, 3.0));
    }
}
