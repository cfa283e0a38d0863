//! Temporal properties: our check beside SPIN's, and what the methods of ours look at.

use super::Options;
use super::child::{Cost, Scratch};
use super::models::{Model, bench};
use super::ours::{Ours, strings};
use super::peer::{Kind, slots_for};
use super::result::{Row, Run, Section, mean};
use super::sections::{Bench, LIMIT, Runner};
use super::tables::{mib, of, ratio, ratios, section, times};

/// A formula that holds, of a model of the benchmark.
struct Verified {
    name: &'static str,
    model: &'static str,
    define: Option<&'static str>,
    formula: &'static str,
    depth: u64,
}

const fn verified(
    name: &'static str,
    model: &'static str,
    define: Option<&'static str>,
    formula: &'static str,
    depth: u64,
) -> Verified {
    Verified { name, model, define, formula, depth }
}

/// Safety, guarantee, recurrence and response; all of them hold without fairness.
const VERIFIED: [Verified; 12] = [
    verified("bakery exclusion", "bakery", None, "[] (inside <= 1)", 1_000_000),
    verified(
        "commit together",
        "commit",
        None,
        "[] ((committed[0] == 1) -> <> (committed[1] >= 1))",
        100_000,
    ),
    verified("election leader", "election", None, "<> (leaders == 1)", 100_000),
    verified(
        "elevator stands",
        "elevator",
        None,
        "[] (open[0] -> (at[0] == target[0]))",
        1_000_000,
    ),
    verified("network moves", "network", Some("JOBS=30"), "[] <> (busy > 0)", 5_000_000),
    verified("peterson enters", "peterson", None, "[] <> (inside == 1)", 1_000_000),
    verified("philosophers eat", "philosophers", Some("N=7"), "[] <> (eating > 0)", 5_000_000),
    verified("pipeline delivers", "pipeline", Some("ITEMS=3"), "<> (got[0] == 3)", 100_000),
    verified(
        "readers or writers",
        "readers",
        Some("READERS=6"),
        "[] <> (reading > 0 || writing > 0)",
        5_000_000,
    ),
    verified("token returns", "token", Some("N=10"), "[] <> (token == 0)", 5_000_000),
    verified("window order", "window", None, "[] (Sender:base <= Receiver:expected)", 100_000),
    verified("workers finish", "workers", None, "<> (finished == 8)", 100_000),
];

const QUICK: [&str; 3] = ["election leader", "window order", "peterson enters"];

/// The formula of a check is called so.
const FORMULA: &str = "bench";

impl Bench<'_> {
    /// Our check beside SPIN's.
    pub fn ltl(&self) -> Section {
        let dir = match Scratch::new("ltl") {
            Ok(dir) => dir,
            Err(error) => return super::tables::skipped("ltl", &error),
        };
        let ours = self.ours;
        let mut rows = Vec::new();
        for one in VERIFIED.iter().filter(|one| chosen(self.options, one.name, &QUICK)) {
            let base = bench(one.model);
            let file = dir.path().join(format!("{}.pml", one.model));
            let text =
                format!("#include \"{}\"\nltl {FORMULA} {{ {} }}\n", base.display(), one.formula);
            if let Err(error) = std::fs::write(&file, text) {
                return super::tables::skipped("ltl", &error.to_string());
            }
            let model = &Model {
                name: one.name.to_owned(),
                file,
                defines: one.define.iter().map(|define| (*define).to_owned()).collect(),
                depth: one.depth,
                deadlocks: true,
            };
            let mut problems = Vec::new();
            let by =
                |threads: &str| strings(&["--only", FORMULA, "--reduce", "none", "-j", threads]);
            let (alone, together, plain) = (by("1"), by("2"), strings(&["--only", FORMULA]));
            let mut kinds: Vec<(&'static str, Runner)> = vec![
                ("one", Box::new(move || ours.temporal(model, &alone, LIMIT))),
                ("two", Box::new(move || ours.temporal(model, &together, LIMIT))),
                ("plain", Box::new(move || ours.temporal(model, &plain, LIMIT))),
            ];
            for (name, kind) in [("spin", Kind::Claim), ("reduced", Kind::ReducedClaim)] {
                if let Some(mut pan) = self.verifier(model, kind, &mut problems) {
                    kinds.push((name, Box::new(move || pan.run(slots_for(0), LIMIT))));
                }
            }
            let mut row = self.in_turn(&model.name, kinds, problems);
            for (name, run) in &row.runs {
                if !matches!(run.verdict.as_str(), "holds" | "0 errors") {
                    row.problems.push(format!("{name} says {}", run.verdict));
                }
            }
            rows.push(row);
        }
        table(rows)
    }

    /// What the methods look at.
    pub fn emptiness(&self) -> Section {
        let rows: Vec<Row> = QUESTIONS
            .iter()
            .filter(|one| chosen(self.options, one.name, &[]))
            .map(|one| question(self.ours, one))
            .collect();
        methods(rows)
    }
}

