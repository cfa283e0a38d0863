//! The tables and the figures under them.

use super::result::{Figure, Row, Run, Section, mean};

/// Sections in the order of a run: name and title.
pub const SECTIONS: [(&str, &str); 12] = [
    ("exact", "Every state, one thread"),
    ("threads", "Two threads"),
    ("dfs", "Strict depth-first search"),
    ("reduction", "With reduction"),
    ("bitstate", "Bitstate search at equal memory"),
    ("growth", "From one to fifty million states"),
    ("corpus", "Models of the BEEM benchmark"),
    ("ltl", "Temporal properties that hold"),
    ("emptiness", "What the methods for temporal properties look at"),
    ("java", "Java programs"),
    ("java-bugs", "Bugs of Java programs"),
    ("flow", "Dining philosophers by data-flow analysis"),
];

/// The sections of the suite `ltl`; all others are of the other one.
pub const LTL: [&str; 2] = ["ltl", "emptiness"];

pub fn section(
    name: &'static str,
    columns: &[&'static str],
    rows: Vec<Row>,
    cells: impl Fn(&Row) -> Vec<String>,
) -> Section {
    let title = SECTIONS.iter().find(|(of, _)| *of == name).map_or(name, |(_, title)| *title);
    Section {
        name,
        title,
        columns: columns.to_vec(),
        cells: rows.iter().map(cells).collect(),
        rows,
        figures: Vec::new(),
        skipped: None,
        remark: None,
    }
}

/// A part that could not be run.
pub fn skipped(name: &'static str, why: &str) -> Section {
    let mut section = section(name, &[], Vec::new(), |_| Vec::new());
    section.skipped = Some(why.to_owned());
    section
}

/// A column: what it is of one or of two runs.
pub fn of(run: Option<&Run>, value: impl Fn(&Run) -> String) -> String {
    run.map_or_else(|| "-".to_owned(), value)
}

pub fn ratio(a: Option<&Run>, b: Option<&Run>, value: impl Fn(&Run, &Run) -> f64) -> Option<f64> {
    Some(value(a?, b?))
}

pub fn times(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| format!("{v:.2}"))
}

pub fn mib(bytes: u64) -> String {
    format!("{:.0}", bytes as f64 / 1_048_576.0)
}

pub fn ratios(rows: &[Row], value: impl Fn(&Row) -> Option<f64>) -> Vec<f64> {
    rows.iter().filter_map(value).collect()
}

impl Section {
    pub fn at_least(&mut self, what: &str, value: Option<f64>, least: f64, aim: &'static str) {
        if let Some(value) = value {
            let reached = value >= least;
            self.figures.push(Figure { what: what.to_owned(), value, aim, reached });
        }
    }

    fn at_most(&mut self, what: &str, value: Option<f64>, most: f64, aim: &'static str) {
        if let Some(value) = value {
            let reached = value <= most;
            self.figures.push(Figure { what: what.to_owned(), value, aim, reached });
        }
    }
}

fn rate_ratio(row: &Row, ours: &str) -> Option<f64> {
    ratio(row.get(ours), row.get("spin"), |a, b| a.rate() / b.rate())
}

fn verdict_ratio(row: &Row, ours: &str) -> Option<f64> {
    ratio(row.get(ours), row.get("spin"), |a, b| b.total().wall / a.total().wall)
}

