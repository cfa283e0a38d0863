//! The report of a search in the shape that scripts read.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use everypath_engine_explicit::{Kind, Outcome, Stopped, Storage};
use everypath_machine::code::Op;
use everypath_machine::{Proctype, TransitionKind};
use everypath_model::{Action, Describe, Successors, TransitionSystem};

use super::claims::{self, Looked};
use super::machine::Model;
use super::options::Search;
use crate::temporal::Sighting;

/// What stands in the place of SPIN's version.
pub const VERSION: &str = concat!(
    "Spin-compatible report by Everypath ",
    env!("CARGO_PKG_VERSION"),
    ", for the command lines of SPIN 6.5.2"
);

/// An error that was found.
pub struct Found {
    /// What it is.
    pub what: String,
    /// How often it was met.
    pub occurrences: u64,
}

/// Everything that the report says.
pub struct Report<'a> {
    /// The model.
    pub model: &'a Model,
    /// What was asked for.
    pub asked: &'a Search,
    /// The claim or the cycles.
    pub looked: Option<&'a Looked>,
    /// What the search for those came to.
    pub product: Option<&'a Sighting>,
    /// What the search came to.
    pub outcome: &'a Outcome,
    /// Errors that count.
    pub errors: u64,
    /// Steps inside atomic sequences.
    pub atomic: u64,
    /// Time taken.
    pub elapsed: Duration,
}

/// An error in SPIN's words.
pub fn error(model: &Model, kind: Kind, actions: &[Action]) -> String {
    let Kind::Fault(fault) = kind else { return "invalid end state".to_owned() };
    let info = model.system.fault(fault);
    let place = || info.span.map(|span| model.sources.text(span)).unwrap_or_default();
    match info.kind {
        "assertion" => {
            let text = actions.last().map(|action| model.text(action.transition));
            let text = text.as_deref().and_then(|text| text.strip_prefix("assert("));
            let condition = text.and_then(|text| text.strip_suffix(')'));
            let own = || info.message.replacen("assertion can fail: ", "", 1);
            format!("assertion violated {}", condition.map_or_else(own, str::to_owned))
        }
        "index" => "assertion violated - invalid array index".to_owned(),
        "d_step" => "block in d_step seq".to_owned(),
        "d_proctype" => "non-determinism in D_proctype".to_owned(),
        "processes" => "too many processes".to_owned(),
        "channels" => "too many queues".to_owned(),
        "channel" if info.code == "EP0108" => "bad queue".to_owned(),
        "channel" => format!("ref to uninitialized chan name ({})", place()),
        "enabled" => "used: enabled(pid=thisproc)".to_owned(),
        _ => info.message,
    }
}

