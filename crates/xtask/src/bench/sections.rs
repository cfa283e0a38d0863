//! What is run for each part of the benchmark.

use std::time::Duration;

use super::models::{self, Model};
use super::ours::{Ours, strings};
use super::peer::{Kind, Peer, Verifier, slots_for};
use super::result::{Row, Run, Section};
use super::{Options, tables};

/// Time for one search.
pub const LIMIT: Duration = Duration::from_secs(1_200);

/// Time for one search of the corpus, some models of which are far larger than published. Rates are
/// compared where it was too short as well.
const CORPUS_LIMIT: Duration = Duration::from_secs(20);

/// What is asked for where nothing is reduced without it: the first that is known.
const REDUCTIONS: [&str; 3] =
    ["por,constants,slice,merge,dead", "por", "constants,slice,merge,dead"];

/// The tools and what was asked for.
pub struct Bench<'a> {
    /// Our program.
    pub ours: &'a Ours,
    /// SPIN, where it is installed.
    pub peer: Option<&'a Peer>,
    /// The command line.
    pub options: &'a Options,
    /// Millions of random lines a second, where measured.
    pub limit: Option<f64>,
}

/// Something that runs a model once.
pub type Runner<'a> = Box<dyn FnMut() -> Result<Run, String> + 'a>;