/// Breadth first against SPIN.
pub fn exact(rows: Vec<Row>, limit: Option<f64>) -> Section {
    let share = |run: &Run| limit.map(|limit| run.steps() / limit);
    let columns = [
        "model",
        "states",
        "transitions",
        "SPIN's vector B",
        "Mst/s",
        "SPIN Mst/s",
        "times",
        "Mtr/s",
        "of the limit",
        "B/state",
        "SPIN B/state",
        "COLLAPSE B/state",
        "MiB",
        "SPIN MiB",
        "verdict s",
        "SPIN verdict s",
        "times",
    ];
    let mut section = section("exact", &columns, rows, |row| {
        let (ours, spin) = (row.get("bfs"), row.get("spin"));
        vec![
            row.model.clone(),
            of(ours, |run| run.states.to_string()),
            of(ours, |run| run.transitions.to_string()),
            of(spin, |run| run.vector.unwrap_or(0).to_string()),
            of(ours, |run| format!("{:.2}", run.rate())),
            of(spin, |run| format!("{:.2}", run.rate())),
            times(rate_ratio(row, "bfs")),
            of(ours, |run| format!("{:.1}", run.steps())),
            of(ours, |run| share(run).map_or("-".into(), |s| format!("{:.0} %", s * 100.0))),
            of(ours, |run| format!("{:.1}", run.bytes_a_state)),
            of(spin, |run| format!("{:.1}", run.bytes_a_state)),
            of(row.get("collapse"), |run| format!("{:.1}", run.bytes_a_state)),
            of(ours, |run| mib(run.search.peak)),
            of(spin, |run| mib(run.search.peak)),
            of(ours, |run| format!("{:.2}", run.total().wall)),
            of(spin, |run| format!("{:.2}", run.total().wall)),
            times(verdict_ratio(row, "bfs")),
        ]
    });
    let rows = section.rows.clone();
    let short = |row: &Row| row.get("spin").is_some_and(|run| run.search.cpu < 10.0);
    let bytes = ratios(&rows, |row| Some(row.get("bfs")?.bytes_a_state));
    let peak = ratios(&rows, |row| {
        ratio(row.get("bfs"), row.get("spin"), |a, b| a.search.peak as f64 / b.search.peak as f64)
    });
    let verdict = ratios(&rows, |row| short(row).then(|| verdict_ratio(row, "bfs")).flatten());
    let cpu = ratios(&rows, |row| {
        ratio(row.get("bfs"), row.get("spin"), |a, b| b.total().cpu / a.total().cpu)
            .filter(|_| short(row))
    });
    let shares = ratios(&rows, |row| share(row.get("bfs")?));
    section.at_least(
        "states a second, times SPIN's",
        mean(&ratios(&rows, |row| rate_ratio(row, "bfs"))),
        5.0,
        "at least 5, wanted 10",
    );
    section.at_least(
        "time to the verdict, times faster than SPIN with generation and compilation, where pan takes less than 10 s",
        mean(&verdict),
        0.0,
        "-",
    );
    section.at_least("the same in processor time", mean(&cpu), 0.0, "-");
    section.at_most("bytes a state", mean(&bytes), 10.0, "at most 10, wanted 6");
    section.at_most("memory of the process, times SPIN's", mean(&peak), 0.2, "at most 0.2");
    section.at_least("transitions, of the random lines that memory gives", mean(&shares), 0.0, "-");
    section
}

/// Two threads against one.
pub fn threads(rows: Vec<Row>) -> Section {
    let columns = [
        "model",
        "states",
        "1 thread s",
        "2 threads s",
        "times",
        "two searches at once, times",
        "processor time, times",
    ];
    let of_two =
        |row: &Row| ratio(row.get("one"), row.get("two"), |a, b| a.search.wall / b.search.wall);
    let of_pair = |row: &Row| {
        ratio(row.get("one"), row.get("pair"), |a, b| 2.0 * a.search.wall / b.search.wall)
    };
    let more =
        |row: &Row| ratio(row.get("one"), row.get("two"), |a, b| b.search.cpu / a.search.cpu);
    let mut section = section("threads", &columns, rows, |row| {
        vec![
            row.model.clone(),
            of(row.get("one"), |run| run.states.to_string()),
            of(row.get("one"), |run| format!("{:.2}", run.search.wall)),
            of(row.get("two"), |run| format!("{:.2}", run.search.wall)),
            times(of_two(row)),
            times(of_pair(row)),
            times(more(row)),
        ]
    });
    let value = mean(&ratios(&section.rows, of_two));
    section.at_least("two threads, times faster than one", value, 1.7, "at least 1.7");
    let value = mean(&ratios(&section.rows, of_pair));
    section.at_least(
        "two searches at once, times as much as one: what the machine gives",
        value,
        0.0,
        "-",
    );
    let value = mean(&ratios(&section.rows, more));
    section.at_most(
        "processor time of two threads, times that of one",
        value,
        1.18,
        "at most 1.18",
    );
    section.remark = Some(
        "The models as above, those that are over in a moment in larger sizes. By the clock; two \
         searches at once, one thread each, are two processes."
            .to_owned(),
    );
    section
}