fn chosen(options: &Options, name: &str, quick: &[&str]) -> bool {
    let named = options.only.is_empty() || options.only.iter().any(|part| name.contains(part));
    named && (!options.quick || quick.is_empty() || quick.contains(&name))
}

fn table(rows: Vec<Row>) -> Section {
    let columns = [
        "model and formula",
        "product states",
        "SPIN's",
        "Mst/s",
        "SPIN Mst/s",
        "times",
        "s",
        "SPIN s",
        "times",
        "2 threads s",
        "times",
        "as it comes s",
        "SPIN's",
        "with compilation",
        "times",
        "MiB",
        "SPIN MiB",
    ];
    let rate = |row: &Row| ratio(row.get("one"), row.get("spin"), |a, b| a.rate() / b.rate());
    let time = |row: &Row| {
        ratio(row.get("one"), row.get("spin"), |a, b| b.search.cpu / a.search.cpu.max(1e-3))
    };
    let reduced = |row: &Row| {
        ratio(row.get("plain"), row.get("reduced"), |a, b| b.search.wall / a.search.wall.max(1e-3))
    };
    let waited = |row: &Row| {
        ratio(row.get("plain"), row.get("reduced"), |a, b| {
            (b.before.wall + b.search.wall) / a.search.wall.max(1e-3)
        })
    };
    let two =
        |row: &Row| ratio(row.get("one"), row.get("two"), |a, b| a.search.wall / b.search.wall);
    let seconds = |run: &Run| format!("{:.2}", run.search.cpu);
    let mut section = section("ltl", &columns, rows, |row| {
        let (one, spin) = (row.get("one"), row.get("spin"));
        vec![
            row.model.clone(),
            of(one, |run| run.states.to_string()),
            of(spin, |run| run.states.to_string()),
            of(one, |run| format!("{:.2}", run.rate())),
            of(spin, |run| format!("{:.2}", run.rate())),
            times(rate(row)),
            of(one, seconds),
            of(spin, seconds),
            times(time(row)),
            of(row.get("two"), |run| format!("{:.2}", run.search.wall)),
            times(two(row)),
            of(row.get("plain"), |run| format!("{:.2}", run.search.wall)),
            of(row.get("reduced"), |run| format!("{:.2}", run.search.wall)),
            of(row.get("reduced"), |run| format!("{:.2}", run.before.wall + run.search.wall)),
            times(waited(row)),
            of(one, |run| mib(run.search.peak)),
            of(spin, |run| mib(run.search.peak)),
        ]
    });
    section.remark = Some(
        "Formulas that hold, so that the whole product has to be searched. Each tool counts the states of its \
         own product, since their automata differ. The first columns are without reduction, one thread, and seconds \
         of processors, for SPIN those of `pan -a` alone; those of two threads, and what they gain, are by the \
         clock. The last ones are by the clock with both tools as they come: ours with reductions and all \
         processors, SPIN with its own, without and with generation and compilation."
            .to_owned(),
    );
    let [rate, time, two] = [rate, time, two].map(|value| mean(&ratios(&section.rows, value)));
    let [alone, waited] = [reduced, waited].map(|value| mean(&ratios(&section.rows, value)));
    section.at_least("product states a second, times SPIN's", rate, 4.0, "at least 4");
    section.at_least("time, times faster than SPIN", time, 4.0, "at least 4");
    section.at_least("two threads, times faster than one", two, 1.6, "at least 1.6");
    section.at_least("as they come, times faster than `pan -a` alone", alone, 0.0, "-");
    section.at_least("as they come, with SPIN's compilation", waited, 0.0, "-");
    section
}

/// A formula for all methods.
struct Question {
    name: &'static str,
    model: &'static str,
    defines: &'static [&'static str],
    formula: &'static str,
    fair: bool,
    verdict: &'static str,
}

const fn of_servers(
    name: &'static str,
    defines: &'static [&'static str],
    fair: bool,
    verdict: &'static str,
) -> Question {
    Question { name, model: "ltl/servers", defines, formula: "answered", fair, verdict }
}

const fn of_leader(name: &'static str, formula: &'static str) -> Question {
    let defines = &["N=7"];
    Question { name, model: "ltl/leader", defines, formula, fair: false, verdict: "holds" }
}