impl Report<'_> {
    /// The text of the report.
    pub fn render(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        let outcome = self.outcome;
        let stats = &outcome.stats;
        let cut = outcome.depth_limit_hit;
        if cut {
            out.push_str("error: max search depth too small\n");
        }
        let _ = writeln!(out, "\n({VERSION})");
        let ended = match self.product.map(|product| &product.answer) {
            Some(Err(stopped)) => stopped,
            Some(Ok(Some(_))) => &Stopped::Violation,
            _ => &outcome.stopped,
        };
        if *ended != Stopped::Finished || outcome.left_out.is_some() {
            let _ = writeln!(out, "Warning: Search not completed{}", why(ended));
        }
        if self.asked.breadth {
            out.push_str("\t+ Breadth-First Search\n");
        }
        let kind = match self.asked.store() {
            Storage::Compact { bits, .. } => format!("Hash-Compact {}", (bits - 32) / 8),
            Storage::Bitstate { .. } => "Bit statespace".to_owned(),
            _ => "Full statespace".to_owned(),
        };
        let _ = writeln!(out, "\n{kind} search for:");
        let mark = |on: bool, off: &str| if on { "+".to_owned() } else { format!("- ({off})") };
        let name = self.looked.and_then(|looked| looked.claim.as_ref());
        let claim = match name {
            Some(name) => format!("+ ({name})"),
            None if claims::exist(self.model) => mark(false, "not selected"),
            None => mark(false, "none specified"),
        };
        let ends = match name {
            _ if self.asked.no_end_states => mark(false, "disabled by -E flag"),
            Some(_) => mark(false, "disabled by never claim"),
            None => mark(true, ""),
        };
        let assertions = mark(!self.asked.no_assertions, "disabled by -A flag");
        let cycles = match self.looked.and_then(|looked| looked.cycles) {
            Some(name) => {
                let fairness = if self.asked.fair { "enabled" } else { "disabled" };
                format!("{name:12} cycles \t+ (fairness {fairness})")
            }
            None if self.asked.safety || self.asked.breadth => {
                format!("cycle checks       \t{}", mark(false, "disabled by -DSAFETY"))
            }
            None => format!("cycle checks       \t{}", mark(false, "nothing to look for")),
        };
        let _ = writeln!(out, "\tnever claim         \t{claim}");
        let _ = writeln!(out, "\tassertion violations\t{assertions}");
        let _ = writeln!(out, "\t{cycles}");
        let _ = writeln!(out, "\tinvalid end states\t{ends}");
        let _ = writeln!(
            out,
            "\nState-vector {} byte, depth reached {}, errors: {}",
            self.vector(),
            stats.depth,
            self.errors
        );
        let (stored, transitions) = match self.product {
            Some(Sighting { counts, .. }) => (counts.nodes, counts.edges),
            None => (stats.states, stats.transitions),
        };
        let matched = match self.product {
            Some(_) => transitions.saturating_sub(stored),
            None => stats.matched(),
        };
        let _ = writeln!(out, "{stored:9} states, stored");
        let _ = writeln!(out, "{matched:9} states, matched");
        let _ = writeln!(out, "{transitions:9} transitions (= stored+matched)");
        let _ = writeln!(out, "{:9} atomic steps", self.atomic);
        if let Storage::Bitstate { functions, bytes, .. } = self.asked.store() {
            let factor = bytes as f64 * 8.0 / stats.states.max(1) as f64;
            let _ = writeln!(out, "\nhash factor: {factor:.4} (best if > 100.)");
            let _ = writeln!(out, "bits set per state: {functions} (-k{functions})");
        } else {
            out.push_str("hash conflicts:         0 (resolved)\n");
        }
        if let Some(loss) = outcome.loss {
            let _ = writeln!(out, "states omitted: {:.3} (expected)", loss.omitted);
        }
        let megabytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let bytes = &stats.bytes;
        out.push_str("\nStats on memory usage (in Megabytes):\n");
        let mut line = |bytes: u64, what: &str| {
            let _ = writeln!(out, "{:9.3}\t{what}", megabytes(bytes));
        };
        line(bytes.arena, "actual memory usage for states");
        line(bytes.table, "memory used for hash table");
        line(bytes.stack + bytes.parents, "memory used for the search stack");
        line(bytes.peak, "total actual memory usage");
        out.push('\n');
        let complete = *ended == Stopped::Finished && !cut;
        if complete && !self.asked.no_unreached {
            for index in 0..self.model.machine().proctypes.len() {
                self.unreached(index, out);
            }
        }
        let seconds = self.elapsed.as_secs_f64();
        let _ = writeln!(out, "\npan: elapsed time {} seconds", rounded(seconds));
        if seconds >= 0.01 {
            let _ = writeln!(out, "pan: rate {:9.0} states/second", stored as f64 / seconds);
        }
    }

    /// Bytes of the initial state: later ones may be longer.
    fn vector(&self) -> usize {
        let system = &self.model.system;
        let mut out = Successors::new();
        let made = system.initial(&mut system.worker(), &mut out);
        let first = out.steps().first().filter(|_| made.is_ok());
        first.map_or(0, |step| out.target(step).len() * 4)
    }

    /// The states of a proctype that no process came to.
    fn unreached(&self, index: usize, out: &mut String) {
        let machine = self.model.machine();
        let proctype = &machine.proctypes[index];
        let mut reached = BTreeSet::new();
        if self.created(index) {
            reached.insert(proctype.start);
        }
        for taken in self.outcome.coverage.iter() {
            let transition = &machine.transitions[taken as usize];
            if usize::from(transition.proctype) == index && transition.kind != TransitionKind::End {
                reached.insert(transition.target);
            }
        }
        let mut missing: Vec<u16> =
            (0..proctype.locations.len() as u16).filter(|at| !reached.contains(at)).collect();
        missing.sort_by_key(|&at| proctype.locations[usize::from(at)].number);
        let _ = writeln!(out, "unreached in {}", self.title(proctype));
        let mut count = 0;
        for at in missing {
            let location = &proctype.locations[usize::from(at)];
            let mut listed = false;
            for edge in &location.edges {
                let transition = &machine.transitions[edge.transition as usize];
                let text = self.model.text(edge.transition);
                let idle = text.starts_with("goto ") || text == ".(goto)" || text == "(1)";
                if idle || (transition.synthetic && transition.kind != TransitionKind::End) {
                    continue;
                }
                listed = true;
                let place = self.model.place(transition.span);
                let _ = writeln!(out, "\t{place}, state {}, \"{text}\"", location.number);
            }
            count += u32::from(listed);
        }
        let _ = writeln!(out, "\t({count} of {} states)", proctype.numbers);
    }

    fn title(&self, proctype: &Proctype) -> String {
        match proctype.name.as_str() {
            "init" => "init".to_owned(),
            name => format!("proctype {name}"),
        }
    }

    /// Whether some process of the proctype was made.
    fn created(&self, index: usize) -> bool {
        let machine = self.model.machine();
        if machine.initial.iter().any(|&proctype| usize::from(proctype) == index) {
            return true;
        }
        self.outcome.coverage.iter().any(|taken| {
            let transition = &machine.transitions[taken as usize];
            let code = &machine.code[transition.code as usize..];
            transition.kind == TransitionKind::Code
                && code.iter().take_while(|op| **op != Op::Done).any(
                    |op| matches!(op, Op::Run { proctype, .. } if usize::from(*proctype) == index),
                )
        })
    }
}

/// Why a search ended early.
fn why(stopped: &Stopped) -> &'static str {
    match stopped {
        Stopped::MemoryLimit => " (memory limit)",
        Stopped::Time => " (time limit)",
        Stopped::Interrupted => " (stopped)",
        Stopped::ModelError(_) => " (a state could not be evaluated)",
        _ => "",
    }
}

/// Seconds as SPIN prints them: `0.01`, `1.5`, `0`.
fn rounded(seconds: f64) -> String {
    let text = format!("{seconds:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