/// Depth first against SPIN, which always searches so.
pub fn dfs(rows: Vec<Row>) -> Section {
    let columns =
        ["model", "states", "depth", "Mst/s", "SPIN Mst/s", "times", "B/state", "MiB", "SPIN MiB"];
    let mut section = section("dfs", &columns, rows, |row| {
        let (ours, spin) = (row.get("dfs"), row.get("spin"));
        vec![
            row.model.clone(),
            of(ours, |run| run.states.to_string()),
            of(spin, |run| run.depth.to_string()),
            of(ours, |run| format!("{:.2}", run.rate())),
            of(spin, |run| format!("{:.2}", run.rate())),
            times(rate_ratio(row, "dfs")),
            of(ours, |run| format!("{:.1}", run.bytes_a_state)),
            of(ours, |run| mib(run.search.peak)),
            of(spin, |run| mib(run.search.peak)),
        ]
    });
    let value = mean(&ratios(&section.rows, |row| rate_ratio(row, "dfs")));
    section.at_least("states a second, times SPIN's", value, 3.0, "at least 3");
    section
}

/// Reduced searches against SPIN as it comes.
pub fn reduction(rows: Vec<Row>, words: &[String]) -> Section {
    let columns = [
        "model",
        "states",
        "dfs states",
        "SPIN states",
        "bfs/SPIN",
        "bfs/dfs",
        "verdict s",
        "all processors s",
        "dfs verdict s",
        "SPIN verdict s",
        "times",
        "all processors, times",
    ];
    let count = |row: &Row, a: &str, b: &str| {
        ratio(row.get(a), row.get(b), |a, b| a.states as f64 / b.states as f64)
    };
    let mut section = section("reduction", &columns, rows, |row| {
        let (bfs, dfs, spin) = (row.get("bfs"), row.get("dfs"), row.get("spin"));
        vec![
            row.model.clone(),
            of(bfs, |run| run.states.to_string()),
            of(dfs, |run| run.states.to_string()),
            of(spin, |run| run.states.to_string()),
            times(count(row, "bfs", "spin")),
            times(count(row, "bfs", "dfs")),
            of(bfs, |run| format!("{:.2}", run.total().wall)),
            of(row.get("all"), |run| format!("{:.2}", run.total().wall)),
            of(dfs, |run| format!("{:.2}", run.total().wall)),
            of(spin, |run| format!("{:.2}", run.total().wall)),
            times(verdict_ratio(row, "bfs")),
            times(verdict_ratio(row, "all")),
        ]
    });
    section.remark = Some(if words.is_empty() {
        "Both tools as they come, ours with one thread and, as it really comes, with all processors."
            .to_owned()
    } else {
        format!("Ours with `{}`, SPIN as it comes.", words.join(" "))
    });
    let rows = section.rows.clone();
    let value = mean(&ratios(&rows, |row| count(row, "bfs", "spin")));
    section.at_most("states, times SPIN's", value, 1.0, "at most 1");
    let value = mean(&ratios(&rows, |row| count(row, "dfs", "spin")));
    section.at_most("states depth first, times SPIN's", value, 1.0, "at most 1");
    let value = mean(&ratios(&rows, |row| count(row, "bfs", "dfs")));
    section.at_most("states breadth first, times those depth first", value, 1.2, "at most 1.2");
    let value = mean(&ratios(&rows, |row| verdict_ratio(row, "bfs")));
    section.at_least("time to the verdict, times faster than SPIN", value, 3.0, "at least 3");
    let short = |row: &Row| row.get("spin").is_some_and(|run| run.search.cpu < 10.0);
    let value = mean(&ratios(&rows, |row| verdict_ratio(row, "all").filter(|_| short(row))));
    section.at_least(
        "the same with all processors, where pan takes less than 10 s",
        value,
        8.0,
        "at least 8",
    );
    section
}

