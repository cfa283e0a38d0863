//! What to try next where nothing was decided, with the numbers of the search that was made.

use everypath_verdict::{Reason, RunResult, Stop, Verdict};
use serde_json::Value;

use crate::units;

/// Suggestions that are shown.
const MOST: usize = 4;
/// Bytes a state of `--store compact`, which is 40 bits.
const COMPACT: f64 = 5.0;
/// Bytes a state that exact stores seldom need more than.
const EXACT: u64 = 20;
/// A table of which this part is in use is full.
const FULL: f64 = 0.95;
/// Below this much time nobody can tell how many states there are in a second.
const MEASURED: f64 = 0.5;

/// What to try next, the best first, each with a word in front: `more: --states 2000 (64 states wait ..)`. Nothing
/// where the answer is one, or was accepted.
pub fn steps(result: &RunResult, memory: Option<u64>) -> Vec<String> {
    let open = matches!(result.verdict, Verdict::NoViolationFound(_) | Verdict::Unknown(_));
    if !open || result.exit == 0 || result.stats.is_none() {
        return Vec::new();
    }
    let mut all = Found { result, memory, lines: Vec::new() };
    match (result.run.stop, result.incomplete()) {
        (Stop::Time, _) => all.time(),
        (Stop::Memory, _) => all.memory(),
        (Stop::States, _) => all.states(),
        (Stop::Depth, _) => all.depth(),
        (Stop::Bound, _) => all.bounds(),
        (Stop::Disk, _) => {
            all.say("more", "--disk=DIR with a directory that has more room".to_owned())
        }
        (Stop::Completed, Reason::Sampled) => all.sampled(),
        (Stop::Completed, Reason::LossyStore) => all.lossy(),
        _ => {}
    }
    all.lines.truncate(MOST);
    all.lines
}

struct Found<'a> {
    result: &'a RunResult,
    /// The bytes that a search may take on this machine.
    memory: Option<u64>,
    lines: Vec<String>,
}