impl Bench<'_> {
    /// Every part that was asked for.
    pub fn sections(&self) -> Vec<Section> {
        let wanted = |name: &str| self.options.wants(name);
        let mut sections = Vec::new();
        if ["exact", "dfs"].into_iter().any(wanted) {
            let rows = self.plain(wanted("dfs"), wanted("exact"));
            if wanted("exact") {
                sections.push(tables::exact(rows.clone(), self.limit));
            }
            if wanted("dfs") {
                sections.push(tables::dfs(rows));
            }
        }
        if wanted("threads") {
            sections.push(tables::threads(self.threads()));
        }
        if wanted("reduction") {
            sections.push(self.reduction());
        }
        if wanted("bitstate") {
            sections.push(self.bitstate());
        }
        if wanted("growth") {
            sections.push(tables::growth(self.growth()));
        }
        if wanted("corpus") {
            sections.push(self.corpus());
        }
        if wanted("ltl") {
            sections.push(self.ltl());
        }
        if wanted("java") {
            sections.push(self.java());
        }
        if wanted("java-bugs") {
            sections.push(self.bugs());
        }
        if wanted("emptiness") {
            sections.push(self.emptiness());
        }
        sections
    }

    fn chosen(&self, models: Vec<Model>) -> Vec<Model> {
        let only = &self.options.only;
        let named = |model: &Model| only.iter().any(|name| model.name.contains(name.as_str()));
        models.into_iter().filter(|model| only.is_empty() || named(model)).collect()
    }

    fn models(&self) -> Vec<Model> {
        self.chosen(models::all(self.options.quick))
    }

    /// A verifier, if SPIN is there and can make one.
    pub fn verifier(
        &self,
        model: &Model,
        kind: Kind,
        problems: &mut Vec<String>,
    ) -> Option<Verifier> {
        match self.peer?.build(model, kind) {
            Ok(verifier) => Some(verifier),
            Err(error) => {
                problems.push(format!("SPIN: {error}"));
                None
            }
        }
    }

    /// One thread, two of them, and two searches at once with one each: no two threads of a search could
    /// do better on this machine.
    fn threads(&self) -> Vec<Row> {
        let ours = self.ours;
        let two = strings(&["-j", "2"]);
        let mut rows = Vec::new();
        for model in &self.chosen(models::lasting(self.options.quick)) {
            let one = || ours.exact(model, &[], LIMIT);
            let kinds: Vec<(&'static str, Runner)> = vec![
                ("one", Box::new(one)),
                ("two", Box::new(|| ours.unreduced(model, &two, LIMIT))),
                ("pair", Box::new(move || at_once(one))),
            ];
            let mut row = self.in_turn(&model.name, kinds, Vec::new());
            same_counts(&mut row);
            rows.push(row);
        }
        rows
    }

    /// Every state: breadth first, depth first, and SPIN.
    fn plain(&self, dfs: bool, exact: bool) -> Vec<Row> {
        let ours = self.ours;
        let mut rows = Vec::new();
        for model in &self.models() {
            let mut problems = Vec::new();
            let mut kinds: Vec<(&'static str, Runner)> = Vec::new();
            if exact {
                kinds.push(("bfs", Box::new(|| ours.exact(model, &[], LIMIT))));
            }
            if dfs {
                let words = strings(&["--search", "dfs"]);
                kinds.push(("dfs", Box::new(move || ours.exact(model, &words, LIMIT))));
            }
            if let Some(mut pan) = self.verifier(model, Kind::Exact, &mut problems) {
                kinds.push(("spin", Box::new(move || pan.run(slots_for(0), LIMIT))));
            }
            if exact
                && self.options.collapse
                && let Some(mut pan) = self.verifier(model, Kind::Collapse, &mut problems)
            {
                kinds.push(("collapse", Box::new(move || pan.run(slots_for(0), LIMIT))));
            }
            let mut row = self.in_turn(&model.name, kinds, problems);
            same_counts(&mut row);
            rows.push(row);
        }
        rows
    }

    fn reduction(&self) -> Section {
        let ours = self.ours;
        let known = REDUCTIONS
            .iter()
            .map(|names| strings(&["--reduce", names]))
            .find(|words| ours.takes(words));
        let words = match known {
            _ if ours.reduces_by_default() => Vec::new(),
            Some(words) => words,
            None => return tables::skipped("reduction", "there is no reduction yet"),
        };
        let mut rows = Vec::new();
        for model in &self.models() {
            let mut problems = Vec::new();
            let (words, dfs) = (&words, [&words[..], &strings(&["--search", "dfs"])].concat());
            let mut kinds: Vec<(&'static str, Runner)> = vec![
                ("bfs", Box::new(move || ours.single(model, words, LIMIT))),
                ("dfs", Box::new(move || ours.single(model, &dfs, LIMIT))),
                ("all", Box::new(move || ours.check(model, words, LIMIT))),
            ];
            if let Some(mut pan) = self.verifier(model, Kind::Reduced, &mut problems) {
                kinds.push(("spin", Box::new(move || pan.run(slots_for(0), LIMIT))));
            }
            rows.push(self.in_turn(&model.name, kinds, problems));
        }
        tables::reduction(rows, &words)
    }

    fn bitstate(&self) -> Section {
        let ours = self.ours;
        if !ours.takes(&strings(&["--store", "bitstate", "--table", "1MiB"])) {
            return tables::skipped("bitstate", "`--store bitstate` is not there yet");
        }
        let mut rows = Vec::new();
        for model in &self.models() {
            let mut problems = Vec::new();
            let exact = match ours.exact(model, &[], LIMIT) {
                Ok(run) => run,
                Err(error) => {
                    problems.push(format!("bfs: {error}"));
                    rows.push(Row { model: model.name.clone(), runs: Vec::new(), problems });
                    continue;
                }
            };
            // Four to eight bits a state: tight enough that states are missed.
            let bits = exact.states.max(2).ilog2() + 3;
            let bytes = 1_u64 << (bits - 3);
            let words = strings(&["--store", "bitstate", "--table", &bytes.to_string()]);
            let again = words.clone();
            let mut kinds: Vec<(&'static str, Runner)> = vec![
                ("ours", Box::new(move || ours.exact(model, &words, LIMIT))),
                ("all", Box::new(move || ours.unreduced(model, &again, LIMIT))),
            ];
            if let Some(mut pan) = self.verifier(model, Kind::Bitstate, &mut problems) {
                kinds.push(("spin", Box::new(move || pan.run(bits, LIMIT))));
            }
            let mut row = self.in_turn(&model.name, kinds, problems);
            row.runs.push(("exact", exact));
            rows.push(row);
        }
        tables::bitstate(rows)
    }

    fn growth(&self) -> Vec<Row> {
        let ours = self.ours;
        let mut rows = Vec::new();
        for model in &self.chosen(models::growing(self.options.quick)) {
            let mut problems = Vec::new();
            let mut kinds: Vec<(&'static str, Runner)> =
                vec![("bfs", Box::new(|| ours.exact(model, &[], LIMIT)))];
            if let Some(mut pan) = self.verifier(model, Kind::Exact, &mut problems) {
                // The larger ones do not fit SPIN's usual table.
                kinds.push(("spin", Box::new(move || pan.run(slots_for(u64::MAX), LIMIT))));
            }
            let mut row = self.in_turn(&model.name, kinds, problems);
            same_counts(&mut row);
            rows.push(row);
        }
        rows
    }

    fn corpus(&self) -> Section {
        let models = self.chosen(models::corpus(self.options.quick));
        if models.is_empty() {
            return tables::skipped("corpus", "there is no corpus beside the checkout");
        }
        let ours = self.ours;
        let time = strings(&["--time", &format!("{}s", CORPUS_LIMIT.as_secs())]);
        let mut rows = Vec::new();
        for model in &models {
            let mut problems = Vec::new();
            let mut kinds: Vec<(&'static str, Runner)> =
                vec![("bfs", Box::new(|| ours.exact(model, &time, CORPUS_LIMIT + CORPUS_LIMIT)))];
            if let Some(mut pan) = self.verifier(model, Kind::Exact, &mut problems) {
                kinds.push(("spin", Box::new(move || pan.run(slots_for(0), CORPUS_LIMIT))));
            }
            let mut row = self.in_turn(&model.name, kinds, problems);
            same_counts(&mut row);
            rows.push(row);
        }
        tables::corpus(rows)
    }

    /// All of them as often as asked, one after the other; the best of each counts.
    pub fn in_turn(
        &self,
        model: &str,
        mut kinds: Vec<(&'static str, Runner)>,
        mut problems: Vec<String>,
    ) -> Row {
        let mut best: Vec<(&'static str, Option<Run>)> =
            kinds.iter().map(|(name, _)| (*name, None)).collect();
        let mut failed = vec![false; kinds.len()];
        for _ in 0..self.options.runs {
            for (index, (name, runner)) in kinds.iter_mut().enumerate() {
                if failed[index] {
                    continue;
                }
                match runner() {
                    Ok(run) => {
                        eprintln!(
                            "{model:<16} {name:<9} {:>10} states {:>8.2} s {:>8.2} s of processors",
                            run.states, run.search.wall, run.search.cpu
                        );
                        let old = best[index].1.take();
                        best[index].1 = Some(run.or_better(old));
                    }
                    Err(error) => {
                        eprintln!("{model:<16} {name:<9} {error}");
                        problems.push(format!("{name}: {error}"));
                        failed[index] = true;
                    }
                }
            }
        }
        let runs = best.into_iter().filter_map(|(name, run)| Some((name, run?))).collect();
        Row { model: model.to_owned(), runs, problems }
    }
}

/// The same twice at the same time: until both are through.
fn at_once(run: impl Fn() -> Result<Run, String> + Sync) -> Result<Run, String> {
    std::thread::scope(|scope| {
        let other = scope.spawn(&run);
        let mut first = run()?;
        let second = other.join().map_err(|_| "a panic".to_owned())??;
        first.search.wall = first.search.wall.max(second.search.wall);
        first.search.cpu += second.search.cpu;
        Ok(first)
    })
}

/// Complete searches without reduction have to agree.
fn same_counts(row: &mut Row) {
    for (name, run) in &row.runs {
        if !run.complete {
            row.problems.push(format!("{name} is not complete: {}", run.verdict));
        }
    }
    let complete: Vec<_> = row.runs.iter().filter(|(_, run)| run.complete).collect();
    for pair in complete.windows(2) {
        let [(first, a), (second, b)] = pair else { continue };
        if !same(a.states, b.states) || !same(a.transitions, b.transitions) {
            row.problems.push(format!(
                "different counts: {first} {} states, {} transitions; {second} {}, {}",
                a.states, a.transitions, b.states, b.transitions
            ));
        }
    }
}

/// The same number, as far as SPIN prints it: eight digits.
fn same(a: u64, b: u64) -> bool {
    let digits = a.max(1).ilog10();
    a.abs_diff(b) < 10_u64.pow(digits.saturating_sub(7)).max(1)
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn counts_are_compared_as_far_as_they_are_printed() {
        assert!(same(99_999_999, 99_999_999) && !same(99_999_999, 99_999_998));
        assert!(same(139_750_268, 139_750_270) && !same(139_750_268, 139_750_280));
        assert!(same(0, 0) && !same(0, 1));
    }
}