/// Lossy searches in the same memory.
pub fn bitstate(rows: Vec<Row>) -> Section {
    let columns = [
        "model",
        "states",
        "missed",
        "SPIN missed",
        "Mst/s",
        "SPIN Mst/s",
        "times",
        "all processors s",
        "SPIN s",
        "Mst/s by the clock, times",
        "MiB",
        "SPIN MiB",
    ];
    let by_clock = |row: &Row| {
        ratio(row.get("all"), row.get("spin"), |a, b| {
            a.states as f64 / a.search.wall / (b.states as f64 / b.search.wall)
        })
    };
    let missed = |row: &Row, name: &str| {
        ratio(row.get("exact"), row.get(name), |exact, run| {
            (exact.states as f64 - run.states as f64).max(0.0)
        })
    };
    let mut section = section("bitstate", &columns, rows, |row| {
        let (ours, spin) = (row.get("ours"), row.get("spin"));
        let whole = |value: Option<f64>| value.map_or("-".into(), |v| format!("{v:.0}"));
        vec![
            row.model.clone(),
            of(row.get("exact"), |run| run.states.to_string()),
            whole(missed(row, "ours")),
            whole(missed(row, "spin")),
            of(ours, |run| format!("{:.2}", run.rate())),
            of(spin, |run| format!("{:.2}", run.rate())),
            times(rate_ratio(row, "ours")),
            of(row.get("all"), |run| format!("{:.2}", run.search.wall)),
            of(spin, |run| format!("{:.2}", run.search.wall)),
            times(by_clock(row)),
            of(ours, |run| mib(run.search.peak)),
            of(spin, |run| mib(run.search.peak)),
        ]
    });
    let rows = section.rows.clone();
    let value = mean(&ratios(&rows, |row| {
        Some((missed(row, "ours")? + 1.0) / (missed(row, "spin")? + 1.0))
    }));
    section.at_most("states missed, times SPIN's (one added to both)", value, 1.0, "at most 1");
    let value = mean(&ratios(&rows, |row| rate_ratio(row, "ours")));
    section.at_least("states a second of one thread, times SPIN's", value, 3.0, "at least 3");
    let value = mean(&ratios(&rows, by_clock));
    section.at_least(
        "states a second by the clock, as it comes with all processors, times SPIN's",
        value,
        3.0,
        "at least 3",
    );
    section
}

/// One model in several sizes.
pub fn growth(rows: Vec<Row>) -> Section {
    let columns = ["model", "states", "Mst/s", "SPIN Mst/s", "times", "B/state", "MiB", "SPIN MiB"];
    let mut section = section("growth", &columns, rows, |row| {
        let (ours, spin) = (row.get("bfs"), row.get("spin"));
        vec![
            row.model.clone(),
            of(ours, |run| run.states.to_string()),
            of(ours, |run| format!("{:.2}", run.rate())),
            of(spin, |run| format!("{:.2}", run.rate())),
            times(rate_ratio(row, "bfs")),
            of(ours, |run| format!("{:.1}", run.bytes_a_state)),
            of(ours, |run| mib(run.search.peak)),
            of(spin, |run| mib(run.search.peak)),
        ]
    });
    let value = match (section.rows.first(), section.rows.last()) {
        (Some(small), Some(large)) if section.rows.len() > 1 => {
            ratio(large.get("bfs"), small.get("bfs"), |large, small| large.rate() / small.rate())
        }
        _ => None,
    };
    section.at_least("states a second, largest over smallest", value, 0.6, "at least 0.6");
    section
}

/// Models that others wrote.
pub fn corpus(rows: Vec<Row>) -> Section {
    let columns = [
        "model",
        "states",
        "Mst/s",
        "SPIN Mst/s",
        "times",
        "B/state",
        "SPIN B/state",
        "verdict s",
        "SPIN verdict s",
        "times",
    ];
    let mut section = section("corpus", &columns, rows, |row| {
        let (ours, spin) = (row.get("bfs"), row.get("spin"));
        vec![
            row.model.clone(),
            of(ours, |run| run.states.to_string()),
            of(ours, |run| format!("{:.2}", run.rate())),
            of(spin, |run| format!("{:.2}", run.rate())),
            times(rate_ratio(row, "bfs")),
            of(ours, |run| format!("{:.1}", run.bytes_a_state)),
            of(spin, |run| format!("{:.1}", run.bytes_a_state)),
            of(ours, |run| format!("{:.2}", run.total().wall)),
            of(spin, |run| format!("{:.2}", run.total().wall)),
            times(verdict_ratio(row, "bfs")),
        ]
    });
    let rates = ratios(&section.rows, |row| rate_ratio(row, "bfs"));
    let bytes = ratios(&section.rows, |row| Some(row.get("bfs")?.bytes_a_state));
    let least = rates.iter().copied().reduce(f64::min);
    let most = bytes.iter().copied().reduce(f64::max);
    section.at_least("states a second, times SPIN's", mean(&rates), 0.0, "-");
    section.at_least("the slowest model, times SPIN's states a second", least, 1.0, "at least 1");
    section.at_most("bytes a state", mean(&bytes), f64::MAX, "-");
    section.at_most("bytes a state, the largest", most, 16.0, "at most 16");
    section
}