impl Found<'_> {
    fn say(&mut self, word: &str, text: String) {
        self.lines.push(format!("{word}: {text}"));
    }

    fn bound(&self, name: &str) -> Option<u64> {
        self.result.scope.bounds.get(name).and_then(Value::as_u64)
    }

    /// States that were stored, and those of them that wait to be expanded.
    fn counts(&self) -> (u64, u64) {
        self.result.stats.as_ref().map_or((0, 0), |stats| (stats.states, stats.unexpanded))
    }

    fn is_java(&self) -> bool {
        self.result.model.as_ref().is_some_and(|model| model.language.starts_with("Java"))
    }

    /// Whether states are looked at level by level, and kept as they are.
    fn is_broad(&self) -> bool {
        matches!(self.result.run.search.as_str(), "auto" | "bfs")
    }

    fn keeps_states(&self) -> bool {
        self.result.scope.lossy.is_none()
            && !matches!(self.result.run.search.as_str(), "random" | "swarm" | "stateless")
    }

    /// Whether another run can go on with what this one has.
    fn goes_on(&self) -> bool {
        self.result.run.checkpoint.is_some()
    }

    fn time(&mut self) {
        let limit = self.result.scope.bounds.get("time_s").and_then(Value::as_f64).unwrap_or(0.0);
        let (states, waiting) = self.counts();
        let wall = self.result.run.wall_s;
        let rate = states as f64 / wall.max(1e-3);
        let mut known = match waiting {
            0 => String::new(),
            _ => format!("{} wait to be expanded", several(waiting)),
        };
        if waiting > 0 && wall >= MEASURED && rate >= 1.0 {
            let rest = units::seconds(waiting as f64 / rate);
            let rate = units::rough(rate as u64);
            known = format!("{known}; at {rate} a second they alone take {rest}");
        }
        if !self.goes_on() && limit > 0.0 {
            let more = duration(limit * 4.0);
            let checkpoint = if self.can_be_kept() { " --checkpoint" } else { "" };
            self.say("more", format!("--time {more}{checkpoint}{}", bracketed(&known)));
        }
        self.smaller();
        self.samples(limit);
    }

    fn memory(&mut self) {
        let Some(limit) = self.bound("memory_bytes") else { return };
        if let Some(loss) = self.result.scope.loss.as_ref().filter(|loss| loss.fill > FULL) {
            let (table, more) = (units::bytes(loss.table_bytes), size(loss.table_bytes * 2));
            return self.say("more", format!("--table {more} (the one of {table} is full)"));
        }
        let (states, waiting) = self.counts();
        let each = self.result.stats.as_ref().map_or(0.0, |stats| stats.bytes_per_state);
        let room = self.memory.is_none_or(|all| limit.saturating_mul(2) <= all);
        if room && !self.goes_on() {
            let more = size(limit.saturating_mul(2));
            let known = format!(
                "{} was full of {}, {each:.0} B each",
                units::bytes(limit),
                several(states)
            );
            self.say("more", format!("--mem {more} ({known})"));
        }
        let disk = self.result.run.argv.iter().any(|word| word.starts_with("--disk"));
        if self.is_broad() && !disk && waiting > 0 {
            let what =
                format!("{} that wait, and the way back to them, go to files", several(waiting));
            self.say("disk", format!("--disk ({what})"));
        }
        self.smaller();
        if self.keeps_states() && each > 2.0 * COMPACT {
            let fits = (limit as f64 / 2.0 / COMPACT) as u64;
            let table = size(limit / 2);
            self.say(
                "lossy",
                format!(
                    "--store compact --table {table} (5 B a state instead of {each:.0}: room for {}; no proof)",
                    several(fits)
                ),
            );
        }
        self.samples(0.0);
    }

    fn states(&mut self) {
        let (_, waiting) = self.counts();
        if let Some(limit) = self.bound("states").filter(|_| !self.goes_on()) {
            let known = if waiting > 0 {
                format!("{} wait to be expanded", several(waiting))
            } else {
                String::new()
            };
            self.say("more", format!("--states {}{}", limit.saturating_mul(4), bracketed(&known)));
        }
        self.smaller();
    }

    fn depth(&mut self) {
        let (_, waiting) = self.counts();
        if let Some(limit) = self.bound("depth") {
            let known = match waiting {
                0 => String::new(),
                _ => format!("{} at the limit were not expanded", several(waiting)),
            };
            self.say(
                "more",
                format!("--depth {}{}, or no --depth", limit.saturating_mul(4), bracketed(&known)),
            );
        }
    }

    fn bound_of(&mut self, name: &str) {
        if let Some(limit) = self.bound(name) {
            self.say(
                "more",
                format!("--{name} {}, or no --{name} for all runs", limit.saturating_add(1)),
            );
        }
    }

    fn bounds(&mut self) {
        self.bound_of("preemptions");
        self.bound_of("switches");
    }

    fn sampled(&mut self) {
        let Some(sample) = &self.result.scope.sample else { return };
        let (runs, seed) = (sample.runs, sample.seed);
        let next = seed.saturating_add(runs);
        let text = format!(
            "--runs {} --seed {next} (other runs than these {})",
            runs.saturating_mul(10),
            units::count(runs)
        );
        self.say("more", text);
        self.say("all", "without --search everything is looked at, if it fits".to_owned());
    }

    fn lossy(&mut self) {
        let (states, _) = self.counts();
        let room = units::bytes(states.saturating_mul(EXACT));
        self.say("proof", format!("without --store (about {room} for {})", several(states)));
    }

    /// Fewer states of the same model.
    fn smaller(&mut self) {
        if self.result.scope.reductions.is_empty() {
            self.say("smaller", "without --reduce none".to_owned());
        } else if self.is_java() {
            let bounded = self.bound("preemptions").is_some() || self.bound("switches").is_some();
            if self.result.run.search != "stateless" && !bounded {
                let what = "runs with at most two preemptions show most mistakes";
                self.say(
                    "smaller",
                    format!("--search stateless --preemptions 2 ({what}; no proof)"),
                );
            }
        } else if !self.result.scope.reductions.iter().any(|one| one == "symmetry")
            && self.result.model.as_ref().is_some_and(|model| model.processes > 2)
        {
            let what = "if some of its processes are interchangeable";
            self.say("smaller", format!("--reduce default,symmetry ({what})"));
        }
    }

    /// Samples, which find violations where no search comes to its end.
    fn samples(&mut self, time: f64) {
        if self.keeps_states() && !self.is_java() {
            let time =
                if time > 0.0 { format!(" --time {}", duration(time)) } else { String::new() };
            self.say(
                "sample",
                format!("--search swarm{time} (many small searches that differ; no proof)"),
            );
        }
    }

    /// Whether there are checkpoints of such a search.
    fn can_be_kept(&self) -> bool {
        let store = self.result.run.store.split('=').next().unwrap_or("");
        !self.is_java()
            && self.result.run.search == "bfs"
            && matches!(store, "collapse" | "compact" | "bitstate")
    }
}

fn several(states: u64) -> String {
    format!("{} {}", units::rough(states), if states == 1 { "state" } else { "states" })
}

fn bracketed(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" ({text})") }
}