const QUESTIONS: [Question; 7] = [
    of_leader("leader elected", "elected"),
    of_leader("leader settled", "settled"),
    of_leader("leader quiet", "quiet"),
    of_servers("servers 3/1", &["CLIENTS=3", "SERVERS=1"], false, "holds"),
    of_servers("servers 3/1 fair", &["CLIENTS=3", "SERVERS=1"], true, "holds"),
    of_servers("servers 3/3", &["CLIENTS=3", "SERVERS=3"], false, "violated"),
    of_servers("servers 3/3 fair", &["CLIENTS=3", "SERVERS=3"], true, "holds"),
];

/// The methods with their names in the table.
const METHODS: [&str; 10] = [
    "cou99",
    "cou99-norem",
    "cou99-shy-node",
    "cou99-shy",
    "gv04",
    "cvwy90",
    "se05",
    "se05-weight",
    "tau03",
    "tau03opt",
];

fn question(ours: &Ours, one: &Question) -> Row {
    let model = Model {
        name: one.name.to_owned(),
        file: bench(one.model),
        defines: one.defines.iter().map(|define| (*define).to_owned()).collect(),
        depth: 0,
        deadlocks: true,
    };
    let (mut runs, mut problems) = (Vec::new(), Vec::new());
    for method in METHODS {
        let mut words = strings(&["--only", one.formula, "--emptiness", method]);
        if one.fair {
            words.extend(strings(&["--fair", "weak"]));
        }
        match ours.temporal(&model, &words, LIMIT) {
            Ok(run) if run.verdict == one.verdict => runs.push((method, run)),
            // It takes no automaton without marks.
            Ok(run) if method == "tau03" && run.verdict == "unknown" => {}
            Ok(run) => problems.push(format!("{method} says {}", run.verdict)),
            Err(error) => problems.push(format!("{method}: {error}")),
        }
    }
    Row { model: one.name.to_owned(), runs, problems }
}

fn methods(rows: Vec<Row>) -> Section {
    let mut columns = vec!["model and formula"];
    columns.extend(METHODS);
    let mut section = section("emptiness", &columns, rows, |row| {
        let mut cells = vec![row.model.clone()];
        cells.extend(METHODS.map(|method| {
            of(row.get(method), |run| format!("{} {} {}", run.states, run.transitions, run.depth))
        }));
        cells
    });
    section.remark = Some(
        "States of the product, transitions that were followed, and the most on the stacks. `gv04`, `cvwy90` and \
         `se05` take one mark: where there are several, and under fairness one more for each process, they search a \
         larger product. `servers C/S` has C clients and S servers; only 3/3 without fairness is violated."
            .to_owned(),
    );
    for method in &METHODS[1..] {
        let states = |row: &Row| {
            ratio(row.get(method), row.get("cou99"), |a, b| a.states as f64 / b.states as f64)
        };
        let steps = |row: &Row| {
            ratio(row.get(method), row.get("cou99"), |a, b| {
                a.transitions as f64 / b.transitions as f64
            })
        };
        let (states, steps) =
            (mean(&ratios(&section.rows, states)), mean(&ratios(&section.rows, steps)));
        let single = matches!(*method, "gv04" | "cvwy90" | "se05" | "se05-weight");
        let aim = if single { "at least 1" } else { "-" };
        section.at_least(&format!("{method}: states, times those of cou99"), states, 1.0, aim);
        section.at_least(&format!("{method}: transitions, times those of cou99"), steps, 0.0, "-");
    }
    section
}

/// What a check of one formula did, by the counts of its product.
pub fn run_of(result: &serde_json::Value, cost: Cost) -> Result<Run, String> {
    let property = &result["properties"][0];
    let product = &property["product"];
    let verdict = property["verdict"].as_str().unwrap_or("?").to_owned();
    let number = |name: &str| match product[name].as_u64() {
        Some(number) => Ok(number),
        None if verdict == "unknown" => Ok(0),
        None => Err(format!("the result has no {name}: {property}")),
    };
    let (states, bytes) = (number("states")?, result["run"]["peak_bytes"].as_u64());
    Ok(Run {
        states,
        transitions: number("transitions")?,
        depth: number("stack")?,
        vector: None,
        search: cost,
        before: Cost::default(),
        bytes_a_state: bytes.unwrap_or(0) as f64 / states.max(1) as f64,
        instructions: None,
        executions: None,
        complete: verdict == "holds",
        verdict,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_are_there() {
        let files = VERIFIED.iter().map(|one| one.model);
        for file in files.chain(QUESTIONS.iter().map(|one| one.model)) {
            assert!(bench(file).is_file(), "{file}");
        }
        assert!(QUICK.iter().all(|name| VERIFIED.iter().any(|one| one.name == *name)));
    }
}