/// A size as `--mem` takes it.
fn size(bytes: u64) -> String {
    units::bytes(bytes).replace(' ', "")
}

/// A time as `--time` takes it.
fn duration(seconds: f64) -> String {
    let whole = seconds.ceil() as u64;
    match whole {
        0..=119 => format!("{whole}s"),
        120..=7199 => format!("{}m", whole.div_ceil(60)),
        _ => format!("{}h", whole.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use everypath_verdict::{ModelInfo, Sample, Stats};
    use serde_json::json;

    use super::*;

    fn steps(result: &RunResult) -> Vec<String> {
        super::steps(result, None)
    }

    /// A search of 1,000 states that was cut, of which 100 wait.
    fn cut(stop: Stop, reason: Reason, bounds: &[(&str, Value)]) -> RunResult {
        let document = json!({
            "schema": "everypath.result/1",
            "tool": { "version": "0", "build": "" },
            "verdict": "error",
            "exit": 2,
            "run": {
                "argv": [], "seed": null, "engine": "explicit", "search": "bfs", "wall_s": 0.0,
                "peak_bytes": null, "stop": "not-started", "expect": null,
            },
            "inputs": [], "model": null, "stats": null, "properties": [], "coverage": null, "diagnostics": [],
            "scope": {
                "complete": false, "reductions": [], "fairness": "none", "bounds": {}, "lossy": null, "skipped": [],
            },
        });
        let mut result: RunResult = serde_json::from_value(document).expect("a result");
        result.verdict = Verdict::NoViolationFound(reason);
        result.exit = 3;
        result.run.stop = stop;
        result.run.search = "bfs".to_owned();
        result.run.store = "collapse".to_owned();
        result.run.wall_s = 2.0;
        result.model = Some(ModelInfo { language: "Promela".to_owned(), processes: 2 });
        result.scope.reductions = vec!["stubborn".to_owned()];
        result.scope.bounds =
            bounds.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let (states, unexpanded) = (1_000, 100);
        result.stats =
            Some(Stats { states, unexpanded, bytes_per_state: 30.0, ..Stats::default() });
        result
    }

    #[test]
    fn what_is_to_be_tried_has_the_numbers_of_the_search() {
        let time = cut(Stop::Time, Reason::TimeLimit, &[("time_s", 2.0.into())]);
        assert_eq!(
            steps(&time),
            [
                "more: --time 8s --checkpoint (100 states wait to be expanded; at 500 a second they alone \
                 take 0.20 s)",
                "sample: --search swarm --time 2s (many small searches that differ; no proof)",
            ]
        );
        let mut memory =
            cut(Stop::Memory, Reason::MemoryLimit, &[("memory_bytes", (1 << 20).into())]);
        memory.run.wall_s = 0.1;
        let lines = steps(&memory);
        assert_eq!(lines[0], "more: --mem 2MiB (1 MiB was full of 1,000 states, 30 B each)");
        assert!(lines[1].starts_with("disk: --disk (100 states that wait"), "{lines:?}");
        let lossy = "lossy: --store compact --table 512KiB (5 B a state instead of 30: room for 104,857 states;";
        assert!(lines[2].starts_with(lossy), "{lines:?}");
        let states = cut(Stop::States, Reason::StateLimit, &[("states", 1_000.into())]);
        assert_eq!(steps(&states), ["more: --states 4000 (100 states wait to be expanded)"]);
        let depth = cut(Stop::Depth, Reason::DepthLimit, &[("depth", 30.into())]);
        assert_eq!(
            steps(&depth),
            ["more: --depth 120 (100 states at the limit were not expanded), or no --depth"]
        );
        let mut sampled = cut(Stop::Completed, Reason::Sampled, &[]);
        sampled.scope.sample = Some(Sample { runs: 16, seed: 4 });
        assert_eq!(steps(&sampled)[0], "more: --runs 160 --seed 20 (other runs than these 16)");
        let mut bounded = cut(Stop::Bound, Reason::SwitchBound, &[("preemptions", 2.into())]);
        assert_eq!(steps(&bounded), ["more: --preemptions 3, or no --preemptions for all runs"]);
        bounded.exit = 0;
        assert!(steps(&bounded).is_empty(), "it was accepted");
        let mut lossy = cut(Stop::Completed, Reason::LossyStore, &[]);
        lossy.scope.lossy = Some("bitstate".to_owned());
        assert_eq!(steps(&lossy), ["proof: without --store (about 20 KiB for 1,000 states)"]);
    }

    #[test]
    fn times_are_rounded_up() {
        assert_eq!([0.4, 90.0, 121.0, 7_300.0].map(duration), ["1s", "90s", "3m", "3h"]);
    }
}
